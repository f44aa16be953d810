"""Official papers as they come (公文原件): every letter of ours on every page, print and file, read whole and rightly.

What is asked of each is what a person would check: no sentence and no cell is lost, nothing of the site is left, letter
and annex are told apart, and title, number, bodies, days, nature and province are those of the paper.
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from nemo import rules as rule_data
from nemo.ingest.assemble import regulations_in
from nemo.ingest.manifest import KnownFacts as Stated
from nemo.parse import parse
from nemo.rules import Rules
from nemo.settings import Settings, load
from nemo.text.structure.tables import tables
from nemo.text.words.normalise import title_key
from nemo.types import ParsedDocument, RawDocument, Regulation, RelationKind
from tests.paper_carriers import FURNITURE, SITES, docx, dump, pdf, prices_xls, prices_xlsx, printed
from tests.paper_samples import (
    GD_MARKET,
    GD_STORAGE,
    LETTERS,
    NDRC_ORDER,
    NF_RULES,
    NM_DEVIATION,
    QA,
    REPEAL,
    SD_PRICES,
    Facts,
    Letter,
)

FORMS: dict[str, Callable[[Letter], bytes]] = {
    **{f"{name}.html": site for name, site in SITES.items()},
    "copied.txt": dump,
    "letter.docx": docx,
    "letter.pdf": pdf,
}
MATRIX = [(letter, name) for letter in LETTERS for name in FORMS]


@pytest.fixture(scope="module")
def rules() -> Rules:
    return rule_data.load(load().rules)


def bare(words: str) -> str:
    return re.sub(r"\s", "", words)


def facts_of(regulation: Regulation) -> dict[str, str | None]:
    """The facts of a regulation, days as ISO strings."""
    known = regulation.validity
    days = {
        "promulgated": known.promulgated,
        "effective": known.effective if known.first_effective else None,
        "ends": known.ends,
    }
    told = {name: getattr(regulation, name) for name in ("issuer", "nature", "province")}
    return {
        **told,
        **{name: day.isoformat() if day else None for name, day in days.items()},
        "number": regulation.document_number,
    }


def wrong_facts(regulation: Regulation, wanted: Facts) -> dict[str, tuple[object, object]]:
    """Facts that are not those of the paper: (read, wanted). A title may leave out the bodies before 关于."""
    titles = {title_key(wanted.title), title_key(re.sub("^.{2,60}?关于", "关于", wanted.title, count=1))}
    found = {} if title_key(regulation.title) in titles else {"title": (regulation.title, wanted.title)}
    asked = {name: (value, getattr(wanted, name)) for name, value in facts_of(regulation).items()}
    return found | {name: pair for name, pair in asked.items() if pair[1] is not ... and pair[0] != pair[1]}


def lost(parsed: ParsedDocument, letter: Letter) -> list[str]:
    """Paragraphs and cells of the letter that the text does not hold."""
    held = bare(parsed.text)
    cells = [word for grid in letter.grids() for row in (*grid.header, *grid.rows) for word in row if word]
    return [words for words in (*letter.paragraphs(), *cells) if bare(words) not in held]


def check(content: bytes, suffix: str, letter: Letter, rules: Rules) -> tuple[ParsedDocument, list[Regulation]]:
    """Read a file and hold it against the letter."""
    raw = RawDocument.of(content, f"x{suffix}")
    parsed = parse(raw, Settings())
    assert lost(parsed, letter) == []
    assert [words for words in FURNITURE if words in parsed.text] == []
    found = regulations_in(raw, parsed, Stated(), rules)
    assert len(found) == len(letter.facts), [regulation.title for regulation in found]
    wrong = [wrong_facts(regulation, facts) for regulation, facts in zip(found, letter.facts, strict=True)]
    assert not any(wrong), wrong
    return parsed, found


@pytest.mark.parametrize(("letter", "form"), MATRIX, ids=[f"{x.code}-{y}" for x, y in MATRIX])
def test_a_paper_is_read_whole_whatever_it_comes_on(letter: Letter, form: str, rules: Rules) -> None:
    parsed, _ = check(FORMS[form](letter), form[form.index(".") :], letter, rules)
    assert "much_removed" not in {fault.code for fault in parsed.faults}


PRINTED = (GD_STORAGE, SD_PRICES, NDRC_ORDER, GD_MARKET, REPEAL)
"""An annex in the page, a table, an order, clauses, a short letter."""


@pytest.mark.parametrize("letter", PRINTED, ids=lambda letter: letter.code)
@pytest.mark.parametrize("site", SITES)
def test_a_page_that_a_browser_printed_is_read_whole(
    letter: Letter, site: str, rules: Rules, browser_page: Page, tmp_path: Path
) -> None:
    check(printed(browser_page, SITES[site](letter), tmp_path), ".pdf", letter, rules)


def regulations_of(letter: Letter, rules: Rules) -> list[Regulation]:
    return check(FORMS["gd.html"](letter), ".html", letter, rules)[1]


def test_articles_of_market_rules_are_cited_by_their_dotted_numbers(rules: Rules) -> None:
    rule = regulations_of(NF_RULES, rules)[1]
    cited = {p.path(): p.span.of(rule.text) for p in rule.walk() if p.number}
    assert cited["第2.3.27条"].startswith("第2.3.27条　独立储能电站")
    assert list(cited) == ["第2.3.1条", "第2.3.2条", "第2.3.27条", "第2.3.28条", "第3.1.1条"]
    clauses = {p.path() for p in regulations_of(GD_MARKET, rules)[0].walk()}
    assert {"2.1.2", "2.2.1", "3.2"} <= clauses


def test_a_question_and_its_answer_are_one_unit(rules: Rules) -> None:
    text = regulations_of(QA, rules)[0]
    asked = [p for p in text.walk() if p.path().endswith("问") and p.children]
    assert [p.heading for p in asked] == ["为什么要制定《细则》？", "备案要多长时间？", "《细则》什么时候开始执行？"]
    assert "5个工作日" in asked[1].span.of(text.text)


def test_a_letter_that_changes_provisions_amends_the_rule_it_names(rules: Rules) -> None:
    letter = regulations_of(NM_DEVIATION, rules)[0]
    amended = [r.target_title for r in letter.relations if r.kind is RelationKind.AMENDS]
    assert amended == ["内蒙古西部电网中长期交易细则（演示）"]


@pytest.mark.parametrize(("make", "suffix"), [(prices_xlsx, ".xlsx"), (prices_xls, ".xls")])
def test_a_spreadsheet_is_filed_under_its_caption(make: Callable, suffix: str, rules: Rules) -> None:
    grid = SD_PRICES.grids()[0]
    raw = RawDocument.of(make(grid, SD_PRICES), f"附件2下载{suffix}")
    parsed = parse(raw, Settings())
    found = regulations_in(raw, parsed, Stated(), rules)[0]
    assert found.title == grid.caption
    assert [cell for row in grid.rows for cell in row if cell and cell not in parsed.text] == []
    assert tables(parsed.text)[0].unit is not None
