"""Random numbers are those that NumPy and Python draw, of the same types."""

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import transpile

from ...end_to_end.comparison import differences


def floats(rng, n):
    return [
        rng.random(), rng.random(n), rng.standard_normal(), rng.standard_normal((n, 2)), rng.standard_exponential(n),
        rng.normal(), rng.normal(1.0, 2.0), rng.normal(1, scale=0.5, size=n), rng.uniform(-1, 1), rng.uniform(0.0, n, (2, n)),
        rng.exponential(), rng.exponential(2.0, n), rng.gamma(2.0, 1.5), rng.gamma(2.0, size=n), rng.standard_gamma(2.0, n),
        rng.beta(1.0, 2.0, n), rng.chisquare(3, n), rng.f(2.0, 3.0, n), rng.laplace(size=n), rng.logistic(0.0, 1.0), rng.lognormal(size=n),
        rng.gumbel(0.0, 1.0, n), rng.pareto(2.0, n), rng.power(2.0, n), rng.rayleigh(1.0, n), rng.standard_cauchy(n), rng.standard_t(3, n),
        rng.triangular(0.0, 0.5, 1.0, n), rng.vonmises(0.0, 1.0, n), rng.wald(1.0, 2.0, n), rng.weibull(1.5, n),
        rng.noncentral_chisquare(2.0, 1.0, n), rng.noncentral_f(2.0, 3.0, 1.0, n),
    ]  # fmt: skip


def whole(rng, n):
    return (
        [rng.poisson(3.0), rng.poisson(3.0, n), rng.binomial(10, 0.5), rng.binomial(10, 0.5, (n, n))],
        [rng.geometric(0.5, n), rng.logseries(0.5, n), rng.negative_binomial(3, 0.5, n), rng.zipf(2.0, n)],
        [rng.hypergeometric(5, 5, 3), rng.hypergeometric(5, 5, 3, n)],
    )


def of_generator(rng, n, x):
    rng.shuffle(x)
    return (
        [
            rng.integers(10),
            rng.integers(2, 10, n),
            rng.integers(0, 5, (n, 2), dtype=np.int32),
            rng.integers(3, endpoint=True),
        ],
        [rng.choice(5), rng.choice(5, n), rng.choice(x, n), rng.choice(x), rng.choice(5, 3, replace=False)],
        [rng.permutation(n), rng.permutation(x), rng.normal(x), rng.normal(x, 0.5)],
    )


def of_state(state, n, x):
    state.shuffle(x)
    state.seed(n)
    return (
        [state.randint(10), state.randint(2, 10, n), state.randint(0, 5, (n, 2), dtype=np.int32)],
        [state.choice(5), state.choice(x, n), state.permutation(n), state.permutation(x), state.normal(x)],
    )


def of_numpy(n, x):
    np.random.seed(n)
    np.random.shuffle(x)
    return (
        [
            np.random.rand(),
            np.random.rand(n, 2),
            np.random.randn(),
            np.random.randn(n),
            np.random.random_sample(n),
        ],
        [
            np.random.sample(),
            np.random.ranf(n),
            np.random.random(n),
            np.random.randint(5, size=n),
            np.random.choice(x),
        ],
        [np.random.poisson(2.0), np.random.permutation(n), np.random.uniform(), np.random.standard_normal(n)],
    )


def of_python(generator, n):
    generator.seed(n)
    return (
        [
            generator.random(),
            generator.uniform(0, n),
            generator.gauss(0.0, 1.0),
            generator.randint(0, n),
            generator.randrange(n + 1),
        ],
        [
            random.Random(n).random(),
            generator.expovariate(2.0),
            generator.betavariate(1.0, 2.0),
            generator.triangular(0.0, 1.0, 0.5),
        ],
    )


def made(n):
    rng = np.random.default_rng(n)
    other = np.random.default_rng(rng)
    return rng.random(n), other.random(), other is rng


def of_bits(n):
    found = []
    for bits in (np.random.PCG64(n), np.random.MT19937(n), np.random.Philox(seed=n), np.random.SFC64(n)):
        rng = np.random.Generator(bits)
        found += [
            rng.random(),
            rng.integers(0, 9, n),
            np.random.RandomState(bits).randn(),
            np.random.default_rng(bits).normal(),
        ]
    return found  # fmt: skip


MAKE: list[tuple[Callable[..., Any], Callable[[int], tuple[Any, ...]]]] = [
    (floats, lambda n: (np.random.default_rng(n), n)),
    (floats, lambda n: (np.random.RandomState(n), n)),
    (whole, lambda n: (np.random.default_rng(n), n)),
    (whole, lambda n: (np.random.RandomState(n), n)),
    (of_generator, lambda n: (np.random.default_rng(n), n, np.arange(n * 1.0))),
    (of_state, lambda n: (np.random.RandomState(n), n, np.arange(n * 1.0))),
    (of_numpy, lambda n: (n, np.arange(n * 1.0))),
    (of_python, lambda n: (random.Random(n), n)),
    (made, lambda n: (n,)),
    (of_bits, lambda n: (n,)),
]


@pytest.mark.parametrize(("function", "make"), MAKE)
def test_numbers_are_those_of_the_generator(
    function: Callable[..., Any], make: Callable[[int], tuple[Any, ...]]
) -> None:
    converted = transpile.convert(function, strict=True, device="host")
    for n in (4, 2, 7):
        plain, other = make(n), make(n)
        assert not differences(function(*plain), converted(*other))
        if hasattr(plain[0], "bit_generator"):
            assert plain[0].bit_generator.state == other[0].bit_generator.state
        assert not differences(plain[-1], other[-1])
    assert converted.cache_info().misses == 1


def negative(rng, scale):
    return rng.normal(0.0, scale, 3)


def test_what_the_generator_refuses_is_raised_at_the_line() -> None:
    for device in ("host", "cpu"):
        converted = transpile.convert(negative, strict=True, device=device)
        with pytest.raises(ValueError, match="scale < 0") as caught:
            converted(np.random.default_rng(0), -1.0)
        assert caught.traceback[-1].lineno == negative.__code__.co_firstlineno


def chosen(rng, n, x):
    return (
        [rng.choice(5), rng.choice(n), rng.choice(n, 3), rng.choice(x), rng.choice(x, n), rng.choice(x, size=(n, 2))],
        [rng.choice(n, n, False), rng.choice(x, n, True, np.ones(len(x)) / len(x)), rng.choice(x, replace=False)],
        [rng.choice([1, 2, 3]), rng.choice([0.5, 1.5], n), rng.choice(x[::2])],
        [rng.choice(a=n), rng.choice(a=x, size=3), rng.choice(n, size=())],
        [rng.choice(range(n)), rng.choice(range(2, 3 * n, 3), 4), rng.choice(range(5)), rng.choice(range(n, 0, -1))],
        [rng.choice(range(n), 2, False), rng.choice(range(len(x)), p=np.ones(len(x)) / len(x))],
    )  # fmt: skip


def broadcast(rng, n, x):
    return (
        [rng.normal(x, x + 1), rng.uniform(x[:, None], x + 99), rng.gamma(x + 1, 2.0), rng.poisson(x)],
        [rng.normal(x[0], x), rng.normal(x, 1.0, (2, len(x))), rng.binomial(n, x / 100)],
    )


def of_ranges(rng, n, x):
    k = x.astype(np.int64)
    return rng.integers(0, k + 1), rng.integers(k, k[:, None] + 20), rng.integers(0, k + 3, dtype=np.int8)


def of_old_ranges(rng, n, x):
    k = x.astype(np.int64)
    return (
        rng.randint(0, k + 1),
        rng.randint(k, k[:, None] + 20),
        rng.rand(n, 2),
        rng.randn(),
        rng.random_sample((2, n)),
    )


def vectors(rng, n, x):
    c = np.eye(len(x))
    return (
        [rng.multivariate_normal(x, c), rng.multivariate_normal(x, c, n), rng.multivariate_normal(x, c, size=(2, 2))],
        [rng.dirichlet(x + 1), rng.dirichlet(x + 1, 2), rng.multinomial(9, [0.2, 0.3, 0.5]), rng.multinomial(n, c[0], size=3)],
    )  # fmt: skip


def into(rng, n, x):
    y, z = np.zeros((n, 2)), np.zeros(n, np.float32)
    same = rng.random(out=x) is x
    rng.standard_normal(out=y[1:])
    rng.standard_exponential(dtype=np.float32, out=z)
    rng.standard_gamma(2.0, out=x[1:])
    return same, x, y, z


def permuted(rng, n, x):
    return rng.permuted(x), rng.permuted(np.outer(x, x), axis=1)


def shuffled(rng, n, x):
    y, z = np.outer(x, x), np.arange(n)[::-1]
    found = [
        rng.permutation(n),
        rng.permutation(x),
        rng.permutation(y),
        rng.permutation(1),
        rng.permutation(0),
    ]
    for _ in range(3):
        rng.shuffle(x)
        rng.shuffle(y)
        rng.shuffle(y.T)
        rng.shuffle(z)
        rng.shuffle(x[1:])
    return (
        found,
        [rng.permutation([3, 1, 2]), rng.permutation(x.astype(np.int8)), rng.permutation(x > 1)],
        x,
        y,
        z,
    )


CHOICES = [shuffled, chosen, broadcast, vectors]


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    ("function", "make"),
    [(function, make) for function in CHOICES for make in (np.random.default_rng, np.random.RandomState)]
    + [(of_ranges, np.random.default_rng), (of_old_ranges, np.random.RandomState), (permuted, np.random.default_rng), (into, np.random.default_rng)],
)  # fmt: skip
def test_choices_ranges_and_vectors_are_those_of_the_generator(
    function: Callable[..., Any], make: Callable[[int], Any], device: str
) -> None:
    converted = transpile.convert(function, strict=True, device=device)
    for n in (3, 5, 9):
        plain, other = make(n), make(n)
        assert not differences(
            function(plain, n, np.arange(n * 1.0)), converted(other, n, np.arange(n * 1.0))
        )
        assert plain.random() == other.random()
    assert converted.cache_info().misses == 1


def test_shapes_that_do_not_broadcast_are_refused_as_numpy_does() -> None:
    def normal(rng, x, y):
        return rng.normal(x, y)

    converted = transpile.convert(normal, strict=True)
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match="shape mismatch") as expected:
        normal(rng, np.zeros(3), np.ones(2))
    with pytest.raises(ValueError, match="shape mismatch") as found:
        converted(rng, np.zeros(3), np.ones(2))
    assert str(found.value) == str(expected.value)


def draws_and_leaves(rng, x, n):
    total = 0.0
    for _ in range(n):
        total += rng.random() + rng.standard_normal()
    return total, x[n]


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("make", [np.random.default_rng, np.random.RandomState])
def test_what_was_drawn_is_drawn_anew_where_the_original_takes_over(
    make: Callable[[int], Any], device: str
) -> None:
    converted = transpile.convert(draws_and_leaves, strict=True, device=device)
    plain, other = make(1), make(1)
    for n in (3, 4, 2):
        assert draws_and_leaves(plain, np.arange(5.0), n) == converted(other, np.arange(5.0), n)
    for function, generator in ((draws_and_leaves, plain), (converted, other)):
        with pytest.raises(IndexError):
            function(generator, np.arange(5.0), 5)
    assert plain.standard_normal() == other.standard_normal()


NEW, OLD = np.random.default_rng, np.random.RandomState
X = np.arange(6.0).reshape(2, 3)
ODD: list[tuple[Callable[..., Any], Callable[[int], Any]]] = [
    (lambda r: r.permutation(X, axis=1), NEW),
    (lambda r: r.permutation(X, axis=0), NEW),
    (lambda r: r.permutation((1, 2, 3), axis=0), NEW),
    (lambda r: r.permutation(X, axis=0), OLD),
    (lambda r: r.shuffle(X.copy(), axis=0), NEW),
    (lambda r: r.shuffle(X, axis=1), NEW),
    (lambda r: r.normal(0,1,dtype=np.float64), NEW),
    (lambda r: r.random(out=np.zeros(3)), OLD),
    (lambda r: r.random(dtype=np.float64), OLD),
     (lambda r: r.integers(high=4), NEW),
    (lambda r: r.integers(3, bad=4), NEW),
    (lambda r: r.integers(0,5,3,np.int8), NEW),
    (lambda r: r.permutation(np.int32(5)), NEW),
    (lambda r: r.normal(bad=1), NEW),
    (lambda r: r.normal(0,1,2,3), NEW),
    (lambda r: r.random(3, size=4), NEW),
    (lambda r: r.choice(X, axis=1), NEW),
    (lambda r: r.choice([1, 2, 3], size=()), NEW),
    (lambda r: r.choice(), NEW),
    (lambda r: r.choice([1,2,3], 2, axis=0), NEW),
    (lambda r: r.standard_normal(3, "f4"), NEW),
    (lambda r: r.permutation(2.0), NEW),
    (lambda r: r.choice(2.0), NEW),
    (lambda r: r.shuffle(X, 1), NEW),
    (lambda r: r.multivariate_normal([0,0]), NEW),
    (lambda r: r.random(-1), NEW),
    (lambda r: r.rand(2.0), OLD),
    (lambda r: r.normal(1j), NEW),
    (lambda r: r.normal("a"), NEW),
    (lambda r: r.poisson(-1), NEW),
    (lambda r: r.poisson(1e30), NEW),
    (lambda r: r.binomial(-1, .5), NEW),
    (lambda r: r.binomial(5, 1.5), NEW),
    (lambda r: r.binomial(5.5, .5), NEW),
    (lambda r: r.zipf(.5), NEW),
    (lambda r: r.uniform(-1e308, 1e308), NEW),
    (lambda r: r.triangular(3,2,1), NEW),
    (lambda r: r.integers(2.5), NEW),
    (lambda r: r.integers(0, 2**64, dtype=np.uint64), NEW),
    (lambda r: r.integers(0, 2**63), NEW),
    (lambda r: r.gamma(0.0), NEW),
    (lambda r: r.exponential(0.0), NEW),
    (lambda r: r.standard_gamma(0), OLD),
    (lambda r: r.poisson(0), OLD),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("case", range(len(ODD)))
def test_odd_arguments_are_what_they_are_to_numpy(case: int) -> None:
    function, make = ODD[case]
    outcomes = []
    for called in (function, transpile.convert(function, device="host")):
        try:
            outcomes.append(repr(called(make(1))))
        except Exception as error:
            outcomes.append(f"{type(error).__name__}: {error}")
    assert outcomes[0] == outcomes[1]


def of_nothing(n):
    return np.random.choice(range(n))


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_nothing_can_be_chosen_of_a_range_without_numbers(device: str) -> None:
    converted = transpile.convert(of_nothing, device=device)
    np.random.seed(3)
    theirs = of_nothing(4)
    np.random.seed(3)
    ours = converted(4)
    assert (ours, type(ours)) == (theirs, type(theirs))
    with pytest.raises(ValueError, match="cannot be empty"):
        converted(0)
