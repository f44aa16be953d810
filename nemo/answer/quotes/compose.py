"""From ranked provisions to quotes (引文): which span answers, and what must stand beside it.

Everything quoted is cut by ``Quote.cut`` from the stored text. This module only chooses spans, and every span it
chooses is safe (``nemo.text.words.sentences``): whole sentences with their provisos, whole items with their lead-in.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from nemo.answer.judgement.surroundings import tight
from nemo.answer.judgement.tables import found_row, prose
from nemo.answer.question import asked_kinds
from nemo.rerank import quantities
from nemo.rerank.terms import fold, words_of
from nemo.text.structure import chunking
from nemo.text.words.normalise import simplified
from nemo.text.words.pointers import pointed
from nemo.text.words.sentences import points_back, points_on, safe, trim, units
from nemo.types import Chunk, Day, Hit, Level, Provision, Query, Quote, Ranked, Regulation, Span

SHORT = 160
"""A 款 of at most this many characters is quoted whole: nothing is gained by cutting it."""

LIST = 700
"""A list of at most this many characters is quoted whole with its lead-in."""

QUOTED, WITHIN = 0.6, 0.8
"""A provision is quoted when its score is at least this share of the best, one of the first one's text when it is at least
the other share of the first's: a text rules a matter once, another text rules it again. The rest are only listed."""

SECOND = 0.84
"""A second stretch of one provision is quoted from this share of the first one's likeness."""

HELD = 0.5
"""Share of the best stretch's likeness from which one that holds what the question says is quoted in place of one that does not."""

UNSTATED = 0.5
"""Share of its score that a stretch keeps which does not state the kind of value that is asked for."""

OF_ANOTHER = 0.2
"""Share of its score that it keeps when another states the value of the very thing that is asked about."""

LISTED = 5
"""At most so many provisions are listed as ranked, beside those that are quoted."""

LIMITS = (
    (
        re.compile(r"什么时候|何时|几时|截[止至]"),
        re.compile(r"\d[月日]|[一二三四五六七八九十][月日]|之日起|年[初底末]|[前后]$"),
    ),
    (re.compile(r"(?:怎么|如何|会不会|要不要|被|挨)罚(?!多少|几|款)|罚(?:不罚|吗)"), re.compile("罚款|拘留|没收|吊销")),
    (
        re.compile(r"上限|下限|最[高低大小多少长短晚早迟]"),
        re.compile(r"不得?(?:超过|高于|低于|少于|大于|小于|早于|晚于)|\d%|以[上下内]"),
    ),
    (re.compile("期限|时限|多久|多长时间"), re.compile("及时|尽快")),
    (asked_kinds.CYCLE, asked_kinds.CYCLES),
)
"""What asks for a day, a penalty, a limit, a term or a cycle, and what states one, beside the kinds that the ranker tells apart (quantities)."""

COUNTS_TIME, TIME_COUNTED = re.compile(quantities.SPANS_ASKED), re.compile(quantities.SPAN_OF_TIME)
"""Asks for a number of days or years, and states one."""

YEAR = re.compile(r"(?<!\d)(20\d\d)年")
ASKS_WHETHER = re.compile(
    r"要不要|需不需要|用不用|必须|是否|是不是|能不能|可不可以|可否|能否|行不行|[吗么][？?。！!\s]*$"
)
GENERAL_RULE = re.compile("应当|必须|不得|禁止|可以|须")
"""Asks whether something must or may be done, and rules it."""

Scorer = Callable[[Query, Regulation, Sequence[Span]], Sequence[float]]
"""Scores stretches of one regulation against a question; higher is better, only the order and ratios count."""

Holds = Callable[[Regulation, Span, Sequence[Span | None]], float]
"""Tells how much of what a question says a stretch, with what must stand beside it, holds; 0 where it lacks what must be."""


@dataclass(frozen=True, slots=True)
class FoundQuote:
    """One provision (article or outline entry) that the ranking brought up, with its best hit."""

    regulation: Regulation
    provision: Provision
    hit: Hit


def group(hits: Sequence[Hit], regulation_of: Callable[[str], Regulation]) -> list[FoundQuote]:
    """Join hits to their provisions; several chunks of one article become one entry at the rank of the best.

    A text that is held from two files (同一法规的两份文件) says a thing once.
    """
    found: dict[tuple[str, str], FoundQuote] = {}
    for hit in hits:
        regulation = regulation_of(hit.chunk.regulation_id)
        provision = regulation.unit(hit.chunk.span)
        if provision is not None:
            found.setdefault((regulation.id, provision.label), FoundQuote(regulation, provision, hit))
    titles = Counter(title for _, title in {(f.regulation.id, f.regulation.title) for f in found.values()})
    once: dict[tuple[str, str], FoundQuote] = {}
    for key, entry in found.items():
        own = entry.regulation
        said = (own.title, tight(entry.provision.span.of(own.text))) if titles[own.title] > 1 else key
        once.setdefault(said, entry)
    return list(once.values())


def stating_first(query: Query, found: Sequence[FoundQuote]) -> list[FoundQuote]:
    """Return the entries, those of the best one's text that state the kind of value asked for before those that do not.

    Which of two provisions on one matter gives the day, the limit or the price is told by what they state.
    """
    own = [i for i, entry in enumerate(found) if entry.regulation.id == found[0].regulation.id]
    if any(found_row(found[i].regulation, found[i].hit.chunk.span) is not None for i in own):
        return list(found)  # a row of a table states its value by its place
    words = [found[i].provision.span.of(found[i].regulation.text) for i in own]
    scores = _by_value(query, words, [found[i].hit.score for i in own])
    order = sorted(range(len(own)), key=lambda i: -scores[i])
    out = list(found)
    for place, i in zip(own, order, strict=True):
        moved = found[own[i]]
        out[place] = replace(moved, hit=replace(moved.hit, score=found[place].hit.score))
    return out


ALIKE = 0.9
"""Share of the best score from which the chosen spans of one provision answer alike, and stand as in the text."""


def worth_quoting(found: Sequence[FoundQuote]) -> list[FoundQuote]:
    """Return the entries, best first, that are nearly as likely to be evidence as the best of them."""
    best = max((f.hit.score for f in found), default=0.0)

    def least(entry: FoundQuote) -> float:
        return WITHIN * found[0].hit.score if entry.regulation.id == found[0].regulation.id else QUOTED * best

    return [f for f in found if f.hit.score >= least(f)]


def further(found: Sequence[FoundQuote], behind: Sequence[FoundQuote]) -> list[FoundQuote]:
    """Return the entries with those behind them, each provision once: who has to judge looks further than the evidence."""
    once: dict[tuple[str, str], FoundQuote] = {}
    for entry in (*found, *behind):
        once.setdefault((entry.regulation.id, entry.provision.label), entry)
    return list(once.values())


def leaned_on(quotes: Sequence[Quote], found: Sequence[FoundQuote]) -> list[FoundQuote]:
    """Return the entries that hold what a quote means by 前条 and of which nothing is quoted: evidence in their own right."""
    said = [(q.regulation_id, q.span) for q in quotes]
    meant = [(q.regulation_id, q.before) for q in quotes if q.before is not None]
    return [entry for entry in found if _holds(entry, meant) and not _holds(entry, said)]


def _holds(entry: FoundQuote, places: Sequence[tuple[str, Span]]) -> bool:
    return any(entry.regulation.id == held and entry.provision.span.overlaps(span) for held, span in places)


def chunk_of(regulation: Regulation, provision: Provision) -> Chunk:
    """Return a whole provision as a chunk."""
    return chunking.chunk_of(regulation.id, regulation.text, provision.span, provision.label)


def ranked(found: FoundQuote) -> Ranked:
    """Return the provision as stored, for the ranked list."""
    regulation, span = found.regulation, trim(found.regulation.text, found.hit.chunk.span)
    chain = regulation.chain(span)
    article = next((p for p in reversed(chain) if p.level is Level.ARTICLE), None)
    return Ranked(
        regulation.id,
        regulation.file,
        regulation.title,
        article.step if article else found.provision.path(),
        chain[-1].label if chain else found.provision.label,
        span,
        span.of(regulation.text),
        found.hit.score,
    )


def paragraphs(provision: Provision) -> list[Provision]:
    """Return the 款 of an article, or the provision itself when it has none."""
    parts = [p for p in provision.children if p.level in (Level.PARAGRAPH, Level.OUTLINE, Level.ARTICLE)]
    return parts or [provision]


def spans_of(query: Query, found: FoundQuote, scorer: Scorer, most: int, holds: Holds | None = None) -> list[Span]:
    """Choose at most ``most`` safe spans of one provision that answer the question, best first: of those that hold what it says."""
    regulation = found.regulation
    candidates = prose(regulation.text, _candidates(regulation.text, _within(found)))
    candidates = [span for span in candidates if not regulation.unquotable(span)] or candidates
    if len(candidates) <= 1:  # a section may be a table and no more
        return candidates
    words = [simplified(s.of(regulation.text)) for s in candidates]
    scores = scorer(query, regulation, candidates)
    scores = _by_year(query, words, _by_act(query, words, scores) or _by_value(query, words, scores))
    if holds is not None:
        least = HELD * max(scores)
        held = [holds(regulation, s, _ties(found, s)) if scores[i] >= least else 0.0 for i, s in enumerate(candidates)]
        if nearly := [i for i, share in enumerate(held) if share]:
            candidates, scores = [candidates[i] for i in nearly], [scores[i] * held[i] for i in nearly]
    order = sorted(range(len(candidates)), key=lambda i: -scores[i])
    chosen: list[Span] = []
    for index in order[: most * 2]:
        span = candidates[index]
        if chosen and (scores[index] < SECOND * scores[order[0]] or len(chosen) >= most):
            break
        if not any(span.overlaps(other) for other in chosen):
            chosen.append(span)
    alike = all(scores[candidates.index(span)] >= ALIKE * scores[order[0]] for span in chosen)
    # 款 of an article build on each other, entries of an outline are matters of their own
    if found.provision.level is not Level.ARTICLE:
        asked = fold(query.text)
        alike = alike and not (quantities.ASKS_VALUE.search(asked) or any(said.search(asked) for said, _ in LIMITS))
    chosen = _with_general_rule(query, found, chosen)
    return sorted(chosen, key=lambda span: span.start) if alike else chosen


def _with_general_rule(query: Query, found: FoundQuote, chosen: list[Span]) -> list[Span]:
    """Return the spans; of an article whose first 款 rules all that is asked whether it must be, and others its cases, that one too."""
    text, parts = found.regulation.text, found.provision.children
    if len(parts) < 2 or found.provision.level is not Level.ARTICLE:
        return chosen
    first = trim(text, parts[0].span)
    said = tight(first.of(text))
    asked = [words for words in re.split("[,;:?。]", fold(query.text)) if ASKS_WHETHER.search(words)]
    ruled = any(
        all(word in said for word in words_of(ASKS_WHETHER.sub(" ", words)) if len(word) > 1) for words in asked
    )
    rules = ruled and first.end - first.start <= SHORT and GENERAL_RULE.search(said)
    return chosen if not rules or any(span.overlaps(first) for span in chosen) else [*chosen, first]


def _by_value(query: Query, words: Sequence[str], scores: Sequence[float]) -> list[float]:
    """Return the scores with what states no value of the asked kind behind what does, when any of them does.

    What states it of another thing than the one the question names (公示多少天) stands further behind.
    """
    holding = [_states(query, text) for text in words]
    asked = fold(query.text)
    thing, wanted = quantities.named(asked), quantities.wanted(asked)
    unit = found[1] if (found := quantities.UNIT.search(asked)) else ""
    of_thing = [bool(thing) and quantities.stated_of(thing, tight(text), wanted, unit) for text in words]
    rates = [
        OF_ANOTHER if any(of_thing) and not of_it else UNSTATED if any(holding) and not held else 1.0
        for held, of_it in zip(holding, of_thing, strict=True)
    ]
    return [score * rate for score, rate in zip(scores, rates, strict=True)]


def _by_act(query: Query, words: Sequence[str], scores: Sequence[float]) -> list[float]:
    """Return the scores with what sets no time for the act asked about (多少天答复) far behind; empty when none sets one."""
    act = quantities.act(fold(query.text))
    set_for = [bool(act) and quantities.acts_in_time(act, tight(text)) for text in words]
    return [s if timed else s * OF_ANOTHER for s, timed in zip(scores, set_for, strict=True)] if any(set_for) else []


def _by_year(query: Query, words: Sequence[str], scores: Sequence[float]) -> list[float]:
    """Return the scores with what is said of another year than the one that a question names behind what is said of it."""
    asked = set(YEAR.findall(query.text))
    said = [set(YEAR.findall(tight(text))) for text in words]
    if not asked or not any(years & asked for years in said):
        return list(scores)
    return [s * OF_ANOTHER if years and not years & asked else s for s, years in zip(scores, said, strict=True)]


def _states(query: Query, text: str) -> bool:
    """Tell whether words state a value of a kind that the question asks for."""
    asked, folded = fold(query.text), tight(text)
    kinds = quantities.wanted(asked) & (quantities.stated(folded) > 0)
    if COUNTS_TIME.search(asked) and not TIME_COUNTED.search(folded):  # 当场, 定期 is no number of days
        kinds[quantities.NAMES.index("time")] = False
    return bool(kinds.any()) or any(said.search(asked) and stated.search(folded) for said, stated in LIMITS)


def _within(found: FoundQuote) -> Provision:
    """A hit on a part of a long outline entry is quoted from that part."""
    chain = found.regulation.chain(found.hit.chunk.span)
    smallest = chain[-1] if chain else found.provision
    return smallest if found.provision.level is Level.OUTLINE else found.provision


def _candidates(text: str, provision: Provision) -> list[Span]:
    """Return the safe spans of a provision: short 款 whole, lists whole when they fit, else sentences and items."""
    out: list[Span] = []
    for part in (*_own_words(text, provision), *paragraphs(provision)):
        whole = trim(text, part.span)
        length = whole.end - whole.start
        if length <= SHORT or (part.children and length <= LIST):
            out.append(whole)
        else:
            out.extend(_merged(text, part))
    return _answered(text, list(dict.fromkeys(s for s in out if s.start < s.end)))


def _answered(text: str, spans: Sequence[Span]) -> list[Span]:
    """Return the spans with each question (问：…？) and what answers it in one: a question by itself says nothing."""
    out: list[Span] = []
    for span in spans:
        asks = bool(out) and text[out[-1].end - 1] in "？?" and not text[out[-1].end : span.start].strip()
        out[-1:] = [Span(out[-1].start, span.end)] if asks else [*out[-1:], span]
    return out


def _own_words(text: str, provision: Provision) -> list[Provision]:
    """Return what an outline entry says itself, as a part of it, when it is more than a heading or the lead-in of a list."""
    if provision.level is not Level.OUTLINE or not provision.children:
        return []
    own = trim(text, Span(provision.span.start, provision.children[0].span.start))
    headed = own.end - own.start <= len(provision.number) + len(provision.heading) + 2
    lead = provision.children[0].level is Level.OUTLINE and text[own.end - 1] in "：:"
    return [] if headed or lead else [replace(provision, span=own, children=())]


def _merged(text: str, part: Provision) -> list[Span]:
    """Return the units of a long 款, neighbours joined while they stay short: one idea seldom fits one sentence."""
    out: list[Span] = []
    for unit in units(text, part):
        previous = out[-1] if out else None
        if previous and unit.lead is None and unit.span.end - previous.start <= SHORT:
            out[-1] = Span(previous.start, unit.span.end)
        else:
            out.append(unit.span)
    return out


def _ties(found: FoundQuote, span: Span) -> tuple[Span | None, Span | None]:
    return beside(found.regulation, found.provision, span)


def cut(
    query: Query, found: FoundQuote, day: Day, scorer: Scorer, most: int = 2, holds: Holds | None = None
) -> list[Quote]:
    """Cut the quotes of one provision, each with what must stand beside it."""
    quotes = []
    for span in spans_of(query, found, scorer, most, holds):
        before, after = beside(found.regulation, found.provision, span)
        quote = Quote.cut(found.regulation, span, day, score=found.hit.score, before=before, after=after)
        if quote.citation.status.may_answer:  # one 款 of an article may commence later than the rest of it
            quotes.append(quote)
    return quotes


def beside(regulation: Regulation, provision: Provision, span: Span) -> tuple[Span | None, Span | None]:
    """Return the text a quote depends on: before it (前款, 其, the lead-in of its list) and after it (its list)."""
    text = regulation.text
    unit = next((u for u in units(text, provision) if u.span.contains(Span(span.start, span.start + 1))), None)
    before = after = None
    meant = pointed(regulation, span)
    if unit is not None and unit.lead is not None and not span.contains(unit.lead):
        before = unit.lead if meant is None else Span(min(meant.start, unit.lead.start), unit.lead.end)
    elif meant is not None:
        before = trim(text, meant)
    elif points_back(text, span):
        before = _previous(regulation, provision, span)
    if points_on(text, span):
        after = _next(text, provision, span) or _list_behind(regulation, span)
    return before, after


def _previous(regulation: Regulation, provision: Provision, span: Span) -> Span | None:
    """The text just before the quote: the rest of its article, or the article before when the quote opens one."""
    text = regulation.text
    head = trim(text, Span(provision.span.start, span.start))
    if head.end - head.start > len(provision.number) + 1:
        parts = [trim(text, p.span) for p in paragraphs(provision) if p.span.end <= span.start]
        return parts[-1] if parts else safe(text, provision, Span(head.end - 1, head.end))
    siblings = [p for p in regulation.walk() if p.level is provision.level and p.span.end <= span.start]
    return trim(text, siblings[-1].span) if siblings else None


def _next(text: str, provision: Provision, span: Span) -> Span | None:
    tail = trim(text, Span(span.end, provision.span.end))
    return tail if tail.start < tail.end else None


def _list_behind(regulation: Regulation, span: Span) -> Span | None:
    """Return the numbered items behind a paragraph of an outline that leads to them and is no part of them."""
    above = [p for p in regulation.chain(span) if p.children and p.span.end > span.end]
    behind = [child for child in above[-1].children if child.span.start >= span.end] if above else []
    items = list(takewhile(lambda child: child.level is Level.OUTLINE, behind))
    return trim(regulation.text, Span(items[0].span.start, items[-1].span.end)) if items else None


def merge(quotes: Sequence[Quote]) -> list[Quote]:
    """Drop quotes that repeat the very span of an earlier one."""
    seen: set[tuple[str, Span]] = set()
    out = []
    for quote in quotes:
        key = (quote.regulation_id, quote.span)
        if key not in seen:
            seen.add(key)
            out.append(quote)
    return out
