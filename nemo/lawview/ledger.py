"""What the held texts refer to and the library does not hold, by how often (引用而未收录)."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from nemo.lawview.links import CITES, Find
from nemo.lawview.references import Reference
from nemo.store.catalogue.rows import RegulationRow
from nemo.text.words.normalise import squash, title_key
from nemo.types import RelationKind

_DECISION = re.compile(r"关于(?:修改|修正|修订|废止).*(?:决定|决议)$")


@dataclass(frozen=True, slots=True)
class MissingReference:
    """A title, number or standard that is referred to and not held."""

    title: str
    number: str | None
    documents: int
    """How many held texts refer to it."""
    mentions: int
    """How often in all."""
    roles: tuple[tuple[str, int], ...]
    """根据, 废止, 引用 … and in how many texts, most often first."""
    by: tuple[str, ...]
    """Ids of the texts that refer to it, at most ten."""
    words: str
    """One mention."""

    @property
    def is_decision(self) -> bool:
        """Whether it is only an amending decision, as notes under titles name them."""
        return _DECISION.search(self.title) is not None or all(
            r == RelationKind.AMENDED_BY.value for r, _ in self.roles
        )


@dataclass(slots=True)
class _Entry:
    """One line of the ledger while it is counted."""

    title: str
    number: str | None
    words: str
    mentions: int = 0
    by: list[str] = field(default_factory=list)
    roles: Counter[str] = field(default_factory=Counter)


def ledger(
    rows: Iterable[RegulationRow], find: Find, cited: Callable[[RegulationRow], Sequence[Reference]]
) -> list[MissingReference]:
    """Return what is missing: what most texts refer to first, amending decisions last.

    ``cited`` gives what a text cites in passing.
    """
    entries: dict[str, _Entry] = {}
    for row in rows:
        for reference, roles in _referred(row, cited(row)):
            if find(reference.title, reference.number):
                continue
            entry = entries.setdefault(reference.key, _Entry(reference.title, reference.number, reference.words))
            entry.number = entry.number or reference.number
            entry.title = max(entry.title, reference.title, key=len)
            entry.mentions += reference.count
            entry.by.append(row.id)
            entry.roles.update(roles)
    found = [_missing(entry) for entry in entries.values()]
    return sorted(found, key=lambda m: (m.is_decision, -m.documents, -m.mentions, m.title))


def _missing(entry: _Entry) -> MissingReference:
    roles = tuple(entry.roles.most_common())
    return MissingReference(
        entry.title, entry.number, len(entry.by), entry.mentions, roles, tuple(entry.by[:10]), entry.words
    )


def _referred(row: RegulationRow, cited: Sequence[Reference]) -> Iterator[tuple[Reference, list[str]]]:
    """Yield each reference of one text with its roles; its own title, an older version, is none."""
    roles: dict[str, list[str]] = {}
    references: dict[str, Reference] = {}
    for relation in row.relations:
        key = title_key(relation.target_title) or squash(relation.target_number or "").upper()
        roles.setdefault(key, []).append(relation.kind.value)
        references[key] = Reference(key, relation.target_title, relation.target_number, 1, relation.words)
    for reference in cited:
        references[reference.key] = reference
    own = (title_key(row.title), squash(row.document_number or "").upper())
    for key, reference in references.items():
        if key and key not in own:
            yield reference, roles.get(key) or [CITES]
