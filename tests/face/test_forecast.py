"""What a call may take, before anything of it is traced."""

import dataclasses
import math
import random
from typing import Any

import numpy as np
import pytest
import scipy.linalg

from transpile import turns
from transpile.forecast import foreseen
from transpile.forecast_values import joined, product


def straight(x):
    return x + 1


def outer(x):
    for a in x:
        for b in x:
            x[0] = a * b
    return x


def steps(x):
    for _ in range(500):
        x = outer(x)
    return x


class Field:
    def __init__(self, n: int) -> None:
        self.cells = np.zeros((n, 2))

    @property
    def count(self) -> int:
        return len(self.cells)

    def run(self) -> None:
        for _ in range(10):
            self.step()

    def step(self) -> None:
        for i in range(self.count):
            for j in range(self.count):
                self.cells[i] += self.cells[j]


def test_loops_count_as_often_as_they_turn() -> None:
    assert foreseen(straight, [np.zeros(10)]).seconds < 1e-5
    assert foreseen(outer, [np.zeros(9)]).seconds < 1e-4
    assert 0.05 < foreseen(outer, [np.zeros(1000)]).seconds < 1.0
    # The number stands in the function, and the loops are in one that it calls.
    assert foreseen(steps, [np.zeros(9)]).seconds == pytest.approx(
        500 * foreseen(outer, [np.zeros(9)]).seconds, rel=0.2
    )


def relax(grid):
    new = grid.copy()
    new[1:-1] = 0.5 * (grid[:-2] + grid[2:])
    return abs(new - grid).max()


def until_it_rests(grid, tolerance):
    change = 1.0
    while change > tolerance:
        change = relax(grid)


def test_work_on_whole_arrays_counts_and_loops_that_nothing_bounds_may_turn_often() -> None:
    assert foreseen(relax, [np.zeros((600, 800))]).seconds < 0.1
    assert foreseen(until_it_rests, [np.zeros((600, 800)), 0.1]).seconds > 0.3
    assert foreseen(until_it_rests, [np.zeros((6, 8)), 0.1]).seconds < 0.1


def grown(x, wanted):
    found = []
    while len(found) < wanted:
        found.append(outer(x))
    return found


def walks(x):
    found = 0
    for start in x:
        while x[start] > 0:
            for each in x:
                found += each
            start = start + 1
    return found


def test_loops_turn_no_more_often_than_they_count_to() -> None:
    x = np.zeros(300)
    few, many, unknown = (foreseen(grown, [x, wanted]).seconds for wanted in (4, 40, np.float64(4)))
    assert 8 * few < many < 12 * few
    assert 6 * many < unknown


def in_rounds(x, turns, length):
    done = 0
    for turn in range(turns):
        done += 1
        if done == length:
            outer(x)
            done = 0
        if turn % length == 0:
            outer(x)
        if x[turn] == length:
            x[turn] = 0


def test_what_is_done_every_so_many_turns_counts_as_often() -> None:
    x = np.zeros(100)
    often, rarely = (foreseen(in_rounds, [x, 10_000, length]).seconds for length in (2, 200))
    assert 80 * rarely < often < 110 * rarely


def test_loops_in_loops_that_nothing_bounds_turn_less_often() -> None:
    x = np.zeros(200)
    assert 0.002 < foreseen(walks, [x]).seconds < 1.0


def largest(x):
    best = 0.0
    for i in range(len(x)):
        best = max(best, x[i])
    return best


def test_the_largest_of_two_numbers_is_no_loop() -> None:
    assert foreseen(largest, [np.zeros(1000)]).seconds < 0.001


def doubling(x):
    width = 1
    while True:
        for i in range(len(x)):
            x[i] += x[i - width]
        if width > len(x):
            return x
        width *= 2


def test_what_doubles_soon_ends() -> None:
    assert foreseen(doubling, [np.zeros(1000)]).seconds < 0.02


def rests(x, rounds):
    for _ in range(rounds):
        before = x[0]
        for i in range(len(x)):
            x[i] = x[i - 1]
        if x[0] == before:
            break


def goes_on(x, rounds):
    while True:
        x = outer(x)
        if x[0] < rounds:
            return x


def finds(x, rounds):
    for i in range(rounds):
        if x[i] > 0:
            break


def test_passes_that_end_once_nothing_changes_are_few() -> None:
    x = np.zeros(3000)
    few, many = (foreseen(rests, [x, rounds]).seconds for rounds in (100, 10_000))
    one = foreseen(rests, [x, 1]).seconds
    assert 10 * one < few < 50 * one < many < 200 * one
    assert foreseen(goes_on, [x[:300], 3.0]).seconds == pytest.approx(
        30 * foreseen(outer, [x[:300]]).seconds, rel=0.1
    )
    # What is short goes through a good part of all that there is.
    assert foreseen(finds, [x, 4000]).seconds == pytest.approx(
        40 * foreseen(finds, [x, 100]).seconds, rel=0.3
    )


def pair(x, wanted):
    for i in range(len(x)):
        for j in range(len(x)):
            if x[i] + x[j] == wanted:
                break


def test_leaving_a_loop_within_leaves_the_others() -> None:
    x = np.zeros(300)
    assert foreseen(pair, [x, 1.0]).seconds == pytest.approx(foreseen(every, [x, 1.0]).seconds / 4, rel=0.3)


def thrown(count):
    inside = 0
    for _ in range(count):
        inside += math.hypot(random.random(), random.uniform(0, 1)) < 1
    return inside


def called_back(x, function):
    for each in x:
        x[0] = function(each)


def test_functions_of_pythons_own_are_short() -> None:
    assert 0.0003 < foreseen(thrown, [1000]).seconds < 0.002
    assert foreseen(called_back, [np.zeros(1000), lambda a: a + 1]).seconds < 0.002


CASES = {1: [(0, 1)], 2: [(1, 2), (2, 3)]}


def by_cases(x):
    for i in range(len(x)):
        if x[i] == 0:
            continue
        for a, b in CASES[int(x[i])]:
            x[i] += a * b


def without_cases(x, cases):
    for i in range(len(x)):
        for a, b in cases[int(x[i])]:
            x[i] += a * b


def test_one_item_stands_for_all_and_what_is_passed_over_counts_less() -> None:
    x = np.ones(1000)
    assert foreseen(without_cases, [x, CASES]).seconds < foreseen(without_cases, [x, None]).seconds / 10
    assert foreseen(by_cases, [x]).seconds < foreseen(without_cases, [x, CASES]).seconds


@dataclasses.dataclass
class Shoe:
    size: int
    cards: list[int] = dataclasses.field(default_factory=list)

    def draw(self) -> int:
        if not self.cards:
            self.cards = [outer(range(100)) for _ in range(self.size)]
        return self.cards.pop()


def played(size):
    shoe = Shoe(size)
    for _ in range(1000):
        shoe.draw()


def test_what_is_empty_is_filled_now_and_then() -> None:
    few, many = (foreseen(played, [size]).seconds for size in (10, 1000))
    assert 50 * few < many < 20 * foreseen(outer, [np.zeros(100)]).seconds * 1000


def near(x):
    for _ in range(100):
        for each in [other for other in x if other > 1]:
            for _k in range(1000):
                x[0] += each


def all_of(x):
    for _ in range(100):
        for each in [other for other in x]:  # noqa: C416
            for _k in range(1000):
                x[0] += each


def test_what_tests_let_through_is_less() -> None:
    assert foreseen(near, [np.zeros(100)]).seconds == pytest.approx(
        foreseen(all_of, [np.zeros(100)]).seconds / 2, rel=0.2
    )


def flooded(x):
    found = 0
    for i in range(len(x)):
        if x[i]:
            todo = [i]
            while todo:
                found += outer(todo.pop())
    return found


def test_what_is_looked_for_in_each_turn_is_found_in_few() -> None:
    assert foreseen(flooded, [np.zeros(1000)]).seconds < 0.1


def drawn(x, generator):
    for _ in range(100):
        for i in generator.choice(len(x), 3):
            for j in np.random.randint(0, 9, 3):
                for _k in np.unique(x):
                    x[i] = x[j]


def test_as_many_random_numbers_are_drawn_as_are_asked_for() -> None:
    x = np.zeros(1000)
    for generator in (np.random.default_rng(1), np.random.RandomState(1)):
        assert 0.005 < foreseen(drawn, [x, generator]).seconds < 0.05


def one_by_one(generator, n):
    found = 0.0
    for _ in range(n):
        found += np.random.rand() + generator.random() + generator.normal(0.0, 1.0)
    return found


def picked_one_by_one(generator, n):
    found = 0
    for _ in range(n):
        found += generator.choice(5)
    return found


def test_to_draw_one_number_takes_less_than_other_functions_of_numpys() -> None:
    generator = np.random.default_rng(1)
    seconds = foreseen(one_by_one, [generator, 100_000]).seconds
    # Some two tenths of a microsecond each, and more with parameters.
    assert 0.05 < seconds < 0.2 < foreseen(picked_one_by_one, [generator, 100_000]).seconds


def inverted(x):
    return scipy.linalg.inv(x) + scipy.linalg.inv(x.T) + np.linalg.inv(x)


def test_a_trace_through_what_scipy_has_written_in_python_takes_long_once() -> None:
    assert 0.1 < foreseen(inverted, [np.eye(3)]).trace < 0.15


def chosen(x, count=None):
    count = x.shape[0] if not count else min(count, x.shape[0])
    for i in range(count):
        for j in range(count):
            x[i] += x[j]


def test_conditions_that_are_known_choose_what_is_known() -> None:
    x = np.zeros(500)
    assert foreseen(chosen, [x, 5]).seconds < 1e-4 < 0.02 < foreseen(chosen, [x]).seconds


def test_methods_and_properties_that_a_method_uses_count() -> None:
    assert foreseen(Field.run, [Field(10)]).seconds < 0.1 < 1.0 < foreseen(Field.run, [Field(1000)]).seconds


def fields(n):
    field = Field(n)
    field.run()
    return field.cells


def test_methods_of_what_a_function_makes_count() -> None:
    assert foreseen(fields, [10]).seconds < 0.1 < 1.0 < foreseen(fields, [1000]).seconds


def test_functions_that_call_each_other_come_to_an_end() -> None:
    def again(x):
        for _ in x:
            again(x)

    assert foreseen(again, [np.zeros(3)]).seconds > 0


def sizes(image, kernel):
    height, width = image.shape
    half = kernel.shape[0] // 2
    padded = np.zeros((height + 2 * half, width + 2 * half))
    for i in range(len(padded) - 2 * half):
        for j in range(padded.shape[1] - 2 * half):
            image[i, j] = np.sum(padded[i : i + half, j : j + half] * kernel)
    return image


def test_numbers_that_follow_from_sizes_are_known() -> None:
    kernel = np.ones((3, 3))
    small, large = (foreseen(sizes, [np.zeros((n, n)), kernel]).seconds for n in (10, 100))
    assert 50 * small < large < 150 * small


def by_products(x, y):
    for _ in range(100):
        x = x @ y
    return x


def test_products_of_matrices_promise_nothing_however_large_they_are() -> None:
    small, large = (foreseen(by_products, [np.ones((n, n))] * 2).seconds for n in (3, 300))
    assert large == pytest.approx(small)


def comparing(x):
    for _ in range(100):
        y = x > 3
        y = y | (x.astype(bool) & np.zeros(x.shape, "?"))
    return y


def test_elements_of_fewer_bytes_take_less() -> None:
    narrow, wide = (foreseen(comparing, [np.ones(1_000_000, kind)]).seconds for kind in ("u1", "f8"))
    assert narrow < 0.5 * wide
    one, eight = (foreseen(straight, [np.ones(1_000_000, kind)]).seconds for kind in ("u1", "f8"))
    assert one < 0.2 * eight


def in_folds(x, count):
    for part in np.array_split(x, count):
        for _ in range(100):
            part = part + 1


def over_rows(x, begins):
    for i in range(len(begins) - 1):
        x[begins[i] : begins[i + 1]] += 1


def solving(a, b):
    for _ in range(100):
        b = b - a @ np.linalg.solve(a, b)


def normed(x):
    for _ in range(100):
        x = x / np.linalg.norm(x, axis=1, keepdims=True)


def by_places(x, rows):
    for _ in range(100):
        x[rows, rows] = x[rows, rows] + x[rows, 0]


def scaled(x, y):
    for _ in range(100):
        y = y / np.diag(x)


def table(rows):
    names = sorted({row % 3 for row in rows})
    found = np.zeros((len(names), len(names)))
    for row in rows:
        found[names.index(row % 3), 0] += 1
    return found


def test_sets_are_not_taken_to_hold_all_that_they_are_made_of() -> None:
    assert foreseen(table, [list(range(60_000))]).seconds < 0.1


def test_what_arrays_are_taken_from_or_made_of_is_no_larger_than_it_is() -> None:
    x = np.ones(100_000)
    assert foreseen(in_folds, [x, 5]).seconds == pytest.approx(foreseen(in_folds, [x, 1]).seconds, rel=0.2)
    assert foreseen(over_rows, [x, np.arange(0, 100_001, 10)]).seconds < 0.1
    square, thin = np.ones((1000, 1000)), np.ones((100_000, 3))
    assert foreseen(solving, [square, np.ones(1000)]).seconds < 0.01
    assert foreseen(normed, [thin]).seconds < 0.2
    assert foreseen(by_places, [square, np.arange(1000)]).seconds < 0.01
    assert foreseen(scaled, [square, np.ones(1000)]).seconds < 0.01


def until_found(x, wanted):
    for i in range(len(x)):
        for j in range(len(x)):
            if x[i] + x[j] == wanted:
                return i, j
    return None


def every(x, wanted):
    found = None
    for i in range(len(x)):
        for j in range(len(x)):
            if x[i] + x[j] == wanted:
                found = i, j
    return found


def test_loops_that_may_be_left_promise_less() -> None:
    x = np.zeros(300)
    assert foreseen(until_found, [x, 1.0]).seconds < foreseen(every, [x, 1.0]).seconds / 4


ASKED: list[str] = []


def _noting(name: str) -> Any:
    def method(self: Any, *_: Any) -> int:
        ASKED.append(name)
        return 1

    return method


class Telling:
    """Notes what it is asked for, and what is done with it."""

    def __getattribute__(self, name: str) -> Any:
        ASKED.append(name)
        return object.__getattribute__(self, name)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)

    __len__ = __call__ = __eq__ = __ne__ = __ge__ = __add__ = __getitem__ = __index__ = _noting("method")
    __hash__ = None  # type: ignore[assignment]
    size = property(_noting("size"))


def asks(x, thing, made):
    if x[0] > 5:
        thing = 3
    for _ in range(len(thing)):
        x[0] += thing.size + thing.missing + len(thing) + thing[0] + thing(x)
    return x, np.zeros((3, thing)), made(1), thing != 2, isinstance(thing, list)


def test_nothing_of_the_users_is_run() -> None:
    given = np.zeros(3), Telling(), Telling
    ASKED.clear()
    assert foreseen(asks, given).seconds > 0 and turns.holds_array([given[1], given[0]])
    assert not ASKED


def gathers(state, found, turns):
    for _ in range(turns):
        found = np.vstack((found, np.hstack((state, np.zeros((1, 3))))))
        state = np.concatenate([state, state], axis=0) @ np.ones((4, 4))
        state = state[:1]
    return outer(found[:, 0])


def test_what_joins_arrays_is_as_long_as_these_together() -> None:
    few, many = (foreseen(gathers, [np.zeros((1, 4)), np.zeros((50, 7)), turns]).seconds for turns in (1, 30))
    assert few < many < 0.01


@pytest.mark.parametrize(
    ("name", "parts", "options", "expected"),
    [
        ("concatenate", [(3, 4), (2, 4)], {}, (5, 4)),
        ("concatenate", [(3, 4), (3, 2)], {"axis": -1}, (3, 6)),
        ("hstack", [(3, 4), (3, 2)], {}, (3, 6)),
        ("hstack", [(3,), (4,)], {}, (7,)),
        ("vstack", [(4,), (2, 4)], {}, (3, 4)),
        ("column_stack", [(3,), (3, 2)], {}, (3, 3)),
        ("stack", [(3, 4), (3, 4)], {}, (2, 3, 4)),
        ("append", [(3, 4), (2, 4)], {}, (20,)),
        ("append", [(3, 4), (2, 4)], {"axis": 0}, (5, 4)),
    ],
)
def test_axes_of_joined_arrays_are_those_of_numpy(name, parts, options, expected) -> None:
    arrays = [np.zeros(part) for part in parts]
    made = np.append(*arrays, **options) if name == "append" else getattr(np, name)(arrays, **options)
    assert made.shape == expected
    assert joined(name, parts, options.get("axis", None if name == "append" else 0)) == expected


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ((3,), (3, 2)),
        ((2, 3), (3,)),
        ((2, 3), (3, 4)),
        ((5, 2, 3), (3, 4)),
        ((5, 2, 3), (5, 3, 4)),
        ((5, 2, 3), (3,)),
    ],
)
def test_axes_of_products_are_those_of_numpy(left, right) -> None:
    assert product(left, right).dims == (np.ones(left) @ np.ones(right)).shape


def triangle(n):
    for i in range(n):
        for j in range(i):
            if i % 3:
                yield i, j
            yield from (i, j)


def over_triangle(n):
    total = 0
    for i, j in triangle(n):
        total += i * j - total // 2
    return total


def test_what_generators_yield_is_counted() -> None:
    few, many = (foreseen(over_triangle, [n]).seconds for n in (100, 1000))
    assert 50 * few < many < 200 * few
    assert 0.01 < many < 1


class Held:
    def __init__(self):
        self.left, self.right = 1.0, 2.0


def through_objects(things):
    total = 0.0
    for thing in things:
        total += thing.left * thing.right + thing.left
    return total


def through_arrays(x):
    total = 0.0
    for item in x:
        total += item * item + item
    return total


def through_dictionaries(things):
    total = 0.0
    for thing in things:
        total += thing["left"] * thing["right"] + thing["left"]
    return total


def test_a_trace_takes_longer_through_objects_and_dictionaries() -> None:
    arrays = foreseen(through_arrays, [np.zeros(1000)]).trace
    assert 0 < arrays < 0.01
    for function, thing in ((through_objects, Held()), (through_dictionaries, vars(Held()))):
        assert (
            foreseen(function, [[thing] * 10]).trace
            == foreseen(function, [[thing] * 1000]).trace
            > arrays + 0.01
        )
    assert foreseen(outer, [np.zeros(1000)]).trace < 0.03
