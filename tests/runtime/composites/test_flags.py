"""What `flags` says of arrays is converted what it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from transpile import convert
from transpile.runtime.errors import StagingError

from .agreement import X, agree, in_layouts

ALL = "f=a.flags\nreturn f.c_contiguous, f.f_contiguous, f.contiguous, f.forc, f.fnc, f.writeable"

CASES: list[tuple[Any, ...]] = [
    (ALL, X),
    (ALL, X[0]),
    (ALL, X[:, :1]),
    (ALL, np.zeros((3, 4, 2))),
    (ALL, np.broadcast_to(X[0], (3, 4))),
    (ALL.replace("a.", "a.T."), X),
    (ALL.replace("a.", "np.zeros((len(a), 5))."), X),
    (ALL.replace("a.", "np.broadcast_to(a, (2, 3, 4))."), X),
    ("a.flags['C_CONTIGUOUS'], a.flags['F'], a.flags['WRITEABLE']", X),
    ("b = a if a.flags.c_contiguous else np.ascontiguousarray(a)\nreturn b.ravel() * 2", X.T),
    ("a.flags is None", X),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_flags_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_flags_agree_in_every_layout(case: tuple[Any, ...]) -> None:
    in_layouts(*case)


def test_one_trace_tells_empty_arrays_apart() -> None:
    @convert(device="host")
    def flags(a: Any) -> Any:
        return a.flags.c_contiguous, a.flags.f_contiguous

    for size in (3, 0, 3):
        assert flags(np.zeros((size, 4))) == (True, size == 0)


@pytest.mark.parametrize(
    "body", ["str(a.flags)", "print(a.flags)", "a.flags", "a.flags.owndata", "a.flags == a.flags"]
)
def test_flags_do_not_leave_the_function(body: str) -> None:
    from .agreement import function_of

    with pytest.raises(StagingError):
        convert(function_of(body, "a"), strict=True, device="host")(X)
