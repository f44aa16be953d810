"""Does an answer bring both provisions that a question needs? (要两条才答得全的问题)

    python -m benchmarks.two_provisions --library FOLDER [--part dev|held_out] [--missed]

``two_provisions.jsonl`` holds questions in our own words whose answer stands in two provisions (a duty and its penalty, a
definition and its rule, a rule and its exception or deadline, a national law and the rule of a province), each with file and
article; ``asked`` tells whether the question asks for both or for one side alone. Halves are split by regulation and no text is in both. A provision is found when it is quoted, listed, or stands
beside the quotes as 关联条款; of the mode ``naive`` there is nothing beside. The library is one built from the development
statutes, and nothing is written to it.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from nemo import settings
from nemo.engine import Engine
from nemo.export import answer_json

QUESTIONS = Path(__file__).resolve().parent / "two_provisions.jsonl"
MODES = ("naive", "local", "hybrid", "mix")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print, for each mode, how often both provisions are there, and how many stand beside an answer."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--library", type=Path, required=True)
    asked.add_argument("--part", choices=("dev", "held_out"))
    asked.add_argument("--missed", action="store_true", help="list the questions of which mix lacks a provision")
    given = asked.parse_args(arguments)
    rows = [json.loads(line) for line in QUESTIONS.read_text("utf-8").splitlines()]
    rows = [row for row in rows if given.part in (None, row["half"])]
    with Engine.open(settings.load(library=given.library), read_only=True) as engine:
        told = [(row, _found(engine, row)) for row in rows]
    for half, way in sorted({(row["half"], row["asked"]) for row in rows}):
        _print(f"{half}, asked for {way}", [found for row, found in told if (row["half"], row["asked"]) == (half, way)])
    if given.missed:
        for row, found in told:
            if not found["mix"][0]:
                print(row["id"], row["half"], row["question"], found["lacking"])
    return 0


def _found(engine: Engine, row: dict[str, Any]) -> dict[str, Any]:
    """Return (both are there, how many stand beside) of each mode, and what ``mix`` lacks."""
    answer = engine.ask(row["question"], province=row["province"])
    plain = answer_json(answer)
    shown = _places([*plain["citations"], *plain["ranked"]])
    needed = {(each["file"], each["article"]) for each in row["gold"]}
    found: dict[str, Any] = {"quoted": len(needed & _places(plain["citations"])), "refused": plain["refused"]}
    for mode in MODES:
        beside = engine.answers.beside(answer, mode).get("graph", {"related": []})["related"]
        lacking = needed - shown - _places(beside)
        found[mode] = (not lacking, len(beside))
    return {**found, "lacking": sorted(lacking)}


def _places(rows: Iterable[dict[str, Any]]) -> set[tuple[str, str]]:
    """Return file and article of quotes, ranked provisions or related ones; the path is cut behind its article."""
    return {(row["file"], part) for row in rows for part in _articles(row["article"] or "")}


def _articles(path: str) -> list[str]:
    start, end = path.find("第"), path.rfind("条")
    return [path[path.rfind("第", start, end) : end + 1]] if 0 <= start < end else []


def _print(half: str, found: Sequence[dict[str, Any]]) -> None:
    refused = sum(each["refused"] for each in found)
    print(f"{half}: {len(found)} questions, {refused} refused")
    for mode in MODES:
        both = sum(each[mode][0] for each in found)
        beside = sum(each[mode][1] for each in found) / len(found)
        print(f"  {mode:7} both {both}/{len(found)} = {both / len(found):.3f}, beside an answer {beside:.1f}")


if __name__ == "__main__":
    sys.exit(main())
