"""While a process owns a library, commands go through it and say what they say without one (命令行经由运行中的程序)."""

import json
import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from nemo.cli import main
from nemo.store.files import lock
from tests import law_samples
from tests.browser import Server
from tests.security.served import QUESTION, TEXT, filled


class Shell:
    """Runs commands on one library and reads what they print."""

    def __init__(self, library: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.library, self.capsys = library, capsys

    def __call__(self, *arguments: str) -> tuple[int, str]:
        self.capsys.readouterr()
        code = main([*arguments, "--library", str(self.library)])
        return code, self.capsys.readouterr().out


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("owner") / "library"
    filled(folder)
    return folder


@pytest.fixture
def shell(library: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.setenv("NEMO_WORKERS", "0")
    return Shell(library, capsys)


def opened(library: Path, server: Server) -> None:
    """Wait until the library behind the server is open: the app answers before."""
    until = time.monotonic() + 180
    while lock.answering(library) is None:
        assert time.monotonic() < until, server.log.read_text("utf-8")
        time.sleep(0.1)


def unlike(told: str) -> Any:
    """The JSON without what differs between two answers to one question."""
    return {
        k: v
        for k, v in json.loads(told).items()
        if k not in ("trace_id", "elapsed_ms", "timestamp", "seconds", "checked")
    }


COMMANDS = (
    ("ask", QUESTION, "--as-of", "2026-11-20"),
    ("ask", "火星上的并网怎么办", "--as-of", "2026-11-20"),
    ("ask", " "),
    ("ask", QUESTION, "--province", "zz"),
    ("list",),
    ("show", "演示门卫办法（演示文本）", "--article", "第二条"),
    ("show", "没有/这部"),
    ("verify",),
    ("timeline", "演示门卫办法（演示文本）", "--as-of", "2026-11-20"),
    ("gaps",),
    ("graph", "search", "门卫"),
    ("graph", "around", "演示门卫办法（演示文本）"),
)


def test_commands_say_the_same_with_an_owner_and_without(shell: Shell, library: Path, tmp_path: Path) -> None:
    """The same JSON and exit code, answers and errors alike; and the same words for people."""
    memo = tmp_path / "文稿.txt"
    memo.write_text("根据《演示门卫办法（演示文本）》第二条，应当在十五个工作日内书面答复。", "utf-8")
    audit = ("audit", str(memo), "--as-of", "2026-11-20", "--word", str(tmp_path / "批注.docx"))
    alone = {command: shell(*command, "--json") for command in (*COMMANDS, audit)}
    assert json.loads(alone[audit][1])["findings"] and (tmp_path / "批注.docx").stat().st_size
    (tmp_path / "批注.docx").unlink()
    words = {command: shell(*command) for command in COMMANDS[4:6]}
    server = Server(library, tmp_path / "log", env={"NEMO_WORKERS": "0"})
    try:
        opened(library, server)
        for command, (code, told) in alone.items():
            through, answer = shell(*command, "--json")
            assert (through, unlike(answer)) == (code, unlike(told)), command
        assert {command: shell(*command) for command in words} == words
        assert (tmp_path / "批注.docx").read_bytes().startswith(b"PK")
    finally:
        server.stop()
    assert lock.answering(library) is None, "an owner that is gone answers nothing"


def test_files_are_ingested_and_a_backup_is_taken_through_the_owner(
    shell: Shell, library: Path, tmp_path: Path
) -> None:
    server = Server(library, tmp_path / "log", env={"NEMO_WORKERS": "0"})
    opened(library, server)
    try:
        _ingested(shell, tmp_path)
        _backed_up(shell, library, tmp_path)
    finally:
        server.stop()


def _ingested(shell: Shell, tmp_path: Path) -> None:
    """A manifest holds, what cannot be read is told by name, and the report has the form it always has."""
    files, manifest = law_samples.write(tmp_path / "texts")
    empty = tmp_path / "texts" / "空.md"
    empty.write_bytes(b"")
    code, told = shell("ingest", *map(str, files), str(empty), "--manifest", str(manifest), "--json")
    report = json.loads(told)
    assert (code, report["counts"]["failed"], report["counts"]["stored"]) == (0, 1, len(files))
    assert set(report) == {"counts", "chunks", "seconds", "unknown_fields", "files"}
    assert [f["name"] for f in report["files"] if f["state"] == "failed"] == ["空.md"]
    rows = json.loads(shell("list", "--json")[1])["regulations"]
    stated = [json.loads(line) for line in manifest.read_text("utf-8").splitlines()]
    assert {s["document_number"] for s in stated if "document_number" in s} <= {r["document_number"] for r in rows}
    assert shell("ingest", str(empty), "--json")[0] == 4
    assert shell("ingest", str(tmp_path / "nirgends"), "--json")[0] == 3
    assert shell("ingest", str(empty), "--province", "zz", "--json")[0] == 2


def _backed_up(shell: Shell, library: Path, tmp_path: Path) -> None:
    file = tmp_path / "备份.zip"
    code, told = shell("backup", str(file), "--json")
    made = json.loads(told)
    assert (code, made["file"], made["size"]) == (0, str(file), file.stat().st_size)
    assert shell("backup", str(file), "--json")[0] == 2, "a file that is there is not overwritten"
    assert shell("backup", str(library / "备份.zip"), "--json")[0] == 2, "nor is one written beside what it keeps"
    held = {row["id"] for row in json.loads(shell("list", "--json")[1])["regulations"]}
    again = Shell(tmp_path / "again", shell.capsys)
    code, told = again("restore", str(file), "--json")
    assert (code, json.loads(told)["ok"], made["regulations"]) == (0, True, len(held))
    assert {row["id"] for row in json.loads(again("list", "--json")[1])["regulations"]} == held


def test_a_token_of_the_settings_shuts_no_command_out_and_a_killed_owner_is_not_asked(
    shell: Shell, library: Path, tmp_path: Path
) -> None:
    """The service manager alone knows the token: who may read the library's folder goes in by the one that lies there.

    Once the owner was killed its card still lies there, but nobody holds the lock: the command opens the library itself.
    """
    server = Server(library, tmp_path / "log", env={"NEMO_WORKERS": "0", "NEMO_API_TOKEN": "of-the-service-manager"})
    try:
        opened(library, server)
        code, told = shell("ask", QUESTION, "--as-of", "2026-11-20", "--json")
        assert code == 0 and json.loads(told)["citations"][0]["direct_quote"] in TEXT, "through the owner"
        assert (library / "token").stat().st_mode & 0o077 == 0
        os.kill(server.pid, signal.SIGKILL)
    finally:
        server.stop()
    assert json.loads((library / "owner.json").read_text())["url"] == f"http://127.0.0.1:{server.port}"
    code, told = shell("ask", QUESTION, "--as-of", "2026-11-20", "--json")
    assert code == 0 and json.loads(told)["citations"][0]["direct_quote"] in TEXT, "beside a killed owner"
