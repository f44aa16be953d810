"""A prepared passage as bytes and back: a text is read for ranking once, when it is stored (预处理存取).

Layout, little-endian: the header, then terms, character pairs, the counts of both, and the words. What many passages
share (the terms of a title) is not written but looked up again.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from nemo.errors import ConfigError
from nemo.rerank.passages import MOST, Heading, PreparedPassage, assemble, prepare
from nemo.rerank.terms import Terms, read
from nemo.text.structure.passage import headings
from nemo.text.words.normalise import simplified
from nemo.types import Chunk, Level, Regulation, Span

MODEL = "ranker-zh"
"""Folder of the built-in ranker among the models."""

FORMAT = 4
"""Raised when the layout, or how a passage is read, changes: older notes are then not used."""

HEADER = struct.Struct("<4f7I")
"""Three lengths, place; numbers of terms, of pairs and of bytes of words; characters; what it offers and which values
it states, a bit each; whether it is national."""

NUMBERS, PAIRS, COUNTS = np.dtype("<i4"), np.dtype("<u4"), np.dtype("<u2")

BETWEEN = "\x1f"
"""Between the words: title, chapter, level, article, and the articles it refers to."""


class FeatureEncoder:
    """Reads the chunks of a regulation for ranking, once, when they are stored. Safe to share between threads."""

    def __init__(self, terms: Terms, probe: str) -> None:
        """Keep the terms; notes are of use only to a ranker with the same terms and the same features."""
        self._terms = terms
        self.ranker = f"{MODEL}-{terms.mark}-{FORMAT}-{probe}"

    @classmethod
    def of(cls, folder: Path) -> FeatureEncoder:
        """Read the terms of a model folder, and from its card which features it was made for.

        Raises:
            ConfigError: they are missing or damaged.
        """
        try:
            probe = str(json.loads((folder / "model.json").read_text("utf-8"))["probe"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ConfigError(f"重排模型不完整：{folder}。请从安装包恢复该文件夹，或检查 NEMO_MODELS。") from error
        return cls(read(folder), probe)

    def notes(self, regulation: Regulation, chunks: Sequence[Chunk]) -> list[bytes]:
        """Return the notes of each chunk."""
        return [pack(self.passage(regulation, chunk.span)) for chunk in chunks]

    def passage(self, regulation: Regulation, span: Span) -> PreparedPassage:
        """Return a stretch of a regulation prepared for ranking."""
        text = simplified(span.of(regulation.text))
        return prepare(self._terms, regulation.id, heading_of(regulation, span), text)


def pack(passage: PreparedPassage) -> bytes:
    """Return a prepared passage as bytes."""
    heading = passage.heading
    words = BETWEEN.join((heading.title, heading.chapter, heading.level, heading.article, *sorted(passage.refers)))
    tail = words.encode()
    counts = np.concatenate([passage.own, passage.above, passage.pair_counts])
    sizes = (len(passage.terms), len(passage.pairs), len(tail), passage.size)
    parts = (
        HEADER.pack(*passage.lengths, heading.place, *sizes, passage.offers, passage.states, heading.national),
        passage.terms.astype(NUMBERS).tobytes(),
        passage.pairs.astype(PAIRS).tobytes(),
        np.minimum(counts, MOST).astype(COUNTS).tobytes(),
        tail,
    )
    return b"".join(parts)


def unpack(terms: Terms, regulation_id: str, note: bytes | memoryview) -> PreparedPassage:
    """Return the passage of :func:`pack`, prepared with the same terms."""
    full, text, head, place, count, pairs, size_of_words, size, offers, states, national = HEADER.unpack_from(note)
    at = HEADER.size
    numbers = np.frombuffer(note, NUMBERS, count, at)
    at += numbers.nbytes
    codes = np.frombuffer(note, PAIRS, pairs, at)
    at += codes.nbytes
    counts = np.frombuffer(note, COUNTS, 2 * count + pairs, at)
    at += counts.nbytes
    title, chapter, level, article, *refers = bytes(note[at : at + size_of_words]).decode().split(BETWEEN)
    return assemble(
        terms,
        regulation_id,
        Heading(title, chapter, level, bool(national), article, place),
        numbers=numbers,
        counts=(counts[:count], counts[count : 2 * count]),
        lengths=(full, text, head),
        pairs=(codes, counts[2 * count :]),
        size=size,
        offers=offers,
        states=states,
        refers=frozenset(refers),
    )


def heading_of(regulation: Regulation, span: Span) -> Heading:
    """Return what a stretch of a regulation stands under."""
    chain = regulation.chain(span)
    article = next((p.label for p in reversed(chain) if p.level is Level.ARTICLE), chain[-1].label if chain else "")
    return Heading(
        title=regulation.short_title or regulation.title,
        chapter=headings(regulation, span),
        level=regulation.level or "",
        national=regulation.province == "cn",
        article=article.partition("@")[0],
        place=span.start / max(1, len(regulation.text)),
    )
