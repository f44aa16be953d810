"""A question in other words: in those of the held texts (法言), and without the names of the texts it asks (所问之事)."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from nemo.rerank import Reranker
from nemo.store.catalogue.rows import RegulationRow
from nemo.store.library import Library
from nemo.text.words.tokenise import terms
from nemo.types import Evidence, Expansion, Hit, Origin, Query

ENOUGH = 0.5
"""Score of the best provision from which a question stays as it was typed, and below which another wording is none."""
LOOKED = 20
"""Passages nearest by words to a word in which it is looked for."""
KEPT = 4_096
"""So many words under filters are remembered with how many of these they stand in."""

BEFORE_NAME, BEHIND_NAME = r"(?:根据|按照?|依照|依据|在|[（(])*", r"(?:的?规定|里面?|之?中|当中)*[，,：:；;）)\s]*"
"""What leads to a name and from it."""
LEAST_MATTER = 4
"""Characters that a question says beside the names in it, from which it is read without them."""


def matter(query: Query) -> str:
    """Return what a question asks, without the names of held texts: a provision need not say what its text is called."""
    return _without(query.text, tuple(m.words for m in query.mentions if m.regulation_ids and m.title))


@lru_cache(256)
def _without(text: str, names: tuple[str, ...]) -> str:
    rest = text
    for name in names:
        rest = re.sub(f"{BEFORE_NAME}{re.escape(name)}{BEHIND_NAME}", " ", rest)
    return rest.strip() if len(rest.strip()) >= LEAST_MATTER else text


def ranked(reranker: Reranker, query: Query, hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits, best first, by the whole question and by its matter alike.

    Within the texts a question names their titles tell nothing apart, yet what repeats them looks likelier: by the
    matter alone 29 more of 559 development questions that name their text lead to the right article first.
    """
    by_whole, alone = reranker.rerank(query, hits), matter(query)
    if alone == query.text:
        return by_whole
    chances = {hit.chunk.id: hit for hit in reranker.rerank(replace(query, text=alone), hits)}
    both = [_halfway(hit, chances[hit.chunk.id]) for hit in by_whole]
    return sorted(both, key=lambda hit: -hit.score)


def _halfway(one: Hit, other: Hit) -> Hit:
    chance = (one.score + other.score) / 2
    surer = max(one, other, key=lambda hit: hit.scores.get("answerable", 0.0))
    return Hit(one.chunk, chance, {**surer.scores, "probability": chance})


def as_held(query: Query, library: Library) -> Query:
    """Return a question with each short or lay word (绿证) that stands in no held text written as the texts do.

    What is a part of a name stays. The ranker knows synonyms, but a passage without the question's own word is hardly found.
    """
    text, read, held = query.text, [], library.view.once(PassageWordCounts)
    for each in query.synonyms:
        if any(each.term in mention.words for mention in query.mentions) or held.standing(each.term, query, library):
            continue
        said = max(each.added, key=lambda word: held.standing(word, query, library))
        if held.standing(said, query, library):
            text = text.replace(each.term, said)
            read.append(Evidence("question", f"“{each.term}”按“{said}”检索", Origin.DERIVED))
    if not read:
        return query
    widened = tuple(_turned(each, text) for each in query.synonyms)
    return replace(
        query, text=text, terms=tuple(dict.fromkeys(terms(text))), synonyms=widened, read=(*query.read, *read)
    )


def _turned(each: Expansion, text: str) -> Expansion:
    """Return a synonym group of a question from the word of it that stands there now."""
    words = (each.term, *each.added)
    term = max((word for word in words if word in text), key=len, default=each.term)
    return replace(each, term=term, added=tuple(word for word in words if word not in text))


class PassageWordCounts:
    """In how many of the passages nearest to a word it stands, looked up once for a state of the library."""

    def __init__(self, _: Sequence[RegulationRow]) -> None:
        self._known: dict[tuple[str, bytes], int] = {}

    def standing(self, word: str, query: Query, library: Library) -> int:
        """Return in how many of the passages nearest to a word, of those that the question allows, it stands."""
        asked = word, library.facets.allowed(query.filters).mark  # the same on most days
        found = self._known.get(asked)
        if found is None:
            if len(self._known) >= KEPT:
                self._known.clear()
            near = library.by_words(tuple(terms(word)), LOOKED, query.filters).numbers
            chunks = (library.chunk_at(number) for number in near.tolist())
            found = self._known[asked] = sum(c is not None and word in c.text for c in chunks)
        return found
