"""Lists of repealed texts that are tables (废止目录): one row a text, its name and number in columns of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nemo.text.letter.titles import NUMBER, looks_like_title, tidy
from nemo.text.structure.tables import tables
from nemo.text.words.days import DATE, to_day
from nemo.types import Day, Relation, RelationKind, Span, Table

ENDS = "废止|失效|停止执行|不再执行|停止施行"
_ENDED = re.compile(ENDS)
_ONLY_PROPOSED = re.compile("拟|征求|建议|修改|修订|保留|继续有效|草案")
_HEAD = 400
"""Characters at the beginning of a text in which its own title says that it repeals."""
_TITLE = re.compile(
    rf"(?:{ENDS})[^。；|]{{0,40}}(?:通知|公告|决定|通告|目录|令)|(?:关于|决定)[^。；|]{{0,20}}(?:{ENDS})"
)
_NAME = re.compile(r"(?:文件|规章|规范性文件|政策)?(?:名称|标题|题目)|文件$")
_NUMBER_HEAD = re.compile(r"文号|字号|编号$")
_RESULT = re.compile(r"结果|意见|状态|处理|类别|备注")
_FROM = re.compile(rf"自(?P<day>{DATE})起[^。；|]{{0,12}}(?:{ENDS})")


def listed(text: str) -> Iterator[Relation]:
    """Yield what the tables of a text repeal: those whose caption, rows or own title say so and whose columns name texts."""
    stated = {to_day(found["day"]) for found in _FROM.finditer(text)}
    day = stated.pop() if len(stated) == 1 else None
    title = _TITLE.search(text, 0, _HEAD)
    whole = title is not None and not _ONLY_PROPOSED.search(text, 0, title.end())
    for table in tables(text):
        yield from _of(table, text, whole, day)


def _of(table: Table, text: str, whole: bool, day: Day | None) -> Iterator[Relation]:
    heads = [re.sub(r"\s", "", cell.of(text)) for cell in table.header[-1].cells] if table.header else []
    name = next((at for at, head in enumerate(heads) if _NAME.search(head)), None)
    if name is None:
        return
    number = next((at for at, head in enumerate(heads) if _NUMBER_HEAD.search(head)), None)
    result = next((at for at, head in enumerate(heads) if _RESULT.search(head)), None)
    caption = table.caption.of(text) if table.caption else ""
    ends = bool(_ENDED.search(caption) or whole) and not _ONLY_PROPOSED.search(caption)
    judged = any(_ENDED.search(_cell(row.cells, result, text)) for row in table.rows)
    for row in table.rows:
        said = _cell(row.cells, result, text)
        if (_ENDED.search(said) and not _ONLY_PROPOSED.search(said)) if judged else ends:
            yield from _named(_cell(row.cells, name, text), _cell(row.cells, number, text), row.span, text, day)


def _named(words: str, number: str, span: Span, text: str, day: Day | None) -> Iterator[Relation]:
    title = tidy(re.sub(r"\s", "", words)).strip("《》")
    stated = re.search(NUMBER, re.sub(r"\s", "", number or words))
    if title and (stated or looks_like_title(title)):
        yield Relation(
            RelationKind.REPEALS, title, span.of(text), stated[0] if stated else None, span=span, from_day=day
        )


def _cell(cells: tuple[Span, ...], at: int | None, text: str) -> str:
    return cells[at].of(text) if at is not None and at < len(cells) else ""
