"""What a request names and its address does not know is refused, never passed over (未知参数).

A misspelt ``provine`` would else be answered for the whole nation.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, get_args

from pydantic import BaseModel, ConfigDict
from starlette.requests import Request

from nemo.errors import MalformedRequestError, unknown_name
from nemo.types.plain import read_json

_HALF = re.compile(rb"\\u[dD][89a-fA-F]|\xed[\xa0-\xbf]")
"""Half a character in JSON, written out or in bytes, or a whole one in two halves."""


class Body(BaseModel):
    """What every body in JSON shares: no field more."""

    model_config = ConfigDict(extra="forbid")


async def check(request: Request) -> None:
    """Look through the query and the form of a request.

    Raises:
        MalformedRequestError: one of the names is not known to the address, or its JSON holds what is no text.
    """
    route = request.scope["route"].dependant
    _refuse(request.query_params, _names(route, "query_params"))
    is_json = route.body_params and "json" in request.headers.get("content-type", "")
    if is_json and _HALF.search(await request.body()):  # a form is read piece by piece
        try:
            read_json(await request.body())
        except UnicodeEncodeError as error:
            raise MalformedRequestError("请求体中有不成文字的字符（半个代理对）。请改正后重试。") from error
        except ValueError:
            return  # no JSON at all: the model that reads it says what is wrong
    if form := list(_names(route, "body_params")):
        _refuse(await request.form(), form)


def _refuse(given: Iterable[str], known: Iterable[str]) -> None:
    known = list(known)
    if strange := [name for name in dict.fromkeys(given) if name not in known]:
        raise MalformedRequestError("".join(unknown_name(name, known) for name in strange))


def _names(part: Any, kind: str) -> Iterator[str]:
    """Yield the names of parameters of one kind that an address and what it depends on take."""
    yield from (one.alias for one in getattr(part, kind))
    for each in part.dependencies:
        yield from _names(each, kind)


def strange_fields(request: Request, wrong: Iterable[Mapping[str, Any]]) -> str:
    """Return words for the fields of a body that its form does not have, nothing where there are none."""
    names = [str(error["loc"][-1]) for error in wrong if error["type"] == "extra_forbidden"]
    bodies = [one.field_info.annotation for one in request.scope["route"].dependant.body_params] if names else []
    known = list(dict.fromkeys(name for body in bodies for name in _fields(body)))
    return "".join(unknown_name(name, known) for name in dict.fromkeys(names))


def _fields(kind: Any) -> Iterator[str]:
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        for name, field in kind.model_fields.items():
            yield name
            yield from _fields(field.annotation)
    for part in get_args(kind):
        yield from _fields(part)
