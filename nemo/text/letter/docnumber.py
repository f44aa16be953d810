"""The document number of a text (发文字号、令号), read from where the text states its own."""

import re
from functools import lru_cache

from nemo.text.letter.form import FoundTitle, letter_start, lines, title_of
from nemo.text.letter.titles import NUMBER, SIGN
from nemo.text.words.days import DATE
from nemo.text.words.flat import FlatText, flatten
from nemo.types import Span

_NUMBER_CORE = re.compile(r"[〔（](?:19|20)\d{2}[〕）]第?\d{1,5}号")
NUMBER_LINE = rf"{NUMBER}|(?:\d{{4}}年)?第[\d一二三四五六七八九十百]+号"
"""A line that holds nothing but a number, flat."""
_SIGN = re.compile(SIGN)
_LABEL_END = re.compile(r"(?:发文字号|文号|文件编号)：$")
_LABELLED = re.compile(
    r"(?m)^[ \t\u3000]*[（(]?(?:发文字号|文\s?号|文件编号)\s?[:：]\s?(?P<n>[^\n:：]{4,40}?号)[）)]?[ \t\u3000]*$"
)
_ORDER_CORE = re.compile(
    r"(?P<kind>令|公告)(?:〔?(?P<year>(?:19|20)\d{2})〕?年?)?第?(?P<no>\d{1,4}|[一二三四五六七八九十百〇零]{1,6})号"
)
STANDARD = re.compile(
    r"(?P<kind>GB|DB\d\d|Q|T|[A-Z]{2})(?P<soft>/[A-Z]+)?\s?\d{2,6}(?:\.\d+)*\s?[-—–－]{1,2}\s?(?:19|20)\d{2}"
)
"""The number of a standard with its year (标准编号)."""
_STANDARD_LINE = re.compile(rf"(?:标准编号|标准号|编号)?\s*(?:[:：]\s*)?(?P<n>{STANDARD.pattern})")
_STANDARD_HEAD = 1500
"""Characters of the cover of a standard."""
_SERIAL = re.compile(r"[\s|]*(?:\d{1,4}|[一二三四五六七八九十]{1,3}) ?\|")
_GAP = 3
"""Characters of blank that part a number from what stands beside it on its line (等级：特急　　　湘发改电〔2026〕18号), at least."""
_ORDER_ORGAN = re.compile(r"[\u4e00-\u9fa5、]{2,60}")


@lru_cache(maxsize=16)
def number_of(text: str) -> FoundTitle | None:
    """Return the number (发文字号、令号、标准编号) that stands on a line of its own before the body, None without one.

    Numbers inside sentences belong to other texts; numbers of a sidebar stand after the body.
    """
    flat = flatten(text)
    begin = flat.place(letter_start(text))
    limit = _body_start(flat, begin)
    for match in _NUMBER_CORE.finditer(flat.text, begin, limit):
        start = _number_start(flat, match.start())
        if (
            start is not None
            and not _listed(text, flat.offsets[start])
            and (_ends_number_line(flat, match.end()) or _follows_title(flat, start))
        ):
            words = flat.text[start : match.end()]
            return FoundTitle(_standard_number(words), flat.span(start, match.end()))
    return _order_number(flat, limit) or _number_of_standard(text) or _labelled_number(text)


def _labelled_number(text: str) -> FoundTitle | None:
    """Return a number that its label alone tells, on a line below the text (（文号：粤发改〔2031〕5号）)."""
    for match in _LABELLED.finditer(text):
        number = flatten(match["n"])
        if re.fullmatch(NUMBER, number.text):
            return FoundTitle(_standard_number(number.text), Span(*match.span("n")))
    return None


def _number_of_standard(text: str) -> FoundTitle | None:
    for line in lines(text, 0, _STANDARD_HEAD):
        if match := _STANDARD_LINE.fullmatch(line.text):
            start = line.span.start + match.start("n")
            return FoundTitle(match["n"], Span(start, start + len(match["n"])))
        if line.text.endswith("。"):
            return None
    return None


def _number_start(flat: FlatText, core: int) -> int | None:
    """Return where the sign of an office (粤发改能源) begins before 〔年份〕: at a line, a label or a bracket."""
    for start in range(core - 1, max(-1, core - 26), -1):
        sign = flat.text[start:core]
        if not re.fullmatch("[\u4e00-\u9fa5（）]", sign[0]):
            return None
        if _SIGN.fullmatch(sign) is None:
            continue
        apart = flat.offsets[start] - flat.offsets[start - 1] > _GAP
        if flat.opens_line(start) or apart or flat.text[start - 1] in "（〔|" or _LABEL_END.search(flat.text[:start]):
            return start
        if _follows_title(flat, start):
            return start
    return None


def _follows_title(flat: FlatText, start: int) -> bool:
    """Tell whether the title, and nothing else, ends right before a number: lines run on into one."""
    title = None if flat.opens_line(start) else title_of(flat.source)
    return title is not None and flat.place(title.span.end) == start


def _ends_number_line(flat: FlatText, end: int) -> bool:
    """Tell whether a number ends its line, be it in brackets or with the day of issue behind it (…8号 2031年3月5日印发), or that who signed
    the letter within the house stands beside it (签发人).
    """
    tail = re.match(rf"(?:，?{DATE}印发)?[）〕]?", flat.text[end : end + 24])
    return (
        flat.ends_line(end)
        or flat.text.startswith(("|", "签发人："), end)
        or (tail is not None and flat.ends_line(end + tail.end()))
    )


def _listed(text: str, at: int) -> bool:
    """Tell whether a number stands in a row of a table that lists other texts (废止目录): numbered, or next to one with a number."""
    start = text.rfind("\n", 0, at) + 1
    around = (
        text[text.rfind("\n", 0, max(0, start - 1)) + 1 : start],
        text[text.find("\n", at) + 1 :].partition("\n")[0],
    )
    beside = any("|" in row and _NUMBER_CORE.search(flatten(row).text) for row in around)
    return _SERIAL.match(text[start:at]) is not None or ("|" in text[start:at] and beside)


def _body_start(flat: FlatText, begin: int) -> int:
    stop = re.search(r"。|第[一1]条(?!.{0,6}修正)", flat.text[begin : begin + 4000])
    return begin + stop.start() if stop else min(len(flat.text), begin + 4000)


def _standard_number(words: str) -> str:
    return re.sub(r"[〔（](\d{4})[〕）]第?", r"〔\1〕", words)


def _order_number(flat: FlatText, limit: int) -> FoundTitle | None:
    """Return the number of the order that published the text (国务院令第115号), on its own lines or in the note.

    An order that revised it as a whole counts for more than the first one.
    """
    first: FoundTitle | None = None
    for match in _ORDER_CORE.finditer(flat.text, 0, limit):
        start = _organ_start(flat, match.start())
        organ = _organ_of_title(flat, match) or flat.text[start : match.start()]
        organ = organ.partition("关于")[0].removeprefix("中华人民共和国")
        if _ORDER_ORGAN.fullmatch(organ) is None:
            continue
        act = re.match(
            r"(?:(?P<new>(?:第[一二三四五六七八九十]{1,2}次)?修订(?:公布|发布)?(?=[）自，\d]|$))|(?:公布|发布|颁布)(?!的))",
            flat.text[match.end() :],
        )
        if act or (flat.opens_line(start) and flat.ends_line(match.end())):
            year = f"{match['year']}年" if match["year"] else ""
            found = FoundTitle(f"{organ}{match['kind']}{year}第{match['no']}号", flat.span(start, match.end()))
            first = found if first is None or (act and act["new"]) else first
    return first


def _organ_of_title(flat: FlatText, order: re.Match[str]) -> str:
    """Return the body of an order that the title names over several lines, empty for any other order."""
    title = title_of(flat.source)
    if title is None or not flat.place(title.span.start) <= order.start() < flat.place(title.span.end):
        return ""
    return flat.text[flat.place(title.span.start) : order.start()]


def _organ_start(flat: FlatText, kind: int) -> int:
    """Return where the name of the body before 令 begins: at its line, or after the date of the note."""
    start = kind
    while start > max(0, kind - 60) and not flat.opens_line(start) and flat.text[start - 1] not in "日）（，。":
        start -= 1
    if start == kind and start:  # the body stands on the line above 公告 or 令
        start -= 1
        while start > max(0, kind - 60) and not flat.opens_line(start):
            start -= 1
    return start
