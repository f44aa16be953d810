"""How well structure is read, and how fast: the part of ``make eval-law`` that needs no facts."""

import re
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.law_tally import Figures, Row, rows
from nemo.rules import Rules
from nemo.text.facts.description import describe
from nemo.text.law.references import relations
from nemo.text.structure.tree import Structure, structure
from nemo.text.words.normalise import squash
from nemo.types import Level, ParsedDocument, Provision

ITEM_NUMBER = re.compile(r"^[（(][一二三四五六七八九十]+[）)]")
UNNAMED = ("正文", "末段")
"""How gold calls text outside any numbered unit."""


def every(found: Structure) -> list[Provision]:
    """Return all provisions of a text."""
    return [p for top in found.provisions for p in top.walk()]


def of_statutes(shared: Path) -> Figures:
    """Score counts of chapters and articles, and provisions by their paths, on ``metadata``."""
    figures = Figures()
    for gold in rows(shared / "metadata" / "dev.jsonl"):
        text = (shared / "metadata" / "docs" / gold["file"]).read_text("utf-8")
        found = every(structure(text))
        for name, level in (("chapters", Level.CHAPTER), ("articles", Level.ARTICLE)):
            figures.exact[name].add(gold["file"], sum(p.level is level for p in found), gold[name])
        for place in gold.get("article_paths", []):
            path = place["path"].replace("第一款", "") if place["kuan_total"] == 1 else place["path"]
            unit = next((p for p in found if p.path() == path), None)
            begins = _opening(text, unit)[: len(squash(place["first30"]))]
            figures.exact["article paths"].add(f"{gold['file']} {path}", begins, squash(place["first30"]))
    return figures


def _opening(text: str, unit: Provision | None) -> str:
    """Return the words a provision begins with, without its number."""
    if unit is None:
        return ""
    own = unit.children[0] if unit.level is Level.ARTICLE and unit.children else unit
    return ITEM_NUMBER.sub("", squash(own.span.of(text)))


def of_notices(shared: Path) -> Figures:
    """Score whether each gold provision of ``normative`` is found at its place under its path."""
    figures = Figures()
    for row in rows(shared / "normative" / "golden_normative.jsonl"):
        for gold in row["gold"]:
            text = (shared / "normative" / "corpus" / gold["file"]).read_bytes().decode("utf-8")
            figures.exact["gold provisions"].add(f"{row['id']} {gold['article']}", _holds(text, gold), True)
    return figures


def _holds(text: str, gold: Row) -> bool:
    inside = [p for p in every(structure(text)) if p.span.start <= gold["start"] and gold["end"] <= p.span.end]
    wanted = bare(gold["article"])
    if wanted in UNNAMED and any(p.level is Level.PREAMBLE for p in inside):
        return True
    return any(bare(p.path()).endswith(wanted) for p in inside)


def bare(path: str) -> str:
    """Return a path without marks; of an article only its number, as the gold set compares."""
    article = re.search(r"第[一二三四五六七八九十百]+条", path)
    return article[0] if article else re.sub(r"[、./（）\s]", "", path)


def seconds(shared: Path, rules: Rules) -> Iterator[tuple[str, float]]:
    """Yield the time that each stage takes of one core for all texts of ``corpus``."""
    texts = {path.name: path.read_text("utf-8") for path in sorted((shared / "corpus").glob("*.md"))}
    began = time.process_time()
    trees = {name: structure(text) for name, text in texts.items()}
    yield f"structure of {len(texts)} texts", time.process_time() - began
    began = time.process_time()
    about = {
        name: describe(ParsedDocument(text, (), "plain"), name, trees[name], rules) for name, text in texts.items()
    }
    yield "facts and dates", time.process_time() - began
    began = time.process_time()
    for name, text in texts.items():
        relations(text, trees[name].provisions, about[name].title)
    yield "relations", time.process_time() - began
