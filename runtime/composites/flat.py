"""The elements of an array one after the other, as `array.flat` shows them."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, fresh, size
from transpile.runtime.arrays.functions import METHODS, attribute_of
from transpile.runtime.arrays.recorder import recorder

from .layout import is_packed
from .reshaping import ravel
from .sequences import as_array


class Flat:
    """What stands for `array.flat`."""

    stands_for = np.flatiter

    def __init__(self, array: SymbolicArray) -> None:
        self.array = array

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

    def __getitem__(self, key: Any) -> Any:
        found = self.line()[key]
        return (
            fresh(recorder().emit("copy", found.read(), order=None))
            if isinstance(found, SymbolicArray)
            else found
        )

    def __setitem__(self, key: Any, value: Any) -> None:
        line = self.shown()
        values = as_array(value)
        if values.ndim:
            target = line[key]
            fits = isinstance(target, SymbolicArray) and recorder().same(size(target), size(values))
            if not fits:
                recorder().unstageable(
                    "S189-flat", "array.flat is given more or fewer numbers than it has places"
                )
            value = ravel(values)
        line[key] = value

    def __len__(self) -> int:
        return len(self.line())

    def __array__(self, *_: Any, **__: Any) -> Any:
        recorder().unstageable("S189-flat", "array.flat is taken for an array")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or not hasattr(np.flatiter, name):
            raise AttributeError(f"'numpy.flatiter' object has no attribute '{name}'")
        recorder().unstageable("S170-method", f"flatiter.{name} is not staged")


@attribute_of("flat")
def flat(array: Any) -> Any:
    """Stand for `array.flat`."""
    return Flat(as_array(array))
