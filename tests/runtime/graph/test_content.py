"""The content of a graph tells all that it says, but for the objects that it hands on."""

from __future__ import annotations

import numpy as np
import pytest

import transpile
from transpile.runtime.graph.content import Content, Untold
from transpile.runtime.graph.ir import Block, Graph, Op
from transpile.runtime.graph.types import FLOAT


def content(function, *arguments, **options) -> str:
    graph = transpile.convert(function, strict=True, **options).graph(*arguments)
    return Content(graph).text


def of(value, name: str = "x") -> Content:
    block = Block()
    block.argument(FLOAT, name)
    op = Op("constant", (), (FLOAT,), {"value": value, "type": FLOAT})
    block.append(op)
    block.results = (op.result,)
    return Content(Graph("f", block))


X = np.linspace(0.0, 1.0, 5)


def loops(x, n):
    for k in range(n):
        x = x[1:] + 2.5 if k % 2 else x[:-1] * x[0]
    return x


def test_equal_graphs_have_one_content_and_speak_of_as_many_things() -> None:
    one, two = (Content(transpile.convert(loops, strict=True).graph(X, 3)) for _ in range(2))
    assert one.text == two.text and len(one.things) == len(two.things)
    assert [type(thing) for thing in one.things] == [type(thing) for thing in two.things]


def test_where_a_program_stands_is_no_part_of_it() -> None:
    one, two = (lambda x: np.sqrt(x) + x[1]), (lambda x: np.sqrt(x) + x[1])  # fmt: skip

    def three(x):
        return np.sqrt(x) + x[1]

    assert content(one, X) == content(two, X)
    assert content(three, X).split("\n")[1:] == content(one, X).split("\n")[1:]


def test_other_graphs_have_other_contents() -> None:
    found = [
        content(loops, X, 3),
        content(loops, X.astype(np.float32), 3),
        content(loops, X[::2], 3),
        content(loops, X, 3, accuracy="fast"),
        content(loops, X, 3, parallel=False),
        content(lambda x: x + 1, X),
        content(lambda x: x + 2, X),
        content(lambda x: x[1:], X),
        content(lambda x: x[2:], X),
        content(lambda x: x.sum(), X),
    ]
    assert len(set(found)) == len(found)


@pytest.mark.parametrize(
    "one, other",
    [
        (0.0, -0.0),
        (1.0, 1),
        (1, True),
        (1, np.int64(1)),
        (np.int32(1), np.int64(1)),
        (float("nan"), -float("nan")),
        ((1, 2), [1, 2]),
        ("1", 1),
        (np.zeros(3), np.zeros((3, 1))),
        (np.zeros(3), -np.zeros(3)),
        (int, float),
        (np.dtype("<f8"), np.dtype(">f8")),
    ],
)
def test_values_of_other_types_and_bits_are_told_apart(one: object, other: object) -> None:
    assert of(one).text != of(other).text
    assert of(one).text == of(one).text


def test_which_objects_are_one_is_told() -> None:
    def first() -> None: ...

    def second() -> None: ...

    second.__qualname__ = first.__qualname__
    assert of((first, first)).text != of((first, second)).text
    assert of((first, second)).text == of((second, first)).text
    assert first in of(first).things


def test_what_has_no_place_in_the_program_is_no_thing() -> None:
    assert () not in of(1.0).things


def test_what_may_hold_anything_is_not_told() -> None:
    class Thing: ...

    for thing in (Thing(), np.zeros(2, object), {1, 2}, iter([])):
        with pytest.raises(Untold):
            of(thing)
