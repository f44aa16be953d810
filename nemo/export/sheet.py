"""A change sheet as a Word file: what a file changes, provision by provision, and what rests on it (变更影响单导出)."""

from collections.abc import Mapping, Sequence
from typing import Any

from docx import Document
from docx.document import Document as WordDocument

from nemo.export.compared import ComparedLine, ComparedTexts, draw_compared
from nemo.export.word import draw, draw_facts, saved, say, set_up
from nemo.text.letter.titles import in_marks
from nemo.types import today

TOUCHED = {
    "answers": ("存档答复", lambda one: f"{one['question']}（{one['at']}，编号 {one['trace_id']}）"),
    "searches": ("已存查询", lambda one: f"{one['name']}：{one['question']}"),
    "reviews": ("已复核引文", lambda one: f"{in_marks(one['title'])}{one['path']}（{one['state']}）"),
    "memos": (
        "审校过的文稿",
        lambda one: f"{one['user'] or '未登录'}的文稿（{one['memo']}）：{in_marks(one['title'])}{one['provision']}",
    ),
}
"""What may rest on a changed text: its name, and one line of it."""


def word(sheet: Mapping[str, Any], facts: Sequence[tuple[str, str]]) -> bytes:
    """Return a sheet as the bytes of a .docx file; ``facts`` stand in a table at its head (文件, 来源, 签认 …)."""
    document = Document()
    set_up(document, "变更影响单", f"{today():%Y-%m-%d}")
    say(document.add_heading(level=0), "变更影响单")
    draw_facts(document, [("项目", "内容"), *facts])
    say(document.add_heading(level=1), "文件内容")
    rows = [(in_marks(t["title"]), t["document_number"] or "", t["began"]) for t in sheet["texts"]]
    if rows:
        draw(document, [("名称", "文号", "施行"), *rows], 1)
    say(document.add_heading(level=1), "对库内法规的影响")
    if sheet["effects"]:
        draw(document, [("法规", "变化", "自何时", "依据"), *map(effect_row, sheet["effects"])], 1)
    else:
        say(document.add_paragraph(), "不改变任何已入库法规的时效。")
    for compared in sheet["comparisons"]:
        _comparison(document, compared)
    say(document.add_heading(level=1), "涉及的答复、查询、复核与文稿")
    lines = [line for key in TOUCHED for line in touched_lines(sheet, key)]
    for line in lines or ["没有。"]:
        say(document.add_paragraph(style="List Bullet"), line)
    return saved(document)


def effect_row(effect: Mapping[str, Any]) -> tuple[str, str, str, str]:
    """Return an effect as a row: text, change, from when (推定 marked), the words it rests on."""
    version = f"（{effect['version_date']}）" if effect["version_date"] else ""
    since = str(effect["from"] or "日期不明")
    if effect["certain_from"]:
        since = f"推定 {since} 至 {effect['certain_from']} 间"
    return f"{in_marks(effect['title'])}{version}", effect["change"], since, effect["words"]


def touched_lines(sheet: Mapping[str, Any], kind: str) -> list[str]:
    """Return what of one kind rests on the changed texts, each as a line; the words stand or not."""
    name, heading = TOUCHED[kind]
    same = {True: "，所引条文有改动", False: "，所引条文未改"}
    return [f"{name}：{heading(one)}{same.get(one.get('altered'), '')}" for one in sheet["touched"][kind]]


def _comparison(document: WordDocument, compared: Mapping[str, Any]) -> None:
    say(document.add_heading(level=1), f"{compared['why']}：{in_marks(compared['new']['title'])}逐条对照")
    lines = []
    for pair in compared["pairs"]:
        old, new = pair["old"], pair["new"]
        names = " → ".join(dict.fromkeys(side["name"] or "正文" for side in (old, new) if side))
        pieces = tuple((edit["old"], edit["new"], edit["op"] == "同") for edit in pair["edits"])
        lines.append(ComparedLine(f"{pair['kind']} {names}", old and old["text"], new and new["text"], pieces))
    one, other = (
        f"{in_marks(compared[side]['title'])}{compared[side]['version_date'] or ''}" for side in ("old", "new")
    )
    draw_compared(document, ComparedTexts("", "", (one, other), tuple(lines)), 16.2)
