"""Python's random numbers: the same ones, of the same types, and the generator is left in the same state."""

import random
import sys
import threading
from typing import Any

import numpy as np
import pytest

from transpile import StagingError, convert

from ...end_to_end.comparison import call, compare


def numbers(n, x):
    total = 0.0
    for k in range(n):
        total += random.random() * random.uniform(-k, x) + random.randint(1, 6) - random.randrange(1 + k)
    return total, random.uniform(2, 3), random.randrange(-5, 2**32 - 7), random.randint(2**40, 2**40 + 3)


def of_a_generator(rng, n):
    return [rng.random() for _ in range(n)], rng.randint(0, n), rng.uniform(0.5, n)


def of_its_own(seed, n):
    rng = random.Random(seed)
    return sum(rng.random() for _ in range(n)), [rng.randrange(3, 9) for _ in range(n)]


def between_others(n):
    random.seed(n)
    total = 0.0
    for k in range(n):
        total += random.random()
        if k % 3 == 0:
            print(random.gauss(0.0, 1.0), random.expovariate(2.0))
    return total


def by_numbers_of_numpys(x):
    return random.uniform(x[0], 2), random.uniform(1, x[1]), random.gauss(x[0], 1.0), random.randint(x[2], 9)


def wide(n):
    return random.randrange(n), random.randint(-n, n), random.randrange(0, n, 3)


def below_none(n):
    return random.randrange(n)


def none_between(n):
    return random.randint(n, n - 1)


CALLS: list[tuple[Any, tuple[Any, ...]]] = [
    (numbers, (500, 2.5)),
    (of_a_generator, (random.Random(3), 700)),
    (of_its_own, (3, 700)),
    (between_others, (7,)),
    # Of floats that are whole numbers, too, before 3.12.
    *[(by_numbers_of_numpys, (np.array([0.5, 1.5, 3.0]),))] * (sys.version_info < (3, 12)),
    (by_numbers_of_numpys, (np.array([1, 2, 3]),)),
    (wide, (2**60,)),
    (wide, (5,)),
]


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("function, arguments", CALLS)
def test_the_numbers_are_pythons(function: Any, arguments: Any, device: str) -> None:
    converted = convert(function, strict=True, device=device)
    outcomes = []
    for tried in (function, converted, converted):
        random.seed(11)
        outcomes.append((call(tried, arguments), random.getstate()))
    for outcome, state in outcomes[1:]:
        compare(outcomes[0][0], outcome)
        assert state == outcomes[0][1]


@pytest.mark.parametrize("function, n", [(below_none, 0), (none_between, 4)])
def test_what_has_no_numbers_raises_what_python_raises(function: Any, n: int) -> None:
    converted = convert(function, strict=True)
    errors = []
    for tried in (function, converted):
        with pytest.raises(ValueError) as caught:
            tried(n)
        errors.append(str(caught.value))
    assert errors[0] == errors[1]


def test_numbers_of_single_precision_are_left_to_python() -> None:
    with pytest.raises(StagingError, match="S208"):
        convert(by_numbers_of_numpys, strict=True)(np.ones(3, np.float32))


def share(n):
    total = 0.0
    for _ in range(n):
        total += random.random()
    return total


def test_threads_draw_no_number_twice() -> None:
    converted = convert(share, strict=True)
    random.seed(1)
    converted(3000)
    sums: list[float] = []

    def run() -> None:
        for _ in range(20):
            sums.append(converted(3000))
            random.random()

    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    left = random.getstate()
    random.seed(1)
    for _ in range(3000 + 3 * 20 * 3001):
        random.random()
    assert left == random.getstate()
    assert len(set(sums)) == 60
