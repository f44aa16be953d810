"""Tokens of programs, kept as hashes (接口令牌). Making and revoking each go into the audit log in the same transaction."""

import datetime as dt
from dataclasses import fields

import sqlalchemy as sa

from nemo.errors import BadRequestError, NotFoundError
from nemo.store.catalogue.database import Records, added
from nemo.store.catalogue.rows import TokenRow
from nemo.store.catalogue.schema import now, tokens
from nemo.store.records import audit

_KEPT = [tokens.c[field.name] for field in fields(TokenRow)]


class TokenStore(Records):
    """The tokens of one library. Other processes may add and revoke at any time: nothing is remembered here."""

    def add(self, name: str, role: str, digest: str, by: str, ends: dt.datetime | None = None) -> int:
        """Keep a token's hash (SHA-256, hex) and return its number; without ``ends`` it is valid for ever.

        Raises:
            BadRequestError: a valid token has this name.
        """
        moment = now()
        values = {"name": name, "role": role, "digest": digest, "by": by, "at": moment, "ends": ends}
        with self._database.write() as connection:
            if any(row.valid(moment) for row in _rows(connection, tokens.c.name == name)):
                raise BadRequestError(f"已有名为“{name}”的有效令牌。请换一个名称，或先吊销它。")
            number = added(connection, tokens, values)
            detail = {"name": name, "role": role, "ends": ends.isoformat() if ends else None}
            audit.append(connection, "token_make", str(number), detail, by)
        return number

    def find(self, digest: str) -> TokenRow | None:
        """Return the valid token with this hash, None when there is none."""
        found = self._database.seen(_rows, tokens.c.digest == digest)
        return next((row for row in found if row.valid(now())), None)

    def all(self) -> list[TokenRow]:
        """Return every token that was ever made, newest first."""
        return self._database.seen(_rows, sa.true())

    def revoke(self, key: str, by: str) -> TokenRow:
        """Revoke a token by its number or its name; from now on it opens nothing. Return it.

        Raises:
            NotFoundError: no token that is not revoked has this number or name.
        """
        which = tokens.c.number == int(key) if key.isascii() and key.isdigit() else tokens.c.name == key
        with self._database.write() as connection:
            found = next((row for row in _rows(connection, which) if row.revoked_at is None), None)
            if found is None:
                raise NotFoundError(f"没有编号或名称为“{key}”、尚未吊销的令牌。请先列出令牌再选择。")
            revoked = tokens.update().where(tokens.c.number == found.number)
            connection.execute(revoked.values(revoked_by=by, revoked_at=now()))
            audit.append(connection, "token_revoke", str(found.number), {"name": found.name}, by)
        return found


def _rows(connection: sa.Connection, which: sa.ColumnElement[bool]) -> list[TokenRow]:
    query = sa.select(*_KEPT).where(which).order_by(tokens.c.number.desc())
    return [TokenRow(*row) for row in connection.execute(query)]
