"""Logic, conditional expressions, chained comparisons, identity and membership."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.deques import StagedDeque
from transpile.runtime.arrays.elementwise import apply
from transpile.runtime.arrays.functions import FUNCTIONS
from transpile.runtime.arrays.handle import Foreign
from transpile.runtime.arrays.hash_tables import Table
from transpile.runtime.arrays.lacking_dicts import LackingDict
from transpile.runtime.arrays.lists import StagedList
from transpile.runtime.arrays.numbers import lift
from transpile.runtime.arrays.object_pools import same_object
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.references import is_symbolic, references
from transpile.runtime.arrays.rows import is_member
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.arrays.searches import holds
from transpile.runtime.arrays.signals import NeedsValue
from transpile.runtime.arrays.staged_tuples import StagedTuple
from transpile.runtime.arrays.table_views import TableView
from transpile.runtime.arrays.truth import truth
from transpile.runtime.arrays.undefined import Undefined
from transpile.runtime.arrays.union import Union
from transpile.runtime.graph.types import BOOL

from .branches import branch
from .characters import Character, HandedText, has_character
from .containers import may_be_one
from .deferred import SymbolicText
from .pending import holding
from .protocols import special_method
from .traversal import SymbolicRange

_COMPARISONS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


def if_exp(test: Any, if_true: Callable[[], Any], if_false: Callable[[], Any]) -> Any:
    """Stand for `a if test else b`."""
    known = truth(test)
    if isinstance(known, bool):
        return if_true() if known else if_false()
    (result,) = branch(
        known,
        [lambda: (if_true(),), lambda: (if_false(),)],
        ["a conditional expression"],
        (if_true, if_false),
    )
    return result


def and_(first: Any, *rest: Callable[[], Any]) -> Any:
    """Stand for `first and ...`: the first operand that is false, or the last."""
    return _logic(first, rest, False)


def or_(first: Any, *rest: Callable[[], Any]) -> Any:
    """Stand for `first or ...`: the first operand that is true, or the last."""
    return _logic(first, rest, True)


def _logic(first: Any, rest: tuple[Callable[[], Any], ...], ends: bool) -> Any:
    if not rest:
        return first
    known = truth(first)
    if isinstance(known, bool):
        return first if known is ends else _logic(rest[0](), rest[1:], ends)
    if isinstance(first, SymbolicScalar) and first.type.dtype == BOOL:
        # Where the operand is a truth itself, its value is known in the branch that it decides.
        first = ends if first.weak else first
    ways = [lambda: (first,), lambda: (_logic(rest[0](), rest[1:], ends),)]
    (result,) = branch(known, ways if ends else ways[::-1], ["a logical expression"], rest)
    return result


def not_(value: Any) -> Any:
    """Stand for `not value`."""
    known = truth(value)
    return (
        not known if isinstance(known, bool) else SymbolicScalar(recorder().emit("logical_not", known.value))
    )


def compare(first: Any, *rest: Any) -> Any:
    """Stand for a chained comparison: operators and functions that give the operands."""
    with holding(first):
        sign, operand = rest[0], rest[1]()
    result = compare_one(sign, first, operand)
    return result if len(rest) == 2 else and_(result, lambda: compare(operand, *rest[2:]))


def compare_one(sign: str, left: Any, right: Any) -> Any:
    """Return one comparison of a chain."""
    if sign in _COMPARISONS:
        if _have_items(left, right):
            return _compare_items(sign, list(left), list(right))
        return _COMPARISONS[sign](left, right)
    return {"is": is_, "is not": is_not, "in": in_, "not in": not_in}[sign](left, right)


def eq(left: Any, right: Any) -> Any:
    """Stand for `left == right`."""
    return _equality("==", left, right)


def ne(left: Any, right: Any) -> Any:
    """Stand for `left != right`."""
    return _equality("!=", left, right)


def _equality(sign: str, left: Any, right: Any) -> Any:
    """Return whether two things are equal, or whether they are not; Python itself compares shapes, and what else the arguments decide on."""
    if not _have_items(left, right):
        return _COMPARISONS[sign](left, right)
    try:
        return _COMPARISONS[sign](left, right)
    except NeedsValue:
        return _compare_items(sign, list(left), list(right))


def _have_items(left: Any, right: Any) -> bool:
    """Whether two things are tuples, or lists of known length."""
    return any(_has_items(left, kind) and _has_items(right, kind) for kind in (tuple, list))


def _has_items(thing: Any, kind: Any) -> bool:
    """Whether a thing is a sequence of some kind, of known length, that compares as those do."""
    if isinstance(thing, StagedList):
        return kind is list and not thing.is_staged
    return isinstance(thing, kind) and type(thing).__eq__ is kind.__eq__


def _compare_items(sign: str, left: list[Any], right: list[Any]) -> Any:
    """Return how two sequences compare: as the first items do that differ, or else as their lengths."""
    if sign in ("==", "!=") and len(left) != len(right):
        return sign == "!="
    if not left or not right:
        return _COMPARISONS[sign](len(left), len(right))
    rest = lambda: _compare_items(sign, left[1:], right[1:])  # noqa: E731
    same = _are_same(left[0], right[0])
    if same is not True and next(numbers_in(right[:1]), None) is not None:
        for number in numbers_in(left[:1]):
            # A NaN that is the very object in both equals itself.
            recorder().deoptimise_if(lift(truth(number != number)), "items are compared that are NaN")
    if sign == "==":
        return and_(truth(same), rest)
    return if_exp(same, rest, lambda: True if sign == "!=" else compare_one(sign, left[0], right[0]))


def numbers_in(thing: Any) -> Iterator[Any]:
    """Yield the numbers of run time in a tuple or list that may be NaN."""
    for item in references(thing) if isinstance(thing, (tuple, list)) else ():
        ways = item.alternatives if isinstance(item, Union) else (item,)
        if any(isinstance(way, SymbolicScalar) and way.type.dtype.kind in "fc" for way in ways):
            yield item
        yield from numbers_in(item)


def is_(left: Any, right: Any) -> Any:
    """Stand for `left is right`."""
    if isinstance(right, Union):
        left, right = right, left
    if isinstance(left, Union):
        if right is None:
            places = [place for place, a in enumerate(left.alternatives) if a is None]
            left.bound()
            return left.is_(places[0]) if places else False
        if _are_objects(left) and _are_objects(right):
            return same_object(left, right)
        left = left.resolved()
        right = right.resolved() if isinstance(right, Union) else right
    if isinstance(left, SymbolicArray) and isinstance(right, SymbolicArray):
        if _may_be_several(left, right):
            recorder().unstageable(
                "S190-identity", "whether two views are one object depends on the way control took"
            )
        if left is not right and (left.storage.attribute or right.storage.attribute):
            recorder().unstageable("S190-identity", "whether two attributes are one array")
        if left is right or left.storage is not right.storage:
            listed = left.storage.frozen or right.storage.frozen
            if left is not right and (listed or right.storage in left.storage.relatives):
                recorder().unstageable(
                    "S190-identity", "whether two arrays are one depends on the way control took"
                )
            return left is right
        return False
    if isinstance(left, SymbolicScalar) or isinstance(right, SymbolicScalar):
        return _is_scalar(left, right)
    if left is not right and _are_texts(left, right):
        recorder().unstageable("S190-identity", "whether two texts are one object, which run time gives")
    if id(left) in recorder().pooled:
        return same_object(left, right)
    if isinstance(left, StagedList) and isinstance(right, StagedList) and left.pool is not None:
        return left.pool is right.pool and FUNCTIONS[bool](left.handle == right.handle)
    if left is not right and may_be_one(left, right):
        recorder().unstageable("S190-identity", "the way control took decides whether two objects are one")
    left, right = recorder().followed(left), recorder().followed(right)
    if isinstance(left, Foreign) or isinstance(right, Foreign):
        one, other = (left, right) if isinstance(left, Foreign) else (right, left)
        return one is other or one.__stands_for__(other)
    return left is right


def _may_be_several(left: SymbolicArray, right: SymbolicArray) -> bool:
    """Whether two views of the same elements are, or are not, one object on other ways, or in other turns of a loop under way."""
    if not (left.viewed and right.viewed and left.shows_same(right)):
        return False
    return left.several or right.several or any(f.kind == "loop" for f in recorder().frame.outwards())


def _are_texts(left: Any, right: Any) -> bool:
    """Whether two things are texts, of which run time gives one."""
    texts = (str, SymbolicText)
    return isinstance(left, texts) and isinstance(right, texts) and not (type(left) is type(right) is str)


def _are_objects(thing: Any) -> bool:
    """Whether a thing is None, a member of an enumeration or an object in a pool, or one of such."""
    ways = thing.alternatives if isinstance(thing, Union) else (thing,)
    return all(way is None or is_member(way) or id(way) in recorder().pooled for way in ways)


def _is_scalar(left: Any, right: Any) -> Any:
    """Stand for `is` of numbers: there is one object for each truth value, and of others only the run time knows."""
    kinds = [v.python_type if isinstance(v, SymbolicScalar) else type(v) for v in (left, right)]
    if kinds[0] is not kinds[1]:
        return False
    if left is right or getattr(left, "value", left) is getattr(right, "value", right):
        return True
    if kinds[0] not in (bool, np.bool_):
        recorder().unstageable(
            "S190-identity", "whether two numbers are one object is known at run time only"
        )
    return FUNCTIONS[bool](left == right)


def is_not(left: Any, right: Any) -> Any:
    """Stand for `left is not right`."""
    return not_(is_(left, right))


def _is_or_equals(thing: Any, item: Any) -> Callable[[], Any]:
    """Return a function that stands for what containers ask of each item; equal numbers need not be one object."""
    return lambda: _are_same(thing, item)


def _are_same(thing: Any, item: Any) -> Any:
    if isinstance(thing, SymbolicScalar) and isinstance(item, SymbolicScalar) and thing.value is item.value:
        return True
    if _is_number(thing) or _is_number(item):
        return True if thing is item else thing == item
    if _are_texts(thing, item):
        return compare_one("==", thing, item)
    return or_(is_(thing, item), lambda: compare_one("==", thing, item))


def _is_number(thing: Any) -> bool:
    """Whether a thing is a number that run time gives, of one type or of several."""
    if isinstance(thing, Union):
        return all(isinstance(way, SymbolicScalar) for way in thing.alternatives)
    return isinstance(thing, SymbolicScalar)


def in_(item: Any, container: Any) -> Any:
    """Stand for `item in container`."""
    if isinstance(container, SymbolicArray):
        return truth(FUNCTIONS[np.any](apply("equal", container, item)))
    if isinstance(container, (StagedDeque, StagedTuple)):
        container = container.items
    if isinstance(container, (Table, TableView, LackingDict)):
        return container.holds(item)
    if isinstance(container, StagedList) and container.is_staged:
        return truth(FUNCTIONS[np.any](holds(container, item)))
    if isinstance(container, SymbolicRange) and isinstance(container.stride, int):
        if isinstance(item, int) or (isinstance(item, SymbolicScalar) and item.python_type in (int, bool)):
            return _in_range(item, container)
    if isinstance(container, Foreign) and container.__members__ is not None:
        container = container.__members__
    if isinstance(container, (list, tuple, set, frozenset, dict)) and (
        isinstance(item, Character) or is_symbolic(item) or any(map(is_symbolic, container))
    ):
        if not isinstance(container, (list, tuple)):
            _hash(item)
        result: Any = False
        for thing in container:
            result = or_(result, _is_or_equals(thing, item))
        return truth(result)
    if isinstance(item, Character) and type(container) is str:
        return truth(has_character(container, item))
    if isinstance(item, Character) and isinstance(container, HandedText) and container.stands_for is str:
        return in_(item.code, container.codes())
    contains = special_method(container, "__contains__")
    return item in container if contains is None else truth(contains(container, item))


def _hash(item: Any) -> None:
    """Raise what Python raises of a thing that is looked for by its hash, and has none."""
    if isinstance(item, (list, dict)):
        raise TypeError(f"unhashable type: '{'list' if isinstance(item, list) else 'dict'}'")
    if isinstance(item, tuple):
        for inner in item:
            _hash(inner)


def _in_range(item: Any, container: SymbolicRange) -> Any:
    """Return whether an integer is in a range."""
    step: Any = container.stride
    first, last = (item, container.stop) if step > 0 else (container.stop, item)
    within = first >= container.start if step > 0 else item <= container.start
    return and_(
        truth(within), lambda: truth(first < last), lambda: truth((item - container.start) % step == 0)
    )


def not_in(item: Any, container: Any) -> Any:
    """Stand for `item not in container`."""
    return not_(in_(item, container))


def bound(value: Any, *, free: bool = False) -> Any:
    """Read a name that may be unbound; `free` says that it is a variable of a function around."""
    if isinstance(value, Undefined):
        raise value.free_error() if free else value.error()
    return value.bound(free) if isinstance(value, Union) else value
