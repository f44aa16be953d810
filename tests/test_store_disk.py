"""The folder of an index while the index tidies it up."""

from pathlib import Path

import pytest

from nemo.store.files import disk


def test_a_file_that_goes_while_it_is_looked_at_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tantivy's threads remove merged segments at any moment: this once ended an ingesting process."""
    (tmp_path / "there").write_bytes(b"xy")
    monkeypatch.setattr(disk.os, "walk", lambda folder: [(str(folder), [], ["gone", "there", "state"])])
    table = disk.file_table(tmp_path, but="state")
    assert list(table) == ["there"] and table["there"][0] == 2


def test_files_of_subfolders_are_named_by_their_way(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "x").write_bytes(b"")
    (tmp_path / "a").write_bytes(b"")
    assert list(disk.file_table(tmp_path)) == ["a", "b/x"]
