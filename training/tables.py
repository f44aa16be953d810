"""The ranker's table of terms: which there are, how rare they are, and a vector for each (词向量表).

Terms stand near each other first because they stand in the same provisions (LSA); then because a few words of a provision,
one of its sentences, or a legal wording as people say it must find the rest; then because a question must find its
answer. Nothing pretrained. Texts are bags of terms exactly as the ranker counts them.
"""

import pickle
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array, diags_array, vstack

from nemo.rerank.passages import damped
from nemo.rerank.terms import Terms, codes_of, fold, statistics, words_of
from nemo.train.table import Adam, dropped, slopes

DIM = 256
FEWEST = 2
"""Texts, pairs of wording, or regulations by their questions, in which a term must stand."""
PSEUDO = (3, 9)
"""Fewest terms of a pseudo-question, and one more than the most."""
SPOKEN = 0.8
"""Share of the pseudo-questions in which legal wording is replaced by how people say it, where a pair is known."""
LONGEST = 12
"""Characters of a legal wording that is looked up in a text."""
SENTENCE = re.compile(r"(?<=[。；\n])")
SHORTEST = 12
"""Characters of a sentence that must find the rest of its provision."""
POWER_STEPS = 3


@dataclass(frozen=True, slots=True)
class Known:
    """Texts and what is counted in them."""

    terms: Terms
    """Vocabulary and rarities; its vectors are blank."""
    texts: Sequence[str]
    held: csr_array
    """(texts, terms) weights."""


@dataclass(frozen=True, slots=True)
class Task:
    """Something that must find something: row ``right[i]`` of ``held`` belongs to row ``i`` of ``asked``."""

    asked: csr_array
    held: csr_array
    right: np.ndarray
    share: float
    """Of each batch."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How a table learns: Adam with a rate that falls to nothing."""

    steps: int
    batch: int
    drop: float
    """Share of the terms left out of each text at each step, so that no single word is learned by heart."""
    rate: float = 4e-3


def vocabulary(texts: Iterable[str]) -> list[str]:
    """Return words of two characters or more, Latin runs and Han characters that stand in enough texts, sorted."""
    seen: Counter[str] = Counter()
    for text in map(fold, texts):
        seen.update({*words_of(text)} | {c for c in text if "\u3400" <= c <= "\u9fff"})
    return sorted(t for t, count in seen.items() if count >= FEWEST and ("\u3400" <= t[0] <= "\u9fff" or len(t) > 1))


def known(texts: Sequence[str], said: Sequence[str] = ()) -> Known:
    """Count every text once; the terms are also those that people say (``said``): a question is worded in those."""
    words = vocabulary(chain(texts, said))
    terms = Terms(words, np.ones((len(words), 1), np.float32), *statistics(texts, words))
    return Known(terms, texts, bags(terms, texts))


def bags(terms: Terms, texts: Sequence[str]) -> csr_array:
    """Return (texts, terms) float32: ``1 + ln count`` of each term."""
    columns, values, bounds = [np.empty(0, np.int32)], [np.empty(0, np.float32)], [0]
    for text in map(fold, texts):
        found, counts = np.unique(terms.found(text, codes_of(text)), return_counts=True)
        columns.append(found.astype(np.int32))
        values.append(damped(counts))
        bounds.append(bounds[-1] + len(found))
    parts = (np.concatenate(values), np.concatenate(columns), np.array(bounds))
    return csr_array(parts, shape=(len(texts), len(terms.vocabulary)))


def semantic(given: Known, seed: int) -> np.ndarray:
    """Return (terms, DIM) rows by latent semantic analysis: a randomised SVD with power steps (Halko et al. 2011)."""
    rng = np.random.default_rng(seed)
    rare = given.terms.idf
    weighted = csr_array(given.held @ diags_array(rare))
    lengths = np.sqrt(np.asarray(weighted.multiply(weighted).sum(axis=1))).ravel()
    weighted = csr_array(diags_array((1 / np.maximum(lengths, 1e-6)).astype(np.float32)) @ weighted)
    guess = rng.standard_normal((weighted.shape[1], min(DIM, *weighted.shape)), np.float32)
    for _ in range(POWER_STEPS):
        guess, _ = np.linalg.qr(weighted.T @ (weighted @ guess))
    rows = np.zeros((weighted.shape[1], DIM), np.float32)
    rows[:, : guess.shape[1]] = guess * rare[:, None]
    return rows * np.float32(0.06 / max(float(np.abs(rows).mean()), 1e-12))


def spoken(path: Path) -> list[tuple[str, str]]:
    """Return pairs of spoken and legal wording."""
    pairs = (line.split("\t")[:2] for line in path.read_text("utf-8").splitlines() if "\t" in line)
    return sorted((said, legal) for said, legal in pairs)


def mined(given: Known, pairs: Sequence[tuple[str, str]], seed: int) -> list[Task]:
    """Return what can be learned without any question: keywords, sentences, wordings."""
    rng = np.random.default_rng(seed)
    said: dict[str, list[str]] = {}
    for words, legal in pairs:
        said.setdefault(legal, []).append(words)
    few = [_pseudo(given, n, said, rng) for _ in range(2) for n in range(len(given.texts))]
    sentences, rests = _sentences(given.texts, rng)
    asked, held = bags(given.terms, [p[0] for p in pairs]), bags(given.terms, [p[1] for p in pairs])
    both = np.flatnonzero((np.diff(asked.indptr) > 0) & (np.diff(held.indptr) > 0))
    return [
        Task(bags(given.terms, few), given.held, np.tile(np.arange(len(given.texts)), 2), 0.6),
        Task(bags(given.terms, sentences), bags(given.terms, rests), np.arange(len(rests)), 0.2),
        Task(asked[both], held[both], np.arange(len(both)), 0.2),
    ]


def _pseudo(given: Known, number: int, said: dict[str, list[str]], rng: np.random.Generator) -> str:
    """Return words drawn from a text, the rare ones likelier, some legal wording as people say it."""
    held, vocabulary = given.held, given.terms.vocabulary
    found = [t for t in held.indices[held.indptr[number] : held.indptr[number + 1]] if len(vocabulary[t]) > 1]
    if not found:
        return given.texts[number][:SHORTEST]
    weights = given.terms.idf[found].astype(np.float64)
    count = min(len(found), int(rng.integers(*PSEUDO)))
    words = [vocabulary[i] for i in rng.choice(found, count, replace=False, p=weights / weights.sum())]
    if rng.random() < SPOKEN:
        for legal in rng.permutation(_met(given.texts[number], said))[:2].tolist():
            words = [w for w in words if w not in legal] + [said[legal][int(rng.integers(len(said[legal])))]]
    return " ".join(words)


def _met(text: str, said: dict[str, list[str]]) -> list[str]:
    """Return the legal wordings that stand in a text, in a fixed order."""
    found = {text[i : i + n] for n in range(LONGEST, 1, -1) for i in range(len(text) - n + 1)}
    return sorted(found & said.keys())


def _sentences(texts: Sequence[str], rng: np.random.Generator) -> tuple[list[str], list[str]]:
    """Return one sentence of every provision that has several, and the provision without it."""
    one, rests = [], []
    for text in texts:
        *heading, words = text.split("\n", 2)
        found = [s for s in SENTENCE.split(words) if len(s) >= SHORTEST]
        if len(found) > 1:
            one.append(found[int(rng.integers(len(found)))])
            rests.append("\n".join([*heading, words.replace(one[-1], "")]))
    return one, rests


def asked(given: Known, questions: Sequence[str], right: np.ndarray, tasks: Sequence[Task]) -> list[Task]:
    """Return questions beside the keywords and wordings of :func:`mined`."""
    own = Task(bags(given.terms, questions), given.held, right, 0.6)
    return [own, replace(tasks[0], share=0.25), replace(tasks[2], share=0.15)]


def learn(rows: np.ndarray, tasks: Sequence[Task], pace: Pace, seed: int) -> np.ndarray:
    """Return the table after drawing what belongs together nearer, away from everything else of its batch."""
    rows, rng = rows.copy(), np.random.default_rng(seed)
    useful = [t for t in tasks if len(t.right)]
    steps, orders = Adam(rows), [np.empty(0, np.int64) for _ in useful]
    for step in range(pace.steps):
        asked, held, names = [], [], []
        for at, task in enumerate(useful):
            count = min(len(task.right), int(pace.batch * task.share))
            if len(orders[at]) < count:
                orders[at] = rng.permutation(len(task.right))
            drawn, orders[at] = orders[at][:count], orders[at][count:]
            asked.append(task.asked[drawn])
            held.append(task.held[task.right[drawn]])
            names += [(id(task.held), int(n)) for n in task.right[drawn]]
        same = _same(names)
        both = [dropped(vstack(part, format="csr"), rng, pace.drop) for part in (asked, held)]
        said, slope = slopes(rows, both[0], both[1], same)
        steps.step(rows, said, slope, pace.rate * (1 - step / pace.steps))
    return rows


def _same(names: Sequence[tuple[int, int]]) -> np.ndarray:
    """Tell where one text stands twice in a batch: it is no negative of itself."""
    numbers: dict[tuple[int, int], int] = {}
    rows = np.array([numbers.setdefault(name, len(numbers)) for name in names])
    same: np.ndarray = rows[:, None] == rows[None, :]
    np.fill_diagonal(same, False)
    return same


def once(file: Path, make: Callable[[], Any]) -> Any:
    """Return what is made, from its file when an earlier run of the same build got so far."""
    if not file.exists():
        made = make()
        part = file.with_suffix(".part")
        part.write_bytes(pickle.dumps(made, protocol=pickle.HIGHEST_PROTOCOL))
        part.replace(file)
    return pickle.loads(file.read_bytes())  # noqa: S301  # our own file of minutes ago


def taught(file: Path, start: np.ndarray, tasks: Sequence[Task], pace: Pace, seed: int) -> np.ndarray:
    """Return what is learned, from its file when an earlier run got so far; may run in a process of its own."""
    rows: np.ndarray = once(file, lambda: learn(start, tasks, pace, seed))
    return rows
