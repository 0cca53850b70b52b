"""The keys by which lists are sorted: each is asked for once, while the list that is sorted is empty."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from transpile import convert

from ...end_to_end.comparison import call, compare


def shown(value):
    print("key of", value)
    return -value


def known_lists(x):
    items = [x[0], x[2], x[1]]
    items.sort(key=shown)
    return items, sorted([(x[0], 1), (x[1], 2)], key=lambda pair: shown(pair[0]))


def counting(x):
    items, count = [3, 1, 2], 0

    def key(item):
        nonlocal count
        count += 1
        return x[item - 1] * count

    items.sort(key=key)
    return items, count


def collecting(x):
    seen = []
    return sorted([x[1], x[0], x[2]], key=lambda item: seen.append(item) or item), seen


def looking_into_known_lists(x):
    items, numbers, lengths = [x[0], x[2], x[1]], [2, 3, 1], []
    items.sort(key=lambda item: lengths.append(len(items)) or item)
    numbers.sort(key=lambda number: number * (len(numbers) - 1))
    return items, numbers, lengths


def looking_into_lists(x):
    items = [item for item in x if item > 1]
    before = sum(items)
    items.sort(key=lambda item: (len(items) - 1) * item + sum(items))
    return items, before


def failing(x):
    items = [x[0], 3, 1, 2]
    try:
        items.sort(key=lambda item: [1, 2][item])
    except (IndexError, TypeError):
        items.append(4)
    return items


def changing_known_lists(x):
    items = [3, 1, 2]
    items.sort(key=lambda item: items.append(9) or item)
    return items, x


def changing_lists(x):
    items = [item for item in x if item > 1]
    items.sort(key=lambda item: items.append(item) or item)
    return items


COMPILED = (known_lists, counting, collecting, looking_into_known_lists, looking_into_lists)


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("function", COMPILED, ids=lambda function: function.__name__)
def test_keys_are_asked_for_once_of_a_list_that_is_empty(function: Any, device: str) -> None:
    x = np.array([1.0, 4.0, 2.0])
    converted = convert(function, strict=True, device=device)
    for _ in range(2):
        compare(call(function, (x,)), call(converted, (x,)))


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize("function", [failing, changing_known_lists, changing_lists])
def test_keys_that_fail_or_change_the_list_do_what_they_do_in_python(function: Any) -> None:
    x = np.array([1.0, 4.0, 2.0])
    converted = convert(function, device="host")
    for _ in range(2):
        compare(call(function, (x,)), call(converted, (x,)))
