"""Programs about arrays: views, layout, aliasing, masks, shapes, dtypes."""

from __future__ import annotations

import numpy as np
import pytest

from .programs import Program, Programs, check, counts, name_of, noise

programs = Programs()


def frozen(array):
    array.flags.writeable = False
    return array


@programs(lambda: (noise(9), 3), lambda: (noise(3), 3), lambda: (counts(6), 2), lambda: (noise(12)[::2], 4))
def moving_windows(x, width):
    out = np.empty(len(x) - width + 1)
    for i in range(len(out)):
        out[i] = x[i : i + width].mean()
    return out


@programs(lambda: (noise(7), noise(3, seed=1)), lambda: (noise(1), noise(1)), lambda: (counts(4), noise(2)))
def convolution(x, kernel):
    n, k = len(x), len(kernel)
    out = np.zeros(n + k - 1)
    for j in range(k):
        out[j : j + n] += kernel[j] * x
    return out


@programs(
    lambda: (noise(6, 7), noise(3, 3, seed=1)),
    lambda: (noise(5, 5).T, np.ones((3, 3), "f4")),
    lambda: (noise(3, 3), noise(3, 3)),
)
def filter_image(image, kernel):
    kh, kw = kernel.shape
    padded = np.pad(image, ((kh // 2, kh // 2), (kw // 2, kw // 2)))
    out = np.zeros_like(image)
    for i in range(image.shape[0]):
        for j in range(image.shape[1]):
            out[i, j] = np.sum(padded[i : i + kh, j : j + kw] * kernel)
    return out


@programs(
    lambda: (noise(5, 6),), lambda: (counts(4, 4, dtype="u1"),), lambda: (np.asfortranarray(noise(4, 5)),)
)
def blur(image):
    result = image.astype(np.float64)
    result[1:-1, 1:-1] = (image[:-2, 1:-1] + image[2:, 1:-1] + image[1:-1, :-2] + image[1:-1, 2:]) / 4
    return result.astype(image.dtype)


@programs(lambda: (counts(6, 8, high=256, dtype="u1"),), lambda: (np.zeros((2, 2), "u1"),))
def otsu(image):
    histogram = np.zeros(256)
    for value in image.ravel():
        histogram[value] += 1
    total = image.size
    summed = np.dot(np.arange(256), histogram)
    weight = background = best = 0.0
    threshold = 0
    for t in range(256):
        weight += histogram[t]
        if weight == 0:
            continue
        rest = total - weight
        if rest == 0:
            break
        background += t * histogram[t]
        difference = background / weight - (summed - background) / rest
        between = weight * rest * difference**2
        if between > best:
            best, threshold = between, t
    return threshold, image > threshold


@programs(
    lambda: (noise(4, 5), 0.2),
    lambda: (noise(0), 0.0),
    lambda: (counts(5), 4),
    lambda: (noise(3, 4, dtype="f4").T, 0.0),
)
def clip_by_masks(x, limit):
    x[x > limit] = limit
    low = x < -limit
    x[low] *= 0.5
    return x, low.sum(), np.count_nonzero(~low)


@programs(
    lambda: (noise(8),),
    lambda: (np.array([-1.0]),),
    lambda: (noise(3) * np.nan,),
    lambda: (counts(5, low=-3),),
)
def safe_logarithm(x):
    out = np.zeros(x.shape)
    good = (x > 0) & np.isfinite(x)
    out[good] = np.log(x[good])
    out[~good] = -1
    return out


@programs(lambda: (noise(6),), lambda: (noise(1),), lambda: (noise(12)[::-2],))
def reversed_twice(x):
    y = x[::-1]
    y[1:] += y[:-1]
    x[:-1] -= x[1:]
    return y, x[::2], x[-1:0:-2]


@programs(lambda: (noise(4, 4),), lambda: (noise(1, 1),), lambda: (np.asfortranarray(noise(3, 3)),))
def write_through_views(a):
    diagonal = a.reshape(-1)[:: a.shape[0] + 1]
    diagonal[...] = 0
    last = a[-1]
    last[:] = 7
    flipped = a.T[::-1]
    flipped[0] += 1
    return last, flipped


@programs(lambda: (noise(3, 4),), lambda: (noise(1, 2),), lambda: (noise(4, 3).T,), lambda: (counts(2, 0),))
def views_of_arguments(a):
    return a, a[0], a.T, a[..., None], a[:, ::-1], a.reshape(-1), a.ravel(), a.copy()


@programs(
    lambda: (lambda x: (x, x))(noise(6)),
    lambda: (lambda x: (x[:-1], x[1:]))(noise(7)),
    lambda: (lambda x: (x[1:], x[:-1]))(noise(7)),
    lambda: (lambda x: (x, x[::-1]))(noise(6)),
    lambda: (noise(6), noise(6, seed=1)),
    gaps="S203-overlap",
)
def add_aliased(x, y):
    for i in range(len(x)):
        x[i] += 0.5 * y[i]
    x += y
    x[1:] = y[:-1]
    return x.sum() - y.sum()


@programs(lambda: (lambda x: (x, x))(noise(4)), lambda: (noise(3), noise(3)))
def swap_contents(x, y):
    t = x.copy()
    x[:] = y
    y[:] = t
    return x is y


@programs(
    lambda: (lambda a: (a, a.T))(noise(4, 4)),
    lambda: (lambda a: (a, a[::-1]))(noise(3, 3)),
    lambda: (noise(2, 2), noise(2, 2)),
    gaps="S203-overlap",
)
def accumulate_transposed(a, b):
    a += b
    b *= 2
    a -= b.T


@programs(lambda: (frozen(noise(4)),), lambda: (noise(4),))
def write_to_what_may_be_frozen(x):
    print("before", x.size)
    x[0] = 1
    return x


@programs(lambda: (frozen(noise(4)),), lambda: (np.broadcast_to(np.float64(2), (3,)),))
def read_what_is_frozen(x):
    y = x * 2
    y[0] = x[-1]
    return y, x.flags.writeable


@programs(lambda: (np.array(3.0),), lambda: (np.array(2),), lambda: (np.array(True),))
def without_axes(x):
    y = x + 1
    z = x.copy()
    z[...] = 4
    return y, z, x[()], type(y) is type(x[()]), x.ndim


@programs(
    lambda: (np.array(3.0),),
    lambda: (np.array(2),),
    lambda: (np.ones(1),),
    lambda: (2.5,),
    lambda: (7,),
    lambda: (True,),
    lambda: (np.float32(1.5),),
    lambda: (np.int8(100),),
)
def scalar_or_array(x):
    return x * 2, x + 0.5, -x if not isinstance(x, bool) else None, x > 1, x**2


@programs(
    lambda: (noise(2, 3, 4),),
    lambda: (noise(1, 1, 1),),
    lambda: (np.zeros((0, 2, 3)),),
    lambda: (np.asfortranarray(noise(3, 2, 2)),),
)
def ellipsis_and_newaxis(a):
    return (
        a[..., 0],
        a[0, ...],
        a[..., np.newaxis, :].shape,
        a[:, None, -1],
        a[..., ::-1],
        a[None].sum(axis=(0, 1)),
        a.swapaxes(0, -1),
        np.moveaxis(a, 0, -1),
    )


@programs(lambda: (noise(3), noise(4)), lambda: (noise(0), noise(2)), lambda: (noise(1), noise(1)))
def outer_by_newaxis(x, y):
    d = x[:, np.newaxis] - y[np.newaxis, :]
    return np.sqrt(d * d), (d > 0).any(axis=1), d.T.copy()


@programs(
    lambda: (noise(5, 3),),
    lambda: (noise(1, 1),),
    lambda: (noise(0, 3),),
    lambda: (noise(3, 5).T,),
    lambda: (counts(4, 2),),
    lambda: (noise(4, 2, dtype="f4"),),
)
def standardised(x):
    return (x - x.mean(axis=0)) / x.std(axis=0), x.sum(), x.mean(axis=1, keepdims=True)


@programs(
    lambda: (noise(6),), lambda: (counts(4, low=1),), lambda: (noise(0),), lambda: (noise(3, dtype="f4"),)
)
def cumulative(x):
    product, running = np.ones(len(x)), 1
    for i in range(len(x)):
        running *= x[i]
        product[i] = running
    return product, np.cumsum(x), np.cumprod(x)


@programs(lambda: (counts(6, high=4), noise(6)), lambda: (np.zeros(0, int), noise(0)))
def group_means(keys, values):
    n = 4
    total, number = np.zeros(n), np.zeros(n, dtype=int)
    for k, v in zip(keys, values):
        total[k] += v
        number[k] += 1
    means = np.full(n, np.nan)
    for k in range(n):
        if number[k]:
            means[k] = total[k] / number[k]
    return means


@programs(lambda: (counts(6, high=4), noise(6)), lambda: (np.array([0, 0]), noise(2)))
def repeated_indices(index, values):
    a, b = np.zeros(4), np.zeros(4)
    a[index] += values
    np.add.at(b, index, values)
    return a, b, a[index]


@programs(lambda: (noise(4, 5), np.array([2, 0]), np.array([-1, 1])), lambda: (noise(4, 5), [0, 1], [1, 1]))
def advanced_indices(a, rows, columns):
    b = a[rows]
    a[rows, columns] = 0
    a[:, columns] += 1
    return b, a[rows, columns], a[rows][:, columns]


@programs(lambda: (noise(4, 4),), lambda: (noise(2, 3),), lambda: (noise(1, 1),))
def triangles(a):
    out = np.zeros_like(a)
    for i in range(a.shape[0]):
        for j in range(i, a.shape[1]):
            out[i, j] = a[i, j]
    return out, np.triu(a), np.tril(a, -1), np.trace(a)


@programs(lambda: (3, 4), lambda: (1, 1), lambda: (0, 2), lambda: (np.int64(2), np.int32(3)))
def made_arrays(n, m):
    return (
        np.zeros((n, m)),
        np.ones(n, dtype=np.float32),
        np.arange(n * m).reshape(n, m),
        np.eye(n, m),
        np.full((m,), n),
        np.linspace(0, 1, n),
        np.empty((n, 0)),
        np.arange(n, 0, -1),
        np.identity(n),
    )


@programs(
    lambda: (noise(3), noise(2)),
    lambda: (counts(2), noise(0)),
    lambda: (noise(1, dtype="f4"), counts(1, dtype="i2")),
)
def joined(a, b):
    return (
        np.concatenate([a, b]),
        np.hstack((a, b)),
        np.append(a, 3),
        np.concatenate([a[::-1], b]),
        np.tile(a, 2),
        np.repeat(b, 2),
    )


@programs(lambda: (noise(3, 2), noise(3, 2)), lambda: (noise(1, 1), counts(1, 1)))
def stacked(a, b):
    return (
        np.stack([a, b]),
        np.vstack([a, b]),
        np.column_stack((a, b)),
        np.stack([a, b], axis=-1),
        np.concatenate([a, b], axis=1),
    )


@programs(
    lambda: (noise(3, dtype="f4"), 2.0),
    lambda: (noise(3, dtype="f4"), np.float64(2)),
    lambda: (counts(3, dtype="i1"), 2),
    lambda: (counts(3, dtype="u1"), 3),
    lambda: (counts(3, dtype="i4"), 2.5),
    lambda: (counts(2, high=2, dtype=bool), 2),
    lambda: (noise(2, dtype="c8"), 1.5),
    lambda: (noise(2), 1j),
    lambda: (noise(3, dtype="f2"), 2),
)
def mixed_dtypes(x, k):
    y = x * k
    z = y + x
    return y, z / 2, x + 1, x * x, (x > 0) + x, np.sqrt(np.abs(x)), x.sum(), x.max(), np.where(x > 0, x, k)


@programs(lambda: (counts(4, dtype="i8"), 3), lambda: (counts(4, dtype="u1"), 2), lambda: (noise(3), 2))
def in_place(x, k):
    x += k
    x *= k
    x -= 1
    x //= k
    x **= 2
    return x


@programs(lambda: (counts(4, dtype="i8"),), lambda: (noise(3),), lambda: (noise(3, dtype="f4"),))
def true_division_in_place(x):
    x[0] = 5
    x /= 2
    return x


@programs(
    lambda: (counts(5, high=200, dtype="u1"),),
    lambda: (counts(5, high=120, dtype="i1"),),
    lambda: (np.array([], "i1"),),
)
def integers_wrap(x):
    y = x * x
    y += x
    s = 0
    for v in x:
        s = s + v
    return y, s, x.sum(), x << 1, ~x, x >> 1, -x


@programs(
    lambda: (noise(5) + 1j * noise(5, seed=1),),
    lambda: (np.zeros(0, complex),),
    lambda: (noise(3),),
    lambda: (noise(2, dtype="c8"),),
)
def complex_parts(z):
    w = z * np.exp(1j * np.pi / 4)
    return w.real, w.imag, np.abs(w), np.angle(w), w.conj(), (w * np.conj(w)).real.sum()


@programs(lambda: (noise(6),), lambda: (noise(2),), lambda: (noise(1),), lambda: (noise(0),))
def differences(x):
    d = x[1:] - x[:-1]
    return d, np.diff(x), (d[1:] * d[:-1] < 0).sum()


@programs(lambda: (noise(5, 4),), lambda: (counts(3, 3),), lambda: (noise(1, 2),))
def extremes(a):
    i = np.argmax(a)
    row, column = divmod(i, a.shape[1])
    return a[row, column], a.argmin(axis=1), a.max(axis=0), np.ptp(a), a.min(), row, column


@programs(
    lambda: (noise(5), noise(5, seed=1)),
    lambda: (noise(3), np.empty(3, "f4")),
    lambda: (noise(2), np.empty((2, 2))),
)
def with_out(x, out):
    np.multiply(x, 2, out=out)
    np.add(out, x, out)
    return np.sin(out, out=out)


@programs(lambda: (noise(2, 3), noise(3)), lambda: (noise(2, 3), noise(2)), lambda: (noise(2, 1), noise(5)))
def broadcast(a, b):
    return a + b, a * b[0]


@programs(lambda: (noise(4, 6),), lambda: (noise(2, 2),), lambda: (noise(0, 4),))
def blocks(a):
    n, m = a.shape
    b = a.reshape(n // 2, 2, m // 2, 2)
    return b.mean(axis=(1, 3)), b.max(axis=3).max(axis=1), b.transpose(0, 2, 1, 3).copy()


@programs(
    lambda: (noise(2, 5, 7),), lambda: (noise(3, 4, 6),), lambda: (noise(2, 1, 4),), lambda: (noise(0, 4, 2),)
)
def blocks_of_what_fits(a):
    k, n, m = a.shape
    b = a[:, : n // 2 * 2, : m // 2 * 2].reshape(k, n // 2, 2, m // 2, 2)
    b[0, :, 0] += 1
    return b.sum(axis=(2, 4)), a


@programs(lambda: (noise(6),), lambda: (noise(4)[::2],))
def shape_is_set(x):
    y = x.copy()
    y.shape = (2, -1)
    y[0] = 0
    return y, x.reshape(2, -1)


@programs(lambda: (noise(3, 3), 4), lambda: (noise(1, 1), 0), lambda: (counts(2, 2), 3))
def matrix_power(a, n):
    result = np.eye(len(a), dtype=a.dtype)
    while n > 0:
        if n & 1:
            result = result @ a
        a = a @ a
        n >>= 1
    return result


@programs(lambda: (noise(5, 5),), lambda: (noise(2, 2),), lambda: (noise(3, 3).T,))
def borders(a):
    a[0, :] = a[1, :]
    a[-1, :] = a[-2, :]
    a[:, 0] = a[:, 1]
    a[:, -1] = a[:, -2]


@programs(
    lambda: (noise(3, 4), noise(4)),
    lambda: (noise(0, 4), noise(4)),
    lambda: (noise(1, 1), noise(1)),
    gaps="S110-alias",
)
def rows_are_views(a, v):
    for row in a:
        row += v
        v = row
    return v


@programs(
    lambda: (counts(6, low=-3, high=4),),
    lambda: (np.zeros(2, int),),
    lambda: (np.empty(0, int),),
)
def nonzero_places(x):
    where = np.where(x > 0)[0]
    kept = x[x != 0]
    return where, kept, np.flatnonzero(x), len(kept)


@programs(
    lambda: (noise(4), 2),
    lambda: (noise(4), -1),
    lambda: (noise(4), 0),
    lambda: (noise(4), 7),
    lambda: (noise(1), 1),
)
def shifted(x, k):
    y = np.zeros_like(x)
    if k > 0:
        y[k:] = x[:-k]
    elif k < 0:
        y[:k] = x[-k:]
    else:
        y[:] = x
    return y, np.roll(x, k)


@programs(
    lambda: (noise(5), 1, 4, 2),
    lambda: (noise(5), -3, None, 1),
    lambda: (noise(5), 4, 0, -1),
    lambda: (noise(5), 9, 20, 3),
    lambda: (noise(5), None, None, -2),
    lambda: (noise(5), 0, 5, 0),
)
def any_slice(x, start, stop, step):
    y = x[start:stop:step]
    y *= 2
    return y, len(y)


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("program", programs.found, ids=name_of)
def test_a_program_converted_does_what_it_does_plainly(program: Program, device: str) -> None:
    check(program, device)
