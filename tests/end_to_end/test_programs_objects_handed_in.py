"""Programs that are handed lists of objects: by an argument or an object, with places that run time gives, more than once, and otherwise, too."""

from __future__ import annotations

import enum
import warnings

import pytest

import transpile
from transpile.runtime.errors import FallbackWarning

from .comparison import call, compare
from .programs import Program, Programs, check, name_of

programs = Programs()


class Mood(enum.Enum):
    calm = 1
    wild = 2


class Agent:
    share = 0.5

    def __init__(self, number):
        self.number, self.place, self.speed = number, float(number), 1.0 + number
        self.colour = "red" if number % 2 else "blue"
        self.mood = Mood.wild if number % 3 else Mood.calm
        self.target = None
        self.level = None if number % 4 else 1.5
        self.alive = number % 2 == 0
        self.path = [number]

    def move(self, dt):
        self.place += self.speed * dt

    @property
    def double(self):
        return self.number * 2

    @double.setter
    def double(self, value):
        self.number = value // 2


class Coin:
    def __init__(self, worth, side=None):
        self.worth, self.side = worth, side


class Fast(Agent):
    def move(self, dt):
        self.place += 2 * self.speed * dt


class Alike(Agent):
    def __eq__(self, other):
        return self.number % 5 == other.number % 5

    __hash__ = None

    def __len__(self):
        return self.number


class World:
    def __init__(self, count):
        self.agents, self.best, self.log, self.turn = agents(count), None, [], 0

    def run(self, turns):
        for _ in range(turns):
            for one in self.agents:
                one.move(0.1)
            self.turn += 1
            self.best = self.agents[(self.turn * 7) % len(self.agents)]
            self.best.place = 0.0
            self.log.append(self.best)


def agents(count):
    return [Agent(number) for number in range(count)]


def coins(count):
    return [Coin(number, number % 3 or None) for number in range(count)]


def some_twice(count):
    many = agents(count)
    many[3] = many[5] = many[7]
    return many


def linked(count):
    many = agents(count)
    for number, one in enumerate(many):
        one.target = many[number // 2] if number % 3 else None
    return many


def elsewhere():
    many = agents(30)
    return many, many[3]


MANY = (lambda: (agents(40),), lambda: (agents(41),), lambda: (some_twice(40),), lambda: (agents(17),))


@programs(*MANY, lambda: (linked(30),))
def they_change(many):
    for one in many:
        if one.colour == "red":
            one.colour, one.target = "green", None
        elif one.mood is Mood.calm:
            one.mood, one.level = Mood.wild, None
        if one.level is not None:
            one.level += 1
        one.alive = not one.alive
        one.double = one.double + 7
    return sum(one.double for one in many)


@programs(*MANY)
def one_that_is_in_it_twice_is_one(many):
    total = 0
    for number, one in enumerate(many):
        one.number += 1
        for place, other in enumerate(many):
            if one is other and number != place:
                total += 1000
    return total, [one is many[7] for one in many]


@programs(lambda: (agents(40), 3), lambda: (agents(41), 30), lambda: (agents(40), 0))
def places_of_run_time(many, turns):
    for turn in range(turns):
        one = many[turn * 7 % len(many)]
        one.move(0.5)
        many[turn % 5], many[turn % 7] = many[turn % 7], many[turn % 5]
    return many[0], max(many, key=lambda one: one.place)


@programs(*MANY)
def they_leave(many):
    while len(many) > 5:
        many.pop(len(many) // 2).number = -1
    return [one for one in many if one.alive]


@programs(lambda: (coins(30),), lambda: (coins(17),))
def others_come(many):
    for number in range(len(many)):
        if many[number].worth % 2:
            many[number] = Coin(100 + number, many[number - 1].side)
    many.append(many[0])
    many[2].side = 0.5
    return many[0] is many[-1], many[1]


@programs(*MANY)
def they_are_sorted(many):
    many.sort(key=lambda one: (one.number % 7, -one.place))
    return sorted(many, key=lambda one: one.place)[2], many.index(many[4])


@programs(*MANY)
def some_are_found(many):
    found = []
    for one in many:
        if one.place > 5:
            found.append(one)
    found[-1].speed = 0.0
    return {"found": found, "last": found[-1]}


@programs(*MANY)
def it_fails_in_the_middle(many):
    for number, one in enumerate(many):
        one.number += 100
        if number == 12:
            raise KeyError(one.number)


@programs(*MANY)
def integers_leave_64_bits(many):
    for one in many:
        one.number = one.number * 2**61 + 5


@programs(*MANY)
def it_prints(many):
    for one in many:
        one.number += 100
        if one.number % 10 == 0:
            print(one.number, one.colour)
    return many


@programs(lambda: ([Alike(number) for number in range(30)],))
def their_class_says_what_they_equal(many):
    return [one == many[3] for one in many], sum(1 for one in many if one), len(many[7])


@programs(lambda: (linked(30),), lambda: (linked(31),))
def they_lead_to_each_other(many):
    total = 0.0
    for one in many:
        if one.target is not None:
            total += one.target.place
            one.target.place += 1.0
            one.target = many[0]
    return total, [one.target is many[0] for one in many]


@programs(lambda: (World(30), 20), lambda: (World(31), 20), lambda: (World(30), 1))
def an_object_holds_them(world, turns):
    world.run(turns)
    return world.turn, [one is world.best for one in world.agents]


@programs(lambda: (agents(30), Agent(3)), elsewhere, lambda: (agents(30), None))
def one_is_handed_in_by_itself(many, single):
    total = 0
    for one in many:
        if one is single:
            total += 1
        if single is not None:
            single.number += 1
        one.place += one.number
    return total


@programs(lambda: (agents(30),), lambda: ([*agents(30), Fast(1)],))
def one_is_of_a_derived_class(many):
    for one in many:
        one.move(0.5)


@programs(lambda: (agents(20),))
def they_get_an_attribute(many):
    for one in many:
        one.fresh = one.number
    return many[int(many[3].place)].fresh


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("program", list(programs), ids=name_of)
def test_programs_do_what_they_did(program: Program, device: str) -> None:
    check(program, device)


def moved(many, dt):
    for one in many:
        one.move(dt)
        one.level = one.share
    return many[0]


def _compare(converted, make):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        compare(
            call(lambda: (moved(many := make(), 0.5), many), ()),
            call(lambda: (converted(many := make(), 0.5), many), ()),
        )


def test_what_objects_and_their_class_become_is_noticed() -> None:
    def with_another_name():
        many = agents(20)
        many[4].other = 1
        return many

    def with_another_type():
        many = agents(20)
        many[4].speed = 3
        return many

    def with_a_method():
        many = agents(20)
        many[4].move = lambda dt: None
        return many

    def without_one():
        many = agents(20)
        del many[4].speed
        return many

    converted = transpile.convert(moved)
    for make in (lambda: agents(20), with_another_name, with_another_type, with_a_method, without_one):
        _compare(converted, make)
    before = Agent.move
    try:
        Agent.move, Agent.share = Fast.move, 0.25
        _compare(converted, lambda: agents(20))
    finally:
        Agent.move, Agent.share = before, 0.5
    _compare(converted, lambda: agents(20))


def test_lists_of_other_lengths_are_served_by_one_trace() -> None:
    converted = transpile.convert(moved, strict=True)
    for count in (20, 30, 40, 5, 2):
        converted(agents(count), 0.5)
    assert len(converted.calls.entries) == 1
