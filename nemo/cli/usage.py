"""Says in Chinese what is wrong with the way a command was called (用法错误)."""

import errno
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nemo.cli.manual import kind_of
from nemo.errors import BadRequestError, NemoError

PLACES = {"is not readable.": "没有权限读取", "is not writable.": "没有权限写入"}
"""What the library says of a place on disk that a command may not use."""


def usage_error(error: Any) -> BadRequestError:
    """Return a usage error of the command line library as one of ours.

    Its kind is told by its name, because the library keeps its own classes private.
    """
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "python -m nemo"
    return BadRequestError(f"{_said(error)}请用 {command} --help 查看用法。")


def wrong_argument(error: Exception, arguments: Sequence[str]) -> NemoError | None:
    """Return the error for a file that the system does not read or write, or for bytes that are no text; None for any other."""
    if isinstance(error, OSError) and isinstance(error.filename, str) and error.errno != errno.ENAMETOOLONG:
        path = Path(error.filename)
        if any(given and Path(given) in (path, *path.parents) for given in arguments):
            what = (
                "不存在"
                if isinstance(error, FileNotFoundError)
                else "是文件夹"
                if os.path.isdir(path)  # noqa: PTH112  (of a place that may not be looked at: False)
                else "没有权限或无法读写"
            )
            return BadRequestError(f"{path} {what}。请核对路径与权限后重试。")
    if isinstance(error, UnicodeEncodeError) and any(_is_broken(given) for given in arguments):
        return BadRequestError("参数中有不是 UTF-8 的字节。请检查终端的编码后重试。")
    return None


def _is_broken(given: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in given)


def _said(error: Any) -> str:
    kind, message = type(error).__name__, error.format_message()
    named = re.findall(r"'([^']+)'", message)
    if kind == "NoSuchOption":
        return f"没有选项 {error.option_name}{_near(error.possibilities or ())}"
    if kind == "MissingParameter":
        return f"缺少{_name(error)}。"
    if kind == "BadParameter":
        return f"{_name(error)} 的值无效{_expected(error, message)}。"
    if kind == "BadOptionUsage":
        return f"选项 {error.option_name} 没有给值，或多给了值。"
    if message.startswith("No such command") and named:
        return f"没有命令 {named[0]}{_near(named[1:])}"
    if extra := re.search(r"unexpected extra argument\S* \((.+)\)", message):
        return f"多出了参数：{extra[1]}。含空格的问题请加引号。"
    return f"命令写法有误（{message}）。"


def _expected(error: Any, message: str) -> str:
    """Return what a value must be: words of the library for a place on disk, the kind and the bounds for anything else."""
    parameter = getattr(error, "param", None)
    if parameter is None:
        return ""
    if wrong := next((words for said, words in PLACES.items() if message.endswith(said)), None):
        return f"：{wrong}"
    if not (kind := kind_of(parameter)):
        return ""
    bounds = (("不小于", parameter.min), ("不大于", parameter.max))
    return "，".join(["", f"应为{kind}", *(f"{side} {bound}" for side, bound in bounds if bound is not None)])


def _name(error: Any) -> str:
    parameter = getattr(error, "param", None)
    if parameter is None:
        return "参数"
    option = max(parameter.opts, key=len, default="")
    return f"选项 {option}" if option.startswith("-") else f"参数 {parameter.metavar or parameter.name.upper()}"


def _near(names: Any) -> str:
    return f"，是否要写 {'、'.join(names)}？" if names else "。"
