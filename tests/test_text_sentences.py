"""A quote is safe to rely on: no exception is cut off, nothing that points elsewhere stands alone."""

import random
from pathlib import Path

import pytest

from nemo.text.structure.tree import structure
from nemo.text.words.sentences import PROVISO, joined, points_back, points_on, safe, sentences, units
from nemo.types import Level, Provision, Span


def article(text: str) -> Provision:
    return structure(text).provisions[0]


@pytest.mark.parametrize(
    ("remark", "text", "expected"),
    [
        (
            "two sentences",
            "容量不得超过6兆瓦。电压等级不得超过10千伏。",
            ["容量不得超过6兆瓦。", "电压等级不得超过10千伏。"],
        ),
        ("a proviso after a full stop stays", "并网应当验收。但户用项目除外。", ["并网应当验收。但户用项目除外。"]),
        (
            "a proviso after a semicolon is never cut",
            "容量不超过6兆瓦；但经批准的除外。",
            ["容量不超过6兆瓦；但经批准的除外。"],
        ),
        (
            "a proviso in the next sentence: 另有规定",
            "期限为十日。法律另有规定的，从其规定。",
            ["期限为十日。法律另有规定的，从其规定。"],
        ),
        ("a new duty is no proviso", "期限为十日。逾期的视为同意。", ["期限为十日。", "逾期的视为同意。"]),
        (
            "closing quotation marks stay with the sentence",
            "应当标明“演示。”字样。另行公布。",
            ["应当标明“演示。”字样。", "另行公布。"],
        ),
    ],
)
def test_sentences(remark: str, text: str, expected: list[str]) -> None:
    assert [s.of(text) for s in joined(text, sentences(text, Span(0, len(text))))] == expected, remark


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("前款规定的期限不含检验时间。", True),
        ("其设备应当合格。", True),
        ("该项目不得转让。", True),
        ("其他项目参照执行。", False),
        ("其中，户用项目三日。", False),
        ("电网企业应当答复。", False),
    ],
)
def test_points_back(text: str, expected: bool) -> None:
    assert points_back(text, Span(0, len(text))) is expected


def test_points_on() -> None:
    assert points_on("申请并网应当提交下列材料：", Span(0, 13))
    assert not points_on("申请并网应当提交材料。", Span(0, 11))


def test_an_item_knows_its_lead_in() -> None:
    text = "第八条 申请并网应当提交下列材料：\n（一）备案证明；\n（二）检测报告。"
    found = units(text, article(text))
    assert [u.span.of(text) for u in found][-1] == "（二）检测报告。"
    assert found[-1].lead is not None
    assert found[-1].lead.of(text).endswith("下列材料：")


def test_safe_widens_to_the_whole_sentence_with_its_proviso() -> None:
    text = "第六条 单点接入容量不得超过6兆瓦。但经批准的除外。逾期重新申请。"
    at = text.index("6兆瓦")
    assert safe(text, article(text), Span(at, at + 3)).of(text) == "第六条 单点接入容量不得超过6兆瓦。但经批准的除外。"


def test_no_quote_of_the_corpus_loses_its_proviso(shared: Path) -> None:
    """Promise 2 as a property of real texts: of every article, every safe span and every unit."""
    random.seed(7)
    files = random.sample(sorted((shared / "corpus").glob("*.md")), 60)
    checked = 0
    for file in files:
        text = file.read_text("utf-8")
        for top in structure(text).provisions:
            for provision in top.walk():
                if provision.level is not Level.ARTICLE:
                    continue
                for unit in units(text, provision):
                    span = safe(text, provision, unit.span)
                    rest = Span(span.end, provision.span.end)
                    following = text[rest.start : rest.end].lstrip()
                    assert not PROVISO.match(following), (file.name, provision.number, following[:40])
                    opens = PROVISO.match(text, span.start, span.end)
                    assert not opens or span.start <= provision.span.start + len(provision.number) + 1
                    checked += 1
    assert checked > 3000


LINES = [
    (
        "a wrapped line",
        "对未按规定申请延续或\n不符合条件的，依法处理。",
        ["对未按规定申请延续或\n不符合条件的，依法处理。"],
    ),
    ("over a page", "确保业务依法\n\f合规开展。请联系。", ["确保业务依法\n\f合规开展。", "请联系。"]),
    ("lines that end in stops", "甲做事。\n乙做事；\n丙做事：\n丁", ["甲做事。", "乙做事；", "丙做事：", "丁"]),
    ("a heading of its own", "一、适用范围\n本办法管风车", ["一、适用范围", "本办法管风车"]),
    ("before numbers", "甲事\n（一）乙事\n2.丙事", ["甲事", "（一）乙事", "2.丙事"]),
    ("a figure is no number", "电价为每千瓦时\n2.5元。", ["电价为每千瓦时\n2.5元。"]),
    ("before a blank line", "甲事\n\n乙事", ["甲事", "乙事"]),
    ("an exception on the next line", "不得收费，国家另有规\n定的除外。", ["不得收费，国家另有规\n定的除外。"]),
]


@pytest.mark.parametrize(("remark", "text", "expected"), LINES, ids=[x[0] for x in LINES])
def test_a_sentence_may_run_over_lines(remark: str, text: str, expected: list[str]) -> None:
    assert [s.of(text) for s in sentences(text, Span(0, len(text)))] == expected, remark
