"""A regulation's text on the page (条文): nothing lost, places marked, the file's own marks not shown."""

import html
import re

import pytest

from nemo.types import Regulation, Span
from nemo.ui.library import notes
from nemo.ui.library import text as text_view
from tests import law_samples
from tests.test_compare import regulation

MARKDOWN = f"""# 演示办法（演示文本）

<!-- 转换 完成 -->

## 第一章 总则

第一条 文号用 # 开头的，写作“#1”。

## 第二章 附则

{law_samples.OLD.split("第二章 责任")[1].strip()}
"""


def shown(page: str) -> str:
    """Return what a reader sees of the text, without the permanent links and our remarks."""
    text = re.sub(r'<a class="permalink".*?</a>|<p class="flaw">.*?</p>', "", page)
    return html.unescape(re.sub(r"<[^>]+>", "", text))


def squeezed(text: str) -> str:
    return re.sub(r"\s", "", text)


@pytest.mark.parametrize("name", ["办法.md", "办法.txt"])
@pytest.mark.parametrize("text", [law_samples.OLD, law_samples.LAW, MARKDOWN], ids=["old", "law", "markdown"])
def test_blocks_join_to_the_whole_text(text: str, name: str) -> None:
    one = regulation(text, name)
    assert "".join(block.span.of(one.text) for block in text_view.blocks(one)) == one.text


@pytest.mark.parametrize(
    ("text", "first"),
    [
        (law_samples.LAW, "第一条"),
        ("演示通知（演示文本）\n\n各单位：\n\n现将有关事项通知如下。\n\n特此通知。", "演示通知"),
    ],
    ids=["articles", "no numbers"],
)
def test_every_text_has_places_to_remark_on(text: str, first: str) -> None:
    places = notes._places(regulation(text, "通知.txt"))
    assert any(first in name for name in places.values())


def test_a_plain_text_is_shown_with_every_character() -> None:
    one = regulation(MARKDOWN, "办法.txt")
    assert squeezed(shown(text_view.page(one, None))) == squeezed(one.text)


def test_marks_of_markdown_are_not_shown_and_nothing_else_is_missing() -> None:
    one = regulation(MARKDOWN)
    seen = shown(text_view.page(one, None))
    assert "<!--" not in seen and "##" not in seen
    assert "文号用 # 开头的，写作“#1”。" in seen
    layout = one.text.replace("<!-- 转换 完成 -->", "").replace("## ", "").replace("# 演示", "演示")
    assert squeezed(seen) == squeezed(layout)


def test_breaks_of_the_print_are_not_drawn_and_words_are_found_over_them() -> None:
    lines = ("演示单位应当自收到演示申请之日起十个工作日内完成演示现场的核查并", "出具书面意见。")
    one = regulation(
        f"演示办法（演示文本）\n\n第一条 {lines[0]}\n{lines[1]}\n\n第二条 本办法自2025年1月1日起施行。\n", "办法.txt"
    )
    assert f'核查并<span class="wrap">\n</span>{lines[1]}' in text_view.page(one, None)
    assert len(text_view.occurrences(one.text, "核查并出具书面")) == 1
    assert "核查并" in marked(text_view.page(one, None, "核查并 出具"), "found")
    assert text_view.occurrences(one.text, "  ") == []


def marked(page: str, mark: str) -> str:
    """Return the marked words; a long stretch is marked line by line."""
    return "".join(html.unescape(found) for found in re.findall(rf'<mark class="{mark}">(.*?)</mark>', page, re.DOTALL))


def near(one: Regulation, words: str) -> str:
    at = one.text.index(words)
    return text_view.around(one, Span(at, at + len(words)))


@pytest.mark.parametrize("words", ["写作“#1”", "# 演示办法", "第一章 总则"])
def test_the_place_is_marked_as_it_stands_in_the_file(words: str) -> None:
    one = regulation(MARKDOWN)
    assert squeezed(words) in squeezed(shown(near(one, words)))
    assert squeezed(marked(near(one, words), "hit")) == squeezed(words)
    at = one.text.index(words)
    page = text_view.page(one, Span(at, at + len(words)))
    assert squeezed(words) in squeezed(shown(page))


def test_search_marks_what_is_shown() -> None:
    assert marked(text_view.page(regulation(MARKDOWN), None, "施行"), "found") == "施行"


GAP = """演示断号办法（演示文本）

第一条 为了演示断号，制定本办法。

第二条 样例单位应当报送样例。

第四条 样例单位不得拒绝样例检查。

第五条 本办法自2030年1月1日起施行。
"""


def test_a_fault_is_marked_where_it_is() -> None:
    one = regulation(GAP)
    (fault,) = [f for f in one.faults if f.span is not None]
    place = one.text.index("第四条")
    assert text_view.flaws(one, Span(place, place + 3)) == [fault.message]
    page = text_view.page(one, None)
    (block,) = [block for block in page.split('<div class="block"') if "第四条 样例单位" in block]
    assert f'<p class="flaw">{html.escape(fault.message)}</p>' in block
    assert page.count('class="flaw"') == 1
    entries = re.findall(r"<a .*?</a>", text_view.outline(one))
    assert [("flaw" in entry) for entry in entries if "第" in entry] == [False, False, True, False]
