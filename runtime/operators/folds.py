"""Builtins that run over all items: `list`, `tuple`, `sum`, `any`, `all`, `max`, `min`, `sorted`."""

from __future__ import annotations

import builtins
import math
import sys
from collections.abc import Callable
from typing import Any

from transpile.runtime.arrays.array import dim_scalar
from transpile.runtime.arrays.elementwise import operate
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.hash_tables import HashedSet
from transpile.runtime.arrays.lists import StagedList
from transpile.runtime.arrays.numbers import lift, raise_if
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.arrays.staged_tuples import StagedTuple, tuple_of_list
from transpile.runtime.arrays.truth import truth
from transpile.runtime.arrays.tuples import is_tuple
from transpile.runtime.arrays.undefined import Undefined
from transpile.runtime.arrays.union import Union
from transpile.runtime.graph.types import FLOAT, INT, PYBOOL

from .branches import always, cond
from .call import call
from .comprehensions import list_comp
from .iteration import run_loop
from .logic import and_, bound, compare_one, if_exp, not_, numbers_in
from .protocols import counted
from .streams import stream_of
from .traversal import drained

_MISSING = object()
_COMPENSATES = sys.version_info >= (3, 12)


@implements(list)
def list_of(items: Any = ()) -> list[Any]:
    """Stand for `list`."""
    return list_comp(counted(items), lambda item: item)


@implements(tuple)
def tuple_of(items: Any = ()) -> Any:
    """Stand for `tuple`."""
    if isinstance(items, StagedTuple):
        return items
    if isinstance(items, StagedList) and items.is_staged and not recorder().of_arguments(items.size()):
        return tuple_of_list(items.copy())
    return items if is_tuple(items) else tuple(items)


@implements(tuple.__new__)
def new_tuple(class_: type, items: Any = ()) -> Any:
    """Stand for `tuple.__new__`, with which named tuples are made."""
    return tuple.__new__(class_, tuple_of(items))


@implements(builtins.sum)
def total(things: Any, start: Any = 0) -> Any:
    """Stand for `sum`."""
    if isinstance(start, (str, bytes, bytearray)):
        return sum(things, start)

    if not _COMPENSATES:
        return run_loop(_in_any_order(things), lambda item, sum_: sum_ + item, (start,), ("a sum",))[0]
    names = ("a sum", "what rounding took of a sum")
    return _compensated(*run_loop(_in_any_order(things), _add, (start, 0.0), names))


# Note [Compensated sums]
# From 3.12 on Python sums floats as Neumaier does (Zeitschrift fuer Angewandte Mathematik und Mechanik 54, 1974): it sums what rounding takes of each
# step, too, and adds that in the end. It does so while the sum is a float of its own, and integers that it adds take no part in it; once it meets
# anything else it adds as the operator does, for good.


def _add(item: Any, result: Any, lost: Any) -> tuple[Any, Any]:
    """Return a sum with one more item, and what rounding has taken of it: None where that is not asked for any more."""
    if isinstance(result, Union):
        return result.on_each_way(lambda way: _add(item, way, lost))  # type: ignore[no-any-return]
    if isinstance(item, Union):
        return item.on_each_way(lambda way: _add(way, result, lost))  # type: ignore[no-any-return]
    if lost is None or not _is_float(result) or _is_integer(item):
        return result + item, lost
    if not _is_float(item):
        total = _compensated(result, lost) + item
        return total, None if _is_float(total) else 0.0
    total = result + item
    rest = if_exp(abs(result) >= abs(item), lambda: (result - total) + item, lambda: (item - total) + result)
    return total, lost + rest


def _compensated(result: Any, lost: Any) -> Any:
    """Return a sum with what rounding took of it."""
    if isinstance(result, Union):
        return result.on_each_way(lambda way: _compensated(way, lost))
    if lost is None or not _is_float(result):
        return result
    # Neither the sign of a zero nor an infinity is to be lost.
    counts = and_(abs(lost) > 0.0, lambda: abs(lost) < math.inf)
    return if_exp(counts, lambda: result + lost, always(result))


def _in_any_order(things: Any) -> Any:
    """Return the items of a set, for what does not depend on their order."""
    return things.entries if isinstance(things, HashedSet) else things


def _is_float(number: Any) -> bool:
    return type(number) is float or (isinstance(number, SymbolicScalar) and number.type == FLOAT)


def _is_integer(number: Any) -> bool:
    return type(number) in (int, bool) or (
        isinstance(number, SymbolicScalar) and number.type in (INT, PYBOOL)
    )


@implements(any)
def any_(things: Any) -> Any:
    """Stand for `any`."""
    return _is_found(things, truth)


@implements(all)
def all_(things: Any) -> Any:
    """Stand for `all`."""
    return not_(_is_found(things, not_))


def _is_found(things: Any, test: Callable[[Any], Any]) -> Any:
    """Return whether an item passes a test; those after it are not asked for."""
    return run_loop(things, lambda item, found: test(item), (False,), ("found",), "found")[0]


@implements(max)
def largest(*things: Any, key: Any = None, default: Any = _MISSING) -> Any:
    """Stand for `max`."""
    return _extreme("max", ">", things, key, default)


@implements(min)
def smallest(*things: Any, key: Any = None, default: Any = _MISSING) -> Any:
    """Stand for `min`."""
    return _extreme("min", "<", things, key, default)


def _extreme(name: str, sign: str, things: tuple[Any, ...], key: Any, default: Any) -> Any:
    """Return the first of the items that no other one beats."""
    if not things:
        raise TypeError(f"{name} expected at least 1 argument, got 0")
    if len(things) > 1 and default is not _MISSING:
        raise TypeError(f"Cannot specify a default for {name}() with multiple positional arguments")
    stream = stream_of(things if len(things) > 1 else _in_any_order(things[0]))
    left = stream.iteration()
    names = (f"the {name}", f"the key of the {name}")

    def key_of(item: Any) -> Any:
        return item if key is None else call(key, item)

    def turn(item: Any, best: Any, least: Any) -> Any:
        measure = key_of(item)
        return cond(
            _compares(sign, measure, least), lambda: (item, measure), lambda: (best, least), (), names
        )

    if left is None or (default is not _MISSING and not isinstance(left.length, int)) or left.length == 0:
        return _searched(stream, key_of, turn, names, default, _empty(name))
    if not isinstance(left.length, int):
        raise_if(operate("equal", dim_scalar(left.length), 0), lambda: _empty(name))
    with drained(stream):
        best = left.at(0)
        if key is not None:
            return run_loop(left.from_(1), turn, (best, key_of(best)), names)[0]

        def choose(item: Any, best: Any) -> Any:
            return if_exp(_compares(sign, item, best), always(item), always(best))

        return run_loop(left.from_(1), choose, (best,), names[:1])[0]


def _compares(sign: str, item: Any, best: Any) -> Any:
    """Return how two items compare; tuples of NaN are left to the original: a NaN that is the very object in both equals itself."""
    for number in (*numbers_in(item), *numbers_in(best)):
        recorder().deoptimise_if(lift(truth(number != number)), "tuples are compared that hold NaN")
    return compare_one(sign, item, best)


def _searched(
    stream: Any, key_of: Any, turn: Any, names: tuple[str, str], default: Any, error: ValueError
) -> Any:
    """Return the extreme of items of which there may be none."""

    def search(item: Any, found: Any, best: Any, least: Any) -> Any:
        first = lambda: (item, key_of(item))  # noqa: E731
        return (True, *cond(found, lambda: turn(item, best, least), first, (), names))

    nothing = (False, Undefined(names[0]), Undefined(names[1]))
    found, best, _ = run_loop(stream, search, nothing, ("whether there is an item", *names))
    if default is not _MISSING:
        return if_exp(found, lambda: bound(best), lambda: default)
    raise_if(not_(found), lambda: error)
    return bound(best)


def _empty(name: str) -> ValueError:
    """Return Python's own error for the extreme of nothing."""
    try:
        getattr(builtins, name)(())
    except ValueError as error:
        return ValueError(*error.args)
    raise AssertionError(f"{name}() of nothing does not fail")
