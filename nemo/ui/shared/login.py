"""Who is in front of the screen (登录): nobody has to sign in unless the settings name a users file or single sign-on."""

from collections.abc import Callable

import streamlit as st
from streamlit.errors import Error as StreamlitError

from nemo.accounts import User
from nemo.accounts.kept import COOKIE
from nemo.errors import ConfigError
from nemo.ui.shared import frame, safe

_USER, _CODE, _FAILED = "_user", "_sign_in_code", "_sign_in_failed"
_NAME, _PASSWORD = "login_name", "login_password"
_KEEP = st.components.v2.component(
    "nemo_keep",
    html="<i></i>",
    js="""export default function({data}) {
  fetch('./signed-in', {method: 'POST', headers: {'X-Nemo-Code': data.code}});
}""",
)
"""Has the server set the cookie by which the browser is known again; what it sends is used up by that."""

# Constants. An OIDC provider sends people back to the start page in a new session; the tab remembers where they were.
_REMEMBER = "<script>sessionStorage.setItem('nemoTarget', location.href)</script>"
_RETURN = """<script>(() => {
  const target = sessionStorage.getItem('nemoTarget');
  sessionStorage.removeItem('nemoTarget');
  if (target && target !== location.href && target.startsWith(location.origin + '/')) location.replace(target);
})()</script>"""


def user() -> User | None:
    """Return who signed in; None where nobody has to, or nobody has."""
    known: User | None = st.session_state.get(_USER)
    return known or _kept() or _from_provider()


def name() -> str | None:
    """Return the name of who signed in, as the engine writes it beside what they do."""
    known = user()
    return known.name if known else None


def gate() -> None:
    """Let nobody past who has to sign in and has not; runs after the navigation, before any page."""
    _stop_strangers()
    known, drawn_for = user(), st.session_state.get(frame.PERSON)
    st.session_state[frame.PERSON] = known
    if known != drawn_for:
        st.rerun()  # the menu was drawn for somebody else
    if known:
        code = st.session_state.get(_CODE)
        if code and frame.opened().access.kept.waits(code):
            _KEEP(key="keep", data={"code": code})
        with st.sidebar, st.container(horizontal=True, vertical_alignment="center", key="who"):
            st.html(f'<span class="quiet">{safe.name(known.name)} · {known.role.title}</span>')
            st.button("退出", type="tertiary", on_click=_sign_out, key="sign_out")
        if frame.settings().sso:
            st.container(key="return").html(_RETURN, unsafe_allow_javascript=True)


def require(action: str) -> None:
    """Stop the page unless the person may do ``action``, a key of ``nemo.accounts.ACTIONS``.

    A page does not trust that the gate stood before it.
    """
    _stop_strangers()
    st.session_state[frame.PERSON] = user()
    if may(action):
        return
    frame.notice("warn", "没有权限", "您的角色不能使用本页。请联系管理员。")
    st.stop()


def may(action: str) -> bool:
    """Tell whether the person may do ``action``; everybody may where nobody has to sign in."""
    known = user()
    return not _is_gated() or (known is not None and known.may(action))


def _is_gated() -> bool:
    settings = frame.settings()
    return settings.sso or settings.users_file is not None


def _stop_strangers() -> None:
    if _is_gated() and user() is None:
        _form()
        st.stop()


# --- single sign-on


def _claims() -> dict[str, object]:
    """Return what the provider says of the visitor, nothing where single sign-on is off or nobody signed in."""
    if not frame.settings().sso or not getattr(st.user, "is_logged_in", False):
        return {}
    return dict(st.user.to_dict())


def _from_provider() -> User | None:
    """Return whom the provider named; an address that it has not verified names nobody."""
    claims = _claims()
    address = claims.get("email")
    users = frame.opened().users
    if not isinstance(address, str) or claims.get("email_verified") is False or users is None:
        return None
    return users.find(address)


def _provider_form() -> None:
    if claims := _claims():
        who = safe.visible(str(claims.get("email") or claims.get("name") or "未给出邮箱"))
        frame.notice(
            "warn", "账号尚未获准", f"“{who}”已通过统一身份登录，但未被列入用户名单，或邮箱未经验证。请联系管理员。"
        )
        st.button("换一个账号", on_click=st.logout, key="sso_out")
        return
    st.container(key="remember").html(_REMEMBER, unsafe_allow_javascript=True)
    st.button(
        "统一身份登录",
        type="primary",
        icon=":material/login:",
        width=360,
        key="sso",
        on_click=_sign_in,
        args=(_to_provider,),
    )


def _to_provider() -> None:
    try:
        st.login()
    except StreamlitError as error:
        raise ConfigError(
            "统一身份登录没有配置好。请在 .streamlit/secrets.toml 的 [auth] 中写明 redirect_uri、cookie_secret、"
            "client_id、client_secret、server_metadata_url。"
        ) from error


def _sign_in(way: Callable[[], None]) -> None:
    st.session_state[_FAILED] = frame.attempt(way)


# --- passwords


def _form() -> None:
    users = frame.opened().users
    frame.header("登录", "请用单位账号登录" if frame.settings().sso else "请使用管理员分配的用户名和口令")
    if frame.settings().sso:
        _provider_form()
    if users is not None and users.have_passwords:
        with st.form("login", width=360):
            st.text_input("用户名", key=_NAME, autocomplete="username")
            st.text_input("口令", type="password", key=_PASSWORD, autocomplete="current-password")
            st.form_submit_button(
                "登录", type="secondary" if frame.settings().sso else "primary", width="stretch",
                on_click=_sign_in, args=(_with_password,),
            )  # fmt: skip
    if failed := st.session_state.get(_FAILED):
        frame.notice("bad", "未能登录", failed.words, failed.tips)


def _with_password() -> None:
    access, state = frame.opened().access, st.session_state
    state[_USER] = known = access.sign_in(state[_NAME], state[_PASSWORD], st.context.ip_address)
    state[_CODE] = access.kept.begin(known.name)


def _kept() -> User | None:
    """Return who signed in with a password in this browser before, in another tab or before a reload."""
    key, users = _key(), frame.opened().users if _is_gated() else None
    name = frame.opened().access.kept.name(key) if key and users else None
    return users.find(name) if users and name else None


def _key() -> str | None:
    return dict(st.context.cookies).get(COOKIE)


def _sign_out() -> None:
    code, key = st.session_state.get(_CODE), _key()
    st.session_state.clear()
    frame.act(lambda: frame.opened().access.kept.end(code, key))
    if _claims():
        st.logout()
