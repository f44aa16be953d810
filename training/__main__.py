"""``python -m training``: builds both models; ``list`` writes the list of data anew, ``stamp`` the probes of what ships."""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
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
from nemo.train.questions import LabelledQuestion
from training import data, ranking, tables

FOLDS = 4


@dataclass(frozen=True, slots=True)
class Recipe:
    """How long is learned, and from how much."""

    seed: int = 7
    mined: int = 6
    """Epochs over pseudo-questions."""
    asked: int = 8
    """Epochs over questions."""
    rounds: int = ranking.ROUNDS
    limit: int | None = None
    """At most this many questions; for a trial."""


def told(what: str, done: int, total: int) -> None:
    """Say how far it is."""
    if done == total or not done % max(1, total // 10):
        print(f"{what} {done}/{total}", flush=True)


def filled(folder: Path, parts: Sequence[Path]) -> Engine:
    """Open a library of texts; a new one is filled. Its models are blank, so that nothing that ships has a part in it."""
    models = folder / "blank"
    if not models.exists():
        shutil.copytree(settings.load().models / RANKER, models / RANKER)
        chars = [chr(code) for code in range(0x4E00, 0x9FFF)]
        table = np.random.default_rng(0).standard_normal((len(chars), 8)).astype(np.float32)
        probe = builtin.write(models / builtin.MODEL, chars, table)
        (models / builtin.MODEL / builtin.CARD).write_text(json.dumps({"name": "blank", "probe": probe}), "utf-8")
    engine = Engine.open(settings.load(library=folder / "library", models=models, reranker="none"))
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
    out = []
    for each in labelled:
        held = [i for g in each.gold for i in library.chunk_ids(g.regulation_id)]
        found = (i for i in held if (c := library.chunk(i)) and any(g.holds(c) for g in each.gold))
        out.append(numbers.get(next(found, ""), -1))
    return np.array(out, np.int64)


def build(work: Path, out: Path, parts: Sequence[Path], judged: Sequence[Path], recipe: Recipe) -> dict[str, Any]:
    """Build both models into ``out`` and return what they reached."""
    own = data.ROOT / "data" / "training"
    with filled(work, parts) as engine:
        bench, library = engine.training.context(), engine.library
        labelled = questions.resolve(questions.read(data.questions()), library).questions
        labelled = sorted(labelled, key=lambda each: (each.group, each.question, str(each.filters)))
        if recipe.limit:
            drawn = np.random.default_rng(recipe.seed).permutation(len(labelled))[: recipe.limit]
            labelled = [labelled[i] for i in sorted(drawn.tolist())]
        asked = questions.resolve(questions.read(judged), library).questions
        right, spared = answers(library, labelled), set(answers(library, asked).tolist())
        texts = passages(library)
        known = tables.ground(texts, tables.vocabulary(texts))
        terms = ranking.Vocabulary(known.embedder.terms, *ranked.statistics(texts, known.embedder.terms))
        start = tables.semantic(known, recipe.seed)
        mined = tables.pseudo(known, tables.spoken(own / "wordings.tsv"), recipe.seed)
        start = tables.learn(start, known, mined, np.arange(len(texts)), recipe.mined, recipe.seed)
        told("mined pairs", 1, 1)

        def taught(chosen: np.ndarray) -> np.ndarray:
            picked = np.flatnonzero(chosen & (right >= 0))
            return tables.learn(
                start, known, [labelled[i].question for i in picked], right[picked], recipe.asked, recipe.seed
            )

        fold = folds([each.group for each in labelled], FOLDS)
        cases, places = [], []
        for held in range(int(fold.max()) + 1):
            rows = taught(fold != held)
            made = ranking.model(work / "fold", terms, rows)
            found = ranking.lists(
                bench, known, made, rows, [e for e, f in zip(labelled, fold, strict=True) if f == held], told
            )
            cases += found
            places += [held] * len(found)
        fitted = ranking.fit(cases, np.array(places), recipe.seed, recipe.rounds)
        final = taught(np.array([n not in spared for n in right.tolist()]))
        about = {"seed": recipe.seed, "questions": len(labelled), "texts": len(texts), "data": data.LIST.name}
        ranking.model(out / RANKER, terms, final)
        ranking.write(out / RANKER, fitted, about)
        probe = builtin.write(out / builtin.MODEL, known.embedder.terms, final)
        card = {"name": f"{builtin.MODEL}-{probe[:8]}", "probe": probe, "trained": about}
        (out / builtin.MODEL / builtin.CARD).write_text(json.dumps(card, ensure_ascii=False, indent=1) + "\n", "utf-8")
        whole = Model.read(out / RANKER)
        on_dev = ranking.reached(whole, ranking.lists(bench, known, whole, final, asked, told)) if asked else {}
        return {"cross-validated": dict(fitted.figures), "development": dict(on_dev)}


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
    parser.add_argument("what", nargs="?", default="build", choices=("build", "list", "stamp"))
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
    reached = build(wanted.work, wanted.out, parts, judged, Recipe(limit=wanted.limit))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(json.dumps({**reached, "seconds": round(time.monotonic() - began), "memory_mib": memory}, indent=1))


if __name__ == "__main__":
    main()
