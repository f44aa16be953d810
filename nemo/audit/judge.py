"""The verdict on one citation and what is tied to it (判定)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from nemo.audit.citations import CitationReader
from nemo.audit.claims import MemoClaim, TextClaim
from nemo.audit.comparison.scope import ClaimScope, ScopeVerdict
from nemo.audit.finding import CitedPlace, MemoFinding, MemoVerdict, TruePlace, number_of, place_in
from nemo.audit.holdings import HeldTexts
from nemo.audit.keyed import in_order, keyed
from nemo.audit.quotations import quotation
from nemo.audit.resolve import Resolved, Resolver
from nemo.audit.sayings import saying
from nemo.store.catalogue.rows import RegulationRow
from nemo.text.letter.titles import in_marks
from nemo.text.words.normalise import normalise
from nemo.types import Day, Level, Provision

_MARKS = re.compile(
    r"^[A-Za-z]{1,3}[-.]?\d{1,4}[\s|]{1,9}|[\n|] ?(?:(?![级可应不须免部局厅府无一二三四五六七八九十两半])[\u4e00-\u9fa5]){1,2} ?(?=[\n|]|$)"
)
"""The number of a row, and a cell in which a memo rates or ticks (R-05, 高, 满足): no words of the law."""
_CELLS = re.compile(r"[ \t\u3000]{0,9}[|\n][\s|]*(?P<says>(?=[由应须]|不得|可以|必须))?")
"""Between the cells of a row; where the next one says something of the one before, nothing parts them."""
_LABEL = 10
"""Characters of a first cell that names what its row is of (汇交期限)."""
_OTHERS = re.compile(
    "(?:(?:对方|有人|有观点|贵方|原告|被告|旧稿|初稿|原稿|网传)[^。；]{0,12}|误)(?:称|以为|认为|主张|提出|写[为作成]|理解|解读)"
)
_REJECTED = re.compile(
    "不符|相悖|不成立|[没无]有?[^，。；没无]{0,4}(?:依据|根据)|错误|误读|误解|有误|违背|不能成立|站不住|并非如此|并[未无][^，。；]{0,6}规定"
)
"""Words of somebody else that the memo itself rejects: they are not judged as its own."""
_REPLIED = re.compile("^[^。]{2,80}?[，：](?:不(?:准确|正确|接受|同意|认可|成立)|有误|错误|应更正为?)[，：]")
"""The other side's words in a row, which the next cell rejects (不准确：…)."""
_WIDE = str.maketrans("()[]", "（）〔〕")
"""The brackets of a title as Chinese print has them: citations are read with narrow ones."""
_CITES = re.compile("^(?:依据|根据|依照|按照|参照|参见|[依按据见])(?=[^《]{1,20}[〔（])")
"""The verb in front of a bare number (依国发〔2019〕3号)."""
_TOLD = "所引条款存在且当日有效；转述未逐字核对，只比对了数值、主体、情态与条件，未见不符，定稿前请对照原文。"
"""What was compared of words that are not those of the law."""
_LONGEST = 400
"""Characters of a provision that a finding repeats."""
_ORDER = (MemoVerdict.NOT_IN_FORCE, MemoVerdict.WRONG_PROVISION, MemoVerdict.TEXT_DIFFERS, MemoVerdict.CANNOT_CHECK)


def _between(match: re.Match[str]) -> str:
    label = match.start() <= _LABEL and not re.search("[，。；：,;:]", match.string[: match.start()])
    return "" if match["says"] is not None else "：" if label else "，"


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges the citations of one memo."""

    reader: CitationReader
    holdings: HeldTexts
    resolver: Resolver
    day: Day

    def finding(self, found: Resolved, claims: Sequence[MemoClaim]) -> MemoFinding:
        """Return the finding of one citation."""
        ruling = self._ruling(found, claims)
        text = self.reader.memo.text
        spans = [self.reader.form.original(part) for c in claims for part in c.parts()]
        stated = [self.reader.form.original(c.span) for c in found.stated]
        spans += [s for s in stated if not any(c.contains(s) for c in spans)]
        row = ruling.cited or found.row
        articles = tuple(dict.fromkeys(n for r in _numbers(found) for n in r))
        label = found.citation.span.of(text)
        cited = CitedPlace(row.file if row else None, articles, label)
        return MemoFinding(
            label, found.citation.span, ruling.verdict, cited, ruling.true, tuple(sorted(spans)), ruling.message
        )

    def _ruling(self, found: Resolved, claims: Sequence[MemoClaim]) -> ScopeVerdict:
        if not found.known:
            return ScopeVerdict(MemoVerdict.CANNOT_CHECK, None, "这里回指前文，但前文没有可对应的法规，无法核验。")
        name = in_marks(found.title.translate(_WIDE)) if found.title else found.citation.span.of(self.reader.memo.text)
        name = _CITES.sub("", name)
        if not found.rows:
            return ScopeVerdict(MemoVerdict.NOT_HELD, None, f"库内未收{name}，无法核验其内容。")
        row = found.row
        if row is None:
            return ScopeVerdict(MemoVerdict.NOT_HELD, None, f"库内未收{name}的 {found.citation.year} 年版本。")
        for step in (self._number, self._missing, self._force, self._stated):
            if (ruling := step(found, row)) is not None:
                return ruling
        return self._claimed(found, row, claims)

    def _number(self, found: Resolved, row: RegulationRow) -> ScopeVerdict | None:
        """Return the ruling on a document number that is not this text's."""
        number = found.citation.number
        if number is None or any(r.id in {x.id for x in found.rows} for r in self.holdings.by_number(number)):
            return None
        right = row.document_number
        if right is None:
            ended = re.search(
                rf"{re.escape(number)}[^。；]{{0,12}}废止", normalise(self.holdings.text(row).regulation.text).text
            )
            why = f"所引{number}的版本已被现行文本废止"
            return self._superseded(row, found.provisions, found, why) if ended else None
        true = self._place(row, (), right)
        return ScopeVerdict(
            MemoVerdict.TEXT_DIFFERS, true, f"文号不符：{in_marks(row.title)}的文号是{right}，不是{number}。"
        )

    def _missing(self, found: Resolved, row: RegulationRow) -> ScopeVerdict | None:
        if not found.missing:
            return None
        if not found.named:
            for other in found.rows:
                older = self.resolver.at(other, found) if other.id != row.id else ()
                if older and not self._in_force(other, found):
                    return self._superseded(other, older, found, "所引条号出自旧版本")
        units = [u.provision for u in self.holdings.text(row).units if u.provision.level is Level.ARTICLE]
        extent = f"共 {len(units)} 条" if units else "不分条"
        return ScopeVerdict(
            MemoVerdict.NO_SUCH_PROVISION, None, f"{in_marks(row.title)}没有所引条款（该文本{extent}）。"
        )

    def _in_force(self, row: RegulationRow, found: Resolved, labels: Sequence[str] = ()) -> bool:
        day = found.day or self.day
        if row.nature == "draft":
            return False
        return all(row.validity.on(day, label).may_answer for label in (labels or (None,)))

    def _force(self, found: Resolved, row: RegulationRow) -> ScopeVerdict | None:
        labels = [p.label for p in found.provisions if p.level in (Level.ARTICLE, Level.PARAGRAPH, Level.ITEM)]
        if self._in_force(row, found, labels) or found.citation.ended:
            return None
        day = found.day or self.day
        if row.nature == "draft":
            return ScopeVerdict(MemoVerdict.NOT_IN_FORCE, None, f"{in_marks(row.title)}是征求意见稿，不是现行法规。")
        status = row.validity.on(day)
        return self._superseded(row, found.provisions, found, f"{day} 时{status.value}")

    def _superseded(
        self, row: RegulationRow, provisions: tuple[Provision, ...], found: Resolved, why: str
    ) -> ScopeVerdict:
        """Rule that a version is not law of the day; the place of its words in the text that is, where held."""
        day = found.day or self.day
        now = next(
            (
                r
                for r in found.rows
                if r.id != row.id and r.nature != "draft" and r.articles and r.validity.on(day).may_answer
            ),
            None,
        )
        if now is None and row.validity.ended_by:
            now = self.holdings.row(row.validity.ended_by)
        true = self._likest(now, row, provisions) if now is not None else None
        instead = f"；现行为{in_marks(true.title)}{true.label}" if true else ""
        until = f"（{last}）" if (last := row.validity.until) else ""
        return ScopeVerdict(MemoVerdict.NOT_IN_FORCE, true, f"{in_marks(row.title)}{until}：{why}{instead}。", row)

    def _likest(self, now: RegulationRow, old: RegulationRow, provisions: tuple[Provision, ...]) -> TruePlace:
        text = self.holdings.text(now)
        if not provisions:
            return self._place(now, (), "")
        words = keyed(self.holdings.text(old).regulation.text, provisions[0].span)
        best = max(text.units, key=lambda u: (u.words.covers(words) + words.covers(u.words), -u.provision.span.start))
        alike = best.words.covers(words) >= 0.3
        return self._place(now, (best.provision,) if alike else (), "")

    def _place(self, row: RegulationRow, provisions: tuple[Provision, ...], value: str) -> TruePlace:
        text = self.holdings.text(row).regulation.text
        words = "\n".join(p.span.of(text).strip() for p in provisions)[:_LONGEST]
        made = place_in(row, provisions, words)
        return TruePlace(made.file, made.title, made.articles, made.label, made.wording, value or None)

    def _stated(self, found: Resolved, row: RegulationRow) -> ScopeVerdict | None:
        """Return the ruling on a day or an authority that is not this text's."""
        for claim in found.stated:
            right = _right_value(claim, row)
            if right is not None:
                said = self.reader.form.original(claim.span).of(self.reader.memo.text)
                message = f"{claim.fact}不符：{in_marks(row.title)}应为{right}，文稿写作“{said}”。"
                return ScopeVerdict(MemoVerdict.TEXT_DIFFERS, self._place(row, found.provisions, right), message)
        return None

    def _claimed(self, found: Resolved, row: RegulationRow, claims: Sequence[MemoClaim]) -> ScopeVerdict:
        others = [r for r in found.rows if r.id != row.id] if not found.named else []
        older = [
            (self.holdings.text(r), at) for r in others
            if not self._in_force(r, found) and (at := self.resolver.at(r, found) or ())
        ]  # fmt: skip
        scope = ClaimScope(self.holdings, self.holdings.text(row), found.provisions, tuple(older))
        rulings = [self._of_claim(scope, claim) for claim in claims]
        wrong = [r for r in rulings if r is not None and r.verdict is not MemoVerdict.MATCH]
        if wrong:
            worst = min(wrong, key=lambda r: _ORDER.index(r.verdict))
            if worst.verdict is MemoVerdict.NOT_IN_FORCE and worst.cited is not None:
                old = next(at for text, at in older if text.row.id == worst.cited.id)
                return self._superseded(worst.cited, old, found, "文稿所述是旧版本的文字")
            return worst
        proven = next((r for r in rulings if r is not None and r.true is not None), None)
        true = proven.true if proven else self._place(row, found.provisions, "")
        cited = scope.cited().key
        told = [c for c in claims if not c.quoted and keyed(self._words(c)).key not in cited]
        what = "所引文字与原文一致。" if claims and not told else _TOLD if told else "所引条款存在且当日有效。"
        return ScopeVerdict(MemoVerdict.MATCH, true, what)

    def _words(self, claim: MemoClaim) -> str:
        """Return the memo's words of a claim, cells of a row as one sentence."""
        memo = self.reader.memo
        words = "，".join(self.reader.form.original(part).of(memo.text) for part in claim.parts())
        words = words.replace("\n", "") if memo.printed else _CELLS.sub(_between, _MARKS.sub("", words.strip(" |\n")))
        return re.sub(
            "[?？](?=.)", "，", words if memo.printed else _REPLIED.sub("", words)
        )  # a question with its answer

    def _of_claim(self, scope: ClaimScope, claim: MemoClaim) -> ScopeVerdict | None:
        text, words = self.reader.form.text, self._words(claim)
        here = self.reader.sentence(claim.span.end)
        around = text[self.reader.sentence(claim.span.start).start : here.end]
        if (others := _OTHERS.search(around)) and _REJECTED.search(around, others.end()):
            return None
        follows = re.match(r"但|上述|法律|前述", text[here.end :])
        after = text[claim.span.end : self.reader.sentence(here.end).end if follows else here.end]
        return quotation(scope, words, after) if claim.quoted else saying(scope, words, after)


def _numbers(found: Resolved) -> list[list[int | str]]:
    """Return the articles a citation writes, whether they exist or not."""
    if found.provisions and not found.missing:
        return [[_article_number(p)] for p in found.provisions]
    out: list[list[int | str]] = []
    for asked in found.asked:
        steps = [next((s for s in a.steps if s.level is Level.ARTICLE), None) for a in (asked.first, asked.last) if a]
        named = [s for s in steps if s is not None]
        if named and named[0].insertion:
            out.append([f"{named[0].number}.{named[0].insertion}"])
        else:
            out.append(list(range(named[0].number, named[-1].number + 1)) if named else [])
    return out or ([[found.path]] if found.path else [])


def _article_number(provision: Provision) -> int | str:
    if provision.level is Level.ARTICLE:
        return number_of(provision)
    head = provision.label.split("-")[0]
    return (
        int(head)
        if head.isdigit() and provision.level is not Level.OUTLINE
        else head
        if "." in head and provision.level is not Level.OUTLINE
        else provision.label
    )


def _right_value(claim: TextClaim, row: RegulationRow) -> str | None:
    """Return what a stated day or authority should be, None where it is right or not known."""
    known = row.validity
    if claim.fact == "机关":
        if not row.issuer:
            return None
        held = normalise(row.issuer).text
        said = normalise(claim.organ).text
        return None if all(_same_organ(o, held) for o in re.split("[、和及与]", said) if o) else row.issuer
    begins, issued = (known.effective, known.first_effective), (known.promulgated, row.version_date)
    days = {day for day in (begins if claim.fact == "施行" else issued) if day is not None}
    if not days or claim.day in days:
        return None
    return "、".join(sorted(str(d) for d in days))


def _same_organ(said: str, held: str) -> bool:
    """Tell whether a body is one of those that issued a text; abbreviations leave characters out."""
    return any(
        said in organ or organ in said or (len(said) >= 3 and in_order(said, organ))
        for organ in re.split("[、,]", held)
    )
