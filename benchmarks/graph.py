"""Are the edges of the graph the ones a reader finds? (图谱的边：准确率与召回率)

    python -m benchmarks.graph [--wrong] [--part second]

``graph_edges.jsonl`` holds what a person found in whole articles of the development statutes: file, article, kind, the
names at the ends (long ones, which are pieces of a text, by their hash), and the place of a word that proves it. Every edge that is found in one of these
articles and stands for none of these is wrong; every one of these that is not found is missed. The rules
were written on the ``first`` half of the regulations and mended on the errors of the ``second``, then of the ``third`` and of the
``fourth``, and for three kinds of the ``fifth`` and ``sixth``: samples of articles from texts that were in none before, judged
by one person with the found edges in sight before anything was mended on them. The ``seventh`` and the
``eighth`` were written from the texts alone before the rules ran, and so were the ``ninth`` to the ``twelfth`` of official
papers, and the ``thirteenth`` and ``fourteenth`` of everyday papers (notices, letters, news, explanations) and of articles that
none had held. The ``fifteenth`` (the rules were mended on its errors) and the ``sixteenth`` are further articles and paragraphs that
none had held, chosen by lot among those that name an organ or a duty, judged before the rules ran. What each gave at first sight stands in BENCHMARKS.md.
"""

import argparse
import collections
import hashlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nemo import rules, settings
from nemo.ingest.assemble import regulations_in
from nemo.ingest.manifest import KnownFacts
from nemo.parse import parse
from nemo.text.law.edges import EdgeReader
from nemo.text.words.flat import flatten
from nemo.text.words.normalise import title_key
from nemo.types import RawDocument, Regulation
from nemo.types.graph import GraphEdge

HERE = Path(__file__).resolve().parent
SHARED = HERE.parent.parent / "shared"
FOLDERS = ("corpus", "normative/corpus", "official/files")
UNCHECKED = {"uses_term", "same_matter"}
"""Found by exact words; what they need is that the term and the title were read right, which is checked."""
BY_LIKENESS = {"same_act"}
"""What is matched between articles is judged by pairs of articles (``two_provisions``), not inside one."""
UNSEEN_TARGETS = {"place", "stage"}
LATER = {"supervises", "delegates", "exempts"}
WITHOUT_AMOUNTS = {"obliges", "penalises", "supervises", "delegates", "exempts", "cites", "based_on", "defines"}
JUDGED = {"fifth": LATER, "sixth": LATER, "eleventh": WITHOUT_AMOUNTS, "twelfth": WITHOUT_AMOUNTS}
JUDGED |= dict.fromkeys(("thirteenth", "fourteenth"), WITHOUT_AMOUNTS | {"implements"})
JUDGED |= dict.fromkeys(("fifteenth", "sixteenth"), WITHOUT_AMOUNTS - {"cites", "based_on"})
"""Parts of which these kinds alone were judged."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print precision and recall of every kind; return 1 when a kind with five or more checked edges misses the mark."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--wrong", action="store_true", help="list what is wrong and what is missed, by place")
    asked.add_argument("--part", help="only one sample: first to sixteenth")
    given = asked.parse_args(arguments)
    truth = [json.loads(line) for line in (HERE / "graph_edges.jsonl").read_text("utf-8").splitlines()]
    checked = [row for row in truth if given.part in (None, row["part"])]
    counts: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    config = settings.load()
    reader = EdgeReader(rules.load(config.rules))
    for file, part in sorted({(row["file"], row["part"]) for row in checked}):
        rows = [row for row in checked if (row["file"], row["part"]) == (file, part)]
        for kind, what, place in _compared(_read(file, config), rows, reader):
            counts[kind][what] += 1
            if given.wrong and what in ("wrong", "missed"):
                print(kind, what, file, *place)
    return _printed(counts)


def _read(file: str, config: settings.Settings) -> Regulation:
    """Read a text; ``#1`` behind a name is the second text of one file (a notice and what it publishes)."""
    name, _, number = file.partition("#")
    path = next(p for p in (SHARED / folder / name for folder in FOLDERS) if p.exists())
    raw = RawDocument.of(path.read_bytes(), name)
    return regulations_in(raw, parse(raw, config), KnownFacts(), rules.load(config.rules), None)[int(number or 0)]


def _compared(regulation: Regulation, rows: list[dict[str, Any]], reader: EdgeReader) -> list[tuple[str, str, Any]]:
    """Return (kind, right | wrong | missed, place) of the articles that were read by a person."""
    judged = JUDGED.get(rows[0]["part"])
    found = [e for e in reader.edges(regulation) if _checked(e) and (judged is None or e.kind in judged)]
    articles = {row["article"]: regulation.find(row["article"]) for row in rows}
    compared: list[tuple[str, str, Any]] = []
    met: set[int] = set()
    for edge in found:
        labels = {k for k, a in articles.items() if a is not None and a.span.contains(edge.span)}
        if not labels:
            continue
        alike = [i for i, row in enumerate(rows) if row["article"] in labels and _same(edge, row)]
        met |= set(alike)
        compared.append(
            (
                edge.kind,
                "right" if alike else "wrong",
                (min(labels), *edge.span, edge.source, edge.target, edge.target_label, edge.rule),
            )
        )
    for i, row in enumerate(rows):
        if row["kind"]:
            what = "found" if i in met else "missed"
            compared.append(
                (row["kind"], what, (row["article"], row["start"], row["end"], row["source"], row["target"]))
            )
    return compared


def _checked(edge: GraphEdge) -> bool:
    return edge.kind not in UNCHECKED and edge.target_kind not in UNSEEN_TARGETS and edge.rule not in BY_LIKENESS


def _same(edge: GraphEdge, row: dict[str, Any]) -> bool:
    """Tell whether an edge is the one a person found: the same kind and ends, proven by the same words."""
    if edge.kind != row["kind"] or edge.span.end <= row["start"] or row["end"] <= edge.span.start:
        return False
    ends = ((edge.source, row["source"]), (edge.target, row["target"]), (edge.target_label, row["target_label"]))
    return all(not known or known in (_hashed(mine), mine) or _key(mine) == _key(known) for mine, known in ends)


def _key(name: str) -> str:
    return title_key(flatten(name).text)


def _hashed(name: str) -> str:
    return "sha256:" + hashlib.sha256(_key(name).encode()).hexdigest()[:16]


def _printed(counts: dict[str, collections.Counter[str]]) -> int:
    low = 0
    print(f"{'kind':12} {'checked':>7} {'found':>6} {'P':>6} {'R':>6}")
    for kind, count in sorted(counts.items()):
        checked, stated = count["found"] + count["missed"], count["right"] + count["wrong"]
        precision = count["right"] / stated if stated else 0.0
        recall = count["found"] / checked if checked else 0.0
        low += checked >= 5 and (precision < 0.95 or recall < 0.85)
        print(f"{kind:12} {checked:7} {stated:6} {precision:6.3f} {recall:6.3f}")
    total = sum((c for c in counts.values()), collections.Counter())
    checked, stated = total["found"] + total["missed"], total["right"] + total["wrong"]
    print(f"{'all':12} {checked:7} {stated:6} {total['right'] / stated:6.3f} {total['found'] / checked:6.3f}")
    return int(low > 0)


if __name__ == "__main__":
    sys.exit(main())
