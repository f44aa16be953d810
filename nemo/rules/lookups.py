"""All rule data of one folder with its look-ups (规则查询)."""

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from nemo.errors import BadRequestError
from nemo.rules.entries import (
    Alias,
    Category,
    Contrast,
    ForceLevel,
    Gloss,
    GraphAsked,
    GraphKind,
    GraphRule,
    GraphWords,
    Intent,
    Issuer,
    KnownRegulation,
    LawProperty,
    LevelRanking,
    Nature,
    OfficialSource,
    Opposite,
    PageLine,
    PropertyWords,
    Province,
    Retelling,
    SynonymGroup,
)
from nemo.rules.lexicon import WordMatcher

Code = str | None


@dataclass(frozen=True, eq=False)
class Rules:
    """All rule data of one folder; made by ``load``. One is only the same as itself: what is kept under it is looked up
    without reading through all of its words.
    """

    provinces: tuple[Province, ...]
    decoys: tuple[Category, ...]
    """Words that hold the name of a place but name none (日照时数); ``code`` is the word."""
    assets: tuple[Category, ...]
    doc_classes: tuple[Category, ...]
    levels: tuple[ForceLevel, ...]
    rankings: tuple[LevelRanking, ...]
    natures: tuple[Nature, ...]
    issuers: tuple[Issuer, ...]
    synonyms: tuple[SynonymGroup, ...]
    intents: tuple[Intent, ...]
    out_of_scope: tuple[Category, ...]
    """Kinds of question that no regulation answers (投资建议)."""
    sources: tuple[OfficialSource, ...]
    known: tuple[KnownRegulation, ...]
    aliases: tuple[Alias, ...]
    glossary: tuple[Gloss, ...]
    page_lines: tuple[PageLine, ...]
    """Words of the lines around a text; ``page_words`` makes look-ups of them."""
    opposites: tuple[Opposite, ...]
    """Read by the audit of memos."""
    retellings: tuple[Retelling, ...]
    """Read by the audit of memos."""
    properties: tuple[LawProperty, ...]
    property_words: tuple[PropertyWords, ...]
    contrasts: tuple[Contrast, ...]
    graph_kinds: tuple[GraphKind, ...]
    graph_rules: tuple[GraphRule, ...]
    graph_words: tuple[GraphWords, ...]
    graph_asked: tuple[GraphAsked, ...]
    place_words: WordMatcher[str | None] = field(init=False, repr=False)
    issuer_words: WordMatcher[Issuer] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        decoys: list[tuple[str, str | None]] = [(d.code, None) for d in self.decoys]
        build = object.__setattr__  # the class is frozen; the look-ups are part of its making
        build(self, "place_words", WordMatcher(decoys + [(word, p.code) for p in self.provinces for word in p.words()]))
        build(self, "issuer_words", WordMatcher((w, i) for i in self.issuers for w in (i.name, *i.aliases)))

    @cached_property
    def place_names(self) -> re.Pattern[str]:
        """Names of provinces and cities, the longest first."""
        names = {name for p in self.provinces for name in (p.name, *p.cities)}
        return re.compile("|".join(sorted(map(re.escape, names), key=len, reverse=True)) or "(?!)")

    @cached_property
    def cities(self) -> frozenset[str]:
        """Names of all cities, without 市."""
        return frozenset(city.removesuffix("市") for p in self.provinces for city in p.cities)

    @cached_property
    def _synonym_words(self) -> WordMatcher[str]:
        return WordMatcher((term, group.canonical) for group in self.synonyms for term in group.terms)

    def in_one_word(self, text: str) -> str:
        """Return a text with every word of a synonym group replaced by the group's canonical one (环评 → 环境影响评价)."""
        out, at = [], 0
        for start, words, canonical in self._synonym_words.find(text):
            out += [text[at:start], canonical]
            at = start + len(words)
        return "".join([*out, text[at:]])

    def province(self, code: str) -> Province:
        """Return the province of ``code``; raises BadRequestError that lists the valid codes with their names."""
        return _by_code(self.provinces, code, "省份")

    def check_codes(self, *, province: Code = None, asset: Code = None, doc_class: Code = None) -> None:
        """Check codes that come from outside; None passes. Raises BadRequestError like ``province``."""
        if province is not None:
            _by_code(self.provinces, province, "省份")
        if asset is not None:
            _by_code(self.assets, asset, "电源类型")
        if doc_class is not None:
            _by_code(self.doc_classes, doc_class, "文件类别")

    def nature(self, word: str) -> str:
        """Return the code of a nature by its code, name or alias (normative → binding); raises like ``province``."""
        found = next((n for n in self.natures if word in (n.name, *n.aliases)), None)
        return (found or _by_code(self.natures, word, "文件性质")).code

    def not_law(self, nature: str) -> str:
        """Return what a text of a nature (code) is that is no law on any day (征求意见稿、解读、报道 …); empty for law."""
        return next(("" if n.citable else n.name for n in self.natures if n.code == nature), nature)

    def level(self, word: str) -> ForceLevel | None:
        """Return the level of force by its code, name or alias (通知 → 规范性文件), None if it is not known."""
        return next((lv for lv in self.levels if word in (lv.code, lv.name, *lv.aliases)), None)

    def places_in(self, text: str) -> tuple[tuple[str, str], ...]:
        """Return (words as written, province code) for every place that ``text`` names, in order."""
        return tuple((words, code) for _, words, code in self.place_words.listed(text) if code)

    def inside(self, word: str, code: str) -> bool:
        """Tell whether a word of :meth:`places_in` names a part of its province: a city, a county, a region."""
        province = self.province(code)
        return word in (*province.cities, *province.counties, *province.implied_regions)

    def province_in(self, text: str) -> str | None:
        """Return the code of the one province that ``text`` names; None when it names none or several."""
        found = {code for _, code in self.places_in(text)}
        return found.pop() if len(found) == 1 else None

    def province_of_number(self, number: str) -> str | None:
        """Return the province whose sign heads a document number (发文字号); the longest sign counts."""
        signs = [(s, p.code) for p in self.provinces for s in (*p.abbrev, *p.number_prefixes) if number.startswith(s)]
        return max(signs, key=lambda sign: len(sign[0]))[1] if signs else None

    def province_of_host(self, host: str) -> str | None:
        """Return the province of a web host by its narrowest known domain, whole labels only."""
        domains = [(h, p.code) for p in self.provinces for h in p.hosts if f".{host.lower()}".endswith(f".{h}")]
        return max(domains, key=lambda domain: len(domain[0]))[1] if domains else None


def _by_code(entries: tuple[Any, ...], code: str, what: str) -> Any:
    found = next((e for e in entries if e.code == code), None)
    if found is None:
        valid = "、".join(f"{e.code}（{e.name}）" for e in entries)
        raise BadRequestError(f"{what}代码“{code}”无效。请改用：{valid}。")
    return found
