"""The bodies that act in a clause (主体): how they are found, under which later names they go, when two names are one."""

import re

from nemo.audit.keyed import in_order, keyed

SUFFIX = "(?:(?<!责任)(?<!主管)人员|[组队]长|(?<=[查作家])组|(?<=[险障])基金|(?:机关|机构|部门|单位|企业|公司)的?(?:主要)?负责人|机关|部门|机构|[协商学]会(?![同议谈])|局|厅|委员会|委(?!托|派)|政府(?!投资|采购|信息|定价|指导价|储备|购买|出资)|国务院|直辖市(?!人民)|法院|检察院|企业|单位|公司|用户(?!侧)|(?<![行产企工农林商作])业主|股东会?|[董监]事会|(?:招标|投标|中标|申请|被许可|权利|使用权|承包|发包|义务|责任|所有|经营|管理|受托|委托|受让|转让|出让|共有|债权|债务|纳税|承租|出租|保管|用工)人|经营者|管理者|使用者|生产者|开发者|运营者|中心(?![线城])|街道办事处|(?:主办|承办|协办|举办|组织)方)"
NOT_OF_NAME = (
    "会同|商[同得经]|征得|提出|提请|报请|商请|拒绝|阻碍|妨碍|阻挠|干扰|商(?=[本有同国其所])|委托|责令|处以|给予|负责|组织|依法|按照|根据|依照|予以|(?:制定|决定|批准|审批|审查|审核|征收)(?!部门|机关|机构)|确定|规定|"
    "造成|发生(?!地|单位)|发现|[发交送转]给|(?<!重)要|并(?!网)|承担|实施|执行|履行|遵守|服从|经(?![营济过])|办理|出具|作出|吊销|没收|监督(?!管理)|编制|公布|另行|统一|明示|暗示|指使|授意|强令|迫使|报"
)
_BY = re.compile(rf"(?:(?<![缘理事])由|(?<!回)归|(?<!目)的是)(?P<o>(?:(?!{NOT_OF_NAME})[^,，。;；:：由向]){{2,40}})")
_WHO = re.compile(
    rf"(?:^|[,，。;；:：\s])(?P<o>(?:(?!{NOT_OF_NAME})[^,，。;；:：的应可须不由对向在]){{0,18}}{SUFFIX})(?=应当?|可以|不得|必须|须|负责(?!人)|有权|会同|每|[按依]照|根据|依据|依法|对|(?:责令|批准|核准|审批|核发|征收|决定|编制|制定|管辖|统筹|指导|督促|履行|承担)(?!的))"
)
_DECIDES = "批准|审批|同意|核准|审核|审查|验收|确认|审定|决定(?!的)"
_DECIDED = re.compile(rf"(?:会同[^,，。;；]{{2,30}}?)?(?:自行|组织|负责)?(?P<act>{_DECIDES})")
"""Behind the body of 由…: what is 由甲批准 is 经甲批准 and 报甲批准 too."""
_TO = re.compile(
    rf"(?:报[送请]?|向|经|征得|取得)(?:负责[^,，。;；:：的]{{2,12}}的)?(?P<o>原(?:批准|审批|核准|许可|发证)(?:机关|部门)|(?:(?!{NOT_OF_NAME})[^,，。;；:：报向经]){{0,40}}?{SUFFIX})(?=(?P<end>备案|报备|登记)|(?P<act>{_DECIDES})|(?:书面|如实|及时|定期)?(?:申请|提出|提交|报告|报送|递交|申报|领取|缴纳|投诉|举报|起诉|反映|提起|登记))"
)
_OPENS = re.compile(
    rf"^(?P<o>(?:(?!{NOT_OF_NAME})[^,，。;；:：的应可须不由对向在]){{2,26}}{SUFFIX})(?![的之、和及或：:]|负责人|职工|人员|[^，。；]{{0,6}}(?:项目|工程|设施|场所|用地|用海)[，,])"
)
"""A body that a sentence opens with (生产经营单位使用…的, 应当…)."""
_SENT = re.compile(
    rf"(?:报告|告知|通知|抄送|抄报|移送|报(?![告批名酬废送表])|(?:推|报|移|送|提)[送交][^,，。;；:：]{{0,30}}?[至给])(?P<o>(?:(?!{NOT_OF_NAME})[^,，。;；:：]){{0,30}}?{SUFFIX})(?=$|[,，。;；]|并)"
)
"""A body that is told or sent something."""
_CASE_OF = re.compile(
    rf"[,，](?P<o>(?:(?!{NOT_OF_NAME})[^,，。;；:：的应可须不由对向在]){{0,18}}{SUFFIX})(?=[未没]|违反|拒|擅自|有下列)"
)
"""A body that a case is told of behind what opens the sentence (违反本条例规定，建设单位未…的)."""
_FIRM = re.compile("(?:公司|企业|经营者|单位)$")
"""What a memo calls 公司 a provision may call 经营者."""
_ASKED = re.compile(rf"征求(?P<o>[^,，。;；:：]{{1,24}}?{SUFFIX})的?意见")
GENERAL = re.compile(
    r"^(?:(?:具备|具有|取得|有|依法)+(?:相应|相关|法定)?的?资质的|其|该|上述|[两三四五六七八]个?|有关|相关|各级|各|同级|当地|所在地|原)*(?:(?:行政|主管|审批|有权|管理|监管|行政主管|备案|批准|核准|受理|处罚|发证|颁证|登记|许可)*(?:部门|机关|机构|单位)(?:和人员)?|(?:权利|义务|责任|当事)人|(?:当事人|[^，。；]{0,4})双方|各方|(?:受处?罚|被处?罚|违法|违规|当事|责任)的?(?:人员|单位|企业))$"
)
_RENAMED = (
    ("国土资源|国土(?=部门|局|厅|主管)|土地(?:行政)?管理|地质矿产", "自然资源"),
    ("环境保护|环保", "生态环境"),
    ("安全生产监督管理|安全监管|安监", "应急管理"),
    ("工商行政管理|工商|质量技术监督|质监", "市场监督管理"),
    ("农业(?!农村)", "农业农村"),
    ("林业(?!和?草原)", "林业草原"),
    ("建设(?:行政)?(?=主管)", "住房城乡建设"),
    ("电力监管", "能源监管"),
    ("(?<![节用供排污])水行政", "水利"),
    ("价格|(?<!发)发改", "发展改革"),
    ("卫生(?!健康)(?:和?计划生育)?", "卫生健康"),
    ("劳动(?:和?社会)?保障|劳动(?=行政)", "人力资源社会保障"),
    ("(?<![道路水])交通(?!运输)", "交通运输"),
)
"""Tasks whose bodies were renamed, or go by the name of who has them since the reforms of 2013 and 2018 (国务院机构改革方案)."""
_ROLES = (
    ("发包人|(?<![行产企工农林商渔作就])业主(?!大会|委员会|管)", "建设单位"),
    ("承包人|承包商", "施工单位"),
    ("供电局|电力供应企业", "供电企业"),
    ("中华人民共和国(?=主管)", "国家"),
    ("[甲乙丙]方", "当事人"),
    ("(?<!承)总包(?=[^括]|$)", "施工总承包单位"),
    ("街道办(?!事)", "街道办事处"),
    ("摄氏度", "℃"),
    ("县[（(]市、?区[）)]", "县级"),
    ("村委会", "村民委员会"),
    ("(?<=[经由向报])省级?政府", "省级人民政府"),
    ("省、自治区、直辖市(?=(?:人民)?政府)", "省级"),
    ("(?<!人民)政府", "人民政府"),
    ("报(?=上一?级|本级|同级)", "报告"),
    ("(?<=[没未不无])(?P<case>[^，。；的]{1,10}的)(?=应(?!急)|[尽可须由处罚责限交免按停暂])", r"\g<case>，"),
    (
        "百分之(?P<low>[一二三四五六七八九十]{1,3})[到至](?![一二三四五六七八九十]{1,3}倍)(?=[一二三四五六七八九十])",
        r"百分之\g<low>至百分之",
    ),
    ("或者", "或"),
    ("没有?(?:经过?)?(?=[^，。；的得]{2,16}(?:批准|同意|许可|核准))", "未经"),
    ("不(?:可以?|能|准|许|允许)(?=(?:少|超|高|低|多|大|小|早|晚|迟|短|长)[于过出])", "不得"),
    ("(?<=[不未])依法(?![院律规])", ""),
    ("给予", "予以"),
    ("相关(?=部门|机关|机构|单位|主管|人员|规定|要求|法律|材料|资料|行政|国家|手续|信息)", "有关"),
    ("任何单位(?:和|或者?|、)(?:任何)?个人", "任何单位和个人"),
    ("(?<=[\u4e00-\u9fa5])跟(?=[\u4e00-\u9fa5])", "与"),
    ("(?:当地|所在地|本地区?|属地)的?(?=人民政府)", "当地"),
)
"""What contracts and memos call a party, and how the law calls it (民法典第七百八十八条, 建设工程质量管理条例第二条)."""
_PARTIES = frozenset(("建设单位", "施工单位", "施工总承包单位"))
_OF_BODY = "(?=(?:行政|监督)?(?:管理|主管)?(?:部门|机关|机构|局|厅|委))"
_PROVINCIAL = re.compile("省、自治区、直辖市(?:人民政府)?(?=[^，。；、的]{1,10}(?:部门|机关|机构|局|厅|委))")
_AGENCY = re.compile(r"[\u4e00-\u9fa5]{0,2}(?:能监办|能源监管(?:局|办公室|办)|能源监管机构)")
_NUMBER = re.compile(r"^(?:第[^条款]{1,8}[条款]|\d{1,3}[.、]?(?=\s))[\s\u3000]*")
_WHEN = re.compile(
    "^(?:但是?|而|并且?|同时)?(?:允许|要求|规定|明确|赋予|责成|授权)?(?:[^，。；]{0,10}(?:[前后时]|[日月年天]内))?(?=..)"
)
"""What stands in front of a body in its clause (但答复前值班人员)."""
_OF_SUCH = re.compile("^(?:有关|相关|上述|各)(?=...)")
_HOW_MANY = re.compile(r"^(?:[两二三四五六七八九十\d]{1,3}[个家名](?:以上)?的?|全体)")
_SEAT = re.compile(
    r"(?P<seat>[^，。；]{2,16}地)的?(?:的?[^，。；]{0,6}级)?(?:以上)?(?:地方)?(?:各级)?(?=人民政府|政府)"
)
"""Whose place a body is of: 事故发生地人民政府 is not 事故发生单位所在地人民政府."""
_TOGETHER = re.compile("以?及|与|、")
_PART = re.compile(
    "(建设|施工|设计|监理|勘察|总?承包|分包|发包|招标|投标|中标|用人|供电|发电|电网|调度|用能|排污|评价|评估|检测|检验|征收|出租|承租|出让|受让|编制|运营)(?:工程)?(?:单位|企业|公司|机构|人|方)$"
)
"""The part that a body plays: 建设单位 is no 施工单位."""
_ANY_FIRM = re.compile("^(?:本|该|各)?(?:项目|业主|开发|投资|运营)*(?:企业|公司|单位|业主|方|主体|者|商)$")
"""What a memo calls whoever has a duty."""
_HEADS = re.compile("的?(?:主要)?负责人$")
_ALONE = "(?:(?<![\u4e00-\u9fa5])|(?<=[府级院的由经向报和及或县市省区关]))"
"""In front of a name of one character (水行政主管部门): it is not the end of another (节水主管部门)."""
_NOT_ITS = "(?!(?:[的所]|下属|所属|直属)?派出)"
"""Behind a name: it is not that of the body that sent another (国家能源局派出机构 is not 国家能源局)."""
_GAP, _ENDING = 3, 12
"""Characters that a short name leaves out in one place, and in front of the ending of an office."""
_CORE = re.compile(r"等?(?:行政)?(?:主管|监督管理|管理|监管)?(?:部门|机构|机关|局|厅|委员会|委)$")
_AUTHORITY = "(?:部门|机关|机构|[局厅委会]|政府)"
"""The endings of an office: 大坝主管部门 is no 大坝管理单位."""
_OFFICE = re.compile("(?:部门|机关|政府|(?:管理|监管|监察|监督|行政|派出)机构|[局厅委])$")
_PRIVATE = re.compile("(?:单位|企业|公司|用户|股东|[人者])$")
_LEVELS = str.maketrans("", "", "级以上地方人民的、")


def stands(said: str, passage: str) -> bool:
    """Tell whether a passage names a body, shortened or not, with the ending of an office behind it (质检部门, of 质量监督检验部门)."""
    held = keyed(passage).key
    bare = held.replace("人民政府", "")
    parts = [_OF_SUCH.sub("", part) for part in re.split("或者|[、和及与或]", _HOW_MANY.sub("", said))]
    for part in [p for p in parts if not GENERAL.match(p)] or parts:
        name = keyed(core(part)).key.replace("的", "")
        office = rf"(?:(?!派出)[^，。；的]){{0,{_ENDING}}}?的?{_AUTHORITY}" if _CORE.search(part) else ""
        before = _ALONE if len(name) == 1 else "(?<!被)"
        name = f"{before}{f'.{{0,{_GAP}}}?'.join(map(re.escape, name))}{office}{_NOT_ITS}" if name else ""
        if not re.search(name, held) and not re.search(name, bare):
            return False
    return True


def renamed(text: str, beside: str = "") -> str:
    """Return words with the bodies that were renamed under their later names.

    A party of a contract (发包人) goes under the law's name for it only where the words ``beside`` have that name.
    """
    for old, new in _RENAMED:
        text = re.sub(f"(?:{old}){_OF_BODY}", new, text)
    for called, role in _ROLES:
        if beside and role in _PARTIES and role not in beside:
            continue
        text = re.sub(called, role, text)
    text = _PROVINCIAL.sub("省级", text)
    return _AGENCY.sub("国家能源局派出机构", text)


def bodies(sentence: str) -> list[tuple[str, str]]:
    """Return the bodies of a sentence, each with its part.

    由 (acts), 主 (the subject), 首 (what a sentence opens with), 向 with what it does where it decides, 报 (takes note), 问 (is heard).
    """
    return [(body, role) for _, body, role in placed(sentence)]


def placed(sentence: str) -> list[tuple[int, str, str]]:
    """Return the bodies of a sentence as ``bodies`` does, each with where its name ends."""
    roles = (("由", _BY), ("主", _WHO), ("首", _OPENS), ("首", _CASE_OF))
    lead = _NUMBER.match(sentence.strip())
    skipped = len(sentence) - len(sentence.lstrip()) + (lead.end() if lead else 0)
    words = sentence[skipped:].rstrip()
    found = []
    for role, match in ((role, m) for role, pattern in roles for m in pattern.finditer(words)):
        body = re.match(rf".*{SUFFIX}", match["o"])
        act = _DECIDED.match(words, match.start("o") + len(body[0])) if body and role == "由" else None
        found.append((match.start("o"), match["o"], f"向{act['act']}" if act else role))
    found += [(m.start("o"), m["o"], "报" if m["end"] else f"向{m['act'] or ''}") for m in _TO.finditer(words)]
    found += [(m.start("o"), m["o"], "向") for m in _SENT.finditer(words)]
    found += [(m.start("o"), m["o"], "问") for m in _ASKED.finditer(words)]
    cut = [(start, re.match(rf".*{SUFFIX}", body), role) for start, body, role in found]
    return [
        (skipped + start + m.end(), _WHEN.sub("", _NUMBER.sub("", m[0].strip())), role)
        for start, m, role in cut
        if m and not re.match(r"[\W]*(?:[未经无非]|没有|是否|有无|能否)", m[0])
    ]


def core(body: str) -> str:
    """Return the name of a body without what says that it is an office."""
    return _CORE.sub("", body) or body


def same_body(said: str, held: str) -> bool:
    """Tell whether two names may mean one body: abbreviations leave levels and endings out."""
    said, held = (_TOGETHER.sub("和", _HOW_MANY.sub("", body)) for body in (said, held))
    seats = [m["seat"] for body in (said, held) if (m := _SEAT.match(body))]
    if len(seats) > 1 and not seats[0].endswith(seats[1]) and not seats[1].endswith(seats[0]):
        return False
    several = [[part for part in re.split("或者?", body) if part] for body in (said, held)]
    if any(len(parts) > 1 for parts in several):  # one of several will do
        return any(same_body(one, other) for one in several[0] for other in several[1])
    if any(said.endswith(end) != held.endswith(end) for end in ("政府", "国务院")):
        return False
    if any(_OFFICE.search(a) and _PRIVATE.search(b) for a, b in ((said, held), (held, said))):
        return False
    if any("派出" in a and "派出" not in b and "其派出" not in a for a, b in ((said, held), (held, said))):
        return False
    if _ANY_FIRM.match(said) and not re.search("部门|机关|政府|[局委厅]$", held):
        return True
    if "等" in held and all(_PRIVATE.search(b) for b in (said, held)):  # 供水、供电等公用企事业单位
        return True
    parts = [_PART.search(b) for b in (said, held)]
    if all(parts) and parts[0][1] not in parts[1][1] and parts[1][1] not in parts[0][1]:  # type: ignore[index]
        return False
    if all(_HEADS.search(b) for b in (said, held)):
        return same_body(_HEADS.sub("", said), _HEADS.sub("", held))
    short, full = (core(b.replace("省、自治区、直辖市", "省")).translate(_LEVELS) for b in (said, held))
    firms = [_FIRM.search(b) for b in (said, held)]
    if all(firms):
        one, other = (m.string[: m.start()] for m in firms if m)
        return other in one or in_order(one, other) or keyed(other).covers(keyed(one)) >= 0.5
    if re.search(f"[非不未被]{re.escape(short)}", full) or re.search(f"[非不未被]{re.escape(full)}", short):
        return False
    return full in short or (full.startswith(short) if len(short) == 1 else in_order(short, full))
