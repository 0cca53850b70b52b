"""A function in parts: the original, which calls units, and what stands for the functions that it calls."""

from __future__ import annotations

import sys
import types
import weakref
from typing import Any

from transpile.converters.islands import Partition, partition
from transpile.runtime.errors import ConversionError, TranspileError
from transpile.runtime.frames import home_of

from .fallback import Fallback
from .turns import has_loop
from .units import Link, Unit

# Reasons that a line is refused for whatever else is compiled with it.
_ANYWHERE = frozenset(
    (
        "S142-unknown",
        "S201-argument",
        "S204-decides",
        "S206-handed",
        "S273-errstate",
        "S274-manager",
        "S281-warns",
        "S294-descriptor",
        "S295-metaclass",
    )
)

_LIBRARIES = sys.stdlib_module_names | {"numpy", "scipy", "transpile"}


class Parts:
    """The function that calls units, and what it holds on to."""

    def __init__(self, calls: Fallback, found: Partition) -> None:
        self.units = [Unit(calls, piece) for piece in found.pieces]
        for unit in self.units:
            unit.within = [other for other in self.units if unit.piece.holds(other.piece)]
        self._stand_ins = [_stand_in(calls, name) for name in found.callees]
        self.source = found.source
        links = {unit.piece.name: unit.link for unit in self.units}
        links |= {name: _link(each) for name, each in zip(found.callees, self._stand_ins, strict=True)}
        original = calls.function
        self.function = types.FunctionType(
            found.code_with(links),
            original.__globals__,
            original.__name__,
            original.__defaults__,
            original.__closure__,
        )
        self.function.__kwdefaults__ = original.__kwdefaults__
        self.function.__qualname__ = original.__qualname__
        # As long as it runs, what it calls is there.
        self.function.parts = self  # type: ignore[attr-defined]

    def leave_out(self, error: TranspileError) -> None:
        """Give up the pieces that hold a line which is refused whatever is around it."""
        file = self.function.__code__.co_filename
        lines = [position.line for position in error.location if position.file == file]
        if error.code not in _ANYWHERE or not lines:
            return
        for unit in self.units:
            holds = unit.piece.first_line <= lines[0] <= unit.piece.last_line
            if holds and unit.link.live and not unit.entries:
                unit.broken = error
                unit.give_up()

    def give_up(self) -> None:
        """Let code that still runs leave all to the original."""
        for unit in self.units:
            unit.link.live = False

    @property
    def plain_seconds(self) -> float | None:
        """How long the pieces that were compiled may have taken in plain Python, in all calls together; None where that is not known."""
        found = [None if any(self._stand_ins) else 0.0, *(unit.plain_seconds for unit in self.units)]
        known = [seconds for seconds in found if seconds is not None]
        return sum(known) if len(known) == len(found) else None

    @property
    def live(self) -> bool:
        """Whether anything but the original still runs."""
        return any(self._stand_ins) or any(unit.link.live for unit in self.units)


def parts_of(calls: Fallback) -> Parts | None:
    """Return the function of calls in parts; None where it has none that could be compiled by themselves."""
    original = calls.function
    try:
        found = partition(original, lambda name: _is_worth_it(_meant(original, name)))
    except (ConversionError, RecursionError):
        return None
    if found is None or found.code.co_freevars != original.__code__.co_freevars:
        return None
    return Parts(calls, found)


def _meant(function: types.FunctionType, name: str) -> Any:
    """Return what a global name, or an attribute of a module that one means, means to a function now."""
    first, _, attribute = name.partition(".")
    thing = function.__globals__.get(first)
    if not attribute:
        return thing
    return vars(thing).get(attribute) if isinstance(thing, types.ModuleType) else None


def _is_worth_it(thing: Any) -> bool:
    """Whether a callee may gain from being called through what stands for it: a function with a loop, of the user's."""
    from .hook import can_stand_in

    if not isinstance(thing, types.FunctionType) or not can_stand_in(thing):
        return False
    return home_of(thing).partition(".")[0] not in _LIBRARIES and has_loop(thing.__code__)


def _stand_in(calls: Fallback, name: str) -> types.FunctionType | None:
    """Return what stands for the function that a global name means now."""
    from .converting import wrap
    from .hooked_calls import HookedCalls

    function = _meant(calls.function, name)
    if not isinstance(function, types.FunctionType) or not _is_worth_it(function):
        return None
    made = HookedCalls(
        function,
        device=calls.device,
        listed=False,
        accuracy=calls.accuracy,
        parallel=calls.parallel,
        eager=calls.losses.asked,
    )
    return wrap(function, made)


def _link(stand_in: types.FunctionType | None) -> Link:
    if stand_in is None:
        return Link(_link)
    return Link(stand_in, weakref.ref(stand_in.python_function))  # type: ignore[attr-defined]
