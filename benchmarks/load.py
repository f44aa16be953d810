"""Many people at once: ``make bench-load``. A served library under load on this machine, bounded, over the loopback only.

    python -m benchmarks.load [--library FOLDER] [--clients 100] [--questions 1000] [--long 10000] [--python PEERS]

The golden questions are asked over HTTP by clients that each wait for their answer before they ask again. A question is
another one when its day is (the answer of no day is kept for another), so there are as many as are wanted. Beside what
clients see stands the processor time that a question takes in all processes of the server: that does not suffer from
whatever else the machine does, and tells what a quiet one would reach. ``--python`` names an interpreter with
``requirements-peers.txt``, fastapi and uvicorn: langchain's and llama-index's retrieval then serves the same questions.
"""

import argparse
import asyncio
import datetime as dt
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import quantiles
from typing import Any, NamedTuple

import psutil

from benchmarks.background import files
from benchmarks.speed import ROOT, write

HOST, PORT = "127.0.0.1", 8951
TOKEN = "demo-load"
START_SECONDS = 180.0
INGESTED = 200


class Measured(NamedTuple):
    """What clients met in one stretch."""

    seconds: float
    taken: list[float]
    """Seconds of each answered question."""
    outcomes: Counter[int]
    """By HTTP status; 0 for a connection that broke."""
    cpu: float
    """Seconds of processor time in all processes of the server."""

    def told(self) -> str:
        """Return the figures as a cell of the table."""
        cuts = quantiles(self.taken, n=100)
        wrong = sum(count for status, count in self.outcomes.items() if status != 200)
        told = f"{len(self.taken) / self.seconds:.0f} 问/秒，p50 {cuts[49]:.3f} 秒，p95 {cuts[94]:.3f} 秒，失败 {wrong}"
        return f"{told}，每问 CPU {self.cpu / len(self.taken) * 1000:.1f} 毫秒" if self.cpu else told


def asked(golden: Path) -> Iterator[dict[str, Any]]:
    """Yield golden questions without end; each round has another day."""
    rows = [json.loads(line) for line in (golden / "golden.jsonl").read_text("utf-8").splitlines()]
    fields = ("question", "province", "asset", "doc_class")
    for back in itertools.count():
        day = dt.date(2026, 11, 20) - dt.timedelta(days=back)
        for row in rows:
            yield {name: row[name] for name in fields} | {"as_of": day.isoformat()}


def repeating(questions: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield each question four times; three in four repeat."""
    for part in iter(lambda: list(itertools.islice(questions, 50)), []):
        yield from itertools.chain(part, part, part, part)


class Client:
    """One client with one connection."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, question: dict[str, Any]) -> int:
        """Return the HTTP status of the answer."""
        if self._line is None:
            self._line = await asyncio.open_connection(HOST, self._port)
        coming, going = self._line
        body = json.dumps(question).encode()
        going.write(
            f"POST /api/v1/query HTTP/1.1\r\nHost: {HOST}:{self._port}\r\nAuthorization: Bearer {TOKEN}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()
            + body
        )
        await going.drain()
        head = await coming.readuntil(b"\r\n\r\n")
        lines = head.decode("latin-1").lower().split("\r\n")
        length = next(int(line.split(":")[1]) for line in lines if line.startswith("content-length"))
        await coming.readexactly(length)
        return int(lines[0].split()[1])

    async def run(self, questions: Iterator[dict[str, Any]], into: Measured) -> None:
        """Ask until no question is left."""
        for question in questions:
            began = time.perf_counter()
            try:
                status = await self.ask(question)
            except (OSError, EOFError):
                status, self._line = 0, None
            into.outcomes[status] += 1
            into.taken.append(time.perf_counter() - began)

    def close(self) -> None:
        """Give the connection back."""
        if self._line is not None:
            self._line[1].close()


async def load(port: int, questions: Sequence[dict[str, Any]], clients: int) -> Measured:
    """Ask all questions by so many clients; the processor time is not in it yet."""
    waiting, found = iter(questions), Measured(0.0, [], Counter(), 0.0)
    crew = [Client(port) for _ in range(clients)]
    began = time.perf_counter()
    await asyncio.gather(*(client.run(waiting, found) for client in crew))
    for client in crew:
        client.close()
    return found._replace(seconds=time.perf_counter() - began)


class Served:
    """A server of its own process, with those it starts."""

    def __init__(self, process: subprocess.Popen[bytes], port: int) -> None:
        self.port = port
        self._process = process

    def all(self) -> list[psutil.Process]:
        """Return every living process of it."""
        first = psutil.Process(self._process.pid)
        return [first, *first.children(recursive=True)]

    def cpu(self) -> float:
        """Return the seconds of processor time that all of them took."""
        total = 0.0
        for one in self.all():
            try:
                spent = one.cpu_times()
            except psutil.NoSuchProcess:
                continue
            total += spent.user + spent.system
        return total

    def memory(self) -> float:
        """Return the MiB that all of them hold, what is shared counted once."""
        return sum(one.memory_full_info().pss for one in self.all()) / 2**20

    def load(self, questions: Sequence[dict[str, Any]], clients: int) -> Measured:
        """Ask; see :func:`load`."""
        before = self.cpu()
        found = asyncio.run(load(self.port, questions, clients))
        return found._replace(cpu=self.cpu() - before)


@contextmanager
def served(command: Sequence[str], port: int, ready: str, **env: str) -> Iterator[Served]:
    """Start a server and wait until it answers; end it whatever happens.

    Raises:
        RuntimeError: it ended, or never answered.
    """
    process = subprocess.Popen([*command], cwd=ROOT, env={**os.environ, **env})
    try:
        until = time.monotonic() + START_SECONDS
        while True:
            try:
                with urllib.request.urlopen(f"http://{HOST}:{port}{ready}", timeout=5):
                    break
            except OSError:
                if process.poll() is not None or time.monotonic() > until:
                    raise RuntimeError(f"no server: {' '.join(command)}") from None
                time.sleep(0.2)
        yield Served(process, port)
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()


def nemo(library: Path, readers: int, port: int = PORT) -> Any:
    """Serve a library."""
    command = [sys.executable, "-m", "nemo", "serve", "--port", str(port), "--library", str(library)]
    env = {"NEMO_API_TOKEN": TOKEN, "NEMO_WAITING": "500", "STREAMLIT_SERVER_HEADLESS": "true"}
    return served([*command, "--readers", str(readers)], port, "/api/v1/health", **env)


def upload(port: int, count: int) -> None:
    """Hand files over for ingestion in the background."""
    mark = uuid.uuid4().hex
    parts = [
        f'--{mark}\r\nContent-Disposition: form-data; name="files"; filename="{raw.name}"\r\n\r\n'.encode()
        + raw.content
        + b"\r\n"
        for raw in files(count, 30)
    ]
    headers = {"Content-Type": f"multipart/form-data; boundary={mark}", "Authorization": f"Bearer {TOKEN}"}
    body = b"".join(parts) + f"--{mark}--\r\n".encode()
    with urllib.request.urlopen(urllib.request.Request(f"http://{HOST}:{port}/api/v1/ingest", body, headers)) as reply:
        reply.read()


def jobs(port: int) -> int:
    """Return how many batches are being ingested."""
    request = urllib.request.Request(
        f"http://{HOST}:{port}/api/v1/jobs?active=true", headers={"Authorization": f"Bearer {TOKEN}"}
    )
    with urllib.request.urlopen(request) as reply:
        return len(json.load(reply)["jobs"])


def ingesting(server: Served, take: Callable[[int], list[dict[str, Any]]], clients: int) -> Measured:
    """Ask while files are ingested, until they are."""
    upload(server.port, INGESTED)
    found = Measured(0.0, [], Counter(), 0.0)
    while jobs(server.port):
        more = server.load(take(2 * clients), clients)
        found.taken.extend(more.taken)
        found.outcomes.update(more.outcomes)
        found = found._replace(seconds=found.seconds + more.seconds)  # processor time goes to parsing, too
    return found


class Told(dict[str, str]):
    """Figures by name; each is printed as soon as it is known."""

    def __setitem__(self, name: str, value: str) -> None:
        print(f"{name}: {value}（负载 {os.getloadavg()[0]:.0f}）", flush=True)
        super().__setitem__(name, value)


def figures(library: Path, options: argparse.Namespace) -> dict[str, str]:
    """Measure Nemo."""
    told = Told()
    source = asked(options.shared / "golden")

    def take(count: int) -> list[dict[str, Any]]:
        return list(itertools.islice(source, count))

    cores = len(os.sched_getaffinity(0))
    for readers in (0, cores):
        with nemo(library, readers) as server:
            name = f"{readers} 个回答进程" if readers else "只有主进程"
            server.load(take(3 * options.clients), options.clients)  # everything is loaded and the readers are there
            told[f"{name}，1 个用户"] = server.load(take(options.questions // 5), 1).told()
            told[f"{name}，{options.clients} 个用户，问题各不相同"] = server.load(
                take(options.questions), options.clients
            ).told()
            if not readers:
                continue
            again = list(itertools.islice(repeating(source), options.questions))
            told[f"{options.clients} 个用户，四问中三问重复"] = server.load(again, options.clients).told()
            told[f"{options.clients} 个用户，同时入库 {INGESTED} 个文件"] = ingesting(
                server, take, options.clients
            ).told()
            if options.long:
                server.load(take(1000), options.clients)  # every cache is full
                before = server.memory()
                server.load(take(options.long), options.clients)
                told[f"再问 {options.long} 问，全部进程内存（MiB）"] = f"{before:.0f} → {server.memory():.0f}"
    return told


def peers(options: argparse.Namespace) -> dict[str, str]:
    """Measure retrieval alone of other frameworks, each served by FastAPI in one process."""
    told = Told()
    for name in ("langchain", "llama-index"):
        command = [str(options.python), "-m", "benchmarks.peer_side", name, "best", "--serve", str(PORT + 1)]
        command += [
            "--corpus",
            str(options.shared / "corpus"),
            "--golden",
            str(options.shared / "golden"),
            "--out",
            "-",
        ]
        with served(command, PORT + 1, "/health", PYTHONPATH=str(ROOT)) as server:
            questions = list(itertools.islice(asked(options.shared / "golden"), options.questions // 5))
            told[f"{name} + FastAPI，只检索，{options.clients} 个用户"] = server.load(questions, options.clients).told()
    return told


def main() -> None:
    """Measure, print and write down."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument("--library", type=Path, help="a library that holds the corpus; it is copied")
    parser.add_argument("--clients", type=int, default=100)
    parser.add_argument("--questions", type=int, default=1_000)
    parser.add_argument("--long", type=int, default=10_000, help="0 leaves the long run out")
    parser.add_argument("--python", type=Path, help="an interpreter with the other frameworks")
    parser.add_argument("--dry", action="store_true", help="print only")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="nemo-load-") as made:
        library = Path(made) / "library"
        if options.library:
            shutil.copytree(options.library, library, ignore=shutil.ignore_patterns("owner.*"))
        else:
            corpus = options.shared / "corpus"
            command = ["ingest", str(corpus), "--manifest", str(corpus / "manifest.jsonl"), "--library", str(library)]
            subprocess.run([sys.executable, "-m", "nemo", *command], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        told = figures(library, options)
        if options.python:
            told |= peers(options)
    if not options.dry:
        write(told, "load", "make bench-load")


if __name__ == "__main__":
    main()
