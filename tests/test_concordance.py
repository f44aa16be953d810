"""Repealed law: what took its place, who says so, and which article cites which, asked of a small library."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from nemo import rules as rule_data
from nemo.answer import refuse
from nemo.answer.question import time_bounds
from nemo.engine import Engine
from nemo.settings import PROJECT
from nemo.types import Directness, Reason, Refusal
from tests.held_texts import holding

RULES = rule_data.load(PROJECT / "data" / "rules")

OLD = """中华人民共和国演示船闸噪声法（演示文本）

（1996年10月29日全国人民代表大会常务委员会通过 自1997年3月1日起施行）

第一条 为了示范旧法，制定本法。

第二条 在船闸居民区内，禁止夜间进行产生船闸噪声的检修作业，但抢修作业除外。

第三条 船闸管理单位应当每年公布船闸噪声的监测结果。

第四条 违反本法第二条规定的，由船闸主管部门处一千元以下的罚款。

第五条 本法自1997年3月1日起施行。
"""
NEW = """中华人民共和国演示船闸环境法（演示文本）

（2021年12月24日全国人民代表大会常务委员会通过 自2022年6月5日起施行）

第一条 为了示范新法，制定本法。

第二条 国家对船闸实行分类管理。

第三条 在船闸居民区内，禁止夜间进行产生船闸噪声的检修作业，但抢修作业和抢险作业除外。

第四条 违反本法第三条规定的，由船闸主管部门处五千元以下的罚款。

第五条 本法自2022年6月5日起施行。《中华人民共和国演示船闸噪声法（演示文本）》同时废止。
"""
RULE = """演示船闸检修管理办法（演示文本）

（2015年1月1日演示水运局公布 自2015年2月1日起施行）

第一条 为了示范船闸检修管理，制定本办法。

第二条 船闸检修单位夜间检修产生噪声的，由船闸主管部门依照《中华人民共和国演示船闸噪声法（演示文本）》第二条的规定处理。

第三条 本办法自2015年2月1日起施行。
"""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    texts = {"old.txt": OLD, "new.txt": NEW, "rule.txt": RULE}
    with holding(tmp_path_factory.mktemp("repealed"), texts) as opened:
        yield opened


def test_a_repealed_article_is_refused_with_the_article_in_its_place(engine: Engine) -> None:
    refusal = engine.ask("演示船闸噪声法第二条怎么规定？").refusal
    assert refusal is not None
    assert refusal.reason is Reason.NOT_IN_FORCE_ON_DAY
    assert "第二条在新法中的相应条文：《中华人民共和国演示船闸环境法（演示文本）》第三条" in refusal.tips[0]
    assert "文字相近" in refusal.tips[0]


def test_nothing_is_offered_where_the_new_law_says_nothing_alike(engine: Engine) -> None:
    refusal = engine.ask("演示船闸噪声法第三条怎么规定？").refusal
    assert refusal is not None
    assert not any("相应条文" in tip for tip in refusal.tips)


def test_a_quote_that_points_to_a_repealed_article_names_the_one_in_its_place(engine: Engine) -> None:
    quote = engine.ask("演示船闸检修管理办法第二条").quotes[0]
    assert any("已于 2022-06-05 废止" in w and "第三条（文字相近" in w for w in quote.citation.warnings)


def test_show_names_the_repealing_law_and_article(engine: Engine) -> None:
    told = engine.show("中华人民共和国演示船闸噪声法（演示文本）")["status_evidence"]
    assert told.endswith("被《中华人民共和国演示船闸环境法（演示文本）》第五条废止")
    assert "废止" not in engine.show("演示船闸噪声法", day=dt.date(2020, 1, 1))["status_evidence"]


@pytest.mark.parametrize(
    ("remark", "question", "said", "file"),
    [
        ("another text and its own", "哪些规定引用了演示船闸噪声法第二条？", "演示船闸检修管理办法", "rule.txt"),
        ("only its own", "哪些规定引用了演示船闸环境法第三条？", "没有读到其他文本引用该条", "new.txt"),
        ("made on a law", "依据演示船闸环境法制定的有哪些？", "", None),
    ],
)
def test_who_cites_an_article(engine: Engine, remark: str, question: str, said: str, file: str | None) -> None:
    answer = engine.ask(question)
    if file is None:
        assert answer.mode != "about", remark
        return
    assert answer.mode == "about", remark
    assert said in answer.heading
    assert answer.quotes[0].citation.file == file
    assert answer.verdict is Directness.DIRECT


def test_what_a_text_does_not_say_of_itself_is_refused_and_no_provision_answers(engine: Engine) -> None:
    refusal = engine.ask("演示船闸检修管理办法的文号是多少？").refusal
    assert refusal is not None
    assert refusal.message == "《演示船闸检修管理办法（演示文本）》的文本没有载明文号。"


@pytest.mark.parametrize(
    ("level", "tip"),
    [
        ("行政法规", "它归入行政法规，行政法规由国务院制定。"),  # 立法法第七十二条
        ("法律", ""),  # 全国人大 or its standing committee: which of both is not known (立法法第十条)
        ("地方性法规", ""),
        ("", ""),
    ],
)
def test_who_made_a_text_that_names_no_issuer_is_told_by_its_level_where_one_body_makes_it(
    level: str, tip: str
) -> None:
    told = refuse.not_stated("演示船闸条例", ["发布机关"], refuse.made_by(level, RULES))
    assert told.message == "《演示船闸条例》的文本没有载明发布机关。"
    assert told.tips[:-1] == ((tip,) if tip else ())


def test_what_is_asked_by_number_is_a_direct_rule(engine: Engine) -> None:
    assert engine.ask("演示船闸环境法第二条").verdict is Directness.DIRECT


@dataclass(frozen=True)
class Told:
    tips: tuple[str, ...] = ()


@dataclass(frozen=True)
class Judged:
    """What of a decision tells which text answers in place of one that ended."""

    hits: tuple[SimpleNamespace, ...]
    parts: SimpleNamespace
    named: Told = Told()
    only: tuple[str, ...] = ()


@pytest.mark.parametrize(
    ("remark", "ended_by", "first", "kept"),
    [
        ("the text that ended it answers, and it alone", "演示船闸环境法", "new", ["new 3", "new 2"]),
        ("another text has the first hit", "演示船闸环境法", "rule", None),
        ("nobody says what ended it", None, "new", None),
    ],
)
def test_the_text_that_ended_another_answers_in_its_place(
    remark: str, ended_by: str | None, first: str, kept: list[str] | None
) -> None:
    def hit(regulation: str, label: str) -> SimpleNamespace:
        return SimpleNamespace(chunk=SimpleNamespace(regulation_id=regulation, label=label))

    titles = {"old": "演示船闸噪声条例", "new": "演示船闸环境法", "rule": "演示船闸检修办法"}
    rows = {i: SimpleNamespace(title=title, validity=SimpleNamespace(ended_by=ended_by)) for i, title in titles.items()}
    hits = (hit(first, "3"), hit("rule", "2"), hit("new", "2"))
    lapse = Refusal(Reason.NOT_IN_FORCE_ON_DAY, "演示船闸噪声条例已废止。", (), (hit("old", "2"),))  # type: ignore[arg-type]
    judged = Judged(hits, SimpleNamespace(library=SimpleNamespace(row=rows.__getitem__)))
    found = time_bounds.in_its_place(judged, lapse)  # type: ignore[arg-type]
    if kept is None:
        assert found is None, remark
        return
    assert found is not None and [f"{h.chunk.regulation_id} {h.chunk.label}" for h in found.hits] == kept
    assert found.only == ("new",) and found.named.tips == ("演示船闸噪声条例已废止。",)


@pytest.mark.parametrize(
    ("remark", "name", "title", "means"),
    [
        ("the same in fewer words", "浙江船闸验收办法", "浙江省船闸验收管理办法", True),
        ("of another place", "浙江船闸验收办法", "福建省船闸验收管理办法", False),
        ("a part of the matter is another text", "船闸电站管理办法", "升船式船闸电站管理办法", False),
        ("detailed rules are another text", "船闸调度规则", "船闸调度规则实施细则", False),
        ("too little is said of the matter", "船闸办法", "船闸管理办法", False),
    ],
)
def test_which_title_a_short_name_may_mean(remark: str, name: str, title: str, means: bool) -> None:
    assert refuse._means(name, title, RULES) is means, remark
