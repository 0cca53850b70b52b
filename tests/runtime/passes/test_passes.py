"""Passes: text in, text out."""

import inspect
import re
import textwrap

import pytest

from transpile.runtime.graph.text import print_graph
from transpile.runtime.graph.verify import verify
from transpile.runtime.ops.table import TABLE
from transpile.runtime.passes import (
    PIPELINE,
    fold_constants,
    hoist_invariants,
    know_numbers,
    know_sizes,
    merge_equal_ops,
    optimise,
    parsed,
    remove_dead_ops,
    simplify,
    store_over,
)
from transpile.runtime.positions import Position

HEADER = """graph f:
    n: int = shape(x, 0)
    m: int = shape(x, 1)
    x: float64[n, m] = array('x')
    i: int = scalar('i')
    k: int = scalar('k')
    a: float = scalar('a')
    b: float = scalar('b')
    s: float64 = scalar('s')
    c: complex = scalar('c')
    t: bool = scalar('t')
    q: bool_ = scalar('q')
"""


def graph_of(body):
    """The graph of ops and results, which stand after the arguments."""
    return parsed(HEADER + textwrap.indent(textwrap.dedent(body).strip("\n"), "    ") + "\n")


def body_of(graph):
    """The ops and results of a graph."""
    return textwrap.dedent(print_graph(graph).removeprefix(HEADER)).strip("\n")


def run(pass_, body):
    """What a pass makes of ops and results; the graph stays well formed."""
    graph = pass_(graph_of(body))
    verify(graph, TABLE)
    return body_of(graph)


def same(body):
    """Ops and results as they are printed."""
    return textwrap.dedent(body).strip("\n")


def examples(pass_):
    """The graphs before and after in the docstring of a pass's module."""
    text = inspect.getdoc(inspect.getmodule(pass_))
    found = re.search(r"Before:\n(.*)\nAfter:\n(.*?)\n\n", text + "\n\n", re.DOTALL)
    return [textwrap.dedent(part) + "\n" for part in found.groups()]


@pytest.mark.parametrize("pass_", sorted(set(PIPELINE), key=lambda f: f.__name__))
def test_docstring_shows_what_the_pass_does(pass_):
    before, after = examples(pass_)
    graph = pass_(parsed(before))
    if pass_ is simplify:
        graph = remove_dead_ops(graph)
        after = print_graph(remove_dead_ops(parsed(after)))
    verify(graph, TABLE)
    assert print_graph(graph) == after


def test_docstring_shows_what_becomes_of_numbers_that_are_known():
    before, after = examples(know_numbers)
    graph = parsed(before)
    known = know_numbers(graph, {graph.block.arguments[1]: 7})
    verify(graph, TABLE)
    assert (print_graph(graph), known) == (after, {graph.block.arguments[1]})


def test_only_what_is_divided_by_again_and_again_is_made_known():
    for ops in (
        "r: int = remainder(i, k)",
        "u: int = 0\nv: int = 1\nr: int = for j in range(u, i, v) with e = u:\n    w: int = add(e, k)\n    yield w",
    ):
        graph = graph_of(f"{ops}\nreturn r")
        argument = next(value for value in graph.block.arguments if value.name == "k")
        assert know_numbers(graph, {argument: 3}) == set()


# storing over what a loop carries


@pytest.mark.parametrize(
    ("before", "turn", "after"),
    [
        # Somebody else sees the array that the loop begins with, or it is the caller's.
        ("f: float64[n] = negative(x)", "t: float64[n] = add(x, a)", "return r, f"),
        ("f: float64[n] = view(x[:])", "t: float64[n] = add(x, a)", "return r"),
        # Other elements are read, or what was carried is wanted again.
        (
            "f: float64[n] = negative(x)",
            "v: float64[n] = view(a[::-1])\n    t: float64[n] = add(x, v)",
            "return r",
        ),
        (
            "f: float64[n] = negative(x)",
            "t: float64[n] = add(x, x)\n    b: float64[n] = add(a, a)",
            "return r",
        ),
    ],
)
def test_what_is_wanted_again_is_not_stored_over(before, turn, after):
    text = (
        "graph g:\n    n: int = shape(x, 0)\n    x: float64[n] = array('x')\n    u: int = 0\n    v9: int = 9\n    w: int = 1\n"
        f"    {before}\n    r: float64[n] = for i in range(u, v9, w) with a = f:\n"
        + "".join(f"        {line.strip()}\n" for line in turn.split("\n"))
        + f"        yield t\n    {after}\n"
    )
    assert print_graph(store_over(parsed(text))) == text


def test_sizes_of_one_stay():
    text = "graph g:\n    n: int = shape(x, 0)\n    x: float64[n] = array('x')\n    assume n == 1\n    return x\n"
    assert print_graph(know_sizes(parsed(text))) == text


# folding


@pytest.mark.parametrize(
    ("op", "folded"),
    [
        ("t2: float = add(t0, t1)", "0.30000000000000004"),
        ("t2: float = negative(t0)", "-0.1"),
        ("t2: bool = less(t0, t1)", "True"),
        ("t2: float64 = cast(t0)", "0.1"),
        ("t2: float = math(t0, function='sqrt')", "0.31622776601683794"),
    ],
)
def test_fold_computes_as_python_does(op, folded):
    type_ = op[4 : op.index(" =")]
    body = f"t0: float = 0.1\nt1: float = 0.2\n{op}\nreturn t2"
    assert run(fold_constants, body) == f"t0: float = 0.1\nt1: float = 0.2\nt2: {type_} = {folded}\nreturn t2"


@pytest.mark.parametrize(
    "body",
    [
        # Python raises, NumPy warns, 64 bits do not hold it.
        "t0: int = 1\nt1: int = 0\nt2: float = divide(t0, t1)\nreturn t2",
        "t0: float64 = 1.0\nt1: float64 = 0.0\nt2: float64 = divide(t0, t1)\nreturn t2",
        "t0: float64 = 1e+300\nt2: float64 = multiply(t0, t0)\nreturn t2",
        "t0: int64 = 9223372036854775807\nt2: int64 = add(t0, t0)\nreturn t2",
        "t0: int = 9223372036854775807\nt2: int = add(t0, t0)\nreturn t2",
        "t0: int = 7\nt1: int = 3\nt2: int = index(t0, t1, axis=0)\nreturn t2",
    ],
)
def test_fold_leaves_what_raises_warns_or_does_not_fit(body):
    assert run(fold_constants, body) == body


# laws


@pytest.mark.parametrize(
    ("ops", "result"),
    [
        ("u: int = 0\nr: int = add(i, u)", "i"),
        ("u: int = 1\nv: int = add(i, u)\nr: int = subtract(v, u)", "i"),
        ("r: int = subtract(i, i)", "0"),
        ("u: int = 1\nr: int = multiply(u, i)", "i"),
        ("u: float = -0.0\nr: float = add(a, u)", "a"),
        ("u: float = 0.0\nr: float = subtract(a, u)", "a"),
        ("u: float = 1.0\nr: float = multiply(a, u)", "a"),
        ("u: float64 = 1.0\nr: float64 = divide(s, u)", "s"),
        ("r: float64 = maximum(s, s)", "s"),
        ("v: float64 = cast(a)\nr: float = cast(v)", "a"),
        ("r: float = select(t, a, a)", "a"),
        ("u: bool = True\nv: bool = False\nr: bool = select(t, u, v)", "t"),
        ("u: int = 0\nv: int = 1\nw: int = select(t, u, v)\nr: bool = equal(w, u)", "t"),
        ("u: int = 0\nv: int = 1\nw: int = select(t, u, v)\nr: bool = not_equal(w, v)", "t"),
        ("u: bool = True\nr: bool = equal(t, u)", "t"),
        ("v: bool_ = logical_not(q)\nr: bool_ = logical_not(v)", "q"),
        ("y: float64[n, m] = fill(s)\nr: float64 = load(y[i, k])", "s"),
        (
            "y: float64[n, m] = empty()\nz: float64[n, m] = update(y[i, k], s)\nr: float64 = load(z[i, k])",
            "s",
        ),
        ("u: bool = True\nr: float = if u:\n    yield a\nelse:\n    yield b", "a"),
        ("r: float = if t:\n    yield a\nelse:\n    yield a", "a"),
        ("u: int = 0\nr: float = for j in range(k, k, i) with e = a:\n    yield b", "for"),
        ("u: int = 1\nr: float = for j in range(k, k, u) with e = a:\n    yield b", "a"),
    ],
)
def test_law(ops, result):
    found = run(lambda graph: remove_dead_ops(simplify(graph)), f"{ops}\nreturn r")
    if result == "0":
        assert found == "r: int = 0\nreturn r"
    elif result == "for":
        assert "for j in" in found
    else:
        assert found == f"return {result}"


@pytest.mark.parametrize("exponent, products", [(2, 1), (3, 2), (4, 0), (-1, 0)])
def test_small_powers_of_integers_are_products(exponent, products):
    for kind, base in (("int", "i"), ("float", "a")):
        found = run(simplify, f"u: {kind} = {exponent}\nr: {kind} = power({base}, u)\nreturn r")
        assert found.count("multiply") == (products if kind == "int" else 0)


@pytest.mark.parametrize(
    "ops",
    [
        "u: float = 0.0\nr: float = add(a, u)",
        "u: int = 0\nr: float64 = add(s, u)",
        "u: float = -0.0\nr: float = subtract(a, u)",
        "r: float = subtract(a, a)",
        "u: float = 0.0\nr: float = multiply(a, u)",
        "u: complex = complex(1.0, 0.0)\nr: complex = multiply(c, u)",
        "u: float = 1.0\nr: float64 = multiply(s, u)\nw: float32 = cast(s)\nv: float64 = cast(w)",
        "w: int = cast(a)\nr: float = cast(w)",
        "u: int = 0\nr: int = add(t, u)",
        "r: bool = equal(a, a)",
        "u: int = 1\nr: float = divide(i, u)",
    ],
)
def test_law_that_does_not_hold_to_the_bit_is_none(ops):
    first = ops.splitlines()[0].startswith("u: float = 1.0")
    found = run(simplify, f"{ops}\nreturn {'v' if first else 'r'}")
    assert found.count("cast") == ops.count("cast")
    if not first:
        assert found == f"{ops}\nreturn r"


def test_array_that_is_returned_does_not_become_the_argument():
    body = "u: float = 1.0\nr: float64[n, m] = multiply(x, u)\nreturn r"
    assert run(simplify, body) == body


def test_array_that_is_only_read_becomes_the_argument():
    body = "u: float = 1.0\ny: float64[n, m] = multiply(x, u)\nr: float64 = reduce(y, ufunc='add', axes=(0, 1))\nreturn r"
    assert run(simplify, body) == "u: float = 1.0\nr: float64 = reduce(x, ufunc='add', axes=(0, 1))\nreturn r"


def test_array_that_is_updated_keeps_its_copy():
    body = """
    u: float = 1.0
    y: float64[n, m] = multiply(x, u)
    z: float64[n, m] = update(y[i, k], s)
    r: float64 = reduce(z, ufunc='add', axes=(0, 1))
    return r
    """
    assert run(simplify, body) == same(body)


def test_view_of_view_reads_the_base():
    body = "u: float64[n - 1, m] = view(x[1:, :])\nv: float64[n - 2] = view(u[1:, k])\nr: float64 = reduce(v, ufunc='add', axes=(0,))\nreturn r"
    assert "v: float64[n - 2] = view(x[2:, k])" in run(simplify, body)


def test_view_of_view_is_left_where_the_base_is_written_in_between():
    body = """
    u: float64[n - 1, m] = view(x[1:, :])
    y: float64[n, m] = update(x[0, 0], s, input=x)
    v: float64[n - 2] = view(u[1:, k])
    r: float64 = reduce(v, ufunc='add', axes=(0,))
    return r
    write x = y
    """
    assert run(simplify, body) == same(body)


def test_branch_that_only_chooses_becomes_select():
    body = "r: float = if t:\n    u: float = 2.0\n    yield u\nelse:\n    yield a\nreturn r"
    assert run(simplify, body) == "u: float = 2.0\nr: float = select(t, u, a)\nreturn r"


def test_what_takes_no_instruction_does_not_keep_a_branch():
    ops = [f"u{k}: bool = {'less' if k % 2 else 'greater'}(a, b)" for k in range(4)]
    casts = [f"v{k}: bool_ = cast(u{k})" for k in range(4)]
    ways = "\n".join(f"    {op}" for op in ops + casts)
    body = f"o: bool_ = cast(t)\nr: bool_ = if t:\n{ways}\n    yield v3\nelse:\n    yield o\nreturn r"
    assert "select(t, v3, o)" in run(simplify, body)


@pytest.mark.parametrize(
    "op",
    [
        "v: int = add(i, i)",
        "v: float = divide(a, b)",
        "v: float64 = multiply(s, s)",
        "v: float64 = load(x[i, k])",
    ],
)
def test_branch_with_an_op_that_may_fail_or_warn_stays(op):
    type_ = op[3 : op.index(" =")]
    other = {"int": "i", "float": "a", "float64": "s"}[type_]
    body = f"r: {type_} = if t:\n    {op}\n    yield v\nelse:\n    yield {other}\nreturn r"
    assert run(simplify, body) == body


def test_branch_that_leaves_stays():
    body = "u: bool = True\nif u:\n    raise(exception=<build>)\n    unreachable\nelse:\n    yield\nreturn"
    assert run(simplify, body) == body


def test_check_that_never_fails_goes():
    body = "u: bool = False\nraise_if(u, exception=<build>)\ndeoptimise_if(u, reason='no')\nreturn"
    assert run(simplify, body) == "u: bool = False\nreturn"


def test_size_does_not_become_a_number():
    body = """
    u: int = 1
    w: int = subtract(i, i)
    size: int = if t:
        yield u
    else:
        yield u
    y: float64[size] = empty()
    return y
    """
    found = run(simplify, body)
    assert "y: float64[size] = empty()" in found


def test_carried_size_that_never_changes_is_captured_with_its_array():
    body = """
    u: int = 0
    v: int = 1
    z: float64[k] = fill(s)
    size_1: int, y_1: float64[size_1], e_1: float64 = for j in range(u, n, v) with size = k, y: float64[size] = z, e = s:
        w: float64 = load(y[j])
        yield size, y, w
    return e_1
    """
    assert run(simplify, body) == same("""
    u: int = 0
    v: int = 1
    z: float64[k] = fill(s)
    e_1: float64 = for j in range(u, n, v) with e = s:
        yield s
    return e_1
    """)


def test_flag_that_ends_a_loop_stays_carried():
    body = """
    u: int = 0
    v: int = 1
    done_1: bool = for j in range(u, n, v) with done = t until done:
        yield done
    return done_1
    """
    assert run(simplify, body) == same(body)


# merging


def test_equal_ops_of_outer_blocks_are_merged():
    body = "u: int = add(i, k)\nr: int = if t:\n    v: int = add(i, k)\n    yield v\nelse:\n    w: int = add(k, i)\n    yield w\nreturn r"
    assert (
        run(merge_equal_ops, body)
        == "u: int = add(i, k)\nr: int = if t:\n    yield u\nelse:\n    yield u\nreturn r"
    )


def test_equal_ops_of_sister_blocks_are_not_merged():
    body = "r: int = if t:\n    v: int = add(i, k)\n    yield v\nelse:\n    w: int = add(i, k)\n    yield w\nreturn r"
    assert run(merge_equal_ops, body) == body


@pytest.mark.parametrize(
    "ops",
    [
        "u: float = 0.0\nv: float = -0.0",
        "u: float = 1.0\nv: float64 = 1.0",
        "u: bool = True\nv: int = 1",
        "u: float64 = add(s, a)\nv: float64 = add(a, s)",
    ],
)
def test_ops_that_differ_in_bits_or_type_are_not_merged(ops):
    assert run(merge_equal_ops, f"{ops}\nreturn u, v") == f"{ops}\nreturn u, v"


def test_arrays_that_are_updated_or_returned_are_not_merged():
    body = """
    u: float64[n] = fill(s)
    v: float64[n] = fill(s)
    w: float64[n] = update(u[i], s)
    y: float64[n, m] = negative(x)
    z: float64[n, m] = negative(x)
    return w, y, z
    """
    assert run(merge_equal_ops, body) == same(body)


def test_arrays_that_a_loop_swaps_and_updates_are_not_merged():
    body = """
    u: int = 0
    v: int = 1
    y: float64[n] = fill(s)
    z: float64[n] = fill(s)
    y_1: float64[n], z_1: float64[n] = for j in range(u, k, v) with p = y, o = z:
        w: float64[n] = update(p[j], s)
        yield o, w
    r: float64 = load(y_1[i])
    return r
    """
    assert run(merge_equal_ops, body) == same(body)


def test_arrays_that_are_read_are_merged():
    body = """
    u: float64[m] = reduce(x, ufunc='maximum', axes=(0,))
    v: float64[m] = reduce(x, ufunc='maximum', axes=(0,))
    w: float64[m] = add(u, v)
    return w
    """
    assert run(merge_equal_ops, body) == same("""
    u: float64[m] = reduce(x, ufunc='maximum', axes=(0,))
    w: float64[m] = add(u, u)
    return w
    """)


def test_arrays_of_one_instruction_stay_two_but_what_is_computed_of_them_is_merged():
    body = """
    u: float64[n, m] = negative(x)
    v: float64[n, m] = negative(x)
    o: float64[n, m] = spacing(u)
    p: float64[n, m] = spacing(v)
    w: float64[n, m] = add(o, p)
    return w
    """
    assert run(lambda graph: remove_dead_ops(merge_equal_ops(graph)), body) == same("""
    u: float64[n, m] = negative(x)
    o: float64[n, m] = spacing(u)
    w: float64[n, m] = add(o, o)
    return w
    """)


def test_check_is_not_made_twice():
    body = """
    deoptimise_if(t, reason='one')
    raise_if(t, exception=<build>)
    p: int = index(i, n, axis=0)
    o: int = index(i, n, axis=1)
    return p, o
    """
    assert run(merge_equal_ops, body) == same("""
    deoptimise_if(t, reason='one')
    p: int = index(i, n, axis=0)
    return p, p
    """)


def test_check_of_a_branch_is_made_again_behind_it():
    body = "if q:\n    raise_if(t, exception=<build>)\n    yield\nelse:\n    yield\nraise_if(t, exception=<build_2>)\nreturn"
    assert run(merge_equal_ops, body) == body


@pytest.mark.parametrize(("line", "count"), [(3, 1), (4, 2)])
def test_op_that_may_warn_is_merged_with_one_of_its_line(line, count):
    graph = graph_of("u: float64 = divide(s, a)\nv: float64 = divide(s, a)\nreturn u, v")
    for op, place in zip(graph.block.ops, (3, line), strict=True):
        op.location = (Position("a.py", "f", place, place),)
    assert len(merge_equal_ops(graph).block.ops) == count


# hoisting

LOOP = """
u: int = {start}
v: int = 1
e_1: float64 = for j in range(u, {stop}, v) with e = s:
    {first}
    {second}
    w: float64 = add(e, y)
    yield w
return e_1
"""


def hoisted(first, second, start="0", stop="n"):
    """Whether the second op leaves the loop."""
    body = LOOP.format(start=start, stop=stop, first=first, second=second).replace("\n    \n", "\n")
    before, _, _ = run(hoist_invariants, body).partition("for j in")
    return second in before


def test_op_that_cannot_fail_leaves_a_loop_that_may_not_run():
    assert hoisted("", "y: float64 = cast(a)")


def test_op_that_may_warn_stays_in_a_loop_that_may_not_run():
    assert not hoisted("", "y: float64 = divide(s, a)")


def test_op_that_may_warn_leaves_a_loop_that_runs():
    assert hoisted("", "y: float64 = divide(s, a)", start="0", stop="v")


def test_op_that_may_warn_stays_behind_an_op_that_may_fail():
    assert not hoisted("raise_if(t, exception=<build>)", "y: float64 = divide(s, a)", stop="v")
    assert not hoisted("o: int = index(j, k, axis=0)", "y: float64 = divide(s, a)", stop="v")


def test_op_that_may_fail_leaves_a_loop_that_runs():
    body = """
    u: int = 0
    v: int = 1
    e_1: int = for j in range(u, v, v) with e = i:
        o: int = index(i, k, axis=0)
        w: int = add(e, o)
        yield w
    return e_1
    """
    assert run(hoist_invariants, body).index("index(i, k") < run(hoist_invariants, body).index("for j")


def test_array_leaves_a_loop_that_runs_but_not_if_it_broadcasts():
    wide = "y: float64[n, m] = add(x, x)\n    z: float64 = load(y[j, k])"
    narrow = "y: float64[n, m] = add(o, s)\n    z: float64 = load(y[j, k])"
    for op, expected in ((wide, True), (narrow, True)):
        body = f"u: int = 0\nv: int = 1\no: float64[n, m] = fill(s)\ne_1: float64 = for j in range(u, v, v) with e = s:\n    {op}\n    yield z\nreturn e_1"
        before, _, _ = run(hoist_invariants, body).partition("for j in")
        assert ("y: float64[n, m]" in before) is expected
    body = "u: int = 0\nv: int = 1\np: float64[m] = fill(s)\no: float64[n, 1] = fill(s)\ne_1: float64 = for j in range(u, v, v) with e = s:\n    y: float64[n, m] = add(o, p)\n    z: float64 = load(y[j, k])\n    yield z\nreturn e_1"
    assert run(hoist_invariants, body) == body


def test_array_that_is_updated_in_the_loop_stays():
    body = """
    u: int = 0
    v: int = 1
    e_1: float64 = for j in range(u, v, v) with e = s:
        y: float64[n, m] = negative(x)
        z: float64[n, m] = update(y[j, 0], s)
        w: float64 = reduce(z, ufunc='maximum', axes=(0, 1))
        yield w
    return e_1
    """
    assert run(hoist_invariants, body) == same(body)


def test_op_leaves_several_loops():
    body = """
    u: int = 0
    v: int = 1
    e_3: float64 = for j in range(u, n, v) with e = s:
        e_2: float64 = for l in range(u, m, v) with e_1 = e:
            y: float64 = cast(a)
            w: float64 = add(e_1, y)
            yield w
        yield e_2
    return e_3
    """
    found = run(hoist_invariants, body)
    assert found.index("cast(a)") < found.index("for j in")


def test_test_of_a_while_loop_is_reached_but_its_body_may_not_be():
    body = """
    e_1: float64 = while with e = s:
        o: float64 = divide(s, a)
        p: bool_ = less(e, o)
        test p else e
    do:
        y: float64 = multiply(s, a)
        w: float64 = add(e, y)
        yield w
    return e_1
    """
    found = run(hoist_invariants, body)
    assert found.index("divide") < found.index("while") < found.index("multiply")


# removing


def test_effects_stay():
    body = """
    stdout: token[stdout] = token()
    u: token[stdout] = host_call(stdout, s, function=<show>)
    p: int = index(i, n, axis=0)
    raise_if(t, exception=<build>)
    y: float64[n, m] = update(x[0, 0], s, input=x)
    while:
        test t
    do:
        yield
    return
    write x = y
    """
    assert run(remove_dead_ops, body) == same(body)


def test_branch_gives_only_what_is_used():
    body = "r: float, e: float = if t:\n    y: float = add(a, b)\n    yield y, a\nelse:\n    yield a, b\nreturn e"
    assert run(remove_dead_ops, body) == "e: float = if t:\n    yield a\nelse:\n    yield b\nreturn e"


def test_value_that_dims_are_over_stays():
    body = "u: int = add(i, k)\ny: float64[u] = empty()\nreturn y"
    assert run(remove_dead_ops, body) == body


def test_flag_that_ends_a_loop_moves_with_the_others():
    body = """
    u: int = 0
    v: int = 1
    e_1: float, done_1: bool = for j in range(u, n, v) with e = a, done = t until done:
        p: int = index(j, k, axis=0)
        w: bool = equal(p, u)
        yield b, w
    return
    """
    assert run(remove_dead_ops, body) == same("""
    u: int = 0
    v: int = 1
    done_1: bool = for j in range(u, n, v) with done = t until done:
        p: int = index(j, k, axis=0)
        w: bool = equal(p, u)
        yield w
    return
    """)


# the whole


def test_environment_asks_for_verification(monkeypatch):
    graph = graph_of("u: int = add(i, k)\nreturn u")
    graph.block.ops[0].result.type = graph.block.arguments[6].type
    optimise(graph)
    monkeypatch.setenv("TRANSPILE_VERIFY", "1")
    with pytest.raises(Exception, match="the type of a result: float is not int"):
        optimise(graph)


def test_positions_stay():
    graph = graph_of(
        "u: float = 2.0\nv: float = 3.0\nw: float = add(u, v)\nr: float = multiply(a, w)\nreturn r"
    )
    for number, op in enumerate(graph.block.ops):
        op.location = (Position("a.py", "f", number + 1),)
    assert [op.location[0].line for op in optimise(graph, check=True).block.ops] == [3, 4]
