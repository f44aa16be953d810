"""Reads what the words of a text tie together: who must do what, what is cited, defined, exempted, punished (图谱的边).

The patterns are data (``data/rules/graph_rules.toml``); what stands here knows sentences and provisions. Everything found
carries the place of the words that prove it. Pure: who holds the other end of a tie is worked out by ``nemo.graph``.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from nemo.rules import GraphRule, Rules
from nemo.text.law.actors import ActorReader, bare, is_own_work
from nemo.text.law.acts import same_acts
from nemo.text.law.mentions import aliased_titles, cross_references
from nemo.text.law.subjects import SubjectReader
from nemo.text.letter.titles import STANDARD, UNDATED, CitedText, is_letter, titles_everywhere
from nemo.text.words.flat import FlatText, flatten
from nemo.text.words.normalise import title_key
from nemo.text.words.numerals import parse_number
from nemo.text.words.quantities import quantities
from nemo.types import HEADINGS, Level, Provision, Regulation, RelationKind, Span
from nemo.types.graph import GraphEdge

READER = "10"
"""Raised when the code below changes what is found; the rule data have a hash of their own."""

RELATED = {
    RelationKind.BASED_ON: "based_on",
    RelationKind.IMPLEMENTS: "implements",
    RelationKind.AMENDS: "amends",
    RelationKind.REPEALS: "repeals",
}
AMOUNTS = {"time": "deadline", "money": "fee"}
WHOLE_TEXTS = ("cites", "implements", "based_on")
"""Kinds of rules that name a text."""
STATED = {"in_the_territory": "place", "every_so_often": "deadline"}
TARGETS = {"defines": "term", "delegates": "authority", "states": "stage", "exempts": "provision"}
_SENTENCE = re.compile(r"[。！？]")
_UNMARKED = re.compile(r"^[^，：；、。！？“”]{2,30}$")
_GOES_ON = re.compile("要|应|可以|不得|必须|负责")
"""Opens a line that goes on where the line before broke off after its subject."""
_NUMBER = re.compile(
    r"^(?:第[一二三四五六七八九十百千零〇\d]+条(?:之[一二三四五六七八九十]+)?|（[一二三四五六七八九十百\d]+）|\d+(?:\.\d+)+|\d+[.、]|[一二三四五六七八九十]+、)"
)
_NEXT = re.compile(r"(?:、|和|及|或者|以及|与)第[（(]?(?P<n>[一二三四五六七八九十]+)[）)]?(?P<u>[款项])(?!规定的?期限)")
"""Further 款 or 项 of the article that was named (第四项、第五项)."""
_VIOLATED = re.compile(r"违反")
_PRIVATE = re.compile(
    r"(?:的|责任|主责|建设|施工|监理|设计|勘察|使用|运营|经营|营运|生产|产生|产权|所有|养护|供热|供水|供气|供电|保管|形成|组建|运营管理)单位$"
    r"|(?:监理|培训|检测|检验|中介|(?:中介|技术)服务|评价|会计|经营|金融|公共)机构$|^(?:是|拒绝|拒不|阻挠|阻碍|妨碍)|分部门$"
)
"""Parties that answer for something of their own: what they are responsible for is no supervision."""
_MIXED = re.compile("(?:主管部门|管理部门|人民政府)(?:、|和|及|以及|或者?)")
"""An authority beside a party: what both are responsible for is the authority's charge."""
_LEFT_UNDONE = re.compile(r"(?:未|不)(?:能)?(?:按照?|依照|严格|及时|切实|认真|全面)[^，。；：]{0,12}$")
"""Stands before what somebody failed to do (未按照规定履行…职责): no charge of his is said there."""
_MADE = re.compile("^(?:、|和|并|以及)?(?:公布|发布|完善|修订|调整)?(?:了)?")
_SETTLED = re.compile(r"(?:确定|核定|编制)$")
"""Verbs that settle a single case when a condition stands before them (…的，由…确定), and no rule."""
_ONCE = ("exempts", "delegates", "supervises")
"""Kinds of which several patterns may find the same words; one of them is kept."""
_LONGEST = 1_200
_LONGEST_NAME = 60
_TITLE_ENDS = re.compile(
    r"(?:暂行|试行|实施|管理|若干|特别)*(?:条例|办法|规定|细则|规则|决定|意见|通知|法)(?:[（(][^（）()]*[）)])*$"
)
_RULE_TITLE = re.compile(r"(?:条例|办法|规定|细则|规则|方案|法)$")
"""What rules of both levels are called; a letter (通知, 意见) is about what it sends or asks."""
_NEIGHBOUR = re.compile(r"[前后上次末][一1]?个?(?:工作)?[日年月周](?![内前后])")
"""Names a day beside another (前一日), and no length of time."""
_MADE_UNDER = re.compile(
    r"(?:根据|依据|依照)(?P<w>[^。；]{2,600}?)，?(?:结合[^。；]{2,80}，)?(?:特)?制定本"
    r"|本(?:办法|规定|细则|规则|方案|规程)(?:根据|依据|依照)(?P<x>[^。；]{2,600}?)(?:，[^。；]{2,80}，)?制定(?=。)"
)
"""What a text says it is made under."""
_IMPLEMENTS = re.compile(r"实施[《〈]?(?P<t>[^《》〈〉]{1,60})[》〉]?(?=办法|细则|规定|条例)")


@dataclass(frozen=True, slots=True)
class _Sentence:
    """One sentence of a provision."""

    flat: FlatText
    start: int
    """Flat place of its first character."""
    text: str
    label: str
    lead: str = ""
    """The sentence that opens the list it stands in (…部门履行下列职责：)."""

    def edge(self, kind: str, start: int, end: int, **more: object) -> GraphEdge:
        """Make an edge of the range ``[start, end)`` of the sentence."""
        span = self.flat.span(self.start + start, self.start + end)
        made = GraphEdge(kind, self.label, "", "provision", "", "", span, kind, 1.0)
        return replace(made, **more)  # type: ignore[arg-type]


class EdgeReader:
    """Finds the edges of one text; made once from the rule data."""

    def __init__(self, rules: Rules) -> None:
        words = {entry.code: entry.words for entry in rules.graph_words}
        lists = {f"{{{code}}}": "|".join(sorted(each, key=len, reverse=True)) for code, each in words.items()}
        self._rules: list[tuple[GraphRule, re.Pattern[str]]] = []
        for rule in rules.graph_rules:
            pattern = rule.pattern
            for name, alternatives in lists.items():
                pattern = pattern.replace(name, alternatives)
            self._rules.append((rule, re.compile(pattern)))
        self._subjects = SubjectReader(words)
        self._actors = ActorReader(words, self._subjects)
        self._authority = re.compile(f"(?:{lists['{heads}']}|单位|中心|公司|整顿组|站|直辖市)(?:（[^（）]*）)?$")
        self._sanction = re.compile(lists["{sanctions}"])
        self._places = sorted({w for p in rules.provinces for w in (p.name, *p.words())}, key=len, reverse=True)
        tables = repr([rules.graph_rules, rules.graph_words]).encode()
        self.version = f"{READER}-{hashlib.sha256(tables).hexdigest()[:12]}"
        """Changes with the rules and with the reader: what an older one found is read anew."""

    def edges(self, regulation: Regulation) -> tuple[GraphEdge, ...]:
        """Return the edges of a regulation in the order of their words, each once."""
        flat = flatten(regulation.text)
        found = [*self._between_texts(regulation, flat), *self._cited(regulation, flat)]
        said = {(e.kind, title_key(e.target)) for e in found}
        names = self._subjects.names(flat.text)
        for sentence in _sentences(regulation, flat):
            found += _unsaid(self._in_sentence(sentence, names), said)
        found = _once(found)
        found += _uses(regulation, flat, found)
        found += same_acts(regulation, flat, found)
        return tuple(sorted(dict.fromkeys(found), key=lambda e: (e.span, e.kind, e.source, e.target, e.target_label)))

    # --- between texts

    def _between_texts(self, regulation: Regulation, flat: FlatText) -> Iterator[GraphEdge]:
        for relation in regulation.relations:
            kind = RELATED.get(relation.kind)
            if kind is not None and relation.span is not None:
                target = relation.target_title or relation.target_number or ""
                yield GraphEdge(kind, "", "", "regulation", target, "", relation.span, "relations", 0.97)
        matter, title = self.matter(regulation.title), flatten(regulation.title).text
        at = flat.text.find(title)
        if matter and at >= 0:
            span = flat.span(at, at + len(title))
            yield GraphEdge("same_matter", "", "", "regulation", matter, "", span, "title_core", 0.9)

    def matter(self, title: str) -> str:
        """Return what a title is about, without whose rule it is and of what kind (大气污染防治); empty when too general."""
        core = re.sub(r"[（(][^（）()]*[）)]$", "", flatten(title).text)
        named = _IMPLEMENTS.search(core)
        if not (named or _RULE_TITLE.search(core)):
            return ""
        core = named["t"] if named else core
        core = core.removeprefix("中华人民共和国")
        place = next((p for p in self._places if core.startswith(p)), "")
        core = re.sub(r"^(?:壮族|回族|维吾尔)?(?:自治区|省|市|经济特区)", "", core[len(place) :])
        core = re.sub(r"^(?:关于|实施|中华人民共和国)+|[《》〈〉]", "", core)
        core = _TITLE_ENDS.sub("", core)
        return core if len(core) >= 3 else ""

    # --- what is cited

    def _cited(self, regulation: Regulation, flat: FlatText) -> Iterator[GraphEdge]:
        labels = _Labels(regulation)
        own = [r.span for r in regulation.relations if r.span is not None]
        pointed = cross_references(regulation.text, Span(0, len(regulation.text)))
        taken: set[int] = set()
        full = {name: titles[0] for name, titles in aliased_titles(regulation.text).items() if len(titles) == 1}
        for each in pointed:
            label = labels.at(each.span.start)
            kind = "penalises" if each.title is None and _is_violated(flat, each.span) else "cites"
            made = GraphEdge(
                kind, label, "", "provision", each.title or "", each.label, each.span, "provision_named", 0.98
            )
            taken.add(each.span.start)
            yield made
            yield from _further(flat, made)
        bases = [m.span("w" if m["w"] else "x") for m in _MADE_UNDER.finditer(flat.text)]
        for cited in _mentioned(regulation.text):
            before_provision = any(0 <= start - cited.span.end <= 2 for start in taken)
            own_name = ("简称", "称为", "统称", "下称", *(() if is_letter(regulation.title) else ("本",)))
            short = flat.text[: flat.place(cited.span.start)].endswith(own_name)
            if short or before_provision or any(span.contains(cited.span) for span in own):
                continue
            name = full.get(cited.title, cited.title) if cited.title else cited.number or ""
            numbered = not cited.title and (STANDARD.fullmatch(name) or UNDATED.fullmatch(name))
            target_kind = "standard" if numbered else "regulation"
            place = flat.place(cited.span.start)
            based = any(first <= place < last for first, last in bases)
            label = "" if based else labels.at(cited.span.start)
            kind = "based_on" if based else "cites"
            yield GraphEdge(kind, label, "", target_kind, name, "", cited.span, "title_named", 0.97)

    # --- in one sentence

    def _in_sentence(self, sentence: _Sentence, names: Sequence[str]) -> Iterator[GraphEdge]:
        text = sentence.text
        sources: list[tuple[int, int, str]] = []
        for each in self._subjects.statements(text, names, sentence.lead):
            sources.append((each.start, each.end, each.actor))
            yield sentence.edge("obliges", each.start, each.end, source=each.actor, rule=each.modal, confidence=0.95)
        imposed = False
        for rule, pattern in self._rules:
            if rule.kind == "penalises" and (imposed or self._sanction.search(text) is None):
                continue
            if not any(cue in text for cue in rule.cues):
                continue
            for match in pattern.finditer(text):
                made = self._matched(sentence, rule, match, sources)
                if made is not None:
                    imposed = imposed or rule.kind == "penalises"
                    yield made
                if rule.name == "sanctioned":
                    break
        for amount in quantities(text):
            kind = AMOUNTS.get(amount.kind)
            planned = text.startswith(("规划", "计划"), amount.span.end)
            relative = text.endswith(("近", "最后"), 0, amount.span.start) or _NEIGHBOUR.match(
                text, amount.span.start - 1
            )
            if kind is not None and not planned and not relative:
                target = amount.span.of(text)
                yield sentence.edge(
                    "states", *amount.span, target_kind=kind, target=target, rule="quantity", confidence=0.98
                )

    def _matched(
        self, sentence: _Sentence, rule: GraphRule, match: re.Match[str], said: Sequence[tuple[int, int, str]]
    ) -> GraphEdge | None:
        named = match.groupdict()
        start, end = match.span("w") if named.get("w") else match.span()
        source, target = bare(named.get("s") or ""), bare(named.get("t") or "")
        if rule.kind in ("supervises", "penalises") and "s" not in named:
            source = self._actors.of(sentence.text, rule.kind, start, said)
            if not source and rule.kind == "supervises":
                source = self._actors.before(sentence.text, sentence.lead)
            if is_own_work(sentence.text, start):
                return None
        if rule.kind == "delegates" and not target:
            target = named.get("d") or self._actors.of(sentence.text, rule.kind, match.start())
            target = target or self._actors.before(sentence.text, sentence.lead)
        unowned = rule.name == "otherwise_by_nobody"
        if (
            rule.kind in ("supervises", "delegates")
            and not unowned
            and self._authority.search(source or target) is None
        ):
            return None
        if rule.kind == "supervises" and _LEFT_UNDONE.search(sentence.text, 0, start):
            return None
        if rule.kind in ("supervises", "delegates") and _PRIVATE.search(source or target) and not _MIXED.search(source):
            return None
        target_kind = STATED.get(rule.name) or TARGETS.get(rule.kind, "provision")
        if rule.kind in WHOLE_TEXTS:
            target_kind, start, end = "regulation", match.start("t"), max(end, match.end("t"))
        if unowned:
            target_kind = "delegation"
        elif rule.kind == "delegates":
            source = _delegated(sentence.text, match)
            if source.endswith("的") and _SETTLED.search(match[0]):
                return None
        if rule.kind == "delegates":
            made = _MADE.sub("", named.get("n") or "")
            source, target = made or source, re.sub("^.*授权(?!的)", "", target)
        more = {"source": source, "target": target, "target_kind": target_kind}
        return sentence.edge(rule.kind, start, end, rule=rule.name, confidence=rule.confidence, **more)


def _mentioned(text: str) -> list[CitedText]:
    """Return what a text names anywhere: titles, numbers, standards also without their year (GB/T 19964)."""
    dated = titles_everywhere(text)
    spans = [Span(*match.span()) for match in UNDATED.finditer(text)]
    taken = {cited.span.start for cited in dated}
    return dated + [CitedText("", " ".join(s.of(text).split()), s) for s in spans if s.start not in taken]


def _delegated(sentence: str, match: re.Match[str]) -> str:
    """Return what is left to another to make (试验的具体办法): the words before its maker, else those after 制定."""
    named = match.start("t") if "t" in match.re.groupindex else 0
    place = named - 1 if named and sentence.startswith("由", named - 1) else match.start()
    before = re.split("[，；：]", sentence[:place].rstrip("，"))[-1].removesuffix("，")
    after = re.match("[^，。；：]{2,60}", sentence[match.end() :])
    return before[-_LONGEST_NAME:] if len(before) > 1 else after[0] if after else ""


def _once(found: Sequence[GraphEdge]) -> list[GraphEdge]:
    """Return edges without those that say what a longer one of the same kind and ends says of the same words."""
    kept: list[GraphEdge] = []
    for edge in sorted(found, key=lambda e: e.span.start - e.span.end):
        same = (
            k
            for k in kept
            if edge.kind in _ONCE
            and (k.kind, k.target) == (edge.kind, edge.target)
            and (k.source == edge.source or edge.kind == "delegates")
        )
        if not any(k.span.start < edge.span.end and edge.span.start < k.span.end for k in same):
            kept.append(edge)
    return kept


def _unsaid(found: Iterable[GraphEdge], said: set[tuple[str, str]]) -> Iterator[GraphEdge]:
    """Yield edges but for ties between texts that the relations of the text state already, each of these once."""
    read = list(found)
    bases = [edge.span for edge in read if edge.kind == "based_on"]
    for edge in read:
        if edge.kind in ("implements", "based_on"):
            if (edge.kind, title_key(edge.target)) not in said:
                yield replace(edge, label="")
        elif edge.rule != "law_by_name" or edge.span not in bases:
            yield edge


def _is_violated(flat: FlatText, span: Span) -> bool:
    """Tell whether a provision is named as the one that was broken (违反本条例第五条规定)."""
    at = flat.place(span.start)
    return _VIOLATED.search(flat.text, max(0, at - 14), at) is not None


def _further(flat: FlatText, first: GraphEdge) -> Iterator[GraphEdge]:
    """Yield an edge for every further part of the article that an edge points to."""
    place = flat.place(first.span.end)
    while match := _NEXT.match(flat.text, place):
        number, depth = parse_number(match["n"]), 1 if match["u"] == "款" else 2
        parts = first.target_label.split("-")
        if number is None or len(parts) <= depth:
            return
        label = "-".join([*parts[:depth], str(int(number))])
        yield replace(first, target_label=label, span=flat.span(match.start() + 1, match.end()))
        place = match.end()


class _Labels:
    """Which provision a place stands in: the smallest that has a label of an article, 款 or 项."""

    def __init__(self, regulation: Regulation) -> None:
        self._regulation = regulation

    def at(self, place: int) -> str:
        """Return its label, empty outside every provision."""
        chain = self._regulation.chain(Span(place, place + 1))
        return chain[-1].label if chain else ""


def _sentences(regulation: Regulation, flat: FlatText) -> Iterator[_Sentence]:
    """Yield the sentences of each provision's own words, headings and notes left out."""
    broken: int | None = None
    for node, lead in _with_leads(regulation.provisions, "", flat):
        end = node.children[0].span.start if node.children else node.span.end
        first, last = flat.place(node.span.start), flat.place(end)
        number = _NUMBER.match(flat.text[first:last]) if node.number else None
        start = first + (number.end() if number else 0)
        if broken is not None and _GOES_ON.match(flat.text, start):
            start = broken
        broken = None
        while start < last:
            stop = _SENTENCE.search(flat.text, start, last)
            close = stop.end() if stop else last
            text = flat.text[start : min(close, start + _LONGEST)]
            yield _Sentence(flat, start, text, node.label, lead)
            if stop is None and node.level is Level.PARAGRAPH and _UNMARKED.search(text):
                broken = start
            lead = text
            start = close


def _with_leads(nodes: Sequence[Provision], lead: str, flat: FlatText) -> Iterator[tuple[Provision, str]]:
    """Yield provisions that hold sentences with the words that open them: the last sentence or the heading of what holds them."""
    for node in nodes:
        opening = ""
        if node.level not in HEADINGS:
            yield node, lead
            if node.children:
                own = flat.text[flat.place(node.span.start) : flat.place(node.children[0].span.start)]
                opening = _SENTENCE.split(_NUMBER.sub("", own).rstrip("。！？"))[-1]
        yield from _with_leads(node.children, opening, flat)


def _uses(regulation: Regulation, flat: FlatText, found: Sequence[GraphEdge]) -> Iterator[GraphEdge]:
    """Yield the first use of each defined term in every article but the one that defines it."""
    terms = {e.target: e for e in found if e.kind == "defines" and 2 <= len(e.target) <= 30}
    if not terms:
        return
    pattern = re.compile("|".join(map(re.escape, sorted(terms, key=len, reverse=True))))
    for node in regulation.walk():
        if node.level is not Level.ARTICLE:
            continue
        first, last = flat.place(node.span.start), flat.place(node.span.end)
        seen: set[str] = set()
        for match in pattern.finditer(flat.text, first, last):
            term = match[0]
            if term in seen or node.span.contains(terms[term].span):
                continue
            seen.add(term)
            span = flat.span(*match.span())
            yield GraphEdge("uses_term", node.label, "", "term", term, "", span, "term_used", 0.97)
