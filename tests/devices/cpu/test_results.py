"""What takes the arrays of a call apart, and what makes those of its results."""

from __future__ import annotations

import numpy as np
import pytest

import transpile
from transpile.devices.cpu.results import taker


def test_items_are_taken_in_the_order_of_their_places() -> None:
    given = ("a", "b", "c")
    assert taker([2, 0], 3)(given) == ("c", "a")
    assert taker([], 3)(given) == ()
    assert taker([0, 1, 2], 3)(given) is given


@pytest.mark.parametrize("order", ["C", "F", (1, 2, 0)])
def test_new_arrays_lie_as_numpys(order: str | tuple[int, ...]) -> None:
    x = np.arange(24.0).reshape(2, 3, 4)
    x = (
        x.copy(order)
        if isinstance(order, str)
        else np.ascontiguousarray(x.transpose(order)).transpose(2, 0, 1)
    )

    def root(x):
        return np.sqrt(x), x.sum(), x[1:]

    found, expected = transpile.convert(root, strict=True, device="cpu")(x), root(x)
    assert [np.asarray(item).strides for item in found] == [np.asarray(item).strides for item in expected]
    assert [np.asarray(item).tobytes() for item in found] == [np.asarray(item).tobytes() for item in expected]
    assert type(found[1]) is np.float64


def test_a_result_of_fewer_elements_than_none_is_empty() -> None:
    middle = transpile.convert(lambda x: np.zeros(len(x[2:-2])), strict=True, device="cpu")
    assert [len(middle(np.zeros(n))) for n in (9, 4, 3, 9)] == [5, 0, 0, 5]
