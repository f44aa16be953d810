"""The one that knows everything: builds the parts from the settings, wires them and calls them.

Thread-safe and without per-question state: any number of sessions may ask while one ingests. What a question does not
need has services of its own, built when first asked for: ``intake``, ``answers``, ``audit``, ``evaluation`` and ``training``.
"""

from __future__ import annotations

import copy
import logging
import tempfile
import threading
import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

from cachetools import LRUCache
from threadpoolctl import threadpool_limits

from nemo import access, accounts, embed, lawview, rerank
from nemo import rules as rule_data
from nemo.answer import pipeline
from nemo.answer.decision import AnswerParts, AskedQuestion
from nemo.answer.delegation import EngineDelegate
from nemo.answer.question.query import HeldQuestionReader, QuestionReader, reader_of
from nemo.answer.question.scope import WHOLE, WHOLE_TEXT, QuestionScope, SearchPlace, check_numbers, within_section
from nemo.answer.quotes import validation
from nemo.answer.remembered import RememberedAnswers
from nemo.answer.rendering import summary
from nemo.answer.retrieve import Retriever
from nemo.corpora import CorpusService
from nemo.errors import ConfigError, NotFoundError
from nemo.lawview import holdings
from nemo.services import tracing
from nemo.settings import Settings
from nemo.store.catalogue.rows import RegulationRow
from nemo.store.files.disk import DiskRefusalError, require_readable
from nemo.store.library import Library
from nemo.store.seen import SeenLibrary
from nemo.text.words.homophones import Homophones
from nemo.types import Answer, Day, Filters, Ranked, Regulation, Span, new_trace_id, today

if TYPE_CHECKING:
    from nemo.audit import AuditService
    from nemo.evaluation.service import EvaluationService
    from nemo.ingest.report import IngestReport
    from nemo.ingest.service import IntakeService
    from nemo.parse import PageImage
    from nemo.review.memory import MemoryService
    from nemo.review.service import AnswerService
    from nemo.train.service import TrainingService
    from nemo.watch.service import WatchService

log = logging.getLogger(__name__)

Service = TypeVar("Service")

BUILTIN = "static-zh-256"
"""Folder of the built-in embedder among the models."""

TRIES = 20
"""A question is asked anew at most so often when texts are removed while it is answered."""


CHANGING = "资料库正在大量更替，暂时无法作答。请稍后再问。"


ANYWHERE = Filters()

SCOPES = 24
"""Narrower views of the library that are kept ready."""


class Engine:
    """One library with everything that serves it, as the operator sees it; :meth:`seen_by` gives what one person sees."""

    def __init__(self, settings: Settings, library: Library, embedder: embed.Embedder) -> None:
        self.settings = settings
        self.rules = rule_data.load(settings.rules)
        self.library = library
        self.embedder = embedder
        self.users = accounts.users_of(settings.users_file, settings.sso, settings.sso_role)
        token_service = access.TokenService(library.tokens, settings.library)
        self.access = access.AccessService(token_service, settings, self.users, library.note)
        self.law = lawview.LawOverview(library, self.rules, lambda: self.reader().names.ids)
        renderer, summariser = summary.configured(settings)
        self.parts = AnswerParts(
            library,
            Retriever(library, embedder, settings),
            rerank.load(settings, library),
            self.rules,
            settings,
            self.law,
            rerank.load_stages(settings),
            renderer=renderer,
            summariser=summariser,
        )
        self._homophones = Homophones(vocabulary(settings.models), library.document_frequency)
        self._readers: LRUCache[int, HeldQuestionReader] = LRUCache(1)
        self._remembered = RememberedAnswers()
        self.corpora = CorpusService(library, embedder, settings, self.users)
        self.whole = self
        """The engine of all that is held; itself unless this one is somebody's view."""
        self.person: accounts.User | None = accounts.OPERATOR
        """Whose view this is; None where nobody signs in."""
        self._scope = WHOLE
        self._scoped: LRUCache[Hashable, Engine] = LRUCache(SCOPES)
        self._lock = threading.Lock()
        self._services: dict[str, Any] = {}
        self._closed = False
        self.elsewhere: EngineDelegate | None = None
        """Who answers in place of this process; set by whoever serves many."""
        self._building = threading.Lock()
        """Held while a service is built: apart from ``_lock``, so that no question waits for an import."""

    @classmethod
    def open(cls, settings: Settings, *, read_only: bool = False) -> Engine:
        """Open the library and every part that is configured.

        A library on a disk that takes nothing is opened read-only: asking goes on, and every answer says so.
        ``read_only`` looks only, beside the process that owns the library, too.

        Raises:
            NotFoundError: there is no library to look at.
            ConfigError: the library is owned by another process, newer than this program, or a part cannot be loaded.
        """
        require_readable(settings.library)
        threadpool_limits(1, "blas")  # small products: waking every core costs more than it brings, 60 ms against 26
        embedder = embed.load(settings)
        try:
            library = Library.open(settings, embedder.name, embedder.dim, read_only=read_only)
        except DiskRefusalError as refused:
            if read_only or settings.database_url or not settings.catalogue_path.is_file():
                raise
            log.warning("opened read-only: %s", refused.message)
            library = Library.open(settings, embedder.name, embedder.dim, read_only=True)
        try:
            return cls(library.settings, library, embedder)
        except BaseException:
            library.close()  # else the next try finds it owned by this very process, and nobody reads what was wrong
            raise

    def stop_ingesting(self) -> None:
        """Stop ingesting before the rest closes; what is queued goes on at the next start, questions are answered on."""
        with self._building:
            running = [self._services.get(name) for name in ("watch", "intake")]
        for service in filter(None, running):
            service.close()

    def close(self) -> None:
        """Stop ingesting, finish writes, close the indexes and give the library back; the queue goes on at the next start."""
        with self._building:
            self._closed = True
        self.stop_ingesting()
        if self.elsewhere is not None:
            self.elsewhere.close()
        self.library.close()
        for part in (self.embedder, self.corpora, *self.parts.stages, self.parts.renderer, self.parts.summariser):
            if close := getattr(part, "close", None):
                close()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- who sees what

    def seen_by(self, person: accounts.User | None) -> Engine:
        """Return this engine as one person (None where nobody signs in) sees it: without the texts that are not theirs
        to see, for every purpose. Every window asks this, and no other rule, who sees what.
        """
        if self.whole is self:
            self.library.follow()
        hidden = self.library.corpora.hidden_from(person) if self.whole is self else self._scope.hidden
        seen = copy.copy(self.whole.scoped(QuestionScope(hidden)))
        seen.person = person
        return seen

    @property
    def state(self) -> Hashable:
        """What this view of the library depends on: whatever is kept of it for later is kept under this."""
        return self.whole.library.generation, self._scope

    def scoped(self, scope: QuestionScope) -> Engine:
        """Return the engine over a part of the library."""
        whole = self.whole
        if scope == WHOLE:
            return whole
        key = (whole.library.generation, scope, id(whole.parts))
        with whole._lock:
            known = whole._scoped.get(key)
        if known is None:
            known = whole._over(scope)
            with whole._lock:
                whole._scoped[key] = known
        return known

    def _over(self, scope: QuestionScope) -> Engine:
        """Return an engine of its own over a part of the library; validity follows from all that its person sees."""
        made, view = copy.copy(self), self.library.view
        made._scope, made._readers, made._services = scope, LRUCache(1), {}
        hidden = view.without(scope.hidden) if scope.hidden else view
        made.library = SeenLibrary(self.library, hidden, scope.hidden)
        made.law = lawview.LawOverview(made.library, self.rules, lambda: made.reader().names.ids)
        if scope.within is not None:
            made.law = self.scoped(QuestionScope(scope.hidden)).law
            made.library = SeenLibrary(self.library, hidden.only(scope.within), scope.hidden)
        made.parts = self.parts.over(made.library, self.corpora.retriever(scope, made.library), made.law)
        return made

    # --- the services, built when first asked for

    def _service(self, name: str, build: Callable[[], Service]) -> Service:
        with self._building:
            if name not in self._services:
                self._services[name] = build()
            found: Service = self._services[name]
            return found

    @property
    def intake(self) -> IntakeService:
        """Everything that changes what is held: of the whole library, whoever asks.

        Raises:
            ConfigError: the engine was closed before anybody came in.
        """
        if self.whole is not self:
            return self.whole.intake.seen_by(self.person)

        def build() -> IntakeService:
            if self._closed:  # the library is given back: nothing may be written into it
                raise ConfigError("资料库已关闭，不能再入库。请重新启动程序。")
            from nemo.ingest.service import IntakeService as Intake  # readers of every format: no question needs them

            return Intake(self.library, self.embedder, self.rules, self.settings, self.corpora)

        return self._service("intake", build)

    @property
    def answers(self) -> AnswerService:
        """What people do with answers."""
        from nemo.review.service import AnswerService  # what writes and checks exports: no question needs it

        return self._service("answers", lambda: AnswerService(self.library, self.rules, self.users, self.law))

    @property
    def memory(self) -> MemoryService:
        """What people asked, noted, decided and added, each for themselves."""
        from nemo.review.memory import MemoryService

        def build() -> MemoryService:
            evidence = self.scoped(self._scope).evidence
            return MemoryService(self.library, self.embedder, self.law.repealed_bases, evidence, self.rules)

        return self._service("memory", build)

    @property
    def audit(self) -> AuditService:
        """Judging the citations of memos."""
        from nemo.audit import AuditService  # readers of memos and their grammar: no question needs them

        given = self.library, self.law, lambda: self.reader().names, self.settings
        return self._service("audit", lambda: AuditService(*given))

    @property
    def watch(self) -> WatchService:
        """Collecting on a schedule; for the whole library, compared with what everybody sees of it."""
        from nemo.watch.service import WatchService  # the network stack: only who collects pays for it

        return self.whole._service("watch", lambda: WatchService.of(self.whole))

    @property
    def evaluation(self) -> EvaluationService:
        """How good the answers are."""
        from nemo.evaluation.service import EvaluationService  # measures: no question needs them

        given = self.parts, self.embedder.name, self._answered, self.users
        return self._service("evaluation", lambda: EvaluationService(*given))

    @property
    def training(self) -> TrainingService:
        """Making the built-in models better; from the whole library."""
        from nemo.train.service import TrainingService  # lightgbm, scipy: only who trains pays for them

        whole = self.whole
        return whole._service("training", lambda: TrainingService(whole.parts, whole.reader))

    def ingest(self, paths: Sequence[str | Path], manifest: str | Path | None = None) -> IngestReport:
        """Read files, folders and archives; one that cannot be read never stops the others.

        Raises:
            NotFoundError: a path does not exist.
            BadRequestError: the manifest is not readable.
        """
        return self.intake.ingest([Path(p) for p in paths], manifest=Path(manifest) if manifest else None)

    def resume(self) -> None:
        """Go on with what an earlier process left queued; a process that stays calls this once after opening."""
        if not self.library.read_only:
            self.library.on_jobs = lambda: (
                self.intake.jobs.resume()
            )  # of several processes whoever is free takes the next
            if self.library.jobs.busy():
                self.intake.jobs.resume()
            if self.settings.discovery or self.settings.notifies:
                self.watch.start()

    # --- the way out

    def ask(
        self,
        question: str,
        filters: Filters = ANYWHERE,
        *,
        user: str | None = None,
        context: str | None = None,
        summarise: bool = False,
        **narrowed: Any,
    ) -> Answer:
        """Answer one question with verbatim quotes, or refuse; the answer is kept under its trace id.

        ``context`` is the trace id of the kept answer that this question follows (追问); ``narrowed`` are fields of
        ``Filters`` by name, as in ``ask("…", province="gd")``.

        Raises:
            BadRequestError: a code is unknown, or a number outside its range.
            NotFoundError: no answer is kept under ``context``, or no such corpus for this person.
        """
        before = self.library.answers.get(context) if context else None
        narrowed["corpora"] = tuple(narrowed.get("corpora", filters.corpora))
        answer, cached = self._answered_or_known(question, replace(filters, **narrowed), before)
        if summarise:
            answer = summary.with_summary(answer, self.parts.summariser)
        answer, wrong = validation.validated(answer, self.library)
        if self.settings.keep_answers:
            self.library.save_answer(answer, user, validation.measures(answer, wrong, cached=cached))
        outcome = answer.refusal.reason.value if answer.refusal else "answered"
        log.info("question: %s in %.1f ms", outcome, answer.elapsed_ms, extra={"trace_id": answer.trace_id})
        if short := self.library.shortfalls:
            return replace(answer, degraded=(*answer.degraded, *short))
        return answer

    def evidence(self, question: str) -> Sequence[Ranked]:
        """Return the provisions that an answer would rest on, without keeping one; none where it would be refused."""
        return self._known_or_composed(question, Filters(), None)[0].ranked

    def ask_after(self, previous: str, question: str, filters: Filters) -> Answer:
        """Answer a question behind another one that was asked under the same filters; neither is kept.

        Raises:
            BadRequestError: a code is unknown.
        """
        return self._answered(question, filters, self._answered(previous, filters))

    def search(
        self, question: str, filters: Filters, limit: int = 10, threshold: float = 0.0, place: SearchPlace | None = None
    ) -> list[Ranked]:
        """Return provisions by their chances (``threshold`` or more) to hold what is asked; whether they are evidence
        is not judged.

        ``place`` is one text, one section of it, or the person's own texts.

        Raises:
            BadRequestError: a code is unknown, or the question is empty or too long.
            NotFoundError: no such text, section or corpus for this person.
        """
        place = place or SearchPlace()
        self.rules.check_codes(province=filters.province, asset=filters.asset, doc_class=filters.doc_class)
        self.whole.library.follow()
        asked = self._asked(question, filters)
        if (within := self._within(place, filters.day)) is not None:
            both = within if asked.scope.within is None else within & asked.scope.within
            asked = replace(asked, scope=replace(asked.scope, within=both))
        at_most = limit if place.section is None else WHOLE_TEXT
        found: list[Ranked] = self._done("find", asked, today(), at_most, threshold)
        held = [one for one in found if self.whole.library.holds(one.regulation_id)]  # not removed a moment ago
        if place.section is not None:
            named = self.regulation(place.regulation, filters.day) if place.regulation else None
            held = within_section(self.library, held, place.section, named)
        return held[:limit]

    def _within(self, place: SearchPlace, day: Day | None) -> frozenset[str] | None:
        ids = [{self.regulation(place.regulation, day).id}] if place.regulation else []
        ids += [set(self.corpora.own_texts(self.person))] if place.mine else []
        return frozenset(set.intersection(*ids)) if ids else None

    def find(self, question: AskedQuestion, day: Day, limit: int, threshold: float) -> list[Ranked]:
        """Do what :meth:`search` is asked, in this process."""
        engine = self.scoped(question.scope)
        return pipeline.search(engine.parts, engine.reader(), question, day, limit, threshold)

    def _asked(self, question: str, filters: Filters, before: Answer | None = None) -> AskedQuestion:
        """Return a question with what of the library it is put to, ready to be searched."""
        check_numbers(filters)
        hidden = self._scope.hidden
        if self.whole is not self:  # also what came in since this view was made
            hidden |= self.whole.library.corpora.hidden_from(self.person)
        scope = self.corpora.scope(filters.corpora, hidden, self.person)
        return AskedQuestion(question, filters, before, scope)

    def _answered(self, question: str, filters: Filters, before: Answer | None = None) -> Answer:
        return self._answered_or_known(question, filters, before)[0]

    def _answered_or_known(self, question: str, filters: Filters, before: Answer | None) -> tuple[Answer, bool]:
        """Return an answer, and whether it was known already."""
        with tracing.span("question") as span:
            answer, cached = self._known_or_composed(question, filters, before)
            outcome = answer.refusal.reason.value if answer.refusal else "answered"
            tracing.named(span, answer.trace_id, outcome)
        self.parts.measures.question(outcome)
        return answer, cached

    def _known_or_composed(self, question: str, filters: Filters, before: Answer | None) -> tuple[Answer, bool]:
        began = time.perf_counter()
        self.rules.check_codes(province=filters.province, asset=filters.asset, doc_class=filters.doc_class)
        library = self.whole.library
        library.follow()
        asked = self._asked(question, filters, before)
        key = (
            library.generation,
            library.reviews.version,
            question,
            filters,
            asked.scope,
            before and before.trace_id,
            (today(), library.standards.version),
        )
        known, cached = self._remembered.answer(key, lambda: self._complete(asked))
        self.parts.measures.cached(cached)
        return pipeline.timed(replace(known, trace_id=new_trace_id()), (time.perf_counter() - began) * 1000), cached

    def _complete(self, asked: AskedQuestion) -> Answer:
        """Return the answer to a question, with what of the asked corpora is not searchable yet named on it."""
        lack = self.corpora.complete(asked.scope)
        made = self._made(asked)
        if lack:
            self.whole._scoped.clear()
            return replace(made, degraded=(*made.degraded, lack))
        return made

    def _made(self, question: AskedQuestion) -> Answer:
        """Return an answer made here or elsewhere whose texts are all held when it is there."""
        for _ in range(TRIES):
            answer: Answer = self._done("compose", question, today())
            self.whole.library.follow()
            if all(self.whole.library.holds(quote.regulation_id) for quote in answer.quotes):
                return answer
        raise ConfigError(CHANGING)

    def _done(self, verb: str, question: AskedQuestion, *given: Any) -> Any:
        """Return what a method makes of a question, in a process beside this one where there is one for it."""
        here = getattr(self, verb)
        if self.elsewhere is None or self.corpora.here_only(question.scope):
            return here(question, *given)
        return self.elsewhere.run(verb, (question, *given), here)

    def compose(self, question: AskedQuestion, day: Day) -> Answer:
        """Return the answer to a question that ``day`` is today for, made in this process; it is neither counted nor kept.

        Raises:
            ConfigError: the texts change so fast that no answer stands.
        """
        trace_id = new_trace_id()
        for _ in range(TRIES):
            library = self.whole.library
            generation = library.generation
            try:
                engine = self.scoped(question.scope)
                return pipeline.answer(engine.parts, engine.reader(), question, day, trace_id)
            except NotFoundError:  # what was found a moment ago was removed or replaced: ask the library as it is now
                library.settle()
                library.follow()
                if library.generation == generation:
                    raise
        raise ConfigError(CHANGING)

    def reader(self) -> QuestionReader:
        """Return the question reader for the library as it is now."""
        with self._lock:
            generation = self.library.generation
            if generation not in self._readers:
                last = next(iter((*self._readers.values(), *self.whole._readers.values())), None)
                self._readers[generation] = reader_of(self.library.rows(), self.rules, self._homophones, last)
            return self._readers[generation]

    # --- the library

    def regulation(self, key: str, day: Day | None = None) -> Regulation:
        """Return a regulation by id, file name or title; of several versions the one in force on ``day``.

        Raises:
            NotFoundError: nothing by that name is held; the tips name the nearest titles.
        """
        return self.library.regulation(self.law.edition(key, day or today()).id)

    def regulations(self) -> tuple[RegulationRow, ...]:
        """Return every held regulation without its text."""
        return self.library.rows()

    def show(self, key: str, *, article: str | None = None, day: Day | None = None) -> dict[str, Any]:
        """Return a regulation, or one article of it, as plain data with its status on a day.

        Raises:
            NotFoundError: no such regulation, or no such article in it.
        """
        found = self.regulation(key, day)
        return holdings.regulation(found, article, day or today(), self.law.ended_how(found.id))

    def listing(self, day: Day | None = None) -> list[dict[str, Any]]:
        """Return one plain row for every held regulation."""
        return [holdings.row(r, day or today()) for r in self.library.rows()]

    def page_image(self, regulation_id: str, page: int, span: Span | None = None, scale: float = 2.0) -> PageImage:
        """Render a page of the original with the words of ``span`` boxed where they were found, roughly on a scan.

        Raises:
            NotFoundError: no such regulation.
            UnreadableDocumentError: its file has no pages to show, or no such page.
        """
        from nemo.parse import render  # only who looks at a page pays for it

        regulation = self.library.regulation(regulation_id)
        raw = self.library.raw(regulation.sha256)
        quote = span.of(regulation.text) if span else None
        return render(raw, page, quote, scale, regulation.text[: span.start] if span else None, regulation.pages)

    # --- upkeep

    def health(self) -> list[holdings.Check]:
        """Return the state of every part."""
        states = [stage.state for stage in self.parts.stages]
        checks = [(not state.waits, state.words) for state in states]
        return holdings.health(self.whole.library, self.embedder.name, "，".join(self.parts.rankers), checks)

    def statistics(self) -> holdings.Statistics:
        """Return how much is held."""
        rows = self.library.rows()
        return holdings.Statistics(len(rows), sum(r.articles for r in rows), sum(r.count for r in rows))

    def open_backup(self, user: str | None = None) -> IO[bytes]:
        """Return the whole library as a backup to read and close, for downloads; no file of it stays behind.

        Raises:
            ConfigError: an original file is missing or damaged, or the disk refuses.
        """
        self.library.note("backup", "下载", {}, user)
        with tempfile.TemporaryDirectory(prefix="nemo-backup-", ignore_cleanup_errors=True) as folder:
            return self.whole.library.backup(Path(folder) / "nemo.zip").file.open("rb")


@lru_cache(maxsize=1)
def vocabulary(models: Path) -> tuple[str, ...]:
    """Return the words of the built-in embedder's table: what the field writes, and how it is spelt."""
    return tuple((models / BUILTIN / "vocabulary.txt").read_text("utf-8").splitlines())
