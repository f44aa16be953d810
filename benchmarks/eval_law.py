"""How well the law of a text is read: ``make eval-law``. Titles, numbers, issuers, days, relations, succession.

Measured on the development halves of ``../shared``; every figure is printed with what it was counted on. Exact means
exact: a null that should be null counts, a day read where none is stated counts against.
"""

import argparse
import datetime as dt
import re
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from benchmarks import law_structure
from benchmarks.law_tally import Figures, Row, rows
from nemo import rules as rule_data
from nemo.rules import Rules
from nemo.text.facts.description import Description, describe
from nemo.text.law.history import history
from nemo.text.law.references import relations
from nemo.text.structure.tree import Structure, structure
from nemo.text.versions.succession import succeed
from nemo.text.words.normalise import squash, title_key
from nemo.text.words.numerals import article_key
from nemo.types import Day, Page, ParsedDocument, Relation, RelationKind, Span, Status, Validity

ROOT = Path(__file__).resolve().parent.parent
NATURES = {"normative": "binding", "notice": "news"}
"""Gold calls rules ``normative``, and public notices of facts ``news``."""


@dataclass(frozen=True)
class Text:
    """One text with everything that is read from it."""

    id: str
    about: Description
    relations: tuple[Relation, ...]
    text: str
    seconds: float
    """Of describing and relating, without structure."""

    # what succession asks of a header
    title = property(lambda self: self.about.title)
    document_number = property(lambda self: self.about.document_number)
    issuer = property(lambda self: self.about.issuer)
    level = property(lambda self: self.about.level)
    province = property(lambda self: self.about.province or "cn")
    nature = property(lambda self: self.about.nature)
    version_date = property(lambda self: self.about.version_date)
    validity = property(lambda self: self.about.validity)


def read(path: Path, rules: Rules) -> Text:
    """Read one text file the way it is ingested, pages from form feeds."""
    text = path.read_text("utf-8")
    pages, start = [], 0
    for number, sheet in enumerate(text.split("\f"), 1):
        pages.append(Page(number, None, Span(start, start + len(sheet))))
        start += len(sheet) + 1
    parsed = ParsedDocument(text, tuple(pages) if len(pages) > 1 else (), "plain")
    tree: Structure = structure(text, parsed.pages)
    began = time.process_time()
    about = describe(parsed, path.name, tree, rules)
    found = relations(text, tree.provisions, about.title)
    return Text(path.name, about, found, text, time.process_time() - began)


def iso(day: Day | None) -> str | None:
    """Return a day as gold writes it."""
    return day.isoformat() if day else None


def targets(text: Text, *kinds: RelationKind) -> set[str]:
    """Return the titles a text relates to, in comparable form."""
    return {title_key(r.target_title) for r in text.relations if r.kind in kinds and r.target_title}


def keys(titles: Iterable[str]) -> set[str]:
    """Return gold titles in comparable form, without a number after them."""
    return {title_key(re.sub(r"[（(][^（）()]*[〔﹝]\d{4}[〕﹞]\d+号[）)]$", "", title)) for title in titles}


def metadata(shared: Path, rules: Rules) -> Figures:
    """Score on ``metadata/dev.jsonl``: 60 laws, regulations, interpretations and rules."""
    figures = Figures()
    for gold in rows(shared / "metadata" / "dev.jsonl"):
        text = read(shared / "metadata" / "docs" / gold["file"], rules)
        where = gold["file"]
        figures.exact["effective_date"].add(where, iso(text.validity.first_effective), gold["effective_date"])
        figures.exact["title"].add(where, title_key(text.title), title_key(gold["title"]))
        events = history(text.text)
        adopted = next((iso(e.day) for e in events if e.kind.value == "通过"), None)
        figures.exact["adopted"].add(where, adopted, gold["adopted_date"])
        figures.exact["version kind"].add(where, version_kind(text.text), gold["version_kind"])
        got = {f"{iso(e.day)} {title_key(e.decision or '')}" for e in events if e.amends}
        want = {f"{a['date']} {title_key(bare_decision(a['decision']))}" for a in gold["amendments"]}
        figures.sets["amendments"].add(where, {x.replace(title_key("国务院关于"), "关于") for x in got}, want)
        for name, kind in (
            ("repeals", RelationKind.REPEALS),
            ("based_on", RelationKind.BASED_ON),
            ("amends", RelationKind.AMENDS),
            ("implements", RelationKind.IMPLEMENTS),
        ):
            figures.sets[name].add(where, targets(text, kind), keys(gold[name]))
    return figures


def bare_decision(title: str | None) -> str:
    """Return a decision's title as some notes shorten it, without 国务院 in front."""
    return re.sub(r"^国务院(?=关于)", "", title or "")


def version_kind(text: str) -> str:
    """Return how the newest version was made, in the words of the gold set."""
    last = max((e for e in history(text) if e.amends), key=lambda e: e.day, default=None)
    if last is None:
        return "原始"
    if last.kind.value == "修订":
        return "修订"
    return "修订(决定)" if last.words.rstrip().endswith("修订") else "修正"


def normative(shared: Path, rules: Rules) -> Figures:
    """Score on ``normative/corpus``: 50 notices, rules, drafts and pages that are no rules."""
    figures = Figures()
    for gold in rows(shared / "normative" / "corpus" / "manifest.jsonl"):
        text = read(shared / "normative" / "corpus" / gold["file"], rules)
        for name, got, want in normative_facts(text, gold):
            figures.exact[name].add(gold["file"], got, want)
        if gold["nature"] == "normative":
            figures.sets["repeals"].add(gold["file"], targets(text, RelationKind.REPEALS), keys(gold["repeals"]))
            figures.sets["amends"].add(gold["file"], targets(text, RelationKind.AMENDS), keys(gold["amends"]))
            basis = targets(text, RelationKind.BASED_ON, RelationKind.IMPLEMENTS)
            figures.sets["based_on"].add(gold["file"], basis, keys(gold["based_on"]))
    return figures


def normative_facts(text: Text, gold: Row) -> Iterable[tuple[str, object, object]]:
    """Yield (figure, read, gold) of one text."""
    own = squash(gold["title"]) in squash(text.text)
    yield "title" if own else "title without own", title_key(text.title), title_key(gold["title"])
    yield "document_number", text.document_number, gold["doc_number"]
    yield "issuer", text.issuer, (gold["issuer"] or "").replace(" ", "、") or None
    want = NATURES.get(gold["nature"], gold["nature"])
    yield "nature", NATURES.get(text.nature, text.nature), want
    if want != "binding":
        yield "draft or news taken for binding", text.nature == "binding", False
    yield "promulgated", iso(text.validity.promulgated), gold["promulgated"]
    yield "effective", iso(text.validity.effective if text.validity.first_effective else None), gold["effective"]
    yield "province", text.province, gold["province"]


def corpus(shared: Path, rules: Rules) -> tuple[Figures, list[Text], float]:
    """Score against the manifest of ``corpus``: 597 statutes; also return the texts and the seconds they took."""
    figures = Figures()
    texts: list[Text] = []
    for gold in rows(shared / "corpus" / "manifest.jsonl"):
        text = read(shared / "corpus" / gold["file"], rules)
        texts.append(text)
        stated = (gold["effective_date_basis"] or "").startswith("commencement clause")
        got = (text.title, text.level, text.province)
        for name, value in zip(("title", "level", "province"), got, strict=True):
            figures.exact[name].add(gold["file"], value, gold[name])
        if stated:
            figures.exact["first_effective"].add(
                gold["file"], iso(text.validity.first_effective), gold["effective_date"]
            )
        _version_start(figures, gold, text.validity)
        figures.exact["version_date"].add(gold["file"], iso(text.version_date), gold["version_date"])
        figures.exact["nature"].add(gold["file"], text.nature, "binding")
    return figures, texts, sum(text.seconds for text in texts)


def _version_start(figures: Figures, gold: Row, read: Validity) -> None:
    """Score the start of a version: a stated day exactly, a derived one (推定) by whether its range holds the official day."""
    official = gold["in_force_from"]
    if official is None and not read.derived:
        return  # the text states a day that the official database does not carry: nothing to compare with
    if not read.derived:
        figures.exact["version_effective stated"].add(gold["file"], iso(read.effective), official)
    elif official is None:
        figures.exact["version_effective unknown, said so"].add(gold["file"], True, True)
    else:
        held = str(iso(read.effective)) <= official <= str(iso(read.certain_from))
        figures.exact["version_effective derived, range holds"].add(gold["file"], held, True)


def succession(shared: Path, texts: list[Text]) -> tuple[Figures, float]:
    """Score which held texts end others, and when, against the manifest; also return the seconds it took."""
    began = time.process_time()
    validity: dict[str, Validity] = succeed(texts)
    seconds = time.process_time() - began
    figures = Figures()
    for gold in rows(shared / "corpus" / "manifest.jsonl"):
        known = validity[gold["file"]]
        if gold.get("repealed_by"):
            figures.exact["repealed on"].add(gold["file"], (iso(known.ends), known.ended_as), _repealed(gold))
        elif gold["superseded_on"]:
            figures.exact["superseded on"].add(gold["file"], iso(known.ends), gold["superseded_on"])
        elif gold["superseded_by"]:
            figures.exact["superseded by"].add(gold["file"], known.ended_by, gold["superseded_by"])
        else:
            figures.exact["ended though not superseded"].add(gold["file"], known.ended_by, None)
    return figures, seconds


def _repealed(gold: Row) -> tuple[str, Status]:
    return gold["repealed_on"], Status.REPEALED


def show(heading: str, figures: Figures, worst: int) -> None:
    """Print figures, and the first misses of each."""
    print(f"\n{heading}")
    for name, tally in figures.exact.items():
        print(f"  {name:32} {tally.share:.3f}  ({tally.right}/{tally.total})")
        print(*(f"      {miss}\n" for miss in tally.misses[:worst]), sep="", end="")
    for name, sets in figures.sets.items():
        print(
            f"  {name:32} {sets.share:.3f}  (F1; {sets.common} common, {sets.extra} too many, {sets.missing} too few)"
        )
        print(*(f"      {miss}\n" for miss in sets.misses[:worst]), sep="", end="")


def in_force(shared: Path, texts: list[Text]) -> Figures:
    """Score whether the text that gold cites for a day is the version in force on it, as dates and succession tell."""
    validity: dict[str, Validity] = succeed(texts)
    figures = Figures()
    for name in ("golden", "golden_extra", "adversarial"):
        for question in rows(shared / "golden" / f"{name}.jsonl"):
            day = question.get("as_of")
            for gold in question["gold"] if isinstance(day, str) else ():
                status = validity[gold["file"]].on(dt.date.fromisoformat(str(day)), article_key(gold["article"]))
                figures.exact["in force on its day"].add(f"{question['id']} {gold['file']}", status, Status.IN_FORCE)
    return figures


def main() -> None:
    """Print every figure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared", help="folder of the real texts")
    parser.add_argument("--misses", type=int, default=0, help="how many misses to print for each figure")
    chosen = parser.parse_args()
    rules = rule_data.load(ROOT / "data" / "rules")
    show("metadata/dev.jsonl (60 statutes)", metadata(chosen.shared, rules), chosen.misses)
    show("structure of metadata/dev.jsonl", law_structure.of_statutes(chosen.shared), chosen.misses)
    show("normative/corpus (50 documents)", normative(chosen.shared, rules), chosen.misses)
    show("structure of normative/corpus", law_structure.of_notices(chosen.shared), chosen.misses)
    figures, texts, seconds = corpus(chosen.shared, rules)
    show("corpus/manifest.jsonl (597 statutes; its version days come from file names)", figures, chosen.misses)
    print(f"  describing and relating all of them: {seconds:.1f} s of one core")
    stages = dict(law_structure.seconds(chosen.shared, rules))
    print(*(f"  {stage}: {taken:.1f} s of one core\n" for stage, taken in stages.items()), sep="", end="")
    ends, seconds = succession(chosen.shared, texts)
    show("succession in the corpus", ends, chosen.misses)
    print(f"  working it out: {seconds * 1000:.0f} ms")
    show("golden questions with a day", in_force(chosen.shared, texts), chosen.misses)


if __name__ == "__main__":
    main()
