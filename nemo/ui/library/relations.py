"""How a regulation hangs together with others, as a picture (关系图)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import streamlit as st

from nemo.text.letter.titles import in_marks
from nemo.types import Regulation
from nemo.ui.shared import safe

if TYPE_CHECKING:
    from nemo.lawview import Link

MOST = 24
"""More relations than this make a picture nobody can read; the list has them all."""

_WIDTH = 14
"""Characters in a line of a box."""
_CLOSING = "》〉）)”〕、，。；：！？ "
_PIECES = re.compile(rf"[《〈（(“〔]*(?:[!-'*-~]{{1,{_WIDTH}}}|.)[{_CLOSING}]*", re.DOTALL)
"""What no line break tears: a number or a Latin word, and marks with what they open or close."""

INK = {"dark": ("#C9D1E0", "#8FA3C8"), "light": ("#1B2433", "#4A5F8A")}
"""Words and lines, by theme."""


def draw(regulation: Regulation, links: Sequence[Link]) -> None:
    """Draw the regulation in the middle and what it is tied to around it."""
    shade = "dark" if st.context.theme.type == "dark" else "light"
    left_out = len(links) - MOST
    st.graphviz_chart(dot(regulation, links[:MOST], shade), alt="关系图，内容与下方列表相同")
    if left_out > 0:
        st.caption(f"图中只画出前 {MOST} 项，其余 {left_out} 项见下方列表。")


def dot(regulation: Regulation, links: Sequence[Link], shade: str = "light") -> str:
    """Return the picture in the language of Graphviz, in a ``light`` or ``dark`` shade; every label is quoted.

    An arrow goes from the text that says so.
    """
    nodes = {"self": f"label={quoted(regulation.title)}, shape=box, style=rounded, penwidth=2.4"}
    edges = []
    for number, link in enumerate(links):
        held = "rounded" if link.regulation_id else "rounded,dashed"
        status = link.status.value if link.status else "未入库"
        nodes[f"n{number}"] = f'label={quoted(link.title, status)}, shape=box, style="{held}"'
        ends = (f"n{number}", "self") if link.inward else ("self", f"n{number}")
        edges.append((*ends, f"label={quoted(link.kind)}"))
    return graphviz(nodes, edges, shade)


def graphviz(nodes: Mapping[str, str], edges: Iterable[tuple[str, str, str]], shade: str) -> str:
    """Return a graph in the language of Graphviz: the looks of its nodes by their names, and edges from and to with theirs."""
    ink, line = INK[shade]
    looks = f'fontname="sans-serif", color="{line}", fontcolor="{ink}"'
    lines = [
        'digraph { rankdir=LR; bgcolor="transparent"; size="11,9"; nodesep=0.15; ranksep=0.8;',
        f"node [fontsize=11, {looks}];",
        f"edge [fontsize=10, {looks}];",
        *(f"{name} [{look}];" for name, look in nodes.items()),
        *(f"{one} -> {other} [{look}];" for one, other, look in edges),
    ]
    return "\n".join([*lines, "}"])


def quoted(words: str, below: str = "") -> str:
    r"""Return foreign text as a Graphviz string that shows exactly its characters, broken into short lines.

    Graphviz reads ``\``, ``"`` and entities such as ``&lt;`` in a string; all of them are written out.
    """
    shown = safe.visible(words)
    lines = [""]
    for piece in _PIECES.findall(shown):
        if lines[-1] and len(lines[-1]) + len(piece.rstrip(_CLOSING)) > _WIDTH:
            lines.append("")
        lines[-1] += piece
    lines += [f"（{below}）"] if below else []
    return '"' + "\\n".join(_escaped(line) for line in lines) + '"'


def _escaped(line: str) -> str:
    return line.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')


def source(place: Mapping[str, Any]) -> str:
    """Return a link to the provision that some words stand in."""
    params = {"r": place["regulation_id"]} | ({"label": place["label"]} if place["label"] else {})
    words = f"{in_marks(place['title'])}{place['article'] or ''}"
    return f'<a href="./library?{safe.text(urlencode(params))}" target="_self">{safe.name(words)}</a>'
