"""Commands about the law over time: ``versions``, ``diff``, ``relations``, ``timeline``, ``stale``, ``cited``, ``undated`` (沿革)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from nemo.cli.frame import AsOf, Json, Library, app, opened, out, output, print_result, show_json, write_out
from nemo.text.letter.titles import in_marks
from nemo.text.words.days import day_of

if TYPE_CHECKING:
    from nemo.lawview import Link, MissingReference, Timeline
    from nemo.lawview.comparison import ProvisionPair, VersionComparison

Regulation = Annotated[str, typer.Argument(help="法规编号、文件名或名称；可写成 名称@2017-11-04 指明版本")]


@app.command()
def versions(regulation: Regulation, library: Library = None, as_json: Json = False) -> None:
    """列出一部法规的库内版本，由旧到新。"""
    from nemo.lawview import holdings
    from nemo.types import today

    with opened(library, read_only=True) as engine:
        rows = [holdings.row(r, today()) for r in engine.law.versions(engine.regulation(regulation).id)]
    lines = []
    for row in rows:
        start = f"{row['effective_date']} 起施行" if row["effective_date"] else "施行日期不明"
        start += f"（推定，不晚于 {row['effective_latest']}）" if row["effective_derived"] else ""
        lines.append(
            f"{row['version_date'] or '版本日期不明'}  {row['status']}  {start}  《{row['title']}》 {row['id']}"
        )
    print_result({"versions": rows}, [*lines, f"共 {len(rows)} 个版本"], as_json)


@app.command()
def diff(
    old: Regulation,
    new: Annotated[str | None, typer.Argument(help="新版；可只写一个日期。省略时与前一版本比较")] = None,
    only_changes: Annotated[bool, typer.Option("--only-changes", help="只列有变化的条文")] = False,
    to: Annotated[Path | None, output("--output", "-o", help="另存对照表：.docx 或 .html")] = None,
    library: Library = None,
    as_json: Json = False,
) -> None:
    """逐条比较两个版本：条文按文字配对，数字、条号、文号整体对照。"""
    from nemo.errors import BadRequestError
    from nemo.lawview import plain, version_label

    if to is not None and to.suffix not in (".docx", ".html"):
        raise BadRequestError(f"对照表存为 .docx 或 .html，不是“{to.suffix}”。")
    with opened(library, read_only=True) as engine:
        before, after, found = engine.law.diff(old, new)
    counts = found.counts
    if only_changes:
        found = found.only_changes()
    if to is not None:
        heads = (f"旧版 {version_label(before)}", f"新版 {version_label(after)}")
        write_out(to, _file(found, before.title, heads, to.suffix[1:]))
    if as_json:
        show_json({**plain.comparison(before, after, found), "counts": counts})
        return
    out.print(f"旧版：{version_label(before)}（{before.id}）")
    out.print(f"新版：{version_label(after)}（{after.id}）")
    out.print("，".join(f"{kind} {count}" for kind, count in counts.items()) + "。[-删去-]{+增加+}")
    _print_comparison(found)


def _file(found: VersionComparison, title: str, heads: tuple[str, str], form: str) -> bytes:
    from nemo.export import compared

    return compared.write(compared.ComparedTexts.of(f"{in_marks(title)}条文对照", heads, found.pairs), form)


def _print_comparison(found: VersionComparison) -> None:
    for pair in found.pairs:
        out.print()
        out.print(_heading(pair), style="bold")
        out.print(_body(pair))


def _heading(pair: ProvisionPair) -> str:
    names = [side.name or "题注" for side in (pair.old, pair.new) if side is not None]
    moved = " → ".join(dict.fromkeys(names))
    more = ""
    if pair.kind.value == "修改":
        more = f"，文字相近 {int(pair.likeness * 100)}%"  # cut, not rounded: what changed is never 100 %
    elif pair.kin:
        where = "新版" if pair.new is None else "旧版"
        more = f"，大部分文字见{where} {'、'.join(pair.kin)}"
    return f"〔{moved}〕{pair.kind.value}{more}"


def _body(pair: ProvisionPair) -> Text:
    """Return the words with what went marked [-…-] and what came {+…+}, in colour as well on a terminal."""
    if pair.old is None or pair.new is None or not pair.edits:
        side = pair.new or pair.old
        return Text(side.text if side else "")
    shown = Text()
    for edit in pair.edits:
        was, now = edit.old.of(pair.old.text), edit.new.of(pair.new.text)
        if edit.op.value == "同":
            shown.append(now)
            continue
        if was:
            shown.append(f"[-{was}-]", style="red")
        if now:
            shown.append(f"{{+{now}+}}", style="green")
    return shown


@app.command()
def relations(regulation: Regulation, as_of: AsOf = None, library: Library = None, as_json: Json = False) -> None:
    """列出一部法规与其他法规的关系：它根据、修改、废止谁，谁又根据、修改、废止、引用它。"""
    from nemo.lawview import plain

    day = day_of(as_of)
    with opened(library, read_only=True) as engine:
        found = engine.law.links(regulation, day)
    if as_json:
        show_json(plain.relations(found))
        return
    out.print(f"《{found.title}》（{found.regulation_id}），按 {found.day} 判断")
    for inward, heading in ((False, "本文所指"), (True, "指向本文")):
        links = [link for link in found.links if link.inward is inward]
        out.print(f"{heading}：{len(links)} 项", style="bold")
        for link in links:
            out.print(_link_line(link))
    for link in found.repealed_bases:
        out.print(f"注意：所根据的《{link.title}》已废止，本文效力待核。")


def _link_line(link: Link) -> str:
    held = f"{link.status.value}，{link.regulation_id}" if link.status is not None else "未收录"
    number = f" {link.number}" if link.number and link.number != link.title else ""
    times = f"，{link.count} 处" if link.count > 1 else ""
    words = " ".join(link.words.split())
    return (
        f" • {link.kind}{in_marks(link.title)}{number}（{held}{times}）：{words[:80]}{'…' if len(words) > 80 else ''}"
    )


@app.command()
def timeline(regulation: Regulation, as_of: AsOf = None, library: Library = None, as_json: Json = False) -> None:
    """列出一部法规的沿革：通过、公布、施行、修改、失效，各附依据原文。"""
    from nemo.lawview import plain

    day = day_of(as_of)
    with opened(library, read_only=True) as engine:
        found = engine.law.timeline(regulation, day)
    show_json(plain.history(found)) if as_json else _print_timeline(found)


def _print_timeline(found: Timeline) -> None:
    out.print(f"《{found.title}》，按 {found.day} 判断")
    for s in found.stretches:
        out.print(f" • {s.version_date or '日期不明'} 版本：{s.words}，{s.status.value}（{s.regulation_id}）")
    for event in found.events:
        words = " ".join(event.words.split())
        articles = not event.detail or event.detail.startswith("第")
        detail = event.detail and (f" {event.detail}" if articles else f"《{event.detail}》")
        out.print(f"{event.day}  {event.kind}{detail}  〔{event.origin.value}〕{words}")


@app.command()
def stale(library: Library = None, as_json: Json = False) -> None:
    """列出已失准的答复：所引条文的时效或文本已变，或引文已被驳回。"""
    with opened(library, read_only=True) as engine:
        rows = [found.plain() for found in engine.answers.stale()]
    lines = [f"{row['trace_id']}  {'、'.join(row['kinds'])}  {row['question']}" for row in rows]
    print_result(
        {"stale": rows}, [*lines, f"共 {len(rows)} 条答复需要重新提问" if rows else "没有失准的答复。"], as_json
    )


@app.command()
def cited(
    limit: Annotated[int, typer.Option("--limit", min=0, help="最多列出多少项；0 表示全部")] = 50,
    library: Library = None,
    as_json: Json = False,
) -> None:
    """列出库内法规引用而库内没有的文件，按引用多少排列。"""
    from nemo.lawview import plain

    with opened(library, read_only=True) as engine:
        found = engine.law.missing()
    shown = found[:limit] if limit > 0 else found
    end = f"共 {len(found)} 项，列出 {len(shown)} 项。补齐：把文本入库，或在“上传入库”页上传。"
    missing = {"total": len(found), "missing": [plain.gap(m) for m in shown]}
    print_result(missing, [*map(_gap_line, shown), end], as_json)


def _gap_line(missing: MissingReference) -> str:
    name = f"《{missing.title}》" if missing.title else ""
    roles = "、".join(f"{role} {count}" for role, count in missing.roles)
    return f"{missing.documents} 部 {missing.mentions} 处  {name}{missing.number or ''}（{roles}）"


@app.command()
def gaps(
    limit: Annotated[int, typer.Option("--limit", min=0, help="最多列出多少项；0 表示全部")] = 50,
    library: Library = None,
    as_json: Json = False,
) -> None:
    """列出资料库的缺口，按妨碍答复的多少排列：缺文件、缺附件、授权另定而未见、上位法已修改、日期推定、期满、拒答。"""
    from nemo.watch import plain

    with opened(library, read_only=True) as engine:
        listed = plain.gaps(engine.watch.gaps(), limit)
    lines = [
        f"{one['weight']}  {one['kind']}  {one['title']}：{one['why']}{'  ' + one['url'] if one['url'] else ''}"
        for one in listed["gaps"]
    ]
    print_result(listed, [*lines, f"共 {listed['total']} 项，列出 {len(lines)} 项。"], as_json)


@app.command()
def undated(library: Library = None, as_json: Json = False) -> None:
    """列出施行日期待核的版本：文本没有载明，只能由修改日期推定。"""
    from nemo.lawview import holdings
    from nemo.types import status_of, today

    with opened(library, read_only=True) as engine:
        found = engine.law.undated(today())
    versions = [f"（{row.version_date} 版本）" if row.version_date else "" for row in found]
    lines = [
        f"《{row.title}》{version}  {row.validity.began}，{status_of(row, today()).value}"
        for row, version in zip(found, versions, strict=True)
    ]
    summary = f"共 {len(found)} 个版本的施行日期待核，请上传修改决定，或在“法规库”填写施行日期。"
    undated = {"total": len(found), "undated": [holdings.row(r, today()) for r in found]}
    print_result(undated, [*lines, summary if found else "没有施行日期待核的版本。"], as_json)
