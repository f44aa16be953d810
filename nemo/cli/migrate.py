"""``migrate-library``: the catalogue into another database, and back (搬迁)."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nemo.cli.frame import Json, Library, app, out, show_json

if TYPE_CHECKING:
    from nemo.engine import Engine
    from nemo.settings import Settings

QUESTIONS = 8
"""Asked on both sides: those that were asked last, and the first article of so many texts."""


@app.command(name="migrate-library")
def migrate_library(
    to: Annotated[
        str, typer.Option("--to", help="空数据库的地址 postgresql://…；sqlite 为搬回文件夹；- 从标准输入读地址")
    ],
    library: Library = None,
    as_json: Json = False,
) -> None:
    """把目录库搬到另一个数据库，原件不动；逐表核对行数与校验值、链首，并在两边各问几个问题比对答复。"""
    from nemo import settings
    from nemo.engine import Engine
    from nemo.errors import ConfigError
    from nemo.store import transfer

    to = sys.stdin.readline().strip() if to == "-" else to
    given = settings.load(library=library)
    with Engine.open(given) as engine:
        questions = _questions(engine)
        before = _answers(engine, questions)

    def check(moved: Settings) -> None:
        with Engine.open(moved) as engine:
            after = _answers(engine, questions)
            differences = [str(difference) for difference in engine.library.verify()]
        differing = [question for question in questions if before[question] != after[question]]
        if differing or differences:
            raise ConfigError(
                f"核对未通过：{len(differing)} 个问题的答复不同，{len(differences)} 处差异。原资料库没有改动，请照旧使用。",
                tips=(*differing[:3], *differences[:3]),
            )

    done = transfer.migrate(given, to, check)
    if as_json:
        show_json({"ok": True, **asdict(done), "questions": len(questions)})
        return
    out.print(
        f"已搬迁 {done.rows['regulations']} 部法规、{sum(done.rows.values())} 行；行数、校验值、链首与 {len(questions)} 个问题的"
        "答复两边一致。"
    )
    where = "不再设置 NEMO_DATABASE" if to == transfer.HERE else "把 NEMO_DATABASE 设为这个地址"
    out.print(f"从现在起请{where}。原来的目录库没有删除。")


def _questions(engine: Engine) -> list[str]:
    asked = [row.question for row in engine.library.answers.recent(QUESTIONS)]
    titles = [f"《{row.title}》第一条怎么规定？" for row in engine.regulations()[:QUESTIONS]]
    return list(dict.fromkeys([*asked, *titles]))


def _answers(engine: Engine, questions: list[str]) -> dict[str, dict[str, Any]]:
    """Return what is answered, without what differs from one time to the next; nothing of it is kept."""
    from nemo import export
    from nemo.answer.decision import AskedQuestion
    from nemo.types import Filters, today

    found = {}
    for question in questions:
        printed = export.answer_json(engine.compose(AskedQuestion(question, Filters()), today()))
        found[question] = {name: value for name, value in printed.items() if name not in ("trace_id", "elapsed_ms")}
    return found
