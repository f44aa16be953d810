"""Pages, prints and files on which the letters of ``paper_samples`` come: each as ugly as such sites and offices make it.

The designs are our own, after the habits of such sites: index cards as tables, navigation in spans, columns beside the
text, tools between title and text, lists of other articles below it. ``FURNITURE`` is what no reader may find in a text.
"""

import io
from collections.abc import Callable, Iterator
from pathlib import Path

from playwright.sync_api import Page

from tests.paper_samples import Enclosed, Grid, Letter, Row

FURNITURE = (
    "示例导航项", "浏览次数", "扫一扫在手机打开", "网站标识码", "示例热门文件标题", "分享到", "上一篇", "返回顶部", "粤ICP备", "您当前的位置", "demo.example.gov.cn",
    "打印本页", "索引号", "责任编辑",
)  # fmt: skip
_OTHERS = "".join(
    f"<li><a href='/{i}.html'>示例热门文件标题之{i}关于做好某某工作的通知（示例发改〔2030〕{i}号）</a><span>2030-0{i}-11</span></li>"
    for i in range(1, 7)
)
_NAV = "".join(f"<li><a href='/n{i}'>示例导航项{i}</a></li>" for i in range(1, 9))


def _cells(grid: Grid, *, tag: str, rows: tuple[tuple[str | None, ...], ...]) -> Iterator[str]:
    """Rows of an HTML table with the merged cells of the grid."""
    for at, row in enumerate(rows):
        out = []
        for column, word in enumerate(row):
            if word is None or (word == "" and at and column == 0):
                continue
            across = next((n for n, w in enumerate(row[column + 1 :]) if w is not None), len(row) - column - 1) + 1
            down = next((n for n, r in enumerate(rows[at + 1 :]) if r[column] != ""), len(rows) - at - 1) + 1
            down = down if column == 0 or tag == "th" else 1
            if tag == "th" and word == "" and at:
                continue
            out.append(f"<{tag} colspan='{across}' rowspan='{down}'><p>{word}</p></{tag}>")
        yield f"<tr>{''.join(out)}</tr>"


def html_rows(rows: tuple[Row, ...], paragraph: Callable[[str], str]) -> str:
    """Paragraphs and tables as HTML."""
    out = []
    for row in rows:
        if isinstance(row, str):
            out.append(paragraph(row))
            continue
        out.append(f"<p style='text-align:center'><strong>{row.caption}</strong></p>")
        out.append(f"<p style='text-align:right'>{row.unit}</p>" if row.unit else "")
        head = "".join(_cells(row, tag="th", rows=row.header))
        out.append(f"<table border='1'>{head}{''.join(_cells(row, tag='td', rows=row.rows))}</table>")
        out += [paragraph(note) for note in row.notes]
    return "\n".join(out)


def _plain(row: str) -> str:
    return f"<p>　　{row}</p>"


def _spans(row: str) -> str:
    """Every few characters in a span of their own, source lines broken anywhere, as editors write it."""
    pieces = [row[i : i + 9] for i in range(0, len(row), 9)]
    return (
        "<p style='text-indent:2em'>" + "\n".join(f"<span style='font-size:16pt'>{p}</span>" for p in pieces) + "</p>"
    )


def body(
    letter: Letter, paragraph: Callable[[str], str] = _plain, *, titled: bool = False, numbered: bool = True
) -> str:
    """The letter itself: number, addressee, text, list of annexes, signature, annexes."""
    out = [f"<p align='center'><b>{letter.title}</b></p>"] if titled else []
    if letter.number and numbered:
        out.append(f"<p align='center'>{letter.number}</p>")
    out.append(paragraph(letter.addressee) if letter.addressee else "")
    out.append(html_rows(letter.rows, paragraph))
    out += [paragraph(line) for line in (_annex_list(letter) if letter.before_list else ())]
    if letter.organs:
        out += [f"<p align='right'>{organ}</p>" for organ in letter.organs]
    out.append(f"<p align='right'>{letter.signed}</p>" if letter.signed else "")
    out += [paragraph(line) for line in (() if letter.before_list else _annex_list(letter))]
    out.append(paragraph(letter.foot) if letter.foot else "")
    for annex in letter.annexes:
        out.append(paragraph(annex.mark) if annex.mark else "")
        out.append(f"<p align='center'><b>{annex.title}</b></p>")
        out.append(html_rows(annex.rows, paragraph))
    return "\n".join(piece for piece in out if piece)


def _annex_list(letter: Letter) -> list[str]:
    if not letter.listed:
        return []
    if len(letter.listed) == 1:
        return [f"附件：{letter.listed[0]}"]
    return [f"附件：1.{letter.listed[0]}", *(f"　　　{n}.{name}" for n, name in enumerate(letter.listed[1:], 2))]


def _iso(signed: str, later: int = 0) -> str:
    year, rest = signed.split("年")
    month, day = rest.rstrip("日").split("月")
    return f"{year}-{int(month):02d}-{min(28, int(day) + later):02d}"


def _posted(letter: Letter) -> str:
    return _iso(letter.signed, 5) if "年" in letter.signed else "2032-03-28"


def site_gd(letter: Letter) -> bytes:
    """广东: an index card as divs, a title class, tools, the text, attachments, lists of other files, a footer."""
    organ = letter.organs[0] if letter.organs else "广东省发展和改革委员会"
    return f"""<!DOCTYPE html><html><head><meta charset="utf-8"><title>{letter.title} 广东省示例委员会网站</title>
<meta name="ColumnName" content="文件"><meta name="PubDate" content="{_posted(letter)} 10:21"></head><body>
<div class="top-wrap"><ul>{_NAV}</ul><div class="s-box"><input value="请输入关键字"><span>热词：</span><a href="/x">示例导航项</a></div></div>
<div class="wrap w1200"><div class="dqwz">您当前的位置：<a href="/x">首页</a> &gt; <a href="/x">政务公开</a> &gt; <a href="/x">规范性文件</a></div>
<div class="classify"><div class="col"><label>索引号：</label><span>006940000/2032-00001</span></div><div class="col"><label>分类：</label><span>能源、通知</span></div>
<div class="col"><label>发布机构：</label><span>{organ}</span></div><div class="col"><label>成文日期：</label><span>{_iso(letter.signed) if "年" in letter.signed else ""}</span></div>
<div class="col"><label>名称：</label><span>{letter.title}</span></div><div class="col"><label>文号：</label><span>{letter.number or "无"}</span></div><div class="col"><label>发布日期：</label><span>{_posted(letter)}</span></div></div>
<h3 class="title">{letter.title}</h3><p class="date"><span>时间：{_posted(letter)} 10:21:33</span><span>来源：本网</span><a href="/x">【打印本页】</a><span>字体：【<a href="/x">大</a> <a href="/x">中</a> <a href="/x">小</a>】</span></p>
<div class="zoombox"><div class="zw">{body(letter, numbered="〔" not in (letter.number or "〔") or "规" in (letter.number or ""))}</div></div>
<div class="fjxz"><p>附件下载：</p><ul><li><a href="/attachment/0/1.pdf">{letter.title}.pdf</a></li></ul></div>
<div class="share">分享到：<a href="/x">微信</a><a href="/x">微博</a></div>
<div class="xgwj"><h4>相关文件</h4><ul>{_OTHERS}</ul></div></div>
<div class="bottom"><p>版权所有：示例委员会　网站标识码：4400000001</p><p>粤ICP备05000001号　粤公网安备 44010000000001号</p></div></body></html>""".encode()


def site_nm(letter: Letter) -> bytes:
    """内蒙古: the card is a table whose cells hold the labels, the title a plain p, tools below the text."""
    return f"""<html><head><meta charset="utf-8"><title>示例区能源局_政府信息公开</title><meta name="ArticleTitle" content="{letter.title}"></head>
<body><div class="header"><div class="logo">示例区能源局</div><ul class="nav">{_NAV}</ul></div>
<div class="main"><div class="position">当前位置：首页 &gt;&gt; 信息公开 &gt;&gt; 法定主动公开内容 &gt;&gt; 通知公告</div>
<table class="xxgk_table" width="100%"><tr><td>索 引 号：</td><td>000014349/2031-00234</td><td>主题分类：</td><td>电力</td></tr>
<tr><td>发布机构：</td><td>{"、".join(letter.organs)}</td><td>文　　号：</td><td>{letter.number or ""}</td></tr>
<tr><td>标　　题：</td><td colspan="3">{letter.title}</td></tr><tr><td>成文日期：</td><td>{letter.signed}</td><td>公开日期：</td><td>{_posted(letter)}</td></tr></table>
<div class="xl_content"><p class="sp_title">{letter.title}</p><div class="sp_time">发布时间：{_posted(letter)} 浏览次数：<span id="hits">1032</span> 字号：[ 大 中 小 ] 视力保护色：</div>
<ucapcontent>{body(letter, _spans, numbered="〔" not in (letter.number or "〔"))}</ucapcontent></div>
<div class="gnl"><span>打印本页</span><span>关闭窗口</span></div><div class="sxp"><p>上一篇：<a href="/x">示例热门文件标题甲</a></p><p>下一篇：<a href="/x">示例热门文件标题乙</a></p></div></div>
<div class="foot"><p>主办：示例区能源局　地址：示例市示例路1号　邮编：010000</p><p>蒙ICP备00000001号　网站标识码：1500000001</p><p>扫一扫在手机打开当前页</p></div></body></html>""".encode()


def site_sd(letter: Letter) -> bytes:
    """山东: the body between comments of the CMS inside tables, nested fonts, a right column of hot files."""
    return f"""<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN"><html><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8">
<title>示例厅 通知公告 {letter.title}</title><meta name="keywords" content="通知"></head><body><div id="head"><a href="/x">示例导航项一</a>|<a href="/x">示例导航项二</a>|<a href="/x">示例导航项三</a></div>
<table width="1000" align="center"><tr><td class="bt_link"><a href="/x">首页</a> &gt; <a href="/x">公告公示</a></td></tr><tr><td valign="top"><table id="article" width="100%"><tr><td class="title" align="center">
<!--<$[标题]>begin-->{letter.title}<!--<$[标题]>end--></td></tr><tr><td align="center">发布日期：{_posted(letter)}&nbsp;&nbsp;信息来源：<!--<$[来源]>begin-->示例厅<!--<$[来源]>end-->&nbsp;&nbsp;浏览次数：<script>document.write(88)</script>&nbsp;字号：[<a href="/x">大</a> <a href="/x">中</a> <a href="/x">小</a>]</td></tr>
<tr><td class="bt_content"><div id="zoom"><!--<$[信息内容]>begin--><meta name="ContentStart">{body(letter, lambda r: f"<p><font face='仿宋_GB2312'><o:p></o:p>&nbsp;&nbsp;&nbsp;&nbsp;{r}</font></p>")}<meta name="ContentEnd"><!--<$[信息内容]>end--></div></td></tr>
<tr><td align="right">责任编辑：示例乙　<a href="/x">[打印本页]</a></td></tr></table></td>
<td width="240" valign="top"><div class="hot"><b>热门文章</b><ul>{_OTHERS}</ul></div></td></tr></table>
<center>版权所有：示例厅　鲁ICP备00000002号　网站标识码：3700000002</center></body></html>""".encode()


def site_ndrc(letter: Letter) -> bytes:
    """A ministry: the title in lenticular brackets, related texts and a ranking in a column the source puts first."""
    return f"""<html><head><meta charset="utf-8"><title>【{letter.title}】-示例发展和改革委员会</title></head><body>
<div class="xl_nav"><a href="/x">首页</a>&gt;<a href="/x">政务公开</a>&gt;<a href="/x">政策</a>&gt;<a href="/x">通知</a></div><div class="container"><div class="lb_right"><div><h4>相关政策与解读</h4><p><a href="/x">示例热门文件标题解读一</a></p></div>
<div><h4>排行榜</h4><ol>{_OTHERS}</ol></div></div><div class="lb_left"><div class="article_title">{letter.title}{f"（{letter.number}）" if letter.number else ""}</div>
<div class="ty_time"><span>发布时间：{_posted(letter).replace("-", "/")}</span><span>来源：示例司</span>[ <a href="/x">打印本页</a> ]</div><div class="article_l"><div class="TRS_Editor">{body(letter, titled=True)}</div></div>
<div class="attachment_r"><strong>附件：</strong></div></div></div><div class="xl_footer">网站标识码：bm04000001<br>京公网安备 11010000000001号<br>分享到：</div></body></html>""".encode()


def site_gov(letter: Letter) -> bytes:
    """The portal: the card is a table with bold labels, the title stands in it and over the text in pieces."""
    card = "".join(
        f"<tr><td><b>{a}</b></td><td>{b}</td></tr>"
        for a, b in (
            ("标　　题：", letter.title),
            ("发文机关：", " ".join(letter.organs)),
            ("发文字号：", letter.number or ""),
            ("来　　源：", "示例网站"),
            ("主题分类：", "国土资源、能源\\电力"),
            ("公文种类：", "通知"),
            ("成文日期：", letter.signed),
        )
    )
    half = len(letter.title) // 2
    return f"""<html><head><meta charset="utf-8"><title>{letter.title}_国务院部门文件_示例政府网</title></head><body><div class="nav-top"><ul>{_NAV}</ul></div>
<div class="content"><table class="bd1"><tbody>{card}</tbody></table><div class="pages_content" id="UCAP-CONTENT"><p align="center"><span>{letter.title[:half]}<br/></span><strong>{letter.title[half:]}</strong></p>
{body(letter)}</div><div class="editor">责任编辑：示例丙</div><div class="related"><h4>相关稿件</h4><ul>{_OTHERS}</ul></div></div>
<div class="footer"><p>主办单位：示例办公厅　网站标识码 bm01000001　京ICP备05070218号</p><a href="/x">返回顶部</a></div></body></html>""".encode()


def site_old(letter: Letter) -> bytes:
    """An old page: GBK, tables in tables, paragraphs broken by br, everything in fonts."""
    text = body(letter).replace("<p>", "<br>").replace("</p>", "\r\n")
    return f"""<html><head><meta http-equiv=Content-Type content="text/html; charset=gb2312"><title>{letter.title}</title></head><body bgcolor=#ffffff>
<table width=960><tr><td colspan=3><a href=/>首页</a> | <a href=1>示例导航项一</a> | <a href=2>示例导航项二</a></td></tr><tr><td width=180><table><tr><td><a href="/x">示例导航项三</a></td></tr><tr><td><a href="/x">示例导航项四</a></td></tr></table></td>
<td><table><tr><td align=center><font size=5 color=red>{letter.title}</font></td></tr><tr><td align=center><font size=2>{_posted(letter)}　浏览次数：12</font></td></tr><tr><td><font size=3>{text}</font></td></tr><tr><td>【<a href="/x">打印本页</a>】【<a href="/x">关闭</a>】</td></tr></table></td></tr></table>
<center><font size=2>版权所有　示例局　ICP备案：粤ICP备00000003号</font></center></body></html>""".encode("gb18030")


def site_office(letter: Letter) -> bytes:
    """A field office: no class says anything, the headline is an h1 of the site, title and body in sections."""
    rows = body(letter, lambda r: f"<section><span>{r}</span></section>")
    return f"""<!doctype html><html><head><meta charset=utf-8><title>通知公告-示例监管局</title></head><body><h1>示例监管局</h1><div><a href="/x">首页</a><a href="/x">示例导航项一</a><a href="/x">示例导航项二</a><a href="/x">示例导航项三</a></div>
<section><section><strong>{letter.title}</strong></section><section><em>{_posted(letter)}</em> <em>来源：示例监管局</em> <em>访问次数：77</em></section>{rows}</section>
<div><p>【返回顶部】</p><p>分享到：</p></div><div>扫一扫在手机打开当前页</div><div>网站标识码：bm62000004　京ICP备00000004号</div></body></html>""".encode()


SITES: dict[str, Callable[[Letter], bytes]] = {
    "gd": site_gd,
    "nm": site_nm,
    "sd": site_sd,
    "ndrc": site_ndrc,
    "gov": site_gov,
    "old": site_old,
    "office": site_office,
}


def dump(letter: Letter) -> bytes:
    """What copying a whole page gives: one line to every piece, GBK with CRLF."""
    rows = ["首页", "信息公开", "通知公告", f"当前位置：首页 > 通知公告 > {letter.title}", letter.title, f"发布时间：{_posted(letter)}", "来源：示例局", "大", "中", "小"]  # fmt: skip
    rows += list(lines_of(letter))
    rows += ["扫一扫在手机打开当前页", "主办单位：示例局", "网站标识码：4400000001", "粤ICP备00000001号"]
    return "\r\n".join(rows).encode("gb18030")


def lines_of(letter: Letter) -> Iterator[str]:
    """The letter as plain paragraphs, tables with bars."""
    yield from [letter.number] if letter.number else []
    yield from [letter.addressee] if letter.addressee else []
    yield from _text_rows(letter.rows)
    yield from _annex_list(letter) if letter.before_list else ()
    yield from letter.organs
    yield from [letter.signed] if letter.signed else []
    yield from () if letter.before_list else _annex_list(letter)
    yield from [letter.foot] if letter.foot else []
    for annex in letter.annexes:
        yield from [annex.mark] if annex.mark else []
        yield annex.title
        yield from _text_rows(annex.rows)


def _text_rows(rows: tuple[Row, ...]) -> Iterator[str]:
    for row in rows:
        if isinstance(row, str):
            yield row
            continue
        yield row.caption
        yield from [row.unit] if row.unit else []
        yield from (" | ".join(w or "" for w in line) for line in (*row.header, *row.rows))
        yield from row.notes


# --- offices


def docx(letter: Letter) -> bytes:
    """A Word file as an office sends it: red head of several bodies, number, title over two lines, annex on a new page."""
    import docx as word
    from docx.enum.text import WD_ALIGN_PARAGRAPH as ALIGN
    from docx.shared import Pt

    paper = word.Document()

    def put(text: str, align: object = None, size: int = 16) -> None:
        paragraph = paper.add_paragraph()
        paragraph.alignment = align  # type: ignore[assignment]
        paragraph.add_run(text).font.size = Pt(size)

    headed = letter.number is not None and "〔" in letter.number
    for organ in letter.organs if headed else ():
        put("  ".join(organ), ALIGN.CENTER, 30)
    if headed:
        put(letter.number or "", ALIGN.CENTER)
    half = len(letter.title) // 2 if len(letter.title) > 20 else len(letter.title)
    put(letter.title[:half], ALIGN.CENTER, 22)
    put(letter.title[half:], ALIGN.CENTER, 22)
    if letter.number and not headed:
        put(letter.number, ALIGN.CENTER)
    if letter.addressee:
        put(letter.addressee)
    _docx_rows(paper, letter.rows, put)
    for line in _annex_list(letter) if letter.before_list else ():
        put(line)
    for organ in letter.organs:
        put(organ, ALIGN.RIGHT)
    if letter.signed:
        put(letter.signed, ALIGN.RIGHT)
    for line in () if letter.before_list else _annex_list(letter):
        put(line)
    if letter.foot:
        put(letter.foot)
    for annex in letter.annexes:
        paper.add_page_break()
        _docx_annex(paper, annex, put, ALIGN.CENTER)
    out = io.BytesIO()
    paper.save(out)
    return out.getvalue()


def _docx_annex(paper, annex: Enclosed, put, centre: object) -> None:  # type: ignore[no-untyped-def]
    if annex.mark:
        put(annex.mark)
    put(annex.title, centre, 22)
    _docx_rows(paper, annex.rows, put)


def _docx_rows(paper, rows: tuple[Row, ...], put) -> None:  # type: ignore[no-untyped-def]
    for row in rows:
        if isinstance(row, str):
            put("　　" + row)
            continue
        put(row.caption)
        if row.unit:
            put(row.unit)
        lines = [*row.header, *row.rows]
        table = paper.add_table(len(lines), len(lines[0]), style="Table Grid")
        for y, line in enumerate(lines):
            for x, word in enumerate(line):
                if word is None:
                    table.cell(y, x - 1).merge(table.cell(y, x))
                elif word == "" and y and (x == 0 or y < len(row.header)):
                    table.cell(y - 1, x).merge(table.cell(y, x))
                else:
                    table.cell(y, x).text = word
        for note in row.notes:
            put(note)


def pdf(letter: Letter) -> bytes:
    """An official print: letterhead, 28 characters a line, page numbers, 抄送 and 印发 at its end."""
    from tests.parse_samples import pdf as printed

    rows = list(lines_of(letter))
    tail = (
        ("抄送：示例单位。", "示例办公室　2032年4月12日印发")
        if letter.organs and letter.number and not letter.annexes
        else ()
    )
    head = "、".join(letter.organs) + "文件" if letter.organs and "〔" in (letter.number or "") else None
    return printed(rows, [letter.title], letterhead=head, tail=tail)


def prices_xlsx(grid: Grid, letter: Letter) -> bytes:
    """A spreadsheet of the letter's table: 附件 in the first cell, caption merged over the width, unit at the right, merged cells."""
    import openpyxl

    book = openpyxl.Workbook()
    sheet = book.active
    wide = len(grid.header[0])
    sheet.append(["附件2"])
    sheet.append([grid.caption])
    sheet.merge_cells(start_row=2, start_column=1, end_row=2, end_column=wide)
    sheet.append([None] * (wide - 1) + [grid.unit or None])
    first = 4
    for at, line in enumerate([*grid.header, *grid.rows]):
        for column, word in enumerate(line, 1):
            if word:
                sheet.cell(first + at, column, word)
            elif word is None:
                sheet.merge_cells(start_row=first + at, start_column=column - 1, end_row=first + at, end_column=column)
    for column in range(1, wide + 1):
        _merge_down(sheet, grid, first, column)
    for note in grid.notes:
        sheet.append([note])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _merge_down(sheet, grid: Grid, first: int, column: int) -> None:  # type: ignore[no-untyped-def]
    lines = [*grid.header, *grid.rows]
    start = None
    for at in range(len(lines) + 1):
        empty = at < len(lines) and at and lines[at][column - 1] == "" and (column == 1 or at < len(grid.header))
        if empty and start is None:
            start = at - 1
        if not empty and start is not None:
            sheet.merge_cells(start_row=first + start, start_column=column, end_row=first + at - 1, end_column=column)
            start = None


def prices_xls(grid: Grid, letter: Letter) -> bytes:
    """The same as a legacy .xls."""
    import xlwt

    book = xlwt.Workbook(encoding="utf-8")
    sheet = book.add_sheet("Sheet1")
    wide = len(grid.header[0])
    sheet.write_merge(0, 0, 0, wide - 1, grid.caption)
    sheet.write(1, wide - 1, grid.unit)
    for at, line in enumerate([*grid.header, *grid.rows]):
        for column, word in enumerate(line):
            if word:
                sheet.write(2 + at, column, word)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def printed(page: Page, html: bytes, folder: Path) -> bytes:
    """What a browser's print makes of a page: hour and title above, address and page number below every sheet."""
    place = folder / "page.html"
    place.write_bytes(html)
    page.goto(place.as_uri())
    style = "font-size:8px;width:100%;padding:0 10px"
    return page.pdf(
        format="A4",
        scale=0.75,
        display_header_footer=True,
        header_template=f"<div style='{style}'>2032/9/1 10:28 <span class='title'></span></div>",
        footer_template=f"<div style='{style}'>https://demo.example.gov.cn/zwgk/t20320901_1.html <span class='pageNumber'></span>/<span class='totalPages'></span></div>",
        margin={"top": "15mm", "bottom": "15mm", "left": "10mm", "right": "10mm"},
    )
