"""Owners of a library that ingest in the background until they are killed.

``python -m tests.jobs_owner`` loads the program once and then, for every line ``FOLDER EXACT_ROWS`` it reads, forks an
owner: a new process that opens the library, hands over files if nothing waits, and ingests with a worker process. The
owner says ``pid``, ``open``, ``queued`` and ``+file`` for each file that is settled; ``gone`` with its exit code follows its end.
"""

import faulthandler
import itertools
import os
import sys
import time
from pathlib import Path

from nemo import rules, settings
from nemo.embed import builtin
from nemo.engine import Engine
from nemo.store import library as library_module
from nemo.store.search.approximate import chroma
from nemo.types import RawDocument
from tests.jobs_samples import archive, raw, text
from tests.preloaded import ENGINE, preload

FILES = 24
BROKEN = "坏.pdf"


def files(turn: int) -> list[RawDocument]:
    """Return one batch: texts, of which every third takes the place of one of the turn before, an archive, a broken file."""
    first = turn * FILES
    plain = [raw(max(first + n - FILES, 0) if n % 3 == 2 else first + n, 4, edition=turn) for n in range(FILES)]
    packed = archive(f"包{turn}.zip", {f"内{turn}甲.md": text(900 + turn), f"内{turn}乙.md": text(950 + turn)})
    return [*plain, packed, RawDocument.of(b"\x00\x01\x02", BROKEN)]


def say(*words: object) -> None:
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def own(folder: Path, exact_rows: int) -> None:
    """Ingest until killed; indexes follow every few files instead of every two seconds, and write every few rows."""
    chroma.SYNC_ROWS, chroma.WAITING_ROWS = 6, 3
    library_module.FLUSH_SECONDS = 0.05
    engine = Engine.open(settings.load(library=folder, exact_rows=exact_rows, workers=1))
    said = {file.id for batch in engine.intake.batches() for file in batch.files if file.outcomes}
    say("open")
    for turn in itertools.count(len(engine.intake.batches())):
        if not engine.intake.batches(active=True):
            engine.intake.enqueue(files(turn), title=str(turn))
        engine.resume()
        say("queued")
        _tell(engine, said)


def _tell(engine: Engine, said: set[int]) -> None:
    """Name each file once it is newly settled; bring the approximate index up in between, as the end of a batch does."""
    while True:
        over = engine.intake.jobs.wait(0)
        batch = engine.intake.batches()[0]
        for file in batch.files:
            if file.outcomes and file.id not in said:
                said.add(file.id)
                say(f"+{file.name}")
        if over:
            return
        engine.library.flush()
        time.sleep(0.05)


def main() -> None:
    preload(ENGINE)
    given = settings.load()
    rules.load(given.rules)
    builtin.load(given)  # both are read once for every owner
    faulthandler.enable()  # an owner that dies of a fault in a native library says where
    for line in sys.stdin:
        folder, exact_rows = line.split()
        child = os.fork()
        if child == 0:
            say("pid", os.getpid())
            own(Path(folder), int(exact_rows))
        status = os.waitpid(child, 0)[1]
        say("gone", os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main()
