"""Arrays of records, and records: what stands for values of a structured dtype is what their fields show."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, NoReturn

import numpy as np

from transpile.runtime.graph.dim import DimLike, product
from transpile.runtime.graph.records import Names, fields_of, layout_of, leaves_of
from transpile.runtime.graph.types import DType
from transpile.runtime.views.view import View

from .array import SymbolicArray, dim_scalar
from .functions import Method
from .indexing import check_fit, load, setitem, shown_by
from .operand import Operand
from .recorder import recorder
from .references import Holder
from .scalar import SymbolicScalar
from .tuples import is_tuple

# Note [Records]
# No graph holds a record: what is compiled is an array for each field that the program names, a leaf, which lies in the caller's memory with gaps between its elements. Fields of one
# array never share memory, so leaves are told apart as arrays of their own. A field that is a record itself has fields of its own; one that is an array adds its axes behind.


# What stands for methods of arrays of records, by name.
RECORD_METHODS: dict[str, Callable[..., Any]] = {}


@dataclass(frozen=True)
class Seen:
    """Where records lie: `rows` of the field at `names` of `source`, which is an array or was handed in, looked at by functions of NumPy arrays."""

    source: Any
    names: Names
    rows: View | None = None
    looks: tuple[Callable[[Any], Any], ...] = ()


class Fields(ABC):
    """The leaves of an array of records, by their names."""

    @abstractmethod
    def leaf(self, names: Names) -> SymbolicArray:
        """Return what stands for a field that is no record: its axes are those of the records, and then its own."""

    @abstractmethod
    def leaves(self) -> Iterator[SymbolicArray]:
        """Yield the leaves that were asked for."""

    @abstractmethod
    def seen(self, names: Names) -> Seen:
        """Return where the records lie, or the field of theirs that names lead to."""


class RecordArray(Holder):
    """An array of records: some that are `shown` of those that `fields` are of, or of a field of theirs, which `names` lead to."""

    __slots__ = ("dtype", "fields", "names", "shown")
    symbolic = True
    stands_for: type = np.ndarray
    # Whether fields are attributes.
    has_attributes = False
    __array_priority__ = 1000.0
    __array_ufunc__ = None

    def __init__(self, fields: Fields, names: Names, shown: View, dtype: DType) -> None:
        for name, value in (("fields", fields), ("names", names), ("shown", shown), ("dtype", dtype)):
            object.__setattr__(self, name, value)

    fields: Fields
    names: Names
    # Which of those they are of.
    shown: View
    # The dtype of a record.
    dtype: DType
    # What stands for arrays of its like, and for a record in it.
    array_class: ClassVar[type[RecordArray]]
    scalar_class: ClassVar[type[RecordScalar]]

    def held(self) -> Iterator[Any]:
        """Yield the arrays that the records are known by."""
        yield from self.fields.leaves()

    # -- what it is --------------------------------------------------------------------------------------------

    @property
    def dims(self) -> tuple[DimLike, ...]:
        """The dims, under the equalities that tracing assumes."""
        return tuple(map(recorder().normal, self.shown.dims))

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shown.dims)

    @property
    def shape(self) -> tuple[Any, ...]:
        """The dims, as the program sees them."""
        return tuple(map(dim_scalar, self.dims))

    @property
    def size(self) -> Any:
        """The number of records, as the program sees it."""
        return dim_scalar(recorder().normal(product(self.dims)))

    @property
    def itemsize(self) -> int:
        """How many bytes a record takes."""
        return int(self.dtype.itemsize)

    @property
    def nbytes(self) -> Any:
        """How many bytes all take."""
        return self.size * self.itemsize

    def whole(self) -> View:
        """Return the view of everything, to build views of this array on."""
        return View.identity(self.dims)

    # -- fields ------------------------------------------------------------------------------------------------

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            return self._seen(self._field(key))
        found = shown_by(self, key) if not isinstance(key, list) else None
        if found is None:
            return self._picked(key)
        view, is_record = found
        kind = self.scalar_class if is_record else self.array_class
        return kind(self.fields, self.names, self.shown.then(view), self.dtype)

    def _picked(self, key: Any) -> RecordArray:
        """Return new records, those that an array of places names; or a view of several fields, by a list of their names."""
        names = self.dtype.names or ()
        if isinstance(key, list) and key and all(type(n) is str and n in names for n in key):
            return self._parts(key)
        if isinstance(key, list) and key and all(type(place) is int for place in key):
            key = Operand.as_array(key)
        is_own = type(self).stands_for is np.ndarray
        if (
            not is_own
            or not isinstance(key, SymbolicArray)
            or key.dtype.kind not in "iu"
            or not (key.ndim and self.ndim)
        ):
            return self._refuse(
                "indexed by more than integers, slices, arrays of them and the name of a field"
            )
        made: RecordArray = recorder().make_records(np.empty, (*key.dims, *self.dims[1:]), self.dtype)
        for mine, new in zip(self.leaves(), made.leaves(), strict=True):
            setitem(new, Ellipsis, mine[key])
        return made

    def _parts(self, names: list[str]) -> RecordArray:
        """Return a view of some of the fields."""
        chosen = list(names)
        if len(set(chosen)) < len(chosen) or type(self).stands_for is not np.ndarray:
            self._refuse("asked for a field twice, or of a class of its own")
        whole: Any = self.dtype
        dtype: DType = whole[chosen]
        before = {found: found for found, _ in leaves_of(dtype)}
        return Viewed(self, before, dtype, lambda shown: shown[chosen]).whole

    def leaves(self) -> Iterator[SymbolicArray]:
        """Yield what the fields show that are no records, and fields of those that are."""
        for name in self.dtype.names or ():
            field = self._field(name)
            yield from field.leaves() if isinstance(field, RecordArray) else (field,)

    def __setitem__(self, key: Any, value: Any) -> None:
        if not isinstance(key, str):
            if shown_by(self, key) is None:
                self._refuse("stored into at places that an array names")
            self[key]._store(value)
            return
        shown = self._field(key)
        if isinstance(shown, RecordArray):
            shown._store(value)
        else:
            setitem(shown, Ellipsis, value)

    def _field(self, name: str) -> SymbolicArray | RecordArray:
        """Return the view of a field."""
        if name not in (self.dtype.names or ()):
            raise ValueError(f"no field of name {name}")
        if not all(map(recorder().visible, self.shown.all_dims())):
            recorder().unstageable(
                "S101-escaped", "records are used outside of the region that decides which they are"
            )
        names = (*self.names, name)
        dtype, *_ = fields_of(self.dtype)[name]
        view = self.shown.extended(dtype.shape)
        if dtype.base.names is not None:
            return self.array_class(self.fields, names, view, np.dtype((self.dtype.type, dtype.base)))
        return self.fields.leaf(names).through(view)

    def _seen(self, field: SymbolicArray | RecordArray) -> Any:
        """Return a field as the program sees it."""
        return field

    def _store(self, value: Any) -> None:
        """Do `records[...] = value`, of records of the same dtype, or a tuple of numbers for all the fields."""
        names = self.dtype.names or ()
        if isinstance(value, RecordArray) and layout_of(value.dtype) == layout_of(self.dtype):
            if value.ndim > self.ndim:
                self._refuse("stored into fewer axes")
            check_fit(value.dims, self.dims)
            for mine, other in zip(self.leaves(), list(value.leaves()), strict=True):
                setitem(mine, Ellipsis, other)
            return
        if not is_tuple(value) or not all(map(_is_number, value)):
            self._refuse("stored into otherwise than by its fields, by its like or by tuples of numbers")
        if len(value) != len(names):
            raise recorder().unsure(ValueError("could not assign tuple to structure"))
        for name, item in zip(names, value, strict=True):
            field = self._field(name)
            if isinstance(field, RecordArray):
                self._refuse("of records, and stored into otherwise than by its fields")
            setitem(field, Ellipsis, item)

    # -- what else Python asks of it ---------------------------------------------------------------------------

    def __len__(self) -> int:
        return int(self.length().__index__())

    def length(self) -> Any:
        """Return the length, as the program sees it."""
        if not self.ndim:
            raise TypeError("len() of unsized object")
        return dim_scalar(self.dims[0])

    def __iter__(self) -> Iterator[Any]:
        if not self.ndim:
            raise TypeError("iteration over a 0-d array")
        return map(self.__getitem__, range(len(self)))

    def _refuse(self, what: str) -> NoReturn:
        recorder().unstageable(
            "S323-records", f"an array of records is {what}", "name the fields that are meant"
        )

    def _other(self, *_: Any) -> NoReturn:
        self._refuse("used otherwise than by its fields")

    __bool__ = __int__ = __float__ = __complex__ = __index__ = __str__ = __repr__ = __format__ = _other
    __contains__ = __delitem__ = __array__ = __hash__ = _other

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        kind = type(self).stands_for
        if self._is_attribute(name):
            return self[name]
        if name in RECORD_METHODS and kind is np.ndarray:
            return Method(self, name, RECORD_METHODS[name])
        if hasattr(kind, name):
            recorder().unstageable("S170-method", f"{kind.__name__}.{name} of records is not staged")
        # Its own error names it best.
        return getattr(np.zeros((), self.dtype)[() if kind is np.void else ...], name)

    def __setattr__(self, name: str, value: Any) -> None:
        if not self._is_attribute(name):
            self._refuse("given another attribute")
        self[name] = value

    def _is_attribute(self, name: str) -> bool:
        """Whether an attribute is a field."""
        found = self.has_attributes and name in (self.dtype.names or ())
        return found and not hasattr(type(self).stands_for, name)

    __delattr__ = _other


# No operator takes records.
for _name in vars(Operand):
    if _name.startswith("__") and _name not in vars(RecordArray) and callable(vars(Operand)[_name]):
        setattr(RecordArray, _name, RecordArray._other)


class RecordScalar(RecordArray):
    """A record, which is a view of the one in its array."""

    __slots__ = ()
    stands_for = np.void

    def __getitem__(self, key: Any) -> Any:
        return super().__getitem__(self._name(key))

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(self._name(key), value)

    def _name(self, key: Any) -> str:
        """Return the name of the field that a key, its name or place, names."""
        names = self.dtype.names or ()
        if type(key) is int and -len(names) <= key < len(names):
            return names[key]
        if not isinstance(key, str):
            self._refuse("asked for what no name or place of a field names")
        return key

    def _seen(self, field: SymbolicArray | RecordArray) -> Any:
        if field.ndim:
            return field
        if isinstance(field, RecordArray):
            return self.scalar_class(field.fields, field.names, field.shown, field.dtype)
        return SymbolicScalar(load(field))

    def length(self) -> Any:
        """Return the number of fields."""
        return len(self.dtype.names or ())

    def __iter__(self) -> Iterator[Any]:
        return map(self.__getitem__, range(len(self)))


RecordArray.array_class, RecordArray.scalar_class = RecordArray, RecordScalar


class Viewed(Fields):
    """The fields of an array of records under other names, by their own ones; `look` is what shows them of a NumPy array."""

    def __init__(
        self, array: RecordArray, before: dict[Names, Names], dtype: DType, look: Callable[[Any], Any]
    ) -> None:
        self._array, self._before, self._look = array, before, look
        self.whole = RecordArray(self, (), View.identity(array.dims), dtype)

    def leaf(self, names: Names) -> SymbolicArray:
        """Return what stands for a field that is no record."""
        array = self._array
        leaf = array.fields.leaf((*array.names, *self._before[names]))
        return leaf.through(array.shown.extended(leaf.dims[len(array.shown.base_dims) :]))

    def leaves(self) -> Iterator[SymbolicArray]:
        """Yield the leaves that were asked for."""
        return self._array.fields.leaves()

    def seen(self, names: Names) -> Seen:
        """Return where the records lie."""
        if names:
            recorder().unstageable("S323-records", "records in others, which have been renamed, are returned")
        array = self._array
        found = array.fields.seen(array.names)
        rows = array.shown if found.rows is None else found.rows.then(array.shown)
        return Seen(found.source, found.names, rows, (*found.looks, self._look))


def _is_number(thing: Any) -> bool:
    return isinstance(thing, (bool, int, float, complex, np.number, np.bool_, SymbolicScalar))
