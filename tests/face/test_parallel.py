"""Where it is asked for that loops run in the thread that calls."""

import pickle

import numpy as np

import transpile
from transpile import convert, hooked_calls


def scaled(x):
    return np.exp(x) * 2.0


X = np.ones(5)


def test_threads_are_used_unless_they_are_not_wanted() -> None:
    assert "spread" in convert(scaled, strict=True).kernels(X)
    assert "spread" not in convert(scaled, strict=True, parallel=False).kernels(X)


def test_it_belongs_to_what_is_made_of_the_calls() -> None:
    kind, arguments, *_ = convert(scaled, parallel=False).calls.__reduce__()
    assert kind(*arguments).parallel is False and pickle.dumps(arguments[1:])
    assert hooked_calls.HookedCalls(scaled, parallel=False).parallel is False


def test_an_option_holds_for_what_is_compiled_meanwhile() -> None:
    before = convert(scaled, strict=True)
    with transpile.options(parallel=False):
        assert "spread" not in before.kernels(X)
        with transpile.options(tiered=True):
            assert "spread" not in convert(scaled, strict=True).kernels(X)
        assert "spread" not in convert(scaled, strict=True, parallel=True).kernels(X)
    assert "spread" in convert(scaled, strict=True).kernels(X)
