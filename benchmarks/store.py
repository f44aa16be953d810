"""Speed of the stores alone, on invented text: writing, opening, searching with and without filters, memory.

    python -m benchmarks.store [--chunks 35000] [--dim 256] [--exact-rows 20000]

Each phase runs in a process of its own, so that opening is cold for Python (the page cache stays warm).
"""

from __future__ import annotations

import argparse
import datetime as dt
import hashlib
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import psutil

from nemo.settings import Settings, load
from nemo.store.catalogue.entry import StoredEntry
from nemo.store.library import Library
from nemo.text.words.tokenise import terms
from nemo.types import Chunk, Filters, Level, Provision, RawDocument, Regulation, Span, Validity

ARTICLES = 56
"""Chunks a regulation."""
LETTERS = 120
"""Characters an article, about."""
DAY = dt.date(2026, 11, 20)
PROVINCES = ("cn", "gd", "sd", "nm", "zj", "js", "sc", "hb")
FILTERS = {
    "no filter": Filters(),
    "province and day": Filters("sd", day=DAY),
    "province, asset, class and day": Filters("sd", "wind", "grid", DAY),
}


def words() -> list[str]:
    """Words of the built-in embedder's vocabulary, commonest guess first: the short ones."""
    lines = (load().models / "static-zh-256" / "vocabulary.txt").read_text("utf-8").splitlines()
    return [w for w in lines if 2 <= len(w) <= 4 and "\u4e00" <= w[0] <= "\u9fff"]


def regulation(
    number: int, vocabulary: list[str], chance: random.Random
) -> tuple[Regulation, list[Chunk], RawDocument]:
    """Invent one regulation of Zipf-distributed words."""
    weights = [1 / (i + 10) for i in range(len(vocabulary))]
    text, nodes = f"编造之法{number}\n", []
    for n in range(1, ARTICLES + 1):
        start = len(text)
        text += f"第{n}条 " + "".join(chance.choices(vocabulary, weights, k=LETTERS // 2)) + "。\n"
        nodes.append(Provision(Level.ARTICLE, f"第{n}条", str(n), "", Span(start, len(text) - 1), (), "", f"第{n}条"))
    raw = RawDocument.of(text.encode(), f"{number}.txt")
    made = Regulation(
        hashlib.sha256(text.encode()).hexdigest()[:16],
        f"编造之法{number}",
        text,
        tuple(nodes),
        Validity(version_effective=dt.date(2000 + number % 26, 1, 1)),
        raw.name,
        raw.sha256,
        province=PROVINCES[number % len(PROVINCES)],
        assets=(("wind",), ("solar",), ())[number % 3],
        doc_class=("grid", "permit", "technical")[number % 3],
    )
    pieces = [Chunk(Chunk.id_of(made.id, p.span), made.id, p.label, p.span, p.span.of(text)) for p in nodes]
    return made, pieces, raw


def unit(count: int, dim: int, seed: int) -> np.ndarray:
    """Clustered unit rows, as embeddings are."""
    chance = np.random.default_rng(seed)
    rows = chance.normal(size=(count, dim)) + 1.5 * np.random.default_rng(seed % 50).normal(size=dim)
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def settings(options: argparse.Namespace) -> Settings:
    """Settings of the library under test."""
    return load(library=Path(options.library), exact_rows=options.exact_rows)


def fill(options: argparse.Namespace) -> None:
    """Write everything, and say how fast."""
    vocabulary, chance = words(), random.Random(0)
    chance.shuffle(vocabulary)
    made = [regulation(n, vocabulary, chance) for n in range(options.chunks // ARTICLES)]
    rows = [unit(ARTICLES, options.dim, n) for n in range(len(made))]
    with Library.open(settings(options), "bench", options.dim) as library:
        began = time.perf_counter()
        for (each, pieces, raw), vectors in zip(made, rows, strict=True):
            library.commit([StoredEntry(each, pieces, vectors)], raw)
        library._catch_up(approximate=False)
        seconds = time.perf_counter() - began
        count = library._view.chunks
        print(f"catalogue + lexical: {count} chunks in {seconds:.1f} s, {count / seconds:.0f} chunks/s")
        began = time.perf_counter()
        library.flush()
        seconds = time.perf_counter() - began
        print(f"approximate index: {seconds:.1f} s, {count / seconds:.0f} chunks/s")
    for path in sorted(Path(options.library).iterdir()):
        size = sum(f.stat().st_size for f in ([path] if path.is_file() else path.rglob("*")) if f.is_file())
        print(f"  {path.name}: {size / 2**20:.1f} MiB")


def timed(name: str, work: Callable[[], object], times: int = 200) -> None:
    """Print the median and the 95th percentile in milliseconds."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        taken.append((time.perf_counter() - began) * 1000)
    taken.sort()
    print(f"  {name}: {taken[times // 2]:.2f} / {taken[int(times * 0.95)]:.2f} ms")


def ask(options: argparse.Namespace) -> None:
    """Open cold, and search."""
    began = time.perf_counter()
    library = Library.open(settings(options), "bench", options.dim)
    print(f"open: {(time.perf_counter() - began) * 1000:.0f} ms")
    vocabulary, chance = words(), random.Random(1)
    questions = [(unit(1, options.dim, s)[0], terms("".join(chance.choices(vocabulary, k=8)))) for s in range(64)]
    vector, asked = questions[0]
    for name, first in (("dense", lambda: library.dense(vector, 10, FILTERS["province and day"])),
                        ("lexical", lambda: library.lexical(asked, 10, FILTERS["province and day"]))):  # fmt: skip
        began = time.perf_counter()
        first()
        print(f"first {name}: {(time.perf_counter() - began) * 1000:.0f} ms")
    print(f"memory: {psutil.Process().memory_info().rss / 2**20:.0f} MiB")
    search(library, questions)
    if options.exact_rows < library._view.chunks:
        began = time.perf_counter()
        library.flush()
        print(f"approximate index ready: {(time.perf_counter() - began) * 1000:.0f} ms")
        search(library, questions)
        print(f"memory: {psutil.Process().memory_info().rss / 2**20:.0f} MiB")
    crowd(library, questions)
    library.close()


def search(library: Library, questions: list[tuple[np.ndarray, list[str]]]) -> None:
    """Time both searches under each filter; p50 / p95."""
    for name, filters in FILTERS.items():
        plan = library.by_meaning(questions[0][0], 10, filters)[1]
        print(f"{name}: {plan.allowed} chunks allowed, dense by {plan.store}")
        for k in (10, 300):
            turn = iter(questions * 100)
            timed(f"dense k={k}", lambda k=k, t=turn, f=filters: library.dense(next(t)[0], k, f))
            timed(f"lexical k={k}", lambda k=k, t=turn, f=filters: library.lexical(next(t)[1], k, f))


def crowd(library: Library, questions: list[tuple[np.ndarray, list[str]]], threads: int = 32, each: int = 40) -> None:
    """Thirty-two threads, each asking both indexes."""
    taken: list[float] = []

    def work(seed: int) -> None:
        for i in range(each):
            vector, asked = questions[(seed + i) % len(questions)]
            began = time.perf_counter()
            library.dense(vector, 100, FILTERS["province and day"])
            library.lexical(asked, 100, FILTERS["province and day"])
            taken.append((time.perf_counter() - began) * 1000)

    began = time.perf_counter()
    crowd = [threading.Thread(target=work, args=(seed,)) for seed in range(threads)]
    for thread in crowd:
        thread.start()
    for thread in crowd:
        thread.join()
    rate = threads * each / (time.perf_counter() - began)
    taken.sort()
    print(f"{threads} threads: {rate:.0f} searches of both kinds/s, p50 {taken[len(taken) // 2]:.0f} ms")


def main() -> None:
    """Run the phases, each in its own process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=35_000)
    parser.add_argument("--dim", type=int, default=256)
    parser.add_argument("--exact-rows", type=int, default=20_000)
    parser.add_argument("--library", default="")
    parser.add_argument("--phase", choices=("fill", "ask"))
    options = parser.parse_args()
    if options.phase:
        {"fill": fill, "ask": ask}[options.phase](options)
        return
    with tempfile.TemporaryDirectory() as folder:
        for phase in ("fill", "ask"):
            print(f"--- {phase}", flush=True)
            given = [*sys.argv[1:], "--library", folder, "--phase", phase]
            subprocess.run([sys.executable, "-m", "benchmarks.store", *given], check=True)


if __name__ == "__main__":
    main()
