"""The demonstration corpus is complete, plainly marked, our own words, and holds what the golden questions quote."""

import itertools
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from nemo import rules as rules_module
from nemo.ingest import manifest as manifest_module
from nemo.ingest.assemble import regulations_in
from nemo.parse import parse
from nemo.settings import PROJECT, load
from nemo.text.facts.description import describe
from nemo.text.letter.enclosed import split_enclosed
from nemo.text.structure.tree import structure
from nemo.types import Level, ParsedDocument, Provision, RawDocument

SAMPLES = PROJECT / "data" / "samples"
GOLDEN = PROJECT / "data" / "golden"
FILES = sorted(f for f in SAMPLES.iterdir() if f.name not in ("README.md", "manifest.jsonl"))
MAX_BYTES = 300_000
LONGEST_SHARED = 20
"""A sentence of this many characters may not stand in a real text as well."""

Question = dict[str, object]


@cache
def parsed(name: str) -> ParsedDocument:
    return parse(RawDocument.of((SAMPLES / name).read_bytes(), name), load())


@cache
def provisions(name: str) -> dict[str, Provision]:
    """Provisions of a sample by what a golden question calls them: 第六条, 二（三）, 4.1.1."""
    document = parsed(name)
    found: dict[str, Provision] = {}
    for top in structure(document.text, document.pages).provisions:
        for unit in top.walk():
            if unit.level in (Level.ARTICLE, Level.OUTLINE):
                found.setdefault(unit.number if unit.level is Level.ARTICLE else unit.path(), unit)
    return found


def rows() -> list[list[str]]:
    """Rows of the table in the README: file, title, province, class, assets, effective, in manifest, remark."""
    lines = (SAMPLES / "README.md").read_text("utf-8").splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return [row for row in cells if row[0] not in ("文件", "---")]


def questions(*names: str) -> list[Question]:
    return [
        json.loads(line)
        for name in names
        for line in (GOLDEN / f"{name}.jsonl").read_text("utf-8").splitlines()
        if line
    ]


def gold() -> Iterator[tuple[str, dict[str, str]]]:
    for question in questions("golden", "adversarial"):
        for entry in question["gold"]:
            yield str(question["id"]), entry


# --- the corpus


def test_the_readme_lists_every_file():
    assert sorted(row[0] for row in rows()) == [f.name for f in FILES]
    assert len(FILES) >= 26


def test_every_province_has_every_class_and_every_asset():
    wanted = itertools.product(("gd", "sd", "nm"), ("grid", "permit", "technical"))
    assert set(wanted) <= {(row[2], row[3]) for row in rows()}
    wanted = itertools.product(("gd", "sd", "nm"), ("solar", "coal", "wind"))
    assert set(wanted) <= {(row[2], asset) for row in rows() for asset in row[4].split()}
    assert sum(row[2] == "cn" for row in rows()) >= 5


def test_the_manifest_states_about_half_of_the_files():
    stated = manifest_module.read(SAMPLES / "manifest.jsonl", rules_module.load(PROJECT / "data" / "rules"))
    assert set(stated) == {row[0] for row in rows() if row[6] == "是"}
    assert len(FILES) * 0.4 <= len(stated) <= len(FILES) * 0.6
    by_name = {row[0]: row for row in rows()}
    for name, facts in stated.items():
        assert [facts.title, facts.province, facts.doc_class] == by_name[name][1:4]
        assert set(facts.assets or ()) == set(by_name[name][4].split())


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.name)
def test_a_sample_says_that_it_is_one(file: Path):
    document = parsed(file.name)
    title = next(row[1] for row in rows() if row[0] == file.name)
    assert "（演示文本）" in title
    head = re.sub(r"\s", "", document.text[:400])
    assert "（演示文本）" in head[:60] and "本文为演示文本，不具法律效力" in head
    assert "gov.cn" not in document.text + str(document.url)
    assert file.stat().st_size < MAX_BYTES
    assert b"gov.cn" not in file.read_bytes()


@pytest.mark.parametrize("file", [f for f in FILES if f.suffix == ".pdf"], ids=lambda f: f.name)
def test_a_pdf_has_pages(file: Path):
    document = parsed(file.name)
    assert len(document.pages) >= 3
    assert not re.search(r"^\s*— \d+ —\s*$", document.text, re.MULTILINE), "page numbers are no text"
    assert document.pages[-1].printed == f"{len(document.pages)}"


def test_articles_are_counted_from_one_without_a_gap():
    for file in FILES:
        units = [p for p in provisions(file.name).values() if p.level is Level.ARTICLE]
        if units:
            assert [unit.label for unit in units] == [str(n) for n in range(1, len(units) + 1)], file.name
            assert len(units) >= 15, file.name


STATED_ONLY = {
    "cn-电力业务许可证管理办法-2024修正.docx": "when the amendment commenced is told by the amending decision, not by this text",
    "cn-新型储能并网和调度管理规定-征求意见稿.html": "the text names no kind of plant, and no day",
}
"""Samples about which only the manifest knows everything."""


@pytest.mark.parametrize("row", rows(), ids=lambda row: row[0])
def test_a_sample_is_read_rightly_without_a_manifest(row: list[str]):
    rules = rules_module.load(PROJECT / "data" / "rules")
    part = split_enclosed(parsed(row[0]))[-1]
    about = describe(part, row[0], structure(part.text, part.pages), rules)
    assert (about.title, about.province, about.doc_class) == tuple(row[1:4])
    assert about.issuer is not None
    if row[0] not in STATED_ONLY:
        every = {"solar", "wind", "coal"}
        assert set(about.assets or every) == set(row[4].split())
        assert str(about.validity.effective) == row[5]


def test_what_samples_say_of_themselves_agrees_with_the_manifest():
    rules = rules_module.load(PROJECT / "data" / "rules")
    stated = manifest_module.read(SAMPLES / "manifest.jsonl", rules)
    for name, facts in stated.items():
        part = split_enclosed(parsed(name))[-1]
        about = describe(part, name, structure(part.text, part.pages), rules)
        assert about.issuer == facts.issuer, name
        assert facts.level is None or about.level == facts.level, name
        assert about.document_number in (facts.document_number, None) or facts.document_number is None, name


def test_a_notice_and_the_rule_it_encloses_are_two_texts():
    for name in ("gd-光伏发电项目备案管理办法-通知-2025.html", "sd-海上风电并网与送出工程管理办法-通知-2024.pdf"):
        notice, rule = split_enclosed(parsed(name))
        assert "通知" in structure(notice.text).body.of(notice.text)[:120] and "第一条" not in notice.text
        assert rule.text.startswith(str(rule.title)) and "第一条" in rule.text


def test_no_sentence_is_taken_from_a_real_text(shared: Path):
    real = "".join(
        squashed(f) for f in sorted(shared.glob("corpus/*.md")) + sorted(shared.glob("normative/corpus/*.txt"))
    )
    for file in FILES:
        sentences = re.split(r"[。；：\n]", parsed(file.name).text)
        for sentence in (re.sub(r"\s", "", s) for s in sentences):
            assert len(sentence) < LONGEST_SHARED or sentence not in real, (file.name, sentence)


def squashed(file: Path) -> str:
    return re.sub(r"\s", "", file.read_text("utf-8", errors="replace"))


# --- the golden questions


def test_there_are_enough_questions_of_every_kind():
    kinds = {"numeric", "precise", "procedural", "penalty", "colloquial", "version", "lookup", "comparative", "abbrev"}
    golden = questions("golden")
    assert len(golden) >= 45 and kinds <= {q["type"] for q in golden}
    assert len(questions("unanswerable")) >= 8 and len(questions("adversarial")) >= 8
    ids = [q["id"] for q in questions("golden", "unanswerable", "adversarial")]
    assert len(ids) == len(set(ids))


def test_the_codes_of_every_question_are_known():
    rules = rules_module.load(PROJECT / "data" / "rules")
    for q in questions("golden", "unanswerable", "adversarial"):
        rules.check_codes(province=q["province"], asset=q["asset"], doc_class=q["doc_class"])


def test_every_text_that_may_be_cited_is_asked_for_and_no_draft():
    asked = {entry["file"] for _, entry in gold()}
    drafts = {f.name for f in FILES if "征求意见稿" in f.name}
    assert asked == {f.name for f in FILES} - drafts


def test_questions_to_be_refused_have_no_gold():
    for q in questions("unanswerable", "adversarial"):
        assert bool(q.get("gold")) == (q["expect"] == "answer"), q["id"]


@pytest.mark.parametrize(("number", "entry"), list(gold()), ids=lambda v: v if isinstance(v, str) else "")
def test_a_must_quote_is_verbatim_in_its_provision(number: str, entry: dict[str, str]):
    document = parsed(entry["file"])
    unit = provisions(entry["file"]).get(entry["article"])
    assert unit is not None, f"{number}: {entry['article']} not found"
    assert entry["must_quote"] in unit.span.of(document.text)
    assert 6 <= len(entry["must_quote"]) <= 60


def test_secondary_provisions_exist():
    for q in questions("golden", "adversarial"):
        for entry in q["secondary"]:
            assert entry["article"] in provisions(entry["file"]), (q["id"], entry)


def test_what_was_read_is_verbatim_at_its_place() -> None:
    rules = rules_module.load(load().rules)
    facts = manifest_module.read(SAMPLES / "manifest.jsonl", rules)
    for file in FILES:
        raw = RawDocument.of(file.read_bytes(), file.name)
        for held in regulations_in(raw, parsed(file.name), facts.get(file.name, manifest_module.KnownFacts()), rules):
            told = (*held.facts, *held.validity.evidence, *(s.evidence for s in held.validity.scopes), *held.relations)
            for one in told:
                assert one.span is None or one.span.of(held.text) == one.words, f"{file.name}: {one}"
