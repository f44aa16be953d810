"""What people have beside regulations (其他材料): refused with a true reason, or held as 待确认; never printed as law.

Tables that came without their notice, notices of two lines, and texts in forms of other programs stand beside them.
"""

from __future__ import annotations

import io
import json
import random
import zipfile

import openpyxl
import pytest

from nemo import rules as rule_data
from nemo.errors import UnreadableDocumentError
from nemo.ingest.assemble import regulations_in
from nemo.ingest.doubts import doubts_of
from nemo.ingest.manifest import KnownFacts
from nemo.parse import lines, parse
from nemo.parse.lines import PrintedLine
from nemo.settings import Settings, load
from nemo.text.structure.tree import structure
from nemo.types import CITABLE, Origin, RawDocument, Regulation

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)


def sheet(*rows: tuple[object, ...]) -> bytes:
    book, out = openpyxl.Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(out)
    return out.getvalue()


def package(**members: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        for name, words in members.items():
            made.writestr(name.replace("__", "/"), words)
    return out.getvalue()


def page(*rows: str) -> bytes:
    return f"<html><body>{''.join(f'<p>{row}</p>' for row in rows)}</body></html>".encode()


def measured(head: str) -> bytes:
    values = random.Random(7)
    return "\n".join(
        [head, *(f"2031-05-{d:02d} {h:02d}:00,{values.random() * 9:.2f},{d}" for d in (1, 2) for h in range(24))]
    ).encode()


def held(name: str, content: bytes) -> list[Regulation]:
    settings = load()
    raw = RawDocument.of(content, name)
    return regulations_in(raw, parse(raw, settings), KnownFacts(), rule_data.load(settings.rules))


UNCONFIRMED = [
    ("measured values", "数据.csv", measured("时间,风速,功率")),
    ("a list for the market", "a.txt", "周末要买\n鸡蛋两盒\n牛奶三瓶\n给孩子买作业本\n".encode()),
    ("somebody's life", "b.txt", "个人简历\n姓名：林某\n求职意向：电力市场\n工作经历\n2031年起 某公司 负责光伏项目并网手续\n".encode()),
    ("a story", "c.txt", "第一章　归来\n老工程师在傍晚回到山谷。\n“还能转起来吗？”男孩问。\n老人没有回答。\n".encode()),
    ("a conversation", "d.txt", "甲 2031-3-1 10:02\n那个项目并网了吗\n乙 2031-3-1 10:03\n还没，等验收\n".encode()),
    ("a program with Chinese names", "e.txt", "\n".join(f"def 计算{i}(电量, 单价):\n    return 电量 * 单价" for i in range(9)).encode()),
    ("data of a program", "f.txt", json.dumps([{"机组": i, "出力": i * 3} for i in range(9)], ensure_ascii=False, indent=1).encode()),
    ("who works where", "g.xlsx", sheet(("姓名", "部门", "分机"), *((f"员工{i}", "市场部", 100 + i) for i in range(6)))),
    ("how to cook", "h.html", page("家常红烧肉的做法", "五花肉切块，冷水下锅焯水后捞出。", "小火炖四十分钟，大火收汁即可，出锅装盘，趁热享用。")),
    ("a contract of two firms", "i.txt", "购售电合同\n甲方：演示发电公司\n乙方：演示售电公司\n第一条　甲方应当按月供电。\n第二条　本合同自盖章之日起生效。\n".encode()),
]  # fmt: skip


@pytest.mark.parametrize(("remark", "name", "content"), UNCONFIRMED, ids=[row[0] for row in UNCONFIRMED])
def test_what_shows_no_sign_of_a_regulation_waits_for_a_person(remark: str, name: str, content: bytes) -> None:
    (one,) = held(name, content)
    assert (one.nature, one.level) == ("unconfirmed", None), remark
    assert one.validity.effective is None
    assert "不作为依据引用" in next(doubt.message for doubt in doubts_of(one) if doubt.fact == "nature")


REFUSED = [
    ("a program", "a.py", b"import os\n\n" + b"def walk(path):\n    return [os.path.join(path, each) for each in os.listdir(path)]\n" * 9, "几乎没有汉字"),
    ("a book in English", "b.txt", b"The old engineer came back to the valley, and the turbines stood still. " * 9, "几乎没有汉字"),
    ("a program for machines", "c.exe", b"MZ\x90\x00" + random.Random(3).randbytes(4000), "无法识别"),
    ("noise", "d.docx", random.Random(4).randbytes(999), "无法识别"),
    ("a book for readers of books", "e.epub", package(mimetype="application/epub+zip", OEBPS__a="x"), "无法识别的文件格式"),
    ("a program of Java", "f.jar", package(**{"META-INF__MANIFEST.MF": "Manifest-Version: 1.0"}), "无法识别的文件格式"),
    ("a drawing", "g.vsdx", package(**{"[Content_Types].xml": "<Types/>", "visio__document.xml": "<a/>"}), "无法识别的文件格式"),
    ("slides", "h.odp", package(mimetype="application/vnd.oasis.opendocument.presentation"), "演示文稿"),
    ("a mail of Outlook that carries a text", "i.msg", OLE + "__properties_version1.0".encode("utf-16-le") + bytes(512) + "WordDocument".encode("utf-16-le"), "Outlook 邮件"),
    ("a text of Word behind a password", "j.doc", OLE + b"\xec\xa5\xc1\x00" + bytes(7) + b"\x01" + bytes(500) + "WordDocument".encode("utf-16-le"), "已加密"),
    ("a page that names its file", "k.html", page("关于印发演示细则的通知", "附件：演示细则.pdf"), "正文缺失"),
    ("a page that asks who is there", "m.html", page("演示电力交易平台-用户登录", "用户名<input> 密码<input type=password> 推荐使用演示浏览器访问本系统，如遇问题请拨打客服热线。"), "登录页面"),
    ("a page that loads its text later", "l.html", page("关于印发演示细则的通知", "正在加载。"), "只有标题或栏目名称"),
]  # fmt: skip


@pytest.mark.parametrize(("remark", "name", "content", "why"), REFUSED, ids=[row[0] for row in REFUSED])
def test_what_is_no_text_is_refused_with_the_reason(remark: str, name: str, content: bytes, why: str) -> None:
    with pytest.raises(UnreadableDocumentError) as caught:
        held(name, content)
    assert why in caught.value.message, remark


def test_a_contract_that_is_issued_as_a_model_binds() -> None:
    text = "并网调度协议（示范文本）\n甲方：（电网企业）\n乙方：（发电企业）\n第一条　甲方应当按规程调度。\n第二条　乙方应当服从调度。\n"
    assert held("a.txt", text.encode())[0].nature in CITABLE


def test_a_text_of_opendocument_is_no_archive() -> None:
    odt = package(mimetype="application/vnd.oasis.opendocument.text", **{"content.xml": "<a/>"})
    with pytest.raises(UnreadableDocumentError, match="ODT"):
        held("演示.odt", odt)


PRICES = "单位：元/千瓦时\n类别,电压等级,价格,容量价格\n单一制,1-10千伏,0.69,\n两部制,35千伏,0.65,38.4\n两部制,110千伏,0.63,36\n注：1.自2031年1月1日起执行。\n"
TABLES = [
    ("with its caption", "a.csv", f"演示省电价表（演示文本）\n{PRICES}".encode("gb18030"), "演示省电价表（演示文本）"),
    ("as Excel saves it", "b.csv", f"演示省电价表（演示文本）,,,\n{PRICES}".replace(",", "\t").encode("utf-16"), "演示省电价表（演示文本）"),
    ("named by its file", "附件2 工商业电价表.csv", PRICES.encode(), "工商业电价表"),
]  # fmt: skip


@pytest.mark.parametrize(("remark", "name", "content", "title"), TABLES, ids=[row[0] for row in TABLES])
def test_a_price_table_that_came_alone_is_read_as_a_table(remark: str, name: str, content: bytes, title: str) -> None:
    (one,) = held(name, content)
    assert (one.title, one.nature) == (title, "binding"), remark
    rows = one.text.split("\n")
    assert (
        "两部制 | 35千伏 | 0.65 | 38.4" in rows and "单位：元/千瓦时" in rows and "注：1.自2031年1月1日起执行。" in rows
    )
    assert next(e for e in one.facts if e.fact.startswith("nature")).origin is Origin.DERIVED


NO_TABLES = [
    ("sentences with commas", "第一条 甲,乙应当登记。\n第二条 丙,丁应当登记。\n第三条 戊,己应当登记。\n第四条 庚,辛应当登记。\n"),
    ("a table inside a rule", "第一条 限值如下。\n第二条 按表执行。\n第三条 略。\n项,值\n甲,1\n乙,2\n"),
]  # fmt: skip


@pytest.mark.parametrize(("remark", "text"), NO_TABLES, ids=[row[0] for row in NO_TABLES])
def test_a_rule_with_separators_is_no_table(remark: str, text: str) -> None:
    assert parse(RawDocument.of(text.encode(), "a.txt"), Settings()).text == text, remark


def test_a_notice_of_two_lines_is_a_whole_page() -> None:
    (one,) = held("a.html", page("关于暂停受理的公告", "自2031年4月1日起，暂停受理增容申请。", "演示省能源局"))
    assert one.nature in CITABLE and "暂停受理增容申请。" in one.text


GLOSSARY = (
    "演示规则（演示文本）\n1. 总述\n为规范演示，制定本规则。\n2. 引用文件\n"
    "《演示机构关于进一步推动演示参与演示和演示运用有关事项的通知》（演办运行〔2031〕475号）\n"
    "《演示机构关于印发〈演示连续运行基本规则（试行）〉的通知》（演改规〔2031〕1217号）\n"
    "3. 术语定义\n（1）甲：指演示甲。\n（2）乙：指演示乙。\n4. 衔接\n4.1 演示衔接\n按规则执行。\n4.2 演示结算\n按规则结算。\n4.3 演示校核\n按规则校核。\n"
)


def test_terms_below_a_list_of_texts_keep_their_heading() -> None:
    labels = [each.label for top in structure(GLOSSARY, ()).provisions for each in top.walk()]
    assert {"3", "3-1", "3-2", "4", "4.3"} <= set(labels) and "2-1" not in labels


def test_the_title_of_a_clause_is_no_end_of_the_sentence_above() -> None:
    """A line that ends just at the edge, and below it a title without a blank behind its number."""
    full = "演示市场按照中长期规则和年度方案执行，至少应当包括执行周期和结算点。"
    rows = [full.replace("。", "、") + "演", full, "5.2省内演示电能量市场与省间演示现货市场的衔接", full]
    ends = (500.0, 500.0, 400.0, 500.0)
    sheet = [
        PrintedLine(row, 1, left=100.0, right=right, size=12.0)
        for row, right in zip([*rows, *rows], ends * 2, strict=True)
    ]
    text, _ = lines.rejoin([sheet])
    assert "\n5.2省内演示电能量市场与省间演示现货市场的衔接\n" in text
