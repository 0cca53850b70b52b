"""The text form of graphs: each piece of notation, there and back."""

import numpy as np
import pytest

from transpile.devices.host.interpreter import Interpreter
from transpile.runtime.graph.parse import parse_graph
from transpile.runtime.graph.text import functions_in, print_graph
from transpile.runtime.graph.tokens import GraphSyntaxError
from transpile.runtime.passes import parsed
from transpile.runtime.positions import Position
from transpile.runtime.views.view import View

ARRAYS = """graph f:
    n: int = shape(a, 0)
    m: int = shape(a, 1)
    a: float64[n, m] = array('a')
    i: int = scalar('i')
    k: int = scalar('k')
"""


def round_trip(text):
    """The graph of a text, which must be printed as the same text."""
    graph = parsed(text)
    assert print_graph(graph) == text
    return graph


def constant(text, type_):
    """The constant of a type that is written as `text`."""
    graph = round_trip(f"graph f:\n    c: {type_} = {text}\n    return c\n")
    return graph.block.ops[0].attributes["value"]


# views


@pytest.mark.parametrize(
    ("subscript", "dims"),
    [
        ("[:, :]", "n, m"),
        ("[1:-1, :]", "n - 2, m"),
        ("[i, :]", "m"),
        ("[-1, k]", ""),
        ("[0, 2:]", "m - 2"),
        ("[:-2, 1:3]", "n - 2, 2"),
        ("[::-1, :]", "n, m"),
        ("[i:+k, :]", "k, m"),
        ("[:k, 0]", "k"),
        ("[:+k:2, 0]", "k"),
        ("[1:5:2, 0]", "2"),
        ("[-1:+2:-2, 0]", "2"),
        ("[:, None, :]", "n, 1, m"),
        ("[i, None*3, :]", "3, m"),
        ("[None*(k), :, 1]", "k, n"),
        ("[i, 1, None*(n + k)]", "n + k"),
    ],
)
def test_subscript_means_what_numpy_means(subscript, dims):
    graph = round_trip(f"{ARRAYS}    v: float64[{dims}] = view(a{subscript})\n    return v\n")
    a = np.arange(42.0).reshape(6, 7)
    (result,) = Interpreter(graph).run((a, 1, 2))
    names = {"a": a, "i": 1, "k": 2, "n": 6, "m": 7}
    plain = {"[i:+k, :]": "[1:3, :]", "[:+k:2, 0]": "[:4:2, 0]", "[-1:+2:-2, 0]": "[:-5:-2, 0]"}.get(
        subscript, subscript
    )
    for new in ("None*3", "None*(k)", "None*(n + k)"):
        plain = plain.replace(new, "None")
    expected = np.broadcast_to(eval(f"a{plain}", names), result.shape)
    assert np.array_equal(result, expected)


@pytest.mark.parametrize(
    ("subscript", "type_", "expected"),
    [
        ("[:, :].transpose(1, 0)", "float64[m, n, order=(1, 0)]", lambda a: a.T),
        ("[:, 2:].transpose(1, 0)", "float64[m - 2, n, order=(1, 0)]", lambda a: a[:, 2:].T),
        ("[:, :, None].transpose(1, 2, 0)", "float64[m, 1, n, order=(2, 1, 0)]", lambda a: a.T[:, None]),
    ],
)
def test_transposed_subscript(subscript, type_, expected):
    graph = round_trip(f"{ARRAYS}    v: {type_} = view(a{subscript})\n    return v\n")
    a = np.arange(42.0).reshape(6, 7)
    assert np.array_equal(Interpreter(graph).run((a, 1, 2))[0], expected(a))


@pytest.mark.parametrize(
    ("view", "text"),
    [
        (View.identity((6, 7)).diagonal(0, 1, 1, 6), "[$0, 1 + $0 for $0 < 6]"),
        (
            View((6, 7), (2, 3), ((0, ((0, 2), (1, 1))), (4, ((0, -1),)))),
            "[2*$0 + $1, 4 - $0 for $0 < 2, $1 < 3]",
        ),
        (View((6, 7), (6,), ((-1, ()), (0, ((0, 1),)))), "[(-1), :6]"),
        (View((6, 1), (6, 4), ((0, ((0, 1),)), (0, ()))), "[:, 0, None*4]"),
    ],
)
def test_view_that_is_no_plain_subscript(view, text):
    header = "graph f:\n    a: float64[{}, {}] = array('a')\n".format(*view.base_dims)
    type_ = f"float64[{', '.join(map(str, view.dims))}]"
    graph = parse_graph(f"{header}    v: {type_} = view(a{text})\n    return v\n", View)
    assert graph.block.ops[0].attributes["view"] == view
    assert f"view(a{text})" in print_graph(graph)


def test_view_of_other_dims_than_its_base_says_so():
    text = (
        "graph f:\n    n: int = shape(a, 0)\n    a: float64[n] = array('a')\n    m: int = shape(b, 0)\n    b: float64[m] = array('b')\n"
        "    assume m == n\n    v: float64[n - 1] = view(b[1:], base_dims=(n,))\n    return v\n"
    )
    round_trip(text)


# numbers and types


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("-3", "int"), ("9223372036854775807", "int"), ("True", "bool"), ("False", "bool_"), ("-0.0", "float"), ("0.1", "float"), ("inf", "float"),
        ("-inf", "float64"), ("nan", "float"), ("1e-320", "float64"), ("0.1", "float32"), ("1e+16", "float"), ("255", "uint8"),
        ("complex(-0.0, inf)", "complex"), ("complex(1.0, -2.5)", "complex64"), ("0.1", "float16"), ("bits('010000000000f87f')", "float64"),
    ],
)  # fmt: skip
def test_number_is_read_as_it_was_written(text, type_):
    value = constant(text, type_)
    again = constant(text, type_)
    assert type(value) is type(again)
    assert np.asarray(value).tobytes() == np.asarray(again).tobytes()


def test_bits_of_numbers_are_kept():
    for number in (-0.0, float("nan"), -float("nan"), 5e-324, 1 / 3, float("-inf")):
        graph = parsed("graph f:\n    c: float = 0.0\n    return c\n")
        graph.block.ops[0].attributes["value"] = number
        found = parsed(print_graph(graph)).block.ops[0].attributes["value"]
        assert np.float64(found).tobytes() == np.float64(number).tobytes()


def test_table_is_written_as_nested_lists():
    graph = round_trip(
        "graph f:\n    t: float32[2, 3] = table(array=[[0.1, nan, -0.0], [1.0, -inf, 1e-05]])\n    return t\n"
    )
    (table,) = Interpreter(graph).run(())
    assert table.dtype == np.float32
    assert np.array_equal(
        table, np.array([[0.1, np.nan, -0.0], [1, -np.inf, 1e-5]], np.float32), equal_nan=True
    )


@pytest.mark.parametrize(
    "type_", ["bool[n, m]", "complex64[n, m]", "float64[n, m, order=(1, 0)]", "'>f8'[n, m]"]
)
def test_array_type(type_):
    round_trip(
        f"graph f:\n    n: int = shape(a, 0)\n    m: int = shape(a, 1)\n    a: {type_} = array('a', contiguous=False)\n    return\n"
    )


def test_dims_are_polynomials():
    round_trip(
        f"{ARRAYS}    v: float64[2*n*m + n - k - 3] = empty()\n    w: int64[-n + m + 1] = iota()\n    return v, w\n"
    )


# ops and regions


def test_regions_round_trip():
    text = """graph f:
    x: float64[3] = array('x', writable=False)
    t: bool = scalar('t')
    assume -2 >= 0
    stdout: token[stdout] = token()
    zero: int = 0
    one: int = 1
    k_2: int, stdout_3: token[stdout] = while with k = zero, stdout_1 = stdout:
        more: bool = less(k, one)
        test more else k, stdout_1
    do:
        k_1: int = add(k, one)
        stdout_2: token[stdout] = if more:
            s: token[stdout] = host_call(stdout_1, x, function=<show>)
            yield s
        else:
            yield stdout_1
        yield k_1, stdout_2
    done_2: bool = for i in range(zero, one, one) with done = t until done:
        raise_if(done, i, exception=<build>)
        yield t
    if t:
        raise(k_2, exception=<build_2>)
        unreachable
    else:
        deoptimise_if(t, reason='it\\'s # no "comment"')
        yield
    return k_2, done_2
"""
    graph = round_trip(text)
    assert graph.inputs[0].writable is False
    assert graph.block.ops[-1].regions[1].ops[0].attributes["reason"] == 'it\'s # no "comment"'


def test_carried_array_of_a_carried_size():
    round_trip("""graph f:
    n: int = shape(x, 0)
    x: float64[n] = array('x')
    zero: int = 0
    size_2: int, y_2: float64[size_2] = for i in range(zero, n, n) with size = n, y: float64[size] = x:
        size_1: int = add(size, n)
        y_1: float64[n + size] = empty()
        yield size_1, y_1
    return size_2, y_2
""")


def test_words_of_the_notation_may_name_values():
    round_trip("""graph graph:
    write: int = scalar('write')
    assume: bool = scalar('assume')
    shape: int = add(write, write)
    test: bool = equal(shape, write)
    until_1: bool, do: int = while with until = test, order = write until until:
        unreachable: bool = equal(order, shape)
        test test else until, order
    do:
        nan: int = 3
        inf: int = add(nan, nan)
        yield unreachable, inf
    return do
""")


def test_functions_are_named_and_handed_back():
    def add_one(x):
        return ValueError(x)

    text = "graph f:\n    x: float = scalar('x')\n    t: bool = scalar('t')\n    raise_if(t, x, exception=<add_one>)\n    return x\n"
    graph = parsed(text, {"add_one": add_one})
    assert functions_in(graph) == {"add_one": add_one}
    with pytest.raises(ValueError, match="3"):
        Interpreter(graph).run((3.0, True))


def test_function_that_is_not_handed_over_raises_when_it_is_called():
    text = "graph f:\n    t: bool = scalar('t')\n    raise_if(t, exception=<build>)\n    return\n"
    graph = round_trip(text)
    assert Interpreter(graph).run((False,)) == ()
    with pytest.raises(NotImplementedError, match="build"):
        Interpreter(graph).run((True,))


def test_functions_of_one_name_are_told_apart():
    text = "graph f:\n    t: bool = scalar('t')\n    raise_if(t, exception=<a>)\n    raise_if(t, exception=<a_2>)\n    return\n"
    graph = parsed(text, {"a": lambda: None, "a_2": lambda: None})
    assert list(functions_in(graph)) == ["lambda", "lambda_2"]


def test_locations_are_comments():
    text = "graph f:\n    x: float = scalar('x')\n    y: float = add(x, x)\n    return y\n"
    graph = parsed(text)
    graph.block.ops[0].location = (Position("outer.py", "g", 3), Position("a.py", "f", 7, 4))
    shown = print_graph(graph, locations=True)
    assert "    y: float = add(x, x)  # a.py:7\n" in shown
    assert print_graph(parsed(shown)) == text


def test_values_without_names_or_with_one_name_get_names():
    graph = parsed(
        "graph f:\n    x: float = scalar('x')\n    y: float = add(x, x)\n    z: float = add(y, x)\n    return z\n"
    )
    for op in graph.block.ops:
        op.result.name = "a logical expression"
    text = print_graph(graph)
    assert "a_logical_expression_1: float = add(a_logical_expression, x)" in text
    assert print_graph(parsed(text)) == text


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("y: float = add(x, z)", "'z' is not defined"),
        ("y: float = add(x, x", "',' is expected"),
        ("x: float = add(x, x)", "'x' is defined already"),
        ("y: flot = add(x, x)", "'flot' is no type"),
        ("y: float = add(x, x) x", "is too much"),
        ("y: float64 = load(a[1])", "fewer indices"),
        ("y: float64 = load(a[1, 2, 3])", "more indices"),
        ("y: float64[2] = view(a[0:5:2, 0])", "not where its steps lead"),
        ("y: float = add(x; x)", "not understood"),
    ],
)
def test_error_names_the_line(line, message):
    text = (
        f"graph f:\n    x: float = scalar('x')\n    a: float64[4, 4] = array('a')\n    {line}\n    return x\n"
    )
    with pytest.raises(GraphSyntaxError, match=message) as caught:
        parse_graph(text, View)
    assert str(caught.value).startswith("line 4")
