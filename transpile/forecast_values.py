"""What a forecast knows of things: numbers as they are, arrays by their axes, and whatever else not at all."""

from __future__ import annotations

import math
import operator
import sys
import types
from collections.abc import Callable, Sequence
from typing import Any

from transpile.runtime.frames import home_of

# What an operation on an array takes, and more for each element of eight bytes, in seconds: one of fewer bytes takes as much less.
ARRAY, ELEMENT = 0.4e-6, 1e-9
# How many bytes the elements of arrays have, unless something tells.
_WIDTH = 8
# What it takes to take a number out of an array, or to compute with one that was, in seconds.
NUMPYS = 30e-9
# How long an axis is of which nothing tells.
SIZE = 100
# The largest number of which powers are computed.
_LARGE = 1 << 62

OPAQUE_HOMES = sys.stdlib_module_names | {"numpy", "scipy", "transpile"}
NUMBERS = (int, float, bool)
SIZED = (str, bytes, list, tuple, dict, set, frozenset, range)


class Unknown:
    """What nothing is known of."""


class Guess(int):
    """A length that nothing tells."""


GUESS = Guess(SIZE)


class Array:
    """An array: how long its axes are, and how many bytes an element has."""

    def __init__(self, dims: Sequence[Any], width: int = _WIDTH) -> None:
        self.dims = tuple(dim if type(dim) in (int, Guess) and dim >= 0 else GUESS for dim in dims)
        self.width = width


class Instance:
    """What calling a class of the user's makes."""

    def __init__(self, class_: type) -> None:
        self.class_ = class_


class Bound:
    """A method of something, or a function made inside of another one with the names around it."""

    def __init__(self, function: Any, first: Any) -> None:
        self.function, self.first = function, first


UNKNOWN = Unknown()
# A number out of an array.
PICKED = Unknown()


class Stream:
    """An iterator or list of so many items, where that is known, of which each is like one."""

    def __init__(self, count: int | None, item: Any) -> None:
        self.count, self.item = count, item


def is_a(thing: Any, *kinds: type) -> bool:
    """Whether a thing is of some class, without asking it: `isinstance` asks for `__class__`, which may be code of the user's."""
    return issubclass(type(thing), kinds)


def is_ndarray(thing: Any) -> bool:
    """Whether a thing is one of NumPy's arrays; a program that has not loaded NumPy has none, and need not wait for it."""
    module = sys.modules.get("numpy")
    kind = None if module is None else vars(module).get("ndarray")
    return kind is not None and is_a(thing, kind)


def is_users(thing: Any) -> bool:
    """Whether a function or class is neither NumPy's nor of another library that is not gone through."""
    return str(getattr(thing, "__module__", "")).partition(".")[0] not in OPAQUE_HOMES


def is_pythons(function: Any) -> bool:
    """Whether this is a function or class of Python's own modules, or a method of what these hold."""
    if is_a(function, types.BuiltinFunctionType):
        owner = function.__self__
        home = owner.__name__ if type(owner) is types.ModuleType else type(owner).__module__
    elif is_a(function, types.FunctionType):
        home = home_of(function)
    else:
        home = function.__module__ if is_a(function, type) and not is_users(function) else ""
    return str(home).partition(".")[0] in sys.stdlib_module_names


def is_numpys(function: Any) -> bool:
    """Whether this is a function of NumPy's in C, or a method of its generators: a program that has none need not load them."""
    arrays, numbers = sys.modules.get("numpy"), sys.modules.get("numpy.random")
    kinds = [] if arrays is None else [arrays.ufunc, type(arrays.sum)]
    kinds += [] if numbers is None else [type(numbers.Generator.normal)]
    return is_a(function, *kinds)


def is_ufunc(function: Any) -> bool:
    """Whether this is a function of NumPy's that works element by element."""
    module = sys.modules.get("numpy")
    return module is not None and is_a(function, module.ufunc)


def is_array(value: Any) -> bool:
    """Whether this is an array, known or forecast."""
    return is_a(value, Array) or is_ndarray(value)


def dims_of(value: Any) -> tuple[int, ...] | None:
    """Return the lengths of the axes of an array, or of what makes one."""
    if is_a(value, Array):
        return tuple(value.dims)
    if is_ndarray(value):
        return tuple(value.shape)
    if is_a(value, Stream):
        return value.count, *(dims_of(value.item) or ())
    if type(value) in (list, tuple) and value:
        return len(value), *(dims_of(value[0]) or ())
    return None


def size_of(value: Any) -> int:
    """Return how many elements an array has."""
    return math.prod(dims_of(value) or ())


def width_of(*values: Any) -> int:
    """Return how many bytes the elements have of what arrays make together: what is none has no say."""
    widths = [
        value.width if is_a(value, Array) else int(sys.modules["numpy"].ndarray.itemsize.__get__(value))
        for value in values
        if is_array(value)
    ]
    return max(widths, default=_WIDTH)


def width_of_type(type_: Any) -> int:
    """Return how many bytes an element has whose type was asked for."""
    numpy = sys.modules.get("numpy")
    known = type(type_) is str or any(type_ is kind for kind in NUMBERS)
    if numpy is None or not (known or is_a(type_, numpy.dtype) or _is_type_of_numpys(type_, numpy)):
        return _WIDTH
    return int(numpy.dtype(type_).itemsize)


def _is_type_of_numpys(type_: Any, numpy: Any) -> bool:
    return type(type_) is type and issubclass(type_, numpy.generic)


def passing(value: Any) -> float:
    """Return how many seconds it takes to go over the elements of an array."""
    return size_of(value) * ELEMENT * min(width_of(value), _WIDTH) / _WIDTH


def broadcast(shapes: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Return the axes of what arrays of these axes become together; where they do not fit, something was not known, and those of the largest count."""
    depth = max(map(len, shapes), default=0)
    padded = [(1,) * (depth - len(shape)) + shape for shape in shapes]
    together = list(zip(*padded, strict=True))
    if any(len(set(lengths) - {1}) > 1 for lengths in together):
        return max(shapes, key=math.prod)
    return tuple(0 if 0 in lengths else max(lengths) for lengths in together)


def joined(name: str, parts: Sequence[tuple[int, ...]], axis: Any) -> tuple[int, ...]:
    """Return the axes of what joining arrays of these axes makes, as `concatenate` and its like do."""
    rank = max(map(len, parts), default=1)
    if name == "stack":
        return len(parts), *max(parts, key=len, default=())
    if name == "vstack":
        parts, rank, axis = [(1,) * (2 - len(part)) + part for part in parts], max(rank, 2), 0
    elif name == "column_stack":
        parts, rank, axis = [part + (1,) * (2 - len(part)) for part in parts], max(rank, 2), 1
    elif name == "hstack":
        axis = int(rank > 1)
    elif name == "append" and axis is None:
        return (sum(map(math.prod, parts)),)
    axis = axis % rank if type(axis) is int and rank else 0
    parts = [part for part in parts if len(part) == rank]
    # One of them stands for all, but for the axis along which they are joined.
    around = parts[0] if parts else (GUESS,) * rank
    lengths = [part[axis : axis + 1] for part in parts]
    guessed = any(isinstance(length, Guess) for each in lengths for length in each)
    length = sum(map(math.prod, lengths))
    return (*around[:axis], Guess(length) if guessed else length, *around[axis + 1 :])


def product(left: tuple[int, ...] | None, right: tuple[int, ...] | None) -> Any:
    """Return the array that a product of matrices, or of stacks of them, with these axes is."""
    left, right = left or (), right or ()
    made = broadcast([left[:-2], right[:-2]]) + left[-2:-1] + (right[-1:] if len(right) > 1 else ())
    return Array(made) if made else UNKNOWN


def made_of_shape(shape: Any) -> Any:
    """Return the array that has this shape."""
    if type(shape) in (tuple, list):
        return Array(shape)
    return Array((shape,))


def range_of(name: str, values: Sequence[Any]) -> Any:
    """Return the axes of what `arange` and its like make."""
    numbers: list[Any] = [value for value in values if type(value) in NUMBERS]
    if not numbers or len(numbers) < len(values):
        return (GUESS,) * (1 + (name in ("eye", "identity")))
    if name == "linspace":
        return int(numbers[2]) if len(numbers) > 2 else 50
    if name != "arange":
        return int(numbers[0]), int(numbers[1] if len(numbers) > 1 else numbers[0])
    start, stop = (0, numbers[0]) if len(numbers) == 1 else numbers[:2]
    return max(math.ceil((stop - start) / (numbers[2] if len(numbers) > 2 else 1)), 0)


def attribute_of_array(thing: Any, name: str) -> Any:
    """Return an attribute of an array."""
    dims = dims_of(thing) or ()
    known: dict[str, Any] = {"shape": dims, "size": math.prod(dims), "ndim": len(dims)}
    if name in known:
        return known[name]
    if name == "T":
        return Array(dims[::-1], width_of(thing))
    return thing if name in ("real", "imag", "flat") else Bound(name, thing)


def picked(dims: tuple[int, ...], places: Sequence[Any]) -> tuple[int, ...]:
    """Return the axes that indices leave."""
    left: list[int] = []
    rest = list(dims)
    # Arrays of places pick together, and leave the axes that they have together where the first of them stands.
    shapes: list[tuple[int, ...]] = []
    first = 0
    for place in places:
        if place is None:
            left.append(1)
        elif place is Ellipsis:
            skipped = len(rest) - sum(
                each is not None and each is not Ellipsis for each in places[places.index(place) :]
            )
            left += rest[: max(skipped, 0)]
            del rest[: max(skipped, 0)]
        elif rest:
            length = rest.pop(0)
            if is_a(place, slice):
                left.append(_sliced(length, place))
            elif is_array(place) or type(place) is list:
                first = first if shapes else len(left)
                shape = dims_of(place) or (length,)
                if is_array(place) and width_of(place) == 1:
                    # A mask of so many axes, which are one then.
                    del rest[: len(shape) - 1]
                    shape = (math.prod(shape),)
                shapes.append(shape)
    left[first:first] = broadcast(shapes)
    return (*left, *rest)


def _sliced(length: int, place: slice) -> int:
    """Return how many items a slice takes: half of them where one end is not known, and some where neither is."""
    unknown = sum(is_a(end, Unknown) for end in (place.start, place.stop))
    if unknown:
        return Guess(length // 2) if unknown == 1 else min(length, GUESS)
    return len(range(*place.indices(length))) if place.step != 0 else length


def computed(operation: Callable[[Any, Any], Any] | None, left: Any, right: Any) -> Any:
    """Return what an operation on numbers gives, unless that is large."""
    if operation is None or (operation is operator.pow and (abs(left) > _LARGE or abs(right) > 64)):
        return UNKNOWN
    if max(abs(left), abs(right)) > _LARGE:
        return UNKNOWN
    try:
        return operation(left, right)
    except (ArithmeticError, ValueError):
        return UNKNOWN
