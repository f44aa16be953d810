"""What a rule ties together (对应关系): whom it punishes to the punishment, a consequence to the event it counts from, one thing
to another that comes before it or stays below it, an act to the kind of acts it is one of.

A claim may tell both ends in any words. It may not tie an end that it names to what the provision ties to another end.
"""

import re
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from nemo.audit.comparison.alignment import content, cover, passages
from nemo.audit.comparison.stance import OWN
from nemo.audit.comparison.values import amounts
from nemo.audit.comparison.wording import WordingChange

_STRETCHES = re.compile("[。；;\n]")
_TO_WHOM = re.compile(
    r"对(?P<whom>[^，。；\n处对]{2,40}?)(?:[^，。；\n对]{0,30}?)(?:并?处以?|[给予]予|予以|罚款?)(?P<what>[^。；\n对]{2,60})"
)
_SANCTION = re.compile("警告|处分|通报批评|拘留|降级|撤职|开除")
_FROM = re.compile(
    "(?:[自从](?P<event>[^，。；\n自从]{2,24}?)(?:之日|当日|那天)?起(?:算|计算)?|[经自](?P<done>[^，。；\n]{2,24}?)后(?=[，,]))"
)
_IN_ORDER = (
    re.compile("先(?:行)?(?P<first>[^，。；\n]{2,16})[，,]?(?:再|然后|后)(?P<second>[^，。；\n]{2,16})"),
    re.compile("(?P<first>[^，。；\n]{2,24}?)(?:应当?|须|要|必须|不得)?(?:低于|少于)(?P<second>[^，。；\n]{2,24})"),
    re.compile("(?P<first>[^，。；\n]{2,24}?)(?:应当?|须|要|必须|不得)?(?:高于|多于)(?P<second>[^，。；\n]{2,24})"),
)
_IS_NOT = re.compile("不(?:属于|算作?|构成|视为)")
_TAKEN_OUT = re.compile("不(?:属于|算|构成|视为|包括|是)|除外|例外")
_TELLS, _SURELY, _WHOLLY, _HALF = 2, 0.8, 0.88, 0.5
"""Words from which on something is told; shares of them by which it surely, wholly, by half is what a passage tells."""


class _Anchor(NamedTuple):
    """An event from which a consequence counts."""

    words: str
    event: str
    own: str
    """What counts from it: its clause without the event, the whole stretch where the clause says nothing else."""
    rest: str
    """The whole stretch without the event."""


def other_tie(saying: str, place: str) -> WordingChange | None:
    """Return what a saying ties to an end that it names and the provision ties to another end."""
    if OWN.search(saying):
        return None
    looks = (_other_recipient, _other_anchor, _other_order, _no_such)
    return next((found for look in looks if (found := look(saying, place)) is not None), None)


def _other_recipient(saying: str, place: str) -> WordingChange | None:
    """Return the punishment of somebody that the provision has for somebody else only (对企业给予警告)."""
    held = [(m["whom"], m["what"], m[0]) for m in _TO_WHOM.finditer(place)]
    for match in _TO_WHOM.finditer(saying):
        whom, what = match["whom"].strip(), _punishment(match["what"])
        own = [row for row in held if whom in row[0] or row[0] in whom]
        known = frozenset(chain.from_iterable(_punishment(row[1]) for row in held))
        if own and what and what <= known and not any(what <= _punishment(row[1]) for row in own):
            return WordingChange(match[0], own[0][2])
    return None


def _punishment(words: str) -> frozenset[object]:
    return frozenset(chain((v.same for v in amounts(words)), _SANCTION.findall(words)))


def _anchors(text: str) -> Iterator[_Anchor]:
    for stretch in _STRETCHES.split(text):
        for match in _FROM.finditer(stretch):
            rest = f"{stretch[: match.start()]}，{stretch[match.end() :]}"
            own = (
                re.split("[，,：:]", stretch[: match.start()])[-1] + "，" + re.split("[，,]", stretch[match.end() :])[0]
            )
            yield _Anchor(match[0], match["event"] or match["done"], own if content(own) else rest, rest)


def _other_anchor(saying: str, place: str) -> WordingChange | None:
    """Return the event from which a saying counts what the provision counts from another."""
    held = list(_anchors(place))
    for said in _anchors(saying):
        event, rest = content(said.event), content(said.own)
        if not event or not rest or "之日" not in said.words:
            continue
        scored = [(cover(rest, row.rest), row) for row in held if content(row.event)]
        best = max((score for score, _ in scored), default=0.0)
        near = [row for score, row in scored if score >= max(_SURELY, best)]
        if near and not any(_one_event(event, said.event, row.event) for row in near):
            return WordingChange(said.words, near[0].words)
    return None


def _one_event(told: tuple[str, ...], said: str, held: str) -> bool:
    return max(cover(told, held), cover(content(held), said)) >= _HALF


def _other_order(saying: str, place: str) -> WordingChange | None:
    """Return two things that a saying puts in the order in which the provision has them the other way round."""
    for form in _IN_ORDER:
        for said in form.finditer(saying):
            for held in form.finditer(place):
                first = set(content(said["first"])) - set(content(said["second"]))
                second = set(content(said["second"])) - set(content(said["first"]))
                turned = _only(first, held["second"], held["first"]) and _only(second, held["first"], held["second"])
                if turned:
                    return WordingChange(said[0], held[0])
    return None


def _only(words: set[str], there: str, other: str) -> bool:
    """Tell whether some words have one that stands at one end of a pair only, and none of the other end only."""
    here = {w for w in words if w in there and w not in other}
    return bool(here) and not any(w in other and w not in there for w in words)


def _no_such(saying: str, place: str) -> WordingChange | None:
    """Return an act that a saying takes out of the kind of acts of which the provision lists it (介绍他人开具，不属于虚开)."""
    for stretch in _STRETCHES.split(saying):
        if not (match := _IS_NOT.search(stretch)):
            continue
        told = content(stretch.replace(match[0], "，"))
        for passage in passages(place) if len(told) > _TELLS else ():
            if cover(told, passage) >= _WHOLLY and not _TAKEN_OUT.search(passage):
                return WordingChange(stretch.strip(), passage)
    return None
