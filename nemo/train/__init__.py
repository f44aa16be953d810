"""Trains the built-in ranker and embedder on one library and labelled questions (``python -m nemo train``, 训练).

Labelled questions → candidates of the real retriever → features as answering computes them → cross-fitting by work →
before and after on held-out questions → installed in the library's own folder, only when better.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nemo.embed.builtin import MODEL as EMBEDDER
from nemo.embed.builtin import BuiltinEmbedder
from nemo.errors import BadRequestError
from nemo.rerank.domain import MODEL as RANKER
from nemo.rerank.domain import Model
from nemo.settings import Settings
from nemo.text.words.normalise import normalise
from nemo.train import embedder, install, opinions, questions, ranker, trees
from nemo.train.figures import TrainingComparison
from nemo.train.folds import folds
from nemo.train.install import installed, reset
from nemo.train.lists import CandidateLister, ProgressCallback, TrainingCase, TrainingContext, numbered
from nemo.train.questions import LabelledQuestion
from nemo.train.space import TermBags
from nemo.types import today

FEWEST = 30
"""Questions with an answer below which nothing can be told apart from chance."""
WORKS = 3
"""Works below which no split by work leaves enough on both sides."""


LEARNED = {
    RANKER: ("questions.jsonl", "questions_normative.jsonl", "questions_spoken.jsonl", "refusals.jsonl"),
    EMBEDDER: ("questions.jsonl",),
}
"""Files of ``data/training`` that each shipped model was trained on, as its card says."""


@dataclass(frozen=True, slots=True)
class TrainingOptions:
    """What is wanted."""

    limit: int | None = None
    """At most this many questions, drawn at random."""
    seed: int = 7
    tune_embedder: bool = True
    opinions: bool = True
    """Learn also from review decisions and thumbs stored in the library."""
    dry: bool = False
    """Measure only; install nothing."""


@dataclass(frozen=True, slots=True)
class TrainingReport:
    """What training found and did."""

    questions: int
    refusable: int
    regulations: int
    from_opinions: int
    known: int
    """Questions that the shipped models were trained on."""
    known_measured: bool
    """Whether those are in the comparison, for want of others."""
    passed: dict[str, int]
    comparisons: tuple[TrainingComparison, ...]
    installed: tuple[str, ...]
    simulated: bool

    def lines(self) -> list[str]:
        """Return the report in Chinese."""
        source = f"（其中 {self.from_opinions} 题来自复核与评价）" if self.from_opinions else ""
        out = [f"可用 {self.questions} 题，另有应拒答 {self.refusable} 题{source}；涉及 {self.regulations} 部法规。"]
        out += [f"略过 {count} 题：{reason}。" for reason, count in self.passed.items()]
        if self.known:
            what = "没有足够的新题，下列数字偏高，不据以装入" if self.known_measured else "未计入"
            out.append(f"{self.known} 题曾用于训练随程序的重排模型：{what}。")
        if self.simulated:
            out.append("应拒答的题不足，拒答判断不改，只以“抽去所引法规”的方式检验。")
        for comparison in self.comparisons:
            out += ["", *comparison.lines()]
        done = "、".join(self.installed)
        out += [
            "",
            f"已装入本库：{done}。撤销：python -m nemo train --reset。" if done else "没有装入任何模型，一切照旧。",
        ]
        return out

    def as_json(self) -> dict[str, Any]:
        """Return the report as plain data."""
        plain = asdict(self)
        simulated = plain.pop("simulated")
        comparisons = [asdict(one) | {"better": one.better} for one in self.comparisons]
        return plain | {"simulated_refusals": simulated, "comparisons": comparisons}


def run(
    context: TrainingContext, files: Sequence[Path], wanted: TrainingOptions, progress: ProgressCallback
) -> TrainingReport:
    """Train, compare and install what is better.

    Raises:
        MissingDependencyError: a package that training needs is not installed.
        BadRequestError: a line is no labelled question, or there are too few.
        ConfigError: a model is damaged, or the disk refuses.
    """
    trees.lightgbm()
    labelled, said, passed = _labelled(context, files, wanted)
    shipped = Model.read(context.settings.models / RANKER)
    tuning, context = _tuning_data(context, progress)
    lister = CandidateLister(context, shipped, tuning.numbers if tuning else numbered(context.library))
    cases = lister.cases(labelled, progress)
    _check_enough(cases, passed + lister.passed)
    known = {name: _known(context.settings, cases, files) for name, files in LEARNED.items()}
    fresh, seen_before = _fresh(cases, known[RANKER])
    fold_set = ranker.RankerFold(fresh, folds([c.labelled.group for c in fresh]), shipped, seen_before)
    trained = ranker.train(fold_set, wanted.seed, progress)
    tuned = None
    if tuning and wanted.tune_embedder:
        tuned = embedder.train(tuning, *_fresh(cases, known[EMBEDDER]), wanted.seed, progress)
    origin = install.TrainingOrigin(tuple(f.name for f in files), len(cases), _works(cases), wanted.seed, today())
    done = [] if wanted.dry else _installed(context.settings, trained, tuned, origin)
    return TrainingReport(
        questions=sum(c.answerable for c in cases),
        refusable=sum(not c.answerable for c in cases),
        regulations=_works(cases),
        from_opinions=said,
        known=sum(known[RANKER]),
        known_measured=seen_before,
        passed=dict(passed + lister.passed),
        comparisons=(*trained.tried, *([tuned.comparison] if tuned else [])),
        installed=tuple(done),
        simulated=trained.simulated,
    )


def _labelled(
    context: TrainingContext, files: Sequence[Path], wanted: TrainingOptions
) -> tuple[list[LabelledQuestion], int, Counter[str]]:
    """Return the labelled questions in a fixed order, how many are from opinions, and what was passed over."""
    found = questions.resolve(questions.read(files), context.library)
    said = opinions.of(context.library) if wanted.opinions else []
    everything = sorted([*found.questions, *said], key=lambda each: (each.group, each.question, str(each.filters)))
    if wanted.limit is not None and wanted.limit < len(everything):
        drawn = np.random.default_rng(wanted.seed).permutation(len(everything))[: wanted.limit]
        everything = [everything[i] for i in sorted(drawn.tolist())]
    if sum(bool(each.gold) for each in everything) < FEWEST:
        raise _too_few(sum(bool(each.gold) for each in everything), found.passed)
    return everything, len(said), found.passed


def _tuning_data(
    context: TrainingContext, progress: ProgressCallback
) -> tuple[embedder.TuningData | None, TrainingContext]:
    """Return what tuning works on, and the context whose retriever searches by the table that ships.

    With another embedder there is nothing to tune, and the retriever stays what it is.
    """
    if context.settings.embedder != "builtin":
        return None, context
    shipped = BuiltinEmbedder(context.settings.models / EMBEDDER)
    held = TermBags.of_library(shipped, context.library, progress)
    tuning = embedder.TuningData(context, shipped, numbered(context.library), held)
    return tuning, TrainingContext(context.library, context.settings, tuning.retriever(shipped.table), context.read)


def _check_enough(cases: Sequence[TrainingCase], passed: Counter[str]) -> None:
    held = sum(c.answerable for c in cases)
    if held < FEWEST:
        raise _too_few(held, passed)
    if _works(cases) < WORKS:
        raise BadRequestError(
            f"标注只涉及 {_works(cases)} 部法规，无法按法规交叉检验。请补充其他法规的问题，至少 {WORKS} 部。"
        )


def _too_few(held: int, passed: Counter[str]) -> BadRequestError:
    tips = tuple(f"略过 {count} 题：{reason}。" for reason, count in passed.items())
    return BadRequestError(
        f"可用的标注问题只有 {held} 个，至少要 {FEWEST} 个。请用 --questions 给出更多标注，或先把所标法规入库。", tips
    )


def _works(cases: Sequence[TrainingCase]) -> int:
    return len({c.labelled.group for c in cases if c.answerable})


def _fresh(cases: Sequence[TrainingCase], known: Sequence[bool]) -> tuple[list[TrainingCase], bool]:
    """Leave out the questions whose answers the shipped model was told, where enough others remain.

    The terms have seen such a question beside its answer: every figure on it is too good, and trees grown on it trust the
    terms too much.

    Returns:
        The questions, and whether they are such questions nevertheless, for want of others.
    """
    fresh = [c for c, k in zip(cases, known, strict=True) if not (k and c.answerable)]
    enough = sum(c.answerable for c in fresh) >= FEWEST and _works(fresh) >= WORKS
    return (fresh, False) if enough else (list(cases), any(known))


def _known(settings: Settings, cases: Sequence[TrainingCase], names: Sequence[str]) -> list[bool]:
    """Tell which questions a shipped model was trained on."""
    files = [settings.samples.parent / "training" / name for name in names]
    lines = [line for file in files if file.is_file() for line in file.read_text("utf-8").splitlines()]
    seen = {normalise(json.loads(line)["question"]).text for line in lines}
    return [normalise(c.labelled.question).text in seen for c in cases]


def _installed(
    settings: Settings, trained: ranker.Trained, tuned: embedder.TunedTable | None, origin: install.TrainingOrigin
) -> list[str]:
    done = []
    if trained.comparison.better:
        install.ranker(settings, trained, origin)
        done.append(RANKER)
    if tuned is not None and tuned.comparison.better:
        install.embedder(settings, tuned.table, tuned.comparison, origin)
        done.append(EMBEDDER)
    return done
