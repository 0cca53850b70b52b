"""Views as Python's indices: they show, and write, the elements that the view says."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from transpile.devices.host.expressions import Words, expression, key_of
from transpile.runtime.graph.dim import Dim
from transpile.runtime.graph.ir import Op, Value
from transpile.runtime.graph.types import INT, ArrayType
from transpile.runtime.views.view import View


def random_view(rng: random.Random, dims: tuple[int, ...]) -> View:
    """Return a view of an array of these dims, made by a few steps."""
    view = View.identity(dims)
    for _ in range(rng.randrange(4)):
        rank = len(view.dims)
        step = rng.choice(["take", "slice", "insert", "transpose", "broadcast", "diagonal"])
        axis = rng.randrange(rank) if rank else 0
        size = int(str(view.dims[axis])) if rank else 0
        if step == "take" and size:
            view = view.take(axis, rng.randrange(size))
        elif step == "slice" and rank:
            places = slice(
                *(rng.choice([None, *range(-size - 1, size + 2)]) for _ in "12"), rng.choice([1, 2, -1, -2])
            )
            start, _, stride = places.indices(size)
            view = view.slice(axis, start, len(range(size)[places]), stride)
        elif step == "insert":
            view = view.insert(rng.randrange(rank + 1))
        elif step == "transpose":
            view = view.transpose(rng.sample(range(rank), rank))
        elif step == "broadcast":
            view = view.broadcast((2, *(3 if dim == 1 else dim for dim in view.dims)))
        elif step == "diagonal" and rank > 1:
            first, second = rng.sample(range(rank), 2)
            sizes = [int(str(view.dims[a])) for a in (first, second)]
            view = view.diagonal(first, second, 0, min(sizes))
    return view


def spelled(view: View, rng: random.Random) -> tuple[View, dict[Value, int]]:
    """Return the view with some of its numbers known at run time alone, and these."""
    values: dict[Value, int] = {}

    def spell(dim: Any) -> Any:
        if rng.random() < 0.5:
            return dim
        value = Value(INT, f"n{len(values)}")
        values[value] = dim + 3
        return Dim.of_value(value) - 3

    # A length of 1 that is known is an axis that is added.
    dims = tuple(dim if dim == 1 else spell(dim) for dim in view.dims)
    return View(view.base_dims, dims, tuple((spell(offset), terms) for offset, terms in view.axes)), values


@pytest.mark.parametrize("seed", range(300))
def test_a_view_shows_what_it_says(seed: int) -> None:
    rng = random.Random(seed)
    dims = tuple(rng.choice([0, 1, 2, 3, 4]) for _ in range(rng.randrange(4)))
    base = np.arange(int(np.prod(dims))).reshape(dims)
    plain = random_view(rng, dims)
    view, numbers = spelled(plain, rng)
    expected = plain.of_numpy(base, int)
    array = Value(ArrayType(base.dtype, dims), "base")
    words = Words({array: "base", **{value: value.name for value in numbers}})
    names = {words[array]: base, **{words[value]: number for value, number in numbers.items()}}
    op = Op("view", (array,), (ArrayType(base.dtype, view.dims),), {"view": view})
    found = eval(expression(op, words), {**words.bound, **names})
    assert type(found) is np.ndarray
    assert found.shape == expected.shape
    assert np.array_equal(found, expected)
    if found.size:
        assert np.shares_memory(found, base)
    if not view.dims:
        load = Op("load", (array,), (INT,), {"view": view})
        element = eval(expression(load, words), {**words.bound, **names})
        assert type(element) is np.int64
        assert element == expected


def test_most_views_are_indices() -> None:
    words = Words({})
    views = [random_view(random.Random(seed), (3, 4)) for seed in range(200)]
    assert sum(key_of(view, words) is not None for view in views) > 120
