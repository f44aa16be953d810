"""Nemo beside haystack, llama-index and langchain on the same questions and texts; prints a table and writes docs/peers.md.

Each peer runs in a process of its own with the interpreter of ``--python`` (see ``benchmarks/requirements-peers.txt``),
at its default and at its documented best for Chinese; ``score.py`` of the golden set judges all of them alike.
"""

import argparse
import datetime as dt
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks.peer_side import Watch, questions
from benchmarks.speed import ROOT
from nemo import settings
from nemo.engine import Engine
from nemo.export import answer_json
from nemo.text.words.numerals import article_key

PEERS = ("langchain", "llama-index", "haystack")
KINDS = {"default": "默认", "best": "按文档为中文调好"}

COLUMNS = {
    "Hit1": "Hit@1", "Hit5": "Hit@5", "MRR5": "MRR@5", "GoldRecall5": "GoldRecall@5", "P5": "P@5",
    "in_read": "前 5 段含正确条", "chars": "前 5 段字数", "must_quote_recall": "must_quote", "quote_exact": "引文逐字在条内", "false_refusal": "误拒", "refusal": "应拒已拒",
    "build_cpu_s": "建库 CPU 秒", "p50_cpu_ms": "每问 CPU 毫秒 p50", "p95_cpu_ms": "p95",
    "build_s": "建库 秒", "p50_ms": "每问 毫秒 p50", "p95_ms": "p95 ",
}  # fmt: skip

TEXT = """# 与同类框架并列比较

{day}，`python -m benchmarks.peers`；{machine}。同一批 597 部法规原文、同一批开发半集问题（120 题可答、20 题应拒），由 `score.py` 统一评分。

{table}

说明：

- **默认**：框架默认的切分器与默认 BM25 检索器，照文档第一页的写法。
- **按文档为中文调好**：认得中文标点的切分（500 字左右）、中文分词或单字词元、BM25 与向量按名次倒数融合（各框架自带的融合器），再按省份与所问日期用元数据过滤。
- 离线不能下载模型，三个框架的“向量”都用 Nemo 的内置向量模型，经各自的自定义向量接口接入；它读过同一领域的训练题，这对各框架有利。
- 框架给出的是片段：片段至少含一半的条算召回该条，按文中先后展开；大片段按文中先后展开，排在后面的条吃亏，所以另列“前 5 段含正确条”与要读的字数。前 4 个片段当作引文，整段都在所引条内才算逐字。没有一个框架自带拒答，检索到东西就算作答。
- 建库：框架为内存中切分与建索引；Nemo 为完整入库（解析、条款结构、日期与效力、向量、重排预读、落盘索引），此处全部在一个进程里做，日常由两个进程分担。
- 时间：CPU 时间不受机器忙闲影响，用来比较；墙钟时间测于与他人共用、当时很忙的机器，只作参考。Nemo 的每问包括读题、检索、重排、裁剪引文、时效与留存答复，框架只到检索。
- 版本：{versions}。
"""


def peer(python: Path, name: str, kind: str, shared: Path, limit: int | None, folder: Path) -> dict[str, Any]:
    """Run one peer in its own process; return its figures."""
    out = folder / f"{name}-{kind}"
    command = [str(python), "-m", "benchmarks.peer_side", name, kind]
    command += ["--corpus", str(shared / "corpus"), "--golden", str(shared / "golden"), "--out", str(out)]
    command += ["--limit", str(limit)] if limit else []
    subprocess.run(command, cwd=ROOT, check=True, env={**os.environ, "PYTHONPATH": str(ROOT)})
    figures = json.loads(out.with_suffix(".json").read_text("utf-8"))
    return figures | scored(out.with_suffix(".jsonl"), shared)


def nemo(shared: Path, limit: int | None, folder: Path) -> dict[str, Any]:
    """Fill a new library, ask everything; return the figures. All work is done in this process, so that it is counted."""
    watch = Watch()
    lines = []
    with Engine.open(settings.load(library=folder / "library", workers=0)) as engine:
        engine.intake.ingest([shared / "corpus"], manifest=shared / "corpus" / "manifest.jsonl")
        watch.build_done()
        for row in questions(shared / "golden", limit):
            day = dt.date.fromisoformat(row["as_of"]) if row.get("as_of") else None
            where = {name: row[name] for name in ("province", "asset", "doc_class")}
            answer = watch.ask(partial(engine.ask, row["question"], day=day, **where))
            lines.append(json.dumps({**answer_json(answer), "id": row["id"]}, ensure_ascii=False))
    path = folder / "nemo.jsonl"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return watch.figures() | scored(path, shared)


def scored(answers: Path, shared: Path) -> dict[str, Any]:
    """Judge answers by the golden set's own script."""
    with answers.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    for row in rows:  # score.py reads quotes from ``quote``
        row["citations"] = [{**c, "quote": c.get("quote") or c.get("direct_quote")} for c in row["citations"]]
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        file.write("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
        file.flush()
        command = [sys.executable, str(shared / "golden" / "score.py"), file.name, "--split", "dev", "--json"]
        found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return found["answerable"] | reading(rows, shared) | {"refusal": found["unanswerable"]["refusal_accuracy"]}


def reading(answers: list[dict[str, Any]], shared: Path) -> dict[str, float]:
    """Return how often a right article is anywhere in the first five pieces, and how many characters these have."""
    told = {
        a["id"]: a.get("read") or [[r["file"], [r["article"]], len(r["text"])] for r in a["ranked"]] for a in answers
    }
    hits, chars = [], []
    for line in (shared / "golden" / "golden.jsonl").read_text("utf-8").splitlines():
        question = json.loads(line)
        pieces = told.get(question["id"], [])
        gold = {(g["file"], article_key(g["article"])) for g in question["gold"]}
        hits.append(any((file, article_key(name)) in gold for file, names, _ in pieces for name in names))
        chars.append(sum(size for _, _, size in pieces))
    return {"in_read": fmean(hits), "chars": fmean(chars)}


def table(rows: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the figures as a Markdown table."""
    lines = ["| 系统 | " + " | ".join(COLUMNS.values()) + " |", "|---" + "|---:" * len(COLUMNS) + "|"]
    for name, figures in rows.items():
        cells = [_cell(key, figures.get(key)) for key in COLUMNS]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _cell(key: str, value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.0f}" if key.endswith(("_s", "_ms", "chars")) else f"{value:.3f}"


def versions(python: Path) -> str:
    """Return the peers' versions as installed."""
    done = subprocess.run(
        [str(python), "-m", "pip", "list", "--format=json"], check=True, capture_output=True, text=True
    )
    wanted = ("haystack-ai", "llama-index-core", "llama-index-retrievers-bm25", "langchain-classic",
              "langchain-community", "rank-bm25", "jieba")  # fmt: skip
    return "，".join(f"{p['name']} {p['version']}" for p in json.loads(done.stdout) if p["name"] in wanted)


def once(kept: Path, run: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return the figures kept from an earlier run, or run and keep them."""
    if not kept.is_file():
        kept.write_text(json.dumps(run()), "utf-8")
    return dict(json.loads(kept.read_text("utf-8")))


def main() -> None:
    """Run everything, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", type=Path, required=True, help="装有 requirements-peers.txt 的解释器")
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument("--limit", type=int, help="每个题集只用前若干题（试跑）")
    parser.add_argument("--reuse", type=Path, help="结果放在这里；已有结果的系统不再跑")
    parser.add_argument("--dry", action="store_true", help="只打印，不写 docs/peers.md")
    options = parser.parse_args()
    rows: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory(prefix="nemo-peers-") as made:
        folder = options.reuse or Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        rows["Nemo"] = once(folder / "Nemo.figures", lambda: nemo(options.shared, options.limit, folder))
        for name in PEERS:
            for kind, label in KINDS.items():
                run = partial(peer, options.python, name, kind, options.shared, options.limit, folder)
                rows[f"{name}（{label}）"] = once(folder / f"{name}-{kind}.figures", run)
                print(table(rows), flush=True)
    machine = f"{os.cpu_count()} 核，{platform.machine()}，Python {platform.python_version()}"
    text = TEXT.format(day=dt.date.today(), machine=machine, table=table(rows), versions=versions(options.python))
    print(text)
    if not options.dry and not options.limit:
        (ROOT / "docs" / "peers.md").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
