"""The functions of `bisect`, which C does comparison by comparison as Python's own text of them."""

from __future__ import annotations

import bisect
from collections.abc import Callable
from typing import Any

from transpile.runtime.arrays.functions import FUNCTIONS

from .call import call


def _right(a: Any, x: Any, lo: Any, hi: Any, key: Any) -> Any:
    if lo < 0:
        raise ValueError("lo must be non-negative")
    while lo < hi:
        mid = (lo + hi) // 2
        if x < (a[mid] if key is None else key(a[mid])):
            hi = mid
        else:
            lo = mid + 1
    return lo


def _left(a: Any, x: Any, lo: Any, hi: Any, key: Any) -> Any:
    if lo < 0:
        raise ValueError("lo must be non-negative")
    while lo < hi:
        mid = (lo + hi) // 2
        if (a[mid] if key is None else key(a[mid])) < x:
            lo = mid + 1
        else:
            hi = mid
    return lo


def _place(side: Callable[..., Any]) -> Callable[..., Any]:
    """Return what stands for a search."""

    def search(a: Any, x: Any, lo: Any = 0, hi: Any = None, *, key: Any = None) -> Any:
        return call(side, a, x, lo, call(len, a) if hi is None else hi, key)

    return search


def _insertion(side: Callable[..., Any]) -> Callable[..., Any]:
    """Return what stands for a search and an insertion."""
    search = _place(side)

    def insert(a: Any, x: Any, lo: Any = 0, hi: Any = None, *, key: Any = None) -> None:
        place = search(a, x if key is None else call(key, x), lo, hi, key=key)
        call(a.insert, place, x)

    return insert


FUNCTIONS[bisect.bisect_right] = _place(_right)
FUNCTIONS[bisect.bisect_left] = _place(_left)
FUNCTIONS[bisect.insort_right] = _insertion(_right)
FUNCTIONS[bisect.insort_left] = _insertion(_left)
