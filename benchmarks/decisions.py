"""What the rules decide on the samples, written down: ``make decisions`` (规则判定快照).

For every sample: the facts, days, relations, provisions and chunks read from it; for every question of the
demonstration's golden sets: what was quoted or why it was refused. ``tests/decisions.json`` holds what is agreed on; a
change of a rule shows here as gains and losses before anybody relies on it. What single rules decide on inputs of their
own is compared too (``benchmarks.probes``).
"""

import argparse
import hashlib
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks import probes
from benchmarks.speed import ROOT
from nemo import settings
from nemo.engine import Engine
from nemo.text.words.numerals import article_key
from nemo.types import Answer, Regulation

AGREED = ROOT / "tests" / "decisions.json"
GOLDEN = ROOT / "data" / "golden"
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


def questions() -> dict[str, dict[str, Any]]:
    """Return the questions of the demonstration's golden sets by the key of their decision."""
    lines = [(name, line) for name in SETS for line in (GOLDEN / f"{name}.jsonl").read_text("utf-8").splitlines()]
    rows = [(name, json.loads(line)) for name, line in lines]
    return {f"{name} {row['id']}": row for name, row in rows}


def observe(engine: Engine) -> Decisions:
    """Return every decision on the samples that the engine holds."""
    found: Decisions = {}
    for row in engine.regulations():
        regulation = engine.library.regulation(row.id)
        found |= {f"{row.file} · {row.title} · {name}": value for name, value in of_regulation(regulation)}
    for key, question in questions().items():
        asked = question | {"as_of": question.get("as_of") or DAY}
        found[key] = of_answer(engine.evaluation.ask(asked))
    return json.loads(json.dumps(found, ensure_ascii=False))  # tuples as lists: comparable with what was read


def observed() -> Decisions:
    """Return every decision on a fresh library of the samples."""
    with tempfile.TemporaryDirectory() as folder, Engine.open(settings.load(library=Path(folder), workers=0)) as engine:
        engine.intake.load_samples()
        return observe(engine)


def agreed() -> Decisions:
    """Return what is agreed on."""
    return json.loads(AGREED.read_text("utf-8"))


def differences(before: Decisions, after: Decisions) -> list[str]:
    """Return what is decided otherwise, for people: how many of which kind, then each with before and after (前、后)."""
    asked = questions()
    moved = [key for key in sorted(before.keys() | after.keys()) if before.get(key) != after.get(key)]
    rows, kinds = [], Counter[str]()
    for key in moved:
        kind = _kind(asked.get(key, {}), before.get(key), after.get(key))
        kinds[kind] += 1
        subject = f"{key} {asked[key]['question']}" if key in asked else key
        rows.append(f"{kind}  {subject}\n    前  {told(before.get(key))}\n    后  {told(after.get(key))}")
    return [f"{kind} {count}" for kind, count in sorted(kinds.items())] + rows


def _kind(question: dict[str, Any], before: Any, after: Any) -> str:
    """Say whether a decision is a gain or a loss where a golden set tells (得、失), else only that it moved."""
    if before is None or after is None:
        return "新增" if before is None else "丢失"
    better, worse = _right(question, after), _right(question, before)
    return {(True, False): "得", (False, True): "失"}.get((better, worse), "变")


def _right(question: dict[str, Any], answer: Any) -> bool:
    """Tell whether an answer quotes a gold article, or refuses what must be refused."""
    if answer[0] != "answered":
        return bool(question) and not question.get("gold")
    quoted = {(file, label.split("-")[0]) for file, label, *_ in answer[2]}
    return any((gold["file"], article_key(gold["article"])) in quoted for gold in question.get("gold", ()))


def told(value: Any) -> str:
    """Say a decision in words: what was quoted, or why it was refused."""
    if value is None:
        return "没有"
    if value[:1] == ["refused"]:
        return f"拒答：{value[2]}"
    if value[:1] == ["answered"]:
        return "；".join(
            f"《{file}》{label}（{status}，{end - begin} 字）" for file, label, begin, end, status in value[2]
        )
    return "；".join(json.dumps(each, ensure_ascii=False) for each in value)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare with what is agreed on, or write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="把现在的判定写为约定")
    options = parser.parse_args(arguments)
    if options.write:
        AGREED.write_text(json.dumps(observed(), ensure_ascii=False, indent=0, sort_keys=True) + "\n", "utf-8")
        probes.write()
        return 0
    found = probes.differences(probes.agreed()) or differences(agreed(), observed())
    print("\n".join(found) or "每一项判定都与约定一致")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
