"""The command ``audit``: every citation of a memo judged (合规意见审校)."""

import json
from pathlib import Path
from typing import Annotated

import typer

from nemo.cli.frame import AsOf, Json, Library, app, contents, out, output, show_json, text_of, write_out
from nemo.text.words.days import day_of


@app.command()
def audit(
    file: Annotated[Path, typer.Argument(help="文稿：.docx、.pdf、.txt、.md")],
    as_of: AsOf = None,
    word: Annotated[Path | None, output("--word", help="另存带批注的 Word 文件")] = None,
    excel: Annotated[Path | None, output("--excel", help="另存审校清单（.xlsx）")] = None,
    since: Annotated[
        Path | None, typer.Option("--since", help="上次的审校结果（JSON），另列出此后结论有变的引用，也写入另存的文件")
    ] = None,
    library: Library = None,
    as_json: Json = False,
) -> None:
    """审校一份文稿：逐处核对所引法规、条款、引文、数值、日期和机关。"""
    from nemo.audit import MemoVerdict, again
    from nemo.cli.backend import reached
    from nemo.types import RawDocument

    day = day_of(as_of)
    earlier = text_of(since) if since else None
    before = again.earlier(earlier.encode()) if earlier is not None else None
    raw = RawDocument.of(contents(file), file.name)
    with reached(library, read_only=True) as backend:
        found = json.loads(backend.audit(raw, day.isoformat() if day else None, "json"))
        for target, form in ((word, "docx"), (excel, "xlsx")):
            if target is not None:
                write_out(target, backend.audit(raw, found["as_of"], form, earlier))
    if as_json:
        show_json(again.compared(before, found) if before else found)
        return
    for change in again.changes(before, found) if before else ():
        out.print(f"〔{'变差' if change.worse else '有变'}：{change.said}〕{change.text}")
    for finding in found["findings"]:
        verdict = MemoVerdict(finding["verdict"])
        out.print(f"〔{verdict.said}〕{finding['text']}：{finding['message']}")
    counts = "，".join(f"{MemoVerdict(v).said} {n}" for v, n in found["counts"].items() if n)
    summary = f"：{counts}" if counts else "，未发现法规引用"
    out.print(f"按 {found['as_of']} 审校，共 {len(found['findings'])} 处引用{summary}")
