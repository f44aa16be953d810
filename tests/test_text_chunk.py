"""Retrievable slices. Sample texts are invented; real ones come from the shared folder."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nemo.text.structure.chunking import LONG, chunks
from nemo.text.structure.lines import BLANKS
from nemo.text.structure.tree import Structure, structure
from nemo.text.words.normalise import simplified
from nemo.types import Chunk, Level

SENTENCE = "样例电站应当按照规定完成备案并且公开信息。"


def cut(text: str) -> list[Chunk]:
    return chunks("r1", text, structure(text).provisions)


def shape(text: str) -> list[tuple[str, str]]:
    """Return label and first words of every chunk."""
    return [(chunk.label, chunk.text[:8]) for chunk in cut(text)]


def test_one_chunk_per_article_with_its_number() -> None:
    text = "第一章 总则\n第一条 甲应当乙。\n丙应当丁。\n第二条 戊：\n（一）己；\n（二）庚。\n"
    assert shape(text) == [("1", "第一条 甲应当乙"), ("2", "第二条 戊：\n（")]
    assert cut(text)[0].id == "r1:7-22"
    assert cut(text)[0].regulation_id == "r1"


def test_a_long_article_is_split_between_paragraphs() -> None:
    text = f"第一条 {SENTENCE * 20}\n{SENTENCE * 20}\n{SENTENCE * 5}"
    found = cut(text)
    assert [chunk.label for chunk in found] == ["1-1", "1-2"]
    assert found[0].text.startswith("第一条 样例")
    assert found[1].text == f"{SENTENCE * 20}\n{SENTENCE * 5}"


def test_a_long_list_is_split_between_items() -> None:
    items = [f"（{n}）{SENTENCE * 10}" for n in "一二三四五"]
    found = cut("第一条 有下列情形的：\n" + "\n".join(items))
    assert [chunk.label for chunk in found] == ["1-1-1", "1-1-4"]
    assert found[0].text.startswith("第一条 有下列情形的：")


def test_a_long_paragraph_is_split_between_sentences() -> None:
    found = cut(f"第一条 {SENTENCE * 100}")
    assert len(found) > 1
    assert all(chunk.text.endswith("。") and len(chunk.text) <= 1200 for chunk in found)


OUTLINE = (
    f"样例通知\n样能规〔2030〕3号\n各单位：\n{SENTENCE}\n一、总体要求\n{SENTENCE}\n二、工作安排\n（一）{SENTENCE * 12}\n"
    f"（二）{SENTENCE * 12}\n三、条件\n须同时满足：\n1.备案；\n2.验收。\n样例局\n2030年3月1日\n"
)


def test_an_outline_is_cut_by_item() -> None:
    assert shape(OUTLINE) == [
        ("t1", "样例通知\n样能规"),
        ("t4", SENTENCE[:8]),
        ("一", "一、总体要求\n样"),
        ("二-一", "（一）样例电站应"),
        ("二-二", "（二）样例电站应"),
        ("三", "三、条件\n须同时"),
        ("t5", "样例局\n2030"),
    ]


def test_short_lines_outside_articles_are_one_chunk_and_sentences_stand_alone() -> None:
    first = cut(OUTLINE)[0]
    assert first.text == "样例通知\n样能规〔2030〕3号\n各单位："


def test_annexes_are_cut_too() -> None:
    text = f"第一条 甲应当乙。\n附件1\n禁止名单\n一、{SENTENCE * 12}\n二、{SENTENCE * 12}\n附件2\n申请表\n项目名称\n"
    assert [chunk.label for chunk in cut(text)] == ["1", "x1.t1", "x1.一", "x1.二", "x2.t1"]


def test_group_titles_are_headings_not_chunks() -> None:
    assert shape("一、合同的订立\n第一条 甲应当乙。\n二、合同的效力\n第二条 丙。")[1:] == [
        ("1", "第一条 甲应当乙"),
        ("2", "第二条 丙。"),
    ]


def test_nothing_gives_nothing() -> None:
    assert cut("") == []


def test_a_rare_character_elsewhere_changes_no_chunk() -> None:
    """乾 stands in GB 2312 and 镕 does not: a text with both is read as one with traditional characters, its slices are not."""
    text = "第一条 样乾公司应当检查。\n第二条 样镕公司应当登记。"
    sound(text, cut(text))
    assert [chunk.text for chunk in cut(text)] == text.split("\n")


def sound(text: str, found: list[Chunk]) -> None:
    """Slices, in order, without overlap or surrounding blanks, each with an id of its own."""
    end = 0
    for chunk in found:
        assert chunk.text == simplified(chunk.span.of(text))
        assert chunk.text == chunk.text.strip() != ""
        assert chunk.span.start >= end
        end = chunk.span.end
    assert len({chunk.id for chunk in found}) == len(found)


PIECES = [
    *"\n\f \u3000。；：，（）一二三百条章第“”#|", "第一条 ", "第二条", "第一章 总则\n", "附件1\n", "（一）", "一、", "1.", "2.1 ",
    "2030年1月1日\n", "<!-- INFO END -->", "目录\n", "样例应当备案。\n", SENTENCE * 30,
]  # fmt: skip


@settings(max_examples=200)
@given(st.one_of(st.text(max_size=120), st.lists(st.sampled_from(PIECES), max_size=60).map("".join)))
def test_chunks_of_any_text_are_sound(text: str) -> None:
    sound(text, cut(text))


@pytest.fixture(scope="module")
def texts(shared: Path) -> list[tuple[str, Structure, list[Chunk]]]:
    """Return every second text of the corpus and all normative documents, with their page breaks, cut."""
    paths = sorted((shared / "corpus").glob("*.md"))[::2] + sorted((shared / "normative" / "corpus").glob("*.txt"))
    read = [(text, structure(text)) for text in (path.read_bytes().decode("utf-8") for path in paths)]
    return [(text, tree, chunks("r1", text, tree.provisions)) for text, tree in read]


def test_between_chunks_of_real_texts_stand_only_headings_and_markup(
    texts: list[tuple[str, Structure, list[Chunk]]],
) -> None:
    for text, tree, found in texts:
        sound(text, found)
        known = [p for top in tree.provisions for p in top.walk()]
        titles = {p.span.start for p in known if p.level not in (Level.ARTICLE, Level.PARAGRAPH, Level.PREAMBLE)}
        starts = [0, *(chunk.span.end for chunk in found)]
        ends = [*(chunk.span.start for chunk in found), len(text)]
        for start, end in zip(starts, ends, strict=True):
            gap = re.sub(r"<!--.*?-->|^# .*$", "", text[start:end], flags=re.MULTILINE)
            if "目 录" in gap or not gap.strip(BLANKS + "#\n\f"):
                continue
            assert "。" not in gap, gap
            assert any(start <= title < end for title in titles), repr(gap)


def test_chunks_of_real_texts_are_rarely_long(texts: list[tuple[str, Structure, list[Chunk]]]) -> None:
    lengths = sorted(len(chunk.text) for _, _, found in texts for chunk in found)
    assert lengths[-1] <= 1200
    assert sum(length > LONG for length in lengths) <= 0.001 * len(lengths)


def test_every_normative_gold_quote_lies_inside_one_chunk(shared: Path) -> None:
    rows = (shared / "normative" / "golden_normative.jsonl").read_text(encoding="utf-8").splitlines()
    golds = [gold for row in rows for gold in json.loads(row)["gold"]]
    files = {gold["file"]: shared / "normative" / "corpus" / gold["file"] for gold in golds}
    found = {name: cut(file.read_bytes().decode("utf-8")) for name, file in files.items()}
    for gold in golds:
        assert any(c.span.start <= gold["start"] and gold["end"] <= c.span.end for c in found[gold["file"]]), gold
