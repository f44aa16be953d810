"""Starts apps that have loaded the program before: most of what a start costs is the same for each of them (预先载入).

``python -m tests.app_starter`` loads it once. For every connection it reads one line, an :class:`Order`, and forks a
process that goes on as ``python -m streamlit`` with these arguments does. It answers with the number of the process and,
when that has ended, with its exit code. Once nobody holds its standard input any more it ends, and the apps with it.
"""

import contextlib
import gc
import json
import logging
import os
import pkgutil
import runpy
import selectors
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple, NoReturn

from nemo import rules, settings, ui
from nemo.embed import builtin
from tests.preloaded import LIBRARY, preload

ROOT = Path(__file__).resolve().parent.parent

WEB = (
    "nemo.web.guard", "nemo.web.first_page", "nemo.web.refusals", "nemo.web.metrics", "nemo.web.readers", "nemo.web.api",
    "streamlit.web.cli", "streamlit.starlette", "streamlit.web.server.app_discovery", "starlette.middleware.sessions",
    "streamlit.web.server.starlette.starlette_agent_routes", "streamlit.components.v2.manifest_scanner",
    "streamlit.watcher.polling_path_watcher", "streamlit.runtime.scriptrunner.magic_funcs", "anyio._backends._asyncio",
    "uvicorn.loops.uvloop", "uvicorn.protocols.http.httptools_impl", "uvicorn.protocols.websockets.websockets_sansio_impl",
    "uvicorn.lifespan.on", "nemo.parse.pdf.reader", "nemo.rerank.domain", "nemo.rerank.strangeness", "docx", "networkx", "PIL.ImageDraw",
)  # fmt: skip
"""What serves pages and programs, beside the pages themselves; ``nemo.web.server``, which reads settings, is loaded by each app."""

UNFORKED = "onnxruntime"
"""Starts threads of its own when it is loaded; a fork that did not start them waits at its end for ever. Each app loads it itself."""


class Order(NamedTuple):
    """An app to start."""

    arguments: Sequence[str]
    """Behind ``python -m streamlit``."""
    env: Mapping[str, str]
    """All of its environment."""
    log: str
    """The file that takes what it prints."""


class Started:
    """An app that was ordered; like ``subprocess.Popen``."""

    def __init__(self, order: Order) -> None:
        self._line = socket.socket(socket.AF_UNIX)
        self._line.connect(starter())
        self._line.sendall(json.dumps(order).encode() + b"\n")
        self._told = self._line.makefile()
        self.pid = int(self._told.readline())
        self._handle: int | None
        try:
            self._handle = os.pidfd_open(self.pid)
        except ProcessLookupError:  # it has ended already
            self._handle = None
        self._code: int | None = None

    def poll(self) -> int | None:
        """Return the exit code, None while it runs."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self._code

    def wait(self, seconds: float) -> int:
        """Return the exit code; raises TimeoutExpired where it does not end in time."""
        if self._code is None:
            with selectors.DefaultSelector() as waiting:
                waiting.register(self._line, selectors.EVENT_READ)
                if not waiting.select(seconds):
                    raise subprocess.TimeoutExpired("streamlit", seconds)
            self._code = int(self._told.readline())
            self._told.close()
            self._line.close()
            if self._handle is not None:
                os.close(self._handle)
        return self._code

    def _signal(self, number: int) -> None:
        if self._code is None and self._handle is not None:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._handle, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self._signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it."""
        self._signal(signal.SIGKILL)


ADDRESS = "NEMO_TEST_APPS"
"""Environment: where apps are started for every worker of a run."""


@cache
def starter() -> bytes:
    """Return the address of the process that starts apps: of the run's, else of one that is started for this process."""
    if shared := os.environ.get(ADDRESS):
        return bytes.fromhex(shared)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("")  # a name of the system's choice, and no file
        listening.listen()  # who comes while it loads waits
        command = [sys.executable, "-m", "tests.app_starter", str(listening.fileno())]
        _HELD.append(subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, pass_fds=[listening.fileno()]))
        return bytes(listening.getsockname())


_HELD: list[subprocess.Popen[bytes]] = []
"""Keeps its standard input open."""


def serve(listening: socket.socket) -> None:
    """Start what is ordered until standard input ends."""
    waiting = selectors.DefaultSelector()
    waiting.register(listening, selectors.EVENT_READ)
    waiting.register(0, selectors.EVENT_READ)
    running: dict[int, tuple[int, socket.socket]] = {}
    """By the handle of a process: its number, and the line to who ordered it."""
    while True:
        for key, _ in waiting.select():
            if key.fileobj == 0:
                for process, _ in running.values():
                    os.kill(process, signal.SIGKILL)
                return
            if key.fileobj is not listening:
                _tell_end(*running.pop(key.fd))
                waiting.unregister(key.fd)
                os.close(key.fd)
                continue
            line = listening.accept()[0]
            with line.makefile() as said:
                order = Order(*json.loads(said.readline()))
            if (process := os.fork()) == 0:
                for each in (waiting, listening, line, *(other for _, other in running.values())):
                    each.close()
                for handle in running:
                    os.close(handle)
                become(order)
            line.sendall(f"{process}\n".encode())
            handle = os.pidfd_open(process)
            running[handle] = process, line
            waiting.register(handle, selectors.EVENT_READ)


def _tell_end(process: int, line: socket.socket) -> None:
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    with line, contextlib.suppress(BrokenPipeError):  # who ordered it has ended
        line.sendall(f"{code}\n".encode())


def become(order: Order) -> NoReturn:
    """Go on as ``python -m streamlit`` does."""
    for number, name in ((0, os.devnull), (1, order.log)):
        opened = os.open(name, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
        os.dup2(opened, number)
        os.close(opened)
    os.dup2(1, 2)
    os.environ.clear()
    os.environ.update(order.env)
    sys.path[1:1] = filter(None, order.env.get("PYTHONPATH", "").split(os.pathsep))
    sys.argv = ["streamlit", *order.arguments]
    runpy.run_module("streamlit", run_name="__main__", alter_sys=True)
    sys.exit()


def main() -> None:
    """Load the program, its rules and its own model, then serve at the socket with the number given."""
    logging.disable(logging.WARNING)  # Streamlit warns of pages without an app
    preload((*LIBRARY, "nemo.engine", *WEB, *(found.name for found in pkgutil.walk_packages(ui.__path__, "nemo.ui."))))
    logging.disable(logging.NOTSET)
    given = settings.load()
    rules.load(given.rules)
    builtin.load(given)
    gc.freeze()
    assert UNFORKED not in sys.modules
    with socket.socket(fileno=int(sys.argv[1])) as listening:
        serve(listening)


if __name__ == "__main__":
    main()
