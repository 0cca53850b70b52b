"""What NumPy's dispatchers refuse: those of functions of sequences run over what they are handed, and say so where that is a number."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.quiet import no_warnings

# NumPy's functions, of which some are written in Python.
DISPATCHED = type(np.concatenate)

_REFUSED = "dispatcher for __array_function__ did not return an iterable"


class _Number:
    """Stands for a number where a dispatcher is asked; the function itself does not run."""

    def __array_function__(self, *_: Any) -> None:
        pass


class _Sequence(_Number):
    """Stands for anything else."""

    def __iter__(self) -> Iterator[Any]:
        return iter((_Number(),))


def check_sequences(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Raise what NumPy raises where a function that looks for arrays in what it is handed is handed a number."""
    places = tuple(map(_is_one_number, args))
    names = tuple((name, _is_one_number(thing)) for name, thing in kwargs.items())
    if (any(places) or any(number for _, number in names)) and _refuses(function, places, names):
        raise recorder().unsure(TypeError(_REFUSED))


@cache
def _refuses(function: Any, places: tuple[bool, ...], names: tuple[tuple[str, bool], ...]) -> bool:
    """Whether a function's dispatcher refuses numbers at some of the places and names that it is given."""
    stand_ins = {True: _Number(), False: _Sequence()}
    try:
        with no_warnings():
            function(*(stand_ins[number] for number in places), **{name: stand_ins[n] for name, n in names})
    except Exception as error:
        return str(error) == _REFUSED
    return False


def _is_one_number(thing: Any) -> bool:
    """Whether a thing is a number, or an array without axes."""
    numbers = (SymbolicScalar, int, float, complex, np.generic)
    return isinstance(thing, numbers) or (isinstance(thing, SymbolicArray) and not thing.ndim)
