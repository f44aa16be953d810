"""Does a library agree with a bundle? One result per quote, and totals that add up (核验)."""

import datetime as dt
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

from nemo.errors import ConfigError, NotFoundError
from nemo.export.answer import TextPart, effective_words, line_of, review_of, reviewed, source_of_row, text_of
from nemo.export.proof import ProofOutcome
from nemo.store.catalogue.entry import words_hash
from nemo.store.library import Library
from nemo.text.words.invisible import marked
from nemo.types import Citation, Day, Regulation, Span, Verdict, cite

Said = Mapping[str, Any]
Place = tuple[Any, ...]
"""A quote with what is said of it, to compare an answer with the list of quotes."""


@dataclass(frozen=True, slots=True)
class QuoteCheck:
    """What came of one quote of a bundle."""

    number: int
    """From 1."""
    title: str
    path: str
    outcome: ProofOutcome
    differences: tuple[str, ...] = ()
    """Each begins with its class: 引文, 旁文, 文本, 原件, 出处, 时效."""
    notes: tuple[str, ...] = ()
    """What a reader should know though it is no difference, or why nothing could be compared."""


@dataclass(frozen=True, slots=True)
class BundleReport:
    """What came of a whole bundle (核验结果)."""

    quotes: tuple[QuoteCheck, ...]
    problems: tuple[str, ...] = ()
    """What is wrong with the bundle itself: the seal, or an answer that says other than its quotes."""
    reservation: str | None = None
    """What this check does not show; None when it was made with a library."""
    refusals: int = 0
    """Answers in it that quote nothing, and say so."""
    facts: Sequence[Sequence[str]] = ()
    """What it says of itself: what was asked, for which day, when it was made."""

    @property
    def told(self) -> str:
        """What was compared, with how much of it came out how; in Chinese."""
        if self.quotes:
            return "，".join(f"{name} {count} 条" for name, count in self.counts.items()) + "。"
        what = f"有 {self.refusals} 份拒答，没有引文" if self.refusals else "没有引文"
        return f"核验包中{what}；核对了封印（导出后有无改动）{'，以及拒答是否不带引文' * bool(self.refusals)}。"

    @property
    def counts(self) -> dict[str, int]:
        """How many quotes came out how; the parts add up to ``共``."""
        found = Counter(quote.outcome for quote in self.quotes)
        return {**{outcome.value: found[outcome] for outcome in ProofOutcome}, "共": len(self.quotes)}

    @property
    def exit_code(self) -> int:
        """0 when everything passed, 1 when something differs, 3 when some quotes could not be compared."""
        if self.problems or self.counts[ProofOutcome.DIFFERS]:
            return 1
        return NotFoundError.exit_code if self.counts[ProofOutcome.UNCHECKED] else 0

    def as_json(self) -> dict[str, Any]:
        """Return the report as plain data."""
        return {
            "ok": self.exit_code == 0,
            "counts": self.counts,
            "problems": list(self.problems),
            "reservation": self.reservation,
            "quotes": [asdict(q) for q in self.quotes],
        }

    def lines(self) -> Iterator[str]:
        """Yield the report as lines of Chinese text."""
        for q in self.quotes:
            yield f"{q.outcome.value}　{q.number}. 《{marked(q.title)}》{q.path}"
            yield from (f"　　{words}" for words in (*q.differences, *q.notes))
        yield from (f"核验包：{problem}" for problem in self.problems)
        if self.reservation:
            yield self.reservation
        yield self.told


def inspect(body: Said, sealed: bool, library: Library) -> BundleReport:
    """Compare the contents of a well-formed bundle with a library."""
    problems = [*agreement(body, sealed), *_chained(body.get("chain"), library)]
    checker = _Checker(library, body["regulations"])
    checks = tuple(checker.quote(n, q) for n, q in enumerate(body["quotes"], 1))
    return BundleReport(checks, tuple(problems), refusals=refusals(body), facts=body.get("facts", ()))


def refusals(body: Said) -> int:
    """Return how many answers of a bundle are refusals."""
    return sum(answer["refused"] for answer in body["answers"])


def agreement(body: Said, sealed: bool) -> Iterator[str]:
    """Yield where a bundle does not agree with itself."""
    if not sealed:
        yield "封印（sha256）与内容不符：导出之后有改动。"
    quoted = {_quoted(quote) for quote in body["quotes"]}
    for answer in body["answers"]:
        yield from _answer(answer, quoted)


def _chained(said: Said | None, library: Library) -> Iterator[str]:
    """Yield what is wrong when the bundle comes from this very library and its head is no link any more."""
    head = library.chain_head()
    if said and head and said["chain"] == head.chain and not library.chain_holds(said["number"], said["hash"]):
        yield f"记录链：出具时的链首（第 {said['number']} 环）已不在库内的记录链上，此前的记录被改写或截去过。"


def changed(said: Said) -> list[str]:
    """Return whether the words of a quote are no longer those that its hash was taken of."""
    same = words_hash(said["text"]) == said["sha256"]
    return [] if same else ["引文：与自带的校验值不符，核验包中的文字被改动过。"]


def checked(
    number: int, said: Said, differences: list[str], notes: list[str], else_: ProofOutcome = ProofOutcome.PASSED
) -> QuoteCheck:
    """Return what came of a quote: ``else_`` where nothing differs."""
    outcome = ProofOutcome.DIFFERS if differences else else_
    return QuoteCheck(number, said["title"], said["path"], outcome, tuple(differences), tuple(notes))


def pieces(said: Said) -> dict[str, Said]:
    """Return everything of a quote that is cut from the text, by its Chinese name."""
    shown = {"引文": said, "旁文（前文）": said["before"], "旁文（后文）": said["after"]}
    names = {"caption": "表题", "unit": "单位", "header": "表头", "row": "表行"}
    shown |= {name: (said.get("table") or {}).get(key) for key, name in names.items()}
    return {name: part for name, part in shown.items() if part is not None}


def _answer(answer: Said, quoted: set[Place]) -> Iterator[str]:
    """Yield where an answer says other than the quotes that are checked."""
    name = f"答复 {answer['trace_id']} "
    cited = answer["citations"]
    if any(_cited(c) not in quoted for c in cited):
        yield name + "的出处与引文清单不一致。"
    if answer["refused"]:
        if cited:
            yield name + "标为拒答却带有引文。"
        return
    sources = [(c["direct_quote"], _source(c)) for c in cited]
    if answer["answer_zh"] != text_of(answer["answer_zh"].partition("\n")[0], sources, _parts(answer)):
        yield name + "的正文与其引文、出处不一致。"


def _parts(answer: Said) -> list[TextPart]:
    """Return the parts of an answer to several questions; a citation that is none of the answer's is left out."""
    at = {citation.get("citation_id"): place for place, citation in enumerate(answer["citations"])}
    return [
        TextPart(
            part["heading"],
            [at[c["citation_id"]] for c in part["citations"] if c["citation_id"] in at],
            part["refusal"]["message"] if part["refusal"] else "",
            part.get("said") or "",
        )
        for part in answer.get("parts", ())
    ]


def _quoted(q: Said) -> Place:
    beside = (q["before"] and q["before"]["text"], q["after"] and q["after"]["text"])
    facts = (q["title"], q["document_number"], q["path"], tuple(q["pages"]), q["effective"], q["status"])
    return (q["regulation_id"], q["start"], q["end"], q["text"], *beside, *facts)


def _cited(c: Said) -> Place:
    beside = (c["context_before"], c["context_after"])
    facts = (c["title"], c["document_number"], c["section_reference"], tuple(c["page_numbers"]), c["effective_date"])
    return (c["regulation_id"], c["start"], c["end"], c["direct_quote"], *beside, *facts, c["status"])


def _source(c: Said) -> str:
    review = c["review"]
    said = review_of(review["state"], review["by"], dt.datetime.fromisoformat(review["at"])) if review else None
    effective = effective_words(c["effective_date"], bool(c.get("effective_derived")))
    source = line_of(
        c["title"], c["section_reference"], c["page_numbers"], effective, c["status"], said, c.get("nature", "")
    )
    return source_of_row(source, c.get("table"))


class _Checker:
    """Compares quotes with one library; a text or file that many quotes need is read once."""

    def __init__(self, library: Library, regulations: Said) -> None:
        self._library = library
        self._regulations = regulations
        self._raw_state = lru_cache(maxsize=None)(self._read_raw)

    def quote(self, number: int, said: Said) -> QuoteCheck:
        """Compare one quote."""
        differences, notes = changed(said), list[str]()
        try:
            regulation = self._library.regulation(said["regulation_id"])
        except NotFoundError:
            return checked(number, said, differences, [self._missing(said)], ProofOutcome.UNCHECKED)
        differences += self._words(said, regulation)
        differences += self._hashes(said, notes)
        differences += _facts(said, regulation)
        notes += self._reviewed(said)
        return checked(number, said, differences, notes)

    def _missing(self, said: Said) -> str:
        known = self._regulations.get(said["regulation_id"])
        others = [row.title for row in self._library.rows() if known and row.sha256 == known["raw_sha256"]]
        if others:
            return f"资料库中的同一原件现解析为另一文本（《{'》《'.join(others)}》），不能按原位置核对。"
        return "资料库未收录该法规的这个文本，请入库原件后再核验。"

    def _words(self, said: Said, regulation: Regulation) -> Iterator[str]:
        for name, part in pieces(said).items():
            if Span(part["start"], part["end"]).of(regulation.text) != part["text"]:
                yield f"{name}：库内文本第 {part['start']} 至 {part['end']} 字符不是所引文字。"

    def _reviewed(self, said: Said) -> Iterator[str]:
        span = Span(said["start"], said["end"])
        review = self._library.reviews.standing(said["regulation_id"], span).review
        if review is not None and review.state is not Verdict.APPROVED:
            yield f"复核：库内现为“{reviewed(review)}”{'，' + review.reason if review.reason else ''}。"

    def _hashes(self, said: Said, notes: list[str]) -> Iterator[str]:
        known = self._regulations.get(said["regulation_id"])
        if known is None:
            yield "文本：核验包没有所引法规的校验值。"
            return
        row = self._library.row(said["regulation_id"])
        if known["text_sha256"] != row.text_sha256:
            yield "文本：库内文本的 SHA-256 与出具时不同。"
        state = self._raw_state(known["raw_sha256"])
        if state == "damaged":
            yield "原件：库内原始文件已损坏，与其 SHA-256 不符。"
        elif state == "missing":
            notes.append("原件：库内没有出具时的那份原始文件，文本由另一份原件读出。")
        if not _evidence_stands(known["validity"], self._library.regulation(row.id).text):
            yield "时效：所据条款的文字与库内文本不符。"

    def _read_raw(self, sha256: str) -> str:
        try:
            self._library.raw(sha256)
        except NotFoundError:
            return "missing"
        except ConfigError:
            return "damaged"
        return "sound"


def _facts(said: Said, regulation: Regulation) -> Iterator[str]:
    """Yield where the citation or the status of the day is not what the library says."""
    span = Span(said["start"], said["end"])
    now = cite(regulation, span, Day.fromisoformat(said["day"]))
    for name, field in (("名称", "title"), ("文号", "document_number"), ("位置", "path"), ("页", "pages"),
                        ("施行日期", "effective")):  # fmt: skip
        current = _plain(now, field)
        if current != said[field]:
            yield f"出处：{name}在核验包中为“{_shown(said[field])}”，库内为“{_shown(current)}”。"
    if now.status.value != said["status"]:
        yield f"时效：{said['day']} 在核验包中为“{said['status']}”，库内现判断为“{now.status.value}”。"


def _plain(citation: Citation, field: str) -> Any:
    value = getattr(citation, field)
    if isinstance(value, Day):
        return value.isoformat()
    return list(value) if isinstance(value, tuple) else value


def _shown(value: Any) -> str:
    return "、".join(map(str, value)) if isinstance(value, list) else str(value or "无")


def _evidence_stands(validity: Said, text: str) -> bool:
    """Tell whether the words that dates were read from still stand where they stood."""
    placed = [e for e in validity["evidence"] if e["start"] is not None and e["end"] is not None]
    return all(e["words"] in Span(e["start"], e["end"]).of(text) for e in placed)
