"""Tables from the file to the answer: how they stand in the text, which row answers, what is shown beside it."""

import datetime as dt
import io
from collections.abc import Iterator

import pytest
from docx import Document

from nemo import export, settings
from nemo.answer.judgement.tables import voltages
from nemo.engine import Engine
from nemo.parse import parse
from nemo.text.structure.chunking import chunks
from nemo.text.structure.tables import row_at, tables
from nemo.text.structure.tree import structure
from nemo.types import Answer, Level, QuotedRow, RawDocument, Span, Table
from nemo.ui.answer import citation
from tests import table_samples as samples

DAY = dt.date(2026, 11, 20)


def read(content: bytes, name: str) -> str:
    return parse(RawDocument.of(content, name), settings.load()).text


def only(text: str) -> Table:
    (table,) = tables(text)
    return table


def said(text: str, *spans: Span | None) -> list[str | None]:
    return [None if span is None else span.of(text) for span in spans]


# --- in the text


def test_caption_unit_header_rows_and_notes() -> None:
    text = samples.LIMITS
    first, second = tables(text)
    assert said(text, first.caption, first.unit) == ["表1 演示燃气机组大气污染物排放限值", "单位：毫克/立方米"]
    assert said(text, first.head) == ["污染物项目 | 新建机组 | 在用机组 | 监控位置"]
    assert [row.cells[0].of(text) for row in first.rows] == ["氮氧化物（以NO2计）", "二氧化硫", "颗粒物", "氨逃逸"]
    assert said(text, *first.notes) == ["注1：基准含氧量为15%。", "注2：在用机组指2024年前投运的机组。"]
    assert said(text, second.caption, second.unit) == ["表2 演示监测频次", None]


def test_a_note_in_brackets_between_caption_and_table_is_neither() -> None:
    text = samples.LIMITS.replace("单位：毫克/立方米", "（执行时间：2031年1月1日起）\n单位：毫克/立方米", 1)
    assert said(text, tables(text)[0].caption, tables(text)[0].unit)[0] == "表1 演示燃气机组大气污染物排放限值"


def test_a_header_of_two_levels_below_merged_cells() -> None:
    text = read(samples.PRICES_GD.encode(), "价.html")
    table = only(text)
    assert said(text, *(line.span for line in table.header)) == [
        "用电分类 | 电压等级 | 电量电价 | | 容量电价（元/千伏安·月）",
        "| | 输配电价 | 其中：线损折价 |",
    ]
    assert said(text, table.unit) == ["单位：元/千瓦时"]
    assert len(table.rows) == 6
    row = table.rows[4]
    assert said(text, *row.above) == ["工商业用电（两部制）"], "the cell merged over three rows"
    assert row.cells[1].of(text) == "110千伏"
    assert len(table.notes) == 2


def test_word_cells_keep_their_columns() -> None:
    text = read(samples.merged_docx(), "调频.docx")
    table = only(text)
    assert said(text, *(line.span for line in table.header)) == [
        "机组类型 | 申报价格 |  | 死区",
        "| 下限（元） | 上限（元） |",
    ]
    storage = table.rows[-1]
    assert said(text, *storage.above) == ["新型主体"]
    assert said(text, *storage.cells) == ["独立储能", "3.5", "16", "1.2%"]


def test_a_table_goes_on_over_the_page_with_its_header_again() -> None:
    text = samples.INDICATORS
    table = only(text)
    labels = [row.cells[0].of(text) for row in table.rows]
    assert labels == [
        "1.1总装机",
        "1.2水电装机",
        "其中：抽水蓄能",
        "1.3太阳能发电装机",
        "其中：光热发电",
        "2.1绿氢产量",
        "2.2地热供暖面积",
    ]
    assert said(text, *table.rows[2].above) == ["1.装机目标", "1.2水电装机"]
    assert said(text, *table.rows[5].above) == ["2.利用目标"]
    assert said(text, *table.notes) == ["注：其中项不重复计算。"]


@pytest.mark.parametrize("between", ["", "\f", "\n- 3 -\n", "\n续表\n", "\n表1（续）\n", "\n\n"])
def test_what_stands_between_pages_ends_no_table(between: str) -> None:
    text = f"表1 演示限值\n项目 | 限值\n甲 | 1\n{between}乙 | 2"
    assert [row.cells[0].of(text) for row in only(text).rows] == ["甲", "乙"]


def test_another_header_begins_another_table() -> None:
    text = "机组类型 | 响应时间\n火电 | 60秒\n机组类型 | 死区\n火电 | 0.5%"
    assert [len(table.rows) for table in tables(text)] == [1, 1]


def test_a_row_over_all_columns_is_a_group() -> None:
    text = samples.CAPACITY
    table = only(text)
    assert {row.cells[0].of(text): said(text, *row.above) for row in table.rows}["广东"] == ["三、南方"]
    assert all("华北" not in row.span.of(text) for row in table.rows)


@pytest.mark.parametrize(
    ("remark", "text"),
    [
        ("a formula with bars", "当 |a - b| 大于阈值时，按照前款执行。\n其中，条件概率 P(A | B) 按下式计算。"),
        ("lines drawn around running text", "| 演示通知全文，各单位遵照执行。\n| 第二段正文。\n| 第三段正文。 | 印章"),
        ("one line with bars", "首页 | 机构概况 | 政务公开"),
        ("no bars at all", "第一条 本办法适用于演示项目。\n第二条 本办法自发布之日起施行。"),
    ],
)
def test_what_is_no_table(remark: str, text: str) -> None:
    assert tables(text) == (), remark


@pytest.mark.parametrize("text", [*samples.TEXTS.values(), samples.CAPACITY * 2], ids=[*samples.TEXTS, "twice"])
def test_every_piece_is_a_place_in_the_text(text: str) -> None:
    for table in tables(text):
        for row in (*table.header, *table.rows):
            assert table.span.contains(row.span)
            assert all(row.span.contains(cell) for cell in row.cells)
        for row in table.rows:
            assert row_at(text, row.span) == (table, row)
            assert all(span.end <= row.span.end for span in row.above)
            assert {piece.text for piece in QuotedRow.of(table, row, text).pieces()} <= {
                piece.span.of(text) for piece in QuotedRow.of(table, row, text).pieces()
            }


def test_numbers_in_cells_are_no_list_and_the_table_belongs_to_its_article() -> None:
    text = samples.CAPACITY
    tree = structure(text)
    articles = [p.step for top in tree.provisions for p in top.walk() if p.level is Level.ARTICLE]
    assert articles == ["第一条", "第二条", "第三条", "第四条"]
    second = next(p for top in tree.provisions for p in top.walk() if p.step == "第二条")
    assert only(text).span.end <= second.span.end
    assert not second.children or len(second.children) == 1, "rows are no 款"


def test_each_row_is_a_chunk_and_no_header_is_one() -> None:
    text = samples.LIMITS
    pieces = chunks("r", text, structure(text).provisions)
    rows = [p for p in pieces if " | " in p.text]
    assert len(rows) == 7
    assert all(piece.text == piece.span.of(text) for piece in pieces)
    for piece in pieces:
        assert "污染物项目 | 新建机组" not in piece.text
        assert not piece.text.startswith("表1 演示燃气机组大气污染物排放限值")
    assert "注1：基准含氧量为15%。" in "\n".join(p.text for p in pieces)


# --- without ruling lines


def test_a_pdf_table_without_lines_becomes_rows() -> None:
    text = read(samples.unruled_pdf(), "折旧.pdf")
    assert [row.span.of(text) for row in only(text).rows] == [" | ".join(row) for row in samples.DEPRECIATION[1:]]


def test_words_in_two_columns_without_figures_are_no_table() -> None:
    rows = (("甲方盖章", "乙方盖章"), ("代表签字", "代表签字"), ("演示公司", "演示集团"), ("演示城市", "演示乡镇"))
    assert " | " not in read(samples.unruled_pdf(rows, (80, 300)), "签字.pdf")


# --- voltages


@pytest.mark.parametrize(
    ("asked", "label", "same"),
    [
        ("10千伏", "1-10（20）千伏", True),
        ("20千伏", "1-10（20）千伏", True),
        ("35千伏", "1-10（20）千伏", False),
        ("10千伏", "不满1千伏", False),
        ("0.4千伏", "不满1千伏", True),
        ("1千伏", "不满1千伏", False),
        ("330千伏", "220千伏（330千伏）", True),
        ("110千伏", "220千伏及以上", False),
        ("500千伏", "220千伏及以上", True),
        ("110千伏", "110千伏以上", False),
        ("110千伏", "35-110千伏以下", False),
        ("35kV", "35千伏", True),
    ],
)
def test_voltages_decide(asked: str, label: str, same: bool) -> None:
    met = any(a.overlaps(b) for a in voltages(asked) for b in voltages(label))
    assert met is same, (voltages(asked), voltages(label))


# --- questions


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp("tables")
    with Engine.open(settings.load(library=folder / "library", workers=0)) as opened:
        for name, text in samples.TEXTS.items():
            (folder / name).write_text(text, "utf-8")
        (folder / "折旧.pdf").write_bytes(samples.unruled_pdf())
        (folder / "调频.docx").write_bytes(samples.merged_docx())
        provinces = {"gd.html": "gd", "nm.md": "nm"}
        for path in sorted(p for p in folder.iterdir() if p.is_file()):
            opened.intake.ingest([path], facts={"province": provinces.get(path.name, "cn"), "nature": "normative"})
        yield opened


QUESTIONS = [
    ("演示广东单一制工商业用电不满1千伏的输配电价是多少", "gd.html", "0.2211"),
    ("演示广东单一制10千伏输配电价每千瓦时多少元", "gd.html", "0.1987"),
    ("演示广东单一制工商业20千伏输配电价", "gd.html", "0.1987"),
    ("演示广东单一制35千伏输配电价是多少", "gd.html", "0.1732"),
    ("演示广东两部制工商业10千伏容量电价多少", "gd.html", "23.5"),
    ("演示广东两部制110千伏容量电价是多少", "gd.html", "21.5"),
    ("演示广东两部制500千伏输配电价", "gd.html", "0.0684"),
    ("演示蒙西电网10千伏电量电价是多少", "nm.md", "0.1102"),
    ("演示蒙西35千伏输配电价基本电价多少", "nm.md", "26.0"),
    ("演示蒙东电网1-10千伏电量电价", "nm.md", "0.1604"),
    ("演示蒙东35千伏电量电价是多少", "nm.md", "0.1401"),
    ("2027年山东新型储能装机目标多少万千瓦", "装机.txt", "980"),
    ("广东2027年新型储能装机目标是多少", "装机.txt", "830"),
    ("内蒙古新型储能2027年装机目标", "装机.txt", "1350"),
    ("2025年江苏新型储能装机多少万千瓦", "装机.txt", "480"),
    ("演示新型储能专项规划2027年装机目标合计多少", "装机.txt", "5065"),
    ("演示规划2030年抽水蓄能装机目标", "指标.txt", "1.3"),
    ("2030年光热发电装机多少万千瓦", "指标.txt", "980"),
    ("2030年绿氢产量目标多少万吨", "指标.txt", "150"),
    ("2025年地热供暖面积多少亿平方米", "指标.txt", "15"),
    ("太阳能发电装机2030年预期多少亿千瓦", "指标.txt", "16"),
    ("演示新建燃气机组氮氧化物排放限值多少毫克每立方米", "限值.txt", "15"),
    ("在用燃气机组二氧化硫排放限值", "限值.txt", "20"),
    ("燃气机组颗粒物排放限值是多少", "限值.txt", "3"),
    ("燃气机组氨逃逸限值多少", "限值.txt", "2.3"),
    ("汞及其化合物多久监测一次", "限值.txt", "每季度一次"),
    ("噪声监测频次是多少", "限值.txt", "每半年一次"),
    ("拒不执行调度指令情节严重罚款多少", "裁量.md", "五万元以上二十万元以下"),
    ("伪造绿证交易记录怎么处罚", "裁量.md", "十万元以下"),
    ("未取得电力业务许可证从事供电业务情节严重怎么处罚", "裁量.md", "三倍以上五倍以下"),
    ("演示售电公司AA级对应多少分", "信用.txt", "830~899分"),
    ("演示发电企业信用B级分数是多少", "信用.txt", "600~699分"),
    ("信用等级C的管理措施是什么", "信用.txt", "限制交易"),
    ("演示电缆线路折旧年限几年", "折旧.pdf", "26年"),
    ("演示变压器残值率是多少", "折旧.pdf", "3%"),
    ("调频市场水电机组申报价格上限多少元", "调频.docx", "12"),
    ("演示调频市场独立储能死区是多少", "调频.docx", "1.2%"),
]


@pytest.mark.parametrize(("question", "file", "value"), QUESTIONS)
def test_the_row_asked_is_quoted(engine: Engine, question: str, file: str, value: str) -> None:
    answer = engine.ask(question, day=DAY)
    assert answer.refusal is None, answer.refusal
    first = answer.quotes[0]
    assert first.citation.file == file
    assert first.table is not None, first.text
    assert value in [cell.text for cell in first.table.cells] or value in first.text, first.text
    held = engine.regulation(first.regulation_id).text
    assert all(span.of(held) == words for span, words in first.slices())


@pytest.mark.parametrize("question", [question for question, _, _ in QUESTIONS])
def test_no_header_and_no_caption_is_a_quote(engine: Engine, question: str) -> None:
    for quote in engine.ask(question, day=DAY).quotes:
        text = engine.regulation(quote.regulation_id).text
        for table in tables(text):
            head = [table.caption, table.unit, *(line.span for line in table.header)]
            assert quote.span not in head
            if table.span.overlaps(quote.span):
                assert quote.span in [row.span for row in table.rows]


@pytest.mark.parametrize(
    ("remark", "question"),
    [
        ("another year", "2035年光热发电装机多少万千瓦"),
        ("another year of the plan", "2032年绿氢产量目标多少万吨"),
        ("another voltage", "演示蒙西电网220千伏电量电价是多少"),
        ("a province that the table lacks", "2027年云南新型储能装机目标多少万千瓦"),
    ],
)
def test_a_row_that_is_not_there_is_refused(engine: Engine, remark: str, question: str) -> None:
    answer = engine.ask(question, day=DAY)
    assert answer.refusal is not None, (remark, [q.text for q in answer.quotes])


@pytest.mark.parametrize(
    ("question", "never"),
    [
        ("演示蒙西电网35千伏电量电价", "蒙东"),
        ("演示蒙东电网35千伏电量电价", "蒙西"),
        ("广东2027年新型储能装机目标", "广西"),
        ("山东2027年新型储能装机目标", "内蒙古"),
        ("演示广东两部制110千伏输配电价", "220千伏"),
    ],
)
def test_never_a_row_of_another_place_or_voltage(engine: Engine, question: str, never: str) -> None:
    answer = engine.ask(question, day=DAY)
    assert answer.quotes
    assert all(never not in quote.text for quote in answer.quotes if quote.table)


# --- on the way out


def asked(engine: Engine) -> Answer:
    return engine.ask("演示广东两部制110千伏容量电价是多少", day=DAY)


def test_the_citation_holds_the_pieces_of_the_table(engine: Engine) -> None:
    answer = asked(engine)
    text = engine.regulation(answer.quotes[0].regulation_id).text
    table = export.answer_json(answer)["citations"][0]["table"]
    assert set(table) == {"caption", "unit", "header", "row"}
    for piece in filter(None, table.values()):
        assert text[piece["start"] : piece["end"]] == piece["text"]
    assert table["row"]["text"] == answer.quotes[0].text
    assert table["unit"]["text"] == "单位：元/千瓦时"
    assert "电压等级" in table["header"]["text"]
    assert export.answer_json(answer)["citations"][0]["context_before"] == "工商业用电（两部制）"


def test_the_notes_of_the_table_stand_behind_the_row(engine: Engine) -> None:
    after = asked(engine).quotes[0].after_text
    assert after is not None
    assert after.split("\n") == ["注：1.表中电价含增值税。", "2.不满1千伏用户执行单一制电价。"]


def test_plain_text_names_caption_unit_and_header(engine: Engine) -> None:
    words = export.answer_zh(asked(engine))
    assert "单位：元/千瓦时" in words
    assert "用电分类 | 电压等级" in words


def test_the_page_shows_a_small_table_and_escapes_it(engine: Engine) -> None:
    quote = asked(engine).quotes[0]
    html = citation.quote_block(quote, 0)
    assert "<table>" in html
    assert "<td>110千伏</td>" in html
    assert '<th colspan="1">电压等级</th>' in html
    assert '<th colspan="2">电量电价</th>' in html
    text = "表1 <b>甲</b>\n项目 | 限值<script>\n乙 & 丙 | 3"
    table = only(text)
    shown = citation.table_block(QuotedRow.of(table, table.rows[0], text))
    assert "<script>" not in shown
    assert "<b>" not in shown
    assert "乙 &amp; 丙" in shown


def test_word_and_excel_show_the_row_with_its_header(engine: Engine) -> None:
    answer = asked(engine)
    document = Document(io.BytesIO(engine.answers.export_answer(answer, "docx")))
    grids = [[[cell.text for cell in row.cells] for row in table.rows] for table in document.tables]
    assert any("电压等级" in grid[0] and "110千伏" in grid[-1] for grid in grids)
    from openpyxl import load_workbook

    sheet = load_workbook(io.BytesIO(engine.answers.export_answer(answer, "xlsx")))["引文"]
    head = [cell.value for cell in sheet[1]]
    assert "单位：元/千瓦时" in sheet.cell(2, head.index("表") + 1).value


def test_a_stored_answer_keeps_its_table_and_verifies(engine: Engine) -> None:
    answer = asked(engine)
    assert engine.library.answers.get(answer.trace_id).quotes[0].table == answer.quotes[0].table
    assert not list(engine.library.verify())
