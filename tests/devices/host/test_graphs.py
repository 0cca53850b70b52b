"""Graphs that the tracer does not write, but that are well formed: what an update must leave alone in them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from transpile.devices.host.interpreter import Interpreter
from transpile.runtime.graph.verify import verify
from transpile.runtime.ops.table import TABLE
from transpile.runtime.passes import parsed

from .conftest import outcomes

HEAD = """graph f:
    n: int = shape(x, 0)
    x: float64[n] = array('x')
    t: bool = scalar('t')
    zero: int = 0
    one: int = 1
    nine: float64 = 9.0
    a: float64[n] = add(x, x)
"""
BODIES = {
    "a view of what is read later": """
    v: float64[n] = view(a[:])
    b: float64[n] = update(v[0], nine)
    return a, b
""",
    "a view of what is not read any more": """
    v: float64[n] = view(a[:])
    b: float64[n] = update(v[0], nine)
    return b
""",
    "a view that is read later": """
    v: float64[n] = view(a[:])
    b: float64[n] = update(a[0], nine)
    return v, b
""",
    "other dims of what is read later": """
    v: float64[n] = reshape(a)
    b: float64[n] = update(v[0], nine)
    c: float64[n] = update(a[1], nine)
    return b, c
""",
    "the argument": """
    b: float64[n] = update(x[0], nine)
    c: float64[n] = update(b[1], nine)
    return x, b, c
""",
    "the argument, seen by the caller": """
    b: float64[n] = update(x[0], nine, input=x)
    c: float64[n] = update(b[1], nine, input=x)
    d: float64[n] = update(c[2], nine)
    return a, d
    write x = c
""",
    "the base as the value": """
    b: float64[n] = update(a[:], a)
    c: float64[n] = update(b[::-1], b)
    return c
""",
    "two updates of one array": """
    b: float64[n] = update(a[0], nine)
    c: float64[n] = update(a[1], nine)
    return b, c
""",
    "an update that nothing reads": """
    b: float64[n] = update(a[0], nine)
    return a
""",
    "one way of a branch": """
    c: float64[n] = if t:
        b: float64[n] = update(a[0], nine)
        yield b
    else:
        yield a
    d: float64[n] = update(c[1], nine)
    return d
""",
    "one way of a branch, with the old array read after it": """
    c: float64[n] = if t:
        b: float64[n] = update(a[0], nine)
        yield b
    else:
        yield a
    return a, c
""",
    "a branch that yields an array twice": """
    c: float64[n], d: float64[n] = if t:
        yield a, a
    else:
        b: float64[n] = update(a[0], nine)
        yield b, b
    e: float64[n] = update(c[1], nine)
    return d, e
""",
    "a view that only one way reads": """
    v: float64[n] = view(a[:])
    c: float64[n] = if t:
        b: float64[n] = update(a[0], nine)
        yield b
    else:
        d: float64[n] = add(v, a)
        yield d
    return c
""",
    "an array from outside on every turn": """
    c: float64[n] = for i in range(zero, n, one) with s = x:
        b: float64[n] = update(a[i], nine)
        r: float64[n] = add(s, b)
        yield r
    return c
""",
    "a loop that starts with one array twice": """
    c: float64[n], d: float64[n] = for i in range(zero, n, one) with s = a, r = a:
        b: float64[n] = update(s[i], nine)
        yield b, r
    return c, d
""",
    "a loop that yields an array twice": """
    c: float64[n], d: float64[n] = for i in range(zero, n, one) with s = a, r = x:
        b: float64[n] = update(s[i], nine)
        yield b, b
    return c, d
""",
    "a loop that keeps the array of the turn before": """
    c: float64[n], d: float64[n] = for i in range(zero, n, one) with s = a, r = x:
        b: float64[n] = update(s[i], nine)
        yield b, s
    return c, d
""",
    "a loop that swaps": """
    o: float64[n] = fill(nine)
    c: float64[n], d: float64[n] = for i in range(zero, n, one) with s = a, r = o:
        e: float64 = load(r[i])
        b: float64[n] = update(s[i], e)
        yield r, b
    return c, d
""",
    "a loop that yields a view": """
    c: float64[n] = for i in range(zero, n, one) with s = a:
        b: float64[n] = update(s[i], nine)
        v: float64[n] = view(b[:])
        yield v
    return c
""",
    "a loop whose test writes": """
    c: int, d: float64[n], e: float64[n] = while with k = zero, s = a, r = a:
        p: bool = less(k, n)
        w: float64[n] = update(s[0], nine)
        test p else k, s, w
    do:
        q: int = add(k, one)
        b: float64[n] = update(w[k], nine)
        yield q, b, s
    return d, e
""",
    "a loop in a loop": """
    c: float64[n] = for i in range(zero, n, one) with s = a:
        d: float64[n] = for j in range(zero, i, one) with r = s:
            e: float64[n] = update(r[j], nine)
            u: float64[n] = add(e, s)
            yield u
        f: float64[n] = update(d[i], nine)
        yield f
    return c, a
""",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
@pytest.mark.parametrize("test", [False, True])
def test_what_is_written_in_place_gives_what_the_reference_gives(body: str, test: bool) -> None:
    graph = parsed(HEAD + body.lstrip("\n"))
    verify(graph, TABLE)
    for n in (3, 4):
        reference, copying, in_place = outcomes(graph, (np.arange(n) + 1.0, test))
        assert isinstance(reference[0], list), reference
        assert copying == reference
        assert in_place == reference


def test_an_array_that_only_a_view_refers_to_is_copied_for_its_layout() -> None:
    text = HEAD + "    v: float64[n] = view(a[::-1])\n    b: float64[n] = update(v[0], nine)\n    return b\n"
    (result,) = Interpreter(parsed(text)).run((np.arange(3.0), False))
    assert result.tolist() == [9, 2, 0]
    assert result.strides == (8,)
    assert result.base is None


def test_results_are_not_written_by_the_next_call() -> None:
    text = HEAD + "    b: float64[n] = update(a[0], nine)\n    return b\n"
    interpreter = Interpreter(parsed(text))
    first: Any = interpreter.run((np.arange(3.0), False))
    interpreter.run((np.arange(3.0) + 5, False))
    assert first[0].tolist() == [9, 2, 4]
