"""What later notices say of the days of a rule: status on both sides of the day, its events and what is answered (演示文本)."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from nemo.answer import about
from nemo.engine import Engine
from nemo.text.law.dates import begun_on_issue, read_validity
from nemo.text.law.references import relations
from nemo.text.letter.docnumber import number_of
from nemo.text.letter.form import title_of
from nemo.text.structure.tree import structure
from nemo.text.versions.succession import RememberedSuccession, succeed
from nemo.types import Validity
from tests import later_days, later_days_again
from tests.held_texts import holding
from tests.test_text_succession import Held


def read(text: str) -> Held:
    """Read a text as succession sees it."""
    title, number = title_of(text), number_of(text)
    assert title is not None
    provisions = structure(text).provisions
    validity = begun_on_issue(read_validity(text, provisions), issues=False)
    nature = "draft" if "征求意见" in title.words else "binding"
    return Held(
        title.words, title.words, validity.promulgated, validity, number.words if number else None, None, "规范性文件", nature=nature,
        relations=relations(text, provisions, title.words, binding=nature == "binding"),
    )  # fmt: skip


def rows() -> Iterator[object]:
    for table in (later_days, later_days_again):
        for base, number, forms in ((table.TERMED, "甲能规〔2024〕9号", table.LONGER), (table.COMING, "甲能规〔2025〕19号", table.LATER)):  # fmt: skip
            for name, title, body, signed, days in forms:
                yield pytest.param(base, later_days.notice(title, body, signed, number), days, id=f"{table.__name__[6:]} {name}")  # fmt: skip


def alone(table: ModuleType) -> Iterator[object]:
    for name, words, days in table.ALONE:
        yield pytest.param(words, days, id=name)


def status_on(validity: Validity, days: tuple[tuple[str, str], ...]) -> list[tuple[str, str]]:
    return [(day, validity.on(dt.date.fromisoformat(day)).value) for day, _ in days]


@pytest.mark.parametrize(("base", "letter", "days"), rows())
def test_the_status_of_a_rule_follows_a_later_notice(base: str, letter: str, days: tuple[tuple[str, str], ...]) -> None:
    held = [read(base), read(letter)]
    known = succeed(held)[held[0].id]
    assert status_on(known, days) == list(days), held[1].relations
    one_by_one = RememberedSuccession()
    for count in (1, 2):
        last = one_by_one.validity(held[:count])
    assert last[held[0].id] == known
    assert one_by_one.validity(held[:1])[held[0].id] == succeed(held[:1])[held[0].id]


@pytest.mark.parametrize(("words", "days"), [*alone(later_days), *alone(later_days_again)])
def test_the_days_a_text_states_itself(words: str, days: tuple[tuple[str, str], ...]) -> None:
    text = f"甲省示例管理办法\n（2026年4月1日甲省能源局印发）\n\n第一条　为规范管理（演示文本），制定本办法。\n第二条　电站应当检修。\n第三条　{words}\n"
    assert status_on(read_validity(text, structure(text).provisions), days) == list(days)


@pytest.mark.parametrize(
    ("words", "start"),
    [
        ("自印发之日起施行", "2026-04-01"),
        ("自印发之日起30日后施行，有效期五年", "2026-05-01"),
        ("自发布之日起满三个月施行", "2026-07-01"),
        ("自印发之日次月1日起执行", "2026-05-01"),
        ("自印发之日起15个工作日后施行", None),
    ],
)
def test_a_start_that_is_counted_from_the_issue_is_derived_from_the_signature(words: str, start: str | None) -> None:
    text = f"甲省能源局关于示例事项的通知\n各市能源局：\n一、电站应当检修（演示文本）。\n二、本通知{words}。\n甲省能源局\n2026年4月1日\n"
    validity = begun_on_issue(read_validity(text, structure(text).provisions), issues=False)
    assert validity.effective == (dt.date.fromisoformat(start) if start else None)
    assert start is None or validity.derived


def test_an_older_version_lives_on_until_the_put_off_start() -> None:
    """推迟施行 moves what hangs on the start: the version before ends later."""
    older = read(later_days.OLDER.replace("管理暂行办法", "管理办法"))
    coming = read(later_days.COMING)
    row = next(r for r in later_days.LATER if r[0] == "the day is moved")
    letter = read(later_days.notice(row[1], row[2], row[3], "甲能规〔2025〕19号"))
    held = [replace(older, id="older"), coming, letter]
    known = succeed(held)
    assert known["older"].ends == dt.date(2026, 7, 1)
    assert succeed(held[:2])["older"].ends == dt.date(2026, 1, 1)


def test_a_start_is_put_off_before_it_comes_though_no_day_of_issue_is_known() -> None:
    coming = read(later_days.COMING.replace("甲能规〔2025〕8号\n（2025年10月1日甲省能源局印发）\n", ""))
    row = next(r for r in later_days.LATER if r[0] == "the day is moved")
    letter = read(later_days.notice(row[1], row[2].replace("（甲能规〔2025〕8号）", ""), row[3], "甲能规〔2025〕19号"))
    known = succeed([coming, letter])[coming.id]
    assert coming.validity.promulgated is None
    assert (known.first_effective, known.on(dt.date(2026, 3, 1)).value) == (dt.date(2026, 7, 1), "尚未施行")


@pytest.mark.parametrize(
    ("words", "days"),
    [
        ("自2026年9月1日起恢复施行", [("2026-08-31", "尚未施行"), ("2026-09-01", "现行有效")]),
        ("（甲能规〔2025〕8号）自2026年9月1日起恢复施行", [("2026-08-31", "尚未施行"), ("2026-09-01", "现行有效")]),
        (
            "自2026年9月1日起，《甲省示例光伏管理办法》恢复施行",
            [("2026-08-31", "尚未施行"), ("2026-09-01", "现行有效")],
        ),
        ("即日起恢复施行", [("2026-05-09", "尚未施行"), ("2026-05-10", "现行有效")]),
        ("恢复施行前，已受理的申请继续办理", [("2026-05-10", "尚未施行"), ("2027-09-01", "尚未施行")]),
        ("拟自2026年9月1日起恢复施行", [("2026-09-01", "尚未施行")]),
    ],
)
def test_what_was_stayed_is_taken_up_again(words: str, days: list[tuple[str, str]]) -> None:
    row = next(r for r in later_days.LATER if r[0] == "stayed")
    stay = read(later_days.notice(row[1], row[2], row[3], "甲能规〔2025〕19号"))
    title = "恢复施行《甲省示例光伏管理办法》的通知"
    body = words if "《" in words else f"《甲省示例光伏管理办法》{words}"
    again = read(later_days.notice(title, f"{body}。", "2026年5月10日", "甲能规〔2026〕3号"))
    coming = read(later_days.COMING)
    assert status_on(succeed([coming, stay, again])[coming.id], tuple(days)) == days
    termed = read(later_days.COMING.replace("1月1日起施行", "1月1日起施行，有效期五年"))
    held = succeed([termed, stay, again])[termed.id]
    assert held.stayed or held.ends == dt.date(held.first_effective.year + 5, *held.first_effective.timetuple()[1:3])  # type: ignore[union-attr]
    begun = succeed([coming, again])[coming.id]
    assert begun.first_effective == dt.date(2026, 1, 1), "a text that was never stayed keeps its days"
    assert begun.ends is None


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    longer = next(r for r in later_days.LONGER if r[0] == "term to a day")
    stayed = next(r for r in later_days.LATER if r[0] == "stayed")
    texts = {
        "termed.txt": later_days.TERMED,
        "longer.txt": later_days.notice(*longer[1:4], "甲能规〔2024〕9号"),
        "coming.txt": later_days.COMING,
        "stayed.txt": later_days.notice(*stayed[1:4], "甲能规〔2025〕19号"),
    }
    with holding(tmp_path_factory.mktemp("days"), texts) as opened:
        yield opened


def test_what_is_asked_is_answered_with_the_notice_as_proof(engine: Engine) -> None:
    answer = engine.ask("《甲省示例风场管理办法》还有效吗", day=dt.date(2025, 6, 1))
    assert "现行有效" in answer.heading
    assert "有效至2026年12月31日" in answer.heading
    assert any("延长至2026年12月31日" in quote.text for quote in answer.quotes)
    quoted = engine.ask("甲省风场多久检修一次", day=dt.date(2025, 6, 1))
    assert quoted.quotes[0].citation.status.value == "现行有效"


def test_a_rule_that_is_put_off_answers_nothing_and_says_why(engine: Engine) -> None:
    asked = engine.ask("《甲省示例光伏管理办法》什么时候施行", day=dt.date(2026, 3, 1))
    assert "暂缓施行" in asked.heading
    assert any("暂缓施行" in quote.text for quote in asked.quotes)
    refused = engine.ask("《甲省示例光伏管理办法》规定光伏电站多久检修一次", day=dt.date(2026, 3, 1))
    assert refused.refusal is not None
    assert "暂缓施行" in refused.refusal.message


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("甲省示例风场管理办法的有效期延长到什么时候", "有效至2026年12月31日"),
        ("甲省示例风场管理办法延期了吗", "有效至2026年12月31日"),
        ("延长甲省示例风场管理办法有效期的是哪个文件", "有效至2026年12月31日"),
        ("甲省示例光伏管理办法暂缓到什么时候", "已暂缓施行"),
        ("甲省示例光伏管理办法是不是推迟施行了", "已暂缓施行"),
        ("甲省示例光伏管理办法什么时候恢复施行", "已暂缓施行"),
        ("甲省示例光伏管理办法推迟施行的原因是什么", None),
        ("甲省示例风场管理办法规定检修最多延期几次", None),
    ],
)
def test_what_is_asked_of_days_that_were_moved(engine: Engine, question: str, said: str | None) -> None:
    answer = engine.ask(question, day=dt.date(2026, 3, 1))
    assert (said in answer.heading) if said else answer.mode != about.MODE, answer.heading


@pytest.mark.parametrize("question", ["甲省示例风场办法的有效期延到哪天", "甲能规〔2021〕1号还能用几年"])
def test_who_prolongs_a_text_that_is_not_held_is_asked_about_it(tmp_path: Path, question: str) -> None:
    row = next(r for r in later_days.LONGER if r[0] == "term to a day")
    with holding(tmp_path, {"longer.txt": later_days.notice(*row[1:4], "甲能规〔2024〕2号")}) as opened:
        answer = opened.ask(question, day=dt.date(2024, 6, 1))
        assert any("延长至2026年12月31日" in quote.text for quote in answer.quotes), answer.refusal


def test_what_was_taken_up_again_begins_by_its_notice(tmp_path: Path) -> None:
    stayed = next(r for r in later_days.LATER if r[0] == "stayed")
    again = "《甲省示例光伏管理办法》自2026年9月1日起恢复施行。请遵照执行。"
    texts = {
        "coming.txt": later_days.COMING.replace("1月1日起施行", "1月1日起施行，有效期五年"),
        "stayed.txt": later_days.notice(*stayed[1:4], "甲能规〔2025〕19号"),
        "again.txt": later_days.notice("恢复施行有关办法的通知", again, "2026年5月10日", "甲能规〔2026〕3号"),
    }
    with holding(tmp_path, texts) as opened:
        answer = opened.ask("《甲省示例光伏管理办法》现在有效吗", day=dt.date(2026, 6, 1))
        assert "自2026年9月1日起施行" in answer.heading
        assert "自2031年9月1日起有效期届满" in answer.heading
        assert any("恢复施行" in quote.text for quote in answer.quotes)
        matter = opened.ask("光伏电站多久检修一次", day=dt.date(2026, 6, 1))
        assert matter.refusal is not None, "a notice that only moves days rules nothing of the matter"
        told = opened.ask("恢复施行有关办法的通知怎么说", day=dt.date(2026, 6, 1))
        assert any("恢复施行" in quote.text for quote in told.quotes)


def test_the_timeline_tells_the_move_with_its_words(engine: Engine) -> None:
    rows = {row.title: row for row in engine.library.rows()}
    told = {
        title: [(e.day, e.kind) for e in engine.law.timeline(rows[title].id).events]
        for title in ("甲省示例风场管理办法", "甲省示例光伏管理办法")
    }
    assert (dt.date(2024, 1, 20), "有效期延长") in told["甲省示例风场管理办法"]
    assert (dt.date(2027, 1, 1), "有效期届满") in told["甲省示例风场管理办法"]
    assert (dt.date(2025, 12, 10), "推迟施行") in told["甲省示例光伏管理办法"]
    words = next(e.words for e in engine.law.timeline(rows["甲省示例风场管理办法"].id).events if e.kind == "有效期延长")
    assert "延长至2026年12月31日" in words
