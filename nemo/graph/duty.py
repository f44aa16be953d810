"""A duty, ban or leave taken apart: who, must or may, what, when, by when, how much, and what follows from a breach (职责).

Everything is a slice of the text the duty stands in; a part that the sentence does not state is empty.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from nemo.store.records.edges import StoredEdge
from nemo.types import Span

_CONDITION = re.compile(r"[^，。；：]{2,120}?(?:的|时|后|前)(?=，)")
LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class DutyParts:
    """What a sentence states of one duty."""

    actor: str
    modal: str
    """应当, 不得, 可以 … as it is written."""
    act: Span
    conditions: tuple[Span, ...]
    deadlines: tuple[str, ...]
    amounts: tuple[str, ...]
    penalties: tuple[StoredEdge, ...]
    """The penalties whose words or acts lead to the article of the duty."""


def taken_apart(text: str, duty: StoredEdge, others: Sequence[StoredEdge]) -> DutyParts:
    """Return the parts of a duty, an edge of the kind ``obliges``; ``others`` are the edges of the same text."""
    edge = duty.edge
    at = text.find(edge.rule, edge.span.start, edge.span.end)
    start = at + len(edge.rule) if at >= 0 else edge.span.start
    end = edge.span.end
    states = [o.edge for o in others if o.edge.kind == "states" and edge.span.contains(o.edge.span)]
    before = text[edge.span.start : start]
    return DutyParts(
        edge.source,
        edge.rule,
        Span(start, end),
        tuple(Span(edge.span.start + m.start(), edge.span.start + m.end()) for m in _CONDITION.finditer(before)),
        tuple(e.target for e in states if e.target_kind == "deadline"),
        tuple(e.target for e in states if e.target_kind == "fee"),
        tuple(o for o in others if o.edge.kind == "penalises" and not o.edge.target and _of(o, edge.label)),
    )


def _of(penalty: StoredEdge, label: str) -> bool:
    """Tell whether a penalty is for the article of a duty, or for the very 款 of it that it names."""
    named = penalty.edge.target_label
    if not named or not label:
        return False
    return label == named or label.startswith(f"{named}-") or named.startswith(f"{label}-")


def name_of(text: str, duty: StoredEdge) -> str:
    """Return what a reader calls a duty: actor, modal word and the beginning of the act."""
    edge = duty.edge
    at = text.find(edge.rule, edge.span.start, edge.span.end)
    act = " ".join(text[at + len(edge.rule) : edge.span.end].split()) if at >= 0 else ""
    whole = f"{edge.source}{edge.rule}{act}"
    return whole if len(whole) <= LONGEST_NAME else f"{whole[: LONGEST_NAME - 1]}…"
