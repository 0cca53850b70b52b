"""Tests of room on Python's own stack."""

from __future__ import annotations

import sys
import threading
from types import FrameType
from typing import Any

import pytest

from transpile.runtime.room import with_room


@with_room
def quotient(dividend: int, *, divisor: int = 1) -> float:
    """Divide."""
    return dividend / divisor


def test_a_function_with_room_is_called_as_it_was() -> None:
    assert quotient(6, divisor=4) == 1.5 and quotient(3) == 3.0
    assert (quotient.__name__, quotient.__doc__) == ("quotient", "Divide.")


def test_what_it_raises_leaves_it_with_its_frames() -> None:
    with pytest.raises(ZeroDivisionError) as raised:
        quotient(1, divisor=0)
    assert [entry.name for entry in raised.traceback][1:] == ["called", "quotient"]


def test_its_frame_can_be_kept() -> None:
    @with_room
    def frames() -> list[FrameType | None]:
        here = sys._getframe()
        return [here, here.f_back]

    kept = [frames() for _ in range(100)]
    assert all(frame is not None and frame.f_locals for _, frame in kept)


def test_calls_of_it_may_stand_inside_each_other_in_each_thread() -> None:
    @with_room
    def sum_to(number: int) -> int:
        return number + sum_to(number - 1) if number else 0

    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(sum_to(100))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [5050] * 4
