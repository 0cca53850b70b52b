"""What lies backwards along several axes rounds as NumPy's iterator copies it through its buffers, or does not: see Note [Buffers]."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import transpile
from transpile import FallbackWarning

RANDOM = np.random.default_rng(3)


def numbers(dtype: str, *shape: int) -> Any:
    found = RANDOM.random(shape) * 4 - 1
    return (found + 1j * RANDOM.random(shape) if dtype in "FD" else found).astype(dtype)


def turned_in_a_loop(x: Any, times: int) -> Any:
    for _ in range(times):
        x = x[::-1]
    return np.cbrt(x)


def turned_on_one_way(x: Any, times: int) -> Any:
    y = x[::-1] if times > 2 else x
    return np.cbrt(y)


@pytest.mark.parametrize("function", [turned_in_a_loop, turned_on_one_way])
def test_what_the_way_decides_on_is_left_to_numpy(function: Any) -> None:
    x = RANDOM.random(40)
    converted = transpile.convert(function)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        for times in (1, 2, 3, 4):
            assert converted(x, times).tobytes() == function(x, times).tobytes()


# Makes an array of a shape that lies so.
LAID = {
    "C": numbers,
    "Fortran": lambda dtype, *shape: np.asfortranarray(numbers(dtype, *shape)),
    "rows backwards": lambda dtype, *shape: numbers(dtype, *shape)[..., ::-1],
    "last row first": lambda dtype, *shape: numbers(dtype, *shape)[::-1],
    "all backwards": lambda dtype, *shape: np.flip(numbers(dtype, *shape)),
    "backwards with gaps": lambda dtype, *shape: numbers(dtype, *(2 * n for n in shape))[
        (slice(None, None, -2),) * len(shape)
    ],
    "one row": lambda dtype, *shape: np.broadcast_to(numbers(dtype, shape[-1]), shape),
    "one row backwards": lambda dtype, *shape: np.broadcast_to(numbers(dtype, shape[-1])[::-1], shape),
}
SHAPES = [(5, 7), (2, 9), (3, 4, 5), (4, 1, 6), (1, 30), (2, 5000), (3, 3000), (5, 2500), (37,), (9000,)]


def agrees(function: Any, *given: Any) -> None:
    """Check that a converted function gives the bits that it gives as it is, to a result and to what it is handed."""
    plain, staged = ([_like(array) for array in given] for _ in range(2))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        expected, found = function(*plain), transpile.convert(function)(*staged)
    moving = [axis for axis, size in enumerate(expected.shape) if size > 1]
    assert [expected.strides[axis] for axis in moving] == [found.strides[axis] for axis in moving]
    for one, other in zip([expected, *plain], [found, *staged], strict=True):
        assert one.tobytes() == other.tobytes()


def _like(array: Any) -> Any:
    """Return a copy that lies in memory as an array does."""
    low, high = np.lib.array_utils.byte_bounds(array)
    memory = np.empty(high - low, np.uint8)
    offset = array.__array_interface__["data"][0] - low
    result: Any = np.ndarray(array.shape, array.dtype, memory, offset, array.strides)
    result[...] = array
    return result


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("layout", LAID)
def test_functions_of_what_lies_backwards(layout: str, shape: tuple[int, ...]) -> None:
    for dtype in "fd":
        agrees(lambda x: np.exp2(x), LAID[layout](dtype, *shape))
        agrees(lambda x: np.expm1(x[..., ::-1]), LAID[layout](dtype, *shape))
    for dtype in "FD":
        agrees(lambda x: np.abs(x), LAID[layout](dtype, *shape))
        agrees(lambda x: np.exp2(x.real), LAID[layout](dtype, *shape))


@pytest.mark.parametrize("shape", [(5, 7), (2, 9), (3, 4, 5), (2, 5000), (3, 2600), (37,)], ids=str)
@pytest.mark.parametrize("second", LAID)
@pytest.mark.parametrize("first", ["C", "rows backwards", "all backwards", "backwards with gaps"])
def test_functions_of_two_that_lie_differently(first: str, second: str, shape: tuple[int, ...]) -> None:
    agrees(lambda x, y: np.arctan2(x, y), LAID[first]("f", *shape), LAID[second]("f", *shape))
    agrees(lambda x, y: np.arctan2(y, x), LAID[first]("f", *shape), LAID[second]("d", *shape))
    agrees(lambda x, y: x * y, LAID[first]("F", *shape), LAID[second]("F", *shape))


def product_in_place(x: Any, y: Any) -> Any:
    x *= y
    return x


def power_in_place(x: Any, y: Any) -> Any:
    x **= 2.5
    return x


def power_of_the_other_way_round(x: Any, y: Any) -> Any:
    x **= x[..., ::-1]
    return x


def masked(x: Any, y: Any) -> Any:
    np.multiply(x, y, out=x, where=y.real > 1)
    return x


def masked_sizes(x: Any, y: Any) -> Any:
    out = np.zeros(x.shape)
    return np.abs(y.astype(complex)[..., ::-1], out=out, where=x.real > 1)


@pytest.mark.parametrize(
    "function", [product_in_place, power_in_place, power_of_the_other_way_round, masked, masked_sizes]
)
@pytest.mark.parametrize("shape", [(5, 7), (2, 5000), (37,)], ids=str)
@pytest.mark.parametrize("layout", ["C", "rows backwards", "all backwards", "backwards with gaps"])
def test_what_is_written_over(layout: str, shape: tuple[int, ...], function: Any) -> None:
    for dtype in "fF" if function is not power_of_the_other_way_round else "fd":
        for other in ("C", "rows backwards"):
            x = np.abs(LAID[layout](dtype, *shape)).astype(dtype) + numbers(dtype, *shape) * 0
            agrees(function, LAID[layout](dtype, *shape) if dtype == "F" else x, LAID[other](dtype, *shape))


def test_what_is_copied_is_compiled() -> None:
    function = transpile.convert(lambda x: np.exp2(x[:, ::-1]), strict=True)
    for shape in ((5, 7), (50, 7), (3, 5000), (5, 7)):
        x = numbers("d", *shape)
        assert function(x).tobytes() == np.exp2(x[:, ::-1]).tobytes()


def test_strided_memory_is_written_in_place() -> None:
    def function(x: Any) -> None:
        np.exp2(x, out=x)

    memory = numbers("d", 40)
    expected = memory.copy()
    function(expected[::2])
    transpile.convert(function, strict=True)(memory[::2])
    assert memory.tobytes() == expected.tobytes()


# What is made of a line: forward, backwards, or backwards once it is made.
MADE = {
    "times one": lambda x: x[::-1] * 1,
    "minus zero": lambda x: x[::-1] - 0,
    "copied": lambda x: x[::-1].copy(),
    "negated": lambda x: -x[::-1],
    "doubled and turned": lambda x: (x * 2)[::-1],
    "computed and turned": lambda x: np.sin(x)[::-1],
    "picked and turned": lambda x: np.take(x, np.arange(len(x)))[::-1],
    "chosen and turned": lambda x: np.where(x > 1, x, 2.5)[::-2],
    "summed and turned": lambda x: np.cumsum(x)[::-1],
    "rows turned": lambda x: (x * 2).reshape(-1, 5)[:, ::-1],
    "all turned": lambda x: (x * 2).reshape(-1, 5)[::-1, ::-1],
}


def stored_backwards(x: Any) -> Any:
    y = np.zeros_like(x)
    y[::-1] = np.cbrt(x)
    return y


def written_backwards(x: Any) -> Any:
    y = x[::-1]
    y += 1
    y *= 1.5
    return np.arctan(y)


# What is computed of a line that is gone through from its end.
GONE_THROUGH = {
    "turned and added": lambda x: np.cbrt(x)[::-1] + 1,
    "turned far on": lambda x: (np.cbrt(x) * 2 + x)[::-1] - x,
    "turned and summed": lambda x: np.cbrt(x)[::-2].sum(),
    "stored backwards": stored_backwards,
    "written backwards": written_backwards,
    "rows turned": lambda x: np.cbrt(x).reshape(-1, 5)[:, ::-1] * 3,
}


@pytest.mark.parametrize("dtype", "fd")
@pytest.mark.parametrize("way", GONE_THROUGH)
def test_what_is_gone_through_from_its_end(way: str, dtype: str) -> None:
    function, x = GONE_THROUGH[way], np.abs(numbers(dtype, 300))
    expected, found = function(x.copy()), transpile.convert(function, strict=True)(x.copy())
    assert found.tobytes() == expected.tobytes()


@pytest.mark.parametrize("dtype", "fd")
@pytest.mark.parametrize("made", MADE)
def test_what_the_function_makes(made: str, dtype: str) -> None:
    make = MADE[made]

    def function(x: Any) -> Any:
        y = make(x)
        return np.cbrt(y), y

    x = np.abs(numbers(dtype, 300))
    for found, expected in zip(transpile.convert(function, strict=True)(x), function(x), strict=True):
        assert found.tobytes() == expected.tobytes()
