"""The held texts as an audit needs them: by name, by day, unit by unit in the form of comparison (对照库)."""

import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from nemo import lawview
from nemo.answer.provisions import find
from nemo.answer.question.titles import TitleFinder
from nemo.audit.keyed import KeyedText, in_order, keyed
from nemo.rules import SynonymGroup
from nemo.store.catalogue.rows import RegulationRow
from nemo.store.library import Library
from nemo.text.words.normalise import normalise, squash, title_key
from nemo.text.words.tokenise import terms as terms_of
from nemo.types import AddressRange, Filters, Level, Provision, Regulation, Span

_KEPT = 64
"""Texts kept in the form of comparison."""
_CANDIDATES = 12
"""Chunks of other texts that are looked at for one quotation."""
_NOTICE = re.compile(
    r"^(?P<head>.{0,60}?关于(?:印发|发布|公布|颁发|下发))[《〈<＜]?(?P<title>.{1,120}?)[》〉>＞]?的?(?:通知|公告)$"
)
_IS_DRAFT = re.compile(r"[（(][^（()）]{0,6}(?:征求意见|送审|草案)[^（()）]{0,6}[)）]")
_DIGITS = re.compile(r"[\s\[\]()〔〕（）【】第-]|中华人民共和国")


@dataclass(frozen=True, slots=True)
class HeldUnit:
    """An article, or what stands for one in a text without articles."""

    provision: Provision
    words: KeyedText


@dataclass(frozen=True, slots=True)
class HeldText:
    """One held text."""

    row: RegulationRow
    regulation: Regulation
    units: tuple[HeldUnit, ...]
    whole: KeyedText


class HeldTexts:
    """The library for one audit."""

    def __init__(
        self, library: Library, law: lawview.LawOverview, names: TitleFinder, synonyms: Sequence[SynonymGroup] = ()
    ) -> None:
        self._library = library
        self._groups = synonyms
        self._law = law
        self._names = names
        self._rows = {r.id: r for r in library.rows()}
        self._by_number: dict[str, list[str]] = {}
        for row in self._rows.values():
            if row.document_number:
                self._by_number.setdefault(_number_key(row.document_number), []).append(row.id)
        self._texts: OrderedDict[str, HeldText] = OrderedDict()

    @property
    def numbers(self) -> list[str]:
        """Held document numbers in their search form, longest first."""
        found = {normalise(r.document_number).text for r in self._rows.values() if r.document_number}
        return sorted(found, key=lambda n: (-len(n), n))

    def row(self, regulation_id: str) -> RegulationRow | None:
        """Return a held row."""
        return self._rows.get(regulation_id)

    def by_number(self, number: str) -> list[RegulationRow]:
        """Return the texts of a document number or standard."""
        key = _number_key(number)
        exact = self._by_number.get(key, [])
        if not exact and re.match(r"[A-Za-z]", number):
            exact = [i for i, r in self._rows.items() if key in _number_key(f"{r.title} {r.file}")]
        return [self._rows[i] for i in exact]

    def by_title(self, title: str) -> list[RegulationRow]:
        """Return every version of a title, the rule and its covering notice together, newest first."""
        ids = list(self._law.find(title, None)) or list(self._names.ids(title_key(title)))
        if inner := _NOTICE.match(title):
            ids += self._law.find(inner["title"], None) or self._names.ids(title_key(inner["title"]))
        ids = ids or list(self._by_another_word(title)) or self._with_issuer(title) or self._draft(title)
        ids = ids or self._interpretation(title)
        rows = [self._rows[i] for i in dict.fromkeys(ids) if i in self._rows]
        return self.together(rows)

    def _draft(self, title: str) -> list[str]:
        """Return the drafts of a title that says it is one (…（征求意见稿）), whatever else stands behind it where held."""
        found = self._names.ids(title_key(_IS_DRAFT.sub("", title))) if _IS_DRAFT.search(title) else ()
        return [i for i in found if i in self._rows and self._rows[i].nature == "draft"]

    def _interpretation(self, title: str) -> list[str]:
        """Return the judicial interpretation that a short name leaves characters out of (施工合同司法解释（一）)."""
        short = title_key(title.replace("司法解释", "解释")) if "司法解释" in title else ""
        keys = {i: title_key(r.title) for i, r in self._rows.items() if short and "法院" in r.title}
        found = [i for i, key in keys.items() if in_order(short, key) and key[-2:] == short[-2:]]
        return found if len({keys[i] for i in found}) == 1 else []

    def _with_issuer(self, title: str) -> list[str]:
        """Return the one paper whose title says who issued it before these words (关于…的通知)."""
        key = title_key(title)
        found = [r for r in self._rows.values() if key.startswith("关于") and title_key(r.title).endswith(key)]
        return [r.id for r in found] if len({r.document_number for r in found}) == 1 else []

    def _by_another_word(self, title: str) -> tuple[str, ...]:
        """Return the text whose title says the same with another word of the field (绿证 for 绿色电力证书)."""
        words = (
            (term, other) for group in self._groups for term in group.terms if term in title for other in group.terms
        )
        found = (self._names.ids(title_key(title.replace(term, other))) for term, other in words)
        return next((ids for ids in found if ids), ())

    def together(self, rows: Sequence[RegulationRow]) -> list[RegulationRow]:
        """Add the rule that a notice brings, and every version of the works; newest first."""
        same = {r.sha256 for r in rows}
        more = [r for r in self._rows.values() if r.sha256 in same]
        works = [v for r in more for v in self._law.versions(r.id)]
        unique = {r.id: r for r in [*rows, *more, *works]}
        return sorted(unique.values(), key=_order, reverse=True)

    def text(self, row: RegulationRow) -> HeldText:
        """Return a text unit by unit."""
        held = self._texts.get(row.id)
        if held is None:
            regulation = self._library.regulation(row.id)
            units = tuple(HeldUnit(p, keyed(regulation.text, p.span)) for p in units_of(regulation))
            held = self._texts[row.id] = HeldText(row, regulation, units, keyed(regulation.text))
            while len(self._texts) > _KEPT:
                self._texts.popitem(last=False)
        self._texts.move_to_end(row.id)
        return held

    def provisions(self, row: RegulationRow, asked: AddressRange) -> tuple[Provision, ...]:
        """Return what an address means in a text; empty where it has no such provision."""
        return find(self.text(row).regulation, asked).provisions

    def by_label(self, row: RegulationRow, path: str) -> tuple[Provision, ...]:
        """Return a dotted clause or a place of an outline; of ``(五)`` every one that is numbered so."""
        units = list(self.text(row).regulation.walk())
        if path.startswith("("):
            named = (p for p in units if p.level is Level.OUTLINE)
            return tuple(p for p in named if normalise(squash(p.number)).text == path)
        found = [p for p in units if p.label == path or squash(p.number).rstrip(".、") == path]
        if not found and not path[0].isdigit():
            found = [p for p in units if p.level is Level.OUTLINE and p.label.endswith(path)]
        return tuple(found[:1])

    def elsewhere(self, words: str, but: Sequence[str]) -> list[HeldText]:
        """Return other held texts in which words may stand, best first."""
        terms = terms_of(normalise(words).text)
        found = self._library.lexical(terms, _CANDIDATES, Filters())
        ids = dict.fromkeys(chunk_id.partition(":")[0] for chunk_id, _ in found)
        return [self.text(self._rows[i]) for i in list(ids)[:6] if i in self._rows and i not in but]


def units_of(regulation: Regulation) -> list[Provision]:
    """Return the articles of a text, or the innermost clauses of one without articles."""
    articles = [p for p in regulation.walk() if p.level is Level.ARTICLE]
    if articles:
        return articles
    outline = [p for p in regulation.walk() if p.level is Level.OUTLINE]
    return [p for p in outline if not any(c.level is Level.OUTLINE for c in p.children)] or list(regulation.provisions)


def smallest(regulation: Regulation, span: Span) -> Provision | None:
    """Return the smallest provision with a legal path around a place."""
    chain = regulation.chain(span)
    named = [p for p in chain if p.path() and p.level is not Level.PREAMBLE]
    return named[-1] if named else None


def _order(row: RegulationRow) -> str:
    known = row.validity
    return str(row.version_date or known.promulgated or known.effective or "")


def _number_key(number: str) -> str:
    return _DIGITS.sub("", normalise(number).text).upper()
