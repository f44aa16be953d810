"""How one regulation hangs together with the others, in both directions (关联关系)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from nemo.lawview.references import Reference
from nemo.store.catalogue.rows import RegulationRow
from nemo.text.words.normalise import squash, title_key
from nemo.types import Day, RelationKind, Status, status_of

CITES = "引用"
TOWARDS = {
    RelationKind.BASED_ON: "以本文为依据", RelationKind.IMPLEMENTS: "实施本文", RelationKind.AMENDS: "修改本文",
    RelationKind.AMENDED_BY: "由本文修改", RelationKind.REPEALS: "废止本文", RelationKind.EXTENDS: "延长本文有效期",
    RelationKind.POSTPONES: "推迟本文施行", RelationKind.FORWARDS: "印发本文",
}  # fmt: skip
CITED_BY = "引用本文"

Find = Callable[[str, str | None], Sequence[str]]
"""From a title and a number to the ids of the held texts they name, newest first."""


@dataclass(frozen=True, slots=True)
class Link:
    """One tie between a regulation and another."""

    kind: str
    """根据, 实施, 修改, 被修改, 废止, 印发, 引用; or from the other side 以本文为依据, 废止本文, …"""
    inward: bool
    """The other text says so about this one."""
    title: str
    number: str | None
    regulation_id: str | None
    """The other text when it is held; of several versions the newest."""
    status: Status | None
    """Of the other text on the day asked."""
    words: str
    count: int = 1
    """For 引用: how often."""


@dataclass(frozen=True, slots=True)
class Links:
    """All relations of one regulation: its own first, then those of others."""

    regulation_id: str
    title: str
    day: Day
    links: tuple[Link, ...]

    @property
    def repealed_bases(self) -> tuple[Link, ...]:
        """Legal bases that are no longer law on the day (上位法已废止，待核)."""
        based = RelationKind.BASED_ON.value
        return tuple(link for link in self.links if link.kind == based and link.status is Status.REPEALED)


def links(
    row: RegulationRow,
    rows: Sequence[RegulationRow],
    find: Find,
    cited: Callable[[RegulationRow], Sequence[Reference]],
    day: Day,
) -> Links:
    """Collect the relations of one regulation; ``cited`` gives what a text cites in passing."""
    by_id = {r.id: r for r in rows}
    found = [*_outward(row, by_id, find, cited(row), day), *_inward(row, rows, find, cited, day)]
    return Links(row.id, row.title, day, tuple(found))


def _outward(
    row: RegulationRow, by_id: Mapping[str, RegulationRow], find: Find, cited: Sequence[Reference], day: Day
) -> Iterator[Link]:
    named = {title_key(row.title), squash(row.document_number or "").upper()}
    for relation in row.relations:
        named.add(title_key(relation.target_title))
        other = _newest(relation.target_title, relation.target_number, row.id, by_id, find)
        yield _link(
            relation.kind.value, False, relation.target_title, relation.target_number, other, relation.words, day
        )
    for reference in cited:
        if reference.key not in named:
            other = _newest(reference.title, reference.number, row.id, by_id, find)
            shown = reference.title or reference.number or ""
            link = _link(CITES, False, shown, reference.number, other, reference.words, day)
            yield replace(link, count=reference.count)


def _newest(
    title: str, number: str | None, but: str, by_id: Mapping[str, RegulationRow], find: Find
) -> RegulationRow | None:
    return next((by_id[i] for i in find(title, number) if i != but and i in by_id), None)


def _inward(
    row: RegulationRow,
    rows: Sequence[RegulationRow],
    find: Find,
    cited: Callable[[RegulationRow], Sequence[Reference]],
    day: Day,
) -> Iterator[Link]:
    citing: list[Link] = []
    for other in rows:
        if other.id == row.id:
            continue
        named = False
        for relation in other.relations:
            if row.id in find(relation.target_title, relation.target_number):
                named = True
                kind, words = TOWARDS[relation.kind], relation.words
                yield _link(kind, True, other.title, other.document_number, other, words, day)
        if not named and title_key(other.title) != title_key(row.title):
            citing += [
                replace(_link(CITED_BY, True, other.title, other.document_number, other, r.words, day), count=r.count)
                for r in cited(other)
                if row.id in find(r.title, r.number)
            ]
    yield from sorted(citing, key=lambda link: -link.count)


def _link(
    kind: str, inward: bool, title: str, number: str | None, other: RegulationRow | None, words: str, day: Day
) -> Link:
    status = status_of(other, day) if other is not None else None
    return Link(kind, inward, title, number, other.id if other is not None else None, status, words)
