"""Who issued a text (发布机关): from the signature, the title, the letterhead, the note under the title."""

import re
from collections.abc import Iterator, Sequence

from nemo.rules import Rules
from nemo.text.law.history import EventKind, HistoryEvent, history
from nemo.text.letter.card import ISSUER, first_of
from nemo.text.letter.docnumber import STANDARD
from nemo.text.letter.form import is_organ, lines, title_of
from nemo.text.letter.signature import signature_of
from nemo.text.letter.titles import is_letter, tidy
from nemo.text.words.days import DATE
from nemo.text.words.flat import flatten
from nemo.types import Evidence, Origin, Span

_TITLE_HEAD = re.compile(
    r"^(?P<organs>.{3,120}?)(?:关于|(?:专题|办公|工作|局务|主任)?会议纪要$|(?:公布|印发|发布)(?=.*(?:通知|公告|通报|决定|函|令)(?:[（(][^（）()]*[）)])?$))"
)
"""A headline that a body published something (国家能源局发布一批标准) names no issuer of the text under it."""
_LETTERHEAD = re.compile(r"^(?P<organs>[\u4e00-\u9fa5（）()、\s\u3000]{3,80}?)\s*文\s*件$")
_CONGRESS = re.compile(
    r"(?P<place>[\u4e00-\u9fa5]{2,9}?(?:省|市|自治区|自治州|自治县|县))?第[一二三四五六七八九十百]+届(?P<place2>[\u4e00-\u9fa5]{2,9}?(?:省|市|自治区))?"
    r"(?P<all>全国)?人民代表大会(?P<standing>常务?委员会?)?"
)
_PLAIN_CONGRESS = re.compile(
    r"(?P<place>[\u4e00-\u9fa5]{2,9}?(?:省|市|自治区)[\u4e00-\u9fa5]{0,2}?)(?:人大常委会|人民代表大会常务委员会)"
)
_PUBLISHER = re.compile(
    r"(?P<organs>[\u4e00-\u9fa5、\s\u3000]{4,60}?)\s{0,20}(?:\d{4}-\d\d-\d\d\s{0,20}发\s{0,20}布.*|发\s{0,20}布)"
)
"""Who published a standard, on its cover."""
_COVER_ENDS = re.compile(
    r"(?P<organs>.*?)\s{0,20}(?:联合)?(?:制\s*定|发\s*布|颁\s*布|编\s*制)|(?:19|20|二[〇○零])[\d〇○零一二三四五六七八九]{2}\s?年\s?[\d一二三四五六七八九十]{1,2}\s?月"
)
_DATED = re.compile(
    r"(?P<organs>[\u4e00-\u9fa5、]{4,40})[\s\u3000]{1,20}\d{4}年\d{1,2}月(?:\d{1,2}日)?(?:(?:发布|公布|印发|制定)(?:[\s\u3000].*)?)?"
)
"""A body and a month under the title of a draft, a body and the day of issue over a table."""
_COURTS = ("最高人民法院", "最高人民检察院")
_ORDER = re.compile(
    r"(?:\d{1,2}日|^)?(?P<organs>[\u4e00-\u9fa5、]{2,40}?)(?:令|公告)?(?:(?:\d{4}年|〔\d{4}〕)?第?[\d一二三四五六七八九十百〇]{1,8}号)?(?:公布|发布|颁布|印发)"
)
_EXPLAINS = re.compile(
    r"本(?:办法|规定|细则|规则|通知|意见|方案|条例)由(?P<organs>[\u4e00-\u9fa5、]{3,60}?)(?:会同[^。]{2,40})?(?:负责)?解释"
)
_BRANCH = re.compile(r"(?P<area>[\u4e00-\u9fa5]{2,6}?)(?:能源)?(?P<kind>监管局|监管办|监管办公室)")

HEAD = 1500
"""Characters in which a text names itself."""

SIGNS = (
    ("国能综", "国家能源局综合司"), ("国能", "国家能源局"), ("发改", "国家发展改革委"), ("国办", "国务院办公厅"),
    ("国发", "国务院"), ("国函", "国务院"), ("粤发改", "广东省发展改革委"), ("粤能", "广东省能源局"),
    ("鲁发改", "山东省发展改革委"), ("鲁能源", "山东省能源局"), ("鲁监能", "国家能源局山东监管办公室"),
    ("内能", "内蒙古自治区能源局"), ("内发改", "内蒙古自治区发展改革委"), ("南方监能", "国家能源局南方监管局"),
    ("华北监能", "国家能源局华北监管局"), ("东北监能", "国家能源局东北监管局"),
)  # fmt: skip
"""Signs that head document numbers (机关代字) and who uses them; the lead body only, where several issue together."""


def issuers_of(text: str, title: str, number: str | None, letter: str, rules: Rules) -> list[Evidence]:
    """Return where the issuer is stated, best first; ``words`` hold the bodies joined by 、.

    ``letter`` is the covering notice or letterhead that was taken out of the text; known issuers give the short
    forms.
    """
    outer = title_of(letter) if letter else None
    found = [] if is_letter(title) else list(_from_history(text, title))
    found += [*_from_signature(text), *_from_signature(letter, outside=True)]
    found += [
        *_from_title(text, title),
        *_from_title("", outer.words if outer else ""),
        *_from_above(text),
        *_from_card(text, letter),
        *_from_letterhead(text, letter),
        *_from_cover(text),
        *_from_head(text, _DATED),
        *(_from_head(text, _PUBLISHER) if number and STANDARD.fullmatch(number) else ()),
        *_from_explanation(text),
        *_from_market_title(title),
    ]
    found += _from_order(number)
    found += [([body], Origin.DERIVED, None) for sign, body in SIGNS if number and number.startswith(sign)]
    full = [name for names, _, _ in found for name in names if not _BY_RANK.match(name)]
    named = (
        _evidence(_in_full([_with_place(name, full, title, rules) for name in names], rules), origin, span)
        for names, origin, span in found
    )
    return [evidence for evidence in named if evidence.words]


_BY_RANK = re.compile(r"(?:省|市|自治区|自治州|盟|县|区)(?=[\u4e00-\u9fa5])")
"""How a body signs that leaves out of which place it is (省发展改革委)."""


def _with_place(name: str, full: Sequence[str], title: str, rules: Rules) -> str:
    """Return a body in full where the title or the letterhead names it with its place, or a title opens with the province."""
    rank = _BY_RANK.match(name)
    if rank is None:
        return name
    places = (place for province in rules.provinces for place in province.full if title.startswith(place))
    titled = (place + name[rank.end() :] for place in places if place.endswith(rank[0]))
    return next((each for each in full if each.endswith(name)), None) or next(titled, name)


def _evidence(names: Sequence[str], origin: Origin, span: Span | None) -> Evidence:
    return Evidence("issuer", "、".join(dict.fromkeys(names)), origin, span)


def _in_full(names: Sequence[str], rules: Rules) -> list[str]:
    return [official(part, rules) for name in names for part in _parted(name, rules)]


def _parted(name: str, rules: Rules) -> list[str]:
    """Part two names that were printed or recognised without the blank between them (国家发展改革委国家能源局)."""
    known = {word for issuer in rules.issuers for word in (issuer.name, *issuer.aliases)}
    if name in known:
        return [name]
    for end in range(len(name) - 2, 2, -1):
        if name[:end] in known and (rest := name[end:]) and (rest in known or _opens_anew(rest, name[:end])):
            return [name[:end], *_parted(rest, rules)]
    return [name]


def _opens_anew(words: str, above: str) -> bool:
    """Tell whether words are a body of their own, not an office of the one ``above`` (综合司, 华中监管局), nor how a body that
    reaches down into the provinces is called there (国家税务总局贵州省税务局, 国家外汇管理局吉林省分局).
    """
    own = re.sub(r"^.{2,3}?(?:省|自治区)", "", words)
    if own.startswith("分") or (above.endswith("总局") and own.removesuffix("局") in above):
        return False
    return re.match(r"国家|中国|国务院|[\u4e00-\u9fa5]{2,3}(?:省|自治区)", words) is not None and is_organ(words)


def official(name: str, rules: Rules) -> str:
    """Return a body's name as it signs, but in full where a short form leaves out whose branch it is.

    国家发展改革委 stays as printed, for it shortens by omission; 南方能源监管局 becomes 国家能源局南方监管局.
    """
    name = re.sub(r"^中华人民共和国(?!最高)", "", name)
    known = next((i for i in rules.issuers if name in i.aliases), None)
    if known is not None:
        return name if _is_subsequence(name, known.name) else known.name
    branch = _BRANCH.fullmatch(name)
    if branch is not None and "能源" in name and not name.startswith("国家能源局"):
        kind = "监管局" if branch["kind"] == "监管局" else "监管办公室"
        return f"国家能源局{branch['area']}{kind}"
    return _with_province(name, rules)


def _with_province(name: str, rules: Rules) -> str:
    """广东发展改革委 → 广东省发展改革委: a province's own body carries the full name of the province."""
    for province in rules.provinces:
        full = next(iter(province.full), "")
        if province.code != "cn" and full and name.startswith(province.name) and not name.startswith(full):
            longer = full + name[len(province.name) :]
            if any(longer == i.name or longer in i.aliases for i in rules.issuers):
                return longer
    return name


def _is_subsequence(short: str, long: str) -> bool:
    rest = iter(long)
    return all(char in rest for char in short)


_Found = tuple[list[str], Origin, Span | None]


_LOCAL_TITLE = re.compile(r"(?!中华人民共和国)[\u4e00-\u9fa5]{2,7}(?:省|市|自治区|经济特区)")


def _from_history(text: str, title: str) -> Iterator[_Found]:
    """Statutes: the congress, council or court that adopted the text; else whoever published it.

    A note that tells the history of a national law under the title of a local one was put there by mistake.
    """
    events = history(text)
    made = [e for e in events if e.kind not in (EventKind.AMENDED, EventKind.EFFECTIVE)]
    for event in made:
        names = _adopters(event) or _split(_before(text, event.span.start))
        if names and not (names[0].startswith("全国") and _LOCAL_TITLE.match(title)):
            yield names, Origin.TEXT, event.span
            return


def _before(text: str, at: int) -> str:
    """Return what stands before a place on its line and in its bracket (（某省能源局2031年5月6日印发）)."""
    return re.split("[\n（(]", text[:at])[-1]


def _adopters(event: HistoryEvent) -> list[str]:
    words = re.sub(DATE, "", flatten(event.words).text)
    courts = [court for court in _COURTS if court in words]
    if courts:
        return courts
    congress = _CONGRESS.search(words)
    if congress is not None:
        standing = "常务委员会" if congress["standing"] else ""
        place = congress["place"] or congress["place2"] or ""
        return [f"{place or '全国'}人民代表大会{standing}"]
    plain = _PLAIN_CONGRESS.search(words)
    if plain is not None:
        return [f"{plain['place']}人民代表大会常务委员会"]
    if "国务院" in words:
        return ["国务院"]
    order = _ORDER.search(words)
    return [name for name in order["organs"].split("、") if is_organ(name)] if order else []


def _from_signature(text: str, *, outside: bool = False) -> Iterator[_Found]:
    signature = signature_of(text) if text else None
    if signature is not None and signature.organs:
        yield list(signature.organs), Origin.TEXT, None if outside else signature.span


def _from_order(number: str | None) -> list[_Found]:
    """国家发展和改革委员会令第42号: who gave the order issued the text."""
    order = re.match(r"(?P<organs>[\u4e00-\u9fa5、]{3,60}?)令", number or "")
    names = [name for name in order["organs"].split("、") if is_organ(name) or name == "国务院"] if order else []
    return [(names, Origin.TEXT, None)] if names else []


def _from_title(text: str, title: str) -> Iterator[_Found]:
    head = _TITLE_HEAD.match(title)
    names = _split(head["organs"]) if head else []
    if names:
        place = text.find(head["organs"]) if head else -1
        yield names, Origin.TEXT, Span(place, place + len(head["organs"])) if head and place >= 0 else None


def _from_above(text: str) -> Iterator[_Found]:
    """Bodies on lines of their own right above 关于…: the first part of the headline of a letter."""
    title = title_of(text)
    if title is None or not title.words.startswith("关于"):
        return
    above = list(lines(text, max(0, title.span.start - 400), title.span.start))
    names: list[str] = []
    first = title.span.start
    for line in reversed(above):
        found = _split(tidy(line.text))
        if not found:
            break
        names[:0] = found
        first = line.span.start
    if names:
        yield names, Origin.TEXT, Span(first, title.span.start)


def _from_card(text: str, letter: str) -> Iterator[_Found]:
    for source in (text, letter):
        entry = first_of(source, ISSUER)
        names = _split(re.sub(r"[，；;,]", "、", entry.value)) if entry else []
        if entry and names:
            yield names, Origin.TEXT, entry.span if source is text else None


def _from_cover(text: str) -> Iterator[_Found]:
    """Bodies on lines of their own above 制定, 发布 or a month, as on the cover of a standard or of market rules."""
    names: list[str] = []
    first = 0
    for line in lines(text[:HEAD]):
        ends = _COVER_ENDS.fullmatch(line.text)
        own = _split(tidy((ends["organs"] or "") if ends else line.text))
        first = first if names else line.span.start
        names += own
        if ends and names:
            yield names, Origin.TEXT, Span(first, line.span.end)
            return
        if not own:
            names = []


def _from_market_title(title: str) -> Iterator[_Found]:
    """An exchange that names itself in the title of its rules issued them (北京电力交易中心…实施细则)."""
    match = re.match(r"(?P<organ>[\u4e00-\u9fa5]{2,10}电力交易中心(?:有限公司)?)(?![和与、])", title)
    if match is not None:
        yield [match["organ"]], Origin.DERIVED, None


def _from_letterhead(text: str, letter: str) -> Iterator[_Found]:
    for source, outside in ((text[:600], False), (letter, True)):
        for line in lines(source):
            head = _LETTERHEAD.match(line.text)
            names = _split(tidy(head["organs"])) if head else []
            if names:
                yield names, Origin.TEXT, None if outside else line.span


def _from_head(text: str, pattern: re.Pattern[str]) -> Iterator[_Found]:
    """Bodies on a line of their own before the body of the text."""
    for line in lines(text[:HEAD]):
        if line.text.startswith("第一") or line.text.endswith("。"):
            return
        head = pattern.fullmatch(line.text)
        if head and (names := _split(head["organs"])):
            yield names, Origin.TEXT, line.span


def _from_explanation(text: str) -> Iterator[_Found]:
    flat = flatten(text)
    for match in _EXPLAINS.finditer(flat.text, max(0, len(flat.text) - 4000)):
        names = _split(match["organs"])
        if names:
            yield names, Origin.DERIVED, flat.span(match.start("organs"), match.end("organs"))


def _split(words: str) -> list[str]:
    names = [name for name in re.split(r"[\s\u3000、]+", words) if name]
    return names if names and all(is_organ(name) for name in names) else []
