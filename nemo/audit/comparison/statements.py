"""The statements of a rule (规范语句): whether a claim and a provision both deny what they tell, and what is told in turn.

A claim is set beside the clauses of the provision as wholes: each clause with the case in front of it is one statement, and
the statement that tells most of what the claim tells, and of which the claim tells most, is the one it retells. What is
compared is whether these two deny it.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from nemo.audit.comparison.alignment import content, cover
from nemo.audit.comparison.stance import BOUND, FORCE, OWN, tells_exception
from nemo.audit.comparison.wording import WordingChange
from nemo.audit.keyed import keyed
from nemo.text.words.quantities import quantities

_SENTENCES, _CLAUSES = re.compile("[。；;\n]"), re.compile("(?<=[，,：:])")
_DENIES = re.compile(
    "不(?:得|予|再|准|能|可|应当?|适用|需要?|必|用)|不(?!动产|可抗力|良|同|足|定|符|当|明|利|断|少|仅|论|限|特定|服|方便|完全)|"
    "禁止|严禁|无需|无须|毋须|免予|免于|免(?=[征收缴纳交除税])|无权|(?<!理)没有(?=[^，。；]{0,6}义务)"
)
_NEGATIVE = re.compile("[不未无非免禁严除拒没否勿别]|例外|以外|之外|停止|暂停|取消")
_NO = re.compile("[不未无非]|没(?!收)")
_CASE = re.compile("(?:(?<!目)的|时|后|前|期间|情况下|情形下)[，,：:]?$|^(?:未经|非经|未取得|除|因)")
_ITEM = re.compile(r"^\s*[（(]?[一二三四五六七八九十\d]{1,3}[）)、.．]")
_OWN_CASE = re.compile(r"^[^，]{2,30}的(?=[\d一二三四五六七八九十应由须可当报向不])")
"""A case within a clause: what it denies is no rule (当场办不了的三日内办结)."""
_OUT = ("除外", "不在此限")
_BUT = re.compile("[，,](?:但是?[，,]?)?[^，,]{2,40}(?:除外|不在此限)$")
"""An exception: what it denies is not what its rule denies."""
_ARTICLE = re.compile(r"^第[^条款]{1,8}条[\s\u3000]*")
_LEAVE = re.compile("未经|擅自|随意|任意|经[^，。；停营济]{2,20}(?:批准|同意|许可)|另有|原则上|一般")
"""Where leave may be given, what is denied without it is allowed with it."""
_WHOLLY, _MOSTLY, _ALL, _CLOSE, _LEAST = 0.75, 0.6, 0.95, 0.1, 2
"""Share of the words of a statement that tells it; that it must tell of the claim; how near another is as like; its least words."""


def _statements(text: str) -> Iterator[tuple[str, str]]:
    """Yield the clauses of a text that are no case, each with the cases and the opening words of its list in front of it."""
    stem = ""
    for sentence in filter(None, map(str.strip, _SENTENCES.split(_ARTICLE.sub("", text)))):
        listed = bool(stem and _ITEM.match(sentence))
        stem = stem if listed else ""
        if sentence.endswith(("：", ":")):
            stem = sentence
            continue
        before = stem
        for clause in filter(None, map(str.strip, _CLAUSES.split(_ITEM.sub("", sentence)))):
            if clause.endswith(_OUT):
                continue
            if _CASE.search(clause) and not listed:
                before += clause
                continue
            yield (stem + clause if listed else clause), before + clause
            before += "" if FORCE.search(clause) or _DENIES.search(clause) else clause  # what it goes on to speak of


def _denied(clause: str) -> bool:
    return _DENIES.search(BOUND.sub("", _OWN_CASE.sub("", clause))) is not None


def _case(words: str) -> str:
    """Return the case with which words open; empty where they open with none."""
    first, *more = _CLAUSES.split(words)
    return first.rstrip("，,：:") if any(more) and not FORCE.search(first) else ""


def turned(saying: str, place: str) -> WordingChange | None:
    """Return what a saying tells as done of which the provision tells that it is not, or the other way; None of neither."""
    held, key = list(_stated(place)), keyed(place).key
    for sentence in filter(None, (_BUT.sub("", s).strip() for s in _SENTENCES.split(saying))):
        told = content(sentence)
        if len(told) < _LEAST or OWN.search(sentence) or re.search(f"(?<![未不非无]){keyed(sentence).key}", key):
            continue
        values = {v.same for v in quantities(sentence)}  # what has them is what it retells
        with_them = [row for row in held if values <= {v.same for v in quantities(row[1])}] or held
        rows = with_them if any(cover(told, row[1]) >= _MOSTLY for row in with_them) else held
        scored = [(cover(told, whole) + cover(words, sentence), words, clause, whole) for clause, whole, words in rows]
        best = max((row[0] for row in scored), default=0.0)
        near = [row for row in scored if row[0] >= best - _CLOSE]
        if not near or _LEAVE.search(sentence) or tells_exception(sentence, place):
            continue
        _, words, clause, whole = max(near, key=lambda row: row[0])
        denied = {_denied(c) for _, _, c, _ in near}
        low, high = sorted((cover(words, sentence), cover(told, whole)))
        alike = low >= _WHOLLY or (low >= _MOSTLY and high >= _ALL)
        cases = _case(sentence), _case(whole)
        turned_case = all(cases) and len({_NO.search(case) is None for case in cases}) > 1
        if (
            alike
            and turned_case
            and min(cover(content(_NO.sub("，", a)), b) for a, b in (cases, cases[::-1])) >= _WHOLLY
        ):
            return WordingChange(*cases)  # 经检测的, of 未经检测的
        own = any(_denied(c) in denied and cover(content(clause), c) >= _WHOLLY for c in _CLAUSES.split(sentence))
        if len(denied) == 1 and alike and not own and not _LEAVE.search(whole):  # 不得采矿，可以照常生产
            if denied == {True} and not _NEGATIVE.search(BOUND.sub("", sentence)):
                return WordingChange(sentence, clause)
            if denied == {False} and not _NEGATIVE.search(BOUND.sub("", whole)) and _main_denied(sentence):
                return WordingChange(sentence, clause)
    return None


def _main_denied(sentence: str) -> bool:
    """Tell whether a sentence denies what it tells, not only its case."""
    return any(_denied(clause) for clause, _ in _statements(sentence))


@lru_cache(maxsize=256)
def _stated(place: str) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    rows = ((clause, whole, content(_DENIES.sub("，", whole))) for clause, whole in _statements(place))
    return tuple(row for row in rows if len(row[2]) >= _LEAST)


_IN_TURN = re.compile(r"分别(?P<lead>[^，。；、]{0,16}?(?:为|由|是|按照?|处))")


def in_turn(text: str) -> str:
    """Return a text with what it says of several things in turn (甲、乙分别由丙、丁负责) said of each."""
    out = []
    for sentence in re.split("(?<=[。；\n])", text):
        match = _IN_TURN.search(sentence)
        left, right = (
            (_row(sentence[: match.start()], last=True), _row(sentence[match.end() :], last=False))
            if match
            else ([], [])
        )
        if match and len(left) == len(right) > 1:
            out.append("".join(f"{thing}{match['lead']}{its}。" for thing, its in zip(left, right, strict=True)))
        else:
            out.append(sentence)
    return "".join(out)


def _row(words: str, *, last: bool) -> list[str]:
    """Return the things that stand in a row at the end, or at the start, of some words, each whole."""
    parts = re.split("[，：]", words.rstrip("，。；\n"))
    row = next((p for p in (parts[::-1] if last else parts) if "、" in p), "")
    things = re.split("、|和|以及|或者?", row)
    if len(things) < 2:
        return []
    ends = [
        things[0][-n:] for n in range(len(things[0]), 1, -1) if all(t.endswith(things[0][-n:]) for t in things[:-1])
    ]
    suffix = next((end for end in ends if end in things[-1]), "")
    tail = ""
    if suffix and (at := things[-1].find(suffix)) >= 0:
        things[-1], tail = things[-1][: at + len(suffix)], things[-1][at + len(suffix) :]
    return things if last else [t + tail for t in things]
