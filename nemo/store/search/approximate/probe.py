"""Opens the approximate index in a child process first, because a damaged one can end the process that opens it (探查).

The child asks the index for chunks whose vectors are known and expects each to find itself. ``python -m
nemo.store.search.approximate.probe FOLDER`` reads the sample from its standard input and answers on standard output.
"""

import io
import json
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nemo.store.search.vectors import VectorStore

SAMPLE = 1_000
"""How many chunks are asked for: enough that their searches cross nearly every part of a graph of tens of thousands."""

NEIGHBOURS = 50
"""How many nearest a chunk is looked for among."""

FOUND_SHARE = 0.99
"""The graph is approximate: even a sound one may miss a chunk in a thousand."""

EQUAL = 1e-3
"""Cosines above ``1 - EQUAL`` are the same vector."""

CROWDED = 0.9
"""Cosine of what lies close. Where more than ``NEIGHBOURS`` of the sample lie so close to a chunk (one sentence again and
again with other numbers), the graph of the index leads to some of them and not to all: not being found proves nothing."""

SECONDS = 180.0


@dataclass(frozen=True, slots=True)
class Examination:
    """What came of looking at an index without changing it."""

    wrong: str | None = None
    """A difference, in Chinese."""
    unchecked: str | None = None
    """Why nothing could be compared, in Chinese; no difference."""
    numbers: np.ndarray | None = None
    """Every chunk number in it."""
    touched: tuple[int, ...] = ()
    """First chunk numbers of regulations that it has yet to follow."""


def examine(folder: Path, numbers: np.ndarray, vectors: np.ndarray) -> Examination:
    """Probe a copy of an index in a child process, its database page by page; the index itself is not touched."""
    with tempfile.TemporaryDirectory(prefix="nemo-look-", ignore_cleanup_errors=True) as place:
        copy = Path(place, "chroma")
        try:
            shutil.copytree(folder, copy)
            for each in (copy, *copy.rglob("*")):
                each.chmod(0o700)  # who opens it writes beside it; the original may be read-only
        except (OSError, shutil.Error) as error:
            return Examination(f"文件读不出（{error}）")
        return asked(copy, numbers, vectors)


def asked(folder: Path, numbers: np.ndarray, vectors: np.ndarray) -> Examination:
    """Probe an index in a child process; ``numbers`` are found unless it cannot be opened."""
    sample = io.BytesIO()
    np.savez(sample, numbers=numbers, vectors=vectors)
    command = [sys.executable, "-m", "nemo.store.search.approximate.probe", str(folder.resolve())]
    root = Path(__file__).resolve().parents[4]
    try:
        child = subprocess.run(  # noqa: S603  # our own interpreter and module
            command, input=sample.getvalue(), capture_output=True, cwd=root, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return Examination("探查超时")
    if child.returncode:
        return Examination(f"打开时进程异常退出（代码 {child.returncode}）")
    report = json.loads(child.stdout.splitlines()[-1])
    wrong = f"数据库文件已损坏（{report['damage']}）" if report["damage"] else None
    if wrong is None and report["lost"] > tolerated(len(numbers)):
        wrong = f"抽查 {len(numbers)} 个片段，有 {report['lost']} 个检索不到"
    return Examination(wrong, numbers=np.array(report["numbers"], np.int64))


def lost(store: VectorStore, numbers: np.ndarray, vectors: np.ndarray) -> int:
    """Return how many of the sample do not find themselves in an index; chunks in a crowd are passed over."""
    missing = 0
    crowd = (vectors @ vectors.T > CROWDED).sum(axis=1) > NEIGHBOURS
    for number, vector in zip(numbers[~crowd].tolist(), vectors[~crowd], strict=True):
        missing += dict(store.search(vector, NEIGHBOURS)).get(number, 0.0) < 1 - EQUAL
    return missing


def tolerated(count: int) -> int:
    """Return how many of a sample may be missed."""
    return int((1 - FOUND_SHARE) * count)


def main() -> None:
    """Answer the parent."""
    with np.load(io.BytesIO(sys.stdin.buffer.read()), allow_pickle=False) as sample:
        numbers, vectors = sample["numbers"], sample["vectors"]
    from nemo.store.search.approximate.chroma import ChromaIndex

    folder = Path(sys.argv[1])
    report: dict[str, Any] = {"damage": _damage(folder / "chroma.sqlite3"), "lost": 0, "numbers": []}
    if report["damage"] is None:
        index = ChromaIndex(folder, vectors.shape[1])
        report |= {"lost": lost(index, numbers, vectors), "numbers": index.numbers().tolist()}
        index.close()
    sys.stdout.write(json.dumps(report) + "\n")


def _damage(database: Path) -> str | None:
    """Return what SQLite finds wrong with Chroma's database, which answers as if nothing were when pages are garbled."""
    try:
        with closing(sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            found = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        return str(error)
    return None if found == "ok" else str(found)


if __name__ == "__main__":
    main()
