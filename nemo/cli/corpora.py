"""``corpus``: named subsets of the library (资料集), and ``search``: provisions by their chances (检索)."""

import datetime as dt
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from nemo.cli.backend import reached
from nemo.cli.frame import AsOf, Asset, DocClass, Json, Library, Province, app, out, print_result, show_json
from nemo.errors import BadRequestError
from nemo.text.words.days import day_of
from nemo.types import CHINA

group = typer.Typer(
    no_args_is_help=True, help="资料集：新建、列出、查看、修改、删除，增减其中的法规。程序运行时也可使用。"
)
app.add_typer(group, name="corpus")

Key = Annotated[str, typer.Argument(help="资料集的名称或编号")]
Texts = Annotated[list[str], typer.Argument(help="法规编号、文件名或名称")]
Description = Annotated[str | None, typer.Option("--description", help="说明")]
Embedder = Annotated[
    str | None, typer.Option("--embedder", help="向量模型：library（同资料库）、builtin、transformer、gemini")
]
Store = Annotated[str | None, typer.Option("--store", help="向量检索：library（同资料库）或 exact（始终精确计算）")]
Chunking = Annotated[
    str | None, typer.Option("--chunking", help="语义检索的切块：article（按条款）或字数 400、800、600/100")
]
SEEN_BY = {"private": "私有", "team": "团队", "public": "公开"}
"""As the help and the lines say it; the enumeration itself is not imported, so that help needs no database."""
Visible = Annotated[
    str | None, typer.Option("--visibility", help="、".join(f"{code} {name}" for code, name in SEEN_BY.items()))
]
People = Annotated[list[str] | None, typer.Option("--person", help="团队可见的人员，可多次给出")]
In = Annotated[list[str] | None, typer.Option("--corpus", help="只在这个资料集中查找，可多次给出")]

SHOWN = {
    "description": "说明", "owner": "所有者", "visibility": "可见范围", "people": "团队", "embedder": "向量模型", "store": "向量检索",
    "chunking": "切块", "documents": "法规", "articles": "条", "chunks": "片段", "mean_length": "平均字数",
    "searched_by_meaning": "已有向量", "sections": "章节", "provinces": "地域", "classes": "类别", "changed": "最近变动",
}  # fmt: skip


@group.command()
def create(
    name: Annotated[str, typer.Argument(help="名称")],
    description: Description = None,
    embedder: Embedder = None,
    store: Store = None,
    chunking: Chunking = None,
    visibility: Visible = None,
    person: People = None,
    library: Library = None,
    as_json: Json = False,
) -> None:
    """新建资料集；不能兑现的选项会被拒绝并说明原因。"""
    options = _stated(locals(), name=name)
    with reached(library) as backend:
        _show(backend.corpora("create", None, options), as_json)


@group.command(name="list")
def list_(library: Library = None, as_json: Json = False) -> None:
    """列出资料集及其统计。"""
    with reached(library) as backend:
        found = backend.corpora("list", None, {})
    lines = [
        f"{one['id']}  {one['name']}  法规 {one['documents']}，片段 {one['chunks']}，{SEEN_BY[one['visibility']]}，"
        f"{one['embedder']}，{one['chunking']}"
        for one in found["corpora"]
    ]
    print_result(found, [*lines, f"共 {len(lines)} 个"], as_json)


@group.command()
def show(key: Key, library: Library = None, as_json: Json = False) -> None:
    """查看一个资料集、其统计与法规。"""
    with reached(library) as backend:
        _show(backend.corpora("show", key, {}), as_json)


@group.command()
def update(
    key: Key,
    name: Annotated[str | None, typer.Option("--name", help="新名称")] = None,
    description: Description = None,
    embedder: Embedder = None,
    store: Store = None,
    chunking: Chunking = None,
    visibility: Visible = None,
    person: People = None,
    library: Library = None,
    as_json: Json = False,
) -> None:
    """修改资料集；只改写明的项目。"""
    options = _stated(locals(), name=name)
    with reached(library) as backend:
        _show(backend.corpora("change", key, options), as_json)


@group.command()
def delete(
    key: Key,
    with_texts: Annotated[bool, typer.Option("--with-texts", help="连同只在本资料集中的法规一并删除")] = False,
    library: Library = None,
    as_json: Json = False,
) -> None:
    """删除资料集；法规留在资料库中。"""
    with reached(library) as backend:
        gone = backend.corpora("delete", key, {"with_texts": with_texts})
    print_result(gone, [f"已删除资料集“{key}”，同时移除法规 {len(gone['removed'])} 部"], as_json)


@group.command()
def add(key: Key, regulation: Texts, library: Library = None, as_json: Json = False) -> None:
    """把库内法规放入资料集。"""
    with reached(library) as backend:
        done = backend.corpora("add", key, {"regulations": regulation})
    show_json(done) if as_json else out.print(f"新放入 {done['changed']} 部")


@group.command()
def withdraw(
    key: Key,
    regulation: Annotated[str, typer.Argument(help="法规编号、文件名或名称")],
    library: Library = None,
    as_json: Json = False,
) -> None:
    """把一部法规移出资料集；只在本资料集中的不能移出。"""
    with reached(library) as backend:
        done = backend.corpora("withdraw", key, {"regulation": regulation})
    show_json(done) if as_json else out.print(f"移出 {done['changed']} 部")


@app.command()
def search(
    question: Annotated[str, typer.Argument(help="要找的内容")],
    province: Province = None,
    asset: Asset = None,
    doc_class: DocClass = None,
    as_of: AsOf = None,
    top_k: Annotated[int, typer.Option("--top-k", min=1, max=100, help="最多列出多少条")] = 10,
    threshold: Annotated[float, typer.Option(min=0, max=1, help="相关概率的下限")] = 0.0,
    corpus: In = None,
    regulation: Annotated[str | None, typer.Option("--in", help="只在这一部法规中查找")] = None,
    section: Annotated[str | None, typer.Option(help="只在这一章、节中查找，如 第二章")] = None,
    library: Library = None,
    as_json: Json = False,
) -> None:
    """按相关概率列出条文，不判断是否足以作答。"""
    day = day_of(as_of)
    asked = {
        "question": question, "k": top_k, "threshold": threshold, "province": province, "asset": asset, "doc_class": doc_class,
        "as_of": day.isoformat() if day else None, "corpora": corpus, "regulation": regulation, "section": section,
    }  # fmt: skip
    with reached(library) as backend:
        found = backend.search({name: value for name, value in asked.items() if value is not None})
    if as_json:
        show_json(found)
        return
    for one in found["results"]:
        out.print(f"{one['score']:.2f}  《{one['title']}》{one['article']}", style="bold")
        out.print(one["text"])
    if not found["results"]:
        out.print("没有找到条文。请换用别的字词，或放宽资料集、法规、章节与下限。")


def _stated(given: Mapping[str, Any], **more: str | None) -> dict[str, Any]:
    """Return what was stated on the command line of a corpus."""
    names = ("description", "embedder", "store", "chunking", "visibility")
    if given["visibility"] not in (None, *SEEN_BY):
        raise BadRequestError(f"没有可见范围“{given['visibility']}”。可选：{'、'.join(SEEN_BY)}。")
    options = {name: given[name] for name in names} | {"people": given["person"]} | more
    return {name: value for name, value in options.items() if value is not None}


def _show(view: Mapping[str, Any], as_json: bool) -> None:
    if as_json:
        show_json(view)
        return
    from nemo import rules, settings

    words = rules.load(settings.load().rules)
    known = {entry.code: entry.name for entry in (*words.provinces, *words.doc_classes)} | {"library": "同资料库"}
    out.print(f"{view['name']}（编号 {view['id']}）", style="bold")
    for name, label in SHOWN.items():
        value = known.get(view[name], view[name]) if name in ("embedder", "store") else view[name]
        if name == "changed":
            value = f"{dt.datetime.fromisoformat(value).astimezone(CHINA):%Y-%m-%d %H:%M}"
        if name == "visibility":
            value = SEEN_BY[value]
        if isinstance(value, dict):
            value = "、".join(f"{known.get(code, code) or '未分类'} {count}" for code, count in value.items())
        if isinstance(value, list):
            value = "、".join(value)
        out.print(f"{label}：{'—' if value in (None, '') else value}")
    for text in view.get("texts", ()):
        out.print(f"  {text['id']}  {text['title']}")
