"""Files made to hurt, one after the other through a running server: ``python -m benchmarks.hostile [NAME…]`` (恶意文件).

Of each file: what was answered, the CPU seconds and the largest memory of the server with its workers, and what is wrong
with what is held afterwards. Anything past a limit, half stored or silent ends with status 1. ``--uploads`` sends four
files of 300 MB at once and reports what the server took.
"""

import argparse
import http.client
import json
import sys
import tempfile
import threading
import time
import urllib.parse
import uuid
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from tests.browser import Server
from tests.hostile import FILES
from tests.hostile.containers import LAW

TOKEN = "demo-token"

MOST_CPU = 60.0
"""Seconds of CPU, of the server and its workers together, that one file may cost."""

MOST_MEMORY = 2048.0
"""MiB that the server and its workers together may hold: pages that they share are counted for each."""

SOUND = "健全.md"
"""A file that is sent first, and must be answered from until the end."""

QUESTION = "演示单位应当自收到演示通知之日起几个工作日内回复"


@dataclass
class Watch:
    """The processes of a server: what they used, and the most that they held at one time."""

    process: psutil.Process
    peak: float = 0.0
    _end: threading.Event = field(default_factory=threading.Event)

    def cpu(self) -> float:
        """Return the seconds of CPU so far, those of ended workers included."""
        used = self.process.cpu_times()
        alive = sum(sum(t.cpu_times()[:2]) for t in self._crew())
        return used.user + used.system + used.children_user + used.children_system + alive

    def _crew(self) -> list[psutil.Process]:
        return [p for p in self.process.children(recursive=True) if p.is_running()]

    def look(self) -> None:
        """Look five times a second until :attr:`_end`: two gibibytes are not filled in less, and a look costs ten milliseconds."""
        while not self._end.wait(0.2 if self.peak else 0):
            self.peak = max(self.peak, sum(map(_resident, [self.process, *self._crew()])) / 2**20)


def _resident(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.NoSuchProcess:
        return 0


@contextmanager
def watched(pid: int) -> Iterator[Watch]:
    """Watch a process and its children."""
    watch = Watch(psutil.Process(pid))
    looking = threading.Thread(target=watch.look, daemon=True)
    looking.start()
    try:
        yield watch
    finally:
        watch._end.set()
        looking.join()


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of one file."""

    name: str
    sent: int
    """Bytes."""
    status: int
    states: dict[str, int]
    told: str
    """The reason that was given first."""
    seconds: float
    cpu: float
    memory: float
    """MiB."""
    wrong: tuple[str, ...]


class Client:
    """Speaks to one server as a program with a token."""

    def __init__(self, server: Server) -> None:
        self._server = server

    def call(
        self, method: str, path: str, body: Any = b"", kind: str = "application/json"
    ) -> tuple[int, dict[str, Any]]:
        """Return the status and the JSON of a reply."""
        line = http.client.HTTPConnection("127.0.0.1", self._server.port, timeout=900)
        try:
            line.request(method, path, body, {"Content-Type": kind, "Authorization": f"Bearer {TOKEN}"})
            reply = line.getresponse()
            return reply.status, dict(json.loads(reply.read()))
        finally:
            line.close()

    def send(self, name: str, content: bytes) -> tuple[int, dict[str, Any]]:
        """Hand over one file and wait for the report."""
        mark = uuid.uuid4().hex
        shown = urllib.parse.quote(name) if not name.isprintable() else name
        head = f'--{mark}\r\nContent-Disposition: form-data; name="files"; filename="{shown}"\r\n\r\n'
        wait = f'--{mark}\r\nContent-Disposition: form-data; name="wait"\r\n\r\ntrue\r\n'
        body = wait.encode() + head.encode() + content + f"\r\n--{mark}--\r\n".encode()
        return self.call("POST", "/api/v1/ingest", body, f"multipart/form-data; boundary={mark}")

    def held(self) -> dict[str, str]:
        """Return the file of every regulation by its id."""
        return {row["id"]: row["file"] for row in self.call("GET", "/api/v1/regulations")[1]["regulations"]}

    def answered(self) -> bool:
        """Tell whether the sound text still answers."""
        found = self.call("POST", "/api/v1/query", json.dumps({"question": QUESTION}).encode())[1]
        return any("七个工作日" in each["direct_quote"] for each in found.get("citations", ()))


def judge(client: Client, pid: int, name: str, content: bytes, cpu: float = MOST_CPU) -> Judged:
    """Send one file and look at what it left; ``cpu`` is how many seconds it may cost."""
    before, staged = client.held(), Path(client._server.log).parent / "library" / "raw" / "staged"
    with watched(pid) as watch:
        began, used = time.monotonic(), watch.cpu()
        status, reply = client.send(name, content)
        seconds, used = time.monotonic() - began, watch.cpu() - used
    after, (_, checked) = client.held(), client.call("POST", "/api/v1/verify")
    outcomes = reply.get("files", [])
    stored = {i for o in outcomes if o["state"] in ("stored", "replaced") for i in o["regulation_ids"]}
    wrong = [
        *_silent(status, reply, outcomes),
        *([f"入库编号与资料库不符：{sorted(stored ^ (set(after) - set(before)))}"] if stored - set(before) != set(after) - set(before) else []),
        *([f"核对有差异：{checked.get('differences')}"] if checked.get("ok") is not True else []),
        *(["暂存有残留"] if staged.exists() and any(staged.iterdir()) else []),
        *([] if client.answered() else ["健全的文本不再作答"]),
        *([f"CPU {used:.0f} 秒"] if used > cpu else []),
        *([f"内存 {watch.peak:.0f} MiB"] if watch.peak > MOST_MEMORY else []),
    ]  # fmt: skip
    counts = {state: n for state, n in reply.get("counts", {}).items() if n}
    told = next((o["reason"] for o in outcomes if o["reason"]), reply.get("message", ""))
    return Judged(name, len(content), status, counts, told, seconds, used, watch.peak, tuple(wrong))


def _silent(status: int, reply: dict[str, Any], outcomes: Sequence[dict[str, Any]]) -> list[str]:
    """Return where somebody is not told what happened, why, and what to do next."""
    if status != 200:
        return [] if reply.get("error") and reply.get("message") else [f"HTTP {status} 没有说明"]
    if not outcomes:
        return ["没有结果"]
    failed = [o for o in outcomes if o["state"] == "failed"]
    return [
        f"失败没有原因或下一步：{o['name']}"
        for o in failed
        if not (_chinese(o["reason"]) and (o["tips"] or "请" in o["reason"]))
    ]


def _chinese(text: str | None) -> bool:
    return any("\u4e00" <= c <= "\u9fff" for c in text or "")


@contextmanager
def serving(folder: Path, **more: str) -> Iterator[tuple[Server, Client]]:
    """Start a server on a library that holds one sound text, without readers beside it: they read no file."""
    server = Server(
        folder / "library", folder / "log.txt", env={"NEMO_API_TOKEN": TOKEN, "NEMO_READERS": "0", **more}, wait=False
    )
    client = Client(server)
    try:
        server.wait(300)
        assert client.send(SOUND, LAW.replace("夹带", "健全").encode())[1]["counts"]["stored"] == 1
        yield server, client
    finally:
        server.stop()


def row(one: Judged) -> str:
    """Return a row of the table."""
    states = "，".join(f"{state} {n}" for state, n in one.states.items()) or f"HTTP {one.status}"
    told = f"{one.told[:60]}{'；**' + '；'.join(one.wrong) + '**' if one.wrong else ''}".replace("|", "\\|")
    return f"| {one.name} | {one.sent / 1024:,.0f} | {states} | {one.cpu:.1f} | {one.memory:.0f} | {told} |"


def uploads(server: Server, client: Client, count: int = 4, mebi: int = 300) -> None:
    """Print what the server takes while files come in that are too large, and that no single one may be."""
    content = b"x" * (mebi << 20)
    with watched(server.pid) as watch, ThreadPoolExecutor(count) as crowd:
        time.sleep(0.5)
        before = watch.peak
        found = list(crowd.map(lambda n: client.send(f"{n}.txt", content), range(count)))
    for status, reply in found:
        print(f"HTTP {status}: {reply.get('message') or reply.get('counts')}")
    print(f"memory of the server and its workers: {before:.0f} MiB before, at most {watch.peak:.0f} MiB")


def main() -> None:
    """Send, print the table, and end with the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="of files; none: all")
    parser.add_argument("--uploads", action="store_true", help="four uploads of 300 MB at once instead")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as passing, serving(Path(passing)) as (server, client):
        if wanted.uploads:
            uploads(server, client)
            return
        print("| 文件 | KiB | 结果 | CPU 秒 | 内存 MiB | 说明 |\n|---|---|---|---|---|---|")
        wrong = 0
        for name in wanted.names or FILES:
            one = judge(client, server.pid, name, FILES[name]())
            wrong += bool(one.wrong)
            print(row(one), flush=True)
    print(f"\n{len(wanted.names) or len(FILES)} files, {wrong} wrong")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
