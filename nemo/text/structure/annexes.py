"""Where annexes begin, and what only mentions them (附件)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from nemo.text.structure.paragraphs import Paragraph
from nemo.text.words.normalise import squash
from nemo.types import Level, Span

_ANNEX = re.compile(
    r"(?P<name>附[\s\u3000]?[件表录图]|附(?=[\s\u3000]?[:：]))[\s\u3000]*"
    r"(?P<n>[0-9０-９]{1,3}|[一二三四五六七八九十]{1,3}|[A-Z](?![A-Za-z]))?[\s\u3000]*(?P<sep>[:：．.、\-—]?)[\s\u3000]*(?P<title>.*)",
    re.DOTALL,
)
_DATE = re.compile(
    r"(?:19|20)\d{2}年\d{1,2}月\d{1,2}日|[〇○零一二三四五六七八九]{4}年[一二三四五六七八九十]{1,3}月[一二三四五六七八九十]{1,3}日"
)
_FURNITURE = re.compile(
    r"(?:[（(](?:主动公开|此件|依申请公开|不予公开|联系)|抄\s*送|抄\s*报|主\s*送|分\s*送|公开方式|公开属性|相关政策|扫一扫)"
)
_LISTED = re.compile(r"(?:\d{1,2}[.．、]|《)")
_ANNEX_LIST = re.compile(r"(?:相关)?附[\s\u3000]?件?[\s\u3000]?[:：]")
_LIST = re.compile(r"^(?:相关)?附[\s\u3000]?件?[\s\u3000]?[:：][ \u3000]*", re.MULTILINE)
_ENTRY = re.compile(r"(?:(?P<n>\d{1,2})[.．、]\s?)?(?P<title>[^。；;|]{2,100})")
"""An entry of the list of annexes."""
_TITLE_WIDTH = 100
_LOOK_AHEAD = 12


@dataclass(frozen=True, slots=True)
class AnnexHead:
    """The heading of an annex."""

    printed: str
    """``附件2``, ``附表一``, ``附录A``; ``附件`` when it has no number."""
    title: str
    """Title on the same line, empty when it stands below."""


def read_annex(units: Sequence[Paragraph], index: int, text: str) -> AnnexHead | None:
    """Return the annex heading at ``index``; None for anything else, also for a mere list of annexes (附件：1.…)."""
    unit = units[index]
    if not unit.plain or unit.line.glued or text[unit.span.start] != "附" or unit.measure(text) > _TITLE_WIDTH:
        return None
    match = _ANNEX.fullmatch(unit.span.of(text))
    if match is None or (unit.ended and match["title"]):
        return None
    if (not match["title"] and not match["sep"]) or _has_content(units, index, text, match["title"]):
        title = " ".join(match["title"].split())
        name = squash(match["name"])
        printed = ("附件" if name == "附" else name) + (match["n"] or "")
        return AnnexHead(printed, title) if index + 1 < len(units) else None
    return None


def _has_content(units: Sequence[Paragraph], index: int, text: str, title: str) -> bool:
    """Whether the annex itself follows, and not a signature, another annex line or the end."""
    if _LISTED.match(title) or index + 1 >= len(units):
        return False
    for unit in units[index + 1 : index + 1 + _LOOK_AHEAD]:
        words = unit.span.of(text)
        if is_date(words):
            return False
        if words[0] == "附" and _ANNEX.fullmatch(words) and unit.measure(text) <= _TITLE_WIDTH:
            return False
        if unit.ended or unit.head is not None or words[0] == "|":
            return True
    return not title


def is_date(words: str) -> bool:
    """Tell whether a paragraph is nothing but a date (成文日期)."""
    return len(words) < 40 and _DATE.fullmatch(squash(words)) is not None


def tail_start(units: Sequence[Paragraph], floor: int, text: str) -> int:
    """Return the index from which ``units`` are signature, date, 抄送 and other furniture; ``len(units)`` if none are.

    The unit at ``floor`` is the last that surely is no furniture.
    """
    start = len(units)
    dates = [
        i for i in range(max(floor + 1, len(units) - 3 * _LOOK_AHEAD), len(units)) if is_date(units[i].span.of(text))
    ]
    if dates:
        start = dates[-1]
    else:
        start = next(
            (i for i in range(floor + 1, len(units)) if is_furniture(units[i].span.of(text))),
            start,
        )
    while start - 1 > floor and start < len(units) and _is_short(units[start - 1], text):
        start -= 1
    return start


def is_furniture(words: str) -> bool:
    """Tell whether a paragraph is 抄送, 印发, 主动公开, a list of annexes and the like."""
    squashed = squash(words[:60])
    return (
        _FURNITURE.match(squashed) is not None
        or (len(words) < 80 and squash(words).endswith("印发"))
        or is_annex_list(words)
    )


def is_annex_list(words: str) -> bool:
    """Tell whether a paragraph begins the list of annexes at the end of a notice (附件：1.…)."""
    return _ANNEX_LIST.match(words) is not None


def listed_annexes(text: str) -> dict[str, Span]:
    """Return where the titles of the annexes stand that a notice lists (附件：1.… 2.…), by their numbers, "" for one without a number."""
    found: dict[str, Span] = {}
    for head in _LIST.finditer(text):
        number, place = "", head.end()
        for line in text[head.end() :].split("\n", _LOOK_AHEAD)[:_LOOK_AHEAD]:
            entry = _ENTRY.fullmatch(line.strip())
            if entry is None or (found and not entry["n"]):
                break
            number = entry["n"] or ""
            start = text.find(entry["title"], place)
            found.setdefault(number, Span(start, start + len(entry["title"])))
            if not number:
                break
            place += len(line) + 1
    return found


def _is_short(unit: Paragraph, text: str) -> bool:
    return (
        unit.head is None
        and (unit.mark is None or unit.mark.printed[0].isdigit())
        and not unit.ended
        and unit.measure(text) <= _TITLE_WIDTH
    )


def is_enclosure_start(unit: Paragraph) -> bool:
    """Tell whether a unit that comes after articles begins another articled text: 第一条, 第一编."""
    head = unit.head
    return head is not None and head.number == 1 and not head.insertion and head.level in (Level.ARTICLE, Level.PART)
