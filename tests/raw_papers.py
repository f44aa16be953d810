"""Whole official papers (演示文本) in the raw form in which sites print and offices send them, each in a design of its own.

Every source is written as HTML, whatever file it becomes (``raw_carriers``). Elements marked ``k`` are the paper, ``t`` what may stay or
stand beside it (headlines, 抄送, tables of contents); all other words belong to the site or the print and must not be found in the text. ``Facts`` is what a careful reader notes.
The papers were written from how administrations write and print, not from how the readers of this project decide.
"""

from dataclasses import dataclass

from tests.paper_samples import Facts


@dataclass(frozen=True)
class Raw:
    """One file: its form (a suffix), its source, and the facts of each regulation in it."""

    code: str
    form: str
    source: str
    facts: tuple[Facts, ...]
    encoding: str = "utf-8"
    asks: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Questions, each with the pieces that its quote (or table row) must hold; none where it must be refused."""
    tables: tuple[tuple[str, str], ...] = ()
    """Rows of its tables as they are read, each behind a word of the header it stands under."""


NM_OFFICE = Raw(
    "nm-office", "html",
    """<!DOCTYPE html><html><head><meta charset="utf-8"><title>内蒙古自治区人民政府办公厅关于印发自治区分散式风电开发管理实施办法的通知_示例门户</title></head><body>
<div class="gb-top"><span>今天是2036年8月2日 星期六</span><a href="#">无障碍阅读</a><a href="#">长者专区</a><a href="#">蒙古文</a></div>
<ul class="menu"><li><a href="#">走进示例</a></li><li><a href="#">示例要闻</a></li><li><a href="#">示例政务</a></li><li><a href="#">示例服务</a></li></ul>
<div class="bread"><i></i><a href="#">首页</a><em>/</em><a href="#">政务公开</a><em>/</em><a href="#">政府文件</a><em>/</em><a href="#">内政办发</a></div>
<div class="xxgk-con"><table class="bgtable"><tbody>
<tr><th>索引号</th><td>11150000011512000M/2036-01552</td><th>发文机关</th><td>内蒙古自治区人民政府办公厅</td></tr>
<tr><th>信息分类</th><td>能源 \\ 新能源</td><th>概述</th><td t>印发自治区分散式风电开发管理实施办法</td></tr>
<tr><th>发文字号</th><td>内政办发〔2036〕41号</td><th>时效性</th><td>有效</td></tr>
<tr><th>成文日期</th><td>2036-07-11 00:00:00</td><th>公布日期</th><td>2036-07-19 17:45:00</td></tr></tbody></table>
<h1 t class="ctitle">内蒙古自治区人民政府办公厅<br>关于印发自治区分散式风电开发<br>管理实施办法的通知</h1>
<div class="tools"><span>发布时间：2036-07-19 17:45</span><span>来源：示例办公厅</span><span>【字体：<a href="#">大</a> <a href="#">中</a> <a href="#">小</a>】</span><span>【打印】</span><span>【收藏】</span></div>
<div class="view"><p k style="text-align:center">内政办发〔2036〕41号</p>
<p k>各盟行政公署、市人民政府，自治区各有关委、办、厅、局：</p>
<p k>经自治区人民政府同意（演示文本），现将《自治区分散式风电开发管理实施办法》印发给你们，请结合实际认真组织实施。</p>
<p k style="text-align:right">内蒙古自治区人民政府办公厅</p><p k style="text-align:right">2036年7月11日</p><p k>（此件公开发布）</p>
<p k style="text-align:center"><b>自治区分散式风电开发管理实施办法</b></p>
<p k align="center">第一章　总　则</p>
<p k><b>第一条</b>　为促进分散式风电有序开发，根据国家有关规定，结合自治区实际，制定本办法。</p>
<p k><b>第二条</b>　本办法所称分散式风电，是指接入电压等级不超过110千伏、就近消纳、不以大规模远距离输送为目的的风电项目。</p>
<p k align="center">第二章　开发管理</p>
<p k><b>第三条</b>　旗县（市、区）能源主管部门每年3月底前提出年度开发计划，经盟市能源主管部门汇总后报自治区能源局备案。</p>
<p k><b>第四条</b>　单个项目装机容量不得超过5万千瓦，但接入66千伏及以下电压等级且就地消纳比例达到80%的除外。</p>
<p k>项目单位应当自备案之日起18个月内建成并网。</p>
<p k align="center">第三章　附　则</p>
<p k><b>第五条</b>　本办法由自治区能源局负责解释。</p>
<p k><b>第六条</b>　本办法自2036年8月15日起施行，有效期至2041年8月14日。</p></div>
<div class="ewm"><img src="q.png"><p>手机扫码看本文</p></div><div class="fx"><span>分享</span><a href="#">微信好友</a><a href="#">新浪微博</a></div>
<div class="updown"><p>上一篇：<a href="#">关于印发示例区节水行动方案的通知</a></p><p>下一篇：<a href="#">关于调整示例领导小组成员的通知</a></p></div></div>
<div class="footer"><p>主办单位：示例自治区人民政府办公厅</p><p>蒙公网安备15010000000号　政府网站标识码：1500000044</p></div></body></html>""",
    (
        Facts("内蒙古自治区人民政府办公厅关于印发自治区分散式风电开发管理实施办法的通知", "内政办发〔2036〕41号", "内蒙古自治区人民政府办公厅", "2036-07-11", ..., ..., "binding", "nm"),
        Facts("自治区分散式风电开发管理实施办法", "内政办发〔2036〕41号", "内蒙古自治区人民政府办公厅", "2036-07-11", "2036-08-15", "2041-08-15", "binding", "nm"),
    ),
)  # fmt: skip

GD_JOINT = Raw(
    "gd-joint", "docx",
    """<body><table><tr><td k>广东省能源局<br>广东省市场监督管理局<br>国家能源局南方监管局</td><td k>文件</td></tr></table>
<p k class="c">粤能新能［2035］62号</p>
<p k class="c big">广东省能源局　广东省市场监督管理局</p><p k class="c big">国家能源局南方监管局关于加强海上风电</p><p k class="c big">项目并网检测工作的通知</p>
<p k>各地级以上市发展改革局、市场监督管理局，广东电网公司，各海上风电企业：</p>
<p k>为加强海上风电项目并网检测管理（演示文本），保障电网安全运行，现将有关事项通知如下：</p>
<p k>一、严格检测范围。接入220千伏及以上电压等级的海上风电项目，首台机组并网后六个月内应完成全部并网检测项目。</p>
<p k>二、规范检测机构。检测机构应当取得检验检测机构资质认定，并在资质范围内出具报告。</p>
<p k>（一）检测机构不得由项目单位的关联企业担任；</p><p k>（二）检测报告保存期限不得少于10年。</p>
<p k>三、强化结果应用。逾期未完成检测的机组，电网企业可以按照额定容量的50%限制其出力，直至检测合格。</p>
<p k>四、本通知自印发次月1日起施行，有效期3年。</p>
<p k>　　附件：1．海上风电项目并网检测项目表</p><p k>　　　　　2．并网检测情况报告（格式）</p>
<p k class="r">广东省能源局</p><p k class="r">广东省市场监督管理局</p><p k class="r">国家能源局南方监管局</p><p k class="r">2035年10月22日</p>
<p k>公开方式：主动公开</p>
<table><tr><td k>抄送：国家能源局，省发展改革委、省自然资源厅。</td></tr><tr><td k>广东省能源局办公室</td><td k>2035年10月23日印发</td></tr></table>
<br class="page"><p k>附件1</p><p k class="c big">海上风电项目并网检测项目表</p>
<table border="1"><tr><td k>序号</td><td k>检测项目</td><td k>完成时限</td></tr><tr><td k>1</td><td k>低电压穿越能力</td><td k>首台机组并网后3个月</td></tr><tr><td k>2</td><td k>一次调频能力</td><td k>首台机组并网后6个月</td></tr></table>
<br class="page"><p k>附件2</p><p k class="c big">并网检测情况报告（格式）</p><p k>项目名称：________　装机容量：____万千瓦</p>
<footer>— 3 —</footer></body>""",
    (
        Facts("广东省能源局 广东省市场监督管理局 国家能源局南方监管局关于加强海上风电项目并网检测工作的通知", "粤能新能〔2035〕62号", "广东省能源局、广东省市场监督管理局、国家能源局南方监管局", "2035-10-22", None, "2038-11-01", "binding", "gd"),
    ),
)  # fmt: skip

SD_AGENT_PRICES = Raw(
    "sd-agent-prices", "xlsx",
    """<body><table><tr><td k colspan="9">国网山东省电力公司代理购电工商业用户电价表（演示文本）</td></tr>
<tr><td k colspan="5">（执行时间：2035年3月1日-2035年3月31日）</td><td k colspan="4">单位：元/千瓦时、元/千伏安·月</td></tr>
<tr><td k rowspan="2" colspan="2">用电分类</td><td k rowspan="2">电压等级</td><td k colspan="4">分时电度用电价格</td><td k colspan="2">容（需）量用电价格</td></tr>
<tr><td k>尖峰时段</td><td k>高峰时段</td><td k>平时段</td><td k>低谷时段</td><td k>最大需量</td><td k>变压器容量</td></tr>
<tr><td k rowspan="4">工商业用电</td><td k rowspan="2">单一制</td><td k>不满1千伏</td><td k>1.1873</td><td k>0.9987</td><td k>0.7121</td><td k>0.4255</td><td></td><td></td></tr>
<tr><td k>1-10千伏</td><td k>1.1673</td><td k>0.9787</td><td k>0.6921</td><td k>0.4055</td><td></td><td></td></tr>
<tr><td k rowspan="2">两部制</td><td k>1-10千伏</td><td k>1.0673</td><td k>0.8787</td><td k>0.6321</td><td k>0.3755</td><td k>38.4</td><td k>24.0</td></tr>
<tr><td k>35-110千伏以下</td><td k>1.0473</td><td k>0.8587</td><td k>0.6121</td><td k>0.3555</td><td k>35.2</td><td k>22.0</td></tr>
<tr><td k colspan="9">注：1.上表所列价格包含代理购电价格、上网环节线损费用、输配电价、系统运行费用和政府性基金及附加。</td></tr>
<tr><td k colspan="9">    2.分时电价时段划分：高峰时段为16:00至22:00，低谷时段为10:00至15:00，其余为平时段。</td></tr></table></body>""",
    (Facts("国网山东省电力公司代理购电工商业用户电价表（演示文本）", None, ..., ..., "2035-03-01", "2035-04-01", ..., "sd"),),
)  # fmt: skip

NEA_ANNOUNCEMENT = Raw(
    "nea-announcement", "html",
    """<html><head><meta charset="utf-8"><title>国家能源局公告 2035年 第6号</title></head><body>
<div id="top"><img alt="logo" src="l.png"><form><input type="text" value="站内搜索示例"></form><ul><li><a href="#">组织机构示例</a></li><li><a href="#">新闻中心示例</a></li><li><a href="#">在线办事示例</a></li></ul></div>
<div class="place">您现在的位置：<a href="#">示例首页</a> &gt; <a href="#">公告</a></div>
<dl class="index"><dt>索引号：</dt><dd>000019705/2035-00066</dd><dt>主办单位：</dt><dd>能源节约和科技装备司</dd><dt>制发日期：</dt><dd>2035-05-30</dd></dl>
<div t class="titles"><font>国家能源局公告</font><br><font>2035年　第6号</font></div>
<table width="100%"><tr><td><div class="author">发布时间：2035-06-09　　来源：国家能源局</div></td><td><div class="size">大 中 小</div></td></tr></table>
<table class="article"><tr><td><div><p k>　　根据《能源行业标准管理示例规定》有关要求（演示文本），国家能源局批准《海上光伏支架设计规范（示例）》等2项能源行业标准（附件），现予以公告，自2035年11月30日起实施。</p>
<p k>　　特此公告。</p><p k>　　附件：行业标准目录</p><p k style="text-align:right">国家能源局　　</p><p k style="text-align:right">2035年5月30日　　</p>
<p k>附件</p><p k align="center"><strong>行业标准目录</strong></p>
<table border="1" cellspacing="0"><tr><td k>序号</td><td k>标准编号</td><td k>标准名称</td><td k>批准日期</td><td k>实施日期</td></tr>
<tr><td k>1</td><td k>NB/T 92001—2035</td><td k>海上光伏支架设计规范（示例）</td><td k>2035-05-30</td><td k>2035-11-30</td></tr>
<tr><td k>2</td><td k>NB/T 92002—2035</td><td k>储能变流器检修规程（示例）</td><td k>2035-05-30</td><td k>2035-11-30</td></tr></table></div></td></tr></table>
<div class="bot"><a href="#">关于我们示例</a> | <a href="#">网站声明示例</a> | <a href="#">网站地图示例</a><br>版权所有：示例局　京ICP备11000000号-1　网站标识码bm62000002</div></body></html>""",
    (Facts("国家能源局公告2035年第6号", "国家能源局公告2035年第6号", "国家能源局", "2035-05-30", "2035-11-30", None, "binding", "cn"),),
)  # fmt: skip

NDRC_REPLY = Raw(
    "ndrc-reply", "pdf",
    """<style>body{font:16pt/2 "Noto Serif CJK SC",serif;width:15.6cm}p{margin:0;text-indent:2em;text-align:justify}.c{text-align:center;text-indent:0}.r{text-align:right;text-indent:0}.red{color:red;font-size:30pt}.seal{position:absolute;right:1cm;width:4cm;height:4cm;margin-top:-3cm;border:3px solid red;border-radius:50%;opacity:.6}</style>
<body><p k class="c red">国家发展和改革委员会办公厅</p><p k class="c red">国家能源局综合司</p><hr color="red">
<p k style="text-indent:0">发改办能源〔2035〕377<br>号</p>
<p k class="c">国家发展改革委办公厅 国家能源局综合司<br>关于同意山东省开展配电网分时容量<br>电价试点的复函</p>
<p k style="text-indent:0">山东省发展改革委、能源局：</p>
<p k>你们《关于申请开展配电网分时容量电价试点的请示》（鲁发改能源〔2035〕208号）收悉（演示文本）。经研究，现函复如下：</p>
<p k>一、同意在济南、烟台两市开展配电网分时容量电价试点，试点期限为2035年7月1日至2037年6月30日。</p>
<p k>二、试点期间，容量电价在基准水平上的浮动幅度不超过20%，其中居民生活用电和农业生产用电不参与试点。</p>
<p k>三、请你们加强组织领导，每半年报送试点进展情况，重大问题及时报告。</p>
<p k class="r">国家发展改革委办公厅</p><p k class="r">国家能源局综合司</p><p k class="r">2035年6月12日</p><div class="seal"></div>
<p t style="text-indent:0">抄送：国家能源局山东监管办公室，国网山东省电力公司。</p></body>""",
    (Facts("国家发展改革委办公厅 国家能源局综合司关于同意山东省开展配电网分时容量电价试点的复函", "发改办能源〔2035〕377号", "国家发展改革委办公厅、国家能源局综合司", "2035-06-12", ..., ..., ..., ...),),
)  # fmt: skip

SD_DRAFT = Raw(
    "sd-draft", "html",
    """<!DOCTYPE html><html><head><meta charset="utf-8"><title>示例省能源局 意见征集 山东省能源局关于公开征求《山东省新型储能电站调度运行管理规定（征求意见稿）》意见的公告</title><meta name="SiteName" content="示例网"></head><body>
<header><div>智能机器人小示例为您服务</div><nav><a href="#">网站首页</a><a href="#">机构职能</a><a href="#">政府信息公开</a><a href="#">互动交流</a></nav></header>
<div class="pos">当前位置：首页 - 互动交流 - 意见征集</div>
<div class="yjzj"><div class="zt"><span class="red">已结束</span></div><div class="item"><label>征集时间：</label><b>2034-09-03 至 2034-10-08</b></div><div class="item"><label>意见数量：</label><b>12条</b></div></div>
<div t class="bt">山东省能源局关于公开征求《山东省新型储能电站调度运行管理规定（征求意见稿）》意见的公告</div><div class="ly">2034-09-03 15:02:11　文章来源：规划处　点击：<em>2033</em>次</div>
<article><section><p k>　　为规范新型储能电站调度运行（演示文本），我局组织起草了《山东省新型储能电站调度运行管理规定（征求意见稿）》，现向社会公开征求意见。如有意见建议，请于2034年10月8日前反馈至邮箱 sdcn@example.com。</p>
<p k>　　联系人及电话：示例处 0531-00000000</p><p k>　　附件：山东省新型储能电站调度运行管理规定（征求意见稿）</p><p k align="right">山东省能源局</p><p k align="right">2034年9月3日</p>
<p k>附件：</p><p k align="center">山东省新型储能电站调度运行管理规定</p><p k align="center">（征求意见稿）</p>
<p k>　　第一条 为规范山东电网新型储能电站调度运行，提高利用水平，制定本规定。</p>
<p k>　　第二条 本规定适用于接入35千伏及以上电压等级、功率5兆瓦及以上的新型储能电站。</p>
<p k>　　第三条 调度机构应当按照公平、透明的原则安排储能电站充放电，全年完全充放电次数不低于300次。</p>
<p k>　　第四条 储能电站可用率低于90%的，按照有关规定进行考核，因电网原因造成的除外。</p>
<p k>　　第五条 本规定由山东省能源局负责解释。</p>
<p k>　　第六条 本规定自2035年1月1日起施行，有效期至2039年12月31日。</p></section></article>
<div class="fb"><h3>意见反馈情况</h3><p>征集期间共收到意见12条，采纳5条，感谢社会各界支持。</p></div><div class="yjtx"><textarea>请输入您的意见</textarea><button>提交</button></div>
<footer><span>网站标识码：3700000100</span><span>鲁公网安备 37010000000001号</span></footer></body></html>""",
    (
        Facts("山东省能源局关于公开征求《山东省新型储能电站调度运行管理规定（征求意见稿）》意见的公告", None, "山东省能源局", "2034-09-03", ..., ..., "draft", "sd"),
        Facts("山东省新型储能电站调度运行管理规定（征求意见稿）", None, "山东省能源局", ..., ..., ..., "draft", "sd"),
    ),
)  # fmt: skip

GD_EXPLAINED = Raw(
    "gd-explained", "html",
    """<html><head><meta charset="utf-8"><title>《广东省绿色电力证书核销管理办法》政策解读</title></head><body><div class="menu"><a href="#">首页</a><a href="#">解读</a></div>
<h2 t>《广东省绿色电力证书核销管理办法》政策解读</h2><p class="info">发布日期：2035-08-21 09:15　来源：新能源处　<a href="#">[打印]</a> <a href="#">[关闭]</a></p>
<div class="fwj">关联文件：<a href="#">广东省能源局关于印发《广东省绿色电力证书核销管理办法》的通知</a></div>
<div id="content"><p k>　　2035年8月14日，广东省能源局印发《广东省绿色电力证书核销管理办法》（粤能规〔2035〕2号，以下简称《办法》），自2035年10月1日起施行。现就《办法》解读如下（演示文本）：</p>
<p k><strong>　　一、起草背景是什么？</strong></p><p k>　　绿色电力证书核销关系到能耗统计和碳排放核算，原有做法由各企业自行申报，口径不一。</p>
<p k><strong>　　二、主要内容有哪些？</strong></p><p k>　　《办法》共5章26条，明确核销主体、核销时限和异议处理。证书自核发之日起24个月内有效，逾期自动核销。</p>
<p k><strong>　　三、跨省购买的证书怎么办？</strong></p><p k>　　按照消费侧所在地核销，不重复计入。</p></div>
<div class="rel"><b>一图读懂</b><a href="#">图解：广东省绿色电力证书核销管理办法</a></div><div class="foot">粤ICP备05070000号　网站标识码4400000131</div></body></html>""",
    (Facts("《广东省绿色电力证书核销管理办法》政策解读", None, ..., ..., None, None, "interpretation", "gd"),),
)  # fmt: skip

NM_MINUTES = Raw(
    "nm-minutes", "docx",
    """<body><p k class="c big">内蒙古自治区能源局专题会议纪要</p><p k class="c">〔2034〕9号</p><p k>内蒙古自治区能源局　　　　　　　　　　　2034年4月18日</p>
<p k class="c big">关于研究蒙西电网新能源消纳有关问题的会议纪要</p>
<p k>2034年4月16日，自治区能源局主持召开专题会议（演示文本），研究蒙西电网新能源消纳有关问题。现纪要如下：</p>
<p k>一、会议听取了内蒙古电力（集团）有限责任公司关于一季度新能源利用率情况的汇报。一季度风电利用率为92.6%，光伏利用率为94.1%。</p>
<p k>二、会议议定，自5月起对利用率低于90%的区域暂停新增并网申请受理，待利用率连续两个月回升至92%以上后恢复。</p>
<p k>三、由内蒙古电力（集团）有限责任公司于6月底前提出断面改造方案。</p>
<p k>参会人员：示例甲、示例乙、示例丙。</p><p k>分送：自治区发展和改革委员会，各盟市能源局。</p></body>""",
    (Facts("关于研究蒙西电网新能源消纳有关问题的会议纪要", ..., "内蒙古自治区能源局", "2034-04-18", ..., ..., ..., "nm"),),
)  # fmt: skip

NDRC_DECISION = Raw(
    "ndrc-decision", "html",
    """<html><head><meta charset="gbk"><title>国家发展改革委关于修改《示例电力安全监督办法》的决定（2035年第29号令）-示例委员会</title></head><body>
<div class="logo">示例发展和改革委员会</div><div class="nav2"><a href="#">首页</a><a href="#">机构设置</a><a href="#">新闻动态</a><a href="#">政务公开</a></div>
<div class="crumbs">首页&gt;政务公开&gt;政策&gt;发展改革委令</div><div class="flright"><h5>排行榜</h5><ul><li><a href="#">示例司负责同志就示例办法答记者问</a></li><li><a href="#">关于示例补贴资金的通知（发改示例〔2035〕1号）</a></li></ul></div>
<h3 t class="tt">国家发展改革委关于修改《示例电力安全监督办法》的决定（2035年第29号令）</h3><div class="tm">发布时间：2035/04/02　来源：法规司　[ 打 印 ]</div>
<div class="con"><p k align="center">中华人民共和国国家发展和改革委员会令</p><p k align="center">第29号</p>
<p k>　　《国家发展改革委关于修改〈示例电力安全监督办法〉的决定》已经2035年3月20日第8次委务会审议通过，现予公布，自2035年6月1日起施行。</p>
<p k align="right">主任：示例人</p><p k align="right">2035年3月28日</p>
<p k align="center">国家发展改革委关于修改《示例电力安全监督办法》的决定</p>
<p k>　　国家发展改革委决定对《示例电力安全监督办法》（国家发展和改革委员会令第3号）作如下修改（演示文本）：</p>
<p k>　　一、将第七条修改为：“电力企业应当每季度开展一次安全风险评估，并将评估结果报送所在地派出机构。”</p>
<p k>　　二、删去第十五条第二款。</p><p k>　　三、第二十二条增加一款，作为第三款：“拒不整改的，处一万元以上三万元以下罚款。”</p>
<p k>　　本决定自2035年6月1日起施行。</p><p k>　　《示例电力安全监督办法》根据本决定作相应修改，重新公布。</p></div>
<div class="fj">附件：<a href="#">示例电力安全监督办法（2035年修订）.pdf</a></div><div class="bt">网站标识码：bm04000007　京ICP备05052300号</div></body></html>""",
    (Facts("国家发展改革委关于修改《示例电力安全监督办法》的决定", "国家发展和改革委员会令第29号", ..., "2035-03-28", "2035-06-01", None, "binding", "cn"),),
    "gbk",
)  # fmt: skip

NF_RULES = Raw(
    "nf-rules", "pdf",
    """<style>body{font:14pt/1.8 "Noto Serif CJK SC",serif}p{margin:0;text-indent:2em}.c{text-align:center;text-indent:0;font-size:22pt}.page{break-after:page}table{border-collapse:collapse}td{border:1px solid}</style><body>
<p style="height:6cm"></p><p k class="c">南方区域电力辅助服务市场</p><p k class="c">实施细则</p><p k class="c" style="font-size:16pt">（2034年版）</p><p style="height:6cm"></p><p k class="c" style="font-size:16pt">国家能源局南方监管局</p><p k class="c page" style="font-size:16pt">二〇三四年十一月</p>
<p class="c">目　录</p><p t>1　总则 ........................................ 1</p><p t>2　市场成员 .................................... 2</p><p t class="page">2.3　准入与退出 .................................. 2</p>
<h3 k>1　总则</h3><p k>1.1　为规范南方区域电力辅助服务市场运营（演示文本），制定本细则。</p><p k>1.2　本细则适用于南方区域调频、备用辅助服务交易。</p>
<h3 k>2　市场成员</h3><h4 k>2.3　准入与退出</h4><p k>第2.3.1条　发电机组申请进入市场，应当具备自动发电控制功能，调节速率不低于额定容量的1.5%每分钟。</p>
<p k>第2.3.2条　独立储能电站充放电功率不低于5兆瓦、持续时间不少于1小时的，可以申请进入市场；但处于整改期的除外。</p>
<p k class="page">第2.3.3条　市场成员退出市场的，应当提前30日提出申请。</p>
<h3 k>3　结算</h3><p k>第3.1.1条　调频里程补偿费用按照下式计算，申报价格上限为15元/兆瓦。</p><p k>第3.1.2条　各档性能系数见下表。</p>
<table><tr><td k>档位</td><td k>综合性能系数</td><td k>补偿比例</td></tr><tr><td k>第一档</td><td k>不低于1.2</td><td k>100%</td></tr><tr><td k>第二档</td><td k>0.8至1.2</td><td k>80%</td></tr></table>
<h3 k>4　附则</h3><p k>4.1　本细则自2035年1月1日起施行，试行期一年。原《南方区域示例辅助服务细则（2030年版）》同时废止。</p></body>""",
    (Facts("南方区域电力辅助服务市场实施细则（2034年版）", None, "国家能源局南方监管局", ..., "2035-01-01", "2036-01-01", "binding", ...),),
)  # fmt: skip

NM_LIST = Raw(
    "nm-list", "xls",
    """<body><table><tr><td k colspan="6">附件1</td></tr><tr><td k colspan="6">内蒙古自治区2035年保障性并网风电光伏发电项目清单（演示文本）</td></tr>
<tr><td k>序号</td><td k>盟市</td><td k>项目名称</td><td k>项目单位</td><td k>建设规模（万千瓦）</td><td k>并网时限</td></tr>
<tr><td k>1</td><td k>乌兰察布市</td><td k>示例甲旗30万千瓦风电项目</td><td k>示例新能源有限公司</td><td k>30</td><td k>2036年12月底</td></tr>
<tr><td k>2</td><td k>鄂尔多斯市</td><td k>示例乙旗50万千瓦光伏项目</td><td k>示例光伏有限公司</td><td k>50</td><td k>2036年6月底</td></tr>
<tr><td k colspan="4">合计</td><td k>80</td><td></td></tr></table></body>""",
    (Facts("内蒙古自治区2035年保障性并网风电光伏发电项目清单（演示文本）", None, ..., ..., None, None, ..., "nm"),),
)  # fmt: skip

GD_PEAK = Raw(
    "gd-peak", "html",
    """<html><head><meta charset="utf-8"><title>通知公告 - 示例网</title><meta name="description" content="示例描述"></head><body><div class="top"><a href="#">繁體版</a><a href="#">智能问答</a></div><div class="dq">首页&gt;要闻动态&gt;通知公告</div>
<div class="article"><div t class="tt1">广东省发展改革委关于完善我省峰谷分时电价</div><div t class="tt1">政策有关问题的通知</div><div class="sub">粤发改价格〔2035〕3号</div>
<div class="msg">时间：2035-01-12 18:20:01　　来源：价格管理处　　浏览字号：大 中 小</div>
<div class="txt"><div k>各地级以上市发展改革局（委），广东电网公司、深圳供电局：</div><div k>　　为进一步完善我省峰谷分时电价机制（演示文本），现就有关问题通知如下：</div>
<div k>　　一、峰谷分时电价的峰平谷比价从现行的1.70:1:0.38调整为1.75:1:0.35。</div><div class="ad"><a href="#">【专题】示例年度主题教育活动专题专栏</a><span>点击进入专题</span></div>
<div k>　　二、全省统一划分峰谷分时电价时段，具体如下表。</div>
<table><tbody><tr><td k rowspan="2">时段</td><td k colspan="2">起止时间</td><td k rowspan="2">比价</td></tr><tr><td k>7月、8月、9月</td><td k>其他月份</td></tr><tr><td k>尖峰</td><td k>11:00-12:00、15:00-17:00</td><td k>不执行</td><td k>峰价上浮25%</td></tr><tr><td k>低谷</td><td k>0:00-8:00</td><td k>0:00-8:00</td><td k>0.35</td></tr></tbody></table>
<div k>　　注：尖峰电价同时适用于日最高气温达到35℃及以上的高温天。</div><div class="code"><img src="a.png" alt="二维码"><span>关注“示例发改”公众号</span><span>获取更多资讯</span></div>
<div k>　　三、上述规定自2035年2月1日起暂定执行两年。以往规定与本通知不符的，以本通知为准。</div><div k>　　特此通知。</div>
<div k style="text-align:right">广东省发展改革委</div><div k style="text-align:right">二〇三五年一月五日</div></div></div>
<div class="likes">觉得不错，点个赞：<i>36</i></div><div class="f">主办：示例委　版权所有　粤公网安备44010402000000号</div></body></html>""",
    (Facts("广东省发展改革委关于完善我省峰谷分时电价政策有关问题的通知", "粤发改价格〔2035〕3号", "广东省发展改革委", "2035-01-05", "2035-02-01", "2037-02-01", "binding", "gd"),),
)  # fmt: skip

SDB_PRINT = Raw(
    "sdb-print", "print",
    """<html><head><meta charset="utf-8"><title>国家能源局山东监管办公室关于印发《山东省电力中长期交易监管指引》的通知-示例监管办</title><style>body{font-size:15px;line-height:2}.t{text-align:center;font-size:22px}.r{text-align:right}</style></head><body>
<div><a href="#">首页</a>　<a href="#">机构简介</a>　<a href="#">监管动态</a>　<a href="#">行政执法</a></div><div>当前位置：首页 &gt; 通知公告 &gt; 正文</div>
<div t class="t">国家能源局山东监管办公室关于印发《山东省电力中长期交易监管指引》的通知</div><div class="t" style="font-size:13px">来源：示例监管办　日期：2034-12-26　访问量：<i>486</i></div>
<p k>鲁监能市场规〔2034〕8号</p><p k>山东电力交易中心有限公司，国网山东省电力公司，各电力市场经营主体：</p>
<p k>　　为加强山东省电力中长期交易监管（演示文本），维护公平竞争秩序，我办制定了《山东省电力中长期交易监管指引》，现印发给你们，请遵照执行。</p>
<p k class="r">国家能源局山东监管办公室</p><p k class="r">2034年12月20日</p><p k>　　附件：山东省电力中长期交易监管指引</p>
<p k>附件</p><p k class="t">山东省电力中长期交易监管指引</p>
<p k>　　第一条　为了规范山东省电力中长期交易监管工作，根据国家有关规定，制定本指引。</p>
<p k>　　第二条　电力交易机构应当于每月10日前报送上月交易情况，内容包括成交电量、成交均价、市场集中度和结算偏差，遇有价格异常波动的，应当在发生后24小时内专项报告。</p>
<p k>　　第三条　售电公司与其关联发电企业的成交电量占比超过30%的，应当主动披露；未披露的，责令改正。</p>
<p k>　　第四条　市场经营主体对交易结果有异议的，可以自结果公布之日起5个工作日内向电力交易机构提出。</p>
<p k>　　第五条　本指引自发布之日起满三十日施行，有效期五年。</p>
<div>【打印】【关闭】</div><div>扫一扫，手机浏览本页</div><div>主办单位：示例监管办　地址：示例市示例路9号　邮编：250001</div></body></html>""",
    (
        Facts("国家能源局山东监管办公室关于印发《山东省电力中长期交易监管指引》的通知", "鲁监能市场规〔2034〕8号", "国家能源局山东监管办公室", "2034-12-20", ..., ..., "binding", "sd"),
        Facts("山东省电力中长期交易监管指引", "鲁监能市场规〔2034〕8号", "国家能源局山东监管办公室", "2034-12-20", None, "2040-01-19", "binding", "sd"),
    ),
)  # fmt: skip

NM_PRE = Raw(
    "nm-pre", "html",
    """<html><head><meta http-equiv="Content-Type" content="text/html; charset=gb2312"><title>无标题文档</title></head><body><table width="980" align="center" border="0"><tr><td bgcolor="#336699"><font color="#fff">示例市能源局门户网站</font></td></tr><tr><td><marquee>欢迎访问示例市能源局门户网站！</marquee></td></tr>
<tr><td><table width="100%"><tr><td width="180" valign="top"><a href="#">单位概况</a><br><a href="#">政策法规</a><br><a href="#">网上办事</a></td><td valign="top"><center><b><font t size="4">内蒙古自治区发展和改革委员会关于调整燃煤发电上网电价有关事项的函</font></b></center><center><font size="2">作者：admin　　发布时间：2034-2-26　　点击数：358</font></center><hr>
<font size="3"><pre k>
    内发改价费函[2034]116号
各盟市发展和改革委员会，内蒙古电力（集团）有限责任公司：
    根据国家燃煤发电上网电价形成机制有关规定（演示文本），结合我区煤炭市场情况，现将调整燃煤
发电上网电价有关事项函告如下：
    一、蒙西地区燃煤发电基准价每千瓦时降低0.55分，调整后为每千瓦时28.29分。
    二、蒙东地区燃煤发电基准价保持每千瓦时30.35分不变。
    三、上述电价自2034年3月1日起执行。
    请你们认真做好相关工作，执行中出现的问题及时报告我委。
                                        内蒙古自治区发展和改革委员会
                                              2034年2月23日
</pre></font></td></tr></table></td></tr><tr><td align="center">Copyright 2034 示例市能源局 All Rights Reserved</td></tr></table></body></html>""",
    (Facts("内蒙古自治区发展和改革委员会关于调整燃煤发电上网电价有关事项的函", "内发改价费函〔2034〕116号", "内蒙古自治区发展和改革委员会", "2034-02-23", "2034-03-01", None, "binding", "nm"),),
    "gbk",
)  # fmt: skip

NEA_PILOT = Raw(
    "nea-pilot", "docx",
    """<body><box k>国家能源局文件</box><p k>国能发新能〔2036〕5号</p><box k>国家能源局关于组织开展第三批新型储能试点示范工作的通知</box>
<p k>各省级能源主管部门，各派出机构，有关中央发电企业：</p>
<p k>为推动新型储能技术创新（演示文本），我局决定组织开展第三批新型储能试点示范工作。有关事项通知如下。</p>
<num k>试点内容</num><p k>重点支持储能时长不低于4小时的长时储能，单个项目装机规模原则上不低于10万千瓦。</p>
<num k>申报条件</num><p k>（一）项目已完成备案；（二）项目建设地点位于新能源消纳困难地区的，优先考虑。</p>
<num k>时间安排</num><p k>请于2036年4月30日前将申报材料（一式三份）报送我局，逾期不予受理。</p>
<p k>本通知自印发之日起实施，有效期至2038年12月31日。</p>
<p k>特此通知。</p><p k>附件：1.新型储能试点示范项目申报表</p><p k>　　　2.项目申报书编制提纲</p><p k class="r">国家能源局</p><p k class="r">2036年1月19日</p><p k>（联系人及电话：示例丁　010-00000000）</p>
<br class="page"><p k>附件1</p><p k class="c">新型储能试点示范项目申报表</p><table border="1"><tr><td k>项目名称</td><td></td><td k>项目单位</td><td></td></tr><tr><td k>装机规模</td><td></td><td k>储能时长</td><td></td></tr></table>
<br class="page"><p k>附件2</p><p k class="c">项目申报书编制提纲</p><p k>一、项目概况</p><p k>二、技术路线和创新点</p><header>国家能源局公文示例页眉</header><footer>第 1 页 共 3 页</footer></body>""",
    (Facts("国家能源局关于组织开展第三批新型储能试点示范工作的通知", "国能发新能〔2036〕5号", "国家能源局", "2036-01-19", None, "2039-01-01", "binding", "cn"),),
)  # fmt: skip

SD_SHOWN = Raw(
    "sd-shown", "html",
    """<html><head><meta charset="utf-8"><title>关于山东省2035年电力需求响应拟入选主体名单的公示</title></head><body><div class="w"><div class="l"><h1 t>关于山东省2035年电力需求响应拟入选主体名单的公示</h1><div class="src">来源：示例处　发布时间：2035-05-14　<span>T大</span><span>T小</span></div>
<div class="body"><p k>根据《关于做好全省2035年电力需求响应工作的通知》要求（演示文本），经企业申报、市级初审、专家评审，拟确定示例智慧能源有限公司等36家单位为2035年电力需求响应主体，现予以公示。</p><p k>公示期为2035年5月14日至5月20日。公示期内如有异议，请以书面形式反馈，并提供必要的证明材料。</p><p k>联系电话：0531-00000001</p><p k>附件：山东省2035年电力需求响应拟入选主体名单</p><p k>山东省能源局</p><p k>2035年5月14日</p></div>
<div class="download"><a href="#">附件：山东省2035年电力需求响应拟入选主体名单.xlsx</a></div></div><div class="rr"><h4>通知公告</h4><ul><li><a href="#">关于示例评标专家入库结果的通知</a>05-13</li><li><a href="#">关于示例培训班延期的通知</a>05-11</li><li><a href="#">示例煤矿生产能力公告</a>05-10</li></ul></div></div></body></html>""",
    (Facts("关于山东省2035年电力需求响应拟入选主体名单的公示", None, "山东省能源局", "2035-05-14", ..., None, "notice", "sd"),),
)  # fmt: skip

GOV_APPROVAL = Raw(
    "gov-approval", "html",
    """<html><head><meta charset="utf-8"><title>国务院关于示例海岸风电基地总体规划的批复（国函〔2035〕88号）_能源_示例政府网</title></head><body><div class="hd"><a href="#">首页</a>|<a href="#">简</a>|<a href="#">繁</a>|<a href="#">EN</a>|<a href="#">登录</a>|<a href="#">个人中心</a></div><div class="bc">首页 &gt; 政策 &gt; 国务院政策文件库 &gt; 国务院文件</div>
<table class="policyLibrary"><tbody><tr><td>标　　题：</td><td colspan="3">国务院关于示例海岸风电基地总体规划的批复</td></tr><tr><td>发文机关：</td><td>国务院</td><td>发文字号：</td><td>国函〔2035〕88号</td></tr><tr><td>主题分类：</td><td>国土资源、能源\\其他</td><td>公文种类：</td><td>函</td></tr><tr><td>成文日期：</td><td>2035年09月27日</td><td>发布日期：</td><td>2035年10月09日</td></tr></tbody></table>
<div class="trs"><p k align="center"><strong>国务院关于示例海岸风电基地<br>总体规划的批复</strong></p><p k align="center">国函〔2035〕88号</p><p k>国家发展改革委、自然资源部：</p><p k>　　你们关于报请审批《示例海岸风电基地总体规划（2035—2045年）》的请示收悉（演示文本）。现批复如下：</p><p k>　　一、原则同意《示例海岸风电基地总体规划（2035—2045年）》（以下简称《规划》），请认真组织实施。</p><p k>　　二、到2040年，基地海上风电装机容量达到3000万千瓦，单位用海面积发电量提高15%以上。</p><p k>　　三、《规划》实施中涉及的重大事项，要及时向党中央、国务院请示报告。</p><p k align="right">国务院</p><p k align="right">2035年9月27日</p><p k>（此件公开发布）</p></div>
<div class="xg"><h4>相关稿件</h4><ul><li><a href="#">示例部门负责人解读示例海岸风电基地总体规划</a></li></ul></div><div class="sh">【我要纠错】</div><div class="qr">扫一扫在手机打开当前页</div><div class="bm">链接：<a href="#">全国人大</a> | <a href="#">全国政协</a></div></body></html>""",
    (Facts("国务院关于示例海岸风电基地总体规划的批复", "国函〔2035〕88号", "国务院", "2035-09-27", ..., None, ..., "cn"),),
)  # fmt: skip

SD_ABOLISH = Raw(
    "sd-abolish", "docx",
    """<body><p k class="c big">山东省发展和改革委员会</p><p k class="c big">关于废止部分行政规范性文件的通知</p><p k class="c">鲁发改法规（2035）410号</p><p k>各市发展改革委，委机关各处室：</p>
<p k>根据行政规范性文件清理工作安排（演示文本），经研究，决定废止下列文件，自本通知印发之日起停止执行：</p>
<table border="1"><tr><td k>序号</td><td k>文件名称</td><td k>文号</td></tr><tr><td k>1</td><td k>关于示例小水电上网电价的通知</td><td k>鲁价格一发〔2013〕18号</td></tr><tr><td k>2</td><td k>关于示例余热发电收费的通知</td><td k>鲁价费发〔2014〕7号</td></tr></table>
<p k>本通知自印发之日起施行。</p><p k class="r">山东省发展和改革委员会</p><p k class="r">2035年7月2日</p><p k>信息公开属性：主动公开</p><footer>— 1 —</footer></body>""",
    (Facts("山东省发展和改革委员会关于废止部分行政规范性文件的通知", "鲁发改法规〔2035〕410号", "山东省发展和改革委员会", "2035-07-02", None, None, "binding", "sd"),),
)  # fmt: skip

GD_BULLETIN = Raw(
    "gd-bulletin", "pdf",
    """<style>body{font:10.5pt/1.7 "Noto Serif CJK SC",serif}p{margin:0;text-indent:2em;text-align:justify}.c{text-align:center;text-indent:0;font-size:16pt;line-height:1.4}.two{columns:2;column-gap:1cm}.r{text-align:right}</style><body>
<p k class="c">广东省能源局关于印发《广东省充电设施</p><p k class="c">运行安全管理办法》的通知</p><p k class="c" style="font-size:11pt">粤能规〔2034〕1号</p><br><div class="two">
<p k style="text-indent:0">各地级以上市能源主管部门，各充电设施运营企业：</p><p k>现将《广东省充电设施运行安全管理办法》印发给你们，请认真贯彻执行（演示文本）。执行过程中如有问题，请径向我局反映。</p><p k class="r">广东省能源局</p><p k class="r">2034年3月8日</p>
<p k style="text-align:center;text-indent:0"><b>广东省充电设施运行安全管理办法</b></p>
<p k>第一条　为加强充电设施运行安全管理，保障人民群众生命财产安全，根据《广东省示例安全条例》等有关法规，制定本办法。</p>
<p k>第二条　本办法适用于本省行政区域内向社会公众开放的充电设施的运行安全管理，专用充电设施参照执行。</p>
<p k>第三条　充电设施运营企业是运行安全的责任主体，应当建立巡检制度，对直流充电桩每月至少巡检一次，对交流充电桩每季度至少巡检一次，并留存记录不少于三年。</p>
<p k>第四条　充电设施发生漏电、起火等事故的，运营企业应当立即停止使用，并在2小时内向所在地县级能源主管部门报告。情况特别紧急的，可以先行电话报告。</p>
<p k>第五条　县级以上能源主管部门应当每年组织不少于两次的抽查，抽查结果向社会公布。对存在重大隐患的充电设施，责令限期整改；逾期未整改的，依法处理。</p>
<p k>第六条　鼓励运营企业投保安全责任保险，单桩保额不低于五十万元。</p>
<p k>第七条　本办法自2034年5月1日起施行，有效期五年，由广东省能源局负责解释。</p></div></body>""",
    (
        Facts("广东省能源局关于印发《广东省充电设施运行安全管理办法》的通知", "粤能规〔2034〕1号", "广东省能源局", "2034-03-08", ..., ..., "binding", "gd"),
        Facts("广东省充电设施运行安全管理办法", "粤能规〔2034〕1号", "广东省能源局", "2034-03-08", "2034-05-01", "2039-05-01", "binding", "gd"),
    ),
)  # fmt: skip

NM_SETTLEMENT = Raw(
    "nm-settlement", "print",
    """<html><head><meta charset="utf-8"><title>内蒙古自治区能源局 关于明确2036年蒙西现货市场结算参数的通知 - 示例区能源局</title><style>body{font-size:14px;line-height:1.9}.t{font-size:20px;text-align:center}.r{text-align:right}table{border-collapse:collapse;width:100%}td{border:1px solid #333;padding:4px}</style></head><body>
<div>设为首页 | 加入收藏 | 2036年2月1日 星期五</div><table style="border:0"><tr><td style="border:0">索 引 号</td><td style="border:0">11150000MB1948300X/2036-00012</td><td style="border:0">发布日期</td><td style="border:0">2036-01-30</td></tr></table>
<div t class="t">内蒙古自治区能源局 关于明确2036年蒙西现货市场结算参数的通知</div><div class="r">发布机构：示例区能源局　字体显示：大　中　小</div>
<p k>各有关盟市能源局，内蒙古电力（集团）有限责任公司，内蒙古电力交易中心有限公司：</p><p k>　　为做好2036年蒙西电力现货市场结算工作（演示文本），现将有关参数明确如下。</p>
<p k>　　一、结算参数见下表，用户侧和发电侧分别适用。</p><p k style="text-align:center">表1　2036年蒙西现货市场结算参数表</p><p k class="r">单位：元/兆瓦时</p>
<table><tr><td k rowspan="2">类别</td><td k colspan="2">申报限价</td><td k rowspan="2">出清限价上限</td></tr><tr><td k>下限</td><td k>上限</td></tr><tr><td k>燃煤机组</td><td k>0</td><td k>1500</td><td k>5180</td></tr><tr><td k>新能源场站</td><td k>-50</td><td k>1500</td><td k>5180</td></tr><tr><td k>独立储能（充电）</td><td k>-100</td><td k>800</td><td k>5180</td></tr></table>
<p k>　　注：出清限价上限按照月度滚动评估。</p><p k>　　二、上述参数自2036年2月1日0时起执行，执行期暂定一年。</p><p k>　　三、国家另有规定的，从其规定。</p>
<p k class="r">内蒙古自治区能源局</p><p k class="r">2036年1月28日</p><p k>（文号：内能源电力字〔2036〕21号）</p>
<div>分享到：微信　微博　QQ空间</div><div>【返回顶部】</div><div>蒙ICP备2021000000号-1</div></body></html>""",
    (Facts("内蒙古自治区能源局关于明确2036年蒙西现货市场结算参数的通知", "内能源电力字〔2036〕21号", "内蒙古自治区能源局", "2036-01-28", "2036-02-01", "2037-02-01", "binding", "nm"),),
)  # fmt: skip

GD_LEGACY_TXT = Raw(
    "gd-copied", "txt",
    """<body><p>首页</p><p>政务公开</p><p>政策文件</p><p k>广东省发展和改革委员会 广东省财政厅转发国家发展改革委等部门关于</p><p k>示例气价联动政策的通知</p><p>发布时间 ： 2035-12-30 来源 ： 本网 【 字体 ： 小 中 大 】</p><p>分享到</p>
<p k>粤发改价格函〔2035〕2201号</p><p k>各地级以上市发展改革局（委）、财政局：</p><p k>现将《国家发展改革委等部门关于示例气价联动政策的通知》（发改价格〔2035〕900号）转发给你们（演示文本），并提出以下意见，请一并贯彻执行。</p><p k>一、联动周期为一个季度，单次调整幅度不超过每立方米0.5元。</p><p k>二、各地应于2036年1月底前出台实施细则，并报省发展改革委备案。</p><p k>三、本通知自2036年1月1日起实施，试行至2037年12月31日。</p><p k>广东省发展和改革委员会</p><p k>广东省财政厅</p><p k>2035年12月24日</p>
<p>相关附件：</p><p>发改价格〔2035〕900号.pdf</p><p>扫一扫在手机打开当前页</p><p>主办：示例委　网站标识码：4400000131</p></body>""",
    (Facts("广东省发展和改革委员会 广东省财政厅转发国家发展改革委等部门关于示例气价联动政策的通知", "粤发改价格函〔2035〕2201号", "广东省发展和改革委员会、广东省财政厅", "2035-12-24", "2036-01-01", "2038-01-01", "binding", "gd"),),
    "gb18030",
)  # fmt: skip

RAW_PAPERS = (
    NM_OFFICE, GD_JOINT, SD_AGENT_PRICES, NEA_ANNOUNCEMENT, NDRC_REPLY, SD_DRAFT, GD_EXPLAINED, NM_MINUTES, NDRC_DECISION, NF_RULES,
    NM_LIST, GD_PEAK, SDB_PRINT, NM_PRE, NEA_PILOT, SD_SHOWN, GOV_APPROVAL, SD_ABOLISH, GD_BULLETIN, NM_SETTLEMENT, GD_LEGACY_TXT,
)  # fmt: skip
