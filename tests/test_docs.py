"""The documents cannot lie: what README says exists, and every command is explained."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from benchmarks import figures
from nemo.cli import app
from nemo.graph import proposals
from nemo.settings import Settings
from nemo.store.records import jobs
from nemo.store.search import inverted
from nemo.text.words import probe
from tests.page_library import copied

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")
REFERENCE = (ROOT / "docs" / "reference.md").read_text("utf-8")
COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]


def test_every_command_has_help_and_is_in_the_reference() -> None:
    assert [name for name, command in COMMANDS.items() if not command.help] == []
    assert [name for name in COMMANDS if f"python -m nemo {name}" not in REFERENCE] == []


def test_every_setting_is_described_and_in_the_reference() -> None:
    assert [name for name, field in Settings.model_fields.items() if not field.description] == []
    assert [name for name in Settings.model_fields if f"NEMO_{name.upper()}" not in REFERENCE] == []


def test_paths_in_the_readme_exist() -> None:
    for path in re.findall(r"\]\((?!https?:|#)([^)]+)\)", README):
        assert (ROOT / path).exists(), f"README links to {path}, which does not exist"


def test_make_targets_in_the_readme_exist() -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for target in re.findall(r"`make ([\w-]+)`", README):
        assert target in targets, f"README mentions make {target}"


def test_documents_are_kept() -> None:
    for name in ("README.md", "CHANGELOG.md", "BENCHMARKS.md"):
        assert (ROOT / name).read_text("utf-8").strip(), f"{name} is empty"


STATED = {
    f"sketches in {inverted.SKETCH} directions choose {inverted.KEPT:,} rows": "docs/architecture.md",
    f"a hash of what the features (or vectors) of {len(probe.passages())} made-up passages": "training/README.md",
    f"life is younger than {'a minute' if jobs.LEASE.total_seconds() == 60 else jobs.LEASE} by": "docs/architecture.md",
    f"after {('no', 'one', 'two', 'three')[proposals.GIVEN_UP]} failed calls": "docs/architecture.md",
}
"""Sentences with numbers of the code, and where they stand."""


@pytest.mark.parametrize("words", STATED)
def test_numbers_in_documents_are_those_of_the_code(words: str) -> None:
    assert words and words in " ".join((ROOT / STATED[words]).read_text("utf-8").split())


def test_the_overview_of_the_figures_is_what_is_agreed() -> None:
    table = (ROOT / "BENCHMARKS.md").read_text("utf-8").split("<!-- figures -->")[1].strip().splitlines()
    assert table == figures.overview(json.loads(figures.AGREED.read_text("utf-8")))


CITED = re.compile(r"(docs/[a-z_]+\.md)(?:, ([a-z ]+))?|\b(DESIGN|DOMAIN|RETRIEVAL|ENGINE|USERS|STYLE)(?:\.md| \d)")
"""A document that code cites, with the section after a comma: (docs/law.md, broken lines)."""


def test_documents_that_code_cites_exist_with_their_section() -> None:
    for path in (ROOT / "nemo").rglob("*.py"):
        for match in CITED.finditer(path.read_text("utf-8")):
            assert match[1], f"{path.name} cites {match[0]}, which is not part of the project"
            text = (ROOT / match[1]).read_text("utf-8")
            headings = [line.lstrip("# ").lower() for line in text.splitlines() if line.startswith("#")]
            assert not match[2] or any(match[2].strip() in heading for heading in headings), (path.name, match[0])


def test_links_between_documents_exist() -> None:
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)[^)]*\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_reference_is_built_from_the_docstrings(tmp_path: Path) -> None:
    """``make docs``: every module of the package can be read, and the public entry is described."""
    command = [sys.executable, "-m", "pdoc", "-o", str(tmp_path), "nemo", "nemo.engine", "nemo.types", "nemo.errors"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "open_library" in (tmp_path / "nemo.html").read_text("utf-8")
    assert "Engine" in (tmp_path / "nemo" / "engine.html").read_text("utf-8")


def test_the_answer_in_the_readme_is_the_answer(demonstration: Path, tmp_path: Path) -> None:
    """As the command prints it; the day, the time it took, its number and the last digit of the confidence aside."""

    def steady(words: str) -> str:
        return re.sub(r"（20\d\d-\d\d-\d\d）|(?<=置信度 0\.\d)\d|用时 \d+ |nemo-\d{8}-\w+", "_", words).strip()

    shown = README.split("$ python -m nemo demo\n")[1].split("```")[0]
    library = copied(demonstration, tmp_path / "library")  # the texts are read once a run: here they are unchanged
    printed = CliRunner().invoke(app, ["demo", "--library", str(library)], catch_exceptions=False).stdout
    assert steady(printed) == steady(shown)


def _commands() -> list[tuple[str, str]]:
    """Return (document, arguments) of every ``python -m nemo …`` that a document prints, in a block or between signs."""
    found = []
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))):
        text = path.read_text("utf-8")
        shown = re.findall(r"`python -m nemo ([^`\n]*)`", text)
        for block in re.findall(r"^```[^\n]*\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
            shown += re.findall(r"^(?:\$ )?python -m nemo ([^\n#]*)", block, re.MULTILINE)
        found += [(path.name, " ".join(line.split())) for line in shown]
    return list(dict.fromkeys(found))


@pytest.mark.parametrize(("document", "line"), _commands())
def test_commands_are_printed_as_they_can_be_typed(document: str, line: str) -> None:
    first, _, rest = line.partition(" ")
    assert first in COMMANDS, f"{document}: nemo has no command {first}"
    command, known = COMMANDS[first], {"--help"}
    for name in re.split(r"/|\\\|", rest.split(" ")[0]) if hasattr(command, "commands") else [None]:
        assert name is None or name in command.commands, f"{document}: nemo {first} has no command {name}"
        given = command if name is None else command.commands[name]
        known |= {option for parameter in given.params for option in (*parameter.opts, *parameter.secondary_opts)}
    for option in re.findall(r"(?:^|[ \[])(--?[a-z][\w-]*)", rest):
        assert option in known, f"{document}: nemo {line} has no option {option}"


CODE = [path for room in ("nemo", "training", "benchmarks", "tests") for path in (ROOT / room).rglob("*.py")]


def _named(words: str) -> bool:
    """Tell whether what a document puts between signs, where it is a module or a name in one, is there."""
    if re.fullmatch(r"[\w/]+\.py", words):
        return any(f"/{words}" in str(path) for path in [*CODE, *ROOT.glob("*.py")])
    named = re.fullmatch(r"([a-z_]+)\.(_?[A-Za-z]\w*)", words)
    modules = [path for path in CODE if named and named[1] in (path.stem, path.parent.name)]
    if named is None or not modules or named[1] in ("nemo", "benchmarks") or named[2] in ("sqlite", "onnx"):
        return True
    stands = re.compile(rf"(?m)^\s*(?:def |class )?{named[2]}\b")
    return any(stands.search(path.read_text("utf-8")) for path in modules)


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("*.md")), ids=lambda page: page.name)
def test_what_documents_name_of_the_code_is_there(page: Path) -> None:
    assert [words for words in re.findall(r"`([^`\n]+)`", page.read_text("utf-8")) if not _named(words)] == []
