"""Whose rule answers: the nation's, the chosen province's, another place's, and how they stand to each other (适用地域).

A rule of another place is never offered while a national one of the same matter is held, and a provincial one never
without the national one beside it (立法法第九十九条、第一百条：上位法优先).
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from nemo.answer.decision import Decision
from nemo.answer.judgement import evidence
from nemo.answer.order.precedence import alike, likenesses, ordered
from nemo.rerank import Judgement, quantities
from nemo.rerank.passages import PLACE
from nemo.rerank.terms import fold
from nemo.rules import Rules
from nemo.store.library import Library
from nemo.store.search.facets import NATIONAL
from nemo.text.letter.titles import in_marks
from nemo.text.words import ranges
from nemo.text.words.normalise import title_key
from nemo.text.words.quantities import Amount
from nemo.text.words.quantities import quantities as stated_values
from nemo.text.words.tokenise import terms
from nemo.types import Answer, Hit, PlaceGroup, Query, Quote

Find = Callable[[Query], Sequence[Hit]]
"""Finds for another query what may answer on the same day."""
Judge = Callable[[Query, Sequence[Hit]], tuple[Sequence[Hit], Judgement]]
"""Puts what was found in order and judges it."""

LIKE = 0.3
"""Share of the shorter text's character triples that two provisions of the same matter have in common at least."""
NEAR, LIKELY = 0.12, 0.45
"""Less likeness suffices when the national provision is as likely an answer as this."""
SAME = 0.6
"""Likeness from which the national provision says the same: then it stands beside also where a value is asked."""
LOCAL_SURE, NEARLY = 0.9, 0.75
"""Where no place is asked for, the rule of one, less sure than this, stands behind what the nation's texts alone answer with
this share of its probability: of 13 such questions the rule of the place was wrong every time, the nation's right 8 times."""
OWN_LEAST = 0.3
"""The same of the law that the place carries out by name (实施《某法》办法)."""
FAR = 0.1
"""A national provision less likely than this share of the likeliest is of another matter, however alike its wording (责令改正，处…罚款)."""
DEEP = 10
"""So many national provisions are looked at."""
BESIDE = 0.6
"""Share of the first hit's probability that the national provision beside it is given at least: it is quoted with it."""

WIDER = 0.5
"""Share of a city's probability from which the rule of its province or of the nation stands before it."""
MUNICIPALITIES = ("北京", "天津", "上海", "重庆")
"""Cities that are provinces (直辖市)."""

PERIODS = ("工作日", "日", "个月", "年", "小时")
COMPARED = frozenset((*PERIODS, "元", "倍", "米", "%", "千瓦"))
"""Units in which a rule of a place is held against the nation's."""

StatedValues = dict[str, list[Amount]]
"""The values of a provision by their unit."""


def group_of(province: str, chosen: str | None) -> PlaceGroup:
    """Return whose rule a text of ``province`` (empty: nothing tells it) is when ``chosen`` is asked for."""
    if province in (NATIONAL, ""):
        return PlaceGroup.NATION
    return PlaceGroup.OWN if province == chosen else PlaceGroup.OTHER


def with_cities(query: Query, found: Sequence[Hit], rules: Rules) -> Query:
    """Return the query with the cities it names in place of their province, where what was found speaks of them (分市的表)."""
    text = query.text
    for city in query.cities:
        if any(city in hit.chunk.text for hit in found):
            text = text.replace(rules.province(rules.places_in(city)[0][1]).name, city, 1)
    return query if text == query.text else replace(query, text=text, terms=tuple(dict.fromkeys(terms(text))))


def with_nation(decision: Decision, find: Find, judge: Judge, further: Sequence[Hit] = ()) -> Decision:
    """Return the decision with the national rule of the same matter: first where no place is chosen, else beside.

    Ranking costs more than finding: where nothing that was found could stand there however it ranks, nothing is ranked.
    ``further`` are all candidates in their order, among them the chosen place's own rule, which stands beside the nation's.
    """
    decision = _city_behind(decision)
    first = decision.hits[0]
    chosen = decision.query.filters.province
    if group_of(_province(decision, first), chosen) is PlaceGroup.NATION:
        return _nation_before_others(_own_beside(decision, chosen, further), chosen)
    query = replace(decision.query, filters=replace(decision.query.filters, province=NATIONAL))
    found, beside = find(query), chosen is not None
    doubted = not beside and first.score < LOCAL_SURE
    shares = likenesses(first.chunk.text, [hit.chunk.text for hit in found])
    least = LIKE if beside else NEAR
    near = [hit for hit, share in zip(found, shares.tolist(), strict=True) if share >= least]

    def may_stand(hit: Hit) -> bool:
        outside = beside and ranges.outside(decision.query.text, hit.chunk.text)
        return not beside or (not outside and _comparable(decision.query, first, hit))

    if not doubted and not any(map(may_stand, near)):
        return decision
    found, judgement = judge(query, found)
    fitting = [hit for hit in _of_the_matter(first, found, judgement, beside) if may_stand(hit)]
    if doubted and judgement.answerable:
        likely = ordered(decision, found[: judgement.keep])
        fitting += [h for h in likely if h.score >= _enough(decision, first, h)]
    national = next((hit for hit in fitting if evidence.carries(query, hit, decision.parts)), None)
    if national is None:
        return decision
    rest = [h for h in decision.hits if h.chunk.id != national.chunk.id]
    if chosen is None:
        national = replace(national, score=max(national.score, first.score))
        decision = replace(decision, hits=(national, *rest), judgement=replace(judgement, keep=1 + len(rest)))
        return _nation_before_others(decision, chosen)
    national = replace(national, score=max(national.score, BESIDE * first.score))
    return replace(decision, hits=(first, national, *rest[1:]))


def _enough(decision: Decision, local: Hit, national: Hit) -> float:
    """Return the probability from which a national provision stands before one of a place that nobody asked for; of the law that
    the place carries out by name (实施《某法》办法) a lesser one does.
    """
    law, own = (title_key(decision.parts.library.row(h.chunk.regulation_id).title) for h in (national, local))
    return OWN_LEAST * local.score if law in own else max(LIKELY, NEARLY * local.score)


def _own_beside(decision: Decision, chosen: str | None, further: Sequence[Hit]) -> Decision:
    """Return the decision with the chosen place's own rule of the matter beside a national one that answers."""
    first, *rest = decision.hits
    if chosen in (None, NATIONAL):
        return decision
    own = [h for h in further[:DEEP] if _province(decision, h) == chosen and not _of_unnamed_city(decision, h)]
    found = next((h for h in own if alike(first.chunk.text, h.chunk.text) >= LIKE), None)
    if found is None or not _comparable(decision.query, found, first):
        return decision
    beside = replace(found, score=max(found.score, BESIDE * first.score))
    others = [h for h in rest if h.chunk.id != found.chunk.id]
    return replace(decision, hits=(first, beside, *others))


def _city_behind(decision: Decision) -> Decision:
    """Put the rule of a city that the question does not name behind a nearly as likely one that binds everybody there."""
    first, *rest = decision.hits
    if not _of_unnamed_city(decision, first):
        return decision
    wider = [h for h in rest if h.score >= WIDER * first.score and not _of_unnamed_city(decision, h)]
    if not wider:
        return decision
    leader = replace(wider[0], score=first.score)
    return replace(decision, hits=(leader, first, *(h for h in rest if h is not wider[0])))


def _of_unnamed_city(decision: Decision, hit: Hit) -> bool:
    place = PLACE.match(decision.parts.library.row(hit.chunk.regulation_id).title)
    municipal = place is not None and place[2] in ("市", "自治州", "经济特区") and place[1] not in MUNICIPALITIES
    return municipal and place is not None and place[1] not in decision.query.text


def _nation_before_others(decision: Decision, chosen: str | None) -> Decision:
    """Keep the order, but put the rules of other places behind."""
    later = [h for h in decision.hits if group_of(_province(decision, h), chosen) is PlaceGroup.OTHER]
    earlier = [h for h in decision.hits if h not in later]
    return replace(decision, hits=(*earlier, *later))


def _province(decision: Decision, hit: Hit) -> str:
    return decision.parts.library.row(hit.chunk.regulation_id).province


def _of_the_matter(local: Hit, found: Sequence[Hit], judgement: Judgement, beside: bool) -> list[Hit]:
    """Return the national provisions that may rule what the local one does, the likeliest first.

    ``beside`` asks for more: a provision that only stands beside the one that answers must be alike and likely.
    """

    def fits(likeness: float, hit: Hit) -> bool:
        likely = judgement.answerable and hit.score >= LIKELY
        near = likeness >= (NEAR if likely and not beside else LIKE)
        return near and (likely or not beside) and hit.score >= FAR * found[0].score

    fitting = [(likeness, h) for h in found[:DEEP] if fits(likeness := alike(local.chunk.text, h.chunk.text), h)]
    return [hit for _, hit in sorted(fitting, key=lambda each: -each[1].score * (0.5 + each[0]))]


def _comparable(query: Query, local: Hit, national: Hit) -> bool:
    """Tell whether the national provision may stand beside a local one that answers by itself.

    Where a value or a consequence is asked and the province states its own, another provision of the same field is evidence of it only
    when it says the same, or states one value that can be held against the local one.
    """
    text = fold(query.text)
    if not quantities.asked(text).any() and not quantities.CONSEQUENCES.search(text):
        return True
    own, upper = local.chunk.text, national.chunk.text
    return alike(own, upper) >= SAME or bool(_common_units(_values(own), _values(upper)))


def of_a_place_only(answer: Answer, library: Library) -> Answer:
    """Return the answer with a tip where a name without a place led to the text of a place: the nation's is not held."""
    tips = []
    for mention in answer.query.mentions:
        key = title_key(mention.title or "")
        rows = [library.row(i) for i in mention.regulation_ids]
        local = [r for r in rows if r.province not in ("cn", answer.query.filters.province)]
        if key and rows and len(local) == len(rows) and all(title_key(r.title).endswith(key) for r in rows):
            titles = "、".join(dict.fromkeys(in_marks(r.title) for r in rows if title_key(r.title) != key))
            if titles:
                tips.append(
                    f"资料库没有以“{mention.title}”为全名的文本，按{titles}作答；如指全国或其他地方的同名文本，请上传后再问。"
                )
    return replace(answer, tips=(*tips, *answer.tips)) if tips else answer


def nation_among_the_first(quotes: Sequence[Quote]) -> list[Quote]:
    """Return the quotes with the first national one no later than second."""
    at = next((n for n, q in enumerate(quotes) if q.group is PlaceGroup.NATION), 0)
    return [quotes[0], quotes[at], *quotes[1:at], *quotes[at + 1 :]] if at > 1 else list(quotes)


def stricter(quotes: Sequence[Quote]) -> tuple[str, ...]:
    """Say how the first national and the first local quote differ in a value that both state once (是否更严)."""
    national = next((q for q in quotes if q.group is PlaceGroup.NATION), None)
    local = next((q for q in quotes if q.group in (PlaceGroup.OWN, PlaceGroup.OTHER)), None)
    if national is None or local is None:
        return ()
    ours, theirs = _values(local.text), _values(national.text)
    return tuple(_compared(local, ours[u][0], national, theirs[u][0]) for u in _common_units(ours, theirs))


def _common_units(ours: StatedValues, theirs: StatedValues) -> list[str]:
    """Return the units in which both state one value."""
    return [unit for unit in ours if unit in theirs and len(ours[unit]) == len(theirs[unit]) == 1]


def _compared(local: Quote, own: Amount, national: Quote, upper: Amount) -> str:
    ours, theirs = own.span.of(local.text), upper.span.of(national.text)
    where = f"{in_marks(local.citation.title)}为{ours}，{in_marks(national.citation.title)}为{theirs}"
    if own.amount == upper.amount:
        return f"{where}：两者相同。"
    less, more = ("更短", "更长") if own.unit in PERIODS else ("更低", "更高")
    return f"{where}：地方规定{less if own.amount < upper.amount else more}；是否更严、可否另行规定，请对照上位法判断。"


def _values(text: str) -> StatedValues:
    out: StatedValues = {}
    for value in stated_values(text):
        if value.unit in COMPARED:
            out.setdefault(value.unit, []).append(value)
    return out
