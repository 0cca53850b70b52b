"""Dictionaries and sets whose keys run time gives: they are what Python's are, in the order in which keys came."""

import collections
from collections import Counter, defaultdict, deque
from typing import Any

import numpy as np
import pytest

from transpile import StagingError, convert

from ...behaviours.harness import observe
from ...end_to_end.comparison import compare


def counted(x):
    d = {}
    for v in x.tolist():
        d[v] = d.get(v, 0) + 1
    return d, len(d), max(d.values()), list(d), sorted(d.items())


def counted_where_in(x):
    d = {}
    for v in x:
        if v in d:
            d[v] += 1
        else:
            d[v] = 1
    return d


def memo(n):
    known = {0: 0, 1: 1}
    for i in range(2, n):
        known[i] = (known[i - 1] + known[i - 2]) % 1000007
    return known[n - 1], len(known), known


def sums(x):
    found = {}
    for i in range(len(x)):
        k = int(x[i]) % 5 - 2
        found[k] = found.get(k, 0.0) + x[i] * 0.5
    total = 0.0
    for k in found:
        total += k * found[k]
    for k, v in found.items():
        total += v * k
    return found, total, sum(found.values()), list(found.keys()), list(found.values()), list(found.items())


def seen(x):
    known, order = set(), []
    for v in x.tolist():
        if v not in known:
            known.add(v)
            order.append(v)
    return order, len(known), 3 in known, known


def pairs(x):
    at, known = {}, {(0, 0)}
    a = b = 0
    for v in x:
        a += int(v) % 3 - 1
        b += int(v) % 2
        known.add((a, b))
        at[a, b] = at.get((a, b), 0) + 1
    return at, len(known), (1, 1) in known, (a, b) in at, sorted(known)


def knight(n):
    dist, queue = {(0, 0): 0}, deque([(0, 0)])
    while queue:
        r, c = queue.popleft()
        for dr, dc in ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)):
            a, b = r + dr, c + dc
            if 0 <= a < n and 0 <= b < n and (a, b) not in dist:
                dist[a, b] = dist[r, c] + 1
                queue.append((a, b))
    return len(dist), max(dist.values()), list(dist)[:5]


def collatz(n):
    steps, best = {1: 1}, 0
    for start in range(2, n):
        k, count = start, 0
        while k not in steps:
            k = k // 2 if k % 2 == 0 else 3 * k + 1
            count += 1
        steps[start] = steps[k] + count
        best = max(best, steps[start])
    return best, len(steps)


def grouped(x):
    groups = defaultdict(list)
    for i in range(len(x)):
        groups[int(x[i]) % 4].append(i)
    return [sum(group) for group in groups.values()], len(groups), {k: len(v) for k, v in groups.items()}


def grouped_by_setdefault(x):
    groups = {}
    for i in range(len(x)):
        groups.setdefault(int(x[i]) % 4, []).append(i)
    return groups


def tallied(x):
    tally = collections.defaultdict(int)
    for v in x:
        tally[int(v)] += 1
    return sum(tally.values()), tally[99], len(tally)


def common(x):
    tally = Counter(x.tolist())
    return tally.most_common(2), tally[77], len(tally), tally.most_common()


def missing(x):
    d = {}
    for v in x.tolist():
        d[v] = 1
    return d[int(x[0]) + 1000]


def missing_pair(x):
    d = {}
    for v in x.tolist():
        d[v, v] = 1
    return d[int(x[0]), 1000]


def keys_that_are_equal(x):
    d = {}
    for v in x.tolist():
        d[v % 2] = "int" if v else "zero"
        d[v % 2 == 1] = d[v % 2]
    for v in x:
        d[v % 3] = "numpy"
    return d, list(d)


def two_keys_of_several_types(n):
    d = {}
    for i in range(n):
        d[np.int64(i // 2)] = i
        d[i] = i * 0.5
    return d, d[0], d[n - 1]


def in_comprehensions(x):
    squares = {v: v * v for v in x.tolist()}
    kinds = {v % 3 for v in x.tolist()}
    return squares, len(kinds), sorted(kinds), squares[int(x[0])], 2 in kinds


def of_iterables(x):
    a, b = set(x.tolist()), dict(zip(x.tolist(), range(len(x))))
    c = set()
    c.update(x.tolist())
    return len(a), b, max(a), min(a), sum(a), len(c)


def changed_as_it_runs(x):
    d = {}
    for v in x.tolist():
        d[v] = d.get(v, 0) + 1
    total = sum(d.values())
    for k in d:
        d[k] = d[k] / total
    return d


def grows_as_it_runs(x):
    d = {}
    for v in x.tolist():
        d[v] = v
    for k in d:
        d[k + 100] = 1
    return d


def grows_on_the_last_turn(x):
    d = {}
    for v in x.tolist():
        d[v] = v
    last = list(d)[-1]
    for k in d:
        if k == last:
            d[k + 100] = 1
    return d


def moves(x):
    steps = {0: (0, 1), 1: (1, 0), 2: (0, -1), 3: (-1, 0)}
    a = b = 0
    for v in x:
        da, db = steps[int(v) % 4]
        a += da
        b += db
    return a, b


def looked_into(x):
    d, seen = {3: 2.5, 7: -1.0, 0: 0.25}, {5, 0}
    found = [d.get(int(v), -9.0) for v in x]
    total = 0.0
    for v in x.tolist():
        if v in seen or v in d:
            total += d.setdefault(v, 0.5)
        seen.add(v + 8)
    return found, total, d, len(seen)


def looked_up_that_is_missing(x):
    d = {8: 1, 16: 2}
    return [d[v * 8 + 8] for v in range(len(x))]


def removed(x):
    known, gone = set(), 0
    for v in x.tolist():
        if v in known:
            known.remove(v)
            gone += 1
        elif v % 3:
            known.add(v)
        known.discard(v + 1)
    return sorted(known), gone, len(known)


def removed_that_is_missing(x):
    known = set()
    for v in x.tolist():
        known.add(v)
    known.remove(int(x[0]) + 1000)
    return len(known)


def inside_a_loop(n):
    found = []
    for i in range(n):
        d = {}
        for k in range(i):
            d[k * k % 7] = k
        found.append(len(d))
    return found


def changes_in_a_branch(x):
    seen = {1, 2}
    if x > 0:
        seen.add(5)
    return len(seen)


class Cache:
    def __init__(self):
        self.known = {}
        self.hits = 0

    def get(self, k):
        if k in self.known:
            self.hits += 1
            return self.known[k]
        value = k * k
        self.known[k] = value
        return value


def of_an_instance(x):
    cache = Cache()
    total = 0
    for v in x.tolist():
        total += cache.get(v)
    return total, cache.hits, cache.known


def beside_texts(x):
    options = {"scale": 2.0, "name": "a"}
    d = {}
    for v in x.tolist():
        d[v] = d.get(v, 0.0) + options["scale"]
    return d, options


def printed(x):
    d = {}
    for v in x.tolist():
        d[v] = d.get(v, 0) + 1
    print(d)
    return len(d)


def cleared(x):
    d, sizes = {}, []
    for v in x.tolist():
        d[v] = 1
        if len(d) > 3:
            sizes.append(sum(d))
            d.clear()
    other = d.copy()
    other[-1] = 5
    return d, sizes, other, bool(d)


def popped(x):
    d, total = {}, 0
    for v in x.tolist():
        d[v] = d.get(v, 0) + 1
        if d[v] > 1:
            total = total * 3 + d.pop(v)
        total += d.pop(v + 1, -1) + len(d)
    return d, total, list(d.items()), len(d), 3 in d, d.pop(-77, None)


def deleted(x):
    d = {}
    for v in x.tolist():
        d[v % 13, v % 3] = v
    for k in list(d):
        if d[k] % 2:
            del d[k]
    d[4, 4] = 0
    return d, list(d.keys()), (1, 1) in d, (4, 4) in d, 0 in d.values(), 1001 in d.values(), dict(d)


def recently_used(x):
    kept, misses = {}, 0
    for v in (x % 17).tolist():
        if v in kept:
            kept[v] = kept.pop(v) + 1
        else:
            misses += 1
            if len(kept) >= 5:
                oldest = -1
                for k in kept:
                    if oldest < 0 or kept[k] < kept[oldest]:
                        oldest = k
                del kept[oldest]
            kept[v] = 1
    return misses, kept


def last_ones_out(x):
    d, out = {}, []
    for v in x.tolist():
        d[v] = [v, v + 1]
    d.pop(int(x[-1]))
    while len(d) > 2:
        k, pair = d.popitem()
        out.append(k * 2 + pair[1])
        d.pop(k - 7, None)
    return out, d


def uncounted(x):
    tally = Counter(x.tolist())
    del tally[1000]
    del tally[int(x[0])]
    return tally, len(tally), sum(tally.values())


def popped_from_an_empty_one(x):
    d = {}
    for v in x.tolist():
        d[v] = v
    for _ in range(len(d) + 1):
        d.popitem()
    return d


def deleted_that_is_missing(x):
    d = {}
    for v in x.tolist():
        d[v] = v
    del d[int(x[0]) + 1000]
    return d


def of_two_sets(x):
    ones, others = set(x.tolist()), set((x[::2] + 3).tolist())
    both, either = ones & others, ones | others
    both.add(-1)
    either |= both
    return (
        sorted(both), sorted(either), sorted(ones - others), sorted(others - ones), len(both & ones) / len(either), int(x[0]) in both,
        sorted(ones), sum(others - either),
    )  # fmt: skip


X = np.arange(40) * 7 % 11
WIDE = (np.arange(500) * 7919 % 1009 - 500) * 1024
FUNCTIONS = (
    counted, counted_where_in, sums, seen, pairs, grouped, grouped_by_setdefault, tallied, common, missing, missing_pair, keys_that_are_equal,
    in_comprehensions, of_iterables, changed_as_it_runs, grows_as_it_runs, grows_on_the_last_turn, moves, removed, removed_that_is_missing,
    of_an_instance, beside_texts, printed, cleared, popped, deleted, recently_used, last_ones_out, uncounted, looked_into, looked_up_that_is_missing,
    popped_from_an_empty_one, deleted_that_is_missing, of_two_sets,
)  # fmt: skip
CASES: list[tuple[Any, tuple[Any, ...]]] = [
    *((function, (x,)) for function in FUNCTIONS for x in (X, WIDE)),
    *(
        (function, (n,))
        for function in (memo, two_keys_of_several_types, inside_a_loop, knight)
        for n in (3, 12, 100)
    ),
    *((changes_in_a_branch, (n,)) for n in (1, -1)),
    *((collatz, (n,)) for n in (2, 300)),
]


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    ("function", "arguments"), CASES, ids=[f"{f.__name__}-{n}" for n, (f, _) in enumerate(CASES)]
)
def test_tables_are_what_pythons_are(function: Any, arguments: tuple[Any, ...], device: str) -> None:
    converted = convert(function, strict=True, device=device)
    compare(observe(function, arguments), observe(converted, arguments))


def made_by_adding(x):
    known = {5 * int(x[0]), 77}
    for v in x.tolist():
        known.add(v * 1000)
    return known


def made_at_once(x):
    constants = {1024, 8, 33, 16, 64, 129, 513}
    return list(constants), {v + 1 for v in x.tolist()}, set(x.tolist())


def in_order(thing):
    """Return what sets in a result hold, in the order in which they give it."""
    parts = thing if isinstance(thing, tuple) else (thing,)
    return [list(part) if isinstance(part, set) else part for part in parts]


@pytest.mark.parametrize("function", [made_by_adding, made_at_once, seen])
@pytest.mark.parametrize("x", [X, WIDE])
def test_items_of_sets_that_leave_are_in_the_order_of_python(function: Any, x: Any) -> None:
    assert in_order(convert(function, strict=True, device="host")(x)) == in_order(function(x))


def of_another_table(x):
    counts = {}
    for v in x.tolist():
        counts[v] = 1
    return set(counts)


def order_of_a_set(x):
    known = set()
    for v in x.tolist():
        known.add(v)
    return [v * 2 for v in known]


def keys_of_floats(x):
    d = {}
    for v in x:
        d[v * 0.5] = 1
    return d


def returned_after_removal(x):
    known = set()
    for v in x.tolist():
        known.add(v)
        known.discard(v - 1)
    return known


def union_that_leaves(x):
    return set(x.tolist()) | set((x + 1).tolist())


def keys_of_two_types_in_both(x):
    return sorted(set(x.tolist()) & {True, 2})


@pytest.mark.parametrize(
    "function",
    [
        order_of_a_set,
        keys_of_floats,
        returned_after_removal,
        of_another_table,
        union_that_leaves,
        keys_of_two_types_in_both,
    ],
)
def test_other_tables_are_left_to_python(function: Any) -> None:
    with pytest.raises(StagingError):
        convert(function, strict=True, device="host")(X)
    compare(observe(function, (X,)), observe(convert(function, device="host"), (X,)))


def numbers_and_pairs(x):
    known, total = {1: 2}, 0
    for v in x:
        total += known.get((v, 1), 5) + known.get(v, 7)
        known[(v, 1)] = 1
        known[v] = 3
    return total, known


def pairs_and_numbers(x):
    known, total = set(), 0
    for v in x:
        total += ((v, 1) in known) + 2 * (v in known)
        known.add(v)
        known.add((v, 1))
    return total, len(known)


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize("function", [numbers_and_pairs, pairs_and_numbers])
def test_keys_of_several_kinds_are_told_apart(function: Any) -> None:
    x = np.arange(30) % 7
    assert convert(function, device="host")(x) == function(x)
