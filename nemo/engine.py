"""The one that knows everything: builds the parts from the settings, wires them and calls them.

Thread-safe and without per-question state: any number of sessions may ask while one ingests.
"""

from __future__ import annotations

import datetime as dt
import json
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from nemo import answering, embed, evaluate, ingest, manifest, rerank
from nemo import rules as rule_data
from nemo.errors import NotFoundError
from nemo.query import Names, Reader
from nemo.retrieve import Retriever
from nemo.settings import Settings
from nemo.store.library import Library
from nemo.types import Answer, Day, Filters, RawDocument, Regulation

CHINA = ZoneInfo("Asia/Shanghai")


def today() -> Day:
    """Return the calendar day in China."""
    return dt.datetime.now(CHINA).date()


class Engine:
    """One library with everything that serves it."""

    def __init__(self, settings: Settings, library: Library, embedder: embed.Embedder) -> None:
        self.settings = settings
        self.rules = rule_data.load(settings.rules)
        self.library = library
        self.embedder = embedder
        self.retriever = Retriever(library, embedder, settings)
        self.reranker = rerank.load(settings, library.regulation)
        self._reader: tuple[int, Reader] | None = None
        self._lock = threading.Lock()

    @classmethod
    def open(cls, settings: Settings) -> Engine:
        """Open the library and every part that is configured.

        Raises:
            ConfigError: the library is owned by another process, newer than this program, or a part cannot be loaded.
        """
        embedder = embed.load(settings)
        library = Library.open(settings, embedder.name, embedder.dim)
        return cls(settings, library, embedder)

    def close(self) -> None:
        """Finish writes, close the indexes and give the library back."""
        self.library.close()

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
        progress: Callable[[ingest.Progress], None] | None = None,
    ) -> ingest.Report:
        """Ingest files and folders, with the facts of a manifest and of the whole batch."""
        files = ingest.files_in(paths)
        stated = self._manifest(manifest, files)
        return self._batch(files, stated, facts or {}, progress)

    def ingest_raw(
        self,
        raws: Sequence[RawDocument],
        *,
        facts: Mapping[str, Any] | None = None,
        progress: Callable[[ingest.Progress], None] | None = None,
    ) -> ingest.Report:
        """Ingest documents that are already in memory, such as uploads."""
        return self._batch(raws, {}, facts or {}, progress)

    def _manifest(self, path: Path | None, files: Sequence[Path]) -> dict[str, manifest.Facts]:
        if path is None:
            return {}
        stated = manifest.read(path, self.rules)
        ingest.check_manifest(stated, files, path.parent)
        return stated

    def _batch(
        self,
        sources: Sequence[Path | RawDocument],
        stated: Mapping[str, manifest.Facts],
        facts: Mapping[str, Any],
        progress: Callable[[ingest.Progress], None] | None,
    ) -> ingest.Report:
        common = manifest.facts_of(facts, self.rules, "所填信息")
        ingestion = ingest.Ingestion(self.library, self.embedder, self.rules, self.settings)
        return ingestion.batch(sources, stated, common, progress)

    # --- the way out

    def ask(
        self,
        question: str,
        *,
        province: str | None = None,
        asset: str | None = None,
        doc_class: str | None = None,
        day: Day | None = None,
    ) -> Answer:
        """Answer one question with verbatim quotes, or refuse.

        Raises:
            BadRequestError: a code is unknown.
        """
        began = time.perf_counter()
        self.rules.check_codes(province=province, asset=asset, doc_class=doc_class)
        trace_id = f"nemo-{today():%Y%m%d}-{uuid.uuid4().hex[:8]}"
        parts = answering.Parts(self.library, self.retriever, self.reranker, self.rules, self.settings)
        answer = answering.answer(
            parts, self.reader(), question, Filters(province, asset, doc_class, day), today(), trace_id
        )
        answer = answering.timed(answer, (time.perf_counter() - began) * 1000)
        return answer

    def reader(self) -> Reader:
        """Return the question reader for the library as it is now."""
        with self._lock:
            generation = self.library.generation
            if self._reader is None or self._reader[0] != generation:
                self._reader = (generation, self._new_reader())
            return self._reader[1]

    def _new_reader(self) -> Reader:
        rows = sorted(self.library.rows(), key=lambda r: r.version_date or dt.date.min, reverse=True)
        held = [(r.id, [r.title, r.short_title, *self.rules.aliases_of(r.title)]) for r in rows]
        names = Names(held, self.rules.known_titles)
        return Reader(self.rules, names, [(r.id, r.document_number) for r in rows if r.document_number])

    # --- the library

    def regulation(self, key: str, day: Day | None = None) -> Regulation:
        """Return a regulation by id, file name or title; of several versions the one in force on ``day``.

        Raises:
            NotFoundError: nothing by that name is held; the tips name the nearest titles.
        """
        rows = self.library.rows()
        exact = next((r for r in rows if key in (r.id, r.file)), None)
        if exact is not None:
            return self.library.regulation(exact.id)
        ids = self.reader().names.ids(manifest_key(key))
        if not ids:
            raise NotFoundError(f"资料库没有“{key}”。可用 python -m nemo list 查看库内法规。", _nearest(key, rows))
        versions = [self.library.regulation(i) for i in ids]
        on = day or today()
        return next((r for r in versions if r.validity.on(on).may_answer), versions[0])

    def remove(self, regulation_id: str) -> str:
        """Remove a regulation from the catalogue and every index; return its title.

        Raises:
            NotFoundError: no such regulation.
        """
        title = self.regulation(regulation_id).title
        self.library.remove(regulation_id)
        return title

    def reindex(self, progress: Callable[[ingest.Progress], None] | None = None) -> int:
        """Rebuild every index from the catalogue; return the number of chunks."""
        return self.library.reindex(progress)

    def verify(self) -> list[Any]:
        """Compare quotes, indexes and raw files with the catalogue; return the differences."""
        return self.library.verify()

    def evaluate(self, folder: Path) -> dict[str, Any]:
        """Run a golden set and return its measures."""
        return evaluate.run(folder, self._ask_row)

    def _ask_row(self, row: Mapping[str, Any]) -> Answer:
        day = dt.date.fromisoformat(row["as_of"]) if row.get("as_of") else None
        facets = {name: row.get(name) for name in ("province", "asset", "doc_class")}
        return self.ask(row["question"], day=day, **facets)

    # --- the demonstration

    def load_samples(self, progress: Callable[[ingest.Progress], None] | None = None) -> ingest.Report:
        """Ingest the demonstration library (演示文本)."""
        folder = self.settings.samples
        return self.ingest([folder], manifest=folder / "manifest.jsonl", progress=progress)

    def sample_questions(self) -> list[dict[str, Any]]:
        """Return the questions written for the demonstration library, as arguments of ``ask``."""
        path = self.settings.samples.parent / "golden" / "golden.jsonl"
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
        return [
            {k: r.get(k) for k in ("question", "province", "asset", "doc_class")} for r in rows if not r.get("as_of")
        ]


def manifest_key(title: str) -> str:
    """Return the normal form of a title as names are looked up."""
    from nemo.text.normalise import title_key

    return title_key(title)


def _nearest(key: str, rows: Sequence[Any]) -> tuple[str, ...]:
    import difflib

    titles = difflib.get_close_matches(key, [r.title for r in rows], n=3, cutoff=0.3)
    return tuple(f"相近的法规：《{t}》" for t in titles)
