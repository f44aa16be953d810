"""What a library four times the corpus costs (14 万条): ``make bench-scale``. Prints the figures and writes BENCHMARKS.md.

The corpus is ingested under several names of issuers that do not exist, so that every copy is a work of its own; the
questions are the golden ones, asked anywhere, and only their time counts.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import quantiles
from typing import Any

from benchmarks.speed import ROOT, WARM, cold, run, write

COPIES = ("甲", "乙", "丙", "丁")
"""One for each copy; stands before the title and makes its text another one."""


def copy(shared: Path, folder: Path) -> Path:
    """Write the corpus once for each of ``COPIES`` and return the manifest."""
    corpus = shared / "corpus"
    lines = []
    for row in map(json.loads, (corpus / "manifest.jsonl").read_text("utf-8").splitlines()):
        text = (corpus / row["file"]).read_text("utf-8")
        for mark in COPIES:
            name = f"{mark}-{row['file']}"
            (folder / name).write_text(f"{text}\n\n（{mark}本）\n", "utf-8")
            lines.append(
                row | {"file": name, "title": f"{mark}本{row['title']}", "short_title": None, "superseded_by": None}
            )
    manifest = folder / "manifest.jsonl"
    manifest.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), "utf-8")
    return manifest


def ingest(shared: Path, library: Path, folder: Path) -> dict[str, Any]:
    """Ingest all copies."""
    manifest = copy(shared, folder)
    wall, rss, out = run(["ingest", str(folder), "--manifest", str(manifest), "--library", str(library), "--json"])
    report = json.loads(out)
    shown = subprocess.run(
        [sys.executable, "-m", "nemo", "list", "--library", str(library), "--json"],
        cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    articles = sum(row["articles"] for row in json.loads(shown.stdout)["regulations"])
    size = sum(f.stat().st_size for f in library.rglob("*") if f.is_file())
    return {
        f"入库 {report['counts']['stored']} 部（秒）": round(wall, 1),
        "条文": articles,
        "片段": report["chunks"],
        "主进程峰值内存（MiB）": rss,
        "资料库大小（MiB）": size // 2**20,
    }


def warm(shared: Path, library: Path) -> dict[str, Any]:
    """All golden questions in one process."""
    questions = shared / "golden" / "golden.jsonl"
    done = subprocess.run(
        [sys.executable, "-c", WARM, str(library), str(questions)],
        cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    cuts = quantiles(json.loads(done.stdout), n=100)
    return {"热提问 p50（毫秒）": round(cuts[49], 1), "热提问 p95（毫秒）": round(cuts[94], 1)}


def main() -> None:
    """Measure everything and write it down."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="nemo-scale-"))
    try:
        (folder / "texts").mkdir()
        library = folder / "library"
        figures = ingest(options.shared, library, folder / "texts")
        figures |= cold(library) | warm(options.shared, library)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for name, value in figures.items():
        print(f"{name}: {value}")
    write(figures, "scale", "make bench-scale")


if __name__ == "__main__":
    main()
