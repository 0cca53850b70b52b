"""Calls back into Python: once for each time that the program makes them, in its order."""

from __future__ import annotations

import functools
import pathlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, fresh
from transpile.runtime.arrays.cells import Resource
from transpile.runtime.arrays.handle import SymbolicObject
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.references import is_symbolic, references
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.arrays.union import Union
from transpile.runtime.frames import call_from
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT, ArrayType, ScalarType
from transpile.runtime.ops.handles import hold
from transpile.runtime.ops.journal import telling

from .deferred import SymbolicText, deferred
from .program import places

# What a call gives, by the effect's resource.
Result = ScalarType | ArrayType | type | None


def host_call(
    resource: Resource,
    function: Callable[..., Any] | str,
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None = None,
    result: Result = None,
    seen: int | None = None,
    noted: Callable[..., Any] | None = None,
    draw: tuple[str, Sequence[Value]] | None = None,
    tells: bool = False,
    **marks: bool,
) -> Any:
    """Have the graph call a function, or a method of that name of the first argument, and return what stands for what it gives.

    That is of the type `result`: a number, a new array in C order, or an object of a class; or else nothing. The function does no more with arrays
    than read them, and keeps none. One that looks at its callers sees `seen` of them. A function `noted` does the same with the same arguments, and
    notes it in the journal, so that the original can do it anew: see Note [Running anew], also of `marks`. One that `tells` warns or logs, which is noted as it comes. Of a `draw`, see Note [Draws], there is the name, and what stands in front of the other
    operands.
    """
    leading = draw[1] if draw else ()
    values: list[Value] = [*leading]
    is_object = isinstance(result, type)
    run = _direct(function, args, kwargs or {}, values) if seen is None and not is_object else None
    if run is None:
        run = _general(function, args, kwargs or {}, values, seen, is_object)
    record = recorder()
    if resource not in record.graph_frame.cells:
        record.start_resource(resource)
    types = () if result is None else (INT,) if is_object else (result,)
    attributes: dict[str, Any] = {"function": run, "types": types} if types else {"function": run}
    attributes |= marks
    if draw:
        attributes["draw"] = (draw[0], len(leading) - 1)
    if tells:
        attributes |= {"noted": telling(run), "tells": True, "shows": True}
    elif noted is not None:
        attributes["noted"] = _general(noted, args, kwargs or {}, [*leading], seen, is_object)
    *found, token = record.append("host_call", (record.read(resource), *values), attributes)
    record.write(resource, token)
    if isinstance(result, type):
        record.holds = True
        return SymbolicObject(found[0], result)
    return fresh(found[0]) if found else None


def _direct(
    function: Callable[..., Any] | str, args: tuple[Any, ...], kwargs: dict[str, Any], values: list[Value]
) -> Callable[..., Any] | None:
    """Return what calls a function with nothing in between, for kernels that do so in a loop; None where it is not as simple."""
    if is_symbolic(kwargs) or any(isinstance(thing, SymbolicText) for thing in kwargs.values()):
        return None
    called = function
    if isinstance(called, str):
        if not isinstance(args[0], SymbolicObject):
            return None
        called = getattr(args[0].kind, called)
    make = deferred(SymbolicText(functools.partial(called, **kwargs) if kwargs else called, args), values)
    return lambda *given: make(given)


def _general(
    function: Callable[..., Any] | str,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    values: list[Value],
    seen: int | None,
    is_object: bool,
) -> Callable[..., Any]:
    make = deferred(([*args], kwargs), values)
    stack = places() if seen is not None else []

    def run(*given: Any) -> Any:
        positional, named = make(given)
        called = getattr(positional.pop(0), function) if isinstance(function, str) else function
        if seen is None:
            found = called(*positional, **named)
        else:
            found = call_from(stack, seen, functools.partial(called, *positional, **named))
        return hold(found) if is_object else found

    return run


def is_handed(thing: Any, arrays: bool = False, depth: int = 4) -> bool:
    """Whether a thing can be handed to Python's own functions: what they were handed cannot change any more, but for `arrays`, if they are read only."""
    if isinstance(thing, SymbolicArray):
        return arrays
    if isinstance(thing, Union):
        return all(is_handed(alternative, arrays, depth) for alternative in thing.alternatives)
    if isinstance(thing, (SymbolicScalar, SymbolicText, SymbolicObject)) or thing is None:
        return True
    if isinstance(
        thing, (bool, int, float, complex, str, bytes, pathlib.PurePath, type, np.generic, np.dtype)
    ):
        return True
    if isinstance(thing, tuple) or (arrays and isinstance(thing, (list, dict))):
        return depth > 0 and all(is_handed(item, arrays, depth - 1) for item in references(thing))
    return False


def check_handed(name: str, args: Sequence[Any], kwargs: dict[str, Any], arrays: bool = False) -> None:
    """Refuse to hand to a function what it may keep or change, or what no graph holds."""
    if not all(is_handed(thing, arrays) for thing in (*args, *kwargs.values())):
        recorder().unstageable("S206-handed", f"{name} is handed what it may keep or change")
