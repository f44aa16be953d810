"""Keeps the derived indexes at the catalogue's generation: one way for ordinary writing, recovery and rebuilding.

An index says which generation it stands for. Whatever happened after it is replayed from the library's history; an
index that never belonged to this library, or is damaged, is set aside and built anew from the catalogue, visibly.
"""

import json
import logging
import random
import time
from collections.abc import Callable, Iterator

import numpy as np

from nemo.errors import ConfigError, NotFoundError
from nemo.settings import Settings
from nemo.store.catalogue.catalogue import Catalogue
from nemo.store.catalogue.rows import RegulationBody, RegulationRow
from nemo.store.files.disk import file_table, set_aside, storage_errors, write_atomically
from nemo.store.search.approximate.served import approximate_of
from nemo.store.search.dense import DenseIndexes
from nemo.store.search.lexical import DamagedIndexError, LabelledText, LexicalIndex
from nemo.store.search.replay import IndexBacklog, Note, missed
from nemo.store.search.view import View
from nemo.types import Progress

_log = logging.getLogger(__name__)

TIDY_CHUNKS = 100_000
"""Up to so many chunks the lexical index is written anew when texts went or it lies in pieces (about 11 s of one core);
larger ones keep what they deleted in their statistics, and their pieces, until ``reindex``."""

SCATTERED = 0.2
"""From this share of the chunks in pieces beside the largest on it is written anew: a library grows by a quarter between."""

SAMPLE = 100
"""Regulations that an index in doubt is asked for."""


class Indexes:
    """The lexical and the dense indexes of one library; one writer at a time."""

    def __init__(self, settings: Settings, catalogue: Catalogue, note: Note) -> None:
        """Open what is there; an index that cannot be opened is set aside and starts empty."""
        self._settings = settings
        self._catalogue = catalogue
        self._note = note
        self._record = settings.home / "lexical.json"
        self._doubtful = not self._unchanged()
        self.lexical = self._open_lexical()
        self.dense = DenseIndexes(catalogue, approximate_of(settings, catalogue, note), settings.exact_rows)

    def _open_lexical(self) -> LexicalIndex:
        try:
            return LexicalIndex(self._settings.lexical_path)
        except DamagedIndexError as error:
            return self._new_lexical(error.reason)

    def _new_lexical(self, reason: str) -> LexicalIndex:
        folder = self._settings.lexical_path
        with storage_errors(folder):
            place = set_aside(folder)
        _log.warning("lexical index set aside: %s", reason)
        self._note("lexical_rebuilt", f"字面索引已损坏或由另一版本写成，移到 {place.name}，正从目录库重建。")
        return LexicalIndex(folder)

    def _unchanged(self) -> bool:
        """Tell whether the lexical index was closed in order and nobody touched its files since."""
        folder = self._settings.lexical_path
        if not folder.exists():
            return True
        try:
            recorded = json.loads(self._record.read_bytes())
        except (OSError, ValueError):
            return False
        return bool(recorded == file_table(folder))

    def catch_up(self, view: View, *, approximate: bool) -> None:
        """Bring the indexes to the library's generation, which ``view`` shows.

        Without ``approximate`` that index stays behind, and the exact product answers in its place.

        Raises:
            ConfigError: the disk refuses; the next call or the next start goes on from where this one stopped.
        """
        try:
            if not self.lexical.sound:
                raise DamagedIndexError("检索时发现")
            self._catch_up_lexical(view)
            if self._doubtful and (wrong := self.lexical_trouble(view)):
                raise DamagedIndexError(wrong)
        except ConfigError as error:
            if not (self._doubtful or isinstance(error, DamagedIndexError)):
                raise  # the disk refuses; after a crash it may as well be what the crash left in the folder
            self.lexical = self._new_lexical(getattr(error, "reason", error.message))
            self._catch_up_lexical(view)
        self._doubtful = False
        if approximate:
            self.dense.approximate.catch_up(view)

    def _catch_up_lexical(self, view: View) -> None:
        due = missed(self._catalogue, self.lexical.state, view)
        if due.everything:
            self._note("lexical_rebuilt", "字面索引不属于当前目录库（目录库可能是从备份恢复的），已从目录库重建。")
        if due.state != self.lexical.state:
            self._write_lexical(due)

    def lexical_trouble(self, view: View) -> str | None:
        """Ask the lexical index for all its entries and for a sample of chunks by their words; return what is wrong."""
        if not np.array_equal(self.lexical.numbers(), view.numbers(view.by_id).each()):
            return "条目与目录不符"
        chance = random.Random(view.generation)  # noqa: S311  # a sample
        for row in chance.sample(view.as_read, min(len(view.as_read), SAMPLE)):
            body = self._body(row)
            if body is not None and not self.lexical.finds(body, chance.randrange(row.count)):
                return f"抽查《{row.title}》检索不到"
        return None

    def tidy(self, view: View) -> None:
        """Write the lexical index anew when it still counts deleted texts (what was once held must move no score), or
        when much was added bit by bit: questions pay for each piece, and the same hits come from one.
        """
        lexical = self.lexical
        if view.chunks <= TIDY_CHUNKS and (lexical.buried or lexical.scattered > SCATTERED):
            self._write_lexical(self._everything(view))

    def _everything(self, view: View) -> IndexBacklog:
        return IndexBacklog(
            missed(self._catalogue, self.lexical.state, view).state, {}, list(view.as_read), everything=True
        )

    def rebuild(self, view: View, progress: Callable[[Progress], None] | None = None) -> None:
        """Build every index anew from the catalogue; questions are answered from the old ones meanwhile."""
        everything = self._everything(view)
        try:
            self._write_lexical(everything, progress)
            self.lexical.sound = True
        except DamagedIndexError as error:
            self.lexical = self._new_lexical(error.reason)
            self._write_lexical(everything, progress)
        self.dense.forget()
        self.dense.approximate.rebuild(view)

    def close(self) -> None:
        """Close what is open, and write down what the files look like."""
        self.dense.approximate.close()
        folder = self._settings.lexical_path
        with storage_errors(folder):
            self._record.unlink(missing_ok=True)
            if self.lexical.sound:
                write_atomically(self._record, json.dumps(file_table(folder)).encode())

    def _write_lexical(self, due: IndexBacklog, progress: Callable[[Progress], None] | None = None) -> None:
        stored = self._labelled(due.stored, progress)
        self.lexical.write(None if due.everything else due.removed, stored, due.state)

    def _labelled(
        self, rows: list[RegulationRow], progress: Callable[[Progress], None] | None
    ) -> Iterator[LabelledText]:
        """Yield the texts of rows, telling ``progress`` after each."""
        began, chunks = time.monotonic(), 0
        for done, row in enumerate(rows, 1):
            if (body := self._body(row)) is not None:
                yield LabelledText(row.short_title or row.title, body)
            chunks += row.count
            if progress is not None:
                progress(Progress(done, len(rows), row.title, chunks, time.monotonic() - began))

    def _body(self, row: RegulationRow) -> RegulationBody | None:
        """Return the text of a row, None where another process removed it a moment ago: that change comes next."""
        try:
            return self._catalogue.body(row)
        except NotFoundError:
            return None
