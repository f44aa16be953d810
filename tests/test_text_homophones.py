"""Pinyin and homophones are read only where what was typed occurs nowhere."""

from collections.abc import Iterable

import pytest

from nemo.text.words.homophones import Homophones

COUNTS = {
    "电网": 400,
    "调度": 300,
    "机构": 900,
    "保持": 200,
    "罚款": 2000,
    "水土": 100,
    "车站": 90,
    "分": 50,
    "几": 40,
    "级": 700,
    "办法": 900,
    "保证金": 90,
}


def frequency(words: Iterable[str]) -> dict[str, int]:
    return {w: COUNTS[w] for w in words if w in COUNTS}


@pytest.fixture(scope="module")
def homophones() -> Homophones:
    return Homophones([*COUNTS, "电王", "fan"], frequency)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("dianwang diaodu jigou", "电网调度机构"),
        ("DianWang diaodujigou", "电网调度机构"),
        ("how many days does it take", None),
        ("电网 diaodu jigou", None),
        ("fen ji", None),
    ],
)
def test_pinyin(homophones: Homophones, typed: str, meant: str | None) -> None:
    assert homophones.from_pinyin(typed) == meant


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("水土宝持设施", [("宝持", "保持")]),
        ("法款多少", [("法款", "罚款")]),
        ("罚款多少", []),
        ("由谁罚款", []),
        ("没办罚多少", []),
        ("丁庄水库", []),
        ("投标保正金几天退", [("保正金", "保证金")]),
    ],
)
def test_homophones(homophones: Homophones, text: str, changes: list[tuple[str, str]]) -> None:
    assert homophones.mend(text) == changes
