"""A golden set by cell (逐格金标集): ten questions for each province × kind of plant × class of document that has texts.

``python -m benchmarks.cells OUT`` takes them from ``data/training`` (questions of our own, each with the provision that
answers it, by article or by characters) and from ``benchmarks/cells.jsonl`` (other provinces and 内蒙古, read by no model), for the
texts of one or several manifests (statutes; the normative papers), and names the cells that have fewer. Where a text is for several kinds of plant, a cell that stays short asks what
another kind's cell asks, under its own filters. Split by regulation: ``held_out`` are those whose regulation's hash is even.
The built-in models learned from most of these questions, so the figures tell what became worse, not how good an unseen
question is answered; ``benchmarks/cells.jsonl`` tells that. Measure, each week or after each change: ``make weekly`` (or ``python -m nemo evaluate OUT --library LIBRARY --keep``),
which prints every cell and, as 缺口, what the refused questions lack.
"""

import argparse
import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchmarks.speed import ROOT

EACH = 10
OWN = Path(__file__).with_name("cells.jsonl")
ASKED = [ROOT / "data" / "training" / f"questions{name}.jsonl" for name in ("_spoken", "", "_normative")]
MANIFESTS = [ROOT.parent / "shared" / part / "corpus" / "manifest.jsonl" for part in (".", "normative")]
Cell = tuple[str, str, str]


def rows(path: Path) -> list[dict[str, Any]]:
    """Return the lines of a JSONL file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def cells_of(text: dict[str, Any]) -> list[Cell]:
    """Return the cells a text of a manifest stands in; a superseded one and one that is no rule stand in none."""
    if text.get("superseded_by") or not text.get("doc_class") or text.get("nature", "normative") != "normative":
        return []
    return [(text["province"], asset, text["doc_class"]) for asset in text.get("assets") or ()]


def chosen(texts: Iterable[dict[str, Any]], questions: Iterable[dict[str, Any]]) -> dict[Cell, list[dict[str, Any]]]:
    """Return at most ten questions for each cell; those that no tree learned from come first.

    No question stands in two cells unless the second would stay short without it.
    """
    questions = list(questions)
    where = {text["file"]: cells_of(text) for text in texts}
    found: dict[Cell, list[dict[str, Any]]] = {cell: [] for cells in where.values() for cell in cells}
    used: dict[str, int] = defaultdict(int)
    for question in questions:
        open_ = [cell for cell in where.get(question["file"], ()) if len(found[cell]) < EACH]
        if open_ and used[question["file"]] < EACH:
            used[question["file"]] += 1
            found[min(open_, key=lambda cell: len(found[cell]))].append(question)
    for question in questions:
        for cell in where.get(question["file"], ()):
            if len(found[cell]) < EACH and question not in found[cell]:
                found[cell].append(question)
    return found


def _line(number: int, cell: Cell, question: dict[str, Any]) -> dict[str, Any]:
    even = hashlib.sha256(question["file"].encode()).digest()[0] % 2 == 0
    place = {key: question[key] for key in ("article", "start", "end") if key in question}
    gold = [{"file": question["file"], **place, "group": 1}]
    filters = dict(zip(("province", "asset", "doc_class"), cell, strict=True))
    return {"id": f"c{number:04d}", "split": "held_out" if even else "train", "question": question["question"], **filters, "as_of": None, "gold": gold}  # fmt: skip


def main() -> None:
    """Write the set and name the cells that lack questions."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--manifest", type=Path, action="append", help="可多次给出；缺省为 ../shared 的两份")
    options = parser.parse_args()
    texts = [row for path in options.manifest or MANIFESTS for row in rows(path)]
    found = chosen(texts, [row for path in (OWN, *ASKED) for row in rows(path)])
    lines = [(cell, each) for cell, mine in sorted(found.items()) for each in mine]
    options.out.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(_line(n, *pair), ensure_ascii=False) + "\n" for n, pair in enumerate(lines, 1))
    (options.out / "golden.jsonl").write_text(text, "utf-8")
    few = [f"{'/'.join(cell)} {len(mine)}" for cell, mine in sorted(found.items()) if len(mine) < EACH]
    print(f"{len(found)} 格，{len(lines)} 题；不足 {EACH} 题的 {len(few)} 格：{'；'.join(few) or '无'}")


if __name__ == "__main__":
    main()
