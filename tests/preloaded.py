"""What processes that fork others load before: most of what a start costs is the same for each of them (预先载入)."""

import gc
import importlib
import threading

LIBRARY = (
    "chromadb", "alembic.command", "alembic.ddl.sqlite", "sqlalchemy.dialects.sqlite", "sqlalchemy.ext.compiler",
    "chromadb.api.rust", "multiprocessing.reduction", "numpy.ma", "numpy.random", "psutil", "encodings.gb2312",
)  # fmt: skip
"""What a library loads when it is opened and written to."""

ENGINE = (*LIBRARY, "nemo.engine", "nemo.rerank.domain", "nemo.rerank.strangeness", "nemo.rerank.probe", "onnxruntime")
"""What an engine has loaded when it has answered a question."""


def preload(names: tuple[str, ...]) -> None:
    """Load modules in a process that is about to fork; none of them starts a thread or reads a setting."""
    for name in names:
        importlib.import_module(name)
    assert threading.active_count() == 1, "a process with threads must not be forked"
    gc.freeze()
