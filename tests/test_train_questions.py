"""Labelled questions: which lines are read, which are refused with file and line, and what people's opinions teach."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nemo import rules, settings
from nemo.engine import Engine
from nemo.errors import BadRequestError, NotFoundError
from nemo.settings import PROJECT
from nemo.train import opinions, questions
from nemo.train.folds import folds
from nemo.types import Filters, Span, Verdict
from tests import law_samples


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp("train")
    files, manifest = law_samples.write(folder / "texts")
    with Engine.open(settings.load(library=folder / "library", workers=0)) as opened:
        opened.intake.ingest(files, manifest=manifest)
        yield opened


def written(folder: Path, *rows: Any) -> Path:
    file = folder / "questions.jsonl"
    file.write_text("\n".join(r if isinstance(r, str) else json.dumps(r, ensure_ascii=False) for r in rows), "utf-8")
    return file


WRONG = [
    ("no JSON", "{question", "第 1 行不是 JSON"),
    ("no object", "[1]", "没有 question"),
    ("no question", {"file": "a.md", "article": "第一条"}, "没有 question"),
    ("no label", {"question": "几日内答复"}, "没有标注"),
    ("a file alone", {"question": "几日内答复", "file": "a.md"}, "标注不全"),
    ("an empty stretch", {"question": "几日内答复", "file": "a.md", "start": 5, "end": 5}, "标注不全"),
    ("gold without file", {"question": "几日内答复", "gold": [{"article": "第一条"}]}, "标注不全"),
    ("no such day", {"question": "几日内答复", "file": "a.md", "article": "第一条", "as_of": "去年"}, "as_of 无效"),
]


@pytest.mark.parametrize(("row", "said"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG])
def test_a_wrong_line_is_named(tmp_path: Path, row: Any, said: str) -> None:
    with pytest.raises(BadRequestError, match=said):
        questions.read([written(tmp_path, row)])


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"none\.jsonl"):
        questions.read([tmp_path / "none.jsonl"])


def test_a_file_in_another_encoding_is_named(tmp_path: Path) -> None:
    file = tmp_path / "gbk.jsonl"
    file.write_bytes('{"question": "并网"}'.encode("gbk"))
    with pytest.raises(BadRequestError, match="UTF-8"):
        questions.read([file])


def test_every_format_of_the_project_is_read() -> None:
    data = Path(__file__).resolve().parent.parent / "data"
    # answers_*.jsonl name words of a paper, no article: how sure an answer is was fitted on them, no table learns from them
    own = [f for f in (data / "training").glob("*.jsonl") if not f.name.startswith("answers_")]
    files = [*own, *(data / "golden").glob("*.jsonl")]
    rows = questions.read(files)
    assert len(rows) == sum(len(f.read_text("utf-8").splitlines()) for f in files)
    assert {bool(r["gold"]) for r in rows} == {True, False}


def test_pairs_of_wording_are_sound_and_mix_nothing_the_law_keeps_apart() -> None:
    rows = [
        line.split("\t") for line in (PROJECT / "data" / "training" / "wordings.tsv").read_text("utf-8").splitlines()
    ]
    said = [row[0] for row in rows]
    assert said == sorted(set(said)), "each spoken phrase once, in order"
    assert all(len(row) > 1 and all(row) and row[0] not in row[1:] for row in rows)
    worded = {row[0]: set(row[1:]) for row in rows}
    for group in rules.load(PROJECT / "data" / "rules").synonyms:
        for one in group.terms:
            for other in group.confusable:
                assert other not in worded.get(one, ()) and one not in worded.get(other, ()), group.id


def test_articles_lead_to_their_text_and_unknown_ones_are_counted(engine: Engine, tmp_path: Path) -> None:
    held = engine.regulations()[0]
    rows = [
        {"question": "按条", "file": held.file, "article": "第二条"},
        {"question": "按款写法", "file": held.file, "article": "第2条第一款"},
        {"question": "按位置", "file": held.file, "start": 0, "end": 10},
        {"question": "没有的条", "file": held.file, "article": "第九百条"},
        {"question": "没有的文本", "file": "none.md", "article": "第一条"},
        {"question": "没有答案", "expect": "refuse"},
    ]
    found = questions.resolve(questions.read([written(tmp_path, *rows)]), engine.library)
    by = {q.question: q for q in found.questions}
    text = engine.library.regulation(held.id).text
    assert by["按条"].gold[0].span.of(text).startswith("第二条")
    assert by["按条"].gold == by["按款写法"].gold
    assert by["按位置"].gold[0].span == Span(0, 10)
    assert not by["没有答案"].gold
    assert found.passed == {"所标条文在文本中找不到": 1, "所标法规未入库": 1}
    assert by["按条"].group == by["按位置"].group != by["没有答案"].group


def test_opinions_become_labels(engine: Engine) -> None:
    named = [(row.title, number, row.version_date) for row in engine.regulations() for number in "一二三四"]
    asked = [engine.ask(f"《{title}》第{number}条", day=day) for title, number, day in named]
    liked, disliked, approved, rejected = [answer for answer in asked if answer.quotes][:4]
    engine.answers.rate(liked.trace_id, True)
    engine.answers.rate(disliked.trace_id, True)
    engine.answers.rate(disliked.trace_id, False, "看错了")
    entries = {e.row.trace_id: e.row.id for e in engine.answers.review_queue()}
    engine.answers.decide(entries[approved.trace_id], Verdict.APPROVED)
    engine.answers.rate(rejected.trace_id, True)
    engine.answers.decide(entries[rejected.trace_id], Verdict.REJECTED, "不是这一条")
    labels = {label.question: label for label in opinions.of(engine.library)}
    assert set(labels) == {liked.query.original, approved.query.original}
    quote = liked.quotes[0]
    assert labels[liked.query.original].gold[0] == questions.LabelledPlace(quote.regulation_id, quote.span)


def test_a_refusal_found_right_is_a_question_without_answer(engine: Engine) -> None:
    refused = engine.ask("《月球采矿条例》第三条")
    assert refused.refusal is not None
    engine.answers.rate(refused.trace_id, True)
    label = next(x for x in opinions.of(engine.library) if x.question == refused.query.original)
    assert not label.gold
    assert isinstance(label.filters, Filters)


def test_no_work_is_on_both_sides() -> None:
    groups = [f"法{i % 7}" for i in range(40)]
    fold = folds(groups)
    assert len({(g, f) for g, f in zip(groups, fold.tolist(), strict=True)}) == 7
    sizes = [int((fold == f).sum()) for f in range(fold.max() + 1)]
    assert len(sizes) == 5
    assert max(sizes) - min(sizes) <= 12
    assert folds(groups).tolist() == fold.tolist()
    assert folds(["一部", "二部"]).tolist() == [0, 1]
