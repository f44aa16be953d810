"""Bundles: what was quoted can be checked again on another machine, and every change is found."""

import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nemo import export
from nemo.errors import BadRequestError, NotFoundError
from nemo.export import bundle as bundles
from nemo.store.catalogue.entry import words_hash
from nemo.store.library import Library
from nemo.types import Evidence, Origin, Review, Status, Validity, Verdict
from tests.export_samples import BEGAN, DAY, FORBIDDEN, NASTY, answer, in_parts, law, place, quote, store
from tests.store_samples import opened
from tests.test_export_answer import AT
from tests.test_export_word import LAW, RULES, SEA, SUN

Body = dict[str, Any]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """A library that no test changes."""
    with opened(tmp_path_factory.mktemp("held")) as found:
        store(found, LAW, SUN, SEA)
        yield found


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Library]:
    """The same for a test that changes it."""
    with opened(tmp_path / "lib") as found:
        store(found, LAW, SUN, SEA)
        yield found


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A bundle of two quotes from a library that is closed by now."""
    with opened(tmp_path_factory.mktemp("bundle")) as found:
        store(found, LAW, SUN, SEA)
        cut = quote(LAW, NASTY[2], before=place(LAW, NASTY[0]))
        return export.write(export.of_answer(answer(cut, quote(SUN, "每月清洗一次")), found, RULES), "json")


def test_a_bundle_passes_on_another_machine(exported: bytes, library: Library, tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    path.write_bytes(exported)
    for given in (path, exported, json.loads(exported)):
        report = bundles.check(given, library)
        assert report.counts == {"通过": 2, "不符": 0, "无法核对": 0, "共": 2}
        assert (report.exit_code, report.problems) == (0, ())
        assert report.as_json()["ok"]
    assert list(report.lines())[-1] == "通过 2 条，不符 0 条，无法核对 0 条，共 2 条。"


@pytest.mark.parametrize(
    "check", [lambda content, library: bundles.check(content, library), lambda content, _: bundles.check_alone(content)]
)
def test_a_refusal_and_a_draft_are_told_as_such(library: Library, check: Callable[..., Any]) -> None:
    refused = check(export.write(export.of_answer(answer(), library, RULES), "json"), library)
    assert refused.exit_code == 0 and list(refused.lines())[-1].startswith("核验包中有 1 份拒答，没有引文；核对了封印")
    cut = quote(LAW, NASTY[2])
    draft = answer(replace(cut, citation=replace(cut.citation, not_law="征求意见稿/草案")))
    content = export.write(export.of_answer(draft, library, RULES), "json")
    cited = json.loads(content)["answers"][0]
    assert cited["citations"][0]["nature"] == "征求意见稿/草案" and "征求意见稿/草案" in cited["answer_zh"]
    assert not check(content, library).problems


@pytest.mark.parametrize("words", [*NASTY, *FORBIDDEN])
def test_every_character_survives(library: Library, words: str) -> None:
    content = export.write(export.of_answer(answer(quote(LAW, words)), library, RULES), "json")
    body = json.loads(content)
    assert body["quotes"][0]["text"] == words == body["answers"][0]["citations"][0]["direct_quote"]
    assert bundles.check(content, library).exit_code == 0


def test_an_answer_in_parts_passes_and_its_headings_are_part_of_it(library: Library) -> None:
    body = json.loads(
        export.write(
            export.of_answer(in_parts(quote(LAW, NASTY[2]), quote(SUN, "每月清洗一次")), library, RULES), "json"
        )
    )
    assert [q["group"] for q in body["quotes"]] == ["多久检修？", "多久清洗？"]
    assert bundles.check(body, library).exit_code == 0
    body["answers"][0]["parts"][0]["heading"] = "多久报废？"
    report = bundles.check(body, library)
    assert any("正文与其引文" in problem for problem in report.problems)


@pytest.mark.parametrize("parts", ["x", [1], [{"heading": 1}], [{"heading": "a", "citations": [1], "refusal": None}]])
def test_malformed_parts_are_refused_by_name(library: Library, parts: Any) -> None:
    body = json.loads(
        export.write(
            export.of_answer(in_parts(quote(LAW, NASTY[2]), quote(SUN, "每月清洗一次")), library, RULES), "json"
        )
    )
    body["answers"][0]["parts"] = parts
    with pytest.raises(BadRequestError, match="核验包有误"):
        bundles.check(body, library)


def test_what_it_holds(exported: bytes) -> None:
    body = json.loads(exported)
    held = body["regulations"][LAW.id]
    assert (held["raw_sha256"], held["title"], held["document_number"]) == (LAW.sha256, LAW.title, "演示令第3号")
    assert held["validity"]["evidence"][0]["words"] == "自2021年3月1日起施行"
    first = body["quotes"][0]
    assert LAW.text[first["start"] : first["end"]] == first["text"] and first["sha256"] == words_hash(NASTY[2])
    assert (first["status"], first["day"], first["before"]["text"]) == ("现行有效", DAY.isoformat(), NASTY[0])
    assert "ranked" not in body["answers"][0]


def forged(exported: bytes, change: Callable[[Body], None]) -> Body:
    """Change a bundle and seal it again, as a forger would."""
    body = copy.deepcopy(json.loads(exported))
    change(body)
    return {**body, "sha256": bundles.seal(body)}


def both(field: str, cited: str, value: Any) -> Callable[[Body], None]:
    """Set a field in the list of quotes and in the answer alike."""

    def change(body: Body) -> None:
        body["quotes"][0][field] = value
        body["answers"][0]["citations"][0][cited] = value

    return change


def words_changed(body: Body) -> None:
    both("text", "direct_quote", "改过的文字")(body)
    body["quotes"][0]["sha256"] = words_hash("改过的文字")


def hash_changed(body: Body) -> None:
    body["regulations"][LAW.id]["text_sha256"] = "0" * 64


def evidence_changed(body: Body) -> None:
    body["regulations"][LAW.id]["validity"]["evidence"][0]["words"] = "自2020年1月1日起施行"


def beside_changed(body: Body) -> None:
    body["quotes"][0]["before"]["text"] = "改过"
    body["answers"][0]["citations"][0]["context_before"] = "改过"


@pytest.mark.parametrize(
    ("remark", "change", "kind"),
    [
        ("words", words_changed, "引文"),
        ("place", both("start", "start", 3), "引文"),
        ("text beside", beside_changed, "旁文"),
        ("hash of the text", hash_changed, "文本"),
        ("no hash at all", lambda b: b["regulations"].clear(), "文本"),
        ("status", both("status", "status", "已废止"), "时效"),
        ("evidence", evidence_changed, "时效"),
        ("commencement", both("effective", "effective_date", "2020-01-01"), "出处"),
        ("title", both("title", "title", "别的规定"), "出处"),
        ("path", both("path", "section_reference", "第9条"), "出处"),
        ("page", both("pages", "page_numbers", [7]), "出处"),
        ("number", both("document_number", "document_number", "演示令第4号"), "出处"),
    ],
)
def test_a_sealed_forgery_differs(
    exported: bytes, library: Library, remark: str, change: Callable[[Body], None], kind: str
) -> None:
    report = bundles.check(forged(exported, change), library)
    assert report.exit_code == 1, remark
    found = [words for q in report.quotes for words in q.differences]
    assert any(words.startswith(kind) for words in found), (remark, found)
    assert report.counts["共"] == sum(report.counts[k] for k in ("通过", "不符", "无法核对")) == 2


@pytest.mark.parametrize(
    ("remark", "change"),
    [
        ("answer's words", lambda b: b["answers"][0]["citations"][0].update(direct_quote="改过")),
        ("answer's status", lambda b: b["answers"][0]["citations"][0].update(status="已废止")),
        ("answer's text", lambda b: b["answers"][0].update(answer_zh=b["answers"][0]["answer_zh"] + "\n • 多一句")),
        ("a refusal with quotes", lambda b: b["answers"][0].update(refused=True)),
        ("a quote left out", lambda b: b["quotes"].pop()),
    ],
)
def test_an_answer_may_not_say_other_than_its_quotes(
    exported: bytes, library: Library, remark: str, change: Callable[[Body], None]
) -> None:
    report = bundles.check(forged(exported, change), library)
    assert report.problems and report.exit_code == 1, remark


def test_a_broken_seal_is_told(exported: bytes, library: Library) -> None:
    body = json.loads(exported)
    body["title"] = "别的"
    report = bundles.check(body, library)
    assert report.exit_code == 1 and "封印" in report.problems[0]
    assert report.counts["通过"] == 2


def test_a_regulation_that_is_not_held_cannot_be_checked(exported: bytes, own: Library) -> None:
    own.remove(SUN.id)
    report = bundles.check(exported, own)
    assert report.counts == {"通过": 1, "不符": 0, "无法核对": 1, "共": 2}
    assert report.exit_code == NotFoundError.exit_code
    assert "未收录" in report.quotes[1].notes[0]


def test_the_law_changed_meanwhile(exported: bytes, own: Library) -> None:
    ended = Validity(version_effective=BEGAN, ends=DAY, ended_as=Status.REPEALED)
    store(own, replace(SUN, validity=ended))
    report = bundles.check(exported, own)
    assert report.counts["不符"] == 1
    assert "库内现判断为“已废止”" in report.quotes[1].differences[0]


def test_a_later_rejection_is_noted(exported: bytes, own: Library) -> None:
    own.save_answer(answer(quote(SUN, "每月清洗一次")))
    own.answers.flush()
    own.reviews.decide(1, Verdict.REJECTED, "断章取义", "王敏")
    report = bundles.check(exported, own)
    assert report.exit_code == 0
    assert "断章取义" in report.quotes[1].notes[0]


def test_a_damaged_original_is_found(exported: bytes, own: Library) -> None:
    for path in own.settings.raw_path.rglob(f"*{SUN.sha256[2:]}*"):
        path.chmod(0o600)
        path.write_bytes(b"damaged")
    report = bundles.check(exported, own)
    assert any(words.startswith("原件") for words in report.quotes[1].differences)


def test_reviewed_quotes_pass_too(library: Library) -> None:
    cut = replace(quote(LAW, NASTY[0]), review=Review(Verdict.APPROVED, "王敏", AT))
    content = export.write(export.of_answer(answer(cut), library, RULES), "json")
    assert bundles.check(content, library).exit_code == 0
    content = export.write(export.of_review([cut], [("状态", "不限")], library), "json")
    assert bundles.check(content, library).counts["通过"] == 1


def test_a_quote_whose_start_was_inferred_passes(own: Library) -> None:
    """The answer's text says 推定 of its day, and so does the text that a check puts together."""
    basis = Evidence("version_effective", "2021年3月1日 修订", Origin.DERIVED, None)
    inferred = law(
        "演示推定办法", ["风机应当每年检修一次。"], validity=Validity(version_effective=BEGAN, evidence=(basis,))
    )
    store(own, inferred)
    body = json.loads(export.write(export.of_answer(answer(quote(inferred, "每年检修一次")), own, RULES), "json"))
    assert "（推定）" in body["answers"][0]["answer_zh"]
    assert bundles.check(body, own).problems == ()
    body["answers"][0]["citations"][0]["effective_derived"] = False
    assert any("正文与其引文" in problem for problem in bundles.check(body, own).problems)


def test_a_comparison_of_provinces_passes(library: Library) -> None:
    nation = quote(LAW, NASTY[0])
    columns = [export.ReportColumn("sd", answer(nation, trace="t-1")), export.ReportColumn("gd", answer(trace="t-2"))]
    content = export.write(export.of_matrix("多久？", columns, library, RULES), "json")
    report = bundles.check(content, library)
    assert (report.counts["通过"], report.counts["共"], report.problems) == (1, 1, ())


# --- what is no bundle


@pytest.mark.parametrize(
    ("remark", "content", "words"),
    [
        ("no JSON", b"not json", "JSON"),
        ("another JSON", b'{"a": 1}', "不是 Nemo 核验包"),
        ("a list", b"[]", "不是 Nemo 核验包"),
        ("deep", b"[" * 100_000, "JSON"),
        ("a key twice", b'{"format": "nemo-bundle", "format": "nemo-bundle"}', "两次"),
        ("newer", b'{"format": "nemo-bundle", "version": 2}', "升级"),
        ("empty", b'{"format": "nemo-bundle", "version": 1}', "答复"),
    ],
)
def test_what_is_no_bundle_is_refused(library: Library, remark: str, content: bytes, words: str) -> None:
    with pytest.raises(BadRequestError, match=words):
        bundles.check(content, library)


@pytest.mark.parametrize(
    "change",
    [
        lambda b: b["quotes"][0].pop("sha256"),
        lambda b: b["quotes"][0].update(start="0"),
        lambda b: b["quotes"][0].update(start=-5),
        lambda b: b["quotes"][0].update(start=True),
        lambda b: b["quotes"][0].update(day="昨天"),
        lambda b: b["quotes"].append(None),
        lambda b: b["regulations"][LAW.id].update(validity={"evidence": [1]}),
        lambda b: b["answers"][0]["citations"][0].update(review={"state": 1}),
        lambda b: b["answers"].append({}),
    ],
)
def test_a_malformed_bundle_is_refused_by_name(
    exported: bytes, library: Library, change: Callable[[Body], None]
) -> None:
    with pytest.raises(BadRequestError, match="核验包有误"):
        bundles.check(forged(exported, change), library)


def test_a_missing_file_is_named(library: Library, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        bundles.check(tmp_path / "no.json", library)


def test_places_outside_a_text_are_a_difference(exported: bytes, library: Library) -> None:
    report = bundles.check(forged(exported, both("end", "end", 10**9)), library)
    assert report.exit_code == 1


def test_seals_do_not_depend_on_spacing(exported: bytes) -> None:
    body = json.loads(exported)
    again = json.loads(json.dumps(body, ensure_ascii=True, sort_keys=True))
    assert bundles.seal(again) == body["sha256"]
