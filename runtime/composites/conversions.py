"""What NumPy's own Python converts its arguments by, and what it gives is wrapped by."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.functions import Method, implements
from transpile.runtime.arrays.numbers import as_scalar
from transpile.runtime.arrays.operand import Operand
from transpile.runtime.arrays.scalar import SymbolicScalar

from .arguments import result_dtype
from .sequences import as_array

_internals: Any = importlib.import_module("numpy._core._multiarray_umath")


class Converter:
    """What stands for NumPy's `_array_converter`: arguments as arrays, and whether they were numbers."""

    def __init__(self, *things: Any) -> None:
        self.things = things
        self.scalar_input = tuple(not isinstance(thing, SymbolicArray) for thing in things)
        self.as_arrays = Method(self, "as_arrays", _as_arrays)
        self.wrap = Method(self, "wrap", _wrapped)
        self.result_type = Method(self, "result_type", _result_type)

    def __len__(self) -> int:
        return len(self.things)

    def __getitem__(self, place: Any) -> Any:
        return as_array(self.things[place])


def _as_arrays(
    self: Converter, subok: bool = True, pyscalars: str = "convert_if_no_array"
) -> tuple[Any, ...]:
    """Return the arguments as arrays, Python's numbers as they are where those are preserved."""
    weak = [isinstance(thing, (int, float, complex)) or _is_weak(thing) for thing in self.things]
    kept = pyscalars == "preserve" or (pyscalars == "convert_if_no_array" and not all(weak))
    return tuple(
        thing if kept and is_weak else as_array(thing)
        for thing, is_weak in zip(self.things, weak, strict=True)
    )


def _is_weak(thing: Any) -> bool:
    return isinstance(thing, SymbolicScalar) and thing.weak


def _wrapped(self: Converter, array: Any, to_scalar: bool | None = None) -> Any:
    """Return a result: a number where all arguments were, and it has no axes."""
    if to_scalar is None:
        to_scalar = all(self.scalar_input)
    if to_scalar and isinstance(array, SymbolicArray) and not array.ndim:
        return SymbolicScalar(as_scalar(array.read()))
    return array


def _result_type(self: Converter, extra_dtype: Any = None, ensure_inexact: bool = False) -> Any:
    """Return the dtype of the arguments together."""
    plain = (Operand, bool, int, float, complex)
    things = [thing if isinstance(thing, plain) else np.asarray(thing).dtype for thing in self.things]
    found = result_dtype(*things, *([] if extra_dtype is None else [extra_dtype]))
    return result_dtype(found, 0.0) if ensure_inexact else found


implements(_internals._array_converter)(Converter)
