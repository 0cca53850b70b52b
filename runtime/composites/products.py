"""Products of vectors and matrices."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, dim_scalar, fresh
from transpile.runtime.arrays.broadcasting import agree, broadcast_error
from transpile.runtime.arrays.elementwise import apply, operate
from transpile.runtime.arrays.functions import FUNCTIONS, implements
from transpile.runtime.arrays.indexing import broadcast_to
from transpile.runtime.arrays.lengths import never_one
from transpile.runtime.arrays.numbers import cast, lift, raise_if
from transpile.runtime.arrays.operand import Operand
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.strides import strides_of
from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.types import ArrayType, DType, dims_of

from .arguments import as_dtype
from .calls import Part, called_once
from .contractions import product_of_many
from .factors import called_norm
from .layout import is_packed, reversed_axes
from .reshaping import ravel, reshaped
from .routines import stored
from .sequences import as_array
from .ufuncs import as_operand

_SIGNATURE = "(n?,k),(k,m?)->(n?,m?)"
# How long rows are whose products with another one are written out.
_SHORT = range(2, 9)


def _plain(array: SymbolicArray, other: SymbolicArray | None = None) -> SymbolicArray:
    """Return an operand of a product, with another vector perhaps; how BLAS adds up depends on its strides, which must be those that it has in NumPy.

    A real vector that may be a view there, and lies as that does, has another stride at the most where it has one element, and then nothing is added.
    """
    alone = (
        other is not None
        and array.ndim == other.ndim == 1
        and "c" not in (array.dtype.kind, other.dtype.kind)
    )
    if array.copied and not (array.copied == "fits" and alone):
        recorder().unstageable(
            "S180-dot",
            "a product of an array whose strides run time decides, or of real or imaginary parts",
            "use a copy",
        )
    return array


def _same_size(one: DimLike, two: DimLike, error: Any) -> None:
    """Make sure that the two inner dims of a product agree; `error` makes the exception of their numbers."""
    if not recorder().assume_equal(one, two):
        sizes = dim_scalar(one), dim_scalar(two)
        raise_if(operate("not_equal", *sizes), error, *sizes)


def matmul(left: Any, right: Any) -> Any:
    """Return `left @ right` of symbolic operands."""
    left, right = as_operand(left), as_operand(right)
    for place, operand in enumerate((left, right)):
        if not isinstance(operand, SymbolicArray) or not operand.ndim:
            refused = ValueError(
                f"matmul: Input operand {place} does not have enough dimensions (has 0, gufunc core with signature "
                f"{_SIGNATURE} requires 1)"
            )
            # Numbers have no operator `@`, of which Python speaks.
            raise (
                refused
                if isinstance(left, SymbolicArray) or isinstance(right, SymbolicArray)
                else recorder().unsure(refused)
            )
    inner = 0 if right.ndim == 1 else right.ndim - 2

    def error(one: int, two: int) -> ValueError:
        return ValueError(
            f"matmul: Input operand 1 has a mismatch in its core dimension {min(inner, 0)}, with gufunc signature "
            f"{_SIGNATURE} (size {two} is different from {one})"
        )

    _same_size(left.dims[-1], right.dims[inner], error)
    left, right = _plain(left), _plain(right)
    dtype = np.matmul.resolve_dtypes((left.dtype, right.dtype, None))[0]
    agree((left.dims[:-2], right.dims[:-2]), _batch_error)
    values = [_in_loop_order(operand, as_dtype(dtype)).read() for operand in (left, right)]
    product = recorder().emit("matmul", *values)
    recorder().report(product, "matmul")
    return fresh(product)


def _in_loop_order(operand: SymbolicArray, dtype: DType) -> SymbolicArray:
    """Return an operand in the dtype of a product: what NumPy has to cast for it lies in C order, whatever it was cast from."""
    if operand.dtype == dtype:
        return operand
    value = cast(operand.read(), dtype)
    if dims_of(value.type) and value.type != ArrayType(dtype, dims_of(value.type)):
        value = recorder().emit("copy", value, order=None)
    result = fresh(value)
    assert isinstance(result, SymbolicArray)
    return result


def _batch_error(shapes: Any) -> Exception:
    return broadcast_error(shapes)


@implements(np.matmul)
def matmul_function(
    x1: Any, x2: Any, /, out: Any = None, dtype: Any = None, casting: Any = "same_kind", **kwargs: Any
) -> Any:
    """Stand for `numpy.matmul`."""
    out = out[0] if isinstance(out, tuple) else out
    asked = kwargs if casting == "same_kind" or out is None else {"casting": casting, **kwargs}
    if asked:
        recorder().unstageable("S144-keyword", f"numpy.matmul({next(iter(asked))}=...) is not staged")
    operands = _in_loop(as_array(x1), as_array(x2), dtype, casting)
    result = matmul(*operands)
    return result if out is None else stored("matmul", out, result)


def _in_loop(left: Any, right: Any, dtype: Any, casting: Any) -> tuple[Any, ...]:
    """Return two operands in the dtypes of the loop that NumPy takes; its error where it does not cast so."""
    if dtype is None and casting == "same_kind":
        return left, right
    own = left.dtype, right.dtype
    wanted = None if dtype is None else as_dtype(dtype)
    loop = np.matmul.resolve_dtypes((*own, None), signature=(None, None, wanted), casting=casting)
    return tuple(
        _in_loop_order(array, as_dtype(kind)) for array, kind in zip((left, right), loop, strict=False)
    )


def _is_of_short_rows(left: SymbolicArray, right: SymbolicArray) -> bool:
    """Whether many rows, each of which lies in one piece, are multiplied by one that is as short in the call at hand, as from now on assumed: pixels by the weights of colours."""
    if left.ndim < 3 or right.ndim != 1 or np.result_type(left.dtype, right.dtype) != np.float64:
        return False
    strides = strides_of(left), strides_of(right)
    if any(known is None or known[-1] != 1 or 0 in known for known in strides):
        return False
    record, lengths = recorder(), (left.dims[-1], right.dims[0])
    length, other = map(record.sample_of, lengths)
    if length is None or length != other or length not in _SHORT:
        return False
    return all(record.assume_equal(dim, length) for dim in lengths)


def _dot(left: SymbolicArray, right: SymbolicArray, op: str = "dot") -> Any:
    """Return the product of vectors and matrices by the routine of NumPy's dot; with `op="matmul"`, of vectors by that behind it."""
    inner = 0 if right.ndim == 1 else right.ndim - 2

    def error(*numbers: int) -> ValueError:
        one, two = numbers[: left.ndim], numbers[left.ndim :]
        if op == "matmul":
            # The second is given the shape of the first.
            return ValueError(f"cannot reshape array of size {two[0]} into shape ({one[0]},)")
        shapes = [str(tuple(shape)).replace(" ", "") for shape in (one, two)]
        return ValueError(
            f"shapes {shapes[0]} and {shapes[1]} not aligned: {one[-1]} (dim {left.ndim - 1}) != {two[inner]} (dim {inner})"
        )

    left, right = _plain(left, right), _plain(right, left)
    one, two = left.dims[-1], right.dims[inner]
    if not recorder().assume_equal(one, two):
        sizes = [dim_scalar(dim) for dim in (*left.dims, *right.dims)]
        raise_if(operate("not_equal", dim_scalar(one), dim_scalar(two)), error, *sizes)
    dtype = as_dtype(np.result_type(left.dtype, right.dtype))
    operands = [cast(operand.read(), dtype) for operand in (left, right)]
    if op == "dot" and dtype.kind in "fc" and {*left.dims, *right.dims} == {1}:
        # Nothing is added: not even to zero, which would make a negative zero a positive one.
        single = apply("multiply", *(reshaped(as_array(fresh(operand)), (1,)) for operand in operands))
        recorder().unreport(single.read())
        recorder().report(single.read(), "dot")
        axes = left.ndim + right.ndim - 2
        return reshaped(single, (1,) * axes) if axes else single[0]
    if op == "dot" and dtype.kind == "c" and left.ndim == right.ndim == 1 and not never_one(one):
        # Real numbers are told apart in the kernel.
        return called_once("dot", [left, right], Part((), dtype))
    product = recorder().emit(op, *operands)
    recorder().report(product, "dot")
    return fresh(product)


@implements(method="dot")
def dot_method(a: Any, b: Any, out: Any = None) -> Any:
    """Stand for `array.dot`, which NumPy's scalars do not have."""
    if not isinstance(a, SymbolicArray):
        raise AttributeError(f"'numpy.{a.python_type.__name__}' object has no attribute 'dot'")
    return dot(a, b, out)


@implements(np.dot)
def dot(a: Any, b: Any, out: Any = None) -> Any:
    """Stand for `numpy.dot`."""
    left, right = as_array(a), as_array(b)
    if not left.ndim and not right.ndim:
        result = apply("multiply", left, right)
        recorder().unreport(result.value)
    elif _is_of_short_rows(left, right):
        result = _dot(left, right)
    elif not left.ndim or not right.ndim or max(left.ndim, right.ndim) > 2:
        result = product_of_many("dot", left, right)
    else:
        result = _dot(left, right)
    if out is None:
        return result
    if isinstance(out, SymbolicArray) and out.dtype == result.type.dtype:
        if not is_packed(out):
            recorder().unstageable("S180-dot", "numpy.dot into an array that may not be contiguous")
        found = stored("dot", out, result)
        return found if found.ndim else found[()]
    raise ValueError(
        "output array is not acceptable (must have the right datatype, number of dimensions, and be a C-Array)"
    )


@implements(np.inner)
def inner(a: Any, b: Any, /) -> Any:
    """Stand for `numpy.inner`."""
    left, right = as_array(a), as_array(b)
    if not left.ndim or not right.ndim or max(left.ndim, right.ndim) > 2:
        return product_of_many("inner", left, right)
    return _dot(left, reversed_axes(right))


@implements(np.vdot)
def vdot(a: Any, b: Any, /) -> Any:
    """Stand for `numpy.vdot`."""
    left, right = as_array(a), as_array(b)
    if "c" in (left.dtype.kind, right.dtype.kind):
        return called_once("vdot", [left, right], Part((), np.result_type(left.dtype, right.dtype)))
    if not is_packed(left) or not is_packed(right):
        recorder().unstageable("S180-dot", "numpy.vdot of arrays that may not be contiguous")
    return _dot(ravel(left), ravel(right), op="matmul")


@implements(np.outer)
def outer(a: Any, b: Any, out: Any = None) -> Any:
    """Stand for `numpy.outer`."""
    column, row = (ravel(as_array(thing)) for thing in (a, b))
    return FUNCTIONS[np.ufunc](
        np.multiply,
        "__call__",
        column[:, np.newaxis],
        row[np.newaxis, :],
        **({} if out is None else {"out": out}),
    )


@functools.cache
def _has_norm_of_nothing() -> bool:
    """Whether the largest magnitude of no numbers is 0 in NumPy, as it is from some version on."""
    try:
        np.linalg.norm(np.empty(0), np.inf)
    except ValueError:
        return False
    return True


@implements(np.linalg.norm)
def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: Any = False) -> Any:
    """Stand for `numpy.linalg.norm` of vectors, and of matrices by Frobenius."""
    array = as_array(x)
    if array.dtype.kind not in "fc":
        array = fresh(cast(array.read(), np.dtype(np.float64)))
    plain = ord is None or (ord in ("f", "fro") and array.ndim == 2) or (ord == 2 and array.ndim == 1)
    if axis is None and plain:
        flat = ravel(array, order="K")
        if array.dtype.kind == "c":
            real, imaginary = flat.real, flat.imag
            total = apply("add", dot(real, real), dot(imaginary, imaginary))
        else:
            total = dot(flat, flat)
        result = apply("sqrt", total)
        if keepdims and array.ndim:
            result = fresh(broadcast_to(lift(result), (1,) * array.ndim))
        return result
    if axis is None and array.ndim == 1:
        axis = 0
    if isinstance(axis, tuple) and len(axis) == 1:
        (axis,) = axis
    if axis is None or isinstance(axis, tuple):
        return called_norm(array, ord, axis, keepdims)
    reduce, axis = FUNCTIONS[np.ufunc], (axis,)
    if ord is None or ord == 2:
        if array.dtype.kind == "c":
            squares = (array.conj() * array).real
        else:
            squares = apply("multiply", array, array)
        return apply("sqrt", reduce(np.add, "reduce", squares, axis=axis, keepdims=keepdims))
    sizes = apply("absolute", array)
    if ord == np.inf:
        initial = {"initial": 0} if _has_norm_of_nothing() else {}
        return FUNCTIONS[np.max](sizes, axis=axis, keepdims=keepdims, **initial)
    if ord == -np.inf:
        return FUNCTIONS[np.min](sizes, axis=axis, keepdims=keepdims)
    if ord == 1:
        return reduce(np.add, "reduce", sizes, axis=axis, keepdims=keepdims)
    if ord == 0:
        truths = fresh(cast(lift(apply("not_equal", array, 0)), array.real.dtype))
        return FUNCTIONS[np.sum](truths, axis=axis, keepdims=keepdims)
    return called_norm(array, ord, axis[0], keepdims)


Operand.matmul = staticmethod(matmul)
