"""A regulation's text by provisions (条文): all of it in order, with an anchor for each provision."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from nemo.types import CHINA, HEADINGS, Level, Provision, Regulation, Span
from nemo.ui.shared import safe

if TYPE_CHECKING:
    from nemo.store.catalogue.rows import Mark

_MARKDOWN = re.compile(r"<!--(?:(?!<!--).)*?-->|^#{1,6}(?:[ \t]+|$)", re.DOTALL | re.MULTILINE)
"""Marks of the file's format that no reader of the rule is meant to see."""


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
    line = "、".join(f"{counts[level]} {level.value}" for level in Level if counts[level])
    inside = sum(_solid(block.span.of(regulation.text)) for block in blocks(regulation) if block.provision)
    whole = _solid(regulation.text)
    return [
        ("结构", line or "没有读出条文"),
        ("条文覆盖", f"{inside / whole:.1%} 的字在条文之内，其余为标题、通知与落款" if whole else ""),
    ]


def _solid(text: str) -> int:
    return sum(not character.isspace() for character in text)


def page(
    regulation: Regulation, target: Span | None, words: str = "", within: Span | None = None, notes: Sequence[Mark] = ()
) -> str:
    """Return the text as HTML, or only the blocks of ``within``.

    ``target`` is marked and scrolled to, every occurrence of ``words`` marked, letter case aside; each note stands
    under its provision with its words underlaid.
    """
    lead: list[str] = []
    history: list[str] = []
    shown: list[str] = []
    for block in blocks(regulation):
        if within is not None and not within.overlaps(block.span):
            continue
        drawn = _html(regulation, block, target, words, [n for n in notes if _is_of(n, block)])
        if not drawn:
            continue
        if shown or not (block.provision is None or _is_dated(regulation, block)):
            shown.append(drawn)
        else:
            (lead if block.provision is None else history).append(drawn)
    body = "".join(shown)
    if len(history) >= _FEWEST_DATES:
        opened = " open" if any("data-target" in drawn for drawn in history) else ""
        summary = f"<summary>制定与修改经过（{len(history)} 项）</summary>"
        body = f'<details class="fold history"{opened}>{summary}{"".join(history)}</details>{body}'
    else:
        body = "".join(history) + body
    return f'<div class="law">{"".join(lead)}{body}</div>'


_DATED = re.compile(r"[（(]?\d{4}年\d{1,2}月\d{1,2}日[^\n]{0,200}(?:通过|修正|修订|公布|批准|发布)")
_FEWEST_DATES = 3
"""Blocks from which on the history before the first article is folded."""


def _is_dated(regulation: Regulation, block: Block) -> bool:
    """Tell whether a block says when the text was adopted or amended."""
    return not block.heading and _DATED.match(block.span.of(regulation.text).strip()) is not None


def _is_of(note: Mark, block: Block) -> bool:
    return block.provision is not None and block.provision.label == note.label


def _html(regulation: Regulation, block: Block, target: Span | None, words: str, notes: Sequence[Mark]) -> str:
    text = _text(regulation, block, target)
    if not text.strip():
        return ""
    inside = target is not None and target.overlaps(block.span)
    marks = [target.shift(-block.span.start)] if inside and target else []
    marks = [m for m in marks if m.start > 0 or m.end < len(text)]
    body = _marked(text, [*marks, *(span for n in notes for span in occurrences(text, n.words)[:1])], words)
    body = "".join(f'<p class="flaw">{safe.text(flaw)}</p>' for flaw in flaws(regulation, block.span)) + body
    if block.provision is None:
        return f'<div class="between">{body}</div>'
    body += "".join(_note(note, text) for note in notes)
    classes = "block head" if block.heading else "block"
    label = block.provision.label
    hot = ' data-target="1"' if inside and target and target.start >= block.span.start else ""
    here = urlencode({"r": regulation.id, "label": label})
    link = f'<a class="permalink" href="?{safe.text(here)}" target="_self" title="本条的永久链接">#</a>'
    chosen = " chosen" if inside else ""
    return f'<div class="{classes}{chosen}" id="{safe.text(anchor(label))}"{hot}>{link}{body}</div>'


def _note(note: Mark, text: str) -> str:
    who = f"{note.user or ''} {note.at.astimezone(CHINA):%Y-%m-%d}".strip()
    gone = "（所标文字已不在本条）" if note.words and not occurrences(text, note.words) else ""
    return f'<aside class="note">批注 {safe.name(who)}：{safe.text(note.note)}{gone}</aside>'


def flaws(regulation: Regulation, span: Span) -> list[str]:
    """Return what was found wrong with the text within ``span``, in the words for the reader."""
    return [fault.message for fault in regulation.faults if fault.span is not None and fault.span.overlaps(span)]


def _text(regulation: Regulation, block: Block, target: Span | None) -> str:
    """Return what is shown of a block: every character of a provision and of what holds the place to mark.

    Of the rest of a Markdown file, headings among it, nothing of the format's own marks.
    """
    text = block.span.of(regulation.text)
    held = (block.provision is not None and not block.heading) or (target is not None and target.overlaps(block.span))
    if not held and regulation.parser.startswith("markdown"):
        return _MARKDOWN.sub("", text)
    return text


def _marked(text: str, target: Sequence[Span], words: str) -> str:
    text = text.rstrip("\n")
    if words.strip():
        return safe.paragraph(text, occurrences(text, words), "found")
    return safe.paragraph(text, target, "hit")


def occurrences(text: str, words: str) -> list[Span]:
    """Return where ``words`` stands in ``text``, letter case and white space aside, without overlaps.

    The print breaks a line anywhere, and the page draws no such break: who copies or types the words has none either.
    """
    letters = "".join(words.split())
    return (
        [Span(*found.span()) for found in re.finditer(r"\s*".join(map(re.escape, letters)), text, re.I)]
        if letters
        else []
    )


def outline(regulation: Regulation, current: str = "", away: bool = False) -> str:
    """Return the table of contents: 编章节, folded where they hold many articles, each article with its first words.

    What holds the provision of the label ``current`` is opened; ``away``: the text itself is on another page, so
    the links lead there.
    """
    groups: list[tuple[Block | None, list[Block]]] = [(None, [])]
    for block in blocks(regulation):
        if block.heading:
            groups.append((block, []))
        elif block.provision is not None and not _is_dated(regulation, block):
            groups[-1][1].append(block)
    few = sum(len(entries) for _, entries in groups) <= _MOST_OPEN
    lines = "".join(_group(head, entries, regulation, (current, away, few)) for head, entries in groups)
    return f'<nav class="outline" aria-label="目录">{lines}</nav>'


_MOST_OPEN = 30
"""Articles that are listed unfolded."""
_FIRST_WORDS = 16


def _group(head: Block | None, entries: Sequence[Block], regulation: Regulation, how: tuple[str, bool, bool]) -> str:
    """Return one heading with its articles; ``how`` is the provision to mark, whether links lead away, and open or not."""
    current, away, few = how
    lines = "".join(_entry(block, regulation, current, away) for block in entries)
    if head is None or not entries:
        return lines if head is None else _entry(head, regulation, current, away)
    opened = " open" if few or 'chosen" href' in lines else ""
    inner = ' class="inner"' if head.provision and head.provision.level is Level.SECTION else ""
    return f"<details{inner}{opened}><summary>{safe.text(named(head, regulation))} <span>{len(entries)}</span></summary>{lines}</details>"


def named(block: Block, regulation: Regulation) -> str:
    """Return number and heading of a block; where it has no heading, how its text begins."""
    provision = block.provision
    assert provision is not None
    first = block.span.of(regulation.text).strip()
    if block.heading or provision.heading:
        return f"{provision.number} {provision.heading}".strip() or first.split("\n", 1)[0]
    number = provision.step or provision.number
    begins = " ".join(first.removeprefix(provision.number).split())[: _FIRST_WORDS + 1]
    return f"{number} {begins[:_FIRST_WORDS]}{'…' if len(begins) > _FIRST_WORDS else ''}"


def _entry(block: Block, regulation: Regulation, current: str, away: bool) -> str:
    provision = block.provision
    assert provision is not None
    kinds = "head " * block.heading + "chosen" * (provision.label in (current, current.split("-")[0]))
    here = f"#{anchor(provision.label)}"
    there = f"library?{urlencode({'r': regulation.id, 'label': provision.label})}"
    doubts = "；".join(flaws(regulation, block.span))
    flaw = (
        f' <span class="flaw" role="img" aria-label="{safe.text(doubts)}" title="{safe.text(doubts)}">!</span>'
        if doubts
        else ""
    )
    words = safe.text(named(block, regulation))
    return f'<a class="{kinds.strip()}" href="{safe.text(there if away else here)}" title="{words}">{words}{flaw}</a>'


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
        body = safe.paragraph(text, [span.shift(-block.span.start)] if i in held else [])
        shown += f'<div class="block{"" if i in held else " pale"}">{body}</div>'
    return f'<div class="law near">{shown}</div>'
