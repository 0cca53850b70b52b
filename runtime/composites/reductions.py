"""Reductions: sums, extrema, logic, means, and the places of extrema."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, fresh
from transpile.runtime.arrays.elementwise import apply
from transpile.runtime.arrays.functions import FUNCTIONS, implements
from transpile.runtime.arrays.indexing import broadcast_to
from transpile.runtime.arrays.numbers import as_scalar, cast, lift, raise_if
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.graph.types import BOOL, INT64, ArrayType
from transpile.runtime.ops.floating_errors import Reporter, overflowing

from .arguments import (
    NOTHING,
    as_dtype,
    dtype_of,
    is_given,
    is_zero,
    keeps_axes,
    normal_axes,
    normal_axis,
    one_axis,
)
from .copies import item
from .reshaping import ravel
from .routines import dtype_of_out, reduced, stored
from .sequences import as_array
from .ufuncs import truths


def _reduction_dtype(ufunc: str, dtype: np.dtype[Any], given: Any) -> np.dtype[Any]:
    if given is not None:
        return as_dtype(given)
    if ufunc in ("add", "multiply") and dtype.kind in "biu" and dtype.itemsize < 8:
        return np.dtype(np.uint64 if dtype.kind == "u" else np.int64)
    return dtype


def not_empty(array: SymbolicArray, axes: tuple[int, ...], message: str) -> None:
    """Raise NumPy's ValueError where axes to reduce have no elements."""
    for axis in axes:
        dim = array.dims[axis]
        if not recorder().assume_nonnegative(dim - 1):
            raise_if(SymbolicScalar(is_zero(dim)), lambda: ValueError(message))


def reduce(
    ufunc: str,
    array: Any,
    axis: Any = 0,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    initial: Any = NOTHING,
    where: Any = True,
    reporter: Reporter | None = None,
) -> Any:
    """Stand for `ufunc.reduce`; where NumPy's own Python calls that, `reporter` says what NumPy says of errors there."""
    record = recorder()
    array = as_array(array)
    own = np._core.umath.__dict__[ufunc]  # type: ignore[attr-defined]
    identity = own.identity
    if initial is None:
        identity, initial = None, NOTHING
        if is_given(where, True):
            raise ValueError(_NOT_MASKED.format(ufunc))
    # NumPy's own errors say best which dtypes there is no loop for.
    signature = (None if dtype is None else as_dtype(dtype), None, None)
    own.resolve_dtypes((None, array.dtype, None), signature=signature, reduction=True, casting="unsafe")
    if ufunc in ("add", "multiply"):
        dtype = dtype_of_out(own, array, dtype, out)
    if initial is not NOTHING:
        _may_begin(initial, array.dtype if dtype is None else as_dtype(dtype))
    if is_given(where, True) and array.dtype.kind in "fc" and ufunc in ("add", "multiply"):
        # It adds up in an order of its own.
        keep = keeps_axes(keepdims)
        axes = normal_axes(axis, array.ndim)
        result = reduced(own, array, axes, dtype, keep, initial, where)
        return result if out is None else stored(ufunc, out, result)
    if is_given(where, True):
        array = _masked(
            ufunc, array, where, identity if identity is not None or initial is NOTHING else initial
        )
    axes = normal_axes(axis, array.ndim)
    wanted = BOOL if ufunc.startswith("logical") else _reduction_dtype(ufunc, array.dtype, dtype)
    if array.dtype.kind == "c" and wanted.kind in "iuf":
        record.unstageable(
            "S146-imaginary", "complex numbers are reduced to real ones, of which NumPy warns", "use .real"
        )
    if initial is NOTHING and (identity is None or (ufunc in _EXTREMA and not is_given(where, True))):
        not_empty(array, axes, f"zero-size array to reduction operation {ufunc} which has no identity")
    if initial is not NOTHING and wanted.kind in "biu" and not _fits(initial, wanted):
        record.unstageable("S243-initial", f"numpy.{ufunc}.reduce of integers with another initial=")
    if initial is not NOTHING and ufunc in ("add", "multiply") and wanted.kind in "fc":
        # It begins the sum.
        keep = keeps_axes(keepdims)
        result = reduced(own, array, axes, dtype, keep, initial)
        return result if out is None else stored(ufunc, out, result)
    if array.storage.copied == "order" and wanted.kind in "fc" and ufunc in ("add", "multiply"):
        record.unstageable("S185-order", "a sum of an array whose strides run time decides", "use a copy")
    value = array.read()
    if not axes:
        result = fresh(_unreduced(value, wanted))
        if initial is NOTHING and identity is not None and wanted.kind in "fc":
            # NumPy begins with the identity, to which -0.0 is added.
            result = apply(ufunc, wanted.type(identity), result)
    else:
        if initial is not NOTHING and identity is None:
            value, axes, array = _with_initial(ufunc, array, axes, initial, wanted)
            initial = NOTHING
        found = record.emit("reduce", value, ufunc=ufunc, axes=axes, dtype=wanted)
        if reporter is not None:
            record.reported_within(found, reporter)
        result = fresh(found)
    if initial is not NOTHING:
        begin = SymbolicScalar(cast(as_scalar(lift(initial)), wanted))
        result = fresh(cast(lift(apply(ufunc, result, begin)), wanted))
    if keeps_axes(keepdims):
        result = with_axes(result, axes, array.ndim)
    return result if out is None else stored(ufunc, out, result)


_EXTREMA = ("maximum", "minimum", "fmax", "fmin")
_NOT_MASKED = (
    "reduction operation '{}' does not have an identity, so to use a where mask one has to specify 'initial'"
)


def _unreduced(value: Any, wanted: np.dtype[Any]) -> Any:
    """Return the elements when no axis is reduced: a copy, or the only one."""
    converted = cast(as_scalar(value), wanted)
    if converted is value and isinstance(value.type, ArrayType):
        return recorder().emit("copy", value, order=value.type.order)
    return converted


def _with_initial(
    ufunc: str, array: SymbolicArray, axes: tuple[int, ...], initial: Any, wanted: np.dtype[Any]
) -> tuple[Any, tuple[int, ...], SymbolicArray]:
    """Return the elements with one of `initial` in front, along the first of the axes, of a reduction in any order."""
    record = recorder()
    axis = axes[0]
    if len(axes) > 1 and any(not record.assume_nonnegative(array.dims[a] - 1) for a in axes):
        record.unstageable("S243-initial", "a reduction of several axes that may be empty, with initial=")
    dims = (*array.dims[:axis], 1, *array.dims[axis + 1 :])
    value = cast(array.read(), wanted)
    front = broadcast_to(cast(lift(initial), wanted), dims)
    return record.emit("concatenate", front, value, axis=axis, order=array.type.order), axes, array


def _masked(ufunc: str, array: SymbolicArray, where: Any, neutral: Any) -> SymbolicArray:
    """Return an array with what changes nothing in the places that `where` leaves out."""
    record = recorder()
    if neutral is None:
        raise ValueError(_NOT_MASKED.format(ufunc))
    mask = _mask(where, array)
    value = record.emit("select", mask.read(), array.read(), cast(lift(neutral), array.dtype))
    masked = fresh(value)
    assert isinstance(masked, SymbolicArray)
    return masked


def _mask(where: Any, array: SymbolicArray) -> SymbolicArray:
    """Return the condition of a reduction."""
    record = recorder()
    mask: SymbolicArray = truths(where)
    if mask.ndim > array.ndim or any(
        not record.assume_equal(one, two)
        for one, two in zip(reversed(mask.dims), reversed(array.dims), strict=False)
        if one != 1
    ):
        record.unstageable("S244-where", "where= of a reduction has other dims than the array")
    return mask


def with_axes(result: Any, axes: tuple[int, ...], ndim: int) -> Any:
    """Return a reduced result with the reduced axes back, of length 1."""
    if not ndim:
        return result
    if isinstance(result, SymbolicArray):
        view = result.whole()
        for axis in sorted(axes):
            view = view.insert(axis)
        return result.through(view)
    return fresh(recorder().emit("fill", lift(result), dims=(1,) * ndim))


def _over_axis(ufunc: str, call: Callable[[Any], object]) -> Callable[..., Any]:
    """Return what stands for a sum or product, of which NumPy warns where it warns in a `call` with an array."""

    def over_axis(
        a: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: Any = False,
        initial: Any = NOTHING,
        where: Any = True,
    ) -> Any:
        return reduce(ufunc, a, axis, dtype, out, keepdims, initial, where, overflowing("reduce", call))

    return over_axis


def _declare(ufunc: str, function: Any, method: str) -> None:
    if ufunc in ("add", "multiply"):
        implements(*function)(_over_axis(ufunc, function[0]))
        implements(method=method)(_over_axis(ufunc, lambda array: getattr(array, method)()))
        return

    def without_dtype(
        a: Any,
        axis: Any = None,
        out: Any = None,
        keepdims: Any = False,
        initial: Any = NOTHING,
        where: Any = True,
    ) -> Any:
        return reduce(ufunc, a, axis, None, out, keepdims, initial, where)

    def truth_of_all(
        a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, *, where: Any = True
    ) -> Any:
        if a is None and axis is out is None and keepdims is False and where is True:
            return np.False_
        return reduce(ufunc, a, axis, None, out, keepdims, NOTHING, where)

    implements(*function, method=method)(truth_of_all if ufunc.startswith("logical") else without_dtype)


_declare("add", (np.sum,), "sum")
_declare("multiply", (np.prod,), "prod")
_declare("maximum", (np.max, np.amax), "max")
_declare("minimum", (np.min, np.amin), "min")
_declare("logical_and", (np.all,), "all")
_declare("logical_or", (np.any,), "any")

for _name in (
    "add", "multiply", "maximum", "minimum", "fmax", "fmin", "logical_and", "logical_or", "bitwise_and", "bitwise_or", "bitwise_xor",
):  # fmt: skip
    FUNCTIONS["reduce", _name] = lambda *args, _name=_name, **kwargs: reduce(_name, *args, **kwargs)


def _argument(function: str, a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
    array = as_array(a)
    ndim = array.ndim
    if axis is None or not ndim:
        one_axis(axis, ndim)
        result = _argreduce(function, ravel(array), 0)
        axes = tuple(range(ndim))
    else:
        axes = (normal_axis(axis, ndim),)
        result = _argreduce(function, array, axes[0])
    if keeps_axes(keepdims):
        result = with_axes(result, axes, ndim)
    if out is None:
        return result
    if isinstance(out, SymbolicArray) and out.dtype == INT64:
        return stored(function, out, result)
    return recorder().unstageable("S144-keyword", f"{function}(out=...) of other integers")


def _argreduce(function: str, array: SymbolicArray, axis: int) -> Any:
    not_empty(array, (axis,), f"attempt to get {function} of an empty sequence")
    return fresh(recorder().emit("argreduce", array.read(), function=function, axis=axis))


implements(np.argmax, method="argmax")(lambda *args, **kwargs: _argument("argmax", *args, **kwargs))
implements(np.argmin, method="argmin")(lambda *args, **kwargs: _argument("argmin", *args, **kwargs))


_COUNTS_IN_PYTHON = isinstance(np.count_nonzero(np.ones(1)), int)


def _may_begin(initial: Any, dtype: np.dtype[Any]) -> None:
    """Raise what NumPy does where a reduction to a dtype cannot begin with a thing: an array with axes, or a complex number for a real one."""
    if as_array(initial).ndim:
        raise recorder().unsure(ValueError("setting an array element with a sequence."))
    if dtype_of(initial).kind == "c" and dtype.kind != "c":
        raise recorder().unsure(
            TypeError("float() argument must be a string or a real number, not 'complex'")
        )


def _fits(number: Any, dtype: np.dtype[Any]) -> bool:
    """Whether a number may begin a reduction to integers: NumPy looks whether it fits."""
    is_weak = number.weak if isinstance(number, SymbolicScalar) else type(number) in (bool, int)
    return np.can_cast(dtype_of(number), dtype) or (is_weak and dtype_of(number).kind in "bi")


@implements(np.count_nonzero)
def count_nonzero(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """Stand for `numpy.count_nonzero`, whose count of all is Python's number in older versions."""
    array = as_array(a)
    truths = fresh(cast(array.read(), BOOL))
    result = reduce("add", truths, axis, INT64, None, keepdims)
    return item(result) if axis is None and not keepdims and _COUNTS_IN_PYTHON else result


@implements(np.ptp)
def ptp(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False) -> Any:
    """Stand for `numpy.ptp`."""
    highest, lowest = (reduce(name, a, axis, None, None, keepdims) for name in ("maximum", "minimum"))
    result = apply("subtract", highest, lowest)
    return result if out is None else stored("subtract", out, result)
