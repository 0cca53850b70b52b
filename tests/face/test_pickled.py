"""Converted functions in other processes: by name, and by their code as `cloudpickle` takes what is defined in a script."""

import multiprocessing
import pickle
import sys
import types
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any

import cloudpickle
import numpy as np
import pytest

from transpile import FallbackWarning, convert

X = np.arange(5.0)


@convert
def adds(x, n=3, *, times=1):
    """Adds up."""
    total = 0.0
    for i in range(n):
        total += x[i] * times
    return total


def scales(factor):
    @convert
    def scaled(x):
        return (x * factor).sum()

    return scaled


class Model:
    def __init__(self, factor):
        self.factor = factor

    @convert
    def scaled(self, x):
        return (x * self.factor).sum()


@convert
def counts(n):
    return 1 if n < 2 else n * counts(n - 1)


@convert
def parts(x):
    class Inside:
        pass

    total = 0.0
    for i in range(len(x)):
        total += x[i]
    return total, Inside.__name__


CASES: list[tuple[Callable[..., Any], Any]] = [
    (adds, X),
    (scales(3.0), X),
    (Model(2.0).scaled, X),
    (convert(lambda x: x.sum()), X),
    (counts, 5),
    (parts, X),
]


@pytest.mark.parametrize("called_before", [False, True])
@pytest.mark.parametrize("place", range(len(CASES)))
def test_what_is_pickled_by_its_code_does_the_same(place: int, called_before: bool) -> None:
    function, argument = CASES[place]
    module = sys.modules[__name__]
    cloudpickle.register_pickle_by_value(module)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        try:
            if called_before:
                function(argument)
            again = pickle.loads(cloudpickle.dumps(function))
        finally:
            cloudpickle.unregister_pickle_by_value(module)
        for _ in range(3):
            assert again(argument) == function(argument)


def test_what_was_pickled_by_its_code_is_a_converted_function() -> None:
    module = sys.modules[__name__]
    cloudpickle.register_pickle_by_value(module)
    try:
        again = pickle.loads(cloudpickle.dumps(adds))
    finally:
        cloudpickle.unregister_pickle_by_value(module)
    assert isinstance(again, types.FunctionType) and again is not adds
    assert again(X) == again(X, times=1) == 3.0
    assert again.__doc__ == "Adds up." and again.__wrapped__ is again.python_function is again.calls.function
    assert again.cache_info().misses == 1 and "compiled whole" in again.explain()
    assert pickle.loads(pickle.dumps(adds)) is adds


@pytest.mark.parametrize("how", multiprocessing.get_all_start_methods())
def test_processes_call_converted_functions(how: str) -> None:
    context = multiprocessing.get_context(how)
    with warnings.catch_warnings():
        # Some thread is always there.
        warnings.simplefilter("ignore", DeprecationWarning)
        with ProcessPoolExecutor(1, mp_context=context) as pool:
            assert list(pool.map(adds, [X, X + 1])) == [3.0, 6.0]
            assert pool.submit(Model(2.0).scaled, X).result(timeout=100) == 20.0


def test_threads_call_converted_functions() -> None:
    function = scales(2.0)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(function, [X, X + 1] * 50)) == [20.0, 30.0] * 50
