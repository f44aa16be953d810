"""The folder of an index while the index tidies it up."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nemo import settings
from nemo.errors import ConfigError, UnreadableDocumentError
from nemo.ingest.files import files_in, read_file
from nemo.store.files import disk
from nemo.store.search.approximate import probe


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


def test_a_folder_that_may_not_be_looked_into_is_refused_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither passed over in silence nor the end of a batch."""
    (tmp_path / "shut").mkdir()
    (tmp_path / "open.md").write_bytes(b"x")
    scan, access = os.scandir, os.access

    def scandir(folder: Any) -> Any:
        if Path(folder).name == "shut":
            raise PermissionError(13, "Permission denied", str(folder))
        return scan(folder)

    monkeypatch.setattr(os, "scandir", scandir)
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != "shut" and access(path, mode))
    found = files_in([tmp_path])
    assert [path.name for path in found] == ["open.md", "shut"]
    with pytest.raises(UnreadableDocumentError, match="没有读写权限"):
        read_file(found[1], 10)
    with pytest.raises(ConfigError, match=r"shut 无法读写：没有读写权限"):
        disk.require_readable(found[1])


def test_an_index_that_may_only_be_read_is_probed_in_a_copy_that_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "chroma" / "part").mkdir(parents=True)
    (tmp_path / "chroma" / "part" / "x").write_bytes(b"x")
    every = [tmp_path / "chroma" / "part" / "x", tmp_path / "chroma" / "part", tmp_path / "chroma"]
    for path in every:
        path.chmod(0o555)
    rights: list[int] = []

    def asked(folder: Path, *_: object) -> probe.Examination:
        rights.extend(path.stat().st_mode & 0o200 for path in (folder, *folder.rglob("*")))
        return probe.Examination()

    monkeypatch.setattr(probe, "asked", asked)
    probe.examine(tmp_path / "chroma", np.zeros(0), np.zeros((0, 2)))
    assert rights == [0o200] * 3
    for path in reversed(every):
        path.chmod(0o755)


def test_a_folder_that_may_not_be_read_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The models of the library are looked for before the library itself is opened."""

    def refused(_: Path) -> bool:
        raise PermissionError(13, "Permission denied")

    given = settings.load(library=tmp_path)
    monkeypatch.setattr(Path, "is_dir", refused)
    with pytest.raises(ConfigError, match=r"没有读写权限.*NEMO_LIBRARY"):
        given.model("static-zh-256")
