"""Commands of the way out: ``ask``, ``batch``, ``evaluate``, ``demo`` (提问、评测、演示)."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nemo.cli.backend import reached
from nemo.cli.frame import (
    AsOf,
    Asset,
    DocClass,
    Json,
    Library,
    Province,
    app,
    err,
    opened,
    out,
    output,
    show_json,
    text_of,
    trace,
    write_out,
)
from nemo.cli.progress import bar
from nemo.errors import BadRequestError, nearest
from nemo.text.words.days import day_of
from nemo.types import Filters
from nemo.types.plain import read_json

if TYPE_CHECKING:
    from nemo.engine import Engine


@app.command()
def ask(
    question: Annotated[str, typer.Argument(help="要查的问题")],
    province: Province = None,
    asset: Asset = None,
    doc_class: DocClass = None,
    as_of: AsOf = None,
    context: Annotated[str | None, typer.Option(help="上一答复的编号：本问是它的追问")] = None,
    mode: Annotated[
        str, typer.Option(help="检索方式：naive local global hybrid mix；后四种在答复之下加关联条款或全库统计")
    ] = "naive",
    corpus: Annotated[list[str] | None, typer.Option("--corpus", help="只在这个资料集中查找，可多次给出")] = None,
    top_k: Annotated[int | None, typer.Option("--top-k", help="引文与条文的条数上限，1 到 20")] = None,
    threshold: Annotated[float | None, typer.Option(help="向量距离（1 减余弦）上限，0 到 2")] = None,
    summary: Annotated[bool, typer.Option("--summary", help="在引文下附机器小结，须先设置 NEMO_SUMMARY")] = False,
    library: Library = None,
    as_json: Json = False,
) -> None:
    """提问：给出逐字引文与出处；没有依据则拒答并说明原因。"""
    day = day_of(as_of)
    asked = {
        "province": province,
        "asset": asset,
        "doc_class": doc_class,
        "as_of": day.isoformat() if day else None,
        "context": context,
        "mode": _mode(mode),
        "corpora": corpus or [],
        "top_k": top_k,
        "threshold": threshold,
        "summary": summary,
    }
    with reached(library) as backend:
        answer = backend.ask(question, asked)
    _show(answer, as_json)
    if answer["refused"] and answer["refusal"]["reason"] == "bad_question":
        raise typer.Exit(BadRequestError.exit_code)


def _mode(mode: str) -> str:
    if mode not in ("naive", "local", "global", "hybrid", "mix"):
        raise BadRequestError(f"没有检索方式“{mode}”。可选：naive、local、global、hybrid、mix。")
    return mode


def _show(answer: Mapping[str, Any], as_json: bool) -> None:
    """Print an answer in the form of ``export.answer_json``."""
    if as_json:
        show_json(answer)
    else:
        _print_answer(answer)


def _print_answer(answer: Mapping[str, Any]) -> None:
    from nemo.types import Status

    out.print(answer["answer_zh"])
    for c in answer["citations"]:
        status = f"{c.get('nature') or c['status']}（{answer['filters']['as_of']}）"
        number = f" · {c['document_number']}" if c["document_number"] else ""
        why = "原因" if c["status"] == Status.UNKNOWN.value else "依据"
        basis = f"，{why}：{c['status_evidence']}" if c["status_evidence"] else ""
        out.print(
            f"{c['citation_id']} {c['level'] or '级别未知'}{number} · {status}{basis} · {c['verification_status']}"
        )
        for name, words in (("上文", c["context_before"]), ("下文", c["context_after"])):
            if words:
                out.print(f"   {name}：{words}")
    for level in answer["hierarchy"]:
        titles = ["、".join(f"《{t}》" for t in level[side]) for side in ("first_titles", "second_titles")]
        out.print(
            f"位阶：{level['first']}{titles[0]}与{level['second']}{titles[1]}：{level['basis']}，{level['words']}"
        )
    if summary := answer.get("summary"):
        out.print("小结（" + summary["note"] + "）")
        for sentence in summary["sentences"]:
            out.print(f" • {sentence['text']}{''.join(sentence['citations'])}")
        if summary["refused"]:
            out.print(summary["refused"])
    for tip in answer["tips"]:
        out.print(f"提示：{tip}")
    if beside := answer.get("graph"):
        _print_beside(beside)
    sure, took = answer["confidence"]["overall"], answer["elapsed_ms"]
    out.print(f"（置信度 {sure:.2f}，用时 {took:.0f} 毫秒，编号 {answer['trace_id']}）")
    for note in answer["degraded"]:
        out.print(f"注意：{note}")


def _print_beside(beside: Mapping[str, Any]) -> None:
    """Print the related provisions and the counted table of a mode."""
    for one in beside["related"]:
        out.print(f"关联条款（{one['role']}）：《{one['title']}》{one['article']}，{one['status']}")
        out.print(f"   因{one['from']}：{one['because']['words']}")
    if table := beside["counted"]:
        from nemo.cli.graph import print_table

        print_table(table)
    if beside["unread"]:
        out.print(f"注意：{beside['unread']} 部法规尚未读入图谱。请运行 python -m nemo reindex。")


@app.command()
def batch(
    questions: Annotated[
        Path,
        typer.Argument(
            help="问题文件，JSONL，每行含 question，可含 province、asset、doc_class、as_of、previous（上一问）或 context（上一答复编号）、mode（检索方式）"
        ),
    ],
    to: Annotated[Path | None, output("-o", "--output", help="答案文件；默认标准输出")] = None,
    library: Library = None,
) -> None:
    """逐行回答一个 JSONL 文件；答案带回问题的 id。"""
    rows = _rows(questions)
    with opened(library) as engine:
        lines = [json.dumps(_answered(engine, row), ensure_ascii=False) for row in rows]
    text = "\n".join(lines) + "\n"
    if to is None:
        sys.stdout.write(text)
    else:
        write_out(to, text.encode())
        err.print(f"已回答 {len(lines)} 个问题，写入 {to}")


def _rows(path: Path) -> list[dict[str, Any]]:
    rows = []
    for number, line in enumerate(text_of(path).splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = read_json(line)
        except ValueError as error:
            raise BadRequestError(f"{path.name} 第 {number} 行不是 JSON。每行应为一个 JSON 对象。") from error
        if not isinstance(row, dict) or not isinstance(row.get("question"), str):
            raise BadRequestError(f"{path.name} 第 {number} 行缺少 question。")
        for name in row.keys() - set(
            _FIELDS
        ):  # a golden set has fields of its own; a misspelt filter would ask the whole nation
            if near := nearest(name, _FIELDS):
                raise BadRequestError(f"{path.name} 第 {number} 行的“{name}”无效，是否应为 {near}？请改正后重试。")
        rows.append(row)
    return rows


_FIELDS = (
    "question", "province", "asset", "doc_class", "as_of", "previous", "previous_question", "context", "mode", "corpora", "top_k",
    "threshold",
)  # fmt: skip


def _filters(row: Mapping[str, Any]) -> Filters:
    codes = (row.get("province"), row.get("asset"), row.get("doc_class"), day_of(row.get("as_of")))
    return Filters(*codes, tuple(row.get("corpora") or ()), row.get("top_k"), row.get("threshold"))


def _answered(engine: Engine, row: dict[str, Any]) -> dict[str, Any]:
    """Answer one line; what is wrong with one question is said on its own line."""
    from nemo import export

    try:
        filters = _filters(row)
        previous = row.get("previous") or row.get("previous_question")
        if previous:
            answer = engine.ask_after(str(previous), row["question"], filters)
        else:
            answer = engine.ask(row["question"], filters, context=row.get("context"))
    except BadRequestError as error:
        return {
            "id": row.get("id"),
            "refused": True,
            "citations": [],
            "ranked": [],
            **export.error_json(error, trace()),
        }
    return {"id": row.get("id"), **export.answer_json(answer), **engine.answers.beside(answer, row.get("mode"))}


@app.command()
def evaluate(
    golden: Annotated[Path, typer.Argument(help="金标集文件夹，形式同 data/golden")],
    since: Annotated[Path | None, typer.Option(help="上次 --json 或 --save 的结果：有题变差时列出并以 1 退出")] = None,
    save: Annotated[Path | None, output("--save", help="结果另存为这个 JSON 文件，供下次 --since")] = None,
    keep: Annotated[bool, typer.Option("--keep", help="结果留存在资料库：“评测”页可见，缺文本的题列入“缺口”")] = False,
    library: Library = None,
    as_json: Json = False,
) -> None:
    """在金标集上评测并打印指标、逐格指标和缺口。"""
    from nemo.evaluation.golden import turns

    before = _result(since) if since else {}
    with opened(library) as engine:
        result = engine.evaluation.evaluate(golden)
        if keep:
            engine.evaluation.keep(golden.resolve().name, result)
    if save:
        write_out(save, json.dumps(result, ensure_ascii=False).encode())
    if as_json:
        show_json(result)
    else:
        _print_measures(result)
    turned = turns(before, result)
    for turn in turned:
        was, is_ = (state.value if state else "–" for state in (turn.before, turn.after))
        err.print(f"{turn.block} {turn.question['id']} {turn.question['question']}：{was} → {is_}")
    if any(not turn.better for turn in turned):
        raise typer.Exit(1)


def _result(path: Path) -> dict[str, Any]:
    """Read what an earlier run printed with ``--json``."""
    try:
        found = read_json(text_of(path))
    except ValueError as error:
        raise BadRequestError(f"读不出上次的评测结果：{path}。请给出 evaluate --json 的输出。") from error
    if not isinstance(found, dict) or not all(isinstance(b, dict) and "questions" in b for b in found.values()):
        raise BadRequestError(f"{path} 不是评测结果。请给出 evaluate --json 的输出。")
    return found


def _print_measures(result: Mapping[str, Any]) -> None:
    for name, block in result.items():
        out.print(name + "  " + "  ".join(f"{k} {_figure(v)}" for k, v in block.items() if not isinstance(v, list)))
        for cell in block["cells"]:
            where = " / ".join(cell[part] or "–" for part in ("province", "asset", "doc_class"))
            out.print(f"  {where}  n {cell['n']}  right {cell['right']:.3f}  refused {cell['refused']:.3f}")
        for gap in block["gaps"]:
            lacks = f"《{gap['missing']}》" if gap["missing"] else gap["reason"]
            out.print(f"  缺口 {lacks}：{'、'.join(gap['questions'])}")


def _figure(value: Any) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)


@app.command()
def demo(
    if_empty: Annotated[bool, typer.Option("--if-empty", help="资料库已有内容时什么也不做")] = False,
    library: Library = None,
    as_json: Json = False,
) -> None:
    """载入演示资料库（演示文本），并打印一个真实提问的答案。"""
    from nemo import export
    from nemo.accounts import OPERATOR

    with opened(library) as engine:
        if if_empty and engine.statistics().regulations:
            return
        with bar() as progress:
            engine.intake.load_samples(progress, OPERATOR)
        question = engine.evaluation.sample_questions()[0]
        answer = engine.ask(**question)
    if not as_json:
        out.print(f"问：{question['question']}")
    _show(export.answer_json(answer), as_json)
