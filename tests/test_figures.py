"""Pictures, tables and formulas: read with their place, found, quoted with them, shown, removed (图表). 演示文本 throughout."""

import base64
import contextlib
import hashlib
import io
import itertools
import json
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import docx
import pytest
from PIL import Image, ImageDraw, PngImagePlugin
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas
from typer.testing import CliRunner

from nemo import export, parse, tools
from nemo.accounts import Role, User
from nemo.answer.quotes.figures import with_its
from nemo.cli import app
from nemo.cli.backend import OpenedBackend
from nemo.corpora import CorpusOptions
from nemo.engine import Engine
from nemo.errors import NotFoundError, UnreadableDocumentError
from nemo.export.schemas import answers as schema
from nemo.parse import pictures
from nemo.parse.lines import PrintedLine
from nemo.parse.pdf import scan
from nemo.settings import Settings, load
from nemo.text.structure.figures import cells, figures, is_formula, named, pointed, shown
from nemo.text.structure.tree import structure
from nemo.types import FigureKind, Picture, Quote, RawDocument, Reason, Regulation, Span, Validity, today
from tests.test_api import guarded

WORDS = ("申报单位登记", "电网企业受理")
"""What the stand-in recogniser reads in every picture."""


def drawing(seed: int = 1, size: tuple[int, int] = (640, 400)) -> bytes:
    """A drawing that is no ornament: boxes and a line between them."""
    image = Image.new("RGB", size, "white")
    pen = ImageDraw.Draw(image)
    pen.rectangle((30, 30, 200 + seed, 120), outline="black", width=4)
    pen.line((200 + seed, 75, 420, 75), fill="black", width=4)
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


@pytest.fixture
def recogniser(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Stand in for the OCR engine: what it is said to read of each picture, and how sure it is."""

    def reads(words: Sequence[str] = WORDS, confidence: float = 0.83) -> None:
        rows = [PrintedLine(row, 1) for row in words]
        monkeypatch.setattr(scan, "read_page", lambda image, number: (list(rows), confidence if rows else 0.0))

    reads()
    return reads


def word_file(seed: int = 1) -> bytes:
    document = docx.Document()
    document.add_paragraph("演示省分布式光伏并网服务办法")
    document.add_paragraph("第一条 分布式光伏项目的并网流程见图1。")
    document.add_picture(io.BytesIO(drawing(seed)))
    document.add_paragraph("图1 分布式光伏并网流程")
    document.add_paragraph("第二条 并网服务费用标准见表1，按月结算，不得预收。")
    document.add_paragraph("表1 并网服务费用")
    table = document.add_table(rows=0, cols=2)
    for row in (("电压等级", "费用（元）"), ("380伏", "120"), ("10千伏", "860")):
        for cell, words in zip(table.add_row().cells, row, strict=True):
            cell.text = words
    document.add_paragraph("第三条 上网电费按照下列公式计算：")
    document.add_paragraph("上网电费＝上网电量×上网电价")
    document.add_paragraph("式中：上网电量为当月抄见电量；")
    document.add_paragraph("第四条 本办法自2024年6月1日起施行。")
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def pdf_file(pictures_of: Sequence[bytes] = (), ornament: bytes | None = None) -> bytes:
    """Three pages of articles; each given picture stands on page 2 below the article that points to it."""
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(595, 842))
    rows = {
        1: ["演示省储能电站调度办法", "第一条 为规范演示省储能电站调度运行，制定本办法。", "第二条 储能电站应当接受统一调度，按照调度指令充电和放电。"],
        2: ["第三条 储能电站接入系统的方式应当符合附图1的要求。"],
        3: ["第四条 储能电站应当每日上报运行数据，不得迟报、漏报。", "第五条 本办法自2024年6月1日起施行。"],
    }  # fmt: skip
    for page in (1, 2, 3):
        canvas.setFont("STSong-Light", 12)
        for at, row in enumerate(rows[page]):
            canvas.drawString(72, 720 - 24 * at, row)
        for at, picture in enumerate(pictures_of if page == 2 else ()):
            canvas.drawImage(ImageReader(io.BytesIO(picture)), 100, 420 - 260 * at, 380, 240)
            canvas.drawString(200, 400 - 260 * at, f"附图{at + 1} 储能接入示意")
        if ornament:
            canvas.drawImage(ImageReader(io.BytesIO(ornament)), 72, 40, 200, 150)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def page_file(source: str) -> bytes:
    body = "".join(f"<p>{row}</p>" for row in (
        "第一条 为规范演示省绿色电力证书的核发和交易，促进可再生能源消费，制定本办法。",
        "第二条 绿色电力证书由国家授权机构按照项目每月结算电量核发，一千千瓦时对应一个证书，流程见下图。",
    ))  # fmt: skip
    more = "<p>第三条 证书有效期为两年，自电量生产月起计算，逾期不得交易，已经使用的证书不得再次交易。</p>"
    return (
        "<html><head><meta charset='utf-8'><title>演示省绿色电力证书办法</title></head><body><div class='TRS_Editor'>"
        f"<h1>演示省绿色电力证书办法</h1>{body}<p><img src='{source}'></p><p>图2 证书核发流程</p>{more}</div></body></html>"
    ).encode()


def data_url(content: bytes, kind: str = "png") -> str:
    return f"data:image/{kind};base64,{base64.b64encode(content).decode()}"


def read(content: bytes, name: str, settings: Settings | None = None) -> Any:
    return parse.parse(RawDocument.of(content, name), settings or load())


def regulation_of(parsed: Any) -> Regulation:
    tree = structure(parsed.text, parsed.pages)
    return Regulation(
        "演示", "演示办法", parsed.text, tree.provisions, Validity(), "演示.docx", "0" * 64, pages=parsed.pages,
        faults=parsed.faults, pictures=parsed.pictures,
    )  # fmt: skip


def told(regulation: Regulation) -> list[tuple[str, str, str, tuple[int, ...]]]:
    """(kind, name, path, pages) of each figure."""
    return [(f.kind.value, f.name, shown(f, regulation).path, f.pages) for f in figures(regulation)]


# --- read with their place


def test_a_word_file_gives_its_picture_its_table_and_its_formula_each_with_its_provision(recogniser: Any) -> None:
    parsed = read(word_file(), "演示.docx")
    regulation = regulation_of(parsed)
    assert told(regulation) == [
        ("图", "图1", "第一条", ()),
        ("表", "表1", "第二条", ()),
        ("公式", "", "第三条", ()),
    ]
    picture, table, formula = figures(regulation)
    assert picture.span.of(parsed.text) == "\n".join(WORDS)
    assert picture.caption and picture.caption.of(parsed.text) == "图1 分布式光伏并网流程"
    assert picture.picture and picture.picture.sha256 == hashlib.sha256(drawing()).hexdigest()
    assert cells(table, parsed.text) == [["电压等级", "费用（元）"], ["380伏", "120"], ["10千伏", "860"]]
    assert formula.span.of(parsed.text) == "上网电费＝上网电量×上网电价"
    assert formula.notes and formula.notes.of(parsed.text) == "式中：上网电量为当月抄见电量；"
    (fault,) = [f for f in parsed.faults if f.code == "picture_recognised"]
    assert fault.span == picture.span and "0.83" in fault.message


def test_a_picture_without_words_keeps_the_place_it_stands_at(recogniser: Any) -> None:
    recogniser(())
    parsed = read(word_file(), "演示.docx")
    (picture,) = parsed.pictures
    assert picture.span.start == picture.span.end == parsed.text.index("图1 分布式") - 1
    assert picture.confidence is None
    assert told(regulation_of(parsed))[0] == ("图", "图1", "第一条", ())
    assert "pictures_dropped" in {f.code for f in parsed.faults}


def test_without_the_recogniser_pictures_are_kept_and_their_words_are_said_to_be_unread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from nemo.errors import MissingDependencyError

    def missing(image: Any, number: int) -> None:
        raise MissingDependencyError("没有文字识别组件。")

    monkeypatch.setattr(scan, "read_page", missing)
    parsed = read(pdf_file([drawing()]), "演示.pdf")
    assert [(p.page, p.confidence) for p in parsed.pictures] == [(2, None)]


def test_a_pdf_gives_its_figures_with_page_and_box_and_words_in_the_reading_order(recogniser: Any) -> None:
    parsed = read(pdf_file([drawing(1), drawing(2)]), "演示.pdf")
    regulation = regulation_of(parsed)
    assert told(regulation) == [("图", "附图1", "第三条", (2,)), ("图", "附图2", "第三条", (2,))]
    first, second = parsed.pictures
    assert first.box == pytest.approx((100 / 595, 182 / 842, 480 / 595, 422 / 842), abs=0.002)
    assert first.span.of(parsed.text) == second.span.of(parsed.text) == "\n".join(WORDS)
    assert "附图1的要求。\n申报单位登记\n电网企业受理\n附图1 储能接入示意\n申报单位登记" in parsed.text
    assert parsed.pages[1].span.start <= first.span.start < second.span.end <= parsed.pages[1].span.end


def test_ornaments_of_a_pdf_are_no_figures(recogniser: Any) -> None:
    parsed = read(pdf_file([drawing(1)], ornament=drawing(7)), "演示.pdf")
    assert [p.page for p in parsed.pictures] == [2]


def test_a_seal_is_no_figure(recogniser: Any) -> None:
    seal = drawing(3, (300, 300))
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(595, 842))
    canvas.setFont("STSong-Light", 12)
    for at, row in enumerate(
        ("演示省储能管理通知", "一、储能项目应当按期报送运行数据。", "二、本通知自2024年6月1日起施行。")
    ):
        canvas.drawString(72, 720 - 24 * at, row)
    canvas.drawImage(ImageReader(io.BytesIO(seal)), 350, 500, 119, 119)
    canvas.save()
    assert read(out.getvalue(), "演示.pdf").pictures == ()


@pytest.mark.parametrize(
    ("first", "title"), [("第一条 储能项目应当按期报送运行数据。", "演示省储能管理办法"), ("演示省储能管理通知", None)]
)
def test_a_title_drawn_as_a_picture_is_read_where_the_text_has_none(
    first: str, title: str | None, recogniser: Any
) -> None:
    recogniser(["演示省储能管理办法"])
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(595, 842))
    canvas.setFont("STSong-Light", 12)
    for at, row in enumerate((first, "第二条 储能项目应当按期报送运行数据。")):
        canvas.drawString(72, 680 - 24 * at, row)
    canvas.drawImage(ImageReader(io.BytesIO(drawing(3, (310, 26)))), 142, 709, 310, 26)
    canvas.save()
    parsed = read(out.getvalue(), "演示.pdf")
    assert [picture.span.of(parsed.text) for picture in parsed.pictures] == ([title] if title else [])
    assert parsed.text.split("\n")[0] == (title or first)


def test_a_web_page_gives_the_pictures_it_carries_itself_and_fetches_none(recogniser: Any) -> None:
    parsed = read(page_file(data_url(drawing())), "演示.html")
    regulation = regulation_of(parsed)
    assert told(regulation) == [("图", "图2", "第二条", ())]
    assert "流程见下图。\n申报单位登记\n电网企业受理\n图2 证书核发流程" in parsed.text
    away = read(page_file("https://nyj.example.gov.cn/a.png"), "演示.html")
    assert away.pictures == () and "申报单位" not in away.text


# --- hostile files


def bomb() -> bytes:
    """A PNG that claims 50,000 × 50,000 pixels."""
    content = bytearray(drawing())
    content[16:24] = (50_000).to_bytes(4, "big") * 2
    return bytes(content)


SVG = b"<svg xmlns='http://www.w3.org/2000/svg' width='640' height='400'><script>alert(1)</script></svg>"


@pytest.mark.parametrize(
    ("remark", "content"),
    [
        ("truncated", drawing()[: len(drawing()) // 2]),
        ("a decompression bomb", bomb()),
        ("SVG with a script", SVG),
        ("another type than it is called", b"%PDF-1.7 nothing"),
        ("empty", b""),
        ("an ornament", drawing(1, (40, 20))),
    ],
)
def test_bad_pictures_leave_the_text_whole_and_are_not_shown(remark: str, content: bytes, recogniser: Any) -> None:
    with zipfile.ZipFile(io.BytesIO(word_file())) as source:
        parts = {name: source.read(name) for name in source.namelist()}
    image = next(name for name in parts if name.startswith("word/media/"))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as target:
        for name, held in parts.items():
            target.writestr(name, content if name == image else held)
    parsed = read(out.getvalue(), "演示.docx")
    assert parsed.pictures == () and "第四条 本办法自2024年6月1日起施行。" in parsed.text
    embedded = read(page_file(data_url(content)), "演示.html")
    assert embedded.pictures == () and "第三条" in embedded.text


def test_many_pictures_are_bounded(recogniser: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "MOST", 3)
    document = docx.Document()
    document.add_paragraph("第一条 演示图很多。")
    for seed in range(6):
        document.add_picture(io.BytesIO(drawing(seed)))
    document.add_paragraph("第二条 本办法自公布之日起施行。")
    out = io.BytesIO()
    document.save(out)
    parsed = read(out.getvalue(), "演示.docx")
    assert len(parsed.pictures) == 3
    assert any("有 3 处图片" in f.message for f in parsed.faults)


def test_what_is_shown_is_made_anew_from_the_pixels(recogniser: Any) -> None:
    image = Image.open(io.BytesIO(drawing()))
    hidden = PngImagePlugin.PngInfo()
    hidden.add_text("Comment", "<script>alert(1)</script>")
    out = io.BytesIO()
    image.save(out, "PNG", pnginfo=hidden)
    raw = RawDocument.of(page_file(data_url(out.getvalue())), "演示.html")
    (picture,) = parse.parse(raw, load()).pictures
    png = parse.picture_image(raw, picture, load())
    assert png.startswith(b"\x89PNG") and b"script" not in png
    wrong = Picture(picture.span, picture.source, "0" * 64)
    with pytest.raises(UnreadableDocumentError, match="没有这张图片"):
        parse.picture_image(raw, wrong, load())


def test_a_figure_of_a_page_is_shown_as_it_is_printed(recogniser: Any) -> None:
    raw = RawDocument.of(pdf_file([drawing()]), "演示.pdf")
    (picture,) = parse.parse(raw, load()).pictures
    image = Image.open(io.BytesIO(parse.picture_image(raw, picture, load())))
    assert image.width / image.height == pytest.approx(380 / 240, abs=0.02)
    dark = sum(1 for pixel in image.convert("L").getdata() if pixel < 128)
    assert dark > 1000


# --- what words are formulas, captions, pointers


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("上网电费＝上网电量×上网电价", True),
        ("P=U×I×cosφ  （3.2-1）", True),
        ("η = E_放 / E_充", True),
        ("R1=（A+B）÷（C+D）", True),
        ("式中：P=1为有功功率", False),
        ("当t=30时，按一次计。", False),
        ("电压等级 | a=1 | b=2", False),
        ("第五条 补偿费用=里程×价格", False),
        ("详见 https://example.gov.cn/?id=1+2", False),
        ("项目单位应当在并网前三十日向所在地的电网企业提出书面申请=附件1", False),
        ("没有等号的一行", False),
    ],
)
def test_formulas_are_told_from_prose(row: str, expected: bool) -> None:
    assert is_formula(row) is expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("见附图1和表 2", [("附图1", "图"), ("表2", "表")]),
        ("按式（3．2－1）计算", [("式（3.2-1）", "公式")]),
        ("流程如下图所示", [("", "图")]),
        ("计算公式如下：", [("", "公式")]),
        ("如表3所示", [("表3", "表")]),
        ("图书和表彰不是图表", []),
    ],
)
def test_where_words_point(words: str, expected: list[tuple[str, str]]) -> None:
    assert [(one.name, one.kind.value) for one in pointed(words)] == expected


def test_names_have_one_form() -> None:
    assert named("附图 3．2—1") == "附图3.2-1"


def test_a_formula_that_could_not_be_read_is_shown_without_words() -> None:
    text = "第一条 费用按下式计算：\n费用=\ufffd×2\n第二条 本办法自公布之日起施行。"
    from nemo.types import Fault

    tree = structure(text, ())
    at = text.index("费用=")
    fault = Fault("formula_unreadable", "此处有公式未能读出，不可引用，请以原件为准。", Span(at, at + 6))
    regulation = Regulation("演示", "演示办法", text, tree.provisions, Validity(), "a", "0" * 64, faults=(fault,))
    (formula,) = figures(regulation)
    assert formula.unread and shown(formula, regulation).text is None
    assert "未能读出" in export.figures.figure_words(shown(formula, regulation))


# --- beside a quote


def quoted(regulation: Regulation, words: str, question: str = "演示问题") -> list[str]:
    start = regulation.text.index(words)
    quote = Quote.cut(regulation, Span(start, start + len(words)), today())
    shown_beside = with_its(quote, regulation, question).figures
    for one in shown_beside:
        assert all(piece.text == piece.span.of(regulation.text) for piece in one.pieces())
    return [one.figure.name or one.figure.kind.value for one in shown_beside]


@pytest.mark.parametrize(
    ("remark", "words", "question", "expected"),
    [
        ("a picture that is named", "第一条 分布式光伏项目的并网流程见图1。", "并网流程", ["图1"]),
        ("a table that is named", "第二条 并网服务费用标准见表1，按月结算，不得预收。", "收费", ["表1"]),
        ("the formula below", "第三条 上网电费按照下列公式计算：", "电费", ["公式"]),
        ("words read from the picture", "申报单位登记", "谁登记", ["图1"]),
        ("a row of the table", "380伏 | 120", "380伏收多少", ["表1"]),
        ("nothing", "第四条 本办法自2024年6月1日起施行。", "何时施行", []),
        ("asked for", "电网企业受理", "并网流程图", ["图1"]),
    ],
)
def test_which_figures_stand_beside_a_quote(
    remark: str, words: str, question: str, expected: list[str], recogniser: Any
) -> None:
    assert quoted(regulation_of(read(word_file(), "演示.docx")), words, question) == expected


def test_a_quote_from_a_picture_carries_its_confidence_as_a_warning(recogniser: Any) -> None:
    regulation = regulation_of(read(word_file(), "演示.docx"))
    start = regulation.text.index("申报单位登记")
    quote = Quote.cut(regulation, Span(start, start + 6), today())
    assert any("置信度 0.83" in warning for warning in quote.citation.warnings)


# --- in a library: found, shown, confined, removed, verified

OWNER, STRANGER = User("王敏", Role.ANALYST), User("李雷", Role.REVIEWER)


@pytest.fixture
def engine(tmp_path: Path, recogniser: Any) -> Iterator[Engine]:
    with Engine.open(load(library=tmp_path / "lib", workers=0)) as opened:
        yield opened


def held(engine: Engine, content: bytes = b"", name: str = "演示.docx", **more: Any) -> str:
    report = engine.intake.ingest_raw([RawDocument.of(content or word_file(), name)], **more)
    return report.outcomes[0].regulation_ids[0]


def test_the_words_of_a_picture_are_found_and_the_answer_carries_the_picture(engine: Engine) -> None:
    held(engine)
    answer = engine.ask("分布式光伏并网流程图里第一步申报单位做什么")
    citation = export.answer_json(answer)["citations"][0]
    schema.AnswerForm.model_validate(export.answer_json(answer))
    (figure,) = [f for f in citation["figures"] if f["kind"] == "图"]
    assert (figure["name"], figure["section_reference"], figure["recognised"]) == ("图1", "第一条", 0.83)
    assert figure["text"]["text"] == "\n".join(WORDS)
    assert engine.library.answers.get(answer.trace_id).quotes == answer.quotes, "kept as it was given"
    assert engine.library.verify() == []


def test_a_formula_and_a_table_stand_beside_what_points_to_them(engine: Engine) -> None:
    held(engine)
    answer = engine.ask("上网电费按照什么公式计算")
    shown_beside = [f for quote in answer.quotes for f in quote.figures]
    formula = next(f for f in shown_beside if f.figure.kind is FigureKind.FORMULA)
    assert formula.text and formula.text.text == "上网电费＝上网电量×上网电价"
    assert formula.notes and "抄见电量" in formula.notes.text
    answer = engine.ask("并网服务费用标准按什么结算")
    assert any(f.figure.name == "表1" for quote in answer.quotes for f in quote.figures)


NAMED = [
    ("演示省分布式光伏并网服务办法图1", "图1 分布式光伏并网流程", ["图1"]),
    ("请问《演示省分布式光伏并网服务办法》的图 1 是什么？", "图1 分布式光伏并网流程", ["图1"]),
    ("《演示省分布式光伏并网服务办法》图9", None, []),
]


@pytest.mark.parametrize(("question", "words", "names"), NAMED, ids=[row[0] for row in NAMED])
def test_a_figure_asked_by_its_name_is_that_figure_or_none(
    engine: Engine, question: str, words: str | None, names: list[str]
) -> None:
    held(engine)
    answer = engine.ask(question)
    assert [quote.text for quote in answer.quotes] == ([words] if words else [])
    assert [f.figure.name for quote in answer.quotes for f in quote.figures] == names
    if answer.refusal:
        assert answer.refusal.reason is Reason.ARTICLE_NOT_FOUND and "没有图9" in answer.refusal.message
    assert engine.library.verify() == []


@pytest.mark.parametrize("form", ["docx", "pdf", "xlsx", "json"])
def test_exports_carry_the_figures(engine: Engine, form: str) -> None:
    held(engine)
    answer = engine.ask("分布式光伏项目的并网流程")
    file = engine.answers.export_answer(answer, form)
    if form == "docx":
        document = docx.Document(io.BytesIO(file))
        assert len(document.inline_shapes) == 1
        assert any("图1 分布式光伏并网流程 · 第一条" in p.text for p in document.paragraphs)
    if form == "pdf":
        assert b"/Subtype /Image" in file


def test_the_picture_of_a_replaced_text_is_not_exported_for_another(engine: Engine) -> None:
    held(engine)
    answer = engine.ask("分布式光伏项目的并网流程")
    held(engine, word_file(seed=90))
    file = engine.answers.export_answer(answer, "docx")
    assert len(docx.Document(io.BytesIO(file)).inline_shapes) == 0


def test_figures_are_listed_and_fetched_by_those_alone_who_may_see_the_text(engine: Engine) -> None:
    engine.corpora.create(CorpusOptions(name="甲项目", visibility="private"), OWNER)
    held(engine, facts={"corpora": ["甲项目"]}, user=OWNER)
    regulation_id = engine.regulations()[0].id
    mine = engine.seen_by(OWNER)
    listed = export.figures.listed(mine.regulation(regulation_id))
    schema.FiguresForm.model_validate(listed)
    assert [f["kind"] for f in listed["figures"]] == ["图", "表", "公式"]
    assert export.figures.image(mine.library, mine.regulation(regulation_id), 1).startswith(b"\x89PNG")
    other = engine.seen_by(STRANGER)
    with pytest.raises(NotFoundError):
        other.regulation(regulation_id)
    with pytest.raises(NotFoundError):
        export.figures.image(other.library, mine.regulation(regulation_id), 1)
    asked = {"regulation": regulation_id, "figures": True}
    assert tools.call(other, "read_regulation", asked)["status"] == "not_held"
    told_agent = tools.call(mine, "read_regulation", asked)
    assert [row["image"] is not None for row in told_agent["figures"]] == [True, False, False]


def test_the_interface_lists_figures_and_sends_pictures(engine: Engine) -> None:
    regulation_id = held(engine)
    client = guarded(engine, engine.access.tokens.first())
    listed = client.get("/v1/figures", params={"regulation": regulation_id}).json()
    assert [f["name"] for f in listed["figures"]] == ["图1", "表1", None]
    sent = client.get("/v1/figures/image", params={"regulation": regulation_id, "figure": 1})
    assert (sent.status_code, sent.headers["content-type"]) == (200, "image/png")
    assert Image.open(io.BytesIO(sent.content)).size == (640, 400)
    for figure in (2, 99):
        assert (
            client.get("/v1/figures/image", params={"regulation": regulation_id, "figure": figure}).status_code == 404
        )


def test_the_command_line_lists_figures_and_keeps_a_picture(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    regulation_id = held(engine)
    monkeypatch.setattr("nemo.cli.library.reached", lambda library: contextlib.nullcontext(OpenedBackend(engine)))
    listed = CliRunner().invoke(app, ["figures", regulation_id, "--json"])
    assert [f["name"] for f in json.loads(listed.stdout)["figures"]] == ["图1", "表1", None]
    kept = tmp_path / "一.png"
    one = CliRunner().invoke(app, ["figures", regulation_id, "--picture", "1", "--to", str(kept)])
    assert str(kept.name) in one.stdout.replace("\n", "")
    assert Image.open(kept).size == (640, 400)
    assert CliRunner().invoke(app, ["figures", regulation_id, "--picture", "2"]).exit_code != 0, "a table is no picture"


def test_removing_a_text_removes_its_figures(engine: Engine) -> None:
    regulation_id = held(engine)
    assert engine.library.inspect().checked["图片"] == 1
    engine.intake.remove(regulation_id)
    assert engine.library.inspect().checked["图片"] == 0
    assert engine.library.verify() == []
    with pytest.raises(NotFoundError):
        engine.regulation(regulation_id)


def test_verify_notices_a_picture_outside_its_text(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    regulation_id = held(engine)
    wrong = Picture(Span(0, 10**6), "word/media/none.png", "1" * 64)
    regulation = engine.library._catalogue.regulation
    monkeypatch.setattr(
        engine.library._catalogue, "regulation", lambda *a, **k: replace(regulation(*a, **k), pictures=(wrong,))
    )
    (found,) = engine.library.verify()
    assert found.subject == regulation_id and "图片" in found.message


def test_figures_are_nodes_of_the_graph_joined_to_their_provision(engine: Engine) -> None:
    regulation_id = held(engine)
    graph = engine.answers.graph
    article = graph.provision(regulation_id, "1")
    (edge,) = [e for e in graph.around(article) if e.kind == "shows"]
    assert (edge.target.kind, edge.target.name) == ("figure", "图1 分布式光伏并网流程")
    assert edge.span.of(engine.regulation(regulation_id).text) == "图1 分布式光伏并网流程"
    assert graph.kind_name("figure") == "图表" and graph.counts()["shows"] == 2
    assert [e.source.label for e in graph.around(graph.named("图1 分布式光伏并网流程"))] == ["1"]
    engine.intake.remove(regulation_id)
    assert graph.counts()["shows"] == 0


AMID = """演示接线办法（演示文本）

第一条 本办法为演示文本。

第二条 接线按图执行。

图中甲 图中乙

变电站应当核对接线。核对下列事项：

（一）相序；

图中丙

（二）极性。

第三条 本办法自2024年1月1日起施行。
"""


def test_the_words_of_a_picture_are_no_paragraph_of_their_article() -> None:
    """They are a unit of their own, so 第二款 is the second paragraph that the lawmaker wrote, and lists go on past them."""
    places = [Span(at := AMID.index(words), at + len(words)) for words in ("图中甲 图中乙", "图中丙")]
    tree = structure(AMID, (), places)
    units = [p for top in tree.provisions for p in top.walk()]
    named = {p.label: p.span.of(AMID) for p in units}
    assert named["2-1"] == "接线按图执行。" and named["2-2"].startswith("变电站应当核对接线")
    assert "2-3" not in named and named["2-2-2"] == "（二）极性。"
    pictures = [p for p in units if p.span in places]
    assert [p.level.value for p in pictures] == ["序言", "序言"] and pictures[0].path() == "第二条"
    for p in units:
        inside = [c.span for c in p.children]
        assert all(p.span.contains(s) for s in inside) and inside == sorted(inside)
        assert all(a.end <= b.start for a, b in itertools.pairwise(inside))
    assert "2-3" in {p.label for top in structure(AMID).provisions for p in top.walk()}, (
        "unmarked they would be paragraphs"
    )


def test_a_picture_of_a_page_of_the_text_is_text() -> None:
    """A scan set into a document holds articles of its own, and an outline has no 款 that a picture could be taken for."""
    scanned = AMID.replace("图中甲 图中乙", "第三条 图中条文。").replace("第三条 本办法自", "第四条 本办法自")
    places = [Span(at := scanned.index(words), at + len(words)) for words in ("第三条 图中条文。", "图中丙")]
    found = [p.label for top in structure(scanned, (), places).provisions for p in top.walk()]
    assert "3" in found and "4" in found
    outline = "演示通知（演示文本）\n\n一、总体要求\n\n图中文字\n\n二、任务\n\n做好演示。\n"
    at = outline.index("图中文字")
    assert structure(outline, (), [Span(at, at + 4)]) == structure(outline)
