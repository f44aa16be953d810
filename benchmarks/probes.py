"""What every single rule decides on an input of its own, written down: ``make decisions`` (逐条规则判定).

The samples reach only some of the rules. Here each named pattern is asked about strings made from its own branches, each
function of one text about the words of its module, each table of words in code what a word leads to, and each table of
``data/rules`` about its own words, by the functions that read it. ``tests/probes.json`` keeps the inputs as they were made, so that a word that leaves a rule, a branch that
no longer matches and a bound that moves show as an input that is decided otherwise.
"""

import contextlib
import datetime as dt
import hashlib
import importlib
import inspect
import itertools
import json
import pkgutil
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from benchmarks.speed import ROOT
from nemo import rules as rule_data
from nemo import settings
from nemo.answer import refuse
from nemo.answer.question.query import QuestionReader
from nemo.answer.question.titles import TitleFinder
from nemo.engine import vocabulary
from nemo.errors import NemoError
from nemo.ingest.assemble import regulations_in
from nemo.ingest.manifest import KnownFacts
from nemo.rules import Rules
from nemo.rules.page_lines import page_words
from nemo.text.facts.description import describe
from nemo.text.law.edges import EdgeReader
from nemo.text.structure.tree import structure
from nemo.text.words.homophones import Homophones
from nemo.types import Filters, ParsedDocument, RawDocument

_parser = re._parser  # type: ignore[attr-defined]  # the one reader of patterns there is; only strings are made with it

AGREED = ROOT / "tests" / "probes.json"
ROOMS = ("answer", "audit", "ingest", "lawview", "parse", "rerank", "review", "rules", "text")
DAY = dt.date(2026, 11, 20)
MOST = 90
"""Strings made of one pattern."""
LONGEST_RUN = 120
"""Repetitions that are tried to the bound and one more."""
SHOWN = 60
"""Characters of a decision; of a longer one a digest follows."""
HAN = re.compile(r"[\u4e00-\u9fa5]{2,14}")
METACHARACTERS = re.compile(r"[\\\[\](){}?*+|^$]")
KEPT_OUT = frozenset(("source", "note", "name", "evidence"))
TIED = """演示办法
第一条 {w}应当{w}申请备案。
第二条 县级以上人民政府能源{w}负责风电场的监督管理，由省能源{w}另行制定办法。
第三条 {w}甲的，应当{w}有关手续，不得{w}从事经营。
第四条 {w}未报告的，由能源主管部门{w}处一万元以上罚款，{w}。
第五条 电站，{w}电网企业{w}建设的，应当在十日内办理。
第六条 建设单位{w}条件后{w}应当报告，{w}除外。
第七条 建设项目的{w}和其他人不得拒绝检查。
第八条 {w}风电场监督检查的，应当配合。
第九条 电价由{w}制定；{w}风电场的，可以不报告。
"""
"""A text of duties, powers and penalties in which a word stands as actor, opener, organ and sanction."""

Probes = dict[str, dict[str, Any]]
"""By rule: what it decides by input."""


# --- strings made from a pattern


def spellings(tree: Any) -> list[str]:
    """Return strings for a parsed pattern: the plainest first, then one for every other branch, option or bound."""
    parts = [_of(op, argument) for op, argument in tree]
    plain = [part[0] for part in parts]
    found = ["".join(plain)]
    for place, part in enumerate(parts):
        found += ["".join((*plain[:place], other, *plain[place + 1 :])) for other in part[1:]]
    return list(dict.fromkeys(found))


def _of(op: Any, argument: Any) -> list[str]:
    name = str(op)
    if name == "LITERAL":
        return [chr(argument)]
    if name == "NOT_LITERAL":
        return ["某" if argument != ord("某") else "另"]
    if name == "IN":
        return _members(argument)
    if name == "BRANCH":
        return [each for branch in argument[1] for each in spellings(branch)]
    if name == "SUBPATTERN":
        return spellings(argument[-1])
    if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return _repeated(*argument)
    if name == "ASSERT":
        return ["", *spellings(argument[1])] if argument[0] > 0 else [*spellings(argument[1]), ""]
    if name == "ASSERT_NOT":
        return ["", *spellings(argument[1])]
    if name == "ATOMIC_GROUP":
        return spellings(argument)
    return ["某"] if name == "ANY" else [""]


def _members(items: Sequence[tuple[Any, Any]]) -> list[str]:
    if str(items[0][0]) == "NEGATE":
        return ["某"]
    found = []
    for op, argument in items:
        if str(op) == "LITERAL":
            found.append(chr(argument))
        elif str(op) == "RANGE":
            found += [chr(argument[0]), chr(argument[1])]
        else:
            found.append({"CATEGORY_DIGIT": "3", "CATEGORY_SPACE": " "}.get(str(argument), "某"))
    return found


def _repeated(least: int, most: Any, tree: Any) -> list[str]:
    inner = spellings(tree)
    once = inner[0]
    begin = once * least
    found = [begin] + [each + once * max(0, least - 1) for each in inner if each]
    if least < int(most) <= LONGEST_RUN:
        found += [once * int(most), once * (int(most) + 1)]
    return list(dict.fromkeys(found))


def _spread(found: list[str]) -> list[str]:
    """Return at most ``MOST`` of them that can be written down; those that hold words first."""
    ordered = sorted(found[1:], key=lambda each: -len(HAN.findall(each)))
    return [each for each in found[:1] + ordered[: MOST - 1] if each.isprintable() or each.isspace()]


# --- where the rules stand


def _modules() -> Iterator[Any]:
    for room in ROOMS:
        package = importlib.import_module(f"nemo.{room}")
        yield package
        for found in sorted(pkgutil.walk_packages(package.__path__, package.__name__ + "."), key=lambda m: m.name):
            yield importlib.import_module(found.name)


def _patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    seen: set[tuple[object, int]] = set()
    """By what they say: whether two modules share one object depends on what else was compiled before."""
    for module in _modules():
        short = module.__name__.removeprefix("nemo.")
        for name, value in vars(module).items():
            if not name.strip("_").isupper() or name.startswith("__"):
                continue
            for place, pattern in enumerate(_inside(value)):
                said = (pattern.pattern, pattern.flags)
                if said not in seen and isinstance(pattern.pattern, str):
                    seen.add(said)
                    yield f"{short} {name} {place}", pattern


def _inside(value: Any, depth: int = 0) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth < 4 and isinstance(value, Mapping):
        for key, each in value.items():
            yield from _inside(key, depth + 1)
            yield from _inside(each, depth + 1)
    elif depth < 4 and isinstance(value, tuple | list):
        for each in value:
            yield from _inside(each, depth + 1)
    elif depth < 4 and is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from _inside(getattr(value, field.name), depth + 1)


OUTSIDE = {"nemo.ingest.objects"}
"""Modules whose functions take an address and go there."""


def _functions() -> Iterator[tuple[str, Callable[[str], Any], list[str]]]:
    """Yield (name, function of one text, words of the constants of its module)."""
    for module in _modules():
        if module.__name__ in OUTSIDE:
            continue
        words = sorted({word for value in _constants(module) for word in HAN.findall(value)})
        for name, value in sorted(vars(module).items()):
            value = inspect.unwrap(value) if isinstance(value, Callable) else value  # type: ignore[arg-type]  # what a cache stands before
            if not inspect.isfunction(value) or value.__module__ != module.__name__ or name.startswith("_"):
                continue
            wanted = [p for p in inspect.signature(value).parameters.values() if p.default is p.empty]
            if len(wanted) == 1 and wanted[0].annotation in (str, "str") and words:
                yield f"{module.__name__.removeprefix('nemo.')}.{name}", value, words


def _constants(module: Any) -> Iterator[str]:
    for name, value in vars(module).items():
        if name.strip("_").isupper():
            yield from _strings(value)


def _strings(value: Any, depth: int = 0) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, re.Pattern) and isinstance(value.pattern, str):
        yield value.pattern
    elif depth < 4 and isinstance(value, Mapping):
        for key, each in value.items():
            yield from _strings(key, depth + 1)
            yield from _strings(each, depth + 1)
    elif depth < 4 and isinstance(value, tuple | list | set | frozenset):
        for each in value:
            yield from _strings(each, depth + 1)


def _word_tables() -> Iterator[tuple[str, dict[str, str]]]:
    """Yield (name, what each word leads to) for every table of words in code."""
    for module in _modules():
        for name, value in vars(module).items():
            named = name.strip("_").isupper() and not name.startswith("__") and not isinstance(value, str)
            if named and (found := dict(_leads(value, ""))):
                yield f"{module.__name__.removeprefix('nemo.')} {name}", found


def _leads(value: Any, where: str) -> Iterator[tuple[str, str]]:
    """Yield (word, what stands above it or beside it); patterns in words are asked by themselves."""
    if isinstance(value, str):
        if HAN.search(value) and not METACHARACTERS.search(value):
            yield value, where or "在其中"
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from _leads(key, _short(repr(each)))
            yield from _leads(each, f"{where}{key} ")
    elif isinstance(value, tuple | list | set | frozenset):
        for each in value:
            yield from _leads(each, where)
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from _leads(getattr(value, field.name), f"{where}{field.name} ")


# --- what is decided


def by_pattern(pattern: re.Pattern[str], text: str) -> str:
    """Return the places of the first match and of its groups, "-" for none."""
    found = pattern.search(text)
    if found is None:
        return "-"
    return " ".join(f"{begin}:{end}" for begin, end in found.regs)


def by_function(function: Callable[[str], Any], text: str) -> Any:
    """Return what a function says of a text, as something that can be written down."""
    told = function(text)
    if isinstance(told, np.ndarray):
        return [int(place) for place in np.flatnonzero(told)]
    if isinstance(told, Iterator):
        told = list(told)
    if isinstance(told, set | frozenset):
        told = sorted(map(str, told))
    return _short(repr(told))


def _short(value: str) -> str:
    return value if len(value) <= SHOWN + 8 else f"{value[:SHOWN]}… {hashlib.sha256(value.encode()).hexdigest()[:6]}"


class RuleReaders:
    """The functions that read the tables of ``data/rules``, asked about one word at a time."""

    def __init__(self) -> None:
        given = settings.load()
        self.rules: Rules = rule_data.load(given.rules)
        known = [name for a in self.rules.aliases for name in (a.title, *a.aliases)]
        full = {short: a.title for a in self.rules.aliases for short in a.aliases}
        names = TitleFinder([], [*known, *(k.title for k in self.rules.known)], full, ())
        self.reader = QuestionReader(
            self.rules, names, [], Homophones(vocabulary(given.models), lambda words: dict.fromkeys(words, 0))
        )
        self.page = page_words()
        self.edges = EdgeReader(self.rules)

    def table(self, name: str) -> Callable[[str], Any]:
        """Return what reads a table."""
        if name == "page_lines":
            return self.line
        if name in ("graph_words", "graph_rules"):
            return self.ties
        if name in ("issuers", "levels", "natures", "assets", "doc_classes"):
            return self.text
        return self.question

    def question(self, word: str) -> Any:
        """Return what is understood of a question that is about a word."""
        asked = word if word.isascii() else f"{word}有什么规定"
        try:
            query = self.reader.read(asked, Filters(), DAY, 2000)
        except NemoError as error:
            return _short(error.message)
        outside = refuse.outside(query, self.rules)
        told = [query.text] if query.text != asked else []
        told += [f"{each.term}+{'、'.join(each.added)}" for each in query.synonyms]
        told += [*query.intents, *(f"《{mention.title}》" for mention in query.mentions)]
        told += [f"{each.fact}={each.value}" for each in query.read]
        told += [f"{words}:{code}" for words, code in self.rules.places_in(word)]
        told += (alias.title for alias in self.rules.aliases if word in alias.aliases)
        return _short("；".join([*told, *([outside.message] if outside else [])]))

    def ties(self, word: str) -> Any:
        """Return the edges of a text in which a word, without the signs of a pattern, stands where such words do."""
        text = TIED.format(w=re.sub(r"\(\?[^)]*\)|\[[^\]]*\]|[()|?{}]", "", word))
        raw, parsed = RawDocument.of(text.encode(), "a.txt"), ParsedDocument(text, (), "probe")
        held = regulations_in(raw, parsed, KnownFacts(), self.rules)[0]
        found = self.edges.edges(held)
        return _short(
            "；".join(f"{e.kind} {e.source}→{e.target or e.target_label} {e.span.of(held.text)}" for e in found)
        )

    def text(self, word: str) -> Any:
        """Return how a short text is filed that a word stands in: in its title, as its issuer and in its first words."""
        told = [str(each) for each in (self.rules.level(word), self._nature(word)) if each is not None]
        told += [f"{words}:{issuer.name}" for _, words, issuer in self.rules.issuer_words.find(word)]
        for text in (
            f"{word}管理办法\n第一条 为了管理{word}，制定本办法。\n",
            f"通知\n各单位：\n现予执行。\n{word}\n2024年1月1日\n",
        ):
            about = describe(ParsedDocument(text, (), "probe"), "a.txt", structure(text), self.rules)
            filed = [about.issuer, about.level, about.province, about.doc_class, *about.assets, about.nature]
            told.append(" ".join(each or "-" for each in filed))
        return _short("；".join(told))

    def _nature(self, word: str) -> str | None:
        with contextlib.suppress(NemoError):
            return self.rules.nature(word)
        return None

    def line(self, word: str) -> Any:
        """Return what a line that begins with a word is on a page."""
        kinds = [name for name in ("is_menu", "is_tool", "is_card", "is_foot") if getattr(self.page, name)(word)]
        return kinds + [
            f"{name}：" for name in ("is_tool", "is_card", "is_foot") if getattr(self.page, name)(f"{word}：甲")
        ]


def _table_words(table: str) -> list[str]:
    entries = tomllib.loads((ROOT / "data" / "rules" / f"{table}.toml").read_text("utf-8"))[table]
    found = [
        word for entry in entries for key, value in entry.items() if key not in KEPT_OUT for word in _strings(value)
    ]
    found += ["、".join(two) for entry in entries for two in itertools.pairwise(entry.get("trigger", ()))]
    return [word for word in dict.fromkeys(found) if len(word) <= 60 and (HAN.search(word) or table == "glossary")]


# --- the whole


@lru_cache(maxsize=1)
def _tables() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in (ROOT / "data" / "rules").glob("*.toml") if path.stem != "sources"))


def made() -> dict[str, list[str]]:
    """Return the inputs of every rule as they are made from it now."""
    inputs = {f"pattern {name}": _spread(spellings(_parser.parse(p.pattern, p.flags))) for name, p in _patterns()}
    inputs |= {f"function {name}": words for name, _, words in _functions()}
    inputs |= {f"words {name}": list(found) for name, found in _word_tables()}
    return inputs | {f"table {name}": _table_words(name) for name in _tables()}


def decided(inputs: Mapping[str, Sequence[str]]) -> Probes:
    """Return what every rule decides now on the inputs given; a rule that is gone decides nothing."""
    rules: dict[str, Callable[[str], Any]] = {
        f"pattern {name}": lambda text, pattern=pattern: by_pattern(pattern, text) for name, pattern in _patterns()
    }
    rules |= {f"function {name}": lambda text, f=function: by_function(f, text) for name, function, _ in _functions()}
    rules |= {f"words {name}": lambda text, found=found: found.get(text, "不在其中") for name, found in _word_tables()}
    if any(name.startswith("table ") for name in inputs):
        readers = RuleReaders()
        rules |= {f"table {name}": readers.table(name) for name in _tables()}
    return {name: {text: rules[name](text) for text in texts} for name, texts in inputs.items() if name in rules}


def agreed() -> Probes:
    """Return what is agreed on."""
    read: Probes = json.loads(AGREED.read_text("utf-8"))
    return read


def differences(before: Probes) -> list[str]:
    """Return every input that is decided otherwise than agreed on, for people: the rule, the input, before and after."""
    now = decided({name: list(texts) for name, texts in before.items()})
    gone = [f"没有了  {name}" for name in sorted(before.keys() - now.keys())]
    return gone + [
        f"变  {name}：“{text}”\n    前  {told}\n    后  {now[name][text]}"
        for name, texts in sorted(before.items())
        if name in now
        for text, told in texts.items()
        if now[name][text] != told
    ]


def write() -> None:
    """Make the inputs anew and write down what is decided on them."""
    lines = [
        f"{json.dumps(name, ensure_ascii=False)}: {json.dumps(dict(sorted(found.items())), ensure_ascii=False)}"
        for name, found in sorted(decided(made()).items())
    ]  # sorted: sets come in another order each time
    AGREED.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


if __name__ == "__main__":
    write()
