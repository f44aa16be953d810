"""Files made to hurt go through the running server with live workers: refused or stored whole, within limits, never silent.

All 99 are sent by ``python -m benchmarks.hostile``. CPU is not timed here: a busy machine would fail it.
"""

from collections.abc import Iterator

import pytest

from benchmarks import hostile
from benchmarks.hostile import Client, judge
from tests.browser import Server
from tests.hostile import FILES, SOME


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Client]]:
    with hostile.serving(tmp_path_factory.mktemp("hostile")) as found:
        yield found


def test_there_are_ninety_nine() -> None:
    assert len(FILES) == 99 and set(SOME) <= set(FILES) and len(SOME) == 12


@pytest.mark.parametrize("name", SOME)
def test_a_hostile_file(served: tuple[Server, Client], name: str) -> None:
    server, client = served
    one = judge(client, server.pid, name, FILES[name](), cpu=float("inf"))
    assert one.wrong == ()
