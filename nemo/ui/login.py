"""Who is in front of the screen (登录): nobody has to sign in unless the settings name a users file."""

from __future__ import annotations

import streamlit as st

from nemo.accounts import User
from nemo.errors import BadRequestError
from nemo.ui import frame, safe

_USER = "_user"


def user() -> User | None:
    """Return who signed in; None where nobody has to."""
    return st.session_state.get(_USER)


def name() -> str | None:
    """Return the name of who signed in, as the engine writes it beside what they do."""
    known = user()
    return known.name if known else None


def gate() -> None:
    """Let nobody past who has to sign in and has not; runs after the navigation, before any page."""
    _stop_strangers()
    if known := user():
        with st.sidebar, st.container(horizontal=True, vertical_alignment="center", key="who"):
            st.html(f'<span class="quiet">{safe.name(known.name)} · {known.role.title}</span>')
            st.button("退出", type="tertiary", on_click=_sign_out, key="sign_out")


def require(action: str) -> None:
    """Stop the page unless the person may do ``action``, a key of ``nemo.accounts.ACTIONS``.

    A page does not trust that the gate stood before it.
    """
    _stop_strangers()
    if may(action):
        return
    frame.notice("warn", "没有权限", "您的角色不能使用本页。请联系管理员。")
    st.stop()


def may(action: str) -> bool:
    """Tell whether the person may do ``action``; everybody may where nobody has to sign in."""
    known = user()
    return frame.settings().users_file is None or (known is not None and known.may(action))


def _stop_strangers() -> None:
    if frame.settings().users_file is not None and user() is None:
        _form()
        st.stop()


def _form() -> None:
    frame.header("登录", "请使用管理员分配的用户名和口令")
    with st.form("login", width=360):
        given = st.text_input("用户名", key="login_name", autocomplete="username")
        password = st.text_input("口令", type="password", key="login_password", autocomplete="current-password")
        sent = st.form_submit_button("登录", type="primary", width="stretch")
    if not sent:
        return
    users = frame.engine().users
    try:
        st.session_state[_USER] = users.verify(given, password) if users else None
    except BadRequestError as error:
        frame.notice("bad", "未能登录", error.message)
        return
    st.rerun()


def _sign_out() -> None:
    st.session_state.clear()
