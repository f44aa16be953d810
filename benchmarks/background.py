"""Background ingestion of many mixed small files: peak memory of the owner, speed, and questions meanwhile.

    python -m benchmarks.background [--files 500] [--workers 2] [--articles 30] [--zip] [--page]

Invented texts as Markdown, GB18030 text, web pages, Word, PDF, OFD and zips of them, handed over as an upload is: one
after the other, or with ``--zip`` in one archive. Peak memory is the kernel's high-water mark of the owning process;
its workers are measured apart. With ``--page`` the app runs in this process and one of its pages is drawn again and
again, before and while the files are ingested.
"""

import argparse
import io
import itertools
import os
import statistics
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import docx
import psutil

from nemo.engine import Engine
from nemo.settings import load
from nemo.types import RawDocument
from tests.jobs_samples import archive, text
from tests.parse_samples import ofd, pdf

ROOT = Path(__file__).resolve().parent.parent
QUESTION = "光伏电站应当在几个工作日内办理登记"


def high_water() -> float:
    """Return the peak resident memory of this process in MiB."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("this kernel tells no high-water mark")


def as_docx(words: str) -> bytes:
    """Return a Word file."""
    document, buffer = docx.Document(), io.BytesIO()
    for line in filter(None, words.split("\n")):
        document.add_paragraph(line)
    document.save(buffer)
    return buffer.getvalue()


def as_html(words: str) -> bytes:
    """Return a web page."""
    rows = "".join(f"<p>{line}</p>" for line in words.split("\n") if line)
    return f"<html><meta charset=utf-8><title>办法</title><body><div class=content>{rows}</div></body></html>".encode()


def as_pdf(words: str) -> bytes:
    """Return a PDF with text."""
    title, *rows = filter(None, words.split("\n"))
    return pdf(rows, [title])


def as_ofd(words: str) -> bytes:
    """Return an OFD file."""
    lines = [line for line in words.split("\n") if line]
    pages = [lines[i : i + 20] for i in range(0, len(lines), 20)]
    return ofd([[(20.0, 20.0 + 12 * n, 4.0, line) for n, line in enumerate(page)] for page in pages])


KINDS: list[tuple[str, Callable[[str], bytes]]] = [
    ("md", str.encode),
    ("txt", lambda words: words.encode("gb18030")),
    ("html", as_html),
    ("docx", as_docx),
    ("pdf", as_pdf),
    ("ofd", as_ofd),
]


def files(count: int, articles: int) -> Iterator[RawDocument]:
    """Yield the files one after the other; every twentieth is a zip of three."""
    for seed in range(count):
        if seed % 20 == 19:
            members = {f"{seed}-{n}.md": text(10_000 + seed * 3 + n, articles) for n in range(3)}
            yield archive(f"{seed}.zip", members)
            continue
        ending, make = KINDS[seed % len(KINDS)]
        yield RawDocument.of(make(text(seed, articles)), f"{seed}.{ending}")


def asked(engine: Engine, until: Callable[[], bool], at_most: int) -> list[float]:
    """Ask once a quarter of a second; return the times in milliseconds."""
    taken = []
    while not until() and len(taken) < at_most:
        began = time.perf_counter()
        engine.ask(QUESTION)
        taken.append((time.perf_counter() - began) * 1000)
        time.sleep(0.25)
    return taken


class Crew(threading.Thread):
    """Watches the peak memory of the worker processes."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.peak = 0.0
        self.stop = threading.Event()

    def run(self) -> None:
        """Look three times a second."""
        while not self.stop.wait(0.3):
            for child in psutil.Process().children(recursive=True):
                try:
                    self.peak = max(self.peak, child.memory_info().rss / 2**20)
                except psutil.NoSuchProcess:
                    continue


def in_one(raws: Iterator[RawDocument]) -> RawDocument:
    """Return one archive of files, the archives among them included."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as container:
        for raw in raws:
            container.writestr(raw.name, raw.content)
    return RawDocument.of(out.getvalue(), "全部.zip")


class Redraw:
    """One session of the app in this process."""

    def __init__(self) -> None:
        from streamlit.testing.v1 import AppTest

        self._session = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
        self._session.switch_page("pages/library.py").run()

    def times(self, until: Callable[[], bool], at_most: int) -> list[float]:
        """Draw the list of the library once a fifth of a second; return the milliseconds of each."""
        taken = []
        while not until() and len(taken) < at_most:
            began = time.perf_counter()
            self._session.run()
            assert not self._session.exception
            taken.append((time.perf_counter() - began) * 1000)
            time.sleep(0.2)
        return taken


def main() -> None:
    """Ingest into a library that is thrown away."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=500)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--articles", type=int, default=30)
    parser.add_argument("--zip", action="store_true", help="everything in one archive")
    parser.add_argument("--page", action="store_true", help="draw a page of the app meanwhile instead of asking")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"NEMO_LIBRARY": f"{folder}/lib", "NEMO_WORKERS": str(options.workers)}
        if options.page:
            from nemo.ui.shared import frame

            page = Redraw()  # opens the engine, as the first visitor does
            with frame.engine() as engine:
                redraw(engine, page, options.files, options.articles)
            return
        with Engine.open(load(keep_answers=False)) as engine:
            measure(engine, options.files, options.articles, options.zip)


def redraw(engine: Engine, page: Redraw, count: int, articles: int) -> None:
    """Print what drawing a page takes, idle and while files are ingested, with the same number of rows."""
    engine.intake.enqueue(files(count // 4, articles))
    engine.intake.jobs.wait()
    idle = page.times(lambda: False, 30)
    engine.intake.enqueue(itertools.islice(files(count, articles), count // 4, None))
    began = time.monotonic()
    busy = page.times(lambda: engine.intake.jobs.wait(0), 10_000)
    seconds = time.monotonic() - began
    after = page.times(lambda: False, 30)
    reference = (statistics.median(idle) + statistics.median(after)) / 2
    print(
        f"load {os.getloadavg()[0]:.1f}; {count - count // 4} files in {seconds:.1f} s, {len(busy)} redraws meanwhile"
    )
    print(f"a redraw: idle {statistics.median(idle):.0f} ms before and {statistics.median(after):.0f} ms after, "
          f"{statistics.median(busy):.0f} ms while ingesting: {statistics.median(busy) / reference:.2f} times")  # fmt: skip


def measure(engine: Engine, count: int, articles: int, packed: bool) -> None:
    """Print what one ingestion takes."""
    print(f"load {os.getloadavg()[0]:.1f}; opened: owner {high_water():.0f} MiB")
    crew = Crew()
    crew.start()
    began = time.monotonic()
    engine.intake.enqueue([in_one(files(count, articles))] if packed else files(count, articles))
    print(f"handed over {count} files in {time.monotonic() - began:.1f} s: owner peak {high_water():.0f} MiB")
    busy = asked(engine, lambda: engine.intake.jobs.wait(0), 10_000)
    seconds = time.monotonic() - began
    crew.stop.set()
    idle = asked(engine, lambda: False, 20)
    (batch,) = engine.intake.batches()
    states = sorted({f"{o.state}" for o in batch.outcomes})
    print(f"ingested in {seconds:.1f} s ({count / seconds:.1f} files/s), {batch.chunks} chunks; outcomes {states}")
    print(f"regulations {len(engine.regulations())}, failures {[f.name for f in engine.intake.failures()][:5]}")
    print(f"owner peak {high_water():.0f} MiB; largest worker {crew.peak:.0f} MiB")
    print(f"a question: median {statistics.median(busy):.0f} ms while ingesting, {statistics.median(idle):.0f} ms idle")
    found = engine.library.verify()
    print(f"differences found by verify: {len(found)} {found[:3]}; owner peak {high_water():.0f} MiB")


if __name__ == "__main__":
    main()
