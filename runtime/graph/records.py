"""Dtypes of records: their fields, and how these lie in memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from .types import DType

# The names that lead to a field, of one in another from the outermost on.
Names = tuple[str, ...]


def fields_of(dtype: np.dtype[Any]) -> Mapping[str, tuple[Any, ...]]:
    """Return the fields of a dtype by their names: the dtype of each, its offset and, if it has one, its title."""
    known: Mapping[str, tuple[Any, ...]] = dtype.fields or {}
    return {name: known[name] for name in dtype.names or ()}


def leaves_of(dtype: np.dtype[Any]) -> Iterator[tuple[Names, DType]]:
    """Yield the fields of a dtype that are no records, each with the names that lead to it, and fields in fields."""
    for found, field, _ in offsets_of(dtype):
        yield found, field


def offsets_of(dtype: np.dtype[Any], names: Names = (), start: int = 0) -> Iterator[tuple[Names, DType, int]]:
    """Yield the fields of a dtype that are no records, and fields in fields, each with its names and where it begins."""
    for name, (field, offset, *_) in fields_of(dtype).items():
        if field.base.names is None:
            yield (*names, name), field, start + offset
        else:
            yield from offsets_of(field.base, (*names, name), start + offset)


def layout_of(dtype: np.dtype[Any]) -> tuple[Any, ...]:
    """Return what tells dtypes of records apart: two that NumPy holds to be equal may have fields of other types."""
    # On which something is noted, each is another one.
    noted = None if dtype.metadata is None else id(dtype.metadata)
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return shape, layout_of(base)
    if dtype.names is None:
        return dtype.str, dtype.num, noted
    parts = tuple((name, layout_of(field), *rest) for name, (field, *rest) in fields_of(dtype).items())
    return parts, dtype.itemsize, dtype.isalignedstruct, dtype.type, noted


def overlap(dtype: np.dtype[Any]) -> bool:
    """Whether fields of a dtype share memory."""
    end = 0
    for field, offset, *_ in sorted(fields_of(dtype).values(), key=lambda field: field[1]):
        if offset < end or overlap(field.base):
            return True
        end = offset + field.itemsize
    return False
