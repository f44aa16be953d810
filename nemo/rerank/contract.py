"""What every reranker offers, and what it says about a list of hits."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from nemo.types import Hit, Query, Regulation, Span


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether the library holds an answer, and where the evidence ends."""

    answerable: bool
    keep: int
    """How many of the hits, from the first, are evidence."""
    confidence: float
    """Calibrated probability that the first hits answer the question, 0..1."""
    retrieval: float
    """Strength of the best hit before reranking, 0..1."""


class Reranker(Protocol):
    """Orders hits and judges them."""

    name: str

    def rerank(self, query: Query, hits: Sequence[Hit]) -> list[Hit]:
        """Return a permutation of ``hits``, best first.

        Raises:
            ServiceError: an outside part failed; the caller keeps the order it has and says so.
        """
        ...

    def judge(self, query: Query, hits: Sequence[Hit]) -> Judgement:
        """Judge an ordered list of hits."""
        ...

    def score_spans(self, query: Query, regulation: Regulation, spans: Sequence[Span]) -> list[float]:
        """Score stretches of one regulation by how well they answer; only order and ratios count."""
        ...

    def likeness(self, word: str, text: str) -> float:
        """Return how near in meaning the nearest word of a folded text is to a word, -1..1; 0 where nothing is known of it."""
        ...


class SecondReranker(Protocol):
    """An optional stage behind the built-in one: its failure leaves the order before it.

    A hit that it looked at may carry in ``scores`` what it gave, and in ``scores["stated"]`` the chance (0..1) that it
    states; how far either is believed is decided in ``nemo.rerank.opinion``.
    """

    name: str

    def rerank(self, query: Query, hits: Sequence[Hit]) -> list[Hit]:
        """Return a permutation of ``hits``.

        Raises:
            ServiceError: it failed or answered no permutation.
        """
        ...

    def close(self) -> None:
        """Give back what it holds."""
        ...
