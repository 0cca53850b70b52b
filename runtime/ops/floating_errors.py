"""Floating-point errors: which NumPy is told to warn of, what it says, and the ops that find them by their numbers."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from transpile.runtime.graph.types import INT64, Type

from .elementwise import spread
from .opdef import OpDef, define

# Note [Floating-point errors]
# NumPy clears the processor's status flags before each call of an inner loop, and warns of what they say after it. A kernel does many of NumPy's
# calls at once: its flags tell that there is something to warn of, but not where. So errors are also found by the numbers: NaN where no
# operand was, infinity of finite operands. That is what the flags say of one op, except of underflow.

DIVIDE, OVERFLOW, UNDERFLOW, INVALID = 1, 2, 4, 8
# In the order in which NumPy reports those of one call.
_TEXTS = {
    DIVIDE: "divide by zero encountered in",
    OVERFLOW: "overflow encountered in",
    UNDERFLOW: "underflow encountered in",
    INVALID: "invalid value encountered in",
}
_MODES = {"divide": DIVIDE, "over": OVERFLOW, "under": UNDERFLOW, "invalid": INVALID}

# The state lies behind a context variable of NumPy's own; reading it is much faster than asking for its contents.
_state_of = getattr(getattr(np._core.umath, "_extobj_contextvar", None), "get", np.geterr)  # type: ignore[attr-defined]
_known: tuple[Any, int] = (None, -1)


def heeded() -> int:
    """Return which floating-point errors NumPy is told to warn of; -1 where any is to be raised, called, printed or logged, as only the original does."""
    global _known
    state = _state_of()
    if state is not _known[0]:
        _known = state, _heeded(np.geterr())
    return _known[1]


def _heeded(modes: Any) -> int:
    if not {"ignore", "warn"}.issuperset(modes.values()):
        return -1
    return sum(bit for kind, bit in _MODES.items() if modes[kind] == "warn")


@dataclass(frozen=True, eq=False)
class Reporter:
    """Says what NumPy says of errors in one op of the user's: its name, the line, and the globals of the function there."""

    name: str
    file: str
    line: int
    namespace: Any

    def __call__(self, errors: int) -> None:
        """Warn, as NumPy does from within the user's function."""
        registry = self.namespace.setdefault("__warningregistry__", {})
        module = self.namespace.get("__name__", "<string>")
        for error, text in _TEXTS.items():
            if errors & error:
                warnings.warn_explicit(
                    f"{text} {self.name}", RuntimeWarning, self.file, self.line, module, registry
                )


def are_raised() -> bool:
    """Whether a filter may make an exception of a warning of NumPy's."""
    return any(
        action == "error" and issubclass(RuntimeWarning, category)
        for action, _, category, _, _ in warnings.filters
    )


# Where operations on finite real numbers give infinity because they divide by zero: never, always, or where an operand, by its place, is 0. Those that are not
# named here may do so for reasons that do not show.
NEVER, ALWAYS = -1, -2
POLES = {
    **dict.fromkeys(("add", "subtract", "multiply", "square", "sqrt", "remainder", "fmod"), NEVER),
    **dict.fromkeys(("exp", "exp2", "expm1", "sinh", "cosh", "hypot", "cast"), NEVER),
    **dict.fromkeys(("sin", "cos", "arcsin", "arccos", "arccosh"), NEVER),
    **dict.fromkeys(("log", "log2", "log10", "log1p", "arctanh"), ALWAYS),
    **dict.fromkeys(("divide", "floor_divide"), 1),
    **dict.fromkeys(("power", "reciprocal"), 0),
}
# The operations on complex numbers whose errors show.
COMPLEX = frozenset(("add", "subtract"))


def _float_errors(attributes: Mapping[str, Any], result: Any, *operands: Any) -> Any:
    name = attributes["of"]
    real = not any(np.iscomplexobj(part) for part in (result, *operands))
    if not real and name in COMPLEX:
        parts = ((result.real, *(o.real for o in operands)), (result.imag, *(o.imag for o in operands)))
        return np.bitwise_or(*(_float_errors(attributes, *part) for part in parts))
    with np.errstate(all="ignore"):
        if np.asarray(result).dtype.kind in "iu":
            if name == "cast":
                return np.where(_fits(operands[0], np.asarray(result).dtype), 0, INVALID)
            return np.where(np.asarray(operands[1]) == 0, DIVIDE, 0)
        if name not in POLES or not real:
            return np.where(np.isfinite(result), 0, INVALID)
        finite = np.logical_and.reduce([np.isfinite(o) for o in operands])
        number = ~np.logical_or.reduce([np.isnan(o) for o in operands])
        pole = POLES[name]
        zero = pole == ALWAYS if pole < 0 else np.asarray(operands[pole]) == 0
        infinite = np.where(zero, DIVIDE, OVERFLOW)
        found = np.where(np.isinf(result) & finite, infinite, 0)
        return found | np.where(np.isnan(result) & number, INVALID, 0)


def _fits(number: Any, dtype: Any) -> Any:
    low, high = limits(dtype)
    return (number >= low) & (number < high)


def limits(dtype: Any) -> tuple[float, float]:
    """Return the least float that fits into an integer type, and the least above that does not."""
    info = np.iinfo(dtype)
    return float(info.min), float(info.max + 1)


def _types(operands: Sequence[Type], attributes: Mapping[str, Any]) -> tuple[Type, ...]:
    return (spread(operands, INT64),)


# float_errors(result, operands...): for each element, the errors in computing it by the op of the attribute `of`; where they do not show (`is_known`),
# INVALID for what is not finite.
define(OpDef("float_errors", _types, _float_errors, family="elementwise"))


def _heed(attributes: Mapping[str, Any], errors: int) -> tuple[()]:
    raise AssertionError("devices find floating-point errors in ways of their own")


# heed(errors): report errors by the attribute `report` when the call has ended; where it is None, the original runs the call.
define(OpDef("heed", lambda operands, attributes: (), _heed, family="effect", effect=True))


def is_known(name: str, kinds: set[str]) -> bool:
    """Whether the errors of an op on numbers of these kinds of dtypes show in its results."""
    if kinds <= set("iu"):
        return name in ("floor_divide", "remainder")
    if "c" in kinds:
        return kinds == {"c"} and name in COMPLEX
    return kinds == {"f"} and name in POLES and name != "cast"


Report = Callable[[int], None]
