"""Several questions in one, follow-ups, whose rule answers, and what the evidence must hold: tables of what is said."""

import datetime as dt
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import NamedTuple

import pytest

from nemo import rules as rule_data
from nemo import settings
from nemo.answer import combined
from nemo.answer.judgement import dispersion, elements, evidence, prior_answers, surroundings
from nemo.answer.order import places
from nemo.answer.question import asked_kinds, decomposition, followup
from nemo.types import (
    Answer,
    Chunk,
    Confidence,
    Filters,
    Hit,
    Mention,
    PlaceGroup,
    Query,
    Ranked,
    Reason,
    Refusal,
    Regulation,
    Span,
    Validity,
)

RULES = rule_data.load(settings.load().rules)
DAY = dt.date(2026, 11, 20)


def before(text: str, province: str | None = None, mentions: tuple[Mention, ...] = ()) -> Answer:
    query = Query(text, Filters(province, None, None, DAY), text, mentions=mentions)
    return Answer(query, DAY, (), Refusal(Reason.NO_EVIDENCE, "无"), Confidence(1.0), "nemo-1")


@pytest.mark.parametrize(
    ("remark", "text", "parts"),
    [
        ("one question", "并网验收需要哪些材料？", 1),
        ("two question marks", "并网验收谁组织？不合格多久可以复验？", 2),
        ("另外", "升压站验收由谁组织？另外水保方案报哪个部门批", 2),
        ("以及 between two questions", "并网申请几天答复，以及验收材料有哪些", 2),
        ("two clauses that ask", "海缆路由勘测提前多少天申请，主管机关几天答复", 2),
        ("a clause that means nothing alone stays", "并网申请几天答复，依据哪条", 1),
        ("a clause about the same subject", "储能站检修方案报谁批，最多能延几天", 1),
        ("a clause with an act of its own", "并网验收要交哪些材料，几个工作日内组织并网验收", 2),
        ("a clause that opens with what it does", "储能站几年检修一次，废止了哪份旧办法", 1),
        ("circled numbers without a mark between", "①并网申请几天答复②验收由谁组织", 2),
        ("numbered", "1. 并网申请几天答复？ 2. 验收谁组织？ 3. 罚多少？", 3),
        ("还有吗 asks of what was said before", "旧办法里的检修期限现行办法还有吗", 1),
        ("还有效 is one word", "示发改价〔2012〕9号还有效吗，什么时候停止执行？", 1),
        ("分别", "用海、海缆、海事分别由谁审批", 3),
        ("a second subject after a comma", "复议申请期限是多久，起诉期限的起算日呢", 2),
        ("好几年 and 这几天 ask nothing", "并网批复下来好几年了，这几天要投运，得重新报批吗", 1),
        ("a condition is no question", "没有取得许可就并网的，怎么处罚？", 1),
        ("what is not asked", "我不问罚款，只问两件事：并网申请几天答复；验收由谁组织", 2),
        ("an article is a question of its own", "演示法什么时候施行的，它第三条怎么说", 2),
        ("numbers in brackets without a mark between", "（1）并网申请几天答复（2）验收由谁组织", 2),
        ("a number of its own asks by itself", "a）并网申请几天答复 b）验收由谁组织 c）电话", 3),
        ("numbers in brackets, Chinese", "（一）并网申请几天答复（二）验收由谁组织", 2),
        ("items of an article are no questions", "演示法第四条（1）（2）怎么说", 1),
        ("an item beside what asks", "演示法第四条第（一）项是什么，（二）项呢", 1),
        ("English", "How long is a permit valid, and who issues it?", 2),
        ("a question by its clock", "夜间检修要报谁批，停电窗口从几点到几点", 2),
    ],
)
def test_where_one_question_ends(remark: str, text: str, parts: int) -> None:
    assert len(decomposition.split(text, lambda clause: followup.without_subject(clause, RULES))) == parts, remark


def test_each_thing_of_a_list_is_asked_with_what_stands_before_it() -> None:
    found = decomposition.split("示例细则里，年度公告和月度公告分别提前几天发", lambda clause: False)
    assert found == ["示例细则里，年度公告提前几天发", "示例细则里，月度公告提前几天发"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("甲表和乙表的演示时限分别是几天？", ["甲表的演示时限是几天", "乙表的演示时限是几天"]),
        ("甲表和乙表各要报几天", ["甲表要报几天", "乙表要报几天"]),
        ("没报的，企业和负责人各罚多少", ["没报的，企业和负责人各罚多少"]),
        ("甲省和乙省各级部门报几天", ["甲省和乙省各级部门报几天"]),
        ("电站涉及用海和用林，分别找谁批", ["电站涉及用海找谁批", "用林，找谁批"]),
        ("甲方的义务和乙方的权利分别有哪些", ["甲方的义务有哪些", "乙方的权利有哪些"]),
    ],
)
def test_what_is_asked_of_each_thing_of_a_list(text: str, parts: list[str]) -> None:
    assert decomposition.split(text, lambda clause: False) == parts


def test_a_part_begins_and_ends_with_what_is_asked() -> None:
    found = decomposition.split("我不问罚款，只问两件事：并网申请几天答复；验收由谁组织。", lambda clause: False)
    assert found == ["并网申请几天答复", "验收由谁组织"]


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("依据是哪一条？", True),
        ("那是哪一条规定的", True),
        ("法律依据呢？", True),
        ("出处在哪", True),
        ("依据什么收费", False),
        ("哪一条规定了罚款", False),
    ],
)
def test_what_asks_on_what_the_answer_rests(question: str, asks: bool) -> None:
    assert followup.asks_basis(question) is asks


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("新版的呢", "新版《演示法》第5条"),
        ("还有效吗", "《演示法》还有效吗"),
        ("那什么时候施行？", "《演示法》什么时候施行？"),
        ("旧的那版什么时候失效", "旧版《演示法》什么时候失效"),
    ],
)
def test_a_question_asked_on_of_a_text_itself(question: str, said: str) -> None:
    assert followup.of_the_text(question, "演示法", "5") == said


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("演示储能站备案实行什么管理？", "演示储能站备案实行管理"),
        ("用户不得有哪些行为", "用户不得有行为"),
        ("许可证有效期多久；，到期前几天申请；", "许可证有效期，到期前申请"),
        ("专项工程的经营期按多少年算？", "专项工程的经营期"),
    ],
)
def test_what_is_left_of_a_question_is_whole_words(text: str, subject: str) -> None:
    assert followup.subject(text) == subject


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("那罚多少？", True),
        ("那用海金不交会怎么样？", False),
        ("山东呢？", True),
        ("第二款呢？", True),
        ("2019 年的时候呢？", True),
        ("国家层面呢", True),
        ("多久答复", True),
        ("由谁审批？", True),
        ("由谁验收？", False),
        ("备案多久办完", False),
        ("光伏项目并网要交哪些材料？", False),
        ("《电力法》呢？", False),
        ("没有许可证发电罚多少？", False),
        ("这份通知2026年9月10日还有效吗", True),
        ("该办法由谁负责解释？", True),
        ("上述规定适用于分布式光伏吗", True),
        ("本办法什么时候施行", True),
        ("有效期多久？", True),
        ("本办法所称分布式光伏是什么？", False),
        ("排污许可证有效期多久？", False),
        ("条例第三条怎么说", True),
        ("法律第五条第二款", True),
        ("《电力法》，该法什么时候施行？", False),
        ("样例期几年？山东呢？", False),
        ("罚款 违反", True),
    ],
)
def test_what_means_nothing_by_itself(text: str, bare: bool) -> None:
    assert followup.bare(text, RULES) is bare


@pytest.mark.parametrize(
    ("remark", "previous", "question", "said", "province"),
    [
        ("a place", "水保方案由谁审批？", "山东呢？", "水保方案由谁审批", "sd"),
        ("the nation", "广东对湿地规划怎么规定？", "国家层面呢？", "湿地规划怎么规定", "cn"),
        ("a day", "垄断协议怎么罚？", "2015年的时候呢？", "2015年的时候，垄断协议怎么罚", None),
        ("a day as people say it", "垄断协议怎么罚？", "2015年那会儿呢？", "2015年那会儿，垄断协议怎么罚", None),
        ("another of the same kind", "第一档地区利用率不低于多少？", "第三档呢？", "第三档地区利用率不低于多少", None),
        ("a thing by its short name", "样例管道保护区有多宽？", "保护区里能种树吗？", "样例管道保护区里能种树", None),
        ("a year that is no day", "到2025年要建成什么？", "到2030年呢", "到2030年要建成什么", None),
        ("another of two bodies", "验收不合格，建设单位罚多少？", "设计单位呢？", "验收不合格，设计单位罚多少", None),
        ("a fine with its verb", "码头没验收罚多少？", "那没取得许可证呢", "没取得许可证罚多少", None),
        ("yes or no asks by itself", "废气超标罚多少？", "举报人信息保密吗？", "废气超标，举报人信息保密", None),
        ("the same about another thing", "回采率不达标怎么罚？", "占用铁路专用线呢？", "占用铁路专用线怎么罚", None),
        ("another act on the same thing", "出借许可证罚多少？", "伪造的呢？", "伪造许可证罚多少", None),
        ("what is late is no other act", "转让许可证罚多少？", "逾期呢？", "转让许可证", None),
        ("with how it is asked", "停气检修要提前多久通知？", "停业呢？", "停业要提前多久通知", None),
        (
            "something new of the subject",
            "没有安全许可证能生产吗？",
            "那罚多少？",
            "没有安全许可证能生产，罚多少",
            None,
        ),
    ],
)
def test_a_follow_up_keeps_what_it_does_not_change(
    remark: str, previous: str, question: str, said: str, province: str | None
) -> None:
    asked = followup.understand(question, Filters(), before(previous), RULES)
    assert said in asked.text, remark
    assert asked.filters.province == province
    assert previous.rstrip("？") in asked.understood


@pytest.mark.parametrize(
    ("text", "points"),
    [("这期间工资谁发", True), ("该费用由谁出", True), ("应该交多少", False), ("那罚多少", False), ("此外呢", False)],
)
def test_what_points_to_what_was_said_before(text: str, points: bool) -> None:
    assert followup.points_back(text) is points


@pytest.mark.parametrize(
    ("question", "topic", "own"),
    [
        ("样本闸使用费可以按年交吗？", "样本闸使用费", ["样本", "闸", "使用费", "按", "年交"]),
        ("样本证到期要提前几天申请？", "样本证到期", None),
        ("哪些可以免？", None, ["免"]),
        ("单位不申请，职工自己多久内可以申请？", None, ["单位", "申请", "职工", "申请"]),
    ],
)
def test_the_topic_of_a_question_and_its_own_words(question: str, topic: str | None, own: list[str] | None) -> None:
    assert topic in (None, followup.topic(question))
    assert own is None or topic is not None or followup.own_matter(question, RULES) == own


@pytest.mark.parametrize(
    ("remark", "question", "named", "said"),
    [
        ("another text, in marks", "《样本乙办法》呢？", "《样本乙办法》", "《样本乙办法》，私接管线怎么罚"),
        ("another text by its short name", "那样本乙法怎么规定", "样本乙法", "样本乙法，私接管线怎么罚"),
        ("an article of it", "样本乙法第三条呢", "样本乙法", None),
        ("the article asked before", "那样本乙法呢", "样本乙法", "样本乙法第3条"),
        ("what it rules of something else", "样本乙法对押金怎么要求", "样本乙法", None),
    ],
)
def test_the_same_asked_of_another_text(remark: str, question: str, named: str, said: str | None) -> None:
    article = "第3条" if said and said.endswith("条") else ""
    asked = f"样本甲法{article}" if article else "样本甲法，私接管线怎么罚"
    mention = Mention(
        f"样本甲法{article}", title="样本甲法", article=article.strip("第条") or None, regulation_ids=("a",)
    )
    at = question.index(named)
    earlier = before(asked, mentions=(mention,))
    assert followup.of_another(question, Span(at, at + len(named)), earlier, RULES) == said, remark


def test_another_paragraph_of_the_article_before() -> None:
    earlier = before("示例法第二十五条", mentions=(Mention("示例法第二十五条", title="示例法", article="25"),))
    for question, said in (
        ("第二款呢？", "第25条第二款"),
        ("下一条呢", "第二十六条"),
        ("再往后两条", "第二十六条至第二十七条"),
        ("前两条呢", "第二十三条至第二十四条"),
    ):
        assert followup.understand(question, Filters(), earlier, RULES).text == f"《示例法》{said}"


@pytest.mark.parametrize("question", ["国家是怎么规定的？", "国家层面又有什么规定", "全国的呢"])
def test_the_rule_of_the_nation_is_asked_in_words(question: str) -> None:
    found = followup.understand(question, Filters(), before("广东的并网验收谁组织", "gd"), RULES)
    assert (found.text, found.filters.province) == ("并网验收谁组织", "cn")


@pytest.mark.parametrize(
    ("question", "more"),
    [("还有别的吗？", True), ("还有呢", True), ("还有其他规定吗", True), ("还有效吗", False), ("还有罚款吗", False)],
)
def test_a_question_for_what_else_there_is(question: str, more: bool) -> None:
    assert followup.asks_more(question) is more


def test_the_filters_of_the_question_before_stay_until_another_is_chosen() -> None:
    earlier = before("验收谁组织", "gd")
    assert followup.understand("那罚多少？", Filters(), earlier, RULES).filters.province == "gd"
    assert followup.understand("那罚多少？", Filters("sd"), earlier, RULES).filters.province == "sd"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("比较广东和山东的并网时限", ["gd", "sd"]),
        ("广东和山东的并网时限有什么区别", ["gd", "sd"]),
        ("广东的并网时限", []),
        ("国家和广东对并网时限的规定有什么不同", ["cn", "gd"]),
        ("广东与国家的规定差在哪", ["cn", "gd"]),
        ("国家能源局和广东省能源局谁审批", []),
        ("从山东到广东的输电线路谁审批", []),
    ],
)
def test_places_that_are_compared(text: str, found: list[str]) -> None:
    assert [code for _, code in decomposition.compared_places(text, RULES, lambda _: False)] == found


def test_cities_with_rules_of_their_own_are_compared() -> None:
    asked = "青岛、临沂两市的供热期有什么不同"
    places = decomposition.compared_places(asked, RULES, lambda city: city in ("青岛", "临沂"))
    assert places == [("青岛", "sd"), ("临沂", "sd")]
    assert decomposition.for_place(asked, "临沂", places) == "临沂供热期"


REGULATION = Regulation(
    "r1",
    "示例省储能管理办法（演示文本）",
    "",
    (),
    Validity(dt.date(2022, 3, 1)),
    "示例.md",
    "0",
    level="部门规章",
    province="cn",
)


def lacking(question: str, passage: str, title: str = "", province: str | None = None) -> list[str]:
    regulation = replace(REGULATION, title=title or REGULATION.title, text=passage)
    words = surroundings.tight(passage)
    text = surroundings.EvidenceText(words, regulation.title, regulation, own=words)
    return elements.missing(Query(question, Filters(province)), text, RULES)


@pytest.mark.parametrize(
    ("remark", "question", "passage", "held"),
    [
        ("the year of a plan", "2030年储能装机目标是多少万千瓦", "到2030年，储能装机达到300万千瓦。", True),
        ("another year", "2035年储能装机目标是多少万千瓦", "到2030年，储能装机达到300万千瓦。", False),
        ("a version that is not held", "储能办法2027年版的比例是多少", "比例不低于5%。", False),
        ("when something happened", "2021年时未备案的罚多少", "未备案的，处一万元罚款。", True),
        ("another grid", "蒙西储能申报比例是多少", "蒙东申报比例为5%。", False),
        ("another technology", "光热的补偿单价是多少元", "海上风电的补偿为每年2元。", False),
        ("a general rule holds each", "光伏的补偿单价是多少元", "新能源项目的补偿为每年2元。", True),
        (
            "another grade of the same",
            "二级储能保护区能钓鱼吗",
            "禁止在储能一级保护区内钓鱼，由县级以上政府责令停止。",
            False,
        ),
        ("each grade of it", "二级储能保护区能钓鱼吗", "禁止在储能一级、二级保护区内钓鱼。", True),
        ("this grade and those above", "三级储能证谁发", "二级及以下储能证由市主管部门核发。", True),
        ("another voltage", "10千伏线路的净距是多少米", "220千伏线路的净距为6米。", False),
        ("a day of each month", "储能租金每月几号前交", "储能租金于每月十日前缴纳。", True),
        ("a term is no day", "储能租金每月几号前交", "储能租金自收到通知之日起七日内缴纳。", False),
        ("whoever sets the day", "储能配额清缴截止日期", "按照规定的时限清缴储能配额，违者核减下一年度配额。", False),
        (
            "before an event, where any day is asked",
            "最晚哪天申请储能证延续",
            "储能证有效期届满三十日前申请延续。",
            True,
        ),
        ("within so long, where any day is asked", "储能证异议截止日期", "储能证异议应当在公示后三个月内提出。", True),
        ("no sum stated", "报名费是多少钱", "报名应当提交申请书。", False),
        ("another quantity", "滞纳金比例是多少", "资本金收益率不超过5%。", False),
        ("a sum in parts of another", "逾期每天加收多少违约金", "逾期的，每日按样本费总额的1‰至3‰加收违约金。", True),
        ("no number of a telephone", "举报电话是多少", "主管部门应当公布举报电话。", False),
        ("a number of a telephone", "举报电话是多少", "举报电话为12369。", True),
        ("which days is no number of days", "幼鱼繁育期是哪几天", "幼鱼繁育期自4月16日起至8月16日止。", True),
        ("no county by name", "哪些县区暂停受理新的并网申请", "暂停受理的地区由主管部门公布。", False),
        ("counties by name", "哪些县区暂停受理新的并网申请", "甲县、乙县和丙区暂停受理。", True),
        ("a list", "列出全国所有获批的项目", "项目由主管部门批准。", False),
        (
            "a project of one technology is no project of all",
            "储能的容量电价上限是多少元",
            "光伏项目竞价上限为0.4元。",
            False,
        ),
        ("another kind of plant", "风电场退役提前多久申请", "核设施许可届满前五年提出申请。", False),
        ("blanks between a figure and its unit", "提前多少天申请延续", "应当在届满 30\n日前提出申请。", True),
        ("no papers named", "加氢站审批要哪些材料", "支持矿区建设加氢站。", False),
        ("papers named", "加氢站审批要哪些材料", "加氢站审批应当提交设计图纸。", True),
        ("how often is not said", "员工体检周期", "应当为员工提供健康检查。", False),
        ("how often", "员工体检周期", "员工每年进行健康检查一次。", True),
        ("another thing", "变电站离学校多远", "架空线路导线边线向外延伸20米。", False),
        ("every thing", "变电站离学校多远", "电力设施与学校的距离不少于20米。", True),
        ("what is to be paid", "每亩要交多少植被恢复费", "应当提交恢复方案。", False),
        ("a number of years", "方案批复后几年没开工就作废", "逾期没有开工的，应当重新报批。", False),
        ("years stated", "方案批复后几年没开工就作废", "自批准之日起三年未开工的，方案失效。", True),
        ("which year of school is no number of years", "几年级要学用电安全", "学校应当开展用电安全教育。", True),
        ("regularly is no number of days", "电表坏了几天内换", "电网企业应当定期检验电表。", False),
        ("at once is one", "电表坏了几天内换", "电网企业应当立即更换。", True),
        ("an address", "主管部门的办公地址和传真", "指南应当载明办公地址和传真。", False),
        ("a fine in parts of the price", "中标人不签合同罚多少钱", "处中标金额千分之五以上千分之十以下的罚款。", True),
    ],
)
def test_what_the_question_says_stands_in_the_evidence(remark: str, question: str, passage: str, held: bool) -> None:
    assert (not lacking(question, passage)) is held, remark


@pytest.mark.parametrize(
    ("remark", "sign", "question", "asked", "neighbour"),
    [
        ("the value stands in another sentence", dispersion.apart, "丙级线路检修提前几天报送",
         "丙级线路的检修提前5天报送。丁级线路只作登记。", "丁级线路的检修提前5天报送。丙级线路只作登记。"),
        ("no value asked", dispersion.apart, "丙级线路的登记由谁审核", "丙级线路的登记由甲局审核。", "丁级线路由甲局审核。丙级线路只作登记。"),
        ("the paper says it elsewhere", dispersion.left, "丙级线路检修提前几天报送", "丙级线路检修提前3天报送。", "丁级线路检修提前5天报送。"),
    ],
)  # fmt: skip
def test_what_is_asked_is_said_in_one_place(
    remark: str, sign: Callable[[Query, surroundings.EvidenceText], float], question: str, asked: str, neighbour: str
) -> None:
    paper, query = replace(REGULATION, text=asked + neighbour), Query(question, Filters())
    told, other = (sign(query, surroundings.EvidenceText(words, "", paper, own=words)) for words in (asked, neighbour))
    assert told < other, remark


@pytest.mark.parametrize(
    ("remark", "question", "passage", "held"),
    [
        ("no plant named", "光伏并网验收要几个工作日", "预公告时间不少于十个工作日。", False),
        ("the plant named", "光伏并网验收要几个工作日", "光伏项目十个工作日内验收。", True),
        ("no value asked", "光伏占草原谁批", "占用草原由主管部门批准。", True),
        ("a penalty is of everybody", "光伏项目未批先建罚多少", "未批先建的，处一万元罚款。", True),
    ],
)
def test_a_doubted_rule_answers_for_a_plant_only_when_it_names_it(
    remark: str, question: str, passage: str, held: bool
) -> None:
    text = surroundings.EvidenceText(surroundings.tight(passage), "", REGULATION)
    assert (not elements.missing(Query(question, Filters()), text, RULES, doubted=True)) is held, remark
    assert not elements.missing(Query(question, Filters()), text, RULES), "one that is not doubted answers for all"


@pytest.mark.parametrize(
    ("question", "passage", "thing"),
    [
        ("临时用地期限最长几年", "临时使用岸线的期限不得超过一年。", "用地"),
        ("临时用地期限最长几年", "临时用地的期限不得超过两年。", None),
        ("光伏电站的防雷装置多久检测一次", "防雷装置每年检测一次。", "光伏"),
        ("临时用地由谁批准", "临时使用岸线由主管部门批准。", None),
        ("高峰时段置信出力要提到多少", "高峰时段置信出力提升至10%以上。", None),
    ],
)
def test_what_a_value_is_asked_of_and_the_rule_never_names(question: str, passage: str, thing: str | None) -> None:
    text = surroundings.EvidenceText(surroundings.tight(passage), "", REGULATION)
    assert elements.never_named(Query(question, Filters()), text, RULES) == thing


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("复议申请期限是多长？", ["复议", "申请"]),
        ("期满怎么恢复", ["恢复"]),
        ("那罚多少", []),
        ("超过几年就不查了？", ["不查"]),  # a bound is no subject
    ],
)
def test_the_words_that_name_the_subject_of_a_part(text: str, words: list[str]) -> None:
    assert followup.subject_words(text, RULES) == words


def test_a_doubtful_part_is_answered_from_what_surely_answers_the_whole_within_one_text() -> None:
    def hit(label: str, start: int, score: float, regulation: str = "r1") -> Hit:
        chunk = Chunk(f"{regulation}-{label}", regulation, label, Span(start, start + 9), "示例")
        return Hit(chunk, score, {})

    def whole(score: float, regulation: str = "r1") -> tuple[Ranked, ...]:
        return (Ranked(regulation, "示例.md", "示例", "第二条", "2", Span(10, 19), "示例", score),)

    def first(hits: list[Hit], ranked: tuple[Ranked, ...]) -> str:
        return prior_answers.supported(hits, ranked)[0].chunk.label

    doubtful, sure = [hit("1", 0, 0.4), hit("2", 10, 0.02)], [hit("1", 0, 0.9), hit("2", 10, 0.02)]
    assert first(doubtful, whole(0.9)) == "2"
    assert first(sure, whole(0.9)) == "1", "a part whose own words lead somewhere surely keeps it"
    assert first(doubtful, whole(0.5)) == "1", "the whole is not sure either"
    assert first(doubtful, whole(0.9, "r2")) == "1", "another text answers the whole"


@pytest.mark.parametrize(
    ("remark", "text", "formal"),
    [
        ("issues a rule", "《示例省储能管理办法》已经同意，现印发给你们，请认真贯彻执行。", True),
        ("says why it is made", "第一条 为了规范储能并网，根据有关法律，制定本办法。", True),
        ("sends questions somewhere", "执行中遇到的问题，请及时向主管部门反映。", True),
        ("rules beside issuing", "现将办法印发给你们。各单位应当于每年三月底前报送上年的运行情况。", False),
        ("publishes as a duty", "主管部门应当予以公布。", False),
        ("found by inspection", "发现问题的，应当公布处理结果。", False),
    ],
)
def test_what_only_issues_a_rule_is_no_evidence(remark: str, text: str, formal: bool) -> None:
    assert evidence.only_formal(text) is formal, remark


@pytest.mark.parametrize(
    ("text", "delegates"),
    [
        ("第七条 储能电站消防设计审查、消防验收的具体办法，由省示例主管部门规定。", True),
        ("升压站有特殊情况需要另定电价的，具体办法由省示例部门制定。", True),
        ("升压站由县级示例部门验收。", False),
        ("省示例部门可以委托市示例部门办理储能许可，具体办法由省示例部门制定。", False),
        ("排污口应当取得许可。排污许可的具体办法由省示例部门制定。", False),
    ],
)
def test_what_leaves_a_matter_to_another_rule_is_no_evidence(text: str, delegates: bool) -> None:
    assert evidence.only_delegates(text) is delegates


@pytest.mark.parametrize(
    ("question", "stated", "lacks"),
    [
        ("竞价下限谁定", "光伏项目竞价上限为每千瓦时0.40元。", "所问的主体"),
        ("竞价下限谁定", "竞价上下限由省价格主管部门确定。", None),
        ("上网电价谁来定", "工商业光伏或者风电平价上网，部分项目除外。", "所问的主体"),
        ("哪个部门验收升压站", "升压站验收应当在投产前完成。", "所问的主体"),
        ("哪个部门的资料要报送", "报送投产前的资料。", None),
    ],
)
def test_who_acts_is_stated_where_somebody_is_named(question: str, stated: str, lacks: str | None) -> None:
    assert asked_kinds.unstated(question, stated) == lacks


def test_a_table_of_a_text_that_never_says_the_year_is_no_evidence() -> None:
    text = surroundings.EvidenceText("系数|1.2", REGULATION.title, REGULATION, in_table=True)
    asked = [Query(f"{year}年回收系数的比例是多少", Filters(), f"{year}年") for year in (2027, 2031)]
    held = replace(REGULATION, text=f"{REGULATION.text}本办法适用于2027年。")
    assert all(elements.missing(query, text, RULES) for query in asked)
    there = replace(text, regulation=held)
    assert [bool(elements.missing(query, there, RULES)) for query in asked] == [False, True]


def test_a_rule_of_one_city_is_none_of_another() -> None:
    assert lacking("潍坊岸线怎么保护", "岸线应当保护。", "日照市岸线办法（演示文本）", "sd")
    assert not lacking("潍坊岸线怎么保护", "岸线应当保护。", "潍坊市岸线办法（演示文本）", "sd")
    assert not lacking("潍坊岸线怎么保护", "岸线应当保护。", "山东省岸线办法（演示文本）", "sd")


def test_a_text_titled_for_another_province_is_no_evidence() -> None:
    assert lacking("调频价格上限是多少", "上限为15元。", "湖北调频规则（演示文本）", "gd")
    assert not lacking("调频价格上限是多少元", "价格上限为15元。", "广东调频规则（演示文本）", "gd")


@pytest.mark.parametrize(
    ("province", "chosen", "group"),
    [
        ("cn", None, PlaceGroup.NATION),
        ("cn", "gd", PlaceGroup.NATION),
        ("gd", "gd", PlaceGroup.OWN),
        ("sd", "gd", PlaceGroup.OTHER),
        ("sd", None, PlaceGroup.OTHER),
    ],
)
def test_whose_rule_it_is(province: str, chosen: str | None, group: PlaceGroup) -> None:
    assert places.group_of(province, chosen) is group


@pytest.mark.parametrize(
    ("remark", "text", "rest"),
    [
        ("one place", "山东分布式光伏备案要几天", "分布式光伏备案要几天"),
        ("two places", "广东和山东的备案时限", "备案时限"),
        ("with 省", "内蒙古自治区、广东省光伏备案", "光伏备案"),
        ("none", "光伏备案要几天", "光伏备案要几天"),
    ],
)
def test_a_question_for_every_province_names_none(remark: str, text: str, rest: str) -> None:
    assert followup.without_places(text, RULES) == rest, remark


@pytest.mark.parametrize(("length", "asked"), [(14, 2), (15, 1)])
def test_what_is_longer_than_a_name_is_no_item_of_a_list(length: int, asked: int) -> None:
    item = "甲".ljust(length, "乙")
    assert len(decomposition.split(f"年度公告和{item}分别提前几天发", lambda clause: False)) == asked


@pytest.mark.parametrize(
    ("question", "title", "held"),
    [
        ("山东现货申报价格上限是多少元", "省间现货交易规则（演示文本）", False),
        ("山东外送电的申报价格上限是多少元", "省间现货交易规则（演示文本）", True),
        ("山东现货申报价格上限是多少元", "现货交易规则（演示文本）", True),
    ],
)
def test_a_rule_for_what_passes_between_provinces_is_none_of_one(question: str, title: str, held: bool) -> None:
    assert (not lacking(question, "申报价格上限为每兆瓦时1元。", title, "sd")) is held


@pytest.mark.parametrize(("year", "held"), [(2025, True), (2026, False)])
def test_a_text_for_one_year_is_none_of_another(year: int, held: bool) -> None:
    said = "2026年10月31日前投产的项目，竞价上限为每千瓦时0.4元。"
    assert (not lacking(f"{year}年竞价上限是多少元", said, "关于2025年竞价工作的通知（演示文本）")) is held


@pytest.mark.parametrize(("asked", "held"), [("煤耗降到多少", True), ("改造完成多少万千瓦", False)])
def test_a_sentence_of_another_year_states_the_value_of_that_year(asked: str, held: bool) -> None:
    said = "2026年完成机组改造570万千瓦。到2027年，机组煤耗降至298克。"
    assert (not lacking(f"2027年机组{asked}", said, "2026年机组改造工作计划（演示文本）")) is held


@pytest.mark.parametrize(
    ("voltage", "held"), [("10千伏", True), ("6千伏", True), ("35千伏", True), ("110千伏", False), ("220千伏", False)]
)
def test_a_rule_for_some_voltages_is_none_for_another(voltage: str, held: bool) -> None:
    said = "10千伏及以下接入的，15个工作日内答复；35千伏接入的，30个工作日内答复。"
    assert (not lacking(f"{voltage}接入几个工作日答复", said)) is held


@pytest.mark.parametrize(("word", "held"), [("停机", True), ("租金", False)])
def test_a_paper_says_what_is_asked_of_in_a_word_near_in_meaning(word: str, held: bool) -> None:
    paper = replace(REGULATION, level="规范性文件", text="机组停运不超过60天的，不扣减计划。")

    def likeness(asked: str, text: str) -> float:
        return 0.6 if asked == "停机" and "停运" in text else 0.1

    text = surroundings.EvidenceText(paper.text, paper.title, paper, own=paper.text, likeness=likeness)
    assert (not elements.missing(Query(f"{word}多少天不扣减计划", Filters()), text, RULES)) is held


@pytest.mark.parametrize(
    ("remark", "words", "says"),
    [
        ("a document number", "演发改〔2030〕7号", False),
        ("a heading", "定义与分类", False),
        ("annexes by name", "附件：1.演示申报表\n2.演示汇总表", False),
        ("a sentence", "演示服务的种类分为调频服务和备用服务。", True),
    ],
)
def test_a_line_that_is_no_sentence_is_no_evidence(remark: str, words: str, says: bool) -> None:
    nothing = evidence.SAYS_NOTHING.fullmatch(words) or evidence.ANNEXES.fullmatch(words)
    assert (nothing is None) is says, remark


class _Cited(NamedTuple):
    """Where a quote is from."""

    article: str
    level: str | None


class _Told(NamedTuple):
    """What a quote tells of itself."""

    regulation_id: str
    citation: _Cited
    score: float
    group: PlaceGroup = PlaceGroup.NATION


@pytest.mark.parametrize(
    ("remark", "levels", "shown"),
    [
        ("the law beside the rule below it", ("行政法规", "法律"), 2),
        ("no rule beside the law", ("法律", "行政法规"), 1),
        ("no second one of the same force", ("行政法规", "行政法规"), 1),
        ("nothing is known of its force", ("行政法规", None), 1),
    ],
)
def test_what_one_of_several_questions_is_answered_with(
    remark: str, levels: tuple[str | None, ...], shown: int
) -> None:
    quotes = [_Told(f"r{n}", _Cited("1", level), 1.0 - 0.3 * n) for n, level in enumerate(levels)]
    decision = SimpleNamespace(parts=SimpleNamespace(rules=RULES))
    assert len(combined._nearest(quotes, decision)) == shown, remark  # type: ignore[arg-type]
