"""Status flags tell in kernels what NumPy warns of."""

import ctypes
import sys

import numpy as np
import pytest
from numba import float32, float64, njit

from transpile.devices.cpu import flags, inner_loops, masks
from transpile.devices.cpu.flags import clear_fp_flags, settled

DIVIDE = 1
status = flags.test_fp_flags


def numpy_flags(function):
    """The flags that NumPy reports for a computation."""
    seen = 0

    def note(kind, flags):
        nonlocal seen
        seen |= flags

    with np.errstate(all="call", call=note):
        function()
    return seen


@pytest.mark.parametrize("size", [1, 3, 100])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_loops_raise_the_flags_that_numpy_reports(size, kind):
    numba_type = float32 if kind is np.float32 else float64

    def compiled(operation):
        namespace = {"clear": clear_fp_flags, "status": status}
        lines = ["def kernel(x, y, out):", "    clear()", "    for k in range(len(x)):"]
        exec("\n".join([*lines, f"        out[k] = x[k] {operation} y[k]", "    return status()"]), namespace)
        return njit([(numba_type[::1],) * 3], error_model="numpy")(namespace["kernel"])

    kernels = {"/": compiled("/"), "*": compiled("*"), "-": compiled("-")}
    info = np.finfo(kind)
    cases = [("/", 1, 0), ("/", 0, 0), ("*", info.max, 2), ("*", info.tiny, info.tiny), ("-", np.inf, np.inf)]
    for operation, a, b in [*cases, ("/", 1, 3), ("-", np.nan, 1)]:
        x, y = np.full(size, 1, kind), np.full(size, 1, kind)
        x[-1], y[-1] = a, b
        ufunc = {"/": np.divide, "*": np.multiply, "-": np.subtract}[operation]
        expected = numpy_flags(lambda x=x, y=y, ufunc=ufunc: ufunc(x, y))
        assert kernels[operation](x, y, np.empty_like(x)) == expected, (operation, a, b)


def test_inner_loops_raise_the_flags_that_numpy_reports():
    log = inner_loops.loop(np.log, "d->d")
    exp = inner_loops.loop(np.exp, "d->d")
    divide = inner_loops.loop(np.floor_divide, "ll->l")

    @njit
    def logs(x, out):
        clear_fp_flags()
        log(len(x), x, 0, 8, out, 0, 8)
        first = status()
        clear_fp_flags()
        exp(len(x), x, 0, 8, out, 0, 8)
        return first, status()

    @njit
    def quotients(x, y, out):
        clear_fp_flags()
        divide(len(x), x, 0, 8, y, 0, 8, out, 0, 8)
        return status()

    for values in ([1.0, 2.0], [0.0, 1.0], [-1.0, 3.0], [1000.0, 1.0], [-1000.0, 1.0], [np.nan, 1.0]):
        x = np.array(values * 10)
        expected = (numpy_flags(lambda x=x: np.log(x)), numpy_flags(lambda x=x: np.exp(x)))
        assert logs(x, np.empty_like(x)) == expected, values
    x, y = np.arange(20), np.arange(20)
    assert quotients(x, y, np.empty_like(x)) == numpy_flags(lambda: x // y) == DIVIDE


def test_scalars_are_settled_before_the_flags_are_read():
    @njit(error_model="numpy")
    def kernel(x, y):
        clear_fp_flags()
        z = settled(x / y)
        return status(), z

    assert kernel(1.0, 0.0) == (DIVIDE, np.inf)
    assert kernel(1.0, 3.0) == (0, 1 / 3)


@pytest.mark.skipif(sys.platform != "linux", reason="the C library has another name")
def test_flags_that_the_c_library_has_raised_are_read_and_cleared():
    library = ctypes.CDLL("libm.so.6")

    @njit
    def cleared():
        before = status()
        clear_fp_flags()
        return before, status()

    cleared()
    # Of an x86, some of them are raised in the unit that kernels do not use.
    for theirs, ours in ((masks.DIVIDE, 1), (masks.OVERFLOW, 2), (masks.UNDERFLOW, 4), (masks.INVALID, 8)):
        library.feraiseexcept(theirs)
        assert cleared() == (ours, 0)
        assert library.fetestexcept(masks.ALL) == 0
        assert cleared() == (0, 0)
