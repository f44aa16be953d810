"""What people install: a wheel that carries everything, a console script, five lines of Python (安装)."""

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import nemo
from nemo import open_library

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of this checkout, built by the backend that pyproject.toml names, without asking a registry."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        str(folder),
        ".",
    ]
    subprocess.run(command, cwd=ROOT, check=True, timeout=600)
    return next(folder.glob("nemo-*.whl"))


def test_the_wheel_carries_what_the_product_needs(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for needed in (
        "nemo/py.typed",
        "nemo/web/first.html",
        "nemo/ui/shared/style.css",
        "nemo/ui/shared/static/favicon.png",
        "nemo/installed/app.py",
        "nemo/installed/pages/ask.py",
        "nemo/installed/.streamlit/config.toml",
        "nemo/installed/data/rules/provinces.toml",
        "nemo/installed/data/models/ranker-zh/trees.onnx",
        "nemo/installed/data/samples/manifest.jsonl",
    ):
        assert needed in names, needed
    assert not [n for n in names if n.startswith(("tests", "benchmarks", "training")) or "data/var" in n]


def test_the_wheel_works_where_no_checkout_is(wheel: Path, tmp_path: Path) -> None:
    """Unpacked away from the checkout it finds its data, fills a library, answers and serves the library of the folder
    that it was started in.
    """
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    script = (
        "import nemo\nfrom nemo import open_library, settings\n"
        f"assert nemo.__file__.startswith({str(tmp_path)!r}), nemo.__file__\n"
        "with open_library('lib', workers=0) as library:\n"
        "    library.ingest([library.settings.samples], library.settings.samples / 'manifest.jsonl')\n"
        "    assert library.ask('分布式光伏并网要提交哪些资料', province='gd').quotes\n"
        "import os, pathlib\nfrom nemo import cli\nran, began = [], os.getcwd()\n"
        "os.execv = lambda _, command: ran.extend(command)\n"
        "assert cli.main(['serve']) == 0 and pathlib.Path(ran[4]).is_file(), ran\n"
        "assert os.environ['NEMO_LIBRARY'] == began + '/data/var', os.environ['NEMO_LIBRARY']\n"
    )
    command = [sys.executable, "-c", script]
    env = {"PYTHONPATH": str(tmp_path / "site"), "PATH": ""}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-2000:]


def test_the_wheel_names_the_command_and_what_it_needs(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    told = {Path(n).name: archive.read(n).decode() for n in archive.namelist() if ".dist-info/" in n}
    assert "nemo = nemo.cli:main" in told["entry_points.txt"]
    needs = re.findall(r"^Requires-Dist: ([\w-]+)[^;\n]*$", told["METADATA"], re.MULTILINE)
    assert "streamlit" in needs and "torch" not in needs and "lightgbm" not in needs
    assert {"models", "dev"} <= set(re.findall(r"^Provides-Extra: (\w+)$", told["METADATA"], re.MULTILINE))


def test_the_default_requirements_bring_no_torch() -> None:
    assert not re.search(
        r"torch|sentence|lightgbm|pytest", (ROOT / "requirements.txt").read_text("utf-8").split("\n", 2)[2]
    )


def test_five_lines_open_fill_and_ask(tmp_path: Path) -> None:
    """The example of the package's docstring, on a text of its own."""
    (tmp_path / "a.txt").write_text(
        "青石镇风车规定\n\n第一条 风车每季度检修一次。\n第二条 本规定自2020年1月1日起施行。\n", "utf-8"
    )
    with open_library(tmp_path / "lib", workers=0) as library:
        assert len(library.ingest([tmp_path / "a.txt"]).of("stored")) == 1
        assert library.ask("青石镇风车多久检修一次").quotes[0].text == "风车每季度检修一次。"
    assert "open_library" in nemo.__all__


def test_the_lines_of_the_readme_run_as_a_script(tmp_path: Path) -> None:
    """As they stand there, with worker processes, and with no guard around them."""
    lines = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    assert lines and "法规文件夹" in lines[1]
    (tmp_path / "法规文件夹").mkdir()
    text = "分布式光伏并网规定（演示文本）\n\n第一条 分布式光伏并网应当提交接线图和检测报告两份资料。\n\n第二条 本规定自2020年1月1日起施行。\n"
    (tmp_path / "法规文件夹" / "a.txt").write_text(text, "utf-8")
    (tmp_path / "script.py").write_text(lines[1], "utf-8")
    env = {**os.environ, "PYTHONPATH": str(ROOT), "NEMO_WORKERS": "1"}
    done = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=600
    )
    assert "第一条" not in done.stderr and "应当提交接线图和检测报告" in done.stdout, (done.stdout, done.stderr[-2000:])


def test_the_version_is_the_one_of_the_package() -> None:
    stated = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert nemo.__version__ == stated["project"]["version"]
