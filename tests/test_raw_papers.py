"""Whole papers in raw form (公文原件): nothing of the paper is lost, nothing of the site stays, every fact is that of the paper."""

import datetime as dt
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from nemo import rules as rule_data
from nemo.engine import Engine
from nemo.export import answer_json
from nemo.ingest.assemble import regulations_in
from nemo.ingest.manifest import KnownFacts as Stated
from nemo.parse import parse
from nemo.parse.pdf.reader import locate
from nemo.settings import Settings, load
from nemo.text.structure.tables import tables
from nemo.types import RawDocument
from tests.raw_carriers import around, file_of, kept, sentences
from tests.raw_papers import RAW_PAPERS, Raw
from tests.raw_papers_everyday import EVERYDAY_PAPERS
from tests.raw_papers_forms import FORM_PAPERS
from tests.raw_papers_forms_more import MORE_FORM_PAPERS, SD_BOOKLET
from tests.raw_papers_further import FURTHER_PAPERS
from tests.raw_papers_office import OFFICE_PAPERS
from tests.raw_papers_passed_on import PASSED_ON_PAPERS
from tests.raw_papers_sites import SITE_PAPERS
from tests.test_papers_as_they_come import wrong_facts


def bare(words: str) -> str:
    return re.sub(r"\s", "", words)


READ_PAPERS = (
    *RAW_PAPERS,
    *SITE_PAPERS,
    *OFFICE_PAPERS,
    *FORM_PAPERS,
    *MORE_FORM_PAPERS,
    *PASSED_ON_PAPERS,
    *EVERYDAY_PAPERS,
    *FURTHER_PAPERS,
)


@pytest.mark.parametrize("paper", READ_PAPERS, ids=lambda paper: paper.code)
def test_a_paper_in_raw_form_is_read_as_a_careful_reader_reads_it(
    paper: Raw, browser_page: Page, tmp_path: Path
) -> None:
    content, suffix = file_of(paper, browser_page, tmp_path)
    raw = RawDocument.of(content, f"x{suffix}")
    parsed = parse(raw, Settings())
    held, whole = bare(parsed.text), bare("".join(kept(paper)))
    assert [words for words in kept(paper) if bare(words) not in held] == []
    paragraphs = "\n".join(map(bare, parsed.text.split("\n")))
    assert [words for words in sentences(paper) if bare(words) not in paragraphs] == []
    assert [words for words in around(paper) if bare(words) in held and bare(words) not in whole] == []
    found = regulations_in(raw, parsed, Stated(), rule_data.load(load().rules))
    assert len(found) == len(paper.facts), [regulation.title for regulation in found]
    wrong = [
        wrong_facts(regulation, facts)
        for regulation, facts in zip(found, paper.facts, strict=True)
        if facts.title is not ...
    ]
    assert not any(wrong), wrong
    under = {
        (row.span.of(parsed.text), cell.of(parsed.text))
        for table in tables(parsed.text)
        for row in table.rows
        for head in table.header
        for cell in head.cells
    }
    assert [row for name, row in paper.tables if not any(row == said and name in cell for said, cell in under)] == []


ASKED_PAPERS = (*SITE_PAPERS, *OFFICE_PAPERS, *FORM_PAPERS, *MORE_FORM_PAPERS)
ASKED = {f"{paper.code}-{n}": each for paper in ASKED_PAPERS for n, each in enumerate(paper.asks)}
NOT_YET = {"nm-ended-0", "sd-drafted-1", "nea-clauses-1", "sd-glued-0", "sd-glued-1"}
"""A list of repealed texts; a letter beside its draft; a clause of a
standard by its number without the standard's whole title; 不合格 where another item sets the mark for it; 多少分 taken for an amount of money."""


@pytest.fixture(scope="module")
def engine(browser_page: Page, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """A library of the papers, under names that say nothing."""
    folder = tmp_path_factory.mktemp("papers")
    files = [file_of(paper, browser_page, folder) for paper in ASKED_PAPERS]
    with Engine.open(load(library=folder / "library", workers=0)) as opened:
        report = opened.intake.ingest_raw(
            [RawDocument.of(content, f"{n}{suffix}") for n, (content, suffix) in enumerate(files)]
        )
        assert not report.of("failed"), report
        yield opened


@pytest.mark.parametrize("key", [key for key, (_, pieces) in ASKED.items() if pieces and key not in NOT_YET])
def test_the_words_that_answer_are_quoted_first(engine: Engine, key: str) -> None:
    question, pieces = ASKED[key]
    answer = answer_json(engine.ask(question, day=dt.date(2026, 11, 22)))
    cited = answer["citations"][:1]
    words = bare("".join(c["direct_quote"] + json.dumps(c.get("table"), ensure_ascii=False) for c in cited))
    assert [piece for piece in pieces if bare(piece) not in words] == [], answer["refusal"] or words


def test_a_quote_on_the_right_page_of_a_sheet_is_boxed_there(browser_page: Page, tmp_path: Path) -> None:
    content, _ = file_of(SD_BOOKLET, browser_page, tmp_path)
    left = locate(content, 1, "法律、法规另有规定的，从其规定")
    right = locate(content, 1, "平台运行单位不得将用户数据提供给第三方")
    assert left and all(box.right < 421 for box in left), left  # the middle of a sheet of 842 points
    assert right and all(box.left > 421 for box in right), right


def test_a_number_that_a_held_paper_repeals_is_answered_by_that_paper_when_its_force_is_asked(engine: Engine) -> None:
    asked = "内发改价字〔2012〕1099号"
    day = dt.date(2026, 11, 22)
    assert (
        f"决定废止《关于示例蒙西电网丰枯电价的通知》（{asked}）"
        in engine.ask(f"{asked}什么时候停止执行？", day=day).quotes[0].text
    )
    assert engine.ask(f"{asked}第三条怎么规定？", day=day).refusal is not None


def test_a_paper_that_is_no_rule_says_so_beside_its_words(engine: Engine) -> None:
    answer = answer_json(engine.ask("按政策问答，跨省绿电交易电量计入哪一方？", day=dt.date(2026, 11, 22)))
    assert "计入受端" in answer["citations"][0]["direct_quote"]
    assert any("不是现行规定" in words for words in answer["citations"][0]["warnings"])
