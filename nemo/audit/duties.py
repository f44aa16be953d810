"""Whether a memo turns who must do something, or the side of a bound (主体与界限).

A retelling need not use the words of the law. So a clause is set beside the clause of the provision that speaks of the
same thing, and only the body that acts (由价格主管部门) and the side of a bound (不得少于, 不得超过) are compared. What speaks of the memo's own project (本项目, 贵司) is the memo's conclusion.
"""

import re
from collections.abc import Iterator

from nemo.audit.keyed import in_order, keyed, letters, share, speaks_of
from nemo.audit.stance import OWN
from nemo.audit.wording import WordingChange

_ASIDE = re.compile(r"[（(][^（）()]{1,20}[）)]")
"""What stands in brackets behind a body (业主（项目法人）)."""
_SHORT_PLACE = 400
"""Characters of a provision that speaks of one thing as a whole."""
_ALIKE = 0.6
_SHORTEST, _CLAUSE_LEAST = 4, 12

_SUFFIX = "(?:(?:机关|机构|部门|单位)的?(?:主要)?负责人|机关|部门|机构|局|厅|委员会|委|政府|国务院|直辖市(?!人民)|法院|检察院|企业|单位|公司|用户|(?<![行产企工农林商作])业主|股东会?|[董监]事会|(?:招标|投标|中标|申请|被许可|权利|使用权|承包|发包|义务|责任|所有|经营|管理)人|经营者|管理者|使用者|生产者|开发者|运营者|中心(?![线城]))"
_NOT_OF_NAME = (
    "会同|商同|商(?=[本有同国其所])|委托|责令|处以|给予|负责|组织|依法|按照|根据|依照|予以|制定|决定|批准|审批|审查|审核|确定|规定|征收|承担|实施|"
    "经(?![营济过])|办理|出具|作出|吊销|没收|监督(?!管理)|编制|公布|另行|统一|报"
)
_BY = re.compile(rf"(?<![缘理事])由(?P<o>(?:(?!{_NOT_OF_NAME})[^,，。;；:：由]){{2,40}})")
_WHO = re.compile(
    rf"(?:^|[,，。;；:：\s])(?P<o>(?:(?!{_NOT_OF_NAME})[^,，。;；:：的应可须不由对向在]){{0,18}}{_SUFFIX})(?=应当?|可以|不得|必须|须|负责|有权|会同|每|[按依]照|根据|依据|依法|对|(?:责令|批准|核准|审批|核发|征收|决定|编制|制定|管辖|统筹|指导|督促)(?!的))"
)
_RUN = re.compile(r"(?<![缘理事自经])由([\u4e00-\u9fa5\d（）、]{4,26})")
_MANNER = re.compile(r"^(?:自行|单独|统一|直接|依法|组织|负责|共同|全部|全额|另行|按照?规定|在[^，。；]{2,12}?内)+")
_ACTING = re.compile(r"由([^，。；由]{2,24})$")
_ANY_BODY = re.compile(rf"([^，。；的]{{0,20}}{_SUFFIX})")
_ASKS = re.compile(
    rf"(?:申请|提请|报请|委托|责令|邀请|服从)([^，。；]{{2,24}}?{_SUFFIX})(?:的|统一|组织|负责|进行){{0,3}}$"
)
_LONGEST, _ABOUT, _SHADE = 9, 0.5, 0.15
"""Characters of a body that no ending names (财政); shares by which words are known, and are as near as others."""
_TOGETHER = re.compile(
    rf"(?P<lead>(?:(?!{_NOT_OF_NAME})[^,，。;；:：由、]){{2,24}}?{_SUFFIX})会[同商](?P<with>[^,，。;；:：]{{2,24}}?{_SUFFIX})"
)
_DECIDES = "批准|审批|同意|核准|审核|审查|验收|确认|审定"
_DECIDED = re.compile(rf"(?:会同[^,，。;；]{{2,30}}?)?(?:自行|组织|负责)?(?P<act>{_DECIDES})")
"""Behind the body of 由…: what is 由甲批准 is 经甲批准 and 报甲批准 too."""
_TO = re.compile(
    rf"(?:报[送请]?|向|经)(?P<o>原(?:批准|审批|核准|许可|发证)(?:机关|部门)|(?:(?!{_NOT_OF_NAME})[^,，。;；:：报向经]){{0,40}}?{_SUFFIX})(?=(?P<end>备案|报备|登记)|(?P<act>{_DECIDES})|(?:书面|如实|及时|定期)?(?:申请|提出|提交|报告|报送|递交|申报|领取|缴纳))"
)
_OPENS = re.compile(
    rf"^(?P<o>(?:(?!{_NOT_OF_NAME})[^,，。;；:：的应可须不由对向在]){{2,26}}{_SUFFIX})(?![的之、和及或])"
)
"""A body that a sentence opens with (生产经营单位使用…的, 应当…)."""
_FIRM = re.compile("(?:公司|企业|经营者|单位)$")
"""What a memo calls 公司 a provision may call 经营者."""
_ASKED = re.compile(rf"征求(?P<o>[^,，。;；:：]{{1,24}}?{_SUFFIX})的?意见")
_RELATIVE = re.compile("^(?:本级|同级|上一?级|下一?级|所在地|当地)")
"""A body that is named by another one: no name can be set against it."""
_TURNED_TO = frozenset("向报问")
_GENERAL = re.compile(
    r"^(?:其|该|上述|有关|相关|各级|各|同级|当地|所在地|原)*(?:行政|主管|审批|有权|管理|监管|行政主管)*(?:部门|机关|机构|单位)$"
)
_RENAMED = (
    ("国土资源|土地(?:行政)?管理|地质矿产", "自然资源"),
    ("环境保护|环保", "生态环境"),
    ("安全生产监督管理|安全监管|安监", "应急管理"),
    ("工商行政管理|工商|质量技术监督|质监", "市场监督管理"),
    ("农业(?!农村)", "农业农村"),
    ("林业(?!和?草原)", "林业草原"),
    ("建设(?:行政)?(?=主管)", "住房城乡建设"),
    ("电力监管", "能源监管"),
)
"""Tasks whose bodies were renamed by the reforms of 2013 and 2018 (国务院机构改革方案), each with its later name."""
_ROLES = (
    ("发包人|业主(?!大会|委员会)", "建设单位"),
    ("承包人|承包商", "施工单位"),
    ("摄氏度", "℃"),
    ("村委会", "村民委员会"),
    ("(?<=[经由向报])省级?政府", "省级人民政府"),
)
"""What contracts and memos call a party, and how the law calls it (民法典第七百八十八条, 建设工程质量管理条例第二条)."""
_OF_BODY = "(?=(?:行政|监督)?(?:管理|主管)?(?:部门|机关|机构|局|厅|委))"
_PROVINCIAL = re.compile("省、自治区、直辖市(?:人民政府)?(?=[^，。；、的]{1,10}(?:部门|机关|机构|局|厅|委))")
_AGENCY = re.compile(r"[\u4e00-\u9fa5]{0,2}(?:能监办|能源监管(?:局|办公室|办)|能源监管机构)")
_NUMBER = re.compile(r"^第[^条款]{1,8}[条款][\s\u3000]*")
_CORE = re.compile(r"(?:行政)?(?:主管|监督管理|管理|监管)?(?:部门|机构|机关|局|厅|委员会|委)$")
_LEVELS = str.maketrans("", "", "级以上地方人民的、")


def other_body(saying: str, place: str) -> WordingChange | None:
    """Return the body that a saying lets act where the provision names another; None when there is none."""
    place = _ASIDE.sub("", place)
    saying = _of_its_own(saying, keyed(place).key)
    if (beside := _stranger(saying, place) or _other_lead(saying, place)) is not None:
        return beside
    sentences, whole = re.split("[。；;\n]", place), keyed(place).key
    for words in _acts(_ASIDE.sub("", saying)):
        if keyed(words).key in whole:
            continue
        for said, role in _bodies(words):
            if _GENERAL.match(said) or OWN.search(words):
                continue
            rest = keyed(words.replace(said, "", 1))
            fitting = [s for s in sentences if any(its == role for _, its in _bodies(s))] or sentences
            near = max(fitting, key=lambda s: keyed(s).covers(rest))
            around = place if len(place) < _SHORT_PLACE else next(p for p in place.split("\n") if near in p)
            there = [body for body, _ in _bodies(near)]
            turned_to = role[0] in _TURNED_TO
            alike = [body for body, its in _bodies(near) if its == role or not (turned_to or its[0] in _TURNED_TO)]
            alike = alike or [body for body, its in _bodies(near) if turned_to and its[0] == role[0]]
            named = (role == "主" and _acts_there(_core(said), f"{place}{place.replace('人民政府', '政府')}")) or (
                turned_to and not alike and _core(said) in place
            )
            known = any(_same(said, b) for b in alike or there) or named
            if len(rest.key) < _SHORTEST or known or not speaks_of(around, near, rest, _ALIKE if role == "主" else 0.5):
                continue
            acting = [body for body, its in _bodies(near) if its == role] or there
            pointing = not _RELATIVE.match(said) and any(_RELATIVE.match(body) for body in acting)
            if acting and not pointing and not any(_GENERAL.match(body) for body in there):
                return WordingChange(said, acting[0])
    return None


def renamed(text: str) -> str:
    """Return words with the bodies that were renamed under their later names."""
    for old, new in _RENAMED:
        text = re.sub(f"(?:{old}){_OF_BODY}", new, text)
    for called, role in _ROLES:
        text = re.sub(called, role, text)
    text = _PROVINCIAL.sub("省级", text)
    return _AGENCY.sub("国家能源局派出机构", text)


def _of_its_own(saying: str, whole: str) -> str:
    """Return a saying without the clauses that stand in the provision as they are."""
    parts = ((part, keyed(part).key) for part in re.split("(?<=[,，。;；:：\n])", saying))
    return "".join(part if key and key not in whole else "，" for part, key in parts)


def _stranger(saying: str, place: str) -> WordingChange | None:
    """Return the body behind 由 that nothing in front of the same act names in the provision (费用由财政承担)."""
    for match in _RUN.finditer(saying):
        run, head = match[1], re.split("[,，。；;：:\n]", saying[: match.start()])[-1]
        named = re.match(rf".*{_SUFFIX}", run)
        for size in [named.end()] if named else range(2, min(_LONGEST, len(run) - 1)):
            body, done = run[:size], _MANNER.sub("", run[size:]) or run[size:]
            act = done[:2]
            acting = [c[: m.start()] for c in re.split("[。；;\n]", place) for m in re.finditer(re.escape(act), c)]
            if len(act) < 2 or not acting or OWN.search(head + body):
                continue
            rest, topic = keyed(saying[: match.start()] + done), keyed(head)
            shares = [keyed(re.split("[，,]", w)[-1] if _ACTING.search(w) else w).covers(topic) for w in acting]
            near = [words for words, part in zip(acting, shares, strict=True) if part >= max(shares) - _SHADE]
            known = _GENERAL.match(body) or any(_acts_in(letters(_core(body)), words) for words in near)
            held = (
                _ACTING.search(near[0])
                or _ASKS.search(near[0])
                or next(iter([*_ANY_BODY.finditer(near[0])][::-1]), None)
            )
            if held and not known and keyed(place).covers(rest) >= _ABOUT:
                return WordingChange(f"由{body}", held[1])
            break
    return None


def _acts_in(core: frozenset[str], before: str) -> bool:
    """Tell whether a body stands in front of an act, not as one that only asks another to do it (应当申请乙组织)."""
    acts = _ACTING.search(before) or _ASKS.search(before)
    return not core or share(core, letters(acts[1] if acts else before)) >= _ABOUT


def _other_lead(saying: str, place: str) -> WordingChange | None:
    """Return the body that leads where the provision has it only take part (甲会同乙 for 乙会同甲)."""
    for said in _TOGETHER.finditer(saying):
        for held in _TOGETHER.finditer(place):
            crossed = _same(said["lead"], held["with"]) and _same(said["with"], held["lead"])
            if crossed and not _same(said["lead"], held["lead"]):
                return WordingChange(said[0], held[0])
    return None


def _acts(saying: str) -> Iterator[str]:
    """Yield the clauses of a saying, a short one with those of its sentence before it."""
    for sentence in re.split("[。；;\n]", saying):
        starts = [0]
        for match in re.finditer("[^,，]+", sentence):
            long = [
                s
                for s in (match.start(), *reversed(starts))
                if len(keyed(sentence[s : match.end()]).key) >= _CLAUSE_LEAST
            ]
            yield sentence[max(long, default=0) : match.end()]
            starts.append(match.start())


def _bodies(sentence: str) -> list[tuple[str, str]]:
    """Return the bodies of a sentence, each with its part.

    由 (acts), 主 (the subject), 向 with what it does where it decides, 报 (takes note), 问 (is heard).
    """
    roles = (("由", _BY), ("主", _WHO), ("主", _OPENS))
    words = _NUMBER.sub("", sentence.strip())
    acting = [(m, role) for role, pattern in roles for m in pattern.finditer(words)]
    found = [(m["o"], role) for m, role in acting if role != "由"]
    for match in (m for m, role in acting if role == "由"):
        body = re.match(rf".*{_SUFFIX}", match["o"])
        act = _DECIDED.match(words, match.start("o") + len(body[0])) if body else None
        found.append((match["o"], f"向{act['act']}" if act else "由"))
    found += [(m["o"], "报" if m["end"] else f"向{m['act'] or ''}") for m in _TO.finditer(sentence)]
    found += [(m["o"], "问") for m in _ASKED.finditer(sentence)]
    cut = [(re.match(rf".*{_SUFFIX}", body), role) for body, role in found]
    return [
        (_NUMBER.sub("", m[0].strip()), role)
        for m, role in cut
        if m and not re.match(r"[\W]*(?:[未经无非]|没有|是否|有无|能否)", m[0])
    ]


def _acts_there(core: str, place: str) -> bool:
    """Tell whether a body stands in a provision otherwise than as one that is told of something (报…备案)."""
    return any(
        not re.search("[报向经][^，。；]{0,24}$", place[: m.start()])
        or re.match(f"(?:作出|决定|{_DECIDES})", place[m.end() :])
        for m in re.finditer(re.escape(core), place)
    )


def _core(body: str) -> str:
    return _CORE.sub("", body) or body


def _same(said: str, held: str) -> bool:
    """Tell whether two names may mean one body: abbreviations leave levels and endings out."""
    if re.search("或者?", said):  # one of several will do
        return any(_same(one, held) for one in re.split("或者?", said) if one)
    if any(said.endswith(end) != held.endswith(end) for end in ("政府", "国务院")):
        return False
    short, full = (_core(b.replace("省、自治区、直辖市", "省")).translate(_LEVELS) for b in (said, held))
    firms = [_FIRM.search(b) for b in (said, held)]
    if all(firms):
        one, other = (m.string[: m.start()] for m in firms if m)
        return other in one or in_order(one, other) or keyed(other).covers(keyed(one)) >= 0.5
    if re.search(f"[非不未]{re.escape(short)}", full) or re.search(f"[非不未]{re.escape(full)}", short):
        return False
    return full in short or in_order(short, full)
