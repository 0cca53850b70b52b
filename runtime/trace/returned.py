"""What a traced function returns, described: what a call rebuilds it from, given the results of its graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from transpile.runtime.arrays.array import Chain, Reshape
from transpile.runtime.arrays.parts import Part
from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import ScalarType

from .guard import WRITEABLE
from .path import Path


@dataclass(frozen=True, eq=False)
class Constant:
    """A thing that is always returned as it is."""

    thing: Any


# What an attribute holds, or is given, on the ways on which there is none.
NOTHING: Any = object()


def those_there(held: dict[Any, Any]) -> dict[Any, Any]:
    """Return a dictionary of the keys that hold something."""
    return {key: thing for key, thing in held.items() if thing is not NOTHING}


@dataclass(frozen=True, eq=False)
class Given:
    """A thing that was handed in, itself."""

    path: Path


@dataclass(frozen=True, eq=False)
class Result:
    """A scalar among the graph's results."""

    place: int
    type: ScalarType


@dataclass(frozen=True, eq=False)
class Held:
    """An object whose handle is among the graph's results."""

    place: int


@dataclass(frozen=True, eq=False)
class Made:
    """What a function makes of results of the graph."""

    make: Callable[[Sequence[Any]], Any]
    places: tuple[int, ...]

    def of(self, results: Sequence[Any]) -> Any:
        """Return the thing, given all results of the graph."""
        return self.make([results[place] for place in self.places])


@dataclass(frozen=True, eq=False)
class ArrayResult:
    """An array: one among the graph's results or, with `given`, the caller's own; then views of it, whose dims are over `dims`, results too."""

    place: int
    given: Path | None
    chain: Chain
    dims: dict[Value, int]
    readonly: bool = False
    # Whether it is another object than the caller's own array, at least a view of it.
    view: bool = False
    parts: tuple[Part, ...] = ()
    # What is seen in its memory at last.
    looks: tuple[Callable[[Any], Any], ...] = ()

    @property
    def is_base(self) -> bool:
        """Whether it is that array itself, as it is."""
        return not (self.chain or self.parts or self.looks or self.readonly or self.view)

    def of(self, base: Any, results: Sequence[Any]) -> Any:
        """Return the array, given its base and all results of the graph."""

        def number(dim: DimLike) -> int:
            if isinstance(dim, int):
                return dim
            total = 0
            for monomial, factor in dim.terms:
                for value in monomial:
                    factor *= int(results[self.dims[value]])
                total += factor
            return total

        writable = base.flags.num & WRITEABLE
        for step in self.chain:
            base = (
                base.reshape(tuple(map(number, step.dims)))
                if isinstance(step, Reshape)
                else step.of_numpy(base, number)
            )
        for part in self.parts:
            base = part.of_numpy(base)
        for look in self.looks:
            base = look(base)
        if self.readonly or (self.view and not self.chain):
            base = base.view()
        if self.readonly:
            base.flags.writeable = False
        elif writable and not base.flags.num & WRITEABLE:
            # What numpy.broadcast_arrays gives can be written, of which NumPy warns.
            base.flags.writeable = True
            base.flags._warn_on_write = True
        return base


@dataclass(frozen=True, eq=False)
class Container:
    """A tuple, list, dictionary or named tuple made by the function, or what a function makes of other things."""

    type: Callable[..., Any]
    keys: tuple[Any, ...] | None
    items: tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class Instance:
    """An instance of a user's class made by the function."""

    type: type
    attributes: dict[str, Any]


@dataclass(frozen=True, eq=False)
class Alternatives:
    """One of several, told by the result at `tag`."""

    tag: int
    items: tuple[Any, ...]
