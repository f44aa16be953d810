"""A second set of whole papers (演示文本) in the forms of ``raw_papers_forms``, written after the readers were made for the first."""

from tests.paper_samples import KnownFacts
from tests.raw_papers import Raw
from tests.raw_papers_forms import PRINT

SD_BOOKLET = Raw(
    "sd-booklet", "pdf:2",
    PRINT + """<body style="font-size:15pt"><p k class="c" style="font-size:20pt">山东省电力需求侧示例管理平台运行规则</p><p k class="c">（试行）</p><p k class="c" style="font-size:17pt">第一章　总则</p><p k>第一条　为规范山东省电力需求侧管理平台（以下简称平台）的建设、接入和运行（演示文本），提高电力资源配置效率，根据《电力需求侧管理办法》等规定，结合我省实际，制定本规则。</p><p k>第二条　本规则适用于山东省行政区域内平台的建设、接入、运行维护和数据应用等活动。法律、法规另有规定的，从其规定。</p><p k>第三条　省能源局负责平台的统筹管理，国网山东省电力公司负责平台的日常运行，相关费用纳入电网企业运行成本，不得向接入用户收取。</p><p k class="c" style="font-size:17pt">第二章　接入管理</p><p k>第四条　报装容量5000千伏安及以上的工业用户应当接入平台，其他用户可以自愿接入；医院、学校等重要用户接入的，应当经其主管部门同意。</p><p k>第五条　用户提出接入申请后，平台运行单位应当在7个工作日内完成现场勘查，在20个工作日内完成设备安装和调试，用户应当提供必要的场地和通信条件。</p><p k>第六条　接入用户的用电数据按照15分钟的周期采集，日采集成功率不得低于97%，采集设备由平台运行单位免费提供并负责维护。</p><p k class="c" style="font-size:17pt">第三章　数据应用</p><p k>第七条　平台数据可以作为需求响应、有序用电执行效果的评价依据；用户对评价结果有异议的，可以自结果发布之日起5个工作日内提出复核申请，平台运行单位应当在3个工作日内答复。</p><p k>第八条　平台运行单位不得将用户数据提供给第三方，但经用户书面同意或者司法机关依法调取的除外。</p><p k class="c" style="font-size:17pt">第四章　附则</p><p k>第九条　本规则由山东省能源局负责解释。</p><p k>第十条　本规则自2026年2月1日起试行，试行期一年。</p></body>""",
    (KnownFacts("山东省电力需求侧示例管理平台运行规则（试行）", None, ..., ..., "2026-02-01", "2027-02-01", "binding", "sd"),),
    asks=(
        ("山东电力需求侧管理平台日采集成功率不得低于多少？", ("不得低于97%",)),
        ("山东电力需求侧管理平台运行单位什么情况下可以将用户数据提供给第三方？", ("除外",)),
        ("山东电力需求侧管理平台接入用户的响应补贴标准是多少？", ()),
    ),
)  # fmt: skip

GD_SPREAD = Raw(
    "gd-spread", "pdf",
    PRINT + """<style>@page{size:A4 landscape}td,th{padding:2px 16px 2px 0;font-weight:normal;text-align:left;vertical-align:top}</style><body><p k class="c" style="font-size:17pt">广东省2026年农村电网示例巩固提升工程计划表</p><p k style="text-indent:0">编制单位：广东省能源局　　　　　单位：万元、公里、台</p><table style="font-size:11pt"><tr><th k>地市</th><th k>项目名称</th><th k>总投资</th><th k>线路长度</th><th k>配变数量</th><th k>完成时限</th></tr><tr><td k>韶关市</td><td k>示例乐昌山区改造</td><td k>3280</td><td k>156.4</td><td k>48</td><td k>2026年9月</td></tr><tr><td k>梅州市</td><td k>示例大埔台区改造</td><td k>2175</td><td></td><td k>63</td><td k>2026年11月</td></tr><tr><td k>清远市</td><td k>示例连南线路改造</td><td k>4120</td><td k>233.8</td><td></td><td k>2026年12月</td></tr><tr><td k>合计</td><td></td><td k>9575</td><td k>390.2</td><td k>111</td><td></td></tr></table><p k style="text-indent:0">备注：总投资含征地费用（演示文本）。</p></body>""",
    (KnownFacts("广东省2026年农村电网示例巩固提升工程计划表", None, ..., ..., ..., ..., ..., "gd"),),
    asks=(
        ("广东示例连南线路改造的线路长度是多少公里？", ("连南", "233.8")),
        ("广东示例大埔台区改造的配变数量是多少？", ("大埔", "63")),
        ("广东示例阳山台区改造的总投资是多少？", ()),
    ),
    tables=(("配变数量", "梅州市 | 示例大埔台区改造 | 2175 |  | 63 | 2026年11月"),),
)  # fmt: skip

NM_FRAMED = Raw(
    "nm-framed", "mhtml",
    """<html><head><meta charset="gbk"><title>示例盟市能源局</title></head><body><div class="logo">示例能源局欢迎您</div><div class="wz">当前位置示例：首页 &gt; 文件</div><inner><h3 t style="text-align:center">关于印发《内蒙古自治区共享储能示例租赁交易细则》的通知</h3><p k>内能源储能〔2026〕9号</p><p k>各盟市能源局，电网企业，各储能企业：</p><p k>现将《内蒙古自治区共享储能示例租赁交易细则》印发给你们（演示文本），请遵照执行。</p><p k align="right">内蒙古自治区能源局</p><p k align="right">2026年1月21日</p><p k>附件</p><p k align="center">内蒙古自治区共享储能示例租赁交易细则</p><p k>第一条 为规范共享储能容量租赁，制定本细则。</p><p k>第二条 租赁期限不少于1年，单次租赁容量不低于5兆瓦，扶贫光伏项目租赁的不受容量限制。</p><p k>第三条 租赁价格由双方协商确定，年租金不超过每千瓦时150元。</p><p k>第四条 租赁合同签订后10个工作日内报盟市能源局备案。</p><p k>第五条 本细则自2026年2月20日起施行，有效期2年。</p></inner><div class="bq">版权归示例局所有　蒙ICP备00000006号</div></body></html>""",
    (
        KnownFacts("关于印发《内蒙古自治区共享储能示例租赁交易细则》的通知", "内能源储能〔2026〕9号", "内蒙古自治区能源局", "2026-01-21", ..., ..., "binding", "nm"),
        KnownFacts("内蒙古自治区共享储能示例租赁交易细则", "内能源储能〔2026〕9号", "内蒙古自治区能源局", "2026-01-21", "2026-02-20", "2028-02-20", "binding", "nm"),
    ),
    "gbk",
    asks=(
        ("内蒙古共享储能租赁年租金不超过多少？", ("每千瓦时150元",)),
        ("内蒙古共享储能单次租赁容量不低于多少？", ("不低于5兆瓦", "不受容量限制")),
        ("内蒙古共享储能租赁的违约金比例是多少？", ()),
    ),
)  # fmt: skip

SD_BOOK = Raw(
    "sd-book", "xls",
    """<body><sheet name="目录说明"><table><tr><td k>附件</td></tr><tr><td></td></tr><tr><td k>山东省2026年度机组示例检修计划（演示文本）</td></tr><tr><td k>说明：检修计划以调度机构最终批准为准。</td></tr></table></sheet><sheet name="火电"><table><cols><col><col><col hidden><col><col><col></cols><tr><td k colspan="6">火电机组检修计划</td></tr><tr><td k rowspan="2">电厂</td><td k rowspan="2">机组</td><td>调度内码示例</td><td k colspan="2">检修时间</td><td k rowspan="2">工期占全年比例</td></tr><tr><td>内码说明示例</td><td k>开始</td><td k>结束</td></tr><tr><td k rowspan="2">示例鲁西电厂</td><td k>1号</td><td>LX0001示例</td><td k>2026年3月1日</td><td k>2026年4月9日</td><td k fmt="0.00%">10.96%</td></tr><tr><td k>2号</td><td>LX0002示例</td><td k>2026年10月8日</td><td k>2026年11月6日</td><td k fmt="0.00%">8.22%</td></tr><tr hidden=""><td>示例退役电厂</td><td>9号示例</td><td>TY0009示例</td><td>2026年1月1日示例</td><td>2026年12月31日示例</td><td>100示例</td></tr><tr><td k>示例鲁东电厂</td><td k>1号</td><td>LD0001示例</td><td k>2026年5月6日</td><td k>2026年6月4日</td><td k fmt="0.00%">8.22%</td></tr></table></sheet><sheet name="核电"><table><tr><td k colspan="4">核电机组检修计划</td></tr><tr><td k>电厂</td><td k>机组</td><td k>开始</td><td k>结束</td></tr><tr><td k>示例海阳核电厂</td><td k>2号</td><td k>2026年9月15日</td><td k>2026年10月20日</td></tr><tr><td k>示例荣成核电厂</td><td k>1号</td><td k>2026年4月1日</td><td k>2026年5月10日</td></tr></table></sheet><sheet name="联系表示例" hidden=""><table><tr><td>示例联系人手机</td><td>13800000000示例</td></tr></table></sheet></body>""",
    (KnownFacts("山东省2026年度机组示例检修计划（演示文本）", None, ..., ..., ..., ..., ..., "sd"),),
    asks=(
        ("示例鲁西电厂2号机组检修什么时候结束？", ("2号", "2026年11月6日")),
        ("示例海阳核电厂2号机组检修什么时候开始？", ("海阳", "2026年9月15日")),
        ("示例退役电厂9号机组检修什么时候开始？", ()),
    ),
    tables=(("结束", "| 2号 | 2026年10月8日 | 2026年11月6日 | 8.22%"), ("开始", "示例海阳核电厂 | 2号 | 2026年9月15日 | 2026年10月20日")),
)  # fmt: skip

NM_ET = Raw(
    "nm-et", "et",
    """<body><table><tr><td></td><td></td></tr><tr><td k colspan="5">蒙西电网2026年第二季度示例辅助服务费用公示表</td></tr><tr><td k colspan="2">公示单位：示例调度控制中心</td><td k colspan="3">单位：万元（演示文本）</td></tr><tr><td k rowspan="2">市场主体类别</td><td k colspan="2">调峰</td><td k colspan="2">调频</td></tr><tr><td k>补偿费用</td><td k>分摊费用</td><td k>补偿费用</td><td k>分摊费用</td></tr><tr><td k>火电</td><td k fmt="#,##0.0">12,480.5</td><td k fmt="#,##0.0">1,033.2</td><td k fmt="#,##0.0">5,210.0</td><td k fmt="#,##0.0">880.7</td></tr><tr><td k>风电</td><td k fmt="#,##0.0">0.0</td><td k fmt="#,##0.0">7,956.1</td><td k fmt="#,##0.0">0.0</td><td k fmt="#,##0.0">2,104.4</td></tr><tr><td k>独立储能</td><td k fmt="#,##0.0">3,310.8</td><td k fmt="#,##0.0">0.0</td><td k fmt="#,##0.0">1,745.6</td><td k fmt="#,##0.0">0.0</td></tr><tr><td k colspan="5">备注：费用以结算单为准。</td></tr></table></body>""",
    (KnownFacts("蒙西电网2026年第二季度示例辅助服务费用公示表", None, ..., ..., ..., ..., ..., "nm"),),
    asks=(
        ("蒙西电网2026年第二季度风电调峰分摊费用是多少？", ("风电", "7,956.1")),
        ("蒙西电网2026年第二季度独立储能调频补偿费用是多少？", ("独立储能", "1,745.6")),
        ("蒙西电网2026年第二季度光伏调峰分摊费用是多少？", ()),
    ),
    tables=(("分摊费用", "风电 | 0.0 | 7,956.1 | 0.0 | 2,104.4"),),
)  # fmt: skip

GD_FORM = Raw(
    "gd-form", "docx",
    """<body><p k class="c big">广东省发展和改革委员会</p><p k class="c big">关于示例海上风电制氢试点支持政策的通知</p><p k class="c">粤发改能源〔2026〕203号</p><p k>各有关市发展改革局：</p><p k>现就示例海上风电制氢试点支持政策通知如下（演示文本）：</p><table border="1"><tr><td k>政策</td><td k>标准</td><td k>期限</td></tr><tr><td k>用海政策</td><td k>海域使用金减免50%</td><td k>前5年</td></tr><tr><td k>电价政策</td><td k><table border="1"><tr><td k>电解槽类型</td><td k>电价上限（元/千瓦时）</td></tr><tr><td k>碱性</td><td k>0.32</td></tr><tr><td k>质子交换膜</td><td k>0.35</td></tr></table></td><td k>前3年</td></tr><tr><td k>补助政策</td><td k>按设备投资的20%补助</td><td k>一次性</td></tr></table><p k>本通知自2026年7月1日起施行，有效期至2029年6月30日。</p><p k class="r">广东省发展改革委</p><p k class="r">2026年6月2日</p></body>""",
    (KnownFacts("广东省发展和改革委员会关于示例海上风电制氢试点支持政策的通知", "粤发改能源〔2026〕203号", "广东省发展改革委", "2026-06-02", "2026-07-01", "2029-07-01", "binding", "gd"),),
    asks=(
        ("广东海上风电制氢试点质子交换膜电解槽的电价上限是多少？", ("质子交换膜", "0.35")),
        ("广东海上风电制氢试点海域使用金减免多少？", ("减免50%",)),
        ("广东海上风电制氢试点固体氧化物电解槽的电价上限是多少？", ()),
    ),
    tables=(("电价上限", "质子交换膜 | 0.35"), ("标准", "补助政策 | 按设备投资的20%补助 | 一次性")),
)  # fmt: skip

NM_STYLED = Raw(
    "nm-styled", "html",
    """<!doctype html><html><head><meta charset="utf-8"><title>内蒙古自治区能源局关于示例煤矿智能化建设奖补办法的公告_公告公示_示例网</title></head><body><div class="t"><a href="#">示例首页</a></div><div id="zoom"><p t style="text-align:center">内蒙古自治区能源局关于示例煤矿智能化建设奖补办法的公告</p><p k>2026年第4号</p><p k>为推进煤矿智能化建设（演示文本），现公告如下：</p><table class="MsoNormalTable" cellspacing="0"><tr><td k style="border:solid windowtext 1.0pt">条目</td><td k style="border:solid windowtext 1.0pt">规定</td></tr><tr><td k style="border:solid windowtext 1.0pt">奖补范围</td><td k style="border:solid windowtext 1.0pt">2025年1月1日后通过验收的智能化采煤工作面</td></tr><tr><td k style="border:solid windowtext 1.0pt">奖补金额</td><td k style="border:solid windowtext 1.0pt">按等级给予奖补：<table style="border-collapse:collapse"><tr><td k style="border:1px solid #000">等级</td><td k style="border:1px solid #000">井工煤矿（万元/个）</td><td k style="border:1px solid #000">露天煤矿（万元/个）</td></tr><tr><td k style="border:1px solid #000">高级</td><td k style="border:1px solid #000">600</td><td k style="border:1px solid #000">450</td></tr><tr><td k style="border:1px solid #000">中级</td><td k style="border:1px solid #000">300</td><td k style="border:1px solid #000">220</td></tr></table></td></tr><tr><td k style="border:solid windowtext 1.0pt">不予奖补</td><td k style="border:solid windowtext 1.0pt">发生较大及以上事故的，当年不予奖补</td></tr></table><p k>本公告自2026年3月1日起施行。</p><p k align="right">内蒙古自治区能源局</p><p k align="right">2026年2月10日</p></div><div>上一篇：<a href="#">示例上一篇</a></div></body></html>""",
    (KnownFacts("内蒙古自治区能源局关于示例煤矿智能化建设奖补办法的公告", ..., "内蒙古自治区能源局", "2026-02-10", "2026-03-01", None, ..., "nm"),),
    asks=(
        ("内蒙古中级智能化露天煤矿每个奖补多少万元？", ("中级", "220")),
        ("内蒙古煤矿智能化建设什么情况下不予奖补？", ("较大及以上事故",)),
        ("内蒙古初级智能化井工煤矿每个奖补多少万元？", ()),
    ),
    tables=(("井工煤矿", "中级 | 300 | 220"), ("规定", "不予奖补 | 发生较大及以上事故的，当年不予奖补")),
)  # fmt: skip

SD_PLAN = Raw(
    "sd-plan", "docx",
    """<body><p k class="c">鲁能源新能〔2026〕31号</p><p k class="c big">关于印发山东省整县分布式光伏示例改造实施方案的通知</p><p k>各市能源局：</p><p k>现将《山东省整县分布式光伏示例改造实施方案》印发给你们（演示文本），请抓好落实。</p><p k class="r">山东省能源局</p><p k class="r">2026年3月18日</p><p k>附件：山东省整县分布式光伏示例改造实施方案</p><br class="page"><p k class="c big">山东省整县分布式光伏示例改造实施方案</p><p k>一、改造目标</p><p k>到2027年底，完成2021年以前并网分布式光伏的“可观、可测、可调、可控”改造，改造率达到95%。</p><p k>二、改造任务</p><p k>（一）10千伏接入的项目于2026年12月底前完成改造，380伏接入的项目于2027年9月底前完成改造。</p><p k>（二）改造费用由项目业主承担，电网企业承担关口以外部分的费用，户用光伏的改造费用由电网企业全部承担。</p><p k>三、保障措施</p><p k>各市于每季度末报送改造进度，未按期改造的项目暂停参与绿电交易。</p></body>""",
    (
        KnownFacts("关于印发山东省整县分布式光伏示例改造实施方案的通知", "鲁能源新能〔2026〕31号", "山东省能源局", "2026-03-18", ..., ..., "binding", "sd"),
        KnownFacts("山东省整县分布式光伏示例改造实施方案", "鲁能源新能〔2026〕31号", "山东省能源局", "2026-03-18", ..., ..., "binding", "sd"),
    ),
    asks=(
        ("山东380伏接入的分布式光伏项目什么时候完成改造？", ("2027年9月底前",)),
        ("山东户用光伏的改造费用由谁承担？", ("由电网企业全部承担",)),
        ("山东分布式光伏改造的补贴标准是多少？", ()),
    ),
)  # fmt: skip

NM_WECHAT = Raw(
    "nm-wechat", "mhtml",
    """<html><head><meta charset="utf-8"><title>内蒙古发布《新能源场站示例涉网性能管理办法》</title></head><body><div class="rich_media_inner"><h1 id="activity-name">内蒙古发布《新能源场站示例涉网性能管理办法》</h1><div id="meta_content"><span>示例电力头条</span> <em id="publish_time">2026-04-20 08:01</em></div><div id="js_content"><p><span style="color:#888">来源：示例能源局</span></p><p k>内蒙古自治区能源局关于印发《内蒙古自治区新能源场站示例涉网性能管理办法》的通知</p><p k>内能源电力〔2026〕55号</p><p k>各盟市能源局，各电网企业：</p><p k>现将《内蒙古自治区新能源场站示例涉网性能管理办法》印发给你们（演示文本），请遵照执行。</p><p k>内蒙古自治区能源局</p><p k>2026年4月16日</p><p k><strong>内蒙古自治区新能源场站示例</strong></p><p k><strong>涉网性能管理办法</strong></p><p k>一、基本要求</p><p k>（一）新能源场站应当具备一次调频能力，调频死区不大于±0.05赫兹，光伏场站不大于±0.06赫兹。</p><p k>（二）无功补偿装置响应时间不大于30毫秒。</p><p k>二、检测与整改</p><p k>（一）场站并网后6个月内完成涉网性能检测，逾期未完成的，调度机构可以限制其出力至额定容量的30%。</p><p k>（二）检测不合格的，3个月内完成整改。</p><p k>三、附则</p><p k>（一）本办法由自治区能源局负责解释。</p><p k>（二）本办法自2026年6月1日起施行，有效期5年。</p><p><img src="end.gif"></p><p>声明：本号转载示例内容仅供交流</p></div><div>喜欢此内容的人还喜欢</div></div></body></html>""",
    (
        KnownFacts("内蒙古自治区能源局关于印发《内蒙古自治区新能源场站示例涉网性能管理办法》的通知", "内能源电力〔2026〕55号", "内蒙古自治区能源局", "2026-04-16", ..., ..., "binding", "nm"),
        KnownFacts("内蒙古自治区新能源场站示例涉网性能管理办法", "内能源电力〔2026〕55号", "内蒙古自治区能源局", "2026-04-16", "2026-06-01", "2031-06-01", "binding", "nm"),
    ),
    asks=(
        ("内蒙古新能源场站无功补偿装置响应时间不大于多少？", ("不大于30毫秒",)),
        ("内蒙古新能源场站逾期未完成涉网性能检测的，出力限制到多少？", ("额定容量的30%",)),
        ("内蒙古新能源场站一次调频的补偿价格是多少？", ()),
    ),
)  # fmt: skip

GD_CARDED = Raw(
    "gd-carded", "html",
    """<html><head><meta charset="utf-8"><title>广东省小水电示例生态流量管理规定</title></head><body><table class="zwgk"><tr><td>索引号</td><td>006939748/2026-00100</td><td>分类</td><td>能源</td></tr><tr><td>发布机构</td><td>广东省水利厅</td><td>成文日期</td><td>2026-02-25</td></tr><tr><td>名称</td><td t>广东省小水电示例生态流量管理规定</td><td>发布日期</td><td>2026-03-10</td></tr><tr><td>文号</td><td>粤水电〔2026〕5号</td><td>主题词</td><td>水电</td></tr></table><div class="article"><p t align="center">广东省小水电示例生态流量管理规定</p><p k>第一条 为保障河流生态流量（演示文本），制定本规定。</p><p k>第二条 小水电站下泄的生态流量不得低于多年平均流量的10%，枯水期不得低于8%，发生供水应急的除外。</p><p k>第三条 监测数据应当每小时上传一次，保存期限不少于3年。</p><p k>第四条 未按照规定下泄生态流量的，由县级水行政主管部门责令限期改正。</p><p k>第五条 本规定自公布之日起三十日后施行。</p></div></body></html>""",
    (KnownFacts("广东省小水电示例生态流量管理规定", "粤水电〔2026〕5号", "广东省水利厅", "2026-02-25", "2026-04-09", None, "binding", "gd"),),
    asks=(
        ("广东小水电站枯水期生态流量不得低于多少？", ("不得低于8%", "除外")),
        ("广东小水电站生态流量监测数据多久上传一次？", ("每小时上传一次",)),
        ("广东小水电站的上网电价是多少？", ()),
    ),
)  # fmt: skip

SD_TITLED = Raw(
    "sd-titled", "html",
    """<html><head><meta charset="gb2312"><title>山东省能源局关于开展示例电力安全生产百日行动的通知示例能源局门户</title></head><body bgcolor="#fff"><table width="1000" align="center"><tr><td>设为首页示例 | 加入收藏示例</td></tr><tr><td><table width="100%"><tr><td width="200"><a href="#">示例栏目一</a><br><a href="#">示例栏目二</a></td><td><p k>各市能源局，各电力企业：</p><p k>　　为深刻吸取事故教训（演示文本），现就开展电力安全生产百日行动通知如下。</p><p k>　　一、行动时间为2026年6月1日至9月8日，分动员部署、排查整治、总结提升三个阶段。</p><p k>　　二、重大隐患应当在发现后2小时内上报，整改期限一般不超过30日，确需延长的，应当经市能源局批准。</p><p k>　　三、对发现的违法行为从严查处，对瞒报隐患的企业予以通报。</p><p k align="right">山东省能源局</p><p k align="right">2026年5月25日</p></td></tr></table></td></tr></table></body></html>""",
    (KnownFacts("山东省能源局关于开展示例电力安全生产百日行动的通知", None, "山东省能源局", "2026-05-25", ..., ..., "binding", "sd"),),
    "gb2312",
    asks=(
        ("山东电力安全生产百日行动中重大隐患发现后多长时间内上报？", ("2小时内上报",)),
        ("山东电力安全生产百日行动的重大隐患整改期限是多久？", ("不超过30日", "批准")),
        ("山东电力安全生产百日行动的奖励标准是多少？", ()),
    ),
)  # fmt: skip

GD_BIG5_TABLE = Raw(
    "gd-big5-table", "html",
    """<html><head><title>關於調整示例跨境供電價格的通知</title></head><body><h1 t>廣東省發展和改革委員會關於調整示例跨境供電價格的通知</h1><p k>粵發改價格〔2026〕12號</p><p k>廣東電網公司：</p><p k>　　經研究（演示文本），決定調整示例跨境供電價格，自2026年1月15日起執行，有效期至2026年12月31日。</p><p k>示例跨境供電價格表</p><p k>單位：元/千瓦時</p><table border="1"><tr><td k>電壓等級</td><td k>高峰時段</td><td k>低谷時段</td></tr><tr><td k>132千伏</td><td k>0.9123</td><td k>0.4512</td></tr><tr><td k>400千伏</td><td k>0.8876</td><td k>0.4398</td></tr></table><p k>註：輸電損耗另行計算。</p><p k>廣東省發展改革委</p><p k>2026年1月8日</p></body></html>""",
    (KnownFacts("广东省发展和改革委员会关于调整示例跨境供电价格的通知", "粤发改价格〔2026〕12号", "广东省发展改革委", "2026-01-08", "2026-01-15", "2027-01-01", "binding", "gd"),),
    "big5hkscs",
    asks=(
        ("广东示例跨境供电400千伏低谷时段价格是多少？", ("400千伏", "0.4398")),
        ("广东示例跨境供电价格什么时候起执行？", ("2026年1月15日起",)),
        ("广东示例跨境供电220千伏高峰时段价格是多少？", ()),
    ),
    tables=(("低谷時段", "400千伏 | 0.8876 | 0.4398"),),
)  # fmt: skip

NEA_BOMMED = Raw(
    "nea-bommed", "txt:10000",
    """<body><p k>国家能源局综合司关于示例电力业务许可有关事项的复函</p><p k>国能综函资质〔2026〕17号</p><p k>南方能源监管局：</p><p k>　　你局《关于示例分散式风电许可事项的请示》（南方监能资质〔2026〕8号）收悉（演示文本）。经研究，函复如下：</p><p k>　　一、单站装机容量6兆瓦以下的分散式风电项目豁免电力业务许可，但参与跨省交易的除外。</p><p k>　　二、已经取得许可的，可以申请注销，注销后不影响其上网电价。</p><p k>　　特此函复。</p><p k>　　　　　　　　　　国家能源局综合司</p><p k>　　　　　　　　　　2026年3月12日</p></body>""",
    (KnownFacts("国家能源局综合司关于示例电力业务许可有关事项的复函", "国能综函资质〔2026〕17号", "国家能源局综合司", "2026-03-12", ..., ..., "binding", "cn"),),
    "utf-32",
    asks=(
        ("单站装机容量多少以下的分散式风电项目豁免电力业务许可？", ("6兆瓦以下", "除外")),
        ("注销电力业务许可后影响上网电价吗？", ("不影响其上网电价",)),
        ("分布式光伏豁免电力业务许可的装机容量是多少？", ()),
    ),
)  # fmt: skip

SD_TWO_TABLES = Raw(
    "sd-two-tables", "xlsx",
    """<body><sheet name="2026"><table><tr><td k colspan="5">山东省2026年居民清洁取暖示例电价执行表（演示文本）</td></tr><tr><td k colspan="5">一、合表用户</td></tr><tr><td k rowspan="2">用户类别</td><td k colspan="2">取暖季</td><td k colspan="2">非取暖季</td></tr><tr><td k>峰段（元/千瓦时）</td><td k>谷段（元/千瓦时）</td><td k>峰段（元/千瓦时）</td><td k>谷段（元/千瓦时）</td></tr><tr><td k>城乡居民合表用户</td><td k fmt="0.0000">0.5750</td><td k fmt="0.0000">0.3850</td><td k fmt="0.0000">0.5850</td><td k fmt="0.0000">0.4150</td></tr><tr><td k>学校合表用户</td><td k fmt="0.0000">0.5550</td><td k fmt="0.0000">0.3750</td><td k fmt="0.0000">0.5650</td><td k fmt="0.0000">0.4050</td></tr><tr><td></td></tr><tr><td k colspan="5">二、一户一表用户</td></tr><tr><td k rowspan="2">档位</td><td k colspan="2">取暖季</td><td k colspan="2">非取暖季</td></tr><tr><td k>峰段（元/千瓦时）</td><td k>谷段（元/千瓦时）</td><td k>峰段（元/千瓦时）</td><td k>谷段（元/千瓦时）</td></tr><tr><td k>第一档</td><td k fmt="0.0000">0.5769</td><td k fmt="0.0000">0.3769</td><td k fmt="0.0000">0.5769</td><td k fmt="0.0000">0.3769</td></tr><tr><td k>第三档</td><td k fmt="0.0000">0.8769</td><td k fmt="0.0000">0.6769</td><td k fmt="0.0000">0.8769</td><td k fmt="0.0000">0.6769</td></tr><tr><td k colspan="5">注：取暖季为11月15日至次年3月15日。</td></tr></table></sheet></body>""",
    (KnownFacts("山东省2026年居民清洁取暖示例电价执行表（演示文本）", None, ..., ..., ..., ..., ..., "sd"),),
    asks=(
        ("山东学校合表用户取暖季谷段电价是多少？", ("学校合表用户", "0.3750")),
        ("山东居民一户一表第三档取暖季峰段电价是多少？", ("第三档", "0.8769")),
        ("山东养老机构合表用户取暖季谷段电价是多少？", ()),
    ),
    tables=(("用户类别", "学校合表用户 | 0.5550 | 0.3750 | 0.5650 | 0.4050"), ("档位", "第三档 | 0.8769 | 0.6769 | 0.8769 | 0.6769")),
)  # fmt: skip

GD_TWOUP_PRICES = Raw(
    "gd-twoup-prices", "2up",
    """<html><head><meta charset="utf-8"><title>关于公布示例港口岸电服务价格的通知-示例发改委</title><style>body{font-size:18px;line-height:2.2}table{border-collapse:collapse;width:100%}td{border:1px solid;padding:5px}.c{text-align:center;font-size:24px}</style></head><body><div>示例发改委网站　便民提示示例：今日多云</div><div t class="c">广东省发展改革委关于公布示例港口岸电服务价格的通知</div><div style="text-align:center;font-size:12px">时间：2026-02-06 16:20:11　浏览量：示例</div><p k>粤发改价格函〔2026〕145号</p><p k>各沿海地级以上市发展改革局：</p><p k>　　为促进港口岸电使用（演示文本），减少船舶靠港排放，根据《广东省定价目录》有关规定，经成本调查和集体审议，现将港口岸电服务价格公布如下，自2026年3月1日起执行，有效期三年。</p><p k>　　一、岸电服务费实行最高限价管理，港口经营企业可以在最高限价内下浮，下浮幅度不限，不得在限价外收取接电费、设备使用费等其他费用；船舶自带变频设备的，服务费减半收取。</p><p k>　　二、岸电电价执行大工业用电价格，免收容（需）量电费，港口经营企业不得加价转供，违反规定的由市场监督管理部门依法处理。</p><p k>　　三、港口经营企业应当在收费场所的显著位置公示收费项目、标准和投诉电话，按月保存收费记录，保存期限不少于两年，并于每年一月底前向所在市发展改革部门报送上一年度收费情况。</p><p k>　　四、各市发展改革部门应当加强监测，执行中的情况和问题及时报告省发展改革委。</p><p k class="c">港口岸电服务费最高限价表</p><p k style="text-align:right">单位：元/千瓦时</p><table><tr><td k>泊位等级</td><td k>高压岸电</td><td k>低压岸电</td></tr><tr><td k>5万吨级以下</td><td k>0.55</td><td k>0.48</td></tr><tr><td k>5万吨级至10万吨级</td><td k>0.50</td><td k>0.45</td></tr><tr><td k>10万吨级以上</td><td k>0.46</td><td k>0.42</td></tr></table><p k>注：服务费含增值税。</p><p k style="text-align:right">广东省发展改革委</p><p k style="text-align:right">2026年2月4日</p><div>主办：示例省发展改革委　粤ICP备00000002号</div><div>网站标识码：4400000077　网站地图示例</div></body></html>""",
    (KnownFacts("广东省发展改革委关于公布示例港口岸电服务价格的通知", "粤发改价格函〔2026〕145号", "广东省发展改革委", "2026-02-04", "2026-03-01", "2029-03-01", "binding", "gd"),),
    asks=(
        ("广东10万吨级以上泊位高压岸电服务费最高限价是多少？", ("10万吨级以上", "0.46")),
        ("广东港口岸电船舶自带变频设备的服务费怎么收？", ("减半收取",)),
        ("广东内河码头岸电服务费最高限价是多少？", ()),
    ),
    tables=(("低压岸电", "10万吨级以上 | 0.46 | 0.42"),),
)  # fmt: skip

NM_ANNEXES = Raw(
    "nm-annexes", "docx",
    """<body><p k class="c big">内蒙古自治区能源局关于印发《自治区氢能示例加注站运营管理办法》的通知</p><p k class="c">内能源科技〔2026〕40号</p><p k>各盟市能源局：</p><p k>经研究（演示文本），现将《自治区氢能示例加注站运营管理办法》印发给你们，请遵照执行。</p><p k>附件：1.自治区氢能示例加注站运营管理办法</p><p k>2.加注站运营情况季报表</p><p k class="r">内蒙古自治区能源局</p><p k class="r">2026年5月12日</p><br class="page"><p k>附件1</p><p k class="c big">自治区氢能示例加注站运营管理办法</p><p k>1 总则</p><p k>1.1 本办法适用于自治区范围内的氢能加注站。</p><p k>1.2 旗县能源主管部门负责日常监管。</p><p k>2 运营要求</p><p k>2.1 加注站氢气纯度不得低于99.97%，每季度委托检测一次。</p><p k>2.2 单站日加注能力不低于500千克，示范期内的老旧站可以放宽至300千克。</p><p k>3 附则</p><p k>3.1 本办法自2026年6月20日起施行，有效期三年。</p><br class="page"><p k>附件2</p><p k class="c big">加注站运营情况季报表</p><table border="1"><tr><td k>站名</td><td k>加注量（千克）</td><td k>停运天数</td></tr><tr><td k>　</td><td></td><td></td></tr></table></body>""",
    (
        KnownFacts("内蒙古自治区能源局关于印发《自治区氢能示例加注站运营管理办法》的通知", "内能源科技〔2026〕40号", "内蒙古自治区能源局", "2026-05-12", ..., ..., "binding", "nm"),
        KnownFacts("自治区氢能示例加注站运营管理办法", "内能源科技〔2026〕40号", "内蒙古自治区能源局", "2026-05-12", "2026-06-20", "2029-06-20", "binding", "nm"),
    ),
    asks=(
        ("内蒙古氢能加注站氢气纯度不得低于多少？", ("不得低于99.97%",)),
        ("内蒙古氢能加注站单站日加注能力不低于多少？", ("不低于500千克", "300千克")),
        ("内蒙古氢能加注站的氢气售价上限是多少？", ()),
    ),
)  # fmt: skip

MORE_FORM_PAPERS = (
    SD_BOOKLET, GD_SPREAD, NM_FRAMED, SD_BOOK, NM_ET, GD_FORM, NM_STYLED, SD_PLAN, NM_WECHAT, GD_CARDED, SD_TITLED, GD_BIG5_TABLE,
    NEA_BOMMED, SD_TWO_TABLES, GD_TWOUP_PRICES, NM_ANNEXES,
)  # fmt: skip
