"""Indexing with boolean masks and arrays of integers: reading copies, writing scatters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from transpile.runtime.graph.dim import DimLike, product
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import BOOL, INT64, ScalarType, dims_of
from transpile.runtime.views.view import View

from .array import Reshape, SymbolicArray, fresh
from .broadcasting import agree
from .countable import Countable
from .elementwise import apply
from .indexing import basic_view, broadcast_to, fit, is_integer, one_dtype
from .lists import StagedList
from .numbers import as_scalar, cast, is_number, lift, to_weak
from .operand import Operand
from .recorder import recorder
from .scalar import SymbolicScalar
from .staged_tuples import StagedTuple
from .storing import cast_for_store
from .union import Union

# The most arrays that NumPy takes for an index of all axes: its iterator has an operand more.
_MOST_INDICES = 63


@dataclass
class Selection:
    """What an advanced index names: elements of a view whose first axes are indexed by arrays.

    `dims` are those of the indices, which stand behind the first `lead` of the other axes in what is read. `checks` give the indices, each once it is
    checked to be in range: NumPy looks at shapes first.
    """

    array: SymbolicArray
    checks: list[Callable[[], Value]]
    dims: tuple[DimLike, ...]
    lead: int

    def result_axes(self) -> list[int]:
        """Return the order of axes in which NumPy shows what is gathered."""
        rank = len(self.dims)
        rest = list(range(rank, rank + self.array.ndim - len(self.checks)))
        return [*rest[: self.lead], *range(rank), *rest[self.lead :]]

    def indices(self) -> list[Value]:
        """Return the indices, in range and broadcast."""
        return [broadcast_to(check(), self.dims) for check in self.checks]


def as_index(key: Any) -> Any:
    """Return one entry of an index: a list as an array.

    Raises NumPy's IndexError for arrays that are neither of integers nor of booleans.
    """
    is_list = isinstance(key, (list, tuple))
    if isinstance(key, StagedList) and key.is_staged:
        key = _as_array(key)
    elif isinstance(key, (list, tuple, range, np.ndarray, Countable)):
        is_sequence = isinstance(key, (list, tuple, range))
        key = Operand.as_array(key)
        if is_sequence and 0 in key.dims and key.dtype.kind not in "iub":
            # Nothing in lists is no number of any kind.
            key = apply("floor", key).astype(INT64)
    if isinstance(key, SymbolicArray):
        if key.dtype.kind not in "iub":
            error = IndexError("arrays used as indices must be of integer (or boolean) type")
            raise recorder().unsure(error) if is_list else error
        if key.ndim:
            return key
        key = SymbolicScalar(as_scalar(key.read()))
    if isinstance(key, Union):
        return key.resolved()
    if isinstance(key, (bool, np.bool)) or (isinstance(key, SymbolicScalar) and key.type.dtype == BOOL):
        recorder().unstageable("S187-truth-index", "an index that is a truth adds an axis", "use np.where")
    if key is None or key is Ellipsis or isinstance(key, slice) or is_integer(key):
        return key
    if isinstance(key, StagedTuple):
        len(key)  # what stands for a tuple of known length is none
    if not is_number(key) and not isinstance(key, (str, bytes)):
        recorder().unstageable(
            "S286-index",
            f"an object of type {key.__class__.__name__} is an index, of which NumPy makes an array",
        )
    raise IndexError(
        "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid indices"
    )


def _as_array(things: StagedList) -> SymbolicArray:
    """Return the array of indices that a list is whose length run time gives."""
    array: SymbolicArray = Operand.as_array(things)
    if array.dtype.kind not in "iu":
        recorder().unstageable(
            "S318-list-index", f"a list of {array.dtype} is an index, which is another one where it is empty"
        )
    return array


def _entries(array: SymbolicArray, key: Any) -> list[Any]:
    """Return an index with an entry for every axis, but one for all the axes of a mask, and None for every new axis."""
    keys = [as_index(k) for k in (key if isinstance(key, tuple) else (key,))]
    used = sum(_span(k) for k in keys)
    if sum(k is Ellipsis for k in keys) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    if used > array.ndim:
        raise IndexError(
            f"too many indices for array: array is {array.ndim}-dimensional, but {used} were indexed"
        )
    place = next((p for p, k in enumerate(keys) if k is Ellipsis), len(keys))
    keys[place : place + 1] = [slice(None)] * (array.ndim - used)
    return keys


def _span(key: Any) -> int:
    """Return how many axes an entry takes."""
    if key is None or key is Ellipsis:
        return 0
    return key.ndim if isinstance(key, SymbolicArray) and key.dtype == BOOL else 1


def select(array: SymbolicArray, key: Any, from_front: bool = True) -> Selection:
    """Return what an advanced index names; the indices count `from_front`, or are as they were given, once they are checked."""
    keys = _entries(array, key)
    basic: list[Any] = []
    checks: list[Callable[[], Value]] = []
    shapes: list[tuple[DimLike, ...]] = []
    axes: list[int] = []
    places: list[int] = []
    axis = base_axis = 0
    for place, entry in enumerate(keys):
        span = _span(entry)
        if isinstance(entry, SymbolicArray):
            places.append(place)
            basic += [slice(None)] * span
            axes += range(axis, axis + span)
            if entry.dtype == BOOL:
                found = places_of(entry, array.dims[base_axis : base_axis + span], base_axis)
                checks += [lambda index=index: index for index in found]  # type: ignore[misc]
                shapes += [dims_of(index.type) for index in found]
            else:
                checks.append(partial(_in_range, entry, array.dims[base_axis], base_axis, from_front))
                shapes.append(entry.dims)
            axis += span
        else:
            if is_integer(entry):
                places.append(place)
            else:
                axis += 1
            basic.append(entry)
        base_axis += span
    if len(places) == len(keys) and array.ndim > _MOST_INDICES:
        raise IndexError(
            f"when no subspace is given, the number of index arrays cannot be above {_MOST_INDICES}, "
            f"but {array.ndim} index arrays found"
        )
    adjacent = places == list(range(places[0], places[-1] + 1))
    lead = sum(not is_integer(entry) for entry in keys[: places[0]]) if adjacent else 0
    shown = array.through(basic_view(array, basic))
    rest = [a for a in range(shown.ndim) if a not in axes]
    if (order := [*axes, *rest]) != list(range(shown.ndim)):
        shown = shown.through(shown.whole().transpose(order))
    return Selection(shown, checks, agree(shapes, _index_shapes_error), lead)


def _index_shapes_error(shapes: Any) -> IndexError:
    text = " ".join(str(tuple(shape)).replace(" ", "") for shape in shapes)
    return IndexError(f"shape mismatch: indexing arrays could not be broadcast together with shapes {text} ")


def _match_mask(mask: SymbolicArray, dims: tuple[DimLike, ...], first: int) -> None:
    """Make sure that a mask has the dims of the axes that it indexes, the first of which is given."""
    record = recorder()
    for axis, (size, dim) in enumerate(zip(dims, mask.dims, strict=True), first):

        def error(size: int, dim: int, axis: int = axis) -> IndexError:
            return IndexError(
                f"boolean index did not match indexed array along axis {axis}; "
                f"size of axis is {size} but size of corresponding boolean axis is {dim}"
            )

        if isinstance(size, int) and isinstance(dim, int) and size != dim:
            raise error(size, dim)
        if not record.assume_equal(size, dim):
            one, other = record.dim_value(size), record.dim_value(dim)
            record.raise_if(record.emit("not_equal", one, other), error, one, other)


def places_of(mask: SymbolicArray, dims: tuple[DimLike, ...], first: int) -> list[Value]:
    """Return the places of a mask's true elements, an array for each axis."""
    _match_mask(mask, dims, first)
    record = recorder()
    value = mask.read()
    frame = record.frame
    known = frame.places.get(value)
    if known is None:
        ones = record.emit("cast", value, dtype=INT64)
        total = record.emit("reduce", ones, ufunc="add", axes=tuple(range(mask.ndim)), dtype=INT64)
        count = to_weak(total, INT64)
        record.bounds.sizes.add(count)
        known = record.append("nonzero", (value,), {"dims": (record.dim(count),)})
        frame.places[value] = known
    return list(known)


def _in_range(index: SymbolicArray, size: DimLike, axis: int, from_front: bool) -> Value:
    """Return an index, checked to be in range, counted from the front where that is asked for."""
    record = recorder()
    value = cast(index.read(), INT64)
    length = record.emit("cast", record.dim_value(size), dtype=INT64)
    beyond = record.emit("greater_equal", value, length)
    if index.dtype.kind == "i":
        before = record.emit("less", value, record.emit("negative", length))
        beyond = record.emit("bitwise_or", beyond, before)
    axes = tuple(range(index.ndim))
    outside = record.emit("reduce", beyond, ufunc="logical_or", axes=axes, dtype=BOOL)

    def error(positions: Any, size: int) -> IndexError:
        wrong = next(p for p in np.ravel(positions).tolist() if not -size <= p < size)
        return IndexError(f"index {wrong} is out of bounds for axis {axis} with size {size}")

    record.raise_if(outside, error, value, record.dim_value(size))
    if index.dtype.kind == "u" or not from_front:
        return value
    negative = record.emit("less", value, record.constant(np.int64(0), ScalarType(INT64)))
    return record.emit("select", negative, record.emit("add", value, length), value)


def getitem(array: SymbolicArray, key: Any) -> Any:
    """Return `array[key]` for an advanced index: a new array."""
    selection = select(*_as_flat(*_as_masked(array, key)))
    indices = selection.indices()
    gathered = recorder().emit("gather", selection.array.read(), *indices)
    result = fresh(gathered)
    axes = selection.result_axes()
    if axes != list(range(len(axes))):
        assert isinstance(result, SymbolicArray)
        return result.through(result.whole().transpose(axes))
    return result


def setitem(array: SymbolicArray, key: Any, value: Any) -> None:
    """Do `array[key] = value` for an advanced index."""
    array, key = _as_masked(array, key)
    _entries(array, key)  # NumPy looks at these before it looks at the value
    if isinstance(value, Union):
        value = one_dtype(value, array.dtype)
    if isinstance(value, (list, tuple, Countable)):
        value = Operand.as_array(value, array.dtype)
    if not is_number(value):
        recorder().unstageable("S121-value", f"a value of type {type(value).__name__} cannot be stored")
    lifted = cast_for_store(as_scalar(lift(value)), array.dtype)
    mask = _lone_mask(key)
    if mask is not None and not dims_of(lifted.type) and mask.ndim <= array.ndim:
        _fill(array, mask, lifted)
        return
    is_whole = mask is not None and mask.ndim == array.ndim
    if is_whole and isinstance(value, SymbolicArray) and value.storage is array.storage:
        recorder().unstageable(
            "S325-masked-overlap",
            "a part of an array is stored into it by a mask: NumPy stores run by run, over what it reads",
            "store a copy",
        )
    array, key = _as_flat(array, key)
    selection = select(array, key)
    axes = selection.result_axes()
    dims = (*selection.dims, *selection.array.dims[len(selection.checks) :])
    shown = tuple(dims[axis] for axis in axes)
    if dims_of(lifted.type):
        error = _count_error if is_whole else _store_error
        lifted = broadcast_to(fit(lifted, dims_of(lifted.type), shown, error), shown)
        if axes != list(range(len(axes))):
            back = View.identity(shown).transpose([axes.index(axis) for axis in range(len(axes))])
            lifted = recorder().emit("view", lifted, view=back)
    selection.array.write(lifted, selection.indices())


def _as_masked(array: SymbolicArray, key: Any) -> tuple[SymbolicArray, Any]:
    """Return an array and an index; a truth alone is a mask of one element over a new axis."""
    truth = key[0] if isinstance(key, tuple) and len(key) == 1 else key
    if isinstance(truth, SymbolicArray):
        is_truth = truth.dtype == BOOL and not truth.ndim
    elif isinstance(truth, SymbolicScalar):
        is_truth = truth.type.dtype == BOOL
    else:
        is_truth = isinstance(truth, (bool, np.bool))
    if not is_truth:
        return array, key
    return array.through(array.whole().insert(0)), Operand.as_array([truth])


def _as_flat(array: SymbolicArray, key: Any) -> tuple[SymbolicArray, Any]:
    """Return an array and an index; where a mask of all axes is the index, and neither has gaps, both are flat: one place is looked for then, not one for each axis."""
    mask = _lone_mask(key)
    if mask is None or mask.ndim < 2 or mask.ndim != array.ndim:
        return array, key
    if any(thing.parts or not thing.contiguous for thing in (array, mask)):
        return array, key
    _match_mask(mask, array.dims, 0)
    count = product(array.dims)
    flat, flat_mask = (thing.through(Reshape(thing.dims, (count,))) for thing in (array, mask))
    return flat, flat_mask


def _lone_mask(key: Any) -> SymbolicArray | None:
    if isinstance(key, tuple) and len(key) == 1:
        (key,) = key
    return key if isinstance(key, SymbolicArray) and key.dtype == BOOL and key.ndim else None


def _fill(array: SymbolicArray, mask: SymbolicArray, number: Value) -> None:
    """Write one number where a mask over the first axes is true."""
    record = recorder()
    _match_mask(mask, array.dims[: mask.ndim], 0)
    view = mask.whole()
    for axis in range(mask.ndim, array.ndim):
        view = view.insert(axis)
    test = broadcast_to(mask.through(view).read(), array.dims)
    array.write(record.emit("select", test, number, array.read()))


def _store_error(shapes: Any) -> ValueError:
    source, target = (str(tuple(shape)).replace(" ", "") for shape in shapes)
    return ValueError(
        f"shape mismatch: value array of shape {source} could not be broadcast to indexing result of shape {target}"
    )


def _count_error(shapes: Any) -> ValueError:
    (source, *_), (target, *_) = shapes
    return ValueError(
        f"NumPy boolean array indexing assignment cannot assign {source} input values to the {target} output values where the mask is true"
    )


Operand.getitem_advanced = staticmethod(getitem)
Operand.setitem_advanced = staticmethod(setitem)
