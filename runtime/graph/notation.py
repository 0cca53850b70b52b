"""How types, dims, numbers and views are written in the text form of a graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .dim import DimLike, terms_of
from .ir import Value
from .types import BOOL, PYTHON_NAMES, ArrayType, DType, ScalarType, TokenType, Type, dims_of

# Note [Subscripts]
# A view is written as NumPy would index its base: `u[1:-1, :]`, `u[i, None, ::2]`. Where NumPy's notation does not say enough:
#     u[i:+k]                      k elements from i on (with a negative step as well: u[-1:+k:-2])
#     u[None*n, :]                 a new axis along which the elements repeat n times
#     u[:, 0:3].transpose(1, 0)    the axes in another order
#     u[(-1)]                      the position -1 itself, not the last one
#     u[$0, $0 + 1 for $0 < n]     any other map from the indices $0, $1, ... of the view to those of the base
# A stop is where the step leads after the last element, which may lie beyond the end: the length can be told from it.

# Names values and orders them: the order in which a text defines them.
Names = Mapping[Value, str]


class Notation:
    """Writes what is over named values."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self._rank = {value: rank for rank, value in enumerate(names)}

    def value(self, value: Value) -> str:
        """Return the name of a value; one that the graph does not define is written with a question mark."""
        return self.names.get(value) or f"?{value.name or value.serial}"

    def dim(self, dim: DimLike) -> str:
        """Return a dim, its terms in the order in which the text defines their values."""
        rank = self._rank
        terms = [
            (sorted((rank.get(v, -1), self.value(v)) for v in values), factor)
            for values, factor in terms_of(dim)
        ]
        terms.sort(key=lambda term: (-len(term[0]), term[0]))
        text = ""
        for values, factor in terms:
            sign = " - " if factor < 0 else " + "
            size = [str(abs(factor))] if abs(factor) != 1 or not values else []
            text += (sign if text else sign.strip(" +")) + "*".join([*size, *(name for _, name in values)])
        return text

    def dims(self, dims: Sequence[DimLike]) -> str:
        """Return dims, separated by commas."""
        return ", ".join(map(self.dim, dims))

    def type(self, type_: Type) -> str:
        """Return a type: `int` (Python's), `int64` (NumPy's), `float64[n, m]`, `token[stdout]`."""
        if isinstance(type_, TokenType):
            return f"token[{type_.resource}]"
        if isinstance(type_, ScalarType):
            if type_.weak:
                return PYTHON_NAMES[type_.dtype]
            return "bool_" if type_.dtype == BOOL else dtype_text(type_.dtype)
        parts = [*map(self.dim, type_.dims)]
        if type_.order is not None:
            parts.append(f"order={type_.order!r}")
        return f"{dtype_text(type_.dtype)}[{', '.join(parts)}]"

    def subscript(self, view: Any) -> str:
        """Return a view as a subscript of its base; see Note [Subscripts]."""
        moving = [axis for _, terms in view.axes for axis, _ in terms]
        if any(len(terms) > 1 for _, terms in view.axes) or len(set(moving)) < len(moving):
            return self._general(view)
        new = [axis for axis in range(len(view.dims)) if axis not in moving]
        ascending = moving == sorted(moving)
        items: list[str] = []
        places: list[int] = []
        for (offset, terms), base in zip(view.axes, view.base_dims, strict=True):
            if not terms:
                items.append(self._position(offset, base))
                continue
            ((axis, step),) = terms
            while ascending and new and new[0] < axis:
                places.append(new[0])
                items.append(self._new(view.dims[new.pop(0)]))
            places.append(axis)
            items.append(self._slice(offset, view.dims[axis], step, base))
        for axis in new:
            places.append(axis)
            items.append(self._new(view.dims[axis]))
        text = f"[{', '.join(items)}]"
        if places != sorted(places):
            text += f".transpose({', '.join(str(places.index(axis)) for axis in range(len(places)))})"
        return text

    def _position(self, offset: DimLike, base: DimLike) -> str:
        if isinstance(offset, int):
            return str(offset) if offset >= 0 else f"({offset})"
        back = offset - base
        return str(back) if isinstance(back, int) and back < 0 else self.dim(offset)

    def _slice(self, offset: DimLike, length: DimLike, step: int, base: DimLike) -> str:
        by = "" if step == 1 else f":{step}"
        if step == -1 and length == base and offset == base - 1:
            return "::-1"
        start = "" if offset == 0 else self._position(offset, base)
        stop = offset + length * step
        back = stop - base
        if step < 0:
            return f"{start}:+{self.dim(length)}{by}"
        if back == 0:
            return f"{start}:{by}"
        if isinstance(stop, int) and stop >= 0:
            return f"{start}:{stop}{by}"
        if isinstance(back, int) and back < 0:
            return f"{start}:{back}{by}"
        if offset == 0 and step == 1 and not isinstance(length, int):
            return f":{self.dim(length)}"
        return f"{start}:+{self.dim(length)}{by}"

    def _new(self, length: DimLike) -> str:
        return (
            "None"
            if length == 1
            else f"None*({self.dim(length)})"
            if not isinstance(length, int)
            else f"None*{length}"
        )

    def _general(self, view: Any) -> str:
        entries = []
        for offset, terms in view.axes:
            text = "" if offset == 0 and terms else self.dim(offset)
            for axis, step in terms:
                text += (" - " if step < 0 else " + ") if text else "-" if step < 0 else ""
                text += f"${axis}" if abs(step) == 1 else f"{abs(step)}*${axis}"
            entries.append(text)
        limits = ", ".join(f"${axis} < {self.dim(dim)}" for axis, dim in enumerate(view.dims))
        return f"[{', '.join(entries)} for {limits}]"


def dtype_text(dtype: DType) -> str:
    """Return the name of a dtype, or its code in quotes where the name does not tell it."""
    try:
        named = np.dtype(dtype.name) == dtype
    except TypeError:
        named = False
    return dtype.name if named else repr(dtype.str)


def number_text(number: Any, dtype: DType) -> str:
    """Return a number so that its bits can be told: as Python writes it or, where that loses some, as `bits('hex')`."""
    stored = np.asarray(number, dtype)
    if dtype.kind == "b":
        return str(bool(number))
    if dtype.kind in "iu":
        return str(int(number))
    for text in _spellings(stored, dtype):
        if read_number(text, dtype).tobytes() == stored.tobytes():
            return text
    return f"bits({stored.tobytes().hex()!r})"


def _spellings(stored: Any, dtype: DType) -> list[str]:
    if dtype.kind == "c":
        part = np.dtype(f"f{dtype.itemsize // 2}")
        parts = [_spellings(half, part) for half in (stored.real, stored.imag)]
        return [f"complex({a}, {b})" for a, b in zip(*parts, strict=True)]
    if dtype.kind != "f":
        return []
    return [str(stored[()]), repr(float(stored))]


def read_number(text: str, dtype: DType) -> Any:
    """Return the NumPy scalar that `number_text` wrote."""
    if text.startswith("bits("):
        return np.frombuffer(bytes.fromhex(text[6:-2]), dtype)[0]
    if text.startswith("complex("):
        real, imaginary = text[8:-1].split(", ")
        part = np.dtype(f"f{dtype.itemsize // 2}")
        number = np.zeros((), dtype)
        number.real, number.imag = read_number(real, part), read_number(imaginary, part)
        return number[()]
    if text in ("True", "False"):
        return dtype.type(text == "True")
    if dtype.kind in "iu":
        return np.array(int(text), dtype)[()]
    return np.array(float(text), dtype)[()]


# What the attributes of an op are where its text does not give them: they follow from the type of the result.
Derive = Callable[[Any], Any]


def _dims(type_: ArrayType) -> Any:
    return type_.dims


def _dtype(type_: ArrayType | ScalarType) -> Any:
    return type_.dtype


def _order(type_: ArrayType) -> Any:
    return type_.order


def _itself(type_: Type) -> Any:
    return type_


DERIVED: dict[str, dict[str, Derive]] = {
    "constant": {"type": _itself},
    "token": {"type": _itself},
    "empty": {"dtype": _dtype, "dims": _dims, "order": _order},
    "fill": {"dims": _dims, "order": _order},
    "iota": {"dims": _dims},
    "reshape": {"dims": _dims},
    "copy": {"order": _order},
    "concatenate": {"order": _order},
    "reduce": {"dtype": _dtype},
    "cast": {"dtype": _dtype, "weak": lambda type_: bool(getattr(type_, "weak", False))},
    "bits": {"dtype": _dtype},
    "nonzero": {"dims": _dims},
    "host_call": {"types": lambda type_: () if isinstance(type_, TokenType) else (type_,)},
    "host_value": {"type": _itself},
    "numpy": {"dims": dims_of, "dtype": _dtype, "scalar": lambda type_: isinstance(type_, ScalarType)},
    "update": {"input": lambda type_: None},
    "scatter": {"input": lambda type_: None},
}
"""Attributes by op, with what they are where the text leaves them out, given the type of the first result."""
