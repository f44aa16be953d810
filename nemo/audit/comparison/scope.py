"""What a claim is compared with (比对范围)."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from nemo.audit.finding import MemoVerdict, TruePlace, place_in
from nemo.audit.holdings import HeldText, HeldTexts, HeldUnit, smallest
from nemo.audit.keyed import KeyedText, keyed
from nemo.store.catalogue.rows import RegulationRow
from nemo.text.words.linebreaks import joined as unbroken
from nemo.types import Level, Provision, Span

EXCEPTIONS = re.compile("除(?:下列|以下)[^，。；]{1,12}外|(?:下列|以下)情形[^，。；]{0,6}除外")
"""What opens a list of exceptions: it does not say of the items what it says."""


@dataclass(frozen=True, slots=True)
class ScopeVerdict:
    """A verdict with its proof."""

    verdict: MemoVerdict
    true: TruePlace | None
    message: str
    cited: RegulationRow | None = None
    """The version that was cited, where it is not the one that was looked up first."""


@dataclass(frozen=True, slots=True)
class ClaimScope:
    """The cited provisions, with the text they stand in and the older versions under the same numbers."""

    holdings: HeldTexts
    text: HeldText
    provisions: tuple[Provision, ...]
    """Empty where the text as a whole is cited."""
    older: tuple[tuple[HeldText, tuple[Provision, ...]], ...] = ()

    @property
    def source(self) -> str:
        """The whole held text."""
        return self.text.regulation.text

    def span(self) -> Span:
        """Return the stretch from the first cited provision to the last."""
        if not self.provisions:
            return Span(0, len(self.source))
        return Span(min(p.span.start for p in self.provisions), max(p.span.end for p in self.provisions))

    def cited(self) -> KeyedText:
        """Return the cited words."""
        if not self.provisions:
            return self.text.whole
        return joined(self.source, self.stretches())

    def words(self) -> str:
        """Return the cited words as they stand, those of an item (项) with the words its list opens with."""
        words = "\n".join(span.of(self.source) for span in self.stretches()) if self.provisions else self.source
        return unbroken(words)  # a print breaks its lines within a sentence

    def stretches(self) -> list[Span]:
        """Return where the cited words stand, those that open the list of a cited item (项) first."""
        stems = dict.fromkeys(stem for p in self.provisions if (stem := self._stem(p)) is not None)
        return [*stems, *(p.span for p in self.provisions), *self._outcomes()]

    def _outcomes(self) -> Iterator[Span]:
        """Yield what the article of a cited item says of it elsewhere (有前款第八项行为之一的，处…)."""
        for item in self.provisions:
            for unit in self.articles() if item.level is Level.ITEM else ():
                named = re.compile(f"(?<!条)第{item.number.strip('（()）')}项")
                clauses = re.compile("[^。；\n]+").finditer(self.source, *unit.provision.span)
                found = (Span(*m.span()) for m in clauses if named.search(m[0]))
                yield from (span for span in found if not span.overlaps(item.span))

    def _stem(self, provision: Provision) -> Span | None:
        if provision.level not in (Level.ITEM, Level.SUBITEM):
            return None
        above = [p for p in self.text.regulation.chain(provision.span) if provision in p.children]
        stem = Span(above[-1].span.start, above[-1].children[0].span.start) if above else None
        return None if stem and EXCEPTIONS.search(stem.of(self.source)) else stem

    def articles(self) -> list[HeldUnit]:
        """Return the articles around the cited provisions."""
        return [u for u in self.text.units if any(u.provision.span.contains(p.span) for p in self.provisions)]

    def others(self) -> Iterator[HeldUnit]:
        """Yield the units of the text that are not cited."""
        own = {u.provision.label for u in self.articles()}
        yield from (u for u in self.text.units if u.provision.label not in own)

    def part_of_article(self) -> bool:
        """Tell whether a 款 or 项 is cited, not whole articles."""
        return any(p.level in (Level.PARAGRAPH, Level.ITEM, Level.SUBITEM) for p in self.provisions)


def joined(source: str, spans: Iterable[Span]) -> KeyedText:
    """Return several stretches as one text of comparison."""
    parts = [keyed(source, span) for span in spans]
    return KeyedText("".join(p.key for p in parts), tuple(o for p in parts for o in p.offsets))


def place_of(text: HeldText, span: Span, value: str | None = None, wording: str | None = None) -> TruePlace:
    """Return a stretch of a held text as the proof, named by the smallest unit that holds it."""
    regulation = text.regulation
    chain = regulation.chain(Span(span.start, span.start + 1))
    article = next((p for p in chain if p.level is Level.ARTICLE), None) or next(
        (u.provision for u in text.units if u.provision.span.contains(Span(span.start, span.start + 1))), None
    )
    unit = smallest(regulation, span) or article
    made = place_in(
        text.row, (article,) if article else (), wording or span.of(regulation.text), unit.path() if unit else ""
    )
    return TruePlace(made.file, made.title, made.articles, made.label, made.wording, value)
