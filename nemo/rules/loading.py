"""Reads and checks the rule data: every wrong entry is named (规则加载)."""

import dataclasses
import re
import tomllib
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from nemo.errors import ConfigError
from nemo.rules.entries import GLOSS_KINDS, Words
from nemo.rules.lookups import Rules

TABLES: Mapping[str, type[Any]] = {
    name: get_args(hint)[0] for name, hint in get_type_hints(Rules).items() if get_origin(hint) is tuple
}
"""Field of ``Rules``, which is also the name of its file and of the table in it → class of the entries."""
CONVERT: Mapping[Any, Callable[[Any], Any]] = {
    str: lambda v: v if isinstance(v, str) and v.strip() else _wrong("须为非空文字"),
    int: lambda v: v if type(v) is int else _wrong("须为整数"),
    float: lambda v: v if isinstance(v, float) and 0 <= v <= 1 else _wrong("须为 0 到 1 之间的小数"),
    bool: lambda v: v if isinstance(v, bool) else _wrong("须为 true 或 false"),
    Words: lambda v: tuple(map(CONVERT[str], v)) if isinstance(v, list) else _wrong("须为列表"),
    re.Pattern[str]: re.compile,
    re.Pattern[str] | None: re.compile,
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
            values[key] = CONVERT[fields[key].type](value)
        except (ValueError, TypeError, re.error) as error:
            raise _fault(table, name, f"的字段 {key} 不正确：{error}") from error
    return kind(**values)


def _check_words(tables: Mapping[str, tuple[Any, ...]]) -> None:
    """Check that no word means two things: places, signs, synonyms, short names, issuers."""
    provinces, decoys = tables["provinces"], [(d.code, d.code) for d in tables["decoys"]]
    for table, words in (
        ("provinces", decoys + [(word, p.code) for p in provinces for word in p.words()]),
        ("provinces", [(word, p.code) for p in provinces for word in (*p.abbrev, *p.number_prefixes)]),
        ("synonyms", [(term, g.id) for g in tables["synonyms"] for term in (*g.terms, *g.short)]),
        ("aliases", [(word, a.title) for a in tables["aliases"] for word in a.aliases]),
        ("issuers", [(word, i.name) for i in tables["issuers"] for word in (i.name, *i.aliases)]),
        ("glossary", [(word, g.english) for g in tables["glossary"] for word in (g.english, *g.aliases)]),
    ):
        owners: dict[str, str] = {}
        for word, owner in words:
            if word.lower() in owners:
                raise _fault(table, owner, f"的词“{word}”已属于“{owners[word.lower()]}”")
            owners[word.lower()] = owner
    for group in tables["synonyms"]:
        if group.canonical not in group.terms or not {*group.terms}.isdisjoint(group.confusable):
            raise _fault("synonyms", group.id, "自相矛盾：canonical 须在 terms 中，其余词不得与 terms 重复")
    for gloss in tables["glossary"]:
        if gloss.kind not in GLOSS_KINDS:
            raise _fault("glossary", gloss.english, f"的 kind 无此类别：{gloss.kind}")


def _check_references(tables: Mapping[str, tuple[Any, ...]]) -> None:
    """Check that every code an entry names exists."""
    valid = {attribute: {e.code for e in tables[table]} for attribute, table in REFERENCES.items()}
    for table in ("issuers", "intents", "sources"):
        names = [f.name for f in dataclasses.fields(TABLES[table])]
        for entry in tables[table]:
            for attribute in valid.keys() & set(names):
                value = getattr(entry, attribute)
                if missing := ({value} if isinstance(value, str) else {*value}) - valid[attribute]:
                    raise _fault(table, getattr(entry, names[0]), f"的 {attribute} 无此代码：{missing}")
