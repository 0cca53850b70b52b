"""Calls that are served by machine code, of what lies in tuples, in classes and in what functions hold."""

import gc
import sys
import warnings

import numpy as np
import pytest

from transpile.compare import difference
from transpile.compare import run as outcome
from transpile.devices.cpu import c_code
from transpile.runtime.errors import StagingError

from .test_direct import at_once, converted, served  # noqa: F401

pytestmark = pytest.mark.skipif(not c_code.is_known(), reason="objects lie otherwise in memory")

X = np.array([1.0, -2.0, 0.0, 4.0])
SCALES = (0.5, 2.0)
LIMITS = (3, (1.5, "above", None), True)


class Scale:
    factor = 3.0

    def __init__(self, x):
        self.x = x

    def scaled(self):
        return self.x * self.factor


def of_tuples(pair, x):
    (y, z), k = pair
    return x * y + z[:k].sum(), k + 1, np.zeros(k)


def of_globals(x):
    return x * SCALES[0] + SCALES[1], LIMITS[0] + x.size, LIMITS[1][0] * x


def helper(x, factor=2.0, shift=1):
    return x * factor + shift


def helped(x):
    return helper(x), helper(x, 3.0)


def keyword(x, *, factor=2.0):
    return x * factor


def of_class(x):
    return Scale(x).scaled()


def writes(pair, k):
    x, y = pair
    x[0] = y[0] + 1.0
    for i in range(k):
        if y[i] < 0:
            raise ValueError(f"{y[i]} in place {i}")
        x[i] += y[i]
    return x.sum()


def divides(pair):
    return pair[0] / pair[1]


def same(function, found, *arguments):
    """Fail where two calls left behind other things; what is not compiled is refused, for the original."""
    ours = outcome(found, arguments)
    refused = isinstance(ours[0], tuple) and ours[0] and ours[0][0] is StagingError
    assert refused or not difference(outcome(function, arguments), ours)


PAIR = ((X + 1, X[::-1].copy()), 3)


@pytest.mark.parametrize(
    "function, arguments",
    [
        (of_tuples, (PAIR, X)),
        (of_globals, (X,)),
        (helped, (X,)),
        (of_class, (X,)),
        (writes, ((X.copy(), abs(X)), 4)),
        (divides, ((X, abs(X) + 1),)),
    ],
)
def test_parts_are_found_by_machine_code(function, arguments):
    found = converted(function, *arguments)
    for _ in range(3):
        same(function, found, *arguments)
    assert served(found) == 3


def test_other_tuples_are_left_to_others():
    found = converted(of_tuples, PAIR, X)
    y, z = PAIR[0]
    for pair in (
        ((y, z), 2), ((y, z), 0), ((y, z), -1), ((y, z), 2**70), ((y, z), True), ((z, z), 2), ([y, z], 2), [(y, z), 2],
        ((y[::2].repeat(2)[::1], z), 1), ((y.astype(int), z), 1), ((y, z, z), 2), ((y, z), 2, 3), ((y, z[:1]), 2), ((2.0, z), 2), (y, 2), (), ((y, z), 2.0),
    ):  # fmt: skip
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            same(of_tuples, found, pair, X)


def test_like_tuples_are_served():
    found = converted(of_tuples, PAIR, X)
    for pair in (((X * 3, X * 4), 3), ((X - 1, np.ones(4)), 2), ((X + 1, X + 2), 4)):
        same(of_tuples, found, pair, X)
    assert served(found) == 3


def test_one_array_in_two_places_is_served_as_such():
    found = converted(of_tuples, ((X, X + 1), 3), X)
    same(of_tuples, found, ((X, X + 1), 3), X)
    assert served(found) == 1
    same(of_tuples, found, ((X, X + 1), 3), X.copy())
    y = X + 5
    same(of_tuples, found, ((y, y), 3), y)


def test_arrays_of_tuples_that_share_memory_are_left_to_others():
    found = converted(writes, (X.copy(), abs(X)), 4)
    for make in (lambda x: (x, x), lambda x: (x[:4], x[1:]), lambda x: (x[:4], x[4:])):
        ours, plain = np.arange(1.0, 9.0), np.arange(1.0, 9.0)
        try:
            result = found(make(ours), 4)
        except StagingError:
            assert ours.tolist() == plain.tolist()
            continue
        assert result == writes(make(plain), 4) and ours.tolist() == plain.tolist()


def test_errors_are_those_of_python_and_what_was_written_stays():
    found = converted(writes, (X.copy(), abs(X)), 4)
    for y in (X, -abs(X), abs(X), X[:3]):
        for k in (0, 3, 4, 5):
            same(writes, found, (np.ones(4), y), k)


def test_warnings_are_those_of_numpy():
    found = converted(divides, (X, abs(X) + 1))
    for mode in ("always", "error", "default"):
        for y in (X, abs(X) + 1):
            with warnings.catch_warnings():
                warnings.simplefilter(mode)
                same(divides, found, (X, y))


def test_tuples_of_globals_that_are_replaced_are_noticed(monkeypatch):
    found = converted(of_globals, X)
    for scales in ((0.5, 3.0), (1.0, 2.0), (1, 2.0), (1.0, 2.0, 3.0), (1.0,), [1.0, 2.0], (0.5, 2.0)):
        monkeypatch.setitem(globals(), "SCALES", scales)
        same(of_globals, found, X)
    for limits in ((4, (1.5, "above", None), True), (3, (2.5, "below", 1), True), (3, 1.5)):
        monkeypatch.setitem(globals(), "LIMITS", limits)
        same(of_globals, found, X)


def test_defaults_that_change_are_noticed(monkeypatch):
    found = converted(helped, X)
    for defaults in ((4.0, 1), (4.0, 1.5), (2, 1), (0.5, 2.0, 1), (2.0, 3)):
        monkeypatch.setattr(helper, "__defaults__", defaults)
        same(helped, found, X)
    monkeypatch.setattr(helper, "__defaults__", None)
    same(helped, found, X)


def test_what_classes_hold_and_no_longer_hold_is_noticed(monkeypatch):
    found = converted(of_class, X)
    same(of_class, found, X)
    assert served(found) == 1
    for factor in (4.0, 5, 3.0):
        monkeypatch.setattr(Scale, "factor", factor)
        same(of_class, found, X)
    monkeypatch.setattr(Scale, "scaled", lambda self: self.x - 1)
    same(of_class, found, X)
    monkeypatch.undo()
    monkeypatch.delattr(Scale, "factor")
    same(of_class, found, X)


def test_nothing_is_kept_of_what_tuples_hold():
    found = converted(of_tuples, PAIR, X)
    pair = ((X + 5, X + 6), 2)
    gc.collect()
    before = [sys.getrefcount(thing) for thing in (pair, *pair, *pair[0], X)]
    for _ in range(1000):
        found(pair, X)
    assert [sys.getrefcount(thing) for thing in (pair, *pair, *pair[0], X)] == before
    assert served(found) >= 1000
