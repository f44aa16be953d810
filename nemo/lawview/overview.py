"""A library seen as law: answers questions about versions, ties and gaps, and keeps what is costly to read (法律视图)."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from nemo.lawview import comparison
from nemo.lawview.basis import Caution, RepealedBasis, notices_of, part_amended, repealed_bases_of
from nemo.lawview.concordance import Counterpart, ended_how, ender, pairs
from nemo.lawview.editions import Named, edition, pair, work_of
from nemo.lawview.holdings import undated
from nemo.lawview.ledger import MissingReference, ledger
from nemo.lawview.links import Links, links
from nemo.lawview.references import Reference, named, references
from nemo.lawview.shortfalls import (
    ASKED,
    Inside,
    Shortfall,
    ShortfallLedger,
    UnansweredQuestion,
    annexes_lacking,
    lacking,
    rules_to_come,
)
from nemo.lawview.standards import cautions, from_texts, read_table
from nemo.lawview.timeline import Timeline, timeline
from nemo.rules import Rules
from nemo.store.catalogue.rows import RegulationRow
from nemo.store.library import Library
from nemo.store.records.answers import LACKING
from nemo.store.records.standards import Standard
from nemo.text.law.mentions import cross_references
from nemo.text.letter.titles import STANDARD, is_number
from nemo.text.versions.succession import RememberedResolver
from nemo.text.words.normalise import title_key
from nemo.types import Day, Span, today
from nemo.types.regulation import HeldText

_Resolve = Callable[[str, str | None], tuple[HeldText, ...]]


class LawOverview:
    """Views of one library; thread-safe, always of its present state."""

    def __init__(self, library: Library, rules: Rules, named: Callable[[], Named]) -> None:
        self._library = library
        self._named = named
        self._full = {title_key(short): a.title for a in rules.aliases for short in a.aliases}
        self._laid_out = RememberedResolver()
        self._cited: dict[str, tuple[Reference, ...]] = {}
        self._open: dict[str, Sequence[str]] = {}
        self._pairs: dict[tuple[str, str], dict[str, Counterpart]] = {}

    def edition(self, key: str, day: Day) -> RegulationRow:
        """Return the version that a key means, see :func:`nemo.lawview.editions.edition`."""
        return edition(key, self._library.rows(), self._named(), day)

    def versions(self, regulation_id: str) -> list[RegulationRow]:
        """Return the held versions of one work, oldest first."""
        return work_of(self._library.row(regulation_id), self._library.rows())

    def diff(
        self, old: str, new: str | None = None
    ) -> tuple[RegulationRow, RegulationRow, comparison.VersionComparison]:
        """Compare two versions article by article; with one name its version and the one before.

        Raises:
            NotFoundError: one of them is not held.
            BadRequestError: both names mean the same text, or there is only one.
        """
        before, after = pair(old, new, self._library.rows(), self._named(), today())
        found = comparison.diff(self._library.regulation(before.id), self._library.regulation(after.id))
        return before, after, found

    def timeline(self, key: str, day: Day | None = None) -> Timeline:
        """Return the versions of the work a key means as stretches of time, and its dated events, seen from a day or today."""
        day = day or today()
        versions = self.versions(self.edition(key, day).id)
        titles = {key: r.title for r in self._library.rows() for key in (r.id, r.file)}
        return timeline([self._library.regulation(r.id) for r in versions], day, titles.get)

    def links(self, key: str, day: Day | None = None) -> Links:
        """Return the ties of the version a key means, in both directions, as they are on a day or today."""
        day = day or today()
        row = self.edition(key, day)
        reading = {row.id} | self._naming(row.id) | self._library.mentioning(row.title)
        return links(
            row, self._library.rows(), self.find, lambda other: self.cited(other) if other.id in reading else (), day
        )

    def _naming(self, regulation_id: str) -> set[str]:
        """Return the texts whose edges name another, by whatever name, and those that were never read for edges.

        Reading all texts for what they cite takes seconds; only these, and those that hold its title, are read.
        """
        namers, unread = self._library.view.once(self._namers)
        return namers.get(regulation_id, set()) | unread

    def _namers(self, _: Sequence[RegulationRow]) -> tuple[dict[str, set[str]], set[str]]:
        namers: dict[str, set[str]] = {}
        sources: dict[str, set[str]] = {}
        for source, name in self._library.edges.targets():
            sources.setdefault(name, set()).add(source)
        for name, naming in sources.items():
            for target in self.find("" if is_number(name) else name, name if is_number(name) else None):
                namers.setdefault(target, set()).update(naming)
        return namers, {i for i, reader, _, _ in self._library.edges.readings() if reader is None}

    def missing(self) -> list[MissingReference]:
        """Return what the held texts refer to and the library does not hold."""
        cited = self._library.view.once(self._cited_by)
        return ledger(self._library.rows(), self.find, lambda row: cited.get(row.id, []))

    def _cited_by(self, _: Sequence[RegulationRow]) -> dict[str, list[Reference]]:
        return named(self._library.edges.naming())

    def not_held(self, words: str) -> list[str]:
        """Return the titles, or numbers without a title, that some words cite and the library does not hold."""
        return [r.title or r.number or "" for r in references(words) if not self.find(r.title, r.number)]

    def repealed_bases(self, words: str, regulation_id: str | None, day: Day) -> tuple[Caution, ...]:
        """Return the laws that a quote, or the text it stands in, rests on and that had been repealed by a day, and the
        notices that had changed provisions of that text.
        """
        source = self._library.row(regulation_id) if regulation_id else None
        found = repealed_bases_of(words, source, self.find, self._library.row, day)
        amended = (
            part_amended(source, self._library.view.once(notices_of), self.find, day) if source is not None else ()
        )
        own = source.document_number if source is not None else None
        standards = cautions(words, own, self.standards(), day) if STANDARD.search(f"{words}\n{own}") else ()
        return (*(replace(basis, instead=self._instead(basis, words)) for basis in found), *amended, *standards)

    def standards(self) -> dict[str, Standard]:
        """Return what is known of standards by their keys: imported, and stated by held ones."""
        return {**self._library.view.once(self._stated), **self._library.standards.all()}

    def _stated(self, rows: Sequence[RegulationRow]) -> dict[str, Standard]:
        return from_texts({row.id: row for row in rows}, self._library.text)

    def import_standards(self, content: bytes, name: str, by: str | None = None) -> int:
        """Take in a table of standards, see :func:`nemo.lawview.standards.read_table`; return how many it holds.

        Raises:
            BadRequestError: it is none; nothing was taken in.
        """
        return self._library.standards.put(read_table(content), name, by)

    def undated(self, day: Day) -> list[RegulationRow]:
        """Return the versions whose start is to be checked (施行日期待核), the doubtful ones of a day first."""
        return undated(self._library.rows(), day)

    def shortfalls(self, day: Day) -> list[Shortfall]:
        """Return every gap of the library, those that hurt most first."""
        library = self._library
        quoted = Counter(use.regulation_id for use in library.answers.uses())
        to_come, annexed = rules_to_come(library.edges.delegations()), library.mentioning("附件")

        def left_open(regulation_id: str) -> Inside:
            lacks = library.row(regulation_id).faults or regulation_id in annexed
            return to_come.get(regulation_id, ()), self._annexes(regulation_id) if lacks else ()

        known = ShortfallLedger(library.rows(), self.find, left_open, quoted, day)
        return known.all(self.missing(), self._wanting(), undated(library.rows(), day))

    def _wanting(self) -> Iterator[UnansweredQuestion]:
        """Yield the questions refused for lack of text: those that people asked, and those of each golden set's last run."""
        for question, refusal in self._library.answers.refused_for_lack():
            yield UnansweredQuestion(question, next(iter(lacking(refusal)), ""), ASKED)
        newest = {run.run.name: run for run in reversed(self._library.evaluations.all())}
        for name, run in newest.items():
            for block in run.result.values():
                asked = {one["id"]: one["question"] for one in block.get("questions", ())}
                for gap in block.get("gaps", ()):
                    if gap["missing"] or gap["reason"] in LACKING:
                        yield from (
                            UnansweredQuestion(asked[i], gap["missing"] or "", f"金标集“{name}”")
                            for i in gap["questions"]
                            if i in asked
                        )

    def _annexes(self, regulation_id: str) -> Sequence[str]:
        if regulation_id not in self._open:
            self._open[regulation_id] = annexes_lacking(self._library.regulation(regulation_id))
        return self._open[regulation_id]

    def _instead(self, basis: RepealedBasis, words: str) -> tuple[str, ...]:
        """Return what the new law says in place of the repealed articles that ``words`` point to."""
        key = title_key(basis.title)
        named = (r for r in cross_references(words, Span(0, len(words))) if r.title)
        labels = dict.fromkeys(r.article for r in named if r.title and key.endswith(title_key(r.title)))
        found = (self.counterpart(basis.regulation_id, label) for label in labels)
        return tuple(each.said for each in found if each is not None)

    def counterpart(self, regulation_id: str, label: str) -> Counterpart | None:
        """Return the provision of the text that ended another which corresponds to one of its provisions.

        None when that text is not held, or says nothing alike enough.
        """
        row = self._library.row(regulation_id)
        new = ender(row.validity, self._library.rows())
        if new is None:
            return None
        kept = self._pairs.get((row.id, new.id))
        if kept is None:
            kept = pairs(self._library.regulation(row.id), self._library.regulation(new.id))
            self._pairs[(row.id, new.id)] = kept
        return kept.get(label.split("-")[0])

    def ended_how(self, regulation_id: str) -> str:
        """Return by which text and clause a text was repealed, empty when nobody knows."""
        library = self._library
        return ended_how(library.regulation(regulation_id), library.rows(), library.regulation)

    def cited(self, row: RegulationRow) -> Sequence[Reference]:
        """Return what a held text cites; read once, because the id of a regulation is the hash of its text."""
        if row.id not in self._cited:
            self._cited[row.id] = references(self._library.text(row.id))
        return self._cited[row.id]

    def find(self, title: str, number: str | None) -> tuple[str, ...]:
        """Return the ids of the held texts of a title or number, newest first; short names of laws are known."""
        resolve, short = self._library.view.once(self._titles)
        key = title_key(title)
        full = short.get(key) or self._full.get(key, "")
        found = resolve(title, number) or (resolve(full, number) if full else ())
        return tuple(header.id for header in found)

    def _titles(self, rows: Sequence[RegulationRow]) -> tuple[_Resolve, dict[str, str]]:
        return self._laid_out(rows), {title_key(r.short_title): r.title for r in rows if r.short_title}
