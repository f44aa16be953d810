"""How likely what would be quoted of a provision of a paper holds the words that answer: one fitted judgement of several weak signs (合于所问的把握).

That a provision never names what it is asked of (保证金, 暖气费) tells little by itself: people ask in other words than papers
use. So it is one sign beside the ranker's probability, the place that trees for papers alone give it in its list, the words of
the question that the provision and its paper leave unsaid, the rare words that tell one text from all others, and whether what
is asked is said in one place. Fitted, like the bounds, on own questions on papers that no rule was made from, a third of which
ask for what the paper does not state; ``python -m training held`` prints the weights.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from nemo.answer.judgement import agreement, dispersion
from nemo.answer.judgement.surroundings import EvidenceText
from nemo.answer.question import rare_words
from nemo.rerank import quantities
from nemo.rerank.terms import fold
from nemo.rerank.verdict import Logistic, chance_rows
from nemo.store.library import Library
from nemo.types import Hit, Query
from nemo.types.fixed_point import steady

HELD = Logistic(
    np.array([0.23, 0.67, -2.09, -1.38, -3.11, 0.16, 0.8, 0.34, -0.74, -0.84, -0.61, -4.47, -1.77, 0.18, 0.08, 0.08]),
    -0.56,
)
"""Over :func:`signs`."""
UNNAMED_AT = 9
"""Where they say that a provision does not name what it is asked of."""
LOOKED = 4
"""So many hits of an ordered list are judged at least."""
NAMED, UNNAMED, DOUBTED = 0.28, 0.45, 0.5
"""Chance from which a provision answers that names what it is asked of, one that does not, and one of a list in which the
ranker finds no answer."""
MOST = 0.997
"""No probability of the ranker is taken for surer than this."""
MOST_TOLD = 40.0
"""So much at most counts what tells a text from all others."""


def places(hits: Sequence[Hit]) -> dict[str, np.ndarray]:
    """Return for the chunk of each hit of papers in one list (3,) where the trees for papers put it: its sum, its share of
    all and how far it is ahead of the others; zeros where the ranker has no such trees.
    """
    ranked = sorted(hits, key=lambda hit: -hit.scores.get("among_papers", 0.0))
    sums = np.array([hit.scores.get("among_papers", 0.0) for hit in ranked])
    rows = chance_rows(sums)[:, :3] * any("among_papers" in hit.scores for hit in hits) if hits else sums
    return {hit.chunk.id: row for hit, row in zip(ranked, rows, strict=True)}


def signs(
    query: Query,
    hit: Hit,
    evidence: EvidenceText,
    rarity: Mapping[str, float],
    library: Library,
    place: np.ndarray,
    *,
    unnamed: bool,
) -> np.ndarray:
    """Return (16,) what the chance of a provision of a paper is read from.

    ``rarity`` is what ``rare_words.rarity_weights`` returns, ``place`` what :func:`places` returns of the hit.
    """
    ranked = hit.scores.get("probability", hit.score)
    chance = min(max(ranked, 1 - MOST), MOST)
    own, best = rarity.get(hit.chunk.regulation_id, 0.0), max(rarity.values(), default=0.0)
    wanted, stated = quantities.wanted(fold(query.text)), quantities.stated(evidence.own or evidence.passage) > 0
    return np.array(
        [
            float(steady(np.array(math.log(chance / (1 - chance))))),
            ranked,
            agreement.unsaid(query, evidence),
            agreement.unheld(query, evidence),
            rare_words.lead_of_others(rarity, hit.chunk.regulation_id, library),
            min(own, MOST_TOLD) / rare_words.MARGIN,
            own / best if best else 0.0,
            bool((wanted & stated).any()),
            bool(wanted.any()) and not (wanted & stated).any(),
            unnamed,
            unnamed * ranked,
            dispersion.apart(query, evidence),
            dispersion.left(query, evidence),
            *place,
        ],
        np.float64,
    )
