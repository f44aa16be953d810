"""Chooses the provisions that a question about changes is about (所涉条文)."""

import datetime as dt
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from nemo.answer.revisions.question import YEAR, Versions
from nemo.lawview import comparison
from nemo.lawview.comparison import ComparedProvision, ProvisionChange, ProvisionPair, VersionComparison
from nemo.text.versions.edits import EditKind
from nemo.text.words.tokenise import bigrams, terms, words
from nemo.types import Filters, Hit, Query

NEAR = 0.6
"""Share of the best score down to which provisions are about the question."""
FAR = 0.25
"""Share of the best score that a provision of the other version must reach to stand beside one without a counterpart."""
WORDS = 0.4
"""Weight of the question's own words beside the search."""
_FIGURE = re.compile(r"\d|[一二三四五六七八九十百千万]{1,12}(?:个|日|天|月|年|元|倍|万|千|人|以上|以下|%|分)|百分之")
_MEASURE = re.compile(
    r"(?:\d|[一二三四五六七八九十百千万两])(?:个?工作日|日|天|个?月|年|周|倍|元|%)(?!第|月|度)|百分之"
)
_VERSION = re.compile(r"(?P<old>[旧老原](?!则)|修[订正改]之?前|[上前]一版)|新|现[行在]|修[订正改]之?后|(?:19|20)\d\d年")
"""Names a version in a question."""
_DATE = re.compile(r"\d{4}年")
"""A day of commencement changes with every version and tells a reader nothing new."""
_SCAFFOLD_WORDS = """
新旧 前后 修订 修改 修正 变化 变动 改动 区别 不同 差异 差别 一样 不一样 两版 老法 对比 比较 对照
相比 版本 条例 办法 规定 法律 哪些 哪里 什么 有何 有没有 之间 两个 请问 一下 主要 具体 内容 条款
条文 现行 怎么 如何 关于 之前 以前 以后 之后 要求 方面 发生 调整 新版 旧版 有哪些 是什么 新法 旧法
情况 分别 金额 数额 多少 标准 时限 时间
"""
_SCAFFOLD = frozenset(_SCAFFOLD_WORDS.split())
"""Words of such a question that name no subject matter."""
_ASKING = re.compile(
    r"新旧|(?:最新|现行|[新旧老原上前]一?)版本?|差在?|修[订改正](?:之?[前后]|前后)?|(?:修[订正改]|调整|改)[了过](?:什么|哪些|几[处条点])?(?:内容|地方)?"
)
_ASKS_FIGURE = re.compile(r"金额|数额|多少|几|标准|期限|时限|时间|比例|罚款|幅度|额度")

Search = Callable[[Query, Sequence[str]], Sequence[Hit]]
"""Finds chunks in some regulations, whatever their status."""


def concerned(
    query: Query, versions: Versions, found: VersionComparison, search: Search
) -> tuple[list[ProvisionPair], float]:
    """Return the pairs a question is about, best first, and how sure that is."""
    units = [p for p in found.pairs if _any(p).level in comparison.UNITS]
    if versions.mention.article is not None:
        label = versions.mention.article
        return sorted(
            _of(units, label, _side(query.text, versions)), key=lambda p: p.new is None or p.new.label != label
        ), 1.0
    subject = _subject(query)
    if not subject:
        changed = [
            p for p in units if p.kind in (ProvisionChange.CHANGED, ProvisionChange.ADDED, ProvisionChange.REMOVED)
        ]
        return sorted(changed, key=lambda p: -_weight(p)) or units, 1.0
    found_at = _searched(query, subject, versions, search)
    shares = _shares(subject, units)
    scored = [
        (_reached(found_at, versions.old.id, p.old) + WORDS * a, _reached(found_at, versions.new.id, p.new) + WORDS * b)
        for p, (a, b) in zip(units, shares, strict=True)
    ]
    wanted = _ASKS_FIGURE.search(query.text) is not None
    order = sorted(range(len(units)), key=lambda i: -max(scored[i]) * _bonus(units[i], wanted))
    best = max((max(s) for s in scored), default=0.0)
    near = [units[i] for i in order if max(scored[i]) >= NEAR * best > 0]
    return _completed(near, units, scored), min(1.0, best / (1 + WORDS))


def asks_for_all(query: Query, versions: Versions) -> bool:
    """Tell whether a question asks what changed and names no matter of its own."""
    return versions.mention.article is None and not _subject(query)


def _searched(query: Query, subject: Sequence[tuple[str, ...]], versions: Versions, search: Search) -> list[Hit]:
    """Search both versions for the subject alone."""
    text = " ".join(group[0] for group in subject)
    asked_for = replace(query, text=text, terms=tuple(dict.fromkeys(terms(text))), filters=Filters())
    return list(search(asked_for, [versions.old.id, versions.new.id]))


def _reached(hits: Sequence[Hit], regulation_id: str, side: ComparedProvision | None) -> float:
    """Return the best score of a hit inside a provision, 0 when there is none."""
    if side is None:
        return 0.0
    there = (h.score for h in hits if h.chunk.regulation_id == regulation_id and side.span.overlaps(h.chunk.span))
    return max(there, default=0.0)


def _side(text: str, versions: Versions) -> slice:
    """Return which wordings, old and new, a question means by the number of an article: the version that it names last before it."""
    told = list(_VERSION.finditer(text, 0, text.find(versions.mention.words) + len(versions.mention.words)))
    year = str((versions.old.version_date or dt.date.min).year)
    old = bool(told) and bool(told[-1]["old"] or told[-1].group().startswith(year))
    return slice(1) if old else slice(1, 2) if told else slice(2)


def _of(units: Sequence[ProvisionPair], label: str, sides: slice) -> list[ProvisionPair]:
    return [p for p in units if any(s is not None and s.label == label for s in [p.old, p.new][sides])]


def _any(pair: ProvisionPair) -> ComparedProvision:
    side = pair.new or pair.old
    assert side is not None, "a pair has at least one side"
    return side


def _subject(query: Query) -> list[tuple[str, ...]]:
    """Return what the question is about: its words without scaffolding, each with its synonyms."""
    rest = query.text
    for named in query.mentions:
        rest = rest.replace(named.words, " ")
    rest = _ASKING.sub(" ", YEAR.sub(" ", rest))
    groups: list[tuple[str, ...]] = []
    for widened in query.synonyms:
        if widened.term in rest and widened.term not in _SCAFFOLD:
            groups.append((widened.term, *widened.added))
            rest = rest.replace(widened.term, " ")
    plain = [w for w in words(rest) if len(w) > 1 and w not in _SCAFFOLD]
    return groups + [(w,) for w in dict.fromkeys(plain)]


def _bonus(pair: ProvisionPair, figures_wanted: bool) -> float:
    """Prefer what changed to what did not, and changed figures where figures are asked for."""
    if pair.kind is ProvisionChange.SAME or pair.kind is ProvisionChange.MOVED:
        return 1.0
    return 1.5 if figures_wanted and _figures(pair) else 1.2


def _weight(pair: ProvisionPair) -> float:
    """Say how much a change matters to a reader who asked for nothing in particular: figures first."""
    return _figures(pair) + (1.0 - pair.likeness) * 0.5 if pair.kind is ProvisionChange.CHANGED else 0.5


def _figures(pair: ProvisionPair) -> int:
    """Count the changes of a period, an amount or a share; one that came or went counts too."""
    if pair.old is None or pair.new is None:
        return 0
    texts = pair.old.text, pair.new.text
    lone = [
        words
        for edit in pair.edits
        if edit.op in (EditKind.INSERTED, EditKind.DELETED) and (words := edit.old.of(texts[0]) + edit.new.of(texts[1]))
    ]
    swapped = [(e.old.of(pair.old.text), e.new.of(pair.new.text)) for e in pair.edits[1:] if e.op is EditKind.REPLACED]
    return sum(
        bool(_FIGURE.search(was)) and _FIGURE.findall(was) != _FIGURE.findall(now)
        for was, now in swapped
        if not _DATE.search(was)
    ) + sum(bool(_MEASURE.search(words)) and not _DATE.search(words) for words in lone)


def _shares(subject: Sequence[tuple[str, ...]], units: Sequence[ProvisionPair]) -> list[tuple[float, float]]:
    """Return for every pair the share of the subject that its old and its new wording hold; rare words count more."""
    texts = [[side.text if side is not None else "" for side in (p.old, p.new)] for p in units]
    everything = [text for row in texts for text in row if text]
    weights = [math.log1p(len(everything) / (0.5 + sum(any(w in t for w in g) for t in everything))) for g in subject]
    whole = sum(weights) or 1.0

    def share(text: str) -> float:
        return sum(weight * _holds(text, group) for weight, group in zip(weights, subject, strict=True)) / whole

    return [(share(old), share(new)) for old, new in texts]


def _holds(text: str, group: Sequence[str]) -> float:
    """Return 1 when a text holds one of the words, else up to a half for parts of the first."""
    if any(word in text for word in group):
        return 1.0
    pairs = bigrams(group[0])
    return 0.5 * sum(p in text for p in pairs) / len(pairs) if text and len(pairs) > 1 else 0.0


def _completed(
    near: Sequence[ProvisionPair], units: Sequence[ProvisionPair], scored: Sequence[tuple[float, float]]
) -> list[ProvisionPair]:
    """Give a provision that has no counterpart the one of the other version that comes nearest to it and the question.

    A reader who asks what became of a rule must see the other version's rule on the subject, even when its words are
    so different that the two are no pair.
    """
    best = max((max(s) for s in scored), default=0.0) or 1.0
    used: set[int] = set()
    out: list[ProvisionPair] = []
    for pair in near:
        if used & {id(s) for s in (pair.old, pair.new) if s is not None}:
            continue
        orphan = pair.new or pair.old
        if orphan is not None and (pair.old is None or pair.new is None):
            column = 0 if pair.old is None else 1
            rest = [
                (score[column] / best + _echo(orphan, side), side)
                for p, score in zip(units, scored, strict=True)
                if (side := (p.old, p.new)[column]) is not None and score[column] >= FAR * best and id(side) not in used
            ]
            side = max(rest, key=lambda r: r[0])[1] if rest else None
            pair = replace(pair, old=side) if column == 0 else replace(pair, new=side)
        used |= {id(s) for s in (pair.old, pair.new) if s is not None}
        out.append(pair)
    return out


def _echo(one: ComparedProvision, other: ComparedProvision) -> float:
    """Return the share of one provision's pairs of characters that stand in another."""
    pairs = set(bigrams(one.text))
    return len(pairs & set(bigrams(other.text))) / (len(pairs) or 1)
