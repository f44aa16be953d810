"""The development figures beside those agreed on: ``make figures`` (开发集数字与约定值).

Builds the three libraries (statutes; with the normative papers; with the official papers as they come), answers every
development set and compares. A figure that falls by more than one question fails, unless ``benchmarks/figures.json``
changes in the same commit (``--write``).
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.quality import library
from benchmarks.speed import ROOT
from nemo import settings
from nemo.engine import Engine

AGREED = ROOT / "benchmarks" / "figures.json"
KEPT = ("hit@1", "hit@5", "must_quote_recall", "cite_precision", "refusal")
"""Shares of a golden block that are compared."""

Figures = dict[str, list[float]]
"""By name: (share, number of questions)."""


def of_blocks(blocks: dict[str, dict[str, Any]], where: str) -> Figures:
    """Return the shares of golden sets."""
    return {
        f"{where} {name} {key}": [round(block[key], 4), block["n"]]
        for name, block in blocks.items()
        for key in KEPT
        if block.get(key) is not None
    }


def _answers(held: Path, questions: Path, answers: Path) -> None:
    """Answer a file of questions the way other programs do: by the command line."""
    command = [sys.executable, "-m", "nemo", "batch", str(questions), "-o", str(answers), "--library", str(held)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)


def _scored(script: Path, *arguments: str) -> str:
    command = [sys.executable, str(script), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def forms(held: Path, shared: Path, folder: Path) -> Figures:
    """Return the shares of the questions by form."""
    answers = folder / "forms.jsonl"
    _answers(held, shared / "forms" / "forms.jsonl", answers)
    told = _scored(shared / "forms" / "score_forms.py", str(answers))
    rows = re.findall(r"^(\w+)\s+(\d+)/(\d+)\s", told, re.MULTILINE)
    return {f"forms {kind}": [round(int(right) / int(n), 4), int(n)] for kind, right, n in rows}


def official(held: Path, shared: Path, folder: Path) -> Figures:
    """Return the shares of the questions on official papers."""
    script = shared / "official" / "score_official.py"
    questions, answers = folder / "official.jsonl", folder / "answers.jsonl"
    questions.write_text(_scored(script, "--questions"), "utf-8")
    _answers(held, questions, answers)
    told = _scored(script, str(answers))
    figures: Figures = {}
    for name, row in re.findall(r"^([^{\n]+?)\s+(\{'n'.*\})$", told, re.MULTILINE):
        block = ast.literal_eval(row)
        if not name.startswith("province"):
            figures |= {f"official {name} {key}": [block[key], block["n"]] for key in ("Hit1", "Hit5", "must_quote")}
    refused = re.search(r"refusal on unanswerable ([\d.]+)", told)
    assert refused is not None, told
    return figures | {"official refusal": [float(refused[1]), 40]}


def measured(shared: Path) -> Figures:
    """Build, ask and score everything."""
    with tempfile.TemporaryDirectory(prefix="nemo-figures-") as name:
        folder = Path(name)
        statutes, papers = folder / "statutes", folder / "papers"
        with library(statutes, shared, ["corpus"]) as engine:
            found = of_blocks(engine.evaluation.evaluate(shared / "golden"), "golden")
        found |= forms(statutes, shared, folder)
        shutil.copytree(statutes, papers, ignore=shutil.ignore_patterns("*.lock"))
        with Engine.open(settings.load(library=papers)) as engine:
            corpus = shared / "normative" / "corpus"
            engine.ingest([corpus], corpus / "manifest.jsonl")
            found |= of_blocks(engine.evaluation.evaluate(shared / "normative"), "normative")
            _scored(shared / "official" / "score_official.py", "--stage", str(folder / "staged"))
            engine.ingest([folder / "staged"])
        return found | official(papers, shared, folder)


def fallen(agreed: Figures, now: Figures) -> list[str]:
    """Return the figures that fell by more than one question, or are gone."""
    gone = [f"{name}: {before[0]} → 没有测得" for name, before in agreed.items() if name not in now]
    less = [
        f"{name}: {before[0]} → {now[name][0]}（{before[1]:.0f} 题）"
        for name, before in agreed.items()
        if name in now and (before[0] - now[name][0]) * before[1] > 1.001
    ]
    return gone + less


def main() -> int:
    """Print the table; fail when a figure fell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument("--write", action="store_true", help="把现在的数字写为约定值")
    options = parser.parse_args()
    now = measured(options.shared)
    if options.write:
        AGREED.write_text(json.dumps(now, ensure_ascii=False, indent=0, sort_keys=True) + "\n", "utf-8")
    agreed: Figures = json.loads(AGREED.read_text("utf-8"))
    for name in sorted(agreed.keys() | now.keys()):
        before, after = agreed.get(name, [None, 0])[0], now.get(name, [None, 0])[0]
        print(f"{name:58s} 约定 {before}  现在 {after}{'' if before == after else '  *'}")
    lost = fallen(agreed, now)
    print("\n".join(lost) or "没有数字下降超过一题")
    return bool(lost)


if __name__ == "__main__":
    sys.exit(main())
