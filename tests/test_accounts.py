"""Roles and the users file: who may do what, and no password that can be read or guessed from the file."""

from pathlib import Path

import pytest

from nemo import accounts
from nemo.accounts import ACTIONS, NotPermittedError, Role, User, entry, kept, load_users, matches, require
from nemo.errors import BadRequestError, ConfigError

PASSWORD = "correct horse"


@pytest.fixture(autouse=True)
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cheap hashes: the cost is scrypt's, not ours."""
    monkeypatch.setattr(accounts, "COST", 2**4)


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "users.toml"
    text = entry("王敏", Role.REVIEWER, PASSWORD) + entry("李强", Role.ANALYST, "battery staple")
    path.write_text(text + '[[user]]\nname = "sso@example"\nrole = "admin"\n', "utf-8")
    return path


@pytest.mark.parametrize("action", ACTIONS)
def test_a_higher_role_may_do_all_that_a_lower_one_may(action: str) -> None:
    may = [User("甲", role).may(action) for role in Role]
    assert may == sorted(may) and may[-1]


@pytest.mark.parametrize(
    ("role", "may", "may_not"),
    [
        (Role.READER, ["ask", "export"], ["ingest", "review", "remove", "system"]),
        (Role.ANALYST, ["ask", "ingest", "edit"], ["review", "remove", "system"]),
        (Role.REVIEWER, ["review", "ingest"], ["remove", "system"]),
        (Role.ADMIN, ["review", "remove", "system"], []),
    ],
)
def test_roles(role: Role, may: list[str], may_not: list[str]) -> None:
    user = User("甲", role)
    assert all(user.may(action) for action in may) and not any(user.may(action) for action in may_not)


def test_signing_in(people: Path) -> None:
    users = load_users(people)
    assert users.verify("王敏", PASSWORD) == User("王敏", Role.REVIEWER)
    for name, password in (("王敏", "wrong horse"), ("王敏", ""), ("陌生人", PASSWORD), ("sso@example", ""), ("", "")):
        with pytest.raises(BadRequestError, match="用户名或口令不对"):
            users.verify(name, password)


def test_the_file_holds_no_password(people: Path) -> None:
    assert PASSWORD not in people.read_text("utf-8")
    assert "password" not in repr(load_users(people)).replace("_passwords", "")


def test_a_hash_is_salted() -> None:
    first, second = accounts.hash_password(PASSWORD), accounts.hash_password(PASSWORD)
    assert first != second and matches(PASSWORD, first) and matches(PASSWORD, second)
    with pytest.raises(BadRequestError, match="8"):
        accounts.hash_password("short")
    with pytest.raises(ConfigError):
        matches(PASSWORD, PASSWORD)


def test_nothing_is_required_without_a_users_file() -> None:
    require(None, "system", None)


def test_a_role_is_taken_from_the_file_not_from_the_caller(people: Path) -> None:
    users = load_users(people)
    require(User("王敏", Role.READER), "review", users)
    for forged in (None, User("李强", Role.ADMIN), User("陌生人", Role.ADMIN)):
        with pytest.raises(NotPermittedError) as raised:
            require(forged, "review", users)
        assert raised.value.http_status == 403


def test_who_types_commands_need_not_sign_in(people: Path) -> None:
    require(accounts.OPERATOR, "remove", load_users(people))
    with pytest.raises(NotPermittedError):  # who only calls himself so is nobody
        require(User(accounts.OPERATOR.name, Role.ADMIN), "remove", load_users(people))


@pytest.mark.parametrize(
    ("remark", "text", "words"),
    [
        ("empty", "", "没有"),
        ("no TOML", "[[user", "无法读取"),
        ("an unknown role", '[[user]]\nname="甲"\nrole="boss"\n', "role"),
        ("a plain password", '[[user]]\nname="甲"\nrole="admin"\npassword="secret123"\n', "散列"),
        ("an impossible cost", '[[user]]\nname="甲"\nrole="admin"\npassword="scrypt$3$8$1$AA==$AA=="\n', "散列"),
        ("no name", '[[user]]\nname=" "\nrole="admin"\n', "name"),
        ("another field", '[[user]]\nname="甲"\nrole="admin"\nemail="x"\n', "其他项"),
        ("twice", '[[user]]\nname="甲"\nrole="admin"\n' * 2, "两次"),
    ],
)
def test_a_wrong_file_stops_the_start(tmp_path: Path, remark: str, text: str, words: str) -> None:
    path = tmp_path / "users.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(ConfigError, match=words):
        load_users(path)
    with pytest.raises(ConfigError):
        load_users(tmp_path / "missing.toml")


def test_names_are_quoted() -> None:
    import tomllib

    name = 'a"b\\c'
    assert tomllib.loads(entry(name, Role.READER, PASSWORD))["user"][0]["name"] == name


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    path = tmp_path / "users.toml"
    path.write_text('[[user]]\nname = "Wang@Example.test"\nrole = "reviewer"\n', "utf-8")
    return path


@pytest.mark.parametrize(
    ("remark", "name", "newcomers", "role"),
    [
        ("listed", "Wang@Example.test", "none", Role.REVIEWER),
        ("an address in another case", "wang@example.TEST", "none", Role.REVIEWER),
        ("listed wins over the role of newcomers", "wang@example.test", "admin", Role.REVIEWER),
        ("a newcomer", "li@example.test", "reader", Role.READER),
        ("a newcomer where nobody new is let in", "li@example.test", "none", None),
        ("a name is not an address", "WANG", "none", None),
    ],
)
def test_single_sign_on_gives_the_role_of_the_file(
    mixed: Path, remark: str, name: str, newcomers: str, role: Role | None
) -> None:
    users = accounts.users_of(mixed, True, newcomers)
    assert users is not None
    found = users.find(name)
    assert (found.role if found else None) is role


def test_single_sign_on_alone_asks_everybody_to_sign_in() -> None:
    users = accounts.users_of(None, True, "reader")
    assert users is not None and not users.have_passwords
    with pytest.raises(NotPermittedError):
        require(None, "ask", users)
    require(User("li@example.test", Role.ADMIN), "ask", users)
    with pytest.raises(NotPermittedError, match="读者"):
        require(User("li@example.test", Role.ADMIN), "review", users)  # what the page claims does not count


def test_newcomers_need_single_sign_on(mixed: Path) -> None:
    users = accounts.users_of(mixed, False, "admin")
    assert users is not None and users.find("li@example.test") is None
    assert accounts.users_of(None, False, "reader") is None


def test_a_wrong_role_for_newcomers_is_told() -> None:
    with pytest.raises(ConfigError, match="NEMO_SSO_ROLE"):
        accounts.users_of(None, True, "boss")


def test_a_sign_in_is_kept_for_a_working_day_by_a_key_that_is_given_once() -> None:
    now = [0.0]
    signed = kept.KeptSignIns(lambda: now[0])
    code = signed.begin("王敏")
    assert signed.waits(code) and signed.name(code) is None  # a code is no key
    key = signed.exchange(code)
    assert key is not None and signed.name(key) == "王敏"
    assert signed.exchange(code) is None and not signed.waits(code)
    now[0] = kept.LASTS + 1
    assert signed.name(key) is None
    late = signed.begin("王敏")
    now[0] += kept.EXCHANGED + 1
    assert signed.exchange(late) is None


def test_a_sign_in_outlives_the_process_until_it_ends_or_the_people_change(tmp_path: Path) -> None:
    file = tmp_path / kept.FILE

    def started(people: str = "one file") -> kept.KeptSignIns:
        return kept.KeptSignIns(file=file, people=people)

    signed = started()
    key = signed.exchange(signed.begin("王敏")) or ""
    beside, later = started(), started("a file with a new password")
    assert beside.name(key) == "王敏" and later.name(key) is None
    assert file.stat().st_mode & 0o777 == 0o600 and key not in file.read_text("utf-8")
    beside.end(None, key)
    assert signed.name(key) is None and started().name(key) is None
    file.write_text("{", "utf-8")
    assert started().name(key) is None, "what cannot be read lets nobody in"


@pytest.mark.parametrize("by", ["code", "key"])
def test_signing_out_ends_what_was_kept(by: str) -> None:
    signed = kept.KeptSignIns()
    codes = [signed.begin("王敏"), signed.begin("李雷")]
    keys = [signed.exchange(code) or "" for code in codes]
    signed.end(**{"code": None, "key": None, by: {"code": codes, "key": keys}[by][0]})
    assert [signed.name(key) for key in keys] == [None, "李雷"]
