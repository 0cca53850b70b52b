"""Members of enumerations: as operands, as what one of several ways gives, and as results."""

import enum
from typing import Any

import numpy as np
import pytest

from transpile import StagingError, convert

from ...behaviours.harness import observe
from ...end_to_end.comparison import compare


class Colour(enum.Enum):
    RED = 1
    GREEN = 2


class Level(enum.IntEnum):
    LOW = 0
    MID = 1
    HIGH = 2


class Flags(enum.IntFlag):
    A = 1
    B = 2


class Percent(int):
    def __mul__(self, other):
        return int(self) * other / 100


SHARE = Percent(5)


def with_arrays(a, n, x):
    return (
        a + Level.HIGH,
        Level.MID * a,
        a > Level.MID,
        np.add(a, Level.MID),
        np.maximum(a[0], Level.MID),
        a[Level.MID],
        a[0] - Level.HIGH,
    )


def with_numbers(a, n, x):
    parts = (
        n + Level.HIGH,
        Level.HIGH - n,
        x * Level.HIGH,
        n == Level.HIGH,
        n % Level.HIGH,
        n // Level.HIGH,
        -Level.HIGH * n,
    )
    return parts, divmod(n, Level.HIGH), Level.HIGH**n, n if n > Level.MID else 0


def given(a, n, x):
    level = Level.LOW if n > 2 else Level.MID
    return level, level + 1, max(n, Level.MID), [Level.LOW, n], level is Level.LOW, level == 0, a + level


def states(a, n, x):
    state, seen = Colour.RED, []
    for v in a:
        if state is Colour.RED and v > n:
            state = Colour.GREEN
        elif state == Colour.GREEN:
            state = Colour.RED
        seen.append(state.value)
    return state, seen, state.name, Colour.GREEN


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("function", [with_arrays, with_numbers, given, states])
@pytest.mark.parametrize("n", [1, 3])
@pytest.mark.parametrize("dtype", [np.int8, np.float32])
def test_members_are_what_python_and_numpy_make_of_them(
    function: Any, n: int, dtype: Any, device: str
) -> None:
    arguments = (np.arange(5).astype(dtype), n, 2.5)
    compare(observe(function, arguments), observe(convert(function, strict=True, device=device), arguments))


def flagged(n):
    return n | Flags.B


def by_hundred(n):
    return SHARE * n


@pytest.mark.parametrize("function", [flagged, by_hundred])
def test_integers_with_operators_of_their_own_are_left_to_python(function: Any) -> None:
    with pytest.raises(StagingError):
        convert(function, strict=True, device="host")(3)
    compare(observe(function, (3,)), observe(convert(function, device="host"), (3,)))
