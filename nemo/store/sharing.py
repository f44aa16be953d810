"""Several processes on one library (共用资料库): each has indexes of its own and follows what the others commit.

The catalogue's server says who may write when; a process that ends, however it ends, leaves nothing that others wait for.
What belongs to one process alone lies in its seat: a folder with the indexes, locked as a library's folder is.
"""

import logging
import re
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from nemo.errors import ConfigError, NemoError
from nemo.settings import Settings
from nemo.store.files import backup as backups
from nemo.store.files.disk import DiskRefusalError, storage_errors, write_atomically
from nemo.store.files.lock import LOCK, Ownership, Visit

log = logging.getLogger(__name__)

SEATS = "nodes"
CHAIN = "chain.id"
"""In the folder of a shared library: which chain of records its files belong to."""

FOLLOW_SECONDS = 1.0
"""How often a process looks what the others did, questions or not."""

EXPIRE_EVERY = 5
"""Every so many looks it looks for jobs whose process is gone."""


def seats(settings: Settings) -> Iterator[Path]:
    """Yield the folders in which a process of this machine may say where it answers."""
    if settings.database_url is None:
        yield settings.library
        return
    yield from sorted(_base(settings).glob(f"{_host()}-*"))


def _base(settings: Settings) -> Path:
    return settings.indexes or settings.library / SEATS


def _host() -> str:
    return re.sub(r"[^\w.]", "_", socket.gethostname()) or "host"


def seat(settings: Settings, *, read_only: bool) -> tuple[Settings, Ownership | Visit]:
    """Take the folder that is this process's own; return the settings that name it.

    Raises:
        NotFoundError: there is no library to look at.
        ConfigError: another process owns the folder, its catalogue is gone, or the disk refuses.
    """
    with storage_errors(settings.library):
        backups.refuse_unfinished(settings.library)
        if settings.database_url is None:
            (backups.require_library if read_only else backups.require_catalogue)(settings.library)
    if settings.database_url is None:
        return settings, Visit() if read_only else Ownership(settings.library)
    if read_only:
        taken = settings.indexes is not None and (settings.indexes / LOCK).exists()
        place = settings.indexes if taken else next(seats(settings), _base(settings) / f"{_host()}-0")
        return settings.model_copy(update={"indexes": place}), Visit()
    with storage_errors(settings.library):
        settings.library.mkdir(parents=True, exist_ok=True)
    for number in range(1000):
        place = _base(settings) / f"{_host()}-{number}"
        try:
            return settings.model_copy(update={"indexes": place}), Ownership(place)
        except DiskRefusalError:
            raise
        except ConfigError:  # a process of this machine sits there
            continue
    raise ConfigError(f"{_base(settings)} 里没有空位：本机已有上千个进程打开这个资料库。")


def require_same(library: Path, chain: str) -> None:
    """Refuse a folder whose files belong to another catalogue; a new one is marked.

    Raises:
        ConfigError: they do, or the disk refuses.
    """
    mark = library / CHAIN
    with storage_errors(library):
        found = mark.read_text("utf-8") if mark.exists() else None
        if found is None:
            write_atomically(mark, chain.encode())
    if found not in (None, chain):
        raise ConfigError(
            f"资料库文件夹 {library} 与 NEMO_DATABASE 不是同一个资料库（{str(found)[:12]}… 与 {chain[:12]}…），没有打开。"
            "请核对 NEMO_LIBRARY 与 NEMO_DATABASE：每个库名配一个文件夹。"
        )


SWEEP_EVERY = 600
"""Every so many looks it clears away bytes handed over for ingestion that nobody needs any more."""


class Follower:
    """A thread that calls a function every ``FOLLOW_SECONDS`` until it is closed; what it refuses is told once."""

    def __init__(self, follow: Callable[[int], None]) -> None:
        self._follow = follow
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="nemo-follower", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        number, troubled = 0, False
        while not self._stop.wait(FOLLOW_SECONDS):
            number += 1
            try:
                self._follow(number)
                troubled = False
            except NemoError as error:
                if not troubled:
                    log.warning("following pauses: %s", error.message)
                troubled = True

    def close(self) -> None:
        """End it."""
        self._stop.set()
        self._thread.join()
