"""What may be chosen for a corpus, and why something may not: an option that cannot be kept is refused (资料集选项)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from nemo import embed
from nemo.embed import Embedder
from nemo.errors import BadRequestError
from nemo.settings import Settings
from nemo.store.records.corpora import Corpus, Visibility, Windows
from nemo.text.structure.passage import passage
from nemo.types import Chunk, Regulation, Span

EMBEDDERS = ("library", "builtin", "transformer", "gemini")
SHORTEST, LONGEST = 100, 4000
"""Characters of a window."""

LONGEST_NAME = 80
_WINDOW = re.compile(r"(\d{1,5})(?:/(\d{1,5}))?")


class CorpusOptions(BaseModel):
    """What is stated of a corpus; None leaves what stands."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str | None = Field(None, description="名称")
    description: str | None = Field(None, description="说明")
    visibility: Visibility | None = Field(
        None, description="可见范围：private 私有、team 团队（所列人员）、public 公开"
    )
    people: tuple[str, ...] | None = Field(None, description="团队可见的人员姓名")
    embedder: str | None = Field(None, description="向量模型：library（同资料库）、builtin、transformer、gemini")
    store: str | None = Field(None, description="向量检索：library（同资料库）或 exact（始终精确计算）")
    chunking: str | None = Field(
        None, description="语义检索的切块：article（按条款），或字数 400、800、600/100（含重叠）"
    )

    def stated(self) -> dict[str, Any]:
        """Return what is stated, checked in itself.

        Raises:
            BadRequestError: a name is none, or something is chosen that is not offered.
        """
        values = self.model_dump(exclude_none=True)
        if "name" in values:
            values["name"] = name = values["name"].strip()
            if not 0 < len(name) <= LONGEST_NAME or not name.isprintable() or name.isdigit():
                raise BadRequestError(f"资料集名称应为 1 到 {LONGEST_NAME} 个可见字符，且不全是数字。请换一个名称。")
        if values.get("embedder", "library") not in EMBEDDERS:
            raise BadRequestError(f"没有向量模型“{values['embedder']}”。可选：{'、'.join(EMBEDDERS)}。")
        if "chunking" in values:
            Chunking.of(values["chunking"])
        return values


def check_parts(values: dict[str, Any], settings: Settings) -> None:
    """Try what is chosen on this installation.

    Raises:
        BadRequestError: the store is not the library's.
        ConfigError, MissingDependencyError: the embedder cannot be loaded.
    """
    store = values.get("store", "library")
    if store not in ("library", "exact", settings.vector_store):
        raise BadRequestError(
            f"不能为资料集单设向量索引“{store}”：一个资料库只有一个近似索引，现为 {settings.vector_store}。"
            "可选 library（同资料库）或 exact（始终精确计算）；换近似索引请改 NEMO_VECTOR_STORE。"
        )
    if store == settings.vector_store and store != "exact":
        values["store"] = "library"
    if values.get("embedder", "library") != "library":
        loaded = embedder_of(values["embedder"], settings)
        if close := getattr(loaded, "close", None):
            close()


def embedder_of(name: str, settings: Settings) -> Embedder:
    """Load an embedder by its name in the settings."""
    return embed.load(settings.model_copy(update={"embedder": name}))


@dataclass(frozen=True, slots=True)
class Chunking:
    """How a text is cut for search by meaning: by provision, or by length (切块)."""

    length: int = 0
    """Characters of a window; 0: by provision, as the library is."""
    overlap: int = 0

    @classmethod
    def of(cls, text: str) -> Chunking:
        """Read ``article``, ``400``, ``600/100``.

        Raises:
            BadRequestError: it is none of them, or a window that cannot be.
        """
        if text == "article":
            return cls()
        found = _WINDOW.fullmatch(text)
        length, overlap = (int(part or 0) for part in found.groups()) if found else (0, 0)
        if not SHORTEST <= length <= LONGEST or overlap > length // 2:
            raise BadRequestError(
                f"切块方式“{text}”无效。可选 article（按条款），或字数 {SHORTEST}–{LONGEST}，如 400、800、600/100"
                "（每块 600 字、重叠 100 字，重叠不超过一半）。"
            )
        return cls(length, overlap)

    def spans(self, chunks: np.ndarray) -> list[Span]:
        """Return the windows over a text whose provisions lie at ``chunks``, an (n, 2) array of places."""
        if not self.length:
            return [Span(int(start), int(end)) for start, end in chunks]
        first, last = int(chunks[:, 0].min()), int(chunks[:, 1].max())
        step = self.length - self.overlap
        starts = range(first, max(last - self.overlap, first + 1), step)
        return [Span(start, min(start + self.length, last)) for start in starts]


def windows_of(regulation: Regulation, chunks: np.ndarray, corpus: Corpus, embedder: Embedder) -> Windows:
    """Return the pieces of one text for a corpus, with their vectors; each is a slice of the text.

    Raises:
        ServiceError: the embedder's service does not answer.
    """
    chunking = Chunking.of(corpus.chunking)
    spans = [span for span in chunking.spans(chunks) if span.of(regulation.text).strip()]
    title = regulation.short_title or regulation.title
    words = [
        f"{title}\n{span.of(regulation.text)}" if chunking.length else passage(regulation, _chunk(regulation, span))
        for span in spans
    ]
    rows = embed.passages(embedder, words)
    return Windows(regulation.id, "", embedder.name, np.array(spans, np.int64).reshape(-1, 2), rows)


def _chunk(regulation: Regulation, span: Span) -> Chunk:
    return Chunk(Chunk.id_of(regulation.id, span), regulation.id, "", span, span.of(regulation.text))
