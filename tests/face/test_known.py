"""Numbers of globals that others are divided by, or raised to, are known, until they change."""

import numpy as np
import pytest

import transpile
from transpile import direct
from transpile.compare import difference
from transpile.compare import run as outcome

M, EXPONENT, RADIUS, OTHER = 1000000007, 2, 2.0, 5


def powers(n, k):
    total = 0
    for i in range(n):
        total = (total * k + i // M) % M
    return total


def grown(x):
    return (x % M) ** EXPONENT


def inside(n):
    count = 0
    for i in range(n):
        if (i / n) ** RADIUS + RADIUS**2 > 4.25:
            count += 1
    return count


def counts(n):
    global OTHER
    total = 0
    for i in range(n):
        total += i % OTHER
    OTHER += 1
    return total


def plain(n):
    return n + M


@pytest.fixture(params=[200, 0], ids=["", "direct"])
def often(request, monkeypatch):
    monkeypatch.setattr(direct, "OFTEN", request.param)


def checked(function, converted, *arguments):
    assert not difference(outcome(function, arguments), outcome(converted, arguments))


X = np.arange(-20, 20)


@pytest.mark.parametrize("function, arguments", [(powers, (30, 7)), (grown, (X,))])
def test_a_number_that_changes_is_seen(function, arguments, often, monkeypatch):
    converted = transpile.convert(function)
    for number in (M, M, 7, 7, -7, 1, -1, 2**62, 0, 3, 7, 2.5, True, np.int64(9), np.int32(9)):
        monkeypatch.setitem(globals(), "M", number)
        for _ in range(3):
            checked(function, converted, *arguments)


def test_a_number_that_has_changed_is_an_input_from_then_on(monkeypatch):
    converted = transpile.convert(powers, strict=True)
    for number in range(3, 20):
        monkeypatch.setitem(globals(), "M", number)
        checked(powers, converted, 30, 7)
    assert len(converted.calls.entries) == 2


def test_a_float_that_changes_is_seen(often, monkeypatch):
    converted = transpile.convert(inside)
    for number in (2.0, 2.0, 0.5, float("nan"), float("nan"), 0.0, -0.0, 1e200, -2.0, 2, 2.0):
        monkeypatch.setitem(globals(), "RADIUS", number)
        for _ in range(2):
            checked(inside, converted, 50)


def test_a_number_that_the_function_itself_changes_is_seen(monkeypatch):
    monkeypatch.setitem(globals(), "OTHER", 5)
    converted = transpile.convert(counts)
    found = [converted(20) for _ in range(6)]
    monkeypatch.setitem(globals(), "OTHER", 5)
    assert found == [counts(20) for _ in range(6)]
    assert len(converted.calls.entries) <= 2


def test_numbers_are_known_where_that_spares_something():
    assert "1000000007" in transpile.convert(powers).kernels(30, 7)
    assert "1000000007" not in transpile.convert(plain).kernels(30)


def rest(n, m=1000000007, *, k=3):
    total = 0
    for i in range(n):
        total = (total * 31 + i**k) % m
    return total


def root(x, p=2.0):
    total = 0.0
    for i in range(len(x)):
        total += abs(x[i]) ** p
    return total ** (1 / p)


def test_a_default_that_is_not_given_is_known():
    assert "1000000007" in transpile.convert(rest).kernels(30)
    assert "1000000007" in transpile.convert(rest).kernels(30, k=4)
    assert "1000000007" not in transpile.convert(rest).kernels(30, 97)


@pytest.mark.parametrize("function, first", [(rest, 30), (root, X.astype(float))])
def test_arguments_that_are_given_in_the_place_of_defaults_are_heeded(function, first, often):
    converted = transpile.convert(function)
    for given in (
        (),
        (),
        (7,),
        (7,),
        (),
        (2.0,),
        (2.5,),
        (2.5,),
        (-7,),
        (True,),
        (np.int64(9),),
        (1000000007,),
        (0,),
        (),
    ):
        for _ in range(3):
            checked(function, converted, first, *given)


def test_defaults_that_are_given_now_and_then_take_two_traces():
    converted = transpile.convert(rest, strict=True)
    for m in range(3, 20):
        assert (converted(30), converted(30, m)) == (rest(30), rest(30, m))
    assert len(converted.calls.entries) == 2


def test_defaults_that_change_are_seen(often, monkeypatch):
    converted = transpile.convert(rest)
    for m, k in ((97, 2), (97, 2), (98, 2), (1, 0), (97, 3), (1000000007, 3)):
        monkeypatch.setattr(converted, "__defaults__", (m,))
        monkeypatch.setattr(converted, "__kwdefaults__", {"k": k})
        expected = rest(30, m, k=k)
        assert [converted(30) for _ in range(3)] == 3 * [expected]
