"""The questions on public statutes name provisions that exist, carry no text of them, and repeat no development question."""

import json
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "data" / "golden" / "statutes"
FIELDS = {"id", "kind", "question", "previous", "province", "asset", "doc_class", "as_of", "gold", "why"}


def rows() -> list[dict[str, Any]]:
    files = sorted(FOLDER.glob("*.jsonl"))
    assert len(files) == 3
    return [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]


def test_questions_carry_facts_only() -> None:
    found = rows()
    assert len({row["id"] for row in found}) == len(found) > 200
    for row in found:
        assert set(row) <= FIELDS
        assert all(set(gold) == {"file", "article", "group"} for gold in row.get("gold", ()))
        assert bool(row.get("gold")) != bool(row.get("why"))


def test_every_gold_provision_stands_in_its_text(shared: Path) -> None:
    for row in rows():
        for gold in row.get("gold", ()):
            text = (shared / "corpus" / gold["file"]).read_text("utf-8").replace("〇", "零")
            assert re.search(rf"^\W*{gold['article']}(?![一二三四五六七八九十百])", text, re.MULTILINE), row["id"]


def test_no_question_is_one_of_the_development_questions(shared: Path) -> None:
    known = set()
    for name in ("forms/forms.jsonl", "golden/golden.jsonl", "golden/golden_extra.jsonl"):
        known |= {json.loads(line)["question"] for line in (shared / name).read_text("utf-8").splitlines()}
    repeated = {row["question"] for row in rows() if not row.get("previous")} & known
    assert not repeated
