"""Characters that Office files cannot carry (无法写入的字符): shown by their code, never dropped without a trace."""

import html
import re

_ILLEGAL = re.compile("[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]")
"""What XML 1.0 forbids, and the carriage return, which every XML reader turns into a line feed."""


def visible(text: str) -> str:
    """Return the text with every character that a file cannot carry spelt as ``〔U+000B〕``; most texts stay the same."""
    return _ILLEGAL.sub(lambda match: f"〔U+{ord(match[0]):04X}〕", text)


def escaped(text: str) -> str:
    """Return :func:`visible` text for HTML and SVG."""
    return html.escape(visible(text))
