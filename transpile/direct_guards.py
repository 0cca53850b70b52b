"""Writes, as machine code, what tells whether a trace serves a call: the guards that ask for no more than what objects are, and what they hold."""

from __future__ import annotations

from collections.abc import Sequence
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from transpile.devices.cpu import c_code
from transpile.devices.cpu.c_code import (
    HELD,
    ITEMS,
    LENGTH,
    LISTED,
    TYPE,
    VERSION,
    Code,
)
from transpile.runtime.trace.guard import (
    Guard,
)
from transpile.runtime.trace.path import Path
from transpile.runtime.trace.sameness import same_number

from .direct_arrays import Arrays
from .direct_places import Place, Unwritten, class_at, function_at, holder_of, name_of, place_of, root_of

# What cannot change: where it is the same object, it is the same value.
_FIXED = (int, float, complex, bool, str, bytes, type(None), np.number, np.bool_, np.dtype)

# The most items of a list or dictionary that are looked at.
_ITEMS = 32
# The most names of a class, which are looked at only when it has changed.
_NAMES = 200
# The flag of types that a class statement makes.
_MADE = 1 << 9


class Guards:
    """Writes guards of a call's arguments. Where one does not hold, the code goes to "slow"."""

    def __init__(self, code: Code, parameters: Sequence[str]) -> None:
        self.code = code
        self.arguments = {name: code.load("ptr", "%args", 8 * place) for place, name in enumerate(parameters)}
        self.arrays = Arrays(code, self.at)
        # The values of integers, by their places: arguments, and items and attributes.
        self.integers: dict[Place, str] = {}
        # The words where things that were found in dictionaries are, by paths.
        self.found: dict[int, tuple[int, Path]] = {}
        # The slots of what the call takes a share in, as others may let go of it, until it ends.
        self.held: list[str] = []
        # What was found at places.
        self._values: dict[Place, str] = {}
        # The types of things that are surely of them, by their places, and the tuples of which the length is known.
        self._kinds: dict[Place, type] = {}
        self._measured: set[Place] = set()
        self._lookups: dict[int, tuple[Any, list[Guard]]] = {}

    def write(self, guards: Sequence[Guard]) -> None:
        """Write all guards; raises Unwritten."""
        first: list[Guard] = []
        others: list[Guard] = []
        for guard in guards:
            holder = holder_of(guard.path)
            if holder is not None:
                self._lookups.setdefault(id(holder), (holder, []))[1].append(guard)
            if holder is None or not _lasts(guard):
                # What is asked of arguments may run anything, and dictionaries are to be looked into afterwards.
                is_given = root_of(guard.path).kind == "argument" and not isinstance(guard.expected, Path)
                (first if is_given and guard.kind != "distinct" else others).append(guard)
        for guard in first:
            self._ask(guard)
        for holder, held in self._lookups.values():
            self._look(holder, held)
        for guard in others:
            self._ask(guard)
        self.arrays.are_apart()

    def _ask(self, guard: Guard) -> None:
        function = function_at(guard.path)
        if function is not None and guard.kind == "is":
            self._function(function, guard)
        elif guard.kind in _ARGUMENTS:
            _ARGUMENTS[guard.kind](self, self.at(guard.path), guard)
        else:
            raise Unwritten

    def at(self, path: Path) -> str:
        """Return what is at a path: an argument, what was looked at, what a function or a cell has, an attribute, or an item of a tuple, list or dictionary."""
        code = self.code
        if path.kind == "argument":
            return self.arguments[path.key]
        place = place_of(path)
        if place in self._values:
            return self._values[place]
        if id(path) in self.found:
            return code.load("ptr", "%words", self.found[id(path)][0])
        function = function_at(path)
        field = c_code.field_of(path.key) if function is not None else None
        if field is not None:
            thing = code.load("ptr", code.thing(function), field)
            code.test(f"ne ptr {thing}, null", "slow")
            return thing
        kind, order = class_at(path), c_code.order_of_bases()
        if kind is not None and path.key == "__mro__" and order is not None:
            return code.load("ptr", code.thing(kind), order)
        if path.kind == "object":
            return code.thing(path.key)
        if path.kind == "cell":
            cell = code.load("ptr", code.thing(path.key), HELD)
            code.test(f"ne ptr {cell}, null", "slow")
            return self._hold(place, cell)
        if path.kind == "item" and path.base is not None and place_of(path.base) in self._measured:
            return code.load("ptr", self.at(path.base), ITEMS + 8 * path.key)
        if path.kind == "attribute" and path.base is not None:
            return self._attribute(path, place)
        raise Unwritten

    def _hold(self, place: Place, value: str) -> str:
        """Take a share in what is at a place, and return it."""
        self.code.call("Py_IncRef", f"ptr {value}")
        return self._keep(place, value)

    def _keep(self, place: Place, value: str) -> str:
        """Keep what is at a place, in which there is a share, until the call ends."""
        self.held.append(self.code.slot())
        self.code.line(f"store ptr {value}, ptr {self.held[-1]}")
        self._values[place] = value
        return value

    def _attribute(self, path: Path, place: Place) -> str:
        """Ask an object for an attribute, as Python does."""
        code = self.code
        assert path.base is not None
        if root_of(path).kind != "argument":
            # What is run then may put other things in the place of what was found.
            for slot, where in self.found.values():
                if place_of(where) not in self._values:
                    self._hold(place_of(where), code.load("ptr", "%words", slot))
        value = code.call("PyObject_GetAttr", f"ptr {self.at(path.base)}", f"ptr {code.thing(path.key)}")
        code.test(f"ne ptr {value}, null", "lost")
        return self._keep(place, value)

    def end(self) -> None:
        """Write the ends of the calls that are left to others: where an attribute is not there, and where what was found is let go."""
        self.code.label("lost")
        self.code.call("PyErr_Clear")
        self.code.jump("slow")
        self.code.label("slow")
        self.release()

    def release(self) -> None:
        """Let go of what was held."""
        for slot in self.held:
            self.code.call("Py_DecRef", f"ptr {self.code.new(f'load ptr, ptr {slot}')}")

    def integer(self, path: Path) -> str:
        """Return the number that an integer is."""
        place = place_of(path)
        if place not in self.integers:
            if self._kinds.get(place) is not int:
                raise Unwritten
            self.integers[place] = self.code.call("PyLong_AsLongLong", f"ptr {self.at(path)}")
        return self.integers[place]

    # -- what dictionaries hold --------------------------------------------------------------------------------

    def _look(self, holder: Any, guards: Sequence[Guard]) -> None:
        """Look into a dictionary, unless it is as it was when that was done last."""
        if type(holder) is not dict:
            # It may find what it holds by a method of its own.
            raise Unwritten
        code = self.code
        table = code.thing(holder)
        known = code.name()
        version = ""
        if c_code.has_versions():
            place = code.word()
            version = code.load("i64", table, VERSION)
            look = code.name()
            last = code.load("i64", "%words", place)
            code.line(f"br i1 {code.new(f'icmp eq i64 {version}, {last}')}, label %{known}, label %{look}")
            code.label(look)
        values: dict[str, str] = {}
        for guard in guards:
            if guard.kind == "keys":
                self._names(table, guard)
                continue
            name = name_of(guard.path)
            if name not in values:
                values[name] = code.call("PyDict_GetItem", f"ptr {table}", f"ptr {code.thing(name)}")
            value = values[name]
            if guard.kind == "missing":
                code.test(f"eq ptr {value}, null", "slow")
                continue
            code.test(f"ne ptr {value}, null", "slow")
            if _lasts(guard):
                self._same(value, guard)
            slot = code.word()
            self.found[id(guard.path)] = slot, guard.path
            code.store("ptr", value, "%words", slot)
        if version:
            code.store("i64", version, "%words", place)
        code.jump(known)
        code.label(known)
        for guard in guards:
            if guard.kind == "type" and _can_change(guard.expected):
                self._type(self.at(guard.path), guard)

    def _names(self, table: str, guard: Guard) -> None:
        """Ask whether a class has these names and no others."""
        code = self.code
        if len(guard.expected) > _NAMES:
            raise Unwritten
        code.test(f"eq i64 {code.call('PyDict_Size', f'ptr {table}')}, {len(guard.expected)}", "slow")
        for name in guard.expected:
            held = code.call("PyDict_GetItem", f"ptr {table}", f"ptr {code.thing(name)}")
            code.test(f"ne ptr {held}, null", "slow")

    def _function(self, function: FunctionType, guard: Guard) -> None:
        """Ask whether a function is as it was."""
        field = c_code.field_of(guard.path.key) if guard.path.kind == "attribute" else None
        if guard.kind != "is" or field is None:
            raise Unwritten
        expected = "null" if guard.expected is None else self.code.thing(guard.expected)
        self.code.test(
            f"eq ptr {self.code.load('ptr', self.code.thing(function), field)}, {expected}", "slow"
        )

    def _same(self, value: str, guard: Guard) -> None:
        """Ask whether a thing is the one that is expected, or of the type, or a tuple of the length."""
        if guard.kind == "type":
            self._type(value, guard)
        elif guard.kind == "is" or (guard.kind == "equals" and isinstance(guard.expected, _FIXED)):
            # Equal things that are others are left to Python.
            now = guard.expected if guard.kind == "is" else current(guard)
            self.code.test(f"eq ptr {value}, {self.code.thing(now)}", "slow")
        else:
            raise Unwritten

    # -- arguments ---------------------------------------------------------------------------------------------

    def _type(self, value: str, guard: Guard) -> None:
        code = self.code
        code.test(f"eq ptr {code.load('ptr', value, TYPE)}, {code.thing(guard.expected)}", "slow")
        self._kinds[place_of(guard.path)] = guard.expected
        if guard.expected is int:
            over = code.room("i32")
            number = code.call("PyLong_AsLongLongAndOverflow", f"ptr {value}", f"ptr {over}")
            code.test(f"eq i32 {code.load('i32', over)}, 0", "slow")
            if holder_of(guard.path) is None:
                self.integers[place_of(guard.path)] = number

    def _length(self, value: str, guard: Guard) -> None:
        code, place = self.code, place_of(guard.path)
        kind = self._kinds.get(place)
        if kind not in (tuple, list) or (kind is list and guard.expected > _ITEMS):
            raise Unwritten
        code.test(f"eq i64 {code.load('i64', value, LENGTH)}, {guard.expected}", "slow")
        if kind is tuple:
            self._measured.add(place)
            return
        # What else is run may change the list: all of it is held now.
        for number in range(guard.expected):
            item = code.load("ptr", code.load("ptr", value, LISTED), 8 * number)
            self._hold(("item", number, place), item)

    def _keys(self, value: str, guard: Guard) -> None:
        """Ask whether a dictionary has these keys, in this order, and hold what they lead to."""
        code, place = self.code, place_of(guard.path)
        is_plain = all(type(key) in (str, int) for key in guard.expected)
        if len(guard.expected) > _ITEMS or not is_plain:
            raise Unwritten
        code.test(f"eq ptr {code.load('ptr', value, TYPE)}, {code.thing(dict)}", "slow")
        at, key, item = code.room("i64"), code.room("ptr"), code.room("ptr")
        code.line(f"store i64 0, ptr {at}")
        given = f"ptr {value}", f"ptr {at}", f"ptr {key}", f"ptr {item}"
        for expected in guard.expected:
            code.test(f"ne i32 {code.call('PyDict_Next', *given)}, 0", "slow")
            # Equal keys that are others are left to Python.
            code.test(f"eq ptr {code.load('ptr', key)}, {code.thing(expected)}", "slow")
            self._hold(("item", expected, place), code.load("ptr", item))
        code.test(f"eq i32 {code.call('PyDict_Next', *given)}, 0", "slow")

    def _equals(self, value: str, guard: Guard) -> None:
        self._same(value, guard)

    def _not(self, value: str, guard: Guard) -> None:
        self.code.test(f"ne ptr {value}, {self.at(guard.expected)}", "slow")

    def _is_same(self, value: str, guard: Guard) -> None:
        self.code.test(f"eq ptr {value}, {self.at(guard.expected)}", "slow")

    def _distinct(self, value: str, guard: Guard) -> None:
        values = [value, *map(self.at, guard.expected)]
        for place, one in enumerate(values):
            for other in values[:place]:
                self.code.test(f"ne ptr {one}, {other}", "slow")


_ARGUMENTS: dict[str, Any] = {
    "type": Guards._type,
    "length": Guards._length,
    "keys": Guards._keys,
    "is": Guards._equals,
    "equals": Guards._equals,
    "array": lambda guards, value, guard: guards.arrays.array(value, guard),
    "not": Guards._not,
    "same": Guards._is_same,
    "distinct": Guards._distinct,
    "dim": lambda guards, value, guard: guards.arrays.dim(guard),
    "backwards": lambda guards, value, guard: guards.arrays.backwards(value, guard),
    "apart": lambda guards, value, guard: guards.arrays.apart(guard),
}


def _lasts(guard: Guard) -> bool:
    """Whether a guard on what a dictionary holds goes on holding as long as that holds the same."""
    return guard.kind in ("type", "is", "equals", "missing", "keys")


def _can_change(kind: type) -> bool:
    """Whether an object of a type can become one of another: `__class__` may be assigned where a type was made by Python, and to modules."""
    return bool(kind.__flags__ & _MADE) or issubclass(kind, ModuleType)


def current(guard: Guard) -> Any:
    """Return the thing that is there now, where it is equal to what is expected, and else that itself."""
    holder = holder_of(guard.path)
    now = guard.expected if holder is None else holder.get(name_of(guard.path), guard.expected)
    return now if same_number(now, guard.expected) else guard.expected
