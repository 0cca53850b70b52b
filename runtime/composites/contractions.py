"""Sums of products over axes that are named: einsum, tensordot, kron, products of vectors in arrays."""

from __future__ import annotations

import functools
import string
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.broadcasting import agree, broadcast_error
from transpile.runtime.arrays.elementwise import apply
from transpile.runtime.arrays.functions import FUNCTIONS, implements
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.graph.dim import DimLike, product
from transpile.runtime.graph.types import DType
from transpile.runtime.ops.creation import laid_out

from .arguments import as_dtype, normal_axis
from .axes import expand_dims, moveaxis, transposed
from .calls import Part, called_once, known_integer, refuse
from .reshaping import reshaped, view_or_copy
from .routines import stored
from .sequences import as_array


def _as_text(operands: tuple[Any, ...]) -> tuple[str, list[SymbolicArray]]:
    """Return the subscripts as text, and the operands: axes may be given by lists of numbers behind each operand."""
    if isinstance(operands[0], str):
        return operands[0].replace(" ", ""), [as_array(operand) for operand in operands[1:]]
    given, lists = operands[: len(operands) // 2 * 2 : 2], operands[1::2]
    terms = [_as_letters(subscripts) for subscripts in lists]
    result = "->" + _as_letters(operands[-1]) if len(operands) % 2 else ""
    return ",".join(terms) + result, [as_array(operand) for operand in given]


def _as_letters(subscripts: Any) -> str:
    if not isinstance(subscripts, (list, tuple)):
        refuse("einsum", "with axes that are no lists of numbers")
    numbers = [number if number is Ellipsis else known_integer(number) for number in subscripts]
    if any(number is not Ellipsis and not 0 <= number < 26 for number in numbers):
        refuse("einsum", "with axes of other numbers than 0 to 25")
    return "".join("..." if number is Ellipsis else string.ascii_lowercase[number] for number in numbers)


def _letters(text: str, ranks: list[int]) -> tuple[list[str], str]:
    """Return the letters of each operand's axes, and those of the result's; axes that three dots stand for are numbered from the last one on."""
    given, arrow, result = text.partition("->")
    terms = given.split(",")
    plain = text.replace("...", "")
    if len(terms) != len(ranks) or not all(c.isalpha() or c in ",->" for c in plain):
        refuse("einsum", "with these subscripts")
    counts = [rank - len(term.replace("...", "")) for term, rank in zip(terms, ranks, strict=True)]
    if any(count < 0 or (count and "..." not in term) for term, count in zip(terms, counts, strict=True)):
        refuse("einsum", "with subscripts for another number of axes")
    if not arrow:
        joined = "".join(terms).replace(".", "")
        once = sorted(c for c in set(joined) if joined.count(c) == 1)
        result = ("..." if "..." in given else "") + "".join(once)
    most = max((count for term, count in zip(terms, counts, strict=True) if "..." in term), default=0)
    spelled = [_spelled(term, count) for term, count in zip(terms, counts, strict=True)]
    if most and "..." not in result:
        refuse("einsum", "that sums over axes without letters")
    return spelled, _spelled(result, most)


def _spelled(term: str, count: int) -> str:
    """Return subscripts with digits for the axes that three dots stand for, of which the last is zero."""
    return term.replace("...", "".join(map(str, reversed(range(count)))))


@implements(np.einsum)
def einsum(*operands: Any, out: Any = None, optimize: Any = False, **refused: Any) -> Any:
    """Stand for `numpy.einsum`."""
    if len(operands) < 2 or out is not None or refused or not isinstance(optimize, (bool, str)):
        refuse("einsum", "without operands, or with out=, dtype=, order= or casting=")
    subscripts, arrays = _as_text(operands)
    terms, result = _letters(subscripts, [array.ndim for array in arrays])
    sizes: dict[str, DimLike] = {}
    for term, array in zip(terms, arrays, strict=True):
        own: dict[str, DimLike] = {}
        for letter, dim in zip(term, array.dims, strict=True):
            # Axes of one operand are not broadcast over each other.
            recorder().assume_equal(own.setdefault(letter, dim), dim)
            if sizes.setdefault(letter, dim) == 1:
                sizes[letter] = dim
            elif dim != 1:
                recorder().assume_equal(sizes[letter], dim)
    if any(letter not in sizes for letter in result) or len(set(result)) < len(result):
        refuse("einsum", "with an axis of the result that no operand has, or that it has twice")
    if len(arrays) == 1 and len(result) == len(set(terms[0])):
        return _shown(arrays[0], terms[0], result)
    dtype = np.result_type(*(array.dtype for array in arrays))
    layouts = tuple((term, array.type.order) for term, array in zip(terms, arrays, strict=True))
    known = tuple((letter, dim if isinstance(dim, int) else None) for letter, dim in sizes.items())
    order, number = _kind_of_einsum(subscripts, dtype, layouts, known, optimize)
    part = Part(tuple(sizes[letter] for letter in result), dtype, order, number=number)
    return called_once("einsum", arrays, part, leading=subscripts, optimize=optimize)


@functools.cache
def _kind_of_einsum(
    subscripts: str,
    dtype: DType,
    layouts: tuple[tuple[str, tuple[int, ...] | None], ...],
    sizes: tuple[tuple[str, int | None], ...],
    optimize: bool | str,
) -> tuple[tuple[int, ...] | None, bool]:
    """Return the order in memory of what `numpy.einsum` gives, as it has it for small arrays: of so many elements along the axes, where that is known.

    And whether what has no axes is a number: where the last product is one of matrices, it is an array.
    """
    small = {letter: min(size, 3) if size is not None else 2 for letter, size in sizes}
    arrays = [laid_out([small[letter] for letter in term], dtype, order) for term, order in layouts]
    for array in arrays:
        array[...] = 1
    found = np.einsum(subscripts, *arrays, optimize=optimize)
    order = tuple(sorted(range(found.ndim), key=lambda axis: (-found.strides[axis], axis)))
    return None if order == tuple(range(found.ndim)) else order, not isinstance(found, np.ndarray)


def _shown(array: SymbolicArray, term: str, result: str) -> SymbolicArray:
    """Return the view of an array whose axes are those of the result, along the diagonals of axes with one letter."""
    letters = list(term)
    for letter in set(term):
        while letters.count(letter) > 1:
            first = letters.index(letter)
            second = letters.index(letter, first + 1)
            array = array.through(array.whole().diagonal(first, second, 0, array.dims[first]))
            letters = [c for place, c in enumerate(letters) if place not in (first, second)] + [letter]
    return transposed(array, [letters.index(letter) for letter in result])


def _paired(axes: Any, left: SymbolicArray, right: SymbolicArray) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the axes that are summed over, of both operands, as `axes=` names them."""
    if not isinstance(axes, (tuple, list)):
        count = known_integer(axes)
        return tuple(range(left.ndim - count, left.ndim)), tuple(range(count))
    sides = [
        tuple(map(known_integer, side)) if isinstance(side, (tuple, list)) else (known_integer(side),)
        for side in axes
    ]
    if len(sides) != 2 or len(sides[0]) != len(sides[1]):
        raise ValueError("shape-mismatch for sum")
    one, other = (
        tuple(normal_axis(axis, array.ndim) for axis in side)
        for side, array in zip(sides, (left, right), strict=True)
    )
    return one, other


@implements(np.tensordot, np.linalg.tensordot)
def tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    """Stand for `numpy.tensordot`."""
    left, right = as_array(a), as_array(b)
    one, other = _paired(axes, left, right)
    if any(place < 0 for place in one) or len(other) > right.ndim:
        refuse("tensordot", "over more axes than there are")
    if len(set(one)) < len(one) or len(set(other)) < len(other):
        raise recorder().unsure(ValueError("duplicate axes are not allowed in tensordot"))
    for first, second in zip(one, other, strict=True):
        recorder().assume_equal(left.dims[first], right.dims[second])
    kept = [
        dim
        for array, gone in ((left, one), (right, other))
        for axis, dim in enumerate(array.dims)
        if axis not in gone
    ]
    rows, columns = _as_matrix(left, one, False), _as_matrix(right, other, True)
    if rows is not None and columns is not None:
        return reshaped(FUNCTIONS[np.dot](rows, columns), tuple(kept))
    dtype = np.result_type(left.dtype, right.dtype)
    part = Part(tuple(kept), dtype, number=False)
    return called_once("tensordot", [left, right], part, axes=(one, other))


def _as_matrix(array: SymbolicArray, axes: tuple[int, ...], first: bool) -> SymbolicArray | None:
    """Return an array as a matrix, with the axes that are summed over as rows if they come `first`, else as columns; None where run time decides how it lies."""
    kept = tuple(axis for axis in range(array.ndim) if axis not in axes)
    parts = (axes, kept) if first else (kept, axes)
    dims = tuple(recorder().normal(product(tuple(array.dims[axis] for axis in part))) for part in parts)
    found = view_or_copy(transposed(array, [*parts[0], *parts[1]]), dims)
    return None if found is None or found.copied else found


@implements(np.kron)
def kron(a: Any, b: Any) -> Any:
    """Stand for `numpy.kron`."""
    left, right = as_array(a), as_array(b)
    if not left.ndim or not right.ndim:
        return apply("multiply", left, right)
    rank = max(left.ndim, right.ndim)
    sides = [(*(1,) * (rank - array.ndim), *array.dims) for array in (left, right)]
    dims = tuple(recorder().normal(one * other) for one, other in zip(*sides, strict=True))
    # Every element of one beside all of the other: each has an axis where the other has one.
    spread = [expand_dims(array, tuple(range(rank - array.ndim))) for array in (left, right)]
    one = expand_dims(spread[0], tuple(range(1, 2 * rank, 2)))
    other = expand_dims(spread[1], tuple(range(0, 2 * rank, 2)))
    product = apply("multiply", one, other)
    return reshaped(product, dims)


# The axes of what these ufuncs take at the end of their operands, and what is left of them: letters of dims.
_CORES = {"vecdot": ("k", "k", ""), "matvec": ("mk", "k", "m"), "vecmat": ("k", "kn", "n")}


def _declare(name: str, function: Any) -> None:
    first, second, result = _CORES[name]

    def implementation(
        x1: Any, x2: Any, /, out: Any = None, *, dtype: Any = None, casting: Any = "same_kind", **refused: Any
    ) -> Any:
        arrays = [as_array(x1), as_array(x2)]
        if name == "vecdot" and all(array.ndim for array in arrays):
            along = refused.pop("axis", -1)
            arrays = [moveaxis(array, normal_axis(along, array.ndim), -1) for array in arrays]
        if refused or any(
            array.ndim < len(core) for array, core in zip(arrays, (first, second), strict=True)
        ):
            refuse(name, "with these arguments")
        sizes: dict[str, DimLike] = {}
        batches = []
        for array, core in zip(arrays, (first, second), strict=True):
            lead = array.ndim - len(core)
            batches.append(array.dims[:lead])
            for letter, dim in zip(core, array.dims[lead:], strict=True):
                recorder().assume_equal(sizes.setdefault(letter, dim), dim)
        dims = (*agree(batches, broadcast_error), *(sizes[letter] for letter in result))
        ufunc = getattr(np, name)
        asked = None if dtype is None else as_dtype(dtype)
        loop = ufunc.resolve_dtypes(
            (arrays[0].dtype, arrays[1].dtype, None), signature=(None, None, asked), casting=casting
        )
        known: dict[str, Any] = {} if asked is None else {"dtype": asked, "casting": casting}
        found = called_once(name, arrays, Part(dims, loop[-1]), **known)
        return found if out is None else stored(name, out, found)

    implements(function)(implementation)


for _name in _CORES:
    if hasattr(np, _name):
        _declare(_name, getattr(np, _name))


def product_of_many(function: str, left: SymbolicArray, right: SymbolicArray) -> Any:
    """Return what `numpy.dot` or `numpy.inner` gives of arrays of any number of axes, or of a number and an array."""
    dtype = np.result_type(left.dtype, right.dtype)
    if not left.ndim or not right.ndim:
        return called_once(function, [left, right], Part(left.dims or right.dims, dtype))
    inner = -1 if function == "inner" or right.ndim == 1 else -2
    recorder().assume_equal(left.dims[-1], right.dims[inner])
    place = right.ndim + inner
    dims = (*left.dims[:-1], *right.dims[:place], *right.dims[place + 1 :])
    return called_once(function, [left, right], Part(dims, dtype))
