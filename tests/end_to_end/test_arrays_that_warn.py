"""Arrays of whose writing NumPy warns, as those that numpy.broadcast_arrays gives, are read without a warning and written with NumPy's."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from transpile import convert
from transpile.runtime.errors import FallbackWarning

Function = Callable[[Any], Any]


def total(a: Any) -> Any:
    s = 0.0
    for i in range(a.shape[0]):
        s += a[i, 0]
    return s, a * 2


def stores(a: Any) -> Any:
    for i in range(a.shape[0]):
        a[i, 0] = i
    return a


def view(a: Any) -> Any:
    return a[1:]


def asks(a: Any) -> Any:
    return a.flags.writeable, a.sum()


def spread(contiguous: bool) -> Any:
    small, large = np.ones((1, 2)), np.arange(6.0).reshape(3, 2)
    return np.broadcast_arrays(small, large)[contiguous]


def outcome(function: Function, array: Any) -> Any:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = function(array)
        said = [(each.category, str(each.message)) for each in caught if each.category is not FallbackWarning]
        flags = result.flags.num if isinstance(result, np.ndarray) else None
    return repr(result), flags, said, array.tobytes()


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("contiguous", [False, True])
@pytest.mark.parametrize("function", [total, stores, view, asks])
def test_what_warns_warns_as_in_numpy(function: Function, contiguous: bool, device: str) -> None:
    expected = outcome(function, spread(contiguous))
    converted = convert(function, device=device)
    assert outcome(converted, spread(contiguous)) == expected
    assert outcome(converted, spread(contiguous)) == expected


def test_an_array_that_warns_is_not_taken_for_one_that_does_not() -> None:
    converted = convert(stores, device="host")
    plain = np.arange(6.0).reshape(3, 2)
    assert outcome(converted, plain.copy()) == outcome(stores, plain.copy())
    assert outcome(converted, spread(True)) == outcome(stores, spread(True))
