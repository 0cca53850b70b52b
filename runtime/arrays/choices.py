"""The one of several scalars that a tag names."""

from __future__ import annotations

from typing import Any

from transpile.runtime.graph.types import (
    INT64,
)

from .numbers import lift, to_weak
from .recorder import recorder
from .scalar import SymbolicScalar
from .union import Union


def choose(tag: SymbolicScalar, results: list[Any]) -> Any:
    """Return the one of several scalars that `tag` names: a union where their types differ."""
    record = recorder()
    if any(isinstance(result, Union) for result in results):
        tag, results = _flattened(tag, results)
    values = [lift(result) for result in results]
    if len({value.type for value in values}) > 1:
        return Union(tag, tuple(SymbolicScalar(value) for value in values))
    chosen = values[-1]
    for place in range(len(values) - 2, -1, -1):
        if values[place] is not chosen:
            chosen = record.emit("select", lift(tag == place), values[place], chosen)
    return SymbolicScalar(chosen)


def _flattened(tag: SymbolicScalar, results: list[Any]) -> tuple[SymbolicScalar, list[Any]]:
    """Return a choice among unions as a choice among all their alternatives, of which each type has one."""
    alternatives: list[SymbolicScalar] = []
    tags: list[Any] = []
    for place, result in enumerate(results):
        own = tuple(result.alternatives) if isinstance(result, Union) else (SymbolicScalar(lift(result)),)
        inner: list[Any] = []
        for number, alternative in enumerate(own):
            known = next((p for p, a in enumerate(alternatives) if a.type == alternative.type), None)
            if known is None:
                inner.append(len(alternatives))
                alternatives.append(alternative)
                continue
            # Results before this one have their alternative in this place, and so may another alternative of this one.
            test = (tag == place) & (result.tag == number) if known in inner else tag == place
            inner.append(known)
            alternatives[known] = choose(
                SymbolicScalar(to_weak(lift(test), INT64)), [alternatives[known], alternative]
            )
        tags.append(choose(result.tag, inner) if isinstance(result, Union) else inner[0])
    return choose(tag, tags), list(alternatives)
