"""The memory of a person: found by words and meaning, with what changed since; private; forgotten for good (记忆)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from nemo.accounts import OPERATOR
from nemo.engine import Engine
from nemo.errors import BadRequestError, NotFoundError
from nemo.store.records.marks import MarkPurpose
from nemo.types import Verdict, today
from tests.held_texts import holding
from tests.test_api import TEXT

QUESTION = "并网申请几个工作日内答复"


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with holding(tmp_path, {"办法.md": TEXT}) as opened:
        yield opened


def found(engine: Engine, user: str | None, query: str, app: str = "nemo") -> list[tuple[str, str]]:
    return [(one.kind, one.title) for one in engine.memory.search(app, user, query, today())]


def test_own_questions_notes_reviews_and_sessions_are_found(engine: Engine) -> None:
    answer = engine.ask(QUESTION, user="王敏")
    held = answer.quotes[0].regulation_id
    engine.library.marks.put(MarkPurpose.NOTE, held, "王敏", words="答复", note="与电网公司核对过接入时限")
    engine.library.answers.flush()
    quote = engine.library.reviews.rows()[0]
    engine.library.reviews.decide(quote.id, Verdict.APPROVED, "与原件一致", "王敏")
    engine.memory.add_session("nemo", "王敏", "与业主的电话", "业主问接入系统方案由谁出")
    assert found(engine, "王敏", "并网申请的答复期限")[0] == ("question", QUESTION)
    assert ("note", "批注《演示并网接口办法（演示文本）》") in found(engine, "王敏", "电网公司核对接入时限")
    assert found(engine, "王敏", "业主的电话")[0] == ("session", "与业主的电话")
    assert {kind for kind, _ in found(engine, "王敏", "")} == {"question", "note", "review", "session"}
    assert found(engine, "王敏", "火电厂脱硫石膏") == []


def test_a_memory_is_one_persons_and_one_programs(engine: Engine) -> None:
    engine.ask(QUESTION, user="王敏")
    engine.ask(QUESTION)
    engine.memory.add_session("助手", "王敏", "会话", "并网申请")
    assert found(engine, "李雷", "并网申请") == []
    assert found(engine, None, "并网申请") == [("question", QUESTION)]
    assert found(engine, "王敏", "并网申请", "助手") == [("session", "会话")]
    assert found(engine, "王敏", "并网申请") == [("question", QUESTION)]


def test_it_tells_what_changed_in_the_cited_law(engine: Engine) -> None:
    answer = engine.ask(QUESTION, user="王敏")
    (before,) = engine.memory.search("nemo", "王敏", QUESTION, today())
    assert before.changed == () and before.at.date() is not None
    engine.intake.remove(answer.quotes[0].regulation_id, OPERATOR)
    (after,) = engine.memory.search("nemo", "王敏", QUESTION, today())
    assert after.changed == ("法规已移出资料库",)


def test_what_is_forgotten_is_gone_and_the_chain_says_so(engine: Engine) -> None:
    """Nothing of the words stays in the catalogue, the library still verifies, and the head of the chain has moved on."""
    answer = engine.ask("并网申请雪花石膏几个工作日内答复", user="王敏")
    kept = engine.memory.add_session("nemo", "王敏", "雪花石膏", "雪花石膏的事")
    for kind, key in (("question", answer.trace_id), ("session", kept.key)):
        with pytest.raises(NotFoundError):
            engine.memory.forget(kind, key, "李雷")
        before = engine.library.chain_head()
        proof = engine.memory.forget(kind, key, "王敏")
        assert proof["chain"] == str(engine.library.chain_head()) != str(before)
        number, digest = proof["chain"].split(":")
        assert engine.library.chain_holds(int(number), digest)
    assert found(engine, "王敏", "雪花石膏") == []
    assert engine.verify() == []
    engine.library.close()
    files = [file for file in engine.settings.library.glob("catalogue.sqlite*") if file.is_file()]
    assert files and not any("雪花石膏".encode() in file.read_bytes() for file in files)
    with pytest.raises(NotFoundError):
        engine.library.answers.get(answer.trace_id)


def test_a_signature_is_not_forgotten(engine: Engine) -> None:
    with pytest.raises(BadRequestError, match="签字"):
        engine.memory.forget("review", "1", "王敏")
