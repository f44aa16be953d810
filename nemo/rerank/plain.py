"""No reranking: the order of retrieval stands (``NEMO_RERANKER=none``). Judges by how much of the question is covered."""

from collections.abc import Sequence

from nemo.rerank.contract import Judgement
from nemo.text.words.tokenise import bigrams
from nemo.types import Hit, Query, Regulation, Span

ENOUGH = 0.42
"""Fused score of the first hit below which nothing is offered; chosen on the development questions."""
NEAR = 0.85
"""Share of the best score down to which further hits are evidence."""


class PlainReranker:
    """Leaves the order as it is."""

    name = "none"

    def rerank(self, query: Query, hits: Sequence[Hit]) -> list[Hit]:
        """Return the hits as they came."""
        return list(hits)

    def judge(self, query: Query, hits: Sequence[Hit]) -> Judgement:
        """Judge by the fused score of the first hit."""
        best = hits[0].score if hits else 0.0
        keep = sum(1 for h in hits if h.score >= NEAR * best)
        return Judgement(best >= ENOUGH, max(1, min(keep, 4)), min(1.0, best), min(1.0, best))

    def score_spans(self, query: Query, regulation: Regulation, spans: Sequence[Span]) -> list[float]:
        """Score by the share of the question's character pairs that a stretch holds."""
        asked = set(bigrams(query.text))
        return [len(asked & set(bigrams(s.of(regulation.text)))) / (len(asked) or 1) for s in spans]

    def likeness(self, word: str, text: str) -> float:
        """Know nothing of the meaning of words."""
        return 0.0
