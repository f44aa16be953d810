"""Breaks that only the print made are left out for the reader; those of paragraphs and items stay."""

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nemo.text.words.linebreaks import joined, line_wraps
from nemo.ui.shared import safe

LINE = "演示文本的并网申请由项目单位向所在地电网企业提出并附具下列全部申请材"
CASES = [
    ("inside a word", f"{LINE}\n料。", f"{LINE}料。"),
    ("two lines of one paragraph", f"{LINE}\n{LINE}\n料。", f"{LINE}{LINE}料。"),
    ("over a page", f"{LINE}\n\f料。", f"{LINE}料。"),
    ("between Latin words a blank stays", f"{LINE[:20]} according to DL/T\n2473 and so on", f"{LINE[:20]} according to DL/T 2473 and so on"),
    ("the first line of a paragraph, its indent not read", f"{LINE}。\n{LINE[:27]}\n{LINE}。", f"{LINE}。\n{LINE[:27]}{LINE}。"),
    ("a decimal opens no item", f"{LINE}为\n2.5倍。", f"{LINE}为2.5倍。"),
    ("a quote begins within a line", f"不具备\n{LINE}\n料。", f"不具备{LINE}料。"),
    ("a sentence ends the line", f"{LINE}。\n料应当齐全。", f"{LINE}。\n料应当齐全。"),
    ("an item in brackets", f"{LINE}\n（一）申请书", f"{LINE}\n（一）申请书"),
    ("an item with a number", f"{LINE}\n1.申请书", f"{LINE}\n1.申请书"),
    ("an article", f"{LINE}\n第三条 申请书", f"{LINE}\n第三条 申请书"),
    ("an indented paragraph", f"{LINE}\n　　申请书", f"{LINE}\n　　申请书"),
    ("a list of short lines", "营业执照\n法人证书", "营业执照\n法人证书"),
    ("an empty line ends a paragraph, and is none itself", f"{LINE}\n\n \n申请书", f"{LINE}\n申请书"),
    ("between Latin lines too", "a\n\nb", "a\nb"),
]  # fmt: skip


@pytest.mark.parametrize(("remark", "text", "expected"), CASES, ids=[case[0] for case in CASES])
def test_only_breaks_of_the_print_go(remark: str, text: str, expected: str) -> None:
    assert joined(text) == expected


@given(st.text("料材。；（一)1.a 　\n\f\r第条" + LINE[:3], max_size=300))
def test_words_are_never_touched(text: str) -> None:
    kept = joined(text)
    assert re.sub(r"\s", "", kept) == re.sub(r"\s", "", text)
    assert all(text[a:b].strip() == "" and b > a for a, b in line_wraps(text))


@given(st.text("料材。；（一)1.a<& 　\n\f" + LINE[:3] + "\ufdd0", max_size=300))
def test_every_character_stays_in_the_page(text: str) -> None:
    shown = html.unescape(re.sub(r"<[^>]+>", "", safe.paragraph(text)))
    assert shown == text


def test_a_mark_over_a_break_stays_a_mark() -> None:
    from nemo.types import Span

    text = f"{LINE}\n料。"
    shown = safe.paragraph(text, [Span(len(LINE) - 2, len(LINE) + 2)], "found")
    assert shown.count("<mark") == 1 and '<span class="wrap">\n</span>' in shown
