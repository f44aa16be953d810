"""What the rules decide on the samples, written down: ``make decisions`` (规则判定快照).

For every sample: the facts, days, relations, provisions and chunks read from it; for every question of the
demonstration's golden sets: what was quoted or why it was refused. ``tests/decisions.json`` holds what is agreed on; a
change of a rule shows here as gains and losses before anybody relies on it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.speed import ROOT
from nemo import settings
from nemo.engine import Engine
from nemo.types import Answer, Regulation

AGREED = ROOT / "tests" / "decisions.json"
DAY = "2026-11-20"
"""Questions without a day of their own are asked for this one: what is agreed on must not change overnight."""
SETS = ("golden", "adversarial", "unanswerable")

Decisions = dict[str, Any]


def of_regulation(regulation: Regulation) -> Iterator[tuple[str, Any]]:
    """Yield (name, what was decided) of one text; spans are told by a hash, so that the file stays readable."""
    known = regulation.validity
    yield "title", [regulation.title, regulation.short_title, regulation.document_number]
    yield "filed", [regulation.issuer, regulation.level, regulation.province, regulation.doc_class, regulation.nature]
    yield "assets", sorted(regulation.assets)
    yield "days", [str(day) for day in (known.promulgated, known.first_effective, known.version_effective, known.ends)]
    yield "days of parts", [[list(s.labels), str(s.effective)] for s in known.scopes]
    yield "evidence", [[e.fact, e.origin.value, e.words] for e in known.evidence]
    yield "relations", [[r.kind.value, r.target_title, r.target_number, str(r.from_day)] for r in regulation.relations]
    units = [p for top in regulation.provisions for p in top.walk()]
    yield "provisions", [len(units), _digest([(p.level.name, p.label, *p.span) for p in units])]
    yield "text", [len(regulation.text), _digest(regulation.text), len(regulation.pages)]


def _digest(value: object) -> str:
    return hashlib.sha256(repr(value).encode()).hexdigest()[:12]


def of_answer(answer: Answer) -> list[Any]:
    """Return what a question was given: the reason of a refusal, or each quote with its place and what stands beside it."""
    if answer.refusal is not None:
        return ["refused", answer.refusal.reason.value, answer.refusal.message]
    quotes = [[q.citation.file, q.citation.label, *q.span, q.citation.status.value] for q in answer.quotes]
    beside = [[_span(q.before), _span(q.after)] for q in answer.quotes]
    return ["answered", answer.heading, quotes, beside, [f"{r.file} {r.label}" for r in answer.ranked]]


def _span(span: Any) -> list[int] | None:
    return None if span is None else [*span]


def observe(engine: Engine, golden: Path) -> Decisions:
    """Return every decision on the samples that the engine holds."""
    found: Decisions = {}
    for row in engine.regulations():
        regulation = engine.library.regulation(row.id)
        found |= {f"{row.file} · {row.title} · {name}": value for name, value in of_regulation(regulation)}
    for name in SETS:
        for line in (golden / f"{name}.jsonl").read_text("utf-8").splitlines():
            question = json.loads(line)
            asked = question | {"as_of": question.get("as_of") or DAY}
            found[f"{name} {question['id']}"] = of_answer(engine.evaluation.ask(asked))
    return json.loads(json.dumps(found, ensure_ascii=False))  # tuples as lists: comparable with what was read


def observed() -> Decisions:
    """Return every decision on a fresh library of the samples."""
    with tempfile.TemporaryDirectory() as folder, Engine.open(settings.load(library=Path(folder), workers=0)) as engine:
        engine.intake.load_samples()
        return observe(engine, ROOT / "data" / "golden")


def agreed() -> Decisions:
    """Return what is agreed on."""
    return json.loads(AGREED.read_text("utf-8"))


def differences(before: Decisions, after: Decisions) -> list[str]:
    """Return what was decided otherwise, one line each: 丢失, 新增, 改变."""
    lines = [f"丢失 {key}: {before[key]}" for key in before.keys() - after.keys()]
    lines += [f"新增 {key}: {after[key]}" for key in after.keys() - before.keys()]
    both = before.keys() & after.keys()
    lines += [f"改变 {key}:\n   前 {before[key]}\n   后 {after[key]}" for key in both if before[key] != after[key]]
    return sorted(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare with what is agreed on, or write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="把现在的判定写为约定")
    options = parser.parse_args(arguments)
    now = observed()
    if options.write:
        AGREED.write_text(json.dumps(now, ensure_ascii=False, indent=0, sort_keys=True) + "\n", "utf-8")
        return 0
    found = differences(agreed(), now)
    print("\n".join(found) or f"{len(now)} 项判定，与约定一致")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
