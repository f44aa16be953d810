"""Titles of texts that carry none at their head (无标题正文): from what the text calls itself. All of them are derived.

A rule that was cut out of its notice begins with 第一章; a standard's cover sets its name apart letter by letter. Both
still say what they are: the purpose clause names the matter and the kind (为规范…管理，…制定本办法), the preface the title.
"""

import re

from nemo.text.letter.form import FoundTitle
from nemo.text.letter.titles import looks_like_title, marks, tidy
from nemo.text.words.flat import FlatText, flatten

_PREFACE = 3000
"""Flat characters in which a text says what it is."""
_MADE = re.compile(r"(?:制定|编制|编写|形成|修订)了?$")
_SHORT = re.compile(r"[（，]?以下(?:统)?简称：?[《“](?P<short>[^》”]{2,20})[》”]")
_PURPOSE = re.compile(r"制定本(?P<kind>实施细则|实施办法|管理办法|办法|细则|规则|规定|规程|导则|指引|指南|方案|条例)")
_MATTER = re.compile(
    r"(?:规范|加强|完善|健全|做好|推进|促进|保障|强化|优化|细化)了?(?P<matter>[^，。；、：《》]{4,32}?)(?=，|、|。)"
)
_LOOSE = re.compile(r"(?:的?(?:行为|秩序|活动|工作|实施|和管理|有关要求)|运营和管理|运行和管理|建设和运营)$")
_HELPS = re.compile(r"^(?:进一步|和|与|全面|切实|电力企业)")


def derived_title(text: str) -> FoundTitle | None:
    """Return the title a text without one gives itself, None when it says none; ``span`` is where it was read."""
    flat = flatten(text)
    return _own_name(flat) or _of_purpose(flat)


def _own_name(flat: FlatText) -> FoundTitle | None:
    """制定了《X》（以下简称《标准》）: the title its preface gives the text; not that of a text it was made under."""
    for mark in marks(flat):
        if mark.start > _PREFACE:
            return None
        short = _SHORT.match(flat.text, mark.end)
        made = _MADE.search(flat.text[max(0, mark.start - 4) : mark.start])
        if made is not None and short is not None and looks_like_title(mark.title):
            return FoundTitle(mark.title, flat.span(mark.start + 1, mark.end - 1))
    return None


def _of_purpose(flat: FlatText) -> FoundTitle | None:
    """为规范X管理，根据…，制定本办法 → X管理办法: the first matter that is governed, with the kind the text gives itself."""
    made = _PURPOSE.search(flat.text, 0, _PREFACE)
    if made is None:
        return None
    start = max(flat.text.rfind("。", 0, made.start()), flat.text.rfind("第一条", 0, made.start()), -1) + 1
    basis = re.search(r"，(?:根据|依据|按照|依照)", flat.text[start : made.start()])
    stop = start + basis.start() + 1 if basis else made.start()
    found = list(_MATTER.finditer(flat.text, start, stop))
    if not found:
        return None
    regulating = [m for m in found if m[0].startswith("规范")]
    match = (regulating or found)[-1]
    matter = _LOOSE.sub("", _HELPS.sub("", tidy(match["matter"])))
    kind = made["kind"]
    if kind == "细则":
        kind = "实施细则"
    return (
        FoundTitle(matter + kind, flat.span(match.start("matter"), match.end("matter"))) if len(matter) >= 4 else None
    )
