"""Processes that answer beside the owner of a library, on every core (多进程回答).

The owner alone commits; readers look only (:mod:`nemo.web.reader_process`). Each question takes along where the library
stands, so that whoever answers knows what was committed before it was asked. A text that was removed is gone for
everybody when :meth:`Library.remove` returns: until then the owner waits for the questions that were asked before, and
ends a reader that does not come back. A reader that dies is replaced and its question asked again.
"""

from __future__ import annotations

import json
import logging
import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from nemo.errors import ServiceError, of_code
from nemo.settings import PROJECT, Settings
from nemo.web.reader_process import ReaderReply, ReaderTask

if TYPE_CHECKING:
    from nemo.engine import Engine

log = logging.getLogger(__name__)

DEATHS = 2
"""A question that ended so many readers is not asked again."""

CONFIRM_SECONDS = 5.0
"""So long a removal waits for a question that was asked before it; then the reader is ended."""

START_SECONDS, FORK_SECONDS, END_SECONDS = 120.0, 20.0, 3.0
OVER_SECONDS = 10.0
"""A reader may pass the time limit of a question by so much, then it is taken for lost."""

SEED = "import sys; from nemo.web.reader_process import main; main(int(sys.argv[1]))"
"""Not run as a module: what it sends is known to both sides by the module's name."""

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"), "1")
"""One core for each reader: threads of libraries would only take turns with the other readers."""


def wanted(settings: Settings) -> int:
    """Return how many readers there shall be; 0 where questions are answered by the owner itself.

    By default one for every core, and none where there is but one or memory is short (a public demonstration). Models
    behind a pipe and services are the owner's: with one of them nothing is gained.
    """
    outside = (
        settings.embedder != "builtin" or settings.reranker not in ("domain", "none") or settings.renderer != "none"
    )
    if sys.platform != "linux" or outside:
        return 0
    cores = len(os.sched_getaffinity(0))
    default = 0 if settings.temporary or cores < 2 else cores
    return default if settings.readers is None else settings.readers


def beside(engine: Engine) -> None:
    """Have an engine's questions answered by readers: at once where a number is set, else when questions overlap."""
    most = wanted(engine.settings)
    if most and not engine.library.read_only:
        engine.elsewhere = ReaderPool(engine, most)
        engine.library.on_removal = engine.elsewhere.confirm
        if engine.settings.readers is not None:
            engine.elsewhere.start()


class LostReaderError(Exception):
    """A reader is gone that was not even asked."""


class Reader:
    """One living reader, as its owner sees it."""

    def __init__(self, line: Connection, process: int) -> None:
        self.line = line
        self.generation: int | None = None
        """Of the library when the question was asked that it is at; None when it is idle."""
        self._handle = os.pidfd_open(process)

    def ask(self, question: ReaderTask, seconds: float) -> ReaderReply:
        """Return the reply.

        Raises:
            LostReaderError: it had died before.
            EOFError, OSError: it died of it, or did not answer in time.
        """
        try:
            self.line.send(question)
        except OSError as error:
            raise LostReaderError from error
        if not self.line.poll(seconds):
            raise TimeoutError(f"no answer within {seconds:g} s")
        reply: ReaderReply = self.line.recv()
        return reply

    def kill(self) -> None:
        """End it at once."""
        try:
            signal.pidfd_send_signal(self._handle, signal.SIGKILL)
        except ProcessLookupError:  # it is gone already
            return

    def close(self) -> None:
        """Let it end; it does so when it reads the end of the line."""
        self.line.close()
        os.close(self._handle)


class Seed:
    """The process that forks readers. One request at a time."""

    def __init__(self, settings: Settings) -> None:
        """Start it and wait until it has opened the library.

        Raises:
            OSError: it did not.
        """
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        kept = {k: v for k, v in os.environ.items() if not k.startswith("NEMO_")}
        path = os.pathsep.join(filter(None, [str(PROJECT), kept.get("PYTHONPATH")]))
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603  (our own module)
                [sys.executable, "-c", SEED, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                env={**kept, **ONE_THREAD, "PYTHONPATH": path},
            )
        secrets = dict.fromkeys(
            ("api_token", "audit_key", "gemini_api_key", "google_search_api_key", "perplexity_api_key")
        )
        self._line.send(pickle.dumps(settings.model_copy(update=secrets)))
        self._answered(START_SECONDS)

    def reader(self, state: tuple[int, ...]) -> Reader:
        """Return a new reader that stands where the owner stands.

        Raises:
            OSError: the seed does not answer.
        """
        ours, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(self._line, [json.dumps(state).encode()], [theirs.fileno()])
            process = self._answered(FORK_SECONDS)
        return Reader(Connection(ours.detach()), process)

    def _answered(self, seconds: float) -> int:
        self._line.settimeout(seconds)
        told = self._line.recv(64)
        if not told:
            raise ConnectionResetError("the process that makes readers ended")
        return int(told)

    def close(self) -> None:
        """End it and wait for it."""
        self._line.close()
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class ReaderPool:
    """The readers of one engine. Thread-safe."""

    def __init__(self, engine: Engine, most: int) -> None:
        """Args: whose questions; how many readers."""
        self.most = most
        self.deaths = 0
        """Readers that were replaced because they had died."""
        self._engine = engine
        self._seconds = engine.settings.question_seconds + OVER_SECONDS
        self._seed: Seed | None = None
        self._seeding = threading.Lock()
        """Held by whoever speaks with the seed."""
        self._changed = threading.Condition()
        self._alive: list[Reader] = []
        self._idle: list[Reader] = []
        self._asking = 0
        self._starting: threading.Thread | None = None
        self._closed = False

    @property
    def alive(self) -> int:
        """How many readers there are."""
        return len(self._alive)

    def start(self) -> None:
        """Start the readers in the background; the owner answers until they are there. Again: nothing."""
        with self._changed:
            if self._starting is None and not self._closed:
                self._starting = threading.Thread(target=self._fill, name="nemo-readers", daemon=True)
                self._starting.start()

    def _fill(self) -> None:
        """Make as many readers as are wanted."""
        try:
            with self._seeding:
                if self._seed is None and not self._closed:
                    self._seed = Seed(self._engine.settings)
            while len(self._alive) < self.most and not self._closed:
                self._add()
        except (OSError, ValueError) as error:
            log.warning("no readers, questions are answered by the owner: %s", error)
            self._without_seed()

    def _add(self) -> None:
        with self._seeding:
            if self._seed is None:
                raise ConnectionResetError("closed")
            reader = self._seed.reader(self._engine.library.state)
        with self._changed:
            self._alive.append(reader)
            self._idle.append(reader)
            self._changed.notify_all()

    def _without_seed(self) -> None:
        """Give the seed up; the next overlap of questions starts another one."""
        with self._seeding:
            seed, self._seed = self._seed, None
        with self._changed:
            self._starting = None
            self._changed.notify_all()
        if seed is not None:
            seed.close()

    # --- asking

    def run(self, verb: str, given: tuple[Any, ...]) -> tuple[Any] | None:
        """See ``nemo.engine.Elsewhere``."""
        with self._changed:
            self._asking += 1
            overlap = self._asking > 1
        try:
            if overlap:
                self.start()
            return self._asked(verb, given)
        finally:
            with self._changed:
                self._asking -= 1

    def _asked(self, verb: str, given: tuple[Any, ...]) -> tuple[Any] | None:
        died = 0
        while died < DEATHS:
            reader = self._taken()
            if reader is None:
                return None
            reply: ReaderReply | None = None
            try:
                reply = reader.ask(ReaderTask(self._engine.library.state, verb, given), self._seconds)
            except (LostReaderError, EOFError, OSError) as error:
                log.warning("a reader is replaced: %r", error)
                self.deaths += 1
                died += not isinstance(error, LostReaderError)
                continue
            finally:
                if reply is None or reply.worn:
                    self._replaced(reader)
                else:
                    self._free(reader)
            for name, seconds in reply.stages:
                self._engine.parts.measures.stage(name, seconds)
            if reply.refusal is not None:
                raise of_code(*reply.refusal)
            return (reply.value,)
        raise ServiceError("回答这个问题的进程两次意外退出，没有答复。请换一种问法，并把日志交给管理员。")

    def _taken(self) -> Reader | None:
        """Return an idle reader, waiting for one; None where there is none to wait for."""
        with self._changed:
            self._changed.wait_for(lambda: self._idle or not self._alive)
            if not self._idle:
                return None
            reader = self._idle.pop()
            reader.generation = self._engine.library.generation
            return reader

    def _free(self, reader: Reader) -> None:
        with self._changed:
            reader.generation = None
            self._idle.append(reader)
            self._changed.notify_all()

    def _replaced(self, reader: Reader) -> None:
        """End a reader and make another one."""
        reader.kill()
        try:
            if not self._closed:
                self._add()
        except (OSError, ValueError) as error:
            log.warning("no other reader: %s", error)
            self._without_seed()
        with self._changed:
            self._alive.remove(reader)
            reader.close()
            self._changed.notify_all()

    # --- removing and ending

    def confirm(self, generation: int) -> None:
        """Return when nobody answers from what the library held before ``generation``."""

        def late() -> list[Reader]:
            return [r for r in self._alive if r.generation is not None and r.generation < generation]

        with self._changed:
            if self._changed.wait_for(lambda: not late(), CONFIRM_SECONDS):
                return
            for reader in late():
                reader.kill()
            self._changed.wait_for(lambda: not late())

    def close(self) -> None:
        """End every reader; questions still at work are ended with them."""
        self._closed = True
        if self._starting is not None:
            self._starting.join()
        with self._changed:
            for reader in self._idle:
                self._alive.remove(reader)
                reader.close()
            self._idle.clear()
            for reader in self._alive:  # whoever waits for it closes it
                reader.kill()
            self._changed.notify_all()
        self._without_seed()
