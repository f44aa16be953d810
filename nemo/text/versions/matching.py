"""Matches two lists of texts that are versions of each other: articles of an old and a new law (条文配对).

Texts are matched by what they say, not by their numbers: equal ones first, then alike ones wherever they stand, then
what lies between two matched neighbours with less likeness. The thresholds were chosen by reading the pairs of 37 laws
and their successors.
"""

import itertools
import math
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nemo.types.fixed_point import fixed

ALIKE = 0.5
"""Likeness from which two texts are one, wherever they stand."""
BETWEEN = 0.25
"""Likeness that is enough for two texts between the same matched neighbours."""
HELD = 0.6
"""Likeness of a text that stands whole in a longer one."""
TELLING = 10
"""Pairs of characters a text must have for that: shorter ones stand in many."""
_FIGURE = re.compile(r"(?:第[零〇一二三四五六七八九十百千万\d]+[条款项、]+)+|[\d零〇一二三四五六七八九十百千万]+")
_BUCKETS = 8191
"""Character pairs are counted in this many buckets (a prime), so that a code of 1,260 articles stays in 80 MB."""

Match = tuple[int, int, float]
"""(old index, new index, likeness 0..1)."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike the texts of two lists are, 0..1."""

    mutual: np.ndarray
    """(old, new): what two texts share of both together, or of the one that went into the other."""
    in_new: np.ndarray
    """(old, new): share of the old one's words that stand in the new one."""
    in_old: np.ndarray
    """(new, old): share of the new one's words that stand in the old one."""


def match(old: Sequence[str], new: Sequence[str]) -> tuple[list[Match], Likeness]:
    """Pair two lists of texts: equal ones, alike ones, and less alike ones between matched neighbours."""
    likeness = _likeness([_figureless(t) for t in old], [_figureless(t) for t in new])
    found = _equal(old, new)
    found += _alike(found, likeness.mutual)
    found += _between(found, likeness.mutual)
    return found, likeness


def _equal(old: Sequence[str], new: Sequence[str]) -> list[Match]:
    """Pair equal texts; of several equal ones the first with the first."""
    places: dict[str, list[int]] = defaultdict(list)
    for index, text in enumerate(old):
        places[text].append(index)
    found: list[Match] = []
    for index, text in enumerate(new):
        if places.get(text):
            found.append((places[text].pop(0), index, 1.0))
    return found


def _figureless(text: str) -> str:
    """Return a text with every number and reference alike: they change when articles are renumbered."""
    return _FIGURE.sub("0", text)


def _likeness(old: Sequence[str], new: Sequence[str]) -> Likeness:
    """Compare all with all by pairs of neighbouring characters; those that stand in few provisions count more."""
    rows = _pairs_of([*old, *new])
    rarity = np.log1p(len(rows) / np.maximum(rows.sum(axis=0, dtype=np.float64), 1))
    weights = fixed(rarity, 10).astype(np.float32)  # sums of up to 2,000 pairs are exact on every processor
    a, b = rows[: len(old)], rows[len(old) :]
    shared = (a * weights) @ b.T
    whole_a, whole_b = np.maximum(a @ weights, 1e-6)[:, None], np.maximum(b @ weights, 1e-6)[None, :]
    enough = np.minimum(a.sum(axis=1)[:, None], b.sum(axis=1)[None, :]) >= TELLING
    held = HELD * enough * shared / np.minimum(whole_a, whole_b)
    return Likeness(np.maximum(2 * shared / (whole_a + whole_b), held), shared / whole_a, (shared / whole_b).T)


def _pairs_of(texts: Sequence[str]) -> np.ndarray:
    """Return (texts, buckets) float32: 1 where a text holds a character pair of the bucket."""
    rows = np.zeros((len(texts), _BUCKETS), np.float32)
    for row, text in zip(rows, texts, strict=True):
        codes = np.frombuffer(text.encode("utf-32-le"), np.uint32).astype(np.int64)
        row[(codes[:-1] * 1_000_003 + codes[1:]) % _BUCKETS] = 1
        if len(codes) == 1:
            row[codes % _BUCKETS] = 1
    return rows


def _alike(found: Sequence[Match], likeness: np.ndarray) -> list[Match]:
    """Pair the most alike first, wherever they stand; of equals those nearest in the order."""
    free = _free(found, likeness.shape)
    candidates = [(i, j) for i, j in np.argwhere(likeness >= ALIKE).tolist() if i in free[0] and j in free[1]]
    height, width = likeness.shape
    candidates.sort(key=lambda c: (-round(float(likeness[c]), 2), abs(c[0] / height - c[1] / width)))
    out: list[Match] = []
    for i, j in candidates:
        if i in free[0] and j in free[1]:
            free[0].discard(i)
            free[1].discard(j)
            out.append((i, j, float(likeness[i, j])))
    return out


def _free(found: Sequence[Match], shape: tuple[int, ...]) -> tuple[set[int], set[int]]:
    return set(range(shape[0])) - {i for i, _, _ in found}, set(range(shape[1])) - {j for _, j, _ in found}


def _between(found: Sequence[Match], likeness: np.ndarray) -> list[Match]:
    """Pair what is left between two neighbours that keep their order, in order, so that the sum of likeness is largest."""
    free = _free(found, likeness.shape)
    fixed = [(-1, -1), *rising([(i, j) for i, j, _ in found]), likeness.shape]
    out: list[Match] = []
    for (i, j), (k, m) in itertools.pairwise(fixed):
        rows = [r for r in range(i + 1, k) if r in free[0]]
        columns = [c for c in range(j + 1, m) if c in free[1]]
        if rows and columns:
            out += [
                (rows[a], columns[b], float(likeness[rows[a], columns[b]]))
                for a, b in _aligned(likeness[np.ix_(rows, columns)])
            ]
    return out


def rising(places: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest chain of pairs that rises on both sides: what kept its order."""
    tails: list[int] = []
    ends: list[tuple[int, int]] = []
    before: dict[tuple[int, int], tuple[int, int] | None] = {}
    for place in sorted(places):
        at = bisect_left(tails, place[1])
        before[place] = ends[at - 1] if at else None
        tails[at : at + 1] = [place[1]]
        ends[at : at + 1] = [place]
    chain: list[tuple[int, int]] = []
    place_or_none = ends[-1] if ends else None
    while place_or_none is not None:
        chain.append(place_or_none)
        place_or_none = before[place_or_none]
    return chain[::-1]


def _aligned(likeness: np.ndarray) -> list[tuple[int, int]]:
    """Return the pairs of the best alignment in order; a pair below ``BETWEEN`` is never made."""
    gain = np.where(likeness >= BETWEEN, likeness, -1.0)
    height, width = gain.shape
    best = np.zeros((height + 1, width + 1))
    for i in range(height):
        best[i + 1, 1:] = np.maximum.accumulate(np.maximum(best[i, 1:], best[i, :-1] + gain[i]))
    out: list[tuple[int, int]] = []
    i, j = height, width
    while i and j:
        if math.isclose(best[i, j], best[i - 1, j]):
            i -= 1
        elif math.isclose(best[i, j], best[i, j - 1]):
            j -= 1
        else:
            i, j = i - 1, j - 1
            out.append((i, j))
    return out[::-1]
