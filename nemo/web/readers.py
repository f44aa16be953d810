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
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from nemo.errors import ServiceError, of_code
from nemo.services import tracing
from nemo.settings import PROJECT, Settings
from nemo.store.following import LibraryState
from nemo.web.reader_process import END, ReaderReply, ReaderTask

if TYPE_CHECKING:
    from nemo.engine import Engine

log = logging.getLogger(__name__)

DEATHS = 2
"""A question that ended so many readers is not asked again."""

IN_LINE = 3
"""So many questions a reader has at most, those that wait in its line included: it never waits for the owner's turn."""

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
    """A reader is gone that was not at the question; the question may be asked again."""


@dataclass(slots=True)
class PendingQuestion:
    """A question on its way through a reader."""

    task: ReaderTask
    reply: Future[ReaderReply] = field(default_factory=Future)


class Reader:
    """One living reader, as its owner sees it: it takes questions in order, the next ones wait in its line."""

    def __init__(
        self,
        line: Connection,
        process: int,
        seconds: float,
        on_change: Callable[[], None],
        on_end: Callable[[Reader], None],
    ) -> None:
        """Speak with a process.

        Args:
            line: to the process
            process: its number
            seconds: so long it may be at one question
            on_change: called after each reply and at the end
            on_end: called when it is gone, before its questions are told
        """
        self.waiting: deque[PendingQuestion] = deque()
        """What it was asked and has not answered, the one it is at first."""
        self.gone = False
        self.booked = 0
        """Questions that are sent or will be in a moment; counted by the pool, which chooses by it."""
        self._line = line
        self._handle = os.pidfd_open(process)
        self._seconds = seconds
        self._since = time.monotonic()
        self._sending = threading.Lock()
        self._on_change, self._on_end = on_change, on_end
        threading.Thread(target=self._listen, name="nemo-reader", daemon=True).start()

    def ask(self, task: ReaderTask) -> Future[ReaderReply]:
        """Send a question; its reply comes, or EOFError where the reader died of it, LostReaderError where it died before."""
        sent = PendingQuestion(task)
        with self._sending:
            if self.gone:
                sent.reply.set_exception(LostReaderError())
                return sent.reply
            if not self.waiting:
                self._since = time.monotonic()
            self.waiting.append(sent)
            with suppress(OSError):  # whoever listens meets the end of the line
                self._line.send(task)
        return sent.reply

    def _listen(self) -> None:
        """Hand replies out until the line ends; end a reader that stays too long at one question."""
        try:
            with suppress(EOFError, OSError):
                while True:
                    if self._line.poll(1.0):
                        reply: ReaderReply = self._line.recv()
                        self._since = time.monotonic()
                        self.waiting.popleft().reply.set_result(reply)
                        self._on_change()
                    elif self.waiting and time.monotonic() - self._since > self._seconds:
                        self.kill()
        finally:  # a reply that cannot be read, too: nobody waits for a reader that nobody listens to
            self._leave()

    def _leave(self) -> None:
        with self._sending:
            self.gone = True
            self._line.close()
            os.close(self._handle)
        try:
            self._on_end(self)
        finally:
            for place, left in enumerate(self.waiting):
                left.reply.set_exception(LostReaderError() if place else EOFError("it ended at the question"))
            self.waiting.clear()
            self._on_change()

    def kill(self) -> None:
        """End it at once."""
        with suppress(OSError):  # it is gone already
            signal.pidfd_send_signal(self._handle, signal.SIGKILL)


class ReaderSeed:
    """The process that forks readers. One request at a time."""

    def __init__(self, settings: Settings) -> None:
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

    def opened(self) -> None:
        """Return when it has opened the library.

        Raises:
            OSError: it did not.
        """
        self._answered(START_SECONDS)

    def kill(self) -> None:
        """End it at once: who waits for it meets the end of its line, its readers go on."""
        self._process.kill()

    def reader(
        self,
        state: LibraryState,
        seconds: float,
        on_change: Callable[[], None],
        on_end: Callable[[Reader], None],
    ) -> Reader:
        """Return a new reader that stands where the owner stands; for the rest see :class:`Reader`.

        Raises:
            OSError: the seed does not answer.
        """
        ours, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(self._line, [json.dumps(state).encode()], [theirs.fileno()])
            process = self._answered(FORK_SECONDS)
        return Reader(Connection(ours.detach()), process, seconds, on_change, on_end)

    def _answered(self, seconds: float) -> int:
        self._line.settimeout(seconds)
        received = self._line.recv(64)
        if not received:
            raise ConnectionResetError("the process that makes readers ended")
        return int(received)

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
        self.most = most
        self.deaths = 0
        """Readers that were replaced because they had died."""
        self._engine = engine
        self._seconds = engine.settings.question_seconds + OVER_SECONDS
        self._seed: ReaderSeed | None = None
        self._seeding = threading.Lock()
        """Held by whoever speaks with the seed."""
        lock = threading.RLock()
        self._changed = threading.Condition(lock)
        """For who waits until questions are answered."""
        self._room = threading.Condition(lock)
        """For who waits for a place in a line: one for each place."""
        self._readers: list[Reader] = []
        self._leaving: list[Reader] = []
        """Those that answer what they were asked and then end."""
        self._asking = 0
        self._starting: threading.Thread | None = None
        self._closed = False

    @property
    def alive(self) -> int:
        """How many readers there are."""
        return sum(not reader.gone for reader in self._readers)

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
                    self._seed = ReaderSeed(self._engine.settings)
                    if self._closed:  # meanwhile
                        self._seed.kill()
                    self._seed.opened()
                while self._seed is not None and len(self._readers) < self.most and not self._closed:
                    reader = self._seed.reader(self._engine.library.state, self._seconds, self._wake, self._ended)
                    with self._changed:
                        self._readers.append(reader)
                        self._room.notify_all()
        except (OSError, ValueError) as error:
            if not self._closed:
                log.warning("no readers, questions are answered by the owner: %s", error)
            self._without_seed()

    def _without_seed(self) -> None:
        """Give the seed up; the next overlap of questions starts another one."""
        with self._seeding:
            seed, self._seed = self._seed, None
        with self._changed:
            self._starting = None
        if seed is not None:
            seed.close()

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def _ended(self, reader: Reader) -> None:
        """Replace a reader that died, whoever ended it, before the question it was at is asked again."""
        self._replace(reader, "it died")

    # --- asking

    def run(self, verb: str, given: tuple[Any, ...], here: Callable[..., Any]) -> Any:
        """See ``nemo.answer.delegation.Elsewhere``; what is done here counts as a question at work, too."""
        with self._changed:
            self._asking += 1
            overlap = self._asking > 1
        try:
            if overlap:
                self.start()
            done = self._asked(verb, given)
            return done[0] if done else here(*given)
        finally:
            with self._changed:
                self._asking -= 1

    def _asked(self, verb: str, given: tuple[Any, ...]) -> tuple[Any] | None:
        died = 0
        while died < DEATHS:
            reader = self._booked()
            if reader is None:
                return None
            try:
                reply = reader.ask(ReaderTask(self._engine.library.state, verb, given)).result()
            except (LostReaderError, EOFError) as error:
                died += isinstance(error, EOFError)
                continue
            finally:
                with self._room:
                    reader.booked -= 1
                    self._room.notify()
            if reply.worn:
                self._replace(reader, None)
            for name, seconds, ended in reply.stages:
                self._engine.parts.measures.stage(name, seconds)
                tracing.past(name, seconds, ended)
            if reply.refusal is not None:
                raise of_code(*reply.refusal)
            return (reply.value,)
        raise ServiceError("回答这个问题的进程两次意外退出，没有答复。请换一种问法，并把日志交给管理员。")

    def _booked(self) -> Reader | None:
        """Return the reader with the fewest questions, with a place in its line; None where there is no reader.

        Of equals the youngest: a question that lost its reader is not asked of one that was ended together with it.
        """
        with self._room:
            while self._readers:
                living = [reader for reader in reversed(self._readers) if not reader.gone]
                reader = min(living, key=lambda each: each.booked, default=None)
                if reader is not None and reader.booked < IN_LINE:
                    reader.booked += 1
                    return reader
                self._room.wait()
        return None

    def _replace(self, reader: Reader, why: str | None) -> None:
        """Let a reader go, which ends when it has answered what it was asked, and make another one; once for each."""
        with self._changed:
            if reader not in self._readers:
                return
            self._readers.remove(reader)
            self._leaving = [each for each in (*self._leaving, reader) if not each.gone]
            self._room.notify_all()
            self._changed.notify_all()  # a removal that waits for it need not wait for the next one
        if why is None:
            reader.ask(ReaderTask(self._engine.library.state, END, ()))
        else:
            log.warning("a reader is replaced: %s", why)
            self.deaths += 1
        if self._seed is not None:
            self._fill()

    # --- removing and ending

    def confirm(self, generation: int) -> None:
        """Return when nobody answers from what the library held before ``generation``."""

        def late() -> list[Reader]:
            pending = [(reader, list(reader.waiting)) for reader in (*self._readers, *self._leaving)]
            return [reader for reader, waiting in pending if any(w.task.state.generation < generation for w in waiting)]

        with self._changed:
            if self._changed.wait_for(lambda: not late(), CONFIRM_SECONDS):
                return
            for reader in late():
                reader.kill()
            self._changed.wait_for(lambda: not late())

    def close(self) -> None:
        """End every reader; questions still at work are ended with them."""
        self._closed = True
        if (seed := self._seed) is not None:
            seed.kill()  # it may still be opening the library, which nobody needs any more
        if self._starting is not None:
            self._starting.join()
        self._without_seed()  # first: whoever is making a reader at this moment has made it then
        with self._changed:
            readers, self._readers = [*self._readers, *self._leaving], []
            self._room.notify_all()
        for reader in readers:
            reader.kill()
