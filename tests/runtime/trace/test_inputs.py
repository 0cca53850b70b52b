"""Numbers and arrays that are handed in become inputs of a graph."""

import numpy as np
import pytest

import transpile


def shift(arrays):
    for k in range(1, len(arrays)):
        arrays[k] += arrays[k - 1]
    return arrays[-1]


@pytest.mark.parametrize("count", [2, 3, 5, 6, 9])
def test_one_array_handed_in_twice_is_no_case_of_different_ones(count: int) -> None:
    converted = transpile.convert(shift, strict=False, device="host")
    for again in range(2):
        arrays = [np.arange(3.0) + k for k in range(count)]
        assert (converted([x.copy() for x in arrays]) == shift([x.copy() for x in arrays])).all(), again
    one = np.arange(3.0)
    other = one.copy()
    got, expected = [one] * count, [other] * count
    assert (converted(got) == shift(expected)).all()
    assert (one == other).all()


def looked_up(table, keys):
    total = 0.0
    for key in keys:
        total += table[int(key)].sum()
    return total


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
def test_what_holds_too_many_arrays_is_left_to_plain_python() -> None:
    converted = transpile.convert(looked_up, device="host")
    table = {k: np.full(2 + k % 3, float(k)) for k in range(2100)}
    assert converted(table, np.array([1, 7])) == looked_up(table, np.array([1, 7]))
    assert "S317-handed" in converted.explain()
