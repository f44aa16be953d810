"""Every citation in a memo: titles, numbers, standards, short names and what points back to them (引用识别).

Works on the search form of ``nemo.text.words.normalise``; places are given back in the memo's own text. A contract's own
第三条, 本合同第五条, a title that names no rule (《购售电合同》) and what stands inside a quotation of what is cited are no citations.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from nemo.answer.question.titles import TitleFinder
from nemo.audit.memo import Memo
from nemo.text.law.addresses import address_at
from nemo.text.law.mentions import aliased_titles
from nemo.text.letter.titles import STANDARD, UNDATED, looks_like_title
from nemo.text.words.normalise import Normalised, normalise, title_key
from nemo.text.words.sentences import sentences
from nemo.types import AddressRange, Level, Span

_BOOK = re.compile(r"《((?:[^《》。]|《(?:[^《》。]|《[^《》。]*》)*》)+)》")
_DOCUMENT_NUMBER = r"[\u4e00-\u9fa5]{1,16}\[ ?(?:19|20)\d{2} ?\]第? ?\d{1,5} ?号"
_ORDER_NUMBER = r"[\u4e00-\u9fa5]{2,20}(?:令|公告)(?:\[?(?:19|20)\d{2}\]?年?)?第? ?(?:\d{1,4}|[一二三四五六七八九十百零〇]{1,6}) ?号"
_NUMBER = re.compile(f"{_DOCUMENT_NUMBER}|{_ORDER_NUMBER}")
_BEFORE_NUMBER = re.compile(
    r"^.*(?:根据|依据|依照|按照|参照|执行|违反|符合|适用|以及|文件|印发|发布|公布|见|和|与|及|或|按|据|由|对|将|在|即|的|为|以|是)(?=[\u4e00-\u9fa5]{2})"
)
_NOT_RULES = re.compile(
    r"(?:合同|协议书?|报告书?|说明书|承诺书|意见书|备忘录|许可证|证书|批复|申请书?|请示|表|台账|章程|图)$"
)
_KIND = "法律|法规|法|办法|条例|规定|细则|规则|通知|意见|文件|规程|规范|标准|导则|决定|公告|方案|要求|解释|指南|指引|纲要|规划|计划|目录"
_RELATIVE = re.compile(
    rf"(?P<lead>该|(?<![合不赞])同上?|此|上述|前述|前引|上引|上开|前列|上列)(?:一|部|项|份)?(?P<kind>{_KIND})(?!人|院|定代|[院律官师])"
)
_IMPLEMENTING = re.compile(
    r"(?<![\u4e00-\u9fa5》])(?:这是|即|见|而|按照?|根据|依据|违反)?(?P<name>实施(?P<kind>条例|细则|办法|规定))(?=第|\d)"
)
"""The rule of this kind that was cited before, by the end of its name."""
_INTERPRETATION = re.compile(
    r"(?<![\u4e00-\u9fa5])(?:根据|依据|按照?|依照|依|参照|违反|见)?(?!有关|相关|上述|前述|最高)(?P<name>[\u4e00-\u9fa5]{2,20}司法解释(?:\([一二三四五六]\))?)"
)
"""A short name of a judicial interpretation (施工合同司法解释(一))."""
_BOOKED_KIND = re.compile(rf"(?:实施)?(?:{_KIND})")
"""A title that is nothing but a kind of rule (《条例》): that cited before."""
_SHORT_NUMBER = re.compile(r"(?<![\d\]〕年第])(?P<kind>\d{1,5}号)文件?(?!件)")
"""The last part of a document number cited before (688号文)."""
_DITTO = re.compile(r"同[上前](?:条款?|款|注)?")
"""Of a footnote or a cell: what the one before it cites."""
_OWN_WORD = re.compile(r"本(?P<kind>法|办法|条例|规定|细则|规则|规程|规范|标准|导则)(?=第)")
_POINTER = re.compile(
    r"(?P<lead>同一?|该|前|上一?|前述|上述|本(?=[条款]第))(?P<unit>条(?![例件约文线款])|款(?!项)|项(?!目))(?P<also>规定)?"
)
_CONTRACT = re.compile(
    r"(?:本)?(?:合同|协议|备忘录|报告|意见书|意见|函|章程|招标文件|投标文件|方案|附件\d*|条款|公约|文本|约定|主合同|补充协议|复函|说明)[》\"]?(?:的|中|之)?$"
)
_OWN_ARTICLE = re.compile(
    r"(?m)^[ \t\u3000#*]*第[一二三四五六七八九十百零〇\d]+条(?:[ \t\u3000]|[:：](?![“「])|\*\*)\s*\S"
)
_LINK = re.compile(r"\)?(?:的|中的|之|中|在其|在|其|里|项下的?|下的)?")
_NOTE = re.compile(r"\((?P<in>(?:[^()]|\([^()]*\)){1,80})\)")
_DEFINES = re.compile(r"(?:以下|下文|下)?(?:合?简|统|并)?称(?:为)?")
_SHORT_NAME = re.compile(
    r"(?:以下|下文|下)?(?:合?简|统|并)?称(?:为)?[:]?[\"《]{0,2}(?P<a>[^\"《》()]{2,30})[》\"]{0,2}$"
)
_DOTTED = re.compile(
    r"第? ?(?P<n>\d{1,2}(?:\.\d{1,3}){1,4})(?: ?(?:条|款|节|项))?(?![\d.%]|[a-zA-Z万千百个倍度米吨元兆])"
)
_ARABIC_OR_HAN = r"(?:\d{1,3}|[一二三四五六七八九十百]{1,6})"
_DIRECT = re.compile(
    rf"{_ARABIC_OR_HAN} ?(?:[、,至和到-] ?{_ARABIC_OR_HAN} ?){{0,4}}条(?!意见|建议|措施|线|例|文|件|约|款|举措|红线|底线|内容|理由)"
)
"""An article's number right behind a title, without 第 (电力法71条)."""
_LOOSE = re.compile(
    rf"(?<=[,;:。(\s]){_ARABIC_OR_HAN} ?条(?=(?:第? ?{_ARABIC_OR_HAN} ?款|规定|明确|的?要求|对|按|也|则))"
)
"""An article's number that stands alone without 第 (七十七条二款)."""
_OUTLINE = re.compile(
    r"第?(?P<a>[一二三四五六七八九十]{1,3})(?:、|部分|大?点|条)?的?第? ?\((?P<b>[一二三四五六七八九十]{1,3})\)(?:项|款|点|部分)?"
    r"(?:第? ?(?P<c>\d{1,2})(?:\.(?!\d)|、|项|点|目))?"
)
_BRACKETED = re.compile(r"第? ?\((?P<b>[一二三四五六七八九十]{1,3})\)(?:条|款|项|点|部分)?")
_GOES_ON = re.compile("(?![的这此该即为是系之等见载规参出])[\u4e00-\u9fa5]")
"""Behind a quotation with its own full stop: another sentence."""
_HEADLINE = re.compile(r"(?m)(?:\A|(?<=[。：:；;）)]\n)|(?<=\n\n))(?:[^\n，。；：:;,、]{2,34}\n){1,3}")
"""Lines of a print without a mark of punctuation, shorter than a full line, behind a closed one: a heading or a running head."""
_ANSWERED = re.compile(r"(?:\([^()]{1,20}\))?(?:均?已|业已)?(?:收悉|悉)(?=[,。])")
"""Behind the title of a letter that is answered: it is no rule."""
_BARE_KIND = re.compile(
    r"(?:(?<![\u4e00-\u9fa5》])|(?<=[见依按据照合反是]))(?P<kind>(?:暂行)?(?:条例|办法|细则|规程|导则)|暂行规定)(?=第|\d{1,3} ?条)"
)
_VERB_BEFORE_KIND = re.compile(r"[报依按照据由应要须经向对将给反见查是到在从即和与及以]\w{2}$|\([^()]*$")
"""What looks like a name is the end of a sentence with 条例 for what was cited before (报条例第三十八条)."""
_ENDED = re.compile(
    r"(?:已(?:被|经)?(?:废止|失效|修订|修改)|[当彼届]时(?:有效|施行|适用)|原|旧[版法]?|修订前的?|废止前的?|现已失效的)$"
)
_ENDED_AFTER = re.compile(r"\(?(?:现)?(?:已|业已)(?:被|经|于[^,。]{2,20}|自[^,。]{2,20}起)?(?:废止|失效)")
_NOW = re.compile("^(?:这是|即|见)?(?:现行有效的|现行的?|目前的?|新修订的?|最新的?)")
_OWN_NAME = re.compile(
    r"^(?:本|该|此|上述|前述|同|我)|(?:合同|协议)(?!法)|^(?!.*关于).*的(?:规定|要求|决定|标准|意见)$"
)
_PARTS = frozenset("条款项")
_KINDS = {"法律": "法", "法规": "文件"}
_LEVELS = (
    Level.ARTICLE,
    Level.PARAGRAPH,
    Level.ITEM,
    Level.SUBITEM,
    Level.ANNEX,
    Level.CHAPTER,
    Level.SECTION,
    Level.OUTLINE,
)


@dataclass(frozen=True, slots=True)
class MemoCitation:
    """One citation as the memo writes it; spans are of the memo's text, ``start`` and ``end`` of its search form."""

    span: Span
    start: int
    end: int
    title: str = ""
    """Empty where only a number or a pointer stands."""
    number: str | None = None
    ids: tuple[str, ...] = ()
    """Held versions where the name alone found them."""
    kind: str = ""
    """法, 办法, 文件 … of a citation that points back (该办法); 条, 款, 项 of 同条, 前款."""
    own: bool = False
    """Stands without a head (第七条): belongs to what was cited before."""
    asked: tuple[AddressRange, ...] = ()
    path: str = ""
    """Label of a dotted clause or an outline (5.2.1, 三-二)."""
    year: int | None = None
    """Of the version, where the memo names one."""
    ended: bool = False
    """The memo itself says that the text is no longer law."""


@dataclass
class CitationReader:
    """Reads one memo."""

    memo: Memo
    names: TitleFinder
    numbers: Sequence[str]
    """Held document numbers in their search form, longest first."""
    form: Normalised = field(init=False)
    breaks: list[int] = field(init=False)
    """Where a line of the memo ends, in the search form."""
    aliases: Mapping[str, list[str]] = field(init=False)
    quotes: list[Span] = field(init=False)
    """Quotations in the search form, with their marks."""
    unread: set[Span] = field(init=False, default_factory=set)
    """Quotations with citations in them that :meth:`citations` took for words of another text."""

    def __post_init__(self) -> None:
        self.form = normalise(self.memo.text)
        self.breaks = sorted({bisect_left(self.form.offsets, o) for o in self._line_ends()})
        self.aliases = {normalise(k).text: v for k, v in aliased_titles(self.memo.text).items()} | self._short_names()
        self.quotes = list(self._quotes(Span(0, len(self.memo.text))))

    def _short_names(self) -> dict[str, list[str]]:
        """Return short names that stand in one bracket with a number: （国家能源局令第9号，以下简称《办法》）."""
        found: dict[str, list[str]] = {}
        for match in _BOOK.finditer(self.form.text):
            end = match.end()
            while note := _NOTE.match(self.form.text, end):
                if named := _SHORT_NAME.search(note["in"]):
                    found.setdefault(named["a"].strip(), [match[1].strip()])
                end = note.end()
        for match in re.finditer(r"《(?P<a>[^《》]{2,30})》\(即《(?P<b>[^《》]{4,80})》\)", self.form.text):
            found[match["a"]] = [match["b"]]
        return found

    def _line_ends(self) -> Iterable[int]:
        text = self.memo.text
        if not self.memo.printed:
            inner = {at for row in self.memo.rows for at in range(row.start, row.end)}
            return (m.start() for m in re.finditer("\n", text) if m.start() not in inner)
        ends = {s.end for s in sentences(text, Span(0, len(text))) if text[s.end - 1 : s.end] not in "。！？!?"}
        return sorted(ends | {m.end() for m in _HEADLINE.finditer(text)})

    def _quotes(self, within: Span) -> Iterator[Span]:
        text = self.memo.text
        pattern = r"“(?:[^“”]|“[^“”]*”)*”|「[^「」]*」|『[^『』]*』|\"[^\"\n]*\""
        for match in re.compile(pattern).finditer(text, within.start, within.end):
            yield Span(bisect_left(self.form.offsets, match.start()), bisect_left(self.form.offsets, match.end()))

    def release(self, judged: Iterable[Span]) -> bool:
        """Take quotations that no citation speaks for as words of the memo; tell whether citations are to be read again.

        Args:
            judged: The quoted claims of the citations read so far, in the search form, without their marks.
        """
        if not self.unread:
            return False
        starts = {span.start - 1 for span in judged}
        free = [q for q in self.unread if q.start not in starts]
        inner = [i for q in map(self.form.original, free) for i in self._quotes(Span(q.start + 1, q.end - 1))]
        self.quotes = sorted([q for q in self.quotes if q not in free] + inner)
        self.unread.clear()
        return bool(free)

    def sentence(self, at: int) -> Span:
        """Return the sentence of the search form around a place; a stop inside a quotation ends none."""
        text = self.form.text
        low, end = self.line(at)
        start = low
        for match in re.finditer("[。!?]", text[low:end]):
            place = low + match.start()
            around = next((q for q in self.quotes if q.start < place < q.end - 1), None)
            if around and not (place == around.end - 2 and _GOES_ON.match(text, around.end)):
                continue
            place = around.end - 1 if around else place
            if place >= at:
                end = place + 1
                break
            start = max(start, place + 1)
        return Span(start, end)

    def row(self, citation: MemoCitation) -> Span | None:
        """Return the row of a table around a citation, in the search form; None outside tables."""
        line = self.line(citation.start)
        if any(row.contains(citation.span) for row in self.memo.rows) or self.form.text[line.start : line.end][
            :2
        ].strip().startswith("|"):
            return line
        return None

    def note(self, citation: MemoCitation) -> tuple[Span, Span] | None:
        """Return the note around a citation, and the words of the text in front of its mark, in the search form."""
        calls = self.memo.notes
        found = next(((span, at) for span, at in calls if span.contains(citation.span)), None)
        if found is None:
            return None
        span, end = (self._place(found[0].start, found[0].end), bisect_left(self.form.offsets, found[1]))
        before = [bisect_left(self.form.offsets, at) for _, at in calls if at < found[1]]
        start = (
            max(self.sentence(max(0, end - 1)).start, *before, 0) if before else self.sentence(max(0, end - 1)).start
        )
        return span, Span(min(start, end), end)

    def _place(self, start: int, end: int) -> Span:
        return Span(bisect_left(self.form.offsets, start), bisect_left(self.form.offsets, end))

    def line(self, at: int) -> Span:
        """Return the line of the search form around a place."""
        index = bisect_right(self.breaks, at)
        start = self.breaks[index - 1] if index else 0
        end = self.breaks[index] if index < len(self.breaks) else len(self.form.text)
        return Span(start, end)

    def citations(self) -> list[MemoCitation]:
        """Return every citation in text order, not overlapping."""
        heads: list[MemoCitation] = []
        for found in (
            self._titles(),
            self._numbered(),
            self._standards(),
            self._aliased(),
            self._relative(),
            self._named(),
            self._interpretations(),
        ):
            heads += [c for c in found if not _taken(c, heads) and not self._quoted(c)]
        whole: list[MemoCitation] = []
        for head in sorted(heads, key=lambda c: c.start):
            if whole and head.start < whole[-1].end:
                continue
            whole.append(self._with_address(head))
        bare = [c for c in self._bare(whole) if not _taken(c, whole) and not self._quoted(c)]
        return [c for c in sorted([*whole, *bare], key=lambda c: c.start) if not self._defines(c)]

    def _at(self, start: int, end: int, **facts: object) -> MemoCitation:
        return MemoCitation(self.form.original(Span(start, end)), start, end, **facts)  # type: ignore[arg-type]

    def _quoted(self, citation: MemoCitation) -> bool:
        """Tell whether a citation stands inside a longer quotation: words of another text."""
        around = {
            q
            for q in self.quotes
            if q.start < citation.start and citation.end < q.end and q.end - q.start > citation.end - citation.start + 8
        }
        self.unread |= around
        return bool(around)

    def _defines(self, citation: MemoCitation) -> bool:
        """Tell whether this is the short name in （以下简称《办法》）."""
        before = self.form.text[max(0, citation.start - 12) : citation.start].rstrip("\"《'“")
        return bool(re.search(r"\((?:以下|下文|下)?(?:合?简|统|并)?称(?:为)?$", before))

    # --- heads

    def _titles(self) -> Iterator[MemoCitation]:
        for match in _BOOK.finditer(self.form.text):
            title = match[1].strip()
            if _ANSWERED.match(self.form.text, match.end()):
                continue
            full = self.aliases.get(title)
            if full is None and _BOOKED_KIND.fullmatch(title):
                yield self._at(*match.span(), kind=title)
                continue
            ids = self.names.ids(title_key(title))
            known = bool(full or ids)
            follows = address_at(self.form.text, _LINK.match(self.form.text, match.end()).end())  # type: ignore[union-attr]
            rule = looks_like_title(title) and not _NOT_RULES.search(re.sub(r"\([^()]*\)$", "", title))
            if known or rule or (follows and follows.marked and not _NOT_RULES.search(title)):
                year = None if full else _year_in(title)
                yield self._with_notes(self._at(*match.span(), title=full[0] if full else title, year=year))

    def _with_notes(self, head: MemoCitation) -> MemoCitation:
        """Take in the brackets after a title: a number, a year, a short name."""
        end, number, year = head.end, head.number, head.year
        while note := _NOTE.match(self.form.text, end):
            inner = note["in"]
            found = self._number_in(inner) or _standard(inner)
            defines = _DEFINES.search(inner)
            dated = re.fullmatch(r"[^,;]{0,6}(?:19|20)\d{2}(?:年|-)?[^,;]{0,16}", inner)
            if not (found or defines or dated):
                break
            number = number or found
            year = year or (_year_in(inner) if not found and not defines else None)
            end = note.end()
        direct = _NUMBER.match(self.form.text, end)
        if direct and number is None:
            number, end = direct[0], direct.end()
        before = self.form.text[max(0, head.start - 16) : head.start]
        if year is None and (
            dated := re.search(r"((?:19|20)\d{2})年?(?:版|修订|修正|施行|公布|发布|印发)?的?$", before)
        ):
            year = int(dated[1])
        ended = bool(_ENDED.search(before.rstrip("的"))) or bool(_ENDED_AFTER.match(self.form.text, end))
        return replace(
            head, end=end, span=self.form.original(Span(head.start, end)), number=number, year=year, ended=ended
        )

    def _number_in(self, words: str) -> str | None:
        held = next((n for n in self.numbers if n in words), None)
        match = _NUMBER.search(words)
        return held or (_BEFORE_NUMBER.sub("", match[0]) if match else None)

    def _numbered(self) -> Iterator[MemoCitation]:
        text = self.form.text
        for match in _NUMBER.finditer(text):
            held = next((n for n in self.numbers if match[0].endswith(n)), None)
            number = held or _BEFORE_NUMBER.sub("", match[0], count=1)
            yield self._at(match.end() - len(number), match.end(), number=number)
        for number in self.numbers:
            for match in re.finditer(re.escape(number), text):
                yield self._at(*match.span(), number=number)

    def _standards(self) -> Iterator[MemoCitation]:
        for match in [*STANDARD.finditer(self.form.text), *UNDATED.finditer(self.form.text)]:
            yield self._at(*match.span(), number=" ".join(match[0].split()))

    def _aliased(self) -> Iterator[MemoCitation]:
        for name, full in sorted(self.aliases.items(), key=lambda pair: -len(pair[0])):
            if len(name) < 2:
                continue
            for match in re.finditer(re.escape(name), self.form.text):
                if self.form.text[max(0, match.start() - 1) : match.start()] not in ("本", "该", "各"):
                    yield self._at(*match.span(), title=full[0])

    def _named(self) -> Iterator[MemoCitation]:
        start = 0
        for end in [*self.breaks, len(self.form.text)]:
            for name in self.names.find(self.form.text[start:end]):
                span = name.span.shift(start)
                link = _LINK.match(self.form.text, span.end)
                follows = address_at(self.form.text, link.end()) if link else None
                cited_by = re.search(
                    r"(?:根据|依据|按照|依照|违反|适用|遵守|符合)(?:了|的)?$", self.form.text[: span.start][-6:]
                )
                cites = (name.certain and name.ids) or (follows and follows.marked) or (name.ids and cited_by)
                words = span.of(self.form.text)
                if now := _NOW.match(words):
                    span, words = Span(span.start + now.end(), span.end), words[now.end() :]
                law_at_large = words.endswith("法") and re.match("律|规(?!定)", self.form.text[span.end :][:2])
                unheard = not name.ids and _VERB_BEFORE_KIND.search(words)
                if cites and not (law_at_large or unheard or re.search("[《、]", words) or _OWN_NAME.search(words)):
                    yield self._with_notes(self._at(*span, title=_NOW.sub("", name.title), ids=name.ids))
            start = end

    def _interpretations(self) -> Iterator[MemoCitation]:
        """Yield judicial interpretations by a short name without marks, with an article behind it."""
        for match in _INTERPRETATION.finditer(self.form.text):
            if (follows := address_at(self.form.text, match.end())) and follows.marked:
                yield self._with_notes(self._at(*match.span("name"), title=match["name"]))

    def _relative(self) -> Iterator[MemoCitation]:
        text = self.form.text
        for match in [*_RELATIVE.finditer(text), *_OWN_WORD.finditer(text), *_SHORT_NUMBER.finditer(text)]:
            yield self._at(*match.span(), kind=_KINDS.get(match["kind"], match["kind"]))
        for match in _IMPLEMENTING.finditer(text):
            yield self._at(*match.span("name"), kind=match["name"])
        for match in _BARE_KIND.finditer(text):
            yield self._at(*match.span("kind"), kind=match["kind"])
        for match in _DITTO.finditer(text):
            opens = match.start() in {0, *self.breaks} or text[match.start() - 1] in "|[](): "
            if opens and (match.end() in {len(text), *self.breaks} or text[match.end()] in "|。;)"):
                yield self._at(*match.span(), kind="上")
        for match in _POINTER.finditer(self.form.text):
            if match["lead"] in ("前", "上", "上一", "同", "同一") or match["unit"] != "项":
                end = match.end("unit")
                yield self._at(match.start(), end, kind=match["unit"])

    # --- addresses

    def _with_address(self, head: MemoCitation) -> MemoCitation:
        if head.end in self.breaks:
            return head
        link = _LINK.match(self.form.text, head.end)
        at = link.end() if link else head.end
        found = address_at(self.form.text, at)
        line_end = self.line(max(head.start, head.end - 1)).end
        direct = found is not None and (found.marked or (head.kind not in _PARTS and _DIRECT.match(self.form.text, at)))
        if found is not None and direct and at < line_end:
            asked = tuple(r for r in found.asked if _counts(r))
            if asked:
                alone = _BRACKETED.match(self.form.text, at)
                path = f"({alone['b']})" if alone and alone.end() == found.end else ""
                return self._ended_at(head, found.end, asked=asked, path=path)
        for pattern in (_DOTTED, _OUTLINE):
            match = pattern.match(self.form.text, at) if not head.kind or head.kind not in "条款项" else None
            if match and at < line_end:
                path = match["n"] if pattern is _DOTTED else "-".join(filter(None, match.groups()))
                return self._ended_at(head, match.end(), path=path)
        return head

    def _ended_at(self, head: MemoCitation, end: int, **facts: object) -> MemoCitation:
        while self.form.text[end - 1] in " ,、":
            end -= 1
        return replace(head, end=end, span=self.form.original(Span(head.start, end)), **facts)  # type: ignore[arg-type]

    def _bare(self, heads: Sequence[MemoCitation]) -> Iterator[MemoCitation]:
        """Yield articles without a head (第七条规定): of what was cited before, unless the memo has articles of its own."""
        own = [address_at(normalise(m[0].strip("#* \t\u3000")).text, 0) for m in _OWN_ARTICLE.finditer(self.memo.text)]
        has_own, last = len(own) > 1, max((_number(a.asked) for a in own if a), default=0)
        loose = {m.start() for m in _LOOSE.finditer(self.form.text)} if heads else set()
        end = 0
        for position in sorted(loose | {m.start() for m in re.finditer("第", self.form.text)}):
            if position < end:
                continue
            found = address_at(self.form.text, position)
            end = found.end if found else position + 1
            if found and _is_part(found.asked) and self._continues(position, heads):
                yield self._ended_at(self._at(position, end, kind="条"), end, asked=found.asked)
            elif (
                found
                and _is_article(found.asked)
                and self._belongs(position, heads, has_own, _number(found.asked) > last)
            ):
                yield self._ended_at(self._at(position, end, own=True), end, asked=found.asked)

    def _continues(self, at: int, heads: Sequence[MemoCitation]) -> bool:
        """Tell whether a bare 第二款 follows a citation of its sentence, or behind a pause one of its paragraph."""
        near = self.line(at) if self.form.text[at - 1 : at] in (",", "(", ";") else self.sentence(at)
        return any(near.start <= h.start and h.end <= at and h.asked for h in heads)

    def _belongs(self, at: int, heads: Sequence[MemoCitation], has_own: bool, beyond: bool) -> bool:
        """Tell whether an article without a head is of what was cited before; ``beyond`` the last of the memo's own."""
        before = self.form.text[self.line(at).start : at]
        sentence = self.sentence(at)
        listed = re.search(r"(?<!照)本(?:合同|协议|函|报告)第[^,。;]*,?[^。;]*$", self.form.text[sentence.start : at])
        if _CONTRACT.search(before) or listed or (not before.strip() and has_own):
            return False
        near = [h for h in heads if h.end <= at and h.start >= (sentence.start if has_own and not beyond else 0)]
        return bool(near)


def _is_part(asked: Sequence[AddressRange]) -> bool:
    return all(r.first.steps[0].level in (Level.PARAGRAPH, Level.ITEM) and r.first.steps[0].number > 0 for r in asked)


def _taken(citation: MemoCitation, others: Sequence[MemoCitation]) -> bool:
    return any(c.start < citation.end and citation.start < c.end for c in others)


def _year_in(words: str) -> int | None:
    match = re.search(r"((?:19|20)\d{2})年?(?:版|修订|修正|修改|施行|公布|发布|印发|年)?", words)
    return int(match[1]) if match and re.search(r"年|版|修|^\s*\d{4}\s*$|-", words) else None


def _standard(words: str) -> str | None:
    match = STANDARD.search(words)
    return " ".join(match[0].split()) if match else None


def _counts(asked: AddressRange) -> bool:
    first = asked.first.steps[0]
    return first.level in _LEVELS and (first.number != 0 or first.level is Level.ANNEX)


def _number(asked: Sequence[AddressRange]) -> int:
    return max((r.first.steps[0].number for r in asked), default=0)


def _is_article(asked: Sequence[AddressRange]) -> bool:
    firsts = [r.first.steps for r in asked]
    outline = all(steps[0].level is Level.OUTLINE and len(steps) > 1 for steps in firsts)  # 第二部分第(一)项
    return outline or all(steps[0].level is Level.ARTICLE and steps[0].number > 0 for steps in firsts)
