"""Words and terms of Chinese text for the lexical index and the embedder (分词)."""

import re

import rjieba

_MEANING = re.compile(r"[^\W_]|%")
_HAN_RUN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]+")


def cut(text: str) -> list[str]:
    """Return everything ``text`` is segmented into, punctuation and blanks too."""
    return rjieba.cut(text)


def words(text: str) -> list[str]:
    """Return the words of ``text`` in order, lower case, without punctuation and blanks.

    They are exactly jieba's, as the built-in embedder needs them.
    """
    return [token for token in rjieba.cut(text.lower()) if _MEANING.search(token)]


def plain_words(text: str) -> list[str]:
    """Return the words of ``text`` that a dictionary knows; what it does not know stays in single characters."""
    return rjieba.cut(text, hmm=False)


def tagged(text: str) -> list[tuple[str, str]]:
    """Return the words of ``text`` that a dictionary knows, each with its part of speech (n, v, f, …)."""
    return rjieba.tag(text, hmm=False)


def bigrams(text: str) -> list[str]:
    """Return the overlapping pairs of neighbouring Han characters."""
    return [run[i : i + 2] for run in _HAN_RUN.findall(text) for i in range(len(run) - 1)]


def terms(text: str) -> list[str]:
    """Return what the lexical index counts: the words and the pairs of Han characters, as one bag.

    A two-character word counts twice, once as word and once as pair, which favours real words.
    """
    return words(text) + bigrams(text)
