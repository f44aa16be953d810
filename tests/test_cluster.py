"""Ingesting on a Ray cluster gives what the processes of this machine give, also when one of its workers is killed."""

import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from test_workers import hanging, work

from nemo import settings
from nemo.engine import Engine
from nemo.errors import ConfigError, UnreadableDocumentError
from nemo.ingest import cluster
from nemo.ingest.workers import Hire, TaskOutcome, run
from nemo.types import RawDocument


@pytest.fixture(scope="module")
def hire() -> Iterator[Hire]:
    """A real cluster of this machine alone, whose processes find Nemo and these tests."""
    import ray  # the others need not load it while they collect

    here = Path(__file__).parent
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", f"{here.parent}{os.pathsep}{here}")
        yield cluster.connected(cluster.HERE)
    ray.shutdown()


def outcomes(hire: Hire, items: list[str], seconds: float = 300) -> list[TaskOutcome]:
    return list(run(work_or_wait, items, count=2, seconds=seconds, hire=hire))


def work_or_wait(item: str) -> str:
    """Do what the tasks of local workers do; ``first:FOLDER`` waits in its first worker until that is killed."""
    kind, _, folder = item.partition(":")
    if kind != "first":
        return work(item)
    try:
        (Path(folder) / "worker").touch(exist_ok=False)
    except FileExistsError:
        return "again"
    (Path(folder) / "pid").write_text(str(os.getpid()), "utf-8")
    time.sleep(600)
    return "never"


def kill_first(folder: Path) -> None:
    """Kill the worker that wrote where it is."""
    while not (folder / "pid").exists() or not (folder / "pid").read_text("utf-8"):
        time.sleep(0.05)
    os.kill(int((folder / "pid").read_text("utf-8")), signal.SIGKILL)


def test_a_fault_fails_its_file_only(hire: Hire) -> None:
    """Each kind of fault in one batch: workers are started once, which takes longer than all they do."""
    done = {d.index: d for d in outcomes(hire, ["a", "crash", "b", "unreadable", "c", "memory", "d"])}
    assert {i: d.value for i, d in done.items()} == {0: "A", 1: None, 2: "B", 3: None, 4: "C", 5: None, 6: "D"}
    assert all(isinstance(done[i].error, UnreadableDocumentError) for i in (1, 3, 5))


def test_a_task_past_its_limit_is_stopped(hire: Hire, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (late,) = outcomes(hire, [hanging(tmp_path, monkeypatch)], seconds=900)
    assert late.error is not None and "900 秒" in late.error.message


def test_a_killed_worker_loses_and_doubles_nothing(hire: Hire, tmp_path: Path) -> None:
    killer = threading.Thread(target=kill_first, args=(tmp_path,))
    killer.start()
    done = outcomes(hire, [f"first:{tmp_path}", "a", "b", "c"])
    killer.join()
    assert Counter(d.index for d in done) == {0: 1, 1: 1, 2: 1, 3: 1}
    assert {d.index: d.value for d in done} == {0: "again", 1: "A", 2: "B", 3: "C"}


def test_what_nobody_wants_any_more_is_dropped(hire: Hire) -> None:
    done = list(run(work_or_wait, ["hang"], count=1, seconds=300, hire=hire, unwanted=lambda _: True))
    assert [(d.value, d.dropped) for d in done] == [(None, True)]


def test_another_version_on_a_node_is_refused() -> None:
    actor = cluster._Actor("0.0.0", work, None)
    value, error = actor.do("a")
    assert value is None and isinstance(error, ConfigError) and "同一版本" in error.message


def test_a_library_ingested_on_the_cluster_is_the_same(hire: Hire, tmp_path: Path) -> None:
    """Vectors, notes and edges too; secrets stay with the owner."""
    raws = [
        RawDocument.of(f"演示{n}号管理办法（演示文本）\n第一条 设备每{n + 2}年检修一次。\n".encode(), f"{n}.txt")
        for n in range(5)
    ]
    told = []
    for name, address in (("cluster", cluster.HERE), ("here", "")):
        chosen = settings.load(library=tmp_path / name, ray=address, workers=2, gemini_api_key="not-for-nodes")
        assert chosen.without_secrets().gemini_api_key is None
        with Engine.open(chosen) as engine:
            report = engine.intake.ingest_raw(raws)
            assert len(report.of("stored")) == 5 and engine.library.verify() == []
            rows = engine.regulations()
            ids = [i for row in rows for i in engine.library.chunk_ids(row.id)]
            vector = engine.embedder.embed(["检修"])[0]
            known, cosines = engine.library.cosines(vector, np.array([engine.library.view.number(i) for i in ids]))
            assert known.all()
            told.append((sorted(row.id for row in rows), dict(zip(ids, cosines.tolist(), strict=True))))
    assert told[0] == told[1]


def test_no_such_cluster_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    import ray

    monkeypatch.setattr(ray, "is_initialized", lambda: False)

    def refuses(**_: object) -> None:
        raise ConnectionError("nobody there")

    monkeypatch.setattr(ray, "init", refuses)
    with pytest.raises(ConfigError, match=r"NEMO_RAY=10\.9\.9\.9:6379"):
        cluster.connected("10.9.9.9:6379")
