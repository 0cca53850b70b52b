"""The verifier refuses every graph that breaks a law, and says which."""

import numpy as np
import pytest

from transpile.runtime.graph.parse import parse_graph
from transpile.runtime.graph.types import FLOAT, INT
from transpile.runtime.graph.verify import InvalidGraph, verify
from transpile.runtime.ops.table import TABLE
from transpile.runtime.passes import parsed
from transpile.runtime.positions import Position
from transpile.runtime.views.view import View

HEADER = """graph f:
    n: int = shape(x, 0)
    x: float64[n] = array('x')
    z: float64[n] = array('z', writable=False)
    i: int = scalar('i')
    a: float = scalar('a')
    s: float64 = scalar('s')
    t: bool = scalar('t')
    stdout: token[stdout] = token()
"""


def graph_of(body):
    """The graph of ops and results, not verified."""
    return parse_graph(HEADER + "".join(f"    {line}\n" for line in body.strip("\n").splitlines()), View)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("if t:\n    u: float = add(a, a)\n    yield\nelse:\n    yield\nv: float = add(u, a)\nreturn", "u is used where it is not defined"),
        ("if t:\n    u: float = add(a, a)\n    yield\nelse:\n    yield\nreturn u", "u is yielded where it is not defined"),
        ("for j in range(i, i, i):\n    yield\nv: int = add(j, i)\nreturn", "j is used where it is not defined"),
        ("if t:\n    k: int = add(i, i)\n    yield\nelse:\n    yield\nv: float64[k] = empty()\nreturn", "k is used where it is not defined"),
        ("u: int = add(a, a)\nreturn", "the type of a result: int is not float"),
        ("u: float64[n + 1] = add(x, x)\nreturn", "the type of a result"),
        ("u: float = conjure(a)\nreturn", "there is no such op"),
        ("u: float64[n, n] = matmul(x, a)\nreturn", "no type can be told"),
        ("u: float64 = load(x[i], base_dims=(i,))\nreturn", "of other dims"),
        ("u: float64[a] = empty()\nreturn", "over a, which is no Python integer"),
        ("u: float64[n] = update(x[i], i, input=x)\nreturn\nwrite x = u", "of another dtype"),
        ("u: float64[n] = update(x[i], x, input=x)\nreturn\nwrite x = u", "more axes than the view"),
        ("u: float64[n] = update(z[i], s, input=z)\nreturn\nwrite z = u", "no array or cannot be written"),
        ("u: float64[n] = update(x[i], s, input=i)\nreturn", "no array or cannot be written"),
        ("u: float64[i] = empty()\nreturn\nwrite x = u", r"the contents of x at the end: f64\[i\] is not f64\[n\]"),
        ("if a:\n    yield\nelse:\n    yield\nreturn", "a is tested, which is no truth"),
        ("u: float = if t:\n    yield a\nelse:\n    yield s\nreturn u", "what a region yields for u: f64 is not float"),
        ("u: float = if t:\n    yield a\nelse:\n    yield\nreturn u", "does not yield as many values"),
        ("u: float = for j in range(i, i, i) with v = a:\n    yield s\nreturn u", "what a region yields for v: f64 is not float"),
        ("u: int = for j in range(i, i, i) with v = a:\n    yield v\nreturn u", "the result u: float is not int"),
        ("u: float = for j in range(i, i, i) with v: float = i:\n    yield v\nreturn u", "the first value of v: int is not float"),
        ("u: float = for j in range(i, i, a) with v = a:\n    yield v\nreturn u", "a limit is no Python integer"),
        ("u: float = for j in range(i, i, i) with v = a until v:\n    yield v\nreturn u", "v is tested, which is no truth"),
        ("u: float = while with v = a:\n    test t else s\ndo:\n    yield v\nreturn u", "what its test yields for v: f64 is not float"),
        ("u: float = while with v = a:\n    test t\ndo:\n    yield v\nreturn u", "its test does not yield as many values"),
        ("raise(a, exception=<build>)\nreturn", "control is said to go on after it"),
        (
            "u: token[stdout] = host_call(stdout, function=<show>)\nv: token[stdout] = host_call(stdout, function=<show>)\nreturn",
            "takes the token stdout, which is not the last one",
        ),
        (
            "u: token[stdout] = if t:\n    v: token[stdout] = host_call(stdout, function=<show>)\n    yield stdout\nelse:\n    yield stdout\nreturn",
            "yields the token stdout, which is not the last one",
        ),
        (
            "for j in range(i, i, i):\n    u: token[stdout] = host_call(stdout, function=<show>)\n    yield\n"
            "v: token[stdout] = host_call(u, function=<show>)\nreturn",
            "u is used where it is not defined",
        ),
    ],
)  # fmt: skip
def test_broken_graph_is_refused(body, message):
    with pytest.raises(InvalidGraph, match=message):
        verify(graph_of(body), TABLE)


def test_body_of_while_loop_sees_the_values_of_its_test():
    verify(
        graph_of(
            "while:\n    u: bool = equal(i, i)\n    test u\ndo:\n    if u:\n        yield\n    else:\n        yield\n    yield\nreturn"
        ),
        TABLE,
    )


def test_values_of_the_test_of_a_while_loop_end_with_it():
    with pytest.raises(InvalidGraph, match="u is used where it is not defined"):
        verify(
            graph_of(
                "while:\n    u: bool = equal(i, i)\n    test u\ndo:\n    yield\nv: bool = equal(u, t)\nreturn"
            ),
            TABLE,
        )


def test_assumed_equalities_hold_for_types():
    header = "graph f:\n    n: int = shape(x, 0)\n    m: int = shape(y, 0)\n    x: float64[n] = array('x')\n    y: float64[m] = array('y')\n"
    body = "    u: float64[n] = add(x, y)\n    return u\n"
    parsed(f"{header}    assume m == n\n{body}")
    with pytest.raises(InvalidGraph, match="the type of a result"):
        parsed(header + body)


def test_assumption_on_something_else_than_arguments_is_refused():
    graph = graph_of("u: int = add(i, i)\nreturn")
    graph.equalities.append((graph.block.ops[-1].result, 3))
    with pytest.raises(InvalidGraph, match="something else than an argument"):
        verify(graph, TABLE)


def test_value_defined_twice_is_refused():
    graph = graph_of("u: int = add(i, i)\nreturn")
    graph.block.ops.append(graph.block.ops[-1])
    with pytest.raises(InvalidGraph, match="u is defined twice"):
        verify(graph, TABLE)


def test_op_in_another_block_than_it_says_is_refused():
    graph = graph_of("if t:\n    u: int = add(i, i)\n    yield\nelse:\n    yield\nreturn")
    (inner,) = graph.block.ops[-1].regions[0].ops
    inner.block = graph.block
    with pytest.raises(InvalidGraph, match="does not know its block"):
        verify(graph, TABLE)


def test_view_of_another_rank_is_refused():
    graph = graph_of("u: float64 = load(x[i])\nreturn")
    graph.block.ops[-1].attributes["view"] = View.identity(())
    with pytest.raises(InvalidGraph, match="another rank"):
        verify(graph, TABLE)


@pytest.mark.parametrize(("number", "type_"), [(1, FLOAT), (1.0, INT), (True, INT), (np.float64(1), FLOAT)])
def test_constant_of_another_type_is_refused(number, type_):
    graph = graph_of("u: int = 0\nreturn")
    op = graph.block.ops[-1]
    op.attributes.update(value=number, type=type_)
    op.result.type = type_
    with pytest.raises(InvalidGraph, match="is no"):
        verify(graph, TABLE)


def test_message_says_where_the_op_comes_from():
    graph = graph_of("u: int = add(a, a)\nreturn")
    graph.block.ops[-1].location = (Position("model.py", "f", 12),)
    with pytest.raises(InvalidGraph, match=r"f: u = add\(a, a\), from model.py:12: "):
        verify(graph, TABLE)


def test_verifying_takes_time_in_proportion_to_the_graph():
    """Counts what is asked of the rules instead of the time: each op once."""
    asked = []

    class Counting(dict):
        def __getitem__(self, name):
            asked.append(name)
            return super().__getitem__(name)

    depth = 30
    body = "".join(f"{'    ' * k}if t:\n" for k in range(depth)) + "    " * depth + "u: int = add(i, i)\n"
    body += "".join(
        f"{'    ' * (k + 1)}yield\n{'    ' * k}else:\n{'    ' * (k + 1)}yield\n"
        for k in reversed(range(depth))
    )
    verify(graph_of(f"{body}return"), Counting(TABLE))
    assert asked == ["token", "add"]
