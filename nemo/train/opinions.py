"""Labelled questions out of what people said of answers: approved quotes and thumbs (复核结论与评价作标注).

An approved quote answers the question it was given for; so do the quotes of an answer that a reader found useful, unless
a reviewer rejected them. A refusal that was found useful is a question without an answer. Nothing is learned from what
was only found wrong: nobody said what would have been right.
"""

from collections.abc import Iterator

from nemo.errors import NotFoundError
from nemo.store.library import Library
from nemo.text.words.normalise import title_key
from nemo.train.questions import LabelledPlace, LabelledQuestion
from nemo.types import Answer, Filters, Quote, Verdict

Asked = tuple[str, Filters]


def of(library: Library) -> list[LabelledQuestion]:
    """Return the questions that people labelled by using the library, in a fixed order."""
    found: dict[Asked, list[LabelledPlace]] = {}
    held = {row.id for row in library.rows()}
    for answer, quotes in _approved(library):
        places = [LabelledPlace(q.regulation_id, q.span) for q in quotes if q.regulation_id in held]
        if places or answer.refusal is not None:
            found.setdefault((answer.query.original, answer.query.filters), []).extend(places)
    made = [_labelled(asked, tuple(dict.fromkeys(places)), library) for asked, places in found.items()]
    return sorted(made, key=lambda each: (each.question, str(each.filters)))


def _labelled(asked: Asked, places: tuple[LabelledPlace, ...], library: Library) -> LabelledQuestion:
    question, filters = asked
    group = title_key(library.row(places[0].regulation_id).title) if places else f"?{question}"
    return LabelledQuestion(question, filters, places, places, group)


def _approved(library: Library) -> Iterator[tuple[Answer, list[Quote]]]:
    """Yield answers with those of their quotes that somebody found right."""
    useful: dict[str, bool] = {}
    for feedback in library.feedback.all():  # newest first: the last word counts
        useful.setdefault(feedback.trace_id, feedback.useful)
    reviewed = {row.trace_id for row in library.reviews.rows() if row.standing.state is Verdict.APPROVED}
    for trace_id in sorted({*reviewed, *(t for t, good in useful.items() if good)}):
        try:
            answer = library.answers.get(trace_id)
        except NotFoundError:  # the answer was not kept
            continue
        yield answer, [q for q in answer.quotes if _is_right(library, q, useful.get(trace_id, False))]


def _is_right(library: Library, quote: Quote, useful: bool) -> bool:
    state = library.reviews.standing(quote.regulation_id, quote.span).state
    return state is Verdict.APPROVED or (useful and state is not Verdict.REJECTED)
