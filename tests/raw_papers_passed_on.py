"""Whole papers (演示文本) as people pass them on and as further sites set them, written before the readers were made for them.

Marks as in ``raw_papers``.
"""

from tests.paper_samples import Facts
from tests.raw_papers import Raw

GD_MEDIA = Raw(
    "gd-media", "html",
    """<html><head><meta charset=utf-8><title>广东：2034年电力市场交易有关事项印发！-示例星电力网</title><meta name=keywords content="广东电力市场,售电"></head><body><div class=hd><a href=#>示例星首页</a><a href=#>火电示例网</a><a href=#>风电示例网</a><a href=#>储能示例网</a></div><div>您的位置：<a href=#>示例售电网</a> &gt; 政策 &gt; 正文</div>
<h1 t>广东：2034年电力市场交易有关事项印发！</h1><div class=tips>2033-11-29 09:15 来源: 广东省能源局 关键词：<a href=#>广东电力市场</a> <a href=#>电力交易示例</a> <a href=#>售电公司示例</a></div>
<div class=con><p t>示例星售电网获悉，11月28日，广东省能源局、国家能源局南方监管局发布关于2034年电力市场交易有关事项的通知。原文如下：</p>
<p k align=center><strong>广东省能源局 国家能源局南方监管局关于2034年电力市场交易有关事项的通知</strong></p><p k>粤能电力〔2033〕118号</p><p k>各地级以上市发展改革局（委），广东电网有限责任公司、深圳供电局有限公司，广东电力交易中心，各市场主体：</p><p k>为做好2034年电力市场交易工作（演示文本），现将有关事项通知如下。</p><p k>一、市场规模。2034年全省电力市场规模约为6800亿千瓦时，包括直接参与市场交易电量和电网企业代理购电电量。</p><p k>二、价格机制。年度交易成交均价上限暂定为0.542元/千瓦时，下限暂定为0.367元/千瓦时。</p><div class=ad><a href=#>示例广告：电力交易员培训火热报名中</a></div><p k>三、售电公司应当于2033年12月20日前足额提交履约担保，未足额提交的，不得参加年度交易。</p><p k>四、本通知自2034年1月1日起实施，有效期1年。</p><p k align=right>广东省能源局</p><p k align=right>国家能源局南方监管局</p><p k align=right>2033年11月26日</p></div>
<div class=note>特别声明：示例星转载其他网站内容，出于传递更多信息而非盈利之目的，文章内容仅供参考。凡来源注明示例星*网的内容为示例星原创，转载需获授权。</div><div class=edit>（责任编辑：示小例）</div><div class=tj><b>延伸阅读</b><a href=#>示例南方区域电力市场月报</a><a href=#>示例山西售电公司名单</a></div><div>示例星售电网官方微信</div></body></html>""",
    (Facts("广东省能源局 国家能源局南方监管局关于2034年电力市场交易有关事项的通知", "粤能电力〔2033〕118号", "广东省能源局、国家能源局南方监管局", "2033-11-26", "2034-01-01", "2035-01-01", "binding", "gd"),),
)  # fmt: skip

SD_FAQ = Raw(
    "sd-faq", "html",
    """<html><head><meta charset=utf-8><title>分布式光伏接网常见问题解答</title></head><body><ul><li><a href=#>首页示例</a></li><li><a href=#>互动示例</a></li></ul><h1 t>分布式光伏接网常见问题解答</h1><div class=attr>发布日期：2029-05-21 来源：山东省能源局 浏览次数： 182 字号：[大 中 小]</div><div class=TRS_Editor><p k>1.自然人户用分布式光伏是否需要备案？</p><p k>答：需要（演示文本）。由电网企业按月集中代理自然人向当地能源主管部门备案。</p><p k>2.备案后多久须建成并网？</p><p k>答：备案文件有效期为2年，逾期未开工且未申请延期的，备案文件自动失效。</p><p k>3.租用屋顶建设的算不算自然人户用？</p><p k>答：不算。非自然人投资的，按照非自然人户用或者一般工商业分布式光伏管理。</p></div><div class=share>分享到： <a href=#>示例微信</a></div><div class=foot>主办：示例省能源局 鲁ICP备00000001号</div></body></html>""",
    (Facts("分布式光伏接网常见问题解答", None, ..., ..., None, None, "interpretation", "sd"),),
)  # fmt: skip

MANUAL_OF_USE = Raw(
    "manual", "docx",
    """<body><p k class="c big">绿电交易辅助决策系统</p><p k class="c big">使用说明书</p><p k class="c">V2.4</p><p k>一、系统概述</p><p k>本系统（演示文本）用于辅助售电公司开展绿电交易报价，包括行情查询、策略推荐、报表导出三个模块。</p><p k>二、安装与登录</p><p k>（一）请使用谷歌浏览器80以上版本，在地址栏输入系统网址后回车。</p><p k>（二）用户应当妥善保管账号和密码，首次登录须修改初始密码。</p><p k>三、功能操作</p><p k>点击左侧菜单“报价管理”，选择交易标的，填写电量和价格后点击“提交”按钮。</p><p k>四、常见问题</p><p k>系统提示“网络异常”时，请检查代理设置并联系客服。</p></body>""",
    (Facts("绿电交易辅助决策系统使用说明书", None, ..., ..., None, None, "unconfirmed", ...),),
)  # fmt: skip

GD_GBK = Raw(
    "gd-gbk", "html",
    """<HTML><HEAD><META http-equiv="Content-Type" content="text/html; charset=gb2312"><TITLE>示例市发展和改革局</TITLE></HEAD><BODY><TABLE width=960><TR><TD>首页示例 | 机构示例职能 | 办事指南示例</TD></TR></TABLE><TABLE width=960><TR><TD class=lm>当前位置：首页 - 通知公告示例</TD></TR><TR><TD align=center class=bt><FONT size=5 t>珠海市发展和改革局关于印发珠海市海上风电<BR>产业发展扶持资金管理实施细则的通知</FONT></TD></TR><TR><TD align=center>作者：示例 发布时间：2028-10-12 点击数：335</TD></TR><TR><TD><P k align=center>珠发改规〔2028〕3号</P><P k>　　各区人民政府（管委会），各有关单位：<P k>　　《珠海市海上风电产业发展扶持资金管理实施细则》已经市政府同意（演示文本），现印发给你们，请遵照执行。<P k align=right>珠海市发展和改革局<P k align=right>2028年9月30日<P k align=center>珠海市海上风电产业发展扶持资金管理实施细则<P k>　　第一条　为规范海上风电产业发展扶持资金（以下简称扶持资金）管理，制定本细则。<P k>　　第二条　扶持资金采用事后奖补方式，单个企业每年最高不超过2000万元。<P k>　　第三条　同一项目已获得市级其他财政资金支持的，不予重复支持，但国家和省另有规定的除外。<P k>　　第四条　本细则自2028年11月1日起施行，有效期3年。</TD></TR><TR><TD align=right>[<A href=#>打印示例本页</A>] [<A href=#>关闭示例窗口</A>]</TD></TR></TABLE><TABLE><TR><TD>版权所有：示例市发展和改革局 粤ICP备00000000号</TD></TR></TABLE></BODY></HTML>""",
    (Facts("珠海市发展和改革局关于印发珠海市海上风电产业发展扶持资金管理实施细则的通知", "珠发改规〔2028〕3号", "珠海市发展和改革局", "2028-09-30", ..., ..., "binding", "gd"), Facts("珠海市海上风电产业发展扶持资金管理实施细则", "珠发改规〔2028〕3号", "珠海市发展和改革局", "2028-09-30", "2028-11-01", "2031-11-01", "binding", "gd"),),
    encoding="gbk",
)  # fmt: skip

NM_NEWS = Raw(
    "nm-news", "html",
    """<html><head><meta charset=utf-8><title>全区新能源装机突破2亿千瓦</title></head><body><nav><a href=#>首页示例栏</a><a href=#>时政示例栏</a></nav><h1 t>全区新能源装机突破2亿千瓦</h1><div>2031-01-08 07:30:00 来源：示例日报 作者：示记者 责编：例编辑</div><article><p k>本报1月7日讯（记者 示例）记者日前从自治区能源局获悉，截至2030年12月底，全区新能源装机突破2亿千瓦（演示文本），占电力总装机的比重达到60%。</p><p k>据介绍，自治区相继印发《关于促进新能源消纳若干措施的通知》等文件，要求新建项目必须配置储能。</p><p k>下一步，自治区能源局将加快沙戈荒大基地建设，力争2031年新增并网3000万千瓦以上。</p></article><div>更多精彩内容请下载示例客户端</div><div><b>热点推荐</b><a href=#>示例草原那达慕开幕</a></div></body></html>""",
    (Facts("全区新能源装机突破2亿千瓦", None, ..., ..., None, None, "news", ...),),
)  # fmt: skip

NM_CARDDAY = Raw(
    "nm-cardday", "html",
    """<html><head><meta charset=utf-8><title>内蒙古自治区能源局-政策文件</title></head><body><div class=h><a href=#>首页示例一</a><a href=#>专题示例二</a></div><table class=card><tr><td>标题</td><td t colspan=3>内蒙古自治区能源局关于加强新能源场站涉网安全管理的通知</td></tr><tr><td>索引号</td><td>000014349/2031-0091</td><td>发文字号</td><td>内能源安全字〔2031〕58号</td></tr><tr><td>发布机构</td><td>内蒙古自治区能源局</td><td>发文日期</td><td>2031-06-10</td></tr></table><div class=zw><p k align=center>内蒙古自治区能源局关于加强新能源场站</p><p k align=center>涉网安全管理的通知</p><p k>各盟市能源局，各新能源企业：</p><p k>为加强新能源场站涉网安全管理（演示文本），现通知如下。</p><p k>一、新能源场站应当具备一次调频、快速调压能力。</p><p k>二、涉网设备参数变更应当提前15个工作日向电网调度机构报备。</p><p k>三、本通知自发布之日起30日后施行，有效期五年。</p></div><div class=b><a href=#>打印示例页</a></div></body></html>""",
    (Facts("内蒙古自治区能源局关于加强新能源场站涉网安全管理的通知", "内能源安全字〔2031〕58号", "内蒙古自治区能源局", "2031-06-10", ..., "2036-07-10", "binding", "nm"),),
)  # fmt: skip

GD_CENTER = Raw(
    "gd-center", "docx",
    """<body><p k class="c big">广东电力交易中心有限责任公司文件</p><p k class="c">广东交易〔2032〕76号</p><p k class="c big">关于印发《广东电力市场零售平台操作指引（2032年版）》的通知</p><p k>各市场主体：</p><p k>为做好零售交易组织工作（演示文本），我公司编制了《广东电力市场零售平台操作指引（2032年版）》，现予印发，自2032年6月1日起执行。原《广东电力市场零售平台操作指引（2031年版）》同时废止。</p><p k class="r">广东电力交易中心有限责任公司</p><p k class="r">2032年5月20日</p><br class="page"><p k class="c big">广东电力市场零售平台操作指引</p><p k class="c">（2032年版）</p><p k auto="h1">总体要求</p><p k auto="h2">适用范围</p><p k auto="h3">本指引适用于在广东电力市场零售平台开展的售电公司与电力用户之间的零售交易。</p><p k auto="h2">合同签订</p><p k auto="h3">售电公司应当于交易月前一个自然月的25日前完成零售合同录入。</p><p k auto="h3">电力用户应当在售电公司录入后5日内确认，逾期未确认的视为不同意。</p><p k auto="h1">附则</p><p k auto="h2">本指引由广东电力交易中心负责解释。</p></body>""",
    (Facts("广东电力交易中心有限责任公司关于印发《广东电力市场零售平台操作指引（2032年版）》的通知", "广东交易〔2032〕76号", "广东电力交易中心有限责任公司", "2032-05-20", ..., None, "binding", "gd"), Facts("广东电力市场零售平台操作指引（2032年版）", ..., "广东电力交易中心有限责任公司", "2032-05-20", "2032-06-01", None, "binding", "gd"),),
)  # fmt: skip

GD_AMEND = Raw(
    "gd-amend", "pdf",
    """<html><head><style>body{font-family:'Noto Serif CJK SC'} .c{text-align:center}.r{text-align:right} table{border-collapse:collapse} td,th{border:1px solid #000;padding:2px 4px}</style><style>h1{color:red;text-align:center;font-size:40px}</style></head><body><h1 t>广东省能源局文件</h1><p k class=c>粤能规〔2030〕5号</p><p k class=c style="font-size:24px"><b>广东省能源局关于修改《广东省陆上风电<br>发展管理办法》的通知</b></p><p k>各地级以上市发展改革局（委），各有关单位：</p><p k>　　经研究（演示文本），决定对《广东省陆上风电发展管理办法》（粤能规〔2027〕2号）作如下修改：</p><p k>　　一、将第八条修改为：“风电机组与居民住宅的距离不得小于500米。”</p><p k>　　二、删去第十二条第二款。</p><p k>　　三、第十五条增加一款，作为第三款：“改造升级项目应当在原核准规模内实施。”</p><p k>　　本通知自印发之日起30日后施行，有效期与《广东省陆上风电发展管理办法》一致。</p><p k class=r>广东省能源局</p><p k class=r>2030年3月4日</p><p k>公开方式：主动公开</p><table><tr><td t>抄送：国家能源局，省司法厅。</td></tr><tr><td t>广东省能源局办公室　　　　　　2030年3月5日印发</td></tr></table></body></html>""",
    (Facts("广东省能源局关于修改《广东省陆上风电发展管理办法》的通知", "粤能规〔2030〕5号", "广东省能源局", "2030-03-04", ..., None, "binding", "gd"),),
)  # fmt: skip

SD_WXPOST = Raw(
    "sd-wxpost", "print",
    """<html><head><meta charset=utf-8><title>山东发布！关于做好2033年新能源全面入市工作的通知</title><style>body{font-family:'Noto Serif CJK SC'} .c{text-align:center}.r{text-align:right} table{border-collapse:collapse} td,th{border:1px solid #000;padding:2px 4px}.p{page-break-before:always} h1.red{color:red;text-align:center;font-size:36px}</style></head><body><h2 t>山东发布！关于做好2033年新能源全面入市工作的通知</h2><p>电力示例圈 2032年12月3日 07:30 北京</p><p t>以下文章来源于山东电力交易中心 ，作者示例</p><p k class=c><b>关于做好2033年新能源全面入市工作的通知</b></p><p k>鲁发改能源〔2032〕990号</p><p k>各市发展改革委、能源局，国网山东省电力公司，山东电力交易中心：</p><p k>为贯彻落实国家新能源上网电价市场化改革要求（演示文本），现就2033年有关工作通知如下：</p><p k>一、2033年1月1日起，全省新能源项目上网电量原则上全部进入电力市场，上网电价通过市场交易形成。</p><p k>二、增量项目机制电量比例不高于85%，单个项目申请比例不得高于80%。</p><p k>三、分布式光伏可以直接参与市场，也可以聚合后参与；未直接参与或未聚合参与的，默认接受市场形成的价格。</p><p k>四、本通知自2033年1月1日起施行，有效期至2034年12月31日。</p><p k class=r>山东省发展和改革委员会</p><p k class=r>国家能源局山东监管办公室</p><p k class=r>山东省能源局</p><p k class=r>2032年11月30日</p><p>来源：山东省发展改革委</p><p>编辑：小示　校对：小例　审核：大例</p><p>免责声明：本公众号转载文章仅供交流学习，版权归原作者所有，如有侵权请联系删除。</p><p>点赞 在看 分享</p></body></html>""",
    (Facts("关于做好2033年新能源全面入市工作的通知", "鲁发改能源〔2032〕990号", "山东省发展和改革委员会、国家能源局山东监管办公室、山东省能源局", "2032-11-30", "2033-01-01", "2035-01-01", "binding", "sd"),),
)  # fmt: skip

GD_NOTIFY = Raw(
    "gd-notify", "docx",
    """<body><p k class="c big">广东省发展和改革委员会</p><p k class="c">粤发改能源函〔2032〕1502号</p><p k class="c big">广东省发展改革委关于2032年上半年可再生能源</p><p k class="c big">电力消纳责任权重完成情况的通报</p><p k>各地级以上市人民政府，广东电网公司：</p><p k>根据《可再生能源电力消纳保障机制》（演示文本），现将2032年上半年完成情况通报如下：</p><p k>一、总体情况。全省可再生能源电力总量消纳责任权重完成率为98.3%，非水电消纳责任权重完成率为101.2%。</p><p k>二、下一步要求。未完成进度的市应当于9月底前提出整改措施，连续两个半年未完成的，由省能源局约谈。</p><p k class="r">省发展改革委</p><p k class="r">2032年8月9日</p></body>""",
    (Facts("广东省发展改革委关于2032年上半年可再生能源电力消纳责任权重完成情况的通报", "粤发改能源函〔2032〕1502号", "广东省发展改革委", "2032-08-09", None, None, ..., "gd"),),
)  # fmt: skip

GD_GRAPHIC = Raw(
    "gd-graphic", "html",
    """<html><head><meta charset=utf-8><title>一图读懂《广东省氢能产业高质量发展行动方案（2032-2035年）》-广东省发展和改革委员会</title></head><body><div><a href=#>首页甲</a><a href=#>解读乙</a></div><h1 t>一图读懂《广东省氢能产业高质量发展行动方案（2032-2035年）》</h1><div>时间：2032-03-02 11:00:00 来源：本网</div><div id=c><p k>一、总体目标（演示文本）</p><p k>到2035年，全省建成加氢站400座，氢燃料电池汽车推广量达到3万辆。</p><p k>二、重点任务</p><p k>推进工业副产氢提纯利用，支持海上风电制氢示范。</p></div></body></html>""",
    (Facts("一图读懂《广东省氢能产业高质量发展行动方案（2032-2035年）》", None, ..., ..., None, None, "interpretation", "gd"),),
)  # fmt: skip

HB_PUB = Raw(
    "hb-pub", "print",
    """<html><head><meta charset=utf-8><title>华北能源监管局关于2033年第一批电力业务许可证注销的公告-国家能源局华北监管局</title><style>body{font-family:'Noto Serif CJK SC'} .c{text-align:center}.r{text-align:right} table{border-collapse:collapse} td,th{border:1px solid #000;padding:2px 4px}.p{page-break-before:always} h1.red{color:red;text-align:center;font-size:36px}</style></head><body><p>2033年3月2日 星期三 设为首页 加入收藏</p><p>首页 > 行政许可 > 许可公告</p><h3 t>华北能源监管局关于2033年第一批电力业务许可证注销的公告</h3><p>2033-03-01 10:10 来源：国家能源局华北监管局 字体：大 中 小</p><p k>根据《电力业务许可证管理规定》（演示文本），以下企业的电力业务许可证因有效期届满未延续，现予注销。</p><table><tr><td k>序号</td><td k>企业名称</td><td k>许可证编号</td></tr><tr><td k>1</td><td k>示例（呼和浩特）热电有限公司</td><td k>1010507-00999</td></tr></table><p k class=r>国家能源局华北监管局</p><p k class=r>2033年2月28日</p><p>扫一扫在手机打开当前页</p><p>网站地图 联系我们 地址: 北京市西城区示例街1号 邮编:100000</p></body></html>""",
    (Facts("华北能源监管局关于2033年第一批电力业务许可证注销的公告", None, "国家能源局华北监管局", "2033-02-28", None, None, "notice", ...),),
)  # fmt: skip

SD_HEAD = Raw(
    "sd-head", "docx",
    """<body><p k>特急</p><p k class="c big">山东省能源局文件</p><p k class="c">鲁能源电力〔2033〕12号　　　　签发人：示例</p><p k class="c big">山东省能源局关于做好2033年度迎峰度冬煤电机组运行保障工作的通知</p><p k>各市能源局，各省属发电集团：</p><p k>为做好迎峰度冬电力保供（演示文本），现就有关事项通知如下。</p><p k>1.统调煤电机组非计划停运及出力受阻率应当控制在5%以内。</p><p k>2.电煤库存可用天数不得低于20天，低于15天的应当立即报告。</p><p k>3.各市于每周五15:00前报送库存情况。</p><p k class="r">山东省能源局</p><p k class="r">2033年11月1日</p><p k>（此件不公开）</p><p k>主题词：电力　保供　通知</p></body>""",
    (Facts("山东省能源局关于做好2033年度迎峰度冬煤电机组运行保障工作的通知", "鲁能源电力〔2033〕12号", "山东省能源局", "2033-11-01", None, None, "binding", "sd"),),
)  # fmt: skip

NM_REPEAL = Raw(
    "nm-repeal", "html",
    """<html><head><meta charset=utf-8><title>内蒙古自治区能源局关于废止和宣布失效部分规范性文件的公告</title></head><body><div class=pos>当前位置 > <a href=#>首页丁</a> > 规范性文件</div><h1 t>内蒙古自治区能源局关于废止和宣布失效部分规范性文件的公告</h1><div>发布时间：2033-06-06</div><div class=txt><p k style="text-align:center">2033年第2号</p><p k>根据《内蒙古自治区行政规范性文件制定和监督管理办法》（演示文本），经清理，决定废止5件、宣布失效1件规范性文件，自公布之日起生效。</p><p k>附件：废止和宣布失效的规范性文件目录</p><p k style="text-align:right">内蒙古自治区能源局</p><p k style="text-align:right">2033年6月1日</p><p k>附件</p><p k style="text-align:center">废止和宣布失效的规范性文件目录</p><table border=1><tr><td k>序号</td><td k>文件名称</td><td k>文号</td><td k>处理</td></tr><tr><td k>1</td><td k>关于风电项目前期管理的通知</td><td k>内能新能字〔2021〕12号</td><td k>废止</td></tr><tr><td k>2</td><td k>关于煤电联营的意见</td><td k>内能电力字〔2022〕7号</td><td k>失效</td></tr></table></div></body></html>""",
    (Facts("内蒙古自治区能源局关于废止和宣布失效部分规范性文件的公告", "内蒙古自治区能源局公告2033年第2号", "内蒙古自治区能源局", "2033-06-01", ..., None, "binding", "nm"),),
)  # fmt: skip

SD_COMPARE = Raw(
    "sd-compare", "docx",
    """<body><p k class="c big">《山东电力市场规则（试行）》修订对照表</p><table><tr><td k>序号</td><td k>原条款</td><td k>修订后条款</td></tr><tr><td k>1</td><td k>第5.2.1条 机组出清上限为1.3元/千瓦时。</td><td k>第5.2.1条 机组出清上限为1.5元/千瓦时。</td></tr><tr><td k>2</td><td k>第7.1条 每月结算一次。</td><td k>第7.1条 按日清分、按月结算。</td></tr></table></body>""",
    (Facts("《山东电力市场规则（试行）》修订对照表", None, ..., None, None, None, ..., "sd"),),
)  # fmt: skip

GD_XPRICES = Raw(
    "gd-xprices", "xlsx",
    """<body><sheet name="珠三角"><table><tr><td k>附件1：</td></tr><tr><td k colspan="5">广东省珠三角五市电网输配电价表（第四监管周期）</td></tr><tr><td k colspan="5">单位：元/千瓦时（含税）　　执行时间：2031年6月1日起</td></tr><tr><td k rowspan="2" colspan="2">用电类别</td><td k colspan="3">电度输配电价</td></tr><tr><td k>不满1千伏</td><td k>1-10千伏</td><td k>35千伏及以上</td></tr><tr><td k rowspan="2">工商业</td><td k>单一制</td><td k>0.2231</td><td k>0.1984</td><td k>0.1652</td></tr><tr><td k>两部制</td><td k>—</td><td k>0.1187</td><td k>0.0913</td></tr><tr><td k colspan="5">备注：1.本表不含政府性基金及附加。2.两部制用户另行缴纳容（需）量电费。</td></tr></table></sheet><sheet name="隐藏" hidden=""><table><tr><td>测算示例底稿</td></tr></table></sheet></body>""",
    (Facts("广东省珠三角五市电网输配电价表（第四监管周期）", None, ..., None, "2031-06-01", ..., "binding", "gd"),),
)  # fmt: skip

NM_XBARE = Raw(
    "nm-xbare", "xlsx",
    """<body><sheet name="蒙西电网2032年输配电价"><table><tr><td k>电压等级</td><td k>电量电价（元/千瓦时）</td><td k>需量电价（元/千瓦·月）</td></tr><tr><td k>35千伏</td><td k>0.1102</td><td k>27</td></tr><tr><td k>220千伏及以上</td><td k>0.0611</td><td k>24</td></tr></table></sheet></body>""",
    (Facts("蒙西电网2032年输配电价", None, ..., None, None, None, ..., "nm"),),
    tables=(("需量电价", "35千伏 | 0.1102 | 27"),),
)  # fmt: skip

CN_REPOST = Raw(
    "cn-repost", "html",
    """<html><head><meta charset=utf-8><title>国家能源局印发《电力建设工程质量监督管理规定》（附全文）</title></head><body><div><a href=#>律所首页子</a><a href=#>专业文章丑</a></div><h1 t>国家能源局印发《电力建设工程质量监督管理规定》（附全文）</h1><div>发布于：2033-05-08　浏览：233</div><p t>近日，国家能源局印发《电力建设工程质量监督管理规定》，以下为全文：</p><p k style="text-align:center">国家能源局关于印发《电力建设工程质量监督管理规定》的通知</p><p k style="text-align:center">国能发安全规〔2033〕33号</p><p k>各省（自治区、直辖市）能源局，各派出机构：</p><p k>现将《电力建设工程质量监督管理规定》印发给你们（演示文本），请遵照执行。</p><p k style="text-align:right">国家能源局</p><p k style="text-align:right">2033年4月28日</p><p k style="text-align:center">电力建设工程质量监督管理规定</p><p k>第一条　为加强电力建设工程质量监督，制定本规定。</p><p k>第二条　工程投运前应当取得质量监督机构出具的并网通知书，未取得的不得并网。</p><p k>第三条　规模以下的分布式光伏、分散式风电项目不进行质量监督，但建设单位仍应当承担首要责任。</p><p k>第四条　本规定由国家能源局负责解释。</p><p k>第五条　本规定自发布之日起施行，有效期5年。</p><p>【免责声明】本文仅供交流学习之用，不构成任何法律意见。</p></body></html>""",
    (Facts("国家能源局关于印发《电力建设工程质量监督管理规定》的通知", "国能发安全规〔2033〕33号", "国家能源局", "2033-04-28", ..., ..., "binding", "cn"), Facts("电力建设工程质量监督管理规定", "国能发安全规〔2033〕33号", "国家能源局", "2033-04-28", ..., "2038-04-28", "binding", "cn"),),
)  # fmt: skip

PASSED_ON_PAPERS = (
    GD_MEDIA, SD_FAQ, MANUAL_OF_USE, GD_GBK, NM_NEWS, NM_CARDDAY, GD_CENTER, GD_AMEND, SD_WXPOST, GD_NOTIFY, GD_GRAPHIC, HB_PUB, SD_HEAD, NM_REPEAL, SD_COMPARE, GD_XPRICES, NM_XBARE, CN_REPOST,
)  # fmt: skip
