"""Where the measures of web pages, Word files and containers bite (界限): each row grows one thing until the decision turns."""

import io
import subprocess
import zipfile
from unittest import mock

import pytest
from lxml import etree, html
from parse_samples import expand

from nemo import parse
from nemo.parse import sniff
from nemo.parse.boilerplate import PageRow, _signs, sort_rows
from nemo.parse.other import ofd, sheets
from nemo.parse.web import block, page, surroundings
from nemo.parse.web.embedded import EmbeddedPictures
from nemo.parse.word import docx, formulas, numbering, office
from nemo.settings import load
from nemo.types import Lead, RawDocument
from tests.bounds import Bounds, refused, turns

RUNNING = "样例电站应当按照规定完成备案并且公开信息，"
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
NAMES = "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉戌亥" * 9
HEADLINE = "关于样例电站管理的通知"
URL = "https://example.invalid/"


def words(count: int) -> str:
    return (RUNNING * (count // len(RUNNING) + 1))[:count]


def chinese(count: int) -> str:
    """Return a piece of running text with so many Chinese characters."""
    return "样" * count + "。"


def shell(inner: str, beside: int = 2000) -> str:
    """Return what stays of a page whose body is so long beside an inner part."""
    root = html.fromstring(f"<html><body><div>{chinese(beside)}</div>{inner}</body></html>")
    block.remove_boilerplate(root)
    return "".join(root.itertext())


def inner_block(share: int, tag: str = "div") -> str:
    """Return the block that is the body, of two: one with so many hundredths of the text, in two parts."""
    rest = f"<div>{chinese(1000 - 10 * share)}</div>"
    root = html.fromstring(f"<html><body><{tag}>{chinese(10 * share)}</{tag}>{rest}</body></html>")
    return str(block.body_block(root).tag)


def unread_picture(characters: int) -> int:
    pictures = EmbeddedPictures("", 60)
    pictures.mark(html.fromstring("<div><img src='a.png'></div>"))
    return len(list(pictures.faults((), characters)))


def titled(heading: int) -> str | None:
    """Return the title of a page whose first headline is so long and no title of a paper."""
    root = html.fromstring(f"<html><head><title>样例网页</title></head><body><h1>{NAMES[:heading]}</h1></body></html>")
    return page._title(root, ())


def table(cell: int) -> bool:
    return page._is_data(html.fromstring(f"<table><tr><td>甲</td><td>{'样' * cell}</td></tr></table>"))


def nested(depth: int, tag: str = "w:sdt", inside: str = "<w:r><w:t>样例</w:t></w:r>") -> etree._Element:
    return etree.fromstring(f"<w:body {W} {M}>{f'<{tag}>' * depth}{inside}{f'</{tag}>' * depth}</w:body>")


def zipped(depth: int) -> bytes:
    content = "第一条 样例电站应当备案。".encode()
    for level in range(depth):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as container:
            container.writestr("样例.zip" if level else "样例.txt", content)
        content = out.getvalue()
    return content


def merged(rows: int) -> bytes:
    """Return a table file with one merged range of a hundred columns."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as container:
        container.writestr("xl/worksheets/sheet1.xml", f'<mergeCell ref="A1:CV{rows}"/>')
    return out.getvalue()


def seconds_given(limit: int) -> tuple[float, float]:
    """Return the seconds that each program may take for an old Word file, of so many for one file."""
    given: list[float] = []

    def run(command: list[str], seconds: float) -> subprocess.CompletedProcess[bytes]:
        given.append(seconds)
        return subprocess.CompletedProcess(command, 1, b"", b"")

    old = RawDocument.of(b"\xd0\xcf\x11\xe0" + office._WORD_STREAM, "样例.doc")
    with mock.patch.object(office, "_run", run), mock.patch("shutil.which", str):
        assert refused(lambda: office.parse(old, load(parse_seconds=limit)))
    return given[0], given[1]


def style_chain(length: int) -> str | None:
    """Return the list of a paragraph whose style is based on so many others, of which the last has the list."""
    chain = {str(i): (str(i + 1), None, None) for i in range(length)} | {str(length): (None, "7", 0)}
    styled = etree.fromstring(f'<w:p {W}><w:pPr><w:pStyle w:val="0"/></w:pPr></w:p>')
    return numbering.Numbering({}, {}, chain, set())._place(styled)[0]  # type: ignore[arg-type]


def deep_level(depth: int) -> int:
    paragraph = etree.fromstring(
        f'<w:p {W}><w:pPr><w:numPr><w:numId w:val="7"/><w:ilvl w:val="{depth}"/></w:numPr></w:pPr></w:p>'
    )
    return numbering.Numbering({}, {}, {}, set())._place(paragraph)[1] - depth


def rows_kept(*rows: PageRow | str, title: str | None = None) -> tuple[int, ...]:
    return sort_rows([row if isinstance(row, PageRow) else PageRow(row) for row in rows], title).kept


def list_end(gap: int = 0, length: int = 30) -> int:
    """Return how many rows stay below a list of other articles: a first row so long, so many rows, and a full stop."""
    below = ["样例，" + "样" * (length - 3), *["样例"] * gap, "样例电站应当备案。"]
    return len(rows_kept("第一条 样例电站应当备案。", "相关链接", "样例新闻", *below))


BOUNDS: Bounds = [
    # 正文块
    ("导航块里的正文满 200 字就留下", lambda n: "样样" in shell(f"<div class='nav'>{chinese(n)}</div>").split("。", 1)[1], (50, 900), 200),
    ("导航块里的正文满全页一半就留下", lambda n: len(shell(f"<div class='nav'>{chinese(n)}</div>", 100)), (50, 199), 100),
    ("他文列表的题头不超过 20 字", lambda n: "某新闻" in shell(f"<div><h3>相关链接：{'a' * n}</h3><ul><li>某新闻</li></ul></div>"), (1, 60), 16),
    ("占全文 85% 的块才是正文块", lambda n: inner_block(n), (60, 97), 85),
    ("网页自称文章的块占六成就是正文块", lambda n: inner_block(n, "article"), (52, 84), 60),
    # 网页
    ("八个字起的大标题才是题名", titled, (2, 40), 8),
    ("满 30 字宽而没写完的预排行接下一行", lambda n: sum(line is None for line in page._lines_of(html.fromstring(f"<pre>{'样' * n}\n样例。</pre>"))), (5, 90), 30),
    ("300 字以内的格才是数据表的格", table, (100, 900), 301),
    ("一格至多跨 200 栏", lambda n: page._reach(html.fromstring(f"<td colspan='{n}'>甲</td>"), "colspan") == n, (100, 900), 201),
    ("正文不满 400 字而有图，提请核对", unread_picture, (100, 900), 400),
    # 页面附属行
    ("正文不满 40 字是正文缺失", lambda n: refused(lambda: surroundings.require_body(["样" * n], None, ())), (5, 90), 40),
    ("题名不超过 120 字", lambda n: surroundings.repeated(f"关于{'样' * n}的通知_样例局", [f"关于{'样' * n}的通知"]) is not None, (10, 300), 116),
    ("截断的题名至少同 12 字", lambda n: surroundings.repeated(f"{f'关于{NAMES}的通知'[:n]}…", [f"关于{NAMES[:60]}的通知"]) is not None, (5, 40), 12),
    ("题名在前 80 行以内", lambda n: surroundings.repeated(HEADLINE, [*["样例"] * n, HEADLINE]) is not None, (10, 200), 80),
    ("四个字起的一行可以是题名的末行", lambda n: len(surroundings.number_beside([HEADLINE[-n:], "样发〔2030〕1号"], HEADLINE, "")), (1, 9), 4),
    ("发布信息在前 60 行以内", lambda n: surroundings.is_dump("首页\n" + "样例\n" * n + "发布时间：2030年1月1日\n来源：样例局\n"), (10, 300), 59),
    ("满 45 字而没写完的行接下一行", lambda n: surroundings._runs_on("样" * n, "样例"), (5, 90), 45),
    ("至多列出八个附件", lambda n: "等" in surroundings.absent([Lead("", f"样例{i}.pdf", "网页附件") for i in range(n)])[0].message, (1, 40), 9),
    ("六成字是链接的行不作旁证", lambda n: len(surroundings.beside([PageRow("样例", n / 10)], "")), (1, 10), 6),
    ("括号开在 60 字以内才算没有闭合", lambda n: surroundings._open_bracket("（" + "样" * n), (5, 110), 60),
    ("署名的机关名称，委员会之前至多二十四字", lambda n: _signs("样" * n + "委员会"), (4, 90), 25),
    ("署名的机关名称，局之前至多二十四字", lambda n: _signs("样" * n + "局"), (4, 90), 25),
    # 网页外壳
    ("六成字是链接的行是导航", lambda n: len(rows_kept(PageRow("样例栏目", n / 10), "第一条 样例电站应当备案。")), (1, 10), 6),
    ("全页七成以上是链接，链接不作数", lambda n: len(rows_kept(PageRow("样" * n, 1.0), "第一条 " + "样" * (95 - n) + "。")), (5, 90), 71),
    ("正文之前 80 行以内的导航才去除", lambda n: len(rows_kept("样例", *["样例"] * n, "首页", "第一条 样例电站应当备案。")) > 2, (10, 200), 79),
    ("他文列表之后三行内有句号，列表才结束", lambda n: list_end(gap=n) > 1 + n, (0, 9), 2),
    ("他文列表之后满 20 字的行，列表才结束", lambda n: list_end(length=n), (9, 40), 20),
    ("六个字起的一行可以是题名的一截", lambda n: len(rows_kept(HEADLINE[:n], "首页", "第一条 样例电站应当备案。", title=HEADLINE)), (1, 10), 6),
    # Word
    ("段落嵌套至多 40 层", lambda n: refused(lambda: list(docx._blocks(nested(n, inside=""), None, 0))), (10, 90), 41),  # type: ignore[arg-type]
    ("一格至多跨 64 栏", lambda n: docx._columns(etree.fromstring(f'<w:tc {W}><w:tcPr><w:gridSpan w:val="{n}"/></w:tcPr></w:tc>')) == n, (10, 300), 65),
    ("编号至多九级", lambda n: deep_level(n), (1, 40), 9),
    ("样式至多上溯十二级", lambda n: style_chain(n) is None, (1, 90), 12),
    ("公式嵌套至多 30 层", lambda n: formulas.linear(nested(n, "m:oMath", "<m:r><m:t>x</m:t></m:r>")[0]) is None, (5, 90), 32),
    # 压缩包与其他格式
    ("压缩包至多套三层", lambda n: refused(lambda: expand(RawDocument.of(zipped(n), "样例.zip"), load())), (1, 9), 4),
    ("PDF 的文件头在前 1024 字节以内", lambda n: sniff.kind_of(RawDocument.of(b"\x00" * n + b"%PDF-1.7", "a")) is sniff.FileKind.PDF, (10, 3000), 1020),
    ("一行至多 50 万字", lambda n: refused(lambda: parse.parse(RawDocument.of(("第一条 " + "样" * n).encode(), "a.txt"), load())), (499_996, 499_998), 499_997),
    ("版式文件的 25.4 毫米是 72 点", lambda n: next(ofd._placed(etree.fromstring("<c>样</c>"), (n, 0), (0, 0), 1, [1, 0, 0, 1, 0, 0])).box.left >= 72, (10, 90), 26),
    ("版式文件至多给出两万个字距", lambda n: len(ofd._steps(f"g {n} 1")) == n, (19_000, 21_000), 20_001),
    ("合并单元格至多覆盖一百万格", lambda n: refused(lambda: sheets._check_size(merged(n), load())), (9_000, 11_000), 10_001),
    ("旧版 Word 至多读 60 秒", lambda n: seconds_given(n)[0] == n, (10, 200), 61),
    ("转换至多用去时限的八成", lambda n: seconds_given(n)[1] >= 40, (10, 200), 50),
]  # fmt: skip


@pytest.mark.parametrize(("decide", "between", "at"), [row[1:] for row in BOUNDS], ids=[row[0] for row in BOUNDS])
def test_the_decision_turns_here(decide: object, between: tuple[int, int], at: int | None) -> None:
    assert turns(decide, *between) == at  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("form", "numbers"),
    [
        ("decimalZero", ["01", "10", "21"]),
        ("decimalFullWidth", ["１", "１０", "２１"]),
        ("decimalEnclosedCircle", ["①", "⑩", "21"]),
        ("decimalEnclosedCircleChinese", ["①", "⑩", "21"]),
        ("chineseCounting", ["一", "十", "二十一"]),
        ("ideographDigital", ["一", "一〇", "二一"]),
        ("ideographTraditional", ["甲", "癸", "甲"]),
        ("upperRoman", ["I", "X", "XXI"]),
        ("lowerLetter", ["a", "j", "u"]),
    ],
)
def test_one_ten_and_twenty_one_in_the_formats_of_word(form: str, numbers: list[str]) -> None:
    assert [numbering.format_number(number, form) for number in (1, 10, 21)] == numbers
