"""Where a kernel has its values: buffers and variables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import ScalarType

Layout = Literal["C", "F", "A"]


@dataclass(eq=False)
class Buffer:
    """Memory of an array in a kernel: a variable of the generated code.

    `layout` is "C", "F" or "A", as numba has it. `source` says who provides it: "input", "output" (the caller hands it in, for a result), "result" (the caller makes it for a result, when
    the kernel knows its dims), "given" (what a call of Python gives, for a result), "taken" (what a call of Python gives, for the kernel), "local" (the kernel allocates it), "alias" (it is other buffers' memory, by assignment), "lent" (likewise, while one of these keeps it), "scratch" (it lies on the stack). `value` is the
    array of the graph that lies in it first, and so tells which other buffers may be the same memory. `base` is the buffer whose memory
    this is, with its elements in the same order, in other dims. What is not `aligned` may lie at any address: it is read and written element by element.
    """

    name: str
    dtype: Any
    dims: tuple[DimLike, ...]
    order: tuple[int, ...] | None = None
    layout: Layout = "C"
    source: str = "local"
    value: Value | None = None
    base: Buffer | None = None
    aligned: bool = True

    def __post_init__(self) -> None:
        if self.order is not None and self.layout == "C":
            self.layout = "F" if self.order == tuple(reversed(range(len(self.dims)))) else "A"

    @property
    def axes(self) -> tuple[int, ...]:
        """The axes from slowest to fastest in memory."""
        return tuple(range(len(self.dims))) if self.order is None else self.order

    @property
    def root(self) -> Buffer:
        """The buffer whose memory this is."""
        return self if self.base is None else self.base.root

    @property
    def places(self) -> tuple[int, ...]:
        """For each axis, where it stands among `axes`."""
        return tuple(self.axes.index(axis) for axis in range(len(self.dims)))


@dataclass(frozen=True)
class Variable:
    """A scalar that the kernel holds in a variable."""

    value: Value

    @property
    def type(self) -> ScalarType:
        """The scalar's type."""
        assert isinstance(self.value.type, ScalarType)
        return self.value.type
