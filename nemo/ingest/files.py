"""Files on disk before they are ingested: which ones are meant, and their bytes (找文件、读文件)."""

import errno
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import IO

from nemo.errors import BadRequestError, NotFoundError, UnreadableDocumentError
from nemo.ingest.manifest import KnownFacts
from nemo.parse.other.archive import LEFTOVER, of_saved_page
from nemo.store.files.disk import REFUSALS
from nemo.store.files.raw import unpacked
from nemo.types import RawDocument

_ORIGINAL = re.compile(r"[0-9a-f]{64}")
NOT_REGULATIONS = {".jsonl", ".json", ".toml", ".py", ".ini", ".cfg", ".lock", ".log", ".css", ".js"}
"""Companions of regulations in a folder; named on their own they are still tried."""


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file that was sent and lies on the disk until its turn comes."""

    name: str
    file: IO[bytes]
    size: int
    """Bytes."""
    media_type: str | None = None


@dataclass(frozen=True, slots=True)
class QueuedFile:
    """A file of the queue, whose bytes are read when its turn comes."""

    name: str
    read: Callable[[], RawDocument]


def files_in(paths: Iterable[Path]) -> list[Path]:
    """Return the files named by ``paths``; folders are searched, hidden files and companions left out.

    A link to a file in the same given folder adds nothing and is left out; one that leads elsewhere is kept, so that
    :func:`read_file` refuses it by name.

    Raises:
        NotFoundError: a path does not exist.
    """
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = {p.relative_to(path).as_posix(): p for p in _inside(path)}
            meant = (p for name, p in inside.items() if not of_saved_page(name, inside))
            found.extend(sorted(p for p in meant if wanted(p.relative_to(path)) and not _again(p, path)))
        elif path.exists():
            found.append(path)
        else:
            raise NotFoundError(f"路径不存在：{path}。请检查拼写，或用绝对路径。")
    return found


def _inside(folder: Path) -> Iterator[Path]:
    """Yield every file below a folder, and what cannot be looked into, so that :func:`read_file` refuses it by name."""
    closed: list[OSError] = []
    for parent, _, names in os.walk(folder, onerror=closed.append):
        for file in (Path(parent, name) for name in names):
            try:
                meant = file.is_file()
            except OSError:
                meant = True
            if meant:
                yield file
    yield from (Path(error.filename) for error in closed)


def _again(file: Path, root: Path) -> bool:
    """Tell whether a file is a link to one that is found below ``root`` anyway."""
    return file.is_symlink() and file.resolve().is_relative_to(root.resolve())


def wanted(file: PurePath) -> bool:
    """Tell by its path inside a folder whether a file may be a regulation: hidden ones, leftovers and companions are none."""
    hidden = any(part.startswith((".", "__")) for part in file.parts) or LEFTOVER.search(file.as_posix())
    return not hidden and file.suffix.lower() not in NOT_REGULATIONS and not file.stem.upper().startswith("README")


def _leads_away(file: Path) -> bool:
    """Tell whether a file is a link to somewhere outside the folder that it stands in."""
    return file.is_symlink() and not file.resolve().is_relative_to(file.parent.resolve())


def read_file(path: Path | SentFile, limit: int) -> RawDocument:
    """Read one file whole.

    A link is followed only inside the folder it stands in: a folder from elsewhere must not hand over files of this
    machine that its sender could not read himself.

    Raises:
        UnreadableDocumentError: it is a link out of its folder, no ordinary file, larger than ``limit`` bytes, cannot be
            opened, or changed while it was read.
    """
    if isinstance(path, Path) and _leads_away(path):
        raise UnreadableDocumentError("这是指向所在文件夹之外的链接，未读取。确需入库的，请直接给出它所指的文件。")
    try:
        if isinstance(path, Path) and path.is_dir() and not os.access(path, os.R_OK | os.X_OK):
            raise PermissionError(errno.EACCES, "closed", str(path))
        if isinstance(path, Path) and not path.is_file():
            raise UnreadableDocumentError("这不是普通文件，未读取。请给出文件或文件夹。")
        size = path.size if isinstance(path, SentFile) else path.stat().st_size
        if size > limit:
            raise UnreadableDocumentError(
                f"文件 {size / 2**20:.0f} MiB，超过上限 {limit / 2**20:.0f} MiB。请拆分或提高 NEMO_MAX_FILE_MB。"
            )
        content = path.file.read() if isinstance(path, SentFile) else path.read_bytes()
    except OSError as error:
        reason = REFUSALS.get(error.errno or 0, "系统拒绝")
        raise UnreadableDocumentError(f"文件或文件夹无法打开（{reason}）。请检查权限后重试。") from error
    if len(content) != size:
        raise UnreadableDocumentError("文件在读取时发生变化。请等它写完后重试。")
    if isinstance(path, Path) and _ORIGINAL.fullmatch(path.name):  # the originals of a library whose catalogue is lost
        content = unpacked(path.name, content) or content
    return RawDocument.of(content, path.name, media_type=path.media_type if isinstance(path, SentFile) else None)


def check_manifest(facts: Mapping[str, KnownFacts], files: Sequence[Path], folder: Path) -> None:
    """Refuse a manifest that names files which are nowhere.

    Raises:
        BadRequestError: a named file is neither among ``files`` nor beside the manifest.
    """
    present = {f.name for f in files}
    missing = [name for name in facts if name not in present and not (folder / name).exists()]
    if missing:
        shown = "、".join(missing[:5]) + ("等" if len(missing) > 5 else "")
        raise BadRequestError(f"清单中有 {len(missing)} 个文件找不到：{shown}。请补齐文件或从清单中删去。")
