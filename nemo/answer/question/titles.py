"""Names of regulations in a question, held or known not to be held (法规名称识别)."""

from __future__ import annotations

import copy
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nemo.text.law.addresses import address_at
from nemo.text.words.normalise import title_key
from nemo.types import Span

QUOTED = re.compile(r"《([^《》]{2,80})》")

TITLE_END = (
    "管理暂行办法|管理办法|暂行办法|实施办法|监管办法|管理条例|暂行条例|实施条例|条例|管理规定|暂行规定|若干规定|实施细则|"
    "管理细则|交易规则|基本规则|营业规则|管理规则|技术规定|技术规范|技术导则|实施方案|行动方案|工作方案|实施意见|指导意见"
)
UNQUOTED = re.compile(rf"[\u4e00-\u9fa5、（）()]{{2,40}}?(?:{TITLE_END})(?![\u4e00-\u9fa5]{{0,2}}[制起]定)")
"""A phrase built like a title, without its brackets."""

HALF = re.compile(
    r"[\u4e00-\u9fa50-9A-Za-z“”]{4,40}?(?P<end>征求意见稿|草案|细则|规则|方案|规划|指引|指南|意见|通知|解释|批复|复函|目录)"
)
"""A phrase that ends like a title and may be a part of one."""
TAIL = re.compile(r"[\u4e00-\u9fa50-9A-Za-z“”]{4,40}(?:条例|办法|规定|细则|规则)")
"""A phrase that may be a title without the place it opens with."""
HALF_LEAST = 10
"""Characters of it; a shorter one fits too many titles."""

SHORT_END = re.compile(r"(?<![办方违依合执司立宪守枉设作做看手用])法|条例|办法|规定")
"""Where a short name may end; 办法, 违法 and the like are no names ending in 法."""
SHORTEST, LONGEST = 2, 6
"""Characters of a short name before its end."""
OF_A_VERSION = re.compile(r"[新旧老]$")
"""Before a law of which several versions are held one character names it (老矿法)."""

NOT_NAMED = re.compile("^.*(?:[本该此这那新老旧原]|上述|前述|现行|相关|有关|国家|省里|地方)")
"""Words before 法 or 办法 that name no text."""

CUE = r"(?=(?:里面?|中|当中|上)?的?(?:第[一二三四五六七八九十百\d]+[条章]|对|怎么|如何|规定|要求|适用|明确|里|中|说|何时|什么时候|还有效|施行|主要内容))"
KIND_END = re.compile(r"(?:条例|办法|规定|细则|规则|规范|规程|导则|准则|方案|意见)$")
SAID_OF = re.compile(
    rf"[\u4e00-\u9fa5A-Za-z0-9“”]{{3,30}}?(?:条例|办法|细则|规则|规范|规程|导则|准则)(?:[（(][^（）()]{{2,6}}[）)])?{CUE}"
)
"""A phrase that ends like a title and is asked for what it says (甲乙办法对…怎么要求)."""
NO_NAME = re.compile("[本该此这那]|上述|前述|现行|相关|有关|国家|省里|地方")
"""Opens a phrase that names no text."""
GENERAL = re.compile(
    r"(?:管理|实施|具体|相关|有关|国家|地方|行业|企业|部门|现行|配套|技术|安全|交易|市场|电力|能源|工作|这个|那个|哪个|新|旧|的)*"
)
"""What says of no text which it is."""
LEAST_SAID_OF = 5
KIN = "(?:细则|规则|办法|规范|规程|导则|准则)"
"""Kinds of rules below the statutes that people take for one another (中长期规则 for 中长期市场实施细则)."""
MOST_MEANT = 3
"""A name that fits more held texts than this names none; with the number of an article it must fit one."""
MOST_OF = 0.4
"""Share of a held title's characters that a name must keep which leaves out its beginning too."""

INTERPRETATION = re.compile(r"(?P<matter>[\u4e00-\u9fa5]{4,12}?)(?:司法)?解释")
"""A judicial interpretation by its matter (施工合同解释); its title opens with the court and ends with 适用法律问题的解释."""
MATTER_LEAST = 4

LOCAL_END = re.compile("(?:条例|办法|规定|细则|规则)$")
"""Ends of titles that a province may give a text of its own; a law (法) is national."""
BETWEEN_LONGEST = 4
"""Characters between a place and a short name that are a part of one longer name."""
PLACED = "[\u4e00-\u9fa5]{2,4}(?:省|自治区|市|经济特区)"
CITY_BEFORE = re.compile(r"[\u4e00-\u9fa5]{2,4}(?:省|自治区|市)$")

IMPLEMENTING = re.compile(r"实施(?P<kind>条例|细则|办法|规定)")
CARRYING_OUT = re.compile(
    r"实施《(?P<law>[^《》]{2,40})》(?P<kind>(?:的?若干)?(?:条例|细则|办法|规定(?!的)))|实施(?P<law_>[^《》，。；：？的]{2,24}?法)(?P<kind_>条例|细则|办法|若干规定)"
)
"""A rule that carries out a law, by its own title (甲省实施《乙法》办法): its law is not the text that is meant."""

STANDS = re.compile(
    r"(?:现在|目前|今天|如今)?(?:还|仍|是否|是不是|有没有|已经?|什么时候|何时|哪一?[天年])*(?:有效|失效|作废|废止|被(?:什么|谁|哪部)?[^,。?]{0,6}(?:废止|取代|替代))"
)
"""Asks of a text whether it stands: a name before it is one even where nobody knows it (物权法还有效吗)."""

NO_TITLE = re.compile(
    r"[一二两三四五六几多]个|要不要|是不是|算不算|能不能|可不可以|怎么|如何|什么|哪|[那这][部个条]|谁|吗|也|(?<![成首])都(?!市)|自己|要受|(?:修订|制定|编制|执行|遵守)(?:技术|管理|实施)"
)
"""Words no title holds: the phrase is part of the question."""

TWO = 2
"""Characters of the shortest names (水法, 刑法): they are names only where no longer word holds them."""
WORDS, LAW = 4, "法典令"
"""So many characters a name has that does not end in one of these; fewer are any word of the field."""
APART = r"^|[^\u4e00-\u9fa5]|共和国|[年月日条款项章节按据照和与在由看查反依从于及或的新旧原现跟把问即读说指对了到过至被]|违反|适用|根据|引用|现行|请问|国家"
BEFORE_TWO = re.compile(f"(?:{APART})$")
BEFORE_SHORT = re.compile(f"(?:{APART}|[用是给将比中里为以守行叫讲学有么让老])$")
"""What may stand before a short name of a law; another word may make it the tail of another law's (道路交通+安全法)."""
AFTER_TWO = re.compile(r"(?![律院官定治人学庭则理令案医师兰]|典(?!第)|规(?!定)|制(?![定订]))")

TWO_LAW = re.compile("[^本该此这那新老旧原办方违依合执司立守枉设作做看手用国\\W\\da-zA-Z]法(?=第)")

NOTHING: Mapping[str, str] = {}

LEADING = re.compile(
    r"^.*(?:根据|按照|依照|依据|按|据|请问|请引用|引用|查询|查一下|看看|违反|关于|适用|对照|比较|对比|里的|中的|的|属于|，|。|、(?=国家|省)|在|与|和|由|把|从|问)"
)
"""Words before a title that are not part of it; greedy, so that the last one counts."""


DATED = re.compile(r"(?:\d{4}年(?:版的?|时)?)?(?:\d{1,2}月)?(?:\d{1,2}日时?)?")


@dataclass(frozen=True, slots=True)
class TitleMention:
    """A regulation's name found in a question."""

    span: Span
    title: str
    ids: tuple[str, ...]
    certain: bool
    """Written in 《》 or known by name; False for a phrase that is only built like a title."""


class TitleFinder:
    """Finds names of regulations in a question, held or known not to be held (法规名称识别)."""

    def __init__(
        self,
        held: Iterable[tuple[str, Sequence[str]]],
        known: Iterable[str],
        full: Mapping[str, str] = NOTHING,
        places: Iterable[str] = (),
    ) -> None:
        """Build the look-up of pairs (regulation id, its names: title, short title, aliases), newest version first.

        Names that are ``known`` exist in the world but need not be held; they keep 合同法 from being found in
        劳动合同法. ``full`` holds full titles of short names, ``places`` names of provinces, as titles open with them.
        """
        self._places = sorted(places, key=len, reverse=True)
        self._titles: dict[str, str] = {}
        self._full = {title_key(short): title for short, title in full.items()}
        self._unheld = frozenset(key for name in known if len(key := title_key(name)) >= TWO)
        ids: dict[str, list[str]] = {name: [] for name in self._unheld}
        for regulation_id, names in held:
            self._titles[regulation_id] = title_key(names[0])
            for name in _names(names):
                ids.setdefault(name, []).append(regulation_id)
        self._ids: dict[str, tuple[str, ...]] = {name: tuple(found) for name, found in ids.items()}
        by_start: dict[str, list[str]] = defaultdict(list)
        for name in sorted(ids, key=len, reverse=True):
            by_start[name[:2]].append(name)
        self._by_start = dict(by_start)

    def changed(
        self, gone: Mapping[str, Sequence[str]], new: Mapping[str, Sequence[str]], place: Callable[[str], Any]
    ) -> TitleFinder:
        """Return the look-up after some texts went and others came: the same as one built of all of them.

        ``gone`` and ``new`` are names by id; the greatest ``place`` of an id is the newest version.
        """
        made = copy.copy(self)
        made._ids, made._by_start = dict(self._ids), dict(self._by_start)
        made._titles = {i: key for i, key in self._titles.items() if i not in gone}
        made._titles.update({i: title_key(names[0]) for i, names in new.items()})
        touched: dict[str, set[str]] = {}
        for i, names in gone.items():
            for name in _names(names):
                touched.setdefault(name, set(self._ids[name])).discard(i)
        for i, names in new.items():
            for name in _names(names):
                touched.setdefault(name, set(self._ids.get(name, ()))).add(i)
        for name, ids in touched.items():
            made._put(name, tuple(sorted(ids, key=place, reverse=True)))
        return made

    def _put(self, name: str, ids: tuple[str, ...]) -> None:
        before = self._by_start.get(name[:2], [])
        if ids or name in self._unheld:
            self._ids[name] = ids
            if name not in before:
                self._by_start[name[:2]] = sorted((*before, name), key=len, reverse=True)
        else:
            self._ids.pop(name, None)
            self._by_start[name[:2]] = [each for each in before if each != name]

    def bears(self, word: str) -> bool:
        """Tell whether the title of a held regulation contains ``word``."""
        return any(word in title for title in self._titles.values())

    def find(self, text: str) -> list[TitleMention]:
        """Return the names in ``text`` from left to right, not overlapping; the longest wins."""
        found = self._carrying_out(text)
        quoted = [self._quoted(m) for m in QUOTED.finditer(text)]
        found += [name for name in quoted if not any(name.span.overlaps(other.span) for other in found)]
        position = 0
        while position < len(text) - 1:
            taken = next((n.span.end for n in found if n.span.start <= position < n.span.end), None)
            if taken is not None:
                position = taken
                continue
            name = next(
                (n for n in self._by_start.get(text[position : position + 2], ()) if _here(text, position, n)), ""
            )
            if name:
                found.append(self._known(text, position, name))
            position += len(name) or 1
        found += self._title_like(text, found)
        found += self._half(text, found)
        found += self._interpretations(text, found)
        found += self._short(text, found)
        found += self._said_of(text, found)
        found += _two_unheard(text, found)
        return sorted(found, key=lambda n: n.span.start)

    def _known(self, text: str, start: int, name: str) -> TitleMention:
        """Return a known name; the rule that implements it (招投标法实施条例) is a regulation of its own."""
        end = start + len(name)
        if place := self._place_before(text, start, name):
            key = title_key(title := place + name)
            return TitleMention(Span(start - len(place), end), title, self.ids(key) or self._abridged(key), True)
        if follows := IMPLEMENTING.match(text, end):
            full = title_key(self._full.get(name, name))
            if place := self._place_of(text, start):
                at = text.rindex(place, 0, start)
                ids = self._implementing(place, full, follows["kind"])
                return TitleMention(Span(at, follows.end()), f"{place}{full}{follows.group()}", ids, True)
            return TitleMention(
                Span(start, follows.end()), full + follows.group(), self.ids(full + follows.group()), True
            )
        return TitleMention(Span(start, end), name, self._exact(name), True)

    def _carrying_out(self, text: str) -> list[TitleMention]:
        """Return the rules of places that carry out a law, named by their own titles; not held where none is."""
        out = []
        for match in CARRYING_OUT.finditer(text):
            place, law = self._place_of(text, match.start()), title_key(match["law"] or match["law_"])
            if place:
                start = text.rindex(place, 0, match.start())
                full = title_key(self._full.get(law, law))
                ids = self._implementing(place, full, (match["kind"] or match["kind_"]).removeprefix("的"))
                out.append(TitleMention(Span(start, match.end()), text[start : match.end()], ids, True))
        return out

    def _place_of(self, text: str, end: int) -> str:
        """Return the place that stands right before ``end``, with 的 between at most; else nothing."""
        before = text[:end].removesuffix("的")
        place = next((p for p in self._places if before.endswith(p)), "")
        return place or (city.group() if (city := CITY_BEFORE.search(before)) else "")

    def _implementing(self, place: str, law: str, kind: str) -> tuple[str, ...]:
        """Return the held versions of the rule by which a place carries out a law (甲省实施《乙法》办法, 甲省乙法实施办法)."""
        law = re.escape(law.removeprefix("中华人民共和国"))
        wanted = re.compile(
            f"{place[:2]}.{{0,8}}?(?:实施(?:中华人民共和国)?{law}的?{kind}|{law}实施{kind})(?:[（(].*)?$"
        )
        works = {self._ids[n] for n in self._by_start.get(place[:2], ()) if self._ids[n] and wanted.match(n)}
        return tuple(dict.fromkeys(i for ids in works for i in ids)) if len(works) == 1 else ()

    def _place_before(self, text: str, start: int, name: str) -> str:
        """Return the place before a name that makes it another text: 广东省供用电条例 is not 供用电条例; else nothing.

        With the words between where the name is but a short one (甲省电网设施保护条例 by 设施保护条例).
        """
        if not LOCAL_END.search(name):
            return ""
        if name not in {key for i in self._ids[name] for key in _keys(self._titles[i])}:
            for at in range(start - 1, max(0, start - BETWEEN_LONGEST) - 1, -1):
                between = text[at:start]
                place = next((p for p in self._places if text.endswith(p, 0, at)), "")
                if place and between.isalpha() and LEADING.search(between) is None:
                    return place + between
        place = next((p for p in self._places if text.endswith(p, 0, start)), "")
        if not place and (city := CITY_BEFORE.search(text, 0, start)):
            place = city.group()
        own = any(self._titles[i].startswith(place[:2]) for i in self._ids[name])
        return "" if own else place

    def _quoted(self, match: re.Match[str]) -> TitleMention:
        key = title_key(match.group(1))
        return TitleMention(Span(*match.span()), match.group(1), self.ids(key), True)

    def ids(self, key: str) -> tuple[str, ...]:
        """Return the held versions of a name; one without its place (《X条例》 for 广东省X条例) or with its issuer finds them too."""
        if key in self._ids:
            return self._exact(key)
        if (about := key.find("关于")) > 0 and (ids := self._ids.get(key[about:])):
            return ids
        tails = [name for name, ids in self._ids.items() if ids and len(key) >= 4 and name.endswith(key)]
        return tuple(i for name in tails for i in self._ids[name]) if len(tails) == 1 else ()

    def _exact(self, key: str) -> tuple[str, ...]:
        """Return the versions of a known name; a text of this very title wins over one that is only called so."""
        titled = {key, f"中华人民共和国{key}"}
        exact = tuple(i for i in self._ids[key] if titled & {*_keys(self._titles[i])})
        return exact or self._ids[key]

    def _title_like(self, text: str, found: Sequence[TitleMention]) -> list[TitleMention]:
        out = []
        for match in UNQUOTED.finditer(text):
            phrase = _undated(text, match)
            span = Span(match.end() - len(phrase), match.end())
            if len(phrase) >= 6 and not NO_TITLE.search(phrase) and not any(n.span.overlaps(span) for n in found):
                key = title_key(phrase)
                held = TitleMention(span, phrase, self.ids(key) or self._abridged(key), False)
                asked = re.match(CUE, text[span.end :]) is not None
                said = held if held.ids else self._said(span, phrase, MOST_MEANT if asked else 1)
                out.append(said if asked or said.ids else held)
        return out

    def _half(self, text: str, found: Sequence[TitleMention]) -> list[TitleMention]:
        """Return long phrases that leave words out of one held title (甲省信用评价征求意见稿 for 甲省信用评价细则（征求意见稿）)."""
        out: list[TitleMention] = []
        for match in (*TAIL.finditer(text), *HALF.finditer(text)):
            for phrase in dict.fromkeys((match.group(), _undated(text, match))):
                span = Span(match.end() - len(phrase), match.end())
                taken = any(n.span.overlaps(span) for n in (*found, *out))
                if len(phrase) < HALF_LEAST or NO_TITLE.search(phrase) or taken:
                    continue
                key = title_key(phrase)
                ids = self.ids(key)
                if match.re is HALF and not ids:
                    ids = self._abridged(key, match["end"]) or self._by_address(text, span, key, match["end"])
                if ids:
                    out.append(TitleMention(span, phrase, ids, False))
                    break
        return out

    def _by_address(self, text: str, span: Span, key: str, end: str) -> tuple[str, ...]:
        """Return the one text that words asked for a provision may abridge from within (直连的通知第（二）部分)."""
        works = {self._ids[name] for name in self._like(key, end)} if address_at(text, span.end) else set()
        return works.pop() if len(works) == 1 else ()

    def _interpretations(self, text: str, found: Sequence[TitleMention]) -> list[TitleMention]:
        """Return judicial interpretations named by their matter alone, with the earlier ones of the same title."""
        out = []
        for match in INTERPRETATION.finditer(text):
            for start in range(match.start(), match.end("matter") - MATTER_LEAST + 1):
                span = Span(start, match.end())
                if any(name.span.overlaps(span) for name in found):
                    continue
                matter = text[start : match.end("matter")]
                works = {ids for key, ids in self._ids.items() if ids and key.endswith("解释") and matter in key}
                if len(works) == 1:
                    out.append(TitleMention(span, span.of(text), works.pop(), False))
                    break
        return out

    def _said_of(self, text: str, found: Sequence[TitleMention]) -> list[TitleMention]:
        """Return phrases that are asked for what they say: the one held title they may stand for, or one that is not held."""
        out: list[TitleMention] = []
        for match in SAID_OF.finditer(text):
            phrase = _undated(text, match)
            span = Span(match.end() - len(phrase), match.end())
            if NO_TITLE.search(phrase) or any(name.span.overlaps(span) for name in (*found, *out)):
                continue
            name = self._said(span, phrase, most=1 if address_at(text, span.end) else MOST_MEANT)
            out += [name] if name.ids or name.certain else []
        return out

    def _said(self, span: Span, phrase: str, most: int) -> TitleMention:
        """Return what a phrase that is asked for what it says stands for; certain where nothing held is like it."""
        key = title_key(phrase)
        end = KIND_END.search(key)
        if end is None or len(key) < LEAST_SAID_OF or NO_NAME.match(phrase) or GENERAL.fullmatch(key[: end.start()]):
            return TitleMention(span, phrase, (), certain=False)
        like = self._like(key, KIN if re.fullmatch(KIN, end[0]) else end[0], end[0])
        works = {self._ids[name] for name in like if len(key) >= MOST_OF * len(name)}
        ids = tuple(dict.fromkeys(i for ids in sorted(works) for i in ids)) if len(works) <= most else ()
        return TitleMention(span, phrase, ids, certain=not like)

    def _short(self, text: str, found: Sequence[TitleMention]) -> list[TitleMention]:
        """Return short names that fit one held title only: 大气法 for 大气污染防治法."""
        out = []
        for end in SHORT_END.finditer(text):
            for start in range(max(0, end.start() - LONGEST), end.start() - SHORTEST + 1):
                span = Span(start, end.end())
                if any(n.span.overlaps(span) for n in found):
                    continue
                within = end.group() == "法" and not BEFORE_SHORT.search(text[: span.start])
                if not within and (ids := self._abridged(span.of(text), end.group())):
                    out.append(TitleMention(span, span.of(text), ids, False))
                    break
            else:
                out += self._of_a_version(text, end) or self._unheard(text, end, [*found, *out])
        return out

    def _of_others(self, key: str, ids: tuple[str, ...]) -> bool:
        """Tell whether other texts are called so but for their place (甲省水土保持条例): the words are no abridged name then."""
        called = (name for name, own in self._ids.items() if own and own != ids and name.endswith(key))
        return any(self._of_a_place(name, len(name) - len(key)) for name in called)

    def _of_a_version(self, text: str, end: re.Match[str]) -> list[TitleMention]:
        """Return the law of which an old or new version is named by its first character (老矿法)."""
        start = end.start() - 1
        if end.group() != "法" or not OF_A_VERSION.search(text[: max(0, start)]):
            return []
        span = Span(start, end.end())
        wanted = _abridging(span.of(text), "法")
        works = {ids for key, ids in self._ids.items() if len(ids) > 1 and key[0] == text[start] and wanted.match(key)}
        return [TitleMention(span, span.of(text), works.pop(), False)] if len(works) == 1 else []

    def _unheard(self, text: str, end: re.Match[str], found: Sequence[TitleMention]) -> list[TitleMention]:
        """Return a phrase that is asked for an article (甲乙办法第三条) as the name of a text that is not held."""
        article = address_at(text, end.end())
        stands = end.group() == "法" and STANDS.match(text, end.end())
        before = re.search(r"[\u4e00-\u9fa5]{2,20}$", text[: end.start()])
        if before is None or not (stands or (article is not None and article.marked)):
            return []
        phrase = NOT_NAMED.sub("", LEADING.sub("", before.group()))
        span = Span(end.start() - len(phrase), end.end())
        if len(phrase) < SHORTEST or any(n.span.overlaps(span) for n in found) or NO_TITLE.search(phrase):
            return []
        unknown = span.of(text)
        like = self._like(unknown, end.group())
        national = {self._ids[name] for name in like if not self._of_a_place(name)}
        if len(national) == 1 and len(like) > 1 and not self._of_others(unknown, next(iter(national))):
            return [TitleMention(span, unknown, national.pop(), False)]
        of_places = self._of_others(unknown, ())
        return [TitleMention(span, unknown, (), bool(stands) or of_places)] if of_places or not like else []

    def _of_a_place(self, title: str, end: int | None = None) -> bool:
        """Tell whether a title opens with a place, and with nothing else before ``end``."""
        place = next((p for p in self._places if title.startswith(p)), "")
        city = re.match(PLACED, title)
        ends = {len(place), city.end() if city else 0} - {0}
        return bool(ends) if end is None else end in ends

    def _like(self, key: str, end: str, said: str = "") -> list[str]:
        """Return the held titles that a short name may stand for; a law is no other law's tail (合同法, 劳动合同法).

        They end with ``end``, a pattern; the name with ``said`` where that is another word.
        """
        wanted = _abridging(key.removesuffix(said) if said else key, end)
        found = [name for name, ids in self._ids.items() if ids and wanted.search(name)]
        return [name for name in found if end != "法" or name[0] == key[0] or not name.endswith(key)]

    def _abridged(self, key: str, end: str = "") -> tuple[str, ...]:
        """Return the versions of the one held title that ``key`` abridges: 山东安全生产条例 for 山东省安全生产条例.

        Both must end with ``end``; the rest may leave out characters.
        """
        wanted = _abridging(key, end)
        begins = key[:1] if end else key[:2]  # 海环法 keeps but the first character of 海洋环境保护法
        starts = (names for start, names in self._by_start.items() if start.startswith(begins))
        titles = [name for names in starts for name in names if self._ids[name] and wanted.match(name)]
        titles = [name for name in titles if _in_one_place(key, name)] or titles
        works = {self._ids[name] for name in titles}
        return works.pop() if len(works) == 1 and not self._of_others(key, min(works)) else ()


def _undated(text: str, match: re.Match[str]) -> str:
    """Return a phrase without the words before it that are no part of a title: verbs, a day, a year of a version."""
    phrase = LEADING.sub("", match.group())
    start = match.end() - len(phrase)
    while start > 0 and text[start - 1] in "0123456789":
        start -= 1
    day = DATED.match(text, start, match.end() - SHORTEST)
    return text[max(day.end(), match.end() - len(phrase)) : match.end()] if day else phrase


def _in_one_place(key: str, name: str) -> bool:
    """Tell whether a phrase leaves out one run of a title and no more: the likelier one where it fits several."""
    return any(name.startswith(key[:at]) and name.endswith(key[at:]) for at in range(len(key) + 1))


def _two_unheard(text: str, found: Sequence[TitleMention]) -> list[TitleMention]:
    """Return names of two characters that are not known and are asked for an article (宪法第三条)."""
    out = []
    for match in TWO_LAW.finditer(text):
        span = Span(*match.span())
        asked = address_at(text, span.end)
        apart = BEFORE_TWO.search(text[: span.start]) and not any(n.span.overlaps(span) for n in found)
        if apart and asked is not None and asked.marked:
            out.append(TitleMention(span, match.group(), (), False))
    return out


def _here(text: str, start: int, name: str) -> bool:
    """Tell whether a known name stands at a place, one of two characters as a word of its own."""
    if not text.startswith(name, start) or (name[0].isdigit() and text[start - 1 : start].isdigit()):
        return False
    return len(name) > TWO or bool(BEFORE_TWO.search(text[:start]) and AFTER_TWO.match(text, start + TWO))


def _abridging(key: str, end: str) -> re.Pattern[str]:
    """Return a pattern of the titles that ``key`` may leave characters out of; ``end`` stays together."""
    rest = key.removesuffix(end)
    return re.compile(".{0,12}?".join(map(re.escape, rest)) + (f".{{0,12}}?{end}$" if end else "$"))


def _names(names: Sequence[str]) -> set[str]:
    """Return the keys that a text is found by."""
    keys = {key for name in names if name for key in _keys(name)}
    # 20 is the stem of a file name, 光伏 the heading of a page: no names of texts
    return {key for key in keys if not key.isascii() and (len(key) >= WORDS or (len(key) >= TWO and key[-1] in LAW))}


def _keys(name: str) -> tuple[str, str]:
    """Return the normal form of a name, as it is and without a note in brackets at its end (（2018年修正）)."""
    return title_key(name), title_key(re.sub(r"[（(][^（）()]{1,20}[）)]\s*$", "", name))
