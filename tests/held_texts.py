"""A library of a few invented texts, as most tests need one (演示文本)."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from nemo import settings
from nemo.engine import Engine


@contextmanager
def holding(folder: Path, texts: Mapping[str, str], manifest: str | None = None, **more: object) -> Iterator[Engine]:
    """Open a library of texts by their file names; ``more`` are settings. Files are read in this process."""
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    if manifest is not None:
        (folder / "manifest.jsonl").write_text(manifest, "utf-8")
    with Engine.open(settings.load(library=folder / "library", **{"workers": 0, **more})) as engine:
        report = engine.ingest([folder / name for name in texts], folder / "manifest.jsonl" if manifest else None)
        assert not report.of("failed"), report
        yield engine
