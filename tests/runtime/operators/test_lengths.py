"""What loops run over that gets longer or shorter meanwhile: the turns are those that Python takes, or Python takes them."""

import itertools
from collections import deque
from typing import Any

import pytest

from transpile import FallbackWarning, StagingError, convert

from ...end_to_end.comparison import call, compare


def numbers(n: int) -> list[int]:
    things = []
    for k in range(n):
        things.append(k * k)
    return things


def from_the_end_while_two_go(n):
    things, seen = numbers(n), []
    for value in reversed(things):
        seen.append(value)
        if len(things) > 2:
            things.pop()
            things.pop()
    return seen, things


def from_the_end_while_some_come(n):
    things, seen = numbers(n), []
    for value in reversed(things):
        seen.append(value)
        things.append(value)
    return seen, things


def with_places_while_one_goes(n):
    things, seen = numbers(n), []
    for place, value in enumerate(things):
        seen.append(place - value)
        if len(things) > 2:
            things.pop()
    return seen, things


def with_places_while_some_come(n):
    things = numbers(n)
    for place, value in enumerate(things):
        if place < 30:
            things.append(value + 1)
    return things


def side_by_side_while_one_goes(n):
    things, seen = numbers(n), []
    for a, b, c in zip(things, things, range(9)):
        seen.append(a + b * c)
        if len(things) > 2:
            things.pop(0)
    return seen, things


def one_more(value):
    return value + 1


def mapped_while_one_goes(n):
    things, seen = numbers(n), []
    for value in map(one_more, things):
        seen.append(value)
        if len(things) > 2:
            things.pop()
    return seen, things


def cut_while_one_goes(n):
    things, seen = numbers(n), []
    for value in itertools.islice(things, 1, 6, 2):
        seen.append(value)
        if len(things) > 3:
            things.pop()
            things[2] = 7
    return seen, things


def cut_to_the_end_while_some_come(n):
    things, seen = numbers(n), []
    for value in itertools.islice(things, 1, None, 3):
        seen.append(value)
        if len(things) < 20:
            things.append(value)
    return seen, things


def known_with_places_while_some_come(x):
    things, seen = [x, 2, 3], []
    for place, value in enumerate(things):
        seen.append(value)
        if place < 4:
            things.append(x + place)
    return seen


def known_from_the_end_while_two_go(x):
    things, seen = [x, 2, 3, 4, 5], []
    for value in reversed(things):
        seen.append(value)
        if value == 4:
            del things[1:]
    return seen


def known_from_the_end_after_two_went(x):
    things = [x, 2, 3]
    backwards, rest = reversed(things), reversed(things)
    first = next(rest)
    things.pop()
    return list(backwards), first, list(rest)


def known_side_by_side_while_one_goes(x):
    things, seen = [x, 2, 3, 4], []
    for a, b in zip(things[1:], things):
        seen.append(a * b)
        things.pop()
    return seen


def found_and_deleted(n):
    things = numbers(n)
    for place, value in enumerate(things):
        if value > 8:
            del things[place]
            break
    return things


def all_from_the_end_after_some_came(n):
    things = numbers(n)
    backwards = reversed(things)
    things.append(1)
    return list(backwards)


def cut_by_no_step(n):
    return list(itertools.islice(numbers(n), 1, 4, 0))


def cut_before_the_first(n):
    return list(itertools.islice(numbers(n), -1))


WHOLE = [
    from_the_end_while_two_go,
    from_the_end_while_some_come,
    with_places_while_one_goes,
    with_places_while_some_come,
    side_by_side_while_one_goes,
    mapped_while_one_goes,
    cut_while_one_goes,
    cut_to_the_end_while_some_come,
    known_with_places_while_some_come,
    known_from_the_end_while_two_go,
    known_from_the_end_after_two_went,
    known_side_by_side_while_one_goes,
    found_and_deleted,
    all_from_the_end_after_some_came,
]


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("function", WHOLE)
def test_lists_end_where_they_do_by_then(function: Any, device: str) -> None:
    converted = convert(function, strict=True, device=device)
    for n in (9, 5, 1, 0):
        compare(call(function, (n,)), call(converted, (n,)))


def from_the_end_after_one_went(n):
    things = numbers(n)
    backwards = reversed(things)
    things.append(things.pop() + things.pop())
    return list(backwards)


def a_deque_gets_longer(n):
    things, count = deque(numbers(n)), 0
    for value in things:
        count += 1
        if value == 4:
            things.append(1)
    return count


def a_deque_keeps_its_length(x):
    things, count = deque([x, 0, 0]), 0
    for _ in things:
        count += 1
        things.append(things.popleft())
    return count


def a_deque_with_places(n):
    things, seen = deque(numbers(n)), []
    for place, _ in enumerate(things):
        seen.append(place)
        things.pop()
    return seen


def a_deque_in_a_comprehension(n):
    things = deque(numbers(n))
    return [things.pop() for _ in things]


def a_deque_summed_up(n):
    things = deque(numbers(n))
    return sum(value + things.popleft() for value in things)


def a_deque_that_changed_before(n):
    things = deque(numbers(n))
    values = iter(things)
    things.append(1)
    return list(values)


REFUSED = [
    from_the_end_after_one_went,
    a_deque_gets_longer,
    a_deque_keeps_its_length,
    a_deque_with_places,
    a_deque_in_a_comprehension,
    a_deque_summed_up,
    a_deque_that_changed_before,
]


@pytest.mark.parametrize("function", REFUSED)
def test_what_may_be_over_or_raise_is_left_to_python(function: Any) -> None:
    with pytest.raises(StagingError, match="S165-grows"):
        convert(function, strict=True, device="host")(4)
    with pytest.warns(FallbackWarning):
        converted = convert(function, device="host")
        for n in (4, 2):
            compare(call(function, (n,)), call(converted, (n,)))


def deques_run_through(n):
    things = deque(numbers(n), maxlen=4)
    things.append(sum(things))
    doubled = [2 * value for value in things]
    for place, value in enumerate(things):
        doubled[place] += value
    things.popleft()
    return doubled, max(things), sum(value for value in things if value > 3), list(zip(things, doubled))


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_deques_are_run_through_as_they_are(device: str) -> None:
    converted = convert(deques_run_through, strict=True, device=device)
    for n in (9, 4):
        compare(call(deques_run_through, (n,)), call(converted, (n,)))


def deques_that_take_in_themselves(x):
    things, few = deque([1, x]), deque([x, 2], maxlen=3)
    things += things
    things.extend(things)
    few.extend(few)
    return list(things), list(few)


def test_deques_take_in_what_they_had() -> None:
    converted = convert(deques_that_take_in_themselves, strict=True, device="host")
    compare(call(deques_that_take_in_themselves, (5,)), call(converted, (5,)))


@pytest.mark.parametrize("function", [cut_by_no_step, cut_before_the_first])
def test_bounds_of_islice_are_refused_in_pythons_words(function: Any) -> None:
    converted = convert(function, device="host")
    compare(call(function, (5,)), call(converted, (5,)))
