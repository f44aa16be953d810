"""A part of mypy: the attributes that ``picked`` is told in words are checked as if they stood in code (字段名核对)."""

from collections.abc import Callable

from mypy.checker import TypeChecker
from mypy.plugin import FunctionContext, Plugin
from mypy.types import Instance, LiteralType, Type, get_proper_type


def _checked(ctx: FunctionContext) -> Type:
    assert isinstance(ctx.api, TypeChecker)
    names = get_proper_type(ctx.arg_types[1][0])
    stated = names.last_known_value if isinstance(names, Instance) else names
    if not isinstance(stated, LiteralType) or not isinstance(stated.value, str):
        ctx.api.fail("names must stand in the call or in a Final", ctx.context)
        return ctx.default_return_type
    for each in stated.value.split():
        found = ctx.arg_types[0][0]
        for attribute in each.rpartition("=")[2].split("."):
            found = ctx.api.expr_checker.analyze_external_member_access(attribute, found, ctx.context)
    return ctx.default_return_type


class Picked(Plugin):
    """Reads the words of every call of ``picked`` that states them."""

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        """Return what checks a call of this function."""
        return _checked if fullname == "nemo.types.plain.picked" else None


def plugin(version: str) -> type[Plugin]:
    """Return the plugin for any mypy."""
    return Picked
