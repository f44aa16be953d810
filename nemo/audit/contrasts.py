"""Whether a memo turns what a provision makes of a case: its negation, a word of contrast, its consequence (否定、对立与后果).

Each rule needs words of the provision on both sides of what is turned, so that a free retelling is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from nemo.audit.keyed import keyed, letters, share, speaks_of
from nemo.audit.wording import WordingChange
from nemo.rules import load
from nemo.settings import Settings
from nemo.text.words.quantities import quantities

_NOT = re.compile("不予|不得|不再|不需|不能|不可|不应|不|未经|未|无需|无须|免予|免于|非")
_BESIDE = 2
"""Characters on either side by which what is denied is known."""
_SENTENCES, _CLAUSES = re.compile("[。；;\n]"), re.compile("[，,。；;：:\n]")
_ALIKE, _CONDITION, _OTHER, _CLOSE, _SHORT = 0.5, 0.65, 0.15, 0.15, 4
_AGAINST = (
    (
        re.compile("一律|一概|无一例外|不?无?例外|无条件|任何情况|不论何种"),
        re.compile("但是?[^书]|除外|另有(?:规定|约定)|除[^。；，]{2,40}外"),
    ),
    (re.compile("直接(?=向|到|申请|提起|进行|办理)"), re.compile("(?:应当?|必须|须)先")),
)
"""Words of a retelling, and what a provision has against them."""
_WITHOUT = re.compile("(?:不含|不包括|不包含|不适用于)(?P<what>[\u4e00-\u9fa5]{2,12})")
_FOR_EVER = re.compile("永久|(?<!延)长期(?!限)|终身|无限期")
_CASE_OF = re.compile("^(?P<when>[^，,。；;：:\n]{4,40}的)[，,](?P<then>[^，,。；;：:\n]{4,40})")
_WHEN_THEN = re.compile("(?P<when>[^，,。；;：:\n]{4,60})[，,](?P<then>[^，,。；;：:\n]{4,60})")
_MARKED = (("视为", "视为|视同|等于|即|默认|推定|按|算|认定"), ("不影响", "不影响|不妨碍|照常|继续|仍|不停"))
"""What the consequence of a case is known by, and how a retelling says it."""


def overturned(saying: str, place: str) -> WordingChange | None:
    """Return what a saying turns of a provision; None when it turns nothing.

    Args:
        saying: The memo's words.
        place: The provision they are said to retell.
    """
    steps = (_denied, _not_of, _contrast, _always, _left_out, _lasting, _consequence)
    return next((found for step in steps if (found := step(saying, place)) is not None), None)


def _not_of(saying: str, place: str) -> WordingChange | None:
    """Return what a saying tells of the very things that the provision tells of all others (居民用户 for 非居民用户)."""
    for match in re.finditer("非([\u4e00-\u9fa5]{2})", place):
        bare = re.search(f"(?<![非不]){match[1]}", saying)
        if bare and not re.search(f"(?<![非不]){match[1]}", place) and speaks_of(place, place, keyed(saying), _ALIKE):
            return WordingChange(match[1], match[0])
    return None


def _denials(key: str) -> Iterator[tuple[str, str, str]]:
    for match in _NOT.finditer(key):
        left, right = key[max(0, match.start() - _BESIDE) : match.start()], key[match.end() : match.end() + _BESIDE]
        if len(left) == len(right) == _BESIDE:
            yield left, match[0], right


def _denied(saying: str, place: str) -> WordingChange | None:
    """Return 视为不予受理 for 视为受理, and 行为停止 for 行为不停止."""
    said, held = ("".join(f"{keyed(s).key}\n" for s in _SENTENCES.split(t)) for t in (saying, place))
    for mine, other, added in ((said, held, True), (held, said, False)):
        for left, word, right in _denials(mine):
            apart = re.search(f"{re.escape(left)}(?:{_NOT.pattern}){re.escape(right)}", other)
            forbidden = not added and re.search("禁止|严禁|不准|不允许|避免|防止", saying)
            denied = not added and re.search(f"(?:未|不|没有|非)[^\n]{{0,2}}{re.escape(left + right)}", other)
            if left + right in other and not (apart or forbidden or denied) and left + right not in mine:
                whole, bare = f"{left}{word}{right}", f"{left}{right}"
                return WordingChange(whole, bare) if added else WordingChange(bare, whole)
    return None


@lru_cache(maxsize=1)
def _each() -> list[list[re.Pattern[str]]]:
    """Return the opposites (对立词) of the rule data, each with its sides."""
    entries = load(Settings().rules).opposites
    return [[re.compile(side) for side in words.split()] for entry in entries for words in entry.words]


def _contrast(saying: str, place: str) -> WordingChange | None:
    """Return a word for which a provision has its opposite, in a clause that otherwise is the provision's."""
    for words in _each():
        for match, word in ((found, each) for each in words for found in each.finditer(saying)):
            others = [other for other in words if other is not word]
            clauses = [c for c in _CLAUSES.split(place) if any(o.search(c) for o in others) or word.search(c)]
            start, end = _clause(saying, *match.span())
            rest = keyed(saying[start : match.start()] + saying[match.end() : end])
            if not clauses or len(rest.key) < _SHORT or any(w in place for w in _with_neighbours(saying, match)):
                continue
            scored = {c: keyed(c).covers(rest) for c in clauses}
            best = max(scored, key=lambda c: scored[c])
            whole = best if word.search(place) else next(s for s in _SENTENCES.split(place) if best in s)
            known = any(word.search(c) and scored[c] >= scored[best] - _CLOSE for c in clauses)
            held = next((found for o in others if (found := o.search(best))), None)
            if held and not known and speaks_of(whole, whole, rest, _ALIKE):
                return WordingChange(match[0], held[0])
    return None


def _with_neighbours(text: str, match: re.Match[str]) -> list[str]:
    """Return a word with the two characters in front of it, and with those behind it."""
    sides = text[max(0, match.start() - _BESIDE) : match.end()], text[match.start() : match.end() + _BESIDE]
    return [side for side in sides if len(side) == len(match[0]) + _BESIDE and not _CLAUSES.search(side)]


def _clause(text: str, start: int, end: int) -> tuple[int, int]:
    ends = [m.start() for m in _CLAUSES.finditer(text)]
    return max((e + 1 for e in ends if e < start), default=0), min((e for e in ends if e >= end), default=len(text))


def _always(saying: str, place: str) -> WordingChange | None:
    """Return 一律公布 where the provision goes on with an exception, 直接起诉 where it has another step first."""
    for pattern, against in _AGAINST:
        match, held = pattern.search(saying), against.search(place)
        if match is None or held is None or against.search(saying) or pattern.search(place):
            continue
        start, end = _clause(saying, *match.span())
        rest = keyed(saying[start : match.start()] + saying[match.end() : end])
        rest = rest if len(letters(rest.key)) > _SHORT else keyed(saying)
        if speaks_of(place, place, rest, _ALIKE):
            return WordingChange(match[0], held[0])
    return None


def _left_out(saying: str, place: str) -> WordingChange | None:
    """Return what a saying tells of a thing that the provision leaves out (所列规范性文件不含规章)."""
    for match in _WITHOUT.finditer(place):
        for clause in _CLAUSES.split(saying):
            rest = keyed(clause.replace(match["what"], "", 1))
            if match["what"] in clause and not _NOT.search(clause) and speaks_of(place, place, rest, _ALIKE):
                return WordingChange(clause.strip(), match[0])
    return None


def _lasting(saying: str, place: str) -> WordingChange | None:
    """Return a term that a saying gives to what the provision has done for ever."""
    sentence = next((s for s in _SENTENCES.split(place) if _FOR_EVER.search(s)), "")
    match = _FOR_EVER.search(sentence)
    for value in quantities(saying) if match and not _FOR_EVER.search(saying) else ():
        start, end = _clause(saying, value.span.start, value.span.end)
        rest = keyed(saying[start : value.span.start] + saying[value.span.end : end])
        if value.kind == "time" and speaks_of(sentence, sentence, rest, _ALIKE):
            return WordingChange(value.span.of(saying), match[0])  # type: ignore[index]
    return None


def _consequence(saying: str, place: str) -> WordingChange | None:
    """Return what a saying makes of a case of which the provision makes something else (…的，应当重新提交)."""
    for sentence in _SENTENCES.split(saying):
        match = _CASE_OF.match(sentence.strip())
        for case in _WHEN_THEN.finditer(place) if match else ():
            held, said = keyed(case["when"]), keyed(match["when"])  # type: ignore[index]
            if max(held.covers(said), said.covers(held)) < _CONDITION:
                continue
            then, true = match["then"], case["then"]  # type: ignore[index]
            marked = any(re.search(mark, true) and not re.search(like, then) for mark, like in _MARKED)
            marked = marked or ("视为" in then and "视为" not in true)
            if not marked and share(letters(then), letters(place)) >= _CONDITION:
                return None
            return WordingChange(then, true) if marked or keyed(place).covers(keyed(then)) < _OTHER else None
    return None
