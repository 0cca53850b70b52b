"""What a call gives is kept only where it is of the pattern that was found while tracing."""

from typing import Any

import numpy as np
import pytest

from transpile.runtime.ops.kept import ArrayPart, SequenceParts, parts_of

FLOATS = ArrayPart(np.dtype(float), 1, None)
SPREAD = ArrayPart(np.dtype(float), 1, None, gaps=True)
X = np.zeros(6)
ROWS = np.zeros((3, 2))


@pytest.mark.parametrize(
    ("part", "given", "is_kept"),
    [
        (FLOATS, (X[:3], X[3:]), True),
        (FLOATS, (X, X), False),
        (FLOATS, (X[:4], X[2:]), False),
        (SPREAD, (ROWS[:, 0], ROWS[:, 1]), True),
        (SPREAD, (ROWS[:, 0], ROWS[1:, 0]), False),
        (FLOATS, (X, X.astype(int)), False),
    ],
)
def test_arrays_that_share_elements_are_not_kept(
    part: ArrayPart, given: tuple[Any, ...], is_kept: bool
) -> None:
    found = parts_of(SequenceParts(tuple, (part, part)), given, ())
    assert (found is not None) == is_kept


def test_what_shares_memory_with_an_operand_is_not_kept() -> None:
    assert parts_of(FLOATS, X[:3], (X,)) is None
    assert parts_of(FLOATS, X[:3], (ROWS, 1)) is not None
