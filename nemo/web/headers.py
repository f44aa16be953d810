"""What every answer tells the browser it may do with it (安全响应头)."""

import re

# Streamlit writes scripts and styles into the page and its charts are compiled in the browser; what the browser must
# never do is ask another machine for anything, whatever text got into the page. Older browsers do not count a WebSocket
# of the same host as 'self', so the host is named.
_PAGE = (
    "default-src 'self' data: blob:; script-src 'self' blob: 'unsafe-inline' 'unsafe-eval'; "
    "style-src 'self' 'unsafe-inline'; connect-src 'self' data: blob: {sockets}; object-src 'none'; base-uri 'self'; "
    "form-action 'self'; frame-ancestors 'none'"
)
_DATA = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""Of what is no page of the app: nothing in it may run, whatever a stored file holds."""

_NO_PAGES = ("/api", "/mcp", "/media", "/_stcore")

_ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}

_HOST = re.compile(r"[A-Za-z0-9.-]+(?::[0-9]+)?|\[[0-9A-Fa-f:.]+\](?::[0-9]+)?")


def of(path: str, host: str) -> dict[str, str]:
    """Return the headers of an answer to a path below the app's own address; a host that is no host is not named."""
    if under(path, *_NO_PAGES):
        kept = {"Cache-Control": "no-store"} if under(path, "/api", "/mcp") else {}
        return {**_ALWAYS, **kept, "Content-Security-Policy": _DATA}
    sockets = f"ws://{host} wss://{host}" if _HOST.fullmatch(host) else ""
    return {**_ALWAYS, "Content-Security-Policy": _PAGE.format(sockets=sockets)}


def under(path: str, *roots: str) -> bool:
    """Tell whether a path is one of the roots or lies below one."""
    return any(path == root or path.startswith(root + "/") for root in roots)
