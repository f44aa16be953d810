"""The law over time and as a whole, through the engine on invented texts: succession, editions, ties, gaps, levels."""

import dataclasses
import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from nemo import lawview, rules, settings
from nemo.engine import Engine
from nemo.errors import BadRequestError, NotFoundError
from nemo.lawview import holdings
from nemo.lawview.links import CITED_BY, CITES
from nemo.rerank.domain import DomainReranker
from nemo.types import Answer, Hit, Status, status_of
from tests import export_samples, law_samples

TODAY = dt.date(2026, 11, 20)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """Open a library with all invented texts; tests that change it use one of their own."""
    folder = tmp_path_factory.mktemp("law")
    files, manifest = law_samples.write(folder / "texts")
    with Engine.open(settings.load(library=folder / "library", workers=0)) as opened:
        report = opened.intake.ingest(files, manifest=manifest)
        assert not report.of("failed"), report
        yield opened


def status(engine: Engine, key: str, day: str) -> Status:
    return engine.regulation(key).validity.on(dt.date.fromisoformat(day))


# --- succession through the library


def test_a_newer_version_ends_the_older_one_and_removal_restores_it(tmp_path: Path) -> None:
    old, old_facts = law_samples.write(tmp_path / "a", "接网-2021.md")
    new, new_facts = law_samples.write(tmp_path / "b", "接网-2024.md")
    with Engine.open(settings.load(library=tmp_path / "library", workers=0)) as engine:
        engine.intake.ingest(old, manifest=old_facts)
        assert status(engine, "接网-2021.md", "2026-01-01") is Status.IN_FORCE
        engine.intake.ingest(new, manifest=new_facts)
        assert status(engine, "接网-2021.md", "2024-08-31") is Status.IN_FORCE
        assert status(engine, "接网-2021.md", "2024-09-01") is Status.AMENDED
        assert status(engine, "接网-2024.md", "2024-08-31") is Status.PENDING
        ended = engine.regulation("接网-2021.md").validity
        assert ended.ended_by == engine.regulation("接网-2024.md").id
        assert "2024年9月1日" in ended.why("ends").words
        engine.intake.remove(engine.regulation("接网-2024.md").id)
        assert status(engine, "接网-2021.md", "2026-01-01") is Status.IN_FORCE
        assert engine.regulation("接网-2021.md").validity.ends is None


def test_a_repeal_ends_its_target_from_its_own_day_and_removal_restores_it(tmp_path: Path) -> None:
    old, old_facts = law_samples.write(tmp_path / "a", "抽蓄.md")
    new, new_facts = law_samples.write(tmp_path / "b", "储能.md")
    with Engine.open(settings.load(library=tmp_path / "library", workers=0)) as engine:
        engine.intake.ingest(new, manifest=new_facts)  # the repealing text may come first
        engine.intake.ingest(old, manifest=old_facts)
        assert status(engine, "抽蓄.md", "2025-02-28") is Status.IN_FORCE
        assert status(engine, "抽蓄.md", "2025-03-01") is Status.REPEALED
        assert "同时废止" in engine.regulation("抽蓄.md").validity.why("ends").words
        refused = engine.ask("演示省抽水蓄能暂行规定第一条", day=TODAY)
        assert refused.refusal is not None and refused.refusal.reason.value == "not_in_force_on_day"
        engine.intake.remove(engine.regulation("储能.md").id)
        assert status(engine, "抽蓄.md", "2026-01-01") is Status.IN_FORCE
        assert engine.ask("演示省抽水蓄能暂行规定第一条", day=TODAY).quotes


# --- editions


@dataclass(frozen=True)
class Named:
    remark: str
    key: str
    file: str


EDITIONS = [
    Named("a title means the version in force", "演示省风电场接网办法", "接网-2024.md"),
    Named("with the date of a version", "演示省风电场接网办法@2021-05-20", "接网-2021.md"),
    Named("with a day on which a version was in force", "演示省风电场接网办法@2023-01-01", "接网-2021.md"),
    Named("a day between promulgation and commencement", "演示省风电场接网办法@2024-07-01", "接网-2021.md"),
    Named("a file name", "接网-2021.md", "接网-2021.md"),
    Named("a file name with a day means its work", "接网-2021.md@2025-01-01", "接网-2024.md"),
]


@pytest.mark.parametrize("case", EDITIONS, ids=[e.remark for e in EDITIONS])
def test_editions(engine: Engine, case: Named) -> None:
    assert engine.regulation(case.key).file == case.file


def test_no_version_on_a_day_names_those_that_are_held(engine: Engine) -> None:
    with pytest.raises(NotFoundError, match="还没有库内版本") as error:
        engine.regulation("演示省风电场接网办法@2019-01-01")
    assert any("2021-05-20" in tip for tip in error.value.tips)


def test_an_unknown_title_names_the_nearest(engine: Engine) -> None:
    with pytest.raises(NotFoundError, match="资料库没有") as error:
        engine.regulation("演示省风电场联网办法")
    assert any("接网办法" in tip for tip in error.value.tips)


def test_versions_are_listed_oldest_first(engine: Engine) -> None:
    rows = engine.law.versions(engine.regulation("接网-2024.md").id)
    assert [r.file for r in rows] == ["接网-2021.md", "接网-2024.md"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("演示省风电场接网办法", None),
        ("演示省风电场接网办法@2021-05-20", "演示省风电场接网办法@2024-06-03"),
        ("演示省风电场接网办法@2022-01-01", "2025-01-01"),
        ("接网-2021.md", "接网-2024.md"),
    ],
)
def test_ways_to_name_two_versions(engine: Engine, old: str, new: str | None) -> None:
    before, after, found = engine.law.diff(old, new)
    assert (before.file, after.file) == ("接网-2021.md", "接网-2024.md")
    assert found.counts["移动"] == 1


def test_one_text_cannot_be_compared_with_itself(engine: Engine) -> None:
    with pytest.raises(BadRequestError, match="同一文本"):
        engine.law.diff("演示省风电场接网办法", "接网-2024.md")
    with pytest.raises(BadRequestError, match="一个版本"):
        engine.law.diff("中华人民共和国演示能源法")


# --- ties, timeline, gaps


def test_ties_in_both_directions(engine: Engine) -> None:
    found = engine.law.links("储能.md")
    told = {(link.kind, link.inward, link.title, link.status) for link in found.links}
    assert ("根据", False, "中华人民共和国演示能源法", Status.IN_FORCE) in told
    assert ("根据", False, "演示省电网安全条例", None) in told
    assert ("废止", False, "演示省抽水蓄能暂行规定", Status.REPEALED) in told
    back = engine.law.links("抽蓄.md")
    assert [(link.kind, link.inward, link.title) for link in back.links] == [("废止本文", True, "演示省储能电站条例")]
    assert "同时废止" in back.links[0].words
    law = {(link.kind, link.title) for link in engine.law.links("能源法.md").links if link.inward}
    assert law == {("以本文为依据", "演示省风电场接网办法"), ("以本文为依据", "演示省储能电站条例")}


def test_a_repealed_basis_is_pointed_out(engine: Engine, tmp_path: Path) -> None:
    text = "演示省抽蓄监测细则（演示文本）\n\n第一条 根据《演示省抽水蓄能暂行规定》，制定本细则。\n\n第二条 本细则自2019年1月1日起施行。\n"
    (tmp_path / "细则.md").write_text(text, "utf-8")
    added = engine.intake.ingest([tmp_path / "细则.md"])
    try:
        found = engine.law.links("细则.md")
        assert [link.title for link in found.repealed_bases] == ["演示省抽水蓄能暂行规定"]
        assert not engine.law.links("细则.md", dt.date(2020, 1, 1)).repealed_bases
    finally:
        engine.intake.remove(added.outcomes[0].regulation_ids[0])


def test_timeline(engine: Engine) -> None:
    found = engine.law.timeline("演示省风电场接网办法", TODAY)
    assert [(s.start, s.end, s.status) for s in found.stretches] == [
        (dt.date(2021, 7, 1), dt.date(2024, 9, 1), Status.AMENDED),
        (dt.date(2024, 9, 1), None, Status.IN_FORCE),
    ]
    told = [(str(e.day), e.kind) for e in found.events]
    assert told == sorted(told, key=lambda e: e[0])
    assert ("2021-05-20", "通过") in told
    assert ("2021-07-01", "施行") in told
    assert ("2024-06-03", "修订") in told
    assert ("2024-09-01", "被新版本取代") in told
    assert all(e.words for e in found.events)


def test_what_is_cited_and_not_held(engine: Engine) -> None:
    found = {m.title: m for m in engine.law.missing()}
    assert "中华人民共和国演示能源法" not in found
    gap = found["演示省电网安全条例"]
    assert (gap.documents, gap.mentions, gap.roles) == (1, 1, (("根据", 1),))


def test_references_are_counted_and_short_names_are_followed() -> None:
    text = (
        "第一条 根据《演示省电网安全条例》（以下简称“安全条例”），制定本办法。\n"
        "第二条 违反《安全条例》的，依照《演示省电网安全条例》处罚；设备应当符合GB/T 99999-2012。\n"
        "第三条 取得《电力业务许可证》的单位适用本办法。"
    )
    found = {r.title or r.number: r.count for r in lawview.references(text)}
    assert found == {"演示省电网安全条例": 3, "GB/T 99999-2012": 1}


# --- levels of force


@dataclass(frozen=True)
class Text:
    title: str
    level: str | None
    province: str = "cn"


LEVELS = [
    ("a law and a local regulation", [Text("甲法", "法律"), Text("乙条例", "地方性法规", "gd")], ["立法法第九十九条第一款"]),
    ("an administrative regulation and a ministry's rule", [Text("甲条例", "行政法规"), Text("乙办法", "部门规章")], ["立法法第九十九条第二款"]),
    ("a local regulation and its government's rule", [Text("甲条例", "地方性法规", "gd"), Text("乙办法", "地方政府规章", "gd")], ["立法法第一百条第一款"]),
    ("the same of two provinces", [Text("甲条例", "地方性法规", "gd"), Text("乙办法", "地方政府规章", "sd")], []),
    ("a ministry's rule and a local government's", [Text("甲办法", "部门规章"), Text("乙办法", "地方政府规章", "sd")], ["立法法第一百零二条"]),
    ("a local regulation and a ministry's rule", [Text("甲条例", "地方性法规", "sd"), Text("乙办法", "部门规章")], ["立法法第一百零六条第一款第二项"]),
    ("a law and a notice", [Text("甲法", "法律"), Text("乙通知", "规范性文件")], ["行政许可法第十七条、行政处罚法第十六条"]),
    ("notices of the nation and of a province", [Text("甲通知", "规范性文件"), Text("乙通知", "规范性文件", "gd")], ["立法法第九十八条至第一百零二条"]),
    ("a law and the rules of a special zone", [Text("甲法", "法律"), Text("深圳经济特区乙条例", "地方性法规", "gd")], ["立法法第九十九条第一款", "立法法第一百零一条"]),
    ("texts of one level", [Text("甲法", "法律"), Text("乙法", "法律")], []),
    ("an unknown level", [Text("甲法", "法律"), Text("乙", None)], []),
    ("one text", [Text("甲法", "法律")], []),
]  # fmt: skip


@pytest.mark.parametrize(("remark", "texts", "bases"), LEVELS, ids=[case[0] for case in LEVELS])
def test_levels(remark: str, texts: list[Text], bases: list[str]) -> None:
    for order in (texts, texts[::-1]):
        notes = lawview.hierarchy(order, rules.load(settings.load().rules))
        assert [n.basis for n in notes] == bases
        assert all(not any(word in n.words for word in ("抵触无效", "以上位法为准", "应当适用")) for n in notes)


def test_the_higher_level_comes_first() -> None:
    texts = [Text("乙条例", "地方性法规", "gd"), Text("甲法", "法律")]
    note = lawview.hierarchy(texts, rules.load(settings.load().rules))[0]
    assert (note.first, note.second) == ("法律", "地方性法规")
    assert (note.first_titles, note.second_titles) == (("甲法",), ("乙条例",))


def test_an_answer_from_two_levels_says_so(engine: Engine) -> None:
    answer = engine.ask("演示能源法第二条和演示省风电场接网办法第三条怎么规定", day=TODAY)
    levels = {q.citation.level for q in answer.quotes}
    assert levels == {"法律", "地方性法规"}, [q.text for q in answer.quotes]
    assert [n.basis for n in answer.hierarchy] == ["立法法第九十九条第一款"]
    assert engine.library.answers.get(answer.trace_id).hierarchy == answer.hierarchy


# --- questions about changes


def told(answer: Answer) -> list[tuple[str, str]]:
    return [(str(q.citation.version_date), q.citation.article) for q in answer.quotes]


def test_what_changed_is_answered_with_both_wordings(engine: Engine) -> None:
    answer = engine.ask("演示省风电场接网办法新旧版本有什么变化", day=TODAY)
    assert answer.mode == "versions"
    assert told(answer) == [
        ("2021-05-20", "第二条"),
        ("2024-06-03", "第三条"),
        ("2021-05-20", "第五条"),
        ("2024-06-03", "第五条"),
        (
            "2024-06-03",
            "第二条",
        ),  # new, and the commencement that was written anew: all that changed, not the first two
        ("2021-05-20", "第六条"),
        ("2024-06-03", "第七条"),
    ]
    assert [q.citation.status for q in answer.quotes[:2]] == [Status.AMENDED, Status.IN_FORCE]
    for quote in answer.quotes:
        assert quote.text == quote.span.of(engine.regulation(quote.regulation_id).text)
    assert any("修改 3 条" in tip for tip in answer.tips)


CHANGES = [
    (
        "演示省风电场接网办法修订前后，试验报告的提交期限有什么变化",
        [("2021-05-20", "第二条"), ("2024-06-03", "第三条")],
    ),
    ("演示省风电场接网办法2021年版和2024年版关于罚款的区别", [("2021-05-20", "第五条"), ("2024-06-03", "第五条")]),
    (
        "演示省风电场接网办法2021年版和2024年版关于罚款有什么不一样",
        [("2021-05-20", "第五条"), ("2024-06-03", "第五条")],
    ),
    ("演示省风电场接网办法的老法和新法，罚款差别在哪", [("2021-05-20", "第五条"), ("2024-06-03", "第五条")]),
    ("演示省风电场接网办法新旧对照：构网型机组", [("2024-06-03", "第二条")]),
    ("演示省风电场接网办法旧版第二条和新版有什么不同", [("2021-05-20", "第二条"), ("2024-06-03", "第三条")]),
    ("2021年的演示省风电场接网办法第二条和现在的有什么不同", [("2021-05-20", "第二条"), ("2024-06-03", "第三条")]),
    ("演示省风电场接网办法第四条修改了什么", [("2021-05-20", "第四条"), ("2024-06-03", "第四条")]),
]


@pytest.mark.parametrize(("question", "expected"), CHANGES, ids=[c[0] for c in CHANGES])
def test_the_subject_decides_which_provisions(engine: Engine, question: str, expected: list[tuple[str, str]]) -> None:
    answer = engine.ask(question, day=TODAY)
    assert answer.mode == "versions"
    assert told(answer)[: len(expected)] == expected


def test_the_ranker_says_which_provisions_a_comparison_is_about(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def surely_the_fourth(_: object, __: object, hits: list[Hit]) -> list[Hit]:
        return [replace(h, score=0.9 if h.chunk.label.startswith("4") else 0.01) for h in hits]

    monkeypatch.setattr(DomainReranker, "rerank", surely_the_fourth)
    asked = engine.ask("演示省风电场接网办法2021年版和2024年版关于罚款的差异", day=TODAY)
    assert told(asked) == [("2021-05-20", "第四条"), ("2024-06-03", "第四条")]


def test_before_the_revision_means_a_day_of_the_old_version(engine: Engine) -> None:
    answer = engine.ask("演示省风电场接网办法修订前，试验报告几个工作日内提交")
    assert answer.day == dt.date(2024, 8, 31)
    assert ("day", "修订前，按 2024-08-31") in [(e.fact, e.words) for e in answer.query.read]
    assert {q.citation.version_date for q in answer.quotes} == {dt.date(2021, 5, 20)}


@pytest.mark.parametrize(
    "question",
    [
        "旧的演示省风电场接网办法，试验报告几个工作日内提交",
        "老版演示省风电场接网办法，试验报告几个工作日内提交",
        "2021年演示省风电场接网办法，试验报告几个工作日内提交",
    ],
)
def test_an_old_version_by_what_stands_before_its_name(engine: Engine, question: str) -> None:
    answer = engine.ask(question)
    assert answer.day == dt.date(2024, 8, 31)
    assert {q.citation.version_date for q in answer.quotes} == {dt.date(2021, 5, 20)}
    assert not any("没有当作适用日期" in tip for tip in answer.tips)


def test_a_chosen_day_stands(engine: Engine) -> None:
    answer = engine.ask("演示省风电场接网办法修订前，试验报告几个工作日内提交", day=TODAY)
    assert answer.day == TODAY


@pytest.mark.parametrize(
    "question",
    [
        "风电场接网查勘费怎么收",
        "演示省风电场接网办法中，涉网保护校核多久一次",
        "演示省新旧动能转换对风电场接网有什么支持",
    ],
)
def test_other_questions_are_answered_as_ever(engine: Engine, question: str) -> None:
    assert engine.ask(question, day=TODAY).mode != "versions"


def test_a_single_version_is_said(engine: Engine) -> None:
    answer = engine.ask("中华人民共和国演示能源法修改了哪些内容：接网批复", day=TODAY)
    tips = (*answer.tips, *(answer.refusal.tips if answer.refusal else ()))
    assert any("只有《中华人民共和国演示能源法》的一个版本" in tip for tip in tips)


def test_a_text_that_names_its_own_number_cites_nothing(tmp_path: Path) -> None:
    text = "演示省能源局关于检修的通知\n演能〔2031〕5号\n\n各电站：\n\n请照办。本通知（演能〔2031〕5号）另发各县。\n\n演示省能源局\n2031年5月6日\n"
    (tmp_path / "通知.txt").write_text(text, "utf-8")
    with Engine.open(settings.load(library=tmp_path / "library", workers=0)) as engine:
        engine.intake.ingest([tmp_path / "通知.txt"])
        assert engine.law.links("通知.txt", TODAY).links == ()
        assert not [m for m in engine.law.missing() if m.number == "演能〔2031〕5号"]


@pytest.mark.parametrize(
    ("nature", "status"), [("binding", Status.IN_FORCE), ("draft", Status.UNKNOWN), ("news", Status.UNKNOWN)]
)
def test_what_is_no_rule_is_law_on_no_day(nature: str, status: Status) -> None:
    """A draft that names the day from which it is to apply is listed with its nature and never as 现行有效."""
    made = export_samples.law("样板办法（征求意见稿）", ["样板事项应当备案。"], nature=nature)
    day = dt.date(2026, 11, 20)
    assert status_of(made, day) is status
    shown = holdings.regulation(made, None, day)
    assert {shown["status"], *(each["status"] for each in shown["provisions"])} == {status.value}
    assert lawview.timeline([made], day, lambda _: None).stretches[0].status is status


def test_the_last_day_of_a_version_is_the_one_before_it_ends(engine: Engine) -> None:
    old = engine.law.timeline(engine.regulation("接网-2021.md").id, TODAY).stretches[0]
    assert (old.end, old.last) == (dt.date(2024, 9, 1), dt.date(2024, 8, 31))
    inferred = dataclasses.replace(old, derived=True, end_derived=True)
    assert inferred.words == f"{old.start} 起（推定），至 2024-08-31 止（推定）"


def test_a_tie_is_called_otherwise_from_the_other_side() -> None:
    assert (CITES, CITED_BY) == ("引用", "引用本文")
