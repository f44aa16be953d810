"""Papers (演示文本) of further sites and prints: cards by elements alone, buttons behind files, annexes that each open a sheet, two columns
under a running head, prints wider than their lines tell.

Marks as in ``raw_papers``.
"""

from tests.paper_samples import Facts
from tests.raw_papers import Raw

GD_JCMS_F = Raw(
    "gd-jcms", "html",
    """<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN"><html><head><meta http-equiv="Content-Type" content="text/html; charset=gbk" /><meta name="SiteName" content="惠州市示例局"/><meta name="SiteDomain" content="x.example.cn"/><meta name="ColumnName" content="规范性文件"/><meta name="ArticleTitle" content="惠州市人民政府办公室关于印发惠州市石化园区天然气管网设施公平开放管理办法的通知"/><meta name="PubDate" content="2031-03-18 10:00"/><meta name="ContentSource" content="惠州市人民政府办公室"/><title>惠州市人民政府办公室 规范性文件 惠州市人民政府办公室关于印发惠州市石化园区天然气管网设施公平开放管理办法的通知</title></head><body><div id="barrierfree_container"><div class="head_w"><script language="javascript" src="x.js"></script><a href="#">繁体示例版</a><a href="#">无障碍示例</a></div>
<!--ZJEG_RSS.title.begin--><div t class="tit">惠州市人民政府办公室关于印发惠州市石化园区天然气管网设施公平开放管理办法的通知</div><!--ZJEG_RSS.title.end--><table class="xxgk"><tr><td>索 引 号：</td><td>11441300007190000A/2031-00031</td><td>分　　类：</td><td>城市示例管理、通知</td></tr><tr><td>发布机构：</td><td>惠州市人民政府办公室</td><td>成文日期：</td><td>2031年03月10日</td></tr><tr><td>文　　号：</td><td>惠府办〔2031〕6号</td><td>发布日期：</td><td>2031年03月18日</td></tr><tr><td>主 题 词：</td><td colspan="3"></td></tr></table>
<div class="zoomcon"><span>浏览字号：</span><span>大</span><span>中</span><span>小</span></div><!--ZJEG_RSS.content.begin--><div id="zoomcon"><p k style="text-align:center">惠府办〔2031〕6号</p><p k>各县、区人民政府，市政府各部门、各直属机构：</p><p k>《惠州市石化园区天然气管网设施公平开放管理办法》（演示文本）已经十三届第12次市政府常务会议审议通过，现印发给你们，请认真组织实施。</p><p k style="text-align:right">惠州市人民政府办公室</p><p k style="text-align:right">2031年3月10日</p><p k style="text-align:center">惠州市石化园区天然气管网设施</p><p k style="text-align:center">公平开放管理办法</p><p k><strong>第一条　</strong>为促进天然气管网设施公平开放，提高利用效率，制定本办法。</p><p k><strong>第二条　</strong>管网设施运营企业剩余能力超过设计能力10%的，应当向符合条件的用户公平开放。</p><p k><strong>第三条　</strong>用户申请使用管网设施的，运营企业应当在15个工作日内书面答复；不同意的，应当说明理由。</p><p k><strong>第四条　</strong>本办法自2031年4月10日起施行，有效期五年。</p></div><!--ZJEG_RSS.content.end--><div class="related"><h4>相关示例信息</h4><script type="text/xml"><datastore><nextgroup><![CDATA[<a href="/module/x.jsp">更多示例</a>]]></nextgroup><recordset><record><![CDATA[<li><a href="#">《惠州市示例排水管理办法》解读</a></li>]]></record></recordset></datastore></script></div><div class="foot"><p>主办：惠州市示例办公室　承办：示例数据局</p><p>备案序号：粤ICP备05070000号　网站标识码：4413000001</p></div></div></body></html>""",
    (Facts("惠州市人民政府办公室关于印发惠州市石化园区天然气管网设施公平开放管理办法的通知", "惠府办〔2031〕6号", "惠州市人民政府办公室", "2031-03-10", ..., ..., "binding", "gd"), Facts("惠州市石化园区天然气管网设施公平开放管理办法", "惠府办〔2031〕6号", "惠州市人民政府办公室", "2031-03-10", "2031-04-10", "2036-04-10", "binding", "gd"),),
    encoding="gbk",
)  # fmt: skip

SD_VSB_F = Raw(
    "sd-vsb", "html",
    """<!DOCTYPE HTML><HTML><HEAD><TITLE>泰安市发展和改革委员会关于城区居民供热价格有关事项的批复-泰安市示例委员会</TITLE><META charset="utf-8"><META content="泰安市示例委员会,批复" name="keywords"><!--Announced by Visual SiteBuilder 9--><script language="javascript" src="/system/resource/js/counter.js"></script></HEAD><BODY><div class="top"><a href="#">加入示例收藏</a> | <a href="#">设为示例首页</a></div><div class="nav"><ul><li><a href="#">本委示例介绍</a></li><li><a href="#">价费示例管理</a></li></ul></div><div class="left"><h3>栏目示例导航</h3><a href="#">价格政策示例</a><a href="#">收费目录示例</a></div><div class="ny_right"><div class="dqwz">当前位置: <a href="#">首页</a>&gt;&gt;<a href="#">价费示例管理</a>&gt;&gt;正文</div><form name="_newscontent_fromname"><div><h2 t>泰安市发展和改革委员会关于城区居民供热价格有关事项的批复</h2><p>发布日期：2031-10-09&nbsp;&nbsp;&nbsp;&nbsp;作者：&nbsp;&nbsp;&nbsp;&nbsp;来源：价格示例科&nbsp;&nbsp;&nbsp;&nbsp;点击：[<script>_showDynClicks("wbnews", 1, 2)</script>]</p><div id="vsb_content"><div class="v_news_content"><p k style="text-align: center;">泰发改价格〔2031〕212号</p><p k>泰安示例热力有限公司：</p><p k>你公司《关于调整居民供热价格的请示》（泰热字〔2031〕33号）收悉（演示文本）。依据《山东省定价目录》有关规定，经市政府同意，现批复如下：</p><p k>一、居民供热价格由每建筑平方米22元调整为23.8元，按照用热量计价的，基本热价7.2元/平方米，计量热价0.17元/千瓦时。</p><p k>二、非居民供热价格实行最高限价管理，每吉焦不得超过98元，供需双方可以在限价内协商确定。</p><p k>三、对城市低保户，按照每户60平方米给予每平方米5元的补贴，超出面积部分不予补贴。</p><p k>四、本批复自2031年11月15日起执行，有效期至2034年3月31日。</p><p k style="text-align: right;">泰安市发展和改革委员会</p><p k style="text-align: right;">2031年9月28日</p></div></div><p>附件【<a href="/x.pdf">听证会示例报告.pdf</a>】已下载<span>35</span>次</p><p>上一条：<a href="#">关于示例停车收费的通知</a>　下一条：<a href="#">关于示例殡葬收费的通知</a></p><p>【<a href="#">关闭</a>】</p></div></form></div><div class="foot">版权所有 泰安市示例委员会 地址:泰安市示例大街1号 鲁ICP备00000001号 <img src="red.png"></div></BODY></HTML>""",
    (Facts("泰安市发展和改革委员会关于城区居民供热价格有关事项的批复", "泰发改价格〔2031〕212号", "泰安市发展和改革委员会", "2031-09-28", "2031-11-15", "2034-04-01", ..., "sd"),),
)  # fmt: skip

CN_THREE_F = Raw(
    "cn-three", "pdf",
    """<style>body{font:15pt/1.9 "Noto Serif CJK SC",serif;width:15.6cm}p{margin:0;text-indent:2em;text-align:justify}.c{text-align:center;text-indent:0;font-size:20pt}.r{text-align:right;text-indent:0}.n{text-indent:0}.pb{break-before:page}table{border-collapse:collapse;width:100%;font-size:12pt}td{border:1px solid;padding:2px 4px}</style><body><p t class=c style="color:red;font-size:34pt">生态环境部办公厅文件</p><p k class=c style="font-size:15pt">环办气候〔2031〕14号</p><p k class=c>关于做好2031年发电行业碳排放核算报告</p><p k class=c>与核查工作的通知</p><p k class=n>各省、自治区、直辖市生态环境厅（局），新疆生产建设兵团生态环境局：</p><p k>为做好2031年发电行业企业温室气体排放核算报告与核查工作（演示文本），现将有关事项通知如下。</p><p k>一、年度温室气体排放量达2.6万吨二氧化碳当量的发电企业，应当于2031年3月31日前通过管理平台报告上一年度排放情况，拟关停机组的企业除外。</p><p k>二、各省级生态环境主管部门应当在2031年6月30日前完成核查，核查工作方案按照附件2编制。</p><p k>三、全国电网平均排放因子的取值见附件3。</p><p k>特此通知。</p><p k>附件：1.企业温室气体排放核算技术要求</p><p k style="text-indent:5em">2.核查工作方案编制大纲</p><p k style="text-indent:5em">3.电网平均二氧化碳排放因子</p><p k class=r>生态环境部办公厅</p><p k class=r>2031年1月20日</p><p k>（此件社会公开）</p><p t class=n style="font-size:12pt">抄送：各派出机构、直属单位。</p><p k class="n pb">附件1</p><p k class=c>企业温室气体排放核算技术要求</p><p k>1. 核算边界</p><p k>核算边界为燃煤、燃油、燃气发电设施，不包括厂区内辅助生产系统以及附属生产系统。</p><p k>2. 活动数据</p><p k>入炉煤低位发热量未实测的，应当采用缺省值26.7 GJ/t，并在报告中予以说明。</p><p k class="n pb">附件2</p><p k class=c>核查工作方案编制大纲</p><p k>一、核查范围与重点</p><p k>对上一年度履约存在异常的企业，现场核查比例不得低于50%。</p><p k class="n pb">附件3</p><p k class=c>电网平均二氧化碳排放因子</p><p k class=r>单位：kgCO2/kWh</p><table><tr><td k>区域</td><td k>2029年</td><td k>2030年</td></tr><tr><td k>全国</td><td k>0.5306</td><td k>0.5177</td></tr><tr><td k>内蒙古</td><td k>0.6479</td><td k>0.6211</td></tr><tr><td k>广东</td><td k>0.4403</td><td k>0.4257</td></tr></table><p k>注：不包括市场化交易的非化石能源电量。</p></body>""",
    (Facts("生态环境部办公厅关于做好2031年发电行业碳排放核算报告与核查工作的通知", "环办气候〔2031〕14号", "生态环境部办公厅", "2031-01-20", ..., ..., "binding", "cn"),),
    tables=(("2030年", "内蒙古 | 0.6479 | 0.6211"),),
)  # fmt: skip

CN_PRE_F = Raw(
    "cn-pre", "html",
    """<!DOCTYPE html><html><head><meta charset="utf-8"><title>应急管理部办公厅关于印发《电化学储能电站消防安全检查要点》的通知_部门文件_示例政府网</title><meta name="author" content="应急部"></head><body><div class="zfxxgk"><ul class="tab"><li>政府信息公开指南示例</li><li>法定主动公开内容示例</li><li>依申请公开示例</li></ul><dl><dt>名　　称</dt><dd t>应急管理部办公厅关于印发《电化学储能电站消防安全检查要点》的通知</dd><dt>发文字号</dt><dd>应急厅〔2031〕19号</dd><dt>公文种类</dt><dd>通知</dd><dt>生成日期</dt><dd>2031年07月05日</dd><dt>发布机构</dt><dd>应急管理部</dd><dt>主 题 词</dt><dd>储能、消防</dd></dl><pre k>　　　　　　　　　应急管理部办公厅关于印发《电化学储能电站
　　　　　　　　　　　消防安全检查要点》的通知
　　　　　　　　　　　　应急厅〔2031〕19号
各省、自治区、直辖市应急管理厅（局）、消防救援总队：
　　现将《电化学储能电站消防安全检查要点》（演示文本）印发给你们，请结合实际贯彻执行。
　　　　　　　　　　　　　　　　　　　　　　应急管理部办公厅
　　　　　　　　　　　　　　　　　　　　　　　2031年7月5日
　　　　　　　　电化学储能电站消防安全检查要点
　　一、总平面布置
　　（一）预制舱之间的防火间距不得小于3米，采用防火墙分隔的除外。
　　（二）站区应当设置环形消防车道，宽度不小于4米。
　　二、消防设施
　　（三）电池室可燃气体探测器报警浓度一级阈值为爆炸下限的25%。
　　（四）站内消防给水持续时间不得少于2小时。
</pre><div class="ewm"><span>扫码示例阅读</span></div></div><div>网站标识码示例bm35000001</div></body></html>""",
    (Facts("应急管理部办公厅关于印发《电化学储能电站消防安全检查要点》的通知", "应急厅〔2031〕19号", "应急管理部办公厅", "2031-07-05", ..., ..., "binding", "cn"), Facts("电化学储能电站消防安全检查要点", "应急厅〔2031〕19号", "应急管理部办公厅", "2031-07-05", ..., ..., "binding", "cn"),),
)  # fmt: skip

SD_WXP_F = Raw(
    "sd-wxp", "print",
    """<html><head><meta charset=utf-8><title>山东省住房和城乡建设厅等5部门印发《关于推进地热能供暖高质量发展的意见》</title><style>body{font-family:'Noto Sans CJK SC';font-size:17px;line-height:1.8;width:640px;margin:auto}.meta{color:#888;font-size:14px}.c{text-align:center}.r{text-align:right}section.q{border:1px dashed #aaa;padding:8px}</style></head><body><h1 t style="font-size:22px">山东省住房和城乡建设厅等5部门印发《关于推进地热能供暖高质量发展的意见》</h1><p class=meta>山东建设示例发布 2031年10月20日 20:11 山东</p><p class=meta>1人听过</p><section class=c><strong k>山东省住房和城乡建设厅等5部门</strong><br><strong k>关于推进地热能供暖高质量发展的意见</strong></section><p k class=c>鲁建城建字〔2031〕22号</p><p k>各市住房城乡建设局、发展改革委、自然资源局、生态环境局、水利局：</p><p k>为推进地热能供暖高质量发展（演示文本），经省政府同意，现提出以下意见。</p><section><p k><strong>一、实行取热不取水</strong></p><p k>新建中深层地热能供暖项目应当采用井下换热方式，确需取水的，尾水同层回灌率不低于95%，并安装在线监测设施。</p><p k><strong>二、完善价格政策</strong></p><p k>地热能供暖价格由供需双方协商，向居民收取的，不得高于当地集中供热价格的1.2倍。</p></section><p k>本意见自2031年12月1日起施行，有效期至2036年11月30日。</p><p k class=r>山东省住房和城乡建设厅<br>山东省发展和改革委员会<br>山东省自然资源厅<br>山东省生态环境厅<br>山东省水利厅</p><p k class=r>2031年10月15日</p><p class=meta>来源：山东省住房和城乡建设厅</p><p class=meta>编辑：示例小王</p><p class=meta>预览时标签不可点</p><p class=meta>微信扫一扫 关注该公众号</p><p class=meta>知道了</p><p class=meta>× 分析 ， ： 。 视频 小程序 赞 ，轻点两下取消赞</p></body></html>""",
    (Facts("山东省住房和城乡建设厅等5部门关于推进地热能供暖高质量发展的意见", "鲁建城建字〔2031〕22号", ..., "2031-10-15", "2031-12-01", "2036-12-01", "binding", "sd"),),
)  # fmt: skip

NM_GS_F = Raw(
    "nm-gs", "html",
    """<!DOCTYPE html><html><head><meta charset="utf-8"><title>关于2031年蒙东地区燃煤机组示例超低排放电价拟核定名单的公示</title></head><body><div class="header"><a href="#">蒙古文示例版</a><a href="#">长者示例模式</a></div><div class="mianbao">您的位置：首页 / 公示示例公告</div><ucaptitle><h1 t>关于2031年蒙东地区燃煤机组示例超低排放电价拟核定名单的公示</h1></ucaptitle><div class="info"><span>日期：2031-08-11</span><span>来源：价格示例处</span><span class="font"><a>大</a><a>中</a><a>小</a></span></div><ucapcontent><p k>根据《燃煤发电机组环保电价及环保设施运行监管办法》（演示文本），经盟市初审和现场核查，拟对下列机组核定超低排放电价，现予公示。公示期为2031年8月11日至8月17日，公示期间如有异议，请以书面形式实名反映。</p><table border="1" width="100%"><tbody><tr><td k rowspan="2"><p>盟市</p></td><td k rowspan="2"><p>企业名称</p></td><td k colspan="2"><p>核定结果</p></td></tr><tr><td k>加价标准（元/千瓦时）</td><td k>执行起始日</td></tr><tr><td k rowspan="2">赤峰市</td><td k>示例松山热电1号机组</td><td k>0.01</td><td k>2031年6月1日</td></tr><tr><td k>示例元宝山电厂3号机组</td><td k>0.005</td><td k>2031年7月1日</td></tr></tbody></table><p k>联系电话：0471-0000000　传真：0471-0000001</p><p k style="text-align:right">内蒙古自治区发展和改革委员会</p><p k style="text-align:right">2031年8月11日</p></ucapcontent><div class="fenxiang">分享示例到：<a href="#">微博示例</a></div><div class="xg"><h3>相关示例稿件</h3><ul><li><a href="#">关于示例水价听证会的公告</a></li></ul></div><div class="footer"><p>蒙ICP备00000000号-1 示例主办单位</p></div></body></html>""",
    (Facts("关于2031年蒙东地区燃煤机组示例超低排放电价拟核定名单的公示", None, "内蒙古自治区发展和改革委员会", "2031-08-11", None, None, ..., "nm"),),
    encoding="gbk",
    tables=(("加价标准", "| 示例元宝山电厂3号机组 | 0.005 | 2031年7月1日"),),
)  # fmt: skip

SD_BR_F = Raw(
    "sd-br", "html",
    """<html><head><meta http-equiv=content-type content="text/html;charset=GBK"><title>烟台市海洋发展和渔业局</title></head><body><table align=center width=1000><tr><td>网站示例首页</td><td>机构示例</td></tr></table><table align=center width=1000><tr><td class=dh>当前栏目：示例公告</td></tr><tr><td align=center><span t style="font-size:24px">烟台市海洋发展和渔业局关于海上光伏项目养殖区避让有关要求的通告</span></td></tr><tr><td align=center>[ 2032-05-06 来源：示例科 阅读次数：612 ]</td></tr><tr><td><div k id=content>&emsp;&emsp;为协调海上光伏与海水养殖空间利用（演示文本），依据《山东省海域使用管理条例》，现将有关要求通告如下：<br><br>&emsp;&emsp;一、桩基式海上光伏场区边缘与确权养殖区的距离不得小于500米。<br>&emsp;&emsp;二、养殖单位在场区内从事生产活动的，应当事先取得项目业主书面同意，并服从安全管理。<br>&emsp;&emsp;三、违反本通告的，依照有关规定处理；造成设施损坏的，依法承担赔偿责任。<br>&emsp;&emsp;本通告自2032年6月1日起施行，至2034年5月31日止。<br><br><div align=right>烟台市海洋发展和渔业局<br>2032年4月30日</div></div></td></tr><tr><td align=center>首页 上一页 1 2 下一页 尾页</td></tr><tr><td>上一篇：<a href=#>示例伏季休渔通告</a><br>下一篇：<a href=#>示例苗种许可公示</a></td></tr></table><center>Copyright 示例市海洋局 All Rights Reserved</center></body></html>""",
    (Facts("烟台市海洋发展和渔业局关于海上光伏项目养殖区避让有关要求的通告", None, "烟台市海洋发展和渔业局", "2032-04-30", "2032-06-01", "2034-06-01", "binding", "sd"),),
    encoding="gbk",
)  # fmt: skip

CN_PRINT_F = Raw(
    "cn-print", "print",
    """<html><head><meta charset=utf-8><title>住房城乡建设部办公厅关于建筑光伏一体化项目消防设计审查有关问题的复函-住房和城乡建设部</title><style>body{font-family:'Noto Serif CJK SC';font-size:16px;line-height:2}.c{text-align:center}.r{text-align:right}.ck{position:fixed;bottom:0;left:0;right:0;background:#eee;font-size:12px}td{border:1px solid #999;padding:3px;font-size:13px}</style></head><body><div class=ck>本网站使用示例Cookie 接受 拒绝</div><table width=100%><tr><td>索引号</td><td>000013338/2032-00077</td><td>主题信息</td><td>建筑示例节能</td></tr><tr><td>发文单位</td><td>住房城乡建设部办公厅</td><td>生成日期</td><td>2032-03-02</td></tr><tr><td>文件名称</td><td t colspan=3>住房城乡建设部办公厅关于建筑光伏一体化项目消防设计审查有关问题的复函</td></tr><tr><td>有效期</td><td></td><td>文号</td><td>建办科函〔2032〕66号</td></tr></table><h2 t class=c>住房城乡建设部办公厅关于建筑光伏一体化项目消防设计审查有关问题的复函</h2><p k>广东省住房和城乡建设厅：</p><p k>你厅《关于建筑光伏一体化项目消防设计审查有关问题的请示》（粤建消〔2032〕9号）收悉（演示文本）。经研究，函复如下：</p><p k>一、光伏构件作为屋面板、幕墙面板使用的，其燃烧性能等级不应低于A级；作为遮阳构件使用的，不应低于B1级。</p><p k>二、建筑高度大于50米的建筑，外墙光伏构件应当每层设置高度不小于1.2米的防火隔离带，设有自动喷水灭火系统保护的除外。</p><p k>三、既有建筑加装光伏系统不改变使用功能且不降低原有消防安全水平的，可以不办理消防设计审查，但应当依法备案。</p><p k class=r>住房城乡建设部办公厅</p><p k class=r>2032年3月2日</p><p t>（此件示例公开发布）</p><p>分享示例到朋友圈</p></body></html>""",
    (Facts("住房城乡建设部办公厅关于建筑光伏一体化项目消防设计审查有关问题的复函", "建办科函〔2032〕66号", "住房城乡建设部办公厅", "2032-03-02", ..., ..., ..., ...),),
)  # fmt: skip

GD_TWO_F = Raw(
    "gd-two", "pdf",
    """<style>body{font:11pt/1.7 "Noto Serif CJK SC",serif}.two{columns:2;column-gap:8mm}p{margin:0;text-indent:2em;text-align:justify}.c{text-align:center;text-indent:0;font-size:16pt}.r{text-align:right}table{border-collapse:collapse;width:100%}td{border:1px solid;font-size:9pt;padding:2px}.h{font-size:9pt;border-bottom:1px solid;text-indent:0}</style><body><p t class=h>广东示例公报 2032年第18期　　　　　　　　　　　　部门文件</p><p k class=c>广东省交通运输厅 广东省能源局关于</p><p k class=c>内河船舶岸电使用管理的通知</p><p k class=c style="font-size:11pt">粤交港〔2032〕40号</p><div class=two><p k style="text-indent:0">各地级以上市交通运输局、能源主管部门：</p><p k>为规范内河船舶岸电使用（演示文本），现将有关事项通知如下。</p><p k>一、具备受电设施的船舶在具备岸电供应能力的泊位停泊超过3小时，且不使用清洁能源的，应当使用岸电；因台风等恶劣天气影响安全的除外。</p><p k>二、港口企业应当保持岸电设施完好，年度可用率不得低于95%，检修应当提前24小时公告。</p><p k>三、岸电服务费实行最高限价，按照下表执行：</p><table><tr><td k>区域</td><td k>服务费上限（元/千瓦时）</td></tr><tr><td k>珠江三角洲</td><td k>0.68</td></tr><tr><td k>西江、北江</td><td k>0.55</td></tr></table><p k>四、对未按规定使用岸电的船舶，由海事管理机构责令改正；情节严重的，处一万元以上十万元以下罚款。</p><p k>五、各地应当建立岸电使用情况月度统计制度，于次月8日前报送省交通运输厅，省交通运输厅按季度通报。</p><p k>六、本通知自2032年11月1日起实施，有效期5年，由省交通运输厅会同省能源局负责解释。</p><p k class=r>广东省交通运输厅</p><p k class=r>广东省能源局</p><p k class=r>2032年9月20日</p></div></body>""",
    (Facts("广东省交通运输厅 广东省能源局关于内河船舶岸电使用管理的通知", "粤交港〔2032〕40号", "广东省交通运输厅、广东省能源局", "2032-09-20", "2032-11-01", "2037-11-01", "binding", "gd"),),
    tables=(("服务费上限", "西江、北江 | 0.55"),),
)  # fmt: skip

CN_CODE_F = Raw(
    "cn-code", "pdf",
    """<style>body{font:12pt/1.8 "Noto Serif CJK SC",serif}p{margin:0}.c{text-align:center;font-size:18pt}.pb{break-before:page}</style><body><p k class=c>UDC</p><p k class=c>中华人民共和国国家标准</p><p k class=c>P　　　　GB 51999－2032</p><p k class=c style="margin-top:3cm">海上风力发电场升压站设计标准</p><p k class=c style="font-size:11pt">Standard for design of offshore wind farm substation</p><p k style="margin-top:3cm">2032－05－20　发布　　　　2032－10－01　实施</p><p k class=c style="font-size:13pt">中华人民共和国住房和城乡建设部</p><p k class=c style="font-size:13pt">国家市场监督管理总局　联合发布</p><p k class="c pb">1　总　则</p><p k>1.0.1　为规范海上风力发电场升压站设计，做到安全可靠、技术先进（演示文本），制定本标准。</p><p k>1.0.2　本标准适用于电压等级220kV及以下的海上升压站设计。</p><p k class=c>2　站址选择</p><p k>2.0.1　站址与航道边线的距离不应小于2n mile，当采取防撞措施并经论证时，可适当减小。</p><p k>2.0.2　站址水深不宜大于50m。</p><p k class=c>3　消防</p><p k>3.0.1　主变压器室应设置固定式灭火系统，灭火剂持续喷射时间不应小于20min。</p><p k class="c pb">条文说明</p><p k>2.0.1　距离要求系参考近年来国内已建工程通航论证结论确定。</p></body>""",
    (Facts("海上风力发电场升压站设计标准", ..., ..., ..., "2032-10-01", ..., ..., "cn"),),
)  # fmt: skip

CN_QUOTA_F = Raw(
    "cn-quota", "pdf",
    """<style>body{font:15pt/1.9 "Noto Serif CJK SC",serif;width:15.6cm}p{margin:0;text-indent:2em;text-align:justify}.c{text-align:center;text-indent:0;font-size:20pt}.r{text-align:right;text-indent:0}.n{text-indent:0}.pb{break-before:page}table{border-collapse:collapse;width:100%;font-size:12pt}td{border:1px solid;padding:2px 4px}</style><body><p k class=c>国家发展改革委关于下达2033年煤炭清洁</p><p k class=c>高效利用重点领域标杆水平和基准水平的通知</p><p k class=c style="font-size:14pt">发改运行〔2033〕812号</p><p k class=n>各省、自治区、直辖市发展改革委：</p><p k>现将煤炭清洁高效利用重点领域标杆水平和基准水平下达你们（演示文本），请认真执行，自2033年10月1日起执行。</p><p k class=n>附件：1.煤炭洗选</p><p k class=n>　　　2.燃煤发电</p><p k class=n>　　　3.燃煤锅炉</p><p k class=n>　　　4.煤制甲醇</p><p k class=r>国家发展改革委</p><p k class=r>2033年8月29日</p><p k class="n pb">附件1</p><p k class=c>煤炭洗选领域标杆水平和基准水平</p><table><tr><td k>指标</td><td k>单位</td><td k>标杆水平</td><td k>基准水平</td></tr><tr><td k>煤炭洗选能耗</td><td k>千瓦时/吨</td><td k>3.1</td><td k>6.8</td></tr><tr><td k>煤炭洗选水耗</td><td k>立方米/吨</td><td k>0.05</td><td k>0.1</td></tr></table><p k>注：煤炭洗选的水耗指标不含生活用水，改造期间可以放宽1%。</p><p k class="n pb">附件2</p><p k class=c>燃煤发电领域标杆水平和基准水平</p><table><tr><td k>指标</td><td k>单位</td><td k>标杆水平</td><td k>基准水平</td></tr><tr><td k>燃煤发电能耗</td><td k>克标准煤/千瓦时</td><td k>270</td><td k>300</td></tr><tr><td k>燃煤发电水耗</td><td k>立方米/吨</td><td k>0.3</td><td k>0.8</td></tr></table><p k>注：燃煤发电的水耗指标不含生活用水，改造期间可以放宽2%。</p><p k class="n pb">附件3</p><p k class=c>燃煤锅炉领域标杆水平和基准水平</p><table><tr><td k>指标</td><td k>单位</td><td k>标杆水平</td><td k>基准水平</td></tr><tr><td k>燃煤锅炉能耗</td><td k>千克标准煤/吉焦</td><td k>37.2</td><td k>39.9</td></tr><tr><td k>燃煤锅炉水耗</td><td k>立方米/吨</td><td k>0.2</td><td k>0.4</td></tr></table><p k>注：燃煤锅炉的水耗指标不含生活用水，改造期间可以放宽3%。</p><p k class="n pb">附件4</p><p k class=c>煤制甲醇领域标杆水平和基准水平</p><table><tr><td k>指标</td><td k>单位</td><td k>标杆水平</td><td k>基准水平</td></tr><tr><td k>煤制甲醇能耗</td><td k>千克标准煤/吨</td><td k>1400</td><td k>1800</td></tr><tr><td k>煤制甲醇水耗</td><td k>立方米/吨</td><td k>8</td><td k>12</td></tr></table><p k>注：煤制甲醇的水耗指标不含生活用水，改造期间可以放宽4%。</p></body>""",
    (Facts("国家发展改革委关于下达2033年煤炭清洁高效利用重点领域标杆水平和基准水平的通知", "发改运行〔2033〕812号", "国家发展改革委", "2033-08-29", "2033-10-01", None, "binding", "cn"),),
    tables=(("标杆水平", "燃煤发电能耗 | 克标准煤/千瓦时 | 270 | 300"), ("基准水平", "煤制甲醇水耗 | 立方米/吨 | 8 | 12"),),
)  # fmt: skip

NM_OLD_F = Raw(
    "nm-old", "html",
    """<HTML><HEAD><META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=gb2312"><TITLE>::锡林郭勒盟示例委员会::</TITLE></HEAD><BODY BGCOLOR=#FFFFFF><MARQUEE>热烈祝贺全盟示例工作会议胜利召开</MARQUEE><TABLE WIDTH=778 BORDER=0><TR><TD><A HREF=#>首页示例</A> <A HREF=#>公告示例</A></TD></TR><TR><TD HEIGHT=30 CLASS=bt><CENTER><B t>锡林郭勒盟行政公署办公室关于印发全盟分散式风电乡村振兴行动计划（2033—2035年）的通知</B></CENTER></TD></TR><TR><TD ALIGN=CENTER>[发布：2033-3-2]　[浏览：209次]　[来源：示例室]</TD></TR><TR><TD CLASS=nr><P k ALIGN=CENTER>锡署办发〔2033〕11号</P><P k>各旗县市（区）人民政府（管委会）：</P><P k>现将《全盟分散式风电乡村振兴行动计划（2033—2035年）》印发给你们（演示文本），请结合实际抓好落实。</P><P k ALIGN=RIGHT>锡林郭勒盟行政公署办公室</P><P k ALIGN=RIGHT>2033年2月24日</P><P k ALIGN=CENTER>全盟分散式风电乡村振兴行动计划</P><P k ALIGN=CENTER>（2033—2035年）</P><P k>一、总体目标</P><P k>到2035年，全盟建成村级分散式风电150个，每村装机规模不超过1万千瓦，村集体年均增收不低于20万元。</P><P k>二、重点任务</P><P k>（一）规范收益分配。村集体收益用于公益岗位的比例不得低于40%，严禁平均发放。</P><P k>（二）简化手续。单个项目备案应当在3个工作日内办结。</P></TD></TR><TR><TD>【<A HREF=#>返回顶部</A>】</TD></TR><TR><TD>版权：锡盟示例委 蒙ICP备00000000号</TD></TR></TABLE></BODY></HTML>""",
    (Facts("锡林郭勒盟行政公署办公室关于印发全盟分散式风电乡村振兴行动计划（2033—2035年）的通知", "锡署办发〔2033〕11号", "锡林郭勒盟行政公署办公室", "2033-02-24", ..., ..., "binding", "nm"), Facts("全盟分散式风电乡村振兴行动计划（2033—2035年）", "锡署办发〔2033〕11号", "锡林郭勒盟行政公署办公室", "2033-02-24", ..., ..., "binding", "nm"),),
    encoding="gbk",
)  # fmt: skip

NX_MHT_G = Raw(
    "nx-mht", "mhtml",
    """<!DOCTYPE html><html><head><meta charset="utf-8"><title>自治区发展改革委关于完善分时电价机制有关事项的通知_宁夏回族自治区发展和改革委员会</title><style>.r{text-align:right}</style></head><body>
<div id="top"><a href="#">宁夏政务服务网</a><a href="#">自治区人民政府</a><span>欢迎访问本站！今天是：2026年7月3日</span><input placeholder="请输入"></div>
<div class="banner"><ul><li><a href="#">委领导</a></li><li><a href="#">政策发布</a></li><li><a href="#">投资审批</a></li><li><a href="#">经济运行</a></li></ul></div>
<div class="wrap"><div class="lt"><div class="lt-tit">信息分类目录</div><ul><li><a href="#">机构信息</a></li><li><a href="#">规划计划</a></li><li><a href="#">重大项目批准和实施</a></li></ul></div>
<div class="rt"><div class="hd-t"><p t>自治区发展改革委关于完善分时电价机制有关事项的通知</p></div>
<table class="gkxx"><tr><td>索引号</td><td>640000010/2026-00412</td><td>效力状态</td><td>有效</td></tr><tr><td>责任部门</td><td>价格管理处</td><td>公开责任人</td><td>李某某</td></tr><tr><td>文号</td><td>宁发改价格（管理）〔2026〕388号</td><td>生成日期</td><td>2026-06-18</td></tr></table>
<p class="sub">保护视力色：<i></i><i></i><i></i> 浏览：<b>312</b> 次</p>
<div class="zwnr"><p k style="text-align:center">宁发改价格（管理）〔2026〕388号</p><p k>各市、县（区）发展改革局，国网宁夏电力有限公司：</p><p k>为完善分时电价机制（演示文本），引导电力用户削峰填谷，现将有关事项通知如下。</p><p k>一、峰段为每日17:00—23:00，谷段为每日9:00—17:00，其余时段为平段。</p><p k>二、峰段电价在平段电价基础上上浮50%，谷段电价在平段电价基础上下浮50%，居民生活、农业生产用电不执行分时电价。</p><p k>三、现货市场连续运行期间，直接参与市场交易的用户不执行本通知规定的峰谷时段，由市场形成分时价格。</p><p k>四、本通知自2026年8月1日起执行，有效期3年。</p><p k class="r">宁夏回族自治区发展和改革委员会</p><p k class="r">2026年6月18日</p><p k>（此件公开发布）</p></div>
<div class="pj"><p>您对本页面内容是否满意？</p><p>非常满意</p><p>基本满意</p><p>不满意，我要提建议</p></div>
<div class="xg"><p>你可能还想了解</p><p><a href="#">关于2026年居民阶梯气价听证会的公告</a></p><p><a href="#">一图看懂分时电价新政</a></p></div></div></div>
<div class="bt"><p>地址：银川市金凤区某路1号　邮编：750000</p><p>宁ICP备05000000号-1　宁公网安备64010600000号</p><p>您是第 10382771 位访客</p></div></body></html>""",
    (Facts("自治区发展改革委关于完善分时电价机制有关事项的通知", "宁发改价格（管理）〔2026〕388号", "宁夏回族自治区发展和改革委员会", "2026-06-18", "2026-08-01", "2029-08-01", "binding", "nx"),),
)  # fmt: skip

WX_SAVE_G = Raw(
    "wx-save", "html",
    """<!DOCTYPE html><html><head><meta charset="utf-8"><meta property="og:title" content="重磅！河北印发独立储能参与现货市场细则"><meta property="og:url" content="https://mp.weixin.qq.com/s/abc"><title></title></head><body id="activity-detail"><div id="js_article"><div id="img-content" class="rich_media_wrp"><h1 class="rich_media_title" id="activity-name">重磅！河北印发独立储能参与现货市场细则</h1><div id="meta_content"><span class="rich_media_meta">原创</span><span>冀储观察</span><a>冀储观察</a><em>2026年5月21日 07:58</em><em>河北</em></div><div class="rich_media_content" id="js_content" style="visibility: hidden;"><section><section><p><span>点击蓝字 关注我们，第一时间获取储能政策</span></p></section></section><section><p>5月20日，河北省发展和改革委员会印发《河北南网独立储能参与电力现货市场交易实施细则》，小编整理如下，建议收藏转发。</p></section><section style="text-align:center"><p k><strong>河北省发展和改革委员会</strong></p><p k><strong>关于印发《河北南网独立储能参与电力现货市场交易实施细则》的通知</strong></p><p k>冀发改电力〔2026〕641号</p></section><section><p k>国网河北省电力有限公司，河北电力交易中心有限公司：</p><p k>现将《河北南网独立储能参与电力现货市场交易实施细则》（演示文本）印发给你们，请认真贯彻执行。</p><p k style="text-align:right">河北省发展和改革委员会</p><p k style="text-align:right">2026年5月18日</p></section><section><p k style="text-align:center"><strong>河北南网独立储能参与电力现货市场交易实施细则</strong></p><p k><strong>第一条</strong> 为规范独立储能参与电力现货市场交易，制定本细则。</p><p k><strong>第二条</strong> 独立储能装机容量不低于1万千瓦，持续放电时间不低于2小时。</p><p k><strong>第三条</strong> 独立储能充电电量不承担输配电价和政府性基金及附加，转供其他用户的除外。</p><p k><strong>第四条</strong> 本细则自2026年7月1日起施行，有效期至2028年6月30日。</p></section><section><p>- END -</p><p>觉得有用请点赞、在看、转发三连</p><section class="mp_profile_iframe_wrp"><mp-common-profile data-nickname="冀储观察"></mp-common-profile></section><p>加入储能交流群请添加小编微信：chuneng2026（备注单位+姓名）</p><p>商务合作：13800000000</p></section></div><div class="rich_media_tool"><span>阅读原文</span><span>微信扫一扫关注该公众号</span></div></div></div><div class="rich_media_area_extra"><div>预览时标签不可点</div></div></body></html>""",
    (Facts("河北省发展和改革委员会关于印发《河北南网独立储能参与电力现货市场交易实施细则》的通知", "冀发改电力〔2026〕641号", "河北省发展和改革委员会", "2026-05-18", ..., ..., "binding", "heb"), Facts("河北南网独立储能参与电力现货市场交易实施细则", "冀发改电力〔2026〕641号", "河北省发展和改革委员会", "2026-05-18", "2026-07-01", "2028-07-01", "binding", "heb"),),
)  # fmt: skip

JX_LEFT_G = Raw(
    "jx-left", "print",
    """<html><head><meta charset=utf-8><title>江西省发展改革委关于降低天然气管道运输价格的通知</title><style>body{font-family:'Noto Sans CJK SC';font-size:15px;line-height:1.8;width:960px;margin:0}.l{float:left;width:190px}.l p{margin:6px 0}.m{float:left;width:740px}.m p{text-indent:2em;margin:6px 0}.c{text-align:center;text-indent:0!important}.r{text-align:right}</style></head><body><div class=l><p>政策文件库</p><p>省级价格政策</p><p>市县价格政策</p><p>收费目录清单</p><p>成本监审公开</p><p>历年文件汇编</p></div><div class=m><p t class=c style="font-size:22px">江西省发展改革委关于降低天然气管道运输价格的通知</p><p k class=c>赣发改价管〔2026〕455号</p><p k>各设区市发展改革委，江西省天然气集团有限公司：</p><p k>为降低用气成本（演示文本），经研究，现将降低省内天然气管道运输价格有关事项通知如下：</p><p k>一、省级管网同网同价区域管输价格由每立方米0.28元调整为0.235元（含税，下同）。</p><p k>二、直供用户管输价格不得高于前款规定的价格，合同约定更低的从其约定。</p><p k>三、管道运输企业应当每年4月30日前报送上一年度成本资料，逾期不报的按从低原则核定。</p><p k>四、上述规定自2026年11月1日起执行，执行至2029年10月31日。</p><p k class=r>江西省发展和改革委员会</p><p k class=r>2026年10月9日</p></div></body></html>""",
    (Facts("江西省发展改革委关于降低天然气管道运输价格的通知", "赣发改价管〔2026〕455号", "江西省发展和改革委员会", "2026-10-09", "2026-11-01", "2029-11-01", "binding", "jx"),),
)  # fmt: skip

SGCC_PAGE_G = Raw(
    "sgcc-page", "html",
    """<!DOCTYPE html><html><head><meta charset="utf-8"><title>信息公开-国网福建省电力有限公司</title></head><body><div class="w1200"><div class="sg-top"><span>切换省份：福建</span><a href="#">网上国网</a><a href="#">掌上电力下载</a></div><div class="sg-left"><dl><dt>供电服务信息</dt><dd><a href="#">企业基本情况</a></dd><dd><a href="#">办理用电业务程序</a></dd><dd><a href="#">电价和收费标准</a></dd><dd><a href="#">停限电公告查询</a></dd></dl></div><div class="sg-right"><p class="bt" t>国网福建省电力有限公司关于2026年12月代理工商业用户购电价格的公告</p><p class="sj">发布单位：营销部　发布日期：2026/11/27</p><div class="nr"><p k>尊敬的电力客户：</p><p k>根据国家发展改革委有关文件要求（演示文本），现将2026年12月代理工商业用户购电价格公告如下，自2026年12月1日起执行。</p><table class="tb" style="border:1px solid"><tr><td k colspan="2">名称</td><td k>数值</td><td k>单位</td></tr><tr><td k rowspan="2">电量</td><td k>代理购电工商业用户电量</td><td k>31.26</td><td k>亿千瓦时</td></tr><tr><td k>其中：优先发电电量</td><td k>12.40</td><td k>亿千瓦时</td></tr><tr><td k rowspan="2">价格</td><td k>平均上网电价</td><td k>0.3971</td><td k>元/千瓦时</td></tr><tr><td k>辅助服务费用折价</td><td k>0.0018</td><td k>元/千瓦时</td></tr></table><p k>注：辅助服务费用折价为预测值，月度清算后在后续月份滚动调整。</p><p k>如有疑问，请拨打95598供电服务热线咨询。</p><p k style="text-align:right">国网福建省电力有限公司</p><p k style="text-align:right">2026年11月27日</p></div><div class="fj"><span>附件下载：</span><a href="/x/1.xlsx">代理购电价格表.xlsx</a></div></div><div class="sg-foot"><p>国家电网有限公司 福建省能源局 中国南方电网 福建日报</p><p>网站支持IPV6 · 闽ICP备00000000号</p></div></div></body></html>""",
    (Facts("国网福建省电力有限公司关于2026年12月代理工商业用户购电价格的公告", None, "国网福建省电力有限公司", "2026-11-27", "2026-12-01", ..., ..., "fj"),),
    tables=(("数值", "| 辅助服务费用折价 | 0.0018 | 元/千瓦时"),),
)  # fmt: skip

ZJ_GOV_G = Raw(
    "zj-gov", "html",
    """<!DOCTYPE html><html><head><meta charset="utf-8"><meta name="ArticleTitle" content="浙江省发展改革委 浙江省能源局关于印发《浙江省海上风电项目竞争性配置办法》的通知"><title>浙江省发展改革委 浙江省能源局关于印发《浙江省海上风电项目竞争性配置办法》的通知</title></head><body><div class="zj-head"><i>浙里办</i><i>一网通办</i><i>杭州 多云 17~24℃</i></div><div class="zj-main"><div class="zj-tit" t>浙江省发展改革委 浙江省能源局关于印发《浙江省海上风电项目竞争性配置办法》的通知</div><div class="zj-meta"><span>2026-01-19 14:20</span><span>来源：省发展改革委</span><span>访问次数：<i>7712</i></span></div><div id="zoom" class="art"><p><span>语音朗读　00:00 / 04:31　倍速</span></p><p k>各市、县（市、区）发展改革委（局）：</p><p k>现将《浙江省海上风电项目竞争性配置办法》（演示文本）印发给你们，请认真贯彻落实。</p><p k style="text-align:right">浙江省发展和改革委员会</p><p k style="text-align:right">浙江省能源局</p><p k style="text-align:right">2026年1月15日</p><p k style="text-align:center">浙江省海上风电项目竞争性配置办法</p><p k>第一条 为规范海上风电项目竞争性配置，制定本办法。</p><p k>第二条 申报企业净资产不低于项目资本金的2倍，联合体申报的，按照牵头企业核定。</p><p k>第三条 评分满分为100分，其中上网电价占30分，低于标杆电价20%以上的部分不再加分。</p><p k>第四条 本办法自2026年3月1日起施行。</p><div class="tool-in"><p>文件下载</p><p>下载PDF版（盖章）</p><p>下载WORD版</p></div></div><div class="zj-jd"><p>政策图解</p><p>媒体视角</p><p>专家观点</p></div></div><div class="zj-float"><p>小程序</p><p>意见箱</p><p>TOP</p></div></body></html>""",
    (Facts("浙江省发展改革委 浙江省能源局关于印发《浙江省海上风电项目竞争性配置办法》的通知", ..., "浙江省发展和改革委员会、浙江省能源局", "2026-01-15", ..., ..., "binding", "zj"), Facts("浙江省海上风电项目竞争性配置办法", ..., ..., "2026-01-15", "2026-03-01", ..., "binding", "zj"),),
)  # fmt: skip

LN_SSR_G = Raw(
    "ln-ssr", "html",
    """<!DOCTYPE html><html><head><meta charset="utf-8"><title>辽宁省能源局关于印发《辽宁省电力可靠性监督管理细则》的通知 - 辽宁省能源局门户</title></head><body><div id="app"><div class="g-hd"><span>辽宁能源</span><nav><a href="#">首页</a><a href="#">规划</a><a href="#">监管</a></nav></div><div class="g-bd"><div class="u-title" t>辽宁省能源局关于印发《辽宁省电力可靠性监督管理细则》的通知</div><div class="u-line"><i>2027年4月2日</i><i>浏览 88</i><i>收藏</i><i>字号 A+ A-</i></div><div class="u-content"><p k style="text-align:center">辽能源运行（电力）〔2027〕12号</p><p k>各市发展改革委，国网辽宁省电力有限公司：</p><p k>现将《辽宁省电力可靠性监督管理细则》（演示文本）印发给你们，请遵照执行。</p><p k style="text-align:right">辽宁省能源局</p><p k style="text-align:right">2027年3月29日</p><p k style="text-align:center">辽宁省电力可靠性监督管理细则</p><p k style="text-align:center">第一章　总则</p><p k>第一条　为加强电力可靠性监督管理，制定本细则。</p><p k>第二条　供电企业城市用户平均停电时间不得超过2小时，因不可抗力造成的除外。</p><p k style="text-align:center">第二章　附则</p><p k>第三条　本细则自2027年5月1日起施行，有效期5年。</p></div><div class="u-zan"><b>有用</b><b>12</b><b>没用</b><b>3</b></div><div class="u-cmt"><h4>网友说</h4><div><p>网友138****2211</p><p>停电时间怎么查询？</p><p>2027-04-03 回复</p></div></div><div class="u-more"><h4>看了本文的人还看了</h4><ul><li><a href="#">辽宁省电力安全事故通报</a></li><li><a href="#">可靠性指标季度发布</a></li></ul></div></div><div class="g-ft"><p>辽宁省能源局主办　沈阳市某区某街2号</p><p>技术保障单位 某大数据公司</p></div></div><script>window.__INITIAL_STATE__={"detail":{"title":"辽宁省能源局关于印发通知","body":"<p>略</p>"}}</script></body></html>""",
    (Facts("辽宁省能源局关于印发《辽宁省电力可靠性监督管理细则》的通知", "辽能源运行（电力）〔2027〕12号", "辽宁省能源局", "2027-03-29", ..., ..., "binding", "ln"), Facts("辽宁省电力可靠性监督管理细则", "辽能源运行（电力）〔2027〕12号", "辽宁省能源局", "2027-03-29", "2027-05-01", "2032-05-01", "binding", "ln"),),
)  # fmt: skip

JL_THREE_G = Raw(
    "jl-three", "print",
    """<html><head><meta charset=utf-8><title>吉林省能源局关于做好2027年清洁取暖用电保障工作的通知</title><style>body{font-family:'Noto Sans CJK SC';font-size:14px;line-height:1.8;width:1000px;margin:0}.l{float:left;width:150px}.m{float:left;width:600px;padding:0 20px}.s{float:left;width:200px}.m p{text-indent:2em;margin:6px 0}.c{text-align:center;text-indent:0!important}.r{text-align:right}.ft{clear:both;text-align:center}</style></head><body><div class=l><p>机构设置图</p><p>能源规划库</p><p>电力供需表</p><p>煤炭产销存</p><p>双碳进行时</p></div><div class=m><p t class=c style="font-size:20px;font-weight:bold">吉林省能源局关于做好2027年清洁取暖用电保障工作的通知</p><p class=c>发布：2027-09-21　来源：电力处　阅读：330</p><p k class=c>吉能电力〔2027〕155号</p><p k>各市（州）能源局，长白山管委会经济发展局，国网吉林省电力有限公司：</p><p k>为做好2027年清洁取暖用电保障工作（演示文本），现将有关事项通知如下。</p><p k>一、供电企业应当于2027年10月15日前完成清洁取暖线路隐患排查，对重载配电变压器逐台制定改造计划，改造期间不得停限居民取暖用电。</p><p k>二、蓄热式电锅炉用户在低谷时段用电量占比达到70%以上的，执行优惠电价，占比不足的按照平段电价执行，由用户自行选择并在一个供暖期内保持不变。</p><p k>三、有序用电方案应当将清洁取暖用户列入保障清单，未经省能源局批准不得调整。</p><p k>四、本通知自印发之日起施行，执行至2028年4月30日。</p><p k class=r>吉林省能源局</p><p k class=r>2027年9月16日</p></div><div class=s><p>实时关注</p><p><a href="https://x.cn/1">松原风电基地并网</a></p><p><a href="https://x.cn/2">白城制氢项目投产</a></p><p>便民查询</p><p><a href="https://x.cn/3">电价查询入口</a></p></div><div class=ft>吉ICP备00000000号　吉林省能源局　版权所有</div></body></html>""",
    (Facts("吉林省能源局关于做好2027年清洁取暖用电保障工作的通知", "吉能电力〔2027〕155号", "吉林省能源局", "2027-09-16", ..., ..., "binding", "jl"),),
)  # fmt: skip

HI_LIST_G = Raw(
    "hi-list", "html",
    """<!DOCTYPE html><html><head><meta charset="utf-8"><title>海南省发展和改革委员会关于公布规范性文件清理结果的公告</title></head><body><div class="top"><a href="#">海南省政府网</a></div><div class="xl"><h1 t>海南省发展和改革委员会关于公布规范性文件清理结果的公告</h1><div class="xl-i">发布机构：政策法规处　发布时间：2027-01-20　【打印】</div><div class="xl-c"><p k>琼发改法规〔2027〕5号</p><p k>根据规范性文件清理工作要求（演示文本），经省发展改革委主任办公会议审议通过，决定废止3件规范性文件，现予公布，自2027年1月15日起失效。</p><table border="1"><tr><td k>标题</td><td k>文号</td><td k>发布机构</td><td k>成文日期</td></tr><tr><td k>海南省风电项目核准暂行规定</td><td k>琼发改能源〔2011〕88号</td><td k>省发展改革委</td><td k>2011年4月2日</td></tr><tr><td k>海南省天然气分布式能源管理办法</td><td k>琼发改能源〔2014〕301号</td><td k>省发展改革委、省住房城乡建设厅</td><td k>2014年3月9日</td></tr><tr><td k>海南省节能评估收费标准</td><td k>琼价费管〔2012〕17号</td><td k>省物价局</td><td k>2012年1月30日</td></tr></table><p k style="text-align:right">海南省发展和改革委员会</p><p k style="text-align:right">2027年1月12日</p></div><div class="xl-f"><p>解读机关：政策法规处</p><p>解读文本</p><p>视频解读</p></div></div><div class="ft"><p>琼ICP备00000000号</p></div></body></html>""",
    (Facts("海南省发展和改革委员会关于公布规范性文件清理结果的公告", "琼发改法规〔2027〕5号", "海南省发展和改革委员会", "2027-01-12", ..., ..., ..., "hi"),),
    tables=(("文号", "海南省节能评估收费标准 | 琼价费管〔2012〕17号 | 省物价局 | 2012年1月30日"),),
)  # fmt: skip

NM_TWO_G = Raw(
    "nm-two", "pdf",
    """<style>body{font:11pt/1.7 "Noto Serif CJK SC",serif}.two{columns:2;column-gap:8mm}p{margin:0;text-indent:2em;text-align:justify}.c{text-align:center;text-indent:0;font-size:16pt}.r{text-align:right}.h{font-size:9pt;text-indent:0;border-bottom:1px solid}</style><body><p t class=h>2033·3　内蒙古示例政报　　　　　　　　　　　　　　　　　　　　　　　　自治区文件</p><p k class=c>内蒙古自治区人民政府关于促进</p><p k class=c>风光制氢一体化项目发展的意见</p><p k class=c style="font-size:11pt">内政发〔2033〕6号</p><div class=two><p k style="text-indent:0">各盟行政公署、市人民政府，自治区各委、办、厅、局：</p><p k>为促进风光制氢一体化项目发展（演示文本），现提出以下意见。</p><p k>一、总体要求。坚持以荷定源，新能源规模按照制氢电力需求的1.2倍配置，上网电量比例不得超过20%，项目投产后年度实际上网电量超出部分不予结算，因电网原因要求多送的电量除外。</p><p k>二、优化用地。制氢装置可以在化工园区外建设，但应当符合国土空间规划，与居民区的距离不得小于200米。</p><p k>三、用水保障。优先使用再生水和疏干水，取用黄河水的，应当通过水权转让取得指标。</p><p k>四、价格支持。一体化项目自发自用电量暂不收取系统备用费，政策执行至2035年底。</p><p k>五、财政支持。对2035年底前投产的项目，按照年度绿氢产量给予每公斤3元补助，单个企业年度补助最高不超过2000万元。</p><p k>六、安全监管。各地应当落实属地责任，每半年开展一次安全检查，检查结果报自治区应急管理厅。</p><p k>本意见自印发之日起施行，有效期5年。</p><p k class=r>内蒙古自治区人民政府</p><p k class=r>2033年2月14日</p></div></body>""",
    (Facts("内蒙古自治区人民政府关于促进风光制氢一体化项目发展的意见", "内政发〔2033〕6号", "内蒙古自治区人民政府", "2033-02-14", ..., ..., "binding", "nm"),),
)  # fmt: skip

NM_BASE_H = Raw(
    "nm-base", "txt",
    """<html><body><p>内蒙古自治区能源局关于加强风电场技改升级管理的通知</p><p>【法宝引证码】CLI.12.0000000</p><p>【发文字号】内能源新能字〔2031〕700号</p><p>【发布部门】内蒙古自治区能源局</p><p>【发布日期】2031.08.15</p><p>【效力级别】地方规范性文件</p><p>【法规类别】电力工业示例</p><p k>内蒙古自治区能源局关于加强风电场技改升级管理的通知</p><p k>（内能源新能字〔2031〕700号）</p><p k>各盟市能源局：</p><p k>为加强风电场技改升级管理（演示文本），现就有关事项通知如下。</p><p k>一、并网运行满十五年的风电场，可以申请改造。</p><p k>二、改造期间不得新增占用基本草原，已经取得征占用手续的除外。</p><p k>本通知自2031年9月1日起施行。</p><p k>内蒙古自治区能源局</p><p k>2031年8月15日</p><p>©示例法库：（www.example.com）专业提供示例信息和各类解决方案。示例法库为您提供丰富的参考资料，正式引用条文时请与标准文本核对。</p><p>欢迎查看所有示例产品和服务。</p><p>原文链接：https://www.example.com/lar/x.html</p></body></html>""",
    (Facts("内蒙古自治区能源局关于加强风电场技改升级管理的通知", "内能源新能字〔2031〕700号", "内蒙古自治区能源局", "2031-08-15", "2031-09-01", ..., "binding", "nm"),),
)  # fmt: skip

GX_QUERY_H = Raw(
    "gx-query", "html",
    """<HTML><HEAD><TITLE>法规查询</TITLE></HEAD><BODY><CENTER><FONT SIZE=4 k>广西壮族自治区小水电站示例管理规定</FONT><BR><FONT SIZE=2 k>（2031年11月30日自治区人民政府令第118号公布）</FONT></CENTER><HR><P k>第一条　为了加强小水电站管理（演示文本），制定本规定。</P><P k>第二条　总装机容量5万千瓦以下的水电站，每五年至少开展一次大坝评价。</P><P k>第三条　本规定自2032年1月1日起施行。</P><HR><CENTER>技术支持：自治区示例中心</CENTER></BODY></HTML>""",
    (Facts("广西壮族自治区小水电站示例管理规定", "自治区人民政府令第118号", "广西壮族自治区人民政府", "2031-11-30", "2032-01-01", ..., "binding", "gx"),),
    encoding="gbk",
)  # fmt: skip

SC_PRINT_H = Raw(
    "sc-print", "print",
    """<html><head><meta charset=utf-8><title>四川省人民政府办公厅关于印发《四川省水风光示例开发管理办法》的通知_四川省示例政府</title><style>body{font:15px "Noto Serif CJK SC"}.s{float:right;width:190px;font-size:12px}.m{margin-right:210px}</style></head><body><div>四川省示例政府 <a href=#>首页</a> <a href=#>政务</a></div><div class=s><h4>热门推荐</h4><ul><li>示例绿色工厂名单公布之一</li><li>示例绿色工厂名单公布之二</li></ul></div><div class=m><h2 t style="text-align:center">四川省人民政府办公厅关于印发《四川省水风光示例开发管理办法》的通知</h2><p style="text-align:center;font-size:12px">川办规〔2031〕9号　2031-09-12 17:41　来源：四川省人民政府办公厅　字号：A+ A-</p><p k>各市（州）人民政府，省政府各部门：</p><p k>《四川省水风光示例开发管理办法》（演示文本）已经省政府同意，现印发给你们，请认真贯彻执行。</p><p style="text-align:right" k>四川省人民政府办公厅</p><p style="text-align:right" k>2031年9月8日</p><h3 style="text-align:center" k>四川省水风光示例开发管理办法</h3><p k>第一条　为推进水风光一体化开发，提高外送通道利用率，结合本省实际，制定本办法。</p><p k>第二条　基地内光伏、风电装机规模与水电装机规模之比不宜超过二比一，确需超过的，应当进行专题论证。</p><p k>第三条　本办法自2031年10月15日起施行，有效期5年。</p></div></body></html>""",
    (Facts("四川省人民政府办公厅关于印发《四川省水风光示例开发管理办法》的通知", "川办规〔2031〕9号", "四川省人民政府办公厅", "2031-09-08", ..., ..., "binding", "sc"), Facts("四川省水风光示例开发管理办法", "川办规〔2031〕9号", "四川省人民政府办公厅", "2031-09-08", "2031-10-15", "2036-10-15", "binding", "sc"),),
)  # fmt: skip

FURTHER_PAPERS = (
    GD_JCMS_F, SD_VSB_F, CN_THREE_F, CN_PRE_F, SD_WXP_F, NM_GS_F, SD_BR_F, CN_PRINT_F, GD_TWO_F, CN_CODE_F, CN_QUOTA_F, NM_OLD_F,
    NX_MHT_G, WX_SAVE_G, JX_LEFT_G, SGCC_PAGE_G, ZJ_GOV_G, LN_SSR_G, JL_THREE_G, HI_LIST_G, NM_TWO_G,
    NM_BASE_H, GX_QUERY_H, SC_PRINT_H,
)  # fmt: skip
