"""Calls of ufuncs and their methods, with all their arguments."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.elementwise import UFUNCS, apply, broadcast_error, cast, lift, operate
from transpile.runtime.arrays.functions import FUNCTIONS, implements
from transpile.runtime.arrays.indexing import broadcast_to, fit
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.graph.types import dims_of


@implements(np.ufunc)
def ufunc_call(ufunc: np.ufunc, method: str, *args: Any, **kwargs: Any) -> Any:
    """Stand for a call of a ufunc, or of one of its methods."""
    if method == "__call__" and ufunc in UFUNCS:
        return _call(ufunc, *args, **kwargs)
    if method == "__call__" and ufunc in FUNCTIONS:
        return FUNCTIONS[ufunc](*args, **kwargs)
    if method == "reduce" and ("reduce", ufunc.__name__) in FUNCTIONS:
        return FUNCTIONS["reduce", ufunc.__name__](*args, **kwargs)
    return recorder().unstageable("S143-ufunc", f"numpy.{ufunc.__name__}.{method} is not staged")


def _call(
    ufunc: np.ufunc,
    *args: Any,
    out: Any = None,
    where: Any = True,
    dtype: Any = None,
    casting: str = "same_kind",
    **kwargs: Any,
) -> Any:
    if kwargs:
        recorder().unstageable(
            "S144-keyword", f"numpy.{ufunc.__name__}({next(iter(kwargs))}=...) is not staged"
        )
    operands, given = args[: ufunc.nin], args[ufunc.nin :]
    if len(operands) < ufunc.nin:
        raise TypeError(
            f"{ufunc.__name__}() takes from {ufunc.nin} to {ufunc.nargs} positional arguments but {len(args)} were given"
        )
    outs = given if given else out if isinstance(out, tuple) else (out,)
    if where is not True and (outs[0] is None or ufunc.nout > 1):
        recorder().unstageable("S144-keyword", f"numpy.{ufunc.__name__}(where=...) without out=")
    operands = tuple(as_operand(operand) for operand in operands)
    name = UFUNCS[ufunc]
    results = apply(name, *operands, dtype=None if dtype is None else np.dtype(dtype))
    if all(o is None for o in outs):
        return results
    parts = results if isinstance(results, tuple) else (results,)
    stored = tuple(
        part if target is None else store_result(ufunc.__name__, target, part, where, casting)
        for target, part in zip(outs, parts, strict=False)
    )
    return stored if isinstance(results, tuple) else stored[0]


def as_operand(operand: Any) -> Any:
    """Return what a NumPy function takes for an operand: a list stands for an array."""
    return FUNCTIONS[np.asarray](operand) if isinstance(operand, (list, tuple)) else operand


def store_result(
    name: str, target: Any, result: Any, where: Any = True, casting: str = "same_kind"
) -> SymbolicArray:
    """Write a result into `out=`, where `where` holds; NumPy's errors where dtype or shape do not fit."""
    if not isinstance(target, SymbolicArray):
        raise TypeError("return arrays must be of ArrayType")
    value = lift(result)
    dtype = value.type.dtype  # type: ignore[union-attr]
    if not np.can_cast(dtype, target.dtype, casting):  # type: ignore[arg-type]
        raise TypeError(
            f"Cannot cast ufunc '{name}' output from {dtype!r} to {target.dtype!r} with casting rule {casting!r}"
        )
    dims = dims_of(value.type)
    if len(dims) > target.ndim:
        raise broadcast_error([dims, target.dims])
    if dims:
        value = fit(value, dims, target.dims)
    value = cast(value, target.dtype)
    if where is not True:
        record = recorder()
        whole = broadcast_to(value, target.dims)
        value = record.emit("select", lift(where), whole, target.read())
    target.write(value)
    return target


def in_place(name: str) -> Any:
    """Return the method for an in-place operator."""

    def method(self: SymbolicArray, other: Any) -> SymbolicArray:
        result = operate(name, self, as_operand(other))
        return store_result(name, self, result)

    return method


for _method, _name in (
    ("iadd", "add"), ("isub", "subtract"), ("imul", "multiply"), ("itruediv", "divide"), ("ifloordiv", "floor_divide"),
    ("imod", "remainder"), ("ipow", "power"), ("ilshift", "left_shift"), ("irshift", "right_shift"), ("iand", "bitwise_and"),
    ("ior", "bitwise_or"), ("ixor", "bitwise_xor"), ("imatmul", "matmul"),
):  # fmt: skip
    setattr(SymbolicArray, f"__{_method}__", in_place(_name))
