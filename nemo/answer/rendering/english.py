"""The English line beside a quote, for a question asked in English (英文对照).

It holds official terms from the rule data and nothing else: what has no entry there stays empty. A rendering of the
sentences is made by a service, when one is configured, and is marked 机器翻译.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from nemo.answer.decision import AnswerParts
from nemo.errors import ServiceError
from nemo.rules import Gloss, Rules
from nemo.text.words.normalise import title_key
from nemo.text.words.numerals import parse_number
from nemo.types import Answer, EnglishLine, Quote, Status, TermPair

STATUSES = {
    Status.UNKNOWN: "Validity to be verified",
    Status.PENDING: "Not yet in force",
    Status.IN_FORCE: "In force",
    Status.AMENDED: "Amended",
    Status.REPEALED: "Repealed",
    Status.EXPIRED: "Expired",
}
NATION = "中华人民共和国"
OF_THE_NATION = " of the People's Republic of China"
UNITS = {"编": "Part", "分编": "Sub-part", "章": "Chapter", "节": "Section", "条": "Article", "款": "Paragraph", "项": "Item", "目": "Sub-item"}  # fmt: skip
NUMBER = r"[一二三四五六七八九十百千万零〇两\d]+"
STEP = re.compile(rf"第[（(]?(?P<n>{NUMBER})[）)]?(?P<unit>分编|编|章|节|条|款|项|目)(?:之(?P<more>{NUMBER}))?")
NO_TERMS = frozenset(("question", "number", "place", "law", "status"))
"""Kinds of entry that name no thing of the field."""
TERMS = 8
"""At most so many terms are listed for a quote."""


def beside(answer: Answer, parts: AnswerParts) -> Answer:
    """Return the answer to an English question with an English line beside every quote; any other as it is."""
    if not answer.query.english or not answer.quotes:
        return answer
    quotes = [replace(quote, english=line(quote, parts.rules)) for quote in answer.quotes]
    answer = replace(answer, quotes=tuple(quotes))
    if parts.renderer is None:
        return answer
    try:
        return replace(answer, quotes=tuple(_rendered(quotes, parts)))
    except ServiceError as error:
        notice = f"英文机器翻译 {parts.renderer.name} 不可用，只附官方术语（{error.message}）"
        return replace(answer, degraded=(*answer.degraded, notice))


def _rendered(quotes: Sequence[Quote], parts: AnswerParts) -> list[Quote]:
    assert parts.renderer is not None, "asked for only with a renderer"
    found = parts.renderer.render([(q.text, q.span.start) for q in quotes])
    return [
        replace(quote, english=replace(quote.english, rendering=sentences, rendered_by=parts.renderer.name))
        for quote, sentences in zip(quotes, found, strict=True)
        if quote.english is not None
    ]


def line(quote: Quote, rules: Rules) -> EnglishLine:
    """Return what the rule data call a quote's source and the things it names in English."""
    c = quote.citation
    issuer = next((i.english for i in rules.issuers if c.issuer in (i.name, *i.aliases)), "")
    level = next((known.english for known in rules.levels if known.name == c.level), "")
    return EnglishLine(
        title=title(c.title, rules.glossary),
        issuer=issuer,
        level=level,
        status=STATUSES[c.status],
        section=section(c.path),
        effective=_effective(quote),
        terms=terms(quote.text, rules.glossary),
    )


def title(chinese: str, glossary: Sequence[Gloss]) -> str:
    """Return the English title of a law, empty when the glossary has none."""
    key = title_key(chinese).removeprefix(NATION)
    english = next((g.english for g in glossary if g.kind == "law" and g.chinese == (key,)), "")
    return english + OF_THE_NATION if english and chinese.startswith(NATION) else english


def section(path: str) -> str:
    """Return ``Chapter 2, Article 25, Paragraph 2`` for 第二章第二十五条第二款, empty for any other kind of path."""
    steps = list(STEP.finditer(path))
    if not steps or "".join(s.group() for s in steps) != re.sub(r"\s", "", path):
        return ""
    return ", ".join(f"{UNITS[s['unit']]} {_number(s)}" for s in steps)


def terms(text: str, glossary: Sequence[Gloss]) -> tuple[TermPair, ...]:
    """Return the terms of the glossary that a quote holds, in its order; a longer one hides what lies inside it."""
    known = {g.chinese[0]: g.english for g in reversed(glossary) if len(g.chinese) == 1 and g.kind not in NO_TERMS}
    taken: dict[int, str] = {}
    left = text
    for word in sorted((w for w in known if len(w) > 1 and w in text), key=len, reverse=True):
        if (at := left.find(word)) >= 0:
            taken[at] = word
            left = left.replace(word, "\0" * len(word))
    return tuple(TermPair(taken[at], known[taken[at]]) for at in sorted(taken))[:TERMS]


def _number(step: re.Match[str]) -> str:
    more = f"-{parse_number(step['more'])}" if step["more"] else ""
    return f"{parse_number(step['n'])}{more}"


def _effective(quote: Quote) -> str:
    c = quote.citation
    if c.effective is None:
        return "Effective day unknown"
    if c.effective_derived:
        return f"Effective between {c.effective} and {c.effective_latest} (inferred)"
    return f"Effective {c.effective}"
