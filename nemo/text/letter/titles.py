"""Titles in book marks (书名号), document numbers and standards, as they stand in running text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from nemo.text.words.flat import FlatText, flatten
from nemo.text.words.normalise import title_key
from nemo.types import Span

_BOOK = re.compile(r"《((?:[^《》。]|《(?:[^《》。]|《[^《》。]*》)*》)+)》")

SIGN = r"[\u4e00-\u9fa5]{1,20}(?:（[\u4e00-\u9fa5]{1,6}）[\u4e00-\u9fa5]{0,4})?"
"""The sign of an office (机关代字), in brackets which of its departments wrote the text: 宁发改能源（发展）."""
NUMBER = rf"(?:{SIGN}[〔（](?:19|20)\d{{2}}[〕）]第?\d{{1,5}}号)"
"""A document number (发文字号) in a flat text: 粤发改能源〔2026〕14号."""

ORDER = (
    r"(?:(?:中华人民共和国)?(?:[\u4e00-\u9fa5]{2,18}?)(?:令|公告)(?:〔?(?:19|20)\d{2}〕?年?)?第?"
    r"(?:\d{1,4}|[一二三四五六七八九十百〇零]{1,6})号)"
)
"""The number of an order or announcement (令、公告): 国务院令第432号."""

_NUMBER = re.compile(NUMBER)
_ATTACHED = re.compile(rf"[（(〔]\s*(?:[^（）《》。；]{{0,12}}?[，、])?({NUMBER}|{ORDER})")
_HEAD_NOISE = re.compile(
    r"^.*?(?:[的和及与按据照对以由从至到为将]|关于|依据|根据|文件|简称|通知|规定|办法|意见|印发|发布|执行|原|即|以下|见)(?=.{2})"
)

KINDS = (
    "修正案|实施细则|实施条例|实施办法|实施意见|实施方案|法典|法|条例|规定|办法|细则|规则|规程|规范|标准|导则|准则|总则|"
    "守则|公约|议定书|决定|决议|解释|批复|答复|安排|意见|通知|通告|公告|通报|命令|令|函|复函|方案|计划|规划|纲要|纲领|指引|指南|"
    "目录|名录|清单|章程|制度|要求|措施|政策|若干规定|若干意见|要点|纪要|报告|请示|说明书|说明|答记者问|解读|参数|宪法|编|号文|"
    "决定书|告知书|意见书|公示|名单|蓝皮书|白皮书|年度报告|手册|大纲|定额|预案|协议|合同|示范文本|条款|规范条件|准入条件|专章|指标体系|评价体系|对照表|问答|办事指南"
)
"""Words a title may end with (文种)."""

_KIND_END = re.compile(
    rf"(?:{KINDS})(?:[（(〔][^（）()《》]{{1,16}}[）)〕])*(?:第[一二三四五六七八九十\d]+部分[:：]?.{{0,20}})?$"
)

_WORDS_BEFORE = re.compile(
    r"^.*(?:的|通知|公告|办法|规定|意见|印发|发布|根据|依据|依照|按照|关于|以及|废止|在|遵循|遵照|参照|落实|贯彻|执行)(?=[\u4e00-\u9fa5]{2,14}[〔（])"
)
"""Words no organ's sign contains: what stands before them is running text."""

_SIGNED = re.compile("[\u4e00-\u9fa5]{2,20}[〔（(\\[]")
"""A document number from its sign (机关代字) on."""

STANDARD = re.compile(
    r"(?<![A-Za-z/])(?:GB|DL|NB|HJ|JB|SL|JGJ|CJJ|QX|SY|AQ|DZ|TD|LD|YD|DB\d{2}|Q|T)"
    r"(?:/(?:T|Z|GDW|CSG|CEC|[A-Z]{2,6}))?\s?\d{2,6}(?:\.\d+)?\s?[-—–－]\s?(?:19|20)?\d{2}(?!\d)"
)
"""A standard's number in any text: GB/T 19964-2012, DL/T 1040—2007."""
UNDATED = re.compile(
    r"(?<![A-Za-z/])(?:GB|DL|NB|HJ|JB|SL|JGJ|CJJ|TSG|JT|JTG|TB|MT|SH|HG|WS|GA|IEC|ISO|IEEE|T/[A-Z]{2,6})(?:/[TZ])? ?"
    r"[A-Z]?\d{2,6}(?:\.\d{1,2})?(?: ?-(?:19|20)\d{2})?(?![\d.-])"
)
"""A standard without its year, or of a series that texts seldom cite: GB/T 19964, TSG 21-2016."""


@dataclass(frozen=True, slots=True)
class TitleMark:
    """One title in book marks, with the number that follows it in brackets."""

    start: int
    """Flat position of the opening mark."""
    end: int
    """Flat position after the closing mark."""
    title: str
    number: str | None


@dataclass(frozen=True, slots=True)
class CitedText:
    """A text that is cited: by title, by number, or as a standard."""

    title: str
    number: str | None
    span: Span


@lru_cache(maxsize=16)
def marks(flat: FlatText) -> tuple[TitleMark, ...]:
    """Return every outermost title in book marks, in order."""
    return tuple(_mark(flat, match) for match in _BOOK.finditer(flat.text))


def _mark(flat: FlatText, match: re.Match[str]) -> TitleMark:
    attached = _ATTACHED.match(flat.text, match.end())
    title = tidy(flat.words(match.start(1), match.end(1)))
    return TitleMark(match.start(), match.end(), title, attached[1] if attached else None)


def masked(flat: FlatText, start: int = 0, end: int | None = None) -> str:
    """Return a flat range with the words inside book marks blotted out, so that verbs in titles are not read."""
    text = flat.text[start:end]
    return _BOOK.sub(lambda m: "《" + "▮" * (len(m[0]) - 2) + "》", text)


def closed(line: str) -> str:
    """Return a line whose characters are all set apart one by one (通　知) with them joined; any other as it is."""
    letters = line.split()
    return "".join(letters) if len(letters) > 1 and all(re.fullmatch("[\u4e00-\u9fa5]", x) for x in letters) else line


def tidy(words: str) -> str:
    """Return a title as one line: line breaks go, one blank stays where the original parts two names.

    Characters set apart one by one (国 家 能 源 局) are joined.
    """
    words = "\n".join(map(closed, words.split("\n")))
    line = re.sub(r"(?<![ \t\u3000\xa0])[ \t\u3000\xa0]*[\r\n\f][ \t\u3000\xa0\r\n\f]*", "", words)
    line = re.sub(r"\[([^\[\]]*)\]\([^()]*\)", r"\1", line)  # a link of Markdown inside the marks
    line = re.sub(r"[\u200b-\u200d\ufeff]", "", line)
    line = re.sub(r"[ \t\u3000\xa0]+", " ", line).strip()
    line = re.sub(r"(?<![\u4e00-\u9fa5》）”]) | (?![\u4e00-\u9fa5《（“])", "", line)
    return re.sub(r"(?<![\u4e00-\u9fa5])(?:[\u4e00-\u9fa5] ){2,}[\u4e00-\u9fa5](?![\u4e00-\u9fa5])", _joined, line)


def _joined(match: re.Match[str]) -> str:
    return match[0].replace(" ", "")


def is_number(name: str) -> bool:
    """Tell whether a name is a document number, or that of a standard, and no title."""
    return re.fullmatch(rf"{NUMBER}|{ORDER}", flatten(name).text) is not None or STANDARD.fullmatch(name) is not None


_INNER = str.maketrans("《》<>＜＞", "〈〉〈〉〈〉")


def in_marks(title: str) -> str:
    """Return a title in book marks, marks inside it turned into the inner form (《〈X〉解读》); a bare number stays bare."""
    if is_number(title):
        return title
    return f"《{title.translate(_INNER)}》"


def looks_like_title(words: str) -> bool:
    """Tell whether words end the way titles of rules end (…办法, …通知（试行）)."""
    return _KIND_END.search(words) is not None


def is_letter(title: str) -> bool:
    """Tell whether a title is that of a letter (关于…的通知): it is signed, and has no note of its adoption."""
    return re.search(r"关于.{0,300}(?:通知|意见|函|通告|通报|批复)(?:[（(][^（）()]{0,60}[）)])?$", title) is not None


def without_number_noise(number: str) -> str:
    """Return a number without running text that leans on it from the left (根据粤发改能源〔2026〕14号)."""
    own = _WORDS_BEFORE.sub("", number, count=1)
    return _HEAD_NOISE.sub("", own, count=1) if len(own) > 20 else own


def titles_cited(text: str) -> tuple[CitedText, ...]:
    """Return what a text cites: titles of rules, numbers that stand alone, standards; first mention of each, in order.

    Titles in book marks that name no rule (《电力业务许可证》) are left out.
    """
    seen: set[str] = set()
    kept: list[CitedText] = []
    for cited in titles_everywhere(text):
        key = title_key(cited.title) if cited.title else cited.number or ""
        if key not in seen:
            seen.add(key)
            kept.append(cited)
    return tuple(kept)


def titles_everywhere(text: str) -> list[CitedText]:
    """Return every mention, also of what was mentioned before, in order."""
    return sorted(_all_cited(flatten(text), text), key=lambda c: c.span)


def _on_its_line(text: str, span: Span) -> str | None:
    """Return the number of a line that holds nothing else: the letter's own (发文字号) goes on no word of the line above."""
    begin = text.rfind("\n", span.start, span.end) + 1
    line = text[begin : span.end].strip()
    alone = begin and not text[span.end :].partition("\n")[0].strip()
    return flatten(line).text if alone and _SIGNED.match(line) else None


def _all_cited(flat: FlatText, text: str) -> Iterator[CitedText]:
    inside: list[tuple[int, int]] = []
    for mark in marks(flat):
        inside.append((mark.start, mark.end + (len(mark.number) + 3 if mark.number else 0)))
        if looks_like_title(mark.title):
            yield CitedText(mark.title, mark.number, flat.span(mark.start, mark.end))
    for match in _NUMBER.finditer(flat.text):
        if not any(start <= match.start() < end or start < match.end() <= end for start, end in inside):
            number = without_number_noise(match[0])
            number = _on_its_line(text, flat.span(match.end() - len(number), match.end())) or number
            yield CitedText("", number, flat.span(match.end() - len(number), match.end()))
    for match in STANDARD.finditer(text):
        yield CitedText("", " ".join(match[0].split()), Span(*match.span()))
