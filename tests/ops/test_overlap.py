"""Ops that write where they read: in place, through shifted, turned and reversed views of one memory."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from .agreement import DEVICES, agree, function_of
from .operands import FAMILIES, tuples

# Views of one array of two axes, all of one shape, by what has to be read before what is written.
VIEWS = {
    "itself": ("x", "x"),
    "below": ("x[1:]", "x[:-1]"),
    "above": ("x[:-1]", "x[1:]"),
    "right": ("x[:, 1:]", "x[:, :-1]"),
    "left": ("x[:, :-1]", "x[:, 1:]"),
    "diagonal": ("x[1:, 1:]", "x[:-1, :-1]"),
    "other diagonal": ("x[1:, :-1]", "x[:-1, 1:]"),
    "turned": ("x", "x.T"),
    "upside down": ("x", "x[::-1]"),
    "reversed": ("x", "x[::-1, ::-1]"),
    "half reversed": ("x[:, 2:]", "x[:, -3::-1]"),
    "every second": ("x[:, ::2]", "x[:, 1::2]"),
    "first half": ("x[:, :4]", "x[:, ::2]"),
    "first row": ("x", "x[0]"),
    "last row": ("x", "x[-1]"),
    "first column": ("x", "x[:, :1]"),
    "a column turned": ("x", "x[:, 2]"),
    "one element": ("x", "x[3, 4]"),
    "flat": ("x.reshape(-1)[1:]", "x.reshape(-1)[:-1]"),
    "flat reversed": ("x.reshape(-1)", "x.reshape(-1)[::-1]"),
}
WRITES = {
    "out": "np.subtract({0}, {1}, out={0})",
    "out turned round": "np.subtract({1}, {0}, out={0})",
    "out of a third": "np.multiply({1}, {1}, out={0})",
    "in place": "a = {0}\na -= {1}",
    "store": "{0}[...] = {1}",
    "store of a sum": "{0}[...] = {0} * {1} + {1}",
    "store of a loop's result": "{0}[...] = np.logaddexp({0}, {1})",
    "row by row": "for i in range(len({0})):\n    {0}[i] -= {1}[i - 1]",
}


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("views", VIEWS)
def test_writes_that_overlap(views: str, device: str) -> None:
    """All ways of writing in one kernel, each to an array of its own."""
    names = "abcdefgh"[: len(WRITES)]
    skip = {"row by row"} if views == "one element" else set()
    lines: list[str] = []
    for name, (kind, form) in zip(names, WRITES.items(), strict=True):
        if kind not in skip:
            target, source = (text.replace("x", name) for text in VIEWS[views])
            lines += (
                form.format(target, source).replace("a = ", "v = ").replace("a -= ", "v -= ").splitlines()
            )
    lines.append("return [" + ", ".join(names) + "]")
    rng = np.random.default_rng(5)
    values = rng.standard_normal((8, 8))
    agree(function_of("\n".join(lines), ", ".join(names)), lambda: [values.copy() for _ in names], device)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", FAMILIES, ids=str)
def test_results_with_an_array_given(dtype: np.dtype[Any], device: str) -> None:
    flat = [values[:60].copy() for values in tuples((dtype, dtype))]
    number = "1j" if dtype.kind == "c" else "3"
    body = f"""
    np.add(x, y, out)
    np.multiply(out, y, out=out)
    wide = np.empty(x.shape, np.complex128)
    np.add(x, y, out=wide)
    back = np.empty(x.shape, x.dtype)[::-1]
    np.subtract(x, {number}, out=back)
    rows = np.zeros((3, x.shape[0]), x.dtype)
    np.add(x, y, out=rows)
    np.negative(x, out=x[::-1])
    return out, wide, back, rows, x
    """.replace("\n    ", "\n")
    agree(function_of(body, "x, y, out"), lambda: [*(v.copy() for v in flat), np.zeros_like(flat[0])], device)


@pytest.mark.parametrize("device", DEVICES)
def test_two_results_given(device: str) -> None:
    x = np.linspace(-5, 5, 41)
    body = """
    np.modf(x, out=(x, y))
    np.divmod(y, 3.0, out=(y, x))
    q, r = np.divmod(x, 0.7, out=(None, y))
    return q, r
    """.replace("\n    ", "\n")
    agree(function_of(body, "x, y"), lambda: [x.copy(), np.zeros(41)], device)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(
    "places", list(itertools.product(("[1:]", "[:-1]", "[::-1]", "[::2]"), repeat=2)), ids=str
)
def test_arguments_that_overlap(places: tuple[str, str], device: str) -> None:
    """Two arguments that are views of one memory: what is written to one shows in the other, or the call is left to NumPy."""
    import transpile

    function = function_of("n = min(len(x), len(y))\nx[:n] += y[:n] * 2.0\nreturn x.sum() + y[0]", "x, y")
    converted = transpile.convert(function, device=device)
    # The trace is made of arrays apart.
    converted(np.arange(6.0), np.arange(6.0))

    def make() -> list[Any]:
        memory = np.arange(12.0)
        return [eval(f"memory{place}", {"memory": memory}) for place in places]

    plain, staged = make(), make()
    assert function(*plain) == converted(*staged)
    for before, after in zip(plain, staged, strict=True):
        np.testing.assert_array_equal(before, after)
