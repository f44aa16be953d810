"""The table of functions for agents (智能体工具表). Their docstrings are what a model reads."""

from collections.abc import Callable
from typing import Any

from nemo.answer.question.scope import SearchPlace
from nemo.engine import Engine
from nemo.review.memory import APP
from nemo.text.words.days import day_of
from nemo.tools import replies
from nemo.types import Filters, today

SEARCHED = 50
"""Provisions that a search looks through."""


class Toolbox:
    """The functions of one library."""

    def __init__(self, engine_of: Callable[[], Engine]) -> None:
        self._engine_of = engine_of

    def all(self) -> list[Callable[..., dict[str, Any]]]:
        """Return every function."""
        return [
            self.ask_regulation,
            self.search_provisions,
            self.read_regulation,
            self.list_regulations,
            self.regulation_history,
            self.check_quotation,
            self.audit_memo,
            self.search_memory,
        ]

    @replies.guarded
    def ask_regulation(
        self,
        question: str,
        province: str | None = None,
        asset: str | None = None,
        doc_class: str | None = None,
        as_of: str | None = None,
        context: str | None = None,
        corpora: list[str] | None = None,
        top_k: int | None = None,
        threshold: float | None = None,
        mode: str = "naive",
    ) -> dict[str, Any]:
        """用逐字引文回答一个法规问题，或拒答；refused 为真时不得自行作答。

        Args:
            question: 要查的问题。
            province: 省份代码，如 gd；全国性规定总在其内。
            asset: 能源类型代码，如 solar、wind、coal。
            doc_class: 类别代码，如 grid、permit、technical。
            as_of: 按哪一天判断时效，形如 2026-11-20；默认今天。
            context: 追问时，上一答复的 trace_id。
            corpora: 只在这些资料集中查找：名称或编号。
            top_k: 引文条数上限，1 到 20。
            threshold: 向量距离（1 减余弦）上限，0 到 2。
            mode: naive 只作答；local 加关联条款；global 加全库统计；hybrid、mix 两者都加，见返回的 graph。
        """
        engine = self._engine_of()
        filters = Filters(province, asset, doc_class, day_of(as_of), tuple(corpora or ()), top_k, threshold)
        answer = engine.ask(question, filters, user=replies.person(engine), context=context)
        return replies.answer(answer, engine.answers.beside(answer, mode))

    @replies.guarded
    def search_provisions(
        self,
        question: str,
        province: str | None = None,
        asset: str | None = None,
        as_of: str | None = None,
        threshold: float = 0.0,
        corpora: list[str] | None = None,
        regulation: str | None = None,
        section: str | None = None,
        mine: bool = False,
        cursor: str | None = None,
    ) -> dict[str, Any]:
        """按相关概率列出条文，不判断是否足以作答；要可引用的答复请用 ask_regulation。

        Args:
            question: 要找的内容。
            province: 省份代码，如 gd。
            asset: 能源类型代码，如 solar。
            as_of: 按哪一天判断时效，形如 2026-11-20；默认今天。
            threshold: 相关概率的下限，0 到 1。
            corpora: 只在这些资料集中查找。
            regulation: 只在这一部法规中查找。
            section: 只在这一章、节中查找，如 第二章。
            mine: 只在自己的资料集中查找。
            cursor: 下一页填上一页的 next_cursor。
        """
        filters = Filters(province, asset, None, day_of(as_of), tuple(corpora or ()))
        place = SearchPlace(regulation, section, mine)
        return replies.provisions(self._engine_of().search(question, filters, SEARCHED, threshold, place), cursor)

    @replies.guarded
    def read_regulation(
        self,
        regulation: str,
        article: str | None = None,
        as_of: str | None = None,
        figures: bool = False,
        cursor: str | None = None,
    ) -> dict[str, Any]:
        """读一部法规或其中一条的原文，附某日的时效；或列出其图片、表格与公式。长的分页。

        Args:
            regulation: 法规的编号、名称或文件名；可写成 名称@2017-11-04 指明版本。
            article: 条款号，如 第六条；不写则读全文。
            as_of: 按哪一天判断时效，形如 2026-11-20；默认今天。
            figures: 不读条文，列出全文的图表：所在条款、页码、图中识别出的文字；图片由所附地址取得。
            cursor: 下一页填上一页的 next_cursor。
        """
        engine, on = self._engine_of(), day_of(as_of)
        if figures:
            return replies.figures(engine, regulation, on, cursor)
        return replies.regulation(engine, regulation, article, on, cursor)

    @replies.guarded
    def list_regulations(self, containing: str | None = None, cursor: str | None = None) -> dict[str, Any]:
        """列出资料库中的法规；长的分页。

        Args:
            containing: 只列名称含有这些字的。
            cursor: 下一页填上一页的 next_cursor。
        """
        rows = [row for row in self._engine_of().listing() if (containing or "") in row["title"]]
        return replies.paged({} if rows else {"status": replies.NOT_HELD}, "regulations", rows, cursor)

    @replies.guarded
    def regulation_history(
        self, regulation: str, as_of: str | None = None, compare_with: str | None = None, cursor: str | None = None
    ) -> dict[str, Any]:
        """列出一部法规的版本、沿革（各附依据原文）以及与其他法规的关系；或逐条比较它的两个版本，只列有变动的条款。

        Args:
            regulation: 法规的编号、名称或文件名；可写成 名称@2017-11-04 指明版本。
            as_of: 按哪一天判断时效，形如 2026-11-20；默认今天。
            compare_with: 要比较的另一版本，如 海洋环境保护法@2023-10-24；写 previous 则与前一版本比较；不写则列沿革与关系。
            cursor: 下一页填上一页的 next_cursor。
        """
        if compare_with:
            other = None if compare_with == "previous" else compare_with
            return replies.comparison(self._engine_of(), regulation, other, cursor)
        return replies.history(self._engine_of(), regulation, day_of(as_of), cursor)

    @replies.guarded
    def check_quotation(self, regulation: str, quotation: str, as_of: str | None = None) -> dict[str, Any]:
        """核对一段文字是否逐字出自某部法规：found、not_found、not_held（库内没有）、not_checkable（无法核对）。

        Args:
            regulation: 法规的编号、名称或文件名。
            quotation: 要核对的文字。
            as_of: 核对哪一天有效的版本，形如 2026-11-20；默认今天。
        """
        return replies.quotation(self._engine_of(), regulation, quotation, day_of(as_of))

    @replies.guarded
    def audit_memo(
        self, text: str, as_of: str | None = None, since: str | None = None, cursor: str | None = None
    ) -> dict[str, Any]:
        """审校一份文稿：逐处核对所引法规、条款、引文、数值、日期和机关，各给出判断与正确的条文。文稿不保存。

        Args:
            text: 文稿全文。
            as_of: 按哪一天判断，形如 2026-11-20；默认文稿落款日，没有则今天。
            since: 上次的审校结果（JSON，含 findings），另列此后结论有变的引用（changes）。
            cursor: 下一页填上一页的 next_cursor，text 照旧。
        """
        return replies.memo(self._engine_of(), text, day_of(as_of), since, cursor)

    @replies.guarded
    def search_memory(self, query: str, app: str = APP, cursor: str | None = None) -> dict[str, Any]:
        """在本人过去的提问、所得引文、批注、复核与添加的内容中查找，附日期与所引法规此后的变化。只见本人的。

        Args:
            query: 要找的内容；空则由新到旧列出。
            app: 应用的名称；nemo 为提问、批注与复核。
            cursor: 下一页填上一页的 next_cursor。
        """
        engine = self._engine_of()
        found = engine.memory.search(app, replies.person(engine), query, today(), SEARCHED)
        status = {"status": replies.FOUND if found else replies.NOT_FOUND}
        return replies.paged(status, "memories", [one.plain() for one in found], cursor)
