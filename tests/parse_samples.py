"""Files that the parser tests read, built on the spot. Every text is invented (演示文本)."""

import io
import zipfile
from collections.abc import Sequence

from nemo.parse import unpacked
from nemo.settings import Settings
from nemo.types import RawDocument

NOTICE = (
    "示例能规〔2024〕18号",
    "各市能源主管部门、有关电力企业：",
    "为规范示例省分布式光伏项目接入管理，保障电网安全稳定运行，根据有关规定，现就有关事项通知如下。",
    "一、明确办理条件",
    "（一）项目单位应当在并网前三十日提出申请，并提交项目备案证明、设计方案和设备检测报告。",
    "（二）电网企业应当自受理之日起二十个工作日内答复接入系统方案；逾期不答复的，视为同意。",
    "二、加强运行管理",
    "1.装机容量在6兆瓦及以上的项目，应当具备有功功率调节能力，但是临时用电项目除外。",
    "2.电压偏差不得超过±7%，频率在49.5Hz~50.2Hz之间时应当连续运行。",
    "本通知自2024年6月1日起施行，有效期五年。",
    "示例省能源局",
    "2024年5月20日",
)
"""Paragraphs of an invented notice."""

TITLE = "关于加强分布式光伏接入管理工作的通知"


def expand(raw: RawDocument, settings: Settings) -> list[RawDocument]:
    """The files of an archive in memory."""
    with unpacked(raw, settings) as files:
        return [member.raw for member in files]


def paragraphs(rows: Sequence[str] = NOTICE) -> str:
    """Paragraphs as HTML."""
    return "\n".join(f"<p>　　{row}</p>" for row in rows)


def page_trs() -> bytes:
    """A page of a TRS site: TRS_Editor, breadcrumb, tools, attachment list, footer."""
    return f"""<!DOCTYPE html><html><head><meta charset="utf-8"><title>{TITLE}_示例省能源局</title>
<meta name="ArticleTitle" content="{TITLE}"><meta name="PubDate" content="2024-05-22">
<link rel="canonical" href="https://nyj.example.gov.cn/zwgk/202405/t20240522_1.html">
<script>var s="第九条 脚本里的文字不是正文。";</script><style>.a{{color:red}}</style></head>
<body><div class="header"><ul class="nav"><li><a href="/">首页</a></li><li><a href="/xxgk">信息公开</a></li></ul></div>
<div class="crumb">当前位置：<a href="/">首页</a> &gt; <a href="/tz">通知公告</a></div>
<div class="detail"><h1>{TITLE}</h1><div class="info">2024-05-22 09:30　来源：示例省能源局　字体：<a>大</a><a>中</a><a>小</a></div>
<div class="TRS_Editor"><style>.TRS_Editor P{{margin:0}}</style>{paragraphs()}</div>
<p>附件：<a href="./P020240522345.pdf">分布式光伏接入申请表.pdf</a></p></div>
<div class="share">分享到：<a>微信</a></div>
<div class="footer"><p>主办单位：示例省能源局　网站标识码：9900000001　示ICP备99000001号</p></div></body></html>""".encode()


def page_sidebar() -> bytes:
    """A page whose sidebar carries other documents' titles and numbers, some of them outside links."""
    rank = "".join(
        f"<li><a href='/{i}.html'>关于第{i}批示范项目有关事项的通知（示例改环〔2026〕{i}号）</a><span>示例改环〔2026〕{i}号</span></li>"
        for i in range(1, 9)
    )
    return f"""<html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"><title>【{TITLE}】-示例发展和改革委员会</title></head>
<body><div class="top"><a>首页</a>&gt;<a>政务公开</a>&gt;<a>政策</a>&gt;<a>通知</a></div>
<div class="main"><div class="left"><div class="article_title">{TITLE}</div>
<div class="laiyuan">发布时间：2024/05/22 来源：示例能源局 [ 打印 ]</div>
<div class="article_con">{paragraphs()}</div>
<div class="attachment"><span>附件：</span><a href="/zcfb/W020240522.docx">附件1：项目清单</a></div></div>
<div class="right"><h3>相关政策与解读</h3><p>示例能源局有关负责同志就文件答记者问，本次政策主要考虑了接入安全、消纳能力等因素，欢迎阅读全文。</p>
<h3>排行榜</h3><ul>{rank}</ul></div></div><div id="foot">版权所有：示例发展和改革委员会</div></body></html>""".encode()


def page_table_layout() -> bytes:
    """An old page laid out by nested tables, declared gb2312 with a character only GB18030 has, lines split by br."""
    body = "<br>\r\n　　".join(NOTICE)
    return f"""<html><head><meta http-equiv=Content-Type content="text/html; charset=gb2312"><title>{TITLE}</title></head><body>
<table width=100%><tr><td><a href=/>首页</a>|<a href=/a>机构概况</a>|<a href=/b>通知公告</a></td></tr></table>
<table width=960><tr><td width=200 valign=top><table><tr><td><a href=1>栏目一</a></td></tr><tr><td><a href=2>栏目二</a></td></tr></table></td>
<td><table><tr><td align=center><b>{TITLE}</b></td></tr><tr><td align=center>发布日期：2024-05-22　浏览次数：<script>hits()</script></td></tr>
<tr><td id="zoom">　　{body}<br>　　联系人：喆女士、镕先生、㛃女士</td></tr></table></td></tr></table>
<center>版权所有：示例省能源局　技术支持：示例公司</center></body></html>""".encode("gb18030")


def page_inline() -> bytes:
    """A page whose numbers and dates are split over inline elements and source lines."""
    rows = [
        "<p><span>示例能规〔</span><span>\n2024</span><span>〕</span><span>18</span>\n<span>号</span></p>",
        *[f"<p><span>{row[:4]}</span><b>\n{row[4:]}</b></p>" for row in NOTICE[1:-1]],
        "<p><span>202</span><span>4</span><span>年</span><span>5</span><span>月</span><span>20</span><span>日</span></p>",
    ]
    return f"""<!doctype html><html><head><meta charset=utf-8><title>通知公告_示例省能源局</title></head><body>
<div id="barrierfree"><a>页面放大</a><a>页面缩小</a></div><h1>{TITLE}</h1><p>发布日期：2024-05-22 来源：示例省能源局</p>
<div id="UCAP-CONTENT">{"".join(rows)}</div><div>扫一扫在手机打开当前页</div><div>网站地图</div></body></html>""".encode()


def page_stub() -> bytes:
    """A page with a title and an attachment only."""
    return f"""<html><head><meta charset="utf-8"><title>{TITLE}_示例监管办公室</title></head><body><div class="nav"><a>首页</a></div>
<h1>{TITLE}</h1><p>2024-05-22 10:14</p><p>来源：示例监管办公室</p><div class="TRS_Editor"><p>附件：</p>
<p><a href="P0202405221.pdf">{TITLE}.pdf</a></p></div><p>扫一扫在手机打开当前页</p><p>主办单位: 示例监管办公室</p></body></html>""".encode()


PAGES = {
    "trs": page_trs,
    "sidebar": page_sidebar,
    "table_layout": page_table_layout,
    "inline": page_inline,
}


# --- OFD -------------------------------------------------------------------------------------------------------------

_OFD = "http://www.ofdspec.org/2016"


def ofd(
    pages: Sequence[Sequence[tuple[float, float, float, str]]], namespace: str = _OFD, paths: Sequence[str] = ()
) -> bytes:
    """An OFD file; each page lists (x mm, y mm of the base line, size mm, text). ``paths`` are drawn on every one."""
    drawn = "".join(
        f'<ofd:PathObject Boundary="0 0 210 297"><ofd:AbbreviatedData>{path}</ofd:AbbreviatedData></ofd:PathObject>'
        for path in paths
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as container:
        container.writestr(
            "OFD.xml",
            f'<ofd:OFD xmlns:ofd="{namespace}"><ofd:DocBody><ofd:DocRoot>Doc_0/Document.xml</ofd:DocRoot></ofd:DocBody></ofd:OFD>',
        )
        # pages are stored in the opposite order of reading: only Document.xml knows it
        listed = "".join(
            f'<ofd:Page ID="{i}" BaseLoc="Pages/P{len(pages) - i}/Content.xml"/>' for i in range(len(pages))
        )
        container.writestr(
            "Doc_0/Document.xml",
            f'<ofd:Document xmlns:ofd="{namespace}"><ofd:Pages>{listed}</ofd:Pages></ofd:Document>',
        )
        for index, page in enumerate(pages):
            objects = "".join(
                f'<ofd:TextObject Boundary="{x} {y - size} 160 {size * 1.2}" Size="{size}"><ofd:TextCode X="0" Y="{size}" '
                f'DeltaX="g {max(0, len(text) - 1)} {size}">{text}</ofd:TextCode></ofd:TextObject>'
                for x, y, size, text in page
            )
            container.writestr(
                f"Doc_0/Pages/P{len(pages) - index}/Content.xml",
                f'<ofd:Page xmlns:ofd="{namespace}"><ofd:Content><ofd:Layer>{objects}{drawn}</ofd:Layer></ofd:Content></ofd:Page>',
            )
    return out.getvalue()


# --- PDF -------------------------------------------------------------------------------------------------------------


def wrapped(text: str, width: int = 28, indent: int = 2) -> list[str]:
    """Hard-wrap a paragraph as print does: no line begins with closing punctuation."""
    rows, row, used = [], "", float(indent)
    for char in text:
        size = 0.5 if char.isascii() else 1.0
        hangs = char in "，。；：、）》”" and used + size <= width + 1
        if used + size > width and not hangs:
            rows.append(row)
            row, used = "", 0.0
        row += char
        used += size
    return [*rows, row]


def pdf(
    rows: Sequence[str],
    titles: Sequence[str] = (),
    *,
    letterhead: str | None = None,
    tail: Sequence[str] = (),
    lines_per_page: int = 22,
    numbers: bool = True,
    head: str | None = None,
) -> bytes:
    """An official document: 28 characters a line, two characters of indent, ``— N —`` at the foot.

    Args:
        rows: paragraphs.
        titles: centred title lines in a larger size.
        letterhead: written last on page 1, spaced out, as real files do.
        tail: unindented lines after the text (抄送, 印发).
        lines_per_page: lines before a page break.
        numbers: print page numbers.
        head: a running head on every page.
    """
    from reportlab.lib.pagesizes import A4
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.pdfgen.canvas import Canvas

    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    width, height = A4
    left, out = (width - 28 * 16) / 2, io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    placed = [(0.0, 22, title) for title in titles]
    for row in rows:
        placed += [(left + (32 if i == 0 else 0), 16, text) for i, text in enumerate(wrapped(row))]
    placed += [(left, 16, row) for row in tail]
    pages = [placed[i : i + lines_per_page] for i in range(0, len(placed), lines_per_page)] or [[]]
    for number, page in enumerate(pages, 1):
        y = height - 110
        for x, size, text in page:
            canvas.setFont("STSong-Light", size)
            if x:
                canvas.drawString(x, y, text)
            else:
                canvas.drawCentredString(width / 2, y, text)
            y -= 28 if size == 16 else 38
        canvas.setFont("STSong-Light", 14)
        if head:
            canvas.drawString(left, height - 50, head)
        if numbers:
            canvas.drawCentredString(width / 2, 50, f"— {number} —")
        if number == 1 and letterhead:
            canvas.setFont("STSong-Light", 26)
            canvas.drawCentredString(width / 2, height - 70, " ".join(letterhead))
        canvas.showPage()
    canvas.save()
    return out.getvalue()
