"""Functions that NumPy calls whole, because they look at numbers, do converted what they do as they are."""

from __future__ import annotations

import functools
import tracemalloc
import warnings
from typing import Any

import numba
import numpy as np
import pytest
import scipy.interpolate
import scipy.linalg

import transpile
from tests.runtime.composites.agreement import X32, X, Z, agree, difference, function_of, in_layouts
from transpile.runtime.errors import FallbackWarning, StagingError
from transpile.runtime.operators.whole import is_whole

V = np.array([3.0, 1, 4, 1, 5, 9, 2, 6])
W = np.linspace(0.1, 2, 8)
SOME = V.astype(int)
P = np.array([1.0, -3, 2])
SQUARE = X @ X.T + np.eye(3)
TRUTHS = V > 2

CASES: list[tuple[Any, ...]] = [
    # How much they give is for run time to say.
    ("np.roots(a)", P),
    ("np.roots(a)", np.array([1.0, 0, 1])),
    ("np.roots(a)", P[:0]),
    ("np.poly(a)", P),
    ("np.polymul(a, b), np.polyder(a), np.polyint(a)", P, V),
    ("np.polydiv(a, b)", V, P),
    ("np.histogram(a, 'auto')", V),
    ("np.histogram(a, bins='fd')", X32),
    ("np.unique(a, axis=1)", SOME.reshape(2, 4) % 2),
    ("np.unpackbits(a)", SOME.astype(np.uint8)),
    ("np.packbits(a), np.packbits(a, bitorder='little')", TRUTHS),
    # Several parts, some of them numbers, with gaps and in other orders.
    ("np.linalg.eig(a)", SQUARE),
    ("np.linalg.eig(a)", np.array([[0.0, -1], [1, 0]])),
    ("np.linalg.eigvals(a)", Z[:, :3]),
    ("np.linalg.tensorsolve(a, b)", np.eye(4).reshape(2, 2, 4) + 1, X[:2, :2]),
    ("np.polyfit(a, b, 1, full=True)", W, V),
    ("np.polynomial.polynomial.polyfit(a, b, 2)", W, V),
    # Options.
    ("np.mean(a, where=a > 0), np.std(a, where=a > 0), np.var(a, mean=np.mean(a))", X),
    (
        "a.mean(where=a > 0), a.std(axis=0, where=a > 0), a.sum(initial=0.5), a.argsort(stable=True), a.max(axis=1, initial=3)",
        X,
    ),
    ("np.sum(a, initial=2.5), np.prod(a, where=a > 0, initial=2)", X),
    ("np.sort(a, stable=True), np.argsort(a, stable=True)", V),
    ("np.cov(a, fweights=b), np.cov(a, aweights=a)", V, SOME),
    ("np.quantile(a, 0.3, weights=b, method='inverted_cdf')", V, W),
    ("np.linspace(a, b, 4), np.linspace(a, b, 4, axis=-1), np.linspace(a, b, 3, retstep=True)", V, W),
    ("np.arange(10, 0, -a)", 3),
    ("np.block([[a, b], [b, a]])", X, X32),
    ("np.delete(a, [0, 2], axis=1)", X),
    ("np.ravel_multi_index((a, a), (3, 4), mode='wrap')", SOME),
    ("np.einsum(a, [0, 1], b, [0, 1], [0]), np.einsum('...i,...i->...', a, b)", X, X),
    ("np.cross(a, b)", X[:, :2], X[:, 2:]),
    # They raise at run time, or while tracing, what NumPy raises.
    ("np.linalg.eigvals(a)", np.full((2, 2), np.nan)),
    # What they give is used, in loops and where control goes several ways.
    ("k = np.roots(a)\nreturn k.sum() + len(k), np.sort(abs(k))", P),
    ("t = 0.0\nfor i in range(3):\n    t += np.roots(a + i).real.sum()\n    a[0] += 1\nreturn t, a", P),
    ("r = a\nif a[0] > 0:\n    r = np.roots(a)\nreturn r * 2", P),
    ("r = np.polymul(a, a)\nr[0] = 7\ns = np.polymul(a, a)\nreturn r, s", P),
    ("w, q = np.linalg.eig(a)\nk = np.argsort(w)[::-1]\nreturn w[k], q[:, k]", SQUARE),
    ("np.array2string(a, precision=2), np.array_str(a), np.format_float_positional(a[0])", V),
    ("s = np.array_str(a)\na[0] = 0\nreturn s, a", V),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0][:50])
def test_whole_calls_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES[1::3], ids=lambda case: case[0][:50])
def test_compiled_whole_calls_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case, device="cpu")


@pytest.mark.parametrize("case", CASES[::2], ids=lambda case: case[0][:50])
def test_whole_calls_agree_in_every_layout(case: tuple[Any, ...]) -> None:
    in_layouts(*case)


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    "body",
    ["np.roots(a)", "np.histogram(a, 'auto')", "np.polymul(a, a[:2])", "np.linalg.eig(a[:, None] * a)"],
)
def test_results_of_other_kinds_are_left_to_numpy(body: str, device: str) -> None:
    function = function_of(body, "a")
    converted = transpile.convert(function, strict=True, device=device)
    for a in (P, np.array([1.0, 0, 1]), np.array([0.0, 0, 1]), V, np.zeros(4), X[0]):
        assert not difference(function(a), converted(a)), a


def test_what_is_known_of_sizes_is_kept() -> None:
    function = function_of("np.linalg.eigvals(a) + a[0], np.mean(a, where=a > 0, axis=0) + a[1]", "a")
    converted = transpile.convert(function, strict=True, device="host")
    assert not difference(function(SQUARE), converted(SQUARE))
    larger = np.diag(np.arange(1.0, 9.0))
    assert not difference(function(larger), converted(larger))
    assert [entry.hits for entry in converted.calls.entries] == [2]


@pytest.mark.parametrize(
    "body",
    [
        "np.add(a, a, where=a > 0, out=None)\nreturn np.nditer(a)",
        "np.sort(a, order='x')",
        "np.unpackbits(a)",
        "np.linalg.eigvals(a, lambda: 0)",
    ],
)
def test_what_is_not_only_computing_is_refused(body: str) -> None:
    with pytest.raises((StagingError, TypeError, ValueError)):
        transpile.convert(function_of(body, "a"), strict=True)(V.copy())


def test_functions_of_the_users_are_not_tried() -> None:
    seen: list[Any] = []
    noting = np.frompyfunc(lambda x: seen.append(x), 1, 1)
    function = function_of("g(a)", "a")
    function.__globals__["g"] = noting
    with pytest.raises(StagingError):
        transpile.convert(function, strict=True)(V.copy())
    assert not seen


def test_functions_of_the_users_that_are_said_to_be_numpys_are_the_users() -> None:
    counts: list[int] = []

    @functools.wraps(np.roots)
    def roots(p: Any) -> Any:
        counts.append(len(p))
        return np.roots(p) * len(counts)

    class Roots:
        __module__ = "numpy"
        __name__ = "roots"

        def __call__(self, p: Any) -> Any:
            return roots(p)

    for callee in (roots, Roots()):
        function = function_of("g(a)", "a")
        function.__globals__["g"] = callee
        converted = transpile.convert(function)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FallbackWarning)
            found = [converted(P) for _ in range(3)]
        assert counts == [len(P)] * 3
        counts.clear()
        assert not difference([function(P) for _ in range(3)], found)
        counts.clear()


def test_what_a_function_of_the_users_holds_is_its_own_though_it_is_said_to_be_numpys() -> None:
    @functools.wraps(np.roots)
    def scaled(p: Any) -> Any:
        return p * scaled.factor  # type: ignore[attr-defined]

    function = function_of("g(a)", "a")
    function.__globals__["g"] = scaled
    converted = transpile.convert(function, device="host")
    for factor in (2.0, 3.0):
        scaled.factor = factor  # type: ignore[attr-defined]
        assert not difference(function(P), converted(P))


def test_a_matrix_that_is_not_square_raises_what_numpy_raises() -> None:
    converted = transpile.convert(lambda a: np.linalg.eig(a), device="host")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        for _ in range(2):
            with pytest.raises(np.linalg.LinAlgError, match="square"):
                converted(X)


@pytest.mark.parametrize(
    "function",
    [
        scipy.interpolate.splev,
        scipy.interpolate._fitpack_impl.splint,
        scipy.linalg.lapack.dgetrs,
        np._core.multiarray.datetime_data,
    ],
)
def test_what_does_not_look_at_what_it_is_handed_is_not_tried_on_made_up_numbers(function: Any) -> None:
    assert not is_whole(function)


def test_made_up_pivots_are_not_handed_to_a_library() -> None:
    def solves(factors, pivots, right):
        return scipy.linalg.lu_solve((factors, pivots), right)

    factors, pivots = scipy.linalg.lu_factor(SQUARE)
    converted = transpile.convert(solves, device="host", strict=True)
    with pytest.raises(StagingError):
        converted(factors, pivots, np.ones(3))


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
def test_functions_over_core_dimensions_are_not_tried_where_only_their_maker_knows_what_these_have_to_be() -> (
    None
):
    handed = []

    @numba.guvectorize(["(f8[:], f8[:], f8[:])"], "(n),(k)->(k)", forceobj=True)
    def spread(x, ends, result):
        handed.append((len(x), len(ends)))
        result[:] = x.sum() + ends

    def spreads(x, ends):
        return spread(x, ends) * 2

    x = np.arange(3.0)
    for _ in range(2):
        assert transpile.convert(spreads, device="host")(x, x[1:]).tolist() == (2 * (3 + x[1:])).tolist()
    assert set(handed) == {(3, 2)}
    assert not is_whole(spread.ufunc) and is_whole(np.matmul)


def crossed_in_turns(u):
    shapes = []
    for axis in range(-2, 2):
        shapes.append(np.cross(u, u, axisc=axis).shape)
    return shapes


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.filterwarnings("ignore:.*2-dimensional vectors:DeprecationWarning")
def test_nothing_is_computed_of_what_was_tried_before(device: str) -> None:
    # A way that was given up had assumed that the last axis has three elements.
    u = np.arange(24.0).reshape(3, 4, 2)
    if np.lib.NumpyVersion(np.__version__) >= "2.5.0":
        with pytest.raises(ValueError, match="3-dimensional"):
            transpile.convert(crossed_in_turns, device=device)(u)
        return
    assert transpile.convert(crossed_in_turns, device=device)(u) == crossed_in_turns(u)


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("join", [np.vstack, np.hstack, np.column_stack])
def test_what_may_be_an_array_of_several_kinds_is_joined_on_each_way(join: Any, device: str) -> None:
    def joined(x, n):
        rows = x
        for k in range(n):
            rows = join([rows, x * k] if k else (rows, x))
        return rows

    converted = transpile.convert(joined, strict=True, device=device)
    for n in (4, 0, 1):
        found, expected = converted(np.arange(3.0), n), joined(np.arange(3.0), n)
        np.testing.assert_array_equal(found, expected, strict=True)
    assert "kept" not in str(converted.graph(np.arange(3.0), 4))


def lagged(x, p):
    return np.column_stack([x[p - i - 1 : len(x) - i - 1] for i in range(p)])


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_sizes_that_are_equal_in_trials_by_chance_are_told_apart(device: str) -> None:
    x = np.arange(30.0)
    for p in (2, 3, 5):
        converted = transpile.convert(lagged, strict=True, device=device)
        assert np.array_equal(converted(x, p), lagged(x, p))
        assert not converted.calls.entries[0].deoptimised


def in_a_base(x):
    try:
        return np.base_repr(x, 3), np.binary_repr(x, 6)
    except (ValueError, OverflowError, TypeError) as error:
        return type(error), str(error)


def in_a_base_unhandled(x):
    return np.base_repr(x)


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
@pytest.mark.parametrize("device", ["host", "cpu"])
def test_text_of_numbers_that_have_none_is_not_made(device):
    converted = transpile.convert(in_a_base, device=device)
    unhandled = transpile.convert(in_a_base_unhandled, device=device)
    for number in (5, -7, 2.5, np.inf, 5, np.nan, np.int8(3)):
        assert converted(number) == in_a_base(number)
        if np.isfinite(number):
            assert unhandled(number) == in_a_base_unhandled(number)
        else:
            with pytest.raises((ValueError, OverflowError), match="cannot convert float"):
                unhandled(number)


@pytest.mark.parametrize("axes", [2, 4, 7])
def test_a_function_of_many_axes_is_not_tried_on_arrays_that_fill_the_memory(axes: int) -> None:
    def trimmed(a: Any) -> Any:
        return np.trim_zeros(a)

    array = np.zeros((2,) * axes)
    array[(1,) * axes] = 1.0
    converted = transpile.convert(trimmed, device="host")
    tracemalloc.start()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FallbackWarning)
            assert np.array_equal(converted(array), trimmed(array))
        assert tracemalloc.get_traced_memory()[1] < 200_000_000
    finally:
        tracemalloc.stop()
