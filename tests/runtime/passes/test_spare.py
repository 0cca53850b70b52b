"""Graphs are watched from the start where that spares copies of what they write."""

from transpile.runtime.ops.floating_errors import Reporter
from transpile.runtime.passes import parsed, watch

HEAD = "graph f:\n    n: int = shape(x, 0)\n    x: float64[n] = array('x')\n    y: float64[n] = array('y')\n"


def is_watched(*lines, reported=True, end="    return\n    write x = x1\n"):
    graph = parsed(HEAD + "".join(f"    {line}\n" for line in lines) + end)
    ops = [op for op in graph.block.walk() if op.name in ("add", "multiply", "power", "reduce", "exp", "dot")]
    watch(graph, {op: Reporter(op.name, "f", 1, {}) for op in ops if reported}, {}, 11, False)
    heeds = [op.attributes for op in graph.block.walk() if op.name == "heed"]
    assert not graph.watched or any(heed.get("sure") for heed in heeds)
    return graph.watched


UPDATE = "x1: float64[n] = update(x[:], b, input=x)"


def test_what_is_read_and_written_is_watched():
    assert is_watched("a: float64[n] = multiply(x, y)", "b: float64[n] = add(a, y)", UPDATE)


def test_what_is_written_only_is_not():
    assert not is_watched("a: float64[n] = multiply(y, y)", "b: float64[n] = add(a, y)", UPDATE)


def test_many_ops_cost_more_than_a_copy():
    lines = [f"a{i + 1}: float64[n] = multiply(a{i}, y)" for i in range(18)]
    end = "b: float64[n] = add(a18, y)", UPDATE
    assert not is_watched("a0: float64[n] = multiply(x, y)", *lines, *end)
    # What is reduced once is next to nothing.
    sums = [f"s{i}: float64 = reduce(x, ufunc='add', axes=(0,), dtype=float64)" for i in range(1)]
    few = [f"t{i + 1}: float64 = multiply(t{i}, t{i})" for i in range(6)]
    assert is_watched(
        *sums, "t0: float64 = multiply(s0, s0)", *few, "b: float64[n] = multiply(x, t6)", UPDATE
    )


def test_one_op_of_which_the_flags_tell_all_is_not():
    assert not is_watched("b: float64[n] = multiply(x, y)", UPDATE)


def test_where_numbers_do_not_tell_the_copy_is_kept():
    lines = "a: float64[n] = multiply(x, y)", "b: float64[n] = add(a, y)", UPDATE
    assert is_watched(*lines, "s: float64[n] = exp(x1)")
    assert not is_watched(*lines, "s: float64[n] = power(x1, y)")
    assert is_watched(*lines, "s: float64 = reduce(x1, ufunc='add', axes=(0,), dtype=float64)")
    assert not is_watched(*lines, "s: float64 = reduce(x1, ufunc='multiply', axes=(0,), dtype=float64)")
    assert is_watched(*lines, "s: float64 = reduce(b, ufunc='add', axes=(0,), dtype=float64)")
    assert is_watched(*lines, "s: float64 = dot(x1, y)")
    assert not is_watched(*lines, "s: float32 = reduce(b, ufunc='add', axes=(0,), dtype=float32)")
    assert not is_watched(*lines, reported=False)


def test_what_numbers_do_not_tell_before_the_first_write_is_told_before_it():
    assert is_watched(
        "s: float64 = reduce(x, ufunc='add', axes=(0,), dtype=float64)",
        "a: float64[n] = multiply(x, s)",
        "b: float64[n] = add(a, y)",
        UPDATE,
    )


def test_sums_of_loops_are_looked_at_when_they_are_there():
    loops = (
        "zero: int = 0",
        "one: int = 1",
        "x1: float64[n] = for i in range(zero, n, one) with r = x:",
        "    s: float64 = load(r[i])",
        "    t: float64 = for j in range(zero, i, one) with u = s:",
        "        a: float64 = load(r[j])",
        "        b: float64 = load(y[j])",
        "        c: float64 = multiply(a, b)",
        "        d: float64 = {last}(u, c)",
        "        yield d",
        "    r1: float64[n] = update(r[i], t, input=x)",
        "    yield r1",
    )
    assert is_watched(*(line.format(last="add") for line in loops))
    # The larger of two hides an infinity, and each number on the way would be looked at.
    assert not is_watched(*(line.format(last="maximum") for line in loops))


def test_products_for_each_number_that_is_written_cost_more_than_to_look_at_it():
    turn = (
        "zero: int = 0",
        "one: int = 1",
        "x1: float64[n] = for i in range(zero, n, one) with r = x:",
        "    a: float64 = load(r[i])",
        "    b: float64 = {product}",
        "    c: float64 = add(a, b)",
        "    r1: float64[n] = update(r[i], c, input=x)",
        "    yield r1",
    )
    assert is_watched(*(line.format(product="dot(r, y)") for line in turn))
    assert not is_watched(*(line.format(product="multiply(a, a)") for line in turn))
