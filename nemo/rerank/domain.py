"""The built-in ranker: decision trees over features of question and provision, learned from questions (内置重排).

It reads only texts, titles and headings, never the scores of the indexes, so the same list gets the same order and the
same probabilities in a library of any size.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from nemo.errors import ConfigError
from nemo.rerank import feature_notes, features, passages, quantities
from nemo.rerank import terms as vocabulary
from nemo.rerank.contract import Judgement
from nemo.rerank.feature_notes import MODEL, FeatureEncoder
from nemo.rerank.forest import Forest
from nemo.rerank.probe import feature_hash
from nemo.rerank.strangeness import NEAREST, QuestionVocabulary
from nemo.rerank.verdict import FEW, USUAL, Calibration
from nemo.settings import Settings
from nemo.types import Chunk, Expansion, Hit, Query, Regulation, Span

MOST = 10
"""At most this many hits are evidence; several may be parts of one provision."""

PREPARED = 12_000
"""Prepared passages kept in memory, about 2 KB each beside the notes that they are cut out of."""


STRETCHES = 1_000
"""Prepared stretches of provisions kept in memory: what answers one question answers others. Headings are left out: what
stands above stretches of one provision tells none of them from another."""

ASKED = 64
"""Prepared questions kept in memory: each is needed once for the list and once for every quote."""


RANKED = 8
"""Lists kept in memory with their order: a list is looked at before it is chosen, then judged."""


PAPERS = "papers.onnx"
"""Further trees, which tell provisions of papers from each other; whose sums they correct are those of ``trees.onnx``."""


class RankedList(NamedTuple):
    """The order of some chunks for a question."""

    order: list[int]
    """Places in the list, best first."""
    chances: list[float]
    sums: list[float]
    """Of each, in that order: the probability that it is evidence, and the trees' sum."""
    headed: list[float]
    """Of each, how near its headings are to the question in meaning; -1.0 where they name a city that it does not."""
    among_papers: list[float]
    """Of each, the sum by which it is set beside provisions of papers, where it is one: to those of statutes nothing is added."""
    said: dict[str, float]
    """What holds for the whole list: ``answerable`` and ``strange``."""


class FeatureStore(Protocol):
    """Where the texts are that a passage stands in."""

    def regulation(self, regulation_id: str) -> Regulation:
        """Return a whole regulation."""
        ...

    def feature_note(self, ranker: str, chunk_id: str) -> bytes | memoryview | None:
        """Return what the ranker noted of a chunk when it was stored, None when it noted nothing."""
        ...


@dataclass(frozen=True)
class Model:
    """Everything read from a model folder."""

    terms: vocabulary.Terms
    asked: QuestionVocabulary
    forest: Forest
    papers: Forest
    """What they add to its sums among provisions of papers."""
    verdict: Calibration
    names: tuple[str, ...]
    """Names of all features, in the order of the columns; the trees may know only the first of them."""
    probe: str
    """Hash of the features' values that it learned from (``nemo.rerank.probe``)."""

    @classmethod
    def read(cls, folder: Path, papers: Path | None = None) -> Model:
        """Read a model folder; a library's own has no trees for papers (``papers``): those that ship serve it.

        Raises:
            ConfigError: a file is missing or damaged, or the model was made for other features.
        """
        try:
            card: dict[str, Any] = json.loads((folder / "model.json").read_text("utf-8"))
            known, verdict, probe = tuple(card["features"]), Calibration.of(card["verdict"]), str(card["probe"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ConfigError(f"重排模型不完整：{folder}。请从安装包恢复该文件夹，或检查 NEMO_MODELS。") from error
        names = features.names()
        terms = vocabulary.read(folder)
        if known != names[: len(known)] or probe != feature_hash(terms):
            raise ConfigError(f"重排模型与程序不配套（特征不同）：{folder}。请从安装包恢复该文件夹。")
        forest, further = Forest(folder / "trees.onnx", len(known)), Forest(papers or folder / PAPERS, len(known))
        return cls(terms, QuestionVocabulary.read(folder), forest, further, verdict, names, probe)


class DomainReranker:
    """Orders hits by learned trees and says how sure it is. Safe to share between threads."""

    def __init__(self, model: Model, notes: FeatureStore, name: str = MODEL) -> None:
        self.name = name
        self._model = model
        self._notes = notes
        self._encoder = FeatureEncoder(model.terms, model.probe)
        self._at = {name: index for index, name in enumerate(model.names)}
        self._prepared = lru_cache(PREPARED)(self._prepare)
        self._stretch = lru_cache(STRETCHES)(partial(passages.prepare, model.terms, "", passages.NOWHERE))
        self._asked = lru_cache(ASKED)(self._ask)
        self._ranked = lru_cache(RANKED)(self._rank)

    @property
    def notes(self) -> str:
        """Name under which what it noted of passages is kept."""
        return self._encoder.ranker

    def rerank(self, query: Query, hits: Sequence[Hit]) -> list[Hit]:
        """Return the hits, best first; ``score`` is the probability that a hit is evidence.

        ``scores`` gains ``rerank`` (the trees' sum), ``probability``, ``headed``, ``among_papers`` (the sum that counts beside
        provisions of papers), and for the whole list ``answerable`` and ``strange``.
        """
        if not hits:
            return []
        found = self._ranked(query.text, query.synonyms, tuple(hit.chunk for hit in hits))
        return [
            Hit(
                hits[at].chunk,
                chance,
                {
                    **hits[at].scores,
                    "rerank": summed,
                    "probability": chance,
                    "headed": near,
                    "among_papers": beside,
                    **found.said,
                },
            )
            for at, chance, summed, near, beside in zip(*found[:-1], strict=True)
        ]

    def _rank(self, text: str, synonyms: tuple[Expansion, ...], chunks: Sequence[Chunk]) -> RankedList:
        asked = self._asked(text, synonyms)
        prepared = [self._prepared(chunk) for chunk in chunks]
        rows = features.matrix(self._model.terms, asked, prepared)
        sums = self._model.forest.scores(rows)
        order = np.argsort(-sums, kind="stable")
        verdict = self._model.verdict
        answerable = verdict.answerable(rows[order], sums[order], self._at)
        strange = self._strangeness(text, [chunks[at].text for at in order[:NEAREST]])
        if len(chunks) < FEW:
            strange = max(strange, USUAL)
        chances = verdict.chances(sums[order])
        said = {"answerable": answerable, "strange": strange}
        near, place = rows[order, self._at["d_head"]], rows[order, self._at["title_place"]]
        headed = np.where(place < 0, -1.0, near)
        beside = sums.copy()
        if papers := [at for at, passage in enumerate(prepared) if passage.heading.level not in passages.STATUTES]:
            beside[papers] += self._model.papers.scores(rows[papers])
        return RankedList(
            order.tolist(), chances.tolist(), sums[order].tolist(), headed.tolist(), beside[order].tolist(), said
        )

    def judge(self, query: Query, hits: Sequence[Hit]) -> Judgement:
        """Judge an ordered list of hits; one that did not come from :meth:`rerank` is ranked first."""
        if not hits:
            return Judgement(False, 0, 0.0, 0.0)
        if "answerable" not in hits[0].scores:
            hits = self.rerank(query, hits)
        scores = hits[0].scores
        verdict = self._model.verdict
        keep = verdict.keep([h.scores["probability"] for h in hits], MOST)
        strength = float(np.clip(scores.get("dense", scores.get("fused", 0.0)), 0.0, 1.0))
        chance, whole = scores["probability"], scores["answerable"]
        said_otherwise = any(w in hits[0].chunk.text for each in query.synonyms for w in each.added)
        shares_words = scores.get("lexical", 0.0) > 0 or said_otherwise  # likeness of meaning alone is no proof
        of_the_field = bool(query.synonyms or query.intents or query.mentions)
        strange = scores.get("strange", USUAL)
        answerable = verdict.weighed(whole, strange) >= verdict.threshold or verdict.vouches(
            whole, chance, strange, in_field=shares_words and of_the_field, headed=scores.get("headed", -1.0)
        )
        return Judgement(answerable, keep, verdict.confidence(chance, whole), strength)

    def score_spans(self, query: Query, regulation: Regulation, spans: Sequence[Span]) -> list[float]:
        """Score stretches of one regulation by how well they answer."""
        if not spans:
            return []
        asked = self._asked(query.text, query.synonyms)
        found = [self._stretch(span.of(regulation.text)) for span in spans]
        return features.likeness(self._model.terms, asked, found).tolist()

    def likeness(self, word: str, text: str) -> float:
        """Return how near in meaning the nearest word of a folded text is to a word."""
        return self._model.terms.likeness(word, text)

    def _strangeness(self, question: str, found: Sequence[str]) -> float:
        """Return how strange a question is; one that asks for a value or names one is never plain.

        What stands near it states other values: then the list has to be as sure as ever.
        """
        strange, words = self._model.asked.strangeness(question, found), vocabulary.fold(question)
        return max(strange, USUAL) if quantities.asked(words).any() or quantities.stated(words).any() else strange

    def _ask(self, text: str, synonyms: Sequence[Expansion]) -> passages.PreparedQuestion:
        return passages.ask(self._model.terms, text, [(each.term, each.added) for each in synonyms])

    def _prepare(self, chunk: Chunk) -> passages.PreparedPassage:
        noted = self._notes.feature_note(self._encoder.ranker, chunk.id)
        if noted is not None:
            return feature_notes.unpack(self._model.terms, chunk.regulation_id, noted)
        return self._encoder.passage(self._notes.regulation(chunk.regulation_id), chunk.span)


def load(settings: Settings, notes: FeatureStore) -> DomainReranker:
    """Read the built-in ranker, the library's own when it was trained there.

    Raises:
        ConfigError: the model is missing or damaged.
    """
    folder = settings.model(MODEL)
    own = folder.parent == settings.own_models
    try:
        files = tuple((f.name, f.stat().st_size, f.stat().st_mtime_ns) for f in sorted(folder.glob("*")))
        return DomainReranker(
            _model(folder, settings.models / MODEL / PAPERS, files), notes, _own_name(folder) if own else MODEL
        )
    except ConfigError as error:
        if not own:
            raise
        way = "请运行 python -m nemo train --reset 恢复内置模型，再重新训练。"
        raise ConfigError(f"本库训练的重排模型已损坏或与程序不配套：{folder}。{way}") from error


@lru_cache(maxsize=2)
def _model(folder: Path, papers: Path, _files: tuple[tuple[str, int, int], ...]) -> Model:
    """Read a folder once in a process as long as its files stay as they are: engines share what never changes."""
    return Model.read(folder, papers)


def _own_name(folder: Path) -> str:
    """Return the name of a library's own model: another one after each training, so that results can be told apart."""
    return f"{MODEL}@{hashlib.sha256((folder / 'trees.onnx').read_bytes()).hexdigest()[:8]}"
