"""Corpora: named subsets of the library with an owner, and what each person may see by them (资料集与可见范围).

A text that came in through corpora alone is confined: it is seen by who sees one of them, and by administrators, who can
carry away the whole library anyway. Every other text is everybody's, whatever corpora it belongs to. A confined text that
belongs to no corpus any more is an administrator's alone: nothing becomes public by being forgotten.
"""

import datetime as dt
import enum
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sqlalchemy as sa

from nemo.accounts import Role, User
from nemo.errors import BadRequestError, NotFoundError
from nemo.store.catalogue.database import Database, Records, added
from nemo.store.catalogue.packing import pack_spans, pack_vectors, unpack_spans, unpack_vectors
from nemo.store.catalogue.schema import confined, corpora, members, now, windows
from nemo.store.records import audit
from nemo.types import Span


class Visibility(enum.StrEnum):
    """Who sees a corpus and the texts that are in it alone."""

    PRIVATE = "private"
    TEAM = "team"
    PUBLIC = "public"

    @property
    def chinese(self) -> str:
        """Chinese name."""
        return {"private": "私有", "team": "团队", "public": "公开"}[self.value]


@dataclass(frozen=True, slots=True)
class Corpus:
    """One corpus without its texts."""

    id: int
    name: str
    description: str
    owner: str | None
    """None where nobody signs in, and on the command line."""
    visibility: Visibility
    people: tuple[str, ...]
    """Who sees it beside its owner while it is a team's."""
    embedder: str
    """``library``, or the embedder of its own."""
    store: str
    """``library``, or ``exact``."""
    chunking: str
    """``article``, or windows of so many characters: ``400``, ``600/100`` (length/overlap)."""
    at: dt.datetime
    changed: dt.datetime
    """When it, or what belongs to it, changed last."""

    @property
    def has_windows(self) -> bool:
        """Whether it is searched by pieces or vectors of its own."""
        return self.chunking != "article" or self.embedder != "library"

    def seen_by(self, person: User | None) -> bool:
        """Tell whether a person may see it; None is who works where nobody signs in."""
        if self.visibility is Visibility.PUBLIC or self.changed_by(person):
            return True
        return self.visibility is Visibility.TEAM and person is not None and person.name in self.people

    def changed_by(self, person: User | None) -> bool:
        """Tell whether a person may change it: its owner, and administrators."""
        if person is None:
            return self.owner is None
        return person.role is Role.ADMIN or person.name == self.owner

    def filled_by(self, person: User | None) -> bool:
        """Tell whether a person may put texts into it: who may change it, and its team."""
        return self.changed_by(person) or (self.visibility is Visibility.TEAM and self.seen_by(person))


@dataclass(frozen=True, slots=True)
class Windows:
    """The pieces of one text that a corpus is searched by."""

    regulation_id: str
    text_sha256: str
    embedder: str
    spans: np.ndarray
    """(n, 2) places in the text."""
    rows: np.ndarray
    """(n, dim) float32 unit rows."""


class Corpora(Records):
    """The corpora of one library. Whoever calls has asked whether the person may."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._last: tuple[int, Mapping[str, list[Corpus]]] | None = None

    # --- the corpora themselves

    def create(self, values: Mapping[str, Any], user: str | None) -> Corpus:
        """Make a corpus of the fields of :class:`Corpus`, without number and times.

        Raises:
            BadRequestError: the name is taken.
        """
        with self._database.write() as connection:
            _free(connection, values["name"], None)
            row = {**_columns(values), "at": now(), "changed": now()}
            number = added(connection, corpora, row)
            audit.append(connection, "corpus_created", str(values["name"]), _told(values), user)
        return self.get(number)

    def change(self, corpus: Corpus, values: Mapping[str, Any], user: str | None) -> Corpus:
        """Change fields of a corpus.

        Raises:
            BadRequestError: the name is taken.
        """
        with self._database.write() as connection:
            _free(connection, values.get("name", corpus.name), corpus.id)
            which = corpora.c.id == corpus.id
            connection.execute(corpora.update().where(which).values(**_columns(values), changed=now()))
            if {"embedder", "chunking"} & values.keys():
                connection.execute(windows.delete().where(windows.c.corpus_id == corpus.id))
            audit.append(connection, "corpus_changed", corpus.name, _told(values), user)
        return self.get(corpus.id)

    def delete(self, corpus: Corpus, user: str | None) -> None:
        """Delete a corpus; the texts stay, and confined ones stay confined."""
        with self._database.write() as connection:
            for table in (windows, members):
                connection.execute(table.delete().where(table.c.corpus_id == corpus.id))
            connection.execute(corpora.delete().where(corpora.c.id == corpus.id))
            audit.append(connection, "corpus_deleted", corpus.name, {"id": corpus.id}, user)

    def all(self) -> list[Corpus]:
        """Return every corpus by name."""
        return self._database.found(_corpus, sa.select(corpora).order_by(corpora.c.name))

    def get(self, number: int) -> Corpus:
        """Return one corpus."""
        query = sa.select(corpora).where(corpora.c.id == number)
        return self._database.one(_corpus, query, f"没有编号为 {number} 的资料集，可能已删除。请刷新列表。")

    def named(self, keys: Iterable[str], person: User | None) -> list[Corpus]:
        """Return the corpora of some names or numbers that a person may see, each once.

        Raises:
            NotFoundError: there is none of this name, or not for this person: the two are not told apart.
        """
        seen = {c.name: c for c in self.all() if c.seen_by(person)}
        by_key = {**{str(c.id): c for c in seen.values()}, **seen}
        found: dict[int, Corpus] = {}
        for key in keys:
            if (corpus := by_key.get(key.strip())) is None:
                offered = "、".join(seen) or "（还没有资料集）"
                raise NotFoundError(f"没有名为“{key[:80]}”的资料集，或您无权查看。可选：{offered[:200]}。")
            found[corpus.id] = corpus
        return list(found.values())

    # --- what belongs to them

    def members(self, corpus_id: int) -> list[str]:
        """Return the ids of the texts of a corpus."""
        query = sa.select(members.c.regulation_id).where(members.c.corpus_id == corpus_id)
        return self._database.values(query.order_by(members.c.regulation_id))

    def places(self, regulation_ids: Collection[str]) -> dict[str, list[int]]:
        """Return the numbers of the corpora that each of some texts belongs to."""
        found: dict[str, list[int]] = {each: [] for each in regulation_ids}
        for number, regulation_id in self._database.rows(sa.select(members.c.corpus_id, members.c.regulation_id)):
            if regulation_id in found:
                found[regulation_id].append(number)
        return found

    def add(self, corpus: Corpus, regulation_ids: Iterable[str], user: str | None) -> int:
        """Put held texts into a corpus; return how many were not in it before."""
        new = sorted(set(regulation_ids) - set(self.members(corpus.id)))
        with self._database.write() as connection:
            _join(connection, [corpus.id], new, user)
            if new:
                audit.append(connection, "corpus_filled", corpus.name, {"added": new}, user)
        return len(new)

    def withdraw(self, corpus: Corpus, regulation_ids: Collection[str], user: str | None) -> int:
        """Take texts out of a corpus; return how many were in it.

        Raises:
            BadRequestError: one of them is in this corpus alone, and nobody would see it any more.
        """
        if alone := self.alone(corpus.id) & set(regulation_ids):
            raise BadRequestError(f"{len(alone)} 部只在本资料集中。请先移入其他资料集，或从资料库移除。")
        with self._database.write() as connection:
            mine = (members.c.corpus_id == corpus.id, members.c.regulation_id.in_(list(regulation_ids)))
            gone = connection.execute(members.delete().where(*mine)).rowcount
            in_it = (windows.c.corpus_id == corpus.id, windows.c.regulation_id.in_(list(regulation_ids)))
            connection.execute(windows.delete().where(*in_it))
            connection.execute(corpora.update().where(corpora.c.id == corpus.id).values(changed=now()))
            audit.append(connection, "corpus_emptied", corpus.name, {"withdrawn": sorted(regulation_ids)}, user)
        return int(gone)

    def alone(self, corpus_id: int) -> set[str]:
        """Return the texts that nobody would see without this corpus: confined, and in no other one."""
        others = sa.select(members.c.regulation_id).where(members.c.corpus_id != corpus_id)
        query = sa.select(members.c.regulation_id).join(confined, confined.c.regulation_id == members.c.regulation_id)
        query = query.where(members.c.corpus_id == corpus_id, members.c.regulation_id.not_in(others))
        return set(self._database.values(query))

    def release(self, regulation_id: str, title: str, user: str | None) -> None:
        """Let everybody see a confined text from now on; it keeps its places."""
        with self._database.write() as connection:
            connection.execute(confined.delete().where(confined.c.regulation_id == regulation_id))
            audit.append(connection, "released", regulation_id, {"title": title}, user)

    # --- who sees what

    def hidden_from(self, person: User | None) -> frozenset[str]:
        """Return the texts, also removed ones, that a person may not see: the one rule of who sees what.

        Everything that shows a text looks at a library without these (``nemo.store.seen``).
        """
        return frozenset(
            regulation_id
            for regulation_id, of in self._confined().items()
            if not (person is not None and person.role is Role.ADMIN) and not any(c.seen_by(person) for c in of)
        )

    def owned(self, regulation_id: str, person: User | None) -> bool:
        """Tell whether a text is a person's own: confined, and every corpus it belongs to is one they may change."""
        of = self._confined().get(regulation_id)
        return bool(of) and all(corpus.changed_by(person) for corpus in of or ())

    def confined(self) -> frozenset[str]:
        """Return every text that is not everybody's."""
        return frozenset(self._confined())

    def strange_to(self, through: Sequence[int] | None, revised: str) -> Callable[[str], bool]:
        """Return what tells which texts a file of the same name must not replace: those of other corpora, or
        everybody's.

        It comes in ``through`` corpora, none for everybody; None: the text of the id ``revised`` is only read anew.
        """
        closed = self.confined()
        if through is None:
            return lambda each: (each in closed) != (revised in closed)
        own = {each for number in through for each in self.members(number)}
        return lambda each: each not in own or each not in closed if through else each in closed

    def _confined(self) -> Mapping[str, list[Corpus]]:
        """Return every confined text with the corpora it belongs to; read anew after any write, and where others write too."""
        writes, known = self._database.writes, self._last
        if self._database.shared or self._database.read_only or known is None or known[0] != writes:
            self._last = known = writes, self._read_confined()
        return known[1]

    def _read_confined(self) -> dict[str, list[Corpus]]:
        query = sa.select(confined.c.regulation_id.label("confined_id"), corpora).select_from(
            confined.outerjoin(members, members.c.regulation_id == confined.c.regulation_id).outerjoin(
                corpora, corpora.c.id == members.c.corpus_id
            )
        )
        found: dict[str, list[Corpus]] = {}
        known: dict[int, Corpus] = {}
        for row in self._database.rows(query):
            of = found.setdefault(row.confined_id, [])
            if row.id is not None:
                if row.id not in known:
                    known[row.id] = _corpus(**{column.name: row._mapping[column.name] for column in corpora.columns})
                of.append(known[row.id])
        return found

    # --- pieces of their own

    def windows(self, corpus_id: int) -> list[Windows]:
        """Return the pieces a corpus is searched by, text by text."""
        query = sa.select(windows).where(windows.c.corpus_id == corpus_id).order_by(windows.c.regulation_id)
        return [
            Windows(r.regulation_id, r.text_sha256, r.embedder, unpack_spans(r.spans), unpack_vectors(r.rows, r.dim))
            for r in self._database.rows(query)
        ]

    def keep_windows(self, corpus_id: int, made: Windows) -> None:
        """Keep the pieces of one text in place of earlier ones."""
        same = (windows.c.corpus_id == corpus_id, windows.c.regulation_id == made.regulation_id)
        packed = {"spans": pack_spans([Span(*each) for each in made.spans.tolist()]), "rows": pack_vectors(made.rows)}
        values = {"text_sha256": made.text_sha256, "embedder": made.embedder, "dim": made.rows.shape[1], **packed}
        with self._database.write() as connection:
            connection.execute(windows.delete().where(*same))
            connection.execute(windows.insert().values(corpus_id=corpus_id, regulation_id=made.regulation_id, **values))


# --- inside the transaction that stores or removes texts


def settle(
    connection: sa.Connection,
    new: Sequence[str],
    replaced: Sequence[str],
    through: Sequence[int] | None,
    user: str | None,
) -> None:
    """Give what is stored the places of what it replaces and those it came in through; decide who may see it.

    Args:
        connection: Of the transaction that stores the texts.
        new: The ids that are stored.
        replaced: The ids that are gone; those of ``new`` among them are stored anew.
        through: The corpora it came in through; none: it came in for everybody. None: what is held is only read anew,
            and whoever saw it sees it.
        user: Who brought it.
    """
    was = set(connection.execute(sa.select(confined.c.regulation_id)).scalars())
    held = set(replaced)
    for regulation_id in new:
        before = held & {regulation_id} or held
        closed = bool(before) and before <= was if through is None else bool(through) and before <= was
        if closed and regulation_id not in was:
            connection.execute(confined.insert().values(regulation_id=regulation_id, at=now()))
        elif not closed and regulation_id in was:
            connection.execute(confined.delete().where(confined.c.regulation_id == regulation_id))
    query = sa.select(members.c.corpus_id).where(members.c.regulation_id.in_(list(held))).distinct()
    kept = set(connection.execute(query).scalars()) if held else set()
    forget(connection, [*held, *new] if held else [])
    _join(connection, sorted({*kept, *(through or ())}), new, user)


def forget(connection: sa.Connection, regulation_ids: Sequence[str]) -> None:
    """Take removed texts out of every corpus. A confined one stays so: answers that quote it are still stored."""
    if regulation_ids:
        connection.execute(members.delete().where(members.c.regulation_id.in_(list(regulation_ids))))


def _join(connection: sa.Connection, corpus_ids: Sequence[int], new: Sequence[str], user: str | None) -> None:
    for corpus_id in corpus_ids:
        if new:
            rows = [{"corpus_id": corpus_id, "regulation_id": each, "at": now(), "by": user} for each in new]
            connection.execute(members.insert(), rows)
        connection.execute(corpora.update().where(corpora.c.id == corpus_id).values(changed=now()))


def _free(connection: sa.Connection, name: str, own: int | None) -> None:
    holder = connection.execute(sa.select(corpora.c.id).where(corpora.c.name == name)).scalar()
    if holder is not None and holder != own:
        raise BadRequestError(f"资料集名称“{name}”已被使用。请换一个名称。")


def _columns(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: Visibility(value).value if name == "visibility" else value for name, value in values.items()}


def _told(values: Mapping[str, Any]) -> dict[str, object]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def _corpus(visibility: str, **columns: Any) -> Corpus:
    return Corpus(**columns, visibility=Visibility(visibility))
