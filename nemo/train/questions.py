"""Labelled questions: read from files, resolved to places in the held texts (标注问题).

A line is one question in any of the formats of ``data/training`` and ``data/golden``: ``file`` with ``article`` or with
``start`` and ``end``; or ``gold`` and ``secondary`` with such entries; or ``expect: refuse`` or ``answerable: false``.
"""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from nemo.errors import BadRequestError, NotFoundError
from nemo.store.library import Library
from nemo.text.words.normalise import title_key
from nemo.text.words.numerals import article_key
from nemo.types import Chunk, Filters, Level, Regulation, Span
from nemo.types.plain import read_json


@dataclass(frozen=True, slots=True)
class LabelledPlace:
    """A stretch of a held regulation that answers."""

    regulation_id: str
    span: Span

    def holds(self, chunk: Chunk) -> bool:
        """Tell whether a chunk is this place: they share at least half of the shorter one."""
        if chunk.regulation_id != self.regulation_id:
            return False
        shared = min(self.span.end, chunk.span.end) - max(self.span.start, chunk.span.start)
        return shared * 2 >= min(self.span.end - self.span.start, chunk.span.end - chunk.span.start)


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """One question with what answers it; no ``gold`` means that nothing in the library does."""

    question: str
    filters: Filters
    gold: tuple[LabelledPlace, ...]
    good: tuple[LabelledPlace, ...]
    """Gold and what also helps."""
    group: str
    """Questions of one group are never on both sides of a split: the work they are about."""


@dataclass(slots=True)
class GatheredQuestions:
    """Usable questions, and how many others were passed over for which reason."""

    questions: list[LabelledQuestion] = field(default_factory=list)
    passed: Counter[str] = field(default_factory=Counter)


def read(files: Sequence[Path]) -> list[dict[str, Any]]:
    """Read the lines of question files.

    Raises:
        BadRequestError: a line is no question; the message names file and line.
    """
    rows = []
    for file in files:
        if not file.is_file():
            raise NotFoundError(f"没有题目文件 {file}。请检查路径。")
        for number, line in enumerate(_lines(file), 1):
            if line.strip():
                rows.append(_row(line, f"{file.name} 第 {number} 行"))
    return rows


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise BadRequestError(f"题目文件 {file.name} 不是 UTF-8 文本。请另存为 UTF-8 的 JSONL。") from error


def _row(line: str, place: str) -> dict[str, Any]:
    try:
        row = read_json(line)
    except ValueError as error:
        raise BadRequestError(f"{place}不是 JSON。每行须是一个对象，如 data/training/questions.jsonl。") from error
    if not isinstance(row, dict) or not isinstance(row.get("question"), str):
        raise BadRequestError(f"{place}没有 question 字段。每行须写明问题。")
    refuses = row.get("expect") == "refuse" or row.get("answerable") is False
    golds = [] if refuses else (row.get("gold") or ([row] if row.get("file") else []))
    if not refuses and not golds:
        raise BadRequestError(
            f"{place}没有标注：请写 file 与 article（或 start、end），或写 gold，或以 expect: refuse 标明无答案。"
        )
    others = row.get("secondary") or []
    if not all(_is_place(g) for g in (*golds, *others)):
        raise BadRequestError(f"{place}的标注不全：每处须有 file，以及 article 或 start、end。")
    return {**row, "gold": golds, "secondary": others, "day": _day(row.get("as_of"), place)}


def _is_place(gold: Any) -> bool:
    if not isinstance(gold, dict) or not isinstance(gold.get("file"), str):
        return False
    start, end = gold.get("start"), gold.get("end")
    return isinstance(gold.get("article"), str) or (isinstance(start, int) and isinstance(end, int) and start < end)


def _day(text: Any, place: str) -> dt.date | None:
    try:
        return dt.date.fromisoformat(text) if text else None
    except (TypeError, ValueError) as error:
        raise BadRequestError(f"{place}的 as_of 无效：{text}。请写成 2026-11-20 这样的形式。") from error


def resolve(rows: Iterable[Mapping[str, Any]], library: Library) -> GatheredQuestions:
    """Find the places that the rows name in the held texts; rows whose text is not held are counted, not used."""
    found = GatheredQuestions()
    by_file: dict[str, list[str]] = defaultdict(list)
    for held in library.rows():
        by_file[held.file].append(held.id)
    articles = lru_cache(None)(lambda regulation_id: _articles(library.regulation(regulation_id)))

    def places(golds: Iterable[Mapping[str, Any]]) -> list[LabelledPlace]:
        return [
            LabelledPlace(i, span)
            for gold in golds
            for i in by_file.get(gold["file"], ())
            for span in _spans(gold, articles(i))
        ]

    for row in sorted(rows, key=lambda r: r["gold"][0]["file"] if r["gold"] else ""):  # one text after the other
        gold = places(row["gold"])
        filters = Filters(row.get("province"), row.get("asset"), row.get("doc_class"), row["day"])
        if row["gold"] and not gold:
            held_file = any(by_file.get(g["file"]) for g in row["gold"])
            found.passed["所标条文在文本中找不到" if held_file else "所标法规未入库"] += 1
            continue
        group = title_key(library.row(gold[0].regulation_id).title) if gold else f"?{row['question']}"
        good = (*gold, *places(row["secondary"]))
        found.questions.append(LabelledQuestion(row["question"], filters, tuple(gold), good, group))
    return found


def _articles(regulation: Regulation) -> dict[str, list[Span]]:
    """Return the spans of a regulation's articles, and of the entries outside articles, by key."""
    out: dict[str, list[Span]] = defaultdict(list)
    for provision in regulation.walk():
        out[article_key(provision.step if provision.level is Level.ARTICLE else provision.path())].append(
            provision.span
        )
    return out


def _spans(gold: Mapping[str, Any], articles: Mapping[str, list[Span]]) -> list[Span]:
    if isinstance(gold.get("start"), int):
        return [Span(gold["start"], gold["end"])]
    return articles.get(article_key(gold["article"]), [])
