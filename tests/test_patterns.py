"""Every regular expression of the package takes time in proportion to its text, whatever the text (正则表达式不失控).

Processor time is measured, never the clock on the wall, and a pattern only fails when four times the text costs far
more than four times the work, on the best of several tries: what else the machine does makes no difference.

A pattern that was measured and found calm stands in ``calm_patterns.txt`` by its hash and is not measured again, as long as
the measure and the Python it was made with stay the same. ``NEMO_PATTERNS=all`` measures everything, ``NEMO_PATTERNS=write``
(part of ``make decisions``) everything new, and writes the list anew.
"""

import ast
import hashlib
import importlib
import math
import os
import pkgutil
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from re import _compiler as compiler  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]  # the grammar of patterns has no public name
from typing import Any

import pytest

import nemo
from nemo import rules, settings
from nemo.answer.question.query import QuestionReader
from nemo.answer.question.titles import TitleFinder
from nemo.text.law.edges import EdgeReader

SHORT = 2_000
"""Characters of the first try."""
CALM = 1.2e-6
"""Seconds a character on the first try; a pattern that needs less is not looked at again: a quadratic one needs more."""
GROWTH = 1.5
"""Largest exponent of the time over the length: 1 is linear, 2 quadratic."""
PATIENCE = 2.0
"""Seconds of processor time after which a search is called endless."""

UNITS = (
    "1", "１", "一", "的", "第", "第一", "第1", "1.", "1、", "1,", "(", "（", "（一）", "《", "《》", "《的》", "“", "”", " ", "　", "\t", "\n",
    "\r\n", " \n", "-", "—", "|", "| ", "a", "a.", "<", "<a", "<a>", "</p>", "<!--", "&", "#", ".", "。", "，", "；", "：", ":", "/", "\\", '"',
    "[", "〔2024〕", "年", "2024年", "2024年1月1日", "1月", "第一条", "第一条 ", "条", "附件", "自", "关于", "…", "·", "_", "*", "元", "百分之", "1%",
    "罚", "的通知", "和", "、", "公司", "A-", "\ufffd", "0", "十", "百千", "x=1&", "http://a.", "@", "~", "+", "=", "但", "以内", "不得", "应当",
    "本办法", "起施行", "废止", "修改", "将", "2024-01-01", "GB/T 1", "T", "1/", "1:", "(1)",
)  # fmt: skip

CALLS = {"search", "match", "fullmatch", "findall", "finditer", "sub", "subn", "split"}
ANCHORED = {"match", "fullmatch"}


class EndlessSearchError(Exception):
    """A search ran out of patience."""


def patterns() -> dict[tuple[str, int], tuple[str, set[str]]]:
    """Every pattern of the package: (pattern, flags) → (where, how it is used; empty when that is not known)."""
    found: dict[tuple[str, int], tuple[str, set[str]]] = {}
    uses: dict[str, set[str]] = {}
    trees = {m.__name__: (m, ast.parse(Path(str(m.__file__)).read_text("utf-8"))) for m in _modules()}
    for module, (_, tree) in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and (name := _last(node.value)):
                uses.setdefault(f"{module}.{name}" if name.startswith("_") else name, set()).add(node.attr)
    for module, tree in trees.values():
        for name, value in vars(module).items():
            if isinstance(value, re.Pattern):
                how = uses.get(f"{module.__name__}.{name}" if name.startswith("_") else name, set())
                anchored = bool(how) and how <= ANCHORED | {"pattern", "flags"} and how & ANCHORED
                _add(found, value, f"{module.__name__}.{name}", how if anchored else set())
            else:
                for each in _inside(value, 3):
                    _add(found, each, f"{module.__name__}.{name}", set())
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and (pattern := _literal(node, vars(module))) is not None:
                method = node.func.attr  # type: ignore[attr-defined]
                how = None if method == "compile" else {method} & ANCHORED
                _add(found, pattern, f"{module.__name__}:{node.lineno}", how)
    given = settings.load()
    known = rules.load(given.rules)
    reader = QuestionReader(
        known,
        TitleFinder([("1", ["演示办法"])], ["演示办法"], {}, ["演示省"]),
        [("1", "演示〔2024〕1号")],
        lambda text: text,
    )
    for name, value in {**vars(known), **vars(reader), **vars(EdgeReader(known))}.items():
        for each in _inside(value, 3):
            _add(found, each, f"rules or question reader: {name}", set())
    return found


def _modules() -> Iterator[Any]:
    for info in pkgutil.walk_packages(nemo.__path__, "nemo."):
        if (
            not info.name.endswith(("__main__", ".env"))
            and ".versions.v0" not in info.name
            and info.name != "nemo.web.server"
        ):
            yield importlib.import_module(info.name)


def _last(node: ast.expr) -> str | None:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else None


def _inside(value: Any, depth: int) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth and isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from _inside(each, depth - 1)
    elif depth and isinstance(value, dict):
        yield from _inside([*value.keys(), *value.values()], depth - 1)
    elif depth and hasattr(value, "__dict__") and type(value).__module__.startswith("nemo"):
        yield from _inside(vars(value), depth - 1)


def _literal(node: ast.Call, names: dict[str, Any]) -> re.Pattern[str] | None:
    """The pattern of ``re.search("…", …)`` in a function, None where it depends on what the function was given."""
    func = node.func
    if not (isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) and func.value.id == "re"):
        return None
    if func.attr not in CALLS | {"compile"} or not node.args:
        return None
    try:
        flags = next((eval(ast.unparse(k.value), names) for k in node.keywords if k.arg == "flags"), 0)
        return re.compile(eval(ast.unparse(node.args[0]), names), flags)
    except (NameError, AttributeError, TypeError):
        return None


def _add(
    found: dict[tuple[str, int], tuple[str, set[str]]], pattern: re.Pattern[Any], where: str, how: set[str] | None
) -> None:
    """Note a pattern; ``how`` is None where it is made and not used."""
    if not isinstance(pattern.pattern, str):
        return
    key = (pattern.pattern, pattern.flags)
    if key not in found:
        found[key] = (where, how or set())
    elif how is not None:
        known, used = found[key]
        found[key] = (known, used | how if used and how else set())


# --- texts that are hard for one pattern


def example(tree: Any, room: int = 60) -> str:
    """A short text of what a pattern consists of: nearly always one that it finds."""
    out = ""
    for kind, value in tree:
        out += _piece(str(kind), value, room - len(out))
        if len(out) >= room:
            break
    return out[:room]


def _piece(kind: str, value: Any, room: int) -> str:
    if room <= 0:
        return ""
    if kind == "LITERAL":
        return chr(value)
    if kind == "NOT_LITERAL" or kind == "ANY":
        return "某"
    if kind == "IN":
        return _of_class(value)
    if kind == "BRANCH":
        return example(value[1][0], room)
    if kind == "SUBPATTERN":
        return example(value[3], room)
    if kind == "ATOMIC_GROUP":
        return example(value, room)
    if kind in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        least, most, inner = value
        return example(inner, room) * max(min(int(least), 5), 1 if most else 0)
    return ""


def _of_class(items: Any) -> str:
    kinds = [str(k) for k, _ in items]
    if kinds[0] == "NEGATE":
        taken = {chr(v) for k, v in items if str(k) == "LITERAL"}
        return next(c for c in "某a1 ，" if c not in taken)
    kind, value = items[0]
    if str(kind) == "LITERAL":
        return chr(value)
    if str(kind) == "RANGE":
        return chr(value[0])
    return {"CATEGORY_DIGIT": "1", "CATEGORY_SPACE": " ", "CATEGORY_WORD": "a"}.get(str(value), "某")


def texts(pattern: re.Pattern[str]) -> list[str]:
    """What is repeated: common building stones, and what the pattern itself is made of.

    A stone of which no part of the pattern takes a character is left out: nothing is tried twice on it.
    """
    tree = parser.parse(pattern.pattern, pattern.flags)
    whole = example(tree)
    own = [whole, whole[:-1], whole[: len(whole) // 2], whole[:1], whole[1:], whole[-1:]]
    parts = [parser.SubPattern(tree.state, [part]) for part in _parts(tree)] or [tree]
    takes = compiler.compile(parser.SubPattern(tree.state, [(parser.BRANCH, (None, parts))]), pattern.flags)
    taken = {c for c in set("".join(UNITS)) if takes.match(c)}
    return list(dict.fromkeys(unit for unit in (*own, *(u for u in UNITS if taken & set(u))) if unit))


def _parts(tree: Any) -> Iterator[Any]:
    """The parts of a pattern that take one character each."""
    for kind, value in tree:
        name = str(kind)
        if name in ("LITERAL", "NOT_LITERAL", "ANY", "IN"):
            yield kind, value
        elif name == "ATOMIC_GROUP":
            yield from _parts(value)
        elif name in ("SUBPATTERN", "ASSERT", "ASSERT_NOT") or name.endswith("_REPEAT"):
            yield from _parts(value[-1])
        elif name in ("BRANCH", "GROUPREF_EXISTS"):
            for each in value[1] if name == "BRANCH" else filter(None, value[1:]):
                yield from _parts(each)


# --- measuring


def seconds(find: Callable[[str], object], text: str, tries: int = 1) -> float:
    """Processor seconds of the best of some tries; infinite when it runs out of patience."""
    best = math.inf
    for _ in range(tries):
        signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
        began = time.thread_time()
        try:
            find(text)
        except EndlessSearchError:
            return math.inf
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        best = min(best, time.thread_time() - began)
    return best


def worst(find: Callable[[str], object], unit: str, calm: float = CALM) -> float:
    """The exponent with which the time grows over the length of a repeated text; 1 when it is quick anyhow."""
    text = unit * (SHORT // len(unit))
    tried = seconds(find, text)
    if tried < calm * SHORT:
        return 1.0
    if math.isinf(tried):
        return math.inf
    once = _growth(find, text, calm, 2, 1)
    return _growth(find, text, calm, 5, 3) if once > GROWTH else once  # only what looks wrong is measured with care


def _growth(find: Callable[[str], object], text: str, calm: float, tries: int, longer: int) -> float:
    first = seconds(find, text, tries)
    if first < calm * SHORT:
        return 1.0
    later = seconds(find, text * 4, longer)
    return math.log(later / first, 4) if math.isfinite(later) else math.inf


def verb(pattern: re.Pattern[str], how: set[str]) -> Callable[[str], object]:
    """The way the pattern is applied: anchored where the package only ever does so, else searching."""
    if how == {"fullmatch"}:
        return pattern.fullmatch
    return pattern.match if how else pattern.search


CALM_LIST = Path(__file__).with_name("calm_patterns.txt")
ASKED = os.environ.get("NEMO_PATTERNS", "")


def measure() -> str:
    """The hash of how patterns are measured: this file and the Python that runs it."""
    return hashlib.sha256(f"{sys.version_info[:2]}{Path(__file__).read_text('utf-8')}".encode()).hexdigest()[:16]


def mark(source: str, flags: int, how: set[str]) -> str:
    """The hash of one pattern and how it is used."""
    return hashlib.sha256(f"{flags} {sorted(how)} {source}".encode("utf-8", "surrogatepass")).hexdigest()[:16]


def calm() -> set[str]:
    """The patterns that this measure found calm before."""
    made_by, *known = CALM_LIST.read_text("ascii").split() if CALM_LIST.is_file() else [""]
    return set(known) if made_by == measure() and ASKED != "all" else set()


@pytest.fixture
def patience() -> Iterator[None]:
    def ring(*_: object) -> None:
        raise EndlessSearchError

    before = signal.signal(signal.SIGVTALRM, ring)
    yield
    signal.signal(signal.SIGVTALRM, before)


def test_no_pattern_grows_faster_than_its_text(patience: None) -> None:
    found = patterns()
    assert len(found) > 300
    slow: dict[str, str] = {}
    known = calm()
    for (source, flags), (where, how) in found.items():
        if mark(source, flags, how) in known:
            continue
        pattern = re.compile(source, flags)
        find = verb(pattern, how)
        for unit in texts(pattern):
            growth = worst(find, unit)
            if growth > GROWTH:
                slow[where] = f"{growth:.1f} on {unit[:30]!r}: {source[:200]}"
                break
    assert slow == {}
    if ASKED == "write":
        lines = [measure(), *sorted({mark(source, flags, how) for (source, flags), (_, how) in found.items()})]
        CALM_LIST.write_text("\n".join(lines) + "\n", "ascii")


@pytest.mark.parametrize(
    ("pattern", "unit"), [(r"(?:\d+)+x", "1"), (r"\d+x", "1"), (r"(?:a|a)*b", "a"), (r"《.*》x", "《》")]
)
def test_the_measure_itself_sees_growth(patience: None, pattern: str, unit: str) -> None:
    assert worst(re.compile(pattern).search, unit, calm=0) > GROWTH  # however fast the machine is


@pytest.mark.parametrize(("pattern", "unit"), [(r"(?<!\d)\d+x", "1"), (r"\d{1,9}x", "1"), (r"[^。]*。", "的")])
def test_the_measure_itself_lets_linear_patterns_pass(patience: None, pattern: str, unit: str) -> None:
    assert worst(re.compile(pattern).match, unit) <= GROWTH


_BOUND = re.compile(r"\(?\d+(?:, ?\d*\)?)?")


def test_no_bound_of_a_pattern_is_taken_for_a_value() -> None:
    """``f"x{0, 4}"`` is the text ``x(0, 4)``: a bound in such a string stands in two braces."""
    folder = Path(__file__).parents[1] / "nemo"
    found = [
        f"{file.relative_to(folder)}:{node.lineno}"
        for file in sorted(folder.rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.FormattedValue) and _BOUND.fullmatch(ast.unparse(node.value))
    ]
    assert found == []
