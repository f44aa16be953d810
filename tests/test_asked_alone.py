"""Which paper a question means that names no title: the one that alone says its rare words (独有之词)."""

import datetime as dt
from types import SimpleNamespace
from typing import Any

import pytest

from nemo.answer.question import rare_words
from nemo.text.words.tokenise import bigrams
from nemo.types import Filters, Query, Status

PLANT, RIVER, RULE, LAW = "沙坪口样本储能电站批复", "沙坪河样本调度备忘录", "样本细则", "样本法"
ENDED, AFTER = "样本补助细则", "样本奖补办法"
TEXTS = {
    PLANT: "沙坪口样本储能电站占地四公顷，事故油池有效容积不小于六十五立方米。",
    RIVER: "沙坪河样本梯级联合调度增发收益按照四比六分享。",
    RULE: "储能电站应当设置事故油池，有效容积按规范确定。",
    LAW: "临时用地期限不超过二年。",
    ENDED: "白杨渡样本电站的检修定额为十元。",
    AFTER: "白杨渡样本电站的补助细则同时废止。",
}
DAY = dt.date(2027, 1, 1)
MANY = 400
"""As many texts are held that say nothing of either."""


def _held() -> Any:
    names = [*TEXTS, *map(str, range(MANY))]
    law, ended = SimpleNamespace(on=lambda _: Status.IN_FORCE), SimpleNamespace(on=lambda _: Status.REPEALED)
    rows = {
        name: SimpleNamespace(
            id=name,
            level="法律" if name == LAW else None,
            nature="binding",
            validity=ended if name == ENDED else law,
        )
        for name in names
    }

    def saying(pair: str) -> list[int]:
        return [at for at, name in enumerate(names) if pair in name + TEXTS.get(name, "")]

    known = rare_words.PairTexts(())
    return SimpleNamespace(
        document_frequency=lambda pairs: {pair: len(saying(pair)) for pair in pairs},
        texts_with=lambda pair, filters, most: [names[at] for at in saying(pair)],
        view=SimpleNamespace(once=lambda make: known),
        facets=SimpleNamespace(allowed=lambda filters, natures: SimpleNamespace(mark=str(filters).encode())),
        headers=lambda: list(rows.values()),
        row=rows.__getitem__,
    )


@pytest.mark.parametrize(
    ("remark", "question", "meant"),
    [
        ("the name of a plant", "沙坪口储能站占地几公顷", (PLANT,)),
        ("the name of a river and what is done on it", "沙坪河联合调度增发收益怎么分", (RIVER,)),
        ("two texts that alone say the words are meant together", "储能电站事故油池要做多大", (RULE, PLANT)),
        ("two pairs of characters are too few", "沙坪怎么分", ()),
        ("a name no text says", "龙头坝电站的期限是多久", ()),
        ("a statute is not meant by its words: it rules in general", "临时用地期限不超过多久", ()),
        ("an ended text says the words best", "白杨渡电站检修定额怎么定", ()),
        ("the asking words tell nothing", "什么时候有多少", ()),
    ],
)
def test_the_paper_that_alone_says_the_rare_words_is_meant(remark: str, question: str, meant: tuple[str, ...]) -> None:
    held = _held()
    assert rare_words.texts_meant(rare_words.rarity_weights(Query(question, Filters()), held), held, DAY) == meant, (
        remark
    )


@pytest.mark.parametrize("whether", ["能不能", "要不要", "归不归", "有没有", "还没还"])
def test_how_it_is_asked_is_no_matter(whether: str) -> None:
    asked, plain = (rare_words.pairs(Query(f"沙坪口电站{words}扩建", Filters())) for words in (whether, "是否"))
    assert asked == plain


def test_a_pair_is_looked_up_once_for_the_same_filters() -> None:
    held, looked = _held(), list[str]()
    find = held.texts_with
    held.texts_with = lambda pair, filters, most: [looked.append(pair), *find(pair, filters, most)][1:]
    asked = Query("沙坪口储能站占地几公顷", Filters())
    assert (
        rare_words.rarity_weights(asked, held) == rare_words.rarity_weights(asked, held)
        and len(looked) == len(set(looked)) > 0
    )
    once = len(looked)
    rare_words.rarity_weights(Query(asked.text, Filters(province="gd")), held)
    assert len(looked) == 2 * once, "another province holds other texts"
    rare_words.rarity_weights(Query(asked.text, Filters(day=DAY)), held)
    assert len(looked) == 2 * once, "the day hides no text that is named"


def test_a_quote_of_another_text_is_told_from_what_is_meant() -> None:
    held = _held()
    weights = rare_words.rarity_weights(Query("沙坪口储能事故油池要做多大", Filters()), held)
    assert rare_words.lead_of_others(weights, PLANT, held) == 0.0
    assert (
        0.0
        < rare_words.lead_of_others(weights, RULE, held)
        <= 2.0
        == rare_words.lead_of_others({PLANT: 99.0}, LAW, held)
    )
    assert bigrams("沙坪口") == ["沙坪", "坪口"], "what a name is taken apart into"
