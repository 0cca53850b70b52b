"""What Python gives a kernel for a result is taken as it is only where it is nobody else's."""

from __future__ import annotations

import numpy as np

from transpile.devices.cpu.handlers import _own


def test_an_array_that_nobody_else_has_is_taken_as_it_is() -> None:
    made: list[int] = []
    made_of = np.dtype(float)

    def array() -> np.ndarray:
        found = np.arange(6.0)
        made.append(found.ctypes.data)
        return found

    # By name: a test that is rewritten keeps what stands in an assertion.
    same, view, spread = (
        _own(array(), made_of),
        _own(array()[2:], made_of),
        _own(array()[::2], made_of),
    )
    assert [same.ctypes.data, view.ctypes.data] == [made[0], made[1] + 16]
    assert spread.ctypes.data != made[2]


def test_other_arrays_are_copied() -> None:
    x = np.arange(6.0)
    for given, dtype in ((x, x.dtype), (x[1:], x.dtype), (list(x), x.dtype), (np.arange(6), x.dtype)):
        found = _own(given, np.dtype(dtype))
        assert found.flags.c_contiguous and found.dtype == dtype and not np.shares_memory(found, x)
        assert found.tolist() == list(map(float, given))
