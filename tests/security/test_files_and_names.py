"""Links out of a folder, files that are none, and names that would mislead the eye or command a terminal."""

import html
import io
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from nemo import export, settings
from nemo.cli import main
from nemo.engine import Engine
from nemo.text.words.invisible import HIDDEN, marked, without_orders
from nemo.ui.shared import safe

TEXT = """{title}

第一条 本办法为演示文本，用于检验名称。

第二条 演示电网企业应当自受理并网申请之日起十二个工作日内书面答复。

第三条 本办法自2024年3月1日起施行。
"""
SECRET = "第一条 机密文本不得外泄，仅供本机用户阅读。\n\n第二条 机密文本自2024年1月1日起施行。\n"


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with Engine.open(settings.load(library=tmp_path / "lib", workers=0)) as opened:
        yield opened


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    file = tmp_path / "home" / "secret.md"
    file.parent.mkdir()
    file.write_text(SECRET, "utf-8")
    return file


@pytest.fixture
def given(tmp_path: Path) -> Path:
    folder = tmp_path / "given"
    folder.mkdir()
    (folder / "办法.md").write_text(TEXT.format(title="演示办法（演示文本）"), "utf-8")
    return folder


def outcomes(engine: Engine, *paths: Path) -> dict[str, tuple[str, str]]:
    return {o.name: (o.state, o.reason or "") for o in engine.intake.ingest(paths).outcomes}


# --- links

LINKS = [
    ("absolute", lambda given, secret: (given / "link.md").symlink_to(secret)),
    ("relative", lambda given, secret: (given / "link.md").symlink_to("../home/secret.md")),
    ("from a folder below", lambda given, secret: ((given / "a").mkdir(), (given / "a/link.md").symlink_to(secret))),
    (
        "through a second link",
        lambda given, secret: (
            (given / ".hop").symlink_to(secret),
            (given / "link.md").symlink_to(given / ".hop"),
        ),
    ),
    ("to a file of the system", lambda given, secret: (given / "link.md").symlink_to("/etc/passwd")),
]


@pytest.mark.parametrize(("name", "lay"), LINKS, ids=[link[0] for link in LINKS])
def test_a_link_out_of_the_folder_is_refused_by_name(engine: Engine, given: Path, secret: Path, name: str, lay) -> None:
    lay(given, secret)
    found = outcomes(engine, given)
    assert found["办法.md"][0] == "stored", "the batch goes on"
    assert found["link.md"][0] == "failed" and "链接" in found["link.md"][1]
    assert len(engine.regulations()) == 1
    assert not any("机密" in engine.library.regulation(r.id).text for r in engine.regulations())


def test_a_linked_folder_is_not_entered(engine: Engine, given: Path, secret: Path) -> None:
    (given / "folder").symlink_to(secret.parent, target_is_directory=True)
    assert set(outcomes(engine, given)) == {"办法.md"}


def test_a_link_named_by_a_shell_pattern_is_refused_too(engine: Engine, given: Path, secret: Path) -> None:
    (given / "link.md").symlink_to(secret)
    assert outcomes(engine, *sorted(given.iterdir()))["link.md"][0] == "failed"


def test_a_link_inside_the_folder_adds_nothing_and_harms_nothing(engine: Engine, given: Path) -> None:
    (given / "below").mkdir()
    (given / "below" / "again.md").symlink_to(given / "办法.md")
    assert outcomes(engine, given) == {"办法.md": ("stored", "")}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_what_is_no_file_is_not_waited_for(engine: Engine, given: Path) -> None:
    os.mkfifo(given / "pipe.md")
    assert set(outcomes(engine, given)) == {"办法.md"}
    assert "不是普通文件" in outcomes(engine, given / "pipe.md")["pipe.md"][1]
    assert "不是普通文件" in outcomes(engine, Path("/dev/zero"))["zero"][1]


# --- names

NAMES = [
    ("right-to-left override", "通知\u202efdp.exe"),
    ("right-to-left embedding", "通知\u202bfdp"),
    ("isolate", "通知\u2067fdp\u2069"),
    ("right-to-left mark", "通\u200f知"),
    ("Arabic letter mark", "通\u061c知"),
    ("zero-width space", "通\u200b知"),
    ("zero-width joiner", "通\u200d知"),
    ("word joiner", "通\u2060知"),
    ("byte order mark", "\ufeff通知"),
    ("soft hyphen", "通\u00ad知"),
    ("line separator", "通\u2028知"),
    ("Hangul filler", "通\u3164知"),
    ("blank Braille", "通\u2800知"),
    ("tag characters", "通知\U000e0041"),
    ("interlinear annotation", "通\ufff9知"),
    ("escape", "通知\x1b[2J"),
    ("terminal title", "通知\x1b]0;owned\x07"),
    ("C1 control", "通知\x9b2J"),
    ("backspace", "通知\b\b法律"),
    ("null", "通\x00知"),
]


@pytest.mark.parametrize(("what", "name"), NAMES, ids=[n[0] for n in NAMES])
def test_names_are_shown_with_marks(what: str, name: str) -> None:
    for shown in (safe.name(name), safe.visible(name), safe.label(name), marked(name)):
        assert not HIDDEN.search(shown) and "通" in shown
    assert "〔U+" in marked(name)


@pytest.mark.parametrize("name", ["关于印发《办法》的通知", "GB/T 19964—2024", "Rules (试行) é 𠮷", "辻\U000e0100"])
def test_ordinary_names_stay_as_they_are(name: str) -> None:
    assert marked(name) == name and safe.visible(name) == name


def test_a_text_for_a_terminal_keeps_its_lines_and_gives_no_orders() -> None:
    assert without_orders("第一条\n\t（一）\u202e甲\x1b[31m") == "第一条\n\t（一）〔U+202E〕甲〔U+001B〕[31m"


@pytest.fixture
def misled(engine: Engine, tmp_path: Path) -> Engine:
    """A held text whose title and file name carry orders, as a manifest or a hostile site may state them."""
    folder = tmp_path / "odd"
    folder.mkdir()
    name = "办法\u202e\x1b[2J.md"
    (folder / name).write_text(TEXT.format(title="演示办法（演示文本）"), "utf-8")
    engine.intake.ingest([folder], facts={"title": "演示\u202e办法\x1b]0;owned\x07"})
    assert len(engine.regulations()) == 1
    return engine


def test_the_command_line_obeys_no_name(misled: Engine, capsys: pytest.CaptureFixture[str]) -> None:
    library, key = str(misled.settings.library), misled.regulations()[0].id
    misled.close()
    for command in (["list"], ["show", key], ["ask", "并网申请几个工作日内答复"]):
        assert main([*command, "--library", library]) == 0
        told = capsys.readouterr().out
        assert "演示" in told and "\x1b" not in told and "\u202e" not in told and "\x07" not in told


@pytest.mark.parametrize("form", ["docx", "xlsx"])
def test_exports_obey_no_name(misled: Engine, form: str) -> None:
    answer = misled.ask("并网申请几个工作日内答复")
    assert answer.quotes
    with zipfile.ZipFile(io.BytesIO(misled.answers.export_answer(answer, form))) as made:
        parts = [made.read(n).decode("utf-8") for n in made.namelist() if n.endswith(".xml")]
    inside = html.unescape("".join(parts))
    assert "\u202e" not in inside and "〔U+202E〕" in inside
    assert "\u202e" not in export.answer_zh(answer)
