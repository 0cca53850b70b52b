"""Pools of objects: where the instances of users' classes lie that are items of lists whose length run time gives."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, NoReturn

import numpy as np

from transpile.runtime.errors import StagingError
from transpile.runtime.graph.types import ArrayType

from .array import SymbolicArray, dim_scalar
from .array_attributes import Attribute, Copied, as_it_was, is_new, refuse
from .cells import Storage
from .choices import choose
from .functions import FUNCTIONS
from .gaps import gaps_of
from .indexing import as_dim
from .lists import StagedList
from .mixed import adopt, leaves_in
from .operand import Operand
from .recorder import recorder
from .rows import Arrays, Record, Row, built, columns_of, freeze, join_rows, row_of, same_row
from .undefined import Undefined
from .union import Union
from .unseen import class_of

# Note [Pools of objects]
# An instance that a trace makes holds its attributes itself, which branches and loops follow one by one. That cannot be said of one of many, of which
# run time decides how many there are, or which one is asked for. Such instances lie in the pool of their class, of which there is one in a trace: a
# staged list with a row for each of them, whose columns are the attributes. The number of its row is all that is known of such an instance. So what
# has one number is one object, by whatever name, and is copied or carried as a number. An instance moves into the pool where it becomes an item of a
# staged list; who knows it by a name knows it afterwards by its number. What a list holds are numbers, and nothing is said of pools where lists differ.


class ObjectPool:
    """The instances of one class that have a number: what they hold, in the order of `names`, are the rows of `items`.

    For each of the `handed_arrays`, attributes that are arrays which were handed in, they also hold whether it `is_new`, and `as_it_was`.
    """

    def __init__(self, stand_in: type) -> None:
        self.names: tuple[str, ...] = ()
        self.handed_arrays: tuple[str, ...] = ()
        self.is_handed = False
        self.items = StagedList()
        self._stand_in = stand_in
        self._kind: type | None = None
        # Those that are about to move in, by identity.
        self._moving: set[int] = set()
        # What is known of attributes that are arrays.
        self._arrays: dict[str, Attribute] = {}

    def __str__(self) -> str:
        return f"{self._stand_in.__name__} object"

    @property
    def class_(self) -> type:
        """The user's class."""
        return class_of(self._stand_in)

    @property
    def has_identity(self) -> bool:
        """Whether two of its objects are equal only where they are one."""
        return not _decides(self._stand_in, "__eq__")

    @property
    def shown_names(self) -> tuple[str, ...]:
        """The names of what the program knows of."""
        return self.names[: len(self.names) - 2 * len(self.handed_arrays)]

    def begin(
        self,
        names: tuple[str, ...],
        arrays: tuple[str, ...],
        row: Record,
        columns: list[SymbolicArray],
        others: Iterable[str],
    ) -> None:
        """Have so many objects lie in the pool that were handed in; what they hold under `others` must not be asked for."""
        self.names = (*names, *(what(name) for name in arrays for what in (is_new, as_it_was)))
        self.is_handed, self.handed_arrays = True, arrays
        self._kind = _kind_of_members(self._stand_in, self, names, others)
        self.items.row, self.items.columns = row, columns
        self.items.end = dim_scalar(columns[0].dims[0])

    def member(self, handle: Any) -> Any:
        """Return the object of a number."""
        assert self._kind is not None
        made: Any = object.__new__(self._kind)
        recorder().pooled[id(made)] = (made, self, handle)
        return made

    def adopt(self, thing: Any) -> None:
        """Have an object lie in the pool."""
        record = recorder()
        if id(thing) in record.pooled:
            return
        held = vars(thing)
        if id(thing) in self._moving:
            refuse("leads back to itself while it is made an item of a list")
        if self._kind is not None and tuple(held) != self.shown_names:
            refuse("has other attributes than others of its class in lists")
        self._moving.add(id(thing))
        try:
            self._move(thing, held)
        finally:
            self._moving.discard(id(thing))

    def _move(self, thing: Any, held: dict[str, Any]) -> None:
        record = recorder()
        names = self.shown_names if self._kind is not None else tuple(held)
        beside = (value for name in self.handed_arrays for value in (True, held[name]))
        values = (*(held[name] for name in names), *beside)
        row = Record(tuple, tuple(map(_row_of, values)))
        if not columns_of(row):
            refuse("holds nothing that run time gives")
        if self._kind is None:
            self.names, self._kind = names, _kind_of_members(self._stand_in, self, names)
        if self.items.row is None:
            self.items.stage(row)
        # What it holds may take places in the same pool, which come before its own.
        assert isinstance(self.items.row, Record)
        for before, own in zip(self.items.row.items, row.items, strict=True):
            _check_size(before, own)
        self.items.widen(row)
        for own, value in zip(self.items.row.items, values, strict=True):
            adopt(own, value)
        handle = dim_scalar(as_dim(self.items.end))
        self.items.append(values)
        for name, value in held.items():
            if isinstance(value, SymbolicArray):
                self._give(name, value)
        self.items.shared = False
        held.clear()
        del record.made[id(thing)]
        _become(thing, self._kind)
        record.pooled[id(thing)] = (thing, self, handle)

    def leave(self, thing: Any, held: dict[str, Any]) -> None:
        """Have an object hold by itself what it held before it moved in."""
        record = recorder()
        del record.pooled[id(thing)]
        _become(thing, self._stand_in)
        record.made[id(thing)] = thing
        vars(thing).update(held)
        for value in held.values():
            if isinstance(value, SymbolicArray) and isinstance(value.storage.attribute, Copied):
                value.storage.attribute = None

    def attribute(self, name: str) -> Attribute:
        """Return what is known of the arrays that its objects hold under a name."""
        return self._arrays.setdefault(name, Attribute(self, name))

    def writes(self) -> int:
        """Return how often arrays that its objects hold were written."""
        return sum(attribute.writes for attribute in self._arrays.values())

    def is_current(self, name: str, storage: Storage) -> bool:
        """Whether the arrays that its objects hold under a name lie in some memory now."""
        return self.items.row is not None and self.items.columns[self._part(name)[1]].storage is storage

    def _give(self, name: str, array: SymbolicArray) -> None:
        """Note of an array that an object has come to hold a copy of it."""
        storage, own = array.storage, self.attribute(name)
        is_known = (
            array.is_view
            or storage.input is not None
            or storage.relatives
            or storage.aliases
            or storage.origins
            or not recorder().made_this_turn(storage)
        )
        if storage.attribute is not None:
            storage.attribute.note_known()
        if storage.attribute is not None or is_known:
            own.note_known()
        if not isinstance(storage.attribute, Attribute):
            storage.attribute = storage.attribute or Copied(own)
            freeze(storage)

    def _part(self, name: str) -> tuple[Row, int]:
        """Return the row of an attribute, and the first of its columns."""
        place, row = self.names.index(name), self.items.row
        assert isinstance(row, Record)
        return row.items[place], sum(len(columns_of(item)) for item in row.items[:place])

    def load(self, handle: Any, name: str) -> Any:
        """Return an attribute of an object."""
        row, first = self._part(name)
        if isinstance(row, ArrayType):
            # It is written by way of its objects alone.
            storage = self.items.columns[first].storage
            storage.attribute, storage.frozen = self.attribute(name), False
            storage.aliases, storage.relatives = set(), set()
        return self._loaded(handle, name)

    def _loaded(self, handle: Any, name: str) -> Any:
        row, first = self._part(name)
        return built(row, self.items.leaves_at(as_dim(handle), first, first + len(columns_of(row))))

    def store(self, handle: Any, name: str, value: Any) -> None:
        """Have an object hold something as an attribute."""
        rows = self.items.row
        assert isinstance(rows, Record)
        before, _ = self._part(name)
        if isinstance(value, SymbolicArray) and isinstance(before, ArrayType):
            if value.shows_same(self.load(handle, name)):
                return
        _check_size(before, _row_of(value))
        joined = join_rows(before, _row_of(value))
        if joined != before:
            changed = [
                joined if own == name else row for own, row in zip(self.names, rows.items, strict=True)
            ]
            self.items.widen(Record(tuple, tuple(changed)))
        if name in self.handed_arrays:
            self._replace(handle, name)
        self._write(handle, name, value)
        if isinstance(value, SymbolicArray):
            self._give(name, value)

    def _replace(self, handle: Any, name: str) -> None:
        """Note of an object that it comes to hold another array than the one that it was handed in with, and what that holds."""
        was_new, was = (self._loaded(handle, what(name)) for what in (is_new, as_it_was))
        before = FUNCTIONS[np.where](was_new, was, self.load(handle, name))
        self._write(handle, as_it_was(name), before)
        self._write(handle, is_new(name), True)

    def _write(self, handle: Any, name: str, value: Any) -> None:
        row, first = self._part(name)
        adopt(row, value)
        for number, leaf in enumerate(leaves_in(row, value), first):
            self.items.write_leaf(number, as_dim(handle), leaf)

    def lists(self) -> tuple[StagedList, ...]:
        """Return the lists of its own that a list of its objects leads to: every region looks for them by itself."""
        return ()


class _Attribute:
    """Gives what the objects of a pool hold as an attribute."""

    def __init__(self, pool: ObjectPool, name: str) -> None:
        self.pool, self.name = pool, name

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            refuse("is asked for an attribute by way of its class")
        return self.pool.load(handle_of(instance), self.name)

    def __set__(self, instance: Any, value: Any) -> None:
        self.pool.store(handle_of(instance), self.name, value)

    def __delete__(self, instance: Any) -> None:
        refuse(f"loses its attribute {self.name!r}")


def pool_of(thing: Any) -> ObjectPool | None:
    """Return the pool that an object lies in, or is to lie in; None for what cannot."""
    record = recorder()
    known = record.pooled.get(id(thing))
    if known is not None:
        return known[1]  # type: ignore[no-any-return]
    if not (record.may_pool and id(thing) in record.made and vars(type(thing)).get("__in_pools__")):
        return None
    if id(thing) in record.settled or id(thing) in record.perhaps_handed:
        refuse("differs between the ways control may take before it is made an item of a list")
    pool: ObjectPool = record.object_pools.setdefault(type(thing), ObjectPool(type(thing)))
    return pool


def settle_in(thing: Any) -> None:
    """Have an object that was just made lie in a pool, where all do that can."""
    record = recorder()
    if id(thing) in record.pooled or not vars(type(thing)).get("__in_pools__"):
        return
    record.makes_objects = True
    if record.pools_objects and vars(thing):
        with suppress(StagingError):
            pool_of(thing).adopt(thing)  # type: ignore[union-attr]


def handle_of(thing: Any) -> Any:
    """Return the number that an object has in its pool."""
    return recorder().pooled[id(thing)][2]


def can_be_pooled(class_: type) -> bool:
    """Whether instances of a class hold all that they hold as attributes, and none of them by a way of their own."""
    lazily = any(
        isinstance(member, functools.cached_property)
        for base in class_.__mro__
        for member in vars(base).values()
    )
    return not (lazily or _decides(class_, "__setattr__") or _decides(class_, "__delattr__"))


def _decides(class_: type, name: str) -> bool:
    """Whether a class has a special method of its own."""
    return getattr(class_, name) is not getattr(object, name)


def same_object(one: Any, other: Any) -> Any:
    """Return whether two things, one of which lies in a pool, are one object."""
    if isinstance(one, Union) or isinstance(other, Union):
        union = one if isinstance(one, Union) else other
        rest = other if union is one else one
        return choose(union.tag, [same_object(way, rest) for way in union.alternatives])
    pooled = recorder().pooled
    if id(one) not in pooled or id(other) not in pooled:
        return one is other
    (_, pool, handle), (_, others, number) = pooled[id(one)], pooled[id(other)]
    return pool is others and FUNCTIONS[bool](handle == number)


def _kind_of_members(
    stand_in: type, pool: ObjectPool, names: tuple[str, ...], others: Iterable[str] = ()
) -> type:
    """Return the class of what stands for the objects of a pool."""
    members: dict[str, Any] = {name: _Attribute(pool, name) for name in names}
    decides: Any = stand_in.__setattr__

    def store(self: Any, name: str, value: Any) -> None:
        if name not in names and not isinstance(inspect.getattr_static(stand_in, name, None), property):
            refuse(f"is given an attribute {name!r} after it was made an item of a list")
        decides(self, name, value)

    members |= {name: property(_refused(f"{name!r}, which it was handed in with")) for name in others}
    members |= {
        "__slots__": (),
        "__module__": vars(stand_in)["__module__"],
        "__doc__": stand_in.__doc__,
        "__is_in_pool__": True,
        "__setattr__": store,
        "__hash__": _refused("its hash"),
        "__dict__": property(_refused("all its attributes at once")),
    }
    if pool.has_identity:
        members["__eq__"] = _equal
    if pool.has_identity and not _decides(stand_in, "__ne__"):
        members["__ne__"] = _differs
    return type(stand_in.__name__, (stand_in,), members)


def _equal(one: Any, other: Any) -> Any:
    pooled = recorder().pooled
    ways = other.alternatives if isinstance(other, Union) else (other,)
    # Anything else may decide itself what it equals.
    return same_object(one, other) if all(w is None or id(w) in pooled for w in ways) else NotImplemented


def _differs(one: Any, other: Any) -> Any:
    same = _equal(one, other)
    if isinstance(same, bool) or same is NotImplemented:
        return same if same is NotImplemented else not same
    return Operand.operate("logical_not", same)


def _refused(what: str) -> Any:
    def method(self: Any) -> NoReturn:
        refuse(f"is asked for {what}")

    return method


def _become(thing: Any, kind: type) -> None:
    """Have an object be of another class, whatever it says that it is of."""
    vars(object)["__class__"].__set__(thing, kind)


def _row_of(value: Any) -> Row:
    """Return the row of an attribute."""
    ways = value.alternatives if isinstance(value, Union) else (value,)
    if any(isinstance(way, Undefined) for way in ways):
        refuse("lacks an attribute on some way")
    row = row_of(value)
    if isinstance(row, ArrayType):
        if not row.dims or value.type.order is not None or gaps_of(value) or value.parts:
            refuse("holds an array of no axes, or one that does not lie in the order of its axes")
    elif any(isinstance(column, ArrayType) for column in columns_of(row)):
        refuse("holds an array in a tuple, or one among other things")
    return row


def _check_size(before: Row, row: Row) -> None:
    """Refuse arrays that differ in size: what is written in place has to reach those that objects hold."""
    alike = isinstance(before, ArrayType) and isinstance(row, ArrayType) and before.dtype == row.dtype
    if isinstance(before, Arrays) or (alike and not same_row(before, row)):
        refuse("holds an array of another size than others of its class")


Operand.pool_of = staticmethod(pool_of)
