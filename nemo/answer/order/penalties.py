"""A duty and the penalty for breaking it: which provisions apply together (义务与罚则)."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from nemo.answer.question.decomposition import ASKS
from nemo.answer.quotes.compose import FoundQuote, Scorer, chunk_of, further
from nemo.store.records.edges import Edges
from nemo.text.law.acts import SAME_ACT
from nemo.text.structure.passage import headings
from nemo.types import Answer, Level, Provision, Query, Regulation

ASKS_PENALTY = re.compile(r"罚|处分|后果|吊销|追究|法律责任|怎么处理|会怎样|怎么办")
PENALTY = re.compile(r"罚款|处罚|责令|吊销|没收|处分|警告|追究")

CONSEQUENCE = re.compile(r"罚|处分|后果|吊销|追究|责任|(?:怎么|怎样|如何|谁来?)处理|会怎样")
"""Asks what follows from breaking a rule, in a clause of its own."""
BY_ACT = 2
"""At most so many penalties of the same act: one may punish what is done without leave, another what is done without care."""
SANCTION = re.compile("罚|处分|吊销|法律责任")
"""Asks for a sanction in so many words, not only what is to be done (怎么处理)."""
CLAUSE = re.compile(r"[，,；;。？?！!]\s*")
BREAKS = re.compile(r"违反(?:了)?本[^。；]{1,8}?(?P<named>(?:第[^。；，]{1,12}条[^。；，]{0,12}?[、和或]?)+)")
NAMED = re.compile(r"第[一二三四五六七八九十百千零〇\d]{1,9}条(?:之[一二三四五六七八九十]{1,2})?")
LIABILITY = re.compile("法律责任|罚则")


LIKELY, ALIKE = 0.1, 1.0
"""The other half of an answer is what is listed of the same text from this share of the first one's score, else what is
this much like that half of the question."""


def with_penalties(query: Query, found: Sequence[FoundQuote], edges: Edges | None = None) -> list[FoundQuote]:
    """Return the entries, each duty followed by the penalty (罚则) for breaking it when the question asks for one.

    A penalty that names the duty (违反本办法第六条…的，处…罚款) applies together with it, however different its words; where
    none does, the one of the very same act, by the stored ``edges`` (``nemo/text/law/acts.py``).
    """
    if not ASKS_PENALTY.search(query.text):
        return list(found)
    out: list[FoundQuote] = []
    for entry in found:
        out.append(entry)
        if entry.provision.level is Level.ARTICLE and not _says_penalty(entry.regulation, entry.provision):
            punished = _penalties(entry)[:1]
            if not punished and edges is not None and SANCTION.search(query.text):
                punished = _same_act(entry, edges)[:BY_ACT]
            out.extend(_beside(entry, p) for p in punished)
    return further(out, ())


def _same_act(duty: FoundQuote, edges: Edges) -> list[Provision]:
    """Return the articles that punish what an article forbids without naming it."""
    read = edges.of([duty.regulation.id], ("penalises",))
    labels = [
        e.edge.label.split("-")[0]
        for e in read
        if e.edge.rule == SAME_ACT and e.edge.target_label == duty.provision.label
    ]
    found = (duty.regulation.find(label) for label in dict.fromkeys(labels))
    return [provision for provision in found if provision is not None]


def with_other_half(
    query: Query, found: Sequence[FoundQuote], behind: Sequence[FoundQuote], scorer: Scorer
) -> list[FoundQuote]:
    """Return the entries, the first followed by its duty or its penalty when the question asks for both (能不能…，违反了怎么罚).

    What the one names of the other comes before what is listed of its text (``behind`` too), and this before what is
    most like that half of the question.
    """
    halves = halves_of(query.text)
    if halves is None or not found or found[0].provision.level is not Level.ARTICLE:
        return list(found)
    first, regulation = found[0], found[0].regulation
    punishes = _punishes(regulation, first.provision)
    others = [
        p
        for p in regulation.walk()
        if p.level is Level.ARTICLE and p.label != first.provision.label and _punishes(regulation, p) is not punishes
    ]
    near = [f for f in (*found[1:], *behind) if f.regulation.id == regulation.id and f.provision in others]
    likely = [f.provision for f in near if f.hit.score >= LIKELY * first.hit.score]
    named = _duties(first, others) if punishes else _penalties(first)
    pool = named or likely[:1] or others
    scores = scorer(replace(query, text=halves[0]) if punishes else query, regulation, [p.span for p in pool])
    score, other = max(zip(scores, pool, strict=True), key=lambda each: each[0], default=(0.0, None))
    if other is None or not (named or likely or score >= ALIKE):
        return list(found)
    return further([first, _beside(first, other)], found[1:])


def answers_both(answer: Answer, regulation_of: Callable[[str], Regulation]) -> bool:
    """Tell whether the text that is quoted first is quoted for a duty and for a penalty, and the question asks for both."""
    if not answer.quotes or halves_of(answer.query.text) is None:
        return False
    regulation = regulation_of(answer.quotes[0].regulation_id)
    found = (regulation.unit(q.span) for q in answer.quotes if q.regulation_id == regulation.id)
    return len({_punishes(regulation, p) for p in found if p is not None}) > 1


def halves_of(text: str) -> tuple[str, str] | None:
    """Return what a question asks of a duty and of breaking it, None when it does not ask for both."""
    clauses = CLAUSE.split(text)
    for at, clause in enumerate(clauses):
        rest = "，".join(clauses[at + 1 :])
        if ASKS.search(clause) and not CONSEQUENCE.search(clause) and CONSEQUENCE.search(rest):
            return "，".join(clauses[: at + 1]), rest
    return None


def _beside(entry: FoundQuote, provision: Provision) -> FoundQuote:
    chunk = chunk_of(entry.regulation, provision)
    return FoundQuote(entry.regulation, provision, replace(entry.hit, chunk=chunk))


def _says_penalty(regulation: Regulation, provision: Provision) -> bool:
    return PENALTY.search(regulation.text, provision.span.start, provision.span.end) is not None


def _punishes(regulation: Regulation, provision: Provision) -> bool:
    """Tell whether a provision sets a penalty rather than a duty: it says one and breaks something, or stands among penalties."""
    broken = "违反" in provision.span.of(regulation.text) or LIABILITY.search(headings(regulation, provision.span))
    return bool(broken) and _says_penalty(regulation, provision)


def _duties(penalty: FoundQuote, articles: Sequence[Provision]) -> list[Provision]:
    """Return the articles whose breach a penalty names."""
    text = penalty.provision.span.of(penalty.regulation.text)
    named = {step for said in BREAKS.finditer(text) for step in NAMED.findall(said["named"])}
    return [p for p in articles if p.step in named]


def _penalties(duty: FoundQuote) -> list[Provision]:
    """Return the articles that set a penalty for breaking a duty by its number."""
    regulation, step = duty.regulation, duty.provision.step
    breaks = re.compile(rf"违反(?:了)?本[^。；]{{1,8}}?(?:第[^。；，]{{1,12}}条[^。；，]{{0,12}}?)*{re.escape(step)}")
    articles = [p for p in regulation.walk() if p.level is Level.ARTICLE and p.label != duty.provision.label]
    return [p for p in articles if breaks.search(regulation.text, *p.span) and _says_penalty(regulation, p)]
