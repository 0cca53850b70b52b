"""What `array.flags` says of how an array lies in memory."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.aspects import Aspect
from transpile.runtime.arrays.functions import attribute_of, implements
from transpile.runtime.arrays.recorder import recorder

from .layout import holds_nothing, is_packed, reversed_axes
from .owners import owns_memory
from .sequences import as_array

_KEYS = {
    "C": "c_contiguous", "C_CONTIGUOUS": "c_contiguous", "CONTIGUOUS": "c_contiguous", "F": "f_contiguous",
    "F_CONTIGUOUS": "f_contiguous", "FORTRAN": "f_contiguous", "FNC": "fnc", "FORC": "forc", "W": "writeable", "WRITEABLE": "writeable",
    "O": "owndata", "OWNDATA": "owndata",
}  # fmt: skip


class Flags(Aspect):
    """What stands for `array.flags`: they stay what they were when they were asked for."""

    stands_for = type(np.empty(0).flags)
    asked = "flags"
    shows = False

    @property
    def c_contiguous(self) -> bool:
        """Whether the elements lie in C order without gaps."""
        return _lies_packed(self.before, self.before)

    contiguous = c_contiguous

    @property
    def f_contiguous(self) -> bool:
        """Whether the elements lie in Fortran's order without gaps."""
        return _lies_packed(self.before, reversed_axes(self.before))

    @property
    def forc(self) -> bool:
        """Whether the elements lie without gaps in one of the orders."""
        return self.c_contiguous or self.f_contiguous

    @property
    def fnc(self) -> bool:
        """Whether the elements lie in Fortran's order, and not in C's."""
        return self.f_contiguous and not self.c_contiguous

    @property
    def writeable(self) -> bool:
        """Whether the array may be written."""
        return self.before.writable and self.is_array

    @property
    def owndata(self) -> Any:
        """Whether the memory is the array's own."""
        return owns_memory(self.array) if self.is_array else _refuse()

    def __getitem__(self, key: Any) -> Any:
        return getattr(self, _KEYS[key]) if key in _KEYS else _refuse()

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        _refuse()

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "writeable":
            _set_writable(self._settable(), value)
        elif name in ("array", "is_array", "before"):
            object.__setattr__(self, name, value)
        else:
            _refuse()

    def __setitem__(self, key: Any, value: Any) -> None:
        if _KEYS.get(key) != "writeable":
            _refuse()
        _set_writable(self._settable(), value)

    def _settable(self) -> SymbolicArray:
        return self.array if self.is_array else _refuse()

    def _unknown(self, *_: Any) -> NoReturn:
        _refuse()

    __eq__ = __ne__ = __hash__ = __str__ = __repr__ = _unknown


def _refuse() -> NoReturn:
    recorder().unstageable(
        "S170-method", "of ndarray.flags other things are asked than what is known of memory"
    )


def _set_writable(array: SymbolicArray, value: Any) -> None:
    """Do `array.flags.writeable = value`: views of it from before stay what they are. Of the caller's own array, it is done when the call ends."""
    record = recorder()
    wanted = bool(value)
    if array.may_be_written is wanted:
        return
    if wanted and (array.storage.writable is not True or array.viewed):
        record.unstageable(
            "S170-method", "an array is made one that can be written, of which that is not known"
        )
    if array.region is None and array.storage.input is not None and not array.storage.origins:
        if wanted and owns_memory(array) is not True:
            record.unstageable("S170-method", "a view of the caller's is made one that can be written again")
        record.set_writable(array.storage.input, wanted)
    elif array.region is not record.frame or array.storage.origins or array.storage.frozen:
        record.unstageable(
            "S170-method", "an array made outside of a branch or loop is made one that cannot be written"
        )
    array.readonly = not wanted


@implements(method="setflags")
def setflags(array: Any, write: Any = None, align: Any = None, uic: Any = None) -> None:
    """Stand for `array.setflags`."""
    if write is align is uic is None:
        return
    if align is not None or uic is not None or not isinstance(array, SymbolicArray):
        recorder().unstageable("S170-method", "setflags with align= or uic=, or of a number")
    _set_writable(array, write)


def _lies_packed(array: SymbolicArray, turned: SymbolicArray) -> bool:
    """Whether the elements of an array, or of it `turned`, lie one after the other; which those of an empty one do either way."""
    record = recorder()
    storage = array.storage
    if not array.chain and storage.input is not None and not storage.contiguous:
        # The caller's own, known to have gaps in either order.
        return False
    found = is_packed(turned)
    if found is False:
        found = holds_nothing(array)
    if found is None:
        record.unstageable("S171-strides", "the strides of an array with unknown gaps in memory decide")
    return found


@attribute_of("flags")
def flags(array: Any) -> Any:
    """Stand for `array.flags`."""
    return Flags(as_array(array), isinstance(array, SymbolicArray))
