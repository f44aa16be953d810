"""How good the answers are: golden sets, their kept runs, and questions to try (评测)."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from nemo import accounts
from nemo.answer.decision import AnswerParts
from nemo.errors import NotFoundError
from nemo.evaluation import golden as evaluate
from nemo.store.catalogue.rows import EvaluationRun
from nemo.text.words.days import day_of
from nemo.types import Answer, Filters

Answered = Callable[[str, Filters], Answer]
"""Answers a question without keeping the answer."""


class EvaluationService:
    """Puts answering to the test on one library; thread-safe."""

    def __init__(
        self,
        parts: AnswerParts,
        embedder: str,
        answered: Answered,
        users: accounts.Users | None,
    ) -> None:
        self._parts = parts
        self._library = parts.library
        self._settings = parts.settings
        self._embedder = embedder
        self._answered = answered
        self._users = users

    # --- golden sets

    def ask(self, row: Mapping[str, Any]) -> Answer:
        """Answer one question of a golden set; the answer is not kept."""
        filters = Filters(row.get("province"), row.get("asset"), row.get("doc_class"), day_of(row.get("as_of")))
        return self._answered(row["question"], filters)

    def evaluate(self, folder: Path) -> dict[str, Any]:
        """Run a golden set and return its measures."""
        return evaluate.run(folder, self.ask)

    def golden_sets(self) -> dict[str, Path]:
        """Return the golden sets by name: the demonstration's where a text it asks for is held, each folder in ``golden``."""
        own = sorted(folder for folder in (self._settings.library / "golden").glob("*") if folder.is_dir())
        held = {row.file for row in self._library.rows()}
        shown = any(place["file"] in held for row in self._demonstration() for place in row.get("gold", ()))
        return ({"演示金标集": self._samples} if shown else {}) | {folder.name: folder for folder in own}

    @property
    def _samples(self) -> Path:
        return self._settings.samples.parent / "golden"

    def run_golden(self, name: str, user: accounts.User | None = None) -> int:
        """Run a golden set, keep what came out, and return the number of the run.

        Raises:
            BadRequestError: its folder holds no questions.
        """
        accounts.require(user, "evaluate", self._users)
        folder = self.golden_sets().get(name)
        if folder is None:
            raise NotFoundError(f"没有金标集“{name}”。请从列表中选择。")
        return self.keep(name, self.evaluate(folder), user)

    def keep(self, name: str, result: Mapping[str, Any], user: accounts.User | None = None) -> int:
        """Keep what came out of a golden set and return the number of the run; what it lacked is among the gaps."""
        models = "，".join((self._embedder, *self._parts.rankers))
        held, generation = len(self._library.rows()), self._library.generation
        run = EvaluationRun(name, accounts.name_of(user), generation, held, models)
        return self._library.evaluations.add(run, result)

    # --- the demonstration

    def sample_questions(self) -> list[dict[str, Any]]:
        """Return the questions written for the demonstration library, as arguments of ``ask``."""
        asked = ("question", "province", "asset", "doc_class")
        return [{k: row.get(k) for k in asked} for row in self._demonstration() if not row.get("as_of")]

    def _demonstration(self) -> list[dict[str, Any]]:
        path = self._samples / "golden.jsonl"
        lines = path.read_text("utf-8").splitlines() if path.is_file() else ()
        return [json.loads(line) for line in lines if line.strip()]
