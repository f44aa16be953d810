"""What 前款, 前两款, 前项 and 前条 mean, wherever they stand in a quote."""

import pytest

from nemo.text.structure.tree import structure
from nemo.text.words.pointers import pointed
from nemo.types import Regulation, Span, Validity

TEXT = """星河办法

第一条 申请人应当提交下列材料：
（一）备案文件；
（二）检测报告，前项文件已经失效的除外；
（三）前两项材料的目录。
电网企业应当自受理前款申请之日起十日内答复。
公司应当说明理由。
违反前两款规定的，责令改正。
该款目前款项已付。
第二条 依照前条规定受理的，应当公示。
前款规定的公示期为五日。
"""

MEANT = [
    ("in the middle of a sentence", "电网企业应当自受理前款申请", "申请人应当提交下列材料", "前两项材料的目录。"),
    ("two of them", "违反前两款规定的，责令改正。", "电网企业应当自受理", "说明理由。"),
    ("the item before", "检测报告，前项文件已经失效的除外；", "（一）备案文件", "备案文件；"),
    ("two items before", "前两项材料的目录。", "（一）备案文件", "除外；"),
    ("the article before", "依照前条规定受理的", "第一条 申请人", "款项已付。"),
    ("held by the quote", "公司应当说明理由。\n违反前两款规定的，责令改正。", "电网企业应当自受理", "日内答复。"),
    ("no pointer", "公司应当说明理由。", None, None),
    ("money is no unit", "该款目前款项已付。", None, None),
]


@pytest.mark.parametrize(("remark", "quote", "first", "last"), MEANT, ids=[m[0] for m in MEANT])
def test_what_a_quote_points_back_to(remark: str, quote: str, first: str | None, last: str | None) -> None:
    held = Regulation("r", "星河办法", TEXT, structure(TEXT).provisions, Validity(), "a.md", "0" * 64)
    start = TEXT.index(quote)
    found = pointed(held, Span(start, start + len(quote)))
    if first is None or last is None:
        assert found is None, remark
        return
    assert found is not None, remark
    words = found.of(TEXT).strip()
    assert words.removeprefix("第一条 ").startswith(first.removeprefix("第一条 ")) and words.endswith(last), remark


def test_a_pointer_with_nothing_before_it_means_nothing() -> None:
    text = "星河办法\n\n第一条 前条规定的，前款办理。\n"
    held = Regulation("r", "星河办法", text, structure(text).provisions, Validity(), "a.md", "0" * 64)
    assert pointed(held, Span(0, len(text))) is None
