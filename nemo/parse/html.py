"""Web pages (网页): the block that holds the regulation, without navigation, sidebar or footer.

The block is found by what regulations look like: running text with Chinese punctuation, few links. Known body
containers of government sites only weigh a little. On four page types of government sites this keeps every paragraph and
nothing else, where trafilatura 2.3 took over sidebars and glued a page laid out by tables into one row. Attachments become leads, because the rule itself is often only there.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from urllib.parse import urljoin, urlsplit

import lxml.html
from lxml import etree

from nemo.errors import UnreadableDocumentError
from nemo.parse import plain, webtext
from nemo.parse.lines import heading
from nemo.settings import Settings
from nemo.types import Fault, Lead, ParsedDocument, RawDocument

_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9_\-]+)""", re.IGNORECASE)
_GB = {"gb2312", "gbk", "gb18030", "gb_2312-80", "x-gbk", "cp936", "hz-gb-2312"}
_DROPPED = {"script", "style", "noscript", "template", "svg", "iframe", "object", "form", "select", "button", "head", "nav",
            "header", "footer", "aside", "video", "audio", "input", "textarea"}  # fmt: skip
_SHELL = re.compile(
    r"(?:^|[-_ ])(?:nav|menu|side(?:bar)?|foot(?:er)?|head(?:er)?|crumbs?|breadcrumb|share|bdshare|related|recommend|rank|hot|"
    r"qrcode|ewm|toolbar|tools|print|pagination|copyright|friend|links?|ad|position|location|weizhi|dqwz)(?:$|[-_ 0-9])",
    re.IGNORECASE,
)
_BODY_HINT = re.compile(
    r"(?:TRS_?Editor|Custom_UnionStyle|UCAP-CONTENT|pages_content|article[-_]?(?:con|content|body)|content[-_]?(?:body|text|main)|"
    r"zoom|zw|detail[-_]?(?:con|content)?|main[-_]?text|news[-_]?content|xxgk[-_]?content|view[-_]?content)",
    re.IGNORECASE,
)
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_BLOCKS = {"p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "li", "ul", "ol", "dl", "dt", "dd", "section", "article", "main",
           "blockquote", "center", "pre", "hr", "figure", "figcaption", "address", "fieldset", "body", "td", "th", "caption",
           "ucapcontent", "ucaptitle"}  # fmt: skip
_CANDIDATES = ("body", "div", "td", "article", "section", "main", "center", "ucapcontent")
_PUNCTUATION = re.compile("[，。；：、《》（）]")
_CHINESE = re.compile("[\u4e00-\u9fff]")
_SPACE_CHINESE = re.compile(r"(?<=[\u3000-\u9fff\uff00-\uffef])[ \t]*[\r\n]\s*(?=[\u3000-\u9fff\uff00-\uffef])")
_SPACE = re.compile(r"[ \t\r\n\f]+")
_SIGNED = re.compile(r"^\s*(?:二[〇○零]|20)[〇○零一二三四五六七八九0-9]{2}\s*年\s*\S{1,3}\s*月\s*\S{1,3}\s*日\s*$")
_LISTED = re.compile(r"^(?:[一二三四五六七八九十]{1,3}、|（[一二三四五六七八九十]{1,3}）).{6,}")
_KEEP_SHARE = 0.85
"""The body is the smallest block that holds this share of the page's running text."""
_MAX_DEPTH = 250
_LAYOUT_CELL = 300
"""Longest cell of a data table in characters; a longer one makes it a layout table."""


def parse(raw: RawDocument, settings: Settings) -> ParsedDocument:
    """Read a web page.

    Raises:
        UnreadableDocumentError: no page in the bytes, or no body on it (正文缺失).
    """
    text, encoding, faults = decode(raw.content)
    root = _tree(text)
    base = _base(root, raw.url)
    title = _title(root)
    url = _canonical(root, base) or raw.url
    _remove_shell(root)
    block = _body_block(root)
    rows = list(_rows(block))
    start, end = webtext.bounds(rows)
    rows = rows[start:end]
    leads = tuple(_leads(block, root, base))
    webtext.require_body(rows, title, leads)
    body = "\n".join(webtext.with_title(rows, title))
    pictures = len(block.findall(".//img"))
    if pictures and len(body) < 400:
        faults = (*faults, Fault("pictures_dropped", f"网页正文中有 {pictures} 张图片，图片里的内容未读入，请核对原网页。"))
    return ParsedDocument(body, (), f"html/{encoding}", faults=faults, title=title, leads=leads, url=url)


def decode(content: bytes) -> tuple[str, str, tuple[Fault, ...]]:
    """Decode a page: a byte order mark, else the declared charset (gb2312 and gbk always as GB18030), else by content."""
    if content.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return plain.decode(content)
    declared = _CHARSET.search(content[:8192])
    name = declared.group(1).decode("ascii").lower() if declared else ""
    if name in _GB:
        return _decode_as(content, "gb18030")
    if name in ("utf-8", "utf8") and _is_utf8(content):
        return content.decode("utf-8", errors="replace"), "utf-8", ()
    return plain.decode(content)


def _decode_as(content: bytes, encoding: str) -> tuple[str, str, tuple[Fault, ...]]:
    try:
        return content.decode(encoding), encoding, ()
    except UnicodeDecodeError:
        if _is_utf8(content):
            return content.decode("utf-8"), "utf-8", ()
    text = content.decode(encoding, errors="replace")
    bad = text.count("\ufffd")
    return text, encoding, (Fault("undecodable_characters", f"有 {bad} 处字符已损坏，显示为“�”，请核对原网页。"),)


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _tree(text: str) -> etree._Element:
    text = re.sub(r"^\s*<\?xml[^>]*\?>", "", text).replace("\x00", "")
    parser = lxml.html.HTMLParser(huge_tree=False, no_network=True, remove_comments=True, remove_pis=True)
    try:
        root = lxml.html.document_fromstring(text, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError) as error:
        raise UnreadableDocumentError("网页内容为空或已损坏，无法读取。", ("请重新保存该网页后上传。",)) from error
    return root


# --- facts the page states -------------------------------------------------------------------------------------------


def _title(root: etree._Element) -> str | None:
    for path in (
        "//meta[@name='ArticleTitle']/@content",
        "//meta[@name='articletitle']/@content",
        "//meta[@property='og:title']/@content",
    ):
        found = [t.strip() for t in root.xpath(path) if t.strip()]
        if found:
            return webtext.clean_title(found[0])
    headings = [_flat(h) for h in root.iter("h1", "ucaptitle")]
    headings = [h for h in headings if len(h) >= 8]
    if headings:
        return webtext.clean_title(headings[0])
    title = root.find(".//title")
    text = _flat(title) if title is not None else ""
    return webtext.clean_title(text) or None


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
        if not webtext.is_file_link(href):
            continue
        full = _web_address(base, href) or href
        if full not in seen:
            seen.add(full)
            yield Lead(full, _flat(link) or link.get("title") or full.rsplit("/", 1)[-1], "网页附件")


# --- the block -------------------------------------------------------------------------------------------------------


def _remove_shell(root: etree._Element) -> None:
    for element in list(root.iter()):
        if not isinstance(element.tag, str) or element.tag in ("html", "body"):
            continue
        named = f"{element.get('class', '')} {element.get('id', '')}"
        shell = element.tag in _DROPPED or _HIDDEN.search(element.get("style", ""))
        shell = shell or (_SHELL.search(named) and not _BODY_HINT.search(named) and _good(element) < 200)
        if shell and element.getparent() is not None and not (element.tag == "form" and _good(element) > 200):
            element.drop_tree()


def _good(element: etree._Element) -> int:
    """Running text under an element: Chinese characters outside links, in pieces that carry punctuation or are long."""
    total = 0
    for piece in _own_pieces(element):
        size = len(_CHINESE.findall(piece))
        if size >= 10 and (_PUNCTUATION.search(piece) or size >= 30):
            total += size
    return total


def _own_pieces(element: etree._Element) -> Iterator[str]:
    for text in element.xpath(".//text()[not(ancestor::a)]"):
        if text.strip():
            yield text


def _body_block(root: etree._Element) -> etree._Element:
    """The smallest block holding most of the running text; among equals the one named like a body."""
    body = root.find("body")
    body = root if body is None else body
    total = _good(body)
    block = body
    if not total:
        return block
    while True:
        inner = [c for c in block.iterdescendants(*_CANDIDATES) if _level(c, block)]
        best = max(inner, key=lambda c: _good(c) + _bonus(c, total), default=None)
        if best is None or _good(best) < _KEEP_SHARE * _good(block) or _leaves_body(block, best):
            return block
        block = best


def _bonus(element: etree._Element, total: int) -> float:
    named = f"{element.get('class', '')} {element.get('id', '')}"
    return 0.1 * total if _BODY_HINT.search(named) else 0.0


def _leaves_body(block: etree._Element, best: etree._Element) -> bool:
    """Whether going down to ``best`` would lose an article, an item, an annex or the signature that stands beside it."""
    inside, passed = set(best.iter()), False
    for text in block.xpath(".//text()[not(ancestor::a)]"):
        piece = text.strip(" \t\r\n\u00a0\u3000")
        if text.getparent() in inside and not (text.is_tail and text.getparent() is best):
            passed = True
        elif heading(piece) or (passed and piece and (_SIGNED.match(piece) or _LISTED.match(piece))):
            return True
    return False


def _level(candidate: etree._Element, block: etree._Element) -> bool:
    """Whether no other candidate stands between the two."""
    return next((a for a in candidate.iterancestors() if a is block or a.tag in _CANDIDATES), None) is block


# --- rows ------------------------------------------------------------------------------------------------------------


def _rows(block: etree._Element) -> Iterator[str]:
    """Paragraphs and table rows of the block, in order."""
    buffer: list[str] = []
    for piece in _pieces(block, 0):
        if piece is None:
            yield from _flushed(buffer)
            buffer.clear()
        else:
            buffer.append(piece)
    yield from _flushed(buffer)


def _flushed(buffer: list[str]) -> Iterator[str]:
    text = _SPACE.sub(" ", _SPACE_CHINESE.sub("", "".join(buffer))).strip(" \u00a0\u3000\u200b\ufeff")
    if text:
        yield text


def _pieces(element: etree._Element, depth: int) -> Iterator[str | None]:
    """Text pieces; None where a paragraph ends."""
    if depth > _MAX_DEPTH:
        yield _flat(element)
        return
    if element.tag == "table" and _is_data(element):
        for row in element.iter("tr"):
            yield None
            yield " | ".join(_cell(c) for c in row if c.tag in ("td", "th")).strip()
        yield None
        return
    block = element.tag in _BLOCKS or element.tag in ("table", "tr")
    if block or element.tag == "br":
        yield None
    yield element.text or ""
    for child in element:
        if isinstance(child.tag, str):
            yield from _pieces(child, depth + 1)
        yield child.tail or ""
    if block:
        yield None


def _cell(cell: etree._Element) -> str:
    return " ".join(_rows(cell))


def _is_data(table: etree._Element) -> bool:
    """A table of values, not one that only lays out the page."""
    if table.find(".//table") is not None:
        return False
    cells = [len(_flat(c)) for c in table.iter("td", "th")]
    rows = max(1, sum(1 for _ in table.iter("tr")))
    return len(cells) > rows and max(cells, default=0) <= _LAYOUT_CELL
