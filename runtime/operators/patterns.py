"""The patterns of `match`: what a subject is, and its parts."""

from __future__ import annotations

import collections.abc
from typing import Any

from transpile.runtime.arrays.functions import FUNCTIONS
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.staged_tuples import StagedTuple
from transpile.runtime.arrays.union import Union

# Classes whose one position in a pattern is the subject itself.
_WHOLE = (bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple)


def matches(subject: Any, kind: str, *details: Any) -> Any:
    """Say whether a subject is what a pattern asks for, its parts aside.

    `kind` is "sequence" (of so many items, or of at least so many), "mapping", "class" (with so many positions) or "attribute" (of a name).
    """
    if isinstance(subject, Union):
        subject = subject.resolved()
    if isinstance(subject, StagedTuple):
        subject = subject.known()
    if kind == "sequence":
        return _is_sequence(subject, *details)
    if kind == "mapping":
        return _is(subject, dict, collections.abc.Mapping)
    if kind == "class":
        class_, count = details
        if FUNCTIONS[isinstance](subject, class_) is not True:
            return False
        return class_ in _WHOLE or all(hasattr(subject, name) for name in _positions(class_, count)[:count])
    return hasattr(subject, details[0])


def part(subject: Any, kind: str, *details: Any) -> Any:
    """Return a part of a subject: at a "position" of a class, an "attribute", or the "rest" of a mapping, some keys left out."""
    if kind == "rest":
        return {key: item for key, item in subject.items() if key not in details[0]}
    if kind == "attribute":
        return getattr(subject, details[0])
    class_, number = details
    return subject if class_ in _WHOLE else getattr(subject, class_.__match_args__[number])


def _positions(class_: type, count: int) -> tuple[str, ...]:
    names: tuple[str, ...] = getattr(class_, "__match_args__", ())
    if len(names) < count:
        plural = "" if len(names) == 1 else "s"
        raise TypeError(
            f"{class_.__name__}() accepts {len(names)} positional sub-pattern{plural} ({count} given)"
        )
    return names


def _is_sequence(subject: Any, count: int, starred: bool) -> Any:
    if not _is(subject, (list, tuple, range), collections.abc.Sequence):
        return False
    length = FUNCTIONS[len](subject)
    return length >= count if starred else length == count


def _is(subject: Any, known: Any, abstract: Any) -> bool:
    """Whether a subject is of a class that is known; one that is only said to be like that decides for itself."""
    if isinstance(subject, known):
        return True
    if isinstance(subject, abstract) and not isinstance(subject, (str, bytes, bytearray)):
        recorder().unstageable("S275-pattern", f"{type(subject).__name__} decides what it matches")
    return False
