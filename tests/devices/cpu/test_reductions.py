"""NumPy reduces in the order that docs/reductions.md and reduction_order.py say."""

import ctypes
import math

import numpy as np
import pytest

from .reduction_order import BUFFER, reduction_runs


def pairwise(values):
    """The pairwise sum of a run of floats."""
    n = len(values)
    if n < 8:
        total = values.dtype.type(-0.0)
        for value in values:
            total = total + value
        return total
    if n <= 128:
        r = values[:8].copy()
        whole = n - n % 8
        for k in range(8, whole, 8):
            r = r + values[k : k + 8]
        total = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]))
        for value in values[whole:]:
            total = total + value
        return total
    half = n // 2
    half -= half % 8
    return pairwise(values[:half]) + pairwise(values[half:])


def pairwise_complex(values):
    """The pairwise sum of a run of complex numbers."""
    n = len(values)
    if n < 4:
        return values.dtype.type(complex(pairwise(values.real.copy()), pairwise(values.imag.copy())))
    if n <= 64:
        r = values[:4].copy()
        whole = n - n % 4
        for k in range(4, whole, 4):
            r = r + values[k : k + 4]
        total = (r[0] + r[1]) + (r[2] + r[3])
        for value in values[whole:]:
            total = total + value
        return total
    half = (n - n % 8) // 2
    return pairwise_complex(values[:half]) + pairwise_complex(values[half:])


def elements(x, offsets):
    """The elements of an array at byte offsets from its first."""
    where = x.ctypes.data + offsets
    return np.array([(ctypes.c_char * x.itemsize).from_address(a).raw for a in where.tolist()]).view(x.dtype)


def stretches(mask):
    """The slices in which a mask is true."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    return [slice(a, b) for a, b in zip(edges[::2].tolist(), edges[1::2].tolist())]


def model(ufunc, x, axes, dtype, out_strides, mask):
    """The results of a reduction by their byte offsets, computed run by run."""
    dtype = np.dtype(dtype)
    first = ufunc.identity is None
    results = {}
    masks = None if mask is None else mask.strides
    for run in reduction_runs(x.shape, x.strides, axes, dtype.itemsize, dtype != x.dtype, out_strides, masks):
        values = elements(x, run[1]).astype(dtype)
        still = (run[0] == run[0][0]).all()
        for piece in [slice(None)] if mask is None else stretches(elements(mask, run[2])):
            places, part = run[0][piece].tolist(), values[piece]
            if still:
                place = places[0]
                if first and place not in results:
                    results[place], part = part[0], part[1:]
                start = results.get(place, ufunc.identity)
                results[place] = ufunc.reduce(np.ascontiguousarray(part), initial=start)
                continue
            for place, value in zip(places, part):
                if first and place not in results:
                    results[place] = value
                else:
                    results[place] = ufunc(results.get(place, dtype.type(ufunc.identity or 0)), value)
    return results


def random_array(rng, kind, most=30000):
    lengths = [int(n) for n in rng.choice([1, 2, 3, 5, 8, 17, 40, 130, 1000, 9000], rng.integers(0, 5))]
    while math.prod(lengths) > most:
        lengths[lengths.index(max(lengths))] = 2

    def draw(shape):
        values = np.asarray(rng.standard_normal(shape))
        if kind[0] == "c":
            values = values + 1j * rng.standard_normal(shape)
        return np.asarray(values * 100 if kind[0] in "i?" else values).astype(kind)

    layout = rng.integers(0, 5)
    if layout == 1:
        x = np.asarray(draw(lengths), order="F")
    elif layout == 2:
        steps = tuple(slice(None, None, int(rng.choice([2, -2]))) for _ in lengths)
        x = np.asarray(draw([2 * n for n in lengths])[steps])
    elif layout == 3:
        inside = tuple(slice(0, n) for n in lengths)
        x = np.asarray(draw([n + int(rng.integers(0, 3)) for n in lengths])[inside])
    else:
        x = draw(lengths)
    if rng.random() < 0.4:
        x = x.transpose(rng.permutation(x.ndim))
    if rng.random() < 0.2:
        x = np.broadcast_to(x, (int(rng.integers(1, 4)), *x.shape)) if rng.random() < 0.5 else x[..., None]
    return x


@pytest.mark.parametrize("seed", range(6))
def test_runs_are_numpys_for_any_layout(seed, same_bits):
    rng = np.random.default_rng(seed)
    for _ in range(60):
        ufunc = [np.add, np.add, np.multiply, np.maximum][rng.integers(0, 4)]
        kind = str(rng.choice(["f4", "f8", "f2", "i4", "?"] + ["c8", "c16"] * (ufunc is np.add)))
        dtype = kind
        if ufunc is not np.maximum and (kind in ("i4", "?") or (kind in ("f4", "f2") and rng.random() < 0.5)):
            dtype = "f8"
        x = random_array(rng, kind)
        axes = sorted(rng.permutation(x.ndim)[: rng.integers(0, x.ndim + 1)].tolist())
        given, mask, options = None, None, {}
        if ufunc is not np.maximum and rng.random() < 0.25:
            mask = np.asarray(rng.random(x.shape) < 0.8, order=str(rng.choice(["C", "F"])))
            options["where"] = mask
        if rng.random() < 0.25:
            lengths = [2 * x.shape[k] for k in range(x.ndim) if k not in axes]
            out = np.asarray(np.zeros(lengths[::-1], dtype).T[tuple(slice(None, None, 2) for _ in lengths)])
            options["out"], given = out, out.strides
        with np.errstate(all="ignore"):
            expected = np.asarray(ufunc.reduce(x, axis=tuple(axes), dtype=dtype, **options))
            results = model(ufunc, x, axes, dtype, given, mask)
        found = np.full(expected.shape, ufunc.identity or 0, dtype)
        for index in np.ndindex(*expected.shape):
            moves = zip(index, expected.strides, expected.shape)
            place = sum(k * step for k, step, length in moves if length != 1)
            found[index] = results.get(place, found[index])
        same_bits(found, np.ascontiguousarray(expected).reshape(expected.shape))


@pytest.mark.parametrize("kind", ["f4", "f8", "c8", "c16"])
def test_a_run_is_summed_pairwise(kind, rng, same_bits):
    x = (rng.standard_normal(20000) * 10.0 ** rng.uniform(-3, 3, 20000)).astype(kind)
    if kind[0] == "c":
        x = x + x.dtype.type(1j) * x[::-1]
    total = pairwise_complex if kind[0] == "c" else pairwise
    for n in [*range(300), 511, 512, 513, 1000, 1023, 1025, 4097, 9999, 20000]:
        same_bits(x.dtype.type(0) + total(x[:n]), np.add.reduce(x[:n]))


def test_halves_are_summed_in_single_precision(rng, same_bits):
    x = rng.standard_normal(2000).astype("f2")
    for n in (5, 100, 129, 2000):
        same_bits(np.float16(np.float32(0) + pairwise(x[:n].astype("f4"))), np.add.reduce(x[:n]))


def test_contiguous_operands_are_summed_as_the_table_says(rng, same_bits):
    a, b, c = 5, 300, 150
    x = rng.standard_normal((a, b, c))
    zero = np.float64(0.0)

    def one_by_one(rows):
        total = np.zeros(rows.shape[1:])
        for row in rows:
            total = total + row
        return total

    same_bits(x.sum(), zero + pairwise(x.ravel()))
    same_bits(np.asfortranarray(x).sum(), zero + pairwise(x.ravel(order="F")))
    same_bits(x[0].sum(axis=1), np.array([zero + pairwise(row) for row in x[0]]))
    same_bits(x[0].sum(axis=0), one_by_one(x[0]))
    runs = np.array([[pairwise(x[i, j]) for j in range(b)] for i in range(a)])
    same_bits(x.sum(axis=(0, 2)), one_by_one(runs))
    same_bits(x.sum(axis=(0, 1)), one_by_one(x.reshape(a * b, c)))
    same_bits(x.sum(axis=1), np.array([one_by_one(plane) for plane in x]))
    same_bits(x[:, :1].copy().sum(axis=(0, 2)), np.array([zero + pairwise(x[:, 0].ravel())]))
    assert np.asfortranarray(x).sum(axis=0).flags.f_contiguous


def test_conversion_cuts_runs_at_the_buffer(rng, same_bits):
    x = rng.standard_normal(3 * BUFFER + 100).astype("f4")
    total = np.float64(0.0)
    for start in range(0, len(x), BUFFER):
        total = total + pairwise(x[start : start + BUFFER].astype("f8"))
    same_bits(np.add.reduce(x, dtype="f8"), total)
    k = rng.integers(-(2**60), 2**60, 2 * BUFFER + 5)
    total = np.float64(0.0)
    for start in range(0, len(k), BUFFER):
        total = total + pairwise(k[start : start + BUFFER].astype("f8"))
    same_bits(k.mean(), total / len(k))
    assert np.getbufsize() == BUFFER


def test_strided_sums_go_through_the_buffer(rng, same_bits):
    def runs(shape):
        x = rng.standard_normal([2 * n for n in shape])[::2, ::2]
        lengths = [len(run[0]) for run in reduction_runs(x.shape, x.strides, (0, 1), 8)]
        total, start, flat = np.float64(0.0), 0, x.ravel()
        for length in lengths:
            total, start = total + pairwise(flat[start : start + length]), start + length
        same_bits(x.sum(), total)
        return lengths

    assert runs((100, 50)) == [5000]
    assert runs((1000, 50))[:2] == [8150, 8150]
    assert runs((3, 4100)) == [4100] * 3


def test_sums_start_from_the_identity():
    zeros = np.full((3, 4), -0.0)
    for total in (zeros.sum(), zeros.sum(axis=0)[0], zeros.sum(axis=1)[0], zeros[:0].sum()):
        assert not np.signbit(total)
    assert np.signbit(np.add.reduce(zeros[0], initial=-0.0))
    assert np.signbit(np.cumsum(zeros[0])).all()
    assert np.signbit(np.multiply.reduce(zeros[0, :1]))
    with pytest.raises(
        ValueError, match="zero-size array to reduction operation maximum which has no identity"
    ):
        np.maximum.reduce(zeros[:, :0], axis=1)
    assert np.maximum.reduce(zeros[:0], axis=1).shape == (0,)


def test_products_and_running_sums_go_one_by_one(rng, same_bits):
    x = rng.standard_normal(3000) * 0.5 + 1
    product, total, totals = np.float64(1), x[0], [x[0]]
    for value in x:
        product = product * value
    for value in x[1:]:
        total = total + value
        totals.append(total)
    same_bits(np.multiply.reduce(x), product)
    same_bits(np.cumsum(x), np.array(totals))


def test_arguments_of_extremes_are_the_first():
    nan = np.nan
    assert (np.argmax([1, nan, 3, nan]), np.argmin([1, nan, 3])) == (1, 1)
    assert (np.argmax([-0.0, 0.0]), np.argmin([0.0, -0.0]), np.argmax([2, 5, 5])) == (0, 0, 1)
    assert np.argmax(np.array([1 + 2j, 1 + 3j])) == 1
    assert np.argmax(np.array([1 + 2j, complex(0, nan), 9])) == 1


@pytest.mark.parametrize("kind", ["?", "i4", "u1", "f2", "f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_means_and_variances_are_made_of_sums(kind, axis, rng, same_bits):
    x = (rng.standard_normal((70, 30)) * 3 + 10).astype(kind)
    if kind[0] == "c":
        x = x + x.dtype.type(1j) * x[::-1]
    n = np.intp(x.size if axis is None else x.shape[axis])

    def divided(total, count):
        wide = np.complex128 if total.dtype.kind == "c" else np.float64
        return np.asarray(np.true_divide(total.astype(wide), count)).astype(total.dtype)

    inexact = np.dtype("f8") if kind[0] in "?iu" else x.dtype
    mean_type = np.dtype("f4") if kind == "f2" else inexact
    same_bits(x.mean(axis), divided(np.asarray(x.sum(axis, dtype=mean_type)), n).astype(inexact))
    if kind == "?":
        return
    mean = divided(np.asarray(x.sum(axis, dtype=inexact, keepdims=True)), n)
    difference = x - mean
    square = np.square(difference)
    if kind[0] == "c":
        square = np.square(difference.real) + np.square(difference.imag)
    real = np.zeros(0, inexact).real.dtype
    variance = divided(np.asarray(square.sum(axis, dtype=real)), n - 1)
    same_bits(x.var(axis, ddof=1), variance)
    same_bits(x.std(axis, ddof=1), np.sqrt(variance))
