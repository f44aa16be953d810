"""Which provisions a question about changes is about, without any search: the words and the figures decide."""

import pytest

from nemo.answer.revisions import subject
from nemo.answer.revisions.question import Versions
from nemo.answer.revisions.subject import concerned
from nemo.lawview import comparison
from nemo.text.structure.tree import structure
from nemo.types import Filters, Mention, Query, Regulation, Validity

OLD = """星河法

第一条 为了星河，制定本法。

第二条 股东认缴的出资额由全体股东按照章程缴足。

第三条 股东转让出资的，应当书面通知其他股东，出资证明书由公司保管。

第四条 公司应当建立档案，由专人管理。
"""
NEW = """星河法

第一条 为了星河，制定本法。

第二条 股东认缴的出资额由全体股东按照章程自公司成立之日起五年内缴足。

第三条 股东转让出资的，应当通知其他股东，出资证明书由公司或者股东保管。

第四条 公司应当建立档案，由专人管理，依照第三十年检规定检查。
"""


def held(key: str, text: str) -> Regulation:
    return Regulation(key, "星河法", text, structure(text).provisions, Validity(), f"{key}.md", "0" * 64)


ASKED = [
    ("a period that came", "星河法新旧有什么变化：股东出资期限", "2"),
    ("a subject without figures", "星河法修改前后股东转让出资有什么区别", "3"),
    ("words beside 修订后 stay whole", "星河法修订后档案管理有哪些变化", "4"),
]


@pytest.mark.parametrize(("remark", "question", "label"), ASKED, ids=[a[0] for a in ASKED])
def test_the_provision_asked_for_comes_first(remark: str, question: str, label: str) -> None:
    old, new = held("a", OLD), held("b", NEW)
    mention = Mention(words="星河法", regulation_ids=("a", "b"))
    query = Query(question, Filters(), mentions=(mention,))
    pairs, _ = concerned(query, Versions(old, new, mention), comparison.diff(old, new), lambda *_: [])
    assert pairs[0].new is not None and pairs[0].new.label == label, remark


@pytest.mark.parametrize("asking", ["有什么区别", "有什么不一样", "差别在哪里", "有何差异"])
def test_words_that_only_compare_are_no_subject(asking: str) -> None:
    mention = Mention(words="星河法", regulation_ids=("a", "b"))
    query = Query(f"星河法新旧两版，股东转让出资{asking}", Filters(), mentions=(mention,))
    assert subject._subject(query) == subject._subject(Query("股东转让出资", Filters()))
