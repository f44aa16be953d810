"""How often an answer is wrong at each level of confidence, and what refusing costs on unseen regulations: ``make risk``.

The risk–coverage curve (El-Yaniv and Wiener, JMLR 2010) runs over every development set; the bound is that of Clopper and
Pearson (Biometrika 1934). The judgement of the ranker is fitted anew without each fold of the regulations, so that its
threshold is judged by questions it was not chosen on.
"""

import argparse
import datetime as dt
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.speed import ROOT, replace_section
from nemo import settings
from nemo.engine import Engine
from nemo.evaluation.golden import squash
from nemo.rerank import features
from nemo.rerank.domain import MODEL, Model
from nemo.rerank.verdict import Calibration, Logistic
from nemo.train import judging
from nemo.train.figures import judged
from nemo.train.folds import FOLDS, folds
from nemo.train.judging import ScoredCase
from nemo.train.lists import CandidateLister, numbered
from nemo.train.questions import read, resolve
from nemo.types import Answer, Filters

STATUTES = ("golden/golden", "golden/golden_extra", "golden/unanswerable", "golden/adversarial", "forms/forms")
PAPERS = ("normative/golden_normative", "normative/unanswerable_normative", "official/golden", "official/unanswerable")
LISTED = ("golden/golden", "golden/golden_extra", "golden/unanswerable")
LEVELS = (0.97, 0.95, 0.9, 0.8, 0.7, 0.5, 0.0)
"""Confidence from which answers are counted."""
SURE = 0.95
"""Of the bound."""


@dataclass(frozen=True, slots=True)
class Told:
    """One answer: how sure it said it was, and whether the words that answer stand in its quotes."""

    confidence: float
    right: bool
    refused: bool
    answerable: bool


def upper(wrong: int, of: int) -> float:
    """Return the one-sided upper bound of a share (Clopper–Pearson): with :data:`SURE` the true one is not above it."""
    from scipy.stats import beta  # 0.7 s of processor time: only who asks pays them

    return 1.0 if wrong >= of else float(beta.ppf(SURE, wrong + 1, of - wrong))


def curve(told: Sequence[Told]) -> list[str]:
    """Return the risk–coverage curve as a Markdown table."""
    lines = ["| 把握不低于 | 作答 | 占应答题 | 错 | 错误率 | 95% 上界 |", "|---:|---:|---:|---:|---:|---:|"]
    whole = sum(t.answerable for t in told)
    for level in LEVELS:
        kept = [t for t in told if not t.refused and t.confidence >= level]
        wrong = sum(not t.right for t in kept)
        share = wrong / len(kept) if kept else 0.0
        covered = sum(t.answerable for t in kept) / whole
        lines.append(
            f"| {level:.2f} | {len(kept)} | {covered:.3f} | {wrong} | {share:.3f} | {upper(wrong, len(kept)):.3f} |"
        )
    return lines


def rows_of(file: Path) -> Iterator[dict[str, Any]]:
    """Yield the questions whose answer words are stated, and those that must be refused."""
    for line in file.read_text("utf-8").splitlines():
        row = json.loads(line)
        refuses = row.get("expect") == "refuse" or row.get("answerable") is False
        if refuses or any(gold.get("must_quote") for gold in row.get("gold") or ()):
            yield {**row, "refuses": refuses}


def asked(engine: Engine, row: Mapping[str, Any]) -> Told:
    """Ask one question."""
    day = dt.date.fromisoformat(row["as_of"]) if row.get("as_of") else None
    filters = Filters(row.get("province"), row.get("asset"), row.get("doc_class"), day)
    before = row.get("previous") or row.get("previous_question")
    asked = row["question"], filters
    answer = engine.ask_after(before, *asked) if before else engine.ask(*asked)
    right = not row["refuses"] and holds(answer, row["gold"])
    return Told(answer.confidence.overall, right, answer.refusal is not None, not row["refuses"])


def holds(answer: Answer, gold: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether the words of some gold provision stand in the quotes."""
    words = [squash("".join((q.before_text or "", q.text, q.after_text or ""))) for q in answer.quotes]
    return any(squash(g["must_quote"]) in w for g in gold if g.get("must_quote") for w in words)


def thresholds(engine: Engine, files: Sequence[Path]) -> list[str]:
    """Return refusal and calibration of the ranker's judgement as it ships, fitted on all, and fitted by turns."""
    labelled = resolve(read(files), engine.library).questions
    model = Model.read(engine.settings.model(MODEL))
    lister = CandidateLister(engine.training.context(), model, numbered(engine.library))
    scored = [ScoredCase.of(c, c.base) for c in lister.cases(labelled, lambda what, done, total: None)]
    at = {name: column for column, name in enumerate(features.names())}
    fold = folds([s.case.labelled.group for s in scored])

    def fitted(some: Sequence[ScoredCase]) -> Calibration:
        held, none = [s for s in some if s.case.answerable], [s for s in some if not s.case.answerable]
        return judging.fit(held, none, untaught(model.verdict), at)

    turns = [fitted([s for s, f in zip(scored, fold, strict=True) if f != n]) for n in range(int(fold.max()) + 1)]
    ways = {
        "随包（判定曾用开发题拟合）": [model.verdict] * len(scored),
        "重拟合，样本内": [fitted(scored)] * len(scored),
        f"重拟合，按法规 {FOLDS} 折样本外": [turns[f] for f in fold.tolist()],
    }
    lines = ["| 判定 | 应答题 | 误拒 | 应拒题 | 应拒已拒 | ECE | 阈值 |", "|---|---:|---:|---:|---:|---:|---:|"]
    for name, verdicts in ways.items():
        pairs = list(zip(scored, verdicts, strict=True))
        held, none = [p for p in pairs if p[0].case.answerable], [p for p in pairs if not p[0].case.answerable]
        found = judged(held, none, at).figures
        marks = "、".join(dict.fromkeys(f"{v.threshold:.2f}" for v in verdicts))
        lines.append(
            f"| {name} | {len(held)} | {1 - found['coverage']:.3f} | {len(none)} | {found['refusal']:.3f} | {found['ece']:.3f} | {marks} |"
        )
    return lines


def untaught(shipped: Calibration) -> Calibration:
    """Return a judgement of the same form that knows nothing: what ships has seen these questions."""

    def even(model: Logistic) -> Logistic:
        return Logistic(np.zeros_like(model.weights), 0.0)

    return replace(shipped, chance=even(shipped.chance), answer=even(shipped.answer), sure=even(shipped.sure))


def main() -> None:
    """Ask everything, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument("--statutes", type=Path, required=True, help="资料库：corpus（make figures --keep 所留）")
    parser.add_argument("--papers", type=Path, required=True, help="资料库：另加 normative 与 official")
    parser.add_argument("--dry", action="store_true", help="只打印，不写 BENCHMARKS.md")
    options = parser.parse_args()
    told: list[Told] = []
    judgement: list[str] = []
    for folder, sets in ((options.statutes, STATUTES), (options.papers, PAPERS)):
        with Engine.open(settings.load(library=folder, keep_answers=False)) as engine:
            for name in sets:
                told += [asked(engine, row) for row in rows_of(options.shared / f"{name}.jsonl")]
                print(name, len(told), flush=True)
            if sets is STATUTES:
                judgement = thresholds(engine, [options.shared / f"{name}.jsonl" for name in LISTED])
    refused = [t for t in told if not t.answerable]
    lines = [
        f"`make risk`，{dt.date.today()}，全部开发集：{len(told)} 题，其中应拒 {len(refused)} 题，已拒 {sum(t.refused for t in refused)} 题。"
        "“错”指引文中没有应引的原句，或应拒而答；上界为 Clopper–Pearson 单侧 95%。",
        "",
        *curve(told),
        "",
        "拒答阈值（只看排序器的判定，不含按规则的拒答；法条题，每折按法规分开）：",
        "",
        *judgement,
    ]
    print("\n".join(lines))
    if not options.dry:
        replace_section("risk", lines)


if __name__ == "__main__":
    main()
