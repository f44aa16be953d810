"""The one client for the outside: what it lets through, how it fails, and that keys never show."""

import gzip
import logging

import pytest

from nemo.errors import BadRequestError, ConfigError, ServiceError
from nemo.services import outbound
from nemo.services.outbound import Limits, OutboundClient, allowed, redact
from tests.local_server import Answer, LocalServer, later, serving

KEY = "sk-test-0123456789"
LIST = ("nea.gov.cn", "csg.cn")


@pytest.fixture
def pauses() -> list[float]:
    return []


def client(pauses: list[float], **limits: float) -> OutboundClient:
    settings = {"seconds": 60.0, "attempts": 3, "pause": 1.0, **limits}
    return OutboundClient(LIST, limits=Limits(**settings), loopback=True, sleep=pauses.append)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("remark", "url", "expected"),
    [
        ("the domain itself", "https://nea.gov.cn/a", True),
        ("a host below it", "https://zfxxgk.nea.gov.cn/2024-01/02/c_1.htm", True),
        ("plain http", "http://www.csg.cn/", True),
        ("upper case and a closing dot", "HTTPS://WWW.NEA.GOV.CN./a", True),
        ("the default port written out", "https://nea.gov.cn:443/", True),
        ("a Chinese path", "https://nea.gov.cn/政策/通知.html", True),
        ("a name that only ends alike", "https://fakenea.gov.cn/", False),
        ("the name as a prefix", "https://nea.gov.cn.evil.com/", False),
        ("a host of the same suffix", "https://www.gov.cn/", False),
        ("user information", "https://nea.gov.cn@evil.com/", False),
        ("user information on the right host", "https://me:pw@nea.gov.cn/", False),
        ("a backslash that some parsers take for a slash", "https://evil.com\\@nea.gov.cn/", False),
        ("another port", "https://nea.gov.cn:8443/", False),
        ("a port of the other scheme", "https://nea.gov.cn:80/", False),
        ("an address in digits", "http://127.0.0.1/", False),
        ("an address as one number", "http://2130706433/", False),
        ("an address of version 6", "http://[::1]/", False),
        ("another scheme", "ftp://nea.gov.cn/", False),
        ("a file", "file:///etc/passwd", False),
        ("no scheme", "//nea.gov.cn/", False),
        ("a line break", "https://nea.gov.cn/\r\nHost: evil.com", False),
        ("nonsense", "http://[nea.gov.cn/", False),
        ("empty", "", False),
    ],
)
def test_the_list_is_matched_by_whole_labels(remark: str, url: str, expected: bool) -> None:
    assert allowed(url, LIST) is expected, remark


def test_loopback_is_open_only_when_the_caller_says_so() -> None:
    assert not OutboundClient(LIST).allows("http://127.0.0.1:8000/")
    assert not OutboundClient(LIST).allows("http://localhost/")
    assert OutboundClient(LIST, loopback=True).allows("http://127.0.0.1:8000/")
    assert not OutboundClient(LIST, loopback=True).allows("http://10.0.0.1:8000/")


def test_an_address_off_the_list_is_refused_before_anything_is_sent(server: LocalServer) -> None:
    with pytest.raises(BadRequestError, match="名单外"):
        OutboundClient(LIST).get(server.url + "/a")
    assert server.seen == []


def test_a_reply_carries_the_bytes_the_place_and_the_time(server: LocalServer, pauses: list[float]) -> None:
    server.routes["/a"] = Answer.html("<p>甲</p>")
    reply = client(pauses).get(server.url + "/a", params={"q": "光伏"})
    assert reply.content.decode() == "<p>甲</p>"
    assert (reply.status, reply.media_type, reply.url) == (200, "text/html", server.url + "/a?q=%E5%85%89%E4%BC%8F")
    assert reply.fetched_at is not None and reply.fetched_at.tzinfo is not None
    assert "Nemo" in server.seen[0].headers["user-agent"]


def test_redirects_stay_on_the_list(server: LocalServer, pauses: list[float]) -> None:
    server.routes["/old"] = Answer(status=302, headers={"Location": "/new"})
    server.routes["/new"] = Answer.html("新")
    assert client(pauses).get(server.url + "/old").url == server.url + "/new"
    server.routes["/out"] = Answer(status=302, headers={"Location": "https://evil.example.com/"})
    with pytest.raises(ServiceError, match="名单外"):
        client(pauses).get(server.url + "/out")
    server.routes["/loop"] = Answer(status=301, headers={"Location": "/loop"})
    with pytest.raises(ServiceError, match="重定向次数过多"):
        client(pauses).get(server.url + "/loop")


def test_a_busy_server_is_asked_again_with_growing_pauses(server: LocalServer, pauses: list[float]) -> None:
    server.routes["/a"] = [Answer(status=503), Answer(status=429, headers={"Retry-After": "7"}), Answer.html("好")]
    assert client(pauses).get(server.url + "/a").content.decode() == "好"
    assert pauses == [1.0, 7.0]


def test_a_server_that_stays_broken_is_reported(server: LocalServer, pauses: list[float]) -> None:
    server.routes["/a"] = Answer(status=500)
    with pytest.raises(ServiceError, match="500"):
        client(pauses).get(server.url + "/a")
    assert len(server.seen) == 3 and pauses == [1.0, 2.0]


def test_a_long_retry_after_is_not_waited_for(server: LocalServer, pauses: list[float]) -> None:
    server.routes["/a"] = Answer(status=429, headers={"Retry-After": "3600"})
    with pytest.raises(ServiceError, match="429"):
        client(pauses).get(server.url + "/a")
    assert pauses == []


@pytest.mark.parametrize(("status", "words"), [(404, "没有这个页面"), (412, "拒绝自动访问"), (401, "密钥")])
def test_a_refusal_is_not_repeated(server: LocalServer, pauses: list[float], status: int, words: str) -> None:
    server.routes["/a"] = Answer(status=status)
    with pytest.raises(ServiceError, match=words):
        client(pauses).get(server.url + "/a")
    assert len(server.seen) == 1


def test_accepted_statuses_are_answers(server: LocalServer, pauses: list[float]) -> None:
    assert client(pauses).get(server.url + "/none", accept=(200, 404)).status == 404


def test_a_slow_server_ends_at_the_limit(server: LocalServer, pauses: list[float]) -> None:
    server.routes["/slow"] = Answer(b"late", delay=600)
    with pytest.raises(ServiceError, match=r"0\.2 秒"):
        client(pauses, seconds=0.2, attempts=1).get(server.url + "/slow")


def test_a_dripping_server_ends_at_the_limit(
    server: LocalServer, pauses: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    server.routes["/drip"] = Answer(b"x" * 1000, drip=0.05)
    monkeypatch.setattr(outbound, "time", later(server))
    with pytest.raises(ServiceError, match="传完"):
        client(pauses, attempts=1).get(server.url + "/drip")


def test_a_body_over_the_limit_is_not_read_to_its_end(server: LocalServer, pauses: list[float]) -> None:
    server.routes["/big"] = Answer(b"x" * 5000)
    server.routes["/bomb"] = Answer(gzip.compress(b"x" * 500_000), headers={"Content-Encoding": "gzip"})
    for path in ("/big", "/bomb"):
        with pytest.raises(ServiceError, match="上限"):
            client(pauses, size=4000).get(server.url + path)


def test_a_connection_cut_in_the_body_is_an_error_and_not_a_short_file(
    server: LocalServer, pauses: list[float]
) -> None:
    server.routes["/cut"] = [Answer(b"x" * 1000, cut=True), Answer(b"x" * 1000)]
    assert len(client(pauses).get(server.url + "/cut").content) == 1000
    server.routes["/cut"] = Answer(b"x" * 1000, cut=True)
    with pytest.raises(ServiceError, match="断开"):
        client(pauses).get(server.url + "/cut")


def test_nobody_listening_is_a_service_error(pauses: list[float]) -> None:
    with serving() as gone:
        url = gone.url
    with pytest.raises(ServiceError, match="无法连接"):
        client(pauses).get(url + "/a")


def test_a_reply_that_is_not_json_says_so(server: LocalServer, pauses: list[float]) -> None:
    server.routes["/a"] = [Answer(b"<html>"), Answer.of({"甲": 1})]
    with pytest.raises(ServiceError, match="JSON"):
        client(pauses).get(server.url + "/a").json()
    assert client(pauses).get(server.url + "/a").json() == {"甲": 1}


def chain(error: BaseException) -> str:
    """Everything that a traceback of ``error`` could print."""
    parts = []
    step: BaseException | None = error
    while step is not None:
        parts += [str(step), repr(step), repr(step.args)]
        step = step.__cause__ or step.__context__
    return "\n".join(parts)


def test_keys_never_stand_in_logs_or_errors(server: LocalServer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    server.routes["/ok"] = Answer.of({"ok": True})
    server.routes["/bad"] = Answer(status=500)
    keyed = OutboundClient(LIST, headers={"Authorization": f"Bearer {KEY}"}, loopback=True, sleep=lambda _: None)
    keyed.post(server.url + "/ok", {"q": "x"})
    assert server.seen[0].headers["authorization"] == f"Bearer {KEY}"
    for address in (server.url + "/bad", f"http://127.0.0.1:1/?key={KEY}", f"https://evil.com/?token={KEY}"):
        with pytest.raises((ServiceError, BadRequestError)) as caught:
            keyed.get(address)
        assert KEY not in chain(caught.value)
    assert KEY not in "\n".join(r.getMessage() for r in caplog.records if r.name.startswith("nemo"))
    # The libraries below log paths; no key is ever put into a path or a parameter by Nemo itself.
    assert f"Bearer {KEY}" not in caplog.text


def test_a_key_goes_to_its_own_host_only(server: LocalServer) -> None:
    keyed = OutboundClient(LIST, headers={"x-goog-api-key": KEY}, loopback=True, sleep=lambda _: None)
    assert not keyed.allows("http://www.nea.gov.cn/")  # never in clear
    assert keyed.allows("https://www.nea.gov.cn/")
    server.routes["/move"] = Answer(status=302, headers={"Location": "/elsewhere"})
    with pytest.raises(ServiceError, match="重定向"):
        keyed.get(server.url + "/move")
    assert [r.path for r in server.seen] == ["/move"]


@pytest.mark.parametrize("key", ["口令甲", "abc\r\nX: y", "", " abc"])
def test_a_key_that_cannot_stand_in_a_header_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(ConfigError) as caught:
        OutboundClient(LIST, headers={"x-goog-api-key": key})
    assert not key.strip() or key not in chain(caught.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://a.cn/?key=abc&q=1", "https://a.cn/?key=***&q=1"),
        ("https://a.cn/?q=1&access_token=abc'", "https://a.cn/?q=1&access_token=***'"),
        ("https://a.cn/?keyword=abc", "https://a.cn/?keyword=abc"),
        ("plain s3cret words", "plain *** words"),
    ],
)
def test_redaction(text: str, expected: str) -> None:
    assert redact(text, ["s3cret"]) == expected
