"""What `flags` says of arrays is converted what it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from transpile import convert
from transpile.runtime.errors import StagingError

from .agreement import X, agree, difference, function_of, in_layouts

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
    ("f = a.flags\na.setflags(write=False)\nreturn f.writeable, a.flags.writeable, f.c_contiguous", X),
    ("b = a * 2\nf = b.flags\nf.writeable = False\nreturn f.writeable, b.flags.writeable", X),
    ("b = a * 2\nf = b.flags\nb.shape = (12,)\nreturn f.f_contiguous, b.flags.f_contiguous", X),
    ("f = a[0, 0].flags\nreturn f.writeable, f.c_contiguous", X),
]

# Those of the caller's own array, which it finds changed.
CHANGING: list[tuple[Any, ...]] = [
    ("a[0] = 5\na.setflags(write=False)\nreturn a", X),
    ("a.flags.writeable = False\nreturn a.flags.writeable, a[1:], a.copy(), a + 1", X),
    ("a.flags['W'] = False\na[0] = 1", X),
    ("a.setflags(write=False)\ntry:\n    a[0] = 1\nexcept ValueError as e:\n    return str(e)", X),
    ("c = a[1:]\na.setflags(write=False)\nc[0] = 1\nreturn c", X),
    ("a.setflags(write=False)\na.setflags(write=True)\na[0] = 1", X),
    ("a[0] = 3\na.setflags(write=False)\nprint(a[0])\nreturn 1 // int(a[0, 0] - b)", X, np.float64(3)),
    ("a.setflags(write=False)\nreturn a, a, [a], 1 // int(a[0, 0] * 0)", X),
    ("a.setflags(write=False)\nb[0] = a[1]\nreturn a is b", X, X[1:].copy()),
    ("a.setflags(write=False)\nnp.add(b, 1, out=b)\nreturn b.flags.writeable", X, X[1:].copy()),
]


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("case", CHANGING, ids=lambda case: case[0])
def test_the_callers_own_array_is_made_one_that_cannot_be_written(case: tuple[Any, ...], device: str) -> None:
    body, *given = case
    function = function_of(body, ", ".join("ab"[: len(given)]))
    converted = convert(function, strict=True, device=device)
    for _ in range(2):
        outcomes = []
        for called in (function, converted):
            own = [array.copy() for array in given]
            try:
                found: Any = called(*own)
            except StagingError:
                raise
            except Exception as error:
                found = type(error), str(error)
            outcomes.append((found, own))
        assert not difference(*outcomes)


def test_where_that_is_not_known_numpy_does_it() -> None:
    function = function_of("if a[0] < 0:\n    a.setflags(write=False)", "a")
    with pytest.raises(StagingError):
        convert(function, strict=True, device="host")(X[0].copy())
    own = X[0].copy()
    convert(function, device="host")(own)
    assert not own.flags.writeable


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
    "body",
    ["str(a.flags)", "print(a.flags)", "a.flags.num", "np.linspace(0, 1, 5).flags", "a.flags == a.flags"],
)
def test_flags_of_what_is_not_known_do_not_leave_the_function(body: str) -> None:
    with pytest.raises(StagingError):
        convert(function_of(body, "a"), strict=True, device="host")(X)
