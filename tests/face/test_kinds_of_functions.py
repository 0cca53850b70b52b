"""What can be handed to `convert`, and what others do with what it returns."""

from __future__ import annotations

import abc
import bdb
import contextlib
import copy
import functools
import inspect
import io
import pdb
import pickle
import sys
import types
import typing
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from transpile import convert

X = np.arange(4.0)


@convert
def added(x: np.ndarray, /, k: float = 2.0, *rest: int, s: int = 1, **named: str) -> np.ndarray:
    """Adds up."""
    total = 0.0
    for i in range(len(x)):
        total += x[i] * k * s
    return total


class Scaled:
    k = 2.0

    def __init__(self, x):
        self.x = x

    @convert
    def method(self, y):
        return self.x * self.k + y

    @convert
    @classmethod
    def outer_class(cls, x):
        return x * cls.k

    @classmethod
    @convert
    def inner_class(cls, x):
        return x * cls.k

    @convert
    @staticmethod
    def outer_static(x):
        return x * 3

    @staticmethod
    @convert
    def inner_static(x):
        return x * 3

    @convert
    @property
    def outer_property(self):
        """A property."""
        return self.x * self.k

    @property
    @convert
    def inner_property(self):
        return self.x * self.k

    @inner_property.setter
    @convert
    def inner_property(self, value):
        self.x = value

    @convert
    @functools.cached_property
    def outer_cached(self):
        return self.x * self.k

    @functools.cached_property
    @convert
    def inner_cached(self):
        return self.x * self.k

    @abc.abstractmethod
    @convert
    def abstract(self):
        return 1


class More(Scaled):
    @convert
    def method(self, y):
        return super().method(y) + 1


class Called:
    def __init__(self, k):
        self.k = k

    def __call__(self, x):
        return x * self.k


@pytest.mark.parametrize(
    "get",
    [
        lambda: Scaled(X).method(1.0) - X,
        lambda: More(X).method(1.0) - X - 1,
        lambda: Scaled.outer_class(X) - X + 1,
        lambda: Scaled.inner_class(X) - X + 1,
        lambda: Scaled(X).outer_static(X) - X * 2 + 1,
        lambda: Scaled.inner_static(X) - X * 2 + 1,
        lambda: Scaled(X).outer_property - X + 1,
        lambda: Scaled(X).inner_property - X + 1,
        lambda: Scaled(X).outer_cached - X + 1,
        lambda: Scaled(X).inner_cached - X + 1,
        lambda: convert(Scaled(X).method)(1.0) - X,
        lambda: convert(functools.partial(Scaled.method, Scaled(X), y=1.0))() - X,
        lambda: functools.partial(added, X, s=0)(1.0) + X + 1,
        lambda: convert(Called(2.0))(X) - X + 1,
        lambda: convert(lambda x: x + 1)(X),
        lambda: convert(convert(lambda x: x + 1))(X),
    ],
)
def test_all_kinds_of_functions_can_be_converted(get: Callable[[], Any]) -> None:
    assert get().tolist() == (X + 1).tolist()


def test_properties_keep_their_setters_and_text() -> None:
    scaled = Scaled(X)
    scaled.inner_property = X + 1
    assert scaled.x.tolist() == (X + 1).tolist()
    assert Scaled.outer_property.__doc__ == "A property."
    assert getattr(Scaled.abstract, "__isabstractmethod__", False)
    cached = Scaled(X)
    assert cached.outer_cached is cached.outer_cached


def test_methods_of_a_class_are_converted_in_place() -> None:
    @convert
    class Model:
        def __init__(self, x):
            self.x = x

        def total(self):
            return self.x.sum()

        @staticmethod
        def twice(x):
            return x * 2

        @property
        def first(self):
            return self.x[0]

    assert isinstance(Model, type)
    assert (
        Model(X).total() == X.sum() and Model(X).first == 0.0 and Model.twice(X).tolist() == (X * 2).tolist()
    )
    assert hasattr(Model.total, "explain") and hasattr(Model.twice, "explain")
    assert not hasattr(Model.__init__, "explain")


def test_converted_function_says_of_itself_what_the_original_says() -> None:
    original = added.python_function
    for name in (
        "__name__",
        "__qualname__",
        "__module__",
        "__doc__",
        "__annotations__",
        "__defaults__",
        "__kwdefaults__",
    ):
        assert getattr(added, name) == getattr(original, name)
    assert inspect.signature(added) == inspect.signature(original)
    assert typing.get_type_hints(added) == typing.get_type_hints(original)
    assert inspect.getsource(added) == inspect.getsource(original)
    assert inspect.getdoc(added) == "Adds up." and inspect.isfunction(added)
    assert added.__globals__ is original.__globals__


def test_converted_function_is_copied_pickled_and_referred_to_as_the_original_is() -> None:
    assert pickle.loads(pickle.dumps(added)) is added
    assert copy.copy(added) is added and copy.deepcopy([added])[0] is added
    assert weakref.ref(added)() is added and len({added, added}) == 1
    assert pickle.loads(pickle.dumps(Scaled(X).method))(1.0).tolist() == (X * 2 + 1).tolist()


def test_converted_function_can_be_wrapped() -> None:
    @functools.wraps(added)
    def wrapper(*args):
        return added(*args) + 1

    assert wrapper(X) == added(X) + 1 and wrapper.__name__ == "added"
    assert functools.lru_cache(convert(lambda n: n * 2))(3) == 6
    assert functools.reduce(convert(lambda a, b: a + b), [X, X]).tolist() == (X * 2).tolist()


def lines_of(function: Callable[..., Any], *arguments: Any) -> list[tuple[str, str, int]]:
    """The lines that a debugger or a measure of coverage sees run in this file."""
    seen = []

    def follow(frame: types.FrameType, event: str, argument: Any) -> Any:
        if frame.f_code.co_filename == __file__ and frame.f_code.co_name != "lines_of":
            seen.append((frame.f_code.co_name, event, frame.f_lineno))
        return follow

    before = sys.gettrace()
    sys.settrace(follow)
    try:
        function(*arguments)
    finally:
        sys.settrace(before)
    return seen


@pytest.mark.parametrize("calls_before", [0, 2])
def test_what_follows_lines_sees_those_of_the_original(calls_before: int) -> None:
    function = convert(added)
    for _ in range(calls_before):
        function(X)
    seen = lines_of(function, X)
    assert seen == lines_of(added.python_function, X) and len(seen) > 2 * len(X)


@pytest.mark.parametrize("calls_before", [0, 2])
def test_breakpoints_stop_in_converted_functions(calls_before: int) -> None:
    function = convert(added)
    for _ in range(calls_before):
        function(X)
    line = added.python_function.__code__.co_firstlineno + 5
    texts = []
    for each in (function, added.python_function):
        output = io.StringIO()
        commands = io.StringIO("c\np total, i\nc\np total, i\n")
        debugger = pdb.Pdb(stdin=commands, stdout=output, nosigint=True, readrc=False)
        debugger.set_break(__file__, line)
        with contextlib.suppress(bdb.BdbQuit):
            debugger.runcall(each, X)
        debugger.clear_all_breaks()
        texts.append([line for line in output.getvalue().splitlines() if line.startswith("(Pdb) (")])
    assert len(texts[1]) == 2 and texts[0] == texts[1]
