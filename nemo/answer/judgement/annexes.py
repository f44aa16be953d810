"""The annex that a provision leaves its matter to and the library does not hold (未收录的附件)."""

import re
from collections.abc import Sequence

from nemo.store.library import Library
from nemo.text.letter.titles import in_marks
from nemo.text.structure.annexes import listed_annexes
from nemo.text.words.normalise import title_key
from nemo.text.words.tokenise import plain_words
from nemo.types import Hit, Level, Query, Regulation

SENDS = re.compile(
    r"(?:见|按照?|依照|如)[^。；;\n附]{0,8}(?P<name>附[件表录])\s?(?P<n>\d{1,2}|[一二三四五六七八九十]{1,2})?(?=[^\d]|$)"
)
"""A sentence that leaves its matter to an annex (分摊明细见附件2)."""
LEAST_SHARED = 2
"""Words of the question that an annex has to be on; that a sentence sends to it counts as one."""
LOOKED = 3
"""So many of the nearest provisions are looked at."""


def unheld(query: Query, hits: Sequence[Hit], library: Library) -> str | None:
    """Return in Chinese the annex that is not held and that the asked matter is left to, with its title; None when none is.

    It is the one whose title, or the sentence that sends to it, says most words of the question beside those of the notice.
    """
    best, most = None, LEAST_SHARED - 1
    for hit in hits[:LOOKED]:
        regulation = library.regulation(hit.chunk.regulation_id)
        words = hit.chunk.text
        sends = {f"{s['name']}{s['n'] or ''}": _sentence(words[: s.start()]) for s in SENDS.finditer(words)}
        listed = listed_annexes(regulation.text)
        titles = {f"附件{number}": place.of(regulation.text).strip("《》") for number, place in listed.items()}
        for name in dict.fromkeys((*sends, *titles)):
            said = set(plain_words(titles.get(name) or sends[name])) - set(plain_words(regulation.title))
            shared = sum(len(word) > 1 and word in query.text for word in said) + (name in sends)
            if shared > most and not _held(name, titles.get(name, ""), regulation, library):
                marked = in_marks(titles[name]) if titles.get(name) else ""
                best, most = f"{in_marks(regulation.title)}的{name}{marked}", shared
    return best


def _sentence(before: str) -> str:
    """Return the last sentence of what stands before a place."""
    return re.split("[。；;\n]", before)[-1]


def _held(name: str, title: str, regulation: Regulation, library: Library) -> bool:
    """Tell whether the text holds an annex itself, or the library as a text of its own."""
    own = {part.number for part in regulation.walk() if part.level is Level.ANNEX}
    return name in own or name[:2] in own or title_key(title) in {title_key(row.title) for row in library.headers()}
