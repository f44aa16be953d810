"""Papers that are no rule (征求意见稿、公示、解读、纪要、批复): asked for by their kind, or shown as what they are where no rule answers."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from nemo.answer import refuse
from nemo.answer.decision import Decision
from nemo.answer.judgement import tables
from nemo.answer.judgement.evidence import CASES, alike, carries
from nemo.answer.question import rare_words
from nemo.answer.quotes import calibration
from nemo.rerank import quantities
from nemo.store.catalogue.rows import RegulationRow
from nemo.store.library import Library
from nemo.text.letter.titles import in_marks
from nemo.text.words.normalise import title_key
from nemo.text.words.tokenise import bigrams
from nemo.types import Hit, Query, Reason, Regulation

SHOWN = {
    "draft": "征求意见稿",
    "notice": "公示或名单",
    "interpretation": "解读或问答",
    "case_decision": "个案批复",
    "news": "报道",
    "minutes": "会议纪要",
    "unconfirmed": "性质待确认的材料",
}
"""Natures of what may be shown where no rule answers, in Chinese."""

TELLS = "情况通报"
"""What a text of another nature is that tells what was found against the rules."""

BEHIND = frozenset((Reason.NO_EVIDENCE, Reason.NO_TEXTS_FOR_FILTER, Reason.OUT_OF_DOMAIN))
"""Refusals in whose place they may be shown: a list of a project's figures has few words of the field."""

ALIKE = 4
"""Characters of the matter of a title that a question says when it means the paper."""

KINDS = {
    "draft": re.compile("征求意见稿|意见稿|草案|征求意见(?=[^，。？]{0,8}(?:截止|反馈|到(?:什么时候|哪|几)))"),
    "interpretation": re.compile("解读|解答|答记者问|问答"),
    "case_decision": re.compile("批复|核准文件"),
    "notice": re.compile("公示|名单"),
    "minutes": re.compile("会议纪要"),
    "unconfirmed": re.compile("会议纪要"),
}
"""Natures that are no rule, and how a question says that it asks such a paper."""

EXPLAINED = re.compile("[《〈]([^《》〈〉]{2,60})[》〉]")
"""The text that an interpretation names in its title."""

YEARS = re.compile(r"\d+年?")
"""What a list and a question share without being on one thing."""

BY_KIND = re.compile("意见稿|草案|征求意见[^，。？]{0,8}(?:截止|反馈|到(?:什么时候|哪|几))|问题解答|答记者问|政策问答")
"""Asks for what a paper that is no rule says, whatever little of its title is said."""


def is_looked_for(decision: Decision) -> bool:
    """Tell whether what was made of all rules, a refusal or a doubtful answer, may give way to a paper that is no rule."""
    made = decision.answer
    if made is None or decision.searched or decision.named.hits or decision.late:
        return False
    if made.refusal is None:
        return made.confidence.overall < calibration.DOUBTFUL
    return made.refusal.reason in BEHIND and made.refusal.message != refuse.REJECTED


def papers(decision: Decision, find: Callable[[Sequence[str]], Sequence[Hit]]) -> Decision | None:
    """Return the decision over the best held paper that is no rule and says what is asked, named as one; None when none does.

    ``find`` returns what of some texts states something, best first. A doubtful quote of a rule gives way only to a paper
    that rare words of the question tell.
    """
    parts, query, library = decision.parts, decision.query, decision.parts.library
    natures = library.facets.ids_allowed(query.filters, frozenset(SHOWN))
    named = [i for i in natures if _named_alike(library.row(i).title, query.text)]
    told = _told(decision, natures)
    refused = decision.answer is not None and decision.answer.refusal is not None
    meant = (named or told) if refused else told
    hits = find(meant or natures) if meant or (natures and refused) else []
    if not meant:
        hits = [hit for hit in hits if _named_alike(_names(hit, library), YEARS.sub(" ", query.text))]
    judged = parts.reranker.judge(query, hits)
    if not (hits and judged.answerable):
        return None
    held_by = [hit for hit in hits[: judged.keep] if carries(query, hit, parts)]
    first = library.regulation(held_by[0].chunk.regulation_id) if held_by else None
    if first is None or _explains_held(decision, first):
        return None
    row = tables.found_row(first, held_by[0].chunk.span)  # of one the columns say what its figures are
    if row is None and quantities.lacking(query.text, [held_by[0].chunk.text]):
        return None
    own = tuple(hit for hit in held_by if hit.chunk.regulation_id == first.id)
    kind = SHOWN.get(first.nature, TELLS)
    tip = f"资料库没有确能回答这个问题的现行规定；最接近的{in_marks(first.title)}，是{kind}，不是现行规定。"
    tips = replace(decision.named, tips=(*decision.named.tips, tip))
    return replace(decision, hits=own, further=(), judgement=judged, named=tips, answer=None)


def _explains_held(decision: Decision, paper: Regulation) -> bool:
    """Tell whether a paper interprets (政策解读) a held text that is law on the day: what does not stand there it does not add."""
    if paper.nature != "interpretation":
        return False
    names, view = decision.reader.names, decision.parts.library.view
    explained = (i for title in EXPLAINED.findall(paper.title) for i in names.ids(title_key(title)) if i != paper.id)
    return any(view.status(i, decision.day).may_answer for i in explained)


def _told(decision: Decision, natures: Sequence[str]) -> list[str]:
    """Return the papers that the rare words of a question tell best of all texts, and those of its place that they tell.

    Circulars about breaches are among them, and no draft: it will be a rule, so its matter has to be named.
    """
    library, query = decision.parts.library, decision.query
    held = {*natures, *(library.view.once(_circulars) & {*library.facets.ids_allowed(query.filters)})}
    weights = decision.rarity or (rare_words.rarity_weights(query, library) if held else {})
    best, place = max(weights.values(), default=0.0), query.filters.province
    rows = (library.row(i) for i in weights if i in held)
    return [r.id for r in rows if r.nature != "draft" and (weights[r.id] == best or r.province == place)]


def _circulars(rows: Sequence[RegulationRow]) -> frozenset[str]:
    return frozenset(row.id for row in rows if CASES.search(row.title))


def surer(made: Decision, shown: Decision | None) -> Decision:
    """Return what a paper that is no rule says where it is no doubtful answer and surer than what was made of the rules."""
    if shown is None or shown.answer is None or shown.answer.refusal is not None or made.answer is None:
        return made
    sure = shown.answer.confidence.overall
    doubtful = sure < calibration.DOUBTFUL or (not made.answer.refusal and sure <= made.answer.confidence.overall)
    return made if doubtful else shown


def _names(hit: Hit, library: Library) -> str:
    """Return the names of a row of a list and what they are under; empty for other words, which share a field at best."""
    row = tables.found_row(library.regulation(hit.chunk.regulation_id), hit.chunk.span)
    return f"{row.name} {row.caption}" if row else ""


def papers_asked(query: Query, library: Library) -> tuple[str, ...]:
    """Return the held papers that are no rules and that the question asks by their kind (按答记者问…) and their matter."""
    natures = frozenset(code for code, words in KINDS.items() if words.search(query.text))
    held = library.facets.ids_allowed(query.filters, natures) if natures else ()
    titles = {each: library.row(each).title for each in held}
    sizes = {each: alike(title, query.text) for each, title in titles.items()}
    most = max((*sizes.values(), ALIKE))
    named = tuple(each for each, size in sizes.items() if size == most)
    if named or not BY_KIND.search(query.text):
        return named
    pairs = set(bigrams(query.text))
    shared = {each: len(pairs & set(bigrams(refuse.FORM.sub("", title)))) for each, title in titles.items()}
    return tuple(each for each, size in shared.items() if size and size == max(shared.values()))


def _named_alike(title: str, question: str) -> bool:
    """Whether a question says what a draft is on, in at least :data:`ALIKE` characters of its title running."""
    return alike(title, question) >= ALIKE
