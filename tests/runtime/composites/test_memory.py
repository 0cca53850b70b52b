"""Whether arrays share memory is said where tracing knows it, and left to NumPy where it does not."""

from __future__ import annotations

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
        "np.linalg.tensorsolve(np.eye(4).reshape(2, 2, 2, 2), np.ones((2, 2)))",
    ],
)
def test_what_is_known_of_memory_is_numpys(body: str) -> None:
    agree(f"return {body}", X, X.copy())


@pytest.mark.parametrize("body", ["np.shares_memory(a, b)", "np.may_share_memory(a[1:], a[:1])"])
def test_what_run_time_decides_is_left_to_numpy(body: str) -> None:
    function = function_of(body, "a, b")
    with pytest.raises(StagingError, match="memory"):
        transpile.convert(function, strict=True, device="host")(X, X.copy())
    assert transpile.convert(function, device="host")(X, X[::-1]) is (body == "np.shares_memory(a, b)")


def test_empty_arrays_share_nothing() -> None:
    agree("return np.shares_memory(a, a), np.shares_memory(a, b)", X[:0], X)
