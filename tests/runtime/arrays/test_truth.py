"""The truth of values."""

import numpy as np
import pytest

from transpile import convert

from .agreement import agree


@pytest.mark.parametrize(
    "value",
    [
        0,
        3,
        0.0,
        -0.0,
        float("nan"),
        0j,
        1j,
        True,
        np.float32(0),
        np.int8(-1),
        np.bool_(False),
        None,
        "",
        "a",
        [],
        [0],
        (),
    ],
)
def test_the_truth_of_a_value_is_pythons(value: object) -> None:
    agree(lambda x: (1 if x else 2, not x, bool(x)), (value,), strict=False)


@pytest.mark.parametrize("shape", [(), (1,), (1, 1), (0,), (2,), (2, 2)])
def test_an_array_of_one_element_has_a_truth(shape: tuple[int, ...]) -> None:
    agree(lambda x: 1 if x else 2, (np.ones(shape),), (np.zeros(shape, int),), strict=False)


def test_the_truth_of_a_list_that_grew() -> None:
    def program(x):
        found = []
        for value in x:
            if value > 0:
                found.append(value)
        return 1 if found else 2

    agree(program, (np.array([1.0, -1.0]),), (np.array([-1.0]),))


def test_what_is_none_on_one_way_is_false_there() -> None:
    def program(x, least):
        place, others = None, None
        for i in range(len(x)):
            if x[i] > least:
                others = [i, i + 1] if place else []
                place = (i, x[i])
        if not place:
            return -1, 0.0, others
        i, value = place
        return i, value, bool(others)

    agree(program, (np.arange(4.0), 1), (np.arange(4.0), 2), (np.arange(4.0), 9), strict=True)
    converted = convert(program, strict=True, device="host")
    for least in (1, 2, 9):
        assert converted(np.arange(4.0), least) == program(np.arange(4.0), least)
    assert [entry.deoptimised for entry in converted.calls.entries] == [0]
