"""Invented papers with tables (演示文本), as ugly as real ones: merged cells, groups, pages, notes, no ruling lines."""

import io

PRICES_GD = """<html><head><title>关于演示广东输配电价的通知</title></head><body><div class="TRS_Editor">
<h1>关于演示广东省电网输配电价的通知（演示文本）</h1>
<p>演示广东发改价格〔2025〕31号</p>
<p>各地级以上市发展改革局，演示广东电网公司：为做好演示省级电网输配电价执行工作，现就有关事项通知如下。</p>
<p>一、演示广东省电网输配电价按照附表执行，居民生活用电继续执行目录电价，不适用本表。</p>
<p>二、本通知自2025年7月1日起执行，由演示广东省发展改革委负责解释。</p>
<p>附表：演示广东省电网输配电价表</p><p>单位：元/千瓦时</p>
<table border="1"><tr><th rowspan="2">用电分类</th><th rowspan="2">电压等级</th><th colspan="2">电量电价</th><th rowspan="2">容量电价（元/千伏安·月）</th></tr>
<tr><th>输配电价</th><th>其中：线损折价</th></tr>
<tr><td rowspan="3">工商业用电（单一制）</td><td>不满1千伏</td><td>0.2211</td><td>0.0151</td><td>—</td></tr>
<tr><td>1-10（20）千伏</td><td>0.1987</td><td>0.0142</td><td>—</td></tr><tr><td>35千伏</td><td>0.1732</td><td>0.0133</td><td>—</td></tr>
<tr><td rowspan="3">工商业用电（两部制）</td><td>1-10（20）千伏</td><td>0.1345</td><td>0.0142</td><td>23.5</td></tr>
<tr><td>110千伏</td><td>0.0921</td><td>0.0121</td><td>21.5</td></tr><tr><td>220千伏及以上</td><td>0.0684</td><td>0.0111</td><td>19.5</td></tr></table>
<p>注：1.表中电价含增值税。</p><p>2.不满1千伏用户执行单一制电价。</p>
<p>演示广东省发展改革委</p><p>2025年6月10日</p></div></body></html>"""

PRICES_NM = """# 关于演示内蒙古输配电价的通知（演示文本）

演示内发改价费字〔2025〕66号

一、演示蒙西电网、演示蒙东电网输配电价水平见附表，自2025年8月1日起执行。

附表1 演示内蒙古分电网输配电价

单位：元/千瓦时

| 电网 | 电压等级 | 电量电价 | 基本电价（元/千瓦·月） |
|---|---|---|---|
| 蒙西电网 | 1-10千伏 | 0.1102 | 28.0 |
| 蒙西电网 | 35千伏 | 0.0953 | 26.0 |
| 蒙东电网 | 1-10千伏 | 0.1604 | 30.0 |
| 蒙东电网 | 35千伏 | 0.1401 | 29.0 |

注：基本电价按最大需量计收。
"""

CAPACITY = """演示新型储能专项规划（演示文本）

第一条 为了促进演示新型储能有序发展，制定本规划。

第二条 到2027年各地区新型储能装机目标按照下表执行：
地区 | 2025年装机（万千瓦） | 2027年装机目标（万千瓦）
一、华北
山东 | 520 | 980
内蒙古 | 610 | 1350
二、华东
江苏 | 480 | 900
浙江 | 315 | 640
三、南方
广东 | 402 | 830
广西 | 156 | 365
合计 | 2483 | 5065

第三条 各地区能源主管部门应当按年度分解装机目标并组织实施。

第四条 本规划自2025年3月1日起施行。
"""

INDICATORS = """演示可再生能源发展规划（演示文本）

一、发展目标
到规划期末，演示可再生能源发展取得新的成效，主要指标见专栏1。
专栏1 演示可再生能源主要指标
类别 | 单位 | 2025年 | 2030年 | 属性
1.装机目标 |  |  |  |
1.1总装机 | 亿千瓦 | 19.2 | 31 | 预期性
1.2水电装机 | 亿千瓦 | 3.9 | 4.4 | 预期性
其中：抽水蓄能 | 亿千瓦 | 0.58 | 1.3 | 约束性
1.3太阳能发电装机 | 亿千瓦 | 9.1 | 16 | 预期性
其中：光热发电 | 万千瓦 | 121 | 980 | 预期性
\f续专栏1
类别 | 单位 | 2025年 | 2030年 | 属性
2.利用目标 |  |  |  |
2.1绿氢产量 | 万吨 | 18 | 150 | 预期性
2.2地热供暖面积 | 亿平方米 | 15 | 24 | 预期性
注：其中项不重复计算。
二、重点任务
有序推进演示大型基地建设，加强消纳保障，健全市场机制，完善支持政策。
"""

LIMITS = """演示燃气机组排放技术规程（演示文本）

1 范围
本规程规定了演示燃气机组大气污染物排放限值，适用于演示地区新建和在用燃气机组。
2 排放限值
2.1 演示燃气机组排放浓度不得超过表1规定的限值。
表1 演示燃气机组大气污染物排放限值
（单位：毫克/立方米）
污染物项目 | 新建机组 | 在用机组 | 监控位置
氮氧化物（以NO2计） | 15 | 30 | 烟囱或烟道
二氧化硫 | 10 | 20 | 烟囱或烟道
颗粒物 | 3 | 5 | 烟囱或烟道
氨逃逸 | 2.3 | 2.8 | 脱硝装置出口
注1：基准含氧量为15%。
注2：在用机组指2024年前投运的机组。
3 监测
3.1 演示燃气机组应当安装自动监测设备并与主管部门联网。
表2 演示监测频次
监测项目 | 监测频次 | 监测方式
氮氧化物 | 连续 | 自动
汞及其化合物 | 每季度一次 | 手工
噪声 | 每半年一次 | 手工
"""

PENALTIES = """演示能源行政处罚裁量基准（演示文本）

第一条 为规范演示能源行政处罚裁量，制定本基准。

第二条 演示能源行政处罚裁量按照下表执行：

| 违法行为 | 情节 | 裁量标准 |
|---|---|---|
| 未取得电力业务许可证从事供电业务 | 轻微 | 没收违法所得，并处违法所得一倍以下的罚款 |
|  | 严重 | 没收违法所得，并处违法所得三倍以上五倍以下的罚款 |
| 拒不执行调度指令 | 一般 | 警告，处五万元以下罚款 |
|  | 严重 | 处五万元以上二十万元以下罚款 |
| 伪造绿证交易记录 | 一般 | 处十万元以下罚款，记入信用记录 |

第三条 本基准自2025年1月1日起施行。
"""

LETTERS = """演示售电公司信用评价办法（演示文本）

第一条 为加强演示售电公司信用管理，制定本办法。

第二条 演示信用等级与分数的对应关系见下表：
信用等级 | 发电企业分数 | 售电公司分数 | 管理措施
AAA | 880分以上 | 900分以上 | 免于抽查
AA | 800~879分 | 830~899分 | 减少抽查
A | 700~799分 | 730~829分 | 正常管理
B | 600~699分 | 610~729分 | 重点监测
C | 599分以下 | 609分以下 | 限制交易

第三条 本办法自2025年2月1日起施行。
"""

TEXTS = {
    "gd.html": PRICES_GD,
    "nm.md": PRICES_NM,
    "装机.txt": CAPACITY,
    "指标.txt": INDICATORS,
    "限值.txt": LIMITS,
    "裁量.md": PENALTIES,
    "信用.txt": LETTERS,
}

DEPRECIATION = (
    ("演示资产类别", "折旧年限", "残值率"),
    ("演示架空线路", "32年", "5%"),
    ("演示电缆线路", "26年", "4%"),
    ("演示变压器", "21年", "3%"),
)


def unruled_pdf(rows: tuple[tuple[str, ...], ...] = DEPRECIATION, left: tuple[int, ...] = (80, 250, 400)) -> bytes:
    """Return a PDF whose table has no ruling lines: words set at the same places line by line."""
    from reportlab.lib.pagesizes import A4
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.pdfgen.canvas import Canvas

    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    out = io.BytesIO()
    page = Canvas(out, pagesize=A4)
    page.setFont("STSong-Light", 12)
    lines = ["演示折旧年限规定（演示文本）", "第一条 演示固定资产的折旧年限按照本规定附表执行，不得擅自变更。"]
    lines += ["第二条 本规定自2025年5月1日起施行。", "附表 演示固定资产折旧年限"]
    for at, line in enumerate(lines):
        page.drawString(80, 780 - 24 * at, line)
    for at, row in enumerate(rows):
        for x, cell in zip(left, row, strict=True):
            page.drawString(x, 780 - 24 * (len(lines) + at), cell)
    page.showPage()
    page.save()
    return out.getvalue()


def merged_docx() -> bytes:
    """Return a Word file with a header of two levels, a cell over two rows and a row over all columns."""
    from docx import Document

    document = Document()
    for line in ("演示调频市场参数规定（演示文本）", "第一条 演示调频市场参数按照下表执行。", "表1 演示调频市场参数"):
        document.add_paragraph(line)
    table = document.add_table(6, 4)
    rows = [
        ["机组类型", "申报价格", "", "死区"],
        ["", "下限（元）", "上限（元）", ""],
        ["煤电机组", "4.0", "14", "0.3%"],
        ["水电机组", "2.5", "12", "0.6%"],
        ["新型主体", "", "", ""],
        ["独立储能", "3.5", "16", "1.2%"],
    ]
    for cells, words in zip(table.rows, rows, strict=True):
        for cell, word in zip(cells.cells, words, strict=True):
            cell.text = word
    table.cell(0, 1).merge(table.cell(0, 2))
    table.cell(0, 0).merge(table.cell(1, 0))
    table.cell(0, 3).merge(table.cell(1, 3))
    table.cell(4, 0).merge(table.cell(4, 3))
    document.add_paragraph("第二条 本规定自2025年6月1日起施行。")
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()
