"""Changes rules one at a time and asks whether anything notices: ``make mutants`` (变异检验).

Every named number, every alternative of a named pattern, every member of a named word set under ``nemo/`` and every
word of ``data/rules`` is a candidate; a sample is changed, one at a time, in a copy of the checkout. It is drawn by what a
mutant is, not by where it stands among all: a constant more or less leaves the others in it.
Ten changes that once passed unseen (``NAMED``) are always among them. A mutant is caught when single rules or the samples
are decided otherwise than agreed on (``benchmarks.decisions``), or a test that imports the changed module fails; the
snapshot of constants, which would catch every one, does not count. Who survives for a reason stands in
``benchmarks/mutants.toml``. While rules are written, ``--file`` and ``--only`` try every mutant of one room, module or
constant, and ``--rows`` asks the tables of bounds alone (seconds a mutant): what it finds, the whole run finds too.
``--log`` keeps each verdict, and a run that was stopped goes on behind the last.
"""

import argparse
import ast
import compileall
import hashlib
import importlib
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from multiprocessing.connection import Connection
from pathlib import Path
from py_compile import PycInvalidationMode
from typing import Any

ROOT = Path(__file__).resolve().parent.parent

SEED = 20261127
ROOMS = ("answer", "text", "rerank", "lawview", "parse", "review", "ingest")
SLOW = (
    "test_browser", "test_cli", "test_cluster", "test_decisions", "test_hostile", "test_jobs_crash", "test_kill_points",
    "test_package", "test_parse_scan", "test_patterns", "test_real_models", "test_running_server", "test_same", "test_stopping",
    "test_store_crash", "test_train", "test_ui_pages",
)  # fmt: skip
"""How files begin that take long, or decide nothing of their own."""
BOUNDS = "test_bounds_"
MOST_FILES = 8
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


DECIDE_NOTHING = ("source", "name", "note", "confusable", "#")
"""Keys of rule tables that are for people, or that the tables are checked against when they are loaded."""


def in_rules(path: Path) -> Iterator[Mutant]:
    """Yield the mutants of the words of one rule table."""
    source = path.read_text("utf-8")
    for match in re.finditer(r'"([\u4e00-\u9fa5]{2,12})"', source):
        line = source.count("\n", 0, match.start()) + 1
        stands = source[source.rfind("\n", 0, match.start()) + 1 : match.start()]
        if not stands.lstrip().startswith(DECIDE_NOTHING):
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
    """Return a sample, three quarters of it code, the others rules; any beginning of it is one, too."""
    drawn = sorted(candidates(), key=_lot)
    code = [m for m in drawn if m.name != "rule"]
    rules = [m for m in drawn if m.name == "rule"]
    part = min(count * 3 // 4, len(code))
    return sorted(code[:part] + rules[: count - part], key=lambda m: _lot(m)[::-1])


def _lot(mutant: Mutant) -> str:
    told = f"{SEED} {mutant.file} {mutant.name} {mutant.old} {mutant.new}"
    return hashlib.sha256(told.encode()).hexdigest()


def tests_of(mutant: Mutant, checkout: Path) -> list[str]:
    """Return the test files nearest to a change: those that import its module, then those that import what imports it.

    Before them stand those that name the constant, or hold the word that a table of rules loses, and the tables of bounds
    (``test_bounds_*``), which are quick, all that reach the module. Slow ones are left out.
    """
    near = _importers(module_of(mutant.file), checkout)
    words = set(re.findall(r"[a-z]{4,}", mutant.file))
    named, bounds, others = [], [], []
    for file, text, names in _test_files(checkout):
        steps = min((near[name] for name in names if near.get(name, FAR) < FAR), default=None)
        if mutant.name == "rule":
            steps = 0 if mutant.old.strip('"') in text else None
        if steps is not None and file.stem.startswith(BOUNDS):
            bounds.append((steps, 0, file.name))
        elif steps is not None and not file.stem.startswith(SLOW):
            alike = len(words & set(re.findall(r"[a-z]{4,}", file.stem)))
            kind = named if re.search(rf"\b{mutant.name}\b", text) else others
            kind.append((steps, -alike, file.name))
    chosen = [*sorted(named)[:MOST_FILES], *sorted(bounds), *sorted(others)[: max(0, MOST_FILES - len(named))]]
    return [f"tests/{name}" for *_, name in chosen]


@cache
def _test_files(checkout: Path) -> list[tuple[Path, str, set[str]]]:
    """Return each test file, what stands there, and what of ours it imports."""
    texts = ((file, file.read_text("utf-8")) for file in sorted((checkout / "tests").glob("test_*.py")))
    return [(file, text, imported(text)) for file, text in texts]


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


FAR = 4
"""Steps from which on a test file is not near a module."""


@cache
def _importers(module: str, checkout: Path) -> dict[str, int]:
    """Return the modules through which a module is reached, by how many steps; itself at none."""
    steps, edge = {module: 0}, {module}
    while edge:
        edge = {name for name, needs in _imports(checkout).items() if needs & edge and name not in steps}
        steps |= dict.fromkeys(edge, max(steps.values()) + 1)
    return steps


def caught(mutant: Mutant, checkout: Path, *, rows: bool = False) -> str | None:
    """Return what noticed a mutant, None when it survived; with ``rows`` only the tables of bounds are asked.

    What is quick comes first: the rules of the changed file alone, in a fork of this process.
    """
    path = checkout / mutant.file
    source = path.read_text("utf-8")
    assert source[mutant.start :].startswith(mutant.old), mutant
    path.write_text(source[: mutant.start] + mutant.new + source[mutant.start + len(mutant.old) :], "utf-8")
    files = tests_of(mutant, checkout)
    try:
        if rows:
            bounds = [file for file in files if Path(file).name.startswith(BOUNDS)]
            by = _told("forkserver", _ask_tests, str(checkout), bounds)
        else:
            reached = frozenset(_importers(module_of(mutant.file), checkout)) if mutant.name != "rule" else None
            by = _told("fork", _ask_own, str(checkout), mutant.file)
            by = by or _told("forkserver", _ask_all, str(checkout), files, reached)
    finally:
        path.write_text(source, "utf-8")
    if by in files and _unsound(by, checkout):
        raise SystemExit(f"{by} 不作任何改动也不通过，先修好它")
    return by


def _told(method: str, ask: Callable[..., str | None], *given: object) -> str | None:
    """Return what a process that begins as ``method`` says, and end it: it may not come to its end by itself."""
    context = multiprocessing.get_context(method)
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_answer, args=(there, ask, *given))  # type: ignore[attr-defined]  # both kinds have it
    child.start()
    there.close()
    try:
        return here.recv() if here.poll(SECONDS) else "time"
    except EOFError:  # it ended without a word: the changed module cannot be imported
        return "import"
    finally:
        child.kill()
        child.join()


def _answer(there: Connection, ask: Callable[..., str | None], *given: object) -> None:
    there.send(ask(*given))


def _ask_own(checkout: str, changed: str) -> str | None:
    """Ask the rules of the changed module, or of the changed table; everything is loaded, nothing was asked yet."""
    from benchmarks import probes

    agreed, file = probes.agreed(), Path(changed)
    if file.suffix == ".toml":
        wanted = {name: told for name, told in agreed.items() if name == f"table {file.stem}"}
        os.environ["NEMO_RULES"] = str(Path(checkout) / "data" / "rules")
        probes.page_words.cache_clear()
    else:
        name = module_of(changed)
        source = (Path(checkout) / changed).read_text("utf-8")
        # in place: what is defined anew replaces what was
        exec(compile(source, changed, "exec"), vars(importlib.import_module(name)))
        short = name.removeprefix("nemo.")
        own = (f"pattern {short} ", f"function {short}.", f"words {short} ")
        wanted = {rule: told for rule, told in agreed.items() if rule.startswith(own)}
    return "rules" if wanted and probes.differences(wanted) else None


def _ask_all(checkout: str, files: list[str], reached: frozenset[str] | None = None) -> str | None:
    """Ask test files, the samples, and the rules of the modules that reach the changed one: what is quick comes first."""
    if told := _ask_tests(checkout, files):
        return told
    from benchmarks import decisions, probes

    if decisions.differences(decisions.agreed(), decisions.observed()):
        return "samples"
    agreed = {rule: told for rule, told in probes.agreed().items() if reached is None or _home(rule) in reached | {""}}
    return "rules" if probes.differences(agreed) else None


def _home(rule: str) -> str:
    """Return the module of a probed rule, "" for what is asked of several."""
    kind, _, rest = rule.partition(" ")
    name = rest.rpartition(".")[0] if kind == "function" else rest.partition(" ")[0]
    return "" if kind == "table" else f"nemo.{name}"


def _ask_tests(checkout: str, files: list[str]) -> str | None:
    """Return the test file that fails first, in a process that had loaded the outside libraries alone."""
    import pytest

    _live_in(checkout)
    first = _First()
    if files and pytest.main(["-x", "-p", "no:cacheprovider", *files], [first]) != pytest.ExitCode.OK:
        return first.file or "import"
    return None


class _First:
    """Notes where the first test fails, or what cannot be collected."""

    file = ""

    def pytest_runtest_logreport(self, report: Any) -> None:
        self.pytest_collectreport(report)

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed and not self.file:
            self.file = report.nodeid.partition("::")[0]


@cache
def _unsound(file: str, checkout: Path) -> bool:
    """Tell whether a test file fails where nothing is changed: then it notices nothing."""
    return _told("forkserver", _ask_tests, str(checkout), [file]) is not None


def _live_in(checkout: str) -> None:
    """Let this process be one of the checkout: whatever is ours is loaded from there, and nobody hears it."""
    if Path.cwd() == Path(checkout):
        return
    os.chdir(checkout)
    sys.path.insert(0, checkout)
    for name in [name for name in sys.modules if name.split(".")[0] in OURS]:
        del sys.modules[name]
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)


OURS = ("benchmarks", "nemo", "tests")


def _outside_libraries() -> list[str]:
    """Return the modules that are not ours of a process that has decided on the samples and is about to run tests."""
    told = (
        "import sys, benchmarks.decisions, nemo.ingest.service, nemo.evaluation.service, tests.conftest\n"
        f"print(*(n for n in sys.modules if n.split('.')[0] not in {(*OURS, '__main__')}))"
    )
    return subprocess.run(
        [sys.executable, "-c", told], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()


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


SURVIVED = "SURVIVED"


def _verdicts(log: Path | None) -> dict[str, str]:
    """Return what was found by mutant, as a log of an earlier run tells; strike a line out to have it tried again."""
    lines = log.read_text("utf-8").splitlines() if log and log.is_file() else []
    return {mutant: by for by, _, mutant in (line.partition(" ") for line in lines)}


def main() -> int:
    """Try a sample of mutants and say which nobody noticed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=150, help="变异数（另加十个指定的）")
    parser.add_argument("--goal", type=float, default=0.95)
    parser.add_argument("--file", help="只试这个文件或目录的全部变异，如 nemo/parse/lines.py、nemo/text/")
    parser.add_argument("--only", help="只试叫这个名字的常量，如 _OPEN_SLACK；词表的词叫 rule")
    parser.add_argument("--rows", action="store_true", help="只运行界限表（tests/test_bounds_*），每个变异数秒")
    parser.add_argument("--log", type=Path, help="把每一处的结果记入这个文件；已经记下的不再试")
    options = parser.parse_args()
    known, survivors = justified(), []
    verdicts = _verdicts(options.log)
    with tempfile.TemporaryDirectory() as folder:
        checkout = Path(folder) / "nemo"
        shutil.copytree(
            ROOT, checkout, ignore=shutil.ignore_patterns(".git", ".venv", "var", "__pycache__", ".*_cache", "build")
        )
        # compared by content: a file that was changed and put back within a second is still read right
        compileall.compile_dir(checkout, quiet=2, invalidation_mode=PycInvalidationMode.CHECKED_HASH)
        multiprocessing.get_context("forkserver").set_forkserver_preload(_outside_libraries())
        importlib.import_module("benchmarks.decisions")  # a fork begins with everything there
        tables = [f"tests/{file.name}" for file in sorted((checkout / "tests").glob(f"{BOUNDS}*.py"))]
        if not verdicts and (by := _told("forkserver", _ask_all, str(checkout), tables)):
            raise SystemExit(f"不作任何改动，判定也与约定不同：{by}")
        tried = chosen(options)
        for number, mutant in enumerate(tried, 1):
            by = verdicts.get(str(mutant)) or caught(mutant, checkout, rows=options.rows) or SURVIVED
            print(f"{number}/{len(tried)} {by} {mutant}", flush=True)
            if options.log and str(mutant) not in verdicts:
                with options.log.open("a", encoding="utf-8") as log:
                    log.write(f"{by} {mutant}\n")
            if by == SURVIVED:
                survivors.append(mutant)
    share = 1 - len(survivors) / max(len(tried), 1)
    print(f"{len(tried)} 个变异，发现 {len(tried) - len(survivors)} 个（{share:.1%}）。未被发现：")
    for mutant in survivors:
        print(f"{mutant}\n    {known.get(f'{mutant.file} {mutant.name}', '没有说明理由')}")
    unsaid = [m for m in survivors if f"{m.file} {m.name}" not in known]
    return share < options.goal or bool(unsaid)


if __name__ == "__main__":
    sys.exit(main())
