"""How each part of a question and of a commit grows with the library (斜率): evidence for docs/scale.md.

    python -m benchmarks.slopes --library FOLDER [--sizes 34000 136000 1000000]

Parts are measured alone, in processor time of one thread, on a library of texts made by copying the rows of a real one
and on copies of its vectors, each with noise of its own (cosine to the original about .87): nothing is ingested, so a
million chunks take a minute and a gigabyte and a half. The lexical index is measured on the real one only. Prints a table.
"""

import argparse
import datetime as dt
import itertools
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median

import numpy as np

from nemo import rules as rule_data
from nemo import settings
from nemo.answer.question.titles import TitleFinder
from nemo.engine import Engine
from nemo.store.catalogue.rows import RegulationRow
from nemo.store.search.exact import ExactIndex
from nemo.store.search.view import View
from nemo.text.versions.succession import RememberedSuccession, succeed
from nemo.types import Filters

DIM = 256
NEAREST = 300
TRIES = 5
DAY = dt.date(2026, 11, 20)
NOISE = 0.035
"""Standard deviation of what each of the numbers of a copied vector is off."""
ASKED = (
    "并网申请几日内答复",
    "未验收投产怎么处罚",
    "储能电站消防要求",
    "风电场用地审批由谁负责",
    "电价由谁制定",
    "安全培训学时",
)
"""Searched in turn: what one question found is kept for its next search."""


def spent(work: Callable[[], object], tries: int = TRIES) -> float:
    """Return the milliseconds of processor time of one call, the middle of a few."""
    taken = []
    for _ in range(tries):
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


def copied(vectors: np.ndarray, size: int) -> ExactIndex:
    """Return an index of copies of unit rows."""
    random, index = np.random.default_rng(1), ExactIndex(DIM)
    for first in range(0, size, len(vectors)):
        block = (
            vectors[: size - first] + random.standard_normal((min(len(vectors), size - first), DIM), np.float32) * NOISE
        )
        index.add(np.arange(first, first + len(block)), block / np.linalg.norm(block, axis=1, keepdims=True))
    return index


def figures(rows: tuple[RegulationRow, ...], size: int, vectors: np.ndarray, asked: np.ndarray) -> dict[str, float]:
    """Measure one size."""
    held = grown(rows, size)
    spans = {row.id: np.zeros((row.count, 2), np.int32) for row in held}
    chunks = held[-1].first + held[-1].count
    index, turn = copied(vectors, chunks), itertools.cycle(asked)
    view = View(1, held, spans, RememberedSuccession().validity)
    view.facets  # noqa: B018  # works the succession out
    dividing = spent(index.divide, 1)
    province = view.facets.allowed(Filters("gd", None, None, DAY))
    everywhere = view.facets.allowed(Filters(None, None, None, DAY))
    both = [(dict(index.near(q, NEAREST, everywhere) or ()), index.search(q, NEAREST, everywhere)) for q in asked]
    rules = rule_data.load(settings.load().rules)
    places = [word for p in rules.provinces if p.code != "cn" for word in (*p.full, p.name)]
    return changes(view, places) | {
        "法规": len(held),
        "片段": chunks,
        "精确检索，全国（毫秒）": spent(lambda: index.search(next(turn), NEAREST, everywhere)),
        "倒排分区，全国（毫秒）": spent(lambda: index.near(next(turn), NEAREST, everywhere)),
        f"倒排分区的召回，前 {NEAREST}": sum(len(found.keys() & dict(exact)) for found, exact in both)
        / sum(len(exact) for _, exact in both),
        "建倒排分区（秒）": dividing / 1000,
        "精确检索，一省（毫秒）": spent(lambda: index.search(next(turn), NEAREST, province)),
        "过滤：谁可作答（毫秒）": spent(lambda: view.facets.allowed(Filters("gd", "solar", None, DAY))),
        "向量内存（MiB）": chunks * DIM * 4 / 2**20,
    }


def changes(view: View, places: Sequence[str]) -> dict[str, float]:
    """Measure what the first question after the change of one text waits for, and the same for all texts anew."""
    row = view.as_read[-1]
    called = {each.id: [each.title, each.short_title] for each in view.as_read}
    names = TitleFinder(called.items(), [], {}, places)
    newest = {each.id: at for at, each in enumerate(view.as_read)}

    def changed() -> object:
        nonlocal view
        view = view.changed(view.generation + 1, [row.id], [(replace(row), view.spans[row.id])])
        return view.facets

    one = {row.id: called[row.id]}
    return {
        "一部变更后：版本与时效（毫秒）": spent(changed),
        "一部变更后：名称索引（毫秒）": spent(lambda: names.changed(one, one, newest.__getitem__)),
        "全部重算：版本与时效（毫秒）": spent(lambda: View(1, view.as_read, view.spans, succeed).facets),
        "全部重算：名称索引（毫秒）": spent(lambda: TitleFinder(called.items(), [], {}, places)),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=Path, required=True, help="a library of real texts; it is only looked at")
    parser.add_argument("--sizes", type=int, nargs="+", default=[34_000, 136_000, 1_000_000])
    options = parser.parse_args()
    with Engine.open(settings.load(library=options.library), read_only=True) as engine:
        rows = engine.library.headers()
        vectors = np.concatenate([block for _, block in engine.library._catalogue.vectors()])
        asked = engine.embedder.embed(ASKED)
    told = [figures(rows, size, vectors, asked) for size in options.sizes]
    print(f"{dt.date.today()}，{os.cpu_count()} 核，负载 {os.getloadavg()[0]:.0f}")
    print("| 部分 | " + " | ".join(f"{size:,} 片段" for size in options.sizes) + " |")
    print("|---" + "|---:" * len(options.sizes) + "|")
    for name in told[0]:
        print(f"| {name} | " + " | ".join(f"{each[name]:,.2f}" for each in told) + " |")


if __name__ == "__main__":
    main()
