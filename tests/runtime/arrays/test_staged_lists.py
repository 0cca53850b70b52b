"""Lists and deques whose length run time gives, or that are stored to at places that it gives: they are what Python's are."""

import collections
from collections import deque
from typing import Any, NamedTuple

import numpy as np
import pytest

from transpile import StagingError, convert

from ...behaviours.harness import observe
from ...end_to_end.comparison import compare


class Reading(NamedTuple):
    place: int
    value: float


def slices_and_sums(n, k):
    a = [0.0] * n
    for i in range(n):
        a[i] = i * 0.5
    b, c, d = a[1:-1], a[::-1], a[k:]
    e = a + b
    e += c
    e.extend([7.5])
    f = [1.5] + a  # noqa: RUF005
    return a, b, c, d, e, f, len(e), a[-1], sum(a), max(a), min(a), a.copy()


def named_tuples(x):
    found = []
    for i in range(len(x)):
        if x[i] > 0:
            found.append(Reading(i, float(x[i])))
    return found


def array_of_tuples(x):
    found = []
    for i in range(len(x)):
        if x[i] > 0:
            found.append((i, float(x[i])))
    return np.array(found), found


def nested_tuples(n):
    found = []
    for i in range(n):
        found.append((i, (i * 0.5, i % 2 == 0)))
    return found, found[-1][1]


def window(n):
    last, sums = deque(maxlen=3), []
    for i in range(n):
        last.append(i * i)
        sums.append(sum(last))
    return sums, len(last), last[0], last[-1]


def last_of(n):
    last = deque(range(n), maxlen=3)
    return len(last), list(last), 4 in last, 1.0 in last, 7 not in last


def seen_before(x):
    places, kept = [(-1, -1)], []
    for i, v in enumerate(x):
        place = (int(v) % 3, i % 2)
        if place not in places:
            places.append(place)
            kept.append(v * 0.5)
    return places, kept, x[0] * 0.5 in kept


def halves(n):
    queue, total = collections.deque([n]), 0
    while queue:
        value = queue.popleft()
        total += value
        if value > 1:
            queue.append(value // 2)
            queue.append(value // 3)
    return total


def breadth_first(grid, start):
    distance = np.full(grid.shape, -1)
    distance[start] = 0
    queue = deque([start])
    while queue:
        r, c = queue.popleft()
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            i, j = r + dr, c + dc
            if 0 <= i < grid.shape[0] and 0 <= j < grid.shape[1] and grid[i, j] == 0 and distance[i, j] < 0:
                distance[i, j] = distance[r, c] + 1
                queue.append((i, j))
    return distance


def flood(image, r, c, new):
    old = image[r, c]
    if old == new:
        return image
    stack = [(r, c)]
    while stack:
        i, j = stack.pop()
        if 0 <= i < image.shape[0] and 0 <= j < image.shape[1] and image[i, j] == old:
            image[i, j] = new
            stack += [(i + 1, j), (i - 1, j)]
            stack.append((i, j + 1))
            stack.append((i, j - 1))
    return image


def stored_at(n, k):
    a = [1] * n
    a[k] = 5
    return a


def digits(x):
    counts = [0] * 10
    for v in x:
        counts[v] += 1
    return counts, [counts[i] for i in range(10)]


def brackets(x):
    stack = []
    for v in x:
        if v > 0:
            stack.append((v, 1))
        elif stack and stack[-1][0] == -v:
            _value, _depth = stack.pop()
        else:
            stack.pop()
    return stack


def printed(n):
    print([0] * n, [(1, 2.5)] * n)
    stack = [(0, n)]
    while stack:
        low, high = stack.pop()
        if high - low > 1:
            middle = (low + high) // 2
            stack.append((low, middle))
            stack.append((middle, high))
            print(stack)
    return len(stack)


def known_by_two_names(n):
    s = [0] * n
    for i in range(n):
        s[i] = s[i - 1] + 1
    t = s
    t[0] = 99
    return s, t is s


def insertion_sort(x):
    a = list(x)
    for i in range(1, len(a)):
        j = i
        while j > 0 and a[j - 1] > a[j]:
            a[j - 1], a[j] = a[j], a[j - 1]
            j -= 1
    return a


def moving(x, k):
    last, means = [], []
    for v in x:
        last.append(v)
        if len(last) > k:
            last.pop(0)
        means.append(sum(last) / len(last))
    return means


def cleared(x):
    run, longest = [], 0
    for v in x:
        if v > 0:
            run.append(v)
        else:
            run.clear()
        longest = max(longest, len(run))
    return longest, run


def coin_change(coins, amount):
    ways = [1] + [0] * amount
    for coin in coins:
        for i in range(coin, amount + 1):
            ways[i] += ways[i - coin]
    return ways[amount]


def increasing(x):
    longest = [1] * len(x)
    for i in range(len(x)):
        for j in range(i):
            if x[j] < x[i] and longest[j] + 1 > longest[i]:
                longest[i] = longest[j] + 1
    return max(longest)


def grown_from_nothing(n):
    a = [0.5] * n
    b = a[1:]
    for i in range(3):
        a.append(i * 0.5)
        b.append(i * 2.0)
    return a, b


def long_and_known(x):
    last = [-1] * 300
    gaps, names = [], [None] * 70
    for i, v in enumerate(x):
        gaps.append(i - last[v])
        last[v] = i
    return gaps, last, names[0]


def table_of_known(x):
    steps = [1, -1, 2, -2]
    place = 0
    for v in x:
        place += steps[v]
    return place


def indexed_by(n, k):
    a = [1] * n
    return a[k]


def stored_by(n, k):
    a = [1] * n
    a[k] = 2
    return a


def indexed_by_text(n):
    return ([1] * n)["x"]


def deque_without_items(x):
    queue = deque()
    for v in x:
        if v > 0:
            queue.append(v)
        else:
            queue.popleft()
    return queue.pop()


def repeated_by_numpys_integer(x):
    return [1.5] * x[0], x[1] * [2]


def of_several_kinds(n):
    found = [[0, 1]]
    for i in range(n):
        found.append((i, i))
    return found


COUNTS = np.array([1, 2, 3, 3, 9])
GRID = (np.arange(42).reshape(6, 7) % 5 == 3).astype(int)
CASES: list[tuple[Any, tuple[Any, ...]]] = [
    *((slices_and_sums, arguments) for arguments in ((8, 3), (3, -2), (1, 5))),
    *(
        (function, (x,))
        for function in (named_tuples, array_of_tuples)
        for x in (np.array([1, -2, 3.5]), np.array([-1.0]))
    ),
    *((nested_tuples, (n,)) for n in (4, 1, 0)),
    *((window, (n,)) for n in (10, 1, 0)),
    *((last_of, (n,)) for n in (5, 2, 0)),
    *((seen_before, (x,)) for x in (COUNTS, np.arange(9))),
    *((halves, (n,)) for n in (50, 1)),
    (breadth_first, (GRID, (0, 0))),
    (flood, (GRID, 0, 0, 7)),
    *((stored_at, arguments) for arguments in ((4, 2), (4, -4), (4, 4), (4, -5), (0, 0), (-3, 0))),
    *((digits, (x,)) for x in (COUNTS, COUNTS[:0], np.array([1, -1]), np.array([10]))),
    *((brackets, (np.array(x),)) for x in ([1, 2, -2, 3], [1, -1, -3], [4, 5, -1])),
    *((printed, (n,)) for n in (5, 1, 0)),
    *((known_by_two_names, (n,)) for n in (4, 1, 0)),
    *((insertion_sort, (x,)) for x in (np.array([3, 1, 2, 9, 0]), np.array([3.5, 1]), np.array([1.0]))),
    *((moving, (np.arange(7.0), k)) for k in (1, 3, 20)),
    *((cleared, (np.array(x),)) for x in ([1, 2, -1, 3], [1, -1])),
    *((coin_change, (np.array([1, 2, 5]), n)) for n in (11, 0)),
    *((increasing, (x,)) for x in (COUNTS, COUNTS[::-1])),
    *((grown_from_nothing, (n,)) for n in (0, 1, 9)),
    *((long_and_known, (x,)) for x in (COUNTS, np.array([300]))),
    *((table_of_known, (x,)) for x in (np.array([0, 1, 3]), np.array([-1, 2]), np.array([4]))),
    *((indexed_by, (3, k)) for k in (1.5, np.float64(1), True, np.bool_(True), 1)),
    (stored_by, (3, 1.5)),
    (indexed_by_text, (3,)),
    *((deque_without_items, (np.array(x),)) for x in ([1, 2], [1, -1], [-1])),
    *((of_several_kinds, (n,)) for n in (0, 3)),
    (repeated_by_numpys_integer, (np.array([2, 3]),)),
]


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    ("function", "arguments"), CASES, ids=[f"{f.__name__}-{n}" for n, (f, _) in enumerate(CASES)]
)
def test_lists_are_what_pythons_are(function: Any, arguments: tuple[Any, ...], device: str) -> None:
    converted = convert(function, strict=True, device=device)
    compare(observe(function, arguments), observe(converted, arguments))


def rotated(n):
    queue = deque(range(n))
    queue.rotate(1)
    return queue[0]


def returned(n):
    return deque(range(n))


@pytest.mark.parametrize(
    ("function", "code"),
    [(rotated, "S164-list"), (returned, "S210-result")],
)
def test_what_else_is_asked_of_lists_is_refused(function: Any, code: str) -> None:
    with pytest.raises(StagingError) as raised:
        convert(function, strict=True)(3)
    assert raised.value.code == code
    compare(observe(function, (3,)), observe(convert(function), (3,)))
