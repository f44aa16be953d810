"""The lexical index finds by words, title and headings, obeys the filter, and knows which generation it stands for."""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from store_samples import numbers_of

from nemo import settings
from nemo.engine import Engine
from nemo.store.catalogue.rows import RegulationBody
from nemo.store.search import lexical
from nemo.store.search.lexical import DamagedIndexError, LabelledText, LexicalIndex
from nemo.store.search.replay import IndexState
from nemo.text.words import normalise
from nemo.text.words.tokenise import terms
from nemo.types import CITABLE, Filters, RawDocument

HELD: list[tuple[int, str, list[tuple[str, str]]]] = [
    (
        1,
        "路灯管理办法",
        [("总则", "路灯应当每晚点亮。"), ("检查", "值班员每月检查灯杆。"), ("检查", "灯杆倾斜的立即扶正。")],
    ),
    (4, "水塔管理办法", [("总则", "水塔应当每周清洗。"), ("检查", "清洗记录保存三年。")]),
    (6, "渡船管理办法", [("总则", "渡船遇大风停航。"), ("检查", "停航公告张贴在渡口，值班员负责。")]),
]


def labelled(first: int, title: str, pieces: Sequence[tuple[str, str]]) -> LabelledText:
    text, spans = "", []
    for _, words in pieces:
        spans.append((len(text), len(text) + len(words)))
        text += words
    places = np.array(spans, np.int32)
    return LabelledText(
        title, RegulationBody(title, first, text, places, ("1",) * len(pieces), tuple(h for h, _ in pieces))
    )


TEMPLATE: list[Path] = []


@pytest.fixture(scope="module", autouse=True)
def template(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Write the index once; every test gets a copy."""
    folder = tmp_path_factory.mktemp("lexical")
    LexicalIndex(folder).write((), [labelled(*held) for held in HELD], IndexState(3, "c"))
    TEMPLATE[:] = [folder]


def laid(folder: Path) -> Path:
    """Lay the index's files into a folder without opening it."""
    return Path(shutil.copytree(TEMPLATE[0], folder, dirs_exist_ok=True))


def built(folder: Path) -> LexicalIndex:
    return LexicalIndex(laid(folder))


EVERYTHING = numbers_of([(1, 3), (4, 2), (6, 2)])


def found(index: LexicalIndex, question: str, k: int = 10, ranges: list[tuple[int, int]] | None = None) -> list[int]:
    allowed = None if ranges is None else numbers_of(ranges)
    return [number for number, _ in index.search(terms(question), k, allowed, EVERYTHING)]


FINDS: list[tuple[str, str, list[tuple[int, int]] | None, list[int]]] = [
    ("a word of one chunk", "公告", None, [7]),
    ("the better chunk first", "灯杆倾斜", None, [3, 2]),
    ("a word in two regulations", "值班员", None, [2, 7]),
    ("only the allowed one (few of many)", "值班员", [(6, 2)], [7]),
    ("only the allowed ones (many of few)", "值班员", [(1, 3), (4, 2)], [2]),
    ("everything allowed by name", "值班员", [(1, 3), (4, 2), (6, 2)], [2, 7]),
    ("nothing allowed", "值班员", [], []),
    ("a title finds all its chunks", "水塔", None, [4, 5]),
    ("a heading finds the chunks under it", "总则", None, [1, 4, 6]),
    ("a word nobody wrote", "蒸汽机", None, []),
    ("nothing asked", "", None, []),
]


@pytest.mark.parametrize("looked", ["of all", "under the filter"])
@pytest.mark.parametrize(("remark", "question", "ranges", "numbers"), FINDS, ids=[f[0] for f in FINDS])
def test_finds(
    tmp_path: Path,
    remark: str,
    question: str,
    ranges: list[tuple[int, int]] | None,
    numbers: list[int],
    looked: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if looked == "under the filter":
        monkeypatch.setattr(lexical, "MANY", 2.0)
    come = found(built(tmp_path), question, ranges=ranges)
    assert sorted(come) == sorted(numbers)
    assert come[:1] == numbers[:1]


def test_the_filter_does_not_change_scores(tmp_path: Path) -> None:
    index = built(tmp_path)
    free = dict(index.search(terms("值班员检查"), 10))
    for ranges in ([(6, 2)], [(1, 3), (4, 2)]):
        for number, score in index.search(terms("值班员检查"), 10, numbers_of(ranges), EVERYTHING):
            assert score == pytest.approx(free[number])


def test_one_question_under_several_filters_finds_what_each_finds_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hits of all are kept for the next search of the same words; a write in between makes them void."""
    index, filters = built(tmp_path), ([(1, 3), (4, 2), (6, 2)], [(6, 2)], [(1, 3)])
    alone = [found(built(tmp_path / f"{at}"), "值班员", ranges=ranges) for at, ranges in enumerate(filters)]
    assert [found(index, "值班员", ranges=ranges) for ranges in filters] == alone == [[2, 7], [7], [2]]
    monkeypatch.setattr(lexical, "LOOKED", 1)
    monkeypatch.setattr(lexical, "BEYOND", 0)
    assert found(built(tmp_path / "few"), "值班员", 1, [(6, 2)]) == [7], "too few were looked at: the filter decides"
    index.write([6], [], IndexState(4, "d"))
    assert [found(index, "值班员", ranges=ranges) for ranges in filters] == [[2], [], [2]]


def test_a_removed_text_is_gone_and_the_rest_stays(tmp_path: Path) -> None:
    index = built(tmp_path)
    index.write([1], [], IndexState(4, "d"))
    assert found(index, "值班员") == [7]
    assert index.numbers().tolist() == [4, 5, 6, 7]


def test_writing_the_same_again_changes_nothing(tmp_path: Path) -> None:
    index = built(tmp_path)
    index.write([1, 4], [labelled(*HELD[0]), labelled(*HELD[1])], IndexState(3, "c"))
    assert index.numbers().tolist() == list(range(1, 8))


def test_a_word_that_a_title_brings_later_is_found_by_it(tmp_path: Path) -> None:
    index = built(tmp_path)
    assert not list(index.search(terms("堤坝"), 5))
    index.write((), [labelled(8, "堤坝管理办法", [("总则", "闸门每年检修。")])], IndexState(4, "d"))
    assert [number for number, _ in index.search(terms("堤坝"), 5)] == [8]
    assert index.holding("堤坝").tolist() == [8]


def test_everything_can_be_written_anew(tmp_path: Path) -> None:
    index = built(tmp_path)
    index.write(None, [labelled(*HELD[2])], IndexState(9, "z"))
    assert index.numbers().tolist() == [6, 7]


def test_it_knows_its_generation_after_reopening(tmp_path: Path) -> None:
    assert LexicalIndex(tmp_path / "new").state == IndexState(0, "")
    built(tmp_path / "old")
    again = LexicalIndex(tmp_path / "old")
    assert again.state == IndexState(3, "c")
    assert found(again, "公告") == [7]


def test_a_crash_before_the_state_is_written_is_replayed(tmp_path: Path) -> None:
    index = built(tmp_path)
    state = (tmp_path / "state.json").read_bytes()
    index.write([1], [], IndexState(4, "d"))
    (tmp_path / "state.json").write_bytes(state)
    again = LexicalIndex(tmp_path)
    assert again.state == IndexState(3, "c")
    again.write([1], [], IndexState(4, "d"))
    assert again.numbers().tolist() == [4, 5, 6, 7]


@pytest.mark.parametrize("state", [None, b"", b"[1, 2]", b'[2, 999999, 3, "c"]'])
def test_an_index_without_a_state_of_its_own_is_not_believed(tmp_path: Path, state: bytes | None) -> None:
    laid(tmp_path)
    (tmp_path / "state.json").unlink()
    if state is not None:
        (tmp_path / "state.json").write_bytes(state)
    with pytest.raises(DamagedIndexError):
        LexicalIndex(tmp_path)


def test_scores_do_not_depend_on_how_often_it_was_written(tmp_path: Path) -> None:
    """Neither the order of the texts nor the number of commits moves a score."""
    at_once, by_and_by = built(tmp_path / "a"), LexicalIndex(tmp_path / "b")
    for at, held in enumerate(reversed(HELD), 1):
        by_and_by.write((), [labelled(*held)], IndexState(at, "x"))
    for _, question, ranges, _ in FINDS:
        allowed = None if ranges is None else numbers_of(ranges)
        both = [index.search(terms(question), 10, allowed, EVERYTHING) for index in (at_once, by_and_by)]
        assert both[0] == both[1]


def test_what_was_removed_moves_no_score(tmp_path: Path) -> None:
    """tantivy counts deleted documents in its statistics; a library must not show what it once held."""
    texts = [
        RawDocument.of(f"演示第{n}号{word}办法\n\n第一条 {word}应当每{n}月检查。".encode(), f"{n}.md")
        for n, word in enumerate(("路灯", "水塔", "渡船", "风车"), 2)
    ]
    scores = []
    for name, again in (("plain", ()), ("busy", texts[1:])):
        with Engine.open(settings.load(library=tmp_path / name, workers=0)) as engine:
            engine.intake.ingest_raw(texts)
            for each in again:
                row = next(row for row in engine.regulations() if row.file == each.name)
                engine.intake.remove(row.id)
            engine.intake.ingest_raw(list(again))
            lexical = engine.library._indexes.lexical
            assert lexical.buried == 0
            scores.append(engine.library.lexical(terms("路灯每月检查"), 10, Filters(), None))
    assert scores[0] == scores[1] and len(scores[0]) > 3


def test_what_came_bit_by_bit_is_put_together_and_finds_the_same(tmp_path: Path) -> None:
    texts = [
        RawDocument.of(f"演示第{n}号办法\n\n第一条 路灯应当每{n}月检查。".encode(), f"{n}.md") for n in range(2, 9)
    ]
    found, pieces = [], []
    for name, batches in (("at once", [texts]), ("by and by", [[text] for text in texts])):
        with Engine.open(settings.load(library=tmp_path / name, workers=0)) as engine:
            lexical = engine.library._indexes.lexical
            for batch in batches:
                engine.intake.ingest_raw(batch)
                pieces.append(len(lexical._segments()))
            assert lexical.scattered == 0
            found.append(engine.library.lexical(terms("路灯每月检查"), 10, Filters(), None))
    assert pieces == [1, 1, 2, 3, 4, 1, 2, 3]  # one more than ``SEGMENTS`` is one too many
    assert found[0] == found[1] and len(found[0]) == len(texts)


def test_a_write_that_fails_leaves_it_as_it_was_and_can_be_repeated(tmp_path: Path) -> None:
    index = built(tmp_path)

    def broken():
        yield labelled(*HELD[0])
        raise RuntimeError("the catalogue is away")

    with pytest.raises(RuntimeError):
        index.write([1, 4, 6], broken(), IndexState(5, "e"))
    assert index.state == IndexState(3, "c")
    assert index.numbers().tolist() == list(range(1, 8))
    index.write([4], [], IndexState(5, "e"))
    assert index.numbers().tolist() == [1, 2, 3, 6, 7]


def test_what_a_cut_off_commit_left_is_not_in_the_way(tmp_path: Path) -> None:
    """Killed between the file of deleted chunks and the table of contents: the same commit is made again."""
    killed, finished = tmp_path / "killed", tmp_path / "finished"
    laid(killed)
    built(finished).write([1], [], IndexState(4, "d"))
    (left,) = finished.glob("*.del")
    for name in (left.name, ".managed.json"):
        shutil.copy2(finished / name, killed / name)
    index = LexicalIndex(killed)
    index.write([1], [], IndexState(4, "d"))
    assert index.numbers().tolist() == [4, 5, 6, 7]


def test_a_reader_is_not_disturbed_by_a_writer(tmp_path: Path) -> None:
    index = built(tmp_path)
    before = index._searcher
    index.write(None, [], IndexState(8, "h"))
    assert before.num_docs == 7


def test_long_questions_are_cut_to_their_rare_words(tmp_path: Path) -> None:
    index = built(tmp_path)
    assert 7 in found(index, "应当" * 200 + "".join(chr(0x4E00 + i) for i in range(3000)) + "张贴在渡口")


def test_more_gone_texts_than_asked_for_do_not_hide_the_rest(tmp_path: Path) -> None:
    """Entries that the catalogue no longer knows take no place in the answer."""
    index = built(tmp_path)
    index.write((), [labelled(100 + i, "旧", [("", "值班员值班员。")]) for i in range(50)], IndexState(4, "d"))
    assert {number for number, _ in index.search(terms("值班员"), 2, EVERYTHING, EVERYTHING)} == {2, 7}


def spoil_segment(folder: Path, suffix: str, keep: int) -> None:
    for path in folder.glob(f"*{suffix}"):
        path.write_bytes(path.read_bytes()[:keep])


@pytest.mark.parametrize("suffix", [".idx", ".term", ".fast", ".fieldnorm", ".store", "meta.json"])
@pytest.mark.parametrize("keep", [0, 20])
def test_truncated_files_are_noticed_at_opening(tmp_path: Path, suffix: str, keep: int) -> None:
    laid(tmp_path)
    spoil_segment(tmp_path, suffix, keep)
    with pytest.raises(DamagedIndexError):
        LexicalIndex(tmp_path)


def test_without_its_table_of_contents_it_stands_for_nothing(tmp_path: Path) -> None:
    """tantivy takes the folder for a new one: everything is replayed into it."""
    laid(tmp_path)
    (tmp_path / "meta.json").unlink()
    assert LexicalIndex(tmp_path).state == IndexState(0, "")


@pytest.mark.parametrize("suffix", [".idx", ".term", ".fast", ".fieldnorm", ".store"])
def test_missing_files_are_noticed_at_opening(tmp_path: Path, suffix: str) -> None:
    laid(tmp_path)
    for path in tmp_path.glob(f"*{suffix}"):
        path.unlink()
    with pytest.raises(DamagedIndexError):
        LexicalIndex(tmp_path)


# --- rows of figures

ROWS = "电价表（演示文本）\n\n" + "\n".join(f"ZXQ{n} {n}.50" for n in range(30, 90))
RULE = "演示市电价管理办法（演示文本）\n\n第一条 下列编号的电价应当按本表执行。\n" + "\n".join(
    f"ZXQ{n} {n}.50 元" for n in range(30, 60)
)


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with Engine.open(settings.load(library=tmp_path_factory.mktemp("figures"), workers=0)) as engine:
        engine.intake.ingest_raw([RawDocument.of(ROWS.encode(), "表.txt"), RawDocument.of(RULE.encode(), "办法.txt")])
        nature = {row.file: row.nature for row in engine.regulations()}
        assert nature == {"表.txt": "unconfirmed", "办法.txt": "binding"}
        yield engine


@pytest.mark.parametrize("words", ["zxq30", "ZXQ30", "30.50", "ZXQ30 30.50", "ＺＸＱ３０", "３０.５０"])
def test_codes_and_decimals_are_found(figures: Engine, words: str) -> None:
    """Terms of letters with digits, and decimals, in a rule; a bare table is no law and comes only when asked for."""
    asked = terms(normalise.normalise(words).text)

    def found(natures: frozenset[str] | None) -> set[str]:
        hits = figures.library.lexical(asked, 10, Filters(), natures)
        return {figures.library.row(figures.library.chunk(i).regulation_id).file for i, _ in hits}  # type: ignore[union-attr]

    assert found(CITABLE) == {"办法.txt"} and found(None) == {"办法.txt", "表.txt"}
