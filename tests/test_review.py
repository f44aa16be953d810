"""Review: what the queue shows first, what may be decided, what leaves answers, and what changed since an answer."""

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from nemo import export, settings
from nemo.accounts import NotPermittedError, Role, User, entry
from nemo.answer.quotes import compose
from nemo.engine import Engine
from nemo.errors import BadRequestError
from nemo.lawview.basis import RepealedBasis
from nemo.review import (
    ChangeKind,
    ReviewFilter,
    changes_since,
    decide,
    queue,
    quotes,
    screened,
    stale,
)
from nemo.store.library import Library
from nemo.types import CHINA, Evidence, Origin, Quote, Regulation, Span, Status, Validity, Verdict, today
from tests.export_samples import BEGAN, answer, law, quote, store
from tests.page_library import copied
from tests.store_samples import opened

A, R, U, P = Verdict.APPROVED, Verdict.REJECTED, Verdict.UNSURE, Verdict.PENDING
NOW = dt.datetime.now(CHINA).date()

WIND = law("青石镇风车检修规定", ["风车每季度检修一次，但停机检修除外。", "检修记录保存三年。"])
SUN = law("白鹭洲光板清洗规定", ["光板每月清洗一次。"], issuer="别的局")


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with opened(tmp_path / "lib") as found:
        store(found, WIND, SUN)
        yield found


def asked(library: Library, *cut: Quote, trace: str = "t-1", day: dt.date = NOW) -> None:
    library.save_answer(answer(*cut, trace=trace, day=day))


def number_of(library: Library, words: str) -> int:
    return next(e.row.id for e in queue(library, ReviewFilter(), NOW) if e.row.words == words)


def nothing(*_: object) -> tuple[()]:
    """No law that anything rests on was repealed."""
    return ()


# --- the queue


def test_the_queue_lists_each_stretch_once(library: Library) -> None:
    yearly = quote(WIND, "保存三年", NOW)
    asked(library, yearly)
    asked(library, yearly, quote(SUN, "每月", NOW), trace="t-2")
    found = queue(library, ReviewFilter(), NOW)
    assert [(e.row.words, e.row.answers, e.state, e.changed) for e in found] == [
        ("保存三年", 2, P, None),
        ("每月", 1, P, None),
    ]


def test_stale_quotes_come_first_then_those_that_wait(library: Library) -> None:
    asked(library, *(quote(WIND, words, NOW) for words in ("每季度", "三年", "记录", "检修")), quote(SUN, "每月", NOW))
    for words, state in (("每季度", A), ("三年", R), ("记录", U), ("每月", A)):
        decide(library, number_of(library, words), state, "因", "甲")
    library.remove(SUN.id)
    found = queue(library, ReviewFilter(), NOW)
    assert [(e.row.words, e.state) for e in found] == [
        ("每月", A),
        ("检修", P),
        ("记录", U),
        ("三年", R),
        ("每季度", A),
    ]
    assert found[0].changed is ChangeKind.REMOVED


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        (ReviewFilter(state=R), ["三年"]),
        (ReviewFilter(state=P), ["每月"]),
        (ReviewFilter(reviewer="甲"), ["三年", "每季度"]),
        (ReviewFilter(reviewer="乙"), ["每季度"]),
        (ReviewFilter(regulation_id=SUN.id), ["每月"]),
        (ReviewFilter(state=A, reviewer="甲"), ["每季度"]),
        (ReviewFilter(stale=True), ["三年"]),
        (ReviewFilter(stale=False), ["每月", "每季度"]),
    ],
)
def test_filters(library: Library, wanted: ReviewFilter, words: list[str]) -> None:
    asked(library, quote(WIND, "每季度", NOW), quote(WIND, "三年", NOW), quote(SUN, "每月", NOW))
    decide(library, number_of(library, "每季度"), U, "", "甲")
    decide(library, number_of(library, "每季度"), A, "", "乙")
    decide(library, number_of(library, "三年"), R, "错", "甲")
    assert [e.row.words for e in queue(library, wanted, NOW)] == words
    assert all(name and value for name, value in wanted.facts())


def test_the_same_words_in_a_newer_text_show_what_was_said_before(library: Library) -> None:
    asked(library, quote(WIND, "保存三年", NOW))
    decide(library, number_of(library, "保存三年"), R, "识别有误", "甲")
    again = law(WIND.title, ["风车每月检修一次。", "检修记录保存三年。"])
    store(library, again)
    asked(library, quote(again, "保存三年", NOW), trace="t-2")
    (waiting,) = queue(library, ReviewFilter(regulation_id=again.id), NOW)
    assert waiting.state is P and waiting.earlier is not None
    assert (waiting.earlier.state, waiting.earlier.reason) == (R, "识别有误")


# --- deciding


def test_a_rejection_needs_a_reason(library: Library) -> None:
    asked(library, quote(WIND, "保存三年", NOW))
    number = number_of(library, "保存三年")
    for reason in ("", "  \n"):
        with pytest.raises(BadRequestError, match="理由"):
            decide(library, number, R, reason, "甲")
    with pytest.raises(BadRequestError, match="500"):
        decide(library, number, R, "长" * 501, "甲")
    assert decide(library, number, R, " 断章取义 ", "甲").review.reason == "断章取义"  # type: ignore[union-attr]


def test_two_persons(tmp_path: Path) -> None:
    with opened(tmp_path, review_two_persons=True) as library:
        store(library, WIND)
        asked(library, quote(WIND, "保存三年", NOW))
        number = number_of(library, "保存三年")
        with pytest.raises(BadRequestError, match="登录"):
            decide(library, number, A)
        assert decide(library, number, A, "", "甲").state is P
        with pytest.raises(BadRequestError, match="另一位"):
            decide(library, number, A, "", "甲")
        standing = decide(library, number, A, "", "乙")
        assert standing.state is A and standing.review and standing.review.by == "甲、乙"


# --- what leaves answers


@pytest.mark.parametrize(
    ("remark", "rejected", "cut", "shown"),
    [
        ("the same", "每季度检修一次", "每季度检修一次", None),
        ("inside", "每季度检修一次", "检修一次", None),
        ("around: may be right, says so", "每季度检修一次", "风车每季度检修一次，但停机检修除外", U),
        ("half of it", "每季度检修一次", "一次，但停机检修除外", U),
        ("elsewhere", "每季度检修一次", "保存三年", P),
    ],
)
def test_rejected_quotes_leave_answers(
    library: Library, remark: str, rejected: str, cut: str, shown: Verdict | None
) -> None:
    asked(library, quote(WIND, rejected, NOW))
    decide(library, number_of(library, rejected), R, "断章取义", "甲")
    left = screened([quote(WIND, cut, NOW)], library.reviews)
    states = [q.review.state if q.review else P for q in left]
    assert states == ([] if shown is None else [shown]), remark


def test_an_approved_quote_says_who_and_when(library: Library) -> None:
    cut = quote(WIND, "保存三年", NOW)
    asked(library, cut)
    decide(library, number_of(library, "保存三年"), A, "", "王敏")
    (marked,) = screened([cut], library.reviews)
    assert replace(marked, review=None) == cut
    said = export.answer_json(answer(marked))["citations"][0]["review"]
    assert (said["state"], said["by"]) == ("已复核", "王敏")
    assert dt.datetime.fromisoformat(said["at"]).tzinfo is not None
    assert f"已复核（王敏，{NOW}）" in export.answer_zh(answer(marked))
    assert export.answer_json(answer(cut))["citations"][0]["review"] is None


# --- what changed since


def changed(library: Library, trace: str = "t-1", on: dt.date = NOW) -> list[ChangeKind]:
    found = changes_since(library, trace, on, nothing)
    alarm = {s.answer.trace_id: s.kinds for s in stale(library, on, nothing)}
    assert set(alarm.get(trace, ())) == {c.kind for c in found} - {ChangeKind.FACTS}
    return [c.kind for c in found]


def test_nothing_changed(library: Library) -> None:
    asked(library, quote(WIND, "每季度", NOW))
    asked(library, trace="t-refused")
    assert changed(library) == [] == changed(library, "t-refused")


def test_a_removed_regulation(library: Library) -> None:
    asked(library, quote(WIND, "每季度", NOW), quote(SUN, "每月", NOW))
    library.remove(WIND.id)
    assert changed(library) == [ChangeKind.REMOVED]
    (change,) = changes_since(library, "t-1", NOW, nothing)
    assert (change.position, change.before, change.after, change.successor) == (0, "每季度", None, None)


def test_a_replaced_text_shows_both_provisions(library: Library) -> None:
    asked(library, quote(WIND, "每季度检修一次", NOW))
    library.remove(WIND.id)
    again = law(WIND.title, ["风车每月检修一次。", "检修记录保存三年。"])
    store(library, again)
    (change,) = changes_since(library, "t-1", NOW, nothing)
    assert change.kind is ChangeKind.REMOVED and change.successor == again.id and change.label == "1"
    assert change.after == "第1条　风车每月检修一次。"
    assert "没有引文原句" in change.message


def test_words_that_moved_are_found(library: Library) -> None:
    asked(library, quote(WIND, "保存三年", NOW))
    library.remove(WIND.id)
    store(library, law(WIND.title, ["新增一条。", "风车检修。", "检修记录保存三年。"]))
    (change,) = changes_since(library, "t-1", NOW, nothing)
    assert change.label == "3" and "仍在其中" in change.message


def test_a_changed_text_under_the_same_id(library: Library) -> None:
    asked(library, quote(WIND, "每季度", NOW))
    library.answers.flush()
    store(library, law(WIND.title, ["风机每两年检修一次。", "检修记录保存三年。"], id=WIND.id))
    assert changed(library) == [ChangeKind.TEXT]


def ended(by: Regulation | None, day: dt.date) -> Validity:
    proof = Evidence("ends", "同时废止", Origin.MANIFEST)
    return Validity(
        version_effective=BEGAN, ends=day, ended_as=Status.REPEALED, ended_by=by.id if by else None,
        evidence=(proof,),
    )  # fmt: skip


def test_a_repeal_with_what_took_its_place(library: Library) -> None:
    asked(library, quote(WIND, "每季度检修一次", NOW))
    library.answers.flush()
    store(library, replace(WIND, validity=ended(SUN, NOW)))
    assert changed(library) == [ChangeKind.STATUS]
    (change,) = changes_since(library, "t-1", NOW, nothing)
    assert "现行有效" in change.message and "已废止" in change.message
    assert (change.before, change.after) == ("第1条　风车每季度检修一次，但停机检修除外。", "第1条　光板每月清洗一次。")


def test_time_alone_makes_an_answer_stale(library: Library) -> None:
    later = NOW + dt.timedelta(30)
    store(library, replace(WIND, validity=ended(None, later)))
    made = library.regulation(WIND.id)
    asked(library, quote(made, "每季度", NOW), quote(SUN, "每月", NOW))
    assert changed(library) == []
    assert changed(library, on=later) == [ChangeKind.STATUS]


def test_an_answer_about_the_past_does_not_age(library: Library) -> None:
    past, later = dt.date(2022, 1, 1), NOW + dt.timedelta(30)
    store(library, replace(WIND, validity=ended(None, later)))
    asked(library, quote(library.regulation(WIND.id), "每季度", past), day=past)
    assert changed(library, on=later) == []
    store(library, replace(WIND, validity=ended(None, dt.date(2021, 6, 1))))
    assert changed(library, on=later) == [ChangeKind.STATUS]


def test_a_rejected_quote_makes_its_answers_stale(library: Library) -> None:
    asked(library, quote(WIND, "每季度", NOW))
    decide(library, number_of(library, "每季度"), R, "识别有误", "王敏")
    assert changed(library) == [ChangeKind.REJECTED]
    (change,) = changes_since(library, "t-1", NOW, nothing)
    assert "王敏" in change.message and "识别有误" in change.message


def test_corrected_facts_are_named(library: Library) -> None:
    asked(library, quote(WIND, "每季度", NOW))
    library.answers.flush()
    store(library, replace(WIND, document_number="演示令第8号"))
    assert changed(library) == [ChangeKind.FACTS]
    assert "文号由“演示令第3号”更正为“演示令第8号”" in changes_since(library, "t-1", NOW, nothing)[0].message


def test_queue_entries_become_quotes_with_their_present_review(library: Library) -> None:
    asked(library, quote(WIND, "每季度", NOW))
    decide(library, number_of(library, "每季度"), A, "", "甲")
    (found,) = quotes(library, queue(library, ReviewFilter(), NOW))
    assert found.text == "每季度" and found.review and found.review.state is A
    assert found.span == Span(*found.span)


# --- through the engine


@pytest.fixture(scope="module")
def engine(demonstration: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder = copied(demonstration, tmp_path_factory.mktemp("engine") / "library")
    with Engine.open(settings.load(library=folder, workers=0)) as found:
        yield found


def test_the_engine_keeps_answers_and_drops_rejected_quotes(engine: Engine) -> None:
    question = engine.evaluation.sample_questions()[0]
    first = engine.ask(**question, user="王敏")
    assert engine.library.answers.get(first.trace_id) == first
    assert engine.library.answers.recent(user="王敏")[0].trace_id == first.trace_id
    assert engine.answers.changes_since(first.trace_id) == []
    number = next(e.row.id for e in engine.answers.review_queue() if e.row.words == first.quotes[0].text)
    engine.answers.decide(number, R, "试驳回")
    again = engine.ask(**question)
    assert first.quotes[0].text not in [q.text for q in again.quotes]
    assert [s.answer.trace_id for s in engine.answers.stale()] == [first.trace_id]
    engine.answers.decide(number, A)
    last = engine.ask(**question)
    assert last.quotes[0].text == first.quotes[0].text
    assert last.quotes[0].review is not None and last.quotes[0].review.state is A
    assert engine.answers.stale() == []


def test_when_every_quote_is_rejected_the_answer_says_so(engine: Engine) -> None:
    question = engine.evaluation.sample_questions()[0]
    for _ in range(20):
        given = engine.ask(**question)
        if given.refusal is not None:
            break
        for cut in given.quotes:
            number = next(e.row.id for e in engine.answers.review_queue() if e.row.words == cut.text)
            engine.answers.decide(number, R, "试驳回")
    assert given.refusal is not None and "驳回" in given.refusal.message
    for waiting in engine.answers.review_queue(ReviewFilter(state=R)):
        engine.answers.decide(waiting.row.id, P)


def test_what_a_rejected_quote_leaned_on_is_no_answer_by_itself(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """前条 is quoted for the sake of the quote that means it: without that quote nothing leans on anything."""
    asked: list[tuple[Sequence[Quote], list[compose.FoundQuote]]] = []
    leaned_on = compose.leaned_on

    def noted(quotes: Sequence[Quote], found: list[compose.FoundQuote]) -> list[compose.FoundQuote]:
        asked.append((quotes, found))
        return leaned_on(quotes, found)

    monkeypatch.setattr(compose, "leaned_on", noted)
    question = {"question": "分布式光伏并网要提交哪些资料？", "province": "gd", "asset": "solar"}
    given = engine.ask(**question)
    assert [quote.citation.article for quote in given.quotes] == ["第十一条", "第十条"]
    numbers = [next(e.row.id for e in engine.answers.review_queue() if e.row.words == q.text) for q in given.quotes]
    for number in numbers:
        engine.answers.decide(number, R, "试驳回")
    assert engine.ask(**question).refusal is not None
    assert any(not quotes for quotes, _ in asked) and all(leaned_on([], found) == [] for _, found in asked)
    for number in numbers:
        engine.answers.decide(number, P)
    assert [quote.text for quote in engine.ask(**question).quotes] == [quote.text for quote in given.quotes]


def test_an_evaluation_fills_no_history(engine: Engine) -> None:
    before = len(engine.library.answers.recent())
    engine.evaluation.ask({"question": "并网验收要提交哪些材料"})
    assert len(engine.library.answers.recent()) == before


def test_answers_need_not_be_kept(tmp_path: Path) -> None:
    with Engine.open(settings.load(library=tmp_path, workers=0, keep_answers=False)) as engine:
        engine.ask("并网验收要提交哪些材料")
        assert engine.library.answers.recent() == []


def test_with_a_users_file_only_reviewers_decide(tmp_path: Path) -> None:
    people = tmp_path / "users.toml"
    people.write_text(entry("王敏", Role.REVIEWER, "correct horse") + entry("李强", Role.ANALYST, "battery staple"))
    with Engine.open(settings.load(library=tmp_path / "lib", workers=0, users_file=people)) as engine:
        store_answer(engine)
        for user in (None, User("李强", Role.ANALYST), User("李强", Role.ADMIN), User("外人", Role.ADMIN)):
            with pytest.raises(NotPermittedError):
                engine.answers.decide(1, A, "", user)
        assert engine.users is not None
        engine.answers.decide(1, A, "", engine.users.verify("王敏", "correct horse"))
        assert engine.answers.review_queue()[0].row.standing.people == ("王敏",)


def store_answer(engine: Engine) -> None:
    vectors = engine.embedder.dim
    assert vectors > 0
    engine.library.save_answer(answer(quote(WIND, "每季度", today())))
    engine.library.answers.flush()


OLD_LAW = "演示海岸保护法\n\n第一条 为了保护海岸，制定本法。\n第二条 擅自占用海岸的，处一万元罚款。\n第三条 本法自2010年1月1日起施行。\n"
RULE = (
    "演示海岸风电管理规定\n\n第一条 为了规范海岸风电，根据《演示海岸保护法》，制定本规定。\n"
    "第二条 海岸风电擅自占用海岸的，依照《演示海岸保护法》第二条的规定处罚。\n第三条 本规定自2015年1月1日起施行。\n"
)
CODE = (
    "演示生态法典\n\n第一条 为了保护生态，制定本法典。\n"
    "第二条 本法典自2026年8月15日起施行，《演示海岸保护法》同时废止。\n"
)


def test_a_quote_that_rests_on_repealed_law_says_so_and_makes_answers_stale(tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    for name, text in (("law", OLD_LAW), ("rule", RULE), ("code", CODE)):
        (folder / f"{name}.txt").write_text(text, "utf-8")
    question = "海岸风电擅自占用海岸的怎么处罚"
    with Engine.open(settings.load(library=tmp_path / "lib", workers=0)) as found:
        found.intake.ingest([folder])
        before = found.ask(question, day=dt.date(2026, 8, 14))
        after = found.ask(question, day=dt.date(2026, 8, 15))
    told = {q.citation.title: q.citation.warnings for q in after.quotes}
    assert any("《演示海岸保护法》已于 2026-08-15 废止" in w for w in told["演示海岸风电管理规定"])
    assert all(q.citation.warnings == () for q in before.quotes)
    assert "演示海岸保护法" not in told, "repealed text is not quoted as law"
    assert export.answer_json(after)["citations"][0]["warnings"]


def test_an_answer_is_stale_when_the_repeal_of_its_basis_becomes_known_later(tmp_path: Path) -> None:
    """The repealing text comes into the library after its own day and on the day of the answer: knowledge is late, not law."""
    for name, text in (("law", OLD_LAW), ("rule", RULE), ("code", CODE)):
        (tmp_path / f"{name}.txt").write_text(text.replace("2026年8月15日", "2025年8月15日"), "utf-8")
    question = "海岸风电擅自占用海岸的怎么处罚"
    with Engine.open(settings.load(library=tmp_path / "lib", workers=0)) as held:
        held.intake.ingest([tmp_path / "law.txt", tmp_path / "rule.txt"])
        given = held.ask(question)
        assert held.answers.stale() == []
        held.intake.ingest([tmp_path / "code.txt"])
        assert [s.answer.trace_id for s in held.answers.stale()] == [given.trace_id]
        kinds = {change.kind for change in held.answers.changes_since(given.trace_id)}
        assert ChangeKind.BASIS in kinds
        again = held.ask(question)
        assert given.trace_id in [s.answer.trace_id for s in held.answers.stale()]
        assert again.trace_id not in [s.answer.trace_id for s in held.answers.stale()], "it was told with the answer"


def test_a_basis_repealed_since_is_a_change(library: Library) -> None:
    asked(library, quote(WIND, "每季度", NOW), day=NOW)

    def gone(words: str, regulation_id: str, day: dt.date) -> tuple[RepealedBasis, ...]:
        assert words == "每季度" and regulation_id == WIND.id
        return (RepealedBasis("青石法", NOW, "青石法典第九条"),) if day > NOW else ()

    later = NOW + dt.timedelta(days=1)
    (change,) = changes_since(library, "t-1", later, gone)
    assert change.kind is ChangeKind.BASIS and "青石法" in change.message
    assert [s.kinds for s in stale(library, later, gone)] == [(ChangeKind.BASIS,)]
