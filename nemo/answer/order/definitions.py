"""What a term means or consists of, what somebody has to do (定义、构成、职责): the provision on the very term comes first.

A text that uses a term in every article defines it in one, and lists the duties of a body in one; the ranker, which counts what is alike, takes one for the other.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from nemo.answer import refuse
from nemo.answer.decision import Decision
from nemo.answer.question import rewriting
from nemo.rerank.terms import fold
from nemo.rules import Rules
from nemo.store.library import Library
from nemo.store.search.facets import NATIONAL
from nemo.text.words.tokenise import cut
from nemo.types import Chunk, Expansion, Hit, Query, Quote, Refusal

TERM = r"[“\"]?(?P<term>[\u4e00-\u9fa5a-z0-9、()]{2,20}?)[”\"]?"
MEANING = (
    re.compile(rf"(?:^|[,，:：。?])?(?:何谓|什么(?:是|叫做?)|何为){TERM}(?:$|[?,。(])"),
    re.compile(
        rf"{TERM}(?:的?(?:定义|含义|概念)|(?:指的?是?|是指?的?|意味着)(?:什么|啥|何)(?:意思)?|(?:怎么|如何|怎样)(?:定义|界定))"
    ),
    re.compile(rf"{TERM}是指[^?]*\(\s*\)"),
)
"""How the meaning of a term is asked for, in a folded question: the last as a sentence to be completed."""
CONSISTING = (
    re.compile(
        rf"{TERM}(?:主要|具体|都)?(?:由(?:哪|什么)[^,。?]{{0,6}}(?:构成|组成)|(?:包括|包含|分为)(?:哪|什么|几)|有哪几(?:部分|类|种))"
    ),
)
"""How it is asked what a term consists of."""
DOING = (
    re.compile(
        rf"{TERM}(?:在[^,。?]{{2,20}}?)?(?:要|应该?|都|主要|具体|到底)?(?:干什么|做什么|干啥|负责什么|管什么"
        r"|(?:承担|有|履行)(?:什么|哪些)(?:职责|义务|责任|任务)|的?(?:主要)?(?:职责|义务)(?:是什么|有哪些|包括(?:哪些|什么)))"
    ),
)
"""How it is asked what somebody has to do."""
BEFORE = frozenset(["里", "里面", "中", "当中", "的", ",", ";", ":", "、", "规定", "关于", "所称", "请问", "根据"])
"""Words before a term that are no part of it (规则里什么是…); as words of their own, for 里程 and 中长期 are others."""
BEGINS = r"(?:^|[。;:,，、\s“\"》」)\]条]|所称的?|称|其中)[“\"]?"
MEANS = r"[”\"]?(?:\([^()]{1,30}\))?,?(?:是指|指的是|系指|指(?![标导引定令数挥南示派])|即)"
CONSISTS = r"[”\"]?,?(?:主要|具体)?(?:包括|包含|由[^。;]{2,80}(?:构成|组成)|分为)"
DOES = r"[”\"]?的?(?:主要)?(?:权利和|权利、)?(?:义务|职责|责任|任务)(?:主要)?(?:包括|是|有|如下|:)"
SHORT_FOR, CLOSES = r"\(以下[^()]{0,6}称[“\"]?", r"[”\"]?\)"
"""What a text shortens it explains where it does (以下简称…)."""
MEANT = re.compile("何谓|何为|什么(?:是|叫)|意思|含义|定义|概念|界定|指什么")
"""Asks in so many words what a term means; 依据是什么 asks for a thing."""
LEAST_TERM = 2
DEFINING = re.compile("法律|法规|法定|法|条例|规定|办法|国家|到底|究竟|怎么|如何|应该?|可以")
"""Words before 定义 that are no term: who defines, and how it is asked."""
MOST_WORDS = 2
"""Words of a term of which it may be said that nothing defines it: more are a part of the question."""


SURE = 0.93
"""How likely a provision that defines the very term is evidence, whatever the ranker makes of its words."""
MOST = 3
"""At most so many texts that define a term are looked up."""


def with_defining(decision: Decision, query: Query, hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits with those provisions behind them that define, as the graph knows, the term that is asked about."""
    term, library = asked_term(query)[0], decision.parts.library
    if not term:
        return list(hits)
    same = [word for each in query.synonyms if fold(each.term) == term for word in each.added]
    allowed = set(decision.searched) or library.facets.ids_allowed(query.filters)
    edges = [e for e in library.edges.to([term, *same], ("defines",)) if e.regulation_id in allowed]
    known = {hit.chunk.id for hit in hits}
    chunks = [chunk for e in edges[:MOST] if (chunk := _chunk_at(library, e.regulation_id, e.edge.span.start))]
    return [*hits, *(Hit(chunk, 0.0, {}) for chunk in chunks if chunk.id not in known)]


def _chunk_at(library: Library, regulation_id: str, place: int) -> Chunk | None:
    chunks = (library.chunk(each) for each in library.chunk_ids(regulation_id))
    return next((c for c in chunks if c is not None and c.span.start <= place < c.span.end), None)


def defining_first(decision: Decision, hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits, those first, and as sure, that define the term a question asks for the meaning or the parts of."""
    pattern = asked_term(decision.query)[1]
    if pattern is None or not hits or decision.leans_on or decision.parts.stages:
        return list(hits)
    says = [pattern.search(fold(hit.chunk.text)) is not None for hit in hits]
    row, own = decision.parts.library.row, (decision.query.filters.province, NATIONAL)
    first = [_sure(hit) for hit, it in zip(hits, says, strict=True) if it]
    first.sort(key=lambda hit: own.index(p) if (p := row(hit.chunk.regulation_id).province) in own else len(own))
    return [*first, *(hit for hit, it in zip(hits, says, strict=True) if not it)]


def is_defined(query: Query, hits: Sequence[Hit]) -> bool:
    """Tell whether the first hit defines the term that a question asks for the meaning or the parts of."""
    return bool(hits) and says(query, hits[0].chunk.text)


def says(query: Query, text: str) -> bool:
    """Tell whether words define the term that a question asks for the meaning or the parts of; no question, no definition."""
    pattern = asked_term(query)[1]
    return pattern is not None and pattern.search(fold(text)) is not None


def _sure(hit: Hit) -> Hit:
    chances = {name: max(SURE, hit.scores.get(name, 0.0)) for name in ("probability", "answerable")}
    return replace(hit, score=max(SURE, hit.score), scores={**hit.scores, **chances})


def undefined(query: Query, quotes: Sequence[Quote], rules: Rules) -> Refusal | None:
    """Refuse what a term means where no quote says the term: no held text defines it; None for any other question."""
    term, meant = asked_term(query)[0], MEANT.search(fold(rewriting.matter(query)))
    if not term or meant is None or len(cut(term)) > (1 if quotes else MOST_WORDS) or refuse.outside(query, rules):
        return None
    words = (term, *(fold(w) for e in query.synonyms if fold(e.term) == term for w in e.added))
    shown = fold("".join(said for quote in quotes for _, said in quote.slices()))
    if any(word in shown for word in words):
        return None
    return refuse.undefined(term)


def asked_term(query: Query) -> tuple[str, re.Pattern[str] | None]:
    """Return the term that a question asks for the meaning or the parts of, and what its definition looks like."""
    return _asked(fold(rewriting.matter(query)).strip(), query.synonyms)


@lru_cache(256)
def _asked(text: str, synonyms: tuple[Expansion, ...]) -> tuple[str, re.Pattern[str] | None]:
    """Do it for folded words; a question is looked at for each of its hits."""
    for patterns, said in ((MEANING, MEANS), (CONSISTING, CONSISTS), (DOING, DOES)):
        for asked in patterns:
            if (found := asked.search(text)) is not None and len(term := _term(found["term"])) >= LEAST_TERM:
                words = [term, *(fold(w) for e in synonyms if fold(e.term) == term for w in e.added)]
                named = f"(?:{'|'.join(map(re.escape, words))})"
                short = f"|{SHORT_FOR}{named}{CLOSES}" if said is MEANS else ""
                return term, re.compile(f"{BEGINS}{named}{said}{short}")
    return "", None


def _term(words: str) -> str:
    parts = cut(words)
    last = max((i for i, part in enumerate(parts) if part in BEFORE), default=-1)
    term = "".join(parts[last + 1 :])
    return "" if DEFINING.fullmatch(term) else term
