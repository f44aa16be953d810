"""Words and terms of Chinese text for the lexical index and the embedder (分词)."""

import re
from collections.abc import Iterable, Sequence

import rjieba

_MEANING = re.compile(r"[^\W_]|%")
_HAN_RUN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]+")


class WordList:
    """Domain words that the segmenter must not cut (领域词), e.g. 全额保障性收购.

    The segmenter's own dictionary stays untouched, because the built-in embedder was trained on its plain output.
    """

    def __init__(self, entries: Iterable[str]) -> None:
        self._entries = frozenset(e.lower() for e in entries if len(e) > 1)
        self._longest = max((len(e) for e in self._entries), default=0)

    def __len__(self) -> int:
        return len(self._entries)

    def join(self, tokens: Sequence[str]) -> list[str]:
        """Join neighbouring tokens that together are a domain word, longest first."""
        joined: list[str] = []
        position = 0
        while position < len(tokens):
            width = self._match(tokens, position)
            joined.append("".join(tokens[position : position + width]))
            position += width
        return joined

    def _match(self, tokens: Sequence[str], position: int) -> int:
        """Return how many tokens from ``position`` form a domain word, 1 when none do."""
        best, length = 1, 0
        for end in range(position, len(tokens)):
            length += len(tokens[end])
            if length > self._longest:
                break
            if end > position and "".join(tokens[position : end + 1]) in self._entries:
                best = end - position + 1
        return best


def cut(text: str) -> list[str]:
    """Return everything ``text`` is segmented into, punctuation and blanks too."""
    return rjieba.cut(text)


def words(text: str, lexicon: WordList | None = None) -> list[str]:
    """Return the words of ``text`` in order, lower case, without punctuation and blanks.

    Without a ``lexicon`` the words are exactly jieba's, as the built-in embedder needs them.
    """
    tokens = rjieba.cut(text.lower())
    if lexicon is not None:
        tokens = lexicon.join(tokens)
    return [token for token in tokens if _MEANING.search(token)]


def plain_words(text: str) -> list[str]:
    """Return the words of ``text`` that a dictionary knows; what it does not know stays in single characters."""
    return rjieba.cut(text, hmm=False)


def tagged(text: str) -> list[tuple[str, str]]:
    """Return the words of ``text`` that a dictionary knows, each with its part of speech (n, v, f, …)."""
    return rjieba.tag(text, hmm=False)


def bigrams(text: str) -> list[str]:
    """Return the overlapping pairs of neighbouring Han characters."""
    return [run[i : i + 2] for run in _HAN_RUN.findall(text) for i in range(len(run) - 1)]


def terms(text: str, lexicon: WordList | None = None) -> list[str]:
    """Return what the lexical index counts: the words and the pairs of Han characters, as one bag.

    A two-character word counts twice, once as word and once as pair, which favours real words.
    """
    return words(text, lexicon) + bigrams(text)
