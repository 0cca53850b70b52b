"""What a thing is made of, and what two of them have in common."""

import numpy as np

from transpile.runtime.arrays.join import join
from transpile.runtime.arrays.structure import (
    Choice,
    Items,
    Known,
    Number,
    same_thing,
    structure_of,
)
from transpile.runtime.arrays.values import count_values
from transpile.runtime.graph.types import weak


def test_things_are_the_same_by_type_and_bits() -> None:
    assert same_thing(1, 1) and same_thing("a", "a") and same_thing(float("nan"), float("nan"))
    assert not same_thing(1, True) and not same_thing(0.0, -0.0) and not same_thing(1, 1.0)
    assert not same_thing(np.float32(0.0), np.float32(-0.0)) and not same_thing([1], [1])


def test_tuples_are_opened_and_lists_are_what_they_are() -> None:
    assert structure_of((1, (2.5, None))) == Items(
        tuple, None, (Known(1), Items(tuple, None, (Known(2.5), Known(None))))
    )
    items = [1]
    assert structure_of(items) == Known(items) != Known([1])


def test_numbers_widen() -> None:
    assert structure_of((1, "a"), widen=True) == Items(tuple, None, (Number(weak(int)), Known("a")))


def test_structures_are_joined() -> None:
    whole, real = Number(weak(int)), Number(weak(float))
    assert join(Known(1), Known(1), "x") == Known(1)
    assert join(Known(1), Known(2), "x") == whole
    assert join(whole, real, "x") == Choice((whole, real))
    assert join(Choice((whole, real)), Known(None), "x") == Choice((whole, real, Known(None)))
    assert join(Known("a"), Known("b"), "x") == Choice((Known("a"), Known("b")))
    assert join(structure_of((1, 2)), structure_of((1, 2.5)), "x") == Items(
        tuple, None, (Known(1), Choice((whole, real)))
    )


def test_numbers_of_one_dtype_share_a_value() -> None:
    choice = Choice((Number(weak(int)), Number(weak(float)), Known(None)))
    assert count_values(choice) == 3
    assert count_values(structure_of((1, (2, 3)), widen=True)) == 3
