"""Page furniture (页面附属): printed page numbers, letterhead, running heads, 抄送 and 印发 lines.

They leave the text, because they fall into the middle of sentences, and are kept: page numbers as ``Page.printed``,
the rest as ``ParsedDocument.margin``.
"""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from statistics import median

from nemo.parse.lines import PrintedLine, body_size, ended, rejoin
from nemo.rules import page_words
from nemo.text.words.normalise import squash
from nemo.text.words.openings import opens_unit
from nemo.types import Fault, Page

_DASH = "[—–―─\\-－~·•|]"
_NUMBER = re.compile(rf"^\s*{_DASH}{{1,2}}\s*([0-9０-９]{{1,4}}|[IVXivx]{{1,6}})\s*{_DASH}{{1,2}}\s*$")
_NUMBER_WORDS = re.compile(r"^\s*第\s*([0-9０-９]{1,4})\s*页(?:\s*[,，/]?\s*共\s*[0-9０-９]{1,4}\s*页)?\s*$")
_NUMBER_OF = re.compile(r"^\s*(?:Page\s*)?([0-9]{1,4})\s*(?:/|of)\s*[0-9]{1,4}\s*$", re.IGNORECASE)
_BARE = re.compile(r"^\s*([0-9０-９]{1,4}|[IVXivx]{1,6})\s*$")
_LETTERHEAD = re.compile(r"(?:文件|公报|政府令|委员会令|部令|局令)$")
_COPIES = re.compile(r"^(?:抄\s*送|抄\s*报|分\s*送|主题词)\s*[:：]")
_ISSUED = re.compile(r"\d{4}\s*年\s*\d{1,2}\s*月\s*\d{1,2}\s*日\s*印\s*发\s*$")
_ANNEX = re.compile(r"^附\s*(?:件|表|录)")
_NOTE = re.compile(r"[①-⑳]|[\[［〔]\d{1,2}[\]］〕]|\d{1,2}[\s\u3000]{0,3}[\u4e00-\u9fff《“]|注[:：\d]|[_＿]{6,}$")
"""How a note at the foot of a page (脚注) begins, or what parts it from the text."""
_CHAPTER = re.compile(r"第\s?[一二三四五六七八九十百\d]{1,5}\s?[编章节]")
_ROWS = 4
"""Rows of a running head or foot, at most."""
_HEADS = 3
"""Sheets that must carry a head before one is believed."""
_COPY_LINES = 14
"""抄送 and 印发 form a block of a few lines at the end of a notice; more is text."""
_LETTERHEAD_CHARS = 40
_LETTERHEAD_SCALE = 1.5
_STREWN = 4
"""Characters of a watermark, at least."""
_FEW_LINES = 5
"""Sheets with fewer lines have no usual distance."""
_APART = 1.25
"""A running head is this many usual distances away from the text."""
_OTHER_SIZE = 1.08
_SAID = 4
"""Characters of the words that running heads share, at least."""
_ISSUE = re.compile(r"(?:年|总)\s?第\s?\d{1,4}\s?期")
_SMALLER = 1.3
"""A head of the first sheet alone is set in characters smaller by this factor."""


@dataclass(frozen=True, slots=True)
class CleanedPages:
    """Pages without furniture."""

    pages: list[list[PrintedLine]]
    printed: list[str | None]
    margin: tuple[str, ...]
    removed: tuple[str, ...] = ()
    """Everything taken out but page numbers, in reading order."""
    linked: frozenset[str] = frozenset()
    """Those of them that are links."""
    site_title: str | None = None
    """What a web page that was printed calls itself; None for any other file."""

    def joined(self, widths: Sequence[float] | None = None) -> tuple[str, tuple[Page, ...]]:
        """Return the text of the pages, their lines joined to paragraphs, and the pages with what is known of each; see
        :func:`nemo.parse.lines.rejoin`.
        """
        text, pages = rejoin(self.pages, widths)
        known = zip(pages, self.printed, self.pages, strict=True)
        return text, tuple(
            replace(page, printed=number, recognised=tuple(each for line in sheet for each in line.recognised))
            for page, number, sheet in known
        )


def strip(pages: Sequence[Sequence[PrintedLine]]) -> CleanedPages:
    """Take the furniture out of the lines of every sheet."""
    sheets = [list(sheet) for sheet in pages]
    printed: list[str | None] = [None] * len(sheets)
    margin: list[str] = []
    for _ in range(_ROWS):  # a foot may hold a number, an emblem and the name of a publisher
        _page_numbers(sheets, printed)
        if not (rows := _running_heads(sheets)):
            break
        margin += rows
    margin += _heads_in_sentences(sheets)
    margin += _changing_heads(sheets)
    margin += _lone_heads(sheets)
    margin += _letterheads(sheets)
    margin += _strewn(sheets)
    for index, sheet in enumerate(sheets):
        sheets[index], taken = _copies(sheet)
        margin += taken
    _notes_above(sheets)
    return CleanedPages(sheets, printed, tuple(dict.fromkeys(margin)), tuple(margin))


def without_repeated(sheets: Sequence[Sequence[PrintedLine]]) -> list[list[PrintedLine]]:
    """Return a few neighbouring sheets without the rows at their edges that another one of them repeats, and without numbers.

    Too few sheets show what runs through a whole file: this serves to find words that are known, never to read them.
    """
    edges = [{*range(_ROWS), *range(len(sheet) - _ROWS, len(sheet))} for sheet in sheets]
    keys = [
        ["#" if page_number(line.text) else line.text if at in edge else "" for at, line in enumerate(sheet)]
        for sheet, edge in zip(sheets, edges, strict=True)
    ]
    counts = Counter(key for own in keys for key in set(own) - {""})
    return [
        [line for line, key in zip(sheet, own, strict=True) if counts[key] < 2]
        for sheet, own in zip(sheets, keys, strict=True)
    ]


def _strewn(sheets: list[list[PrintedLine]]) -> list[str]:
    """Remove the characters of a watermark that stand one by one between the lines, larger than these and each further right."""
    taken: list[str] = []
    for index, sheet in enumerate(sheets):
        least = _LETTERHEAD_SCALE * body_size(sheet)
        large = [line for line in sheet if len(line.text) == 1 and line.size > least]
        if len(large) >= _STREWN and all(a < b for a, b in pairwise(line.left or 0.0 for line in large)):
            taken.append("".join(line.text for line in large))
            sheets[index] = [line for line in sheet if line not in large]
    return taken


def page_number(text: str) -> str | None:
    """Return the number a marked page-number line prints (``— 8 —``, ``第8页``), None for any other line."""
    for pattern in (_NUMBER, _NUMBER_WORDS, _NUMBER_OF):
        if found := pattern.match(text):
            return _plain(found.group(1))
    return None


def _plain(number: str) -> str:
    return str(int(number)) if number.isdigit() else number


def _page_numbers(sheets: list[list[PrintedLine]], printed: list[str | None]) -> None:
    """Move one number line from the edge of each sheet that has none yet to ``printed``: a marked one, or a bare one that
    counts with its neighbours.
    """
    marked = [None if known else _edge_number(sheet, page_number) for known, sheet in zip(printed, sheets, strict=True)]
    known = [own or (found and found[1]) for own, found in zip(printed, marked, strict=True)]
    bare = [None if own else _edge_number(sheet, _bare) for own, sheet in zip(known, sheets, strict=True)]
    offsets = Counter(int(b[1]) - i for i, b in enumerate(bare) if b and b[1].isdigit())
    offset, votes = offsets.most_common(1)[0] if offsets else (0, 0)
    for index, sheet in enumerate(sheets):
        found, plain = marked[index], bare[index]
        counts = plain and votes >= max(2, len(sheets) // 3) and plain[1] == str(index + offset)
        if found is None and (counts or (len(sheets) == 1 and plain and _is_lone_number(sheet, *plain))):
            found = plain
        if found is not None:
            del sheet[found[0]]
            printed[index] = found[1]


def _is_lone_number(sheet: Sequence[PrintedLine], at: int, number: str) -> bool:
    """Whether the one sheet of a file bears its number (1) at its foot, far below its text."""
    return number == "1" and at == len(sheet) - 1 > 0 and sheet[at].top is not None and _apart(sheet, -1)


def _bare(text: str) -> str | None:
    found = _BARE.match(text)
    return _plain(found.group(1)) if found else None


def _edge_number(sheet: Sequence[PrintedLine], read) -> tuple[int, str] | None:  # type: ignore[no-untyped-def]
    """Place and value of a number line among the outermost two lines at each end, or anywhere in a measured margin."""
    last = len(sheet) - 1
    for index in dict.fromkeys((last, 0, last - 1, 1)):
        if 0 <= index <= last and (number := read(sheet[index].text)):
            return index, number
    return None


def _running_heads(sheets: list[list[PrintedLine]]) -> list[str]:
    """Remove first or last lines that repeat, digits aside, on at least three sheets and half of them.

    Where places are known the line must also stand apart from the text: clauses that are alike may each begin a page.
    """
    taken: list[str] = []
    for edge in (0, -1):
        keys = [_key(sheet[edge].text) if len(sheet) > 1 and _apart(sheet, edge) else "" for sheet in sheets]
        counts = Counter(k for k in keys if k)
        repeated = {k for k, n in counts.items() if n >= max(_HEADS, len(sheets) * 0.5) and len(k) <= 60}
        for sheet, key in zip(sheets, keys, strict=True):
            if key in repeated:
                taken.append(sheet.pop(edge).text)
    return taken


def _heads_in_sentences(sheets: list[list[PrintedLine]]) -> list[str]:
    """Remove first lines of the body's size and distance that part a sentence at the turn of a page and stand at the head
    of another sheet as well, over one line or two; no row of a table, no unit, and of the first sheet only what stands
    at the height of the others.
    """
    taken: list[str] = []
    for _ in range(2):
        tops = Counter(words for sheet in sheets for words in {line.text for line in sheet[:_HEADS]})
        turns = [(a[-1], b[0]) for a, b in pairwise(sheets) if a and len(b) > 1]
        heads = {b.text: b for a, b in turns if tops[b.text] > 1 and _parts_sentence(a, b)}
        taken += [
            sheet.pop(0).text
            for at, sheet in enumerate(sheets)
            if len(sheet) > 1 and (head := heads.get(sheet[0].text)) and (at or _same_place(sheet[0], head))
        ]
    return taken


def _same_place(line: PrintedLine, head: PrintedLine) -> bool:
    """Whether a line of the first sheet stands where heads of others do; the title that they repeat stands elsewhere."""
    return line.top is not None and head.top is not None and abs(line.top - head.top) < line.size / 2 > 0


def _parts_sentence(above: PrintedLine, head: PrintedLine) -> bool:
    whole = above.apart or head.apart or ended(above.text) or ended(head.text) or opens_unit(head.text)
    return not whole and "，" in above.text


def _changing_heads(sheets: list[list[PrintedLine]]) -> list[str]:
    """Remove small first lines that say on most sheets which title or chapter they belong to (第二章　成本构成).

    Nothing goes but a title or a chapter that stands in the text itself, both behind each other, or what heads two sheets.
    """
    em = body_size(line for sheet in sheets for line in sheet)
    small = [sheet[0] for sheet in sheets if len(sheet) > 1 and 0 < sheet[0].size * _OTHER_SIZE < em]
    counts = Counter(squash(line.text) for line in small)
    rest = (line for sheet in sheets for line in sheet[1:])
    known = {squash(line.text) for line in rest if line.size >= _OTHER_SIZE * em or _CHAPTER.match(line.text)}
    known |= {words for words, count in counts.items() if count > 1}
    heads = [line for line in small if _is_said(line.text, known)]
    if len(heads) < max(_HEADS, len(sheets) * 0.5):
        return []
    return [sheet.pop(0).text for sheet in sheets if sheet and any(sheet[0] is head for head in heads)]


def _lone_heads(sheets: list[list[PrintedLine]]) -> list[str]:
    """Remove running heads of smaller characters, far above the rest: those that say in part what another sheet's say
    (公报名 期号 | 部门文件), and one that only the first sheet carries, of much smaller characters or with the number of an issue.
    """
    em = body_size(line for sheet in sheets for line in sheet)
    heads = [_small_head(sheet, em) for sheet in sheets]
    said = [{words for line in head for words in line.text.split() if len(words) >= _SAID} for head in heads]
    taken: list[str] = []
    for at, (sheet, head) in enumerate(zip(sheets, heads, strict=True)):
        shared = any(said[at] & other for i, other in enumerate(said) if i != at)
        lone = at == 0 and (all(line.size * _SMALLER < em for line in head) or any(_ISSUE.search(x.text) for x in head))
        if head and (shared or lone):
            del sheet[: len(head)]
            taken += [line.text for line in head]
    known = Counter(map(_key, taken))
    for sheet in sheets:  # above a picture, or little text
        if len(sheet) > 1 and 0 < sheet[0].size * _OTHER_SIZE < em and known[_key(sheet[0].text)] >= _HEADS:
            taken.append(sheet.pop(0).text)
    return taken


def _small_head(sheet: Sequence[PrintedLine], em: float) -> list[PrintedLine]:
    """Return the lines of smaller characters that stand in one row far above all others, none where they may be of the text."""
    size = sum(1 for _ in takewhile(lambda line: 0 < line.size * _OTHER_SIZE < em and line.top is not None, sheet))
    heads = [line for line in sheet[:size] if abs((line.top or 0.0) - (sheet[0].top or 0.0)) < line.size]
    if not heads or len(heads) < size or len(sheet) < len(heads) + _FEW_LINES or not _apart(sheet[size - 1 :], 0):
        return []
    own = (ended(x.text) or opens_unit(x.text) or "号" in x.text or len(x.text) > _LETTERHEAD_CHARS for x in heads)
    return [] if any(own) else heads


def _is_said(text: str, known: Collection[str]) -> bool:
    """Tell whether a line is one of the known ones, or two of them behind each other."""
    words = squash(text)
    return any(words.startswith(each) and (words == each or words[len(each) :] in known) for each in known)


def _notes_above(sheets: list[list[PrintedLine]]) -> None:
    """Set the notes at the foot of a sheet above a paragraph that runs on to the next one: they may not part its sentence."""
    em = body_size(line for sheet in sheets for line in sheet)
    for sheet, below in pairwise(sheets):
        own = max((at + 1 for at, line in enumerate(sheet) if not 0 < line.size * _OTHER_SIZE < em), default=0)
        if not 0 < own < len(sheet) or not _NOTE.match(sheet[own].text) or not below:
            continue
        if not ended(sheet[own - 1].text) and not opens_unit(below[0].text):
            begins = (at for at in range(own - 1, 0, -1) if opens_unit(sheet[at].text) or ended(sheet[at - 1].text))
            first = next(begins, 0)
            sheet[:] = [*sheet[:first], *sheet[own:], *sheet[first:own]]


def _apart(sheet: Sequence[PrintedLine], edge: int) -> bool:
    """Whether the first or last line keeps a wider distance than lines do, or has another size; True if unknown."""
    line, near = sheet[edge], sheet[1 if edge == 0 else -2]
    tops = [each.top for each in sheet if each.top is not None]
    if line.top is None or near.top is None or len(tops) < _FEW_LINES:
        return True
    usual = median(abs(b - a) for a, b in pairwise(tops))
    other_size = line.size > 0 and near.size > 0 and not 1 / _OTHER_SIZE < line.size / near.size < _OTHER_SIZE
    return other_size or abs(line.top - near.top) > _APART * usual


def _key(text: str) -> str:
    """What a head says on every sheet; the number of an annex tells it from the next one."""
    return squash(text) if _ANNEX.match(text) else re.sub(r"[0-9０-９\s]+", "", text)


def _letterheads(sheets: list[list[PrintedLine]]) -> list[str]:
    """Remove the red letterhead: spaced-out characters, or a large line, ending in 文件; wherever it fell on its page."""
    em = body_size(line for sheet in sheets for line in sheet)
    taken: list[str] = []
    for sheet in sheets:
        for line in [line for line in sheet if is_letterhead(line, em)]:
            sheet.remove(line)
            taken.append(line.text)
    return taken


def is_letterhead(line: PrintedLine, em: float = 0.0) -> bool:
    """Whether a line is a letterhead such as ``某 某 监 管 局 文 件``."""
    squashed = squash(line.text)
    if len(squashed) > _LETTERHEAD_CHARS or len(squashed) < 4 or not _LETTERHEAD.search(squashed):
        return False
    spaced = line.text.count(" ") + line.text.count("　") >= 0.6 * (len(squashed) - 1)
    large = bool(line.size) and em > 0 and line.size / em >= _LETTERHEAD_SCALE
    return spaced or (large and squashed.endswith(("文件", "令")))


def _copies(sheet: list[PrintedLine]) -> tuple[list[PrintedLine], list[str]]:
    """Remove the 抄送…印发 block of a notice from the sheet it ends on."""
    start = next((i for i, line in enumerate(sheet) if _COPIES.match(line.text)), None)
    if start is None:
        kept = [line for line in sheet if not _issued(line.text)]
        return kept, [line.text for line in sheet if _issued(line.text)]
    end = next((i + 1 for i in range(start, len(sheet)) if _ISSUED.search(sheet[i].text)), None)
    if end is None:
        end = next((i for i in range(start + 1, len(sheet)) if _ANNEX.match(sheet[i].text)), len(sheet))
    if end - start > _COPY_LINES:
        return sheet, []
    return sheet[:start] + sheet[end:], [line.text for line in sheet[start:end]]


def _issued(text: str) -> bool:
    return len(text) <= 45 and bool(_ISSUED.search(text))


MUCH = 0.15
"""More than this share of a page taken out is shown as a fault: somebody must look at it."""
_SHOWN = 4000
_SIGN = 4
"""A removed row of so few characters is a sign, a number or a word of a menu."""
_STAMPED = re.compile(r"^https?://\S+|\d{4}[/-]\d{1,2}[/-]\d{1,2}\s+\d{1,2}:\d{2}")
_WITHIN = re.compile(r"[，、。；].{4,}$")
"""A row that holds part of a sentence, and does not end one: no title, number or signature."""
_GOES_ON = re.compile(r"[。；]")
"""Characters of removed rows that a fault repeats."""


def removal_faults(removed: Sequence[str], kept: int, linked: Collection[str] = ()) -> tuple[Fault, ...]:
    """Return what a person should know of the rows taken out; the message's later lines are the rows themselves.

    ``kept`` counts the characters that stayed; rows that are ``linked`` to elsewhere show by themselves that they
    are no text.
    """
    if not any(removed):
        return ()
    unclear = _size([row for row in removed if row not in linked and not _speaks_for_itself(row)])
    rows = "\n".join(removed)[:_SHOWN]
    if unclear > MUCH * (unclear + kept):
        share = _size(removed) / (_size(removed) + kept)
        message = f"已去除 {len(removed)} 行网页外壳或页面附属，占全文 {share:.0%}，比例较高，请核对是否误删正文。"
        return (Fault("much_removed", f"{message}\n{rows}"),)
    return (Fault("furniture_removed", f"已去除 {len(removed)} 行网页外壳或页面附属。\n{rows}"),)


def _size(rows: Sequence[str]) -> int:
    return sum(map(len, rows))


def _speaks_for_itself(row: str) -> bool:
    """Whether a row by itself shows that it is no text: navigation, labels, a footer, a stamp of the print."""
    text = row.strip()
    if _COPIES.match(text) or _issued(text) or _LETTERHEAD.search(squash(text)):
        return True
    return page_words().is_of_site(text) or _STAMPED.search(text) is not None or len(text) <= _SIGN


def cut_sentences(kept: Sequence[str], cuts: Sequence[int]) -> tuple[Fault, ...]:
    """Return the fault of rows taken out within a sentence: somebody must see whether it goes on rightly.

    ``cuts`` are indexes into ``kept``, the rows that stay, below which something was taken out.
    """
    broken = [
        kept[at] for at in cuts
        if at + 1 < len(kept) and _WITHIN.search(kept[at]) and not ended(kept[at]) and not opens_unit(kept[at + 1])
        and _GOES_ON.search(kept[at + 1])
    ]  # fmt: skip
    if not broken:
        return ()
    shown = "；".join(f"“…{row[-16:]}”" for row in broken[:5])
    message = f"有 {len(broken)} 处删去的网页栏目夹在一句话中间（{shown}之后），请核对前后文字是否连贯、有无缺漏。"
    return (Fault("sentence_cut", message),)
