"""Texts by their numbers in a question: of a document, of the order that issued it, of a standard (发文字号、令号、标准号)."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from nemo.rules import Rules
from nemo.store.catalogue.rows import RegulationRow
from nemo.store.library import Library
from nemo.text.words.numerals import NUMERAL, parse_number
from nemo.text.words.tokenise import terms
from nemo.types import Filters, Mention, Span

HAN = "[\u4e00-\u9fa5]"
DOCUMENT_NUMBER = re.compile(rf"{HAN}{{2,14}}[〔\[（(﹝【]\s*(?:19|20)\d{{2}}\s*[〕\]）)﹞】]\s*第?\s*\d{{1,5}}\s*号")
SHORT_NUMBER = re.compile(r"(?<!\d)第?(?P<n>\d{1,5})号文")
BODY = rf"(?:(?:中华人民共和国|国家)?主席|国务院|{HAN}{{1,14}}(?:部|委|委员会|局|署|政府))"
YEAR = r"(?:[〔(（]?(?P<{}>(?:19|20)\d{{2}})[〕)）]?年?)?"
COUNT = rf"(?:\d{{1,5}}|[{NUMERAL}]{{1,6}})"
ORDER = re.compile(
    rf"(?:(?P<by>{BODY})?令{YEAR.format('year')}第?(?P<n>{COUNT})号(?!令)"
    rf"|(?P<by_end>{BODY})?{YEAR.format('year_end')}(?<!\d)第?(?P<n_end>{COUNT})号令)"
)
"""An order of a body by its number, either way round: 国务院令第432号, 主席令第七十三号, 国务院第432号令, 432号令."""
ISSUED = re.compile(rf"{HAN}{{2,40}}令{YEAR.format('year')}第{COUNT}号(?=(?:第.{{1,2}}次)?(?:公布|发布|颁布|修订))")
"""The order that issued or wholly revised a text, in the words that prove its days; a decision that changes many is none."""
STANDARD = re.compile(
    r"(?<![A-Za-z])((?:GB|DL|NB|HJ|SL|JB|DB\d{2}|Q/GDW|Q/CSG|T/CEC)(?:/[TZ])?)\s*(\d{2,6}(?:\.\d+)?)", re.IGNORECASE
)

RECORDED = re.compile(rf"(?:^|(?<=[号布订正过]))(?:19|20)\d{{2}}年\d{{1,2}}月\d{{1,2}}日({ISSUED.pattern})")
"""An order in the record of a text's versions, behind its day; one that an article repeals stands otherwise."""
LOOKED = 20
"""Passages nearest by words to a number among which a text that records it is looked for."""


class NumberFinder:
    """Finds the numbers of texts in a question, with the held texts that bear them."""

    def __init__(self, rules: Rules, numbers: Iterable[tuple[str, str]] = ()) -> None:
        """Keep pairs (regulation id, number), newest text first."""
        self._rules = rules
        self._of: dict[str, tuple[str, ...]] = {}
        for i, number in numbers:
            self._of[i] = (*self._of.get(i, ()), squeeze(number))

    def following(self, held: Iterable[tuple[str, Sequence[str] | None]]) -> NumberFinder:
        """Return the look-up for pairs (regulation id, its numbers, None where they are known already)."""
        made = copy.copy(self)
        made._of = {i: self._of.get(i, ()) if new is None else tuple(map(squeeze, new)) for i, new in held}
        return made

    def find(self, text: str, named: Sequence[Span]) -> Iterator[tuple[Span, tuple[str, ...]]]:
        """Return each number with the ids of its texts; one inside a name of a text (9号文) is a part of that name."""
        taken = list(named)
        for match in DOCUMENT_NUMBER.finditer(text):
            taken.append(Span(*match.span()))
            key = squeeze(match.group())  # words before a number (见演发改…) are no part of it
            yield (
                taken[-1],
                tuple(i for i, held in self._of.items() if any(key.endswith(n) or n.endswith(key) for n in held)),
            )
        for match in SHORT_NUMBER.finditer(text):
            span = Span(*match.span())
            if not any(other.overlaps(span) for other in taken):
                yield span, self._like(re.compile(rf"(?<!\d){match['n']}号$"))
        for match in ORDER.finditer(text):
            order = OrderNumber.of(match, self._rules)
            if not any(other.overlaps(order.span) for other in taken):
                yield order.span, tuple(i for i, all_ in self._of.items() if any(map(order.is_named, all_)))

    def standards(self, text: str) -> Iterator[Mention]:
        """Return the standards that a question names."""
        for match in STANDARD.finditer(text):
            ids = self._like(re.compile(rf"{re.escape(squeeze(match.group()))}(?!\d)", re.IGNORECASE))
            yield Mention(match.group(), regulation_ids=ids)

    def _like(self, number: re.Pattern[str]) -> tuple[str, ...]:
        return tuple(i for i, held in self._of.items() if any(map(number.search, held)))


@dataclass(frozen=True, slots=True)
class OrderNumber:
    """The number of an order: who gave it, if that is said, in which year, which one."""

    span: Span
    bodies: frozenset[str]
    year: str | None
    number: int | None
    rules: Rules

    @classmethod
    def of(cls, found: re.Match[str], rules: Rules) -> OrderNumber:
        """Read a match of :data:`ORDER`; words before the name of a body (依据国务院) are no part of it."""
        said = found["by"] or found["by_end"] or ""
        known = [(at, issuer.name) for at, _, issuer in rules.issuer_words.find(said)]
        start = found.start() + (known[0][0] if known else 0)
        bodies = frozenset(name for _, name in known) or frozenset({said[-2:]} - {""})
        return cls(
            Span(start, found.end()),
            bodies,
            found["year"] or found["year_end"],
            parse_number(found["n"] or found["n_end"]),
            rules,
        )

    def is_named(self, number: str) -> bool:
        """Tell whether a held number is this order's."""
        found = ORDER.search(number)
        other = found and OrderNumber.of(found, self.rules)
        return (
            other is not None
            and self.number == other.number
            and (not self.bodies or bool(self.bodies & other.bodies))
            and (self.year is None or other.year is None or self.year == other.year)
        )


def numbers_of(row: RegulationRow) -> tuple[str, ...]:
    """Return the number of a text and those of the orders that its own words say issued it (题注)."""
    said = ("".join((e.words or "").split()) for e in row.validity.evidence)
    orders = (match.group() for words in said for match in ISSUED.finditer(words))
    return tuple(dict.fromkeys((*filter(None, [row.document_number]), *orders)))


def recorded(number: str, library: Library, rules: Rules) -> list[tuple[RegulationRow, str]]:
    """Return the held texts that were issued or revised by an order that is not their number now, each with its own line on it (沿革)."""
    found = ORDER.search(number)
    if found is None:
        return []
    order, nearest = OrderNumber.of(found, rules), library.by_words(tuple(terms(number)), LOOKED, Filters()).numbers
    chunks = [c for each in nearest.tolist() if (c := library.chunk_at(each)) is not None]
    lines = [
        (library.row(c.regulation_id), line.strip("（）()\u3000 ")) for c in chunks for line in c.text.splitlines()
    ]
    return [each for each in lines if any(order.is_named(m[1]) for m in RECORDED.finditer(squeeze(each[1])))]


def squeeze(text: str) -> str:
    """Return a document or standard number without white space, with one kind of bracket."""
    return re.sub(r"[\[（(﹝【]", "〔", re.sub(r"[\]）)﹞】]", "〕", re.sub(r"\s+", "", text)))
