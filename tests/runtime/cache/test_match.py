"""What a match function is made of has names of its own."""

import numpy as np
import pytest

import transpile
from transpile.runtime.cache import match


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


def test_long_functions_are_compiled_once(monkeypatch, tmp_path):
    monkeypatch.setenv("TRANSPILE_CACHE_DIR", str(tmp_path))
    short, long = ("def match(x):\n" + "    x += 1\n" * count + "    return x\n" for count in (1, 1000))
    assert match._compiled(short) == match._compiled(short)
    assert not list(tmp_path.rglob("*.matches"))
    first = match._compiled(long)
    (kept,) = tmp_path.rglob("*.matches")
    for damaged in (False, True):
        if damaged:
            kept.write_bytes(b"damaged")
        namespace = {}
        exec(match._compiled(long), namespace)
        assert namespace["match"](1) == 1001
        assert match._compiled(long) == first
