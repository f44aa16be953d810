"""Which provisions cite one provision of a regulation (引用某条的规定), each with its sentence."""

from collections.abc import Iterable, Iterator

from nemo.answer.about import proofs
from nemo.answer.about.proofs import LawFact, ProofPlace
from nemo.store.library import Library
from nemo.text.law.mentions import cross_references
from nemo.text.letter.titles import in_marks
from nemo.text.words.normalise import title_key
from nemo.types import Regulation, Span

CITING = 10
"""At most this many citing provisions are quoted."""


def citing_article(library: Library, cited: Regulation, label: str, citing: Iterable[str]) -> LawFact | None:
    """Return who cites an article of ``cited``: other texts (the ids ``citing``) first, then the articles of its own."""
    others = [place for i in citing for place in _places(library.regulation(i), cited, label)]
    own = list(_places(cited, cited, label))
    quoted = list(dict.fromkeys((*others, *own)))
    if not quoted:
        return None
    titles = list(dict.fromkeys(in_marks(p.regulation.title) for p in others))
    lines = [f"{'、'.join(titles)}引用该条"] if titles else ["库内没有读到其他文本引用该条"]
    lines += [f"本文本另有 {len(dict.fromkeys(own))} 处引用"] if own else []
    rest = (f"另有 {len(quoted) - CITING} 处引用没有列出。",) if len(quoted) > CITING else ()
    return LawFact("，".join(lines), tuple(quoted[:CITING]), rest)


def _places(regulation: Regulation, cited: Regulation, label: str) -> Iterator[ProofPlace]:
    """Yield the sentences in which a text points to the article; a text speaks of itself as 本法."""
    own = regulation.id == cited.id
    key = title_key(cited.title)
    for found in cross_references(regulation.text, Span(0, len(regulation.text))):
        meant = found.title is None if own else found.title is not None and _same(title_key(found.title), key)
        if meant and found.article == label:
            yield proofs.around(regulation, found.span)


def _same(said: str, key: str) -> bool:
    """Tell whether a title or the bare name of a law is that of the cited text: 电力法 of 中华人民共和国电力法."""
    return said == key or (len(said) > 2 and key.endswith(said))
