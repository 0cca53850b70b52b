"""What is there on some of the ways that control may take: attributes of objects, keys of dictionaries."""

from __future__ import annotations

from typing import Any

from .choices import choose
from .numbers import lift
from .recorder import recorder
from .scalar import SymbolicScalar
from .undefined import Absent
from .union import Union


def may_lack(thing: Any) -> bool:
    """Whether what an attribute or key holds may be nothing."""
    return absent_in(thing) is not None


def present(held: Any) -> Any:
    """Return what an attribute or key that is read holds: where it is absent at run time, what the class has, or the error of Python's is raised."""
    found = absent_in(held)
    if found is None:
        return held
    return held.bound() if found.inherited is None else given_instead(held, found.inherited())


def given_instead(held: Union, default: Any) -> Any:
    """Return what an attribute or key holds, and something else where it is absent."""
    ways = [default if isinstance(way, Absent) else way for way in held.alternatives]
    if default is None and not any(way is None for way in held.alternatives):
        return Union(held.tag, tuple(ways))
    return Union.on_way(held.tag, ways, lambda way: way)


def has(held: Any) -> Any:
    """Return whether the object has an attribute that holds something, or its class; or the dictionary has a key."""
    found = absent_in(held)
    return True if found is None or found.inherited is not None else lacks(held, False)


def refuse_absent(held: Any) -> None:
    """Raise what Python raises where something is deleted that may be absent."""
    found = absent_in(held)
    if found is not None:
        recorder().raise_if(lift(lacks(held)), found.deletion_error)


def lacks(held: Union, truth: bool = True) -> SymbolicScalar:
    """Return whether what something holds is nothing, or, with `truth` false, is something."""
    answers = [isinstance(way, Absent) is truth for way in held.alternatives]
    chosen: SymbolicScalar = choose(held.tag, answers)
    return chosen


def absent_in(held: Any) -> Absent | None:
    """Return what stands for the absence of what may be absent."""
    if not isinstance(held, Union):
        return None
    return next((way for way in held.alternatives if isinstance(way, Absent)), None)
