"""What a kernel has to leave as it was where the original may take over."""

import math

import numpy as np

X = np.linspace(1.0, 2.0, 12)


def test_what_is_written_before_the_kernel_may_be_left_is_saved(scheduled):
    def function(x, k):
        for i in range(len(x)):
            x[i] += k
            k = k * 3

    program = scheduled(function, X, 2).program
    assert len(program.saved) == 1 and not program.noted


def test_what_is_written_after_the_last_exit_is_not_saved(scheduled):
    def function(x, k):
        x[0] = k * k * k

    assert scheduled(function, X, 2).program.saved == []


def test_what_is_printed_before_the_kernel_may_be_left_is_noted(scheduled):
    def function(x, s):
        print("once")
        return x * math.sqrt(s)

    assert scheduled(function, X, 2.0).program.noted


def test_what_is_written_is_not_saved_for_errors_of_which_flags_or_numbers_tell_all(scheduled):
    def function(x, y):
        x += y

    def several(x, y):
        x *= y
        x += y

    def summed(x, y):
        x *= y
        x /= (x * y).sum()

    def multiplied(x, y):
        x *= y
        x /= (x * y).prod()

    def failing(x, k):
        x += x[k]
        return x[len(x) - k]

    assert scheduled(function, X, X).program.saved == []
    assert scheduled(several, X, X).program.saved == []
    assert scheduled(summed, X, X).program.saved == []
    assert len(scheduled(multiplied, X, X).program.saved) == 1
    assert scheduled(failing, X, 2).program.saved == []
