"""Which functions that call themselves are traced as loops."""

from __future__ import annotations

import types

from transpile.runtime.errors import TranspileError
from transpile.runtime.frames import original_of
from transpile.runtime.operators.recursion import Recurs

from .outside import Outside


class Recursions:
    """The functions that were found to call themselves on run-time values, until tracing one as a loop has failed."""

    def __init__(self) -> None:
        self.followed = True
        self._found: dict[int, types.CodeType] = {}
        self._why = ""

    def note(self, recurs: Recurs) -> None:
        """Trace a function as a loop from now on."""
        code = recurs.function.__code__
        # A loop does not call itself, unless by another name.
        self.followed = id(code) not in self._found
        self._found[id(code)] = code

    def give_up(self, error: TranspileError) -> bool:
        """Go on without loops where an error may be because of them; else leave the reason with the error."""
        if self._why and error.code == "S141-recursion":
            error.hint = self._why
        fails = self.followed and bool(self._found)
        if fails:
            self.followed, self._why = False, error.message
        return fails

    def is_loop(self, function: types.FunctionType, outside: Outside) -> bool:
        """Whether a function is traced as a loop: it must be what its own name means."""
        if not self.followed or id(function.__code__) not in self._found:
            return False
        name, namespace = function.__name__, function.__globals__
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        if name in cells:
            # What cells hold is guarded where they are wrapped.
            meant = cells[name].cell_contents
        elif name in namespace:
            meant = namespace[name]
            outside.global_(namespace, name)
        else:
            return False
        return original_of(meant) is function
