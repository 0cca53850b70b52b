"""Writes into arrays that are read at the same time."""

import numpy as np
import pytest

import transpile
from transpile.runtime.errors import DeviceError


@pytest.mark.parametrize("turned", [0, 1])
def test_an_array_that_is_turned_in_a_branch_is_seen_after_it(scheduled, turned):
    def function(x, turned):
        if turned > 0:
            x[::-1] = x

    scheduled(function, np.arange(7.0), turned)


@pytest.mark.parametrize("picked", [0, 1])
def test_an_array_that_is_picked_from_itself_in_a_branch_is_seen_after_it(scheduled, picked):
    def function(x, places, picked):
        if picked > 0:
            x[places] = x[places[::-1]]
        return x.copy()

    scheduled(function, np.arange(7.0), np.array([3, 1, 5]), picked)


def test_an_array_that_is_turned_in_a_loop_is_turned_each_time(scheduled):
    def function(x, turns):
        for _ in range(turns):
            x[::-1] = x

    for turns in (0, 1, 2):
        scheduled(function, np.arange(7.0), turns)


def test_what_is_read_through_other_dims_is_read_first(scheduled):
    def function(x):
        a = x.reshape(3, 4)
        x += a.reshape(12)[::-1]

    scheduled(function, np.arange(12.0))


def test_lines_that_cross_are_left_to_numpy():
    def column(a, k):
        a[:, 2] = a[k]

    def every_other(x):
        x[:6:2] = x[:3]

    for function, arguments in ((column, (np.arange(16).reshape(4, 4), 2)), (every_other, (np.arange(9),))):
        with pytest.raises(DeviceError, match="D120"):
            transpile.convert(function, strict=True)(*arguments)


def test_lines_of_one_step_or_of_opposite_steps_are_copied_first(scheduled):
    def function(x, k):
        x[k:] = x[: len(x) - k]
        x[::2] = x[4::-1]
        x[:3] = x[6:]

    scheduled(function, np.arange(9), 1)


def test_places_that_count_as_often_as_they_come_are_not_stored(scheduled):
    def function(x, places):
        np.add.at(x, places, 2.0)

    assert scheduled(function, np.zeros(5), np.array([0, -1, 3, -5, 0])).made == 0
