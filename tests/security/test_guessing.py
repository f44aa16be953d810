"""Passwords that are guessed, and tokens that are made and taken back."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from nemo import access, accounts, settings
from nemo.accounts import OPERATOR, Role, TokenBearer, User, brake, require, tokens
from nemo.accounts.brake import FREE_BY_ACCOUNT, FREE_BY_ADDRESS, LONGEST, LoginBrake
from nemo.engine import Engine
from nemo.errors import (
    BadRequestError,
    ConfigError,
    NotFoundError,
    NotPermittedError,
    NotSignedInError,
    TooManyTriesError,
)
from tests.browser import ROOT

PASSWORD = "correct horse"


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(autouse=True)
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accounts, "COST", 2**4)


@pytest.fixture
def engine(tmp_path: Path, clock: Clock) -> Iterator[Engine]:
    users = tmp_path / "users.toml"
    users.write_text(accounts.entry("王敏", Role.ANALYST, PASSWORD), "utf-8")
    with Engine.open(settings.load(library=tmp_path / "lib", workers=0, users_file=users)) as opened:
        opened.access._brake = LoginBrake(clock)
        yield opened


def guess(engine: Engine, name: str = "王敏", password: str = "wrong", address: str = "10.0.0.9") -> str:
    try:
        engine.access.sign_in(name, password, address)
    except TooManyTriesError:
        return "wait"
    except BadRequestError:
        return "wrong"
    return "in"


# --- passwords


def test_an_account_that_is_guessed_at_waits_longer_each_time(clock: Clock) -> None:
    held = LoginBrake(clock)
    waits = []
    for turn in range(FREE_BY_ACCOUNT + 12):
        held.attempt("王敏", f"10.0.0.{turn}")
        try:
            held.attempt("王敏", "10.1.0.1")
        except TooManyTriesError as error:
            waits.append(error.seconds)
            clock.now += error.seconds
    assert waits == sorted(waits) and waits[0] == 1 and waits[-1] == LONGEST


def test_while_one_waits_the_right_password_is_not_looked_at_and_then_it_is(engine: Engine, clock: Clock) -> None:
    assert [guess(engine) for _ in range(FREE_BY_ACCOUNT)] == ["wrong"] * FREE_BY_ACCOUNT
    assert guess(engine, password=PASSWORD) == "wait"
    clock.now += LONGEST
    assert guess(engine, password=PASSWORD) == "in"
    assert guess(engine) == "wrong", "a right password ends the count"


def test_one_name_from_many_addresses_is_one_account(engine: Engine) -> None:
    assert [guess(engine, address=f"10.0.{n}.1") for n in range(FREE_BY_ACCOUNT + 1)][-1] == "wait"


def test_many_names_from_one_address_are_one_address(engine: Engine) -> None:
    seen = [guess(engine, name=f"人{n}") for n in range(FREE_BY_ADDRESS + 1)]
    assert seen == ["wrong"] * FREE_BY_ADDRESS + ["wait"]
    assert guess(engine, password=PASSWORD, address="10.0.0.10") == "in", "others are not kept out"


@pytest.mark.parametrize("name", ["王敏 ", " 王敏", "WANG", "wang"])
def test_an_account_written_otherwise_is_the_same(clock: Clock, name: str) -> None:
    held = LoginBrake(clock)
    known = "王敏" if "王" in name else "Wang"
    for turn in range(FREE_BY_ACCOUNT):
        held.attempt(known, f"10.0.0.{turn}")
    with pytest.raises(TooManyTriesError):
        held.attempt(name, "10.0.1.1")


def test_guesses_at_once_do_not_slip_through_together(clock: Clock) -> None:
    held, passed = LoginBrake(clock), []

    def one(turn: int) -> None:
        try:
            held.attempt("王敏", f"10.0.0.{turn}")
        except TooManyTriesError:
            return
        passed.append(turn)

    threads = [threading.Thread(target=one, args=(turn,)) for turn in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(passed) == FREE_BY_ACCOUNT


def test_what_is_remembered_has_an_end(clock: Clock) -> None:
    held = LoginBrake(clock)
    for turn in range(brake.KEPT * 2):
        held.attempt(f"人{turn}", f"{turn}")
    assert len(held._tries) <= brake.KEPT


def test_refused_tries_are_in_the_audit_log_and_passwords_are_not(engine: Engine) -> None:
    guess(engine, password="hunter2hunter2")
    with pytest.raises(NotSignedInError):
        engine.access.bearer("nemo_hunter2hunter2", "10.0.0.9")
    entries = engine.library.audit_trail().entries
    assert [(e.action, e.subject) for e in entries] == [("token_refused", "API"), ("login_failed", "王敏")]
    assert all("10.0.0.9" in e.detail and "hunter2" not in e.detail for e in entries)


def test_an_unknown_name_and_a_wrong_password_say_the_same(engine: Engine) -> None:
    said = []
    for name in ("王敏", "陌生人"):
        with pytest.raises(BadRequestError) as told:
            engine.access.sign_in(name, "wrong", "10.0.0.9")
        said.append(told.value.message)
    assert said[0] == said[1]


# --- tokens


def test_a_token_is_kept_as_its_hash_alone(engine: Engine) -> None:
    token = engine.access.tokens.make("夜间入库", Role.ANALYST, OPERATOR)
    engine.library.answers.flush()
    kept = b"".join(f.read_bytes() for f in engine.settings.library.glob("catalogue.sqlite*"))
    assert token.encode() not in kept and tokens.digest(token).encode() in kept
    assert len(token) >= 43 and token.startswith(tokens.PREFIX)


def test_a_token_carries_its_role_and_no_more(engine: Engine) -> None:
    bearer = engine.access.bearer(engine.access.tokens.make("只读", Role.READER, OPERATOR), None)
    require(bearer, "ask", engine.users)
    for users in (engine.users, None):
        with pytest.raises(NotPermittedError):
            require(bearer, "remove", users)
    with pytest.raises(NotPermittedError):  # a person of this name is nobody
        require(User(bearer.name, Role.ADMIN), "ask", engine.users)


def test_only_an_administrator_makes_tokens(engine: Engine) -> None:
    for by in (None, User("王敏", Role.ADMIN), TokenBearer("令牌“x”", Role.REVIEWER)):
        with pytest.raises(NotPermittedError):
            engine.access.make_token("后门", Role.ADMIN, by)
        with pytest.raises(NotPermittedError):
            engine.access.revoke_token("1", by)
    assert engine.access.tokens.all() == []


@pytest.mark.parametrize("name", ["", " ", "x" * 81, "a\u202eb", "a\nb", "12"])
def test_a_name_that_misleads_is_no_name(engine: Engine, name: str) -> None:
    with pytest.raises(BadRequestError, match="令牌名称"):
        engine.access.tokens.make(name, Role.READER, OPERATOR)


def test_revoked_tokens_open_nothing_at_once_and_stay_in_the_list(engine: Engine) -> None:
    token = engine.access.tokens.make("夜间", Role.ADMIN, OPERATOR)
    assert engine.access.bearer(token, None).role is Role.ADMIN
    with pytest.raises(BadRequestError, match="已有"):
        engine.access.tokens.make("夜间", Role.READER, OPERATOR)
    engine.access.tokens.revoke("夜间", OPERATOR)
    with pytest.raises(NotSignedInError):
        engine.access.bearer(token, None)
    with pytest.raises(NotFoundError):
        engine.access.tokens.revoke("夜间", OPERATOR)
    engine.access.tokens.make("夜间", Role.READER, OPERATOR)  # the name is free again
    made = [(e.action, e.user) for e in engine.library.audit_trail().entries if e.action != "token_refused"]
    assert made == [("token_make", "命令行"), ("token_revoke", "命令行"), ("token_make", "命令行")]


def test_expired_tokens_open_nothing(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    import datetime as dt

    from nemo.store.records import tokens as kept

    token = engine.access.tokens.make("一天", Role.READER, OPERATOR, days=1)
    engine.access.bearer(token, None)
    later = dt.datetime.now(dt.UTC) + dt.timedelta(days=1, seconds=1)
    monkeypatch.setattr(kept, "now", lambda: later)
    with pytest.raises(NotSignedInError):
        engine.access.bearer(token, None)
    for days in (0, -1, 4000):
        with pytest.raises(BadRequestError, match="天数"):
            engine.access.tokens.make(f"坏{days}", Role.READER, OPERATOR, days=days)


def test_the_first_token_is_made_once_and_not_again_after_it_was_revoked(engine: Engine) -> None:
    keeper = engine.access.tokens
    first = keeper.first()
    assert first and keeper.first() == first and len(keeper.all()) == 1
    keeper.revoke(tokens.FIRST, OPERATOR)
    assert keeper.first() is None and len(keeper.all()) == 1


def test_a_crash_before_the_first_token_was_kept_leaves_none_that_opens(engine: Engine) -> None:
    file = engine.settings.library / access.FILE
    file.write_text("nemo_left_over\n", "utf-8")
    first = engine.access.tokens.first()
    assert first != "nemo_left_over" and file.read_text("utf-8").strip() == first
    with pytest.raises(NotSignedInError):
        engine.access.bearer("nemo_left_over", None)


def test_a_backup_carries_no_token_that_opens(engine: Engine, tmp_path: Path) -> None:
    import zipfile

    first = engine.access.tokens.first()
    made = engine.library.backup(tmp_path / "b.zip")
    with zipfile.ZipFile(made.file) as archive:
        assert not [name for name in archive.namelist() if name.endswith(access.FILE)]
        assert all(str(first).encode() not in archive.read(name) for name in archive.namelist())


def test_the_command_line_works_beside_a_running_server(engine: Engine) -> None:
    """Another process owns the folder: tokens are made, listed and revoked all the same, and hold at once."""
    folder = str(engine.settings.library)

    def nemo(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "nemo", "token", *arguments, "--library", folder],
            cwd=ROOT, capture_output=True, text=True, timeout=120, check=True,
        )  # fmt: skip
        return done.stdout

    token = nemo("make", "旁路", "--role", "analyst").splitlines()[0]
    assert engine.access.bearer(token, None) == TokenBearer("令牌“旁路”", Role.ANALYST)
    assert "旁路" in nemo("list") and token not in nemo("list")
    nemo("revoke", "旁路")
    with pytest.raises(NotSignedInError):
        engine.access.bearer(token, None)
    assert nemo("show").strip() == engine.access.tokens.first()
    assert engine.library.audit_trail().broken_at is None


def test_a_mistyped_library_is_not_created(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="没有资料库"), access.token_service(settings.load(library=tmp_path / "typo")):
        pass
    assert not (tmp_path / "typo").exists()
