"""Loops of which the first turn stands before the loop: those that make attributes, or keys of dictionaries, or write an array that they replace."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from transpile.runtime.arrays.array import dim_scalar
from transpile.runtime.arrays.checkpoint import Checkpoint
from transpile.runtime.arrays.numbers import lift
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.signals import NeedsValue
from transpile.runtime.arrays.truth import truth
from transpile.runtime.errors import OutOfTime
from transpile.runtime.graph.dim import DimLike

from .branches import always, as_tuple, branch
from .heap import Heap

# Note [First turns]
# `for batch in batches: self.inputs = batch` gives an object an attribute that it did not have. A loop carries what is there before it, so the first turn
# is recorded before the loop, which goes on with the second one: then the attribute is there, and whether it was there in the first turn has been
# asked of what Python finds. A call in which there is no turn is left to the original, where no attribute is made. So it is with keys that a dictionary
# gets in the first turn (`if name not in speeds: speeds[name] = np.zeros_like(w)`).
#
# `total = 0`, and then `total = total + w * x[k:]`, makes an array of a number: from the second turn on it is nothing else. Where there is a turn for certain, the first one stands before
# the loop as well, so that no branch asks which of the two it is, in the loop and ever after.
#
# `pos += vel * dt`, and then `pos = np.mod(pos, box)`, writes the caller's own array in the first turn, and in the others one that the turn before has made. With its
# first turn apart, each writes what is known.

Carried = tuple[Any, ...]

# What a loop is refused with that writes an array of which it is not known in all turns whose it is.
UNSURE = "S110-alias"


class MakesPlace(Exception):
    """A loop makes an attribute, or a key of a dictionary: its first turn has to stand before it."""


def has_turn(bounds: tuple[DimLike, DimLike, DimLike]) -> bool:
    """Whether there is a turn of a loop over a range; a call that has none where this one has is left to the original."""
    record, (start, stop, step) = recorder(), bounds
    if record.speculate(step - 1):
        others = stop - start - 1
    elif record.speculate(-step - 1):
        others = start - stop - 1
    else:
        record.unstageable("S161-attribute", "a loop makes an attribute or key, whose step run time gives")
    if isinstance(others, int):
        return others >= 0
    if not record.speculate(others):
        record.deoptimise_if(
            lift(dim_scalar(others) < 0), "a loop whose first turn stands before it has no turn"
        )
    return True


def is_certain(bounds: tuple[DimLike, DimLike, DimLike]) -> bool:
    """Whether there is a turn of a loop over a range wherever what holds for the arguments at hand does."""
    start, stop, step = bounds
    return bool(recorder().speculate(step - 1) and recorder().speculate(stop - start - 1))


def begins(test: Any) -> bool:
    """Whether there is a turn of a loop whose test gives something; a call that has none where this one may have is left to the original."""
    known = truth(test)
    if not isinstance(known, bool):
        ends = lift(known == False)  # noqa: E712
        recorder().deoptimise_if(ends, "a loop whose first turn stands before it has no turn")
    return known is not False


def tried(run: Callable[[], Carried], roots: Sequence[Any]) -> Carried | None:
    """Run a loop with its first turn before it; return None where that cannot be, and nothing has been recorded."""
    record = recorder()
    heap, point, length = Heap(roots), Checkpoint(record), record.length
    try:
        return run()
    except OutOfTime:
        raise
    except (NeedsValue, Exception):
        # What the program itself raises, it raises in the loop, too.
        heap.restore()
        point.restore()
        record.length = length
        return None


def then(
    rest: Callable[[Carried], Carried],
    carried: Any,
    names: Sequence[str],
    until: str | None,
    roots: Sequence[Any],
) -> Carried:
    """Go on with the `rest` of a loop after its first turn, which gave what is `carried`, unless that has ended the loop."""
    first = as_tuple(carried, names)
    over = truth(first[names.index(until)]) if until else False
    if isinstance(over, bool):
        return first if over else rest(first)
    return branch(over, [always(first), lambda: rest(first)], names, (*roots, first))
