"""One library, several processes: PostgreSQL as catalogue, each process with indexes of its own.

What a single owner promises holds here too: nothing is lost, nothing is doubled, what was removed never comes again.
"""

import datetime as dt
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
import sqlalchemy as sa

from nemo.errors import BadRequestError, ConfigError, NotFoundError
from nemo.store.catalogue import history
from nemo.store.catalogue.schema import jobs
from nemo.store.library import Library
from nemo.store.records.answers import PendingAnswer
from nemo.store.records.jobs import LEASE, JobState
from nemo.types import Answer, Confidence, Filters, Query, Reason, Refusal
from tests.jobs_samples import raw
from tests.postgres_server import DatabaseServer
from tests.shared_worker import COMMON
from tests.store_samples import fill, opened, put, regulation, vector_of


@pytest.fixture
def url(postgres: DatabaseServer) -> str:
    return postgres.new_database()


@pytest.fixture
def pair(tmp_path: Path, url: str) -> Iterator[tuple[Library, Library]]:
    """Two that have one library open."""
    with opened(tmp_path / "library", database=url) as one, opened(tmp_path / "library", database=url) as other:
        yield one, other


def titles(library: Library) -> set[str]:
    library.follow()
    return {row.title for row in library.rows()}


def test_what_one_stores_the_other_finds(pair: tuple[Library, Library]) -> None:
    one, other = pair
    made = fill(one, 5)
    assert titles(other) == {each.title for each in made}
    text = made[2].text[made[2].provisions[0].children[0].span.start :][:30]
    other.flush()
    for library in pair:
        assert library.regulation(made[2].id).text == made[2].text
        words = made[2].provisions[0].children[0].span.of(made[2].text)
        assert library.dense(vector_of(words), 1, Filters(day=dt.date(2024, 1, 1)))[0][0].startswith(made[2].id), text
    assert one.verify() == [] == other.verify()


LOOKED_FOR = {"GB/T 1%_": True, "gb/t 1%_": True, "1%9": False, "1__": False, "长" * 100_000: False}
"""Words, and whether they stand in the title ``GB/T 1%_``: signs of a pattern mean themselves, and no length is too much."""


def test_words_are_looked_for_alike_in_a_file_and_on_a_server(tmp_path: Path, pair: tuple[Library, Library]) -> None:
    with opened(tmp_path / "alone") as alone:
        for library in (alone, pair[0]):
            put(library, regulation(1, title="GB/T 1%_"))
            found = {words: bool(library.mentioning(words)) for words in LOOKED_FOR}
            assert found == LOOKED_FOR
            assert not any(library.edges.named(words) or library.edges.all((), [words]) for words in LOOKED_FOR)


def test_a_character_that_no_column_takes_is_the_senders_matter(pair: tuple[Library, Library]) -> None:
    with pytest.raises(BadRequestError, match="空字符"):
        pair[0].mentioning("a\0b")
    assert titles(pair[0]) == set(), "the connection goes on"


def test_what_one_removes_the_other_never_returns(pair: tuple[Library, Library]) -> None:
    one, other = pair
    made = fill(one, 3)
    other.follow()
    other.remove(made[0].id)
    one.follow()
    assert not one.holds(made[0].id)
    assert all(not found.startswith(made[0].id) for found, _ in one.dense(vector_of("x"), 50, Filters()))


def test_two_with_the_same_folder_have_indexes_of_their_own(pair: tuple[Library, Library]) -> None:
    one, other = pair
    assert one.settings.lexical_path != other.settings.lexical_path
    assert one.settings.raw_path == other.settings.raw_path


# --- a process that ends, or stands still


@contextmanager
def beside(work: str, folder: Path, url: str, number: int = 0) -> Iterator[subprocess.Popen[str]]:
    """Another process at ``work``, killed at the end."""
    command = [sys.executable, "-m", "tests.shared_worker", work, str(folder), url, str(number)]
    root = Path(__file__).resolve().parent.parent
    made = subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True)
    assert made.stdout is not None
    try:
        assert made.stdout.readline() == "there\n"
        yield made
    finally:
        made.kill()
        made.wait()


@pytest.mark.parametrize("work", ["inside", "alone"])
def test_a_process_killed_in_its_turn_keeps_nobody_waiting(tmp_path: Path, url: str, work: str) -> None:
    folder = tmp_path / "library"
    with opened(folder, database=url) as library, beside(work, folder, url) as killed:
        killed.kill()
        killed.wait()
        made = fill(library, 2)
        assert titles(library) == {each.title for each in made}
        assert library.verify() == []


def test_processes_that_store_the_same_texts_at_once_double_nothing(tmp_path: Path, url: str) -> None:
    folder = tmp_path / "library"
    with opened(folder, database=url) as library, ExitStack() as stack:
        workers = [stack.enter_context(beside("store", folder, url, number)) for number in (1, 2)]
        for seed in range(COMMON):
            put(library, regulation(seed))
        assert [worker.wait() for worker in workers] == [0, 0]
        wanted = {regulation(seed).title for seed in range(COMMON)}
        wanted |= {regulation(100 * number + seed).title for number in (1, 2) for seed in range(COMMON)}
        assert titles(library) == wanted and len(library.rows()) == len(wanted)
        assert library.verify() == []
        assert library.audit_trail().broken_at is None
        for row in library.rows():
            assert library.raw(row.sha256).content


def test_a_text_that_one_removes_while_the_other_stores_its_file_is_whole_or_gone(
    pair: tuple[Library, Library],
) -> None:
    one, other = pair
    made = regulation(1)
    put(one, made)

    def again() -> None:
        for _ in range(15):
            put(other, made)

    storing = threading.Thread(target=again)
    storing.start()
    for _ in range(15):
        with suppress(NotFoundError):
            one.remove(made.id)
    storing.join()
    put(other, made)
    one.follow()
    assert one.raw(made.sha256).content == made.text.encode()
    assert one.verify() == []


# --- jobs


def queued(library: Library, count: int) -> None:
    library.jobs.add("b1", "批次", [(raw(seed), {}) for seed in range(count)])


def test_no_job_is_claimed_twice(pair: tuple[Library, Library]) -> None:
    queued(pair[0], 20)
    claimed: list[int] = []

    def claim(library: Library) -> None:
        while (job := library.jobs.claim()) is not None:
            claimed.append(job.id)

    threads = [threading.Thread(target=claim, args=(library,)) for library in pair]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(claimed) == len(set(claimed)) == 20


def test_a_claim_does_not_wait_for_a_row_that_another_holds(pair: tuple[Library, Library]) -> None:
    queued(pair[0], 2)
    first = sa.select(jobs.c.id).order_by(jobs.c.id).limit(1).with_for_update()
    with pair[0].jobs._database.engine.begin() as connection:
        held = connection.execute(first).scalar_one()
        claimed = pair[1].jobs.claim()
    assert claimed is not None and claimed.id != held


def test_a_job_whose_process_was_killed_is_done_by_another_after_its_lease(tmp_path: Path, url: str) -> None:
    folder = tmp_path / "library"
    with opened(folder, database=url) as library:
        queued(library, 1)
        with beside("claim", folder, url) as killed:
            killed.kill()
            killed.wait()
        assert library.jobs.expire() == 0, "its lease still runs"
        with library.jobs._database.write() as connection:
            connection.execute(jobs.update().values(heartbeat=sa.func.now() - 2 * LEASE))
        assert library.jobs.expire() == 1
        taken = library.jobs.claim()
        assert taken is not None and taken.tries == 2
        assert library.jobs.content(taken).content == raw(0).content


def test_a_process_that_lost_its_lease_is_told_and_settles_nothing(pair: tuple[Library, Library]) -> None:
    slow, quick = pair
    queued(slow, 1)
    mine = slow.jobs.claim()
    assert mine is not None and slow.jobs.beat([mine.id]) == []
    with slow.jobs._database.write() as connection:
        connection.execute(jobs.update().values(heartbeat=sa.func.now() - 2 * LEASE))
    assert quick.jobs.expire() == 1
    theirs = quick.jobs.claim()
    assert theirs is not None and theirs.id == mine.id
    assert slow.jobs.beat([mine.id]) == [mine.id]
    slow.jobs.settle(mine, JobState.FAILED, {"files": []})
    assert quick.jobs.all()[0].state is JobState.RUNNING
    assert slow.jobs.give_back() == 0, "what is another's at work is not queued again"
    quick.jobs.settle(theirs, JobState.DONE, {"files": []})
    assert slow.jobs.all()[0].state is JobState.DONE


def test_a_process_that_starts_leaves_the_jobs_and_staged_bytes_of_the_others(tmp_path: Path, url: str) -> None:
    with opened(tmp_path / "library", database=url) as one:
        queued(one, 2)
        mine = one.jobs.claim()
        assert mine is not None
        with opened(tmp_path / "library", database=url):
            assert one.jobs.beat([mine.id]) == []
            assert one.jobs.content(mine).content == raw(0).content


def test_what_another_process_cancelled_is_told_with_the_next_sign_of_life(pair: tuple[Library, Library]) -> None:
    queued(pair[0], 1)
    mine = pair[0].jobs.claim()
    assert mine is not None
    pair[1].jobs.cancel("b1")
    assert pair[0].jobs.beat([mine.id]) == [mine.id]


# --- the server


def test_a_connection_that_breaks_in_a_transaction_changes_nothing(
    postgres: DatabaseServer, pair: tuple[Library, Library], url: str
) -> None:
    database = pair[0].jobs._database
    with pytest.raises(ConfigError, match="目录数据库"), database.write() as connection:
        history.record(connection, "stored", "half-done", 10**9, 1)
        postgres.end_connections(url)
        history.record(connection, "stored", "half-done", 10**9, 1)
    made = fill(pair[0], 1)
    assert titles(pair[1]) == {made[0].title}


def test_a_server_that_restarts_is_found_again(postgres: DatabaseServer, pair: tuple[Library, Library]) -> None:
    one, other = pair
    made = fill(one, 2)
    queued(one, 1)
    assert one.jobs.claim() is not None
    postgres.restart()
    put(other, regulation(7))
    assert titles(one) == {*(each.title for each in made), regulation(7).title}
    assert one.jobs.count(JobState.RUNNING) == 1
    assert one.verify() == []


def test_an_answer_waits_for_a_server_that_is_away(postgres: DatabaseServer, pair: tuple[Library, Library]) -> None:
    refusal = Refusal(Reason.NO_EVIDENCE, "没有。")
    given = Answer(Query("问", Filters()), dt.date(2024, 1, 1), (), refusal, Confidence(0.1), "t1")
    postgres.server.stop()
    pair[0].answers.queue.put(PendingAnswer(given, {}))
    with pytest.raises(ConfigError, match="目录数据库"):
        pair[0].answers.flush()
    postgres.restart()
    pair[0].answers.flush()
    assert pair[1].answers.get("t1").trace_id == "t1"


def test_an_empty_database_beside_held_files_is_no_new_library(
    tmp_path: Path, url: str, postgres: DatabaseServer
) -> None:
    with opened(tmp_path / "library", database=url) as library:
        fill(library, 1)
    with pytest.raises(ConfigError, match="是空的"):
        opened(tmp_path / "library", database=postgres.new_database())


def test_a_folder_of_another_library_is_refused(tmp_path: Path, url: str, postgres: DatabaseServer) -> None:
    opened(tmp_path / "library", database=url).close()
    with pytest.raises(ConfigError, match="不是同一个资料库"):
        opened(tmp_path / "library", database=postgres.new_database())


ADDRESSES = [
    ("no address", "nothing at all", "不是数据库地址"),
    ("another kind", "mysql://a@127.0.0.1/b", "不受支持"),
    ("no number of a port", "postgresql://a:geheim@127.0.0.1:port/b", "不是数据库地址"),
    ("a file", "sqlite:////tmp/geheim.sqlite", "不能是 SQLite 文件"),
    ("nobody there", "postgresql://a:geheim@127.0.0.1:9/b", "连接不上"),
]


@pytest.mark.parametrize(("remark", "address", "told"), ADDRESSES, ids=[a[0] for a in ADDRESSES])
def test_a_wrong_address_is_told_without_the_password(tmp_path: Path, remark: str, address: str, told: str) -> None:
    with pytest.raises(ConfigError, match=told) as refused:
        opened(tmp_path / "library", database=address)
    assert "geheim" not in str(refused.value)
    assert refused.value.http_status == (503 if told == "连接不上" else 500)  # who asks may ask again


ODD = ["有\0字符", "\0", "\uf8fe", "\uf8fe0", "\uf8fe\0\uf8fe\uf8fe0", "😀\n\r\t", ""]


@pytest.mark.parametrize("words", ODD)
def test_every_character_comes_back_as_it_went_in(pair: tuple[Library, Library], words: str) -> None:
    pair[0].searches.save("名", words, Filters())
    assert [search.question for search in pair[1].searches.all()] == [words]
