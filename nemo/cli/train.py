"""``train``: the built-in models tuned on this library and labelled questions (训练)."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from nemo.cli.frame import Json, Library, app, err, opened, print_result
from nemo.errors import BadRequestError


@app.command()
def train(
    more: Annotated[list[Path] | None, typer.Argument(help="更多题目文件（可紧跟在 --questions FILE 之后）")] = None,
    questions: Annotated[list[Path] | None, typer.Option("--questions", help="标注问题 JSONL，可多个")] = None,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="随机抽取至多这么多题")] = None,
    seed: Annotated[int, typer.Option("--seed", help="随机种子；同样的题与种子得到同样的模型")] = 7,
    embedder: Annotated[bool, typer.Option("--embedder/--no-embedder", help="也调优内置向量模型")] = True,
    opinions: Annotated[bool, typer.Option("--opinions/--no-opinions", help="也学习库内的复核结论与评价")] = True,
    dry: Annotated[bool, typer.Option("--dry-run", help="只对比，不装入")] = False,
    reset: Annotated[bool, typer.Option("--reset", help="撤销本库训练过的模型，恢复随程序的模型")] = False,
    library: Library = None,
    as_json: Json = False,
) -> None:
    """在本库上用标注问题训练重排与向量模型；与随程序的模型对比，只在更好时装入本库。"""
    files = [*(questions or []), *(more or [])]
    if reset:
        if files:
            raise BadRequestError("--reset 撤销训练，不能与题目文件一起使用。请分两次运行。")
        _reset(library, as_json)
        return
    from nemo.train import TrainingOptions

    wanted = TrainingOptions(limit, seed, embedder, opinions, dry)
    with opened(library) as engine, _bar() as progress:
        report = engine.training.train(files, wanted, progress)
    chunks = _embed(library) if report.installed else 0
    print_result(report.as_json() | {"embedded_chunks": chunks}, report.lines(), as_json)


def _reset(library: Path | None, as_json: bool) -> None:
    """Remove the models without opening the library: one of them may be what keeps it from opening."""
    from nemo import settings
    from nemo import train as training

    gone = training.reset(settings.load(library=library))
    if gone:
        _embed(library)
    said = f"已撤销：{'、'.join(gone)}，恢复随程序的模型。" if gone else "本库没有训练过的模型。"
    print_result({"removed": gone}, [said], as_json)


def _embed(library: Path | None) -> int:
    """Open the library with the models it has now and embed what has no vectors of them; return the chunks of it."""
    with opened(library) as engine, _bar() as progress:
        return engine.intake.embed_missing(lambda done, total: progress("重新向量化", done, total))


@contextmanager
def _bar() -> Iterator[Any]:
    """Yield a callback that draws the present step on stderr."""
    from rich.progress import Progress

    with Progress(console=err, transient=True) as shown:
        task = shown.add_task("准备", total=None)

        def progress(what: str, done: int, total: int) -> None:
            shown.update(task, description=what, completed=done, total=total)

        yield progress
