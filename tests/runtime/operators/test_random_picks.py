"""What Python's `random` picks of sequences it picks converted, and draws as many numbers for it."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from transpile import convert
from transpile.runtime.errors import StagingError


def _jumps(x: Any, n: int) -> Any:
    for i in range(n):
        x[i % len(x)] += random.choice((-1.0, 1.0))
    return x


def _hands(n: int) -> list[int]:
    cards = list(range(n))
    random.shuffle(cards)
    return cards


def _lots(x: Any, n: int) -> Any:
    total = 0.0
    for _ in range(n):
        cards = [0, 1, 2, 3]
        random.shuffle(cards)
        total += cards[0] * x[cards[1]]
    return total, random.sample(range(10), 3)


def _own(x: Any, generator: random.Random) -> Any:
    generator.shuffle(x)
    return generator.choice(x), generator.sample([1, 2, 3, 4], 2), generator.getrandbits(20)


def _swaps(n: int, turns: int) -> list[int]:
    route = list(range(n))
    for _ in range(turns):
        i, j = random.sample(range(len(route)), 2)
        route[i], route[j] = route[j], route[i]
    return route


def _bits(out: Any) -> None:
    for i in range(len(out)):
        out[i] = random.getrandbits(32)


CASES: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (_jumps, (np.zeros(3), 10)),
    (_hands, (12,)),
    (_lots, (np.arange(5.0), 7)),
    (_own, (np.arange(5), random.Random(3))),
    (_swaps, (9, 20)),
    (_swaps, (60, 20)),
    (_bits, (np.zeros(4, np.uint32),)),
    (random.choice, (np.arange(3),)),
    (random.choice, (np.zeros(0),)),
    (random.shuffle, (np.arange(6).reshape(3, 2),)),
]


def _outcome(function: Any, arguments: tuple[Any, ...]) -> str:
    random.seed(1)
    try:
        result = function(*arguments)
    except IndexError as error:
        result = error
    states = [thing.getstate() for thing in arguments if isinstance(thing, random.Random)]
    return repr((result, arguments[0], random.getstate(), states))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].__name__)
def test_what_is_picked_is_what_python_picks(
    case: tuple[Callable[..., Any], tuple[Any, ...]],
) -> None:
    function, arguments = case

    def picks(*args: Any) -> Any:
        return function(*args)

    converted = convert(picks, strict=True, device="host")
    for _ in range(2):
        one, other = copy.deepcopy(arguments), copy.deepcopy(arguments)
        assert _outcome(picks, one) == _outcome(converted, other)


def test_more_bits_than_an_integer_has_are_refused() -> None:
    with pytest.raises(StagingError, match="S208-random"):
        convert(lambda n: random.getrandbits(64) + n, strict=True, device="host")(1)


class _Own(random.Random):
    def randrange(self, *_: Any) -> int:
        return 0


def test_a_generator_of_another_class_picks_by_its_own_methods() -> None:
    def pick(generator: random.Random, x: Any) -> Any:
        return generator.choice(x)

    for make in (_Own, random.SystemRandom):
        with pytest.raises(StagingError):
            convert(pick, strict=True, device="host")(make(1), np.arange(9))
