"""What NumPy's functions raise is caught in NumPy's words, and nothing that they refuse is swallowed."""

from __future__ import annotations

import pytest

from transpile import convert

from .agreement import X, difference, function_of

CALLS = [
    "np.pad(a, (4, 5, 6, 7))",
    "np.pad(a, ((1, 2, 3), (3, 4, 5)))",
    "np.pad(a, (1, 2, 3), 'edge')",
    "np.pad(a, [], 'edge')",
    "np.pad(a, ((1,), (2,)), 'edge')",
    "np.pad(a, ((1, 2),))",
    "np.pad(a, ((1, n), n))",
    "np.pad(a, [n])",
    "np.pad(a, (1, n))",
    "np.hypot(n)",
    "np.add(a, 1, ...)",
    "np.add(a, 1, out=(...,))",
    "np.add(a, 1, out=(..., ...))",
    "np.add(a, 1, out=())",
    "np.add.reduce(a, out=...)",
    "np.sum(a, out=...)",
    "np.cumsum(a, out=...)",
    "np.std(a, out=3)",
    "np.gcd(n, 2.5)",
    "np.gcd(2.0, 3.0)",
    "np.sqrt(n, casting='no')",
    "np.add(a, 1, casting='equiv')",
    "np.add(a, n, casting='safe')",
    "np.tile(a, -1)",
    "np.tile(a, n - 5)",
    "np.tile(a, (n, n - 5)).shape",
    "np.tile(a[:0], n - 5)",
    "np.split(a, -1)",
    "np.split(a, -n)",
    "np.split(a, 0)",
    "np.split(a, -2)",
    "np.bincount([n, 1], minlength=-1)",
    "np.bincount([n, 1], minlength=n - 5)",
    "np.bincount([n, 1], minlength=n)",
    "np.roll(a, (1, 2, 3), axis=(0, 1))",
    "np.broadcast_shapes((2,), (3,))",
    "np.array([a, a[0]])",
    "np.array([a[0], [1, n]])",
    "np.linalg.norm(a, axis=(0, 0))",
    "np.sum(a, axis=(0, 0))",
    "np.lexsort(row for row in a)",
    "np.ravel_multi_index((x for x in [[1], [2]]), (3, 3))",
    "a.take(x for x in [0, 1])",
    "np.fft.fftn(a, axes=iter((0, 1)))",
    "np.lib.stride_tricks.as_strided(a, iter((2, 2)))",
    "np.piecewise(a, (a > 0 for _ in range(1)), [1])",
    "np.fromiter((x * n for x in a[0]), float)",
    "a[(None,) * 70]",
    "np.stack([a.reshape((9,) + (1,) * 63)] * 2)",
    "np.ix_(*[[n]] * 65)[0].shape",
    "np.tile(a, (1,) * 70)",
    "np.multiply.outer(a.reshape((9,) + (1,) * 39), a.reshape((9,) + (1,) * 39))",
    "np.broadcast_shapes((1,) * 70, (3,))",
]


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("call", CALLS)
def test_errors_of_functions_are_caught_in_numpys_words(call: str, device: str) -> None:
    function = function_of(
        f"try:\n    return {call}\nexcept Exception as error:\n    return type(error).__name__, str(error)",
        "a, n",
    )
    assert not difference(function(X.copy(), 3), convert(function, device=device)(X.copy(), 3))


def test_nothing_divided_by_nothing_is_warned_of_where_its_variance_is_asked_for() -> None:
    function = function_of("a[:0].var(ddof=-1)", "a")
    for variance in (function, convert(function)):
        with pytest.warns(RuntimeWarning, match="invalid value encountered in divide"):
            assert variance(X) == 0.0
