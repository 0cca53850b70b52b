"""What is written and never read is not saved for the case that the original has to run a call anew."""

import warnings

import numpy as np
import pytest

import transpile


def stored(x, out):
    for k in range(len(x)):
        out[k] = 1.0 / x[k]
    return len(out)


def added(x, out):
    for k in range(len(x)):
        out[k] += 1.0 / x[k]


def looked_at(x, out):
    out[:] = 1.0 / x
    return (out * 2.0).prod()


def chosen(x, out):
    out[x > 0] = 1.0 / x[x > 0]


@pytest.mark.parametrize(
    ("function", "unread"), [(stored, True), (added, False), (looked_at, False), (chosen, True)]
)
def test_an_array_that_is_only_written_is_not_saved(scheduled, function, unread):
    program = scheduled(function, np.array([1.0, 2.0, 4.0]), np.zeros(3)).program
    assert bool(program.unread) == unread
    assert bool(program.saved) != unread


@pytest.mark.parametrize("function", [stored, added, looked_at, chosen])
@pytest.mark.parametrize("action", ["always", "error"])
def test_warnings_leave_what_numpy_leaves(function, action):
    x = np.array([1.0, 0.0, 4.0])
    seen = []
    for run in (function, transpile.convert(function, strict=True)):
        out = np.array([7.0, 8.0, 9.0])
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter(action)
            try:
                result = run(x, out)
            except RuntimeWarning as error:
                result = str(error)
        seen.append((result, out.tolist(), [str(one.message) for one in caught]))
    assert seen[0] == seen[1]


def test_an_error_leaves_what_was_written_before_it():
    def copied(x, out):
        for k in range(len(x)):
            out[k] = 1.0 / x[k]
            x[k + 1]

    for run in (copied, transpile.convert(copied, strict=True)):
        out = np.zeros(3)
        with pytest.raises(IndexError):
            run(np.array([1.0, 2.0, 4.0]), out)
        assert out.tolist() == [1.0, 0.5, 0.25]
