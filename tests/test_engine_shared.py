"""Two engines on one library: what one does the other answers from, at once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from nemo import settings
from nemo.accounts import Role, User
from nemo.corpora import CorpusOptions
from nemo.engine import Engine
from nemo.errors import NotFoundError
from nemo.types import Filters, RawDocument
from nemo.web import readers
from tests.postgres_server import DatabaseServer
from tests.security.served import QUESTION, TEXT


@pytest.fixture
def pair(tmp_path: Path, postgres: DatabaseServer) -> Iterator[tuple[Engine, Engine]]:
    given = settings.load(library=tmp_path / "library", database=postgres.new_database(), workers=0, readers=1)
    (tmp_path / "办法.md").write_text(TEXT, "utf-8")
    with Engine.open(given) as one, Engine.open(given) as other:
        yield one, other


def test_what_one_takes_in_the_other_answers_with_its_next_question(
    tmp_path: Path, pair: tuple[Engine, Engine]
) -> None:
    one, other = pair
    assert other.ask(QUESTION).refusal is not None
    one.ingest([tmp_path / "办法.md"])
    answers = [engine.ask(QUESTION) for engine in pair]
    assert [answer.refusal for answer in answers] == [None, None]
    assert answers[0].quotes == answers[1].quotes
    other.intake.remove(other.regulations()[0].id)
    assert one.ask(QUESTION).refusal is not None
    assert one.seen_by(None).ask(QUESTION).refusal is not None


def test_a_queued_file_is_taken_by_whoever_stays(tmp_path: Path, pair: tuple[Engine, Engine]) -> None:
    one, other = pair
    other.resume()
    raw = RawDocument.of(TEXT.encode(), "办法.md")
    one.library.jobs.add("b1", "批次", [(raw, {})])
    other.library._keep_up(1)
    assert other.intake.jobs.wait(60)
    assert one.ask(QUESTION).refusal is None


def test_readers_of_one_process_follow_what_another_did(tmp_path: Path, pair: tuple[Engine, Engine]) -> None:
    one, other = pair
    readers.beside(one)
    pool = one.elsewhere
    assert isinstance(pool, readers.ReaderPool)
    assert pool._starting is not None
    pool._starting.join()
    assert pool.alive == 1
    other.ingest([tmp_path / "办法.md"])
    assert one.ask(QUESTION).refusal is None
    other.intake.remove(other.regulations()[0].id)
    assert one.ask(QUESTION).refusal is not None
    assert pool.alive == 1 and pool.deaths == 0


def test_a_private_text_stays_private_in_every_process(pair: tuple[Engine, Engine]) -> None:
    """Confined, shared, taken back and released by one process; seen at once, or no more, through the other and its readers."""
    one, other = pair
    owner, mate, stranger = User("王敏", Role.ANALYST), User("韩梅", Role.ANALYST), User("李雷", Role.REVIEWER)
    readers.beside(other)
    assert other.elsewhere is not None
    other.elsewhere._starting.join()  # type: ignore[attr-defined]
    one.corpora.create(CorpusOptions(name="内部", visibility="private"), owner)
    one.seen_by(owner).intake.ingest_raw(
        [RawDocument.of(TEXT.encode(), "办法.md")], facts={"corpora": ["内部"]}, user=owner
    )
    given = one.seen_by(owner).ask(QUESTION)
    one.library.answers.flush()

    def seen() -> list[bool]:
        told = []
        for person in (owner, mate, stranger):
            engine = other.seen_by(person)
            answer = engine.ask(QUESTION)
            assert bool(engine.regulations()) is (answer.refusal is None) is bool(engine.search(QUESTION, Filters()))
            told.append(answer.refusal is None)
        return told

    assert seen() == [True, False, False]
    with pytest.raises(NotFoundError):
        other.seen_by(stranger).library.answers.get(given.trace_id)
    assert other.seen_by(owner).library.answers.get(given.trace_id).quotes == given.quotes
    steps = [
        (CorpusOptions(visibility="team", people=("韩梅",)), [True, True, False]),
        (CorpusOptions(visibility="private"), [True, False, False]),
    ]
    for options, expected in steps:
        one.corpora.change("内部", options, owner)
        assert seen() == expected
    one.corpora.release(one.seen_by(owner).regulations()[0].id, owner)
    assert seen() == [True, True, True]


def test_an_answer_of_one_is_opened_by_the_other(tmp_path: Path, pair: tuple[Engine, Engine]) -> None:
    one, other = pair
    one.ingest([tmp_path / "办法.md"])
    given = one.ask(QUESTION)
    one.library.answers.flush()
    assert other.library.answers.get(given.trace_id).quotes == given.quotes
