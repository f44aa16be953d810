"""What became of files that were ingested, and where a batch stands (入库结果)."""

from dataclasses import asdict, dataclass
from typing import Any

STATES = ("stored", "replaced", "unchanged", "failed")


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """What became of one file."""

    name: str
    state: str
    """One of ``STATES``."""
    regulation_ids: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    reason: str | None = None
    tips: tuple[str, ...] = ()
    faults: int = 0


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What became of a batch."""

    outcomes: tuple[FileOutcome, ...]
    chunks: int
    seconds: float
    unknown_fields: tuple[str, ...] = ()
    """Manifest fields kept as notes."""

    def of(self, state: str) -> list[FileOutcome]:
        """Return the outcomes of one state."""
        return [o for o in self.outcomes if o.state == state]

    def as_json(self) -> dict[str, Any]:
        """Return the report as plain data."""
        return {
            "counts": {state: len(self.of(state)) for state in STATES},
            "chunks": self.chunks,
            "seconds": round(self.seconds, 2),
            "unknown_fields": list(self.unknown_fields),
            "files": [asdict(o) for o in self.outcomes],
        }
