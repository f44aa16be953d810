"""How each part of a question and of a commit grows with the library (斜率): evidence for docs/scale.md.

    python -m benchmarks.slopes --library FOLDER [--sizes 34000 136000 1000000]

Parts are measured alone, in processor time of one thread, on a library of texts made by copying the rows of a real one
and on random unit vectors: nothing is ingested, so a million chunks take a minute and a gigabyte and a half. The lexical
index is measured on the real one only. Prints a table.
"""

from __future__ import annotations

import argparse
import datetime as dt
import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median

import numpy as np

from nemo import rules as rule_data
from nemo import settings
from nemo.answer.titles import Names
from nemo.engine import Engine
from nemo.store.catalogue.rows import RegulationRow
from nemo.store.search.exact import ExactIndex
from nemo.store.search.view import View
from nemo.text.versions.succession import succeed
from nemo.types import Filters

DIM = 256
NEAREST = 300
TRIES = 5
DAY = dt.date(2026, 11, 20)


def spent(work: Callable[[], object]) -> float:
    """Return the milliseconds of processor time of one call, the middle of a few."""
    taken = []
    for _ in range(TRIES):
        began = time.thread_time()
        work()
        taken.append((time.thread_time() - began) * 1000)
    return median(taken)


def grown(rows: tuple[RegulationRow, ...], size: int) -> list[RegulationRow]:
    """Return copies of rows, each a work of its own, with ``size`` chunks in all or a few more."""
    out: list[RegulationRow] = []
    first = copy = 0
    while first < size:
        for row in rows:
            if first >= size:
                break
            out.append(replace(row, id=f"{row.id}-{copy}", first=first, title=f"第{copy}本{row.title}"))
            first += row.count
        copy += 1
    return out


def figures(rows: tuple[RegulationRow, ...], size: int) -> dict[str, float]:
    """Measure one size."""
    held = grown(rows, size)
    spans = {row.id: np.zeros((row.count, 2), np.int32) for row in held}
    chunks = held[-1].first + held[-1].count
    random = np.random.default_rng(1)
    index = ExactIndex(DIM)
    for first in range(0, chunks, 50_000):
        block = random.standard_normal((min(50_000, chunks - first), DIM), np.float32)
        index.add(np.arange(first, first + len(block)), block / np.linalg.norm(block, axis=1, keepdims=True))
    asked = random.standard_normal(DIM, np.float32)
    asked /= np.linalg.norm(asked)
    view = View(1, held, spans, succeed)
    view.facets  # noqa: B018  # works the succession out
    index.divide()
    found, exact = (s(asked, NEAREST, view.facets.allowed(Filters())) for s in (index.near, index.search))
    recall = len({n for n, _ in found or ()} & {n for n, _ in exact}) / len(exact)
    province = view.facets.allowed(Filters("gd", None, None, DAY))
    everywhere = view.facets.allowed(Filters(None, None, None, DAY))
    rules = rule_data.load(settings.load().rules)
    places = [word for p in rules.provinces if p.code != "cn" for word in (*p.full, p.name)]
    names = [(row.id, [row.title, row.short_title]) for row in held]
    return {
        "法规": len(held),
        "片段": chunks,
        "精确检索，全国（毫秒）": spent(lambda: index.search(asked, NEAREST, everywhere)),
        "倒排分区，全国（毫秒）": spent(lambda: index.near(asked, NEAREST, everywhere)),
        "倒排分区的召回": recall,
        "精确检索，一省（毫秒）": spent(lambda: index.search(asked, NEAREST, province)),
        "过滤：谁可作答（毫秒）": spent(lambda: view.facets.allowed(Filters("gd", "solar", None, DAY))),
        "变更后：版本与时效（毫秒）": spent(lambda: View(1, held, spans, succeed).facets),
        "变更后：名称索引（毫秒）": spent(lambda: Names(names, [], {}, places)),
        "向量内存（MiB）": chunks * DIM * 4 / 2**20,
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=Path, required=True, help="a library of real texts; it is only looked at")
    parser.add_argument("--sizes", type=int, nargs="+", default=[34_000, 136_000, 1_000_000])
    options = parser.parse_args()
    with Engine.open(settings.load(library=options.library), read_only=True) as engine:
        rows = engine.library.headers()
    told = [figures(rows, size) for size in options.sizes]
    print(f"{dt.date.today()}，{os.cpu_count()} 核，负载 {os.getloadavg()[0]:.0f}")
    print("| 部分 | " + " | ".join(f"{size:,} 片段" for size in options.sizes) + " |")
    print("|---" + "|---:" * len(options.sizes) + "|")
    for name in told[0]:
        print(f"| {name} | " + " | ".join(f"{each[name]:,.2f}" for each in told) + " |")


if __name__ == "__main__":
    main()
