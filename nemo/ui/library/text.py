"""A regulation's text by provisions (条文): all of it in order, with an anchor for each provision."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from nemo.types import Level, Provision, Regulation, Span
from nemo.ui.shared import safe

_MARKDOWN = re.compile(r"<!--(?:(?!<!--).)*?-->|^#{1,6}(?:[ \t]+|$)", re.DOTALL | re.MULTILINE)
"""Marks of the file's format that no reader of the rule is meant to see."""

HEADINGS = (Level.PART, Level.SUBPART, Level.CHAPTER, Level.SECTION)


@dataclass(frozen=True)
class Block:
    """One stretch of the text; blocks join to the whole text."""

    span: Span
    provision: Provision | None = None
    """None for what stands between provisions."""

    @property
    def heading(self) -> bool:
        """Whether it is a 编章节 heading."""
        return self.provision is not None and self.provision.level in HEADINGS


def blocks(regulation: Regulation) -> list[Block]:
    """Cut the whole text into blocks: headings, articles and entries, and what stands between them."""
    found: list[Block] = []
    at = 0
    for block in _units(regulation.provisions):
        if at < block.span.start:
            found.append(Block(Span(at, block.span.start)))
        start = max(at, block.span.start)
        if start < block.span.end:
            found.append(Block(Span(start, block.span.end), block.provision))
            at = block.span.end
    if at < len(regulation.text):
        found.append(Block(Span(at, len(regulation.text))))
    return found


def _units(provisions: Iterable[Provision]) -> Iterator[Block]:
    for provision in provisions:
        inner = any(child.level in (*HEADINGS, Level.ARTICLE, Level.OUTLINE) for child in provision.children)
        if provision.level is Level.ARTICLE or not inner:
            yield Block(provision.span, provision)
        else:
            yield Block(Span(provision.span.start, provision.children[0].span.start), provision)
            yield from _units(provision.children)


def anchor(label: str) -> str:
    """Return the id of a provision on the page."""
    return f"p-{label}"


def sections(regulation: Regulation) -> list[Provision]:
    """Return the uppermost 编章节 of a text, where it has any."""
    return [provision for provision in regulation.provisions if provision.level in HEADINGS]


def figures(regulation: Regulation) -> list[tuple[str, str]]:
    """Return how many provisions of each kind a text has, and how much of it stands inside one."""
    counts = Counter(provision.level for provision in regulation.walk())
    summary = "、".join(f"{counts[level]} {level.value}" for level in Level if counts[level])
    inside = sum(_solid(block.span.of(regulation.text)) for block in blocks(regulation) if block.provision)
    whole = _solid(regulation.text)
    return [
        ("结构", summary or "没有读出条文"),
        ("条文覆盖", f"{inside / whole:.1%} 的字在条文之内，其余为标题、通知与落款" if whole else ""),
    ]


def _solid(text: str) -> int:
    return sum(not character.isspace() for character in text)


def page(regulation: Regulation, target: Span | None, words: str = "", within: Span | None = None) -> str:
    """Return the text as HTML.

    Args:
        regulation: What to show.
        target: Place to mark and to scroll to.
        words: Every occurrence is marked, letter case aside.
        within: Show only the blocks of this stretch.
    """
    wanted = [block for block in blocks(regulation) if within is None or within.overlaps(block.span)]
    shown = [_html(regulation, block, target, words) for block in wanted]
    return f'<div class="law">{"".join(shown)}</div>'


def _html(regulation: Regulation, block: Block, target: Span | None, words: str) -> str:
    text = _text(regulation, block, target)
    if not text.strip():
        return ""
    inside = target is not None and target.overlaps(block.span)
    marks = [target.shift(-block.span.start)] if inside and target else []
    body = _marked(text, [m for m in marks if m.start > 0 or m.end < len(text)], words)
    body = "".join(f'<p class="flaw">{safe.text(summary)}</p>' for summary in flaws(regulation, block.span)) + body
    if block.provision is None:
        return f'<div class="between">{body}</div>'
    classes = "block head" if block.heading else "block"
    label = block.provision.label
    hot = ' data-target="1"' if inside and target and target.start >= block.span.start else ""
    here = urlencode({"r": regulation.id, "label": label})
    link = f'<a class="permalink" href="?{safe.text(here)}" target="_self" title="本条的永久链接">#</a>'
    chosen = " chosen" if inside else ""
    return f'<div class="{classes}{chosen}" id="{safe.text(anchor(label))}"{hot}>{link}{body}</div>'


def flaws(regulation: Regulation, span: Span) -> list[str]:
    """Return what was found wrong with the text within ``span``, in the words for the reader."""
    return [fault.message for fault in regulation.faults if fault.span is not None and fault.span.overlaps(span)]


def _text(regulation: Regulation, block: Block, target: Span | None) -> str:
    """Return what is shown of a block: every character of a provision and of what holds the place to mark.

    Of the rest of a Markdown file, nothing of the format's own marks.
    """
    text = block.span.of(regulation.text)
    held = block.provision is not None or (target is not None and target.overlaps(block.span))
    if not held and regulation.parser.startswith("markdown"):
        return _MARKDOWN.sub("", text)
    return text


def _marked(text: str, target: Sequence[Span], words: str) -> str:
    text = text.rstrip("\n")
    if words:
        return safe.marked(text, occurrences(text, words), "found")
    return safe.marked(text, target, "hit")


def occurrences(text: str, words: str) -> list[Span]:
    """Return where ``words`` stands in ``text``, letter case aside, without overlaps."""
    found: list[Span] = []
    haystack, needle = text.lower(), words.lower()
    if len(haystack) != len(text):  # a few letters change length in lower case; offsets would lie
        haystack, needle = text, words
    at = haystack.find(needle) if needle else -1
    while at >= 0:
        found.append(Span(at, at + len(needle)))
        at = haystack.find(needle, at + len(needle))
    return found


def outline(regulation: Regulation, current: str = "", away: bool = False) -> str:
    """Return the table of contents: 编章节 with their articles' numbers, or the entries of an outline document.

    Args:
        regulation: The text.
        current: Label of the provision to mark.
        away: The text itself is on another page, so the links lead there.
    """
    lines = [_entry(block, regulation, current, away) for block in blocks(regulation) if block.provision is not None]
    return f'<nav class="outline" aria-label="目录">{"".join(lines)}</nav>'


def _entry(block: Block, regulation: Regulation, current: str, away: bool) -> str:
    provision = block.provision
    assert provision is not None
    first = block.span.of(regulation.text).strip().split("\n", 1)[0]
    head = f"{provision.number} {provision.heading}".strip() or provision.step or first
    words = head if len(head) <= 24 else head[:23] + "…"
    classes = ("head " if block.heading else "") + (
        "chosen" if provision.label in (current, current.split("-")[0]) else ""
    )
    here = f"#{anchor(provision.label)}"
    there = f"library?{urlencode({'r': regulation.id, 'label': provision.label})}"
    summary = "；".join(flaws(regulation, block.span))
    flaw = (
        f' <span class="flaw" role="img" aria-label="{safe.text(summary)}" title="{safe.text(summary)}">!</span>'
        if summary
        else ""
    )
    return f'<a class="{classes.strip()}" href="{safe.text(there if away else here)}">{safe.text(words)}{flaw}</a>'


def around(regulation: Regulation, span: Span) -> str:
    """Return the block that holds ``span`` with the stretch marked, and its neighbours, paler."""
    whole = [block for block in blocks(regulation) if _text(regulation, block, span).strip()]
    held = [i for i, block in enumerate(whole) if block.span.overlaps(span)]
    if not held:
        return ""
    first, last = held[0], held[-1]
    shown = ""
    for i in range(max(0, first - 1), min(len(whole), last + 2)):
        block = whole[i]
        text = _text(regulation, block, span).rstrip("\n")
        body = safe.marked(text, [span.shift(-block.span.start)] if i in held else [])
        shown += f'<div class="block{"" if i in held else " pale"}">{body}</div>'
    return f'<div class="law near">{shown}</div>'
