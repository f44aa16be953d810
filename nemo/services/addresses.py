"""The address behind a name (地址核对): a listed name must not lead into the own network (SSRF, DNS rebinding)."""

import ipaddress
import socket
from collections.abc import Callable, Iterable

from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import ConnectTimeoutError, NameResolutionError, NewConnectionError
from urllib3.util.connection import create_connection

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Address = ipaddress.IPv4Address | ipaddress.IPv6Address

AddressCheck = Callable[[str, int | None], list[str]]
"""Returns the addresses to try for a host and port, or raises."""

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
"""RFC 6052: the last 32 bits are an address of version 4."""


def networks(text: str) -> tuple[Network, ...]:
    """Read a list of networks such as ``198.18.0.0/15, fd00::/8``, as the settings have checked it."""
    return tuple(ipaddress.ip_network(part.strip()) for part in text.replace("，", ",").split(",") if part.strip())


def is_public(address: str, extra: Iterable[Network] = ()) -> bool:
    """Tell whether an IP address is one of the public Internet, or lies in one of ``extra``.

    Of an address of version 6 that carries one of version 4 (mapped, 6to4, Teredo, NAT64) the latter counts: that is
    where packets end. Not public: private, loopback, link-local, shared, reserved and documentation addresses (IANA's
    special-purpose registries), multicast, and what is no address.
    """
    try:
        found = _carried(ipaddress.ip_address(address.partition("%")[0]))
    except ValueError:
        return False
    if any(found in network for network in extra):
        return True
    return found.is_global and not found.is_multicast and not found.is_reserved


def _carried(address: Address) -> Address:
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else address)


def resolve(host: str, port: int | None) -> list[str]:
    """Return the IP addresses of a name, those to be tried first in front.

    Raises:
        OSError: it has none.
    """
    return [str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def pools(check: AddressCheck) -> dict[str, type[HTTPConnectionPool]]:
    """Return pools whose connections go to the addresses that ``check`` returns for a host and port, and nowhere else.

    What was checked is what is connected to: the name is not resolved a second time. TLS still proves the name.
    """

    class CheckedHTTPConnection(HTTPConnection):
        def _new_conn(self) -> socket.socket:
            return _connected(self, check)

    class CheckedHTTPSConnection(HTTPSConnection):
        def _new_conn(self) -> socket.socket:
            return _connected(self, check)

    class CheckedHTTPPool(HTTPConnectionPool):
        ConnectionCls = CheckedHTTPConnection

    class CheckedHTTPSPool(HTTPSConnectionPool):
        ConnectionCls = CheckedHTTPSConnection

    return {"http": CheckedHTTPPool, "https": CheckedHTTPSPool}


def _connected(connection: HTTPConnection, check: AddressCheck) -> socket.socket:
    try:
        found = check(connection.host, connection.port)
    except socket.gaierror as error:
        raise NameResolutionError(connection.host, connection, error) from error
    problem: OSError = OSError("no address")
    for address in found:
        try:
            return create_connection(
                (address, connection.port),
                connection.timeout,
                source_address=connection.source_address,
                socket_options=connection.socket_options,
            )
        except OSError as error:
            problem = error
    if isinstance(problem, TimeoutError):
        raise ConnectTimeoutError(connection, f"connecting to {connection.host} timed out") from problem
    raise NewConnectionError(connection, f"cannot connect to {connection.host}: {problem}") from problem
