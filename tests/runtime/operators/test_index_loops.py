"""Loops over the indices of arrays."""

import warnings

import numpy as np
import pytest

import transpile

from ...end_to_end.comparison import call, compare


def add_at(x, places, values):
    np.add.at(x, places, values)


def add_at_columns(x, places, values):
    np.add.at(x, (slice(None), places), values)


def add_at_mask(x, mask, values):
    np.add.at(x, mask, values)


def add_at_pairs(x, i, j, values):
    np.subtract.at(x, (i, j), values)


def negate_at(x, places):
    np.negative.at(x, places)


def add_at_triples(x, i, j, k, values):
    np.add.at(x, (slice(None), i, j, k), values)


def add_itself(x, places):
    np.add.at(x, places, x[: len(places)])


def grid():
    return np.arange(12.0).reshape(3, 4)


# Places as those of windows of pixels are: what is added to comes first of all, then axes that are broadcast against each other.
COLUMNS = (
    np.array([[0], [2], [1]]),
    np.array([[0, 1, 1, 3]] * 3),
    np.array([[2, 2, 2, 0], [0, 0, 0, 0], [1, 2, 3, 0]]),
)

CALLS = [
    (add_at, (np.zeros(4), np.array([0, 1, 1, -1]), np.arange(4.0))),
    (add_at, (np.zeros(4, np.float32), np.array([[0, 1], [1, 1]]), 0.1)),
    (add_at, (np.zeros(4, np.int8), np.array([0, 0]), 100)),
    (add_at, (np.zeros(4, int), np.array([0, 2]), np.array([1.7, -2.7]))),
    (add_at, (np.zeros(4), np.array([4]), 1.0)),
    (add_at, (np.zeros(4), np.array([0, 1]), np.ones(3))),
    (add_at, (grid(), np.array([2, 0, 2]), np.ones(4))),
    (add_at, (grid(), np.array([2, 0, 2]), np.ones((3, 1)))),
    (add_at, (np.zeros(3), 1, 2.5)),
    (add_at_columns, (grid(), np.array([1, 1]), np.ones((3, 2)))),
    (add_at_mask, (grid(), grid() > 5, 10.0)),
    (add_at_mask, (grid(), np.array([True, False, True]), np.arange(4.0))),
    (add_at_pairs, (grid(), np.array([0, 0, 1]), np.array([3, 3, -1]), np.ones(3))),
    (add_at_pairs, (grid(), np.array([0, 0]), np.array([3, 3, -1]), 1.0)),
    (add_at_pairs, (grid(), np.array([[0], [2]]), np.array([[3, 3, -1]]), np.arange(3.0))),
    (add_at_triples, (np.zeros((2, 3, 4, 4)), *COLUMNS, np.arange(24.0).reshape(2, 3, 4))),
    (negate_at, (grid(), np.array([0, 0, 1]))),
    (add_itself, (np.arange(4.0), np.array([1, 1, 0]))),
]


@pytest.mark.parametrize("device", ("host", "cpu"))
@pytest.mark.parametrize(("function", "arguments"), CALLS)
def test_places_count_as_often_as_they_come(function, arguments, device) -> None:
    converted = transpile.convert(function, device=device)
    expected = call(function, arguments)
    compare(expected, call(converted, arguments))
    assert expected.error is not None or not converted.calls.failures, converted.explain()


def test_places_along_several_axes_are_read_where_they_lie() -> None:
    converted = transpile.convert(add_at_triples, strict=True)
    x, values = np.zeros((2, 3, 4, 4)), np.arange(24.0).reshape(2, 3, 4)
    assert "reshape" not in str(converted.graph(x, *COLUMNS, values))
    assert "empty" not in str(converted.kernels(x, *COLUMNS, values))


def places(x):
    found = []
    for place in np.ndindex(2, 3):
        found.append(x[place])
    for place, value in np.ndenumerate(x):
        if place[0] == place[1]:
            break
        found.append(value)
    for value in np.nditer(x):
        found.append(value * 2)
    return np.array(found), list(np.ndindex(2))


@pytest.mark.parametrize("device", ("host", "cpu"))
def test_indices_come_in_order(device) -> None:
    arguments = (grid(),)
    compare(call(places, arguments), call(transpile.convert(places, strict=True, device=device), arguments))


def together(x, y):
    total, found = 0.0, []
    for value, other in np.nditer((x, y)):
        x[0, 0] += 1
        total = total * 0.5 + value * other
    for parts in np.nditer([x, y, x]):
        found.append(parts[0] - parts[1] * parts[2])
    return total, np.array(found)


def stored(x, y):
    for value, other in np.nditer((x, y)):
        value[...] = other


@pytest.mark.parametrize("function", (together, stored))
def test_several_arrays_are_visited_together(function) -> None:
    one, other = ((grid(), grid() * 3) for _ in range(2))
    expected = call(function, one)
    compare(expected, call(transpile.convert(function, strict=True, device="host"), other))


def gradient(x):
    """Change one element after the other, as derivatives are checked."""
    found = np.zeros_like(x)
    steps = np.nditer(x, flags=["multi_index"], op_flags=["readwrite"])
    while not steps.finished:
        index = steps.multi_index
        before = x[index]
        x[index] = before + 0.5
        above = (x**2).sum()
        x[index] = before - 0.5
        found[index] = above - (x**2).sum()
        x[index] = before
        steps.iternext()
    return found


def elements_and_indices(x):
    total, found = 0.0, []
    for value in np.nditer(x, flags=["multi_index"]):
        total += value
    steps = np.nditer(x, flags=["multi_index"])
    while not steps.finished:
        found.append(float(steps[0]) * steps.multi_index[-1])
        if not steps.iternext():
            found.append(total)
    return found


def indices_in_a_loop(x):
    total = 0.0
    with np.nditer(x, flags=["multi_index"], op_flags=["readwrite"]) as steps:
        for value in steps:
            value[...] = value * steps.multi_index[0]
            total += sum(steps.multi_index)
    return total


@pytest.mark.parametrize("device", ("host", "cpu"))
@pytest.mark.parametrize("function", (gradient, elements_and_indices, indices_in_a_loop))
@pytest.mark.parametrize("shape", ((3, 4), (5,), (2, 3, 4), (1, 3)))
def test_indices_come_with_the_elements(function, shape, device) -> None:
    one, other = ((np.arange(float(np.prod(shape))).reshape(shape),) for _ in range(2))
    expected = call(function, one)
    compare(expected, call(transpile.convert(function, strict=True, device=device), other))


def past_the_end(x):
    steps = np.nditer(x, flags=["multi_index"])
    while not steps.finished:
        steps.iternext()
    return steps.multi_index


def by_loop_and_by_steps(x):
    steps = np.nditer(x, flags=["multi_index"])
    for value in steps:
        x[steps.multi_index] = value + 1
    return steps.finished


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
@pytest.mark.parametrize("function", (past_the_end, by_loop_and_by_steps))
def test_what_an_iterator_over_an_array_says_at_its_end_is_numpys(function) -> None:
    expected = call(function, (grid(),))
    compare(expected, call(transpile.convert(function, device="host"), (grid(),)))


def product_at(x, places, values):
    np.multiply.at(x, places, values)
    return x


def test_products_of_complex_numbers_at_places_have_the_bits_of_numpys_own_loop():
    draw = np.random.default_rng(3)
    x = draw.random(300) * np.exp(1j * draw.random(300))
    places = draw.integers(0, 300, 500)
    expected = product_at(x.copy(), places, x[places][::-1].copy())
    converted = transpile.convert(product_at)
    with pytest.warns(transpile.FallbackWarning, match="S143"):
        assert np.array_equal(converted(x.copy(), places, x[places][::-1].copy()), expected)


def real_parts_at(x, places, values):
    np.add.at(x, places, values)
    return x


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
def test_of_complex_numbers_added_to_real_ones_numpy_warns_once_and_at_their_line() -> None:
    converted = transpile.convert(real_parts_at, device="host")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", np.exceptions.ComplexWarning)
        converted(np.zeros(3), [0, 1, 1], np.full(3, 1j))
    assert [warning.filename for warning in caught] == [__file__]
