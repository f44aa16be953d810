"""``python -m training`` builds both models, ``stages`` fits how further stages are read, ``papers`` grows the trees for papers, ``sure`` how sure an answer is, ``held`` how likely a provision of a paper answers; ``list`` writes the list of data anew,
``stamp`` the probes of what ships, ``asked`` the words of the field.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import shutil
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from nemo import settings
from nemo.embed import builtin
from nemo.engine import Engine
from nemo.rerank import strangeness
from nemo.rerank import terms as ranked
from nemo.rerank.domain import MODEL as RANKER
from nemo.rerank.domain import Model
from nemo.rerank.probe import feature_hash
from nemo.store.library import Library
from nemo.text.structure.passage import passage
from nemo.train import install, questions
from nemo.train.folds import folds
from nemo.train.lists import TrainingCase
from nemo.train.questions import LabelledQuestion
from training import among_papers, data, holding, ranking, sure, tables
from training import stages as further
from training.ranking import progress

MINED = tables.Pace(steps=900, batch=512, drop=0.3)
"""How the table learns from texts alone."""
ASKED = tables.Pace(steps=1700, batch=768, drop=0.5)
"""How it learns from questions."""
TREES = ranking.TreeRecipe(seed=7)
STAGE_TREES = 150
"""Trees by which lists are put in order for further stages."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How long is learned, and from how much."""

    seed: int = 7
    folds: int = 5
    """Parts of the regulations, each listed by a table taught without its questions."""
    mined: tables.Pace = MINED
    asked: tables.Pace = ASKED
    trees: ranking.TreeRecipe = TREES
    limit: int | None = None
    """At most this many questions; for a trial."""
    processes: int = 2


def filled(folder: Path, parts: Sequence[Path]) -> Engine:
    """Open a library of texts with the given embedder and no ranker; a new one is filled."""
    engine = Engine.open(settings.load(library=folder, reranker="none"))
    for part in parts if not engine.statistics().regulations else ():
        manifest = part / "manifest.jsonl"
        report = engine.intake.ingest([part], manifest=manifest if manifest.exists() else None)
        print(f"{part}: {len(report.of('stored'))} stored, {len(report.of('failed'))} failed", flush=True)
    return engine


def in_order(library: Library) -> list[str]:
    """Return the ids of the regulations in an order that no storing changes."""
    return sorted(row.id for row in library.rows())


def passages(library: Library) -> list[str]:
    """Return every chunk under its headings."""
    out = []
    for regulation_id in in_order(library):
        regulation = library.regulation(regulation_id)
        out += [passage(regulation, chunk) for chunk in library.chunks(regulation_id)]
    return out


def answers(library: Library, labelled: Sequence[LabelledQuestion]) -> np.ndarray:
    """Return the number of the first chunk that answers each question, -1 where none does."""
    ids = [i for regulation_id in in_order(library) for i in library.chunk_ids(regulation_id)]
    numbers = {chunk_id: n for n, chunk_id in enumerate(ids)}
    held = lru_cache(64)(library.chunks)
    out = []
    for each in labelled:
        found = (c.id for g in each.gold for c in held(g.regulation_id) if any(o.holds(c) for o in each.gold))
        out.append(numbers.get(next(found, ""), -1))
    return np.array(out, np.int64)


@dataclass(frozen=True, slots=True)
class Course:
    """What one build works with."""

    recipe: Recipe
    labelled: Sequence[LabelledQuestion]
    listed: np.ndarray
    """(n,) bool: do trees learn from its candidates?"""
    right: np.ndarray
    """(n,) number of the chunk that answers each question, -1 where none does."""
    spared: frozenset[int]
    """Chunks that the development sets ask for."""
    known: tables.Known

    @classmethod
    def of(cls, library: Library, recipe: Recipe, judged: Sequence[Path]) -> Course:
        """Read texts and questions."""
        spoken = {r["question"] for r in questions.read([p for p in data.questions() if p.name in data.TABLE_ONLY])}
        labelled = questions.resolve(questions.read(data.questions()), library).questions
        labelled = sorted(labelled, key=lambda each: (each.group, each.question, str(each.filters)))
        drawn = np.random.default_rng(recipe.seed).permutation(len(labelled))
        labelled = [labelled[i] for i in sorted(drawn[: recipe.limit].tolist())]
        listed = np.array([each.question not in spoken for each in labelled])
        asked = questions.resolve(questions.read(judged), library).questions
        spared = frozenset(answers(library, asked).tolist())
        known = tables.known(passages(library), data.said(labelled))
        return cls(recipe, labelled, listed, answers(library, labelled), spared, known)

    @property
    def fold(self) -> np.ndarray:
        """(n,) the part of the regulations that each question is about."""
        return folds([each.group for each in self.labelled], self.recipe.folds)

    def tables(self, work: Path) -> list[np.ndarray]:
        """Return a table for each fold, taught without it, and the one that ships, taught without the spared chunks."""
        seed, known = self.recipe.seed, self.known
        pairs = tables.spoken(data.ROOT / "data" / "training" / "wordings.tsv")
        tasks = tables.mined(known, pairs, seed)
        progress("what is mined from texts", 1, 1)
        start = tables.once(
            work / "start.pickle",
            lambda: tables.learn(tables.semantic(known, seed), tasks, self.recipe.mined, seed),
        )
        progress("table of texts alone", 1, 1)
        fold = self.fold
        taught = [fold != held for held in range(int(fold.max()) + 1)]
        taught.append(np.array([n not in self.spared for n in self.right.tolist()]))
        waiting = []
        for n, chosen in enumerate(taught):
            picked = np.flatnonzero(chosen & (self.right >= 0)).tolist()
            own = tables.asked(known, [self.labelled[i].question for i in picked], self.right[picked], tasks)
            waiting.append((work / f"table-{n}.pickle", start, own, self.recipe.asked, seed))
        if self.recipe.processes == 1:
            return [tables.taught(*each) for each in waiting]
        with ProcessPoolExecutor(self.recipe.processes, multiprocessing.get_context("spawn")) as pool:
            return list(pool.map(tables.taught, *zip(*waiting, strict=True)))

    def cases(self, engine: Engine, noted: ranking.Noted, work: Path, made: Sequence[np.ndarray]) -> list[TrainingCase]:
        """Return the candidates of the listed questions, each by a table that had not seen its regulation."""
        fold, found, context = self.fold, [], engine.training.context()

        def listed(held: int) -> list[TrainingCase]:
            model = ranking.model(work / "fold", self.known, made[held])
            part = [self.labelled[i] for i in np.flatnonzero(self.listed & (fold == held)).tolist()]
            return ranking.lists(context, noted, model, part, progress)

        for held in range(len(made)):
            found += tables.once(work / f"lists-{held}.pickle", partial(listed, held))
        return found


@dataclass(frozen=True, slots=True)
class Sources:
    """What is learned from."""

    texts: Sequence[Path]
    """Folders of texts, each with its manifest."""
    judged: Sequence[Path]
    """Development questions."""
    embedder: Path
    """The embedder's table and vocabulary, which are given."""

    @classmethod
    def of(cls, shared: Path) -> Sources:
        """Return those of the shared data."""
        return cls([shared / p for p in data.TEXTS], [shared / p for p in data.JUDGED], shared / data.EMBEDDER)


def build(work: Path, out: Path, sources: Sources, recipe: Recipe) -> dict[str, Any]:
    """Build both models into ``out`` and return what they reached on regulations that were not learned from."""
    judged = sources.judged
    with filled(work / "library", sources.texts) as engine:
        course = Course.of(engine.library, recipe, judged)
    progress("texts and questions", 1, 1)
    *made, final = course.tables(work)
    with filled(work / "library", ()) as engine:
        noted = ranking.Noted.read(engine.library, course.known.terms)
        progress("notes of passages", 1, 1)
        cases = course.cases(engine, noted, work, made)
        fitted = ranking.fit(cases, recipe.trees)
        about = {"seed": recipe.seed, "questions": len(cases), "texts": len(course.known.texts), "data": data.LIST.name}
        ranking.model(out / RANKER, course.known, final)
        ranking.write(out / RANKER, fitted, about)
        given(sources.embedder, out / builtin.MODEL)
        whole = Model.read(out / RANKER)
        asked = questions.resolve(questions.read(judged), engine.library).questions
        found = ranking.lists(engine.training.context(), noted, whole, asked, progress) if asked else []
    reached = {"cross-validated": dict(fitted.figures)}
    return {**reached, "development": dict(ranking.reached(whole, found)) if found else {}}


def stages(cases: Sequence[TrainingCase], trees: ranking.TreeRecipe) -> list[str]:
    """Return how further stages of ranking are read, fitted on the lists of a build (``nemo/rerank/opinion.py``)."""
    at = ranking.columns()
    scored, verdict, _ = ranking.judged_by_turns(cases, trees, STAGE_TREES)
    seen = [
        further.SeenList(
            verdict.chances(s.sums)[: further.SEEN],
            verdict.answerable(s.case.rows, s.sums, at),
            s.case.good[: further.SEEN],
            s.case.answerable,
            s.case.labelled.group,
        )
        for s in scored
    ]
    return further.report(seen, verdict.threshold, trees.seed)


def given(source: Path, folder: Path) -> None:
    """Write the embedder: the table that is given among the data, with the card with which models ship."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("table.npz", "vocabulary.txt"):
        shutil.copyfile(source / name, folder / name)
    with np.load(source / "table.npz", allow_pickle=False) as files:
        rows, scale = files["weights"], files["scale"]
    terms = (source / "vocabulary.txt").read_text("utf-8").splitlines()
    card = {"name": builtin.MODEL, "probe": builtin.BuiltinEmbedder.of(terms, rows, scale).probe()}
    install.write_card(folder, card)


def stamp(models: Path) -> None:
    """State that the models in a folder are kept although features changed; the figures must be measured again."""
    folder = models / RANKER
    card = json.loads((folder / "model.json").read_text("utf-8"))
    card["probe"] = feature_hash(ranked.read(folder))
    install.write_card(folder, card)
    print(f"{folder}: {card['probe']}; run make eval and commit the new figures with it")


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "what",
        nargs="?",
        default="build",
        choices=("build", "stages", "papers", "sure", "held", "list", "stamp", "asked"),
    )
    parser.add_argument("--shared", type=Path, default=data.ROOT.parent / "shared")
    parser.add_argument("--work", type=Path, default=data.ROOT / "build" / "training")
    parser.add_argument("--out", type=Path, default=data.ROOT / "build" / "models")
    parser.add_argument("--limit", type=int, help="at most this many questions, for a trial")
    parser.add_argument("--statutes", type=Path, help="sure: a library of the statutes")
    parser.add_argument("--papers", type=Path, help="papers, sure, held: one of all papers, under neutral names")
    wanted = parser.parse_args()
    if wanted.what == "stamp":
        return stamp(settings.load().models)
    if wanted.what == "sure":
        return print("\n".join(sure.report(wanted.statutes, wanted.papers, wanted.shared)))
    if wanted.what == "papers":
        return print("\n".join(among_papers.report(wanted.papers, wanted.out / RANKER, Recipe().seed)))
    if wanted.what == "held":
        return print("\n".join(holding.report(wanted.papers, Recipe().seed)))
    if wanted.what == "asked":
        return strangeness.write(settings.load().models / RANKER, data.wordings())
    found = data.hashes(wanted.shared)
    if wanted.what == "list":
        return data.write(found)
    if wrong := list(data.differences(found, data.listed())):
        sys.exit("\n".join([*wrong, "python -m training list writes the list anew"]))
    began = time.monotonic()
    recipe = Recipe(limit=wanted.limit)
    work = wanted.work / data.run_of(found, repr(recipe))
    work.mkdir(parents=True, exist_ok=True)
    if wanted.what == "stages":
        lists = [case for file in sorted(work.glob("lists-*.pickle")) for case in tables.once(file, list)]
        return print("\n".join(stages(lists, recipe.trees)) if lists else f"no lists in {work}: build first")
    reached = build(work, wanted.out, Sources.of(wanted.shared), recipe)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(json.dumps({**reached, "seconds": round(time.monotonic() - began), "memory_mib": memory}, indent=1))


if __name__ == "__main__":
    main()
