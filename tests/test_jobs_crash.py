"""kill -9 of the owner at random moments of a background ingestion, again and again on one library."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nemo import settings
from nemo.engine import Engine
from nemo.text.structure.passage import passage
from nemo.text.words.tokenise import terms
from nemo.types import Filters
from tests.jobs_owner import BROKEN

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = int(os.environ.get("NEMO_KILL_ROUNDS", "6"))
SEED = int(os.environ.get("NEMO_KILL_SEED", "11"))
ANY = Filters()


class Owners:
    """Starts owners and kills them."""

    def __init__(self, process: subprocess.Popen[str], log: Path) -> None:
        self._process = process
        self._log = log

    def _line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the process that starts owners has ended"
        if line.startswith("gone"):
            self._check_end(int(line.split()[1]))
        return line.strip()

    def _check_end(self, code: int) -> None:
        """An owner works until it is killed: any other end is a fault of its own, and is told from a signal."""
        if code == -signal.SIGKILL:
            return
        how = f"died of {signal.Signals(-code).name}" if code < 0 else f"ended by itself with {code}"
        raise AssertionError(f"the owner {how} and was not killed: {self._log.read_text()[-6000:]}")

    def killed(self, folder: Path, exact_rows: int, settled: int, seconds: float) -> list[str]:
        """Let an owner work until it has settled ``settled`` files (-1: until it opens) and a moment more; kill it.

        Returns:
            The names of the files that it settled.
        """
        assert self._process.stdin is not None
        self._process.stdin.write(f"{folder} {exact_rows}\n")
        self._process.stdin.flush()
        pid = int(self._line().split()[1])
        names: list[str] = []
        while self._line() != "open":
            pass  # nothing else is said before
        while len(names) < settled:
            line = self._line()
            names += [line[1:]] if line.startswith("+") else []
        time.sleep(seconds)
        os.kill(pid, signal.SIGKILL)
        while not (line := self._line()).startswith("gone"):
            names += [line[1:]] if line.startswith("+") else []
        return names


@contextmanager
def owners(log: Path) -> Iterator[Owners]:
    """Start the process that starts owners; what they complain of goes to ``log``."""
    command = [sys.executable, "-m", "tests.jobs_owner"]
    with log.open("w") as errors:
        process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True
        )
        try:
            yield Owners(process, log)
        finally:
            process.kill()
            process.wait()


def opened(folder: Path, exact_rows: int) -> Engine:
    return Engine.open(settings.load(library=folder, exact_rows=exact_rows, workers=0))


def sound(engine: Engine, every: int) -> None:
    """The integrity check has nothing to say, and what is held is found by its own vector and its own words."""
    engine.library.flush()
    assert engine.library.verify() == []
    for row in engine.regulations()[::every]:
        regulation = engine.library.regulation(row.id)
        chunk = engine.library.chunk(engine.library.chunk_ids(row.id)[-2])
        assert chunk is not None
        vector = engine.embedder.embed([passage(regulation, chunk)])[0]
        assert chunk.id in [i for i, _ in engine.library.dense(vector, 5, ANY)]
        assert chunk.id in [i for i, _ in engine.library.lexical(terms(chunk.text), 200, ANY)]


def held(engine: Engine) -> set[str]:
    return {row.file for row in engine.regulations()} | {failure.name for failure in engine.intake.failures()}


def test_kill_at_any_moment_of_ingestion(tmp_path: Path) -> None:
    """Every other round with the approximate index, whose files a kill tears."""
    chance = random.Random(SEED)
    acknowledged: set[str] = set()
    folder = tmp_path / "library"
    with owners(tmp_path / "errors.txt") as crew:
        for turn in range(ROUNDS):
            exact_rows = 0 if turn % 2 else 10**6
            settled = -1 if turn % 5 == 4 else chance.randrange(0, 3)
            names = crew.killed(folder, exact_rows, settled, chance.uniform(0, 0.25))
            acknowledged |= {name for name in names if not name.endswith(".zip")}
            with opened(folder, exact_rows) as engine:
                assert not any(file.state == "running" for batch in engine.intake.batches() for file in batch.files)
                assert acknowledged <= held(engine)
                sound(engine, 7)
    with opened(folder, 0) as engine:
        engine.resume()
        assert engine.intake.jobs.wait(120)
        files = [file for batch in engine.intake.batches() for file in batch.files]
        assert {file.name for file in files if file.state != "done"} <= {BROKEN}
        assert {o.name for file in files for o in file.outcomes} <= held(engine)
        assert list((engine.settings.raw_path / "staged").iterdir()) == []
        sound(engine, 1)
