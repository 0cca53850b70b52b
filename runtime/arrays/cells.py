"""Cells: the state that a program changes, as the recorder follows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.types import ArrayType, DType, TokenType


class Cell:
    """Something whose current value a region may read and write; compared by identity."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


class Storage(Cell):
    """The memory behind arrays: its current value is the value of all of it.

    `input` is the place among the graph's inputs of the caller's array whose memory this is, else None. `aliases` are storages whose
    memory it may be, depending on the way control took at run time, `relatives` all those that may be the same memory, for whatever reason. `copied` tells that NumPy, which decides by strides known at run
    time only, may have given a view of other memory in the place of it: one that "fits", one with "gaps", or one in another "order". `frozen` tells that a list holds a copy of it, which a write would
    not reach. `origins` are the caller's arrays one of which it may be, as `origin`, a number of the graph, tells; `is_view` tells that it may be
    a view of one.
    """

    __slots__ = (
        "aliases",
        "attribute",
        "contiguous",
        "copied",
        "frozen",
        "input",
        "is_view",
        "origin",
        "origins",
        "owned",
        "owner",
        "related_at",
        "relatives",
        "seen",
        "type",
        "writable",
    )

    def __init__(
        self,
        type_: ArrayType,
        name: str = "",
        *,
        input_: int | None = None,
        contiguous: bool = True,
        writable: bool | None = True,
    ) -> None:
        super().__init__(name)
        self.type = type_
        self.input = input_
        self.contiguous = contiguous
        self.writable = writable
        self.copied = ""
        # Where it stands for memory that is seen otherwise: the array there, and what gives the view of that.
        self.seen: tuple[Any, Callable[[Any], Any]] | None = None
        self.frozen = False
        # The array object that is all of it, where that is known; and whether in NumPy, too, it is that which owns it.
        self.owner: Any = None
        self.owned = False
        # The attribute of objects in a pool whose arrays lie in it, or of which one was made of it; see Note [Attributes that are arrays].
        self.attribute: Any = None
        self.aliases: set[Storage] = set()
        self.relatives: set[Storage] = set()
        # Where the functions being traced stood when it came to be known that it may be the memory of others: see Note [Operands under way].
        self.related_at: set[tuple[int, int]] = set()
        self.origin: Any = None
        self.origins: tuple[Storage, ...] = ()
        self.is_view = False

    # Where each function that is being traced stands.
    places: ClassVar[Any]

    def relate(self, *others: Storage) -> None:
        """Note that it may be the same memory as others."""
        here = Storage.places()
        for other in (self, *others):
            other.related_at.update(here)
        for other in others:
            self.relatives.add(other)
            other.relatives.add(self)

    def may_be(self, other: Storage) -> bool:
        """Whether it is, or may be, the same memory as another."""
        return self is other or other in self.relatives

    @property
    def may_have_gaps(self) -> bool:
        """Whether control took a way, perhaps, on which NumPy has it lie otherwise than memory of its own does."""
        return self.copied in ("gaps", "order") or not all(origin.contiguous for origin in self.origins)

    @property
    def dims(self) -> tuple[DimLike, ...]:
        """The dims of the whole memory."""
        return self.type.dims

    @property
    def dtype(self) -> DType:
        """The dtype of its elements."""
        return self.type.dtype


class Resource(Cell):
    """Something outside the program, such as standard output, whose effects keep their order."""

    __slots__ = ("type",)

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.type = TokenType(name)


STDOUT = Resource("stdout")
