"""Programs whose objects have an attribute on some of the ways that control may take."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from .programs import Program, Programs, check, name_of

programs = Programs()


class Model:
    """Keeps the best of what it has met."""

    title = "model"
    found = None
    level = 7.0

    def __init__(self):
        self.best = np.inf
        self.step = 0

    def fit(self, x):
        for step in range(len(x)):
            if x[step] < self.best:
                self.best = x[step]
                self.best_weights = x * step
                self.best_step = step
        return self


class Cached:
    def __init__(self, x):
        self.x = x

    def __getattr__(self, name):
        return self.x.sum() if name == "total" else 0.0


class Slotted:
    __slots__ = ("first", "second")

    def __init__(self):
        self.first = 1.0


def vector(*numbers):
    return lambda: (np.array(numbers, float),)


def model(*numbers):
    return lambda: (Model(), np.array(numbers, float))


def fitted(*numbers):
    return lambda: (Model().fit(np.array([5.0, 4.0])), np.array(numbers, float))


SOME = (3, 1, -1, 5)
NONE = (np.inf, np.inf)


@programs(vector(*SOME), vector(*NONE), vector(-1, 2))
def reads_the_best(x):
    made = Model().fit(x)
    return made.best_weights, made.best_step


@programs(vector(*SOME), vector(*NONE))
def returns_the_object(x):
    return Model().fit(x)


@programs(model(*SOME), model(*NONE), fitted(*SOME), fitted(*NONE))
def learns_in_an_object_of_the_caller(self, x):
    self.fit(x)


@programs(model(*SOME), fitted(*NONE), model(*NONE))
def reads_in_an_object_of_the_caller(self, x):
    return self.fit(x).best_weights


@programs(model(*SOME), model(*NONE))
def writes_into_what_was_made(self, x):
    self.fit(x)
    self.best_weights += 1
    return self.best_weights.sum()


@programs(model(*SOME), model(*NONE))
def asks_whether_it_is_there(self, x):
    self.fit(x)
    made = Model().fit(-x)
    return hasattr(self, "best_weights"), getattr(self, "best_step", -1), getattr(made, "best_step", None)


@programs(model(1), model(-1))
def has_what_the_class_has(self, x):
    if x[0] > 0:
        self.found = x[0]
    return self.found, hasattr(self, "found"), getattr(self, "found", 3)


@programs(model(1), model(-1))
def asks_for_a_name_that_the_way_decides(self, x):
    name = "best" if x[0] > 0 else "level"
    setattr(self, name, getattr(self, name, 0) * 2 + x[0])
    made = Model()
    delattr(made, "best" if x[0] > 0 else "step")
    return self.best, self.level, hasattr(x, "sum" if x[0] > 0 else "total"), hasattr(made, "best")


@programs(model(1), model(-1), gaps="S170-method")
def asks_for_what_may_be_no_name(self, x):
    name = "best" if x[0] > 0 else 3
    try:
        return hasattr(self, name)
    except TypeError as error:
        return str(error)


@programs(model(1), model(-1))
def has_a_number_of_the_class(self, x):
    made = Model()
    if x[0] > 0:
        made.level = self.level = x[0]
    return made.level * 2, self.level * 3, made


@programs(vector(1), vector(-1))
def writes_into_what_the_class_may_not_have(x):
    made = Model()
    if x[0] > 0:
        made.found = x * 2
    if made.found is not None:
        made.found[0] = 7
    return made.found, made.title


@programs(vector(1), vector(-1))
def handles_the_error(x):
    made = Model()
    if x[0] > 0:
        made.extra = x * 2
    try:
        return made.extra
    except AttributeError as error:
        return str(error)


@programs(vector(1), vector(-1))
def fails_where_it_is_read(x):
    made = Model()
    if x[0] > 0:
        made.extra = x * 2
    print("read")
    extra = made.extra
    print("not used yet")
    return extra


@programs(vector(1), vector(-1))
def deletes_on_one_way(x):
    made = Model()
    if x[0] > 0:
        del made.step
    return hasattr(made, "step"), made


@programs(vector(1), vector(-1))
def reads_what_was_deleted_on_one_way(x):
    made = Model()
    if x[0] > 0:
        del made.step
    return made.step


@programs(vector(1), vector(-1))
def deletes_twice(x):
    made = Model()
    made.level = 3.0
    if x[0] > 0:
        del made.level
    print(made.level)
    del made.level
    return made


@programs(vector(1), vector(1, 2), vector())
def deletes_in_a_loop(x):
    made = Model()
    for value in x:
        made.last = value
        del made.step
    return made


@programs(vector(1), vector(-1))
def deletes_one_thing_or_another(x):
    made = Model()
    if x[0] > 0:
        made.extra = x
        del made.step
    else:
        del made.step
    return made


@programs(vector(1), vector(-1))
def stores_again_after_that(x):
    made = Model()
    if x[0] > 0:
        made.extra = x
    made.extra = 4
    return made


@programs(vector(*SOME), vector(1, 2))
def in_a_loop_with_a_test(x):
    made, place = Model(), 0
    while place < len(x):
        if x[place] < 0:
            made.hit = place
            made.at = x[place]
        if x[place] < 0 and hasattr(made, "hit"):
            made.at += made.hit
        place += 1
    return made.hit, made.at


@programs(vector(*SOME), vector(3, -1))
def in_objects_within_objects(x):
    made = Model()
    made.inner = Model()
    for value in x:
        if value < 0:
            made.inner.hit = value
            made.other = Model()
            made.other.hit = value * 2
    return made.inner.hit, made.other.hit, made


@programs(vector(1, -2), vector(-1), vector(3, 0.5))
def reads_in_the_turn_that_may_make_it(x):
    made, total = Model(), 0.0
    for value in x:
        if value < 2:
            made.last = value
        total += made.last
    return total


@programs(vector(1, 2, 3), vector(-4, 1, 2), vector(1, -1))
def makes_one_before_the_end_and_one_after(x):
    made = Model()
    for value in x:
        made.last = value
        if value < 0:
            break
        made.twice = value * 2
    return made


@programs(
    lambda: (Cached(np.ones(3)), np.ones(3)), lambda: (Cached(np.ones(3)), -np.ones(3)), gaps="S161-attribute"
)
def has_what_code_gives(cached, x):
    if x[0] > 0:
        cached.total = x[0]
    return cached.total


@programs(lambda: (SimpleNamespace(), np.ones(3)), gaps="S161-attribute")
def is_of_a_class_of_pythons_own(thing, x):
    if x[0] > 0:
        thing.total = x[0]
    return thing.total


@programs(vector(1), vector(-1), gaps="S161-attribute")
def keeps_it_in_a_slot(x):
    made = Slotted()
    if x[0] > 0:
        made.second = x[0]
    return made.second


@programs(vector(1), vector(-1), gaps="S161-attribute")
def asks_for_the_dictionary(x):
    made = Model()
    if x[0] > 0:
        made.extra = x[0]
    return len(made.__dict__)


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("program", list(programs), ids=name_of)
def test_programs_do_what_they_did(program: Program, device: str) -> None:
    check(program, device)
