"""The words by which a later notice changed the quoted article stand beside it (所引条文已被修改或更正)."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from nemo import review
from nemo.answer.decision import AnswerParts
from nemo.answer.judgement import evidence
from nemo.answer.quotes import compose
from nemo.answer.retrieve import outright
from nemo.lawview.basis import PartAmended
from nemo.rerank import quantities
from nemo.rerank.terms import fold, words_of
from nemo.types import Answer, Provision, Query, Quote, Regulation

CHANGES = re.compile("(?:修改|调整|修订|更正)为|删[去除]|(?:停止|不再)(?:施行|执行|适用)")
"""Says that a provision is written anew or gone."""
OLD = re.compile("“([^“”]+)”(?:修改|调整|修订|更正)为")
"""The words that are replaced, where only some are."""


def with_changes(answer: Answer, parts: AnswerParts) -> Answer:
    """Return an answer whose first quote a notice in force on the day wrote anew, with that notice's words before it, behind it where
    they do not hold what is asked.

    Where the notice replaces single words, the quote has to hold them.
    """
    first = answer.quotes[0] if answer.quotes else None
    if first is None or not first.citation.article:
        return answer
    known = parts.law.repealed_bases("", first.regulation_id, answer.day)
    ids = [each.regulation_id for each in known if isinstance(each, PartAmended)]
    notices = [parts.library.regulation(each) for each in ids if all(each != q.regulation_id for q in answer.quotes)]
    found = [(notice, unit) for notice in notices for unit in notice.walk() if _changes(first, unit, notice)]
    if not found:
        return answer
    notice, unit = max(found, key=lambda each: (each[0].validity.effective or answer.day, each[1].span.start))
    cut = Quote.cut(notice, unit.span, answer.day, score=first.score)
    kept = review.screened([replace(cut, group=first.group)], parts.library.reviews)
    hit = outright(notice, unit)
    ranked = [compose.ranked(compose.FoundQuote(notice, unit, hit))] if kept else []
    old = OLD.findall(unit.span.of(notice.text))
    at = 0 if (_of_the_asked(answer.query, first, old) if old else evidence.carries(answer.query, hit, parts)) else 1
    quotes = (*answer.quotes[:at], *kept, *answer.quotes[at:])
    return replace(answer, quotes=quotes, ranked=(*answer.ranked[:at], *ranked, *answer.ranked[at:])[: compose.LISTED])


def _changes(quote: Quote, unit: Provision, notice: Regulation) -> bool:
    """Tell whether a provision, and none of its parts by itself, changes the quoted article, and of it what is quoted."""
    words = unit.span.of(notice.text)
    if (
        any(_changes(quote, part, notice) for part in unit.children)
        or not CHANGES.search(words)
        or not re.search(rf"{quote.citation.article}(?!之)", words)
    ):
        return False
    said = "".join(filter(None, chain([quote.before_text, quote.text, quote.after_text])))
    old = OLD.findall(words)
    return not old or any(each in said for each in old)


def _of_the_asked(query: Query, quote: Quote, old: Sequence[str]) -> bool:
    """Tell whether replaced words are those that state the asked value: of the clauses that do, the ones on what is asked."""
    asked = fold(query.text)
    wanted = quantities.wanted(asked) > 0
    clauses = [c for c in re.split("[,。;]", fold(quote.text)) if (wanted & (quantities.stated(c) > 0)).any()]
    said = [sum(word in clause for word in words_of(asked)) for clause in clauses]
    on_it = [clause for clause, count in zip(clauses, said, strict=True) if count == max(said)]
    return bool(on_it) and all(any(fold(each) in c for each in old) for c in on_it)
