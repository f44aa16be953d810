"""Questions and passages as the ranker sees them: arrays of terms, made once per text (预处理)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nemo.rerank import cues, quantities
from nemo.rerank.terms import Terms, codes_of, fold, pairs_of, words_of
from nemo.text.words.numerals import parse_number
from nemo.types.fixed_point import length

SYNONYMS = 4
"""At most this many synonyms of one word are looked for."""

LEVELS = ("法律", "行政法规", "司法解释", "部门规章", "地方性法规", "规范性文件")
"""Levels of force the ranker tells apart; any other counts as one more."""

STATUTES = frozenset(("宪法", "法律", "行政法规", "监察法规", "司法解释", "地方性法规", "部门规章", "地方政府规章"))
"""Levels that rule in general words; anything else (notices, replies, standards, what has no level) is a paper."""

PLAIN = ("title_size", "of_city", "national", "level", "size", "place")
"""Features that are numbers of the passage alone."""

PLACE = re.compile(r"^(.{2,5}?)(省|自治区|市|自治州|经济特区)")
"""A title that opens with the place it is for."""

MARKS = re.compile(r"中华人民共和国|[《》〈〉<>（）()\[\]\s]")

OWN = re.compile(
    r"本(?:法|条例|办法|规定|规则|细则|实施办法)((?:第[一二三四五六七八九十百零〇\d]+条(?:之[一二三四五六七八九十])?[^，。；]{0,12}?)+)"
)
"""A reference to other articles of the same text (违反本法第三十五条)."""

ARTICLE = re.compile(r"第([一二三四五六七八九十百零〇\d]+)条")


NO_NUMBER = -3
"""Next to no number of an article."""

STEPS = np.array([2.0**12, 2.0**22])
"""Steps to the unit of the two parts of a question's direction."""


@dataclass(frozen=True, slots=True)
class Heading:
    """What a passage stands under, and where."""

    title: str
    """Short title."""
    chapter: str
    level: str
    national: bool
    article: str
    """Label of the article it belongs to."""
    place: float
    """How far into the regulation it stands, 0..1."""


NOWHERE = Heading("", "", "", False, "", 0.0)


@dataclass(slots=True)
class PreparedPassage:
    """One candidate, prepared. Terms are those of text and headings together, rising. Never changed; not frozen, since a
    question makes forty, each then four times as dear.
    """

    regulation_id: str
    heading: Heading
    key: str
    """Title without marks."""
    city: str
    """The place its title opens with, empty if none."""
    terms: np.ndarray
    own: np.ndarray
    above: np.ndarray
    """How often each term stands in the text, and in title and chapter."""
    lengths: tuple[float, float, float]
    """Lengths of the three weighted sums of term vectors."""
    pairs: np.ndarray
    pair_counts: np.ndarray
    title_pairs: np.ndarray
    chapter_pairs: np.ndarray
    size: int
    """Characters of the text."""
    offers: int
    """What the text holds (``nemo.rerank.cues``), a bit each."""
    states: int
    """Which kinds of values it states (``nemo.rerank.quantities``), a bit each."""
    refers: frozenset[str]
    """Articles of the same regulation that the text refers to."""
    plain: tuple[float, ...]
    """What is a feature as it is, in the order of :data:`PLAIN`."""
    number: int
    """Of its article, :data:`NO_NUMBER` where it stands in none that is numbered."""


@dataclass(frozen=True, slots=True)
class PreparedQuestion:
    """A question, prepared."""

    text: str
    key: str
    size: int
    words: tuple[str, ...]
    known: np.ndarray
    """Numbers of its words that the model knows, rising."""
    word_numbers: np.ndarray
    word_rarity: np.ndarray
    """Of its distinct words; an unknown one has number -1."""
    probes: np.ndarray
    """Terms for late interaction: known words, and the characters outside them."""
    weights: np.ndarray
    """Rarity of the probes."""
    others: np.ndarray
    """Terms of the synonyms of what the question says, probed beside its own."""
    stands: tuple[tuple[np.ndarray, slice], ...]
    """For each synonym: the probes it may stand for, and its terms among ``others``."""
    direction: np.ndarray
    """(2, dim) float32 unit vector of the whole question as steps of :data:`STEPS`; zero when no term is known."""
    pairs: np.ndarray
    pair_rarity: np.ndarray
    articles: frozenset[str]
    wants: np.ndarray
    """What it asks for (``nemo.rerank.cues``)."""
    amounts: np.ndarray
    """Which kinds of values it asks for (``nemo.rerank.quantities``)."""


def ask(terms: Terms, text: str, synonyms: Sequence[tuple[str, Sequence[str]]] = ()) -> PreparedQuestion:
    """Prepare a question; ``synonyms`` are words of it, each with others for the same thing."""
    text = fold(text)
    codes = codes_of(text)
    words = words_of(text)
    numbers = terms.numbers(words)
    distinct = np.unique(numbers)
    known = distinct[distinct >= 0]
    inside = set("".join(w for w, n in zip(words, numbers, strict=True) if n >= 0))
    loose = [n for n in np.unique(terms.characters(codes)) if terms.vocabulary[n] not in inside]
    probes = np.concatenate([known, np.array(loose, np.int32)]).astype(np.int32)
    held, counts = np.unique(terms.found(text, codes), return_counts=True)
    others, stands = _others(terms, probes, synonyms)
    pairs = np.unique(pairs_of(codes))
    return PreparedQuestion(
        text=text,
        key=MARKS.sub("", text),
        size=len(text),
        words=words,
        known=known,
        word_numbers=distinct,
        word_rarity=terms.rarity(distinct),
        probes=probes,
        weights=terms.idf[probes],
        others=others,
        stands=stands,
        direction=_steps(terms.sums(damped(counts), held)),
        pairs=pairs,
        pair_rarity=terms.pair_rarity(pairs),
        articles=frozenset(str(parse_number(n)) for n in ARTICLE.findall(text)),
        wants=cues.asked(text),
        amounts=quantities.asked(text),
    )


def _others(
    terms: Terms, probes: np.ndarray, synonyms: Sequence[tuple[str, Sequence[str]]]
) -> tuple[np.ndarray, tuple[tuple[np.ndarray, slice], ...]]:
    """Return the terms of all synonyms, and which probes each stands for."""
    numbers: list[np.ndarray] = []
    stands = []
    at = 0
    for said, others in synonyms:
        said = fold(said)
        own = np.array([i for i, n in enumerate(probes) if terms.vocabulary[n] in said], np.intp)
        for other in others[:SYNONYMS] if len(own) else ():
            found = terms.found_words(fold(other))
            if len(found):
                numbers.append(found)
                stands.append((own, slice(at, at + len(found))))
                at += len(found)
    return np.concatenate(numbers) if numbers else np.empty(0, np.int32), tuple(stands)


def prepare(terms: Terms, regulation_id: str, heading: Heading, text: str) -> PreparedPassage:
    """Prepare one candidate."""
    text = fold(text)
    codes = codes_of(text)
    title, chapter = _line(terms, heading.title), _line(terms, heading.chapter)
    head = np.concatenate([title.found, chapter.found])
    numbers, own, above = _count(terms.found(text, codes), head)
    pairs, pair_counts = np.unique(pairs_of(codes), return_counts=True)
    return assemble(
        terms,
        regulation_id,
        heading,
        numbers=numbers,
        counts=(own, above),
        lengths=lengths_of(terms, numbers, np.stack(weigh(own, above))),
        pairs=(pairs, pair_counts),
        size=len(text),
        offers=bits_of(cues.offered(text, chapter.text)),
        states=bits_of(quantities.stated(text)),
        refers=_refers(text),
    )


def assemble(
    terms: Terms,
    regulation_id: str,
    heading: Heading,
    *,
    numbers: np.ndarray,
    counts: tuple[np.ndarray, np.ndarray],
    lengths: tuple[float, float, float],
    pairs: tuple[np.ndarray, np.ndarray],
    size: int,
    offers: int,
    states: int,
    refers: frozenset[str],
) -> PreparedPassage:
    """Put a passage together from what its own text gave; what its headings give is looked up."""
    title, chapter = _line(terms, heading.title), _line(terms, heading.chapter)
    level = LEVELS.index(heading.level) if heading.level in LEVELS else len(LEVELS)
    return PreparedPassage(
        regulation_id=regulation_id,
        heading=heading,
        key=title.key,
        city=title.city,
        terms=numbers,
        own=counts[0],
        above=counts[1],
        lengths=lengths,
        pairs=pairs[0],
        pair_counts=pairs[1],
        title_pairs=title.pairs,
        chapter_pairs=chapter.pairs,
        size=size,
        offers=offers,
        states=states,
        refers=refers,
        plain=(*map(float, (len(title.key), title.of_city, heading.national, level, size)), heading.place),
        number=int(heading.article) if heading.article.isdecimal() and len(heading.article) < 10 else NO_NUMBER,
    )


def damped(counts: np.ndarray) -> np.ndarray:
    """Return the weight of a term by how often it stands there: ``1 + ln count``, 0 for none."""
    return np.where(counts > 0, 1.0 + np.log(np.maximum(counts, 1)), 0.0).astype(np.float32)


MOST = np.iinfo(np.uint16).max
"""A term that stands there more often counts so often."""
DAMPED = damped(np.arange(MOST + 1))
"""Weight of a term by how often it stands there."""


def weigh(own: np.ndarray, above: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the weights of terms in everything, in the text, and in title and chapter, from their counts there."""
    return DAMPED.take(own + above), DAMPED.take(own), DAMPED.take(above)


def bits_of(flags: np.ndarray) -> int:
    """Return flags as the bits of one number, the first lowest."""
    return int((1 << np.flatnonzero(flags)).sum())


def flags_of(bits: Sequence[int], count: int) -> np.ndarray:
    """Return (n, count) float32, 0 or 1, from :func:`bits_of` of each."""
    found: np.ndarray = (np.array(bits, np.int64)[:, None] >> np.arange(count) & 1).astype(np.float32)
    return found


@dataclass(frozen=True, slots=True)
class _Line:
    """A title or chapter heading: many passages share it."""

    text: str
    found: np.ndarray
    pairs: np.ndarray
    key: str
    city: str
    of_city: bool


def _line(terms: Terms, text: str) -> _Line:
    return terms.once(_read_line, text)


def _read_line(terms: Terms, text: str) -> _Line:
    place = PLACE.match(text)
    text = fold(text)
    codes = codes_of(text)
    city, of_city = (place[1], place[2] == "市") if place else ("", False)
    return _Line(text, terms.found(text, codes), np.unique(pairs_of(codes)), MARKS.sub("", text), city, of_city)


def _count(text: np.ndarray, head: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the terms of text and headings, and how often each stands in the text and in the headings."""
    numbers, places = np.unique(np.concatenate([text, head]), return_inverse=True)
    own = np.bincount(places[: len(text)], minlength=len(numbers))
    above = np.bincount(places[len(text) :], minlength=len(numbers))
    return numbers.astype(np.int32), np.minimum(own, MOST - len(head)), above


def lengths_of(terms: Terms, numbers: np.ndarray, weights: np.ndarray) -> tuple[float, float, float]:
    """Return the lengths of the weighted sums of term vectors; ``weights`` is (3, n)."""
    lengths = length(terms.sums(weights, numbers))
    full, text, head = np.maximum(lengths, 1e-9).astype(np.float32).tolist()  # as a stored passage holds them
    return full, text, head


def _steps(vector: np.ndarray) -> np.ndarray:
    """Return a vector of any length as a unit vector in two parts, coarse and fine, of whole steps.

    The product of a row of 256 bytes with either part stays below 2^24, so float32 holds it without rounding.
    """
    unit = vector / max(float(length(vector)), 1e-9)
    coarse = np.rint(unit * STEPS[0])
    return np.stack([coarse, np.rint((unit - coarse / STEPS[0]) * STEPS[1])]).astype(np.float32)


def _refers(text: str) -> frozenset[str]:
    return frozenset(str(parse_number(n)) for match in OWN.finditer(text) for n in ARTICLE.findall(match[1]))
