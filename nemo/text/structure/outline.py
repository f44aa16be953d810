"""Documents without articles: 一、（一）1.（1）, the clauses of standards, and plain paragraphs (纲目).

（一） may run on across 一、二、三 or begin again under each; both give the path 三（四）.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from nemo.text.structure.annexes import is_annex_list, tail_start
from nemo.text.structure.nodes import Node
from nemo.text.structure.paragraphs import Paragraph
from nemo.text.words.openings import ListMark, MarkKind, read_clause
from nemo.types import Level

_TITLE_WIDTH = 80
_HEADING_WIDTH = 44
_RUN_IN = re.compile(r"[^。；：，]{2,30}(?=。)")
_SELF = r"(?:通知|意见|方案|办法|细则|规定|规则|指南|函|公告|通告|批复|决定|文件|措施|导则|标准)"
_CLOSING = re.compile(
    rf"本{_SELF}[^。，；]{{0,15}}(?:自|有效期|由|执行|印发|发布|未尽|施行|试行|实施|解释)|以上|特此|此前|《[^》]+》同时废止"
    r"|(?:政策)?执行(?:中|过程中|期间)|(?:执行中)?如[遇有]|未尽事宜|自(?:印发|发布|公布)之日起|联系(?:人|电话)|感谢"
    rf"|请(?:各|你|认真|遵照|按照|结合)|各(?:有关)?(?:单位|地|市|省|部门)[^。，；]{{0,20}}(?:认真|遵照|贯彻|抓好)"
)
"""How a paragraph begins that speaks for the whole document after its last numbered item."""
_ASKS = re.compile(r"(?:问|记者|提问)[\s\u3000]?\d{0,2}[\s\u3000]?[：:]|[QＱ]\d{0,2}[：:]")
_NOTES = re.compile(r"(?:附?注|备注)[\s\u3000]?[:：][\s\u3000]*(?:[(（]?1[)）.．、]|①|$)")
"""How the first of several notes below a table begins."""
_MIN_QUESTIONS = 2
_MIN_CLAUSES = 3
_MIN_LETTERED = 2
_ENTRY_END = re.compile("[》）)]$")
"""How the entry of a list of texts ends (《…》（…号）): no sentence that a number on the next line could go on."""
_SURELY_CLAUSES = 10
"""So many dotted numbers make a standard even of an excerpt that does not begin at 1."""


def outline(units: Sequence[Paragraph], text: str) -> list[Node]:
    """Return the nodes of a text without headings, in order.

    Paragraphs before the first number, the closing ones and the signature are PREAMBLE units, all citable. A second
    一、 after 二、 is the outline of an enclosed text.
    """
    if clauses := _clauses(units, text):
        marks = clauses | _entries(units, clauses)
        end = tail_start(units, max(marks), text)
        return _Outline(text).build(units[:end], marks) + [loose(unit) for unit in units[end:]]
    marks = _without_lists(_marks(units, text))
    if not marks and (asked := _questions(units, text)):
        return _answered(units, asked, text)
    nodes: list[Node] = []
    for start, stop in pairwise([0, *_restarts(marks), len(units)]):
        nodes += _signed(units[start:stop], {i - start: m for i, m in marks.items() if start <= i < stop}, text)
    return nodes


def _questions(units: Sequence[Paragraph], text: str) -> list[int]:
    """Return the units that ask, of a text of questions and answers (问：…答：…); empty when it is none."""
    asked = [i for i, unit in enumerate(units) if _ASKS.match(unit.span.of(text))]
    return asked if len(asked) >= _MIN_QUESTIONS else []


def _answered(units: Sequence[Paragraph], asked: Sequence[int], text: str) -> list[Node]:
    """Return each question with its answer as one unit, named by its place: 第2问."""
    nodes = [loose(unit) for unit in units[: asked[0]]]
    end = tail_start(units, asked[-1], text)
    for number, (start, stop) in enumerate(pairwise([*asked, end]), 1):
        question = units[start]
        node = Node(Level.OUTLINE, question.span.start, question.span.end, "问", str(number), f"第{number}问")
        node.heading = _ASKS.sub("", question.span.of(text)).strip()
        for unit in units[start + 1 : stop]:
            node.add(Node(Level.PARAGRAPH, unit.span.start, unit.span.end, in_path=False))
        nodes.append(node)
    return nodes + [loose(unit) for unit in units[end:]]


def items(units: Sequence[Paragraph], text: str) -> list[Node]:
    """Return the nodes of the paragraphs under a heading, where no signature can stand."""
    return _Outline(text).build(units, _without_lists(_marks(units, text)))


def _signed(units: Sequence[Paragraph], marks: dict[int, ListMark], text: str) -> list[Node]:
    """Return the nodes of one outline with what stands before it and its closing and signature below."""
    if not marks:
        return [loose(unit) for unit in units]
    last = max(marks)
    end = min(_closing_start(units, last, text), tail_start(units, last, text))
    kept = {i: mark for i, mark in marks.items() if i < end}
    return _Outline(text).build(units[:end], kept) + [loose(unit) for unit in units[end:]]


def _restarts(marks: dict[int, ListMark]) -> list[int]:
    """Return where 一、 comes again after 二、."""
    found: list[int] = []
    last = 0
    for index, mark in marks.items():
        if mark.kind is MarkKind.CN:
            if mark.number == 1 and last > 1:
                found.append(index)
            last = mark.number
    return found


def _entries(units: Sequence[Paragraph], clauses: dict[int, ListMark]) -> dict[int, ListMark]:
    """Return the list numbers under the clauses of a standard: a) 1）（1）①."""
    first = min(clauses)
    found = {i: u.mark for i, u in enumerate(units) if u.mark is not None and i > first and i not in clauses}
    return {i: mark for i, mark in found.items() if mark.kind not in (MarkKind.CN, MarkKind.CN_BRACKET)}


def loose(unit: Paragraph) -> Node:
    """Return the PREAMBLE unit of a paragraph outside articles and outline."""
    return Node(Level.PREAMBLE, unit.span.start, unit.span.end)


def _clauses(units: Sequence[Paragraph], text: str) -> dict[int, ListMark]:
    """Return the clause numbers of a standard or a rule numbered like one by unit, empty when the text is neither.

    A number that its own words do not prove (1总则, 2.1市场成员, 5.1.5应…) counts where it is the very next one.
    """
    found: dict[int, ListMark] = {}
    last: list[int | str] = []
    read = {
        i: m for i, u in enumerate(units) if u.head is None and (m := read_clause(u.span.of(text), True)) is not None
    }
    for index, mark in read.items():
        parts = _parts(mark.key)
        if read_clause(units[index].span.of(text)) is not None:
            goes_on = _advances(last, parts) or (mark.printed != mark.key and parts > last)
        else:
            goes_on = _in_place(index, read, units, text) and (
                parts in _following(last) or (len(parts) == 1 and _advances(last, parts) and _opened(index, read))
            )
        if goes_on:
            found[index] = mark
            last = parts
    dotted = sum("." in mark.key for mark in found.values())
    first = next(iter(found.values()), None)
    starts = first is not None and (first.number == 1 or dotted >= _SURELY_CLAUSES)
    lettered = first is not None and first.key[0].isalpha()
    return found if starts and dotted >= (_MIN_LETTERED if lettered else _MIN_CLAUSES) else {}


def _in_place(index: int, read: dict[int, ListMark], units: Sequence[Paragraph], text: str) -> bool:
    """Whether an unproved number can stand where it does.

    A whole one is a heading whose clauses follow, for it may count a list (6. under 5.1) or a quantity (6台机组).
    """
    above = units[index - 1] if index else None
    entry = above is not None and (above.line.table or _ENTRY_END.search(above.span.of(text).rstrip()) is not None)
    if above is not None and not (above.ended or entry) and above.measure(text) > _TITLE_WIDTH:
        return False
    whole = read[index].key
    if "." in whole:
        return True
    unit = units[index]
    titled = not unit.ended and unit.measure(text) <= _HEADING_WIDTH
    return titled and _parts(_below(index, read) or whole)[:1] >= [int(whole)]


def _below(index: int, read: dict[int, ListMark]) -> str:
    """Return the next number of several parts behind a unit, empty when there is none."""
    return next((mark.key for i, mark in read.items() if i > index and "." in mark.key), "")


def _opened(index: int, read: dict[int, ListMark]) -> bool:
    return _below(index, read) == f"{read[index].key}.1"


def _parts(key: str) -> list[int | str]:
    return [int(p) if p.isdigit() else p for p in key.split(".")]


def _following(last: Sequence[int | str]) -> list[list[int | str]]:
    """Return the numbers that come directly after one: one deeper, or the next on its own or a higher level."""
    if not last:
        return [[1], [1, 1]]
    heads = [[*last[:depth], number + 1] for depth, number in enumerate(last) if isinstance(number, int)]
    return [[*last, 1], *heads]


def _advances(last: list[int | str], parts: list[int | str]) -> bool:
    """Whether a clause number goes on from the last: one deeper, or the next on its own or a higher level."""
    if len(parts) == 1 and isinstance(parts[0], str):
        return parts[0] == ("A" if not last else chr(ord(last[0]) + 1) if isinstance(last[0], str) else "")
    if not last:
        return True
    if len(parts) > len(last):
        return parts[: len(last)] == last and all(p == 1 for p in parts[len(last) :])
    head, final = parts[:-1], parts[-1]
    before = last[len(parts) - 1]
    if head != last[: len(parts) - 1] or not isinstance(final, int) or not isinstance(before, int):
        return isinstance(parts[0], str) and parts[0] != last[0]
    return before < final <= before + 5


def _marks(units: Sequence[Paragraph], text: str) -> dict[int, ListMark]:
    """Return the list numbers by unit, without those that count annexes (附件：1.…) or the notes below a table (注：1.…)."""
    marks: dict[int, ListMark] = {}
    listing = False
    for index, unit in enumerate(units):
        if unit.mark is None:
            words = unit.span.of(text)
            listing = is_annex_list(words) or _NOTES.match(words) is not None or (listing and not unit.ended)
        elif unit.mark.kind in (MarkKind.CN, MarkKind.CN_BRACKET) or not listing:
            marks[index] = unit.mark
            listing = False
    return marks


def _without_lists(marks: dict[int, ListMark]) -> dict[int, ListMark]:
    """Drop a lone number: one （一） or 1. without company is no outline."""
    return marks if len(marks) > 1 else {}


def _closing_start(units: Sequence[Paragraph], last: int, text: str) -> int:
    """Return the index of the first closing paragraph after the last numbered one, ``len(units)`` if none.

    What stands under a bare heading (六、施行时间) is its text, whatever it says.
    """
    heading = not units[last].ended and units[last].measure(text) <= _TITLE_WIDTH
    return next(
        (i for i in range(last + 1 + heading, len(units)) if _CLOSING.match(units[i].span.of(text))), len(units)
    )


class _Outline:
    """The open items, outermost first, by the written form of their numbers."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._top: list[Node] = []
        self._open: list[tuple[MarkKind, str, Node]] = []

    def build(self, units: Sequence[Paragraph], marks: dict[int, ListMark]) -> list[Node]:
        """Return the top nodes of ``units``; ``marks`` says which of them are numbered."""
        for index, unit in enumerate(units):
            mark = marks.get(index)
            if mark is None and (begun := marks.get(index + 1)) is not None and self._leads(unit, begun):
                self._open = self._open[: self._depth(begun)]
            if mark is not None:
                self._item(unit, mark)
            elif self._open:
                node = self._open[-1][2]
                node.add(Node(Level.PARAGRAPH, unit.span.start, unit.span.end, in_path=False))
            else:
                self._top.append(loose(unit))
        return self._top

    def _leads(self, unit: Paragraph, begun: ListMark) -> bool:
        """Tell whether a paragraph leads to a list that begins again at 1: no part of the last item before it."""
        again = begun.number == 1 and any(kind is begun.kind for kind, _, _ in self._open)
        return again and unit.span.of(self._text).rstrip().endswith(("：", ":"))

    def _item(self, unit: Paragraph, mark: ListMark) -> None:
        self._open = self._open[: self._depth(mark)]
        parent = self._open[-1][2] if self._open else None
        node = Node(Level.OUTLINE, unit.span.start, unit.span.end, mark.printed, mark.key, mark.step)
        node.heading = self._heading(unit, mark)
        node.whole = mark.kind is MarkKind.DOTTED
        if parent is None:
            self._top.append(node)
        else:
            parent.add(node)
        self._open.append((mark.kind, mark.key, node))

    def _depth(self, mark: ListMark) -> int:
        """Return how many of the open items stay open above ``mark``."""
        if mark.kind is MarkKind.DOTTED:
            above = [i for i, (_, key, _) in enumerate(self._open, 1) if mark.key.startswith(key + ".")]
            return max(above, default=0)
        kinds = [kind for kind, _, _ in self._open]
        return kinds.index(mark.kind) if mark.kind in kinds else len(kinds)

    def _heading(self, unit: Paragraph, mark: ListMark) -> str:
        start = unit.span.start + mark.length
        words = self._text[start : unit.span.end].strip()
        if not unit.ended and unit.measure(self._text) <= _TITLE_WIDTH:
            return "".join(words.splitlines())
        run_in = _RUN_IN.match(words)
        return run_in[0] if run_in and run_in.end() + 1 < len(words) else ""
