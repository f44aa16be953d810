"""Heads and tails of papers as analysts bring them (演示文本): prints, cards, letterheads, annexes, drafts, news.

Each row is a paper of its own making with what a reader says it is; ``...`` where the row does not ask.
"""

import datetime as dt
from dataclasses import dataclass

import pytest

from nemo import rules as rule_data
from nemo.rules import Rules
from nemo.settings import load
from nemo.text.facts.description import Description, describe
from nemo.text.letter.card import card_of, first_of
from nemo.text.letter.docnumber import number_of
from nemo.text.letter.enclosed import split_enclosed
from nemo.text.letter.unnamed import derived_title
from nemo.text.structure.tree import structure
from nemo.text.words.normalise import title_key
from nemo.types import Origin, ParsedDocument, Status
from nemo.types.validity import ISSUED_WITHIN

ASK = "各有关单位：\n为做好检修（演示文本），现将有关事项通知如下。\n一、按时检修\n各单位应当按时检修。\n二、报告结果\n各单位应当报告结果。\n"
ARTICLES = "".join(
    f"第{n}条 电站应当按时检修，检修时要停机、验电、挂牌，并报告检修的结果和用去的时间（演示文本）。\n"
    for n in "一二三四五六"
)
OUTLINE = "".join(
    f"{n}、检修要求\n各电站应当按时检修，检修后报告结果和用去的时间（演示文本），并存档备查。\n" for n in "一二三四五六"
)


@pytest.fixture(scope="module")
def rules() -> Rules:
    return rule_data.load(load().rules)


@dataclass(frozen=True)
class Paper:
    """A paper and what is true of it."""

    remark: str
    text: str
    title: object = ...
    number: object = ...
    issuer: object = ...
    promulgated: object = ...
    effective: object = ...
    nature: object = ...
    province: object = ...
    margin: tuple[str, ...] = ()


PAPERS = [
    Paper(
        "a ministry's letter, issuer in the headline",
        f"国家能源局关于做好电站检修工作的通知\n国能发安全〔2031〕12号\n{ASK}国家能源局\n2031年3月5日\n",
        "国家能源局关于做好电站检修工作的通知",
        "国能发安全〔2031〕12号",
        "国家能源局",
        dt.date(2031, 3, 5),
        nature="binding",
        province="cn",
    ),
    Paper(
        "headline over three lines, two issuers",
        f"国家发展改革委 国家能源局关于\n进一步做好电站检修\n有关事项的通知\n发改能源〔2031〕8号\n{ASK}国家发展改革委\n国 家 能 源 局\n2031年3月5日\n",
        "国家发展改革委 国家能源局关于进一步做好电站检修有关事项的通知",
        "发改能源〔2031〕8号",
        "国家发展改革委、国家能源局",
        dt.date(2031, 3, 5),
    ),
    Paper(
        "issuers on the line above 关于",
        f"国家发展改革委 国家能源局\n关于做好电站检修的指导意见\n(发改能源〔2031〕8号 2031年3月5日印发)\n{ASK}",
        "国家发展改革委 国家能源局关于做好电站检修的指导意见",
        "发改能源〔2031〕8号",
        "国家发展改革委、国家能源局",
        dt.date(2031, 3, 5),
    ),
    Paper(
        "a commission that signs with 等部门, three names under it",
        f"国家发展改革委等部门关于做好电站检修的意见\n发改运行〔2031〕9号\n{ASK}国家发展改革委\n财 政 部\n国家能源局\n2031年3月5日\n",
        "国家发展改革委等部门关于做好电站检修的意见",
        issuer="国家发展改革委、财政部、国家能源局",
        promulgated=dt.date(2031, 3, 5),
    ),
    Paper(
        "a table that is named as one, and is no letter",
        "2031年示例电站检修计划表（第一批）\n电站 | 开始 | 结束\n示例甲 | 2031年3月5日 | 2031年4月5日\n示例乙 | 2031年5月5日 | 2031年6月5日\n",
        "2031年示例电站检修计划表（第一批）",
        nature="binding",
    ),
    Paper(
        "an announcement about something, with its number below",
        f"示例省能源局关于做好电站检修的公告\n2031年第4号\n{ASK}示例省能源局\n2031年3月5日\n",
        "示例省能源局关于做好电站检修的公告",
    ),
    Paper(
        "party and council, day in brackets under the headline",
        f"中共中央、国务院\n关于做好电站检修的若干意见\n（2031年3月5日）\n为做好检修（演示文本），现提出以下意见。\n{OUTLINE}",
        "中共中央、国务院关于做好电站检修的若干意见",
        None,
        "中共中央、国务院",
        dt.date(2031, 3, 5),
        nature="binding",
        province="cn",
    ),
    Paper(
        "a joint letterhead, one body to a line",
        f"广东省发展和改革委员会\n广东省能源局\n文件\n粤发改能源〔2031〕7号\n关于做好电站检修的通知\n{ASK}广东省发展改革委\n广东省能源局\n2031年3月5日\n",
        "关于做好电站检修的通知",
        "粤发改能源〔2031〕7号",
        "广东省发展改革委、广东省能源局",
        province="gd",
    ),
    Paper(
        "a Shandong letter",
        f"山东省能源局关于做好电站检修的通知\n鲁能源电力字〔2031〕7号\n{ASK}山东省能源局\n2031年3月5日\n",
        number="鲁能源电力字〔2031〕7号",
        issuer="山东省能源局",
        province="sd",
    ),
    Paper(
        "an Inner Mongolian letter in square brackets and full-width digits",
        f"内蒙古自治区能源局关于做好电站检修的通知\n内能源电力字［２０３１］７号\n{ASK}内蒙古自治区能源局\n二〇三一年三月五日\n",
        number="内能源电力字〔2031〕7号",
        issuer="内蒙古自治区能源局",
        promulgated=dt.date(2031, 3, 5),
        province="nm",
    ),
    Paper(
        "number in black brackets",
        f"关于做好电站检修的通知\n粤发改价格【2031】7号\n{ASK}广东省发展改革委\n2031年3月5日\n",
        number="粤发改价格〔2031〕7号",
    ),
    Paper(
        "number in round brackets with 第",
        f"关于做好电站检修的通知\n华北监能市场（2031）第7号\n{ASK}国家能源局华北监管局\n2031年3月5日\n",
        number="华北监能市场〔2031〕7号",
    ),
    Paper(
        "number in small brackets",
        f"关于做好电站检修的通知\n国能发核电﹝2031﹞7号\n{ASK}国家能源局\n2031年3月5日\n",
        number="国能发核电〔2031〕7号",
    ),
    Paper(
        "an announcement with its year",
        "国家能源局公告\n2031年 第3号\n现发布检修名录（演示文本），自2031年6月1日起实施。\n附件：检修名录\n国家能源局\n2031年3月5日\n",
        number="国家能源局公告2031年第3号",
        issuer="国家能源局",
        promulgated=dt.date(2031, 3, 5),
    ),
    Paper(
        "announcement: body above, kind and number below",
        "国家能源局\n公 告\n2031年第3号\n现发布检修名录（演示文本），自2031年6月1日起实施。\n国家能源局\n2031年3月5日\n",
        number="国家能源局公告2031年第3号",
    ),
    Paper(
        "exchange, urgency above the number, title in marks over three lines",
        f"普通事项\n京电交市〔2031〕9 号\n北京电力交易中心关于印发\n《北京电力交易中心检修实施细则\n（2031年修订稿）》的通知\n{ASK}现予以印发，自2031年10月1日起施行。\n北京电力交易中心有限公司\n2031年9月4日\n",
        "北京电力交易中心关于印发《北京电力交易中心检修实施细则（2031年修订稿）》的通知",
        "京电交市〔2031〕9号",
        "北京电力交易中心有限公司",
        dt.date(2031, 9, 4),
        dt.date(2031, 10, 1),
        "binding",
        "cn",
    ),
    Paper(
        "rule of an exchange, its name on a line of its own",
        f"北京电力交易中心\n省间检修实施细则\n（2031年第一版）\n目 录\n第一章 总则 ........ 1\n第一章 总则\n{ARTICLES}",
        "北京电力交易中心省间检修实施细则（2031年第一版）",
        issuer="北京电力交易中心",
        nature="binding",
        province="cn",
    ),
    Paper(
        "kind of rule broken off, edition with the day of the file",
        "晴川电力现货市场检修\n实施细则\n（结算试运行 第 6 版 -20311230）\n目 录\n1.总述........1\n1.总述\n1.1 应当检修。\n",
        "晴川电力现货市场检修实施细则（结算试运行第6版）",
    ),
    Paper(
        "plan whose kind stands alone on the second line",
        f"附件\n全面放开重点电站检修计划\n实施方案\n为做好检修（演示文本），特制定本方案。\n{OUTLINE}",
        "全面放开重点电站检修计划实施方案",
        nature="binding",
    ),
    Paper(
        "years in brackets",
        f"加快电站检修行动方案\n（2031—2034年）\n为做好检修（演示文本），制定本方案。\n{OUTLINE}",
        "加快电站检修行动方案（2031—2034年）",
    ),
    Paper(
        "revised edition in brackets",
        f"山东省电站检修管理实施细则（2031年修订版）\n第一章 总则\n{ARTICLES}",
        "山东省电站检修管理实施细则（2031年修订版）",
        province="sd",
    ),
    Paper(
        "index card above the headline",
        "目录项的基本信息\n公开事项名称: 国家能源局关于做好电站检修的通知 国能发电力〔2031〕53号\n索引号: 000019705/2031-00077\n主办单位:\n国家能源局\n制发日期: 2031-05-23\n"
        f"国家能源局关于做好\n电站检修的通知\n国能发电力〔2031〕53号\n{ASK}国家能源局\n2031年5月23日\n",
        "国家能源局关于做好电站检修的通知",
        "国能发电力〔2031〕53号",
        "国家能源局",
        dt.date(2031, 5, 23),
    ),
    Paper(
        "card under the text, signature cut off by the print",
        f"关于做好电站检修的通知\n{ASK}标　题：关于做好电站检修的通知 发文机关：国家发展改革委\n发文字号：发改价格〔2031〕3号 来　源：发展改革委网站\n主题分类：综合 公文种类：通知 成文日期：2031年02月24日\n",
        "关于做好电站检修的通知",
        "发改价格〔2031〕3号",
        "国家发展改革委",
        dt.date(2031, 2, 24),
    ),
    Paper(
        "card as a table beside the text",
        f"关于做好电站检修的通知\n{ASK}",
        number="粤发改能源函〔2031〕3号",
        issuer="广东省发展和改革委员会",
        promulgated=dt.date(2031, 2, 24),
        province="gd",
        margin=(
            "索引号 | 006939748/2031-00012 | 分类 | 能源",
            "发布机构 | 广东省发展和改革委员会 | 成文日期 | 2031-02-24",
            "文号 | 粤发改能源函〔2031〕3号 | 发布日期 | 2031-03-01",
        ),
    ),
    Paper(
        "the day a page was printed is no day of the paper",
        f"2036年8月1日 星期六\n无障碍模式\n热门搜索：检修 发布\n首页 > 政务公开 > 通知\n国家发展改革委关于做好电站检修的通知\n发改运行〔2031〕3号\n{ASK}国家发展改革委\n2031年1月18日\n",
        "国家发展改革委关于做好电站检修的通知",
        promulgated=dt.date(2031, 1, 18),
        effective=None,
    ),
    Paper(
        "saved page: headline of the site with the number, then the letter",
        f"首页\n专题\n关于做好电站检修的通知(发改运行〔2031〕3号)\n发布时间：2031/01/28\n来源：运行局\n[ 打印 ]\n国家发展改革委关于\n做好电站检修的通知\n发改运行〔2031〕3号\n{ASK}国家发展改革委\n2031年1月18日\n",
        "国家发展改革委关于做好电站检修的通知",
        promulgated=dt.date(2031, 1, 18),
    ),
    Paper(
        "list of issuers cut off by the edge of the print",
        "国家能源局甘肃监管办公室 甘肃省发展和改革委员会 甘\n关于印发《甘肃省检修实施细则》的通知\n2031-12-30 19:45\n来源：国家能源局\n甘监能市场〔2031〕12号\n各发电企业:\n我们修订了《甘肃省检修实施细则》（演示文本）,现印发你们,请遵照执行。\n",
        "关于印发《甘肃省检修实施细则》的通知",
        "甘监能市场〔2031〕12号",
        nature="binding",
        province="gs",
    ),
    Paper(
        "two bodies recognised without the blank between them",
        f"关于电站检修工作方案的复函\n发改体改〔2031〕60号\n国家电网有限公司：\n来文收悉（演示文本），现批复如下：\n{OUTLINE}国家发展改革委国家能源局\n2031年8月28日\n",
        issuer="国家发展改革委、国家能源局",
        nature="binding",
    ),
    Paper(
        "annexes named between body and signature",
        f"关于做好电站检修的通知\n发改运行〔2031〕3号\n{ASK}附件：1.检修申报表\n2.检修评分表\n国家能源局\n2031年1月18日\n附件1\n检修申报表\n",
        issuer="国家能源局",
        promulgated=dt.date(2031, 1, 18),
    ),
    Paper(
        "a letter without signature keeps its day of printing",
        f"关于做好电站检修的通知\n发改运行〔2031〕3号\n{ASK}",
        promulgated=dt.date(2031, 1, 20),
        margin=("国家能源局综合司 2031年1月20日印发",),
    ),
    Paper(
        "rule cut out of its notice: no title, first chapter first",
        f"第一章 总 则\n第一条 为促进发展，进一步规范电站检修管理，根据有关规定，制定本办法（演示文本）。\n{ARTICLES.replace('第一条', '第七条')}第八条 本办法由国家能源局负责解释，自发布之日起实施，有效期5年。\n",
        "电站检修管理办法",
        issuer="国家能源局",
        nature="binding",
    ),
    Paper(
        "occupational standard: the preface names it",
        "国 家 职 业 标 准\n职业编码: 4-11-01-99\n检修员\n(2031年版)\n人力资源社会保障部\n国 家 能 源 局\n制定\n说 明\n为规范从业行为（演示文本）, 制定了《检修员国家职业标准（2031年版）》（以下简称《标准》）。\n一、应当检修。\n",
        "检修员国家职业标准（2031年版）",
        issuer="人力资源社会保障部、国家能源局",
        nature="standard",
    ),
    Paper(
        "blue book",
        "全国电站检修发展蓝皮书\n前 言\n检修是重要工作（演示文本）。本书总结了检修的成绩。\n一、检修概况\n检修台数有所增加。\n",
        "全国电站检修发展蓝皮书",
        nature="report",
    ),
    Paper(
        "regulator's yearly report",
        "2031年度华中电站检修监管报告\n一、概况\n检修台数有所增加（演示文本）。\n二、问题\n部分电站没有按时检修。\n",
        nature="report",
    ),
    Paper(
        "news of a rule: no letter, though it names one",
        "首页\n浙江能源监管办完成三项检修细则修订\n2031-12-02 12:02\n来源：浙江监管办\n为完善规则（演示文本），近日，浙江能源监管办牵头完成了《浙江电站检修实施细则》修订工作。细则自2031年12月15日起施行。\n",
        "浙江能源监管办完成三项检修细则修订",
        None,
        effective=None,
        nature="news",
        province="zj",
    ),
    Paper(
        "explanation with the days of what it explains",
        "《山西电站检修实施细则》政策解读\n2031-05-27 15:09\n来源：山西监管办\n一、编制背景\n对原细则进行了修订，自2031年6月1日起施行，有效期5年（演示文本）。\n二、主要内容\n应当检修。\n",
        "《山西电站检修实施细则》政策解读",
        effective=None,
        nature="interpretation",
    ),
    Paper(
        "questions and answers without the word 解读",
        "电站检修有关问题\n问：谁负责检修？\n答：电站负责检修（演示文本）。\n问：何时报告？\n答：检修后三日内报告。\n",
        nature="interpretation",
    ),
    Paper(
        "letter that asks for comments",
        "关于公开征求《电站检修管理办法》意见的公告\n我局起草了《电站检修管理办法》（演示文本），现面向社会公开征求意见。\n国家能源局\n2031年1月18日\n",
        nature="draft",
    ),
    Paper(
        "letter to bodies that asks for comments",
        "华北能源监管局关于征求蒙西检修规则意见的函\n华北监能市场〔2031〕65号\n各单位：\n现将规则（演示文本）送你们，请研提意见。\n国家能源局华北监管局\n2031年4月26日\n",
        nature="draft",
        number="华北监能市场〔2031〕65号",
        issuer="国家能源局华北监管局",
        province="nm",
    ),
    Paper(
        "draft marked under its title",
        f"晴川电站检修实施细则\n（征求意见稿）\n第一章 总则\n{ARTICLES}",
        "晴川电站检修实施细则（征求意见稿）",
        nature="draft",
    ),
    Paper(
        "public notice of facts",
        "关于2031年检修单位名单的公示\n根据有关规定（演示文本），现将名单予以公示。公示时间为5日。\n国家能源局\n2031年1月18日\n",
        nature="notice",
    ),
    Paper(
        "rules about the day-ahead market are no news",
        f"关于做好电站检修的指引\n为做好日前市场和实时市场检修（演示文本），制定本指引。\n{OUTLINE}",
        nature="binding",
    ),
    Paper(
        "grid company's rule",
        f"内蒙古电力（集团）有限责任公司电站检修管理办法\n第一章 总则\n{ARTICLES}",
        "内蒙古电力（集团）有限责任公司电站检修管理办法",
        nature="binding",
        province="nm",
    ),
    Paper(
        "Chinese numerals in the signature",
        f"关于做好电站检修的通知\n鲁发改能源〔2031〕3号\n{ASK}山东省发展和改革委员会\n二○三一年十月二十一日\n",
        promulgated=dt.date(2031, 10, 21),
        issuer="山东省发展和改革委员会",
        province="sd",
    ),
]


def _described(paper: Paper, rules: Rules) -> Description:
    parsed = ParsedDocument(paper.text, (), "plain", margin=paper.margin)
    return describe(parsed, "文件01.pdf", structure(paper.text), rules)


@pytest.mark.parametrize("paper", PAPERS, ids=[p.remark for p in PAPERS])
def test_a_paper_is_known_for_what_it_is(paper: Paper, rules: Rules) -> None:
    about = _described(paper, rules)
    read = {
        "title": about.title,
        "number": about.document_number,
        "issuer": about.issuer,
        "promulgated": about.validity.promulgated,
        "effective": about.validity.effective if about.validity.first_effective else None,
        "nature": about.nature,
        "province": about.province,
    }
    asked = {name: getattr(paper, name) for name in read if getattr(paper, name) is not ...}
    assert {name: read[name] for name in asked} == asked


NOTICE = f"国家发展改革委关于做好电站检修的通知\n发改运行〔2031〕3号\n{ASK}"
SIGNED = "国家发展改革委\n2031年1月18日\n"
ISSUE = dt.date(2031, 1, 18)
STARTS = [
    ("a notice that names no day", NOTICE + SIGNED, ISSUE, Status.IN_FORCE),
    ("a notice that begins with its issue", f"{NOTICE}本通知自印发之日起施行。\n{SIGNED}", ISSUE, Status.IN_FORCE),
    (
        "a notice that names its day",
        f"{NOTICE}本通知自2031年3月1日起施行。\n{SIGNED}",
        dt.date(2031, 3, 1),
        Status.PENDING,
    ),
    ("a notice without a signature", NOTICE, None, Status.UNKNOWN),
    (
        "a notice that issues a rule, whose clause may stand elsewhere",
        f"国家发展改革委关于印发《电站检修管理办法》的通知\n发改运行〔2031〕3号\n各省发展改革委：\n现将《电站检修管理办法》印发给你们，请遵照执行。\n{SIGNED}",
        None,
        Status.UNKNOWN,
    ),
    (
        "a reply that starts on an event",
        f"国家发展改革委关于示例电站容量电价的批复\n发改运行〔2031〕3号\n示例电站：\n你公司请示收悉。批复如下：\n一、容量电价自首台机组投产之日起执行。\n{SIGNED}",
        None,
        Status.UNKNOWN,
    ),
    (
        "a statute has to name its day",
        f"甲省电站检修条例\n（2031年1月18日甲省人民代表大会常务委员会通过）\n第一章 总则\n{ARTICLES}",
        None,
        Status.UNKNOWN,
    ),
    (
        "a draft has no day",
        f"关于公开征求《电站检修管理办法（征求意见稿）》意见的通知\n{ASK}现向社会公开征求意见。\n{SIGNED}",
        None,
        Status.UNKNOWN,
    ),
]


@pytest.mark.parametrize(("remark", "text", "start", "later"), STARTS, ids=[row[0] for row in STARTS])
def test_when_a_paper_begins_that_names_no_day(
    remark: str, text: str, start: dt.date | None, later: Status, rules: Rules
) -> None:
    known = _described(Paper(remark, text), rules).validity
    assert known.effective == start
    assert known.on(ISSUE + ISSUED_WITHIN) is later
    assert known.derived == (start == ISSUE and known.first_effective is None)
    assert not known.derived or known.on(ISSUE + ISSUED_WITHIN - dt.timedelta(days=1)) is Status.UNKNOWN


def test_what_was_read_beside_the_text_has_no_place_in_it(rules: Rules) -> None:
    paper = next(p for p in PAPERS if p.remark == "card as a table beside the text")
    facts = {e.fact: e for e in _described(paper, rules).facts}
    assert facts["document_number"].span is None
    assert facts["issuer"].span is None


DERIVED = [
    ("purpose clause", "第一条 为进一步规范电站检修管理，根据有关规定，制定本办法。", "电站检修管理办法"),
    ("细则 are 实施细则", "第一条 为规范晴川电站检修工作，依据有关规定，制定本细则。", "晴川电站检修实施细则"),
    ("the preface", "说明\n我们编制了《检修工作手册》（以下简称“手册”）。", "检修工作手册"),
    ("a text made under another", "根据《检修条例》（以下简称《条例》），现就检修说明如下。", None),
    ("nothing said", "检修很重要。", None),
]


@pytest.mark.parametrize(("remark", "text", "title"), DERIVED, ids=[d[0] for d in DERIVED])
def test_a_text_without_title_is_named_by_what_it_says(remark: str, text: str, title: str | None) -> None:
    found = derived_title(text)
    assert (found.words if found else None) == title, remark


def test_a_derived_title_is_shown_as_doubtful(rules: Rules) -> None:
    paper = next(p for p in PAPERS if p.remark.startswith("rule cut out of its notice"))
    title = next(e for e in _described(paper, rules).facts if e.fact == "title")
    assert title.origin is Origin.DERIVED


def test_a_form_that_asks_for_a_name_is_no_card() -> None:
    assert card_of("申报单位名称：\n地址：\n名称：________\n") == ()


def test_card_values_are_slices_of_the_text() -> None:
    text = "索引号：123 主题分类：能源\n成文日期：2031-02-24\n发文字号：\n发改能源〔2031〕3号\n正文。"
    for entry in card_of(text):
        assert entry.label in entry.span.of(text).replace(" ", "")
    entry = first_of(text, "document_number")
    assert entry is not None
    assert entry.number() == "发改能源〔2031〕3号"


NOTICE = (
    "国家能源局关于印发检修配套文件的通知\n国能发安全〔2031〕12号\n各单位：\n现将配套文件（演示文本）印发给你们，请按照执行。\n"
    "{listed}国家能源局\n2031年3月5日\n"
)
LIST = "附件：1.《关于推进检修的实施意见》\n2.《关于规范检修的实施\n意见》\n3.检修申报表\n"
ANNEXES = f"附件1\n关于推进检修的实施意见\n{OUTLINE}附件2\n关于规范检修的实施意见\n{OUTLINE}附件3\n检修申报表\n单位\n"
ENCLOSED = [
    ("two annexes of a list before the signature", NOTICE.format(listed=LIST) + ANNEXES, 3),
    ("list behind the signature", NOTICE.format(listed="") + LIST + ANNEXES, 3),
    ("forms only", NOTICE.format(listed=LIST) + "附件1\n检修申报表\n单位\n", 1),
    (
        "one heading, named otherwise than in the notice",
        NOTICE.format(listed="") + f"附件\n电站检修管理办法\n（试行）\n第一章 总则\n{ARTICLES}",
        2,
    ),
    (
        "cover with a month and contents between title and body",
        NOTICE.format(listed="").replace("检修配套文件", "《晴川检修细则》")
        + f"晴川检修细则\n2031年2月\n目 录\n第一章 总则......1\n第二章 检修......2\n第一章 总则\n{ARTICLES}",
        2,
    ),
]


@pytest.mark.parametrize(("remark", "text", "count"), ENCLOSED, ids=[e[0] for e in ENCLOSED])
def test_a_notice_and_its_annexes_are_texts_of_their_own(remark: str, text: str, count: int, rules: Rules) -> None:
    parts = split_enclosed(ParsedDocument(text, (), "plain"))
    assert len(parts) == count, remark
    assert "".join(part.text for part in parts) == text
    about = [describe(part, "01.pdf", structure(part.text), rules) for part in parts]
    keys = [title_key(a.title) for a in about]
    assert len(set(keys)) == count, keys
    assert {a.document_number for a in about} == {"国能发安全〔2031〕12号"}
    assert {a.validity.promulgated for a in about} == {dt.date(2031, 3, 5)}
    assert {a.issuer for a in about} == {"国家能源局"}


def test_numbers_inside_sentences_are_those_of_others() -> None:
    assert number_of("关于检修的通知\n各单位：\n根据国能发安全〔2031〕1号要求检修。\n") is None
