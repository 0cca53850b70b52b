"""Applies ufuncs and Python's operators to symbolic values."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import (
    BOOL,
    FLOAT64,
    INT,
    INT64,
    PYTHON_TYPES,
    ArrayType,
    DType,
    ScalarType,
    TokenType,
    Type,
    dims_of,
    element,
    weak,
)
from transpile.runtime.ops.elementwise import (
    COMPARISONS,
    OPERATORS,
    SCALAR_OPERATORS,
    loop_dtypes,
    python_types,
)
from transpile.runtime.ops.table import TABLE
from transpile.runtime.views.view import View

from .array import SymbolicArray, fresh
from .operand import Operand
from .recorder import recorder
from .scalar import SymbolicScalar
from .union import Union

# The ufuncs that are ops, each with the op's name.
UFUNCS: dict[Any, str] = {
    op.numpy: name for name, op in TABLE.items() if op.family == "elementwise" and op.numpy
}

UINT64 = np.dtype(np.uint64)

# Dtypes that the graph holds; arrays of others (strings, dates, records, objects) are left to NumPy.
DTYPES = frozenset(np.dtype(c) for c in "?bhilqBHILQefdFD")


def is_number(value: Any) -> bool:
    """Whether a value is a number, symbolic or not, or a symbolic array."""
    return isinstance(value, (bool, int, float, complex, np.generic, SymbolicScalar, SymbolicArray))


def lift(value: Any) -> Value:
    """Return the graph's value of a number or symbolic value."""
    if isinstance(value, SymbolicScalar):
        return value.value
    if isinstance(value, SymbolicArray):
        return value.read()
    record = recorder()
    if type(value) in PYTHON_TYPES:
        if type(value) is int and not -(2**63) <= value < 2**63:
            record.unstageable("S120-big-integer", f"{value} does not fit into 64 bits")
        return record.constant(value, weak(type(value)))
    if isinstance(value, np.generic) and value.dtype in DTYPES:
        return record.constant(value, ScalarType(value.dtype))
    record.unstageable("S121-value", f"a value of type {type(value).__name__} cannot be an operand")


def as_scalar(value: Value) -> Value:
    """Return the scalar of an array without axes; other values as they are."""
    if isinstance(value.type, ArrayType) and not value.type.dims:
        return recorder().emit("load", value, view=View.identity(()))
    return value


def cast(value: Value, dtype: DType) -> Value:
    """Return `value` as an array or NumPy scalar of `dtype`; a Python integer that does not fit raises NumPy's OverflowError."""
    type_ = value.type
    assert not isinstance(type_, TokenType)
    is_weak = isinstance(type_, ScalarType) and type_.weak
    if type_.dtype == dtype and not is_weak:
        return value
    record = recorder()
    if is_weak and type_.dtype == INT64 and dtype.kind in "iu":
        value = _checked_range(value, dtype)
    value = _as_held(value)
    if value.type == ScalarType(dtype):
        return value
    op = value.op
    if op is not None and op.name == "constant":
        with np.errstate(all="ignore"):
            return record.constant(np.array(op.attributes["value"]).astype(dtype)[()], ScalarType(dtype))
    return record.emit("cast", value, dtype=dtype)


def _as_held(value: Value) -> Value:
    """Return the scalar of the same bits that a cast only made weak or strong."""
    op = value.op
    if op is not None and op.name == "cast" and isinstance(value.type, ScalarType):
        held = op.operands[0]
        if isinstance(held.type, ScalarType) and held.type.dtype == value.type.dtype:
            return _as_held(held)
    return value


def _checked_range(value: Value, dtype: DType) -> Value:
    record = recorder()
    info = np.iinfo(dtype.str)
    low, high = int(info.min), min(int(info.max), 2**63 - 1)

    def error(number: int) -> OverflowError:
        return OverflowError(f"Python integer {number} out of bounds for {dtype.name}")

    known = record.dim(value)
    if isinstance(known, int):
        if not low <= known <= info.max:
            raise error(known)
        return value
    number = SymbolicScalar(value)
    if low > -(2**63) and not record.bounds.nonnegative(known - low):
        raise_if(number < low, error, number)
    if high < 2**63 - 1 and not record.bounds.nonnegative(high - known):
        raise_if(number > high, error, number)
    return value


def to_weak(value: Value, dtype: DType) -> Value:
    """Return a Python number as a Python number of the type that `dtype` stands for."""
    value = _as_held(value)
    if value.type == ScalarType(dtype, True):
        return value
    op = value.op
    if op is not None and op.name == "constant":
        type_ = ScalarType(dtype, True)
        return recorder().constant(type_.python(op.attributes["value"]), type_)
    return recorder().emit("cast", value, dtype=dtype, weak=True)


def broadcast_error(shapes: Sequence[tuple[Any, ...]]) -> ValueError:
    """Return NumPy's error for operands whose shapes do not agree."""
    text = " ".join(str(tuple(shape)).replace(" ", "") for shape in shapes)
    return ValueError(f"operands could not be broadcast together with shapes {text} ")


def agree(
    shapes: Sequence[tuple[DimLike, ...]], error: Callable[[Sequence[tuple[int, ...]]], Exception]
) -> tuple[DimLike, ...]:
    """Return the dims that shapes broadcast to, and make sure that they do.

    What cannot be assumed of the arguments is checked at run time, where `error` makes the exception of the shapes.
    """
    record = recorder()
    rank = max(map(len, shapes), default=0)
    result: list[DimLike] = [1] * rank
    for shape in shapes:
        for axis, dim in enumerate(shape, rank - len(shape)):
            known = result[axis]
            if dim == 1 or record.same(dim, known):
                continue
            if known == 1:
                result[axis] = dim
            elif isinstance(dim, int) and isinstance(known, int):
                raise error(shapes)  # type: ignore[arg-type]
            elif not record.assume_equal(known, dim):
                _check_equal(known, dim, shapes, error)
    return tuple(map(record.normal, result))


def _check_equal(
    first: DimLike, second: DimLike, shapes: Sequence[tuple[DimLike, ...]], error: Callable[[Any], Exception]
) -> None:
    record = recorder()
    a, b = record.dim_value(first), record.dim_value(second)
    unequal = record.emit("not_equal", a, b)
    if ("checked", unequal) in record.frame.memo:
        return
    record.frame.memo["checked", unequal] = unequal
    # A size that run time gives may be 1, and would broadcast.
    one = record.constant(1, INT)
    stretched = record.emit("bitwise_or", record.emit("equal", a, one), record.emit("equal", b, one))
    record.deoptimise_if(
        record.emit("bitwise_and", unequal, stretched), "a size that run time gives is 1 and broadcasts"
    )
    ranks = [len(shape) for shape in shapes]

    def exception(*numbers: int) -> Exception:
        left = iter(numbers)
        return error([tuple(next(left) for _ in range(rank)) for rank in ranks])

    record.raise_if(unequal, exception, *(record.dim_value(dim) for shape in shapes for dim in shape))


# -- applying -----------------------------------------------------------------------------------------------------


def apply(name: str, *operands: Any, dtype: DType | None = None) -> Any:
    """Apply an elementwise op, by its name in the table, to numbers and symbolic values, as NumPy's ufunc does.

    `dtype` asks for the loop of that result. Several results come as a tuple. Raises NumPy's own TypeError where there is no loop.
    """
    if any(isinstance(operand, Union) for operand in operands):
        return _over_union(name, lambda *parts: apply(name, *parts, dtype=dtype), operands)
    values = [as_scalar(lift(operand)) for operand in operands]
    return _results(name, _strong_operands(name, values, dtype))


def operate(name: str, *operands: Any) -> Any:
    """Apply Python's operator: on Python numbers alone as Python does, else as NumPy does."""
    if not all(is_number(operand) or isinstance(operand, Union) for operand in operands):
        return _operate_on_other(name, operands)
    if any(isinstance(operand, Union) for operand in operands):
        if name == "divmod":
            return operate("floor_divide", *operands), operate("remainder", *operands)
        return _over_union(name, lambda *parts: operate(name, *parts), operands)
    if name == "matmul":
        return Operand.matmul(*operands)
    if name == "power" and isinstance(operands[0], SymbolicArray) and operands[0].ndim:
        return _array_power(*operands)
    values = [as_scalar(lift(operand)) for operand in operands]
    types = [value.type for value in values]
    if all(isinstance(type_, ScalarType) and type_.weak for type_ in types):
        if name == "divmod":
            return operate("floor_divide", *operands), operate("remainder", *operands)
        return _python_operator(name, values)
    if types == [ScalarType(COMPLEX, True), ScalarType(FLOAT64)] and name not in _NOT_COMPLEX:
        # To Python's complex a NumPy float64 is the Python float that it is as well.
        return _python_operator(name, [values[0], to_weak(values[1], FLOAT64)])
    strong = _strong_operands(name, values, None)
    if name in SCALAR_OPERATORS and all(isinstance(type_, ScalarType) for type_ in types):
        # Where both operands have to be cast, NumPy's scalars leave them to the ufunc.
        dtype = element(strong[0].type)
        own = any(not type_.weak and type_.dtype == dtype for type_ in types)  # type: ignore[union-attr]
        if own and all(element(value.type).kind in SCALAR_OPERATORS[name] for value in strong):
            return _results(f"scalar_{name}", strong)
    return _results(name, strong)


def _operate_on_other(name: str, operands: tuple[Any, ...]) -> Any:
    """Apply an operator one of whose operands is no number: a list stands for an array, None equals nothing but None."""
    if name in ("equal", "not_equal"):
        place = next((p for p, o in enumerate(operands) if isinstance(o, Union)), None)
        if place is not None:
            union = operands[place].bound()
            ways = union.alternatives if isinstance(union, Union) else (union,)
            truths = [OPERATORS[name](*operands[:place], way, *operands[place + 1 :]) for way in ways]
            return choose(union.tag, truths) if isinstance(union, Union) else truths[0]
    if name in ("equal", "not_equal") and not any(
        isinstance(o, (SymbolicArray, list, tuple)) for o in operands
    ):
        return name == "not_equal"
    if any(isinstance(o, (list, tuple)) for o in operands):
        if any(
            isinstance(o, SymbolicArray) or (isinstance(o, SymbolicScalar) and not o.weak) for o in operands
        ):
            return operate(
                name, *(Operand.as_array(o) if isinstance(o, (list, tuple)) else o for o in operands)
            )
    return NotImplemented


def _results(name: str, values: Sequence[Value]) -> Any:
    record = recorder()
    if name in ("power", "scalar_power") and element(values[1].type).kind == "i":
        _check_exponent(values)
    elif name == "power" and element(values[1].type).kind == "f":
        _check_repeats(values)
    if TABLE[name].numpy is not None and TABLE[name].numpy.nout > 1:
        return tuple(fresh(value) for value in record.append(name, values, {}))
    return fresh(record.emit(name, *values))


def _not_negative(value: Value) -> bool:
    """Whether it is known that an integer is not negative."""
    op = value.op
    if op is not None and op.name == "cast":
        (value,) = op.operands
    elif op is not None and op.name == "constant":
        return bool(op.attributes["value"] >= 0)
    return value.type == INT and recorder().bounds.nonnegative(recorder().dim(value))


def _check_repeats(values: Sequence[Value]) -> None:
    """Refuse a float power whose exponent stays the same along the innermost axis and changes along another.

    NumPy squares and takes roots where a whole run has the exponent 2 or 0.5; whether such an exponent reaches it as a run or
    through a buffer depends on sizes.
    """
    (type_,) = TABLE["power"].types([value.type for value in values], {})
    own = dims_of(values[1].type)
    if isinstance(type_, ArrayType) and any(dim != 1 for dim in own):
        innermost = type_.axes[-1] - len(type_.dims)
        if type_.dims[innermost] != 1 and (-innermost > len(own) or own[innermost] == 1):
            recorder().unstageable(
                "S124-power",
                "an exponent repeats along the innermost axis, where sizes decide how NumPy computes the power",
                "loop over the exponents",
            )


def _check_exponent(values: Sequence[Value]) -> None:
    """Make sure that an integer is raised to no negative power, which NumPy refuses."""
    record = recorder()
    exponent = values[1]
    if _not_negative(exponent):
        return
    negative = record.emit("less", exponent, lift(element(exponent.type).type(0)))
    if not any(isinstance(value.type, ArrayType) for value in values):
        record.raise_if(negative, lambda: ValueError("Integers to negative integer powers are not allowed."))
        return
    # How far an array is written by then is for NumPy to say.
    if isinstance(negative.type, ArrayType):
        axes = tuple(range(len(negative.type.dims)))
        negative = record.emit("reduce", negative, ufunc="logical_or", axes=axes, dtype=BOOL)
    record.deoptimise_if(negative, "an integer is raised to a negative power")


def _strong_operands(name: str, values: Sequence[Value], dtype: DType | None) -> list[Value]:
    """Return the operands cast to NumPy's loop, once their dims agree."""
    types = [value.type for value in values]
    if all(isinstance(type_, ScalarType) and type_.weak for type_ in types):
        values = [cast(value, value.type.dtype) for value in values]  # type: ignore[union-attr]
        types = [value.type for value in values]
    asked = tuple(map(_asked, types))
    if dtype is not None:
        ufunc = TABLE[name].numpy
        loop = ufunc.resolve_dtypes(
            (*asked, *[None] * ufunc.nout), signature=(None,) * len(asked) + (dtype,) * ufunc.nout
        )
    elif (
        name in COMPARISONS
        and any(a is int for a in asked)
        and all(a is int or np.dtype(a).kind in "biu" for a in asked)
    ):
        return _compare_with_integer(name, values, asked)
    else:
        loop = loop_dtypes(name, asked)
    for dtype_ in loop:
        if dtype_ not in DTYPES:
            recorder().unstageable("S122-dtype", f"the dtype {dtype_} is not compiled")
    agree([dims_of(type_) for type_ in types], broadcast_error)
    return [cast(value, dtype_) for value, dtype_ in zip(values, loop, strict=False)]


def _asked(type_: Type) -> Any:
    """Return what NumPy looks for a loop by: a dtype, or Python's type of a weak number; a Python bool counts as NumPy's."""
    assert not isinstance(type_, TokenType)
    is_weak = isinstance(type_, ScalarType) and type_.weak and type_.dtype != BOOL
    return type_.python if is_weak else type_.dtype  # type: ignore[union-attr]


def _fits(value: Value, dtype: DType) -> bool:
    """Whether a Python integer is known to be in the range of a dtype."""
    known = recorder().dim(value)
    limits: Any = np.iinfo(dtype)
    return isinstance(known, int) and limits.min <= known <= limits.max


def _compare_with_integer(name: str, values: Sequence[Value], asked: tuple[Any, ...]) -> list[Value]:
    """Return operands to compare integers with a Python integer, which NumPy does exactly, whatever the dtype's range."""
    own = next(a for a in asked if a is not int)
    if own != BOOL and all(_fits(v, own) for v, a in zip(values, asked, strict=True) if a is int):
        return [cast(v, own) for v in values]
    if np.dtype(np.uint64) in asked:
        # A Python integer that may be negative is then less than all: as int64 it compares exactly, though not in one instruction.
        return [
            (cast(v, UINT64) if _not_negative(v) else cast(v, INT64)) if a is int else v
            for v, a in zip(values, asked, strict=True)
        ]
    return [cast(v, INT64) for v in values]


# What Python's floats do not have.
_ON_BITS = frozenset(("left_shift", "right_shift", "bitwise_and", "bitwise_or", "bitwise_xor", "invert"))
# What fails for some second operands.
_FAILING = frozenset(("divide", "floor_divide", "remainder", "left_shift", "right_shift", "power"))
# What Python's complex numbers do not have.
_NOT_COMPLEX = frozenset(("floor_divide", "remainder", "less", "less_equal", "greater", "greater_equal"))


def _python_operator(name: str, values: Sequence[Value]) -> Any:
    """Apply an operator to Python numbers."""
    record = recorder()
    known = [
        value.op.attributes["value"] if value.op and value.op.name == "constant" else None for value in values
    ]
    if all(number is not None for number in known):
        return OPERATORS[name](*known)
    if name in _ON_BITS and any(element(value.type).kind in "fc" for value in values):
        # Python's own TypeError, whatever the numbers.
        return OPERATORS[name](*(value.type.python(1) for value in values))  # type: ignore[union-attr]
    loop, _ = python_types(name, [value.type for value in values])  # type: ignore[misc]
    if COMPLEX in (element(value.type) for value in values) and name in _NOT_COMPLEX:
        raise TypeError(f"unsupported operand type(s) for complex: {name}")
    operands = [to_weak(value, dtype) for value, dtype in zip(values, loop, strict=True)]
    if name in _FAILING and record.supposed is not None:
        # Where this alternative does not hold, nothing may fail that is computed of it.
        one = lift(operands[1].type.python(1))  # type: ignore[union-attr]
        operands[1] = record.emit("select", record.supposed, operands[1], one)
    if name in ("divide", "floor_divide", "remainder"):
        divisor = operands[1]
        if not (divisor.type.dtype == INT64 and _not_zero(divisor)):  # type: ignore[union-attr]
            message = _zero_division(name, values)
            raise_if(operate("equal", SymbolicScalar(divisor), 0), lambda: ZeroDivisionError(message))
    if name in ("left_shift", "right_shift") and not record.bounds.nonnegative(record.dim(operands[1])):
        raise_if(operate("less", SymbolicScalar(operands[1]), 0), lambda: ValueError("negative shift count"))
    if name == "power":
        return _python_power(operands)
    return SymbolicScalar(record.emit(name, *operands))


def raise_if(test: Any, exception: Callable[..., Exception], *operands: Any) -> None:
    """Raise, where `test` holds, what `exception` makes of the operands' values: now, where it is known, else at run time."""
    if isinstance(test, SymbolicScalar):
        recorder().raise_if(test.value, exception, *map(lift, operands))
    elif test:
        raise exception(*operands)


COMPLEX = np.dtype(np.complex128)


def _not_zero(divisor: Value) -> bool:
    record = recorder()
    dim = record.dim(divisor)
    return record.bounds.nonnegative(dim - 1) or record.bounds.nonnegative(-1 - dim)


def _zero_division(name: str, values: Sequence[Value]) -> str:
    """Return Python's message for this operator and these operand types, asked of Python itself."""
    try:
        OPERATORS[name](*(value.type.python(0) for value in values))  # type: ignore[union-attr]
    except ZeroDivisionError as error:
        return str(error)
    raise AssertionError


def _python_power(operands: Sequence[Value]) -> Any:
    """Raise a Python number to a power: an int to a negative one is a float, and some floats give complex numbers."""
    record = recorder()
    base, exponent = operands
    dtype = base.type.dtype  # type: ignore[union-attr]
    if dtype == INT64:
        known = record.dim(exponent)
        if isinstance(known, int) and known < 0:
            return _python_operator("power", [to_weak(base, FLOAT64), to_weak(exponent, FLOAT64)])
        if not record.bounds.nonnegative(known):
            record.deoptimise_if(
                record.emit("less", exponent, record.constant(0, INT)), "an int has a negative exponent"
            )
    elif dtype == FLOAT64:
        record.deoptimise_if(
            record.emit("power_leaves_floats", base, exponent), "a float power that is an error or complex"
        )
    elif dtype == COMPLEX:
        return SymbolicScalar(
            record.emit("host_value", base, exponent, function=operator.pow, type=ScalarType(COMPLEX, True))
        )
    return SymbolicScalar(record.emit("power", base, exponent))


def _array_power(base: SymbolicArray, exponent: Any) -> Any:
    """Raise an array to a power as its operator does, which has shorter ways for some exponents that are Python numbers."""
    if base.dtype.kind in "fc" and type(exponent) in (int, float):
        short = {(int, -1): "reciprocal", (int, 2): "square", (float, 0.5): "sqrt"}.get(
            (type(exponent), exponent)
        )
        if short is not None:
            return apply(short, base)
    if (
        base.dtype.kind in "fc"
        and isinstance(exponent, SymbolicScalar)
        and exponent.weak
        and exponent.type.dtype in (INT64, FLOAT64)
    ):
        # Which way it is shows at run time.
        powers = lift(apply("power", base, exponent))
        for number, short in (
            ((-1, "reciprocal"), (2, "square")) if exponent.type.dtype == INT64 else ((0.5, "sqrt"),)
        ):
            test = recorder().emit("equal", exponent.value, lift(number))
            powers = recorder().emit("select", test, lift(apply(short, base)), powers)
        return fresh(powers)
    return apply("power", base, exponent)


def _over_union(name: str, function: Callable[..., Any], operands: tuple[Any, ...]) -> Any:
    """Apply a function of scalars where the type of one operand depends on the way control took.

    Each alternative is computed; where all give one type, the union ends there.
    """
    place = next(p for p, o in enumerate(operands) if isinstance(o, Union))
    union = operands[place].numbers()
    if not isinstance(union, Union):
        return function(*operands[:place], union, *operands[place + 1 :])
    if any(isinstance(o, SymbolicArray) for o in operands):
        return function(
            *operands[:place], _beside_arrays(name, union, operands, place), *operands[place + 1 :]
        )
    if _same_bits(name, union, [o for o in operands if o is not operands[place]]):
        return _computed_once(function, union, operands, place)
    results: dict[int, Any] = {}
    refused: dict[int, TypeError] = {}
    for number, alternative in enumerate(union.alternatives):
        # An operand that is the same union has the same alternative.
        parts = [alternative if o is operands[place] else o for o in operands]
        with recorder().supposing(lift(union.tag == number)):
            try:
                results[number] = function(*parts)
            except TypeError as error:
                refused[number] = error
    if not results:
        raise refused[0]
    for number, reason in refused.items():
        recorder().deoptimise_if(lift(union.tag == number), str(reason))
    other = next(iter(results.values()))
    return choose(union.tag, [results.get(number, other) for number in range(len(union.alternatives))])


# Operators that give the same bits for Python's floats and NumPy's.
_SAME_BITS = frozenset(("add", "subtract", "multiply", "negative", "positive", "conjugate"))


def _same_bits(name: str, union: Union, others: Sequence[Any]) -> bool:
    """Whether an operator gives the same bits for all alternatives, of which some are Python's and some NumPy's."""
    dtypes = {way.type.dtype for way in union.alternatives}
    if len(dtypes) > 1 or not dtypes <= {FLOAT64, COMPLEX} or all(way.weak for way in union.alternatives):
        return False
    if any(isinstance(o, Union) for o in others):
        return False
    if name in _SAME_BITS:
        return True
    # Python compares a float with an int exactly, and NumPy does not.
    return name in COMPARISONS and all(element(lift(o).type).kind in "fc" for o in others)


def _computed_once(function: Callable[..., Any], union: Union, operands: tuple[Any, ...], place: int) -> Any:
    """Apply a function to a union once, for the NumPy scalar that it may be; where it is Python's, the result may be Python's too."""
    strong = next(way for way in union.alternatives if not way.weak)
    result = function(*(strong if o is operands[place] else o for o in operands))
    if not all(_is_weak(o) for o in operands if o is not operands[place]):
        return result
    ways = [
        SymbolicScalar(to_weak(result.value, result.type.dtype)) if way.weak else result
        for way in union.alternatives
    ]
    return choose(union.tag, ways)


def _is_weak(operand: Any) -> bool:
    """Whether an operand is a Python number."""
    return operand.weak if isinstance(operand, SymbolicScalar) else type(operand) in PYTHON_TYPES


def _beside_arrays(name: str, union: Union, operands: tuple[Any, ...], place: int) -> Any:
    """Return a union as the one number that an op with arrays takes, if all alternatives are taken as the same dtype."""
    others = [o for p, o in enumerate(operands) if p != place]
    if name in TABLE and name != "power" and not any(isinstance(o, Union) for o in others):
        asked = [lift(o).type for o in others]
        loops = set()
        for alternative in union.alternatives:
            types = [*asked[:place], lift(alternative).type, *asked[place:]]
            loops.add(loop_dtypes(name, tuple(map(_asked, types))))
        if len(loops) == 1:
            dtype = loops.pop()[place]
            return choose(union.tag, [SymbolicScalar(cast(lift(way), dtype)) for way in union.alternatives])
    return union.resolved()


def choose(tag: SymbolicScalar, results: list[Any]) -> Any:
    """Return the one of several scalars that `tag` names: a union where their types differ."""
    record = recorder()
    if any(isinstance(result, Union) for result in results):
        tag, results = _flattened(tag, results)
    values = [lift(result) for result in results]
    if len({value.type for value in values}) > 1:
        return Union(tag, tuple(SymbolicScalar(value) for value in values))
    chosen = values[-1]
    for place in range(len(values) - 2, -1, -1):
        if values[place] is not chosen:
            chosen = record.emit("select", lift(tag == place), values[place], chosen)
    return SymbolicScalar(chosen)


def _flattened(tag: SymbolicScalar, results: list[Any]) -> tuple[SymbolicScalar, list[Any]]:
    """Return a choice among unions as a choice among all their alternatives, of which each type has one."""
    alternatives: list[SymbolicScalar] = []
    tags: list[Any] = []
    for place, result in enumerate(results):
        own = tuple(result.alternatives) if isinstance(result, Union) else (SymbolicScalar(lift(result)),)
        inner: list[Any] = []
        for alternative in own:
            known = next((p for p, a in enumerate(alternatives) if a.type == alternative.type), None)
            if known is None:
                inner.append(len(alternatives))
                alternatives.append(alternative)
                continue
            inner.append(known)
            # Results before this one have their alternative in this place.
            alternatives[known] = choose(
                SymbolicScalar(to_weak(lift(tag == place), INT64)), [alternatives[known], alternative]
            )
        tags.append(choose(result.tag, inner) if isinstance(result, Union) else inner[0])
    return choose(tag, tags), list(alternatives)


def truth(value: Any) -> Any:
    """Return `bool(value)`: a Python bool where it is known, else a symbolic one.

    Raises NumPy's ValueError for an array of other than one element.
    """
    if isinstance(value, Union):
        if not all(isinstance(a, SymbolicScalar) for a in value.alternatives):
            value = value.bound()
        if isinstance(value, Union):
            parts = [truth(alternative) for alternative in value.alternatives]
            return choose(value.tag, parts)
    if isinstance(value, SymbolicArray):
        value = _only_element(value)
    if isinstance(value, SymbolicScalar):
        if value.type.dtype == BOOL:
            return SymbolicScalar(to_weak_bool(value.value))
        zero = np.zeros((), value.type.dtype)[()]
        return SymbolicScalar(
            recorder().emit(
                "cast",
                lift(operate("not_equal", value, value.type.python(0) if value.weak else zero)),
                dtype=BOOL,
                weak=True,
            )
        )
    if getattr(value, "is_staged", False):
        return operate("not_equal", value.length, 0)
    return bool(value)


def to_weak_bool(value: Value) -> Value:
    """Return a truth as Python's bool."""
    return to_weak(value, BOOL)


def _only_element(array: SymbolicArray) -> Any:
    for dim in array.dims:
        if dim != 1 and not recorder().assume_equal(dim, 1):
            if isinstance(dim, int):
                if dim == 0:
                    raise ValueError(
                        "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an array is not empty."
                    )
                raise ValueError(
                    "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"
                )
            recorder().unstageable("S123-truth", "the truth of an array whose size run time gives")
    return array[(0,) * array.ndim] if array.ndim else SymbolicScalar(as_scalar(array.read()))


Operand.operate = staticmethod(operate)
