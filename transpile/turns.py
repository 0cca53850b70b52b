"""What a call may take in plain Python: roughly, by its code and by what it is handed, before anything is traced."""

from __future__ import annotations

import dis
import functools
import inspect
import types
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import numpy as np

from transpile.runtime.frames import original_of

from .choice import elements

# Note [First looks]
# Whether a trace is risked in a first call is decided before anything of it is known. Every loop is taken to turn as often as the longest thing has items that the
# function knows, or a thousand times where nothing says how often, and every function that it names to be called where its loops are deepest; whole arrays to be
# worked on in the outermost. That is mostly too much: what is left alone is short for sure.

# What an instruction takes, a call in addition, and an element of an array, in seconds.
_INSTRUCTION, _CALL, _ELEMENT = 50e-9, 2e-6, 5e-9
# Turns of a loop of which nothing tells how many.
_TURNS = 1000
# Items of a container, and levels of containers and objects, that are looked at; and functions one in the other.
_ITEMS, _LEVELS, _DEEP = 8, 2, 3
# What is as long as anything.
_LONG = 10**6
_FOREVER = 1e6
# How many times too much it mostly is.
_DOUBT = 3.0
_SIZED = (str, bytes, list, tuple, dict, set, frozenset, range)
_OPAQUE = (type, types.FunctionType, types.BuiltinFunctionType, types.ModuleType)


def promised(function: types.FunctionType, values: Sequence[Any]) -> float:
    """Return how many seconds a call with these values may take."""
    longest, count = max(map(length, values), default=0), sum(map(elements, values))
    classes = {type(value) for value in values if isinstance(value, object) and type(value).__dictoffset__}
    return _promised(function, longest, count, classes, frozenset()) / _DOUBT


def _promised(
    function: types.FunctionType,
    longest: int,
    count: int,
    classes: Collection[type],
    around: frozenset[types.CodeType],
) -> float:
    code = function.__code__
    namespace = function.__globals__
    known = [namespace[name] for name in code.co_names if name in namespace]
    longest = max(longest, *_numbers(code), *(length(thing) for thing in known if _is_data(thing)), 0)
    depth = loop_depth(code)
    unknown = min(_whiles(code), depth)
    often = float(min(longest, _LONG))
    turns = often ** (depth - unknown) * max(often, _TURNS) ** unknown
    work = _work(code)
    # Operations on numbers and on arrays look the same.
    whole = count * _ELEMENT * _operations(code) * (max(often, _TURNS * bool(unknown)) if depth else 1.0)
    each = 0.0
    if len(around) < _DEEP:
        # Instances of classes that it names are mostly its own.
        classes = {*classes, *(thing for thing in known if type(thing) is type)}
        known += [inspect.getattr_static(class_, name, None) for class_ in classes for name in code.co_names]
        for thing in known:
            inner = original_of(thing.fget if isinstance(thing, property) else thing)
            if isinstance(inner, types.FunctionType) and inner.__code__ not in around | {code}:
                each += _promised(inner, longest, count, classes, around | {code})
    return min(turns * (work + each) + whole, _FOREVER)


def length(thing: Any, levels: int = _LEVELS) -> int:
    """Return how long a loop may be that a thing has to do with: a number, the longest axis of an array, or what is in a container or object."""
    kind = type(thing)
    if kind is int:
        return int(abs(thing))
    if isinstance(thing, np.ndarray):
        return max(thing.shape, default=0)
    own = len(thing) if kind in _SIZED else 0
    if not levels or isinstance(thing, _OPAQUE):
        return own
    items = thing[:_ITEMS] if kind in (list, tuple) else attributes(thing)
    return max(own, *(length(item, levels - 1) for item in items), 0)


def attributes(thing: Any) -> list[Any]:
    """Return what the attributes of an object are that lie in a dictionary of its own, without asking it."""
    if not type(thing).__dictoffset__:
        return []
    try:
        return list(object.__getattribute__(thing, "__dict__").values())
    except (AttributeError, TypeError):
        return []


@functools.lru_cache
def loop_depth(code: types.CodeType) -> int:
    """Return how many loops stand one in the other in code, those of functions made in it with them."""
    ends: dict[int, int] = {}
    for instruction in dis.get_instructions(code):
        if "JUMP_BACKWARD" in instruction.opname:
            ends[instruction.argval] = max(ends.get(instruction.argval, 0), instruction.offset)
    own = max((sum(start <= place <= end for start, end in ends.items()) for place in ends), default=0)
    return own + max((loop_depth(inner) for inner in _inner(code)), default=0)


@functools.lru_cache
def _whiles(code: types.CodeType) -> int:
    """Return how many loops there may be in code that do not run over anything."""
    names = [instruction.opname for instruction in dis.get_instructions(code)]
    jumps = {i.argval for i in dis.get_instructions(code) if "JUMP_BACKWARD" in i.opname}
    return max(len(jumps) - names.count("FOR_ITER"), 0) + sum(map(_whiles, _inner(code)))


@functools.lru_cache
def _operations(code: types.CodeType) -> int:
    """Return how many operations and calls stand in code."""
    names = [instruction.opname for instruction in dis.get_instructions(code)]
    own = names.count("BINARY_OP") + names.count("COMPARE_OP") + names.count("CALL")
    return own + sum(map(_operations, _inner(code)))


@functools.lru_cache
def _work(code: types.CodeType) -> float:
    """Return what all instructions of code take together."""
    names = [instruction.opname for instruction in dis.get_instructions(code)]
    own = _INSTRUCTION * len(names) + _CALL * sum("CALL" in name for name in names)
    return own + sum(map(_work, _inner(code)))


@functools.lru_cache
def _numbers(code: types.CodeType) -> tuple[int, ...]:
    """Return the integers that stand in code."""
    own = tuple(abs(constant) for constant in code.co_consts if type(constant) is int)
    return own + tuple(number for inner in _inner(code) for number in _numbers(inner))


def _inner(code: types.CodeType) -> Iterator[types.CodeType]:
    return (constant for constant in code.co_consts if isinstance(constant, types.CodeType))


def _is_data(thing: Any) -> bool:
    """Whether a global variable is a number, array or container."""
    return type(thing) in (int, np.ndarray, *_SIZED)
