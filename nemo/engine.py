"""The one that knows everything: builds the parts from the settings, wires them and calls them.

Thread-safe and without per-question state: any number of sessions may ask while one ingests.
"""

from __future__ import annotations

import datetime as dt
import json
import tempfile
import threading
import time
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from cachetools import LRUCache
from threadpoolctl import threadpool_limits

from nemo import (
    accounts,
    answering,
    compare,
    editing,
    embed,
    evaluate,
    export,
    lawview,
    manifest,
    refuse,
    rerank,
    review,
    views,
)
from nemo import rules as rule_data
from nemo.errors import ConfigError, NotFoundError
from nemo.export import bundle as bundles
from nemo.export.bundle import BundleReport
from nemo.ingest import Ingestion, Progress, Report, check_manifest, files_in, read_file
from nemo.jobs import BatchView, Jobs
from nemo.names import Names
from nemo.parse import PageImage, render
from nemo.query import Reader
from nemo.retrieve import Retriever
from nemo.settings import Settings
from nemo.store import backup as backups
from nemo.store.entry import Sketches
from nemo.store.library import Library
from nemo.store.rows import AnswerRow, AuditTrail, Evaluation, Failure, Row, Search, Standing, Trial
from nemo.text.words.homophones import Homophones
from nemo.text.words.normalise import title_key
from nemo.text.words.passage import passage
from nemo.types import (
    Answer,
    Chunk,
    Day,
    Filters,
    Query,
    RawDocument,
    Regulation,
    Span,
    Verdict,
    new_trace_id,
    today,
)

if TYPE_CHECKING:
    from nemo import train
    from nemo.discover.finder import Finder

BUILTIN = "static-zh-256"
"""Folder of the built-in embedder among the models."""

ANSWERS_CACHED = 512
"""Answers kept in memory for as long as the library and the reviews stay what they are."""

TRIES = 20
"""A question is asked anew at most so often when texts are removed while it is answered."""


class Engine:
    """One library with everything that serves it."""

    def __init__(self, settings: Settings, library: Library, embedder: embed.Embedder) -> None:
        self.settings = settings
        self.rules = rule_data.load(settings.rules)
        self.library = library
        self.embedder = embedder
        self.retriever = Retriever(library, embedder, settings)
        self.reranker = rerank.load(settings, library)
        self.second = rerank.load_outside(settings)
        self.homophones = Homophones(vocabulary(settings), library.document_frequency)
        self.users = accounts.users_of(settings.users_file, settings.sso, settings.sso_role)
        self.ingestion = Ingestion(library, embedder, self.rules, settings)
        self.jobs = Jobs(self.ingestion)
        self.law = lawview.Outlook(library, self.rules, lambda: self.reader().names.ids)
        self._finder: Finder | None = None
        self._reader: tuple[int, Reader] | None = None
        self._answers: LRUCache[Hashable, Answer] = LRUCache(ANSWERS_CACHED)
        self._lock = threading.Lock()

    @classmethod
    def open(cls, settings: Settings) -> Engine:
        """Open the library and every part that is configured.

        Raises:
            ConfigError: the library is owned by another process, newer than this program, or a part cannot be loaded.
        """
        threadpool_limits(1, "blas")  # small products: waking every core costs more than it brings, 60 ms against 26
        embedder = embed.load(settings)
        library = Library.open(settings, embedder.name, embedder.dim)
        return cls(settings, library, embedder)

    def close(self) -> None:
        """Stop ingesting, finish writes, close the indexes and give the library back; the queue goes on at the next start."""
        self.jobs.close()
        self.library.close()
        for part in (self.embedder, self.second):
            if close := getattr(part, "close", None):
                close()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- the way in

    def ingest(
        self,
        paths: Iterable[Path],
        *,
        manifest: Path | None = None,
        facts: Mapping[str, Any] | None = None,
        progress: Callable[[Progress], None] | None = None,
        addresses: Iterable[str] = (),
    ) -> Report:
        """Ingest files and folders, and what :meth:`fetch` gives, with the facts of a manifest and of the whole batch."""
        own = self.settings.library.resolve()
        files = [f for f in files_in(paths) if not f.resolve().is_relative_to(own)]
        stated = self._manifest(manifest, files)
        return self._batch([*files, *map(self.fetch, addresses)], stated, facts or {}, progress)

    def ingest_raw(
        self,
        raws: Sequence[RawDocument],
        *,
        facts: Mapping[str, Any] | None = None,
        progress: Callable[[Progress], None] | None = None,
    ) -> Report:
        """Ingest documents that are already in memory, such as uploads."""
        return self._batch(raws, {}, facts or {}, progress)

    def _manifest(self, path: Path | None, files: Sequence[Path]) -> dict[str, manifest.Facts]:
        if path is None:
            return {}
        stated = manifest.read(path, self.rules)
        check_manifest(stated, files, path.parent)
        return stated

    def _batch(
        self,
        sources: Sequence[Path | RawDocument],
        stated: Mapping[str, manifest.Facts],
        facts: Mapping[str, Any],
        progress: Callable[[Progress], None] | None,
    ) -> Report:
        common = manifest.facts_of(facts, self.rules, "所填信息")
        return self.ingestion.batch(sources, stated, common, progress)

    def enqueue(
        self, raws: Iterable[RawDocument], facts: Mapping[str, Any] | None = None, title: str = "入库"
    ) -> str | None:
        """Take files in to be ingested in the background; return the batch's id, None when there were no files.

        They are safe on disk when this returns, and a restart goes on where it was. See :meth:`batches`.

        Raises:
            BadRequestError: a fact is wrong.
            ConfigError: the disk refuses. In both cases nothing was taken in.
        """
        return self.jobs.enqueue(raws, facts, title)

    def fetch(self, url: str) -> RawDocument:
        """Download one page or file from an official site; nothing is stored. See :meth:`enqueue`.

        Raises:
            ConfigError: downloading is switched off.
            BadRequestError: the address is not on the list of official sites, or the site does not allow it.
            ServiceError: the site does not answer within the limits.
        """
        return self.finder().fetch(url)

    def finder(self) -> Finder:
        """Return what finds and fetches on official sites.

        Raises:
            ConfigError: collecting is switched off.
        """
        from nemo.discover.finder import Finder  # the network stack: only who collects pays for it

        with self._lock:
            self._finder = self._finder or Finder(self.settings, self.rules.sources)
        return self._finder

    def batches(self, *, active: bool = False, newest: int | None = None) -> list[BatchView]:
        """Return what is or was ingested in the background, newest first.

        Args:
            active: Only what is not settled.
            newest: At most so many.
        """
        return self.jobs.batches(active=active, newest=newest)

    def cancel(self, batch: str, file: int | None = None) -> int:
        """Cancel what is not settled in a batch, or one file of it; return how many files that were.

        Raises:
            NotFoundError: there is no such batch.
        """
        return self.jobs.cancel(batch, file)

    def resume(self) -> None:
        """Go on with what an earlier process left queued; a process that stays calls this once after opening."""
        self.jobs.resume()

    # --- the way out

    def ask(
        self,
        question: str,
        *,
        province: str | None = None,
        asset: str | None = None,
        doc_class: str | None = None,
        day: Day | None = None,
        user: str | None = None,
    ) -> Answer:
        """Answer one question with verbatim quotes, or refuse; the answer is kept under its trace id.

        Raises:
            BadRequestError: a code is unknown.
        """
        answer = self._answered(question, Filters(province, asset, doc_class, day))
        if self.settings.keep_answers:
            self.library.save_answer(answer, user)
        return answer

    def _answered(self, question: str, filters: Filters) -> Answer:
        began = time.perf_counter()
        self.rules.check_codes(province=filters.province, asset=filters.asset, doc_class=filters.doc_class)
        key = (self.library.generation, self.library.reviews.version, question, filters, today())
        with self._lock:
            known = self._answers.get(key)
        if known is None:
            known = self._composed(question, filters)
            if not known.degraded:  # a service that failed may be back for the next question
                with self._lock:
                    self._answers[key] = known
        answer = replace(known, trace_id=new_trace_id())
        return answering.timed(answer, (time.perf_counter() - began) * 1000)

    def _composed(self, question: str, filters: Filters) -> Answer:
        trace_id = new_trace_id()
        parts = answering.Parts(
            self.library, self.retriever, self.reranker, self.rules, self.settings, self.law.not_held, self.second
        )
        for _ in range(TRIES):
            generation = self.library.generation
            try:
                return answering.answer(parts, self.reader(), question, filters, today(), trace_id)
            except NotFoundError:  # what was found a moment ago was removed or replaced: ask the library as it is now
                if self.library.generation == generation:
                    raise
        raise ConfigError("资料库正在大量更替，暂时无法作答。请稍后再问。")

    def reader(self) -> Reader:
        """Return the question reader for the library as it is now."""
        with self._lock:
            generation = self.library.generation
            if self._reader is None or self._reader[0] != generation:
                self._reader = (generation, self._new_reader())
            return self._reader[1]

    def _new_reader(self) -> Reader:
        rows = sorted(self.library.rows(), key=lambda r: r.version_date or dt.date.min, reverse=True)
        aliases = {title_key(a.title): a.aliases for a in self.rules.aliases}
        held = [(r.id, [r.title, r.short_title, *aliases.get(title_key(r.title), ())]) for r in rows]
        known = [name for a in self.rules.aliases for name in (a.title, *a.aliases)]
        full = {short: a.title for a in self.rules.aliases for short in a.aliases}
        places = [word for p in self.rules.provinces if p.code != "cn" for word in (*p.full, p.name)]
        names = Names(held, [*known, *(k.title for k in self.rules.known)], full, places)
        numbers = [(r.id, r.document_number) for r in rows if r.document_number]
        return Reader(self.rules, names, numbers, self.homophones)

    # --- the library

    def regulation(self, key: str, day: Day | None = None) -> Regulation:
        """Return a regulation by id, file name or title; of several versions the one in force on ``day``.

        Raises:
            NotFoundError: nothing by that name is held; the tips name the nearest titles.
        """
        return self.library.regulation(self.law.edition(key, day or today()).id)

    def regulations(self) -> tuple[Row, ...]:
        """Return every held regulation without its text."""
        return self.library.rows()

    def versions(self, regulation_id: str) -> list[Row]:
        """Return the held versions of one work, oldest first.

        Raises:
            NotFoundError: no such regulation.
        """
        return self.law.versions(regulation_id)

    def show(self, key: str, *, article: str | None = None, day: Day | None = None) -> dict[str, Any]:
        """Return a regulation, or one article of it, as plain data with its status on a day.

        Raises:
            NotFoundError: no such regulation, or no such article in it.
        """
        return views.regulation(self.regulation(key, day), article, day or today())

    def listing(self, day: Day | None = None) -> list[dict[str, Any]]:
        """Return one plain row for every held regulation."""
        return [views.row(r, day or today()) for r in self.library.rows()]

    def remove(self, regulation_id: str) -> str:
        """Remove a regulation from the catalogue and every index; return its title.

        Raises:
            NotFoundError: no such regulation.
        """
        title = self.library.row(regulation_id).title
        self.library.remove(regulation_id)
        return title

    def edit(
        self, regulation_id: str, facts: Mapping[str, Any], user: accounts.User | None = None, reason: str = ""
    ) -> Report:
        """State facts about a held regulation; they win over everything that was read, and the audit log keeps both.

        Args:
            regulation_id: The regulation.
            facts: New values by field of ``nemo.editing.FIELDS``; None or "" takes back what was stated.
            user: Who; needed where people sign in.
            reason: Why.

        Raises:
            NotPermittedError: people must sign in, and this one may not edit.
            BadRequestError: a field or value is wrong, or nothing changes.
            NotFoundError: no such regulation.
            UnreadableDocumentError: the original no longer gives this text.
        """
        accounts.require(user, "edit", self.users)
        return editing.edit(self.ingestion, regulation_id, facts, reason=reason, user=user.name if user else None)

    def audit_trail(self, limit: int = 200) -> AuditTrail:
        """Return the newest entries of the audit log, and whether its chain of hashes holds."""
        return self.library.audit_trail(limit)

    def reindex(self, progress: Callable[[Any], None] | None = None) -> int:
        """Embed what has no vectors of this embedder, rebuild every index; return the number of chunks."""
        self.embed_missing()
        self._sketch()
        return self.library.reindex(progress)

    def embed_missing(self, told: Callable[[int, int], None] | None = None) -> int:
        """Embed what has no vectors of this embedder; return how many chunks that were.

        Args:
            told: Told how many regulations are done, and how many there are.
        """
        waiting, count = self.library.unembedded(), 0
        for done, regulation_id in enumerate(waiting, 1):
            regulation, pieces = self.library.regulation(regulation_id), self._chunks(regulation_id)
            self.library.add_vectors(regulation_id, self.embedder.embed([passage(regulation, c) for c in pieces]))
            count += len(pieces)
            if told is not None:
                told(done, len(waiting))
        if waiting:
            self.library.flush()
        return count

    def _sketch(self) -> None:
        """Have the ranker read what it has not read yet, so that no question has to wait for it."""
        sketcher = rerank.sketcher(self.settings)
        if sketcher is None:
            return
        for regulation_id in self.library.unsketched(sketcher.ranker):
            made = sketcher.sketches(self.library.regulation(regulation_id), self._chunks(regulation_id))
            self.library.add_sketches(regulation_id, Sketches(sketcher.ranker, made))

    def _chunks(self, regulation_id: str) -> list[Chunk]:
        return [c for i in self.library.chunk_ids(regulation_id) if (c := self.library.chunk(i))]

    def verify(self) -> list[Any]:
        """Compare quotes, indexes and raw files with the catalogue; return the differences."""
        return self.library.verify()

    def backup(self, file: Path) -> backups.Backup:
        """Write the whole library into one file while it is used.

        Raises:
            BadRequestError: the file exists, or lies in the library's folder.
            ConfigError: an original file is missing or damaged, or the disk refuses; no file was written.
        """
        return self.library.backup(file)

    def open_backup(self) -> IO[bytes]:
        """Return the whole library as a backup to read and close, for downloads; no file of it stays behind.

        Raises:
            ConfigError: an original file is missing or damaged, or the disk refuses.
        """
        with tempfile.TemporaryDirectory(prefix="nemo-backup-", ignore_cleanup_errors=True) as folder:
            return self.backup(Path(folder) / "nemo.zip").file.open("rb")

    @staticmethod
    def restore(settings: Settings, file: Path) -> backups.Backup:
        """Put the library of a backup into the empty folder that ``settings`` names; its indexes come with opening.

        Raises:
            NotFoundError: there is no such file.
            BadRequestError: it is no backup, or the folder is not empty.
            ConfigError: the backup is damaged or newer than this program, or the disk refuses.
        """
        return backups.restore(file, settings.library)

    def failures(self) -> list[Failure]:
        """Return the files that wait for a person."""
        return self.library.failures()

    def retry(self, failure_id: int) -> Report:
        """Try a failed file again with the facts it came with.

        Raises:
            NotFoundError: no such failure, or its bytes were never received.
        """
        raw, facts = self._failed(failure_id)
        return self.ingest_raw([raw], facts=facts)

    def retry_later(self, failure_ids: Iterable[int], title: str = "重试") -> str | None:
        """Try failed files again in the background; return the batch's id. See :meth:`enqueue`.

        Raises:
            NotFoundError: no such failure, or its bytes were never received; nothing was taken in.
        """
        failed = (self._failed(failure_id) for failure_id in failure_ids)
        given = ((raw, manifest.facts_of(facts, self.rules, raw.name)) for raw, facts in failed)
        return self.jobs.enqueue_each(given, title)

    def _failed(self, failure_id: int) -> tuple[RawDocument, Mapping[str, Any]]:
        failure = self.library.failure_queue.get(failure_id)
        if failure.sha256 is None:
            raise NotFoundError(f"“{failure.name}”的内容没有留存，无法重试。请重新上传。")
        return replace(self.library.raw(failure.sha256), name=failure.name), failure.facts

    def dismiss(self, failure_id: int) -> None:
        """Close a failure without another try.

        Raises:
            NotFoundError: no such failure.
        """
        self.library.failure_queue.dismiss(failure_id)

    def raw(self, sha256: str) -> RawDocument:
        """Return an original file.

        Raises:
            NotFoundError: no such file.
        """
        return self.library.raw(sha256)

    def page_image(self, regulation_id: str, page: int, span: Span | None = None, scale: float = 2.0) -> PageImage:
        """Render a page of the original with the words of ``span`` boxed where they were found, roughly on a scan.

        Raises:
            NotFoundError: no such regulation.
            UnreadableDocumentError: its file has no pages to show, or no such page.
        """
        regulation = self.library.regulation(regulation_id)
        raw = self.library.raw(regulation.sha256)
        quote = span.of(regulation.text) if span else None
        return render(raw, page, quote, scale, regulation.text[: span.start] if span else None, regulation.pages)

    def answer(self, trace_id: str) -> Answer:
        """Return a stored answer as it was given.

        Raises:
            NotFoundError: no such answer.
        """
        return self.library.answer(trace_id)

    def health(self) -> list[views.Check]:
        """Return the state of every part."""
        return views.health(
            self.library, self.embedder.name, "，".join(p.name for p in (self.reranker, self.second) if p)
        )

    def statistics(self) -> views.Statistics:
        """Return how much is held."""
        rows = self.library.rows()
        return views.Statistics(len(rows), sum(r.articles for r in rows), sum(r.count for r in rows))

    def evaluate(self, folder: Path) -> dict[str, Any]:
        """Run a golden set and return its measures."""
        return evaluate.run(folder, self._ask_row)

    def golden_sets(self) -> dict[str, Path]:
        """Return the golden sets by name: the one of the demonstration, and each folder in ``golden`` of the library."""
        own = sorted(folder for folder in (self.settings.library / "golden").glob("*") if folder.is_dir())
        return {"演示金标集": self.settings.samples.parent / "golden"} | {folder.name: folder for folder in own}

    def run_golden(self, name: str, user: accounts.User | None = None) -> int:
        """Run a golden set, keep what came out, and return the number of the run.

        Raises:
            NotPermittedError: people must sign in, and this one may not evaluate.
            NotFoundError: there is no such set.
            BadRequestError: its folder holds no questions.
        """
        accounts.require(user, "evaluate", self.users)
        folder = self.golden_sets().get(name)
        if folder is None:
            raise NotFoundError(f"没有金标集“{name}”。请从列表中选择。")
        parts = "，".join([self.embedder.name, *(part.name for part in (self.reranker, self.second) if part)])
        held, generation = len(self.library.rows()), self.library.generation
        trial = Trial(name, user.name if user else None, generation, held, parts)
        return self.library.evaluations.add(trial, self.evaluate(folder))

    def evaluations(self) -> list[Evaluation]:
        """Return the kept runs of golden sets, newest first."""
        return self.library.evaluations.all()

    def _ask_row(self, row: Mapping[str, Any]) -> Answer:
        day = dt.date.fromisoformat(row["as_of"]) if row.get("as_of") else None
        return self._answered(
            row["question"], Filters(row.get("province"), row.get("asset"), row.get("doc_class"), day)
        )

    def train(
        self,
        files: Sequence[Path],
        wanted: train.Options | None = None,
        told: Callable[[str, int, int], None] | None = None,
    ) -> train.Report:
        """Train the built-in models on labelled questions; what is better is installed and serves from the next opening.

        Args:
            files: Questions as in ``data/training`` or ``data/golden``; what people said of answers is added.
            wanted: How.
            told: Told of the progress.

        Raises:
            MissingDependencyError: a package that training needs is not installed.
            NotFoundError: there is no such file.
            BadRequestError: a line is no labelled question, or there are too few.
        """
        from nemo import train  # only who trains pays for it

        self._sketch()
        bench = train.Bench(self.library, self.settings, self.retriever, self._read)
        return train.run(bench, files, wanted or train.Options(), told or (lambda what, done, total: None))

    def _read(self, question: str, filters: Filters) -> tuple[Query, tuple[str, ...]]:
        """Read a question as answering does; return it with the regulations it names."""
        query = self.reader().read(question, filters, today(), self.settings.max_question_chars)
        day = query.filters.day or today()
        query = replace(query, filters=replace(query.filters, day=day))
        return query, refuse.resolve(query, self.library, day).regulation_ids

    @staticmethod
    def untrain(settings: Settings) -> list[str]:
        """Remove the models trained on a library and return their names; those that ship serve from the next opening.

        Raises:
            ConfigError: the disk refuses.
        """
        from nemo import train

        return train.reset(settings)

    # --- the law over time

    def diff(self, old: str, new: str | None = None) -> tuple[Row, Row, compare.Comparison]:
        """Compare two versions article by article; with one name its version and the one before.

        Raises:
            NotFoundError: one of them is not held.
            BadRequestError: both names mean the same text, or there is only one.
        """
        return self.law.diff(old, new, today())

    def relations(self, key: str, day: Day | None = None) -> lawview.Links:
        """Return what a regulation says of others and others of it.

        Raises:
            NotFoundError: nothing by that name is held.
        """
        return self.law.links(key, day or today())

    def timeline(self, key: str, day: Day | None = None) -> lawview.Timeline:
        """Return the versions of a work as stretches of time, and its dated events.

        Raises:
            NotFoundError: nothing by that name is held.
        """
        return self.law.timeline(key, day or today())

    def cited_not_held(self) -> list[lawview.Missing]:
        """Return what the held texts refer to and the library does not hold, by how often."""
        return self.law.missing()

    # --- review and export

    def history(self, limit: int = 100, user: str | None = None, offset: int = 0) -> list[AnswerRow]:
        """Return the newest stored answers, of everybody or of one user."""
        return self.library.answers.recent(limit, user, offset)

    def save_search(self, name: str, question: str, filters: Filters, user: str | None = None) -> int:
        """Keep a question with its filters under a name of the user's; return its number."""
        return self.library.searches.save(name, question, filters, user)

    def searches(self, user: str | None = None) -> list[Search]:
        """Return the searches a user keeps, newest first."""
        return self.library.searches.all(user)

    def forget_search(self, search_id: int, user: str | None = None) -> None:
        """Delete a search of this user.

        Raises:
            NotFoundError: the user has no such search.
        """
        self.library.searches.forget(search_id, user)

    def rate(self, trace_id: str, useful: bool, remark: str = "", user: accounts.User | None = None) -> int:
        """Write down whether a stored answer was useful; return the number of the entry.

        Raises:
            NotPermittedError: people must sign in, and this one did not.
            NotFoundError: no such answer.
        """
        accounts.require(user, "ask", self.users)
        question = self.answer(trace_id).query.original
        return self.library.feedback.add(trace_id, question, useful, remark, user.name if user else None)

    def changes_since(self, trace_id: str) -> list[review.Change]:
        """Return what changed since a stored answer was given.

        Raises:
            NotFoundError: no such answer.
        """
        return review.changes_since(self.library, trace_id, today())

    def stale(self) -> list[review.Stale]:
        """Return the stored answers that no longer hold in every point, newest first."""
        return review.stale(self.library, today())

    def review_queue(self, wanted: review.Wanted | None = None) -> list[review.Entry]:
        """Return the quotes of stored answers with where they stand; stale ones first."""
        return review.queue(self.library, wanted or review.Wanted(), today())

    def decide(self, quote_id: int, state: Verdict, reason: str = "", user: accounts.User | None = None) -> Standing:
        """Write down a reviewer's decision on a quote; it counts at once.

        Raises:
            NotPermittedError: people must sign in, and this one may not review.
            BadRequestError: a rejection without a reason, or a second person is needed.
            NotFoundError: no such quote.
        """
        accounts.require(user, "review", self.users)
        return review.decide(self.library, quote_id, state, reason, user.name if user else None)

    def export_answer(self, answer: Answer, form: str) -> bytes:
        """Return an answer as a file: ``docx``, ``xlsx`` or ``json`` (a bundle); every quote is proven anew.

        Raises:
            BadRequestError: there is no such form.
        """
        return export.write(export.of_answer(answer, self.library, self.rules), form)

    def export_matrix(self, question: str, columns: Sequence[export.Column], form: str) -> bytes:
        """Return one question put to several provinces as a file; forms as in :meth:`export_answer`.

        Raises:
            BadRequestError: there is no such form, or no column.
        """
        return export.write(export.of_matrix(question, columns, self.library, self.rules), form)

    def export_review(self, wanted: review.Wanted, form: str) -> bytes:
        """Return the quotes of the review queue that are ``wanted`` as a file; forms as in :meth:`export_answer`.

        Raises:
            BadRequestError: there is no such form.
        """
        quotes = review.quotes(self.library, self.review_queue(wanted))
        return export.write(export.of_review(quotes, wanted.facts(), self.library), form)

    def check_bundle(self, bundle: Path | bytes) -> BundleReport:
        """Compare a bundle with the library.

        Raises:
            BadRequestError: it is no bundle.
            NotFoundError: there is no such file.
        """
        return bundles.check(bundle, self.library)

    # --- the demonstration

    def load_samples(self, progress: Callable[[Progress], None] | None = None) -> Report:
        """Ingest the demonstration library (演示文本)."""
        folder = self.settings.samples
        return self.ingest([folder], manifest=folder / "manifest.jsonl", progress=progress)

    def enqueue_samples(self) -> str | None:
        """Ingest the demonstration library in the background; return the batch's id. See :meth:`enqueue`."""
        folder, limit = self.settings.samples, self.settings.max_file_bytes
        files = files_in([folder])
        stated = self._manifest(folder / "manifest.jsonl", files)
        given = ((read_file(file, limit), stated.get(file.name, manifest.Facts())) for file in files)
        return self.jobs.enqueue_each(given, "载入演示资料")

    def sample_question(self) -> dict[str, Any]:
        """Return the first question written for the demonstration library."""
        return self.sample_questions()[0]

    def sample_questions(self) -> list[dict[str, Any]]:
        """Return the questions written for the demonstration library, as arguments of ``ask``."""
        path = self.settings.samples.parent / "golden" / "golden.jsonl"
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
        return [
            {k: r.get(k) for k in ("question", "province", "asset", "doc_class")} for r in rows if not r.get("as_of")
        ]


def vocabulary(settings: Settings) -> list[str]:
    """Return the words of the built-in embedder's table: what the field writes, and how it is spelt."""
    return (settings.models / BUILTIN / "vocabulary.txt").read_text("utf-8").splitlines()
