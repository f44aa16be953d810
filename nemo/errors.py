"""The six errors, by who must act. Each holds a Chinese message that ends with the next step, an HTTP status and an exit code.

What a caller over HTTP must change has a status of its own for each kind (RFC 9110 section 15.5, RFC 6585 section 4).
"""

import difflib
from collections.abc import Sequence


def nearest(name: str, known: Sequence[str]) -> str:
    """Return the known name that a misspelt one may stand for; empty where none is near."""
    return next(iter(difflib.get_close_matches(name, known, 1, 0.85)), "")


def unknown_name(name: str, known: Sequence[str]) -> str:
    """Return the message for a name that is not among the ``known``: the one that may be meant, else all of them."""
    near = nearest(name, known)
    hint = f"是否应为 {near}？" if near else f"可用：{'、'.join(known)}。" if known else "这里不接受任何参数。"
    return f"没有“{name[:80]}”这一项。{hint}请改正后重试。"


LONGEST = 2000
"""Characters of a message; a name that it repeats may be as long as whoever sent it likes."""


class NemoError(Exception):
    """Base of the six; never raised itself."""

    code = "error"
    http_status = 500
    exit_code = 1

    def __init__(self, message: str, tips: tuple[str, ...] = ()) -> None:
        if len(message) > LONGEST:  # what is wrong stands in front, what to do at the end
            message = f"{message[: LONGEST // 2]}…{message[1 - LONGEST // 2 :]}"
        super().__init__(message)
        self.message = message
        self.tips = tips


class BadRequestError(NemoError):
    """The person who asked must change the request."""

    code = "bad_request"
    http_status = 400
    exit_code = 2


class NotSignedInError(BadRequestError):
    """The caller did not say who they are, or said it wrongly."""

    code = "not_signed_in"
    http_status = 401


class NotPermittedError(BadRequestError):
    """The person is known and may not do this, or comes from where nobody may; somebody with the role must act."""

    code = "not_permitted"
    http_status = 403


class MethodNotAllowedError(BadRequestError):
    """The address exists and is not used in this way."""

    code = "method_not_allowed"
    http_status = 405


class ConflictError(BadRequestError):
    """Somebody else changed it since the caller looked; what they did is named, and nothing was written."""

    code = "conflict"
    http_status = 409


class TooLargeError(BadRequestError):
    """More was sent than is taken in at once."""

    code = "too_large"
    http_status = 413


class MalformedRequestError(BadRequestError):
    """The request arrived and cannot be read as what the address expects."""

    code = "malformed"
    http_status = 422


class TooManyTriesError(BadRequestError):
    """Too many wrong passwords or tokens; the same may be tried again after ``seconds``, which the message tells too."""

    code = "too_many_tries"
    http_status = 429

    def __init__(self, message: str, seconds: int = 0) -> None:
        super().__init__(message)
        self.seconds = seconds


class TooManyRequestsError(TooManyTriesError):
    """More was asked than is answered in this time; the same may be asked again after ``seconds``."""

    code = "too_many_requests"


class NotFoundError(NemoError):
    """What was named does not exist here."""

    code = "not_found"
    http_status = 404
    exit_code = 3


class UnreadableDocumentError(NemoError):
    """A file could not be read as a regulation; the person who has the file must act."""

    code = "unreadable_document"
    http_status = 422
    exit_code = 4


class MissingDependencyError(NemoError):
    """An optional program or package must be installed first."""

    code = "missing_dependency"
    http_status = 501
    exit_code = 5


class ConfigError(NemoError):
    """The person who runs Nemo must change a setting or the library's state."""

    code = "config"
    http_status = 500
    exit_code = 6


class ServiceError(NemoError):
    """An outside service failed; nobody here can mend it."""

    code = "service"
    http_status = 502
    exit_code = 7


class BusyError(ServiceError):
    """As much as can be answered waits already; the same may be asked again in a moment."""

    code = "busy"
    http_status = 503


def of_code(code: str, message: str, tips: tuple[str, ...] = ()) -> NemoError:
    """Return the error that another process of ours named by its code; one with an unknown code is a ``NemoError``."""
    kinds: dict[str, type[NemoError]] = {}
    waiting: list[type[NemoError]] = [NemoError]
    while waiting:
        kind = waiting.pop()
        kinds.setdefault(kind.code, kind)  # what a room derives for itself has the code of ours, and comes after it
        waiting += kind.__subclasses__()
    error = kinds.get(code, NemoError)(message)
    error.tips = tips
    return error
