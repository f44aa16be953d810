"""Work on libraries that ends by SIGKILL just before a chosen step.

``python -m tests.kill_steps`` loads the program once and then, for every line ``WORK LAST FOLDER`` it reads, forks a
process that does the work and ends before step LAST (0: never). It answers ``done STEPS``, ``killed``, or ``failed CODE``.
"""

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import sqlalchemy as sa

from nemo.errors import BadRequestError
from nemo.store.files import backup as backups
from tests.jobs_samples import raw
from tests.preloaded import LIBRARY, preload
from tests.store_samples import opened, put, regulation


class Steps:
    """Counts steps that change the disk in this process, and ends it before one of them."""

    def __init__(self, last: int) -> None:
        self.count = 0
        self._last = last

    def step(self, *_: object) -> None:
        self.count += 1
        if self.count == self._last:
            os.kill(os.getpid(), signal.SIGKILL)

    def before(self, real: Callable[..., object]) -> Callable[..., object]:
        def stepped(*args: object, **named: object) -> object:
            self.step()
            return real(*args, **named)

        return stepped

    def watch(self) -> None:
        """Step before what lasts: forcing to disk, renaming, deleting, each statement that changes the catalogue, each commit."""
        os.fsync = self.before(os.fsync)  # type: ignore[assignment]
        for name in ("replace", "rename", "unlink"):
            setattr(Path, name, self.before(getattr(Path, name)))
        sa.event.listen(sa.engine.Engine, "commit", self.step)
        sa.event.listen(sa.engine.Engine, "before_cursor_execute", self._statement)

    def _statement(self, _connection: object, _cursor: object, statement: str, *_: object) -> None:
        if statement.split(None, 1)[0].upper() in ("INSERT", "UPDATE", "DELETE", "CREATE", "ALTER", "DROP"):
            self.step()


# --- the work: each may be begun again on whatever was left of it


def stores(folder: Path) -> None:
    with opened(folder) as library:
        for seed in (11, 12):
            put(library, regulation(seed, 3))
        put(library, regulation(11, 5, edition=1))


def removes(folder: Path) -> None:
    with opened(folder) as library:
        for row in list(library.rows())[:2]:
            library.remove(row.id)


def queues(folder: Path) -> None:
    with opened(folder) as library:
        library.jobs.add("0" * 16, "等待", [(raw(seed), {}) for seed in range(3)])
        parked = raw(9)
        library.jobs.park(parked)
        library.jobs.unpark(parked.sha256)


def migrates(folder: Path) -> None:
    with opened(folder):
        pass


def restores(folder: Path) -> None:
    backups.restore(folder.parent / "backup.zip", folder)


def backs_up(folder: Path) -> None:
    with opened(folder) as library:
        (folder.parent / "again.zip").unlink(missing_ok=True)
        library.backup(folder.parent / "again.zip")


WORKS: dict[str, Callable[[Path], None]] = {
    "storing": stores,
    "removing": removes,
    "queueing": queues,
    "migrating": migrates,
    "restoring": restores,
    "backing_up": backs_up,
}


def begun(work: Callable[[Path], None], folder: Path, last: int) -> int:
    """Do the work; return how many steps it took. A restore that was over before has nothing left to do."""
    steps = Steps(last)
    steps.watch()
    with suppress(BadRequestError):
        work(folder)
    return steps.count


def main() -> None:
    preload(LIBRARY)
    for line in sys.stdin:
        name, last, folder = line.split(maxsplit=2)
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.write(writer, str(begun(WORKS[name], Path(folder.strip()), int(last))).encode())
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader) as said:
            told = said.read()
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        answer = {0: f"done {told}", -signal.SIGKILL: "killed"}.get(code, f"failed {code}")
        print(answer, flush=True)


if __name__ == "__main__":
    main()
