"""How a reading is counted against gold: single values and sets, by name."""

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Row = Mapping[str, Any]


@dataclass
class Tally:
    """Counts right and wrong, and what was wrong."""

    right: int = 0
    total: int = 0
    misses: list[str] = field(default_factory=list)

    def add(self, where: str, got: object, gold: object) -> None:
        """Count one comparison."""
        self.total += 1
        self.right += got == gold
        if got != gold:
            self.misses.append(f"{where}: {got} ≠ {gold}")

    @property
    def share(self) -> float:
        """Right of all, 1.0 when nothing was counted."""
        return self.right / self.total if self.total else 1.0


@dataclass
class Sets:
    """Counts common, extra and missing members of sets."""

    common: int = 0
    extra: int = 0
    missing: int = 0
    misses: list[str] = field(default_factory=list)

    def add(self, where: str, got: set[str], gold: set[str]) -> None:
        """Count one pair of sets."""
        self.common += len(got & gold)
        self.extra += len(got - gold)
        self.missing += len(gold - got)
        if got != gold:
            self.misses.append(f"{where}: too many {got - gold or '-'}, too few {gold - got or '-'}")

    @property
    def share(self) -> float:
        """F1, 1.0 when both sides are empty throughout."""
        both = 2 * self.common + self.extra + self.missing
        return 2 * self.common / both if both else 1.0


@dataclass
class Figures:
    """Figures by name, in order of first use."""

    exact: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    sets: dict[str, Sets] = field(default_factory=lambda: defaultdict(Sets))

    def share(self, name: str) -> float:
        """Return a figure by its name."""
        return (self.exact if name in self.exact else self.sets)[name].share


def rows(path: Path) -> list[Row]:
    """Read a JSONL file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
