"""The one way in which foreign text enters a page (安全文本).

Foreign is everything that was not written in this repository: quotes, titles, file names, addresses, questions.
Markdown changes such text and raw HTML executes it, so it is escaped here, character by character, and shown by
``st.html`` in blocks with ``white-space: pre-wrap``. Widget labels, which are Markdown, take :func:`label`.
"""

import html
import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from nemo.text.words.invisible import HIDDEN
from nemo.text.words.linebreaks import between_words, line_wraps
from nemo.types import Span

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>$~:^&@])")
_BLANK = re.compile("\n((?:[ \t\u3000]*\n)+)")
_SURROGATES = re.compile("[\ud800-\udfff]")
_COMMANDS = [
    (re.compile("[，；]或(?:运行|用) ?python -m nemo [^。；）]*"), ""),
    (re.compile("请?(?:由管理员)?运行 python -m nemo reindex[^。；，）]*"), "请管理员在“系统”页重建索引"),
    (re.compile("可用 python -m nemo list [^。；，）]*"), "可在“法规库”查看"),
]
"""Advice for a command line, which messages of all rooms carry, and what a page offers in its place."""


def text(value: str) -> str:
    """Escape ``value`` for HTML so that the reader's browser shows exactly its characters.

    A carriage return is written as a reference because an HTML parser turns a bare one into a line feed; half a
    surrogate pair, which no page can carry, becomes the replacement character.
    """
    return html.escape(_SURROGATES.sub("\ufffd", value), quote=True).replace("\r", "&#13;")


def advice(value: str) -> str:
    """Escape a message of ours; what it advises to type at a command line is said as the page offers it."""
    for command, here in _COMMANDS:
        value = command.sub(here, value)
    return text(value)


def prose(value: str) -> str:
    """Escape a stretch of law for a verbatim block; blank lines are drawn low but stay in the text.

    Web pages and Markdown put a blank line between paragraphs; drawn at full height it would tear an article apart.
    """
    return _low(text(value))


def _low(escaped: str) -> str:
    return _BLANK.sub(r'\n<span class="blank">\1</span>', escaped)


def name(value: str) -> str:
    """Escape a title or file name, with invisible and direction-changing characters made visible as ``�``."""
    return text(visible(value))


def visible(value: str) -> str:
    """Return a name on one line with every invisible character replaced by ``�``; not escaped."""
    return _SURROGATES.sub("\ufffd", HIDDEN.sub("\ufffd", " ".join(value.split()) or "（无名）"))


def label(value: str, limit: int = 200) -> str:
    """Escape foreign text for a widget label, which Streamlit reads as Markdown; folded and cut at ``limit``."""
    shown = visible(value)
    shown = shown if len(shown) <= limit else shown[: limit - 1] + "…"
    return _MARKDOWN.sub(r"\\\1", shown)


def marked(value: str, spans: Iterable[Span], kind: str = "hit") -> str:
    """Escape ``value`` and wrap the characters of ``spans`` in ``<mark>``; overlapping ones are joined, parts outside
    left out.

    ``kind`` is the class of the mark, a constant of this package.
    """
    parts: list[str] = []
    at = 0
    for span in sorted(spans):
        start, end = max(span.start, at), min(span.end, len(value))
        if start >= end:
            continue
        parts += [text(value[at:start]), f'<mark class="{kind}">', text(value[start:end]), "</mark>"]
        at = end
    parts.append(text(value[at:]))
    return _low("".join(parts))


_WRAP = "\ufdd0"
"""Stands for a break of the print while a text is escaped; no character, so no text has a use for it."""


def paragraph(value: str, spans: Iterable[Span] = (), kind: str = "hit") -> str:
    """Like :func:`marked`, with the breaks of the print drawn as nothing; every character stays in the page."""
    wraps = line_wraps(value)
    if not wraps or _WRAP in value:
        return marked(value, spans, kind)
    held: list[str] = []
    bare = list(value)
    for start, end in wraps:
        blank = value[start - 1 : start] == "\n"  # a page of the law draws it low, a quote not at all
        kinds = "wrap gap" if not blank and between_words(value, start, end) else "wrap"
        first = "wrap blank" if blank else kinds
        held += [
            f'<span class="{k}">{text(c)}</span>'
            for k, c in zip([first, *[kinds] * (end - start)], bare[start:end], strict=False)
        ]
        bare[start:end] = _WRAP * (end - start)
    shown = iter(held)
    return re.sub(_WRAP, lambda _: next(shown), marked("".join(bare), spans, kind))


def both(old: str | None, new: str | None, pieces: Iterable[tuple[str, str, bool]] = ()) -> tuple[str, str]:
    """Return two wordings side by side; ``pieces`` are stretches of both and whether they are the same.

    What only one of them says is marked; None is a side that is not there, and without pieces both stand as they are.
    """
    missing = '<span class="quiet">（无）</span>'
    if old is None or new is None:
        left = f'<del class="alone">{prose(old)}</del>' if old else missing
        return left, f'<ins class="alone">{prose(new)}</ins>' if new else missing
    cut = list(pieces) or [(old, new, True)]
    left = "".join(_side(words, "" if same else "del") for words, _, same in cut)
    return left, "".join(_side(words, "" if same else "ins") for _, words, same in cut)


def _side(words: str, tag: str) -> str:
    return f"<{tag}>{prose(words)}</{tag}>" if tag and words else prose(words)


def link(url: str | None, words: str) -> str:
    """Return a link that opens in a new tab, or only the address as text when it is not plain http(s)."""
    if url is None:
        return ""
    try:
        parts = urlsplit(url)
    except ValueError:
        return name(url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        return name(url)
    return f'<a href="{text(url)}" target="_blank" rel="noopener noreferrer">{text(words)}</a>'


def facts(rows: Iterable[tuple[str, str]]) -> str:
    """Return a definition list; terms are ours, the descriptions are HTML made by this module. Empty ones are left out."""
    return "".join(f"<dt>{term}</dt><dd>{value}</dd>" for term, value in rows if value).join(
        ('<dl class="facts">', "</dl>")
    )
