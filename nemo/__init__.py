"""Nemo: verbatim answers from Chinese energy regulation, or an honest refusal.

from nemo import open_library

with open_library("data/var") as library:
library.ingest(["法规文件夹"])
answer = library.ask("分布式光伏并网要提交哪些资料", province="gd")
print([quote.text for quote in answer.quotes] or answer.refusal)
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nemo.engine import Engine

__all__ = ["open_library"]

__version__ = "0.2.0"
"""As in pyproject.toml."""


def open_library(folder: str | Path | None = None, **settings: object) -> Engine:
    """Open a library, or create it; one process at a time may hold it.

    Args:
        folder: The library's folder; None takes ``NEMO_LIBRARY``, else ``data/var``.
        settings: Fields of :class:`nemo.settings.Settings`, e.g. ``workers=0``.

    Raises:
        ConfigError: a setting does not fit, another process holds the library, or a configured part cannot be loaded.
    """
    from nemo.engine import Engine  # a second of imports: who only looks at the package does not wait for it
    from nemo.settings import load

    return Engine.open(load(library=None if folder is None else Path(folder), **settings))
