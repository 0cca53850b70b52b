"""NumPy's record arrays, and records in them, whose fields are attributes, too."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.graph.records import fields_of

from .records import RecordArray, RecordScalar


class RecArray(RecordArray):
    """A record array, `numpy.recarray`."""

    __slots__ = ()
    stands_for = np.recarray
    has_attributes = True


class RecScalar(RecordScalar):
    """A record in one, `numpy.record`."""

    __slots__ = ()
    stands_for = np.record
    has_attributes = True


for _kind in (RecArray, RecScalar):
    _kind.array_class, _kind.scalar_class = RecArray, RecScalar


def hides(dtype: np.dtype[Any]) -> bool:
    """Whether a field would be taken for what the classes here have under its name."""
    names = fields_of(dtype)
    own = any(hasattr(RecScalar, name) and not hasattr(np.record, name) for name in names)
    return own or any(hides(field.base) for field, *_ in names.values())
