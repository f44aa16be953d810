"""Files that were sent over HTTP: they lie on the disk, and are refused whole when they are too large (上传)."""

from collections.abc import Sequence

from fastapi import UploadFile

from nemo.engine import Engine
from nemo.errors import TooLargeError
from nemo.ingest import SentFile
from nemo.settings import MEBI

UNKNOWN = "application/octet-stream"
"""What a sender says who leaves it to the bytes."""


def received(files: Sequence[UploadFile], engine: Engine) -> list[SentFile]:
    """Return what was sent; it lies on the disk and is read file by file.

    Raises:
        TooLargeError: one file, or all of them together, are more than may be taken in.
    """
    sent = [
        SentFile(bare_name(f), f.file, f.size or 0, None if f.content_type == UNKNOWN else f.content_type)
        for f in files
    ]
    most = engine.settings.max_file_bytes
    for each in sent:
        if each.size > most:
            raise TooLargeError(
                f"“{each.name}”有 {each.size / MEBI:.0f} MiB，超过单个文件上限 {most / MEBI:.0f} MiB，整批未入库。"
                "请拆分后重新上传，或由管理员调高 NEMO_MAX_FILE_MB。"
            )
    engine.library.check_room(sum(each.size for each in sent))
    return sent


def bare_name(file: UploadFile) -> str:
    """Return the bare file name: whatever path a client sends is cut off."""
    return (file.filename or "未命名").replace("\\", "/").rsplit("/", 1)[-1]
