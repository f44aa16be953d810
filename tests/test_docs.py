"""The documents cannot lie: what README says exists, and every command is explained."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer

from nemo.cli import app
from nemo.settings import Settings

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")
COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_is_in_the_readme(name: str) -> None:
    assert f"python -m nemo {name}" in README, f"README does not mention `python -m nemo {name}`"


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_help(name: str) -> None:
    assert COMMANDS[name].help, f"{name} has no help"


@pytest.mark.parametrize("name", sorted(Settings.model_fields))
def test_every_setting_is_described_and_in_the_readme(name: str) -> None:
    assert Settings.model_fields[name].description
    assert f"NEMO_{name.upper()}" in README, f"README does not mention NEMO_{name.upper()}"


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
