"""Foreign text reaches the reader as it is: nothing changed, nothing executed, nothing fetched (安全文本)."""

import ast
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nemo.text.versions.edits import stretches
from nemo.types import Span
from nemo.ui.shared import safe
from tests import export_samples

ROOT = Path(__file__).resolve().parent.parent
SOURCES = [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py")), *sorted((ROOT / "nemo" / "ui").rglob("*.py"))]

XSS = (
    ("image handler", '<img src=x onerror="alert(1)">'),
    ("svg handler", "<svg onload='alert(1)'>"),
    ("script", "<script>alert(1)</script>"),
    ("closing our tag", "</span></blockquote><script>alert(1)</script>"),
    ("attribute break", '" onmouseover="alert(1)'),
    ("javascript link", '<a href="javascript:alert(1)">点我</a>'),
    ("style sheet", "<style>body{display:none}</style>"),
    ("frame", '<iframe srcdoc="<script>parent.x=1</script>"></iframe>'),
    ("password form", "<form action=https://evil.invalid><input type=password></form>"),
    ("comment", "<!-- --><b>粗</b>"),
    ("entity", "&lt;script&gt;alert(1)&lt;/script&gt;"),
    ("template", "{{constructor.constructor('alert(1)')()}}"),
)

FIDELITY = (
    ("strikethrough", "10kV~35kV~的线路"),
    ("arrows", "电压 >= 35kV -> 接入"),
    ("list", "1. 项目备案"),
    ("emphasis", "*注：见附件*"),
    ("formula", "$5 与 $6 之间"),
    ("directive", "见:red[附件]与:material/check:"),
    ("indent", "    缩进四格的条款"),
    ("blank line", "a\n\nb"),
    ("angle brackets", "<6MW>的项目"),
    ("table", "表 1|值|2"),
    ("spaces", "全角　空格  两个空格"),
    ("heading", "#第一章"),
    ("reference", "A&amp;B"),
    ("carriage return", "第一条\r\n第二条\r第三条"),
    ("tab", "项目\t容量"),
    ("combining", "é 与 é"),
    ("beyond the first plane", "𠮷 🐉 𬍛"),
    ("no-break and thin spaces", "10\u00a0kV\u2009以上"),
)


class Reader(HTMLParser):
    """Collects text and tags as a browser's parser would see them."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.said = ""
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.said += data


def read(html: str) -> Reader:
    """Parse ``html``; a browser turns a bare carriage return into a line feed before it parses."""
    reader = Reader()
    reader.feed(re.sub("\r\n?", "\n", html))
    reader.close()
    return reader


@pytest.mark.parametrize(("remark", "text"), [*XSS, *FIDELITY], ids=lambda v: v if len(v) < 25 else "…")
def test_text_is_shown_character_by_character(remark: str, text: str) -> None:
    seen = read(f"<div>{safe.text(text)}</div>")
    assert seen.said == text
    assert seen.tags == ["div"]


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_any_text_survives(text: str) -> None:
    seen = read(f"<div>{safe.text(text)}</div>")
    assert seen.said == text and seen.tags == ["div"]


def test_half_a_surrogate_pair_does_not_break_the_page() -> None:
    assert safe.text("a\ud800b").encode("utf-8").decode("utf-8") == "a\ufffdb"


@pytest.mark.parametrize(
    ("remark", "spans", "marked"),
    [
        ("one", [Span(1, 3)], ["BC"]),
        ("two", [Span(3, 4), Span(0, 1)], ["A", "D"]),
        ("overlap is joined without doubling", [Span(0, 3), Span(2, 4)], ["ABC", "D"]),
        ("outside is left out", [Span(9, 12)], []),
        ("half outside is cut", [Span(3, 99)], ["D"]),
        ("before the text", [Span(-3, 1)], ["A"]),
    ],
)
def test_marks(remark: str, spans: list[Span], marked: list[str]) -> None:
    html = safe.marked("ABCD", spans)
    assert re.findall('<mark class="hit">(.*?)</mark>', html) == marked
    assert read(html).said == "ABCD"


@given(st.text(max_size=30), st.lists(st.tuples(st.integers(-3, 35), st.integers(-3, 35)), max_size=5))
def test_marking_never_changes_the_text(text: str, pairs: list[tuple[int, int]]) -> None:
    assert read(safe.marked(text, [Span(*p) for p in pairs])).said == read(safe.text(text)).said


@pytest.mark.parametrize(("remark", "text"), XSS, ids=lambda v: v if len(v) < 25 else "…")
def test_a_marked_text_holds_only_marks(remark: str, text: str) -> None:
    assert set(read(safe.marked(text, [Span(2, 5)])).tags) == {"mark"}


@pytest.mark.parametrize(
    ("remark", "name", "shown"),
    [
        ("plain", "办法.pdf", "办法.pdf"),
        ("turned writing direction", "办法\u202efdp.exe", "办法\ufffdfdp.exe"),
        ("zero width", "办\u200b法.pdf", "办\ufffd法.pdf"),
        ("control character", "a\x07b.pdf", "a\ufffdb.pdf"),
        ("line break", "a\nb.pdf", "a b.pdf"),
        ("nothing at all", "  ", "（无名）"),
        ("half a surrogate pair", "a\udfff.pdf", "a\ufffd.pdf"),
    ],
)
def test_names_hide_nothing(remark: str, name: str, shown: str) -> None:
    assert safe.visible(name) == shown


@pytest.mark.parametrize(
    "text", ["![t](https://evil.invalid/t.png)", ":red[假徽章]", "**粗** `码` $x$", "[链](javascript:1)"]
)
def test_labels_keep_markdown_asleep(text: str) -> None:
    escaped = safe.label(text)
    assert re.sub(r"\\(.)", r"\1", escaped) == text
    assert not re.search(r"(?<!\\)[\[\]*`:$!()]", escaped)


def test_a_long_label_says_that_it_was_cut() -> None:
    assert safe.label("长" * 50, 10) == "长" * 9 + "…"


@pytest.mark.parametrize(
    ("url", "is_link"),
    [
        ("https://example.gov.cn/a?b=1&c=2", True),
        ("http://example.gov.cn", True),
        ("javascript:alert(1)", False),
        ("data:text/html,x", False),
        ("//evil.invalid", False),
        ("https://", False),
        ("http://[bad", False),
        ('https://e.cn/"onmouseover="alert(1)', True),
    ],
)
def test_only_plain_addresses_become_links(url: str, is_link: bool) -> None:
    html = safe.link(url, "原网页")
    assert html.startswith("<a ") == is_link
    assert set(read(html).tags) <= {"a"} and 'onmouseover="' not in html


def versions_of(old: str, new: str) -> tuple[str, str]:
    """Return both texts of one article as the comparison shows them, all lines joined."""
    from nemo.lawview import comparison

    found = comparison.diff(*(export_samples.law("甲", [text]) for text in (old, new)))
    sides = ([side.text if side else None for side in (pair.old, pair.new)] for pair in found.pairs)
    cut = (
        safe.both(old, new, stretches(old or "", new or "", pair.edits))
        for pair, (old, new) in zip(found.pairs, sides, strict=True)
    )
    left, right = zip(*cut, strict=True)
    missing = '<span class="quiet">（无）</span>'
    return "".join(left).replace(missing, ""), "".join(right).replace(missing, "")


@given(*[st.text(alphabet="第条0129一二。，<&", min_size=1, max_size=40)] * 2)
def test_a_comparison_shows_both_texts_whole(old: str, new: str) -> None:
    left, right = versions_of(old, new)
    assert read(left).said == f"第1条　{old}" and read(right).said == f"第1条　{new}"


def test_a_changed_number_is_marked_whole() -> None:
    left, right = versions_of(
        "电网企业应当自收到资料之日起20个工作日内答复。", "电网企业应当自收到资料之日起10个工作日内答复。"
    )
    assert "<del>20</del>" in left and "<ins>10</ins>" in right


def test_probes_of_the_shared_folder(shared: Path) -> None:
    probes = json.loads((shared / "ui" / "probes.json").read_text("utf-8"))
    for text in probes["xss"] + probes["fidelity"]:
        seen = read(f"<div>{safe.text(text)}</div>")
        assert seen.said == text and seen.tags == ["div"]


def calls(path: Path) -> list[ast.Call]:
    return [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]


def test_no_raw_html_and_no_computed_script() -> None:
    for path in SOURCES:
        assert "unsafe_allow_html" not in path.read_text("utf-8"), path.name
        for call in calls(path):
            if any(k.arg == "unsafe_allow_javascript" for k in call.keywords):
                body = call.args[0]
                assert isinstance(body, ast.Name) and body.id.isupper(), f"{path.name}:{call.lineno} computes a script"


READS_MARKDOWN = {"markdown", "write", "title", "subheader", "info", "warning", "error", "success", "toast"}


def test_markdown_gets_no_foreign_text() -> None:
    """``st.markdown`` and friends are not used at all; captions and titles take only words of ours."""
    found = [
        f"{path.name}:{call.lineno} uses st.{call.func.attr}, which reads Markdown; use nemo.ui.shared.safe with st.html"
        for path in SOURCES
        for call in calls(path)
        if isinstance(call.func, ast.Attribute)
        and call.func.attr in READS_MARKDOWN
        and ast.unparse(call.func.value)
        not in ("_log", "charts", "compared")  # the log and what makes files are no page
    ]
    assert found == []


@pytest.mark.parametrize(
    ("message", "here"),
    [
        (
            "逐条相比。完整对照：打开“版本与关系”，或运行 python -m nemo diff 1 2 --only-changes",
            "逐条相比。完整对照：打开“版本与关系”",
        ),
        ("笔记不全。请运行 python -m nemo reindex 重新生成。", "笔记不全。请管理员在“系统”页重建索引。"),
        ("3 部未读入。请由管理员运行 python -m nemo reindex 补读。", "3 部未读入。请管理员在“系统”页重建索引。"),
        ("没有“甲”。可用 python -m nemo list 查看库内法规。", "没有“甲”。可在“法规库”查看。"),
        ("<b>请稍后重试。", "&lt;b&gt;请稍后重试。"),
    ],
)
def test_a_page_advises_what_a_page_offers(message: str, here: str) -> None:
    assert safe.advice(message) == here


def test_rows_are_as_high_as_their_longest_sentence() -> None:
    from nemo.ui.shared.tables import row_height

    assert row_height(["短", "也短"], 20) is None and row_height([], 20) is None
    assert row_height(["短", "长" * 21], 20) == 62, "Streamlit breaks lines above four rem only"
    assert row_height(["长" * 90], 20) == 108
