"""The memory of a person: found by words and meaning, with what changed since; private; forgotten for good (记忆)."""

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


RULES = """演示电站管理办法（演示文本）

第一条 电网企业应当自收到并网申请之日起十个工作日内出具答复意见。

第二条 安全生产许可证的有效期为三年，有效期满需要延期的，应当于期满前三个月办理延期手续。

第三条 在电力线路保护区内，任何单位和个人不得种植可能危及电力设施安全的高秆植物。

第四条 环境影响评价文件自批准之日起满五年，方决定该项目开工建设的，应当报原审批部门重新审核。

第五条 本办法自2024年1月1日起施行。
"""
REWORDED = [
    ("电网企业收到并网申请后几个工作日内答复？", "接网申请交上去多久给回音"),
    ("安全生产许可证的有效期是几年？", "安许证能用多少年"),
    ("电力线路保护区内可以种树吗？", "电线底下能不能栽高秆植物"),
    ("环境影响评价文件批准后多久未开工要重新审核？", "环评批了几年没动工还管用吗"),
]
UNRELATED = ["职工带薪年休假天数", "政府采购招标公告期限", "律师执业年度考核"]


def test_another_wording_of_a_question_is_found_and_another_matter_is_not(tmp_path: Path) -> None:
    """By the provisions that answer it, by synonyms of the rule data and by meaning; the words are hardly the same."""
    with holding(tmp_path, {"办法.md": RULES}) as engine:
        for question, _ in REWORDED:
            assert engine.ask(question, user="王敏").quotes, question
        for question, other in REWORDED:
            assert found(engine, "王敏", other)[:1] == [("question", question)], other
        assert [found(engine, "王敏", other) for other in UNRELATED] == [[]] * len(UNRELATED)


def test_it_tells_what_changed_in_the_cited_law(engine: Engine) -> None:
    answer = engine.ask(QUESTION, user="王敏")
    (before,) = engine.memory.search("nemo", "王敏", QUESTION, today())
    assert before.changed == () and before.at.date() is not None
    engine.intake.remove(answer.quotes[0].regulation_id, OPERATOR)
    (after,) = engine.memory.search("nemo", "王敏", QUESTION, today())
    assert after.changed == ("法规已移出资料库",)


def test_what_is_forgotten_is_gone_and_the_chain_says_so(engine: Engine) -> None:
    """Nothing of the words stays in the catalogue, the library still verifies, and the head of the chain has moved on."""
    engine.ask("并网申请雪花石膏几个工作日内答复", user="王敏")
    answer = engine.ask("并网申请雪花石膏几个工作日内答复", user="王敏")
    assert found(engine, "王敏", "雪花石膏") == [("question", "并网申请雪花石膏几个工作日内答复")], (
        "asked twice, told once"
    )
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
    assert engine.library.verify() == []
    engine.library.close()
    files = [file for file in engine.settings.library.glob("catalogue.sqlite*") if file.is_file()]
    assert files and not any("雪花石膏".encode() in file.read_bytes() for file in files)
    with pytest.raises(NotFoundError):
        engine.library.answers.get(answer.trace_id)


def test_a_signature_is_not_forgotten(engine: Engine) -> None:
    with pytest.raises(BadRequestError, match="签字"):
        engine.memory.forget("review", "1", "王敏")
    with pytest.raises(BadRequestError, match="question、note、session"):
        engine.memory.forget("revue", "1", "王敏")
