"""What programs show to be let in at /api and /mcp: the first token, and those made for a purpose (接口令牌)."""

import datetime as dt

import streamlit as st

from nemo.accounts import TITLES, Role
from nemo.types import CHINA
from nemo.ui.shared import frame, login, safe, tables

_MADE = "_token_made"
"""The token that was just made: shown until its owner says that it is kept."""


def draw() -> None:
    """Draw the first token, the list, and the way to make and revoke."""
    access = frame.engine().access
    st.html('<h2 class="section-head">接口令牌<span>程序调用 /api 与 /mcp 时携带；写入与备份必须有令牌</span></h2>')
    if frame.engine().settings.api_token is None and (first := access.tokens.first()):
        with st.expander("查看首个令牌（管理员）", icon=":material/key:"):
            st.code(first, language=None)
    if made := st.session_state.get(_MADE):
        frame.notice("good", "已新建令牌", "请现在复制保存：关闭后不能再显示。")
        st.code(made, language=None)
        st.button(
            "已保存，关闭", icon=":material/done:", key="token_kept", on_click=st.session_state.pop, args=(_MADE, None)
        )
    rows = access.tokens.all()
    now = dt.datetime.now(dt.UTC)
    if rows:
        shown = [
            {
                "编号": row.number, "用途": row.name, "角色": TITLES[Role[row.role.upper()]],
                "新建": f"{row.by} {_day(row.at)}", "有效至": _day(row.ends) if row.ends else "长期",
                "状态": "有效" if row.valid(now) else f"已吊销 {_day(row.revoked_at)}" if row.revoked_at else "已过期",
            }
            for row in rows
        ]  # fmt: skip
        tables.grid(shown, "tokens", "接口令牌")
    _forms([(row.number, row.name) for row in rows if row.valid(now)])


def _day(moment: dt.datetime | None) -> str:
    return moment.astimezone(CHINA).strftime("%Y-%m-%d") if moment else ""


def _forms(valid: list[tuple[int, str]]) -> None:
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        st.text_input("用途", key="token_name", placeholder="如 夜间入库", width=200, max_chars=80)
        st.selectbox("角色", list(Role), format_func=TITLES.__getitem__, key="token_role", width=120)
        st.button("新建令牌", icon=":material/add:", key="token_make", on_click=_make)
        names = dict(valid)
        gone = st.selectbox(
            "吊销", list(names), format_func=lambda n: safe.label(f"{n} {names[n]}"), index=None, key="token_gone",
            placeholder="选择令牌", width=200,
        )  # fmt: skip
        st.button(
            "吊销所选", icon=":material/block:", key="token_revoke", on_click=_revoke, args=(gone,), disabled=not gone
        )


def _make() -> None:
    def work() -> None:
        name, role = frame.typed("token_name"), st.session_state["token_role"]
        st.session_state[_MADE] = frame.engine().access.make_token(name, role, login.user())

    frame.act(work)


def _revoke(number: int | None) -> None:
    frame.act(lambda: frame.engine().access.revoke_token(str(number), login.user()), "令牌已吊销")
