"""Whatever ends the writer and whatever happens to the derived files: the library opens, complete and clean."""

import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from nemo.errors import ConfigError
from nemo.store.library import Library
from nemo.store.search.approximate.chroma import IndexCondition, condition
from nemo.text.words.tokenise import terms
from nemo.types import Filters
from tests.store_samples import fill, ids, opened, put, raw_of, regulation, vector_of

ROOT = Path(__file__).resolve().parent.parent
ANY = Filters()


def answering(library: Library) -> str:
    """Return the name of the store that answers a question."""
    library.by_meaning(vector_of("x"), 3, ANY)
    return library._indexes.dense.answered


ROUNDS = int(os.environ.get("NEMO_KILL_ROUNDS", "5"))


def sound(library: Library, count: int | None = None) -> None:
    """Everything that is held is found by its own vector and words, and the integrity check has nothing to say."""
    rows = library.rows()
    assert count is None or len(rows) == count
    for row in rows[:: max(1, len(rows) // 8)]:
        chunk = library.chunk(library.chunk_ids(row.id)[-1])
        assert chunk is not None
        assert ids(library.dense(vector_of(chunk.text), 1, ANY)) == [chunk.id]
        assert chunk.id in ids(library.lexical(terms(chunk.text), 200, ANY))
    assert library.verify() == []


# --- kill -9


def killed_writer(folder: Path, seed: int, seconds: float, exact_rows: int) -> list[str]:
    """Let a writer run and kill it; return what it said."""
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.store_writer", str(folder), str(seed), str(exact_rows)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    first = child.stdout.readline()
    assert first == "open\n"
    time.sleep(seconds)
    child.send_signal(signal.SIGKILL)
    said = child.stdout.read().split()
    assert child.wait() == -signal.SIGKILL
    return said


def test_kill_at_any_moment(tmp_path: Path) -> None:
    """The writer is killed again and again on one library; every other round with the approximate index."""
    chance = random.Random(7)
    held: set[str] = set()
    for seed in range(1, ROUNDS + 1):
        exact_rows = 0 if seed % 2 else 10**6
        said = killed_writer(tmp_path, seed, chance.uniform(0.05, 1.2), exact_rows)
        open_question = set()
        for word in said:
            sign, regulation_id = word[0], word[1:]
            if sign == "?":
                open_question = {regulation_id}
            elif sign == "+":
                held.add(regulation_id)
                open_question = set()
            else:
                held.discard(regulation_id)
                open_question = set()
        with opened(tmp_path, exact_rows=exact_rows) as library:
            library.flush()
            present = {row.id for row in library.rows()}
            assert held - present <= open_question
            assert present - held <= open_question
            sound(library)
            held = present


# --- half-done files


def test_pending_raw_files_are_settled(tmp_path: Path) -> None:
    with opened(tmp_path) as library:
        made = fill(library, 1)[0]
    pending = tmp_path / "raw" / "pending"
    home = tmp_path / "raw" / made.sha256[:2] / made.sha256
    home.rename(pending / made.sha256)  # killed between the row and the move home, or before a removal
    stranger = raw_of("never recorded", "x")
    (pending / stranger.sha256).write_bytes(stranger.content[:5])  # killed while the bytes were written
    with opened(tmp_path) as library:
        assert home.exists()
        assert list(pending.iterdir()) == []
        assert library.verify() == []


def test_indexes_that_are_behind_catch_up(tmp_path: Path) -> None:
    """Killed between the catalogue's commit and the indexes'."""
    with opened(tmp_path, exact_rows=0) as library:
        held = fill(library, 4)
    for name in ("lexical", "chroma"):
        shutil.copytree(tmp_path / name, tmp_path / f"{name}-old", copy_function=shutil.copy2)
    with opened(tmp_path, exact_rows=0) as library:
        library.remove(held[0].id)
        put(library, regulation(1, 6, edition=1))
        put(library, regulation(9))
        library.flush()
    for name in ("lexical", "chroma"):
        shutil.rmtree(tmp_path / name)
        (tmp_path / f"{name}-old").rename(tmp_path / name)
    with opened(tmp_path, exact_rows=0) as library:
        library.flush()
        assert library.events == ()
        sound(library, 4)
        assert answering(library) == "chroma"


def test_a_catalogue_from_a_backup_gets_new_indexes(tmp_path: Path) -> None:
    """The indexes are ahead of the restored catalogue, even at the same generation: they are built anew, visibly."""
    with opened(tmp_path, exact_rows=0) as library:
        fill(library, 3)
    shutil.copy2(tmp_path / "catalogue.sqlite", tmp_path / "backup")
    with opened(tmp_path, exact_rows=0) as library:
        put(library, regulation(20))
        library.flush()
    shutil.copy2(tmp_path / "backup", tmp_path / "catalogue.sqlite")
    with opened(tmp_path, exact_rows=0) as library:
        put(library, regulation(21))  # the same generation as before, another text
        library.flush()
        assert {event.code for event in library.events} == {"lexical_rebuilt", "vectors_rebuilt"}
        sound_but_for_orphans(library)


def sound_but_for_orphans(library: Library) -> None:
    """As ``sound``; the raw file of the text that only the lost catalogue knew is reported and kept."""
    assert {difference.place for difference in library.verify()} == {"raw"}
    for row in library.rows():
        chunk = library.chunk(library.chunk_ids(row.id)[0])
        assert chunk is not None
        assert ids(library.dense(vector_of(chunk.text), 1, ANY)) == [chunk.id]


# --- damage to the derived indexes


def segment(folder: Path) -> Path:
    return next(path for path in (folder / "chroma").iterdir() if path.is_dir())


def cut(name: str, keep: float) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        path = segment(folder) / name
        path.write_bytes(path.read_bytes()[: int(path.stat().st_size * keep)])

    return damage


def garble(name: str) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        path = folder / "chroma" / name if name.endswith("sqlite3") else segment(folder) / name
        content = bytearray(path.read_bytes())
        middle = len(content) // 2
        content[middle : middle + 65536] = random.Random(1).randbytes(len(content[middle : middle + 65536]))
        path.write_bytes(content)

    return damage


def missing(name: str) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        path = folder / "chroma" / name if name.endswith(("sqlite3", "json")) else segment(folder) / name
        path.unlink()

    return damage


def emptied(folder: Path) -> None:
    (folder / "chroma" / "chroma.sqlite3").write_bytes(b"")


def without_segment(folder: Path) -> None:
    shutil.rmtree(segment(folder))


DAMAGES: list[tuple[str, Callable[[Path], None]]] = [
    ("the segment's folder deleted", without_segment),
    ("the database missing", missing("chroma.sqlite3")),
    ("the database empty", emptied),
    ("the state missing", missing("state.json")),
    ("the vectors cut in half", cut("data_level0.bin", 0.5)),
    ("the links cut off", cut("link_lists.bin", 0.1)),
    ("the index's table cut", cut("index_metadata.pickle", 0.5)),
    ("the index's table missing", missing("index_metadata.pickle")),
    ("the vectors missing", missing("data_level0.bin")),
]

UNSEEN_SIZES: list[tuple[str, Callable[[Path], None]]] = [
    ("the vectors garbled", garble("data_level0.bin")),
    ("the header garbled", garble("header.bin")),
]


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library with an approximate index large enough to have files of its own, closed."""
    folder = tmp_path_factory.mktemp("large")
    with opened(folder, exact_rows=0) as library:
        fill(library, 40, articles=30)
    assert (segment(folder) / "data_level0.bin").stat().st_size > 10_000
    return folder


def copied(large: Path, folder: Path) -> Path:
    shutil.copytree(large, folder / "lib", copy_function=shutil.copy2)
    return folder / "lib"


@pytest.mark.parametrize(("remark", "damage"), DAMAGES, ids=[d[0] for d in DAMAGES])
def test_damage_to_the_approximate_index_is_seen_without_opening_it(
    large: Path, tmp_path: Path, remark: str, damage: Callable[[Path], None]
) -> None:
    folder = copied(large, tmp_path)
    assert condition(folder / "chroma")[0] is IndexCondition.UNCHANGED
    damage(folder)
    assert condition(folder / "chroma")[0] is IndexCondition.DAMAGED


@pytest.mark.parametrize(("remark", "damage"), UNSEEN_SIZES, ids=[d[0] for d in UNSEEN_SIZES])
def test_damage_that_keeps_the_size_is_probed_and_repaired(
    large: Path, tmp_path: Path, remark: str, damage: Callable[[Path], None]
) -> None:
    folder = copied(large, tmp_path)
    damage(folder)
    assert condition(folder / "chroma")[0] is IndexCondition.UNCERTAIN
    repaired(folder)


def test_a_deleted_segment_is_rebuilt_visibly(large: Path, tmp_path: Path) -> None:
    folder = copied(large, tmp_path)
    without_segment(folder)
    repaired(folder)


def test_an_index_of_an_earlier_version_is_built_anew_and_no_damage(large: Path, tmp_path: Path) -> None:
    folder = copied(large, tmp_path)
    (folder / "chroma" / "members.bin").unlink()
    state = json.loads((folder / "chroma" / "state.json").read_bytes())
    del state["files"]["members.bin"]
    (folder / "chroma" / "state.json").write_text(json.dumps(state))
    assert condition(folder / "chroma")[0] is IndexCondition.UNFINISHED
    with opened(folder, exact_rows=0) as library:
        library.flush()
        assert [event.code for event in library.events] == ["vectors_rebuilt"]
        sound(library, 40)


def being_written(folder: Path) -> None:
    """Say what the state says while an index is written."""
    state = json.loads((folder / "chroma" / "state.json").read_bytes())
    (folder / "chroma" / "state.json").write_text(json.dumps({**state, "writing": True}))


def test_a_kill_that_may_have_torn_vector_files_has_the_index_rebuilt(large: Path, tmp_path: Path) -> None:
    """A torn file may open and answer a probe, and end the process a write later: it is not even asked."""
    folder = copied(large, tmp_path)
    being_written(folder)
    path = segment(folder) / "data_level0.bin"
    os.utime(path, ns=(0, path.stat().st_mtime_ns + 1))
    assert condition(folder / "chroma")[0] is IndexCondition.DAMAGED
    repaired(folder)


def test_a_kill_outside_that_window_has_the_index_probed_and_kept(large: Path, tmp_path: Path) -> None:
    folder = copied(large, tmp_path)
    being_written(folder)
    assert condition(folder / "chroma")[0] is IndexCondition.UNCERTAIN
    with opened(folder, exact_rows=0) as library:
        library.flush()
        assert library.events == ()
        assert answering(library) == "chroma"


def repaired(folder: Path) -> None:
    """Questions are answered at once, and after the repair by the approximate index again."""
    with opened(folder, exact_rows=0) as library:
        assert answering(library) == "exact"
        library.flush()
        assert [event.code for event in library.events] == ["vectors_rebuilt"]
        assert answering(library) == "chroma"
        sound(library, 40)
    assert len(list(folder.glob("chroma.damaged-*"))) == 1
    assert condition(folder / "chroma")[0] is IndexCondition.UNCHANGED


def test_a_copied_library_is_probed_and_used(large: Path, tmp_path: Path) -> None:
    """Times differ after a restore from a backup, sizes do not: the index is asked, found sound, and kept."""
    shutil.copytree(large, tmp_path / "lib", copy_function=shutil.copyfile)
    with opened(tmp_path / "lib", exact_rows=0) as library:
        library.flush()
        assert library.events == ()
        assert answering(library) == "chroma"


def test_damage_to_the_lexical_index_is_repaired_at_opening(large: Path, tmp_path: Path) -> None:
    folder = copied(large, tmp_path)
    for path in (folder / "lexical").glob("*.term"):
        path.write_bytes(b"")
    with opened(folder) as library:
        assert [event.code for event in library.events] == ["lexical_rebuilt"]
        sound(library, 40)


def spoil_lexical(folder: Path, suffix: str) -> None:
    """Overwrite most of each file by noise; sizes stay."""
    for path in (folder / "lexical").glob(f"*{suffix}"):
        content = path.read_bytes()
        noise = random.Random(1).randbytes(len(content) * 8 // 10)
        path.write_bytes(noise + content[len(noise) :])


@pytest.mark.parametrize("suffix", [".idx", ".term", ".fast"])
def test_a_garbled_lexical_index_is_found_out_at_opening(large: Path, tmp_path: Path, suffix: str) -> None:
    folder = copied(large, tmp_path)
    spoil_lexical(folder, suffix)
    with opened(folder) as library:
        assert [event.code for event in library.events] == ["lexical_rebuilt"]
        sound(library, 40)


def test_an_unclean_end_has_the_lexical_index_looked_at_and_kept(large: Path, tmp_path: Path) -> None:
    folder = copied(large, tmp_path)
    (folder / "lexical.json").unlink()
    (folder / "owner.json").write_text("{}")
    with opened(folder) as library:
        assert [event.code for event in library.events] == ["unclean"]
        sound(library, 40)


def test_damage_met_while_searching_is_said_and_mended(large: Path, tmp_path: Path) -> None:
    """The files of an open index are changed by something else: a panic inside is an error with the way out."""
    folder = copied(large, tmp_path)
    with opened(folder) as library:
        index = library._indexes.lexical

        class Panicking:
            num_docs = 1

            def doc_freq(self, *_: object) -> int:
                return 1

            def search(self, *_: object, **__: object) -> None:
                raise type("PanicException", (BaseException,), {"__module__": "pyo3_runtime"})("out of bounds")

        index._searcher = Panicking()
        with pytest.raises(ConfigError, match="reindex"):
            library.lexical(["登记"], 3, ANY)
        library.flush()
        assert [event.code for event in library.events] == ["lexical_rebuilt"]
        sound(library, 40)


@pytest.mark.parametrize("name", ["lexical", "chroma"])
def test_a_deleted_index_comes_back(large: Path, tmp_path: Path, name: str) -> None:
    folder = copied(large, tmp_path)
    shutil.rmtree(folder / name)
    with opened(folder, exact_rows=0) as library:
        library.flush()
        sound(library, 40)


def test_everything_can_be_rebuilt_from_the_catalogue(large: Path, tmp_path: Path) -> None:
    folder = copied(large, tmp_path)
    seen: list[int] = []
    with opened(folder, exact_rows=0) as library:
        assert library.reindex(lambda step: seen.append(step.done)) == 40 * 30
        assert seen == list(range(1, 41))
        sound(library, 40)


# --- disks that refuse


def test_a_full_disk_changes_nothing_and_says_so(tmp_path: Path) -> None:
    """Files may not grow: the commit is refused with the way out, what was stored stays, and later all goes on."""
    with opened(tmp_path) as library:
        held = fill(library, 2)
        old = resource.getrlimit(resource.RLIMIT_FSIZE)
        ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, old[1]))
        try:
            with pytest.raises(ConfigError, match="腾出空间"):
                put(library, regulation(5, 200))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, old)
            signal.signal(signal.SIGXFSZ, ignored)
        assert {row.id for row in library.rows()} == {made.id for made in held}
        sound(library, 2)
        put(library, regulation(5, 200))
        library.flush()
        sound(library, 3)


@pytest.mark.skipif(os.name != "posix", reason="rights are another matter there")
def test_a_read_only_folder_is_named(tmp_path: Path) -> None:
    program = (
        "import os, sys; from pathlib import Path; from tests.store_samples import opened\n"
        "os.setuid(65534) if os.getuid() == 0 else None\n"
        "opened(Path(sys.argv[1]))"
    )
    folder = tmp_path / "lib"
    opened(folder).close()
    for path in [*folder.rglob("*"), folder]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    for parent in [*list(tmp_path.parents)[:2], tmp_path]:
        parent.chmod(0o755)
    child = subprocess.run(
        [sys.executable, "-c", program, str(folder)], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    folder.chmod(0o755)
    assert "DiskRefusalError" in child.stderr and str(folder) in child.stderr


def test_a_file_in_the_folder_s_place_is_named(tmp_path: Path) -> None:
    (tmp_path / "lib").write_text("x")
    with pytest.raises(ConfigError, match="lib"):
        opened(tmp_path / "lib")
