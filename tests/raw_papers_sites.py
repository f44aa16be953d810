"""More whole papers (演示文本) as the pages of several families of site software, each with what a user asks of it.

Marks as in ``raw_papers``; ``asks`` names for each question the pieces that the quote (or its table row) must hold, none where the paper does not say it.
"""

from tests.paper_samples import Facts
from tests.raw_papers import Raw

SD_LINKED = Raw(
    "sd-linked", "html",
    """<!DOCTYPE html><html><head><meta charset="utf-8"><title>山东省发展和改革委员会 规范性文件 关于印发《山东省虚拟电厂运营管理办法》的通知</title>
<meta name="SiteName" content="山东省发展和改革委员会"><meta name="ColumnName" content="规范性文件"><meta name="PubDate" content="2025-04-09 10:22"><meta name="ContentSource" content="示例处">
<script>var pageData={"docid":"a1","title":"关于印发《山东省虚拟电厂运营管理办法》的通知","reldocs":[{"t":"一图读懂示例虚拟电厂"},{"t":"示例虚拟电厂专家解读"}],"hits":1024};function doZoom(s){document.getElementById('zoom').style.fontSize=s+'px'}</script></head><body>
<div class="header-wrap"><div class="logo"><img src="x"></div><div class="weather">济南 晴 示例 18℃</div><ul class="nav"><li><a href="#">示例委领导</a></li><li><a href="#">示例资讯</a></li><li><a href="#">信用示例</a></li></ul></div>
<div class="main-fl-gk"><table class="xxgk_table"><tr><td><b>索引号</b></td><td>11370000004502000K/2025-03377</td><td><b>公开方式</b></td><td>主动公开</td></tr><tr><td><b>发布机构</b></td><td>山东省发展和改革委员会</td><td><b>组配分类</b></td><td>规范性文件</td></tr>
<tr><td><b>成文日期</b></td><td>2025-04-02</td><td><b>有效性</b></td><td>有效</td></tr><tr><td><b>统一编号</b></td><td>SDPR-2025-0030004</td><td><b>公开日期</b></td><td>2025-04-09</td></tr></table></div>
<div t class="art_title"><h2 t><font><font>关于印发《山东省虚拟电厂运营管理办法》的</font></font><font>通知</font></h2></div>
<div class="share"><span>分享到：</span><a title="分享到微信示例" href="#"></a><a href="#">一键分享示例</a><span>浏览次数：<b>1024</b></span></div>
<div class="art_con" id="zoom"><p k style="text-align:center"><span style="font-family:方正仿宋"><font face="方正仿宋">鲁发改能源规〔</font></span><span>2025</span><span><font>〕4号</font></span></p>
<p k><span>&nbsp;</span></p><p k><span>各市发展改革委、能源局，山东各供电公司，山东电力</span><span>交易中心有限公司：</span></p>
<p k>&nbsp;&nbsp;&nbsp;&nbsp;<span><font>现将《山东省虚拟电厂运营管</font></span><span><font>理办法》印发给你们（演示文本），请认真贯彻执行。</font></span></p>
<p k>&nbsp;&nbsp;&nbsp;&nbsp;一、虚拟电厂首次参与市场前，其聚合资源总调节容量应当不低于<font>5</font><font>兆瓦</font>，连续调节时间不少于<span>1</span>小时。</p>
<div class="xggj-box"><div class="xggj-tit">相关稿件</div><ul><li><a href="#">示例省电力市场年度报告发布</a></li><li><a href="#">示例专家谈虚拟电厂发展</a></li><li><a href="#">示例负荷聚合平台上线</a></li></ul></div>
<p k>&nbsp;&nbsp;&nbsp;&nbsp;二、各市于每年12月15日前将本市虚拟电厂建设运营情况报送省发展改革委。</p>
<p k>&nbsp;&nbsp;&nbsp;&nbsp;三、本通知自2025年5月10日起施行，有效期至2030年5月9日。</p>
<p k style="text-align:right">山东省发展和改革委员会&nbsp;&nbsp;</p><p k style="text-align:right">2025年4月2日&nbsp;&nbsp;&nbsp;</p></div>
<div class="fujian"><span>附件下载</span><a href="/a/1.docx">山东省虚拟电厂运营管理办法.docx</a></div><div class="printbtn"><a href="#">打印本页示例</a> <a href="#">关闭窗口示例</a></div>
<div class="foot-box"><p>主办单位：示例省发展和改革委员会</p><p>联系电话：0531-00000000 （仅受理网站建设维护相关事宜）</p><p>鲁ICP备05029400号</p></div></body></html>""",
    (Facts("山东省发展和改革委员会关于印发《山东省虚拟电厂运营管理办法》的通知", "鲁发改能源规〔2025〕4号", "山东省发展和改革委员会", "2025-04-02", "2025-05-10", "2030-05-10", "binding", "sd"),),
    asks=(
        ("山东虚拟电厂首次参与市场前聚合资源总调节容量不低于多少？", ("5兆瓦", "1小时")),
        ("山东各市什么时候报送虚拟电厂建设运营情况？", ("12月15日前",)),
        ("《山东省虚拟电厂运营管理办法》第三条对响应补偿价格怎么规定？", ()),
    ),
)  # fmt: skip

GD_BREAKS = Raw(
    "gd-breaks", "html",
    """<html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"><title>广东省发展和改革委员会-广东省发展改革委关于调整小水电上网电价的通知</title><meta name="ArticleTitle" content="广东省发展改革委关于调整小水电上网电价的通知"></head><body>
<table width="1000" border="0" cellpadding="0"><tr><td><a href="#">网站首页示例</a>｜<a href="#">政策法规示例</a>｜<a href="#">价格监测示例</a></td></tr></table>
<!--<$[信息标题]>begin--><table width="90%"><tr><td t align="center" style="font-size:20px">广东省发展改革委关于调整小水电上网电价的通知</td></tr></table><!--<$[信息标题]>end-->
<table width="90%" bgcolor="#eee"><tr><td align="center">发布日期：2025-11-28 信息来源：价格管理处示例 字号：[ <a href="#">大</a> <a href="#">中</a> <a href="#">小</a> ]</td></tr></table>
<!--ZJEG_RSS.content.begin--><div id="zoom"><font k>粤发改价格〔2025〕311号<br><br>各地级以上市发展改革局（委），广东电网公司：<br>&nbsp;&nbsp;&nbsp;&nbsp;为促进小水电健康发展（演示文本），经研究，现就调整我省小水电上网电价有关事项通知如下：<br>&nbsp;&nbsp;&nbsp;&nbsp;一、单机容量5万千瓦以下的小水电，最低保护价每千瓦时提高0.8分（含税，下同），调整后执行下表价格。<br></font>
<table border="1" style="border-collapse:collapse"><tr><td k rowspan="2">装机规模</td><td k colspan="2">最低保护价（元/千瓦时）</td></tr><tr><td k>丰水期</td><td k>枯水期</td></tr><tr><td k>1万千瓦以下</td><td k>0.4382</td><td k>0.4882</td></tr><tr><td k>1万千瓦及以上</td><td k>0.4182</td><td k>0.4621</td></tr></table>
<font k><br>&nbsp;&nbsp;&nbsp;&nbsp;二、丰水期为每年4月至9月，枯水期为其余月份。<br>&nbsp;&nbsp;&nbsp;&nbsp;三、已签订购售电合同约定价格高于本通知规定的，按照合同约定执行。<br>&nbsp;&nbsp;&nbsp;&nbsp;四、本通知自2026年1月1日起执行。<br><br>&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;广东省发展改革委<br>&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;2025年11月24日<br></font></div><!--ZJEG_RSS.content.end-->
<table width="90%"><tr><td align="right"><a href="javascript:window.print()">打印本页</a>　<a href="#">返回上级示例</a></td></tr></table><iframe src="count.html"></iframe>
<table width="1000"><tr><td align="center">承办：示例省发展改革信息中心　技术支持：示例科技</td></tr></table></body></html>""",
    (Facts("广东省发展改革委关于调整小水电上网电价的通知", "粤发改价格〔2025〕311号", "广东省发展改革委", "2025-11-24", "2026-01-01", None, "binding", "gd"),),
    asks=(
        ("广东1万千瓦及以上小水电枯水期的最低保护价是多少？", ("1万千瓦及以上", "0.4621")),
        ("广东小水电已签合同约定价格更高的怎么办？", ("按照合同约定执行",)),
        ("广东小水电丰水期的容量电价是多少？", ()),
    ),
)  # fmt: skip

NM_SPANS = Raw(
    "nm-spans", "html",
    """<!DOCTYPE html><html lang="zh-CN"><head><meta charset="UTF-8"><title>内蒙古自治区能源局关于印发《内蒙古自治区源网荷储一体化项目管理办法》的通知-内蒙古自治区能源局</title></head><body class="ucapbody">
<div id="app-header"><div class="ucap-top"><a href="#">适老化示例</a><a href="#">智能问答示例机器人</a></div></div><div class="nav-crumb"><a href="#">首页</a>＞<a href="#">政府信息公开</a>＞<a href="#">法定主动公开内容</a>＞<a href="#">行政规范性文件</a></div>
<ul class="xxgk-index"><li><label>发文机关：</label><span>内蒙古自治区能源局</span></li><li><label>成文日期：</label><span>2025年08月15日</span></li><li><label>发文字号：</label><span>内能源新能字〔2025〕602号</span></li><li><label>发布日期：</label><span>2025年08月22日</span></li><li><label>主题词：</label><span>一体化示例主题</span></li></ul>
<div class="ucap-title"><p t>内蒙古自治区能源局关于印发<br/>《内蒙古自治区源网荷储一体化项目管理办法》的通知</p></div>
<div class="ucap-tools"><i>收藏示例</i><i>朗读正文示例</i><div class="audio">00:00 / 03:12 倍速示例</div></div>
<UCAPCONTENT><div class="ucap-content"><p k><span style="font-family: 宋体;"><span style="font-size: 16pt">各盟市能源局，</span></span><span style="font-family: 宋体;">满洲里市、二连浩特市发展改革委：</span></p>
<p k><span>　　</span><span>现</span><span>将</span><span>《内蒙古自治区源网荷储一体化项目管理办法》</span><span>印</span><span>发给你们（演示文本），</span><span>请结合实际贯彻落实。</span></p>
<p k style="text-align: right"><span>内蒙古自治区能源局</span></p><p k style="text-align: right"><span>2025</span><span>年</span><span>8</span><span>月</span><span>15</span><span>日</span></p>
<p k style="text-align: center"><strong><span>内蒙古自治区源网荷储一体化</span></strong></p><p k style="text-align: center"><strong><span>项目管理办法</span></strong></p>
<p k style="text-align: center"><span>第一章　总则</span></p><p k><strong>第</strong><strong>一</strong><strong>条</strong><span> 为规范源网荷储一体化项目建设管理，制定本办法。</span></p>
<p k><strong>第二条</strong><span> 本办法适用于自治区行政区域内以单一法人主体投资建设的源网荷储一体化项目。</span></p><div class="pagination"><a href="#">上一页</a><span>1</span><a href="#">2</a><a href="#">下一页</a><span>共2页 跳转到第几页</span></div>
<p k style="text-align: center"><span>第二章　建设管理</span></p><p k><strong>第三条</strong><span> 项目新能源年自发自用电量占总发电量的比例不得低于</span><span>60%</span><span>，占总用电量的比例不得低于</span><span>30%</span><span>，</span><span>2030</span><span>年起不得低于</span><span>35%</span><span>。</span></p>
<p k><strong>第四条</strong><span> 有下列情形之一的，取消项目资格：</span></p><p k><span>（一）未按期开工且延期超过12个月的；</span></p><p k><span>（二）擅自变更负荷主体的；</span></p><p k><span>（三）向公共电网反送电超过年发电量</span><span>20%</span><span>的。</span></p>
<p k style="text-align: center"><span>第三章　附则</span></p><p k><strong>第五条</strong><span> 本办法自2025年10月1日起施行，试行期2年。《内蒙古自治区源网荷储示例实施细则（2022年版）》同时废止。</span></p></div></UCAPCONTENT>
<div class="ucap-survey"><h4>您对本文件的满意度示例</h4><label>满意</label><label>基本满意</label><label>不满意请填写原因</label></div><div class="zcjd"><h4>相关解读</h4><a href="#">示例：源网荷储一体化项目管理办法文字解读</a></div>
<div class="foot">主办：示例自治区能源局　蒙ICP备19000000号</div></body></html>""",
    (
        Facts("内蒙古自治区能源局关于印发《内蒙古自治区源网荷储一体化项目管理办法》的通知", "内能源新能字〔2025〕602号", "内蒙古自治区能源局", "2025-08-15", ..., ..., "binding", "nm"),
        Facts("内蒙古自治区源网荷储一体化项目管理办法", "内能源新能字〔2025〕602号", "内蒙古自治区能源局", "2025-08-15", "2025-10-01", "2027-10-01", "binding", "nm"),
    ),
    asks=(
        ("内蒙古源网荷储一体化项目新能源自发自用电量占总发电量的比例不得低于多少？", ("不得低于60%",)),
        ("内蒙古源网荷储一体化项目反送电超过多少会被取消资格？", ("向公共电网反送电超过年发电量20%的",)),
        ("内蒙古源网荷储一体化项目储能配置时长不少于几小时？", ()),
    ),
)  # fmt: skip

NEA_CELLS = Raw(
    "nea-cells", "html",
    """<HTML><HEAD><META http-equiv=Content-Type content="text/html; charset=gb2312"><TITLE>公告</TITLE></HEAD><BODY bgColor=#ffffff><CENTER><TABLE width=778><TBODY><TR><TD><IMG src="top.jpg"></TD></TR><TR><TD bgColor=#003399><FONT color=#ffffff>首页示例 | 公告通知示例 | 办事指南示例</FONT></TD></TR></TBODY></TABLE>
<TABLE width=778><TBODY><TR><TD width=160 vAlign=top><TABLE><TR><TD><A href="#">最新公告示例</A></TD></TR><TR><TD><A href="#">能源统计示例数据</A></TD></TR><TR><TD><A href="#">投诉举报示例平台</A></TD></TR></TABLE></TD><TD vAlign=top>
<TABLE><TBODY><TR><TD t align=middle><B><FONT size=5>国家能源局公告</FONT></B></TD></TR><TR><TD t align=middle>2025年第7号</TD></TR><TR><TD><TABLE width="100%"><TR><TD>日期：2025-06-20</TD><TD>来源：能源局示例</TD></TR></TABLE></TD></TR>
<TR><TD k><P>　　为做好水电站大坝安全注册登记工作（演示文本），根据有关规定，现将2025年第一批大坝安全注册登记结果公告如下：</P></TD></TR>
<TR><TD><TABLE border=1><TBODY><TR><TD k>序号</TD><TD k>水电站大坝名称</TD><TD k>注册登记等级</TD><TD k>有效期限</TD></TR><TR><TD k>1</TD><TD k>示例峡水电站大坝</TD><TD k>甲级</TD><TD k>至2030年6月12日</TD></TR><TR><TD k>2</TD><TD k>示例滩水电站大坝</TD><TD k>乙级</TD><TD k>至2028年6月12日</TD></TR></TBODY></TABLE></TD></TR>
<TR><TD k><P>　　注册登记等级为乙级的大坝，运行单位应当在6个月内完成问题整改并提交报告。</P></TD></TR><TR><TD k align=right>国家能源局</TD></TR><TR><TD k align=right>二○二五年六月十二日</TD></TR></TBODY></TABLE></TD></TR></TBODY></TABLE>
<TABLE width=778><TR><TD align=middle>Copyright 示例局 All rights reserved 京ICP备示例号</TD></TR></TABLE></CENTER></BODY></HTML>""",
    (Facts("国家能源局公告2025年第7号", "国家能源局公告2025年第7号", "国家能源局", "2025-06-12", ..., ..., "binding", "cn"),),
    "gb18030",
    asks=(
        ("示例滩水电站大坝的注册登记等级是什么？", ("示例滩水电站大坝", "乙级")),
        ("注册登记乙级的大坝运行单位多长时间内完成整改？", ("6个月内完成问题整改",)),
        ("示例峡水电站大坝的装机容量是多少？", ()),
    ),
)  # fmt: skip

NF_REPORTER = Raw(
    "nf-reporter", "html",
    """<!DOCTYPE html><html><head><meta charset="utf-8"><title>南方能源监管局有关负责人就《南方区域电力并网运行管理实施细则》答记者问</title></head><body><div class="top-bar"><a href="#">国家能源局示例</a><a href="#">设为首页示例</a></div>
<div class="detail"><h1 t>南方能源监管局有关负责人就《南方区域电力并网运行管理实施细则》答记者问</h1><div class="detail-info"><span>发布时间：2025-07-03</span><span>来源：市场监管处示例</span><span>浏览：77</span></div>
<div class="detail-con"><p k>近日，南方能源监管局印发了《南方区域电力并网运行管理实施细则》（南方监能市场〔2025〕66号，以下简称《细则》），南方能源监管局有关负责人就相关问题回答了记者提问（演示文本）。</p>
<p k><b>记者：</b>请介绍一下《细则》修订的背景？</p><p k><b>负责人：</b>原细则于2022年印发，随着新型储能大规模并网，部分考核条款不再适应。</p>
<p k><b>记者：</b>储能电站如何考核？</p><p k><b>负责人：</b>《细则》对独立储能月度可用系数低于95%的部分按照额定容量予以考核，每降低1个百分点考核电量为额定功率乘以0.5小时。</p>
<div class="inner-banner"><a href="#"><img alt="示例专题横幅"></a><span>示例安全生产月专题</span></div><p k><b>记者：</b>《细则》什么时候施行？</p><p k><b>负责人：</b>《细则》自2025年8月1日起施行，广东、广西、云南、贵州、海南五省区同步执行。</p></div>
<div class="nearby"><p>上一条：<a href="#">示例监管简报第三期</a></p><p>下一条：<a href="#">示例许可证注销公告</a></p></div></div><footer><p>地址：示例市示例路1号　邮编：510000</p></footer></body></html>""",
    (Facts("南方能源监管局有关负责人就《南方区域电力并网运行管理实施细则》答记者问", None, ..., ..., None, None, "interpretation", ...),),
    asks=(
        ("按照答记者问，南方区域独立储能月度可用系数低于多少要考核？", ("95%",)),
        ("南方区域电力并网运行管理实施细则答记者问中说细则何时施行？", ("自2025年8月1日起施行",)),
        ("南方区域并网运行细则对风电场低电压穿越的考核电量是多少？", ()),
    ),
)  # fmt: skip

NDRC_CHANGED = Raw(
    "ndrc-changed", "html",
    """<!DOCTYPE html><html><head><meta charset="utf-8"><title>国家发展改革委关于调整电网企业代理购电有关事项的通知(发改价格〔2025〕1588号)-国家发展和改革委员会</title></head><body>
<div class="cs_hd"><a href="#">首页示例</a><a href="#">机构示例</a><a href="#">互动示例</a></div><div class="position">首页<i>&gt;</i>政务公开<i>&gt;</i>政策<i>&gt;</i>通知</div>
<div t class="article_title">国家发展改革委关于调整电网企业代理购电有关事项的通知</div><div t class="article_title_num">发改价格〔2025〕1588号</div><div class="ty"><div class="time">发布时间：2025/12/09</div><div class="laiyuan">来源：价格司示例</div></div>
<div class="TRS_Editor"><style type="text/css">.TRS_Editor P{line-height:2;font-family:仿宋}.TRS_Editor TD{border:1px}</style><p k>各省级发展改革委，各电网企业：</p><p k>为完善代理购电机制（演示文本），决定对《关于组织开展电网企业示例代理购电工作的通知》（发改办价格〔2021〕9809号）有关规定作如下调整：</p>
<p k>一、将第二条中“每月底前3日”修改为“每月25日前”。</p><p k>二、将第四条第一款修改为：“电网企业代理购电采购的电量，优先通过年度双边协商方式采购，采购比例不低于60%。”</p><p k>三、删除第六条。</p>
<div class="zhengce_related"><h3>相关政策与解读</h3><ul><li><a href="#">示例司：关于代理购电的政策解读</a></li><li><a href="#">发改办价格示例通知全文</a></li></ul></div>
<p k>四、本通知自2026年1月1日起执行。原有规定与本通知不一致的，以本通知为准。</p><p k align="right">国家发展改革委</p><p k align="right">2025年12月5日</p></div>
<div class="attachment_r"><a href="#">扫码分享示例</a></div><div class="footer_box">京ICP备05050000号　网站标识码bm04000000</div></body></html>""",
    (Facts("国家发展改革委关于调整电网企业代理购电有关事项的通知", "发改价格〔2025〕1588号", "国家发展改革委", "2025-12-05", "2026-01-01", None, "binding", "cn"),),
    asks=(
        ("电网企业代理购电年度双边协商采购比例不低于多少？", ("采购比例不低于60%",)),
        ("发改价格〔2025〕1588号把第二条的每月底前3日改成了什么？", ("每月25日前",)),
        ("发改价格〔2025〕1588号规定代理购电的偏差考核比例是多少？", ()),
    ),
)  # fmt: skip

SD_DRAFTED = Raw(
    "sd-drafted", "html",
    """<html><head><meta charset="utf-8"><title>征集详情</title></head><body><div class="v-header"><span>山东省人民政府示例互动平台</span><span>登录注册示例</span></div><div class="zj-title"><h3 t>关于征求《山东省陆上风电场改造升级和退役管理细则（征求意见稿）》意见的函</h3></div>
<table class="zj-tab"><tr><th>征集单位</th><td>山东省能源局</td><th>征集状态</th><td>进行中示例</td></tr><tr><th>开始时间</th><td>2026-10-10</td><th>结束时间</th><td>2026-12-31</td></tr></table><div class="tab"><a class="on">征集公告示例</a><a>我要留言示例</a><a>结果反馈示例</a></div>
<div class="content"><div k>各市能源主管部门，各有关企业：</div><div k>　　为规范风电场改造升级和退役管理（演示文本），我们研究起草了《山东省陆上风电场改造升级和退役管理细则（征求意见稿）》，现征求你们意见。请于2026年12月31日前书面反馈我局（邮箱：fdsl@example.com）。</div><div k>　　附件：山东省陆上风电场改造升级和退役管理细则（征求意见稿）</div><div k align="right">山东省能源局</div><div k align="right">2026年10月9日</div>
<div k align="center">山东省陆上风电场改造升级和退役管理细则</div><div k align="center">（征求意见稿）</div><div k>　　第一条　为规范本省陆上风电场改造升级和退役工作，制定本细则。</div><div k>　　第二条　并网运行超过15年的风电场可以申请改造升级；单台机组容量小于1.5兆瓦的风电场，并网运行超过10年的也可以申请。</div><div k>　　第三条　改造升级项目应当自批复之日起24个月内建成并网，确有困难的可以延期1次，延期不超过6个月。</div><div k>　　第四条　本细则自印发之日起施行，有效期3年。</div></div>
<div class="ly-form"><label>姓名示例</label><input><label>留言内容示例</label><textarea></textarea><button>提交意见示例</button></div><div class="v-foot">技术支持：示例数字科技</div></body></html>""",
    (
        Facts("关于征求《山东省陆上风电场改造升级和退役管理细则（征求意见稿）》意见的函", None, "山东省能源局", "2026-10-09", ..., ..., "draft", "sd"),
        Facts("山东省陆上风电场改造升级和退役管理细则（征求意见稿）", None, "山东省能源局", ..., ..., ..., "draft", "sd"),
    ),
    asks=(
        ("山东陆上风电场改造升级征求意见稿里，并网运行超过几年可以申请改造升级？", ("15年",)),
        ("山东陆上风电场改造升级和退役管理细则征求意见稿意见反馈截止到什么时候？", ("2026年12月31日前",)),
        ("山东陆上风电场退役的保证金按每千瓦多少元缴纳？", ()),
    ),
)  # fmt: skip

GD_ISLAND = Raw(
    "gd-island", "html",
    """<!DOCTYPE html><html><head><meta charset="utf-8"><title>广东省能源局关于示例抽水蓄能电站项目核准的批复</title><script>window.__INITIAL_STATE__={"site":"示例站群","recommend":[{"title":"示例推荐文章一"},{"title":"示例推荐文章二"}],"article":{"id":9,"body":"<p>示例数据岛正文副本不应出现两次</p>"}};</script></head><body><div id="root"><section class="layout"><aside><ul><li>机构职能示例栏</li><li>政策文件示例栏</li></ul></aside><main><h1 t>广东省能源局关于示例抽水蓄能电站项目核准的批复</h1><div class="meta"><span>2025-03-21 16:40:12</span><span>来源 : 本网示例</span><button>复制链接示例</button></div>
<div class="article-content"><p k>粤能电力函〔2025〕128号</p><p k>示例市发展和改革局：</p><p k>你局《关于申请核准示例抽水蓄能电站项目的请示》（示发改〔2025〕15号）收悉（演示文本）。经研究，现就该项目核准事项批复如下：</p><p k>一、同意建设示例抽水蓄能电站项目，项目代码2503-440000-04-01-100001，项目单位为示例抽水蓄能有限公司。</p><p k>二、项目建设地点为示例市示例县，安装4台30万千瓦可逆式水泵水轮机组，总装机容量120万千瓦，动态总投资约78.6亿元，其中资本金占20%。</p><p k>三、本核准文件自印发之日起有效期2年。在核准文件有效期内未开工建设的，应当在有效期届满30日前申请延期。</p><p k style="text-align:right">广东省能源局</p><p k style="text-align:right">2025年3月18日</p></div></main></section></div><script>var _hmt=_hmt||[];</script><noscript>请启用脚本示例</noscript></body></html>""",
    (Facts("广东省能源局关于示例抽水蓄能电站项目核准的批复", "粤能电力函〔2025〕128号", "广东省能源局", "2025-03-18", ..., ..., ..., "gd"),),
    asks=(
        ("示例抽水蓄能电站项目的总装机容量和动态总投资是多少？", ("120万千瓦", "78.6亿元")),
        ("示例抽水蓄能电站核准文件的有效期多久？", ("有效期2年",)),
        ("示例抽水蓄能电站的容量电价是多少？", ()),
    ),
)  # fmt: skip

SD_NAMES = Raw(
    "sd-names", "html",
    """<html><head><meta charset="utf-8"><title>山东省能源局</title></head><body><div class="bar"><b>您的位置：</b><a href="#">首页示例</a> → <a href="#">通知公告示例</a></div><div class="show"><div t class="h">山东省能源局关于公布2025年度智能化示范煤矿名单的通知</div><p class="sm">【发布日期：2025-10-30】【来源：煤炭处示例】【阅读：203次】【字号：大 中 小】</p>
<div class="nr"><p k align="center">鲁能源煤炭字〔2025〕77号</p><p k>有关市能源主管部门，有关煤炭企业：</p><p k>　　经企业申报、市级初审、专家评审和公示（演示文本），确定示例一号煤矿等3处煤矿为2025年度智能化示范煤矿，现予公布。示范煤矿实行动态管理，每两年复核一次，复核不合格的取消称号。</p><p k>　　附件：2025年度智能化示范煤矿名单</p><p k align="right">山东省能源局</p><p k align="right">2025年10月27日</p><p k>　　（此件主动公开）</p><p k><b>附件</b></p><p k align="center"><b>2025年度智能化示范煤矿名单</b></p>
<table border="1"><tr><td k><p>序号</p></td><td k><p>所在市</p></td><td k><p>煤矿名称</p></td><td k><p>核定生产能力</p><p>（万吨/年）</p></td><td k><p>示范等级</p></td></tr><tr><td k>1</td><td k rowspan="2">济宁市</td><td k>示例一号煤矿</td><td k>300</td><td k>Ⅰ类</td></tr><tr><td k>2</td><td k>示例二号煤矿</td><td k>180</td><td k>Ⅱ类</td></tr><tr><td k>3</td><td k>泰安市</td><td k>示例三号煤矿</td><td k>90</td><td k>Ⅱ类</td></tr></table></div></div>
<div class="tj"><h5>推荐阅读示例</h5><p><a href="#">示例煤矿复产验收通报</a></p><p><a href="#">示例安全培训通知</a></p></div><p class="copy">版权所有 示例省能源局 鲁公网安备示例号</p></body></html>""",
    (Facts("山东省能源局关于公布2025年度智能化示范煤矿名单的通知", "鲁能源煤炭字〔2025〕77号", "山东省能源局", "2025-10-27", ..., ..., ..., "sd"),),
    asks=(
        ("示例二号煤矿的核定生产能力是多少？", ("示例二号煤矿", "180")),
        ("山东智能化示范煤矿多久复核一次？", ("每两年复核一次",)),
        ("示例四号煤矿的示范等级是什么？", ()),
    ),
)  # fmt: skip

NEA_ORDER = Raw(
    "nea-order", "html",
    """<!DOCTYPE html><html><head><meta charset="utf-8"><title>电力安全隐患示例治理规定-国家能源局法规库</title></head><body><div class="lawtop"><a href="#">法规检索示例</a><a href="#">高级检索示例</a><a href="#">下载WORD示例</a></div><div class="lawleft"><h4>目录导航示例</h4><ul><li><a href="#1">第一章 总则</a></li><li><a href="#2">第二章 治理</a></li><li><a href="#3">第三章 罚则</a></li></ul></div>
<div class="lawcon"><h1 t>电力安全隐患示例治理规定</h1><p k>（2025年2月28日国家发展和改革委员会令第33号公布　自2025年5月1日起施行）</p><p t>目　录</p><p t>第一章　总则</p><p t>第二章　治理</p><p t>第三章　罚则</p>
<p k><a name="1"></a>第一章　总　则</p><p k>第一条<sup><a href="#">[释义]</a></sup>　为加强电力安全隐患治理（演示文本），根据有关法律、行政法规，制定本规定。<a class="lawlink" href="#">关联法规示例（3）</a></p><p k>第二条　本规定所称重大隐患，是指可能造成一般以上电力事故或者直接经济损失一百万元以上的隐患。</p>
<p k><a name="2"></a>第二章　治　理</p><p k>第三条　电力企业发现重大隐患的，应当立即采取控制措施，并在48小时内向所在地派出机构报告。</p><p k>隐患治理完成后，应当在15日内提交销号申请。</p><p k>第四条　未经销号的重大隐患，不得解除控制措施；但经派出机构书面同意的除外。</p>
<p k><a name="3"></a>第三章　罚　则</p><p k>第五条　违反本规定第三条第一款，未按时报告的，处三千元以上三万元以下罚款。</p><p k>第六条　本规定自2025年5月1日起施行。</p></div>
<div class="lawrel"><h4>引用本法规的文件示例</h4><p>示例办法第三条引用</p><p>示例细则第九条引用</p></div><div class="end">法规库技术支持示例单位</div></body></html>""",
    (Facts("电力安全隐患示例治理规定", "国家发展和改革委员会令第33号", "国家发展和改革委员会", "2025-02-28", "2025-05-01", None, "binding", "cn"),),
    asks=(
        ("电力企业发现重大隐患应当在多长时间内报告？", ("48小时内",)),
        ("电力重大隐患未按时报告的罚款是多少？", ("三千元以上三万元以下",)),
        ("电力安全隐患示例治理规定要求隐患治理资金占营业收入的比例是多少？", ()),
    ),
)  # fmt: skip

SITE_PAPERS = (
    SD_LINKED,
    GD_BREAKS,
    NM_SPANS,
    NEA_CELLS,
    NF_REPORTER,
    NDRC_CHANGED,
    SD_DRAFTED,
    GD_ISLAND,
    SD_NAMES,
    NEA_ORDER,
)
