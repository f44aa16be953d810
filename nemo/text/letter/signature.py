"""The signature of a letter (落款): who signed it and when (成文日期).

Names come broken over lines and set apart one by one (国 家 能 源 局), several to a line or one to each.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from nemo.text.letter.form import SEALED, LetterLine, is_organ, lines
from nemo.text.letter.titles import tidy
from nemo.text.words.days import dates_in
from nemo.text.words.flat import FlatText, flatten
from nemo.types import Day, Span

_OPENS_LIKE_ORGAN = re.compile(
    r"国家|中国|中共|中央|中华|全国|最高|国务院|工业和?信息化|生态环境|自然资源|水利|财政|交通|农业|住房|应急|公安|商务|中共|科技|科学|人力|"
    r"教育|司法|民政|环境保护|国土|市场监管|税务|海关|气象|林业|审计|人民银行|发展改革|能源|电力监管|民航|铁路|统计|卫生|文化|经济|数据|南方|华北|华东|华中|东北|西北|[\u4e00-\u9fa5]{2,7}(?:省|市|自治区|县|区|州|盟|旗|能源|发展改革)"
)
_OFFICER = re.compile(
    r"(?:中华人民共和国|国家|国务院)?(?:主\s*任|局\s*长|部\s*长|省\s*长|市\s*长|主\s*席|总\s*理|署\s*长|行\s*长|院\s*长|检察长|主席团)[\s\u3000:：]*[\u4e00-\u9fa5\s\u3000]{2,10}"
)


_CLOSES = re.compile(
    r"(?:执行|实施|落实|贯彻|办理|报告|反馈|联系|通知|公告|函复|批复|遵照|组织实施|你们)[^。]{0,12}。$"
)
"""How the last sentence of a letter ends; a date alone under it is the day of signing, whoever signed."""


REMARK = re.compile(
    r"[（(][^（）()]{1,60}[）)]|(?:抄\s?[送报]|公开方式|主题词|联系(?:人|单位|电话|方式))[\s:：].{1,200}|.{0,40}印发"
)
"""What offices set below the day of signing."""
_REMARKS = 4
_MONTH = re.compile(
    r"(?:[12]\d{3}|[〇零一二][〇零一二三四五六七八九]{3})年(?:1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月(?![\d一二三廿])"
)
"""A year and a month in a flat text, without a day."""


@dataclass(frozen=True, slots=True)
class Signature:
    """The end of a letter (落款): who signed and when."""

    organs: tuple[str, ...]
    day: Day | None
    """None where only a month is signed."""
    words: str
    """The date as written."""
    span: Span
    """Covers organs and date."""


@lru_cache(maxsize=16)
def signature_of(text: str) -> Signature | None:
    """Return the first signature of a text: a date on its own line under the names of bodies or of an officer.

    For want of one, a date alone under the closing sentence of a letter, or the last of the text; or a month alone under
    the names of bodies.
    """
    flat = flatten(text)
    unsigned: Signature | None = None
    months = [(m.start(), m.end(), None) for m in _MONTH.finditer(flat.text) if flat.opens_line(m.start())]
    for start, end, day in (*dates_in(flat), *months):
        if not _is_date_line(flat, start, end):
            continue
        above = [
            x for x in lines(text, max(0, flat.offsets[start] - 1500), flat.offsets[start]) if x.text not in "、，.·|"
        ]
        own_line = flat.opens_line(start)
        organs, first = _organs_above(above)
        words = flat.span(start, end)
        below_text = day is not None or any(x.text.endswith("。") for x in above)  # a cover bears a month as well
        if (organs and below_text) or (day and above and own_line and _OFFICER.fullmatch(above[-1].text)):
            return Signature(organs, day, words.of(text), Span(min(first, words.start), words.end))
        if (
            day
            and unsigned is None
            and own_line
            and above
            and (_CLOSES.search(above[-1].text) or _is_last(above, text, words))
        ):
            unsigned = Signature((), day, words.of(text), words)
    return unsigned


def _is_last(above: Sequence[LetterLine], text: str, day: Span) -> bool:
    """Tell whether a day ends a text below its last sentence, as a gazette (公报) prints it; only remarks stand behind it."""
    behind = [line.text for line in islice(lines(text, day.end), _REMARKS + 1)]
    return above[-1].text.endswith("。") and len(behind) <= _REMARKS and all(map(REMARK.fullmatch, behind))


def _is_date_line(flat: FlatText, start: int, end: int) -> bool:
    """Tell whether a date stands alone at the end of its line; only punctuation or a body may stand before it."""
    tail = re.match(r"(?:（[^）]{0,20}）)?", flat.text[end : end + 24])
    behind = end + (tail.end() if tail else 0)
    behind += flat.text.startswith("|", behind) and flat.opens_line(start)  # alone in its row of a table
    if not flat.ends_line(end) and not (behind > end and flat.ends_line(behind)):
        return False
    source = flat.source
    at = flat.offsets[start]
    opening = max(source.rfind("\n", 0, at), source.rfind("\f", 0, at)) + 1
    lead = source[opening:at].strip(" \t\u3000、，.·|")
    return not lead or all(is_organ(part) for part in re.split(r"[\s\u3000、|]+", tidy(lead)) if part)


def _organs_above(above: Sequence[LetterLine]) -> tuple[tuple[str, ...], int]:
    """Read the bodies that sign, from the last line upwards; return them in reading order with their first offset."""
    organs: list[str] = []
    first = above[-1].span.end if above else 0
    index = len(above) - 1
    while index >= 0 and len(organs) < 30:
        names, used = _organs_of(above, index)
        if not names:
            break
        organs[:0] = names
        index -= used
        first = above[index + 1].span.start
    return tuple(dict.fromkeys(organs)), first


def _organs_of(above: Sequence[LetterLine], index: int) -> tuple[list[str], int]:
    """Return the bodies named on a line, and how many lines they took: a name may be broken over two."""
    words = above[index].text.strip("、，。 ")
    names = _names(words)
    if names and _OPENS_LIKE_ORGAN.match(names[0]):
        return names, 1
    if index and len(above[index - 1].text) <= 24:
        joined = _names(above[index - 1].text + words)
        if joined and _OPENS_LIKE_ORGAN.match(joined[0]) and not _names(above[index - 1].text):
            return joined, 2
    return (names, 1) if names and len(names[0]) >= 5 else ([], 0)


def _names(words: str) -> list[str]:
    if re.search(r"[：:。；《》@\d]", words) or len(words) > 120:
        return []
    parts = [own for part in re.split(r"[\s\u3000、|]+", tidy(words)) if (own := SEALED.sub("", part))]
    return parts if parts and all(is_organ(part) for part in parts) else []
