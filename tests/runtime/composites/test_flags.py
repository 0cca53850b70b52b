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
    ("b = a * 2\nb.setflags(write=False)\nreturn b, b.flags.writeable, b[0], b.T, b.copy(), b + 1", X),
    (
        "c = []\nfor i in range(b):\n    d = a * i\n    d.setflags(write=False)\n    c.append(d)\nreturn c",
        X,
        3,
    ),
    ("c = []\nfor i in range(b):\n    c.append(np.broadcast_to(a + i, (2, 3, 4)))\nreturn c", X, 3),
    ("a.setflags(write=True)\na.flags.writeable = True\na[0] = 1\nreturn a", X),
    ("b = a * 2\nb.flags.writeable = False\nb[0] = 1", X),
    ("b = a * 2\nb.flags['W'] = False\nb += 1", X),
    (
        "b = a * 2\nc = b[:]\nb.setflags(False)\nc[0] = 5\nd = b[1:]\nreturn b, c, d, c.flags.writeable, d.flags.writeable",
        X,
    ),
    ("b = a * 2\nc = b[:]\nc.flags.writeable = False\nb[0] = 5\nreturn b, c", X),
    ("b = a * 2\nb.setflags(write=False)\nb.setflags(write=True)\nb[0] = 5\nreturn b", X),
    (
        "b = a[1:]\nb.flags.writeable = False\ntry:\n    b[0] = 1\nexcept ValueError as e:\n    return b, str(e)",
        X,
    ),
    ("b = np.zeros(3)\nif a[0] > 0:\n    b = a * 2\n    b.setflags(write=False)\nreturn b", X[0]),
    ("b = np.zeros(3)\nif a[1] > -9:\n    b = a * 2\n    b.setflags(write=False)\nb[0] = 1\nreturn b", X[0]),
    ("b = np.zeros(4)\nfor i in range(len(a)):\n    b = a[i] * 2\n    b.setflags(write=False)\nreturn b", X),
    (
        "b = np.broadcast_to(a, (2, 4))\nfor i in range(3):\n    b = np.broadcast_to(a + i, (2, 4))\nb[0] = 1",
        X[0].copy(),
    ),
    ("b = np.broadcast_to(a, (1, 4)) if a[1] > -9 else np.ones((1, 4))\nreturn b.copy(), b + 1", X[0].copy()),
    (
        "b = np.frombuffer(b'12345678')\nfor i in range(len(a)):\n    b = np.frombuffer(b'23456781')\nreturn b",
        X,
    ),
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
