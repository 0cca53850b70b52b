"""The loops of `accuracy="fast"`: within two units in the last place, with NumPy's special values and flags."""

import ctypes
import platform
import warnings

import numpy as np
import pytest

from transpile import convert
from transpile.devices.cpu import fast_loops, ufunc_loops

NAMES = [
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctan2",
    "arctanh",
    "cbrt",
    "cos",
    "cosh",
    "exp",
    "exp2",
    "expm1",
    "hypot",
    "log",
    "log10",
    "log1p",
    "log2",
    "power",
    "sin",
    "sinh",
    "tan",
    "tanh",
]
SPECIAL = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 5e-324, -5e-324, 1e-310, 1e-40, 1e300, -1e300, 1e38]
SPECIAL += [709.7, 710.0, -708.5, -745.0, 88.7, 89.0, -87.4, -103.0, 2.0**30, 2.0**31, 0.5, 2.0, -2.0]
COUNT = 20_000
_C = ctypes.CDLL("libm.so.6") if platform.libc_ver()[0] == "glibc" else None


@pytest.fixture(params=[8, 4])
def width(request, monkeypatch):
    """Vectors of so many doubles, as if NumPy had no vector code for the smaller ones."""
    if fast_loops._width() < request.param:
        pytest.skip("this processor has no such vectors")
    if request.param == 4:
        monkeypatch.setattr(fast_loops, "_width", lambda: 4)
        monkeypatch.setattr(fast_loops, "_features", dict)
    monkeypatch.setattr(fast_loops, "_cells", {})
    fast_loops._library_function.cache_clear()
    yield request.param
    fast_loops._library_function.cache_clear()


def loop(name, character):
    """The loop of a function under fast, as a function of arrays; None where that is NumPy's."""
    ufunc = getattr(np, name)
    numpys = ufunc_loops.find(ufunc, f"{character * ufunc.nin}->{character}")
    if not fast_loops.has(name, numpys):
        return None
    return called(
        ufunc_loops._Cell.from_address(fast_loops._resolve(numpys.symbol.removeprefix("transpile_np_")))
    )


def called(cell):
    """An inner loop as a function of arrays, the last of which it fills."""
    pointers = [ctypes.c_void_p] * 4
    function = ctypes.CFUNCTYPE(None, *pointers)(cell.function)

    def call(*arrays):
        places = (ctypes.c_void_p * len(arrays))(*(array.ctypes.data for array in arrays))
        count = (ctypes.c_int64 * 1)(max(array.size for array in arrays))
        steps = (ctypes.c_int64 * len(arrays))(
            *(array.strides[0] if array.size > 1 else 0 for array in arrays)
        )
        function(places, count, steps, cell.data)
        return arrays[-1]

    return call


def operands(name, dtype):
    """Operands of every size that the function takes."""
    draw = np.random.default_rng(5)
    high = 700 if dtype == np.float64 else 87
    exponents = draw.integers(-500, 500, COUNT) if dtype == np.float64 else draw.integers(-60, 60, COUNT)
    numbers = [
        draw.uniform(-1, 1, COUNT),
        draw.uniform(-high, high, COUNT),
        1 + draw.uniform(-0.1, 0.1, COUNT),
        draw.uniform(-1e6, 1e6, COUNT),
        np.ldexp(draw.uniform(-1, 1, COUNT), exponents),
        np.arange(1, COUNT) * (np.pi / 2),
    ]
    x = np.concatenate(numbers).astype(dtype)
    if getattr(np, name).nin == 1:
        return (x,)
    y = draw.uniform(-5, 5, x.size) if name == "power" else draw.permutation(x)
    return (abs(x) if name == "power" else x), y.astype(dtype)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", NAMES)
def test_results_are_within_two_units_in_the_last_place(name, dtype, width):
    call = loop(name, np.dtype(dtype).char)
    given = operands(name, dtype)
    wide = np.longdouble if dtype == np.float64 else np.float64
    with np.errstate(all="ignore"):
        exact = getattr(np, name)(*(array.astype(wide) for array in given))
        nearest = exact.astype(dtype)
        plain = getattr(np, name)(*given)
        found = call(*given, np.empty_like(given[0])) if call else plain
    finite = np.isfinite(nearest) & np.isfinite(plain)
    unit = np.spacing(abs(nearest[finite])).astype(wide)
    off = abs(found[finite].astype(wide) - exact[finite]) / unit
    assert off.max() <= 2
    assert np.array_equal(found[~finite], plain[~finite], equal_nan=True)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", NAMES)
def test_special_values_and_flags_are_numpys(name, dtype, width):
    """Of normal results it is asked that they are as near as NumPy's."""
    call = loop(name, np.dtype(dtype).char)
    if call is None:
        pytest.skip("NumPy's own loop")
    ufunc = getattr(np, name)
    wanted = f"{np.dtype(dtype).char * ufunc.nin}->{np.dtype(dtype).char}"
    numpys = called(ufunc_loops._cells[ufunc_loops.find(ufunc, wanted).symbol])
    with np.errstate(all="ignore"):
        special = np.array(SPECIAL, dtype)
    for x in special:
        for y in special if ufunc.nin == 2 else (None,):
            given = [np.full(9, one, dtype) for one in (x, y) if one is not None]
            plain, expected = flags(numpys, given)
            found, raised = flags(call, given)
            assert raised == expected, (x, y)
            normal = np.isfinite(plain) & (abs(plain) >= np.finfo(dtype).tiny)
            bits = [array.view(f"u{array.itemsize}") for array in (found, plain)]
            near = abs(np.subtract(*(one.astype(np.int64) for one in bits))) <= 6
            same = (bits[0] == bits[1]) | (np.isnan(found) & np.isnan(plain))
            assert np.where(normal, near, same).all(), (x, y, found, plain)


def flags(call, given):
    """What a loop gives, and the floating-point errors that it raises, inexact results left out."""
    out = np.empty_like(given[0])
    _C.feclearexcept(0x1D)
    call(*given, out)
    return out, _C.fetestexcept(0x1D)


@pytest.mark.parametrize("size", [0, 1, 7, 8, 9, 64, 67])
def test_strides_and_what_fills_no_vector_change_nothing(size, width):
    call = loop("sin", "d")
    x = np.linspace(-9, 9, 3 * size + 2)
    whole = call(x, np.empty_like(x))
    for step in (1, 2, 3, -1):
        part = x[::step][:size]
        out = np.full(2 * size, 7.0)
        call(part, out[::2])
        assert np.array_equal(out[::2], whole[::step][:size]) and (out[1::2] == 7).all()
    y = x.copy()
    assert np.array_equal(call(y, y), whole)


def test_operand_that_stays_is_taken_for_all(width):
    call = loop("hypot", "d")
    x = np.linspace(-9, 9, 21)
    assert np.array_equal(
        call(x, np.array([3.0]), np.empty_like(x)), call(x, np.full(21, 3.0), np.empty_like(x))
    )


def several(x):
    return np.sin(x) * 2 + np.exp(x) - np.hypot(x, 0.5), np.tan(x).sum()


def test_converted_function_is_near_and_warns_as_numpy():
    x = np.random.default_rng(3).normal(size=1003)
    fast = convert(several, strict=True, accuracy="fast")
    for plain, found in zip(several(x), fast(x), strict=True):
        assert type(plain) is type(found)
        np.testing.assert_allclose(found, plain, rtol=1e-13, atol=1e-14)
    if fast_loops._width():
        assert "fast_sin_d_d" in fast.kernels(x)
    x[7] = np.inf
    texts = []
    for function in (several, fast):
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            function(x)
        texts.append([str(one.message) for one in seen])
    assert texts[0] == texts[1] == ["invalid value encountered in sin", "invalid value encountered in tan"]


def sums(m):
    return (
        m.sum(),
        m.sum(axis=1),
        m.mean(axis=0),
        (m * m).sum(),
        np.sqrt(m * m).sum(axis=0),
        m[:, 0].sum(),
        m.sum(dtype="f8"),
    )


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("shape", [(1, 1), (1, 3), (2, 9), (37, 129), (300, 3)])
def test_sums_in_any_order_keep_their_bound(shape, dtype):
    m = np.random.default_rng(3).normal(size=shape).astype(dtype)
    with np.errstate(all="ignore"):
        expected, found = sums(m), convert(sums, strict=True, accuracy="fast")(m)
        bounds = sums(abs(m))
    for plain, fast, bound in zip(expected, found, bounds, strict=True):
        assert type(plain) is type(fast) and plain.dtype == fast.dtype
        unit = np.finfo(plain.dtype).eps / 2 * max(m.size, 1) * 2
        assert (abs(plain - fast) <= bound * unit).all()


def test_accuracy_is_one_of_two():
    with pytest.raises(ValueError, match="accuracy is 'numpy' or 'fast', not 'high'"):
        convert(several, accuracy="high")
