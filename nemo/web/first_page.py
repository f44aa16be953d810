"""What a browser gets before the app's first run (外壳): a page in Chinese with our name, and Streamlit's own files.

Streamlit's page is blank, English and called "Streamlit" until its bundle has run and the library is open. And its files
go through worker threads, each hop of which waits for the interpreter while the library is being opened: sent from the
event loop, the first paint and the first answer come 0.3 s earlier.
"""

import base64
import html
import logging
import mimetypes
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.datastructures import Headers
from starlette.responses import RedirectResponse, Response

from nemo.web.guard import Served

_log = logging.getLogger(__name__)

HERE = Path(__file__).parent
STREAMLIT = Path(st.__file__).parent / "static"

_FOR_GOOD = {"cache-control": "public, immutable, max-age=31536000"}
"""Of files whose names change with their contents."""

_PAGE = {"cache-control": "no-cache"}

EARLY = ("Html", "TextInput", "DateInput", "ButtonGroup", "Selectbox", "Button", "BidiComponent")
"""Parts of Streamlit's page that the first answer needs; its bundle would ask for each when the server first names it."""

_IMPORTED = re.compile(r'(?:from|import)"\./([\w.-]+\.js)"')

_NAME = re.compile(r"(/[^/._][^/.]{0,79})(?:/[^/.]{0,80}){0,8}")
"""What looks like the address of a page."""
_OTHERS = frozenset(("/api", "/mcp", "/metrics", "/healthz", "/auth", "/oauth2callback", "/component", "/media"))


class FirstPage:
    """ASGI middleware: answers for the app's pages and Streamlit's files, and hands everything else on."""

    def __init__(self, app: Served, name: str, paths: Iterable[str]) -> None:
        """Args: what stands behind; the product's name; the pages' addresses without slashes, ``""`` the first."""
        self._app = app
        base = str(st.get_option("server.baseUrlPath") or "").strip("/")
        self._root = f"/{base}" if base else ""
        self._page = page((STREAMLIT / "index.html").read_text("utf-8"), name).encode()
        self._pages = {f"/{path}" for path in paths}
        # Only what lies there now is served, by its exact name: no path of a request ever reaches the disk.
        found = (STREAMLIT / "static").rglob("*")
        self._files = {f"/{file.relative_to(STREAMLIT).as_posix()}": file for file in found if file.is_file()}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer, or hand on."""
        await (self._answer(scope) or self._app)(scope, receive, send)

    def _answer(self, scope: Any) -> Response | None:
        if scope["type"] != "http" or scope["method"] != "GET" or not scope["path"].startswith(self._root):
            return None
        path = scope["path"].removeprefix(self._root)
        if path in self._pages:
            return Response(self._page, media_type="text/html", headers=_PAGE)
        named = _NAME.fullmatch(path)
        if named and named[1] not in _OTHERS and "text/html" in Headers(scope=scope).get("accept", ""):
            return RedirectResponse(f"{self._root}/?lost=1", 307)  # else the app would speak English about it
        file = self._files.get(path)
        if file is None or "range" in Headers(scope=scope):
            return None
        kind, _ = mimetypes.guess_type(file.name)
        return Response(file.read_bytes(), media_type=kind or "application/octet-stream", headers=_FOR_GOOD)


def page(theirs: str, name: str) -> str:
    """Return Streamlit's page with our language, name and icon, and a first picture until the app has drawn something."""
    first = (HERE / "first.html").read_text("utf-8").replace("NAME", html.escape(name))
    first = first.replace("LIGHT", _picture("logo-light")).replace("DARK", _picture("logo-dark"))
    soon = "".join(f'<link rel="modulepreload" crossorigin href="./static/js/{file}">\n' for file in early(theirs))
    changes = {
        r'<html lang="en">': '<html lang="zh-CN">',
        r"<title>Streamlit</title>": f"<title>{html.escape(name)}</title>",
        r'href="\./favicon\.png"': f'href="{_picture("favicon")}"',
        r"</head>": f"{soon}</head>",
        r"<noscript>[\s\S]*?</noscript>": "<noscript>请在浏览器中启用 JavaScript。</noscript>",
        r'<div id="root"></div>': f'<div id="root"></div>\n{first}',
    }
    for old, new in changes.items():
        theirs, found = re.subn(old, new.replace("\\", r"\\"), theirs, count=1)
        if not found:  # another Streamlit: everything works, only later or in English
            _log.warning("Streamlit's page has no %s", old)
    return theirs


def _picture(name: str) -> str:
    """Return one of our pictures as an address that holds it whole."""
    return (
        "data:image/png;base64,"
        + base64.b64encode((HERE.parent / "ui" / "shared" / "static" / f"{name}.png").read_bytes()).decode()
    )


def early(theirs: str) -> list[str]:
    """Return the names of the scripts of :data:`EARLY` and of all they import, without those that the page names."""
    folder = STREAMLIT / "static" / "js"
    waiting = [file.name for part in EARLY for file in sorted(folder.glob(f"{part}.*.js"))]
    found: dict[str, None] = {}
    while waiting:
        name = waiting.pop()
        if name not in found and name not in theirs:
            found[name] = None
            waiting += _IMPORTED.findall((folder / name).read_text("utf-8"))
    return list(found)
