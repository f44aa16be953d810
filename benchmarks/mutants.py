"""Changes rules one at a time and asks whether anything notices: ``make mutants`` (变异检验).

Every named number, every alternative of a named pattern, every member of a named word set under ``nemo/`` and every
word of ``data/rules`` is a candidate; a sample with a fixed seed is changed, one at a time, in a copy of the checkout.
Ten changes that once passed unseen (``NAMED``) are always among them. A mutant is caught when single rules or the samples
are decided otherwise than agreed on (``benchmarks.decisions``), or a test that imports the changed module fails; the
snapshot of constants, which would catch every one, does not count. Who survives for a reason stands in
``benchmarks/mutants.toml``. While rules are written, ``--file`` and ``--only`` try every mutant of one room, module or
constant, and ``--rows`` asks the tables of bounds alone (seconds a mutant): what it finds, the whole run finds too.
"""

import argparse
import ast
import compileall
import importlib
import multiprocessing
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing.connection import Connection
from pathlib import Path
from py_compile import PycInvalidationMode

ROOT = Path(__file__).resolve().parent.parent

SEED = 20261122
ROOMS = ("answer", "text", "rerank", "lawview", "parse", "review", "ingest")
SLOW = frozenset(
    ("test_browser", "test_decisions", "test_ui_pages", "test_train", "test_store_crash", "test_jobs_crash")
)
BOUNDS = "test_bounds_"
MOST_FILES = 4
"""Test files that are run for a mutant beside the tables of bounds."""
SECONDS = 600
"""A run that takes longer has noticed something: it does not end."""
JUSTIFIED = ROOT / "benchmarks" / "mutants.toml"
NAMED = (
    ("nemo/answer/quotes/compose.py", "LIST = 700", "LIST = 7000"),
    ("nemo/answer/quotes/compose.py", "SHORT = 160", "SHORT = 1600"),
    ("nemo/answer/quotes/compose.py", "QUOTED, WITHIN = 0.6, 0.8", "QUOTED, WITHIN = 0.2, 0.8"),
    ("nemo/answer/refuse.py", "FOREIGN = 0.02", "FOREIGN = 0.2"),
    ("nemo/answer/question/titles.py", "SHORTEST, LONGEST = 2, 6", "SHORTEST, LONGEST = 2, 3"),
    ("nemo/text/law/commencement.py", "alone) / 12 <= 50", "alone) / 12 <= 500"),
    ("nemo/rerank/quantities.py", '"罚|处分|违|没收|后果|责任|赔|', '"罚|处分|违|没收|后果|责任|'),
    ("nemo/rerank/quantities.py", '"罚|处分|违|没收|后果|责任|赔|', '"处分|违|没收|后果|责任|赔|'),
    ("nemo/rerank/cues.py", '"生效|施行|什么时候开始|废止"', '"生效|什么时候开始|废止"'),
    ("nemo/rerank/cues.py", '"材料|手续|提交|怎么申请|文件|资料"', '"手续|提交|怎么申请|文件|资料"'),
)
"""(file, what stands there, what it becomes)."""


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
        if not stands.lstrip().startswith(("source", "name", "note", "#")):
            yield Mutant(str(path.relative_to(ROOT)), line, match.start(), match[0], '"甴曱甴曱"', "rule")


@lru_cache(maxsize=1)
def candidates() -> list[Mutant]:
    """Return every mutant, in a fixed order."""
    code = [p for room in ROOMS for p in sorted((ROOT / "nemo" / room).rglob("*.py"))]
    rules = sorted((ROOT / "data" / "rules").glob("*.toml"))
    return [m for p in code for m in in_code(p)] + [m for p in rules for m in in_rules(p)]


def named() -> list[Mutant]:
    """Return the ten changes that once passed unseen; what no longer stands there is a fault of this list."""
    found = []
    for file, old, new in NAMED:
        source = (ROOT / file).read_text("utf-8")
        start = source.index(old)
        constant = re.match(r"[A-Z]+", old)
        name = constant[0] if constant else "once unseen"
        found.append(Mutant(file, source.count("\n", 0, start) + 1, start, old, new, name))
    return found


def sampled(count: int) -> list[Mutant]:
    """Return a sample, three quarters of it code, the others rules, the same for one state of the checkout."""
    every, draw = candidates(), random.Random(SEED)  # a sample, no secret
    code = [m for m in every if m.name != "rule"]
    rules = [m for m in every if m.name == "rule"]
    part = min(count * 3 // 4, len(code))
    return draw.sample(code, part) + draw.sample(rules, min(count - part, len(rules)))


def tests_of(mutant: Mutant, checkout: Path) -> list[str]:
    """Return the test files nearest to a changed module: those that import it, then those that import what imports it.

    Before them stand the tables of bounds (``test_bounds_*``), which are quick, all that reach the module; then those that
    name the constant. Slow ones are left out.
    """
    near = _importers(module_of(mutant.file), checkout)
    words = set(re.findall(r"[a-z]{4,}", mutant.file))
    chosen, bounds = [], []
    for file in sorted((checkout / "tests").glob("test_*.py")):
        text = file.read_text("utf-8")
        steps = min((near[name] for name in imported(text) if name in near), default=None)
        if steps is not None and file.stem.startswith(BOUNDS):
            bounds.append((steps, file.name))
        elif steps is not None and file.stem not in SLOW:
            alike = len(words & set(re.findall(r"[a-z]{4,}", file.stem)))
            chosen.append((re.search(rf"\b{mutant.name}\b", text) is None, steps, -alike, file.name))
    return [f"tests/{name}" for *_, name in [*sorted(bounds), *sorted(chosen)[:MOST_FILES]]]


def module_of(file: str) -> str:
    """Return the name of the module that a file holds."""
    return ".".join(Path(file).with_suffix("").parts).removesuffix(".__init__")


def imported(source: str) -> set[str]:
    """Return the modules of ours that a source imports; of ``from nemo.x import y`` both ``nemo.x`` and ``nemo.x.y``."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("nemo"):
            found |= {str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name.startswith("nemo")}
    return found


@lru_cache(maxsize=1)
def _imports(checkout: Path) -> dict[str, set[str]]:
    files = sorted((checkout / "nemo").rglob("*.py"))
    return {module_of(str(f.relative_to(checkout))): imported(f.read_text("utf-8")) for f in files}


def _importers(module: str, checkout: Path) -> dict[str, int]:
    """Return the modules through which a module is reached, by how many steps; itself at none."""
    steps, edge = {module: 0}, {module}
    for distance in (1, 2, 3):
        edge = {name for name, needs in _imports(checkout).items() if needs & edge and name not in steps}
        steps |= dict.fromkeys(edge, distance)
    return steps


def caught(mutant: Mutant, checkout: Path, *, rows: bool = False) -> str | None:
    """Return what noticed a mutant, None when it survived; with ``rows`` only the tables of bounds are asked."""
    path = checkout / mutant.file
    source = path.read_text("utf-8")
    assert source[mutant.start :].startswith(mutant.old), mutant
    path.write_text(source[: mutant.start] + mutant.new + source[mutant.start + len(mutant.old) :], "utf-8")
    try:
        if not rows and (by := _noticed_by_snapshots(mutant, checkout)):
            return by
        files = [file for file in tests_of(mutant, checkout) if not rows or Path(file).name.startswith(BOUNDS)]
        return "tests" if files and _fails([sys.executable, "-m", "pytest", "-x", "-q", *files], checkout) else None
    finally:
        path.write_text(source, "utf-8")


def _noticed_by_snapshots(mutant: Mutant, checkout: Path) -> str | None:
    """Compare what the checkout decides with what is agreed on: first the rules of the changed file alone, which is quick."""
    for method, compare in (("fork", _compare_own), ("forkserver", _compare_all)):
        context = multiprocessing.get_context(method)
        here, there = context.Pipe(duplex=False)
        child = context.Process(target=compare, args=(mutant.file, str(checkout), there))
        child.start()
        there.close()
        try:
            by: str | None = here.recv() if here.poll(SECONDS) else "time"
        except EOFError:  # it ended without a word: the changed module cannot be imported
            by = "import"
        finally:
            child.kill()
            child.join()
        if by is not None:
            return by
    return None


def _compare_own(changed: str, checkout: str, answer: Connection) -> None:
    """Run in a fork of this process: ask the rules of the changed module, or of the changed table."""
    from benchmarks import probes

    agreed, file = probes.agreed(), Path(changed)
    if file.suffix == ".toml":
        wanted = {name: told for name, told in agreed.items() if name == f"table {file.stem}"}
        os.environ["NEMO_RULES"] = str(Path(checkout) / "data" / "rules")
        probes.page_words.cache_clear()
        answer.send("rules" if probes.differences(wanted) else None)
        return
    name = module_of(changed)
    module = importlib.import_module(name)
    short = name.removeprefix("nemo.")
    source = (Path(checkout) / changed).read_text("utf-8")
    exec(compile(source, changed, "exec"), vars(module))  # in place: what is defined anew replaces what was
    own = (f"pattern {short} ", f"function {short}.", f"words {short} ")
    wanted = {rule: told for rule, told in agreed.items() if rule.startswith(own)}
    answer.send("rules" if wanted and probes.differences(wanted) else None)


def _compare_all(changed: str, checkout: str, answer: Connection) -> None:
    """Run in a process that has only the outside libraries: ask every rule, then the samples."""
    sys.dont_write_bytecode = True
    sys.path.insert(0, checkout)
    os.chdir(checkout)
    for name in [name for name in sys.modules if name.split(".")[0] in ("benchmarks", "nemo")]:
        del sys.modules[name]
    from benchmarks import decisions, probes

    if probes.differences(probes.agreed()):
        answer.send("rules")
    else:
        answer.send("samples" if decisions.differences(decisions.agreed(), decisions.observed()) else None)


def _outside_libraries() -> list[str]:
    """Return the modules that are not ours of a process that has decided on the samples."""
    told = (
        "import sys, benchmarks.decisions, nemo.ingest.service, nemo.evaluation.service\n"
        "print(*(n for n in sys.modules if n.split('.')[0] not in ('nemo', 'benchmarks', '__main__')))"
    )
    return subprocess.run(
        [sys.executable, "-c", told], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()


def _fails(command: list[str], checkout: Path) -> bool:
    given = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(command, cwd=checkout, env=given, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


def justified() -> dict[str, str]:
    """Return why a constant may change unseen, by ``file name``."""
    entries = tomllib.loads(JUSTIFIED.read_text("utf-8")).get("survivor", [])
    return {f"{entry['file']} {entry['name']}": entry["reason"] for entry in entries}


def chosen(options: argparse.Namespace) -> list[Mutant]:
    """Return the mutants to try: the sample, or every one of the files and constants that are asked for."""
    if options.file is None and options.only is None:
        return named() + sampled(options.count)
    return [
        mutant
        for mutant in candidates()
        if mutant.file.startswith(options.file or "") and mutant.name == (options.only or mutant.name)
    ]


def main() -> int:
    """Try a sample of mutants and say which nobody noticed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=150, help="变异数（另加十个指定的）")
    parser.add_argument("--goal", type=float, default=0.95)
    parser.add_argument("--file", help="只试这个文件或目录的全部变异，如 nemo/parse/lines.py、nemo/text/")
    parser.add_argument("--only", help="只试叫这个名字的常量，如 _OPEN_SLACK；词表的词叫 rule")
    parser.add_argument("--rows", action="store_true", help="只运行界限表（tests/test_bounds_*），每个变异数秒")
    options = parser.parse_args()
    known, survivors = justified(), []
    with tempfile.TemporaryDirectory() as folder:
        checkout = Path(folder) / "nemo"
        shutil.copytree(
            ROOT, checkout, ignore=shutil.ignore_patterns(".git", ".venv", "var", "__pycache__", ".*_cache", "build")
        )
        # compared by content: a file that was changed and put back within a second is still read right
        compileall.compile_dir(checkout, quiet=2, invalidation_mode=PycInvalidationMode.CHECKED_HASH)
        multiprocessing.get_context("forkserver").set_forkserver_preload(_outside_libraries())
        importlib.import_module("benchmarks.decisions")  # a fork begins with everything there
        tried = chosen(options)
        for number, mutant in enumerate(tried, 1):
            by = caught(mutant, checkout, rows=options.rows)
            print(f"{number}/{len(tried)} {by or 'SURVIVED'} {mutant}", flush=True)
            if by is None:
                survivors.append(mutant)
    share = 1 - len(survivors) / max(len(tried), 1)
    print(f"{len(tried)} 个变异，发现 {len(tried) - len(survivors)} 个（{share:.1%}）。未被发现：")
    for mutant in survivors:
        print(f"{mutant}\n    {known.get(f'{mutant.file} {mutant.name}', '没有说明理由')}")
    unsaid = [m for m in survivors if f"{m.file} {m.name}" not in known]
    return share < options.goal or bool(unsaid)


if __name__ == "__main__":
    sys.exit(main())
