"""What shows something that may be otherwise the next time is final; the rest is not."""

import textwrap

import pytest

from transpile.runtime.ops.journal import is_final
from transpile.runtime.passes import mark_final, parsed

HEADER = """
graph f:
    n: int = scalar('n')
    a: float = scalar('a')
    clock: token[clock] = token()
    out: token[out] = token()
    zero: int = 0
    one: int = 1
    now: float, t0: token[clock] = host_call(clock, function=<time>, noted=<time>, differs=True)
"""
SHOW = "function=<show>, noted=<noted>, shows=True"


def finals(body):
    """Whether each of the calls that show something is final."""
    graph = mark_final(
        parsed(HEADER.lstrip() + textwrap.indent(textwrap.dedent(body).strip("\n"), "    ") + "\n")
    )
    return [is_final(op) for op in graph.block.walk() if op.attributes.get("shows")]


def test_what_is_computed_of_a_clock_is_final_when_it_is_shown():
    found = finals(f"""
    t1: token[out] = host_call(out, a, {SHOW})
    b: float = add(now, a)
    t2: token[out] = host_call(t1, b, {SHOW})
    return
    """)
    assert found == [False, True]


@pytest.mark.parametrize("test, final", (("now", True), ("a", False)))
def test_what_is_shown_by_the_clock_is_final(test, final):
    found = finals(f"""
    late: bool = greater({test}, a)
    t1: token[out] = if late:
        t2: token[out] = host_call(out, a, {SHOW})
        yield t2
    else:
        yield out
    return
    """)
    assert found == [final]


@pytest.mark.parametrize("start, final", (("now", True), ("a", False)))
def test_what_a_loop_carries_is_followed(start, final):
    found = finals(f"""
    b: float, c: float, t1: token[out] = for i in range(zero, n, one) with b_1 = a, c_1 = {start}, t2 = out:
        t3: token[out] = host_call(t2, b_1, {SHOW})
        d: float = add(b_1, c_1)
        yield d, c_1, t3
    return
    """)
    assert found == [final]


def test_what_is_shown_while_there_is_time_is_final():
    found = finals(f"""
    t1: token[clock], t2: token[out] = while with t3 = t0, t4 = out:
        then: float, t5: token[clock] = host_call(t3, function=<time>, noted=<time>, differs=True)
        again: bool = less(then, a)
        test again else t5, t4
    do:
        t6: token[out] = host_call(t4, a, {SHOW})
        yield t5, t6
    return
    """)
    assert found == [True]


def test_everything_is_final_where_a_clock_decides_whether_something_is_raised():
    found = finals(f"""
    late: bool = greater(now, a)
    raise_if(late, exception=<late>)
    t1: token[out] = host_call(out, a, {SHOW})
    return
    """)
    assert found == [True]
