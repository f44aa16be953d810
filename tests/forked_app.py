"""Apps that begin behind their imports: most of what a start costs is the same for all of them (应用进程).

``python -m tests.forked_app`` loads once what an app needs and then, for every line it reads (JSON: ``arguments`` of
Streamlit, ``env``, ``log``), forks a process that runs the app. It answers ``begun PID``; ``gone PID CODE`` follows its
end. :class:`Apps` is the other side of it. That an app starts from nothing is met by the tests that ask for it.
"""

import contextlib
import json
import os
import runpy
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from tests.preloaded import APP, preload

ROOT = Path(__file__).resolve().parent.parent


class Apps:
    """The process that forks apps; what it says of their ends is kept."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.forked_app"]
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._codes: dict[int, int] = {}
        self._said = b""

    def begin(self, arguments: Sequence[str], env: Mapping[str, str], log: Path) -> int:
        """Start an app; return the number of its process."""
        asked = json.dumps({"arguments": arguments, "env": dict(env), "log": str(log)})
        assert self._process.stdin is not None
        self._process.stdin.write(asked.encode() + b"\n")
        self._process.stdin.flush()
        while (begun := self._heard(60)) is None:
            pass
        return begun

    def code(self, pid: int, seconds: float) -> int | None:
        """Return how a process ended, None while it runs: waits for its end so long."""
        until = time.monotonic() + seconds
        while pid not in self._codes:
            left = until - time.monotonic()
            if self._heard(max(left, 0)) is None and left <= 0:
                return None
        return self._codes[pid]

    def _heard(self, seconds: float) -> int | None:
        """Hear one line, if one comes in time: return the number of a process that began, keep how one ended."""
        assert self._process.stdout is not None
        while b"\n" not in self._said:
            if not select.select([self._process.stdout], [], [], seconds)[0]:
                return None
            said = os.read(self._process.stdout.fileno(), 4096)
            assert said, "the process that forks apps has ended"
            self._said += said
        line, _, self._said = self._said.partition(b"\n")
        word, pid, *code = line.split()
        if word == b"begun":
            return int(pid)
        self._codes[int(pid)] = int(code[0])
        return None


@cache
def apps() -> Apps:
    """Return the one that this process has its apps from; it ends with this process."""
    return Apps()


class ForkedApp:
    """One app, with what :class:`subprocess.Popen` would say of it."""

    def __init__(self, arguments: Sequence[str], env: Mapping[str, str], log: Path) -> None:
        self.pid = apps().begin(arguments, env, log)

    def poll(self) -> int | None:
        return apps().code(self.pid, 0)

    def wait(self, seconds: float) -> int:
        code = apps().code(self.pid, seconds)
        if code is None:
            raise subprocess.TimeoutExpired("app", seconds)
        return code

    def terminate(self) -> None:
        self._signal(signal.SIGTERM)

    def kill(self) -> None:
        self._signal(signal.SIGKILL)

    def _signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)


def _say(*words: object) -> None:
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def _buried(*_: object) -> None:
    """Tell of every app that has ended."""
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            _say("gone", ended[0], os.waitstatus_to_exitcode(ended[1]))


def _run(arguments: list[str], env: dict[str, str], log: str) -> None:
    """Be the app: what it is told and where it writes is its own."""
    os.environ.clear()
    os.environ.update(env)
    for stream, path, how in ((0, os.devnull, os.O_RDONLY), (1, log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)):
        file = os.open(path, how, 0o644)
        os.dup2(file, stream)
        os.close(file)
    os.dup2(1, 2)
    sys.argv = ["streamlit", *arguments]
    runpy.run_module("streamlit", run_name="__main__", alter_sys=True)


def main() -> None:
    preload(APP)
    signal.signal(signal.SIGCHLD, _buried)
    while line := sys.stdin.readline():
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])  # it is told of before its end is
        if (child := os.fork()) == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])
            _run(**json.loads(line))
            return
        _say("begun", child)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])


if __name__ == "__main__":
    main()
