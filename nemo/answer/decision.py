"""What is known of one question on its way from reading to answer: one value, carried from stage to stage (答复决定)."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from nemo.answer.metrics import NO_MEASURES, QuestionMetrics
from nemo.answer.question.query import QuestionReader
from nemo.answer.question.scope import WHOLE, QuestionScope
from nemo.answer.refuse import ResolvedNames
from nemo.answer.retrieve import Retriever
from nemo.lawview import LawOverview
from nemo.rerank import Judgement, RankingStage, Reranker
from nemo.rules import Rules
from nemo.settings import Settings
from nemo.store.library import Library
from nemo.types import Answer, Confidence, Day, Filters, Hit, Query, Ranked, Refusal, Span, StageTime

if TYPE_CHECKING:
    from nemo.answer.rendering.written import GeminiRenderer, GeminiSummariser

NO_NAMES = ResolvedNames()


@dataclass(frozen=True, slots=True)
class AnswerParts:
    """What answering needs."""

    library: Library
    retriever: Retriever
    reranker: Reranker
    rules: Rules
    settings: Settings
    law: LawOverview
    stages: tuple[RankingStage, ...] = ()
    """Put in order anew what the built-in reranker has ordered, one after the other; the last one decides."""
    measures: QuestionMetrics = NO_MEASURES
    """Counts what is answered."""
    renderer: GeminiRenderer | None = None
    """Renders quotes into English beside them, when it is configured (机器翻译)."""
    summariser: GeminiSummariser | None = None
    """Sums quotes up below them, when it is configured and asked for (小结)."""

    def over(self, library: Library, retriever: Retriever, law: LawOverview) -> AnswerParts:
        """Return the parts that answer from a part of the library."""
        return replace(self, library=library, retriever=retriever, law=law)

    @property
    def rankers(self) -> tuple[str, ...]:
        """Names of what puts hits in order, the first one first."""
        return (self.reranker.name, *(stage.name for stage in self.stages))


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """What somebody asks."""

    text: str
    filters: Filters
    before: Answer | None = None
    """The answer to the question before, when this one follows it."""
    scope: QuestionScope = WHOLE


@dataclass(frozen=True, slots=True)
class Decision:
    """One question on its way. Every stage returns the next one; the first that sets ``answer`` ends the way."""

    parts: AnswerParts
    reader: QuestionReader
    query: Query
    day: Day
    """Today until the question was read, then the day it is answered for."""
    trace_id: str
    leans_on: frozenset[str] = frozenset()
    """Regulations that the answer before it quoted, of a question that leans on one."""
    only: tuple[str, ...] = ()
    """Regulations that alone are searched: those the answer before it rests on, when a question stays with them."""
    meant: tuple[Hit, ...] = ()
    """Provisions the question before leads to: what breaking the quoted one costs."""
    shown: tuple[tuple[str, Span], ...] = ()
    """What the answer before quoted, of a question for what else there is: no evidence once more."""
    whole: tuple[Ranked, ...] = ()
    """What the whole is answered from, of which this question is a part: likelier to answer the part too."""
    named: ResolvedNames = NO_NAMES
    """Set by ``resolve``: what the names in the question lead to."""
    rarity: Mapping[str, float] = field(default_factory=dict)
    """Set by ``resolve``: by how much the rare words of the question tell each text that says them."""
    hits: tuple[Hit, ...] = ()
    """Set by ``retrieve``, put in order by ``judge``."""
    further: tuple[Hit, ...] = ()
    """Set by ``judge``: the candidates behind those that are evidence, best first."""
    degraded: tuple[str, ...] = ()
    """In Chinese the stages that did not take part."""
    judgement: Judgement | None = None
    """Set by ``judge``."""
    stages: tuple[StageTime, ...] = ()
    """Set by ``judge``: what took part behind the built-in reranker."""
    answer: Answer | None = None
    until: float = math.inf
    """When the time of the question is over (``time.monotonic``)."""

    @property
    def searched(self) -> tuple[str, ...]:
        """The regulations that alone are searched; empty when all are."""
        return self.named.regulation_ids or self.only

    @property
    def late(self) -> bool:
        """Whether its time is over: what is still to come and can be left out is left out, and named."""
        return time.monotonic() >= self.until

    def without(self, what: str) -> Decision:
        """Return the decision with the note of what its time left out."""
        note = f"已到 {self.parts.settings.question_seconds:g} 秒时限，{what}"
        return replace(self, degraded=tuple(dict.fromkeys((*self.degraded, note))))

    def ended(self, answer: Answer) -> Decision:
        """Return the end of the way."""
        return replace(self, answer=answer)

    def refused(self, refusal: Refusal) -> Decision:
        """Return the end of the way without an answer; what the names told stands among the tips."""
        judged = self.judgement
        confidence = Confidence(1.0 - judged.confidence, judged.retrieval) if judged else Confidence(1.0)
        tips = tuple(dict.fromkeys((*self.named.tips, *refusal.tips)))
        advised = replace(refusal, tips=tips)
        return self.ended(
            Answer(
                self.query,
                self.day,
                (),
                advised,
                confidence,
                self.trace_id,
                degraded=self.degraded,
                stages=self.stages,
            )
        )


Stage = Callable[[Decision], Decision]
"""One step of the way; it raises nothing that a question could cause."""
