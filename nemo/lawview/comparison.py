"""Two versions of a regulation side by side, article by article (版本对照).

Articles are matched by what they say, not by their numbers (``nemo.text.versions.matching``). Pure: needs no library.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from nemo.text.versions.edits import Edit, EditKind, edits
from nemo.text.versions.matching import match, rising
from nemo.text.words.normalise import normalise, squash
from nemo.text.words.sentences import trim
from nemo.types import HEADINGS, Level, Provision, Regulation, Span

NOTES = (Level.PREAMBLE,)
UNITS = tuple(level for level in Level if level not in (*HEADINGS, *NOTES))
"""Three groups; a provision is only ever matched within its own."""

BEHIND_NUMBER = re.compile(r"[\s\u3000、.．]*")
WITHIN = 0.6
"""Share of a provision that must stand in another for a note that its words went there (并入)."""

KEPT = 16
"""So many comparisons are kept: a new version is asked about again and again."""

ComparedText = tuple[str, str, tuple[Provision, ...]]
"""All that a comparison depends on: the id of a text, its words and its structure."""


class ProvisionChange(enum.StrEnum):
    """What became of a provision."""

    SAME = "未变"
    CHANGED = "修改"
    MOVED = "移动"
    """The same words under another number."""
    ADDED = "新增"
    REMOVED = "删除"


@dataclass(frozen=True, slots=True)
class ComparedProvision:
    """One provision in one version, as it is compared: an article, an entry of an outline, a heading."""

    level: Level
    label: str
    number: str
    path: str
    span: Span
    """Its place in the regulation's text, without white space at either end."""
    text: str
    """The slice."""
    body: int
    """Where in ``text`` the words begin, after the number."""

    @property
    def name(self) -> str:
        """What a reader calls it: 第六条, 三（二）."""
        return self.number if self.level in (*HEADINGS, Level.ARTICLE) else self.path or self.number


@dataclass(frozen=True, slots=True)
class ProvisionPair:
    """One line of the comparison."""

    kind: ProvisionChange
    old: ComparedProvision | None
    new: ComparedProvision | None
    likeness: float = 0.0
    """0..1; 1 for the same words."""
    edits: tuple[Edit, ...] = ()
    """For changed ones; places are those of ``ComparedProvision.text``."""
    kin: tuple[str, ...] = ()
    """For a removed one the provisions of the new version that hold most of its words, for an added one of the old."""

    @property
    def renumbered(self) -> bool:
        """Whether the number differs."""
        return self.old is not None and self.new is not None and self.old.name != self.new.name


@dataclass(frozen=True, slots=True)
class VersionComparison:
    """All provisions of two versions in the order of the new one, removed ones where they stood."""

    old_id: str
    new_id: str
    pairs: tuple[ProvisionPair, ...]

    def only_changes(self) -> VersionComparison:
        """Return it without what is the same."""
        return VersionComparison(
            self.old_id, self.new_id, tuple(p for p in self.pairs if p.kind is not ProvisionChange.SAME)
        )

    def of(self, *labels: str) -> tuple[ProvisionPair, ...]:
        """Return the lines in which one of these labels stands on either side."""
        return tuple(p for p in self.pairs if any(s is not None and s.label in labels for s in (p.old, p.new)))

    @property
    def counts(self) -> dict[str, int]:
        """How many articles and entries there are of each kind, without headings and notes under the title."""
        found = dict.fromkeys((k.value for k in ProvisionChange), 0)
        for pair in self.pairs:
            if (pair.new or pair.old).level in UNITS:  # type: ignore[union-attr]
                found[pair.kind.value] += 1
        return found


def diff(old: Regulation, new: Regulation) -> VersionComparison:
    """Compare two versions of a regulation, or any two regulations."""
    return _diff(*((each.id, each.text, each.provisions) for each in (old, new)))


@lru_cache(KEPT)
def _diff(old: ComparedText, new: ComparedText) -> VersionComparison:
    left, right = (list(_filled(text, provisions)) for _, text, provisions in (old, new))
    matched: dict[int, tuple[int, float]] = {}
    kin: dict[tuple[bool, int], tuple[str, ...]] = {}
    for group in (HEADINGS, NOTES, UNITS):
        a = [i for i, s in enumerate(left) if s.level in group]
        b = [i for i, s in enumerate(right) if s.level in group]
        found, likeness = match([_form(left[i]) for i in a], [_form(right[i]) for i in b])
        matched.update({b[j]: (a[i], value) for i, j, value in found})
        if group is UNITS:
            kin |= {(True, a[i]): _holders(row, [right[j] for j in b]) for i, row in enumerate(likeness.in_new)}
            kin |= {(False, b[j]): _holders(row, [left[i] for i in a]) for j, row in enumerate(likeness.in_old)}
    lines = _ordered(matched, len(left), len(right))
    return VersionComparison(old[0], new[0], tuple(_pair(left, right, line, kin) for line in lines))


# --- what is compared -------------------------------------------------------------------------------------------------


def sides(regulation: Regulation) -> list[ComparedProvision]:
    """Return the provisions of a regulation in text order: headings, articles, entries of outlines, annexes."""
    return list(_filled(regulation.text, regulation.provisions))


def _filled(text: str, provisions: Sequence[Provision]) -> Iterator[ComparedProvision]:
    return (side for side in _sides(text, provisions) if side.text)


def _sides(text: str, provisions: Sequence[Provision]) -> Iterator[ComparedProvision]:
    for provision in provisions:
        inner = any(child.level in (*HEADINGS, Level.ARTICLE, Level.OUTLINE) for child in provision.children)
        if provision.level is Level.ARTICLE or not inner:
            yield _side(text, provision, provision.span)
        else:
            yield _side(text, provision, Span(provision.span.start, provision.children[0].span.start))
            yield from _sides(text, provision.children)


def _side(text: str, provision: Provision, span: Span) -> ComparedProvision:
    span = trim(text, span)
    shown = span.of(text)
    number = provision.number
    behind = BEHIND_NUMBER.match(shown, len(number)) if number and shown.startswith(number) else None
    body = behind.end() if behind else 0
    return ComparedProvision(provision.level, provision.label, provision.number, provision.path(), span, shown, body)


def _form(side: ComparedProvision) -> str:
    """Return the words of a provision in the form in which they are compared."""
    return squash(normalise(side.text[side.body :]).text)


# --- the lines --------------------------------------------------------------------------------------------------------


def _ordered(
    matched: dict[int, tuple[int, float]], old: int, new: int
) -> Iterator[tuple[int | None, int | None, float]]:
    """Yield (old, new, likeness) in the order of the new version, removed ones before what followed them."""
    gone = sorted(set(range(old)) - {i for i, _ in matched.values()})
    kept = {j: i for i, j in rising([(i, j) for j, (i, _) in matched.items()])}
    for j in range(new):
        while j in kept and gone and gone[0] < kept[j]:
            yield gone.pop(0), None, 0.0
        i, likeness = matched.get(j, (None, 0.0))
        yield i, j, likeness
    for i in gone:
        yield i, None, 0.0


def _pair(
    left: Sequence[ComparedProvision],
    right: Sequence[ComparedProvision],
    line: tuple[int | None, int | None, float],
    kin: Mapping[tuple[bool, int], tuple[str, ...]],
) -> ProvisionPair:
    i, j, likeness = line
    if i is None:
        assert j is not None, "a line has at least one side"
        return ProvisionPair(ProvisionChange.ADDED, None, right[j], kin=kin.get((False, j), ()))
    if j is None:
        return ProvisionPair(ProvisionChange.REMOVED, left[i], None, kin=kin.get((True, i), ()))
    old, new = left[i], right[j]
    if _form(old) == _form(new):
        return ProvisionPair(ProvisionChange.SAME if old.name == new.name else ProvisionChange.MOVED, old, new, 1.0)
    return ProvisionPair(ProvisionChange.CHANGED, old, new, likeness, _edits(old, new))


def _edits(old: ComparedProvision, new: ComparedProvision) -> tuple[Edit, ...]:
    """Return the edits of two provisions; their numbers are one piece, changed or not."""
    head = Edit(EditKind.EQUAL if old.number == new.number else EditKind.REPLACED, Span(0, old.body), Span(0, new.body))
    words = edits(old.text[old.body :], new.text[new.body :])
    return (head, *(Edit(e.op, e.old.shift(old.body), e.new.shift(new.body)) for e in words))


def _holders(shares: np.ndarray, others: Sequence[ComparedProvision]) -> tuple[str, ...]:
    """Return the labels of the provisions that hold most of one, the best first, at most two."""
    best = np.argsort(-shares)[:2]
    return tuple(others[i].label for i in best.tolist() if shares[i] >= WITHIN)
