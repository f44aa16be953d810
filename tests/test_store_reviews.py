"""Answers kept in the background, decisions on quotes, saved searches: nothing lost, nothing forgotten, all audited."""

import datetime as dt
import json
import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from nemo.errors import ConfigError, NotFoundError
from nemo.store.catalogue.graph_tables import metadata
from nemo.store.catalogue.rows import ReviewDecision
from nemo.store.library import Library
from nemo.store.records import audit, write_behind
from nemo.store.records.reviews import standing_of
from nemo.store.records.write_behind import WriteBehindQueue
from nemo.types import CHINA, Filters, Span, Verdict
from tests.export_samples import DAY, answer, law, place, quote, store
from tests.store_samples import of_the_first_version, opened

A, R, U, P = Verdict.APPROVED, Verdict.REJECTED, Verdict.UNSURE, Verdict.PENDING


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with opened(tmp_path / "lib") as found:
        yield found


LAW = law("青石镇风车检修规定", ["风车每季度检修一次。", "检修记录保存三年。"])


# --- the writer in the background


def test_everything_put_is_written_in_order_and_in_batches() -> None:
    written: list[list[int]] = []
    kept: WriteBehindQueue[int] = WriteBehindQueue(lambda batch: written.append(list(batch)), pytest.fail)
    for number in range(1000):
        kept.put(number)
    kept.flush()
    assert [n for batch in written for n in batch] == list(range(1000))
    assert len(written) < 50
    kept.put(1000)
    kept.close()
    assert written[-1] == [1000]


def test_nobody_waits_for_the_disk() -> None:
    gate = threading.Event()
    kept: WriteBehindQueue[int] = WriteBehindQueue(lambda _: gate.wait(10) and None, pytest.fail)
    began = time.monotonic()
    for number in range(100):
        kept.put(number)
    assert time.monotonic() - began < 60, "it waited for what is written"
    gate.set()
    kept.close()


def test_a_disk_that_refuses_is_told_once_and_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_behind, "RETRY_SECONDS", 0.02)
    monkeypatch.setattr(write_behind, "GATHER_SECONDS", 0.02)
    refuses, written, told = threading.Event(), [], []
    refuses.set()
    tries = threading.Semaphore(0)

    def write(batch: list[int]) -> None:
        tries.release()
        if refuses.is_set():
            raise ConfigError("磁盘空间已用完")
        written.extend(batch)

    kept: WriteBehindQueue[int] = WriteBehindQueue(write, told.append)  # type: ignore[arg-type]
    kept.put(1)
    with pytest.raises(ConfigError):
        kept.flush()
    kept.put(2)
    assert all(tries.acquire(timeout=60) for _ in range(5)), "it is tried again and again"
    refuses.clear()
    kept.close()
    assert written == [1, 2]
    assert len(told) == 1 and "磁盘空间已用完" in told[0]


def test_one_item_that_cannot_be_kept_does_not_hold_up_the_others() -> None:
    written, told = [], []

    def write(batch: list[str]) -> None:
        for item in batch:
            item.encode()
        written.extend(batch)

    kept: WriteBehindQueue[str] = WriteBehindQueue(write, told.append)  # type: ignore[arg-type]
    for item in ("甲", "\ud800", "乙"):
        kept.put(item)
    kept.close()
    assert written == ["甲", "乙"] and len(told) == 1


def test_a_full_queue_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_behind, "MOST", 2)
    gate, told = threading.Event(), []
    kept: WriteBehindQueue[int] = WriteBehindQueue(lambda _: gate.wait(10) and None, told.append)
    for number in range(3):
        kept.put(number)
    gate.set()
    kept.close()
    assert len(told) == 1 and "未能留存" in told[0]


# --- answers


def test_answers_survive_a_clean_close(tmp_path: Path) -> None:
    given = [answer(quote(LAW, "每季度"), trace=f"t-{n}") for n in range(60)]
    with opened(tmp_path) as library:
        store(library, LAW)
        for each in given:
            library.save_answer(each, "王敏")
    with opened(tmp_path) as library:
        assert [library.answers.get(each.trace_id) for each in given] == given
        assert len(library.answers.recent()) == 60
        assert library.answers.recent(limit=1, offset=59)[0].user == "王敏"
        assert len(library.reviews.rows()) == 1
        assert library.verify() == []


def test_history_knows_question_day_filters_and_user(library: Library) -> None:
    store(library, LAW)
    library.save_answer(answer(quote(LAW, "每季度")), "王敏")
    library.save_answer(answer(trace="t-2", question="另一问"), "李强")
    rows = library.answers.recent()
    assert [(r.question, r.user, r.refused) for r in rows] == [
        ("另一问", "李强", True),
        ("多久检修一次？", "王敏", False),
    ]
    assert rows[1].filters == Filters("gd", "wind", None, DAY) and rows[1].day == DAY
    assert [r.trace_id for r in library.answers.recent(user="王敏")] == ["t-1"]
    assert [r.trace_id for r in library.answers.rows(["t-1", "nothing"])] == ["t-1"]


def test_an_answer_saved_twice_is_one(library: Library) -> None:
    store(library, LAW)
    for _ in range(2):
        library.save_answer(answer(quote(LAW, "每季度")))
        library.answers.flush()
    assert len(library.answers.recent()) == 1
    assert len(library.answers.uses()) == 1


def test_what_answers_quoted_is_listed_once_for_each_stretch(library: Library) -> None:
    store(library, LAW)
    first, second = quote(LAW, "每季度检修一次"), quote(LAW, "保存三年")
    library.save_answer(answer(first, second))
    library.save_answer(answer(second, trace="t-2"))
    library.answers.flush()
    rows = library.reviews.rows()
    assert [(r.words, r.answers, r.trace_id, r.position) for r in rows] == [
        ("每季度检修一次", 1, "t-1", 0),
        ("保存三年", 2, "t-2", 0),
    ]
    asked = dt.datetime.now(CHINA).date()
    assert {(u.words, u.day, u.asked) for u in library.answers.uses()} == {(r.words, DAY, asked) for r in rows}
    assert library.answers.uses_of("t-1")[1].span == place(LAW, "保存三年")
    assert sorted(library.answers.using(library.answers.uses_of("t-1")[1])) == ["t-1", "t-2"]


# --- decisions


def decisions(*made: tuple[Verdict, str | None]) -> list[ReviewDecision]:
    at = dt.datetime(2026, 11, 20, tzinfo=dt.UTC)
    return [ReviewDecision(n, 1, state, "因", by, at) for n, (state, by) in enumerate(made, 1)]


@pytest.mark.parametrize(
    ("remark", "two", "made", "state", "said_by"),
    [
        ("nobody decided", False, [], P, None),
        ("one approval is enough", False, [(A, "甲")], A, "甲"),
        ("nobody signs in", False, [(A, None)], A, None),
        ("of two persons the first waits", True, [(A, "甲")], P, None),
        ("the same person twice is one", True, [(A, "甲"), (A, "甲")], P, None),
        ("two persons", True, [(A, "甲"), (A, "乙")], A, "甲、乙"),
        ("one rejection is enough", True, [(A, "甲"), (A, "乙"), (R, "丙")], R, "丙"),
        ("after a rejection two are needed again", True, [(A, "甲"), (R, "丙"), (A, "甲")], P, None),
        ("a doubt stands", False, [(A, "甲"), (U, "乙")], U, "乙"),
        ("taken back", False, [(R, "甲"), (P, "甲")], P, None),
        ("a newer decision wins", False, [(R, "甲"), (A, "乙")], A, "乙"),
    ],
)
def test_where_a_quote_stands(
    remark: str, two: bool, made: list[tuple[Verdict, str | None]], state: Verdict, said_by: str | None
) -> None:
    standing = standing_of(decisions(*made), two)
    assert standing.state is state, remark
    assert (standing.review and standing.review.by) == said_by, remark


def asked_library(library: Library) -> int:
    store(library, LAW)
    library.save_answer(answer(quote(LAW, "每季度检修一次")))
    library.answers.flush()
    return library.reviews.rows()[0].id


def test_a_rejection_counts_at_once_and_can_be_taken_back(library: Library) -> None:
    number, span = asked_library(library), place(LAW, "每季度检修一次")
    before = library.reviews.version
    library.reviews.decide(number, R, "识别有误", "甲")
    assert library.reviews.rejected(LAW.id) == (span,)
    assert library.reviews.version > before
    assert library.reviews.rejected("other") == ()
    library.reviews.decide(number, P, "", "甲")
    assert library.reviews.rejected(LAW.id) == ()
    assert [d.state for d in library.reviews.decisions(number)] == [R, P]
    assert library.reviews.row(number).standing.people == ("甲",)


def test_decisions_survive_a_restart(tmp_path: Path) -> None:
    with opened(tmp_path) as library:
        library.reviews.decide(asked_library(library), R, "错", "甲")
    with opened(tmp_path) as library:
        assert library.reviews.rejected(LAW.id) == (place(LAW, "每季度检修一次"),)
    with opened(tmp_path, review_two_persons=True) as library:
        library.reviews.decide(1, A, "", "甲")
        assert library.reviews.standing(LAW.id, place(LAW, "每季度检修一次")).state is P


def test_a_decision_outlives_its_regulation(library: Library) -> None:
    number = asked_library(library)
    library.remove(LAW.id)
    library.reviews.decide(number, A, "", "甲")
    assert library.reviews.row(number).standing.state is A


def test_every_decision_is_in_the_audit_log(library: Library) -> None:
    number = asked_library(library)
    library.reviews.decide(number, R, "断章取义", "甲")
    library.reviews.decide(number, A, "", "乙")
    with library._catalogue.database.read() as connection:
        logged = [e for e in audit.entries(connection) if e.action == "review"]
        assert audit.broken_at(connection) is None
    span = place(LAW, "每季度检修一次")
    assert [(e.subject, e.user, json.loads(e.detail)["state"]) for e in logged] == [
        (f"{LAW.id}:{span.start}-{span.end}", "甲", "已驳回"),
        (f"{LAW.id}:{span.start}-{span.end}", "乙", "已复核"),
    ]
    assert json.loads(logged[0].detail)["reason"] == "断章取义"


def test_an_unknown_quote_is_named(library: Library) -> None:
    with pytest.raises(NotFoundError):
        library.reviews.decide(7, A)
    with pytest.raises(NotFoundError):
        library.reviews.row(7)
    assert library.reviews.standing("x", Span(0, 1)).state is P


# --- saved searches


def test_searches_belong_to_their_user(library: Library) -> None:
    wanted = Filters("gd", None, "grid", DAY)
    library.searches.save("并网", "并网要什么", wanted, "王敏")
    number = library.searches.save("并网", "并网要哪些材料", wanted, "王敏")
    library.searches.save("并网", "别的", Filters())
    mine = library.searches.all("王敏")
    assert [(s.id, s.name, s.question, s.filters) for s in mine] == [(number, "并网", "并网要哪些材料", wanted)]
    assert [s.question for s in library.searches.all()] == ["别的"]
    with pytest.raises(NotFoundError):
        library.searches.forget(number, "李强")
    library.searches.forget(number, "王敏")
    assert library.searches.all("王敏") == []


# --- an older library


def test_statements_of_an_older_catalogue_become_readable(tmp_path: Path) -> None:
    with opened(tmp_path) as library:
        store(library, LAW)
    old = [
        {"fact": "first_effective", "words": "effective_date=2024-08-01", "origin": "MANIFEST"},
        {"fact": "ends", "words": "valid_until=2030-01-01", "origin": "ANALYST"},
        {"fact": "promulgated", "words": "a=b", "origin": "TEXT"},
    ]
    connection = sqlite3.connect(tmp_path / "catalogue.sqlite")
    with connection:
        connection.execute("UPDATE regulations SET validity = ?", (json.dumps({"evidence": old}),))
        connection.execute("UPDATE alembic_version SET version_num = '0005'")
    connection.close()
    with opened(tmp_path) as library:
        found = library.row(LAW.id).validity.evidence
    assert [(e.words, e.field, e.value) for e in found] == [
        ("清单所载：施行日期 2024-08-01", "effective_date", "2024-08-01"),
        ("人工填写：有效期至 2030-01-01", "valid_until", "2030-01-01"),
        ("a=b", "", ""),
    ]


def test_an_older_catalogue_is_brought_up_with_its_answers(tmp_path: Path) -> None:
    path = of_the_first_version(tmp_path)
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(
            "INSERT INTO answers (trace_id, question, day, refused, body, texts, generation, at)"
            " VALUES ('t-0', '旧问题', '2026-01-02', 1, '{}', '{}', 0, '2026-01-02 00:00:00')"
        )
    connection.close()
    with opened(tmp_path) as library:
        (row,) = library.answers.recent()
        assert (row.trace_id, row.question, row.filters) == ("t-0", "旧问题", Filters(day=dt.date(2026, 1, 2)))
        assert library.reviews.rows() == []
        with library._catalogue.database.read() as now:
            assert compare_metadata(MigrationContext.configure(now), metadata) == []
