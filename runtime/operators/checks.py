"""Checks of `numpy.testing`: they read what they are handed, and raise."""

from __future__ import annotations

import sys
from typing import Any

from transpile.runtime.arrays.cells import STDOUT
from transpile.runtime.arrays.recorder import recorder

from .hosts import host_call, is_handed

# Where NumPy has them, which need not be imported.
_HOME = "numpy.testing._private.utils"
# Those that are handed no function to call.
_CHECKS = frozenset((
    "assert_", "assert_allclose", "assert_almost_equal", "assert_approx_equal", "assert_array_almost_equal", "assert_array_almost_equal_nulp",
    "assert_array_equal", "assert_array_less", "assert_equal", "assert_string_equal",
))  # fmt: skip


def is_check(function: Any) -> bool:
    """Whether a Python function is a check of `numpy.testing`."""
    name = getattr(function, "__name__", None)
    return (
        getattr(function, "__module__", None) == _HOME
        and name in _CHECKS
        and getattr(sys.modules[_HOME], name) is function
    )


def check(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Have a check be made when its turn comes."""
    if not all(is_handed(thing, arrays=True) for thing in (*args, *kwargs.values())):
        recorder().unstageable(
            "S236-check", f"{function.__name__} is handed what can change, or is not staged"
        )
    host_call(STDOUT, function, args, kwargs, noted=function)
