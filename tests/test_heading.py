"""What an answer is called: the matter of what is quoted, and the places its rules are from."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from nemo import rules as rule_data
from nemo.answer.question.query import QuestionReader
from nemo.answer.question.titles import TitleFinder
from nemo.answer.quotes.heading import heading, matter_of
from nemo.settings import PROJECT
from nemo.types import Filters, Query
from tests.export_samples import DAY, law, quote

RULES = rule_data.load(PROJECT / "data" / "rules")
READER = QuestionReader(RULES, TitleFinder([], []))


@pytest.mark.parametrize(
    ("remark", "question", "title", "text", "filters", "provinces", "expected"),
    [
        ("all that is chosen", "并网", "演示办法", "并网", Filters(province="gd", asset="solar", doc_class="grid"), ["gd"], "并网要点（广东 / 光伏）"),
        ("a class that is chosen", "并网", "演示办法", "并网", Filters(province="nm", doc_class="permit"), ["cn"], "许可/环评要点（内蒙古）"),
        ("the matter both speak of", "并网要多久", "演示办法", "并网应当答复", Filters(), ["cn"], "并网要点（全国）"),
        ("by its proper name", "环评要多久", "演示办法", "环境影响评价应当报批", Filters(), ["cn"], "环评要点（全国）"),
        ("its rules are of one place", "储能电站要多久", "甲办法", "新型储能应当报批", Filters(), ["gd"], "储能电站要点（广东）"),
        ("of a place and the nation", "并网要多久", "甲办法", "并网", Filters(), ["gd", "cn"], "并网要点（全国、广东）"),
        ("of a body of no known province", "并网要多久", "甲办法", "并网", Filters(), [""], "并网要点（省份待核）"),
        ("of many places", "并网要多久", "甲办法", "并网", Filters(), ["gd", "cn", "sd"], "并网要点（全国及各省）"),
        ("another permit than the group means", "许可证几年", "演示采样许可管理条例", "许可证有效期三年", Filters(), ["cn"], "演示采样许可管理要点（全国）"),
        ("a plant of which the rule says nothing", "光伏工地的垃圾", "演示垃圾管理条例", "垃圾应当清运", Filters(), ["cn"], "演示垃圾管理要点（全国）"),
        ("the end of one word and the beginning of another", "屋面防水保修几年", "演示质量管理条例", "防水保修五年，水土保持", Filters(), ["cn"], "演示质量管理要点（全国）"),
        ("a market is no city", "样本怎么交", "演示电力市场信用评价规则", "样本", Filters(), ["cn"], "演示电力市场信用评价要点（全国）"),
    ],
)  # fmt: skip
def test_headings(
    remark: str, question: str, title: str, text: str, filters: Filters, provinces: Sequence[str], expected: str
) -> None:
    query = READER.read(question, Filters(), DAY, 200)
    query = replace(query, filters=filters)
    assert heading(query, RULES, None, [quote(law(title, [f"{text}。"]), text)], provinces) == expected, remark


@pytest.mark.parametrize(
    ("title", "matter"),
    [
        ("中华人民共和国演示招标法", "演示招标"),
        ("中华人民共和国演示招标法实施条例", "演示招标"),
        ("演示省过闸管理办法（试行）", "过闸管理"),
        ("演示省实施《中华人民共和国演示招标法》办法", "演示招标"),
        ("关于做好演示并网服务工作有关事项的通知", "演示并网服务"),
        ("演示省能源局关于做好示例台风防御工作的通知", "示例台风防御"),
        ("演示省能源局关于开展2031年示例设备质量抽查的通知", "2031年示例设备质量抽查"),
        ("演示事故报告和调查处理示例条例", "演示事故报告和调查处理示例"),
        ("演示省人民政府关于加快演示能源高质量发展推进绿色转型的若干规定", ""),
        ("演示检测行动方案", "演示检测"),
        ("演示信息披露基本规则", "演示信息披露"),
        ("最高甲院关于审理样本合同纠纷案件适用法律问题的解释", "样本合同纠纷"),
        ("演示省关于印发《样本收费办法》的通知", "样本收费"),
        ("一份没有形式的文件", ""),
    ],
)
def test_an_answer_without_a_named_matter_is_named_after_its_text(title: str, matter: str) -> None:
    assert matter_of(title) == matter
    first = quote(law(title, ["样本。"]), "样本。")
    assert (
        heading(Query("演示问题", Filters("gd")), RULES, "permit", [first], ["gd"]) == f"{matter or '法规'}要点（广东）"
    )
