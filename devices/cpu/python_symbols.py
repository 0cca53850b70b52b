"""The functions and classes of Python's own that kernels call: of what calls them, a process that loads kernels has no use."""

from __future__ import annotations

import cmath
import math
import types
from typing import Any

from . import symbols

FUNCTIONS: dict[str, Any] = {
    f"{function.__module__}_{function.__name__}": function
    for function in (
        *(
            getattr(math, name, None)
            for name in ("hypot", "gamma", "lgamma", "remainder", "nextafter", "ulp")
        ),
        *(
            getattr(math, name, None)
            for name in ("ldexp", "gcd", "lcm", "factorial", "comb", "perm", "isqrt")
        ),
        *vars(cmath).values(),
        pow,
        round,
    )
    if isinstance(function, types.BuiltinFunctionType)
}
_CLASSES: dict[str, type] = {"float": float, "int": int, "complex": complex}

symbols.provide("builtin", lambda rest: id(FUNCTIONS[rest]) if rest in FUNCTIONS else None)
symbols.provide("class", lambda rest: id(_CLASSES[rest]) if rest in _CLASSES else None)
