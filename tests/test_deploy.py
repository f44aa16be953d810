"""What is written for operators works as written: files exist, commands are commands, settings are settings (部署)."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
import typer

from nemo.cli import app, main
from nemo.settings import Settings
from tests.security.served import QUESTION, TEXT

ROOT = Path(__file__).resolve().parent.parent
WRITTEN = [ROOT / "docs" / "operations.md", *sorted((ROOT / "deploy").iterdir())]
COMMANDS = set(typer.main.get_command(app).commands)  # type: ignore[attr-defined]


@pytest.mark.parametrize("path", WRITTEN, ids=lambda p: p.name)
def test_commands_and_settings_are_real(path: Path) -> None:
    text = path.read_text("utf-8")
    used = set(re.findall(r"python -m nemo ([\w-]+)", text.replace('", "', " ")))
    assert used <= COMMANDS
    named = {name.lower() for name in re.findall(r"NEMO_([A-Z_]+)", text)}
    assert named <= set(Settings.model_fields)


def test_the_image_holds_what_the_program_reads() -> None:
    """Every place that is copied exists, and the command starts a server that answers outside the container."""
    lines = (ROOT / "deploy" / "Dockerfile").read_text("utf-8").splitlines()
    for line in lines:
        if line.startswith("COPY "):
            assert all((ROOT / place).exists() for place in shlex.split(line)[1:-1]), line
    copied = {place for line in lines if line.startswith("COPY ") for place in shlex.split(line)[1:-1]}
    own = {str(Settings.model_fields[name].default.relative_to(ROOT)) for name in ("rules", "models", "samples")}
    assert own <= copied
    assert json.loads(lines[-1].removeprefix("CMD "))[:4] == ["python", "-m", "nemo", "serve"]


def test_the_drill_of_a_restore(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The steps of docs/operations.md, one after the other: the restored library gives the same words."""
    monkeypatch.setenv("NEMO_WORKERS", "0")
    (tmp_path / "办法.md").write_text(TEXT, "utf-8")
    library, drill, file = tmp_path / "library", tmp_path / "drill", tmp_path / "nemo.zip"

    def told(*arguments: object) -> str:
        capsys.readouterr()
        assert main([*map(str, arguments)]) == 0
        return capsys.readouterr().out

    told("ingest", tmp_path / "办法.md", "--library", library)
    before = json.loads(told("ask", QUESTION, "--json", "--library", library))
    told("backup", file, "--library", library)
    assert json.loads(told("restore", file, "--library", drill, "--json"))["ok"] is True
    told("verify", "--library", drill)
    after = json.loads(told("ask", QUESTION, "--json", "--library", drill))
    assert after["answer_zh"] == before["answer_zh"] and "十二个工作日" in after["answer_zh"]
