"""What is asked of a text that the question names: which text is meant, and which of its provisions answers."""

import datetime as dt
from collections.abc import Iterator

import pytest

from nemo import rules as rule_data
from nemo import settings
from nemo.answer import refuse
from nemo.answer.judgement import elements, surroundings
from nemo.answer.question import rewriting
from nemo.answer.question.query import QuestionReader
from nemo.answer.question.titles import TitleFinder
from nemo.engine import Engine
from nemo.settings import PROJECT
from nemo.types import Filters, Reason
from tests.export_samples import law

DAY = dt.date(2026, 11, 20)
RULES = rule_data.load(PROJECT / "data" / "rules")
HELD = [
    ("law", ["中华人民共和国样板节水法", "样板节水法"]),
    ("sd", ["山东省实施《中华人民共和国样板节水法》办法"]),
    ("zj", ["浙江省样板节水法实施办法（2020年修正）"]),
    ("notice", ["关于印发《样板考核细则（2031年修订版）补充内容》的通知"]),
]
READER = QuestionReader(RULES, TitleFinder(HELD, [], places=["山东省", "山东", "浙江省", "浙江", "广东省", "广东"]))


@pytest.mark.parametrize(
    ("question", "ids"),
    [
        ("样板节水法第三条", ("law",)),
        ("山东省实施《中华人民共和国样板节水法》办法第三条", ("sd",)),
        ("山东省实施《样板节水法》办法第三条", ("sd",)),
        ("《山东省实施〈样板节水法〉办法》第三条", ("sd",)),
        ("山东省实施样板节水法办法第三条", ("sd",)),
        ("按山东的样板节水法实施办法第三条", ("sd",)),
        ("浙江省实施《样板节水法》办法第三条", ("zj",)),
        ("浙江省样板节水法实施办法第三条", ("zj",)),
        ("广东省实施《样板节水法》办法第三条", ()),
        ("广东省样板节水法实施办法第三条", ()),
        ("山东怎么实施《样板节水法》规定的措施", ("law",)),
        ("《样板监管局关于印发〈样板考核细则（2031年修订版）补充内容〉的通知》规定了什么", ("notice",)),
    ],
)
def test_a_rule_that_carries_out_a_law_is_not_the_law(question: str, ids: tuple[str, ...]) -> None:
    mention = READER.read(question, Filters(), DAY, 200).mentions[0]
    assert mention.regulation_ids == ids, mention.title


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("根据《样板节水法》，最高限额是多少", "最高限额是多少"),
        ("样板节水法里最高限额是多少", "最高限额是多少"),
        ("最高限额是多少（样板节水法）", "最高限额是多少"),
        ("最高限额是多少", "最高限额是多少"),
        ("样板节水法规定什么", "样板节水法规定什么"),
    ],
)
def test_the_matter_of_a_question(question: str, asked: str) -> None:
    assert rewriting.matter(READER.read(question, Filters(), DAY, 200)) == asked


@pytest.mark.parametrize(
    ("question", "holds", "lacks"),
    [
        ("样本许可证有效期几年", "样本许可证有效期为五年", "本办法自公布之日起施行，有效期五年"),
        ("样本许可证有效期多久", "样本许可证自颁发之日起三年内有效", "样本许可证有效期届满三十日前提出申请"),
        ("样本批复的有效期多长", "样本批复自批准之日起超过五年方开工的，重新审核", "违法案件自立案之日起六十日内结案"),
        ("排污许可证没拿到就投产", "未取得排污许可证投产的，责令停产", "未取得安全生产许可证投产的，责令停产"),
        ("排污许可证没拿到就投产", "应当取得许可证后方可投产", None),
        ("样本保证金交多少", "样本保证金为项目估算价的百分之二", "未交样本保证金的，责令改正，处五万元以上十万元以下的罚款"),
        ("样本保证金最多收多少", "样本保证金不得超过估算价的2%", "超额收取样本保证金的，由主管部门责令改正，可以处五万元罚款"),
        ("没交样本保证金罚多少", "未交样本保证金的，责令改正，处五万元以上十万元以下的罚款", None),
        ("样本占用费一年收多少钱", "样本占用费为每年十元", "逾期不缴纳样本占用费的，自滞纳之日起按日加收0.05%的滞纳金"),
        ("迟交样本占用费滞纳金按多少收", "逾期不缴纳样本占用费的，自滞纳之日起按日加收0.05%的滞纳金", None),
        ("香港的样本公司要多少人", "在香港设立样本公司的，应当有三人以上", "设立样本公司的，应当有三人以上"),
        ("永久占用样本地谁审核", "占用样本地的，由县级人民政府审核", "临时占用样本地的，由乡级人民政府审核，并不得修建永久性建筑物"),
    ],
)  # fmt: skip
def test_one_value_is_not_read_as_another(question: str, holds: str, lacks: str | None) -> None:
    query = READER.read(question, Filters(), DAY, 200)
    for words, wanted in ((holds, False), (lacks, True)):
        if words is not None:
            made = law("样板许可管理办法", [f"{words}。", "县级人民政府负责本办法的实施。"])
            article = next(p for p in made.walk() if p.label == "1")
            found = elements.missing(query, surroundings.evidence_of(made, article.span), RULES)
            assert bool(found) is wanted, (words, found)


FILES = {
    "costs": """样板成本监审办法（演示文本）
（2021年3月1日样板监管局公布，自2021年4月1日起施行）
第一条 样板成本监审应当遵循下列原则：合法性原则，计入样板成本的费用应当符合财务制度；相关性原则，计入样板成本的费用限于直接费用。
第二条 样板成本，是指提供服务的合理费用支出。
第三条 下列费用不得计入样板成本：
（一）与业务无关的费用；
（二）捐赠支出；
（三）滞纳金和罚款。
第四条 核定样板价格时，主要参数按下列方法确定：
（一）投资按竣工决算金额确定；
（二）经营期按三十五年计算；
（三）资本金收益率，按不超过5%核定。
第五条 样板信息按照公开范围，分为公众信息、公开信息和特定信息三类。
""",
    "place": """山东省样板灌渠条例
（演示文本，2021年3月1日样板监管局公布，自2021年4月1日起施行）
第一条 灌渠由县级人民政府水行政主管部门管理。
第二条 任何单位不得在灌渠内倾倒垃圾。
第三条 灌渠的养护办法由水行政主管部门制定。
第四条 本条例自2021年4月1日起施行。
""",
    "order": """样板治安管理法（演示文本）
（2021年3月1日样板监管局公布，自2021年4月1日起施行）
第一条 房东把房屋出租给身份不明的人的，处二百元以上五百元以下罚款。
第二条 公安机关应当登记出租房屋。
第三条 本法由公安机关负责实施。
第四条 本法自2021年4月1日起施行。
""",
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp("named")
    for name, text in FILES.items():
        (folder / f"{name}.txt").write_text(text, "utf-8")
    with Engine.open(settings.load(library=folder / "library", workers=0)) as opened:
        opened.ingest(sorted(folder.glob("*.txt")))
        yield opened


@pytest.mark.parametrize(
    ("remark", "question", "label", "words"),
    [
        ("the article that lists what may not be", "《样板成本监审办法》哪些费用不得计入样板成本？", "3", "捐赠支出"),
        ("the words of the name are no matter", "根据《样板成本监审办法》，信息按公开范围分为哪几类？", "5", "三类"),
        ("the item that states the value asked of the very thing", "样板价格的资本金收益率是多少", "4", "不超过5%"),
        ("a held text rules what is else no question of the field", "样板治安管理法里，房东把房子租给没身份证的人罚多少", "1", "二百元"),
    ],
)  # fmt: skip
def test_the_provision_that_is_asked_for_comes_first(
    engine: Engine, remark: str, question: str, label: str, words: str
) -> None:
    answer = engine.ask(question, day=DAY)
    assert answer.refusal is None, (remark, answer.refusal)
    first = answer.quotes[0]
    assert (first.citation.label.split("-")[0], words in first.text) == (label, True), remark


def test_what_no_regulation_answers_is_refused_without_a_name(engine: Engine) -> None:
    refusal = engine.ask("股票跌停了还能卖出去吗", day=DAY).refusal
    assert refusal is not None and refusal.reason is Reason.OUT_OF_DOMAIN


@pytest.mark.parametrize(
    ("remark", "question", "refused"),
    [
        ("the end of one word and the beginning of the next", "合同有好几个税目没有分开写金额，怎么算", False),
        ("a price", "样板水泵卖多少钱", True),
        ("sand is treated as well as an illness", "样板沙地怎么治，由谁组织", False),
        ("a sheet for extra work is no visa", "没有签证单，多做的样板工程量怎么算", False),
        ("a new well is no new share", "样板限采区还能打新井吗", False),
        ("a false discount is an act of law", "样板商家假打折怎么罚", False),
        ("new shares", "打新股划算吗", True),
        ("a bound of turnover", "一年卖多少钱以下算样板户", False),
        ("the tax itself", "年终奖个税怎么算", True),
        ("rescue is no first aid", "参加应急救援受了伤谁管", False),
        ("shareholders are no shares", "几个股东出资不足要补吗", False),
        ("what is made together is no essay", "联合制作文件由谁公开", False),
        ("the beginning of a longer word", "公司股票代码是多少", True),
        ("two words that ask together", "帮我写篇文章", True),
        ("spreading false news is an act of law", "编造传播突发事件的假消息行不行", False),
        ("a made-up rule is none", "帮我编造一条验收规定", True),
        ("an account by itself", "期货开户怎么办", True),
    ],
)
def test_words_that_no_regulation_answers_are_whole_words(remark: str, question: str, refused: bool) -> None:
    query = READER.read(question, Filters(), DAY, 200)
    assert bool(refuse.outside(query, RULES)) is refused, remark


@pytest.mark.parametrize(
    ("question", "refused"),
    [
        ("英国的样板使用权怎么续期", True),
        ("日本样板许可证有效期几年", True),
        ("英国企业的样板使用权怎么续期", False),  # what comes from there is under our law
        ("从日本进口样板设备要不要许可证", False),
    ],
)
def test_the_law_of_another_country_is_ruled_by_no_held_text_however_surely(question: str, refused: bool) -> None:
    query = READER.read(question, Filters(), DAY, 200)
    assert bool(refuse.outside(query, RULES, surely=0.99)) is refused


@pytest.mark.parametrize(
    ("question", "named", "doubted"),
    [
        ("样板灌渠水位监测管理办法怎么规定", ["样板灌渠水位监测管理办法"], []),
        ("样板灌渠 水位监测 管理办法", [], ["样板灌渠水位监测管理办法"]),
        ("样板灌渠 水位监测管理办法第三条", ["样板灌渠水位监测管理办法第三条"], []),
        ("样板灌渠水位监测技术规范由哪个部门出", [], ["样板灌渠水位监测技术规范"]),
        ("样板灌渠水位监测实施方案审批流程", [], ["样板灌渠水位监测实施方案"]),
        ("广东那个样板灌渠条例说的水渠算不算灌渠", [], []),  # 那个 stands in no title
        ("样板公司破产期间法人代表要交公章吗", [], []),  # no chapter of a law
    ],
)
def test_what_is_only_built_like_a_name(question: str, named: list[str], doubted: list[str]) -> None:
    query = READER.read(question, Filters(), DAY, 200)
    assert [m.words for m in query.mentions] == named
    assert [e.words for e in query.read if e.fact == "name"] == doubted


@pytest.mark.parametrize(
    ("question", "label"),
    [
        ("山东样板灌渠管理规定对倾倒垃圾怎么要求", "2"),  # the one text of the place on the very matter
        ("山东样板灌渠管理规定第二条", None),
        ("《山东省样板灌渠管理规定》对倾倒垃圾怎么要求", None),
        ("广东样板灌渠管理规定对倾倒垃圾怎么要求", None),
        ("灌渠的养护管理办法由谁来定", "3"),
        ("山东省 灌渠内倾倒垃圾 管理办法", "2"),
        ("灌渠 水位监测设施建设 管理办法 报警", None),
    ],
)
def test_a_text_that_is_not_held_by_its_name(engine: Engine, question: str, label: str | None) -> None:
    answer = engine.ask(question, day=DAY)
    if label is None:
        assert answer.refusal is not None and answer.refusal.reason is Reason.REGULATION_NOT_HELD
    else:
        assert answer.refusal is None and answer.quotes[0].citation.label.split("-")[0] == label, answer.refusal
        doubted = [e.words for e in answer.query.read if e.fact == "name"]
        assert all(any(f"“{words}”" in tip for tip in answer.tips) for words in doubted)


@pytest.mark.parametrize(
    ("question", "outside"),
    [
        ("核对期货开户的证件的是谁", False),  # a held text rules it
        ("哪只股票能涨停", True),  # and not this
        ("把核对期货开户的证件写成七言绝句", True),  # a request is no matter, whatever is held
    ],
)
def test_a_matter_of_another_field_is_answered_where_a_held_text_surely_rules_it(
    futures: Engine, question: str, outside: bool
) -> None:
    refusal = futures.ask(question, day=DAY).refusal
    assert (refusal is not None and refusal.reason is Reason.OUT_OF_DOMAIN) is outside, refusal


@pytest.fixture(scope="module")
def futures(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """A library that holds one text of a field which is not the product's."""
    folder = tmp_path_factory.mktemp("futures")
    text = FILES["order"].replace("样板治安管理法", "期货样板法").replace("登记出租房屋", "核对期货开户的证件")
    (folder / "futures.txt").write_text(text, "utf-8")
    with Engine.open(settings.load(library=folder / "library", workers=0)) as opened:
        opened.ingest([folder / "futures.txt"])
        yield opened


@pytest.mark.parametrize(
    ("question", "near"),
    [
        ("《样板成本监审规定》第三条", "《样板成本监审办法（演示文本）》"),
        ("《样板航道养护规定》第三条", None),
    ],
)
def test_a_refusal_names_what_a_misremembered_name_may_mean(engine: Engine, question: str, near: str | None) -> None:
    refusal = engine.ask(question, day=DAY).refusal
    assert refusal is not None and refusal.reason is Reason.REGULATION_NOT_HELD
    assert any(near in tip for tip in refusal.tips) if near else not any("名称相近" in tip for tip in refusal.tips)
