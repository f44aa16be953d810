"""The queue of quotes and the form of the reviewer (引文复核): the quote, the article around it, the original page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from nemo.errors import NotFoundError
from nemo.text.letter.titles import in_marks
from nemo.types import CHINA, Regulation, Verdict, today
from nemo.ui.answer import citation, download, view
from nemo.ui.library import source_page, text
from nemo.ui.review import team
from nemo.ui.shared import choices, frame, safe

if TYPE_CHECKING:
    from nemo.review import ReviewEntry, ReviewFilter

_ALL = "全部"
_NOTE = "review_note"
_VERDICTS = (
    (Verdict.APPROVED, "通过", "A", ":material/check:"),
    (Verdict.REJECTED, "驳回", "X", ":material/close:"),
    (Verdict.UNSURE, "存疑", "Q", ":material/help:"),
)
"""With the key on the keyboard."""

_TONES = {Verdict.APPROVED: "good", Verdict.REJECTED: "bad", Verdict.UNSURE: "warn", Verdict.PENDING: "unknown"}


def draw() -> None:
    """Draw the filters, the quote in hand and the buttons."""
    entries = _queue()
    team.last()
    team.progress()
    if not entries and "c" not in st.query_params:
        from nemo.review import ReviewFilter

        some = frame.engine().answers.review_queue(ReviewFilter(None))
        more = "改选状态等条件，可以查看其余的引文。" if some else "先到“法规查询”提问，答复中的引文会自动进入这里。"
        frame.notice("info", "没有符合条件的引文" if some else "还没有可复核的引文", more)
        return
    if entries:
        team.batch(entries, [(verdict, words) for verdict, words, _, _ in _VERDICTS])
    at = _place(entries) if entries else None
    entry = _elsewhere(entries) if at is None else entries[at]
    if entry is None:
        return
    if at is not None:
        _bar(entries, at)
    left, right = st.columns([1, 1.08], gap="medium")
    regulation = _regulation(entry)
    paged = regulation is not None and source_page.has_pages(regulation)
    with left:
        _quote(entry, regulation)
        _buttons(entry, entries, at)
        if paged:
            _article(entry, regulation)
    with right:
        if paged:
            _page(entry)
        else:
            _article(entry, regulation)


def _queue() -> list[ReviewEntry]:
    from nemo.review import ReviewFilter

    with st.container(border=True, key="filters"), st.container(horizontal=True, gap="small", key="filter_row"):
        states = [_ALL, *(state.value for state in Verdict)]
        state = st.segmented_control(
            "状态", states, required=True, key="review_state", wrap=True, on_change=_anew,
            args=(choices.tied("state", "review_state", states, Verdict.PENDING.value),),
        )  # fmt: skip
        wanted = ReviewFilter(Verdict(state) if state and state != _ALL else None)
        everything = frame.engine().answers.review_queue(wanted)
        titles = {entry.row.regulation_id: entry.row.title for entry in everything}
        chosen = _pick("law", "法规", list(titles), lambda key: safe.label(titles.get(key) or "", 24))
        people = sorted({name for entry in everything for name in entry.row.standing.people if name})
        reviewer = _pick("by", "复核人", people) if people else None
        holder = _pick("to", "分派给", names) if (names := team.reviewers()) else None
        change = _CHANGES.get(_pick("change", "变化", list(_CHANGES)) or "")
        wanted = replace(wanted, regulation_id=chosen, reviewer=reviewer, stale=change)
        held = team.holders() if holder else {}
        found = [e for e in everything if _fits(e, wanted) and (holder is None or held.get(e.row.id) == holder)]
        write = frame.engine().answers.export_review
        with st.container(width="content", vertical_alignment="bottom", height="stretch"):
            file = download.file_name("引文复核", state or "", titles.get(chosen or "", ""), str(today()))
            download.menu(file, lambda form: write(wanted, found, form), key="export")
    return found


_CHANGES = {"已有变化": True, "没有变化": False}


def _pick(name: str, title: str, known: list[str], label: Callable[[str], str] = safe.label) -> str | None:
    """Draw a choice that stands in the address as ``name``; None is all."""
    key = f"review_{name}"
    return st.selectbox(
        title, known, index=None, placeholder=_ALL, key=key, width=150 if name == "law" else 110, format_func=label,
        on_change=_anew, args=(choices.tied(name, key, known),),
    )  # fmt: skip


def _fits(entry: ReviewEntry, wanted: ReviewFilter) -> bool:
    return (
        wanted.regulation_id in (None, entry.row.regulation_id)
        and (wanted.reviewer is None or wanted.reviewer in entry.row.standing.people)
        and (wanted.stale is None or (entry.changed is not None) is wanted.stale)
    )


def _place(entries: Sequence[ReviewEntry]) -> int | None:
    """Return where the quote in hand stands; None when it left the queue meanwhile.

    It stays in hand until its reviewer goes on: another one drawn in its place would be decided on unread.
    """
    wanted = st.query_params.setdefault("c", str(entries[0].row.id))
    return next((i for i, entry in enumerate(entries) if str(entry.row.id) == wanted), None)


def _anew(write: Callable[[], None]) -> None:
    """Begin at the first quote of what the filters choose."""
    write()
    st.query_params.pop("c", None)


def _go(entries: Sequence[ReviewEntry], to: int) -> None:
    st.query_params["c"] = str(entries[to % len(entries)].row.id)
    st.session_state[_NOTE] = ""


def _elsewhere(entries: Sequence[ReviewEntry]) -> ReviewEntry | None:
    """Return the quote in hand that is not, or no longer, among those chosen, and say what became of it.

    It is decided on where it stands, with what its reviewer has typed: another may have decided at the same moment.
    """
    from nemo.review import ReviewFilter

    wanted = st.query_params["c"]
    everything = frame.engine().answers.review_queue(ReviewFilter(None))
    entry = next((entry for entry in everything if str(entry.row.id) == wanted), None)
    words = "资料库中没有这条引文。"
    if entry is not None:
        last = frame.engine().library.reviews.decisions(entry.row.id)[-1:]
        by = "".join(
            f"，{one.by or '未署名'}于 {one.at.astimezone(CHINA):%m-%d %H:%M} {'撤销前一决定' if one.undoes else '处理'}"
            for one in last
        )
        words = f"{in_marks(entry.row.title)}{entry.row.path}，现为“{entry.state.value}”{by}。仍可在下面另作决定。"
    frame.notice("warn", "原来的一条不在所选范围中", words)
    if entries:
        st.button("看队列中的第一条", on_click=_go, args=(entries, 0), icon=":material/chevron_right:", key="review_on")
    return entry


def _bar(entries: Sequence[ReviewEntry], at: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="review_bar"):
        st.html(f'<h2 class="answer-head">第 {at + 1} / {len(entries)} 条</h2>')
        st.button("上一条", on_click=_go, args=(entries, at - 1), shortcut="Left", icon=":material/chevron_left:")
        st.button("下一条", on_click=_go, args=(entries, at + 1), shortcut="Right", icon=":material/chevron_right:")


def _regulation(entry: ReviewEntry) -> Regulation | None:
    try:
        return frame.engine().regulation(entry.row.regulation_id)
    except NotFoundError:
        return None


def _intact(entry: ReviewEntry, regulation: Regulation | None) -> bool:
    return regulation is not None and entry.row.span.of(regulation.text) == entry.row.words


def _kept(entry: ReviewEntry, regulation: Regulation | None) -> str:
    """Return the badge that says whether the library still has these words; recognised ones are never called 逐字."""
    row = entry.row
    if regulation is None:
        return ""  # what changed says it
    if not _intact(entry, regulation):
        return citation.badge("与现库原文不一致", "bad")
    read = regulation.recognised(row.span)
    return (
        citation.badge("逐字一致", "good")
        if read is None
        else citation.badge(f"识别文本 {read:.2f}，请对照原页", "warn")
    )


def _quote(entry: ReviewEntry, regulation: Regulation | None) -> None:
    row = entry.row
    marks = (
        citation.badge(entry.state.value, _TONES[entry.state]),
        _kept(entry, regulation),
        citation.status_badge(row.status, f"{row.day} 答复时"),
        citation.badge(entry.changed.value, "warn") if entry.changed else "",
        citation.badge(f"被 {row.answers} 份答复引用"),
    )
    with st.container(border=True, gap="xsmall", key="review_quote"):
        st.html(
            f'<p class="cite"><span>问题</span> {safe.name(_question(entry))}</p>'
            f'<blockquote class="quote"><span class="verbatim">{safe.paragraph(row.words)}</span></blockquote>'
            f'<p class="cite"><b>{safe.name(in_marks(row.title))}{safe.text(row.path)}</b></p><p class="badges">{"".join(marks)}</p>'
            + _said(entry)
        )
        with st.container(horizontal=True, gap="xsmall"):
            frame.link("查看答复", "ask", "article", {"a": row.trace_id})
            if regulation is not None:
                view.library_link("原文", row.regulation_id, row.label, row.day)


def _question(entry: ReviewEntry) -> str:
    """Return the question of the newest answer that quotes this."""
    try:
        return frame.engine().library.answers.get(entry.row.trace_id).asked
    except NotFoundError:
        return "（这份答复没有留存）"


def _said(entry: ReviewEntry) -> str:
    """Tell who decided what; names and reasons are foreign."""
    standing, earlier = entry.row.standing, entry.earlier
    lines = []
    if standing.state is Verdict.PENDING and standing.approvals:
        lines.append("双人复核：已有 1 人通过，还需另一位复核员通过。")
    for one in frame.engine().library.reviews.decisions(entry.row.id) if standing.version else ():
        did = "撤销前一决定" if one.undoes is not None else one.state.value
        lines.append(f"{one.at.astimezone(CHINA):%Y-%m-%d %H:%M} · {one.by or '未署名'} · {did} {one.reason}")
    if earlier:
        lines.append(f"同一文字在另一文本中：{earlier.state.value} · {earlier.by or '未署名'} {earlier.reason}")
    return "".join(f'<p class="quiet">{safe.text(line)}</p>' for line in lines)


def _buttons(entry: ReviewEntry, entries: Sequence[ReviewEntry], at: int | None) -> None:
    """Draw the form; what stands decided has buttons of its own, so that no click meant for another state of it counts."""
    of = f"_{entry.row.standing.version}" if entry.row.standing.version else ""
    with st.container(border=True, gap="small", key="review_desk"):
        st.text_input("复核意见", key=_NOTE, placeholder="复核意见；驳回时必须写明理由", label_visibility="collapsed")
        team.assigning(entry)
        with st.container(horizontal=True, gap="small"):
            for verdict, words, key, icon in _VERDICTS:
                st.button(
                    words, type="primary" if key == "A" else "secondary", icon=icon, shortcut=key, width="stretch", key=f"verdict_{key}{of}",
                    on_click=_decide, args=(entry, entries, at, verdict),
                )  # fmt: skip


def _decide(entry: ReviewEntry, entries: Sequence[ReviewEntry], at: int | None, verdict: Verdict) -> None:
    """Write the decision down and go on to the next quote; a refusal of the engine is shown and nothing moves."""
    if team.decide([entry], verdict, frame.typed(_NOTE)):
        st.session_state[_NOTE] = ""
        if len(entries) > 1:
            _go(entries, 0 if at is None else at + 1)


def _article(entry: ReviewEntry, regulation: Regulation | None) -> None:
    """Draw the article that holds the quote, the quote marked, between its neighbours."""
    if regulation is None:
        frame.notice("warn", "法规已移出资料库", "没有原件可以对照。")
    elif not _intact(entry, regulation):
        frame.notice("warn", "未定位到引文", "现库文本中没有与引文逐字一致的文字，不作标记。请打开原文核对。")
    else:
        words = "库内原文" if source_page.has_pages(regulation) else "库内原文；原件不是 PDF，没有页面图像"
        with st.container(border=True, gap="xsmall", key="review_article"):
            st.html(f'<p class="quiet">{words}</p>{text.around(regulation, entry.row.span)}')


def _page(entry: ReviewEntry) -> None:
    with st.container(border=True, key="review_page"):
        source_page.view(entry.row.regulation_id, entry.row.span, key=f"review_{entry.row.id}")
