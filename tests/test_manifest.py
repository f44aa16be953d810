"""A manifest is believed only when it is well formed and does not contradict itself."""

import datetime as dt
from pathlib import Path

import pytest

from nemo import rules as rule_data
from nemo.errors import BadRequestError
from nemo.ingest.manifest import KnownFacts, facts_of, read
from nemo.settings import PROJECT

RULES = rule_data.load(PROJECT / "data" / "rules")


def write(folder: Path, text: str) -> Path:
    path = folder / "manifest.jsonl"
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize(
    ("remark", "text", "words"),
    [
        ("no JSON", "标题,省份\n", "第 1 行：不是 JSON"),
        ("a JSON list", "[1, 2]\n", "不是 JSON 对象"),
        ("no file", '{"title": "演示办法"}\n', "缺少 file"),
        ("a date that is none", '{"file": "a.md", "effective_date": "2024-13-01"}\n', "effective_date"),
        ("an unknown province", '{"file": "a.md", "province": "zz"}\n', "zz"),
        ("an unknown asset", '{"file": "a.md", "assets": ["solar", "fusion"]}\n', "fusion"),
        ("an unknown class", '{"file": "a.md", "doc_class": "nothing"}\n', "nothing"),
        ("twice, different", '{"file": "a.md", "title": "一"}\n{"file": "a.md", "title": "二"}\n', "出现两次"),
        (
            "ends before it begins",
            '{"file": "a.md", "effective_date": "2024-01-01", "valid_until": "2023-01-01"}',
            "早于",
        ),
        (
            "superseded before it begins",
            '{"file":"a.md","in_force_from":"2024-01-01","superseded_on":"2020-01-01"}',
            "早于",
        ),
        ("empty", "\n\n", "为空"),
    ],
)
def test_a_wrong_manifest_is_refused_with_its_line(tmp_path: Path, remark: str, text: str, words: str) -> None:
    with pytest.raises(BadRequestError, match=words):
        read(write(tmp_path, text), RULES)


def test_a_missing_manifest(tmp_path: Path) -> None:
    with pytest.raises(BadRequestError, match="不存在"):
        read(tmp_path / "none.jsonl", RULES)


def test_what_nemo_does_not_know_is_kept(tmp_path: Path) -> None:
    path = write(tmp_path, '{"file": "sub/a.md", "doc_number": "粤演能〔2024〕1号", "grid_zone": "mengxi"}')
    facts = read(path, RULES)["a.md"]
    assert facts.document_number == "粤演能〔2024〕1号"
    assert facts.unknown == {"grid_zone": "mengxi"}


def test_facts_of_a_file_win_over_those_of_the_batch() -> None:
    batch = facts_of({"province": "gd", "assets": "solar"}, RULES, "表单")
    merged = KnownFacts(file="a.md", province="sd").over(batch)
    assert (merged.province, merged.assets, merged.file) == ("sd", ["solar"], "a.md")


def test_days_are_days() -> None:
    assert facts_of({"effective": "2024-06-01"}, RULES, "表单").effective_date == dt.date(2024, 6, 1)
