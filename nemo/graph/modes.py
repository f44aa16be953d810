"""What stands below an answer in each mode of a question (检索方式).

``naive`` is the answer alone. ``local`` adds the provisions one step from those quoted, ``global`` the table that is
counted over the whole library when the question asks for one, ``hybrid`` both, ``mix`` both and a second step with the
way there. The quotes themselves are the same in every mode: neighbours stand below them and never among them.
"""

from collections.abc import Sequence
from typing import Any

from nemo.errors import BadRequestError
from nemo.graph import formats
from nemo.graph.counted import counted
from nemo.graph.related import related
from nemo.graph.view import GraphScope, LawGraph
from nemo.types import Answer, today

MODES = ("naive", "local", "global", "hybrid", "mix")


def beside(graph: LawGraph, answer: Answer, mode: str | None) -> dict[str, Any]:
    """Return the field ``graph`` of an answer's JSON, and nothing for the mode ``naive``.

    Raises:
        BadRequestError: there is no such mode.
    """
    if mode not in (None, *MODES):
        raise BadRequestError(f"没有检索方式“{mode}”。可选：{'、'.join(MODES)}。")
    if mode in (None, "naive"):
        return {}
    filters = answer.query.filters
    scope = GraphScope(province=filters.province, day=filters.day or today(), within=_within(graph, filters.corpora))
    near = []
    if mode != "global":
        quoted = [(quote.regulation_id, quote.span) for quote in answer.quotes]
        near = related(graph, quoted, scope, 2 if mode == "mix" else 1)
    table = counted(graph, answer.query.text, scope) if mode != "local" else None
    return {
        "graph": {
            "mode": mode,
            "related": formats.related(graph, near, filters.day),
            "counted": formats.table(graph, table) if table is not None else None,
            "unread": graph.unread(),
        }
    }


def _within(graph: LawGraph, keys: Sequence[str]) -> frozenset[str] | None:
    """Return the texts of the corpora an answer was asked of, as far as they are seen here; None: of everything."""
    kept = graph.library.corpora
    found = [c for c in kept.all() if {c.name, str(c.id)} & set(keys)]
    return frozenset(each for c in found for each in kept.members(c.id)) if keys else None
