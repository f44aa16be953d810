"""Edges that a model proposes: checked against the text, kept apart, used only when a person approved them (演示文本)."""

import json
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from nemo import accounts, settings
from nemo.cli import backend
from nemo.cli.backend import OwnerBackend
from nemo.engine import Engine
from nemo.errors import BadRequestError, ConfigError, ConflictError, NotFoundError, NotPermittedError
from nemo.graph.proposals import ProposalOptions, ProposalService
from nemo.graph.proposing import SCHEMA, checked, pieces
from nemo.store.records.proposals import ProposalState, RunState
from tests.held_texts import holding
from tests.local_server import Answer, LocalServer, Request, serving
from tests.test_api import guarded
from tests.test_graph import LAW, MEASURE, OTHER

MODEL = "demo-model"
SIGNS = "/v1beta/models/demo-model:generateContent"
OFFICE = "风电场并网的演示名册归省能源主管部门掌管"
TEXT = MEASURE.replace("第七条 本办法自", f"第七条 {OFFICE}。\n\n第八条 本办法自")
ENGLISH = """Demonstration Grid Rules (sample text)

Article 1 These rules are a demonstration.

Article 2 The Grid Office keeps the register of wind farms.
"""
TIE = {"id": 8, "kind": "supervises", "words": OFFICE, "source": "省能源主管部门"}


def says(*ties: dict[str, Any], sent: int = 1000, received: int = 100) -> Answer:
    part = {"content": {"role": "model", "parts": [{"text": json.dumps({"ties": ties}, ensure_ascii=False)}]}}
    used = {"promptTokenCount": sent, "candidatesTokenCount": received, "thoughtsTokenCount": 0}
    return Answer.of({"candidates": [part | {"finishReason": "STOP"}], "usageMetadata": used})


@pytest.fixture
def service() -> Iterator[LocalServer]:
    with serving() as local:
        local.routes["/v1beta/models/demo-model"] = Answer.of({"name": f"models/{MODEL}"})
        yield local


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a library of the texts that nobody has open."""
    folder = tmp_path_factory.mktemp("built")
    with holding(folder, {"办法.md": TEXT, "法.md": LAW, "条例.md": OTHER, "rules.md": ENGLISH}):
        return folder / "library"


@pytest.fixture
def engine(tmp_path: Path, service: LocalServer, built: Path) -> Iterator[Engine]:
    library = shutil.copytree(built, tmp_path / "lib")
    asked = {"proposer": "gemini", "gemini_api_key": "k" * 20, "gemini_base_url": service.url}
    with Engine.open(settings.load(library=library, workers=0, **asked)) as opened:
        yield opened


def proposing(engine: Engine) -> ProposalService:
    return engine.answers.proposals


def run(engine: Engine, *titles: str, **options: Any) -> Any:
    ids = [engine.regulation(title).id for title in titles]
    return proposing(engine).run(ids, ProposalOptions(MODEL, **options), accounts.OPERATOR, lambda run: None)


def supervised(engine: Engine) -> list[Any]:
    found = engine.regulation("办法.md")
    return [s for s in engine.library.edges.of([found.id], ("supervises",)) if s.edge.span.of(found.text) == OFFICE]


def test_a_proposal_is_no_part_of_the_graph_before_it_is_approved(engine: Engine, service: LocalServer) -> None:
    service.routes[SIGNS] = says(TIE)
    done = run(engine, "办法.md")
    assert (done.state, done.found, done.done, done.pieces) == (RunState.DONE, 1, 1, 1)
    assert supervised(engine) == []
    one = proposing(engine).listing()["proposals"][0]
    assert (one["state"], one["words"], one["source_name"]) == ("待核", OFFICE, "省能源主管部门")
    assert one["sentence"] == f"第七条 {OFFICE}。" and one["model"] == f"gemini/{MODEL}"
    before = engine.answers.graph.counts()["supervises"]
    proposing(engine).decide(one["number"], True, "", accounts.User("王核", accounts.Role.REVIEWER))
    assert [s.approved for s in supervised(engine)] == ["王核"]
    assert engine.answers.graph.counts()["supervises"] == before + 1
    assert supervised(engine)[0].edge.label == "7-1"
    proposing(engine).decide(one["number"], False, "掌管名册不是监督管理", accounts.OPERATOR)
    assert supervised(engine) == [] and engine.answers.graph.counts()["supervises"] == before
    trail = engine.library.audit_trail().entries
    assert [row.action for row in trail][:2] == ["decide_edge", "decide_edge"]
    assert OFFICE in trail[0].detail and engine.library.verify() == []


DROPPED = [
    ("另一段文字", TIE | {"words": "风电场并网的名册由省能源主管部门掌管"}, "原文中没有这段文字"),
    ("另一条的文字", TIE | {"id": 2}, "原文中没有这段文字"),
    ("没有这个编号", TIE | {"id": 70}, "形式不符"),
    ("没有这个类别", TIE | {"kind": "likes"}, "形式不符"),
    ("文字不是文字", TIE | {"words": ["风电场"]}, "形式不符"),
    ("条文中没有的机关", TIE | {"source": "国家能源局"}, "两端名称不在条文中"),
    ("没有机关", TIE | {"source": ""}, "两端名称不在条文中"),
    ("没有这一条", {**TIE, "id": 7, "kind": "penalises", "words": "第二条的规定", "target_article": "第九条"}, "两端名称不在条文中"),
    ("没有应当、不得", TIE | {"kind": "obliges"}, "形式不符"),
    ("规则读到的", {"id": 5, "kind": "supervises", "words": "负责全省风电并网的监督管理工作", "source": "省能源主管部门"}, "规则已读到"),
]  # fmt: skip


@pytest.mark.parametrize(("what", "tie", "why"), DROPPED, ids=[d[0] for d in DROPPED])
def test_what_does_not_stand_in_the_text_is_dropped_and_counted(
    engine: Engine, what: str, tie: dict[str, Any], why: str
) -> None:
    regulation = engine.regulation("办法.md")
    known = [s.edge for s in engine.library.edges.of([regulation.id])]
    (piece,) = pieces(regulation)
    assert checked({"ties": [tie]}, piece, known, []) == ([], {why: 1}), what
    kept, dropped = checked({"ties": [TIE, tie, TIE]}, piece, known, [])
    assert [e.span.of(regulation.text) for e in kept] == [OFFICE] and dropped["此前已提出"] == 1


@pytest.mark.parametrize("reply", [None, [], {"ties": "无"}, {"ties": [None]}, {"edges": []}])
def test_a_reply_of_another_form_is_counted(engine: Engine, reply: object) -> None:
    (piece,) = pieces(engine.regulation("办法.md"))
    assert checked(reply, piece, [], []) == ([], {"形式不符": 1})


def test_what_was_rejected_is_not_proposed_again(engine: Engine, service: LocalServer) -> None:
    service.routes[SIGNS] = says(TIE)
    run(engine, "办法.md")
    number = proposing(engine).listing()["proposals"][0]["number"]
    with pytest.raises(BadRequestError, match="理由"):
        proposing(engine).decide(number, False, " ", accounts.OPERATOR)
    proposing(engine).decide(number, False, "不是监督管理", accounts.OPERATOR)
    again = run(engine, "办法.md")
    assert (again.found, dict(again.dropped)) == (0, {"此前已提出": 1})
    assert proposing(engine).listing(ProposalState.PENDING)["proposals"] == []


def test_each_text_is_asked_about_in_its_language(engine: Engine, service: LocalServer) -> None:
    service.routes[SIGNS] = says()
    run(engine, "办法.md", "rules.md", "条例.md")
    asked = [r.json() for r in service.seen if r.method == "POST"]
    told = [a["systemInstruction"]["parts"][0]["text"] for a in asked]
    assert told[0].startswith("你在法规条文中") and told[1].startswith("You find ties") and told[2] == told[0]
    data = json.loads(asked[0]["contents"][0]["parts"][0]["text"])
    assert len(data["provisions"]) == 9 and {k["kind"] for k in data["known"]} >= {"based_on", "penalises"}
    assert asked[0]["generationConfig"]["responseSchema"]["type"] == SCHEMA["type"]
    english = says(
        {"id": 3, "kind": "supervises", "words": "The Grid Office keeps the register", "source": "Grid Office"}
    )
    service.routes[SIGNS] = english
    run(engine, "rules.md")
    assert proposing(engine).listing()["proposals"][0]["source_name"] == "Grid Office"


def test_a_run_tells_its_cost_and_ends_at_its_limit(engine: Engine, service: LocalServer) -> None:
    service.routes[SIGNS] = says(sent=900, received=200)
    done = run(engine, "办法.md", "法.md", "条例.md", most_tokens=2000, price_sent=2.0, price_received=10.0)
    assert (done.state, done.done, done.pieces, done.sent, done.received) == (RunState.LIMIT, 2, 3, 1800, 400)
    plain = proposing(engine).plain_run(done)
    assert plain["cost"] == pytest.approx((1800 * 2 + 400 * 10) / 1e6) and not plain["active"]
    assert proposing(engine).options(done.by).price_sent == 2.0, "a person is offered what they asked with last"
    assert proposing(engine).options("别人").price_sent == 0.0


def waits(gate: list[bool]) -> Callable[[Request], Answer]:
    def reply(request: Request) -> Answer:
        while gate:
            time.sleep(0.01)
        return says()

    return reply


def test_a_run_in_the_background_can_be_stopped(engine: Engine, service: LocalServer) -> None:
    gate = [True]
    service.routes[SIGNS] = waits(gate)
    ids = [row.id for row in engine.regulations()]
    number = proposing(engine).start(ids, ProposalOptions(MODEL), accounts.OPERATOR)
    with pytest.raises(ConflictError, match="进行"):
        proposing(engine).start(ids, ProposalOptions(MODEL), accounts.OPERATOR)
    proposing(engine).stop(number, accounts.OPERATOR)
    assert proposing(engine).a_run(number).state is RunState.STOPPING
    gate.clear()
    ended(engine, number)
    stopped = proposing(engine).a_run(number)
    assert (stopped.state, stopped.done) == (RunState.STOPPED, 1)


def ended(engine: Engine, number: int) -> None:
    for _ in range(3000):
        if not proposing(engine).a_run(number).active:
            return
        time.sleep(0.02)
    raise AssertionError("the run did not end")


def test_closing_the_library_ends_a_run(engine: Engine, service: LocalServer) -> None:
    gate = [True]
    service.routes[SIGNS] = waits(gate)
    number = proposing(engine).start([r.id for r in engine.regulations()], ProposalOptions(MODEL), accounts.OPERATOR)
    engine.library.proposals.closing.set()
    gate.clear()
    ended(engine, number)
    assert proposing(engine).a_run(number).done < 4


def test_three_failures_end_a_run_and_are_told(engine: Engine, service: LocalServer) -> None:
    service.routes[SIGNS] = Answer.of({"error": {"code": 400, "message": "bad", "status": "INVALID_ARGUMENT"}}, 400)
    done = run(engine, "办法.md", "法.md", "条例.md", "rules.md")
    assert (done.state, done.done, dict(done.dropped)) == (RunState.FAILED, 3, {"调用失败": 3})
    assert "Gemini" in done.problem and "k" * 20 not in done.problem


def test_proposals_go_with_their_text_and_outlive_a_reading_anew(
    engine: Engine, service: LocalServer, tmp_path: Path
) -> None:
    service.routes[SIGNS] = says(TIE)
    run(engine, "办法.md")
    proposing(engine).decide(proposing(engine).listing()["proposals"][0]["number"], True, "", accounts.OPERATOR)
    engine.intake.edit(engine.regulation("办法.md").id, {"province": "gd"}, accounts.OPERATOR)
    assert len(supervised(engine)) == 1 and engine.library.inspect().checked["候选关系（已核准）"] == 1
    engine.library.remove(engine.regulation("办法.md").id)
    assert proposing(engine).listing() == {"proposals": [], "counts": {"待核": 0, "已核准": 0, "已驳回": 0}}
    assert engine.library.verify() == []


def test_damage_shows_when_the_library_is_verified(engine: Engine, service: LocalServer) -> None:
    import sqlite3

    service.routes[SIGNS] = says(TIE)
    run(engine, "办法.md")
    assert engine.library.verify() == []
    with sqlite3.connect(engine.settings.catalogue_path) as database:
        database.execute("UPDATE proposals SET begins = begins + 1, ends = ends + 1")
    assert any("候选关系" in str(one) for one in engine.library.verify())


def test_who_may_ask_and_who_may_decide(engine: Engine, service: LocalServer) -> None:
    people = [accounts.User("读", accounts.Role.READER), accounts.User("析", accounts.Role.ANALYST)]
    users = accounts.Users({one.name: one for one in people}, {})
    guarded = ProposalService(engine.answers.graph, users)
    service.routes[SIGNS] = says(TIE)
    ids = [engine.regulation("办法.md").id]
    with pytest.raises(NotPermittedError):
        guarded.start(ids, ProposalOptions(MODEL), users.find("读"))
    guarded.run(ids, ProposalOptions(MODEL), users.find("析"), lambda run: None)
    number = guarded.listing()["proposals"][0]["number"]
    with pytest.raises(NotPermittedError):
        guarded.decide(number, True, "", users.find("析"))


def test_it_is_off_unless_configured(tmp_path: Path, engine: Engine, service: LocalServer) -> None:
    with Engine.open(settings.load(library=tmp_path / "other", workers=0)) as plain:
        with pytest.raises(ConfigError, match="NEMO_PROPOSER"):
            proposing(plain).start([], ProposalOptions(MODEL), accounts.OPERATOR)
        with pytest.raises(NotFoundError):
            proposing(plain).decide(1, True, "", accounts.OPERATOR)
    assert service.seen == []
    with pytest.raises(BadRequestError, match="模型名"):
        ProposalOptions("a b")


def test_the_command_line_asks_through_whoever_owns_the_library(
    engine: Engine, service: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.routes[SIGNS] = says(TIE)
    line = guarded(engine, engine.access.tokens.first())
    line.base_url = line.base_url.join("/api/v1/")
    owner, told = OwnerBackend("http://localhost", engine.settings), list[Any]()
    monkeypatch.setattr(owner, "_line", line)
    monkeypatch.setattr(backend, "POLL_SECONDS", 0.01)
    ran = owner.propose(["办法.md"], {"model": MODEL}, told.append)
    assert (ran["state"], ran["found"], ran["active"]) == (RunState.DONE.value, 1, False)
    assert told and told[0]["pieces"] == ran["pieces"]
    number = engine.answers.proposals.listing()["proposals"][0]["number"]
    assert not supervised(engine)
    owner.decide(number, True, "")
    assert len(supervised(engine)) == 1
    with pytest.raises(BadRequestError):
        owner.decide(number, False, "")
