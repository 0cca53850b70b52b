"""Ops that NumPy may warn of are watched: all of them, or those that the flags do not tell of."""

import pytest

from transpile.runtime.errors import StagingError
from transpile.runtime.ops.floating_errors import OVERFLOW, Reporter
from transpile.runtime.passes import keep_errors, optimise, parsed, warns, watch

ALL = 11


def graph_of(*lines):
    head = (
        "graph f:",
        "    n: int = shape(x, 0)",
        "    x: float64[n] = array('x')",
        "    z: complex128[n] = array('z')",
    )
    return parsed("\n".join((*head, *(f"    {line}" for line in lines))) + "\n")


def names(graph):
    return [op.name for op in graph.block.walk()]


def watched(graph, every=False):
    """The names of ops whose errors are found by numbers."""
    watch(graph, {}, {}, ALL, every)
    return [op.attributes["of"] for op in graph.block.walk() if op.name == "float_errors"]


def test_every_op_is_watched_where_that_is_asked_for():
    graph = graph_of("a: float64[n] = sqrt(x)", "b: float64[n] = divide(a, x)", "return b")
    assert watched(graph, every=True) == ["sqrt", "divide"]
    assert names(graph)[-2:] == ["heed", "heed"]
    assert graph.watched


def test_flags_tell_of_what_is_computed_whole():
    graph = graph_of("a: float64[n] = sqrt(x)", "b: float64[n] = divide(a, x)", "return b")
    assert watched(graph) == []
    assert (graph.heeds, graph.watched) == (ALL, False)


def test_what_nobody_uses_and_what_is_used_in_part_is_watched():
    graph = graph_of(
        "a: float64[n] = sqrt(x)",
        "k: int = 0",
        "b: float64[n] = divide(x, x)",
        "c: float64 = load(b[k])",
        "return c",
    )
    assert watched(graph) == ["sqrt", "divide"]
    assert "sqrt" in names(optimise(graph))


def test_numbers_that_are_known_are_watched():
    graph = graph_of(
        "a: float64 = 1e308", "b: float64 = multiply(a, a)", "c: float64[n] = add(x, b)", "return c"
    )
    assert watched(graph) == ["multiply"]


def test_errors_that_do_not_show_are_told_of_by_the_flags_alone():
    graph = graph_of("a: complex128[n] = divide(z, z)", "return a")
    assert watched(graph) == []
    with pytest.raises(StagingError, match="S289"):
        watch(graph_of("a: complex128[n] = divide(z, z)", "return a"), {}, {}, ALL, True)


def test_nothing_is_watched_where_nothing_is_to_be_told():
    graph = graph_of("a: float64[n] = sqrt(x)", "return x")
    watch(graph, {}, {}, 0, True)
    assert (graph.heeds, names(graph)) == (0, ["sqrt"])


def test_what_computes_without_errors_warns_of_nothing():
    assert not warns(graph_of("a: float64[n] = absolute(x)", "return a"), {})
    assert warns(graph_of("a: float64[n] = sqrt(x)", "return a"), {})


def test_dead_ops_are_kept_where_numpy_itself_warns():
    graph = keep_errors(graph_of("a: float64[n] = sqrt(x)", "return x"), {})
    assert "sqrt" in names(optimise(graph))


def test_operators_of_integer_scalars_are_watched_and_ufuncs_are_not():
    for name, count in (("scalar multiply", 1), ("multiply", 0)):
        for told in (ALL, ALL & ~OVERFLOW):
            graph = graph_of("i: int = 0", "a: int64 = cast(i)", "b: int64 = multiply(a, a)", "return b")
            (op,) = (op for op in graph.block.walk() if op.name == "multiply")
            reporters = {op: Reporter(name, "file", 1, {})}
            assert warns(graph, reporters) == bool(count)
            watch(graph, reporters, {}, told, False)
            assert names(graph).count("heed") == (count if told == ALL else 0)
            # Nothing in it sets the processor's flags.
            assert graph.heeds == 0


def test_integers_that_wrap_around_are_told_of_where_they_are_made():
    """The processor's carry tells of one sum, until the next one."""
    graph = graph_of("a: int64 = 3", "b: int64 = add(a, a)", "c: int64 = add(b, a)", "return c")
    reporters = {op: Reporter("scalar add", "", 0, {}) for op in graph.block.walk() if op.name == "add"}
    watch(graph, reporters, {}, ALL, False)
    assert names(graph)[1:] == ["add", "float_errors", "heed", "add", "float_errors", "heed"]


def test_flags_tell_of_what_is_stored_for_several_places():
    graph = parsed(
        "graph f:\n    n: int = shape(x, 0)\n    x: float64[n + 1] = array('x')\n    a: float64[n + 1] = multiply(x, x)\n"
        "    b: float64[n] = view(a[:-1])\n    c: float64[n] = view(a[1:])\n    d: float64[n] = add(b, c)\n    return d\n"
    )
    assert watched(graph) == []


def test_an_array_without_axes_is_watched_as_its_element():
    graph = graph_of("k: int = 0", "a: float64[] = view(x[k])", "b: int64[] = cast(a)", "return b")
    watch(graph, {}, {}, ALL, True)
    (found,) = (op for op in graph.block.walk() if op.name == "float_errors")
    assert [str(operand.type) for operand in found.operands] == ["i64", "f64"]


def test_what_a_known_number_keeps_from_errors_is_not_watched():
    graph = graph_of(
        "half: float64 = 0.5",
        "huge: float64 = 1e300",
        "a: float64[n] = multiply(x, half)",
        "b: float64[n] = add(a, half)",
        "c: float64[n] = subtract(half, b)",
        "d: float64[n] = divide(c, huge)",
        "e: float64[n] = multiply(d, huge)",
        "f: float64[n] = divide(e, half)",
        "g: float64[n] = add(f, huge)",
        "return g",
    )
    assert watched(graph, every=True) == ["multiply", "divide", "add"]
    graph = graph_of("half: float64 = 0.5", "a: float64[n] = multiply(x, half)", "return a")
    assert (watched(graph), graph.heeds) == ([], 0)


def test_what_each_way_of_a_branch_asks_for_is_computed():
    lines = (
        "k: int = 0",
        "a: float64 = load(x[k])",
        "b: float64 = multiply(a, a)",
        "t: bool_ = less(a, a)",
        "c: float64 = if t:",
        "    d: float64 = {way}(b)",
        "    yield d",
        "else:",
        "    e: float64 = negative({other})",
        "    yield e",
        "return c",
    )
    assert watched(graph_of(*(line.format(way="absolute", other="b") for line in lines))) == []
    assert watched(graph_of(*(line.format(way="absolute", other="a") for line in lines))) == ["multiply"]


def test_what_only_a_loop_asks_for_that_may_not_turn_is_watched():
    graph = graph_of(
        "k: int = 0",
        "one: int = 1",
        "a: float64 = load(x[k])",
        "b: float64 = for i in range(k, n, one) with c = a:",
        "    d: float64 = multiply(c, a)",
        "    yield d",
        "y: float64[n] = for j in range(one, n, one) with v = x:",
        "    u: float64[n] = update(v[j], b)",
        "    yield u",
        "return y",
    )
    assert watched(graph) == ["multiply"]


@pytest.mark.parametrize(
    ("divisor", "found"), [(3, []), (-7, []), (0, ["floor_divide"]), (-1, ["floor_divide"])]
)
def test_integers_divided_by_a_known_number_that_is_not_0_or_minus_1_are_not_watched(divisor, found):
    graph = graph_of(
        "k: int64[n] = cast(x)",
        f"d: int64 = {divisor}",
        "q: int64[n] = floor_divide(k, d)",
        "return q",
    )
    assert [name for name in watched(graph) if name != "cast"] == found
