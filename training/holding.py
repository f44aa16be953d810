"""How likely a provision of a paper holds the words that answer (``nemo/answer/judgement/paper_likelihood.py``), fitted by logistic regression.

Own questions (``data/training/answers_*.jsonl``), about a third of which ask for what the paper does not state, are asked of a
library of the papers. Of each list whose first hit is of a paper the first provisions are cut as for an answer: right is one
whose quote has the words that answer. Folds are by paper; the trees for papers had not seen the one that is asked.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np

from nemo import settings
from nemo.answer import pipeline
from nemo.answer.decision import AskedQuestion, Decision
from nemo.answer.judgement import coverage, evidence, paper_likelihood
from nemo.engine import Engine
from nemo.rerank.domain import MODEL, DomainReranker, Model
from nemo.rerank.forest import Forest
from nemo.rerank.verdict import Logistic
from nemo.train.folds import folds
from nemo.train.judging import logistic
from nemo.types import Filters, Hit
from training import among_papers, sure

FOLDS = 10


@dataclass(frozen=True, slots=True)
class Listed:
    """A question with its first provisions of papers that lack nothing that must be."""

    signs: np.ndarray
    """(n, signs)."""
    right: np.ndarray
    """(n,) bool."""
    doubted: bool
    """Whether the ranker finds no answer in the list."""
    answerable: bool
    paper: str
    """What it is about."""


def report(papers: Path, seed: int) -> list[str]:
    """Return the weights fitted on a library of the papers, and what is answered of papers that were not fitted on."""
    with sure.with_own(papers) as library, Engine.open(settings.load(library=library), read_only=True) as engine:
        unseen = among_papers.UnseenTrees(among_papers.by_turns(among_papers.cases(engine), seed))
        model = replace(Model.read(engine.settings.models / MODEL), papers=cast(Forest, unseen))
        engine.parts = replace(engine.parts, reranker=DomainReranker(model, engine.library))
        lists = [each for file in sure.OWN for each in _asked(engine, unseen, file)]
    fold = folds([each.paper for each in lists], FOLDS)
    rest = ([each for each, n in zip(lists, fold, strict=True) if n != k] for k in range(FOLDS))
    fitted = [_fitted(each) for each in rest]
    found = [_answered(each, fitted[n]) for each, n in zip(lists, fold, strict=True)]
    told = list(zip(lists, found, strict=True))
    whole = _fitted(lists)
    return [
        f"HELD = Logistic(np.array({[round(float(w), 2) for w in whole.weights]}), {whole.bias:.2f})",
        f"cross-validated: of {sum(each.answerable for each in lists)} that papers answer "
        f"{sum(each.answerable and right is True for each, right in told)} are answered rightly, "
        f"{sum(each.answerable and right is False for each, right in told)} wrongly; of "
        f"{sum(not each.answerable for each in lists)} near misses "
        f"{sum(not each.answerable and right is None for each, right in told)} are refused",
    ]


def _fitted(lists: list[Listed]) -> Logistic:
    rows, right = np.concatenate([each.signs for each in lists]), np.concatenate([each.right for each in lists])
    return logistic(rows, right, np.ones(len(rows)), Logistic(np.zeros(rows.shape[1]), 0.0))


def _answered(listed: Listed, fitted: Logistic) -> bool | None:
    """Return whether the provision that answers is right, None where none does."""
    chances = fitted(listed.signs) if len(listed.signs) else np.zeros(0)
    named = np.where(
        listed.signs[:, paper_likelihood.UNNAMED_AT].astype(bool), paper_likelihood.UNNAMED, paper_likelihood.NAMED
    )
    least = np.full(len(named), paper_likelihood.DOUBTED) if listed.doubted else named
    best = max(np.flatnonzero(chances >= least), key=lambda at: chances[at], default=None)
    return None if best is None else bool(listed.right[best])


def _asked(engine: Engine, unseen: among_papers.UnseenTrees, file: Path) -> Iterator[Listed]:
    noted: list[tuple[Decision, list[Hit]]] = []
    judged = evidence.by_chance

    def noting(decision: Decision, hits: list[Hit], keep: int, cut: evidence.Cut) -> list[Hit]:
        noted.append((decision, hits))
        return judged(decision, hits, keep, cut)

    evidence.by_chance = noting  # type: ignore[assignment]
    try:
        for asked in map(json.loads, file.read_text("utf-8").splitlines()):
            noted.clear()
            unseen.about = asked["about"]
            engine.compose(AskedQuestion(asked["question"], Filters()), sure.DAY)
            if noted and noted[0][1] and _of_paper(noted[0][1][0], engine):
                yield _listed(asked, *noted[0])
    finally:
        evidence.by_chance = judged


def _of_paper(hit: Hit, engine: Engine) -> bool:
    return coverage.of_paper(engine.library.row(hit.chunk.regulation_id))


def _listed(asked: dict[str, Any], decision: Decision, hits: list[Hit]) -> Listed:
    rows, right = [], []
    places = paper_likelihood.places(
        [hit for hit in hits if coverage.of_paper(decision.parts.library.row(hit.chunk.regulation_id))]
    )
    for hit in hits[: paper_likelihood.LOOKED]:
        row = decision.parts.library.row(hit.chunk.regulation_id)
        if not coverage.of_paper(row):
            continue
        signs = evidence.held_signs(decision, hit, hits[0], places, pipeline.cut_from)
        if signs is not None:
            rows.append(signs)
            right.append(sure.right(asked, pipeline.cut_from(decision, hit)[0]))
    signs = np.array(rows).reshape(len(rows), len(paper_likelihood.HELD.weights))
    answerable = decision.parts.reranker.judge(decision.query, hits).answerable
    return Listed(signs, np.array(right, bool), not answerable, bool(asked["gold"]), asked["about"])
