"""Kernels draw the numbers that NumPy draws, in its order, and leave its generators in the state that it leaves them in."""

import sys

import numpy as np
import pytest

import transpile
from transpile.devices.cpu import generators, random_numbers, upcall

from ...end_to_end.comparison import differences

BITS = [np.random.PCG64, np.random.MT19937, np.random.Philox, np.random.SFC64, np.random.PCG64DXSM]
EXPORTED = sys.platform == "linux"


def state_of(generator):
    if isinstance(generator, np.random.RandomState):
        return repr(generator.get_state(legacy=False))
    return repr(generator.bit_generator.state)


def floats(rng, k, a, b):
    return np.array([
        rng.random(), rng.random(dtype=np.float32), rng.standard_normal(), rng.standard_normal(dtype=np.float32), rng.standard_exponential(),
        rng.standard_exponential(dtype=np.float32), rng.standard_exponential(method="inv"), rng.normal(), rng.normal(a, b), rng.normal(k, scale=b),
        rng.uniform(), rng.uniform(-a, b), rng.uniform(k, high=99), rng.exponential(), rng.exponential(b), rng.laplace(a, b), rng.logistic(a, b),
        rng.gumbel(a, b), rng.lognormal(0.1, 0.5), rng.vonmises(0.1, b), rng.gamma(b), rng.gamma(a, b), rng.beta(a, b), rng.wald(a, b), rng.f(a, b),
        rng.standard_gamma(a), rng.standard_gamma(a, dtype=np.float32), rng.chisquare(a), rng.rayleigh(b), rng.pareto(a), rng.power(a), rng.weibull(a),
        rng.standard_t(a), rng.standard_cauchy(), rng.triangular(-1, 0.5, 2), rng.noncentral_chisquare(a, b),
    ])  # fmt: skip


def integers(rng, k, a, b):
    return [
        rng.poisson(a), rng.poisson(100.0), rng.binomial(k, 0.3), rng.binomial(1000, 0.3), rng.binomial(k, 0.3), rng.geometric(0.2),
        rng.logseries(0.3), rng.zipf(2.5), rng.integers(10), rng.integers(-k, k), rng.integers(0, k, endpoint=True), rng.integers(0, 1 << 40),
        rng.integers(5, dtype=np.int32), rng.integers(-5, 5, dtype=np.int8), rng.integers(5, 9, dtype=np.uint16), rng.integers(0, 2, dtype=bool),
        rng.integers(0, 200, dtype=np.uint8), rng.integers(3, 1 << 40, dtype=np.uint64), rng.integers(0, 2**32, dtype=np.uint32),
        rng.integers(k, dtype=int), rng.integers(-(2**31), 2**31, dtype=np.int32), rng.integers(-(2**63), 2**63 - 1), rng.integers(k, k + 1),
        rng.random(), rng.hypergeometric(5, 5, 3), rng.choice(7), rng.choice(k),
    ]  # fmt: skip


def arrays(rng, n, a, b):
    return [
        rng.random(n), rng.random((2, n)), rng.random((n, 3), dtype=np.float32), rng.random(n, np.float32), rng.standard_normal(n),
        rng.standard_normal(n, dtype=np.float32), rng.standard_exponential(n), rng.standard_exponential((n,), dtype=np.float32),
        rng.standard_gamma(a, n), rng.standard_gamma(a, n, np.float32), rng.normal(a, b, (n, n)), rng.uniform(-a, b, n), rng.exponential(b, size=n),
        rng.gamma(a, b, n), rng.beta(a, b, n), rng.laplace(size=n), rng.triangular(0, 1, 2, n),
    ], [
        rng.poisson(a, n), rng.binomial(10, 0.4, n), rng.integers(0, n, n), rng.integers(-3, 3, n, dtype=np.int8),
        rng.integers(0, 3, (n, 2), dtype=np.int16), rng.integers(0, 2, n, dtype=bool), rng.integers(0, 2**33, n, endpoint=True),
        rng.integers(0, 77, n, dtype=np.int32), rng.integers(7, size=n, dtype=np.uint32), rng.geometric(0.3, n), rng.zipf(2.0, n), rng.choice(5, n), rng.permutation(n), rng.permutation(1000),
    ]  # fmt: skip


def of_state(state, n, a, b):
    return [
        state.rand(), state.rand(n), state.rand(n, 2), state.randn(), state.randn(n), state.random_sample(), state.random_sample(n), state.random(),
        state.random((2, n)), state.standard_normal(), state.normal(a, b), state.normal(a, b, n), state.normal(), state.uniform(-a, b),
        state.uniform(0, b, n), state.exponential(b), state.exponential(b, n), state.standard_exponential(), state.laplace(a, b),
        state.logistic(a, b), state.gumbel(a, b, n), state.triangular(0, 1, 2), state.gamma(a, b), state.standard_normal(3), state.beta(a, b),
        state.chisquare(a, n), state.lognormal(a, b), state.standard_cauchy(),
    ]  # fmt: skip


def integers_of_state(state, n, a, b):
    return [
        state.randint(10), state.randint(-n, n), state.randint(0, n, n), state.randint(0, 9, (n, 2), dtype=np.int8),
        state.randint(0, 2, n, dtype=bool), state.randint(5, dtype=np.uint16), state.randint(0, 2**40), state.randint(0, 2**32, dtype=np.uint32),
        state.poisson(a), state.poisson(a, n), state.poisson(50.0), state.binomial(10, 0.4), state.binomial(10, 0.4, n), state.choice(n), state.permutation(n),
        state.zipf(2.0), state.geometric(0.4),
    ]  # fmt: skip


def of_numpy(n, a, b):
    np.random.seed(n)
    found = [np.random.rand(), np.random.randn(), np.random.normal(a, b), np.random.uniform(-a, b, n)]
    rng, state = np.random.default_rng(n), np.random.RandomState(n)
    total = 0.0
    for _ in range(n):
        total += np.random.exponential(b) + rng.random() + state.randn() + state.rand()
    return found, total, np.random.randint(0, n), np.random.random_sample(n), np.random.standard_normal()


@pytest.mark.parametrize("function", [floats, integers, arrays, of_state, integers_of_state])
def test_numbers_and_state_are_numpys(function):
    converted = transpile.convert(function, strict=True)
    make = np.random.RandomState if function in (of_state, integers_of_state) else np.random.Generator
    for bits in BITS:
        for seed, size in enumerate((1, 2, 7, 500)):
            plain, other = make(bits(seed)), make(bits(seed))
            arguments = (size, 1.5 + seed, 2.5)
            if function in (floats, integers):
                arguments = (size % 90, *arguments[1:])
            assert not differences(function(plain, *arguments), converted(other, *arguments))
            assert state_of(plain) == state_of(other)
    assert converted.cache_info().misses == 1


def test_the_generator_of_numpy_itself_is_left_as_it_leaves_it():
    converted = transpile.convert(of_numpy, strict=True)
    for n in (3, 4, 7):
        expected, state = of_numpy(n, 0.5, 2.5), repr(np.random.get_state(legacy=False))
        np.random.seed(0)
        assert not differences(expected, converted(n, 0.5, 2.5))
        assert repr(np.random.get_state(legacy=False)) == state


def walk(rng, n):
    x = 0.0
    for _ in range(n):
        x += rng.normal(0.0, 1.0)
        if rng.random() < 0.5:
            x -= rng.integers(0, 3)
    return x


@pytest.mark.skipif(not EXPORTED, reason="NumPy's distributions are not exported")
def test_a_loop_asks_for_its_generator_once_and_for_nothing_else(monkeypatch):
    converted = transpile.convert(walk, strict=True)
    plain, other = np.random.default_rng(5), np.random.default_rng(5)
    assert walk(plain, 3) == converted(other, 3)
    asked = []
    acquire = upcall.Call.acquire
    monkeypatch.setattr(upcall.Call, "acquire", lambda call: (asked.append(call), acquire(call)))
    assert walk(plain, 500) == converted(other, 500)
    assert len(asked) == 1


@pytest.mark.parametrize("make", [np.random.default_rng, np.random.RandomState])
def test_what_numpy_refuses_is_raised_where_it_is_drawn(make):
    def normals(rng, scale, x):
        for i in range(len(x)):
            x[i] = rng.normal(0.0, scale[i])

    converted = transpile.convert(normals, strict=True)
    for bad in (-1.0, -0.0, np.nan, 0.0, np.inf):
        scale = np.array([1.0, 2.0, bad, 1.0])
        outcomes = []
        for function in (normals, converted):
            rng, x = make(3), np.zeros(4)
            try:
                function(rng, scale, x)
                error = ""
            except ValueError as raised:
                error = str(raised)
            outcomes.append((error, x.tobytes(), state_of(rng)))
        assert outcomes[0] == outcomes[1]
    assert outcomes[0][0] == "" and converted.cache_info().misses == 1


def bounded(rng, low, high):
    return rng.integers(low, high, dtype=np.int8), rng.uniform(low, high), rng.integers(low, high)


@pytest.mark.parametrize("bounds", [(0, 128), (-129, 3), (5, 5), (7, 3), (2**63 - 1, -(2**63)), (-128, 128)])
def test_bounds_are_those_of_numpy(bounds):
    converted = transpile.convert(bounded, strict=True)
    outcomes = []
    for function in (bounded, converted):
        rng = np.random.default_rng(3)
        try:
            result = repr(function(rng, *bounds))
        except ValueError as raised:
            result = str(raised)
        outcomes.append((result, state_of(rng)))
    assert outcomes[0] == outcomes[1]


def two_normals(state, n):
    x = 0.0
    for _ in range(n):
        x += state.standard_normal() * state.rand() + state.exponential(2.0)
    return x


def test_python_is_called_where_numpy_hands_out_nothing(nothing_kept, monkeypatch):
    monkeypatch.setattr(generators, "_place_of_gauss", lambda: 0)
    monkeypatch.setattr(random_numbers, "is_exported", lambda name: False)
    random_numbers.distribution.cache_clear()
    for function, make in ((walk, np.random.default_rng), (two_normals, np.random.RandomState)):
        converted = transpile.convert(function, strict=True)
        plain, other = make(5), make(5)
        assert function(plain, 30) == converted(other, 30)
        assert state_of(plain) == state_of(other)
    random_numbers.distribution.cache_clear()
