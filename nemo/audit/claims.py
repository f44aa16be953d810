"""What a memo says a cited provision says: quotations, and words in its own sentence (引述识别)."""

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from nemo.audit.citations import CitationReader, MemoCitation
from nemo.audit.comparison.stance import OWN
from nemo.text.words.quantities import quantities
from nemo.text.words.tokenise import plain_words
from nemo.types import Day, Span

_SHORTEST_QUOTE = 8
"""Characters of a quotation that is compared word for word; a shorter one is a term, or a value in the sentence."""
_SHORTEST_SAYING = 6
_SAYS = re.compile(
    r"^(?:[\s,:、)]|的?规定[了]?|的?要求|明确(?:规定)?|指出|载明|写明|说(?!明)|讲|写道|亦|也|还|均|都|之|则|已(?![建有取])|所称|就此|对此|同时|进一步|其中)*(?:为|是(?!否))?[\s,:、]*"
)
_OPEN = re.compile(
    r"\((?:见|参见|详见|依据|根据|出自|来源|引自|摘自|参照|即|依照|按照|法律依据|依据为|[前上]引|前述)?[:]?\[?$"
)
_LINK = re.compile(r"\]\([^()\s]{1,200}\)")
"""The target of a Markdown link around a citation."""
_POINTS = re.compile(
    r"(?:见于?|详|依据是|依据为|出自|载于|来自|规定于|源于|并引|援引|依据|(?<=,)[依按据]|是|系|即|这在|[此这]为|(?:应当?|可以?|不得|须)(?:按照?|依照?|依据|根据))(?:前述|上述|前引)?[:]?$"
)
_CITES = re.compile("(?:见于?|出自|载于|来自|规定于|源于|(?:依据|出处|来源)(?:写的)?[是为])$")
_CASE = re.compile(
    "(?:(?<!目)的|时|后)(?P<by>[,](?:则|应当?|可以?|均|都|将|要|须)?(?:依[照据]?|按照?|根据|适用|参照)(?:前述|上述|现行)?)$"
)
"""A case in front of the citation of what is made of it."""
_TOPIC = re.compile("(?:^|;)(?:关于|就|对于|至于)[^,。;]{2,16},?[^,。;]{0,4}$")
_BESIDES, _IN_TURN = (
    re.compile(r"[\s、,]{0,2}(?:以?及|和|与)?"),
    re.compile(r"[,。;(]?[^,。;()]{0,6}分别[^,。;()]{0,6}$|\([^()]{0,4}$"),
)
"""What stands before a citation that the sentence goes on behind (“…”,出自第三条,该法已修订)."""
_POINTING = re.compile("[,;][^,;。:]{0,6}$")
"""Between a claim and the citation that points back to it (…,依据见); behind the words they are those of the claim."""
_TRAILS = re.compile(
    r"[\s,。;:(]*(?:,?(?:出处|来源|依据)(?:写的)?[是为]?|,(?:符合|满足)|[,;](?:依据?|根据|按照?|参照|见|以及|和|及|与|同时|并|而|且|其|由))?[\s,。;:(]*$"
)
_CLOSES = re.compile(
    r"^(?:上述|前述|相关|[中里]|规定得?|要求|内容|原文|条文|表述|明文|已经?|亦|也|均|都|就|对此|此|甚|很|十分|非常|[讲说写]得|作出?了?|有|明确|清楚|明白|明|"
    r"载明|如此|定义|授权|,?请(?:予以?)?(?:核对|核实|确认|查证|复核|指正)|本意|意旨|之(?:要求|规定)|应有之义|可资|为[证据凭]|依据|根据|此要求|此规定|并?[不未](?:予|作|加)?以?(?:禁止|限制|要求|排除)|予以?(?:认可|允许|明确)|支持|(?:执行|办理|处理|解除|处罚|认定)(?=[。;])|所?(?:确立|规定|设定|赋予)的(?:顺序|原则|义务|情形|条件|程序|标准|权利|制度|期限|时限)|了|的|[\s)])*+(?:[。;!?]|[.](?!\d)|$)"
)
"""Nothing follows a citation but that it says so (第二十条已有明确规定): what is cited stands before it."""
_NUMBERED = re.compile(
    r"^[\s*#>|◆●•▲◇-]*(?:第[一二三四五六七八九十百]{1,5}条(?=[\s\u3000\u4e00-\u9fa5])|\d{1,2}(?:\.\d{1,2}){1,3}(?=[\u4e00-\u9fa5])(?![万千百亿兆米元倍个吨公平亩度伏])|"
    r"第[一二三四五六七八九十]{1,3}[,、]|\[?\(?(?:[一二三四五六七八九十]{1,3}|\d{1,2}(?:\.\d{1,2}){0,3}|[A-Za-z](?=[.)\]])|[ivx]{1,4}(?=[.)\]]))(?:[、.)\]:]|(?=\s))\s*|[①-⑳]\s*)+"
)
"""The number of a line of the memo."""
_COUNTED = re.compile(r"[ \t|]*\d{1,3}[ \t]*[|\n]")
"""The number of a row in a cell of its own."""
_SPEAKER = re.compile(
    r"^[*_]*(?:(?:[问答QA]\d{0,2}|答复|回复|结论|意见|[^,。;:|]{2,14}(?:提示|认为|理解|判断|指出|提醒|表示|反馈|强调|注意到|了解到|测算|咨询|(?<!司已)知悉|声明|承诺|保证))[:,]|[|\s]+)[\s*_]*"
)
"""Who speaks in the memo, or the bar of a table: no words of the law."""
_BULLET = re.compile("^(?:\\[\\^?\\d{1,3}\\]|[\\s*#>|•–—;；\u2190-\u21ff\u25a0-\u27bf\ufe0f\U0001f300-\U0001faff-])+")
"""What stands before the first word of a claim: signs of a list, the mark of the note before it."""
_ANSWERED = re.compile(r"[。!?]\s*\(?(?:[对错√×是否✓✗]|正确|错误)\)?[\s—-]*$")
"""The answer to a question of a test, between what is asked and its source."""
_ANSWERS = re.compile("(?:不?能|不?可以?|是的?|否|不?对|不是)[,;]")
_ONLY_POINTS = re.compile(
    r"^[\s(]*(?P<all>以上|上述|综上)?(?:内容|各[点项])?[,均]?(?:法律|政策|主要)?(?:依据|根据|参见|参考|详?见|出处|来源|引自)(?:为|是|见)?(?::[^,。;:]{0,20})?$"
)
_ASKED = re.compile("[^。;!?]{2,40}[?]$")
"""A question right before its answer: it tells of what."""
_FACTS = re.compile(
    r"(?:违反|不符合?|有悖|抵触|触犯|适用|执行|遵守|履行|落实|按照?|依照?|根据|参照|对照|涉及|关于|基于|符合)了?于?$"
)
"""What stands before a citation after these words is the memo's case, not the law."""
_DATE = r"(?:(?P<y>(?:19|20)\d{2})年(?P<m>\d{1,2})月(?P<d>\d{1,2})日|(?P<iso>(?:19|20)\d{2}-\d{2}-\d{2}))"
_BEGINS = "施行|实施|生效|执行|起效"
_ISSUED = "公布|发布|印发|颁布|下发|出台"
_DAY_AFTER = re.compile(
    rf"^[^。;《》]{{0,24}}?(?:自|于|从)?{_DATE}(?P<since>起)?(?:正式)?(?P<what>{_BEGINS}|{_ISSUED})"
)
_DAY_BEFORE = re.compile(
    rf"(?:自|于)?{_DATE}起?(?:正式)?(?:由[^。;,]{{2,24}})?(?P<what>{_BEGINS}|{_ISSUED})的?(?:新修订的|新的|新)?$"
)
_ORGAN = r"[\u4e00-\u9fa5、]{2,30}?(?:局|部|委|委员会|厅|政府|国务院|人大常委会|人民代表大会|能监办|公司)"
_BY_AFTER = re.compile(
    rf"^(?:[\s,]|已|系|是|现|自[^,。;]{{6,20}}(?:施行|实施)|于[^,。;]{{6,20}}(?:公布|发布|印发)?)*由(?P<o>{_ORGAN})(?:于[^,。;]{{4,16}})?(?:联合)?(?:{_ISSUED}|制定|批准)"
)
_BY_BEFORE = re.compile(
    rf"(?:^|[,。;:(\s]|根据|依据|按照|依照|违反|执行|参照|由|查|经|适用|日)(?P<o>{_ORGAN})(?:于[^,。;]{{4,16}})?(?:联合)?(?:{_ISSUED}|制定)的?(?:新修订的)?$"
)
_THEN = re.compile(
    rf"{_DATE}[^。;《》]{{0,30}}?(?:时|当时|当日|届时|期间)[^。;《》]{{0,16}}$|(?:当时|届时|彼时)(?:有效|施行|适用)的$"
)
_THAT_YEAR = re.compile(r"((?:19|20)\d{2})年[^。;《》]{0,12}时(?:有效|施行|适用)的$")


@dataclass(frozen=True, slots=True)
class MemoClaim:
    """Words tied to a citation; the spans are of the memo's search form."""

    span: Span
    quoted: bool
    cut: Span | None = None
    """The citation within the words (未经批准的,依《办法》第三条,处…)."""

    def parts(self) -> list[Span]:
        """Return where the words stand, without the citation in their middle."""
        if self.cut is None:
            return [self.span]
        return [Span(self.span.start, self.cut.start), Span(self.cut.end, self.span.end)]


@dataclass(frozen=True, slots=True)
class TextClaim:
    """What a memo says of a text as a whole: a day or an authority."""

    fact: str
    """``施行``, ``公布`` or ``机关``."""
    span: Span
    day: Day | None = None
    organ: str = ""


def claims_of(reader: CitationReader, row: Sequence[MemoCitation], index: int) -> list[MemoClaim]:
    """Return what is tied to one citation of a row."""
    citation = row[index]
    if (line := reader.row(citation)) is not None:
        return _in_row(reader, row, index, line)
    if (note := reader.note(citation)) is not None:
        own = [c for c in row if note[0].contains(Span(c.start, c.end))]
        ends = [note[0].start, *(at for c in own for at in (c.start, c.end)), note[0].end]
        said = [_in(reader, Span(low, high)) for low, high in zip(ends[::2], ends[1::2], strict=True)]
        if not any(said):
            return _in(reader, note[1])
    if (group := _group(reader, row, index)) is not None:
        return group
    place = _place(reader, row, index)
    if place is None:
        return []
    if place < 0:
        return _with_case(reader, row, index, _in(reader, _ahead(reader, row, index)))
    found = _before(reader, row, index, place)
    if not found and index and not row[index - 1].asked and row[index - 1].start >= reader.sentence(place).start:
        found = _before(reader, row, index - 1, row[index - 1].start)  # …,依《办法》执行,该办法第八条
    return found


def _with_case(
    reader: CitationReader, row: Sequence[MemoCitation], index: int, behind: list[MemoClaim]
) -> list[MemoClaim]:
    """Return what stands behind a citation with the case in front of it in its sentence (未经批准的,依《办法》第三条,处…)."""
    text, citation = reader.form.text, row[index]
    low = max(row[index - 1].end if index else 0, reader.sentence(citation.end - 1).start)
    case = _CASE.search(text[low : citation.start])
    head = _in(reader, Span(low, low + case.start("by"))) if case else []
    if len(head) != 1 or head[0].quoted or not behind or behind[0].quoted or OWN.search(text[low : citation.start]):
        return behind
    first, *more = behind
    return [MemoClaim(Span(head[0].span.start, first.span.end), False, Span(head[0].span.end, first.span.start)), *more]


def _before(reader: CitationReader, row: Sequence[MemoCitation], index: int, end: int) -> list[MemoClaim]:
    """Return what stands in front of a citation, up to a place."""
    text, citation = reader.form.text, row[index]
    low = (_parted(reader, row, index - 1) or row[index - 1].end) if index else 0
    start = max(low, reader.sentence(citation.end - 1).start)
    points = _ONLY_POINTS.match(text[start : citation.start]) if start > low and end == citation.start else None
    alone = points and index and start <= reader.line(citation.start).start
    if alone and row[index - 1].start >= reader.line(start - 1).start and _place(reader, row, index - 1) == -1:
        return []  # a line by itself: what the line before it tells is proven there
    if points and points["all"]:  # all that the line tells since the citation before
        return _in(reader, Span(max(low, reader.line(citation.start).start), start))
    if end == start > low:  # of a citation that is a sentence by itself: all of the line since the one before
        return _in(reader, Span(max(low, reader.line(citation.start).start), end))
    return _backward(reader, low, start if points else end)


def _ahead(reader: CitationReader, row: Sequence[MemoCitation], index: int) -> Span:
    """Return what stands behind a citation in its sentence, or in the next one where it is introduced (规定：)."""
    text, end = reader.form.text, row[index].end
    after = (_parted(reader, row, index) or row[index + 1].start) if index + 1 < len(row) else len(text)
    region = Span(end, max(end, min(after, reader.sentence(end - 1).end)))
    if _is_introduction(region.of(text)) and (following := reader.sentence(region.end + 1).end) <= after:
        return Span(region.start, following)
    return region


def _place(reader: CitationReader, row: Sequence[MemoCitation], index: int) -> int | None:
    """Return where what a citation proves ends in front of it, -1 where it stands behind, None where a case is told."""
    citation, text = row[index], reader.form.text
    low = row[index - 1].end if index else 0
    sentence, before = reader.sentence(citation.end - 1), text[low : citation.start]
    answered = _ANSWERED.search(before)
    if answered and (citation.end in reader.breaks or text[citation.end : citation.end + 1] in ("", "。")):
        return low + answered.start() + 1
    link = _LINK.match(text, citation.end)
    rest = text[link.end() if link else citation.end : max(citation.end, sentence.end)]
    opened = _OPEN.search(before)
    if opened and (_CLOSES.match(rest) or rest[:1] in ("", ")", ",") or re.match(r"[^(),。;]{2,10}\)", rest)):
        return low + opened.start()  # (第十七条规定的频次)
    if _trailing(reader, row, index):
        return citation.start
    head = text[max(low, sentence.start) : citation.start]
    if (
        not head.strip()
        and _CLOSES.match(rest)
        and text[max(low, reader.line(citation.start).start) : sentence.start].strip()
    ):
        return sentence.start  # a citation that is a sentence by itself
    if rest[:1] in (",", ";") and _CITES.search(head) and not _TOPIC.search(head):
        return citation.start
    if not _CLOSES.match(rest):
        return -1
    quoted = any(q.start >= max(low, sentence.start) and q.end <= citation.start for q in reader.quotes)
    apart = reader.memo.text[max(0, citation.span.start - 1) : citation.span.start].isspace()  # a column of blanks
    pauses = (apart or re.search(r"[\s,;:、|-]$", head) is not None) and not _FACTS.search(head.rstrip(" :、|-"))
    measured = re.search(r"(?:符合|满足)了?$", head) and quantities(head)
    tied = quoted or pauses or measured or _POINTS.search(head) or _ONLY_POINTS.match(head)
    return citation.start if tied else None


def _group(reader: CitationReader, row: Sequence[MemoCitation], index: int) -> list[MemoClaim] | None:
    """Return what a citation of several side by side proves of what is told of them in turn (分别见第一款、第二款); None of others."""
    text, first, last = reader.form.text, index, index
    while first and _BESIDES.fullmatch(text[row[first - 1].end : row[first].start]):
        first -= 1
    while last + 1 < len(row) and _BESIDES.fullmatch(text[row[last].end : row[last + 1].start]):
        last += 1
    if first == last:
        return None
    behind = _place(reader, row, last) != -1
    if behind:
        start = row[first - 1].end if first else 0
        region = Span(max(start, reader.line(row[first].start).start), row[first].start)
        tail = _IN_TURN.search(text[region.start : region.end])
        region = Span(region.start, region.start + tail.start()) if tail else region
    else:
        region = _ahead(reader, row, last)
    told = "分别" in text[region.start : row[first].start] or "分别" in region.of(text)
    for mark in ("[。;]", "[,。;]") if told else ():
        parts = [m.span() for m in re.finditer(f"(?:(?!{mark}).)+", text[region.start : region.end]) if m[0].strip()]
        if len(parts) == last - first + 1:
            low, high = parts[index - first]
            return _in(reader, Span(region.start + low, region.start + high))
    return None


def _trailing(reader: CitationReader, row: Sequence[MemoCitation], index: int) -> bool:
    """Tell whether every citation of a line stands behind what it proves (…分界处 第二十六条，…由用户保护 同条第二款)."""
    line, text = reader.line(row[index].start), reader.form.text
    own = [c for c in row if line.start <= c.start < line.end]
    parts = [text[a.end : b.start] for a, b in pairwise(own)]
    closed = not text[own[-1].end : line.end].strip(" ,。;)") and all(re.match(r"[\s,;。]", part) for part in parts)
    opens, apart = own[0].start - line.start, reader.memo.text[max(0, own[0].span.start - 1)].isspace()
    return len(own) > 1 and closed and opens >= _SHORTEST_SAYING and apart


def _in_row(reader: CitationReader, row: Sequence[MemoCitation], index: int, line: Span) -> list[MemoClaim]:
    """Return the cells on both sides of a citation in a row; those between two citations belong to the one behind."""
    citation = row[index]
    before = [c for c in row[:index] if c.start >= line.start]
    after = [c for c in row[index + 1 :] if c.end <= line.end]
    counted = None if before else _COUNTED.match(reader.form.text, line.start)
    low = before[-1].end if before else counted.end() if counted else line.start
    found = _in(reader, Span(min(low, citation.start), citation.start))
    return found if after and found else found + _in(reader, Span(citation.end, after[0].start if after else line.end))


def _parted(reader: CitationReader, row: Sequence[MemoCitation], index: int) -> int:
    """Return where the words of a citation end and those of the next begin; 0 where they are not to be parted.

    Only where both stand in one sentence, what the first proves behind it and what the next proves in front, do the words
    between them belong to both: they are parted at the last semicolon, else at the last comma.
    """
    text, end, start = reader.form.text, row[index].end, row[index + 1].start
    place = _place(reader, row, index + 1)
    words = text[end : start if place is None else max(end, place)]
    if end <= reader.sentence(start).start or words.lstrip().startswith(")") or place is None or place < 0:
        return 0
    if words.startswith((";", ",")) and ";" not in words[1:]:  # …第三十条,…(该条第二款); …,见第三条;…,见第四条
        return end + 1
    said = _POINTING.sub("", words)
    cut = said.rfind(";") if ";" in said else said.rfind(",")
    return end + cut + 1 if cut >= 0 else 0


def _is_introduction(words: str) -> bool:
    return (
        re.fullmatch(r"(?:的?规定|明确|要求|载明|指出|如下|原文|内容|为|,|\s|的)*:?\s*", words) is not None
        and ":" in words
    )


def _backward(reader: CitationReader, low: int, end: int) -> list[MemoClaim]:
    text = reader.form.text
    while end > low and text[end - 1] in " ,。;:-":
        end -= 1
    if end <= low:
        return []
    start = max(low, reader.sentence(end - 1).start)
    if low < start and (asked := _ASKED.search(text, max(low, reader.line(end - 1).start), start)):
        start = asked.start()  # 评估费谁出？由企业承担(第九条)
    quote = next((q for q in reader.quotes if q.start < end <= q.end and q.start >= low), None)
    return _in(reader, Span(min(start, quote.start) if quote else start, end))


def _in(reader: CitationReader, region: Span) -> list[MemoClaim]:
    """Return the quotations that begin in a region, and the words around them."""
    text = reader.form.text
    quotes = [
        q for q in reader.quotes
        if region.start <= q.start < region.end and q.end - q.start - 2 >= _SHORTEST_QUOTE
    ]  # fmt: skip
    quotes = [q for q in quotes if not any(o.start < q.start and q.end < o.end for o in quotes)]
    out = [MemoClaim(Span(q.start + 1, q.end - 1), quoted=True) for q in quotes]
    start = region.start
    for quote in [*quotes, Span(region.end, region.end)]:
        words = text[start : quote.start]
        opening = start in reader.breaks or start in (0, reader.sentence(start).start)
        for mark in (_NUMBERED, _BULLET) if opening else (_BULLET,):
            if number := mark.match(words):
                start, words = start + number.end(), words[number.end() :]
        begin = start + (words[:1] == "中" and plain_words(words[:4])[0] == "中")  # 第三条中规定, no 中型
        for pattern in (_SPEAKER, _ANSWERS, _SAYS):
            lead = pattern.match(text[begin : quote.start])
            begin += lead.end() if lead else 0
        end = max(begin, quote.start)
        if trailing := _TRAILS.search(text[begin:end]):
            end = begin + trailing.start()
        if end - begin >= _SHORTEST_SAYING:
            out.append(MemoClaim(Span(begin, end), quoted=False))
        start = max(start, quote.end)
    return sorted(out, key=lambda c: c.span)


def text_claims(reader: CitationReader, citation: MemoCitation, low: int, high: int) -> list[TextClaim]:
    """Return the days and authorities stated beside a title.

    Args:
        reader: Of the memo.
        citation: The title.
        low: End of the citation before it.
        high: Start of the citation after it.
    """
    text = reader.form.text
    sentence = reader.sentence(citation.start)
    start = max(low, sentence.start)
    cell = reader.row(citation) is not None and reader.memo.text[citation.span.start - 1 : citation.span.start] == "\n"
    before = "" if cell else text[start : citation.start].rstrip('"')  # of another cell nothing is its title's
    after = text[citation.end : max(citation.end, min(high, sentence.end))]
    found: list[TextClaim] = []
    for match, at in ((_DAY_AFTER.search(after), citation.end), (_DAY_BEFORE.search(before), start)):
        if match and (day := _day(match)):
            fact = "施行" if match["what"] in _BEGINS.split("|") else "公布"
            span = Span(at + match.start(), at + match.end())
            found.append(TextClaim(fact, span, day=day))
    for match, at in ((_BY_AFTER.search(after), citation.end), (_BY_BEFORE.search(before), start)):
        if match and not match["o"].startswith(("有关", "相关", "省级", "各级")):
            found.append(TextClaim("机关", Span(at + match.start("o"), at + match.end("o")), organ=match["o"]))
    return found


def day_spoken_of(reader: CitationReader, citation: MemoCitation) -> Day | None:
    """Return the day on which the memo says it applied the text (2023年5月申请时有效的), None where it says none."""
    sentence = reader.sentence(citation.start)
    match = _THEN.search(reader.form.text[sentence.start : citation.start])
    if match is None:
        year = _THAT_YEAR.search(reader.form.text[sentence.start : citation.start])
        return dt.date(int(year[1]), 12, 31) if year else None
    if day := _day(match):
        return day
    earlier = list(re.finditer(_DATE, reader.form.text[sentence.start : citation.start]))
    return _day(earlier[-1]) if earlier else None


def _day(match: re.Match[str]) -> Day | None:
    try:
        if match["iso"]:
            return dt.date.fromisoformat(match["iso"])
        return dt.date(int(match["y"]), int(match["m"]), int(match["d"])) if match["y"] else None
    except ValueError:
        return None
