"""The road that most requests take, without the framework: ``POST /api/v1/query`` (提问的直路).

A question that is plainly well-formed is answered here, behind the guard and in its turn like every request, and in the
same form. Whatever is not (no JSON, a wrong field, a caller who may not ask) goes on to the interface, which says what
is wrong with it.
"""

from collections.abc import Callable
from typing import Any

import anyio.to_thread
from pydantic import ValidationError
from starlette.datastructures import Headers
from starlette.responses import JSONResponse

from nemo.accounts import User
from nemo.engine import Engine
from nemo.errors import NemoError
from nemo.types.plain import read_json
from nemo.web import refusals, v1
from nemo.web.callers import as_seen
from nemo.web.guard import CALLER
from nemo.web.request_queue import whole_body

PATH = "/v1/query"
"""Below the interface."""


class QuestionEndpoint:
    """Answers a question, or hands the request on."""

    def __init__(self, programs: Any, engine_of: Callable[[], Engine]) -> None:
        self._programs = programs
        self._engine_of = as_seen(engine_of)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer, or hand on."""
        body, receive = await whole_body(receive)
        question, caller = _question(scope, body), scope.get(CALLER)
        if question is None or caller is None or not caller.may("ask"):
            await self._programs({**scope, "root_path": scope["path"].removesuffix(PATH)}, receive, send)
            return
        response = await anyio.to_thread.run_sync(self._answered, question, caller)
        await response(scope, receive, send)

    def _answered(self, question: v1.Question, caller: User) -> JSONResponse:
        try:
            return v1.answered(self._engine_of(), question, caller)
        except NemoError as error:
            return refusals.response(error)


def _question(scope: Any, body: bytes) -> v1.Question | None:
    if scope["method"] != "POST" or not _is_json(Headers(scope=scope)):
        return None
    try:
        return v1.Question.model_validate(read_json(body))
    except (ValidationError, ValueError):
        return None


def _is_json(given: Headers) -> bool:
    return given.get("content-type", "").partition(";")[0].strip().lower() == "application/json"
