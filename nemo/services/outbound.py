"""The one client for the outside (对外访问的唯一出口): allow-list, time-outs, retries, size limit, redaction.

Everything that Nemo itself fetches goes through a ``OutboundClient``. The rules of the list (``data/rules/sources.toml``):
hosts are compared by whole labels, never as substrings; http or https on their default ports; no user information,
no IP literal; a redirect is followed only when its target is on the list too. A name is only worth what it resolves to:
the address that is connected to must be a public one, at every hop, so that no name leads into the own network (SSRF,
DNS rebinding). Keys travel in headers only, are never
sent on to another host, and never stand in a log line or an error.
"""

import datetime as dt
import logging
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NoReturn
from urllib.parse import urljoin, urlsplit

import requests
from requests.adapters import HTTPAdapter
from requests.utils import select_proxy
from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt
from urllib3.exceptions import HTTPError

from nemo.errors import BadRequestError, ConfigError, ServiceError
from nemo.services import addresses
from nemo.types.plain import read_json

logger = logging.getLogger(__name__)

ROBOT = "Nemo"
"""The name that a robots.txt may speak of."""
AGENT = f"{ROBOT}/0.1 (compliance library; follows robots.txt)"
MAX_REDIRECTS = 5
RETRIED = frozenset({408, 429, 500, 502, 503, 504})
"""Answers that may be different a moment later."""
MAX_RETRY_AFTER = 30.0
"""Seconds: a server that asks for a longer pause is reported as failing instead of waited for."""
BLOCK = 64 * 1024
DEFAULT_PORTS = {"http": 80, "https": 443}

# A DNS name whose last label starts with a letter: this leaves out every spelling of an IP address (127.1, 0x7f.0.0.1).
_HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])?")
_SECRET_PARAMETER = re.compile(r"([?&](?:key|api_key|apikey|token|access_token|secret)=)[^&\s#'\")]+", re.IGNORECASE)
_LOOPBACK = frozenset({"127.0.0.1", "localhost"})


@dataclass(frozen=True, slots=True)
class Limits:
    """How long and how much one request may take."""

    seconds: float = 30.0
    """Time limit of one attempt: connecting, every read, and the whole body."""
    size: int = 100 * 1024 * 1024
    """Bytes of a body after decompression."""
    attempts: int = 3
    pause: float = 1.0
    """Seconds before the second attempt; doubles each time."""
    total: float = 120.0
    """Seconds for all attempts and pauses together."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer, read to its end."""

    url: str
    """Where the bytes came from, after redirects."""
    status: int
    content: bytes
    headers: Mapping[str, str] = field(default_factory=dict)
    """Names in lower case."""
    fetched_at: dt.datetime | None = None
    """UTC, aware."""

    @property
    def media_type(self) -> str | None:
        """The content type without its parameters."""
        return self.headers.get("content-type", "").split(";")[0].strip().lower() or None

    def json(self) -> Any:
        """Return the body as JSON.

        Raises:
            ServiceError: the body is not JSON.
        """
        try:
            return read_json(self.content)
        except ValueError:  # reported outside the handler: its error quotes the body
            failure = ServiceError(f"{urlsplit(self.url).hostname} 的应答不是有效的 JSON。请稍后重试。")
        raise failure


class _AttemptFailed(Exception):
    """One attempt failed; ``retry`` tells whether another may succeed. The message is redacted and Chinese."""

    def __init__(self, message: str, *, retry: bool, after: float | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.retry = retry
        self.after = after


class _NoAuth(requests.auth.AuthBase):
    """Keeps requests from taking credentials out of a .netrc file."""

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        return request


# --- the list --------------------------------------------------------------------------------------------------------


def host_of(url: str) -> str | None:
    """Return the host of an acceptable web address in lower case, None for anything else.

    Acceptable: http or https, a DNS name, the scheme's default port, no user information, no blank, control character
    or backslash (which parsers of addresses read differently).
    """
    if re.search(r"[\s\\\x00-\x1f\x7f]", url):
        return None
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in DEFAULT_PORTS or parts.username is not None or parts.password is not None:
        return None
    host = (parts.hostname or "").rstrip(".")
    if port not in (None, DEFAULT_PORTS[parts.scheme]) or not _HOST.fullmatch(host):
        return None
    return host


def allowed(url: str, domains: Iterable[str], *, loopback: bool = False) -> bool:
    """Tell whether ``url`` lies on one of ``domains`` or below it, by whole labels: ``www.nea.gov.cn`` lies below
    ``nea.gov.cn``, ``fakenea.gov.cn`` does not.

    ``loopback`` also allows any port of this machine, for tests; no setting turns it on.
    """
    if loopback and _is_loopback(url):
        return True
    host = host_of(url)
    return host is not None and any(host == d or host.endswith("." + d) for d in map(str.lower, domains) if d)


def _is_loopback(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in DEFAULT_PORTS and parts.hostname in _LOOPBACK and "@" not in parts.netloc


def redact(text: str, secrets: Iterable[str] = ()) -> str:
    """Return ``text`` with every given secret, and every key in an address, replaced by ``***``."""
    for secret in secrets:
        if secret:
            text = text.replace(secret, "***")
    return _SECRET_PARAMETER.sub(r"\1***", text)


class _CheckingAdapter(HTTPAdapter):
    """Connects to public addresses only."""

    def __init__(self, check: addresses.AddressCheck) -> None:
        """Args: returns the addresses to connect to for a host and port, or raises."""
        super().__init__()
        self.poolmanager.pool_classes_by_scheme = addresses.pools(check)


# --- the client ------------------------------------------------------------------------------------------------------


class OutboundClient:
    """Requests to the hosts of one allow-list. May be used from several threads."""

    def __init__(
        self,
        domains: Iterable[str],
        *,
        limits: Limits = Limits(),
        headers: Mapping[str, str] | None = None,
        networks: Iterable[addresses.Network] = (),
        loopback: bool = False,
        sleep: Callable[[float], Any] = time.sleep,
    ) -> None:
        """Make a client of ``domains``.

        Args:
            domains: whole-label allow-list.
            limits: time, size and attempts of each request.
            headers: secret headers (keys) sent with every request; with any of them, only https is used and no
                redirect is followed.
            networks: connected to although they are not public.
            loopback: also allow this machine. For tests only.
            sleep: waits between attempts; tests pass their own.

        Raises:
            ConfigError: a key holds characters that cannot stand in a header.
        """
        self.domains = tuple(d.lower() for d in domains)
        self.limits = limits
        self._secret_headers = dict(headers or {})
        if not all(re.fullmatch(r"[\x21-\x7e]+( [\x21-\x7e]+)?", v) for v in self._secret_headers.values()):
            raise ConfigError("密钥含有空格、换行或非英文字符。请重新复制密钥后再设置。")
        self._secrets = [v for value in self._secret_headers.values() for v in (value, value.split(" ")[-1])]
        self._networks = tuple(networks)
        self._loopback = loopback
        self.sleep = sleep
        self.follows: Callable[[str], bool] = lambda url: True
        """Asked of every target of a redirect that is on the list; who visits politely asks its robots.txt."""

    def hide(self, *secrets: str) -> None:
        """Keep some words out of every log line and error: an address may itself be the key."""
        self._secrets += [secret for secret in secrets if len(secret) > 1]

    def allows(self, url: str) -> bool:
        """Tell whether this client may fetch ``url``."""
        if not allowed(url, self.domains, loopback=self._loopback):
            return False
        return not self._secret_headers or urlsplit(url).scheme == "https" or _is_loopback(url)

    def get(
        self,
        url: str,
        *,
        params: Mapping[str, str] | None = None,
        accept: Iterable[int] = (200,),
        unless: Mapping[str, str] | None = None,
    ) -> Reply:
        """Fetch ``url``, following redirects inside the list.

        Args:
            url: the address.
            params: query parameters; never keys.
            accept: statuses that are answers rather than failures.
            unless: conditional headers, sent to this host alone.

        Raises:
            BadRequestError: the address is not on the list.
            ServiceError: no acceptable answer within the limits.
        """
        return self._send("GET", url, {"params": dict(params or {}), "headers": dict(unless or {})}, frozenset(accept))

    def post(self, url: str, body: object, *, accept: Iterable[int] = (200,)) -> Reply:
        """Send ``body`` as JSON and return the answer; the request must be safe to repeat. Raises as ``get``."""
        return self._send("POST", url, {"json": body}, frozenset(accept))

    def _send(self, method: str, url: str, payload: dict[str, Any], accept: frozenset[int]) -> Reply:
        if not self.allows(url):
            raise BadRequestError(
                f"不访问名单外的地址：{redact(url, self._secrets)[:200]}。只采集官方来源名单内的网站；"
                "其他文件请下载后上传入库。"
            )
        deadline = time.monotonic() + self.limits.total
        retrying = Retrying(
            stop=lambda state: (
                stop_after_attempt(self.limits.attempts)(state) or time.monotonic() + self._wait(state) > deadline
            ),
            wait=self._wait,
            retry=retry_if_exception(lambda e: isinstance(e, _AttemptFailed) and e.retry),
            sleep=self.sleep,
            reraise=True,
        )
        failure: _AttemptFailed
        try:
            return retrying(self._attempt, method, url, payload, accept)
        except _AttemptFailed as error:
            failure = error
        _report(failure)

    def _wait(self, state: RetryCallState) -> float:
        """Seconds before the next attempt: what the server asked for, else doubling."""
        error = state.outcome.exception() if state.outcome else None
        asked = error.after if isinstance(error, _AttemptFailed) else None
        return asked if asked is not None else self.limits.pause * 2 ** (state.attempt_number - 1)

    def _attempt(self, method: str, url: str, payload: dict[str, Any], accept: frozenset[int]) -> Reply:
        deadline = time.monotonic() + self.limits.seconds
        # A session per request: requests does not promise that one is safe to share between threads.
        with requests.Session() as session:
            session.headers["User-Agent"] = AGENT
            session.auth = _NoAuth()
            for scheme in DEFAULT_PORTS:
                session.mount(f"{scheme}://", _CheckingAdapter(self._addresses_of))
            for _ in range(MAX_REDIRECTS + 1):
                with self._open(session, method, url, payload, deadline) as response:
                    target = self._redirect(response, accept)
                    if target is None:
                        return self._read(response, accept, deadline)
                url, payload = target, {}
        raise _AttemptFailed(f"{urlsplit(url).hostname} 重定向次数过多。请在浏览器中核对地址。", retry=False)

    def _open(
        self, session: requests.Session, method: str, url: str, payload: dict[str, Any], deadline: float
    ) -> requests.Response:
        host = urlsplit(url).hostname
        sent = {**payload, "headers": {**payload.get("headers", {}), **self._secret_headers}}
        request = requests.Request(method, url, **sent)
        retry = True
        try:
            prepared = session.prepare_request(request)
            if not self.allows(prepared.url or ""):  # what is sent must be what was checked
                raise _AttemptFailed(f"地址 {host} 有歧义，未访问。", retry=False)
            settings = session.merge_environment_settings(prepared.url or "", {}, True, None, None)
            if _is_loopback(url):
                settings["proxies"] = {}
            elif select_proxy(prepared.url or "", settings["proxies"]):
                self._check_before_proxy(host or "")
            left = max(0.1, deadline - time.monotonic())
            return session.send(prepared, timeout=left, allow_redirects=False, **settings)
        except requests.Timeout:
            failure = f"{host} 没有在 {self.limits.seconds:g} 秒内应答。请稍后重试。"
        except requests.exceptions.SSLError:
            failure, retry = f"{host} 的证书不可信，未访问。请在浏览器中核对网站后手动下载上传。", False
        except requests.ConnectionError:
            failure = f"无法连接 {host}。请检查网络后重试。"
        except requests.RequestException:
            failure, retry = f"访问 {host} 失败。请核对地址。", False
        # Raised outside the handlers: the library's errors print addresses and headers, and must not travel along.
        raise _AttemptFailed(failure, retry=retry)

    def _addresses_of(self, host: str, port: int | None) -> list[str]:
        """Return the addresses to connect to; every one that the name has must be public, or it is a trap."""
        found = addresses.resolve(host, port)
        if self._loopback and host in _LOOPBACK:
            return found
        if any(not addresses.is_public(one, self._networks) for one in found):
            raise _AttemptFailed(
                f"{host} 指向非公网地址，未访问。若经代理软件上网，请把其网段写入 NEMO_FETCH_NETWORKS。", retry=False
            )
        return found

    def _check_before_proxy(self, host: str) -> None:
        """Check a name that a proxy will resolve, as far as it can be resolved here: often only the proxy can."""
        with suppress(OSError):
            self._addresses_of(host, None)

    def _redirect(self, response: requests.Response, accept: frozenset[int]) -> str | None:
        """Return where to go next, None when this response is the end."""
        location = response.headers.get("location")
        if not 300 <= response.status_code < 400 or location is None or response.status_code in accept:
            return None
        target = urljoin(response.url, location)
        if self._secret_headers or response.request.method != "GET" or not self.allows(target):
            host = urlsplit(response.url).hostname
            raise _AttemptFailed(
                f"{host} 重定向到名单外的地址（{urlsplit(target).hostname}），未跟随。请核对后手动下载上传。",
                retry=False,
            )
        if not self.follows(target):
            host = urlsplit(target).hostname
            raise _AttemptFailed(f"{host} 的 robots.txt 不允许访问重定向所指的地址，未跟随。", retry=False)
        return target

    def _read(self, response: requests.Response, accept: frozenset[int], deadline: float) -> Reply:
        host, status = urlsplit(response.url).hostname, response.status_code
        if status not in accept:
            raise _AttemptFailed(_refused(host, status), retry=status in RETRIED, after=_retry_after(response))
        content = b"".join(self._blocks(response, host, deadline))
        logger.info(
            "%s %s %d %d bytes", response.request.method, redact(response.url, self._secrets), status, len(content)
        )
        headers = {name.lower(): value for name, value in response.headers.items()}
        return Reply(response.url, status, content, headers, dt.datetime.now(dt.UTC))

    def _blocks(self, response: requests.Response, host: str | None, deadline: float) -> Iterator[bytes]:
        size, failure = 0, None
        try:
            # read1 returns what has arrived: a server that drips single bytes cannot outlast the deadline.
            while block := response.raw.read1(BLOCK, decode_content=True):
                size += len(block)
                if size > self.limits.size:
                    failure = (f"{host} 的应答超过 {self.limits.size / 2**20:.3g} MiB 上限，已停止下载。", False)
                    break
                if time.monotonic() > deadline:
                    failure = (f"{host} 没有在 {self.limits.seconds:g} 秒内传完。请稍后重试。", True)
                    break
                yield block
        except (HTTPError, OSError):  # requests.RequestException is an OSError
            failure = (f"{host} 的连接在传输中断开。请稍后重试。", True)
        if failure is not None:
            raise _AttemptFailed(failure[0], retry=failure[1])


def _report(failure: _AttemptFailed) -> NoReturn:
    logger.warning("%s", failure.message)
    raise ServiceError(failure.message)


def _refused(host: str | None, status: int) -> str:
    if status in (403, 412):
        return f"{host} 拒绝自动访问（{status}）。请在浏览器中下载后上传入库。"
    if status in (404, 410):
        return f"{host} 上没有这个页面（{status}）。请核对地址。"
    if status == 401:
        return f"{host} 不接受密钥（401）。请核对密钥设置。"
    return f"{host} 返回错误（{status}）。请稍后重试。"


def _retry_after(response: requests.Response) -> float | None:
    """Return the pause in seconds that the server asked for, None if it names none or a date."""
    value = response.headers.get("retry-after", "")
    if not value.isdigit():
        return None
    return float(value) if float(value) <= MAX_RETRY_AFTER else float("inf")
