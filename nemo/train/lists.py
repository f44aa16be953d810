"""What the ranker sees for each labelled question: the candidates of the real retriever as rows of features (候选与特征)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from nemo.answer.retrieve import Retriever
from nemo.errors import BadRequestError
from nemo.rerank.domain import DomainReranker, Model
from nemo.settings import Settings
from nemo.store.library import Library
from nemo.train.questions import LabelledPlace, LabelledQuestion
from nemo.types import Chunk, Filters, Hit, Query, today

Read = Callable[[str, Filters], tuple[Query, tuple[str, ...]]]
"""Reads a question: the query, and the regulations it names; BadRequestError when it is no question."""

ProgressCallback = Callable[[str, int, int], None]
"""Told what is done, how much of it is done, and how much there is."""


COLUMNS = ("rows", "gold", "good", "units", "works", "chunks", "lexical", "base")
"""Parts of a case that hold one entry for each candidate."""


@dataclass(frozen=True, slots=True)
class TrainingContext:
    """What training works with."""

    library: Library
    settings: Settings
    retriever: Retriever
    read: Read


@dataclass(frozen=True, slots=True)
class TrainingCase:
    """One question with its candidates in the order of retrieval."""

    labelled: LabelledQuestion
    query: Query
    named: tuple[str, ...]
    rows: np.ndarray
    """(n, features) float32."""
    gold: np.ndarray
    good: np.ndarray
    """(n,) bool: is it gold; is it gold or secondary."""
    units: np.ndarray
    """(n,) int: candidates of one article share a number."""
    works: np.ndarray
    """(n,) int: candidates of one regulation share a number."""
    chunks: np.ndarray
    """(n,) int: number of the chunk; see :attr:`Lister.numbers`."""
    lexical: np.ndarray
    """(n,) bool: found by its words too."""
    base: np.ndarray
    """(n,) sums of the trees that ship."""
    strange: float = 0.0
    """Strangeness of the question's words (``nemo/rerank/strangeness.py``)."""

    @property
    def answerable(self) -> bool:
        """Whether the library holds an answer, as the label says."""
        return bool(self.labelled.gold)

    def without(self, keep: np.ndarray) -> TrainingCase:
        """Return the case with some of its candidates only. The rows stay what they were in the whole list."""
        return replace(self, **{name: getattr(self, name)[keep] for name in COLUMNS})


@dataclass(slots=True)
class _Watched:
    """The trees that ship, keeping the rows they were given: so training sees exactly what answering sees."""

    model: Model
    rows: np.ndarray = field(default_factory=lambda: np.empty((0, 0), np.float32))
    sums: np.ndarray = field(default_factory=lambda: np.empty(0))

    def scores(self, rows: np.ndarray) -> np.ndarray:
        """Keep the rows and pass them on."""
        self.rows, self.sums = rows, self.model.forest.scores(rows)
        return self.sums


@dataclass(slots=True)
class CandidateLister:
    """Makes cases out of labelled questions."""

    context: TrainingContext
    model: Model
    numbers: Mapping[str, int]
    """Every chunk of the library by id, numbered in order of storing."""
    passed: Counter[str] = field(default_factory=Counter)
    """Questions that gave no case, by reason."""

    def cases(self, questions: Sequence[LabelledQuestion], progress: ProgressCallback) -> list[TrainingCase]:
        """Return one case for each question that brings up candidates."""
        watched = _Watched(self.model)
        ranker = DomainReranker(replace(self.model, forest=watched), self.context.library)  # type: ignore[arg-type]
        made = []
        for done, labelled in enumerate(questions, 1):
            case = self._case(labelled, ranker, watched)
            if case is not None:
                made.append(case)
            progress("候选与特征", done, len(questions))
        return made

    def _case(self, labelled: LabelledQuestion, ranker: DomainReranker, watched: _Watched) -> TrainingCase | None:
        try:
            query, named = self.context.read(labelled.question, labelled.filters)
        except BadRequestError:
            self.passed["不成问题（过短、过长或没有文字）"] += 1
            return None
        hits = candidates(self.context.retriever, query, named)
        if not hits:
            self.passed["没有任何候选条文"] += 1
            return None
        ranked = ranker.rerank(query, hits)
        return TrainingCase(
            labelled=labelled,
            query=query,
            named=named,
            rows=watched.rows.astype(np.float32),
            gold=_marks(hits, labelled.gold),
            good=_marks(hits, labelled.good),
            units=units_of(hits),
            works=np.unique([hit.chunk.regulation_id for hit in hits], return_inverse=True)[1],
            chunks=np.array([self.numbers[hit.chunk.id] for hit in hits]),
            lexical=np.array([hit.scores.get("lexical", 0.0) > 0 for hit in hits]),
            base=watched.sums.astype(np.float64),
            strange=ranked[0].scores["strange"],
        )


def article_of(chunk: Chunk) -> tuple[str, str]:
    """Return what chunks of one article share, read from the label alone: no text has to be loaded for it."""
    article = chunk.label.partition("-")[0]
    return chunk.regulation_id, article if article[:1].isdecimal() else chunk.label


def units_of(hits: Sequence[Hit]) -> np.ndarray:
    """Return a number for each hit; hits of one article share it."""
    seen: dict[tuple[str, str], int] = {}
    return np.array([seen.setdefault(article_of(hit.chunk), len(seen)) for hit in hits])


def rank_of(gold: np.ndarray, units: np.ndarray) -> int | None:
    """Return the rank of the first right article, from 1; None when it is not among the candidates."""
    found = np.flatnonzero(gold)
    return len(np.unique(units[: found[0] + 1])) if len(found) else None


def candidates(retriever: Retriever, query: Query, named: Sequence[str]) -> list[Hit]:
    """Return what retrieval brings up and may answer on the day, as answering does."""
    found, _ = retriever.retrieve(query, named)
    day = query.filters.day or today()
    library = retriever.library
    return [h for h in found if library.row(h.chunk.regulation_id).validity.on(day, h.chunk.label).may_answer]


def _marks(hits: Sequence[Hit], places: Sequence[LabelledPlace]) -> np.ndarray:
    return np.array([any(place.holds(hit.chunk) for place in places) for hit in hits], bool)


def numbered(library: Library) -> dict[str, int]:
    """Return a number for every chunk of the library, in order of storing."""
    ids = [chunk_id for row in library.rows() for chunk_id in library.chunk_ids(row.id)]
    return {chunk_id: number for number, chunk_id in enumerate(ids)}


def withheld(cases: Iterable[TrainingCase]) -> list[TrainingCase]:
    """Return each answerable case as if the works that answer it were not held: questions without an answer (模拟拒答)."""
    out = []
    for case in cases:
        keep = ~np.isin(case.works, case.works[case.good]) if case.good.any() else np.zeros(len(case.good), bool)
        if case.answerable and keep.sum() >= 5:
            out.append(replace(case.without(keep), labelled=replace(case.labelled, gold=(), good=())))
    return out
