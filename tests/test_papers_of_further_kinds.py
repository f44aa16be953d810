"""Papers of further kinds, whole (演示文本): numbers and issuers in cells and columns, numbering and fields of Word, posts of an account.

They were written from how offices and accounts set their papers, before what reads them was looked at.
"""

import io
import re

import pytest

from nemo import rules as rule_data
from nemo.ingest.assemble import regulations_in
from nemo.ingest.manifest import KnownFacts as Stated
from nemo.parse import parse
from nemo.settings import Settings, load
from nemo.types import RawDocument
from tests.paper_samples import Facts
from tests.raw_carriers import W
from tests.test_papers_as_they_come import wrong_facts

HALF = """国家能源局山东监管办公室文件
鲁监能市场[2025]3033号

关于开展示例电力市场秩序检查的通知

各发电企业,售电公司,国网山东省电力公司:
    为规范市场秩序,决定开展示例检查(演示文本).现通知如下:
    一,检查内容
    (一)合同签订情况;(二)信息披露情况.
    二,时间安排
    自查于2025年4月30日前完成,现场检查自2025年5月10日起至6月30日止.
    三,工作要求
    各单位应于2025年5月6日前报送自查报告,逾期不报的,予以通报.

                          国家能源局山东监管办公室
                               2025年4月3日
"""

COLUMNS = """内蒙古自治区工业和信息化厅      内蒙古自治区能源局
内蒙古自治区财政厅              国家能源局华北监管局

内工信运行字〔2025〕3099号

关于做好2025年示例电力需求响应工作的通知

各盟市工业和信息化局、能源局、财政局：

为做好需求响应工作（演示文本），现通知如下。

一、响应补偿标准为每千瓦时3元，单次响应时长不低于1小时。

二、本通知自印发之日起30日后施行。

内蒙古自治区工业和信息化厅      内蒙古自治区能源局
内蒙古自治区财政厅              国家能源局华北监管局
2025年6月18日
"""


def spans(text: str) -> str:
    """Words in spans of five characters, as the editor of an account writes them."""
    return "<p>" + "".join(f"<span style='x'>{text[i : i + 5]}</span>" for i in range(0, len(text), 5)) + "</p>"


POST = "\n".join(
    (
        "<html><head><meta charset=utf-8><meta property='og:title' content='重磅！山东印发示例零碳园区建设方案'><title></title></head><body><div id=js_article>",
        "<h1 class=rich_media_title>重磅！山东印发示例零碳园区建设方案</h1><div><span>原创</span><a>示例能源观察</a><em>2025-07-09 08:30</em><span>山东</span></div><div id=js_content>",
        *map(
            spans,
            (
                "点击上方蓝字关注我们", "山东省发展和改革委员会 山东省生态环境厅", "关于印发山东省示例零碳园区建设方案的通知", "鲁发改环资〔2025〕3441号", "各市发展改革委、生态环境局：",
                "现将《山东省示例零碳园区建设方案》印发给你们（演示文本），请认真组织实施。", "山东省发展和改革委员会", "山东省生态环境厅", "2025年7月3日", "山东省示例零碳园区建设方案", "一、工作目标",
                "到2027年，建成示例零碳园区15个左右，园区绿电占比达到50%。", "二、重点任务", "（一）支持园区发展绿电直连，新增用能主要由可再生能源满足。", "往期推荐",
            ),
        ),
        "<p><a href=#>重磅！又一省发布新规</a></p><p>来源：山东发改 编辑：小示</p></div></div><div>阅读 1024</div><div>赞 在看 写留言</div></body></html>",
    )
)  # fmt: skip

LAID_OUT = (
    "<html><head><meta charset=utf-8><title>文件公开</title></head><body><table width=600><tr><td colspan=2 align=center>广东省能源局文件</td></tr>"
    "<tr><td>粤能新能〔2025〕3016号</td><td align=right>签发人：示某某</td></tr><tr><td colspan=2 align=center><b>广东省能源局关于开展示例分布式光伏接网排查的通知</b></td></tr>"
    "<tr><td colspan=2><p>各地级以上市能源局：</p><p>为解决示例接网问题（演示文本），现将有关事项通知如下：</p><p>一、各市应于2025年11月15日前完成排查，建立台账。</p>"
    "<p>二、可开放容量按季度公布，红色区域暂停备案。</p><p align=right>广东省能源局</p><p align=right>2025年10月9日</p></td></tr></table></body></html>"
)


def numbered() -> bytes:
    """Word numbers the units by itself (一、（一）1.); a change is tracked, the day of commencement is a field."""
    import docx
    from docx.oxml import parse_xml

    paper = docx.Document()
    numbering = paper.part.numbering_part.element
    forms = (("chineseCountingThousand", "%1、"), ("chineseCounting", "（%2）"), ("decimal", "%3."))
    levels = "".join(
        f'<w:lvl w:ilvl="{i}"><w:start w:val="1"/><w:numFmt w:val="{form}"/><w:lvlText w:val="{text}"/></w:lvl>'
        for i, (form, text) in enumerate(forms)
    )
    numbering.insert(0, parse_xml(f'<w:abstractNum {W} w:abstractNumId="77">{levels}</w:abstractNum>'))
    numbering.append(parse_xml(f'<w:num {W} w:numId="77"><w:abstractNumId w:val="77"/></w:num>'))
    rows = (
        ("内蒙古自治区能源局", None), ("内蒙古自治区发展和改革委员会", None), ("内能新能字〔2025〕3455号", None), ("关于做好示例独立储能电站运行管理的通知", None),
        ("各盟市能源局、发展改革委：", None), ("现将有关事项通知如下（演示文本）。", None), ("运行要求", 0), ("充放电", 1), ("每日充放电次数不超过两次。", 2),
        ("响应时间不超过200毫秒。", 2), ("年度可用率不低于", 1), ("附则", 0), ("本通知自", 1), ("内蒙古自治区能源局  内蒙古自治区发展和改革委员会", None), ("2025年8月5日", None),
    )  # fmt: skip
    for text, level in rows:
        row = paper.add_paragraph(text)._p
        if level is not None:
            row.get_or_add_pPr().append(
                parse_xml(f'<w:numPr {W}><w:ilvl w:val="{level}"/><w:numId w:val="77"/></w:numPr>')
            )
        if text.endswith("不低于"):
            row.append(parse_xml(f'<w:del {W} w:id="1" w:author="x"><w:r><w:delText>90%</w:delText></w:r></w:del>'))
            row.append(parse_xml(f'<w:ins {W} w:id="2" w:author="x"><w:r><w:t>95%。</w:t></w:r></w:ins>'))
        if text == "本通知自":
            for inner in (
                '<w:fldChar w:fldCharType="begin"/>', "<w:instrText>DATE</w:instrText>", '<w:fldChar w:fldCharType="separate"/>',
                "<w:t>2025年9月1日</w:t>", '<w:fldChar w:fldCharType="end"/>', "<w:t>起施行，有效期3年。</w:t>",
            ):  # fmt: skip
                row.append(parse_xml(f"<w:r {W}>{inner}</w:r>"))
    return saved(paper)


def celled() -> bytes:
    """The letterhead and number are cells of a table."""
    import docx

    paper = docx.Document()
    head = paper.add_table(rows=2, cols=2)
    head.cell(0, 0).text, head.cell(0, 1).text = "山东省能源局文件", "鲁能源发〔2025〕3120号"
    head.cell(1, 0).merge(head.cell(1, 1)).text = "关于公布2025年示例虚拟电厂试点名单的通知"
    for text in (
        "各市能源局：",
        "现将2025年示例虚拟电厂试点名单公布如下（演示文本）。",
        "山东省能源局",
        "2025年9月12日",
    ):
        paper.add_paragraph(text)
    return saved(paper)


def saved(paper: object) -> bytes:
    out = io.BytesIO()
    paper.save(out)  # type: ignore[attr-defined]
    return out.getvalue()


NM = "内蒙古自治区"
PAPERS = {
    "half width in GB18030": (HALF.encode("gb18030"), ".txt", Facts("关于开展示例电力市场秩序检查的通知", "鲁监能市场〔2025〕3033号", "国家能源局山东监管办公室", "2025-04-03", ..., ..., "binding", "sd"), ("自查于2025年4月30日前完成",), ()),
    "issuers in two columns": (COLUMNS.encode(), ".txt", Facts("关于做好2025年示例电力需求响应工作的通知", "内工信运行字〔2025〕3099号", f"{NM}工业和信息化厅、{NM}能源局、{NM}财政厅、国家能源局华北监管局", "2025-06-18", ..., ..., "binding", "nm"), ("响应补偿标准为每千瓦时3元",), ()),
    "post of an account": (POST.encode(), ".html", Facts("山东省发展和改革委员会 山东省生态环境厅关于印发山东省示例零碳园区建设方案的通知", "鲁发改环资〔2025〕3441号", "山东省发展和改革委员会、山东省生态环境厅", "2025-07-03", ..., ..., "binding", "sd"), ("园区绿电占比达到50%。",), ("蓝字", "往期推荐", "又一省", "写留言")),
    "laid out by a table": (LAID_OUT.encode(), ".html", Facts("广东省能源局关于开展示例分布式光伏接网排查的通知", "粤能新能〔2025〕3016号", "广东省能源局", "2025-10-09", ..., ..., "binding", "gd"), ("红色区域暂停备案。",), ()),
    "numbered by Word": (numbered(), ".docx", Facts("关于做好示例独立储能电站运行管理的通知", "内能新能字〔2025〕3455号", f"{NM}能源局、{NM}发展和改革委员会", "2025-08-05", "2025-09-01", ..., "binding", "nm"), ("一、运行要求", "（一）充放电", "2.响应时间不超过200毫秒。", "（二）年度可用率不低于95%。"), ("90%",)),
    "number in a cell": (celled(), ".docx", Facts("关于公布2025年示例虚拟电厂试点名单的通知", "鲁能源发〔2025〕3120号", "山东省能源局", "2025-09-12", ..., ..., "binding", "sd"), (), ()),
}  # fmt: skip


ENCLOSED = {"post of an account": ["山东省示例零碳园区建设方案"]}
"""What a paper issues and holds."""


@pytest.mark.parametrize("kind", PAPERS)
def test_a_paper_of_a_further_kind(kind: str) -> None:
    content, suffix, facts, kept, gone = PAPERS[kind]
    raw = RawDocument.of(content, f"x{suffix}")
    parsed = parse(raw, Settings())
    paragraphs = [re.sub(r"\s", "", row) for row in parsed.text.split("\n")]
    assert [words for words in kept if not any(words in row for row in paragraphs)] == []
    assert [words for words in gone if words in parsed.text] == []
    found, *enclosed = regulations_in(raw, parsed, Stated(), rule_data.load(load().rules))
    assert wrong_facts(found, facts) == {}
    assert [each.title for each in enclosed] == ENCLOSED.get(kind, [])
