"""Arrays of records are compiled where they are used by fields, which share memory as NumPy has it, and left to NumPy elsewhere."""

import copy
import threading

import numpy as np
import pytest

import transpile
from transpile import StagingError

from .comparison import call, compare

DEVICES = ("cpu", "host")
LEAVES = pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
PARTICLE = np.dtype([("pos", "f8", 2), ("vel", "f8", 2), ("mass", "f8"), ("hits", "i8")])
PADDED = np.dtype(
    [("hits", "i4"), ("mass", "f8"), ("alive", "?"), ("z", "c16"), ("m", "f4", (2, 3))], align=True
)
PACKED = np.dtype(
    [("alive", "?"), ("hits", "i4"), ("mass", "f8"), ("z", "c16"), ("m", "f4", (2, 3)), ("h", "i2")]
)
NESTED = np.dtype([("at", PARTICLE), ("parts", [("w", "f8"), ("k", "i8")], 2), ("one", "f8", 1)])


def filled(dtype, shape=6):
    """An array of records with a number of its own in each place."""
    array, numbers = np.zeros(shape, dtype), np.random.default_rng(len(dtype.names))

    def fill(part):
        for name in part.dtype.names:
            if part.dtype[name].base.names is not None:
                fill(part[name])
            else:
                part[name] = (numbers.random(part[name].shape) * 50 + 1).astype(part.dtype[name].base)

    fill(array)
    return array


def in_place(p, dt):
    p["pos"] += dt * p["vel"]
    p["vel"][:, 1] -= 9.81 * dt
    p["hits"][p["pos"][:, 1] < 20] += 1
    p["mass"] = p["mass"] * 0.5
    return p


def one_by_one(p):
    total = 0.0
    for i in range(len(p)):
        for j in range(i + 1, len(p)):
            d = p[i]["pos"] - p[j]["pos"]
            total += p[i]["mass"] * p["mass"][j] / np.sqrt(d @ d + 1)
        p[i]["hits"] += i
        p[i]["vel"][0] = total
    return total


def over_records(p):
    total = 0.0
    for q in p:
        q["mass"] += q["hits"]
        total += q["mass"] * q["pos"][1]
    for k, (q, r) in enumerate(zip(p, p[::-1])):
        total -= k * q["mass"] - r["hits"]
    return total, [q["mass"] for q in p], sum(q["hits"] for q in p[1:])


def records_are_views(p):
    first, again = p[0], p[0]
    first["mass"] = 7
    pos = first["pos"]
    pos[1] = 8
    again["pos"][0] = 9
    return p["mass"][0], again["mass"], again[0], first[-1], len(first), p[-1]["hits"]


def fields_of_rows(p):
    rows = p[1:]
    view = rows["mass"]
    view[0] = 100
    p[1:]["hits"] = p["hits"][:-1]
    p["mass"][2:] = p[:-2]["mass"]
    return p["mass"][1], rows, view, p[::-2]["pos"], rows[0], p[2:2]["vel"]


def every_field(p):
    for name in p.dtype.names:
        p[name] *= 2
    x, _, mass, hits = p[3]
    return x[1] + mass * hits


def shapes(p):
    return (
        p.shape,
        p.size,
        p.ndim,
        len(p),
        p.nbytes,
        p.itemsize,
        p.dtype,
        p.dtype["pos"],
        "vel" in p.dtype.names,
    )


def kinds(p):
    return (
        type(p) is np.ndarray,
        isinstance(p[0], np.void),
        isinstance(p[0], np.ndarray),
        p is p,
        p["mass"] is p["mass"],
    )


def nested(p):
    p["at"]["mass"] += p["parts"]["w"][:, 0]
    p["parts"][1, 0]["w"] = 9
    p["parts"]["k"][..., 1] *= 2
    p[2]["at"]["pos"][1] = 3
    p["one"][1:] = p["one"][:-1]
    inner, outer = p["at"], p["at"]["hits"]
    inner["hits"][:] = 4
    return outer.sum(), inner, p["at"][1], p[0]["at"], p[1]["parts"], p[1]["parts"][1]


def tuples(p):
    for i in range(len(p)):
        p[i] = (i, 2.5 * i, i % 2 == 0, 1j, 0.5)
    p[1:3] = (7, 1.5, True, 2, 3)


def padded(p):
    p["z"] *= 2
    p["m"][:, 1] += p["m"][:, 0]
    chosen = np.where(p["alive"], p["mass"], -1)
    return (
        chosen,
        p["z"].sum(),
        p["z"] @ p["z"],
        p["m"].sum(axis=0),
        np.sort(p["mass"]),
        p["hits"].argmax(),
        np.exp(p["mass"] / 50),
    )


def packed(p):
    p["mass"] += p["hits"] * 0.5
    p["z"][1:] *= p["z"][:-1]
    p["m"][:, 1] += np.exp(p["m"][:, 0] / 50)
    np.sqrt(p["mass"], out=p["mass"])
    total = 0.0
    for q in p:
        total += q["mass"] * q["m"][1, 2]
        q["h"] += 1
    large, bits = p["mass"].max(), p["mass"].view("i8") & 7
    return (
        total,
        large,
        bits,
        p["mass"].argmax(),
        np.sort(p["mass"]),
        p["alive"],
        p["h"].sum(),
        p["mass"][::-1].copy(),
        p["mass"],
    )


def reduced(p):
    x, z = p["mass"], p["z"]
    return (
        x.sum(),
        x.mean(),
        z.sum(),
        x @ x,
        z @ z,
        p["m"].sum(axis=0),
        p["m"].sum(),
        p["m"] @ p["m"][0].T,
        x.std(),
        np.cumsum(x),
    )


def made(p, n):
    new = np.zeros(len(p) + n, p.dtype)
    new[: len(p)] = p
    new[len(p) :]["mass"] = 3
    new[-1] = p[0]
    p["mass"] += 1
    small, large = np.empty_like(p), np.ones((n, 2), [("x", "f8"), ("k", "i4", 3)])
    for name in small.dtype.names:
        small[name] = p[name][::-1]
    large["k"][1:, 0, 2] = 8
    return new, new["mass"], small, large, new[1:], new[2]


def picked(p, places):
    ordered = p[np.argsort(-p["mass"])]
    some = p[places]
    some["mass"] = 0
    copy = p[1:].copy()
    copy["hits"] += 1
    p[0], p[1] = p[1], p[0]
    p[2:] = p[1:-1]
    p[-1] = copy[0]
    return ordered, some, copy, p[[2, 0, 1]], p.copy() is p


def several_fields(p):
    some = p[["hits", "mass"]]
    some["mass"] += some["hits"]
    some[1]["hits"] = 5
    part = p[1:][["pos", "mass"]]
    part["pos"][0] = 8
    return some, part, some.dtype.names, some[2:]["mass"], part[1], p[["vel"]][::2], some.shape


PROGRAMS = {
    "several fields": (several_fields, lambda: (filled(PARTICLE),)),
    "made": (made, lambda: (filled(PARTICLE), 3)),
    "picked": (picked, lambda: (filled(PARTICLE), np.array([[1, 5], [1, -2]]))),
    "packed": (packed, lambda: (filled(PACKED, 7),)),
    "reduced": (reduced, lambda: (filled(PACKED, 20_011),)),
    "in place": (in_place, lambda: (filled(PARTICLE), 0.1)),
    "one by one": (one_by_one, lambda: (filled(PARTICLE),)),
    "over records": (over_records, lambda: (filled(PARTICLE),)),
    "records are views": (records_are_views, lambda: (filled(PARTICLE),)),
    "fields of rows": (fields_of_rows, lambda: (filled(PARTICLE),)),
    "every field": (every_field, lambda: (filled(PARTICLE),)),
    "shapes": (shapes, lambda: (filled(PARTICLE),)),
    "kinds": (kinds, lambda: (filled(PARTICLE),)),
    "nested": (nested, lambda: (filled(NESTED),)),
    "tuples": (tuples, lambda: (filled(PADDED),)),
    "padded": (padded, lambda: (filled(PADDED),)),
}  # fmt: skip


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_fields_are_read_and_written_as_in_numpy(name, device):
    function, make = PROGRAMS[name]
    converted = transpile.convert(function, device=device, strict=True)
    compare(call(function, make()), call(converted, make()))


LAYOUTS = {
    "usual": lambda: filled(PARTICLE, 6),
    "one": lambda: filled(PARTICLE, 1),
    "none": lambda: filled(PARTICLE, 0),
    "steps": lambda: filled(PARTICLE, 9)[::2],
    "backward": lambda: filled(PARTICLE, 4)[::-1],
    "only field": lambda: filled(np.dtype([("mass", "f8")]), 5),
    "planes": lambda: filled(PARTICLE, (3, 4)),
    "turned": lambda: filled(PARTICLE, (3, 4)).T,
    "no axes": lambda: filled(PARTICLE, ()),
    "a field of records": lambda: filled(NESTED)["at"],
    "aligned": lambda: filled(PADDED),
    "packed": lambda: filled(PACKED),
    "packed backward": lambda: filled(PACKED)[::-2],
    "packed planes": lambda: filled(PACKED, (3, 4)).T,
    "packed without axes": lambda: filled(np.dtype([("alive", "i8"), ("mass", "f8")]), ()),
    "at an odd address": lambda: np.frombuffer(
        bytearray(6 * 24 + 1), [("hits", "i8"), ("mass", "f8"), ("x", "f8")], offset=1
    ),
}


def halved(p):
    p["mass"] /= 2
    return p["mass"].sum(), p, p["mass"], p["mass"] * 3, p[...]["mass"]


@pytest.mark.parametrize("device", DEVICES)
def test_however_the_records_lie(device):
    converted = transpile.convert(halved, device=device, strict=True)
    for _ in range(2):
        for make in LAYOUTS.values():
            # Copies would lie otherwise.
            expected, found = make(), make()
            for mine, theirs in zip(halved(expected), converted(found), strict=True):
                assert np.array_equal(mine, theirs)
                assert getattr(mine, "strides", 0) == getattr(theirs, "strides", 0)
            assert np.array_equal(expected, found)
    assert converted(p := filled(PARTICLE))[1] is p


def test_traces_are_told_apart_by_the_types_of_fields_and_not_by_where_these_lie():
    def doubled(p):
        return p["k"] * 2

    converted = transpile.convert(doubled, device="host", strict=True)
    dtypes = [
        np.dtype([("k", "f8"), ("j", "f8")]),
        np.dtype([("j", "f8"), ("k", "f8")]),
        np.dtype([("k", "l"), ("j", "f8")]),
        np.dtype({"names": ["k"], "formats": ["f8"], "offsets": [8], "itemsize": 32}),
    ]
    for dtype in dtypes * 2:
        p = filled(dtype)
        found = converted(p)
        assert found.dtype == doubled(p).dtype
        assert (found == doubled(p)).all()
    assert converted.cache_info().hits >= 4


@LEAVES
def test_integer_types_of_one_size_are_told_apart_in_fields():
    def largest(p):
        return p["k"].max()

    converted = transpile.convert(largest, device="host")
    for kind in ("l", "q", "l"):
        p = np.ones(3, [("k", kind)])
        assert type(converted(p)) is type(largest(p))


def shifted(p, q):
    p["mass"][1:] = q["mass"][:-1]
    return p["hits"].sum()


@LEAVES
@pytest.mark.parametrize("device", DEVICES)
def test_memory_that_is_shared_is_noticed(device):
    converted = transpile.convert(shifted, device=device)
    for cut in (lambda p: (p, p), lambda p: (p, p[:]), lambda p: (p[:3], p[3:]), lambda p: (p[1:], p[:-1])):
        expected, found = filled(PARTICLE), filled(PARTICLE)
        assert shifted(*cut(expected)) == converted(*cut(found))
        assert (expected == found).all()

    def beside(p, x):
        p["mass"][1:] = x[:-1]
        return x

    converted = transpile.convert(beside, device=device)
    for other in ("mass", "hits"):
        expected, found = filled(PARTICLE), filled(PARTICLE)
        assert (beside(expected, expected[other]) == converted(found, found[other])).all()
        assert (expected == found).all()


@pytest.mark.parametrize("device", DEVICES)
def test_what_is_returned_shows_the_caller_s_memory(device):
    def views(p):
        return p["mass"], p[1:], p[2], p["pos"][:, 0], p["mass"]

    p = filled(PARTICLE)
    mass, rows, record, x, again = transpile.convert(views, device=device, strict=True)(p)
    assert mass is not again
    p["mass"] = 5
    p["pos"] = 6
    assert mass[0] == again[1] == rows["mass"][0] == record["mass"] == 5
    assert x[3] == 6
    record["mass"] = 8
    assert p["mass"][2] == 8


@pytest.mark.parametrize("device", DEVICES)
def test_records_that_cannot_be_written_are_read_and_refuse_stores(device):
    p = filled(PARTICLE)
    p.flags.writeable = False

    def read(p):
        return p["mass"].sum(), p[1]["hits"]

    def written(p):
        p[1]["mass"] = 2

    assert transpile.convert(read, device=device, strict=True)(p) == read(p)
    compare(call(written, (p,)), call(transpile.convert(written, device=device), (p,)))
    with pytest.raises(ValueError, match="read-only"):
        transpile.convert(written, device=device)(p)


def at(p, i):
    p["hits"] += 1
    return p[i]["mass"]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("i", [2, -1, 6, -7])
def test_places_are_checked(device, i):
    converted = transpile.convert(at, device=device)
    converted(filled(PARTICLE), 1)
    compare(call(at, (filled(PARTICLE), i)), call(converted, (filled(PARTICLE), i)))


class World:
    def __init__(self):
        self.particles = filled(PARTICLE)

    def step(self):
        self.particles["mass"] += 1
        return self.particles["mass"].sum() + PARTICLES["hits"].sum()


PARTICLES = filled(PARTICLE)


@pytest.mark.parametrize("device", DEVICES)
def test_globals_and_attributes_are_arguments_as_well(device):
    world, other = World(), World()
    converted = transpile.convert(World.step, device=device, strict=True)
    for _ in range(3):
        assert world.step() == converted(other)
    assert (world.particles == other.particles).all()


def test_calls_that_come_often_stay_right():
    converted = transpile.convert(in_place, strict=True)
    expected, found = filled(PARTICLE), filled(PARTICLE)
    for _ in range(450):
        in_place(expected, 0.01)
        assert converted(found, 0.01) is found
    assert (expected == found).all()
    assert converted.cache_info().misses == 1


def test_threads_may_call_at_once():
    converted = transpile.convert(in_place, strict=True)
    many = [filled(PARTICLE, 300) for _ in range(4)]
    expected = in_place(filled(PARTICLE, 300), 0.5)
    threads = [threading.Thread(target=converted, args=(p, 0.5)) for p in many]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all((p == expected).all() for p in many)


def attributes(r):
    r.mass += r.hits
    r.hits = 3
    r.pos[0] = r.vel[1]
    r[1].mass = 9
    r[2]["hits"] += 5
    total = 0.0
    for q in r:
        total += q.mass * q.pos[1]
        q.mass = total
    is_known = (
        type(r) is np.recarray,
        isinstance(r, np.ndarray),
        type(r[0]) is np.record,
        hasattr(r, "mass"),
        hasattr(r, "none"),
    )
    return total, r, r[1:], r[::2].mass, r[0], r.mass, r["hits"], r.shape, len(r), is_known


def deep_attributes(r):
    r.at.mass = 4
    r["at"].hits += 2
    r[1].at.mass += r.one[0, 0]
    return r.at, r["at"].pos, r[1]["at"], r[2].at.hits, type(r.at) is np.recarray, type(r[0].at) is np.record


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("function, dtype", [(attributes, PARTICLE), (deep_attributes, NESTED)])
def test_fields_of_record_arrays_are_attributes(function, dtype, device):
    converted = transpile.convert(function, device=device, strict=True)
    expected, found = filled(dtype).view(np.recarray), filled(dtype).view(np.recarray)
    one, other = function(expected), converted(found)
    for mine, theirs in zip(one, other, strict=True):
        assert type(mine) is type(theirs)
        assert repr(mine) == repr(theirs)
    assert repr(expected) == repr(found)
    assert all(np.shares_memory(a, found) for a in other if isinstance(a, np.ndarray))


@LEAVES
def test_names_of_fields_that_are_others_too_are_told_apart():
    def named(r):
        return r.names.sum(), r.size, r["size"].sum(), r.shown.max()

    r = np.ones(3, [("names", "f8"), ("size", "f8"), ("shown", "f8")]).view(np.recarray)
    assert transpile.convert(named)(r) == named(r) == (3.0, 3, 3.0, 1.0)
    with pytest.raises(AttributeError, match="no attribute 'mass'"):
        transpile.convert(lambda p: p.mass)(filled(PARTICLE))


def test_record_arrays_and_arrays_of_records_are_told_apart():
    converted = transpile.convert(lambda p: (p["mass"].sum(), p[1:]), strict=True, device="host")
    for kind in (np.ndarray, np.recarray, np.ndarray):
        assert type(converted(filled(PARTICLE).view(kind))[1]) is kind
    assert converted.cache_info().misses == 2


LEFT = {
    "compared": (lambda p: p == p, PARTICLE, "S323-records"),
    "sorted": (lambda p: p.sort(order="mass"), PARTICLE, "S170-method"),
    "printed": (lambda p: str(p), PARTICLE, "S230-deferred"),
    "a field twice": (lambda p: p[["mass", "mass"]], PARTICLE, "S323-records"),
    "fields in fields": (lambda p: p[["at", "one"]]["at"], NESTED, "S323-records"),
    "made in a loop": (lambda p: [np.zeros(n, p.dtype)["mass"].sum() for n in range(len(p))], PARTICLE, "S323-records"),
    "stored by a mask": (lambda p: p.__setitem__(p["hits"] > 3, p[0]), PARTICLE, "S323-records"),
    "copied field by field": (lambda p: p.copy(), np.dtype([("x", "f8"), ("s", "S3")]), "S122-dtype"),
    "picked by a mask": (lambda p: p[p["mass"] > 3], PARTICLE, "S323-records"),
    "added": (lambda p: p + 1, PARTICLE, "S323-records"),
    "true": (lambda p: 1 if p else 2, PARTICLE, "S323-records"),
    "chosen": (lambda p: (p[0] if p["mass"][0] > 3 else p[1])["hits"], PARTICLE, "S151-thing"),
    "text": (lambda p: p["s"], np.dtype([("x", "f8"), ("s", "S3")]), "S122-dtype"),
    "foreign bytes": (lambda p: p["x"], np.dtype([("x", ">f8")]), "S122-dtype"),
    "no field of numbers": (lambda p: len(p), np.dtype([("s", "S3")]), "S122-dtype"),
    "fields that overlap": (lambda p: p["x"], np.dtype({"names": ["x", "y"], "formats": ["f8", "f8"], "offsets": [0, 4]}), "S323-records"),
}  # fmt: skip


@LEAVES
@pytest.mark.parametrize("name", LEFT)
def test_what_is_not_compiled_of_records_is_left_to_numpy_with_a_reason(name):
    function, dtype, code = LEFT[name]
    p = np.zeros(3, dtype)
    compare(call(function, (p,)), call(transpile.convert(function, device="host"), (p,)))
    with pytest.raises(StagingError) as caught:
        transpile.convert(function, device="host", strict=True)(copy.deepcopy(p))
    assert caught.value.code == code


@LEAVES
@pytest.mark.parametrize("device", DEVICES)
def test_records_that_do_not_fit_raise_what_numpy_raises(device):
    def stored(p, q, text):
        print(text)
        p[1:] = q
        return p

    converted = transpile.convert(stored, device=device)
    for sizes in ((6, 5), (6, 1), (6, 4), (3, 5), (2, 2)):
        given = (*(filled(PARTICLE, size) for size in sizes), "before")
        compare(call(stored, given), call(converted, given))


class Holder:
    pass


@pytest.mark.parametrize("device", DEVICES)
def test_records_are_made_anew_for_each_call(device):
    def fill(holder, n):
        holder.made = np.zeros(n, [("x", "f8"), ("flag", "?")])
        holder.made["x"] += 1
        return holder.made

    converted = transpile.convert(fill, device=device, strict=True)
    holder, found = Holder(), []
    for n in (4, 4, 7, 1, 0):
        found.append(converted(holder, n))
        assert found[-1] is holder.made
        assert found[-1].tolist() == [(1.0, False)] * n
    assert not np.shares_memory(found[0], found[1])
    assert converted.cache_info().misses <= 3


@LEAVES
@pytest.mark.parametrize("n", [-1, 1 << 60])
def test_records_that_cannot_be_made_raise_what_numpy_raises(n):
    def sized(n):
        if n == 1 << 60:
            raise KeyError(n)
        return np.zeros(n, [("x", "f8"), ("y", "f8")])

    converted = transpile.convert(sized, device="host")
    assert len(converted(3)) == 3
    compare(call(sized, (n,)), call(converted, (n,)))


@LEAVES
def test_records_that_do_not_lie_as_their_dtype_asks_are_left_to_numpy():
    def read(p):
        return p["mass"].sum()

    converted = transpile.convert(read)
    for _ in range(3):
        p = np.frombuffer(bytearray(3 * PADDED.itemsize + 1), PADDED, offset=1)
        assert converted(p) == read(p)
    assert "S297-unaligned" in converted.explain()
    assert converted.cache_info().misses == 1


@LEAVES
def test_what_lies_at_any_address_is_no_other_array_in_turn():
    def carried(p, n):
        x, total = np.zeros(len(p)), 0.0
        for _ in range(n):
            total += x[-1]
            x = p["mass"]
        return total

    converted = transpile.convert(carried)
    assert converted(filled(PACKED), 3) == carried(filled(PACKED), 3)
    assert "D130-unaligned" in converted.explain()
    converted(filled(PARTICLE), 3)
    assert "compiled whole" in converted.explain()


def test_fields_beside_those_that_are_not_compiled_are():
    dtype = np.dtype([("name", "O"), ("x", "f8"), ("day", "M8[D]"), (("a title", "y"), "f8")])

    def summed(p):
        p["y"] += p["x"]
        return p["y"].sum()

    expected, found = np.ones(4, dtype), np.ones(4, dtype)
    assert summed(expected) == transpile.convert(summed, strict=True)(found)
    assert expected.tolist() == found.tolist()
