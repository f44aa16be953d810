"""What the app needs before it opens a library, each in a process of its own (进程)."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import page_library

ROOT = Path(__file__).resolve().parent.parent
OLD = "import sqlite3, sys\nsqlite3.sqlite_version_info, sqlite3.sqlite_version = (3, 34, 1), '3.34.1'\n"
"""As on a host with an old system library."""


def told(script: str, library: Path | None = None) -> str:
    env = os.environ | ({"NEMO_LIBRARY": str(library)} if library else {})
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=env, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.mark.skipif(importlib.util.find_spec("pysqlite3") is None, reason="pysqlite3-binary is for Linux on x86-64")
def test_an_old_sqlite_is_replaced_before_chroma_sees_it(tmp_path: Path) -> None:
    script = OLD + (
        "from pathlib import Path\nfrom nemo.ui.shared import process\nprocess.renew_sqlite()\n"
        "import chromadb, sqlite3\nassert sqlite3.__name__ == 'pysqlite3', sqlite3\n"
        "from nemo import settings\nfrom nemo.engine import Engine\n"
        f"with Engine.open(settings.load(library=Path({str(tmp_path / 'lib')!r}), workers=0)) as engine:\n"
        "    assert engine.library.rows() == ()\n"
    )
    told(script)


def test_a_new_sqlite_is_left_alone() -> None:
    told(
        "import sqlite3, sys\nfrom nemo.ui.shared import process\nprocess.renew_sqlite()\n"
        "assert sys.modules['sqlite3'] is sqlite3 and 'pysqlite3' not in sys.modules\n"
    )


def test_a_missing_replacement_is_told() -> None:
    told(
        OLD
        + "sys.modules['pysqlite3'] = None\nfrom nemo.errors import MissingDependencyError\nfrom nemo.ui.shared import process\n"
        "try:\n    process.renew_sqlite()\nexcept MissingDependencyError as error:\n    assert '3.34.1' in error.message\n"
        "else:\n    raise AssertionError\n"
    )


def test_memory_calls_are_harmless_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    from nemo.ui.shared import process

    process.keep_memory_together()
    process.give_back_memory()
    monkeypatch.setattr(process.platform, "libc_ver", lambda: ("", ""))
    process.keep_memory_together()
    process.give_back_memory()


def test_pages_load_no_list_of_emoji_and_no_heavy_library(tmp_path: Path) -> None:
    """Streamlit would compile the list, for a tenth of a second, to look for one in front of every filter's name."""
    told(
        "import sys\nfrom streamlit.testing.v1 import AppTest\n"
        f"page = AppTest.from_file({str(ROOT / 'app.py')!r}, default_timeout=300).run()\n"
        "assert not page.exception and [group.label for group in page.button_group][1:] == ['能源类型', '文件类别']\n"
        "assert 'streamlit.emojis' not in sys.modules\n"
        "for stem in ('intake', 'library', 'system'):\n    page.switch_page(f'pages/{stem}.py').run()\n    assert not page.exception\n"
        "bad = {'torch', 'sentence_transformers', 'transformers', 'chromadb'} & set(sys.modules)\nassert not bad, bad\n",
        page_library.build(tmp_path),
    )


def test_after_a_start_garbage_is_collected_again() -> None:
    told(
        "import gc\nfrom nemo.ui.shared import process\n"
        "try:\n    with process.start():\n        assert not gc.isenabled()\n        raise ValueError\n"
        "except ValueError:\n    assert gc.isenabled() and gc.get_freeze_count() > 0\n"
    )
