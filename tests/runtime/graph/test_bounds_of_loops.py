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
