"""The description of the HTTP interface as one plain page (接口说明): no script, and nothing from another machine."""

import html
from collections.abc import Iterable, Mapping
from typing import Any

_STYLE = (
    "body{font:15px/1.6 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#0b1220;background:#fff}"
    "code{background:#f4f6f9;padding:.1rem .3rem}dt{margin-top:1rem}table{border-collapse:collapse}"
    "td{padding:.1rem 1rem .1rem 0;vertical-align:top}"
)

_ABOUT = (
    "<p>写入与备份须携带令牌：<code>Authorization: Bearer &lt;令牌&gt;</code>，见“系统”页或 "
    "<code>python -m nemo token show</code>；启用登录后，读取也须携带。机器可读的说明："
    '<a href="openapi.json">openapi.json</a>。智能体接口（MCP）在 <code>/mcp</code>。</p>'
    "<p>出错时返回 <code>{&quot;error&quot;: true, &quot;code&quot;, &quot;message&quot;, &quot;trace_id&quot;, "
    "&quot;timestamp&quot;, &quot;tips&quot;}</code>，状态码 400、401、403、404、405、413、422、429、500、501、502、503。</p>"
)


def responses(form: Any, status: int = 200, files: Iterable[str] = ()) -> dict[int | str, dict[str, Any]]:
    """Describe what an address answers: a form, or instead of it files of these media types where they are asked for.

    What is sent is written by ``nemo.export``; tests hold it against the form.
    """
    file = {"schema": {"type": "string", "format": "binary"}}
    return {status: {"model": form, "content": {kind: file for kind in files if kind != "application/json"}}}


def page(schema: Mapping[str, Any], root: str) -> str:
    """Return the page of an OpenAPI 3.1 description whose paths stand below ``root``."""
    entries = "".join(
        _entry(root + path, method, operation, schema)
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
    )
    title = html.escape(f"{schema['info']['title']} 接口")
    return (
        f'<!doctype html><html lang="zh-CN"><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style>'
        f"<h1>{title}</h1>{_ABOUT}<dl>{entries}</dl></html>"
    )


def _entry(path: str, method: str, operation: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    rows = [(p["name"], p["schema"], p.get("description", "")) for p in operation.get("parameters", ())]
    for media, body in operation.get("requestBody", {}).get("content", {}).items():
        fields = _resolved(body["schema"], schema).get("properties", {})
        rows += [(name, field, field.get("description", media)) for name, field in fields.items()]
    cells = "".join(
        f"<tr><td><code>{html.escape(name)}</code></td><td>{html.escape(_kind(kind))}</td><td>{html.escape(about)}</td></tr>"
        for name, kind, about in rows
    )
    words = html.escape(operation.get("description", operation.get("summary", "")))
    return f"<dt><code>{method.upper()} {html.escape(path)}</code></dt><dd>{words}<table>{cells}</table></dd>"


def _resolved(kind: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    name = str(kind.get("$ref", "")).rsplit("/", 1)[-1]
    found: Mapping[str, Any] = schema.get("components", {}).get("schemas", {}).get(name, kind)
    return found


def _kind(kind: Mapping[str, Any]) -> str:
    """Return the types that a value may have, without null."""
    several = [_kind(one) for one in kind.get("anyOf", ())]
    return " | ".join(t for t in several if t != "null") or str(kind.get("format") or kind.get("type", ""))
