"""A web server on loopback that speaks whatever a test scripts: the outside world of the tests."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit


@dataclass
class Request:
    """What the server was asked."""

    method: str
    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]
    body: bytes = b""

    def json(self) -> dict:
        return json.loads(self.body)


@dataclass
class Answer:
    """What the server says; ``drip`` seconds between single bytes, ``cut`` ends the connection early."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    drip: float = 0.0
    cut: bool = False

    @classmethod
    def of(cls, value: object, status: int = 200, **more: object) -> Answer:
        body = json.dumps(value, ensure_ascii=False).encode()
        return cls(body, status, {"Content-Type": "application/json; charset=UTF-8"}, **more)  # type: ignore[arg-type]

    @classmethod
    def html(cls, text: str) -> Answer:
        return cls(text.encode(), 200, {"Content-Type": "text/html; charset=utf-8"})


class LocalServer:
    """Routes by path; every request is kept in ``seen``. A route is a function, an answer, or a list taken in turn."""

    def __init__(self) -> None:
        self.routes: dict[str, Callable[[Request], Answer] | Answer | list[Answer]] = {}
        self.seen: list[Request] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def answer(self, request: Request) -> Answer:
        route = self.routes.get(request.path, self.routes.get("*", Answer(b"", 404)))
        if isinstance(route, list):
            return route.pop(0) if len(route) > 1 else route[0]
        return route(request) if callable(route) else route

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def _serve(self) -> None:
                parts = urlsplit(self.path)
                length = int(self.headers.get("Content-Length") or 0)
                headers = {name.lower(): value for name, value in self.headers.items()}
                request = Request(self.command, parts.path, parse_qs(parts.query), headers, self.rfile.read(length))
                owner.seen.append(request)
                answer = owner.answer(request)
                time.sleep(answer.delay)
                with suppress(BrokenPipeError, ConnectionResetError):  # the client has had enough, as some tests want
                    self._say(answer)

            def _say(self, answer: Answer) -> None:
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(answer.body)))
                self.end_headers()
                if self.command == "HEAD":
                    return
                body = answer.body[: len(answer.body) // 2] if answer.cut else answer.body
                if not answer.drip:
                    self.wfile.write(body)
                    return
                for byte in body:
                    self.wfile.write(bytes([byte]))
                    self.wfile.flush()
                    time.sleep(answer.drip)

            do_GET = do_POST = do_HEAD = _serve

            def log_message(self, *_: object) -> None:
                pass

        return Handler

    def start(self) -> None:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def later(server: LocalServer) -> SimpleNamespace:
    """Return a clock, in place of ``time``, that is an hour on as soon as the server was asked: limits are over, nobody waits."""
    return SimpleNamespace(monotonic=lambda: time.monotonic() + 3600 * bool(server.seen))


@contextmanager
def serving() -> Iterator[LocalServer]:
    """Start a server for one test or one module."""
    server = LocalServer()
    server.start()
    try:
        yield server
    finally:
        server.stop()
