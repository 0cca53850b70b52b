"""What `hasattr` and `getattr` say of values that run time gives is what they say of those of NumPy and Python, not of what stands for them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from transpile import FallbackWarning, convert

from ...end_to_end.comparison import call, compare

NAMES = (
    "__iter__", "__len__", "__getitem__", "__index__", "__float__", "__array__", "__array_interface__", "__call__", "__add__", "__matmul__", "shape", "dtype",
    "imag", "is_integer", "tolist", "append", "keys", "items", "start", "value", "type", "weak", "length", "kind", "read", "dims", "owner", "numbers",
)  # fmt: skip
THINGS: dict[str, Callable[[Any, Any], Any]] = {
    "int": lambda x, n: n,
    "float": lambda x, n: n + 0.5,
    "bool": lambda x, n: n > 2,
    "complex": lambda x, n: n * 1j,
    "float64": lambda x, n: x[0],
    "array": lambda x, n: x,
    "array without axes": lambda x, n: np.asarray(x[0]),
    "list": lambda x, n: [n, n + 1],
    "list that grew": lambda x, n: [i * 2 for i in range(n)],
    "tuple": lambda x, n: (n, x),
    "range": lambda x, n: range(n),
    "slice": lambda x, n: slice(n, None),
    "set": lambda x, n: {n, n + 1},
    "dict": lambda x, n: {n: 1},
    "zip": lambda x, n: zip(x, range(n), strict=False),
    "text": lambda x, n: f"{n}",
    "one of two numbers": lambda x, n: 1 if n > 2 else 1.5,
    "none or an array": lambda x, n: x if n > 2 else None,
    "flags": lambda x, n: x.flags,
}


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize("kind", THINGS)
def test_a_value_has_the_attributes_of_what_it_stands_for(kind: str) -> None:
    make = THINGS[kind]

    def asks(x, n):
        thing = make(x, n)
        return [hasattr(thing, name) for name in NAMES]

    converted, x = convert(asks, device="host"), np.arange(4.0)
    for n in (3, 2, 4):
        found = dict(zip(NAMES, converted(x, n), strict=True))
        assert found == dict(zip(NAMES, asks(x, n), strict=True))


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", ["int", "float64", "array", "list that grew", "range"])
def test_a_default_is_taken_where_a_value_lacks_an_attribute(kind: str, name: str) -> None:
    make = THINGS[kind]

    def asks(x, n):
        missing = [name]
        return getattr(make(x, n), name, missing) is missing

    assert convert(asks, device="host")(np.arange(4.0), 3) == asks(np.arange(4.0), 3)


def missing_of(thing):
    missing = []
    try:
        thing.size  # noqa: B018 (it is the attribute that is asked for)
    except AttributeError as error:
        missing.append(str(error))
    try:
        thing.value  # noqa: B018
    except AttributeError as error:
        missing.append(str(error))
    try:
        thing.read  # noqa: B018
    except AttributeError as error:
        missing.append(str(error))
    try:
        thing.length, thing.rows, thing.numbers  # noqa: B018
    except AttributeError as error:
        missing.append(str(error))
    try:
        thing.__iter__  # noqa: B018
    except AttributeError as error:
        missing.append(str(error))
    return missing


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize("kind", THINGS)
def test_a_value_lacks_what_only_its_stand_in_has(kind: str) -> None:
    make = THINGS[kind]

    def asks(x, n):
        return missing_of(make(x, n))

    converted, x = convert(asks, device="host"), np.arange(4.0)
    for n in (3, 2, 4):
        assert converted(x, n) == asks(x, n)


def length_of(things):
    try:
        return things.size
    except AttributeError:
        return len(things)


def test_what_handles_a_missing_attribute_is_compiled() -> None:
    def asks(x, n):
        return length_of([n, n + 1, n + 2]), length_of(x)

    assert convert(asks, device="host", strict=True)(np.arange(4.0), 3) == (3, 4)


def test_nothing_is_stored_into_a_stand_in() -> None:
    def stores(n):
        try:
            n.value = 3
        except AttributeError:
            return n + 1
        return n

    def sets(n):
        try:
            setattr(n, "value", 3)  # noqa: B010 (it is this that is tested)
        except AttributeError:
            return n + 1
        return n

    for function in (stores, sets):
        assert convert(function, device="host", strict=True)(5) == 6


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize("kind", THINGS)
def test_the_documentation_and_module_are_those_of_the_value(kind: str) -> None:
    make = THINGS[kind]

    def asks(x, n):
        thing = make(x, n)
        try:
            module = thing.__module__
        except AttributeError:
            module = "none"
        return thing.__doc__, getattr(thing, "__doc__"), module  # noqa: B009

    converted, x = convert(asks, device="host"), np.arange(4.0)
    for n in (3, 2, 4):
        assert converted(x, n) == asks(x, n)


ASKED = {
    "an int has no is_integer before Python 3.12": lambda x, n: n.is_integer(),
    "a float has no numerator": lambda x, n: (n + 0.5).numerator,
    "a complex number has no denominator": lambda x, n: (n * 1j).denominator,
    "an int has a numerator": lambda x, n: (n.numerator, n.denominator, (n > 2).numerator),
    "a float may be an integer": lambda x, n: ((n + 0.5).is_integer(), x[0].is_integer()),
    "text is a scalar": lambda x, n: (np.isscalar(f"{n}"), np.isscalar(n), np.isscalar(x)),
    "numbers of several types are scalars": lambda x, n: np.isscalar(1 if n > 2 else 1.5),
    "a scalar of NumPy's is transposed to itself": lambda x, n: np.transpose(x[1]),
    "a number is transposed to an array": lambda x, n: np.transpose(n),
}


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize("what", ASKED)
def test_what_is_asked_of_a_number_is_answered_as_python_and_numpy_do(what: str) -> None:
    arguments = (np.arange(4.0), 3)
    compare(call(ASKED[what], arguments), call(convert(ASKED[what], device="host"), arguments))


def test_what_is_no_sequence_becomes_one() -> None:
    def impulse(shape, place):
        out = np.zeros(shape)
        if not hasattr(place, "__iter__"):
            place = (place,) * len(shape)
        out[place] = getattr(place, "value", 1)
        return out

    converted: Any = convert(impulse, device="host", strict=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error", FallbackWarning)
        for place in (1, 2, (1, 2)):
            assert converted((3, 4), place).tolist() == impulse((3, 4), place).tolist()


def test_vars_of_what_has_no_dictionary() -> None:
    def asks(n: int) -> tuple[Any, ...]:
        found: list[Any] = []
        for thing in (range(n), [n], n, np.arange(n)):
            try:
                found.append(vars(thing))
            except TypeError as error:
                found.append(str(error))
        return tuple(found)

    assert convert(asks, device="host")(3) == asks(3)
