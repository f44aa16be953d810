"""Whether a question is said in one place: a neighbour of the thing asked is named all over a provision and a paper (所问分散).

What a paper rules of a neighbour (市级 for 县级, 变更 for 首次) shares most words with what is asked of the thing itself. The words
that are left stand in another sentence than the value, or elsewhere in the paper. Both are measured by the pairs of characters
that say what is asked, so no list of words is needed that tell neighbours apart.
"""

import math
import re
from collections.abc import Callable, Iterable

from nemo.answer.judgement.surroundings import EvidenceText, tight
from nemo.answer.question import rare_words
from nemo.rerank import quantities
from nemo.rerank.terms import fold
from nemo.types import Query

SENTENCES = re.compile(r"[。;；\n]")
USUAL = 20
"""Once in so many characters stands a pair that a paper speaks of all the time."""
Weight = Callable[[str], float]


def apart(query: Query, evidence: EvidenceText) -> float:
    """Return which share of a question a provision says only outside the sentence that says most of it, 0 to 1.

    Where a value is asked for and stated the sentence is one that states it. Headings, title and what a row stands under are
    read with each sentence.
    """
    asked, under = rare_words.pairs(query), f"{fold(evidence.regulation.title)} {evidence.under} {_table(evidence)}"
    wanted = quantities.wanted(fold(query.text))
    sentences = [each for each in SENTENCES.split(evidence.own) if each]
    stating = [each for each in sentences if wanted.any() and (wanted & (quantities.stated(each) > 0)).any()]
    most = max((_said(asked, f"{each} {under}") for each in stating or sentences), default=0.0)
    return max(0.0, _said(asked, f"{evidence.own} {under}") - most)


def left(query: Query, evidence: EvidenceText) -> float:
    """Return which share of what its paper says of a question a provision itself, or a row with its columns, does not say, 0 to 1.

    A pair counts the more the rarer it is in the paper.
    """
    own = evidence.regulation
    whole = tight(own.title + own.text)
    weights = {
        each: math.log1p(len(whole) / (USUAL * n)) for each in rare_words.pairs(query) if (n := whole.count(each))
    }
    return 1.0 - _said(weights, f"{evidence.own} {_table(evidence)}", weights.__getitem__)


def _table(evidence: EvidenceText) -> str:
    """Return what a row stands under; nothing of any other provision."""
    label = fold(evidence.row.label) if evidence.row else ""
    return f"{label} {evidence.around}" if evidence.in_table else ""


def _said(pairs: Iterable[str], words: str, weight: Weight = lambda _: 1.0) -> float:
    """Return which share of pairs of characters words say, 1 where there are none."""
    weights = {each: weight(each) for each in pairs}
    whole = sum(weights.values())
    return sum(each for pair, each in weights.items() if pair in words) / whole if whole else 1.0
