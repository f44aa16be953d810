"""Who may call an address of the interface: what the guard found out, held against what the address asks for (调用者)."""

from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import Depends, Request
from fastapi.concurrency import run_in_threadpool

from nemo.accounts import ACTIONS, TokenBearer, User, keeper
from nemo.engine import Engine
from nemo.errors import NotPermittedError, NotSignedInError
from nemo.web import known
from nemo.web.guard import CALLER, CALLING


def caller_who_may(action: str, *, with_token: bool = False) -> Callable[[Request], Awaitable[User]]:
    """Return what finds out who calls, and refuses who may not do ``action``; or, where asked, who showed no token."""

    async def check(request: Request) -> User:  # on the event loop: a thread costs more than the look
        caller: User | None = request.scope.get(CALLER)
        if caller is not None and caller.may(action) and (isinstance(caller, TokenBearer) or not with_token):
            return caller
        role, what = ACTIONS[action]
        if isinstance(caller, TokenBearer):
            raise NotPermittedError(f"{what}需要{role.title}角色，{caller.name}为{caller.role.title}。请换用令牌。")
        raise NotSignedInError(
            f"{what}需要接口令牌。请在请求头中携带 Authorization: Bearer <令牌>；令牌见“系统”页或 python -m nemo token show。"
        )

    return check


Reader = Annotated[User, Depends(caller_who_may("ask"))]
Writer = Annotated[User, Depends(caller_who_may("ask", with_token=True))]
"""Who keeps something of their own: any token, but one."""
Analyst = Annotated[User, Depends(caller_who_may("ingest"))]
Reviewer = Annotated[User, Depends(caller_who_may("review"))]
Administrator = Annotated[User, Depends(caller_who_may("backup"))]


async def _opened(request: Request) -> Engine:
    """Return the engine as who sent a request sees it, which names nothing unknown; opened in a thread."""
    await known.check(request)
    found: Engine = await run_in_threadpool(request.app.state.engine_of)
    return found


Seen = Annotated[Engine, Depends(_opened)]
"""The engine as whoever sent the request at work sees it: the only way an address has. Named behind the caller, who is refused first."""


def as_seen(engine_of: Callable[[], Engine]) -> Callable[[], Engine]:
    """Return the way to the engine as whoever sent the request at work sees it: the only way an address has."""
    return lambda: engine_of().seen_by(CALLING.get())


def name_of(caller: User) -> str | None:
    """Return what is kept of a caller beside an answer: nothing of one who is not known."""
    return keeper(caller) if isinstance(caller, TokenBearer) else None
