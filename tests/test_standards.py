"""Standards by number: what a person imported or a held text states is said beside a quote that names them."""

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import pytest

from nemo.engine import Engine
from nemo.errors import BadRequestError
from nemo.lawview.standards import COLUMNS, key_of, numbers_in, read_table
from tests.held_texts import holding

DAY = dt.date(2026, 11, 22)
RULE = """演示光伏电站接入管理办法（演示文本）

第一条 为了规范演示光伏电站接入电网，制定本办法。

第二条 演示光伏电站的低电压穿越能力应当符合GB/T 99001—2012的规定，并按照Q/GDW 99002-2015提交试验报告。

第三条 本办法自2020年3月1日起施行。
"""
HEAD = ",".join(COLUMNS)


@pytest.mark.parametrize(
    "number",
    ["GB/T 19964-2012", "GB 50797-2012", "NB/T 32004-2018", "DL/T 1040—2007", "DB37/T 4155-2020", "Q/GDW 1617-2015", "T/CEC 100-2016", "HJ 19-2022"],
)  # fmt: skip
def test_numbers_are_recognised_however_they_are_spaced(number: str) -> None:
    spaced = number.replace(" ", "").replace("—", "-")
    assert list(numbers_in(f"应当符合{number}的规定")) == [key_of(number)] == list(numbers_in(f"按照{spaced}执行"))


@pytest.mark.parametrize("words", ["国能发新能〔2024〕12号", "2012-2015年", "编号A12-2012", "GB 12"])
def test_other_numbers_are_none(words: str) -> None:
    assert numbers_in(words) == {}


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with holding(tmp_path, {"办法.md": RULE}) as opened:
        yield opened


def warned(engine: Engine, day: dt.date = DAY) -> list[str]:
    answer = engine.ask("演示光伏电站的低电压穿越能力应当符合什么规定？", day=day)
    assert answer.quotes
    return [w for w in answer.quotes[0].citation.warnings if "标准" in w]


def test_a_quote_that_names_a_replaced_standard_says_so_with_its_successor(engine: Engine) -> None:
    assert warned(engine) == []
    table = f"{HEAD}\nGB/T 99001-2012,演示规定,被代替,2013-06-01,2024-12-01,GB/T 99001-2024,演示公告2024年第1号\n"
    table += "Q/GDW 99002-2015,演示规程,现行,2015-01-01,,,\n"
    assert engine.law.import_standards(table.encode("gb18030"), "演示表.csv", "王敏") == 2
    (told,) = warned(engine)
    assert "GB/T 99001—2012" in told and "GB/T 99001-2024" in told and "2024-12-01" in told and "演示公告" in told
    assert warned(engine, dt.date(2023, 1, 1)) == [], "on that day it was the standard"
    assert engine.library.audit_trail().entries[0].action == "standards"


def test_a_held_standard_that_replaces_another_says_so(engine: Engine, tmp_path: Path) -> None:
    text = "GB/T 99001-2024\n代替 GB/T 99001-2012\n演示光伏发电站技术规定（演示文本）\n2024-06-01发布 2024-12-01实施\n1 范围\n本文件规定了演示光伏发电站的技术要求。\n2 技术要求\n2.1 演示光伏发电站应当具备低电压穿越能力。\n"
    (tmp_path / "标准.txt").write_text(text, "utf-8")
    engine.ingest([tmp_path / "标准.txt"])
    told = warned(engine)
    assert len(told) == 1 and "GB/T 99001-2024" in told[0]


@pytest.mark.parametrize(
    ("remark", "table", "words"),
    [
        ("no head", "GB/T 1-2012,现行", "首行"),
        ("no number", f"{HEAD}\n演示,x,现行,,,,", "第 2 行"),
        ("an unknown status", f"{HEAD}\nGB/T 99001-2012,x,有效,,,,", "状态"),
        ("a day that is none", f"{HEAD}\nGB/T 99001-2012,x,现行,2024年,,,", "日期"),
        ("a successor that is none", f"{HEAD}\nGB/T 99001-2012,x,被代替,,,新标准,", "被代替"),
        ("empty", "", "首行"),
    ],
)
def test_a_wrong_table_is_refused_whole_and_names_the_line(remark: str, table: str, words: str) -> None:
    with pytest.raises(BadRequestError, match=words):
        read_table(table.encode())
