"""The held texts that alone say what a question says: the name of a plant, a river, a programme (独有之词).

People seldom name a paper by its title; they name what it is on (双河口水电站, 大渡河联合调度). Where pairs of characters of
the question stand in one held text and hardly any other, that text is meant as surely as by its title.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from nemo.answer.judgement import coverage
from nemo.answer.question import rewriting
from nemo.rerank.terms import fold
from nemo.store.catalogue.rows import RegulationRow
from nemo.store.library import Library
from nemo.text.words.tokenise import bigrams
from nemo.types import Day, Filters, Query

SAYS_NO_MATTER = re.compile(
    f"{coverage.NAMES.pattern}|{coverage.ASKING.pattern}|{coverage.SAID_OTHERWISE.pattern}|{coverage.FILLING.pattern}"
)
"""Asks something, or names an amount: a text that says it by chance is not meant."""
FEW = 20
"""Texts in which a pair stands at most to tell them from others."""
CHUNKS = 400
"""Chunks in which a pair is looked for at most: one that stands in more is none of a few texts."""
KEPT = 16_384
"""So many pairs under filters are remembered with the texts that hold them."""
MARGIN = 14.0
"""By how much the logarithms of the odds that a pair stands in a text by chance, summed, are ahead of the next text's. From 10
on 8 of 500 questions of strangers to the text lose their answer, from 14 on 2, and most of what is won stays (docs/experiments.md)."""
MOST = 3
"""So many texts may be told from the others together: a notice, its rule and its annex."""


def pairs(query: Query) -> tuple[str, ...]:
    """Return the pairs of characters by which a question says its matter, each once."""
    return tuple(dict.fromkeys(bigrams(SAYS_NO_MATTER.sub(" ", fold(rewriting.matter(query))))))


def rarity_weights(query: Query, library: Library) -> dict[str, float]:
    """Return by how much the rare pairs of a question tell each held text that says them."""
    said = pairs(query)
    known, weights = library.document_frequency(said), dict[str, float]()
    filters = replace(query.filters, day=None)  # what names an ended text tells none that follows it
    texts = library.view.once(PairTexts)
    for pair in (each for each in said if 0 < known[each] <= CHUNKS):
        found = texts.few(pair, filters, library)
        for each in found:
            weights[each] = weights.get(each, 0.0) + math.log(len(library.headers()) / len(found))
    return weights


class PairTexts:
    """Which few texts hold a pair of characters, looked up once for a state of the library."""

    def __init__(self, _: Sequence[RegulationRow]) -> None:
        self._known: dict[tuple[str, bytes], Sequence[str]] = {}

    def few(self, pair: str, filters: Filters, library: Library) -> Sequence[str]:
        """Return the texts under the filters that hold a pair, none where more than :data:`FEW` do."""
        asked = pair, library.facets.allowed(filters, None).mark
        found = self._known.get(asked)
        if found is None:
            if len(self._known) >= KEPT:
                self._known.clear()
            held = library.texts_with(pair, filters, CHUNKS) or ()
            found = self._known[asked] = held if len(held) <= FEW else ()
        return found


def texts_meant(weights: Mapping[str, float], library: Library, day: Day) -> tuple[str, ...]:
    """Return the papers that are told from all others that are law on the day, empty when several texts or none say the
    rare words, and where a text that is no law then says them best: that it ended is the answer.
    """
    ranked = sorted(weights.items(), key=lambda each: (-each[1], each[0]))
    current = [each for each in ranked if library.row(each[0]).validity.on(day).may_answer]
    if not current or current[0][1] < ranked[0][1]:
        return ()
    best = [*current[: MOST + 1], ("", 0.0)]
    for at, (_, weight) in enumerate(best[:-1][:MOST]):
        if weight - best[at + 1][1] >= MARGIN:
            found = tuple(each for each, _ in best[: at + 1])
            rows = [library.row(each) for each in found]  # a draft is shown as one, where no rule answers
            return found if all(coverage.of_paper(row) and row.nature != "draft" for row in rows) else ()
    return ()


def lead_of_others(weights: Mapping[str, float], regulation_id: str, library: Library) -> float:
    """Return how much more a question tells some paper than a text that is quoted, 0 to 2 (of :data:`MARGIN`).

    One pair of characters that stands in one text alone may do so by chance.
    """
    others = (weight for each, weight in weights.items() if coverage.of_paper(library.row(each)))
    ahead = max(others, default=0.0) - weights.get(regulation_id, 0.0)
    return min(2.0, max(0.0, ahead - math.log(max(len(library.headers()), 1))) / MARGIN)
