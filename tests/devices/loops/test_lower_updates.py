"""Writes into arrays that are read at the same time."""

import numpy as np
import pytest

import transpile
from transpile.devices.loops.statement import Allocate
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


def dims_made(schedule):
    return [len(s.buffer.dims) for s in schedule if isinstance(s, Allocate) and s.buffer.source == "local"]


def test_a_row_that_is_read_everywhere_is_kept_and_the_rest_is_written_in_place(scheduled):
    def function(x):
        x -= x[0]
        x[1:] *= x[-1]

    assert dims_made(scheduled(function, np.arange(1, 21).reshape(4, 5))) == [1, 1]


@pytest.mark.parametrize("shape", [(1, 1), (9, 1), (1, 9), (3, 4), (12, 9), (9, 12)])
def test_rows_and_columns_are_kept_where_rows_are_long(scheduled, shape):
    def function(x, k):
        x[:] = np.minimum(x, np.add.outer(x[:, k], x[k]))
        x *= x[:, :1]

    x = np.random.default_rng(1).random(shape)
    for order in "CF":
        scheduled(function, np.array(x, order=order), 0)


def test_what_is_kept_of_a_row_that_is_known_to_be_short_is_all_of_it(scheduled):
    def function(x):
        y = np.zeros((len(x), 3), np.int64)
        y[:] = x
        y *= y[:, :1]
        return y

    x = np.arange(12).reshape(4, 3)
    assert dims_made(scheduled(function, x)) == [2]


def test_one_element_that_is_read_everywhere_is_kept_in_a_variable(scheduled):
    def function(x):
        x[2:] += x[3:4]

    assert scheduled(function, np.arange(6)).made == 0


def test_planes_and_lines_of_three_axes_are_kept(scheduled):
    def function(x, k):
        x += x[:, k, None] * x[0, 1] - x[:, :, :1]

    scheduled(function, np.random.default_rng(1).random((3, 4, 9)), 2)


def test_rows_are_kept_each_time_a_loop_writes_over_them(scheduled):
    def function(x):
        for k in range(len(x)):
            if x[k, k] > 0:
                x |= np.outer(x[:, k], x[k])

    scheduled(function, np.random.default_rng(1).random((9, 9)) > 0.8)


def test_rows_that_places_of_run_time_pick_are_read_before_they_are_overwritten(scheduled):
    def function(x, places):
        x += x[places] - x[0]

    scheduled(function, np.arange(12.0).reshape(4, 3), np.array([3, 0, 1, 2]))
