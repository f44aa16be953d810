"""What is exported, whatever the file format: an answer, a comparison of provinces, or a review, each quote proven anew.

Everything a reader of the file needs to judge a quote stands in :func:`fields`; the formats only lay it out.
"""

from __future__ import annotations

import datetime as dt
import functools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from nemo.errors import BadRequestError, NotFoundError, UnreadableDocumentError
from nemo.export.answer import china_day, effective_words, english_words, sign, table_json, table_words
from nemo.export.figures import figure_words, image_of, still_held
from nemo.export.proof import Proof, ProofOutcome, prove
from nemo.store.catalogue.entry import words_hash
from nemo.store.search.facets import NATIONAL
from nemo.text.letter.titles import in_marks
from nemo.text.structure.figures import cells
from nemo.text.words.invisible import marked
from nemo.text.words.linebreaks import joined
from nemo.text.words.sentences import trim
from nemo.types import CHINA, Answer, FigureKind, Quote, Reason, Verdict, status_of

if TYPE_CHECKING:
    from nemo.rules import Rules
    from nemo.store.library import Library
    from nemo.store.records.chain import ChainHead
    from nemo.types import Citation, Day, Filters, Provision, Refusal, Regulation, ShownFigure, Span

Facts = tuple[tuple[str, str], ...]
"""Names with their values, in Chinese."""

MOST_ROWS = 60
"""Rows of a table that are repeated beside a quote."""
NATION, UNPLACED = "全国规定", "省份待核的规定"
NEAR = "（相关条文，不构成答复）"
"""Behind the name of a province whose nearest provisions stand for an answer."""


@dataclass(frozen=True, slots=True)
class ReportPassage:
    """One quote of a report with its proof."""

    number: int
    """From 0 through the whole report."""
    quote: Quote
    proof: Proof
    group: str
    image_of: Callable[[ShownFigure], bytes | None] = lambda _: None
    """Gives the picture of a figure as a PNG; None when it is none, or cannot be shown any more."""

    def beside(self, shown: ShownFigure) -> tuple[Sequence[Sequence[str]], list[str]]:
        """Return the rows of a table that the quote points to, where it is none itself; a formula and what explains it."""
        rows = cells(shown.figure, self.proof.text or "") if self.quote.table is None else ()
        formula = shown.text if shown.figure.kind is FigureKind.FORMULA else None
        return rows[:MOST_ROWS], [piece.text for piece in (formula, shown.notes) if piece is not None]


@dataclass(frozen=True, slots=True)
class Group:
    """Quotes under one heading, or the reason why there are none."""

    heading: str
    passages: tuple[ReportPassage, ...]
    notes: tuple[str, ...] = ()
    """Stand before the quotes."""
    asked: tuple[str, str] = ("", "")
    """Of many questions the question and the name of the place."""


@dataclass(frozen=True, slots=True)
class ExportReport:
    """One thing to export."""

    kind: str
    """``answer``, ``matrix`` or ``review``."""
    title: str
    facts: Facts
    """What was asked, under which filters, when; name and value in Chinese."""
    groups: tuple[Group, ...]
    answers: tuple[Answer, ...]
    made_at: dt.datetime
    chain: ChainHead | None = None
    """Head of the library's chain of records when this was made."""

    @property
    def passages(self) -> Iterator[ReportPassage]:
        """Yield every quote in order."""
        for group in self.groups:
            yield from group.passages

    @property
    def counts(self) -> Counter[ProofOutcome]:
        """How many quotes came out how."""
        return Counter(passage.proof.outcome for passage in self.passages)


@dataclass(frozen=True, slots=True)
class ReportColumn:
    """What one province answers in a comparison (对照)."""

    province: str
    """Code."""
    answer: Answer
    own: tuple[Quote, ...] = ()
    """Quotes of its own texts; those of the nation stand beside the columns."""
    near: tuple[Quote, ...] = ()
    """Where it has none, the nearest provisions of its own texts: shown as such, never as an answer."""

    @property
    def remark(self) -> str:
        """Say what stands in place of an answer of its own; empty where there is one."""
        if self.own:
            return ""
        if self.near and self.near[0] in self.answer.quotes:
            return "本省条文与所问相关，但不如全国规定确切，请对照原文判断。"
        if self.near:
            return "本省条文没有单独成为答复；以下是检索到的最相关的本省条文，请对照原文判断。"
        refusal = self.answer.refusal
        if refusal and refusal.reason is not Reason.NO_EVIDENCE:  # of which the nation's rule beside it may be some
            return refusal.message
        return "资料库内的本省文本中没有检索到足以答复的条文。这不等于本省没有规定。"


def homes(quotes: Iterable[Quote], library: Library) -> dict[str, str]:
    """Return the code of whose rule each quoted text is, by its id; empty where nothing tells it."""
    return {each: library.regulation(each).home for each in {quote.regulation_id for quote in quotes}}


def beside(columns: Sequence[ReportColumn], home: Mapping[str, str]) -> dict[str, list[Quote]]:
    """Return what stands beside the columns, each quote once, by its heading: rules of the nation, and of nobody knows whom."""
    once = {(q.regulation_id, q.span): q for column in columns for q in column.answer.quotes}
    found = {name: [q for q in once.values() if home[q.regulation_id] == code] for name, code in _BESIDE}
    return {name: quotes for name, quotes in found.items() if quotes}


_BESIDE = ((NATION, NATIONAL), (UNPLACED, ""))


def of_answer(answer: Answer, library: Library, rules: Rules) -> ExportReport:
    """Return the report of one answer or refusal."""
    refusal = answer.refusal
    passages = _proven(answer.quotes, library, answer.heading)
    groups = _parts(answer, passages)
    if refusal:
        near = tuple(_near_line(*each, answer.day, rules) for each in nearest(refusal, library))
        groups = (Group(answer.headline[0], (), _refused(refusal)), *((Group(NEAREST, (), near),) if near else ()))
    groups = groups or (Group(answer.heading or "答复", passages),)
    if remarks := _remarks(answer):
        groups = (*groups, Group("说明", (), remarks))
    facts = (
        ("问题", answer.query.original or answer.query.text),
        *_filters(answer.query.filters, answer.day, rules),
        *(_looked_for(answer, library) if refusal else ()),
        ("答复性质", answer.verdict.value if answer.verdict else "拒答"),
        *(() if refusal else (("置信度", f"{answer.confidence.overall:.2f}"),)),
        *(("注意", note) for note in answer.degraded),
        ("答复编号", answer.trace_id),
    )
    return _made("answer", title_of(answer), facts, groups, (answer,), library)


NEAREST = "相关条文（不构成答复）"


def title_of(answer: Answer) -> str:
    """Return what a file of an answer is called, a refusal by what it is."""
    return "法规查询记录（未作答复）" if answer.refusal else "法规查询答复"


def nearest(refusal: Refusal, library: Library) -> Iterator[tuple[Regulation, Provision | None, Span]]:
    """Yield the nearest provisions of a refusal, those still held: the text, the provision, and what of it was found."""
    for chunk in (hit.chunk for hit in refusal.related):
        try:
            regulation = library.regulation(chunk.regulation_id)
        except NotFoundError:
            continue  # taken out of the library since
        yield regulation, regulation.find(chunk.label), trim(regulation.text, chunk.span)


def _near_line(regulation: Regulation, provision: Provision | None, span: Span, day: Day, rules: Rules) -> str:
    standing = rules.not_law(regulation.nature) or status_of(regulation, day, provision.label if provision else None)
    place = in_marks(regulation.title) + (provision.path() if provision else "")
    return f"{place}（{standing}）：{joined(span.of(regulation.text))}"


def _looked_for(answer: Answer, library: Library) -> Facts:
    """Return what was named, and how much is held when the file is made."""
    named = "、".join(mention.words for mention in answer.query.mentions)
    held = ("资料库", f"导出时收有 {len(library.rows())} 部法规")
    return (("指名", named), held) if named else (held,)


def _refused(refusal: Refusal) -> tuple[str, ...]:
    return (refusal.message, *(f"可以尝试：{tip}" for tip in refusal.tips))


def _remarks(answer: Answer) -> tuple[str, ...]:
    """Return what the page says beside the quotes: how the question was read, what to know, how the texts rank."""
    ranks = (f"{note.words}（{note.basis}）" for note in answer.hierarchy)
    return tuple(filter(None, (answer.understood, *answer.tips, *ranks)))


def _parts(answer: Answer, passages: Sequence[ReportPassage]) -> tuple[Group, ...]:
    """Return one group for each of several questions; a quote that two rest on stands under the first of them."""
    groups, said = [], set[int]()
    for part in answer.parts:
        mine = tuple(_named(passages[at], part.heading) for at in part.quotes if at not in said)
        repeated = "、".join(sign(at) for at in part.quotes if at in said)
        notes = (part.said, f"依据另见上文引文{repeated}。" if repeated else "")
        refused = _refused(part.refusal) if part.refusal else ()
        groups.append(Group(part.heading, mine, (*filter(None, notes), *refused)))
        said.update(part.quotes)
    return tuple(groups)


def of_matrix(question: str, columns: Sequence[ReportColumn], library: Library, rules: Rules) -> ExportReport:
    """Return the report of one question put to several provinces: national text once, then each province's own.

    Raises:
        BadRequestError: no province was asked.
    """
    if not columns:
        raise BadRequestError("没有可对照的省份。请至少选择一个省份。")
    shared = beside(columns, homes((q for column in columns for q in column.answer.quotes), library))
    names = [rules.province(column.province).name for column in columns]
    parts = [(name, name, quotes, "") for name, quotes in shared.items()]
    parts += [
        (name, name if c.own else name + NEAR, list(c.own or c.near), c.remark)
        for name, c in zip(names, columns, strict=True)
    ]
    passages = iter(_proven([quote for _, _, quotes, _ in parts for quote in quotes], library, ""))
    groups = [
        Group(name, tuple(_named(next(passages), called) for _ in quotes), tuple(filter(None, (remark,))))
        for name, called, quotes, remark in parts
    ]
    first = columns[0].answer
    facts = (
        ("问题", question),
        ("省份", "、".join(names)),
        *_filters(replace(first.query.filters, province=None), first.day, rules),
        ("答复编号", "、".join(column.answer.trace_id for column in columns)),
    )
    return _made("matrix", "各省规定对照", facts, groups, [c.answer for c in columns], library)


def of_many(asked: Sequence[tuple[str, Sequence[ReportColumn]]], library: Library, rules: Rules) -> ExportReport:
    """Return the report of several questions, each put to several provinces: a group for each question and province.

    Raises:
        BadRequestError: nothing was asked.
    """
    answers = [column.answer for _, columns in asked for column in columns]
    if not answers:
        raise BadRequestError("没有问题。请每行写一个问题。")
    passages = iter(_proven([quote for answer in answers for quote in answer.quotes], library, ""))
    groups = []
    for question, columns in asked:
        for column in columns:
            place = rules.province(column.province).name if column.province else "全部地域"
            heading = f"{question}（{place}）"
            found = tuple(_named(next(passages), heading) for _ in column.answer.quotes)
            refused = (column.answer.refusal.message,) if column.answer.refusal else ()
            groups.append(Group(heading, found, refused, (question, place)))
    within = replace(answers[0].query.filters, province=None)
    facts = (("问题", f"{len(asked)} 个"), *_filters(within, answers[0].day, rules))
    return _made("many", "批量查询答复", facts, groups, answers, library)


def of_review(quotes: Sequence[Quote], facts: Iterable[tuple[str, str]], library: Library) -> ExportReport:
    """Return the report of a review: quotes with their present review, under the filters named in ``facts``."""
    states = Counter(_state(quote).value for quote in quotes)
    totals = "，".join(f"{name} {count} 条" for name, count in sorted(states.items()))
    named = (*facts, ("合计", f"{len(quotes)} 条" + (f"：{totals}" if totals else "")))
    groups = []
    passages = iter(_proven(sorted(quotes, key=lambda q: ORDER.index(_state(q))), library, ""))
    for state in ORDER:
        mine = tuple(_named(next(passages), state.value) for _ in range(states[state.value]))
        if mine:
            groups.append(Group(state.value, mine))
    return _made("review", "引文复核记录", named, groups, (), library)


def _made(
    kind: str, title: str, facts: Facts, groups: Iterable[Group], answers: Iterable[Answer], library: Library
) -> ExportReport:
    """Return a report that says when it was made, and where the library's chain of records then stood."""
    at, head = dt.datetime.now(CHINA), library.chain_head()
    when = ("导出时间", f"{at:%Y-%m-%d %H:%M:%S}（北京时间）")
    chained = (("记录链首", str(head)),) if head else ()
    return ExportReport(kind, title, (*facts, when, *chained), tuple(groups), tuple(answers), at, head)


ORDER = (Verdict.REJECTED, Verdict.UNSURE, Verdict.PENDING, Verdict.APPROVED)
"""In a report what needs attention comes first."""


def _state(quote: Quote) -> Verdict:
    return quote.review.state if quote.review else Verdict.PENDING


def _proven(quotes: Sequence[Quote], library: Library, group: str) -> tuple[ReportPassage, ...]:
    return tuple(
        ReportPassage(n, quote, prove(quote, library), group, functools.partial(_image, library, quote.regulation_id))
        for n, quote in enumerate(quotes)
    )


def _image(library: Library, regulation_id: str, shown: ShownFigure) -> bytes | None:
    if shown.figure.picture is None:
        return None
    try:
        regulation = library.regulation(regulation_id)
        return image_of(library, regulation, shown.figure) if still_held(shown.figure, regulation) else None
    except (NotFoundError, UnreadableDocumentError):
        return None  # the line that stands for it says where it is


def _named(passage: ReportPassage, group: str) -> ReportPassage:
    return replace(passage, group=group)


def _filters(filters: Filters, day: Day, rules: Rules) -> Facts:
    assets = {a.code: a.name for a in rules.assets}
    classes = {c.code: c.name for c in rules.doc_classes}
    place = rules.province(filters.province).name if filters.province else ""
    within = (place, assets.get(filters.asset or "", ""), classes.get(filters.doc_class or "", ""))
    return (
        ("检索范围", " · ".join(filter(None, within)) or "全部"),
        ("适用日期", day.isoformat()),
        *((("资料集", "、".join(filters.corpora)),) if filters.corpora else ()),
        *((("引文条数上限", str(filters.top_k)),) if filters.top_k else ()),
        *((("向量距离上限", f"{filters.threshold:g}"),) if filters.threshold is not None else ()),
    )


# --- what is said of each quote


def shown(quote: Quote) -> str:
    """Return the words of a quote as paragraphs: without the line breaks of the print, every other character as stored."""
    return quote.text if quote.table is not None else joined(quote.text)


def fields(passage: ReportPassage) -> dict[str, str]:
    """Return everything about a quote by Chinese names, in the order of reading; empty where nothing is known.

    ``英文`` is there only where the question was asked in English, ``图表`` only where figures stand beside the quote.
    """
    quote, c, review = passage.quote, passage.quote.citation, passage.quote.review
    values: dict[str, object] = {
        "栏目": passage.group,
        "序号": sign(passage.number),
        "引文": shown(quote),
        "前文": quote.before_text and joined(quote.before_text),
        "后文": quote.after_text and joined(quote.after_text),
        "表": table_words(table_json(quote)),
        "法规": c.title,
        "位置": c.path,
        "页": "、".join(map(str, c.pages)),
        "文号": c.document_number,
        "发布机关": c.issuer,
        "级别": c.level,
        "公布": c.promulgated,
        "施行日期": _since(c),
        "施行日期依据": c.effective_basis,
        "时效": c.standing,
        "适用日期": c.day,
        "时效依据": c.status_evidence,
        "核验": passage.proof.message,
        "注意": "".join(c.warnings),
        "复核": review.state.value if review else "未复核",
        "复核人": review.by if review else None,
        "复核日": china_day(review.at) if review else None,
        "复核意见": review.reason if review else None,
        "网址": c.url,
        "文件": c.file,
        "起": quote.span.start,
        "止": quote.span.end,
        "引文SHA-256": words_hash(quote.text),
        "文本SHA-256": passage.proof.text_sha256,
        "原件SHA-256": passage.proof.raw_sha256,
        "法规编号": quote.regulation_id,
    }
    more = {"图表": "；".join(map(figure_words, quote.figures)), "英文": quote.english and english_words(quote)}
    values |= {name: words for name, words in more.items() if words}
    texts = {name: "" if value is None else str(value) for name, value in values.items()}
    return {name: value if name in _VERBATIM else marked(value) for name, value in texts.items()}


def source(said: Mapping[str, str]) -> str:
    """Return where a quote stands and since when it is law, in a line, from its :func:`fields`."""
    return f"{in_marks(said['法规'])}{said['位置']} · {standing(said)}"


def standing(said: Mapping[str, str]) -> str:
    """Return the number and page of a quoted text, who issued it, and since when it is law."""
    page = f"第{said['页']}页" if said["页"] else ""
    began = f"施行日期：{said['施行日期']}" if said["施行日期"] else ""
    return " · ".join(
        filter(None, (said["文号"], page, said["发布机关"], began, f"{said['时效']}（{said['适用日期']}）"))
    )


def _since(c: Citation) -> str:
    """Return the day of commencement as the page shows it: one that was inferred with all the days it may be; none of no law."""
    if c.not_law:
        return ""
    known = effective_words(c.effective, c.effective_derived) or "未知"
    return f"{c.effective} 至 {c.effective_latest} 间（推定）" if c.effective_derived and c.effective_latest else known


_VERBATIM = frozenset({"引文", "前文", "后文"})
"""Words of the law: everything else is shown with marks for what does not show."""


def statement(report: ExportReport) -> tuple[str, ...]:
    """Return what Nemo vouches for in a report, and what not (核验声明)."""
    counts = report.counts
    total = sum(counts.values())
    if not total:
        near = any(group.heading == NEAREST for group in report.groups)
        return ("没有给出引文，原因见上；这不等于没有这样的规定。" + "相关条文只供查找，不是答复。" * near,)
    read = sum(p.quote.citation.recognised is not None for p in report.passages)
    outcome = "，".join(f"{o.value} {counts[o]} 条" for o in ProofOutcome)
    return (
        "引文由程序按字符位置从入库文本中截取，未经改写、补写或规范化。",
        f"导出时按所记位置重新截取并逐字比对：共 {total} 条，{outcome}。",
        *((f"其中 {read} 条取自图像识别文本，不称逐字，引用前须对照原页。",) if read else ()),
        "时效性按所列适用日期，依入库文本所载的施行、修改、废止与有效期条款计算；“效力待核”表示库内依据不足，不作推测。",
        "文件格式容纳不下的控制字符以〔U+十六进制码〕标出，原样文字见核验包。",
        "各条附文本与原始文件的 SHA-256。导出为核验包（JSON）后，可在“文稿审校”页用资料库核对，没有资料库时也可只核对其自身。",
    )
