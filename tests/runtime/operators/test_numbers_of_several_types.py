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
