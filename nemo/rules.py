"""The rule data (规则数据): ``data/rules/*.toml`` read into frozen look-ups.

What the field knows (provinces, words for assets, synonyms, levels of force, official sites, known regulations) is
data with a source for every entry; this module checks it and offers fast look-ups. It judges nothing.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Generic, TypeVar

from nemo.errors import BadRequestError, ConfigError
from nemo.types import Day

T = TypeVar("T")
Words = tuple[str, ...]
Code = str | None


@dataclass(frozen=True, slots=True)
class Entry:
    """What most tables begin with. Fields are the keys of the file; ``source`` says where the fact is from."""

    code: str
    name: str
    source: str


@dataclass(frozen=True, slots=True)
class Province(Entry):
    """A provincial unit (省级行政区), or ``cn`` for national texts."""

    full: Words = ()
    abbrev: Words = ()
    """Signs in document numbers (粤); no words of running text unless ``places`` repeats them."""
    number_prefixes: Words = ()
    hosts: Words = ()
    cities: Words = ()
    counties: Words = ()
    regulator: str = ""
    grid: Words = ()
    implied_regions: Words = ()
    places: Words = ()

    def words(self) -> Words:
        """Return every word that names this province in running text; none for ``cn``."""
        names = (self.name, *self.full, *self.cities, *self.counties)
        return () if self.code == "cn" else (*names, *self.grid, *self.implied_regions, *self.places)


@dataclass(frozen=True, slots=True)
class Category(Entry):
    """An asset (电源类型), document class (文件类别) or kind of question out of scope, with the words that show it."""

    strong: Words = ()
    weak: Words = ()
    """Words that bear on several categories and never decide alone (新能源)."""


@dataclass(frozen=True, slots=True)
class ForceLevel(Entry):
    """A level of force (效力级别); rank 1 is the highest."""

    rank: int
    aliases: Words = ()
    issuers: Words = ()
    titles: Words = ()


@dataclass(frozen=True, slots=True)
class Nature(Entry):
    """What a text is (文件性质); only a citable one may support a compliance statement."""

    citable: bool
    aliases: Words = ()
    cues: Words = ()


@dataclass(frozen=True, slots=True)
class Intent(Entry):
    """What a question is after (查询意图)."""

    evidence: re.Pattern[str]
    """What a provision that answers it contains; an empty pattern asks for nothing."""
    strong: Words = ()
    trigger: Words = ()
    doc_class: Words = ()


@dataclass(frozen=True, slots=True)
class Source(Entry):
    """An official site (官方来源)."""

    scope: str
    province: str
    publishes: str
    url: str
    allow: str
    """Domain that a host must equal or lie under, by whole labels."""
    mode: str
    """``list``: its list pages may be read; ``manual``: a person downloads."""
    confidence: str
    list_pages: Words = ()
    page_form: str = ""
    doc_class: Words = ()


@dataclass(frozen=True, slots=True)
class Issuer:
    """A body that issues texts (发布机关); ``level`` is the highest kind of text it can issue."""

    name: str
    level: str
    province: str
    source: str
    aliases: Words = ()


@dataclass(frozen=True, slots=True)
class SynonymGroup:
    """Words for one thing (同义词组)."""

    id: str
    canonical: str
    category: str
    source: str
    terms: Words
    narrower: Words = ()
    """Kinds of it: for recall only."""
    confusable: Words = ()
    """Never merged: a hit on one is no evidence for the other."""


@dataclass(frozen=True, slots=True)
class KnownRegulation:
    """Facts about a regulation whose text need not be held (已知法规)."""

    title: str
    level: str
    province: str
    confidence: str
    source: str
    document_number: str = ""
    issuer: str = ""
    assets: Words = ()
    doc_class: Words = ()
    promulgated: Day | None = None
    version_date: Day | None = None
    first_effective: Day | None = None
    version_effective: Day | None = None
    ended_on: Day | None = None
    """First day on which it is no longer law."""
    ended_by: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Alias:
    """Short names of a regulation (简称)."""

    title: str
    source: str
    aliases: Words


class Lexicon(Generic[T]):
    """Finds known words in a text: leftmost first, the longest at each place, never overlapping.

    Latin letters match in either case and only as whole words (PV, not PVC).
    """

    def __init__(self, words: Iterable[tuple[str, T]]) -> None:
        self._values: dict[str, T] = {word.lower(): value for word, value in words}
        self._by_head: dict[str, list[str]] = {}
        for word in sorted(self._values, key=len, reverse=True):
            self._by_head.setdefault(word[0], []).append(word)

    def find(self, text: str) -> Iterator[tuple[int, str, T]]:
        """Yield (offset in ``text``, the words as written, value)."""
        low = text.lower() if len(text.lower()) == len(text) else text  # İ lowers to two characters
        place = 0
        while place < len(low):
            heads = self._by_head.get(low[place], ())
            word = next((w for w in heads if low.startswith(w, place) and _whole(low, place, place + len(w))), "")
            if word:
                yield place, text[place : place + len(word)], self._values[word]
            place += len(word) or 1

    def get(self, word: str) -> T | None:
        """Return the value of exactly this word, None if it is not known."""
        return self._values.get(word.lower())


def _whole(text: str, *edges: int) -> bool:
    """Tell whether none of the edges of a match cuts a Latin word or a number in two."""
    pairs = (text[edge - 1 : edge + 1] for edge in edges if 0 < edge < len(text))
    return not any(pair.isascii() and pair.isalnum() for pair in pairs)


@dataclass(frozen=True)
class Rules:
    """All rule data of one folder; made by ``load``."""

    provinces: tuple[Province, ...]
    decoys: tuple[Category, ...]
    """Words that hold the name of a place but name none (日照时数); ``code`` is the word."""
    assets: tuple[Category, ...]
    doc_classes: tuple[Category, ...]
    levels: tuple[ForceLevel, ...]
    natures: tuple[Nature, ...]
    issuers: tuple[Issuer, ...]
    synonyms: tuple[SynonymGroup, ...]
    intents: tuple[Intent, ...]
    out_of_scope: tuple[Category, ...]
    """Kinds of question that no regulation answers (投资建议)."""
    sources: tuple[Source, ...]
    known: tuple[KnownRegulation, ...]
    aliases: tuple[Alias, ...]
    place_words: Lexicon[str | None] = field(init=False, repr=False, compare=False)
    issuer_words: Lexicon[Issuer] = field(init=False, repr=False, compare=False)
    synonym_words: Lexicon[SynonymGroup] = field(init=False, repr=False, compare=False)
    alias_words: Lexicon[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        decoys: list[tuple[str, str | None]] = [(d.code, None) for d in self.decoys]
        build = object.__setattr__  # the class is frozen; the look-ups are part of its making
        build(self, "place_words", Lexicon(decoys + [(word, p.code) for p in self.provinces for word in p.words()]))
        build(self, "issuer_words", Lexicon((w, i) for i in self.issuers for w in (i.name, *i.aliases)))
        build(self, "synonym_words", Lexicon((term, g) for g in self.synonyms for term in g.terms))
        build(self, "alias_words", Lexicon((w, a.title) for a in self.aliases for w in a.aliases))

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

    def level(self, word: str) -> ForceLevel | None:
        """Return the level of force by its code, name or alias (通知 → 规范性文件), None if it is not known."""
        return next((lv for lv in self.levels if word in (lv.code, lv.name, *lv.aliases)), None)

    def places_in(self, text: str) -> tuple[tuple[str, str], ...]:
        """Return (words as written, province code) for every place that ``text`` names, in order."""
        return tuple((words, code) for _, words, code in self.place_words.find(text) if code)

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


TABLES: Mapping[str, type[Any]] = {
    "provinces": Province,
    "decoys": Category,
    "assets": Category,
    "doc_classes": Category,
    "levels": ForceLevel,
    "natures": Nature,
    "issuers": Issuer,
    "synonyms": SynonymGroup,
    "intents": Intent,
    "out_of_scope": Category,
    "sources": Source,
    "known": KnownRegulation,
    "aliases": Alias,
}
"""Field of ``Rules``, which is also the name of its file and of the table in it → class of the entries."""
CONVERT: Mapping[str, Callable[[Any], Any]] = {
    "str": lambda v: v if isinstance(v, str) and v.strip() else _wrong("须为非空文字"),
    "int": lambda v: v if type(v) is int else _wrong("须为整数"),
    "bool": lambda v: v if isinstance(v, bool) else _wrong("须为 true 或 false"),
    "Words": lambda v: tuple(map(CONVERT["str"], v)) if isinstance(v, list) else _wrong("须为列表"),
    "re.Pattern[str]": re.compile,
    "Day | None": dt.date.fromisoformat,
}
REFERENCES = {"province": "provinces", "level": "levels", "assets": "assets", "doc_class": "doc_classes"}


@lru_cache(maxsize=8)
def load(folder: Path) -> Rules:
    """Read and check the rule data of ``folder``; read once per folder and process.

    Raises:
        ConfigError: a file is missing or an entry is wrong; the message names file and entry.
    """
    tables = {name: _read(folder / f"{name}.toml", kind) for name, kind in TABLES.items()}
    _check_words(tables)
    _check_references(tables)
    return Rules(**tables)


def _wrong(why: str) -> Any:
    raise ValueError(why)


def _fault(table: str, entry: object, why: str) -> ConfigError:
    return ConfigError(f"规则数据有误：{table}.toml 的条目“{entry}”{why}。请改正后重新启动。")


def _read(path: Path, kind: type[Any]) -> tuple[Any, ...]:
    table, key = path.stem, dataclasses.fields(kind)[0].name
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"规则数据 {path} 无法读取：{error}。请恢复该文件后重新启动。") from error
    if set(data) != {table} or not all(isinstance(raw, dict) for raw in data[table]):
        raise ConfigError(f"规则数据 {path.name} 只应含有 [[{table}]]。请改正后重新启动。")
    entries: dict[str, Any] = {}
    for place, raw in enumerate(data[table], 1):
        name = str(raw.get(key, f"第{place}条"))
        if name in entries:
            raise _fault(table, name, "重复")
        entries[name] = _entry(table, name, raw, kind)
    return tuple(entries.values())


def _entry(table: str, name: object, raw: Mapping[str, Any], kind: type[Any]) -> Any:
    """Make one entry; a ``note`` is for the people who read the file and is left out."""
    fields = {f.name: f for f in dataclasses.fields(kind)}
    given = {key: value for key, value in raw.items() if key != "note"}
    required = {n for n, f in fields.items() if f.default is dataclasses.MISSING}
    for what, keys in (("含有未知字段", given.keys() - fields.keys()), ("缺少字段", required - given.keys())):
        if keys:
            raise _fault(table, name, what + "、".join(sorted(keys)))
    values = {}
    for key, value in given.items():
        try:
            values[key] = CONVERT[str(fields[key].type)](value)
        except (ValueError, TypeError, re.error) as error:
            raise _fault(table, name, f"的字段 {key} 不正确：{error}") from error
    return kind(**values)


def _check_words(tables: Mapping[str, tuple[Any, ...]]) -> None:
    """Check that no word means two things: places, signs, synonyms, short names, issuers."""
    provinces, decoys = tables["provinces"], [(d.code, d.code) for d in tables["decoys"]]
    for table, words in (
        ("provinces", decoys + [(word, p.code) for p in provinces for word in p.words()]),
        ("provinces", [(word, p.code) for p in provinces for word in (*p.abbrev, *p.number_prefixes)]),
        ("synonyms", [(term, g.id) for g in tables["synonyms"] for term in g.terms]),
        ("aliases", [(word, a.title) for a in tables["aliases"] for word in a.aliases]),
        ("issuers", [(word, i.name) for i in tables["issuers"] for word in (i.name, *i.aliases)]),
    ):
        owners: dict[str, str] = {}
        for word, owner in words:
            if word.lower() in owners:
                raise _fault(table, owner, f"的词“{word}”已属于“{owners[word.lower()]}”")
            owners[word.lower()] = owner
    for group in tables["synonyms"]:
        if group.canonical not in group.terms or {*group.terms} & {*group.confusable, *group.narrower}:
            raise _fault("synonyms", group.id, "自相矛盾：canonical 须在 terms 中，其余词不得与 terms 重复")


def _check_references(tables: Mapping[str, tuple[Any, ...]]) -> None:
    """Check that every code an entry names exists."""
    valid = {attribute: {e.code for e in tables[table]} for attribute, table in REFERENCES.items()}
    for table in ("issuers", "intents", "sources", "known"):
        names = [f.name for f in dataclasses.fields(TABLES[table])]
        for entry in tables[table]:
            for attribute in valid.keys() & set(names):
                value = getattr(entry, attribute)
                if missing := ({value} if isinstance(value, str) else {*value}) - valid[attribute]:
                    raise _fault(table, getattr(entry, names[0]), f"的 {attribute} 无此代码：{missing}")
