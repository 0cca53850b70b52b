"""Whether arrays share memory is said where tracing knows it, and left to NumPy where it does not."""

from __future__ import annotations

import numpy as np
import pytest

import transpile
from transpile.runtime.errors import StagingError

from .agreement import X, agree, function_of


@pytest.mark.parametrize(
    "body",
    [
        "np.shares_memory(a, a), np.may_share_memory(a, a)",
        "np.shares_memory(a, a.copy()), np.may_share_memory(a + 1, b)",
        "np.shares_memory(a[1:], a[1:])",
        "np.from_dlpack(a)[1:].sum(), np.frombuffer(a, count=3, offset=16)[1]",
        "np.frombuffer(b'12345678', np.int16) * 2, np.frombuffer(b'1234', 'u1').flags.writeable",
        "a.view(np.int16).sum(axis=1), a.view('u1')[0, 3], (a + 1j * b).view(float).max()",
        "np.linalg.tensorsolve(np.eye(4).reshape(2, 2, 2, 2), np.ones((2, 2)))",
    ],
)
def test_what_is_known_of_memory_is_numpys(body: str) -> None:
    agree(f"return {body}", X, X.copy())


def test_what_run_time_decides_is_left_to_numpy() -> None:
    function = function_of("np.may_share_memory(a[1:], a[:1])", "a, b")
    with pytest.raises(StagingError, match="memory"):
        transpile.convert(function, strict=True, device="host")(X, X.copy())
    assert transpile.convert(function, device="host")(X, X) is False


@pytest.mark.parametrize("function", ["shares_memory", "may_share_memory"])
def test_arrays_that_are_apart_at_one_call_may_share_memory_at_the_next(function: str) -> None:
    converted = transpile.convert(function_of(f"np.{function}(a, b)", "a, b"), device="host")
    y = X.copy()
    assert [converted(X, y), converted(X, X[:]), converted(y, X), converted(X, X)] == [
        False,
        True,
        False,
        True,
    ]
    assert len(converted.calls.entries) >= 1


@pytest.mark.parametrize(
    "body",
    [
        "return a.view('u1'), a.view(np.float32), a",
        "b = a * 2; return b.view(np.int16), b",
        "return a[1:].view('i2'), (a + 1j).view(float), a.T.copy().view('i4')",
        "return a.getfield(np.int32, 4), a.getfield(np.int8), a.getfield(np.int16, 2).sum()",
    ],
)
def test_views_of_another_type_are_views(body: str) -> None:
    agree(body, X)
    found = transpile.convert(function_of(body, "a"), strict=True)(X)
    plain = function_of(body, "a")(X)
    for one, other in zip(found, plain, strict=True):
        assert getattr(one, "strides", None) == getattr(other, "strides", None)
        assert np.shares_memory(one, X) == np.shares_memory(other, X)


@pytest.mark.parametrize("body", ["np.from_dlpack(a)", "np.frombuffer(a)", "np.frombuffer(a, count=2)"])
def test_other_objects_on_the_same_memory_write_it(body: str) -> None:
    agree(f"c = {body}; c[0] = 7; return c, a", X)


@pytest.mark.parametrize(
    "body",
    [
        "c = a.view('u1'); a[0] = 3; return c.sum()",
        "a.view('u1')[...] = 3; return a",
        "a.setfield(1, np.int32); return a",
        "return a.view('u1')[1:]",
        "return a.T.view('u1')",
        "return a.getfield(np.int8, -1)",
        "return a.getfield(np.int32, 2)",
        "return a.getfield(np.int32, 8)",
    ],
)
def test_memory_that_is_seen_as_of_another_type_is_not_written(body: str) -> None:
    function = function_of(body, "a")
    with pytest.raises(StagingError, match=r"S110|S212|S188"):
        transpile.convert(function, strict=True, device="host")(X.copy())


def test_empty_arrays_share_nothing() -> None:
    agree("return np.shares_memory(a, a), np.shares_memory(a, b)", X[:0], X)
