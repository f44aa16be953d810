"""Words for the embedder, terms for the lexical index."""

from pathlib import Path

import jieba
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nemo.text.words.tokenise import bigrams, terms, words

WORDS = [
    ("plain", "电网企业应当公开信息", ["电网", "企业", "应当", "公开", "信息"]),
    ("punctuation and blanks go", "电网 ，企业。", ["电网", "企业"]),
    ("letters are lowered", "AGC 10kV", ["agc", "10kv"]),
    ("percent stays", "20%", ["20%"]),
    ("nothing", "", []),
    ("marks only", "，。（）", []),
]


@pytest.mark.parametrize(("remark", "text", "expected"), WORDS, ids=[w[0] for w in WORDS])
def test_words(remark: str, text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_bigrams_do_not_cross_other_characters() -> None:
    assert bigrams("电网，企业A局") == ["电网", "企业"]
    assert bigrams("并网验收") == ["并网", "网验", "验收"]
    assert bigrams("电") == []


def test_terms_are_words_and_bigrams() -> None:
    assert terms("电网企业") == ["电网", "企业", "电网", "网企", "企业"]


@settings(max_examples=200)
@given(st.text(max_size=60))
def test_any_text_has_terms(text: str) -> None:
    assert all(term.strip() for term in terms(text))


def test_words_are_those_of_jieba(shared: Path) -> None:
    """The embedder's table was trained on jieba's words; every 60th text, its first 3,000 characters."""
    for path in sorted((shared / "corpus").glob("*.md"))[::60]:
        text = path.read_text(encoding="utf-8")[:3000].lower()
        expected = [w for w in jieba.cut(text) if any(c.isalnum() or c == "%" for c in w)]
        assert words(text) == expected
