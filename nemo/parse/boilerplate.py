"""Boilerplate of a web page (网页外壳): which rows are no part of the text, decided for whole blocks.

Every row is first looked at alone: text, boilerplate, or neither. Then blocks are formed. Above the text everything down to
the last tool goes, below it everything from the footer on; between lines of text a block goes only when it is opened by
the head of a list (相关链接), stands in a column beside the text, or consists of links, and it ends where text begins
again. Nothing is ever removed because of what stands above it.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from nemo.parse.lines import ended
from nemo.rules import page_words
from nemo.text.letter.form import only_organs
from nemo.text.letter.signature import REMARK
from nemo.text.letter.titles import looks_like_title
from nemo.text.words.openings import opens_provision, opens_unit

_SENTENCE = re.compile(r"[。；]|，.{3}|.{5}[：:]$")
_FULL_STOP = re.compile("[。；]")
_NUMBERED = re.compile(
    r"^[（(〔\[]?[\u4e00-\u9fff]{0,16}(?:[（(][\u4e00-\u9fff]{1,6}[）)][\u4e00-\u9fff]{0,4})?[〔\[【（(]\s*(?:19|20)\d{2}\s*[〕\]】）)]\s*第?\s*\d{1,5}\s*号$|^(?:(?:19|20)\d{2}\s*年\s*)?第\s*\d{1,4}\s*号$"
)
_SIGNED = re.compile(
    r"^(?P<who>[\u4e00-\u9fff、 \u3000]{0,60})(?P<day>(?:二[〇○零]|20|19)[〇○零一二三四五六七八九0-9]{2}\s*年\s*\S{1,3}\s*月\s*\S{1,3}\s*日)$"
)
_ANNEX_LABEL = re.compile(r"^(?:附\s*件|附\s*表|附)(?:\s*\d{1,2})?\s*[:：.、]")
_ANNEX = re.compile(r"附\s*[件表录]|附[:：]|目\s*录$")
_NO_ANNEX = re.compile(r"(?:相关)?附件(?:\s?[（(:：]\s?(?:0|无)[）)]?|(?:列表|下载)\s?[:：]?)$")
"""How a page says that a text has no attachment, or lists those to download."""
FILE = re.compile(
    r"\.(?:pdf|docx?|wps|ofd|xlsx?|zip|rar|et|tiff?|jpe?g|png)(?:[】\])）\s]|[（(]\s?\d[\d.]{0,6}\s?[KMkm]?B?[）)]|(?:已|点击)?下载|预览|查看|\d{1,6}次){0,12}$",
    re.IGNORECASE,
)
"""How a row ends that names a file to download, with the buttons behind it (实施细则.pdf（28KB）下载)."""
_LETTER_HEAD = re.compile(r"关于|印发|转发|(?:文\s*件|令|公\s*报|公\s*告)$|[急密]|\d\s?号|^[（(《]")
"""What may stand above the title of a letter besides the names of bodies."""
_NUMBERED_ENTRY = re.compile(r"^\d{1,2}[.．、]")
_STAMP = re.compile(r"https?://|\d{4}[/-]\d{1,2}[/-]\d{1,2}\s+\d{1,2}:\d{2}")
NUMBER_BEHIND = re.compile(r"[（(][^（()）]{2,24}〔\d{4}〕\d{1,5}号[）)]\s*$")
"""A document number that sites put behind a title."""
_ISO = re.compile(r"^\d{4}-\d{2}-\d{2}$")
_RANK = re.compile(r"^\d{1,2}$")
_LINKED = 0.6
"""A row is a link when this share of its characters is."""
_ALL_LINKS = 0.7
_HEAD_ROWS = 80
"""Rows above the first sentence that may be navigation."""
_FOOT_GAP = 6
"""Rows between two rows of one footer: telephone numbers, addresses."""
_NEAR = 3
"""A wrapped sentence shows its full stop within this many rows."""
_WRAPPED = 20
"""A row of a wrapped sentence has at least this many characters."""
_CALLS = 3
"""The text has so many times the characters of what a site says above its headline."""
_TITLE_PIECE = 6
_HEADLINE_PIECE = 8
"""So many characters of the title that a page states show where it stands."""
_SENTENCE_CHARS = 24
"""Below the day of signing a row of so many characters may be a sentence of an annex."""


@dataclass(frozen=True, slots=True)
class PageRow:
    """A row of a page with what is known of its place."""

    text: str
    linked: float = 0.0
    """Share of its characters that are links, 0 when unknown."""
    aside: bool = False
    """It stands in a column beside the text."""
    block: int | None = None
    """Number of the block of the page that holds its paragraph, None when unknown."""


@dataclass(frozen=True, slots=True)
class SortedRows:
    """The rows of a page, told apart; indexes into the rows."""

    kept: tuple[int, ...]
    cards: tuple[int, ...]
    """Entries of an index card: evidence beside the text."""
    removed: tuple[int, ...]
    """Everything that is not kept, the cards among it."""


def sort_rows(rows: Sequence[PageRow], title: str | None) -> SortedRows:
    """Tell the text of a page from what stands around and between it.

    The title that the page states tells its own lines from those of other articles.
    """
    words = page_words()
    rows = _trusted(rows)
    texts = [row.text.strip() for row in rows]
    cards = [words.is_card(t) and not _FULL_STOP.search(t) for t in texts]
    cards = _whole_cards(texts, cards)
    attached = _attached(texts)
    around = [_is_boilerplate(row, text, a) for row, text, a in zip(rows, texts, attached, strict=True)]
    in_tables = {i for run in _tables(texts) for i in run}
    table = [i in in_tables for i in range(len(texts))]
    body = [not s and not c and (t or _is_body(w)) for s, c, t, w in zip(around, cards, table, texts, strict=True)]
    body = _without_calls(rows, texts, body, title)
    protected = _title_rows(texts, title)
    first = next((i for i, is_body in enumerate(body) if is_body), None)
    if first is None:
        gone = {i for i in range(len(rows)) if around[i] or cards[i]} | _footers(texts, body)
    else:
        last = max(i for i, is_body in enumerate(body) if is_body)
        gone = (
            _head(texts, around, cards, first) | _between(rows, texts, around, body, protected) | _footers(texts, body)
        )
        gone |= _foot(texts, around, cards, body, last)
        gone |= _above_title(texts, title, first)
        gone |= _below_letter(texts, table, gone, first)
        gone |= _in_blocks_apart(rows, texts, body, table, gone)
        gone -= {i for i in protected if i < first and not rows[i].aside}
        gone |= _said_again(texts, gone, first, title)
    removed = tuple(sorted(gone))
    return SortedRows(
        tuple(i for i in range(len(rows)) if i not in gone), tuple(i for i in removed if cards[i]), removed
    )


def _without_calls(
    rows: Sequence[PageRow], texts: Sequence[str], body: Sequence[bool], title: str | None
) -> list[bool]:
    """Which rows are text when sentences of the site above the headline (本网站使用 Cookie。) are none: they stand in a block
    that holds little beside the one of the text.
    """
    key, sizes = loose(title or ""), _sizes(rows, body)
    head = next((i for i, text in enumerate(texts[:_HEAD_ROWS]) if key and loose(text) == key), 0)
    least = max(sizes.values(), default=0) / _CALLS
    return [b and not (i < head and 0 < sizes[rows[i].block] < least) for i, b in enumerate(body)]


def _sizes(rows: Sequence[PageRow], body: Sequence[bool]) -> Counter[int | None]:
    """Characters of text in each block of a page; none where that is unknown."""
    sizes = Counter[int | None]()
    for row, is_body in zip(rows, body, strict=True):
        sizes[row.block] += len(row.text) * (is_body and row.block is not None)
    return sizes


def _trusted(rows: Sequence[PageRow]) -> Sequence[PageRow]:
    """Rows without their links where most of the page is one: an anchor that was never closed."""
    size = sum(len(row.text) for row in rows)
    linked = sum(len(row.text) * row.linked for row in rows)
    return [replace(row, linked=0.0) for row in rows] if linked > _ALL_LINKS * size else rows


def _whole_cards(texts: Sequence[str], cards: Sequence[bool]) -> list[bool]:
    """Which rows are of a card: of a table all, or none where most of its rows hold no label (名称 | 数值 heads values)."""
    words = page_words()
    found = list(cards)
    for run in _tables(texts):
        labelled = sum(any(words.is_card(f"{cell} |") for cell in texts[i].split(" | ")) for i in run)
        found[run.start : run.stop] = [labelled * 2 > len(run)] * len(run)
    return found


def _tables(texts: Sequence[str]) -> Iterator[range]:
    """Yield the runs of two and more rows with cells."""
    starts = [i for i, text in enumerate(texts) if " | " in text and not (i and " | " in texts[i - 1])]
    for start in starts:
        size = len(list(takewhile(lambda text: " | " in text, texts[start:])))
        yield from [range(start, start + size)] if size > 1 else ()


def _attached(texts: Sequence[str]) -> list[bool]:
    """Which rows are entries of a list of annexes: a label (附件：), and the numbers right below one."""
    found: list[bool] = []
    for text in texts:
        found.append(bool(_ANNEX_LABEL.match(text) or (found and found[-1] and _NUMBERED_ENTRY.match(text))))
    return found


def _is_boilerplate(row: PageRow, text: str, attached: bool) -> bool:
    words = page_words()
    if row.aside:
        return True
    if row.linked >= _LINKED and not attached and not opens_provision(text):
        return True
    return bool(
        words.is_tool(text) or words.is_foot(text) or words.opens_list(text) or _RANK.match(text)
        or (_STAMP.search(text) and len(_STAMP.sub("", text)) < 120 and not _FULL_STOP.search(text))
    )  # fmt: skip


def _is_body(text: str) -> bool:
    """Whether a row shows by itself that it is text: it opens a unit, or is (part of) a sentence."""
    return opens_unit(text) or (bool(_SENTENCE.search(text)) and len(text) >= 8)


def _title_rows(texts: Sequence[str], title: str | None) -> set[int]:
    """Rows that make up the page's own title, document number or issuers: never part of a list of other articles."""
    key = loose(title or "")
    whole = [i for i, t in enumerate(texts) if key and loose(t) == key]
    found = {i for i, t in enumerate(texts) if len(loose(t)) >= _TITLE_PIECE and loose(t) in key}
    found |= {i for i, t in enumerate(texts) if _NUMBERED.match(t)}
    found |= {i + 1 for i in found if i + 1 < len(texts) and texts[i + 1] and loose(texts[i] + texts[i + 1]) in key}
    above = {i - 1 for i in found if i and re.search(r"(?:关于|关于印发|印发)$", texts[i - 1])}
    return (found | above) - set(whole[:-1])


def _said_again(texts: Sequence[str], gone: set[int], first: int, title: str | None) -> set[int]:
    """The page's own title line where the letter below says its title itself."""
    core = loose(NUMBER_BEHIND.sub("", title or ""))
    above = [i for i in range(min(first, len(texts))) if i not in gone]
    for index in above:
        rest = "".join(texts[i] for i in above if i > index)
        if core and core in loose(texts[index]) and core in loose(rest):
            return {index}
    return set()


def loose(text: str) -> str:
    """Return a text without blanks, brackets, quotation marks and what parts a title from the name of a site."""
    return re.sub(r"[\s（）()《》〈〉<>“”\"【】\[\]_|\-—]+", "", text)


def _head(texts: Sequence[str], around: Sequence[bool], cards: Sequence[bool], first: int) -> set[int]:
    """Everything above the text down to the last tool, and its index card."""
    rows = range(min(first, _HEAD_ROWS))
    tools = [i for i in rows if around[i] or cards[i]]
    if not tools:
        return set()
    letter = {i for i in rows if i > tools[0] and (_NUMBERED.match(texts[i]) or _is_day(texts[i]))}
    return set(range(tools[-1] + 1)) - letter


def _between(
    rows: Sequence[PageRow], texts: Sequence[str], around: Sequence[bool], body: Sequence[bool], own: Collection[int]
) -> set[int]:
    """Blocks inside the text: lists of other articles, columns beside it, runs of links, stamps of the print."""
    words = page_words()
    lists = any(words.opens_list(text) for text in texts)
    gone: set[int] = set()
    index = 0
    while index < len(rows):
        row, text = rows[index], texts[index]
        if words.opens_list(text):
            end = min(_list_end(texts, around, body, index + 1), *(i for i in own if i > index), len(rows))
            gone |= set(range(index, end))
            index = end
            continue
        of_list = lists and (_RANK.match(text) or _ISO.match(text))
        if around[index] and (
            row.aside or row.linked >= _LINKED or _STAMP.search(text) or of_list or words.is_inserted(text)
        ):
            gone.add(index)
        index += 1
    return gone


def _list_end(texts: Sequence[str], around: Sequence[bool], body: Sequence[bool], start: int) -> int:
    """Where a list of other articles ends: at a unit, a whole sentence, a number, or a signature."""
    for index in range(start, len(texts)):
        text = texts[index]
        if around[index]:
            continue
        near = texts[index : index + _NEAR]
        wrapped = len(text) >= _WRAPPED and any(_FULL_STOP.search(t) for t in near)
        if (
            _NUMBERED.match(text)
            or _is_day(text)
            or (body[index] and (opens_unit(text) or wrapped or text[-1] in "：:"))
        ):
            return index
    return len(texts)


def _foot(
    texts: Sequence[str], around: Sequence[bool], cards: Sequence[bool], body: Sequence[bool], last: int
) -> set[int]:
    """Everything from the first footer row after the last sentence and its signature, and what stands right above it and is
    nothing of the paper.
    """
    rows = range(last + 1, len(texts))
    start = next((i for i in rows if cards[i] or (around[i] and not _signs(texts[i]))), None)
    if start is None:
        return set()
    first = last + (1 if ended(texts[last]) else 2)  # behind the end of a wrapped sentence
    while start > first and not (_signs(texts[start - 1]) or _ends_paper(texts[start - 1])):
        start -= 1
    return set(range(start, len(texts))) - {i for i in range(start, len(texts)) if _ends_letter(texts, i, last)}


def _footers(texts: Sequence[str], body: Sequence[bool]) -> set[int]:
    """Footer blocks wherever they stand: two or more footer rows with nothing between them that is text."""
    words = page_words()
    feet = [i for i, text in enumerate(texts) if words.is_foot(text) and not body[i]]
    gone: set[int] = set()
    block: list[int] = []
    for index in [*feet, len(texts) + _FOOT_GAP]:
        between = range(block[-1] + 1, min(index, len(texts))) if block else ()
        if block and (index - block[-1] > _FOOT_GAP or any(body[i] or _is_day(texts[i]) for i in between)):
            gone |= set(range(block[0], block[-1] + 1)) if len(block) > 1 else set()
            block = []
        block.append(index)
    return gone


def _above_title(texts: Sequence[str], title: str | None, first: int) -> set[int]:
    """Rows above the headline that the page itself states: names and menus of the site, but for the head of a letter."""
    key = loose(title or "")
    pieces = (i for i in range(first) if len(loose(texts[i])) >= _HEADLINE_PIECE and loose(texts[i]) in key)
    above = range(min(next(pieces, 0), _HEAD_ROWS))
    return {i for i in above if not (_is_of_paper(texts[i]) or only_organs(texts[i]) or _LETTER_HEAD.search(texts[i]))}


def _below_letter(texts: Sequence[str], table: Sequence[bool], gone: Collection[int], first: int) -> set[int]:
    """Rows below the day of signing, which are the page's (我要留言): none where an annex or a sentence of some length is
    among them, and never what offices set there (抄送).
    """
    signed = max(
        (i for i, text in enumerate(texts) if i > first and i not in gone and _is_day(text)), default=len(texts)
    )
    below = {i for i in range(signed + 1, len(texts)) if i not in gone and not REMARK.fullmatch(texts[i])}
    return set() if any(table[i] or _is_of_paper(texts[i]) for i in below) else below


def _in_blocks_apart(
    rows: Sequence[PageRow], texts: Sequence[str], body: Sequence[bool], table: Sequence[bool], gone: Collection[int]
) -> set[int]:
    """Rows above and below the text in blocks of the page that hold none of it, where most of the text stands in one; but
    for the head of a letter, its signature, and annexes.
    """
    sizes = _sizes(rows, body)
    if 2 * max(sizes.values()) <= sum(sizes.values()):
        return set()
    first, last = body.index(True), max(i for i, is_body in enumerate(body) if is_body)
    apart = {i for i, row in enumerate(rows) if row.block is not None and not sizes[row.block] and not _signs(texts[i])}
    papers = {i for i, text in enumerate(texts) if _is_of_paper(text) and len(text) > _TITLE_PIECE}
    head = {i for i in apart if i < first and not (_names_paper(texts[i]) or _LETTER_HEAD.search(texts[i]))}
    annexed = any((table[i] or i in papers) and i not in gone for i in range(last + 1, len(rows)))
    return head | (set() if annexed else {i for i in apart if i > last and not REMARK.fullmatch(texts[i])})


def _is_of_paper(text: str) -> bool:
    other = _NO_ANNEX.match(text) or FILE.search(text) or page_words().is_foot(text)
    return _names_paper(text) or (len(text) >= _SENTENCE_CHARS and not other)


def _names_paper(text: str) -> bool:
    """Whether a row is a title, a number, the label of an annex, or opens a unit."""
    if _NO_ANNEX.match(text) or FILE.search(text):
        return False
    annex = _ANNEX.match(text) or opens_unit(text) or looks_like_title(text)
    return bool(annex or _NUMBERED.match(text))


def _is_day(text: str) -> bool:
    """Whether a row is a day in Chinese, alone or behind the names of bodies."""
    signed = _SIGNED.match(text)
    return signed is not None and (not signed["who"].strip() or only_organs(signed["who"].strip()))


def _ends_paper(text: str) -> bool:
    files = FILE.search(text) or _ANNEX.match(text)
    return bool(_FULL_STOP.search(text) or files or REMARK.fullmatch(text) or " | " in text or _is_of_paper(text))


def _signs(text: str) -> bool:
    return (_is_day(text) or only_organs(text)) and not page_words().is_menu(text)


def _ends_letter(texts: Sequence[str], index: int, last: int) -> bool:
    """Whether a row among the boilerplate is the signature: a body or a day, with a day in Chinese near it, or whom to ask."""
    if not (_signs(texts[index]) or REMARK.fullmatch(texts[index])):
        return False
    return any(_is_day(t) for t in texts[index : index + 6]) and index - last < 20
