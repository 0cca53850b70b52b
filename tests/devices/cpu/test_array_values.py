"""Arrays in parts: what helpers ask of them, and what is computed of them."""

from __future__ import annotations

import numpy as np
import pytest
from numba import types

from transpile.devices.cpu import array_values
from transpile.devices.cpu.lanes import named_intrinsic
from transpile.devices.cpu.toolkit import cgutils, ir

from .kernels import lowered

KINDS = {layout: types.Array(types.float64, 3, layout) for layout in "CFA"}


def _define(typing_context, x):
    def generate(context, builder, signature, values):
        array = context.make_array(x)(context, builder, values[0])
        words = [array.nitems, array.itemsize, builder.ptrtoint(array.meminfo, ir.IntType(64))]
        words += cgutils.unpack_tuple(builder, array.shape) + cgutils.unpack_tuple(builder, array.strides)
        words.append(builder.ptrtoint(array.data, ir.IntType(64)))
        return context.make_tuple(builder, types.UniTuple(types.int64, 10), words)

    return types.UniTuple(types.int64, 10)(x), generate


parts_of = named_intrinsic("parts_of", _define, ["x"])


@pytest.mark.parametrize("layout", "CFA")
def test_a_helper_is_given_the_parts_of_an_array_as_numba_names_them(layout):
    text = "def kernel(x):\n    p = parts_of(x)\n    return " + ", ".join(f"p[{k}]" for k in range(10))
    kernel = lowered(text, {"parts_of": parts_of}, (KINDS[layout],), types.UniTuple(types.int64, 10))
    x = {
        "C": np.zeros((2, 3, 4)),
        "F": np.zeros((2, 3, 4), order="F"),
        "A": np.zeros((4, 3, 8))[::2, :, ::-2],
    }
    array = x[layout]
    count, size, meminfo, *rest = kernel(array)
    assert (count, size) == (array.size, 8)
    # Who calls a kernel holds its arrays: it takes no share in them.
    assert not meminfo
    assert rest == [*array.shape, *array.strides, array.__array_interface__["data"][0]]


def test_products_of_constants_are_constants():
    one, two, three = (ir.Constant(array_values.INTP, number) for number in (1, 2, 3))
    assert array_values.product(None, one, three) is three
    assert array_values.product(None, two, three).constant == 6
    assert array_values.product(None, ir.Constant(array_values.INTP, 0), three).constant == 0


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "float32", "complex64", "complex128"])
def test_elements_of_every_kind_are_loaded_and_stored(dtype):
    kind = types.Array(types.boolean if dtype == "bool" else getattr(types, dtype), 1, "A")
    kernel = lowered("def kernel(x, y):\n    x[0] = y[1]\n    return 0", {}, (kind, kind), types.int64)
    x, y = np.zeros(4, dtype)[::2], np.array([0, 1, 3]).astype(dtype)[::-1]
    kernel(x, y)
    assert x.tolist() == [y[1], 0]
