"""What branches and loops leave in memory: an array that is written in them stays where it is."""

import numpy as np
import pytest

from transpile import convert

from ...end_to_end.comparison import call, compare


def filled_in_a_branch(x, n):
    out = np.zeros(n)
    if x[0] > 0:
        for i in range(1, n):
            out[i] = out[i - 1] + x[0]
    return out


def filled_in_branches_and_loops(x, n):
    out = np.ones(n)
    for k in range(3):
        if x[k] > 0:
            for i in range(1, n):
                if x[i] < k:
                    out[i] += out[i - 1]
        else:
            k = 0
            while k < n:
                out[k] -= 1
                k += 2
    return out


def another_in_a_branch(x, n):
    out = np.zeros(n)
    if x[0] > 0:
        for i in range(n):
            out[i] = i
    else:
        out = np.ones(n)
        for i in range(n):
            out[i] -= x[i]
    return out


def kept_from_before_the_branch(x, n):
    out = np.zeros(n)
    before = out.copy()
    if x[0] > 0:
        before, out = out, before
        for i in range(n):
            out[i] = i
    return out - before * 2


X = np.array([1.0, -2.0, 3.0, 0.5])


@pytest.mark.parametrize("function", [filled_in_a_branch, filled_in_branches_and_loops])
def test_an_array_that_is_filled_in_a_branch_is_the_result(function):
    text = convert(function, strict=True).kernels(X, 4)
    assert "wrap(" not in text
    assert text.count("[i] = 0.0") + text.count("[i] = 1.0") == 1


@pytest.mark.parametrize(
    "function",
    [
        filled_in_a_branch,
        filled_in_branches_and_loops,
        another_in_a_branch,
        kept_from_before_the_branch,
    ],
)
@pytest.mark.parametrize("x", [X, -X])
def test_the_elements_are_those_of_the_way_taken(function, x):
    compare(call(function, (x, 4)), call(convert(function, strict=True), (x, 4)))
