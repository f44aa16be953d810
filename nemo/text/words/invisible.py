"""Characters that do not show, or that turn the writing direction (不可见字符与双向控制符): shown as marks, never obeyed.

In a title or file name they make one name look like another (Unicode UTS #39; "Trojan Source", CVE-2021-42574); on a
terminal, control characters give orders. Stored text and quotes keep them: what is marked is only what is shown.
"""

import re

_CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f"
_DIRECTIONS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_UNSEEN = "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2028\u2029\u2060-\u2065\u206a-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f"

HIDDEN = re.compile(f"[{_CONTROLS}{_DIRECTIONS}{_UNSEEN}]")
"""All of them. Variation selectors are left out: they choose between written forms of a name's characters."""

_ORDERS = re.compile(f"[{_CONTROLS}{_DIRECTIONS}]")


def marked(name: str) -> str:
    """Return a title or name with every such character written as ``〔U+202E〕``; most stay the same."""
    return HIDDEN.sub(_code, name)


def without_orders(text: str) -> str:
    """Return any text for a terminal: controls and changes of direction written as marks, line feeds and tabs kept."""
    return _ORDERS.sub(_code, text)


def _code(match: re.Match[str]) -> str:
    return f"〔U+{ord(match[0]):04X}〕"
