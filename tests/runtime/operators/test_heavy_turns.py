"""Loops over known numbers whose turns are long stay loops after their first turn, where nothing that is known would be lost."""

import contextlib
import io

import numpy as np
import pytest

from transpile import convert
from transpile.runtime.operators import heavy_turns

WAYS = [(2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1)]


def leaves(x, n):
    s = 0
    for a, b in ((1, 2), (2, 3), (0, 1), (3, 1)):
        if x[a] > n:
            s += b
        if x[b] > 2 * n:
            break
        if x[a] < 0:
            continue
        s += a * 10
    else:
        s += 1000
    return s


def returns(x, n):
    for a in (3, 1, 2, 0):
        if x[a] > n:
            return a, x[a]
    return None


def nested(x, n):
    c = 0
    for a, b in ((0, 1), (1, 2), (2, 3), (3, 0)):
        for e, f in ((0, 1), (1, 1), (2, 0)):
            if x[(a + e) % 4] > n and x[(b + f) % 4] < 5:
                c += 1
                x[a] += 0.5
        if c > 5:
            x[b] -= 1
    return c, x


def divides(x, n):
    t = 0.0
    for k in (2, 1, 0, 3):
        if x[k] > n:
            t += 1 / k
    return t


def best_of(x, n):
    best = None
    for k in (2, 1, 0, 3):
        if (best is None or x[k] > x[best]) and x[k] > n:
            best = k
    return best


def prints(x, n):
    for k, w in ((2, 0.5), (1, 1.5), (0, 2.5)):
        if x[k] > n:
            print(k, w, x[k])


def searches(x, n):
    places = []
    for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        if x[dy] > n:
            places.append((dy + 1, dx + 2))
    while places:
        a, b = places.pop()
        for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            if a + dy < 4 and b + dx < 3 and a + dy > 0 and x[a + dy] > n:
                x[a + dy] -= 1
                places.append((a + dy, b + dx))
    return x


def keeps_the_last(x, n):
    t = 0.0
    for a, b in [(0, 1.5), (1, 2.5), (2, 0.5)]:
        if x[a] > n:
            t += b
    return t, a, b


def changes_the_list(x, n):
    d = [0, 1, 2, 3]
    t = 0
    for k in d:
        if x[k] > n:
            t += k
            d[2] = 1
    return t, d


def fills_a_list(x, n):
    out = []
    count = 0
    for k in (0, 1, 2, 3):
        if x[k] > n:
            x[k] -= 1
        out.append(x[k] * 2)
        count += 1
    a, _, _, d = out
    return a + d, count, np.zeros(count)


def needs_the_number(x, n):
    t = 0
    for k in (1, 2, 3, 4):
        if x[k - 1] > n:
            t += (10, 20.5, "30", 40, 50)[k] if k != 2 else 5
            t += {1: 5, 2: 6, 3: 7, 4: 8}[k]
    return t


def several_types(x, n):
    t = 0
    for k in (1, 2.0, 3, True):
        if x[1] > n:
            t += k
    return t


def seen(function, x, n):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            result = function(x, n)
        except (ZeroDivisionError, IndexError) as error:
            result = error
    return repr((result, x, printed.getvalue()))


@pytest.mark.parametrize(
    "function, stays",
    [
        (leaves, True),
        (returns, True),
        (nested, True),
        (divides, True),
        (best_of, True),
        (prints, True),
        (searches, True),
        (keeps_the_last, False),
        (changes_the_list, False),
        (fills_a_list, False),
        (needs_the_number, False),
        (several_types, False),
    ],
)
def test_it_is_what_the_loop_is(function, stays, monkeypatch):
    monkeypatch.setattr(heavy_turns, "_HEAVY", 0)
    converted = convert(function, strict=True, device="host")
    for numbers in ([1.0, 2, 3, 4], [4.0, 3, 2, 1], [-1.0, 0, 9, 1], [0.0] * 4, [5.0] * 4):
        for n in (0, 2, 5):
            assert seen(converted, np.array(numbers), n) == seen(function, np.array(numbers), n)
    graph = converted.calls.entries[0].trace.graph
    assert any(op.name == "for_loop" for op in graph.block.walk()) == stays


def tour(board, r, c):
    n = len(board)
    for step in range(1, n * n):
        best, pick = 9, None
        for dr, dc in WAYS:
            a, b = r + dr, c + dc
            if 0 <= a < n and 0 <= b < n and board[a, b] == 0:
                ways = 0
                for er, ec in WAYS:
                    x, y = a + er, b + ec
                    if 0 <= x < n and 0 <= y < n and board[x, y] == 0:
                        ways += 1
                if ways < best:
                    best, pick = ways, (a, b)
        if pick is None:
            return step
        r, c = pick
        board[r, c] = step + 1
    return n * n


def test_what_is_long_is_not_written_out():
    converted = convert(tour, strict=True)
    boards = np.zeros((2, 6, 6), int)
    boards[:, 0, 0] = 1
    assert converted(boards[0], 0, 0) == tour(boards[1], 0, 0)
    assert (boards[0] == boards[1]).all()
    graph = converted.calls.entries[0].trace.graph
    assert sum(1 for _ in graph.block.walk()) < 700
