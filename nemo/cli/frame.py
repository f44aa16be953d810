"""What every command shares: the application, its options, the two consoles and the way to an open engine."""

from __future__ import annotations

import datetime as dt
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from nemo.errors import BadRequestError, ConfigError, NotFoundError, UnreadableDocumentError

if TYPE_CHECKING:
    from nemo.engine import Engine

app = typer.Typer(add_completion=False, no_args_is_help=True, help="Nemo：中国能源项目法规逐字引文问答。")


class Terminal(Console):
    """A terminal that takes orders from us alone: what is in a text is shown as a mark, not obeyed, nor is a line broken."""

    def print(self, *objects: Any, **how: Any) -> None:
        """Print; see ``rich.console.Console.print``."""
        from nemo.text.words.invisible import without_orders

        how.setdefault("soft_wrap", all(isinstance(one, str | Text) for one in objects))
        super().print(*(without_orders(one) if isinstance(one, str) else one for one in objects), **how)


out = Terminal(highlight=False, markup=False, width=None if sys.stdout and sys.stdout.isatty() else 200)
err = Terminal(stderr=True, highlight=False, markup=False)


def _folder(given: str) -> Path:
    """Return a folder that is named; no words name none, though the system takes them for the one at work.

    Raises:
        BadRequestError: it is empty, or an address.
    """
    if not given:
        raise BadRequestError("选项 --library 的值是空的。请写明资料库文件夹，或不写这个选项。")
    if "://" in given:
        raise BadRequestError(f"选项 --library 的值“{given}”是地址，不是文件夹。请写明本机的资料库文件夹。")
    return Path(given)


def new_file(given: str) -> Path:
    """Return a file that is to be written.

    Raises:
        BadRequestError: it is none of this machine.
    """
    path = Path(given)
    if given in ("", "-") or "://" in given or path.is_dir():
        raise BadRequestError(f"“{given}”不是可以写出的文件。请写明本机上的文件名。")
    return path


def _written(given: str) -> Path:
    """Return a file that is to be written, looked at before any work is done for it.

    Raises:
        BadRequestError: as :func:`new_file`; or there is no folder for it.
    """
    path = new_file(given)
    if not path.parent.is_dir():
        raise BadRequestError(f"文件夹 {path.parent} 不存在。请先建立它，或写到别处。")
    return path


def output(*names: str, **more: Any) -> Any:
    """Return an option, or without names an argument, that names a file to be written; see :func:`write_out`."""
    return typer.Option(*names, parser=_written, **more) if names else typer.Argument(parser=_written, **more)


def write_out(path: Path, content: bytes) -> None:
    """Write what a command made: all of it, or what stood there before stays.

    Raises:
        ConfigError: the disk refuses.
    """
    from nemo.store.files.disk import REFUSALS, write_atomically

    try:
        if path.exists() and not path.is_file():  # a pipe or a device is not replaced
            path.write_bytes(content)
        else:
            write_atomically(path.resolve(), content)
    except OSError as error:
        reason = REFUSALS.get(error.errno or 0, "磁盘拒绝")
        raise ConfigError(f"{path} 写不成：{reason}。原有的内容没有改动，请改正后重试。") from error


Library = Annotated[
    Path | None, typer.Option("--library", help="资料库文件夹，默认 data/var 或 NEMO_LIBRARY", parser=_folder)
]
Json = Annotated[bool, typer.Option("--json", help="只在标准输出打印一个 JSON 对象")]
Province = Annotated[str | None, typer.Option("--province", help="省份代码：gd sd nm cn …")]
Asset = Annotated[str | None, typer.Option("--asset", help="能源类型代码：solar coal wind")]
DocClass = Annotated[str | None, typer.Option("--doc-class", help="类别代码：grid permit technical …")]
AsOf = Annotated[str | None, typer.Option("--as-of", help="按哪一天判断效力，如 2026-11-20；默认今天")]


@contextmanager
def opened(library: Path | None, *, read_only: bool = False) -> Iterator[Engine]:
    """Open the engine on a library and close it whatever happens.

    The engine is imported here: a command that fails on its arguments, or only prints help, does not wait for it.
    """
    from nemo import settings
    from nemo.engine import Engine

    engine = Engine.open(settings.load(library=library), read_only=read_only)
    try:
        yield engine
    finally:
        engine.close()


def contents(path: Path) -> bytes:
    """Return what is in a file that was named on the command line.

    Raises:
        NotFoundError: there is none, or it is a folder.
        UnreadableDocumentError: the system does not hand it out.
    """
    if not path.is_file():
        raise NotFoundError(
            f"{path} 是文件夹，不是文件。请核对路径。" if path.is_dir() else f"文件不存在：{path}。请核对路径。"
        )
    try:
        return path.read_bytes()
    except OSError as error:
        raise UnreadableDocumentError(f"文件 {path} 无法读取。请检查权限与磁盘后重试。") from error


def text_of(path: Path) -> str:
    """Return the text in a file that was named on the command line.

    Raises:
        NotFoundError, UnreadableDocumentError: as :func:`contents`; or it is no text in UTF-8.
    """
    try:
        return contents(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableDocumentError(f"文件 {path} 不是 UTF-8 文本。请另存为 UTF-8 后重试。") from error


def show_json(value: Any) -> None:
    """Print one JSON object on stdout."""
    plain = (sys.stdout.encoding or "utf-8").lower() not in ("utf-8", "utf8")
    sys.stdout.write(json.dumps(value, ensure_ascii=plain, default=_plain) + "\n")
    sys.stdout.flush()  # a disk that is full says so here, not behind the end of the program


def print_result(value: Any, lines: Iterable[str], as_json: bool) -> None:
    """Print what a command found: as one JSON object, or in lines for people."""
    if as_json:
        show_json(value)
        return
    for line in lines:
        out.print(line)


def _plain(value: Any) -> str:
    """Return days and moments in ISO 8601, paths and the like as they are written."""
    return value.isoformat() if isinstance(value, dt.date) else str(value)


def trace() -> str:
    """Return a new trace id; the types are loaded only when one is needed."""
    from nemo.types import new_trace_id

    return new_trace_id()
