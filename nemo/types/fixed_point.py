"""Fixed-point numbers (定点数): sums that are the same on every processor, in any order.

A sum of floating-point numbers depends on how many of them a processor adds at once. Whole multiples of one power of
two add without any rounding as long as they stay below 2^53 such steps (2^24 in float32): then every order, every vector
unit and every number of threads gives the same bits. What ``exp`` and ``log`` return differs in the last digits between
processors; rounded to float32, some 2^29 times coarser, it does not.
"""

import numpy as np

LENGTH_BITS = 20
"""A length is taken over numbers rounded to so many bits: the squares of 2^13 of them add without rounding."""


def fixed(values: np.ndarray, bits: int = 24) -> np.ndarray:
    """Return float64 multiples of ``2^-bits``, the nearest to ``values``; their sums are exact below ``2^(53 - bits)``."""
    out: np.ndarray = np.asarray(np.multiply(values, 2.0**bits, dtype=np.float64))
    np.rint(out, out=out)
    out *= 2.0**-bits
    return out


def steady(values: np.ndarray) -> np.ndarray:
    """Return the float64 results of a transcendental function as every processor has them."""
    return values.astype(np.float32).astype(np.float64)


def length(rows: np.ndarray) -> np.ndarray:
    """Return the Euclidean length of each row of (…, n) exact sums, to 2^-20 of its largest number; n is at most 8192."""
    _, exponents = np.frexp(np.abs(rows).max(axis=-1, initial=0.0))
    coarse = np.rint(np.ldexp(rows, (LENGTH_BITS - exponents)[..., None]))
    out: np.ndarray = np.ldexp(np.sqrt((coarse * coarse).sum(axis=-1)), exponents - LENGTH_BITS)
    return out
