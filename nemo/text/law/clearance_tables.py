"""What was cleared away and what goes on, in tables (清理目录): one row a text, its name and number in columns of their own."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from nemo.text.letter.titles import NUMBER, looks_like_title, tidy
from nemo.text.words.days import DATE, FIGURED, LAST_DAY, last_day, plus_days, to_day
from nemo.text.words.flat import flatten
from nemo.types import Day, Relation, RelationKind, Span

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


def repealed(text: str) -> Iterator[Relation]:
    """Yield what the tables of a text repeal: those whose caption, rows or own title say so and whose columns name texts."""
    if " | " not in text:
        return
    stated = {to_day(found["day"]) for found in _FROM.finditer(text)}
    day = stated.pop() if len(stated) == 1 else None
    title = _TITLE.search(text, 0, _HEAD)
    whole = title is not None and not _ONLY_PROPOSED.search(text, 0, title.end())
    for caption, rows in _blocks(text):
        yield from _of(caption, rows, text, whole, day)


_GOES_ON = re.compile(
    r"(?:有效期|期限)延[长续]?至|继续(?:有效|执行|施行|实施)|(?:延长|延续)[^，。；|]{0,8}(?:有效期|期限)|(?:有效期|期限)[^，。；|]{0,8}(?:延长|延续)"
)
_UNTIL = re.compile(r"(?:有效期|期限|延长|延续|截止|失效|到期)(?!.*(?:原|此前))")
_LAST = re.compile(f"(?:{LAST_DAY}|{FIGURED})")


def continued(text: str) -> Iterator[Relation]:
    """Yield the texts that tables let go on (继续有效、延长有效期), with the day after their last one where a column tells it."""
    for caption, rows in _blocks(text) if " | " in text and _GOES_ON.search(text) else ():
        yield from _continued(caption, rows, text)


def _continued(caption: str, rows: list[Span], text: str) -> Iterator[Relation]:
    entries = list(_entries(rows, text))
    column = entries[0].until_head if entries else ""
    whole = bool(_GOES_ON.search(caption) or _GOES_ON.search(column)) and not re.search("拟|征求|建议|废止", caption)
    for entry in entries:
        if not (_GOES_ON.search(entry.result) or (whole and not _ENDED.search(entry.result))):
            continue
        stated = _LAST.search(flatten(entry.until).text)
        last = last_day(stated[0]) if stated else None
        for found in _named(entry, text, plus_days(last, 1) if last else None):
            words = f"{caption if _GOES_ON.search(caption) else column}：{found.words}" if whole else found.words
            yield replace(found, kind=RelationKind.EXTENDS, words=words)


def _blocks(text: str) -> Iterator[tuple[str, list[Span]]]:
    """Yield the tables: the line above each, and its rows."""
    above, rows, at = "", [], 0
    for line in (*text.splitlines(keepends=True), "\n\n"):
        words, at = line.strip(), at + len(line)
        if " | " in words:
            start = at - len(line.lstrip())
            rows.append(Span(start, start + len(words)))
        elif words or at > len(text):
            if rows:
                yield above, rows
            above, rows = words, []


def _of(caption: str, rows: list[Span], text: str, whole: bool, day: Day | None) -> Iterator[Relation]:
    ends = bool(_ENDED.search(caption) or whole) and not _ONLY_PROPOSED.search(caption)
    entries = list(_entries(rows, text))
    judged = any(_ENDED.search(entry.result) for entry in entries)
    for entry in entries:
        if (_ENDED.search(entry.result) and not _ONLY_PROPOSED.search(entry.result)) if judged else ends:
            yield from _named(entry, text, day)


class _ClearedRow(NamedTuple):
    """A row of a table of texts, by its columns; empty where there is no such column."""

    row: Span
    name: str
    number: str
    result: str
    until: str
    until_head: str


def _named(entry: _ClearedRow, text: str, day: Day | None) -> Iterator[Relation]:
    title = tidy(re.sub(r"\s", "", entry.name)).strip("《》")
    stated = re.search(NUMBER, re.sub(r"\s", "", entry.number or entry.name))
    if title and (stated or looks_like_title(title)):
        words, number = entry.row.of(text), stated[0] if stated else None
        yield Relation(RelationKind.REPEALS, title, words, number, span=entry.row, from_day=day)


def _entries(rows: list[Span], text: str) -> Iterator[_ClearedRow]:
    """Yield the rows below the head of a table; none where no column names texts."""
    heads, *cells = [[cell.strip() for cell in row.of(text).strip("| ").split(" | ")] for row in rows]
    heads = [re.sub(r"\s", "", head) for head in heads]
    columns = [[at for at, head in enumerate(heads) if w.search(head)] for w in (_NAME, _NUMBER_HEAD, _RESULT, _UNTIL)]
    at = [next(iter(places), None) for places in columns[:3]]
    until = next((place for place in reversed(columns[3]) if place != at[0]), None)
    for row, own in zip(rows[1:], cells if at[0] is not None else (), strict=False):
        said = (own[place] if place is not None and place < len(own) else "" for place in (*at, until))
        name, number, result, ends = said
        yield _ClearedRow(row, name, number, result, ends, heads[until] if until is not None else "")
