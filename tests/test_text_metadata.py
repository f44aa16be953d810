"""Title, number, issuer, level, province and nature of a text."""

import datetime as dt
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.eval_law import Text, normative, read
from benchmarks.law_tally import Figures
from nemo import rules as rule_data
from nemo.rules import Rules
from nemo.settings import load
from nemo.text.facts.description import Description, describe, short_title, title_of_name
from nemo.text.letter.docnumber import number_of
from nemo.text.letter.form import title_of
from nemo.text.letter.signature import signature_of
from nemo.text.structure.tree import structure
from nemo.text.words.normalise import title_key
from nemo.types import Origin, ParsedDocument


@pytest.fixture(scope="module")
def rules() -> Rules:
    return rule_data.load(load().rules)


def about(
    text: str, rules: Rules, name: str = "文档.docx", *, title: str | None = None, **known: object
) -> Description:
    parsed = ParsedDocument(text, (), "plain", title=title)
    return describe(parsed, name, structure(text), rules, known=known)


BODY = "各电站：\n\n为管好电站，现将有关事项通知如下。\n\n一、按时检修。\n\n星河省能源局\n2031年5月6日\n"

TITLES = [
    ("one line", f"星河省能源局关于做好检修的通知\n星能〔2031〕5号\n{BODY}", "星河省能源局关于做好检修的通知"),
    (
        "two lines",
        f"星河省能源局关于做好光伏电站\n检修工作的通知\n星能〔2031〕5号\n{BODY}",
        "星河省能源局关于做好光伏电站检修工作的通知",
    ),
    (
        "a word that could end it",
        f"关于完善星河电价政策\n措施的通知\n星能〔2031〕5号\n{BODY}",
        "关于完善星河电价政策措施的通知",
    ),
    (
        "book marks over the break",
        f"关于印发《星河发电\n管理办法》的通知\n{BODY}",
        "关于印发《星河发电管理办法》的通知",
    ),
    (
        "rule, then 的通知",
        f"关于印发星河发电管理办法\n的通知\n星能〔2031〕5号\n{BODY}",
        "关于印发星河发电管理办法的通知",
    ),
    ("mark on its own line", "星河发电管理办法\n（试行）\n第一条 为了星河，制定本办法。", "星河发电管理办法（试行）"),
    ("number first", f"星能〔2031〕5 号\n关于做好检修的通知\n{BODY}", "关于做好检修的通知"),
    (
        "kind of copy on its own line",
        "星河发电管理办法\n（演示文本）\n第一条 为了星河，制定本办法。",
        "星河发电管理办法（演示文本）",
    ),
    ("a remark on its own line", f"关于做好检修的通知\n（此件公开发布）\n{BODY}", "关于做好检修的通知"),
    ("letterhead", f"星 河 省 能 源 局 文 件\n星能〔2031〕5号\n关于做好检修的通知\n{BODY}", "关于做好检修的通知"),
    (
        "issuers on a line of their own",
        f"星河省能源局 星河省水利厅\n关于做好检修的通知\n{BODY}",
        "星河省能源局 星河省水利厅关于做好检修的通知",
    ),
    (
        "a letterhead of issuers, one to a line",
        f"星河省能源局\n星河省水利厅\n关于做好检修的通知\n{BODY}",
        "关于做好检修的通知",
    ),
    (
        "Markdown",
        "# 星河省供热条例\n\n2031年5月6日 星河省人大通过\n\n## 第一章 总则\n\n第一条 供热。",
        "星河省供热条例",
    ),
    (
        "navigation above",
        f"首页\n>\n信息公开\n来源：星河省能源局\n字体：\n大\n关于做好检修的通知\n{BODY}",
        "关于做好检修的通知",
    ),
    ("page marks above", f"[第 1 页]\n— 1 —\n\n关于做好检修的通知\n{BODY}", "关于做好检修的通知"),
    ("runs on into its number", f"关于做好检修的通知星能〔2031〕5号各电站：\n\n{BODY}", "关于做好检修的通知"),
    ("order", "星河部令\n第12号\n《星河办法》已经通过，现予公布。\n部长 李四\n2031年5月6日", "星河部令第12号"),
    (
        "headline with a subtitle",
        "让星河更亮\n——《星河意见》解读\n星河所 张三\n近日星河局发文。",
        "让星河更亮——《星河意见》解读",
    ),
    (
        "a row of a table is no title",
        "星河供电评分表（2031年版）\n指标 | 分值 | 评分标准\n检修 | 8 | 按时\n",
        "星河供电评分表（2031年版）",
    ),
    ("addressee is no title", "各市县发展改革委、能源局，有关电站：\n现将有关事项通知如下。", None),
    ("a sentence is no title", "星河局近日印发了管理办法。电站很高兴。", None),
    ("nothing", "", None),
]


@pytest.mark.parametrize(("remark", "text", "expected"), TITLES, ids=[t[0] for t in TITLES])
def test_the_title_stands_at_the_head(remark: str, text: str, expected: str | None) -> None:
    found = title_of(text)
    assert (found.words if found else None) == expected, remark
    if found is not None:
        assert title_key(found.span.of(text)) == title_key(found.words)


NUMBERS = [
    ("corner brackets", "星能〔2031〕5号", "星能〔2031〕5号"),
    ("small brackets", "星能﹝2031﹞5号", "星能〔2031〕5号"),
    ("square brackets", "星能[2031]5号", "星能〔2031〕5号"),
    ("round brackets", "星能（2031）5号", "星能〔2031〕5号"),
    ("half-width round brackets", "星能(2031)5号", "星能〔2031〕5号"),
    ("beside how urgent it is", "特急・明电　　　　　　　　星能〔2031〕5号", "星能〔2031〕5号"),
    ("blank before 号", "星能〔2031〕5 号", "星能〔2031〕5号"),
    ("a needless 第", "星能〔2031〕第5号", "星能〔2031〕5号"),
    ("broken into tokens", "星能〔\n2031\n〕\n5\n号", "星能〔2031〕5号"),
    ("labelled", "发文字号：星能〔2031〕5号", "星能〔2031〕5号"),
    ("order over two lines", "星河部令\n第 12 号", "星河部令第12号"),
    ("order of a year", "星河部公告\n2031年第3号", "星河部公告2031年第3号"),
    ("revised as a whole", "（2030年5月6日星河部令第3号公布　2031年5月6日星河部令第9号修订）", "星河部令第9号"),
    (
        "revised once more as a whole",
        "2030年5月6日 星河部令第3号公布\n\n2031年5月6日 《关于修改部分规章的决定》第一次修订\n\n2032年5月6日 星河部令第9号第二次修订）",
        "星河部令第9号",
    ),
    ("amended in part", "（2030年5月6日星河部令第3号公布　根据2031年5月6日星河部令第9号修正）", "星河部令第3号"),
    ("a standard", "标准编号：XH/T 1012—2031", "XH/T 1012—2031"),
    ("a standard on the cover", "GB/T 99963.1—2031", "GB/T 99963.1—2031"),
    ("a standard in a sentence", "电站应当符合GB/T 99963—2031的规定。", None),
    ("the department in brackets of its own", "星发改能源（发展）〔2031〕88号", "星发改能源（发展）〔2031〕88号"),
    ("with its day in one bracket", "（星能〔2031〕5号，2031年5月6日印发）", "星能〔2031〕5号"),
    ("of texts in a table", "名称 | 文号\n甲办法 | 星能〔2031〕5号\n乙办法 | 星能〔2031〕6号", None),
    ("of another text", "根据星能〔2030〕9号文件的要求，请照办。", None),
]


@pytest.mark.parametrize(("remark", "line", "expected"), NUMBERS, ids=[n[0] for n in NUMBERS])
def test_the_number_stands_on_lines_of_its_own(remark: str, line: str, expected: str | None) -> None:
    found = number_of(f"关于做好检修的通知\n{line}\n{BODY}")
    assert (found.words if found else None) == expected, remark


def test_a_number_of_the_sidebar_is_not_the_texts_own() -> None:
    assert number_of(f"关于做好检修的通知\n{BODY}\n排行榜\n星发改〔2031〕99号\n") is None


SIGNATURES = [
    ("one body", "星河省能源局\n2031年5月6日", ("星河省能源局",), "2031-05-06"),
    ("two on a line", "星河省能源局 星河省水利厅\n2031年5月6日", ("星河省能源局", "星河省水利厅"), "2031-05-06"),
    ("one a line", "星河省能源局\n星河省水利厅\n2031年5月6日", ("星河省能源局", "星河省水利厅"), "2031-05-06"),
    ("set apart", "国家发展改革委\n国 家 能 源 局\n2031年5月6日", ("国家发展改革委", "国家能源局"), "2031-05-06"),
    ("broken over lines", "国家发\n展改革委\n国家能源局\n2031年5月6日", ("国家发展改革委", "国家能源局"), "2031-05-06"),
    ("date in tokens", "星河省能源局\n203\n1\n年\n5\n月\n6\n日", ("星河省能源局",), "2031-05-06"),
    ("Chinese date", "星河省能源局\n二○三一年五月六日", ("星河省能源局",), "2031-05-06"),
    (
        "cells of a table",
        "星河省能源局 | 星河省水利厅\n| 2031年5月6日",
        ("星河省能源局", "星河省水利厅"),
        "2031-05-06",
    ),
    (
        "the day in the last cell",
        "星河省能源局\n星河省水利厅 | 2031年5月6日",
        ("星河省能源局", "星河省水利厅"),
        "2031-05-06",
    ),
    ("stray mark", "星河省能源局\n、 2031年5月6日", ("星河省能源局",), "2031-05-06"),
    ("on one line", "星河省能源局 2031年5月6日", ("星河省能源局",), "2031-05-06"),
    ("officer", "部长：李四\n2031年5月6日", (), "2031-05-06"),
    ("nobody", "2031年5月6日", (), "2031-05-06"),
    ("a month alone", "星河省能源局\n二〇三一年五月", ("星河省能源局",), None),
]


@pytest.mark.parametrize(("remark", "end", "organs", "day"), SIGNATURES, ids=[s[0] for s in SIGNATURES])
def test_the_signature_ends_a_letter(remark: str, end: str, organs: tuple[str, ...], day: str | None) -> None:
    found = signature_of(f"关于检修的通知\n\n各电站：\n\n现将办法印发给你们，请认真执行。\n\n{end}\n\n附件：检修表\n")
    assert found is not None, remark
    assert (found.organs, found.day) == (organs, dt.date.fromisoformat(day) if day else None)


def test_a_month_on_a_cover_is_no_signature() -> None:
    assert signature_of("星河省电网规划\n星河省能源局\n2031年5月\n\n第一章 总则\n第一条 为了星河。") is None


NATURES = [
    ("articles", "星河办法\n\n第一条 为了星河。\n\n第二条 照办。", "binding"),
    ("notice", f"关于做好检修的通知\n星能〔2031〕5号\n{BODY}", "binding"),
    ("reply to a proposal", f"对省人大第0123号建议的答复\n星能函〔2031〕5号\n{BODY}", "case_decision"),
    ("notice without a title", f"星能〔2031〕5号\n{BODY}", "binding"),
    (
        "notice with a step that makes public",
        "关于核定容量的通知\n星能〔2031〕5号\n各站：\n现将有关事项通知如下。\n（三）结果公示。公示期为5个工作日。",
        "binding",
    ),
    (
        "notice that issues a list",
        "关于印发星河电站名单的通知\n星能〔2031〕5号\n各站：\n现将名单印发给你们。",
        "binding",
    ),
    (
        "consulted before it was issued",
        "关于修订细则的通知\n星能〔2031〕5号\n各站：\n在公开征求意见基础上修订了细则，现予印发，请执行。",
        "binding",
    ),
    ("reply", "星河局关于星河站请示的复函\n\n星河站：\n\n来函收悉。现函复如下：同意。", "binding"),
    (
        "notice with rules of its own",
        "关于禁飞的通告\n\n为了安全，现通告如下：\n\n一、不得放飞。\n\n二、本通告自2031年5月6日起施行。",
        "binding",
    ),
    ("draft under its title", "星河办法\n（征求意见稿）\n第一条 为了星河。", "draft"),
    ("call for opinions", "关于公开征求《星河办法》意见的公告\n\n现向社会公开征求意见，请于5月底前反馈。", "draft"),
    ("letter for opinions", "关于征求《星河方案》意见的函\n\n各站：\n\n请研提意见。", "draft"),
    ("draft to repeal", "关于公开征求废止《星河规则》意见的公告\n星能〔2031〕5号\n\n拟废止《星河规则》。", "draft"),
    ("bill", "星河法（草案）\n\n第一条 为了星河。", "draft"),
    ("interpretation by title", "《星河办法》政策解读\n\n一、背景\n\n为了星河。", "interpretation"),
    (
        "interpretation by its opening",
        "星河局近日印发《星河办法》。现对《办法》解读如下。\n\n一、背景",
        "interpretation",
    ),
    ("questions and answers", "问：为什么要管星河？\n\n答：为了亮。\n\n问：何时？\n\n答：明年。", "interpretation"),
    ("press conference", "星河局负责人就《星河办法》答记者问\n\n一、为什么？\n\n答：为了亮。", "interpretation"),
    ("public notice", "关于星河站退出市场的公示\n\n现予以公示，公示时间为五天。", "notice"),
    (
        "public notice without a title",
        "经核查，星河站不合格，拟退出市场，现予公示。\n\n星河省能源局\n2031年5月6日",
        "notice",
    ),
    ("single decision", "星河局关于星河站项目核准的批复\n\n星河站：\n\n原则同意。", "case_decision"),
    ("news", "近日，星河局召开会议，研究了电站检修。会议要求抓紧。", "news"),
    (
        "minutes that tell of a meeting",
        "星河局专题会议纪要\n\n5月6日下午，星河局召开会议，研究了电站检修。会议要求抓紧。",
        "minutes",
    ),
    (
        "minutes whose head is set apart",
        "会 议 纪 要\n（第7期）\n5月6日下午，星河局召开会议，研究了电站检修。会议要求抓紧。",
        "minutes",
    ),
    ("figures", "2031年5月，星河电站共发电八亿千瓦时。\n\n星河省能源局\n2031年6月6日", "news"),
]


@pytest.mark.parametrize(("remark", "text", "expected"), NATURES, ids=[n[0] for n in NATURES])
def test_only_rules_bind(remark: str, text: str, expected: str, rules: Rules) -> None:
    assert about(text, rules).nature == expected, remark


LEVELS = [
    (
        "law",
        "中华人民共和国星河法",
        "2031年5月6日 第十五届全国人民代表大会常务委员会第三次会议通过",
        "法律",
        "全国人民代表大会常务委员会",
        "cn",
    ),
    (
        "law named 条例",
        "中华人民共和国星河条例",
        "2031年5月6日 第十五届全国人民代表大会常务委员会第三次会议通过",
        "法律",
        "全国人民代表大会常务委员会",
        "cn",
    ),
    (
        "administrative regulation",
        "星河条例",
        "2031年5月6日 中华人民共和国国务院令第900号公布",
        "行政法规",
        "国务院",
        "cn",
    ),
    (
        "approved by the council",
        "星河办法",
        "2031年5月6日 国务院批准\n2031年6月1日 交通部发布",
        "行政法规",
        "国务院",
        "cn",
    ),
    (
        "interpretation of the court",
        "最高人民法院关于星河案件的解释",
        "2031年5月6日 最高人民法院审判委员会第9次会议通过",
        "司法解释",
        "最高人民法院",
        "cn",
    ),
    (
        "of two courts",
        "最高人民法院、最高人民检察院关于星河案件的解释",
        "2031年5月6日 最高人民法院审判委员会第9次会议、2031年5月9日 最高人民检察院第十四届检察委员会第九次会议通过",
        "司法解释",
        "最高人民法院、最高人民检察院",
        "cn",
    ),
    (
        "province",
        "山东省星河条例",
        "2031年5月6日 山东省第十四届人民代表大会常务委员会第三次会议通过",
        "地方性法规",
        "山东省人民代表大会常务委员会",
        "sd",
    ),
    (
        "city",
        "青岛市星河条例",
        "2031年5月6日 青岛市第十八届人民代表大会常务委员会第三次会议通过\n2031年6月1日 山东省第十四届人民代表大会常务委员会第四次会议批准",
        "地方性法规",
        "青岛市人民代表大会常务委员会",
        "sd",
    ),
    (
        "city with 日 in its name",
        "日照市星河条例",
        "2031年5月6日 日照市第十八届人民代表大会常务委员会第三次会议通过",
        "地方性法规",
        "日照市人民代表大会常务委员会",
        "sd",
    ),
    (
        "national note under a local title",
        "山东省星河条例",
        "2031年5月6日 第十五届全国人民代表大会常务委员会第三次会议通过",
        "地方性法规",
        None,
        "sd",
    ),
    (
        "ministry",
        "星河管理办法",
        "2031年5月6日 国家市场监督管理总局令第5号公布",
        "部门规章",
        "国家市场监督管理总局",
        "cn",
    ),
]


LEVELS += [
    ("province's office, published", "广东省星河办法", "（2031年5月6日广东省能源局公布）", "规范性文件", "广东省能源局", "gd"),
    ("province's office, issued", "广东省星河细则", "（2031年5月6日广东省能源局印发）", "规范性文件", "广东省能源局", "gd"),
    ("province's government", "广东省星河办法", "（2031年5月6日广东省人民政府令第5号公布）", "地方政府规章", "广东省人民政府", "gd"),
    ("branch of a ministry", "星河办法", "（2031年5月6日国家能源局南方监管局公布）", "规范性文件", "国家能源局南方监管局", "gd"),
    ("body before its day", "广东省星河办法", "（广东省能源局2031年5月6日印发）", "规范性文件", "广东省能源局", "gd"),
    ("government without its region", "广西壮族自治区星河规定", "（2031年5月6日自治区人民政府令第5号公布）", "地方政府规章", "广西壮族自治区人民政府", "gx"),
    (
        "a note in brackets ends with them",
        "国家能源局关于印发星河文件的通知",
        "（国能发星河〔2031〕5号 2031年5月6日印发）\n各省能源局：\n经国务院同意，现将会议审议通过的星河文件印发执行",
        "规范性文件",
        "国家能源局",
        "cn",
    ),
    ("ministry in brackets", "星河办法", "（2031年5月6日国家能源局令第5号公布）", "部门规章", "国家能源局", "cn"),
    (
        "standard",
        "星河光伏电站技术规定",
        "XH/T 1012—2031\n国家能源局　2031-05-06发布　2031-11-06实施",
        "推荐性标准",
        "国家能源局",
        "cn",
    ),
    ("standard with its publisher below", "星河规程", "GB 99963—2031\n2031-05-06 发布 2031-11-06 实施\n国家能源局 发 布", "强制性国家标准", "国家能源局", "cn"),
]  # fmt: skip


@pytest.mark.parametrize(("remark", "title", "note", "level", "issuer", "province"), LEVELS, ids=[x[0] for x in LEVELS])
def test_level_issuer_and_province_of_statutes(
    remark: str, title: str, note: str, level: str, issuer: str | None, province: str, rules: Rules
) -> None:
    found = about(f"{title}\n\n{note}\n\n第一条 为了星河。\n\n第二条 照办。", rules)
    assert (found.level, found.issuer, found.province) == (level, issuer, province), remark


ISSUERS = [
    ("short by omission stays", "国家发展改革委 国家能源局", "国家发展改革委、国家能源局", "cn"),
    ("a branch in short", "南方能源监管局", "国家能源局南方监管局", "gd"),
    ("a branch nobody listed", "月亮能源监管办", "国家能源局月亮监管办公室", "cn"),
    ("province in short", "广东发展改革委", "广东省发展改革委", "gd"),
    ("an arm in a province", "国家税务总局山东省税务局", "国家税务总局山东省税务局", "sd"),
    (
        "two bodies with their seals in one row",
        "山东省能源局（印章） | 山东省财政厅（盖章）",
        "山东省能源局、山东省财政厅",
        "sd",
    ),
]


@pytest.mark.parametrize(("remark", "signed", "issuer", "province"), ISSUERS, ids=[i[0] for i in ISSUERS])
def test_issuers_of_letters(remark: str, signed: str, issuer: str, province: str, rules: Rules) -> None:
    found = about(f"关于做好检修的通知\n\n各站：\n\n现将有关事项通知如下。\n\n{signed}\n2031年5月6日\n", rules)
    assert (found.issuer, found.province) == (issuer, province), remark
    assert (found.level, found.validity.promulgated) == ("规范性文件", dt.date(2031, 5, 6))


OWN_PLACES = [
    ("news of our region on a site registered there", "我区示例项目并网\n", "近日，记者从自治区能源局获悉，项目已经并网。\n", "蒙ICP备00000001号", "nm"),
    ("news of our region on a site of the capital", "我区示例项目并网\n", "近日，记者从自治区能源局获悉，项目已经并网。\n", "京ICP备00000001号", "cn"),
    ("news of the whole province that names one", "全省示例电量增长\n", "近日，记者从广东电力交易中心了解到，全省电量增长。\n", "", "gd"),
    ("news of every province", "示例电量增长\n", "近日，记者获悉，各省、自治区、直辖市电量增长，其中山东增长最快。\n", "", "cn"),
]  # fmt: skip


@pytest.mark.parametrize(("remark", "title", "text", "foot", "place"), OWN_PLACES, ids=[row[0] for row in OWN_PLACES])
def test_the_place_that_a_text_calls_its_own(
    remark: str, title: str, text: str, foot: str, place: str, rules: Rules
) -> None:
    parsed = ParsedDocument(title + text, (), "html", removed=(foot,))
    assert describe(parsed, "x.html", structure(parsed.text), rules).province == place, remark


@pytest.mark.parametrize(
    ("signed", "place"), [("青石示例能源有限公司", "cn"), ("山东青石能源集团有限公司", "sd"), ("青海省能源局", "qh")]
)
def test_the_sign_of_a_company_is_no_place(signed: str, place: str, rules: Rules) -> None:
    text = f"关于做好检修的通知\n青石能事〔2031〕5号\n各站：\n现将有关事项通知如下。\n{signed}\n2031年5月6日\n"
    assert about(text, rules).province == place


def test_the_place_of_a_county_is_that_of_the_rules_it_names(rules: Rules) -> None:
    text = "乳源示例自治县发展和改革局关于充电收费的通告\n根据《广东省示例定价目录》，现通告如下。\n一、最高不超过0.35元。\n乳源示例自治县发展和改革局\n2031年5月6日\n"
    parsed = ParsedDocument(text, (), "plain")
    assert describe(parsed, "x.txt", structure(text), rules).province == "gd"


def test_the_issuer_of_a_draft_stands_over_a_month(rules: Rules) -> None:
    text = "星河储能规定（征求意见稿）\n国家能源局　2031年8月\n第一条 为了星河。\n第二条 照办。"
    assert about(text, rules).issuer == "国家能源局"


def test_issuer_from_title_sign_or_explanation(rules: Rules) -> None:
    assert about("国家能源局综合司关于检修的通知\n\n各站：\n\n请执行。", rules).issuer == "国家能源局综合司"
    assert about("检修办法\n国能发安全〔2031〕5号\n第一条 检修。", rules).issuer == "国家能源局"
    assert about("检修办法\n第一条 检修。\n第二条 本办法由国家能源局负责解释。", rules).issuer == "国家能源局"


def test_a_page_title_that_names_a_column_is_no_title(rules: Rules) -> None:
    text = f"星能〔2031〕5号\n{BODY}"
    assert about(text, rules, "检修.html", title="通知公告_ 星河省能源局").title == "检修"
    assert about(text, rules, "检修.html", title="关于做好检修的通知_星河省能源局").title == "关于做好检修的通知"
    assert (
        about(text, rules, "x.html", title="【关于做好检修的通知(星能〔2031〕5号)】-国家星河局").title
        == "关于做好检修的通知"
    )


def test_a_letter_without_a_title_is_named_by_what_it_issues(rules: Rules) -> None:
    found = about(
        "星能〔2031〕5号\n\n各站：\n\n《星河办法》已经同意，现印发给你们，请执行。\n\n广东省能源局\n2031年5月6日\n",
        rules,
    )
    assert title_key(found.title) == title_key("广东省能源局关于印发星河办法的通知")
    assert next(e for e in found.facts if e.fact == "title").origin is Origin.DERIVED


def test_the_file_name_fills_gaps_and_is_marked(rules: Rules) -> None:
    found = about("各站：\n\n现将有关事项通知如下。\n\n一、检修。", rules, "gd-星能2031-5号-检修通知-20310506.txt")
    assert (found.title, found.document_number) == ("检修通知", "星能〔2031〕5号")
    assert found.validity.promulgated == dt.date(2031, 5, 6)
    marked = {e.fact: e.origin for e in (*found.facts, *found.validity.evidence)}
    assert {marked["title"], marked["document_number"], marked["promulgated"]} == {Origin.DERIVED}


def test_a_statute_named_by_title_and_day_is_of_that_version(rules: Rules) -> None:
    text = "星河条例\n\n2020年5月6日 国务院令第1号公布\n\n第一条 为了星河。\n\n第二条 本条例自2020年7月1日起施行。"
    found = about(text, rules, "星河条例(2031-01-08).md")
    assert (found.version_date, found.validity.version_effective) == (dt.date(2031, 1, 8), dt.date(2031, 1, 8))
    assert found.validity.first_effective == dt.date(2020, 7, 1)
    assert about(text, rules, "下载_20310108.md").validity.version_effective == dt.date(2020, 7, 1)


def test_what_is_stated_wins_and_both_stay(rules: Rules) -> None:
    text = f"关于做好检修的通知\n星能〔2031〕5号\n{BODY}"
    found = about(
        text, rules, title="", document_number="星能〔2031〕6号", province="sd", nature="draft", assets=["solar"]
    )
    assert (found.document_number, found.province, found.nature) == ("星能〔2031〕6号", "sd", "draft")
    assert found.assets == ("solar",)
    words = {e.words for e in found.facts if e.fact == "document_number"}
    assert words == {"星能〔2031〕5号", "清单所载：文号 星能〔2031〕6号"}
    stated = {e.field: (e.words, e.value) for e in found.facts if e.origin is Origin.MANIFEST}
    assert stated["province"] == ("清单所载：省份 山东", "sd")
    assert stated["assets"] == ("清单所载：能源类型 光伏", "solar")
    assert stated["nature"][1] == "draft" and "draft" not in stated["nature"][0]


def test_short_titles() -> None:
    assert short_title("中华人民共和国星河法") == "星河法"
    assert short_title("星河省实施《中华人民共和国星河法》办法") == "星河省实施《星河法》办法"
    assert short_title("星河局关于印发《星河办法（试行）》的通知") == "星河办法（试行）"
    assert short_title("关于印发《甲办法》《乙办法》的通知") == "关于印发《甲办法》《乙办法》的通知"
    assert title_of_name("sd-星河条例-20310506.md") == "星河条例"
    assert title_of_name("x-新闻-星河局建成一批电站.txt") == "星河局建成一批电站"
    assert title_of_name("解读-星河条例.txt") == "解读-星河条例", "a reading of a law must not take the law's name"


def test_a_headline_names_no_issuer(rules: Rules) -> None:
    found = about("近日，星河建成一批电站。\n第一批已经并网。\n", rules, "新闻-国家能源局发布一批标准.txt")
    assert (found.title, found.issuer) == ("国家能源局发布一批标准", None)


TOPICS = [
    ("one kind in the title", "星河光伏电站管理办法", "检修要按时。", ("solar",)),
    ("words for both", "星河新能源管理办法", "检修要按时。", ("solar", "wind")),
    ("every kind is no restriction", "星河电站管理办法", "光伏、风电、煤电电站都要检修。", ()),
    ("none named", "星河许可办法", "办证要快。", ()),
    (
        "words for both, and the third only in passing",
        "星河新能源条例",
        "风电、光伏要并网。" + "星河要守规矩，电站要按时检修。" * 50 + "煤电煤电煤电配合。",
        ("solar", "wind"),
    ),
    ("one by name, the others by what they share", "星河系统试点通知", "煤电要改造。" * 3 + "新能源要并网。" * 3, ()),
    ("named once among others", "星河市场规则", "风电、光伏企业也可参加。", ()),
    ("what both share, again and again", "星河绿证通知", "可再生能源项目核发绿证。" * 3, ("solar", "wind")),
    ("words for both beside the third", "星河煤炭与新能源办法", "风电、光伏、煤电要融合。", ()),
]
CLASSES = [
    ("the title decides", "星河煤电节能与用水管理规定", "并网机组服从调度，参加辅助服务。", "permit"),
    ("how the title ends", "星河光伏接网技术细则", "并网要稳。", "technical"),
    ("words of the title only", "星河安全生产条例", "编制规划，加强审批。", "technical"),
    ("laws of every kind speak of plans and standards", "星河渡船办法", "编制规划，执行标准，先审批。", None),
    ("the opening, when it says enough", "星河渡船办法", "先审批、核准，后备案。", "permit"),
    ("prices", "星河电量结算办法", "按月付。", "market"),
]


@pytest.mark.parametrize(("remark", "title", "words", "doc_class"), CLASSES, ids=[c[0] for c in CLASSES])
def test_classes(remark: str, title: str, words: str, doc_class: str | None, rules: Rules) -> None:
    assert about(f"{title}\n\n第一条 {words}", rules).doc_class == doc_class, remark


@pytest.mark.parametrize(("remark", "title", "words", "assets"), TOPICS, ids=[t[0] for t in TOPICS])
def test_kinds_of_plant(remark: str, title: str, words: str, assets: tuple[str, ...], rules: Rules) -> None:
    assert about(f"{title}\n\n第一条 {words}", rules).assets == assets, remark


@given(st.text(alphabet="星河省能源局关于印发《》通知〔〕2031号年月日第一条，。：\n （）现", max_size=150))
def test_any_text_can_be_described(text: str) -> None:
    found = about(text, rule_data.load(load().rules), "x.txt")
    assert found.title
    for evidence in found.facts:
        assert evidence.span is None or evidence.span.of(text) == evidence.words


def test_what_is_read_from_real_texts_is_verbatim_at_its_place(shared: Path, rules: Rules) -> None:
    files = [*(shared / "normative" / "corpus").glob("*.txt"), *(shared / "metadata" / "docs").glob("*.md")]
    for file in files:
        text = read(file, rules)
        known = text.about.validity
        told = (*text.about.facts, *known.evidence, *(s.evidence for s in known.scopes), *text.relations)
        for one in told:
            assert one.span is None or one.span.of(text.text) == one.words, f"{file.name}: {one}"


def test_figures_on_real_notices(shared: Path, rules: Rules) -> None:
    figures = normative(shared, rules)
    for name in ("title", "document_number", "issuer", "nature", "promulgated", "effective", "province"):
        assert figures.share(name) >= 0.95, figures.exact[name].misses
    assert figures.share("draft or news taken for binding") == 1.0
    assert figures.share("repeals") >= 0.97
    assert figures.share("based_on") >= 0.93, figures.sets["based_on"].misses


def test_figures_on_the_corpus(read_statutes: tuple[Figures, list[Text], float]) -> None:
    figures, _, seconds = read_statutes
    for name, least in (
        ("title", 0.99),
        ("level", 0.99),
        ("province", 0.99),
        ("first_effective", 0.99),
        ("nature", 0.99),
    ):
        assert figures.share(name) >= least, figures.exact[name].misses
    for name in ("stated", "unknown, said so", "derived, range holds"):
        assert figures.share(f"version_effective {name}") >= 0.97, figures.exact[f"version_effective {name}"].misses
    assert figures.share("version_date") >= 0.97
    assert seconds > 0
