"""Runs a golden set (金标集) and measures the answers; a test holds the ranking measures against those of ir_measures.

A set is a folder of JSONL files: ``golden*.jsonl`` (answerable), ``unanswerable*.jsonl`` and ``adversarial*.jsonl``.
A ranked provision is right when it is a gold provision: same file and article, or, where the gold states offsets, when
it covers at least half of the gold words.
"""

import enum
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from nemo.errors import BadRequestError
from nemo.lawview.shortfalls import lacking
from nemo.text.words.numerals import article_key
from nemo.types import Answer
from nemo.types.plain import read_json

Ask = Callable[[Mapping[str, Any]], Answer]


class _GoldenForm(BaseModel):
    """What is read of a row, and of a place in it; more may stand there."""

    model_config = ConfigDict(strict=True)


class _GoldenPlace(_GoldenForm):
    file: str
    must_quote: str = ""


class _GoldenArticle(_GoldenPlace):
    article: str


class _GoldenSlice(_GoldenPlace):
    start: int
    end: int


class _GoldenRow(_GoldenForm):
    id: str | int
    question: str
    expect: str = "answer"
    province: str | None = None
    asset: str | None = None
    doc_class: str | None = None
    as_of: str | None = None
    gold: list[_GoldenSlice | _GoldenArticle] | None = None
    secondary: list[_GoldenSlice | _GoldenArticle] | None = None
    must_not_contain: list[str] | None = None


@dataclass(frozen=True, slots=True)
class GoldenCase:
    """One question with what was answered."""

    question: Mapping[str, Any]
    answer: Answer

    @property
    def gold(self) -> Sequence[Mapping[str, Any]]:
        """Gold provisions; entries of one group are alternatives."""
        return self.question.get("gold") or []

    @property
    def good(self) -> list[Mapping[str, Any]]:
        """Gold and secondary provisions."""
        return [*self.gold, *(self.question.get("secondary") or [])]


def run(folder: Path, ask: Ask) -> dict[str, Any]:
    """Ask every question of the set and return one block of measures per file.

    Raises:
        BadRequestError: the folder holds no golden set, or a row of it is none.
    """
    files = [
        f for f in sorted(folder.glob("*.jsonl")) if f.stem.split("_")[0] in ("golden", "unanswerable", "adversarial")
    ]
    if not files:
        raise BadRequestError(
            f"{folder} 中没有金标集（golden*.jsonl、unanswerable*.jsonl、adversarial*.jsonl）。请检查路径。"
        )
    blocks: dict[str, Any] = {}
    for file in files:
        meant = {"expect": "refuse"} if file.stem.startswith("unanswerable") else {}
        cases = [GoldenCase(q, ask(q)) for q in (meant | row for row in _rows(file))]
        blocks[file.stem] = _block(cases)
    return blocks


def _rows(file: Path) -> list[dict[str, Any]]:
    """Read a file of the set, whole: what is wrong in its last line is told before a question is asked."""
    place, rows = file.name, []
    try:
        for number, line in enumerate(file.read_text("utf-8-sig").splitlines(), 1):
            place = f"{file.name} 第 {number} 行"
            if line.strip():
                rows.append(read_json(line))
                _GoldenRow.model_validate(rows[-1])
    except ValidationError as error:
        wrong = "".join(f"，{name}" for name in error.errors()[0]["loc"][:1])
        raise BadRequestError(
            f"{place}{wrong}：缺失或种类不对。每行写 id、question 与 gold（file 与 article，或 start、end）。"
        ) from error
    except ValueError as error:
        raise BadRequestError(f"{place}读不出。金标集须是 UTF-8 的 JSONL，每行一个对象。") from error
    return rows


def _block(cases: Sequence[GoldenCase]) -> dict[str, Any]:
    answerable = [c for c in cases if c.gold and c.question.get("expect", "answer") == "answer"]
    refusable = [c for c in cases if c.question.get("expect") == "refuse"]
    block: dict[str, Any] = {"n": len(cases)}
    if answerable:
        block |= ranking(answerable) | quoting(answerable)
    if refusable:
        block["refusal"] = fmean(c.answer.refusal is not None for c in refusable)
        block["answered_wrongly"] = [c.question["id"] for c in refusable if c.answer.refusal is None]
    if any(c.question.get("must_not_contain") for c in cases):
        block["violations"] = [c.question["id"] for c in cases if _violates(c)]
    block |= reliability(cases)
    block["cells"], block["gaps"] = cells(cases), gaps(cases)
    block["latency_p50_ms"] = sorted(c.answer.elapsed_ms for c in cases)[len(cases) // 2]
    block["questions"] = [_plain(c) for c in cases]
    return block


def cells(cases: Sequence[GoldenCase]) -> list[dict[str, Any]]:
    """Return the measures by province, kind of plant and class of document that a question is put for (逐格指标)."""
    found: dict[tuple[str | None, ...], list[GoldenCase]] = defaultdict(list)
    for case in cases:
        found[tuple(case.question.get(name) for name in CELL)].append(case)
    rows = []
    for key, mine in sorted(found.items(), key=lambda item: tuple(part or "" for part in item[0])):
        right = fmean(outcome(case) in (GoldenOutcome.FIRST, GoldenOutcome.REFUSED) for case in mine)
        refused = fmean(case.answer.refusal is not None for case in mine)
        rows.append({**dict(zip(CELL, key, strict=True)), "n": len(mine), "right": right, "refused": refused})
    return rows


CELL = ("province", "asset", "doc_class")


def gaps(cases: Sequence[GoldenCase]) -> list[dict[str, Any]]:
    """Return what refused questions lack (缺口): the texts that their refusals name as not held, most questions first.

    A refusal that names no text stands under its reason, with None for the text, unless the question is to be refused.
    """
    found: dict[tuple[str | None, str], list[str]] = defaultdict(list)
    for case in cases:
        refusal = case.answer.refusal
        if refusal is None:
            continue
        for title in lacking(refusal) or (() if case.question.get("expect") == "refuse" else (None,)):
            found[title, refusal.reason.value].append(str(case.question["id"]))
    order = sorted(found.items(), key=lambda item: (-len(item[1]), item[0][0] is None, item[0][0] or "", item[0][1]))
    return [{"missing": title, "reason": reason, "questions": ids} for (title, reason), ids in order]


class GoldenOutcome(enum.StrEnum):
    """What became of one question (逐题结果)."""

    FIRST = "首条命中"
    LISTED = "前五命中"
    MISSED = "未命中"
    FALSE_REFUSAL = "误拒"
    REFUSED = "应拒已拒"
    ANSWERED = "应拒而答"


GOOD = frozenset((GoldenOutcome.FIRST, GoldenOutcome.LISTED, GoldenOutcome.REFUSED))


def outcome(case: GoldenCase) -> GoldenOutcome | None:
    """Return what became of a question, None where the set does not say what should."""
    refused = case.answer.refusal is not None
    if case.question.get("expect") == "refuse":
        return GoldenOutcome.REFUSED if refused else GoldenOutcome.ANSWERED
    if not case.gold:
        return None
    rank = _first(case)
    if rank is None:
        return GoldenOutcome.FALSE_REFUSAL if refused else GoldenOutcome.MISSED
    return GoldenOutcome.FIRST if rank == 1 else GoldenOutcome.LISTED


def _plain(case: GoldenCase) -> dict[str, Any]:
    """Return a question with what became of it, what was expected and what stood first, in words."""
    top = next(iter(case.answer.ranked), None)
    expected = (f"{gold['file']} {gold.get('article') or ''}".strip() for gold in case.gold)
    became = outcome(case)
    return {
        "id": str(case.question["id"]),
        "question": case.question["question"],
        "outcome": became.name if became else None,
        "expected": "；".join(dict.fromkeys(expected)),
        "found": f"{top.file} {top.article or ''}".strip() if top else "",
        "confidence": case.answer.confidence.overall,
    }


@dataclass(frozen=True, slots=True)
class ChangedOutcome:
    """One question that came out otherwise in a later run."""

    block: str
    question: Mapping[str, Any]
    """As the later run tells it."""
    before: GoldenOutcome | None
    after: GoldenOutcome | None

    @property
    def better(self) -> bool:
        """Whether a wrong one became right."""
        return self.after in GOOD and self.before not in GOOD


def turns(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[ChangedOutcome]:
    """Return the questions of both runs whose outcome differs, what became worse first."""
    found = []
    for name in before.keys() & after.keys():
        then = {one["id"]: one for one in before[name].get("questions", ())}
        for now in after[name].get("questions", ()):
            old = then.get(now["id"])
            if old is not None and old["outcome"] != now["outcome"]:
                found.append(ChangedOutcome(name, now, _named(old["outcome"]), _named(now["outcome"])))
    return sorted(found, key=lambda t: (t.better, t.block, t.question["id"]))


def _named(name: str | None) -> GoldenOutcome | None:
    return None if name is None else GoldenOutcome[name]


def ranking(cases: Sequence[GoldenCase]) -> dict[str, float]:
    """Hit@k and MRR@5 on gold, recall of gold groups and P@5 over what was returned (at most five)."""
    figures = of_ranks([_first(c) for c in cases])
    return figures | {
        "gold_recall@5": fmean(_group_share(c, _ranked_high) for c in cases),
        "p@5": fmean(_precision(c) for c in cases),
    }


def of_ranks(ranks: Sequence[int | None]) -> dict[str, float]:
    """Hit@k and MRR@5 of questions, each given by the rank of its first right provision, from 1; None when it is absent."""
    found = {f"hit@{k}": fmean(rank is not None and rank <= k for rank in ranks) if ranks else 0.0 for k in (1, 3, 5)}
    return found | {"mrr@5": fmean(1 / rank if rank and rank <= 5 else 0.0 for rank in ranks) if ranks else 0.0}


def _first(case: GoldenCase) -> int | None:
    found = (rank for rank, item in enumerate(case.answer.ranked[:5], 1) if any(matches(item, g) for g in case.gold))
    return next(found, None)


def quoting(cases: Sequence[GoldenCase]) -> dict[str, Any]:
    """Coverage, precision of citations, exactness and must-quote recall."""
    cited = [(c, q) for c in cases for q in c.answer.quotes]
    return {
        "coverage": fmean(bool(c.answer.quotes) for c in cases),
        "false_refusal": fmean(c.answer.refusal is not None for c in cases),
        "cite_precision": fmean([any(matches(q, g) for g in c.good) for c, q in cited] or [0]),
        "must_quote_recall": fmean(_group_share(c, _quoted) for c in cases),
        "quotes": len(cited),
        "missed": [
            c.question["id"] for c in cases if not any(matches(r, g) for r in c.answer.ranked[:5] for g in c.gold)
        ],
    }


BINS = 10


def reliability(cases: Sequence[GoldenCase]) -> dict[str, Any]:
    """Compare stated confidence with how often the first quote was right, over everything that was answered.

    Returns:
        ``ece``: expected calibration error with ten equal bins (Naeini et al., AAAI 2015); ``reliability``: one
        (mean confidence, share right, count) for each bin that is not empty.
    """
    offered = (c for c in cases if c.answer.quotes)
    pairs = [(c.answer.confidence.overall, any(matches(c.answer.quotes[0], g) for g in c.good)) for c in offered]
    return dict(zip(("ece", "reliability"), calibration(pairs), strict=True)) if pairs else {}


def calibration(pairs: Iterable[tuple[float, bool]]) -> tuple[float, list[tuple[float, float, int]]]:
    """Return the calibration error of (confidence, right), and a row for each bin; see :func:`reliability`."""
    bins: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    for confidence, right in pairs:
        bins[min(int(confidence * BINS), BINS - 1)].append((confidence, right))
    rows = [(fmean(c for c, _ in b), fmean(r for _, r in b), len(b)) for _, b in sorted(bins.items())]
    return sum(abs(c - r) * n for c, r, n in rows) / max(1, sum(map(len, bins.values()))), rows


def matches(item: Any, gold: Mapping[str, Any]) -> bool:
    """Tell whether a ranked provision or a quote is a gold provision."""
    place = item.citation if hasattr(item, "citation") else item
    if place.file != gold["file"]:
        return False
    if "start" in gold:
        shared = min(item.span.end, gold["end"]) - max(item.span.start, gold["start"])
        return shared * 2 >= gold["end"] - gold["start"]
    return article_key(place.article) == article_key(gold["article"])


def squash(text: str) -> str:
    """Return the text without white space, for comparing quotes."""
    return re.sub(r"\s+", "", text)


def _group_share(case: GoldenCase, hit: Callable[[GoldenCase, Mapping[str, Any]], bool]) -> float:
    groups: dict[object, list[bool]] = defaultdict(list)
    for index, gold in enumerate(case.gold):
        groups[gold.get("group") or f"#{index}"].append(hit(case, gold))
    return fmean(any(hits) for hits in groups.values())


def _ranked_high(case: GoldenCase, gold: Mapping[str, Any]) -> bool:
    return any(matches(r, gold) for r in case.answer.ranked[:5])


def _precision(case: GoldenCase) -> float:
    top: Iterable[Any] = case.answer.ranked[:5]
    return fmean([any(matches(r, g) for g in case.good) for r in top] or [0.0])


def _quoted(case: GoldenCase, gold: Mapping[str, Any]) -> bool:
    wanted = squash(gold.get("must_quote", ""))
    return any(wanted in squash(q.text) and q.citation.file == gold["file"] for q in case.answer.quotes)


def _violates(case: GoldenCase) -> bool:
    said = "".join(q.text for q in case.answer.quotes)
    return any(word in said for word in case.question.get("must_not_contain") or ())
