"""Loops over known numbers whose turns are long: what is left after the first turn stays a loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from transpile.runtime.arrays.lists import StagedList
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.references import is_symbolic
from transpile.runtime.arrays.rows import Record, Row, row_of
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.arrays.signals import NeedsValue
from transpile.runtime.arrays.tuples import IndexedTuple
from transpile.runtime.arrays.values import count_values
from transpile.runtime.errors import OutOfTime
from transpile.runtime.graph.ir import Op
from transpile.runtime.graph.types import ScalarType
from transpile.runtime.ops.table import TABLE

from .first_turns import then
from .heap import Heap
from .loops import staged_for

# Note [Heavy turns]
# A loop over known things is written out, so that what is known of each is known in its turn. Where a turn takes many operations with branches, as that of a search which looks
# into four or eight directions, tracing and compiling it over and over takes seconds, and gains little. So once the first turn is written out, what is left becomes a loop over a table, where all items are tuples of
# numbers of the same types. That is refused where the turns need to know the numbers, or would lose what is known otherwise: a list that grows, a count. Turns that compute
# arrays are written out as before: there, code for each pays.

# Operations of all turns but the first, from which on they are heavy.
_HEAVY = 150
# Python's integers beyond which there are none in tables.
_LARGEST = 1 << 62

# What an op may give that is an array, without computing one.
_PASSES_ON = ("view", "reshape", "reserve", "cond", "for_loop", "while_loop")

Carried = tuple[Any, ...]


class FirstTurn:
    """The first turn of a loop that is written out, being recorded."""

    def __init__(self) -> None:
        record = recorder()
        self.block = record.frame.block
        self.begin, self.length = len(self.block.ops), record.length

    def is_heavy(self, others: int) -> bool:
        """Whether so many other turns take long to trace and to compile, and compute no arrays."""
        if (recorder().length - self.length) * others < _HEAVY:
            return False
        ops = self.block.ops[self.begin :]
        return any(op.name == "cond" for op in ops) and not any(map(_computes_array, ops))


def _computes_array(op: Op) -> bool:
    own = op.result_is_array() and op.name not in _PASSES_ON and TABLE[op.name].writes is None
    return own or any(_computes_array(inner) for region in op.regions for inner in region.ops)


def rest_staged(
    iterable: Any, body: Callable[..., Any], carried: Carried, names: tuple[str, ...], until: str | None
) -> Carried | None:
    """Run a loop over known items from the second one on, staged; None where it has to be written out."""
    items = list(iterable)[1:]
    row = _row_of_all(items)
    record = recorder()
    if row is None or body.__code__ in record.written_out:
        return None
    heap, length = Heap((body, carried, iterable)), record.length
    plain = [thing for thing in heap.things if isinstance(thing, StagedList) and not thing.is_staged]

    def accepts(loop: Any) -> bool:
        return not _changes(loop, iterable) and not _forgets(loop) and not any(t.is_staged for t in plain)

    table: StagedList = StagedList(items)
    table.stage(row)

    def rest(first: Carried) -> Carried:
        bounds = (0, len(items), 1)
        return staged_for(bounds, table.at, body, first, names, until, (iterable, table), accepts=accepts)

    try:
        return then(rest, carried[0] if len(names) == 1 else carried, names, until, (body, iterable, table))
    except OutOfTime:
        raise
    except (NeedsValue, Exception):
        # What the program itself raises, it raises there, too.
        heap.restore()
        record.length = length
        record.written_out.add(body.__code__)
        return None


def _changes(loop: Any, thing: Any) -> bool:
    """Whether a loop stores something into a thing."""
    return any(loop.heap.things[c.place[0]] is thing for c in loop.carried if c.place)


def _forgets(loop: Any) -> bool:
    """Whether something is known before a loop that is not known any more after it."""
    return any(count_values(c.structure) and not is_symbolic(c.initial) for c in loop.carried)


def can_be_staged(iterable: Any) -> bool:
    """Whether a loop runs over a tuple or list that is known."""
    return type(iterable) in (tuple, list, IndexedTuple) or (
        isinstance(iterable, StagedList) and not iterable.is_staged
    )


def _row_of_all(items: Sequence[Any]) -> Row | None:
    """Return the row of all items, where each is a number, or a tuple of such, of the same types."""
    if not items or not all(map(_is_number, items)):
        return None
    rows = set(map(row_of, items))
    return rows.pop() if len(rows) == 1 and all(map(_is_plain, rows)) else None


def _is_number(item: Any) -> bool:
    if type(item) in (tuple, IndexedTuple):
        return bool(item) and all(map(_is_number, item))
    return type(item) in (bool, float, SymbolicScalar) or (type(item) is int and abs(item) < _LARGEST)


def _is_plain(row: Row) -> bool:
    return isinstance(row, ScalarType) or (isinstance(row, Record) and all(map(_is_plain, row.items)))


__all__ = ["FirstTurn", "can_be_staged", "rest_staged"]
