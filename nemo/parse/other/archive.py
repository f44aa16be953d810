"""Zip archives (压缩包) and mails with files: unpacked beside the library, and bounded reads for the formats that are zips inside (DOCX, OFD).

Declared sizes are never believed: members are read in pieces and counted, so a bomb stops at the limit. An archive is
unpacked to the disk as a whole before its first file is used, so one that passes a limit gives nothing at all, and no
more than one of its files is in memory at once.
"""

import io
import os
import re
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from nemo.errors import UnreadableDocumentError
from nemo.parse.other import mail
from nemo.parse.sniff import BLANK, SOLID, FileKind, kind_of
from nemo.settings import MEBI, Settings
from nemo.types import RawDocument

_PIECE = 1 << 16
_MAX_DEPTH = 3
"""Archives in archives deeper than this are refused."""
_NAME_CHARS = 200
LEFTOVER = re.compile(r"(^|/)(__MACOSX/|\.DS_Store$|Thumbs\.db$|desktop\.ini$|~\$|\._)")
"""What systems and office programs leave beside a person's files."""
_BESIDE_PAGE = re.compile(r"(?:_files|\.files|_文件)/", re.IGNORECASE)
"""The end of the folder that a browser saves beside a page (网页，全部)."""
_DRAWS_PAGE = re.compile(
    r"(?:/[^/.]+|\.(?:css|js|json|map|png|jpe?g|gif|svg|webp|ico|bmp|woff2?|ttf|eot|下载|download))$", re.IGNORECASE
)
"""A picture, style, script or font in it; a page of a frame may hold the text, and a document was put there by somebody."""
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError, KeyError)


class LimitPassedError(UnreadableDocumentError):
    """A limit on unpacking is passed: the whole archive stops, not one file."""


@dataclass
class Budget:
    """What one archive may still unpack, shared by the archives inside it."""

    bytes_left: int
    files_left: int
    largest: int = 1 << 62
    """Bytes of a single file."""

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


@dataclass(frozen=True, slots=True)
class Member:
    """One file of an archive."""

    raw: RawDocument
    """Without content when it could not be unpacked; an inner archive then keeps its own."""
    error: UnreadableDocumentError | None = None
    """Why it could not be unpacked."""


@dataclass(frozen=True, slots=True)
class _MemberPlace:
    """Where a member lies in the unpacked bytes."""

    name: str
    start: int
    size: int
    error: UnreadableDocumentError | None


class Unpacked:
    """The files of one archive; each is read when it is taken."""

    def __init__(self, spool: IO[bytes], places: Sequence[_MemberPlace]) -> None:
        self._spool = spool
        self._places = places

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[Member]:
        for place in self._places:
            self._spool.seek(place.start)
            yield Member(RawDocument.of(self._spool.read(place.size), place.name), place.error)


class _Single(Unpacked):
    """A file that is no archive; handed out once, and not kept."""

    def __init__(self, raw: RawDocument) -> None:
        self._given = [Member(raw)]

    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[Member]:
        while self._given:
            yield self._given.pop()


@contextmanager
def unpacked(raw: RawDocument, settings: Settings, folder: Path | None = None) -> Iterator[Unpacked]:
    """Unpack a zip archive, archives inside it included, or a mail with the files it carries; any other file comes
    back alone.

    Names lose their folders, so no member can name a place on disk. One file that cannot be unpacked does not stop
    the others: it comes with its error. While this is open the bytes lie in ``folder`` in a file without a name; None
    for the system's own place.

    Raises:
        UnreadableDocumentError: damaged, encrypted, too many files, too large, nested too deep, or empty.
        OSError: the folder cannot hold the bytes.
    """
    kind = kind_of(raw) if raw.content else None
    carried = dict(mail.enclosed(raw.content)) if kind is FileKind.HTML else {}
    if kind is not FileKind.ARCHIVE and not carried:
        single = _Single(raw)
        del raw  # whoever takes the file decides how long it stays in memory
        yield single
        return
    with tempfile.TemporaryFile(dir=folder) as spool:
        budget = Budget(settings.max_archive_mb * MEBI, settings.max_archive_files, settings.max_file_bytes)
        places = list(_with_carried(raw, carried, budget, spool) if carried else _places(raw, budget, spool, 1))
        del raw, carried
        errors = [place.error for place in places if place.error]
        if errors and len(errors) == len(places):
            raise errors[0]
        if not places:
            raise UnreadableDocumentError("压缩包里没有文件。", ("请检查压缩包内容后重新上传。",))
        yield Unpacked(spool, places)


def open_zip(content: bytes) -> zipfile.ZipFile:
    """Open a zip container.

    Raises:
        UnreadableDocumentError: the container is damaged.
    """
    try:
        return zipfile.ZipFile(io.BytesIO(content))
    except _DAMAGE as error:
        raise damaged() from error


def read_member(container: zipfile.ZipFile, name: str, budget: Budget) -> bytes | None:
    """Return one member's bytes, None when there is no such member.

    Raises:
        UnreadableDocumentError: damaged, encrypted or over the budget.
    """
    try:
        info = container.getinfo(name)
    except KeyError:
        return None
    return b"".join(_pieces(container, info, budget))


def damaged() -> UnreadableDocumentError:
    """Return the error for a container that cannot be unpacked."""
    return UnreadableDocumentError("文件已损坏或不完整，无法解开。", ("请重新下载该文件后再上传。",))


def of_saved_page(name: str, names: Collection[str]) -> bool:
    """Whether a path among those of an archive or a folder is what a browser saved to draw the page beside it."""
    if not _DRAWS_PAGE.search(name):
        return False
    pages = (name[: found.start()] for found in _BESIDE_PAGE.finditer(name))
    return any(f"{page}.{kind}" in names for page in pages for kind in ("html", "htm"))


def _places(raw: RawDocument, budget: Budget, spool: IO[bytes], depth: int) -> Iterator[_MemberPlace]:
    """Write the members of an archive to ``spool``, one behind the other."""
    with open_zip(raw.content) as container:
        names = frozenset(map(_name, container.infolist()))
        for info in container.infolist():
            name = _name(info)
            if (info.is_dir() and not info.file_size) or LEFTOVER.search(name) or of_saved_page(name, names):
                continue
            budget.files_left -= 1
            if budget.files_left < 0:
                raise LimitPassedError(
                    "压缩包内文件过多，已停止展开。", ("请分批打包，或由管理员调高 NEMO_MAX_ARCHIVE_FILES。",)
                )
            place = _place(container, info, _base(name), budget, spool)
            yield from _inner(place, budget, spool, depth) or (place,)


def _with_carried(
    raw: RawDocument, carried: Mapping[str, bytes], budget: Budget, spool: IO[bytes]
) -> Iterator[_MemberPlace]:
    """Write a mail and the files it carries to ``spool``, archives among them unpacked."""
    for name, content in {raw.name: raw.content, **carried}.items():
        budget.files_left -= 1
        if budget.files_left < 0:
            raise LimitPassedError("邮件附件过多，已停止展开。", ("请另存附件后分批上传。",))
        start = spool.seek(0, os.SEEK_END)
        budget.spend(spool.write(content))
        place = _MemberPlace(_base(name), start, len(content), None)
        if not SOLID.search(content):
            place = replace(place, error=UnreadableDocumentError(*BLANK))
        yield from _inner(place, budget, spool, 1) or (place,)


def _place(
    container: zipfile.ZipFile, info: zipfile.ZipInfo, name: str, budget: Budget, spool: IO[bytes]
) -> _MemberPlace:
    """Write one member to the end of ``spool``; of one that cannot be unpacked nothing stays there."""
    start = spool.seek(0, os.SEEK_END)
    solid = False
    try:
        for piece in _pieces(container, info, budget):
            spool.write(piece)
            solid = solid or SOLID.search(piece) is not None
            if spool.tell() - start > budget.largest:
                raise UnreadableDocumentError(
                    f"压缩包里的这个文件超过单个文件上限 {budget.largest / MEBI:.0f} MiB，没有展开。",
                    ("请拆分文件，或由管理员调高 NEMO_MAX_FILE_MB。",),
                )
        if not solid:
            raise UnreadableDocumentError(*BLANK)
    except LimitPassedError:
        raise
    except UnreadableDocumentError as error:
        spool.truncate(start)
        return _MemberPlace(name, start, 0, error)
    return _MemberPlace(name, start, spool.tell() - start, None)


def _inner(place: _MemberPlace, budget: Budget, spool: IO[bytes], depth: int) -> list[_MemberPlace]:
    """Return the members of a member that is an archive itself; nothing for any other."""
    spool.seek(place.start)
    if spool.read(4) not in (b"PK\x03\x04", b"PK\x05\x06"):  # of most files the rest need not be in memory
        return []
    spool.seek(place.start)
    member = RawDocument.of(spool.read(place.size), place.name)
    if kind_of(member) is not FileKind.ARCHIVE:
        return []
    if depth >= _MAX_DEPTH:
        raise LimitPassedError(f"压缩包嵌套超过 {_MAX_DEPTH} 层，已停止展开。", ("请解压内层压缩包后重新上传。",))
    try:
        return list(_places(member, budget, spool, depth + 1))
    except LimitPassedError:
        raise
    except UnreadableDocumentError as error:
        return [replace(place, error=error)]


def _pieces(container: zipfile.ZipFile, info: zipfile.ZipInfo, budget: Budget) -> Iterator[bytes]:
    if stat.S_ISLNK(info.external_attr >> 16):  # what it holds is a path of its sender's machine, no text
        raise UnreadableDocumentError(
            "压缩包里的这一项是链接，不是文件，没有读取。", ("请把所指的文件本身打包后重新上传。",)
        )
    if info.flag_bits & 0x1:
        raise UnreadableDocumentError("压缩包已加密，无法读取。", ("请用密码解压后重新上传。",))
    try:
        with container.open(info) as stream:
            while piece := stream.read(_PIECE):
                budget.spend(len(piece))
                yield piece
    except (*_DAMAGE, RuntimeError) as error:
        raise damaged() from error


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
