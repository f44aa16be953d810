"""Tokens by which programs say who they are (接口令牌): made here, kept by the library only as hashes.

A token is 256 random bits, so a plain SHA-256 keeps it as safe as a slow hash would (NIST SP 800-63B section 5.1.2.2
asks for salt and cost only for look-up secrets below 112 bits), and every request can afford to compare it.
"""

import hashlib
import hmac
import secrets

from nemo.accounts import MachineToken, Role, TokenBearer

PREFIX = "nemo_"
"""Lets a person, and a search for leaked secrets, see what it is."""

RANDOM_BYTES = 32

FIRST = "首个令牌"
"""Name of the token that the first start makes."""

CONFIGURED = "NEMO_API_TOKEN"
"""Name in the audit log of whoever shows the token of the settings."""

RESERVED = (FIRST, CONFIGURED)
"""Names of the tokens of the machine itself."""


def new() -> str:
    """Return a new token."""
    return PREFIX + secrets.token_urlsafe(RANDOM_BYTES)


def digest(token: str) -> str:
    """Return what is kept of a token: its SHA-256 in hex."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def bearer(name: str, role: Role) -> TokenBearer:
    """Return who shows the token of this name; the audit log tells programs from people by it."""
    return (MachineToken if name in RESERVED else TokenBearer)(f"令牌“{name}”", role)


def configured(given: str, token: str | None) -> TokenBearer | None:
    """Return who shows the token of the settings, None when ``given`` is not it; it may do everything."""
    if not token or not hmac.compare_digest(digest(given), digest(token)):
        return None
    return bearer(CONFIGURED, Role.ADMIN)
