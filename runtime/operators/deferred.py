"""What is made at run time of run-time values: text, and the Python objects that leave the graph."""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.deques import StagedDeque
from transpile.runtime.arrays.functions import Method
from transpile.runtime.arrays.handle import Foreign, SymbolicObject
from transpile.runtime.arrays.hash_tables import Table
from transpile.runtime.arrays.lists import StagedList
from transpile.runtime.arrays.numbers import lift
from transpile.runtime.arrays.rebuilt_tables import parts_of
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.references import Holder, is_symbolic, references
from transpile.runtime.arrays.rows import Lists, Mixed, Only, Record, Row, is_weak, made_as, pools_of
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.arrays.signals import NeedsText
from transpile.runtime.arrays.tuples import as_key, is_tuple
from transpile.runtime.arrays.union import Union
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import ScalarType
from transpile.runtime.ops.handles import held

from .leaks import holds_stand_in

# Deeper expressions are cut into functions, for the sake of Python's parser.
_DEPTH = 16


# What stands for methods of text that run time gives, by name.
TEXT_METHODS: dict[str, Callable[..., Any]] = {}


class SymbolicText:
    """Text that run time gives: a function of the run-time values of `parts`, which cannot fail if it `is_sure`."""

    stands_for = str
    is_staged = False

    def __init__(self, make: Callable[..., str], parts: tuple[Any, ...], is_sure: bool = False) -> None:
        self.make = make
        self.parts = parts
        self.is_sure = is_sure

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, (str, SymbolicText)):
            return NotImplemented
        return SymbolicText(operator.add, (self, other), self.is_sure and getattr(other, "is_sure", True))

    def __radd__(self, other: Any) -> Any:
        return (
            SymbolicText(operator.add, (other, self), self.is_sure)
            if isinstance(other, str)
            else NotImplemented
        )

    def _needs_text(self, *_: Any) -> NoReturn:
        numbers = list(_numbers_in(self.parts))
        if numbers and all(_is_integer(number) for number in numbers):
            # "W" + str(layer), say: known in a loop that is written out.
            raise NeedsText(numbers[0].value)
        recorder().unstageable(NeedsText.code, NeedsText.reason)

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _needs_text
    __len__ = __iter__ = __getitem__ = __contains__ = __hash__ = __bool__ = _needs_text
    __str__ = __repr__ = __format__ = __mul__ = __rmul__ = __mod__ = _needs_text
    __int__ = __float__ = __complex__ = __index__ = _needs_text

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Method(self, name, TEXT_METHODS[name]) if name in TEXT_METHODS else self._needs_text()


def _numbers_in(thing: Any) -> Iterator[Any]:
    """Yield what run time gives in what a text is made of: numbers, or what holds others than numbers."""
    if isinstance(thing, SymbolicText):
        yield from _numbers_in(thing.parts)
    elif is_tuple(thing) or type(thing) is dict:
        for item in references(thing):
            yield from _numbers_in(item)
    elif isinstance(thing, SymbolicScalar) or is_symbolic(thing):
        yield thing


def _is_integer(thing: Any) -> bool:
    return isinstance(thing, SymbolicScalar) and thing.type.dtype.kind in "biu"


def as_printed(make: Callable[..., str], parts: Any) -> Callable[..., str]:
    """Return what makes a text, at whatever time, so that arrays are printed as they are at this place of the program: see Note [Settings]."""
    record = recorder()
    record.made_text |= _shows_arrays(parts)
    return make if record.printing is None else functools.partial(_printed, record.printing, make)


def _shows_arrays(thing: Any, depth: int = 6) -> bool:
    """Whether there are arrays in what a text is made of, or may be; those in other texts have been looked at."""
    if isinstance(thing, (SymbolicText, SymbolicScalar)):
        return False
    inside = (_shows_arrays(item, depth - 1) for item in references(thing))
    return not depth or isinstance(thing, SymbolicArray) or any(inside)


def _printed(options: dict[str, Any], make: Callable[..., str], *parts: Any) -> str:
    with np.printoptions(**options):
        return make(*parts)


def deferred(thing: Any, values: list[Value]) -> Callable[[tuple[Any, ...]], Any]:
    """Return a function that makes a thing, at run time, from the values of what is symbolic in it, which are added to `values`."""
    return _Expression(values).function(thing)


class _Expression:
    """The Python expression that makes a thing of `given`, and what its names stand for: calls from kernels are frequent."""

    def __init__(self, values: list[Value]) -> None:
        self.values = values
        self.names: dict[str, Any] = {"held": held}

    def function(self, thing: Any) -> Callable[[tuple[Any, ...]], Any]:
        """Return the function of what is given."""
        made: Callable[[tuple[Any, ...]], Any] = eval(f"lambda given: {self.text(thing, 0)}", self.names)
        return made

    def name(self, thing: Any) -> str:
        """Return a name for a thing that is known."""
        name = f"known{len(self.names)}"
        self.names[name] = thing
        return name

    def given(self, value: Value) -> str:
        """Return the expression of a value of the graph."""
        self.values.append(value)
        return f"given[{len(self.values) - 1}]"

    def text(self, thing: Any, depth: int) -> str:
        """Return the expression of a thing, at a depth of others."""
        if depth > _DEPTH:
            return f"{self.name(_Expression(self.values).function(thing))}(given)"
        if isinstance(thing, (SymbolicScalar, SymbolicArray)):
            return self.given(lift(thing))
        if isinstance(thing, SymbolicObject):
            return f"held({self.given(thing.value)})"
        if isinstance(thing, Union):
            return self.union(thing.bound(), depth + 1)
        if isinstance(thing, SymbolicText):
            return f"{self.name(thing.make)}({self.items(thing.parts, depth + 1)})"
        if isinstance(thing, StagedList) and thing.is_staged:
            row = thing.home.row
            if row is None or pools_of(row):
                recorder().unstageable("S230-deferred", "a list of lists leaves the function as text")
            return self.listed(row, iter(thing.rows()), depth + 1)
        if isinstance(thing, Table):
            make, parts = parts_of(thing)
            return f"{self.name(make)}({self.items(parts, depth + 1)})"
        if isinstance(thing, StagedDeque):
            recorder().unstageable("S230-deferred", "a deque leaves the function")
        if is_tuple(thing):
            return f"({self.items(thing, depth + 1)})"
        if isinstance(thing, slice):
            return f"slice({self.items(references(thing), depth + 1)})"
        if isinstance(thing, list):
            return f"[{self.items(thing, depth + 1)}]"
        if type(thing) is dict:
            entries = (
                f"{self.name(as_key(key))}: {self.text(item, depth + 1)}, " for key, item in thing.items()
            )
            return f"{{{''.join(entries)}}}"
        if isinstance(thing, Foreign):
            recorder().unstageable("S234-foreign", "an object from outside leaves the function")
        known = getattr(thing, "known", None) if isinstance(thing, Holder) else None
        if known is not None:
            return self.name(known)
        if is_symbolic(thing) or id(thing) in recorder().made or holds_stand_in(thing):
            recorder().unstageable(
                "S230-deferred",
                f"a {type(thing).__name__} that the function makes, or that holds run-time values, leaves it",
            )
        return self.name(thing)

    def listed(self, row: Row, rows: Iterator[SymbolicArray], depth: int) -> str:
        """Return the expression of the list of what the rows of arrays hold."""
        if isinstance(row, Mixed):
            return self.mixed(row, rows, depth)
        if not isinstance(row, Record):
            assert not isinstance(row, Lists)
            text = self.text(next(rows), depth)
            return f"{text}.tolist()" if is_weak(row) else f"[*{text}]"
        parts = "".join(f"{self.listed(item, rows, depth)}, " for item in row.items)
        kind = "" if row.kind is tuple else f"{self.name(itertools.starmap)}({self.name(made_as(row.kind))}, "
        return f"[*{kind}zip({parts}){')' if kind else ''}]"

    def mixed(self, row: Mixed, rows: Iterator[SymbolicArray], depth: int) -> str:
        """Return the expression of the list of what is of several kinds."""
        tags = self.text(next(rows), depth)
        held = [
            f"[{self.name(slot.thing)}] * len({tags})"
            if isinstance(slot, Only)
            else self.text(next(rows), depth)
            if isinstance(slot, ScalarType)
            else self.listed(slot, rows, depth)
            for slot in row.slots
        ]
        ways = []
        for place, kind in enumerate(row.kinds):
            way = held[row.slot(place)]
            if isinstance(kind, ScalarType):
                way = f"{way}.tolist()" if kind.weak else f"[*{way}]"
            ways.append(way)
        names = [f"way{place}" for place in range(len(ways))]
        tests = "".join(f"{name} if tag == {place} else " for place, name in enumerate(names[:-1]))
        return f"[{tests}{names[-1]} for tag, {', '.join(names)} in zip({tags}.tolist(), {', '.join(ways)})]"

    def items(self, things: Any, depth: int) -> str:
        """Return the expressions of things, one after the other."""
        return "".join(f"{self.text(thing, depth)}, " for thing in things)

    def union(self, thing: Any, depth: int) -> str:
        """Return the expression of what may be one of several."""
        if not isinstance(thing, Union):
            return self.text(thing, depth)
        tag = self.text(thing.tag, depth)
        *ways, last = (self.text(alternative, depth) for alternative in thing.alternatives)
        tests = "".join(f"{way} if {tag} == {number} else " for number, way in enumerate(ways))
        return f"({tests}{last})"
