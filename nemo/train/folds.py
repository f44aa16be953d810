"""Splits questions so that no work is on both sides (按法规分组的交叉检验)."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

FOLDS = 5


def folds(groups: Sequence[str], count: int = FOLDS) -> np.ndarray:
    """Return the fold of each question, ``count`` at most: the largest groups first, each into the smallest fold."""
    sizes = Counter(groups)
    filled = [0] * max(1, min(count, len(sizes)))
    places = {}
    for group in sorted(sizes, key=lambda g: (-sizes[g], g)):
        places[group] = min(range(len(filled)), key=lambda f: (filled[f], f))
        filled[places[group]] += sizes[group]
    return np.array([places[g] for g in groups], np.int64)
