"""Where a decision turns when one thing grows (界限)."""

from collections.abc import Callable, Hashable

from nemo.errors import NemoError

Decide = Callable[[int], Hashable]
Bounds = list[tuple[str, Decide, tuple[int, int], int | None]]
"""What is decided in words, the decision, the numbers between which it turns once, and where it does."""


def turns(decide: Decide, low: int, high: int) -> int | None:
    """Return the smallest number above ``low`` that is decided unlike ``low``; None when ``high`` is decided alike.

    What is decided must turn once between the two: the place is found by halving.
    """
    first = decide(low)
    if decide(high) == first:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        if decide(middle) == first:
            low = middle
        else:
            high = middle
    return high


def refused(act: Callable[[], object]) -> bool:
    """Tell whether something is refused with an error of ours."""
    try:
        act()
    except NemoError:
        return True
    return False
