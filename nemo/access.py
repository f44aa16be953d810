"""Who comes in, and with what: passwords with a brake, and the tokens of programs (登录与令牌)."""

import datetime as dt
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from nemo.accounts import NOBODY, OPERATOR, Role, TokenBearer, User, Users, kept, rates, require, tokens
from nemo.accounts.brake import LoginBrake
from nemo.errors import BadRequestError, ConfigError, NotSignedInError
from nemo.settings import Settings
from nemo.store.catalogue.database import Database
from nemo.store.catalogue.rows import TokenRow
from nemo.store.files.disk import DiskRefusalError, storage_errors
from nemo.store.files.lock import Ownership
from nemo.store.records.tokens import TokenStore

_log = logging.getLogger(__name__)

FILE = "token"
"""In the library's folder, readable by its owner alone: the first token, so that it can be shown again. No backup has it."""

LONGEST_NAME = 80


Note = Callable[[str, str, dict[str, object]], None]
"""Writes an entry into the audit log: action, subject, detail."""


class TokenService:
    """Makes, lists and revokes the tokens of one library. Works beside the process that owns the folder."""

    def __init__(self, store: TokenStore, folder: Path) -> None:
        self._store = store
        self._file = folder / FILE

    def make(self, name: str, role: Role, by: User, days: int | None = None) -> str:
        """Make a token, valid for so many days or for ever, and return it: this is the only time that it can be seen.

        Raises:
            BadRequestError: the name is empty, too long or taken, or the days are none.
        """
        name = name.strip()
        if not 0 < len(name) <= LONGEST_NAME or not name.isprintable() or name.isdigit() or name in tokens.RESERVED:
            raise BadRequestError(
                f"令牌名称应为 1 到 {LONGEST_NAME} 个可见字符，不全是数字，也不是本机令牌的名称。请换一个名称。"
            )
        if days is not None and not 0 < days <= 3650:
            raise BadRequestError("有效天数应在 1 到 3650 之间。请改正。")
        ends = dt.datetime.now(dt.UTC) + dt.timedelta(days=days) if days else None
        token = tokens.new()
        self._store.add(name, role.name.lower(), tokens.digest(token), by.name, ends)
        return token

    def all(self) -> list[TokenRow]:
        """Return every token that was ever made, newest first."""
        return self._store.all()

    def revoke(self, key: str, by: User) -> TokenRow:
        """Revoke a token by number or name."""
        return self._store.revoke(key, by.name)

    def bearer(self, token: str) -> TokenBearer | None:
        """Return who shows this token, None when it opens nothing."""
        found = self._store.find(tokens.digest(token))
        return tokens.bearer(found.name, Role[found.role.upper()]) if found else None

    def first(self) -> str | None:
        """Return the token of the first start, making it when there was none; None when it cannot be shown.

        A disk that takes nothing makes none: without it programs can read and ask, not write, which nobody could anyway.
        """
        known = shown(self._file.parent)
        if known is not None and self.bearer(known):
            return known
        if any(row.name == tokens.FIRST for row in self._store.all()):
            return None
        # The file before the row: a crash between the two leaves a file that opens nothing, and is written anew.
        token = tokens.new()
        try:
            with storage_errors(self._file.parent):
                _write_privately(self._file, token)
            self._store.add(tokens.FIRST, Role.ADMIN.name.lower(), tokens.digest(token), OPERATOR.name)
        except DiskRefusalError as refused:
            _log.warning("no first token: %s", refused.message)
            return None
        return token


def shown(folder: Path) -> str | None:
    """Return the first token of a library as it is kept beside it; None when there is none.

    Raises:
        ConfigError: it may not be read.
    """
    with suppress(FileNotFoundError), storage_errors(folder):
        return (folder / FILE).read_text("utf-8").strip()
    return None


def _write_privately(file: Path, text: str) -> None:
    file.unlink(missing_ok=True)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as out:
        out.write(text + "\n")


@contextmanager
def token_service(settings: Settings) -> Iterator[TokenService]:
    """Open the tokens of a library, whether or not another process owns it: the catalogue has many writers, one at a time.

    Raises:
        ConfigError: there is no library, its catalogue is newer than this program, or the disk refuses.
    """
    if settings.database_url is None and not settings.catalogue_path.is_file():
        raise ConfigError(f"{settings.library} 中没有资料库。请核对 --library 或 NEMO_LIBRARY，或先入库。")
    with _alone_or_beside(settings):
        database = Database.of(settings)
        try:
            yield TokenService(TokenStore(database), settings.library)
        finally:
            database.close()


@contextmanager
def _alone_or_beside(settings: Settings) -> Iterator[None]:
    """Hold the folder while nobody else does: only then may an older catalogue be brought up to date."""
    if settings.database_url is not None:  # the server says whose turn it is
        yield
        return
    try:
        held = Ownership(settings.library)
    except ConfigError:  # another process has it open, and has brought it up to date
        yield
        return
    try:
        yield
    finally:
        held.release(clean=not held.unclean)


class AccessService:
    """Lets people and programs in. Thread-safe."""

    def __init__(self, token_service: TokenService, settings: Settings, users: Users | None, note: Note) -> None:
        self.tokens = token_service
        self._settings = settings
        self._users = users
        self._note = note
        self._brake = LoginBrake()
        people = tokens.digest(settings.users_file.read_text("utf-8-sig")) if settings.users_file else ""
        self.kept = kept.KeptSignIns(file=settings.library / kept.FILE if people else None, people=people)
        public = settings.temporary
        address, caller = settings.address_per_minute, settings.caller_per_minute
        self.rates = rates.RateLimits(
            (rates.ADDRESS if public else 0) if address is None else address,
            (rates.CALLER if public else 0) if caller is None else caller,
        )
        self.admission = rates.Admission(settings.waiting)

    def sign_in(self, name: str, password: str, address: str | None) -> User:
        """Return the person whose password this is.

        Raises:
            BadRequestError: name or password is wrong; which of them is not said.
            TooManyTriesError: too many wrong ones came before; this one was not looked at.
        """
        if self._users is None:
            raise BadRequestError("这里无需登录。请直接使用。")
        tries = self._brake.attempt(name, address)
        try:
            user = self._users.verify(name, password)
        except BadRequestError:
            self._tell("login_failed", name[:LONGEST_NAME], tries, address)
            raise
        self._brake.right(name, address)
        return user

    def bearer(self, token: str, address: str | None) -> TokenBearer:
        """Return who shows a token. A right one is never kept waiting: 256 random bits are not guessed.

        Raises:
            NotSignedInError: it opens nothing.
            TooManyTriesError: so did too many before.
        """
        own = self._settings.api_token
        found = tokens.configured(token, own.get_secret_value() if own else None) or self.tokens.bearer(token)
        if found is None:
            tries = self._brake.attempt(None, address)
            self._tell("token_refused", "API", tries, address)
            raise NotSignedInError(
                "接口令牌无效或已吊销。请在请求头中携带 Authorization: Bearer <令牌>；令牌见“系统”页或 python -m nemo token。"
            )
        return found

    def _tell(self, action: str, subject: str, tries: int, address: str | None) -> None:
        """Write a refused try down; a disk that refuses must not tell the guesser anything."""
        try:
            self._note(action, subject, {"address": address, "tries": tries})
        except ConfigError as error:
            _log.error("%s of %r from %s is not in the audit log: %s", action, subject, address, error.message)

    def make_token(self, name: str, role: Role, by: User | None) -> str:
        """Make a token; see :meth:`TokenService.make`."""
        require(by, "system", self._users)
        return self.tokens.make(name, role, by or NOBODY)

    def revoke_token(self, key: str, by: User | None) -> TokenRow:
        """Revoke a token; see :meth:`TokenService.revoke`."""
        require(by, "system", self._users)
        return self.tokens.revoke(key, by or NOBODY)
