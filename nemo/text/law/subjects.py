"""Who a sentence is about: the subject of 应当, 不得, 可以 (行为主体).

A Chinese legal sentence names its subject at the head of a clause (电网企业应当…) or once for several (…人发现…的，应当…).
Where the head of the clause says nobody, the nearest clause before it in the same sentence is asked, and no other sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

MODALS = "应当|必须|不得|禁止(?![^，。；]{0,6}(?:目录|名录|清单|区域)|(?<=国家禁止)[^，。；]{1,16}的)|严禁|可以|(?<![所占持享共])有权(?![属利益限机威人])|方可|(?<![必无毋还仍])须(?![知要臾])"
"""立法技术规范: words of duty, prohibition and permission."""
_MODAL = re.compile(MODALS)
_LONGEST = 160
_DESCRIBED = 30
"""Characters from the last 的 of a described subject to its end."""
_CONNECTIVE = re.compile(r"^(?:但是?|同时|并且|因此|其中|此外|确需|需要|属于)?[，]?")
_NO_SUBJECT = re.compile(
    r"(?:在|对(?!外(?:贸易|经济|投资|承包))|除|自(?!然资源|然人)|向|根据|按照|依照|依据|违反|有(?!关)|未|因|为|经(?!济|营|贸)|当|凡|如|若|除|前|符合|需|发生|超过|逾期|情节|构成|造成|本|由|将|向|给|维护|遵守|履行|尊重|危害|损害|妨碍|破坏|"
    r"(?:或者|并|且|以及)?(?:发现|认为|收到|接到|拒不|拒绝|擅自|要求|确需|未经|通过|进行|采取|取得|不|没有|可能|已经|仍|经过))"
)
_ADVERB = re.compile(r"(?:还|也|均|都|亦|仍|只|一般|原则上|至少|随时|每年|每月|每季度)$")
"""Stands between a subject and its modal word and says nothing of either."""
_BANNED = ("禁止", "严禁")
_JUDGED = re.compile(r"认定为|从[重宽轻]|减轻|不起诉|依照刑法|以[^，。；]{1,12}论处|数罪并罚|(?:予以|不予)支持")
"""What a court does: a sentence of a judicial interpretation names the accused, not who must judge."""
_WITHIN = re.compile(r"^在[^，。；：]{1,24}[内中下]$")
_IN_CHARGE = re.compile("对[^，]{1,30}(?:负有|负责)[^，]{1,20}的")
_AGENT = (
    "(?<=[一-龥]{2})人(?![员民工口身力才类为数均物事文防造体士生大家群种])|(?<=[一-龥]{2})(?<!或)者(?!的)|大会(?!议)"
)
"""People and bodies named after what they do (汇交人, 使用者), of which no list is complete."""
_ASIDE = re.compile("[将把由给]|对(?!外(?:贸易|经济|投资|承包))")
"""Opens a clause whose first noun is not its subject."""
_NOTE = re.compile(r"（(?:以下|下)[^（）]*）")
_NOBODY = re.compile(
    r"(?:不|未)[^的]*$|(?:并|报|与|积极|责令|应当|.*(?<!自)由|经(?![济贸信营]))|.{0,20}[前后并且]经(?![济贸信营])"
)
"""No subject though it ends in one: who is told, asked, or has to agree (不一次告知申请人, 起诉前经人民政府)."""
_ATTRIBUTE = re.compile(r"(?:对不?|将|把|(?<!行)为|是|的|认为|规定|要求|责令|属于|包括|其他?|以及|等|是否)$")


@dataclass(frozen=True, slots=True)
class Statement:
    """A modal word with its subject, places in the sentence."""

    actor: str
    modal: str
    start: int
    """Where the subject begins."""
    end: int
    """Where the clause group ends."""


class SubjectReader:
    """Reads subjects with one set of word lists; thread-safe."""

    def __init__(self, words: Mapping[str, Sequence[str]]) -> None:
        heads = "|".join(sorted({*words["heads"], *words["parties"]}, key=len, reverse=True))
        opener = "|".join(sorted(words["openers"], key=len, reverse=True))
        party = rf"(?:(?<!或)(?:{heads}|{_AGENT}))(?:（[^（）]{{1,40}}）)?"
        more = rf"(?>(?:、|和|及其?|与|或者?|以及)[^，。；：]{{0,30}}?{party}){{0,15}}+"
        self._before = re.compile(rf"^(?P<a>[^，。；：]{{0,120}}?{party}{more})(?:(?:{opener})(?!的)|{MODALS}|$)")
        self._ends = re.compile(f"(?:{heads}|{_AGENT})$")
        self._last = re.compile(rf"^(?P<a>[^，。；：的]{{0,60}}(?:{heads}|{_AGENT}))(?=[^，。；：的][^，。；：])")
        self._acting = re.compile(rf"(?:{heads}|{_AGENT})(?:{opener})")
        self._opening = re.compile(rf"^(?P<a>[^，。；：的]{{0,30}}?{party}{more})(?!的)")

    def statements(self, sentence: str) -> Iterator[Statement]:
        """Yield what a sentence in its flat form obliges, forbids and allows whom."""
        for match in _MODAL.finditer(sentence):
            found = self._subject(sentence, match.start())
            if found is not None and not _NOBODY.match(found[1]) and not _JUDGED.match(sentence, match.end()):
                stop = re.compile("[；。：]").search(sentence, match.end())
                yield Statement(_NOTE.sub("", found[1]), match[0], found[0], stop.start() if stop else len(sentence))

    def _subject(self, sentence: str, modal: int) -> tuple[int, str] | None:
        start = max(sentence.rfind(mark, 0, modal) for mark in "，；：") + 1
        clause = _ADVERB.sub("", sentence[start:modal])
        banned = sentence.startswith(_BANNED, modal) and _MODAL.search(clause) is not None
        if banned or _ATTRIBUTE.search(clause) or len(clause) > _LONGEST:
            return None
        skipped = _CONNECTIVE.match(clause)
        lead = skipped.end() if skipped else 0
        found = self._before.match(clause[lead:])
        if found is not None and (not _ASIDE.match(clause, lead) or _IN_CHARGE.match(clause, lead)):
            return start + lead, found["a"]
        if _ASIDE.match(clause, lead):
            return None
        return None if clause[lead:] and not _NO_SUBJECT.match(clause, lead) else self._earlier(sentence, start - 1)

    def _earlier(self, sentence: str, end: int) -> tuple[int, str] | None:
        """Look for the subject in the clauses before, the nearest first."""
        while end > 0:
            start = max(sentence.rfind(mark, 0, end) for mark in "，；：") + 1
            clause = sentence[start:end]
            skipped = _CONNECTIVE.match(clause)
            lead = skipped.end() if skipped else 0
            if clause.startswith("由"):
                return None
            if self._described(clause, lead):
                return start + lead, clause[lead:]
            if not _NO_SUBJECT.match(clause, lead):
                found = self._before.match(clause[lead:]) or self._conditional(clause, lead)
                if found is not None and _MODAL.search(found["a"]) is None:
                    return start + lead, found["a"]
            end = start - 1
        return None

    def _described(self, clause: str, lead: int) -> bool:
        """Tell whether a clause is nothing but a subject with what it is known by (负有职责的部门，应当…)."""
        of = clause.rfind("的", lead)
        aside = _ASIDE.match(clause, lead) and not _IN_CHARGE.match(clause, lead)
        near = of >= 0 and len(clause) - of <= _DESCRIBED and not aside and clause[lead] not in "为是"
        return near and self._ends.search(clause, of) is not None

    def _conditional(self, clause: str, lead: int) -> re.Match[str] | None:
        """Read the subject of a condition (职工发生…的，应当…), of which no list of verbs is complete."""
        if clause.endswith(("的", "时", "后", "前")):
            return self._opening.match(clause[lead:])
        last = None if "的" in clause else self._last.match(clause[lead:])
        return None if last is None or self._acting.search(last["a"]) else last

    def before(self, sentence: str, place: int) -> str:
        """Return who does what a sentence states without a modal word (…部门依照…，对…实施监督检查); empty: nobody named."""
        start = max(sentence.rfind(mark, 0, place) for mark in "，；：") + 1
        clause = _WITHIN.sub("", sentence[start:place])
        skipped = _CONNECTIVE.match(clause)
        lead = skipped.end() if skipped else 0
        found = self._before.match(clause[lead:]) if not _ASIDE.match(clause, lead) else None
        if found is None and not clause[lead:]:
            earlier = self._earlier(sentence, start - 1)
            return _NOTE.sub("", earlier[1]) if earlier else ""
        return _NOTE.sub("", found["a"]) if found else ""
