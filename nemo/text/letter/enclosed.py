"""Parts a covering notice (通知) from the rule it encloses (所附办法) when one file holds both."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from nemo.text.letter.form import LetterLine, issued_titles, lines
from nemo.text.letter.signature import signature_of
from nemo.text.letter.titles import tidy
from nemo.text.words.flat import flatten
from nemo.text.words.normalise import title_key
from nemo.types import Page, ParsedDocument, Span

_BODY = re.compile(r"第[一1](?:章|条|部分|节)|一、|总则|为(?:了)?|根据|按照|（(?:经)?(?:19|20)\d{2}年")
_ARTICLE = re.compile(r"(?m)^[ \t\u3000#]*第[一二三四五六七八九十百\d]+条")
_OUTLINE = re.compile(r"(?m)^[ \t\u3000#]*(?:[一二三四五六七八九十]+、|（[一二三四五六七八九十]+）)")
_SKIPPED = re.compile(r"附\s*件\s*[\d一二三四五六七八九十]*\s*[:：.]?|[—–\-－·\s]*\d+[—–\-－·\s]*")
_TITLE_LINES = 5
_LEAST_BODY = 200


@dataclass(frozen=True, slots=True)
class _Start:
    """Where an enclosed text begins."""

    place: int
    title: str


def split_enclosed(parsed: ParsedDocument) -> list[ParsedDocument]:
    """Return the covering notice and the rules it encloses, in text order; the document alone when it holds only one text.

    Each part's text is a slice of the whole; pages are carried along with their spans moved. An enclosed rule keeps the
    notice in its ``margin``, from where its number, issuer and day of signing are read. A rule is parted only when it
    opens with the very title that the notice issues and has a body of its own: in doubt the file stays whole.
    """
    text = parsed.text
    signature = signature_of(text)
    if signature is None:
        return [parsed]
    notice = text[: signature.span.end]
    issued = {title_key(title) for title in issued_titles(notice)}
    starts = [s for s in _starts(text, signature.span.end, issued) if _has_body(text[s.place :])] if issued else []
    if not starts:
        return [parsed]
    cuts = [0, *(start.place for start in starts), len(text)]
    parts = [replace(_part(parsed, cuts[0], cuts[1]), title=parsed.title)]
    cover = text[: cuts[1]]
    for start, end in zip(starts, cuts[2:], strict=True):
        parts.append(replace(_part(parsed, start.place, end), title=start.title, margin=(*parsed.margin, cover)))
    return parts


def _starts(text: str, after: int, issued: set[str]) -> Iterator[_Start]:
    """Yield the places after the signature where lines make an issued title and a body follows."""
    row = list(lines(text, after))
    for index, line in enumerate(row):
        for size in range(1, _TITLE_LINES + 1):
            taken = row[index : index + size]
            if len(taken) < size:
                break
            title = tidy("".join(x.text for x in taken))
            if len(title) > 100:
                break
            if title_key(title) in issued and _opens_body(row[index + size : index + size + 4], title):
                yield _Start(line.span.start, title)
                issued = issued - {title_key(title)}
                break


def _opens_body(following: Sequence[LetterLine], title: str) -> bool:
    """Tell whether what follows a title is a body: chapters, articles, a preamble, 一、; not the next line of a list."""
    for line in following:
        if _SKIPPED.fullmatch(line.text) or re.fullmatch(r"[（(][^（）()]{1,40}[）)]|目\s*录", line.text):
            continue
        return _BODY.match(flatten(line.text).text) is not None or len(line.text) > 24
    return False


def _has_body(text: str) -> bool:
    if len(flatten(text).text) < _LEAST_BODY:
        return False
    return len(_ARTICLE.findall(text)) >= 2 or len(_OUTLINE.findall(text)) >= 2


def _part(parsed: ParsedDocument, start: int, end: int) -> ParsedDocument:
    span = Span(start, end)
    return replace(parsed, text=span.of(parsed.text), pages=tuple(_pages(parsed.pages, span)))


def _pages(pages: Sequence[Page], span: Span) -> Iterator[Page]:
    """Yield the pages a part touches, cut to it and moved to its own offsets."""
    for page in pages:
        if page.span.overlaps(span):
            cut = Span(max(page.span.start, span.start), min(page.span.end, span.end))
            yield replace(page, span=cut.shift(-span.start))
