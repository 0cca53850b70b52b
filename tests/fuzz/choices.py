"""The choices that a random program is made of. Each shrinks towards its first option."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from hypothesis import strategies as st

Option = TypeVar("Option")


class Choices:
    """Makes one choice after another, as Hypothesis draws them."""

    def __init__(self, draw: Callable[[Any], Any]) -> None:
        self._draw = draw

    def among(self, options: Sequence[Option]) -> Option:
        """Choose one of several."""
        chosen: Option = self._draw(st.sampled_from(options))
        return chosen

    def chance(self, percent: int) -> bool:
        """Choose whether to do a thing."""
        return bool(self._draw(st.sampled_from(range(100))) >= 100 - percent)

    def weighted(self, options: Sequence[tuple[int, Option]]) -> Option:
        """Choose one of several, some more often than others."""
        return self.among([option for weight, option in options for _ in range(weight)])

    def count(self, low: int, high: int) -> int:
        """Choose a number."""
        return self.among(range(low, high + 1))


class Dice(Choices):
    """Makes the choices of one seed, without Hypothesis, which takes longer to choose than most programs to run."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def among(self, options: Sequence[Option]) -> Option:
        """Choose one of several."""
        return self._random.choice(options)

    def chance(self, percent: int) -> bool:
        """Choose whether to do a thing."""
        return self._random.random() * 100 < percent
