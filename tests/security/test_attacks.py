"""The attack set against the served program (攻击集): every case has a name, and says what an attacker must get."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from nemo import settings
from nemo.accounts import tokens
from nemo.engine import Engine
from nemo.store.files import backup as backups
from tests.security.served import FORM, QUESTION, TEXT, Reply, Target, serving, upload

JSON = ("Content-Type", "application/json")
ASK = json.dumps({"question": QUESTION}).encode()
AGENT = (JSON, ("Accept", "application/json, text/event-stream"))
LIST_TOOLS = b'{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}'
CALL_TOOL = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_regulations","arguments":{}}}'


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    with serving(tmp_path_factory.mktemp("open")) as running:
        yield running


@pytest.fixture(scope="module")
def gated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    with serving(tmp_path_factory.mktemp("gated"), login=True) as running:
        yield running


def refused(reply: Reply, status: int) -> None:
    assert (reply.status, reply.error["error"]) == (status, True)
    assert "frame-ancestors 'none'" in reply.headers["content-security-policy"]


# --- a host that is not ours: DNS rebinding, and requests that were meant for another server

HOSTS = [
    ("another name", "evil.test"),
    ("a rebound name with our port", "evil.test:{port}"),
    ("our name in front of another", "localhost.evil.test:{port}"),
    ("our address in front of another name", "127.0.0.1.evil.test"),
    ("our name as user information", "localhost@evil.test"),
    ("another name as user information", "evil.test@localhost"),
    ("our address as one number", "2130706433"),
    ("our address in octal", "0177.0.0.1"),
    ("another private address", "10.0.0.1:{port}"),
    ("the address of metadata", "169.254.169.254"),
    ("any address", "0.0.0.0:{port}"),
    ("a mapped address", "[::ffff:10.0.0.1]:{port}"),
    ("no closing bracket", "[::1"),
    ("a path behind the name", "localhost/evil.test"),
    ("blank", " "),
]


@pytest.mark.parametrize("path", ["/", "/api/regulations", "/mcp/", "/_stcore/health", "/ask"])
@pytest.mark.parametrize(("name", "host"), HOSTS, ids=[name for name, _ in HOSTS])
def test_foreign_host(target: Target, name: str, host: str, path: str) -> None:
    refused(target.send("GET", path, host=host), 403)


def test_foreign_host_is_not_cured_by_a_forwarded_one(target: Target) -> None:
    more = [("X-Forwarded-Host", "localhost"), ("Forwarded", "host=localhost"), target.bearing("admin")]
    refused(target.send("GET", "/api/backup", more, host="evil.test"), 403)


def test_two_hosts(target: Target) -> None:
    assert target.send("GET", "/api/regulations", [("Host", "localhost")], host="evil.test").status in (400, 403)


def test_no_host(target: Target) -> None:
    assert target.send("GET", "/api/regulations", host=None).status in (400, 403)


@pytest.mark.parametrize("host", ["localhost:{port}", "127.0.0.1:{port}", "LOCALHOST", "localhost."])
def test_our_own_hosts_pass(target: Target, host: str) -> None:
    assert target.send("GET", "/api/regulations", host=host).status == 200


# --- a page of another origin, in a visitor's browser

ORIGINS = [
    ("another site", "http://evil.test"),
    ("another site over TLS", "https://evil.test"),
    ("a sandboxed frame or a file", "null"),
    ("another port of this machine", "http://localhost:1"),
    ("another name of this machine", "http://127.0.0.2:{port}"),
    ("our name in front of another", "http://localhost.evil.test:{port}"),
    ("our name as user information", "http://localhost:{port}@evil.test"),
    ("an extension", "chrome-extension://abcdef"),
    ("nonsense", "http://["),
]
ACTIONS = [
    ("a form with a file", "POST", "/api/ingest", [("Content-Type", FORM)], upload()),
    ("a question as plain text", "POST", "/api/query", [("Content-Type", "text/plain")], ASK),
    ("a question", "POST", "/api/query", [JSON], ASK),
    ("the backup", "GET", "/api/backup", [], b""),
    ("the list", "GET", "/api/regulations", [], b""),
    ("a preflight", "OPTIONS", "/api/query", [("Access-Control-Request-Method", "POST")], b""),
    ("an agent's call", "POST", "/mcp/", [*AGENT], CALL_TOOL),
    ("an upload into the app", "PUT", "/_stcore/upload_file/session/file", [("Content-Type", FORM)], upload()),
]


@pytest.mark.parametrize(("action", "method", "path", "headers", "body"), ACTIONS, ids=[a[0] for a in ACTIONS])
@pytest.mark.parametrize(("name", "origin"), ORIGINS, ids=[name for name, _ in ORIGINS])
def test_foreign_origin(
    target: Target, name: str, origin: str, action: str, method: str, path: str, headers: list, body: bytes
) -> None:
    reply = target.send(method, path, [*headers, ("Origin", origin), target.bearing("admin")], body)
    refused(reply, 403)
    assert "access-control-allow-origin" not in reply.headers


FETCHED = [
    ("a picture from another site", "GET", "cross-site", "no-cors", "image"),
    ("a picture from another port", "GET", "same-site", "no-cors", "image"),
    ("a script from another site", "GET", "cross-site", "no-cors", "script"),
    ("a frame in another site", "GET", "cross-site", "navigate", "iframe"),
    ("an object in another site", "GET", "cross-site", "navigate", "object"),
    ("a form that leads here", "POST", "cross-site", "navigate", "document"),
    ("a form of another port", "POST", "same-site", "navigate", "document"),
]


@pytest.mark.parametrize("path", ["/", "/api/regulations", "/media/x.pdf"])
@pytest.mark.parametrize(("name", "method", "site", "mode", "dest"), FETCHED, ids=[f[0] for f in FETCHED])
def test_foreign_page_without_origin(
    target: Target, name: str, method: str, site: str, mode: str, dest: str, path: str
) -> None:
    told = [("Sec-Fetch-Site", site), ("Sec-Fetch-Mode", mode), ("Sec-Fetch-Dest", dest)]
    refused(target.send(method, path, told), 403)


def test_a_link_from_a_mail_opens_the_app(target: Target) -> None:
    told = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document")]
    assert target.send("GET", "/?q=x", told).status == 200


def test_our_own_origin_passes(target: Target) -> None:
    own = [JSON, ("Origin", "http://localhost:{port}"), ("Sec-Fetch-Site", "same-origin")]
    assert target.send("POST", "/api/query", own, ASK).status == 200


# --- no token, a wrong one, one of too low a role

NEEDS_TOKEN = [
    ("ingest", "POST", "/api/ingest", [("Content-Type", FORM)], upload()),
    ("backup", "GET", "/api/backup", [], b""),
    ("metrics", "GET", "/_stcore/metrics", [], b""),
]
WRONG = [
    ("no token", []),
    ("a guess", [("Authorization", "Bearer nemo_guess")]),
    ("nothing after Bearer", [("Authorization", "Bearer ")]),
    ("Basic", [("Authorization", "Basic YWRtaW46YWRtaW4=")]),
    ("a cookie", [("Cookie", "token={admin}")]),
    ("the hash of a token", [("Authorization", "Bearer {digest}")]),
    ("a token cut short", [("Authorization", "Bearer {short}")]),
    ("a token without its scheme", [("Authorization", "{admin}")]),
    ("a revoked token", [("Authorization", "Bearer {revoked}")]),
    ("a very long one", [("Authorization", "Bearer " + "x" * 8000)]),
    ("SQL", [("Authorization", "Bearer ' OR 1=1 --")]),
]


@pytest.mark.parametrize(("what", "method", "path", "headers", "body"), NEEDS_TOKEN, ids=[n[0] for n in NEEDS_TOKEN])
@pytest.mark.parametrize(("name", "shown"), WRONG, ids=[w[0] for w in WRONG])
def test_wrong_token(
    target: Target, name: str, shown: list, what: str, method: str, path: str, headers: list, body: bytes
) -> None:
    admin = target.tokens["admin"]
    known = {**target.tokens, "digest": tokens.digest(admin), "short": admin[:-1]}
    filled = [(k, v.format(**known) if "{" in v else v) for k, v in shown]
    reply = target.send(method, path, [*headers, *filled], body)
    assert reply.status in (401, 429), "after some wrong tokens the brake answers"
    assert reply.error["code"] == {401: "not_signed_in", 429: "too_many_tries"}[reply.status]
    assert reply.headers["www-authenticate" if reply.status == 401 else "retry-after"]


def test_a_token_in_the_address_counts_for_nothing(target: Target) -> None:
    path = f"/api/backup?token={target.tokens['admin']}&access_token={target.tokens['admin']}"
    refused(target.send("GET", path), 401)


ROLES = [
    ("reader", "POST", "/api/ingest", 403),
    ("reader", "GET", "/api/backup", 403),
    ("reader", "GET", "/_stcore/metrics", 403),
    ("analyst", "GET", "/api/backup", 403),
    ("analyst", "GET", "/_stcore/metrics", 403),
    ("reviewer", "GET", "/api/backup", 403),
    ("reviewer", "GET", "/_stcore/metrics", 403),
    ("reader", "GET", "/api/regulations", 200),
    ("analyst", "POST", "/api/ingest", 200),
    ("admin", "GET", "/api/backup", 200),
    ("admin", "GET", "/_stcore/metrics", 200),
]


@pytest.mark.parametrize(("role", "method", "path", "status"), ROLES, ids=[f"{r[0]} {r[1]} {r[2]}" for r in ROLES])
def test_roles(target: Target, role: str, method: str, path: str, status: int) -> None:
    form = [("Content-Type", FORM)] if method == "POST" else []
    reply = target.send(method, path, [*form, target.bearing(role)], upload() if form else b"")
    assert reply.status == status
    if status == 403:
        assert reply.error["code"] == "not_permitted"


# --- where people sign in, nothing is read without a token

GATED = [
    ("a question", "POST", "/api/query", [JSON], ASK),
    ("the list", "GET", "/api/regulations", [], b""),
    ("one text", "GET", "/api/regulations/x", [], b""),
    ("a stored answer", "GET", "/api/answers/nemo-1", [], b""),
    ("ingest", "POST", "/api/ingest", [("Content-Type", FORM)], upload()),
    ("the backup", "GET", "/api/backup", [], b""),
    ("the description", "GET", "/api/docs", [], b""),
    ("the description for programs", "GET", "/api/openapi.json", [], b""),
    ("metrics", "GET", "/_stcore/metrics", [], b""),
    ("agents' tools", "POST", "/mcp/", [*AGENT], LIST_TOOLS),
    ("agents' tools as the address is written", "POST", "/mcp", [*AGENT], LIST_TOOLS),
    ("an agent's call", "POST", "/mcp/", [*AGENT], CALL_TOOL),
    ("an unknown address", "GET", "/api/nothing", [], b""),
]


@pytest.mark.parametrize(("name", "method", "path", "headers", "body"), GATED, ids=[g[0] for g in GATED])
def test_signing_in_is_asked_of_programs(
    gated: Target, name: str, method: str, path: str, headers: list, body: bytes
) -> None:
    refused(gated.send(method, path, headers, body), 401)


def test_health_tells_strangers_one_bit(gated: Target) -> None:
    assert set(json.loads(gated.send("GET", "/api/health").body)) == {"ok"}
    assert "checks" in json.loads(gated.send("GET", "/api/health", [gated.bearing("reader")]).body)


def test_programs_read_with_a_token(gated: Target) -> None:
    shown = gated.bearing("reader")
    assert json.loads(gated.send("POST", "/api/query", [JSON, shown], ASK).body)["citations"]
    for address in ("/mcp/", "/mcp"):
        assert gated.send("POST", address, [*AGENT, shown], CALL_TOOL).status == 200
    assert "接口".encode() in gated.send("GET", "/api/docs", [shown]).body


def test_every_write_names_its_actor(gated: Target) -> None:
    text = TEXT.replace("门卫办法", "署名办法").replace("十二个", "十六个")
    reply = gated.send(
        "POST", "/api/ingest", [("Content-Type", FORM), gated.bearing("analyst")], upload("署名.md", text)
    )
    assert json.loads(reply.body)["counts"]["stored"] == 1
    assert gated.send("GET", "/api/backup", [gated.bearing("admin")]).status == 200
    archive = gated.library.parent / "taken.zip"
    archive.write_bytes(gated.send("GET", "/api/backup", [gated.bearing("admin")]).body)
    again = settings.load(library=gated.library.parent / "again", workers=0)
    backups.restore(archive, again.library)
    with Engine.open(again) as engine:
        entries = engine.library.audit_trail().entries
    assert all(entry.user for entry in entries)
    assert {(e.action, e.user) for e in entries} >= {("store", "令牌“测试分析员”"), ("backup", "令牌“测试管理员”")}


# --- what the router, the parser and the meter refuse

DEEP = b"[" * 200_000
MISUSES = [
    ("an unknown address", "GET", "/api/nothing", [], b"", 404),
    ("an unknown address of agents", "GET", "/mcp/nothing", [], b"", 404),
    ("an unknown regulation", "GET", "/api/regulations/nothing", [], b"", 404),
    ("an unknown answer", "GET", "/api/answers/nothing", [], b"", 404),
    ("a wrong method", "PUT", "/api/query", [JSON], b"{}", 405),
    ("deleting", "DELETE", "/api/regulations", [], b"", 405),
    ("posting to the app", "POST", "/nothing", [], b"", 405),
    ("TRACE", "TRACE", "/api/query", [], b"", 405),
    ("no JSON", "POST", "/api/query", [JSON], b"{bad", 422),
    ("no question", "POST", "/api/query", [JSON], b"{}", 422),
    ("a list for a question", "POST", "/api/query", [JSON], b'{"question":["a"]}', 422),
    ("another encoding", "POST", "/api/query", [JSON], b'{"question":"\xff\xfe"}', 422),
    ("JSON without end", "POST", "/api/query", [JSON], DEEP, 422),
    ("no such day", "POST", "/api/query", [JSON], b'{"question":"a","as_of":"2024-13-01"}', 422),
    ("no such day in the address", "GET", "/api/regulations?as_of=x", [], b"", 422),
    ("no such province", "POST", "/api/query", [JSON], b'{"question":"a","province":"zz"}', 400),
    ("too long a body", "POST", "/api/query", [JSON], b" " * 2_000_000, 413),
    ("too long a call of an agent", "POST", "/mcp/", [*AGENT], b" " * 2_000_000, 413),
    ("a stated length beyond all measure", "POST", "/api/ingest", [("Content-Length", str(10**15))], b"", 413),
    ("climbing out of an address", "GET", "/api/regulations/..%2f..%2f..%2fetc%2fpasswd", [], b"", 400),
    ("climbing out of the media", "GET", "/media/..%2f..%2f..%2fetc%2fpasswd", [], b"", 400),
    ("climbing out of the interface", "GET", "/api/../../etc/passwd", [], b"", 400),
    ("a share of another machine", "GET", "/%5c%5cevil.test%5cshare", [], b"", 400),
    ("a null byte", "GET", "/api/regulations/a%00b", [], b"", 400),
]


@pytest.mark.parametrize(("name", "method", "path", "headers", "body", "status"), MISUSES, ids=[m[0] for m in MISUSES])
def test_misuse(target: Target, name: str, method: str, path: str, headers: list, body: bytes, status: int) -> None:
    refused(target.send(method, path, headers, body), status)


def test_a_body_without_stated_length_is_measured_as_it_comes(target: Target) -> None:
    for path, headers in (("/api/query", [JSON]), ("/mcp/", [*AGENT])):
        refused(target.send("POST", path, headers, iter([b" " * 100_000] * 20)), 413)


TRAVERSALS = [
    "/static/js/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
    "/static//etc/passwd",
    "/..%2f..%2f..%2fetc%2fpasswd",
    "/app/static/..%2f..%2fdata/var/catalogue.sqlite",
    "/component/x/..%2f..%2fetc%2fpasswd",
    "/_stcore/bidi-components/..%2f..%2fetc%2fpasswd",
    "//etc/passwd",
    "/%5c%5cevil.test%5cshare",
]


@pytest.mark.parametrize("path", TRAVERSALS)
def test_no_path_of_a_request_reaches_the_disk(target: Target, path: str) -> None:
    reply = target.send("GET", path)
    assert b"root:" not in reply.body and b"SQLite format" not in reply.body
    assert "frame-ancestors 'none'" in reply.headers["content-security-policy"]


@pytest.mark.parametrize("name", ["../../etc/上传.md", "..\\..\\上传.md", "/etc/cron.d/上传.md", "C:\\上传.md"])
def test_a_file_name_that_climbs_loses_its_path(target: Target, name: str) -> None:
    reply = target.send("POST", "/api/ingest", [("Content-Type", FORM), target.bearing("analyst")], upload(name))
    assert json.loads(reply.body)["files"][0]["name"] == "上传.md"


# --- what every answer tells the browser

ADDRESSES = [
    "/", "/ask", "/library", "/review", "/unknown", "/unknown/deep", "/api/docs", "/api/openapi.json", "/api/health",
    "/api/nothing", "/api/regulations", "/mcp", "/mcp/", "/mcp/x", "/media/none.pdf", "/_stcore/health",
    "/_stcore/metrics", "/_stcore/host-config", "/_stcore/agent/openapi.json", "/static/none.js", "/favicon.png",
    "/robots.txt", "/component/none/index.html", "/oauth2callback", "/auth/login",
]  # fmt: skip


@pytest.mark.parametrize("path", ADDRESSES)
def test_every_answer_keeps_itself_at_home(target: Target, path: str) -> None:
    headers = target.send("GET", path).headers
    policy = headers["content-security-policy"]
    assert "frame-ancestors 'none'" in policy and "default-src" in policy and "*" not in policy
    assert headers["x-frame-options"] == "DENY"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cross-origin-resource-policy"] == "same-origin"


def test_a_probe_that_asks_for_the_head_alone_is_answered(target: Target) -> None:
    head, whole = (target.send(method, "/api/v1/health") for method in ("HEAD", "GET"))
    assert (head.status, head.body) == (whole.status, b"") and head.headers.keys() == whole.headers.keys()


def test_what_is_stored_never_runs(target: Target) -> None:
    """A hostile page among the originals is served, if at all, under a policy that lets nothing run."""
    assert "script-src" not in (policy := target.send("GET", "/media/x.html").headers["content-security-policy"])
    assert "default-src 'none'" in policy


def test_the_description_has_no_script(target: Target) -> None:
    body = target.send("GET", "/api/docs").body
    assert b"<script" not in body and b"://" not in body and b"/api/query" in body


# --- guessing tokens


def test_guessing_tokens_is_slowed_and_noted_while_right_ones_pass(gated: Target) -> None:
    guess = [("Authorization", "Bearer nemo_guess")]
    seen = [gated.send("GET", "/api/regulations", guess).status for _ in range(30)]
    assert seen[0] == 401 and seen[-1] == 429
    assert gated.send("GET", "/api/regulations", [gated.bearing("reader")]).status == 200


def test_the_first_token_is_private(target: Target) -> None:
    file: Path = target.library / "token"
    assert file.stat().st_mode & 0o077 == 0
    assert target.send("GET", "/api/backup", [("Authorization", f"Bearer {file.read_text().strip()}")]).status == 200
    assert file.read_text().strip().encode() not in (target.library / "catalogue.sqlite").read_bytes()
