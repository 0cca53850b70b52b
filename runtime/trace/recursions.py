"""Which functions that call themselves are traced as loops."""

from __future__ import annotations

import types
from contextlib import suppress
from typing import Any

from transpile.runtime.errors import TranspileError
from transpile.runtime.frames import original_of
from transpile.runtime.operators.program import is_converted
from transpile.runtime.operators.recursion import Recurs

from .outside import Outside

# Functions that are looked at to find those that call each other.
_CALLED = 100


class Recursions:
    """The functions that were found to call themselves on run-time values, until tracing one as a loop has failed."""

    def __init__(self) -> None:
        self.followed = True
        self._found: dict[int, types.CodeType] = {}
        # The files and qualified names of those that were made inside others.
        self._inside: set[tuple[str, str]] = set()
        self._why = ""

    def note(self, recurs: Recurs) -> None:
        """Trace a function as a loop from now on."""
        code = recurs.function.__code__
        # A loop does not call itself, unless by another name.
        if is_converted(code):
            inside = (code.co_filename, code.co_qualname)
            self.followed = inside not in self._inside
            self._inside.add(inside)
        else:
            self.followed = id(code) not in self._found
            self._found[id(code)] = code

    def give_up(self, error: TranspileError) -> bool:
        """Go on without loops where an error may be because of them; else leave the reason with the error."""
        if self._why and error.code == "S141-recursion":
            error.hint = self._why
        fails = self.followed and bool(self._found or self._inside)
        if fails:
            self.followed, self._why = False, error.message
        return fails

    def loop(self, function: types.FunctionType, outside: Outside) -> dict[str, types.FunctionType] | None:
        """Return the functions that a loop is made of together with one that is traced as such, by name; None where that is not.

        It calls them, and they call it; all names must mean the same to all of them, and its own name itself.
        """
        if not self.followed or id(function.__code__) not in self._found:
            return None
        group = _group(function)
        names = {function.__name__: function}
        cells: dict[str, Any] = {}
        for member in group:
            for name, called in _called(member).items():
                if called in group and names.setdefault(name, called) is not called:
                    return None
            for name, cell in _cells(member).items():
                if cells.setdefault(name, cell) is not cell:
                    return None
        if (
            len(set(names.values())) < len(names)
            or _called(function).get(function.__name__, function) is not function
        ):
            return None
        if any(cells.keys() & set(member.__code__.co_names) for member in group):
            return None
        module = function.__globals__
        if any(original_of(module.get(name)) is not names[name] for name in names.keys() - cells.keys()):
            # A method is called by no name of its module, and a decorated function leads to something else there.
            return None
        for name in names.keys() - cells.keys():
            # What cells hold is guarded where they are wrapped.
            outside.global_(function.__globals__, name)
        del names[function.__name__]
        return names

    def loops(self, function: types.FunctionType) -> frozenset[str]:
        """Return the qualified names of the functions made inside of one that are loops, and its own where it is a method that is one."""
        if not self.followed:
            return frozenset()
        code = function.__code__
        within = f"{code.co_qualname}.<locals>."
        inside = {name for file, name in self._inside if file == code.co_filename and name.startswith(within)}
        is_method = id(code) in self._found and "." in code.co_qualname and code.co_argcount > 0
        return frozenset({*inside, code.co_qualname} if is_method else inside)


def _cells(function: types.FunctionType) -> dict[str, types.CellType]:
    return dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))


def _called(function: types.FunctionType) -> dict[str, types.FunctionType]:
    """Return the functions of the same module that a function may call by name."""
    code, found = function.__code__, {}
    cells = _cells(function)
    for name in (*code.co_names, *code.co_freevars):
        thing = function.__globals__.get(name)
        if name in cells:
            with suppress(ValueError):
                thing = cells[name].cell_contents
        thing = original_of(thing)
        if isinstance(thing, types.FunctionType) and thing.__globals__ is function.__globals__:
            found[name] = thing
    return found


def _group(function: types.FunctionType) -> list[types.FunctionType]:
    """Return a function, and those that it calls, directly or not, and that call it."""
    calls = {function: [*_called(function).values()]}
    new = [function]
    while new and len(calls) < _CALLED:
        new = [called for caller in new for called in calls[caller] if called not in calls]
        calls |= {called: [*_called(called).values()] for called in new}
    group = {function}
    before = 0
    while before != len(group):
        before = len(group)
        group |= {caller for caller, called in calls.items() if group & {*called}}
    return [function, *(member for member in calls if member in group and member is not function)]
