"""Zip archives (压缩包): ``expand`` into files, and bounded reads for the formats that are zips inside (DOCX, OFD).

Declared sizes are never believed: members are read in pieces and counted, so a bomb stops at the limit.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from nemo.errors import UnreadableDocumentError
from nemo.parse.sniff import Kind, kind_of
from nemo.settings import MEBI, Settings
from nemo.types import RawDocument

_PIECE = 1 << 16
_MAX_DEPTH = 3
"""Archives in archives deeper than this are refused."""
_NAME_CHARS = 200
_JUNK = re.compile(r"(^|/)(__MACOSX/|\.DS_Store$|Thumbs\.db$|desktop\.ini$|~\$|\._)")
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError, KeyError)


class LimitPassedError(UnreadableDocumentError):
    """A limit on unpacking is passed: the whole archive stops, not one file."""


@dataclass
class Budget:
    """What one archive may still unpack, shared by the archives inside it."""

    bytes_left: int
    files_left: int

    def spend(self, size: int) -> None:
        """Count ``size`` unpacked bytes.

        Raises:
            LimitPassedError: the limit is passed.
        """
        self.bytes_left -= size
        if self.bytes_left < 0:
            raise LimitPassedError(
                "压缩内容解开后超过大小上限，已停止展开。", ("请分批打包，或由管理员调高 NEMO_MAX_ARCHIVE_MB。",)
            )


def expand(raw: RawDocument, settings: Settings) -> list[RawDocument]:
    """Return the files of a zip archive, nested archives included; any other file comes back alone.

    Names lose their folders, so no member can name a place on disk. One file that cannot be unpacked does not stop the
    others: it comes back with no content (an inner archive with its own), and ``parse`` refuses it by name.

    Raises:
        UnreadableDocumentError: damaged, encrypted, too many files, too large, nested too deep, or empty.
    """
    if not raw.content or kind_of(raw) is not Kind.ARCHIVE:
        return [raw]
    budget = Budget(settings.max_archive_mb * MEBI, settings.max_archive_files)
    files: list[RawDocument] = []
    errors: list[UnreadableDocumentError] = []
    for member in _members(raw, budget, 1):
        files.append(member[0])
        errors += [member[1]] if member[1] else []
    if files and len(errors) == len(files):
        raise errors[0]
    if not files:
        raise UnreadableDocumentError("压缩包里没有文件。", ("请检查压缩包内容后重新上传。",))
    return files


def open_zip(content: bytes) -> zipfile.ZipFile:
    """Open a zip container.

    Raises:
        UnreadableDocumentError: the container is damaged.
    """
    try:
        return zipfile.ZipFile(io.BytesIO(content))
    except _DAMAGE as error:
        raise damaged(error) from error


def read_member(container: zipfile.ZipFile, name: str, budget: Budget) -> bytes | None:
    """Return one member's bytes, None when there is no such member.

    Raises:
        UnreadableDocumentError: damaged, encrypted or over the budget.
    """
    try:
        info = container.getinfo(name)
    except KeyError:
        return None
    return _read(container, info, budget)


def damaged(error: Exception) -> UnreadableDocumentError:
    """Return the error for a container that cannot be unpacked."""
    return UnreadableDocumentError(
        f"文件已损坏或不完整，无法解开（{type(error).__name__}）。", ("请重新下载该文件后再上传。",)
    )


_Member = tuple[RawDocument, UnreadableDocumentError | None]
"""A file and why it could not be unpacked."""


def _members(raw: RawDocument, budget: Budget, depth: int) -> Iterator[_Member]:
    with open_zip(raw.content) as container:
        for info in container.infolist():
            name = _name(info)
            if info.is_dir() or _JUNK.search(name):
                continue
            budget.files_left -= 1
            if budget.files_left < 0:
                raise LimitPassedError(
                    "压缩包内文件过多，已停止展开。", ("请分批打包，或由管理员调高 NEMO_MAX_ARCHIVE_FILES。",)
                )
            yield from _member(container, info, name, budget, depth)


def _member(
    container: zipfile.ZipFile, info: zipfile.ZipInfo, name: str, budget: Budget, depth: int
) -> Iterator[_Member]:
    try:
        member = RawDocument.of(_read(container, info, budget), _base(name))
    except LimitPassedError:
        raise
    except UnreadableDocumentError as error:
        yield RawDocument.of(b"", _base(name)), error
        return
    if not member.content or kind_of(member) is not Kind.ARCHIVE:
        yield member, None
        return
    if depth >= _MAX_DEPTH:
        raise LimitPassedError(f"压缩包嵌套超过 {_MAX_DEPTH} 层，已停止展开。", ("请解压内层压缩包后重新上传。",))
    try:
        yield from list(_members(member, budget, depth + 1))
    except LimitPassedError:
        raise
    except UnreadableDocumentError as error:
        yield member, error


def _read(container: zipfile.ZipFile, info: zipfile.ZipInfo, budget: Budget) -> bytes:
    if info.flag_bits & 0x1:
        raise UnreadableDocumentError("压缩包已加密，无法读取。", ("请用密码解压后重新上传。",))
    pieces: list[bytes] = []
    try:
        with container.open(info) as stream:
            while piece := stream.read(_PIECE):
                budget.spend(len(piece))
                pieces.append(piece)
    except (*_DAMAGE, RuntimeError) as error:
        raise damaged(error) from error
    return b"".join(pieces)


def _name(info: zipfile.ZipInfo) -> str:
    """Member name; Chinese Windows writes GBK without the UTF-8 flag, which zipfile reads as code page 437."""
    if info.flag_bits & 0x800:
        return info.filename
    try:
        return info.filename.encode("cp437").decode("gb18030")
    except UnicodeError:
        return info.filename


def _base(name: str) -> str:
    """The last part of a path, without control characters, at most 200 characters with its suffix kept."""
    base = re.split(r"[/\\]", name)[-1]
    base = "".join(c for c in base if c.isprintable()).strip() or "未命名"
    if len(base) <= _NAME_CHARS:
        return base
    stem, dot, suffix = base.rpartition(".")
    return stem[: _NAME_CHARS - len(suffix) - 1] + dot + suffix if dot and len(suffix) <= 10 else base[:_NAME_CHARS]
