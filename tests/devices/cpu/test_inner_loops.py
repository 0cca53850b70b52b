"""NumPy's inner loops give NumPy's bits, from ctypes, from kernels and from kernels stored on disk."""

import ctypes
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numba import float64, njit, void
from numpy.linalg import _umath_linalg as linalg

from transpile.devices.cpu import inner_loops, symbols, ufunc_loops

UFUNCS = list({id(u): u for u in vars(np).values() if isinstance(u, np.ufunc)}.values())
LINALG = [u for u in vars(linalg).values() if isinstance(u, np.ufunc)]
CALLABLE = [(u, t) for u in UFUNCS for t in dict.fromkeys(u.types) if not set(t) & set("OgG")]


def run_loop(found, count, arrays, steps, offsets=None):
    """Call a loop from Python, on arrays and byte steps, as NumPy does."""
    cell = ufunc_loops._cells[found.symbol]
    offsets = offsets or [0] * len(arrays)
    pointers = (ctypes.c_void_p * len(arrays))(*(a.ctypes.data + o for a, o in zip(arrays, offsets)))
    dimensions = (ctypes.c_ssize_t * 1)(count)
    step_table = (ctypes.c_ssize_t * len(steps))(*steps)
    function = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4)(cell.function)
    function(
        ctypes.addressof(pointers), ctypes.addressof(dimensions), ctypes.addressof(step_table), cell.data
    )


def sample(rng, character, size):
    """Values of a type, special ones among them."""
    dtype = np.dtype(character)
    if dtype.kind == "b":
        return rng.integers(0, 2, size).astype(bool)
    if dtype.kind in "iu":
        wide = rng.integers(0, 2**63, size).astype(dtype)
        return np.where(rng.integers(0, 2, size) == 1, wide, rng.integers(0, 9, size).astype(dtype))
    if dtype.kind in "mM":
        return rng.integers(-1000, 1000, size).astype(f"{character}8[s]")
    if dtype.kind == "c":
        z = np.empty(size, dtype)
        z.real, z.imag = sample(rng, z.real.dtype.char, size), sample(rng, z.real.dtype.char, size)
        return z
    x = (rng.standard_normal(size) * 10.0 ** rng.integers(-3, 4, size)).astype(dtype)
    special = np.array([0, -0.0, np.inf, -np.inf, np.nan, 1, -1, 0.5, 2, -2], dtype)
    return np.where(rng.integers(0, 9, size) == 0, rng.choice(special, size), x)


def operands(rng, ufunc, types, size):
    values = [sample(rng, c, size) for c in types.split("->")[0]]
    if "m" in types:
        # Times that would leave their range raise from NumPy 2.5 on.
        values = [v % 9 if v.dtype.kind in "iu" else v for v in values]
    if inner_loops.may_raise(inner_loops.find(ufunc, types)):
        values[1] = np.abs(values[1]) % 5
    return values


def apply(ufunc, types, values):
    with np.errstate(all="ignore"):
        results = ufunc(*values) if set(types) & set("mM") else ufunc(*values, signature=types)
    return list(results) if ufunc.nout > 1 else [results]


def test_every_loop_that_numba_arrays_can_hold_is_found():
    missing = [(u.__name__, t) for u, t in CALLABLE if inner_loops.find(u, t) is None]
    missing += [(u.__name__, t) for u in LINALG for t in u.types if inner_loops.find(u, t) is None]
    assert not missing
    assert len(UFUNCS) >= 90


def test_loops_of_objects_and_long_doubles_are_refused():
    assert inner_loops.find(np.add, "OO->O") is None
    assert inner_loops.find(np.add, "gg->g") is None
    assert inner_loops.find(np.add, "dd->q") is None
    assert inner_loops.find(np.frompyfunc(abs, 1, 1), "O->O") is None


def test_signature_accepts_other_spellings_of_a_type():
    assert inner_loops.signature(np.add, "dd->d") == "dd->d"
    assert inner_loops.signature(np.ldexp, "dl->d") == "dl->d"
    assert inner_loops.signature(np.equal, "lL->?") == "qQ->?"
    assert inner_loops.signature(np.equal, "dL->?") is None


@pytest.mark.parametrize("ufunc", [u for u in UFUNCS if u.signature is None], ids=lambda u: u.__name__)
def test_blocks_of_a_loop_give_the_bits_of_the_ufunc(ufunc, rng, same_bits):
    size, block = 700, 512
    for types in dict.fromkeys(t for u, t in CALLABLE if u is ufunc):
        found = inner_loops.find(ufunc, types)
        values = operands(rng, ufunc, types, size)
        expected = apply(ufunc, types, values)
        results = [np.empty(size, e.dtype) for e in expected]
        arrays = values + results
        steps = [a.itemsize for a in arrays]
        for start in range(0, size, block):
            run_loop(found, min(block, size - start), arrays, steps, [start * s for s in steps])
        for result, wanted in zip(results, expected):
            same_bits(result, wanted)


def test_only_loops_said_to_depend_on_layout_do(rng):
    size, guilty = 600, []
    for ufunc, types in CALLABLE:
        found = inner_loops.find(ufunc, types)
        if ufunc.signature or set(types) & set("mM") or inner_loops.depends_on_layout(found):
            continue
        values = operands(rng, ufunc, types, size)
        expected = apply(ufunc, types, values)
        reversed_values = [np.ascontiguousarray(v[::-1]) for v in values]
        results = [np.empty(2 * size, e.dtype) for e in expected]
        steps = [-v.itemsize for v in values] + [2 * r.itemsize for r in results]
        offsets = [(size - 1) * v.itemsize for v in values] + [0] * len(results)
        run_loop(found, size, reversed_values + results, steps, offsets)
        for result, wanted in zip(results, expected):
            if not np.array_equal(result[::2], wanted, equal_nan=result.dtype.kind in "fc"):
                guilty.append((ufunc.__name__, types))
    assert not guilty


def test_reversed_views_take_the_other_path_as_in_numpy(rng, same_bits):
    x = rng.standard_normal(1000)
    found = inner_loops.find(np.exp2, "d->d")
    result = np.empty_like(x)
    run_loop(found, 1000, [x, result], [-8, 8], [999 * 8, 0])
    same_bits(result, np.exp2(x[::-1]))


def test_loop_in_a_kernel(rng, same_bits):
    exp = inner_loops.loop(np.exp, "d->d")

    @njit(void(float64[:], float64[:], float64[:]), error_model="numpy", nogil=True)
    def kernel(x, y, out):
        t0, t1 = np.empty(512), np.empty(512)
        for start in range(0, len(x), 512):
            m = min(512, len(x) - start)
            for j in range(m):
                t0[j] = -x[start + j] * x[start + j]
            exp(m, t0, 0, 8, t1, 0, 8)
            for j in range(m):
                out[start + j] = t1[j] * y[start + j] + 1.0

    x, y = rng.standard_normal(1300), rng.standard_normal(1300)
    out = np.empty_like(x)
    kernel(x, y, out)
    same_bits(out, np.exp(-x * x) * y + 1.0)


def test_output_with_step_zero_reduces(rng, same_bits):
    add = inner_loops.loop(np.add, "dd->d")

    @njit
    def total(x):
        accumulator = np.zeros(1)
        add(x.shape[0], accumulator, 0, 0, x, 0, x.strides[0], accumulator, 0, 0)
        return accumulator[0]

    x = rng.standard_normal(10_001)
    same_bits(total(x), np.add.reduce(x))
    same_bits(total(x[::3]), np.add.reduce(x[::3]))


def test_generalised_ufuncs_take_core_dimensions_and_steps(rng, same_bits):
    matmul = inner_loops.loop(np.matmul, "dd->d")
    solve = inner_loops.loop(linalg.solve, "dd->d")
    assert inner_loops.find(np.matmul, "dd->d").dimensions == ("n", "k", "m")

    @njit
    def products(a, b):
        (count, n, k), m = a.shape, b.shape[1]
        out = np.empty((count, n, m))
        sa, sb, so = a.strides, b.strides, out.strides
        matmul(count, n, k, m, a, 0, sa[0], b, 0, 0, out, 0, so[0], sa[1], sa[2], sb[0], sb[1], so[1], so[2])
        return out

    @njit
    def solved(a, b):
        out = np.empty_like(b)
        sa, sb, so = a.strides, b.strides, out.strides
        m, n = b.shape
        solve(1, m, n, a, 0, 0, b, 0, 0, out, 0, 0, sa[0], sa[1], sb[0], sb[1], so[0], so[1])
        return out

    a, b = rng.standard_normal((3, 20, 30)), rng.standard_normal((30, 7))
    same_bits(products(a, b), np.matmul(a, b))
    square, right = rng.standard_normal((30, 30)), rng.standard_normal((30, 4))
    same_bits(solved(square, right), np.linalg.solve(square, right))


def test_scalar_loops_give_the_bits_of_the_ufunc_on_scalars(rng, same_bits):
    power = inner_loops.scalar(np.power, "dd->d")
    divmod_ = inner_loops.scalar(np.divmod, "ll->ll")
    isnan = inner_loops.scalar(np.isnan, "d->?")
    multiply = inner_loops.scalar(np.multiply, "FF->F")
    half_exp = inner_loops.scalar(np.exp, "e->e")
    assert inner_loops.scalar(np.matmul, "dd->d") is None

    @njit
    def kernel(x, y, k, m, z, h):
        return power(x, y), divmod_(k, m), isnan(x), multiply(z, z), half_exp(h)

    for _ in range(200):
        x, y = abs(rng.standard_normal()), rng.choice([2.0, 0.5, 1.7])
        z = np.complex64(complex(rng.standard_normal(), rng.standard_normal()))
        h = np.float16(rng.standard_normal())
        found = kernel(x, y, 7, -2, z, h.view(np.uint16))
        same_bits(found[0], np.power(x, y))
        assert found[1:3] == ((-4, -1), False)
        same_bits(np.complex64(found[3]), np.multiply(z, z))
        same_bits(np.uint16(found[4]), np.exp(h).view(np.uint16))


def test_integer_powers_say_that_they_may_raise():
    assert inner_loops.may_raise(inner_loops.find(np.power, "ll->l"))
    assert not inner_loops.may_raise(inner_loops.find(np.power, "LL->L"))
    assert not inner_loops.may_raise(inner_loops.find(np.float_power, "dd->d"))


@pytest.mark.skipif(sys.platform != "linux", reason="flags are raised through glibc")
def test_only_loops_said_to_clear_flags_do():
    libm = ctypes.CDLL("libm.so.6")
    every = 0x1D
    guilty = []
    for ufunc, types in CALLABLE:
        found = inner_loops.find(ufunc, types)
        if ufunc.signature or set(types) & set("mM") or inner_loops.clears_flags(found):
            continue
        arrays = [np.ones(100, c) for c in found.inputs + found.outputs]
        libm.feraiseexcept(every)
        raised = libm.fetestexcept(every)
        run_loop(found, 100, arrays, [a.itemsize for a in arrays])
        if libm.fetestexcept(every) != raised:
            guilty.append((ufunc.__name__, types))
    libm.feclearexcept(every)
    assert not guilty


def test_an_unexpected_layout_gives_no_loop(monkeypatch):
    class Shifted(ctypes.Structure):
        _fields_ = [("shift", ctypes.c_int), *ufunc_loops._UfuncFields._fields_]

    monkeypatch.setattr(ufunc_loops, "_UfuncFields", Shifted)
    assert all(ufunc_loops._read_cell(u, u.types[0]) is None for u in UFUNCS)


SCRIPT = """
import numpy as np
from numba import float64, njit, void
from transpile.devices.cpu import inner_loops, symbols

symbols.register(["transpile_np_tan_d_d", "transpile_np_power_dd_d", "transpile_linalg_det_d_d"])
tan = inner_loops.loop_of(inner_loops.named("transpile_np_tan_d_d"))
power = inner_loops.scalar_of(inner_loops.named("transpile_np_power_dd_d"))
det = inner_loops.loop_of(inner_loops.named("transpile_linalg_det_d_d"))

@njit(void(float64[::1], float64[::1], float64[:, ::1], float64[::1]), cache=True, nogil=True)
def kernel(x, out, a, d):
    tan(x.shape[0], x, 0, 8, out, 0, 8)
    out[0] = power(x[0], 1.7)
    det(1, a.shape[0], a, 0, 0, d, 0, 0, a.strides[0], a.strides[1])

x, a = np.linspace(0.1, 1, 1000), np.random.default_rng(1).random((9, 9))
out, d = np.empty_like(x), np.empty(1)
kernel(x, out, a, d)
expected = np.tan(x)
expected[0] = np.power(x[0], 1.7)
assert out.tobytes() == expected.tobytes()
assert d[0] == np.linalg.det(a)
print(sum(kernel.stats.cache_hits.values()), sum(kernel.stats.cache_misses.values()))
"""


def test_a_stored_kernel_is_linked_again_in_another_process(run_script):
    assert run_script(SCRIPT) == "0 1"
    assert run_script(SCRIPT) == "1 0"


def test_names_that_mean_nothing_are_refused():
    for name in (
        "transpile_np_exp_d_f",
        "transpile_np_nosuch_d_d",
        "transpile_no_exp_d_d",
        "exp",
        "transpile_np_exp",
    ):
        with pytest.raises(LookupError, match=name):
            symbols.register([name])


def test_names_and_loops_are_one_to_one():
    for ufunc, types in CALLABLE:
        found = inner_loops.find(ufunc, types)
        assert inner_loops.named(found.symbol) is found
        assert inner_loops.find(ufunc, types) is found
        assert found.symbol.replace("_", "").isalnum()


def test_threads_may_ask_for_loops_at_once():
    with ThreadPoolExecutor(8) as pool:
        loops = list(pool.map(lambda k: inner_loops.loop(*CALLABLE[k % 50]), range(800)))
    assert len({id(f) for f in loops}) == 50
