"""Whole papers (演示文本) as everyday sites build their pages: forms of readers, numbered lists, raised digits, heads of tables set apart,
blocks that float; and prints with notes at the foot or a head on their first sheet. Marks as in ``raw_papers``.
"""

from tests.paper_samples import Facts
from tests.raw_papers import Raw
from tests.raw_papers_forms import PRINT

GD_QX = Raw("gd-qx","html","""<!DOCTYPE html><html lang="zh"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>广东省气象局关于加强防雷装置检测单位监管的公告 - 广东气象手机版</title></head><body>
<div class="m-top"><span class="back">‹ 返回示例</span><span class="ttl">政务公开示例频道</span><span class="menu">☰</span></div>
<div class="m-art"><h1 t>广东省气象局关于加强防雷装置检测单位监管的公告</h1><p class="meta"><em>2031-07-03 09:12</em><em>广东省气象局</em><em>阅读 1.2万</em></p><div class="listen">▶ 收听全文示例 时长 04:12</div>
<section class="txt"><p k>粤气公告〔2031〕第6号</p><p k>为加强雷电防护装置检测单位事中事后监管（演示文本），根据《气象灾害防御条例》《雷电防护装置检测资质管理办法》，现就有关事项公告如下：</p>
<p k>一、检测单位应当在承接检测项目后5个工作日内，通过省防雷减灾监管平台报送项目名称、检测时间和检测人员。</p>
<p k>二、检测人员每年继续教育不少于24学时；现场检测人员不得少于3人，其中技术负责人1人。</p>
<p k>三、爆炸和火灾危险环境场所的防雷装置每半年检测一次，其他场所每年检测一次。</p>
<p k>四、检测单位出具虚假检测报告的，依照《气象灾害防御条例》第四十五条处理，并自处理决定作出之日起3年内不得承接政府投资项目的检测。</p>
<p k>本公告自2031年8月1日起施行，有效期5年。</p><p k style="text-align:right">广东省气象局</p><p k style="text-align:right">2031年6月27日</p></section>
<div class="act"><span>👍 36</span><span>收藏示例</span><span>转发示例</span></div>
<div class="fb"><h3>我要留言</h3><p>您的姓名（必填示例）</p><p>联系电话示例</p><p>请输入留言内容，不超过500字。</p><p>验证码 看不清？换一张</p><p>提交留言</p></div>
<div class="cmt"><h4>网友评论示例（2）</h4><p>示例网友甲：请问农村自建房需要检测吗？</p><p>小编回复示例：您好，请咨询当地气象主管机构。</p></div>
<div class="tab"><a href="#">首页</a><a href="#">要闻示例</a><a href="#">服务示例</a><a href="#">我的示例</a></div></div></body></html>""",
(Facts("广东省气象局关于加强防雷装置检测单位监管的公告","粤气公告〔2031〕6号","广东省气象局","2031-06-27","2031-08-01","2036-08-01","binding","gd"),))  # fmt: skip

NM_CZ = Raw("nm-cz","html","""<!DOCTYPE html><html><head><meta charset="utf-8"><title>内蒙古自治区财政厅</title><meta name="ArticleTitle" content="内蒙古自治区财政厅 内蒙古自治区能源局关于下达2032年农村牧区清洁取暖补助资金预算的通知"></head><body><div id="app" data-v-app><div data-v-1 class="el-header"><div data-v-1>内蒙古自治区财政厅示例官网</div><div data-v-1 class="el-menu"><span>财政要闻示例</span><span>财政数据示例</span><span>办事大厅示例</span></div></div>
<div data-v-2 class="el-breadcrumb"><span>首页</span><i>/</i><span>政策发布</span><i>/</i><span>详情</span></div>
<div data-v-3 class="detail-box"><div t class="detail-title">内蒙古自治区财政厅 内蒙古自治区能源局关于下达2032年农村牧区清洁取暖补助资金预算的通知</div><div class="detail-info"><span>发布时间：2032/01/19</span><span>浏览量：508</span></div><div class="detail-content"><p k>内财资环〔2032〕15号</p><p k>各盟市财政局、能源局：</p><p k>根据自治区人大批准的2032年预算（演示文本），现下达2032年农村牧区清洁取暖补助资金（具体金额见附件），支出列“2111299其他可再生能源支出”科目。请抓紧分解下达，专款专用，不得用于平衡预算。</p><p k>附件：2032年农村牧区清洁取暖补助资金分配表</p><p k style="text-align:right">内蒙古自治区财政厅　内蒙古自治区能源局</p><p k style="text-align:right">2032年1月12日</p><p k>附件</p><p k style="text-align:center">2032年农村牧区清洁取暖补助资金分配表</p><p k style="text-align:right">单位：万元</p>
<div class="el-table"><table class="el-table__header"><thead><tr><th k><div class="cell">盟市</div></th><th k><div class="cell">户数（户）</div></th><th k><div class="cell">补助资金</div></th></tr></thead></table><table class="el-table__body"><tbody><tr><td k><div class="cell">合计</div></td><td k><div class="cell">12,600</div></td><td k><div class="cell">3,780.00</div></td></tr><tr><td k><div class="cell">通辽市</div></td><td k><div class="cell">5,400</div></td><td k><div class="cell">1,620.00</div></td></tr><tr><td k><div class="cell">乌兰察布市</div></td><td k><div class="cell">7,200</div></td><td k><div class="cell">2,160.00</div></td></tr></tbody></table></div></div></div>
<div data-v-4 class="pager"><p>上一篇：示例关于加强政府采购内控管理的通知</p><p>下一篇：没有了</p></div><div data-v-5 class="el-footer">版权所有 示例自治区财政厅 蒙公网安备15010000号</div></div></body></html>""",
(Facts("内蒙古自治区财政厅 内蒙古自治区能源局关于下达2032年农村牧区清洁取暖补助资金预算的通知","内财资环〔2032〕15号","内蒙古自治区财政厅、内蒙古自治区能源局","2032-01-12",...,None,"binding","nm"),),tables=(("补助资金","乌兰察布市 | 7,200 | 2,160.00"),))  # fmt: skip

AH_OL = Raw("ah-ol","html","""<html><head><meta charset=utf-8><title>安徽省能源局关于做好2033年煤电机组灵活性改造项目申报工作的通知-安徽省能源局</title></head><body><div class="header"><a href=#>网站首页</a><a href=#>机构职能</a></div><div class="wzy-title"><h1 t>安徽省能源局关于做好2033年煤电机组灵活性改造项目申报工作的通知</h1></div><p class="fbxx"><span>发布时间：2033-02-20 16:08</span> <span>来源：安徽省能源局电力处</span> <span>阅读次数：<i id=hits>771</i></span></p><div class="wzcon j-fontContent"><p k style="text-align:center">皖能源电力〔2033〕11号</p><p k>各市发展改革委（能源局）：</p><p k>为提升系统调节能力（演示文本），现就2033年煤电机组灵活性改造项目申报工作通知如下：</p><p k><b>一、申报条件</b></p><ol><li k no="1.">单机容量30万千瓦及以上，改造后最小技术出力不高于额定容量的35%。</li><li k no="2.">改造工程静态总投资不超过500元/千瓦，氮氧化物排放浓度不高于50mg/m³。</li><li k no="3.">在35%额定负荷下连续运行时间不少于6小时。</li></ol><p k><b>二、申报材料</b></p><ol start="1"><li k no="1.">项目申报书（见附件）。</li><li k no="2.">电网企业出具的调节能力需求意见。</li></ol><p k><b>三、其他</b></p><p k>请于2033年3月31日前将申报材料（一式三份）报送我局，逾期不予受理。年减排二氧化碳1.2×10⁴吨以上的优先支持。</p><p k style="text-align:right">安徽省能源局</p><p k style="text-align:right">2033年2月17日</p><p><a href="/files/1.docx">附件：项目申报书.docx</a></p></div><div class="share"><span>分享到：</span></div><div class="xgxx"><h3>相关信息</h3><ul><li><a href=#>安徽省能源局关于公布示例名单的通知</a></li></ul></div><div class="footer"><p>皖公网安备 34010000000号</p></div></body></html>""",
(Facts("安徽省能源局关于做好2033年煤电机组灵活性改造项目申报工作的通知","皖能源电力〔2033〕11号","安徽省能源局","2033-02-17",...,None,"binding","ah"),))  # fmt: skip

FJ_WIDE = Raw("fj-wide","html","""<html><head><meta charset="gb2312"><title>无标题文档</title></head><body bgcolor=#ffffff><p align=center t><font size=5><b>福 建 省 水 利 厅 关 于 印 发 小 水 电 生 态 流 量 监 督 管 理 办 法 的 通 知</b></font></p><p k align=center>闽水规〔２０３１〕６号</p><p k>各设区市水利局：</p><p k>　　现将《福建省小水电生态流量监督管理办法》印发给你们（演示文本），请遵照执行。</p><p k align=right>福 建 省 水 利 厅</p><p k align=right>２０３１年７月２２日</p><p k align=center><b>福建省小水电生态流量监督管理办法</b></p><p k>　　第一条　为加强小水电生态流量监管，制定本办法。</p><p k>　　第二条　小水电站生态流量不低于坝址处多年平均流量的１０％；有饮用水源取水口、鱼类产卵场的河段不低于２０％。</p><p k>　　第三条　监测数据每小时上传１次，月度数据完整率不低于９０％，但因不可抗力导致中断的除外。</p><p k>　　第四条　本办法自２０３１年９月１日起施行，有效期５年。</p></body></html>""",
(Facts("福建省水利厅关于印发小水电生态流量监督管理办法的通知","闽水规〔2031〕6号","福建省水利厅","2031-07-22",...,...,"binding","fj"),Facts("福建省小水电生态流量监督管理办法","闽水规〔2031〕6号","福建省水利厅","2031-07-22","2031-09-01","2036-09-01","binding","fj")),encoding="gb18030")  # fmt: skip

HB_SEAL = Raw("hb-seal","html","""<html><head><meta charset=utf-8><title>公告详情</title></head><body><div class="layout"><div class="side"><ul><li>交易公告</li><li>市场规则</li><li>信息披露</li></ul></div><div class="content-wrap"><div class="breadcrumb">首页 > 市场规则 > 详情</div><h2 t class="title">关于发布《湖北绿色电力交易结算补充规定》的通知</h2><div class="sub">发布单位：湖北电力交易中心　发布时间：2033-10-09 11:20　点击量：1208</div><div class="rich"><p k>鄂交易〔2033〕60号</p><p k>各经营主体：</p><p k>经湖北电力市场管理委员会审议通过（演示文本），现发布《湖北绿色电力交易结算补充规定》，自2033年11月起执行。</p><p k>一、绿色电力环境价值按照“三者取小”原则结算，即取合同电量、发电企业上网电量、电力用户用电量三者中的最小值。</p><p k>二、环境价值偏差补偿比例为环境价值的80%，由违约方支付给守约方。</p><p k style="text-align:right">湖北电力交易中心有限公司（代章）</p><p k style="text-align:right">2033年10月8日</p></div><div class="att"><span>附件（0）</span></div><div class="prevnext"><div>上一条：湖北示例月度交易公告</div><div>下一条：湖北示例现货运行日报</div></div></div></div><div class="float"><div>在线客服</div><div>意见反馈</div><div>回到顶部</div></div></body></html>""",
(Facts("关于发布《湖北绿色电力交易结算补充规定》的通知","鄂交易〔2033〕60号","湖北电力交易中心有限公司","2033-10-08","2033-11-01",None,"binding","hub"),))  # fmt: skip

GS_PRINT = Raw("gs-print","print",PRINT + """<html><head><meta charset=utf-8><title>甘肃省市场监督管理局 通知公告 甘肃省市场监督管理局关于开展转供电价格专项检查的通告</title><style>.l{float:left;width:66%}.rr{float:right;width:28%;font-size:12px}</style></head><body><div>甘肃省人民政府　甘肃政务服务网　<a href=#>登录</a></div><div>首页 机构 新闻 公开 服务 互动 专题</div><div class=l><h2 t class=c>甘肃省市场监督管理局关于开展转供电价格专项检查的通告</h2><p class=c style="font-size:12px">2032-06-03 09:00:00　来源：价监局示例　字号：大 中 小</p><p k>为规范转供电环节价格行为（演示文本），省市场监管局决定自2032年6月10日至9月30日在全省开展转供电价格专项检查。现通告如下：</p><p k>一、转供电主体应当按照国家规定的销售电价向终端用户收取电费，不得以服务费、损耗费等名义在电费中加收其他费用。</p><p k>二、转供电主体应当于2032年6月30日前完成自查自纠，主动清退违规多收费用；逾期未清退的，依法从重处罚。</p><p k>三、对加价金额难以退还的，依照《价格违法行为行政处罚规定》予以没收，并处违法所得五倍以下的罚款；没有违法所得的，可以处50万元以下的罚款，情节较重的处50万元以上200万元以下的罚款。</p><p k>四、举报电话：12315。</p><p k class=r>甘肃省市场监督管理局</p><p k class=r>2032年6月2日</p></div><div class=rr><b>热点信息</b><p>示例食品抽检公告第12期</p><p>示例计量检定员公示</p><p>示例电梯应急演练</p><b>专题示例</b><p>质量强省示例</p></div><div style="clear:both" class=c>主办：甘肃省市场监督管理局　备案号：陇ICP备00000000号</div></body></html>""",
(Facts("甘肃省市场监督管理局关于开展转供电价格专项检查的通告",None,"甘肃省市场监督管理局","2032-06-02",...,...,...,"gs"),))  # fmt: skip

YN_HEAD = Raw("yn-head","pdf",PRINT + """<style>@page{size:A4}p{text-align:justify;line-height:2;font-size:18px;margin:0}</style><body><div style="font-size:11px;text-align:right;margin-bottom:30px">云南省能源局规范性文件汇编（2033）</div><p k class=c style="font-size:24px">云南省绿色铝项目用电管理实施细则</p><p k class=c>（试行）</p><p k>　　第一条　为规范绿色铝项目用电管理（演示文本），促进可再生能源就近消纳，根据《云南省电力条例》等有关规定，制定本细则。</p><p k>　　第二条　本细则适用于全省行政区域内电解铝企业及其配套的新能源项目。</p><p k>　　第三条　电解铝企业年度绿色电力消费比例不低于70%，其中2035年起新投产项目不低于90%；通过购买绿色电力证书方式完成的部分不得超过应完成量的20%，但因电网约束导致绿色电力供应不足并经省级电网企业书面确认的，不足部分可以全部通过购买绿色电力证书完成。</p><p k>　　第四条　企业应当建立用能台账，台账保存期限不少于五年，每年1月31日前向所在地州（市）能源主管部门报送上一年度绿色电力消费情况。</p><p k>　　第五条　州（市）能源主管部门应当于每年3月31日前完成核查，核查结果报省能源局；连续两年未完成绿色电力消费比例的企业，纳入有序用电优先限电名单，直至完成整改并经复核合格。</p><p k>　　第六条　本细则自2033年8月15日起试行，试行期两年。</p></body>""",
(Facts("云南省绿色铝项目用电管理实施细则（试行）",None,...,...,"2033-08-15","2035-08-15","binding","yn"),))  # fmt: skip

LN_HAN = Raw("ln-han","html","""<html><head><meta charset=utf-8><title>辽宁省发展和改革委员会</title></head><body><div id=nav><ul><li><a href=#>首页</a></li></ul></div><div class=article><p t class=title>辽宁省发展和改革委员会关于明确绿电直连项目备案权限的复函</p><div class=info>索 引 号：LN000-2033-00112　　发文日期：2033年11月3日　　主题分类：能源</div><div class=zw><p k align=center>辽发改能源函〔2033〕203号</p><p k>沈阳市发展和改革委员会：</p><p k>《关于明确绿电直连项目备案权限的请示》（沈发改〔2033〕131号）收悉（演示文本）。经研究，现函复如下：</p><p k>一、并网型绿电直连项目由项目所在地市级能源主管部门备案；跨市项目由省发展改革委备案。</p><p k>二、直连线路长度不宜超过50千米，电压等级不超过220千伏；确需接入330千伏及以上的，须组织开展专项安全风险评估。</p><p k>特此函复。</p><table width=100% border=0><tr><td width=50%></td><td k align=center>辽宁省发展和改革委员会</td></tr><tr><td></td><td k align=center>2033年11月1日</td></tr></table><p k>（此件依申请公开）</p></div></div><div id=pl><p>用户评论</p><p>暂无评论，快来抢沙发</p></div></body></html>""",
(Facts("辽宁省发展和改革委员会关于明确绿电直连项目备案权限的复函","辽发改能源函〔2033〕203号","辽宁省发展和改革委员会","2033-11-01",...,...,...,"ln"),))  # fmt: skip

XJ_JOINT = Raw("xj-joint","html","""<html><head><meta charset=utf-8><title>自治区发展改革委网站</title><meta name="ArticleTitle" content="关于调整自治区抽水蓄能电站临时结算电价有关事宜的通知"></head><body><div class="top_nav"><span>今天是2034年7月1日 星期六</span><span>天气：乌鲁木齐 晴</span></div><div class="pos">您当前的位置：首页 &gt; 委内文件 &gt; 价格收费</div><div class="article"><h3 t class="tt">关于调整自治区抽水蓄能电站临时结算电价有关事宜的通知</h3><div class="ttinfo"><span>[ 索引号 ] AA000-02_Y/2034-06112</span><span>[ 发文字号 ] 新发改规〔2034〕9号</span><span>[ 公开日期 ] 2034-06-30</span></div><div class="ttcon"><p k>伊犁哈萨克自治州发展改革委，各地、州、市发展改革委，国网新疆电力有限公司：</p><p k>为促进抽水蓄能电站健康发展（演示文本），现将有关事宜通知如下：</p><p k>一、阜康示例抽水蓄能电站临时结算容量电价为每千瓦每年520元（含税），自2034年7月起执行，待成本监审结束后多退少补。</p><p k>二、抽水电价按照燃煤发电基准价的75%执行，上网电价按照燃煤发电基准价执行。</p><p k>三、本通知有效期五年，原《关于抽水蓄能电站电价有关问题的通知》（新发改规〔2029〕2号）同时废止。</p><p k class=r>自治区发展改革委　　　自治区财政厅</p><p k class=r>2034年6月27日</p></div><div class="zan">点赞 12　收藏</div><div class="wjpj"><p>文件评价</p><p>您认为该文件的清晰程度如何？</p><p>非常清晰　一般　不清晰</p></div></div></body></html>""",
(Facts("关于调整自治区抽水蓄能电站临时结算电价有关事宜的通知","新发改规〔2034〕9号",...,"2034-06-27","2034-07-01",...,"binding","xj"),))  # fmt: skip

CN_GAZ2 = Raw("cn-gaz2","pdf",PRINT + """<style>@page{size:A4}.two{column-count:2;column-gap:32px;font-size:14px;text-align:justify}.h{font-size:10px;display:flex;justify-content:space-between;border-bottom:1px solid #333}.pg{page-break-after:always}</style><body><div class=h><span>中国电力报</span><span>2034年5月9日　星期二</span><span>第3版</span></div><p k class=c style="font-size:26px">电力业务许可证（供电类）监督管理实施细则</p><div class=two><p k>第一条　为加强供电类电力业务许可证监督管理（演示文本），保护电力使用者、投资者、经营者合法权益，制定本细则。</p><p k>第二条　供电企业应当在许可证载明的供电营业区域内从事供电业务，不得擅自变更供电营业区域；确需变更的，应当提前六个月提出申请，国家能源局派出机构自受理之日起二十日内作出决定。</p><p k>第三条　供电企业年供电可靠率低于百分之九十九点六，或者居民客户端电压合格率低于百分之九十五的，派出机构应当约谈其主要负责人，并责令在三个月内提交整改报告。</p><p k>第四条　有下列情形之一的，派出机构依法撤销许可：</p><p k>（一）以欺骗、贿赂等不正当手段取得许可证的；</p><p k>（二）不再具备许可条件且逾期未整改到位的。</p><p k>第五条　持证企业名称、住所、法定代表人发生变化的，应当自变化之日起三十日内申请登记事项变更，未按期申请的给予警告，情节严重的可以处一万元以下罚款。</p><p k>第六条　本细则自发布之日起施行。</p></div></body>""",
(Facts("电力业务许可证（供电类）监督管理实施细则",None,...,...,...,None,"binding",...),))  # fmt: skip

CN_FOOT = Raw("cn-foot","pdf",PRINT + """<style>@page{size:A4}.pg{height:24.6cm;position:relative;page-break-after:always}.fn{position:absolute;bottom:0;font-size:11px;left:0;right:0}.fn:before{content:"";display:block;width:5cm;border-top:1px solid #000}sup{font-size:9px}</style><body style="font-size:17px;line-height:1.9"><div class=pg><div style="font-size:11px;position:absolute;top:-26px;right:0">中国电力企业联合会标准化管理中心内部资料</div><p k class=c style="font-size:22px">新型储能电站消防安全评估导则解读</p><p k>一、编制背景</p><p k>近年来新型储能电站快速发展（演示文本），部分电站存在电池热失控<sup>①</sup>预警能力不足、消防系统<sup>②</sup>与电池管理系统联动不到位等问题，有必要制定统一的评估方法。</p><p k>二、主要内容</p><p k style='text-align-last:justify'>导则规定了评估的基本要求、评估流程和评分方法，评估总分为100分，低于60分的为不合格，应当停止运行并整改；60分至80分的应当限期整改，整改期限一般不超过三个月。评估由具备能力的第三方机构开展，每三年至少开展一次，电池系统更换、扩建或者发生火灾事故的，应当在恢复运行前重新开展评估，并将评估结果报送当地能源主管部门和消防救援机构，评估机构对评估结论的真实性负责，不得转包评估业务，也不得与被评估单位存在</p><div class=fn><p k style="margin:0">① 热失控是指电池单体放热连锁反应引起温度不可控上升的现象。</p><p k style="margin:0">② 消防系统包括火灾探测报警系统、灭火系统和通风系统。</p></div></div><p k style="margin-top:0">利害关系。</p><p k>三、实施建议</p><p k>建议各电站结合实际制定年度评估计划，优先对投运满五年的电站开展评估。</p></body>""",
(Facts("新型储能电站消防安全评估导则解读",None,...,None,None,None,"interpretation",...),))  # fmt: skip

EVERYDAY_PAPERS = (
    GD_QX,
    NM_CZ,
    AH_OL,
    FJ_WIDE,
    HB_SEAL,
    GS_PRINT,
    YN_HEAD,
    LN_HAN,
    XJ_JOINT,
    CN_GAZ2,
    CN_FOOT,
)
