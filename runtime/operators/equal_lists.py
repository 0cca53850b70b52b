"""Whether lists whose length run time gives are equal."""

from __future__ import annotations

from typing import Any

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.lists import StagedList
from transpile.runtime.arrays.numbers import lift
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.arrays.truth import truth

from .iteration import run_loop
from .logic import and_, compare_one, not_
from .traversal import SymbolicRange

_NAME = "whether lists differ"


def _equal(things: StagedList, others: Any) -> Any:
    """Stand for `list.__eq__`: the lengths agree, and all items."""
    if not isinstance(others, list):
        return NotImplemented
    if not isinstance(others, StagedList):
        # Written out, or made by Python.
        others = StagedList(others)
    if not (things.is_staged or others.is_staged):
        return list.__eq__(things, others)
    for one, other in ((things, others), (others, things)):
        if not one.is_staged and not list.__len__(one):
            return truth(other.length == 0)

    def differ(place: Any, found: Any) -> Any:
        left, right = things[place], others[place]
        if any(isinstance(item, SymbolicArray) for item in (left, right)):
            things.refuse("a comparison, of arrays")
        for item in (left, right):
            if isinstance(item, SymbolicScalar) and item.type.dtype.kind in "fc":
                # A NaN that is the very object equals itself.
                recorder().deoptimise_if(lift(item != item), "a list that is compared holds NaN")
        return not_(compare_one("==", left, right))

    def items() -> Any:
        return not_(run_loop(SymbolicRange.of(things.length), differ, (False,), (_NAME,), _NAME)[0])

    return truth(and_(truth(things.length == others.length), items))


def _unequal(things: StagedList, others: Any) -> Any:
    """Stand for `list.__ne__`."""
    equal = _equal(things, others)
    return equal if equal is NotImplemented else not_(equal)


for _name, _method in {"__eq__": _equal, "__ne__": _unequal}.items():
    setattr(StagedList, _name, _method)
