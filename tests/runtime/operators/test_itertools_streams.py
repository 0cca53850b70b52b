"""`itertools`: the items, how many are taken, and what stays as it was when they were made."""

import itertools
from typing import Any

import numpy as np
import pytest

from transpile import StagingError, convert

from ...end_to_end.comparison import call, compare


def choices(x, n):
    pairs = sum(a * b for a, b in itertools.combinations(x, 2))
    grid = [(i, j) for i, j in itertools.product(range(n), range(3)) if i != j]
    again = list(itertools.combinations_with_replacement(x, 2))
    return pairs, grid, again, list(itertools.permutations((1, 2, 3), 2)), list(itertools.product())


def loops_in_loops(x):
    out = np.zeros_like(x)
    for (i, a), (j, b), k in itertools.product(enumerate(x), enumerate(x), range(2)):
        if i < j:
            out[i] += a - b * k
    return out


def without_end(x, n):
    numbers = itertools.count(n, 2)
    first = next(numbers)
    found = next(i for i in numbers if i % 7 == 0)
    beside = [(a, b, c) for a, b, c in zip(itertools.repeat(n), x, itertools.count())]
    for k in itertools.count():
        if k * k > n:
            break
    return first, found, beside, k, list(itertools.islice(itertools.count(n), 1, 9, 3))


def repeats(n):
    total = 0
    for _ in itertools.repeat(None, n):
        total += n
    return total, list(itertools.repeat(2, 2)), list(itertools.repeat(3, -1))


def neighbours(x):
    steps = [b - a for a, b in itertools.pairwise(x)]
    for a, b in itertools.pairwise(x):
        x[0] += b - a
    return steps, list(itertools.accumulate(x)), list(itertools.accumulate(x, max))


def totals_of_what_changes(x):
    totals, begun, known = itertools.accumulate(x), itertools.accumulate(x, initial=3), [1, 2, 3]
    first, of_known = next(begun), itertools.accumulate(known, lambda a, b: a * b)
    x[0], x[1], known[0] = 50, 60, 7
    loud = itertools.accumulate(print(value) or value for value in (1, 2))
    print("before", list(itertools.accumulate([])))
    seen = []
    for total in totals:
        if total < 200:
            seen.append(total)
    return first, list(begun), list(of_known), list(loud), next(itertools.accumulate(x)), seen


def changed_on_the_way(x):
    out = []
    for i, (a, b) in enumerate(itertools.pairwise(x)):
        x[i + 1] = a * 2
        out.append(b)
    for i, (a, b) in enumerate(itertools.combinations(x, 2)):
        x[i % 3] = i
        out.append(a - b)
    return out


def one_after_another(x, n):
    total = 0
    for v in itertools.chain(x, range(n), (0.5,)):
        total += v
    return total, list(itertools.chain.from_iterable(zip(x, x))), list(itertools.islice(x, 1, None))


def picked(x):
    front = list(itertools.takewhile(lambda v: v > 0, x))
    others = list(itertools.filterfalse(lambda v: v > 0, x))
    pairs = zip(x, x)
    return front, others, list(itertools.starmap(lambda a, b: a * b, pairs))


def broken_off(x, limit):
    total = 0.0
    for v in itertools.takewhile(lambda v: v < 9, x):
        if v > limit:
            break
        total += v
    for a, b in itertools.pairwise(x):
        if a + b > limit:
            break
        total += a
    return total


def slices_iterators(x):
    things = iter(x)
    total = 0.0
    for place, value in itertools.islice(enumerate(x), 1, 4, 2):
        total += place * value
    return list(itertools.islice(things, 2)), list(things), total


def doubled():
    one, other = 0, 1
    while True:
        print(one)
        yield one
        one, other = other, one + other


def slices_a_generator(n, x):
    numbers = doubled()
    some = list(itertools.islice(numbers, 1, n, 2))
    return some, next(numbers) * x, sum(itertools.islice(doubled(), n))


X = np.array([1.0, 3.0, 2.0, -1.0, 5.0])
NONE = np.zeros(0)


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    "function, arguments",
    [
        (choices, (X, 4)),
        (loops_in_loops, (X,)),
        (without_end, (X, 5)),
        (repeats, (3,)),
        (repeats, (-3,)),
        (neighbours, (X,)),
        (neighbours, (X[:1],)),
        (neighbours, (NONE,)),
        (totals_of_what_changes, (X,)),
        (changed_on_the_way, (X,)),
        (one_after_another, (X, 2)),
        (picked, (X,)),
        (picked, (NONE,)),
        (broken_off, (X, 2.5)),
        (slices_iterators, (X,)),
        (slices_a_generator, (7, X)),
        (slices_a_generator, (0, X)),
        (broken_off, (X, 50.0)),
    ],
)
def test_itertools_give_what_pythons_give(function: Any, arguments: Any, device: str) -> None:
    converted = convert(function, strict=True, device=device)
    compare(call(function, arguments), call(converted, arguments))


def left_in_an_iterator(x):
    numbers = itertools.count()
    pairs = list(zip(x, numbers))
    return pairs, next(numbers)


def counts_by_floats(x):
    return list(zip(x, itertools.count(0.5, 0.1)))


def slices_as_run_time_says(x):
    things, sums = iter(x), []
    while True:
        some = list(itertools.islice(things, 2))
        if not some or x[0] < 0:
            break
        sums.append(sum(some))
    return sums


def many_permutations(x):
    return len(list(itertools.permutations(range(9)))), x


@pytest.mark.parametrize(
    "function, code",
    [
        (left_in_an_iterator, "S169"),
        (slices_as_run_time_says, "S168"),
        (counts_by_floats, "S259"),
        (many_permutations, "S218"),
    ],
)
def test_what_is_not_certain_is_left_to_python(function: Any, code: str) -> None:
    with pytest.raises(StagingError) as caught:
        convert(function, strict=True)(X)
    assert caught.value.code.startswith(code)
