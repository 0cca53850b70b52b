"""Parts of elements: views that show of each element its real or imaginary part, or its bits as another type of the same size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import ArrayType, DType
from transpile.runtime.views.view import View

from .recorder import recorder


@dataclass(frozen=True, slots=True)
class Part:
    """What is shown of each element: its "real" or "imaginary" part, or its "bits"; the dtype of that, and of the whole element."""

    name: str
    dtype: DType
    whole: DType

    @property
    def is_bits(self) -> bool:
        """Whether all of an element is shown."""
        return self.name == "bits"

    def of(self, value: Value) -> Value:
        """Return the parts of a value of whole elements."""
        number, options = _number(value), {"dtype": self.dtype} if self.is_bits else {}
        part = recorder().emit(self.name, number, **options)
        # What shows an array without axes is one.
        is_array = isinstance(value.type, ArrayType) and not value.type.dims
        return recorder().emit("fill", part, dims=()) if is_array else part

    def put(self, part: Value, whole: Value) -> Value:
        """Return whole elements with this part; the rest is that of `whole`."""
        part, whole = _number(part), _number(whole)
        if self.is_bits:
            return recorder().emit("bits", part, dtype=self.whole)
        if self.name == "real":
            return recorder().emit("complex_of", part, recorder().emit("imaginary", whole))
        return recorder().emit("complex_of", recorder().emit("real", whole), part)

    def of_numpy(self, array: Any) -> Any:
        """Return the parts of the elements of a NumPy array, as a view."""
        return array.view(self.dtype) if self.is_bits else array.real if self.name == "real" else array.imag


def _number(value: Value) -> Value:
    """Return the element of an array without axes; any other value as it is."""
    if isinstance(value.type, ArrayType) and not value.type.dims:
        return recorder().emit("load", value, view=View.identity(()))
    return value
