"""What a term means, and the form of an examination: the provision that defines the very term comes first (释义与试题)."""

from collections.abc import Iterator

import pytest

from nemo.answer.judgement.statements import says_nothing
from nemo.answer.order.definitions import asked_term
from nemo.answer.question.exam import readings
from nemo.engine import Engine
from nemo.rerank.terms import fold
from nemo.types import Filters, Query, Reason
from tests.held_texts import holding

MARKET = """东洲电力样市实施细则（演示文本）

第一章 总则

第一条 为规范东洲电力样市，制定本细则。本细则由东洲能源演示局（以下简称演示局）监督执行。

第二条 进入样市的用户分为两类：甲类用户是指参与批量交易的用户；乙类用户是指参与零散交易的用户。
批量交易是指甲类用户直接向发电企业购电的交易；零散交易是指乙类用户向售电公司购电的交易。

第三条 样市运行成本包括折损费和维护费。折损费按年限平均法计提，样市运行成本由演示局核定。

第四条 参加批量交易、零散交易的用户，每月二十日前申报次月电量，不得同时参加批量交易和零散交易。

第五条 调样里程按日累计，调样里程低于零点九的机组不得参加样市。调样里程是指机组响应指令前后出力之差的绝对值。

第六条 样市负荷类聚合商参照售电公司参加交易，违反本细则的，由演示局责令改正。

第七条 样市交易机构的职责主要包括：
（一）组织交易；
（二）汇总合同。

第八条 发电企业向样市交易机构申报，样市交易机构每月结算一次，结算结果由样市交易机构公布。

第九条 本细则自2026年1月1日起施行，有效期十年。
"""
OTHER = """西洲批量交易管理办法（演示文本）

第一条 为规范西洲批量交易和零散交易，制定本办法。

第二条 用户参加批量交易、零散交易，应当与售电公司签订合同，批量交易的合同期不得少于一年。

第三条 零散交易的电价由双方协商。调样里程的补偿标准由西洲演示局公布。

第四条 本办法自2026年3月1日起施行。
"""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with holding(tmp_path_factory.mktemp("meaning"), {"east.txt": MARKET, "west.txt": OTHER}) as held:
        yield held


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("什么是调样里程？", "调样里程是指机组响应指令前后"),
        ("何谓“零散交易”？（东洲样市）", "零散交易是指乙类用户"),
        ("东洲细则里乙类用户指的是什么", "乙类用户是指参与零散交易"),
        ("批量交易的定义", "批量交易是指甲类用户"),
        ("样市运行成本由哪几部分构成？", "样市运行成本包括折损费和维护费"),
        ("名词解释：调样里程", "调样里程是指机组响应指令前后"),
        ("【填空】零散交易是指（ ）向（ ）购电的交易。", "零散交易是指乙类用户"),
        ("1. 根据《东洲电力样市实施细则》，调样里程低于（ ）的机组不得参加样市。A.0.5 B.0.9 C.1.2 D.2025年1月1日", "低于零点九"),
        ("《东洲电力样市实施细则》自（ ）起施行，有效期（ ）年。A.2019年1月1日；5 B.2026年1月1日；10", "有效期十年"),
        ("样市交易机构在东洲交易里干什么", "样市交易机构的职责主要包括"),
        ("东洲样市里样市交易机构有哪些职责", "样市交易机构的职责主要包括"),
        ("东洲样市规则里，负荷类聚合商参照谁参加交易", "样市负荷类聚合商参照售电公司"),
    ],
)  # fmt: skip
def test_the_first_quote(engine: Engine, question: str, words: str) -> None:
    answer = engine.ask(question)
    assert answer.quotes, answer.refusal
    assert words in answer.quotes[0].text


@pytest.mark.parametrize(
    ("remark", "question", "term"),
    [
        ("what is", "什么是调样里程", "调样里程"),
        ("a rule before it", "东洲规则里零散交易是指什么", "零散交易"),
        ("中长期 is no place in a rule", "中长期样市的定义", "中长期样市"),
        ("its parts", "样市运行成本由哪几部分构成", "样市运行成本"),
        ("what it includes", "维护费包括哪些费用", "维护费"),
        ("what somebody does", "省级样市机构在跨省交易里干什么", "省级样市机构"),
        ("what a plant has to do before is another thing", "样市用户申报前要准备什么", ""),
        ("how much is no meaning", "调样里程低于多少不能参加", ""),
        ("why is no meaning", "为什么要申报电量", ""),
        ("who defines is no term", "样市少报的电量，法规怎么定义", ""),
        ("a word that asks is no term", "新样地要交的那笔费，到底指什么", ""),
    ],
)
def test_the_term_that_is_asked_about(remark: str, question: str, term: str) -> None:
    assert asked_term(Query(question, Filters(), question))[0] == term, remark


@pytest.mark.parametrize("question", ["何谓折损率", "折损率是什么意思", "“折损率”的含义是什么？"])
def test_a_term_that_nothing_defines_is_refused_for_that(engine: Engine, question: str) -> None:
    refusal = engine.ask(question).refusal
    assert refusal is not None and refusal.reason is Reason.NO_EVIDENCE
    assert "没有给“折损率”下定义" in refusal.message


@pytest.mark.parametrize(
    ("text", "defines"),
    [
        ("本办法所称调样里程，是指机组出力之差。", True),
        ("第五条 调样里程指机组出力之差。", True),
        ("机组出力之差（以下简称“调样里程”）按日累计。", True),
        ("调样里程指标由演示局公布。", False),
        ("日调样里程是指一日之和。", False),
        ("调样里程按日累计。", False),
    ],
)
def test_what_defines_a_term(text: str, *, defines: bool) -> None:
    pattern = asked_term(Query("什么是调样里程", Filters(), ""))[1]
    assert pattern is not None
    assert (pattern.search(fold(text)) is not None) is defines


@pytest.mark.parametrize(
    ("remark", "question", "read"),
    [
        ("options", "样市为（ ）交易。A.金融 B.实物 C.差价", ("样市为（ ）交易。", "样市为（ ）交易，金融，实物，差价")),
        ("options in brackets", "余数不得超过（ ）。(A)3% (B)5%", ("余数不得超过（ ）。", "余数不得超过（ ），3%，5%")),
        ("no marks behind the letters", "样市里程属于下列哪一类？A甲类 B乙类 C丙类", ("样市里程属于下列哪一类？", "样市里程属于下列哪一类？，甲类，乙类，丙类")),
        ("a number and a kind", "12.【判断】用户不得同时参加两种交易。（ ）", ("用户不得同时参加两种交易。（ ）",)),
        ("a kind with a colon", "简答题：样市用户分几类？", ("样市用户分几类？",)),
        ("classes are no options", "A类、B类用户分别怎么收费", None),
        ("grades are no options", "评价等级A级、B级、C级的公司分别怎么处理", None),
        ("phases are no options", "110千伏A、B两相短路怎么处理？", None),
        ("two questions by number", "1. 光伏备案要多久？2. 风电核准呢？", None),
        ("an amount", "1.5万千瓦的项目要不要核准", None),
    ],
)  # fmt: skip
def test_how_an_examination_is_read(remark: str, question: str, read: tuple[str, ...] | None) -> None:
    assert readings(question) == (read or (question,)), remark


@pytest.mark.parametrize(
    ("text", "nothing"),
    [
        ("东洲电力样市实施细则（演示文本）", True),
        ("关于印发《东洲电力样市\n实施细则（演示文本）》的通知", False),
        ("东洲电力样市", False),
        ("各市演示局，东洲电网公司、各有关发电企业：", True),
        ("国网东洲公司,各售电公司,电力用户,新型经营主体:", True),
        ("各单位应当报送下列材料：", False),
        ("申报单位须具备以下条件：", False),
        ("东洲电力样市实施细则（演示文本）自2026年1月1日起施行。", False),
    ],
)
def test_what_states_nothing(text: str, *, nothing: bool) -> None:
    assert says_nothing(text, "东洲电力样市实施细则（演示文本）") is nothing
