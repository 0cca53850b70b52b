"""What reduces everything it runs over, in an order that does not matter, runs in pieces, which are spread over threads."""

import warnings

import numpy as np
import pytest

import transpile
from transpile.devices.loops import parted
from transpile.devices.loops.statement import For

SIZES = (0, 1, 127, 128, 129, 1000, 4096)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has short loops be parted."""
    monkeypatch.setattr(parted, "_LENGTH", 2)


def pieces(program):
    """Return how many loops over pieces there are."""
    return sum(isinstance(s, For) and s.spread is not None and s.index.name == "piece" for s in program)


def vectors(n):
    random = np.random.default_rng(n)
    return random.random(n) * 2 - 1, random.random(n) + 0.1


@pytest.mark.parametrize("n", SIZES)
def test_counts_are_added_up(short, scheduled, n):
    def function(x, y):
        z = np.exp(x) * np.log(y)
        return z, (np.hypot(x, y) < 1).sum(), np.count_nonzero(z > x)

    # One element is known while tracing.
    assert pieces(scheduled(function, *vectors(n))) == (n != 1)


@pytest.mark.parametrize("n", [0, 1, 64, 65, 200])
def test_rows_are_parted(short, scheduled, n):
    def function(x):
        y = np.empty(x.shape)
        y[:, 1:] = np.exp(x[:, :-1])
        return np.count_nonzero(np.sin(x[:, ::2]) > 0.1), y[:, 1:].sum()

    assert bool(pieces(scheduled(function, vectors(n * 6)[0].reshape(n, 6)))) == (n != 1)


@pytest.mark.parametrize("n", SIZES[1:])
@pytest.mark.parametrize("extreme", [np.max, np.min])
def test_extremes_of_integers(short, scheduled, n, extreme):
    def function(x, y):
        whole = (np.exp(x) * 1000).astype(np.int32)
        return extreme(whole), (np.sin(x) > np.cos(y)).any(), whole

    scheduled(function, *vectors(n))


def test_what_has_an_order_is_not(short, scheduled):
    def function(x, y):
        return np.exp(x).sum(), np.sin(x).max(), (np.exp(x) > y).any(), np.argmax(np.exp(x))

    assert pieces(scheduled(function, *vectors(1000))) == 0


def test_what_stores_over_what_is_read_elsewhere_is_not(short, scheduled):
    def function(x, y):
        x[1:] = np.exp(y[1:]) * np.log(x[:-1] + 2)
        return np.count_nonzero(np.exp(x[:-1]) > y[1:])

    scheduled(function, *vectors(1000))


def test_sums_in_any_order_are(short):
    @transpile.convert(strict=True, accuracy="fast")
    def function(x, y):
        return (np.exp(x) * np.sin(y)).sum()

    for n in SIZES:
        x, y = vectors(n)
        np.testing.assert_allclose(function(x, y), (np.exp(x) * np.sin(y)).sum(), rtol=1e-12, atol=1e-12)


def test_errors_in_any_piece_are_told_of():
    def function(x, y):
        return np.log(x) / np.sqrt(y), np.count_nonzero(np.exp(x) > y)

    converted = transpile.convert(function, strict=True)
    for n, place, value in ((100_000, 5, 0.0), (100_000, 99_999, -1.0), (200_000, 150_000, 1.0)):
        x, y = vectors(n)
        x = np.abs(x) + 0.5
        x[place] = value
        told = []
        for run in (function, converted, converted):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                found = run(x, y)
            told.append(sorted(str(warning.message) for warning in caught))
            np.testing.assert_array_equal(found[0], np.log(x) / np.sqrt(y) if value > 0 else found[0])
        assert told[0] == told[1] == told[2] and bool(told[0]) == (value <= 0)


def test_one_thread_runs_no_pieces():
    @transpile.convert(strict=True, parallel=False)
    def function(x, y):
        return np.count_nonzero(np.hypot(x, y) < 1)

    assert "piece" not in function.kernels(*vectors(9))
