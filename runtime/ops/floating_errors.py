"""Floating-point errors: which NumPy is told to warn of, what it says, and the ops that find them by their numbers."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from transpile.runtime.graph.types import INT64, Type
from transpile.runtime.recipes import recipe

from .elementwise import OPERATORS, spread
from .opdef import OpDef, define
from .scalars import Deoptimise

# Note [Floating-point errors]
# NumPy clears the processor's status flags before each call of an inner loop, and warns of what they say after it. A kernel does many of NumPy's
# calls at once: its flags tell that there is something to warn of, but not where. So errors are also found by the numbers: NaN where no
# operand was, infinity of finite operands. That is what the flags say of one op, except of underflow.

DIVIDE, OVERFLOW, UNDERFLOW, INVALID = 1, 2, 4, 8
# By how much the bits of errors are moved that there may be, or not: of which the numbers do not tell.
UNSURE = 4
# In the order in which NumPy reports those of one call.
_TEXTS = {
    DIVIDE: "divide by zero encountered in",
    OVERFLOW: "overflow encountered in",
    UNDERFLOW: "underflow encountered in",
    INVALID: "invalid value encountered in",
}
_MODES = {"divide": DIVIDE, "over": OVERFLOW, "under": UNDERFLOW, "invalid": INVALID}

# The state lies behind a context variable of NumPy's own; reading it is much faster than asking for its contents.
VARIABLE = getattr(np._core.umath, "_extobj_contextvar", None)  # type: ignore[attr-defined]
state_of: Callable[[], Any] = getattr(VARIABLE, "get", np.geterr)
_known: tuple[Any, int] = (None, -1)


def heeded() -> int:
    """Return which floating-point errors NumPy is told to warn of; -1 where any is to be raised, called, printed or logged, as only the original does."""
    global _known
    state = state_of()
    if state is not _known[0]:
        _known = state, _heeded(told())
    return _known[1]


def _heeded(modes: Any) -> int:
    if not {"ignore", "warn"}.issuperset(modes.values()):
        return -1
    return sum(bit for kind, bit in _MODES.items() if modes[kind] == "warn")


class Called:
    """What NumPy calls while tracing of floating-point errors of numbers that are known, which it would warn of in every call."""

    def __init__(self, refuse: Callable[[str], None]) -> None:
        self.refuse = refuse

    def __call__(self, kind: str, flags: int) -> None:
        self.refuse(kind)


def told() -> dict[str, Any]:
    """Return what NumPy is told to do of floating-point errors; while tracing, what the program has told it."""
    modes: dict[str, Any] = dict(np.geterr())
    if isinstance(np.geterrcall(), Called):
        return {kind: "warn" if mode == "call" else mode for kind, mode in modes.items()}
    return modes


def call_for_warnings() -> None:
    """While tracing, have NumPy call what `calling` was given, where it is told to warn."""
    if isinstance(np.geterrcall(), Called):
        modes: dict[str, Any] = {kind: "call" for kind, mode in np.geterr().items() if mode == "warn"}
        np.seterr(**modes)


@contextmanager
def calling(refuse: Callable[[str], None]) -> Iterator[None]:
    """Have `refuse` called, with the kind of error, where NumPy would warn."""
    with np.errstate(call=Called(refuse)):
        call_for_warnings()
        yield


class Flagged(Deoptimise):
    """The processor's flags tell of floating-point errors that NumPy is to warn of: the original must run the call, to tell where."""


@dataclass(frozen=True, eq=False)
class Reporter:
    """Says what NumPy says of errors in one op of the user's: its name, the line, and the globals of the function there."""

    name: str
    file: str
    line: int
    namespace: Any

    def __repr__(self) -> str:
        return f"{self.name!r} in line {self.line}"

    def __call__(self, errors: int) -> None:
        """Warn, as NumPy does from within the user's function."""
        registry = self.namespace.setdefault("__warningregistry__", {})
        for text in self._texts(errors):
            warnings.warn_explicit(text, RuntimeWarning, self.file, self.line, self._module, registry)

    def raises(self, errors: int) -> bool:
        """Whether a filter makes an exception of one of the warnings; or may do so, of one that there may be."""
        return bool(errors >> UNSURE & ~errors) or any(
            self._action(text) == "error" for text in self._texts(errors)
        )

    def repeats(self, errors: int) -> bool:
        """Whether the warnings are shown each time that they are given, or may be; otherwise the first time alone."""
        return any(self._action(text) in ("always", "all", "error") for text in self._texts(errors))

    @property
    def _module(self) -> str:
        return str(self.namespace.get("__name__", "<string>"))

    def _texts(self, errors: int) -> list[str]:
        return [f"{text} {self.name}" for error, text in _TEXTS.items() if errors & error]

    def _action(self, text: str) -> str:
        """Return what the first filter that a warning passes says."""
        for action, message, category, module, line in warnings.filters:
            if (
                issubclass(RuntimeWarning, category)
                and _passes(message, text)
                and _passes(module, self._module)
                and line in (0, self.line)
            ):
                return action
        return str(warnings.defaultaction)  # type: ignore[attr-defined]


@functools.cache
def overflowing(name: str, call: Callable[[Any], object]) -> Reporter | None:
    """Return what reports errors where NumPy's own Python is when a call with an array overflows; None where it is not there."""
    try:
        with np.errstate(all="raise"):
            call(np.full(2, np.finfo(np.float64).max))
    except FloatingPointError as error:
        at = error.__traceback__
        while at is not None and at.tb_next is not None:
            at = at.tb_next
        if at is not None and at.tb_frame.f_globals is not globals():
            code = at.tb_frame.f_code
            return Reporter(name, code.co_filename, at.tb_lineno, at.tb_frame.f_globals)
    return None


def flags_of(call: Callable[..., object], *operands: Any) -> int:
    """Return the errors of which NumPy would warn in a call."""
    seen = 0

    def note(kind: str, flags: int) -> None:
        nonlocal seen
        seen |= flags

    with np.errstate(all="call", call=note):
        call(*operands)
    return seen


def warn_of(reports: Sequence[tuple[Reporter, int]], final: bool = False) -> None:
    """Warn of the floating-point errors that a call has met, in their order; leave that to the original where a warning may end the call and it is not too late."""
    if not final and any(report.raises(errors) for report, errors in reports):
        raise Deoptimise("a warning may be an error")
    for report, errors in reports:
        report(errors)


# The filters of warnings that were looked through last, and whether there was one that makes an exception.
_looked: tuple[list[Any], bool] = ([], False)


def may_be_error() -> bool:
    """Whether a filter makes an exception of some RuntimeWarning."""
    global _looked
    if warnings.filters != _looked[0]:
        filters = list(warnings.filters)
        found = any(
            action == "error" and issubclass(RuntimeWarning, kind) for action, _, kind, _, _ in filters
        )
        _looked = filters, found
    return _looked[1] or str(warnings.defaultaction) == "error"  # type: ignore[attr-defined]


def _passes(pattern: Any, text: str) -> bool:
    """Whether a text is one that a filter of warnings is for: its pattern is compiled, a text by itself, or None for all."""
    return pattern is None or bool(pattern == text if isinstance(pattern, str) else pattern.match(text))


def raising(errors: int) -> dict[str, Any]:
    """Return how `numpy.errstate` is to be called for these errors to be raised, and no others."""
    return {kind: "raise" if errors & bit else "ignore" for kind, bit in _MODES.items()}


@recipe
def flagging(function: Callable[..., Any], told: int) -> Callable[..., Any]:
    """Return what calls a function of NumPy's, and raises Flagged where that would warn of one of these errors."""
    modes = raising(told)
    if VARIABLE is None:
        return _flagging(function, modes)
    # The state that NumPy is put into, and the one that it was made of; putting it there is much faster than making it.
    known: tuple[Any, Any] = (None, None)

    def run(*given: Any) -> Any:
        nonlocal known
        before = VARIABLE.get()
        made_of, state = known
        if made_of is not before:
            with np.errstate(**modes):
                state = VARIABLE.get()
            known = before, state
        token = VARIABLE.set(state)
        try:
            return function(*given)
        except FloatingPointError:
            pass
        finally:
            VARIABLE.reset(token)
        raise Flagged("NumPy warns of floating-point errors")

    return run


def _flagging(function: Callable[..., Any], modes: Mapping[str, Any]) -> Callable[..., Any]:
    def run(*given: Any) -> Any:
        with np.errstate(**modes):
            try:
                return function(*given)
            except FloatingPointError:
                pass
        raise Flagged("NumPy warns of floating-point errors")

    return run


# Where operations on finite real numbers give infinity because they divide by zero: never, always, or where an operand, by its place, is 0. Those that are not
# named here may do so for reasons that do not show.
NEVER, ALWAYS = -1, -2
POLES = {
    **dict.fromkeys(("add", "subtract", "multiply", "square", "sqrt", "remainder", "fmod"), NEVER),
    **dict.fromkeys(("exp", "exp2", "expm1", "sinh", "cosh", "hypot", "cast"), NEVER),
    **dict.fromkeys(("sin", "cos", "tan", "arcsin", "arccos", "arctan", "arctan2", "clip"), NEVER),
    **dict.fromkeys(
        ("tanh", "arcsinh", "arccosh", "cbrt", "deg2rad", "rad2deg", "degrees", "radians"), NEVER
    ),
    **dict.fromkeys(("log", "log2", "log10", "log1p", "arctanh"), ALWAYS),
    **dict.fromkeys(("divide", "floor_divide"), 1),
    **dict.fromkeys(("power", "reciprocal"), 0),
}
# The operations on integers that divide them, and those whose quotient of the least by -1 does not fit.
OVERFLOWS = frozenset(("floor_divide", "divmod"))
DIVIDES = OVERFLOWS | {"remainder", "fmod", "reciprocal"}
# The operators by which NumPy's integer scalars leave their range, which it warns of; ufuncs and arrays wrap around without a word.
WRAPS = frozenset(("add", "subtract", "multiply", "negative", "absolute"))
# The operations on complex numbers whose errors show: they are sums, or sums of products, of the parts.
COMPLEX = frozenset(("add", "subtract", "multiply", "square"))
# Complex numbers are ordered by their real parts, and where these are equal by the others: no part that is compared may be NaN.
ORDERINGS = frozenset(("less", "less_equal", "greater", "greater_equal"))
# Operations on complex numbers, and on others, that may have errors although their results are finite.
_HIDDEN_COMPLEX = frozenset(("divide", "power", "float_power", "reciprocal", "sign"))
_HIDDEN = frozenset(("logaddexp", "logaddexp2"))


def is_known(name: str, kinds: set[str]) -> bool:
    """Whether the errors of an op on numbers of these kinds of dtypes show in its results."""
    if kinds <= set("iu"):
        return name in DIVIDES or name in WRAPS
    if "c" in kinds:
        return name in ORDERINGS or (kinds == {"c"} and name in COMPLEX)
    return kinds == {"f"} and name in POLES


def is_sure(name: str, kinds: set[str]) -> bool:
    """Whether errors show, and there are never any of which the numbers do not tell whether they are there."""
    return (
        is_known(name, kinds)
        and name != "power"
        and not (kinds == {"c"} and name in COMPLEX - {"add", "subtract"})
    )


def is_hidden(name: str, kinds: set[str]) -> bool:
    """Whether an op may have errors of which its results show nothing."""
    return name in _HIDDEN or ("c" in kinds and name in _HIDDEN_COMPLEX)


def _float_errors(attributes: Mapping[str, Any], result: Any, *operands: Any) -> Any:
    name = attributes["of"]
    with np.errstate(all="ignore"):
        if name in ORDERINGS:
            return _of_ordering(*operands)
        if np.asarray(result).dtype.kind in "iu":
            if name == "cast":
                low, high = limits(np.asarray(result).dtype)
                return np.where((operands[0] >= low) & (operands[0] < high), 0, INVALID)
            if name in WRAPS:
                return OVERFLOW if int(result) != _exact(name, *map(int, operands)) else 0
            if name == "reciprocal":
                # The quotient is a float first, which does not fit.
                return np.where(np.asarray(operands[0]) == 0, DIVIDE | INVALID, 0)
            found = np.where(np.asarray(operands[1]) == 0, DIVIDE, 0)
            if name not in OVERFLOWS or np.asarray(result).dtype.kind == "u":
                return found
            least = np.iinfo(np.asarray(result).dtype).min
            return np.where((operands[0] == least) & (operands[1] == -1), OVERFLOW, found)
        if not np.iscomplexobj(result):
            return _of_real(name, result, *operands)
        parts = ((result.real, *(o.real for o in operands)), (result.imag, *(o.imag for o in operands)))
        if name not in COMPLEX or not operands:
            return _of_real("", result.real) | _of_real("", result.imag)
        if name in ("add", "subtract"):
            return _of_real(name, *parts[0]) | _of_real(name, *parts[1])
        a, b = operands[0], operands[-1]
        return _of_products(result.real, (a.real, b.real), (a.imag, b.imag)) | _of_products(
            result.imag, (a.real, b.imag), (a.imag, b.real)
        )


def _exact(name: str, *numbers: int) -> int:
    """Return what an operator gives of integers without end."""
    exact: int = OPERATORS[name](*numbers)
    return exact


def _of_ordering(left: Any, right: Any) -> Any:
    """Return the errors in ordering complex numbers."""
    first = np.isnan(left.real) | np.isnan(right.real)
    second = (left.real == right.real) & (np.isnan(left.imag) | np.isnan(right.imag))
    return np.where(first | second, INVALID, 0)


def _of_real(name: str, result: Any, *operands: Any) -> Any:
    """Return the errors in computing a real number."""
    if name not in POLES or not operands:
        return np.where(np.isfinite(result), 0, INVALID)
    finite = np.logical_and.reduce([np.isfinite(o) for o in operands])
    number = ~np.logical_or.reduce([np.isnan(o) for o in operands])
    pole = POLES[name]
    by_zero = pole == ALWAYS if pole < 0 else np.asarray(operands[pole]) == 0
    # Of an infinite quotient the fraction is no number.
    infinite = np.where(by_zero, DIVIDE, OVERFLOW | INVALID if name == "floor_divide" else OVERFLOW)
    found = np.where(np.isinf(result) & finite, infinite, 0)
    found |= np.where(np.isnan(result) & number, INVALID, 0)
    if name == "power":
        found |= np.where(np.isinf(result) & np.isinf(operands[1]), (DIVIDE | OVERFLOW) << UNSURE, 0)
    return found


def _of_products(result: Any, *factors: tuple[Any, Any]) -> Any:
    """Return the errors in computing the sum, or difference, of two products, one of which may not be rounded."""
    (a, b), (c, d) = factors
    first, second = a * b, c * d
    grows = [np.isinf(a * b) & np.isfinite(a) & np.isfinite(b) for a, b in factors]
    fails = [np.isnan(a * b) & ~np.isnan(a) & ~np.isnan(b) for a, b in factors]
    finite, number = np.isfinite(first) & np.isfinite(second), ~np.isnan(first) & ~np.isnan(second)
    overflow = (grows[0] & (np.isfinite(second) | grows[1])) | (grows[1] & np.isfinite(first))
    invalid = (fails[0] & (~np.isnan(second) | fails[1])) | (fails[1] & ~np.isnan(first))
    overflow = (overflow & ~np.isfinite(result)) | (np.isinf(result) & finite)
    invalid = invalid | (np.isnan(result) & number)
    found = np.where(overflow, OVERFLOW, 0) | np.where(invalid, INVALID, 0)
    # What is added again to what is there already changes nothing.
    found |= np.where((grows[0] | grows[1]) & ~np.isfinite(result), OVERFLOW << UNSURE, 0)
    return found | np.where(fails[0] | fails[1], INVALID << UNSURE, 0)


def limits(dtype: Any) -> tuple[float, float]:
    """Return the least float that fits into an integer type, and the least above that does not."""
    info = np.iinfo(dtype)
    return float(info.min), float(info.max + 1)


def _types(operands: Sequence[Type], attributes: Mapping[str, Any]) -> tuple[Type, ...]:
    return (spread(operands, INT64),)


# float_errors(result, operands...): for each element, the errors in computing it by the op of the attribute `of`; where they do not show (`is_known`),
# or the operands are not given, INVALID for what is not finite.
define(OpDef("float_errors", _types, _float_errors, family="elementwise"))


# heed(errors): report errors by the attribute `report` when the call has ended; where it is None, the original runs the call. Where NumPy computes, and reports itself,
# it does nothing.
define(
    OpDef(
        "heed",
        lambda operands, attributes: (),
        lambda attributes, errors: (),
        family="effect",
        effect=True,
    )
)
