"""One call of an inner loop from memory to memory runs in long blocks: nothing is kept between calls."""

import numpy as np
import pytest

from transpile import convert


def clipped(x, k):
    return np.clip(x, 0.2, 0.8)


def divided(x, k):
    return k // 3


def into_itself(x, k):
    np.clip(x, 0.2, 0.8, out=x)
    return x


def moved(x, k):
    x[1:] = np.clip(x[:-1], 0.2, 0.8)
    return x


def with_more(x, k):
    return np.clip(np.cbrt(x), 0.2, 0.8)


@pytest.mark.parametrize("function", [clipped, divided, into_itself, moved, with_more])
def test_blocks_of_any_length_give_the_bits_of_numpy(function) -> None:
    converted = convert(function, strict=True)
    for size in (0, 1, 511, 8191, 8192, 8193, 20_000):
        x = np.random.default_rng(size).standard_normal(size + 1)
        k = np.arange(-size, size)
        found = converted(x.copy(), k)
        expected = function(x.copy(), k)
        assert found.dtype == expected.dtype
        assert found.tobytes() == expected.tobytes()


def test_only_what_is_one_call_is_in_long_blocks() -> None:
    x, k = np.linspace(-1.0, 1.0, 9), np.arange(9)
    for function, is_long in ((clipped, True), (divided, True), (with_more, False)):
        assert ("8192" in convert(function, strict=True).kernels(x, k)) == is_long
