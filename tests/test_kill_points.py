"""kill -9 at chosen points, each reached twice: every step that makes a file or a transaction last is one (断点强杀).

A process counts the steps that change the disk and ends itself by SIGKILL just before one of them; then a second one does
the same work on what the first left, and ends at the same point. What is left opens, complete and clean.
"""

import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from nemo.errors import ConfigError
from nemo.store.files import backup as backups
from tests.store_samples import fill, of_the_first_version, opened

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def told() -> Iterator[Callable[[str, int, Path], str]]:
    """Have work done on a folder that ends before a step; return what became of it."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.kill_steps"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None and process.stdout is not None
    asked, answers = process.stdin, process.stdout

    def tell(name: str, last: int, folder: Path) -> str:
        asked.write(f"{name} {last} {folder}\n")
        asked.flush()
        return answers.readline().strip()

    yield tell
    asked.close()
    process.wait(300)


# --- the libraries they begin with


def with_texts(folder: Path) -> None:
    with opened(folder / "library") as library:
        fill(library, 3)
        library.backup(folder / "backup.zip")


def of_an_older_version(folder: Path) -> None:
    of_the_first_version(folder / "library")


def with_a_backup_alone(folder: Path) -> None:
    with_texts(folder)
    shutil.rmtree(folder / "library")


WORKS: list[tuple[str, Callable[[Path], None], int]] = [
    ("storing", with_texts, 5),
    ("removing", with_texts, 0),
    ("queueing", with_texts, 3),
    ("migrating", of_an_older_version, 0),
    ("restoring", with_a_backup_alone, 3),
    ("backing_up", with_texts, 3),
]
"""Each with what it begins on, and how many texts it leaves; removing takes two of three away each time."""

POINTS = 6
"""Kills of each work, spread evenly over its steps."""


def check(folder: Path) -> None:
    """What was left opens and is clean, or says that a restore is to be begun again."""
    if (folder / backups.UNFINISHED).exists():
        with pytest.raises(ConfigError, match="restore"):
            opened(folder)
    elif (folder / backups.CATALOGUE).exists():
        with opened(folder) as library:
            assert library.verify() == []
    if (made := folder.parent / "again.zip").exists():
        with zipfile.ZipFile(made) as whole:
            assert whole.testzip() is None


@pytest.mark.parametrize(("name", "begin", "held"), WORKS, ids=[w[0] for w in WORKS])
def test_killed_twice_at_the_same_point(
    tmp_path: Path, told: Callable[[str, int, Path], str], name: str, begin: Callable[[Path], None], held: int
) -> None:
    (tmp_path / "begun").mkdir()
    begin(tmp_path / "begun")

    def copied(to: str) -> Path:
        return Path(shutil.copytree(tmp_path / "begun", tmp_path / to)) / "library"

    word, steps = told(name, 0, copied("counted")).split()
    assert word == "done" and int(steps) >= POINTS
    for point in sorted({1 + round(n * (int(steps) - 1) / (POINTS - 1)) for n in range(POINTS)}):
        folder = copied(str(point))
        assert told(name, point, folder) == "killed"
        assert told(name, point, folder).split()[0] in ("killed", "done")
        check(folder)
        assert told(name, 0, folder).startswith("done")
        with opened(folder) as library:
            assert len(library.rows()) == held or (name == "removing" and len(library.rows()) <= 1)
            assert library.verify() == []
