"""A question in the words of the held texts: what they never call so is asked for as they call it (法言)."""

from __future__ import annotations

from dataclasses import replace

from nemo.store.library import Library
from nemo.text.words.tokenise import terms
from nemo.types import Evidence, Expansion, Origin, Query

ENOUGH = 0.5
"""Score of the best provision from which a question stays as it was typed, and below which another wording is none."""
LOOKED = 20
"""Passages nearest by words to a word in which it is looked for."""


def as_held(query: Query, library: Library) -> Query:
    """Return a question with each short or lay word (绿证) that stands in no held text written as the texts do.

    What is a part of a name stays. The ranker knows synonyms, but a passage without the question's own word is hardly found.
    """
    text, read = query.text, []
    for each in query.synonyms:
        if any(each.term in mention.words for mention in query.mentions) or _standing(each.term, query, library):
            continue
        said = max(each.added, key=lambda word: _standing(word, query, library))
        if _standing(said, query, library):
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


def _standing(word: str, query: Query, library: Library) -> int:
    """Return in how many of the passages nearest to a word, of those that the question allows, it stands."""
    near = library.by_words(tuple(terms(word)), LOOKED, query.filters).numbers
    chunks = (library.chunk_at(number) for number in near.tolist())
    return sum(chunk is not None and word in chunk.text for chunk in chunks)
