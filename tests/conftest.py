"""What all tests share: the folder of real texts, and a closed network."""

import contextlib
import gc
import importlib
import ipaddress
import os
import pickle
import shutil
import socket
import ssl
import tempfile
from collections.abc import Iterator
from pathlib import Path

import certifi
import hypothesis
import pytest
import sqlalchemy as sa
from filelock import FileLock
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks import eval_law, quality
from benchmarks.eval_law import Text
from benchmarks.law_tally import Figures
from nemo import rules as rule_data
from nemo import settings
from nemo.engine import Engine
from nemo.store.catalogue import database
from nemo.ui.shared import process
from tests import app_starter
from tests.browser import COMPILED_LATE, Server, chromium, visit
from tests.local_server import LocalServer, serving
from tests.page_library import copied
from tests.postgres_server import DatabaseServer
from tests.tiny_models import stand_in

hypothesis.settings.register_profile("nemo", deadline=None)  # a slow machine is no fault
hypothesis.settings.load_profile("nemo")

_CONNECT = socket.socket.connect
_CONNECT_EX = socket.socket.connect_ex


MEMORY, ROOM = Path("/dev/shm"), 4 << 30
"""A file system in memory, and how many free bytes it must have: libraries are forced to disk thousands of times, 17 ms each."""


class NetworkClosedError(RuntimeError):
    """A test tried to reach something outside this machine."""


IN_MEMORY = pytest.StashKey[str]()
"""The folder in memory that this run made."""


def _is_local(address: object) -> bool:
    """Tell whether a socket address stays on this machine (a path, localhost, 127.0.0.0/8, ::1)."""
    if not isinstance(address, tuple):
        return True
    host = str(address[0])
    if host in ("localhost", ""):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _guarded_connect(self: socket.socket, address: object) -> None:
    if not _is_local(address):
        raise NetworkClosedError(f"the network is closed in tests: {address!r}")
    _CONNECT(self, address)  # type: ignore[arg-type]


def _guarded_connect_ex(self: socket.socket, address: object) -> int:
    if not _is_local(address):
        raise NetworkClosedError(f"the network is closed in tests: {address!r}")
    return _CONNECT_EX(self, address)  # type: ignore[arg-type]


@pytest.fixture(autouse=True, scope="session")
def closed_network() -> Iterator[None]:
    """Let sockets connect to this machine only."""
    patch = pytest.MonkeyPatch()
    patch.setattr(socket.socket, "connect", _guarded_connect)
    patch.setattr(socket.socket, "connect_ex", _guarded_connect_ex)
    yield
    patch.undo()


@pytest.fixture(autouse=True, scope="session")
def new_libraries_are_quick() -> Iterator[None]:
    """Run the migrations of a new library once; every later one gets the tables that came of it, in its transaction."""
    patch, real = pytest.MonkeyPatch(), database.upgrade
    made: list[tuple[str, tuple[object, ...]]] = []

    def upgrade(connection: sa.Connection, migrations: object) -> None:
        new = connection.dialect.name == "sqlite" and not sa.inspect(connection).get_table_names()
        if not (new and made):
            real(connection, migrations)
            if new:
                made.extend(_statements(connection))
            return
        for statement, values in made:
            connection.exec_driver_sql(statement, values)

    patch.setattr(database, "upgrade", upgrade)
    yield
    patch.undo()


def _statements(connection: sa.Connection) -> Iterator[tuple[str, tuple[object, ...]]]:
    """Yield what makes the tables of a new database, with the few rows that migrations put into them."""
    tables = "SELECT sql, type, name FROM sqlite_master WHERE sql NOT NULL AND name NOT LIKE 'sqlite_%'"
    for sql, kind, name in connection.exec_driver_sql(tables).all():
        yield sql, ()
        for row in connection.exec_driver_sql(f'SELECT * FROM "{name}"').all() if kind == "table" else ():
            yield f'INSERT INTO "{name}" VALUES ({", ".join("?" * len(row))})', tuple(row)


@pytest.fixture(autouse=True, scope="session")
def statements_are_compiled_once() -> Iterator[None]:
    """Let every library of a process share what SQLAlchemy made of its statements; it would make it anew for each."""
    patch, real = pytest.MonkeyPatch(), sa.create_engine
    known: list[sa.Engine] = []

    def create_engine(url: sa.URL | str, **options: object) -> sa.Engine:
        engine = real(url, **options)
        if engine.dialect.name == "sqlite":
            known[:] = known or [engine]
            engine.dialect, engine._compiled_cache = known[0].dialect, known[0]._compiled_cache
        return engine

    patch.setattr(sa, "create_engine", create_engine)
    yield
    patch.undo()


@pytest.fixture(autouse=True, scope="session")
def no_authorities_of_the_world() -> Iterator[None]:
    """Load no list of the world's authorities: no test reaches who they vouch for, and each client would read it four times."""
    patch, real = pytest.MonkeyPatch(), ssl.SSLContext.load_verify_locations
    lists = {certifi.where(), os.environ.get("SSL_CERT_FILE"), ssl.get_default_verify_paths().cafile} - {None}

    def load(self: ssl.SSLContext, cafile: str | None = None, *given: object, **named: object) -> None:
        if cafile not in lists:
            real(self, cafile, *given, **named)  # type: ignore[arg-type]

    patch.setattr(ssl.SSLContext, "load_verify_locations", load)
    yield
    patch.undo()


@pytest.fixture(autouse=True, scope="session")
def no_component_packages() -> None:
    """Start pages as the served app does: Streamlit would look through all that is installed, three quarters of their time."""
    process.without_component_packages()


LONGEST = (
    "browser", "hostile", "browser_people", "jobs_crash", "browser_work", "cluster", "cli", "running_server", "training",
    "real_models", "browser_graph", "ui_pages", "store_crash", "train", "browser_forms", "raw_papers", "parse_scan", "same",
    "decisions", "papers_as_they_come", "store_shared", "kill_points", "readers", "workers", "package", "patterns",
    "text_metadata", "parse_hostile", "browser_intake", "store_truth", "browser_truth", "schema", "asked_of_papers",
    "browser_watch", "store_transfer", "store_vectors", "architecture", "attacks", "ui_process", "text_headings",
    "engine_shared", "editing", "audit", "guessing", "ingest_faults", "docs", "store_library", "text_structure",
    "store_served", "cli_owner", "foreign_page", "watch", "figures", "store_verify", "stopping", "jobs", "ownership",
)  # fmt: skip
"""Files that take longest, first: what is short fills the time that they leave, and no worker is left with one at the end."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest files first (``--dist loadfile`` gives files to workers in this order)."""
    order = {f"test_{name}.py": number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: order.get(item.path.name, len(order)))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Leave what was imported and collected out of every search for garbage; search seldom: files do at their end."""
    gc.freeze()
    gc.set_threshold(10_000, 20, 10)
    gc.enable()


@pytest.fixture(autouse=True, scope="module")
def memory_given_back() -> Iterator[None]:
    """Give back what a file's engines held: hundreds are opened and closed in one process.

    What is left then are modules, models and tables of rules, which stay: no later search for garbage goes through them.
    """
    yield
    gc.collect()
    gc.freeze()
    process.give_back_memory()


def pytest_configure(config: pytest.Config) -> None:
    """Let folders of tests lie in memory where there is room; ``--basetemp`` says otherwise.

    Nothing that is imported is garbage. Workers have one process in common that starts apps.
    """
    gc.disable()
    if config.option.basetemp is None and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM:
        config.stash[IN_MEMORY] = tempfile.mkdtemp(prefix="nemo-tests-", dir=MEMORY)
        config.option.basetemp = f"{config.stash[IN_MEMORY]}/run"
    if getattr(config.option, "numprocesses", None):
        os.environ[app_starter.ADDRESS] = app_starter.starter().hex()


def pytest_sessionstart(session: pytest.Session) -> None:
    """Let each worker begin with other files: all of them would compile every file, one as late as the other.

    What cannot be imported is named when it is collected.
    """
    if told := getattr(session.config, "workerinput", None):
        files = sorted(Path(__file__).parent.glob("test_*.py"))
        for file in files[int(told["workerid"].removeprefix("gw")) :: told["workercount"]]:
            with contextlib.suppress(Exception, pytest.skip.Exception):
                importlib.import_module(file.stem)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Delete what lies in memory."""
    if folder := session.config.stash.get(IN_MEMORY, None):
        shutil.rmtree(folder, ignore_errors=True)  # a process that is just ending may still write


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of real texts; skip without it, or fail when NEMO_REQUIRE_SHARED=1."""
    named = os.environ.get("NEMO_SHARED")
    folder = Path(named) if named else Path(__file__).resolve().parents[2] / "shared"
    if not (folder / "corpus" / "manifest.jsonl").is_file():
        reason = f"real texts are not at {folder}; set NEMO_SHARED to their folder"
        if os.environ.get("NEMO_REQUIRE_SHARED") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    return folder


@pytest.fixture(scope="session")
def demonstration(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a library of the demonstration texts that nobody has open, one a run; whoever works on it takes a copy."""
    folder = _of_the_run(tmp_path_factory) / "demonstration"
    with FileLock(f"{folder}.lock"):
        if not folder.exists():
            filled = tmp_path_factory.getbasetemp() / "filled"
            with Engine.open(settings.load(library=filled, workers=0)) as engine:
                engine.intake.load_samples()
            filled.rename(folder)
    return folder


def _of_the_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder that the workers of a run have in common."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session")
def read_statutes(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Figures, list[Text], float]:
    """Return every statute as it is read without a library, scored against the manifest; read once a run."""
    file = _of_the_run(tmp_path_factory) / "statutes.pickle"
    with FileLock(f"{file}.lock"):
        if not file.exists():
            file.write_bytes(pickle.dumps(eval_law.corpus(shared, rule_data.load(settings.load().rules))))
    found: tuple[Figures, list[Text], float] = pickle.loads(file.read_bytes())
    return found


@pytest.fixture(scope="session")
def postgres() -> Iterator[DatabaseServer]:
    """Return a PostgreSQL server with pgvector of this run's own."""
    server = DatabaseServer()
    yield server
    server.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Return Debian's Chromium, one for the tests of a file."""
    with sync_playwright() as playwright:
        started = chromium(playwright, COMPILED_LATE)
        yield started
        started.close()


@pytest.fixture(scope="module")
def browser_page(browser: Browser) -> Page:
    """Return a window in which the tests of a file print pages."""
    return browser.new_page()


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a model folder for the stand-in library, which every process that is started finds."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "library"))
    return stand_in(tmp_path)


@pytest.fixture
def server() -> Iterator[LocalServer]:
    """Return a server on this machine that answers as a test says; tests in a browser have the app in its place."""
    with serving() as local:
        yield local


@pytest.fixture
def page(server: Server, browser: Browser) -> Iterator[Page]:
    """Return a visitor's window at the server of the file, which fails when anything asks another machine."""
    with visit(browser) as opened:
        yield opened


@pytest.fixture
def statutes(shared: Path, tmp_path: Path) -> Path:
    """Return a library of every statute: a copy of the one that NEMO_STATUTES names (``.ci/run`` built it), else a new one."""
    library, built = tmp_path / "statutes", os.environ.get("NEMO_STATUTES")
    if built and Path(built).is_dir():
        return copied(Path(built), library)
    quality.library(library, shared, ["corpus"]).close()
    return library
