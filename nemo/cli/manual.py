"""What ``--help`` prints, in Chinese (用法说明): the command line library frames our words in English."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

KINDS = {"str": "文字", "int": "整数", "float": "数", "Path": "路径"}
"""What a value is called, by the name of its type."""

FRAME = {
    "ARGUMENTS_PANEL_TITLE": "参数",
    "OPTIONS_PANEL_TITLE": "选项",
    "COMMANDS_PANEL_TITLE": "命令",
    "REQUIRED_LONG_STRING": "[必填]",
    "DEFAULT_STRING": "[默认：{}]",
}
"""Fixed words of the library, by their names in ``typer.rich_utils``."""


def is_asked_for(top: Any, arguments: Sequence[str]) -> bool:
    """Tell whether these arguments print help: they say so, or name a group of commands and none of it."""
    named = top
    for word in arguments:
        named = getattr(named, "commands", {}).get(word)
    return "--help" in arguments or hasattr(named, "commands")


@cache
def in_chinese(top: Any) -> None:
    """Put a command, and all below it, in Chinese."""
    from typer import Context, rich_utils

    for name, words in FRAME.items():
        setattr(rich_utils, name, words)
    for command in _all(top):
        command.options_metavar = "[选项]"
        command.get_usage = lambda context, told=command.get_usage: "用法：" + told(context).removeprefix("Usage: ")
        if hasattr(command, "commands"):
            command.subcommand_metavar = "命令 [参数]…"
        asked = command.get_help_option(Context(command))
        asked.help = "显示这份说明。"
        for parameter in (*command.params, asked):
            parameter.display_type = lambda _, shown=_shown(parameter): shown


def kind_of(parameter: Any) -> str:
    """Return what a value of a parameter is called, nothing for a switch."""
    kind = parameter.type_descriptor.annotation
    one = getattr(kind, "__args__", (kind,))[0]
    return KINDS.get(getattr(one, "__name__", ""), "")


def _shown(parameter: Any) -> str:
    return (kind := kind_of(parameter)) and f"<{kind}>"


def _all(command: Any) -> Iterator[Any]:
    yield command
    for each in getattr(command, "commands", {}).values():
        yield from _all(each)
