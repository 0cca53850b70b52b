"""What Python's builtins ask of users' objects by special methods, whose answers run time may give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from transpile.runtime.arrays.functions import FUNCTIONS
from transpile.runtime.arrays.handle import Foreign
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.scalar import SymbolicScalar

from .heap import is_made_by_trace


def is_users(thing: Any) -> bool:
    """Whether a thing stands for an instance of a user's class, made in the trace or before."""
    return isinstance(thing, Foreign) or is_made_by_trace(thing) or id(thing) in recorder().pooled


def special_method(thing: Any, name: str) -> Callable[..., Any] | None:
    """Return a special method of a user's object that is converted, if its class has one."""
    return getattr(type(thing), name, None) if is_users(thing) else None


def asked(thing: Any, name: str, kind: type) -> Any:
    """Return the number of some kind that a special method of a user's object gives; None where its class has none."""
    method = special_method(thing, name)
    if method is None:
        return None
    answer = method(thing)
    found = answer.python_type if isinstance(answer, SymbolicScalar) else type(answer)
    if found is not kind:
        recorder().unstageable("S204-decides", f"{name} gives a {found.__name__}, not a {kind.__name__}")
    return answer


def true(thing: Any) -> Any:
    """Return whether a user's object is true; None where its class does not say."""
    answer = asked(thing, "__bool__", bool)
    if answer is None:
        length = long(thing)
        answer = None if length is None else length != 0
    return answer


def long(thing: Any) -> Any:
    """Return the length of a user's object; None where its class has none."""
    length = asked(thing, "__len__", int)
    if isinstance(length, SymbolicScalar):
        recorder().deoptimise_if((length < 0).value, "a length that is negative")
    elif length is not None and length < 0:
        recorder().unstageable("S204-decides", "__len__ gives a negative number")
    return length


def counted(things: Any) -> Any:
    """Return what runs over a user's object of which a list is made: Python asks the object for its length then, too, when the run has begun."""
    names = ("__len__", "__length_hint__")
    is_object = is_users(things) and not hasattr(type(things), "stands_for")
    if not is_object or not any(special_method(things, name) for name in names):
        return things
    run = FUNCTIONS[iter](things)
    try:
        if long(things) is None:
            asked(things, "__length_hint__", int)
    except TypeError:
        recorder().unstageable("S204-decides", "an object of which a list is made has no length after all")
    return run
