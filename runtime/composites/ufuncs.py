"""Calls of ufuncs and their methods, with all their arguments."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, fresh
from transpile.runtime.arrays.broadcasting import agree, broadcast_error, disagree
from transpile.runtime.arrays.countable import Countable
from transpile.runtime.arrays.elementwise import UFUNCS, apply, operate
from transpile.runtime.arrays.functions import FUNCTIONS, implements, within
from transpile.runtime.arrays.indexing import broadcast_to, fit
from transpile.runtime.arrays.numbers import as_scalar, cast, lift
from transpile.runtime.arrays.one_number import Target
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.arrays.strides import runs_forward
from transpile.runtime.arrays.union import Union
from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import BOOL, ArrayType, ScalarType, dims_of
from transpile.runtime.ops.backwards import rounds_backwards
from transpile.runtime.ops.table import TABLE

from .arguments import NOTHING, as_dtype


@implements(np.ufunc)
def ufunc_call(ufunc: np.ufunc, method: str, *args: Any, **kwargs: Any) -> Any:
    """Stand for a call of a ufunc, or of one of its methods."""
    if method == "__call__" and ufunc in UFUNCS:
        return _call(ufunc, *args, **kwargs)
    if method == "__call__" and ufunc in FUNCTIONS:
        return FUNCTIONS[ufunc](*args, **kwargs)
    if method == "reduce" and ("reduce", ufunc.__name__) in FUNCTIONS:
        return FUNCTIONS["reduce", ufunc.__name__](*args, **kwargs)
    if method in _METHODS and (ufunc in UFUNCS or method in ("accumulate", "at")):
        # NumPy reports errors by the method's name: the original is to say it.
        return within(True, FUNCTIONS[_METHODS[method]], (ufunc, *args), kwargs)
    if method == "outer" and ufunc in UFUNCS and len(args) == 2:
        left, right = (FUNCTIONS[np.asarray](arg) for arg in args)
        return _call(ufunc, left[(..., *[np.newaxis] * right.ndim)], right, **kwargs)
    return recorder().unstageable("S143-ufunc", f"numpy.{ufunc.__name__}.{method} is not staged")


_METHODS = {"reduce": "fold", "reduceat": "reduceat", "accumulate": "accumulate", "at": "at"}


def _call(
    ufunc: np.ufunc,
    *args: Any,
    out: Any = NOTHING,
    where: Any = True,
    dtype: Any = None,
    casting: str = "same_kind",
    order: str = "K",
    subok: bool = True,
    **kwargs: Any,
) -> Any:
    record = recorder()
    name = ufunc.__name__
    if kwargs or order not in ("K", "C", "F"):
        record.unstageable("S144-keyword", f"numpy.{name}({next(iter(kwargs), 'order')}=...) is not staged")
    if not ufunc.nin <= len(args) <= ufunc.nargs:
        raise record.unsure(
            TypeError(f"{name}() takes from {ufunc.nin} to {ufunc.nargs} positional arguments")
        )
    if not isinstance(subok, bool):
        raise record.unsure(TypeError("'subok' must be a boolean"))
    if ufunc.nout > 1 and out is not NOTHING and out is not ... and not isinstance(out, tuple):
        raise record.unsure(TypeError("'out' must be a tuple of arrays"))
    out = None if out is NOTHING else out
    operands, given = tuple(map(as_operand, args[: ufunc.nin])), args[ufunc.nin :]
    if given and out is not None:
        raise TypeError("cannot specify 'out' as both a positional and keyword argument")
    if given and name in _BY_NAME:
        record.unstageable(
            "S144-keyword", f"numpy.{name} warns of an output that is given by place", "give out="
        )
    if out is ...:
        # An array is asked for, where there are no axes as well.
        found = _call(ufunc, *args, where=where, dtype=dtype, casting=casting, order=order, **kwargs)
        return tuple(map(_as_array, found)) if isinstance(found, tuple) else _as_array(found)
    if isinstance(out, tuple) and len(out) != ufunc.nout:
        raise record.unsure(ValueError("The 'out' tuple must have exactly one entry per ufunc output"))
    outs = given or (out if isinstance(out, tuple) else (out,))
    outs = (*outs, *[None] * (ufunc.nout - len(outs)))
    if where is not True and any(o is None for o in outs):
        record.unstageable("S144-keyword", f"numpy.{name}(where=...) leaves elements unset", "give out=")
    if name in _BY_LAYOUT or name == "absolute":
        _check_layouts(name, operands, outs, where is not True)
    if casting != "same_kind" or where is not True:
        operands, dtype = _cast_to_loop(ufunc, operands, dtype, casting), None
    if where is not True:
        where = truths(where)
    targets = [target.dims for target in outs if isinstance(target, SymbolicArray)]
    has_union = any(isinstance(operand, Union) for operand in operands)
    fits = not targets or len(targets) == len(outs)
    if targets and not has_union:
        # NumPy names the shapes of all, where the result's would not do for either.
        sources = [dims_of(lift(operand).type) for operand in operands]
        condition = [] if where is True else [dims_of(lift(where).type)]
        dims = agree([*sources, *targets, *condition], broadcast_error)
        fits = fits or _are_same(dims, agree(sources, broadcast_error))
    if not fits:
        record.unstageable("S144-keyword", f"numpy.{name} into one array, which the others are as large as")
    if where is not True:
        operands = tuple(_tamed(name, operand, where) for operand in operands)
    target = Target(outs[0] if isinstance(outs[0], SymbolicArray) else None, where is not True)
    results = apply(UFUNCS[ufunc], *operands, dtype=None if dtype is None else as_dtype(dtype), target=target)
    parts = results if isinstance(results, tuple) else (results,)
    stored = tuple(
        _in_order(part, order) if target is None else store_result(name, target, part, where, casting)
        for target, part in zip(outs, parts, strict=True)
    )
    return stored if isinstance(results, tuple) else stored[0]


def _are_same(dims: Sequence[DimLike], others: Sequence[DimLike]) -> bool:
    """Whether dims are others, or may be taken for them."""
    return len(dims) == len(others) and all(map(recorder().assume_equal, dims, others))


# Ufuncs that are to get their output by its name: a third operand is what they might be thought to take.
_BY_NAME = frozenset(("maximum", "minimum"))

# Ufuncs whose loops go another way, and round otherwise, where memory runs backwards, or where what is written is read.
_BY_LAYOUT = frozenset((
    "exp", "log", "tan", "exp2", "expm1", "log2", "log10", "log1p", "cbrt", "sinh", "cosh", "arcsin", "arccos", "arctan", "arcsinh", "arccosh",
    "arctanh", "arctan2", "power", "multiply", "square",
))  # fmt: skip


def _check_layouts(name: str, operands: tuple[Any, ...], outs: tuple[Any, ...], masked: bool) -> None:
    """Leave a call to NumPy that writes backwards, over a part of what it reads, or reads backwards where a mask is true."""
    kinds = "c" if name in ("multiply", "square") else "f"
    arrays = [operand for operand in operands if isinstance(operand, SymbolicArray)]
    for out in outs:
        if not isinstance(out, SymbolicArray):
            continue
        backwards = [out, *arrays] if masked else [out]
        chars = {array.dtype.char for array in [out, *arrays]}
        turned = any(rounds_backwards(name, char) for char in chars) and not all(map(runs_forward, backwards))
        if not turned and (name == "absolute" or out.dtype.kind not in kinds):
            continue
        overlaps = any(array.storage is out.storage and not array.shows_same(out) for array in arrays)
        if overlaps or turned:
            recorder().unstageable(
                "S144-keyword",
                f"numpy.{name} backwards into out=, or into a part of what it reads, where it rounds otherwise",
            )


def _cast_to_loop(ufunc: np.ufunc, operands: tuple[Any, ...], dtype: Any, casting: str) -> tuple[Any, ...]:
    """Return operands in the dtypes of the loop that NumPy takes under a casting rule."""
    values = [as_scalar(lift(operand)) for operand in operands]
    if casting in ("no", "equiv") and any(isinstance(v.type, ScalarType) and v.type.weak for v in values):
        recorder().unstageable(
            "S144-keyword", f"numpy.{ufunc.__name__}(casting='{casting}') of Python's numbers"
        )
    asked = tuple(
        t.python if isinstance(t, ScalarType) and t.weak and t.dtype != BOOL else t.dtype  # type: ignore[union-attr]
        for t in (value.type for value in values)
    )
    nothing = (None,) * ufunc.nout
    signature = (*[None] * ufunc.nin, *[None if dtype is None else as_dtype(dtype)] * ufunc.nout)
    loop = ufunc.resolve_dtypes((*asked, *nothing), signature=signature, casting=casting)  # type: ignore[arg-type]
    results = (cast(value, wanted) for value, wanted in zip(values, loop, strict=False))
    return tuple(fresh(value) for value in results)


def truths(where: Any) -> Any:
    """Return the condition that `where=` gives: numbers and lists are made one; NumPy's TypeError where it is an array of numbers."""
    if isinstance(where, SymbolicScalar):
        return fresh(cast(where.value, BOOL))
    if not isinstance(where, SymbolicArray):
        return FUNCTIONS[np.asarray](where, BOOL)
    if where.dtype != BOOL:
        text = f"Cannot cast array data from {where.dtype!r} to {BOOL!r} according to the rule 'safe'"
        raise recorder().unsure(TypeError(text))
    return where


def _tamed(name: str, operand: Any, where: Any) -> Any:
    """Return an operand with a harmless number where the result is not wanted, so that nothing is said of what NumPy skips."""
    agree([dims_of(operand.type), dims_of(where.type)], broadcast_error)
    harmless = operand.type.dtype.type(0 if name == "arctanh" else 1)
    return fresh(recorder().emit("select", lift(where), lift(operand), lift(harmless)))


def _as_array(result: Any) -> Any:
    return result if isinstance(result, SymbolicArray) else FUNCTIONS[np.asarray](result)


def _in_order(result: Any, order: str) -> Any:
    """Return a result in the order in memory that a caller asks for."""
    if order == "K" or not isinstance(result, SymbolicArray):
        return result
    axes = None if order == "C" else tuple(reversed(range(result.ndim)))
    if result.type == ArrayType(result.dtype, result.type.dims, axes):
        return result
    return fresh(recorder().emit("copy", result.read(), order=axes))


def as_operand(operand: Any) -> Any:
    """Return what a NumPy function takes for an operand: a list stands for an array."""
    return FUNCTIONS[np.asarray](operand) if isinstance(operand, (list, tuple, Countable)) else operand


def store_result(
    name: str, target: Any, result: Any, where: Any = True, casting: str = "same_kind"
) -> SymbolicArray:
    """Write a result into `out=`, where `where` holds; NumPy's errors where dtype or shape do not fit."""
    if not isinstance(target, SymbolicArray):
        raise recorder().unsure(TypeError("return arrays must be of ArrayType"))
    value = lift(result)
    dtype = value.type.dtype  # type: ignore[union-attr]
    if not np.can_cast(dtype, target.dtype, casting):  # type: ignore[arg-type]
        raise _casting_error()(TABLE[name].numpy, casting, dtype, target.dtype, 0)
    dims = dims_of(value.type)
    if len(dims) > target.ndim:
        disagree([dims, target.dims], _out_error)
    if dims:
        value = fit(value, dims, target.dims, _out_error)
    if where is not True and target.dtype.kind == "c" and dtype.kind in "iuf":
        recorder().unstageable(
            "S146-imaginary",
            f"numpy.{name}(where=...) reads complex numbers of out= as real ones, of which NumPy warns",
        )
    value = cast(value, target.dtype)
    if where is not True:
        value = _where(where, value, target)
    target.write(value)
    return target


@cache
def _casting_error() -> type[TypeError]:
    """Return the class of NumPy's error for a result that its array cannot be given: only an error tells."""
    try:
        np.add(0.5, 0.5, out=np.empty((), int))
    except TypeError as error:
        return type(error)
    raise AssertionError


def _out_error(shapes: Any) -> ValueError:
    source, target = (str(tuple(shape)).replace(" ", "") for shape in shapes)
    return ValueError(
        f"non-broadcastable output operand with shape {target} doesn't match the broadcast shape {source}"
    )


def _where(where: Any, value: Value, target: SymbolicArray) -> Value:
    """Return a value in the places where a condition holds, and what is there already in all others."""
    test = lift(truths(where))
    agree([target.dims, dims_of(test.type)], broadcast_error)
    if len(dims_of(test.type)) > target.ndim:
        disagree([target.dims, dims_of(test.type)], broadcast_error)
    if not target.ndim:
        return recorder().emit("select", test, as_scalar(value), as_scalar(target.read()))
    return recorder().emit("select", test, broadcast_to(value, target.dims), target.read())


def _check_cast(name: str, target: SymbolicArray, other: SymbolicArray) -> None:
    """Raise NumPy's error where an operator in place gives a dtype that the array cannot be given, which it looks at before shapes."""
    empty = np.empty(0, target.dtype)
    try:
        TABLE[name].numpy(empty, np.empty(0, other.dtype), out=empty)
    except TypeError as error:
        raise error.with_traceback(None) from None


def _check_matmul(target: SymbolicArray, other: Any) -> None:
    """Raise NumPy's error where a product in place is one that would contract an array of vectors."""
    if isinstance(other, SymbolicArray) and other.ndim and (not target.ndim or other.ndim < 2):
        raise ValueError(
            "inplace matrix multiplication requires the first operand to have at least one and the second "
            "at least two dimensions."
        )


def in_place(name: str) -> Any:
    """Return the method for an in-place operator."""

    def method(self: SymbolicArray, other: Any) -> SymbolicArray:
        other = as_operand(other)
        if isinstance(other, Union) and other.has_others:
            other.on_each_way(lambda way: method(self, way))
            return self
        if name == "matmul":
            _check_matmul(self, other)
        elif isinstance(other, SymbolicArray):
            _check_cast(name, self, other)
            # NumPy names the operand that is written once more.
            agree([self.dims, other.dims], lambda shapes: broadcast_error([*shapes, shapes[0]]))
        result = operate(name, self, other, target=Target(self))
        if name == "matmul" and not _are_same(result.dims[-2:][-self.ndim :], self.dims[-2:]):
            # Of a product, only what lies around rows and columns is repeated.
            raise recorder().unsure(
                ValueError("matmul: Output operand 0 has a mismatch in its core dimensions")
            )
        return store_result(name, self, result)

    return method


for _method, _name in (
    ("iadd", "add"), ("isub", "subtract"), ("imul", "multiply"), ("itruediv", "divide"), ("ifloordiv", "floor_divide"),
    ("imod", "remainder"), ("ipow", "power"), ("ilshift", "left_shift"), ("irshift", "right_shift"), ("iand", "bitwise_and"),
    ("ior", "bitwise_or"), ("ixor", "bitwise_xor"), ("imatmul", "matmul"),
):  # fmt: skip
    setattr(SymbolicArray, f"__{_method}__", in_place(_name))
