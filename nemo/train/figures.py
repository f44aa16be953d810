"""Before and after on held-out questions, and whether after is better (对比与取舍)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from nemo.evaluate import BINS, of_ranks
from nemo.rerank.verdict import Verdict
from nemo.train.judging import Scored, answers, chance_of

Judged = tuple[Scored, Verdict]
"""A list and the judgement of the model that did not see its question."""

DRAWS = 2000
LIKELY = 0.9
"""Share of resampled question sets in which the new model must be the better one."""

SLACK = 0.005
"""What a secondary figure may lose without harm: less than one question in most sets."""
ECE_ENOUGH = 0.08
"""Calibration error that the product promises to stay below."""

NAMES = {
    "hit@1": "Hit@1",
    "hit@5": "Hit@5",
    "mrr@5": "MRR@5",
    "coverage": "作答率",
    "refusal": "应拒已拒",
    "accuracy": "拒答判断准确率",
    "ece": "ECE（越低越好）",
    "recall": "候选召回",
}


@dataclass(frozen=True, slots=True)
class Side:
    """What one model reaches."""

    figures: Mapping[str, float]
    ranks: Sequence[int | None]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a part reaches before and after training, and whether that is better."""

    part: str
    questions: int
    refusable: int
    before: Mapping[str, float]
    after: Mapping[str, float]
    likely: float
    """Share of resampled question sets in which the mean reciprocal rank is higher after."""
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
        rows.append("| 指标 | 训练前 | 训练后 | 差 |\n|---|---:|---:|---:|")
        for key, value in self.before.items():
            rows.append(f"| {NAMES[key]} | {value:.3f} | {self.after[key]:.3f} | {self.after[key] - value:+.3f} |")
        rows.append(f"重抽样 {DRAWS} 次中 MRR 提高的比例：{self.likely:.2f}")
        rows.append("结论：更好。" if self.better else "结论：不更好（" + "；".join(self.against) + "）。")
        return rows


def judged(held: Sequence[Judged], refusable: Sequence[Judged], at: Mapping[str, int]) -> Side:
    """Measure the order and the judgement of lists."""
    ranks = [scored.rank for scored, _ in held]
    said = [answers(verdict, scored, at) for scored, verdict in held]
    wrong = [answers(verdict, scored, at) for scored, verdict in refusable]
    figures = {k: v for k, v in of_ranks(ranks).items() if k != "hit@3"}
    figures["coverage"] = fmean(said)
    if refusable:
        figures["refusal"] = 1 - fmean(wrong)
        figures["accuracy"] = (figures["coverage"] + figures["refusal"]) / 2
    offered = [each for each, answered in zip(held, said, strict=True) if answered]
    figures["ece"] = _error([(chance_of(v, s), bool(s.case.good[0])) for s, v in offered])
    return Side(figures, ranks)


def _error(told: Sequence[tuple[float, bool]]) -> float:
    """Expected calibration error with ten equal bins, as in ``nemo.evaluate``."""
    total = 0.0
    for number in range(BINS):
        inside = [(c, r) for c, r in told if min(int(c * BINS), BINS - 1) == number]
        if inside:
            total += abs(sum(c for c, _ in inside) - sum(r for _, r in inside))
    return total / max(1, len(told))


def compare(part: str, before: Side, after: Side, refusable: int = 0) -> Comparison:
    """Say whether ``after`` is better: the order, by more than chance, with nothing else lost."""
    likely = _likely(before.ranks, after.ranks)
    old, new = before.figures, after.figures
    against = []
    if likely < LIKELY:
        against.append("排序没有可靠的提高")
    against += [f"{NAMES[k]}下降" for k in ("hit@1", "hit@5", "recall") if new.get(k, 0) < old.get(k, 0) - SLACK]
    if new.get("accuracy", 0) < old.get("accuracy", 0) - SLACK:
        against.append("拒答判断变差")
    if new.get("ece", 0) > max(old.get("ece", 0), ECE_ENOUGH) + SLACK:
        against.append("置信度不再可靠")
    return Comparison(part, len(before.ranks), refusable, old, new, likely, tuple(against))


def _likely(before: Sequence[int | None], after: Sequence[int | None]) -> float:
    """Resample the questions (paired bootstrap): in which share of the draws is the mean reciprocal rank higher?"""
    gain = np.array([(1 / b if b else 0) - (1 / a if a else 0) for a, b in zip(before, after, strict=True)])
    if not gain.any():
        return 0.0
    draws = np.random.default_rng(0).integers(0, len(gain), (DRAWS, len(gain)))
    return float((gain[draws].sum(axis=1) > 0).mean())
