"""Kinds of arguments: what a failure to stage is remembered by."""

import numpy as np

from transpile.kinds import kinds_of


def test_kinds_tell_types_and_arrays_apart() -> None:
    x = np.zeros(3)
    readonly = np.zeros(3)
    readonly.flags.writeable = False
    values = [1, 1.0, True, "a", x, np.zeros(3, np.float32), np.zeros((3, 1)), readonly]
    assert len({kinds_of([value]) for value in values}) == len(values)
    assert kinds_of([1, x]) == kinds_of([2, np.ones(5)])


def test_kinds_tell_arrays_that_share_memory_from_others() -> None:
    x = np.zeros(6)
    assert kinds_of([x, x[1:]]) != kinds_of([x, np.zeros(5)])
    assert kinds_of([x[:3], x[3:]]) == kinds_of([np.zeros(3), np.zeros(3)])
