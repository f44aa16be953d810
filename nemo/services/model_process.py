"""Model inference in a process of its own (模型进程), so that no other process of Nemo ever imports torch.

The owner starts ``python -m nemo.services.model_worker`` and talks to it over pipes: requests are JSON lines, replies a JSON line
followed by raw float32 numbers. A pipe instead of ``multiprocessing`` keeps Streamlit's and pytest's main modules from
being imported again in the child, and nothing that crosses it is ever executed. The child runs at low priority and
ends with its owner, because its input closes.
"""

import json
import logging
import math
import os
import queue
import re
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NoReturn

import numpy as np

from nemo.errors import ConfigError, MissingDependencyError, ServiceError

logger = logging.getLogger(__name__)

PACKAGE_ROOT = Path(__file__).resolve().parent.parent.parent
CRASHES_ALLOWED = 2
"""The process is started again after its first crash in a row; after the second one it stays down."""
HEAR_SECONDS = 3.0
"""So long the last complaints of a process that ended are waited for."""

GONE_SECONDS = 3.0
"""How long a closed child may take to leave before it is killed."""

_HUB_NAME = re.compile(r"[\w.-]+(/[\w.-]+)?", re.ASCII)
_QUIET = {
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "TQDM_DISABLE": "1",
    "TRANSFORMERS_VERBOSITY": "error",
    "PYTHONUNBUFFERED": "1",
    "PYTHONIOENCODING": "utf-8",
}


@dataclass(frozen=True, slots=True)
class Ready:
    """What the child says of its model once it is loaded."""

    dim: int
    """Length of one vector; 1 for a model that scores pairs."""
    fingerprint: str
    """Hex digest over the model's configuration, vocabulary and weights: another model never has the same."""
    device: str


@dataclass(frozen=True, slots=True)
class ModelJob:
    """Which model the child loads, and how to speak of it."""

    task: str
    """``embed`` (texts → vectors) or ``score`` (pairs of texts → one number each)."""
    model: str
    """A local folder, or a name on the hub."""
    setting: str
    """Environment name of the setting that chose the model; errors name it."""
    limit: str
    """Environment name of the setting that limits the time of a request."""

    @property
    def located(self) -> str:
        """The model as the child must see it: a folder becomes absolute.

        Raises:
            ConfigError: it is neither a folder nor possibly a name on the hub.
        """
        if Path(self.model).is_dir():
            return str(Path(self.model).resolve())
        if not _HUB_NAME.fullmatch(self.model):
            raise ConfigError(f"模型文件夹不存在：{self.model}。请改正 {self.setting} 后重新启动。")
        return self.model


class _Child:
    """One running process, a thread that reads its replies and one that keeps the end of what it complains of."""

    def __init__(self, job: ModelJob) -> None:
        kept = {k: v for k, v in os.environ.items() if not re.fullmatch(r"NEMO_\w*KEY", k)}
        path = os.pathsep.join(filter(None, [str(PACKAGE_ROOT), kept.get("PYTHONPATH")]))
        self.process = subprocess.Popen(  # noqa: S603 (our own module, arguments as a list)
            [sys.executable, "-m", "nemo.services.model_worker", job.task, job.located],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**kept, **_QUIET, "PYTHONPATH": path},
        )
        self.replies: queue.Queue[tuple[dict[str, Any], bytes] | None] = queue.Queue()
        self.complaints: deque[str] = deque(maxlen=20)
        self.ready: Ready | None = None
        self.late = False
        """A reply is owed for a request that nobody waits for any more."""
        self.listening, reading = (
            threading.Thread(target=target, daemon=True, name=f"model-{job.task}")
            for target in (self._listen, self._read)
        )
        self.listening.start()
        reading.start()

    def _read(self) -> None:
        stream: IO[bytes] = self.process.stdout  # type: ignore[assignment]
        with suppress(ValueError):  # a broken frame: the process died in the middle of it
            while line := stream.readline():
                header = json.loads(line)
                self.replies.put((header, stream.read(header.get("bytes", 0))))
        self.replies.put(None)

    def _listen(self) -> None:
        stream: IO[bytes] = self.process.stderr  # type: ignore[assignment]
        for line in stream:
            text = line.decode("utf-8", "replace").rstrip()
            if text:
                self.complaints.append(text)
                logger.debug("model process: %s", text)

    def send(self, request: dict[str, Any]) -> None:
        stream: IO[bytes] = self.process.stdin  # type: ignore[assignment]
        with suppress(BrokenPipeError, OSError):  # the reader meets the end of the process and reports it
            stream.write(json.dumps(request).encode() + b"\n")
            stream.flush()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        with suppress(OSError):
            self.process.stdin.close()  # type: ignore[union-attr]
        try:
            self.process.wait(GONE_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class ModelProcess:
    """A model behind a pipe. Thread-safe: requests are answered one after the other."""

    def __init__(self, job: ModelJob, *, start_seconds: float) -> None:
        """Start the child and wait until its model is loaded; ``start_seconds`` must suffice for a download.

        Raises:
            ConfigError: the model cannot be loaded.
            MissingDependencyError: the packages are not installed.
        """
        self.job = job
        self._lock = threading.Lock()
        self._number = 0
        self._crashes = 0
        self._closed = False
        self._child = _Child(job)
        try:
            self.ready = self._await_ready(time.monotonic() + start_seconds)
        except ServiceError as error:
            self._child.kill()
            raise ConfigError(
                f"模型 {job.model} 在 {start_seconds:g} 秒内未加载完。请核对 {job.setting}，或调大 NEMO_MODEL_START_SECONDS。"
            ) from error

    def run(self, inputs: Sequence[str] | Sequence[tuple[str, str]], seconds: float) -> np.ndarray:
        """Return the model's float32 numbers for ``inputs``: shape (n, dim) for ``embed``, (n,) for ``score``.

        A crash restarts the child and asks once more while time is left.

        Raises:
            ServiceError: no result within ``seconds``, or the process crashed twice.
        """
        deadline = time.monotonic() + seconds
        if not self._lock.acquire(timeout=seconds):
            raise ServiceError(f"本地模型正忙，{seconds:g} 秒内未轮到本次请求。请稍后重试。")
        try:
            while True:
                result = self._try(inputs, deadline, seconds)
                if result is not None:
                    self._crashes = 0
                    return result
        finally:
            self._lock.release()

    def close(self) -> None:
        """End the child. Calling it twice is harmless."""
        self._closed = True
        self._child.stop()

    def _try(
        self, inputs: Sequence[str] | Sequence[tuple[str, str]], deadline: float, seconds: float
    ) -> np.ndarray | None:
        """Return the numbers, or None when the child died on the way."""
        self._revive()
        try:
            self._await_ready(deadline)
        except (ConfigError, MissingDependencyError) as error:
            raise ServiceError(error.message) from error  # it could be loaded once: nothing to configure now
        self._number += 1
        left = deadline - time.monotonic()
        self._child.send({"id": self._number, "seconds": left, "inputs": list(inputs)})
        while True:
            try:
                reply = self._child.replies.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                self._give_up(seconds)
            if reply is None:
                self._crashes += 1
                self._child.stop()
                logger.warning("model process died: %s", self._last_words())
                return None
            header, payload = reply
            self._child.late = False
            if header.get("id") == self._number:
                return self._numbers(header, payload, seconds)

    def _numbers(self, header: dict[str, Any], payload: bytes, seconds: float) -> np.ndarray:
        if header.get("fault") == "time":
            raise ServiceError(f"本地模型没有在 {seconds:g} 秒内完成。请换用较小的模型，或调大 {self.job.limit}。")
        if "fault" in header:
            raise ServiceError(f"本地模型 {self.job.model} 推理失败（{header['words']}）。请检查模型是否完整。")
        shape = tuple(header["shape"])
        if len(payload) != 4 * math.prod(shape):
            raise ServiceError(f"本地模型 {self.job.model} 的应答不完整。请重试。")
        return np.frombuffer(payload, dtype="<f4").reshape(shape)

    def _give_up(self, seconds: float) -> NoReturn:
        # One late request may still end by itself; a second one behind it means that the process hangs.
        if self._child.late:
            self._child.kill()
        self._child.late = True
        raise ServiceError(f"本地模型没有在 {seconds:g} 秒内应答。请换用较小的模型，或调大 {self.job.limit}。")

    def _revive(self) -> None:
        """Start the child again if it is gone, unless it was closed or crashes every time."""
        if self._closed:
            raise ServiceError("本地模型已关闭。请重新启动程序。")
        if self._child.process.poll() is None:
            return
        if self._crashes >= CRASHES_ALLOWED:
            raise ServiceError(f"本地模型 {self.job.model} 连续退出，已停用（{self._last_words()}）。请重新启动程序。")
        self._child = _Child(self.job)

    def _await_ready(self, deadline: float) -> Ready:
        if self._child.ready is not None:
            return self._child.ready
        try:
            reply = self._child.replies.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise ServiceError(f"本地模型 {self.job.model} 仍在加载。请稍后重试。") from None
        header: dict[str, Any] = reply[0] if reply is not None else {"fault": "died", "words": ""}
        if "fault" in header:
            self._crashes += 1
            self._child.stop()
        if header.get("fault") == "missing":
            raise MissingDependencyError(
                f"缺少 Python 包：{header['words']}。请运行 pip install -r requirements-models.txt，"
                f"或改用内置模型（NEMO_EMBEDDER=builtin、NEMO_RERANKER=domain）。"
            )
        if "fault" in header:
            self._unloadable(header["words"] or self._last_words())
        ready = Ready(header["dim"], header["fingerprint"], header["device"])
        self._check_same(ready)
        self._child.ready = ready
        return ready

    def _check_same(self, ready: Ready) -> None:
        """A restarted child must have loaded the model that the index was built with."""
        before = getattr(self, "ready", ready)
        if before.fingerprint != ready.fingerprint:
            self.close()
            raise ServiceError(f"模型 {self.job.model} 的文件在运行中被更换，已停用。请重新启动程序。")

    def _unloadable(self, words: str) -> NoReturn:
        raise ConfigError(
            f"无法加载模型 {self.job.model}（{words}）。请把 {self.job.setting} 设为完整的本地模型文件夹；"
            f"若为模型仓库中的名称，需能联网下载，或先在可联网的机器上下载后拷入。"
        )

    def _last_words(self) -> str:
        code = self._child.process.poll()
        if code is not None:
            self._child.listening.join(HEAR_SECONDS)  # the end of its replies may be met before its last complaint
        words = self._child.complaints[-1] if self._child.complaints else "没有输出"
        return f"退出码 {code}，{words[:300]}"
