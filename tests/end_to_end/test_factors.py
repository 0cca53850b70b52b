"""Matrices that kernels factor by NumPy's own loops: bits, errors and warnings are those of numpy.linalg."""

import warnings

import numpy as np
import pytest

from transpile import convert

SIZES = (1, 2, 3, 5, 8, 33, 64, 65, 90)


def matrix(n, dtype="d"):
    rng = np.random.default_rng(n)
    found = rng.normal(size=(n, n)) + n * np.eye(n)
    return found + 1j * rng.normal(size=(n, n)) if dtype == "D" else found.astype(dtype)


def inverts(a):
    return np.linalg.inv(a) * 2


def inverts_views(a):
    total = np.zeros_like(a)
    for k in range(3):
        total += np.linalg.inv(a.T) + np.linalg.inv(a[::-1, ::-1]) * k
    return total, np.linalg.inv(a[::2, ::2].T)


def determines(a):
    return np.linalg.det(a), np.linalg.det(a.T) + 1, np.linalg.det(-a[1:, 1:])


def solves(a):
    x = np.linalg.solve(a, a[0])
    for k in range(2):
        x = x + np.linalg.solve(a, a[:, k % len(a)])
    return x, np.linalg.solve(a.T, a[:, ::2]), np.linalg.solve(a, a.T)


def roots(a):
    squared = a @ a.conj().T
    return np.linalg.cholesky(squared) + 0, np.linalg.cholesky(squared, upper=True) * 2


def spectrum(a):
    squared = a + a.conj().T
    return np.linalg.eigvalsh(squared) + 1, np.linalg.eigvalsh(squared, "U")


def caught(a):
    failed = 0
    total = 0.0
    for k in range(4):
        try:
            total += np.linalg.inv(a * (k % 2))[0, 0]
        except np.linalg.LinAlgError as error:
            failed += len(str(error))
    return total, failed


def caught_roots(a):
    try:
        return np.linalg.cholesky(a - 1e3)
    except np.linalg.LinAlgError as error:
        return str(error)


def in_place(a):
    for k in range(3):
        a[:] = np.linalg.inv(a)
        a[k % len(a)] *= 2


def overflows(a):
    return np.linalg.det(a * 1e200) + 1


def quiet(a):
    with np.errstate(all="ignore"):
        found = np.linalg.det(a * 1e200)
    return found + np.linalg.det(a)


def after_flags(a):
    quotients = a / (a - a[0, 0])
    return quotients, np.linalg.inv(a) + 1, np.linalg.det(a)


def vectors(a):
    symmetric = a + a.conj().T
    return (*np.linalg.eigh(symmetric), *np.linalg.eigh(symmetric[::-1, ::-1], "U"))


def singular(a):
    tall, wide = a[:, : len(a) // 2 + 1], a[: len(a) // 2 + 1]
    return (
        *np.linalg.svd(a),
        *np.linalg.svd(tall, full_matrices=False),
        *np.linalg.svd(wide.T),
        np.linalg.svdvals(wide),
    )


def hermitian(a):
    symmetric = a + a.conj().T
    left, values, right = np.linalg.svd(symmetric, hermitian=True)
    batch = np.linalg.svd(np.stack([symmetric, -symmetric]), full_matrices=False, hermitian=True)
    alone = np.linalg.svd(symmetric, compute_uv=False, hermitian=True)
    strides = str([part.strides for part in (left, right, batch[0], batch[2], alone)])
    return left, values, right, *batch, alone, strides


def scaled(a):
    return *np.linalg.slogdet(a), *np.linalg.slogdet(a.T * 1e200), *np.linalg.slogdet(a * 0)


def unsymmetric(a):
    return np.linalg.eigvals(a + 0j), *np.linalg.eig(a + 0j)


def pseudo(a):
    return (
        np.linalg.pinv(a[:, : len(a) // 2 + 1]),
        np.linalg.pinv(a[:1]),
        np.linalg.pinv(a, 0.2),
        np.linalg.pinv(a * 0),
    )


def in_turns(a):
    total = 0.0
    for k in range(3):
        values, _ = np.linalg.eigh(a + a.conj().T + k)
        total += values[0] + np.linalg.svd(a * (k + 1))[1][-1] + np.linalg.slogdet(a)[1]
    return total


def caught_values(a):
    found = []
    for k in range(3):
        try:
            found.append(np.linalg.svd(a * (np.nan if k == 1 else 1))[1].sum())
        except np.linalg.LinAlgError as error:
            found.append(len(str(error)))
    return found[0], found[1], found[2]


def raised_values(a):
    return np.linalg.eigh(a * np.inf)


FUNCTIONS = [
    inverts, inverts_views, determines, solves, roots, spectrum, caught, caught_roots, in_place, overflows, quiet, after_flags,
]  # fmt: skip


def bits_of(thing):
    if isinstance(thing, (int, str, type)) or thing is None:
        return thing
    numbers = np.array(thing, order="C")
    # The sign of a NaN is nobody's.
    parts = numbers.reshape(-1).view(numbers.real.dtype)
    parts[np.isnan(parts)] = np.nan
    return numbers.dtype, numbers.shape, numbers.tobytes()


def outcome(function, a):
    a = a.copy()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", ".*plain Python.*")
        try:
            result = function(a)
        except Exception as error:
            result = type(error), str(error)
    result = result if isinstance(result, tuple) else (result,)
    bits = [bits_of(thing) for thing in (*result, a)]
    return bits, [(each.category, str(each.message), each.lineno) for each in told]


@pytest.mark.parametrize("dtype", ["d", "D", "f"])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_factors_are_numpys(function, dtype):
    converted = convert(function)
    for n in SIZES:
        a = matrix(n, dtype)
        assert outcome(converted, a) == outcome(function, a), n


# What NumPy gives in several arrays. Not of the largest numbers, in the singular values of which LAPACK goes on without end.
SEVERAL = [vectors, singular, hermitian, scaled, unsymmetric, pseudo, in_turns, caught_values, raised_values]


@pytest.mark.parametrize("dtype", ["d", "D"])
@pytest.mark.parametrize("function", SEVERAL)
def test_factors_in_several_arrays_are_numpys(function, dtype):
    converted = convert(function)
    for n in (1, 3, 64, 65):
        a = matrix(n, dtype)
        assert outcome(converted, a) == outcome(function, a), n
    for a in (np.full((3, 3), np.nan), np.zeros((3, 3))):
        assert outcome(converted, a.astype(dtype)) == outcome(function, a.astype(dtype))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 0.0, 1e308, 5e-324])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_factors_of_what_is_not_regular(function, value):
    converted = convert(function)
    for n in (1, 2, 3, 6):
        for everywhere in (False, True):
            a = matrix(n)
            a[() if everywhere else 0] = value
            assert outcome(converted, a) == outcome(function, a), (n, everywhere)


@pytest.mark.parametrize("function", [inverts, determines, roots, spectrum, overflows])
def test_factors_of_nothing(function):
    assert outcome(convert(function), np.zeros((0, 0))) == outcome(function, np.zeros((0, 0)))


def test_a_matrix_that_is_singular_raises_at_the_line():
    with pytest.raises(np.linalg.LinAlgError, match="Singular matrix") as raised:
        convert(inverts)(np.ones((2, 2)))
    assert any(entry.lineno == inverts.__code__.co_firstlineno + 1 for entry in raised.traceback)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_factors_compile(function):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        convert(function, strict=True)(matrix(3))
