"""A loop while it is traced: what its turns carry."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.cells import Cell
from transpile.runtime.arrays.frames import Frame
from transpile.runtime.arrays.lists import Grows, StagedList
from transpile.runtime.arrays.presence import may_lack
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.undefined import Undefined
from transpile.runtime.arrays.union import Union
from transpile.runtime.arrays.values import count_values, values_in
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT

from . import expected
from .branches import is_one_array, may_be_one, meet
from .carried import CarriedThing
from .containers import Containers
from .first_turns import MakesPlace
from .growing import replaced_by_staged, stage_grown
from .heap import Heap, is_missing
from .identities import Identities
from .lacking import absent

# How often a loop's body is traced anew to find structures that hold on every turn.
_ROUNDS = 8

# Records one turn: takes the frame of the loop and what is carried into the turn; returns the frame that the turn ends in and what is carried on.
Turn = Callable[[Frame, list[Any]], tuple[Frame, Sequence[Any] | None]]


class Loop:
    """A loop being traced."""

    def __init__(
        self,
        names: Sequence[str],
        initial: Sequence[Any],
        roots: Sequence[Any],
        may_lack: bool,
        tests: bool = False,
    ) -> None:
        self.roots = roots
        # Whether a test of the program's stands before each turn.
        self.tests = tests
        # Whether attributes that it makes are absent in its first turn.
        self.may_lack = may_lack
        self.heap = Heap(roots)
        self.carried = [CarriedThing(name, thing) for name, thing in zip(names, initial, strict=True)]
        self.names = len(names)
        # What is carried that may be one array; and what is so at the beginning, but not after a turn.
        self.shared: set[tuple[int, int]] = set()
        self.apart: set[tuple[int, int]] = set()
        # What is carried that may hold one array twice.
        self.twice: set[int] = set()
        self.cells: list[Cell] = []
        # What the names are where the loop ends.
        self.ends: list[Value] = []
        # The containers that differ before and after a turn, and whether there are such that must not change.
        self.containers, self.settled = Containers([]), False
        self.identities = Identities()
        # The places that are carried without having been found in a turn, and lists that grow.
        self.expected: set[Any] = set()
        self.grown: list[StagedList] = []
        # Whether no turn is completed; then, what places held where the test had been evaluated: the loop ends there, if it does.
        self.never_turns = False
        self.at_test: Heap | None = None

    def trace(self, turn: Turn) -> tuple[Frame, Frame, list[Value]]:
        """Trace the body until the structures hold on every turn; return the loop's frame, the body's, and the initial values."""
        record = recorder()
        rounds, length, site = 0, record.length, record.location()
        self._expect(expected.known_of(site))
        while rounds < _ROUNDS:
            record.length = length
            frame = record.child("loop")
            arguments = self._begin(frame)
            with record.region(frame):
                inner, outs = turn(frame, [c.before for c in self.carried[: self.names]])
            if inner.diverged and self.tests and not self.never_turns:
                self.never_turns = True
                self.heap.restore()
                continue
            if self.at_test is not None:
                self.at_test.restore()
            ends = self.tests or not inner.diverged
            if ends and self.heap.has_more_keys():
                if self.may_lack:
                    self.heap.refuse_more_keys()
                self.heap.restore()
                raise MakesPlace
            try:
                changed = self.heap.changes() if ends else {}
            except Grows as grows:
                self.grown += stage_grown(self.heap, grows)
                self._begin_anew()
                continue
            grown = replaced_by_staged([c.initial for c in self.carried[: self.names]], outs or ())
            self.heap.restore()
            if grown is not None:
                rounds += 1
                self.grown += stage_grown(self.heap, grown)
                self.carried = [CarriedThing(c.label, c.initial) for c in self.carried[: self.names]]
                self._begin_anew()
                continue
            if not changed.keys() >= self.expected:
                self.grown = []
                self._begin_anew()
                continue
            carried = len(self.carried)
            if self._holds(outs, changed):
                expected.note(site, self.heap, self.carried)
                return frame, inner, self._close(frame, inner, arguments)
            # More that is carried may have others change their kinds.
            rounds += len(self.carried) == carried
        names = ", ".join(c.label for c in self.carried)
        record.unstageable(
            "S152-unstable", f"what a loop carries changes its kind from turn to turn: {names}"
        )

    def _expect(self, known: Sequence[expected.Place]) -> None:
        """Carry places at once that the loop is bound to carry: see Note [Expected places]."""
        found = expected.expect(self.heap, known)
        self.carried += found
        self.expected = {thing.place for thing in found}

    def _begin_anew(self) -> None:
        """Forget what places held: a list that is staged, or holds another kind of thing, has other ones."""
        self.heap = Heap(self.roots)
        self.carried = self.carried[: self.names]
        self.shared, self.apart, self.twice = set(), set(), set()
        self.containers, self.settled = Containers([]), False
        self._expect(expected.parts_of(self.grown))

    def note_tested(self) -> None:
        """Note what the names and places hold where the test has been evaluated: the body may change what is carried in place."""
        self.ends = [v for c in self.carried[: self.names] for v in values_in(c.structure, c.before)]
        for carried in self.carried[self.names :]:
            assert carried.place is not None
            carried.tested = self.heap.now(*carried.place)
        if self.never_turns:
            self.at_test = Heap(self.roots)

    def _begin(self, frame: Frame) -> list[Value]:
        """Give the block an argument for each value that is carried, and return them."""
        arguments: list[Value] = []
        self.identities.begin(self.carried)
        with recorder().region(frame):
            for carried in self.carried:
                own = [
                    frame.block.argument(INT, carried.label) for _ in range(count_values(carried.structure))
                ]
                carried.before = carried.take(own)
                arguments += own
            self._alias()
            self._unify()
        return arguments

    def _alias(self) -> None:
        """Note which of what is carried may be one array."""
        for number in self.twice:
            carried = self.carried[number]
            may_be_one(carried.before, carried.before, carried.structure)
        for one, other in sorted(self.shared):
            first, second = self.carried[one], self.carried[other]
            if (one, other) not in self.apart and is_one_array(first.initial, second.initial):
                second.before = first.before
            else:
                may_be_one(first.before, second.before, first.structure, second.structure)

    def _unify(self) -> None:
        """Make one what is one on every turn, and store it where it stands."""
        things = self.containers.join([carried.before for carried in self.carried], self.settled)
        for carried, thing in zip(self.carried, things, strict=True):
            carried.before = thing
            if carried.place is not None:
                self.heap.store(*carried.place, thing)

    def _holds(self, outs: Sequence[Any] | None, changed: dict[tuple[int, Any], Any]) -> bool:
        """Whether what a turn gives has the structure of what it took; where not, widen the structures."""
        before = len(self.carried)
        known = {carried.place for carried in self.carried}
        for place in changed:
            if place not in known:
                initial = self.heap.get(*place)
                if is_missing(initial):
                    if not (self.may_lack or may_lack(changed[place])):
                        raise MakesPlace
                    initial = absent(self.heap, *place)
                self.carried.append(CarriedThing(str(place[1]), initial, place))
        if self.expected:
            self.carried[self.names :] = expected.in_order(self.carried[self.names :], changed)
            self.expected = set()
        for number, carried in enumerate(self.carried):
            if number < self.names:
                carried.after = carried.before if outs is None else outs[number]
            else:
                assert carried.place is not None
                carried.after = changed.get(carried.place, carried.before)
                if is_missing(carried.after):
                    carried.after = absent(self.heap, *carried.place)
        held = [carried.widen() for carried in self.carried]
        shared = {
            (one, other)
            for one, other in itertools.combinations(range(len(self.carried)), 2)
            if self._share(self.carried[one], self.carried[other])
        }
        apart = {
            (one, other)
            for one, other in shared
            if not is_one_array(self.carried[one].after, self.carried[other].after)
        }
        twice = {number for number, carried in enumerate(self.carried) if carried.holds_twice()}
        if shared - self.shared or apart - self.apart or twice - self.twice:
            self.shared |= shared
            self.apart |= apart
            self.twice |= twice
            return False
        # What was found just now was not carried into the turn, but it is known already what that makes of it.
        if not (self._contain() and all(held) and self.identities.known) or len(self.carried) > before:
            return False
        begun = {c.place: c.before for c in self.carried}
        stored = [place for place, thing in changed.items() if thing is not begun[place]]
        self.containers.refuse_changed(self.heap, stored)
        return True

    def _contain(self) -> bool:
        """Take the containers that a turn makes anew; return whether all about them was known before it."""
        before = (self.containers.same(), self.settled)
        self.containers = Containers(
            [[carried.initial for carried in self.carried], [carried.after for carried in self.carried]]
        )
        self._settle_known()
        self.settled = self.settled or self.containers.has_settled()
        return before == (self.containers.same(), self.settled)

    def _settle_known(self) -> None:
        """Settle the containers to which more leads than the names and places that the loop binds anew."""
        if not any(self.containers.ways):
            return
        for carried in self.carried[self.names :]:
            assert carried.place is not None
            thing = self.heap.things[carried.place[0]]
            if not (isinstance(thing, StagedList) and thing.is_staged):
                self.heap.store(*carried.place, None)
        self.containers.settle_known()
        self.heap.restore()

    def _share(self, one: CarriedThing, other: CarriedThing) -> bool:
        if count_values(one.structure) == 0 or count_values(other.structure) == 0:
            return False
        return any(meet(a, b) for a, b in ((one.after, other.after), (one.initial, other.initial)))

    def _close(self, frame: Frame, inner: Frame, arguments: list[Value]) -> list[Value]:
        """Make the blocks yield, and make what the loop only reads invariant."""
        record = recorder()
        self.cells = [c for c in frame.captured if c in frame.written or c in inner.written]
        with record.region(frame):
            if not inner.diverged:
                with record.region(inner):
                    values = [v for c in self.carried for v in values_in(c.structure, c.after)]
                    inner.block.results = (*values, *(record.read(cell) for cell in self.cells))
        carried_cells = [frame.captured[cell] for cell in self.cells]
        kept = {argument for argument, _ in carried_cells}
        invariant = {argument: outer for argument, outer in frame.captured.values() if argument not in kept}
        frame.block.replace(invariant)
        inner.block.replace(invariant)
        known = {*arguments, *(argument for argument, _ in frame.captured.values())}
        lead = [argument for argument in frame.block.arguments if argument not in known]
        frame.block.arguments = [*lead, *arguments, *(argument for argument, _ in carried_cells)]
        for place, argument in enumerate(frame.block.arguments):
            argument.index = place
        initial = [v for c in self.carried for v in values_in(c.structure, c.initial)]
        return [*initial, *(outer for _, outer in carried_cells)]

    def results(self, values: Sequence[Value]) -> tuple[Any, ...]:
        """Take the results of the loop's op: return what the names hold, and store what is in places and cells."""
        record = recorder()
        left = iter(values)
        for carried in self.carried:
            own = list(itertools.islice(left, count_values(carried.structure)))
            carried.before = carried.take(own)
        for cell, value in zip(self.cells, left, strict=True):
            value.name = cell.name
            record.write(cell, value)
        self._alias()
        self._unify()
        return tuple(carried.before for carried in self.carried[: self.names])

    def settles(self) -> bool:
        """Whether a name that is no array before the loop is one after each turn, and nothing but names is carried."""
        if self.cells or len(self.carried) > self.names:
            return False
        return any(
            isinstance(c.after, SymbolicArray)
            and not isinstance(c.initial, (SymbolicArray, Union, Undefined))
            for c in self.carried
        )

    def changes_length(self, things: StagedList) -> bool:
        """Whether a list, or one in its pool, may get longer or shorter."""
        own = (things, "begin", "end") if things.pool is None else (things.pool.spans, "begin", "end", 0, 1)
        places = {
            (id(self.heap.things[number]), key) for c in self.carried if c.place for number, key in [c.place]
        }
        return any((id(own[0]), key) in places for key in own[1:])

    def flag(self, name: str | None) -> int | None:
        """Return which carried value is the flag `name`."""
        if name is None:
            return None
        place = next(p for p, carried in enumerate(self.carried) if carried.label == name)
        return sum(count_values(carried.structure) for carried in self.carried[:place])
