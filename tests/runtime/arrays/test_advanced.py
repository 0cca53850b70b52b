"""What may be an index: truths are masks of one element over a new axis, and what NumPy makes an array of is one."""

from __future__ import annotations

import collections
from typing import Any

import numpy as np
import pytest

from transpile import convert

from ...end_to_end.comparison import call, compare


def taken(x: Any, limit: Any) -> Any:
    return x[x[0] > limit], x[np.asarray(x[0] > limit)].shape


def stored(x: Any, limit: Any) -> Any:
    x[x[0] > limit] = -1
    return x


def stored_into_a_number(x: Any, limit: Any) -> Any:
    number = np.floor(x[0], out=...)
    number[number > limit] = -1
    place = number.astype(np.intp)
    return number, place - 1, place.ravel()


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("limit", [0.0, 9.0])
@pytest.mark.parametrize("function", [taken, stored, stored_into_a_number])
def test_a_truth_is_a_mask_over_a_new_axis(function: Any, limit: float, device: str) -> None:
    arguments = np.array([2.5, 1.0, 3.0]), limit
    compare(call(function, arguments), call(convert(function, strict=True, device=device), arguments))


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize(
    "key",
    [range(0), range(2), collections.deque([1, 2]), collections.UserList([1]), 1.5, "a", [], b"a"],
    ids=repr,
)
def test_what_numpy_takes_for_an_array_is_an_index_under_try(key: Any) -> None:
    def reads(x, key):
        try:
            return x[key].tolist()
        except IndexError as error:
            return str(error)

    x = np.arange(3.0)
    assert convert(reads, device="host")(x, key) == reads(x, key)


def rows_that_are_listed(x: Any, n: int) -> Any:
    rows, others = [], []
    for i in range(n):
        if i % 3:
            rows.append(i)
            others.append(n - 1 - i)
    x[rows, 0] += 1.0
    x[rows] = x[others] * 2.0
    return x[rows], x[rows, :], x[others, 1]


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_a_list_of_run_time_length_is_an_index(device: str) -> None:
    converted = convert(rows_that_are_listed, strict=True, device=device)
    for n in (8, 5, 1, 0, 11):
        arguments = np.arange(24.0).reshape(8, 3), n
        compare(call(rows_that_are_listed, arguments), call(converted, arguments))


@pytest.mark.parametrize("kind", [float, bool])
@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
def test_a_list_of_no_integers_is_an_index_only_where_it_is_empty(kind: type) -> None:
    def picked(x, n):
        made = []
        for i in range(n):
            made.append(kind(x[i]))
        return x[made]

    converted = convert(picked, device="host")
    for n in (3, 0):
        arguments = np.arange(3.0), n
        compare(call(picked, arguments), call(converted, arguments))
    assert "S318" in converted.explain()


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize("axes", [63, 64])
def test_numpy_takes_no_arrays_for_each_of_64_axes(axes: int) -> None:
    def all_axes(x, i):
        return x[(i,) * x.ndim]

    def all_but_one(x, i):
        return x[(slice(None),) + (i,) * (x.ndim - 1)]

    arguments = np.ones((1,) * axes), np.array([0, 0])
    for function in (all_axes, all_but_one):
        compare(call(function, arguments), call(convert(function, device="host"), arguments))


def squared_where(x: Any, mask: Any) -> Any:
    for k in range(3):
        x[mask] = x[mask] ** 2 + k
        mask = mask & (x < 50)
    return x, mask, x[~mask]


def others_of_the_same_array(x: Any, mask: Any) -> Any:
    flat = x.reshape(-1)
    x[mask] = x[::-1][mask] + flat[mask.ravel()]
    flat[:2] = 7.0
    return x, flat, x[mask].shape


def parts_of_larger_ones(x: Any, mask: Any) -> Any:
    x[1:][mask[1:]] *= 3
    x.T[mask.T] += 1
    return x


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("function", [squared_where, others_of_the_same_array, parts_of_larger_ones])
@pytest.mark.parametrize("shape", [(3, 4), (1, 5), (0, 4), (4, 0), (2, 3, 4), (40, 50)], ids=str)
def test_masks_of_all_axes_choose_in_the_order_of_elements(function: Any, shape: tuple[int, ...]) -> None:
    random = np.random.default_rng(3)
    converted = convert(function, strict=True)
    for order in "CF":
        x = np.asarray(random.normal(size=shape) * 3, order=order)  # type: ignore[call-overload]
        for mask in (random.random(shape) < 0.4, np.asfortranarray(random.random(shape) < 0.4)):
            compare(call(function, (x, mask)), call(converted, (x, mask)))


def test_masks_of_other_shapes_raise_for_the_axis_that_differs() -> None:
    def read(x: Any, mask: Any) -> Any:
        return x[mask]

    def write(x: Any, mask: Any) -> Any:
        x[mask] = x[mask] + 1

    for function in (read, write):
        arguments = np.ones((4, 3)), np.ones((3, 4), bool)
        compare(call(function, arguments), call(convert(function, strict=True), arguments))


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
def test_a_part_of_an_array_that_is_stored_into_it_by_a_mask_is_left_to_numpy() -> None:
    def line(x: Any, mask: Any) -> Any:
        x[mask] = x[: mask.sum()]
        return x

    def table(x: Any, mask: Any) -> Any:
        y = x.reshape(6, -1)
        y[mask.reshape(6, -1)] = x[::-1][: mask.sum()]
        return x

    x, mask = np.arange(60.0), np.random.default_rng(0).random(60) < 0.5
    for function in (line, table):
        converted = convert(function)
        compare(call(function, (x, mask)), call(converted, (x, mask)))
        assert "S325" in converted.explain()
