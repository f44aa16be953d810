"""What the ranker knows of each candidate: one row of numbers per passage, computed for a whole list at once (特征).

Every sum is over fixed-point numbers (:mod:`nemo.types.fixed_point`): the same list gives the same bits everywhere.

Groups, in the order of their worth: late interaction (each term of the question looks for its nearest term in the
passage), bags of terms as one vector, character pairs, words, the title, and the place of each in the list.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from operator import attrgetter

import numpy as np

from nemo.rerank import cues, quantities
from nemo.rerank.passages import (
    PLAIN,
    STEPS,
    Heading,
    PreparedPassage,
    PreparedQuestion,
    ask,
    flags_of,
    prepare,
    weigh,
)
from nemo.rerank.terms import CODES, PAIR_BITS, Terms
from nemo.types.fixed_point import fixed, steady

Columns = dict[str, np.ndarray]

MEAN_SIZE = 136.0
"""Mean length of an article in characters, of the texts the model was trained on."""

RANKED = [
    "fused",
    "d_full",
    "d_text",
    "d_head",
    "ms_both",
    "ms_text",
    "ms_cube",
    "ms_res",
    "rev",
    "p_any",
    "p_text",
    "p_bm25",
    "p_rare",
    "w_any",
    "sum",
]
"""Columns that are also given as rank in the list and as distance to the best."""

VALUE = 0.4
"""What a stretch of text loses that states none of the values asked for."""

MOST_ARTICLES = 1 << 32
"""More than the articles of any text, their number and the one behind it included."""

CLOSE = 0.5
"""Cosine above which a term counts as found."""


@dataclass(frozen=True, slots=True)
class CandidateArrays:
    """A list of candidates laid end to end."""

    passages: Sequence[PreparedPassage]
    terms: np.ndarray
    """Terms of all passages, one after the other."""
    bounds: np.ndarray
    """(n + 1,) where each passage begins in ``terms``."""
    distinct: np.ndarray
    places: np.ndarray
    """``distinct[places] == terms``."""
    full: np.ndarray
    text: np.ndarray
    head: np.ndarray
    """Weights of the terms in everything, in the text, and in title and chapter."""

    @classmethod
    def of(cls, passages: Sequence[PreparedPassage], vocabulary: int) -> CandidateArrays:
        """Lay passages end to end."""
        terms = np.concatenate([p.terms for p in passages])
        bounds = np.concatenate([[0], np.cumsum([len(p.terms) for p in passages])])
        used = np.zeros(vocabulary, bool)
        used[terms] = True
        distinct = np.flatnonzero(used)
        places = np.empty(vocabulary, np.int32)
        places[distinct] = np.arange(len(distinct))
        weights = weigh(np.concatenate([p.own for p in passages]), np.concatenate([p.above for p in passages]))
        return cls(passages, terms, bounds, distinct, places.take(terms), *weights)

    def rows(self, values: Callable[[PreparedPassage], Sequence[float]]) -> np.ndarray:
        """Return one row of numbers per passage."""
        return np.fromiter(chain.from_iterable(map(values, self.passages)), np.float64).reshape(len(self.passages), -1)

    def sums(self, values: np.ndarray) -> np.ndarray:
        """Sum over each passage, 0 where it is empty."""
        out: np.ndarray = np.add.reduceat(np.append(values, 0.0), self.bounds[:-1])
        out[self.bounds[1:] == self.bounds[:-1]] = 0
        return out

    def highest(self, near: np.ndarray, there: np.ndarray) -> np.ndarray:
        """Return (wanted, passages): how near the terms come that are ``there``; 0 where none is.

        Args:
            near: (wanted, distinct terms), row by row: the greatest of neighbours is found several numbers at a time.
            there: (terms,) which of them count; the others count as 0.
        """
        bounds = np.concatenate([[0], np.cumsum(there)])[self.bounds]
        if bounds[-1] == 0:
            return np.zeros((len(near), len(self.passages)), near.dtype)
        out: np.ndarray = np.maximum.reduceat(
            near.take(self.places.compress(there), axis=1), np.minimum(bounds[:-1], bounds[-1] - 1), axis=1
        )
        counts = bounds[1:] - bounds[:-1]
        out[:, counts == 0] = 0
        some = counts < self.bounds[1:] - self.bounds[:-1]
        some[-1] = True
        out[:, some] = np.maximum(out[:, some], 0)
        return out


def matrix(terms: Terms, asked: PreparedQuestion, passages: Sequence[PreparedPassage]) -> np.ndarray:
    """Return (n, features) float32 of one candidate or more; ``names`` says what each column is."""
    found = list(columns(terms, asked, passages).values())
    return np.concatenate(found, dtype=np.float32, casting="same_kind").reshape(len(found), -1).T


@cache
def names() -> tuple[str, ...]:
    """Return the names of the columns of ``matrix``."""
    blank = Terms("\u4e00", np.ones((1, 1), np.float32), np.ones(1), np.ones(1 << PAIR_BITS))
    passage = prepare(blank, "", Heading("", "", "", True, "", 0.0), "\u4e00")
    return tuple(columns(blank, ask(blank, "\u4e00"), [passage]))


def columns(terms: Terms, asked: PreparedQuestion, passages: Sequence[PreparedPassage]) -> Columns:
    """Return the features by name, one number per passage each."""
    listed = CandidateArrays.of(passages, len(terms.idf))
    found = _meanings(terms, asked, listed)
    found |= _pairs(asked, listed)
    found |= _words(terms, asked, listed)
    found |= _headings(asked, listed)
    found |= _cues(asked, listed)
    found["fused"] = 0.85 * found["d_full"] + 0.15 * found["p_bm25"] / max(float(found["p_bm25"].max()), 1e-9)
    found["sum"] = found["d_full"] + found["ms_both"] + found["p_any"]
    found |= _standing(found)
    found |= _company(found["sum"], listed)
    found |= _amounts(asked, listed)
    return found


def likeness(terms: Terms, asked: PreparedQuestion, passages: Sequence[PreparedPassage]) -> np.ndarray:
    """Return (n,) how much each passage is like the question, for stretches of one text: only order and ratios count."""
    listed = CandidateArrays.of(passages, len(terms.idf))
    along, near = _products(terms, asked, listed)
    met, held = np.zeros(len(passages)), np.zeros(len(passages))
    if len(asked.probes):
        weights = fixed(asked.weights, 12)
        met = weights @ _met(terms, asked, listed, near, listed.text > 0) / float(weights.sum())
    if len(asked.pairs):
        rarity = fixed(asked.pair_rarity, 12)
        times = _found(asked.pairs, [p.pairs for p in passages], [p.pair_counts for p in passages])
        held = rarity @ (times > 0) / float(rarity.sum())
    lengths = np.array([p.lengths[1] for p in passages])
    bag = listed.sums(fixed(along * listed.text, 30)) / lengths
    return met + held + 0.5 * bag - VALUE * _lacking(asked, listed)


# --- terms as vectors


def _meanings(terms: Terms, asked: PreparedQuestion, listed: CandidateArrays) -> Columns:
    """Compare by term vectors: the whole question as one, and each of its terms on its own."""
    along, near = _products(terms, asked, listed)
    found = _bags(along, listed)
    if len(asked.probes):
        found |= _late(terms, asked, listed, near)
    else:
        found |= {name: np.zeros(len(listed.passages)) for name in LATE}
    return found


def _products(terms: Terms, asked: PreparedQuestion, listed: CandidateArrays) -> tuple[np.ndarray, np.ndarray]:
    """Return (terms,) how far each term lies along the question, and (probes and terms of synonyms, distinct) cosines."""
    probes = np.concatenate([asked.probes, asked.others])
    wanted = np.concatenate([terms.rows(probes), asked.direction])
    products = np.ascontiguousarray((terms.rows(listed.distinct) @ wanted.T).T)  # faster than the other way round
    near, rest = np.split(products, [len(probes)])
    along = rest.T.astype(np.float64) @ (1 / STEPS) * terms.scale[listed.distinct]
    terms.cosines(probes, listed.distinct, near.T)  # in place
    return along.take(listed.places), near


def _bags(along: np.ndarray, listed: CandidateArrays) -> Columns:
    """Cosines between the question and everything, the text, and the headings of a passage."""
    lengths = listed.rows(lambda p: p.lengths)
    return {
        "d_full": listed.sums(fixed(along * listed.full, 30)) / lengths[:, 0],
        "d_text": listed.sums(fixed(along * listed.text, 30)) / lengths[:, 1],
        "d_head": listed.sums(fixed(along * listed.head, 30)) / lengths[:, 2],
    }


LATE = [
    "ms_text",
    "ms_both",
    "ms_head",
    "ms_cube",
    "ms_close",
    "ms_low",
    "ms_top",
    "ms_res",
    "res_share",
    "rev",
    "rev_head",
]


def _late(terms: Terms, asked: PreparedQuestion, listed: CandidateArrays, near: np.ndarray) -> Columns:
    """Late interaction; ``near`` is (probes and terms of synonyms, distinct terms) cosines."""
    in_text = listed.text > 0
    in_head = listed.head > 0
    text, head = (_met(terms, asked, listed, near, there) for there in (in_text, in_head))
    both = np.maximum(text, head)
    weights = fixed(asked.weights, 12)
    whole = float(weights.sum())
    open_ = weights[:, None] * (1 - np.clip(head, 0, 1))
    closest = np.maximum(near.max(axis=0), 0).take(listed.places)
    rarity = terms.idf.take(listed.terms)
    low = max(1, len(weights) // 4)
    return {
        "ms_text": weights @ text / whole,
        "ms_both": weights @ both / whole,
        "ms_head": weights @ head / whole,
        "ms_cube": weights @ fixed(both * both * both) / whole,
        "ms_close": weights @ (both > CLOSE) / whole,
        "ms_low": np.sort(both, axis=0)[:low].mean(axis=0),
        "ms_top": both[int(np.argmax(weights))],
        "ms_res": fixed(open_ * text, 36).sum(axis=0) / np.maximum(open_.sum(axis=0), 1e-9),
        "res_share": open_.sum(axis=0) / whole,
        "rev": _share(listed, closest**2, rarity * in_text),
        "rev_head": _share(listed, closest, rarity * in_head),
    }


def _met(
    terms: Terms, asked: PreparedQuestion, listed: CandidateArrays, near: np.ndarray, there: np.ndarray
) -> np.ndarray:
    """Return (probes, passages): how well each probe is met, by itself or by a synonym that is met as a whole."""
    best = fixed(listed.highest(near, there))
    own, others = best[: len(asked.probes)].copy(), best[len(asked.probes) :]
    for probes, part in asked.stands:
        weights = fixed(terms.idf[asked.others[part]], 12)
        met = fixed(weights @ others[part] / max(float(weights.sum()), 1e-9))
        own[probes] = np.maximum(own[probes], met)
    return own


def _share(listed: CandidateArrays, values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the weighted mean of ``values`` over each passage."""
    return listed.sums(fixed(values * weights, 30)) / np.maximum(listed.sums(fixed(weights, 30)), 1e-9)


# --- characters and words


def _pairs(asked: PreparedQuestion, listed: CandidateArrays) -> Columns:
    """Character pairs of the question that stand in a passage, by rarity."""
    count = len(listed.passages)
    if not len(asked.pairs):
        return {
            name: np.zeros(count)
            for name in ["p_text", "p_any", "p_title", "p_chapter", "p_rel", "p_bm25", "p_rare", "p_miss"]
        }
    parts = [
        part for name in ("pairs", "title_pairs", "chapter_pairs") for part in map(attrgetter(name), listed.passages)
    ]
    found = _found(asked.pairs, parts, [p.pair_counts for p in listed.passages])
    times, title, chapter = found[:, :count], found[:, count : 2 * count] > 0, found[:, 2 * count :] > 0
    text = times > 0
    either = text | title | chapter
    rarity = fixed(asked.pair_rarity, 12)
    whole = float(rarity.sum())
    spread = either.sum(axis=1)
    held = spread > 0
    here = np.where(held, steady(np.log((count + 1) / (spread + 1))), 0)
    room = 1.2 * (0.4 + 0.6 * np.array([p.size for p in listed.passages], np.float64) / MEAN_SIZE)
    return {
        "p_text": rarity @ text / whole,
        "p_any": rarity @ either / whole,
        "p_title": rarity @ title / whole,
        "p_chapter": rarity @ chapter / whole,
        "p_rel": rarity @ either / max(float(rarity @ held), 1e-9),
        "p_bm25": rarity @ fixed(times * 2.2 / (times + room)),
        "p_rare": fixed(rarity * here, 30) @ either,
        "p_miss": np.where(either, 0, rarity[:, None]).max(axis=0),
    }


def _found(wanted: np.ndarray, parts: Sequence[np.ndarray], counts: Sequence[np.ndarray]) -> np.ndarray:
    """Return (wanted, parts): how often each wanted number stands in each part by the ``counts`` of the first parts, or 1; 0
    where it is absent.
    """
    held, ends = np.concatenate(parts), np.cumsum([len(numbers) for numbers in parts])
    opens = np.zeros(CODES, bool)
    opens[wanted >> 16] = True  # most pairs do not even begin with a character of those wanted
    near = np.flatnonzero(opens.take(held >> 16))
    places = np.minimum(np.searchsorted(wanted, held[near]), len(wanted) - 1)
    hits = wanted[places] == held[near]
    near, places = near[hits], places[hits]
    times = np.ones(len(held), np.float32)
    times[: ends[len(counts) - 1]] = np.concatenate(counts)
    out = np.zeros((len(wanted), len(parts)), np.float32)
    out[places, np.searchsorted(ends, near, "right")] = times[near]
    return out


def _words(terms: Terms, asked: PreparedQuestion, listed: CandidateArrays) -> Columns:
    """Whole words of the question that stand in a passage, by rarity."""
    count = len(listed.passages)
    if not len(asked.word_numbers):
        return {name: np.zeros(count) for name in ["w_text", "w_any", "w_head", "w_miss", "w_missing"]}
    numbers = asked.word_numbers
    asked_for = np.zeros(len(terms.idf), bool)
    asked_for[asked.known] = True
    hits = np.flatnonzero(asked_for.take(listed.terms))
    places, owners = np.searchsorted(numbers, listed.terms[hits]), np.searchsorted(listed.bounds, hits, "right") - 1
    text = np.zeros((len(numbers), count), bool)
    head = np.zeros((len(numbers), count), bool)
    text[places, owners] = listed.text[hits] > 0
    head[places, owners] = listed.head[hits] > 0
    either = text | head
    rarity = fixed(asked.word_rarity, 12)
    whole = float(rarity.sum())
    return {
        "w_text": rarity @ text / whole,
        "w_any": rarity @ either / whole,
        "w_head": rarity @ head / whole,
        "w_miss": np.where(either, 0, rarity[:, None]).max(axis=0),
        "w_missing": (~either).sum(axis=0),
    }


# --- what a passage stands under


def _headings(asked: PreparedQuestion, listed: CandidateArrays) -> Columns:
    """The title, the place it is for, its level, and the article asked for by number."""
    named = [len(p.key) >= 3 and p.key in asked.key for p in listed.passages]
    plain = dict(zip(PLAIN, listed.rows(lambda p: p.plain).T, strict=True))
    return {
        "title_named": np.array(named, float),
        "title_place": np.array(
            [0.0 if not p.city else 1.0 if p.city in asked.text else -1.0 for p in listed.passages]
        ),
        **{name: plain[name] for name in PLAIN[:4]},
        "article": np.array([1.0 if p.heading.article in asked.articles else -1.0 for p in listed.passages])
        if asked.articles
        else np.zeros(len(listed.passages)),
        **{name: plain[name] for name in PLAIN[4:]},
        "asked_size": np.full(len(listed.passages), float(asked.size)),
        "asked_words": np.full(len(listed.passages), float(len(asked.words))),
    }


def _cues(asked: PreparedQuestion, listed: CandidateArrays) -> Columns:
    """What each passage offers, and whether it is what the question asks for."""
    offers = flags_of([p.offers for p in listed.passages], len(cues.OFFERED) + len(cues.UNDER))
    own = offers[:, : len(cues.CUES)]
    found = dict(zip((*cues.OFFERED, *cues.UNDER), offers.T, strict=True))
    found |= {name: (2 * own[:, i] - 1) * asked.wants[i] for i, name in enumerate(cues.ASKED) if name in cues.CROSSED}
    found["agreement"] = own @ asked.wants / max(1.0, float(asked.wants.sum()))
    return found


def _amounts(asked: PreparedQuestion, listed: CandidateArrays) -> Columns:
    """Whether the question asks for values, and what share of them each passage does not state."""
    count = len(listed.passages)
    kinds = ("fact", "formula", quantities.FEE)
    return {
        "asks_values": np.full(count, float(asked.amounts.sum() > 0)),
        "lacks_values": _lacking(asked, listed),
        **{f"asks_value_{n}": np.full(count, asked.amounts[quantities.NAMES.index(n)]) for n in kinds},
    }


def _lacking(asked: PreparedQuestion, listed: CandidateArrays) -> np.ndarray:
    """Return (n,) what share of the values asked for each passage does not state."""
    many = float(asked.amounts.sum())
    if not many:
        return np.zeros(len(listed.passages))
    states = flags_of([p.states for p in listed.passages], len(quantities.NAMES))
    lacking: np.ndarray = (1 - states) @ asked.amounts / many
    return lacking


# --- the list


def _standing(found: Columns) -> Columns:
    """Rank in the list and distance to the best of it, for the columns that say most; and how good the best is."""
    values = np.stack([found[name] for name in RANKED])
    out: Columns = {}
    for name, ranks, gaps in zip(RANKED, _ranks(values), values - values.max(axis=1, keepdims=True), strict=True):
        out[f"rank_{name}"], out[f"gap_{name}"] = ranks, gaps
    count = len(found["d_full"])
    out["best_d_full"] = np.full(count, found["d_full"].max())
    out["best_ms_both"] = np.full(count, found["ms_both"].max())
    return out


def _ranks(values: np.ndarray) -> np.ndarray:
    """Return the rank of each value in its row, the highest first, from 0; equals in the order of the list."""
    ranks = np.empty(values.shape)
    order = np.argsort(-values, axis=-1, kind="stable")
    ranks[np.arange(len(values))[:, None], order] = np.arange(values.shape[-1])
    return ranks


def _company(scores: np.ndarray, listed: CandidateArrays) -> Columns:
    """How the rest of the same regulation does, and the articles that a passage refers to or is referred to from."""
    places = {each: at for at, each in enumerate(sorted({p.regulation_id for p in listed.passages}))}
    owners = np.array([places[p.regulation_id] for p in listed.passages])
    best = np.full(owners.max() + 1, -np.inf)
    np.maximum.at(best, owners, scores)
    leading = np.argsort(-scores, kind="stable")[:20]
    order = np.empty(len(best))
    order[np.argsort(-best, kind="stable")] = np.arange(len(best))
    to, of = _referred(scores, listed)
    return {
        "reg_leading": np.bincount(owners[leading], minlength=len(best))[owners].astype(float),
        "reg_gap": scores - best[owners],
        "reg_best": best[owners] - scores.max(),
        "reg_rank": order[owners],
        "refers_to": to - scores.max(),
        "referred_by": of - scores.max(),
        "beside": _beside(scores, owners, np.array([p.number for p in listed.passages])),
    }


def _referred(scores: np.ndarray, listed: CandidateArrays) -> tuple[np.ndarray, np.ndarray]:
    """Return the best score among the articles each passage refers to, and among those that refer to it; else 0."""
    to, of = np.zeros(len(scores)), np.zeros(len(scores))
    referring = [(index, passage) for index, passage in enumerate(listed.passages) if passage.refers]
    at: dict[tuple[str, str], int] = {}
    for index, passage in enumerate(listed.passages) if referring else ():
        at.setdefault((passage.regulation_id, passage.heading.article), index)
    for index, passage in referring:
        for article in passage.refers:
            other = at.get((passage.regulation_id, article))
            if other is not None and other != index:
                to[index] = max(to[index], scores[other])
                of[other] = max(of[other], scores[index])
    return to, of


def _beside(scores: np.ndarray, owners: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """Return the better score of the two articles next to each passage, -1 where neither is in the list.

    Args:
        scores: of each passage.
        owners: the number of its regulation.
        numbers: of its article. Of several passages of one article the last counts.
    """
    keys = owners * MOST_ARTICLES + numbers
    order = np.argsort(keys, kind="stable")
    out = np.full(len(scores), -1.0)
    for step in (-1, 1):
        wanted = np.where(numbers >= 0, keys + step, -1)
        at = order[np.searchsorted(keys, wanted, "right", sorter=order) - 1]
        out = np.where(keys[at] == wanted, np.maximum(out, scores[at]), out)
    return out
