"""Making the built-in models better on one library and its labelled questions (训练)."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from nemo import train
from nemo.answer import refuse
from nemo.answer.decision import AnswerParts
from nemo.answer.question.query import QuestionReader
from nemo.ingest import backfill
from nemo.train.lists import TrainingContext
from nemo.types import Filters, Query, today


class TrainingService:
    """Trains on one library what answers its questions; thread-safe."""

    def __init__(self, parts: AnswerParts, reader: Callable[[], QuestionReader]) -> None:
        self._parts = parts
        self._library = parts.library
        self._settings = parts.settings
        self._reader = reader

    def train(
        self,
        files: Sequence[Path],
        wanted: train.TrainingOptions | None = None,
        progress: Callable[[str, int, int], None] | None = None,
    ) -> train.TrainingReport:
        """Train the built-in models on labelled questions; what is better is installed and serves at the next opening.

        Questions are as in ``data/training`` or ``data/golden``; what people said of answers is added.

        Raises:
            MissingDependencyError: a package that training needs is not installed.
            BadRequestError: a line is no labelled question, or there are too few.
        """
        backfill.feature_notes(self._library, self._settings)
        return train.run(
            self.context(), files, wanted or train.TrainingOptions(), progress or (lambda what, done, total: None)
        )

    def context(self) -> TrainingContext:
        """Return what training works with."""
        return TrainingContext(self._library, self._settings, self._parts.retriever, self._read)

    def _read(self, question: str, filters: Filters) -> tuple[Query, tuple[str, ...]]:
        """Read a question as answering does; return it with the regulations it names."""
        query = self._reader().read(question, filters, today(), self._settings.max_question_chars)
        day = query.filters.day or today()
        query = replace(query, filters=replace(query.filters, day=day))
        return query, refuse.resolve(query, self._library, day, self._parts.rules).regulation_ids
