"""A writer of its own thread: what is put is written soon, in batches, and nobody waits for the disk (后台写入).

Nothing is lost on a clean close: :meth:`WriteBehindQueue.close` writes what waits. A kill loses at most what was put in the last
``GATHER_SECONDS``. A disk that refuses is told once, what waits is kept and tried again.
"""

import logging
import threading
from collections import deque
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Generic, TypeVar

from nemo.errors import NemoError

logger = logging.getLogger(__name__)

GATHER_SECONDS = 0.5
"""How long the first item waits for company: one transaction and one fsync then serve them all."""

RETRY_SECONDS = 5.0

BATCH = 200

MOST = 5_000
"""At most this many items wait for a disk that refuses."""

Item = TypeVar("Item")


class WriteBehindQueue(Generic[Item]):
    """Writes items in the order they were put."""

    def __init__(self, write: Callable[[Sequence[Item]], None], report: Callable[[str], None]) -> None:
        self._write = write
        self._report = report
        self._waiting: deque[Item] = deque()
        self._writing = threading.Lock()
        self._state = threading.Lock()
        self._wake = threading.Event()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._troubled: str | None = None

    @property
    def trouble(self) -> str | None:
        """Why the disk refused the last try, in Chinese; None when it was written."""
        return self._troubled

    def waiting(self) -> list[Item]:
        """Return what is not written yet, oldest first."""
        with self._state:
            return list(self._waiting)

    def put(self, item: Item) -> None:
        """Have ``item`` written soon; costs microseconds."""
        with self._state:
            if len(self._waiting) >= MOST:
                self._report(f"等待写入的记录已有 {MOST} 条，新的一条未能留存。请尽快检查磁盘。")
                return
            self._waiting.append(item)
            if self._thread is None and not self._stop.is_set():
                self._thread = threading.Thread(target=self._run, name="nemo-write-behind", daemon=True)
                self._thread.start()
        self._wake.set()

    def flush(self) -> None:
        """Return when everything put before is written.

        Raises:
            ConfigError: the disk refuses; what waits is kept for the next try.
        """
        if self._waiting or self._writing.locked():
            self._drain()

    def close(self) -> None:
        """Write what waits and end the thread.

        Raises:
            ConfigError: the disk refuses; what waited is lost.
        """
        self._stop.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join()
        self.flush()

    def _run(self) -> None:
        while not self._stop.is_set():
            self._wake.wait()
            self._stop.wait(GATHER_SECONDS)
            self._wake.clear()
            try:
                self._drain()
            except NemoError as error:
                self._tell(error)
                self._wake.set()
                self._stop.wait(RETRY_SECONDS)

    def _drain(self) -> None:
        """Write all that waits; items leave the queue only when they are on disk."""
        with self._writing:
            while batch := self._first():
                try:
                    self._write(batch)
                except (ValueError, TypeError):  # one of them cannot be kept: find it, keep the others
                    for item in batch:
                        self._one(item)
                with self._state:
                    for _ in batch:
                        self._waiting.popleft()
                self._troubled = None

    def _one(self, item: Item) -> None:
        try:
            self._write([item])
        except (ValueError, TypeError) as error:
            logger.exception("an item cannot be kept")
            self._report(f"一条记录的内容无法保存（{error}），已放弃。")

    def _first(self) -> list[Item]:
        with self._state:
            return list(islice(self._waiting, BATCH))

    def _tell(self, error: NemoError) -> None:
        known, self._troubled = self._troubled, error.message
        if known is None:
            self._report(f"答复未能写入资料库，稍后重试：{error.message}")
