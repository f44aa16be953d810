"""The pure part of ingesting, which runs in worker processes: bytes → parsed → regulations → chunks → vectors (备料)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from nemo import embed, rerank
from nemo import rules as rule_data
from nemo.errors import ConfigError, UnreadableDocumentError
from nemo.ingest.assemble import regulations_in
from nemo.ingest.manifest import KnownFacts, StatedFacts
from nemo.ingest.workers import limit_memory
from nemo.parse import parse
from nemo.settings import Settings
from nemo.store.catalogue.entry import EdgeNotes, FeatureNotes, StoredEntry
from nemo.store.files.disk import storage_errors
from nemo.text.facts.graph_edges import GraphReader
from nemo.text.structure.chunking import chunks
from nemo.text.structure.passage import passage
from nemo.types import RawDocument, Regulation

PIPELINE = 33
"""Raised when parsing or structuring changes so that the same bytes must be read again."""


@dataclass(frozen=True, slots=True)
class Task:
    """One file on its way to a worker."""

    raw: RawDocument
    """Without content when the file lies at ``place``."""
    facts: KnownFacts
    place: Path | None = None
    """Where the bytes of a large file lie: they are in the memory of whoever reads it, and of nobody who waits."""
    listed: bool = False
    """A manifest has a line about it: what that leaves out is not stated any more."""
    edited: Mapping[str, StatedFacts] | None = None
    """Stated about single regulations of it, by id; wins over ``facts``."""

    def file(self) -> RawDocument:
        """Return the file with its bytes.

        Raises:
            ConfigError: they were changed on disk meanwhile, or the disk refuses.
        """
        if self.place is None:
            return self.raw
        with storage_errors(self.place.parent):
            content = self.place.read_bytes()
        if hashlib.sha256(content).hexdigest() != self.raw.sha256:
            raise ConfigError(f"待入库文件 {self.place} 被改动或已损坏。请重新上传“{self.raw.name}”。")
        return replace(self.raw, content=content)


@dataclass(slots=True)
class _WorkerState:
    """What a worker keeps between tasks."""

    settings: Settings
    rules: rule_data.Rules
    embedder: embed.Embedder | None
    encoder: rerank.FeatureEncoder | None
    edges: GraphReader


_state: _WorkerState | None = None


def set_up(settings: Settings) -> None:
    """Prepare this process for ``prepare``: load the rules and, when it is built in, the embedder."""
    global _state
    limit_memory(settings.worker_memory_mb)
    built_in = embed.load(settings) if settings.embedder == "builtin" else None
    rules = rule_data.load(settings.rules)
    _state = _WorkerState(settings, rules, built_in, rerank.feature_encoder(settings), GraphReader(rules))


def prepare(task: Task) -> list[StoredEntry]:
    """Turn one file into regulations, chunks and vectors; pure, runs in a worker. Without vectors the owner must embed.

    Raises:
        UnreadableDocumentError: the file holds no regulation that can be read.
        MissingDependencyError: reading it needs a program that is not installed.
    """
    assert _state is not None, "set_up was not called in this process"
    raw = task.file()
    parsed = parse(raw, _state.settings)
    found = regulations_in(raw, parsed, task.facts, _state.rules, task.edited)
    return [_prepared(regulation, _state) for regulation in found]


def _prepared(regulation: Regulation, state: _WorkerState) -> StoredEntry:
    pieces = tuple(chunks(regulation.id, regulation.text, regulation.provisions))
    if not pieces:
        raise UnreadableDocumentError(f"《{regulation.title}》没有可引用的正文（正文缺失）。请上传含全文的文件。")
    vectors = embed.passages(state.embedder, [passage(regulation, c) for c in pieces]) if state.embedder else None
    noted = FeatureNotes(state.encoder.ranker, state.encoder.notes(regulation, pieces)) if state.encoder else None
    tied = EdgeNotes(state.edges.version, state.edges.edges(regulation))
    return StoredEntry(regulation, pieces, vectors, noted, tied)


def fingerprint(raw: RawDocument, said: Mapping[str, Any]) -> str:
    """Return a hash of everything the stored result depends on: bytes, name, what is said of it and the pipeline's version."""
    known = json.dumps(said, sort_keys=True, default=str, ensure_ascii=False)
    return hashlib.sha256(f"{PIPELINE}\n{raw.sha256}\n{raw.name}\n{known}".encode()).hexdigest()
