"""What hands the memory of an array to others: `array.data`, `memoryview(array)` and `array.ctypes`."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.aspects import Aspect
from transpile.runtime.arrays.functions import ATTRIBUTES, METHODS, Method, attribute_of, implements
from transpile.runtime.arrays.indexing import is_integer
from transpile.runtime.arrays.recorder import recorder

from .flags import Flags
from .sequences import as_array


class Buffer(Aspect):
    """What stands for `array.data`: the memory of the array, which NumPy keeps alive for it."""

    stands_for = memoryview
    asked = "data"

    @property
    def _array(self) -> SymbolicArray:
        if not self.is_current:
            _refuse("a memoryview of an array that was changed since")
        return self.array

    @property
    def obj(self) -> SymbolicArray:
        """The array."""
        return self.of()

    @property
    def readonly(self) -> bool:
        """Whether nothing can be written through it."""
        return not (self._array.writable and self.is_array)

    @property
    def format(self) -> str:
        """The type of the elements, as `struct` calls it."""
        return str(np.empty(1, self._array.dtype).data.format)

    def _element(self, key: Any) -> Any:
        array = self._array
        places = key if isinstance(key, tuple) else (key,)
        if len(places) != array.ndim or not all(map(is_integer, places)):
            _refuse("a memoryview that is indexed by other than integers")
        _check_numbers(array)
        return array, places

    def __getitem__(self, key: Any) -> Any:
        array, places = self._element(key)
        return METHODS["item"](array, *places)

    def __setitem__(self, key: Any, value: Any) -> NoReturn:
        _refuse("a memoryview that is written")

    def __len__(self) -> int:
        return len(self._array)

    def __getattr__(self, name: str) -> Any:
        if name in ("nbytes", "itemsize", "ndim", "shape", "strides"):
            return ATTRIBUTES[name](self._array)
        if name in ("tobytes", "tolist"):
            if name == "tolist":
                _check_numbers(self._array)
            return Method(self._array, name, METHODS[name])
        if name in ("c_contiguous", "f_contiguous", "contiguous"):
            return getattr(Flags(self._array), "forc" if name == "contiguous" else name)
        if name.startswith("__") or not hasattr(memoryview, name):
            raise AttributeError(f"'memoryview' object has no attribute '{name}'", name=name)
        _refuse(f"memoryview.{name}")

    def _unknown(self, *_: Any) -> NoReturn:
        _refuse("what equals a memoryview, or what is in it")

    __eq__ = __ne__ = __hash__ = __iter__ = __contains__ = __str__ = __repr__ = __format__ = _unknown


class Address(Aspect):
    """What stands for `array.ctypes`."""

    stands_for = type(np.empty(0).ctypes)
    asked = "ctypes"

    @property
    def data(self) -> Any:
        """The address of the caller's own array."""
        array = self.of()
        if array.region is not None or array.storage.input is None:
            _refuse("the address of an array that the function makes, or a view")
        return recorder().given_attribute(array.storage.input, "ctypes", "data")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or not hasattr(self.stands_for, name):
            raise AttributeError(f"'_ctypes' object has no attribute '{name}'", name=name)
        _refuse(f"ndarray.ctypes.{name}")

    def _unknown(self, *_: Any) -> NoReturn:
        _refuse("the text of ndarray.ctypes, or what equals it")

    __eq__ = __ne__ = __hash__ = __str__ = __repr__ = __format__ = _unknown


def _check_numbers(array: SymbolicArray) -> None:
    """Refuse to have a memoryview look at numbers that only NumPy reads."""
    if array.dtype.kind == "c" or array.dtype.char == "e" or not array.ndim:
        _refuse(f"elements of a memoryview of {array.dtype}, or of one without axes")


def _refuse(what: str) -> NoReturn:
    recorder().unstageable("S170-method", f"{what} is not staged")


@attribute_of("data")
def data(array: Any) -> Any:
    """Stand for `array.data`."""
    return Buffer(as_array(array), isinstance(array, SymbolicArray))


@attribute_of("ctypes")
def ctypes(array: Any) -> Any:
    """Stand for `array.ctypes`."""
    if not isinstance(array, SymbolicArray):
        _refuse("ctypes of a number")
    return Address(array)


@implements(memoryview)
def memoryview_(object: Any) -> Any:
    """Stand for `memoryview`."""
    return data(object) if isinstance(object, SymbolicArray) else memoryview(object)
