"""Python's builtins, on symbolic values."""

from __future__ import annotations

import types
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, dim_scalar
from transpile.runtime.arrays.choices import choose
from transpile.runtime.arrays.deques import StagedDeque
from transpile.runtime.arrays.functions import FUNCTIONS, implements, within
from transpile.runtime.arrays.handle import Foreign
from transpile.runtime.arrays.hash_tables import Table
from transpile.runtime.arrays.lists import StagedList
from transpile.runtime.arrays.numbers import as_scalar, lift, to_weak
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.records import RecordArray
from transpile.runtime.arrays.references import is_symbolic
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.arrays.staged_tuples import StagedTuple
from transpile.runtime.arrays.table_views import TableView
from transpile.runtime.arrays.truth import truth
from transpile.runtime.arrays.tuples import is_tuple
from transpile.runtime.arrays.union import Union
from transpile.runtime.composites.arguments import NOTHING
from transpile.runtime.graph.types import COMPLEX128, FLOAT64, INT, INT64
from transpile.runtime.graph.types import element as element_of
from transpile.runtime.ops.scalars import outgrown

from . import folds as _folds  # noqa: F401 (declares what runs over all items)
from . import iterators as _iterators  # noqa: F401 (declares what makes iterators)
from .characters import Character, HandedText
from .leaks import is_stand_in
from .protocols import asked, long
from .traversal import Stream, SymbolicRange

FUNCTIONS[range] = SymbolicRange.of
FUNCTIONS[bool] = truth


@implements(len)
def length(thing: Any) -> Any:
    """Stand for `len`."""
    if isinstance(thing, Union):
        return thing.on_each_way(length)
    if isinstance(thing, SymbolicArray):
        if not thing.ndim:
            raise TypeError("len() of unsized object")
        return dim_scalar(thing.dims[0])
    if isinstance(thing, RecordArray):
        return thing.length()
    if isinstance(thing, (StagedList, StagedDeque, StagedTuple, Table, TableView)):
        return thing.length
    if isinstance(thing, SymbolicScalar):
        raise TypeError(f"object of type {thing.type_name!r} has no len()")
    if isinstance(thing, SymbolicRange):
        return dim_scalar(thing.length())
    if isinstance(thing, HandedText):
        return thing.codes().length
    if isinstance(thing, Character):
        return 1
    if isinstance(thing, Stream):
        raise TypeError(f"object of type {thing.kind.__name__!r} has no len()")
    answer = long(thing)
    if answer is None and type(thing) in (int, float, complex, bool, type(None)):
        raise TypeError(f"object of type {type(thing).__name__!r} has no len()")
    return len(thing) if answer is None else answer


@implements(callable)
def is_callable(thing: Any) -> Any:
    """Stand for `callable`."""
    if isinstance(thing, Union):
        return thing.on_each_way(is_callable)
    if isinstance(thing, Foreign):
        return any("__call__" in vars(base) for base in thing.__class__.__mro__)
    return not isinstance(thing, (SymbolicArray, SymbolicScalar)) and callable(thing)


@implements(isinstance)
def is_instance(thing: Any, kinds: Any) -> Any:
    """Stand for `isinstance`: the type of a symbolic value is known."""
    if isinstance(thing, Union):
        union = thing.bound()
        if isinstance(union, Union):
            answers = [is_instance(way, kinds) for way in union.alternatives]
            return answers[0] if len(set(answers)) == 1 else choose(union.tag, answers)
        thing = union
    if isinstance(thing, SymbolicScalar):
        return issubclass(thing.python_type, kinds)
    if isinstance(thing, SymbolicArray):
        return issubclass(np.ndarray, kinds)
    if hasattr(type(thing), "stands_for"):
        return issubclass(type(thing).stands_for, kinds)
    if isinstance(thing, Stream):
        return issubclass(thing.kind, kinds)
    if isinstance(thing, SymbolicRange):
        return issubclass(range, kinds)
    return isinstance(thing, kinds)


@implements(type)
def type_of(thing: Any, *rest: Any) -> Any:
    """Stand for `type`."""
    if rest:
        recorder().unstageable("S250-class", "a class is made while the function runs")
    if isinstance(thing, Union):
        return thing.on_each_way(type_of)
    if isinstance(thing, SymbolicScalar):
        return thing.python_type
    if isinstance(thing, StagedList):
        return list
    if hasattr(type(thing), "stands_for"):
        return type(thing).stands_for
    if isinstance(thing, Stream):
        return thing.kind
    if isinstance(thing, SymbolicRange):
        return range
    if isinstance(thing, SymbolicArray):
        return np.ndarray
    owner = thing.__self__ if isinstance(thing, types.MethodType) else thing
    if is_stand_in(owner) and (owner is not thing or thing.__class__ is type(thing)):
        recorder().unstageable(
            "S250-class", "the class of what stands for a thing while tracing is asked for"
        )
    # What stands for an object says that it is of the class of that, which is guarded as one that is read by its name.
    found = thing.__class__
    recorder().note_class(found)
    return found


def element(thing: Any) -> Any:
    """Return the number that a function of Python's takes an array without axes, or one of several alternatives, for."""
    if isinstance(thing, Union):
        thing = thing.numbers()
        thing = thing.resolved() if isinstance(thing, Union) else thing
    if isinstance(thing, SymbolicArray):
        value = as_scalar(thing.read())
        if value.type != thing.type:
            return SymbolicScalar(value)
        raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
    return thing


def several(thing: Any) -> bool:
    """Whether a thing is a number of one of several types."""
    return isinstance(thing, Union) and all(isinstance(way, SymbolicScalar) for way in thing.alternatives)


@implements(int)
def to_int(thing: Any = 0, /, *base: Any, **by_name: Any) -> Any:
    """Stand for `int`: the fraction goes; infinities, NaN and what is too large are left to Python."""
    has_base = bool(base or by_name)
    if several(thing) and not has_base:
        return thing.on_each_way(to_int)
    thing = element(thing)
    if isinstance(thing, Character) and not has_base:
        return thing.digit()
    if not isinstance(thing, SymbolicScalar):
        answer = None if has_base else asked(thing, "__int__", int)
        return int(thing, *base, **by_name) if answer is None else answer
    if has_base:
        # Of a number Python asks for none, whatever it is.
        return int(0, *base, **by_name)
    if thing.type.dtype.kind == "c":
        _refuse_imaginary(thing)
        raise TypeError(
            "int() argument must be a string, a bytes-like object or a real number, not 'complex'"
        )
    if thing.type.dtype.kind == "f":
        recorder().deoptimise_if(
            recorder().emit("leaves_int64", thing.value),
            "int() of a float that is too large, or none",
            outgrown(recorder().location()),
            thing.value,
        )
    return SymbolicScalar(to_weak(thing.value, INT64))


def _refuse_imaginary(number: SymbolicScalar) -> None:
    """Leave it to the original to make a real number of NumPy's complex one, of which NumPy warns."""
    if not number.weak:
        recorder().unstageable("S146-imaginary", "a complex number is made a real one", "use .real")


@implements(float)
def to_float(thing: Any = 0.0) -> Any:
    """Stand for `float`."""
    if several(thing):
        return thing.on_each_way(to_float)
    thing = element(thing)
    if isinstance(thing, SymbolicScalar):
        if thing.type.dtype.kind == "c":
            _refuse_imaginary(thing)
            raise TypeError("float() argument must be a string or a real number, not 'complex'")
        return SymbolicScalar(to_weak(thing.value, FLOAT64))
    answer = asked(thing, "__float__", float)
    return float(thing) if answer is None else answer


@implements(complex)
def to_complex(real: Any = 0, imag: Any = NOTHING) -> Any:
    """Stand for `complex`."""
    if isinstance(imag, SymbolicArray) and imag.dtype.kind == "c":
        recorder().unstageable(
            "S146-imaginary", "an array of complex numbers is made a real one", "use .real"
        )
    real, imag = element(real), element(imag)
    answer = asked(real, "__complex__", complex) if imag is NOTHING else None
    if answer is not None:
        return answer
    if not is_symbolic((real, imag)):
        return complex(real) if imag is NOTHING else complex(real, imag)
    if imag is NOTHING:
        return SymbolicScalar(to_weak(lift(real), COMPLEX128))
    # Of complex parts Python adds the first to the second times the imaginary unit.
    first = _as_complex(real)
    second = _as_complex(imag)
    if second is not None and element_of(lift(imag).type) != COMPLEX128:
        # Of NumPy's narrower ones Python makes floats.
        recorder().unstageable("S146-imaginary", "a complex number is made a real one", "use .real")
    x = _as_float(real) if first is None else first.real
    y = _as_float(imag) if second is None else second.real
    if second is not None:
        x = x - second.imag
    if first is not None:
        y = y + first.imag
    return SymbolicScalar(recorder().emit("make_complex", lift(x), lift(y)))


def _as_complex(number: Any) -> SymbolicScalar | None:
    """Return a complex number as Python's; None if it is none."""
    value = lift(number)
    return SymbolicScalar(to_weak(value, COMPLEX128)) if element_of(value.type).kind == "c" else None


def _as_float(number: Any) -> SymbolicScalar:
    return SymbolicScalar(to_weak(lift(number), FLOAT64))


@implements(abs)
def absolute(thing: Any) -> Any:
    """Stand for `abs`, which is the user's operator."""
    return within(False, abs, (thing,), {}, composes=False)


@implements(id)
def identity_of(thing: Any) -> Any:
    """Stand for `id`, of what the program itself has: an object from outside has another one in the next call, and what stands for a thing has its own."""
    is_equal_alone = isinstance(thing, (str, bytes, int, float, complex, tuple, np.generic))
    if isinstance(thing, Foreign) or is_symbolic(thing) or is_stand_in(thing) or is_equal_alone:
        recorder().unstageable("S190-identity", "id() of what run time gives is asked for")
    return id(thing)


@implements(hash)
def hash_of(thing: Any) -> Any:
    """Stand for `hash`, of numbers of Python's and tuples of them."""
    numbers = thing if is_tuple(thing) else (thing,)
    symbolic = [isinstance(number, SymbolicScalar) and number.weak for number in numbers]
    if not all(s or type(n) in (bool, int, float, complex) for s, n in zip(symbolic, numbers, strict=True)):
        recorder().unstageable("S142-unknown", "a call of hash() on something else than numbers")

    def function(*given: Any) -> int:
        left = iter(given)
        now = tuple([next(left) if s else n for s, n in zip(symbolic, numbers, strict=True)])
        return hash(now if is_tuple(thing) else now[0])

    values = [number.value for number in numbers if isinstance(number, SymbolicScalar)]
    if not values:
        return function()
    for number in numbers:
        if isinstance(number, SymbolicScalar) and number.type.dtype.kind in "fc":
            is_nan = recorder().emit("not_equal", number.value, number.value)
            recorder().deoptimise_if(is_nan, "the hash of a NaN is that of the object it is")
    return SymbolicScalar(recorder().emit("host_value", *values, function=function, type=INT))


@implements(divmod)
def quotient_and_remainder(left: Any, right: Any) -> Any:
    """Stand for `divmod`."""
    return divmod(left, right)
