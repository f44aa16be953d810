"""Levels of force side by side: which provision ranks them, as a fact and never as a verdict (效力位阶).

The provisions (``rankings.toml``) are those of the 立法法 of 2023 and, for texts it does not rank, of 行政许可法, 行政处罚法 and 标准化法.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from nemo.rules import ForceLevel, Rules
from nemo.types import LevelNote
from nemo.types.regulation import HeldText

NATIONAL = "cn"


_LOCAL_VARIATION = ("自治条例", "单行条例", "经济特区")


def hierarchy(texts: Iterable[HeldText], rules: Rules) -> tuple[LevelNote, ...]:
    """Return one note for every two levels of force among some texts, and where the nation and a province both speak."""
    levels: dict[str, list[HeldText]] = {}
    known: dict[str, ForceLevel] = {}
    for text in texts:
        level = rules.level(text.level) if text.level else None
        if level is not None:
            known[level.code] = level
            levels.setdefault(level.code, []).append(text)
    names = {code: level.name for code, level in known.items()}
    notes = [
        n
        for a, b in combinations(sorted(levels, key=lambda c: known[c].rank), 2)
        for n in _ranked((a, b), levels, names, rules)
    ]
    notes += [n for code, held in levels.items() for n in _nation_and_province(names[code], held, rules)]
    notes += _variations(levels, names)
    return tuple(notes)


def _ranked(
    pair: tuple[str, str], levels: Mapping[str, Sequence[HeldText]], names: Mapping[str, str], rules: Rules
) -> Iterator[LevelNote]:
    for rule in rules.rankings:
        for first, second in (pair, pair[::-1]):
            if first not in rule.first or second not in rule.second:
                continue
            if rule.same_province and not _provinces(levels[first]) & _provinces(levels[second]):
                continue
            words = rule.words.format(first=names[first], second=names[second])
            yield LevelNote(
                names[first], names[second], _titles(levels[first]), _titles(levels[second]), rule.source, words
            )
            return


def _nation_and_province(name: str, held: Sequence[HeldText], rules: Rules) -> Iterator[LevelNote]:
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


def _variations(levels: Mapping[str, Sequence[HeldText]], names: Mapping[str, str]) -> Iterator[LevelNote]:
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


def _provinces(texts: Sequence[HeldText]) -> set[str]:
    return {t.province for t in texts}


def _titles(texts: Sequence[HeldText]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(t.title for t in texts))
