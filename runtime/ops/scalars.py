"""Ops on Python integers that index and slice, and ops that leave the function."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from transpile.runtime.errors import Deoptimise
from transpile.runtime.graph.ir import Op
from transpile.runtime.graph.types import COMPLEX128, FLOAT, INT, PYBOOL, ScalarType
from transpile.runtime.positions import Location
from transpile.runtime.recipes import recipe

from .opdef import OpDef, define


class CannotDeoptimise(Exception):
    """The original would have to take over after an effect that cannot be undone."""

    def __init__(self, op: Op, reason: str) -> None:
        super().__init__(reason)
        self.op = op


def is_handled(op: Op) -> bool:
    """Whether an op stands in a `try` statement: where it fails, the original has to run the call."""
    return bool(op.attributes.get("handled"))


@recipe
def outgrown(location: Location) -> Callable[..., BaseException]:
    """Return what makes the error for an integer that leaves 64 bits when the original cannot run the call any more.

    Given a float that was to become an integer, Python's own error where it has one.
    """
    place = f"{location[-1].file}:{location[-1].line}: " if location else ""

    def error(*numbers: float) -> BaseException:
        for number in numbers:
            try:
                int(number)
            except (ValueError, OverflowError) as raised:
                return raised.with_traceback(None)
        return OverflowError(
            f"{place}a Python integer leaves 64 bits in compiled code, after something that plain Python would do again"
        )

    return error


def index_error(position: int, axis: int, size: int) -> IndexError:
    """Return NumPy's error for an index that names no place along an axis; or none of all elements, where that is -1."""
    along = f"axis {axis} with " if axis >= 0 else ""
    return IndexError(f"index {position} is out of bounds for {along}size {size}")


def _index(attributes: Mapping[str, Any], position: int, size: int) -> int:
    if not -size <= position < size:
        if not -(2**63) <= position < 2**63:
            # NumPy has errors of its own for what is no index of any array.
            np.empty(0)[position]
        raise index_error(position, attributes["axis"], size)
    return position + size if position < 0 else position


# index(position, size): the position counted from the front; IndexError where there is none.
define(OpDef("index", lambda operands, attributes: (INT,), _index, family="scalar", fails=True))


def _slice_bound(attributes: Mapping[str, Any], bound: int, size: int) -> int:
    return slice(bound, None, attributes["step"]).indices(size)[0]


# slice_bound(bound, size): where a slice with a step of this sign starts or stops, as slice.indices has it.
define(OpDef("slice_bound", lambda operands, attributes: (INT,), _slice_bound, family="scalar"))
# slice_length(start, stop): how many elements there are from start to stop by step.
define(
    OpDef(
        "slice_length",
        lambda operands, attributes: (INT,),
        lambda attributes, start, stop: len(range(start, stop, attributes["step"])),
        family="scalar",
    )
)
# room_for(length, room): the room to have before another item is added: more than twice as much, where there is none left.
define(
    OpDef(
        "room_for",
        lambda operands, attributes: (INT,),
        lambda attributes, length, room: room if length < room else 2 * length + 4,
        family="scalar",
    )
)


def _deoptimise_if(attributes: Mapping[str, Any], test: Any, *values: Any) -> tuple[()]:
    if test:
        raise Deoptimise(attributes["reason"])
    return ()


# deoptimise_if(test, values...): give the call up and run the original instead; only where nothing visible was written yet. After that, leave with the
# exception that the attribute `exception`, if there is one, makes of the values.
define(
    OpDef(
        "deoptimise_if",
        lambda operands, attributes: (),
        _deoptimise_if,
        family="effect",
        fails=True,
        effect=True,
    )
)


def _raise(attributes: Mapping[str, Any], *values: Any) -> tuple[()]:
    raise attributes["exception"](*values)


def _raise_if(attributes: Mapping[str, Any], test: Any, *values: Any) -> tuple[()]:
    if test:
        raise attributes["exception"](*values)
    return ()


# raise_if(test, values...): leave with the exception that the attribute makes of the values.
define(
    OpDef("raise_if", lambda operands, attributes: (), _raise_if, family="effect", fails=True, effect=True)
)
# raise(values...): likewise, always.
define(OpDef("raise", lambda operands, attributes: (), _raise, family="effect", fails=True, effect=True))


def _host_call(attributes: Mapping[str, Any], token: Any, *values: Any) -> Any:
    given = (v.copy() if isinstance(v, np.ndarray) else v for v in values)
    result = attributes["function"](*given)
    return (result, token) if attributes.get("types") else token


# host_call(token, values...): call Python, for what it does; takes and returns the token of its resource, and before it what the call gives: a
# number or array of the one type in the attribute `types`, if there is one. An array that is given is new, and in C order. The attribute `noted`, if
# there is one, is a function that does the same as `function` and notes it in the journal: see Note [Running anew].
define(
    OpDef(
        "host_call",
        lambda operands, attributes: (*attributes.get("types", ()), operands[0]),
        _host_call,
        family="effect",
        fails=True,
        effect=True,
    )
)
# host_value(values...): the number of the attribute `type` that a function of Python's makes of numbers.
define(
    OpDef(
        "host_value",
        lambda operands, attributes: (attributes["type"],),
        lambda attributes, *values: attributes["function"](*values),
        family="host",
        fails=True,
    )
)
# token: the state of a resource when the function is called.
define(
    OpDef(
        "token", lambda operands, attributes: (attributes["type"],), lambda attributes: None, family="effect"
    )
)


def _power_leaves_floats(attributes: Mapping[str, Any], base: float, exponent: float) -> bool:
    try:
        return not isinstance(base**exponent, float)
    except (ZeroDivisionError, OverflowError):
        return True


# power_leaves_floats(base, exponent): whether Python's power of two floats is no float: an error or a complex number.
define(
    OpDef(
        "power_leaves_floats", lambda operands, attributes: (PYBOOL,), _power_leaves_floats, family="scalar"
    )
)
# leaves_int64(number): whether a float is no integer of 64 bits when its fraction is cut off.
define(
    OpDef(
        "leaves_int64",
        lambda operands, attributes: (PYBOOL,),
        lambda attributes, number: not -(2.0**63) <= number < 2.0**63,
        family="scalar",
    )
)


def _math_fails(attributes: Mapping[str, Any], *numbers: float) -> bool:
    try:
        getattr(math, attributes["function"])(*numbers)
    except (ValueError, OverflowError, ZeroDivisionError):
        return True
    return False


# math(floats...): a function of Python's math module, which does not raise for these.
define(
    OpDef(
        "math",
        lambda operands, attributes: (FLOAT,),
        lambda attributes, *numbers: getattr(math, attributes["function"])(*numbers),
        family="scalar",
    )
)
# math_fails(floats...): whether it raises.
define(OpDef("math_fails", lambda operands, attributes: (PYBOOL,), _math_fails, family="scalar"))
# make_complex(real, imaginary): Python's complex number of two floats.
define(
    OpDef(
        "make_complex",
        lambda operands, attributes: (ScalarType(COMPLEX128, True),),
        lambda attributes, a, b: complex(a, b),
        family="scalar",
    )
)


def _arange_length(attributes: Mapping[str, Any], start: float, stop: float, step: float) -> int:
    turns = (stop - start) / step
    if turns == 0.0 and stop != start:
        # The step is too long to tell how many it is of.
        return int(math.copysign(1.0, turns) > 0)
    return max(0, math.ceil(turns))


# arange_length(start, stop, step): how many elements numpy.arange makes of floats.
define(
    OpDef(
        "arange_length",
        lambda operands, attributes: (INT,),
        _arange_length,
        family="scalar",
    )
)
