"""What decides strides, rounding or errors in corners: lengths of 1, `out=` that runs backwards, arrays without axes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import transpile
from transpile.runtime.errors import StagingError

from .agreement import X, agree, function_of

THIN = np.asfortranarray(np.arange(24.0).reshape(2, 3, 4))
REPEATED = np.broadcast_to(np.arange(20.0).reshape(4, 5), (3, 4, 5))
LINE = np.linspace(0.1, 5, 97).astype(np.float32)

CASES: list[tuple[Any, ...]] = [
    ("np.concatenate([a[-1:], a[:-1]])", THIN),
    ("np.concatenate([a[-1:], a[:-1]])", np.asfortranarray(np.arange(60.0).reshape(5, 3, 4))),
    ("np.roll(a, (1, -1), axis=(0, 2))", THIN),
    ("np.roll(a, [], axis=())", np.array(3.0)),
    ("np.stack([a, a], axis=1, out=b)", X, np.empty((3, 2, 4))),
    ("np.stack([a, a], axis=1, out=b)", X, np.empty((3, 2, 5))),
    ("np.stack([a, a], out=b)", X, np.empty((2, 3, 4), int)),
    ("np.concatenate([a, b], out=c)", X, np.arange(8).reshape(2, 4), np.empty((5, 4), np.float32)),
    ("np.concatenate([a, a], out=b)", X, np.empty((6, 4, 1))),
    ("np.unique(a, return_inverse=True)", np.array(3.0)),
    ("np.pad(a, 2)", np.array(3.0)),
    ("np.linalg.norm(a, ord=2, axis=0)", np.array(3.0)),
    ("np.gradient(a, b)", X[:0, 0], X[:0, 0]),
    ("np.add.at(a, (b[:, None], b), c)", X[:, :3].copy(), np.arange(3), np.ones((1, 3, 3))),
    ("np.float64(a)", X),
    ("np.float32(a)", X),
    ("np.array(a, order='F', copy=None)", np.asfortranarray(X)),
    ("np.require(a, requirements='F')", np.ones((1, 1))),
    ("np.sort(a, stable=True), np.argsort(a, axis=0, stable=True), np.sort(a, stable=False)", X),
    ("np.sort(a, stable=True, kind='stable')", X),
    ("np.put(a, b, c, mode='wrap')", X, np.array([-1, 20, 3]), np.array([7.0, 8.0])),
    ("np.put(a, b, c, mode='clip')", X, np.array([-1, 20, 3]), np.array([7.0, 8.0])),
    (
        "np.mean(a, where=b), np.mean(a, axis=0, where=b), np.mean(a > 0, axis=1, keepdims=True, where=c)",
        X,
        X > -3,
        X[:, :1] > -9,
    ),
    ("np.mean(a, axis=0, where=b)", X, X > 3),
    ("np.mean(a, axis=1, where=b)", X[:1], X > 3),
    ("np.mean(a, axis=1, where=b)", X, X[:2] > 3),
    ("np.var(a, mean=a.mean()), np.std(a, axis=0, mean=np.mean(a, axis=0, keepdims=True))", X),
    ("np.matvec(a, b, out=c)", X, X[0], np.empty(3)),
    ("np.vecdot(a, a, dtype=np.float32, casting='same_kind')", X),
    ("np.vecdot(a, a, axis=[0])", X),
    ("np.vecdot(a, a, axis=0)", X),
    ("np.ravel_multi_index(a, (2, 3))", np.empty((0, 3), int)),
    ("a.astype(float, order='F', copy=False)", np.asfortranarray(X)),
    ("np.asarray(a, order='A')", np.asfortranarray(X)),
    ("np.pad(a, 1), a.flags.fnc", np.asfortranarray(np.arange(10.0).reshape(2, 1, 5))),
    ("np.concatenate([a, a]), np.concatenate([a, a], 1), np.stack([a, a]), np.dstack([a, a])", REPEATED),
    ("np.stack([a, b]), np.concatenate([a, b], 1), np.stack([a.T, a.T])", REPEATED, np.ones((3, 4, 5))),
    ("np.tan(a, where=b, out=c)", LINE, LINE > 1, np.zeros(97, np.float32)),
    ("np.tan(a[::-1], out=c)", LINE, None, np.zeros(97, np.float32)),
]


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_corners_agree_with_numpy(case: tuple[Any, ...], device: str) -> None:
    agree(*case, device=device)


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    "body", ["np.tan(a, out=b[::-1])", "np.tan(a[1:], out=a[:-1])", "np.tan(a[::-1], where=b > 1, out=b)"]
)
def test_what_rounds_by_its_layout_is_left_to_numpy(body: str, device: str) -> None:
    function = function_of(body, "a, b")
    with pytest.raises(StagingError, match="S144"):
        transpile.convert(function, strict=True, device=device)(LINE.copy(), LINE.copy())
    made = transpile.convert(function, device=device)
    assert np.array_equal(made(LINE.copy(), LINE.copy()), function(LINE.copy(), LINE.copy()))


def test_put_writes_what_comes_before_an_index_out_of_range() -> None:
    def put(a: Any) -> None:
        np.put(a, [0, 50], [7.0, 8.0])

    plain, staged = X.copy(), X.copy()
    for function, array in ((put, plain), (transpile.convert(put, device="host"), staged)):
        with pytest.raises(IndexError):
            function(array)
    assert np.array_equal(plain, staged) and staged[0, 0] == 7.0


OTHER_DIMS = [
    "np.matmul(a, a, out=np.empty((3, 3)))", "np.dot(a, a, out=np.empty((3, 3)))", "np.round(a, 1, out=np.empty((3, 3)))",
    "np.mean(a, axis=0, out=np.empty(3))", "np.ptp(a, axis=0, out=np.empty(3))", "np.cumsum(a, axis=0, out=np.empty((3, 1)))",
    "np.any(a, axis=0, out=np.empty(3, bool))", "np.argmin(a, axis=0, out=np.empty(3, int))", "np.trace(a, out=np.empty(3))",
    "np.max(a, axis=0, out=np.empty(3))", "np.subtract.reduce(a, out=np.empty(3))", "np.vecdot(a, a, out=np.empty(3))",
    "np.linalg.multi_dot([a, a], out=np.empty((3, 3)))", "np.outer(a, a, out=np.empty((3, 3)))", "np.clip(a, 0, 1, out=np.empty((3, 3)))",
]  # fmt: skip


@pytest.mark.parametrize("body", OTHER_DIMS)
def test_out_of_other_dims_is_what_it_is_to_numpy(body: str) -> None:
    try:
        agree(body, np.ones((1, 1)))
    except StagingError as error:
        assert error.code == "S144-keyword"


def mended(v):
    if v.size == 3:
        v = np.zeros(v.shape, v.dtype)
    return v


WAYS = {
    "astype": lambda v: mended(v).astype(np.int64, order="C", copy=False),
    "ascontiguousarray": lambda v: np.ascontiguousarray(mended(v)),
    "asarray": lambda v: np.asarray(mended(v), order="C"),
    "reshape": lambda v: mended(v).reshape(-1),
    "ravel": lambda v: mended(v).ravel(),
    "flags": lambda v: mended(v).flags.c_contiguous,
    "strides": lambda v: mended(v).strides,
    "rows of a copy": lambda v: np.ascontiguousarray(mended(v)).reshape(-1, 1) + 1,
    "sum": lambda v: mended(v).reshape(-1).sum() + mended(v)[:-1].ravel().sum(),
    "view": lambda v: mended(v)[:-1],
}
LAID = {
    "packed": np.arange(5),
    "with gaps": np.arange(10)[::2],
    "backwards": np.arange(10)[::-1],
    "columns": np.arange(20).reshape(4, 5)[:, ::2],
    "turned": np.arange(20).reshape(4, 5).T,
}


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize("layout", LAID)
@pytest.mark.parametrize("way", WAYS)
def test_an_array_that_is_replaced_on_some_way_lies_as_it_was_handed_in_on_the_other(
    way: str, layout: str
) -> None:
    function, given = WAYS[way], LAID[layout]

    def seen(result: Any) -> Any:
        if isinstance(result, np.ndarray):
            return result.tolist(), result.strides, np.shares_memory(result, given)
        return result

    converted = transpile.convert(function, device="host")
    for _ in range(2):
        assert seen(converted(given)) == seen(function(given))
