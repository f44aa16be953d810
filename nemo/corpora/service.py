"""What can be done with corpora, by whom, and what they hold (资料集服务)."""

import threading
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any

from nemo import accounts
from nemo.accounts import User
from nemo.answer.decision import QuestionScope
from nemo.answer.retrieve import Retriever
from nemo.answer.windows import ExactSearch, WindowSearch
from nemo.corpora.options import CorpusOptions, check_parts, embedder_of, windows_of
from nemo.embed import Embedder
from nemo.errors import BadRequestError, ConfigError, NotFoundError, NotPermittedError, ServiceError
from nemo.settings import Settings
from nemo.store.library import Library
from nemo.store.records.corpora import Corpus
from nemo.types.plain import picked

FRESH = {
    "description": "", "visibility": "private", "people": (), "embedder": "library", "store": "library", "chunking": "article",
}  # fmt: skip
"""A corpus of which nothing else is said: seen by who made it, searched as the library is."""


class CorpusService:
    """The corpora of one library, whole. Thread-safe; each call says who acts: None where nobody signs in."""

    def __init__(self, library: Library, embedder: Embedder, settings: Settings, users: accounts.Users | None) -> None:
        self._library = library
        self._settings = settings
        self.users = users
        self._embedders: dict[str, Embedder] = {"library": embedder}
        self._lock = threading.Lock()

    # --- the corpora

    def create(self, options: CorpusOptions, user: User | None) -> Corpus:
        """Make a corpus that belongs to ``user``.

        Raises:
            BadRequestError, ConfigError, MissingDependencyError: an option cannot be kept; the message says why.
        """
        accounts.require(user, "ingest", self.users)
        values = {**FRESH, **options.stated(), "owner": accounts.keeper(user)}
        if "name" not in values:
            raise BadRequestError("请写明资料集的名称。")
        self._check(values)
        return self._library.corpora.create(values, accounts.name_of(user))

    def change(self, key: str, options: CorpusOptions, user: User | None) -> Corpus:
        """Change a corpus; pieces and vectors of another choice are made anew at the next question.

        Raises:
            NotFoundError: there is none of this name for this person.
            NotPermittedError: it is not theirs.
            BadRequestError, ConfigError, MissingDependencyError: an option cannot be kept.
        """
        corpus, values = self._mine(key, user), options.stated()
        if not values:
            raise BadRequestError("没有要修改的内容。请写明要改的项目。")
        self._check(values)
        return self._library.corpora.change(corpus, values, accounts.name_of(user))

    def _check(self, values: dict[str, Any]) -> None:
        """Let options pass that can be kept: a team of people who can sign in, parts that are there."""
        check_parts(values, self._settings)
        users = self.users
        unknown = [name for name in values.get("people", ()) if users is not None and users.find(name) is None]
        if unknown:
            names = "、".join(f"“{name}”" for name in unknown)
            raise BadRequestError(f"用户名单中没有{names}，对方将看不到这个资料集。团队人员请写登录所用的用户名。")

    def delete(self, key: str, user: User | None, *, with_texts: bool = False) -> list[str]:
        """Delete a corpus; return the ids of the texts that went with it: those in no other place, ``with_texts``.

        Raises:
            BadRequestError: texts are in it alone, and it was not said what shall become of them.
        """
        corpus = self._mine(key, user)
        alone = sorted(self._library.corpora.alone(corpus.id))
        if alone and not with_texts:
            raise BadRequestError(
                f"“{corpus.name}”中有 {len(alone)} 部只在本资料集中。请先移入其他资料集或公开，或选择连同这些文件一并删除。"
            )
        for regulation_id in alone:
            self._library.remove(regulation_id, accounts.name_of(user))
        self._library.corpora.delete(corpus, accounts.name_of(user))
        return alone

    def seen(self, user: User | None) -> list[Corpus]:
        """Return the corpora that a person may see, by name."""
        return [c for c in self._library.corpora.all() if c.seen_by(user)]

    def closed_to(self, user: User | None) -> frozenset[str]:
        """Return the numbers of the corpora that a person may not see."""
        return frozenset(str(c.id) for c in self._library.corpora.all() if not c.seen_by(user))

    def named(self, keys: Sequence[str], user: User | None) -> list[Corpus]:
        """Return corpora by name or number."""
        return self._library.corpora.named(keys, user)

    def texts(self, keys: Sequence[str], user: User | None) -> frozenset[str] | None:
        """Return the ids of the texts of some corpora; None where none is named: everything that is seen."""
        found = self.named(keys, user)
        return frozenset(each for c in found for each in self._library.corpora.members(c.id)) if found else None

    def own_texts(self, user: User | None) -> set[str]:
        """Return the ids of the texts in the corpora that are a person's own."""
        own = [c for c in self._library.corpora.all() if c.owner == accounts.keeper(user)]
        return {each for c in own for each in self._library.corpora.members(c.id)}

    # --- what belongs to them

    def add(self, key: str, regulation_ids: Sequence[str], user: User | None) -> int:
        """Put texts that ``user`` may see into a corpus; return how many are new in it.

        Raises:
            NotFoundError: no such corpus, or no such text, for this person.
            NotPermittedError: the corpus is not theirs to fill.
        """
        corpus = self.filled(key, user)
        hidden = self._library.corpora.hidden_from(user)
        for each in regulation_ids:
            if each in hidden or not self._library.holds(each):
                raise NotFoundError(f"库内没有编号为 {each[:40]} 的法规，可能已移除。请刷新列表。")
        return self._library.corpora.add(corpus, regulation_ids, accounts.name_of(user))

    def withdraw(self, key: str, regulation_ids: Collection[str], user: User | None) -> int:
        """Take texts out of a corpus; return how many were in it.

        Raises:
            BadRequestError: one of them is nowhere else.
        """
        return self._library.corpora.withdraw(self.filled(key, user), regulation_ids, accounts.name_of(user))

    def release(self, regulation_id: str, user: User | None) -> str:
        """Let everybody see a text that came in through corpora alone; return its title.

        Raises:
            NotFoundError: no such text that is this person's to release.
        """
        self.require_own(regulation_id, user)
        title = self._library.row(regulation_id).title
        self._library.corpora.release(regulation_id, title, accounts.name_of(user))
        return title

    def require_own(self, regulation_id: str, user: User | None) -> None:
        """Let pass who may decide over a confined text.

        Raises:
            NotFoundError: it is none of theirs.
        """
        corpora = self._library.corpora
        everything = user is not None and user.may("system")
        if not (corpora.owned(regulation_id, user) or (everything and regulation_id in corpora.confined())):
            raise NotFoundError("这部法规不在您的私有资料中。请刷新列表。")

    def filled(self, key: str, user: User | None) -> Corpus:
        """Return a corpus that ``user`` may fill."""
        accounts.require(user, "ingest", self.users)
        (corpus,) = self.named([key], user)
        if not corpus.filled_by(user):
            raise NotPermittedError(f"“{corpus.name}”不能由您增减文件。请联系资料集的所有者{corpus.owner or ''}。")
        return corpus

    def _mine(self, key: str, user: User | None) -> Corpus:
        accounts.require(user, "ingest", self.users)
        (corpus,) = self.named([key], user)
        if not corpus.changed_by(user):
            raise NotPermittedError(f"“{corpus.name}”不是您的资料集。请联系其所有者{corpus.owner or ''}或管理员。")
        return corpus

    # --- figures

    def view(self, corpus: Corpus, seen: Library, user: User | None) -> dict[str, Any]:
        """Return a corpus with its figures over what ``seen`` holds of it, as plain data."""
        ids = [i for i in self._library.corpora.members(corpus.id) if seen.holds(i)]
        rows = [seen.row(i) for i in ids]
        places = Counter(row.province for row in rows)
        classes = Counter(row.doc_class or "" for row in rows)
        lengths = [end - start for i in ids for start, end in seen.spans(i).tolist()]
        if corpus.has_windows:
            if not self.here_only(own := QuestionScope(corpora=((corpus.id, corpus.changed),))):
                self.complete(own)  # cheap where no service is asked
            pieces = [p for p in self._library.corpora.windows(corpus.id) if p.regulation_id in set(ids)]
            lengths = [int(end - start) for p in pieces for start, end in p.spans.tolist()]
            searched = len(pieces)
        else:
            searched = sum(row.embedded for row in rows)
        return {
            **picked(corpus, "id name description owner visibility people embedder store chunking created=at changed"),
            "documents": len(rows),
            "articles": sum(row.articles for row in rows),
            "points": sum(row.points for row in rows),
            "chunks": len(lengths),
            "mean_length": round(sum(lengths) / len(lengths), 1) if lengths else None,
            "searched_by_meaning": searched,
            "provinces": dict(sorted(places.items())),
            "classes": dict(sorted(classes.items())),
            "sections": sum(len({above for above in seen.headings(i) if above}) for i in ids),
            "mine": corpus.changed_by(user),
            "fills": corpus.filled_by(user),
        }

    def shown(self, corpus: Corpus, seen: Library, user: User | None) -> dict[str, Any]:
        """Return what :meth:`view` does, with the texts."""
        rows = [seen.row(i) for i in self._library.corpora.members(corpus.id) if seen.holds(i)]
        rows.sort(key=lambda row: (row.title, row.id))
        return {**self.view(corpus, seen, user), "texts": [picked(row, "id title file") for row in rows]}

    # --- asked

    def scope(self, keys: Sequence[str], hidden: frozenset[str], user: User | None) -> QuestionScope:
        """Return what a question to some corpora is put to.

        Raises:
            BadRequestError: their scores by meaning cannot be compared.
        """
        if not keys:
            return QuestionScope(hidden)
        found = self.named(keys, user)
        ways = {(c.embedder, c.chunking) for c in found}
        if len(ways) > 1 and any(c.has_windows for c in found):
            names = "；".join(f"“{c.name}”{c.embedder}、{c.chunking}" for c in found)
            raise BadRequestError(f"这些资料集的向量模型或切块不同（{names}），相关程度无法比较。请分别提问。")
        within = frozenset(i for c in found for i in self._library.corpora.members(c.id))
        own = tuple((c.id, c.changed) for c in found if c.has_windows)
        return QuestionScope(hidden, within, own, any(c.store == "exact" for c in found))

    def complete(self, scope: QuestionScope) -> str | None:
        """Make the pieces that are missing in what is asked; return in Chinese what could not be made."""
        for number, _ in scope.corpora:
            corpus = self._library.corpora.get(number)
            with self._lock:
                known = {p.regulation_id: p for p in self._library.corpora.windows(number)}
            for regulation_id in self._library.corpora.members(number):
                if not self._library.holds(regulation_id):
                    continue
                row = self._library.row(regulation_id)
                if (had := known.get(regulation_id)) is not None and had.text_sha256 == row.text_sha256:
                    continue
                try:
                    made = windows_of(
                        self._library.regulation(regulation_id),
                        self._library.spans(regulation_id),
                        corpus,
                        self._embedder(corpus.embedder),
                    )
                except (ServiceError, ConfigError) as error:
                    return f"资料集“{corpus.name}”的向量未能全部生成（{error.message}）"
                self._library.corpora.keep_windows(number, replace(made, text_sha256=row.text_sha256))
        return None

    def retriever(self, scope: QuestionScope, seen: Library) -> Retriever:
        """Return what searches a scope over the library as it is seen there."""
        if scope.corpora:
            corpus = self._library.corpora.get(scope.corpora[0][0])
            pieces = [p for number, _ in scope.corpora for p in self._library.corpora.windows(number)]
            return Retriever(seen, self._embedder(corpus.embedder), self._settings, WindowSearch(seen, pieces))
        meaning = ExactSearch(seen) if scope.exact else None
        return Retriever(seen, self._embedder("library"), self._settings, meaning)

    def here_only(self, scope: QuestionScope) -> bool:
        """Tell whether a question needs an embedder that reader processes do not have."""
        own = (self._library.corpora.get(number).embedder for number, _ in scope.corpora)
        return any(name in ("transformer", "gemini") for name in own)

    def _embedder(self, name: str) -> Embedder:
        with self._lock:
            if name not in self._embedders:
                self._embedders[name] = embedder_of(name, self._settings)
            return self._embedders[name]

    def close(self) -> None:
        """Close the embedders that corpora have of their own."""
        for name, embedder in self._embedders.items():
            closing: Callable[[], None] | None = getattr(embedder, "close", None)
            if name != "library" and closing:
                closing()
