"""Compiled code gives the warnings of floating-point errors that NumPy gives: as many, in their order, of the same lines."""

import contextlib
import functools
import io
import math
import operator
import sys
import warnings

import numpy as np
import pytest

import transpile


def inverse(x):
    return 1.0 / x


def several(x, y):
    product = x * y
    logarithm = np.log(product)
    return logarithm + product


def shown_in_part(x):
    return (1.0 / x)[1:]


def chosen(x):
    return np.where(x != 0, 1 / x, 0.0)


def unused(x):
    np.log(x)
    return x + 1


def in_place(x):
    x *= 1e200
    x *= 1e200


def multiplied(x):
    y = x * 1e300
    return y @ y, np.dot(y[1:], x[1:])


def overwritten(x):
    y = np.empty(x.shape)
    y[:] = 1.0 / x
    y[:] = 0.0
    return y


def overwritten_after_a_sum(x):
    y = np.empty(x.shape)
    y[:] = 1.0 / x
    z = y + 1.0
    z[:] = x
    y[:] = 0.0
    return y, z


def seen_in_two_parts(x):
    t = 1.0 / x
    return t[1:] + 1.0, t[2:] * 0.5


def in_place_by_several(x, y):
    x *= 1e200
    y -= x
    np.exp(x, out=x)
    x += y


def scaled_to_one(x):
    x -= x.min()
    np.exp(x, out=x)
    x /= x.sum()
    x *= 1e300
    return np.sum(x[1:])


def rows_scaled_to_one(x):
    for row in x:
        row *= 1e3
        row /= row.sum()
    return x.astype(np.float32)


def by_known_numbers(x):
    x *= 0.5
    x += 1e290
    x -= 1e300
    return x / 2.0 * 3 / 0.5 - (1 - x), np.float32(1) - x.astype(np.float32) * np.float32(-1)


def where_underflow_is_told(x):
    with np.errstate(under="warn"):
        x *= 0.5
        x /= 3
    return x


def in_rows(x):
    for row in x:
        row *= 1e200
        row -= row.max()


def after_an_index(x, y, i):
    first = x[i]
    x /= y
    y -= x
    return first * x[i]


def by_products(x, y, z):
    x *= y
    z[:] = x @ y
    x += 1.5 * y.dot(x)


def along_axes(x, y, z):
    for row in x:
        row /= row.sum(axis=0)
    z[:, 0] = -(x * np.log(np.where(y > 0, y, 1))).sum(axis=1)


def with_numbers(x, number):
    x *= x
    x += number * x
    np.maximum(x, number, out=x)


def added(x, y):
    x += y


def divided(x, y):
    np.divide(x, y, out=x)
    return x.shape[0]


def failing(x):
    x /= x[::-1]
    x -= 1.0
    return x[len(x)]


def iterated(c, n):
    z = np.zeros_like(c)
    for _ in range(n):
        z = z * z + c
    return z


def of_scalars(x):
    total = np.float64(0.0)
    for i in range(len(x)):
        total += 1.0 / x[i]
    return total * 1e300


def of_integers(a, b):
    return a // b, a[0] % b[0]


def of_remainders(a, b):
    return np.fmod(a, b), np.divmod(a, b), divmod(a, b)


def of_sums(x):
    return np.sum(x) - x.max()


def partly_ignored(x):
    with np.errstate(divide="ignore"):
        y = 1.0 / x
    return y * 0.0


def cast(x):
    return x.astype(np.int64)


def cast_numbers(x, number):
    y = x * number
    x[1:] = number
    return y, x.dtype.type(number), x > number, x[0] + number, np.full_like(x, number)


def solved(x):
    return np.sort(np.log(x))


def called(x):
    return np.fft.fft(x)


def to_real(x):
    return np.prod(x, dtype=float)


def sums_to_real(x):
    with np.errstate(all="ignore"):
        return np.cumsum(x, dtype=np.float32)


def added_to_real(x):
    return np.add(x, 1, dtype=float, casting="unsafe")


def by_methods(x):
    return np.divide.reduce(x), np.subtract.reduce(x), np.divide.accumulate(x), np.add.reduceat(x, [0, 2])


def at_places(x):
    np.log.at(x, np.array([0, 1]))
    np.fmod.at(x.astype(int), np.array([0, 1]), 0)
    return x


def inverse_of_integers(x):
    return np.reciprocal(x)


def called_whole(x):
    return np.round(x, 3)


def ordered(x, y):
    return x < y, x[0] >= y[0], (x <= y).sum()


def shown(x):
    total = 0.0
    for i in range(len(x)):
        print("at", i, 1.0 / x[i])
        total += np.log(x[i])
    print(total)
    return total


def stored_and_shown(x):
    for i in range(len(x)):
        x[i] = x[i] / (x[i] - 1.0)
        print(x)
    return x.sum()


def spoilt(number):
    """A matrix that can be eliminated, but for a number on its diagonal and one below."""
    a = np.random.default_rng(4).random((21, 21)) + 30 * np.eye(21)
    a[7, 7] = a[12, 3] = number
    return a


ZERO = np.array([1.0, 0.0, 2.0])
SQUARE = np.array([[1e200, 2.0], [3.0, 4.0]])
LARGE = np.array([1e308, 1.0, 1e308])


def wrapped(a):
    total = a[0] * a[1] + a[2]
    a[0] -= a[1]
    return total, -a[1], abs(a[2]), a[2] + 1, np.multiply(a[0], a[1]), -a, a * a, a.sum()


def wrapped_by_functions(a):
    total = operator.mul(a[0], a[1])
    total = operator.iadd(total, a[1])
    total = operator.neg(operator.sub(total, a[2]))
    return total, functools.reduce(operator.mul, a), list(map(operator.add, a, a)), math.prod(a)


def wrapped_from_a_number(a):
    product = 1
    for item in a:
        product = product * item
    return product


def divided_numbers(a):
    return operator.truediv(a[1], a[0]), a[1] / 0, a[1] / a[0]


def hashed(values):
    h = np.uint32(2166136261)
    for i in range(len(values)):
        h = (h ^ values[i]) * np.uint32(16777619)
    return h


def fibonacci(n):
    f = np.zeros(n, dtype=np.int64)
    f[1] = 1
    for i in range(2, n):
        f[i] = f[i - 1] + f[i - 2]
        if i == n - 1:
            print(f[i])
    return f


def wrapped_where_told(a):
    with np.errstate(over="ignore"):
        silent = a[0] * a[1]
    return silent, a[0] * a[1]


def eliminated(a, x):
    for j in range(len(a)):
        d = a[j, j]
        for k in range(j):
            d -= a[j, k] ** 2
        if d < -1e30:
            raise IndexError(f"row {j}")
        a[j, j] = d
        for i in range(j + 1, len(a)):
            s = a[i, j]
            for k in range(j):
                s -= a[i, k] * a[j, k]
            a[i, j] = s / d
        x[j] -= a[j, :j] @ x[:j]
    for i in range(len(x) - 1, -1, -1):
        x[:i] -= x[i] * a[i, :i]


def summed_for_nothing(a, x):
    for j in range(len(a)):
        d = a[j, 1]
        for k in range(len(x)):
            d += x[k] ** 0.5
        for i in range(1, len(a)):
            a[i, 0] = a[i, 0] * d


def filtered(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        inside = np.sqrt(x - 5.0) + 1.0 / x + np.floor_divide(0.0, x)
        with np.errstate(divide="warn"):
            inside += np.log(x)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=DeprecationWarning)
        within = np.log(x)
    return inside, within, np.log(x - 1)


def filtered_in_turns(x):
    total = 0.0
    for value in x:
        if value < 2:
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", category=RuntimeWarning)
                total += 1.0 / value + np.sqrt(value)
        total = np.sqrt(total)
    return total


def filtered_by_action(x):
    with warnings.catch_warnings(action="ignore"):
        y = x / x
    return y % 0.0


CASES = [
    *((wrapped, np.array([np.iinfo(kind).max, 3, np.iinfo(kind).min], kind)) for kind in "bBhHiIlL"),
    (hashed, np.arange(9, dtype=np.uint32)),
    (fibonacci, 100),
    (wrapped_where_told, np.array([2**40, 2**40])),
    (inverse, ZERO),
    (several, ZERO, LARGE),
    (shown_in_part, np.array([0.0, 1.0, 2.0])),
    (shown_in_part, ZERO),
    (multiplied, np.array([1.0, 2.0])),
    (multiplied, np.array([0.0, 1e-300])),
    (overwritten, ZERO),
    (overwritten_after_a_sum, ZERO),
    (seen_in_two_parts, ZERO),
    (seen_in_two_parts, np.array([1.0, 0.0, 2.0, 3.0])),
    (chosen, ZERO),
    (unused, ZERO),
    (in_place, LARGE),
    (in_place_by_several, LARGE.copy(), ZERO),
    (in_place_by_several, np.array([np.inf, 1e308, np.nan]), np.array([np.inf, -1e308, 1.0])),
    (in_place_by_several, np.array([1.0, -2.0, 1e300]), np.ones(3)),
    (scaled_to_one, np.array([1.0, 2.0, 3.0])),
    (scaled_to_one, np.array([1.0, 709.0, 710.7, 710.7])),
    (scaled_to_one, np.array([1.0, np.inf, 709.0])),
    (scaled_to_one, np.array([1.0, np.nan, 2000.0])),
    (scaled_to_one, np.array([1.0, 1.0 + 1e-14] * 5000)),
    (rows_scaled_to_one, np.array([[1e305, 1e305], [1.0, 2.0], [np.inf, 1.0], [np.nan, 1e308]])),
    (rows_scaled_to_one, np.array([[1e305, 1e305], [1.0, 2.0], [-1.0, 1.0]], order="F")),
    (by_known_numbers, np.array([1e308, -1.7e308, 2e-308])),
    (by_known_numbers, np.array([np.inf, -np.inf, np.nan])),
    (where_underflow_is_told, np.array([5e-324, 1.0, 3e-308])),
    (in_rows, np.array([[1e308, 2.0], [3.0, 4.0], [1e200, np.inf]])),
    (after_an_index, LARGE, ZERO, 1),
    (after_an_index, LARGE, ZERO, 3),
    (by_products, SQUARE, SQUARE, np.ones((2, 2))),
    (by_products, 1e100 * SQUARE, SQUARE, np.ones((2, 2))),
    (by_products, np.ones((2, 2)), SQUARE, np.ones((2, 2), np.float32)),
    (by_products, np.array([[np.inf, 1], [1, 2]]), -np.ones((2, 2)), np.ones((2, 2))),
    (along_axes, SQUARE, SQUARE, np.ones((2, 2))),
    (along_axes, np.full((2, 2), 1e308), SQUARE, np.ones((2, 2), np.float32)),
    (along_axes, np.zeros((2, 2)), SQUARE, np.ones((2, 2))),
    (along_axes, SQUARE, np.full((2, 2), np.inf), np.ones((2, 2))),
    (with_numbers, np.ones(3, np.float32), 1e300),
    (with_numbers, np.full(3, 1e30, np.float32), 2.0),
    (with_numbers, np.ones(3, np.float16), -1e5),
    (added, LARGE, LARGE),
    (added, np.array([np.inf, 1e308]), np.array([-np.inf, 1e308])),
    (divided, ZERO, np.zeros(3)),
    (failing, ZERO),
    (iterated, np.linspace(-3, 3, 50), 30),
    (iterated, np.linspace(-3, 3, 50) * (1 + 1j), 30),
    (of_scalars, ZERO),
    *((wrapped_by_functions, np.array([100, 3, 100], kind)) for kind in "bBhl"),
    (wrapped_by_functions, np.array([2**62, 3, -(2**63)])),
    (wrapped_from_a_number, np.array([2**62, 2, 5])),
    (wrapped_from_a_number, np.array([100, 3, 1], np.int8)),
    *((divided_numbers, np.array([0, 3], kind)) for kind in "bBlL?fd"),
    (of_integers, np.arange(3), np.zeros(3, int)),
    (of_integers, np.array([-128, 1], np.int8), np.array([-1, 1], np.int8)),
    (of_remainders, np.arange(3), np.zeros(3, int)),
    (of_remainders, np.array([-128, 1], np.int8), np.array([-1, 1], np.int8)),
    (of_sums, np.array([np.inf, -np.inf])),
    (partly_ignored, ZERO),
    (cast, np.array([np.nan, 1.0])),
    (cast_numbers, np.ones(3, np.float32), 1e39),
    (cast_numbers, np.ones(3, np.float32), -2.5),
    (cast_numbers, np.ones(3, np.float32), np.inf),
    (cast_numbers, np.ones(3, np.float16), 10**6),
    (cast_numbers, np.ones(3, np.complex64), 1e300),
    (solved, ZERO),
    (shown, ZERO),
    (stored_and_shown, ZERO),
    (called, np.full(3, 1e308)),
    (to_real, np.array([1 + 1j, 2])),
    (sums_to_real, np.array([1 + 1j, 2])),
    (added_to_real, np.array([1 + 1j, 2])),
    (by_methods, np.zeros(4)),
    (by_methods, np.array([1e308, -1e308, 1e308, 1e308])),
    (at_places, ZERO),
    (inverse_of_integers, np.arange(3)),
    (inverse_of_integers, np.arange(3, dtype=np.uint8)),
    (ordered, np.array([complex(np.nan, 1), 1 + 1j]), np.array([1j, 2])),
    (ordered, np.array([complex(1, np.nan), 1 + 1j]), np.array([1 + 1j, 2])),
    (ordered, np.array([complex(1, np.nan), 1 + 1j]), np.array([2 + 1j, 2])),
    (called_whole, np.array([complex(1e308, 1e308), 1])),
    *(
        (eliminated, spoilt(number), np.linspace(1.0, 2.0, 21))
        for number in (0.0, 1e200, -1e200, np.inf, np.nan)
    ),
    (eliminated, spoilt(0.0).astype(np.float32), np.ones(21, np.float32)),
    (summed_for_nothing, np.ones((1, 2)), np.array([1.0, -1.0])),
    (summed_for_nothing, np.ones((3, 2)), np.array([1.0, -1.0])),
    (filtered, ZERO),
    (filtered, np.array([1.0, 2.0, 3.0])),
    (filtered_in_turns, np.array([4.0, 0.0, -1.0])),
    (filtered_by_action, ZERO),
]


def outcome(function, arguments, action, *filters):
    """What a call gives, what its arguments then hold, which warnings it gave, as if it were the first, and what it printed."""
    given = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
    vars(sys.modules[__name__]).pop("__warningregistry__", None)
    text = io.StringIO()
    with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stdout(text):
        warnings.simplefilter(action)
        for pattern, other in filters:
            warnings.filterwarnings(other, pattern, module=__name__)
        try:
            result = function(*given)
        except (RuntimeWarning, IndexError) as error:
            result = str(error)
    said = [(str(w.message), w.category, w.filename, w.lineno) for w in caught]
    return repr(result), repr(given), said, text.getvalue()


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].__name__)
def test_warnings_are_those_of_numpy(case, device):
    function, *arguments = case
    converted = transpile.convert(function, strict=True, device=device)
    for action in ("always", "default", "error", "always", "ignore"):
        expected = outcome(function, arguments, action)
        for _ in range(2):
            assert outcome(converted, arguments, action) == expected, action


def of_known_numbers(x):
    wrapped = np.uint8(100) + 200
    return x / np.float32(1e200), wrapped, np.float64(1) / np.float64(0)


def of_known_numbers_where_told(x):
    with np.errstate(all="ignore"):
        silent = np.float64(1) / np.float64(0)
        with np.errstate(over="warn"):
            return x * silent, np.int8(127) + np.int8(1), np.geterr()


@pytest.mark.parametrize("function", [of_known_numbers, of_known_numbers_where_told])
def test_what_is_known_while_tracing_warns_in_each_call(function):
    converted = transpile.convert(function, device="host")
    for action in ("default", "always", "error", "always"):
        expected = outcome(function, (ZERO + 1,), action)
        for _ in range(2):
            found = outcome(converted, (ZERO + 1,), action, ("of_known_numbers", "ignore"))
            assert found == expected, action


def test_what_is_told_of_known_numbers_compiles():
    def silent(x):
        with np.errstate(all="ignore"):
            return x * (np.float64(1) / np.float64(0)), np.geterr()["over"]

    converted = transpile.convert(silent, strict=True, device="host")
    assert repr(converted(ZERO + 1)) == repr(silent(ZERO + 1))


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    "filters", [[("divide", "ignore")], [(".*zero", "error")], [("zero", "error")]], ids=str
)
def test_filters_tell_warnings_by_their_text(filters, device):
    for function in (several, shown):
        converted = transpile.convert(function, strict=True, device=device)
        arguments = (ZERO, LARGE)[: 1 if function is shown else 2]
        for _ in range(3):
            expected = outcome(function, arguments, "always", *filters)
            assert outcome(converted, arguments, "always", *filters) == expected


@pytest.mark.parametrize(
    "function, arguments", [(iterated, (np.linspace(-3, 3, 50) * (1 + 1j), 30)), (of_scalars, (ZERO,))]
)
def test_calls_that_warn_run_compiled(function, arguments):
    converted = transpile.convert(function, strict=True)
    for _ in range(5):
        outcome(converted, arguments, "always")
    (entry,) = converted.calls.entries
    assert (entry.hits, entry.deoptimised) == (5, 0)


def test_call_that_numpy_warns_of_within_itself_is_watched_once():
    converted = transpile.convert(called, strict=True)
    for _ in range(3):
        assert outcome(converted, [np.full(3, 1e308)], "always") == outcome(
            called, [np.full(3, 1e308)], "always"
        )
    (entry,) = converted.calls.entries
    assert (entry.trace.graph.watched, entry.hits, entry.deoptimised) == (True, 0, 3)


def test_warnings_are_shown_once_for_a_line_as_the_registry_of_its_module_says():
    converted = transpile.convert(inverse, strict=True)
    vars(sys.modules[__name__]).pop("__warningregistry__", None)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(4):
            converted(ZERO)
    assert [w.lineno for w in caught] == [inverse.__code__.co_firstlineno + 1]


def test_no_flags_are_asked_where_nothing_is_to_be_warned_of():
    converted = transpile.convert(inverse, strict=True)
    with np.errstate(all="ignore"):
        assert np.isinf(converted(ZERO)[1])
    (entry,) = converted.calls.entries
    assert (entry.heeds, entry.trace.graph.heeds, entry.deoptimised) == (0, 0, 0)


def test_errors_are_raised_where_numpy_is_told_to_raise_them():
    converted = transpile.convert(inverse, strict=True)
    with np.errstate(divide="ignore"):
        assert np.isinf(converted(ZERO)[1])
    with (
        np.errstate(divide="raise"),
        pytest.raises(FloatingPointError, match="divide by zero encountered in divide"),
    ):
        converted(ZERO)


def test_call_whose_one_op_warns_is_not_run_anew():
    converted = transpile.convert(added, strict=True)
    for _ in range(3):
        assert outcome(converted, [LARGE, LARGE], "always") == outcome(added, [LARGE, LARGE], "always")
    (entry,) = converted.calls.entries
    assert (entry.trace.graph.watched, entry.hits, entry.deoptimised) == (False, 3, 0)


@pytest.mark.parametrize(
    "function, arguments",
    [
        (in_place_by_several, (np.ones(3), np.ones(3))),
        (in_rows, (np.ones((4, 3)),)),
        (scaled_to_one, (np.ones(3),)),
        (after_an_index, (np.ones(3), np.ones(3), 1)),
        (by_products, (np.ones((3, 3)), np.ones((3, 3)), np.ones((3, 3), np.float32))),
        (along_axes, (np.ones((3, 3)), np.ones((3, 3)), np.ones((3, 3), np.float32))),
        (with_numbers, (np.ones(3, np.float32), 2.0)),
    ],
)
def test_no_copy_is_kept_where_all_errors_show_and_each_number_is_computed_once(function, arguments):
    converted = transpile.convert(function, strict=True)
    outcome(converted, arguments, "always")
    (entry,) = converted.calls.entries
    assert (entry.trace.graph.watched, entry.kernel.saved) == (True, [])
    assert entry.kernel.spared


def smoothed(x, n):
    for _ in range(n):
        x[1:-1] += 0.1 * (x[2:] - 2 * x[1:-1] + x[:-2])


def cumulated(x):
    for i in range(1, len(x)):
        x[i] += 0.5 * x[i - 1]


@pytest.mark.parametrize("function, arguments", [(smoothed, (np.ones(9), 3)), (cumulated, (np.ones(9),))])
def test_a_copy_is_kept_where_loops_would_look_at_numbers_again_and_again(function, arguments):
    converted = transpile.convert(function, strict=True)
    outcome(converted, arguments, "always")
    (entry,) = converted.calls.entries
    assert (entry.trace.graph.watched, entry.kernel.saved) == (False, [0])


def raised(x, exponent):
    return x**exponent


@pytest.mark.parametrize("exponents", [(3, 0, 2, -1), (1.5, 2.0, 0.5), (2.0, 3.0, -3.0)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex128])
def test_powers_that_are_not_asked_for_raise_no_flags(exponents, dtype):
    converted = transpile.convert(raised, strict=True)
    for exponent in exponents:
        for numbers in ([0.25, 1.0, 4.0], [0.0, 2.0, 1.0]):
            x = np.array(numbers, dtype) + (exponent < 0)
            x[0] *= -1 if exponent % 1 == 0 else 1
            assert outcome(converted, [x, exponent], "always") == outcome(raised, [x, exponent], "always")
    (entry,) = converted.calls.entries
    assert (entry.trace.graph.watched, entry.deoptimised) == (False, 0)


def means_of_nothing(x, place):
    found = []
    for start in range(2):
        found.append(x[start:start].mean())
    return found, x[place]


def median_of_nothing(x, place):
    return np.median(x[:0]), x[place]


def cast_to_real(x, place):
    real = (x * (1 + 1j)).astype(float)
    return real[place]


def written_as_real(x, place):
    number = x[0] * 1j
    return "%.3f" % number, "%d" % number, f"{number:.2f}", x[place]


@pytest.mark.parametrize("function", [means_of_nothing, median_of_nothing, cast_to_real, written_as_real])
@pytest.mark.parametrize("place", [1, 7])
def test_what_numpy_says_is_said_once(function, place):
    arguments = (np.arange(3.0), place)
    converted = transpile.convert(function)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", transpile.FallbackWarning)
        outcome(converted, arguments, "ignore")
    expected = outcome(function, arguments, "always")
    for _ in range(3):
        assert outcome(converted, arguments, "always") == expected


def spans(x, y):
    return [max(a, b) - min(a, b) for a, b in zip(x, y)]


def above(x, y):
    return [min(a, b) - b for a, b in zip(x, y)], [b - max(a, b) for a, b in zip(x, y)]


def from_python(x, y):
    found = []
    for k in range(len(y)):
        number = 3 if x[k] > 2 else y[k]
        found += [number - y[k], y[k] - number, number - 5]
    return found


@pytest.mark.parametrize("function", [spans, above, from_python])
@pytest.mark.parametrize("floats", ["e", "f", "d", "b"])
@pytest.mark.parametrize("integers", ["B", "b", "h"])
def test_only_the_number_that_there_is_leaves_its_range(function, floats, integers):
    x, y = np.array([1, 100, 3], floats), np.array([2, 7, 120], integers)

    def outcome(function):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            result = repr(function(x, y))
        return result, [(str(each.message), each.lineno) for each in told]

    converted = transpile.convert(function, strict=True)
    assert outcome(converted) == outcome(converted) == outcome(function)


def finite_or_less(x, worst):
    total = x.sum() * 2.0 if len(x) < 2 or x[0] > -5.0 else worst
    if not np.isfinite(total):
        return -np.inf, np.isfinite(x * 3.0)
    return total + np.log(x[1] * x[1] + 1.0), np.isfinite(x * 3.0)


def test_asking_whether_a_number_is_finite_is_no_floating_point_error():
    converted = transpile.convert(finite_or_less, strict=True)
    for first, worst in ((1.0, -np.inf), (-9.0, -np.inf), (-9.0, np.nan), (-np.inf, np.inf)):
        x = np.array([first, 2.0, np.nan] * 7)
        expected, found = finite_or_less(x, worst), converted(x, worst)
        assert np.array_equal(expected[0], found[0], equal_nan=True) and np.array_equal(expected[1], found[1])
    assert [entry.deoptimised for entry in converted.calls.entries] == [0]


def larger_into(x, out):
    return np.maximum(x, 1.0, out)


def smaller_into(x, out):
    np.minimum(x, 1.0, out)


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
@pytest.mark.parametrize("function", [larger_into, smaller_into])
def test_an_output_by_place_is_warned_of_as_often(function):
    converted = transpile.convert(function)
    seen = []
    for run in (function, converted):
        with warnings.catch_warnings(record=True) as shown:
            warnings.simplefilter("always", DeprecationWarning)
            for _ in range(3):
                out = np.zeros(3)
                run(np.arange(3.0), out)
        seen.append((out.tolist(), [(str(each.message), each.lineno) for each in shown]))
    assert seen[0] == seen[1]
