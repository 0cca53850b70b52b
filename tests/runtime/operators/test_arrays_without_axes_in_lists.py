"""Arrays without axes stay arrays in lists that grow in loops: they are no numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import transpile


def appended(x, n):
    found = []
    for i in range(n):
        found.append(np.asarray(x + i))
    return found


def comprehended(x, n):
    return [np.where(x > i, x, i) for i in range(n)], [(np.array(x), i) for i in range(n)]


def looked_at(x, n):
    found = [np.asarray(x) for _ in range(n)]
    return isinstance(found[-1], np.ndarray), [type(each) for each in found], found[0] + 1


def written(x, n):
    found = []
    for _ in range(n):
        found.append(np.asarray(x))
    last = found[-1]
    last += 7
    found[0][()] = 3
    return found, last


def handed_in(found, n):
    for i in range(n):
        found.append(np.asarray(i))
    return found


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("number", [3, np.float32(2.5), np.array(4)])
@pytest.mark.parametrize("function", [appended, comprehended, looked_at, written, handed_in])
def test_arrays_without_axes_stay_arrays(function: Callable[..., Any], number: Any, device: str) -> None:
    converted = transpile.convert(function, device=device)
    for n in (3, 80):
        first = lambda: [] if function is handed_in else number  # noqa: E731
        assert repr(converted(first(), n)) == repr(function(first(), n))
