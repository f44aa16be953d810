"""A question in the words of the held texts (nemo.answer.question.rewriting)."""

from __future__ import annotations

import datetime as dt
from types import SimpleNamespace

import numpy as np
import pytest

from nemo.answer.question import rewriting
from nemo.store.search.number_sets import ChunkNumbers
from nemo.types import Expansion, Filters, Mention, Query

HELD = (
    "发放绿色电力证书应当公开。",
    "建设项目应当进行环境影响评价。",
    "上网电价由国家规定。",
    "未取得样板许可证的，处罚款。",
)


class Held:
    """A few passages, all of them found by any word."""

    def __init__(self) -> None:
        words = rewriting.PassageWordCounts(())
        self.view = SimpleNamespace(once=lambda _: words)
        self.facets = SimpleNamespace(allowed=lambda _: ChunkNumbers(np.array([0]), np.array([len(HELD)])))
        self.asked = 0

    def by_words(self, _: object, __: int, ___: Filters) -> SimpleNamespace:
        self.asked += 1
        return SimpleNamespace(numbers=np.arange(len(HELD)))

    def chunk_at(self, number: int) -> SimpleNamespace:
        return SimpleNamespace(text=HELD[number])


@pytest.mark.parametrize(
    ("remark", "asked", "widened", "named", "written"),
    [
        ("a short word that no text uses", "绿证有依据吗", ("绿证", "GEC", "绿色电力证书"), (), "绿色电力证书有依据吗"),
        ("one that a text uses stays", "上网电价谁定", ("上网电价", "绿色电力证书"), (), "上网电价谁定"),
        ("no text uses another word either", "绿氢有依据吗", ("绿氢", "可再生氢"), (), "绿氢有依据吗"),
        ("a part of a name stays", "环评法怎么说", ("环评", "环境影响评价"), ("环评法",), "环评法怎么说"),
    ],
)
def test_as_held(remark: str, asked: str, widened: tuple[str, ...], named: tuple[str, ...], written: str) -> None:
    query = Query(
        asked,
        Filters(),
        asked,
        synonyms=(Expansion(widened[0], widened[1:], "demo"),),
        mentions=tuple(Mention(words, title=words) for words in named),
    )
    found = rewriting.as_held(query, Held())  # type: ignore[arg-type]
    assert found.text == written, remark
    assert (found is query) == (written == asked), remark
    assert all(each.term in found.text and each.added for each in found.synonyms), remark


def test_a_word_is_looked_up_once_on_all_days_on_which_the_same_texts_are_law() -> None:
    held = Held()
    for day in (dt.date(2026, 11, 20), dt.date(2026, 11, 21)):
        said = (Expansion("上网电价", ("绿色电力证书",), "demo"),)
        rewriting.as_held(Query("上网电价谁定", Filters(day=day), "上网电价谁定", synonyms=said), held)  # type: ignore[arg-type]
    assert held.asked == 1
