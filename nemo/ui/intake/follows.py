"""What a person follows: questions and kinds of text, with what happened to them (关注)."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

import streamlit as st

from nemo.store.records.marks import MarkPurpose
from nemo.text.letter.titles import in_marks
from nemo.text.words.normalise import title_key
from nemo.types import CHINA, Filters
from nemo.ui.answer import citation
from nemo.ui.shared import choices, frame, login, safe

if TYPE_CHECKING:
    from nemo.watch.following import FollowService

_SHOWN = 12


def draw() -> None:
    """Draw what is followed with its news, and the form to follow more."""
    service, user = _service(), login.name()
    held = service.follows(user)
    for mark in held:
        kind = citation.badge(_KINDS[mark.kind], "info")
        with frame.line(f"{kind} {safe.name(service.named(mark))}", f"follow_{mark.id}"):
            st.button("取消关注", type="tertiary", key=f"unfollow_{mark.id}", on_click=_forget, args=(mark.id,))
    memos = Counter(mark.words for mark in frame.engine().library.marks.mine(MarkPurpose.MEMO, user))
    for number, (name, places) in enumerate(memos.items()):
        words = f"{citation.badge('文稿', 'info')} {safe.name(name)} <span>所引 {places} 条</span>"
        with frame.line(words, f"follow_memo_{number}"):
            st.button("不再提醒", type="tertiary", key=f"unfollow_memo_{number}", on_click=_forget_memo, args=(name,))
    if not held and not memos:
        st.html(
            '<p class="quiet">还没有关注什么。打开一部法规点“关注”，或在下面关注一个问题、一个专题；有变化时在这里提示。</p>'
        )
    news_lines()
    _form()


def _service() -> FollowService:
    from nemo.watch.following import FollowService  # the network stack: only who follows something pays for it

    return FollowService(frame.engine())


_KINDS = {
    MarkPurpose.FOLLOW.value: "法规",
    MarkPurpose.FOLLOW_QUESTION.value: "问题",
    MarkPurpose.FOLLOW_TOPIC.value: "专题",
}


def news_lines(since: dt.datetime | None = None) -> set[str]:
    """Draw what happened to what the person follows since a moment; return the ids of the texts that were told of.

    A stored answer that no longer holds is told until its question is asked again.
    """
    user = login.name()
    if not any(frame.engine().library.marks.mine(MarkPurpose(kind), user) for kind in (*_KINDS, MarkPurpose.MEMO)):
        return set()  # most follow nothing, and pay for nothing
    service = _service()
    found = service.mine(user, service.events(since))
    if found and since is None:
        st.html('<h3 class="side-head">最近的动态</h3>')
    for number, (event, why) in enumerate(found[:_SHOWN]):
        day = f"{event.at.astimezone(CHINA):%m-%d}"
        title = in_marks(event.title) if event.path.startswith("/library") else event.title
        whose = "" if title_key(why) == title_key(event.title) else f"：{safe.name(why)}"
        line = f"{safe.name(title)} <span>{day} · {safe.text(event.words)} · 关注{whose}</span>"
        with frame.line(f"{citation.badge(event.kind, 'warn')} {line}", f"followed_{number}"):
            if event.path:
                page, _, query = event.path.strip("/").partition("?")
                frame.link("打开", page or "ask", "menu_book", dict(parse_qsl(query)))
    if (more := len(found) - _SHOWN) > 0:
        st.caption(f"另有 {more} 项较早的动态。")
    return {event.regulation_id for event, _ in found[:_SHOWN] if event.regulation_id}


def _form() -> None:
    rules = frame.engine().rules
    offered = choices.offered(rules, frame.engine().regulations())
    with st.expander("关注问题或专题", icon=":material/notifications:"):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            st.text_input("问题（有关法规变化时提示）", key="follow_words", width=420, max_chars=300)
            st.button("关注问题", key="follow_question", on_click=_question)
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            picked = []
            for field, label in choices.KINDS.items():
                names = {str(k): str(v) for k, v in offered[field].items() if k}
                one = st.selectbox(
                    label, list(names), format_func=names.__getitem__, index=None, key=f"follow_{field}",
                    placeholder="不限", width=160,
                )  # fmt: skip
                picked.append(one or "")
            st.button("关注专题", key="follow_topic", disabled=not any(picked), on_click=_topic, args=tuple(picked))
        st.html(
            '<p class="quiet">动态也可用 Atom 订阅，地址为本站的 /api/v1/changes.atom；需要按日或按周收到摘要时，请管理员在设置中填写邮件服务器或推送地址。</p>'
        )


def _question() -> None:
    if not (question := frame.typed("follow_words")):
        return frame.say("info", "还没有问题", "请写下要关注的问题。")
    frame.act(lambda: _service().follow_question(question, Filters(), login.name()))


def _topic(province: str, asset: str, doc_class: str) -> None:
    frame.act(lambda: _service().follow_topic(province, asset, doc_class, login.name()))


def _forget(number: int) -> None:
    frame.act(lambda: frame.engine().library.marks.forget(number, login.name()))


def _forget_memo(name: str) -> None:
    frame.act(lambda: frame.engine().library.marks.replace_all(MarkPurpose.MEMO, name, login.name(), ()))
