"""Says why a trace does not serve a call: which guard does not hold, of which value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from transpile.runtime.graph.records import layout_of
from transpile.runtime.trace.guard import ArrayKey, Guard, writable

from .match import match_function


@dataclass(frozen=True)
class Miss:
    """The first guard of a trace that does not hold: the value that it is about, its kind, and what is said of it."""

    path: str
    kind: str
    text: str


def first_miss(parameters: Sequence[str], guards: Sequence[Guard], values: Sequence[Any]) -> Miss | None:
    """Return the first guard that does not hold for a call; None where all do."""
    for guard in guards:
        if match_function(parameters, [guard], [])(*values) is None:
            found = match_function(parameters, [], [guard.path])(*values)
            text = f"{guard.path} is not there" if found is None else _TEXTS[guard.kind](guard, found[0])
            return Miss(str(guard.path), guard.kind, text)
    return None


def _type(guard: Guard, value: Any) -> str:
    if type(value) is guard.expected:
        return f"{guard.path} does not fit into 64 bits"
    return f"{guard.path} is of type {type(value).__name__}, not {guard.expected.__name__}"


def _is(guard: Guard, value: Any) -> str:
    return f"{guard.path} is another object, {_short(value)}, than {_short(guard.expected)}"


def _equals(guard: Guard, value: Any) -> str:
    return f"{guard.path} is {_short(value)}, not {_short(guard.expected)}"


def _length(guard: Guard, value: Any) -> str:
    return f"{guard.path} has the length {len(value)}, not {guard.expected}"


def _keys(guard: Guard, value: Any) -> str:
    return f"{guard.path} has the keys {_short(list(value))}, not {_short(list(guard.expected))}"


def _dim(guard: Guard, value: Any) -> str:
    axis, size = guard.expected
    return f"{guard.path}.shape[{axis}] is {value.shape[axis]}, not {size}"


def _array(guard: Guard, value: Any) -> str:
    expected: ArrayKey = guard.expected
    kind: Any = type(value)
    if kind is not expected.kind:
        return f"{guard.path} is of type {kind.__name__}, not {expected.kind.__name__}"
    if layout_of(value.dtype) != layout_of(expected.dtype):
        return f"{guard.path} is of the dtype {value.dtype}, not {expected.dtype}"
    if value.ndim != len(expected.ones):
        return f"{guard.path} has the rank {value.ndim}, not {len(expected.ones)}"
    for axis, one in enumerate(expected.ones):
        if (value.shape[axis] == 1) is not one:
            return (
                f"{guard.path}.shape[{axis}] is {value.shape[axis]}, {'not 1' if one else 'where it was not'}"
            )
    writes = writable(value)
    if writes is not expected.writable:
        return f"{guard.path} {'warns when it is written' if writes is None else 'can be written' if writes else 'cannot be written'}"
    return f"{guard.path} lies in memory in another way: its strides are {value.strides}"


def _strides(guard: Guard, value: Any) -> str:
    return f"{guard.path} lies in memory in another way: its strides are {value.strides}"


def _flags(guard: Guard, value: Any) -> str:
    return f"{guard.path} lies in memory in another way: its strides are {value.strides}, and it is {'' if value.flags.aligned else 'not '}aligned"


def _missing(guard: Guard, value: Any) -> str:
    return f"{guard.path} is a global now, {_short(value)}"


def _rows(guard: Guard, value: Any) -> str:
    return f"a list in {guard.path} was handed in otherwise, too"


def _members(guard: Guard, value: Any) -> str:
    return f"an object in {guard.path} was handed in otherwise, too"


def _held(guard: Guard, value: Any) -> str:
    return f"an array that an object in {guard.path} holds was handed in otherwise, too"


def _related(guard: Guard, value: Any) -> str:
    others = guard.expected if isinstance(guard.expected, tuple) else (guard.expected,)
    names = ", ".join(map(str, others))
    return {
        "not": f"{guard.path} is {names}",
        "same": f"{guard.path} is not {names}",
        "distinct": f"two of {guard.path}, {names} are one object",
        "apart": f"{guard.path} and {names} share memory",
    }[guard.kind]


_TEXTS = {
    "type": _type,
    "is": _is,
    "equals": _equals,
    "length": _length,
    "keys": _keys,
    "dim": _dim,
    "array": _array,
    "flags": _flags,
    **dict.fromkeys(("backwards", "goes on", "packed"), _strides),
    "missing": _missing,
    "rows": _rows,
    "members": _members,
    "held": _held,
    **dict.fromkeys(("not", "same", "distinct", "apart"), _related),
}


def _short(thing: Any) -> str:
    text = repr(thing)
    return text if len(text) <= 60 else text[:57] + "..."
