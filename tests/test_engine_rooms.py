"""The rooms of the engine are built once, when first asked for, and not for nothing."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from nemo import settings
from nemo.engine import Engine
from nemo.errors import ConfigError
from tests.jobs_samples import raw

ROOMS = ("intake", "answers", "evaluation", "training")


def opened(folder: Path) -> Engine:
    return Engine.open(settings.load(library=folder, workers=0))


def built(engine: Engine) -> set[str]:
    return set(engine._services)


@pytest.mark.parametrize("room", ROOMS)
def test_whoever_comes_first_all_get_the_same_room(tmp_path: Path, room: str) -> None:
    at_once = threading.Barrier(8)

    def enter(engine: Engine) -> int:
        at_once.wait(10)
        return id(getattr(engine, room))

    with opened(tmp_path) as engine, ThreadPoolExecutor(8) as people:
        assert len(set(people.map(enter, [engine] * 8))) == 1
        assert built(engine) == {room}


def test_nothing_is_built_for_a_question_or_an_empty_queue(tmp_path: Path) -> None:
    with opened(tmp_path) as engine:
        engine.resume()
        engine.ask("并网验收要提交哪些材料")
        assert built(engine) == set() and not engine.library.jobs.busy()


def test_what_was_left_in_the_queue_goes_on(tmp_path: Path) -> None:
    with opened(tmp_path) as engine:
        engine.library.jobs.add("0" * 16, "上次", [(raw(1), {})])
    with opened(tmp_path) as engine:
        assert engine.library.jobs.busy()
        engine.resume()
        assert engine.intake.jobs.wait(60) and not engine.library.jobs.busy()
        assert len(engine.regulations()) == 1


def test_a_library_given_back_takes_nothing_in(tmp_path: Path) -> None:
    engine = opened(tmp_path)
    engine.close()
    with pytest.raises(ConfigError, match="已关闭"):
        engine.intake.enqueue([raw(1)])
    engine.close()
