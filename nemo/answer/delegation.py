"""What other processes do of what an engine is asked (多进程回答)."""

from collections.abc import Callable
from typing import Any, Protocol


class EngineDelegate(Protocol):
    """Other processes that do what an engine is asked."""

    deaths: int
    """How many were replaced because they had died."""

    @property
    def alive(self) -> int:
        """How many there are."""
        ...

    def run(self, verb: str, given: tuple[Any, ...], here: Callable[..., Any]) -> Any:
        """Return what a method of the engine returns; where nobody is there to do it, ``here`` does it with the same.

        Raises:
            NemoError: what the method raises.
        """
        ...

    def close(self) -> None:
        """End them."""
        ...
