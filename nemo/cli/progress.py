"""The progress bar of long commands, on stderr."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from nemo.cli.frame import err

if TYPE_CHECKING:
    from nemo.types import Progress


@contextmanager
def bar() -> Iterator[Any]:
    """Yield a callback that draws files, chunks, rate and remaining time on stderr."""
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("入库"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[chunks]} 片段 · {task.fields[rate]:.1f} 件/秒 · 剩余"),
        TimeRemainingColumn(),
        TextColumn("{task.description}"),
    )
    with Bar(*columns, console=err, transient=True) as shown:
        task = shown.add_task("", total=None, chunks=0, rate=0.0)

        def update(p: Progress) -> None:
            rate = p.done / p.seconds if p.seconds else 0.0
            shown.update(task, completed=p.done, total=p.total, description=p.name[:40], chunks=p.chunks, rate=rate)

        yield update
