"""The answer to a question for provisions by number: the words of the law from the first to the last (条文原文)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from nemo import lawview, review
from nemo.answer import not_in_force, refuse
from nemo.answer.decision import Decision
from nemo.answer.order import penalties
from nemo.answer.provisions.places import ResolvedAddress, by_heading_only, find
from nemo.answer.quotes import calibration, compose
from nemo.answer.retrieve import outright
from nemo.store.library import Library
from nemo.store.records.edges import Edges
from nemo.text.letter.titles import in_marks
from nemo.text.words.normalise import squash
from nemo.text.words.numerals import to_chinese
from nemo.text.words.pointers import pointed
from nemo.text.words.sentences import trim
from nemo.types import (
    HEADINGS,
    Address,
    AddressRange,
    AddressStep,
    Answer,
    Confidence,
    Day,
    Level,
    Mention,
    Provision,
    Query,
    Quote,
    Ranked,
    Reason,
    Refusal,
    Regulation,
    Span,
)

MODE = "provision"
"""``Answer.mode`` of such an answer."""
MOST = 120
"""At most this many provisions are given; the rest is named."""

_ASKS_WORDS = re.compile(
    r"请问|请|帮我|[发列贴]给?我|[贴发摘抄][出上过]?来|给我|都|全(?=[列发给贴]|$)|我们?|[把将](?=.)|列出来|想要?|需要|麻烦|看看|看|查询|查一?下|查|列出|列一?下|引用|给出|出示|显示|展示|说说|说|读|念|打开|完整|全部|"
    r"所有|整[条章]|逐条|全文|原文|条文|法条|正文|内容|具体|详细|是什么|什么|怎么样?|如何|规定|写|讲|提到|包括|有哪些|哪[些几]|多少|几(?=条)|一下|分别|各自|"
    r"[一这那]?[条章款项节编]|[了的吗呢啊吧是有都里中内里面对在与和及、,。?!:;\"'()<>《》 —-]"
)
"""Words of a request for the text itself; what is left asks for something in it."""
_POINTED = re.compile(r"第 ?[0-9]{1,4}(?:\.[0-9]{1,4}){1,4} ?条")
_PARTIAL = (Level.PARAGRAPH, Level.ITEM, Level.SUBITEM)


@dataclass(frozen=True, slots=True)
class _Place:
    """A provision that is asked for, with the regulation that holds it."""

    regulation: Regulation
    provision: Provision


def answered(decision: Decision) -> Answer | None:
    """Answer a question that names provisions with those that are law on its day, None when it names none."""
    query, library = decision.query, decision.parts.library
    rest = rest_of(query)
    mentions = [m if m.asked else _headed(m, rest, library) for m in query.mentions]
    mentions = [m for m in mentions if m.asked]
    rest = rest if all(m in query.mentions for m in mentions) else ""
    places: list[_Place] = []
    refusals: list[Refusal] = []
    for mention in mentions:
        found, refused = _places(mention, decision, rest)
        places.extend(p for p in found if not any(_same(p, q) for q in places))  # 民法典物权编 names its text twice
        refusals.extend(refused)
    if places:
        return _given(decision, mentions, places, refusals)
    if not refusals and (wrong := _misnumbered(query, library)) is not None:
        return decision.refused(wrong).answer
    if not refusals or any(not m.asked and m.regulation_ids for m in query.mentions):
        return None
    return decision.refused(refusals[0]).answer


def _headed(mention: Mention, rest: str, library: Library) -> Mention:
    """Return the only thing asked of a text, where it is the heading of one of its chapters, as that chapter (能源法法律责任)."""
    held = [library.regulation(i) for i in mention.regulation_ids] if rest else []
    headed = any(squash(p.heading) == rest for r in held for p in r.walk() if p.level in HEADINGS)
    step = AddressStep(Level.CHAPTER, heading=rest)
    return replace(mention, asked=(AddressRange(Address((step,))),)) if headed else mention


def _given(
    decision: Decision, mentions: Sequence[Mention], places: Sequence[_Place], refusals: Sequence[Refusal]
) -> Answer | None:
    query, library, day = decision.query, decision.parts.library, decision.day
    cut = [q for q in _quotes(places[:MOST], query, day, library.edges) if q.citation.status.may_answer]
    kept = review.screened(cut, library.reviews)
    if not kept:
        lapse = not_in_force.refusal(mentions[0], [places[0].regulation], day, library)
        return decision.refused(refuse.all_rejected() if cut else lapse).answer
    source = min((q.citation.recognised for q in kept if q.citation.recognised is not None), default=1.0)
    held = {p.regulation.id: p.regulation for p in places}
    more = f"所问共 {len(places)} 条，这里列出前 {MOST} 条；请按章、节或条号分次查看其余条文。"
    return Answer(
        query=query,
        day=day,
        quotes=tuple(kept),
        refusal=None,
        confidence=Confidence(source, source=source),
        trace_id=decision.trace_id,
        heading=_heading(mentions, places),
        ranked=tuple(_ranked(p) for p in places[: compose.LISTED]),
        mode=MODE,
        verdict=calibration.directness(Confidence(source), kept[0]),
        tips=(*((more,) if len(places) > MOST else ()), *(r.message for r in refusals)),
        hierarchy=lawview.hierarchy(list(held.values()), decision.parts.rules),
    )


def rest_of(query: Query) -> str:
    """Return what a question asks beyond the words that name provisions and ask for their text."""
    text = query.text
    for mention in query.mentions:
        text = text.replace(mention.words, " ")
    for evidence in query.read:
        text = text.replace(evidence.words, " ")
    return _ASKS_WORDS.sub("", text)


def _places(mention: Mention, decision: Decision, rest: str) -> tuple[list[_Place], list[Refusal]]:
    """Follow one mention into the versions of the day; ``rest`` is what the question says beside it."""
    library, day = decision.parts.library, decision.day
    if not mention.regulation_ids:
        return [], [refuse.not_held(mention, library, decision.parts.rules)]
    versions = [library.regulation(i) for i in mention.regulation_ids]
    current = [r for r in versions if r.validity.on(day, mention.article).may_answer]
    if not current:
        return [], [not_in_force.refusal(mention, versions, day, library)]
    places: list[_Place] = []
    refusals: list[Refusal] = []
    for regulation in current:
        for asked in mention.asked:
            if by_heading_only(regulation, asked):
                continue
            found = find(regulation, asked)
            if found.provisions and rest and _broad(found) and not _is_heading(rest, found):
                continue  # asks for something in a chapter: for the search
            places.extend(_Place(regulation, p) for p in found.provisions if not _twice(places, regulation, p))
            if not found.provisions:
                refusals.append(_not_found(regulation, asked, found))
    return places, ([] if places and len(current) > 1 else refusals)


def _same(one: _Place, other: _Place) -> bool:
    return (one.regulation.id, one.provision.span) == (other.regulation.id, other.provision.span)


def _twice(places: Sequence[_Place], regulation: Regulation, provision: Provision) -> bool:
    """Tell whether another file of the same text gives the same words."""
    words = squash(provision.span.of(regulation.text))
    return any(
        p.regulation.id != regulation.id and squash(p.provision.span.of(p.regulation.text)) == words for p in places
    )


def _is_heading(rest: str, found: ResolvedAddress) -> bool:
    """Tell whether words are but the heading of the chapter asked for (第五章法律责任)."""
    return found.container is not None and _ASKS_WORDS.sub("", squash(found.container.heading)) == rest


def _broad(found: ResolvedAddress) -> bool:
    return found.container is not None or found.provisions[0].level in (Level.ANNEX, Level.PREAMBLE)


# --- quotes -----------------------------------------------------------------------------------------------------------


def _quotes(places: Sequence[_Place], query: Query, day: Day, edges: Edges) -> Iterator[Quote]:
    for run in _runs(places):
        regulation = run[0].regulation
        text = regulation.text
        span = trim(text, Span(run[0].provision.span.start, run[-1].provision.span.end))
        article = regulation.unit(span)
        if article is not None and run[0].provision.level in _PARTIAL:
            before, after = _around(regulation, article, span)
        else:
            before, after = compose.beside(regulation, article, span) if article and len(places) == 1 else (None, None)
        yield Quote.cut(regulation, span, day, score=1.0, before=before, after=after)
        if (
            penalties.ASKS_PENALTY.search(query.text)
            and article is not None
            and run[0].provision.level is Level.ARTICLE
        ):
            yield from (
                Quote.cut(regulation, trim(regulation.text, span), day, score=1.0)
                for span in _penalties(regulation, article, places, query, edges)
            )


def _penalties(
    regulation: Regulation, article: Provision, places: Sequence[_Place], query: Query, edges: Edges
) -> Iterator[Span]:
    """Yield the words of the penalty for breaking the provision that is asked for, when the question asks for it."""
    entry = compose.FoundQuote(regulation, article, outright(regulation, article))
    given = {p.provision.label for p in places if p.regulation.id == regulation.id}
    for found in penalties.with_penalties(query, [entry], edges)[1:]:
        if found.provision.label not in given:
            yield found.provision.span


def _runs(places: Sequence[_Place]) -> Iterator[list[_Place]]:
    """Join 款 and 项 that follow each other in one article into one quote; every article is a quote of its own."""
    run: list[_Place] = []
    for place in places:
        if run and not _follows(run[-1], place):
            yield run
            run = []
        run.append(place)
    if run:
        yield run


def _follows(before: _Place, place: _Place) -> bool:
    if before.regulation.id != place.regulation.id or place.provision.level not in _PARTIAL:
        return False
    gap = Span(before.provision.span.end, place.provision.span.start)
    if gap.start > gap.end or gap.of(place.regulation.text).strip():
        return False
    return place.regulation.unit(before.provision.span) == place.regulation.unit(place.provision.span)


def _around(regulation: Regulation, article: Provision, span: Span) -> tuple[Span | None, Span | None]:
    """Return the rest of the article before and after a 款 or 项, with the article before it when the 款 says 前条."""
    text = regulation.text
    head = trim(text, Span(article.span.start, span.start))
    before = head if squash_number(head.of(text)) != squash_number(article.number) else None
    meant = pointed(regulation, span)
    if meant is not None and meant.start < article.span.start:
        before = trim(text, Span(meant.start, span.start))
    tail = trim(text, Span(span.end, article.span.end))
    return before, (tail if tail.start < tail.end else None)


def squash_number(words: str) -> str:
    """Return words without blanks and marks of emphasis, to tell whether they are but a number."""
    return re.sub(r"[\s*#\u3000]+", "", words)


def _ranked(place: _Place) -> Ranked:
    hit = outright(place.regulation, place.provision)
    entry = compose.FoundQuote(place.regulation, place.provision, hit)
    return replace(compose.ranked(entry), label=place.provision.label)


# --- words ------------------------------------------------------------------------------------------------------------


def _heading(mentions: Sequence[Mention], places: Sequence[_Place]) -> str:
    """Name what is given: ``条文原文（《演示法》第六章，共 5 条）``."""
    extent = []
    for regulation in {p.regulation.id: p.regulation for p in places}.values():
        mention = next(m for m in mentions if regulation.id in m.regulation_ids)
        asked = "、".join(said(a) for a in mention.asked)
        count = sum(p.regulation.id == regulation.id for p in places)
        extent.append(f"{in_marks(regulation.title)}{asked}" + (f"，共 {count} 条" if count > 1 else ""))
    return f"条文原文（{'；'.join(extent)}）"


def said(asked: AddressRange) -> str:
    """Return an address in the words of the law: 第十条至第十二条, 最后一条, 附则."""
    return _words(asked.first) + (f"至{_words(asked.last)}" if asked.last else "")


def _words(address: Address) -> str:
    out = []
    for step in address.steps:
        unit = "部分" if step.level is Level.OUTLINE else step.level.value
        if step.heading:
            out.append(step.heading + (unit if step.level in (Level.PART, Level.SUBPART) else ""))
        elif step.number < 0:
            out.append(f"最后一{unit}" if step.number == -1 else f"倒数第{to_chinese(-step.number)}{unit}")
        elif step.level is Level.ANNEX:
            out.append(f"附件{step.number or ''}")
        else:
            number = to_chinese(step.number)
            shown = f"（{number}）" if step.level is Level.ITEM else number
            out.append(f"第{shown}{unit}" + (f"之{to_chinese(step.insertion)}" if step.insertion else ""))
    return "".join(out)


def _not_found(regulation: Regulation, asked: AddressRange, found: ResolvedAddress) -> Refusal:
    title = in_marks(regulation.title)
    if found.several:
        paths = "、".join(p.path() or p.heading for p in found.several[:8])
        return Refusal(
            Reason.ARTICLE_NOT_FOUND,
            f"{title}中有 {len(found.several)} 处{said(asked)}（{paths}）。",
            ("请连同所在的编、章一起写明后再问。",),
        )
    return Refusal(
        Reason.ARTICLE_NOT_FOUND,
        f"{title}中没有{_words(found.missing or asked.first)}（{_extent(regulation)}）。",
        ("请核对条款号；修订前后的条号可能不同，可在“法规库”比较各版本。",),
    )


def _misnumbered(query: Query, library: Library) -> Refusal | None:
    """Refuse an article by a number with a point (第1.5条) of a text that numbers none so; None where it does or none is asked."""
    held = [library.regulation(i) for mention in query.mentions for i in mention.regulation_ids]
    asked = _POINTED.search(query.text)
    if asked is None or not held or any("." in p.number for each in held for p in each.walk()):
        return None
    message = f"{in_marks(held[0].title)}中没有{asked[0]}（{_extent(held[0])}）。"
    return Refusal(Reason.ARTICLE_NOT_FOUND, message, ("请核对条款号：该文本的条号都是整数。",))


def _extent(regulation: Regulation) -> str:
    articles = [p for p in regulation.walk() if p.level is Level.ARTICLE]
    chapters = [p for p in regulation.walk() if p.level is Level.CHAPTER]
    points = [p for p in regulation.walk() if p.level is Level.OUTLINE and "-" not in p.label]
    if not articles:
        return "该文本不分条" + (f"，分 {len(points)} 部分" if points else "")
    chapters_ = f"分 {len(chapters)} 章" if chapters else "不分章"
    return f"该文本共 {len(articles)} 条，至{articles[-1].step}止，{chapters_}"
