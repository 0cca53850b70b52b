"""Elementwise ops: every ufunc of NumPy that works element by element, declared in one loop."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from transpile.runtime.graph.types import (
    BOOL,
    COMPLEX128,
    FLOAT64,
    INT64,
    ArrayType,
    DType,
    ScalarType,
    Type,
    dims_of,
    element,
)

from .opdef import TABLE, OpDef, define

# What NumPy cannot say of a ufunc: the expression for the machine, where it is one that gives NumPy's bits. Kinds: b bool, i signed,
# u unsigned, f float, c complex.
_COMPARE = "biuf"
INLINE: dict[str, dict[str, str]] = {
    "add": {"iufc": "{0} + {1}", "b": "{0} | {1}"},
    "subtract": {"iufc": "{0} - {1}"},
    "multiply": {"iuf": "{0} * {1}", "b": "{0} & {1}"},
    "divide": {"f": "{0} / {1}"},
    "negative": {"iufc": "-{0}"},
    "positive": {"iufc": "{0}"},
    "absolute": {"if": "abs({0})", "ub": "{0}"},
    "fabs": {"f": "abs({0})"},
    "square": {"iuf": "{0} * {0}"},
    "sqrt": {"f": "sqrt({0})"},
    "floor": {"f": "floor({0})", "iub": "{0}"},
    "ceil": {"f": "ceil({0})", "iub": "{0}"},
    "trunc": {"f": "trunc({0})", "iub": "{0}"},
    "rint": {"f": "rint({0})"},
    "less": {_COMPARE: "{0} < {1}"},
    "less_equal": {_COMPARE: "{0} <= {1}"},
    "greater": {_COMPARE: "{0} > {1}"},
    "greater_equal": {_COMPARE: "{0} >= {1}"},
    "equal": {_COMPARE + "c": "{0} == {1}"},
    "not_equal": {_COMPARE + "c": "{0} != {1}"},
    "logical_and": {"b": "{0} & {1}"},
    "logical_or": {"b": "{0} | {1}"},
    "logical_xor": {"b": "{0} != {1}"},
    "logical_not": {"b": "not {0}"},
    "bitwise_and": {"biu": "{0} & {1}"},
    "bitwise_or": {"biu": "{0} | {1}"},
    "bitwise_xor": {"iu": "{0} ^ {1}", "b": "{0} != {1}"},
    "invert": {"iu": "~{0}", "b": "not {0}"},
    "maximum": {"iub": "max({0}, {1})", "f": "maximum({0}, {1})"},
    "minimum": {"iub": "min({0}, {1})", "f": "minimum({0}, {1})"},
    "isnan": {"f": "{0} != {0}", "iub": "False"},
    "isfinite": {"f": "isfinite({0})", "iub": "True"},
    "isinf": {"f": "isinf({0})", "iub": "False"},
    "sign": {"f": "sign({0})"},
    "conjugate": {"iuf": "{0}"},
}

# Python's operators, by the ufunc that does the same to arrays.
OPERATORS: dict[str, Callable[..., Any]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "floor_divide": operator.floordiv,
    "remainder": operator.mod,
    "power": operator.pow,
    "left_shift": operator.lshift,
    "right_shift": operator.rshift,
    "bitwise_and": operator.and_,
    "bitwise_or": operator.or_,
    "bitwise_xor": operator.xor,
    "invert": operator.invert,
    "negative": operator.neg,
    "positive": operator.pos,
    "absolute": abs,
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
    "equal": operator.eq,
    "not_equal": operator.ne,
    "logical_not": operator.not_,
}
COMPARISONS = frozenset(("less", "less_equal", "greater", "greater_equal", "equal", "not_equal"))

_RANK: dict[DType, int] = {BOOL: 0, INT64: 1, FLOAT64: 2, COMPLEX128: 3}


def k_order(operands: Sequence[ArrayType], rank: int) -> tuple[int, ...] | None:
    """Return the order of axes that NumPy gives a new array for operands of these types, as its iterator sorts them.

    It takes the axes from the last to the first, and moves one within another only where some operand's memory asks for it and
    none speaks against; an operand's axis of length 1, or one it lacks, says nothing.
    """
    if all(operand.order is None for operand in operands):
        return None
    # From the fastest to the slowest.
    places = [
        {axis + rank - len(o.dims): -place for place, axis in enumerate(o.axes) if o.dims[axis] != 1}
        for o in operands
    ]
    return tuple(reversed(sorted_axes(reversed(range(rank)), places)))


def sorted_axes(axes: Iterable[int], places: Sequence[Mapping[int, int]]) -> list[int]:
    """Return axes by their places in some arrays, as NumPy sorts them: each goes before those in front of it as long as some array asks for it, and none speaks against."""
    order: list[int] = []
    for axis in axes:
        place = len(order)
        for candidate, other in reversed([*enumerate(order)]):
            rows_of_both = [rows for rows in places if axis in rows and other in rows]
            if not all(rows[axis] < rows[other] for rows in rows_of_both):
                break
            place = candidate if rows_of_both else place
        order.insert(place, axis)
    return order


def broadcast_dims(shapes: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
    """Return the dims of operands that are known to broadcast: unequal ones are 1."""
    rank = max(map(len, shapes), default=0)
    dims: list[Any] = [1] * rank
    for shape in shapes:
        for axis, dim in enumerate(shape, rank - len(shape)):
            if dim != 1:
                dims[axis] = dim
    return tuple(dims)


def spread(operands: Sequence[Type], dtype: DType) -> Type:
    """Return the type of an elementwise result: broadcast dims, NumPy's order, a scalar where no operand has dims."""
    dims = broadcast_dims([dims_of(operand) for operand in operands])
    if not dims:
        return ScalarType(dtype)
    return ArrayType(dtype, dims, k_order([o for o in operands if isinstance(o, ArrayType)], len(dims)))


@functools.cache
def loop_dtypes(name: str, dtypes: tuple[Any, ...]) -> tuple[DType, ...]:
    """Return the dtypes, of operands and results, of the loop that NumPy takes; a Python type stands for a weak operand.

    Raises TypeError, NumPy's own, where the ufunc has no loop for them.
    """
    ufunc = TABLE[name].numpy
    resolved = ufunc.resolve_dtypes((*dtypes, *[None] * ufunc.nout))
    return tuple(np.dtype(d) for d in resolved)


def python_types(name: str, operands: Sequence[ScalarType]) -> tuple[tuple[DType, ...], ScalarType]:
    """Return what Python's operator casts weak operands to, and the type of its result."""
    widest = max((operand.dtype for operand in operands), key=_RANK.__getitem__)
    own = tuple(operand.dtype for operand in operands)
    if name in COMPARISONS:
        # Python compares an int with a float exactly, without a cast.
        return (tuple(COMPLEX128 for _ in operands) if widest == COMPLEX128 else own), ScalarType(BOOL, True)
    if name == "logical_not" or (name in ("bitwise_and", "bitwise_or", "bitwise_xor") and widest == BOOL):
        return own, ScalarType(BOOL, True)
    if widest == BOOL:
        widest = INT64
    result = FLOAT64 if name == "divide" and widest == INT64 else widest
    if name == "absolute" and widest == COMPLEX128:
        result = FLOAT64
    return tuple(widest for _ in operands), ScalarType(result, True)


def _types(name: str) -> Callable[[Sequence[Type], Mapping[str, Any]], tuple[Type, ...]]:
    def types(operands: Sequence[Type], attributes: Mapping[str, Any]) -> tuple[Type, ...]:
        if all(isinstance(operand, ScalarType) and operand.weak for operand in operands):
            return (python_types(name, operands)[1],)  # type: ignore[arg-type]
        dtypes = loop_dtypes(name, tuple(operand.dtype for operand in operands))  # type: ignore[union-attr]
        return tuple(spread(operands, dtype) for dtype in dtypes[len(operands) :])

    return types


def _evaluate(ufunc: np.ufunc) -> Callable[..., Any]:
    python = OPERATORS.get(ufunc.__name__)

    def evaluate(attributes: Mapping[str, Any], *values: Any) -> Any:
        if python is not None and all(type(value) in (bool, int, float, complex) for value in values):
            return python(*values)
        return ufunc(*values)

    return evaluate


def elementwise_ufuncs() -> list[np.ufunc]:
    """Return NumPy's ufuncs that work on numbers element by element, each once."""
    found: dict[str, np.ufunc] = {}
    # Not dir(np): getting each of those names would import all of NumPy's submodules.
    for _, ufunc in sorted(vars(np).items()):
        if isinstance(ufunc, np.ufunc) and ufunc.signature is None and ufunc.types:
            found.setdefault(ufunc.__name__, ufunc)
    found["clip"] = np._core.umath.clip  # type: ignore[attr-defined]
    return list(found.values())


for _ufunc in elementwise_ufuncs():
    _name = _ufunc.__name__
    define(
        OpDef(
            _name,
            types=_types(_name),
            evaluate=_evaluate(_ufunc),
            family="elementwise",
            numpy=_ufunc,
            cpu={kind: expression for kinds, expression in INLINE.get(_name, {}).items() for kind in kinds},
        )
    )


def _scalar_operator(name: str) -> OpDef:
    """Declare a NumPy scalar's own operator, whose bits are not those of the ufunc's loop."""

    def types(operands: Sequence[Type], attributes: Mapping[str, Any]) -> tuple[Type, ...]:
        return TABLE[name].types(operands, attributes)

    def evaluate(attributes: Mapping[str, Any], *values: Any) -> Any:
        if not any(isinstance(value, np.ndarray) for value in values):
            return OPERATORS[name](*values)
        result = TABLE[name].numpy(*values)
        spread_values = np.broadcast_arrays(result, *values)[1:]
        for place in np.ndindex(result.shape):
            result[place] = OPERATORS[name](*(value[place] for value in spread_values))
        return result

    return define(OpDef(f"scalar_{name}", types, evaluate, family="elementwise"))


# The dtypes for which a scalar's own operator differs from the ufunc.
SCALAR_OPERATORS = {
    **dict.fromkeys(("power", "floor_divide", "remainder"), "biufc"),
    **dict.fromkeys(("multiply", "absolute", "less", "less_equal", "greater", "greater_equal"), "c"),
}
for _name in SCALAR_OPERATORS:
    _scalar_operator(_name)


def _cast_types(operands: Sequence[Type], attributes: Mapping[str, Any]) -> tuple[Type, ...]:
    (operand,) = operands
    if attributes.get("weak"):
        return (ScalarType(attributes["dtype"], True),)
    if isinstance(operand, ArrayType):
        return (ArrayType(attributes["dtype"], operand.dims, operand.order),)
    return (ScalarType(attributes["dtype"]),)


def _cast(attributes: Mapping[str, Any], value: Any) -> Any:
    dtype = attributes["dtype"]
    if attributes.get("weak"):
        return ScalarType(dtype, True).python(value)
    if isinstance(value, np.ndarray):
        if 0 not in value.strides:
            return value.astype(dtype)
        # The iterator of a ufunc, which casts on the way, sorts repeated axes as astype does not.
        result = np.empty_like(np.isfinite(value), dtype)
        np.copyto(result, value, casting="unsafe")
        return result
    if type(value) is int:
        if dtype.kind in "iu" and (dtype.itemsize < 8 or value < 0):
            # Whether it fits is checked by an op of its own, on the way on which it has to.
            return np.int64(value).astype(dtype)
        # One that has left 64 bits is an error.
        return np.array(value, dtype)[()] if dtype.kind in "iu" else dtype.type(value)
    return np.asarray(value).astype(dtype)[()]


define(OpDef("cast", _cast_types, _cast, family="elementwise"))
define(
    OpDef(
        "select",
        lambda operands, attributes: (
            operands[1]
            if all(isinstance(o, ScalarType) for o in operands)
            else spread(operands, operands[1].dtype),  # type: ignore[union-attr]
        ),
        lambda attributes, test, a, b: (
            np.where(test, a, b) if any(isinstance(v, np.ndarray) for v in (test, a, b)) else a if test else b
        ),
        family="elementwise",
    )
)


def _part_types(operands: Sequence[Type], attributes: Mapping[str, Any]) -> tuple[Type, ...]:
    (operand,) = operands
    dtype = np.zeros((), operand.dtype).real.dtype  # type: ignore[union-attr]
    return (spread(operands, dtype),)


# real(z), imaginary(z): the parts of complex numbers.
define(OpDef("real", _part_types, lambda attributes, z: z.real, family="elementwise", cpu={"c": "{0}.real"}))
define(
    OpDef("imaginary", _part_types, lambda attributes, z: z.imag, family="elementwise", cpu={"c": "{0}.imag"})
)


def _complex_types(operands: Sequence[Type], attributes: Mapping[str, Any]) -> tuple[Type, ...]:
    return (spread(operands, np.result_type(element(operands[0]), np.complex64)),)


def _complex_of(attributes: Mapping[str, Any], real: Any, imaginary: Any) -> Any:
    result = np.empty_like(np.add(real, imaginary), np.result_type(real, np.complex64))
    result.real, result.imag = real, imaginary
    return result[()]


# complex_of(real, imaginary): the complex numbers with these parts, two floats of one size.
define(OpDef("complex_of", _complex_types, _complex_of, family="elementwise", cpu={"f": "complex({0}, {1})"}))
# bits(numbers): the numbers that the same bits are in the dtype of the attribute, of the same size.
define(
    OpDef(
        "bits",
        lambda operands, attributes: (
            ArrayType(attributes["dtype"], operands[0].dims, operands[0].order)
            if isinstance(operands[0], ArrayType)
            else ScalarType(attributes["dtype"]),
        ),
        lambda attributes, numbers: numbers.view(attributes["dtype"]),
        family="elementwise",
    )
)
