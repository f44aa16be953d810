"""How a text speaks of others in passing: short names it gives them (以下简称), and their provisions (本法第六条)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from nemo.text.law.commencement import SELF
from nemo.text.letter.titles import NUMBER, marks
from nemo.text.words.flat import FlatText, flatten
from nemo.text.words.numerals import NUMERAL, article_label, parse_article, parse_number, unit_label
from nemo.types import Span

SHARED_AT_MOST = 20
"""Titles that one short name may stand for."""
_ALIAS = re.compile(
    rf"》(?:（{NUMBER}）|{NUMBER})?(?:（[^（）]{{1,12}}）)?（(?:以下|下文|下)?(?:合?简|统|并)?称(?:为)?(?:新版|新的|原)?"
    r"[“‘\"《]?(?P<a>[^”’\"》）]{2,30})[”’\"》]?）"
)
_UNIT = rf"第[{NUMERAL}]+条(?:之[{NUMERAL}]+(?![款项]))?(?:第[{NUMERAL}]+款)?(?:第[（]?[{NUMERAL}]+[）]?项)?"
_RUN = re.compile(rf"{_UNIT}(?:(?:、|和|及|与|或者|或|以及|至|到){_UNIT})*")
_ONE = re.compile(
    rf"(?P<article>第[{NUMERAL}]+条(?:之[{NUMERAL}]+(?![款项]))?)(?:第(?P<k>[{NUMERAL}]+)款)?(?:第[（]?(?P<i>[{NUMERAL}]+)[）]?项)?"
)
_OWN = re.compile(rf"{SELF}$")
_BOOK_END = re.compile(r"》(?:（[^）]{1,40}）)?$")
_NAME = re.compile(r"[\u4e00-\u9fa5]{1,24}?(?:法典|法|条例|办法|规定|细则|规则|解释|通则|章程|决定)$")
_BEFORE_NAME = re.compile(
    r"^(?:第[一二三四五六七八九十百]+[条款项章节编]|实施|包括|是?指)*(?:.*(?:依照|根据|按照|违反|适用|符合|依据|参照|遵守|执行|援引|触犯|构成|属于|具有|或者|以及|(?<!共)和|及|与|由|除|即|是|的|有|将|在|为))?(?=.{2})"
)


@dataclass(frozen=True, slots=True)
class CrossReference:
    """A provision that a text points to."""

    title: str | None
    """Title or bare name (刑法) of the other text; None for the text itself."""
    label: str
    """Label of the provision as structure gives it: ``6``, ``6-2``, ``6-1-3``; an item without 款 stands in the first."""
    words: str
    span: Span

    @property
    def article(self) -> str:
        """Label of the article."""
        return self.label.split("-")[0]


def aliases(text: str) -> dict[str, str]:
    """Return the short names a text gives to others (《X》（以下简称Y）): short name → full title.

    Short names hold in their own document only. One name for several titles keeps them all, joined by 、.
    """
    return {name: "、".join(titles) for name, titles in aliased_titles(text).items()}


def aliased_titles(text: str) -> dict[str, list[str]]:
    """Return the short names a text gives to others with the one or more titles each stands for."""
    flat = flatten(text)
    found: dict[str, list[str]] = {}
    by_end = {mark.end: index for index, mark in enumerate(marks(flat))}
    for match in _ALIAS.finditer(flat.text):
        index = by_end.get(match.start() + 1)
        if index is not None:
            name = re.sub(r"^(?:新版|原)", "", match["a"]).strip("“《")
            found.setdefault(name, _adjacent(flat, index))
    return found


def _adjacent(flat: FlatText, index: int) -> list[str]:
    """Return the title at ``index`` and those written right before it (《A》、《B》)."""
    row = marks(flat)
    titles = [row[index].title]
    while (
        index
        and len(titles) < SHARED_AT_MOST
        and re.fullmatch(r"(?:（[^）]*）)?[、和及]?", flat.text[row[index - 1].end : row[index].start])
    ):
        index -= 1
        titles.insert(0, row[index].title)
    return titles


def cross_references(text: str, span: Span) -> list[CrossReference]:
    """Return the provisions that ``span`` points to, in text order."""
    flat = flatten(text)
    start, end = flat.place(span.start), flat.place(span.end)
    names = aliases(text)
    found = [ref for match in _RUN.finditer(flat.text, start, end) for ref in _references(flat, match, names)]
    return sorted(found, key=lambda ref: ref.span)


def _references(flat: FlatText, run: re.Match[str], names: Mapping[str, str]) -> Iterator[CrossReference]:
    """Yield the provisions of a run that shares one head: 本法第十条、第十一条."""
    before = flat.text[max(0, run.start() - 120) : run.start()]
    head = _head(before, names)
    heads_line = flat.opens_line(run.start()) and not (head and before.endswith(("》", "）")))
    if heads_line or (head == "" and before.endswith("#")):
        return
    units = list(_ONE.finditer(flat.text, run.start(), run.end()))
    for index, unit in enumerate(units):
        label = _label(unit)
        if label:
            yield CrossReference(
                head or None, label, flat.words(unit.start(), unit.end()), flat.span(unit.start(), unit.end())
            )
        joined = flat.text[unit.end() : units[index + 1].start()] if index + 1 < len(units) else ""
        if joined in ("至", "到"):
            yield from _between(flat, unit, units[index + 1], head)


def _between(flat: FlatText, first: re.Match[str], last: re.Match[str], head: str) -> Iterator[CrossReference]:
    """Yield the articles that 第五条至第八条 means without naming them."""
    low, high = parse_article(first["article"]), parse_article(last["article"])
    if low and high and 0 < high[0] - low[0] <= 100:
        span = flat.span(first.start(), last.end())
        for number in range(low[0] + 1, high[0]):
            yield CrossReference(head or None, article_label(number), span.of(flat.source), span)


def _head(before: str, names: Mapping[str, str]) -> str:
    """Return the title a run of articles belongs to; empty for the text itself."""
    if _BOOK_END.search(before):
        book = re.search(r"《((?:[^《》]|《[^《》]*》)+)》(?:（[^）]*）)?$", before)
        title = book[1] if book else ""
        return names.get(title, title)
    if _OWN.search(before):
        return ""
    named = next((name for name in sorted(names, key=len, reverse=True) if before.endswith(name)), None)
    if named is not None:
        return names[named]
    bare = _NAME.search(re.split(r"[^\u4e00-\u9fa5]", before)[-1])
    name = _BEFORE_NAME.sub("", bare[0]) if bare else ""
    return (
        name
        if len(name) >= 2 and not re.fullmatch(r"(?:本|该|其|此|上述|有关|相关|法律|前述|下列|以下).*", name)
        else ""
    )


def _label(unit: re.Match[str]) -> str:
    number = parse_article(unit["article"])
    return "" if number is None else _within(article_label(*number), unit)


def _within(article: str, named: re.Match[str]) -> str:
    return unit_label(article, *(parse_number(words) if words else None for words in named.group("k", "i")))
