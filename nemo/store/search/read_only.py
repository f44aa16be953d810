"""The indexes of a library that is only looked at: nothing in its folder is created, changed or mended (只读).

The lexical index is opened through links in a folder of our own, because opening it takes a lock file beside it. The
approximate index is not opened at all: a copy of it is examined in a child process when somebody asks for it, and
questions are answered by the exact product.
"""

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nemo.errors import ConfigError
from nemo.settings import Settings
from nemo.store.catalogue.catalogue import Catalogue
from nemo.store.files.lock import inhabited
from nemo.store.search.approximate.probe import Examination
from nemo.store.search.approximate.served import approximate_of
from nemo.store.search.dense import DenseIndexes
from nemo.store.search.indexes import Indexes
from nemo.store.search.lexical import DamagedIndexError, LexicalIndex
from nemo.store.search.replay import Note, missed
from nemo.store.search.view import View
from nemo.types import Progress

TRIES = 5
"""The owner may throw an index file away between our looking and our opening."""


@dataclass(frozen=True, slots=True)
class LexicalGap:
    """What the lexical index does not stand for."""

    trouble: str | None
    """Why it cannot be used at all, or does not belong to the catalogue."""
    touched: np.ndarray
    """First chunk numbers of regulations that it has yet to follow."""


class ReadOnlyIndexes(Indexes):
    """Reads what is there."""

    def __init__(self, settings: Settings, catalogue: Catalogue, note: Note) -> None:
        """Open what can be opened; what cannot is told by :meth:`gap`."""
        self._settings = settings
        self._catalogue = catalogue
        self._note = note
        self._own = tempfile.TemporaryDirectory(prefix="nemo-look-", ignore_cleanup_errors=True)
        self._trouble: str | None = None
        self.lexical = self._open_lexical()
        self.dense = DenseIndexes(catalogue, approximate_of(settings, catalogue, note), settings.exact_rows)

    def _open_lexical(self) -> LexicalIndex:
        for _ in range(TRIES):
            folder = Path(tempfile.mkdtemp(dir=self._own.name))  # its name is no other process's: see Library.follow
            for path in self._settings.lexical_path.glob("*"):
                if not path.name.endswith(".lock"):
                    (folder / path.name).symlink_to(path.resolve())
            try:
                found = LexicalIndex(folder)
            except DamagedIndexError as error:
                self._trouble = error.reason
            else:
                self._trouble = None  # the try before met a commit
                return found
        return LexicalIndex(Path(tempfile.mkdtemp(dir=self._own.name)))

    def follow(self, commit: int) -> None:
        """Open the lexical index anew, unless ``commit`` is what is open already.

        Raises:
            DamagedIndexError: it cannot be opened.
        """
        if commit != self.lexical.commit:
            before = self.lexical.folder
            self.reopen()
            shutil.rmtree(before, ignore_errors=True)

    def reopen(self) -> None:
        """Open the lexical index anew.

        Raises:
            DamagedIndexError: it cannot be opened.
        """
        self.lexical = self._open_lexical()
        if self._trouble is not None:
            raise DamagedIndexError(self._trouble)

    def gap(self, view: View) -> LexicalGap:
        """Return what the lexical index lacks for the generation that ``view`` shows."""
        if self._trouble is not None:
            return LexicalGap(f"字面索引已损坏（{self._trouble}）", np.empty(0, np.int64))
        due = missed(self._catalogue, self.lexical.state, view)
        wrong = "字面索引不属于当前目录库" if due.everything and view.chunks else None
        return LexicalGap(wrong, np.array(due.removed, np.int64))

    def examination(self, view: View) -> Examination:
        """Have a copy of the approximate index examined in a child process."""
        return self.dense.approximate.examined(view, inhabited(self._settings.home))

    def catch_up(self, view: View, *, approximate: bool) -> None:
        """Do nothing: whoever looks mends nothing."""

    def tidy(self, view: View) -> None:
        """Do nothing, see :meth:`catch_up`."""

    def rebuild(self, view: View, progress: Callable[[Progress], None] | None = None) -> None:
        """Refuse.

        Raises:
            ConfigError: always.
        """
        raise ConfigError("资料库以只读方式打开，不能重建索引。请在磁盘可写时重新启动后再试。")

    def close(self) -> None:
        """Throw the links away."""
        shutil.rmtree(self._own.name, ignore_errors=True)
