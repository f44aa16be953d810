"""The library that pages are tested on: invented texts (演示文本), taken in by the real engine and copied for each test."""

import json
import shutil
from pathlib import Path

from nemo import settings
from nemo.engine import Engine
from tests.parse_samples import pdf

TITLE = "演示省光伏项目并网验收办法"
NEW = f"""{TITLE}（演示文本）
第一章 总则
第一条 为了演示并网验收，制定本办法。
第二条 项目单位申请并网验收，应当提交下列资料：（一）备案文件；（二）试验报告。但容量不足6千瓦的除外。
第二章 验收
第三条 电网企业应当自收到完整资料之日起10个工作日内组织并网验收。
前款规定的验收不合格的，应当一次性书面告知。
第五条 本办法自2025年6月1日起施行。2022年9月1日起施行的《{TITLE}》（演示规〔2022〕4号）同时废止。
"""
OLD = f"""{TITLE}（演示文本）
第一章 总则
第一条 为了演示并网验收，制定本办法。
第二条 项目单位申请并网验收，应当提交下列资料：（一）备案文件；（二）试验报告。但容量不足6千瓦的除外。
第二章 验收
第三条 电网企业应当自收到完整资料之日起20个工作日内组织并网验收。
验收不合格的，应当一次性书面告知。
第四条 本办法自2022年9月1日起施行。
"""
HOSTILE = """恶意样本（演示文本）
第一条 根据《演示<i>条例</i>》，制定本样本。恶意资料包括 <img src=x onerror="window.__x=1"> 10kV~35kV~ *注* :red[附件] $5 与 $6 之间，电压 >= 35kV。
第二条 <script>window.__x=2</script><b>恶意资料</b> A&amp;B 全角　空格  两个空格。
"""
_STATED = {"issuer": "演示省能源局", "province": "gd", "assets": ["solar"], "doc_class": "grid"}
NEW_FILE, OLD_FILE, HOSTILE_FILE = "新办法.pdf", "旧办法.md", "<img src=x onerror=alert(1)>.md"
FILES = {
    NEW_FILE: (None, {"title": TITLE, "document_number": "演示规〔2025〕4号", **_STATED}),
    OLD_FILE: (OLD, {"title": TITLE, "document_number": "演示规〔2022〕4号", **_STATED}),
    HOSTILE_FILE: (
        HOSTILE,
        {"title": "<b>恶意</b>![t](https://evil.invalid/t.png)", "province": "sd", "assets": ["wind"]},
    ),
    "坏文件.pdf": ("%PDF-1.4 nothing follows", {}),
    "<b>空<b>.txt": ("", {}),
}
"""By file: its text (of the PDF: ``NEW``, printed), and what the manifest states."""


def opened(folder: Path, **more: object) -> Engine:
    """Open the engine of a library, without processes of its own unless a test wants them."""
    return Engine.open(settings.load(library=folder, **{"workers": 0, **more}))


def one_text(folder: Path, text: str, *questions: str) -> Path:
    """Return a new library in ``folder`` that holds one text, with some questions asked and answered."""
    (folder / "办法.md").write_text(text, "utf-8")
    with opened(folder / "var") as engine:
        engine.intake.ingest([folder / "办法.md"])
        for question in questions:
            engine.ask(question)
    return folder / "var"


def build(folder: Path) -> Path:
    """Write the texts into ``samples`` and the golden set into ``golden``, ingest them; return the library's folder."""
    samples, library = folder / "samples", folder / "library"
    samples.mkdir(parents=True)
    for name, (text, _) in FILES.items():
        content = text.encode() if text is not None else pdf(NEW.splitlines()[1:], [TITLE], lines_per_page=8)
        (samples / name).write_bytes(content)
    lines = [json.dumps({"file": name, **facts}, ensure_ascii=False) for name, (_, facts) in FILES.items()]
    (samples / "manifest.jsonl").write_text("\n".join(lines), "utf-8")
    write_golden(folder, OLD_FILE)
    with opened(library, samples=samples) as engine:
        engine.intake.load_samples()
    return library


def write_golden(folder: Path, gold: str) -> None:
    """Write a golden set of one question, to be answered from the file ``gold``."""
    row = {"id": "q1", "question": "<b>并网</b>验收要交哪些资料？", "gold": [{"file": gold, "article": "第二条"}]}
    (folder / "golden").mkdir(exist_ok=True)
    (folder / "golden" / "golden.jsonl").write_text(json.dumps(row, ensure_ascii=False), "utf-8")


def copied(library: Path, folder: Path) -> Path:
    """Copy a library that nobody has open."""
    return shutil.copytree(library, folder, ignore=shutil.ignore_patterns("*.lock"))
