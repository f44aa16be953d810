"""The start of a working day: each alarm once, what is new since somebody looked, marks that belong to their person."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from nemo.errors import NotFoundError
from nemo.lawview.news import news
from nemo.review import ChangeKind, StaleAnswer, alarms
from nemo.store.catalogue.rows import AnswerRow
from nemo.store.library import Library
from nemo.store.records.marks import MarkPurpose
from nemo.types import CHINA, Filters, Status, Validity
from nemo.ui.answer import questions
from nemo.ui.answer.form import QuestionForm
from nemo.ui.shared.choices import ChosenFilters
from tests.export_samples import law, store
from tests.store_samples import opened

NOW = dt.datetime(2031, 5, 6, 9, 0, tzinfo=CHINA)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with opened(tmp_path / "lib") as found:
        store(
            found,
            law("青石镇风车检修规定", ["风车每季度检修一次。"]),
            law("白鹭洲光板清洗规定", ["光板每月清洗一次。"]),
        )
        yield found


def asked(trace: str, question: str, hours: int, province: str | None = "gd", day: dt.date | None = None) -> AnswerRow:
    at = NOW + dt.timedelta(hours=hours)
    return AnswerRow(trace, question, day or at.date(), False, 1, at, None, Filters(province, None, None, day))


def stale(*rows: AnswerRow) -> list[StaleAnswer]:
    return [StaleAnswer(row, (ChangeKind.REJECTED,)) for row in rows]


def test_one_question_asked_five_times_is_one_alarm() -> None:
    rows = [asked(f"t{n}", "多久检修一次？" if n % 2 else "多久 检修一次？", -n) for n in range(5)]
    (one,) = alarms(stale(*rows), rows)
    assert (one.newest.answer.trace_id, one.count) == ("t0", 5)


@pytest.mark.parametrize(
    ("remark", "newer", "told"),
    [
        ("asked again and it holds", asked("t9", "多久检修一次？", 5), 0),
        ("asked again for another province", asked("t9", "多久检修一次？", 5, "sd"), 1),
        ("another question", asked("t9", "多久清洗一次？", 5), 1),
        ("asked about another day", asked("t9", "多久检修一次？", 5, day=dt.date(2019, 1, 1)), 1),
    ],
)
def test_a_question_that_was_asked_again_is_not_told(remark: str, newer: AnswerRow, told: int) -> None:
    old = asked("t1", "多久检修一次？", 0)
    assert len(alarms(stale(old), [newer, old])) == told


def test_news_are_what_came_in_and_what_time_turned(library: Library) -> None:
    one, two = library.rows()
    before = one.stored_at + dt.timedelta(seconds=1)
    later = replace(two, stored_at=before + dt.timedelta(days=1))
    found = news([one, later], before, before.date())
    assert [row.title for row in found.stored] == [two.title] and found.turned == ()
    began = replace(one, validity=Validity(version_effective=NOW.date()))
    (turned,) = news([began], NOW - dt.timedelta(days=3), NOW.date()).turned
    assert (turned.before, turned.after) == (Status.PENDING, Status.IN_FORCE)


def test_marks_belong_to_their_person(library: Library) -> None:
    marks = library.marks
    number = marks.put(MarkPurpose.NOTE, "r1", "王敏", label="3", words="一次", note="与合同不符")
    marks.put(MarkPurpose.NOTE, "r1", "李强")
    marks.put(MarkPurpose.FOLLOW, "标题", "王敏")
    assert [(m.user, m.note) for m in marks.of(MarkPurpose.NOTE, "r1")] == [("李强", ""), ("王敏", "与合同不符")]
    assert [m.label for m in marks.mine(MarkPurpose.NOTE, "王敏")] == ["3"]
    with pytest.raises(NotFoundError):
        marks.forget(number, "李强")
    marks.forget(number, "王敏")
    assert marks.mine(MarkPurpose.NOTE, "王敏") == []


def test_an_assignment_has_one_holder_and_everybody_has_their_own_reading(library: Library) -> None:
    marks = library.marks
    for user in ("王敏", "李强"):
        marks.replace(MarkPurpose.ASSIGNED, "7", user, by="主任")
        marks.replace(MarkPurpose.READ, "", user)
        marks.replace(MarkPurpose.READ, "", user)
    assert [(m.user, m.by) for m in marks.of(MarkPurpose.ASSIGNED)] == [("李强", "主任")]
    assert sorted(str(m.user) for m in marks.of(MarkPurpose.READ)) == ["李强", "王敏"]


def test_a_search_goes_into_a_folder_and_out_of_it(library: Library) -> None:
    library.searches.save("检修", "多久检修一次？", Filters(), "王敏", "甲项目")
    assert [s.folder for s in library.searches.all("王敏")] == ["甲项目"]
    library.searches.save("检修", "多久检修一次？", Filters(), "王敏")
    assert [s.folder for s in library.searches.all("王敏")] == [""]


@pytest.mark.parametrize(
    ("remark", "kept", "of_row", "same"),
    [
        ("nothing read", ("风车几时检修", None), ("风车几时检修", None), True),
        ("a province read from its words", ("湖北风车几时检修", None), ("湖北风车几时检修", "hub"), True),
        ("another question", ("风车几时检修", None), ("光板几时清洗", None), False),
        ("kept for one province, asked for another", ("风车几时检修", "gd"), ("风车几时检修", "sd"), False),
    ],
)
def test_a_kept_question_and_its_answer_are_one_line(
    remark: str, kept: tuple[str, str | None], of_row: tuple[str, str | None], same: bool
) -> None:
    one, other = (QuestionForm(question, ChosenFilters(province)) for question, province in (kept, of_row))
    assert questions._is_read_of(one, other) is same
