"""What is known of the numbers that loops carry."""

import numpy as np
import pytest

import transpile
from transpile.devices.loops.schedule import schedule
from transpile.devices.loops.sharing import all_bodies
from transpile.devices.loops.statement import CheckedLet, For, If, LeaveIf, While


def climbing(limit):
    marks = np.ones(limit, dtype=bool)
    i = 1
    while (i + 2) * (i + 2) < limit:
        i += 2
        if marks[i]:
            for j in range(i * i, limit, 2 * i):
                marks[j] = False
    return marks


def wavering(limit):
    marks = np.ones(limit, dtype=bool)
    i = 4
    while (i + 2) * (i + 2) < limit:
        i += 2 if marks[i] else -2
        for j in range(i, limit):
            marks[j] = not marks[j]
    return marks


def _checks(body):
    for statement in body:
        if isinstance(statement, CheckedLet):
            yield statement
        elif isinstance(statement, If):
            yield from _checks(statement.then)
            yield from _checks(statement.otherwise)
        elif isinstance(statement, While):
            yield from _checks(statement.head)
            yield from _checks(statement.body)
        elif isinstance(statement, For):
            yield from _checks(statement.body)


def _scheduled(function, *arguments):
    return schedule(transpile.convert(function, strict=True).graph(*arguments)).body


def _index_checks(function):
    return [check.expression.name for check in _checks(_scheduled(function, 100))].count("index")


def test_a_number_that_only_grows_is_at_least_what_it_was():
    # Neither the store through j, which starts at i * i, nor the read of marks[i], below the square, takes a check.
    assert _index_checks(climbing) == 0


def test_a_number_that_may_shrink_is_not():
    assert _index_checks(wavering) >= 2


def digests(data):
    low, mixed, packed = 1, 0, 0
    for byte in data:
        low = (low + int(byte)) % 65521
        mixed = ((mixed ^ int(byte)) * 16777619) & 0xFFFFFFFF
        packed = packed | (int(byte) << 3)
    return low, mixed, packed


def grows_by_products(data):
    total = 1
    for byte in data:
        total = total * int(byte)
    return total


def _integer_checks(function):
    return [check.expression.name for check in _checks(_scheduled(function, np.zeros(10, np.uint8)))]


def test_numbers_that_masks_and_divisors_bound_take_no_check():
    assert _integer_checks(digests) == []


def test_numbers_that_nothing_bounds_are_checked():
    assert _integer_checks(grows_by_products) == ["multiply"]


def test_numbers_at_the_edge_are_python_s():
    data = np.array([255, 1, 0, 200, 255] * 3, np.uint8)
    for function in (digests, grows_by_products):
        for device in ("host", "cpu"):
            assert transpile.convert(function, strict=True, device=device)(data) == function(data)
            assert transpile.convert(function, strict=True, device=device)(data | 1) == function(data | 1)


def powers(base, count):
    total = 0
    for start in range(base, base + count):
        product, factor, left = 1, start, 1000000005
        while left > 0:
            if left & 1:
                product = product * factor % 1000000007
            factor = factor * factor % 1000000007
            left >>= 1
        total = (total + product) % 1000000007
    return total


def test_numbers_that_stay_as_they_are_on_some_ways_are_bounded_by_the_others():
    # The sum is; the products are not, as the first factor may be any number.
    found = [check.expression.name for check in _checks(_scheduled(powers, 3, 5))]
    assert found.count("multiply") == 2 and found.count("add") <= 1
    for base in (3, -3, 2**31, 2**32, 2**62, -(2**62), 1000000007 - 2):
        assert transpile.convert(powers, strict=True)(base, 5) == powers(base, 5)


def kept(values, first):
    low, high = first, first
    for value in values:
        low = low if value < 0 else int(value)
        high = int(value) if value > 0 else high
    return low + 1, high - 1, low + low


def test_what_a_number_is_at_first_bounds_it_too():
    values = np.array([3, -4, 0, -1], np.int16)
    for given in (values, -values, values[:0], values[3:]):
        for first in (0, 2**63 - 1, -(2**63), 2**62, -(2**62) - 1):
            assert transpile.convert(kept, strict=True)(given, first) == kept(given, first)


def shifted(number, places):
    total = 0
    for k in range(places):
        total = total ^ ((number & 255) << (k % 70))
    return total


def test_shifts_that_may_leave_64_bits_are_checked():
    converted = transpile.convert(shifted, strict=True)
    for places in (3, 56, 57, 80):
        assert converted(255, places) == shifted(255, places)


def around(limit):
    ring = np.arange(limit)
    total = 0
    for i in range(limit):
        for step in range(-1, 2):
            total += ring[(i + step) % limit]
    return total


def test_what_goes_around_is_inside():
    assert _index_checks(around) == 0
    assert transpile.convert(around, strict=True)(9) == around(9)


def inserted(limit):
    values = np.arange(limit) * 7 % 13
    for i in range(1, len(values)):
        key = values[i]
        j = i - 1
        while j >= 0 and values[j] > key:
            values[j + 1] = values[j]
            j -= 1
        values[j + 1] = key
    return values


def bisected(limit):
    values = np.arange(limit)
    low, high = 0, len(values)
    while low < high:
        middle = (low + high) // 2
        if values[middle] < 31:
            low = middle + 1
        else:
            high = middle
    return low


def walked(limit):
    values = np.arange(limit)
    total = i = 0
    while i < len(values):
        total += values[i]
        i += 3
    return total


def guarded(limit):
    values = np.arange(limit)
    total = 0
    for i in range(limit):
        for j in (i - 2, i + 2, 3 * i):
            if 0 <= j < limit:
                total += values[j]
            if j < 0 or not j < limit:
                total -= 1
            else:
                total += values[j]
    return total


@pytest.mark.parametrize("function", [inserted, bisected, walked, guarded])
def test_what_tests_say_of_an_index_holds_behind_them(function):
    assert _index_checks(function) == 0
    for limit in (1, 2, 7, 40):
        assert np.array_equal(transpile.convert(function, strict=True)(limit), function(limit))


def below(limit):
    values = np.arange(limit)
    j = limit - 1
    while j >= 0:
        values[j] += 1
        j -= 2
    return values[j]


def beside(limit):
    values = np.arange(limit)
    total = 0
    for i in range(limit):
        j = i + 2
        if j < limit:
            total += 1
        if j <= limit or i > 3:
            total += values[j - limit]
    return total


def before_the_test(limit):
    values = np.arange(limit)
    i = total = 0
    while values[i] >= 0 and i < limit - 1:
        i += 2
        total += values[i - 1]
    return total


@pytest.mark.parametrize("function", [below, beside, before_the_test])
def test_what_no_test_says_of_an_index_is_checked(function):
    assert _index_checks(function) > 0
    converted = transpile.convert(function)
    for limit in (1, 2, 5, 6, 100):
        try:
            expected = function(limit)
        except IndexError as error:
            with pytest.raises(IndexError, match=str(error)):
                converted(limit)
        else:
            assert np.array_equal(converted(limit), expected)


def divided(x, n):
    total = 0
    for i in range(n):
        total += (i + 1) % n
        total += x % n
    return total


def test_what_is_divided_by_is_not_zero_where_a_loop_over_it_turns():
    graph = transpile.convert(divided, strict=True).graph(7, 5)
    assert not any(isinstance(statement, LeaveIf) for statement in _all(schedule(graph).body))
    for n in (-3, 0, 1, 6):
        assert transpile.convert(divided, strict=True)(7, n) == divided(7, n)


def _all(body):
    return [statement for inner in all_bodies(body) for statement in inner]
