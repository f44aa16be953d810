"""Before or after, from which event on, and which of two parallel things (先后、起算与对应)."""

from __future__ import annotations

import difflib
import re

from nemo.audit.keyed import keyed
from nemo.audit.wording import WordingChange

_SIDE = re.compile(r"(?P<event>[\u4e00-\u9fa5]{3,12}?)(?P<side>之?前|以前|之?后|以后)(?![款项条述列期款])")
_OTHER = {"前": "后", "后": "前"}
_EVENT = 3
"""Characters in front of 前 or 后 by which the event is known."""
_START = re.compile(r"(?:自|从)(?P<event>[^，。；,;自从]{3,24}?)(?:之日|当日|次日|之时)?起(?!草|诉|重)")
_ALIKE = 0.6
_HEAD, _TAIL, _REPEATED = 6, 4, 4
"""Characters of the beginning and the end of a clause, and of what two parallel things share in front of their ends."""


def out_of_order(saying: str, place: str) -> WordingChange | None:
    """Return a side, a starting event or a pair that a provision states otherwise; None when there is none.

    Args:
        saying: The memo's words.
        place: The provision they are said to retell.
    """
    return _side(saying, place) or _start(saying, place) or _crossed(saying, place)


def _side(saying: str, place: str) -> WordingChange | None:
    """Return 登记后 where the provision says 登记前."""
    for match in _SIDE.finditer(saying):
        event, side = match["event"][-_EVENT:], match["side"][-1]
        there = {m[1] for m in re.finditer(f"{re.escape(event)}[之以]?([前后])", place)}
        if there == {_OTHER[side]}:
            return WordingChange(f"{event}{side}", f"{event}{_OTHER[side]}")
    return None


def _start(saying: str, place: str) -> WordingChange | None:
    """Return the event from which a memo counts where the provision counts from another (自被发现之日起)."""
    held = [(m["event"], m[0]) for m in _START.finditer(place)]
    for match in _START.finditer(saying):
        said = keyed(match["event"])
        if not held or re.search(r"\d", said.key) or said.key in keyed(place).key:
            continue
        if any(keyed(e).covers(said) >= _ALIKE or said.covers(keyed(e)) >= _ALIKE for e, _ in held):
            near = max(held, key=lambda pair: keyed(pair[0]).covers(said))
            lost = difflib.SequenceMatcher(None, keyed(near[0]).key, said.key, autojunk=False).get_opcodes()
            changed = [op for op in lost if op[0] == "replace" and min(op[2] - op[1], op[4] - op[3]) >= 1]
            if changed and lost[-1] in changed:
                return WordingChange(match[0], near[1])
    return None


def _common_end(one: str, other: str) -> int:
    return next((n for n in range(min(len(one), len(other)), 0, -1) if one[-n:] == other[-n:]), 0)


def _crossed(saying: str, place: str) -> WordingChange | None:
    """Return a clause that goes from one of two parallel things over to what is said of the other."""
    held = keyed(place)
    for clause in re.split("[，,。；;：:\\n]", saying):
        said = keyed(clause).key
        size = next((n for n in range(len(said), _HEAD - 1, -1) if said[:n] in held.key), 0)
        if not size or len(said) - size < _TAIL:
            continue
        start = held.key.find(said[:size])
        at = held.key.find(said[size:], start + size)
        gap = held.key[start + size : at] if at > 0 else ""
        same = _common_end(said[:size], gap)
        if not _REPEATED <= same < len(gap) <= len(said) * 2:
            continue
        before = held.offsets[start + size + len(gap) - same] - 1
        if place[before] not in "，、；。：\n ":  # else the subject is said again, and left out once
            return WordingChange(clause.strip(), held.span(start, start + size + len(gap)).of(place))
    return None
