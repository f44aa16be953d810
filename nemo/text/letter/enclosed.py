"""Parts the papers of one file: a covering notice (通知) and the rules it encloses (所附办法), the rules of a collection (汇编), letters
one behind the other (公报、转发), a rule and what interprets it (解读).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from nemo.text.letter.form import LetterLine, issued_titles, letter_heads, lines, title_of
from nemo.text.letter.signature import signature_of
from nemo.text.letter.titles import looks_like_title, marks, masked, tidy
from nemo.text.words.flat import flatten
from nemo.text.words.normalise import title_key
from nemo.types import Page, ParsedDocument, Span

_BODY = re.compile(
    r"第[一1](?:章|条|部分|节)|一、|1(?:\.1)?[.．、]?[\u4e00-\u9fa5]|总则|前言|为(?:了|进一步|深入|全面|加快|贯彻|规范|落实|做好|推动)?|根据|按照|"
    r"（(?:经)?(?:19|20)\d{2}年"
)
_ARTICLE = re.compile(r"(?m)^[ \t\u3000#]*第[一二三四五六七八九十百\d.．]+条")
_OUTLINE = re.compile(
    r"(?m)^[ \t\u3000#]*(?:[一二三四五六七八九十]+、|（[一二三四五六七八九十]+）|\d{1,2}(?:\.\d{1,2})+\s*[\u4e00-\u9fa5])"
)
_HEADING = re.compile(r"附\s*件\s*[\d一二三四五六七八九十]*\s*[:：.]?")
_SKIPPED = re.compile(
    rf"{_HEADING.pattern}|[—–\-－·\s]*\d+[—–\-－·\s]*|[（(][^（）()]{{1,40}}[）)]|目\s*录|目|录|(?:19|20)\d\d\s*年(?:\s*\d+\s*月)?(?:\s*\d+\s*日)?|"
    r".*[.．…·]{6,}.*"
)
"""Lines between the title of an enclosed text and its body: brackets, the month on a cover, a table of contents."""
_LISTED = re.compile(r"附\s*件\s*[:：]")
_LIST_NUMBER = re.compile(r"(?:^|(?<=[》\n；;）)]))\s{0,20}\d{1,2}\s{0,20}[.．、]\s*(?!\d)")
_LIST_REACH = 1500
_TITLE_LINES = 5
_LEAST_BODY, _SHORT_RULE = 200, 4
"""Characters of a rule that is merely listed; a shorter one has at least so many articles or numbered parts."""
_ANEW = re.compile(
    r"《▮+》[^。《》]{0,40}(?:修改|修订|修正|调整)[^。《》]{0,20}重新(?:公布|发布|印发)|"
    r"(?:修改|修订|修正|调整)后的《▮+》[^。《》]{0,20}重新(?:公布|发布|印发)"
)
_FIRST = re.compile(r"第[一1]条(?=[ \t\u3000\xa0])")
_OPENING = re.compile(r"第[一1][章节编]|总\s*则$")
_RULE_TITLE = re.compile(
    r"[^。；：，《》|]{4,50}(?:条例|规定|办法|细则|规则|规程|准则|制度)(?:[（(][^（()）]{1,16}[）)])?"
)
_INTERPRETS = re.compile(r"(?:《[^《》]{4,80}》)?的?(?:政策|部门|文件|专家|媒体|文字|权威)?(?:解读|问答|答记者问)")
"""The heading of what interprets the rule above it on one page."""
_RULE_LINES = 3
"""Lines of the title of a rule in a collection."""


@dataclass(frozen=True, slots=True)
class _Start:
    """Where an enclosed text begins."""

    place: int
    title: str
    issued: bool = False
    """The notice issues it; what it merely lists or carries must have a longer body."""


def split_enclosed(parsed: ParsedDocument) -> list[ParsedDocument]:
    """Return the papers of a file in text order, the rules that a notice encloses behind it; the document alone when it holds only one.

    Each part's text is a slice of the whole; pages are carried along with their spans moved. An enclosed rule keeps the
    notice in its ``margin``, from where its number, issuer and day of signing are read. A rule is parted only when it
    opens with the very title that the notice issues and has a body of its own: in doubt the file stays whole.
    """
    cuts = [*_further(parsed.text, parsed.title or ""), _Start(len(parsed.text), "")]
    parts = _with_enclosed(_part(parsed, 0, cuts[0].place) if cuts[1:] else parsed)
    for start, end in pairwise(cuts):
        own = replace(_part(parsed, start.place, end.place), title=start.title or None, margin=())
        parts += _with_enclosed(own) if not start.title else [own]
    return parts


def is_enclosed(part: ParsedDocument, cover: ParsedDocument) -> bool:
    """Tell whether a part of a file is a rule that the notice ``cover`` encloses."""
    return part.margin[-1:] == (cover.text,)


def _further(text: str, named: str) -> list[_Start]:
    """Return where papers behind the first one begin: letters, each signed for itself, and what interprets the text above it,
    which has a title here for want of the form of a letter.
    """
    rows = list(lines(text))
    cuts = [0]
    for at in letter_heads(rows):
        if signature_of(text[cuts[-1] : rows[at].span.start]) is not None:
            cuts.append(rows[at].span.start)
    if len(cuts) > 1 and signature_of(text[cuts[-1] :]) is None:
        cuts.pop()
    found = [_Start(place, "") for place in cuts[1:]]
    own = title_of(text[cuts[-1] :])
    title = own.words if own else named
    told = [line for line in rows if line.span.start > cuts[-1] and _INTERPRETS.fullmatch(line.text)]
    if (
        told
        and not _INTERPRETS.search(title)
        and _is_read_apart(text[cuts[-1] : told[0].span.start], text[told[0].span.end :])
    ):
        words = told[0].text
        found.append(_Start(told[0].span.start, words if "《" in words else f"《{title}》{words}"))
    return found


def _is_read_apart(above: str, below: str) -> bool:
    """Tell whether a paper stands above and prose that sets no provisions below."""
    paper = signature_of(above) is not None or len(_ARTICLE.findall(above)) > 1
    return (
        paper
        and len(below) > _LEAST_BODY // 4
        and "。" in below
        and not _ARTICLE.search(below)
        and signature_of(below) is None
    )


def _with_enclosed(parsed: ParsedDocument) -> list[ParsedDocument]:
    text = parsed.text
    signature = signature_of(text)
    place = signature.span if signature is not None else _anew(text)
    starts = _enclosed(text, place) if place is not None else []
    if not starts:
        return _collected(parsed) or [parsed]
    cuts = [0, *(start.place for start in starts), len(text)]
    parts = [replace(_part(parsed, cuts[0], cuts[1]), title=_own_hint(parsed.title, starts))]
    cover = text[: cuts[1]]
    for start, end in zip(starts, cuts[2:], strict=True):
        parts.append(replace(_part(parsed, start.place, end), title=start.title, margin=(*parsed.margin, cover)))
    return parts


def _enclosed(text: str, signature: Span) -> list[_Start]:
    """Return where the rules begin that a notice with this signature encloses."""
    named = issued_titles(text[: signature.end]) or _republished(text[: signature.end])
    listed = _listed(text, signature)
    firm = {title_key(title) for title in (*named, *(listed if named else ()))}
    issued = firm | {title_key(title) for title in listed}
    found = list(_starts(text, signature.end, issued)) or list(_under_heading(text, signature.end))
    starts = [replace(start, issued=title_key(start.title) in firm) for start in found]
    ends = (start.place for start in (*starts[1:], _Start(len(text), "")))
    return [
        start
        for start, end in zip(starts, ends, strict=False)
        if _has_body(text[start.place : end], issued=start.issued)
    ]


def _republished(text: str) -> list[str]:
    """Return the title of the text that a decision says it publishes anew (《X》根据本决定作相应修改，重新公布)."""
    anew = _anew(text)
    return [mark.title for mark in marks(flatten(anew.of(text)))[:1]] if anew else []


def _anew(text: str) -> Span | None:
    """Return the words that say so; a decision of a congress is signed by nobody, they are its last."""
    flat = flatten(text)
    found = _ANEW.search(masked(flat))
    return flat.span(*found.span()) if found else None


def _collected(parsed: ParsedDocument) -> list[ParsedDocument]:
    """Return the rules of a collection, one each; empty for a file that holds no more than one.

    Every 第一条 must stand below the title of a rule of its own; cover and contents are no part of any.
    """
    row = list(lines(parsed.text))
    firsts = [index for index, line in enumerate(row) if _FIRST.match(line.text)]
    starts = [start for index in firsts if (start := _title_above(row, index)) is not None]
    if len(firsts) < 2 or len({title_key(start.title) for start in starts}) < len(firsts):
        return []
    ends = [*(start.place for start in starts[1:]), len(parsed.text)]
    parts = [
        replace(_part(parsed, start.place, end), title=start.title) for start, end in zip(starts, ends, strict=True)
    ]
    return parts if all(_has_body(part.text) for part in parts) else []


def _title_above(row: Sequence[LetterLine], first: int) -> _Start | None:
    """Return the title of a rule right above its 第一条 (row ``first``), None for an annex or anything else."""
    at = first - 1
    while at >= 0 and (_SKIPPED.fullmatch(row[at].text) or _OPENING.match(row[at].text)):
        at -= 1
    for size in range(1, 1 + min(_RULE_LINES, at + 1)):
        taken = row[at + 1 - size : at + 1]
        title = tidy("".join(line.text for line in taken))
        above = row[at - size].text if at >= size else ""
        if _RULE_TITLE.fullmatch(title) and not _HEADING.match(title) and not _HEADING.fullmatch(above):
            return _Start(taken[0].span.start, title)
    return None


def _own_hint(title: str | None, starts: Sequence[_Start]) -> str | None:
    """Return the container's title for the notice, unless it is that of a rule it encloses: they never share one."""
    return None if title and title_key(title) in {title_key(start.title) for start in starts} else title


def _listed(text: str, signature: Span) -> list[str]:
    """Return the titles that the list of annexes (附件：1.… 2.…) names; it stands before or behind the signature."""
    found = _LISTED.search(text, 0, signature.end + _LIST_REACH)
    if found is None:
        return []
    stop = signature.start if found.start() < signature.start else found.end() + _LIST_REACH
    heading = next((x for x in lines(text, found.end(), stop) if _HEADING.fullmatch(x.text)), None)
    words = text[found.end() : heading.span.start if heading else stop]
    entries = (tidy(entry).strip("《》") for entry in _LIST_NUMBER.split(words.strip()))
    return [entry for entry in entries if 4 <= len(entry) <= 100 and looks_like_title(entry)]


def _under_heading(text: str, after: int) -> Iterator[_Start]:
    """Yield the rule under the one heading 附件, where a notice names what it encloses otherwise than that names itself."""
    heads = [line for line in lines(text, after) if re.fullmatch(r"附\s*件\s*[:：]?", line.text)]
    if len(heads) != 1:
        return
    begins = heads[0].span.end
    title = title_of(text[begins : begins + 600])
    if title is not None and len(list(lines(text, begins, begins + title.span.start))) <= 1:
        yield _Start(begins + title.span.start, title.words)


def _starts(text: str, after: int, issued: set[str]) -> Iterator[_Start]:
    """Yield the places after the signature where lines make an issued title and a body follows."""
    row = list(lines(text, after))
    for index, line in enumerate(row if issued else ()):
        for size in range(1, _TITLE_LINES + 1):
            taken = row[index : index + size]
            if len(taken) < size:
                break
            title = re.sub(rf"^{_HEADING.pattern}", "", tidy("".join(x.text for x in taken)))
            if len(title) > 100:
                break
            if title_key(title) in issued and _opens_body(row[index + size : index + size + 60], title):
                yield _Start(line.span.start, title)
                issued = issued - {title_key(title)}
                break


def _opens_body(following: Sequence[LetterLine], title: str) -> bool:
    """Tell whether what follows a title is a body: chapters, articles, a preamble, 一、; not the next line of a list."""
    for line in following:
        if _SKIPPED.fullmatch(line.text):
            continue
        return _BODY.match(flatten(line.text).text) is not None or len(line.text) > 24
    return False


def _has_body(text: str, *, issued: bool = False) -> bool:
    least = _SHORT_RULE if len(flatten(text).text) < _LEAST_BODY and not issued else 2
    return len(_ARTICLE.findall(text)) >= least or len(_OUTLINE.findall(text)) >= least


def _part(parsed: ParsedDocument, start: int, end: int) -> ParsedDocument:
    span = Span(start, end)
    return replace(parsed, text=span.of(parsed.text), pages=tuple(_pages(parsed.pages, span)))


def _pages(pages: Sequence[Page], span: Span) -> Iterator[Page]:
    """Yield the pages a part touches, cut to it and moved to its own offsets."""
    for page in pages:
        if page.span.overlaps(span):
            cut = Span(max(page.span.start, span.start), min(page.span.end, span.end))
            yield replace(page, span=cut.shift(-span.start))
