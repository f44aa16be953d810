"""The served program as an attacker meets it: raw requests to a process of its own, with any header he likes."""

import http.client
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nemo import accounts, settings
from nemo.accounts import OPERATOR, Role
from nemo.engine import Engine
from tests.browser import Server

TEXT = """演示门卫办法（演示文本）

第一条 本办法为演示文本，用于检验门卫。

第二条 演示电网企业应当自受理并网申请之日起十二个工作日内书面答复。

第三条 本办法自2024年3月1日起施行。
"""
QUESTION = "并网申请几个工作日内答复"
PASSWORD = "correct horse"

BOUNDARY = "----nemo"
FORM = f"multipart/form-data; boundary={BOUNDARY}"


def upload(name: str = "外来.md", text: str = TEXT) -> bytes:
    """The body of a form that hands over one file."""
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="{name}"\r\nContent-Type: text/plain\r\n\r\n'
    return f"{head}{text}\r\n--{BOUNDARY}--\r\n".encode()


@dataclass(frozen=True)
class Reply:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def error(self) -> dict[str, Any]:
        """The error in the form that every refusal has."""
        told: dict[str, Any] = json.loads(self.body)
        assert told["error"] is True and set(told) == {"error", "code", "message", "trace_id", "timestamp", "tips"}
        return told


@dataclass(frozen=True)
class Target:
    """A running server with its library and its tokens by role."""

    port: int
    library: Path
    tokens: Mapping[str, str]

    def send(
        self,
        method: str,
        path: str,
        headers: Iterable[tuple[str, str]] = (),
        body: bytes | Iterator[bytes] = b"",
        *,
        host: str | None = "",
    ) -> Reply:
        """Send one request; ``host`` None sends no Host, empty the right one. ``{port}`` in a header is filled in."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        line.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        given = [(name, value.replace("{port}", str(self.port))) for name, value in headers]
        if host is not None:
            given.insert(0, ("Host", host.replace("{port}", str(self.port)) if host else f"localhost:{self.port}"))
        chunked = not isinstance(body, bytes)
        if chunked:
            given.append(("Transfer-Encoding", "chunked"))
        elif (body or method == "POST") and "content-length" not in {name.lower() for name, _ in given}:
            given.append(("Content-Length", str(len(body))))
        for name, value in given:
            line.putheader(name, value.encode("latin-1", "replace"))
        with suppress(BrokenPipeError, ConnectionResetError):  # it has had enough of a body, and has answered
            line.endheaders(body or None, encode_chunked=chunked)
        answer = line.getresponse()
        found = Reply(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())
        line.close()
        return found

    def bearing(self, role: str) -> tuple[str, str]:
        """The header that shows a token."""
        return ("Authorization", f"Bearer {self.tokens[role]}")


def filled(library: Path) -> dict[str, str]:
    """Make a small library and return its tokens by role; ``revoked`` and ``expired`` open nothing."""
    source = library.parent / "办法.md"
    source.write_text(TEXT, "utf-8")
    with Engine.open(settings.load(library=library, workers=0)) as engine:
        engine.intake.ingest([source])
        keeper = engine.access.tokens
        made = {role.name.lower(): keeper.make(f"测试{role.title}", role, OPERATOR) for role in Role}
        made["revoked"] = keeper.make("已吊销", Role.ADMIN, OPERATOR)
        keeper.revoke("已吊销", OPERATOR)
    return made


@contextmanager
def serving(folder: Path, *, login: bool = False) -> Iterator[Target]:
    """Start the server on a small library, with a users file or without."""
    library = folder / "library"
    tokens = filled(library)
    users = None
    if login:
        users = folder / "users.toml"
        users.write_text(accounts.entry("王敏", Role.ADMIN, PASSWORD), "utf-8")
    server = Server(library, folder / "log", users=users, env={"NEMO_WORKERS": "0"})
    try:
        yield Target(server.port, library, tokens)
    finally:
        server.stop()
