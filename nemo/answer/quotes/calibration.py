"""How sure an answer is: how often quotes like these were right, from the ranker's probabilities and what is quoted (把握).

The ranker tells whether the first provision is the right one. Whether the words that answer are quoted from it depends
also on what it is: a table row is cut whole, a paper without articles has longer units, and a quote without a value of
the kind asked for is seldom the one; a quote of a paper that leaves unsaid what the question says often answers another
one. Fitted by ``python -m training sure``; figures, and those of the cross-validation by regulation, stand in
docs/experiments.md. It rises with both probabilities.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple
from urllib.parse import urlsplit

import numpy as np

from nemo.answer.judgement import values
from nemo.rerank import quantities
from nemo.rerank.terms import fold
from nemo.rerank.verdict import Logistic
from nemo.rules import Rules
from nemo.types import Answer, Citation, Confidence, Directness, Query, Quote, Status
from nemo.types.fixed_point import steady

MOST = 0.997
"""No probability is taken for surer than this."""

SUREST = (0.99, 0.96)
"""Nor is a quote of a statute, or of a paper, that the question does not name: of 312 and 373 that the fit put above .95,
cross-validated, 309 and 360 were right."""

STATUTE = Logistic(np.array([0.8, 0.41, -1.0, 0.0, 0.0, -5.04, 2.29, 0.0]), -1.90)
PAPER = Logistic(np.array([0.09, 0.46, -0.89, -3.23, -0.66, -3.02, 0.54, 0.0]), 0.13)
JUDGED = Logistic(np.array([0.05, 0.24, -0.46, -1.68, -0.34, -1.58, 0.28, 0.51]), 0.14)
"""Over :func:`signs`, of a quote of a statute, of a paper, and of one that was judged to hold the answer: on papers the ranker's probabilities say less, and how far the
quote says what the question says says more."""

DIRECT, DOUBTFUL, NEAREST, LEAST = 0.8, 0.5, 0.2, 0.1
"""Confidence from which the first quote is called a direct rule, below which a person has to judge, and below which a
quote is only the nearest text and no answer: where a value is asked for, and of a paper whatever is asked."""

UNREAD_LEAST = 0.7
"""Confidence from which an English question is answered though a word of it was not understood."""

ASKS_KINDS = re.compile("几[类种]")
LISTS_KINDS = re.compile("[种类]?(?:分为|包括|分[为成])[^。；]{1,80}[、和]")
"""Asks how many kinds there are, and names them without their number."""


def directness(sure: Confidence, first: Quote, *, only_related: str | None = None) -> Directness:
    """Say how the answer stands to the question: what is doubtful or not surely in force is for a person to judge.

    ``only_related`` says why the rule is a related one at best.
    """
    if sure.overall < DOUBTFUL or first.citation.status is Status.UNKNOWN:
        return Directness.HUMAN
    return Directness.DIRECT if sure.overall >= DIRECT and not only_related else Directness.RELATED


def beside_the_point(query: Query, sure: Confidence, *, paper: bool) -> bool:
    """Tell whether the quotes are only the nearest text to what is asked; how well their page was read aside.

    What is asked of a statute in lay words without a value is said otherwise in the law and stays for a person to judge.
    """
    wants = bool(quantities.wanted(fold(query.text)).any())
    least = NEAREST if wants else LEAST if paper else 0.0
    return sure.overall < least * (1.0 if sure.source is None else sure.source)


class Agreement(NamedTuple):
    """How far a quote says what a question says; nothing is missed of a statute, which rules in general words."""

    unsaid: float
    """Share of the words of the question that the quote does not say."""
    unheld: float
    """Share of them that its whole paper does not say."""
    elsewhere: float
    """How much more the rare words of the question tell another paper, 0 to 2."""
    paper: bool
    """Whether the quote is of a paper."""
    held: float | None = None
    """How likely the quote of a paper holds the words that answer (``judgement/held.py``); None where that was not judged."""


NAMED = Agreement(0.0, 0.0, 0.0, paper=False)
"""Of a provision that the question names."""


def confidence(query: Query, chances: tuple[float, float], quotes: Sequence[Quote], said: Agreement) -> float:
    """Return how often quotes like these (one or more, the first one first) hold the words that answer.

    ``chances`` are how often the first provision is right and how near it is in meaning, 1.0 where the question names it.
    """
    found = signs(query.text, chances, quotes, said)
    model = STATUTE if not said.paper else PAPER if said.held is None else JUDGED
    sure = float(model(found))
    return sure if said is NAMED else min(sure, SUREST[said.paper])


def signs(question: str, chances: tuple[float, float], quotes: Sequence[Quote], said: Agreement) -> np.ndarray:
    """Return (8,) what the confidence is read from."""
    asked = quantities.wanted(fold(question))
    lacks = bool(asked.any()) and not _states(question, " ".join(quote.text for quote in quotes))
    held = 0.5 if said.held is None else said.held
    each = np.clip(np.array([chances[0], quotes[0].score, held]), 1 - MOST, MOST)
    ranked, scored, judged = steady(np.log(each / (1 - each)))
    return np.array([ranked, scored, lacks, *said[:3], chances[1], judged], np.float64)


def _states(question: str, said: str) -> bool:
    """Tell whether words state a value of a kind that is asked for, name the kinds that are counted, or say that there is none."""
    listed = ASKS_KINDS.search(question) is not None and LISTS_KINDS.search(said) is not None
    none = values.NONE_STATED.search(said) is not None  # 不设上下限, 免收
    return listed or none or values.states(fold(question), fold(said))


OFFICIAL, ISSUED, NUMBERED = 0.4, 0.3, 0.3
"""What each sign of a text's origin counts: an address of an official site, a body that issues law, a document number."""


def origin_signs(cited: Citation, rules: Rules) -> dict[str, bool]:
    """Return in Chinese which signs of its origin a cited text carries; a tally for the reader, no probability."""
    host = (urlsplit(cited.url or "").hostname or "").lower()
    official = any(host == s.allow or host.endswith(f".{s.allow}") for s in rules.sources)
    return {
        "官方网址": official or host == "gov.cn" or host.endswith(".gov.cn"),
        "已知的发布机关": any(True for _ in rules.issuer_words.find(cited.issuer or "")),
        "发文字号": bool(cited.document_number),
    }


def with_origin(answer: Answer, rules: Rules) -> Answer:
    """Return an answer that says how well the origin of its least proven quote is proven (来源可信度), 0 to 1."""
    if not answer.quotes:
        return answer
    worth = (OFFICIAL, ISSUED, NUMBERED)
    least = min(
        sum(w for w, yes in zip(worth, origin_signs(q.citation, rules).values(), strict=True) if yes)
        for q in answer.quotes
    )
    return replace(answer, confidence=replace(answer.confidence, origin=round(least, 2)))
