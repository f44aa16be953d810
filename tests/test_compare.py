"""Versions side by side: who belongs to whom, what changed, and that every character is a slice."""

import dataclasses
import io
import json
import re
from dataclasses import replace
from pathlib import Path

import docx
import pytest

from nemo import rules, settings
from nemo.export import compared
from nemo.ingest.assemble import regulations_in
from nemo.ingest.manifest import KnownFacts
from nemo.lawview import comparison
from nemo.lawview.comparison import ProvisionChange, VersionComparison
from nemo.parse import parse
from nemo.text.versions.edits import EditKind, edits
from nemo.types import RawDocument, Regulation
from tests import law_samples


def regulation(text: str, name: str = "办法.md") -> Regulation:
    config = settings.load()
    raw = RawDocument.of(text.encode(), name)
    return regulations_in(raw, parse(raw, config), KnownFacts(), rules.load(config.rules))[-1]


def articles(*texts: str, title: str = "演示办法（演示文本）") -> Regulation:
    numbers = "一二三四五六七八九十"
    body = "\n\n".join(f"第{numbers[i]}条 {text}" for i, text in enumerate(texts))
    return regulation(f"{title}\n\n{body}\n")


def told(found: VersionComparison) -> list[tuple[str, str | None, str | None]]:
    """Return the lines as (kind, old name, new name), without headings and notes."""
    shown = [p for p in found.pairs if (p.new or p.old).level in comparison.UNITS]
    return [(p.kind.value, p.old and p.old.name, p.new and p.new.name) for p in shown]


@pytest.fixture(scope="module")
def found() -> VersionComparison:
    return comparison.diff(regulation(law_samples.OLD), regulation(law_samples.NEW))


# --- pieces of an edit

WORDINGS = [
    ("a figure stays whole", "20个工作日", "10个工作日", [("改", "20", "10"), ("同", "个工作日", "个工作日")]),
    ("a Chinese figure stays whole", "处十万元罚款", "处二十万元罚款", [("同", "处", "处"), ("改", "十万", "二十万"), ("同", "元罚款", "元罚款")]),
    ("a reference stays whole", "依照第三十条处理", "依照第三十二条处理", [("同", "依照", "依照"), ("改", "第三十条", "第三十二条"), ("同", "处理", "处理")]),
    ("a title stays whole", "按照《甲办法》执行", "按照《乙办法》执行", [("同", "按照", "按照"), ("改", "《甲办法》", "《乙办法》"), ("同", "执行", "执行")]),
    ("a number stays whole", "见〔2022〕3号", "见〔2022〕13号", [("同", "见", "见"), ("改", "〔2022〕3号", "〔2022〕13号")]),
    ("a date stays whole", "自2021年7月1日起", "自2024年7月1日起", [("同", "自", "自"), ("改", "2021年7月1日", "2024年7月1日"), ("同", "起", "起")]),
    ("words that came", "应当备案", "应当依法备案", [("同", "应当", "应当"), ("增", "", "依法"), ("同", "备案", "备案")]),
    ("words that went", "必须依法备案", "必须备案", [("同", "必须", "必须"), ("删", "依法", ""), ("同", "备案", "备案")]),
    ("width, blanks and brackets are no change", "根据 (一) 办理", "根据（一）办理", [("同", "根据 (一) 办理", "根据（一）办理")]),
    ("everything new", "", "新的", [("增", "", "新的")]),
    ("everything gone", "旧的", "", [("删", "旧的", "")]),
    ("a short equal run between two changes is absorbed", "责令停止生产，没收设备", "限期补办手续，拆除厂房", [("改", "责令停止生产，没收设备", "限期补办手续，拆除厂房")]),
]  # fmt: skip


@pytest.mark.parametrize(("remark", "old", "new", "expected"), WORDINGS, ids=[w[0] for w in WORDINGS])
def test_edits(remark: str, old: str, new: str, expected: list[tuple[str, str, str]]) -> None:
    assert [(e.op.value, e.old.of(old), e.new.of(new)) for e in edits(old, new)] == expected


def test_edits_of_a_long_text_join_and_find_the_one_change() -> None:
    sentences = [f"第{n}项记录由值班人员{n}号登记并保存{n % 7}年。" for n in range(1, 400)]
    old = "".join(sentences)
    new = "".join([*sentences[:200], "新增一句说明。", *sentences[200:]])
    steps = edits(old, new)
    assert "".join(e.old.of(old) for e in steps) == old
    assert "".join(e.new.of(new) for e in steps) == new
    assert [e.new.of(new) for e in steps if e.op is not EditKind.EQUAL] == ["新增一句说明。"]


# --- who belongs to whom


def test_articles_are_matched_by_text(found: VersionComparison) -> None:
    assert told(found) == [
        ("未变", "第一条", "第一条"),
        ("新增", None, "第二条"),
        ("修改", "第二条", "第三条"),
        ("未变", "第四条", "第四条"),
        ("修改", "第五条", "第五条"),
        ("移动", "第三条", "第六条"),
        ("修改", "第六条", "第七条"),
    ]


def test_figures_of_a_renumbered_article(found: VersionComparison) -> None:
    pair = next(p for p in found.pairs if p.new is not None and p.new.label == "3")
    changed = [(e.old.of(pair.old.text), e.new.of(pair.new.text)) for e in pair.edits if e.op is not EditKind.EQUAL]
    assert changed == [("第二条 ", "第三条 "), ("20", "10")]
    assert pair.renumbered


def test_headings_and_notes_are_compared_too(found: VersionComparison) -> None:
    headings = [p for p in found.pairs if (p.new or p.old).level in comparison.HEADINGS]
    assert [(p.kind, p.new.text) for p in headings] == [
        (ProvisionChange.SAME, "第一章 总则"),
        (ProvisionChange.CHANGED, "第二章 法律责任"),
    ]
    assert found.counts == {"未变": 2, "修改": 3, "移动": 1, "新增": 1, "删除": 0}


def test_only_changes(found: VersionComparison) -> None:
    kept = found.only_changes()
    assert {p.kind for p in kept.pairs} == {ProvisionChange.CHANGED, ProvisionChange.MOVED, ProvisionChange.ADDED}
    assert len(kept.pairs) < len(found.pairs)


def test_look_up_by_label(found: VersionComparison) -> None:
    assert [(p.old and p.old.label, p.new and p.new.label) for p in found.of("3")] == [("2", "3"), ("3", "6")]


WORDS = (
    "光伏电站应当安装有功功率控制装置。",
    "调度机构每月公布一次弃风弃光电量。",
    "储能设施的消防验收按照国家标准办理。",
    "用户侧设备检修前应当通知供电企业。",
)


def test_a_text_against_itself_is_all_the_same() -> None:
    text = articles(*WORDS)
    assert {kind for kind, _, _ in told(comparison.diff(text, text))} == {"未变"}


def test_a_kept_comparison_is_of_the_words_as_they_are() -> None:
    old, new = articles("应当备案。"), articles("应当依法备案。")
    assert comparison.diff(old, new) is comparison.diff(old, replace(new, file="另一个.md"))
    mended = articles("应当备案。")
    assert told(comparison.diff(old, replace(mended, id=new.id))) == [("未变", "第一条", "第一条")]


def test_reordered_articles_are_moved() -> None:
    old, new = articles(*WORDS), articles(WORDS[2], WORDS[3], WORDS[0], WORDS[1])
    kinds = {(kind, old_name, new_name) for kind, old_name, new_name in told(comparison.diff(old, new))}
    assert kinds == {
        ("移动", "第三条", "第一条"),
        ("移动", "第四条", "第二条"),
        ("移动", "第一条", "第三条"),
        ("移动", "第二条", "第四条"),
    }


def test_removed_articles_stand_where_they_stood() -> None:
    found = comparison.diff(articles(*WORDS), articles(WORDS[0], WORDS[3]))
    assert told(found) == [
        ("未变", "第一条", "第一条"),
        ("删除", "第二条", None),
        ("删除", "第三条", None),
        ("移动", "第四条", "第二条"),
    ]


def test_an_article_merged_into_another_names_it() -> None:
    merged = WORDS[0] + "\n\n" + WORDS[1] + "公布内容应当载明原因、责任单位和整改期限，并在网站保留三年以上供公众查阅。"
    found = comparison.diff(articles(*WORDS), articles(merged, WORDS[2], WORDS[3]))
    kin = {p.old.name: p.kin for p in found.pairs if p.kind is ProvisionChange.REMOVED and p.old is not None}
    assert list(kin.values()) == [("1",)]


def test_repeated_articles_keep_their_order() -> None:
    old, new = articles("（删去）", WORDS[0], "（删去）"), articles("（删去）", WORDS[0], "（删去）", WORDS[1])
    assert told(comparison.diff(old, new))[:3] == [
        ("未变", "第一条", "第一条"),
        ("未变", "第二条", "第二条"),
        ("未变", "第三条", "第三条"),
    ]


def test_documents_without_articles() -> None:
    head = "关于演示事项的通知（演示文本）\n\n"
    old = regulation(
        head
        + "一、总体要求\n\n（一）接网申请应当在20日内答复。\n\n（二）费用由业主承担。\n\n二、保障措施\n\n（一）加强宣传。\n"
    )
    new = regulation(
        head
        + "一、总体要求\n\n（一）接网申请应当在10日内答复。\n\n（二）费用由业主承担。\n\n二、保障措施\n\n（一）加强宣传。\n"
    )
    changed = [p for p in comparison.diff(old, new).pairs if p.kind is not ProvisionChange.SAME]
    assert len(changed) == 1
    assert "20日" in changed[0].old.text and "10日" in changed[0].new.text


def test_an_empty_side() -> None:
    text = articles(*WORDS)
    nothing = replace(text, id="nothing", provisions=())
    assert {k for k, _, _ in told(comparison.diff(nothing, text))} == {"新增"}
    assert {k for k, _, _ in told(comparison.diff(text, nothing))} == {"删除"}


# --- real versions


def test_real_versions_lose_no_character_and_no_article(shared: Path) -> None:
    """Every provision of both versions stands in exactly one line, and the edits join to its text."""
    rows = [json.loads(line) for line in (shared / "corpus" / "manifest.jsonl").read_text("utf-8").splitlines()]
    pairs = [(r["file"], r["superseded_by"]) for r in rows if r["superseded_by"]][::4]
    assert len(pairs) >= 6
    for old_name, new_name in pairs:
        old, new = (regulation((shared / "corpus" / name).read_text("utf-8"), name) for name in (old_name, new_name))
        found = comparison.diff(old, new)
        assert sorted(p.old.span for p in found.pairs if p.old) == sorted(s.span for s in comparison.sides(old))
        assert [p.new.span for p in found.pairs if p.new] == [s.span for s in comparison.sides(new)]
        for pair in found.pairs:
            for regulation_, side in ((old, pair.old), (new, pair.new)):
                assert side is None or side.text == side.span.of(regulation_.text)
            if pair.kind is ProvisionChange.CHANGED:
                assert "".join(e.old.of(pair.old.text) for e in pair.edits) == pair.old.text
                assert "".join(e.new.of(pair.new.text) for e in pair.edits) == pair.new.text


# --- taken away as a file


@pytest.fixture(scope="module")
def taken() -> compared.ComparedTexts:
    pairs = comparison.diff(
        articles("电站应当在二十个工作日内报送<b>材料</b>。", "费用由电站承担。"),
        articles("电站应当在十个工作日内报送<b>材料</b>。", "本办法另行解释。"),
    ).pairs
    return compared.ComparedTexts.of("《演示办法》条文对照", ("旧版", "新版"), pairs)


def test_a_comparison_as_a_page_shows_every_word_and_runs_nothing(taken: compared.ComparedTexts) -> None:
    page = compared.write(taken, "html").decode()
    assert re.findall("<(?:del|ins)>([^<]+)", page)[:2] == ["二十个", "十个"]
    assert "&lt;b&gt;材料&lt;/b&gt;" in page and "<b>" not in page and "<script" not in page


def test_of_two_different_rules_nothing_is_struck_through(taken: compared.ComparedTexts) -> None:
    """Both are law: what only one of them says was not deleted."""
    beside = dataclasses.replace(taken, versions=False)
    page = compared.write(beside, "html").decode()
    assert "<del>" not in page and re.findall("<mark>([^<]+)", page)[:2] == ["二十个", "十个"]
    (table,) = docx.Document(io.BytesIO(compared.write(beside, "docx"))).tables
    runs = [run for row in table.rows for cell in row.cells for run in cell.paragraphs[0].runs]
    assert not any(run.font.strike for run in runs) and "二十个" in [run.text for run in runs if run.font.underline]


def test_a_comparison_in_word_marks_what_one_side_alone_has(taken: compared.ComparedTexts) -> None:
    (table,) = docx.Document(io.BytesIO(compared.write(taken, "docx"))).tables
    runs = [run for row in table.rows for cell in row.cells for run in cell.paragraphs[0].runs]
    assert "二十个" in [run.text for run in runs if run.font.strike]
    assert "十个" in [run.text for run in runs if run.font.underline]
    both = [[cell.text for cell in row.cells[1:]] for row in table.rows[1:]]
    wanted = [[line.old or "（无）", line.new or "（无）"] for line in taken.lines]
    assert both == wanted
