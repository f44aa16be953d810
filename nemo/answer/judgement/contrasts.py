"""What is ruled of one kind says nothing of another: 煤电 and 核电, 冬季 and 春季, 月度偏差 and 年度偏差 (对举)."""

import re
from functools import lru_cache
from typing import NamedTuple

from nemo.rules import Rules
from nemo.rules.entries import Contrast

SUFFIX = "(?:发电|发电厂|电站|电厂|电场|项目|机组|企业|营运单位)*"
"""光伏项目 is no general word for projects."""
PLANTS = frozenset({"technology", "storage", "facility"})
"""Contrasts of what is built and run."""
LISTED = 3
"""So many kinds named are a list: the general word before them means no other one."""
OPEN_LIST = re.compile("等|其他|其它|各类|包括但不限于")
THING = "的?(?P<thing>[\u4e00-\u9fff]{2})"


class CompiledContrast(NamedTuple):
    """One contrast, compiled."""

    code: str
    each: tuple[re.Pattern[str], ...]
    before: tuple[re.Pattern[str], ...]
    """The same, each with the thing behind it."""
    special: re.Pattern[str]
    """Any kind with what belongs to its name."""
    general: re.Pattern[str]
    attribute: bool

    def of(self, text: str) -> frozenset[int]:
        """Return which kinds a folded text names."""
        return frozenset(at for at, kind in enumerate(self.each) if kind.search(text))

    def lacking(self, asked: str, words: str, passage: str) -> str | None:
        """Return the kind that a folded question names where the evidence names only others, None when it may answer."""
        wanted = self._of_a_thing(asked, passage) if self.attribute else self.of(asked)
        if not wanted:
            return None
        held = self.of(passage if self.attribute else words)
        if not held or held & wanted:
            return None
        listed = len(self.of(passage)) >= LISTED and OPEN_LIST.search(passage) is None  # 新型储能：磷酸铁锂…，液流…
        if not listed and self.general.search(self.special.sub("", passage)):
            return None
        found = self.each[min(wanted)].search(asked)
        return found[0] if found else None

    def apart(self, asked: str, label: str) -> bool:
        """Tell whether a question and a label name different kinds by words that are common by themselves."""
        ours, theirs = self.of(asked), self.of(label)
        return self.attribute and bool(ours and theirs) and not ours & theirs and not self.general.search(label)

    def _of_a_thing(self, asked: str, passage: str) -> frozenset[int]:
        """Return the kinds of the question that stand before what the passage has another kind of."""
        things = {found["thing"] for kind in self.before for found in kind.finditer(passage)}
        return frozenset(
            at for at, kind in enumerate(self.before) if any(found["thing"] in things for found in kind.finditer(asked))
        )


def _compiled(contrast: Contrast) -> CompiledContrast:
    each = [f"(?:{kind})" for kind in contrast.kinds]
    return CompiledContrast(
        contrast.code,
        tuple(map(re.compile, each)),
        tuple(re.compile(kind + THING) for kind in each),
        re.compile(f"(?:{'|'.join(each)}){SUFFIX}"),
        contrast.general or re.compile("(?!)"),
        contrast.attribute,
    )


@lru_cache(4)
def _all(rules: Rules) -> tuple[CompiledContrast, ...]:
    return tuple(map(_compiled, rules.contrasts))


@lru_cache(1024)
def _of(rules: Rules, asked: str) -> tuple[CompiledContrast, ...]:
    """Return the contrasts of which a folded question names a kind: one question is held against many provisions."""
    return tuple(kinds for kinds in _all(rules) if kinds.of(asked))


def lacking(asked: str, words: str, passage: str, rules: Rules) -> str | None:
    """Return in Chinese the kind that a question asks for and the evidence speaks of another of.

    All is folded; ``words`` is what the evidence says of itself (provision, title, headings), ``passage`` the
    provision alone: a general word in it (新能源) holds every kind.
    """
    found = (kinds.lacking(asked, words, passage) for kinds in _of(rules, asked))
    return next(filter(None, found), None)


def titled(asked: str, title: str, whole: str, rules: Rules) -> str | None:
    """Return the plant or facility that a question names and a text on another one by its title (all folded) nowhere does."""
    for kinds in _of(rules, asked):
        of_title = kinds.of(title) if kinds.code in PLANTS else frozenset()
        wanted = kinds.of(asked)
        if of_title and not kinds.of(whole) & wanted:
            found = kinds.each[min(wanted)].search(asked)
            return found[0] if found else None
    return None


def absent(asked: str, words: str, rules: Rules) -> str | None:
    """Return the plant or facility that a question names and the evidence (both folded) nowhere does, None when it does."""
    for kinds in _of(rules, asked):
        wanted = kinds.of(asked) if kinds.code in PLANTS else frozenset()
        if wanted and not kinds.of(words) & wanted:
            found = kinds.each[min(wanted)].search(asked)
            return found[0] if found else None
    return None


def named(text: str, rules: Rules) -> frozenset[str]:
    """Return the contrasts of which a folded text names a kind."""
    return frozenset(kinds.code for kinds in _of(rules, text))


def parted(asked: str, label: str, rules: Rules) -> bool:
    """Tell whether a row is of another kind than the question; its label needs no thing behind the kind (农业 | 0.52)."""
    return any(kinds.lacking(asked, label, label) or kinds.apart(asked, label) for kinds in _of(rules, asked))
