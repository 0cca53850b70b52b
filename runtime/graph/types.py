"""Types of graph values: scalars weak and strong, arrays, tokens."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from transpile.runtime.errors import StagingError

from .dim import DimLike

# The most axes that NumPy's arrays have.
MOST_AXES = 64

DType = np.dtype[np.generic]

BOOL, INT64, UINT64, FLOAT64, COMPLEX128 = (
    np.dtype(t) for t in (np.bool, np.int64, np.uint64, np.float64, np.complex128)
)

# A Python number is held in the machine by the NumPy dtype of the same range.
PYTHON_TYPES: dict[type, DType] = {bool: BOOL, int: INT64, float: FLOAT64, complex: COMPLEX128}
PYTHON_NAMES = {dtype: python.__name__ for python, dtype in PYTHON_TYPES.items()}


def check_rank(dims: tuple[DimLike, ...]) -> None:
    """Leave it to NumPy to refuse an array, or a view, of more axes than its arrays have."""
    if len(dims) > MOST_AXES:
        raise StagingError("S324-axes", f"an array has more than {MOST_AXES} axes")


@dataclass(frozen=True, slots=True)
class ScalarType:
    """A number: a Python one (`weak`, as NEP 50 has it) or a NumPy scalar."""

    dtype: DType
    weak: bool = False

    @property
    def python(self) -> type:
        """The Python type of a weak scalar."""
        return next(python for python, dtype in PYTHON_TYPES.items() if dtype == self.dtype)

    def __str__(self) -> str:
        return PYTHON_NAMES[self.dtype] if self.weak else short_name(self.dtype)


@dataclass(frozen=True, slots=True)
class ArrayType:
    """An array: `order` lists its axes from the slowest varying in memory to the fastest; C order where it is None."""

    dtype: DType
    dims: tuple[DimLike, ...]
    order: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        check_rank(self.dims)
        if self.order is not None and self.order == tuple(range(len(self.dims))):
            object.__setattr__(self, "order", None)

    @property
    def axes(self) -> tuple[int, ...]:
        """The axes from slowest to fastest."""
        return tuple(range(len(self.dims))) if self.order is None else self.order

    def __str__(self) -> str:
        order = "" if self.order is None else " order " + "".join(map(str, self.order))
        return f"{short_name(self.dtype)}[{', '.join(map(str, self.dims))}]{order}"


@dataclass(frozen=True, slots=True)
class TokenType:
    """The order of the effects on one resource."""

    resource: str

    def __str__(self) -> str:
        return f"token<{self.resource}>"


Type = ScalarType | ArrayType | TokenType

INT, FLOAT, PYBOOL = ScalarType(INT64, True), ScalarType(FLOAT64, True), ScalarType(BOOL, True)


def short_name(dtype: DType) -> str:
    """Return the short name of a dtype: `f64`, `i32`, `b1`, `c128`."""
    if dtype == BOOL:
        return "b1"
    return f"{dtype.kind}{dtype.itemsize * 8}"


def weak(python: type) -> ScalarType:
    """Return the type of a Python number."""
    return ScalarType(PYTHON_TYPES[python], True)


def strong(dtype: DType) -> ScalarType:
    """Return the type of a NumPy scalar."""
    return ScalarType(dtype)


def element(type_: Type) -> DType:
    """Return the dtype of a scalar's or array's elements."""
    # Asked so often that to look first whether it is one that has none would be noticed.
    return type_.dtype  # type: ignore[union-attr]


def dims_of(type_: Type) -> tuple[DimLike, ...]:
    """Return the dims of a type; a scalar and a token have none."""
    return type_.dims if isinstance(type_, ArrayType) else ()
