"""The table of terms: which terms there are, how rare they are, and a vector for each (词向量表).

Terms stand near each other first because they stand in the same provisions (LSA), then because a few words of a provision
must find it among others, then because a question must find its answer. Nothing pretrained.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array, diags_array

from nemo.embed.builtin import BuiltinEmbedder
from nemo.rerank.terms import fold, words_of
from nemo.text.words import tokenise
from nemo.train import table
from nemo.train.space import TermBags

DIM = 256
FEWEST = 3
"""Texts in which a term must stand."""
PSEUDO = (4, 9)
"""From how many of its rarest terms a pseudo-question is drawn, and how many terms it has at most."""
SPOKEN = 0.8
"""Share of the pseudo-questions in which legal wording is replaced by how people say it, where a pair is known."""


@dataclass(frozen=True, slots=True)
class Ground:
    """Texts and what is learned about them."""

    embedder: BuiltinEmbedder
    """Cuts texts into the terms of the vocabulary; its own rows are blank."""
    texts: Sequence[str]
    held: TermBags
    rarity: np.ndarray
    """(terms,) inverse document frequency."""


def vocabulary(texts: Iterable[str]) -> list[str]:
    """Return words of two characters or more, Latin runs and Han characters that stand in enough texts, sorted."""
    seen: Counter[str] = Counter()
    for text in texts:
        lower, folded = text.lower(), fold(text)
        terms = {*tokenise.words(lower), *words_of(folded)} | {c for c in folded if "\u3400" <= c <= "\u9fff"}
        seen.update(terms)
    return sorted(t for t, count in seen.items() if count >= FEWEST and ("\u3400" <= t[0] <= "\u9fff" or len(t) > 1))


def ground(texts: Sequence[str], terms: Sequence[str]) -> Ground:
    """Count every text once."""
    blank = BuiltinEmbedder.of(terms, np.zeros((len(terms), 1), np.float32))
    held = TermBags(blank, texts)
    spread = np.bincount(held.rows.indices, minlength=len(terms))
    return Ground(blank, texts, held, np.log(1 + (len(texts) - spread + 0.5) / (spread + 0.5)).astype(np.float32))


def semantic(known: Ground, seed: int) -> np.ndarray:
    """Return (terms, DIM) rows by latent semantic analysis: a randomised SVD with two power steps (Halko et al. 2011)."""
    rng = np.random.default_rng(seed)
    bags = known.held.rows @ diags_array(known.rarity)
    guess = rng.standard_normal((bags.shape[1], min(DIM, *bags.shape)), np.float32)
    for _ in range(3):
        guess, _ = np.linalg.qr(bags.T @ (bags @ guess))
    rows = np.zeros((bags.shape[1], DIM), np.float32)
    rows[:, : guess.shape[1]] = guess * known.rarity[:, None]
    return rows * np.float32(0.06 / max(float(np.abs(rows).mean()), 1e-12))


def spoken(path: Path) -> list[tuple[str, str]]:
    """Return pairs of spoken and legal wording, the longest legal wording first."""
    pairs = [tuple(line.split("\t")[:2]) for line in path.read_text("utf-8").splitlines() if "\t" in line]
    return sorted(((s, legal) for s, legal in pairs), key=lambda p: (-len(p[1]), p))


def pseudo(known: Ground, pairs: Sequence[tuple[str, str]], seed: int) -> list[str]:
    """Return a pseudo-question for each text: some of its rarest words, many as people say them."""
    rng = np.random.default_rng(seed)
    said: dict[str, list[str]] = {}
    for spoken_words, legal in pairs:
        said.setdefault(legal, []).append(spoken_words)
    made = []
    for at, text in enumerate(known.texts):
        row = known.held.rows[[at], :]
        words = [t for t in row.indices[np.argsort(-known.rarity[row.indices], kind="stable")] if _is_word(known, t)]
        few = words[: PSEUDO[1] * 2]
        count = min(len(few), int(rng.integers(PSEUDO[0], PSEUDO[1])))
        drawn = [known.embedder.terms[few[i]] for i in sorted(rng.permutation(len(few))[:count].tolist())]
        if rng.random() < SPOKEN:
            met = [legal for legal in said if legal in text] if len(said) < 200 else _met(text, said)
            drawn += [said[legal][int(rng.integers(len(said[legal])))] for legal in met[:2]]
        made.append(" ".join(drawn) or text[:12])
    return made


def _is_word(known: Ground, term: int) -> bool:
    return len(known.embedder.terms[term]) > 1


def _met(text: str, said: dict[str, list[str]]) -> list[str]:
    """Return the legal wordings that stand in a text; every stretch of it is looked up, the longest first."""
    found = {text[i : i + n] for n in range(12, 1, -1) for i in range(len(text) - n + 1)}
    return sorted(found & said.keys(), key=lambda each: (-len(each), each))


def learn(
    rows: np.ndarray, known: Ground, asked: Sequence[str], right: np.ndarray, epochs: int, seed: int
) -> np.ndarray:
    """Return the table after ``epochs`` of drawing each question to its text, away from the others of its batch.

    Args:
        rows: (terms, DIM) where to start.
        known: The texts.
        asked: The questions.
        right: (n,) number of the text that answers each.
        epochs: How often each is seen.
        seed: Makes the result repeatable.
    """
    rows = rows.copy()
    if not len(asked) or not epochs:
        return rows
    bags = TermBags(known.embedder, asked).rows
    nothing = [np.empty(0, np.int64)] * len(asked)
    pairs = table.Pairs(np.arange(len(asked)), right, nothing, [frozenset([int(r)]) for r in right])
    table.tune(rows, _float32(bags), _float32(known.held.rows), pairs, seed, lambda epoch, _: epoch < epochs)
    return rows


def _float32(bags: csr_array) -> csr_array:
    return bags.astype(np.float32)
