"""Collected files that wait for a person, and the change sheet of each: what it changes, what rests on it (变更影响单)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from nemo.export.sheet import TOUCHED, effect_row, touched_lines
from nemo.store.records.marks import MarkPurpose
from nemo.text.letter.titles import in_marks
from nemo.types import CHINA
from nemo.ui.answer import citation, download
from nemo.ui.shared import frame, login, safe, tables
from nemo.watch.sheet import changes_anything, digest, summary

if TYPE_CHECKING:
    from nemo.store.records.watching import CollectedPaper, SeenAddress

_SHOWN = 50
STATES = {
    "accepted": "已确认入库", "dismissed": "不入库", "same": "库中已有", "failed": "无法读取", "unread": "待读取", "replaced": "已有更新的一份",
}  # fmt: skip
"""What a collected file came to."""


def waiting() -> None:
    """Draw the files that wait, those that change held law first, with one button for all that change nothing."""
    found = [p for p in frame.engine().watch.store.papers("waiting") if p.sheet]
    if not found:
        st.html('<h2 class="section-head">待确认</h2><p class="quiet">没有待确认的文件。</p>')
        return
    harmless = [p.id for p in found if p.sheet and not changes_anything(p.sheet)]
    with st.container(horizontal=True, vertical_alignment="center", key="papers_head"):
        st.html(f'<h2 class="section-head">待确认 {len(found)} 份</h2>')
        if harmless:
            st.button(
                f"不影响已有法规的 {len(harmless)} 份全部入库", type="tertiary", icon=":material/done_all:",
                key="accept_all", on_click=_accept_all, args=(tuple(harmless),),
            )  # fmt: skip
    found.sort(key=lambda p: not changes_anything(p.sheet or {}))
    for paper in found[:_SHOWN]:
        _line(paper)
    if len(found) > _SHOWN:
        st.caption(f"另有 {len(found) - _SHOWN} 份，处理上面的之后依次列出。")


def _line(paper: CollectedPaper) -> None:
    assert paper.sheet is not None, "only what was read waits"
    tone = "warn" if changes_anything(paper.sheet) else "info"
    badges = "".join(citation.badge(kind, tone) for kind in paper.sheet["kinds"])
    titles = "、".join(text["title"] for text in paper.sheet["texts"]) or paper.title or paper.name
    words = f"{badges} {safe.name(titles)} <span>{paper.at.astimezone(CHINA):%m-%d %H:%M}</span>"
    with frame.line(words, f"paper_{paper.id}"):
        frame.link("查看影响", "watch", "difference", {"p": str(paper.id)})


def _accept_all(numbers: tuple[int, ...]) -> None:
    def act() -> None:
        for number in numbers:
            frame.engine().watch.accept(number, "不影响已入库法规，批量确认", login.user())

    frame.act(act, f"{len(numbers)} 份文件正在入库，进度见“上传入库”页。")


def quarantine() -> None:
    """Draw what was collected and cannot be read, and what could not be fetched: the reason, another try, or away with it."""
    service = frame.engine().watch
    unread, unreached = service.store.papers("failed"), service.store.unreached()
    if not unread and not unreached:
        return
    line = " · ".join(f"{words} {n}" for words, n in (("读不出", len(unread)), ("取不回", len(unreached))) if n)
    st.html(f'<h2 class="section-head">隔离区<span>{line}</span></h2>')
    if unread:
        st.html('<p class="quiet">读不出的文件，原件已保留，不进资料库。</p>')
        ids = [paper.id for paper in unread]
        st.button(
            f"全部重读 {len(ids)} 份", type="tertiary", icon=":material/refresh:", key="reread", on_click=frame.press,
            args=(lambda: service.retry(ids, login.user()),),
        )  # fmt: skip
    for paper in unread[:_SHOWN]:
        source = safe.link(paper.url, "原网页") if paper.url.startswith("http") else ""
        about = f"{safe.name(paper.name)} · {safe.text(paper.reason)}"
        with frame.line(f"{safe.name(paper.title or paper.name)} <span>{about}</span> {source}", f"failed_{paper.id}"):
            for words, icon, act in (
                ("重读", ":material/refresh:", lambda n=paper.id: service.retry([n], login.user())),
                ("丢弃", ":material/delete:", lambda n=paper.id: service.dismiss(n, "读不出，丢弃", login.user())),
            ):
                st.button(
                    words, type="tertiary", icon=icon, key=f"{words}_{paper.id}", on_click=frame.press, args=(act,)
                )  # fmt: skip
    for watch in service.store.watches():
        _unreached(watch.id, service.name_of(watch), [a for a in unreached if a.watch_id == watch.id])


def _unreached(watch_id: int, name: str, found: Sequence[SeenAddress]) -> None:
    if not found:
        return
    with st.expander(f"{safe.visible(name)}：{len(found)} 个地址取不回"):
        rows = [{"标题": a.title, "网址": a.url, "原因": a.problem, "试过": a.tries} for a in found]
        tables.grid(rows, f"unreached_{watch_id}", "取不回的地址")
        if frame.settings().discovery:
            st.button(
                "再取一次", type="tertiary", icon=":material/refresh:", key=f"refetch_{watch_id}", on_click=frame.press,
                args=(lambda: frame.engine().watch.refetch(watch_id, login.user()),),
            )  # fmt: skip


def one(key: str) -> None:
    """Draw one collected file with its sheet, and the form to decide on it."""
    paper = frame.engine().watch.sheet(int(key) if key.isdecimal() else -1)
    st.html(f'<h2 class="section-head">{safe.name(paper.title or paper.name)}</h2>')
    source = safe.link(paper.url, "查看原网页 · ") if paper.url.startswith("http") else ""
    st.html(f'<p class="quiet">{source}{safe.name(paper.name)} · {paper.at.astimezone(CHINA):%Y-%m-%d %H:%M}</p>')
    if paper.state != "waiting":
        frame.notice("info", STATES.get(paper.state, paper.state), "；".join(filter(None, (paper.by, paper.reason))))
    if paper.question:
        page, words = ("ask", "再问一次") if paper.state == "accepted" else ("watch", "回到这个问题")
        frame.link(words, page, "search", {"q": paper.question})
    if paper.sheet is None:
        return
    sheet(paper.sheet)
    st.download_button(
        "导出 Word", lambda: frame.engine().watch.word(paper.id), f"{download.file_name('变更影响单', paper.title or paper.name)}.docx", on_click="ignore",
        icon=":material/description:", key="sheet_word",
    )  # fmt: skip
    if paper.state == "waiting":
        _decide(paper)


def sheet(content: Mapping[str, Any]) -> None:
    """Draw a change sheet."""
    st.html(f"<p><b>{safe.text(summary(content))}</b></p>")
    rows = [(in_marks(t["title"]), t["document_number"] or "", t["began"]) for t in content["texts"]]
    _table("文件内容", ("名称", "文号", "施行"), rows)
    if content["effects"]:
        _table("对库内法规的影响", ("法规", "变化", "自何时", "依据"), [effect_row(e) for e in content["effects"]])
    else:
        st.html('<p class="quiet">不改变任何已入库法规的时效。</p>')
    for compared in content["comparisons"]:
        st.html(f'<h3 class="side-head">{safe.text(compared["why"])}：逐条对照</h3>')
        heads = "".join(
            f"<div>{safe.name(in_marks(compared[s]['title']))}{compared[s]['version_date'] or ''}</div>"
            for s in ("old", "new")
        )
        pairs = "".join(map(_pair, compared["pairs"]))
        st.html(f'<div class="diff"><div class="pair heads">{heads}</div>{pairs}</div>')
    lines = [line for kind in TOUCHED for line in touched_lines(content, kind)]
    touched = {one["memo"] for one in content["touched"]["memos"]}
    own = frame.engine().library.marks.mine(MarkPurpose.MEMO, login.name())
    lines += [
        f"其中您的文稿：{name}" for name in dict.fromkeys(m.words for m in own if json.loads(m.note)["memo"] in touched)
    ]
    if lines:
        st.html(
            '<h3 class="side-head">涉及的答复、查询、复核与文稿</h3><ul>'
            + "".join(f"<li>{safe.text(line)}</li>" for line in lines)
            + "</ul>"
        )


def _table(title: str, head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    st.html(f'<h3 class="side-head">{title}</h3>' + tables.plain(head, (map(safe.text, row) for row in rows)))


def _pair(pair: Mapping[str, Any]) -> str:
    old, new = pair["old"], pair["new"]
    names = " → ".join(dict.fromkeys(s["name"] or "正文" for s in (old, new) if s))
    left, right = safe.both(
        old and old["text"], new and new["text"], ((e["old"], e["new"], e["op"] == "同") for e in pair["edits"])
    )
    what = (
        f'<div class="what">{citation.badge(pair["kind"], "warn")} <span class="quiet">{safe.text(names)}</span></div>'
    )
    return f'<div class="pair">{what}<div class="verbatim">{left}</div><div class="verbatim">{right}</div></div>'


def _decide(paper: CollectedPaper) -> None:
    assert paper.sheet is not None, "only what was read waits"
    changes = changes_anything(paper.sheet)
    if changes and not login.may("review"):
        frame.notice("info", "待复核员签认", "这份文件会改变已入库法规的时效或文本，须由复核员确认。")
        return
    with st.form("decide", border=True):
        name = login.name()
        st.html(
            f'<p class="quiet">签认人：{safe.name(name) if name else "未登录（记录链中写明“未登录”）"}；签认写入审计日志，附影响单与原件的校验值。</p>'
        )
        st.text_input("说明", key="sheet_reason", placeholder="如：已与原网页逐条核对")
        with st.container(horizontal=True, gap="small"):
            words = "签认并入库" if changes else "确认入库"
            st.form_submit_button(words, type="primary", on_click=_decided, args=(paper, True))
            st.form_submit_button("不入库", on_click=_decided, args=(paper, False))


def _decided(paper: CollectedPaper, accepted: bool) -> None:
    """Sign or refuse a sheet; it stays, to be exported."""
    reason = frame.typed("sheet_reason")

    def act() -> None:
        service = frame.engine().watch
        if accepted:
            service.accept(paper.id, reason, login.user(), digest(paper.sheet or {}))
        else:
            service.dismiss(paper.id, reason or "未说明", login.user())

    frame.act(act, "已签认，正在入库；进度见“上传入库”页。" if accepted else "已记为不入库。")
