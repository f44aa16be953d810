"""The entries of the rule data: what one line of each table says (规则条目)."""

import re
from dataclasses import dataclass

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RuleEntry:
    """What most tables begin with. Fields are the keys of the file; ``source`` says where the fact is from."""

    code: str
    name: str
    source: str


@dataclass(frozen=True, slots=True)
class Province(RuleEntry):
    """A provincial unit (省级行政区), or ``cn`` for national texts."""

    full: Words = ()
    abbrev: Words = ()
    """Signs in document numbers (粤); no words of running text unless ``places`` repeats them."""
    number_prefixes: Words = ()
    hosts: Words = ()
    cities: Words = ()
    counties: Words = ()
    grid: Words = ()
    implied_regions: Words = ()
    places: Words = ()

    def words(self) -> Words:
        """Return every word that names this province in running text; none for ``cn``."""
        names = (self.name, *self.full, *self.cities, *self.counties)
        return () if self.code == "cn" else (*names, *self.grid, *self.implied_regions, *self.places)


@dataclass(frozen=True, slots=True)
class Category(RuleEntry):
    """An asset (电源类型), document class (文件类别) or kind of question out of scope, with the words that show it."""

    strong: Words = ()
    weak: Words = ()
    """Words that bear on several categories and never decide alone (新能源)."""
    matter: bool = False
    """Out of scope, yet a matter (股票) and no request (写诗): a text that is named, or answers surely, may rule it."""
    party: Words = ()
    """Words around one of ``strong`` that tell who or what comes from there (美国公司); else its own law is asked for, which
    no held text rules, however surely it answers."""


@dataclass(frozen=True, slots=True)
class Opposite(RuleEntry):
    """Words of which a rule means one and not the others (对立词), one contrast an entry of ``words``."""

    words: Words


@dataclass(frozen=True, slots=True)
class Retelling(RuleEntry):
    """Words of those who retell a rule (转述); see the head of the file for what each entry holds."""

    words: Words


@dataclass(frozen=True, slots=True)
class PageLine(RuleEntry):
    """A kind of line that stands around a text on a web page (页面附属), with the words that show it."""

    words: Words


@dataclass(frozen=True, slots=True)
class PropertyWords(RuleEntry):
    """Words, as regular expressions, of questions about a regulation itself (法规属性问法)."""

    words: Words


@dataclass(frozen=True, slots=True)
class LawProperty(RuleEntry):
    """A property of a regulation that is asked for (法规属性), by the shapes of such questions."""

    asked: Words
    """Regular expressions; ``<code>`` stands for the words of that entry of ``property_words``."""
    english: Words = ()
    hides: Words = ()
    """Codes of properties that are not meant where this one is."""


@dataclass(frozen=True, slots=True)
class Contrast(RuleEntry):
    """Kinds of one thing: what is ruled of one says nothing of another (对举)."""

    kinds: Words
    """A regular expression over folded text for each kind."""
    general: re.Pattern[str] | None = None
    """What means all of them."""
    attribute: bool = False
    """Whether a kind counts only before the same thing (月度偏差 against 年度偏差)."""


@dataclass(frozen=True, slots=True)
class ForceLevel(RuleEntry):
    """A level of force (效力级别); rank 1 is the highest."""

    rank: int
    aliases: Words = ()
    english: str = ""
    issuers: Words = ()


@dataclass(frozen=True, slots=True)
class Nature(RuleEntry):
    """What a text is (文件性质); only a citable one may support a compliance statement."""

    citable: bool
    aliases: Words = ()


@dataclass(frozen=True, slots=True)
class Intent(RuleEntry):
    """What a question is after (查询意图)."""

    evidence: re.Pattern[str]
    """What a provision that answers it contains; an empty pattern asks for nothing."""
    strong: Words = ()
    trigger: Words = ()
    doc_class: Words = ()


@dataclass(frozen=True, slots=True)
class OfficialSource(RuleEntry):
    """An official site (官方来源)."""

    province: str
    url: str
    allow: str
    """Domain that a host must equal or lie under, by whole labels."""
    mode: str
    """``list``: its list pages may be read; ``manual``: a person downloads."""
    verified: bool = False
    """Whether a person compared what a visit read with the list in a browser; until then each visit says so."""
    list_pages: Words = ()
    area: str = ""
    """CSS selector of the part of a list page in which its entries stand; empty: anywhere."""
    item: re.Pattern[str] = re.compile(
        r"^(?=.*\.(?:s?html?|jsp|aspx?)$).*?(?:\d{6}|[0-9a-f]{32})|/\d{6,}/?$", re.IGNORECASE
    )
    """Path of a page of one text: t20240102_123456.html, post_4312345.html, c_131…htm."""
    attachment: re.Pattern[str] = re.compile(r"\.(?:pdf|docx?|wps|ofd|zip|xlsx?|et)$", re.IGNORECASE)
    """Path of a file, or a value in its address (downfile.jsp?filename=….pdf)."""
    date: re.Pattern[str] = re.compile(r"(?:19|20)\d{2}\s?[-/.年]\s?\d{1,2}\s?[-/.月]\s?\d{1,2}")
    """A day beside the title in a list."""
    dated: re.Pattern[str] = re.compile(
        r"/t(20\d{2})(\d{2})(\d{2})_\d|/(20\d{2})-?(\d{2})/?(\d{2})/(?:[0-9a-f]{32}/|c_)|/art/(20\d{2})/(\d{1,2})/(\d{1,2})/"
    )
    """A day in the path of an address."""
    title_names: Words = ("title", "showtitle", "doctitle", "name")
    address_names: Words = ("url", "publishurl", "docpuburl", "linkurl", "link", "href")
    day_names: Words = ("publishtime", "pubdate", "docreltime", "docrelpubtime", "display_publish_time", "date", "time")
    """Where a list is data: what title, address and day are called in it, in lower case, the surest first."""
    feed: re.Pattern[str] | None = None
    """What a page says of the data that a script of it fetches; ``feed_form`` makes its address of the groups."""
    feed_form: str = ""
    pager: re.Pattern[str] = re.compile(
        r"createPageHTML\(\s*(?:[\"'][\w-]*[\"']\s*,\s*)?(?P<total>\d+)\s*,\s*\d+\s*,\s*[\"'](?P<stem>\w+)[\"']\s*,\s*[\"'](?P<ending>\w+)[\"']"
    )
    """What a page says of its list: how many pages there are, index_1.html being the second of ``index`` and ``html``."""
    next_link: re.Pattern[str] | None = None
    """Where the address of the next page stands (group 1) when it is no link with ``next_words``."""
    numbered: str = ""
    """Address of page ``{n}`` where pages are counted and none names the next: ``index_{n}.html``, ``?page={n}``."""
    counted_from: int = 0
    """Number of the first page in ``numbered``."""
    next_words: Words = ("下一页", "下页", "后一页")
    """Words that the link to the next page begins with, where there is no pager."""


@dataclass(frozen=True, slots=True)
class Issuer:
    """A body that issues texts (发布机关); ``level`` is the highest kind of text it can issue."""

    name: str
    level: str
    province: str
    source: str
    aliases: Words = ()
    english: str = ""


@dataclass(frozen=True, slots=True)
class SynonymGroup:
    """Words for one thing (同义词组)."""

    id: str
    canonical: str
    category: str
    source: str
    terms: Words
    confusable: Words = ()
    """Never merged: a hit on one is no evidence for the other."""
    short: Words = ()
    """Short names (质保金): they stand for the terms, and no term for them."""


@dataclass(frozen=True, slots=True)
class KnownRegulation:
    """A regulation that exists, whether or not its text is held (已知法规)."""

    title: str
    source: str


@dataclass(frozen=True, slots=True)
class Alias:
    """Short names of a regulation (简称)."""

    title: str
    source: str
    aliases: Words


@dataclass(frozen=True, slots=True)
class Gloss:
    """An English word or phrase of the field and what it is called in Chinese law (英汉对照)."""

    english: str
    chinese: Words
    """Words for a search; empty for what is understood but adds nothing (China)."""
    kind: str
    """One of ``GLOSS_KINDS``."""
    source: str
    aliases: Words = ()
    """Other spellings, forms and abbreviations."""


GLOSS_KINDS = frozenset(
    (
        *("question", "number", "place", "law"),
        *("energy", "grid", "market", "permit", "environment", "land", "penalty", "safety", "actor", "status"),
    )
)
"""The first four are read in a way of their own; the others are subjects."""


@dataclass(frozen=True, slots=True)
class LevelRanking:
    """What a provision of the law says of two levels of force (位阶依据); ``source`` is that provision."""

    words: str
    """One Chinese sentence, with ``{first}`` and ``{second}`` for the names of the levels."""
    first: Words
    second: Words
    source: str
    same_province: bool = False


@dataclass(frozen=True, slots=True)
class GraphKind:
    """A kind of node or edge of the graph of the law (图谱的类别)."""

    code: str
    of: str
    """``node`` or ``edge``."""
    name: str
    """In Chinese, as a reader sees it."""
    source: str
    eli: str = ""
    """The term of ELI or Akoma Ntoso that says the same; empty when there is none."""


@dataclass(frozen=True, slots=True)
class GraphRule:
    """A pattern that finds edges in a sentence; ``{code}`` in it stands for a list of ``GraphWords``."""

    name: str
    kind: str
    pattern: str
    confidence: float
    source: str
    cues: Words
    """One of them stands in every sentence in which it can be found; sentences without are not searched."""


@dataclass(frozen=True, slots=True)
class GraphWords:
    """A list of words the patterns share."""

    code: str
    words: Words
    source: str


@dataclass(frozen=True, slots=True)
class GraphAsked:
    """A kind of question about the whole library, and the table it asks for (全库统计)."""

    name: str
    pattern: str
    kinds: Words
    """Edges whose words are the rows."""
    source: str
    named: str = ""
    """What a row is named after: ``authority``, ``target``; empty: whoever stands at its source."""
    ends: Words = ()
    """Kinds of targets; empty means any."""
    modals: Words = ()
    """What binds (不得, 禁止); empty means any."""
    nouns: Words = ()
    """Words that ask for the table and are no part of the subject (期限)."""
