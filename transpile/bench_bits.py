"""Measures which functions of NumPy's give the same bits compiled: each on every dtype, in several layouts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from transpile.runtime.errors import TranspileError
from transpile.runtime.ops.elementwise import elementwise_ufuncs

from .bench_functions import machine_text
from .bench_report import first_line
from .converting import convert
from .written import written

# Rows of a family: calls of arrays a and b, both of one dtype, layout and shape. Dtypes are named by their kinds.
ROWS: dict[str, list[tuple[str, str]]] = {
    "reductions": [
        (f"np.{name}({{a}}{axis})", "iufc" if name in ("sum", "prod", "mean", "var", "std", "cumsum", "cumprod") else "iuf")
        for name in ("sum", "prod", "mean", "var", "std", "max", "min", "ptp", "argmax", "median", "nansum", "nanmean", "cumsum", "cumprod")
        for axis in ("", ", axis=0", ", axis=1")
    ],
    "products": [
        (call, "ifc")
        for call in ("np.matmul({a}, {b}.T)", "np.dot({a}[0], {b}[0])", "np.dot({a}, {b}[0])", "np.vdot({a}, {b})", "np.inner({a}, {b})", "np.outer({a}[0], {b}[0])",
                     "np.tensordot({a}, {b})", "np.einsum('ij,kj->ik', {a}, {b})", "np.einsum('ij,ij->i', {a}, {b})", "np.trace({a})", "np.kron({a}, {b})")
    ],
    "linear algebra": [
        (call, "fc")
        for call in ("np.linalg.inv({a} @ {b}.T)", "np.linalg.solve({a} @ {b}.T, {b})", "np.linalg.det({a} @ {b}.T)", "np.linalg.norm({a})", "np.linalg.norm({a}, axis=1)",
                     "np.linalg.svd({a}, full_matrices=False)", "np.linalg.qr({a})", "np.linalg.eigvalsh({a} @ {a}.T.conj())", "np.linalg.pinv({a})", "np.linalg.lstsq({a}, {b}, rcond=None)[0]",
                     "np.linalg.matrix_power({a} @ {b}.T, 3)")
    ],
    "Fourier transforms": [
        (call, kinds)
        for call, kinds in (("np.fft.fft({a})", "fc"), ("np.fft.ifft({a}, axis=0)", "fc"), ("np.fft.rfft({a})", "f"), ("np.fft.irfft({a})", "fc"), ("np.fft.fft2({a})", "fc"),
                            ("np.fft.hfft({a})", "fc"), ("np.fft.fftshift({a})", "fc"))
    ],
    "sorting and searching": [
        (call, "iuf")
        for call in ("np.sort({a})", "np.sort({a}, axis=0)", "np.argsort({a}, kind='stable')", "np.searchsorted(np.sort({a}[0]), {b}[0])", "np.unique({a})", "np.partition({a}, 3)",
                     "np.nonzero({a})", "np.where({a} > {b}, {a}, {b})", "np.isin({a}, {b})", "np.percentile({a}, 30)")
    ],
    "shapes": [
        (call, "biufc")
        for call in ("np.concatenate(({a}, {b}))", "np.stack(({a}, {b}), axis=1)", "np.roll({a}, 2)", "np.flip({a})", "np.tile({a}, 2)", "np.repeat({a}, 3, axis=1)", "np.pad({a}, 2)",
                     "np.tril({a})", "np.take({a}, [1, 0], axis=0)", "np.rot90({a})", "np.moveaxis({a}, 0, 1).copy()", "np.broadcast_to({a}[0], {a}.shape).copy()")
    ],
    "calculus and statistics": [
        (call, "if")
        for call in ("np.diff({a})", "np.gradient({a}[0])", "np.trapezoid({a})", "np.interp({a}[0], np.arange(9.0), np.arange(9.0) ** 2)", "np.convolve({a}[0], {b}[0])", "np.cov({a})",
                     "np.corrcoef({a})", "np.histogram({a}, 5)", "np.polyval([1, 2, 3], {a})", "np.average({a}, weights=abs({b}) + 1)", "np.cross({a}[:, :3], {b}[:, :3])")
    ],
}  # fmt: skip
LAYOUTS = ("C order", "with gaps")
ACCURACIES = ("numpy", "fast")
# What is promised of each family; and of those that `accuracy="fast"` compiles otherwise, what then.
PROMISES = {
    "elementwise": "NumPy's bits, by its own loops",
    "reductions": "NumPy's bits, in its order of additions",
    "products": "NumPy's bits, by its loops and BLAS",
    "linear algebra": "NumPy's bits, by its LAPACK",
    "Fourier transforms": "NumPy's bits, by its routines",
    "sorting and searching": "NumPy's bits and order",
    "shapes": "NumPy's bits",
    "calculus and statistics": "NumPy's bits, by the steps that NumPy takes",
}
FAST = {
    "elementwise": "exp, log, sin and their kin of float32 and float64 within 2 units in the last place",
    "reductions": "sums of n floats within n units of roundoff of the sum of their magnitudes",
    "calculus and statistics": "as elementwise functions and sums",
}
# Dtypes that `accuracy="fast"` may compile otherwise, or may be thought to.
_LOOSE = ("i8", "f2", "f4", "f8", "c16")
_DTYPES = ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16")
_SHAPE = (9, 40)
_SPECIAL = (0.0, -0.0, 1.0, -1.0, 0.5, math.inf, -math.inf, math.nan, 5e-324, 1e-310, 1.7e308, -1e-20)


@dataclass
class Count:
    """Rows of a family: how many were compared, how many gave the same bits, which did not, and which are left to NumPy."""

    rows: int = 0
    equal: int = 0
    differ: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)


def run() -> int:
    """Compare all rows and print the page; the status is 0 where no row has other bits than NumPy's."""
    counts: dict[str, dict[str, Count]] = {accuracy: {} for accuracy in ACCURACIES}
    for accuracy, of in counts.items():
        for family, call, dtypes in rows():
            if accuracy == "fast":
                dtypes = [dtype for dtype in dtypes if dtype in _LOOSE]
            if accuracy == "numpy" or family in FAST:
                compare(of.setdefault(family, Count()), family, call, dtypes, accuracy)
    print(page(counts))
    return int(any(count.differ for count in counts["numpy"].values()))


def rows() -> Iterator[tuple[str, str, list[str]]]:
    """Yield family, call and dtypes: every elementwise ufunc on all that it has a loop for, then the rows of the families."""
    for ufunc in elementwise_ufuncs():
        dtypes = [dtype for dtype in _DTYPES if _takes(ufunc, dtype)]
        operands = ", ".join(("{a}", "{b}", "{b}")[: ufunc.nin])
        home = "np" if getattr(np, ufunc.__name__, None) is ufunc else "np._core.umath"
        yield "elementwise", f"{home}.{ufunc.__name__}({operands})", dtypes
    for family, calls in ROWS.items():
        for call, kinds in calls:
            yield family, call, [dtype for dtype in _DTYPES if np.dtype(dtype).kind in kinds]


def _takes(ufunc: np.ufunc, dtype: str) -> bool:
    try:
        ufunc.resolve_dtypes((*[np.dtype(dtype)] * ufunc.nin, *[None] * ufunc.nout))
    except TypeError:
        return False
    return True


def operands(dtype: str, special: bool) -> dict[str, tuple[Any, Any]]:
    """Return pairs of arrays of a dtype by their layout in memory; with zeros, infinities, NaN and denormals where they are to be special."""
    draw = np.random.default_rng(11)
    pair = []
    for _ in range(2):
        numbers = draw.normal(size=_SHAPE) * 3
        if special:
            numbers.flat[: len(_SPECIAL)] = draw.permutation(_SPECIAL)
        if np.dtype(dtype).kind == "c":
            numbers = numbers + 1j * draw.normal(size=_SHAPE)
        with np.errstate(all="ignore"):
            pair.append(numbers.astype(dtype) if np.dtype(dtype).kind in "fc" else (numbers * 9).astype("f4").clip(0 if dtype[0] == "u" else -99, 99).astype(dtype))  # fmt: skip
    gaps = [np.repeat(array, 2, axis=1)[:, ::2] for array in pair]
    return {"C order": (pair[0], pair[1]), "with gaps": (gaps[0], gaps[1])}


def compare(count: Count, family: str, call: str, dtypes: Sequence[str], accuracy: str = "numpy") -> None:
    """Compare a call on arrays of each dtype, those of one layout in one function."""
    pairs = {dtype: operands(dtype, special=family == "elementwise") for dtype in dtypes}
    for layout in LAYOUTS:
        plain = {dtype: _plainly(call, pair[layout]) for dtype, pair in pairs.items()}
        expected = {dtype: result for dtype, result in plain.items() if result is not None}
        given = {dtype: pairs[dtype][layout] for dtype in expected}
        try:
            found = _results(call, given, accuracy)
        except Exception:
            # One by one, those that can be are compared.
            found = {}
            for dtype, pair in given.items():
                try:
                    found |= _results(call, {dtype: pair}, accuracy)
                except TranspileError as error:
                    row = _row(call, dtype, layout)
                    count.left.append(f"{row}: {error.code}")
                except Exception as error:
                    count.rows += 1
                    count.differ.append(f"{_row(call, dtype, layout)}: {first_line(error)}")
        count.rows += len(found)
        for dtype, result in found.items():
            if _bits(result) == _bits(expected[dtype]):
                count.equal += 1
            else:
                count.differ.append(_row(call, dtype, layout))


def _row(call: str, dtype: str, layout: str) -> str:
    return f"`{call.format(a='a', b='b')}` ({np.dtype(dtype)}, {layout})"


def _plainly(call: str, pair: tuple[Any, Any]) -> Any:
    """Return what NumPy gives; None where it has no such loop."""
    with np.errstate(all="ignore"):
        try:
            return eval(call.format(a="a", b="b"), {"np": np, "a": pair[0], "b": pair[1]})
        except (TypeError, ValueError, np.linalg.LinAlgError):
            return None


def _results(call: str, given: dict[str, tuple[Any, Any]], accuracy: str) -> dict[str, Any]:
    """Return what a call gives, compiled, for pairs of arrays, all of them in one function."""
    parameters = [f"{name}{place}" for place in range(len(given)) for name in "ab"]
    calls = [call.format(a=f"a{place}", b=f"b{place}") for place in range(len(given))]
    function = written("call", parameters, f"({', '.join(calls)},)" if calls else "()", {"np": np})
    converted = convert(function, strict=True, accuracy=accuracy)
    with np.errstate(all="ignore"):
        results = converted(*(array for pair in given.values() for array in pair))
    return dict(zip(given, results, strict=True))


def _bits(thing: Any) -> Any:
    """Return all that a result is: types, dtypes, shapes and bits; of NaN, that it is one."""
    if isinstance(thing, (tuple, list)):
        return [type(thing), *map(_bits, thing)]
    array = np.asarray(thing)
    if array.dtype.kind in "fc":
        parts = (
            np.ascontiguousarray(array)
            .reshape(-1)
            .view(f"f{array.dtype.itemsize // (1 + (array.dtype.kind == 'c'))}")
        )
        array, own = np.where(np.isnan(parts), np.nan, parts), array
        return type(thing), own.dtype, own.shape, array.tobytes()
    return type(thing), array.dtype, array.shape, array.tobytes()


def page(counts: dict[str, dict[str, Count]]) -> str:
    """Return the page of what was compared, by accuracy and family."""
    plain, fast = (counts[accuracy] for accuracy in ACCURACIES)
    lines = [
        "# The same bits",
        "",
        "Written by `transpile bench --bits`: functions on every dtype of numbers that they take, in C order and with gaps in memory; the elementwise ones on zeros, "
        "infinities, NaN and denormals, too. A row is one of these. Of NaN it is compared that it is one.",
        "",
        f"Measured on {machine_text()}.",
        "",
        '## `accuracy="numpy"`, the default',
        "",
        "| family | rows | same bits | share | left to NumPy | promise |",
        "| --- | ---: | ---: | ---: | ---: | --- |",
        *(
            f"{_figures(family, count)} {len(count.left)} | {PROMISES[family]} |"
            for family, count in plain.items()
        ),
        "",
        '## `accuracy="fast"`',
        "",
        f"Families and types that are not here are compiled as above; these are {', '.join(str(np.dtype(dtype)) for dtype in _LOOSE)}.",
        "",
        "| family | rows | same bits | share | promise |",
        "| --- | ---: | ---: | ---: | --- |",
        *(f"{_figures(family, count)} {FAST[family]} |" for family, count in fast.items()),
    ]
    for title, name in (("Other bits than NumPy's", "differ"), ("Left to NumPy", "left")):
        found = [row for count in plain.values() for row in getattr(count, name)]
        if found:
            lines += ["", f"{title}, by default:", "", *(f"* {row}" for row in found)]
    return "\n".join(lines)


def _figures(family: str, count: Count) -> str:
    share = f"{count.equal / count.rows:.2%}" if count.rows else ""
    return f"| {family} | {count.rows} | {count.equal} | {share} |"
