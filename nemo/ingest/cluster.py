"""Workers on a Ray cluster in place of processes of this machine (Ray 执行器): the same work, given by the same loop.

A worker is an actor. What it returns is committed by the process that holds the job's lease, so a lost machine loses and
doubles nothing: its file is given to another worker once, and a file that ends two workers has failed.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Collection, Sequence
from typing import Any

import ray
from ray.exceptions import RayError

import nemo
from nemo.errors import ConfigError, NemoError
from nemo.ingest.workers import NICE, Hire, Worker, outcome_of

log = logging.getLogger(__name__)

HERE = "local"
"""Address that starts a cluster of this machine alone, for a try."""


class _Actor:
    """What runs on a machine of the cluster."""

    def __init__(self, version: str, work: Callable[[Any], Any], setup: Callable[[], None] | None) -> None:
        self._work = work
        self._refusal: NemoError | None = None
        if version != nemo.__version__:
            self._refusal = ConfigError(
                f"Ray 节点上的 Nemo 是 {nemo.__version__}，本机是 {version}。请在各节点安装同一版本后重试。"
            )
            return
        os.nice(NICE)
        if setup is not None:
            setup()

    def do(self, item: Any) -> tuple[Any, NemoError | None]:
        """Work on one task."""
        return (None, self._refusal) if self._refusal else outcome_of(self._work, item)


class RayWorker(Worker):
    """One actor and the task it is at."""

    retried = True

    def __init__(self, work: Callable[[Any], Any], setup: Callable[[], None] | None) -> None:
        super().__init__()
        self._actor: Any = (
            ray.remote(_Actor).options(scheduling_strategy="SPREAD").remote(nemo.__version__, work, setup)
        )
        self._coming: Any = None

    def send(self, item: Any) -> None:
        """See :class:`Worker`."""
        self._coming = self._actor.do.remote(item)

    def take(self) -> tuple[Any, NemoError | None]:
        """See :class:`Worker`."""
        try:
            outcome: tuple[Any, NemoError | None] = ray.get(self._coming)
        except RayError as error:
            log.warning("a worker of the cluster was lost: %s", error)
            raise EOFError(str(error)) from error
        return outcome

    def alive(self) -> bool:
        """See :class:`Worker`."""
        return self._actor is not None

    def kill(self) -> None:
        """See :class:`Worker`."""
        if self._actor is not None:
            ray.kill(self._actor)
        self._actor = None

    @staticmethod
    def ready(busy: Sequence[RayWorker]) -> Collection[RayWorker]:
        """See :class:`Worker`."""
        coming = {each._coming: each for each in busy}
        done, _ = ray.wait(list(coming), num_returns=1, timeout=0.5)
        return [coming[each] for each in done]


def connected(address: str) -> Hire:
    """Return what starts workers on the cluster at an address: ``ray://HOST:10001``, ``HOST:6379``, ``auto`` for the
    cluster this machine is in, or :data:`HERE`.

    Raises:
        ConfigError: there is no such cluster.
    """
    if not ray.is_initialized():
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # it reports to its makers otherwise
        try:
            ray.init(address=address, namespace="nemo", log_to_driver=False)
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise ConfigError(f"连不上 Ray 集群（NEMO_RAY={address}）：{error}。请检查地址与集群状态。") from error
    return RayWorker
