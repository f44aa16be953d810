"""The memory of one person: what they asked, were told, noted, decided and added, found by words and meaning (记忆).

Private: a memory is of one person, whoever asks for it. Found are texts of their own and quotes that they were given,
each with its day and what changed in the law since.
"""

import datetime as dt
import math
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from cachetools import LRUCache

from nemo.embed import Embedder
from nemo.embed.builtin import BuiltinEmbedder
from nemo.errors import BadRequestError, ServiceError
from nemo.review.changes import ChangeKind, Gone, changes_since
from nemo.rules import Rules
from nemo.store.library import Library
from nemo.store.records.marks import MarkPurpose
from nemo.text.letter.titles import in_marks
from nemo.text.words.tokenise import terms
from nemo.types import CHINA, Day, Ranked
from nemo.types.plain import picked

APP = "nemo"
"""The program whose memory holds questions, notes and reviews."""

NEWEST = 1000
"""So many of a person's newest answers are looked through."""

HELD = 0.34
"""Found is what holds this share of the words that tell."""

NEAR, NEAR_BUILTIN = 0.6, 0.45
"""Found is also what is so near by meaning (cosine); the built-in embedder puts what has nothing in common lower."""

LONGEST = 20_000
"""Characters of a session."""

VECTORS = 4096

Evidence = Callable[[str], Sequence[Ranked]]
"""The provisions that are evidence for an answer to a query, none where it would be refused."""


@dataclass(frozen=True, slots=True)
class Memory:
    """One thing that a person may remember."""

    kind: str
    """``question``, ``note``, ``review`` or ``session``."""
    key: str
    """By which it is opened and forgotten: a trace id, or a number."""
    at: dt.datetime
    title: str
    text: str
    quoted: tuple[tuple[str, str], ...] = ()
    """What it rests on: the id of a text, and words of it."""
    score: float = 0.0
    changed: tuple[str, ...] = ()
    """What changed in the cited law since, in Chinese."""

    @property
    def sayings(self) -> tuple[str, str, str]:
        """What makes it the same memory as another one."""
        return self.kind, self.title, self.text

    def plain(self) -> dict[str, Any]:
        """Return it as plain data."""
        day = self.at.astimezone(CHINA).date().isoformat()
        said = picked(self, "title words=text") | {"score": round(self.score, 4)}
        return picked(self, "kind key") | {"day": day} | said | picked(self, "changed")


class MemoryService:
    """The memories in one library as one person sees it. Thread-safe."""

    def __init__(self, library: Library, embedder: Embedder, gone: Gone, evidence: Evidence, rules: Rules) -> None:
        """Args: the library as seen; its embedder; what a quote rests on that is repealed; what answers a query there; the synonyms."""
        self._evidence = evidence
        self._rules = rules
        self._library = library
        self._embedder = embedder
        self._near = NEAR_BUILTIN if isinstance(embedder, BuiltinEmbedder) else NEAR
        self._gone = gone
        self._vectors: LRUCache[str, np.ndarray] = LRUCache(VECTORS)
        self._lock = threading.Lock()

    def add_session(self, app: str, user: str | None, title: str, text: str) -> Memory:
        """Keep something of a person's.

        Raises:
            BadRequestError: it is empty or too long.
        """
        app, title, text = app.strip(), title.strip(), text.strip()
        if not (0 < len(app) <= 80 and 0 < len(title) <= 200 and 0 < len(text) <= LONGEST):
            raise BadRequestError(f"应写明应用（80 字内）、标题（200 字内）与内容（{LONGEST} 字内）。请改正。")
        kept = self._library.sessions.add(app, user, title, text)
        return Memory("session", str(kept.id), kept.at, title, text)

    def search(self, app: str, user: str | None, query: str, today: Day, limit: int = 10) -> list[Memory]:
        """Return what a person may mean, best first; without words all of it, newest first.

        ``app`` is ``nemo`` for questions, notes and reviews, and what was added under that name; another one: only
        its own.
        """
        latest = {one.sayings: one for one in sorted(self._of(app, user), key=lambda one: one.at)}  # asked again: once
        every = sorted(latest.values(), key=lambda one: one.at, reverse=True)
        if query.strip():
            every = self._ranked(every, query)
        return [replace(one, changed=self._changed(one, today)) for one in every[:limit]]

    def forget(self, kind: str, key: str, user: str | None) -> dict[str, Any]:
        """Delete a memory of this person's, a question as often as it was asked; return what proves that it is gone: the newest link of the chain of records.

        Raises:
            BadRequestError: of this kind nothing is deleted.
            NotFoundError: this person has none of it.
        """
        ways: dict[str, Callable[[], None]] = {
            "question": lambda: self._forget_question(key, user),
            "note": lambda: self._library.marks.forget(_number(key), user),
            "session": lambda: self._library.sessions.forget(_number(key), user),
        }
        if kind == "review":
            raise BadRequestError("复核决定是对引文的签字，不能删除；可在“引文复核”中撤销。")
        if kind not in ways:
            raise BadRequestError(f"没有“{kind}”这一类记忆。请写 {'、'.join(ways)} 之一。")
        ways[kind]()
        head = self._library.chain_head()
        return {"forgotten": key, "kind": kind, "chain": str(head) if head else None}

    def _forget_question(self, key: str, user: str | None) -> None:
        own = self._library.answers.own(user, NEWEST)
        words = next((row.question for row in own if row.trace_id == key), None)
        self._library.answers.forget(key, user)
        for row in own:
            if row.question == words and row.trace_id != key:
                self._library.answers.forget(row.trace_id, user)

    def _of(self, app: str, user: str | None) -> Iterator[Memory]:
        for one in self._library.sessions.own(user, app):
            yield Memory("session", str(one.id), one.at, one.title, one.text)
        if app != APP:
            return
        rows = self._library.answers.own(user, NEWEST)
        words = self._library.answers.words([row.trace_id for row in rows])
        for row in rows:
            said = words.get(row.trace_id, [])
            wordings = "\n".join(f"{in_marks(w.title)}{w.path}：{w.words}" for w in said) or "（拒答）"
            yield Memory(
                "question",
                row.trace_id,
                row.at,
                row.question,
                wordings,
                tuple((w.regulation_id, w.words) for w in said),
            )
        for mark in self._library.marks.mine(MarkPurpose.NOTE, user):
            if self._library.holds(mark.subject):
                title = f"批注《{self._library.row(mark.subject).title}》"
                yield Memory(
                    "note", str(mark.id), mark.at, title, f"{mark.note}\n{mark.words}", ((mark.subject, mark.words),)
                )
        mine = [each for each in self._library.reviews.decisions() if each.by == user]
        quotes = {row.id: row for row in self._library.reviews.rows([each.quote_id for each in mine])}
        for each in mine:
            if (quote := quotes.get(each.quote_id)) is not None:
                title = f"{each.state.value}：{in_marks(quote.title)}{quote.path}"
                text = "\n".join(filter(None, (each.reason, quote.words)))
                yield Memory("review", str(each.number), each.at, title, text, ((quote.regulation_id, quote.words),))

    def _ranked(self, every: Sequence[Memory], query: str) -> list[Memory]:
        asked = self._terms(query)
        held = [asked & self._terms(f"{one.title}\n{one.text}") for one in every]
        common = Counter(term for each in held for term in each)
        weight = {term: math.log(1 + len(every) / (1 + common[term])) for term in asked}
        whole = sum(weight.values()) or 1.0
        near = [self._cosine(query, one.title) for one in every]
        answering = self._answering(query)
        found = []
        for one, terms_held, cosine in zip(every, held, near, strict=True):
            share = sum(weight[term] for term in terms_held) / whole
            same = max(
                (r.score for of, words in one.quoted for r in answering.get(of, ()) if _shared(r, words)), default=0.0
            )
            if share >= HELD or cosine >= self._near or same:
                found.append(replace(one, score=1 - (1 - same) * (1 - (share + max(cosine, 0.0)) / 2)))
        return sorted(found, key=lambda one: (-one.score, -one.at.timestamp(), one.key))

    def _answering(self, query: str) -> dict[str, list[Ranked]]:
        """Return by text the provisions that answer a query: another wording of a question has the same ones."""
        found: dict[str, list[Ranked]] = {}
        with suppress(BadRequestError, ServiceError):  # too long for a question: its words are still looked for
            for one in self._evidence(query):
                found.setdefault(one.regulation_id, []).append(one)
        return found

    def _terms(self, text: str) -> set[str]:
        return set(terms(self._rules.in_one_word(text)))

    def _cosine(self, query: str, title: str) -> float:
        """Return how near a title is by meaning; 0 where the embedder does not know the words or does not answer."""
        try:
            return round(float(self._vector(query) @ self._vector(title)), 6) if title else 0.0
        except (BadRequestError, ServiceError):
            return 0.0

    def _vector(self, text: str) -> np.ndarray:
        with self._lock:
            known = self._vectors.get(text)
        if known is None:
            known = np.asarray(self._embedder.embed([self._rules.in_one_word(text)])[0])
            with self._lock:
                self._vectors[text] = known
        return known

    def _changed(self, one: Memory, today: Day) -> tuple[str, ...]:
        if one.kind == "question" and one.quoted:
            found = changes_since(self._library, one.key, today, self._gone)
            return tuple(dict.fromkeys(change.kind.value for change in found))
        gone = [of for of, _ in one.quoted if not self._library.holds(of)]
        return (ChangeKind.REMOVED.value,) if gone else ()


def _shared(one: Ranked, words: str) -> bool:
    return bool(words) and (words in one.text or one.text in words)


def _number(key: str) -> int:
    return int(key) if key.isascii() and key.isdigit() and len(key) < 18 else 0
