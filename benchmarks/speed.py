"""Speed of the whole product on the corpus: ``make bench``. Prints the figures and writes them to BENCHMARKS.md.

Every figure is measured in a process of its own, as a user would start it. Compare figures of one run only: the
machine is named beside them.
"""

import argparse
import datetime as dt
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import quantiles
from typing import Any

import psutil

ROOT = Path(__file__).resolve().parent.parent
REPORT = ROOT / "BENCHMARKS.md"


def run(arguments: list[str]) -> tuple[float, int, str]:
    """Run ``python -m nemo …``; return wall seconds, peak RSS of the owner in MiB and stdout."""
    began = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", "nemo", *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    peak = [0]
    watch = threading.Thread(target=_watch, args=(psutil.Process(process.pid), peak), daemon=True)
    watch.start()
    out, _ = process.communicate()
    if process.returncode:
        sys.exit(f"nemo {' '.join(arguments)} failed with {process.returncode}")
    return time.perf_counter() - began, peak[0] // 2**20, out


def _watch(process: psutil.Process, peak: list[int]) -> None:
    try:
        while True:
            peak[0] = max(peak[0], process.memory_info().rss)
            time.sleep(0.05)
    except psutil.NoSuchProcess:
        return


def ingest(shared: Path, library: Path) -> dict[str, Any]:
    """Ingest the corpus twice: new, then unchanged."""
    corpus = shared / "corpus"
    command = ["ingest", str(corpus), "--manifest", str(corpus / "manifest.jsonl"), "--library", str(library), "--json"]
    wall, rss, out = run(command)
    again, _, repeated = run(command)
    first, second = json.loads(out), json.loads(repeated)
    return {
        "入库 597 部（秒）": round(wall, 1),
        "片段数": first["chunks"],
        "失败": first["counts"]["failed"],
        "主进程峰值内存（MiB）": rss,
        "再次入库，全部未变（秒）": round(again, 1),
        "未变件数": second["counts"]["unchanged"],
    }


def cold(library: Path) -> dict[str, Any]:
    """One question in a fresh process, the middle of five."""
    walls = sorted(run(["ask", "偷电被抓到一般罚几倍", "--library", str(library), "--json"])[0] for _ in range(5))
    return {"冷启动提问（秒，5 次中位）": round(walls[2], 2)}


WARM = """
import json, sys, time
from pathlib import Path
from nemo import settings
from nemo.engine import Engine
rows = [json.loads(l) for l in Path(sys.argv[2]).read_text('utf-8').splitlines()]
with Engine.open(settings.load(library=Path(sys.argv[1]))) as engine:
    for row in rows[:10]:
        engine.evaluation.ask(row)
    times = []
    for row in rows:
        began = time.perf_counter()
        engine.evaluation.ask(row)
        times.append((time.perf_counter() - began) * 1000)
print(json.dumps(times))
"""


def warm(shared: Path, library: Path) -> dict[str, Any]:
    """All golden questions in one process."""
    questions = shared / "golden" / "golden.jsonl"
    done = subprocess.run(
        [sys.executable, "-c", WARM, str(library), str(questions)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    times = json.loads(done.stdout)
    cuts = quantiles(times, n=100)
    return {"热提问 p50（毫秒）": round(cuts[49], 1), "热提问 p95（毫秒）": round(cuts[94], 1), "问题数": len(times)}


def machine() -> str:
    """Name the machine the figures are from."""
    memory = psutil.virtual_memory().total / 2**30
    load = os.getloadavg()[0]
    return f"{platform.machine()}，{os.cpu_count()} 核，{memory:.0f} GiB，Python {platform.python_version()}，负载 {load:.1f}"


def replace_section(name: str, lines: Sequence[str]) -> None:
    """Put lines in place of those of BENCHMARKS.md between the two signs ``<!-- name -->``."""
    mark = f"<!-- {name} -->"
    before, _, rest = REPORT.read_text("utf-8").partition(mark)
    _, _, after = rest.partition(mark)
    REPORT.write_text("\n".join((before + mark, *lines, mark + after)), "utf-8")


def write(figures: dict[str, Any], section: str = "speed", command: str = "make bench") -> None:
    """Write figures as a table into a section of BENCHMARKS.md."""
    lines = [f"`{command}`，{dt.date.today()}，{machine()}", "", "| 项目 | 数值 |", "|---|---|"]
    lines += [f"| {name} | {value} |" for name, value in figures.items()]
    replace_section(section, lines)


def main() -> None:
    """Measure everything and write it down."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument("--keep", type=Path, help="资料库放在这里并保留")
    options = parser.parse_args()
    if not (options.shared / "corpus").is_dir():
        sys.exit(f"{options.shared}/corpus 不存在：用 --shared 指定语料文件夹")
    library = options.keep or Path(tempfile.mkdtemp(prefix="nemo-bench-"))
    figures: dict[str, Any] = {}
    steps: list[Callable[[], dict[str, Any]]] = [
        lambda: ingest(options.shared, library),
        lambda: cold(library),
        lambda: warm(options.shared, library),
    ]
    try:
        for step in steps:
            for name, value in step().items():
                figures[name] = value
                print(f"{name}: {value}")
    finally:
        if options.keep is None:
            shutil.rmtree(library, ignore_errors=True)
    write(figures)


if __name__ == "__main__":
    main()
