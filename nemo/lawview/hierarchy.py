"""Levels of force side by side: which provision ranks them, as a fact and never as a verdict (效力位阶).

The provisions are those of the 立法法 of 2023 and, for texts it does not rank, of 行政许可法, 行政处罚法 and 标准化法.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Protocol

from nemo.rules import ForceLevel, Rules
from nemo.types import LevelNote

NATIONAL = "cn"

_REGULATIONS = ("admin_regulation", "local_regulation", "department_rule", "local_gov_rule")
_STATUTES = ("law", *_REGULATIONS)
_STANDARDS = ("mandatory_standard", "recommended_standard", "enterprise_standard")


class LevelBearer(Protocol):
    """What is needed of a text: a regulation or a row of the catalogue has it."""

    @property
    def title(self) -> str:
        """Its title."""
        ...

    @property
    def level(self) -> str | None:
        """Chinese name of its level of force."""
        ...

    @property
    def province(self) -> str:
        """Code of its province."""
        ...


@dataclass(frozen=True, slots=True)
class _Rule:
    """What the law says of two levels."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    basis: str
    words: str
    """With ``{first}`` and ``{second}`` for the names of the levels."""
    same_province: bool = False


_RULES = (
    _Rule(("constitution",), (*_STATUTES, "supervision_regulation"), "立法法第九十八条", "宪法具有最高的法律效力。"),
    _Rule(("law",), _REGULATIONS, "立法法第九十九条第一款", "法律的效力高于{second}。"),
    _Rule(
        ("admin_regulation",),
        ("local_regulation", "department_rule", "local_gov_rule"),
        "立法法第九十九条第二款",
        "行政法规的效力高于{second}。",
    ),
    _Rule(
        ("local_regulation",),
        ("local_gov_rule",),
        "立法法第一百条第一款",
        "地方性法规的效力高于本级和下级地方政府规章。",
        same_province=True,
    ),
    _Rule(
        ("department_rule",),
        ("local_gov_rule",),
        "立法法第一百零二条",
        "两者效力相同，各在自己的权限内施行；规定不一致的，由国务院裁决（第一百零六条）。",
    ),
    _Rule(
        ("local_regulation",),
        ("department_rule",),
        "立法法第一百零六条第一款第二项",
        "两者没有先后之分；对同一事项规定不一致、不能确定如何适用的，由国务院提出意见，必要时由全国人大常委会裁决。",
    ),
    _Rule(
        ("law", "constitution"),
        ("judicial_interpretation",),
        "立法法第一百一十九条",
        "司法解释针对具体法律条文，应当符合立法的目的、原则和原意。",
    ),
    _Rule(
        ("law", "constitution"), ("supervision_regulation",), "立法法第一百一十八条", "监察法规不得与宪法、法律抵触。"
    ),
    _Rule(
        _STATUTES,
        ("normative_document",),
        "行政许可法第十七条、行政处罚法第十六条",
        "规范性文件不在立法法所列的位阶之内，不得设定行政许可和行政处罚，以{first}为准据。",
    ),
    _Rule(
        (*_STATUTES, "normative_document"),
        ("mandatory_standard",),
        "标准化法第二条",
        "强制性标准必须执行；它是技术要求，不改变{first}的规定。",
    ),
    _Rule(
        (*_STATUTES, "normative_document", "mandatory_standard"),
        ("recommended_standard",),
        "标准化法第二条",
        "推荐性标准自愿采用，被{first}或合同引用时才有约束力。",
    ),
    _Rule(
        (*_STATUTES, "normative_document", "mandatory_standard", "recommended_standard"),
        ("enterprise_standard",),
        "标准化法第二条",
        "企业标准、团体标准只在约定采用的范围内有约束力。",
    ),
)
_LOCAL_VARIATION = ("自治条例", "单行条例", "经济特区")


def hierarchy(texts: Iterable[LevelBearer], rules: Rules) -> tuple[LevelNote, ...]:
    """Return one note for every two levels of force among some texts, and where the nation and a province both speak.

    Args:
        texts: The texts that are quoted together.
        rules: Knows the levels and the provinces.
    """
    levels: dict[str, list[LevelBearer]] = {}
    known: dict[str, ForceLevel] = {}
    for text in texts:
        level = rules.level(text.level) if text.level else None
        if level is not None:
            known[level.code] = level
            levels.setdefault(level.code, []).append(text)
    names = {code: level.name for code, level in known.items()}
    notes = [
        n for a, b in combinations(sorted(levels, key=lambda c: known[c].rank), 2) for n in _ranked(a, b, levels, names)
    ]
    notes += [n for code, held in levels.items() for n in _nation_and_province(names[code], held, rules)]
    notes += _variations(levels, names)
    return tuple(notes)


def _ranked(
    a: str, b: str, levels: Mapping[str, Sequence[LevelBearer]], names: Mapping[str, str]
) -> Iterator[LevelNote]:
    for rule in _RULES:
        for first, second in ((a, b), (b, a)):
            if first not in rule.first or second not in rule.second:
                continue
            if rule.same_province and not _provinces(levels[first]) & _provinces(levels[second]):
                continue
            words = rule.words.format(first=names[first], second=names[second])
            yield LevelNote(
                names[first], names[second], _titles(levels[first]), _titles(levels[second]), rule.basis, words
            )
            return


def _nation_and_province(name: str, held: Sequence[LevelBearer], rules: Rules) -> Iterator[LevelNote]:
    """Texts of one level from the nation and from provinces: the law on legislation does not rank them."""
    national = [t for t in held if t.province == NATIONAL]
    local = [t for t in held if t.province != NATIONAL]
    if national and local:
        places = "、".join(rules.province(code).name for code in sorted(_provinces(local)))
        yield LevelNote(
            f"{name}（国家）",
            f"{name}（{places}）",
            _titles(national),
            _titles(local),
            "立法法第九十八条至第一百零二条",
            f"这些条文没有规定国家与地方{name}之间的位阶；须各按其依据和适用范围判断。",
        )


def _variations(levels: Mapping[str, Sequence[LevelBearer]], names: Mapping[str, str]) -> Iterator[LevelNote]:
    """自治条例, 单行条例 and rules of special zones may vary the law within their own area."""
    special = [t for t in levels.get("local_regulation", ()) if any(word in t.title for word in _LOCAL_VARIATION)]
    for code in ("law", "admin_regulation"):
        if special and code in levels:
            yield LevelNote(
                names[code],
                "自治条例、单行条例、经济特区法规",
                _titles(levels[code]),
                _titles(special),
                "立法法第一百零一条",
                "依法或根据授权作变通规定的，在本自治地方或本经济特区适用其规定。",
            )


def _provinces(texts: Sequence[LevelBearer]) -> set[str]:
    return {t.province for t in texts}


def _titles(texts: Sequence[LevelBearer]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(t.title for t in texts))
