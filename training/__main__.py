"""``python -m training`` builds both models, ``trees`` only trees and judgement over the terms that ship; ``list`` writes
the list of data anew, ``stamp`` the probes of what ships.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from nemo import settings
from nemo.embed import builtin
from nemo.engine import Engine
from nemo.rerank import terms as ranked
from nemo.rerank.domain import MODEL as RANKER
from nemo.rerank.domain import Model
from nemo.rerank.probe import feature_hash
from nemo.store.library import Library
from nemo.text.structure.passage import passage
from nemo.train import questions
from nemo.train.folds import folds
from nemo.train.lists import TrainingCase
from nemo.train.questions import LabelledQuestion
from training import data, ranking, tables

FOLDS = 2
"""Parts of the regulations, each listed by a table tuned without its questions."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How long is learned, and from how much."""

    seed: int = 7
    mined: int = 2
    """Epochs over pseudo-questions."""
    asked: int = 6
    """Epochs over questions."""
    listed: int = 2000
    """Questions at most whose candidates the trees learn from; the tables learn from all."""
    rounds: int = ranking.ROUNDS
    limit: int | None = None
    """At most this many questions; for a trial."""


def told(what: str, done: int, total: int) -> None:
    """Say how far it is."""
    if done == total or not done % max(1, total // 10):
        print(f"{time.strftime('%H:%M:%S')} {what} {done}/{total}", flush=True)


def filled(folder: Path, parts: Sequence[Path], kept: Path | None) -> Engine:
    """Open a library of texts; a new one is filled.

    Without ``kept`` tables its models are blank, so that nothing that ships has a part in it.
    """
    models = kept or folder / "blank"
    if not models.exists():
        shutil.copytree(settings.load().models / RANKER, models / RANKER)
        chars = [chr(code) for code in range(0x4E00, 0x9FFF)]
        table = np.random.default_rng(0).standard_normal((len(chars), 8)).astype(np.float32)
        probe = builtin.write(models / builtin.MODEL, chars, table)
        (models / builtin.MODEL / builtin.CARD).write_text(json.dumps({"name": "blank", "probe": probe}), "utf-8")
    library, reranker = ("kept", "domain") if kept else ("library", "none")
    engine = Engine.open(settings.load(library=folder / library, models=models, reranker=reranker))
    for part in parts if not engine.statistics().regulations else ():
        manifest = part / "manifest.jsonl"
        report = engine.intake.ingest([part], manifest=manifest if manifest.exists() else None)
        print(f"{part}: {len(report.of('stored'))} stored, {len(report.of('failed'))} failed", flush=True)
    return engine


def passages(library: Library) -> list[str]:
    """Return every chunk under its headings, in order of storing."""
    out = []
    for row in library.rows():
        regulation = library.regulation(row.id)
        out += [passage(regulation, c) for i in library.chunk_ids(row.id) if (c := library.chunk(i))]
    return out


def answers(library: Library, labelled: Sequence[LabelledQuestion]) -> np.ndarray:
    """Return the number of the first chunk that answers each question, -1 where none does."""
    ids = [i for row in library.rows() for i in library.chunk_ids(row.id)]
    numbers = {chunk_id: n for n, chunk_id in enumerate(ids)}
    held = lru_cache(64)(lambda regulation: [c for i in library.chunk_ids(regulation) if (c := library.chunk(i))])
    out = []
    for each in labelled:
        found = (c.id for g in each.gold for c in held(g.regulation_id) if any(o.holds(c) for o in each.gold))
        out.append(numbers.get(next(found, ""), -1))
    return np.array(out, np.int64)


def sample(labelled: Sequence[LabelledQuestion], most: int, seed: int) -> np.ndarray:
    """Return which questions are listed: those without an answer, and ``most`` of the others by lot."""
    chosen = np.array([not each.gold for each in labelled])
    answered = np.flatnonzero(~chosen)
    chosen[np.random.default_rng(seed).permutation(answered)[:most]] = True
    return chosen


@dataclass(frozen=True, slots=True)
class Course:
    """What one build works with."""

    engine: Engine
    recipe: Recipe
    labelled: Sequence[LabelledQuestion]
    right: np.ndarray
    """(n,) number of the chunk that answers each question, -1 where none does."""
    known: tables.Ground
    terms: ranking.Vocabulary
    start: np.ndarray
    """(terms, dim) the table before any question."""

    @classmethod
    def of(cls, engine: Engine, recipe: Recipe, kept: ranking.Kept | None) -> Course:
        """Read the questions and make the table that every fold starts from."""
        labelled = questions.resolve(questions.read(data.questions()), engine.library).questions
        labelled = sorted(labelled, key=lambda each: (each.group, each.question, str(each.filters)))
        if recipe.limit:
            drawn = np.random.default_rng(recipe.seed).permutation(len(labelled))[: recipe.limit]
            labelled = [labelled[i] for i in sorted(drawn.tolist())]
        texts = passages(engine.library)
        known = tables.ground(texts, kept.terms.vocabulary if kept else tables.vocabulary(texts))
        terms = known.embedder.terms
        rare = (kept.terms.idf, kept.terms.pair_idf) if kept else ranked.statistics(texts, terms)
        told("terms", 1, 1)
        start = tables.semantic(known, recipe.seed)
        pairs = tables.spoken(data.ROOT / "data" / "training" / "wordings.tsv")
        mined = tables.pseudo(known, pairs, recipe.seed)
        start = tables.learn(start, known, mined, np.arange(len(texts)), recipe.mined, recipe.seed)
        told("table of mined pairs", 1, 1)
        right = answers(engine.library, labelled)
        return cls(engine, recipe, labelled, right, known, ranking.Vocabulary(terms, *rare), start)

    def taught(self, chosen: np.ndarray) -> np.ndarray:
        """Return the table after the chosen questions."""
        picked = np.flatnonzero(chosen & (self.right >= 0)).tolist()
        asked = [self.labelled[i].question for i in picked]
        return tables.learn(self.start, self.known, asked, self.right[picked], self.recipe.asked, self.recipe.seed)

    def cases(self, work: Path, kept: ranking.Kept | None) -> list[TrainingCase]:
        """Return the candidates of the listed questions, each by a table that had not seen its regulation."""
        fold = folds([each.group for each in self.labelled], FOLDS)
        drawn = sample(self.labelled, self.recipe.listed, self.recipe.seed)
        bench = self.engine.training.context()
        found: list[TrainingCase] = []
        for held in range(int(fold.max()) + 1):
            rows = self.taught(fold != held)
            told("table of a fold", held + 1, int(fold.max()) + 1)
            made = ranking.model(work / "fold", self.terms, rows)
            part = [self.labelled[i] for i in np.flatnonzero(drawn & (fold == held)).tolist()]
            found += ranking.lists(bench, self.known, made, rows, part, told, kept)
        return found


def build(
    work: Path, out: Path, parts: Sequence[Path], judged: Sequence[Path], recipe: Recipe, kept: Path | None = None
) -> dict[str, Any]:
    """Build both models into ``out`` and return what they reached.

    With ``kept``, a folder of models, only trees and judgement of the ranker are made; its terms and their table stay.
    """
    with filled(work, parts, kept) as engine:
        held = ranking.Kept.read(kept / RANKER) if kept else None
        course = Course.of(engine, recipe, held)
        fitted = ranking.fit(course.cases(work, held), recipe.seed, recipe.rounds)
        told("trees", 1, 1)
        about: dict[str, Any] = {
            "seed": recipe.seed,
            "questions": len(course.labelled),
            "texts": len(course.known.texts),
        }
        about["data"] = data.LIST.name
        reached = {"cross-validated": dict(fitted.figures)}
        if kept:
            (out / RANKER).mkdir(parents=True, exist_ok=True)
            for name in ("terms.npz", "vocabulary.txt"):
                shutil.copyfile(kept / RANKER / name, out / RANKER / name)
            ranking.write(out / RANKER, fitted, about)
            return reached
        asked = questions.resolve(questions.read(judged), engine.library).questions
        final = ship(course, out, set(answers(engine.library, asked).tolist()), about)
        ranking.write(out / RANKER, fitted, about)
        whole, bench = Model.read(out / RANKER), engine.training.context()
        found = ranking.lists(bench, course.known, whole, final, asked, told) if asked else []
        return {**reached, "development": dict(ranking.reached(whole, found)) if found else {}}


def ship(course: Course, out: Path, spared: set[int], about: Mapping[str, Any]) -> np.ndarray:
    """Write the table that ships, taught all questions but those on spared chunks, for both models; return it."""
    final = course.taught(np.array([n not in spared for n in course.right.tolist()]))
    ranking.model(out / RANKER, course.terms, final)
    probe = builtin.write(out / builtin.MODEL, course.known.embedder.terms, final)
    card = {"name": f"{builtin.MODEL}-{probe[:8]}", "probe": probe, "trained": about}
    (out / builtin.MODEL / builtin.CARD).write_text(json.dumps(card, ensure_ascii=False, indent=1) + "\n", "utf-8")
    return final


def stamp(models: Path) -> None:
    """State that the models in a folder are kept although features changed; the figures must be measured again."""
    folder = models / RANKER
    card = json.loads((folder / "model.json").read_text("utf-8"))
    card["probe"] = feature_hash(ranked.read(folder))
    (folder / "model.json").write_text(json.dumps(card, ensure_ascii=False, indent=1) + "\n", "utf-8")
    print(f"{folder}: {card['probe']}; run make eval and commit the new figures with it")


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="?", default="build", choices=("build", "trees", "list", "stamp"))
    parser.add_argument("--shared", type=Path, default=data.ROOT.parent / "shared")
    parser.add_argument("--work", type=Path, default=data.ROOT / "build" / "training")
    parser.add_argument("--out", type=Path, default=data.ROOT / "build" / "models")
    parser.add_argument("--limit", type=int, help="at most this many questions, for a trial")
    wanted = parser.parse_args()
    if wanted.what == "stamp":
        return stamp(settings.load().models)
    found = data.hashes(wanted.shared)
    if wanted.what == "list":
        return data.write(found)
    if wrong := list(data.differences(found, data.listed())):
        sys.exit("\n".join([*wrong, "python -m training list writes the list anew"]))
    began = time.monotonic()
    parts, judged = [wanted.shared / p for p in data.TEXTS], [wanted.shared / p for p in data.JUDGED]
    kept = settings.load().models if wanted.what == "trees" else None
    reached = build(wanted.work, wanted.out, parts, judged, Recipe(limit=wanted.limit), kept)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(json.dumps({**reached, "seconds": round(time.monotonic() - began), "memory_mib": memory}, indent=1))


if __name__ == "__main__":
    main()
