"""Lists that hold things of several kinds: each item is of the very type that was stored."""

import heapq
from typing import Any

import numpy as np
import pytest

from transpile import StagingError, convert

from ...behaviours.harness import observe
from ...end_to_end.comparison import compare


def stored_over_floats(x):
    n = len(x)
    a = [0.0] * n
    for i in range(n):
        if x[i] > 0:
            a[i] = x[i] * 2
    return a, a[-1], sum(a), a[0] / 3, a[0] + 1, np.array(a)


def ints_among_floats(x):
    dist = [float("inf")] * len(x)
    dist[0] = 0
    for i in range(1, len(x)):
        if x[i] > 0:
            dist[i] = dist[i - 1] + x[i]
    return dist, dist[0], min(dist), [d * 2 for d in dist]


def none_and_numbers(x):
    found = [None] * len(x)
    for i in range(len(x)):
        if x[i] > 1:
            found[i] = i
        elif x[i] > 0:
            found[i] = x[i]
    missing = 0
    for item in found:
        if item is None:
            missing += 1
    return found, missing, found[0], found[0] is None


def appended_in_turn(n):
    made = []
    for i in range(n):
        made.append(i)
        made.append(i * 0.5)
        made.append(i % 2 == 0)
    return made, len(made), made[::3], made[1:4]


def known_and_then_others(x):
    made = [1, 2.5, None, True]
    for v in x:
        made.append(v)
    made.extend([7, None])
    return made


def later_turns(n):
    made = [0] * n
    for t in range(3):
        for i in range(n):
            if t == 2 and i > 1:
                made[i] = made[i - 1] / 2
            else:
                made[i] = made[i] + t
    return made


def table(x):
    n, m = x.shape
    best = [[0.0] * m for _ in range(n)]
    for i in range(n):
        for j in range(m):
            best[i][j] = x[i, j] * 2 if x[i, j] > 0 else 0
    return best, best[0][0], sum(sum(row) for row in best)


def table_of_none(x):
    n = len(x)
    seen = [[None] * n for _ in range(n)]
    for i in range(n):
        for j in range(i):
            seen[i][j] = x[i] * x[j]
    return seen


def relu(x):
    made = []
    for v in x:
        made.append(max(0, v))
    return made


def relaxed(x):
    n = len(x)
    d = [0.0] * (n + 1)
    for i in range(n):
        d[i + 1] = min(d[i] + x[i], d[i // 2])
    return d, max(d)


def tuples_with_several(x):
    made = []
    for i in range(len(x)):
        if x[i] > 0:
            made.append((i, x[i]))
        else:
            made.append((i, 0))
    return made, [second for _, second in made]


def parents(x):
    parent = [None] * len(x)
    for i in range(len(x)):
        if x[i] > 0:
            parent[i] = (i - 1, x[i])
    total = 0.0
    for p in parent:
        if p is not None:
            total += p[1]
    return parent, total


def moved(x):
    made = [0] * len(x)
    for i in range(len(x)):
        made[i] = x[i] if x[i] > 0 else i
    made.insert(1, 2.5)
    last = made.pop()
    first = made.pop(0)
    made.reverse()
    del made[0]
    made[1:2] = [None, 3]
    other = made.copy()
    other.append(True)
    return made, other, last, first, made + other


def looked_for(x):
    made = [0] * len(x)
    for i in range(len(x)):
        made[i] = float(x[i]) if x[i] > 0 else i
    return 2 in made, 0.5 in made, made.count(1), 1.0 in made, None in made, True in made, made.index(0.5)


def looked_for_none(x):
    made = [None] * len(x)
    for i in range(len(x)):
        if x[i] > 0:
            made[i] = i
    return None in made, made.count(None), 2 in made, made.index(None)


def compared(x):
    one, other = [0] * len(x), [0.0] * len(x)
    for i in range(len(x)):
        one[i] = float(x[i]) if x[i] > 0 else i
        other[i] = one[i]
    same = one == other
    other[-1] = None
    return same, one == other, one != other


def arrays(x):
    a, b = [0.0] * len(x), [0] * len(x)
    for i in range(len(x)):
        if x[i] > 0:
            a[i] = x[i]
            b[i] = float(x[i])
    return np.array(a), np.array(b), np.array(b, dtype=float), np.mean(a), np.sum(b)


def printed(x):
    made = [None] * len(x)
    for i in range(len(x)):
        if x[i] > 0:
            made[i] = x[i]
        elif x[i] < 0:
            made[i] = -1
    print(made)
    print(made[0], f"{made[1]}")
    return len(made)


def sorted_floats(x):
    a = [0.5] * len(x)
    for i in range(len(x)):
        if x[i] > 0:
            a[i] = x[i]
    a.sort()
    return a, sorted(a, reverse=True)


def on_a_heap(x):
    heap = [(0, 0)]
    for i in range(len(x)):
        heapq.heappush(heap, (abs(x[i]), i))
    order = []
    while heap:
        cost, i = heapq.heappop(heap)
        order.append((cost, i))
    return order


def words(x):
    made = []
    for v in x:
        made.append("up" if v > 0 else "down")
    return made, made[0] == "up", made.count("up")


def handed(things, x):
    for i in range(len(things)):
        things[i] = things[i] + x[i % 2] if i % 2 else None
    return things


def divided(x):
    made = [1] * len(x)
    for i in range(len(x)):
        if x[i] > 0:
            made[i] = x[i]
    return [2 / v for v in made], [v // 2 for v in made], [v % 2 for v in made], [2**v for v in made]


def grown_to_seven(n):
    made = ["a", "b", "c", "d", "e"]
    for i in range(n):
        made.append(i)
        made.append(0.5)
    return made


def unions_that_last(x, n):
    sums = []
    for i in range(n):
        s = 0.0
        for j in range(i, len(x)):
            s += x[j]
        sums.append(s)
    return sums


def widened_on_a_later_turn(x):
    own, other, found, count = (3, 4), None, [], []
    for v in x:
        found.append(own)
        count.append(other)
        other = len(count)
        own = (v, 1)
    return found, count


def cooled(n):
    t, y, kind, found = 0, 100, 1, []
    while t <= 10:
        found.append((t, y, kind, None if y > 90 else "cold"))
        t += 10 / n
        y -= 0.07 * y
        kind = np.int64(t) if t > 4 else 2
    print(found, [kind for *_, kind, _ in found])
    return np.array([each[:3] for each in found])


X = np.array([0.5, -1.0, 2.5, 1.0, -0.5, 0.0])
CASES: list[tuple[Any, tuple[Any, ...]]] = [
    *(
        (function, (x,))
        for function in (
            stored_over_floats, ints_among_floats, none_and_numbers, known_and_then_others, relu, relaxed, tuples_with_several, parents,
            compared, sorted_floats, on_a_heap, widened_on_a_later_turn, words, divided,
        )
        for x in (X, -np.abs(X) - 1, np.abs(X) + 1, X[:1])
    ),
    *((appended_in_turn, (n,)) for n in (0, 1, 6)),
    *((later_turns, (n,)) for n in (0, 1, 5)),
    *((cooled, (n,)) for n in (1, 8)),
    *((table, (x,)) for x in (X.reshape(2, 3), X.reshape(3, 2), -np.ones((2, 2)))),
    *((table_of_none, (x,)) for x in (X, X[:1])),
    *((moved, (x,)) for x in (X, -X)),
    *((looked_for, (x,)) for x in (X, -X)),
    *((looked_for_none, (x,)) for x in (X, np.abs(X) + 1)),
    *((arrays, (x,)) for x in (X, -np.ones(3), np.ones(3))),
    *((printed, (x,)) for x in (X, -X)),
    *((handed, (list(range(n)), X)) for n in (20, 30)),
    *((unions_that_last, (x, n)) for x in (X, X[:0]) for n in (0, 4)),
]  # fmt: skip


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    ("function", "arguments"), CASES, ids=[f"{f.__name__}-{n}" for n, (f, _) in enumerate(CASES)]
)
def test_items_are_of_the_type_that_was_stored(
    function: Any, arguments: tuple[Any, ...], device: str
) -> None:
    converted = convert(function, strict=True, device=device)
    compare(observe(function, arguments), observe(converted, arguments))


@pytest.mark.parametrize(("function", "code"), [(grown_to_seven, "S163-items")])
def test_more_kinds_than_a_union_has_are_refused(function: Any, code: str) -> None:
    with pytest.raises(StagingError) as raised:
        convert(function, strict=True)(99)
    assert raised.value.code == code
    compare(observe(function, (9,)), observe(convert(function), (9,)))


def joined_with_others(n):
    ints, floats = [i * i for i in range(n)], [0.5] * n
    grown = ints + [None] * n
    grown.extend(floats)
    more = [None if i % 2 else i * 1.5 for i in range(n)]
    more += grown
    return ints + floats, floats + ints, grown, more, grown + more, sorted(ints + floats)


def rows_of_others(n):
    rows = [[i * i for i in range(n)] for _ in range(3)]
    rows[n % 3] = [-0.5] * n
    rows[1][:2] = [0.5] * n
    rows.append([(1, 2.5) if i % 2 else i for i in range(n)])
    return rows


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("function", [joined_with_others, rows_of_others])
def test_lists_of_different_kinds_become_one(function: Any, device: str) -> None:
    for n in (7, 30):
        compare(observe(function, (n,)), observe(convert(function, strict=True, device=device), (n,)))
