"""The bytes of files that wait to be ingested, named by their hash, in ``raw/staged`` (待入库的文件).

They are on disk before the row that names them is committed, and deleted after the last row that needs them is
settled. So one rule mends what a crash left: a staged file that no row needs is deleted.
"""

import hashlib
import threading
import time
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from nemo.errors import NotFoundError
from nemo.store.files.disk import flush, storage_errors, sync_folder

STAGED = "staged"


class Staging:
    """The folder of staged files of one library."""

    def __init__(self, raw: Path, keep_seconds: float = 0.0) -> None:
        """Use a folder inside that of raw files.

        What was put less than ``keep_seconds`` ago is not deleted: another process may be about to name it.
        """
        self._folder = raw / STAGED
        self._keep_seconds = keep_seconds

    def put(self, sha256: str, content: bytes) -> None:
        """Write bytes through to the disk; their name is only safe after :meth:`sync`.

        Raises:
            ConfigError: the disk refuses; nothing is left behind.
        """
        target = self._folder / sha256
        with storage_errors(self._folder.parent):
            if target.exists() and target.stat().st_size == len(content):
                target.touch()
                return
            self._folder.mkdir(parents=True, exist_ok=True)
            partial = target.with_suffix(f".{threading.get_ident()}.partial")
            try:
                with partial.open("wb") as file:
                    file.write(content)
                    flush(file)
                partial.replace(target)
            except OSError:
                partial.unlink(missing_ok=True)
                raise

    def place(self, sha256: str) -> Path:
        """Return where staged bytes lie."""
        return self._folder / sha256

    def sync(self) -> None:
        """Make the names of everything put so far survive a power cut: once a batch, not once a file."""
        with storage_errors(self._folder.parent):
            if self._folder.is_dir():
                sync_folder(self._folder)

    def read(self, sha256: str) -> bytes | None:
        """Return staged bytes, None when there are none or a power cut left them incomplete."""
        path = self._folder / sha256
        with storage_errors(self._folder.parent):
            try:
                content = path.read_bytes()
            except FileNotFoundError:
                return None
        return content if hashlib.sha256(content).hexdigest() == sha256 else None

    def discard(self, sha256: str) -> None:
        """Delete staged bytes; deleting again does nothing."""
        target = self._folder / sha256
        with storage_errors(self._folder.parent), suppress(FileNotFoundError):
            if not self._keep_seconds or time.time() - target.stat().st_mtime > self._keep_seconds:
                target.unlink()

    def sweep(self, needed: Collection[str]) -> int:
        """Delete everything staged that is not ``needed``; return how many files that were."""
        gone = [path.name for path in self._files() if path.name not in needed]
        for name in gone:
            self.discard(name)
        return len(gone)

    def names(self) -> list[str]:
        """Return the hash of every staged file, in order; what is still being written is left out."""
        return [path.name for path in self._files() if not path.suffix]

    def _files(self) -> list[Path]:
        with storage_errors(self._folder.parent):
            return sorted(self._folder.iterdir()) if self._folder.is_dir() else []


def lost(name: str) -> NotFoundError:
    """Return the error for a job whose bytes are nowhere."""
    return NotFoundError(f"“{name}”的内容没有留存，无法入库。请重新上传。")
