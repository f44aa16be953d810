"""Facts stated by a person: they win, say who states them, survive, and leave old and new value in the audit log."""

import datetime as dt
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from nemo import accounts, settings
from nemo.engine import Engine
from nemo.errors import BadRequestError, NotFoundError
from nemo.ingest import corrections
from nemo.types import Origin, RawDocument, Status

TEXT = """演示省光伏并网办法（演示文本）

（2024年3月1日演示省能源局公布 自2024年5月1日起施行）

第一条 本办法为演示文本。

第二条 电网企业应当自受理并网申请之日起十个工作日内答复。

第三条 本办法自2024年5月1日起施行。
"""
MANIFEST = {"issuer": "演示省能源局", "document_number": "演示规〔2024〕3号", "颜色": "蓝"}
RAW = RawDocument.of(TEXT.encode(), "办法.md")


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with Engine.open(settings.load(library=tmp_path / "library", workers=0)) as opened:
        opened.intake.ingest_raw([RAW], facts=MANIFEST)
        yield opened


def only(engine: Engine) -> str:
    (row,) = engine.regulations()
    return row.id


def test_a_stated_fact_wins_and_says_that_a_person_stated_it(engine: Engine) -> None:
    key = only(engine)
    report = engine.intake.edit(
        key, {"title": "演示省光伏并网管理办法", "effective_date": "2024-06-01", "province": "gd"}
    )
    found = engine.regulation(key)
    assert report.outcomes[0].state == "replaced" and only(engine) == key
    assert (found.title, found.province) == ("演示省光伏并网管理办法", "gd")
    assert found.validity.effective == dt.date(2024, 6, 1)
    why = {e.fact: e.origin for e in (*found.facts, *found.validity.evidence)}
    assert {why[name] for name in ("title", "province", "first_effective")} == {Origin.ANALYST}
    assert {e.origin for e in found.facts if e.fact == "title"} == {Origin.TEXT, Origin.ANALYST}


def test_what_was_stated_before_stays(engine: Engine) -> None:
    key = only(engine)
    engine.intake.edit(key, {"nature": "binding", "level": "规范性文件", "assets": ["wind", "solar"]})
    engine.intake.edit(key, {"title": "甲办法", "url": "https://example.invalid/a"})
    found = engine.regulation(key)
    assert (found.issuer, found.document_number) == (MANIFEST["issuer"], MANIFEST["document_number"])
    assert dict(found.notes) == {"颜色": "蓝"}
    assert found.assets == ("wind", "solar") and found.url == "https://example.invalid/a"
    origins = {e.fact: e.origin for e in found.facts}
    assert origins["issuer"] is Origin.MANIFEST
    assert origins["assets"] is origins["url"] is origins["title"] is Origin.ANALYST


def test_relations_that_a_manifest_states_are_relations_and_survive_an_edit(tmp_path: Path) -> None:
    old = RawDocument.of(TEXT.replace("光伏并网", "旧并网").encode(), "旧办法.md")
    stated = {
        "repeals": ["演示省旧并网办法（演示文本）（演示规〔2020〕1号）"],
        "based_on": "演示省电力条例",
        "effective_date": "2026-01-01",
        "superseded_by": "丙办法",
        "superseded_on": "2031-01-01",
    }
    with Engine.open(settings.load(library=tmp_path / "library", workers=0)) as engine:
        engine.intake.ingest_raw([old])
        engine.intake.ingest_raw([RAW], facts={**MANIFEST, **stated})
        for facts in ({}, {"issuer": "演示省发展改革委"}):
            if facts:
                engine.intake.edit(engine.regulation("办法.md").id, facts)
            found = engine.regulation("办法.md")
            ties = {(r.kind.value, r.target_title, r.target_number, r.words) for r in found.relations if not r.span}
            assert ties == {
                ("根据", "演示省电力条例", None, "清单所载：根据《演示省电力条例》"),
                (
                    "废止",
                    "演示省旧并网办法（演示文本）",
                    "演示规〔2020〕1号",
                    "清单所载：废止《演示省旧并网办法（演示文本）》",
                ),
            }
            assert dict(found.notes) == {"颜色": "蓝"}
            assert found.validity.ended_by == "丙办法"
            ended = engine.regulation("旧办法.md").validity
            assert ended.on(dt.date(2026, 6, 1)) is Status.REPEALED and ended.on(dt.date(2024, 6, 1)) is Status.IN_FORCE
            why = ended.why("ends")
            assert why is not None and why.words == "清单所载：废止《演示省旧并网办法（演示文本）》"


def test_a_draft_ends_nothing_whatever_its_manifest_says(tmp_path: Path) -> None:
    stated = {"nature": "draft", "repeals": ["演示省旧并网办法"], "based_on": ["演示省电力条例"]}
    with Engine.open(settings.load(library=tmp_path / "library", workers=0)) as engine:
        engine.intake.ingest_raw([RAW], facts=stated)
        found = engine.regulation("办法.md")
        assert {r.kind.value for r in found.relations if not r.span} == {"根据"}
        assert dict(found.notes) == {"repeals": ["演示省旧并网办法"]}
        engine.intake.edit(found.id, {"nature": "binding"})
        assert {r.kind.value for r in engine.regulation("办法.md").relations if not r.span} == {"根据", "废止"}


def test_what_was_stated_reads_as_chinese(engine: Engine) -> None:
    key = only(engine)
    engine.intake.edit(key, {"effective_date": "2024-06-01", "province": "gd", "doc_class": "grid"})
    found = engine.regulation(key)
    said = {e.words for e in (*found.facts, *found.validity.evidence) if e.origin is Origin.ANALYST}
    assert {"人工填写：施行日期 2024-06-01", "人工填写：省份 广东"} <= said
    assert not any("=" in words or "grid" in words for words in said)
    answer = engine.ask("并网申请几个工作日内答复", day=dt.date(2026, 1, 1))
    assert answer.quotes[0].citation.effective_basis == "人工填写：施行日期 2024-06-01"


def test_an_emptied_field_goes_back_to_what_was_read(engine: Engine) -> None:
    key = only(engine)
    read = engine.regulation(key).title
    engine.intake.edit(key, {"title": "甲办法", "valid_until": dt.date(2030, 1, 1)})
    assert engine.regulation(key).validity.ends == dt.date(2030, 1, 2)
    engine.intake.edit(key, {"title": "", "valid_until": None})
    assert engine.regulation(key).title == read and engine.regulation(key).validity.ends is None


def test_old_and_new_values_are_in_the_audit_log(engine: Engine) -> None:
    key = only(engine)
    engine.intake.edit(key, {"valid_until": dt.date(2030, 1, 1), "title": "甲办法"}, reason="公告更正 ")
    trail = engine.library.audit_trail()
    entry, detail = trail.entries[0], json.loads(trail.entries[0].detail)
    assert (entry.action, entry.subject, trail.broken_at) == ("edit", key, None)
    assert detail["reason"] == "公告更正" and detail["changes"]["valid_until"] == [None, "2030-01-01"]
    assert detail["changes"]["title"] == ["演示省光伏并网办法（演示文本）", "甲办法"]
    assert engine.library.verify() == []


def test_the_same_file_again_does_not_undo_an_edit(engine: Engine) -> None:
    engine.intake.edit(only(engine), {"title": "甲办法"})
    assert engine.intake.ingest_raw([RAW], facts=MANIFEST).outcomes[0].state == "unchanged"
    assert engine.regulation(only(engine)).title == "甲办法"


def test_what_a_person_stated_wins_over_a_later_manifest(engine: Engine) -> None:
    engine.intake.edit(only(engine), {"title": "甲办法", "valid_until": "2030-01-01"})
    later = {**MANIFEST, "title": "清单所写的标题", "issuer": "演示省发展改革委"}
    copy = replace(RAW, name="副本.md")
    for raw, state in ((RAW, "replaced"), (copy, "unchanged")):
        assert engine.intake.ingest_raw([raw], facts=later).outcomes[0].state == state
        found = engine.regulation(only(engine))
        assert (found.title, found.issuer) == ("甲办法", "演示省发展改革委")
        assert {e.origin for e in found.facts if e.words == "人工填写：标题 甲办法"} == {Origin.ANALYST}
        assert found.validity.ends == dt.date(2030, 1, 2)
    clash = engine.intake.ingest_raw([RAW], facts={"effective_date": "2031-01-01"}).outcomes[0]
    assert clash.state == "failed" and "矛盾" in (clash.reason or "")


LINE = '{"file": "办法.md", "issuer": "演示省发展改革委"}'


@pytest.mark.parametrize(
    ("remark", "again", "facts", "line", "state", "issuer", "number", "province"),
    [
        ("the same bytes, nothing stated", RAW, {}, "", "unchanged", "演示省能源局", "演示规〔2024〕3号", "gd"),
        ("under another name", replace(RAW, name="副本.md"), {}, "", "unchanged", "演示省能源局", "演示规〔2024〕3号", "gd"),
        ("as another file of the same text", RawDocument.of(b"\xef\xbb\xbf" + RAW.content, "办法.txt"), {}, "", "replaced", "演示省能源局", "演示规〔2024〕3号", "gd"),
        ("one thing stated anew", RAW, {"issuer": "演示省发展改革委"}, "", "replaced", "演示省发展改革委", "演示规〔2024〕3号", "gd"),
        ("a person's word stands", RAW, {"province": "sd"}, "", "replaced", "演示省能源局", "演示规〔2024〕3号", "gd"),
        ("a line of a manifest says everything", RAW, {}, LINE, "replaced", "演示省发展改革委", None, "gd"),
    ],
)  # fmt: skip
def test_what_comes_again_takes_back_nothing_that_it_does_not_state(
    engine: Engine, remark: str, again: RawDocument, facts: dict[str, object], line: str, state: str, issuer: str, number: str | None, province: str,
) -> None:  # fmt: skip
    """No file that is handed over a second time loses the source, number or place that were stated about it (清单、人工)."""
    engine.intake.edit(only(engine), {"province": "gd"})
    outcome = engine.intake.ingest_raw([again], facts=facts, manifest=line).outcomes[0]
    found = engine.regulation(only(engine))
    assert (outcome.state, found.issuer, found.document_number, found.province) == (state, issuer, number, province)
    assert engine.intake.ingest_raw([again], facts=facts, manifest=line).outcomes[0].state == "unchanged"
    assert dict(found.notes) == ({} if line else {"颜色": "蓝"}) and engine.library.verify() == []


@pytest.mark.parametrize(
    ("remark", "facts", "words"),
    [
        ("nothing", {}, "没有任何改动"),
        ("the same", {"issuer": "演示省能源局"}, "没有任何改动"),
        ("no such field", {"text": "x"}, "不能修改"),
        ("no such province", {"province": "xx"}, "xx"),
        ("no such level", {"level": "圣旨"}, "没有“圣旨”"),
        ("no such nature", {"nature": "诗"}, "诗"),
        ("no such day", {"promulgated": "2024-13-01"}, "promulgated"),
        ("days in the wrong order", {"effective_date": "2024-06-01", "valid_until": "2023-01-01"}, "早于"),
        ("a script for an address", {"url": "javascript:alert(1)"}, "http"),
        ("empty what was read", {"promulgated": None}, "不能清空"),
    ],
)
def test_a_wrong_edit_changes_nothing(engine: Engine, remark: str, facts: dict[str, object], words: str) -> None:
    before = engine.regulation(only(engine))
    with pytest.raises(BadRequestError, match=words):
        engine.intake.edit(only(engine), facts)
    assert engine.regulation(only(engine)) == before


def test_what_a_reader_says_of_an_answer_is_kept(engine: Engine) -> None:
    answer = engine.ask("并网申请几个工作日内答复")
    engine.answers.rate(answer.trace_id, False, "漏了细则")
    engine.answers.rate(answer.trace_id, True)
    said = engine.library.feedback.all(answer.trace_id)
    assert [(one.useful, one.remark, one.by) for one in said] == [(True, "", None), (False, "漏了细则", None)]
    entry = engine.library.audit_trail().entries[1]
    assert (entry.action, entry.subject, json.loads(entry.detail)["remark"]) == (
        "feedback",
        answer.trace_id,
        "漏了细则",
    )
    with pytest.raises(NotFoundError):
        engine.answers.rate("nemo-0", True)


@pytest.fixture
def signed(engine: Engine, tmp_path: Path) -> Iterator[Engine]:
    """The same library where people sign in."""
    people = tmp_path / "users.toml"
    people.write_text("".join(accounts.entry(role.title, role, "correct horse") for role in accounts.Role), "utf-8")
    engine.close()
    with Engine.open(settings.load(library=engine.settings.library, workers=0, users_file=people)) as opened:
        yield opened


READER, ANALYST, REVIEWER, ADMIN = (accounts.User(role.title, role) for role in accounts.Role)


def test_what_is_not_held_is_not_edited(engine: Engine) -> None:
    with pytest.raises(NotFoundError):
        engine.intake.edit("nix", {"title": "甲"})


def test_who_may_edit(signed: Engine) -> None:
    for user in (None, READER):
        with pytest.raises(accounts.NotPermittedError):
            signed.intake.edit(only(signed), {"title": "甲办法"}, user)
    signed.intake.edit(only(signed), {"title": "甲办法"}, ANALYST)
    assert signed.library.audit_trail().entries[0].user == "分析员"


def test_who_may_remove(signed: Engine) -> None:
    key = only(signed)
    for user in (None, READER, ANALYST, REVIEWER):
        with pytest.raises(accounts.NotPermittedError, match="删除法规"):
            signed.intake.remove(key, user)
    assert only(signed) == key
    assert signed.intake.remove(key, ADMIN) and signed.regulations() == ()
    entry = signed.library.audit_trail().entries[0]
    assert (entry.action, entry.subject, entry.user) == ("remove", key, "管理员")


def test_values_are_what_a_form_shows(engine: Engine) -> None:
    held = engine.regulation(only(engine))
    shown = corrections.values(held)
    assert list(shown) and set(shown) == set(corrections.FIELDS)
    assert shown["in_force_from"] == dt.date(2024, 5, 1) and shown["valid_until"] is None
    assert corrections.values(replace(held, url=""))["url"] is None


def test_several_texts_are_corrected_at_once_and_one_that_cannot_be_stays_and_says_why(tmp_path: Path) -> None:
    """Two regulations of one file, a file of its own, and one whose original is gone from the disk."""
    rule = TEXT.replace("\n\n", "\n") + "第四条 其他事项。\n第五条 本办法由演示省能源局解释。\n"
    letter = "演示省能源局关于印发《演示省光伏并网办法（演示文本）》的通知\n演示规〔2024〕3号\n各市能源局：\n"
    letter += "现将《演示省光伏并网办法（演示文本）》印发给你们，请遵照执行。\n演示省能源局\n2024年3月1日\n"
    files = [
        RawDocument.of((letter + rule).encode(), "通知.txt"),
        RawDocument.of(TEXT.replace("光伏", "风电").encode(), "风电.md"),
        RawDocument.of(TEXT.replace("光伏", "储能").encode(), "储能.md"),
    ]
    with Engine.open(settings.load(library=tmp_path / "library", workers=0)) as engine:
        engine.intake.ingest_raw(files)
        by_file = {name: [r.id for r in engine.regulations() if r.file == name] for name in ("通知.txt", "风电.md")}
        ids = [row.id for row in engine.regulations()]
        assert (len(by_file["通知.txt"]), len(ids)) == (2, 4)
        gone = next(row for row in engine.regulations() if row.file == "储能.md")
        next((tmp_path / "library").rglob(f"{gone.sha256}*")).unlink()
        report = engine.intake.edit_all(ids, {"issuer": "演示厅"}, reason="依据首页")
        assert sorted((o.name, o.state) for o in report.outcomes) == [
            ("储能.md", "failed"), ("通知.txt", "replaced"), ("通知.txt", "replaced"), ("风电.md", "replaced"),
        ]  # fmt: skip
        assert all(o.reason for o in report.of("failed"))
        assert {row.file for row in engine.regulations() if row.issuer != "演示厅"} == {"储能.md"}
        assert engine.intake.edit_all(by_file["通知.txt"], {"issuer": "演示厅"}).outcomes == ()
