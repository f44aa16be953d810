"""Whole papers in raw form (公文原件): nothing of the paper is lost, nothing of the site stays, every fact is that of the paper."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, sync_playwright

from nemo import rules as rule_data
from nemo.ingest.assemble import regulations_in
from nemo.ingest.manifest import Facts as Stated
from nemo.parse import parse
from nemo.settings import Settings, load
from nemo.types import RawDocument
from tests.browser import chromium
from tests.raw_carriers import around, file_of, kept, sentences
from tests.raw_papers import RAW_PAPERS, Raw
from tests.raw_papers_office import OFFICE_PAPERS
from tests.raw_papers_sites import SITE_PAPERS
from tests.test_papers_as_they_come import wrong_facts


@pytest.fixture(scope="module")
def browser_page() -> Iterator[Page]:
    with sync_playwright() as playwright:
        opened = chromium(playwright)
        yield opened.new_page()
        opened.close()


def bare(words: str) -> str:
    return re.sub(r"\s", "", words)


@pytest.mark.parametrize("paper", (*RAW_PAPERS, *SITE_PAPERS, *OFFICE_PAPERS), ids=lambda paper: paper.code)
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
