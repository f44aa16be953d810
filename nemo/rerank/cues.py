"""What a question asks for and what a provision offers, by the words that show it (提示词).

Each cue is seen from both sides: 怎么罚 in the question, 处…罚款 in the provision. The trees learn which of them must
meet; nothing here decides.
"""

import re
from typing import NamedTuple

import numpy as np


class Cue(NamedTuple):
    """One kind of content."""

    name: str
    asked: re.Pattern[str]
    offered: re.Pattern[str]


def _cue(name: str, asked: str, offered: str) -> Cue:
    return Cue(name, re.compile(asked), re.compile(offered))


NUMERAL = r"[一二三四五六七八九十百千万两\d]"
"""The end of a number: that one stands there shows in its last sign."""

CUES = (
    _cue("penalty", "罚|处分|处理|后果|责任|怎么办|会怎样|追究|吊销", "罚款|责令|吊销|没收|追究|处分|警告"),
    _cue(
        "period",
        "多久|几天|多少天|几个月|几年|期限|时限|多长|何时|什么时候|几日|工作日|小时|提前|最晚|最迟",
        rf"{NUMERAL}个?(?:工作日|日|天|月|年|小时)",
    ),
    _cue(
        "amount",
        "多少|几个|几倍|比例|几成|上限|最高|最低|百分|几米|几人|多大|标准",
        rf"{NUMERAL}(?:元|倍|%|亩|米|公里|千伏|人|公顷|平方米|千瓦|兆瓦|吨|度|分贝|次)|百分之",
    ),
    _cue("definition", "什么是|定义|是指|算不算|算什么|是啥|含义|属于", "是指|所称|含义|系指"),
    _cue("authority", "谁|哪个部门|哪级|哪里|由哪|主管|向哪|归", "主管部门|批准|审批|核准|备案|审核|负责|会同"),
    _cue("list", "哪些|什么情形|几种|什么条件|什么情况|列举", "[（(][一二三四五六七八九十]+[）)]"),
    _cue("commencement", "生效|施行|什么时候开始|废止", "起施行|生效|废止"),
    _cue("ban", "能不能|可以吗|允许|行不行|能否|可不可以|行吗|能.{0,12}吗|禁", "不得|禁止|严禁"),
    _cue("duty", "要不要|必须|需要|是否|要求|应", "应当|必须"),
    _cue("purpose", "目的|宗旨|为了什么", "为了?.{0,60}制定本"),
    _cue("scope", "适用|管不管|范围", "适用本|本(?:法|条例|办法|规定|细则)适用|参照"),
    _cue("papers", "材料|手续|提交|怎么申请|文件|资料", "提交|材料|申请书|资料|报送"),
    _cue("money", "费|钱|价|补贴|补偿|赔|谁出", "费用|价格|电价|补贴|补偿|赔偿|承担"),
    _cue("right", "可以|权利|有权|能", "可以|有权"),
    _cue("reference", "依据|按什么", "依照|按照.{0,12}规定"),
    _cue("crime", "判|刑|坐牢|犯罪", "刑事责任|犯罪|有期徒刑"),
)

CHAPTERS = (re.compile("法律责任|罚则|责任"), re.compile("总则"), re.compile("附则"))
"""Chapters whose provisions are of one kind."""

OFFERED = tuple(f"has_{c.name}" for c in CUES)
ASKED = tuple(f"asks_{c.name}" for c in CUES)
CROSSED = tuple(
    f"asks_{n}" for n in ["penalty", "period", "amount", "authority", "definition", "list", "papers", "ban", "crime"]
)
"""Cues whose meeting is a column of its own."""
UNDER = ("under_liability", "under_general", "under_final")


def asked(text: str) -> np.ndarray:
    """Return (cues,) 0 or 1: what a question asks for."""
    return np.array([c.asked.search(text) is not None for c in CUES], np.float32)


def offered(text: str, chapter: str) -> np.ndarray:
    """Return (cues + chapters,) 0 or 1: what a passage holds, and which kind of chapter it stands in."""
    found = [c.offered.search(text) is not None for c in CUES]
    return np.array(found + [p.search(chapter) is not None for p in CHAPTERS], np.float32)
