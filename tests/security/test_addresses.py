"""A listed name that leads into the own network (SSRF): the address that is connected to decides, at every hop."""

import socket

import pytest

from nemo.errors import ServiceError
from nemo.services import addresses
from nemo.services.addresses import is_public, networks
from nemo.services.outbound import Limits, OutboundClient
from tests.local_server import Answer, LocalServer

LISTED = "law.gov.test"
PUBLIC = "93.184.216.34"

ADDRESSES = [
    ("this machine", "127.0.0.1"),
    ("this machine, elsewhere in its network", "127.8.8.8"),
    ("any address", "0.0.0.0"),
    ("private, class A", "10.1.2.3"),
    ("private, class B", "172.16.0.1"),
    ("private, class C", "192.168.1.1"),
    ("metadata of a cloud", "169.254.169.254"),
    ("shared by a provider", "100.64.0.1"),
    ("benchmarks and fake-ip proxies", "198.18.0.1"),
    ("documentation", "192.0.2.1"),
    ("multicast", "224.0.0.1"),
    ("reserved", "240.0.0.1"),
    ("broadcast", "255.255.255.255"),
    ("this machine, version 6", "::1"),
    ("any address, version 6", "::"),
    ("unique local", "fd00::1"),
    ("link local with its zone", "fe80::1%eth0"),
    ("multicast, version 6", "ff02::1"),
    ("documentation, version 6", "2001:db8::1"),
    ("mapped loopback", "::ffff:127.0.0.1"),
    ("mapped private", "::ffff:10.0.0.1"),
    ("mapped private in hex", "::ffff:a00:1"),
    ("6to4 of a private one", "2002:a00:1::"),
    ("NAT64 of a private one", "64:ff9b::a00:1"),
    ("NAT64 of metadata", "64:ff9b::a9fe:a9fe"),
    ("Teredo of a private one", "2001:0:4136:e378:8000:63bf:f5ff:fffe"),
    ("no address", "localhost"),
    ("a number", "2130706433"),
]


@pytest.mark.parametrize(("name", "address"), ADDRESSES, ids=[a[0] for a in ADDRESSES])
def test_not_public(name: str, address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address", [PUBLIC, "2606:2800:220:1:248:1893:25c8:1946", "64:ff9b::808:808", "::ffff:8.8.8.8"]
)
def test_public(address: str) -> None:
    assert is_public(address)


def test_a_proxys_network_is_let_through_when_it_is_named() -> None:
    extra = networks("198.18.0.0/15，fd00::/8")
    assert is_public("198.18.0.7", extra) and is_public("fd00::7", extra)
    assert not is_public("10.0.0.1", extra) and not is_public("127.0.0.1", extra)


class Names:
    """What the resolver says, and what was connected to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.known: dict[str, list[list[str]]] = {}
        self.connected: list[str] = []
        monkeypatch.setattr(addresses.socket, "getaddrinfo", self._resolve)
        monkeypatch.setattr(addresses, "create_connection", self._connect)

    def _resolve(self, host: str, port: int | None, *_: object, **__: object) -> list[tuple]:
        if host not in self.known:
            raise socket.gaierror(socket.EAI_NONAME, "unknown")
        turns = self.known[host]
        found = turns.pop(0) if len(turns) > 1 else turns[0]
        return [(socket.AF_INET6 if ":" in a else socket.AF_INET, socket.SOCK_STREAM, 6, "", (a, port)) for a in found]

    def _connect(self, place: tuple[str, int], *_: object, **__: object) -> socket.socket:
        self.connected.append(place[0])
        raise OSError("nothing answers here")


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Names:
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    return Names(monkeypatch)


def client(**more: object) -> OutboundClient:
    return OutboundClient([LISTED], limits=Limits(seconds=2, attempts=2), sleep=lambda _: None, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize(("name", "address"), ADDRESSES[:-2], ids=[a[0] for a in ADDRESSES[:-2]])
def test_a_listed_name_that_leads_inside_is_not_connected_to(
    names: Names, name: str, address: str, scheme: str
) -> None:
    names.known[LISTED] = [[address]]
    with pytest.raises(ServiceError, match="非公网地址"):
        client().get(f"{scheme}://{LISTED}/a")
    assert names.connected == []


def test_one_private_address_among_public_ones_is_enough(names: Names) -> None:
    names.known[LISTED] = [[PUBLIC, "10.0.0.1"]]
    with pytest.raises(ServiceError, match="非公网地址"):
        client().get(f"https://{LISTED}/a")
    assert names.connected == []


def test_a_name_that_changes_between_check_and_connection_gains_nothing(names: Names) -> None:
    """What was checked is what is connected to; the second try is checked anew."""
    names.known[LISTED] = [[PUBLIC], ["127.0.0.1"]]
    with pytest.raises(ServiceError, match="非公网地址"):
        client().get(f"https://{LISTED}/a")
    assert names.connected == [PUBLIC]


def test_every_public_address_of_a_name_is_tried(names: Names) -> None:
    names.known[LISTED] = [["2606:2800:220:1:248:1893:25c8:1946", PUBLIC]]
    with pytest.raises(ServiceError, match="无法连接"):
        client().get(f"https://{LISTED}/a")
    assert names.connected == ["2606:2800:220:1:248:1893:25c8:1946", PUBLIC] * 2


def test_a_proxy_is_not_asked_for_a_name_that_leads_inside(names: Names, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    names.known[LISTED] = [["10.0.0.1"]]
    with pytest.raises(ServiceError, match="非公网地址"):
        client().get(f"http://{LISTED}/a")


def test_a_redirect_is_checked_like_the_first_address(server: LocalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    server.routes["/go"] = Answer(status=302, headers={"Location": f"http://{LISTED}/inside"})
    real = socket.getaddrinfo

    def resolve(host: str, *more: object, **named: object) -> list:
        return real("10.9.8.7" if host == LISTED else host, *more, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(addresses.socket, "getaddrinfo", resolve)
    with pytest.raises(ServiceError, match="非公网地址"):
        client(loopback=True).get(f"{server.url}/go")
    assert [request.path for request in server.seen] == ["/go"]


@pytest.mark.parametrize(
    "target",
    ["http://127.0.0.1/", "http://2130706433/", "http://0x7f.0.0.1/", "http://[::1]/", "http://[::ffff:127.0.0.1]/",
     "http://localhost/", "http://127.1/", "file:///etc/passwd", "gopher://law.gov.test/", "http://law.gov.test:22/",
     "http://law.gov.test@10.0.0.1/", "http://10.0.0.1\\@law.gov.test/", "//evil.test/"],
)  # fmt: skip
def test_a_redirect_off_the_list_is_not_followed(target: str) -> None:
    assert not client().allows(target)
