"""Whether candidates are evidence: they hold what the question says, or a held draft says what no rule does (证据取舍)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from nemo.answer import compose, elements, refuse
from nemo.answer.decision import Decision
from nemo.rerank import quantities
from nemo.store.library import Library
from nemo.text.letter.titles import in_marks
from nemo.types import Hit, Level, Query, Refusal

STILL = 0.2
"""A hit that holds what the question says answers in place of a better one that does not, from this share of its score."""

DRAFTS = frozenset({"draft"})
"""Natures of what may be shown where no rule answers."""

LIKELY = 0.25
"""Probability from which a paragraph of a plan or notice answers in place of a better one that lacks what the question says."""


class Ordered(Protocol):
    """Candidates put in order."""

    @property
    def hits(self) -> list[Hit]:
        """Best first."""
        ...


Order = Callable[[Query, Sequence[Hit]], Ordered]


def holding(decision: Decision, order: Order) -> Decision:
    """Keep the hits that hold the year, place and value the question says; refuse when the best of them do not."""
    library, rules, query = decision.parts.library, decision.parts.rules, decision.query
    best, kept = decision.hits[0].score, []
    missing: list[str] = []
    annex = None
    for hit in decision.hits:
        text = elements.evidence_of(library.regulation(hit.chunk.regulation_id), hit.chunk.span)
        lacks = elements.missing(query, text, rules)
        if lacks and _fined_elsewhere(query, hit, library):
            lacks = []
        missing += lacks
        if lacks and annex is None and elements.only_refers(text.passage):
            annex = text.regulation.title
        if not lacks:
            kept.append(hit)
    least = max(STILL * best, 0.0 if kept and _is_article(kept[0], library) else min(best, LIKELY))
    if kept and kept[0].score >= least:
        return replace(decision, hits=tuple(kept))
    return drafted(decision, refuse.lacking(query, missing, decision.hits, annex), order)


def drafted(decision: Decision, refusal: Refusal, order: Order) -> Decision:
    """Return the decision with what a held draft says where no rule says it, named as a draft; refused when none does."""
    parts, query = decision.parts, decision.query
    drafts = parts.library.facets.ids_allowed(query.filters, DRAFTS)
    if decision.searched or not drafts or decision.late:
        return decision.refused(refusal)
    hits = order(query, parts.retriever.retrieve(query, drafts)[0]).hits
    judged = parts.reranker.judge(query, hits)
    if not judged.answerable:
        return decision.refused(refusal)
    first = parts.library.regulation(hits[0].chunk.regulation_id)
    held = elements.evidence_of(first, hits[0].chunk.span)
    if elements.missing(query, held, parts.rules) or quantities.lacking(query.text, [held.passage]):
        return decision.refused(refusal)
    own = tuple(hit for hit in hits[: judged.keep] if hit.chunk.regulation_id == first.id)
    tip = f"资料库没有回答这个问题的现行规定，以下引自{in_marks(first.title)}，是征求意见稿，不是现行规定。"
    named = replace(decision.named, tips=(*decision.named.tips, tip))
    return replace(decision, hits=own, judgement=judged, named=named)


def _is_article(hit: Hit, library: Library) -> bool:
    home = compose.home(library.regulation(hit.chunk.regulation_id), hit.chunk.span)
    return home is not None and home.level is Level.ARTICLE


def _fined_elsewhere(query: Query, hit: Hit, library: Library) -> bool:
    """Tell whether another article sets the penalty for breaking this one: it is quoted with it and states the value."""
    return len(compose.with_penalties(query, compose.group([hit], library.regulation))) > 1
