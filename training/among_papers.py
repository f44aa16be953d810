"""The trees that tell provisions of papers from each other (``papers.onnx``), grown on top of those that ship (公文排序).

Learned from are the own questions (``data/training/answers_*.jsonl``) that a passage of their paper answers and that retrieval
brings it up for, asked of a library of the papers, over the features and sums of the ranker in use. Folds are by paper.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nemo import settings
from nemo.engine import Engine
from nemo.evaluation.golden import of_ranks
from nemo.rerank.domain import MODEL, PAPERS, Model
from nemo.store.library import Library
from nemo.train import install, trees
from nemo.train.folds import folds
from nemo.train.lists import CandidateLister, TrainingCase, numbered
from nemo.train.questions import LabelledPlace, LabelledQuestion
from nemo.types import Chunk, Filters
from training import ranking, sure

FOLDS = 5
ROUNDS = 300
"""Trees that are grown: of 100, 200, 300 and 400 none reach more on papers that were not learned from."""


@dataclass(slots=True)
class UnseenTrees:
    """Trees for papers that had not seen the paper that is asked, in place of those that ship."""

    of_paper: Mapping[str, trees.AddedTrees]
    about: str = ""
    """The paper that is asked."""

    def scores(self, rows: np.ndarray) -> np.ndarray:
        """Return what they add for each row; of a paper that taught nothing any of them tells it."""
        grown = self.of_paper.get(self.about) or next(iter(self.of_paper.values()))
        added: np.ndarray = grown.booster.predict(rows, num_threads=1)
        return added


def report(papers: Path, out: Path, seed: int) -> list[str]:
    """Grow the trees on a library of papers, write them and their card into a folder, and return what they reach."""
    with sure.with_own(papers) as library, Engine.open(settings.load(library=library), read_only=True) as engine:
        listed = cases(engine)
    unseen, grown = by_turns(listed, seed), trees.grow(listed, (), seed, ROUNDS)
    before = _reached([_rank(c, c.base) for c in listed])
    after = _reached([_rank(c, unseen[c.labelled.group].sums(c)) for c in listed])
    out.mkdir(parents=True, exist_ok=True)
    ranking.blank(out / PAPERS)
    trees.write(out / PAPERS, grown, out / PAPERS)
    card = json.loads((settings.load().models / MODEL / "model.json").read_text("utf-8"))
    trained = {"seed": seed, "trees": ROUNDS, "questions": len(listed), "before": before, "cross-validated": after}
    install.write_card(out, card | {"papers": trained})
    return [json.dumps(trained)]


def cases(engine: Engine) -> list[TrainingCase]:
    """Return the candidates of the own questions that one of them answers."""
    model = Model.read(engine.settings.models / MODEL)
    lister = CandidateLister(engine.training.context(), model, numbered(engine.library))
    return [case for case in lister.cases(list(labelled(engine.library)), ranking.progress) if case.gold.any()]


def by_turns(cases: Sequence[TrainingCase], seed: int) -> dict[str, trees.AddedTrees]:
    """Return for each paper trees that had not seen it."""
    fold = folds([case.labelled.group for case in cases], FOLDS).tolist()
    sides = list(zip(cases, fold, strict=True))
    grown = [trees.grow([c for c, f in sides if f != k], (), seed, ROUNDS) for k in range(max(fold) + 1)]
    return {case.labelled.group: grown[f] for case, f in sides}


def labelled(library: Library) -> Iterator[LabelledQuestion]:
    """Yield the own questions that a single passage of their paper answers."""
    held: dict[str, list[tuple[Chunk, str]]] = defaultdict(list)
    for row in library.rows():
        held[Path(row.file).stem] += [(chunk, sure.bare(chunk.text)) for chunk in library.chunks(row.id)]
    for asked in (json.loads(line) for file in sure.OWN for line in file.read_text("utf-8").splitlines()):
        places = tuple(place for gold in asked["gold"] for place in _places(gold, held[Path(gold["file"]).stem]))
        if places:
            yield LabelledQuestion(asked["question"], Filters(), places, places, asked["about"])


def _places(gold: Mapping[str, Any], held: Sequence[tuple[Chunk, str]]) -> Iterator[LabelledPlace]:
    wanted = [sure.bare(gold[part]) for part in ("must_quote", "row", "value") if gold.get(part)]
    for chunk, words in held:
        if all(want in words for want in wanted):
            yield LabelledPlace(chunk.regulation_id, chunk.span)


def _reached(ranks: Sequence[int]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in of_ranks(ranks).items()}


def _rank(case: TrainingCase, sums: np.ndarray) -> int:
    return int(np.flatnonzero(case.gold[np.argsort(-sums, kind="stable")])[0]) + 1
