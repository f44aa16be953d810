"""What a question asks for by its kind (材料, 周期, 考试), and what states that kind (所问之物与所载之物)."""

import re
from functools import lru_cache

from nemo.rerank.terms import words_of

CONTACT = re.compile(
    r"(?:电话|手机|微信|热线|号码|网址|官网|网站|邮箱|地址|账号|联系方式)(?:号码?)?[^，。？]{0,3}(?:多少|是什么|是啥|几号|在哪)|(?:电话|手机号码?|微信号?|传真|地址)[?？。]?$|(?:什么|哪个)(?:电话|号码|邮箱|网址|热线)"
)
"""Asks for a contact or an address itself."""
CONTACT_STATED = re.compile(r"\d{5,}|12\d{3}|1[12][0-9](?!\d)|https?:|www\.|@")
LISTED = "一览表|名单|名录|清单"
LISTS = re.compile(
    rf"(?<![入进黑])(?:{LISTED})(?:[^，,。？?]{{0,6}}(?:有哪些|有谁|是什么|是啥|包[括含]|在哪|怎么查|多少)|[?？]?$)|列出[^，。？]{{0,12}}(?:所有|全部|全国|各)|(?:所有|全部)[^，。？]{{0,12}}(?:有哪些|名单|列)"
)
PLACES = re.compile("哪(?:些|几个)(?:县|区县|市县|地级?市|城市|市|盟|旗)")
PLACES_STATED = re.compile("[\u4e00-\u9fa5](?:县|区|市|盟|旗)[、，,和及]")
"""Asks for counties or cities by name, and names them."""
PAPERS = re.compile(
    r"(?<!依据)(?<!依据有)(?:哪些|什么|何种|几[样种份])(?:申[请报])?(?:材料|资料|文件)|(?:交|带)什么(?![费税钱表报])"
)
FILED = re.compile(
    r"(?:提交|提供|提请|递交|报送|上报|附|携带|持|出示|包括|备齐|齐全|下列|以下|如下|填[报写])[^。]{0,40}(?:材料|资料|文件|证明|证书|申[请报][书表]|报告|图[纸件]|副本|执照)"
    r"|(?:材料|资料|文件|证明|证书|申[请报][书表]|报告|图[纸件]|副本|执照)[^。]{0,40}(?:提交|提供|递交|报送|上报|包括|下列|以下|如下|齐[全备])"
)
"""Asks for papers to be handed in, and names some as such."""
CYCLE = re.compile(r"周期(?!性)|频[次率]|(?:多久|多长时间|几[年月天日周])(?!之?[内前后])[^，,。？?]{0,6}一[次回](?!性)")
CYCLES = re.compile(
    r"每[年季月周日天半两三四五六\d]|年度|季度|逐[年月日]|按[年月季]|定期|[\d一二两三四五六七八九十]个?(?:年|月|日|周|小时)|周期|频[次率]"
)
COUNTS = re.compile("多久|多长时间|几[年月天日周]|一[次回]")
"""Asks how often something is done, and says it; what else stands between is the act."""
PAYER = re.compile(
    r"(?:[费钱款]|资金|成本|损失)[^,。?]{0,4}(?:谁|哪一?方)(?:来|负责|应该|应当|要|需要|[?？呢啊吧的])*(?:$|[,，。]|承担|负担|出|付|支付|掏|买单|分[担摊])|(?:谁|哪一?方|哪个[^,。?]{1,4})(?:来|负责|应该|要|需要)*(?:支付|(?:出[钱资费]|掏钱)(?!来?[建修装设改换盖架铺])|买单|付[钱费款]|分摊)"
)
PAID_BY = re.compile(
    "承担|负担|分担|分摊|均摊|支付|支出|付费|出资|补偿|补助|赔偿|征收|自理|自付|自筹|列支|列入|缴纳|交纳|纳入|疏导|预付|投入|拨[付款]|预算|无偿|免费|由[^。,]{2,16}(?:出|付)"
)
"""Asks who bears a cost, and says who bears or from what it is paid."""
BUILDER = re.compile(
    "(?:谁|哪一?方|哪个[^,。?]{1,4})(?:来|负责|应该|要|需要)*(?:出[钱资费]|掏钱)来?[建修装设改换盖架铺]"
)
BUILT_BY = re.compile(rf"{PAID_BY.pattern}|投资|负责|由[^。,]{{2,24}}[建修装设改换架铺]")
"""Asks at whose cost something is built (谁出钱建), and says who builds it."""
ACTOR = re.compile("(?:谁|哪一?个?(?:部门|单位|机构|机关|主体))(?!的)")
ACTORS = re.compile(
    "部门|机关|机构|单位|公司|企业|政府|主体|用户|业主|电厂|法院|协会|组织|银行|中心|平台|(?:聚合|运营|供应)商|[各双一甲乙]方"
    "|[局委厅院员户]|(?<![全大])部(?!分)|(?:供电|交易|事务|研究)所|(?:管理|办事)处|(?<!或)者|人(?!民币)"
)
"""Asks who acts, and names anybody."""
_ACTS = "机关|部门|政府|审批|审查|核准|批准|权限|备案"
RANK = re.compile(f"(?:{_ACTS})[^,。?]{{0,6}}哪一?级|哪一?级[^,。?]{{0,8}}(?:{_ACTS})")
RANKS = re.compile("[国省市县区盟旗乡镇部]|[上下本各同原]级|自治|中央")
"""Asks of which rank a body is, and says of some."""
KINDS = (
    ("所问的主体", ACTOR, ACTORS),
    ("由谁承担", PAYER, PAID_BY),
    ("由谁承担", BUILDER, BUILT_BY),
    ("所问的联系方式", CONTACT, CONTACT_STATED),
    ("所问的人", re.compile("(?:[局厅处科县市省镇乡司所站]长|书记|主任)(?:现在)?(?:是谁|叫什么|叫啥|姓什么)"), re.compile("担任|兼任")),
    ("所问的层级", RANK, RANKS),
    ("所问的清单", LISTS, re.compile(f"{LISTED}|{LISTS.pattern}")),
    ("所问的地名", PLACES, PLACES_STATED),
    ("所问的材料", PAPERS, FILED),
    ("所问的周期", CYCLE, CYCLES),
    ("所问的考试", re.compile("考[试证](?:报名|条件|科目|时间|内容|费|怎|几|多|要|$)|考几|报名条件|考取|(?:怎么|如何)考(?![虑核察勤])"), re.compile("考试|考取|报考")),
    ("所问的年龄", re.compile("几岁|多大年[纪龄]|退休年龄"), re.compile("[一二三四五六七八九十\\d]周?岁")),
    ("所问的退休", re.compile("几岁[^,。?]{0,4}退休|退休年龄"), re.compile("岁[^。,]{0,10}退休|退休[^。,]{0,10}岁")),
    ("所问的体检", re.compile("体检[^,。?]{0,4}(?:项目|多久|几|一次|怎|要|标准|合格|查什么)"), re.compile("体检|健康检查|体格检查")),
    ("所问的职称评审", re.compile("职称[^,。?]{0,4}(?:评|条件|几|怎)|评[审定]?[^,。?]{0,4}职称|工程师评审"), re.compile("职称(?:的)?评|评[审定聘]?职称")),
    ("所问的报酬", re.compile("(?:月薪|年薪|薪水|(?<!最低)工资|待遇)(?:一般|大概|大约|是|有)*(?:多少|多高|几)"), re.compile("\\d元|倍|[%％]|百分之")),
    ("所问的学时", re.compile("培训[^,。?]{0,4}(?:多少|几)个?(?:小时|学时|课时)"), re.compile("学时|课时|小时")),
    ("所问的复审", re.compile("(?:几年|多久)[^,。?]{0,3}(?:复审|年审|年检)"), re.compile("复审|审验|检验|年审|年检|复核|定期")),
    ("所问文件的内容或格式", re.compile("(?:怎么|如何|咋)(?:编?写|编制|排版|画)(?![了的进入])"), re.compile("内容|包括|载明|写明|格式|式样|示范文本|填写")),
    ("所问的文本或下载处", re.compile("(?:哪|怎么)[^,。?]{0,4}下载|(?:模板|范本|文案)(?:[在有怎哪]|$)"), re.compile("公布|公开|网站|平台|式样|格式|示范文本")),
    ("所问的家数", re.compile("[有了共](?:多少|几)(?:家|座)"), re.compile("家|座")),
)  # fmt: skip
"""What a question asks for by its kind, with what states it: a provision that names neither is on something else."""


@lru_cache(256)
def _asked_kinds(text: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the kinds that a folded question asks for, with what states each: one is held against many provisions."""
    return tuple((said, stated) for said, asked, stated in KINDS if asked.search(text))


def unstated(text: str, article: str) -> str | None:
    """Return the kind that a folded question asks for and a folded article does not state, None when it states each.

    How often an act is done stands in a sentence on that act, where the article names it: other sentences have other cycles.
    """
    found = next((said for said, stated in _asked_kinds(text) if not stated.search(article)), None)
    act = "" if found else _repeated(text)
    if not act or act not in article:
        return found
    stating = (s for s in re.split("[。;]", article) if CYCLES.search(s))
    return None if any(act in s for s in stating) else f"“{act}”的周期"


def _repeated(text: str) -> str:
    """Return the act of which a folded question asks how often it is done (检修 of 多久检修一次), empty when it asks none."""
    asked = CYCLE.search(text)
    if asked is None or not asked[0].endswith(("次", "回")):
        return ""
    places = (COUNTS.sub(" ", asked[0]), re.split("[,;:?]", text[asked.end() :])[0], text[: asked.start()])
    return next((word for part in places for word in reversed(words_of(part)) if len(word) > 1), "")


def asked(text: str) -> bool:
    """Tell whether a folded question asks for something by its kind."""
    return any(kind.search(text) for _, kind, _ in KINDS)
