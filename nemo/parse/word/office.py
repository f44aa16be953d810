"""Old Word formats (.doc, .wps) through programs of the system: antiword, else LibreOffice.

Both are optional; without one the file is refused with the name of the Debian package to install. An OLE file is
recognised by its bytes, because four of ten real ".docx" files of one province were such.
"""

import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from nemo.errors import MissingDependencyError, UnreadableDocumentError
from nemo.parse.lines import unwrapped
from nemo.parse.other.markup import MACROS
from nemo.settings import Settings
from nemo.types import Fault, ParsedDocument, RawDocument

_WORD_STREAM = "WordDocument".encode("utf-16-le")
_MACRO_STREAM = "_VBA_PROJECT".encode("utf-16-le")
_MAIL_STREAM = "__properties_version1.0".encode("utf-16-le")
_OTHER_STREAMS = {
    "EncryptedPackage": "文件已加密，需要密码才能打开。",
    "Workbook": "这是电子表格，不是法规文本。",
    "PowerPoint Document": "这是演示文稿，不是法规文本。",
}
_NESTED = re.compile(rb"\x49\x66[\x02-\x09]\x00\x00\x00")
"""A paragraph of a table inside a table: sprmPItap with a depth of two and more ([MS-DOC] 2.6.2)."""
_FIB, _SECTOR = b"\xec\xa5", 512
"""How the stream of a text begins ([MS-DOC] 2.5.1), on the bound of a sector."""
_SAVE_AS = ("请用 Word 或 WPS 打开，另存为 .docx 或 PDF 后上传。",)
_SECONDS = 60.0
_SHARE = 0.8
"""Of a file's time limit for LibreOffice: whoever ends this worker first would leave it running."""


def parse(raw: RawDocument, settings: Settings) -> ParsedDocument:
    """Read a .doc or .wps file.

    Raises:
        UnreadableDocumentError: encrypted, damaged, or not a text document.
        MissingDependencyError: no program for this format is installed.
    """
    if wrong := _unfit(raw.content):
        raise UnreadableDocumentError(*wrong)
    with tempfile.TemporaryDirectory(prefix="nemo-") as folder:
        source = Path(folder) / "source.doc"
        source.write_bytes(raw.content)
        if program := shutil.which("antiword"):
            text = _antiword(program, source, min(_SECONDS, settings.parse_seconds))
            if text is not None:
                return _parsed(text, "doc/antiword", raw)
        if program := shutil.which("soffice"):
            return _through_docx(program, source, raw, settings)
    raise _missing()


def _missing() -> MissingDependencyError:
    if shutil.which("antiword"):
        return MissingDependencyError(
            "antiword 读不了这个旧版 Word/WPS 文件，需要安装 LibreOffice（Debian 包：libreoffice-writer）。", _SAVE_AS
        )
    return MissingDependencyError(
        "这是旧版 Word/WPS 文件（.doc），读取它需要安装 antiword（Debian 包：antiword）。", _SAVE_AS
    )


def _unfit(content: bytes) -> tuple[str, tuple[str, ...]] | None:
    """Return why a compound file is no text that can be read, with what to do; None for one that may be."""
    if _MAIL_STREAM in content:  # first: the files that a mail carries have streams of their own
        return "这是 Outlook 邮件（.msg），不能展开。", ("请在 Outlook 中另存附件后上传，或把邮件另存为 .eml。",)
    if _WORD_STREAM in content:
        return (_OTHER_STREAMS["EncryptedPackage"], _SAVE_AS) if _is_locked(content) else None
    named = (message for stream, message in _OTHER_STREAMS.items() if stream.encode("utf-16-le") in content)
    return next(named, "文件已损坏，或不是 Word/WPS 文档，无法读取。"), _SAVE_AS


def _is_locked(content: bytes) -> bool:
    """Whether the text of a .doc is encrypted (fEncrypted of its FIB)."""
    starts = (at for at in range(_SECTOR, len(content), _SECTOR) if content.startswith(_FIB, at))
    first = next(starts, None)
    return first is not None and len(content) > first + 11 and bool(content[first + 11] & 1)


def _parsed(text: str, parser: str, raw: RawDocument) -> ParsedDocument:
    rows = [row.strip(" \t　\u00a0") for row in text.replace("\f", "\n").splitlines()]
    rows = [_table_row(row) for row in rows if row]
    if not rows:
        raise UnreadableDocumentError("文档里没有文字。", ("如内容是图片，请另存为 PDF 后上传，系统会进行文字识别。",))
    return ParsedDocument("\n".join(unwrapped(rows)), (), parser, faults=tuple(_faults(raw)))


def _faults(raw: RawDocument) -> Iterator[Fault]:
    if raw.name.lower().endswith(".docx"):
        yield Fault("wrong_extension", "文件名为 .docx，实际是旧版 Word 格式（.doc），已按实际格式读取。")
    if _MACRO_STREAM in raw.content:
        yield MACROS
    if _NESTED.search(raw.content):
        yield Fault(
            "tables_nested",
            "有表格套在另一张表格的单元格里，旧版 Word 格式下读出的行列可能不对，引用前请核对原件，或另存为 .docx 后重新上传。",
        )


def _table_row(row: str) -> str:
    """Antiword draws tables as ``|a |b |``; other readers of this package write ``a | b``."""
    if row.startswith("|") and row.endswith("|") and len(row) > 2:
        return " | ".join(cell.strip() for cell in row[1:-1].split("|"))
    return row


def _antiword(program: str, source: Path, seconds: float) -> str | None:
    """Text by antiword, None when it cannot read the file."""
    done = _run([program, "-m", "UTF-8.txt", "-w", "0", str(source)], seconds)
    text = done.stdout.decode("utf-8", errors="replace")
    return text if done.returncode == 0 and text.strip() else None


def _through_docx(program: str, source: Path, raw: RawDocument, settings: Settings) -> ParsedDocument:
    from nemo.parse.word import docx

    folder = source.parent
    command = [program, f"-env:UserInstallation=file://{folder}/profile", "--headless", "--convert-to", "docx"]
    done = _run([*command, "--outdir", str(folder), str(source)], _SHARE * settings.parse_seconds)
    target = folder / "source.docx"
    if done.returncode != 0 or not target.exists():
        raise UnreadableDocumentError("LibreOffice 无法转换该文件，可能已损坏。", _SAVE_AS)
    parsed = docx.parse(RawDocument.of(target.read_bytes(), raw.name), settings)
    faults = dict.fromkeys((*parsed.faults, *_faults(raw)))
    return ParsedDocument(parsed.text, (), "doc/libreoffice", faults=tuple(faults), title=parsed.title)


def _run(command: list[str], seconds: float) -> subprocess.CompletedProcess[bytes]:
    """Run a program; when its time is over, everything that it started ends with it."""
    try:
        # a program found on the PATH with a file name that we chose; no shell
        process = subprocess.Popen(  # noqa: S603
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        raise MissingDependencyError(f"程序 {Path(command[0]).name} 无法运行，请重新安装。", _SAVE_AS) from error
    try:
        out, complaints = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired as error:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise UnreadableDocumentError("读取旧版 Word 文件超时。", _SAVE_AS) from error
    return subprocess.CompletedProcess(command, process.returncode, out, complaints)
