"""Before and after on held-out questions, and whether after is better (对比与取舍)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from nemo.evaluation.golden import calibration, of_ranks
from nemo.rerank.verdict import Calibration
from nemo.train.judging import FALSE_REFUSALS, ScoredCase, answers, confidence

Judged = tuple[ScoredCase, Calibration]
"""A list and the judgement of the model that did not see its question."""

DRAWS = 2000
LIKELY = 0.9
"""Share of resampled question sets in which the new model must be the better one."""

SLACK = 0.005
"""What a figure may lose without harm; of a small set one question."""
REFUSALS_LOST = 0.05
"""Share of the questions without an answer that may cease to be refused, for whatever gain."""
ECE_ENOUGH = 0.08
"""Calibration error that the product promises to stay below."""

NAMES = {
    "hit@1": "Hit@1", "hit@5": "Hit@5", "mrr@5": "MRR@5", "coverage": "作答率", "refusal": "应拒已拒",
    "accuracy": "拒答判断准确率", "ece": "ECE（越低越好）", "recall": "候选召回",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class TrainingMeasures:
    """What one model reaches."""

    figures: Mapping[str, float]
    ranks: Sequence[int | None]
    answered: Sequence[bool] = ()
    """Which of the questions with an answer were answered."""
    refused: Sequence[bool] = ()
    """Which of those without one were refused."""


@dataclass(frozen=True, slots=True)
class TrainingComparison:
    """What a part reaches before and after training, and whether that is better."""

    part: str
    questions: int
    refusable: int
    before: Mapping[str, float]
    after: Mapping[str, float]
    likely: float
    """Share of resampled question sets in which the mean reciprocal rank is higher after."""
    likely_judging: float
    """Share of those in which the mean of answering and refusing rightly is higher after."""
    against: tuple[str, ...]
    """Why it is not better; empty when it is."""

    @property
    def better(self) -> bool:
        """Whether it should be installed."""
        return not self.against

    def lines(self) -> list[str]:
        """Return the table in Chinese."""
        rows = [
            f"{self.part}：{self.questions} 个有答案的题"
            + (f"、{self.refusable} 个应拒答的题" if self.refusable else "")
        ]
        rows += ["", "| 指标 | 训练前 | 训练后 | 差 |", "|---|---:|---:|---:|"]
        for key, value in self.before.items():
            rows.append(f"| {NAMES[key]} | {value:.3f} | {self.after[key]:.3f} | {self.after[key] - value:+.3f} |")
        rows.append("")
        judging = f"，拒答判断提高的比例：{self.likely_judging:.2f}" if self.refusable else ""
        rows.append(f"重抽样 {DRAWS} 次中 MRR 提高的比例：{self.likely:.2f}{judging}")
        rows.append("结论：更好。" if self.better else "结论：不更好（" + "；".join(self.against) + "）。")
        return rows


def judged(held: Sequence[Judged], refusable: Sequence[Judged], at: Mapping[str, int]) -> TrainingMeasures:
    """Measure the order and the judgement of lists."""
    ranks = [scored.rank for scored, _ in held]
    said = [answers(verdict, scored, at) for scored, verdict in held]
    refused = [not answers(verdict, scored, at) for scored, verdict in refusable]
    figures = {k: v for k, v in of_ranks(ranks).items() if k != "hit@3"}
    figures["coverage"] = fmean(said)
    if refusable:
        figures["refusal"] = fmean(refused)
        figures["accuracy"] = (figures["coverage"] + figures["refusal"]) / 2
    offered = [each for each, answered in zip(held, said, strict=True) if answered]
    figures["ece"], _ = calibration([(confidence(v, s, at), bool(s.case.good[0])) for s, v in offered])
    return TrainingMeasures(figures, ranks, said, refused)


def compare(
    part: str, before: TrainingMeasures, after: TrainingMeasures, *, real: bool = False, seen: bool = False
) -> TrainingComparison:
    """Say whether ``after`` is better: the order or the judgement, by more than chance, with nothing else lost.

    A judgement that is better only on simulated questions without an answer (not ``real``) counts for nothing, and
    where the models that ship had ``seen`` the answers no figure counts.
    """
    order, judging = _likely_order(before, after), _likely_judging(before, after)
    old, new = before.figures, after.figures
    slack = max(SLACK, 1.01 / len(before.ranks))

    def lost(key: str, at_least: float = 1.0) -> bool:
        return new.get(key, 0.0) < min(old.get(key, 0.0), at_least) - slack

    against = ["随程序的模型学过这些题，数字不作数"] if seen else []
    if order < LIKELY and not (real and judging >= LIKELY):
        against.append("没有可靠的提高")
    against += [f"{NAMES[key]}下降" for key in ("hit@1", "hit@5", "recall") if lost(key)]
    if lost("accuracy"):
        against.append("拒答判断变差")
    if new.get("refusal", 0) < old.get("refusal", 0) - REFUSALS_LOST:
        against.append("应拒答的更少被拒")
    if lost("coverage", 1 - FALSE_REFUSALS):
        against.append("误拒过多")
    if new.get("ece", 0) > max(old.get("ece", 0), ECE_ENOUGH) + SLACK:
        against.append("置信度不再可靠")
    return TrainingComparison(part, len(before.ranks), len(before.refused), old, new, order, judging, tuple(against))


def _likely_order(before: TrainingMeasures, after: TrainingMeasures) -> float:
    """Resample the questions (paired bootstrap): in which share of the draws is the mean reciprocal rank higher?"""
    gain = [(1 / b if b else 0) - (1 / a if a else 0) for a, b in zip(before.ranks, after.ranks, strict=True)]
    return float((_drawn(gain) > 0).mean())


def _likely_judging(before: TrainingMeasures, after: TrainingMeasures) -> float:
    """The same for the mean of answering and refusing rightly."""
    if not before.refused:
        return 0.0
    answered = np.subtract(after.answered, before.answered, dtype=float)
    refused = np.subtract(after.refused, before.refused, dtype=float)
    return float((_drawn(answered) + _drawn(refused) > 0).mean())


def _drawn(gains: Sequence[float] | np.ndarray) -> np.ndarray:
    """Return the mean gain of each resampled question set; always the same draws."""
    rng = np.random.default_rng(len(gains))
    values = np.asarray(gains, float)
    return np.array([values[rng.integers(0, len(values), len(values))].mean() for _ in range(DRAWS)])
