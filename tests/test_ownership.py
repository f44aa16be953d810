"""Who sees what (可见范围): one private text, every way to it, by whom it opens; a lawyer may read the tables."""

import asyncio
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from nemo import access, accounts, settings, tools
from nemo.accounts import OPERATOR, Role, User
from nemo.cli.corpora import SEEN_BY, SHOWN
from nemo.cli.corpora import _show as corpora_shown
from nemo.corpora import CorpusOptions
from nemo.engine import Engine
from nemo.errors import BadRequestError, NemoError, NotFoundError, NotPermittedError
from nemo.export import report
from nemo.store.records.corpora import Visibility
from nemo.types import Filters, RawDocument, today
from nemo.watch.following import FollowService
from nemo.web import mcp_server
from nemo.web.guard import Guard
from tests.held_texts import holding
from tests.test_api import guarded

TITLE = "演示风电场内部验收办法（演示文本）"
TEXT = f"""{TITLE}

第一章 总则

第一条 为规范演示风电场的验收，制定本办法。

第二章 验收

第二条 演示风电场验收应当提交玄武岩检测报告，验收小组应当在十七个工作日内答复。

第三条 本办法自2024年1月1日起施行。
"""
MARK = "玄武岩"
QUESTION = "演示风电场玄武岩检测报告几个工作日内答复？"
OPEN = """演示风电公开管理办法（演示文本）

第一条 风电场应当每年提交运行报告。

第二条 本办法自2023年1月1日起施行。
"""

OWNER = User("王敏", Role.ANALYST)
MATE = User("韩梅", Role.ANALYST)
STRANGER = User("李雷", Role.REVIEWER)
ADMIN = User("管理", Role.ADMIN)
PEOPLE = {"所有者": OWNER, "同组": MATE, "他人": STRANGER, "管理员": ADMIN, "未登录": None, "命令行": OPERATOR}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a library of the public text that nobody has open."""
    folder = tmp_path_factory.mktemp("built")
    with holding(folder, {"公开.md": OPEN}):
        return folder / "library"


@pytest.fixture
def engine(tmp_path: Path, built: Path) -> Iterator[Engine]:
    library = shutil.copytree(built, tmp_path / "library")
    with Engine.open(settings.load(library=library, workers=0)) as opened:
        yield opened


def filed(engine: Engine, visibility: str = "private", **options: Any) -> str:
    """Put the text into a corpus of the owner's; return its id."""
    engine.corpora.create(CorpusOptions(name="甲项目", visibility=visibility, **options), OWNER)
    report = engine.intake.ingest_raw(
        [RawDocument.of(TEXT.encode(), "内部.md")], facts={"corpora": ["甲项目"]}, user=OWNER
    )
    return report.outcomes[0].regulation_ids[0]


SEEN = [
    ("private", ("所有者", "管理员", "命令行")),
    ("team", ("所有者", "同组", "管理员", "命令行")),
    ("public", tuple(PEOPLE)),
]


@pytest.mark.parametrize(("visibility", "who"), SEEN)
def test_who_sees_a_text_of_a_corpus(engine: Engine, visibility: str, who: tuple[str, ...]) -> None:
    held = filed(engine, visibility, people=("韩梅",))
    for name, person in PEOPLE.items():
        seen = engine.seen_by(person)
        sees = name in who
        assert (held in {row.id for row in seen.regulations()}) is sees, name
        assert (MARK in str(seen.ask(QUESTION).quotes)) is sees, name
        assert ("甲项目" in {c.name for c in seen.corpora.seen(person)}) is sees, name


def test_a_refusal_of_a_corpus_says_nothing_of_the_library(engine: Engine) -> None:
    """On the file, too, stands where was looked."""
    filed(engine)
    seen = engine.seen_by(OWNER)
    answer = seen.ask("燃煤锅炉的烟囱高度不得低于多少米？", corpora=["甲项目"])
    assert answer.refusal is not None and answer.refusal.message.startswith("所选资料集")
    assert ("资料集", "甲项目") in report.of_answer(answer, seen.library, engine.rules).facts


def _ways(seen: Engine, held: str, sha256: str, trace: str) -> dict[str, Any]:
    """Every way an engine has to a text; each returns what it shows or raises."""
    memo = RawDocument.of(f"根据《{TITLE}》第二条，验收小组应当在三个工作日内答复。".encode(), "文稿.txt")
    key = f"{TITLE}"
    return {
        "ask": lambda: seen.ask(QUESTION),
        "ask by name": lambda: seen.ask(f"《{TITLE}》第二条是怎么规定的？"),
        "ask about it": lambda: seen.ask(f"《{TITLE}》何时施行？"),
        "ask after": lambda: seen.ask_after("风电场提交什么报告？", QUESTION, Filters()),
        "follow up its answer": lambda: seen.ask("那第一条呢？", context=trace),
        "search": lambda: seen.search(QUESTION, Filters()),
        "list": lambda: seen.listing(),
        "rows": lambda: [row.title for row in seen.regulations()],
        "show by name": lambda: seen.show(key),
        "show by id": lambda: seen.show(held),
        "show by file": lambda: seen.show("内部.md"),
        "versions": lambda: seen.law.versions(held),
        "diff": lambda: seen.law.diff(held, "演示风电公开管理办法（演示文本）"),
        "relations": lambda: seen.law.links(held),
        "timeline": lambda: seen.law.timeline(held),
        "original": lambda: seen.library.raw(sha256).content.decode(),
        "stored answer": lambda: seen.library.answers.get(trace),
        "export": lambda: seen.answers.export_answer(seen.library.answers.get(trace), "json"),
        "history": lambda: seen.library.answers.recent(),
        "changes since": lambda: seen.answers.changes_since(trace),
        "review queue": lambda: seen.answers.review_queue(),
        "audit of a memo": lambda: seen.audit.audit(memo),
        "not held": lambda: seen.law.missing(),
        "undated": lambda: seen.law.undated(today()),
        "gaps": lambda: seen.watch.gaps(),
        "news": lambda: FollowService(seen).events(),
        "feed": lambda: FollowService(seen).atom("http://127.0.0.1").decode(),
        "tool ask": lambda: tools.call(seen, "ask_regulation", {"question": QUESTION}),
        "tool search": lambda: tools.call(seen, "search_provisions", {"question": QUESTION}),
        "tool read": lambda: tools.call(seen, "read_regulation", {"regulation": TITLE}),
        "tool list": lambda: tools.call(seen, "list_regulations", {}),
        "tool history": lambda: tools.call(seen, "regulation_history", {"regulation": held}),
        "tool check": lambda: tools.call(seen, "check_quotation", {"regulation": held, "quotation": MARK}),
    }


SECRET = ("十七个工作日", "第二章 验收", "验收小组应当在十七")
"""What only the text says; a stranger's own words (its title, its key word) come back to them in refusals."""


def _shown(work: Any) -> str:
    try:
        return repr(work())
    except NemoError as error:
        return repr(error.message) + repr(error.tips)


def test_no_way_shows_a_private_text_to_a_stranger(engine: Engine) -> None:
    """What the stranger asks with holds the words, so what they get back is searched for what only the text says."""
    held = filed(engine)
    own = engine.seen_by(OWNER)
    trace = own.ask(QUESTION, user=OWNER.name).trace_id
    sha256 = own.library.row(held).sha256
    told = {name: _shown(work) for name, work in _ways(own, held, sha256, trace).items()}
    assert sum("十七个工作日" in words or TITLE in words for words in told.values()) > 20, (
        "the owner finds it by most ways"
    )
    for name, work in _ways(engine.seen_by(STRANGER), held, sha256, trace).items():
        words = _shown(work)
        assert not any(secret in words for secret in SECRET), (name, words)
        assert TITLE not in words or name in (
            "ask by name",
            "ask about it",
            "show by name",
            "audit of a memo",
            "tool read",
            "history",
        ), name
        assert name not in ("history", "review queue") or trace not in words, name


PATHS = [
    ("GET", "/v1/regulations", None),
    ("GET", "/v1/regulations/{held}", None),
    ("GET", "/v1/versions?regulation={held}", None),
    ("GET", "/v1/relations?regulation={held}", None),
    ("GET", "/v1/timeline?regulation={held}", None),
    ("GET", "/v1/diff?old={held}&new=演示风电公开管理办法（演示文本）", None),
    ("GET", "/v1/search?question=验收小组答复期限", None),
    ("GET", "/v1/answers/{trace}", None),
    ("GET", "/v1/export/{trace}", None),
    ("GET", "/v1/corpora", None),
    ("GET", "/v1/corpora/甲项目", None),
    ("POST", "/v1/query", {"question": "验收小组几个工作日内答复？"}),
    ("POST", "/v1/query", {"question": "验收小组几个工作日内答复？", "corpora": ["甲项目"]}),
    ("POST", "/v1/batch", {"questions": [{"question": "验收小组几个工作日内答复？"}]}),
    ("GET", "/regulations", None),
    ("GET", "/answers/{trace}", None),
    ("POST", "/query", {"question": "验收小组几个工作日内答复？"}),
]


def _tokens(engine: Engine) -> dict[str, TestClient]:
    service = access.TokenService(engine.library.tokens, engine.settings.library)
    made = {name: service.make(name, Role.ANALYST, OPERATOR) for name in ("甲", "乙")}
    return {name: guarded(engine, token) for name, token in made.items()}


def _sent(client: TestClient, path: tuple[str, str, Any], **names: str) -> str:
    method, where, body = path
    reply = client.request(method, where.format(**names), json=body)
    return f"{reply.status_code} {json.dumps(reply.json(), ensure_ascii=False)}"


def test_no_address_shows_it_to_another_token(engine: Engine) -> None:
    clients = _tokens(engine)
    made = clients["甲"].post("/v1/corpora", json={"name": "甲项目"})
    assert made.status_code == 200 and made.json()["owner"] == "令牌“甲”"
    sent = clients["甲"].post(
        "/v1/ingest",
        files=[("files", ("内部.md", TEXT.encode(), "text/plain"))],
        data={"facts": json.dumps({"corpora": ["甲项目"]}), "wait": "true"},
    )
    held = sent.json()["files"][0]["regulation_ids"][0]
    answer = clients["甲"].post("/v1/query", json={"question": "验收小组几个工作日内答复？"}).json()
    assert "十七个工作日" in str(answer["citations"])
    names = {"held": held, "trace": answer["trace_id"]}
    for path in PATHS:
        own, other = _sent(clients["甲"], path, **names), _sent(clients["乙"], path, **names)
        assert any(words in own for words in (TITLE, "十七", "甲项目")), path
        assert TITLE not in other and "十七" not in other and "甲项目" not in other.replace("名为“甲项目”", ""), (
            path,
            other,
        )
    refused = clients["乙"].post("/v1/ingest", data={"facts": json.dumps({"corpora": ["甲项目"]})},
                               files=[("files", ("x.md", b"x", "text/plain"))])  # fmt: skip
    assert refused.status_code == 404
    assert clients["乙"].delete("/v1/corpora/甲项目").status_code == 404


def test_agents_see_what_their_token_sees(engine: Engine) -> None:
    """Over the protocol as it is served: the caller reaches the tool through every task in between."""
    held = filed(engine)
    service = access.TokenService(engine.library.tokens, engine.settings.library)
    tokens = {"管理": service.make("管", Role.ADMIN, OPERATOR), "他人": service.make("它", Role.READER, OPERATOR)}
    call = {
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "read_regulation", "arguments": {"regulation": held}},
    }  # fmt: skip
    for name, token in tokens.items():
        server = mcp_server.create(lambda: engine)
        served = Guard(_mounted(mcp_server.application(server)), lambda: engine.settings, lambda: engine)
        reply = asyncio.run(_called(server, served, token, call))
        assert (MARK in reply) is (name == "管理"), (name, reply)


def _mounted(app: Any) -> Any:
    from starlette.applications import Starlette
    from starlette.routing import Mount

    return Starlette(routes=[Mount("/mcp", app)])


async def _called(server: Any, served: Any, token: str, call: dict[str, Any]) -> str:
    import httpx

    async with (
        server.session_manager.run(),
        httpx.AsyncClient(transport=httpx.ASGITransport(served), base_url="http://localhost") as client,
    ):
        headers = {"Authorization": f"Bearer {token}", "Accept": "application/json, text/event-stream"}
        reply = await client.post("/mcp/", json=call, headers=headers)
        return reply.text


def test_files_on_their_way_show_to_nobody_else(engine: Engine) -> None:
    """Queued, stored and failed files of a private corpus: names and titles are part of what is private."""
    engine.corpora.create(CorpusOptions(name="甲项目"), OWNER)
    raws = [RawDocument.of(TEXT.encode(), "内部.md"), RawDocument.of(b"", "空的机密.md")]
    engine.intake.enqueue(raws, {"corpora": ["甲项目"]}, user=OWNER)
    engine.intake.jobs.wait(60)
    own, other = engine.seen_by(OWNER).intake, engine.seen_by(STRANGER).intake
    assert {f.name for b in own.batches() for f in b.files} == {"内部.md", "空的机密.md"}
    assert [f.name for f in own.failures()] == ["空的机密.md"]
    assert other.batches() == [] and other.failures() == []
    assert _private(engine) in engine.library.corpora.hidden_from(STRANGER)


WRITES = [
    ("他人改", lambda e: e.corpora.change("甲项目", CorpusOptions(description="x"), STRANGER), NotFoundError),
    ("同组改", lambda e: e.corpora.change("甲项目", CorpusOptions(description="x"), MATE), NotPermittedError),
    ("他人删", lambda e: e.corpora.delete("甲项目", STRANGER), NotFoundError),
    ("他人放入", lambda e: e.corpora.add("甲项目", [e.regulations()[0].id], STRANGER), NotFoundError),
    ("他人公开", lambda e: e.corpora.release(_private(e), STRANGER), NotFoundError),
    ("同组公开", lambda e: e.corpora.release(_private(e), MATE), NotFoundError),
    ("所有者删而不提法规", lambda e: e.corpora.delete("甲项目", OWNER), BadRequestError),
    ("所有者移出唯一所在", lambda e: e.corpora.withdraw("甲项目", [_private(e)], OWNER), BadRequestError),
    ("他人移到自己的资料集", lambda e: (e.corpora.create(CorpusOptions(name="乙"), STRANGER), e.corpora.add("乙", [_private(e)], STRANGER)), NotFoundError),
]  # fmt: skip


def _private(engine: Engine) -> str:
    return next(row.id for row in engine.regulations() if row.title == TITLE)


@pytest.mark.parametrize(("what", "work", "error"), WRITES, ids=[w[0] for w in WRITES])
def test_who_may_not_change_it(engine: Engine, what: str, work: Any, error: type[NemoError]) -> None:
    filed(engine, "team", people=("韩梅",))
    with pytest.raises(error):
        work(engine)
    assert _private(engine) in engine.library.corpora.hidden_from(STRANGER), what


def test_a_team_is_made_of_people_who_can_sign_in(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """写错的用户名会让对方永远看不到：不收，并说明是哪一个。"""
    known = {person.name: person for person in PEOPLE.values() if person is not None}
    monkeypatch.setattr(engine.corpora, "users", accounts.Users(known, {}))
    with pytest.raises(BadRequestError, match="没有“韩眉”"):
        engine.corpora.create(CorpusOptions(name="团队", visibility="team", people=("韩梅", "韩眉")), OWNER)
    corpus = engine.corpora.create(CorpusOptions(name="团队", visibility="team", people=("韩梅",)), OWNER)
    with pytest.raises(BadRequestError, match="没有“李雷雷”"):
        engine.corpora.change(corpus.name, CorpusOptions(people=("李雷雷",)), OWNER)


def test_a_text_stays_hidden_whatever_is_done_with_it(engine: Engine) -> None:
    """Read anew, corrected, removed and still quoted: it never becomes public by accident, and does by intent."""
    held = filed(engine)
    trace = engine.seen_by(OWNER).ask(QUESTION, user=OWNER.name).trace_id
    engine.intake.edit(held, {"issuer": "演示公司"}, OWNER)
    assert held in engine.library.corpora.hidden_from(STRANGER)
    engine.intake.ingest_raw([RawDocument.of(TEXT.encode(), "内部.md")], facts={"corpora": ["甲项目"]}, user=OWNER)
    assert held in engine.library.corpora.hidden_from(STRANGER)
    engine.intake.remove(held, OWNER)
    with pytest.raises(NotFoundError):
        engine.seen_by(STRANGER).library.answers.get(trace)
    assert engine.seen_by(OWNER).corpora.named(["甲项目"], OWNER)
    again = engine.intake.ingest_raw([RawDocument.of(TEXT.encode(), "别处.md")], user=STRANGER).outcomes[0]
    assert again.regulation_ids == (held,) and held not in engine.library.corpora.hidden_from(STRANGER)


def test_who_sees_what_is_not_read_anew_for_every_answer(engine: Engine) -> None:
    """Answers are kept all the time and change no rights; whatever else is written does count."""
    held = filed(engine)
    assert held in engine.library.corpora.hidden_from(STRANGER)
    before = engine.library._catalogue.database.writes
    engine.seen_by(OWNER).ask(QUESTION, user=OWNER.name)
    engine.library.answers.flush()
    assert engine.library._catalogue.database.writes == before
    engine.corpora.release(held, OWNER)
    assert engine.library._catalogue.database.writes > before
    assert held not in engine.library.corpora.hidden_from(STRANGER)


def test_a_file_of_the_same_name_does_not_push_out_what_its_owner_cannot_see(engine: Engine) -> None:
    held = filed(engine)
    other = TEXT.replace("十七", "十九")
    engine.intake.ingest_raw([RawDocument.of(other.encode(), "内部.md")], user=STRANGER)
    assert engine.library.holds(held)
    assert "十九" in str(engine.seen_by(STRANGER).ask(QUESTION).quotes)


def test_a_private_repeal_changes_nothing_for_others(engine: Engine) -> None:
    """Validity follows from what a person may see: nobody learns from a status what a hidden text says."""
    engine.corpora.create(CorpusOptions(name="甲项目"), OWNER)
    words = "关于废止演示风电公开管理办法的决定（演示文本）\n\n第一条 自2025年1月1日起，废止《演示风电公开管理办法（演示文本）》。\n"
    facts = {"corpora": ["甲项目"], "repeals": ["演示风电公开管理办法（演示文本）"], "effective_date": "2025-01-01"}
    engine.intake.ingest_raw([RawDocument.of(words.encode(), "废止.md")], facts=facts, user=OWNER)
    status = {
        name: next(r["status"] for r in engine.seen_by(person).listing() if r["title"].startswith("演示风电公开"))
        for name, person in (("所有者", OWNER), ("他人", STRANGER))
    }
    assert status == {"所有者": "已废止", "他人": "现行有效"}


def test_a_deleted_corpus_takes_its_own_texts_only_when_told(engine: Engine) -> None:
    held, public = filed(engine), engine.regulations()[0].id
    public = next(row.id for row in engine.regulations() if row.id != held)
    engine.corpora.add("甲项目", [public], OWNER)
    assert engine.corpora.delete("甲项目", OWNER, with_texts=True) == [held]
    assert {row.id for row in engine.regulations()} == {public}


def test_a_number_is_never_given_to_another_corpus(engine: Engine) -> None:
    """Who still names a deleted corpus by its number reaches nothing; so do numbers of what was deleted elsewhere."""
    gone = engine.corpora.create(CorpusOptions(name="甲项目"), OWNER)
    engine.corpora.delete("甲项目", OWNER)
    new = engine.corpora.create(CorpusOptions(name="乙项目"), OWNER)
    assert new.id > gone.id
    with pytest.raises(NotFoundError):
        engine.corpora.named([str(gone.id)], OWNER)
    first = engine.memory.add_session("nemo", None, "题", "文")
    engine.memory.forget("session", first.key, None)
    assert engine.memory.add_session("nemo", None, "题", "文").key != first.key


def test_who_works_on_the_machine_is_one_person_with_the_app_and_without(engine: Engine) -> None:
    """Commands reach a running app with its first token: what they make is whose it is without the app (owner None)."""
    service = access.TokenService(engine.library.tokens, engine.settings.library)
    client = guarded(engine, str(service.first()))
    assert client.post("/v1/corpora", json={"name": "本机"}).json()["owner"] is None
    client.post("/v1/query", json={"question": "风电场提交什么报告？"})
    assert "本机" in {one.name for one in engine.corpora.seen(None)}
    told = [one.title for one in engine.memory.search("nemo", None, "", today())]
    assert told == ["风电场提交什么报告？"]
    with pytest.raises(BadRequestError):
        service.make("首个令牌", Role.READER, OPERATOR)


def test_the_app_is_asked_through_the_same_door() -> None:
    """Pages, addresses and tools have no way to the whole library: only the process itself names it."""
    root = Path(__file__).resolve().parent.parent
    whole = [p for p in (root / "nemo" / "ui").rglob("*.py") if "frame.opened()" in p.read_text("utf-8")]
    assert {p.name for p in whole} <= {"login.py"}
    for file in ("api.py", "mcp_server.py"):
        assert "as_seen(engine_of)" in (root / "nemo" / "web" / file).read_text("utf-8")


def test_the_command_line_says_who_sees_a_corpus_as_the_app_does() -> None:
    assert {each.value: each.chinese for each in Visibility} == SEEN_BY


def test_the_command_line_writes_names_and_no_codes(capsys: pytest.CaptureFixture[str]) -> None:
    view: dict[str, object] = dict.fromkeys(SHOWN) | {
        "id": "1", "name": "演示", "visibility": "private", "embedder": "library", "store": "exact",
        "provinces": {"cn": 1, "sd": 2}, "classes": {"grid": 2, "": 1}, "changed": "2026-11-01T00:00:00+00:00",
    }  # fmt: skip
    corpora_shown(view, as_json=False)
    told = capsys.readouterr().out
    assert "地域：全国 1、山东 2" in told and "类别：并网 2、未分类 1" in told and "向量模型：同资料库" in told
