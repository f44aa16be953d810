"""How a further stage's order is read, fitted on simulated stages (``nemo/rerank/opinion.py``).

No outside model's weights are at hand, so stages of every quality are simulated over lists that the trees had not seen:
a stage gives each candidate a number from whether it is evidence, from what the stage before thought, and from noise.
Many more are good than bad: who configures one has chosen it. Chance and reversed order are among them, so that the fit
learns what disagreement looks like. Folds are by regulation.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from nemo.rerank import opinion
from nemo.rerank.verdict import Logistic
from nemo.train.folds import folds
from nemo.train.judging import logistic

KINDS = (
    ("oracle", 0.25, 40.0, 6.0, 0.0),
    ("strong", 0.3, 3.5, 0.5, 1.0),
    ("good", 0.25, 2.0, 0.8, 1.0),
    ("chance", 0.1, 0.0, 0.0, 1.0),
    ("reversed", 0.1, 0.0, -6.0, 0.0),
)
"""Name, share, and what a candidate's number is made of: evidence, the stage before, noise."""
HEAD = 20
DEPTH = 10
"""Hits of each list that are fitted on; none below is ever offered."""
WISE = ("oracle", "strong")
FALSE_REFUSALS = 0.03
"""Share of right first hits of a wise stage that may be refused."""
FOLDS = 4
SEEN = 30
"""Hits of a list that are looked at."""
EACH = 2
"""How often each list is put in order by some stage."""


@dataclass(frozen=True, slots=True)
class SeenList:
    """One list by the stage before."""

    chances: np.ndarray
    """(n,) probabilities, falling."""
    whole: float
    good: np.ndarray
    """(n,) bool: is evidence."""
    answerable: bool
    group: str
    """The work that the question is about."""


@dataclass(frozen=True, slots=True)
class Simulated:
    """A list put in order anew by a stage."""

    seen: SeenList
    kind: str
    order: np.ndarray
    stated: np.ndarray


def simulated(lists: Sequence[SeenList], seed: int) -> list[Simulated]:
    """Return every list as stages drawn by lot put it."""
    rng = np.random.default_rng(seed)
    shares = np.array([k[1] for k in KINDS])
    out = []
    for seen in lists:
        for at in rng.choice(len(KINDS), EACH, p=shares / shares.sum()).tolist():
            kind, _, truth, before, noise = KINDS[at]
            own = opinion.log_odds(seen.chances[:HEAD])
            spread = max(float(own.std()), 1e-6)
            good = seen.good[:HEAD]
            numbers = truth * good + before * (own - own.mean()) / spread + noise * rng.standard_normal(len(own))
            order = np.argsort(-numbers, kind="stable")
            said = truth * (2 * good - 1) / 2 + noise * rng.standard_normal(len(own)) + rng.normal(0, 0.5)
            if kind == "reversed":
                said = -own
            stated = 1 / (1 + np.exp(-np.clip(np.sort(said)[::-1] if not truth else said[order], -6, 6)))
            out.append(Simulated(seen, kind, order, stated))
    return out


@dataclass(frozen=True, slots=True)
class Read:
    """How stages are read."""

    placed: Logistic
    spoken: Logistic
    whole: Logistic

    def chances(self, made: Simulated, states: bool) -> np.ndarray:
        """Return the probability of each hit, never rising."""
        model = self.spoken if states else self.placed
        said = made.stated if states else None
        return np.minimum.accumulate(model(opinion.rows(made.order, made.seen.chances, said)))

    def answerable(self, made: Simulated, states: bool) -> float:
        """Return the probability of an answer."""
        return float(self.whole(_whole_row(made, float(self.chances(made, states)[0]))))


def read(lists: Sequence[SeenList], threshold: float, seed: int) -> Read:
    """Fit all three; ``threshold`` is the probability of an answer from which the ranker answers."""
    made = simulated(lists, seed)
    first = Read(_each(made, False), _each(made, True), Logistic(np.zeros(5), 0.0))
    return replace(first, whole=_whole(first, made, threshold))


def _each(made: Sequence[Simulated], states: bool) -> Logistic:
    inputs = [opinion.rows(m.order, m.seen.chances, m.stated if states else None)[:DEPTH] for m in made]
    labels = np.concatenate([m.seen.good[m.order][:DEPTH] for m in made])
    rows = np.concatenate(inputs)
    return logistic(rows, labels, np.ones(len(rows)), Logistic(np.zeros(rows.shape[1]), 0.0))


def _whole_row(made: Simulated, first: float) -> np.ndarray:
    seen = made.seen
    return opinion.whole_row(seen.whole, first, float(seen.chances[0]), made.order, seen.chances)


def _whole(found: Read, made: Sequence[Simulated], threshold: float) -> Logistic:
    """Fit the probability of an answer, half of the stages stating chances, moved to the ranker's own threshold.

    A list whose first hit is no evidence counts as one without an answer: it would be quoted.
    """
    rows = np.stack([_whole_row(m, float(found.chances(m, bool(n % 2))[0])) for n, m in enumerate(made)])
    held = np.array([bool(m.seen.good[m.order[0]]) for m in made])
    weights = np.where(held, 0.5 / max(held.mean(), 1e-9), 0.5 / max(1 - held.mean(), 1e-9))
    fitted = logistic(rows, held, weights, Logistic(np.zeros(rows.shape[1]), 0.0))
    fine = np.array([m.kind in WISE for m in made]) & held
    least = np.quantile(fitted(rows[fine]), FALSE_REFUSALS)
    return replace(fitted, bias=fitted.bias + float(np.log(threshold / (1 - threshold)) - np.log(least / (1 - least))))


def report(lists: Sequence[SeenList], threshold: float, seed: int) -> list[str]:
    """Return what every kind of stage leads to on regulations that were not fitted on, and the fit on all."""
    fold = folds([seen.group for seen in lists], FOLDS)
    lines = []
    tried: list[tuple[str, bool, Simulated, float]] = []
    for held in range(int(fold.max()) + 1):
        found = read([s for s, f in zip(lists, fold, strict=True) if f != held], threshold, seed)
        for made in simulated([s for s, f in zip(lists, fold, strict=True) if f == held], seed):
            tried += [(made.kind, states, made, found.answerable(made, states)) for states in (False, True)]
    for kind, *_ in KINDS:
        for states in (False, True):
            mine = [(m, whole >= threshold) for k, s, m, whole in tried if k == kind and s == states]
            held_ = [(m.seen.good[m.order[0]], offered) for m, offered in mine if m.seen.answerable]
            none = [offered for m, offered in mine if not m.seen.answerable]
            right = [good for good, offered in held_ if offered]
            lines.append(
                f"{kind} {'states' if states else 'orders'}: answered {len(right)}/{len(held_)}, right {sum(right)}; "
                f"refused without an answer {len(none) - sum(none)}/{len(none)}"
            )
    whole = read(lists, threshold, seed)
    named = {"PLACED": whole.placed, "SPOKEN": whole.spoken, "WHOLE": whole.whole}
    return lines + [f"{n}: {np.round(v.weights, 3).tolist()}, {v.bias:.3f}" for n, v in named.items()]
