"""How much of what a question says its evidence says too (所问与所引相合).

A quote on the same subject that never says the plant, the region or the act that is asked about is often the answer to
another question. Each content word counts alike: weighing them by rarity told right from wrong no better (docs/experiments.md).
"""

import re
from functools import lru_cache

from nemo.answer.judgement import coverage
from nemo.answer.judgement.surroundings import EvidenceText
from nemo.answer.question import rewriting
from nemo.rerank.terms import fold
from nemo.text.words.tokenise import tagged
from nemo.types import Query

OF_NO_MATTER = frozenset("rpucfdmqwxeyolits")
"""Tags of words that name no matter: pronouns, particles, numbers, units, adverbs, times, set phrases."""
ASKING = re.compile(
    "规则|通知|办法|细则|方案|意见|公告|规划|政策|具体|相关|有关|必须|能否|原则|部门|单位|低于|高于|少于|超过|达到|有没有|还有|对应|多长|附件|条文|原文"
)
"""Words in which something is asked, or that name the kind of text."""
FEW = 2
"""So many words a question says at least: one alone tells little."""


def unsaid(query: Query, evidence: EvidenceText, *, alone: bool = False) -> float:
    """Return which share of the content words of a question stands neither in the evidence, its headings nor its title, 0 to 1.

    A statute rules in general words what is asked in particular ones: of it nothing is missed. With ``alone`` the evidence
    itself has to say them, which tells stretches of one provision apart.
    """
    asked = _asked(query)
    if not asked or not coverage.of_paper(evidence.regulation):
        return 0.0
    words = evidence.passage if alone else ""
    missing = sum(not coverage.named(coverage.RequiredWord(word), query, evidence, words) for word in asked)
    return missing / max(len(asked), FEW)


def unheld(query: Query, evidence: EvidenceText) -> float:
    """Return which share of the content words of a question a paper nowhere says, 0 to 1; nothing is missed of a statute."""
    asked = _asked(query)
    if not asked or not coverage.of_paper(evidence.regulation):
        return 0.0
    return sum(not coverage.named(coverage.RequiredWord(word, here=False), query, evidence) for word in asked) / max(
        len(asked), FEW
    )


def _asked(query: Query) -> list[str]:
    typed = fold(query.original or query.text)
    # a part of a question may say no more than 多少钱
    matter = _content(fold(rewriting.matter(query))) or _content(typed)
    return [word for word in matter if word in typed]


@lru_cache(256)
def _content(question: str) -> tuple[str, ...]:
    """Return the words of a folded question that say what it is about."""
    words = tagged(coverage.FILLING.sub(" ", coverage.NAMES.sub(" ", question)))
    return tuple(
        word
        for word, tag in words
        if (len(word) > 1 or coverage.LATIN.fullmatch(word)) and tag[:1] not in OF_NO_MATTER and not _asks(word)
    )


def _asks(word: str) -> bool:
    return ASKING.fullmatch(word) is not None or coverage.LIGHT.fullmatch(word) is not None
