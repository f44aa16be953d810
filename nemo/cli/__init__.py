"""The command line: ``python -m nemo …``. With ``--json`` stdout carries one JSON object and nothing else.

One module for each group of commands; they register themselves with :data:`app`. Heavy parts are imported inside the
commands, so that a mistyped option is answered at once.
"""

import io
import logging
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any

import typer

from nemo.cli import (
    ask,
    audit,
    corpora,
    graph,
    ingest,
    law,
    library,
    manual,
    memory,
    migrate,
    standards,
    tokens,
    train,
    watch,
)
from nemo.cli.frame import app, err, show_json, trace
from nemo.cli.usage import usage_error, wrong_argument
from nemo.errors import ConfigError, NemoError

log = logging.getLogger("nemo")

INTERRUPTED = 130
"""Exit code of a command that was ended by Ctrl+C, as shells have it (128 + SIGINT)."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit code; every error becomes a message with the next step."""
    args = sys.argv[1:] if arguments is None else arguments
    as_json = "--json" in args
    try:
        from nemo import settings
        from nemo.services import logs

        _open_streams()
        for stream in (sys.stdout, sys.stderr):
            if isinstance(
                stream, io.TextIOWrapper
            ):  # a terminal of another character set shows what it lacks as \u2460
                stream.reconfigure(errors="backslashreplace")
        logs.configure(settings.load())
        commands = _commands()
        if manual.is_asked_for(commands, args):
            manual.in_chinese(commands)
        result = commands(args, standalone_mode=False)
        if result == INTERRUPTED:  # the library says no word of it
            raise KeyboardInterrupt
        return result if isinstance(result, int) else 0
    except NemoError as error:
        _print_error(error, as_json)
        return error.exit_code
    except (typer.Abort, KeyboardInterrupt):
        err.print("已中断；已入库的内容完整保留。")
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001  (one of the four borders: the command line's last handler)
        return _unexpected(error, args, as_json)


def _open_streams() -> None:
    """Give what a shell closed (``>&-``) a place that takes everything: the next file opened would stand there, and be written into."""
    while (number := os.open(os.devnull, os.O_RDWR)) < 3:
        os.set_inheritable(number, True)
    os.close(number)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, "w" if number else "r", encoding="utf-8", closefd=False))


@lru_cache(maxsize=1)
def _commands() -> Any:
    """Return every command, made of the functions' signatures once a process."""
    return typer.main.get_command(app)


def _unexpected(error: Exception, arguments: Sequence[str], as_json: bool) -> int:
    from nemo.store.files.disk import REFUSALS

    if type(error).__name__ == "NoArgsIsHelpError":  # no command at all: the library shows the help
        error.show(file=sys.stderr)  # type: ignore[attr-defined]
        return 2
    if hasattr(error, "format_message"):  # a usage error of the command line library
        wrong = usage_error(error)
        _print_error(wrong, as_json)
        return wrong.exit_code
    if told := wrong_argument(error, arguments):
        _print_error(told, as_json)
        return told.exit_code
    if isinstance(error, OSError) and (reason := REFUSALS.get(error.errno or 0)):
        refused = ConfigError(
            f"{error.filename or '标准输出'} 无法读写：{reason}。请改正后重试；已入库的内容不受影响。"
        )
        _print_error(refused, as_json)
        return refused.exit_code
    trace_id = trace()
    log.exception("unexpected error, trace %s", trace_id, extra={"trace_id": trace_id})
    told = NemoError(f"内部错误（编号 {trace_id}），详情见日志。请把编号与操作步骤告知管理员。")
    _print_error(told, as_json, trace_id)
    return NemoError.exit_code


def _print_error(error: NemoError, as_json: bool, trace_id: str | None = None) -> None:
    from nemo import export

    if as_json:
        with suppress(OSError):  # what takes nothing is told where people look
            show_json(export.error_json(error, trace_id or trace()))
            return
    with suppress(OSError):  # nor does this: the exit code is left
        for line in (f"错误：{error.message}", *(f" • {tip}" for tip in error.tips)):
            err.print(line)
