"""Functions of `numpy.lib.recfunctions` give what NumPy's own give, views where these are views."""

import numpy as np
import numpy.lib.recfunctions as rfn
import pytest

from transpile import StagingError, convert
from transpile.runtime.graph.records import layout_of, leaves_of, offsets_of, overlap

MIXED = np.dtype([("x", "f8"), ("k", "i4"), ("y", "f4")])
SAME = np.dtype([("x", "f8"), ("y", "f8")])
DEEP = np.dtype([("a", SAME), ("b", "f8", 3), ("c", [("k", "i8")])])


def filled(dtype, count=4):
    array, numbers = np.zeros(count, dtype), np.arange(200.0)
    for _, (names, _) in enumerate(leaves_of(dtype)):
        part = array
        for name in names:
            part = part[name]
        part[...] = numbers[: part.size].reshape(part.shape) + len(names)
    return array


def same(one, other):
    assert type(one) is type(other)
    assert (one.dtype, one.shape, one.strides) == (other.dtype, other.shape, other.strides)
    # Fields that are arrays are compared as text.
    assert repr(one.tolist()) == repr(other.tolist())


CALLS = {
    "assign": (lambda r, q: rfn.assign_fields_by_name(r, q) or r, (MIXED, SAME)),
    "assign some": (lambda r, q: rfn.assign_fields_by_name(r, q, zero_unassigned=False) or r, (MIXED, SAME)),
    "assign deep": (lambda r, q: rfn.assign_fields_by_name(r, q[::-1]) or r, (DEEP, DEEP)),
    "fill": (lambda r, q: rfn.recursive_fill_fields(r[:2], q), (SAME, MIXED)),
    "require": (lambda r: rfn.require_fields(r, [("y", "f8"), ("z", "i2")]), (MIXED,)),
    "drop": (lambda r: rfn.drop_fields(r, "k"), (MIXED,)),
    "drop several": (lambda r: rfn.drop_fields(r, ["x", "k"], usemask=False), (MIXED,)),
    "drop deep": (lambda r: rfn.drop_fields(r, "y"), (DEEP,)),
    "repack": (lambda r: rfn.repack_fields(r), (MIXED,)),
    "repack aligned": (lambda r: rfn.repack_fields(r, align=True), (np.dtype([("b", "i1"), ("x", "f8")]),)),
    "rename": (lambda r: rfn.rename_fields(r, {"x": "z", "k": "x"}), (MIXED,)),
    "rename deep": (lambda r: rfn.rename_fields(r, {"x": "z", "c": "d"}), (DEEP,)),
    "numbers": (lambda r: rfn.structured_to_unstructured(r), (MIXED,)),
    "numbers deep": (lambda r: rfn.structured_to_unstructured(r[1:]), (DEEP,)),
    "numbers copied": (lambda r: rfn.structured_to_unstructured(r, copy=True), (SAME,)),
    "numbers of a dtype": (lambda r: rfn.structured_to_unstructured(r, dtype=np.float32), (SAME,)),
    "mean": (lambda r: rfn.apply_along_fields(np.mean, r), (MIXED,)),
    "cast": (lambda r: r.astype([("x", "i4"), ("y", "f4")]), (SAME,)),
}  # fmt: skip


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("name", CALLS)
def test_functions_give_what_numpy_s_give(name, device):
    function, dtypes = CALLS[name]
    expected, found = (tuple(map(filled, dtypes)) for _ in range(2))
    result, ours = function(*expected), convert(function, device=device, strict=True)(*found)
    same(result, ours)
    for one, other in zip(expected, found, strict=True):
        same(one, other)
    for one, other in zip(expected, found, strict=True):
        assert (result is one) == (ours is other)
        assert np.shares_memory(result, one) == np.shares_memory(ours, other)


ARRAYS = {
    "names": (lambda a: rfn.unstructured_to_structured(a), True),
    "given names": (lambda a: rfn.unstructured_to_structured(a, names=["p", "q", "s"]), True),
    "a dtype": (lambda a: rfn.unstructured_to_structured(a, np.dtype([("p", "f8"), ("q", "f8", 2)])), True),
    "copied": (lambda a: rfn.unstructured_to_structured(a, names=["p", "q", "s"], copy=True), False),
    "cast": (lambda a: rfn.unstructured_to_structured(a, np.dtype([("p", "i4"), ("q", "f4", 2)])), False),
}  # fmt: skip


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_of_numbers_become_records(name, device):
    make, is_view = ARRAYS[name]

    def function(a):
        found = make(a)
        found["p" if "p" in found.dtype.names else "f0"][1:] = 7
        a[0] = 9
        return found

    expected, found = np.arange(12.0).reshape(4, 3), np.arange(12.0).reshape(4, 3)
    result, ours = function(expected), convert(function, device=device, strict=True)(found)
    same(result, ours)
    assert (expected == found).all()
    assert np.shares_memory(result, expected) == np.shares_memory(ours, found) == is_view


def outcome(function, dtype):
    try:
        return repr(function(filled(dtype)))
    except (ValueError, NotImplementedError) as error:
        return str(error)


LEFT = {
    "a view": (lambda r: rfn.structured_to_unstructured(r), SAME),
    "a view by fields": (lambda r: rfn.apply_along_fields(np.mean, r), SAME),
    "padded": (lambda r: rfn.rename_fields(r, {"x": "z"}), np.dtype([("b", "i1"), ("x", "f8")], align=True)),
    "nothing": (lambda r: rfn.unstructured_to_structured(r["x"][:, None][:, :0]), SAME),
    "no fields": (lambda r: rfn.structured_to_unstructured(r[[]]), SAME),
    "masked": (lambda r: rfn.append_fields(r, "n", np.arange(4.0)), SAME),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize("name", LEFT)
def test_what_else_there_is_is_left_to_numpy(name):
    function, dtype = LEFT[name]
    with pytest.raises(StagingError):
        convert(function, device="host", strict=True)(filled(dtype))
    assert outcome(convert(function, device="host"), dtype) == outcome(function, dtype)


def test_layouts_tell_what_numpy_holds_to_be_equal():
    assert layout_of(np.dtype([("k", "l")])) != layout_of(np.dtype([("k", "q")]))
    assert layout_of(np.dtype([("k", "f8"), ("b", "?")])) != layout_of(
        np.dtype([("k", "f8"), ("b", "?")], align=True)
    )
    assert layout_of(DEEP) == layout_of(np.dtype(DEEP.descr))
    assert [offset for _, _, offset in offsets_of(DEEP)] == [0, 8, 16, 40]
    assert not overlap(DEEP)
    assert overlap(np.dtype({"names": ["x", "y"], "formats": ["f8", "i2"], "offsets": [0, 6]}))
