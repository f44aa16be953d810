"""Web pages (网页): the block that holds the regulation, without navigation, sidebar or footer.

Attachments become leads, because the rule itself is often only there.
"""

import codecs
import html
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

import lxml.html
from lxml import etree

from nemo.errors import UnreadableDocumentError
from nemo.parse import lines
from nemo.parse.boilerplate import PageRow
from nemo.parse.furniture import removal_faults
from nemo.parse.other import mail, plain
from nemo.parse.web import block as webblock
from nemo.parse.web import embedded, surroundings
from nemo.parse.word.docx import raised
from nemo.parse.word.numbering import format_number
from nemo.rules import page_words
from nemo.settings import Settings
from nemo.text.letter.form import title_of
from nemo.text.letter.titles import looks_like_title
from nemo.text.words.openings import opens_unit
from nemo.types import Fault, Lead, ParsedDocument, RawDocument

_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9_\-]+)""", re.IGNORECASE)
_GB = {"gb2312", "gbk", "gb18030", "gb_2312-80", "x-gbk", "cp936", "hz-gb-2312"}
_BREAKS = {
    *("p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "li", "ul", "ol", "dl", "dt", "dd", "section", "article", "main"),
    *("blockquote", "center", "pre", "hr", "figure", "figcaption", "address", "fieldset", "body", "table", "tr", "td"),
    *("th", "caption", "form", "br", "ucapcontent", "ucaptitle"),
}
"""Elements that end a paragraph."""
_SPACE_CHINESE = re.compile(r"(?<=[\u2e80-\u9fff\uff00-\uffef])\n\s{0,40}|\n\s{0,40}(?=[\u2e80-\u9fff\uff00-\uffef])")
"""A line break of the source beside a Chinese character is no space."""
_SPLIT_NUMBER = re.compile(r"(?<=\d)\n(?=[\d.%-])|(?<=\d[.-])\n(?=\d)")
"""A line break of the source within a number that an editor cut into elements."""
_CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\ufffe\uffff]")
"""Not allowed in a page; a damaged file may hold them."""
_OVERLONG_TAG = re.compile(r"<([A-Za-z][\w:-]{0,30})\s[^<>]{100000,}>")
"""A tag of so many attributes that comparing them all takes minutes; an embedded picture, which is not read either."""
_SPACE = re.compile(r"[ \t\r\n\f]+")
_BLANK = " \u00a0\u3000\u200b\ufeff\t\r\n"
_STATED_TITLES = ("//meta[translate(@name,'AT','at')='articletitle']/@content", "//meta[@property='og:title']/@content")
_TITLE_MINIMUM = 8
"""A headline has at least this many characters; a shorter one is the name of a column."""
_FULL_LINE = 30.0
"""Em; a shorter line of a preformatted block was broken on purpose."""
_LAYOUT_CELL = 300
"""Longest cell of a data table in characters; a longer one makes it a layout table."""
_RULED = re.compile(
    r"border(?:-(?:top|right|bottom|left|width|style))?\s{0,9}:\s{0,9}(?!0|none|medium\s{1,9}none)", re.IGNORECASE
)
"""A style that draws lines around a table or a cell."""
_FRAME = re.compile(
    r"""<i?frame\b[^<>]{0,2000}?\ssrc\s{0,9}=\s{0,9}["']?(?:cid:)?([^"'\s<>]{1,2000})[^<>]{0,2000}>""", re.IGNORECASE
)
_FRAMESET = re.compile(r"</?frameset\b[^<>]{0,2000}>", re.IGNORECASE)
"""What holds frames in place of a body; no paragraph may stand in it."""
_AROUND_BODY = re.compile(r"^.*?<body\b[^<>]*>|</body\s*>.*$", re.IGNORECASE | re.DOTALL)

_RAISED = re.compile(r"vertical-align\s{0,9}:\s{0,9}super", re.IGNORECASE)
_UNNUMBERED = re.compile(r"list-style(?:-type)?\s{0,9}:\s{0,9}none", re.IGNORECASE)
_SAID = re.compile("[，。；：]")
"""What an item of a list has that is text."""
_SHAPES = (
    ("cjk-ideographic", "chineseCounting", "{}、"), ("simp-chinese", "chineseCounting", "{}、"), ("custom_cn1", "chineseCounting", "{}）"),
    ("custom_cn2", "chineseCounting", "（{}）"), ("custom_cn", "chineseCounting", "{}、"), ("custom_num1", "decimal", "{}）"),
    ("custom_num2", "decimal", "（{}）"), ("lower-alpha", "lowerLetter", "{}. "), ("upper-alpha", "upperLetter", "{}. "),
    ("lower-roman", "lowerRoman", "{}. "), ("upper-roman", "upperRoman", "{}. "), ("type=a ", "lowerLetter", "{}. "),
    ("type=A ", "upperLetter", "{}. "), ("type=i ", "lowerRoman", "{}. "), ("type=I ", "upperRoman", "{}. "),
)  # fmt: skip
"""How lists are numbered: by style (CSS Counter Styles 3), by the classes of the editor UEditor, by attribute."""
_CARD_LABELS = 3
"""So many labels make a card."""
_MOST_REACH = 200
"""A cell that claims to reach over more columns or rows is damaged or an attack."""


def parse(raw: RawDocument, settings: Settings) -> ParsedDocument:
    """Read a web page.

    Raises:
        UnreadableDocumentError: no page in the bytes, or no body on it (正文缺失).
    """
    text, encoding, faults = source_of(raw.content)
    figures = embedded.EmbeddedPictures(text, settings.parse_seconds)
    root = _tree(figures.page)
    surroundings.require_open(root)
    base = _base(root, raw.url)
    webblock.drop_unseen(root, embedded.in_scripts(root))
    _label_cards(root)
    body_of_page = root.find("body")
    every = list(_rows(root if body_of_page is None else body_of_page))
    title = _title(root, every)
    url = _canonical(root, base) or raw.url
    webblock.remove_boilerplate(root)
    block = webblock.body_block(root)
    figures.mark(block)
    leads = tuple(_leads(block, root, base))
    passed_on = mail.is_mail(raw.content) or surroundings.is_post([row.text for row in every])
    own, title, evidence, _, cut = surroundings.own_rows(list(_rows(block)), title, alone=passed_on)
    rows = figures.rows(surroundings.without_attachments(own, leads))
    surroundings.require_body(rows, title, leads)
    numbers = surroundings.number_beside([row.text for row in every], title, "\n".join(rows))
    body = "\n".join(surroundings.with_title(lines.unwrapped(rows), title, numbers))
    met = figures.reader.placed(body, rows)
    removed = surroundings.beside(every, body)
    evidence = surroundings.card_lines(every, tuple(map(embedded.unmarked, evidence)))
    evidence = (*evidence, *numbers)
    faults = (*faults, *figures.faults(met, len(body)))
    faults = (*faults, *surroundings.absent(leads), *cut, *removal_faults(removed, len(body)))
    return ParsedDocument(
        body,
        (),
        f"{'mail' if mail.is_mail(raw.content) else 'html'}/{encoding}",
        faults=faults,
        title=title,
        url=url,
        margin=evidence,
        removed=removed,
        pictures=met,
    )


def page_of(content: bytes) -> bytes:
    """The web page inside a page saved whole (MHTML) or a mail, whose plain text is a page for want of one; any other
    content as it is.
    """
    found = mail.page_in(content) if mail.is_mail(content) else None
    if found is None:
        return content
    kind, page = found
    if kind == "text/html":
        return page
    return b"<pre>" + html.escape(mail.unquoted(plain.decode(page)[0])).encode() + b"</pre>"


def source_of(content: bytes) -> tuple[str, str, tuple[Fault, ...]]:
    """Decode the page in the bytes, with the frames that were saved with it (MHTML) in their places; see :func:`decode`."""
    text, encoding, faults = decode(page_of(content))
    frames = mail.frames(content)

    def held(frame: re.Match[str]) -> str:
        inner = frames.pop(frame[1], None)  # each once: a page may name one a thousand times
        return frame[0] if inner is None else f"<div>{_AROUND_BODY.sub('', decode(inner)[0])}</div>"

    return _FRAMESET.sub("", _FRAME.sub(held, text)) if frames else text, encoding, faults


def decode(content: bytes) -> tuple[str, str, tuple[Fault, ...]]:
    """Decode a page: wide characters or a byte order mark as such, else the declared charset (gb2312 and gbk always as
    GB18030), else by content.
    """
    if content.startswith(codecs.BOM_UTF8) or b"\x00" in content[:64]:
        return plain.decode(content)
    try:
        return content.decode("utf-8"), "utf-8", ()  # GBK is next to never valid UTF-8, whatever the page declares
    except UnicodeDecodeError:
        declared = _CHARSET.search(content[:8192])
    name = declared.group(1).decode("ascii").lower() if declared else ""
    if name not in _GB:
        return plain.decode(content)
    text = content.decode("gb18030", errors="replace")
    bad = text.count("\ufffd")
    fault = Fault("undecodable_characters", f"有 {bad} 处字符已损坏，显示为“�”，请核对原网页。")
    return text, "gb18030", (fault,) if bad else ()


def _tree(text: str) -> etree._Element:
    text = re.sub(r"^\s*<\?xml[^>]*\?>", "", text)
    text = _OVERLONG_TAG.sub(r"<\1>", _CONTROL.sub("", text))
    parser = lxml.html.HTMLParser(huge_tree=True, no_network=True, remove_comments=True, remove_pis=True)
    try:
        root = lxml.html.document_fromstring(text, parser=parser)
        embedded.open_frames(root, parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError) as error:
        raise UnreadableDocumentError("网页内容为空或已损坏，无法读取。", ("请重新保存该网页后上传。",)) from error
    return root


# --- facts the page states -------------------------------------------------------------------------------------------


def _title(root: etree._Element, every: Sequence[PageRow]) -> str | None:
    """What the page says its text is called: in its metadata, its headline, the row that its ``<title>`` repeats, the row
    above its tools, or the one above its text that reads like a title; for want of them whatever ``<title>`` says beside
    names of columns.
    """
    rows = [row.text for row in every]
    stated = [t.strip() for path in _STATED_TITLES for t in root.xpath(path) if t.strip()]
    if stated:
        return surroundings.clean_title(stated[0])
    headings = [h for h in (_flat(h) for h in root.iter("h1", "ucaptitle")) if len(h) >= _TITLE_MINIMUM]
    head = root.find(".//title")
    named = _flat(head) if head is not None else ""
    titled = next((h for h in headings if looks_like_title(h)), None)
    found = titled or surroundings.repeated(named, rows) or surroundings.posted(rows)
    called = surroundings.clean_title(named)
    if found is None and not looks_like_title(called):
        found = surroundings.headed(every)
    if found is None and not headings and not looks_like_title(called):
        own = title_of("\n".join(row.text for row in every if row.linked < surroundings.LINK))
        found = own.words if own else None
    if found is None and not page_words().is_menu(called):
        found = next(iter(headings), "" if surroundings.names_site(called) else named)
    return surroundings.clean_title(found) or None if found else None


def _flat(element: etree._Element) -> str:
    return " ".join("".join(element.itertext()).split())


def _base(root: etree._Element, url: str | None) -> str:
    href = next(iter(root.xpath("//base/@href")), "")
    return urljoin(url or "", href)


def _canonical(root: etree._Element, base: str) -> str | None:
    for href in root.xpath("//link[@rel='canonical']/@href") + root.xpath("//meta[@property='og:url']/@content"):
        full = _web_address(base, href)
        if full:
            return full
    return None


def _web_address(base: str, href: str) -> str | None:
    try:
        full = urljoin(base, href.strip())
        parts = urlsplit(full)
    except ValueError:
        return None
    return full if parts.scheme in ("http", "https") and parts.netloc else None


def _leads(block: etree._Element, root: etree._Element, base: str) -> Iterator[Lead]:
    """Documents that the body (or a list of attachments outside it) links to."""
    seen: set[str] = set()
    for link in (*block.iter("a"), *root.iter("a")):
        href = (link.get("href") or "").strip()
        if not surroundings.is_file_link(href):
            continue
        full = _web_address(base, href) or href
        if full not in seen:
            seen.add(full)
            yield Lead(full, _flat(link) or link.get("title") or full.rsplit("/", 1)[-1], "网页附件")


# --- rows ------------------------------------------------------------------------------------------------------------


def _rows(block: etree._Element, within: bool = False) -> Iterator[PageRow]:
    """Paragraphs and table rows of the block, in order, each with the share of it that is links; ``within`` a cell of a
    table, tables are left to it.
    """
    buffer: list[_Words] = []
    numbers: dict[etree._Element | None, int | None] = {None: None}
    for piece in (*_pieces(block, within), None):
        if piece is not None:
            buffer.append(piece)
            continue
        said = [each for each in buffer if each.text.strip(_BLANK)]
        if said and all(each.leads for each in said):
            continue  # the number of an item stands with the paragraph in it
        text = _one_line("".join(each.text for each in buffer))
        if text:
            linked = sum(len(each.text.strip(_BLANK)) for each in buffer if each.linked)
            held = next((_block_of(each.holder) for each in said), None)
            number = numbers.setdefault(held, len(numbers))
            yield PageRow(text, min(1.0, linked / len(text)), block=number)
        buffer.clear()


def _block_of(holder: etree._Element | None) -> etree._Element | None:
    """Return what holds the paragraph that an element is part of."""
    while holder is not None and holder.tag not in _BREAKS:
        holder = holder.getparent()
    return None if holder is None else holder.getparent()


def _one_line(text: str) -> str:
    """Return a text without the line breaks of its source; beside a Chinese character they are no space."""
    narrow = _SPACE.sub(lambda space: "\n" if "\n" in space[0] or "\r" in space[0] else " ", text)
    narrow = _SPLIT_NUMBER.sub("", narrow)
    return _SPACE_CHINESE.sub("", narrow).replace("\n", " ").strip(_BLANK)


def _label_cards(root: etree._Element) -> None:
    """Set a colon behind the labels of an index card that a page sets apart from their values by elements alone."""
    bare = (each for each in root.iter("dt", "span", "b", "strong", "em", "i", "label") if not len(each))
    named = [each for each in bare if page_words().card.fullmatch(f"{(each.text or '').strip()}：")]
    for label in named if len(named) >= _CARD_LABELS else ():
        value = label.getnext()
        if value is None:
            continue
        label.text = f"{(label.text or '').strip()}："
        if label.tag == "dt" and value.tag == "dd":
            label.text += value.text or ""
            label.extend(value)
            value.getparent().remove(value)


class _Words(NamedTuple):
    text: str
    linked: bool = False
    holder: etree._Element | None = None
    """None for the rows of a table."""
    leads: bool = False
    """The number that a page shows before an item of a list."""


def _pieces(block: etree._Element, within: bool) -> Iterator[_Words | None]:
    """Yield the text pieces of a block; None where a paragraph ends."""
    walk = etree.iterwalk(block, events=("start", "end"))
    links = high = 0
    for event, element in walk:
        if event == "start" and element.tag == "pre":
            walk.skip_subtree()
            yield from _lines_of(element)
            continue
        breaks = element.tag in _BREAKS
        if event == "start" and element.tag == "table" and _is_data(element):
            walk.skip_subtree()
            yield from () if within else _data_rows(element)
            continue
        if breaks:
            yield None
        by = 1 if event == "start" else -1
        links += by * (element.tag == "a" and bool(element.get("href")))
        high += by * _is_raised(element)
        if event == "start" and element.tag == "li":
            yield _Words(number := _list_number(element), links > 0, element, leads=bool(number))
        words = element.text if event == "start" else None if element is block else element.tail
        holder = element if event == "start" else element.getparent()
        yield _Words(raised(words or "") if high else words or "", links > 0, holder)


def _is_raised(element: etree._Element) -> bool:
    """Whether an element is set as a superscript: 10³ is not 103."""
    return element.tag == "sup" or (
        isinstance(element.tag, str) and _RAISED.search(element.get("style", "")) is not None
    )


def _list_number(item: etree._Element) -> str:
    """Return the number that a page shows before an item of a numbered list of sentences; menus are such lists as well."""
    parent = item.getparent()
    if parent is None or parent.tag != "ol" or _UNNUMBERED.search(f"{parent.get('style', '')} {item.get('style', '')}"):
        return ""
    items = [each for each in parent if each.tag == "li"]
    words = [_flat(each) for each in items]
    own = words[items.index(item)]
    if not own or opens_unit(own) or not any(map(_SAID.search, words)):
        return ""
    start = parent.get("start", "1")
    number = int(start) - 1 if start.isdecimal() else 0
    for each in items[: items.index(item) + 1]:
        value = each.get("value", "")
        number = int(value) if value.isdecimal() else number + 1
    said = (
        f"{parent.get('style', '')} {item.get('style', '')} {parent.get('class', '')} type={parent.get('type', '1')} "
    )
    form, shown = next(((form, shown) for shape, form, shown in _SHAPES if shape in said), ("decimal", "{}. "))
    return shown.format(format_number(number, form))


def _lines_of(element: etree._Element) -> Iterator[_Words | None]:
    """Yield the lines of a preformatted block: its breaks are those of the text, but for those of a full line."""
    above = ""
    for line in "".join(element.itertext()).splitlines():
        full = lines.width(above) >= _FULL_LINE and not lines.ended(above)
        goes_on = full and line[:1].strip(_BLANK) and not surroundings.stands_alone(above, line)
        yield from (_Words(line),) if goes_on else (None, _Words(line))
        above = line.rstrip(_BLANK)
    yield None


def _data_rows(table: etree._Element) -> Iterator[_Words | None]:
    """Yield the caption and the rows; a cell that reaches right or down (合并单元格) leaves its places empty.

    A table in a cell follows the row that holds it.
    """
    for caption in table.iter("caption"):
        yield from (None, _Words(_flat(caption)))
    held: dict[int, int] = {}
    for row in _own(table, "tr"):
        yield None
        yield _Words(" | ".join(_row_cells(row, held)).strip())
        for inner in (each for each in row.iter("table") if _holder(each) is table):
            yield from _data_rows(inner)
    yield None


def _own(table: etree._Element, *names: str) -> list[etree._Element]:
    """The elements of a table that are in no table inside it."""
    return [each for each in table.iter(*names) if _holder(each) is table]


def _holder(element: etree._Element) -> etree._Element | None:
    return next(element.iterancestors("table"), None)


def _row_cells(row: etree._Element, held: dict[int, int]) -> list[str]:
    """Return the cells of a row in the table's columns; ``held``: for how many more rows a cell above fills a column."""
    cells = [c for c in row if c.tag in ("td", "th")]
    texts: list[str] = []
    for cell in (*cells, None):
        while held.get(len(texts), 0):
            held[len(texts)] -= 1
            texts.append("")
        if cell is not None:
            right = _reach(cell, "colspan") if len(cells) > 1 else 1
            held.update({len(texts) + i: _reach(cell, "rowspan") - 1 for i in range(right)})
            texts += [" ".join(row.text for row in _rows(cell, within=True)), *[""] * (right - 1)]
    return texts


def _reach(cell: etree._Element, name: str) -> int:
    said = cell.get(name, "").strip()
    return min(max(int(said), 1), _MOST_REACH) if said.isdecimal() else 1


def _is_data(table: etree._Element) -> bool:
    """A table of values, not one that only lays out the page; what holds another table is one when it is ruled."""
    inner = [each for each in table.iter("table") if _holder(each) is table]
    own = _own(table, "td", "th")
    cells = [len(_flat(c)) - sum(len(_flat(t)) for t in c.iter("table") if _holder(t) is table) for c in own]
    ruled = table.get("border", "0") not in ("", "0") or any(_RULED.search(c.get("style", "")) for c in (table, *own))
    if inner and not (ruled and all(map(_is_data, inner))):
        return False
    rows = max(1, len(_own(table, "tr")))
    filled = len(cells) if ruled else sum(map(bool, cells))  # a signature is set right by an empty cell
    return filled > rows and max(cells, default=0) <= _LAYOUT_CELL
