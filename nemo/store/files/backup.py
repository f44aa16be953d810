"""A whole library in one file, and back (备份与恢复).

The file is a zip: ``catalogue.sqlite``, the raw files by their hash, the models trained on this library, and a manifest
with the SHA-256 of every member.
The indexes are left out: they are rebuilt from the catalogue when the restored library is first opened. A backup is
one state of the library, taken while others ask and ingest; it appears under its name only when it is complete.
"""

import datetime as dt
import hashlib
import json
import re
import sqlite3
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from nemo.errors import BadRequestError, ConfigError, NotFoundError
from nemo.store.catalogue.dialects import SqliteDialect
from nemo.store.catalogue.schema import HEAD, SERVED_VECTORS
from nemo.store.files.disk import REFUSALS, flush, looking_address, storage_errors, sync_folder, write_durably
from nemo.store.files.lock import Ownership
from nemo.store.files.raw import RawFolder
from nemo.store.files.staging import STAGED, Staging
from nemo.types.plain import read_json

FORMAT = 1
MANIFEST = "manifest.json"
CATALOGUE = "catalogue.sqlite"
MOVED = f"{CATALOGUE}.moved-"
"""What a catalogue is called, before the moment, that was put aside when it moved to another database."""

UNFINISHED = "restoring"
"""Lies in a library's folder while it is being restored and names the backup; found later, the restore was cut short."""

RESTORED = "restored"
"""The same mark when every file is there and the library was not yet opened and closed: the restore is not over."""

MODEL = r"models/[a-z0-9-]+/[A-Za-z]+\.[a-z]+"
MEMBER = re.compile(rf"{re.escape(CATALOGUE)}|raw/[0-9a-f]{{2}}/[0-9a-f]{{64}}|raw/{STAGED}/[0-9a-f]{{64}}|{MODEL}")
"""What a backup may hold; anything else is no backup of ours."""

PIECE = 1 << 20

BESIDE = {"owner.lock", "owner.json"}
"""Files that an empty library's folder may hold."""


@dataclass(frozen=True, slots=True)
class Backup:
    """What a backup holds."""

    file: Path
    created: dt.datetime
    schema: str
    files: int
    """Raw files and files waiting to be ingested."""
    regulations: int
    size: int
    """Bytes of the backup file."""


@dataclass(slots=True)
class _Writer:
    """A backup being written."""

    container: zipfile.ZipFile
    members: dict[str, dict[str, Any]] = field(default_factory=dict)

    def add(self, name: str, source: IO[bytes]) -> None:
        """Copy a member in, taking its hash on the way."""
        digest, size = hashlib.sha256(), 0
        with self.container.open(name, "w", force_zip64=True) as target:
            while piece := source.read(PIECE):
                digest.update(piece)
                size += len(piece)
                target.write(piece)
        self.members[name] = {"sha256": digest.hexdigest(), "size": size}


# --- out


def snapshot(catalogue: Path, folder: Path) -> None:
    """Copy a catalogue that others read and write into a folder, as it is at this moment.

    Raises:
        ConfigError: the catalogue is damaged.
    """
    address = looking_address(catalogue)
    target = folder / CATALOGUE
    with closing(sqlite3.connect(address, uri=True)) as source, closing(sqlite3.connect(target)) as copy:
        source.backup(copy)
        copy.execute("DELETE FROM meta WHERE key = ?", (SERVED_VECTORS,))
        copy.commit()
        copy.execute("PRAGMA journal_mode=DELETE")
        found = copy.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise ConfigError(f"目录数据库已损坏（{found}），没有写备份。请先从较早的备份恢复，再重试。")


@contextmanager
def place_for(file: Path, library: Path) -> Iterator[Path]:
    """Yield a folder beside ``file`` for what is not finished; it is gone afterwards.

    Raises:
        BadRequestError: the file exists already, or lies in the library's own folder.
        ConfigError: its folder cannot be written.
    """
    if file.exists():
        raise BadRequestError(f"备份文件 {file} 已存在，没有覆盖它。请换一个文件名。")
    if file.resolve().is_relative_to(library.resolve()):
        raise BadRequestError(f"备份文件 {file} 在资料库文件夹里。请写到别处，最好是另一块磁盘。")
    with _target_errors(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{file.name}.", dir=file.parent) as folder:
            yield Path(folder)


@contextmanager
def _target_errors(file: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        words = str(error).lower()
        said = next((chinese for english, chinese in SqliteDialect.refusals if english in words), str(error))
        reason = REFUSALS.get(getattr(error, "errno", 0), said)
        raise ConfigError(f"备份文件 {file} 写不成：{reason}。资料库不受影响；请换一个位置后重试。") from error


def write(file: Path, folder: Path, raw: RawFolder, staging: Staging, models: Path) -> Backup:
    """Write a backup, a file that must not exist, from a snapshot in ``folder`` on the same disk; nothing may be
    deleted from the raw folder meanwhile.

    Raises:
        ConfigError: an original file is missing or damaged, or the disk refuses.
    """
    partial = folder / "backup"
    created = dt.datetime.now(dt.UTC)
    with closing(sqlite3.connect(folder / CATALOGUE)) as catalogue:
        hashes = [row[0] for row in catalogue.execute("SELECT sha256 FROM raw_files ORDER BY sha256")]
        waiting = {row[0] for row in catalogue.execute("SELECT sha256 FROM jobs")}
        count = catalogue.execute("SELECT count(*) FROM regulations").fetchone()[0]
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as container:
        writer = _Writer(container)
        with (folder / CATALOGUE).open("rb") as source:
            writer.add(CATALOGUE, source)
        for name, content in _files(hashes, sorted(waiting & set(staging.names())), raw, staging):
            container.writestr(name, content)
            writer.members[name] = {"sha256": name[-64:], "size": len(content)}
        for path in sorted(models.glob("[!.]*/*")):
            with path.open("rb") as source:
                writer.add(f"models/{path.parent.name}/{path.name}", source)
        about = {"format": FORMAT, "schema": HEAD, "created": created.isoformat(), "regulations": count}
        container.writestr(MANIFEST, json.dumps({**about, "members": writer.members}, indent=1))
    with partial.open("rb+") as done:
        flush(done)
    partial.rename(file)
    sync_folder(file.parent)
    return Backup(file, created, HEAD, _raw_files(writer.members), count, file.stat().st_size)


def kept(file: Path, library: Path, pieces: Iterable[bytes]) -> Backup:
    """Keep a backup that the running owner of ``library`` sends.

    Raises:
        BadRequestError: the file exists, or lies in the library's folder.
        ConfigError: what came is no whole backup, or the disk refuses; no file was written.
    """
    with place_for(file, library) as folder:
        partial = folder / "backup"
        with partial.open("wb") as target:
            target.writelines(pieces)
            flush(target)
        with _readable(file), zipfile.ZipFile(partial) as container:
            about = _manifest(file, container)
        partial.rename(file)
        sync_folder(file.parent)
    return _described(file, about)


def _described(file: Path, about: Mapping[str, Any]) -> Backup:
    created, files = dt.datetime.fromisoformat(about["created"]), _raw_files(about["members"])
    return Backup(file, created, about["schema"], files, about["regulations"], file.stat().st_size)


def _raw_files(members: Iterable[str]) -> int:
    return sum(name.startswith("raw/") for name in members)


def _files(hashes: list[str], waiting: list[str], raw: RawFolder, staging: Staging) -> Iterator[tuple[str, bytes]]:
    for sha256 in hashes:
        try:
            yield f"raw/{sha256[:2]}/{sha256}", raw.read(sha256)
        except NotFoundError as error:
            raise ConfigError(f"没有写备份：{error.message}") from error
    for sha256 in waiting:
        if (content := staging.read(sha256)) is not None:
            yield f"raw/{STAGED}/{sha256}", content


# --- back


def restore(file: Path, library: Path) -> Backup:
    """Put the library of a backup into an empty folder; every byte is checked on the way.

    Raises:
        BadRequestError: it is no backup, or the folder is not empty.
        ConfigError: the backup is damaged or newer than this program, or the disk refuses; the folder is empty again.
    """
    if not file.is_file():
        raise NotFoundError(f"备份文件不存在：{file}。请检查路径。")
    with _readable(file), zipfile.ZipFile(file) as container:
        about = _manifest(file, container)
        name = hashlib.sha256(container.read(MANIFEST)).hexdigest()
        begun = _begun(library, name)
        ownership = Ownership(library)
        try:
            with storage_errors(library):
                if not begun:
                    _fill(container, about["members"], library, name)
        finally:
            ownership.release()
    return _described(file, about)


@contextmanager
def _readable(file: Path) -> Iterator[None]:
    try:
        yield
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        NotImplementedError,
    ) as error:  # the last: a compression unknown here
        raise ConfigError(f"备份文件 {file} 已损坏或不是备份（{error}）。请换一份备份。") from error


def _manifest(file: Path, container: zipfile.ZipFile) -> dict[str, Any]:
    """Return what a backup says of itself.

    Raises:
        BadRequestError: it is no backup.
        ConfigError: a newer program wrote it.
    """
    wrong = BadRequestError(f"{file} 不是 Nemo 的备份文件。请选择由 python -m nemo backup 写出的文件。")
    try:
        about = read_json(container.read(MANIFEST))
        names = set(about["members"])
        sizes = [int(member["size"]) for member in about["members"].values() if len(member["sha256"]) == 64]
        newer = about["format"] > FORMAT or int(about["schema"]) > int(HEAD)
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise wrong from error
    if newer:
        raise ConfigError(f"备份 {file} 由更新版本的 Nemo 写出，本程序不能恢复它。请升级 Nemo 后重试。")
    if (
        names != {i.filename for i in container.infolist()} - {MANIFEST}
        or CATALOGUE not in names
        or len(sizes) != len(names)
    ):
        raise wrong
    if not all(MEMBER.fullmatch(name) for name in names):
        raise wrong
    return dict(about)


def _begun(library: Path, name: str) -> bool:
    """Tell whether every file of the backup ``name`` is there already, its restore having been cut short at the end.

    Raises:
        BadRequestError: the folder holds something else. What a restore of another backup left half done is cleared away.
    """
    with storage_errors(library):
        found = {path.name for path in library.iterdir()} if library.exists() else set()
        if UNFINISHED in found:
            if (library / UNFINISHED).read_text("utf-8", "replace") != name:
                _clear(library)
            return False
        if RESTORED in found and (library / RESTORED).read_text("utf-8", "replace") == name:
            return True
    if others := sorted(n for n in found if n not in BESIDE and not n.startswith("owner.json.")):
        raise BadRequestError(
            f"文件夹 {library} 不是空的（{'、'.join(others[:3])}），没有恢复，也没有改动它。"
            "请用 --library 指定一个新的空文件夹。"
        )
    return False


def _clear(library: Path) -> None:
    """Delete what a restore writes, and nothing else; the mark goes last."""
    for part in ("raw", "models"):
        for path in sorted(library.glob(f"{part}/*/*")):
            path.unlink()
        for folder in [*library.glob(f"{part}/*"), library / part]:
            if folder.is_dir():
                folder.rmdir()
    for name in (CATALOGUE, UNFINISHED):
        (library / name).unlink(missing_ok=True)


def _fill(container: zipfile.ZipFile, members: Mapping[str, Mapping[str, Any]], library: Path, name: str) -> None:
    """Write every member that is not there yet; the folder is a library only when the mark is gone."""
    write_durably(library / UNFINISHED, name.encode())
    try:
        for member, about in members.items():
            if not _there(library / member, about):
                _extract(container, member, about, library / member)
        for folder in {(library / member).parent for member in members}:
            sync_folder(folder)
    except BaseException:
        _clear(library)
        raise
    (library / UNFINISHED).replace(library / RESTORED)
    sync_folder(library)


def _there(target: Path, about: Mapping[str, Any]) -> bool:
    """Tell whether an earlier try wrote a member to its end."""
    if not target.is_file() or target.stat().st_size != about["size"]:
        return False
    with target.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == about["sha256"]


def _extract(container: zipfile.ZipFile, name: str, about: Mapping[str, Any], target: Path) -> None:
    """Write one member and check it.

    Raises:
        ConfigError: it is not what the manifest says.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    digest, left = hashlib.sha256(), int(about["size"])
    with container.open(name) as source, target.open("wb") as copy:
        while left >= 0 and (piece := source.read(PIECE)):
            digest.update(piece)
            left -= len(piece)
            copy.write(piece)
        flush(copy)
    named = name.rsplit("/", 1)[-1]
    misnamed = name.startswith("raw/") and named != about["sha256"]
    if left != 0 or digest.hexdigest() != about["sha256"] or misnamed:
        raise ConfigError(f"备份文件 {container.filename} 已损坏：{name} 与其校验值不符，没有恢复。请换一份备份。")


def finish(library: Path) -> None:
    """Take the restore's mark away: the library was opened and closed in order."""
    (library / RESTORED).unlink(missing_ok=True)


def require_catalogue(library: Path) -> None:
    """Refuse a folder that held a library whose catalogue is gone: it is not empty, it has lost its truth.

    Raises:
        ConfigError: there are original files or indexes, and no catalogue.
    """
    catalogue = library / CATALOGUE
    if catalogue.exists() and catalogue.stat().st_size:
        return
    left = {"原始文件": "raw/[0-9a-f][0-9a-f]/*", "字面索引": "lexical/*", "向量索引": "chroma/*"}
    found = [name for name, pattern in left.items() if any(library.glob(pattern))]
    if found:
        raise ConfigError(
            f"资料库 {library} 的目录数据库 {CATALOGUE} 不见了，{'、'.join(found)}还在，不能当作空库使用，也没有改动它。",
            tips=(
                *(
                    f"{one.name} 是搬迁之前的目录库：请把 NEMO_DATABASE 设为搬去的地址；要退回搬迁之前，把它改名为 {CATALOGUE}。"
                    for one in sorted(library.glob(f"{MOVED}*"))[-1:]
                ),
                f"有备份：python -m nemo restore 备份文件 --library 新文件夹，或把 {CATALOGUE} 放回原处。",
                f"没有备份：python -m nemo ingest {library / 'raw'} --library 新文件夹，从原始文件重新入库；"
                "更正过的信息、答复与复核记录不在原始文件里。",
            ),
        )


def require_library(library: Path) -> None:
    """Refuse to look at what is no library.

    Raises:
        NotFoundError: there is none; nothing is created.
        ConfigError: its catalogue is gone.
    """
    require_catalogue(library)
    if not (library / CATALOGUE).is_file():
        raise NotFoundError(f"{library} 中没有资料库。请核对 --library 或 NEMO_LIBRARY。")


def refuse_unfinished(library: Path) -> None:
    """Refuse a folder in which a restore was cut short.

    Raises:
        ConfigError: it was.
    """
    if (library / UNFINISHED).exists():
        raise ConfigError(f"文件夹 {library} 的恢复没有完成。请重新运行 python -m nemo restore，恢复会接着进行。")
