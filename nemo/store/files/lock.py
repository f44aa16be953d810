"""One process owns a library folder (资料库占用).

The lock is the operating system's, so it ends with the process however that ends. Beside it lies ``owner.json``,
which tells people who the owner is, and programs where it answers; found without a living lock, it says that the last
owner did not close.
"""

import datetime as dt
import json
import os
import socket
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from filelock import FileLock, Timeout

from nemo.errors import ConfigError
from nemo.store.files.disk import refusal, storage_errors, write_atomically

CARD, LOCK = "owner.json", "owner.lock"


def answering(folder: Path) -> str | None:
    """Return the address at which the living owner of a folder answers on this machine; None when there is no such owner.

    The card alone proves nothing: its writer may be dead, and another program may listen where it did.
    """
    card = _read(folder / CARD)
    url = card.get("url")
    if not isinstance(url, str) or card.get("host") != socket.gethostname():
        return None
    with suppress(Timeout), FileLock(folder / LOCK, timeout=0, is_singleton=False):
        return None
    return url


class Ownership:
    """Holds the lock of a library folder until :meth:`release`."""

    def __init__(self, folder: Path) -> None:
        """Take the folder, creating it if need be.

        Raises:
            ConfigError: another process owns it, or the folder cannot be written.
        """
        self._owner = folder / CARD
        with storage_errors(folder):
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except FileNotFoundError as error:  # no folder above it either: a drive that is not there
                raise refusal("所在的磁盘不存在，或不能在其中建立文件夹", folder) from error
            self._lock = FileLock(folder / LOCK, timeout=0, is_singleton=False)
            try:
                self._lock.acquire()
            except Timeout as error:
                raise _taken(folder, _read(self._owner)) from error
            try:
                self.unclean = self._owner.exists()
                """The last owner ended without closing the library."""
                self._card = _myself()
                self._write()
            except OSError:
                self._lock.release()
                raise

    def announce(self, url: str) -> None:
        """Write down where this owner answers over HTTP, so that commands go through it instead of being turned away."""
        self._card["url"] = url
        with storage_errors(self._owner.parent):
            self._write()

    def _write(self) -> None:
        write_atomically(self._owner, json.dumps(self._card, ensure_ascii=False).encode())

    def release(self, *, clean: bool = True) -> None:
        """Give the folder back; an owner that could not finish its work leaves its card for the next one to see."""
        if clean:
            self._owner.unlink(missing_ok=True)
        self._lock.release()


class Visit:
    """Stands where an :class:`Ownership` does when a folder is only looked at: takes nothing, leaves nothing."""

    unclean = False

    def release(self, *, clean: bool = True) -> None:
        """Do nothing."""


def inhabited(folder: Path) -> bool:
    """Tell whether the process that the owner's card names is alive on this machine: for people, not for locking."""
    card = _read(folder / CARD)
    pid = card.get("pid")
    if not isinstance(pid, int) or card.get("host") != socket.gethostname():
        return bool(card)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it is there and belongs to somebody else
        return True
    return True


def _myself() -> dict[str, object]:
    return {
        "pid": os.getpid(),
        "command": " ".join([Path(sys.argv[0]).name, *sys.argv[1:]])[:200],
        "host": socket.gethostname(),
        "since": dt.datetime.now().astimezone().isoformat(timespec="seconds"),
    }


def _read(path: Path) -> Mapping[str, object]:
    """Return the owner's card; empty while it is being written or when it is damaged: it is for people only."""
    try:
        card = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return card if isinstance(card, dict) else {}


def _taken(folder: Path, card: Mapping[str, object]) -> ConfigError:
    who = f"进程 {card.get('pid', '未知')}（{card.get('command', '未知')}），主机 {card.get('host', '未知')}"
    since = f"，自 {card['since']} 起" if "since" in card else ""
    return ConfigError(
        f"资料库 {folder} 正被另一个程序使用：{who}{since}。"
        "请在那个程序里操作，或先结束它再重试；也可以用 --library 或 NEMO_LIBRARY 换一个资料库。",
        tips=(f"查看占用者：{folder / CARD}",),
    )
