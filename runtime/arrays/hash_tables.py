"""Stand-ins for dictionaries and sets whose keys run time gives."""

from __future__ import annotations

import collections
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, NoReturn

from transpile.runtime.errors import StagingError
from transpile.runtime.graph.types import INT
from transpile.runtime.positions import Location

from . import probing
from .functions import FUNCTIONS
from .hash_keys import SLOTS, as_taken, is_key, renew, shape_in, shape_of, slots_of
from .indexing import as_dim
from .lists import StagedList
from .mixed import adopt
from .numbers import lift, raise_if
from .operand import Operand
from .recorder import recorder
from .rows import items_of, made_as, pools_of, row_of
from .table_views import ItemsView, KeysView, TableView, ValuesView
from .union import Union


class NotATable(BaseException):
    """What a display makes has other keys than integers and tuples of them, or holds what no list can."""

    def __init__(self, site: Any, reason: str) -> None:
        super().__init__(reason)
        self.site = site


class Table:
    """What dictionaries and sets made by converted code have in common: keys in the order in which they came. See Note [Hash tables]."""

    stands_for: ClassVar[Any]
    is_staged = True
    # Whether one of Python's own may do in its stead.
    has_other = True

    def __init__(self, site: Location, known: Iterable[Any] = ()) -> None:
        recorder().made[id(self)] = self
        self.site = site
        self.entries = StagedList(map(as_taken, known))
        for key in list.__iter__(self.entries):
            self.check(key)
        self.slots = StagedList(slots_of(list(self.entries)))
        self.slots.stage(INT)
        # What a key of run time is compared with.
        if self.entries:
            row = self.entries.row_of_numbers()
            if row is None:
                self._leave("keys are of several kinds")
            self.entries.stage(row)
        self.gone: Any = 0
        # How many entries there are of keys that were taken out of a dictionary, where others keep their places.
        self.dead: Any = 0

    @property
    def length(self) -> Any:
        """How many keys there are: a number, or run time's."""
        return self.entries.length - self.dead

    def __len__(self) -> int:
        return len(self.entries)

    def holds(self, key: Any) -> Any:
        """Return whether there is a key."""
        return self.number_of(key) >= 0

    def number_of(self, key: Any) -> Any:
        """Return the number of a key's entry, or -1."""
        key = self.check(key)
        return Operand.call(probing.find, self, key)[1]

    def check(self, key: Any) -> Any:
        """Return a key, which is an integer or a tuple of integers, or None in a call that is left to the original then; refuse another one."""
        if isinstance(key, Union) and not is_key(key):
            key = key.present()
        key = as_taken(key)
        if not is_key(key):
            self._leave(f"a {type(key).__name__} is a key")
        row = self.entries.row
        if row is not None and shape_in(row) != shape_of(key):
            # They are never equal, but among the entries there is no telling them apart.
            self._leave("keys are of several kinds")
        return key

    def check_row(self, thing: Any) -> None:
        """Refuse what no list can hold."""
        try:
            row_of(thing)
        except StagingError as error:
            self._leave(error.message)

    def _leave(self, reason: str) -> NoReturn:
        if self.has_other and recorder().tables is not None:
            raise NotATable(self.site, reason)
        recorder().unstageable("S167-table", reason)

    def leave(self) -> None:
        """Note that what the table stands for is returned, stored or shown."""

    def clear(self) -> None:
        """Take all keys out."""
        self.entries.clear()
        self.gone = 0
        renew(self, SLOTS)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.entries)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self.refuse(name)

    def refuse(self, what: str) -> NoReturn:
        """Leave the call to the original, because of something that is asked of the table."""
        recorder().unstageable(
            "S167-table", f"{what} of a {self.stands_for.__name__} whose keys run time gives"
        )


class HashedSet(Table):
    """A set made by converted code. In which order it is run through is for Python to know."""

    stands_for = set

    def __init__(self, site: Location, known: Iterable[Any] = ()) -> None:
        super().__init__(site, known)
        # Whether the keys have been added one by one, and none was taken out.
        self.as_added: Any = True

    def add(self, key: Any) -> None:
        """Add a key."""
        key = self.check(key)
        Operand.call(probing.add, self, key)

    def discard(self, key: Any) -> None:
        """Take a key out, if it is there."""
        key = self.check(key)
        Operand.call(probing.discard, self, key)

    def remove(self, key: Any) -> None:
        """Take a key out."""
        key = self.check(key)
        slot, number = Operand.call(probing.find, self, key)
        _raise_missing(number, key)
        Operand.call(probing.take_out, self, slot, number)

    def update(self, *others: Any) -> None:
        """Add the items of others."""
        for other in others:
            # Of these Python takes the items in another order, or makes room for all at once.
            self.as_added = self.as_added and not isinstance(other, (dict, set, frozenset, Table))
            Operand.each(other.entries if isinstance(other, HashedSet) else other, self.add)

    def __or__(self, other: Any) -> HashedSet:
        made = self._selected("__or__", other, lambda key: True)
        made.update(other)
        return made

    def __ior__(self, other: Any) -> HashedSet:
        if not isinstance(other, HashedSet):
            self.refuse("__ior__")
        self.update(other)
        return self

    def __and__(self, other: Any) -> HashedSet:
        made = self._selected("__and__", other, other.holds if isinstance(other, HashedSet) else None)
        if self.entries.row != other.entries.row:
            # Of equal keys Python takes the one of the set with fewer keys.
            self.refuse("__and__")
        return made

    def __sub__(self, other: Any) -> HashedSet:
        return self._selected("__sub__", other, lambda key: other.number_of(key) < 0)

    def _selected(self, name: str, other: Any, test: Any) -> HashedSet:
        """Return a set of the keys that pass a test, for an operator between two sets. Python takes them in an order of its own."""
        if not isinstance(other, HashedSet):
            self.refuse(name)
        made = HashedSet(recorder().location())
        made.as_added = False
        Operand.each(self.entries, lambda key: Operand.when(test(key), made.add, key))
        return made

    def __iter__(self) -> Iterator[Any]:
        self.refuse("the order")


class HashedDict(Table):
    """A dictionary made by converted code."""

    stands_for: ClassVar[Any] = dict

    def __init__(self, site: Location, known: dict[Any, Any] | None = None) -> None:
        super().__init__(site, known or ())
        self.held = StagedList((known or {}).values())
        for item in list.__iter__(self.held):
            self.check_row(item)
        lists = any(isinstance(item, StagedList) for item in list.__iter__(self.held))
        row = None if lists else self.held.row_of_numbers()
        if row is not None:
            self.held.stage(row)

    def __len__(self) -> int:
        self.close_gaps()
        return super().__len__()

    def close_gaps(self) -> None:
        """Have no entries of keys that were taken out."""
        if type(self.dead) is not int or self.dead:
            Operand.call(probing.compact, self)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.keys())

    def __getitem__(self, key: Any) -> Any:
        key = self.check(key)
        number = self.number_of(key)
        _raise_missing(number, key)
        return self.held[number]

    def __setitem__(self, key: Any, value: Any) -> None:
        key = self.check(key)
        self.check_row(value)
        self._settle(value)
        Operand.call(probing.store, self, key, value)

    def _settle(self, thing: Any) -> None:
        """Have lists become items where they were made, before it shows whether there is a key."""
        row = row_of(thing)
        if pools_of(row):
            self.held.widen(row)
            adopt(self.held.row, thing)  # type: ignore[arg-type]

    def get(self, key: Any, default: Any = None) -> Any:
        """Return what a key leads to, or something else."""
        key = self.check(key)
        return Operand.call(probing.found_or, self, key, default)

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """Return what a key leads to, which is something given where it leads to nothing."""
        key = self.check(key)
        self.check_row(default)
        self._settle(default)
        return Operand.call(probing.found_or_put, self, key, default)

    def update(self, *others: Any, **named: Any) -> None:
        """Have keys lead to what they lead to in others."""
        if named:
            self._leave("names are keys")
        for other in others:
            Operand.each(
                other.items() if hasattr(other, "items") else other, lambda pair: self.__setitem__(*pair)
            )

    def __delitem__(self, key: Any) -> None:
        self.pop(key)

    def pop(self, key: Any, *default: Any) -> Any:
        """Take a key out, and return what it led to, or something else."""
        key = self.check(key)
        slot, number = Operand.call(probing.find, self, key)
        if default:
            return Operand.call(probing.taken_out_or, self, slot, number, *default)
        _raise_missing(number, key)
        return Operand.call(probing.taken_out, self, slot, number)

    def popitem(self) -> Any:
        """Take the last key out, and return it with what it led to."""
        raise_if(self.length == 0, lambda: KeyError("popitem(): dictionary is empty"))
        return Operand.call(probing.last_out, self)

    def clear(self) -> None:
        """Take all keys out."""
        super().clear()
        self.held.clear()
        self.dead = 0

    def copy(self) -> HashedDict:
        """Return a dictionary of the same keys, and what they lead to."""
        self.close_gaps()
        made = type(self).__new__(type(self))
        recorder().made[id(made)] = made
        vars(made).update(vars(self))
        made.entries, made.slots, made.held = self.entries.copy(), self.slots.copy(), self.held.copy()
        if made.entries.row is not None:
            # There is always a first row.
            made.entries.reserve(as_dim(made.entries.end))
        return made

    def keys(self) -> TableView:
        """Return the keys."""
        return KeysView(self)

    def values(self) -> TableView:
        """Return what the keys lead to."""
        return ValuesView(self)

    def items(self) -> TableView:
        """Return the keys, with what they lead to."""
        return ItemsView(self)


class HashedDefaults(HashedDict):
    """A `collections.defaultdict` made by converted code."""

    stands_for: ClassVar[Any] = collections.defaultdict
    has_other = False

    def __init__(self, make: Any, site: Location) -> None:
        super().__init__(site)
        self.make = make

    def __getitem__(self, key: Any) -> Any:
        key = self.check(key)
        return Operand.call(probing.found_or_made, self, key, self.make)


class HashedCounter(HashedDict):
    """A `collections.Counter` made by converted code."""

    stands_for: ClassVar[Any] = collections.Counter
    has_other = False

    def __getitem__(self, key: Any) -> Any:
        return self.get(key, 0)

    def __delitem__(self, key: Any) -> None:
        self.pop(key, None)

    def update(self, *others: Any, **named: Any) -> None:
        """Count items."""
        if named or any(isinstance(other, (dict, HashedDict)) for other in others):
            self.refuse("counts that are added")
        for other in others:
            Operand.each(other, lambda key: self.__setitem__(key, self[key] + 1))

    def most_common(self, n: Any = None) -> Any:
        """Return the keys that come most often, with how often they do."""
        ordered = FUNCTIONS[sorted](self.items(), key=_second, reverse=True)
        return ordered if n is None else ordered[:n]


def _second(pair: Any) -> Any:
    return pair[1]


def _refused(name: str) -> Any:
    def method(self: Any, *args: Any) -> Any:
        (self if isinstance(self, Table) else self.table).refuse(name)

    return method


for _class in (Table, TableView):
    for _name in (
        "__add__", "__radd__", "__iadd__", "__pos__", "__neg__", "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__or__", "__and__", "__sub__", "__xor__", "__ror__", "__ior__",
        "__iand__", "__isub__", "__contains__", "__reversed__", "__copy__", "__deepcopy__", "__hash__", "__str__", "__repr__", "__format__",
    ):  # fmt: skip
        setattr(_class, _name, _refused(_name))


def _raise_missing(number: Any, key: Any) -> None:
    """Raise KeyError where a key has no entry."""
    parts = _parts_of(key)
    if any(isinstance(part, Union) for part in parts):
        recorder().deoptimise_if(lift(number < 0), "a key is missing")
        return
    raise_if(number < 0, lambda *found: KeyError(_rebuilt(key, iter(found))), *parts)


def _parts_of(key: Any) -> list[Any]:
    parts = items_of(key)
    return [key] if parts is None else [part for item in parts for part in _parts_of(item)]


def _rebuilt(key: Any, parts: Iterator[Any]) -> Any:
    if isinstance(key, tuple):
        return tuple(_rebuilt(item, parts) for item in key)
    return made_as(type(key))(next(parts)) if items_of(key) else next(parts)
