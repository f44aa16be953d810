"""What an agent is told (智能体的应答): how it went in one word, and never more than fits its window.

``status`` is ``found``, ``not_found`` (held, but it does not say that), ``not_held`` (the library has no such text) or
``not_checkable`` (nobody can tell). Long replies come in pages.
"""

import functools
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ParamSpec

from nemo import export
from nemo.accounts import keeper
from nemo.engine import Engine
from nemo.errors import BadRequestError, NemoError, NotFoundError
from nemo.lawview import plain
from nemo.types import Answer, Day, Ranked, RawDocument, Reason, new_trace_id, today

Given = ParamSpec("Given")

MOST = 12_000
"""Characters of the JSON of a reply. It goes out twice, as data and as text, and a Chinese character is at most one token
of the usual vocabularies, seldom two: 25,000 tokens hold it."""

SHORT = 400
"""Characters of a field that is kept of a row which is too long for any reply."""

FOUND, NOT_FOUND, NOT_HELD, NOT_CHECKABLE = "found", "not_found", "not_held", "not_checkable"

_REFUSED = {
    Reason.REGULATION_NOT_HELD: NOT_HELD,
    Reason.NO_TEXTS_FOR_FILTER: NOT_HELD,
    Reason.BAD_QUESTION: NOT_CHECKABLE,
}

_SPARED = ("ranked", "related", "expansions", "read_from_question", "hierarchy", "parts")
"""Left out of an answer that is too long, in this order; the quotes stay whole."""


def person(engine: Engine) -> str | None:
    """Return whose questions and memories these are; None for who works on the machine itself or did not sign in."""
    return keeper(engine.person)


class NotHeldError(NotFoundError):
    """The library has no such text."""


def guarded(work: Callable[Given, dict[str, Any]]) -> Callable[Given, dict[str, Any]]:
    """Have a function return its error in the form every caller of Nemo knows."""

    @functools.wraps(work)
    def told(*given: Given.args, **named: Given.kwargs) -> dict[str, Any]:
        try:
            return work(*given, **named)
        except NemoError as error:
            absent = NOT_HELD if isinstance(error, NotHeldError) else NOT_FOUND
            status = absent if isinstance(error, NotFoundError) else NOT_CHECKABLE
            return {"status": status, **export.error_json(error, new_trace_id())}

    return told


@contextmanager
def _held() -> Iterator[None]:
    """Have what is not found count as a text that is not held."""
    try:
        yield
    except NotFoundError as error:
        raise NotHeldError(error.message, error.tips) from error


def answer(given: Answer, beside: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return an answer, with what its mode put beside it; what had to be left out is named in ``omitted``.

    No quote is ever shortened.
    """
    status = _REFUSED.get(given.refusal.reason, NOT_FOUND) if given.refusal else FOUND
    reply: dict[str, Any] = {"status": status, **export.answer_json(given), **(beside or {})}
    omitted = _beside_shortened(reply)
    for name in _SPARED:
        if _length(reply) <= MOST:
            break
        if reply[name]:
            reply[name] = []
            omitted.append(name)
    citations = reply["citations"]
    if _length(reply) > MOST:  # its words are all in the citations
        reply["answer_zh"] = ""
        omitted.append("answer_zh")
    while len(citations) > 1 and _length(reply) > MOST:
        gone = citations.pop()
        omitted.append(
            f"引文{gone['citation_id']}《{gone['title']}》{gone['section_reference']}（用 read_regulation 读取）"
        )
    return {**reply, "omitted": omitted} if omitted else reply


def _beside_shortened(reply: dict[str, Any]) -> list[str]:
    """Take rows of the counted table and related provisions out of an answer that is too long; say how many."""
    graph = reply.get("graph") or {"counted": None, "related": []}
    rows = {"全库统计": graph["counted"]["rows"] if graph["counted"] else [], "关联条款": graph["related"]}
    had = {name: len(each) for name, each in rows.items()}
    for each in rows.values():
        while each and _length(reply) > MOST:
            each.pop()
    return [f"{name} {had[name] - len(each)} 项" for name, each in rows.items() if len(each) < had[name]]


def regulation(engine: Engine, key: str, article: str | None, on: Day | None, cursor: str | None) -> dict[str, Any]:
    """Return a regulation or one article of it, in pages of provisions."""
    with _held():
        held = engine.regulation(key, on)
    view = engine.show(held.id, article=article, day=on)
    provisions = view.pop("provisions")
    if cursor:
        view = {name: view[name] for name in ("id", "title", "as_of", "status")}
    view["status_on_day"] = view.pop("status")
    return paged(view, "provisions", provisions, cursor)


def figures(engine: Engine, key: str, on: Day | None, cursor: str | None) -> dict[str, Any]:
    """Return the pictures, tables and formulas of a regulation, in pages; ``image`` is where a picture's PNG is fetched."""
    with _held():
        held = engine.regulation(key, on)
    listed = export.figures.listed(held)
    for row in listed["figures"]:
        there = f"/api/v1/figures/image?regulation={held.id}&figure={row['figure']}"
        row["image"] = there if row["sha256"] else None
    return paged({name: listed[name] for name in ("regulation_id", "title")}, "figures", listed["figures"], cursor)


def history(engine: Engine, key: str, on: Day | None, cursor: str | None) -> dict[str, Any]:
    """Return how a regulation came to be what it is, and what it hangs together with, in pages of ``entries``.

    ``part`` of an entry is ``version``, ``event`` or ``relation``.
    """
    with _held():
        held = engine.regulation(key, on)
    past, ties = plain.history(engine.law.timeline(held.id, on)), plain.relations(engine.law.links(held.id, on))
    parts = (("version", past["versions"]), ("event", past["events"]), ("relation", ties["relations"]))
    entries = [{"part": part, **row} for part, rows in parts for row in rows]
    view = {name: ties[name] for name in ("id", "title", "as_of", "repealed_bases")}
    return paged(view, "entries", entries, cursor)


def comparison(engine: Engine, old: str, new: str | None, cursor: str | None) -> dict[str, Any]:
    """Return the provisions in which two versions differ, in pages."""
    with _held():
        before, after, found = engine.law.diff(old, new)
    compared = plain.comparison(before, after, found.only_changes())
    pairs = compared.pop("pairs")
    return paged({**compared, "counts": found.counts}, "pairs", pairs, cursor)


def memo(engine: Engine, text: str, on: Day | None, since: str | None, cursor: str | None) -> dict[str, Any]:
    """Return a verdict on every citation of a memo, in pages; ``not_found`` when it cites nothing."""
    from nemo.audit import again  # readers of memos: no other tool needs them
    from nemo.audit import plain as audited

    printed = audited(engine.audit.audit(RawDocument.of(text.encode(), "文稿.txt"), on))
    if since:
        printed = again.compared(again.earlier(since.encode()), printed)
    findings = printed.pop("findings")
    return paged({"status": FOUND if findings else NOT_FOUND, **printed}, "findings", findings, cursor)


def provisions(found: Sequence[Ranked], cursor: str | None) -> dict[str, Any]:
    """Return ranked provisions, in pages; none of them is said to be evidence."""
    return paged({"status": FOUND if found else NOT_FOUND}, "results", [export.ranked_json(r) for r in found], cursor)


def quotation(engine: Engine, key: str, words: str, on: Day | None) -> dict[str, Any]:
    """Tell whether words stand in a regulation character by character; a recognised text can prove but not disprove."""
    with _held():
        held = engine.regulation(key, on)
    facts = {"regulation_id": held.id, "title": held.title, "as_of": (on or today()).isoformat()}
    start = held.text.find(words.strip()) if words.strip() else -1
    if start >= 0:
        return {"status": FOUND, **facts, "start": start, "end": start + len(words.strip())}
    unsure = not words.strip() or held.ocr_confidence is not None
    return {"status": NOT_CHECKABLE if unsure else NOT_FOUND, **facts}


def paged(view: Mapping[str, Any], name: str, rows: Sequence[Any], cursor: str | None) -> dict[str, Any]:
    """Return as many rows as fit from the cursor on, and the cursor of the next page, null after the last.

    A row whose text alone is too long comes in pieces: each a slice with its own ``start`` and ``end``. Of any other row
    that is too long only what is short is given, and ``omitted`` names the rest.

    Raises:
        BadRequestError: the cursor is not one that was given out.
    """
    at, offset = _place(cursor, len(rows))
    room = MOST - _length(view) - 200
    taken: list[dict[str, Any]] = []
    following = None
    for number, row in enumerate(rows[at:], at):
        piece = _from(row, offset if number == at else 0)
        size = _length(piece) + 2
        if size > room:
            over = size - room
            if not taken and len(piece.get("text", "")) > over:
                kept = len(piece["text"]) - over
                taken.append({**piece, "text": piece["text"][:kept], "end": piece["start"] + kept})
                following = f"{number}.{offset + kept}"
                break
            if taken:
                following = str(number)
                break
            piece = _short(piece)
            size = _length(piece) + 2
        room -= size
        taken.append(piece)
    status = {"status": FOUND} if "status" not in view else {}
    return _plain({**status, **view, name: taken, "total": len(rows), "next_cursor": following})


def _place(cursor: str | None, rows: int) -> tuple[int, int]:
    """Return the row and the offset in its text that a cursor stands for."""
    row, _, offset = (cursor or "0").partition(".")
    digits = all(part.isascii() and part.isdigit() for part in (row, offset or "0"))
    if not digits or len(cursor or "") > 20 or int(row) > rows:
        raise BadRequestError(f"cursor 无效：{(cursor or '')[:20]}。请用上一页的 next_cursor。")
    return int(row), int(offset or 0)


def _from(row: Mapping[str, Any], offset: int) -> dict[str, Any]:
    """Return a row without the first characters of its text."""
    return {**row, "text": row["text"][offset:], "start": row["start"] + offset} if offset else dict(row)


def _short(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is short of a row that fits nowhere."""
    kept = {name: value for name, value in row.items() if _length(value) <= SHORT}
    return {**kept, "omitted": [name for name in row if name not in kept]}


def _length(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False, default=str))


def _plain(value: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(value, ensure_ascii=False, default=str))
    return found
