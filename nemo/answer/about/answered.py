"""The answer to a question about a regulation itself: the fact in the heading, the words that prove it as quotes (依据)."""

from collections.abc import Sequence
from dataclasses import replace

from nemo import review
from nemo.answer import refuse
from nemo.answer.about.facts import FACTS, PropertyQuestion, repealed_unheld
from nemo.answer.about.proofs import LawFact, ProofPlace
from nemo.answer.about.shape import AskedProperty, AskedRegulation, matters, repealed_subject, subject_of
from nemo.answer.decision import Decision
from nemo.answer.quotes import calibration, compose
from nemo.answer.retrieve import outright
from nemo.text.letter.titles import in_marks
from nemo.text.words.normalise import title_key
from nemo.types import Answer, Confidence, Directness, Level, Mention, Quote, Ranked, RelationKind

MODE = "about"
"""``Answer.mode`` of such an answer."""
STATED = frozenset(
    (
        AskedProperty.NUMBER,
        AskedProperty.ISSUER,
        AskedProperty.PUBLISHED,
        AskedProperty.LEVEL,
        AskedProperty.EXTENT,
        AskedProperty.CONTENTS,
        AskedProperty.REPEALS,
    )
) | {AskedProperty.ANNEXES}
"""What a text says of itself or nobody knows: where it does not, no provision answers in its place."""
ENDINGS: Sequence[AskedProperty] = (AskedProperty.REPEALED_BY, AskedProperty.IN_FORCE, AskedProperty.END)
"""What is known of a text that is not held but that a held one repealed."""


def answered(decision: Decision) -> Answer | None:
    """Answer a question about a named regulation itself; None when it is no such question or nothing proves the answer."""
    query, library, rules = decision.query, decision.parts.library, decision.parts.rules
    rows = library.rows()
    found, rest = matters(query, [_named(m) for m in query.mentions], rules)
    subject = subject_of(query, rest, rows, decision.day, found) if found else None
    if subject is None:
        other = repealed_subject(query, rows, rules)
        if other is None:
            return None
        subject, words = other
        found, rest = matters(query, [words, *(m.words for m in query.mentions)], rules)
        found = [m for m in found if m in ENDINGS][:1]
    asked = PropertyQuestion(decision, subject, rest)
    by_matter = {matter: _fact(matter, asked) if subject.row else repealed_unheld(asked) for matter in found}
    facts = [fact for fact in by_matter.values() if fact is not None]
    open_ = [matter for matter, fact in by_matter.items() if fact is None]
    if subject.row is None or not all(matter in STATED for matter in open_):
        return _composed(decision, subject, found, facts) if facts and not open_ else None
    if not facts:
        made = refuse.made_by(subject.row.level or "", rules) if AskedProperty.ISSUER in open_ else ""
        return decision.refused(refuse.not_stated(subject.title, [m.value for m in open_], made)).answer
    tips = tuple(refuse.not_stated(subject.title, [m.value]).message for m in open_)
    answer = _composed(decision, subject, [m for m in found if m not in open_], facts)
    return answer and replace(answer, tips=(*tips, *answer.tips))


def _fact(matter: AskedProperty, asked: PropertyQuestion) -> LawFact | None:
    """Return a fact of a text; who issued it and when, where it does not say so itself, from the notice that carries it (印发)."""
    if (found := FACTS[matter](asked)) or matter not in (AskedProperty.ISSUER, AskedProperty.PUBLISHED):
        return found
    own = asked.regulation
    for row in asked.decision.parts.library.rows():
        issues = (r for r in row.relations if r.kind is RelationKind.FORWARDS and row.sha256 == own.sha256)
        if any(title_key(r.target_title) == title_key(own.title) for r in issues):
            return FACTS[matter](replace(asked, subject=replace(asked.subject, row=row)))
    return None


def _named(mention: Mention) -> str:
    """Return the words that name a text, without 附件 behind them: of its annexes it is asked how many or which they are."""
    steps = mention.asked[0].first.steps if len(mention.asked) == 1 else ()
    annexes = [step for step in steps if step.level is Level.ANNEX and not step.number]
    return mention.words[: mention.words.rfind("附")] if annexes and "附" in mention.words else mention.words


def _composed(
    decision: Decision, subject: AskedRegulation, found: Sequence[AskedProperty], facts: Sequence[LawFact]
) -> Answer | None:
    proofs = list(dict.fromkeys(proof for fact in facts for proof in fact.proofs))
    quotes = review.screened([_quote(proof, decision) for proof in proofs], decision.parts.library.reviews)
    if not quotes:
        return decision.refused(refuse.all_rejected()).answer if proofs else None
    source = min((q.citation.recognised for q in quotes if q.citation.recognised is not None), default=1.0)
    matter = "、".join(m.value for m in found)
    verdict = calibration.directness(Confidence(source), quotes[0])
    if verdict is Directness.DIRECT and any(fact.inferred for fact in facts):
        verdict = Directness.RELATED
    return Answer(
        query=decision.query,
        day=decision.day,
        quotes=tuple(quotes),
        refusal=None,
        confidence=Confidence(source, source=source),
        trace_id=decision.trace_id,
        heading=f"{matter}（{in_marks(subject.title)}）：{'；'.join(fact.words for fact in facts)}",
        ranked=tuple(_ranked(proof) for proof in proofs[: compose.LISTED]),
        mode=MODE,
        verdict=verdict,
        tips=tuple(dict.fromkeys(tip for fact in facts for tip in fact.tips)),
    )


def _quote(proof: ProofPlace, decision: Decision) -> Quote:
    return Quote.cut(proof.regulation, proof.span, decision.day, score=1.0)


def _ranked(proof: ProofPlace) -> Ranked:
    provision = proof.regulation.unit(proof.span)
    text = proof.span.of(proof.regulation.text)
    if provision is None:
        place = (proof.regulation.id, proof.regulation.file, proof.regulation.title, "", "")
        return Ranked(*place, proof.span, text, 1.0)
    entry = compose.FoundQuote(proof.regulation, provision, outright(proof.regulation, provision))
    return compose.ranked(entry)
