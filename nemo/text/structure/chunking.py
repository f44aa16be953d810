"""Retrievable slices: one per article, long ones by 款 and 项 (片段)."""

import re
from collections.abc import Iterator, Sequence

from nemo.text.structure.tables import tables
from nemo.text.words.normalise import simplified
from nemo.types import HEADINGS, Chunk, Level, Provision, Span

LONG = 800
"""Characters above which a provision is split."""
_HARD = 1200
"""Characters above which even a single paragraph is split, at sentence ends."""
_SENTENCE = re.compile(r"[。；！？][”’」』）)]*\s*")
_SUBSTANTIAL = re.compile(r"[。；]")
_SHORT = 60
_CONTAINERS = (*HEADINGS, Level.ANNEX)


def chunks(regulation_id: str, text: str, provisions: Sequence[Provision]) -> list[Chunk]:
    """Return the slices of a regulation in text order, without overlap.

    What lies between them is only headings, markup and white space. An article is one slice unless it is long; an
    outline is cut by item; paragraphs outside both are slices of their own, short lines together. Each row of a table
    is a slice; its caption, unit, header and group rows are headings.
    """
    return [chunk_of(regulation_id, text, span, label) for label, span in _pieces(simplified(text), provisions)]


def chunk_of(regulation_id: str, text: str, span: Span, label: str) -> Chunk:
    """Return a stretch of a regulation's text as a slice of the provision with that label."""
    return Chunk(Chunk.id_of(regulation_id, span), regulation_id, label, span, simplified(span.of(text)))


def _pieces(text: str, provisions: Sequence[Provision]) -> Iterator[tuple[str, Span]]:
    for label, span in _merged(list(_units(text, provisions)), text):
        for piece in _by_row(span, text):
            yield from ((label, part) for part in _cut(piece, text))


def _by_row(span: Span, text: str) -> Iterator[Span]:
    """Cut the tables out of a span: what stands before, each row, what stands after; captions and headers are headings."""
    start = span.start
    for table in tables(text):
        titles = [p for p in (table.caption, table.unit) if p is not None and text[p.end - 1] not in "：:"]
        whole = Span(min([table.span.start, *(p.start for p in titles)]), table.span.end)
        if not whole.overlaps(span):
            continue
        yield from _filled(Span(start, max(start, whole.start)), text)
        yield from (row.span for row in table.rows if span.contains(row.span))
        start = min(max(start, whole.end), span.end)
    yield from _filled(Span(start, span.end), text)


def _filled(span: Span, text: str) -> Iterator[Span]:
    found = _trimmed(span, text)
    if found.start < found.end:
        yield found


def _units(text: str, provisions: Sequence[Provision]) -> Iterator[tuple[Provision, Span]]:
    """Yield the provisions that become slices, each with the part of the text that is its own."""
    for provision in provisions:
        if provision.level in _CONTAINERS or _is_group(provision):
            yield from _container(text, provision)
        elif len(_trimmed(provision.span, text).of(text)) <= LONG or not provision.children:
            yield provision, provision.span
        else:
            yield from _split(text, provision)


def _is_group(provision: Provision) -> bool:
    """Whether an outline node only groups others: a title with items below, or titles over articles."""
    if provision.level is not Level.OUTLINE or not provision.children:
        return False
    return any(child.level in (Level.OUTLINE, Level.ARTICLE) for child in provision.children)


def _is_list(provision: Provision) -> bool:
    """Whether the items of an outline node are mere list entries (1. 2. 3.) below its own words."""
    items = [child for child in provision.children if child.level is Level.OUTLINE]
    return all(not item.children and any(c.isdigit() for c in item.number) for item in items)


def _container(text: str, provision: Provision) -> Iterator[tuple[Provision, Span]]:
    """Yield what a container holds; words of its own before the first child are kept when they are a sentence."""
    if provision.level is Level.OUTLINE:
        limit = LONG if _is_list(provision) else LONG // 2
        small = provision.span.end - provision.span.start <= limit
        if small and all(child.level is not Level.ARTICLE for child in provision.children):
            yield provision, provision.span
            return
        lead = Span(provision.span.start, provision.children[0].span.start)
        if _SUBSTANTIAL.search(lead.of(text)) or not provision.heading:
            yield provision, _trimmed(lead, text)
    if provision.level is Level.ANNEX and not provision.children:
        yield provision, provision.span
    yield from _units(text, provision.children)


def _split(text: str, provision: Provision) -> Iterator[tuple[Provision, Span]]:
    """Yield a long provision in parts of at most ``LONG`` characters where its children allow it."""
    parts = list(_parts(text, provision, provision.span.start))
    start, label = parts[0][1].start, parts[0][0]
    end = start
    for owner, span in parts:
        if end > start and span.end - start > LONG:
            yield label, _trimmed(Span(start, end), text)
            start, label = span.start, owner
        end = span.end
    yield label, _trimmed(Span(start, end), text)


def _parts(text: str, provision: Provision, start: int) -> Iterator[tuple[Provision, Span]]:
    """Yield the finest units of a provision; together they cover it from ``start``."""
    if provision.span.end - start <= LONG // 2 or not provision.children:
        yield provision, Span(start, provision.span.end)
        return
    lead = start
    for index, child in enumerate(provision.children):
        following = provision.children[index + 1].span.start if index + 1 < len(provision.children) else None
        yield from _parts(text, child, lead)
        lead = child.span.end if following is None else following
    if lead < provision.span.end:
        yield provision, Span(lead, provision.span.end)


def _trimmed(span: Span, text: str) -> Span:
    words = span.of(text)
    start = span.start + len(words) - len(words.lstrip())
    return Span(start, max(start, span.start + len(words.rstrip())))


def _merged(units: Sequence[tuple[Provision, Span]], text: str) -> Iterator[tuple[str, Span]]:
    """Join runs of short lines outside articles (title, 文号, signature, date) to one slice."""
    held: tuple[str, Span] | None = None
    for provision, span in units:
        if not span.of(text).strip():
            continue
        if provision.level is Level.PREAMBLE and _is_slight(span, text):
            if held is not None and span.end - held[1].start <= LONG // 2:
                held = (held[0], Span(held[1].start, span.end))
                continue
            if held is not None:
                yield held
            held = (provision.label, span)
            continue
        if held is not None:
            yield held
            held = None
        yield provision.label, span
    if held is not None:
        yield held


def _is_slight(span: Span, text: str) -> bool:
    return span.end - span.start < _SHORT and not _SUBSTANTIAL.search(span.of(text))


def _cut(span: Span, text: str) -> Iterator[Span]:
    """Cut a very long span at sentence ends."""
    start = span.start
    while span.end - start > _HARD:
        ends = [start + m.end() for m in _SENTENCE.finditer(text[start : start + LONG])]
        end = ends[-1] if ends else start + LONG
        yield _trimmed(Span(start, end), text)
        start = end
    rest = _trimmed(Span(start, span.end), text)
    if rest.end > rest.start:
        yield rest
