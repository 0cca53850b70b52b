"""What is known of the numbers that loops carry."""

import numpy as np

import transpile
from transpile.devices.loops.schedule import schedule
from transpile.devices.loops.statement import CheckedLet, For, If, While


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


def _index_checks(function):
    graph = transpile.convert(function, strict=True).graph(100)
    return [check.expression.name for check in _checks(schedule(graph).body)].count("index")


def test_a_number_that_only_grows_is_at_least_what_it_was():
    # The store through j, which starts at i * i, takes no check; the read of marks[i] does.
    assert _index_checks(climbing) == 1


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
    graph = transpile.convert(function, strict=True).graph(np.zeros(10, np.uint8))
    return [check.expression.name for check in _checks(schedule(graph).body)]


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
