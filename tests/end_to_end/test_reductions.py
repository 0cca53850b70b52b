"""Reductions give NumPy's bits in every layout, for every dtype."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import transpile

from .comparison import Outcome, call, compare, differences

Array = np.ndarray[Any, Any]


def sums(a: Array) -> Any:
    return (
        a.sum(), a.sum(axis=0), a.sum(axis=-1), a.sum(axis=(0, -1)), a.mean(), a.mean(axis=0, keepdims=True),
        a[::-1].sum(), a[::2, 1:].sum(), a.T.sum(axis=0), (a + a[:1]).sum(), (a * 2)[1:, ::2].sum(), a.std(axis=0),
    )  # fmt: skip


def conversions(a: Array) -> Any:
    return (
        np.sum(a, dtype=np.float32), np.sum(a, axis=0, dtype=np.float32), np.sum(a, axis=-1, dtype=np.float64),
        np.sum(a + a, dtype=np.float64), np.sum(a, dtype=np.complex64), np.sum(a[:, 1:], axis=(0, -1), dtype=np.float32),
    )  # fmt: skip


def products(a: Array) -> Any:
    return a.prod(), a.prod(axis=0), a.prod(axis=-1), a[1:, 1:].prod(), np.multiply.reduce(a * a, axis=-1)


def extremes(a: Array) -> Any:
    return (
        a.max(), a.min(axis=0), a.max(axis=-1), (-a).min(axis=0), (a + a).max(), a[:, 1:].min(axis=-1),
        np.fmax.reduce(a), np.fmin.reduce(a, axis=-1), abs(a).max(axis=-1),
    )  # fmt: skip


def places(a: Array) -> Any:
    return (
        a.argmax(), a.argmin(axis=0), a.argmax(axis=-1), (a + a).argmin(), a.T.argmax(axis=0, keepdims=True),
        a.any(), a.all(axis=0), (a + a).any(axis=-1), np.count_nonzero(a, axis=0),
    )  # fmt: skip


def matrices(a: Array) -> Any:
    return (
        a @ a.swapaxes(-1, -2),
        a @ np.ones((a.shape[-1], 3), a.dtype),
        np.ones((2, a.shape[-2]), a.dtype) @ a,
    )


def lengths(a: Array) -> Any:
    d = a[1:, 1:] - a[:-1, :-1]
    return (
        d.sum(axis=0), d.sum(axis=1), d.mean(), d.max(axis=0), (a[:, 1:] * 2).sum(axis=0), a[:, 1:].sum(axis=0),
        a[:, :-1].T.sum(axis=1), d.prod(axis=0),
    )  # fmt: skip


def planes(a: Array) -> Any:
    t = a[:, 1:] * 1.5
    return (
        t.sum(axis=(0, 2)), a[:, 1:].sum(axis=(0, 2)), a[:, 1:].sum(axis=0), a.mean(axis=(0, 1)), t[:, :, ::-1].sum(axis=(1, 2)),
        t.transpose(2, 0, 1).sum(axis=(0, 1)), t.max(axis=(0, 2)),
    )  # fmt: skip


def written(a: Array) -> Any:
    a[1:, 1:] *= 0.5
    part = a[1:, 1:]
    total = part.sum()
    part -= total
    print(part[0, 0])
    return total, part.sum(), a.sum(), part.mean(axis=1)


def draw(shape: tuple[int, ...], dtype: str) -> Array:
    """Return numbers of many sizes, and of both signs where there are."""
    rng = np.random.default_rng(len(shape))
    numbers = rng.normal(size=shape) * 10.0 ** rng.uniform(-3, 3, shape)
    if dtype[0] == "c":
        numbers = numbers + 1j * rng.normal(size=shape)
    return (
        numbers > 0 if dtype == "?" else np.asarray(numbers * (10 if dtype[0] in "iu" else 1)).astype(dtype)
    )


def doubtful(shape: tuple[int, ...], dtype: str) -> Array:
    """Return few different numbers: ties, NaN, and zeros of both signs, in rows of nothing else."""
    rng = np.random.default_rng(7)
    numbers = rng.choice([0.0, -0.0, 1.0, -1.0, 2.0], shape)
    numbers[::3] = rng.choice([0.0, -0.0], numbers[::3].shape)
    if dtype[0] in "fc":
        numbers[1::5] = np.nan
    if dtype[0] == "c":
        numbers = numbers + 1j * rng.choice([0.0, -0.0, 1.0, np.nan], shape)
    return np.abs(numbers).astype(dtype) if dtype[0] in "u?" else numbers.astype(dtype)


def layouts(make: Callable[..., Array], dtype: str) -> Iterator[Array]:
    """Yield arrays in many layouts."""
    x, y = make((37, 41), dtype), make((7, 9, 150), dtype)
    yield x
    yield np.asfortranarray(x)
    yield make((74, 82), dtype)[::2, ::2]
    yield x[::-1, ::-1]
    yield np.broadcast_to(x[0], (5, 41))
    yield np.broadcast_to(x[:, :1], (37, 300)).T
    yield make((301, 200), dtype)[1:-1, 1:-1].T
    yield x[:, :2]
    yield y.transpose(1, 0, 2)
    yield y.transpose(0, 2, 1)[::-1]


FEW = slice(2, 10, 3)
CASES = [
    (sums, draw, "f8", slice(None)),
    *((sums, draw, dtype, FEW) for dtype in ("f4", "c8", "i4", "?")),
    *((conversions, draw, dtype, FEW) for dtype in ("f8", "i8")),
    *((products, draw, dtype, FEW) for dtype in ("f8", "c16")),
    *((extremes, doubtful, dtype, FEW) for dtype in ("f8", "c8")),
    (extremes, draw, "f4", FEW),
    *((places, doubtful, dtype, FEW) for dtype in ("f8", "c8", "u1", "?")),
    *((matrices, draw, dtype, FEW) for dtype in ("f8", "c8")),
]


def check(function: Any, arguments: tuple[Any, ...], converted: Any) -> None:
    """Compare the outcomes of a call; arguments keep their layout, of which a copy would know nothing."""
    compare(Outcome(function(*arguments), None, (), ""), Outcome(converted(*arguments), None, (), ""))


@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    ("function", "make", "dtype", "which"),
    CASES,
    ids=[f"{f.__name__}-{m.__name__}-{d}" for f, m, d, _ in CASES],
)
def test_every_layout(function: Any, make: Any, dtype: str, which: slice, device: str) -> None:
    converted = transpile.convert(function, strict=True, device=device)
    for array in list(layouts(make, dtype))[which]:
        check(function, (array,), converted)


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_lengths_that_turn_out_to_be_one(device: str) -> None:
    for function, shapes in (
        (lengths, [(90, 50), (90, 2), (2, 90), (300, 3)]),
        (planes, [(20, 9, 30), (40, 2, 9), (9, 3, 2)]),
    ):
        converted = transpile.convert(function, strict=True, device=device)
        for shape in shapes:
            check(function, (draw(shape, "f8"),), converted)
            check(function, (np.asfortranarray(draw(shape, "f8")),), converted)
        assert converted.cache_info().currsize == 2


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_views_of_what_is_written(device: str) -> None:
    converted = transpile.convert(written, strict=True, device=device)
    compare(call(written, (draw((30, 60), "f8"),)), call(converted, (draw((30, 60), "f8"),)))


def first_of_axis(a: Array) -> Any:
    return a.max(axis=1)


def place_of_all(a: Array) -> Any:
    return np.argmin(a)


def identities(a: Array) -> Any:
    return a.sum(), a.sum(axis=0), a.prod(axis=1), a.any(), a.all(axis=1), a.sum(axis=1, dtype=np.float32)


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_nothing_to_reduce(device: str) -> None:
    for function in (first_of_axis, place_of_all, identities):
        converted = transpile.convert(function, strict=True, device=device)
        for shape in ((0, 3), (3, 0), (0, 0)):
            expected, found = (call(f, (np.zeros(shape),)) for f in (function, converted))
            assert (type(found.error), str(found.error)) == (type(expected.error), str(expected.error))
            assert not differences(expected.result, found.result)


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_repeated_elements(device: str) -> None:
    def repeats(a: Array, b: Array) -> Any:
        wide = np.broadcast_to(b[0], b.shape)
        return (
            a + b,
            (wide - b.T.copy().T).sum(),
            wide.T * 2,
            np.nansum(a),
            np.roll(a, 2, axis=0),
            a.copy("K"),
            a.T.sum(axis=1),
        )

    converted = transpile.convert(repeats, strict=True, device=device)
    for repeated in (
        np.broadcast_to(draw((41,), "f8"), (5, 41)),
        np.broadcast_to(draw((5, 1), "f8"), (5, 41)),
    ):
        for other in (draw((5, 41), "f8"), np.asfortranarray(draw((5, 41), "f8"))):
            check(repeats, (repeated, other), converted)


def test_axes_of_length_one() -> None:
    def turned(a: Array) -> Any:
        return a.T.sum(axis=0), a.T + 1, a[:, :1].T.copy("K"), a.T[1:].sum(axis=-1)

    converted = transpile.convert(turned, strict=True, device="cpu")
    for array in (
        draw((7, 1, 50), "f8"),
        draw((7, 2, 50), "f8")[:, :1, ::2],
        draw((5, 7), "f8"),
        draw((5, 1), "f8"),
    ):
        check(turned, (array,), converted)
