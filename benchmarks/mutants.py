"""Changes rules one at a time and asks whether anything notices: ``make mutants`` (变异检验).

Every named number, every alternative of a named pattern, every member of a named word set under ``nemo/`` and every
word of ``data/rules`` is a candidate; a sample with a fixed seed is changed, one at a time, in a copy of the checkout.
A mutant is caught when the decisions on the samples differ from what was agreed on (``benchmarks.decisions``) or a test
that imports the changed module fails.
"""

from __future__ import annotations

import argparse
import ast
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.speed import ROOT

SEED = 20261122
ROOMS = ("answer", "text", "rerank", "lawview", "parse", "review", "ingest")
SECONDS = 900


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: these characters of this file become others."""

    file: str
    line: int
    start: int
    """Offset in the file, code points."""
    old: str
    new: str
    name: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.name}: {self.old[:40]!r} → {self.new[:40]!r}"


def in_code(path: Path) -> Iterator[Mutant]:
    """Yield the mutants of the constants that stand on the top level of a module."""
    source = path.read_text("utf-8")
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    lines = source.splitlines()

    def at(line: int, column: int) -> int:
        return starts[line - 1] + len(lines[line - 1].encode()[:column].decode())

    for statement in ast.parse(source).body:
        target = statement.targets[0] if isinstance(statement, ast.Assign) else getattr(statement, "target", None)
        value = getattr(statement, "value", None)
        if not isinstance(target, ast.Name) or not re.fullmatch(r"_?[A-Z][A-Z0-9_]*", target.id) or value is None:
            continue
        for node in ast.walk(value):
            if isinstance(node, ast.Constant) and node.lineno == node.end_lineno:
                begin, end = at(node.lineno, node.col_offset), at(node.end_lineno, node.end_col_offset)
                file = str(path.relative_to(ROOT))
                for old, new in changes(node.value, source[begin:end]):
                    yield Mutant(file, node.lineno, begin, old, new, target.id)


def changes(value: object, written: str) -> Iterator[tuple[str, str]]:
    """Yield (characters, what they become) for one constant."""
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, int | float):
        yield written, repr(type(value)(value * 10 if value else 1))
    elif isinstance(value, str) and re.search(r"[\u4e00-\u9fa5]{2,}", value):
        word = max(
            re.findall(r"(?<![\\\[\u4e00-\u9fa5])[\u4e00-\u9fa5]{2,6}(?![\u4e00-\u9fa5\]])", written),
            key=len,
            default="",
        )
        if word:
            yield written, written.replace(word, "甴曱", 1)


def in_rules(path: Path) -> Iterator[Mutant]:
    """Yield the mutants of the words of one rule table."""
    source = path.read_text("utf-8")
    for match in re.finditer(r'"([\u4e00-\u9fa5]{2,12})"', source):
        line = source.count("\n", 0, match.start()) + 1
        stands = source[source.rfind("\n", 0, match.start()) + 1 : match.start()]
        if not stands.lstrip().startswith(("source", "name", "#")):
            yield Mutant(str(path.relative_to(ROOT)), line, match.start(), match[0], '"甴曱甴曱"', "rule")


def candidates() -> list[Mutant]:
    """Return every mutant, in a fixed order."""
    code = [p for room in ROOMS for p in sorted((ROOT / "nemo" / room).rglob("*.py"))]
    rules = sorted((ROOT / "data" / "rules").glob("*.toml"))
    return [m for p in code for m in in_code(p)] + [m for p in rules for m in in_rules(p)]


def sampled(count: int) -> list[Mutant]:
    """Return a sample, half of it code, half rules, the same for one state of the checkout."""
    every, draw = candidates(), random.Random(SEED)  # a sample, no secret
    code = [m for m in every if m.name != "rule"]
    rules = [m for m in every if m.name == "rule"]
    part = min(count * 3 // 4, len(code))
    return draw.sample(code, part) + draw.sample(rules, min(count - part, len(rules)))


def tests_of(mutant: Mutant, checkout: Path) -> list[str]:
    """Return the test files that import the changed module, or read the changed table."""
    module = mutant.file.removesuffix(".py").replace("/", ".")
    wanted = module if mutant.name != "rule" else "nemo.rules"
    parent, _, leaf = wanted.rpartition(".")
    pattern = re.compile(rf"{re.escape(wanted)}\b|from {re.escape(parent)} import [^\n]*\b{leaf}\b")
    files = sorted((checkout / "tests").glob("test_*.py"))
    slow = {"test_browser.py", "test_ui_pages.py", "test_train.py", "test_store_crash.py", "test_jobs_crash.py"}
    return [f"tests/{f.name}" for f in files if f.name not in slow and pattern.search(f.read_text("utf-8"))]


def caught(mutant: Mutant, checkout: Path) -> str | None:
    """Return what noticed a mutant, None when it survived."""
    path = checkout / mutant.file
    source = path.read_text("utf-8")
    assert source[mutant.start :].startswith(mutant.old), mutant
    path.unlink()  # the copy shares its files with the checkout
    path.write_text(source[: mutant.start] + mutant.new + source[mutant.start + len(mutant.old) :], "utf-8")
    try:
        if _fails([sys.executable, "-m", "benchmarks.decisions"], checkout):
            return "decisions"
        files = tests_of(mutant, checkout)
        return "tests" if files and _fails([sys.executable, "-m", "pytest", "-x", "-q", *files], checkout) else None
    finally:
        path.write_text(source, "utf-8")


def _fails(command: list[str], checkout: Path) -> bool:
    try:
        return subprocess.run(command, cwd=checkout, capture_output=True, timeout=SECONDS, check=False).returncode != 0
    except subprocess.TimeoutExpired:
        return True


def main() -> int:
    """Try a sample of mutants and say which nobody noticed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--goal", type=float, default=0.95)
    options = parser.parse_args()
    survivors: list[Mutant] = []
    with tempfile.TemporaryDirectory() as folder:
        checkout = Path(folder) / "nemo"
        shutil.copytree(
            ROOT, checkout, ignore=shutil.ignore_patterns(".git", ".venv", "var", "__pycache__", ".*_cache")
        )
        tried = sampled(options.count)
        for number, mutant in enumerate(tried, 1):
            by = caught(mutant, checkout)
            print(f"{number}/{len(tried)} {by or 'SURVIVED'} {mutant}", flush=True)
            if by is None:
                survivors.append(mutant)
    share = 1 - len(survivors) / max(1, len(tried))
    print(f"{len(tried)} 个变异，发现 {share:.1%}；未被发现：", *survivors, sep="\n")
    return share < options.goal


if __name__ == "__main__":
    sys.exit(main())
