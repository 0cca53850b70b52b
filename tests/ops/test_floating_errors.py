"""What is said of floating-point errors is what NumPy's own flags say, for every ufunc and every kind of number."""

import itertools
import warnings

import numpy as np
import pytest

from transpile.runtime.ops.elementwise import OPERATORS, elementwise_ufuncs
from transpile.runtime.ops.errors_by_numbers import ORDERINGS, WRAPS, is_hidden, is_known
from transpile.runtime.ops.floating_errors import UNDERFLOW, UNSURE, Reporter, heeded
from transpile.runtime.ops.table import TABLE
from transpile.runtime.passes.hazards import TAME


def flags_of(ufunc, operands):
    """The flags that NumPy reports for a call, but for underflow."""
    seen = 0

    def note(kind, flags):
        nonlocal seen
        seen |= flags

    with np.errstate(all="call", call=note):
        ufunc(*operands)
    return seen & ~UNDERFLOW


def numbers(character):
    """Numbers at which something may go wrong."""
    info = np.finfo(character)
    real = [
        0.0,
        -0.0,
        1.0,
        -2.0,
        0.5,
        info.tiny,
        info.max,
        -info.max / 2,
        np.inf,
        -np.inf,
        np.nan,
        100.0,
        -800.0,
        1e25,
    ]
    if np.dtype(character).kind == "f":
        return [*real, info.smallest_subnormal]
    parts = [0.0, 1.0, -2.0, info.max, -info.max / 2, np.inf, np.nan, 1e25]
    return [complex(a, b) for a in parts for b in parts]


def ufuncs():
    """Every ufunc that has a loop of one of these types and gives one result that is no integer."""
    for ufunc in elementwise_ufuncs():
        for character in "fdFD":
            try:
                dtypes = ufunc.resolve_dtypes((np.dtype(character),) * ufunc.nin + (None,) * ufunc.nout)
            except TypeError:
                continue
            same = all(dtype.char == character for dtype in dtypes[: ufunc.nin])
            # NumPy clears the flags after it has computed absolute values.
            told = dtypes[-1].kind in "fc" or (ufunc.__name__ in ORDERINGS and character in "FD")
            if same and ufunc.nout == 1 and told and ufunc.__name__ != "absolute":
                yield ufunc, character


@pytest.mark.parametrize("ufunc, character", list(ufuncs()), ids=lambda part: getattr(part, "__name__", part))
def test_errors_show_in_numbers_as_in_numpys_flags(ufunc, character):
    evaluate = TABLE["float_errors"].evaluate
    kinds = {np.dtype(character).kind}
    name = ufunc.__name__
    for row in itertools.product(numbers(character), repeat=ufunc.nin):
        for size in (1, 9):
            operands = [np.full(size, number, character) for number in row]
            with np.errstate(all="ignore"):
                result = ufunc(*operands)
            expected = flags_of(ufunc, operands)
            assert not (name in TAME and expected and kinds == {"f"}), (row, size)
            if is_known(name, kinds):
                found = int(np.bitwise_or.reduce(evaluate({"of": name}, result, *operands)))
                told, unsure = found & 15, found >> UNSURE
                assert told & ~expected == 0 and expected & ~(told | unsure) == 0, (row, size)
            elif not is_hidden(name, kinds):
                found = int(np.bitwise_or.reduce(evaluate({"of": name}, result)))
                assert found or not expected, (row, size)


@pytest.mark.parametrize("character", "bBlL")
def test_errors_of_integers_show_in_numbers_as_in_numpys_flags(character):
    evaluate = TABLE["float_errors"].evaluate
    info = np.iinfo(character)
    numbers = [info.min, max(info.min, -1), 0, 1, 5, info.max]
    for ufunc in elementwise_ufuncs():
        try:
            dtypes = ufunc.resolve_dtypes((np.dtype(character),) * ufunc.nin + (None,) * ufunc.nout)
        except TypeError:
            continue
        # A call of `power` fails for negative exponents; what 1 / 0 is as an integer, and its flags, are the processor's.
        if dtypes[-1].kind not in "iub" or ufunc.__name__ in ("power", "reciprocal"):
            continue
        if ufunc.__name__ in WRAPS:
            # A matter of scalars.
            continue
        for row in itertools.product(numbers, repeat=ufunc.nin):
            operands = [np.full(9, number, character) for number in row]
            found = 0
            if is_known(ufunc.__name__, {np.dtype(character).kind}):
                with np.errstate(all="ignore"):
                    result = ufunc(*operands)
                for part in result if isinstance(result, tuple) else (result,):
                    found |= int(np.bitwise_or.reduce(evaluate({"of": ufunc.__name__}, part, *operands)))
            assert found == flags_of(ufunc, operands), (ufunc.__name__, row)


@pytest.mark.parametrize("character", "bBhHiIlL")
def test_errors_of_integer_scalars_show_in_numbers_as_their_operators_warn(character):
    evaluate = TABLE["float_errors"].evaluate
    info = np.iinfo(character)
    numbers = {info.min, info.min + 1, info.min // 2, -1, 0, 1, 2, info.max // 2 + 1, info.max - 1, info.max}
    scalars = [np.dtype(character).type(number) for number in numbers if info.min <= number <= info.max]
    for name in sorted(WRAPS):
        count = 1 if name in ("negative", "absolute") else 2
        for operands in itertools.product(scalars, repeat=count):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                result = OPERATORS[name](*operands)
            assert bool(evaluate({"of": name}, result, *operands)) == bool(caught), (name, operands)


def test_what_numpy_is_told_is_asked_anew_where_it_changes():
    with np.errstate(all="ignore"):
        assert heeded() == 0
        with np.errstate(divide="warn", invalid="warn"):
            assert heeded() == 9
        with np.errstate(over="raise"):
            assert heeded() == -1


def test_reporter_says_what_numpy_says_in_its_order():
    namespace = {"__name__": "module"}
    with pytest.warns(RuntimeWarning) as said:
        Reporter("power", "file.py", 7, namespace)(11)
    assert [str(warning.message) for warning in said] == [
        "divide by zero encountered in power",
        "overflow encountered in power",
        "invalid value encountered in power",
    ]
    assert {(warning.filename, warning.lineno) for warning in said} == {("file.py", 7)}
