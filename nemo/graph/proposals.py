"""Where proposals are asked for and decided (候选关系): a job with progress, cost and stop; people approve or reject."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from nemo import accounts
from nemo.errors import BadRequestError, ConfigError, NotFoundError, ServiceError
from nemo.graph import proposing
from nemo.graph.formats import edge as edge_json
from nemo.graph.formats import node as node_json
from nemo.graph.view import LawGraph
from nemo.store.records.edges import StoredEdge
from nemo.store.records.proposals import Proposal, ProposalRun, ProposalState, RunState
from nemo.types.plain import picked

MOST_TEXTS = 1_000
GIVEN_UP = 3
"""So many calls that fail one after the other end a run."""
_MODEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,79}")
MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class ProposalOptions:
    """What one person asks with; kept with every run, and offered to the same person again (各人的模型设置)."""

    model: str
    thinking: int = 0
    """Tokens; 0 off, -1 automatic, -2 not sent."""
    most_tokens: int = 200_000
    """A run ends when it has used so many, sent and received together."""
    price_sent: float = 0.0
    """Per million tokens, in whatever currency the person counts; 0: not known."""
    price_received: float = 0.0

    def __post_init__(self) -> None:
        """Raise BadRequestError unless the values can be used."""
        if not _MODEL.fullmatch(self.model):
            raise BadRequestError("模型名不正确。请填写服务提供的模型名，如 gemini-2.5-flash。")
        if not -2 <= self.thinking <= 100_000 or not 1_000 <= self.most_tokens <= 100 * MILLION:
            raise BadRequestError("思考额度应为 -2 到 100000，用量上限应为 1000 到 1 亿。请改正。")
        if not (0 <= self.price_sent <= 10_000 and 0 <= self.price_received <= 10_000):
            raise BadRequestError("单价应为每百万 token 0 到 10000。请改正。")

    def cost(self, sent: int, received: int) -> float | None:
        """Return what so many tokens cost; None where no price is known."""
        if not self.price_sent and not self.price_received:
            return None
        return (sent * self.price_sent + received * self.price_received) / MILLION


class ProposalService:
    """The proposals over one view of the graph."""

    def __init__(self, graph: LawGraph, users: accounts.Users | None) -> None:
        self._graph = graph
        self._library = graph.library
        self._settings = graph.library.settings
        self._users = users

    # --- asking

    @property
    def configured(self) -> bool:
        """Whether a model may be asked at all."""
        return self._settings.proposer == "gemini"

    def options(self, by: str | None) -> ProposalOptions:
        """Return what a person asked with last, else what the settings say."""
        last = self._library.proposals.last_of(by)
        if last is not None:
            return ProposalOptions(**last.options)
        return ProposalOptions(self._settings.gemini_model, self._settings.gemini_thinking_budget)

    def size(self, regulation_ids: Sequence[str]) -> tuple[int, int]:
        """Return how many calls some texts take, and how many characters of them are sent."""
        found = [piece for each in regulation_ids for piece in proposing.pieces(self._library.regulation(each))]
        return len(found), sum(span.end - span.start for piece in found for span in piece.spans)

    def start(self, regulation_ids: Sequence[str], options: ProposalOptions, user: accounts.User | None) -> int:
        """Ask a model in the background; return the number of the run.

        Raises:
            ConfigError: no model is configured, or the service does not take the key or know the model.
            ServiceError: the service does not answer.
            BadRequestError: no texts, or too many.
            ConflictError: another run is under way.
        """
        number, work = self._begun(regulation_ids, options, user)
        self._library.proposals.work(threading.Thread(target=work, name="nemo-proposals", daemon=True))
        return number

    def run(
        self,
        regulation_ids: Sequence[str],
        options: ProposalOptions,
        user: accounts.User | None,
        progress: Callable[[ProposalRun], None],
    ) -> ProposalRun:
        """Ask a model and wait; ``progress`` is told after each call. Raises as :meth:`start`."""
        number, work = self._begun(regulation_ids, options, user)
        work(lambda: progress(self.a_run(number)))
        return self.a_run(number)

    def _begun(
        self, regulation_ids: Sequence[str], options: ProposalOptions, user: accounts.User | None
    ) -> tuple[int, Callable[..., None]]:
        accounts.require(user, "edit", self._users)
        if not self.configured:
            raise ConfigError("候选关系未启用。请设置 NEMO_PROPOSER=gemini 与 NEMO_GEMINI_API_KEY 后重新启动。")
        if self._library.read_only:
            raise ConfigError("资料库以只读方式打开，不能保存候选关系。请在可写的磁盘上打开后再试。")
        ids = [each for each in dict.fromkeys(regulation_ids) if self._library.holds(each)]
        if not 0 < len(ids) <= MOST_TEXTS:
            raise BadRequestError(f"请选择 1 到 {MOST_TEXTS} 部库内法规。")
        proposer = proposing.EdgeProposer(self._settings, options.model, options.thinking)
        try:
            proposer.check()
            by = user.name if user else None
            number = self._library.proposals.begin(by, asdict(options), ids, self.size(ids)[0])
        except BaseException:
            proposer.close()
            raise
        return number, lambda progress=lambda: None: self._work(_Tally(number, options), ids, proposer, progress)

    def _work(
        self, tally: _Tally, ids: Sequence[str], proposer: proposing.EdgeProposer, progress: Callable[[], None]
    ) -> None:
        """Ask about one piece after the other until all are done, somebody stops it, or the limit is reached."""
        state, problem = RunState.FAILED, "程序出错，已记入日志。请查看日志后重试。"
        try:
            for regulation_id in ids:
                if not self._asked_of(regulation_id, tally, proposer, progress):
                    break
            state, problem = tally.ended or RunState.DONE, tally.problem
        except KeyboardInterrupt:
            state, problem = RunState.STOPPED, ""
            raise
        finally:
            proposer.close()
            self._library.proposals.record_progress(tally.number, state=state.value, problem=problem)

    def _asked_of(
        self, regulation_id: str, tally: _Tally, proposer: proposing.EdgeProposer, progress: Callable[[], None]
    ) -> bool:
        kept = self._library.proposals
        try:
            regulation = self._library.regulation(regulation_id)
        except NotFoundError:
            tally.dropped["法规已删除"] += 1
            return True
        known = [s.edge for s in self._library.edges.of([regulation_id])]
        for piece in proposing.pieces(regulation):
            try:
                earlier = [one.edge for one in kept.of(regulation_id)]
                found, dropped = proposer.proposed(piece, known, earlier)
                kept.add(tally.number, regulation_id, proposer.name, [(e, e.span.of(regulation.text)) for e in found])
                tally.count(len(found), dropped)
            except ServiceError as error:
                tally.failed(error)
            sent, received = proposer.spent
            going = kept.record_progress(
                tally.number, done=tally.done, found=tally.found, dropped=tally.dropped, sent=sent, received=received
            )
            progress()
            if not going or tally.over(sent + received):
                tally.ended = tally.ended or RunState.STOPPED
                return False
        return True

    def stop(self, number: int, user: accounts.User | None) -> None:
        """Ask a run to end after the call that is under way."""
        accounts.require(user, "edit", self._users)
        self.a_run(number)
        self._library.proposals.stop(number)

    def a_run(self, number: int) -> ProposalRun:
        """Return a run; raises NotFoundError when there is none of this number."""
        return self._library.proposals.a_run(number)

    # --- deciding

    def decide(self, number: int, approved: bool, reason: str, user: accounts.User | None) -> Proposal:
        """Approve or reject a proposal; a decision may be taken again.

        Raises:
            NotFoundError: there is no such proposal, or its text is not seen here.
            BadRequestError: a rejection without a reason.
        """
        accounts.require(user, "review", self._users)
        if not approved and not reason.strip():
            raise BadRequestError("驳回候选关系须写明理由。请填写后再驳回。")
        state = ProposalState.APPROVED if approved else ProposalState.REJECTED
        return self._library.proposals.decide(number, state, reason.strip(), user.name if user else None)

    # --- as plain data

    def listing(self, state: ProposalState | None = None, limit: int = 200) -> dict[str, Any]:
        """Return proposals with their ends and words, and how many there are in each state."""
        found = [self.plain(one) for one in self._library.proposals.all(state, limit)]
        return {"proposals": [one for one in found if one], "counts": self._library.proposals.counts()}

    def plain(self, one: Proposal) -> dict[str, Any]:
        """Return a proposal with its ends looked up; empty when its text was removed a moment ago."""
        ends = next(self._graph.resolved([StoredEdge(one.regulation_id, one.edge)]), None)
        if ends is None:
            return {}
        source, target = (node_json(self._graph, each) for each in (ends.source, ends.target))
        named = {"source_name": source["name"], "target_name": target["name"]}
        kept = picked(one, "number=id model run=run_id state by decided reason")
        return {**edge_json(self._graph, ends), **named, **kept}

    def runs(self, limit: int = 20) -> list[dict[str, Any]]:
        """Return the newest runs with what they cost."""
        return [self.plain_run(run) for run in self._library.proposals.runs(limit)]

    def plain_run(self, run: ProposalRun) -> dict[str, Any]:
        """Return a run."""
        options = ProposalOptions(**run.options)
        same: Final = "number=id by at state active texts pieces done found dropped sent received problem"
        return {**picked(run, same), "model": options.model, "cost": options.cost(run.sent, run.received)}


class _Tally:
    """How far a run came."""

    def __init__(self, number: int, options: ProposalOptions) -> None:
        self.number = number
        self.done = self.found = 0
        self.dropped: Counter[str] = Counter()
        self.problem = ""
        self.ended: RunState | None = None
        self._most = options.most_tokens
        self._failures = 0

    def count(self, found: int, dropped: Counter[str]) -> None:
        self.done, self.found, self._failures = self.done + 1, self.found + found, 0
        self.dropped += dropped

    def failed(self, error: ServiceError) -> None:
        self.done, self._failures, self.problem = self.done + 1, self._failures + 1, error.message
        self.dropped["调用失败"] += 1
        if self._failures >= GIVEN_UP:
            self.ended = RunState.FAILED

    def over(self, tokens: int) -> bool:
        if tokens >= self._most:
            self.ended = self.ended or RunState.LIMIT
        return self.ended is not None
