"""Files that survive a crash, and what the disk's refusals mean to the person who runs Nemo."""

import contextlib
import errno
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from nemo.errors import ConfigError

REFUSALS = {
    errno.ENOSPC: "磁盘空间已用完",
    errno.EDQUOT: "磁盘配额已用完",
    errno.EFBIG: "文件超出系统允许的大小",
    errno.EROFS: "所在磁盘是只读的",
    errno.EACCES: "没有读写权限",
    errno.EPERM: "没有读写权限",
    errno.EIO: "磁盘读写出错",
    errno.EMFILE: "打开的文件过多",
    errno.ENFILE: "打开的文件过多",
    errno.ENAMETOOLONG: "路径或文件名过长",
    errno.ELOOP: "链接绕成了圈",
    errno.EISDIR: "这是文件夹，不是文件",
    errno.ENOTDIR: "路径中有一段不是文件夹",
    errno.EEXIST: "同名文件占用了文件夹的位置",
}


class DiskRefusalError(ConfigError):
    """The disk takes nothing: what is held can still be read and asked."""


def refusal(reason: str, folder: Path) -> DiskRefusalError:
    """Return the error for a disk that refuses; nothing that was finished before is lost."""
    return DiskRefusalError(
        f"资料库 {folder} 无法读写：{reason}。已入库的内容不受影响；"
        "请腾出空间、检查权限，或用 NEMO_LIBRARY 改用其他文件夹后重试。"
    )


ROOM = 2**20
"""Bytes that must be free for a disk to count as having room: less than one answer with its journal takes."""


def trouble(folder: Path) -> str | None:
    """Return why a disk takes nothing, None when it seems to take something; a look, no promise."""
    if hasattr(os, "statvfs"):
        about = os.statvfs(folder)
        if about.f_flag & os.ST_RDONLY:
            return REFUSALS[errno.EROFS]
    return REFUSALS[errno.ENOSPC] if shutil.disk_usage(folder).free < ROOM else None


@contextmanager
def storage_errors(folder: Path) -> Iterator[None]:
    """Turn the operating system's refusals into a ConfigError that names the folder and the way out.

    Raises:
        ConfigError: the disk is full, read-only, or the rights are missing.
    """
    try:
        yield
    except OSError as error:
        if error.errno not in REFUSALS:
            raise
        raise refusal(REFUSALS[error.errno], folder) from error


def require_readable(folder: Path) -> None:
    """Refuse a library whose folder is there and does not open, before any part of it is looked for.

    Raises:
        ConfigError: the rights are missing.
    """
    with storage_errors(folder):
        if folder.is_dir():
            os.scandir(folder).close()


def looking_address(catalogue: Path) -> str:
    """Return the address of an SQLite file that is only read, whether or not another process writes to it.

    Without a journal beside it nobody has it open; then it is read as a file that does not change, which needs no right
    to write beside it. With one, the journal is read too.
    """
    journal = catalogue.with_name(f"{catalogue.name}-wal")
    return f"{catalogue.resolve().as_uri()}?mode=ro" + ("" if journal.exists() else "&immutable=1")


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that after any crash it holds all of ``content`` or is as it was; on disk when this returns."""
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    try:
        write_durably(partial, content)
        partial.replace(path)
    except BaseException:  # the disk refuses, or a person interrupts
        partial.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def write_durably(path: Path, content: bytes) -> None:
    """Write a file that is on disk when this returns; after a crash in between it may hold less."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.write(content)
        flush(file)
    sync_folder(path.parent)


def flush(file: IO[bytes]) -> None:
    """Force what was written to an open file through to the disk."""
    file.flush()
    os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Make a rename in ``folder`` survive a power cut, where the system can."""
    if os.name == "posix":
        force(folder)


def force(path: Path) -> None:
    """Force what was written to a file through to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def file_table(folder: Path, but: str = "") -> dict[str, list[int]]:
    """Return size in bytes and time of change in nanoseconds of every file in a folder, except those named ``but``.

    An index clears away its old files in threads of its own: what is gone by the time it is looked at is left out.
    """
    found = {}
    for parent, _, names in os.walk(folder):
        for path in (Path(parent, name) for name in names if name != but):
            with contextlib.suppress(FileNotFoundError):
                about = path.stat()
                found[path.relative_to(folder).as_posix()] = [about.st_size, about.st_mtime_ns]
    return dict(sorted(found.items()))


def set_aside(folder: Path) -> Path:
    """Move a damaged index out of the way for inspection and return its new place; an earlier one is thrown away."""
    for old in folder.parent.glob(f"{folder.name}.damaged-*"):
        shutil.rmtree(old, ignore_errors=True)
    target = folder.with_name(f"{folder.name}.damaged-{time.strftime('%Y%m%d-%H%M%S')}")
    folder.replace(target)
    return target
