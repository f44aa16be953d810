"""Every format is read by the running server, as an upload of a program and of a person (各种格式经运行中的服务入库)."""

import builtins
import io
import json
import re
import subprocess
import urllib.request
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from parse_samples import NOTICE, TITLE, ofd, page_trs, pdf
from PIL import Image
from playwright.sync_api import sync_playwright
from test_parse_hostile import packed, word
from test_parse_ofd import sheets

from tests.browser import INGESTED, ROOT, Server, chromium, settle, visit


def scan() -> bytes:
    """A page as a picture, drawn by the PDF reader's own renderer."""
    import pypdfium2

    page = pypdfium2.PdfDocument(pdf(NOTICE[:4], [TITLE + "（扫描）"]))[0]
    whole = page.render(scale=200 / 72).to_pil().convert("L")
    return png(whole.crop((0, 0, whole.width, whole.height // 3)))  # what is blank costs as much as what is printed


def png(picture: Image.Image) -> bytes:
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def files() -> dict[str, bytes]:
    """One sound file of each format; no two are the same text."""

    def told(kind: str) -> list[str]:
        return [f"关于{kind}格式演示接入管理工作的通知", *NOTICE]

    return {
        "文字.pdf": pdf(NOTICE, [TITLE + "（版式）"]),
        "扫描.png": scan(),
        "文档.docx": word(),
        "版式.ofd": ofd(sheets(told("版式")[:5])),
        "网页.html": page_trs(),
        "文本.txt": "\n".join(told("文本")).encode("gb18030"),
        "标记.md": "\n\n".join(told("标记")).encode(),
        "打包.zip": packed({"内.txt": "\n".join(told("打包")).encode()}),
    }


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("server")
    started = Server(folder / "library", folder / "log.txt", env={"NEMO_API_TOKEN": "demo-token", "NEMO_WORKERS": "1"})
    yield started
    started.stop()


def post(server: Server, sent: dict[str, bytes]) -> dict[str, object]:
    mark = uuid.uuid4().hex
    parts = [
        f'--{mark}\r\nContent-Disposition: form-data; name="files"; filename="{name}"\r\n\r\n'.encode()
        + content
        + b"\r\n"
        for name, content in sent.items()
    ]
    request = urllib.request.Request(
        f"{server.url}/api/ingest",
        b"".join(parts) + f"--{mark}--\r\n".encode(),
        {"Content-Type": f"multipart/form-data; boundary={mark}", "Authorization": "Bearer demo-token"},
    )
    with urllib.request.urlopen(request, timeout=300) as reply:
        return dict(json.load(reply))


def test_every_format_by_the_interface(server: Server) -> None:
    report = post(server, files())
    told = {each["name"]: each for each in report["files"]}  # type: ignore[attr-defined, index]
    assert {name: each["state"] for name, each in told.items()} == dict.fromkeys(
        [*list(files())[:-1], "内.txt"], "stored"
    )


def test_a_workers_path_hides_nothing_of_the_standard_library_and_a_failed_start_is_logged() -> None:
    """Workers inherit the path of what starts them: with the folder of the served file on it, modules would be hidden."""
    code = "import sys, runpy; sys.argv=['x']; import nemo.web.server; print([p for p in sys.path if p.endswith('nemo/web')])"
    code += "\nfrom nemo.errors import ConfigError\ndef shut(): raise ConfigError('演示原因。')\n"
    code += "s = nemo.web.server; s.frame.opened = shut; s._prepared()"
    done = subprocess.run(
        [str(Path(__import__("sys").executable)), "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip().splitlines()[-1] == "[]"
    assert "资料库未能打开：演示原因。" in done.stderr, "why nothing is served stands in the log too"


def test_a_broken_import_is_no_advice_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    from nemo.parse.pdf import scan as reader

    def broken(name: str, *rest: object, **more: object) -> object:
        if name == "rapidocr":
            raise ModuleNotFoundError("No module named 'http.cookies'", name="http.cookies")
        return real(name, *rest, **more)  # type: ignore[arg-type]

    real = builtins.__import__
    monkeypatch.setattr(builtins, "__import__", broken)
    reader._engine.cache_clear()
    with pytest.raises(ModuleNotFoundError, match=r"http\.cookies"):
        reader._engine()


def test_a_scan_by_a_person_in_the_browser(server: Server) -> None:
    with Image.open(io.BytesIO(scan())) as picture:
        other = png(picture.crop((0, 0, picture.width * 4 // 5, picture.height)))
    with sync_playwright() as playwright:
        browser = chromium(playwright)
        with visit(browser) as page:
            page.goto(f"{server.url}/intake")
            settle(page)
            given = {"name": "人工扫描.png", "mimeType": "image/png", "buffer": other}
            page.locator("input[type=file]").set_input_files([given])
            page.get_by_role("button", name=re.compile("开始入库（1")).click()
            page.get_by_text(re.compile("已入库 1")).first.wait_for(timeout=INGESTED)
            assert "rapidocr" not in page.inner_text("body")
        browser.close()
