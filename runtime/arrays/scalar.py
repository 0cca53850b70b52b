"""Symbolic scalars: numbers not known until run time."""

from __future__ import annotations

import builtins
from typing import Any, NoReturn

import numpy as np

from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import DType, ScalarType

from .operand import Operand
from .recorder import recorder
from .signals import NeedsHash, NeedsValue

_SEQUENCES = (list, tuple, str, bytes)


class SymbolicScalar(Operand):
    """A Python number or a NumPy scalar that run time gives.

    Whatever needs its value now (`hash`, an index of a list, a format) raises `NeedsValue`.
    """

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        assert isinstance(value.type, ScalarType)
        self.value = value

    @property
    def type(self) -> ScalarType:
        """The graph's type of the scalar."""
        assert isinstance(self.value.type, ScalarType)
        return self.value.type

    @property
    def weak(self) -> bool:
        """Whether it is a Python number."""
        return self.type.weak

    @property
    def python_type(self) -> builtins.type:
        """The type the value has at run time: `int`, `numpy.float64` and so on."""
        return self.type.python if self.weak else self.type.dtype.type

    @property
    def type_name(self) -> str:
        """The name of the type the value has at run time, as Python's errors give it."""
        return self.python_type.__name__ if self.weak else f"numpy.{self.python_type.__name__}"

    def _known(self, *_: Any) -> NoReturn:
        raise NeedsValue(self.value)

    def __bool__(self) -> bool:
        decided = recorder().decide(self.value)
        if decided is None:
            raise NeedsValue(self.value)
        return decided

    __int__ = __float__ = __complex__ = __index__ = __str__ = __repr__ = __format__ = __round__ = _known

    def __hash__(self) -> int:  # type: ignore[override]
        raise NeedsHash(self.value)

    __trunc__ = __floor__ = __ceil__ = _known

    def __mul__(self, other: Any) -> Any:
        return (
            self._repeating(other)
            if isinstance(other, _SEQUENCES)
            else Operand.operate("multiply", self, other)
        )

    def __rmul__(self, other: Any) -> Any:
        return (
            self._repeating(other)
            if isinstance(other, _SEQUENCES)
            else Operand.operate("multiply", other, self)
        )

    def _repeating(self, sequence: Any) -> Any:
        """Return a sequence so many times: to that, Python and NumPy multiply it."""
        self.require_count()
        if isinstance(sequence, str):
            return Operand.call(str.__mul__, sequence, self)
        return type(sequence).__mul__(sequence, self)

    def require_count(self) -> None:
        """Raise Python's TypeError where no sequence is repeated so many times."""
        if self.type.dtype.kind not in ("biu" if self.weak else "iu"):
            raise TypeError(f"can't multiply sequence by non-int of type '{self.type_name}'")

    def __getitem__(self, key: Any) -> Any:
        if self.weak:
            raise TypeError(f"'{self.python_type.__name__}' object is not subscriptable")
        try:
            return Operand.as_array(self)[key]
        except IndexError:
            # NumPy says this whatever an array without axes says of it.
            raise IndexError("invalid index to scalar variable.") from None

    __iter__ = None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Operand.attribute(self, name)

    def __repr_symbolic__(self) -> str:
        return f"<{self.value!r}>"


def dtype_of(number: Any) -> DType:
    """Return the dtype of a number, symbolic or not."""
    return number.type.dtype if isinstance(number, SymbolicScalar) else np.asarray(number).dtype


def symbolic_int(value: Value) -> SymbolicScalar | int:
    """Return the Python integer of a value: a plain one where it is known."""
    dim = recorder().dim(value)
    return dim if isinstance(dim, int) else SymbolicScalar(value)
