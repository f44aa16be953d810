"""The house stands as docs/architecture.md draws it: imports point down, each library has one home, rooms stay small."""

import ast
import re
import subprocess
import sys
from collections.abc import Collection
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "nemo"

LAYERS: list[set[str]] = [
    {"app", "pages"},
    {"web", "__main__"},
    {"ui", "cli"},
    {"tools"},
    {"engine"},
    {"train"},
    {"evaluation", "audit", "watch"},
    {"ingest"},
    {"corpora"},
    {"answer"},
    {"review", "access"},
    {"export"},
    {"graph"},
    {"lawview"},
    {"parse", "embed", "store", "rerank", "discover"},
    {"text"},
    {"rules"},
    {"settings", "services", "accounts"},
    {"types", "errors"},
]
"""From the top of the house down. A module may import from its own room and from any layer below."""

INSIDE_LAYER = {("services", "settings")}
"""Rooms of one layer of which one may call the other, in one direction only."""

TEXT_ROOMS: dict[str, set[str]] = {
    "words": set(),
    "structure": {"words"},
    "letter": {"words"},
    "law": {"words", "letter"},
    "facts": {"words", "structure", "letter", "law"},
    "versions": {"words"},
    "__init__.py": set(),
}
"""The rooms of nemo/text, each with the rooms it may use."""

AT_THE_ROOT = {
    ".ci", ".gitignore", ".streamlit", "BENCHMARKS.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "NOTICE", "README.md",
    "app.py", "benchmarks", "data", "deploy", "docs", "nemo", "packages.txt", "pages", "pyproject.toml", "requirements.txt",
    "requirements-dev.txt", "requirements-models.txt", "requirements-objects.txt", "requirements-otel.txt", "requirements-scale.txt",
    "tests", "training",
}  # fmt: skip
"""Files and folders that are kept."""

HOMES: dict[str, set[str]] = {
    "chromadb": {"store/search/approximate/chroma.py"},
    "tantivy": {"store/search/lexical.py"},
    "psycopg": {"store/catalogue/dialects.py"},
    "pymilvus": {"store/search/approximate/milvus.py"},
    "sqlalchemy": {"store"},
    "alembic": {"store"},
    "filelock": {"store"},
    "streamlit": {"ui", "web", "app.py", "pages"},
    "fastapi": {
        "web/api.py",
        "web/callers.py",
        "web/personal.py",
        "web/uploads.py",
        "web/v1.py",
        "web/watching.py",
    },
    "typer": {"cli"},
    "requests": {"services/outbound.py", "services/tracing.py"},
    "pypdfium2": {"parse/pdf/reader.py", "parse/pdf/drawn.py", "parse/pdf/actual_text.py", "parse/pdf/upright.py"},
    "rapidocr": {"parse/pdf/scan.py"},
    "reportlab": {"export/pdf.py"},
    "fontTools": {"export/typeface.py"},
    "docx": {"parse/word/docx.py", "export", "export.py", "audit/marked.py"},
    "openpyxl": {"export", "audit/marked.py", "parse/other/sheets.py"},
    "python_calamine": {"parse/other/sheets.py"},
    "xlrd": {"parse/other/sheets.py"},
    "rjieba": {"text/words/tokenise.py"},
    "opencc": {"text/words/normalise.py"},
    "fsspec": {"ingest/objects.py"},
    "ray": {"ingest/cluster.py"},
    "obstore": {"ingest/objects.py"},
    "onnxruntime": {"rerank"},
    "pypinyin": {"text/words/homophones.py"},
    "prometheus_client": {"web/metrics.py"},
    "limits": {"accounts/rates.py"},
    "protego": {"discover/fetch.py"},
    "apscheduler": {"watch/schedule.py"},
    "httpx": {"cli/backend.py"},
    "httpx2": {"services/gemini.py"},
    "lightgbm": {"train"},
    "networkx": {"graph"},
    "onnx": {"train"},
    "scipy": {"train"},
    "google": {"services/gemini.py"},
    "mcp": {"web/mcp_server.py"},
    "opentelemetry": {"services/tracing.py"},
}
"""Outside libraries that only these files or rooms may import."""

HOMES |= {name: {"services/model_worker.py"} for name in ("torch", "sentence_transformers", "transformers")}

CHILD_ONLY = {"torch", "sentence_transformers", "transformers"}


@cache
def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


@cache
def source(path: Path) -> str:
    return path.read_text("utf-8")


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Everything that stands in a module, at any depth; read once for all rules of the house."""
    return tuple(ast.walk(ast.parse(source(path))))


def room(path: Path) -> str:
    parts = path.relative_to(PACKAGE).parts
    return parts[0].removesuffix(".py")


def layer(name: str) -> int:
    found = [i for i, names in enumerate(LAYERS) if name in names]
    assert found, f"nemo/{name} stands in no layer: give it a place in LAYERS"
    return found[0]


@cache
def imports(path: Path) -> list[tuple[str, int]]:
    """Return (dotted module, line) of every import, also those inside functions."""
    found = []
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found += [(alias.name, node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found += [(node.module, node.lineno)]
            if node.module == "nemo":
                found += [(f"nemo.{alias.name}", node.lineno) for alias in node.names]
    return found


def test_nothing_lies_about() -> None:
    """What stands at the root of the project: a command that is tried out there leaves files that nobody means to keep."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    assert {name.partition("/")[0] for name in listed.split("\0") if name} == AT_THE_ROOT


def test_imports_point_down() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {name}, which is not below it"
        for path in modules()
        for name, line in imports(path)
        if room(path) != "__init__" and name.startswith("nemo.") and not _is_below(name.split(".")[1], room(path))
    ]
    assert wrong == []


def _is_below(other: str, own: str) -> bool:
    return other == own or (own, other) in INSIDE_LAYER or layer(other) > layer(own)


def test_the_table_of_the_house_is_the_house() -> None:
    """Every room stands once in docs/architecture.md, from the top down, with the rooms inside it."""
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    rows = re.findall(
        r"^\|[^|\n]*\| (`[^|\n]+) \|", text[text.index("| line | rooms |") :].split("\n\n")[0], re.MULTILINE
    )
    told = [[name for name, _ in re.findall(r"`(\w+)(/|\.py)`", row)] for row in rows]
    lines = [{next(i for i, layer in enumerate(LAYERS) if name in layer) for name in names} for names in told]
    assert all(len(line) == 1 for line in lines), "rooms of one line are of one layer"
    assert [min(line) for line in lines] == sorted(min(line) for line in lines)
    assert sorted(name for names in told for name in names) == sorted(set().union(*LAYERS) - {"__main__"})
    for name, inside in re.findall(r"`(\w+)/` \(([^)]+)\)", " ".join(rows)):
        found = {p.parent.name for p in (ROOT / "nemo" / name).glob("*/__init__.py")}
        assert set(inside.split()) == found, name


def test_the_house_has_few_rooms_and_nothing_lies_in_the_hall() -> None:
    rooms = [p for p in PACKAGE.iterdir() if p.is_dir() and any(p.glob("*.py"))]
    loose = [p for p in PACKAGE.glob("*.py") if not p.name.startswith("__")]
    assert len(rooms) <= 30 and len(loose) <= 6, (len(rooms), [p.name for p in loose])


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Also not from inside functions; a package counts where a name is taken that is no module of it, the client for the outside
    (``nemo`` itself, which hands on the engine) never."""
    named = {".".join(p.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): p for p in modules()}
    uses = {name: _used_by(path, named.keys()) - {name, "nemo"} for name, path in named.items()}
    while freed := [name for name, used in uses.items() if not used & uses.keys()]:
        for name in freed:
            del uses[name]
    assert not uses, {name: sorted(used & uses.keys()) for name, used in uses.items()}


def _used_by(path: Path, named: Collection[str]) -> set[str]:
    found = set()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names} & set(named)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                module = f"{node.module}.{alias.name}"
                found |= {module if module in named else node.module} & set(named)
    return found


def test_the_rooms_of_text_lie_in_order() -> None:
    """Words know no letters, letters no law, law no filing."""
    wrong = []
    for path in [p for p in modules() if room(p) == "text"]:
        own = path.relative_to(PACKAGE).parts[1]
        for name, line in imports(path):
            if name.startswith("nemo.text.") and name.split(".")[2] not in {own, *TEXT_ROOMS[own]}:
                wrong.append(f"{path.relative_to(ROOT)}:{line} imports {name}, which is not below {own}")
    assert wrong == []


def test_each_library_has_one_home() -> None:
    wrong = []
    for path in modules():
        place = path.relative_to(PACKAGE).as_posix()
        for name, line in imports(path):
            homes = HOMES.get(name.split(".")[0])
            if homes is not None and not homes & {place, place.split("/")[0]}:
                wrong.append(f"{place}:{line} imports {name}, whose home is {sorted(homes)}")
    assert wrong == []


def test_pages_use_only_streamlit_and_the_ui_room() -> None:
    for path in sorted((ROOT / "pages").glob("*.py")):
        for name, line in imports(path):
            allowed = name.split(".")[0] in {"streamlit", "__future__"} or name.startswith("nemo.ui")
            assert allowed, f"pages/{path.name}:{line} imports {name}"
        assert len(source(path).splitlines()) <= 80, f"pages/{path.name} is longer than 80 lines"


def code_lines(path: Path) -> int:
    """Lines of a module without docstrings, comments and blank lines."""
    documented = set()
    for node in nodes(path):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            documented |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return sum(
        1
        for i, line in enumerate(source(path).splitlines(), 1)
        if line.strip() and not line.strip().startswith("#") and i not in documented
    )


def function_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function after its docstring."""
    first = node.body[0]
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    begin = (first.end_lineno or first.lineno) if documented else node.lineno
    return (node.end_lineno or begin) - begin


def test_no_module_is_longer_than_400_lines_of_code() -> None:
    assert {str(p.relative_to(ROOT)): code_lines(p) for p in modules() if code_lines(p) > 400} == {}


def test_no_function_is_longer_than_40_lines() -> None:
    long = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name} has {function_lines(node)} lines"
        for path in modules()
        for node in nodes(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and function_lines(node) > 40
    ]
    assert long == []


def test_no_module_is_named_like_one_of_the_standard_library() -> None:
    """A folder that comes onto the path (Streamlit puts the entry's there) must not hide what Python brings.

    ``types`` is excepted: the package's root is never on the path, its folders are.
    """
    names = {p.stem if p.is_file() else p.name for p in [*modules(), *PACKAGE.rglob("*/")]} - {"__init__", "__main__"}
    assert names & set(sys.stdlib_module_names) == {"types"}


def test_class_names_are_unique() -> None:
    """A reader who meets a class finds one place by its name."""
    seen: dict[str, list[str]] = {}
    for path in modules():
        for node in nodes(path):
            if isinstance(node, ast.ClassDef):
                seen.setdefault(node.name, []).append(path.name)
    assert {name: places for name, places in seen.items() if len(places) > 1} == {}


FORBIDDEN_NAMES = {"utils", "helpers", "common", "core", "base", "misc"}


def test_no_room_for_leftovers() -> None:
    names = {p.stem for p in modules()} | {p.name for p in PACKAGE.rglob("*") if p.is_dir()}
    assert not names & FORBIDDEN_NAMES


def test_no_silent_except() -> None:
    """A broad except stands only at the four borders, each marked with its reason."""
    for path in [*modules(), ROOT / "app.py"]:
        lines = source(path).splitlines()
        for node in nodes(path):
            if isinstance(node, ast.ExceptHandler):
                silent = len(node.body) == 1 and isinstance(node.body[0], ast.Pass)
                explained = silent and "#" in lines[node.body[0].lineno - 1]
                assert not silent or explained, f"{path.name}:{node.lineno} swallows an error"
                broad = node.type is None or getattr(node.type, "id", "") in {"Exception", "BaseException"}
                passes_on = isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is None
                assert not broad or passes_on or "border" in lines[node.lineno - 1], (
                    f"{path.name}:{node.lineno} catches everything"
                )


def test_a_process_loads_only_what_it_needs(tmp_path: Path) -> None:
    """Opening a library and asking loads no reader of files, no network, nothing that exports, edits or measures; ingesting as
    well never loads torch or what pulls it in, with the default settings."""
    script = (
        "import sys\nfrom pathlib import Path\nfrom nemo import settings\nfrom nemo.engine import Engine\n"
        f"with Engine.open(settings.load(library=Path({str(tmp_path / 'lib')!r}), workers=0)) as e:\n"
        "    e.resume()\n    assert not e.library.jobs.busy()\n    e.ask('并网验收要提交哪些材料')\n"
        "    rooms = 'ingest parse discover watch review.service export evaluation train audit'\n"
        "    bad = {f'nemo.{room}' for room in rooms.split()} & set(sys.modules)\n    assert not bad, bad\n"
        "    e.intake.ingest(sorted(Path('data/samples').glob('cn-*')))\n    assert e.ask('并网验收要提交哪些材料').quotes\n"
        f"bad = [m for m in {sorted(CHILD_ONLY)!r} if m in sys.modules]\nassert not bad, bad\n"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
