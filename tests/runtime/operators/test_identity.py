"""`is` and `in` on what only run time knows, and copies of it."""

import copy
import warnings
from typing import Any

import numpy as np
import pytest

from transpile import StagingError, convert


def below_zero(x):
    negative = bool(x[0] < 0)
    if negative is False:
        return 1
    return 2


def truth_is(x):
    return (x > 1) is True, (x > 1) is np.True_, (x > 1) is not False, x is None


ZERO = 0


def is_zero(n):
    return n is ZERO


def one_of(n):
    return n in (1, 2, 5), n not in [3, 7]


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    "function, argument",
    [
        (below_zero, np.array([-1.0])),
        (below_zero, np.array([1.0])),
        *[(truth_is, x) for x in (0.5, 2, np.float64(3), np.float32(0))],
        *[(one_of, n) for n in (1, 5, 7, 2.0, 3.5)],
    ],
)
def test_identity_is_pythons(function: Any, argument: Any, device: str) -> None:
    result = convert(function, strict=True, device=device)(argument)
    assert repr(result) == repr(function(argument))


def test_identity_of_numbers_is_not_guessed() -> None:
    with pytest.raises(StagingError, match="S190-identity"):
        convert(is_zero, strict=True)(0)


def bound_methods(x, n):
    rng = np.random.default_rng(n)
    known = (rng.geometric, x.sum)
    return (
        rng.geometric in known,
        x.sum in known,
        rng.normal in known,
        x.sum == x.mean,
        rng.geometric is rng.geometric,
        len({x.sum, x.sum}),
    )


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_methods_of_one_thing_are_equal(device):
    x = np.arange(3.0)
    assert convert(bound_methods, strict=True, device=device)(x, 3) == bound_methods(x, 3)


def held(n):
    return n in {2: 1}, n in {2, 3}


@pytest.mark.parametrize("thing", [[0], {"a": 2.0}, (1, [2]), (1, 2), 2, 2.5])
def test_what_has_no_hash_is_in_no_set(thing):
    outcomes = []
    for function in (held, convert(held, device="host")):
        try:
            outcomes.append(function(thing))
        except TypeError as error:
            outcomes.append(str(error))
    assert outcomes[0] == outcomes[1]


def one_of_two_kinds_held_twice(x, limit):
    z = x * 1
    if x.sum() > limit:
        z = z.sum()
    held = [z, z]
    return held[0] is held[1], held[0] is z, z is held[1], held[0] is x


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize("limit", [1.0, 5.0])
def test_one_of_several_things_is_itself(limit):
    x = np.arange(3.0)
    converted = convert(one_of_two_kinds_held_twice, device="host")
    assert converted(x, limit) == converted(x, limit) == one_of_two_kinds_held_twice(x, limit)


def copied(x, limit):
    z = x
    if x.sum() > limit:
        z = None
    one, other = copy.copy(z), copy.deepcopy(z)
    if one is not None and other is not None:
        one[0], other[0] = 7, 8
    return one, other, z


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize("limit", [1.0, 5.0])
def test_what_is_perhaps_an_array_is_copied(limit):
    x = np.arange(3.0)
    converted = convert(copied, device="host")
    for _ in range(2):
        expected, found = copied(x, limit), converted(x, limit)
        assert [None if a is None else a.tolist() for a in found] == [
            None if a is None else a.tolist() for a in expected
        ]
        assert found[2] is expected[2] and x[0] == 0
    assert sum(entry.hits for entry in converted.calls.entries) == (2 if limit > 1 else 0)


class Thing:
    def __init__(self):
        self.name = str(id(self))


def named_by_identity(things, seen):
    for thing in things:
        seen[id(thing)] = thing.name
    return [id(thing) for thing in things], id(things), id(Thing)


def test_objects_are_known_by_their_own_identity() -> None:
    made, converted = convert(Thing.__init__), convert(named_by_identity)
    things = [Thing.__new__(Thing) for _ in range(3)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for thing in things:
            made(thing)
        assert [thing.name for thing in things] == [str(id(thing)) for thing in things]
        for given in (things, things[1:]):
            found, expected = {}, {}
            assert converted(given, found) == named_by_identity(given, expected)
            assert found == expected
