"""Symbolic arrays: views on storages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from transpile.runtime.graph.dim import Dim, DimLike, product
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import ArrayType, DType, dims_of
from transpile.runtime.ops.table import TABLE
from transpile.runtime.views.view import View

from .cells import Storage
from .frames import Frame
from .operand import Operand
from .parts import Part
from .recorder import recorder
from .scalar import SymbolicScalar, symbolic_int
from .signals import NeedsValue


@dataclass(frozen=True, slots=True)
class Reshape:
    """A step of a chain of views: the elements, contiguous in memory, in other dims."""

    base_dims: tuple[DimLike, ...]
    dims: tuple[DimLike, ...]


Chain = tuple[View | Reshape, ...]


class SymbolicArray(Operand):
    """An array known by dtype and dims: a chain of views on a storage, and parts of the elements that these show.

    Reading takes the storage's current value, so that what is written through one view is seen through all.
    """

    __slots__ = ("chain", "detached", "parts", "readonly", "region", "several", "storage", "viewed")

    def __init__(self, storage: Storage, chain: Chain = (), parts: tuple[Part, ...] = ()) -> None:
        self.storage = storage
        self.chain = chain
        self.parts = parts
        # The region that made this object, in which its shape may be set; none for the caller's own object.
        self.region: Frame | None = recorder().frame
        # Whether it is a view that NumPy does not let be written, of memory that may be.
        self.readonly = False
        # Whether it was made as a view of another one, so that it is another object even where it shows all of it.
        self.viewed = False
        # Whether the way control took decides which of several views of the same elements it is, or whether another one is it.
        self.several = False
        # Whether NumPy has it be a view of an object of its own, which is one of the memory.
        self.detached = False

    # -- what it is --------------------------------------------------------------------------------------------

    @property
    def type(self) -> ArrayType:
        """The graph's type of the array as it is seen."""
        type_ = self.storage.type
        for step in self.chain:
            if isinstance(step, View):
                type_ = ArrayType(type_.dtype, step.dims, step.order(type_.axes))
            else:
                type_ = ArrayType(type_.dtype, step.dims)
        return ArrayType(self.dtype, type_.dims, type_.order) if self.parts else type_

    @property
    def dims(self) -> tuple[DimLike, ...]:
        """The dims, under the equalities that tracing assumes."""
        dims = self.chain[-1].dims if self.chain else self.storage.dims
        return tuple(map(recorder().normal, dims))

    @property
    def dtype(self) -> DType:
        """The dtype, as of a NumPy array."""
        return self.parts[-1].dtype if self.parts else self.storage.dtype

    @property
    def is_view(self) -> bool:
        """Whether something else is shown than the memory as it is."""
        return bool(self.chain or self.parts)

    def shows_same(self, other: SymbolicArray) -> bool:
        """Whether another array shows the very same elements."""
        if (self.storage, self.parts) != (other.storage, other.parts):
            return False
        return self.chain == other.chain or _normal(self.chain) == _normal(other.chain)

    @property
    def copied(self) -> str:
        """What `Storage.copied` says; there are gaps in memory between parts of numbers, too."""
        return self.storage.copied or ("" if all(part.is_bits for part in self.parts) else "gaps")

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.chain[-1].dims if self.chain else self.storage.dims)

    @property
    def contiguous(self) -> bool:
        """Whether the elements are known to lie in C order without gaps."""
        storage = self.storage
        if not storage.contiguous or storage.may_have_gaps or storage.type.order is not None or self.copied:
            return False
        return all(isinstance(step, Reshape) or _keeps_contiguous(step) for step in self.chain)

    # -- reading and writing -----------------------------------------------------------------------------------

    def read(self) -> Value:
        """Return the value of the elements now."""
        value = self._whole_elements()
        for part in self.parts:
            value = part.of(value)
        return value

    def _whole_elements(self) -> Value:
        if self.storage.attribute is not None:
            self.storage.attribute.used(self)
        value = recorder().read(self.storage)
        for step in self.chain:
            value = applied(step, value)
        return value

    @property
    def writable(self) -> bool:
        """Whether the array can be written; where NumPy warns of that, the trace ends."""
        if self.may_be_written is None:
            recorder().unstageable(
                "S114-warns", "NumPy warns of writes to the array, which broadcasting gave"
            )
        return bool(self.may_be_written)

    @property
    def may_be_written(self) -> bool | None:
        """Whether the array can be written; None where NumPy warns of that."""
        return False if self.readonly else self.storage.writable

    def check_writable(self) -> None:
        """Raise what NumPy does where the array cannot be written."""
        if not self.writable:
            raise ValueError("assignment destination is read-only")

    def write(self, value: Value, indices: Sequence[Value] = ()) -> None:
        """Write a value, of the array's dtype and of dims that broadcast to its dims, into the elements.

        With `indices`, write into those that they name along the first axes.
        """
        storage = self.storage
        self.check_writable()
        last = self.chain[-1] if self.chain else None
        if isinstance(last, View) and last.overlaps(recorder().bounds.nonnegative):
            recorder().unstageable(
                "S112-repeated", "an array is written that holds elements in several places"
            )
        if storage.frozen:
            recorder().unstageable(
                "S111-frozen",
                "an array is written after it was appended to a list of run-time length",
                "append a copy",
            )
        if storage.attribute is not None:
            storage.attribute.changed(self)
        for alias in storage.aliases:
            check_alias(storage, alias)
        relatives = storage.relatives - storage.aliases
        if relatives and Operand.is_live(*relatives, passing=True):
            _refuse_alias()
        if self.parts:
            value, indices = self._completed(value, indices), ()
        recorder().write(
            storage, _written(recorder().read(storage), self.chain, value, indices, storage.input)
        )

    def _completed(self, value: Value, indices: Sequence[Value]) -> Value:
        """Return the whole elements in which these parts of them are written."""
        wholes = [self._whole_elements()]
        for part in self.parts[:-1]:
            wholes.append(part.of(wholes[-1]))
        if indices:
            own = self.parts[-1].of(wholes[-1])
            value = recorder().emit("scatter", own, value, *indices, view=self.whole(), input=None)
        for part, whole in zip(reversed(self.parts), reversed(wholes), strict=True):
            value = part.put(value, whole)
        return value

    def part(self, part: Part) -> SymbolicArray:
        """Return a view of a part of each element."""
        result = self.through(self.whole())
        result.parts = (*self.parts, part)
        return result

    def through(self, step: View | Reshape) -> SymbolicArray:
        """Return a view of this view."""
        chain = self.chain
        last = chain[-1] if chain else None
        if isinstance(step, View) and isinstance(last, View):
            chain, step = chain[:-1], last.then(step)
        whole = isinstance(step, View) and step.is_identity
        result = SymbolicArray(self.storage, chain if whole else (*chain, step), self.parts)
        result.readonly = self.readonly
        result.viewed = True
        result.detached = self.detached
        return result

    def locked(self) -> SymbolicArray:
        """Return a view that cannot be written."""
        result = self.through(self.whole())
        result.readonly = True
        return result

    def apart(self) -> SymbolicArray:
        """Return the view as one of an object of NumPy's own, and no more of an array."""
        self.detached = True
        return self

    def whole(self) -> View:
        """Return the view of everything, to build views of this array on."""
        return View.identity(self.dims)

    # -- what Python asks of it --------------------------------------------------------------------------------

    def __getitem__(self, key: Any) -> Any:
        return Operand.getitem(self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        Operand.setitem(self, key, value)

    def __len__(self) -> int:
        if not self.ndim:
            raise TypeError("len() of unsized object")
        dim = self.dims[0]
        if isinstance(dim, int):
            return dim
        raise NeedsValue(recorder().dim_value(dim))

    def __iter__(self) -> Iterator[Any]:
        if not self.ndim:
            raise TypeError("iteration over a 0-d array")
        return iter([self[position] for position in range(len(self))])

    def __bool__(self) -> bool:
        raise NeedsValue(self.read())

    __int__ = __float__ = __complex__ = __index__ = __str__ = __repr__ = __bool__  # type: ignore[assignment]

    def __format__(self, specification: str) -> str:
        raise NeedsValue(self.read())

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Operand.attribute(self, name)


def _normal(chain: Chain) -> Chain:
    """Return the steps of a chain with the equalities of dims that are assumed applied."""
    normal = recorder().normal
    return tuple(
        step.substitute(lambda value: normal(Dim.of_value(value))) if isinstance(step, View) else step
        for step in chain
    )


def _keeps_contiguous(view: View) -> bool:
    """Whether a view of C-contiguous memory is C-contiguous: leading axes indexed or cut, all others whole and in order."""
    place = 0
    leading = True
    for axis, (offset, terms) in enumerate(view.axes):
        if not terms:
            if not leading:
                return False
            continue
        if len(terms) > 1 or terms[0][1] != 1:
            return False
        while place < len(view.dims) and place != terms[0][0] and view.dims[place] == 1:
            place += 1
        if terms[0][0] != place:
            return False
        whole = offset == 0 and view.dims[place] == view.base_dims[axis]
        if not whole and not leading:
            return False
        leading = leading and view.dims[place] == 1
        if not whole and view.dims[place] != 1:
            leading = False
        place += 1
    return all(dim == 1 for dim in view.dims[place:])


def applied(step: View | Reshape, value: Value) -> Value:
    """Emit one step of a chain, once for each value of the base."""
    frame = recorder().frame
    key = (step, value)
    known = frame.memo.get(key)
    if known is None:
        if isinstance(step, View):
            known = recorder().emit("view", value, view=step)
        else:
            known = recorder().emit("reshape", value, dims=step.dims)
        frame.memo[key] = known
    return known


def _written(base: Value, chain: Chain, value: Value, indices: Sequence[Value], input_: int | None) -> Value:
    """Return `base`, the memory of the argument `input_` if it is one's, with `value` written through a chain of views."""
    if not chain or isinstance(chain[-1], Reshape):
        dims = chain[-1].dims if chain else dims_of(base.type)
        chain = (*chain, View.identity(dims))
    step, rest = chain[0], chain[1:]
    if rest:
        value, indices = _written(applied(step, base), rest, value, indices, input_), ()
    if isinstance(step, Reshape):
        return recorder().emit("reshape", value, dims=step.base_dims)
    if indices:
        return recorder().emit("scatter", base, value, *indices, view=step, input=input_)
    return recorder().emit("update", base, value, view=step, input=input_)


def check_alias(storage: Storage, alias: Storage) -> None:
    """Refuse a write to memory that is, or is not, the memory of something else, depending on the way control took."""
    # Of what NumPy may have a view of, there is a copy.
    is_callers = storage.input is not None and not alias.copied
    if is_callers or alias.input is not None or Operand.is_live(alias):
        _refuse_alias()


def _refuse_alias() -> None:
    recorder().unstageable(
        "S110-alias",
        "an array is written that may or may not share its memory with another one, depending on the way control took",
        "make the copy, or none, in every branch",
    )


def fresh(value: Value, name: str = "") -> SymbolicArray | SymbolicScalar:
    """Return the symbolic value of a new result: an array in memory of its own, or a scalar."""
    if not isinstance(value.type, ArrayType):
        return SymbolicScalar(value)
    storage = Storage(value.type, name or value.name)
    recorder().create(storage, value)
    array = storage.owner = SymbolicArray(storage)
    # Operators and ufuncs make new arrays; other functions may make them otherwise than NumPy does.
    op = value.op
    storage.owned = op is not None and TABLE[op.name].family == "elementwise" and not recorder().composes
    return array


def size(array: SymbolicArray) -> DimLike:
    """Return the number of elements."""
    return recorder().normal(product(array.dims))


def dim_scalar(dim: DimLike) -> SymbolicScalar | int:
    """Return a dim as the Python integer that the program sees."""
    return dim if isinstance(dim, int) else symbolic_int(recorder().dim_value(dim))
