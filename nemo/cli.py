"""The command line: ``python -m nemo …``. With ``--json`` stdout carries one JSON object and nothing else."""

from __future__ import annotations

import datetime as dt
import json
import logging
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from rich.table import Table

from nemo import export
from nemo import settings as setting
from nemo.engine import Engine
from nemo.errors import BadRequestError, NemoError, NotFoundError
from nemo.ingest import Progress, Report
from nemo.types import Answer, Reason

app = typer.Typer(add_completion=False, no_args_is_help=True, help="Nemo：中国能源项目法规逐字引文问答。")
out = Console(highlight=False, markup=False, width=None if sys.stdout.isatty() else 200)
err = Console(stderr=True, highlight=False, markup=False)
log = logging.getLogger("nemo")

Library = Annotated[Path | None, typer.Option("--library", help="资料库文件夹，默认 data/var 或 NEMO_LIBRARY")]
Json = Annotated[bool, typer.Option("--json", help="只在标准输出打印一个 JSON 对象")]
Province = Annotated[str | None, typer.Option("--province", help="省份代码：gd sd nm cn …")]
Asset = Annotated[str | None, typer.Option("--asset", help="资产代码：solar coal wind")]
DocClass = Annotated[str | None, typer.Option("--doc-class", help="类别代码：grid permit technical …")]
AsOf = Annotated[str | None, typer.Option("--as-of", help="按哪一天判断效力，如 2026-11-20；默认今天")]


@contextmanager
def opened(library: Path | None) -> Iterator[Engine]:
    """Open the engine on a library and close it whatever happens."""
    engine = Engine.open(setting.load(library=library))
    try:
        yield engine
    finally:
        engine.close()


def show_json(value: Any) -> None:
    """Print one JSON object on stdout."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, default=str) + "\n")


@app.command()
def ingest(
    paths: Annotated[list[Path], typer.Argument(help="文件或文件夹", metavar="PATH…")],
    manifest: Annotated[Path | None, typer.Option("--manifest", help="已知事实的清单，JSONL")] = None,
    province: Province = None,
    asset: Asset = None,
    doc_class: DocClass = None,
    library: Library = None,
    as_json: Json = False,
) -> None:
    """把文件或文件夹入库；失败的文件逐个列出原因，其余照常入库。"""
    stated = {"province": province, "assets": [asset] if asset else None, "doc_class": doc_class}
    facts = {name: value for name, value in stated.items() if value is not None}
    with opened(library) as engine, _bar() as progress:
        report = engine.ingest(paths, manifest=manifest, facts=facts, progress=progress)
    if as_json:
        show_json(report_json(report))
    else:
        _print_report(report)
    if report.of("failed") and not (report.of("stored") or report.of("replaced") or report.of("unchanged")):
        raise typer.Exit(4)


@contextmanager
def _bar() -> Iterator[Any]:
    """Yield a callback that draws files, chunks, rate and remaining time on stderr."""
    columns = (
        TextColumn("入库"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[chunks]} 片段 · {task.fields[rate]:.1f} 件/秒 · 剩余"),
        TimeRemainingColumn(),
        TextColumn("{task.description}"),
    )
    with Bar(*columns, console=err, transient=True) as bar:
        task = bar.add_task("", total=None, chunks=0, rate=0.0)

        def update(p: Progress) -> None:
            rate = p.done / p.seconds if p.seconds else 0.0
            bar.update(task, completed=p.done, total=p.total, description=p.name[:40], chunks=p.chunks, rate=rate)

        yield update


def report_json(report: Report) -> dict[str, Any]:
    """Return a report as plain data."""
    names = ("stored", "replaced", "unchanged", "failed")
    return {
        "counts": {name: len(report.of(name)) for name in names},
        "chunks": report.chunks,
        "seconds": round(report.seconds, 2),
        "unknown_fields": list(report.unknown_fields),
        "files": [
            {
                "name": o.name,
                "state": o.state,
                "regulation_ids": list(o.regulation_ids),
                "titles": list(o.titles),
                "reason": o.reason,
                "tips": list(o.tips),
                "faults": o.faults,
            }
            for o in report.outcomes
        ],
    }


def _print_report(report: Report) -> None:
    counts = [len(report.of(s)) for s in ("stored", "replaced", "unchanged", "failed")]
    out.print("入库 {} 件，替换 {} 件，未变 {} 件，失败 {} 件；".format(*counts), end="")
    out.print(f"{report.chunks} 个片段，用时 {report.seconds:.1f} 秒。")
    for outcome in report.of("failed"):
        out.print(f"失败：{outcome.name} — {outcome.reason}")
    if report.unknown_fields:
        out.print(f"清单中以下字段不认识，已作为备注保存：{'、'.join(report.unknown_fields)}")
    if report.of("failed"):
        out.print("失败的文件已保留，可在“上传入库”页查看、重试或忽略。")


@app.command()
def ask(
    question: Annotated[str, typer.Argument(help="要查的问题")],
    province: Province = None,
    asset: Asset = None,
    doc_class: DocClass = None,
    as_of: AsOf = None,
    library: Library = None,
    as_json: Json = False,
) -> None:
    """提问：给出逐字引文与出处；没有依据则拒答并说明原因。"""
    with opened(library) as engine:
        answer = engine.ask(question, province=province, asset=asset, doc_class=doc_class, day=day_of(as_of))
    if as_json:
        show_json(export.answer_json(answer))
    else:
        _print_answer(answer)
    if answer.refusal is not None and answer.refusal.reason is Reason.BAD_QUESTION:
        raise typer.Exit(BadRequestError.exit_code)


def day_of(text: str | None) -> dt.date | None:
    """Read a day.

    Raises:
        BadRequestError: it is no date of the form 2026-11-20.
    """
    if text is None or text == "":
        return None
    try:
        return dt.date.fromisoformat(text)
    except ValueError as error:
        raise BadRequestError(f"日期无效：{text}。请写成 2026-11-20 这样的形式。") from error


def _print_answer(answer: Answer) -> None:
    out.print(export.answer_zh(answer), soft_wrap=True)
    for index, quote in enumerate(answer.quotes):
        c = quote.citation
        status = f"{c.status.value}（{c.day}）"
        number = f" · {c.document_number}" if c.document_number else ""
        basis = f"，依据：{c.effective_basis}" if c.effective_basis else ""
        out.print(
            f"{export.sign(index)} {c.level or '级别未知'}{number} · {status}{basis} · {export.verification(quote)}",
            soft_wrap=True,
        )
        if quote.before_text:
            out.print(f"   上文：{quote.before_text}", soft_wrap=True)
        if quote.after_text:
            out.print(f"   下文：{quote.after_text}", soft_wrap=True)
    out.print(f"（把握 {answer.confidence.overall:.2f}，用时 {answer.elapsed_ms:.0f} 毫秒，编号 {answer.trace_id}）")
    for note in answer.degraded:
        out.print(f"注意：{note}")


@app.command()
def batch(
    questions: Annotated[
        Path, typer.Argument(help="问题文件，JSONL，每行含 question，可含 province、asset、doc_class、as_of")
    ],
    output: Annotated[Path | None, typer.Option("-o", "--output", help="答案文件；默认标准输出")] = None,
    library: Library = None,
) -> None:
    """逐行回答一个 JSONL 文件；答案带回问题的 id。"""
    rows = _rows(questions)
    with opened(library) as engine:
        lines = [json.dumps(_answered(engine, row), ensure_ascii=False) for row in rows]
    text = "\n".join(lines) + "\n"
    if output is None:
        sys.stdout.write(text)
    else:
        output.write_text(text, "utf-8")
        err.print(f"已回答 {len(lines)} 个问题，写入 {output}")


def _rows(path: Path) -> list[dict[str, Any]]:
    if not path.is_file():
        raise NotFoundError(f"问题文件不存在：{path}。请检查路径。")
    rows = []
    for number, line in enumerate(path.read_text("utf-8-sig").splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise BadRequestError(f"{path.name} 第 {number} 行不是 JSON。每行应为一个 JSON 对象。") from error
        if not isinstance(row, dict) or not isinstance(row.get("question"), str):
            raise BadRequestError(f"{path.name} 第 {number} 行缺少 question。")
        rows.append(row)
    return rows


def _answered(engine: Engine, row: dict[str, Any]) -> dict[str, Any]:
    """Answer one line; what is wrong with one question is said on its own line."""
    try:
        answer = engine.ask(
            row["question"],
            province=row.get("province"),
            asset=row.get("asset"),
            doc_class=row.get("doc_class"),
            day=day_of(row.get("as_of")),
        )
    except BadRequestError as error:
        return {
            "id": row.get("id"),
            "refused": True,
            "citations": [],
            "ranked": [],
            **export.error_json(error, trace()),
        }
    return {"id": row.get("id"), **export.answer_json(answer)}


SHOWN = {
    "title": "名称",
    "id": "编号",
    "document_number": "文号",
    "issuer": "发布机关",
    "level": "级别",
    "province": "地域",
    "promulgated": "公布",
    "first_effective": "原始施行",
    "effective_date": "本版本施行",
    "ends": "失效",
    "as_of": "判断日",
    "status": "时效",
    "file": "文件",
}
"""Fields of ``show`` and their Chinese names."""


@app.command()
def show(
    regulation: Annotated[str, typer.Argument(help="法规编号或名称")],
    article: Annotated[str | None, typer.Option("--article", help="条，如 第六条")] = None,
    as_of: AsOf = None,
    library: Library = None,
    as_json: Json = False,
) -> None:
    """显示一部法规或其中一条在某日的文本与时效。"""
    with opened(library) as engine:
        view = engine.show(regulation, article=article, day=day_of(as_of))
    if as_json:
        show_json(view)
        return
    for name, label in SHOWN.items():
        out.print(f"{label}：{view[name] if view[name] is not None else '—'}", soft_wrap=True)
    out.print()
    for provision in view["provisions"]:
        out.print(f"〔{provision['path']}〕" if provision["path"] else "〔正文〕", style="bold")
        out.print(provision["text"], soft_wrap=True)


@app.command(name="list")
def list_(library: Library = None, as_json: Json = False) -> None:
    """列出库内法规。"""
    with opened(library) as engine:
        rows = engine.listing()
    if as_json:
        show_json({"regulations": rows})
        return
    table = Table("编号", "名称", "版本", "级别", "省", "类别", "时效", "条")
    for row in rows:
        values = (
            row[k] for k in ("id", "title", "version_date", "level", "province", "doc_class", "status", "articles")
        )
        table.add_row(*("" if v is None else str(v) for v in values))
    out.print(table)
    out.print(f"共 {len(rows)} 部")


@app.command()
def remove(
    regulation: Annotated[str, typer.Argument(help="法规编号")], library: Library = None, as_json: Json = False
) -> None:
    """删除一部法规及其全部索引。"""
    with opened(library) as engine:
        title = engine.remove(regulation)
    if as_json:
        show_json({"removed": regulation, "title": title})
    else:
        out.print(f"已删除《{title}》（{regulation}）")


@app.command()
def reindex(library: Library = None, as_json: Json = False) -> None:
    """用目录库重建全部索引。"""
    with opened(library) as engine, _bar() as progress:
        count = engine.reindex(progress)
    if as_json:
        show_json({"chunks": count})
    else:
        out.print(f"已重建索引：{count} 个片段")


@app.command()
def verify(library: Library = None, as_json: Json = False) -> None:
    """核对：重切每条引文、逐项比对索引与目录、校验原始文件；有差异则退出码非零。"""
    with opened(library) as engine:
        differences = engine.verify()
    if as_json:
        show_json({"ok": not differences, "differences": [str(d) for d in differences]})
    elif differences:
        for difference in differences:
            out.print(f"差异：{difference}", soft_wrap=True)
        out.print("请运行 python -m nemo reindex 重建索引；原始文件受损的请重新上传。")
    else:
        out.print("核对通过：引文、索引与原始文件一致。")
    if differences:
        raise typer.Exit(1)


@app.command()
def evaluate(
    golden: Annotated[Path, typer.Argument(help="金标集文件夹，形式同 data/golden")],
    library: Library = None,
    as_json: Json = False,
) -> None:
    """在金标集上评测并打印指标。"""
    with opened(library) as engine:
        result = engine.evaluate(golden)
    if as_json:
        show_json(result)
        return
    for name, block in result.items():
        if isinstance(block, dict):
            out.print(name + "  " + "  ".join(f"{k} {_figure(v)}" for k, v in block.items() if not isinstance(v, list)))


def _figure(value: Any) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)


@app.command()
def demo(
    if_empty: Annotated[bool, typer.Option("--if-empty", help="资料库已有内容时什么也不做")] = False,
    library: Library = None,
    as_json: Json = False,
) -> None:
    """载入演示资料库（演示文本），并打印一个真实提问的答案。"""
    with opened(library) as engine:
        if if_empty and engine.statistics().regulations:
            return
        with _bar() as progress:
            engine.load_samples(progress)
        question = engine.sample_question()
        answer = engine.ask(**question)
    if as_json:
        show_json(export.answer_json(answer))
        return
    out.print(f"问：{question['question']}")
    _print_answer(answer)


@app.command()
def serve(
    port: Annotated[int, typer.Option("--port", help="端口")] = 8501,
    host: Annotated[str, typer.Option("--host", help="监听地址")] = "127.0.0.1",
    library: Library = None,
) -> None:
    """启动网页应用（一个进程拥有资料库，可供多个浏览器使用）。"""
    import os

    project = setting.PROJECT
    if library is not None:
        os.environ["NEMO_LIBRARY"] = str(library)
    command = [sys.executable, "-m", "streamlit", "run", str(project / "app.py")]
    command += ["--server.port", str(port), "--server.address", host]
    os.chdir(project)
    os.execv(sys.executable, command)  # noqa: S606  (our own interpreter and arguments)


def trace() -> str:
    """Return a new trace id."""
    return f"nemo-{dt.date.today():%Y%m%d}-{uuid.uuid4().hex[:8]}"


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit code; every error becomes a message with the next step."""
    args = sys.argv[1:] if arguments is None else arguments
    as_json = "--json" in args
    try:
        logging.basicConfig(level=setting.load().log_level, stream=sys.stderr)
        result = app(args, standalone_mode=False)
        return result if isinstance(result, int) else 0
    except NemoError as error:
        _print_error(error, as_json)
        return error.exit_code
    except (typer.Abort, KeyboardInterrupt):
        err.print("已中断；已入库的内容完整保留。")
        return 130
    except Exception as error:  # noqa: BLE001  (one of the four borders: the command line's last handler)
        return _unexpected(error, as_json)


def _unexpected(error: Exception, as_json: bool) -> int:
    show = getattr(error, "show", None)  # click's usage errors know how to present themselves
    if show is not None:
        show(file=sys.stderr)
        return BadRequestError.exit_code
    trace_id = trace()
    log.exception("unexpected error, trace %s", trace_id)
    _print_error(NemoError(f"内部错误（编号 {trace_id}），详情见日志。请把编号与操作步骤告知管理员。"), as_json)
    return NemoError.exit_code


def _print_error(error: NemoError, as_json: bool) -> None:
    if as_json:
        show_json(export.error_json(error, trace()))
        return
    err.print(f"错误：{error.message}")
    for tip in error.tips:
        err.print(f" • {tip}")
