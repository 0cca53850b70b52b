"""NumPy's settings are what they are in plain Python, within a call and after it."""

import contextlib
import io
import warnings

import numpy as np
import pytest

from transpile import convert
from transpile.runtime.errors import StagingError

X = np.arange(6.0) / 7


@pytest.fixture(autouse=True)
def _as_before():
    errors, called, printing = np.geterr(), np.geterrcall(), np.get_printoptions()
    yield
    np.seterr(**errors)
    np.seterrcall(called)
    np.set_printoptions(**printing)


def outcome(function, args):
    """Return what a call gives, prints and warns of, and the settings after it, which are put back."""
    errors, printing, shown = np.geterr(), np.get_printoptions(), io.StringIO()
    with warnings.catch_warnings(record=True) as warned, contextlib.redirect_stdout(shown):
        warnings.simplefilter("always")
        try:
            result = function(*args)
        except ValueError as error:
            result = error
    said = [(str(w.message), w.lineno, w.filename) for w in warned]
    after = np.geterr(), np.get_printoptions()
    np.seterr(**errors)
    np.set_printoptions(**printing)
    return repr(result), shown.getvalue(), said, after


def warns_again(x):
    before = np.seterr(divide="ignore")
    y = np.log(x)
    np.seterr(**before)
    return y, np.log(x - 1.0), before


def is_silent_afterwards(x):
    np.seterr(all="ignore")
    return np.log(x)


def asks(x):
    np.seterr(invalid="ignore")
    with np.errstate(over="ignore"):
        within = np.geterr()
    return within, np.geterr(), np.getbufsize(), np.setbufsize(8192), np.geterrcall(), np.seterrcall(None)


def prints_and_sets(x):
    print("before")
    before = np.seterr(divide="ignore")
    print(np.log(x))
    np.seterr(**before)
    return np.log(x)


def prints_otherwise(x):
    label = f"{len(x)} numbers"
    np.set_printoptions(precision=3)
    print(label, x)
    s = str(x)
    print(f"{x}")
    return s


def prints_otherwise_within(x):
    with np.printoptions(precision=2, suppress=True) as options:
        print(x)
        s = f"{x}"
    print(x)
    return s, options["precision"], np.get_printoptions()["precision"], repr(x)


def prints_otherwise_in_a_loop(x):
    for i in range(len(x)):
        with np.printoptions(precision=2):
            print(x / (i + 1))
    return np.array2string(x)


def sets_and_raises(x):
    np.seterr(all="ignore")
    np.set_printoptions(precision=1)
    print(x)
    for i in range(len(x)):
        if x[i] > 0.5:
            raise ValueError(x[i])
    return x


def is_left_after_it_was_set(x):
    np.set_printoptions(precision=3)
    print(x)
    k = len(x)
    for _ in range(100):
        k = k * 3
    print(x)
    return k


FUNCTIONS = (
    warns_again,
    is_silent_afterwards,
    asks,
    prints_and_sets,
    prints_otherwise,
    prints_otherwise_within,
    prints_otherwise_in_a_loop,
    sets_and_raises,
    is_left_after_it_was_set,
)


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_settings_are_what_they_are_in_plain_Python(function, device):
    converted = convert(function, strict=True, device=device)
    for _ in range(2):
        assert outcome(converted, (X,)) == outcome(function, (X,))
    with np.errstate(divide="ignore"), np.printoptions(precision=5):
        assert outcome(converted, (X,)) == outcome(function, (X,))


def called_of_numpy(x, spacing):
    np.seterr(all="warn")
    return np.gradient(x, spacing)


def called_within_errstate(x, spacing):
    with np.errstate(all="warn"):
        return np.gradient(x, spacing)


def partly_told(x, spacing):
    with np.errstate(divide="warn"):
        y = x / spacing
    return y, np.log(spacing)


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("function", [called_of_numpy, called_within_errstate, partly_told])
@pytest.mark.parametrize("entry", ["ignore", "warn"])
def test_numpy_warns_of_what_only_the_function_has_it_warn_of(function, device, entry):
    converted = convert(function, strict=True, device=device)
    with np.errstate(all=entry):
        found, expected = (outcome(run, (X, np.zeros(6))) for run in (converted, function))
    assert found == expected and expected[2]


def in_a_branch(x):
    if x[0] > 1:
        np.seterr(all="ignore")
    return x


def within_errstate(x):
    with np.errstate(divide="ignore"):
        np.seterr(over="ignore")
    return x


def to_raise(x):
    np.seterr(all="raise")
    return x


def of_run_time(x):
    np.set_printoptions(precision=int(x[0]))
    return x


def of_functions(x):
    with np.printoptions(formatter={"float": lambda number: f"{number:.1f}"}):
        print(x)
    return x


def to_call_its_own(x):
    np.seterrcall(lambda kind, flag: None)
    return x


def after_text(x):
    s = str(x)
    np.set_printoptions(precision=2)
    return s


def another_buffer(x):
    np.setbufsize(16)
    return x


@pytest.mark.parametrize(
    "function",
    [
        in_a_branch,
        within_errstate,
        to_raise,
        of_run_time,
        of_functions,
        to_call_its_own,
        after_text,
        another_buffer,
    ],
)
def test_what_decides_at_run_time_is_refused(function):
    with pytest.raises(StagingError, match="S312-setting"):
        convert(function, strict=True)(X)
    # Nothing is left of what was set while tracing.
    assert np.geterr()["divide"] == "warn" and np.get_printoptions()["precision"] == 8


def kind_of_state(x):
    state = np.errstate(divide="ignore")
    with state:
        return 1 / x, type(state) is np.errstate, state.__class__.__name__


def test_what_holds_settings_is_of_numpys_class() -> None:
    x = np.arange(3.0)
    assert repr(convert(kind_of_state, strict=True, device="host")(x)) == repr(kind_of_state(x))
