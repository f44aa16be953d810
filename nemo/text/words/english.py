"""Reads questions asked in English as Chinese search words (英文提问), by a reviewed glossary and nothing else.

Longest phrase first, word for word: a search needs the words of the law, not a translation. Laws and their articles
come first, question words last, as in a Chinese question.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from nemo.rules import Gloss

HAN = re.compile(r"[\u3400-\u9fff]")
_TOKEN = re.compile(
    r"(?P<standard>(?<![A-Za-z])(?:GB|DL|NB|HJ|SL|JB|JGJ|TSG|DB\d\d|Q/[A-Z]{2,4}|T/[A-Z]{2,6})"
    r"(?:/[TZ])?\s?\d{2,6}(?:\.\d+)*(?:-\d{4})?)|"
    r"(?P<day>as\s+of\s*(?P<y>(?:19|20)\d\d)(?:-(?P<m>\d\d)(?:-(?P<d>\d\d))?)?)|"
    r"(?P<provision>(?P<unit>article|paragraph|item)\s*(?P<n>\d{1,3}))|"
    r"(?P<number>\d+(?:[.,]\d+)*%?)|(?P<word>[A-Za-z]+(?:\d(?!\d))?)(?:'s?(?![A-Za-z]))?",
    re.IGNORECASE,
)
_UNIT = {"article": "条", "paragraph": "款", "item": "项"}
_ORDER = ("law", "provision", "content", "question")
_GRAMMAR = """
a about above according after all also am among an and another any applied applies apply are as at be because
been before being below between both but by can cannot case cases concerning could did do does doing during each
either else every explain find following for from get gets give given go had has have having he help her here
his how i if in into is it its just kind know let like make makes many may me might mine much must my need
needed needs new no not of on only onto or other our out over per please regarding related relevant require
required requires said say says set sets shall she should show so some specific stipulate stipulated such take
taken takes tell than that the their them then there these they this those through thus to type under until up
upon us use using very want wants was we were what when where whether which while whose will with within would
you your
"""
GRAMMAR = frozenset(_GRAMMAR.split())
"""Words that carry no search word of their own."""
ARTICLES = frozenset(("a", "an", "the", "any", "some", "their", "its", "this", "that", "these", "those"))
"""Left out before phrases are looked up: without a permit is without permit."""
NEUTRAL = frozenset(("question", "place", "number"))
"""Kinds of entry that make no question of the field by themselves."""
COVERED = 0.6
"""Share of the words that the glossary must know: below it a question is not English, or not about the field."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What an English question means."""

    said: str
    """Chinese search words."""
    unknown: tuple[str, ...]
    """Words that were left out."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of the question and the Chinese for it."""

    words: str
    chinese: tuple[str, ...]
    kind: str
    """Kind of the entry, or ``provision``, ``verbatim``, ``grammar``, ``unknown``."""


class English:
    """Looks English words up in the glossary."""

    def __init__(self, glossary: Iterable[Gloss]) -> None:
        self._by_first: dict[str, list[tuple[tuple[str, ...], Gloss]]] = defaultdict(list)
        for gloss in glossary:
            for phrase in (gloss.english, *gloss.aliases):
                key = phrase_key(phrase)
                self._by_first[key[0]].append((key, gloss))
        for entries in self._by_first.values():
            entries.sort(key=lambda entry: -len(entry[0]))

    def read(self, text: str) -> Reading | None:
        """Return the Chinese of an English question; None when it has Han characters or the glossary knows too little."""
        if HAN.search(text):
            return None
        pieces = list(self._pieces(unicodedata.normalize("NFKC", text).replace("\u2019", "'")))
        words = [p for p in pieces if p.kind not in NEUTRAL | {"grammar", "verbatim", "provision"}]
        known = [p for p in words if p.kind != "unknown"]
        if not known or len(known) < COVERED * len(words):
            return None
        unknown = tuple(dict.fromkeys(p.words for p in words if p.kind == "unknown"))
        return Reading(_arranged(pieces), unknown)

    def added(self, text: str) -> list[tuple[str, str]]:
        """Return (English as written, Chinese) for the subjects and places that a Chinese question names in English only."""
        out = []
        for piece in self._pieces(text):
            chinese = " ".join(word for word in piece.chinese if word not in text)
            if chinese and piece.kind not in {"question", "number", "status", "provision", "verbatim"}:
                out.append((piece.words, chinese))
        return list(dict.fromkeys(out))

    def _pieces(self, text: str) -> Iterator[_Piece]:
        tokens = [m for m in _TOKEN.finditer(text) if m["word"] is None or m["word"].lower() not in ARTICLES]
        place = 0
        while place < len(tokens):
            if tokens[place]["word"] is None:
                yield _figure(tokens[place])
                place += 1
                continue
            size, gloss = self._longest(text, tokens, place)
            words = text[tokens[place].start("word") : tokens[place + size - 1].end("word")]
            if gloss is not None:
                yield _Piece(words, gloss.chinese, gloss.kind)
            else:
                yield _Piece(words, (), "grammar" if words.lower() in GRAMMAR or len(words) == 1 else "unknown")
            place += size

    def _longest(self, text: str, tokens: Sequence[re.Match[str]], place: int) -> tuple[int, Gloss | None]:
        """Return the longest phrase that begins at a token, in tokens; (1, None) when there is none."""
        for key, gloss in self._by_first.get(_stem(tokens[place]["word"]), ()):
            taken = tokens[place : place + len(key)]
            inside = all(t["word"] is not None for t in taken) and not HAN.search(
                text, taken[0].start(), taken[-1].end()
            )
            if len(taken) == len(key) and inside and tuple(_stem(t["word"]) for t in taken) == key:
                return len(key), gloss
        return 1, None


def phrase_key(phrase: str) -> tuple[str, ...]:
    """Return a phrase as it is compared: without hyphens, articles and endings of the plural."""
    found = (m["word"] for m in _TOKEN.finditer(phrase) if m["word"])
    return tuple(_stem(word) for word in found if word.lower() not in ARTICLES)


def _stem(word: str) -> str:
    """Return a word without the ending of the plural: licences → licenc, as licence."""
    word = word.lower()
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    return word[:-1] if len(word) > 4 and word.endswith("e") else word


def _figure(token: re.Match[str]) -> _Piece:
    """A number, the name of a standard, an article or a day: written as it is written in Chinese."""
    if token["provision"]:
        return _Piece(token.group(), (f"第{token['n']}{_UNIT[token['unit'].lower()]}",), "provision")
    if token["day"]:
        month = f"{int(token['m'])}月" if token["m"] else ""
        day = f"{int(token['d'])}日" if token["d"] else ""
        return _Piece(token.group(), (f"{token['y']}年{month}{day}时",), "verbatim")
    return _Piece(token.group(), (token.group(),), "verbatim")


def _arranged(pieces: Sequence[_Piece]) -> str:
    """Join the Chinese: 《law》, article, what is asked about, question word; a unit stays with its number."""
    parts: dict[str, list[str]] = {place: [] for place in _ORDER}
    for index, piece in enumerate(pieces):
        place = piece.kind if piece.kind in _ORDER else "content"
        figure = index > 0 and pieces[index - 1].kind == "verbatim" and re.search(r"\d$", pieces[index - 1].words)
        if piece.kind == "number" and figure and parts["content"]:
            parts["content"][-1] += piece.chinese[0]
        else:
            parts[place] += [word for word in piece.chinese if word not in parts[place]]
    named = "".join(parts["law"] + sorted(parts["provision"], key=lambda p: "条款项".index(p[-1])))
    return " ".join(filter(None, [named, *parts["content"], *parts["question"]]))
