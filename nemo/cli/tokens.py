"""``token``: what programs show to be let in (接口令牌)."""

from __future__ import annotations

import datetime as dt
from contextlib import AbstractContextManager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nemo.cli.frame import Json, Library, app, print_result
from nemo.errors import BadRequestError

if TYPE_CHECKING:
    from nemo.access import TokenService
    from nemo.accounts import Role
    from nemo.store.catalogue.rows import TokenRow

group = typer.Typer(no_args_is_help=True, help="接口令牌：查看首个令牌，新建、列出、吊销。程序运行时也可使用。")
app.add_typer(group, name="token")


def _tokens(library: Path | None) -> AbstractContextManager[TokenService]:
    from nemo import access, settings

    return access.token_service(settings.load(library=library))


@group.command()
def show(library: Library = None, as_json: Json = False) -> None:
    """显示首次启动时生成的令牌；没有则生成。"""
    with _tokens(library) as token_service:
        token = token_service.first()
    gone = "首个令牌已吊销或不在本机，不能再显示。请用 python -m nemo token make 新建。"
    print_result({"token": token}, [token or gone], as_json)


@group.command()
def make(
    name: Annotated[str, typer.Argument(help="用途，如 夜间入库")],
    role: Annotated[str, typer.Option("--role", help="reader、analyst、reviewer 或 admin")] = "reader",
    days: Annotated[int | None, typer.Option("--days", help="有效天数；不写则长期有效")] = None,
    library: Library = None,
    as_json: Json = False,
) -> None:
    """新建一个令牌并打印它：只显示这一次，库中只存散列。"""
    from nemo.accounts import OPERATOR

    with _tokens(library) as token_service:
        token = token_service.make(name, _role(role), OPERATOR, days)
    made = {"name": name.strip(), "role": role.lower(), "token": token}
    print_result(made, [token, "请现在保存，以后不能再显示。请求头：Authorization: Bearer <令牌>"], as_json)


def _role(text: str) -> Role:
    from nemo.accounts import Role

    if text.upper() not in Role.__members__:
        raise BadRequestError(f"--role 应为 {'、'.join(r.name.lower() for r in Role)} 之一。请改正。")
    return Role[text.upper()]


@group.command(name="list")
def list_(library: Library = None, as_json: Json = False) -> None:
    """列出全部令牌：用途、角色、由谁新建、是否有效。"""
    with _tokens(library) as token_service:
        rows = [_row(row) for row in token_service.all()]
    lines = []
    for row in rows:
        made = f"{row['by']} 于 {row['at']:%Y-%m-%d}" + (f"，至 {row['ends']:%Y-%m-%d}" if row["ends"] else "")
        lines.append(f"{row['number']}  {row['name']}  {row['role']}  {made}  {row['state']}")
    print_result({"tokens": rows}, [*lines, f"共 {len(rows)} 个"], as_json)


def _row(row: TokenRow) -> dict[str, Any]:
    state = "有效" if row.valid(dt.datetime.now(dt.UTC)) else "已吊销" if row.revoked_at else "已过期"
    return {**asdict(row), "state": state}


@group.command()
def revoke(
    token: Annotated[str, typer.Argument(help="编号或名称", metavar="NUMBER|NAME")],
    library: Library = None,
    as_json: Json = False,
) -> None:
    """吊销一个令牌；立即生效。"""
    from nemo.accounts import OPERATOR

    with _tokens(library) as token_service:
        gone = token_service.revoke(token, OPERATOR)
    revoked = {"revoked": gone.number, "name": gone.name}
    print_result(revoked, [f"已吊销令牌 {gone.number}（{gone.name}）"], as_json)
