"""How likely a provision of a paper holds the words that answer: one fitted judgement of several weak signs (合于所问的把握).

That a provision never names what it is asked of (保证金, 暖气费) tells little by itself: people ask in other words than papers
use. So it is one sign beside the ranker's probability, the words of the question that the provision and its paper leave unsaid,
the rare words that tell one text from all others, and whether what is asked is said in one place. Fitted, like the bounds, on own questions on papers that no rule was
made from, a third of which ask for what the paper does not state; ``python -m training held`` prints the weights.
"""

import math
from collections.abc import Mapping

import numpy as np

from nemo.answer.judgement import agreement, scattered
from nemo.answer.judgement.surroundings import EvidenceText
from nemo.answer.question import alone
from nemo.rerank import quantities
from nemo.rerank.terms import fold
from nemo.rerank.verdict import Logistic
from nemo.store.library import Library
from nemo.types import Hit, Query
from nemo.types.fixed_point import steady

HELD = Logistic(np.array([0.41, 1.46, -1.76, -1.56, -3.28, 0.13, 0.85, 0.35, -0.86, -1.02, -0.36, -5.34, -1.41]), -1.15)
"""Over :func:`signs`."""
UNNAMED_AT = 9
"""Where they say that a provision does not name what it is asked of."""
LOOKED = 4
"""So many hits of an ordered list are judged at least."""
NAMED, UNNAMED, DOUBTED = 0.25, 0.4, 0.5
"""Chance from which a provision answers that names what it is asked of, one that does not, and one of a list in which the
ranker finds no answer."""
MOST = 0.997
"""No probability of the ranker is taken for surer than this."""
MOST_TOLD = 40.0
"""So much at most counts what tells a text from all others."""


def signs(
    query: Query, hit: Hit, evidence: EvidenceText, told: Mapping[str, float], library: Library, *, unnamed: bool
) -> np.ndarray:
    """Return (13,) what the chance of a provision of a paper is read from; ``told`` is what ``alone.told`` returns."""
    ranked = hit.scores.get("probability", hit.score)
    chance = min(max(ranked, 1 - MOST), MOST)
    own, best = told.get(hit.chunk.regulation_id, 0.0), max(told.values(), default=0.0)
    wanted, stated = quantities.wanted(fold(query.text)), quantities.stated(evidence.own or evidence.passage) > 0
    return np.array(
        [
            float(steady(np.array(math.log(chance / (1 - chance))))),
            ranked,
            agreement.unsaid(query, evidence),
            agreement.unheld(query, evidence),
            alone.elsewhere(told, hit.chunk.regulation_id, library),
            min(own, MOST_TOLD) / alone.TOLD,
            own / best if best else 0.0,
            bool((wanted & stated).any()),
            bool(wanted.any()) and not (wanted & stated).any(),
            unnamed,
            unnamed * ranked,
            scattered.apart(query, evidence),
            scattered.left(query, evidence),
        ],
        np.float64,
    )
