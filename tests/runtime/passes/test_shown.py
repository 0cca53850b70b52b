"""Of ops whose errors show in what is computed last, that alone is looked at."""

import pytest

from transpile.runtime.ops.floating_errors import Reporter
from transpile.runtime.passes import optimise, parsed, watch
from transpile.runtime.passes.shown import Shown

HEAD = """graph f:
    n: int = shape(x, 0)
    x: float64[n] = array('x')
    y: float64 = 2.0
    zero: int = 0
    one: int = 1
    half: float64 = 0.5
    start: float64 = 1.0
"""
TOLD = frozenset(("dot", "add", "multiply", "divide", "power", "sqrt", "exp", "maximum", "subtract"))


def graph_of(*turn, then=(), carried="s = start"):
    lines = [
        f"t: float64 = for i in range(zero, n, one) with {carried}:",
        *(f"    {line}" for line in turn),
        *then,
    ]
    return parsed(HEAD + "".join(f"    {line}\n" for line in lines) + "    return t\n")


def runs_of(graph):
    shown = Shown(graph.block, lambda op: 11 * (op.name in TOLD), lambda op: True)
    return [
        ([op.name for op in run.ops], [number.name for number in run.numbers])
        for run in shown.runs(graph.block)
    ]


STEP = "a: float64 = load(x[i])", "b: float64 = multiply(a, a)"


def loop_numbers(*turn, then=()):
    """The numbers that tell of a loop, and of what comes after it."""
    found = runs_of(graph_of(*turn, then=then))
    return found[0][1] if found else None


def test_a_sum_tells_of_what_is_added():
    assert loop_numbers(*STEP, "c: float64 = add(s, b)", "yield c") == ["t"]
    assert loop_numbers(*STEP, "d: float64 = sqrt(b)", "c: float64 = subtract(s, d)", "yield c") == ["t"]


def test_what_is_computed_of_a_sum_tells_as_well():
    then = "u: float64 = divide(t, y)", "v: float64 = multiply(u, u)"
    assert loop_numbers(*STEP, "c: float64 = add(s, b)", "yield c", then=then) == ["v"]


def test_where_infinity_goes_no_further():
    then = "u: float64 = divide(y, t)", "v: float64 = maximum(t, y)"
    assert loop_numbers(*STEP, "c: float64 = add(s, b)", "yield c", then=then) == ["v", "u", "t"]


@pytest.mark.parametrize(
    "turn",
    [
        # The next turn begins anew.
        ("yield b",),
        ("c: float64 = maximum(s, b)", "yield c"),
        ("c: float64 = divide(b, s)", "yield c"),
        ("c: float64 = power(b, y)", "d: float64 = exp(c)", "e: float64 = add(s, d)", "yield e"),
    ],
)
def test_what_a_later_turn_may_hide_tells_nothing(turn):
    assert loop_numbers(*STEP, *turn) is None


def test_known_powers_pass_on_what_is_not_finite():
    assert loop_numbers(*STEP, "c: float64 = power(b, half)", "d: float64 = add(s, c)", "yield d") == ["t"]


def test_loops_in_loops_tell_of_what_is_inside():
    graph = graph_of(
        "u: float64 = for j in range(zero, i, one) with r = s:",
        "    a: float64 = load(x[j])",
        "    b: float64 = multiply(a, a)",
        "    c: float64 = add(r, b)",
        "    yield c",
        "yield u",
    )
    assert [numbers for _, numbers in runs_of(graph)] == [["t"]]


def test_what_went_wrong_is_looked_for_only_where_something_did():
    graph = graph_of(*STEP, "c: float64 = add(s, b)", "yield c")
    ops = [op for op in graph.block.walk() if op.name in TOLD]
    watch(graph, {op: Reporter(op.name, "f", 1, {}) for op in ops}, {}, 11, True)
    names = [op.name for op in optimise(graph, check=True).block.ops]
    assert names[-2:] == ["not_equal", "cond"]
    loop, branch = (op for op in graph.block.ops if op.regions)
    assert "float_errors" not in [op.name for op in loop.regions[0].ops]
    assert [op.name for op in branch.regions[0].walk()].count("heed") == 2


def test_what_is_computed_of_sums_is_looked_at_alone():
    graph = parsed(
        HEAD
        + """    s: float64 = dot(x, x)
    a: float64 = subtract(s, y)
    b: float64 = divide(a, y)
    return b
"""
    )
    assert runs_of(graph) == [
        (["constant", "constant", "constant", "constant", "constant", "dot", "subtract", "divide"], ["b"])
    ]
