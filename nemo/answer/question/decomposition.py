"""Several questions in one: where one ends and the next begins (一问多事).

A part is a stretch that asks by itself. Parts are told apart by the sign that ends a question, by numbers before them,
by words that add a further one (另外, 以及), by clauses that each ask, and by 分别 or 各 after a list of things.
"""

import re
from collections.abc import Callable, Iterator

from nemo.rules import Rules

ASKS = re.compile(
    r"多少|多久|多长|多[大高远宽深厚]|(?<![好这那])几[个天日年月次倍级类种人条号点家元度米]|几工作日|第几|谁|哪|什么|何时|何种|怎[么样]|如何|是否|吗|呢|[要能会算行可]不[要能会算行可]|有没有|是不是|有何|为何|\b(?:[Hh]ow (?:many|much|long|far|often|soon)|[Ww]hat(?: is| are)|[Ww]ho)\b"
)
"""A clause with one of these asks."""
ENDS = re.compile(r"[？?！!。；;\n]+\s*")
NUMBERED = re.compile(
    r"(?<![第款条项件表图号\d、）)])[（(](?:\d{1,2}|[一二三四五六])[）)](?![、，,。项款条（(和及与至])\s*|(?:^|(?<=[\s，,。；;：:？?]))(?:\d{1,2}[.、．)）](?!\d)|[a-fA-F][.、．)）]|[一二三四五六]是|第[一二三四五六][，,、：:])\s*|[①-⑨]\s*"
)
FURTHER = re.compile(
    r"(?<![，,、。；;\s])[，,、。；;\s]*(?:另外|此外|还有(?!效|没|无|多|用|吗|么|[？?]|$)|以及|再有|再者|顺便(?:再?问一?下|问)?|还想(?:问|知道|了解)|同时(?=[^，,]{0,20}(?:吗|呢|多少|怎么|如何|什么)))[，,：:\s]*|,? and (?=(?:how|what|who|when|where|which|is|are|can|must|do|does) )"
)
COMMA = re.compile(r"[，,、；;]\s*")
RESPECTIVELY = re.compile(
    r"(?P<before>[^？?。]{2,60}?)(?P<each>分别|各自|各(?=[能要需可会有是为用占交罚保应须多几]|最))(?P<tail>[^？?。]{2,40})$"
)
PUNISHED = re.compile("(?:单位|企业|公司|负责人|责任人|人员|个人|法定代表人)$")
"""Whom one provision punishes beside each other (双罚): of them it is asked once."""
ITEMS = re.compile(r"、|和|与|以及|(?<![涉普以波遍])及(?!时|格)")
OF_ALL = re.compile(r"^[^的]{2,}(?P<asked>的[^的]{2,})$")
"""The last thing of a list with what is asked of each of them: 报告书和报告表的审批时限."""
HEAD = re.compile(r"^(?P<head>.*[，,：:里中]|.*(?<![\u76ee])的)(?P<first>[^，,]{2,})$")
CONDITION = re.compile(r"^(?:如果|要是|假如|若|当|对于|关于|按照?|根据|依照)|的$|时$|后$|前$")
"""A clause like this only says when: it belongs to what follows."""
OPENS = re.compile(
    r"^(?:我们?|咱们?)?(?:(?:不(?:是要?|想|用)?问|先不[问说管])[^，,；;：:。？?]{1,20}[，,；;。]\s*)?(?:我们?|咱们?)?[就只想要再]{0,3}(?:请教|咨询|确认|了解|请?问)"
    r"(?:[一下您你]{0,3}(?:以下|下面|如下|这么)?[两二三四五几2-5]?(?:件事情?|个?问题|个?事项?|点)?(?:如下)?(?:[：:，,]\s*|(?=[（(])))"
)
"""Announces what is asked and what is not (我不问罚款，只问两件事：): no part of the first question."""
TOLD = re.compile(r"(?:什么时候|何时|哪一?[年天]|谁)[^，,]{0,6}的$")
"""A clause that ends like a condition and asks (什么时候施行的)."""
LONGEST_ITEM = 14
MOST = 6
"""At most so many parts; a longer list is answered as one."""
COMPARES = re.compile(
    r"比较|对比|对照|相比|区别|不同|差[异别在]|有何差|不一样|一样|分别|各自|各是|哪[个里省边]更|谁更|还是"
)


NATION = re.compile(
    "(?:国家|全国|中央)(?:层面|的?规定|法律)?(?=[和与跟同、及比])|(?<=[和与跟同、及比])(?:国家|全国|中央)(?=层面|的|规定|对|法律|在|$)"
)
"""The nation as one of the places that are compared (国家和内蒙古…)."""


def split(text: str, bare: Callable[[str], bool]) -> list[str]:
    """Return the questions in a text, in order; one entry when it asks one thing.

    A clause that is ``bare``, without a subject of its own, stays with the one before it.
    """
    found: list[str] = []
    waiting = ""
    for item in _cut(NUMBERED, OPENS.sub("", text)):
        if ASKS.search(item) or found:  # a number of its own asks by itself (3. 电话)
            item = f"{waiting}{item}" if ASKS.search(item) else f"{item}是什么"
            found += _joined([p for s in _sentences(item) for f in _cut(FURTHER, s) for p in _clauses(f, bare)])
            waiting = ""
        else:
            waiting += f"{item}，"
    parts = [each for part in found for each in _listed(part.rstrip("；;。"))]
    return parts if 1 < len(parts) <= MOST else [text]


def compared_places(text: str, rules: Rules, own: Callable[[str], bool]) -> list[tuple[str, str]]:
    """Return the places (words, province code) that a question asks to compare, each once; empty when it compares none.

    Cities of one province are places of their own where titles of held texts bear them (``own``).
    """
    found = {
        words if rules.inside(words, code) and own(words) else code: (words, code)
        for words, code in reversed(rules.places_in(text))
    }
    places = list(reversed(found.values()))
    if places and (nation := NATION.search(text)):
        places.insert(0, (nation.group(), "cn"))
    return places if len(places) > 1 and COMPARES.search(text) else []


def for_place(text: str, place: str, places: list[tuple[str, str]]) -> str:
    """Return the question for one of the places it compares."""
    run = "|".join(re.escape(words) for words, _ in places)
    text = re.sub(
        rf"(?:{run})[省市]?(?:[、和与跟同及，,]|以及)?(?:[两二三四五几]个?(?:[地省市]|地方|省份|城市))?", "", text
    )
    text = re.sub(
        r"^[和与跟、]|(?:比较|对比|对照)(?:一下)?(?:在|的|关于)?|(?:有什么|有何|的)?(?:区别|不同|差异)(?:是什么|在哪)?|相比|分别|各自|不一样|一样",
        "",
        text,
    )
    return f"{place}{text.strip(' ，,的在')}"


def _cut(pattern: re.Pattern[str], text: str) -> list[str]:
    places = [m.span() for m in pattern.finditer(text)]
    starts = [0, *(end for _, end in places)]
    ends = [*(start for start, _ in places), len(text)]
    return [piece for a, b in zip(starts, ends, strict=True) if (piece := text[a:b].strip(" ，,"))]


def _sentences(text: str) -> Iterator[str]:
    start = 0
    for end in ENDS.finditer(text):
        if piece := text[start : end.end()].strip():
            yield piece
        start = end.end()
    if piece := text[start:].strip():
        yield piece


def _clauses(sentence: str, bare: Callable[[str], bool]) -> Iterator[str]:
    """Yield the clauses of a sentence that each ask something of their own."""
    start = 0
    for comma in COMMA.finditer(sentence):
        clause = sentence[start : comma.start()]
        rest = sentence[comma.end() :]
        if (
            ASKS.search(clause)
            and ASKS.search(rest)
            and not bare(rest)
            and (TOLD.search(clause) or not CONDITION.search(clause))
        ):
            yield clause
            start = comma.end()
    if tail := sentence[start:].strip():
        yield tail


def _joined(pieces: list[str]) -> list[str]:
    """Return the pieces that ask, each with what stands before it without asking; a tail that does not ask goes back."""
    out: list[str] = []
    waiting = ""
    for piece in pieces:
        if ASKS.search(piece) or piece.rstrip().endswith(("？", "?")):
            out.append(f"{waiting}{piece}")
            waiting = ""
        else:
            waiting += piece if piece.endswith(("。", "；", "，", "！")) else f"{piece}，"
    if waiting and out:
        out[-1] = f"{out[-1]}{waiting.rstrip('，')}"
    elif waiting:
        out.append(waiting.rstrip("，"))
    return out


def _listed(part: str) -> list[str]:
    """Return one question for each thing of a list that 分别 ends."""
    found = RESPECTIVELY.search(part.rstrip("？?。 "))
    if found is None:
        return [part]
    items = [item.strip() for item in ITEMS.split(found["before"])]
    if len(items) < 2 or not all(1 < len(item) <= LONGEST_ITEM for item in items[1:]):
        return [part]
    if "罚" in found["tail"] and all(PUNISHED.search(item) for item in items):
        return [part]
    head, first = "", items[0]
    if (inside := HEAD.match(first)) and not (inside["head"].endswith("的") and "的" in "".join(items[1:])):
        head, first = inside["head"], inside["first"]
    if len(first) > LONGEST_ITEM:
        return [part]
    asked = found["tail"]
    if (of_all := OF_ALL.match(items[-1])) and not any("的" in item for item in (first, *items[1:-1])):
        asked = f"{of_all['asked']}{asked}"
        items[-1] = items[-1].removesuffix(of_all["asked"])
    return [f"{head}{item}{asked}" for item in (first, *items[1:])]
