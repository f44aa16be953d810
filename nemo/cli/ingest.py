"""Commands of the way in: ``ingest`` (入库) and ``discover`` (采集)."""

import tempfile
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import typer

from nemo.cli.backend import GivenSources, reached
from nemo.cli.frame import Asset, DocClass, Json, Library, Province, app, opened, out, show_json
from nemo.cli.progress import bar
from nemo.errors import BadRequestError, UnreadableDocumentError


@app.command()
def ingest(
    sources: Annotated[
        list[str], typer.Argument(help="文件、文件夹、官方网站上的网址，或对象存储 s3://、gs://", metavar="PATH…")
    ],
    manifest: Annotated[Path | None, typer.Option("--manifest", help="已知事实的清单，JSONL")] = None,
    province: Province = None,
    asset: Asset = None,
    doc_class: DocClass = None,
    corpus: Annotated[
        list[str] | None, typer.Option("--corpus", help="放入这个资料集；只有能看到它的人能看到，可多次给出")
    ] = None,
    library: Library = None,
    as_json: Json = False,
) -> None:
    """把文件、文件夹或网址入库；失败的文件逐个列出原因，其余照常入库。网址须先设置 NEMO_DISCOVERY=1，且在官方来源名单内。"""
    from nemo import settings  # help needs none of these
    from nemo.ingest.objects import fetch, is_object

    if "" in sources:
        raise BadRequestError("参数 PATH 中有一个是空的。当前文件夹写作 .，请写明文件或文件夹。")
    stated = {"province": province, "assets": [asset] if asset else None, "doc_class": doc_class, "corpora": corpus}
    facts = {name: value for name, value in stated.items() if value is not None}
    addresses = [source for source in sources if source.startswith(("http://", "https://"))]
    paths = [Path(source) for source in sources if source not in addresses and not is_object(source)]
    with tempfile.TemporaryDirectory(prefix="nemo-objects-", ignore_cleanup_errors=True) as folder:
        given = settings.load(library=library)
        for number, source in enumerate(filter(is_object, sources)):
            paths += fetch(source, Path(folder) / str(number), given)
        with reached(library) as backend, bar() as progress:
            report = backend.ingest(GivenSources(paths, addresses, manifest, facts), progress)
    show_json(report) if as_json else _print_report(report)
    counts = report["counts"]
    if counts["failed"] and not any(count for state, count in counts.items() if state != "failed"):
        raise typer.Exit(UnreadableDocumentError.exit_code)


def _print_report(report: Mapping[str, Any]) -> None:
    """Print a report in the form of ``IngestReport.as_json``."""
    from nemo.text.words.invisible import marked

    out.print(
        "入库 {stored} 件，替换 {replaced} 件，未变 {unchanged} 件，失败 {failed} 件；".format(**report["counts"]),
        end="",
    )
    out.print(f"{report['chunks']} 个片段，用时 {report['seconds']:.1f} 秒。")
    failed = [outcome for outcome in report["files"] if outcome["state"] == "failed"]
    for outcome in failed:
        out.print(f"失败：{marked(outcome['name'])} — {outcome['reason']}")
    if report["unknown_fields"]:
        out.print(f"清单中以下字段不认识，已作为备注保存：{'、'.join(report['unknown_fields'])}")
    if failed:
        out.print("失败的文件已保留，可在“上传入库”页查看、重试或忽略。")


@app.command()
def discover(
    question: Annotated[str | None, typer.Argument(help="搜索词；不给则读取官方网站的栏目")] = None,
    province: Province = None,
    source: Annotated[list[str] | None, typer.Option("--source", help="来源代码，可多次给出；默认全部")] = None,
    library: Library = None,
    as_json: Json = False,
) -> None:
    """在官方来源名单内找线索：列出标题与网址，不下载正文；之后用 ingest 网址 入库。须先设置 NEMO_DISCOVERY=1。"""
    with opened(library) as engine:
        finder, held = engine.intake.finder(), {row.url for row in engine.regulations()}
        problems: list[dict[str, str]] = []
        if question:
            leads = finder.search(question, province=province)
        else:
            found = finder.leads(source or ())
            leads = list(found.leads)
            problems = [{"source": place.code, "name": place.name, "reason": why} for place, why in found.problems]
    fresh = [lead for lead in leads if lead.url not in held]
    if as_json:
        official = sum((urlsplit(lead.url).hostname or "").endswith(".gov.cn") for lead in fresh)
        summary = {"held": len(leads) - len(fresh), "government_sources": official, "problems": problems}
        show_json({"leads": [asdict(lead) for lead in fresh], **summary})
        return
    for lead in fresh:
        out.print(f"{lead.title}\n  {lead.url}")
    out.print(f"{len(fresh)} 条线索，另有 {len(leads) - len(fresh)} 条已在库中。用 python -m nemo ingest 网址 入库。")
    for problem in problems:
        out.print(f"未能读取：{problem['name']} — {problem['reason']}")
