"""Functions with a cache, called in converted ones."""

import functools
import warnings

import numpy as np
import pytest

import transpile
from transpile.runtime.errors import FallbackWarning, StagingError

LEVEL = "c"
NOTED = []


@functools.lru_cache(100)
def is_numpy(module):
    return module.__name__ in {"numpy", "numpy.linalg"}


@functools.cache
def level(name):
    return len(name + LEVEL)


@functools.cache
def module():
    return np


@functools.cache
def noting(x):
    NOTED.append(x)
    return 1


@functools.cache
def doubled(n):
    return n * 2


@functools.cache
def listed(x):
    return [x]


def asks(x):
    return x * 2 if is_numpy(np) and not is_numpy(warnings) else x


def adds(x):
    return x + level("ab")


def calls(x):
    return module().sqrt(x), module() is np


def notes(x):
    return x + noting(3)


def lists(x):
    kept = listed(3)
    kept.append(4)
    return x + len(kept)


def hands(x, n):
    return x + doubled(n)


@pytest.mark.parametrize("function", [asks, adds, calls])
def test_what_is_known_compiles(function):
    x = np.arange(3.0)
    converted = transpile.convert(function, strict=True, device="host")
    assert repr(converted(x)) == repr(function(x)) == repr(converted(x))


def test_what_a_cache_keeps_is_given_where_it_would_be_something_else_now(monkeypatch):
    x = np.arange(3.0)
    converted = transpile.convert(adds, device="host")
    level.cache_clear()
    before = adds(x)
    assert repr(converted(x)) == repr(before)
    monkeypatch.setattr("tests.runtime.operators.test_cached.LEVEL", "cdefg")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        assert repr(converted(x)) == repr(adds(x)) == repr(before)
    level.cache_clear()
    assert repr(converted(x)) == repr(x + 7)


@pytest.mark.parametrize(("function", "given"), [(notes, ()), (lists, ()), (hands, (3,))])
def test_what_does_more_than_to_find_out_is_left_to_python(function, given):
    x = np.arange(3.0)
    with pytest.raises(StagingError, match=r"S139|S142|S160"):
        transpile.convert(function, strict=True, device="host")(x, *given)
    converted = transpile.convert(function, device="host")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        expected = [function(x, *given) for _ in range(2)]
        NOTED.clear()
        noting.cache_clear()
        listed.cache_clear()
        assert repr([converted(x, *given) for _ in range(2)]) == repr(
            expected if function is not lists else [x + 2, x + 3]
        )
    assert len(NOTED) == (function is notes)
