"""Which of several arrays the names and places are that a loop carries."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.structure import Choice, Known, Structure, same_thing
from transpile.runtime.arrays.truth import truth
from transpile.runtime.arrays.union import Union

from .branches import branch
from .carried import CarriedThing
from .heap import Heap

# Note [One of several arrays]
# Where run time decides which of two arrays a name stands for, the name is usually given memory of its own, which holds what the array does that
# control leads to. That does not do where it is written: the arrays are then kept as they are, each an alternative of a union, in a trace of its own. What is done with
# the union is done in a branch for each array. A loop that exchanges arrays (`u, v = v, u`) has a body for each combination of arrays that its names may stand for,
# as each turn is found to leave them: in each body all arrays are known.

# For how many combinations a body is traced; where there are more, names stand for one of several arrays in it.
_COMBINATIONS = 6


def _arrays(thing: Any) -> list[SymbolicArray] | None:
    """Return the arrays one of which a thing is; None where it may be something else."""
    ways = thing.alternatives if isinstance(thing, Union) else (thing,)
    return list(ways) if all(isinstance(way, SymbolicArray) for way in ways) else None


class Carries(Protocol):
    """A loop that carries things from turn to turn."""

    carried: list[CarriedThing]
    names: int
    heap: Heap
    roots: Sequence[Any]


class Identities:
    """The combinations of arrays that what a loop carries may be at the start of a turn."""

    def __init__(self) -> None:
        # The places among what is carried, and the combinations found so far.
        self._numbers: tuple[int, ...] = ()
        self._found: list[tuple[SymbolicArray, ...]] = []
        # Whether what the turn leaves was known before it.
        self.known = True

    def begin(self, carried: Sequence[CarriedThing]) -> None:
        """Take what may be one of several arrays, by the structures of what is carried, and note the combination before the first turn."""
        self.known = True
        if not recorder().keeps_arrays:
            return
        numbers = tuple(n for n, thing in enumerate(carried) if _is_choice(thing.structure))
        if numbers != self._numbers:
            self._numbers, self._found = numbers, []
        self._note([thing.initial for thing in carried])

    def _note(self, things: Sequence[Any]) -> bool:
        """Note the combinations that things may be; return whether all were known."""
        parts = [_arrays(things[number]) for number in self._numbers]
        if not parts or None in parts:
            return not parts
        before = len(self._found)
        for combination in itertools.product(*parts):  # type: ignore[arg-type]
            if not any(all(map(same_thing, known, combination)) for known in self._found):
                self._found.append(combination)
        return len(self._found) == before

    def each(
        self, loop: Carries, run: Callable[[Sequence[Any]], tuple[Any, ...]], things: Sequence[Any]
    ) -> tuple[Any, ...]:
        """Run a turn of a loop on what its names hold, for each combination of arrays."""
        if not 0 < len(self._found) <= _COMBINATIONS:
            return run(things)
        before = [thing.before for thing in loop.carried]
        labels = [thing.label for thing in loop.carried[: loop.names]]

        def on_rest(found: Sequence[Sequence[SymbolicArray]]) -> tuple[Any, ...]:
            if len(found) == 1:
                return self._on_one(loop, found[0], run, things)
            test = truth(self._test(before, found[0]))
            runs = [lambda: self._on_one(loop, found[0], run, things), lambda: on_rest(found[1:])]
            return branch(test, runs, labels, (tuple(things), *loop.roots))

        return on_rest(tuple(self._found))

    def _on_one(
        self,
        loop: Carries,
        arrays: Sequence[SymbolicArray],
        run: Callable[[Sequence[Any]], tuple[Any, ...]],
        things: Sequence[Any],
    ) -> tuple[Any, ...]:
        """Run a turn on one combination of arrays, and note which it leaves."""
        given, carried, heap = list(things), loop.carried, loop.heap
        for number, array in zip(self._numbers, arrays, strict=True):
            place = carried[number].place
            if place is None:
                given[number] = array
            else:
                heap.store(*place, array)
        outs = run(given)
        self.known &= self._note(
            [
                outs[number] if thing.place is None else heap.now(*thing.place)
                for number, thing in enumerate(carried)
            ]
        )
        return outs

    def _test(self, things: Sequence[Any], combination: Sequence[SymbolicArray]) -> Any:
        """Return the truth of "the things are this combination of arrays"."""
        result: Any = True
        for number, array in zip(self._numbers, combination, strict=True):
            union = things[number]
            holds = union.is_(next(p for p, way in enumerate(union.alternatives) if same_thing(way, array)))
            result = holds if result is True else result & holds
        return result


def _is_choice(structure: Structure) -> bool:
    return isinstance(structure, Choice) and all(
        isinstance(way, Known) and isinstance(way.thing, SymbolicArray) for way in structure.alternatives
    )
