"""The library as its callers see it: stored is found, replaced and removed is gone, everywhere and at once."""

import datetime as dt
import json
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from nemo.errors import BadRequestError, ConfigError, NotFoundError, UnreadableDocumentError
from nemo.store.catalogue.entry import StoredEntry
from nemo.store.library import Library
from nemo.text.words.tokenise import terms
from nemo.types import (
    Answer,
    Confidence,
    Filters,
    Query,
    Quote,
    RawDocument,
    Reason,
    Refusal,
    Regulation,
    Status,
    Validity,
)
from tests.store_samples import (
    chunks_of,
    entry,
    fill,
    ids,
    opened,
    put,
    raw_of,
    regulation,
    settings_for,
    vector_of,
)

ROOT = Path(__file__).resolve().parent.parent
ANY = Filters()
DAY = dt.date(2026, 11, 20)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with opened(tmp_path / "lib") as made:
        yield made


def found_by_words(library: Library, words: str, k: int = 50) -> list[str]:
    return ids(library.lexical(terms(words), k, ANY))


def found_by_vector(library: Library, words: str, k: int = 3) -> list[str]:
    return ids(library.dense(vector_of(words), k, ANY))


def gone(library: Library, made: Regulation) -> None:
    """Nothing of a regulation comes up anywhere."""
    for chunk in chunks_of(made):
        assert library.chunk(chunk.id) is None
        assert chunk.id not in found_by_vector(library, chunk.text)
        assert chunk.id not in found_by_words(library, chunk.text)
    with pytest.raises(NotFoundError):
        library.regulation(made.id)


def there(library: Library, made: Regulation) -> None:
    """Every chunk of a regulation comes up for its own words and vector."""
    assert replace(library.regulation(made.id), validity=made.validity) == made
    for chunk in chunks_of(made):
        assert library.chunk(chunk.id) == chunk
        assert found_by_vector(library, chunk.text)[0] == chunk.id
        assert chunk.id in found_by_words(library, chunk.text)


# --- storing, replacing, removing


def test_what_is_stored_is_found(library: Library) -> None:
    for made in fill(library, 5):
        there(library, made)
    assert library.generation == 5
    assert [row.count for row in library.rows()] == [4] * 5
    assert library.verify() == []


def test_it_is_all_there_after_reopening(tmp_path: Path) -> None:
    with opened(tmp_path) as library:
        held = fill(library, 5)
    with opened(tmp_path) as library:
        for made in held:
            there(library, made)
        assert library.events == ()
        assert library.verify() == []


def test_uploading_the_same_text_again_replaces_it_with_itself(library: Library) -> None:
    made = fill(library, 2)[1]
    assert put(library, made) == [made.id]
    library.flush()
    there(library, made)
    assert len(library.rows()) == 2
    assert library.verify() == []


def test_a_corrected_file_takes_the_place_of_the_old_one(library: Library) -> None:
    old, new = regulation(1), regulation(1, 3, edition=2)
    put(library, old)
    assert old.file == new.file and old.id != new.id
    assert put(library, new) == [old.id]
    library.flush()
    gone(library, old)
    there(library, new)
    assert library.verify() == []
    assert library.raw(old.sha256).content == old.text.encode()  # the earlier original stays as long as its heir does


def test_a_newer_version_under_the_same_file_name_stands_beside_the_old_one(library: Library) -> None:
    old = regulation(1, version_date=dt.date(2015, 1, 1))
    new = regulation(1, edition=2, version_date=dt.date(2020, 1, 1))
    put(library, old)
    assert put(library, new) == []
    assert len(library.rows()) == 2


def test_two_regulations_of_one_file_are_stored_together(library: Library) -> None:
    notice, rule = regulation(1, title="通知"), regulation(2, title="办法")
    raw = raw_of("both", "both.txt")
    pair = [replace(r, file=raw.name, sha256=raw.sha256) for r in (notice, rule)]
    assert library.commit([entry(r) for r in pair], raw, fingerprint="f") == []
    assert library.held("f") == [r.id for r in pair]
    only = replace(regulation(3), file=raw.name, sha256=raw.sha256)
    assert set(library.commit([entry(only)], raw, fingerprint="g")) == {r.id for r in pair}
    assert library.held("f") == []
    library.flush()
    for r in pair:
        gone(library, r)


def test_removing_leaves_no_trace(library: Library) -> None:
    held = fill(library, 3)
    library.remove(held[1].id)
    gone(library, held[1])
    there(library, held[2])
    with pytest.raises(NotFoundError):
        library.raw(held[1].sha256)
    with pytest.raises(NotFoundError):
        library.remove(held[1].id)
    assert library.verify() == []


def test_a_file_that_something_else_needs_stays(library: Library) -> None:
    raw = raw_of("both", "both.txt")
    pair = [replace(regulation(s, title=f"题{s}"), file=raw.name, sha256=raw.sha256) for s in (1, 2)]
    library.commit([entry(r) for r in pair], raw)
    library.remove(pair[0].id)
    assert library.raw(raw.sha256).content == raw.content
    library.remove(pair[1].id)
    with pytest.raises(NotFoundError):
        library.raw(raw.sha256)


def test_a_regulation_without_vectors_is_found_by_words_only(library: Library) -> None:
    given = entry(regulation(1))
    made, pieces, rows = given.regulation, given.chunks, given.vectors
    library.commit([StoredEntry(made, pieces, None)], raw_of(made.text, made.file))
    library.flush()
    assert library.unembedded() == [made.id]
    assert found_by_vector(library, pieces[0].text) == []
    assert pieces[0].id in found_by_words(library, pieces[0].text)
    assert library.inspect().unchecked["未向量化的法规"] == 1
    library.add_vectors(made.id, rows)
    assert library.unembedded() == []
    there(library, made)
    assert library.verify() == []


def test_closing_twice_does_nothing(tmp_path: Path) -> None:
    library = opened(tmp_path)
    library.close()
    with opened(tmp_path):
        library.close()  # does not take the folder from its new owner
        with pytest.raises(ConfigError):
            opened(tmp_path)


def test_nothing_wrong_is_stored(library: Library) -> None:
    given = entry(regulation(1))
    made, pieces, rows = given.regulation, given.chunks, given.vectors
    with pytest.raises(ValueError, match="shape"):
        library.commit([StoredEntry(made, pieces, rows[:2])], raw_of("x", "x"))
    with pytest.raises(ValueError, match="hash"):
        library.commit([StoredEntry(made, pieces, rows)], RawDocument(b"x", "x", "0" * 64))
    assert library.rows() == ()
    assert library.verify() == []


# --- validity in the library


def test_a_newer_version_ends_the_older_one_and_its_removal_gives_it_back(library: Library) -> None:
    old = regulation(1, version_date=dt.date(2015, 1, 1), validity=Validity(version_effective=dt.date(2015, 2, 1)))
    new = regulation(
        1, edition=2, version_date=dt.date(2020, 1, 1), validity=Validity(version_effective=dt.date(2020, 2, 1))
    )
    put(library, old)
    put(library, new)
    library.flush()
    today = Filters(day=DAY)
    assert library.regulation(old.id).validity.on(DAY) is Status.AMENDED
    assert library.row(old.id).validity.on(dt.date(2019, 1, 1)) is Status.IN_FORCE
    assert library.facets.ids_allowed(today) == [new.id]
    assert {i.split(":")[0] for i in ids(library.lexical(terms(old.title), 50, today))} == {new.id}
    assert {i.split(":")[0] for i in ids(library.dense(vector_of("x"), 50, today))} == {new.id}
    library.remove(new.id)
    assert library.regulation(old.id).validity.on(DAY) is Status.IN_FORCE
    assert library.facets.ids_allowed(today) == [old.id]


# --- looking


def test_cosines_are_exact_and_unknown_numbers_are_left_out(library: Library) -> None:
    held = fill(library, 3)
    question = vector_of("question")
    pieces = [chunk for made in held for chunk in chunks_of(made)]
    numbers = [library.view.number(chunk.id) for chunk in pieces]
    known, cosines = library.cosines(question, np.array([*numbers, 10_000]))
    assert known.tolist() == [True] * len(pieces) + [False]
    for chunk, cosine in zip(pieces, cosines.tolist(), strict=True):
        assert cosine == pytest.approx(float(vector_of(chunk.text) @ question), abs=3e-4)


def test_chunks_of_a_regulation(library: Library) -> None:
    made = fill(library, 2)[1]
    assert library.chunk_ids(made.id) == [c.id for c in chunks_of(made)]
    for wrong in ("nobody", "", "x:1-2", f"{made.id}:1-2", f"{made.id}:-", f"{made.id}:a-b"):
        assert library.chunk(wrong) is None
    with pytest.raises(NotFoundError):
        library.chunk_ids("nobody")


def test_asking_for_more_than_there_is(library: Library) -> None:
    fill(library, 2)
    assert len(library.dense(vector_of("x"), 1000, ANY)) == 8
    assert library.dense(vector_of("x"), 5, Filters(province="cn", day=dt.date(1990, 1, 1))) == []


def test_few_chunks_are_searched_exactly(library: Library) -> None:
    fill(library, 2)
    library.by_meaning(vector_of("x"), 5, ANY)
    assert library._indexes.dense.answered == "exact"


def test_document_frequency(library: Library) -> None:
    fill(library, 2)
    assert library.document_frequency(["登记", "无此词"]) == {"登记": 8, "无此词": 0}


def test_which_texts_hold_a_term_is_what_a_search_for_it_finds(library: Library) -> None:
    """Also in a title alone, under filters, and after texts came and went; nothing where too many chunks do."""
    fill(library, 6)
    gone = library.rows()[0].id
    for stored in (True, False):
        if not stored:
            library.remove(gone)
        every = {each for row in library.rows() for each in terms(row.title)} | {"设备", "没有"}
        for term in sorted(every):
            for filters in (ANY, Filters(province="gd")):
                said = ids(library.lexical([term], 1_000, filters, None))
                told = library.texts_with(term, filters, 1_000)
                assert told is not None and sorted(told) == sorted({each.rpartition(":")[0] for each in said}), term
                assert not said or library.texts_with(term, filters, len(said) - 1) is None


def test_an_empty_library_answers(library: Library) -> None:
    assert found_by_vector(library, "x") == found_by_words(library, "x") == []
    assert library.rows() == () and library.generation == 0
    assert library.reindex() == 0
    assert library.verify() == []


def test_a_small_filter_never_imports_the_approximate_store(tmp_path: Path) -> None:
    with opened(tmp_path) as library:
        fill(library, 3)
    program = (
        "import sys; from tests.store_samples import *; from pathlib import Path; from nemo.types import Filters\n"
        f"with opened(Path({str(tmp_path)!r})) as l:\n"
        "    assert l.dense(vector_of('x'), 5, Filters())\n"
        "    assert l.lexical(['登记'], 5, Filters())\n"
        "assert 'chromadb' not in sys.modules and 'torch' not in sys.modules and 'alembic' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True, timeout=300)


# --- another embedder


def test_another_embedder_sees_no_vectors_of_the_first(tmp_path: Path) -> None:
    with opened(tmp_path) as library:
        held = fill(library, 2)
    with Library.open(settings_for(tmp_path), "other", 8) as library:
        assert library.unembedded() == [made.id for made in held]
        assert library.dense(np.ones(8, np.float32) / np.sqrt(8), 5, ANY) == []
        assert len(found_by_words(library, "登记")) == 8


# --- the lock


def test_a_second_owner_is_told_who_the_first_is(tmp_path: Path) -> None:
    with opened(tmp_path), pytest.raises(ConfigError, match=r"进程 \d+") as caught:
        opened(tmp_path)
    assert "--library" in caught.value.message
    opened(tmp_path).close()


def test_a_second_process_is_told_who_the_first_is(tmp_path: Path) -> None:
    program = f"from tests.store_samples import *; from pathlib import Path; opened(Path({str(tmp_path)!r}))"
    with opened(tmp_path):
        child = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert child.returncode != 0
    assert "ConfigError" in child.stderr and "正被另一个程序使用" in child.stderr


def test_a_stale_owner_card_does_not_keep_anyone_out(tmp_path: Path) -> None:
    opened(tmp_path).close()
    (tmp_path / "owner.json").write_text(json.dumps({"pid": 1, "command": "x", "host": "y", "since": "z"}))
    with opened(tmp_path) as library:
        assert [event.code for event in library.events] == ["unclean"]
    assert not (tmp_path / "owner.json").exists()


def test_a_newer_library_is_left_as_it_is(tmp_path: Path) -> None:
    with opened(tmp_path) as library:
        fill(library, 1)
    connection = sqlite3.connect(tmp_path / "catalogue.sqlite")
    with connection:
        connection.execute("UPDATE alembic_version SET version_num='9999'")
    connection.close()
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    with pytest.raises(ConfigError, match="9999"):
        opened(tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_a_damaged_owner_card_is_no_obstacle(tmp_path: Path) -> None:
    with opened(tmp_path):
        (tmp_path / "owner.json").write_bytes(b"\xff{")
        with pytest.raises(ConfigError, match="未知"):
            opened(tmp_path)


# --- failures and answers


def test_a_failed_file_waits_for_a_person(library: Library) -> None:
    raw = raw_of("not a law", "坏.pdf")
    number = library.record_failure(
        raw, UnreadableDocumentError("读不出。请重传。", ("试试 Word",)), {"province": "sd"}
    )
    assert library.record_failure(raw, UnreadableDocumentError("还是读不出。")) == number
    (failure,) = library.failure_queue.all()
    assert (failure.tries, failure.message, failure.name, failure.state) == (2, "还是读不出。", "坏.pdf", "open")
    assert library.raw(raw.sha256).content == b"not a law"
    library.failure_queue.dismiss(number, "甲")
    assert library.failure_queue.all() == []
    assert [f.state for f in library.failure_queue.all(None)] == ["dismissed"]
    with pytest.raises(NotFoundError):
        library.failure_queue.dismiss(99)
    assert library.verify() == []


def test_a_failure_is_done_when_the_file_is_read_at_last(library: Library) -> None:
    made = regulation(1)
    library.record_failure(raw_of(made.text, made.file), BadRequestError("x"), {"day": DAY})
    put(library, made)
    assert [f.state for f in library.failure_queue.all(None)] == ["done"]
    library.remove(made.id)
    assert library.failure_queue.all(None) == []
    assert library.verify() == []


def test_a_file_whose_bytes_could_not_be_had_is_listed_too(library: Library) -> None:
    library.record_failure(RawDocument.of(b"", "大.zip"), BadRequestError("太大。"))
    (failure,) = library.failure_queue.all()
    assert (failure.sha256, failure.name) == (None, "大.zip")


def answer_to(made: Regulation, trace: str = "t-1") -> Answer:
    quote = Quote.cut(made, chunks_of(made)[0].span, DAY)
    return Answer(Query("问", ANY, "问？"), DAY, (quote,), None, Confidence(0.8), trace)


def test_an_answer_can_be_opened_again(library: Library) -> None:
    made = fill(library, 1)[0]
    answer = answer_to(made)
    library.save_answer(answer, "甲")
    assert library.answers.get("t-1") == answer
    refused = Answer(Query("问", ANY), DAY, (), Refusal(Reason.NO_EVIDENCE, "没有。"), Confidence(0.1), "t-2")
    library.save_answer(refused)
    assert [(row.trace_id, row.refused) for row in library.answers.recent()] == [("t-2", True), ("t-1", False)]
    assert [row.trace_id for row in library.answers.recent(user="甲")] == ["t-1"]
    with pytest.raises(NotFoundError):
        library.answers.get("t-3")
    report = library.inspect()
    assert report.differences == [] and report.checked["引文"] == 1


def test_an_answer_whose_text_was_replaced_is_not_counted_as_checked(library: Library) -> None:
    made = fill(library, 1)[0]
    library.save_answer(answer_to(made))
    library.remove(made.id)
    report = library.inspect()
    assert report.differences == []
    assert (report.checked["引文"], report.unchecked["引文所属法规已删除或替换"]) == (0, 1)


# --- many at once


def test_readers_see_whole_states_while_one_writes(library: Library) -> None:
    """Thirty-two threads ask while regulations come, are replaced and go: no error, nothing that is not held."""
    fill(library, 6)
    stop = threading.Event()
    wrong: list[BaseException] = []

    def ask(seed: int) -> None:
        question = vector_of(str(seed))
        try:
            while not stop.wait(0.01):
                for chunk_id, _ in library.dense(question, 5, Filters(day=DAY)) + library.lexical(["登记"], 5, ANY):
                    chunk = library.chunk(chunk_id)
                    assert chunk is None or chunk.id == chunk_id
                for row in library.rows()[:2]:
                    assert row.title
        except BaseException as error:  # noqa: BLE001  # whatever it is, the test shows it
            wrong.append(error)

    threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(32)]
    for thread in threads:
        thread.start()
    try:
        for seed in range(6, 14):
            put(library, regulation(seed))
            put(library, regulation(seed, edition=1))
            library.remove(library.rows()[0].id)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert wrong == []
    library.flush()
    assert library.verify() == []
