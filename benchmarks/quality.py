"""Quality of answers on the development questions: ``make eval``. Prints the figures and writes BENCHMARKS.md.

Two libraries are built: the statutes alone, and the statutes with the normative documents. The hidden halves measure
us; these figures are for comparing one change with the next.
"""

import argparse
import datetime as dt
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.speed import ROOT, replace_section
from nemo import settings
from nemo.engine import Engine
from nemo.evaluation.golden import BINS

COLUMNS = {
    "n": "题数", "hit@1": "Hit@1", "hit@5": "Hit@5", "mrr@5": "MRR@5", "gold_recall@5": "GoldRecall@5", "p@5": "P@5",
    "must_quote_recall": "must_quote", "cite_precision": "引用准确", "coverage": "覆盖", "false_refusal": "误拒",
    "refusal": "应拒已拒", "ece": "ECE", "latency_p50_ms": "p50 毫秒",
}  # fmt: skip


def library(folder: Path, shared: Path, parts: list[str]) -> Engine:
    """Open a library at ``folder``, filled with the named corpora when it is new."""
    engine = Engine.open(settings.load(library=folder))
    if not engine.statistics().regulations:
        for part in parts:
            corpus = shared / part
            report = engine.intake.ingest([corpus], manifest=corpus / "manifest.jsonl")
            print(
                f"{part}: {len(report.of('stored'))} 件入库，{len(report.of('failed'))} 件失败，{report.seconds:.0f} 秒"
            )
    return engine


def table(blocks: dict[str, dict[str, Any]]) -> list[str]:
    """Return the figures as a Markdown table."""
    lines = ["| 题集 | " + " | ".join(COLUMNS.values()) + " |", "|---" * (len(COLUMNS) + 1) + "|"]
    for name, block in blocks.items():
        cells = [_cell(block.get(key)) for key in COLUMNS]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return lines


def _cell(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:.3f}" if isinstance(value, float) and value <= 1 else f"{value:.0f}"


CAUSES = ("排在首条", "前五，同一法规的他条在前", "前五，别的法规在前", "前五之外，首条是同一法规",
          "前五之外，首条是别的法规", "误拒", "应拒而答")  # fmt: skip


def cause(told: dict[str, Any]) -> str | None:
    """Return what became of a question and, where it is not first, what stood there; None where nothing was expected."""
    outcome = told["outcome"]
    if outcome in ("FIRST", "FALSE_REFUSAL", "ANSWERED"):
        return {"FIRST": CAUSES[0], "FALSE_REFUSAL": CAUSES[5], "ANSWERED": CAUSES[6]}[outcome]
    if outcome not in ("LISTED", "MISSED"):
        return None
    files = {place.partition(" ")[0] for place in told["expected"].split("；")}
    same = told["found"].partition(" ")[0] in files
    return CAUSES[(1 if outcome == "LISTED" else 3) + (not same)]


def causes(blocks: dict[str, dict[str, Any]]) -> list[str]:
    """Return the questions by cause (未中归因) as a Markdown table, with the ids of those that went wrong."""
    lines = ["| 题集 | " + " | ".join(CAUSES) + " |", "|---" + "|---:" * len(CAUSES) + "|"]
    wrong: list[str] = []
    for name, block in blocks.items():
        found = [(cause(told), told["id"]) for told in block["questions"]]
        lines.append(f"| {name} | " + " | ".join(str(sum(c == each for c, _ in found)) for each in CAUSES) + " |")
        for each in CAUSES[3:]:
            if ids := [number for c, number in found if c == each]:
                wrong.append(f"- {name}，{each}：{'、'.join(ids)}")
    return [*lines, "", *wrong]


def reliability(blocks: dict[str, dict[str, Any]]) -> list[str]:
    """Return stated confidence beside the share that was right (可靠性图的数据) as a Markdown table."""
    lines = ["| 题集 | 置信度档 | 题数 | 平均置信度 | 首条引文正确 |  |", "|---|---|---:|---:|---:|---|"]
    for name, block in blocks.items():
        for stated, right, count in block.get("reliability", ()):
            low = min(int(stated * BINS), BINS - 1) / BINS
            drawn = "█" * round(right * 20)
            lines.append(
                f"| {name} | {low:.1f}–{low + 1 / BINS:.1f} | {count} | {stated:.2f} | {right:.2f} | {drawn} |"
            )
    return lines


def main() -> None:
    """Build what is missing, ask everything, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument("--keep", type=Path, help="资料库放在这里并保留，下次直接使用")
    parser.add_argument("--dry", action="store_true", help="只打印，不写 BENCHMARKS.md")
    options = parser.parse_args()
    if not (options.shared / "corpus").is_dir():
        sys.exit(f"{options.shared}/corpus 不存在：用 --shared 指定语料文件夹")
    base = options.keep or Path(tempfile.mkdtemp(prefix="nemo-eval-"))
    blocks: dict[str, dict[str, Any]] = {}
    try:
        with library(base / "statutes", options.shared, ["corpus"]) as engine:
            blocks |= engine.evaluation.evaluate(options.shared / "golden")
        with library(base / "both", options.shared, ["corpus", "normative/corpus"]) as engine:
            blocks |= {f"{k}（合库）": v for k, v in engine.evaluation.evaluate(options.shared / "normative").items()}
    finally:
        if options.keep is None:
            shutil.rmtree(base, ignore_errors=True)
    lines = [*table(blocks), "", "未中归因：", "", *causes(blocks), "", "置信度是否可信：", "", *reliability(blocks)]
    print("\n".join(lines))
    if not options.dry:
        head = f"`make eval`，{dt.date.today()}，开发半集（内置模型，全程离线）"
        replace_section("quality", [head, "", *lines])


if __name__ == "__main__":
    main()
