"""While a process owns a library, commands go through it and say what they say without one (命令行经由运行中的程序)."""

import io
import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from nemo.cli import main
from nemo.store.files import lock
from tests import law_samples
from tests.browser import Server
from tests.security.served import QUESTION, TEXT, filled

Told = tuple[int, str]
"""The exit code of a command, and what it prints."""


class Shell:
    """Runs commands on one library and reads what they print."""

    def __init__(self, library: Path) -> None:
        self.library = library

    def __call__(self, *arguments: str) -> Told:
        with redirect_stdout(io.StringIO()) as out:
            code = main([*arguments, "--library", str(self.library)])
        return code, out.getvalue()


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("owner") / "library"
    filled(folder)
    return folder


@pytest.fixture(scope="module")
def shell(library: Path) -> Iterator[Shell]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NEMO_WORKERS", "0")
        yield Shell(library)


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


@pytest.fixture(scope="module")
def memo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("memo") / "文稿.txt"
    file.write_text("根据《演示门卫办法（演示文本）》第二条，应当在十五个工作日内书面答复。", "utf-8")
    return file


@pytest.fixture(scope="module")
def alone(shell: Shell, memo: Path) -> dict[tuple[str, ...], Told]:
    """What commands say while nobody owns the library."""
    marked = memo.with_name("批注.docx")
    audit = ("audit", str(memo), "--as-of", "2026-11-20", "--word", str(marked), "--json")
    told = {command: shell(*command) for command in (*((*c, "--json") for c in COMMANDS), *COMMANDS[4:6], audit)}
    assert json.loads(told[audit][1])["findings"] and marked.stat().st_size
    marked.unlink()
    return told


@pytest.fixture(scope="module")
def owner(library: Path, alone: dict[tuple[str, ...], Told]) -> Iterator[Server]:
    """The library's owner; the service manager alone knows the token of its settings."""
    env = {"NEMO_WORKERS": "0", "NEMO_API_TOKEN": "of-the-service-manager"}
    server = Server(library, library.parent / "log", env=env)
    try:
        opened(library, server)
        yield server
    finally:
        server.stop()


def test_commands_say_the_same_with_an_owner_and_without(
    alone: dict[tuple[str, ...], Told], owner: Server, shell: Shell, memo: Path
) -> None:
    """The same JSON and exit code, answers and errors alike; and the same words for people.

    A token of the settings shuts no command out: who may read the library's folder goes in by the one that lies there.
    """
    assert (shell.library / "token").stat().st_mode & 0o077 == 0
    for command, (code, told) in alone.items():
        through, answer = shell(*command)
        if command[-1] == "--json":
            assert (through, unlike(answer)) == (code, unlike(told)), command
        else:
            assert (through, answer) == (code, told), command
    assert memo.with_name("批注.docx").read_bytes().startswith(b"PK")


def test_files_are_ingested_and_a_backup_is_taken_through_the_owner(
    shell: Shell, owner: Server, tmp_path: Path
) -> None:
    _ingested(shell, tmp_path)
    _backed_up(shell, tmp_path)


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


def _backed_up(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "备份.zip"
    code, told = shell("backup", str(file), "--json")
    made = json.loads(told)
    assert (code, made["file"], made["size"]) == (0, str(file), file.stat().st_size)
    assert shell("backup", str(file), "--json")[0] == 2, "a file that is there is not overwritten"
    assert shell("backup", str(shell.library / "备份.zip"), "--json")[0] == 2, "nor is one written beside what it keeps"
    held = {row["id"] for row in json.loads(shell("list", "--json")[1])["regulations"]}
    again = Shell(tmp_path / "again")
    code, told = again("restore", str(file), "--json")
    assert (code, json.loads(told)["ok"], made["regulations"]) == (0, True, len(held))
    assert {row["id"] for row in json.loads(again("list", "--json")[1])["regulations"]} == held


def test_a_killed_owner_is_not_asked(shell: Shell, owner: Server) -> None:
    """Its card still lies there, but nobody holds the lock: the command opens the library itself."""
    code, told = shell("ask", QUESTION, "--as-of", "2026-11-20", "--json")
    assert code == 0 and json.loads(told)["citations"][0]["direct_quote"] in TEXT, "through the owner"
    os.kill(owner.pid, signal.SIGKILL)
    owner.stop()
    assert lock.answering(shell.library) is None, "an owner that is gone answers nothing"
    assert json.loads((shell.library / "owner.json").read_text())["url"] == f"http://127.0.0.1:{owner.port}"
    code, told = shell("ask", QUESTION, "--as-of", "2026-11-20", "--json")
    assert code == 0 and json.loads(told)["citations"][0]["direct_quote"] in TEXT, "beside a killed owner"
