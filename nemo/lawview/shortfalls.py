"""What the library lacks, and how much it hurts: one list of every kind of gap (缺口).

The weight of a gap is how often it stands in the way: texts that refer to what is missing, and quotes in stored answers
that rest on the text that has the gap.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from nemo.lawview.ledger import MissingReference
from nemo.store.catalogue.rows import RegulationRow
from nemo.text.letter.titles import in_marks
from nemo.text.words.days import plus_years
from nemo.text.words.normalise import title_key
from nemo.types import Day, Level, Reason, Refusal, Regulation, RelationKind, Status

NOT_HELD, ANNEX, DELEGATED, BASIS, DERIVED, TERM, REFUSED = (
    "引用而未入库", "附件未入库", "授权另定而未见", "上位法已修改", "施行日期推定", "有效期届满", "因无文本而拒答",
)  # fmt: skip
ASKED = "提问"
KINDS = (NOT_HELD, REFUSED, ANNEX, DELEGATED, BASIS, DERIVED, TERM)
SOON = 180
"""Days before its end in which a text is listed."""
TRIAL_YEARS = 5
"""A normative document is valid for at most five years as a rule, on trial for less (国办发〔2018〕37号 and provincial rules)."""
_TRIAL = re.compile(r"[（(](?:试行|暂行)[）)]|暂行(?:办法|规定|条例|细则)")
_RULE = re.compile(r"办法|细则|规定|标准|规则|目录|名录|规范|另行")
_ANNEX = re.compile(r"附件\s?([1-9]\d?|[一二三四五六七八九十]{1,2})(?![\d条])")
_LOCAL = ("地方", "规范性")


@dataclass(frozen=True, slots=True)
class Shortfall:
    """One gap."""

    kind: str
    title: str
    """Of what is missing, or of the text that has the gap."""
    why: str
    """One Chinese sentence, with the words it was read from."""
    weight: int
    """How often it stands in the way."""
    regulation_id: str | None = None
    """The held text that has the gap."""
    label: str = ""
    """Its provision."""
    search: str = ""
    """What to look for."""


_NAMED = re.compile("《([^《》]{2,80})》|“([^”]{2,60})”")
"""A title or number in a refusal."""
SHOWN = 3
"""Questions named of those that want one text."""


def lacking(refusal: Refusal) -> tuple[str, ...]:
    """Return the texts, by title or number, that a refusal names as not held."""
    reasons = [refusal.message] if refusal.reason is Reason.REGULATION_NOT_HELD else []
    reasons += [tip for tip in refusal.tips if "未收录" in tip]
    return tuple(dict.fromkeys(title or number for words in reasons for title, number in _NAMED.findall(words)))


@dataclass(frozen=True, slots=True)
class UnansweredQuestion:
    """A question that was refused for lack of text (因无文本而拒答)."""

    question: str
    missing: str
    """The text that the refusal names; empty when it names none."""
    asked: str
    """Who asked: 提问, or the golden set that holds it."""


Inside = tuple[Sequence[tuple[str, str]], Sequence[str]]
"""Delegations (label, words) and annexes that a text names and does not hold."""


def annexes_lacking(regulation: Regulation) -> tuple[str, ...]:
    """Return the annexes that a text names and does not hold, or what is known of those that lie elsewhere."""
    annexes = {p.number for p in regulation.walk() if p.level is Level.ANNEX}
    named = dict.fromkeys(f"附件{m[1]}" for m in _ANNEX.finditer(regulation.text))
    elsewhere = [f.message for f in regulation.faults if f.code == "attachments_elsewhere"]
    return tuple(elsewhere or (name for name in named if name not in annexes and "附件" not in annexes))


def rules_to_come(delegations: Iterable[tuple[str, str, str]]) -> dict[str, list[tuple[str, str]]]:
    """Return the delegations of each text that leave a rule to be made, not a single case to be settled: (label, words)."""
    found: dict[str, list[tuple[str, str]]] = {}
    for regulation_id, label, words in delegations:
        clause = " ".join(re.split("[。；\n]", words)[-1].split())
        if _RULE.search(clause):
            found.setdefault(regulation_id, []).append((label, clause))
    return found


class ShortfallLedger:
    """Lists the gaps of one state of a library."""

    def __init__(
        self,
        rows: Sequence[RegulationRow],
        find: Callable[[str, str | None], Sequence[str]],
        inside_of: Callable[[str], Inside],
        quoted: Mapping[str, int],
        day: Day,
    ) -> None:
        self._rows, self._find, self._inside, self._quoted, self._day = rows, find, inside_of, quoted, day
        self._by_id = {row.id: row for row in rows}

    def all(
        self,
        missing: Iterable[MissingReference],
        refused: Iterable[UnansweredQuestion],
        undated: Iterable[RegulationRow],
    ) -> list[Shortfall]:
        """Return every gap, those that hurt most first."""
        found = [
            *(self._missing(one) for one in missing if not one.is_decision),
            *self._refused(refused),
            *self._within(),
            *self._bases(),
            *(self._of(DERIVED, row, row.validity.began) for row in undated),
            *self._terms(),
        ]  # fmt: skip
        return sorted(found, key=lambda one: (-one.weight, KINDS.index(one.kind), one.title))

    def _refused(self, refused: Iterable[UnansweredQuestion]) -> Iterator[Shortfall]:
        """Yield what refused questions want, one gap for a text however many ask for it; what is held by now is none."""
        by: dict[str, list[UnansweredQuestion]] = {}
        for one in refused:
            if not (one.missing and self._find(one.missing, one.missing)):
                by.setdefault(title_key(one.missing) or one.question, []).append(one)
        for wanted in by.values():
            first, asked = wanted[0], Counter(one.asked for one in wanted)
            often = "、".join(f"{who} {n} {'次' if who == ASKED else '题'}" for who, n in asked.items())
            questions = "；".join(dict.fromkeys(one.question for one in wanted[:SHOWN]))
            why = f"{often}因此拒答，如：{questions}" if first.missing else f"{often}，库内没有可以作答的文本"
            named = first.missing or first.question
            yield Shortfall(REFUSED, named, why, 2 * len(wanted), search=named)

    def _of(self, kind: str, row: RegulationRow, why: str, label: str = "", search: str = "") -> Shortfall:
        return Shortfall(kind, row.title, why, 1 + self._quoted.get(row.id, 0), row.id, label, search or row.title)

    def _missing(self, one: MissingReference) -> Shortfall:
        quoted = sum(self._quoted.get(i, 0) for i in one.by)
        named = one.title or one.number or ""
        by = next((f"，如{in_marks(self._by_id[i].title)}" for i in one.by if i in self._by_id), "")
        why = f"{one.documents} 部法规提及 {one.mentions} 处{by}" + (
            f"；这些法规在答复中被引 {quoted} 次" if quoted else ""
        )
        return Shortfall(
            NOT_HELD,
            named,
            why,
            one.documents + quoted,
            one.by[0] if one.by else None,
            search=" ".join(filter(None, (one.title, one.number))),
        )

    def _within(self) -> Iterator[Shortfall]:
        """Yield what single texts leave open; of what is no longer law nothing is asked."""
        made = self._made_on()
        for row in self._rows:
            if row.nature != "binding" or not row.validity.on(self._day).may_answer:
                continue
            delegated, annexes = self._inside(row.id)
            if annexes:
                yield self._of(ANNEX, row, "；".join(annexes), search=f"{row.title} 附件")
            if delegated and row.id not in made:
                label, words = delegated[0]
                more = f"（等 {len(delegated)} 处）" if len(delegated) > 1 else ""
                yield self._of(
                    DELEGATED, row, f"“{words}”{more}，库内没有以本文为依据的文件", label, f"根据{in_marks(row.title)}"
                )

    def _made_on(self) -> set[str]:
        """Return the ids of the texts on which some held text was made."""
        kinds = (RelationKind.BASED_ON, RelationKind.IMPLEMENTS)
        named = [r for row in self._rows for r in row.relations if r.kind in kinds]
        return {i for r in named for i in self._find(r.target_title, r.target_number)}

    def _bases(self) -> Iterator[Shortfall]:
        """Yield local and normative rules whose basis was amended or repealed after they were made."""
        for row in self._rows:
            made = row.validity.promulgated or row.version_date or row.validity.effective
            local = row.province != "cn" or any(word in (row.level or "") for word in _LOCAL)
            if not local or made is None or not row.validity.on(self._day).may_answer:
                continue
            for relation in row.relations:
                if relation.kind is RelationKind.BASED_ON:
                    held = [self._by_id[i] for i in self._find(relation.target_title, relation.target_number)[:1]]
                    yield from (self._of(BASIS, row, why) for why in self._later(held, made))

    def _later(self, held: Sequence[RegulationRow], made: Day) -> Iterator[str]:
        for basis in held:
            since, known = basis.version_date or basis.validity.effective, basis.validity
            if known.ends is not None and made < known.ends <= self._day and known.ended_as is Status.REPEALED:
                yield f"所依据的《{basis.title}》已于 {known.ends} 废止，晚于本文（{made}）"
            elif since is not None and made < since <= self._day:
                yield f"所依据的《{basis.title}》于 {since} 有新版本，晚于本文（{made}）"

    def _terms(self) -> Iterator[Shortfall]:
        for row in self._rows:
            known = row.validity
            if known.ended_as is Status.EXPIRED and known.ends is not None and (known.ends - self._day).days <= SOON:
                over = "已" if known.ends <= self._day else "将"
                yield self._of(TERM, row, f"{known.until}，{over}届满，请核对是否延续")
            elif known.ends is None and _TRIAL.search(row.title):
                since = known.effective or known.promulgated
                if since is not None and plus_years(since, TRIAL_YEARS) <= self._day:
                    yield self._of(
                        TERM,
                        row,
                        f"{since} 起试行（暂行），已过 {TRIAL_YEARS} 年，文中没有写明有效期，请核对是否仍有效",
                    )


def listed_at(one: Shortfall, listed: Mapping[str, str]) -> str | None:
    """Return the address under which a list of an official site has what is missing, None when none has.

    ``listed`` holds addresses by the key of their title.
    """
    key = title_key(one.title)
    if len(key) < 6 or one.kind not in (NOT_HELD, ANNEX):
        return None
    return next((url for title, url in listed.items() if key in title), None)
