"""What a call leaves is described so that whatever differs for the caller differs in the description."""

from typing import Any

import numpy as np
import pytest

from ..end_to_end.comparison import differences
from .description import Description, without_signs


class Box:
    def __init__(self, value: Any) -> None:
        self.value = value


def described(*values: Any) -> list[Any]:
    description = Description()
    return [*map(description.of, values), description.shared()]


ROW = np.arange(4.0)
LIST = [1, 2]


@pytest.mark.parametrize(
    "one, other",
    [
        ((LIST, LIST), ([1, 2], [1, 2])),
        ((ROW, ROW[1:]), (ROW, ROW[1:].copy())),
        ((Box(ROW), ROW), (Box(ROW.copy()), ROW.copy())),
        (({1: 2, 3: 4},), ({3: 4, 1: 2},)),
        (({1, 2},), (frozenset({1, 2}),)),
        ((Box(1),), (Box(True),)),
        ((ROW,), (ROW[::-1][::-1].astype(np.float32),)),
        ((np.array([-np.nan]),), (np.array([np.nan]),)),
        ((ValueError("a"),), (ValueError("b"),)),
    ],
)
def test_what_differs_is_told(one: tuple[Any, ...], other: tuple[Any, ...]) -> None:
    assert not differences(described(*one), described(*one))
    assert differences(described(*one), described(*other))


def test_what_an_error_came_of_is_told() -> None:
    def raised(cause: Exception | None) -> Exception:
        try:
            raise ValueError("bad") from cause
        except ValueError as error:
            return error

    assert differences(described(raised(KeyError(1))), described(raised(KeyError(2))))


def test_an_object_that_holds_itself_is_described() -> None:
    box = Box(1)
    box.value = [box]
    other = Box(1)
    other.value = [Box(other)]
    assert not differences(described(box), described(box))
    assert differences(described(box), described(other))


def test_signs_of_nan_alone_are_dropped() -> None:
    reals = without_signs(np.array([-np.nan, 7, -0.0, 7, -1.0])[::2])
    assert np.signbit(reals).tolist() == [False, True, True]
    reals = without_signs(np.array([-np.nan, -0.0, -1.0])[::-1])
    assert np.signbit(reals).tolist() == [True, True, False]
    assert reals.strides == (-8,)
    complexes = without_signs(np.array([complex(-np.nan, -2.0)]))
    assert np.signbit(complexes.real).tolist() == [False]
    assert np.signbit(complexes.imag).tolist() == [True]
