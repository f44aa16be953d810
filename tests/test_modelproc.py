"""The model process: how it starts, fails, comes back and stays out of the way; with a stand-in for the library."""

import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from nemo.errors import ConfigError, MissingDependencyError, ServiceError
from nemo.services.model_process import ModelJob, ModelProcess

PATIENT = 120
"""Seconds for what takes none: a busy machine starts no process at once."""


def job(model: Path, task: str = "embed") -> ModelJob:
    return ModelJob(task, str(model), "NEMO_TRANSFORMER_MODEL", "NEMO_MODEL_SECONDS")


@pytest.fixture
def process(model: Path) -> Iterator[ModelProcess]:
    started = ModelProcess(job(model), start_seconds=300)
    yield started
    started.close()


def test_numbers_come_back_in_the_order_of_the_inputs(process: ModelProcess) -> None:
    texts = ["甲" * n for n in range(1, 50)]
    rows = process.run(texts, PATIENT)
    assert rows.shape == (49, 3) and rows.dtype == np.float32
    assert rows[:, 0].tolist() == list(range(1, 50))
    assert process.ready.dim == 3 and len(process.ready.fingerprint) == 64


def test_words_printed_by_libraries_do_not_disturb_the_replies(process: ModelProcess) -> None:
    assert [process.run(["甲"], PATIENT).shape for _ in range(3)] == [(1, 3)] * 3


def test_a_crash_restarts_the_process_and_the_request_succeeds(process: ModelProcess) -> None:
    first = process._child.process.pid
    assert process.run(["崩溃一次"], PATIENT).shape == (1, 3)
    assert process._child.process.pid != first
    assert process.run(["甲"], PATIENT).shape == (1, 3)


def test_a_process_that_crashes_every_time_is_given_up(process: ModelProcess) -> None:
    with pytest.raises(ServiceError, match="连续退出") as caught:
        process.run(["总是崩溃"], PATIENT)
    assert "Killed" in caught.value.message and "137" in caught.value.message
    last = process._child
    with pytest.raises(ServiceError, match="已停用"):
        process.run(["甲"], PATIENT)
    assert process._child is last, "no further start"


def test_a_process_killed_while_idle_comes_back(process: ModelProcess) -> None:
    process._child.process.kill()
    process._child.process.wait()
    assert process.run(["甲"], PATIENT).shape == (1, 3)


def test_an_input_it_cannot_take_fails_alone(process: ModelProcess) -> None:
    pid = process._child.process.pid
    with pytest.raises(ServiceError, match="cannot read this"):
        process.run(["坏"], PATIENT)
    assert process.run(["甲"], PATIENT).shape == (1, 3)
    assert process._child.process.pid == pid


def test_the_child_gives_up_when_the_time_is_over(process: ModelProcess) -> None:
    with pytest.raises(ServiceError, match="NEMO_MODEL_SECONDS"):
        process.run(["慢"] * 40, 0.5)
    # What it still owed is thrown away, and the next answer is the answer to the next request.
    assert process.run(["甲甲"], PATIENT)[0, 0] == 2


def test_a_hanging_process_is_replaced(process: ModelProcess) -> None:
    pid = process._child.process.pid
    for _ in range(2):
        with pytest.raises(ServiceError, match="没有在"):
            process.run(["卡死"], 0.2)
    assert process.run(["甲"], PATIENT).shape == (1, 3)
    assert process._child.process.pid != pid


def test_threads_take_turns(process: ModelProcess) -> None:
    seen: dict[int, float] = {}

    def ask(n: int) -> None:
        seen[n] = float(process.run(["甲" * n], PATIENT)[0, 0])

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(1, 17)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == {n: float(n) for n in range(1, 17)}


def test_a_closed_process_is_gone_and_says_so(model: Path) -> None:
    process = ModelProcess(job(model), start_seconds=300)
    process.close()
    process.close()
    assert process._child.process.poll() is not None
    with pytest.raises(ServiceError, match="已关闭"):
        process.run(["甲"], PATIENT)


@pytest.mark.skipif(sys.platform == "win32", reason="niceness is a Unix notion")
def test_it_runs_at_low_priority_and_holds_no_key(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEMO_GEMINI_API_KEY", "sk-test-key")
    process = ModelProcess(job(model), start_seconds=300)
    pid = process._child.process.pid
    assert os.getpriority(os.PRIO_PROCESS, pid) >= min(os.getpriority(os.PRIO_PROCESS, 0) + 10, 19)
    if Path(f"/proc/{pid}/environ").exists():
        assert b"sk-test-key" not in Path(f"/proc/{pid}/environ").read_bytes()
    process.close()


@pytest.mark.parametrize(
    ("remark", "config", "task", "words"),
    [
        ("weights that do not fit", "BAD", "embed", "weights do not fit second line"),
        ("a death in native code", "DEAD", "embed", "no such instruction"),
        ("a classifier of several classes", "PAIR", "score", "一个得分"),
    ],
)
def test_a_model_that_cannot_be_loaded_names_itself_and_the_way_out(
    model: Path, remark: str, config: str, task: str, words: str
) -> None:
    (model / "config.json").write_text(config, encoding="utf-8")
    with pytest.raises(ConfigError, match=words) as caught:
        ModelProcess(job(model, task), start_seconds=300)
    assert str(model) in caught.value.message and "NEMO_TRANSFORMER_MODEL" in caught.value.message, remark


def test_a_folder_that_does_not_exist_is_named_before_anything_starts(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="文件夹不存在"):
        ModelProcess(job(tmp_path / "none"), start_seconds=300)


def test_a_model_that_takes_too_long_to_load_stops_the_start(model: Path) -> None:
    with pytest.raises(ConfigError, match="NEMO_MODEL_START_SECONDS"):
        ModelProcess(job(model), start_seconds=0.01)


def test_a_missing_package_is_named(model: Path, tmp_path: Path) -> None:
    (tmp_path / "library" / "sentence_transformers.py").write_text("import torch_that_is_not_there")
    with pytest.raises(MissingDependencyError, match="torch_that_is_not_there"):
        ModelProcess(job(model), start_seconds=300)


def test_a_model_exchanged_while_running_is_not_used_after_a_restart(model: Path, process: ModelProcess) -> None:
    (model / "config.json").write_text('{"other": 1}', encoding="utf-8")
    process._child.kill()
    with pytest.raises(ServiceError, match="被更换"):
        process.run(["甲"], PATIENT)
