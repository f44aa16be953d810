"""Law that a quoted rule rests on and that is no longer law (所依据的法律已废止).

A provision that sends its reader to a repealed law (依照《X》…处罚) still stands; whether it can be applied is for a
person to judge (立法法 第一百零六条: 上位法 changed). So it is said, never decided.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from nemo.lawview.links import Find
from nemo.lawview.references import references
from nemo.lawview.standards import StandardCaution
from nemo.store.catalogue.rows import RegulationRow
from nemo.text.letter.titles import is_letter
from nemo.text.words.normalise import title_key
from nemo.types import Day, RelationKind, Status

RowOf = Callable[[str], RegulationRow]
"""Returns the row of a held regulation."""


@dataclass(frozen=True, slots=True)
class RepealedBasis:
    """A law that some words rest on and that had been repealed by a day."""

    title: str
    ended: Day
    words: str
    """What the end was read from: the repealing clause, or what a manifest states."""
    made_on_it: bool = False
    """The whole text was made on it (根据《X》制定), not only these words."""
    regulation_id: str = ""
    """Of its last version."""
    instead: tuple[str, ...] = ()
    """In Chinese the provisions of the new law in place of those the words point to."""

    @property
    def message(self) -> str:
        """One Chinese sentence for the reader of a quote."""
        how = "制定依据" if self.made_on_it else "所依据的"
        return f"{how}《{self.title}》已于 {self.ended} 废止（{self.words}），适用前请核对新法。" + "".join(
            f"{words}。" for words in self.instead
        )


@dataclass(frozen=True, slots=True)
class PartAmended:
    """A notice that changed single provisions of a text (关于调整…的通知: 将《X》第四条修改为…); the text itself stays law."""

    title: str
    ended: Day
    """Day from which the notice applies."""
    words: str
    regulation_id: str

    @property
    def message(self) -> str:
        """One Chinese sentence for the reader of a quote."""
        return f"部分内容已由《{self.title}》自 {self.ended} 起修改（{self.words}），适用前请核对该文件。"


def notices_of(rows: Iterable[RegulationRow]) -> tuple[RegulationRow, ...]:
    """Return the official letters among the rows (通知、批复 …) that amend something."""
    amending = (row for row in rows if any(r.kind is RelationKind.AMENDS for r in row.relations))
    return tuple(row for row in amending if is_letter(row.title))


def part_amended(
    source: RegulationRow, notices: Iterable[RegulationRow], find: Find, day: Day
) -> tuple[PartAmended, ...]:
    """Return the notices in force on ``day`` that changed provisions of ``source`` after it was made.

    Decisions that amend a statute end its version instead (``nemo.text.versions.succession``).
    """
    found = []
    for row in (row for row in notices if row.id != source.id):
        since = row.validity.effective or row.validity.promulgated
        made = row.validity.promulgated or since
        if since is None or made is None or since > day:
            continue
        if (source.validity.promulgated or Day.min) > made or row.validity.on(day) is Status.REPEALED:
            continue
        amends = (r for r in row.relations if r.kind is RelationKind.AMENDS)
        hit = next((r for r in amends if source.id in find(r.target_title, r.target_number)), None)
        if hit is not None:
            found.append(PartAmended(row.title, since, hit.words, row.id))
    return tuple(found)


Caution = RepealedBasis | PartAmended | StandardCaution
"""What a reader of a quote must know of the law around it."""


def repealed_bases_of(
    words: str, source: RegulationRow | None, find: Find, row_of: RowOf, day: Day
) -> tuple[RepealedBasis, ...]:
    """Return the laws that ``words``, or the text they stand in, rest on and that had been repealed by ``day``.

    ``words`` is a quote with what is shown beside it; without ``source`` the law its text was made on is left out.
    """
    named = [(r.title, r.number, False) for r in references(words) if r.title]
    if source is not None:
        made = (r for r in source.relations if r.kind is RelationKind.BASED_ON)
        named += [(r.target_title, r.target_number, True) for r in made if r.target_title]
        by_it = {title_key(r.target_title) for r in source.relations if r.kind is RelationKind.REPEALS}
        named = [entry for entry in named if title_key(entry[0]) not in by_it]  # what it repeals it does not rest on
    found: dict[str, RepealedBasis] = {}
    for basis in _gone(named, find, row_of, day):
        found.setdefault(basis.title, basis)
    return tuple(found.values())


def _gone(
    named: Sequence[tuple[str, str | None, bool]], find: Find, row_of: RowOf, day: Day
) -> Iterator[RepealedBasis]:
    for title, number, made_on_it in named:
        rows = [row_of(i) for i in find(title, number)]
        if not rows or any(r.validity.on(day) not in (Status.REPEALED, Status.AMENDED) for r in rows):
            continue  # a version that was merely replaced says nothing about the work
        ended = [r for r in rows if r.validity.ended_as is Status.REPEALED]
        last = max(ended, key=lambda r: r.validity.ends or Day.min, default=None)
        if last is None or last.validity.ends is None:
            continue
        why = last.validity.why("ends")
        yield RepealedBasis(
            last.title, last.validity.ends, why.words if why else "废止日期见时间线", made_on_it, last.id
        )
