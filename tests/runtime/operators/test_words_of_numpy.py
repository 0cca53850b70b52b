"""What functions of NumPy's raise is handled with the type and in the words that it has in NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import transpile


def joined(x, y):
    return np.concatenate(x, y)


def combined(x, y):
    return np.bitwise_and(x, 1.5, y)


def found(x, y):
    return np.nonzero(x)


def appended(x, y):
    return np.append(x, y, "")


def compressed(x, y):
    return np.compress(x, None, y)


def turned(x, y):
    return np.angle(x, y), np.arctan2(1j, y)


def summed(x, y):
    return x.sum(axis=7) + y


def dtypes(x, y):
    return np.can_cast(x, "f8"), np.promote_types(x, "f8")


def limits(x, y):
    return np.finfo(x) if x.dtype.kind == "f" else np.iinfo(x)


def orders(x, y):
    return np.asarray(1, order=x)


def ordered_copies(x, y):
    return np.copy(y, order=np.float32(x.sum()))


def options(x, y):
    return np.shares_memory(x, y, max_work=2.5)


def copied_by_text(x, y):
    return np.nan_to_num(x, copy="no")


def empty_of_a_dtype(x, y):
    return np.asarray([], y)


def ranges(x, y):
    return np.arange(None, y), np.arange(stop=y)


def known_ranges(x, y):
    return np.arange(stop=5), np.arange(5, None), np.arange(None, 5)


def parts_into_one(x, y):
    return np.modf(2.5, np.zeros(3))


def digits_of_numbers(x, y):
    return np.format_float_positional(x.sum(), -y), np.format_float_scientific(x.sum(), y)


def numbers_for_sequences(x, y):
    return np.poly(seq_of_zeros=x.sum())


def numbers_to_join(x, y):
    return np.vstack(y), np.poly(y)


CALLS = (numbers_for_sequences, numbers_to_join, empty_of_a_dtype, ranges, known_ranges, parts_into_one, digits_of_numbers, dtypes, limits, orders, ordered_copies, options, copied_by_text, joined, combined, found, appended, compressed, turned, summed)  # fmt: skip
GIVEN = (np.array(2.5), np.array(True), np.arange(3), np.float32(2.0), np.ones((2, 3)))


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
@pytest.mark.parametrize("function", CALLS)
def test_handlers_see_what_numpy_raises(function: Callable[..., Any]) -> None:
    def handled(x: Any, y: Any) -> Any:
        try:
            return function(x, y)
        except Exception as error:
            return type(error), str(error)

    converted = transpile.convert(handled, device="host")
    for x in GIVEN:
        for y in (1, np.arange(3)):
            assert repr(converted(x, y)) == repr(handled(x, y))
