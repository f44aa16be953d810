"""What of a library a question is put to (查询范围): what a person sees, corpora, one text, numbers and distances."""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from nemo.errors import BadRequestError, NotFoundError
from nemo.store.library import Library
from nemo.types import HEADINGS, Filters, Level, Provision, Ranked, Regulation

MOST_QUOTES = 20

WHOLE_TEXT = 1000
"""Provisions looked through for those of one section."""


class SearchPlace(NamedTuple):
    """Where in the library something is looked for (检索位置)."""

    regulation: str | None = None
    """Id, file name or title of one text."""
    section: str | None = None
    """Number or heading of a chapter or section: 第二章, 并网管理."""
    mine: bool = False
    """Only texts of corpora that belong to who asks."""


@dataclass(frozen=True, slots=True)
class QuestionScope:
    """What of a library a question is put to (查询范围)."""

    hidden: frozenset[str] = frozenset()
    """Texts that who asks may not see."""
    within: frozenset[str] | None = None
    """The texts of the corpora that are asked; None for all."""
    corpora: tuple[tuple[int, dt.datetime], ...] = ()
    """Number and last change of the corpora whose own pieces and vectors are searched."""
    exact: bool = False
    """By meaning only exactly, however many texts there are."""


WHOLE = QuestionScope()


def check_numbers(filters: Filters) -> None:
    """Refuse numbers of a question that mean nothing.

    Raises:
        BadRequestError: ``top_k`` or ``threshold`` lies outside its range.
    """
    if filters.top_k is not None and not 1 <= filters.top_k <= MOST_QUOTES:
        raise BadRequestError(f"top_k 应在 1 到 {MOST_QUOTES} 之间。请改正。")
    if filters.threshold is not None and not 0 <= filters.threshold <= 2:
        raise BadRequestError("threshold（向量距离上限，即 1 减余弦）应在 0 到 2 之间。请改正。")


def within_section(library: Library, found: Sequence[Ranked], section: str, named: Regulation | None) -> list[Ranked]:
    """Return the provisions that stand under a part, chapter or section, named by number or by heading.

    Raises:
        NotFoundError: the ``named`` text, or every text of those found, has no such section.
    """
    stand = [one for one in found if _is(library.regulation(one.regulation_id).chain(one.span), section)]
    if named is not None and not _is(named.walk(), section):
        there = [f"{p.number} {p.heading}".strip() for p in named.walk() if p.level in _DIVISIONS]
        has = (
            f"有：{'、'.join(there[:_MOST_NAMED])}{' 等' if len(there) > _MOST_NAMED else ''}" if there else "不分章节"
        )
        raise NotFoundError(f"“{named.title}”没有“{section}”这一章、节，{has}。请改正，或不限定章节。")
    texts = dict.fromkeys(one.regulation_id for one in found)
    if texts and not stand and not any(_is(library.regulation(each).walk(), section) for each in texts):
        raise NotFoundError(
            f"检索到的 {len(texts)} 部法规都没有“{section}”这一章、节。请核对名称，或指明在哪一部法规中查找。"
        )
    return stand


def _is(provisions: Iterable[Provision], section: str) -> bool:
    return any(section in (p.number, p.heading, f"{p.number} {p.heading}") for p in provisions)


_DIVISIONS = (*HEADINGS, Level.OUTLINE)
_MOST_NAMED = 20
"""Chapters and sections that a message names."""
