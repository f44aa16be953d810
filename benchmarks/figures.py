"""The development figures beside those agreed on: ``make figures`` (开发集数字与约定值).

Builds the three libraries (statutes; with the normative papers; with the official papers as they come), answers every
development set and compares. A figure that falls by more than one question fails, unless ``benchmarks/figures.json``
changes in the same commit (``--write``). ``.ci/run`` does the same before the tests, and lends them the first library, which
is built before (``--begin``) and never opened.
"""

import argparse
import ast
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.quality import library
from benchmarks.speed import ROOT, replace_section
from nemo import settings
from nemo.engine import Engine

AGREED = ROOT / "benchmarks" / "figures.json"
KEPT = ("hit@1", "hit@5", "must_quote_recall", "cite_precision", "refusal")
"""Shares of a golden block that are compared."""

Figures = dict[str, list[float]]
"""By name: (share, number of questions)."""

CONTEXT = "p"
"""Ends the number of a question that is asked after the answer to the one before it."""


def of_blocks(blocks: dict[str, dict[str, Any]], where: str) -> Figures:
    """Return the shares of golden sets."""
    return {
        f"{where} {name} {key}": [round(block[key], 4), block["n"]]
        for name, block in blocks.items()
        for key in KEPT
        if block.get(key) is not None
    }


def _answering(held: Path, questions: Path, answers: Path) -> subprocess.Popen[bytes]:
    """Begin to answer a file of questions the way other programs do: by the command line."""
    command = [sys.executable, "-m", "nemo", "batch", str(questions), "-o", str(answers), "--library", str(held)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)


def _finished(process: subprocess.Popen[bytes]) -> None:
    if process.wait():
        raise SystemExit(f"{process.args} ended with {process.returncode}")


def _scored(script: Path, *arguments: str) -> str:
    command = [sys.executable, str(script), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def forms(answers: Path, shared: Path) -> Figures:
    """Return the shares of the questions by form."""
    told = _scored(shared / "forms" / "score_forms.py", str(answers))
    rows = re.findall(r"^(\w+)\s+(\d+)/(\d+)\s", told, re.MULTILINE)
    return {f"forms {kind}": [round(int(right) / int(n), 4), int(n)] for kind, right, n in rows}


def _answering_papers(held: Path, shared: Path, folder: Path) -> subprocess.Popen[bytes]:
    questions = folder / "official.jsonl"
    rows = (shared / "official" / "golden.jsonl").read_text("utf-8").splitlines()
    behind = [row | {"id": row["id"] + CONTEXT} for row in map(json.loads, rows) if row.get("previous_question")]
    asked = _scored(shared / "official" / "score_official.py", "--questions")
    questions.write_text(asked + "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in behind), "utf-8")
    return _answering(held, questions, folder / "answers.jsonl")


def official(shared: Path, folder: Path) -> Figures:
    """Return the shares of the questions on official papers; the scorer asks a question behind another as one text with it,
    people ask it after its answer (``CONTEXT``).
    """
    scorer, answers = shared / "official" / "score_official.py", folder / "answers.jsonl"
    told = _scored(scorer, str(answers))
    figures = {f"official {name}": figure for name, figure in _blocks(told) if not name.startswith("province")}
    refused = re.search(r"refusal on unanswerable ([\d.]+)", told)
    assert refused is not None, told
    given = {row["id"]: row for row in map(json.loads, answers.read_text("utf-8").splitlines())}
    after = {f"{n.removesuffix(CONTEXT)}c": row for n, row in given.items() if n.endswith(CONTEXT)}
    rows = ({**row, "id": number} for number, row in (given | after).items())
    (folder / "after.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    in_context = dict(_blocks(_scored(scorer, str(folder / "after.jsonl"))))
    behind = {
        n.replace("follow-up behind its previous question", "official follow-up after the answer to it"): f
        for n, f in in_context.items()
        if n.startswith("follow-up behind")
    }
    return figures | behind | {"official refusal": [float(refused[1]), 40]}


def _blocks(told: str) -> Iterator[tuple[str, list[float]]]:
    """Yield the shares that the scorer prints, by name."""
    for name, row in re.findall(r"^([^{\n]+?)\s+(\{'n'.*\})$", told, re.MULTILINE):
        block = ast.literal_eval(row)
        yield from ((f"{name} {key}", [block[key], block["n"]]) for key in ("Hit1", "Hit5", "must_quote"))


def _statutes(shared: Path, folder: Path) -> Path:
    """Return the library of the statutes in a folder; the others begin as copies of it."""
    statutes = folder / "statutes"
    if not statutes.exists():
        library(statutes, shared, ["corpus"]).close()
    return statutes


def _copied(held: Path, to: Path) -> Path:
    return Path(shutil.copytree(held, to, ignore=shutil.ignore_patterns("*.lock")))


def measured(shared: Path, folder: Path) -> Figures:
    """Build, ask and score everything; the libraries stay in ``folder``: ``statutes`` and ``papers``."""
    statutes = _copied(_statutes(shared, folder), folder / "asked")
    papers, answers = _copied(statutes, folder / "papers"), folder / "forms.jsonl"
    asking = _answering(statutes, shared / "forms" / "forms.jsonl", answers)  # beside what follows
    with Engine.open(settings.load(library=papers)) as engine:
        corpus = shared / "normative" / "corpus"
        engine.ingest([corpus], corpus / "manifest.jsonl")
        found = of_blocks(engine.evaluation.evaluate(shared / "normative"), "normative")
        _scored(shared / "official" / "score_official.py", "--stage", str(folder / "staged"))
        engine.ingest([folder / "staged"])
    _finished(asking)
    found |= forms(answers, shared)
    asking = _answering_papers(papers, shared, folder)
    with Engine.open(settings.load(library=statutes)) as engine:
        found |= of_blocks(engine.evaluation.evaluate(shared / "golden"), "golden")
    _finished(asking)
    return found | official(shared, folder)


def fallen(agreed: Figures, now: Figures) -> list[str]:
    """Return the figures that fell by more than one question, or are gone."""
    gone = [f"{name}: {before[0]} → 没有测得" for name, before in agreed.items() if name not in now]
    less = [
        f"{name}: {before[0]} → {now[name][0]}（{before[1]:.0f} 题）"
        for name, before in agreed.items()
        if name in now and (before[0] - now[name][0]) * before[1] > 1.1  # figures are kept to three digits
    ]
    return gone + less


def table(agreed: Figures, now: Figures) -> str:
    """Return every figure as a share: agreed on, now, and the difference in questions."""
    lines = [f"{'数字':<60s}{'题数':>4s}{'约定':>8s}{'现在':>8s}{'差（题）':>8s}"]
    for name in sorted(agreed.keys() | now.keys()):
        (before, n), (after, m) = agreed.get(name, [None, 0]), now.get(name, [None, 0])
        known = before is not None and after is not None
        moved = f"{round((after - before) * m):+d}" if known and before != after else ""
        lines.append(f"{name:<62s}{m or n:>6.0f}{_share(before):>10s}{_share(after):>10s}{moved:>8s}")
    return "\n".join(lines)


def overview(agreed: Figures) -> list[str]:
    """Return the agreed figures as the table of BENCHMARKS.md."""
    rows = [f"| {name} | {count:.0f} | {share:.3f} |" for name, (share, count) in sorted(agreed.items())]
    return ["| 题集与指标 | 题数 | 约定值 |", "|---|---:|---:|", *rows]


def _share(value: float | None) -> str:
    return "—" if value is None else f"{value:.3f}"


def main() -> int:
    """Print the table; fail when a figure fell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument("--write", action="store_true", help="把现在的数字写为约定值，并写入 BENCHMARKS.md")
    parser.add_argument("--keep", type=Path, help="资料库留在这个新文件夹中；其中已有 statutes 时不再建")
    parser.add_argument("--begin", action="store_true", help="只建 --keep 中的 statutes")
    options = parser.parse_args()
    began = time.monotonic()
    if options.begin:
        _statutes(options.shared, options.keep)
        return 0
    with tempfile.TemporaryDirectory(prefix="nemo-figures-") as name:
        now = measured(options.shared, options.keep or Path(name))
    if options.write:
        AGREED.write_text(json.dumps(now, ensure_ascii=False, indent=0, sort_keys=True) + "\n", "utf-8")
        replace_section("figures", overview(now))
    agreed: Figures = json.loads(AGREED.read_text("utf-8"))
    print(table(agreed, now))
    lost = fallen(agreed, now)
    print("\n".join(lost) or f"没有数字下降超过一题（{time.monotonic() - began:.0f} 秒）")
    return bool(lost)


if __name__ == "__main__":
    sys.exit(main())
