"""Shapes that do not agree raise NumPy's errors, where the program is."""

import numpy as np
import pytest

from .agreement import agree

SHAPES = [
    ((2,), (3,)),
    ((1,), (3,)),
    ((3,), (1,)),
    ((2, 3), (3,)),
    ((2, 3), (2,)),
    ((2, 1), (1, 3)),
    ((0,), (1,)),
    ((0,), (2,)),
    ((), (3,)),
]


@pytest.mark.parametrize("one, other", SHAPES)
def test_operands_agree_or_raise(one: tuple[int, ...], other: tuple[int, ...]) -> None:
    def add(x, y):
        return x + y

    def choose(x, y):
        return np.where(x > 0, x, y)

    for function in (add, choose):
        agree(function, (np.ones(one), np.ones(other)))


@pytest.mark.parametrize("one, other", SHAPES)
def test_operators_in_place_name_the_operand_that_is_written_once_more(
    one: tuple[int, ...], other: tuple[int, ...]
) -> None:
    def add(x, y):
        x += y

    def after_print(x, y):
        for k in range(2):
            print(k)
            x[:] -= y

    for function in (add, after_print):
        agree(function, (np.ones(one), np.ones(other)), strict=False)
