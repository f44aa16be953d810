"""The Gemini service (Gemini 接口), behind one small client that all who ask it share.

Off unless a key is set. What leaves the machine: the question, and the text given to be embedded or ordered. The key
travels in a header to the configured host only: no redirect is followed, and no error or log line shows it.
"""

import json
import logging
import math
import re
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx2  # the client library's own transport; only its errors and its switch for redirects are used here
from google import genai
from google.genai import errors, types
from pydantic import SecretStr
from tenacity import Retrying, retry_if_exception_type, stop_after_attempt, wait_exponential

from nemo.errors import ConfigError, NemoError, ServiceError
from nemo.services.outbound import RETRIED, host_of, redact
from nemo.settings import Settings
from nemo.types.plain import read_json

logger = logging.getLogger(__name__)

OFFICIAL = "https://generativelanguage.googleapis.com"
API_VERSION = "v1beta"
SERVER_SECONDS = 10
"""Least time limit that the service accepts as announced; it refuses requests that announce less."""
LEAST_SECONDS = 0.2
"""An attempt with less time than this left is not begun."""

T = TypeVar("T")


class _Transient(Exception):
    """Worth another attempt; the message is Chinese and holds no secret."""


class Gemini:
    """One model of the service. Thread-safe."""

    def __init__(self, settings: Settings, model: str, setting: str) -> None:
        """Prepare the client; nothing is sent. ``setting`` names what chose the model, for errors.

        Raises:
            ConfigError: no key, a key that cannot be one, or an address to which a key must not be sent.
        """
        self.model = model
        self.setting = setting
        self._seconds = settings.service_seconds
        self._key = SecretStr(_checked_key(settings.gemini_api_key))
        base = _checked_base(settings.gemini_base_url)
        # Loopback is never reached through the proxies of the environment.
        transport = httpx2.Client(follow_redirects=False, trust_env=base.startswith("https://"))
        options = types.HttpOptions(base_url=base, api_version=API_VERSION, httpx_client=transport)
        self._transport = transport
        self._counting = threading.Lock()
        self.spent = (0, 0)
        """Tokens that :meth:`order` sent and received so far, thoughts among the latter, as the service counts them."""
        self._client = genai.Client(vertexai=False, api_key=self._key.get_secret_value(), http_options=options)

    def order(self, system: str, prompt: str, schema: dict[str, Any], *, thinking: int, seconds: float) -> Any:
        """Ask for JSON of a given form and return it parsed; its form is for the caller to check.

        Args:
            system: the instruction.
            prompt: the data.
            schema: what the answer must look like.
            thinking: budget in tokens; 0 off, -1 automatic, -2 not sent.
            seconds: limit for all attempts together.

        Raises:
            ServiceError: no usable answer in time.
        """

        def ask(http: types.HttpOptions) -> types.GenerateContentResponse:
            config = types.GenerateContentConfig(
                system_instruction=system,
                temperature=0.1,
                response_mime_type="application/json",
                response_schema=schema,
                thinking_config=types.ThinkingConfig(thinking_budget=thinking) if thinking > -2 else None,
                http_options=http,
            )
            return self._client.models.generate_content(model=self.model, contents=prompt, config=config)

        reply = self._call(ask, seconds=seconds, attempts=3)
        if used := reply.usage_metadata:
            received = (used.candidates_token_count or 0) + (used.thoughts_token_count or 0)
            with self._counting:
                self.spent = (self.spent[0] + (used.prompt_token_count or 0), self.spent[1] + received)
        return _parsed(reply.text)

    def embed(
        self, texts: Sequence[str], *, seconds: float, attempts: int, starting: bool = False
    ) -> list[list[float]]:
        """Return one vector per text, as the service gave them.

        Args:
            texts: at most as many as the service takes at once.
            seconds: limit for all attempts together.
            attempts: how often to ask a busy service.
            starting: this is the start of the program, when settings can be mended.

        Raises:
            ConfigError: only when starting: the key is refused or the model is not offered.
            ServiceError: no answer in time, or another number of vectors than of texts.
        """
        # One Content per text: plain strings would be joined into a single text by multimodal models.
        contents = [types.Content(parts=[types.Part(text=text)]) for text in texts]

        def ask(http: types.HttpOptions) -> types.EmbedContentResponse:
            config = types.EmbedContentConfig(http_options=http)
            return self._client.models.embed_content(model=self.model, contents=contents, config=config)

        found = self._call(ask, seconds=seconds, attempts=attempts, starting=starting).embeddings or []
        if len(found) != len(texts):
            raise ServiceError(f"Gemini 对 {len(texts)} 段文本返回了 {len(found)} 个向量。请稍后重试。")
        return [list(embedding.values or []) for embedding in found]

    def check(self) -> None:
        """Ask the service whether it knows the model.

        Raises:
            ConfigError: the key is refused or the model is not offered (any more).
            ServiceError: no answer.
        """

        def ask(http: types.HttpOptions) -> types.Model:
            return self._client.models.get(model=self.model, config=types.GetModelConfig(http_options=http))

        self._call(ask, seconds=self._seconds, attempts=1, starting=True)

    def close(self) -> None:
        """Close the connections."""
        self._transport.close()

    def _call(
        self, ask: Callable[[types.HttpOptions], T], *, seconds: float, attempts: int, starting: bool = False
    ) -> T:
        deadline = time.monotonic() + seconds
        wait = wait_exponential(multiplier=0.5, max=16)
        retrying = Retrying(
            retry=retry_if_exception_type(_Transient),
            stop=lambda state: (
                stop_after_attempt(attempts)(state) or time.monotonic() + wait(state) + LEAST_SECONDS > deadline
            ),
            wait=wait,
            reraise=True,
        )
        failure: NemoError
        try:
            return retrying(self._attempt, ask, deadline, seconds)
        except _Transient as error:
            failure = ServiceError(str(error))
        except ConfigError as error:
            # A key withdrawn while the program runs is a failing service: the question goes on without it.
            failure = error if starting else ServiceError(error.message)
        except ServiceError as error:
            failure = error
        logger.warning("gemini %s: %s", self.model, failure.message)
        raise failure

    def _attempt(self, ask: Callable[[types.HttpOptions], T], deadline: float, seconds: float) -> T:
        left = max(LEAST_SECONDS, deadline - time.monotonic())
        announced = {"X-Server-Timeout": str(max(SERVER_SECONDS, math.ceil(left)))}
        failure: Exception
        try:
            return ask(types.HttpOptions(timeout=math.ceil(left * 1000), headers=announced))
        except errors.APIError as error:
            failure = self._translated(error)
        except httpx2.TimeoutException:
            failure = ServiceError(f"Gemini 没有在 {seconds:g} 秒内应答。请稍后重试，或调大 NEMO_SERVICE_SECONDS。")
        except httpx2.HTTPError:
            failure = _Transient("无法连接 Gemini。请检查网络或 NEMO_GEMINI_BASE_URL。")
        except (ValueError, TypeError, AttributeError):  # what the library raises on replies of another form
            failure = ServiceError("Gemini 的应答无法解析。请稍后重试。")
        # Raised outside the handlers, so that the library's error, which holds the whole exchange, does not travel along.
        raise failure

    def _translated(self, error: errors.APIError) -> Exception:
        words = redact(str(error.message or error.status or ""), [self._key.get_secret_value()])[:200]
        if error.code in (401, 403) or "API key" in words:
            return ConfigError(f"Gemini 不接受密钥（{error.code} {words}）。请核对 NEMO_GEMINI_API_KEY。")
        if error.code == 404:
            return ConfigError(f"Gemini 没有模型 {self.model}（{words}）。请把 {self.setting} 改为现有的模型名。")
        if error.code in RETRIED:
            return _Transient(f"Gemini 暂时不可用（{error.code} {words}）。请稍后重试。")
        return ServiceError(
            f"Gemini 拒绝了请求（{error.code} {words}）。请核对 {self.setting} 与 NEMO_GEMINI_THINKING_BUDGET。"
        )


class GeminiWriter(Gemini):
    """Asks one model for JSON of a given form: the part that rankers, renderers, summarisers and proposers share."""

    def __init__(self, settings: Settings, model: str | None = None, thinking: int | None = None) -> None:
        """Prepare the client; nothing is sent. Model and thinking budget are the settings' unless given.

        Raises:
            ConfigError: no usable key or address.
        """
        super().__init__(settings, model or settings.gemini_model, "NEMO_GEMINI_MODEL")
        self._thinking = settings.gemini_thinking_budget if thinking is None else thinking
        self.name = f"gemini/{self.model}"

    def written(self, system: str, data: object, schema: dict[str, Any]) -> Any:
        """Return what the service says of ``data``. Raises as :meth:`Gemini.order`."""
        prompt = json.dumps(data, ensure_ascii=False)
        return self.order(system, prompt, schema, thinking=self._thinking, seconds=self._seconds)


def _checked_key(key: SecretStr | None) -> str:
    value = key.get_secret_value().strip() if key else ""
    if not value:
        raise ConfigError("使用 Gemini 需要密钥。请设置 NEMO_GEMINI_API_KEY，或改用内置的向量模型与重排。")
    if not re.fullmatch(r"[\x21-\x7e]+", value):
        raise ConfigError("NEMO_GEMINI_API_KEY 含有空格、换行或非英文字符。请重新复制密钥。")
    return value


def _checked_base(base: str | None) -> str:
    """Return the address of the service; a key is sent by https, or to this machine, and nowhere else."""
    address = (base or OFFICIAL).rstrip("/")
    local = urlsplit(address).scheme == "http" and urlsplit(address).hostname in ("127.0.0.1", "localhost")
    if not local and not (address.startswith("https://") and host_of(address)):
        raise ConfigError("NEMO_GEMINI_BASE_URL 必须是 https 地址（或本机的 http 地址）。请改正后重新启动。")
    return address


def _parsed(text: str | None) -> Any:
    try:
        return read_json(text or "")
    except ValueError:  # reported outside the handler: its error quotes the reply
        failure = ServiceError("Gemini 的应答不是有效的 JSON。请稍后重试。")
    raise failure
