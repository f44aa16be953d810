"""The search form of texts and the comparison form of titles."""

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nemo.text.words.normalise import normalise, simplified, squash, title_key
from nemo.types import Span

FORMS = [
    ("full-width digits and letters", "第１２条 ＡＧＣ", "第12条AGC"),
    ("Chinese punctuation of full width", "（一）备案；，：", "(一)备案;,:"),
    ("Chinese marks without a half-width form stay", "甲、乙。《丙》", "甲、乙。《丙》"),
    ("quotation marks", "“甲”『乙』‘丙’", '"甲""乙"\'丙\''),
    ("brackets of document numbers", "〔2030〕﹝2030﹞【2030】［2030］", "[2030][2030][2030][2030]"),
    ("dashes", "GB/T 1—2030 2029–2030", "GB/T1-2030 2029-2030"),
    ("blanks between Han characters", "样 例 能 源 局", "样例能源局"),
    ("blanks round digits", "2030 年 5 月 1 日", "2030年5月1日"),
    ("line breaks inside words", "新能\n源电\r\n站", "新能源电站"),
    ("blank between two words stays", "power  grid", "power grid"),
    ("blank between two numbers stays", "35 110", "35 110"),
    ("blank between number and unit goes", "10 kV", "10kV"),
    ("zero-width and byte-order marks", "\ufeff样\u200b例\u00ad", "样例"),
    ("invisible in a blank", "a \u200b b", "a b"),
    ("ideographic blank", "第一条\u3000样例", "第一条样例"),
    ("traditional characters", "電網企業應當備案", "电网企业应当备案"),
    ("mixed", "能源電力", "能源电力"),
    ("degrees and square metres", "25℃ 100㎡ 3m²", "25°C100m2 3m2"),
    ("lowered digit", "CO₂", "CO2"),
    ("Roman numeral", "Ⅱ类", "II类"),
    ("nothing", "", ""),
    ("blanks only", " \n\u3000", ""),
]


@pytest.mark.parametrize(("remark", "text", "expected"), FORMS, ids=[f[0] for f in FORMS])
def test_search_form(remark: str, text: str, expected: str) -> None:
    assert normalise(text).text == expected


TEXTS = st.one_of(
    st.text(max_size=80),
    st.lists(st.sampled_from([*"電網第１２条 \u3000\n\u200b（）“”℃㎡Ⅱ²ab12，。—〔〕"]), max_size=40).map("".join),
)


@settings(max_examples=400)
@given(TEXTS)
def test_idempotent_with_a_rising_map(text: str) -> None:
    form = normalise(text)
    assert normalise(form.text).text == form.text
    assert len(form.offsets) == len(form.text) + 1
    assert form.offsets[-1] == len(text)
    assert all(a <= b for a, b in zip(form.offsets, form.offsets[1:], strict=False))
    assert all(0 <= offset <= len(text) for offset in form.offsets)


def test_a_place_in_the_search_form_leads_back_to_the_original() -> None:
    text = "样例局\n规定： 装机１０ 万千瓦、25℃以上"
    form = normalise(text)
    start = form.text.index("装机10万千瓦")
    assert form.original(Span(start, start + 7)).of(text) == "装机１０ 万千瓦"
    degree = form.text.index("°C")
    assert form.original(Span(degree, degree + 2)).of(text) == "℃"


def test_simplifying_changes_characters_one_for_one() -> None:
    assert simplified("開發電網與儲能") == "开发电网与储能"
    assert len(simplified("乾淨的後臺")) == 5


def test_simplified_text_does_not_load_the_dictionary() -> None:
    code = (
        "import sys; from nemo.text.words.normalise import normalise; normalise('电网'); print('opencc' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_squash_removes_white_space_only() -> None:
    assert squash(" 第 一\u3000条\n\u200b样，例 ") == "第一条样，例"


KEYS = [
    ("country prefix", "中华人民共和国样例法", "样例法"),
    ("prefix inside 实施《…》", "某省实施〈中华人民共和国样例法〉办法", "某省实施《样例法》办法"),
    ("trial mark", "样例办法（试行）", "样例办法"),
    ("half-width brackets", "样例办法(暂行)", "样例办法"),
    ("year of revision", "样例条例（2030年修订）", "样例条例"),
    ("blanks", "样例 管理\n办法", "样例管理办法"),
    ("file ending", "样例办法.pdf", "样例办法"),
    ("other bracketed words count", "样例规定（一）", "样例规定一"),
    ("traditional", "樣例辦法", "样例办法"),
]


@pytest.mark.parametrize(("remark", "one", "other"), KEYS, ids=[k[0] for k in KEYS])
def test_titles_that_are_the_same(remark: str, one: str, other: str) -> None:
    assert title_key(one) == title_key(other)


DIFFERENT = [
    ("numbered parts", "样例规定（一）", "样例规定（二）"),
    ("draft for comment", "样例办法（征求意见稿）", "样例办法"),
    ("decision on the rule", "关于修改《样例办法》的决定", "样例办法"),
    ("detailed rules", "样例法实施细则", "样例法"),
]


@pytest.mark.parametrize(("remark", "one", "other"), DIFFERENT, ids=[d[0] for d in DIFFERENT])
def test_titles_that_are_not_the_same(remark: str, one: str, other: str) -> None:
    assert title_key(one) != title_key(other)


@given(st.text(max_size=60))
def test_title_keys_are_stable(text: str) -> None:
    assert title_key(title_key(text)) == title_key(text)
