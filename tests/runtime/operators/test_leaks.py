"""What only stands for something of the program's while tracing is neither shown nor told apart from it."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from transpile import FallbackWarning, StagingError, convert

from ...end_to_end.comparison import call, compare


class Kept:
    def __init__(self, size):
        self.size = size

    def half(self):
        return self.size / 2


def items(x, n, kept, table):
    print(table.items(), {"n": n}.values())


def error(x, n, kept, table):
    print([ValueError(n)])


def getter(x, n, kept, table):
    print(operator.itemgetter(n))


def method_of_an_object(x, n, kept, table):
    print(str(kept.half)[:12] if n > 100 else kept.half is None, end=f"{n}")
    print([kept.half][1:], (kept.half,)[1:], type(kept.half).__name__)
    print(repr(kept.half)[:12])


def method_of_an_array(x, n, kept, table):
    shown = x.sum
    return (
        f"{shown!s:.30}",
        str(shown)[:30],
        f"{[shown]!r:.30}",
        "%.30s" % (shown,),  # noqa: UP031
        "{!s:.30}".format(shown),  # noqa: UP032
    )


def method_of_a_number(x, n, kept, table):
    return f"{n.bit_length!s:.20}", f"{x[0].item!r:.20}"


def manager(x, n, kept, table):
    return f"{np.errstate()!s:.20}"


def joined(x, n, kept, table):
    return f"{np.r_!s:.20}"


def class_of_a_method(x, n, kept, table):
    return type(x.sum), type(n.bit_length).__name__


def class_of_an_operator(x, n, kept, table):
    return type(x.__add__).__name__, type(n.__add__).__name__


def elements(x, n, kept, table):
    return x.flat == 3


def handed_on(x, n, kept, table):
    try:
        raise ValueError(n, table.items())
    except ValueError as problem:
        print(problem, x.sum())


FUNCTIONS: list[Callable[..., Any]] = [
    items, error, getter, method_of_an_object, method_of_an_array, method_of_a_number, manager, joined, class_of_a_method, class_of_an_operator,
    elements, handed_on,
]  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS)
def test_no_stand_in_is_shown(function: Callable[..., Any]) -> None:
    arguments = (np.arange(4.0), 5, Kept(np.ones(2)), {"k": 1})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        converted = convert(function, device="host")
        for _ in range(2):
            compare(call(function, arguments), call(converted, arguments))


@pytest.mark.parametrize("function", FUNCTIONS[:-1])
def test_it_is_said_that_one_would_be(function: Callable[..., Any]) -> None:
    with pytest.raises(StagingError) as raised:
        convert(function, strict=True, device="host")(np.arange(4.0), 5, Kept(np.ones(2)), {"k": 1})
    assert raised.value.code in {"S230-deferred", "S250-class", "S189-flat", "S204-decides"}
