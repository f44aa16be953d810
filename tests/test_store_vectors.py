"""One contract for every vector store; brute force written out here is what `exact` itself must equal.

An approximate store may miss a few, and under a filter find fewer than it was asked for; what it finds must be right.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from milvus_lite.server_manager import server_manager_instance
from store_samples import numbers_of

from nemo.store.catalogue.database import Database
from nemo.store.search import exact, inverted
from nemo.store.search.approximate import pgvector
from nemo.store.search.approximate.chroma import ChromaIndex
from nemo.store.search.approximate.members import Members
from nemo.store.search.approximate.milvus import MilvusIndex
from nemo.store.search.approximate.pgvector import PgvectorIndex
from nemo.store.search.exact import UNIT, ExactIndex
from nemo.store.search.number_sets import ChunkNumbers
from nemo.store.search.vectors import ScoredChunks, VectorStore
from tests.postgres_server import DatabaseServer
from tests.store_samples import unit_rows

DIM = 24
ROWS = unit_rows(400, DIM)
QUESTIONS = unit_rows(5, DIM, seed=1)
FIRST = 101
"""Numbers of a library that lost its first hundred."""


@contextmanager
def opened_store(kind: str, dim: int, folder: Path, request: pytest.FixtureRequest) -> Iterator[VectorStore]:
    """Open an empty store: PostgreSQL is a real server, Milvus its own embedded edition."""
    if kind == "exact":
        yield ExactIndex(dim)
    elif kind == "pgvector":
        server: DatabaseServer = request.getfixturevalue("postgres")
        database = Database(folder, server.new_database())
        yield PgvectorIndex(database, "vectors_test", dim)
        database.close()
    else:
        made = ChromaIndex(folder / "chroma", dim) if kind == "chroma" else milvus(folder, dim)
        yield made
        made.close()


def milvus(folder: Path, dim: int) -> MilvusIndex:
    """By an address as in production: the embedded edition speaks the server's protocol on a port of its own."""
    address = server_manager_instance.start_and_get_uri(str(folder / "milvus.db"))
    assert address is not None and address.startswith("http://127.0.0.1:")
    return MilvusIndex(address, "vectors_test", dim)


STORES = ["exact", "chroma", "pgvector", "milvus"]


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[VectorStore]:
    with opened_store(request.param, DIM, tmp_path, request) as made:
        yield made


def filled(store: VectorStore) -> VectorStore:
    """Three additions, as three commits would make them."""
    for start, end in ((0, 150), (150, 151), (151, 400)):
        store.add(np.arange(FIRST + start, FIRST + end), ROWS[start:end])
    return store


def cosine(store: VectorStore, row: np.ndarray, question: np.ndarray) -> float:
    """As the store means it: the exact one multiplies whole numbers of steps."""
    if not isinstance(store, ExactIndex):
        return float(row @ question)
    steps = [[round(float(x)) for x in vector * np.float32(UNIT)] for vector in (row, question)]
    return sum(a * b for a, b in zip(*steps, strict=True)) / UNIT**2


def brute(store: VectorStore, question: np.ndarray, k: int, rows: dict[int, np.ndarray]) -> ScoredChunks:
    scored = sorted(
        ((number, cosine(store, row, question)) for number, row in rows.items()), key=lambda pair: (-pair[1], pair[0])
    )
    return [pair for pair in scored if pair[1] >= scored[min(k, len(scored)) - 1][1]]


MISSED_SHARE = 0.03
"""Of what brute force finds, an approximate store may miss this share."""


def same(
    store: VectorStore, found: ScoredChunks, wanted: ScoredChunks, rows: dict[int, np.ndarray], question: np.ndarray
) -> None:
    """What is found is right and in order; the exact store finds all of it, an approximate one nearly all."""
    numbers = [number for number, _ in found]
    assert len(set(numbers)) == len(numbers) <= len(wanted)
    if isinstance(store, ExactIndex):
        assert found == wanted
        np.testing.assert_allclose([score for _, score in found], [rows[n] @ question for n in numbers], atol=5e-4)
    else:
        np.testing.assert_allclose([score for _, score in found], [rows[n] @ question for n in numbers], atol=1e-5)
        assert found == sorted(found, key=lambda pair: (-pair[1], pair[0]))
        assert len({n for n, _ in wanted} - set(numbers)) <= len(wanted) * MISSED_SHARE


def agree(store: VectorStore, k: int, rows: dict[int, np.ndarray], allowed: ChunkNumbers | None = None) -> None:
    for question in QUESTIONS:
        same(store, store.search(question, k, allowed), brute(store, question, k, rows), rows, question)


EVERYTHING = {FIRST + i: row for i, row in enumerate(ROWS)}

FILTERS: list[tuple[str, list[tuple[int, int]]]] = [
    ("one chunk", [(FIRST, 1)]),
    ("a few texts", [(FIRST + 3, 10), (FIRST + 100, 5), (FIRST + 399, 1)]),
    ("neighbouring texts", [(FIRST + 10, 10), (FIRST + 20, 10), (FIRST + 30, 10)]),
    ("most", [(FIRST, 350), (FIRST + 360, 40)]),
    ("also texts without vectors", [(1, 50), (FIRST + 5, 5), (9000, 3)]),
    ("only texts without vectors", [(1, 50)]),
    ("nothing", []),
]


@pytest.mark.parametrize("k", [1, 10, 1000])
def test_search_equals_brute_force(store: VectorStore, k: int) -> None:
    agree(filled(store), k, EVERYTHING)


@pytest.mark.parametrize(("remark", "ranges"), FILTERS, ids=[f[0] for f in FILTERS])
def test_only_allowed_numbers_come(store: VectorStore, remark: str, ranges: list[tuple[int, int]]) -> None:
    filled(store)
    rows = {n: EVERYTHING[n] for first, count in ranges for n in range(first, first + count) if n in EVERYTHING}
    for question in QUESTIONS:
        found, wanted = store.search(question, 7, numbers_of(ranges)), brute(store, question, 7, rows)
        if not isinstance(store, ExactIndex):
            wanted = wanted[: len(found)]
        same(store, found, wanted, rows, question)


def test_deleted_numbers_never_come(store: VectorStore) -> None:
    filled(store).delete(numbers_of([(FIRST, 200), (FIRST + 399, 1), (5000, 2)]))
    rows = {n: row for n, row in EVERYTHING.items() if FIRST + 200 <= n < FIRST + 399}
    agree(store, 20, rows)
    agree(store, 20, rows, numbers_of([(FIRST, 400)]))


def test_everything_can_be_deleted_and_put_in_again(store: VectorStore) -> None:
    filled(store).delete(numbers_of([(FIRST, 400)]))
    assert store.search(QUESTIONS[0], 5) == []
    store.add(np.arange(9000, 9010), ROWS[:10])
    agree(store, 3, {9000 + i: ROWS[i] for i in range(10)})


def test_adding_again_replaces(store: VectorStore) -> None:
    filled(store).add(np.array([FIRST + 7, FIRST + 8]), ROWS[[300, 301]])
    rows = {**EVERYTHING, FIRST + 7: ROWS[300], FIRST + 8: ROWS[301]}
    agree(store, 50, rows)


def test_late_vectors_find_their_place(store: VectorStore) -> None:
    filled(store).add(np.array([3, 4]), ROWS[:2] * -1)
    rows = {**EVERYTHING, 3: -ROWS[0], 4: -ROWS[1]}
    agree(store, 50, rows)


def test_equal_vectors_come_in_order_of_number(store: VectorStore) -> None:
    store.add(np.arange(10, 30), np.repeat(ROWS[:1], 20, axis=0))
    found = store.search(ROWS[0], 20)
    assert [number for number, _ in found] == list(range(10, 30))


def test_a_crowd_of_equal_vectors_hides_no_other(store: VectorStore) -> None:
    """Five hundred notices of one form: whoever comes near them still finds the texts beside them."""
    crowd = np.arange(1000, 1600)
    store.add(crowd, np.repeat(ROWS[:1], len(crowd), axis=0))
    filled(store)
    found = [[number for number, _ in store.search(row, 1)] for row in ROWS[1::4]]
    assert found == [[FIRST + i] for i in range(1, len(ROWS), 4)]
    assert {n for n, _ in store.search(ROWS[0], 5)} == {*crowd.tolist(), FIRST}
    store.delete(numbers_of([(1000, 599)]))
    assert {n for n, _ in store.search(ROWS[0], 2)} == {1599, FIRST}
    store.delete(numbers_of([(FIRST, 1), (1599, 1)]))
    assert not {1599, FIRST} & {n for n, _ in store.search(ROWS[0], 2)}


def test_equals_of_the_last_come_too() -> None:
    """The library cuts them by id: the order of storing decides nothing."""
    index = ExactIndex(DIM)
    index.add(np.arange(10, 30), np.repeat(ROWS[:1], 20, axis=0))
    assert len(index.search(ROWS[0], 3)) == 20


def test_an_empty_store_answers(store: VectorStore) -> None:
    assert store.search(QUESTIONS[0], 5) == []
    assert store.search(QUESTIONS[0], 5, numbers_of([(1, 5)])) == []
    store.delete(numbers_of([(1, 5)]))


def test_nothing_is_asked_for(store: VectorStore) -> None:
    assert filled(store).search(QUESTIONS[0], 0) == []


def test_a_wrong_shape_is_refused(store: VectorStore) -> None:
    with pytest.raises(ValueError, match="expected"):
        store.add(np.arange(2), np.ones((2, DIM + 1), np.float32))
    with pytest.raises(ValueError, match="expected"):
        store.add(np.arange(3), ROWS[:2])


def test_exact_keeps_an_older_state_for_its_readers() -> None:
    """A search that began before a write sees the state before it, whole."""
    index = ExactIndex(DIM)
    index.add(np.arange(1, 101), ROWS[:100])
    before = index._state
    index.add(np.arange(101, 201), ROWS[100:200])
    index.delete(numbers_of([(1, 100)]))
    assert before.alive.all()
    np.testing.assert_array_equal(before.matrix[:100], np.rint(ROWS[:100] * np.float32(UNIT)))


def test_exact_gives_cosines_by_number() -> None:
    index = ExactIndex(DIM)
    index.add(np.arange(10, 20), ROWS[:10])
    index.delete(numbers_of([(12, 1)]))
    found, cosines = index.cosines(QUESTIONS[0], np.array([12, 19, 10, 5, 99]))
    assert found.tolist() == [False, True, True, False, False]
    assert cosines.tolist() == [cosine(index, ROWS[i], QUESTIONS[0]) for i in (9, 0)]


def test_exact_gives_one_question_under_several_filters_what_each_finds_alone() -> None:
    """Cosines of the last question are kept; rows that come or go in between make them void."""

    def made() -> ExactIndex:
        index = ExactIndex(DIM)
        index.add(np.arange(1, 101), ROWS[:100])
        return index

    index, filters = made(), [None, numbers_of([(5, 60)]), numbers_of([(1, 3), (90, 11)]), numbers_of([(40, 2)])]
    for question in (*QUESTIONS, QUESTIONS[0]):
        assert [index.search(question, 7, f) for f in filters] == [made().search(question, 7, f) for f in filters]
    gone, other = numbers_of([(40, 2)]), made()
    for each in (index, other):
        each.delete(gone)
        each.add(np.arange(101, 141), ROWS[100:140])
    assert index.search(QUESTIONS[0], 200) == other.search(QUESTIONS[0], 200)
    assert {n for n, _ in index.search(QUESTIONS[0], 200)} == set(range(1, 141)) - {40, 41}


@pytest.mark.parametrize("k", [1, 7, 300, 1999])
@pytest.mark.parametrize(
    "products",
    [
        np.arange(2000.0), -np.arange(2000.0), np.zeros(2000),
        np.where(np.arange(2000) % exact.SAMPLED, 1.0, 2.0),
        np.where(np.arange(2000) % exact.SAMPLED, np.arange(2000), -1.0),
    ],
    ids=["rising", "falling", "equal", "the sample is the best", "the sample is the worst"],
)  # fmt: skip
def test_the_kth_product_is_that_of_all_whatever_the_sample_tells(products: np.ndarray, k: int) -> None:
    assert exact._kth(products, k) == np.sort(products)[-k]


def test_exact_is_empty_for_unknown_numbers() -> None:
    found, cosines = ExactIndex(DIM).cosines(QUESTIONS[0], np.array([1, 2]))
    assert not found.any()
    assert cosines.shape == (0,)


def test_numbers_are_sets_of_ranges() -> None:
    numbers = numbers_of([(5, 3), (10, 1)])
    assert numbers.total == 4
    assert numbers.each().tolist() == [5, 6, 7, 10]
    assert numbers.contains(np.array([4, 5, 7, 8, 10, 11])).tolist() == [False, True, True, False, True, False]
    assert not ChunkNumbers(np.empty(0, np.int64), np.empty(0, np.int64)).contains(np.array([1])).any()


@pytest.mark.parametrize("size", [0, 3, 5, 9], ids=["none", "too few", "right", "too many"])
def test_blocks_are_laid_end_to_end_whatever_was_announced(size: int) -> None:
    rows = np.eye(5, DIM, dtype=np.float32)
    index = ExactIndex.of(DIM, size, iter([(10, rows[:2]), (20, rows[2:3]), (30, rows[3:])]))
    for at, number in enumerate([10, 11, 20, 30, 31]):
        found, cosines = index.cosines(rows[at], np.array([number, 12]))
        assert (found.tolist(), cosines.tolist()) == ([True, False], [1.0])
    assert [number for number, _ in index.search(rows[3], 1)] == [30]
    index.add(np.array([40]), rows[:1])
    assert len(index) == 6


# --- filters that let few through

MANY, LONG, TEXT = 4000, 32, 20
"""Rows, their length, and how many rows a text has."""

SHARES = [0.01, 0.05]


def clustered() -> np.ndarray:
    """Rows as texts give them: those of one text lie near each other."""
    chance = np.random.default_rng(3)
    rows = np.repeat(chance.normal(size=(MANY // TEXT, LONG)), TEXT, axis=0) + chance.normal(size=(MANY, LONG)) * 0.7
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


CLUSTERED = clustered()


def some_texts(share: float) -> ChunkNumbers:
    texts = np.sort(np.random.default_rng(4).choice(MANY // TEXT, int(MANY / TEXT * share), replace=False))
    return ChunkNumbers(1 + texts * TEXT, np.full(len(texts), TEXT))


def recall(store: VectorStore, allowed: ChunkNumbers, k: int = 10) -> float:
    """Share of what the exact product finds that the store finds, over questions near some row."""
    exact = ExactIndex(LONG)
    exact.add(np.arange(1, MANY + 1), CLUSTERED)
    questions = CLUSTERED[::80] + unit_rows(MANY // 80, LONG, seed=9) * 0.5
    found = wanted = 0
    for question in questions / np.linalg.norm(questions, axis=1, keepdims=True):
        best = {number for number, _ in exact.search(question, k, allowed)[:k]}
        wanted += len(best)
        told = store.search(question.astype(np.float32), k, allowed)
        if isinstance(store, ChromaIndex) and len(told) < min(k, allowed.total):
            told = exact.search(question, k, allowed)  # it says that it has too few, and the plan goes on exactly
        found += len(best & {number for number, _ in told[:k]})
    return found / wanted


@pytest.mark.parametrize("kind", STORES)
def test_a_filter_that_lets_few_through_loses_nothing(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    with opened_store(kind, LONG, tmp_path, request) as made:
        made.add(np.arange(1, MANY + 1), CLUSTERED)
        assert min(recall(made, some_texts(share)) for share in SHARES) >= 0.99


def test_an_inverted_file_finds_what_the_exact_product_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of readers of a large library: exact cosines, nothing that was deleted, everything that came later."""
    monkeypatch.setattr(inverted, "KEPT", 400)
    monkeypatch.setattr(inverted, "NEAR", 0.6)  # a few thousand rows lie in few cells
    monkeypatch.setattr(inverted, "SKETCH", 24)
    index = ExactIndex(LONG)
    index.add(np.arange(1, MANY + 1), CLUSTERED)
    assert index.near(CLUSTERED[0], 10, some_texts(1.0)) is None, "nobody divided it yet"
    index.divide()
    found = wanted = 0
    for share in (1.0, 0.5, 0.05):
        for question in CLUSTERED[::80]:
            exact = index.search(question, 10, some_texts(share))[:10]
            near = dict(index.near(question, 10, some_texts(share)) or ())
            assert all(near[number] == score for number, score in exact if number in near)
            found, wanted = found + sum(number in near for number, _ in exact), wanted + len(exact)
    assert found / wanted >= 0.9
    everything = ChunkNumbers(np.array([1]), np.array([MANY + 1]))
    index.add(np.array([MANY + 1]), CLUSTERED[:1])
    assert {1, MANY + 1} <= set(dict(index.near(CLUSTERED[0], 10, everything) or ()))
    index.delete(numbers_of([(1, 1)]))
    assert 1 not in dict(index.near(CLUSTERED[0], 10, everything) or ())


def test_the_index_of_pgvector_goes_on_until_there_are_enough(
    tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the exact way, and then without the iterative scan: why both are there."""
    with opened_store("pgvector", LONG, tmp_path, request) as made:
        made.add(np.arange(1, MANY + 1), CLUSTERED)
        monkeypatch.setattr(pgvector, "EXACT_ROWS", 0)
        narrow = some_texts(0.05)
        assert recall(made, narrow) >= 0.9
        few = {**pgvector.SETTINGS, "hnsw.iterative_scan": "off", "hnsw.ef_search": "40", "enable_seqscan": "off"}
        monkeypatch.setattr(pgvector, "SETTINGS", few)
        assert recall(made, narrow) < 0.7


def test_what_a_store_was_given_another_process_finds(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Of the servers: two clients, one table."""
    server: DatabaseServer = request.getfixturevalue("postgres")
    url = server.new_database()
    one, other = (Database(tmp_path, url) for _ in range(2))
    filled(PgvectorIndex(one, "vectors_test", DIM))
    seen = PgvectorIndex(other, "vectors_test", DIM)
    agree(seen, 10, EVERYTHING)
    assert seen.numbers().tolist() == sorted(EVERYTHING)
    for database in (one, other):
        database.close()


def test_who_looks_up_members_sees_one_state_though_others_delete_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    held, digest, look = Members(), np.arange(1, 8, dtype=np.uint64), np.searchsorted
    held.add(digest, np.arange(7))

    def and_then_deleted(*given: Any, **named: Any) -> Any:
        found = look(*given, **named)
        held._rows = held._rows[:1]
        return found

    monkeypatch.setattr(np, "searchsorted", and_then_deleted)
    numbers, _ = held.behind(digest[3:], np.ones(4))
    assert numbers.tolist() == [3, 4, 5, 6]
