"""Values as plain data (普通数据): fields by name, as JSON says them."""

import datetime as dt
import enum
import json
from collections.abc import Callable, Mapping
from functools import cache
from operator import attrgetter
from typing import Any


def picked(value: object, names: str) -> dict[str, Any]:
    """Return fields of a value as plain data, in the order of ``names``: each a ``name``, or ``name=attribute.of.it``."""
    return {name: plain(get(value)) for name, get in _fields(names)}


def plain(value: Any) -> Any:
    """Return a value as JSON says it: members of an enumeration by value, days in ISO 8601, tuples as lists."""
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, dt.date):
        return value.isoformat()
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    return {name: plain(each) for name, each in value.items()} if isinstance(value, Mapping) else value


def read_json(words: str | bytes, **how: Any) -> Any:
    """Return what JSON from outside says; ``how`` is that of ``json.loads``.

    Raises:
        ValueError: it is no JSON, nested deeper than is read, or holds half a character (a surrogate), which is no text.
    """
    try:
        found = json.loads(words, **how)
        json.dumps(found, ensure_ascii=False).encode()  # UnicodeEncodeError is a ValueError
        return found
    except RecursionError as error:
        raise ValueError("nested too deep") from error


@cache
def _fields(names: str) -> tuple[tuple[str, Callable[[Any], Any]], ...]:
    stated = (each.partition("=") for each in names.split())
    return tuple((name, attrgetter(path or name)) for name, _, path in stated)
