"""What is said beside the quotes of an answer is of these quotes, and the files that leave say what the page says."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from nemo import export, settings
from nemo import rules as rule_data
from nemo.answer import combined
from nemo.answer.question import followup
from nemo.engine import Engine
from nemo.errors import ConfigError
from nemo.export import report
from nemo.settings import PROJECT
from nemo.types import Answer, Filters, LevelNote, Reason, Refusal, Regulation, Validity
from nemo.ui.answer import citation
from nemo.ui.library import coverage
from nemo.ui.shared import choices
from tests import asked_samples
from tests.export_samples import answer, law, quote, store
from tests.store_samples import opened

RULES = rule_data.load(PROJECT / "data" / "rules")
NATION = law("演示缆线管理条例", ["缆线每年检查一次。", "检查记录保存三年。"], level="行政法规", province="cn")
LOCAL = law("广东省演示缆线规定", ["缆线可以延期检查。"], level="地方性法规", province="gd")
PLACES = "演示缆线管理要点（全国、广东）"


def joined(*results: tuple[str, Answer]) -> Answer:
    texts = {each.id: each for each in (NATION, LOCAL)}
    parts = SimpleNamespace(library=SimpleNamespace(row=texts.__getitem__), rules=RULES)
    first = SimpleNamespace(parts=parts, query=results[0][1].query, degraded=())
    return combined._joined(first, results, ())  # type: ignore[arg-type]


def part(*quoted: tuple[Regulation, str, float], heading: str = PLACES, mode: str = "hybrid") -> Answer:
    found = answer(*(quote(made, words, score=score) for made, words, score in quoted))
    query = replace(found.query, filters=Filters())
    rank = LevelNote("行政法规", "地方性法规", (), (), "示例依据", "行政法规的效力高于地方性法规。")
    return replace(found, query=query, heading=heading, hierarchy=(rank,), mode=mode)


@pytest.mark.parametrize(
    ("remark", "score", "heading", "ranks"),
    [
        ("the local rule is left out", 0.1, "演示缆线管理要点（全国）", 0),
        ("the local rule is quoted", 0.9, PLACES, 1),
    ],
)
def test_an_answer_of_several_parts_is_named_by_what_it_quotes(
    remark: str, score: float, heading: str, ranks: int
) -> None:
    local = replace(part((NATION, "每年检查", 0.9), (LOCAL, "延期检查", score)), tips=())
    found = joined(("多久检查？", local), ("保存几年？", part((NATION, "保存三年", 0.9))))
    assert found.heading == heading, remark
    assert len(found.hierarchy) == ranks


def test_an_answer_about_a_regulation_itself_keeps_its_words() -> None:
    said = "时效（《演示缆线管理条例》）：现行有效"
    about = part((NATION, "每年检查", 0.9), heading=said, mode="about")
    found = joined(("还有效吗？", about), ("保存几年？", part((NATION, "保存三年", 0.9))))
    assert found.heading == said and found.headline == ("时效（《演示缆线管理条例》）", "现行有效")
    assert [each.said for each in found.parts] == [said, ""]


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder: Path = tmp_path_factory.mktemp("sent")
    files, manifest = asked_samples.write(folder / "in")
    with Engine.open(settings.load(library=folder / "library", workers=0)) as engine:
        engine.intake.ingest(files, manifest=manifest)
        yield engine


def test_each_part_about_a_regulation_says_its_answer_everywhere(engine: Engine) -> None:
    found = engine.ask("演示航道法典是哪个机关发布的？现在还有效吗？", day=dt.date(2026, 11, 20))
    said = "在2026年11月20日现行有效"
    assert said in found.parts[1].said and said not in found.heading
    assert said in export.answer_json(found)["answer_zh"]
    groups = report.of_answer(found, engine.library, RULES).groups
    assert [said in "".join(group.notes) for group in groups if group.heading == "现在还有效吗？"] == [True]
    bundle = engine.answers.export_answer(found, "json")
    assert engine.answers.check_bundle(bundle).exit_code == 0


def test_a_file_says_beside_the_quotes_what_the_page_says(tmp_path: Path) -> None:
    with opened(tmp_path) as library:
        store(library, NATION)
        refused = Refusal(Reason.NO_EVIDENCE, "没有找到。", ("请写明期限。",))
        one = part((NATION, "每年检查", 0.9))
        found = replace(one, understood="承接上一问。", tips=("只有一个版本。",))
        notes = [note for group in report.of_answer(found, library, RULES).groups for note in group.notes]
        assert notes == ["承接上一问。", "只有一个版本。", "行政法规的效力高于地方性法规。（示例依据）"]
        none = replace(answer(), refusal=refused)
        both = replace(joined(("多久检查？", one), ("几小时？", none)), degraded=())
        notes = [note for group in report.of_answer(both, library, RULES).groups for note in group.notes]
        assert notes[:2] == ["没有找到。", "可以尝试：请写明期限。"]


def test_an_inferred_day_stands_in_a_file_as_on_the_card(tmp_path: Path) -> None:
    made = replace(NATION, validity=Validity(version_effective=dt.date(2026, 1, 23)))
    cut = quote(made, "每年检查")
    derived = replace(cut, citation=replace(cut.citation, effective_derived=True, effective_latest=dt.date(2026, 3, 4)))
    with opened(tmp_path) as library:
        store(library, made)
        passage = next(report.of_answer(answer(derived), library, RULES).passages)
        assert report.fields(passage)["施行日期"] == "2026-01-23 至 2026-03-04 间（推定）"
        assert not any("生效" in name for name in report.fields(passage)), "one word for one thing: 施行"
    assert derived.citation.began == "推定 2026-01-23 至 2026-03-04 间施行"


def test_book_marks_inside_a_title_take_their_inner_form() -> None:
    letter = law("关于印发《演示缆线办法》的通知", ["缆线每年检查一次。"])
    cut = quote(letter, "每年检查")
    assert "《关于印发〈演示缆线办法〉的通知》" in citation.line(cut.citation)
    assert "《关于印发〈演示缆线办法〉的通知》" in citation.paste(cut)


def test_the_last_day_of_a_text_is_the_day_before_it_ends() -> None:
    assert Validity(ends=dt.date(2031, 7, 1)).last_day == dt.date(2031, 6, 30)
    assert Validity().last_day is None


def test_a_draft_is_in_force_on_no_day() -> None:
    day = dt.date(2026, 11, 20)
    assert choices.standing(NATION, day, RULES) == "现行有效"
    draft = replace(NATION, nature="draft")
    assert choices.standing(draft, day, RULES) == "征求意见稿/草案"
    cut = quote(NATION, "缆线每年检查一次。")
    assert "现行有效" in citation.badges(cut, True, "全国", RULES.not_law(NATION.nature))
    said = citation.badges(cut, True, "全国", RULES.not_law(draft.nature))
    assert "征求意见稿/草案" in said and "现行有效" not in said
    cut = quote(draft, "缆线每年检查一次。")
    cut = replace(cut, citation=replace(cut.citation, not_law=RULES.not_law(draft.nature)))
    for sent in (citation.paste(cut), export.source_line(cut), citation.origin(cut, True)):
        assert "征求意见稿/草案" in sent and not re.search("现行有效|效力待核|生效|施行", sent), "one word for it"
    assert choices.began(draft, RULES) == "征求意见稿/草案" and "施行" in choices.began(NATION, RULES)
    shares = coverage.statuses([NATION, NATION, draft])  # type: ignore[list-item]
    assert "现行有效 2 · 不是现行规定（征求意见稿、解读等） 1" in shares, "the list counts no 效力待核 either"


@pytest.mark.parametrize(
    ("remark", "doc_class", "assets", "asked", "listed"),
    [
        ("of the class", "grid", ("solar",), (None, "grid"), True),
        ("of another class", "grid", ("solar",), (None, "permit"), False),
        ("without a class", None, ("solar",), (None, "none"), True),
        ("with a class where none is wanted", "grid", ("solar",), (None, "none"), False),
        ("of the kind of energy", "grid", ("solar", "wind"), ("wind", None), True),
        ("for every kind of energy, a list names those of one", "grid", (), ("wind", None), False),
        ("for every kind of energy", None, (), ("none", "none"), True),
    ],
)
def test_a_list_is_narrowed_as_the_map_counts(
    remark: str, doc_class: str | None, assets: tuple[str, ...], asked: tuple[str | None, str | None], listed: bool
) -> None:
    row = replace(NATION, doc_class=doc_class, assets=assets)
    assert choices.of_kind(row, *asked) is listed
    address = {kind: code for kind, code in zip(("asset", "doc_class"), asked, strict=True) if code}
    assert choices.read(address, RULES, listed=True)[1] == []
    assert bool(choices.read(address, RULES)[1]) is ("none" in asked), "a question is not narrowed to texts of no class"


@pytest.mark.parametrize(
    ("read", "shown"),
    [
        ("停了我的电,能要赔偿吗?", "停了我的电，能要赔偿吗？"),
        ("《甲办法》:第3条(二)罚1,000元", "《甲办法》：第3条(二)罚1,000元"),
        ("GB/T 1.1:2020 and so on, too?", "GB/T 1.1:2020 and so on, too?"),
    ],
)
def test_a_question_is_shown_with_the_marks_it_was_written_with(read: str, shown: str) -> None:
    assert followup.typeset(read) == shown


def test_a_start_that_failed_gives_the_library_back(tmp_path: Path) -> None:
    """Else the next try tells of another program, and nobody reads what is wrong with the file."""
    missing = settings.load(library=tmp_path / "lib", workers=0, users_file=tmp_path / "users.toml")
    for _ in range(2):
        with pytest.raises(ConfigError, match="用户文件"):
            Engine.open(missing)
    Engine.open(settings.load(library=tmp_path / "lib", workers=0)).close()
