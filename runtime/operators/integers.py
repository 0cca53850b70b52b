"""Functions of Python's integers that are loops: powers with a modulus, and how many bits there are."""

from __future__ import annotations

import builtins
from typing import Any

from transpile.runtime.arrays.functions import PYTHON_METHODS, implements
from transpile.runtime.arrays.numbers import lift
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.references import is_symbolic
from transpile.runtime.arrays.scalar import SymbolicScalar

from .call import call


@implements(builtins.pow)
def power(base: Any, exp: Any, mod: Any = None) -> Any:
    """Stand for `pow`."""
    if mod is None:
        return base**exp
    if not is_symbolic((base, exp, mod)):
        return pow(base, exp, mod)
    if not all(map(_is_int, (base, exp, mod))):
        recorder().unstageable("S253-pow", "pow() with a modulus, of other things than integers")
    for test in (exp < 0, mod == 0):
        if test is not False:
            recorder().deoptimise_if(lift(test), "pow() with a modulus of 0, or of a negative exponent")
    return call(_power, base, exp, mod)


def _is_int(thing: Any) -> bool:
    if isinstance(thing, SymbolicScalar):
        return thing.weak and thing.type.dtype.kind == "i"
    return type(thing) is int


def _power(base: Any, exp: Any, mod: Any) -> Any:
    result = 1 % mod
    base = base % mod
    while exp > 0:
        if exp & 1:
            result = result * base % mod
        exp = exp >> 1
        if exp > 0:
            base = base * base % mod
    return result


def _length(number: Any) -> Any:
    count = 0
    left = abs(number)
    while left > 0:
        left = left >> 1
        count += 1
    return count


def _ones(number: Any) -> Any:
    count = 0
    left = abs(number)
    while left > 0:
        left = left & (left - 1)
        count += 1
    return count


def _of_integers(name: str, function: Any) -> Any:
    def method(number: Any) -> Any:
        if number.type.dtype.kind not in "bi":
            return getattr(0.0, name)  # raises Python's own error
        return call(function, number + 0)

    return method


for _name, _function in {"bit_length": _length, "bit_count": _ones}.items():
    PYTHON_METHODS[_name] = _of_integers(_name, _function)
