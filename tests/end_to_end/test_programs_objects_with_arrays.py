"""Programs that are handed lists of objects which hold arrays: written in place, replaced, both, and known otherwise, too."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import transpile
from transpile.runtime.errors import FallbackWarning

from .comparison import call, compare
from .programs import Program, Programs, check, name_of

programs = Programs()


class Boid:
    def __init__(self, number, size=2):
        generator = np.random.default_rng(number)
        self.pos, self.vel, self.acc = generator.random(size) * 4, generator.normal(size=size), np.zeros(size)
        self.mass, self.near = 1.0 + number % 3, 0

    def update(self, dt):
        self.vel += self.acc * dt
        self.pos += self.vel * dt
        self.acc *= 0

    def limit(self, most):
        speed = np.sqrt(self.vel[0] ** 2 + self.vel[1] ** 2)
        if speed > most:
            self.vel = self.vel / speed * most


class Flock:
    def __init__(self, count):
        self.boids, self.turn = boids(count), 0

    def step(self, dt):
        for one in self.boids:
            for other in self.boids:
                if one is not other:
                    way = other.pos - one.pos
                    apart = np.sqrt(way[0] ** 2 + way[1] ** 2)
                    if apart < 1.0:
                        one.acc += way / (apart + 0.1) * other.mass
                        one.near += 1
        for one in self.boids:
            one.update(dt)
            one.limit(1.0)
        self.turn += 1


class Cell:
    def __init__(self, number):
        self.grid, self.counts, self.on = (
            np.arange(6.0).reshape(2, 3) + number,
            np.arange(3) + number,
            np.array([True, number % 2 == 0]),
        )


class Both:
    """Holds one array under two names."""

    def __init__(self, number):
        self.a = self.b = np.full(2, number * 1.0)
        self.number = number


def boids(count, size=2):
    return [Boid(number, size) for number in range(count)]


class Known:
    """Knows arrays, which the functions do not ask for: what they hold afterwards is compared."""

    def __init__(self, arrays):
        self.arrays = arrays


def known(count):
    """Return boids, and what knows the arrays that they hold."""
    many = boids(count)
    return many, Known([array for one in many for array in (one.pos, one.vel, one.acc)])


def some_twice(count):
    many = boids(count)
    many[3] = many[5] = many[7]
    return many


def one_array_twice(count):
    many = boids(count)
    many[3].pos = many[5].pos
    return many


def one_array_in_two_attributes(count):
    many = boids(count)
    many[3].vel = many[5].pos
    return many


def views(count):
    many, whole = boids(count), np.arange(2.0 * count).reshape(count, 2)
    for one, row in zip(many, whole):
        one.pos = row
    return many, Known(whole)


def read_only(count):
    many = boids(count)
    many[4].pos.flags.writeable = False
    return many


def of_other_sizes(count):
    many = boids(count)
    many[4] = Boid(4, 3)
    return many


def of_another_dtype(count):
    many = boids(count)
    many[4].vel = many[4].vel.astype(np.float32)
    return many


MANY = (lambda: known(17), lambda: known(18), lambda: (some_twice(17), None), lambda: known(1))
SHARED = (
    lambda: (one_array_twice(17), None),
    lambda: (one_array_in_two_attributes(17), None),
    lambda: views(17),
    lambda: (read_only(17), None),
    lambda: (of_other_sizes(17), None),
    lambda: (of_another_dtype(17), None),
)


@programs(lambda: (Flock(17), 3), lambda: (Flock(18), 1), lambda: (Flock(2), 3))
def a_flock(flock, turns):
    for _ in range(turns):
        flock.step(0.1)


@programs(*MANY)
def written_in_place(many, arrays):
    for one in many:
        one.pos += one.vel * 0.1
        one.vel[0] = one.pos[1]
        np.multiply(one.acc, 2.0, out=one.acc)


@programs(*MANY)
def replaced(many, arrays):
    for one in many:
        one.vel = one.vel + 1.0
        if one.mass > 2:
            one.pos = one.pos - one.vel


@programs(*MANY)
def written_and_replaced(many, arrays):
    for one in many:
        one.vel += one.pos
        if one.vel[0] > 1.0:
            one.vel = one.vel * 0.5
            one.vel -= 1.0
        if one.mass > 2:
            one.vel = one.vel + one.acc
        one.vel[1] += 5.0


@programs(*MANY)
def some_turns_of_both(many, arrays):
    for turn in range(3):
        for one in many:
            if (one.mass + turn) % 2 > 0.5:
                one.pos = one.pos * 2.0
            one.pos += 1.0
    return len(many)


@programs(lambda: ([Cell(number) for number in range(17)],))
def several_dtypes_and_axes(cells):
    for cell in cells:
        cell.grid[1] += cell.counts
        if cell.on[1]:
            cell.grid = cell.grid * 2.0
        cell.counts *= 3
        cell.on = ~cell.on
    return sum(cell.grid.sum() for cell in cells)


@programs(*MANY)
def places_of_run_time(many, arrays):
    for number in range(50):
        one = many[number * 7 % len(many)]
        one.pos += many[number % len(many)].vel


@programs(*MANY)
def arrays_of_all(many, arrays):
    places = np.array([one.pos for one in many])
    centre = places.mean(axis=0)
    for one in many:
        one.vel += (centre - one.pos) * 0.01
    return places, centre


@programs(*MANY)
def arrays_of_all_that_are_written_afterwards(many, arrays):
    places = np.array([one.pos for one in many])
    for one, place in zip(many, places):
        one.pos += place
    return np.stack([one.pos for one in many]), places


@programs(*MANY)
def a_list_of_them_that_are_written_afterwards(many, arrays):
    places = [one.pos for one in many]
    for one in many:
        one.pos += 1.0
    return sum(place[0] for place in places)


@programs(*MANY)
def a_list_of_them_that_is_read_while_they_are_written(many, arrays):
    places = [one.pos for one in many]
    for one in many:
        one.pos += places[0]


@programs(*MANY)
def a_list_of_what_is_written_as_it_is_made(many, arrays):
    def moved(one):
        one.pos += 1.0
        return one.pos

    return np.array([moved(one) for one in many])


@programs(*MANY)
def a_list_of_them_from_the_turn_before(many, arrays):
    places, total = [one.pos for one in many], 0.0
    for _ in range(3):
        for one in many:
            one.pos += 1.0
        total += places[0][0]
        places = [one.pos for one in many]
    return total


@programs(*MANY)
def a_list_of_them_is_returned(many, arrays):
    return [one.pos for one in many]


@programs(lambda: (boids(17), []), lambda: (boids(18), []), gaps="S214-listed")
def they_are_appended_to_the_callers_list(many, found):
    for one in many:
        if one.pos[0] > 1.0:
            found.append(one.pos)
    many[0].vel += 1.0


@programs(*MANY)
def one_is_returned(many, arrays):
    many[0].vel += 1.0
    return many[-1].pos


@programs(*MANY, gaps="S163-items")
def one_leaves_the_loop(many, arrays):
    best, least = many[0].pos, 100.0
    for one in many:
        if one.pos[0] < least:
            best, least = one.pos, one.pos[0]
    best += 1.0
    return best


@programs(*MANY)
def one_is_stored_elsewhere(many, arrays):
    for one, other in zip(many, many[1:]):
        one.vel = other.vel
    for one in many:
        one.acc = one.pos
    return many[0].acc is many[0].pos


def with_its_arrays(count):
    many = boids(count)
    return many, [many[2].pos, many[3].vel]


@programs(lambda: with_its_arrays(17), lambda: (boids(17), [np.zeros(2), np.ones(2)]))
def one_is_handed_in_otherwise(many, arrays):
    total = 0.0
    for one in many:
        one.pos += 1.0
        total += arrays[0][0]
    return total


def with_a_view(count):
    many = boids(count)
    return many, [many[2].pos[:1]]


@programs(lambda: with_a_view(17), lambda: (boids(17), [np.zeros(1)]), gaps="S203-overlap")
def a_view_of_one_is_handed_in(many, arrays):
    total = 0.0
    for one in many:
        one.pos += 1.0
        total += arrays[0][0]
        arrays[0][0] += 1.0
    return total


@programs(lambda: (boids(17), np.ones(2)))
def the_callers_array_is_stored(many, array):
    for one in many:
        one.pos = array
    return many[0].pos is array


@programs(lambda: ([Both(number) for number in range(17)],))
def one_array_under_two_names(many):
    for one in many:
        one.number += 1
        one.a += 1.0
    return sum(one.b[0] for one in many)


@programs(*MANY)
def others_come(many, arrays):
    for number in range(len(many)):
        if number % 2:
            many[number] = Boid(7)
            many[number].pos += 1.0
    for one in many:
        one.vel += 1.0
        one.acc = one.vel * 2.0


@programs(*MANY)
def it_fails_in_the_middle(many, arrays):
    for number, one in enumerate(many):
        one.pos += 1.0
        one.vel = one.vel * 2.0
        if number == 12:
            raise KeyError(one.mass)


@programs(*MANY)
def it_prints(many, arrays):
    for one in many:
        one.pos += 1.0
        if one.pos[0] > 4.0:
            print(one.pos[0], one.mass)
    return many


@programs(*MANY)
def it_divides_by_zero(many, arrays):
    for one in many:
        one.pos /= one.acc


@programs(*MANY)
def what_an_array_is_asked_for(many, arrays):
    one, other = many[len(many) // 2], many[0]
    one.pos += 1.0
    return one.pos.base is None, one.pos.flags.owndata, np.shares_memory(one.pos, other.pos), one.pos.strides


@programs(*MANY)
def whether_two_are_one(many, arrays):
    return [one.pos is other.pos for one in many[:3] for other in many[:3]]


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("program", list(programs), ids=name_of)
def test_programs_do_what_they_did(program: Program, device: str) -> None:
    check(program, device)


@pytest.mark.parametrize(
    "function", [written_in_place, replaced, written_and_replaced, arrays_of_all_that_are_written_afterwards]
)
def test_arrays_that_lie_otherwise_are_followed_one_by_one(function) -> None:
    converted = transpile.convert(function, device="host")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        for make in SHARED:
            compare(
                call(lambda make=make: (function(*(given := make())), given), ()),
                call(lambda make=make: (converted(*(given := make())), given), ()),
            )


def moved(many, field):
    for one in many:
        one.pos += one.vel * 0.1 + field
        one.vel = one.vel * 0.5
    return len(many)


def test_what_becomes_of_arrays_between_calls_is_noticed() -> None:
    def keeps(make):
        many, field = make()
        return many, field

    def one_is_the_field():
        many = boids(17)
        return many, many[3].pos

    def one_is_seen_by_the_field():
        many = boids(17)
        many[3].pos = np.arange(4.0)[:2].copy()
        return many, many[3].pos[::-1]

    def one_lies_in_the_fields_bytes():
        many = boids(17)
        return many, np.frombuffer(memoryview(many[3].pos), np.float64)

    makers = [
        lambda: (boids(17), np.ones(2)),
        lambda: (boids(18), np.ones(2)),
        lambda: (one_array_twice(17), np.ones(2)),
        lambda: (views(17)[0], np.ones(2)),
        lambda: (read_only(17), np.ones(2)),
        lambda: (of_other_sizes(17), np.ones(2)),
        lambda: (of_another_dtype(17), np.ones(2)),
        lambda: (boids(17, 3), np.ones(3)),
        lambda: (boids(17, 1), np.ones(1)),
        one_is_the_field,
        one_is_seen_by_the_field,
        one_lies_in_the_fields_bytes,
        lambda: (boids(17), np.ones(2)),
    ]
    converted = transpile.convert(moved)
    for make in makers:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FallbackWarning)
            compare(
                call(lambda make=make: (moved(*(given := make())), given), ()),
                call(lambda make=make: (converted(*(given := make())), given), ()),
            )


def test_arrays_stay_the_ones_that_they_were() -> None:
    converted = transpile.convert(moved, strict=True)
    many, _ = known(17)
    before = [(one.pos, one.vel) for one in many]
    was = [one.vel.copy() for one in many]
    converted(many, np.zeros(2))
    for one, (pos, vel), old in zip(many, before, was, strict=True):
        assert one.pos is pos
        assert one.vel is not vel
        assert one.vel.flags.owndata
        np.testing.assert_array_equal(vel, old)
        np.testing.assert_array_equal(one.vel, old * 0.5)


def test_one_trace_serves_other_lengths_and_sizes() -> None:
    converted = transpile.convert(moved, strict=True)
    for count, size in ((20, 2), (30, 3), (40, 2), (5, 4)):
        converted(boids(count, size), np.zeros(size))
    assert len(converted.calls.entries) == 1
