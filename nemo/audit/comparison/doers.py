"""Whether a memo lets a body do what the provision has another one do (行为主体).

Each act that a memo lets a body do (由甲组织, 甲应当出具, 报甲批准) is looked up in the passages it retells; who does it there
is the body that stands nearest in front of it, or the subject of the sentence. A body that is only turned to (向甲出具)
does nothing.
"""

import re
from collections.abc import Iterator

from nemo.audit.comparison.alignment import content, cover, nearest, passages
from nemo.audit.comparison.bodies import GENERAL, SUFFIX, placed, same_body, stands
from nemo.audit.comparison.stance import OWN
from nemo.audit.comparison.wording import WordingChange
from nemo.audit.keyed import keyed
from nemo.text.words.tokenise import plain_words

_ACTS = (
    "组织", "批准", "审批", "核准", "审核", "审查", "同意", "决定", "备案", "制定|制订", "编制", "出具", "提供", "责令", "验收", "主持",
    "承担|负担", "缴纳|交纳|支付", "公布|公告", "划定", "指定", "吊销", "核发|颁发", "受理", "征收", "签订|订立", "发放", "垫付", "拨付", "确定",
    "认定", "代为", "设立|建立", "通知|告知", "监督", "所有|享有", "拆除", "补偿|赔偿", "安排", "选择|选定", "收取", "查处", "颁布",
    "负责$",
)  # fmt: skip
"""Acts of which a provision says who does them; words of one entry are one act."""
_ACT = re.compile("|".join(f"(?P<a{n}>{words})" for n, words in enumerate(_ACTS)))
_DOES = ("由", "主", "首")
_TURNED_TO = re.compile(rf"(?:向|对|给|委托|邀请|征求|[非不])[^，,。；;：:]{{0,20}}?{SUFFIX}")
_NAMELESS = re.compile("[由归]([^，,。；;由归]{2,16})$")
"""One who acts and whose name no ending tells (归项目所有)."""
_OFFICE, _PRIVATE = re.compile("(?:部门|机关|机构|政府|[局厅委])$"), re.compile("(?:单位|企业|公司|用户|股东|[人者])$")
_ANY = re.compile(
    "^(?:[^，。；]{0,4}双方|各|该|本|相关|有关|任何|其他|同级|上一?级|下一?级)|^(?:企业|公司|单位|业主|用户|当事人|申请人|企业方|供电局)$"
)
"""Bodies that stand for whoever the provision binds."""
_PARTY = re.compile("^(?:总?承包|发包|分包)[人方]$|业主$|建设单位$|施工单位$")
"""A party of the memo's contract, where the provision does not know it: it stands for whoever is bound."""
_FRAME = re.compile(
    "(?<![缘理事自])(?:由|向|(?<!未)经(?![营济常过])|报(?!告|酬|名|废|批))(?P<rest>(?:[^由向经报]|经(?=[理营济常])|报(?=[案告名送批备])){4,40})"
)
_TYPE = re.compile("机[关构](?=$|的?负责人)")
_NAMED = re.compile(f"[^，]{{0,30}}?{SUFFIX}(?![、和或与及的]|(?<=国务院)[\u4e00-\u9fa5]{{2,12}}?(?:部门|机构|机关))")
_NEXT = re.compile("[，,；;：:]|、[报经由]|[提报商]请|[应须需]经(?![营常济])")
"""Behind it another one acts (由甲提出、报乙决定, 甲须经乙考核)."""
_STOPS = re.compile("[，,；;：:]")
_ASKED = re.compile(rf"(?:报请|提请)(?P<o>[^，。；]{{2,24}}?{SUFFIX})[^。；由]{{0,40}}$")
"""One who is asked to act, acts (报请本级人民政府责令关闭)."""
_GETS = re.compile("(?:收到|接到|取得|认为|发现).*")
"""What a body gets or finds names nothing that it does (机关收到征求意见书)."""
_NEAR, _SPEAKS, _SHADE, _VERB = 24, 0.6, 0.1, 2
"""Characters between a body and its act; share of a sentence by which a passage is the one it retells; by how much one
doing of an act may speak less of the sentence than another; characters of a verb."""


def other_doer(saying: str, place: str) -> WordingChange | None:
    """Return the body that a saying lets do what the provision has another one do; None when there is none."""
    whole = keyed(place).key
    for sentence in filter(None, map(str.strip, re.split("[。；;\n]", saying))):
        near = nearest(sentence, place)
        if cover(content(sentence), "\n".join(near)) < _SPEAKS:
            continue
        for body, act in _done(sentence):
            near = [p for p in near if act.search(p)] or [p for p in passages(place) if act.search(p)]
            if any(keyed(clause).key in whole for clause in _STOPS.split(sentence) if body in clause):
                continue
            clause = next(c for c in re.split("[，,](?=其他|其余|另)", sentence) if body in c)
            told = content(clause.replace(body, "，", 1))
            found = [(cover(told, words), who) for passage in near for who, words in _doers(passage, act, body)]
            best = max((score for score, _ in found), default=0.0)
            there = [who for score, who in found if score >= best - _SHADE]
            apart = OWN.search(body) or (_PARTY.search(body) and body not in place)
            if there and not apart and not any(_may_be(body, b) for b in there):
                return WordingChange(body, there[0])
    return None


def other_party(saying: str, place: str) -> WordingChange | None:
    """Return whom a saying has in front of a verb (经甲签字, 向甲报案, 由甲审核) where the passage it retells has somebody else."""
    for sentence in filter(None, map(str.strip, re.split("[。；;\n]", saying))):
        near = nearest(sentence, place)
        held = [frame for passage in near for frame in _framed(passage)]
        for said, verbs, words in _framed(sentence):
            if re.search(f"[经报]{re.escape(said)}", sentence) and not _NAMED.match(
                said
            ):  # 经科学评估, 报上一年度资料: nobody
                continue
            there = [
                (party, verb)
                for party, theirs, _ in held
                for verb in sorted(verbs & theirs, key=lambda v: (party.find(v), v))
            ]
            there = there or [
                (m[1], verb)
                for verb in verbs
                for p in near
                for m in re.finditer(f"([^，。；]{{0,20}}?{SUFFIX}){verb}", p)
            ]
            if (
                not there
                or OWN.search(words)
                or GENERAL.match(said)
                or _ANY.match(said)
                or stands(said, place.replace("、", ""))
            ):
                continue
            if not any(_one(said, re.sub(f"{verb}.*", "", party)) for party, verb in there):
                return WordingChange(said, re.sub(f"{there[0][1]}.*", "", there[0][0]))
    return None


def _framed(sentence: str) -> Iterator[tuple[str, frozenset[str], str]]:
    """Yield who stands behind each 由, 经, 向, 报 of a sentence up to the verb, the verbs, and the clause."""
    for clause in _STOPS.split(sentence):
        for match in _FRAME.finditer(clause):
            rest = match["rest"]
            party = _NAMED.match(rest)
            after = rest[party.end() :] if party else rest[_VERB:]
            words = frozenset(w for w in plain_words(after) if len(w) == _VERB)
            yield party[0] if party else rest, words, clause


def _one(said: str, held: str) -> bool:
    """Tell whether two parties may be one, or one of several."""
    parts = [re.split("[、和或与]|以及", party) for party in (said, held)]
    told, there = content(said), content(held)
    ends = [_TYPE.sub("", party) for party in (said, held)]
    if said != held and ends[0] == ends[1]:  # 复议机关, of a provision that has 复议机构 too
        return False
    alike = any(
        same_body(one, other) or GENERAL.match(other) for one in parts[0] for other in parts[1] if one and other
    )
    return alike or cover(told, held) >= _SPEAKS or (bool(there) and cover(there, said) >= _SPEAKS)


def _may_be(said: str, held: str) -> bool:
    """Tell whether two names may mean one body: an office that is not named is any office, and no firm."""
    if GENERAL.match(said) or GENERAL.match(held):
        return not any(_OFFICE.search(a) and _PRIVATE.search(b) for a, b in ((said, held), (held, said)))
    return same_body(said, held)


def _done(sentence: str) -> Iterator[tuple[str, re.Pattern[str]]]:
    """Yield every body of a sentence with what it does."""
    for end, body, role in placed(sentence):
        rest = _NEXT.split(sentence[end : end + _NEAR])[0]
        act = _ACT.search(role[1:] if role[0] == "向" else rest) if role[0] in "由主首向" else None
        if act and act.lastgroup:
            yield body, re.compile(_ACTS[int(act.lastgroup[1:])])
        elif role[0] in _DOES and (done := next((w for w in content(_GETS.sub("", rest)) if len(w) == _VERB), None)):
            yield body, re.compile(re.escape(done))


def _doers(passage: str, act: re.Pattern[str], body: str) -> Iterator[tuple[str, str]]:
    """Yield who does an act in a passage, the body itself where it may be meant, with the clause of the act."""
    there = sorted(placed(passage))
    for match in act.finditer(passage):
        start = max((m.end() for m in _STOPS.finditer(passage, 0, match.start())), default=0)
        clause = _TURNED_TO.sub("", passage[start : match.start()])
        asked = _ASKED.search(passage[: match.start()])
        clause = asked[0] if asked else clause
        whole = passage[start : match.end()] + _STOPS.split(passage[match.end() :])[0]
        if stands(body, clause):
            yield body, whole
        here = [b for end, b, role in there if start <= end <= match.start() and role[0] in "由主首"]
        decides = [b for end, b, role in there if end <= match.start() <= end + _NEAR and role[1:] == match[0]]
        before = [b for end, b, role in there if end <= start and role in _DOES]
        here = [asked["o"]] if asked else here
        named = [m[1] for m in [_NAMELESS.search(clause)] if m and not here]
        yield from ((who, whole) for who in decides or here[-1:] or named or before[-1:])
