"""Objects that are handed in, whose classes say what their truth, equality, hash and text are."""

from __future__ import annotations

import array
import io
import re
import warnings
from collections import ChainMap
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from transpile import FallbackWarning, convert


class UserFloat(float):
    pass


class Plain:
    pass


class Special:
    def __init__(self, size=0):
        self.size = size

    def __len__(self):
        return self.size

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 7

    def __str__(self):
        return f"special {self.size}"


def truth(thing, x):
    return x.sum() if thing else 0.0


def equality(thing, x):
    return x.sum() if thing == 3 else 0.0


def inequality(thing, x):
    return x.sum() if thing != 3 else 0.0


def membership(thing, x):
    return x.sum() if thing in (1, 2) else 0.0


def key(thing, x):
    return {thing: x.sum()}[thing], len({thing, thing})


def text(thing, x):
    return x.sum(), str(thing).split(" at ")[0], f"{thing}".split(" at ")[0], repr(thing).split(" at ")[0]


def printed(thing, x):
    for i in range(2):
        print("a", thing, x[i], [thing])
    return x.sum()


def in_text(thing, x):
    return "%s %s" % (str(thing).split(" at ")[0], x[0])  # noqa: UP031


def raised(thing, x):
    try:
        if x[1] > 0:
            raise ValueError(thing)
    except ValueError as error:
        return error.args[0] is thing, x.sum()
    return x


def raised_out(thing, x):
    if x[1] > 0:
        raise ValueError(thing, x[1])
    return x


def asserted(thing, x):
    assert x[1] < 0, thing
    return x


@pytest.mark.parametrize("thing", [Plain(), Special(0), Special(2)], ids=["plain", "empty", "full"])
@pytest.mark.parametrize("function", [truth, equality, inequality, membership, key, text])
def test_special_methods_are_those_of_the_object(function: Any, thing: Any) -> None:
    x = np.arange(4.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        assert convert(function, device="host")(thing, x) == function(thing, x)


@pytest.mark.parametrize("thing", [Plain(), Special(2)], ids=["plain", "special"])
@pytest.mark.parametrize("function", [printed, in_text, raised, raised_out, asserted])
def test_what_leaves_the_function_is_the_object(
    function: Any, thing: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    x = np.arange(4.0)
    seen = []
    converted = convert(function, device="host")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        for each in (function, converted, converted):
            try:
                result = each(thing, x)
            except (ValueError, AssertionError) as error:
                result = type(error), error.args[0] is thing, len(error.args)
            seen.append((result, capsys.readouterr().out))
    assert seen[0] == seen[1] == seen[2]


class Named:
    """Holds names that its stand-in has, too."""

    def __init__(self, start, stop=0, step=0):
        self._outside = start
        self.thing, self.path = stop, step

    def _decides(self, number):
        return self._outside + number

    def restarted(self, x):
        self.__init__(x.sum(), 2, 3)
        return self.thing

    def held(self, x):
        return self._outside * x.sum() + self._decides(1) + self.thing

    def described(self, x):
        return self.__doc__, self.__module__, self.__class__.__doc__, x.sum()


@pytest.mark.parametrize("method", [Named.restarted, Named.held, Named.described])
def test_an_object_has_its_own_attributes_and_not_those_of_its_stand_in(method: Any) -> None:
    one, other, x = Named(1, 2, 3), Named(1, 2, 3), np.arange(3.0)
    assert convert(method, device="host", strict=True)(one, x) == method(other, x)
    assert vars(one) == vars(other)


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
def test_dir_names_what_an_object_has() -> None:
    def names(thing, x):
        return [name for name in dir(thing) if not name.startswith("__")], x.sum()

    thing, x = Named(1), np.arange(3.0)
    assert convert(names, device="host")(thing, x) == names(thing, x)


def step(state):
    for i in range(4):
        state.time = state.time + i
    state.x += state.time
    state.energy = (state.x**2).sum()
    return state


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_namespaces_keep_what_is_stored_in_them(device: str) -> None:
    converted = convert(step, strict=True, device=device)
    one, other = (SimpleNamespace(time=0.5, x=np.arange(3.0)) for _ in range(2))
    for _ in range(3):
        assert step(one) is one and converted(other) is other
        assert repr(one) == repr(other)


class Sequence:
    """One that can be counted and read, but not run through backwards."""

    def __len__(self):
        return 2

    def __getitem__(self, place):
        return (5, 6)[place]

    def __reversed__(self):
        return iter((1, 0))


class OneWay(Sequence):
    __reversed__ = None
    __getitem__ = None


def handled(thing, x):
    try:
        found = list(reversed(thing))
    except TypeError:
        return x.sum(), "not reversible"
    return x.sum(), found


def item(thing, x):
    try:
        found = thing[0]
    except TypeError:
        return x.sum(), "not subscriptable"
    return x.sum(), found


def joins(thing, x):
    try:
        found = "".join(thing)
    except TypeError:
        return x.sum(), "not joined"
    return x.sum(), found


def has(thing, x):
    return x.sum(), hasattr(thing, "__iter__"), hasattr(thing, "__lt__"), hasattr(thing, "__nothing__")


def gets(thing, x):
    return x.sum(), getattr(thing, "__iter__", None) is None


@pytest.mark.parametrize("make", [Sequence, OneWay, lambda: io.StringIO("a\nb"), lambda: ChainMap({1: 2})])
@pytest.mark.parametrize("function", [handled, item, joins, has, gets])
def test_what_a_class_has_and_has_not_is_what_the_object_has(function: Any, make: Any) -> None:
    x = np.arange(4.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        converted = convert(function, device="host")
        try:
            expected = function(make(), x)
        except Exception as error:
            with pytest.raises(type(error)):
                converted(make(), x)
            return
        assert converted(make(), x) == expected
        assert converted(make(), x) == expected


class Counted:
    """One that is told apart from others as any object is, and says so."""

    __hash__ = object.__hash__

    def __new__(cls):
        return super().__new__(cls)

    def __len__(self):
        return 3


def counted(thing, x):
    return x.sum() + len(thing)


def run_through(thing, x):
    return x.sum() + sum([item for item in thing])  # noqa: C416


def test_special_methods_of_python_are_followed_beside_those_of_every_object() -> None:
    x = np.arange(4.0)
    converted = convert(counted, strict=True, device="host")
    assert converted(Counted(), x) == counted(Counted(), x) == 9.0


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
@pytest.mark.parametrize("thing", [array.array("d", [1.0, 2.0]), UserFloat(2.0), np.ma.array([1.0])])
@pytest.mark.parametrize("function", [counted, run_through, item])
def test_special_methods_in_c_are_left_to_python_by_name(function: Any, thing: Any) -> None:
    x = np.arange(4.0)
    converted = convert(function, device="host")
    try:
        expected = function(thing, x)
    except TypeError as error:
        with pytest.raises(TypeError, match=re.escape(str(error))):
            converted(thing, x)
    else:
        assert converted(thing, x) == expected
    codes = ("S201-argument", "S204-decides", "S240-handled")
    assert all(error.code in codes for error in converted.calls.failures.values())
