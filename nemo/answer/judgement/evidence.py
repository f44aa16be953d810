"""Whether candidates are evidence: they hold what the question says (证据取舍)."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from functools import lru_cache

import numpy as np

from nemo.answer import refuse
from nemo.answer.decision import AnswerParts, Decision
from nemo.answer.judgement import agreement, annexes, coverage, elements, paper_likelihood, surroundings, tables
from nemo.answer.order import definitions, penalties
from nemo.answer.question import asked_kinds, decomposition, rare_words, rewriting
from nemo.answer.quotes import calibration, compose
from nemo.rerank import quantities
from nemo.rerank.terms import fold
from nemo.rules import Rules
from nemo.store.library import Library
from nemo.text.letter.titles import in_marks
from nemo.types import Hit, Level, Query, Quote, Refusal, Regulation, Span, Status

STILL = 0.2
"""A hit that holds what the question says answers in place of a better one that does not, from this share of its score."""

STRETCH = 3
FORMAL = re.compile(
    r"(?:通知|公告|通告|批复|函复|安排|公布)如下[：:]?$|收悉$|现(?:将|予以?)[^。]{0,60}(?:印发|公布|发布|颁布)|印发给你们|^\s*特此(?:通知|公告|通告|函告)"
    r"|请[^。]{0,24}(?:遵照|贯彻|认真|组织)[^。]{0,8}(?:执行|实施|落实)|(?:问题|情况)，?请[^。]{0,12}(?:反映|报告|告我)"
    r"|^(?:第一条)?\s*(?:为|根据|依据|依照)[^。]{0,200}制定本[^。，]{2,8}$"
)
"""A sentence that issues a rule or says why it is made: it rules nothing itself."""
DELEGATES = re.compile(
    r"^\s*(?:[^，。；]{2,60}的，)?[^，。；]{0,60}(?:办法|标准|细则|规定|规则|规范|名录|目录)，?由[^。；，]{2,60}(?:制[定订]|规定|公布|发布)[^。；，]{0,8}$"
)
"""A sentence that leaves a matter to a rule to be made (具体办法由国务院规定): it rules nothing of it itself."""
ASKS_DELEGATE = re.compile("(?:谁|哪|什么)[^，。？]{0,8}定|定的?(?:权限|主体)|办法|标准|细则|规范|名录|目录|依据|授权")
MAY_BE_FORMAL = re.compile("如下|收悉|现[将予]|印发给你们|特此|请|制定本")
"""Without one of these no sentence is."""
LOOSE = re.compile(r"(?:^|[-.])t\d+$")
"""Label of a paragraph outside every numbered unit."""
SAYS_NOTHING = re.compile(r"[^。；;：:|，,]{0,60}")
"""A line outside every numbered unit that is no sentence: title, document number, heading, signature."""
ANNEXES = re.compile(r"附[件表]?\s?[：:][^。；;|]{0,600}")
"""A list of annexes with the signature behind it."""
ASKS_WHY = re.compile("为什么|为何|目的|宗旨|依据|根据|反映|反馈|背景")
LEAST_SAID = 8
"""Characters that a provision says beside such sentences, else it is no evidence."""
CASES = re.compile("通报|典型(?:案例|问题)")
"""A text with such a title tells what was found against the rules; it is no rule."""
ASKS_CASES = re.compile("通报|案例|典型|问题|查处|曝光|违规|哪些企业")

LIKELY = 0.25
"""Probability from which a paragraph of a plan or notice answers in place of a better one that lacks what the question says."""

MISSED = 0.5
"""Share of its score that a stretch of a provision loses where it says no word of the question."""

HEADED = 0.3
"""Nearness of its headings to the question from which a rule of a statute may be the special one. With the works that answer
kept back, 27 of 130 wrong answers to questions it was not chosen on were called 直接规定, with it 12; of 114 right ones 62, with it 58."""

SURE = 0.9
"""Probability that a list holds an answer from which a statute answers in words that no check knows."""

DOUBTED = 0.5
"""Probability that a list holds an answer below which its provisions have to name what a value is asked of."""
Cut = Callable[[Decision, Hit], Sequence[Quote]]
"""What would be quoted of one hit alone, the first one first."""


def ruling(query: Query, hits: Sequence[Hit], library: Library, *, cases_too: bool = False) -> list[Hit]:
    """Return the hits that rule something: not what only issues a rule, nor what tells of breaches, unless that is asked."""
    whole = refuse.OF_THE_NOTICE.search(query.text) or ASKS_WHY.search(query.text)
    asks_cases = cases_too or ASKS_CASES.search(query.text)

    rows = [library.row(i) for i in {h.chunk.regulation_id for h in hits}]
    cases = {row.id for row in rows if not asks_cases and CASES.search(row.title)}
    moved = {row.id: [r.words for r in row.relations if r.moves_days] for row in rows}

    def rules(hit: Hit) -> bool:
        nothing, formal = _kind(_without(hit.chunk.text, moved[hit.chunk.regulation_id]), hit.chunk.label)
        return not nothing and bool(whole or not formal) and hit.chunk.regulation_id not in cases

    return [hit for hit in hits if rules(hit)]


def stating(query: Query, hits: Sequence[Hit]) -> list[Hit]:
    """Return ordered hits without those that only leave the matter to a rule that others make, unless that is asked."""
    asked = ASKS_DELEGATE.search(query.text) is not None
    return [hit for hit in hits if asked or not only_delegates(hit.chunk.text)]


def _without(text: str, said: Sequence[str]) -> str:
    """Return a passage whose sentences that only move the days of another text (推迟施行, 延长有效期) issue nothing more."""
    return "。".join("特此通知" if any(w in s for w in said) else s for s in text.split("。")) if said else text


@lru_cache(32_768)
def _kind(text: str, label: str) -> tuple[bool, bool]:
    """Tell whether a passage is no sentence at all, and whether it is :func:`only_formal`: they are found again and again."""
    words = text.strip()
    nothing = ANNEXES.fullmatch(words) or (LOOSE.search(label) and SAYS_NOTHING.fullmatch(words))
    return nothing is not None, only_formal(text)


@lru_cache(32_768)
def only_delegates(text: str) -> bool:
    """Tell whether words leave a matter to a rule that others make, and nothing else."""
    return "由" in text and _all_but_few(text, DELEGATES)


def only_formal(text: str) -> bool:
    """Tell whether words issue a rule, send its readers somewhere or say why it is made, and nothing else."""
    return MAY_BE_FORMAL.search(text) is not None and _all_but_few(text, FORMAL)


def _all_but_few(text: str, kind: re.Pattern[str]) -> bool:
    """Tell whether sentences of a kind are all that is said, but for a few characters."""
    sentences = text.split("。")
    formal = [s for s in sentences if kind.search(s)]
    return bool(formal) and sum(map(len, sentences)) - sum(map(len, formal)) < LEAST_SAID


def by_chance(decision: Decision, hits: Sequence[Hit], keep: int, cut: Cut) -> list[Hit]:
    """Return the hits with the first of papers by how likely what would be quoted of them (``cut``) holds the words that
    answer, each with it (``held``).

    One that lacks what must be (:func:`elements.missing`) holds none. Places and scores among the others stay.
    """
    found = [i for i, hit in enumerate(hits) if _of_paper(hit, decision.parts.library)]
    places, at = (
        paper_likelihood.places([hits[i] for i in found]),
        [i for i in found if i < max(keep, paper_likelihood.LOOKED)],
    )
    judged = sorted(
        (_judged(hits[i], held_signs(decision, hits[i], hits[0], places, cut)) for i in at),
        key=lambda hit: -hit.scores["held"],
    )
    out = list(hits)
    for i, hit in zip(at, judged, strict=True):
        out[i] = replace(hit, score=hits[i].score)
    return out


def _of_paper(hit: Hit, library: Library) -> bool:
    return coverage.of_paper(library.row(hit.chunk.regulation_id))


def _judged(hit: Hit, found: np.ndarray | None) -> Hit:
    chance, unnamed = (
        (0.0, False)
        if found is None
        else (float(paper_likelihood.HELD(found)), bool(found[paper_likelihood.UNNAMED_AT]))
    )
    return replace(hit, scores={**hit.scores, "held": chance, "unnamed": unnamed})


def held_signs(
    decision: Decision, hit: Hit, first: Hit, places: Mapping[str, np.ndarray], cut: Cut
) -> np.ndarray | None:
    """Return what tells how likely the words that would be quoted of a hit of a paper answer, None where it lacks what must
    be or nothing is quoted; ``first`` is the best one, ``places`` what :func:`held.places` returns.

    The quote is looked at as its reader sees it: another row of the table, or one item of a section, may stand for the hit.
    """
    query, parts, text = decision.query, decision.parts, _read(hit, decision.parts)
    lacks = _lacks(decision, hit, text, first, named=text.in_table)
    quote = None if lacks else next(iter(cut(decision, hit)), None)
    if quote is None:
        return None
    seen = _seen(text.regulation, quote.span, (quote.before, quote.after), parts)
    unnamed = elements.unnamed(query, seen) is not None
    return paper_likelihood.signs(
        query, hit, seen, decision.rarity, parts.library, places[hit.chunk.id], unnamed=unnamed
    )


def _lacks(
    decision: Decision, hit: Hit, text: surroundings.EvidenceText, first: Hit, *, named: bool = True
) -> list[str]:
    """Return in Chinese what a hit lacks of what the question says; where the best one is doubted more must be named."""
    query, parts = decision.query, decision.parts
    doubted = first.scores.get("answerable", 1.0) < DOUBTED or "|" in first.chunk.text  # the words around a table
    lacks = elements.missing(query, text, parts.rules, doubted, named=named)
    excused = lacks and (_fined_elsewhere(query, hit, parts.library) or definitions.says(query, hit.chunk.text))
    return [] if excused else lacks


def surely_held(hits: Sequence[Hit]) -> bool:
    """Tell whether the first hit is of a paper and likely enough to answer though the ranker doubts it."""
    return bool(hits) and hits[0].scores.get("held", 0.0) >= paper_likelihood.DOUBTED


def holding(decision: Decision, ended: Callable[[Decision], Refusal | None]) -> Decision:
    """Keep the hits that hold the year, place and value the question says; refuse when the best of them do not.

    A statute rules in general words: where the list surely holds the answer only what sets its case apart refuses it.
    Where a text that is law no more holds them, the refusal by ``ended`` names it.
    """
    library, rules, query = decision.parts.library, decision.parts.rules, decision.query
    first, kept = decision.hits[0], list[Hit]()
    missing: list[str] = []
    for hit in decision.hits:
        lacks = _lacks(decision, hit, _read(hit, decision.parts), first)
        missing += lacks
        if _answers(decision, hit, kept[:1]) if "held" in hit.scores else not lacks:
            kept.append(hit)
    papers = bool(kept) and "held" in kept[0].scores
    least = (
        0.0
        if papers
        else max(STILL * first.score, 0.0 if kept and _is_article(kept[0], library) else min(first.score, LIKELY))
    )
    if kept and kept[0].score >= least:
        return replace(decision, hits=tuple(kept))
    if outright := _stating(decision, first):
        return replace(decision, hits=outright)
    if _rules_in_general(decision, first):
        return decision
    lapse = None if decision.searched or decision.late else ended(decision)
    if lapse is not None and lapse.related:
        chunk = lapse.related[0].chunk
        gone = library.regulation(chunk.regulation_id)
        lacks = elements.missing(query, surroundings.evidence_of(gone, chunk.span), rules)
        lapse = None if lacks or gone.validity.ended_as is Status.AMENDED else lapse  # its newer version was looked at
    if lapse is None and not missing:  # all that is asked of is named, in words too far from it
        lapse = refuse.too_weak(query, decision.hits, rules, decision.parts.law.not_held, decision.rarity)
    return decision.refused(lapse or lacking_words(decision, missing))


def _rules_in_general(decision: Decision, first: Hit) -> bool:
    """Tell whether a statute surely answers, though it says what is asked in words of its own (多少倍: 一倍以上三倍以下).

    A contact is no matter of law, and each of several clauses is asked by itself where one is not answered.
    """
    sure, text = first.scores.get("answerable", 0.0) >= SURE, fold(rewriting.matter(decision.query))
    if not sure or asked_kinds.CONTACT.search(text) or len(decomposition.split(text, lambda _: False)) > 1:
        return False
    if coverage.of_paper(decision.parts.library.row(first.chunk.regulation_id)):
        return False
    return not elements.of_another_case(decision.query, _read(first, decision.parts), decision.parts.rules)


def _answers(decision: Decision, hit: Hit, best: Sequence[Hit]) -> bool:
    """Tell whether a provision of a paper is likely enough to answer, or to stand beside the best that does."""
    chance = hit.scores["held"]
    if decision.judgement is None or not decision.judgement.answerable:
        return chance >= paper_likelihood.DOUBTED
    if hit.scores["unnamed"]:
        return chance >= paper_likelihood.UNNAMED
    beside = any(chance >= STILL * first.scores.get("held", 1.0) for first in best)
    return beside or chance >= paper_likelihood.NAMED


def lacking_words(decision: Decision, missing: Sequence[str]) -> Refusal:
    """Refuse because the nearest provisions lack what the question says, naming the annex that may hold it."""
    annex = annexes.unheld(decision.query, decision.hits, decision.parts.library)
    return refuse.lacking(decision.query, missing, decision.hits, annex)


def _stating(decision: Decision, first: Hit) -> tuple[Hit, ...]:
    """Return the first provision of the best hit's text that states the value of the very thing asked (收益率…不超过5%).

    It may stand far down the list: a long article of which one item states it.
    """
    query = decision.query
    asked = fold(rewriting.matter(query))
    thing, wanted = quantities.named(asked), quantities.wanted(asked)
    if not (thing and wanted.any()):
        return ()
    own = [hit for hit in decision.further if hit.chunk.regulation_id == first.chunk.regulation_id]
    stating = [hit for hit in own if quantities.stated_of(thing, fold(surroundings.tight(hit.chunk.text)), wanted)]
    if not stating:  # not even listed: the one article of the text that states it
        regulation = decision.parts.library.regulation(first.chunk.regulation_id)
        articles = (p for p in regulation.walk() if p.level is Level.ARTICLE)
        chunks = [compose.chunk_of(regulation, p) for p in articles if thing in p.span.of(regulation.text)]
        chunks = [c for c in chunks if quantities.stated_of(thing, fold(surroundings.tight(c.text)), wanted)]
        stating = [replace(first, chunk=chunk) for chunk in chunks if len(chunks) == 1]
    return tuple(hit for hit in stating[:1] if carries(query, hit, decision.parts))


def carries(query: Query, hit: Hit, parts: AnswerParts) -> bool:
    """Tell whether a hit holds what the question says: what is to stand beside an answer has to answer too."""
    return not elements.missing(query, _read(hit, parts), parts.rules) or _fined_elsewhere(query, hit, parts.library)


def lacking(
    query: Query, regulation: Regulation, span: Span, beside: Sequence[Span | None], parts: AnswerParts, *, named: bool
) -> list[str]:
    """Return in Chinese what a quote of a paper lacks of what the question says: its provision was only read as a whole.

    A section of a paper rules many matters, and the item that is quoted has to be the one that is asked for; so has the row
    that stands for its table. An article of a statute is one matter.
    """
    if not coverage.of_paper(regulation):
        return []
    seen = _seen(regulation, span, beside, parts)
    return elements.missing(query, seen, parts.rules, named=named or seen.in_table)


def quote_lacks(decision: Decision, quote: Quote, *, named: bool) -> list[str]:
    """Return in Chinese what a quote lacks (:func:`lacking`); one that defines the term that is asked lacks nothing."""
    if definitions.says(decision.query, quote.text):
        return []
    regulation = decision.parts.library.regulation(quote.regulation_id)
    return lacking(decision.query, regulation, quote.span, (quote.before, quote.after), decision.parts, named=named)


def holding_share(
    query: Query, regulation: Regulation, span: Span, beside: Sequence[Span | None], parts: AnswerParts
) -> float:
    """Return how much of what a question says a stretch of a provision itself holds, 0 where it lacks what must be."""
    if lacking(query, regulation, span, beside, parts, named=True):
        return 0.0
    return 1.0 - MISSED * agreement.unsaid(query, _seen(regulation, span, beside, parts), alone=True)


def said_of(decision: Decision, quote: Quote) -> calibration.Agreement:
    """Return how far a quote and its text say what a question says, and how likely its hit was found to answer."""
    query, parts, weights = decision.query, decision.parts, decision.rarity
    own = (hit for hit in decision.hits if hit.chunk.regulation_id == quote.regulation_id)
    chances = [hit.scores["held"] for hit in own if "held" in hit.scores and hit.chunk.span.overlaps(quote.span)]
    regulation = parts.library.regulation(quote.regulation_id)
    seen = _seen(regulation, quote.span, (quote.before, quote.after), parts)
    other = rare_words.lead_of_others(weights, regulation.id, parts.library)
    missed = agreement.unsaid(query, seen), agreement.unheld(query, seen)
    return calibration.Agreement(*missed, other, coverage.of_paper(regulation), max(chances, default=None))


def _seen(
    regulation: Regulation, span: Span, beside: Sequence[Span | None], parts: AnswerParts
) -> surroundings.EvidenceText:
    """Return a quote as its reader sees it: a row in its table, any other words with what stands beside them."""
    likeness = parts.reranker.likeness
    if tables.found_row(regulation, span) is not None:
        return surroundings.evidence_of(regulation, span, likeness)
    return surroundings.quoted(regulation, span, beside, likeness)


def _read(hit: Hit, parts: AnswerParts) -> surroundings.EvidenceText:
    return surroundings.evidence_of(
        parts.library.regulation(hit.chunk.regulation_id), hit.chunk.span, parts.reranker.likeness
    )


def unnamed(query: Query, first: Quote, library: Library, rules: Rules) -> str | None:
    """Return in Chinese what a reader must judge: the quote never names what a value is asked of; None when it does."""
    text = surroundings.evidence_of(library.regulation(first.regulation_id), first.span)
    thing = None if first.table is not None else elements.never_named(query, text, rules)
    return f"首条引文没有提到“{thing}”，请判断是否适用。" if thing and quantities.names(thing) else None


def only_related(decision: Decision, first: Quote) -> str | None:
    """Say in Chinese why the first quote is a related rule at best; None when it may be the very one, or the question names it."""
    library = decision.parts.library
    if decision.named.hits:
        return None
    return unnamed(decision.query, first, library, decision.parts.rules) or _of_another_matter(decision, first)


def _of_another_matter(decision: Decision, first: Quote) -> str | None:
    """Say that what a quote of a statute stands under is far from the question: the special rule may not be held."""
    row = decision.parts.library.row(first.regulation_id)
    own = [hit.scores.get("headed", 1.0) for hit in decision.hits if hit.chunk.regulation_id == row.id]
    near = max(own, default=1.0) >= HEADED or alike(row.title, decision.query.text) > 0
    if near or coverage.of_paper(row):
        return None
    return f"{in_marks(row.title)}及所引章节的名称与所问的事项不相近，专门规定可能没有收入资料库，请核对是否适用。"


def alike(title: str, question: str) -> int:
    """Return how many characters of a title's matter a question says, in stretches of three and more."""
    own = refuse.FORM.sub("", title)
    if not any(own[at : at + STRETCH] in question for at in range(len(own) - STRETCH + 1)):
        return 0
    matched = SequenceMatcher(None, own, question, autojunk=False).get_matching_blocks()
    return sum(block.size for block in matched if block.size >= STRETCH)


def _is_article(hit: Hit, library: Library) -> bool:
    home = library.regulation(hit.chunk.regulation_id).unit(hit.chunk.span)
    return home is not None and home.level is Level.ARTICLE


def _fined_elsewhere(query: Query, hit: Hit, library: Library) -> bool:
    """Tell whether another article sets the penalty for breaking this one: it is quoted with it and states the value."""
    return len(penalties.with_penalties(query, compose.group([hit], library.regulation))) > 1
