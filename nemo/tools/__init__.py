"""Functions for agents: ask, search, read, list, follow, compare, check a quotation, audit a memo (智能体工具).

One table, three ways to it: plain Python functions with types and docstrings, as google-genai, ADK and others call them
(:func:`functions`); their JSON schemas in the form of OpenAI, and a call by name (:func:`schemas`, :func:`call`); and the
tools that ``nemo serve`` offers at ``/mcp``. All of them only read.

    from google import genai
    from nemo import open_library, tools

    with open_library("data/var") as library:
        config = genai.types.GenerateContentConfig(tools=tools.functions(library))
        genai.Client().models.generate_content(model="…", contents="并网申请几个工作日内答复", config=config)

Each returns plain data with ``status`` (``found``, ``not_found``, ``not_held``, ``not_checkable``), never raises for what
it is asked, and never says more than some 25,000 tokens at once: ``next_cursor`` leads to the rest.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_type_hints

from nemo.tools.table import Toolbox
from nemo.types.plain import read_json

if TYPE_CHECKING:
    from pydantic import BaseModel

    from nemo.engine import Engine


Tool = Callable[..., dict[str, Any]]


def functions(library: Engine) -> list[Tool]:
    """Return the functions of one library; they are thread-safe, and work until it is closed."""
    return Toolbox(lambda: library).all()


def schemas() -> list[dict[str, Any]]:
    """Return the JSON schema of every function, in the form of OpenAI's ``tools``."""
    return [
        {
            "type": "function",
            "function": {
                "name": name,
                "description": inspect.getdoc(function),
                "parameters": _arguments(name).model_json_schema(),
            },
        }
        for name, function in _table().items()
    ]


def call(library: Engine, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Call a function by its name, with the arguments that a model wrote.

    Returns:
        What the function returns; ``not_checkable`` with the reason for a name or arguments that do not fit.
    """
    from nemo.tools import replies

    @replies.guarded
    def work() -> dict[str, Any]:
        given = _fitting(name, arguments)
        found: dict[str, Any] = getattr(Toolbox(lambda: library), name)(**given)
        return found

    return work()


def refusal(name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return what :func:`call` returns for a name or arguments that do not fit; nothing where they do."""
    from nemo.tools import replies

    @replies.guarded
    def work() -> dict[str, Any]:
        _fitting(name, arguments)
        return {}

    return work()


def _fitting(name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call, each of its kind.

    Raises:
        BadRequestError: there is no such function, or it takes no such arguments.
    """
    from pydantic import ValidationError

    from nemo.errors import BadRequestError, unknown_name

    if name not in _table():
        raise BadRequestError(f"没有名为“{name[:80]}”的工具。可选：{'、'.join(_table())}。")
    known = _arguments(name)
    if strange := [each for each in arguments if each not in known.model_fields]:
        raise BadRequestError("".join(unknown_name(each[:80], list(known.model_fields)) for each in strange))
    try:
        return known.model_validate(dict(arguments)).model_dump()
    except ValidationError as error:
        wrong = "、".join(".".join(map(str, each["loc"])) for each in error.errors())
        raise BadRequestError(f"{name} 的参数有误：{wrong}。请对照说明改正。") from error


@cache
def _table() -> dict[str, Tool]:
    return {function.__name__: function for function in Toolbox(_nothing).all()}


@cache
def _arguments(name: str) -> type[BaseModel]:
    """Return the arguments of a function as a model that checks them; unknown ones are refused."""
    from pydantic import ConfigDict, create_model

    function = _table()[name]
    hints = get_type_hints(function)
    fields: dict[str, Any] = {
        each.name: (_lenient(hints[each.name]), ... if each.default is each.empty else each.default)
        for each in inspect.signature(function).parameters.values()
    }
    return create_model(name, __config__=ConfigDict(extra="forbid", title=name), **fields)


def _lenient(kind: Any) -> Any:
    """Have a list that a model wrote as a string be read as what it is."""
    from pydantic import BeforeValidator

    return Annotated[kind, BeforeValidator(_list)] if list[str] in get_args(kind) else kind


def _list(given: Any) -> Any:
    try:
        return read_json(given) if isinstance(given, str) else given
    except ValueError:
        return given


def _nothing() -> Engine:
    raise AssertionError("a table that is only described is never called")
