"""What a call was handed is let go of when it ends, though it was traced: memory comes back at once."""

from __future__ import annotations

import contextlib
import gc
import warnings
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import transpile
from transpile.runtime.errors import FallbackWarning


class Holder:
    def __init__(self) -> None:
        self.data = np.arange(4.0)
        self.count = 0


def stages(holder, x):
    for i in range(x.shape[0]):
        holder.data[i] += x[i]
    holder.count += 1
    return holder.data.sum()


def falls_back(holder, x):
    holder.data.tofile("nowhere") if holder.count else None
    return hash(x.sum()) + id(holder.data)


def raises(holder, x):
    holder.data[len(x) + 4] = 1


def raises_always(holder, x):
    raise IndexError(len(x))


def asks_for_nothing_there(holder, x):
    return holder.data.sum() + x.nowhere


@pytest.fixture
def no_collections() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_collections")
@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("function", [stages, falls_back, raises, raises_always, asks_for_nothing_there])
def test_a_call_lets_go_of_what_it_was_handed(function: Callable[..., Any], device: str) -> None:
    converted = transpile.convert(function, device=device)
    for _ in range(2):
        holder, x = Holder(), np.ones(4)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FallbackWarning)
            with contextlib.suppress(IndexError, AttributeError):
                converted(holder, x)
        left = [weakref.ref(holder), weakref.ref(holder.data), weakref.ref(x)]
        del holder, x
        assert [ref() is None for ref in left] == [True] * 3
