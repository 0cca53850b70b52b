"""Stands for `round`."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from transpile.runtime.arrays.functions import FUNCTIONS, implements
from transpile.runtime.arrays.numbers import cast, lift, to_weak
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.arrays.union import Union
from transpile.runtime.graph.types import BOOL, FLOAT64, INT64

from .builtins import element, to_int
from .whole_numbers import integer_of


@implements(round)
def rounded(number: Any, ndigits: Any = None) -> Any:
    """Stand for `round`."""
    number = element(number) if isinstance(number, Union) else number
    if not isinstance(number, SymbolicScalar):
        return round(number) if ndigits is None else round(number, ndigits)
    if ndigits is not None:
        record = recorder()
        digits = element(ndigits)
        if not number.weak and not (number.type.dtype == FLOAT64 and isinstance(digits, SymbolicScalar)):
            return _rounded_by_numpy(number, digits)
        if isinstance(digits, SymbolicScalar) and digits.type.dtype.kind not in "iub":
            record.unstageable("S252-round", "round() to a number of digits that is no integer")
        if isinstance(digits, SymbolicScalar):
            digits = to_weak(digits.value, INT64)
        else:
            # What is no integer is refused by Python itself.
            round(number.type.python(1), digits)
            digits = lift(int(operator.index(digits)))
        if number.type.dtype.kind in "bi":
            return integer_of(round, number.value, digits, may_leave=SymbolicScalar(digits) < 0)
        return SymbolicScalar(
            record.emit("host_value", number.value, digits, function=round, type=number.type)
        )
    if number.type.dtype.kind == "c":
        name = f"{'' if number.weak else 'numpy.'}{number.python_type.__name__}"
        raise TypeError(f"type {name} doesn't define __round__ method")
    if number.type.dtype.kind == "f":
        # What no float of 64 bits holds, no narrower one does.
        number = SymbolicScalar(to_weak(recorder().emit("rint", cast(number.value, FLOAT64)), FLOAT64))
    elif number.type.dtype == BOOL and not number.weak:
        recorder().unstageable("S252-round", "round() of a truth of NumPy's")
    return to_int(number)


def _rounded_by_numpy(number: SymbolicScalar, digits: Any) -> Any:
    """Return a number of NumPy's to so many digits: its method does it."""
    kind = digits.type.dtype.kind if isinstance(digits, SymbolicScalar) else np.dtype(type(digits)).kind
    if number.type.dtype.kind not in "iuf" or kind not in "iu":
        recorder().unstageable("S252-round", "round() of a number of NumPy's, or to digits, of this kind")
    return FUNCTIONS[np.round](number, digits)
