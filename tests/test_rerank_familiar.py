"""Questions of other fields that carry a word of this one are strange; lay questions of the field are not (生词率)."""

from pathlib import Path

import pytest

from nemo.errors import ConfigError
from nemo.rerank import strangeness
from nemo.rerank.domain import MODEL
from nemo.rerank.strangeness import QuestionVocabulary
from nemo.rerank.verdict import LEAST, USUAL, Calibration, Logistic
from nemo.settings import load


@pytest.fixture(scope="module")
def asked() -> QuestionVocabulary:
    return QuestionVocabulary.read(load().models / MODEL)


@pytest.mark.parametrize(
    ("strange", "question"),
    [
        (True, "光伏主题的手账贴纸怎么剪才好看"),
        (True, "风电吉祥物玩偶在哪个商场有货"),
        (True, "电吉他的拾音器怎么焊"),
        (True, "储能股的K线出现金叉是啥意思"),
        (True, "how to bake bread in a solar oven"),
        (False, "供电公司停电前要不要先通知用户"),
        (False, "没办环评就开工会被怎么处罚"),
        (False, "矿上的安全员要几个人"),
        (False, "海上风电用海最长批多少年"),
    ],
)
def test_another_field_is_told_by_its_words(asked: QuestionVocabulary, question: str, strange: bool) -> None:
    found = asked.strangeness(question, [])
    assert found >= 0.25 if strange else found < USUAL, found


def test_what_a_library_says_is_not_strange_to_it(asked: QuestionVocabulary) -> None:
    question = "电吉他的拾音器怎么焊"
    assert asked.strangeness(question, ["演示乐器办法：电吉他的拾音器应当焊接牢固，怎么焊由厂家规定。"]) < USUAL
    assert asked.strangeness("2024-05-01 10%", []) == 0.0


def test_the_words_are_kept_as_they_were_written(tmp_path: Path) -> None:
    strangeness.write(tmp_path, ["演示电站", "demo plant"])
    kept = QuestionVocabulary.read(tmp_path)
    assert kept.strangeness("演示电站 Demo", []) == 0.0
    assert kept.strangeness("演示路灯", []) == pytest.approx(2 / 3)
    (tmp_path / strangeness.FILE).write_bytes(b"none")
    with pytest.raises(ConfigError):
        QuestionVocabulary.read(tmp_path)


def test_the_stranger_a_question_the_surer_its_list_must_be() -> None:
    blank = Logistic.of({"weights": [0.0], "bias": 0.0})
    verdict = Calibration(blank, blank, blank, threshold=0.15, least=0.15)
    weighed = [verdict.weighed(0.5, strange) for strange in (0.0, USUAL, 0.3, 0.6)]
    assert weighed == sorted(weighed, reverse=True)
    assert weighed[1] == pytest.approx(0.5)
    assert verdict.weighed(LEAST / 2, 0.0) == 0.0
    assert verdict.vouches(0.12, 0.8, 0.2, in_field=True, headed=0.0)
    assert not verdict.vouches(0.12, 0.8, 0.4, in_field=True, headed=0.0)
    assert not verdict.vouches(0.12, 0.8, 0.2, in_field=False, headed=0.0)
    assert verdict.vouches(0.12, 0.5, 0.35, in_field=False, headed=0.5)  # its title is near
    assert not verdict.vouches(0.02, 0.5, 0.35, in_field=False, headed=0.5)
