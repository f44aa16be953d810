"""Fits the weighing of what a memo says of a provision (:mod:`nemo.audit.entailment`), held out set by set.

``python -m training.sayings PAIRS`` reads JSON lines ``{"said", "place", "wrong", "set"}``: a saying, the words of the
provision it cites, whether it is wrong, and the set of memos it comes from. It prints what each limit would have caught in
sets that were not fitted on, and the weights to write into the module. Sayings of memos on real law hold its sentences and
stand outside the project.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from nemo.audit.entailment import DOUBTFUL, SURE, evidence

_STRENGTH = 0.1
"""Inverse of the weight decay (L2)."""


@dataclass(frozen=True, slots=True)
class SayingPair:
    """A saying of a memo and the provision it cites."""

    said: str
    place: str
    wrong: bool
    set: str


@dataclass(frozen=True, slots=True)
class SayingWeights:
    """The weights of the evidence by name, and the bias; log odds of being wrong."""

    weights: dict[str, float]
    bias: float

    def odds(self, rows: np.ndarray) -> np.ndarray:
        """Return the log odds of rows of evidence, shape (rows, names)."""
        return np.asarray(rows @ np.array(list(self.weights.values())) + self.bias)


def fit(names: Sequence[str], rows: np.ndarray, wrong: np.ndarray) -> SayingWeights:
    """Fit a logistic regression on standardised evidence and state it for the evidence as it is."""
    scale = StandardScaler().fit(rows)
    model = LogisticRegression(C=_STRENGTH, max_iter=3000).fit(scale.transform(rows), wrong)
    weights = model.coef_[0] / scale.scale_
    bias = float(model.intercept_[0] - weights @ scale.mean_)
    return SayingWeights({name: float(weight) for name, weight in zip(names, weights, strict=True)}, bias)


def held_out(names: Sequence[str], rows: np.ndarray, wrong: np.ndarray, sets: np.ndarray) -> np.ndarray:
    """Return the probability of each saying by a fit on the other sets."""
    out = np.zeros(len(wrong))
    for each in np.unique(sets):
        inside = sets == each
        out[inside] = fit(names, rows[~inside], wrong[~inside]).odds(rows[inside])
    return np.asarray(1 / (1 + np.exp(-out)))


def main() -> None:
    """Fit and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", type=Path)
    lines = parser.parse_args().pairs.read_text(encoding="utf-8").splitlines()
    pairs = [SayingPair(**json.loads(line)) for line in lines]
    seen = [evidence(pair.said, pair.place) for pair in pairs]
    names, rows = list(seen[0]), np.array([list(each.values()) for each in seen])
    wrong, sets = np.array([pair.wrong for pair in pairs]), np.array([pair.set for pair in pairs])
    likely = held_out(names, rows, wrong, sets)
    for limit in (SURE, DOUBTFUL):
        called = likely >= limit
        print(
            f"{limit:.2f}: {int((called & wrong).sum())} of {int(wrong.sum())} wrong, {int((called & ~wrong).sum())} right"
        )
    made = fit(names, rows, wrong)
    print({name: round(weight, 2) for name, weight in made.weights.items()}, round(made.bias, 2))


if __name__ == "__main__":
    main()
