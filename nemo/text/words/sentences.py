"""Cuts a provision into quotable units and keeps a quote safe to rely on.

A quote is never cut so that an exception disappears (docs/architecture.md, promises). The unit is therefore the sentence up to
its full stop, or one item of a list; a unit whose successor opens with a proviso (但书) is joined to it; a unit that
opens with a word that points elsewhere (前款, 其, 该) is shown with what it points to.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nemo.text.words.openings import is_headline, opens_unit
from nemo.types import Level, Provision, Span

STOP = re.compile(r"[。！？!?](?:[”’」』）)]+(?=\s|$)|(?![”’」』）)]))|\n")
"""Where a sentence may end; a full stop inside a quotation that goes on does not end one, see ``_ends_line`` for \\n."""

_CLOSED = re.compile(r"[。；：！？…!?;:][”’」』）)》]*[ \t\u3000\f]*$")
BLANK = " \t\u3000\u200b\ufeff\r\n\f"

PROVISO = re.compile(
    r"[\s（(]*(?:但|然而|不过|除外|除[^。；，]{1,40}外|有下列情形之一的，?(?:可以)?(?:不|免|除外)|"
    r"(?:前[一二三两]?[款项]|上述|以上)(?:规定)?[^。]{0,30}(?:除外|不适用|不受[^。]{0,12}限制)|"
    r"(?:法律|法规|国家|本(?:法|条例|办法|规定|细则))[^。，]{0,30}另有规定|另有规定的)"
)
"""How a sentence opens that takes something away from the one before it."""

POINTS_BACK = re.compile(
    r"[\s（(]*(?:第[一二三四五六七八九十百零〇\d]+条(?:之[一二三四五六七八九十]+)?[\s\u3000]*)?"
    r"(?:其(?!他|中|余|它)|该|此|上述|前述|以上|前[一二三四五两]?[款项条]|本款|依照前|违反前|有前|对前|按照前)"
)
"""How a sentence opens when it cannot be understood without what stands before it."""

POINTS_ON = re.compile(r"(?:下列|以下|如下)[^。；]{0,30}[：:]\s*$")
"""End of a lead-in whose items follow."""


@dataclass(frozen=True, slots=True)
class Unit:
    """The smallest stretch of text that may stand as a quote on its own."""

    span: Span
    provision: Provision
    """The 款, 项 or other leaf it stands in."""
    lead: Span | None = None
    """Lead-in of the list it is an item of (有下列情形之一的：)."""


def trim(text: str, span: Span, blank: str = BLANK) -> Span:
    """Return ``span`` without white space at either end."""
    start, end = span
    while start < end and text[start] in blank:
        start += 1
    while end > start and text[end - 1] in blank:
        end -= 1
    return Span(start, end)


def sentences(text: str, span: Span) -> list[Span]:
    """Split ``span`` of ``text`` into sentences; together they cover every character that is no white space."""
    found: list[Span] = []
    start = span.start
    for match in STOP.finditer(text, span.start, span.end):
        if match[0] == "\n" and not _ends_line(text, Span(start, span.end), match.start()):
            continue
        piece = trim(text, Span(start, match.end()))
        if piece.start < piece.end:
            found.append(piece)
        start = match.end()
    rest = trim(text, Span(start, span.end))
    if rest.start < rest.end:
        found.append(rest)
    return found


def _ends_line(text: str, rest: Span, at: int) -> bool:
    """Tell whether the line end at ``at`` ends a 款, an item or a heading, and is no mere wrap of a printed line.

    A sentence of a PDF runs over lines and pages: it is cut only after a stop, before a number or a blank line, and
    after a heading.
    """
    before = text[max(rest.start, text.rfind("\n", rest.start, at) + 1) : at]
    if not before.strip(BLANK):
        return True
    after = text[at + 1 : min(rest.end, at + 40)].partition("\n")[0].strip(BLANK)
    return not after or _CLOSED.search(before) is not None or opens_unit(after) or is_headline(before.strip(BLANK))


def joined(text: str, pieces: Sequence[Span]) -> list[Span]:
    """Join each sentence with the provisos that follow it, so that no exception is cut off."""
    out: list[Span] = []
    for piece in pieces:
        if out and PROVISO.match(text, piece.start, piece.end):
            out[-1] = Span(out[-1].start, piece.end)
        else:
            out.append(piece)
    return out


def units(text: str, provision: Provision) -> list[Unit]:
    """Return the quotable units of a provision in text order: safe sentences and list items."""
    return list(_units(text, provision))


def _units(text: str, provision: Provision) -> Iterator[Unit]:
    if not provision.children:
        for piece in joined(text, sentences(text, provision.span)):
            yield Unit(piece, provision)
        return
    own = Span(provision.span.start, provision.children[0].span.start)
    lead = trim(text, own)
    is_list = provision.children[0].level in (Level.ITEM, Level.SUBITEM, Level.OUTLINE)
    if lead.start < lead.end and not (is_list and _only_number(text, lead, provision)):
        for piece in joined(text, sentences(text, lead)):
            yield Unit(piece, provision)
    for child in provision.children:
        for unit in _units(text, child):
            yield Unit(unit.span, unit.provision, unit.lead or (lead if is_list and lead.start < lead.end else None))


def _only_number(text: str, lead: Span, provision: Provision) -> bool:
    return lead.of(text).strip() in (provision.number, provision.number + provision.heading)


def safe(text: str, provision: Provision, span: Span) -> Span:
    """Widen ``span`` inside ``provision`` to whole sentences, together with the provisos that follow them.

    Returns:
        The smallest safe span that contains ``span``; it may be the whole provision.
    """
    pieces = joined(text, sentences(text, provision.span))
    touched = [p for p in pieces if p.overlaps(span)]
    if not touched:
        return trim(text, provision.span)
    return Span(touched[0].start, touched[-1].end)


def points_back(text: str, span: Span) -> bool:
    """Tell whether the quote opens with a word that points to what stands before it (前款, 其, 该)."""
    return POINTS_BACK.match(text, span.start, span.end) is not None


def points_on(text: str, span: Span) -> bool:
    """Tell whether the quote is a lead-in whose list follows."""
    return POINTS_ON.search(span.of(text)) is not None
