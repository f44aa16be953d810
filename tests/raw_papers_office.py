"""More whole papers (演示文本) as offices send them: Word with its own numbering and changes, workbooks, prints, saved mail, text in old encodings.

Marks as in ``raw_papers``. In Word ``auto`` is the kind of automatic number and ``no`` what Word shows for it; ``ins``, ``del``, ``fn`` and
``note`` are tracked changes, footnotes and comments; ``hidden`` rows and sheets are not shown by the program.
"""

from tests.paper_samples import Facts
from tests.raw_papers import Raw

NM_NUMBERED = Raw(
    "nm-numbered", "docx",
    """<body><header t>内蒙古自治区能源局文件</header><p k class="c">内能源规字〔2025〕3号</p><p k class="c big">内蒙古自治区能源局关于印发《内蒙古自治区</p><p k class="c big">独立储能电站建设管理细则》的通知</p><p k>各盟市能源局，内蒙古电力（集团）有限责任公司，国网内蒙古东部电力有限公司：</p>
<p k>现将《内蒙古自治区独立储能电站建设管理细则》印发给你们（演示文本），请遵照执行。</p><p k class="r">内蒙古自治区能源局</p><p k class="r">2025年6月5日</p><br class="page"><p k class="c big">内蒙古自治区独立储能电站建设管理细则</p>
<p k class="c" auto="chap" no="第一章">总则</p><p k auto="art" no="第一条">为规范独立储能电站建设管理，根据国家有关规定，制定本细则。</p><p k auto="art" no="第二条">本细则适用于接入110千伏及以上电压等级的独立储能电站。</p>
<p k class="c" auto="chap" no="第二章">建设要求</p><p k auto="art" no="第三条">独立储能电站应当满足下列条件：</p><p k auto="item" no="（一）">额定功率不低于50兆瓦；</p><p k auto="item" no="（二）">额定功率下连续放电时间不低于4小时；</p><p k auto="item" no="（三）">充放电综合效率不低于82%。</p>
<p k auto="art" no="第四条">纳入年度建设计划的项目，应当自计划下达之日起6个月内开工，18个月内全容量并网。</p><p k>逾期未开工的，移出年度建设计划，其项目单位2年内不得再次申报；因不可抗力造成的除外。</p>
<p k class="c" auto="chap" no="第三章">附则</p><p k auto="art" no="第五条">本细则由内蒙古自治区能源局负责解释。</p><p k auto="art" no="第六条">本细则自2025年7月10日起施行，有效期五年。</p><footer>内部流转编号示例 7788</footer></body>""",
    (
        Facts("内蒙古自治区能源局关于印发《内蒙古自治区独立储能电站建设管理细则》的通知", "内能源规字〔2025〕3号", "内蒙古自治区能源局", "2025-06-05", ..., ..., "binding", "nm"),
        Facts("内蒙古自治区独立储能电站建设管理细则", "内能源规字〔2025〕3号", "内蒙古自治区能源局", "2025-06-05", "2025-07-10", "2030-07-10", "binding", "nm"),
    ),
    asks=(
        ("内蒙古独立储能电站建设管理细则第四条规定多长时间内全容量并网？", ("18个月内全容量并网",)),
        ("内蒙古独立储能电站充放电综合效率不低于多少？", ("充放电综合效率不低于82%",)),
        ("内蒙古独立储能电站的容量补偿标准是每千瓦多少元？", ()),
    ),
)  # fmt: skip

SD_TRACKED = Raw(
    "sd-tracked", "docx",
    """<body><p k class="c big">山东省海上风电项目竞争配置办法</p><p k class="c">（征求意见稿）</p><p k>第一条　为规范海上风电项目竞争配置（演示文本），制定本办法。</p>
<p><s k>第二条　单个项目装机规模不低于</s><del>30</del><ins k>50</ins><s k>万千瓦，同一投资主体同一批次中标不超过</s><del>三</del><ins k>2</ins><s k>个项目。</s></p><p><s k>第三条　评分由企业能力、技术方案、上网电价构成</s><fn k>上网电价以含税价为准。</fn><s k>，其中上网电价占比不低于40%。</s></p>
<p><del>第四条　中选企业应当缴纳履约保函示例。</del></p><p k>第四条　中选企业应当在收到中选通知之日起30日内签订开发协议。<note>审稿人示例批注请法规处再核</note></p><p><ins k>第五条　逾期未签订开发协议的，视为放弃，由排名次位的企业递补。</ins></p><p k>第六条　本办法由山东省能源局负责解释。</p></body>""",
    (Facts("山东省海上风电项目竞争配置办法（征求意见稿）", None, ..., ..., None, None, "draft", "sd"),),
    asks=(
        ("山东海上风电竞争配置办法征求意见稿中单个项目装机规模不低于多少？", ("不低于50万千瓦",)),
        ("山东海上风电竞争配置评分中上网电价占比不低于多少（征求意见稿）？", ("上网电价占比不低于40%",)),
        ("山东海上风电竞争配置中选企业履约保函金额是多少？", ()),
    ),
)  # fmt: skip

GD_MERGED = Raw(
    "gd-merged", "docx",
    """<body><table><tr><td k>广东省发展和改革委员会文件</td></tr></table><p k class="c">粤发改价格〔2025〕88号</p><p k class="c big">关于核定珠三角示例燃气机组容量电价的通知</p><p k>各地级以上市发展改革局（委），各有关发电企业：</p><p k>经研究（演示文本），现将示例燃气机组容量电价通知如下：</p><p k>一、容量电价标准见下表。</p><p k class="c">示例燃气机组容量电价表</p><p k class="r">单位：元/千瓦·年（含税）</p>
<table border="1"><tr><td k rowspan="2" colspan="2">机组类别</td><td k colspan="2">2025年7月1日前投产</td><td k rowspan="2">2025年7月1日后投产</td></tr><tr><td k>珠三角</td><td k>粤东粤西粤北</td></tr><tr><td k rowspan="2">热电联产</td><td k>9F级</td><td k>165</td><td k>158</td><td k>172</td></tr><tr><td k>6F级</td><td k>181</td><td k>176</td><td k>190</td></tr><tr><td k colspan="2">调峰机组</td><td k>203</td><td k>197</td><td k>211</td></tr></table>
<p k>注：供热改造机组按照热电联产类别执行。</p><p k>二、容量电费按月结算，当月可用率低于80%的，扣减当月容量电费的50%。</p><p k>三、本通知自2025年7月1日起执行，有效期至2027年6月30日。</p><p k class="r">广东省发展改革委</p><p k class="r">2025年6月16日</p></body>""",
    (Facts("广东省发展改革委关于核定珠三角示例燃气机组容量电价的通知", "粤发改价格〔2025〕88号", "广东省发展改革委", "2025-06-16", "2025-07-01", "2027-07-01", "binding", "gd"),),
    asks=(
        ("广东6F级热电联产燃气机组2025年7月1日前投产在粤东粤西粤北的容量电价是多少？", ("6F级", "176")),
        ("广东燃气机组当月可用率低于80%怎么扣减容量电费？", ("扣减当月容量电费的50%",)),
        ("广东H级燃气机组的电量电价是多少？", ()),
    ),
)  # fmt: skip

NEA_CLAUSES = Raw(
    "nea-clauses", "docx",
    """<body><box k>构网型储能变流器示例技术规范</box><p k class="c">（试行）</p><toc t>1　范围	1</toc><toc t>2　技术要求	1</toc><p k auto="h1" no="1">范围</p><p k>本规范规定了构网型储能变流器的技术要求（演示文本），适用于接入10千伏及以上电压等级电网的储能变流器。</p>
<p k auto="h1" no="2">技术要求</p><p k auto="h2" no="2.1">环境条件</p><p k auto="h3" no="2.1.1">环境温度为-25℃至45℃时，变流器应能以额定功率连续运行。</p><p k auto="h3" no="2.1.2">海拔超过2000米的，应按照每升高100米降容0.5%修正。</p>
<p k auto="h2" no="2.2">惯量支撑</p><p k auto="h3" no="2.2.1">惯量响应时间不应大于5毫秒，惯性时间常数应在4秒至20秒范围内可调。</p><p k auto="h3" no="2.2.2">短时过载能力不应低于额定电流的3倍，持续时间不少于10秒。</p><p k auto="h1" no="3">实施</p><p k>本规范自2025年9月1日起试行。</p><p k class="r">国家能源局综合司</p><p k class="r">2025年7月30日</p><footer>第 1 页</footer></body>""",
    (Facts("构网型储能变流器示例技术规范（试行）", None, "国家能源局综合司", "2025-07-30", "2025-09-01", None, "binding", "cn"),),
    asks=(
        ("构网型储能变流器的惯量响应时间不应大于多少？", ("不应大于5毫秒",)),
        ("构网型储能变流器示例技术规范2.1.2对海拔超过2000米怎么要求？", ("每升高100米降容0.5%",)),
        ("构网型储能变流器的保护等级应达到IP多少？", ()),
    ),
)  # fmt: skip

SD_MINUTES = Raw(
    "sd-minutes", "wps",
    """<body><table border="1"><tr><td k colspan="2">山东省能源局会议纪要</td></tr><tr><td k>第12期</td><td k>2025年11月6日</td></tr><tr><td k>会议议题</td><td k>研究独立储能参与电力现货市场有关问题</td></tr><tr><td k>主持</td><td k>示例局领导</td></tr>
<tr><td k colspan="2">2025年11月4日，省能源局召开专题会议（演示文本），现将议定事项纪要如下：</td></tr><tr><td k colspan="2">一、独立储能申报充放电状态切换每日不超过2次，自2025年12月1日起执行。</td></tr><tr><td k colspan="2">二、由山东电力交易中心于2025年11月底前完成系统改造。</td></tr><tr><td k>发送</td><td k>国网山东省电力公司，各市能源主管部门</td></tr></table></body>""",
    (Facts("山东省能源局会议纪要", ..., "山东省能源局", "2025-11-06", ..., ..., ..., "sd"),),
    asks=(
        ("山东独立储能申报充放电状态切换每日不超过几次？", ("每日不超过2次",)),
        ("会议纪要要求山东电力交易中心什么时候完成系统改造？", ("2025年11月底前",)),
        ("会议纪要议定的独立储能充电限价是多少？", ()),
    ),
)  # fmt: skip

GD_BOOK = Raw(
    "gd-book", "xlsx",
    """<body><sheet name="说明"><table><tr><td k>广东省2026年输配电价表（演示文本）</td></tr><tr><td k>广东省发展改革委2025年12月20日公布，自2026年1月1日起执行。</td></tr></table></sheet>
<sheet name="珠三角五市"><table><tr><td k colspan="7">珠三角五市输配电价表</td></tr><tr><td k colspan="7">单位：元/千瓦时、元/千瓦·月、元/千伏安·月</td></tr><tr><td k rowspan="3">用电分类</td><td k rowspan="3">电压等级</td><td k colspan="3">电量电价</td><td k colspan="2">容（需）量电价</td></tr><tr><td k rowspan="2">非分时</td><td k colspan="2">分时</td><td k rowspan="2">最大需量</td><td k rowspan="2">变压器容量</td></tr><tr><td k>峰段</td><td k>谷段</td></tr>
<tr><td k rowspan="3">工商业两部制</td><td k>10千伏</td><td k>0.1289</td><td k>0.1547</td><td k>0.0773</td><td k>41.6</td><td k>26.0</td></tr><tr hidden=""><td>20千伏旧价示例</td><td>0.9999</td><td>0.8888</td><td>0.7777</td><td>66.6</td><td>55.5</td></tr><tr><td k>110千伏</td><td k>0.0871</td><td k>0.1045</td><td k>0.0523</td><td k>38.4</td><td k>24.0</td></tr><tr><td k colspan="7">注：1.表中电价含增值税。</td></tr><tr><td k colspan="7">2.峰段不含尖峰时段。</td></tr></table></sheet>
<sheet name="粤东西北"><table><tr><td k colspan="7">粤东西北地区输配电价表</td></tr><tr><td k colspan="7">单位：元/千瓦时、元/千瓦·月、元/千伏安·月</td></tr><tr><td k rowspan="3">用电分类</td><td k rowspan="3">电压等级</td><td k colspan="3">电量电价</td><td k colspan="2">容（需）量电价</td></tr><tr><td k rowspan="2">非分时</td><td k colspan="2">分时</td><td k rowspan="2">最大需量</td><td k rowspan="2">变压器容量</td></tr><tr><td k>峰段</td><td k>谷段</td></tr><tr><td k rowspan="2">工商业两部制</td><td k>10千伏</td><td k>0.1123</td><td k>0.1348</td><td k>0.0674</td><td k>35.2</td><td k>22.0</td></tr><tr><td k>110千伏</td><td k>0.0745</td><td k>0.0894</td><td k>0.0447</td><td k>32.0</td><td k>20.0</td></tr></table></sheet>
<sheet name="计算底稿" hidden=""><table><tr><td>内部测算示例底稿勿外传</td></tr></table></sheet></body>""",
    (Facts("广东省2026年输配电价表（演示文本）", None, ..., "2025-12-20", "2026-01-01", ..., ..., "gd"),),
    asks=(
        ("广东粤东西北地区工商业两部制110千伏峰段的输配电量电价是多少？", ("110千伏", "0.0894")),
        ("广东珠三角五市工商业两部制110千伏变压器容量电价是多少？", ("110千伏", "24.0")),
        ("广东珠三角五市工商业两部制220千伏的输配电价是多少？", ()),
    ),
)  # fmt: skip

NM_ENDED = Raw(
    "nm-ended", "xls",
    """<body><table><tr><td k colspan="5">内蒙古自治区能源局决定废止的行政规范性文件目录（演示文本）</td></tr><tr><td k>序号</td><td k>文件名称</td><td k>文号</td><td k>印发日期</td><td k>废止理由</td></tr><tr><td k>1</td><td k>关于示例风电项目核准管理的通知</td><td k>内能新能字〔2015〕11号</td><td k>2015年3月9日</td><td k>已被新规定替代</td></tr><tr><td k>2</td><td k>关于示例煤矿技改的意见</td><td k>内能煤运字〔2013〕208号</td><td k>2013年9月2日</td><td k>适用期已过</td></tr><tr><td k colspan="5">说明：本目录自2025年5月1日起生效。</td></tr></table></body>""",
    (Facts("内蒙古自治区能源局决定废止的行政规范性文件目录（演示文本）", None, ..., ..., "2025-05-01", ..., ..., "nm"),),
    asks=(
        ("内能煤运字〔2013〕208号为什么被废止？", ("内能煤运字〔2013〕208号", "适用期已过")),
        ("内蒙古示例风电项目核准管理的通知的废止理由是什么？", ("示例风电项目核准管理", "已被新规定替代")),
        ("内蒙古废止目录里示例光伏扶贫文件的文号是什么？", ()),
    ),
)  # fmt: skip

PAGE_ROWS = "".join(
    f"<tr><td k>{n}</td><td k>示例{name}燃煤电厂</td><td k>{400 + n}</td><td k>{3000 + 11 * n}</td><td k>0.{3900 + 3 * n}</td></tr>"
    for n, name in enumerate("甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉戌亥天地玄黄宇宙洪荒", 1)
)
SD_PAGED = Raw(
    "sd-paged", "pdf",
    """<style>body{font:15pt/2 "Noto Serif CJK SC",serif;width:15cm}p{margin:0;text-indent:2em;text-align:justify}.c{text-align:center;text-indent:0}.r{text-align:right;text-indent:0}.red{color:red;font-size:28pt}table{border-collapse:collapse;width:100%}td,th{border:1px solid;padding:2px;font-weight:normal}</style><body><p k class="c red">山东省发展和改革委员会</p><p k style="text-align:right">鲁发改价格〔2025〕733号</p><hr color="red">
<p k class="c" style="font-size:20pt">山东省发展和改革委员会<br>关于公布燃煤电厂示例补偿标准的通知</p><p k style="text-indent:0">各市发展改革委，有关发电企业：</p><p k>经审核（演示文本），现公布燃煤电厂示例补偿标准，具体见附表，自2025年12月1日起执行。补偿电量按照实际上网电量的15%核定，超出部分不予补偿，机组计划检修期间除外。</p><p k class="r">山东省发展和改革委员会</p><p k class="r">2025年11月14日</p>
<p k style="text-indent:0">附表</p><p k class="c">燃煤电厂示例补偿标准表</p><p k class="r" style="font-size:12pt">单位：万千瓦、小时、元/千瓦时</p><table><thead><tr><th t>序号</th><th t>电厂名称</th><th t>装机容量</th><th t>补偿小时数</th><th t>补偿标准</th></tr></thead><tbody>"""
    + PAGE_ROWS + """</tbody></table><p k style="font-size:12pt">注：补偿标准含环保加价。</p></body>""",
    (Facts("山东省发展和改革委员会关于公布燃煤电厂示例补偿标准的通知", "鲁发改价格〔2025〕733号", "山东省发展和改革委员会", "2025-11-14", "2025-12-01", None, "binding", "sd"),),
    asks=(
        ("山东示例荒燃煤电厂的补偿标准是多少？", ("示例荒燃煤电厂", "0.3990")),
        ("山东示例庚燃煤电厂的补偿小时数是多少？", ("示例庚燃煤电厂", "3077")),
        ("山东示例金燃煤电厂的补偿标准是多少？", ()),
    ),
)  # fmt: skip

NF_PRINTED = Raw(
    "nf-printed", "print",
    """<html><head><meta charset="utf-8"><title>南方能源监管局关于进一步规范分布式光伏并网服务的通知_通知公告_示例监管局</title><style>body{font-size:15px;line-height:1.9}.w{display:flex}.l{width:62%}.s{width:34%;margin-left:4%;font-size:12px}.c{text-align:center;font-size:20px}.r{text-align:right}</style></head><body><div>示例监管局　网站地图示例　2025年9月30日 星期二</div><div class="w"><div class="l"><div t class="c">南方能源监管局关于进一步规范分布式光伏并网服务的通知</div><div class="r" style="font-size:12px">发布时间：2025-09-28　来源：示例供电监管处</div>
<p k>南方监能资质〔2025〕41号</p><p k>广东电网公司、深圳供电局：</p><p k>　　为规范分布式光伏并网服务（演示文本），现就有关事项通知如下：</p><p k>　　一、电网企业应当自受理并网申请之日起，10千伏及以下项目15个工作日内、35千伏项目30个工作日内书面答复接入系统方案，不得以任何理由拒收申请材料。</p><p k>　　二、并网验收和并网调试应当自受理申请之日起10个工作日内完成，关口计量装置由电网企业免费提供。</p><p k>　　三、对无故拖延的，按照《电力监管条例》有关规定处理；情节严重的，处六万元以上六十万元以下罚款。</p><p k>　　四、本通知自2025年11月1日起施行。</p><p k class="r">国家能源局南方监管局</p><p k class="r">2025年9月25日</p></div>
<div class="s"><div>热点排行示例</div><div>1. 示例交易通报发布</div><div>2. 示例许可证公示名单</div><div>3. 示例供电服务检查结果</div><div>办事大厅入口示例</div></div></div><div>上一篇：示例通知甲　下一篇：示例通知乙</div></body></html>""",
    (Facts("南方能源监管局关于进一步规范分布式光伏并网服务的通知", "南方监能资质〔2025〕41号", ..., "2025-09-25", "2025-11-01", None, "binding", ...),),
    asks=(
        ("南方区域35千伏分布式光伏项目接入系统方案多少个工作日内答复？", ("35千伏项目30个工作日内",)),
        ("南方监能资质〔2025〕41号规定无故拖延情节严重的罚款多少？", ("六万元以上六十万元以下",)),
        ("南方监能资质〔2025〕41号规定分布式光伏反送电功率限额是多少？", ()),
    ),
)  # fmt: skip

GD_TRADE = Raw(
    "gd-trade", "pdf",
    """<style>body{font:15pt/1.9 "Noto Serif CJK SC",serif;width:11cm}p{margin:0;text-indent:2em}.c{text-align:center;text-indent:0;font-size:20pt}h3{font-size:16pt;text-align:center}h4{font-size:15pt}table{border-collapse:collapse}td{border:1px solid}</style><body><p k class="c">广东电力市场中长期交易</p><p k class="c">实施细则</p><p k style="text-indent:0;text-align:center">（2026年修订）</p><h3 k>第一章 总 则</h3><p k>第 1 条 为规范广东电力中长期交易（演示文本），维护市场成员合法权益，依据《电力中长期交易基本规则》和有关法律、法规，结合广东实际，制定本细则。</p><p k>第 2 条 本细则适用于广东省内开展的年、月、周及多日电力中长期交易。</p>
<h3 k>第二章 交易组织</h3><h4 k>第一节 年度交易</h4><p k>第 3 条 年度双边协商交易的申报电量，以售电公司为单位，上限为其代理用户前12个月实际用电量的95%，下限为60%，新投产用户按照报装容量折算。</p><p k>第 4 条 年度集中竞争交易成交价格上限为554元/兆瓦时，下限为372元/兆瓦时；绿电交易中的环境价值部分不受上述限制。</p><h4 k>第二节 月度交易</h4><p k>第 5 条 月度交易每月组织不少于1次，交易公告应当在申报开始前3个工作日发布。</p>
<h3 k>第三章 偏差考核</h3><p k>第 6 条 售电公司月度用电偏差超出±5%的部分，按照月度集中竞争交易出清价格的10%考核；因电网故障、有序用电等非自身原因造成的，免予考核。</p><h3 k>第四章 附 则</h3><p k>第 7 条 本细则自2026年1月1日起执行，有效期至2028年12月31日。《广东电力市场中长期交易示例细则（2023年版）》同时废止。</p></body>""",
    (Facts("广东电力市场中长期交易实施细则（2026年修订）", None, ..., ..., "2026-01-01", "2029-01-01", "binding", "gd"),),
    asks=(
        ("广东年度集中竞争交易成交价格上限是多少？", ("上限为554元/兆瓦时",)),
        ("广东售电公司月度用电偏差超出多少要考核？", ("±5%",)),
        ("广东现货市场申报价格上限是多少？", ()),
    ),
)  # fmt: skip

NM_SIDEWAYS = Raw(
    "nm-sideways", "pdf",
    """<style>body{font:15pt/2 "Noto Serif CJK SC",serif}p{margin:0;text-indent:2em}.c{text-align:center;text-indent:0}.r{text-align:right;text-indent:0}.turn{break-before:page;position:relative;height:24cm;overflow:hidden}.turn>div{position:absolute;left:15.5cm;top:0;width:23.5cm;transform-origin:0 0;transform:rotate(90deg)}table{border-collapse:collapse;width:100%}td{border:1px solid;padding:3px;font-size:11pt}</style><body><p k class="c" style="font-size:22pt">内蒙古自治区发展和改革委员会<br>关于下达2026年蒙东地区供热机组示例核定结果的通知</p><p k class="c">内发改电字〔2025〕1206号</p><p k style="text-indent:0">呼伦贝尔市、兴安盟、通辽市、赤峰市发展改革委：</p><p k>现将2026年蒙东地区供热机组示例核定结果下达你们（演示文本），请严格执行，本通知自2026年1月1日起执行，有效期1年。</p><p k class="r">内蒙古自治区发展和改革委员会</p><p k class="r">2025年12月22日</p><p k>附件：2026年蒙东地区供热机组示例核定结果</p>
<div class="turn"><div><p k style="text-indent:0">附件</p><p k class="c">2026年蒙东地区供热机组示例核定结果</p><table><tr><td k>序号</td><td k>盟市</td><td k>电厂</td><td k>机组容量（兆瓦）</td><td k>供热期最小技术出力（兆瓦）</td><td k>非供热期最小技术出力（兆瓦）</td></tr><tr><td k>1</td><td k>赤峰市</td><td k>示例松热电厂1号机</td><td k>330</td><td k>181</td><td k>132</td></tr><tr><td k>2</td><td k>通辽市</td><td k>示例柏热电厂2号机</td><td k>350</td><td k>196</td><td k>140</td></tr><tr><td k>3</td><td k>呼伦贝尔市</td><td k>示例槐热电厂1号机</td><td k>200</td><td k>124</td><td k>96</td></tr></table><p k style="text-indent:0">注：最小技术出力以机组额定工况核定，供热面积变化超过10%的重新核定。</p></div></div></body>""",
    (Facts("内蒙古自治区发展和改革委员会关于下达2026年蒙东地区供热机组示例核定结果的通知", "内发改电字〔2025〕1206号", "内蒙古自治区发展和改革委员会", "2025-12-22", "2026-01-01", "2027-01-01", "binding", "nm"),),
    asks=(
        ("示例柏热电厂2号机供热期最小技术出力是多少？", ("示例柏热电厂2号机", "196")),
        ("蒙东地区供热机组最小技术出力什么情况下重新核定？", ("供热面积变化超过10%的重新核定",)),
        ("示例榆热电厂的供热期最小技术出力是多少？", ()),
    ),
)  # fmt: skip

NDRC_FOOTED = Raw(
    "ndrc-footed", "pdf",
    """<style>body{font:12pt/1.8 "Noto Serif CJK SC",serif}p{margin:0;text-indent:2em;text-align:justify}.c{text-align:center;text-indent:0;font-size:17pt}.two{columns:2;column-gap:9mm}.r{text-align:right}.note{font-size:9pt;border-top:1px solid;width:6cm;text-indent:0}</style><body><p k class="c">关于《新能源示例消纳责任考核办法》的政策问答</p><div class="two"><p k>为便于理解执行，现就有关问题答复如下（演示文本）。</p><p k>问：《办法》的考核对象有哪些？</p><p k>答：考核对象包括各省级行政区域和国家明确的重点用能行业企业，其中行业企业只监测不考核的范围由国务院能源主管部门另行公布。</p><p k>问：非水电消纳责任权重最低值如何确定？</p><p k>答：由国务院能源主管部门每年3月底前下达当年约束性指标和次年预期性指标，2026年全国平均最低值为21.5%，较上年提高1.3个百分点。</p><p k>问：未完成的如何处理？</p><p k>答：未完成部分可以购买绿色电力证书补足，仍未完成的纳入能耗双控考核，并由国家发展改革委会同国家能源局予以通报。</p><p k>问：跨省绿电交易电量计入哪一方？</p><p k>答：计入受端，不重复计算，送端已经计入的应当核减。</p><p k>问：《办法》何时起执行？</p><p k>答：自2026年1月1日起执行。</p></div></body>""",
    (Facts("关于《新能源示例消纳责任考核办法》的政策问答", None, ..., ..., None, None, "interpretation", "cn"),),
    asks=(
        ("按政策问答，2026年全国非水电消纳责任权重平均最低值是多少？", ("21.5%",)),
        ("新能源示例消纳责任考核办法政策问答中跨省绿电交易电量计入哪一方？", ("计入受端",)),
        ("按政策问答，2026年山东的非水电消纳责任权重是多少？", ()),
    ),
)  # fmt: skip

NEA_SAVED = Raw(
    "nea-saved", "mht",
    """<html><head><meta http-equiv="Content-Type" content="text/html; charset=gb2312"><title>国家能源局综合司关于开展电力建设工程质量示例督查的函</title></head><body><div><a href="#">返回列表示例</a></div><h2 t>国家能源局综合司关于开展电力建设工程质量示例督查的函</h2><div>时间：2025-05-20 来源：示例安全司</div><p k>国能综函安全〔2025〕60号</p><p k>各省级能源主管部门，各派出机构：</p><p k>　　为加强电力建设工程质量监督（演示文本），定于2025年6月至9月开展质量示例督查，现将有关事项函告如下：</p><p k>　　一、督查范围为在建的单机容量60万千瓦及以上火电项目和装机容量10万千瓦及以上的风电项目，已完成整套启动试运的除外。</p><p k>　　二、各单位应当于2025年6月10日前完成自查，并报送自查报告。</p><p k align="right">国家能源局综合司</p><p k align="right">2025年5月16日</p><div>【关闭窗口】</div></body></html>""",
    (Facts("国家能源局综合司关于开展电力建设工程质量示例督查的函", "国能综函安全〔2025〕60号", "国家能源局综合司", "2025-05-16", ..., ..., ..., "cn"),),
    "gb2312",
    asks=(
        ("电力建设工程质量示例督查的风电项目范围是多大容量？", ("装机容量10万千瓦及以上的风电项目",)),
        ("电力建设工程质量示例督查自查报告什么时候前报送？", ("2025年6月10日前",)),
        ("电力建设工程质量示例督查发现问题的罚款金额是多少？", ()),
    ),
)  # fmt: skip

SD_MAILED = Raw(
    "sd-mailed", "eml",
    """<html><head><meta charset="utf-8"><title>转发</title></head><body><p k>山东省能源局关于做好2026年迎峰度夏示例准备工作的通知</p><p k>鲁能源电力字〔2026〕19号</p><p k>各市能源主管部门，国网山东省电力公司：</p><p k>　　为做好2026年迎峰度夏准备工作（演示文本），现将有关事项通知如下：</p><p k>　　一、各市应当于2026年5月31日前完成负荷管理方案编制，可控负荷不低于本地区最高负荷的20%。</p><p k>　　二、燃煤电厂存煤可用天数不低于12天，低于7天的须立即报告。</p><p k>　　三、本通知自印发之日起实施，至2027年9月30日止。</p><p k>山东省能源局</p><p k>2026年4月28日</p></body></html>""",
    (Facts("山东省能源局关于做好2026年迎峰度夏示例准备工作的通知", "鲁能源电力字〔2026〕19号", "山东省能源局", "2026-04-28", None, "2027-10-01", "binding", "sd"),),
    asks=(
        ("山东2026年迎峰度夏燃煤电厂存煤可用天数不低于多少天？", ("存煤可用天数不低于12天",)),
        ("山东2026年迎峰度夏各市可控负荷不低于最高负荷的多少？", ("20%",)),
        ("山东2029年迎峰度夏负荷管理方案什么时候完成？", ()),
    ),
)  # fmt: skip

GD_BIG5 = Raw(
    "gd-big5", "txt:34",
    """<body><p k>廣東省能源局關於印發《廣東省電動汽車換電站管理辦法》的通知</p><p k>粵能規〔2025〕9號</p><p k>各地級以上市能源主管部門：</p><p k>　　現將《廣東省電動汽車換電站管理辦法》印發給你們（演示文本），請遵照執行。</p><p k>　　　　　　　　　　　　　　廣東省能源局</p><p k>　　　　　　　　　　　　　　2025年5月7日</p><p k>廣東省電動汽車換電站管理辦法</p><p k>第一章　總則</p><p k>第一條　為規範電動汽車換電站的建設和運營，保障用電安全，制定本辦法。</p><p k>第二條　本辦法所稱換電站，是指為電動汽車更換動力電池的固定場所，電池周轉倉位不少於10個。</p><p k>第二章　運營管理</p><p k>第三條　換電站運營企業應當每季度對電池進行一次安全檢測，檢測不合格的電池不得投入使用，但經修復並重新檢測合格的除外。</p><p k>第四條　換電站發生電池起火的，運營企業應當在1小時內報告所在地縣級能源主管部門。</p><p k>第三章　附則</p><p k>第五條　本辦法自2025年6月15日起施行，有效期三年。</p></body>""",
    (
        Facts("广东省能源局关于印发《广东省电动汽车换电站管理办法》的通知", "粤能规〔2025〕9号", "广东省能源局", "2025-05-07", ..., ..., "binding", "gd"),
        Facts("广东省电动汽车换电站管理办法", "粤能规〔2025〕9号", "广东省能源局", "2025-05-07", "2025-06-15", "2028-06-15", "binding", "gd"),
    ),
    "big5",
    asks=(
        ("广东电动汽车换电站发生电池起火的，运营企业应当在多长时间内报告？", ("1小時內",)),
        ("《广东省电动汽车换电站管理办法》第三条规定多久对电池检测一次？", ("每季度", "除外")),
        ("广东电动汽车换电站的换电服务费上限是多少？", ()),
    ),
)  # fmt: skip

SD_WRAPPED = Raw(
    "sd-wrapped", "txt:30",
    """<body><p k>《山东省电力用户示例信用评价办法》解读</p><p k>　　近日，山东省发展改革委印发了《山东省电力用户示例信用评价办法》（鲁发改信用〔2025〕501号），现将有关内容解读如下（演示文本）：</p><p k>　　问：信用等级分几等？</p><p k>　　答：分为AAA、AA、A、B、C五个等级，评价周期为一个自然年，评价结果于次年3月底前公布。</p><p k>　　问：被评为C级有什么后果？</p><p k>　　答：C级用户须缴纳相当于月均电费1.5倍的履约保函，且不得参与绿电交易；完成信用修复的除外。</p></body>""",
    (Facts("《山东省电力用户示例信用评价办法》解读", None, ..., ..., None, None, "interpretation", "sd"),),
    "utf-16",
    asks=(
        ("按解读，山东电力用户被评为C级须缴纳多少履约保函？", ("1.5倍的履约保函",)),
        ("按解读，山东电力用户信用评价结果什么时候公布？", ("次年3月底前",)),
        ("山东电力用户信用评价办法对B级用户的保函怎么要求？", ()),
    ),
)  # fmt: skip

NM_STOPPED = Raw(
    "nm-stopped", "txt:38",
    """<body><p k>内蒙古自治区发展和改革委员会文件</p><p k>内发改法规字〔2025〕77号</p><p k>内蒙古自治区发展和改革委员会关于废止和宣布失效部分电价文件的通知</p><p k>各盟市发展和改革委员会：</p><p k>　　根据文件清理结果（演示文本），决定废止《关于示例蒙西电网丰枯电价的通知》（内发改价字〔2012〕1099号）等2件文件，宣布《关于示例电采暖试点电价的函》（内发改价费函〔2018〕5号）失效。</p><p k>　　一、废止的文件自本通知印发之日起停止执行；宣布失效的文件，其已经执行的价格不再追溯。</p><p k>　　二、电采暖用户2025年至2026年采暖季继续执行居民阶梯电价第一档价格。</p><p k>　　　　　　　　　　　　　　内蒙古自治区发展和改革委员会</p><p k>　　　　　　　　　　　　　　　　　2025年1月9日</p></body>""",
    (Facts("内蒙古自治区发展和改革委员会关于废止和宣布失效部分电价文件的通知", "内发改法规字〔2025〕77号", "内蒙古自治区发展和改革委员会", "2025-01-09", ..., None, "binding", "nm"),),
    "gb18030",
    asks=(
        ("内发改价字〔2012〕1099号还有效吗？什么时候停止执行？", ("决定废止", "1099号")),
        ("内蒙古电采暖用户2025年至2026年采暖季执行什么价格？", ("居民阶梯电价第一档价格",)),
        ("内蒙古电采暖用户2027年采暖季执行什么价格？", ()),
    ),
)  # fmt: skip

OFFICE_PAPERS = (
    NM_NUMBERED, SD_TRACKED, GD_MERGED, NEA_CLAUSES, SD_MINUTES, GD_BOOK, NM_ENDED, SD_PAGED, NF_PRINTED, GD_TRADE,
    NM_SIDEWAYS, NDRC_FOOTED, NEA_SAVED, SD_MAILED, GD_BIG5, SD_WRAPPED, NM_STOPPED,
)  # fmt: skip
