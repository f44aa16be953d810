"""Amounts in quotes that stand side by side (数值): which of them the other columns do not have.

A difference of wording is everywhere and says little; a different period, sum or capacity is what a comparison is for.
"""

from collections.abc import Mapping, Sequence

from nemo.text.words.quantities import quantities
from nemo.types import Span


def own(columns: Mapping[str, Sequence[str]]) -> dict[str, frozenset[str]]:
    """Return the amounts that only one column has, by column; columns without text count for nothing."""
    said = {
        name: {value.folded for text in texts for value in quantities(text)} for name, texts in columns.items() if texts
    }
    if len(said) < 2:
        return {}
    return {
        name: frozenset(mine.difference(*(other for key, other in said.items() if key != name)))
        for name, mine in said.items()
    }


def places(text: str, meant: frozenset[str]) -> list[Span]:
    """Return where the amounts ``meant`` stand in a text."""
    return [value.span for value in quantities(text) if value.folded in meant]
