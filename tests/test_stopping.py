"""The process is told to end while it works: ingest stops, nothing is half stored, the library opens; and its log (停止、日志)."""

import json
import os
import signal
import socket
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from nemo import settings
from nemo.engine import Engine
from tests.browser import Server
from tests.security.served import BOUNDARY, FORM, QUESTION, TEXT, Reply, Target, filled
from tests.test_cli_owner import opened

MANY = 300


def upload() -> bytes:
    """The body of a form with many files, each a text of its own."""
    parts = [
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="{n}.md"\r\n'
        f"Content-Type: text/plain\r\n\r\n{TEXT.replace('门卫', f'门卫{n}号')}\r\n"
        for n in range(MANY)
    ]
    wait = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="wait"\r\n\r\ntrue\r\n'
    return ("".join(parts) + wait + f"--{BOUNDARY}--\r\n").encode()


def test_an_ingest_that_is_waited_for_ends_with_the_process(tmp_path: Path) -> None:
    """By Ctrl+C: its sender is told, the library closes cleanly, and holds what was stored before and nothing else."""
    library = tmp_path / "library"
    tokens = filled(library)
    server = Server(library, tmp_path / "log", env={"NEMO_WORKERS": "0"})
    replies: list[Reply] = []
    try:
        opened(library, server)
        target = Target(server.port, library, tokens)
        headers = [target.bearing("analyst"), ("Content-Type", FORM)]
        sender = threading.Thread(
            target=lambda: replies.append(target.send("POST", "/api/v1/ingest", headers, upload()))
        )
        sender.start()
        until = time.monotonic() + 120
        while held(target) < 3:
            assert time.monotonic() < until, "nothing was ingested"
            time.sleep(0.1)
        os.kill(server.pid, signal.SIGINT)
        sender.join(120)
        assert server._process.wait(120) == 0
    finally:
        server.stop()
    assert replies and "正在停止" in replies[0].error["message"]
    assert "再按一次 Ctrl+C" in server.log.read_text("utf-8")
    assert not (library / "owner.json").exists(), "it closed"
    with Engine.open(settings.load(library=library, workers=0)) as engine:
        stored = {r.file for r in engine.regulations()}
        assert 3 <= len(stored) < MANY
        assert engine.library.verify() == []


def held(target: Target) -> int:
    return len(json.loads(target.send("GET", "/api/v1/regulations").body)["regulations"])


@dataclass(frozen=True)
class Ended:
    """A server that answered a question and was then told to end while it waited for the rest of another one."""

    code: int
    library: Path
    trace: str
    log: str


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Ended:
    folder = tmp_path_factory.mktemp("ended")
    library = folder / "library"
    tokens = filled(library)
    env = {"NEMO_WORKERS": "0", "NEMO_LOG_FORMAT": "json", "NEMO_LOG_LEVEL": "INFO"}
    server = Server(library, folder / "log", env=env)
    try:
        opened(library, server)
        target = Target(server.port, library, tokens)
        asked = json.dumps({"question": QUESTION}).encode()
        reply = json.loads(target.send("POST", "/api/v1/query", [("Content-Type", "application/json")], asked).body)
        name, value = target.bearing("analyst")
        with socket.create_connection(("127.0.0.1", server.port), 120) as line:
            head = ["POST /api/v1/query HTTP/1.1", "Host: localhost", f"{name}: {value}", "Content-Length: 100"]
            line.sendall("\r\n".join([*head, "Expect: 100-continue", "", "{"]).encode())
            assert b" 100 " in line.recv(64), "its body is waited for"
            server.end()
            code = server._process.wait(120)
    finally:
        server.stop()
    return Ended(code, library, reply["trace_id"], server.log.read_text("utf-8"))


def test_a_request_that_never_ends_is_cut_and_the_library_closed(ended: Ended) -> None:
    """Who sends half a question and waits keeps nobody from a clean end."""
    assert ended.code == 0
    assert not (ended.library / "owner.json").exists(), "it closed"


def test_a_log_for_machines_has_a_line_with_the_trace_of_each_question(ended: Ended) -> None:
    """Each line is one object; none holds the question."""
    lines = [json.loads(line) for line in ended.log.splitlines() if line.startswith("{")]
    assert [line["message"].split(" in ")[0] for line in lines if line["trace_id"] == ended.trace] == [
        "question: answered"
    ]
    assert all(set(line) >= {"timestamp", "level", "logger", "message", "trace_id"} for line in lines)
    assert QUESTION not in ended.log
