"""Programs with objects in lists whose length run time gives, at places that it gives, and chained to each other."""

from __future__ import annotations

import enum
import functools
import math
from dataclasses import dataclass

import numpy as np
import pytest

from .programs import Program, Programs, check, name_of

programs = Programs()

SIZES = (lambda: (70,), lambda: (7,), lambda: (0,), lambda: (1,))
# The first is too long for the loop over it to be written out.
LONG = (lambda: (1500,), lambda: (7,))
SOME = (lambda: (70,), lambda: (7,), lambda: (1,))


class Body:
    def __init__(self, place, speed=0.0, mass=1):
        self.place, self.speed, self.mass, self.alive = place, speed, mass, True

    def move(self, dt):
        self.place += self.speed * dt
        if self.place > 3.0:
            self.alive = False

    @property
    def energy(self):
        return 0.5 * self.mass * self.speed**2


class Pair:
    def __init__(self, a, b=0):
        self.a = a
        self.b = b


class Node:
    def __init__(self, value):
        self.value = value
        self.next = None


def pairs(count):
    return [Pair(number) for number in range(count)]


@programs(lambda: (70, 5), lambda: (3, 2), lambda: (0, 3), lambda: (4, 0))
def some_leave(count, turns):
    bodies, energy = [], 0.0
    for number in range(count):
        bodies.append(Body(number * 0.05, 1.0 / (number + 1), number))
    for _ in range(turns):
        for body in bodies:
            body.move(0.5)
        energy += sum(body.energy for body in bodies)
        bodies = [body for body in bodies if body.alive]
    return energy, bodies


@programs(lambda: (20, 3), lambda: (1, 2), lambda: (2, 2))
def each_draws_each_other(count, turns):
    bodies = [Body(number * 1.5, 0.0, 1 + number) for number in range(count)]
    for _ in range(turns):
        for one in bodies:
            force = 0.0
            for other in bodies:
                if one is not other:
                    way = other.place - one.place
                    force += other.mass * way / (abs(way) ** 3 + 0.1)
            one.speed += force * 0.01
        for one in bodies:
            one.place += one.speed * 0.01
    slowest = min(bodies, key=lambda body: body.speed)
    return bodies, slowest, slowest is bodies[0]


@programs(*SIZES)
def places_of_run_time(count):
    bodies = [Body(0.5 * number) for number in range(100)]
    for number in range(count):
        body = bodies[number * 7 % 100]
        body.speed += number
        body.mass *= 2
        if body.speed > 10:
            bodies[0].alive = False
    return bodies


@programs(*SOME)
def one_object_many_times(count):
    one = Pair(0)
    many = []
    for _ in range(count):
        many.append(one)
    for each in many:
        each.a += 1
    one.a += 100
    many[count // 2].b = 7
    return one, many, many[0] is one, many[0] is many[-1], one in many


@programs(*SOME)
def sorted_popped_and_compared(count):
    many = pairs(count)
    many.sort(key=lambda each: -each.a)
    first, middle = many[0], many[count // 2]
    first.a = 77
    last = many.pop()
    return last.a, first in many, last in many, middle == first, middle != first, first == 3, many


@programs(*SOME)
def found_and_removed(count):
    many = pairs(count)
    found, other = many[count // 3], Pair(-1)
    many.remove(found)
    many.insert(0, other)
    many.reverse()
    many.extend(many[:2])
    return (
        many.index(other),
        found in many,
        None in many,
        many.count(other),
        many == many[:],
        many != many[1:],
        many,
    )


@programs(*SIZES)
def attributes_of_several_kinds(count):
    many = [Pair(float(number)) for number in range(count)]
    for number in range(count):
        many[number].a = number if number % 2 else "odd" if number % 3 else None
        many[number].b = np.float32(number)
    return many


@programs(*SIZES)
def names_are_bound_anew(count):
    many = pairs(count)
    for one in many:
        other = one
        other = Pair(one.a * 2)
        one.b = other.a
        one = other  # noqa: PLW2901
        one.b = 1000
    for one, other in zip(many, reversed(many)):
        one.a, other.a = other.a, one.a + 1
    return many


@programs(*SIZES)
def the_best_so_far(count):
    best, many = None, pairs(count)
    for each in many:
        if best is None or each.a % 7 > best.a % 7:
            best = each
    if best is not None:
        best.b = 99
    return best, many, best == None  # noqa: E711


@programs(*SIZES)
def the_best_so_far_but_one_from_before(count):
    best, many = Pair(-1), pairs(count)
    for each in many:
        if each.a > best.a:
            best = each
    best.b = 99
    return best.a, many, best


@programs(*SIZES)
def taken_while_there_are_any(count):
    stack, total = pairs(count), 0
    while stack:
        one = stack.pop()
        total += one.a
        if one.a % 3 == 1:
            stack.append(Pair(one.a - 1))
    return total


@dataclass
class Point:
    x: float
    y: float = 0.0

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)

    @property
    def norm(self):
        return math.sqrt(self.x**2 + self.y**2)


@programs(*SIZES)
def operators_between_them(count):
    points, total = [Point(number * 1.0, number * 0.5) for number in range(count)], Point(0.0, 0.0)
    for point in points:
        total = total + point
    points.append(total)
    sums = [one + other for one, other in zip(points, points[1:])]
    return (
        total.norm,
        sums,
        max(point.x for point in points),
        points[0] == Point(0.0, 0.0),
        points[0] == total,
    )


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self, a):
        self.a, self.b = a, 1.5


@programs(*SIZES)
def slots(count):
    many = [Slotted(number) for number in range(count)]
    for each in many:
        each.b += each.a
    return [each.a * each.b for each in many]


class Doubles:
    def __init__(self, a):
        self._a = a

    @property
    def a(self):
        return self._a

    @a.setter
    def a(self, value):
        self._a = value * 2


@programs(*SIZES)
def properties_that_store(count):
    many = [Doubles(number) for number in range(count)]
    for each in many:
        each.a = each.a + 1
    return many


class Shape:
    def area(self):
        return 0.0


class Circle(Shape):
    def __init__(self, radius):
        self.radius = radius

    def area(self):
        return 3.0 * self.radius**2


class Square(Shape):
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side**2


@programs(*SIZES)
def several_classes(count):
    shapes, total = [], 0.0
    for number in range(count):
        if number % 3:
            shapes.append(Circle(number * 1.0))
        else:
            shapes.append(Square(number))
    for shape in shapes:
        total += shape.area()
    return total, sum(isinstance(shape, Circle) for shape in shapes), shapes


class Kind(enum.Enum):
    WELL = 0
    ILL = 1


@programs(*SIZES)
def members_of_an_enumeration(count):
    many = [Pair(number, Kind.WELL) for number in range(count)]
    for each in many:
        if each.a % 4 == 1:
            each.b = Kind.ILL
    ill = sum(1 for each in many if each.b is Kind.ILL)
    return ill, sum(1 for each in many if each.b == Kind.WELL), many


class Holder:
    def __init__(self, a):
        self.a, self.child = a, Pair(a, 2 * a)


@programs(*SIZES)
def objects_in_objects(count):
    many = [Holder(number) for number in range(count)]
    for each in many:
        each.child.b += 1
    if count:
        many[0].child = many[-1].child
        many[0].child.a = 77
    return many


class Cell:
    def __init__(self, number):
        self.number, self.on, self.near = number, number % 2 == 0, []


@programs(*SOME)
def lists_in_objects(count):
    cells = [Cell(number) for number in range(count)]
    for cell in cells:
        cell.near.append(cells[(cell.number * 7 + 3) % count])
        cell.near.append(cells[(cell.number + 1) % count])
    for _ in range(3):
        counts = [sum(1 for other in cell.near if other.on) for cell in cells]
        for cell, near in zip(cells, counts):
            cell.on = near == 1
    return [[other.number for other in cell.near] for cell in cells], [cell.on for cell in cells]


class Account:
    def __init__(self):
        self.sum, self.entries = 0, []

    def add(self, entry):
        if entry > 12:
            raise ValueError(f"{entry} is too much")
        self.sum += entry
        self.entries.append(entry)


@programs(lambda: (70, 11), lambda: (70, 20), lambda: (0, 1))
def lists_in_objects_at_places_of_run_time(count, modulus):
    accounts = [Account() for _ in range(5)]
    for number in range(count):
        accounts[number * 3 % 5].add(number % modulus)
    return accounts


@programs(*SIZES)
def a_chain(count):
    head = None
    for number in range(count):
        node = Node(number)
        node.next = head
        head = node
    total, node = 0, head
    while node is not None:
        total = total * 3 % 1000007 + node.value
        node = node.next
    return total, head is None


class Queue:
    def __init__(self):
        self.head = self.tail = None
        self.count = 0

    def push(self, value):
        node = Node(value)
        if self.tail is None:
            self.head = node
        else:
            self.tail.next = node
        self.tail = node
        self.count += 1

    def pop(self):
        node = self.head
        self.head = node.next
        if self.head is None:
            self.tail = None
        self.count -= 1
        return node.value


@programs(lambda: (40, 7), lambda: (1, 2), lambda: (0, 3))
def a_queue_of_nodes(count, step):
    queue, order = Queue(), []
    for number in range(count):
        queue.push(number)
    while queue.count:
        for _ in range(step - 1):
            queue.push(queue.pop())
        order.append(queue.pop())
    return order


class Tree:
    def __init__(self, key):
        self.key, self.left, self.right = key, None, None


@programs(
    lambda: (np.random.default_rng(0).permutation(60),), lambda: (np.arange(3),), lambda: (np.arange(0),)
)
def a_search_tree(keys):
    root = None
    for key in keys:
        leaf = Tree(key)
        if root is None:
            root = leaf
            continue
        node = root
        while True:
            if key < node.key:
                if node.left is None:
                    node.left = leaf
                    break
                node = node.left
            else:
                if node.right is None:
                    node.right = leaf
                    break
                node = node.right
    found, stack, node = [], [], root
    while stack or node is not None:
        while node is not None:
            stack.append(node)
            node = node.left
        node = stack.pop()
        found.append(node.key)
        node = node.right
    return found


@programs(*SOME)
def a_ring_is_returned(count):
    nodes = [Node(number) for number in range(count)]
    for number in range(count):
        nodes[number].next = nodes[(number + 1) % count]
    first = nodes[0]
    return [node.value for node in nodes], first.next.next.value, nodes[-1].next is first


class World:
    def __init__(self, count):
        self.bodies = [Body(number * 0.5, 1.0) for number in range(count)]
        self.time = 0

    def step(self):
        for body in self.bodies:
            body.place = body.place * 1.5 + self.time
        self.time += 1
        self.bodies = [body for body in self.bodies if body.place < 100]


@programs(lambda: (70, 6), lambda: (3, 2), lambda: (0, 1))
def an_object_holds_the_list(count, turns):
    world = World(count)
    for _ in range(turns):
        world.step()
    return world.time, world.bodies


class Equal:
    def __init__(self, a):
        self.a = a

    def __eq__(self, other):
        return isinstance(other, Equal) and self.a % 5 == other.a % 5

    __hash__ = None


@programs(*LONG, gaps="S164-list")
def objects_that_say_what_they_equal(count):
    many = [Equal(number) for number in range(count)]
    return many[0] == many[5], Equal(7) in many


class Late:
    def __init__(self, a):
        self.a = a

    def add(self):
        self.late = self.a * 2


@programs(*LONG, gaps="S163-items")
def attributes_that_come_late(count):
    many = [Late(number) for number in range(count)]
    for each in many:
        each.add()
    return [each.late for each in many]


class Lazy:
    def __init__(self, a):
        self.a = a

    @functools.cached_property
    def square(self):
        return self.a**2


@programs(lambda: (100,), lambda: (70,))
def properties_that_are_kept(count):
    many = [Lazy(number) for number in range(count)]
    first = [each.square for each in many]
    for each in many:
        each.a += 1
    return first, [each.square for each in many]


@programs(*LONG, gaps="S163-items")
def all_attributes_at_once(count):
    many = pairs(count)
    for each in many:
        each.__dict__["b"] = 9
    return [each.b for each in many]


@programs(*LONG, gaps="S130-value")
def objects_are_keys(count):
    return len({each: each.a for each in pairs(count)})


@programs(lambda: (70, 3), lambda: (70, 100), lambda: (0, 0))
def places_that_are_not_there(count, place):
    many = pairs(count)
    many[0].a = 5
    return many[place].a


class Particle:
    def __init__(self, x, y, mass=1.0):
        self.place, self.speed, self.mass = np.array([x, y]), np.zeros(2), mass

    def step(self, dt):
        self.place += self.speed * dt


def particles(count):
    return [Particle(number * 1.0, number * 0.5, 1.0 + number) for number in range(count)]


@programs(*SIZES)
def arrays_written_in_place(count):
    many = particles(count)
    for _ in range(2):
        for one in many:
            for other in many:
                if one is not other:
                    way = other.place - one.place
                    one.speed += way * other.mass / (np.dot(way, way) + 0.1)
        for one in many:
            one.step(0.01)
        many = [one for one in many if one.place[0] < count - 1]
    return many


@programs(*SIZES)
def arrays_written_in_every_way(count):
    many = particles(count)
    for one in many:
        np.add(one.place, 1, out=one.place)
        one.place[1] = one.place[0]
        one.speed[:] = one.place
        one.speed.fill(3)
        one.place[one.place > 5] = 5
        speed = one.speed
        speed *= 2
        one.speed[0] -= 1
        speed[1] += one.speed[0]
    return many


@programs(*SIZES)
def arrays_replaced(count):
    many = particles(count)
    for one in many:
        before = one.speed
        one.place = one.place + before + 1
        one.speed = before * 2 + one.place
    return [one.place.sum() for one in many], many


@programs(*SIZES)
def arrays_replaced_and_written(count):
    many = particles(count)
    for one in many:
        before = one.place
        one.place = np.array([1.0, 2.0])
        one.place += before[0] if one.mass > 3 else 1
        one.speed[0] = 3.0
    return many


@programs(*LONG, gaps="S163-items")
def an_array_is_known_when_it_is_replaced(count):
    many = particles(count)
    for one in many:
        before = one.speed
        one.speed = before + 1.0
        before += 5
    return many


@programs(*LONG, gaps="S163-items")
def an_array_is_in_two_objects(count):
    many = particles(count)
    for one, other in zip(many, many[1:]):
        one.speed = other.speed
    for one in many:
        one.speed += 1
    return [one.speed[0] for one in many]


@programs(lambda: (70,))
def an_array_is_in_two_objects_and_only_read(count):
    many = particles(count)
    for one, other in zip(many, many[1:]):
        one.place = other.place
    return [one.place[0] for one in many]


@programs(*LONG, gaps="S163-items")
def an_array_is_two_attributes(count):
    many = []
    for number in range(count):
        both = np.full(2, number * 1.0)
        one = Particle(0.0, 0.0)
        one.place = one.speed = both
        many.append(one)
    for one in many:
        one.place += 1
    return [one.speed[0] for one in many]


@programs(*LONG, gaps="S163-items")
def an_array_stays_known_by_its_name(count):
    many, last = [], np.zeros(2)
    for number in range(count):
        last = np.full(2, number * 1.0)
        one = Particle(0.0, 0.0)
        one.place = last
        many.append(one)
    for one in many:
        one.place += 1
    return last


@programs(*LONG, gaps="S111-frozen")
def an_array_is_written_by_its_name(count):
    many = []
    for number in range(count):
        place = np.full(2, number * 1.0)
        one = Particle(0.0, 0.0)
        one.place = place
        many.append(one)
        place += 7
    return [one.place[0] for one in many]


@programs(lambda: (np.arange(140.0).reshape(70, 2),), gaps="S163-items")
def the_callers_rows_are_written(x):
    many = []
    for row in x:
        one = Particle(0.0, 0.0)
        one.place = row
        many.append(one)
    for one in many:
        one.place += 1
    return None


@programs(*LONG, gaps="S163-items")
def an_array_is_known_after_one_more_moves_in(count):
    many = particles(count)
    first = many[0].place
    many.append(Particle(1.0, 2.0))
    first += 1
    return many[0].place.sum(), first.sum()


@programs(*LONG, gaps="S163-items")
def an_array_leaves_a_loop(count):
    many, place = particles(count), None
    for one in many:
        place = one.place
    many[-1].place += 1
    return place.sum()


@programs(lambda: (70,))
def an_array_is_read_before_a_loop_that_writes_it(count):
    many, total = particles(count), 0.0
    first = many[0].place
    for one in many:
        total += first[0]
        one.place += 1
    return total, first.sum()


@programs(*LONG, gaps="S163-items")
def arrays_are_items_of_a_list_too(count):
    many, places = particles(count), []
    for one in many:
        places.append(one.place)
    for one in many:
        one.place += 1
    return [place.sum() for place in places]


@programs(*LONG, gaps="S213-alias")
def an_object_and_its_array_are_returned(count):
    many = particles(count)
    return many[0].place, many[0]


@programs(*LONG, gaps="S213-alias")
def objects_and_an_array_that_one_holds_are_returned(count):
    many, place = particles(count), np.zeros(2)
    many[0].place = place
    return many, place


@programs(*LONG, gaps="S190-identity")
def whether_arrays_are_one(count):
    many = particles(count)
    return [one.place is other.place for one, other in zip(many, many[1:])]


class Searcher:
    def __init__(self, x):
        self.x, self.best, self.value = x, x.copy(), np.inf


@programs(lambda: (20, 5), lambda: (1, 1))
def a_swarm(count, turns):
    generator = np.random.default_rng(0)
    swarm, best, least = [Searcher(generator.random(4)) for _ in range(count)], None, np.inf
    for _ in range(turns):
        for one in swarm:
            one.x = one.x + 0.1 * (one.best - one.x) + 0.01 * generator.normal(size=4)
            value = np.sum(one.x**2)
            if value < one.value:
                one.best, one.value = one.x.copy(), value
            if value < least:
                best, least = one.x.copy(), value
    return best, least, swarm


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("program", list(programs), ids=name_of)
def test_programs_do_what_they_did(program: Program, device: str) -> None:
    check(program, device)
