"""Uploaded files between the browser and the library (收件箱): on disk at once, under names of our own.

A file name is hostile input, so it is never used as a path: files are numbered and their names kept in a list
beside them. A batch that a crash cut short is still here at the next start and is taken up again.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, overload

from nemo.types import RawDocument

_LIST = "list.json"


class Upload(Protocol):
    """What a file uploader gives."""

    name: str

    def getvalue(self) -> bytes:
        """Return the content."""


@dataclass(frozen=True)
class Letter:
    """One batch on disk."""

    folder: Path
    names: tuple[str, ...]
    """File names as uploaded, without folders, in the order of the files."""
    facts: Mapping[str, object]
    """What the analyst said of every file of the batch."""

    def documents(self) -> Documents:
        """Return the files, each read when it is taken, so that not all are in memory at once."""
        return Documents(self)

    def discard(self) -> None:
        """Remove the batch from the disk; the library has its own copies by now."""
        shutil.rmtree(self.folder)


class Documents(Sequence[RawDocument]):
    """The files of a batch as raw documents."""

    def __init__(self, letter: Letter) -> None:
        self._letter = letter

    def __len__(self) -> int:
        return len(self._letter.names)

    @overload
    def __getitem__(self, index: int) -> RawDocument: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[RawDocument]: ...

    def __getitem__(self, index: int | slice) -> RawDocument | Sequence[RawDocument]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        name = self._letter.names[index]  # IndexError here ends an iteration
        return RawDocument.of((self._letter.folder / f"{range(len(self))[index]:06d}").read_bytes(), name)


def store(root: Path, uploads: Sequence[Upload], facts: Mapping[str, object]) -> Letter:
    """Write a batch under ``root``; its list is written last, so a batch without one was never complete."""
    root.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="batch-", dir=root))
    names = tuple(base_name(upload.name) for upload in uploads)
    for number, upload in enumerate(uploads):
        (folder / f"{number:06d}").write_bytes(upload.getvalue())
    listed = json.dumps({"names": names, "facts": dict(facts)}, ensure_ascii=True)
    (folder / "writing").write_text(listed, encoding="ascii")
    (folder / "writing").rename(folder / _LIST)
    return Letter(folder, names, facts)


def left_over(root: Path) -> list[Letter]:
    """Return the complete batches that an earlier process did not finish, oldest first, and clear the others."""
    found: list[Letter] = []
    folders = sorted(root.glob("batch-*"), key=lambda f: f.stat().st_mtime) if root.is_dir() else []
    for folder in folders:
        if not (folder / _LIST).is_file():
            shutil.rmtree(folder)
            continue
        listed = json.loads((folder / _LIST).read_text(encoding="ascii"))
        found.append(Letter(folder, tuple(listed["names"]), listed["facts"]))
    return found


def base_name(name: str) -> str:
    """Return the last part of a name that may carry a folder of any system; never empty."""
    return name.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1] or "未命名"
