"""Official papers as they come (公文原件): every letter of ours on every page, print and file, read whole and rightly.

What is asked of each is what a person would check: no sentence and no cell is lost, nothing of the site is left, letter
and annex are told apart, and title, number, bodies, days, nature and province are those of the paper.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from nemo import rules as rule_data
from nemo.ingest.assemble import regulations_in
from nemo.ingest.manifest import Facts as Stated
from nemo.parse import parse
from nemo.rules import Rules
from nemo.settings import Settings, load
from nemo.text.words.normalise import title_key
from nemo.types import ParsedDocument, RawDocument, Regulation
from tests.paper_carriers import FURNITURE, SITES, docx, dump, pdf
from tests.paper_samples import LETTERS, Facts, Letter

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
    days = {"promulgated": known.promulgated, "effective": known.effective, "ends": known.ends}
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


@pytest.mark.parametrize(("letter", "form"), MATRIX, ids=[f"{x.code}-{y}" for x, y in MATRIX])
def test_a_paper_is_read_whole_whatever_it_comes_on(letter: Letter, form: str, rules: Rules) -> None:
    raw = RawDocument.of(FORMS[form](letter), f"x{form[form.index('.') :]}")
    parsed = parse(raw, Settings())
    assert lost(parsed, letter) == []
    assert [words for words in FURNITURE if words in parsed.text] == []
    found = regulations_in(raw, parsed, Stated(), rules)
    assert len(found) == len(letter.facts), [regulation.title for regulation in found]
    wrong = [wrong_facts(regulation, facts) for regulation, facts in zip(found, letter.facts, strict=True)]
    assert not any(wrong), wrong
    assert "much_removed" not in {fault.code for fault in parsed.faults}
