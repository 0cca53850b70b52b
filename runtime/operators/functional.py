"""The modules `functools` and `operator`."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from transpile.runtime.arrays.beside import refuse_held_written
from transpile.runtime.arrays.functions import FUNCTIONS, implements, within
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.truth import truth

from .call import call
from .iteration import run_loop
from .logic import in_, is_, is_not, not_
from .streams import stream_of

# Functions that do nothing but what an operator does, which symbolic values implement.
_OPERATORS = (
    "add", "and_", "delitem", "eq", "floordiv", "ge", "getitem", "gt", "inv", "invert", "le", "lshift", "lt", "matmul", "mod", "mul",
    "ne", "neg", "or_", "pos", "pow", "rshift", "setitem", "sub", "truediv", "xor",
)  # fmt: skip
_IN_PLACE = (
    "iadd", "iand", "ifloordiv", "ilshift", "imatmul", "imod", "imul", "ior", "ipow", "irshift", "isub", "itruediv", "ixor",
)  # fmt: skip


def _operate(operator_: Callable[..., Any], *operands: Any) -> Any:
    """Apply an operator, which is the user's: what NumPy warns of, it warns of as of the user's line."""
    return within(False, operator_, operands, {}, composes=False)


def _in_place(operator_: Callable[[Any, Any], Any], target: Any, other: Any) -> Any:
    """Apply an operator like `+=`."""
    if isinstance(target, np.ndarray) and recorder().is_held(target):
        refuse_held_written()
    return _operate(operator_, target, other)


for _name in _OPERATORS:
    FUNCTIONS[getattr(operator, _name)] = functools.partial(_operate, getattr(operator, _name))
for _name in _IN_PLACE:
    FUNCTIONS[getattr(operator, _name)] = functools.partial(_in_place, getattr(operator, _name))

FUNCTIONS[operator.abs] = lambda thing: FUNCTIONS[abs](thing)
FUNCTIONS[operator.contains] = lambda container, item: in_(item, container)
FUNCTIONS[operator.is_] = is_
FUNCTIONS[operator.is_not] = is_not
FUNCTIONS[operator.not_] = not_
FUNCTIONS[operator.truth] = truth
FUNCTIONS[operator.itemgetter] = operator.itemgetter
FUNCTIONS[operator.attrgetter] = operator.attrgetter


@implements(functools.partial)
def partial(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Stand for `functools.partial`."""
    return functools.partial(function, *args, **kwargs)


@implements(functools.reduce)
def reduce(function: Callable[..., Any], things: Any, *initial: Any) -> Any:
    """Stand for `functools.reduce`."""
    items = stream_of(things)
    if not initial:
        try:
            initial = (items.take(assumed=True),)
        except StopIteration:
            raise TypeError("reduce() of empty iterable with no initial value") from None
    return run_loop(items, lambda item, result: call(function, result, item), initial, ("a reduction",))[0]


def decorator(function: Callable[..., Any]) -> Callable[[Any], Any]:
    """Stand for a decorator of a function inside, which is called as everything is."""
    return lambda decorated: call(function, decorated)
