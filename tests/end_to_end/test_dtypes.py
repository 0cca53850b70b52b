"""Types of numbers: what NEP 50 promotes, what is refused, and what is left to NumPy without fuss."""

import warnings

import numpy as np
import pytest

from transpile import StagingError, convert

DEVICES = ("cpu", "host")
ARRAYS = [
    np.array([1, 2, 200], "u1"),
    np.array([1, -2, 100], "i1"),
    np.arange(3),
    *(np.array([1, 2, 3], c) for c in "efdF"),
]
NUMBERS = [
    np.float32(1.5),
    np.float64(1.5),
    np.int8(3),
    np.uint64(3),
    np.bool_(True),
    np.float16(2),
    np.array(2.5),
    np.array(3, "i1"),
]
NUMBERS += [2, 2.5, True, 1 + 2j]


def outcome(function, *arguments):
    """What a call gives, with its types and warnings, or what it raises."""
    given = [a.copy() if isinstance(a, np.ndarray) and a.flags.writeable else a for a in arguments]
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        try:
            found = function(*given)
        except Exception as error:
            return type(error), str(error)
    parts = found if isinstance(found, tuple) else (found,)
    said = [str(one.message) for one in seen if "plain Python" not in str(one.message)]
    return [(type(part), getattr(part, "dtype", None), repr(part)) for part in parts], said


def with_number(x, s):
    return x + s, s * x


def with_literals(x):
    return x + 1, x * 2.5, x - True, x / 2, x * 1j


def in_place(x):
    x *= 1.5
    return x


def stored(x):
    x[:] = 1e10
    return x


def too_large(x):
    return x + 300, x == 1000


def compared_with_more_than_it_holds(x):
    return x < 1e300, x > -1e300


def safely(x):
    return x.astype("i4", casting="safe")


def not_at_all(x):
    return np.add(x, 1.5, casting="no")


def into(x):
    out = np.empty(3, "i4")
    return np.add(x, 1.5, out=out)


def copied(x):
    np.copyto(x, np.ones(3) * 1.5)
    return x


def parts(x):
    return x.sum(), x.mean(), x[0], x[:1], x.prod(), np.sqrt(x)[0], abs(x[0]), x[0] + 1, x[0] * 2.0


def without_axes(z):
    return (
        z + 1,
        -z,
        z[()],
        np.sin(z),
        z.item(),
        z.sum(),
        z.reshape(()),
        z.reshape(1),
        z.copy(),
        np.add(z, 1),
        z == 2,
    )


def of_a_scalar(s):
    return s + 1, s * 2.0, s / 3, abs(s), s < 2, float(s), int(s)


UNARY = [
    with_literals,
    in_place,
    stored,
    too_large,
    compared_with_more_than_it_holds,
    safely,
    not_at_all,
    into,
    copied,
    parts,
]


@pytest.mark.parametrize("device", DEVICES)
def test_arrays_and_numbers_are_promoted_as_nep_50_says(device):
    converted = convert(with_number, device=device)
    for x in ARRAYS:
        for s in NUMBERS:
            assert outcome(converted, x, s) == outcome(with_number, x, s), (x.dtype, s)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("function", UNARY)
def test_types_warnings_and_errors_are_numpys(function, device):
    converted = convert(function, device=device)
    for x in ARRAYS[:-1]:
        assert outcome(converted, x) == outcome(function, x), x.dtype


@pytest.mark.parametrize("device", DEVICES)
def test_arrays_without_axes_and_scalars_are_told_apart(device):
    of_array, of_scalar = convert(without_axes, device=device), convert(of_a_scalar, device=device)
    for x in (2.5, np.float32(2.5), np.int8(3), np.float16(2), True):
        z = np.array(x)
        if z.dtype != bool:
            assert outcome(of_array, z) == outcome(without_axes, z)
        assert outcome(of_scalar, x) == outcome(of_a_scalar, x)


def transforms(x):
    f = np.fft
    return (
        f.fft(x),
        f.irfft(x),
        f.hfft(x),
        f.rfft(x),
        f.irfft2(x),
        f.irfftn(x),
        f.irfftn(x, axes=(0,)),
        f.ihfft(x),
    )


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", ["f2", "f4", "i2", "c8"])
def test_transforms_have_numpys_width(dtype, device):
    x = np.arange(24).reshape(4, 6).astype(dtype)
    if dtype == "c8":
        assert outcome(convert(inverse, device=device, strict=True), x) == outcome(inverse, x)
        return
    assert outcome(convert(transforms, device=device, strict=True), x) == outcome(transforms, x)


def inverse(x):
    return np.fft.irfft(x), np.fft.hfft(x), np.fft.irfft2(x)


def first(x):
    return x[0], x.shape


def doubled(x):
    return x + x


def partly(x):
    return np.sqrt(x.real, out=x, where=x.real > 1)


def shortened(x):
    return x[1:] - x[:-1]


def matrix():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.matrix([[1.0, 2]])


UNALIGNED = np.frombuffer(b"x" + np.arange(4.0).tobytes(), np.uint8)[1:].view("f8")
# Of the integers of C, two have the size of NumPy's own.
OTHER = next(np.dtype(kind) for kind in "lq" if np.dtype(kind).num != np.dtype("i8").num)
LEFT = {
    "longdouble": (doubled, np.ones(3, np.longdouble), "S122-dtype", "x has the dtype"),
    "complex numbers in out=": (partly, np.arange(3.0) + 1j, "S146-imaginary", "reads complex numbers of out= as real ones"),
    "strings": (first, np.array(["a", "b"]), "S122-dtype", "x has the dtype <U1"),
    "strings of any length": (first, np.array(["a", "b"], np.dtypes.StringDType()), "S122-dtype", "x has the dtype StringDType"),
    "bytes": (first, np.array([b"a"]), "S122-dtype", "x has the dtype |S1"),
    "dates": (shortened, np.arange("2020-01", "2020-05", dtype="M8[M]"), "S122-dtype", r"x has the dtype datetime64\[M\]"),
    "times": (doubled, np.arange(3).astype("m8[s]"), "S122-dtype", r"x has the dtype timedelta64\[s\]"),
    "records": (doubled, np.zeros(2, [("a", "f8"), ("b", "i4")]), "S323-records", "used otherwise than by its fields"),
    "objects": (doubled, np.array([1, 2.5], object), "S122-dtype", "x has the dtype object"),
    "foreign byte order": (doubled, np.arange(4, dtype=">f8"), "S122-dtype", "x has the dtype >f8"),
    "unaligned": (doubled, UNALIGNED, "S297-unaligned", "x does not lie at addresses that fit float64"),
    "masked": (doubled, np.ma.masked_array([1.0, 2], [0, 1]), "S201-argument", "x is of type MaskedArray"),
    "matrix": (doubled, matrix(), "S201-argument", "x is of type matrix"),
    "record array": (doubled, np.rec.array([(1, 2.0)], dtype=[("a", "i4"), ("b", "f8")]), "S323-records", "used otherwise than by its fields"),
    "scalar of longdouble": (doubled, np.longdouble(1), "S201-argument", "x is of type longdouble"),
    "date": (first, np.array(["2020"], "M8[Y]"), "S122-dtype", "x has the dtype datetime64"),
    "another integer of the size": (first, np.arange(3).astype(OTHER), "S122-dtype", f"x has the dtype {OTHER.type.__name__}"),
    "scalar of another integer": (doubled, OTHER.type(1), "S201-argument", f"x is of type {OTHER.type.__name__}"),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("kind", LEFT)
def test_what_is_not_compiled_is_left_to_numpy_with_a_reason(kind, device):
    function, x, code, reason = LEFT[kind]
    assert outcome(convert(function, device=device), x) == outcome(function, x)
    with pytest.raises(StagingError, match=reason.replace("|", r"\|")) as caught:
        convert(function, device=device, strict=True)(x)
    assert caught.value.code == code


@pytest.mark.parametrize("device", DEVICES)
def test_what_cannot_be_written_is_read_and_refuses_stores(device):
    x = np.broadcast_to(np.arange(3.0), (2, 3))
    assert outcome(convert(doubled, device=device, strict=True), x) == outcome(doubled, x)
    y = np.arange(3.0)
    y.flags.writeable = False
    assert outcome(convert(in_place, device=device), y) == outcome(in_place, y)
    assert outcome(in_place, y)[0] is ValueError


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0), (0, 0)])
def test_views_of_nothing_that_cannot_be_written_refuse_to_be_written(shape, device):
    def views(x):
        return x[::-1], x[1:], x.T, x[...]

    x = np.zeros(shape)
    for writeable in (True, False):
        x.flags.writeable = writeable
        found = convert(views, device=device, strict=True)(x)
        assert [view.flags.writeable for view in found] == [writeable] * 4


@pytest.mark.parametrize("device", DEVICES)
def test_what_repeats_elements_is_returned_itself(device):
    def itself(x):
        return x, [x, x.sum()], x[:], x[1], x.conj(), np.asarray(x)

    converted = convert(itself, device=device, strict=True)
    x = np.broadcast_to(np.arange(2.0)[:, None], (2, 3))
    y = np.lib.stride_tricks.as_strided(np.arange(3.0), (2, 3), (0, 8))
    for array in (x, y, np.ones((2, 3))):
        own, listed, view, row, real, same = converted(array)
        assert all(thing is array for thing in (own, listed[0], real, same)) and view is not array
        assert [(v.strides, v.tolist()) for v in (view, row)] == [
            (v.strides, v.tolist()) for v in (array[:], array[1])
        ]


@pytest.mark.parametrize("device", DEVICES)
def test_integer_types_of_one_size_are_told_apart(device):
    def largest(x):
        return np.maximum.reduce(x), abs(x[0])

    converted = convert(largest, device=device)
    for dtype in (OTHER, np.dtype("i8"), OTHER):
        x = np.arange(3).astype(dtype)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = converted(x)
        assert [type(number) for number in found] == [type(number) for number in largest(x)]
    assert sum(entry.hits for entry in converted.calls.entries) == 1
