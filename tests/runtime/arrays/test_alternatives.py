"""Operators on a number whose type depends on the way that control took."""

import numpy as np

from .agreement import agree


def test_operators_give_what_each_alternative_gives() -> None:
    def program(n, y):
        x = 2 if n > 0 else 0.5 if n < 0 else np.float64(1.5)
        return x + y, y * x, x / y, y // x, x % y, x < y, x == y, y >= x, -x

    agree(program, *[(n, y) for n in (-1, 0, 1) for y in (3, -2.5, np.float64(4))])


def test_what_one_alternative_lacks_is_left_to_python() -> None:
    def program(n):
        x = 1 if n else None
        return x + 1

    agree(program, (1,), (0,), strict=False)


def test_beside_an_array() -> None:
    def program(n, x):
        y = 1 if n else 0.5
        return x * y, x > y, np.maximum(x, y)

    agree(
        program,
        *[(n, np.arange(3, dtype=dtype)) for n in (0, 1) for dtype in (float, int, np.float32)],
        strict=False,
    )
