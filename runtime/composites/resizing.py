"""`array.resize`, in place, of arrays of which the function knows who else can see their memory."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, dim_scalar, size
from transpile.runtime.arrays.functions import FUNCTIONS, implements
from transpile.runtime.arrays.indexing import as_dim
from transpile.runtime.arrays.operand import Operand
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.graph.dim import product

from .layout import is_packed
from .owners import owns_memory
from .reshaping import ravel, reshaped


@implements(method="resize")
def resize(array: Any, *new_shape: Any, refcheck: Any = True) -> None:
    """Stand for `ndarray.resize`, of an array that the function has made.

    How many references there are to an array decides without `refcheck=False`: only Python itself counts them.
    """
    if not isinstance(array, SymbolicArray) or array.storage.input is not None:
        _refuse("the caller's own array, or a number, is resized in place")
    if is_packed(array) is not True or array.type.order is not None:
        _refuse("an array is resized in place of which it is not known that it lies in C order without gaps")
    shape = new_shape[0] if len(new_shape) == 1 else new_shape
    if shape is None or shape == ():
        _refuse("an array is resized to no shape")
    dims = tuple(map(as_dim, shape if isinstance(shape, (tuple, list)) else (shape,)))
    if not all(recorder().assume_nonnegative(dim) for dim in dims):
        _refuse("an array is resized to a shape that may be negative")
    if owns_memory(array) is not True:
        raise ValueError("cannot resize this array: it does not own its data")
    if refcheck is not False and refcheck != 0:
        _refuse("how many references there are to an array decides whether it can be resized")
    if array.region is not recorder().frame or Operand.is_live(array.storage, but=array):
        _refuse("an array is resized in place, in a branch or loop, or while a view of it can be seen")
    _replace(array, dims)


def _replace(array: SymbolicArray, dims: tuple[Any, ...]) -> None:
    """Give an array other memory, with the elements that fit, and zeros."""
    record = recorder()
    before, total = size(array), record.normal(product(dims))
    sign = record.expect_sign(record.normal(total - before))
    if sign is None:
        _refuse("an array is resized to more or fewer elements, as run time decides")
    made: Any = FUNCTIONS[np.zeros](dim_scalar(total), array.dtype)
    kept = total if sign < 0 else before
    target = made.through(made.whole().slice(0, 0, kept, 1))
    line = ravel(array)
    target.write(line.through(line.whole().slice(0, 0, kept, 1)).read())
    array.storage, array.chain = made.storage, reshaped(made, dims, in_place=True).chain
    made.storage.owner, made.storage.owned = array, True


def _refuse(what: str) -> NoReturn:
    recorder().unstageable("S170-method", what)
