"""Everything that changes what a library holds: files coming in, those that wait for a person, facts stated (入库)."""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nemo import accounts
from nemo.embed import Embedder
from nemo.errors import NemoError, NotFoundError
from nemo.ingest import (
    Ingestion,
    IngestReport,
    SentFile,
    backfill,
    check_manifest,
    corrections,
    files_in,
    manifest,
    read_file,
)
from nemo.ingest.jobs import BatchView, Jobs, corpora_of
from nemo.rules import Rules
from nemo.settings import Settings
from nemo.store.catalogue.rows import Failure
from nemo.store.library import Library
from nemo.types import Progress, RawDocument, Regulation

if TYPE_CHECKING:
    from nemo.corpora import CorpusService
    from nemo.discover.finder import Finder


class IntakeService:
    """The way into one library; thread-safe. Batches go on in the background: see ``jobs``."""

    def __init__(
        self, library: Library, embedder: Embedder, rules: Rules, settings: Settings, corpora: CorpusService
    ) -> None:
        self._library = library
        self._embedder = embedder
        self._rules = rules
        self._settings = settings
        self.users = corpora.users
        self._corpora = corpora
        self._ingestion = Ingestion(library, embedder, rules, settings)
        self.jobs = Jobs(self._ingestion)
        self._finders: dict[str, Finder] = {}
        self._closed: Callable[[], frozenset[str]] = frozenset
        self._lock = threading.Lock()
        self._one_batch = threading.Lock()
        """Batches that are waited for go one after the other: each has workers of its own, and files in memory."""

    def close(self) -> None:
        """Stop ingesting; the queue goes on at the next start."""
        self._ingestion.stopping.set()
        self.jobs.close()

    def seen_by(self, person: accounts.User | None) -> IntakeService:
        """Return this service as a person sees it: files on their way into corpora that are not theirs do not show."""
        seen = copy.copy(self)
        seen._closed = lambda: self._corpora.closed_to(person)
        return seen

    # --- while one waits

    def ingest(
        self,
        paths: Iterable[Path],
        *,
        manifest: Path | None = None,
        facts: Mapping[str, Any] | None = None,
        progress: Callable[[Progress], None] | None = None,
        addresses: Iterable[str] = (),
        user: accounts.User | None = None,
    ) -> IngestReport:
        """Ingest files and folders, and what official sites hold under ``addresses``, with the facts of a manifest and of the whole batch."""
        own = self._settings.library.resolve()
        files = [f for f in files_in(paths) if not f.resolve().is_relative_to(own)]
        stated, common = self._filed(self._manifest(manifest, files), self._common(facts), user)
        sources: list[Path | RawDocument] = [*files, *(self.finder().fetch(each) for each in addresses)]
        return self._ingestion.batch(sources, stated, common, progress, accounts.name_of(user))

    def ingest_raw(
        self,
        raws: Sequence[RawDocument | SentFile],
        *,
        facts: Mapping[str, Any] | None = None,
        manifest: str = "",
        user: accounts.User | None = None,
    ) -> IngestReport:
        """Ingest documents that are already in memory, or were sent and are read when their turn comes.

        ``manifest`` holds the lines of one.

        Raises:
            BadRequestError: a fact or the manifest is wrong.
        """
        accounts.require(user, "ingest", self.users)
        stated, common = self._filed(self.stated(manifest), self._common(facts), user)
        with self._one_batch:
            return self._ingestion.batch(raws, stated, common, None, accounts.name_of(user))

    def stated(self, lines: str) -> dict[str, manifest.KnownFacts]:
        """Return the facts of the lines of a manifest by file name; nothing of no lines.

        Raises:
            BadRequestError: a line is wrong.
        """
        return manifest.parsed(lines, self._rules, "清单") if lines.strip() else {}

    def _common(self, facts: Mapping[str, Any] | None) -> manifest.KnownFacts:
        return manifest.facts_of(facts or {}, self._rules, "所填信息")

    def _filed(
        self, stated: dict[str, manifest.KnownFacts], common: manifest.KnownFacts, user: accounts.User | None
    ) -> tuple[dict[str, manifest.KnownFacts], manifest.KnownFacts]:
        """Return facts with the numbers of the corpora they name, each of which ``user`` may fill.

        Raises:
            NotFoundError, NotPermittedError: one of them is not theirs to fill.
        """

        def numbered(facts: manifest.KnownFacts) -> manifest.KnownFacts:
            if not facts.corpora:
                return facts
            found = [str(self._corpora.filled(key, user).id) for key in facts.corpora]
            return facts.model_copy(update={"corpora": found})

        return {name: numbered(facts) for name, facts in stated.items()}, numbered(common)

    def _manifest(self, path: Path | None, files: Sequence[Path]) -> dict[str, manifest.KnownFacts]:
        if path is None:
            return {}
        stated = manifest.read(path, self._rules)
        check_manifest(stated, files, path.parent)
        return stated

    # --- in the background

    def enqueue(
        self,
        raws: Iterable[RawDocument],
        facts: Mapping[str, Any] | None = None,
        title: str = "入库",
        user: accounts.User | None = None,
        *,
        manifest: str = "",
    ) -> str | None:
        """Take files in to be ingested in the background; return the batch's id, None when there were no files.

        ``manifest`` holds the lines of one, for the files as they are sent and for those that archives hold.

        They are safe on disk when this returns, and a restart goes on where it was. See :meth:`batches`.

        Raises:
            BadRequestError: a fact is wrong.
            ConfigError: the disk refuses. In each case nothing was taken in.
        """
        accounts.require(user, "ingest", self.users)
        stated, common = self._filed(self.stated(manifest), self._common(facts), user)
        given = ((raw, stated[raw.name].over(common) if raw.name in stated else common) for raw in raws)
        return self.jobs.enqueue_each(given, title, accounts.name_of(user), stated)

    def read(self, files: Iterable[RawDocument]) -> Iterator[tuple[int, list[Regulation] | NemoError]]:
        """Read files and store nothing, see :meth:`nemo.ingest.Ingestion.read`."""
        return self._ingestion.read(files)

    def enqueue_accepted(self, raw: RawDocument, title: str, user: accounts.User | None) -> str | None:
        """Take a collected file in that a person has accepted; whether they may was asked then. See :meth:`enqueue`."""
        return self.jobs.enqueue_each([(raw, manifest.KnownFacts())], title, accounts.name_of(user))

    def batches(self, *, active: bool = False, newest: int | None = None) -> list[BatchView]:
        """Return what is or was ingested in the background, newest first; ``active``: only what is not settled."""
        found = self.jobs.batches(active=active, newest=newest)
        if not (closed := self._closed()):
            return found
        shown = [replace(b, files=tuple(f for f in b.files if closed.isdisjoint(f.corpora))) for b in found]
        return [batch for batch in shown if batch.files]

    # --- from official sites

    def finder(self) -> Finder:
        """Return what finds and fetches on official sites.

        Raises:
            ConfigError: collecting is switched off.
        """
        from nemo.discover.finder import Finder  # the network stack: only who collects pays for it

        with self._lock:
            if not self._finders:
                self._finders["one"] = Finder(self._settings, self._rules.sources)
            return self._finders["one"]

    # --- what waits for a person

    def failures(self) -> list[Failure]:
        """Return the files that wait for a person."""
        closed = self._closed()
        return [each for each in self._library.failure_queue.all() if closed.isdisjoint(corpora_of(each.facts))]

    def retry_later(self, failure_ids: Iterable[int], user: accounts.User | None = None) -> str | None:
        """Try failed files again in the background; return the batch's id. See :meth:`enqueue`.

        Raises:
            NotFoundError: no such failure, and nothing was taken in; or the bytes of some were never received, and all
                others were taken in.
        """
        accounts.require(user, "ingest", self.users)
        failed = [self._library.failure_queue.get(failure_id) for failure_id in failure_ids]
        lost = [failure.name for failure in failed if failure.sha256 is None]
        held = (replace(self._library.raw(f.sha256), name=f.name) for f in failed if f.sha256)
        facts = [f.facts for f in failed if f.sha256]
        given = ((raw, manifest.facts_of(own, self._rules, raw.name)) for raw, own in zip(held, facts, strict=True))
        batch = self.jobs.enqueue_each(given, "重试", accounts.name_of(user))
        if lost:
            others = f"其余 {len(facts)} 个已重新排队。" if facts else ""
            names = "、".join(f"“{name}”" for name in lost)
            raise NotFoundError(f"{names}的内容没有留存，无法重试。{others}请重新上传。")
        return batch

    def dismiss(self, failure_id: int, user: accounts.User | None = None) -> None:
        """Close a failure without another try."""
        accounts.require(user, "ingest", self.users)
        self._library.dismiss_failure(failure_id, accounts.name_of(user))

    # --- what is held

    def edit(
        self, regulation_id: str, facts: Mapping[str, Any], user: accounts.User | None = None, reason: str = ""
    ) -> IngestReport:
        """State facts (``nemo.ingest.corrections.FIELDS``) about a held text; None or "" takes back what was stated.

        They win over everything that was read, and the audit log keeps both.

        Raises:
            BadRequestError: a field or value is wrong, or nothing changes.
            UnreadableDocumentError: the original no longer gives this text.
        """
        accounts.require(user, "edit", self.users)
        return corrections.edit(self._ingestion, regulation_id, facts, reason=reason, user=accounts.name_of(user))

    def edit_all(
        self, ids: Sequence[str], facts: Mapping[str, Any], user: accounts.User | None = None, reason: str = ""
    ) -> IngestReport:
        """State the same facts about several held regulations at once; see :meth:`edit`. One outcome for each that changes."""
        accounts.require(user, "edit", self.users)
        return corrections.edit_all(self._ingestion, ids, facts, reason=reason, user=accounts.name_of(user))

    def remove(self, regulation_id: str, user: accounts.User | None = None) -> str:
        """Remove a regulation from the catalogue and every index; return its title.

        Raises:
            NotPermittedError: people must sign in, and this one may not remove; a text of their own everybody may.
        """
        if not self._library.corpora.owned(regulation_id, user):
            accounts.require(user, "remove", self.users)
        title = self._library.row(regulation_id).title
        self._library.remove(regulation_id, accounts.name_of(user))
        return title

    def embed_missing(self, on_progress: Callable[[int, int], None] | None = None) -> int:
        """Embed what has no vectors of this embedder; return how many chunks that were."""
        return backfill.embed(self._library, self._embedder, on_progress)

    def reindex(self, progress: Callable[[Progress], None] | None = None) -> int:
        """Embed what has no vectors of this embedder, rebuild every index; return the number of chunks."""
        self.embed_missing()
        backfill.feature_notes(self._library, self._settings)
        backfill.edges(self._library, self._rules)
        return self._library.reindex(progress)

    # --- the demonstration

    def load_samples(
        self, progress: Callable[[Progress], None] | None = None, user: accounts.User | None = None
    ) -> IngestReport:
        """Ingest the demonstration library (演示文本)."""
        folder = self._settings.samples
        return self.ingest([folder], manifest=folder / "manifest.jsonl", progress=progress, user=user)

    def enqueue_samples(self, user: accounts.User | None = None) -> str | None:
        """Ingest the demonstration library in the background; return the batch's id. See :meth:`enqueue`."""
        accounts.require(user, "ingest", self.users)
        folder, limit = self._settings.samples, self._settings.max_file_bytes
        files = files_in([folder])
        stated = self._manifest(folder / "manifest.jsonl", files)
        given = ((read_file(file, limit), stated.get(file.name, manifest.KnownFacts())) for file in files)
        return self.jobs.enqueue_each(given, "载入演示资料", accounts.name_of(user))
