"""The elements of an array one after the other, as `array.flat` shows them."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, dim_scalar, fresh, size
from transpile.runtime.arrays.aspects import Aspect
from transpile.runtime.arrays.elementwise import apply, operate
from transpile.runtime.arrays.functions import METHODS, attribute_of
from transpile.runtime.arrays.indexing import is_integer, position
from transpile.runtime.arrays.numbers import lift
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.references import is_symbolic
from transpile.runtime.graph.dim import DimLike

from .arguments import dtype_of
from .layout import is_packed
from .reductions import reduce
from .reshaping import ravel
from .sequences import as_array


class Flat(Aspect):
    """What stands for `array.flat`."""

    stands_for = np.flatiter
    asked = "flat"

    def __init__(self, array: SymbolicArray, is_array: bool = True) -> None:
        super().__init__(array, is_array)
        # Where the elements can be run over, once: it is an iterator.
        self._untouched: Any = recorder().frame

    def taken(self) -> Any:
        """Return a view of the elements, to run over them."""
        if self._untouched is not recorder().frame:
            recorder().unstageable("S189-flat", "what is left of array.flat is run over")
        self._untouched = None
        return self.shown()

    def of(self) -> SymbolicArray:
        """Return the array, of which no element has been taken yet."""
        if self._untouched is None:
            recorder().unstageable("S189-flat", "what is left of array.flat leaves the function")
        return super().of()

    def __next__(self) -> NoReturn:
        recorder().unstageable("S189-flat", "an element is taken out of array.flat, which goes on from there")

    def line(self) -> Any:
        """Return the elements: a view where it is known that they lie one after the other."""
        return ravel(self.array) if is_packed(self.array) else METHODS["flatten"](self.array)

    def shown(self) -> Any:
        """Return a view of the elements, in which it shows what is written meanwhile."""
        if not is_packed(self.array):
            recorder().unstageable(
                "S189-flat", "array.flat is written, or run over, of an array that may have gaps"
            )
        return ravel(self.array)

    def _one(self, key: Any) -> tuple[SymbolicArray, Any]:
        """Return an array, and the index in it, of the element that an integer names."""
        array = self.array
        place: Any = dim_scalar(position(key, size(array), -1))
        if is_packed(array):
            return ravel(array), place
        index: list[Any] = []
        for dim in reversed(array.dims[1:]):
            length = dim_scalar(dim)
            place, rest = place // length, place % length
            index.insert(0, rest)
        return array, (place, *index)

    def __getitem__(self, key: Any) -> Any:
        if is_integer(key):
            array, index = self._one(key)
            return array[index]
        _check(key, size(self.array))
        found = self.line()[key]
        return (
            fresh(recorder().emit("copy", found.read(), order=None))
            if isinstance(found, SymbolicArray)
            else found
        )

    def __setitem__(self, key: Any, value: Any) -> None:
        values = as_array(value)
        if is_integer(key) and not values.ndim:
            if not _fits(value, self.array.dtype):
                recorder().unstageable("S189-flat", "array.flat is given a number that may not fit")
            array, index = self._one(key)
            array[index] = value
            return
        if isinstance(key, tuple) and (not key or key[0] is Ellipsis):
            text = "Assigning to a flat iterator with a 0-D index is not supported"
            raise recorder().unsure(IndexError(text))
        line = self.shown()
        _check(key, size(self.array))
        if values.ndim:
            target = line[key]
            fits = isinstance(target, SymbolicArray) and recorder().same(size(target), size(values))
            if not fits:
                recorder().unstageable(
                    "S189-flat", "array.flat is given more or fewer numbers than it has places"
                )
            value = ravel(values)
        else:
            # It is made an array first: a NumPy scalar need not fit.
            value = as_array(value, self.array.dtype)
        line[key] = value

    def __len__(self) -> int:
        return len(self.line())

    def _compared(self, _: object) -> NoReturn:
        recorder().unstageable("S189-flat", "array.flat is compared")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _compared
    __hash__ = None  # type: ignore[assignment]

    def __array__(self, *_: Any, **__: Any) -> Any:
        recorder().unstageable("S189-flat", "array.flat is taken for an array")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or not hasattr(np.flatiter, name):
            raise AttributeError(f"'numpy.flatiter' object has no attribute '{name}'")
        recorder().unstageable("S170-method", f"flatiter.{name} is not staged")


def _fits(value: Any, dtype: np.dtype[Any]) -> bool:
    """Whether it is known that a number fits the elements of an array, of which the error is another in `array.flat`."""
    if dtype.kind not in "iu" or is_symbolic(value):
        return dtype.kind not in "iu" or np.can_cast(dtype_of(value), dtype)
    try:
        np.empty(1, dtype)[0] = value
    except (OverflowError, ValueError):
        return False
    return True


def _check(key: Any, total: DimLike) -> None:
    """Leave a call to the original where an array of indices names an element that there is not, of which NumPy's error is another than of axes.

    What is no index of axes alone, such as a truth or None, is not one of `array.flat`, or means something else there.
    """
    only = key[0] if isinstance(key, tuple) and len(key) == 1 else key
    if (
        isinstance(only, slice)
        or only is Ellipsis
        or (isinstance(only, tuple) and not only)
        or is_integer(only)
    ):
        return
    if not isinstance(only, (list, SymbolicArray)) or (isinstance(only, SymbolicArray) and not only.ndim):
        recorder().unstageable("S189-flat", "an index of array.flat is no integer, slice or array")
    places = as_array(only)
    if isinstance(only, list) and places.dtype.kind == "b":
        recorder().unstageable("S189-flat", "an index of array.flat is a list of truths, which NumPy refuses")
    if places.dtype.kind == "b" and not (places.ndim == 1 and recorder().assume_equal(total, places.dims[0])):
        recorder().deoptimise_if(
            lift(operate("not_equal", dim_scalar(size(places)), dim_scalar(total))),
            "a mask of array.flat is not as long as that",
        )
    if places.dtype.kind in "iu" and places.ndim:
        length = dim_scalar(total)
        low = apply("less", places, operate("negative", length))
        outside = apply("logical_or", low, apply("greater_equal", places, length))
        recorder().deoptimise_if(
            lift(reduce("logical_or", outside, None)),
            "an element of array.flat is looked for that is not there",
        )


@attribute_of("flat")
def flat(array: Any) -> Any:
    """Stand for `array.flat`."""
    return Flat(as_array(array), isinstance(array, SymbolicArray))


def _set_flat(array: SymbolicArray, value: Any) -> None:
    """Do `array.flat = value`."""
    flat(array)[:] = value


# Python looks for the property on the class before it asks `__getattr__`.
SymbolicArray.flat = property(flat, _set_flat)  # type: ignore[attr-defined]
