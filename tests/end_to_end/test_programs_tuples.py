"""Programs with tuples whose length run time gives."""

from __future__ import annotations

import numpy as np
import pytest

from .programs import Program, Programs, check, name_of

programs = Programs()


def vector(*numbers):
    return lambda: (np.array(numbers, float),)


NUMBERS = (vector(1, 5, 3, 8), vector(0, 1), vector(9))


def large(x):
    found = []
    for v in x:
        if v > 2:
            found.append(float(v))
    return found


class Kept:
    def __init__(self, x):
        self.found = tuple(large(x))

    def total(self):
        return sum(self.found)


@programs(*NUMBERS)
def returned(x):
    return tuple(large(x)), tuple(np.nonzero(x > 2)[0].tolist())


@programs(*NUMBERS)
def asked(x):
    found = tuple(large(x))
    weighted = 0.0
    for place, v in enumerate(found):
        weighted += place * v
    return len(found), sum(found), sorted(found), 5.0 in found, found[1:], list(found), weighted


@programs(*NUMBERS)
def first_and_last(x):
    found = tuple(large(x))
    try:
        return found[0], found[-1]
    except IndexError as error:
        return str(error)


@programs(*NUMBERS)
def kinds_of_tuples(x):
    found = tuple(large(x))
    return isinstance(found, tuple), isinstance(found, list), type(found) is tuple


@programs(*NUMBERS)
def lists_change_and_tuples_do_not(x):
    things = large(x)
    found = tuple(things)
    things.append(7.0)
    things[0] = -1.0
    return things, found


@programs(*NUMBERS)
def one_tuple_stays_one(x):
    found = tuple(large(x))
    other = tuple(found)
    return found, other, found is other, {"found": found}


@programs(*NUMBERS)
def held_by_an_object(x):
    kept = Kept(x)
    return kept.found, kept.total()


@programs(*NUMBERS)
def out_of_a_loop(x):
    path = []
    place = 0
    while True:
        path.append(place)
        place += 1
        if place == len(x) or x[place] > 6:
            return tuple(path)


@programs(*NUMBERS)
def of_one_way(x):
    found = ()
    if x[0] > 0:
        found = tuple(large(x))
    return found


@programs(*NUMBERS, gaps="S130-value")
def compared(x):
    found = tuple(large(x))
    return found == (5.0, 3.0, 8.0), found + (1,), hash(found)


@programs(*NUMBERS, gaps="S130-value")
def indices(x):
    return x.reshape(-1, 1, 1)[tuple(int(v) - 3 for v in large(x))]


@programs(*NUMBERS, gaps="S130-value")
def handed_to_numpy(x):
    return np.sum(tuple(large(x)))


@programs(*NUMBERS, gaps="S130-value")
def matched(x):
    match tuple(large(x)):
        case (first, *others):
            return first, others
        case _:
            return None


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("program", list(programs), ids=name_of)
def test_programs_do_what_they_did(program: Program, device: str) -> None:
    check(program, device)
