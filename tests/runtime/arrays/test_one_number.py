"""One number is handed to NumPy's loops otherwise than several, and some round otherwise then: see Note [One number]."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import transpile
from transpile import FallbackWarning, StagingError
from transpile.runtime.ops.backwards import BACKWARDS

RANDOM = np.random.default_rng(7)


def one(dtype: str, *shape: int) -> Any:
    numbers = RANDOM.random(shape) * 0.9 + 0.05
    return (numbers + 1j * RANDOM.random(shape) if dtype in "FD" else numbers).astype(dtype)


LAID = {
    "forward": lambda dtype: one(dtype, 1),
    "backwards": lambda dtype: one(dtype, 1)[::-1],
    "every other backwards": lambda dtype: one(dtype, 2)[::-2],
    "one by one": lambda dtype: one(dtype, 1, 1),
    "one by one backwards": lambda dtype: one(dtype, 1, 1)[::-1, ::-1],
    "stretched": lambda dtype: np.broadcast_to(one(dtype), (1,)),
    "no axes": lambda dtype: np.array(one(dtype)),
    "scalar": lambda dtype: one(dtype)[()],
    "with gaps": lambda dtype: one(dtype, 2)[::2],
    "two backwards": lambda dtype: one(dtype, 2)[::-1],
}
UNARY = [name for name in BACKWARDS if getattr(np, name).nin == 1]


def agrees(function: Any, makers: Any, device: str = "cpu", times: int = 30) -> list[str]:
    """Check that a converted function gives the bits that it gives as it is; return why calls were left to that."""
    converted = transpile.convert(function, device=device)
    with warnings.catch_warnings(record=True) as said, np.errstate(all="ignore"):
        warnings.simplefilter("always")
        for _ in range(times):
            given = [make() for make in makers]
            plain, staged = ([*map(_like, given)] for _ in range(2))
            expected, found = function(*plain), converted(*staged)
            for one_, other in zip(expected, found, strict=True):
                assert type(one_) is type(other)
                assert np.asarray(one_).tobytes() == np.asarray(other).tobytes()
            for one_, other in zip(plain, staged, strict=True):
                assert np.asarray(one_).tobytes() == np.asarray(other).tobytes()
    return [str(warning.message) for warning in said if warning.category is FallbackWarning]


def _like(array: Any) -> Any:
    if not isinstance(array, np.ndarray):
        return array
    """Return a copy that lies in memory as an array does."""
    low, high = np.lib.array_utils.byte_bounds(array)
    memory = np.empty(high - low, np.uint8)
    offset = array.__array_interface__["data"][0] - low
    result: Any = np.ndarray(array.shape, array.dtype, memory, offset, array.strides)
    result[...] = array
    result.flags.writeable = array.flags.writeable
    return result


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("layout", LAID)
@pytest.mark.parametrize("dtype", "efdFD")
def test_functions_of_one_number(dtype: str, layout: str, device: str) -> None:
    names = [name for name in UNARY if dtype not in "FD" or name in ("absolute", "square")]

    def functions(x: Any) -> Any:
        return [getattr(np, name)(x) for name in names]

    agrees(functions, [lambda: LAID[layout](dtype)], device)


def products(x: Any, y: Any) -> Any:
    return [x * y, np.multiply(y, x), x * x, np.square(x), x**2]


def powers(x: Any, y: Any) -> Any:
    return [x**y, np.power(y, x), x**2.5, 1.5**x]


def angles(x: Any, y: Any) -> Any:
    return [np.arctan2(x, y), np.hypot(x, y), np.float_power(x, y)]


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("second", ["forward", "backwards", "one by one", "no axes", "two backwards"])
@pytest.mark.parametrize("first", ["forward", "backwards", "one by one backwards", "no axes", "scalar"])
@pytest.mark.parametrize("dtype", "fdFD")
def test_functions_of_two_numbers(dtype: str, first: str, second: str, device: str) -> None:
    for function in (products,) if dtype in "FD" else (powers, angles):
        agrees(function, [lambda: LAID[first](dtype), lambda: LAID[second](dtype)], device, 12)


def test_products_where_one_is_cast() -> None:
    agrees(lambda x, y: [x * y, y * x], [lambda: one("D", 1, 1), lambda: one("F", 1, 1)])
    agrees(lambda x, y: [x * y, y * x], [lambda: one("D", 1), lambda: one("F", 1)])


def in_place(x: Any, y: Any) -> Any:
    x *= y
    x **= 2
    np.square(x, out=x)
    return [x]


def into(x: Any, y: Any) -> Any:
    straight, turned, higher = np.zeros(1, x.dtype), np.zeros(1, x.dtype)[::-1], np.zeros((1, 1), x.dtype)
    masked = np.zeros(1, x.dtype)
    np.multiply(x, y, out=straight)
    np.multiply(x, y, out=higher)
    np.multiply(x, y, out=masked, where=np.array([True]))
    return [straight, turned, higher, masked, np.square(x, out=turned)]


@pytest.mark.parametrize("function", [in_place, into])
@pytest.mark.parametrize("layout", ["forward", "backwards", "one by one", "no axes"])
@pytest.mark.parametrize("dtype", "FD")
def test_where_a_product_goes_decides(dtype: str, layout: str, function: Any) -> None:
    if function is in_place or layout in ("forward", "backwards"):
        agrees(function, [lambda: LAID[layout](dtype), lambda: one(dtype)])


def scaled(x: Any, y: Any, k: int) -> Any:
    x[:k] *= y[0, 1]
    return [x]


# What is found to be one number at run time.
PARTS = {
    "rows of other ranks": lambda x, y, k: [x[:k] * y[:k, :k], y[:k, :k] * x[:k]],
    "in place": scaled,
    "backwards": lambda x, y, k: [np.square(x[:k][::-1]), abs(x[:k][::-1])],
    "backwards beside one": lambda x, y, k: [x[:k] * x[1:2][::-1], x[1:2][::-1] * x[:k]],
}


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("dtype", "FD")
def test_numbers_that_may_be_one(dtype: str, part: str, device: str) -> None:
    for k in (3, 1, 2, 1):
        assert not agrees(
            PARTS[part], [lambda: one(dtype, 4), lambda: one(dtype, 4, 4), lambda k=k: k], device, 8
        )


def test_an_exponent_in_an_array_of_one_number_is_no_square() -> None:
    agrees(lambda x, y: [x**y], [lambda: one("d", 1), lambda: RANDOM.choice([2.0, 0.5, 3.0], 1)])
    agrees(
        lambda x, y, k: [x[:k] ** y],
        [lambda: one("d", 3), lambda: RANDOM.choice([2.0, 0.5, 3.0], 1), lambda: 1],
    )
    assert not agrees(lambda x, y: [x**y], [lambda: one("d", 5), lambda: RANDOM.choice([2.0, 0.5], 1)])


def test_the_first_of_what_is_handed_in_backwards() -> None:
    function = transpile.convert(lambda x: np.cbrt(x[:1]), strict=True)
    for _ in range(20):
        numbers = RANDOM.random(5)
        assert function(numbers)[0] == np.cbrt(numbers[:1])[0]
        assert function(numbers[::2])[0] == np.cbrt(numbers[:1])[0]
        with pytest.raises(StagingError, match="S171"):
            function(numbers[::-1])


def test_a_part_of_one_number_that_lies_backwards() -> None:
    for _ in range(20):
        agrees(
            lambda x, i: [np.cbrt(x[i:][::-1]), np.cbrt(x[i:])],
            [lambda: one("d", 1)[::-1], lambda: 0],
            times=1,
        )


def test_what_rounds_alike_backwards_is_compiled() -> None:
    function = transpile.convert(lambda x: (np.sin(x[::-1]) + x[::-1] * 2.0, np.sqrt(x)), strict=True)
    for x in (RANDOM.random(1), RANDOM.random(1)[::-1]):
        for found, expected in zip(function(x), (np.sin(x) + x * 2.0, np.sqrt(x)), strict=True):
            assert found == expected


STRANGE = {
    "new axis": np.arange(5.0)[None],
    "backwards": np.ones((1, 5))[::-1],
    "far": np.ones((4, 5))[::4],
    "column": np.arange(5.0)[:, None],
}


@pytest.mark.parametrize("layout", STRANGE)
def test_strides_along_an_axis_of_length_1(layout: str) -> None:
    def strides(x: Any) -> Any:
        return x.strides, x.T.strides, x[0].strides, x[::-1].strides

    converted = transpile.convert(strides)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        for x in (STRANGE[layout].copy(), STRANGE[layout], STRANGE[layout].copy()):
            assert converted(x) == strides(x)
