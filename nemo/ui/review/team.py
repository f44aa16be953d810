"""Review as the work of several: who shall look at what, who did how much, and many quotes at once (分派、进度、批量)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from nemo.errors import ConflictError
from nemo.store.records.marks import MarkPurpose
from nemo.text.letter.titles import in_marks
from nemo.types import CHINA, Verdict, today
from nemo.ui.shared import frame, login, safe, tables

if TYPE_CHECKING:
    from nemo.review import ReviewEntry

_DONE = "_review_done"
"""What was decided last in this session: quotes with the version that it gave them, words."""

_OPENING = 40
"""Characters of a quote in the list."""


def holders() -> dict[int, str]:
    """Return who was given which quote, by its number."""
    return {int(mark.subject): mark.user or "" for mark in frame.engine().library.marks.of(MarkPurpose.ASSIGNED)}


def reviewers() -> list[str]:
    """Return the names of those who may review; none where nobody signs in."""
    users = frame.engine().users
    return sorted(name for name, user in users.people.items() if user.may("review")) if users else []


def assigning(entry: ReviewEntry) -> None:
    """Draw to whom the quote is given; nothing where nobody signs in."""
    names, key = reviewers(), f"assign_{entry.row.id}"
    if not names:
        return
    held = holders().get(entry.row.id)
    st.selectbox(
        "分派给", names, index=names.index(held) if held in names else None, format_func=safe.label, placeholder="未分派",
        key=key, on_change=_assign, args=([entry.row.id], key),
    )  # fmt: skip


def _assign(numbers: Sequence[int], key: str) -> None:
    if name := st.session_state.get(key):
        frame.act(partial(frame.engine().answers.assign, numbers, name, login.user()), f"已分派给{name}")


def progress() -> None:
    """Draw for each reviewer what waits for them and what they decided, whatever the queue is narrowed to."""
    reviews, held = frame.engine().library.reviews, holders()
    made = reviews.decisions()
    open_ = Counter(
        held[row.id] for row in (reviews.rows(list(held)) if held else ()) if row.standing.state is Verdict.PENDING
    )
    undone = {one.undoes for one in made}
    counted = [one for one in made if one.undoes is None and one.number not in undone]
    done = Counter((one.by or "未署名", one.state) for one in counted)
    now = Counter(one.by or "未署名" for one in counted if one.at.astimezone(CHINA).date() == today())
    names = sorted({name for name, _ in done} | set(open_) | set(reviewers()))
    shown = (Verdict.APPROVED, Verdict.REJECTED, Verdict.UNSURE)
    rows = [(safe.name(name), open_[name], *(done[name, state] for state in shown), now[name]) for name in names]
    if rows:
        with st.expander("各复核员进度"):
            st.html(tables.plain(("复核员", "待办", *(s.value for s in shown), "今天"), rows))


def batch(entries: Sequence[ReviewEntry], verdicts: Sequence[tuple[Verdict, str]]) -> None:
    """Draw the queue as a list from which several quotes are decided on, or given to somebody, at once."""
    with st.expander("批量处理", key="review_batch", on_change="rerun") as opened:
        if not opened.open:
            return
        held = holders()
        rows = [
            {
                "状态": entry.state.value, "引文": safe.visible(entry.row.words)[:_OPENING],
                "出处": f"{in_marks(entry.row.title)}{entry.row.path}", "分派给": held.get(entry.row.id, ""),
            }
            for entry in entries
        ]  # fmt: skip
        picked = tables.grid(
            rows, "review_list", "待复核的引文", {"引文": 380, "出处": 320}, [entry.row.id for entry in entries],
        )  # fmt: skip
        chosen = [entries[n] for n in picked]
        _actions(chosen, verdicts)


def _actions(chosen: Sequence[ReviewEntry], verdicts: Sequence[tuple[Verdict, str]]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="batch_acts"):
        st.text_input(
            "意见", key="batch_note", placeholder="意见；驳回时必须写明理由", label_visibility="collapsed", width=320
        )
        for verdict, words in verdicts:
            st.button(
                f"{words}所选 {len(chosen)} 条" if chosen else f"{words}所选", disabled=not chosen, key=f"batch_{verdict.name}",
                on_click=_decide, args=(tuple(chosen), verdict),
            )  # fmt: skip
        if names := reviewers():
            name = st.selectbox(
                "分派给", names, index=None, placeholder="分派给", key="batch_to", format_func=safe.label,
                label_visibility="collapsed", width=160,
            )  # fmt: skip
            numbers = [entry.row.id for entry in chosen]
            st.button("分派所选", disabled=not (chosen and name), key="batch_assign", on_click=_assign, args=(numbers, "batch_to"))  # fmt: skip


def _decide(chosen: Sequence[ReviewEntry], verdict: Verdict) -> None:
    if decide(chosen, verdict, frame.typed("batch_note")):
        st.session_state["batch_note"] = ""  # of these quotes, and not of the next


def decide(chosen: Sequence[ReviewEntry], verdict: Verdict, note: str) -> bool:
    """Write the same decision down for quotes, and how to take it back; the quote in hand may be one of them, and goes.

    Returns:
        Whether it stands, of one at least.
    """
    answers, user = frame.engine().answers, login.user()
    made: list[tuple[int, int]] = []

    def work(entry: ReviewEntry) -> None:
        row = entry.row
        try:
            made.append((row.id, answers.decide(row.id, verdict, note, user, row.standing.version).version))
        except ConflictError as error:
            raise ConflictError(f"{in_marks(row.title)}{row.path}：{error.message}") from error

    st.session_state.pop(_DONE, None)
    done = frame.act_all(partial(work, entry) for entry in chosen)
    if done:
        row = chosen[0].row
        about = f"{in_marks(row.title)}{row.path}" if len(chosen) == 1 else f"{len(made)} 条"
        st.session_state[_DONE] = (made, f"{about}：{verdict.value}")
        st.query_params.pop("c", None)
    return done > 0


def last() -> None:
    """Draw what was decided last, with the way back."""
    if done := st.session_state.get(_DONE):
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="review_done"):
            st.html(f'<p class="quiet">已记录 {safe.text(done[1])}</p>')
            st.button("撤销", on_click=_undo, icon=":material/undo:", shortcut="Z", key="review_undo")


def _undo() -> None:
    """Take the last decisions back and return to the first quote; what somebody decided since stands."""
    answers, user = frame.engine().answers, login.user()
    made, _ = st.session_state.pop(_DONE)
    if frame.act_all((partial(answers.undo, number, user, version) for number, version in made), "已撤销 {} 条"):
        st.query_params["c"] = str(made[0][0])
