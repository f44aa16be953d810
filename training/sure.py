"""How sure an answer is, fitted on answers to questions whose right words are known (``nemo/answer/quotes/calibration.py``).

The questions are asked of libraries that hold the shared texts: the development sets, and own ones on the papers
(``data/training/answers_*.jsonl``), of which a third ask for what the paper does not state, on shared papers and on some of our
own (``data/training/papers``). Questions that the ranker learned
from, all of them on what real papers state (``data/training/questions_normative.jsonl``), count :data:`LEARNED` times: they
show how strangers to a paper word what it says. Folds are by regulation.
"""

import datetime as dt
import hashlib
import json
import re
import shutil
import tempfile
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nemo import settings
from nemo.answer.decision import AskedQuestion
from nemo.answer.quotes import calibration
from nemo.engine import Engine
from nemo.rerank.verdict import Logistic
from nemo.train.folds import folds
from nemo.train.judging import PRIOR, logistic
from nemo.types import Filters, Quote, Span
from training.data import ROOT

STATUTES = ("golden/golden.jsonl", "golden/golden_extra.jsonl", "golden/unanswerable.jsonl")
PAPERS = (
    "official/golden.jsonl",
    "official/unanswerable.jsonl",
    "normative/golden_normative.jsonl",
    "normative/unanswerable_normative.jsonl",
)
"""Development questions of each library; those on statutes are asked of the papers' too, which holds both."""
OWN = tuple(sorted((ROOT / "data" / "training").glob("answers_*.jsonl")))
OWN_PAPERS = ROOT / "data" / "training" / "papers"
"""Papers of our own that questions of them are asked of."""
NORMATIVE = ROOT / "data" / "training" / "questions_normative.jsonl"
LEARNED, TAKEN = 0.5, 500
"""How often one of those answers counts, and how many of the questions are drawn."""
DAY = dt.date(2026, 11, 26)
"""The day for which all is asked."""
OVERLAP = 20
"""So many characters that a quote shares with the words that answer are no chance."""
FOLDS = 10
EDGES = (0.0, 0.5, 0.7, 0.85, 0.95, 1.01)
"""Bins of the calibration error."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """An answer: what its confidence is read from, and whether it is right."""

    signs: np.ndarray
    right: bool
    group: str
    """The regulation quoted first."""
    weight: float
    """How often it counts."""
    model: str
    """Which weights read it: ``STATUTE``, ``PAPER`` or ``JUDGED``."""


def report(statutes: Path, papers: Path, shared: Path) -> list[str]:
    """Return the weights fitted on both libraries, and what they reach on regulations that were not fitted on."""
    found = [*_answers(statutes, [shared / name for name in STATUTES])]
    with with_own(papers) as library:
        found += _answers(library, [*OWN, *(shared / name for name in (*PAPERS, *STATUTES))])
        found += _answered(library, _drawn(shared / "normative" / "corpus"))
    names = ("STATUTE", "PAPER", "JUDGED")
    return [line for name in names for line in _report(name, [each for each in found if each.model == name])]


@contextmanager
def with_own(papers: Path) -> Iterator[Path]:
    """Yield the folder of a copy of a library of papers to which ours are added."""
    with tempfile.TemporaryDirectory() as folder:
        library = shutil.copytree(papers, Path(folder) / "papers")
        with Engine.open(settings.load(library=library)) as engine:
            engine.ingest([str(OWN_PAPERS)])
        yield library


def _report(name: str, found: Sequence[Quoted]) -> list[str]:
    rows, right = np.stack([each.signs for each in found]), np.array([each.right for each in found])
    weights = np.array([each.weight for each in found])
    fold, chance = folds([each.group for each in found], FOLDS), np.zeros(len(found))
    for held in range(int(fold.max()) + 1):
        rest = fold != held
        chance[~rest] = _fitted(rows[rest], right[rest], weights[rest])(rows[~rest])
    whole, sure = _fitted(rows, right, weights), chance >= EDGES[-2]
    return [
        f"{name} = Logistic(np.array({[round(float(w), 2) for w in whole.weights]}), {whole.bias:.2f})",
        f"{len(found)} answers, {right.mean():.3f} right; cross-validated: error {_error(chance, right):.3f}, "
        f"right from {EDGES[-2]} on {int(right[sure].sum())} of {int(sure.sum())}",
    ]


def _fitted(rows: np.ndarray, right: np.ndarray, weights: np.ndarray) -> Logistic:
    return logistic(rows, right, PRIOR * weights, Logistic(np.zeros(rows.shape[1]), 0.0))


def _error(chance: np.ndarray, right: np.ndarray) -> float:
    """Return the expected calibration error (ECE) over :data:`EDGES`."""
    bins = np.digitize(chance, EDGES)
    gaps = (abs(float(chance[bins == b].mean() - right[bins == b].mean())) * int((bins == b).sum()) for b in set(bins))
    return sum(gaps) / len(chance)


def _drawn_by(line: str) -> bytes:
    return hashlib.sha256(line.encode()).digest()


def _drawn(corpus: Path) -> Iterator[dict[str, Any]]:
    """Draw questions on what papers state, with the words that answer."""
    lines = NORMATIVE.read_text("utf-8").splitlines()
    for asked in map(json.loads, sorted(lines, key=_drawn_by)[:TAKEN]):
        words = (corpus / asked["file"]).read_text("utf-8")[asked["start"] : asked["end"]]
        yield {"question": asked["question"], "file": asked["file"], "stated": bare(words)}


def _answers(library: Path, files: Sequence[Path]) -> Iterator[Quoted]:
    return _answered(library, (json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()))


def _answered(library: Path, questions: Iterable[Mapping[str, Any]]) -> Iterator[Quoted]:
    calibration.NEAREST = calibration.LEAST = 0.0  # what is refused for its low confidence is what the fit is to see
    read, noted = calibration.signs, dict[tuple[str, Span], tuple[np.ndarray, str]]()

    def noting(
        question: str, chances: tuple[float, float], quotes: Sequence[Quote], said: calibration.Agreement
    ) -> np.ndarray:
        found = read(question, chances, quotes, said)
        judged = "PAPER" if said.held is None else "JUDGED"
        noted[quotes[0].regulation_id, quotes[0].span] = found, judged if said.paper else "STATUTE"
        return found

    calibration.signs = noting
    try:
        with Engine.open(settings.load(library=library), read_only=True) as engine:
            for asked in questions:
                filters = {name: asked[name] for name in ("province", "asset", "doc_class") if asked.get(name)}
                noted.clear()
                if asked.get("previous_question"):
                    continue
                answer = engine.compose(AskedQuestion(asked["question"], Filters(**filters)), DAY)
                first = next(iter(answer.quotes), None)
                if first is None or (first.regulation_id, first.span) not in noted:
                    continue
                signs, model = noted[first.regulation_id, first.span]
                good = any(right(asked, quote) for quote in answer.quotes)
                yield Quoted(signs, good, first.regulation_id, LEARNED if "stated" in asked else 1.0, model)
    finally:
        calibration.signs = read


def right(asked: Mapping[str, Any], quote: Quote) -> bool:
    """Tell whether a quote of the right text, with what stands beside it, has the words that answer."""
    said = bare(" ".join(filter(None, (quote.before_text, quote.text, quote.after_text))))
    own = Path(quote.citation.file or "").stem
    if stated := asked.get("stated"):
        words = bare(quote.text)
        parts = (words[at : at + OVERLAP] for at in range(0, max(1, len(words) - OVERLAP), OVERLAP // 2))
        return Path(asked["file"]).stem == own and (stated in words or any(part in stated for part in parts))
    wanted = [(g["file"], [g[k] for k in ("must_quote", "row", "value") if g.get(k)]) for g in asked.get("gold", [])]
    return any(Path(file).stem == own and words and all(bare(w) in said for w in words) for file, words in wanted)


def bare(text: str) -> str:
    """Return words without blanks, in the form in which they are compared."""
    return re.sub(r"\s", "", unicodedata.normalize("NFKC", text))
