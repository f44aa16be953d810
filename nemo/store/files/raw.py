"""The bytes of every file as they came, named by their hash (原始文件).

A file lies in ``raw/<aa>/<sha256>``, as it came or, where that saves a fifth, as gzip of it: the name is the hash of what
came, and tells which of both it is. Between the disk and the catalogue stands ``raw/pending``: new bytes wait there
until their row is committed, and bytes to be deleted wait there while their row is being removed. So one rule mends
what a crash left: a pending file with a row is moved home, one without is deleted.
"""

import gzip
import hashlib
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

from nemo.errors import ConfigError, NotFoundError
from nemo.store.files.disk import storage_errors, sync_folder, write_durably

PENDING = "pending"
SAMPLE = 256 * 1024
"""Bytes from which it is told whether packing pays: text, HTML and old Word do, PDF and the packed formats do not."""
SAVED = 0.2
"""Share of its bytes that packing must save."""


def packed(content: bytes) -> bytes:
    """Return bytes as they are kept: as gzip when that saves enough, else as they are."""
    for part in (content[:SAMPLE], content)[len(content) <= SAMPLE :]:
        made = gzip.compress(part, 6, mtime=0)
        if len(made) > (1 - SAVED) * len(part):
            return content
    return made


def unpacked(sha256: str, kept: bytes) -> bytes | None:
    """Return the bytes with a hash from what is kept of them, None when it is something else."""
    if hashlib.sha256(kept).hexdigest() == sha256:
        return kept
    try:
        content = gzip.decompress(kept)
    except (OSError, EOFError, zlib.error):
        return None
    return content if hashlib.sha256(content).hexdigest() == sha256 else None


class RawFolder:
    """The folder of raw files of one library."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._pending = folder / PENDING

    def _home(self, sha256: str) -> Path:
        return self._folder / sha256[:2] / sha256

    def put(self, sha256: str, content: bytes) -> None:
        """Store bytes durably, pending until :meth:`settle`; bytes that are already home stay there.

        Raises:
            ValueError: the hash is not the content's.
        """
        if hashlib.sha256(content).hexdigest() != sha256:
            raise ValueError(f"content does not have the hash {sha256}")
        with storage_errors(self._folder):
            if not self._home(sha256).exists():
                write_durably(self._pending / sha256, packed(content))

    def settle(self, sha256: str) -> None:
        """Move pending bytes home, their row being committed. Not forced to disk: undone, it is done at the next start."""
        with storage_errors(self._folder):
            if (self._pending / sha256).exists():
                self._move_home(sha256)

    def _move_home(self, sha256: str) -> None:
        home = self._home(sha256)
        home.parent.mkdir(parents=True, exist_ok=True)
        (self._pending / sha256).replace(home)

    def withdraw(self, sha256: str) -> None:
        """Move bytes to the pending place before their row is removed."""
        with storage_errors(self._folder):
            if self._home(sha256).exists():
                self._pending.mkdir(parents=True, exist_ok=True)
                self._home(sha256).replace(self._pending / sha256)
                sync_folder(self._pending)

    def discard(self, sha256: str) -> None:
        """Delete pending bytes, no row naming them."""
        with storage_errors(self._folder):
            (self._pending / sha256).unlink(missing_ok=True)

    def recover(self, recorded: Callable[[str], bool]) -> None:
        """Finish what a crash left half done; ``recorded`` tells whether the catalogue has a row for a hash."""
        with storage_errors(self._folder):
            waiting = list(self._pending.iterdir()) if self._pending.is_dir() else []
            for path in waiting:
                if recorded(path.name):
                    self._move_home(path.name)
                else:
                    path.unlink()

    def read(self, sha256: str) -> bytes:
        """Return the bytes, checked against their hash.

        Raises:
            ConfigError: the file on disk was changed or damaged.
        """
        found = next((p for p in (self._home(sha256), self._pending / sha256) if p.exists()), None)
        if found is None:
            raise NotFoundError(f"资料库中没有原始文件 {sha256[:12]}…。请重新上传该文件。")
        with storage_errors(self._folder):
            content = unpacked(sha256, found.read_bytes())
        if content is None:
            raise ConfigError(f"原始文件 {found} 已损坏：内容与入库时的校验值不符。请从备份恢复该文件，或重新上传。")
        return content

    def names(self) -> Iterator[str]:
        """Yield the hash of every file that is home."""
        for folder in sorted(self._folder.glob("[0-9a-f][0-9a-f]")):
            yield from sorted(path.name for path in folder.iterdir())
