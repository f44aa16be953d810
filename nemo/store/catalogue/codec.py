"""The nouns ↔ JSON values, by their type hints.

``encode`` leaves out fields that hold their default, ``decode`` puts the defaults back. Enums travel by name, days in
ISO form, spans as pairs. A value that does not fit its type raises: the catalogue holds what this module wrote. A field
that a noun no longer has is passed over.
"""

import dataclasses
import datetime as dt
import enum
import types
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Union, get_args, get_origin, get_type_hints

Encoder = Callable[[Any], Any]
Decoder = Callable[[Any], Any]

PLAIN = (str, int, float, bool, type(None))
"""Most of what is encoded stands as it is."""


def encode(value: Any) -> Any:
    """Return the JSON value of a noun, or of a tuple or mapping of nouns."""
    kind: Any = type(value)
    return value if kind in PLAIN else _encoder(kind)(value)


@lru_cache(maxsize=256)
def _encoder(kind: Any) -> Encoder:
    if issubclass(kind, enum.Enum):
        return lambda value: value.name
    if dataclasses.is_dataclass(kind):
        fields = [(f.name, f.default, f.default_factory is not dataclasses.MISSING) for f in dataclasses.fields(kind)]
        return lambda value: {
            name: encode(held)
            for name, default, made in fields
            if not _is_default(held := getattr(value, name), default, made=made)
        }
    if issubclass(kind, dt.date):
        return lambda value: value.isoformat()
    if issubclass(kind, Mapping):
        return lambda value: {key: encode(item) for key, item in value.items()}
    if issubclass(kind, tuple | list | set | frozenset):
        return lambda value: [encode(item) for item in value]
    return lambda value: value


def _is_default(value: Any, default: Any, *, made: bool) -> bool:
    if default is not dataclasses.MISSING:
        return value is default or (type(value) is type(default) and bool(value == default))
    return made and not value


def decode(kind: Any, value: Any) -> Any:
    """Return the noun of type ``kind`` that ``encode`` turned into ``value``.

    Raises:
        KeyError, TypeError, ValueError: the value is not of this kind.
    """
    return _decoder(kind)(value)


@lru_cache(maxsize=256)
def _decoder(kind: Any) -> Decoder:
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _optional([a for a in args if a is not type(None)])
    if origin is tuple and len(args) == 2 and args[1] is Ellipsis:
        return _sequence(args[0])
    if isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return lambda value: kind(*value)
    if dataclasses.is_dataclass(kind):
        return _record(kind)
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return lambda value: kind[value]
    if kind in (dt.date, dt.datetime):
        return kind.fromisoformat
    return lambda value: value


def _optional(kinds: list[Any]) -> Decoder:
    if len(kinds) != 1:
        raise TypeError(f"only X | None can be decoded, not {kinds}")
    inner = _decoder(kinds[0])
    return lambda value: None if value is None else inner(value)


def _sequence(kind: Any) -> Decoder:
    inner = _decoder(kind)
    return lambda value: tuple(map(inner, value))


def _record(kind: Any) -> Decoder:
    hints = get_type_hints(kind)
    names = [f.name for f in dataclasses.fields(kind)]
    decoders: dict[str, Decoder] = {}

    def build(value: Mapping[str, Any]) -> Any:
        if not decoders:  # resolved at first use, so that a type may hold itself
            decoders.update({name: _decoder(hints[name]) for name in names})
        return kind(**{name: decoders[name](item) for name, item in value.items() if name in decoders})

    return build
