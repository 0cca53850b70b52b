"""Numbers whose type depends on the way control took are made Python's on each way."""

import numpy as np
import pytest

import transpile


def walked(places, turns):
    place = np.argmax(places)
    for _ in range(turns):
        place = places[int(place)]
    return place


def halved(x, turns):
    number = 3
    total = 0.0
    for k in range(turns):
        total += float(number) + int(number)
        if x[k] > 0.5:
            number = number / 2
        else:
            number = k
    return total


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    ("function", "values"),
    [(walked, np.array([1.0, 2.0, 3.0, 0.0, 5.0, 2.0])), (halved, np.array([0.1, 0.9, 0.7, 0.2, 0.6]))],
)
def test_no_way_is_left_to_the_original(function, values, device):
    converted = transpile.convert(function, strict=True, device=device)
    for turns in range(6):
        turns = min(turns, len(values) - 1)
        found, expected = converted(values, turns), function(values, turns)
        assert type(found) is type(expected) and found == expected
    assert not any(entry.deoptimised for entry in converted.calls.entries)


def raised(x, y, z, k, n):
    return [z ** (y if i == k else x) for i in range(n)]


def larger(x, y, z, k, n):
    return [max(y if i == k else x, z) for i in range(n)]


def by_ufuncs(x, y, z, k, n):
    number = y if n == k else x
    return np.add(number, z), np.negative(number), np.equal(number, z), number + z, -number, number == z


def outcome(function, arguments):
    try:
        return repr(function(*arguments))
    except (TypeError, ValueError) as error:
        return repr(error)


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        *((by_ufuncs, (0.0, np.float64(2.0), z, k, 3)) for z in (0, 2.5, np.float64(2)) for k in (1, 3)),
        *((by_ufuncs, (0, np.int64(2), z, k, 3)) for z in (0, 2.5, np.int64(2)) for k in (1, 3)),
        (raised, (-7, np.int64(0), 2, 1, 3)),
        (raised, (np.int64(2), -1, 3, 1, 3)),
        (raised, (np.int64(-2), 1, 3, 1, 3)),
        (larger, (0.0, np.float64(2.0), 1j, 1, 3)),
        (larger, (np.float64(2.0), 0.0, 1j, 5, 3)),
    ],
)
def test_each_way_raises_what_it_raises(function, arguments, device):
    converted = transpile.convert(function, device=device)
    for _ in range(2):
        assert outcome(converted, arguments) == outcome(function, arguments)


def made_of_one_or_none(x, n):
    values = None if n > 1 else x
    return np.vectorize(lambda v: v + 1)(values), np.asarray(values)


def shaped(x, n):
    number = None if n > 1 else x
    return np.transpose(number), np.squeeze(number), np.copy(number), np.round(number), np.real(number)


def compared_with_an_array(x, y, n):
    values = x if n > 1 else 2.5
    return values > y, values == y, y < values


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        *((made_of_one_or_none, (x, n)) for x in (np.arange(3), np.array([True, False])) for n in (1, 2)),
        *((shaped, (x, n)) for x in (np.int8(-7), np.float32(2.5), 3, 2.5) for n in (1, 2)),
        *((compared_with_an_array, (x, np.arange(3), 2)) for x in ((1.5, 2), (1, 2, 0), [0, 1, 2], [1])),
    ],
)
def test_what_may_be_no_number_is_taken_for_what_it_is(function, arguments, device):
    converted = transpile.convert(function, device=device)
    for _ in range(2):
        assert outcome(converted, arguments) == outcome(function, arguments)
