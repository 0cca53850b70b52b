"""The graph: values, ops, blocks. Pure SSA with structured regions."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from transpile.runtime.positions import Location

from .dim import Dim, DimLike, values_of
from .types import ArrayType, Type, dims_of

_serials = itertools.count()


class Value:
    """The result of an op or the argument of a block; compared by identity."""

    __slots__ = ("index", "name", "owner", "serial", "type")

    def __init__(self, type_: Type, name: str = "", owner: Op | Block | None = None, index: int = 0) -> None:
        self.type = type_
        self.name = name
        self.owner = owner
        self.index = index
        self.serial = next(_serials)

    def __repr__(self) -> str:
        return f"{self.name or self.serial}: {self.type}"

    @property
    def block(self) -> Block | None:
        """The block that the value is an argument of, or is computed in."""
        return self.owner.block if isinstance(self.owner, Op) else self.owner

    @property
    def op(self) -> Op | None:
        """The op that defines the value, or None for a block's argument."""
        # Asked so often that it is noticed how it is asked.
        owner = self.owner
        return owner if type(owner) is Op else None


# Types of most attributes.
_WITHOUT_DIMS = frozenset((bool, int, float, str, type(None)))


class Op:
    """One operation: operands in, results out, with attributes, regions and the user's positions it comes from."""

    __slots__ = ("attributes", "block", "location", "name", "operands", "regions", "results")

    def __init__(
        self,
        name: str,
        operands: tuple[Value, ...],
        types: tuple[Type, ...],
        attributes: dict[str, Any] | None = None,
        regions: tuple[Block, ...] = (),
        location: Location = (),
    ) -> None:
        self.name = name
        self.operands = operands
        self.attributes = attributes or {}
        self.regions = regions
        self.location = location
        self.block: Block | None = None
        self.results = tuple(Value(type_, "", self, index) for index, type_ in enumerate(types))

    @property
    def result(self) -> Value:
        """The only result."""
        (result,) = self.results
        return result

    def walk(self) -> Iterator[Op]:
        """Yield the op, and those of its regions."""
        yield self
        for region in self.regions:
            yield from region.walk()

    def result_is_array(self) -> bool:
        """Whether the op gives an array."""
        return bool(self.results) and isinstance(self.results[0].type, ArrayType)

    def attribute_dims(self) -> Iterator[DimLike]:
        """Yield the dims among the attributes."""
        for attribute in self.attributes.values():
            if type(attribute) in _WITHOUT_DIMS:
                continue
            if isinstance(attribute, Dim):
                yield attribute
            elif isinstance(attribute, tuple):
                yield from (item for item in attribute if isinstance(item, Dim))
            elif hasattr(attribute, "all_dims"):
                yield from attribute.all_dims()

    def used_values(self) -> Iterator[Value]:
        """Yield every value the op itself depends on: operands, and the values that dims of attributes and results are over."""
        yield from self.operands
        for dim in self.attribute_dims():
            yield from values_of(dim)
        for result in self.results:
            for dim in dims_of(result.type):
                if isinstance(dim, Dim):
                    yield from [v for v in dim.values() if v.owner is not self]

    def __repr__(self) -> str:
        return f"<{self.name}>"


class Block:
    """A list of ops in program order, with arguments, and the values it yields; `results` is None where control never reaches its end."""

    __slots__ = ("arguments", "ops", "results")

    def __init__(self) -> None:
        self.arguments: list[Value] = []
        self.ops: list[Op] = []
        self.results: tuple[Value, ...] | None = ()

    def append(self, op: Op) -> None:
        """Add an op at the end."""
        op.block = self
        self.ops.append(op)

    def argument(self, type_: Type, name: str = "") -> Value:
        """Add an argument."""
        value = Value(type_, name, self, len(self.arguments))
        self.arguments.append(value)
        return value

    def walk(self) -> Iterator[Op]:
        """Yield every op, those of nested regions after the op that holds them."""
        # Not by `Op.walk`: passes do this all the time.
        for op in self.ops:
            yield op
            for region in op.regions:
                yield from region.walk()

    def replace(self, replacements: dict[Value, Value]) -> None:
        """Replace values as operands and results, here and in nested regions (while the block is being built)."""
        for op in self.ops:
            if not replacements.keys().isdisjoint(op.operands):
                op.operands = tuple(replacements.get(v, v) for v in op.operands)
            for region in op.regions:
                region.replace(replacements)
        if self.results is not None:
            self.results = tuple(replacements.get(v, v) for v in self.results)


@dataclass
class Input:
    """What an argument of the entry block is fed with.

    `source` is "dim" (of the array argument `of`, on `axis`), "array" or "scalar"; `path` says where the caller's value is found. What is not `aligned` lies at
    addresses that need not fit its dtype. What is `held` is an object, and the scalar a handle for it.
    """

    source: str
    path: Any = None
    of: int = 0
    axis: int = 0
    contiguous: bool = True
    writable: bool = True
    aligned: bool = True
    held: bool = False


@dataclass
class Graph:
    """A traced function: entry block, what feeds its arguments, what it assumes of their dims, and how its results are handed out.

    `assumptions` are dims that must not be negative, `equalities` pairs of dims that must agree; both are over arguments alone. `written` maps
    the index of an input array to the index of the block result that is its contents at the end. `stores` tells that there is something to be stored
    elsewhere when a call has ended: where it fails, the original has to run it. `heeds` are the floating-point errors, as NumPy's flags, that it is to
    warn of; where every op is `watched` for them, by numbers, the processor's flags are not asked. Where they can be of one op only, `reporter` warns of them.
    `accuracy` says whose bits elementary functions and sums have: "numpy", or "fast" for any within the bounds that are stated.
    `parallel` says that several threads may run a loop.
    """

    name: str
    block: Block
    inputs: list[Input] = field(default_factory=list)
    assumptions: list[DimLike] = field(default_factory=list)
    equalities: list[tuple[Value, DimLike]] = field(default_factory=list)
    written: dict[int, int] = field(default_factory=dict)
    stores: bool = False
    heeds: int = 0
    watched: bool = False
    reporter: Any = None
    accuracy: str = "numpy"
    parallel: bool = True

    def __str__(self) -> str:
        from .text import print_graph

        return print_graph(self)
