"""Describes a text: title, number, issuer, level, province, nature, dates, each with the words it was read from (元数据).

What a manifest or a person states wins over what is read; both readings stay among the facts.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from nemo.rules import Rules
from nemo.text.facts.issuer import issuers_of
from nemo.text.facts.rank import level_of, own_province, province_of
from nemo.text.facts.topic import assets_of, doc_class_of
from nemo.text.law.dates import begun_on_issue, read_validity
from nemo.text.law.history import EventKind, history
from nemo.text.law.stated import later_version, stated_day, statement
from nemo.text.letter import card
from nemo.text.letter.card import first_of
from nemo.text.letter.docnumber import number_of
from nemo.text.letter.form import FoundTitle, heading_of, issued_titles, title_of
from nemo.text.letter.nature import nature_of
from nemo.text.letter.signature import signature_of
from nemo.text.letter.titles import looks_like_title, tidy
from nemo.text.letter.unnamed import derived_title
from nemo.text.structure.tables import tables
from nemo.text.structure.tree import Structure
from nemo.text.words.days import days_of_name
from nemo.text.words.normalise import title_key
from nemo.types import Day, Evidence, Origin, ParsedDocument, Span, Validity

_NAME_PREFIX = re.compile(
    r"^(?:[a-z]{1,3}-|\d{1,4}[-_. ]|附件\d*[-_.： ]*|(?:新闻|公告|公示|通知|资讯|动态|转载)[-_：:])+"
)
"""Signs of folders and columns in front of a file name."""
_NAME_NUMBER = re.compile(
    r"(?P<sign>[\u4e00-\u9fa5]{2,14})[〔\[(（﹝]?(?P<year>(?:19|20)\d{2})[〕\])）﹞]?[-—_]?(?P<no>\d{1,5})号"
)
_NAME_DAY = re.compile(
    r"(?<![-_（(\s])[-_（(\s]*(?:19|20)\d{2}[-_.年]?(?:0[1-9]|1[0-2])[-_.月]?(?:0[1-9]|[12]\d|3[01])日?[)）]?"
)
_BEHIND_TITLE = re.compile(r"(?<![（(\s])[（(\s]*[\u4e00-\u9fa5]{2,16}[〔\[﹝]\d{4}[〕\]﹞]\d+号[）)]?$")
"""A document number that a site sets behind a title."""
_RUNNING_HEAD = re.compile(r"【(?P<t>[^【】]{6,120})】\s*[-—]")
"""The name of a page in the head of its print: 2031/8/1 10:28 【X】-站名."""
_WHEN = re.compile(r"^(?:19|20)\d\d[/-]\d{1,2}[/-]\d{1,2}[ ,]+\d{1,2}:\d{2}(?::\d{2})?")
"""The hour that a browser prints before the name of a page."""
_COLUMN = re.compile(r"^[\u4e00-\u9fa5]{2,6}\s?[|｜丨]\s?")
"""The name of a column before a headline (政策解读 | …)."""
_LEAST_HEADING = 6
_HEADLINE_REACH = 400
"""Characters of a page in which the headline that it states stands as a line."""
_PUBLISHED_BY = (
    re.compile(r"来源\s*[:：]\s*(?P<who>[\u4e00-\u9fa5]{4,30})"),
    re.compile(r"(?:主办单位|主办|版权所有|发布机构)\s*[:：]?\s*(?P<who>[\u4e00-\u9fa5]{4,30})"),
)
"""Who put a page up: from whom it comes, else whose site it is."""
_SHEET = "sheet/"
"""How the parser of spreadsheets names itself: the caption is the title, whatever the file is called."""
NATIONAL = "cn"
"""Province of a text that names none."""
UNRANKED = frozenset(("news", "minutes", "interpretation", "notice", "draft", "report", "unconfirmed"))
"""Natures that have no level of force; a draft gets one when it becomes law."""
_SETS = re.compile(
    r"^附\s*[件表录]|^[\u4e00-\u9fa5]{2,8}(?:省|自治区|市|州|盟|县|旗)"
    r"|关于|电价|价格|收费|[标基]准|限[额值价]|定额|补[贴偿]|考核|系数|权重|配额|指标|[目名]录|规模|参数|第.{1,3}批"
)
"""How a paper is called that rules something: a letter, an annex, of a place, or of what only rules set."""
_RULES = re.compile("应当|不得|必须|制定本|特此|起施行|修改为|废止")
_ABOUT_OTHERS = frozenset(("news", "minutes", "interpretation", "report", "unconfirmed"))
"""Natures whose days of commencement are those of the rule they speak of, or of no rule."""
_KNOWN_STARTS = ("version_date", "in_force_from", "effective_date", "effective")
_STATUTES = frozenset(("constitution", "law", "admin_regulation", "local_regulation", "judicial_interpretation"))
_REPLIES = re.compile("(?:批复|函复)如下")
_ON_EVENT = re.compile(r"[自从][^。；，《》]{2,30}之日起(?:正式|开始)?(?:执行|施行|实施|生效)")
"""A reply that starts what it grants on an event (自首台机组投产之日起执行): its own day is not the first."""
_ISSUED = "normative_document"
"""Level of papers that bind from their issue (印发) unless they name another day; a statute has to name its day (立法法第六十一条)."""


@dataclass(frozen=True, slots=True)
class Description:
    """What is known about a text before anybody asks a question of it."""

    title: str
    short_title: str
    document_number: str | None
    issuer: str | None
    """Bodies that issued it, joined by 、."""
    level: str | None
    """Chinese name of the level of force."""
    province: str | None
    doc_class: str | None
    assets: tuple[str, ...]
    nature: str
    version_date: Day | None
    validity: Validity
    facts: tuple[Evidence, ...] = ()


@dataclass
class _Notes:
    """Collects readings; what is stated wins."""

    text: str
    known: Mapping[str, object]
    rules: Rules
    facts: list[Evidence] = field(default_factory=list)

    def settle(self, fact: str, read: Evidence | None, value: str | None) -> str | None:
        """Return the stated value of a fact, else the read one; keep both with their words.

        What was read is tidied for its value (line breaks in a title, a date under the bodies); its words stay verbatim.
        """
        if read is not None and read.words:
            words = read.span.of(self.text) if read.span else read.words
            self.facts.append(Evidence(fact, words, read.origin, read.span, value=value or ""))
        stated = self.known.get(fact)
        if stated in (None, "", [], ()):
            return value
        self.state(fact, str(stated))
        return str(stated)

    def state(self, fact: str, value: str) -> None:
        """Keep what was stated of a fact."""
        self.facts.append(statement(fact, fact, value, self._shown(fact, value)))

    def _shown(self, fact: str, value: str) -> str:
        """Return the Chinese names of codes, other values as they are."""
        if fact == "nature":
            value = self.rules.nature(value)
        rules = self.rules
        tables = {
            "province": {p.code: p.name for p in rules.provinces},
            "doc_class": {c.code: c.name for c in rules.doc_classes},
            "nature": {n.code: n.name for n in rules.natures},
            "assets": {a.code: a.name for a in rules.assets},
        }
        names = tables.get(fact, {})
        return "、".join(names.get(code, code) for code in value.split("、"))


def describe(
    parsed: ParsedDocument,
    name: str,
    structure: Structure,
    rules: Rules,
    *,
    known: Mapping[str, object] = {},
) -> Description:
    """Describe one text.

    Its ``margin`` holds the letterhead, or the covering notice it was split from. The file name serves for what the
    text itself does not say (marked as derived); ``known`` are stated facts by field name, as in a manifest.
    """
    notes = _Notes(parsed.text, known, rules)
    letter = "\n".join(parsed.margin)
    found = _title(parsed, name)
    title = notes.settle("title", found, found.words) or name
    own_title = title_of(parsed.text) or derived_title(parsed.text)
    if own_title is None and letter and parsed.title == title:
        own_title = FoundTitle(title, Span(0, 0))
    number_read = _number(parsed.text, letter, name)
    number = notes.settle("document_number", number_read, number_read.words if number_read else None)
    nature = nature_of(parsed.text, own_title.words if own_title else None, _called(found, name), letter)
    if _code(nature) in ("news", "unconfirmed") and (parsed.parser.startswith(_SHEET) or _is_table(parsed.text)):
        nature = Evidence("nature:binding", title, Origin.DERIVED)  # an annex that came without its notice
    issuers = issuers_of(parsed.text, title, number, letter, rules)
    issuer = notes.settle("issuer", issuers[0] if issuers else None, issuers[0].words if issuers else None)
    level_read = level_of(parsed.text, title, number, issuer)
    level = notes.settle("level", level_read, _level_name(level_read, rules))
    place = province_of(title, number, issuer, urlsplit(parsed.url or "").hostname, rules)
    assets, asset_words = assets_of(parsed.text, title, rules)
    doc_class, class_words = doc_class_of(parsed.text, title, rules)
    official = number or issuer or place.origin is Origin.TEXT or any(rules.issuer_words.find(title))
    field = doc_class or assets or any(rules.issuer_words.find(parsed.text))
    nature = _weighed(nature, title, parsed.text, official=bool(official), field=bool(field))
    validity, version = _validity(parsed, name, structure, title, _code(level_read), notes)
    standing = _nature(notes, nature, rules)
    place = _of_publisher(parsed, place, standing, issuer or "", rules)
    validity = _as_it_binds(validity, standing, level_read, notes)
    return Description(
        title=title,
        short_title=notes.settle("short_title", None, short_title(title)) or title,
        document_number=number,
        issuer=issuer,
        level=level if standing not in UNRANKED else None,
        province=notes.settle("province", place, _code(place)),
        doc_class=notes.settle("doc_class", class_words, doc_class),
        assets=_assets(notes, asset_words, assets, rules),
        nature=standing,
        version_date=version,
        validity=validity,
        facts=tuple(notes.facts),
    )


def _weighed(nature: Evidence, title: str, text: str, *, official: bool, field: bool) -> Evidence:
    """Return the nature with what else is known: what names an authority tells of it, what has no tie to one rules nothing.

    Only what was inferred from the form is weighed; ``field``: it is about plants, grids or
    their permits, or names who rules them.
    """
    if nature == Evidence("nature:unconfirmed", "", Origin.DERIVED) and official:
        return Evidence("nature:news", "", Origin.DERIVED)
    ruling = official or field or _SETS.search(title) or _SETS.match(text) or _RULES.search(text)
    if nature.fact == "nature:binding" and nature.origin is Origin.DERIVED and not ruling:
        return Evidence("nature:unconfirmed", title, Origin.DERIVED)
    return nature


def _called(title: Evidence, name: str) -> str:
    """Return what a text is called: a headline that reads like no title still says 一图读懂, better than the file name."""
    return title.words if title.origin is Origin.TEXT else name


def _of_publisher(parsed: ParsedDocument, place: Evidence, nature: str, issuer: str, rules: Rules) -> Evidence:
    """Return the province; of a page that says none, that of who put it up (来源：山东省能源局) where it rules nothing, else
    the one that the text calls its own.
    """
    if place.origin is not Origin.DERIVED:
        return place
    around = "\n".join((*parsed.removed, *parsed.margin))
    rules_nothing = nature in UNRANKED
    named = (match["who"] for pattern in _PUBLISHED_BY for match in pattern.finditer(around) if rules_nothing)
    places = (province_of("", None, who, None, rules) for who in named)
    found = next((replace(each, origin=Origin.DERIVED) for each in places if each.origin is Origin.TEXT), None)
    if found is None and _code(place) == NATIONAL:
        found = own_province(parsed.text, issuer, around if rules_nothing else None, rules)
    return found or place


def _is_table(text: str) -> bool:
    """Whether most of a text is tables: an annex."""
    return 2 * sum(table.span.end - table.span.start for table in tables(text)) > len(text)


def _code(evidence: Evidence | None) -> str | None:
    return evidence.fact.partition(":")[2] if evidence else None


def _level_name(evidence: Evidence | None, rules: Rules) -> str | None:
    found = rules.level(_code(evidence) or "")
    return found.name if found else None


def _nature(notes: _Notes, read: Evidence, rules: Rules) -> str:
    stated = notes.settle("nature", read, _code(read)) or "news"
    return rules.nature(stated)


def _assets(notes: _Notes, read: Evidence | None, found: tuple[str, ...], rules: Rules) -> tuple[str, ...]:
    if read is not None:
        notes.facts.append(read)
    stated = notes.known.get("assets")
    if not isinstance(stated, list | tuple):
        return found
    notes.state("assets", "、".join(map(str, stated)))
    every = {asset.code for asset in rules.assets if asset.strong}
    return () if set(stated) >= every else tuple(map(str, stated))


# --- title and number -------------------------------------------------------------------------------------------------


def short_title(title: str) -> str:
    """Return the title as people say it: without 中华人民共和国, and of a covering notice the rule it issues."""
    issued = re.search(
        r"关于(?:印发|发布|公布|颁发|下发)(?:修订后?的)?《([^《》]+(?:〈[^〉]+〉[^《》]*)?)》的?(?:通知|公告|函)", title
    )
    if issued is not None and title.count("《") == 1:
        return issued[1]
    return title.replace("《中华人民共和国", "《").removeprefix("中华人民共和国")


def _title(parsed: ParsedDocument, name: str) -> Evidence:
    """Return the title: of the body, of the container, of the rule a letter issues, or for want of all of the file name."""
    if parsed.title and parsed.parser.startswith(_SHEET) and looks_like_title(parsed.title):
        return Evidence("title", tidy(parsed.title), Origin.TEXT)
    own = title_of(parsed.text)
    if own is not None and parsed.title and parsed.title.startswith("《") and parsed.title.endswith(f"》{own.words}"):
        return Evidence("title", parsed.title, Origin.DERIVED, own.span)  # 部门解读 alone does not say of what
    if own is not None:
        return Evidence("title", own.words, Origin.TEXT, own.span)
    if parsed.title and parsed.parser.startswith(_SHEET):
        return Evidence("title", tidy(parsed.title), Origin.TEXT)
    hinted = _hinted(parsed.title) or _headline(parsed)
    if hinted is not None:
        return Evidence("title", hinted, Origin.TEXT)
    issued = _issued(parsed.text)
    if issued is not None:
        return Evidence("title", issued, Origin.DERIVED)
    derived = derived_title(parsed.text)
    if derived is not None:
        return Evidence("title", derived.words, Origin.DERIVED, derived.span)
    if (
        parsed.title
        and parsed.title in parsed.text[:_HEADLINE_REACH].split("\n")
        and _COLUMN.match(parsed.title) is None
    ):
        return Evidence("title", parsed.title, Origin.TEXT)
    heading = None if parsed.parser.startswith(_SHEET) else _heading(parsed)
    if heading is not None:
        return Evidence("title", heading.words, Origin.DERIVED, heading.span)
    return Evidence("title", title_of_name(name), Origin.DERIVED)


def _heading(parsed: ParsedDocument) -> FoundTitle | None:
    """Return what a text that is called like no rule (新闻、问答) says above its body, whole where a print broke it."""
    found = heading_of(parsed.text) or (FoundTitle(parsed.title, Span(0, 0)) if parsed.title else None)
    if found is None or len(found.words) < _LEAST_HEADING or found.words.endswith(("：", ":")):
        return None  # whom a letter addresses is no heading
    heads = (_WHEN.sub("", line).strip() for line in (parsed.title or "", *parsed.removed))
    whole = next((h for h in heads if h.startswith(found.words)), found.words)
    words = re.split(r"[_|｜]|\s-", whole)[0].strip() if len(found.words) < len(whole) else whole
    return replace(found, words=_COLUMN.sub("", max(words, found.words, key=len)))


def _headline(parsed: ParsedDocument) -> str | None:
    """Return the headline that a site set above the text, from what was taken out of it: running heads and navigation."""
    beside = "\n".join((*parsed.margin, *parsed.removed))
    for line in beside.splitlines():
        running = _RUNNING_HEAD.search(line)
        words = tidy(_BEHIND_TITLE.sub("", running["t"])) if running else ""
        if looks_like_title(words):
            return words
    posted = title_of(beside)
    return posted.words if posted is not None else None


def _hinted(title: str | None) -> str | None:
    """Return the title that a page or container states, unless it is only the name of a column or site."""
    if not title:
        return None
    bare = re.sub(r"[【】]", "", title)
    parts = [
        p.strip()
        for p in re.split(r"[_|｜]|(?<=\s)-+(?=\s)|-(?=国家|中国|[\u4e00-\u9fa5]{2,12}(?:局|委员会|厅|网)$)", bare)
    ]
    for part in parts:
        part = re.sub(r"[（(][^（）()]{0,20}[〔\[（(]\d{4}[〕\]）)]\d+号[）)]$", "", part)
        if len(part) >= 6 and (looks_like_title(part) or "《" in part):
            return tidy(part)
    return None


def _issued(text: str) -> str | None:
    """Name a letter without a title by what it issues: 《X》…现印发给你们 → …关于印发《X》的通知."""
    named = issued_titles(text)
    signature = signature_of(text)
    who = " ".join(signature.organs) if signature else ""
    return f"{who}关于印发{''.join(f'《{title}》' for title in named)}的通知" if named else None


def title_of_name(name: str) -> str:
    """Return a file name without folder sign, number, day and suffix."""
    stem = re.sub(r"\.[A-Za-z0-9]{1,5}$", "", name)
    bare = _NAME_PREFIX.sub("", stem)
    bare = _NAME_DAY.sub("", bare)
    bare = _NAME_NUMBER.sub("", bare)
    return tidy(re.sub(r"^[-_\s]+|[-_\s]+$", "", bare)) or stem


def _number(text: str, letter: str, name: str) -> Evidence | None:
    own = number_of(text)
    if own is not None:
        return Evidence("document_number", own.words, Origin.TEXT, own.span)
    outer = number_of(letter) if letter else None
    if outer is not None:
        return Evidence("document_number", outer.words, Origin.TEXT)
    for source in (text, letter):
        entry = first_of(source, card.NUMBER)
        if entry is not None:
            return Evidence(
                "document_number", entry.number() or "", Origin.TEXT, entry.span if source is text else None
            )
    named = _NAME_NUMBER.search(_NAME_PREFIX.sub("", name))
    if named is None:
        return None
    return Evidence("document_number", f"{named['sign']}〔{named['year']}〕{named['no']}号", Origin.DERIVED)


# --- dates ------------------------------------------------------------------------------------------------------------


def _validity(
    parsed: ParsedDocument, name: str, structure: Structure, title: str, level: str | None, notes: _Notes
) -> tuple[Validity, Day | None]:
    """Return the validity and the day of this version."""
    letter = "\n".join(parsed.margin)
    read = read_validity(parsed.text, structure.provisions, known=notes.known, letter=letter)
    own = [e.day for e in history(parsed.text) if e.kind is not EventKind.EFFECTIVE]
    version = max(own, default=None) or read.promulgated
    named = days_of_name(name)
    if named and level in _STATUTES and _names_the_text(name, title):
        version = max(version, named[0]) if version else named[0]
        if not any(notes.known.get(field) for field in _KNOWN_STARTS):
            read = later_version(read, named[-1], f"文件名 {name}")
    if read.promulgated is None and named:
        evidence = Evidence("promulgated", f"文件名 {name}", Origin.DERIVED)
        read = replace(read, promulgated=named[0], evidence=(*read.evidence, evidence))
    stated = stated_day(notes.known.get("version_date"))
    if stated is not None:
        notes.state("version_date", stated.isoformat())
    return read, stated or version or read.promulgated


def _as_it_binds(validity: Validity, nature: str, level: Evidence | None, notes: _Notes) -> Validity:
    """Return the validity that a text of this nature and level can have."""
    if nature == "draft" and validity.effective is None:
        return replace(validity, ends=None, ended_as=None)  # a term whose first day is left open ends on no day
    if nature in _ABOUT_OTHERS and not any(notes.known.get(name) for name in _KNOWN_STARTS):
        return _without_start(validity)
    if nature == "binding" and _code(level) == _ISSUED:
        waits = _REPLIES.search(notes.text) is not None and _ON_EVENT.search(notes.text) is not None
        return begun_on_issue(validity, issues=waits or bool(issued_titles(notes.text)))
    return validity


def _without_start(validity: Validity) -> Validity:
    """Return a validity without start and end: what news says of them is true of another text."""
    evidence = tuple(e for e in validity.evidence if e.fact == "promulgated")
    return replace(
        validity, first_effective=None, version_effective=None, ends=None, ended_as=None, scopes=(), evidence=evidence
    )


def _names_the_text(name: str, title: str) -> bool:
    """Tell whether a file is named by its title and then a day, as the national database names its files."""
    day = _NAME_DAY.search(name)
    name = name[: day.start()] if day else name
    return title_key(title_of_name(name)) == title_key(title)
