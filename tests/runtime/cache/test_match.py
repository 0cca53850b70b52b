"""What a match function is made of has names of its own."""

import numpy as np
import pytest

import transpile


def called_type(x, type, len, tuple, ndarray):
    return x * type + len + tuple[0] + ndarray[0]


def called_as_helpers(id, abs, apart, own_memory, ArrayKey, same_number, int):
    id[0] = 2
    return id * abs + apart + own_memory + ArrayKey + same_number + int


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_arguments_are_called_what_they_are_called(device):
    x = np.arange(3.0)
    converted = transpile.convert(called_type, strict=True, device=device)
    for _ in range(3):
        assert repr(converted(x, 2, 3.0, (1.5, 2), x)) == repr(called_type(x, 2, 3.0, (1.5, 2), x))
    converted = transpile.convert(called_as_helpers, strict=True, device=device)
    for _ in range(3):
        given = [x.copy() for _ in range(6)]
        assert repr(converted(*given, 2)) == repr(called_as_helpers(*given, 2))
