"""The block of a web page that holds the regulation (正文块).

Found by what regulations look like: running text with Chinese punctuation outside links. Known body containers of
government sites only weigh a little. On four page types of such sites this keeps every paragraph and nothing else,
where trafilatura 2.3 took sidebars along and glued a page laid out by tables into one row.
"""

import re
from collections import Counter
from collections.abc import Iterator

import lxml.html
from lxml import etree

from nemo.rules import page_words
from nemo.text.words.openings import opens_provision

_DROPPED = {
    *(
        "script",
        "style",
        "noscript",
        "template",
        "svg",
        "iframe",
        "object",
        "select",
        "button",
        "head",
        "nav",
        "header",
    ),
    *("footer", "aside", "video", "audio", "input", "textarea"),
}
_UNSEEN = {"script", "style", "noscript", "template", "svg", "iframe", "object", "head", "video", "audio", "textarea"}
_LIST_HEAD = 20
_BOILERPLATE = re.compile(
    r"(?:^|[-_ ])(?:nav|menu|tabs|tab[-_]?(?:nav|head|hd|title|menu|list)|side(?:bar)?|foot(?:er)?|head(?:er)?|crumbs?|breadcrumb|share|bdshare|related|recommend|rank|hot|"
    r"qrcode|ewm|toolbar|tools|print|pagination|copyright|friend|links?|ad|banner|popup|comments?|position|location|weizhi|dqwz)(?:$|[-_ 0-9])",
    re.IGNORECASE,
)
_BODY_HINT = re.compile(
    r"(?:TRS_?Editor|Custom_UnionStyle|UCAP-CONTENT|pages_content|article[-_]?(?:con|content|body)|content[-_]?(?:body|text|main)|"
    r"zoom|zw|detail[-_]?(?:con|content)?|main[-_]?text|news[-_]?content|xxgk[-_]?content|view[-_]?content)",
    re.IGNORECASE,
)
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_CANDIDATES = {"body", "div", "td", "article", "section", "main", "center", "ucapcontent"}
_PUNCTUATION = re.compile("[，。；：、《》（）]")
_CHINESE = re.compile("[\u4e00-\u9fff]")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff\ud800-\udfff]")
_SIGNED = re.compile(r"^\s*(?:二[〇○零]|20)[〇○零一二三四五六七八九0-9]{2}\s*年\s*\S{1,3}\s*月\s*\S{1,3}\s*日\s*$")
_LISTED = re.compile(r"^(?:[一二三四五六七八九十]{1,3}、|（[一二三四五六七八九十]{1,3}）).{6,}")
_KEEP_SHARE = 0.85
"""The body is the smallest block that holds this share of the running text of the block around it."""
_ARTICLE_SHARE = 0.6
"""The same where the page itself calls the block its article: forms and headlines around a short draft weigh much."""
_HELD_SHARE = 0.5
"""A hidden part with this share of a page's running text is its text."""
_BOILERPLATE_TEXT = 200
"""A block named like navigation but with more running text than this, or with half of the page's, is kept."""


def drop_unseen(root: etree._Element, held: str = "") -> None:
    """Drop what readers of the page do not see: scripts, styles, hidden parts; show the text that it ``held`` in its data
    instead where that is the greater part.

    A part with half of the page's running text stays: sites hide their text until a script of theirs has run.
    """
    for element in list(root.iter(*_UNSEEN - {"head"})):
        if element.getparent() is not None:
            _drop(element)
    scores = _scores(root)
    for element in list(root.iter("*")):
        hidden = _HIDDEN.search(element.get("style", "")) and element.tag not in ("html", "body")
        if hidden and element.getparent() is not None and scores[element] < _HELD_SHARE * scores[root]:
            _drop(element)
    body, block = root.find("body"), lxml.html.fragment_fromstring(held, create_parent="div") if held else None
    if body is not None and block is not None and _scores(block)[block] > 2 * _scores(root)[root]:
        body[:] = [block]
        body.text = None


def remove_boilerplate(root: etree._Element) -> None:
    """Drop blocks named like navigation, and lists of other articles."""
    scores = _scores(root)
    kept = min(_BOILERPLATE_TEXT, 0.5 * scores[root])
    lists = set(_lists(root, scores, kept))
    for element in list(root.iter()):
        if not isinstance(element.tag, str) or element.tag in ("html", "body") or element.getparent() is None:
            continue
        names = f"{element.get('class', '')} {element.get('id', '')}".split()
        named = " ".join(name for name in names if "table" not in name)  # el-table__header is no head of the page
        by_name = _BOILERPLATE.search(named) and not _BODY_HINT.search(named) and scores[element] < kept
        if element.tag in _DROPPED or by_name or element in lists:
            _drop(element)


def _lists(root: etree._Element, scores: Counter[etree._Element], kept: float) -> Iterator[etree._Element]:
    """Yield the blocks that the head of a list of other articles (相关链接) opens, none with text of the body."""
    words = page_words()
    for element in root.iter("h2", "h3", "h4", "h5", "div", "p", "span", "strong", "b", "dt", "a", "td", "li"):
        own = "".join(element.itertext()).strip()
        if not own or len(own) > _LIST_HEAD or not words.opens_list(own) or scores[element]:
            continue
        block = _widest(element, scores, kept)
        if block is not element:
            yield block


def _widest(element: etree._Element, scores: Counter[etree._Element], kept: float) -> etree._Element:
    """Return the widest block around an element without text of the body."""
    block = element
    for ancestor in element.iterancestors():
        if ancestor.tag in ("body", "html") or scores[ancestor] >= kept:
            break
        block = ancestor
    return block


def _drop(element: etree._Element) -> None:
    """Take an element out and leave the text after it; control characters in that text are refused by lxml and go."""
    parent, before = element.getparent(), element.getprevious()
    tail = element.tail or ""
    parent.remove(element)
    if tail and before is not None:
        before.tail = _CONTROL.sub("", (before.tail or "") + tail)
    elif tail:
        parent.text = _CONTROL.sub("", (parent.text or "") + tail)


def body_block(root: etree._Element) -> etree._Element:
    """Return the smallest block that holds the body."""
    body = root.find("body")
    block = root if body is None else body
    scores = _scores(root)
    total = scores[block]
    while total:
        inner = list(_next_candidates(block))
        best = max(inner, key=lambda c: scores[c], default=None)
        least = _ARTICLE_SHARE if best is not None and best.tag == "article" else _KEEP_SHARE
        if best is None or scores[best] < least * scores[block] or _leaves_body(block, best):
            break
        block = best
    return block


def _scores(root: etree._Element) -> Counter[etree._Element]:
    """Running text under every element, in Chinese characters outside links."""
    scores: Counter[etree._Element] = Counter()
    for text, holder in pieces_of(root):
        size = _running(text)
        if size:
            scores[holder] += size
            for ancestor in holder.iterancestors():
                scores[ancestor] += size
    return scores


def _running(text: str) -> int:
    """Chinese characters of a piece of running text; 0 for labels and other short pieces."""
    size = len(_CHINESE.findall(text))
    return size if size >= 30 or (size >= 10 and _PUNCTUATION.search(text)) else 0


def pieces_of(root: etree._Element) -> Iterator[tuple[str, etree._Element]]:
    """Yield every text outside links with the element that holds it."""
    linked = 0
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if event == "start":
            linked += element.tag == "a"
            if not linked and element.text and isinstance(element.tag, str):
                yield element.text, element
            continue
        linked -= element.tag == "a"
        parent = element.getparent()
        if not linked and element.tail and parent is not None and element is not root:
            yield element.tail, parent


def _next_candidates(block: etree._Element) -> Iterator[etree._Element]:
    """Yield the nearest blocks below, without looking inside them."""
    walk = etree.iterwalk(block, events=("start",))
    for _, element in walk:
        if element is not block and element.tag in _CANDIDATES:
            walk.skip_subtree()
            yield element


def _leaves_body(block: etree._Element, best: etree._Element) -> bool:
    """Whether going down to ``best`` would lose text of the regulation that stands beside it.

    That is: an article, a running paragraph directly in ``block``, or after ``best`` a numbered item or the signature.
    """
    inside, passed = set(best.iter()), False
    for text, holder in pieces_of(block):
        piece = text.strip(" \t\r\n\u00a0\u3000")
        if holder in inside:
            passed = True
        elif (
            opens_provision(piece)
            or (passed and (_SIGNED.match(piece) or _LISTED.match(piece)))
            or (_running(piece) and _candidate_above(holder) is block)
        ):
            return True
    return False


def _candidate_above(element: etree._Element) -> etree._Element | None:
    if element.tag in _CANDIDATES:
        return element
    return next((a for a in element.iterancestors() if a.tag in _CANDIDATES), None)
