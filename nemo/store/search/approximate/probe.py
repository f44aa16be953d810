"""Opens the approximate index in a child process first, because a damaged one can end the process that opens it (探查).

The child asks the index for chunks whose vectors are known and expects each to find itself. ``python -m
nemo.store.search.approximate.probe FOLDER`` reads the sample from its standard input and answers on standard output.
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

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

SECONDS = 180.0


def healthy(folder: Path, numbers: np.ndarray, vectors: np.ndarray) -> str | None:
    """Probe an index in a child process; return None when it is sound, else what is wrong, in Chinese."""
    sample = io.BytesIO()
    np.savez(sample, numbers=numbers, vectors=vectors)
    command = [sys.executable, "-m", "nemo.store.search.approximate.probe", str(folder.resolve())]
    root = Path(__file__).resolve().parents[4]
    try:
        child = subprocess.run(  # noqa: S603  # our own interpreter and module
            command, input=sample.getvalue(), capture_output=True, cwd=root, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return "探查超时"
    if child.returncode:
        return f"打开时进程异常退出（代码 {child.returncode}）"
    missing = json.loads(child.stdout.splitlines()[-1])["lost"]
    return f"抽查 {len(numbers)} 个片段，有 {missing} 个检索不到" if missing > tolerated(len(numbers)) else None


def lost(store: VectorStore, numbers: np.ndarray, vectors: np.ndarray) -> int:
    """Return how many of the sample do not find themselves in an index, or a chunk of an equal vector.

    Chunks of equal words (two versions of a law, 第二条 废止) share one vector, and which of them a search returns is
    chance; that each has an entry of its own is told by their numbers, not here.
    """
    missing = 0
    for number, vector in zip(numbers.tolist(), vectors, strict=True):
        found = dict(store.search(vector, NEIGHBOURS))
        best = max(found.values(), default=0.0)
        own = found.get(number, best)
        missing += not (best > 1 - EQUAL and own > 1 - EQUAL)
    return missing


def tolerated(asked: int) -> int:
    """Return how many of a sample may be missed."""
    return int((1 - FOUND_SHARE) * asked)


def main() -> None:
    """Answer the parent."""
    with np.load(io.BytesIO(sys.stdin.buffer.read()), allow_pickle=False) as sample:
        numbers, vectors = sample["numbers"], sample["vectors"]
    from nemo.store.search.approximate.chroma import ChromaIndex

    index = ChromaIndex(Path(sys.argv[1]), vectors.shape[1])
    count = lost(index, numbers, vectors)
    index.close()
    sys.stdout.write(json.dumps({"lost": count}) + "\n")


if __name__ == "__main__":
    main()
