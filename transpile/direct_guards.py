"""Writes, as machine code, what tells whether a trace serves a call: the guards that ask for no more than what objects are, and how arrays lie."""

from __future__ import annotations

from collections.abc import Sequence
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from transpile.devices.cpu import c_code
from transpile.devices.cpu.c_code import DESCR, FLAGS, HELD, RANK, SHAPE, TYPE, VERSION, Code
from transpile.runtime.cache.match import PLAIN, same_number
from transpile.runtime.trace.guard import OWNS, WARNS, ArrayKey, Guard
from transpile.runtime.trace.path import Path

# What cannot change: where it is the same object, it is the same value.
_FIXED = (int, float, complex, bool, str, bytes, type(None), np.number, np.bool_, np.dtype)

# The flag of types that a class statement makes.
_MADE = 1 << 9


class Unwritten(Exception):
    """There is no machine code for a guard: Python has to look."""


class Guards:
    """Writes guards of a call's arguments. Where one does not hold, the code goes to "slow"."""

    def __init__(self, code: Code, parameters: Sequence[str]) -> None:
        self.code = code
        self.arguments = {name: code.load("ptr", "%args", 8 * place) for place, name in enumerate(parameters)}
        # The dims of arrays, by the names of arguments, and the values of integers.
        self.shapes: dict[str, list[str]] = {}
        self.integers: dict[str, str] = {}
        # The words where things that were found in dictionaries are, by paths.
        self.found: dict[int, int] = {}
        self._flags: dict[str, str] = {}
        self._apart: list[tuple[str, str]] = []
        self._lookups: dict[int, tuple[Any, list[Guard]]] = {}

    def write(self, guards: Sequence[Guard]) -> None:
        """Write all guards; raises Unwritten."""
        arguments = []
        for guard in guards:
            holder = holder_of(guard.path)
            if holder is not None:
                self._lookups.setdefault(id(holder), (holder, []))[1].append(guard)
            else:
                arguments.append(guard)
        for holder, held in self._lookups.values():
            self._look(holder, held)
        for guard in arguments:
            base = guard.path.base
            if base is not None and base.kind == "object" and type(base.key) is FunctionType:
                self._function(base.key, guard)
            elif guard.path.kind == "cell":
                cell = self.code.load("ptr", self.code.thing(guard.path.key), HELD)
                self.code.test(f"ne ptr {cell}, null", "slow")
                self._same(cell, guard)
            elif guard.path.kind == "argument" and guard.kind in _ARGUMENTS:
                _ARGUMENTS[guard.kind](self, self.arguments[guard.path.key], guard)
            else:
                raise Unwritten
        if self._apart:
            self._own()

    def at(self, path: Path) -> str:
        """Return what is at a path that was looked at."""
        if path.kind == "argument":
            return self.arguments[path.key]
        if id(path) not in self.found:
            raise Unwritten
        return self.code.load("ptr", "%words", self.found[id(path)])

    def elements(self, name: str) -> str:
        """Return how many elements an array has."""
        dims = self.shapes[name]
        total = dims[0] if dims else "1"
        for dim in dims[1:]:
            total = self.code.new(f"mul i64 {total}, {dim}")
        return total

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
            name = name_of(guard.path)
            if name not in values:
                values[name] = code.call("PyDict_GetItem", f"ptr {table}", f"ptr {code.thing(name)}")
            value = values[name]
            if guard.kind == "missing":
                code.test(f"eq ptr {value}, null", "slow")
                continue
            code.test(f"ne ptr {value}, null", "slow")
            self._same(value, guard)
            self.found[id(guard.path)] = slot = code.word()
            code.store("ptr", value, "%words", slot)
        if version:
            code.store("i64", version, "%words", place)
        code.jump(known)
        code.label(known)
        for guard in guards:
            if guard.kind == "type" and _can_change(guard.expected):
                self._type(self.at(guard.path), guard)

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
        """Ask whether a thing is the one that is expected, or of the type."""
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
        if guard.expected is int:
            over = code.room("i32")
            number = code.call("PyLong_AsLongLongAndOverflow", f"ptr {value}", f"ptr {over}")
            code.test(f"eq i32 {code.load('i32', over)}, 0", "slow")
            if guard.path.kind == "argument":
                self.integers[guard.path.key] = number

    def _equals(self, value: str, guard: Guard) -> None:
        self._same(value, guard)

    def _array(self, value: str, guard: Guard) -> None:
        code, key = self.code, guard.expected
        assert isinstance(key, ArrayKey)
        if not (key.contiguous and key.order is None and key.writable and key.kind is np.ndarray):
            raise Unwritten
        code.test(f"eq ptr {code.load('ptr', value, TYPE)}, {code.thing(np.ndarray)}", "slow")
        code.test(f"eq ptr {code.load('ptr', value, DESCR)}, {code.thing(key.dtype)}", "slow")
        code.test(f"eq i32 {code.load('i32', value, RANK)}, {len(key.ones)}", "slow")
        flags = self._flags[guard.path.key] = code.load("i32", value, FLAGS)
        code.test(f"eq i32 {code.new(f'and i32 {flags}, {PLAIN | WARNS}')}, {PLAIN}", "slow")
        shape = code.load("ptr", value, SHAPE)
        dims = self.shapes[guard.path.key] = []
        for axis, one in enumerate(key.ones):
            dims.append(code.load("i64", shape, 8 * axis))
            code.test(f"{'eq' if one else 'ne'} i64 {dims[-1]}, 1", "slow")

    def _not(self, value: str, guard: Guard) -> None:
        if guard.expected.kind != "argument":
            raise Unwritten
        self.code.test(f"ne ptr {value}, {self.arguments[guard.expected.key]}", "slow")

    def _distinct(self, value: str, guard: Guard) -> None:
        if any(path.kind != "argument" for path in guard.expected):
            raise Unwritten
        values = [value, *(self.arguments[path.key] for path in guard.expected)]
        for place, one in enumerate(values):
            for other in values[:place]:
                self.code.test(f"ne ptr {one}, {other}", "slow")

    def _dim(self, value: str, guard: Guard) -> None:
        axis, size = guard.expected
        if guard.path.key not in self.shapes:
            raise Unwritten
        self.code.test(f"eq i64 {self.shapes[guard.path.key][axis]}, {size}", "slow")

    def _share(self, value: str, guard: Guard) -> None:
        """Note arrays that have to be apart; one in a row has no element twice."""
        if guard.expected.kind != "argument":
            raise Unwritten
        if guard.expected.key != guard.path.key:
            self._apart.append((guard.path.key, guard.expected.key))

    def _own(self) -> None:
        """Ask whether arrays that have to be apart are several, and each has memory of its own."""
        code = self.code
        for one, other in self._apart:
            code.test(f"ne ptr {self.arguments[one]}, {self.arguments[other]}", "slow")
        for name in dict.fromkeys(name for pair in self._apart for name in pair):
            if name not in self._flags:
                raise Unwritten
            code.test(f"ne i32 {code.new(f'and i32 {self._flags[name]}, {OWNS}')}, 0", "slow")


_ARGUMENTS: dict[str, Any] = {
    "type": Guards._type,
    "is": Guards._equals,
    "equals": Guards._equals,
    "array": Guards._array,
    "not": Guards._not,
    "distinct": Guards._distinct,
    "dim": Guards._dim,
    "apart": Guards._share,
}


def _can_change(kind: type) -> bool:
    """Whether an object of a type can become one of another: `__class__` may be assigned where a type was made by Python, and to modules."""
    return bool(kind.__flags__ & _MADE) or issubclass(kind, ModuleType)


def holder_of(path: Path) -> Any:
    """Return the dictionary in which what is at a path is found by its name: of globals, or of a module."""
    if path.kind == "global":
        return path.key[0]
    base = path.base
    if (
        path.kind == "attribute"
        and base is not None
        and base.kind == "object"
        and type(base.key) is ModuleType
    ):
        return vars(base.key)
    return None


def name_of(path: Path) -> Any:
    """Return the name by which what is at a path is found in a dictionary."""
    return path.key[1] if path.kind == "global" else path.key


def current(guard: Guard) -> Any:
    """Return the thing that is there now, where it is equal to what is expected, and else that itself."""
    holder = holder_of(guard.path)
    now = guard.expected if holder is None else holder.get(name_of(guard.path), guard.expected)
    return now if same_number(now, guard.expected) else guard.expected
