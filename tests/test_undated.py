"""Versions whose start is inferred are listed as work, and leave the list when the amendment decision is held (施行日期待核)."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nemo import cli, settings
from nemo.engine import Engine

LAW = """山东省演示航标条例

（2010年5月28日山东省人民代表大会常务委员会通过　根据2020年3月1日山东省人民代表大会常务委员会《关于修改〈山东省演示航标条例〉的决定》修正）

第一条 为了演示施行日期待核，制定本条例。

第二条 航标应当每年检修一次。

第三条 本条例自2010年8月1日起施行。
"""
DECISION = """关于修改《山东省演示航标条例》的决定

（2020年3月1日山东省人民代表大会常务委员会通过）

山东省人民代表大会常务委员会决定对《山东省演示航标条例》作如下修改：

一、将第二条修改为：“航标应当每年检修一次。”

本决定自2020年6月1日起施行。
"""
PLAIN = """演示浮标办法

第一条 为了演示载明的施行日期，制定本办法。

第二条 浮标应当编号。

第三条 本办法自2015年1月1日起施行。
"""


def listed(library: Path) -> tuple[list[str], str]:
    def run(*more: str) -> str:
        return CliRunner().invoke(cli.app, ["undated", "--library", str(library), *more]).stdout

    return [row["title"] for row in json.loads(run("--json"))["undated"]], run()


@pytest.mark.parametrize(
    ("remark", "texts", "expected"),
    [
        ("an amended text without its decision", {"law": LAW, "plain": PLAIN}, ["山东省演示航标条例"]),
        ("its decision is held", {"law": LAW, "decision": DECISION}, []),
        ("a text that states its day", {"plain": PLAIN}, []),
    ],
)
def test_what_is_listed(tmp_path: Path, remark: str, texts: dict[str, str], expected: list[str]) -> None:
    for name, text in texts.items():
        (tmp_path / f"{name}.txt").write_text(text, "utf-8")
    with Engine.open(settings.load(library=tmp_path / "library", workers=0)) as engine:
        engine.ingest([tmp_path / f"{name}.txt" for name in texts])
    titles, told = listed(tmp_path / "library")
    assert titles == expected, remark
    assert ("推定 2020-03-01" in told and "请上传修改决定" in told) if expected else "没有施行日期待核" in told, remark
