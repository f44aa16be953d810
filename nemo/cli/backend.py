"""Where a command is answered: by the library itself, or by the running process that owns it (本机服务).

One process owns a library. While it runs, commands go to it over HTTP on this machine, with the token that lies beside
the library; without one they open the library. Both give the same plain data, and fail with the same errors.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from nemo.cli.frame import opened
from nemo.errors import NemoError, ServiceError, of_code
from nemo.text.words.days import day_of

if TYPE_CHECKING:
    from nemo.engine import Engine
    from nemo.settings import Settings
    from nemo.store.files.backup import Backup
    from nemo.types import Progress, RawDocument

POLL_SECONDS = 0.5
"""How often a running owner is asked how far it is."""

PART_FILES, PART_BYTES = 100, 64 * 2**20
"""What is sent of a batch at once: progress is told after each part."""


@dataclass(frozen=True)
class GivenSources:
    """What is to be ingested, and what is known of it."""

    paths: Sequence[Path]
    addresses: Sequence[str]
    manifest: Path | None
    facts: Mapping[str, Any]


@contextmanager
def reached(library: Path | None, *, read_only: bool = False) -> Iterator[OpenedBackend | OwnerBackend]:
    """Yield the running owner of a library, or the library opened here, where asked for only to look at it.

    Raises:
        ConfigError: a process owns it that does not answer over HTTP.
    """
    from nemo import settings
    from nemo.store import sharing
    from nemo.store.files import lock

    given = settings.load(library=library)
    url = next(filter(None, map(lock.answering, sharing.seats(given))), None)
    with ExitStack() as stack:
        if url is None:
            yield OpenedBackend(stack.enter_context(opened(library, read_only=read_only)))
        else:
            yield stack.enter_context(closing(OwnerBackend(url, given)))


class OpenedBackend:
    """The library, opened by this process; everything it gives is plain data, as ``--json`` prints it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def ask(self, question: str, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Answer a question; ``asked`` holds what a request to ``/api/v1/query`` does, as_of in ISO form."""
        from nemo import export

        given = dict(asked)
        given["summarise"] = given.pop("summary", False)
        mode = given.pop("mode", None)
        answer = self._engine.ask(question, day=day_of(given.pop("as_of")), **given)
        return export.answer_json(answer) | self._engine.answers.beside(answer, mode)

    def show(self, key: str, article: str | None, as_of: str | None) -> dict[str, Any]:
        """Return a regulation or one article."""
        return self._engine.show(key, article=article, day=day_of(as_of))

    def figures(self, key: str) -> dict[str, Any]:
        """Return the pictures, tables and formulas of a regulation."""
        from nemo import export

        return export.figures.listed(self._engine.regulation(key))

    def picture(self, key: str, number: int) -> bytes:
        """Return a picture of a regulation as PNG."""
        from nemo import export

        return export.figures.image(self._engine.library, self._engine.regulation(key), number)

    def listing(self) -> list[dict[str, Any]]:
        """Return every held regulation."""
        return self._engine.listing()

    def corpora(self, verb: str, key: str | None, given: Mapping[str, Any]) -> dict[str, Any]:
        """Do one of create, list, show, change, delete, add, withdraw with a corpus, as its address does."""
        from nemo.corpora import CorpusOptions

        engine = self._engine
        corpora, who, name = engine.corpora, engine.person, key or ""

        def ids() -> list[str]:
            return [engine.regulation(each).id for each in given.get("regulations") or [given["regulation"]]]

        def view(corpus: Any) -> dict[str, Any]:
            return corpora.view(corpus, engine.library, who)

        verbs: dict[str, Callable[[], dict[str, Any]]] = {
            "create": lambda: view(corpora.create(CorpusOptions(**given), who)),
            "list": lambda: {"corpora": [view(corpus) for corpus in corpora.seen(who)]},
            "show": lambda: corpora.shown(corpora.named([name], who)[0], engine.library, who),
            "change": lambda: view(corpora.change(name, CorpusOptions(**given), who)),
            "delete": lambda: {"deleted": name, "removed": corpora.delete(name, who, **given)},
            "add": lambda: {"changed": corpora.add(name, ids(), who)},
            "withdraw": lambda: {"changed": corpora.withdraw(name, ids(), who)},
        }
        return verbs[verb]()

    def search(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Return what ``GET /api/v1/search`` does."""
        from nemo import export
        from nemo.answer.question.scope import SearchPlace
        from nemo.types import Filters

        day, corpora = day_of(asked.get("as_of")), tuple(asked.get("corpora", ()))
        filters = Filters(asked.get("province"), asked.get("asset"), asked.get("doc_class"), day, corpora)
        place = SearchPlace(asked.get("regulation"), asked.get("section"))
        found = self._engine.search(asked["question"], filters, asked["k"], asked["threshold"], place)
        return {"results": [export.ranked_json(one) for one in found]}

    def memory(self, verb: str, given: Mapping[str, Any]) -> dict[str, Any]:
        """Search or forget as ``/api/v1/memory`` does; who works on the machine itself has the memories of nobody else."""
        from nemo.types import today

        if verb == "forget":
            return self._engine.memory.forget(given["kind"], given["key"], None)
        found = self._engine.memory.search(given["app"], None, given["query"], today(), given["limit"])
        return {"memories": [one.plain() for one in found]}

    def backup(self, file: Path) -> Backup:
        """Write the whole library into one file; see :meth:`Library.backup`."""
        return self._engine.library.backup(file)

    def quality(self, days: int) -> dict[str, Any]:
        """Return the figures of the answers of so many days, as ``/api/v1/quality`` does."""
        return {"days": [asdict(one) | {"day": one.day.isoformat()} for one in self._engine.library.quality(days)]}

    def ingest(self, sources: GivenSources, progress: Callable[[Progress], None]) -> dict[str, Any]:
        """Ingest, and return the report."""
        from nemo.accounts import OPERATOR

        return self._engine.intake.ingest(
            sources.paths,
            manifest=sources.manifest,
            facts=sources.facts,
            progress=progress,
            addresses=sources.addresses,
            user=OPERATOR,
        ).as_json()

    def audit(self, memo: RawDocument, as_of: str | None, form: str, since: str | None = None) -> bytes:
        """Return the audit of a memo as ``json``, or as a file: ``docx``, ``xlsx``; beside an earlier one (JSON)."""
        from nemo.audit.again import earlier

        before = earlier(since.encode()) if since else None
        return self._engine.audit.written(self._engine.audit.audit(memo, day_of(as_of)), memo, form, before)

    def propose(
        self, regulations: Sequence[str], given: Mapping[str, Any], progress: Callable[[Mapping[str, Any]], None]
    ) -> dict[str, Any]:
        """Ask a model for edges of some texts; ``given`` are the options that differ; return the run as it ended."""
        service, ids = self._engine.answers.proposals, [self._engine.regulation(each).id for each in regulations]
        options = replace(service.options(None), **given)
        return service.plain_run(service.run(ids, options, None, lambda run: progress(service.plain_run(run))))

    def decide(self, number: int, approved: bool, reason: str) -> dict[str, Any]:
        """Approve or reject a proposed edge; return it."""
        service = self._engine.answers.proposals
        return service.plain(service.decide(number, approved, reason, None))

    def watching(self, what: str, given: Mapping[str, Any]) -> dict[str, Any]:
        """Do something with watched sources and return them: ``add``, ``list``, ``run`` (at once), ``pause``."""
        from nemo.accounts import OPERATOR

        watch, results = self._engine.watch, {}
        if what == "add":
            watch.add(given["subject"], given["schedule"], OPERATOR)
        elif what == "pause":
            watch.pause(given["watch"], given["paused"], OPERATOR)
        elif what == "run":
            wanted = [given["watch"]] if given["watch"] else [w.id for w in watch.store.watches() if not w.paused]
            watch.recover()
            results = {"queued": sum(watch.run(number, OPERATOR) for number in wanted)}
            watch.work()
        return {**results, "watches": watch.overview()}


class OwnerBackend:
    """The process that owns the library, over HTTP on this machine; no proxy is asked."""

    def __init__(self, url: str, settings: Settings) -> None:
        import httpx  # only who meets a running owner pays for it

        from nemo import access

        self._url, self._settings = url, settings
        own = settings.api_token
        token = own.get_secret_value() if own else access.shown(settings.library)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        # A library may take long to check, and a file to read: only an owner that is not there is given up.
        waits = httpx.Timeout(None, connect=10.0)
        self._line = httpx.Client(base_url=f"{url}/api/v1", headers=headers, timeout=waits, trust_env=False)

    def close(self) -> None:
        """Let go of the line."""
        self._line.close()

    def _sent(self, method: str, path: str, **what: Any) -> dict[str, Any]:
        """Send a request and return its answer as plain data; see :meth:`_reply`."""
        found: dict[str, Any] = json.loads(self._reply(method, path, **what))
        return found

    def _reply(self, method: str, path: str, **what: Any) -> bytes:
        """Send a request and return its answer.

        Raises:
            NemoError: whatever the owner says.
            ServiceError: it does not answer, or not as Nemo does.
        """
        import httpx

        try:
            reply = self._line.request(method, path, **what)
            file = reply.is_success and reply.headers.get("content-type") != "application/json"
            found = {} if file else reply.json()
        except httpx.HTTPError as error:
            raise self._silent(error) from error
        except ValueError as error:
            raise ServiceError(f"{self._url} 的应答不是 JSON（HTTP {reply.status_code}）。请查看它的日志。") from error
        if reply.is_error:
            raise _refusal(found, reply.status_code)
        return reply.content

    def _silent(self, error: Exception) -> ServiceError:
        return ServiceError(f"正在使用资料库的程序（{self._url}）没有应答（{error}）。请查看它的日志后重试。")

    def backup(self, file: Path) -> Backup:
        """See :class:`OpenedBackend`; it is written here as it comes."""
        from nemo.store.files import backup as backups

        return backups.kept(file, self._settings.library, self._pieces(f"{self._url}/api/backup"))

    def _pieces(self, address: str) -> Iterator[bytes]:
        """Yield what lies at an address; for the errors see :meth:`_reply`."""
        import httpx

        try:
            with self._line.stream("GET", address) as reply:
                if reply.is_error:
                    raise _refusal(json.loads(reply.read()), reply.status_code)
                yield from reply.iter_bytes()
        except (httpx.HTTPError, ValueError) as error:
            raise self._silent(error) from error

    def ask(self, question: str, asked: Mapping[str, Any]) -> dict[str, Any]:
        """See :class:`OpenedBackend`."""
        return self._sent("POST", "/query", json={"question": question, **asked})

    def show(self, key: str, article: str | None, as_of: str | None) -> dict[str, Any]:
        """See :class:`OpenedBackend`."""
        stated = {"article": article, "as_of": as_of}
        params = {name: value for name, value in stated.items() if value is not None}
        return self._sent("GET", f"/regulations/{quote(key, safe='')}", params=params)

    def figures(self, key: str) -> dict[str, Any]:
        """See :class:`OpenedBackend`."""
        return self._sent("GET", "/figures", params={"regulation": key})

    def picture(self, key: str, number: int) -> bytes:
        """See :class:`OpenedBackend`."""
        return self._reply("GET", "/figures/image", params={"regulation": key, "figure": number})

    def listing(self) -> list[dict[str, Any]]:
        """See :class:`OpenedBackend`."""
        rows: list[dict[str, Any]] = self._sent("GET", "/regulations")["regulations"]
        return rows

    def ingest(self, sources: GivenSources, progress: Callable[[Progress], None]) -> dict[str, Any]:
        """Send the files part by part; the owner takes in one part after the other. See :class:`OpenedBackend`."""
        from nemo.ingest import files_in
        from nemo.types import Progress

        own = self._settings.library.resolve()
        files = [f for f in files_in(sources.paths) if not f.resolve().is_relative_to(own)]
        form = {"wait": "true", "facts": json.dumps(dict(sources.facts), ensure_ascii=False)}
        if sources.manifest is not None:
            form["manifest"] = _manifest(sources.manifest, files)
        report = _nothing()
        total = len(files) + len(sources.addresses)
        # Addresses first: one that may not be fetched stops everything, as it does without an owner.
        parts: list[Sequence[Path | str]] = [*([address] for address in sources.addresses), *_parts(files)]
        for part in parts:
            given = self._part(part, report)
            if given is None:
                continue
            _add(report, self._sent("POST", "/ingest", data={**form, **given[0]}, files=given[1]))
            done = len(report["files"])
            progress(Progress(done, max(total, done), str(part[-1]), report["chunks"], report["seconds"]))
        return report

    def corpora(self, verb: str, key: str | None, given: Mapping[str, Any]) -> dict[str, Any]:
        """See :class:`OpenedBackend`."""
        at = f"/corpora/{quote(key or '', safe='')}" if key else "/corpora"
        if verb == "delete":
            return self._sent("DELETE", at, params={"with_texts": given["with_texts"]})
        if verb == "withdraw":
            return self._sent("DELETE", f"{at}/texts/{quote(given['regulation'], safe='')}")
        method = {"create": "POST", "change": "PATCH", "add": "POST"}.get(verb, "GET")
        where = f"{at}/texts" if verb == "add" else at
        return self._sent(method, where, **({} if method == "GET" else {"json": dict(given)}))

    def search(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """See :class:`OpenedBackend`."""
        return self._sent("GET", "/search", params=dict(asked))

    def memory(self, verb: str, given: Mapping[str, Any]) -> dict[str, Any]:
        """See :class:`OpenedBackend`; the owner asks whose token it is."""
        if verb == "forget":
            return self._sent("DELETE", f"/memory/{quote(given['kind'], safe='')}/{quote(given['key'], safe='')}")
        return self._sent("GET", "/memory", params=dict(given))

    def quality(self, days: int) -> dict[str, Any]:
        """See :class:`OpenedBackend`."""
        return self._sent("GET", "/quality", params={"days": days})

    def audit(self, memo: RawDocument, as_of: str | None, form: str, since: str | None = None) -> bytes:
        """See :class:`OpenedBackend`."""
        asked = {"form": form} | {k: v for k, v in (("as_of", as_of), ("since", since)) if v}
        return self._reply("POST", "/audit", data=asked, files={"file": (memo.name, memo.content, UNKNOWN)})

    def propose(
        self, regulations: Sequence[str], given: Mapping[str, Any], progress: Callable[[Mapping[str, Any]], None]
    ) -> dict[str, Any]:
        """See :class:`OpenedBackend`; whoever interrupts this stops the run."""
        run = self._sent("POST", "/graph/runs", json={"regulations": list(regulations), **given})
        done = -1
        while run["active"]:
            try:
                if run["done"] > done:
                    done = run["done"]
                    progress(run)
                time.sleep(POLL_SECONDS)
            except KeyboardInterrupt:
                self._sent("DELETE", f"/graph/runs/{run['number']}")
            run = next(one for one in self._sent("GET", "/graph/runs")["runs"] if one["number"] == run["number"])
        return run

    def decide(self, number: int, approved: bool, reason: str) -> dict[str, Any]:
        """See :class:`OpenedBackend`; the owner asks whose token it is."""
        return self._sent("POST", f"/graph/proposals/{number}", json={"approved": approved, "reason": reason})

    def watching(self, what: str, given: Mapping[str, Any]) -> dict[str, Any]:
        """See :class:`OpenedBackend`; a visit is paid in the owner's background."""
        if what == "add":
            return self._sent("POST", "/watch", json=dict(given))
        if what == "pause":
            return self._sent("POST", f"/watch/{given['watch']}/pause", json={"paused": given["paused"]})
        found = self._sent("GET", "/watch")
        if what == "list":
            return found
        wanted = [given["watch"]] if given["watch"] else [w["id"] for w in found["watches"] if not w["paused"]]
        results = [self._sent("POST", f"/watch/{number}/run") for number in wanted]
        return {"queued": sum(one["queued"] for one in results), "watches": (results or [found])[-1]["watches"]}

    def _part(self, part: Sequence[Path | str], report: dict[str, Any]) -> tuple[dict[str, str], list[Any]] | None:
        """Return the form and the files of a part; what cannot be read is put into the report."""
        from nemo.errors import UnreadableDocumentError
        from nemo.ingest import FileOutcome, read_file

        if isinstance(part[0], str):
            return {"addresses": part[0]}, []
        sent = []
        for file in map(Path, part):
            try:
                raw = read_file(file, self._settings.max_file_bytes)
            except UnreadableDocumentError as error:
                failed = FileOutcome(file.name, "failed", reason=error.message, tips=error.tips)
                _add(report, {**_nothing(), "counts": {"failed": 1}, "files": [asdict(failed)]})
                continue
            sent.append(("files", (raw.name, raw.content, UNKNOWN)))
        return ({}, sent) if sent else None


def _refusal(found: Any, status: int) -> NemoError:
    """Return the error that an owner tells."""
    told = found if isinstance(found, dict) else {"message": f"HTTP {status}"}
    return of_code(str(told.get("code", "")), str(told.get("message")), tuple(told.get("tips", ())))


UNKNOWN = "application/octet-stream"
"""Media type of what is decided by its bytes alone, as it is where a library reads the file itself."""


def _manifest(path: Path, files: Sequence[Path]) -> str:
    """Return the words of a manifest after the check that a library makes: it names no file that is nowhere."""
    from nemo import rules, settings
    from nemo.ingest import check_manifest
    from nemo.ingest.manifest import read

    check_manifest(read(path, rules.load(settings.load().rules)), files, path.parent)
    return path.read_text("utf-8-sig")


def _nothing() -> dict[str, Any]:
    from nemo.ingest import IngestReport

    return IngestReport((), 0, 0.0).as_json()


def _add(report: dict[str, Any], part: Mapping[str, Any]) -> None:
    """Add the report of a part to the one of the whole."""
    for state, count in part["counts"].items():
        report["counts"][state] += count
    report["chunks"] += part["chunks"]
    report["seconds"] = round(report["seconds"] + part["seconds"], 2)
    report["unknown_fields"] = sorted({*report["unknown_fields"], *part["unknown_fields"]})
    report["files"] += part["files"]


def _parts(files: Iterable[Path]) -> Iterator[list[Path]]:
    """Yield files in parts of at most so many and, but for one large file, so much."""
    part: list[Path] = []
    size = 0
    for file in files:
        weight = file.stat().st_size if file.is_file() else 0
        if part and (len(part) == PART_FILES or size + weight > PART_BYTES):
            yield part
            part, size = [], 0
        part.append(file)
        size += weight
    if part:
        yield part
