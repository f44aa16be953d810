"""Who may do what: roles, and a users file with hashed passwords (用户与角色). Off unless the setting names a file.

The file is TOML, one table per person; a line for it is made by :func:`entry`::

    [[user]]
    name = "王敏"
    role = "reviewer"
    password = "scrypt$16384$8$1$…$…"

Without ``password`` a person can only come in through single sign-on, by the same name.
"""

import base64
import enum
import hashlib
import hmac
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nemo.errors import BadRequestError, ConfigError, NotPermittedError

COST, BLOCK, LANES = 2**14, 8, 1
"""scrypt's n, r and p: 16 MiB and about 50 ms for one try."""

MOST_MEMORY = 256 * 2**20
SALT_BYTES = 16
SHORTEST = 8
"""A password has at least this many characters."""


class Role(enum.IntEnum):
    """What a person is here for; a higher role may do all that a lower one may."""

    READER = 1
    ANALYST = 2
    REVIEWER = 3
    ADMIN = 4

    @property
    def title(self) -> str:
        """Chinese name."""
        return TITLES[self]


TITLES = {Role.READER: "读者", Role.ANALYST: "分析员", Role.REVIEWER: "复核员", Role.ADMIN: "管理员"}

ACTIONS: Mapping[str, tuple[Role, str]] = {
    "ask": (Role.READER, "查询"), "export": (Role.READER, "导出"), "ingest": (Role.ANALYST, "入库"),
    "edit": (Role.ANALYST, "修改法规信息"), "evaluate": (Role.ANALYST, "评测"), "review": (Role.REVIEWER, "复核引文"),
    "remove": (Role.ADMIN, "删除法规"), "backup": (Role.ADMIN, "下载备份"), "system": (Role.ADMIN, "管理系统"),
}  # fmt: skip
"""Every action with the lowest role that may do it, and its Chinese name."""


@dataclass(frozen=True, slots=True)
class User:
    """One person (用户)."""

    name: str
    role: Role

    def may(self, action: str) -> bool:
        """Tell whether the person may do ``action``, a key of ``ACTIONS``."""
        return self.role >= ACTIONS[action][0]


class TokenBearer(User):
    """A program that showed a valid token (接口令牌); its role is the token's, whatever the users file says."""

    __slots__ = ()


class MachineToken(TokenBearer):
    """Showed a token that lies on the machine itself: whoever can read it there works there, as commands do (本机令牌)."""

    __slots__ = ()


OPERATOR = User("命令行", Role.ADMIN)
"""Who types commands on the machine itself: the library's folder is theirs, and nobody signs in there."""

NOBODY = User("未登录", Role.READER)
"""Who acts where nobody has to sign in."""


def keeper(user: User | None) -> str | None:
    """Return whose is what this user keeps: questions, memories, corpora. None for all who work on the machine itself.

    These are commands, alone or through a running process, and everybody where nobody signs in.
    """
    return None if user is None or user is OPERATOR or isinstance(user, MachineToken) else user.name


@dataclass(frozen=True, slots=True)
class Users:
    """The people of one users file."""

    people: Mapping[str, User]
    _passwords: Mapping[str, str] = field(repr=False)
    newcomers: Role | None = None
    """Role of whoever comes in through single sign-on without being listed; None lets nobody else in."""

    @property
    def have_passwords(self) -> bool:
        """Whether anybody can come in with a password."""
        return bool(self._passwords)

    def find(self, name: str) -> User | None:
        """Return a person by name, e-mail addresses in any case; somebody new where those are let in."""
        listed = self.people.get(name)
        if listed is None and "@" in name:
            listed = next((user for known, user in self.people.items() if known.casefold() == name.casefold()), None)
        return listed or (User(name, self.newcomers) if self.newcomers else None)

    def verify(self, name: str, password: str) -> User:
        """Return the person whose password this is; an unknown name takes as long as a wrong password.

        Raises:
            BadRequestError: name or password is wrong; which of them is not said.
        """
        stored = self._passwords.get(name)
        right = matches(password, stored or _NOBODY)
        if stored is None or not right:
            raise BadRequestError("用户名或口令不对。请重新输入；忘记口令请找管理员重设。")
        return self.people[name]


def require(user: User | None, action: str, users: Users | None) -> None:
    """Let an action pass when nobody has to sign in, or when this person may do it; the ``OPERATOR`` may.

    A program is bound to the role of its token even where nobody has to sign in.

    Raises:
        NotPermittedError: nobody signed in, or the role is too low.
    """
    role, what = ACTIONS[action]
    if isinstance(user, TokenBearer):
        if not user.may(action):
            raise NotPermittedError(f"{what}需要{role.title}角色，{user.name}只有{user.role.title}角色。请换用令牌。")
        return
    if users is None or user is OPERATOR:
        return
    if user is None:
        raise NotPermittedError(f"{what}前需要登录。请先登录。")
    known = users.find(user.name)
    if known is None or not known.may(action):
        has = f"“{user.name}”现为{known.role.title}" if known else f"用户文件中没有“{user.name}”"
        raise NotPermittedError(f"{what}需要{role.title}角色，{has}。请联系管理员。")


def name_of(user: User | None) -> str | None:
    """Return how the audit log calls somebody; None where nobody signs in."""
    return user.name if user else None


# --- the file


def users_of(path: Path | None, sso: bool, newcomers: str) -> Users | None:
    """Return who may come in, None where nobody has to sign in.

    ``newcomers`` is the role of those whom single sign-on (统一身份登录) knows and the file does not list, ``none``
    to let only listed people in.

    Raises:
        ConfigError: the file or the role is wrong.
    """
    if newcomers != "none" and newcomers.upper() not in Role.__members__:
        raise ConfigError(f"NEMO_SSO_ROLE 应为 {'、'.join(r.name.lower() for r in Role)} 或 none。请改正。")
    listed = load_users(path) if path else Users({}, {})
    if sso:
        return Users(listed.people, listed._passwords, None if newcomers == "none" else Role[newcomers.upper()])
    return listed if path else None


def load_users(path: Path) -> Users:
    """Read a users file.

    Raises:
        ConfigError: the file cannot be read, or an entry is wrong; the message names it.
    """
    try:
        data = tomllib.loads(path.read_text("utf-8-sig"))
    except (OSError, ValueError) as error:
        at = re.search(r"line (\d+)", str(error))
        where = f"第 {at[1]} 行写法有误" if at else "文件不存在、没有权限或不是 UTF-8 文本"
        raise ConfigError(f"用户文件 {path.name} 无法读取：{where}。请检查 NEMO_USERS_FILE 与文件内容。") from error
    entries = data.get("user", [])
    if not isinstance(entries, list) or not entries:
        raise ConfigError(f"用户文件 {path.name} 中没有 [[user]]。请至少写入一名用户。")
    people: dict[str, User] = {}
    passwords: dict[str, str] = {}
    for number, described in enumerate(entries, 1):
        user, password = _person(described, f"用户文件 {path.name} 第 {number} 名用户")
        if user.name in people:
            raise ConfigError(f"用户文件 {path.name} 中“{user.name}”出现两次。请删去一个。")
        people[user.name] = user
        if password is not None:
            passwords[user.name] = password
    return Users(people, passwords)


def _person(described: Any, place: str) -> tuple[User, str | None]:
    if not isinstance(described, dict) or not {"name", "role"} <= set(described) <= {"name", "role", "password"}:
        raise ConfigError(f"{place}应有 name、role，可有 password，不能有其他项。请改正。")
    name, role, password = described["name"], described["role"], described.get("password")
    if not isinstance(name, str) or not name.strip() or name != name.strip():
        raise ConfigError(f"{place}的 name 为空或首尾有空白。请改正。")
    if not isinstance(role, str) or role.upper() not in Role.__members__:
        raise ConfigError(f"{place}的 role 应为 {'、'.join(r.name.lower() for r in Role)} 之一。请改正。")
    if password is not None and (not isinstance(password, str) or _parts(password) is None):
        raise ConfigError(f"{place}的 password 不是口令散列。请用 nemo.accounts.hash_password 生成，不要写明文。")
    return User(name, Role[role.upper()]), password


def entry(name: str, role: Role, password: str) -> str:
    """Return the lines for one person of a users file.

    Raises:
        BadRequestError: the password is too short.
    """
    quoted = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'[[user]]\nname = "{quoted}"\nrole = "{role.name.lower()}"\npassword = "{hash_password(password)}"\n'


# --- passwords


def hash_password(password: str) -> str:
    """Return a salted hash of a password for the users file.

    Raises:
        BadRequestError: the password is too short.
    """
    if len(password) < SHORTEST:
        raise BadRequestError(f"口令至少 {SHORTEST} 个字符。请换一个更长的口令。")
    salt = os.urandom(SALT_BYTES)
    digest = _scrypt(password, salt, COST, BLOCK, LANES)
    return f"scrypt${COST}${BLOCK}${LANES}${_text(salt)}${_text(digest)}"


def matches(password: str, stored: str) -> bool:
    """Tell whether a password is the one that was hashed; takes the same time whatever it is.

    Raises:
        ConfigError: the hash was not made by :func:`hash_password`.
    """
    parts = _parts(stored)
    if parts is None:
        raise ConfigError("口令散列格式有误。请用 nemo.accounts.hash_password 重新生成。")
    cost, block, lanes, salt, digest = parts
    return hmac.compare_digest(_scrypt(password, salt, cost, block, lanes), digest)


def _scrypt(password: str, salt: bytes, cost: int, block: int, lanes: int) -> bytes:
    words = password.encode("utf-8", "surrogatepass")
    return hashlib.scrypt(words, salt=salt, n=cost, r=block, p=lanes, maxmem=MOST_MEMORY, dklen=32)


def _parts(stored: str) -> tuple[int, int, int, bytes, bytes] | None:
    fields = stored.split("$")
    if len(fields) != 6 or fields[0] != "scrypt":
        return None
    try:
        cost, block, lanes = (int(value) for value in fields[1:4])
        salt, digest = (base64.b64decode(value, validate=True) for value in fields[4:])
    except ValueError:
        return None
    sound = cost > 1 and cost & (cost - 1) == 0 and block > 0 and lanes > 0 and 128 * cost * block < MOST_MEMORY
    return (cost, block, lanes, salt, digest) if sound and len(digest) == 32 else None


def _text(value: bytes) -> str:
    return base64.b64encode(value).decode()


_NOBODY = f"scrypt${COST}${BLOCK}${LANES}${_text(bytes(SALT_BYTES))}${_text(bytes(32))}"
"""Compared with when a name is unknown, so that its absence cannot be timed."""
