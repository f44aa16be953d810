"""A process that answers beside the owner of a library and changes nothing (回答进程).

Started by :mod:`nemo.web.readers` as a seed: it opens the library read-only, loads what questions need, and forks a
reader whenever the owner asks for one, so that all readers share models, vectors and notes in memory. A reader follows
the state that comes with each question before it answers. All of them end when their line to the owner closes.
"""

import gc
import json
import os
import pickle
import signal
import socket
import sys
import time
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from typing import Any, NamedTuple, NoReturn

from nemo.answer.metrics import QuestionMetrics
from nemo.engine import Engine
from nemo.errors import NemoError
from nemo.services import logs
from nemo.settings import Settings
from nemo.store.following import LibraryState

WORN_SHARE = 0.25
"""A reader that read anew more than this share of the texts shares little memory: it asks to be replaced."""

LEAST_WORN = 100

SELDOM = (10_000, 20, 50)
"""A question makes some 50,000 small objects that die with it: looking for circles among them each 700 is in vain."""

END = ""
"""The verb after which a reader ends."""


class ReaderTask(NamedTuple):
    """What a reader is asked."""

    state: LibraryState
    """Of the owner at the moment of asking; the reader is never behind it when it answers."""
    verb: str
    """A method of the engine."""
    given: tuple[Any, ...]


class ReaderReply(NamedTuple):
    """What it says."""

    value: Any
    refusal: tuple[str, str, tuple[str, ...]] | None
    """Code, message and tips of an error that the question caused."""
    stages: list[tuple[str, float, int]]
    """Name and seconds of each stage, and when it ended in nanoseconds since 1970."""
    worn: bool
    """It wants to be replaced by a fresh one."""


@dataclass
class StageTimes(QuestionMetrics):
    """Keeps the seconds of the stages of one question for the owner, who counts."""

    kept: list[tuple[str, float, int]]

    def stage(self, name: str, seconds: float) -> None:
        """See :class:`QuestionMetrics`."""
        self.kept.append((name, seconds, time.time_ns()))


def main(descriptor: int) -> None:
    """Open the library and fork readers until the line to the owner closes.

    Its first message is the settings; every other one asks for a reader, with the state it must have and, beside
    it, the line it shall speak on. Each is answered by a number: 0, then the reader's process.
    """
    for number in (signal.SIGINT, signal.SIGTERM):  # they are for the owner, who closes the line when it is done
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # readers that end leave nothing behind
    owner = socket.socket(fileno=descriptor)
    settings: Settings = pickle.loads(owner.recv(1 << 16))  # noqa: S301  (from the process that started this one)
    logs.configure(settings)
    gc.set_threshold(*SELDOM)
    engine = Engine.open(settings, read_only=True)
    engine.reader()
    engine.library.preload(getattr(engine.parts.reranker, "notes", None))
    owner.send(b"0")
    while True:
        wanted, lines, _, _ = socket.recv_fds(owner, 1 << 12, 1)
        if not wanted:
            break
        engine.library.follow(LibraryState(*json.loads(wanted)))
        engine.library.disconnect()  # no connection to the database may be shared by two processes
        gc.collect()
        gc.freeze()  # the collector would write to every object, and with that copy what is shared
        if (made := os.fork()) == 0:
            owner.close()
            _forked(engine, Connection(lines[0]))
        os.close(lines[0])
        owner.send(str(made).encode())
    engine.close()


def _forked(engine: Engine, owner: Connection) -> NoReturn:
    """Answer, and end without what the seed does at its end."""
    try:
        serve(engine, owner)
    finally:
        if (trouble := sys.exc_info())[0] is not None:
            sys.excepthook(*trouble)
        os._exit(trouble[0] is not None)


def serve(engine: Engine, owner: Connection) -> None:
    """Answer until the line closes."""
    times = StageTimes([])
    engine.parts = replace(engine.parts, measures=times)
    engine.library.reconnect()
    followed = 0
    while True:
        try:
            asked: ReaderTask = owner.recv()
        except EOFError:
            return
        if asked.verb == END:
            return
        times.kept = []
        followed += engine.library.follow(asked.state)
        value, refusal = None, None
        try:
            value = getattr(engine, asked.verb)(*asked.given)
        except NemoError as error:
            refusal = error.code, error.message, error.tips
        worn = followed > max(LEAST_WORN, WORN_SHARE * len(engine.library.rows()))
        owner.send(ReaderReply(value, refusal, times.kept, worn))
