"""NumPy's mutation and aliasing: behaviours 168 to 190."""

from __future__ import annotations

import numpy as np
import pytest

from .harness import DEVICES, Behaviour, Behaviours, arrays, check, name_of, on_each

behaviours = Behaviours()


def grid(rows=3, columns=4):
    return np.arange(rows * columns * 1.0).reshape(rows, columns)


def frozen(*shape):
    array = np.ones(shape)
    array.flags.writeable = False
    return array


@behaviours(
    168, "an element is stored", (np.zeros(3), 1, 2.5), (np.zeros(3, int), -1, 2), (np.zeros(2), 2, 1.0)
)
def stores(x, i, value):
    x[i] = value
    x[0] += value
    return x[i]


@behaviours(168, "an element is stored in a loop", *arrays())
def stores_in_loop(x):
    for i in range(1, len(x)):
        x[i] = x[i] + x[i - 1]


@behaviours(169, "an element of a matrix is stored", (grid(), 1, -1), (grid(), 3, 0), (grid(1, 1), 0, 0))
def stores_in_matrix(x, i, j):
    x[i, j] = 7
    x[i][j] *= 2
    x[j, i] -= 1
    return x[i]


@behaviours(170, "a slice is stored", (np.arange(6.0), 1, 4), (np.arange(6.0), 4, 1), (np.zeros(0), 0, 5))
def stores_slice(x, a, b):
    x[a:b] = 9
    x[::-2] += 1
    x[-2:] = x[:2] * 2
    return x[a:b]


@behaviours(170, "rows and columns are stored", (grid(), 1), (grid(2, 2), 0))
def stores_rows(x, k):
    x[k] = 1
    x[:, k] = np.arange(len(x))
    x[k:, 1:] *= -1
    x[1:3, 0] = 5


@behaviours(171, "elements under a mask are stored", *arrays())
def stores_masked(x):
    x[x > 1] = 0
    x[x < 0] *= -1
    x[x == 0] = x[x == 0] + 3
    return x.sum()


@behaviours(
    171, "rows under a mask are stored", (grid(), np.array([True, False, True])), (grid(), np.zeros(3, bool))
)
def stores_masked_rows(x, mask):
    x[mask] = -1
    x[~mask, 1] = 5
    x[mask, 0] += np.arange(mask.sum())


@behaviours(
    172,
    "places that come twice",
    (np.zeros(4), np.array([0, 1, 1, 0]), np.arange(4.0)),
    (np.zeros(2), np.array([-1, 1]), np.ones(2)),
    (np.zeros(2), np.zeros(0, int), np.zeros(0)),
    (np.zeros(2), np.array([2]), np.zeros(1)),
)
def stores_twice(x, places, values):
    x[places] = values
    x[places] += 1
    return x[places]


@behaviours(173, "everything is stored", *arrays(), (np.array(2.0),), (grid(),))
def stores_all(x):
    x[...] = x * 2
    x[()] += 1
    x[...] = -x


@behaviours(174, "in-place addition is seen by two names", *arrays())
def adds_in_place(x):
    y = x
    y += 1
    z = y
    z *= 2
    return x, y, z, x is y, y is not z


@behaviours(174, "in-place addition of numbers is not seen by another name", (2,), (2.5,), (np.float32(2),))
def adds_to_numbers(x):
    y = x
    y += 1
    z = y
    z *= 2
    return x, y, z


@behaviours(
    175, "a write through a view is seen in its base", (np.arange(6.0),), (np.arange(12.0).reshape(2, 6),)
)
def writes_through_views(x):
    v = x[..., 1:]
    w = v[..., ::2]
    w[...] = -1
    v += 10
    t = x.T
    t[0] = 100
    r = x.reshape(-1)
    r[2] = 50
    return w.sum(), v.sum(), x.ravel()[3]


@behaviours(176, "views that overlap", (np.arange(5.0),), (np.zeros(1),), (np.zeros(0),), (grid(),))
def overlaps(x):
    x[1:] = x[:-1]
    x[:-1] += x[1:]
    x[::-1] = x
    return x


@behaviours(176, "views that overlap, in both directions", (np.arange(8),))
def overlaps_both(x):
    x[2:] += x[:-2]
    x[:-3] = x[3:] * 2
    x[1:-1] = x[2:] + x[:-2]


@behaviours(
    177,
    "out= is written",
    (np.arange(4.0), np.zeros(4)),
    (np.ones(1), np.ones(1)),
    (np.ones((2, 2)), np.ones((2, 2))),
)
def writes_out(x, out):
    result = np.add(x, 1, out=out)
    np.multiply(out, 2, out=out)
    np.exp(x, out)
    np.add(x, out, out=x)
    y = np.empty_like(x)
    np.sqrt(x, out=y)
    return result is out, y, np.sum(x, axis=0, out=None)


@behaviours(
    177, "out= is a view, or does not fit", (np.arange(6.0), 1), (np.arange(6.0), 2), (np.arange(6), 1)
)
def writes_out_view(x, k):
    np.add(x[k:4], 0.5, out=x[:3])
    return x


@behaviours(178, "where= leaves the rest alone", *arrays(np.full(3, 7.0)))
def writes_where(x, out):
    total = np.sum(x, where=x > 0)
    np.sqrt(out, out=out, where=out > 3)
    np.add(out, 1, out=out, where=np.array([True, False, True]))
    return total


@behaviours(
    179,
    "add.at counts places as often as they come",
    (np.zeros(3), np.array([0, 1, 1, 2, 1]), 1),
    (np.zeros(3, int), np.array([0, -1]), 2.5),
    (np.zeros(3, int), np.zeros(0, int), 1),
    (np.zeros(3), np.array([0, 3]), 1.0),
)
def adds_at(x, places, values):
    np.add.at(x, places, values)
    np.multiply.at(x, places[:1], 2)
    np.maximum.at(x, places, 1)
    np.subtract.at(x, 0, values)
    return x


@behaviours(
    179,
    "add.at with places of two axes, and a mask",
    (np.zeros((2, 3)), np.array([0, 1, 0]), np.array([2, 2, 2]), np.array([1.0, 2.0, 3.0])),
    (np.ones((2, 3)), np.zeros(0, int), np.zeros(0, int), np.zeros(0)),
)
def adds_at_pairs(x, i, j, values):
    np.add.at(x[0], x[0] > 0.5, 2.0)
    np.add.at(x, i[:1], values)
    np.add.at(x, (i, j), values)
    np.add.at(x, (slice(None), j), 1)
    np.negative.at(x, i)
    return x


@behaviours(
    180, "a sort in place", (np.array([3.0, 1.0, 2.0]),), (np.zeros(0),), (np.array([[2, 1], [0, 3]]),)
)
def sorts(x):
    v = x[1:]
    x.sort()
    y = x * 2
    y[::-1].sort()
    y.sort(axis=0)
    return v, y


@behaviours(180, "a fill", (grid(), 1.5), (np.zeros(3, int), 2), (np.zeros(0), 1), (np.array(1.0), 2))
def fills(x, value):
    x.fill(value)
    x[:1].fill(0)
    return x


@behaviours(180, "resize of an array that is referred to", (np.arange(4.0),), gaps="S170-method")
def resizes(x):
    y = x
    y.resize(6)
    return y


@behaviours(181, "the caller sees what is written", (np.arange(3.0), grid()), (np.zeros(0), grid(1, 1)))
def changes_arguments(x, y):
    x += 1
    y[0] = x.sum()
    helper(y)


def helper(y):
    y[:, 0] = -1


@behaviours(181, "the caller does not see what a name is bound to anew", *arrays())
def rebinds(x):
    x = x + 1
    x[:1] = 5
    return x


@behaviours(
    182, "two arguments are one array", lambda: (lambda a: (a, a))(np.arange(4.0)), (np.zeros(3), np.ones(3))
)
def writes_one_reads_other(x, y):
    x += 1
    y *= 2
    x[0] = y[-1]
    return x, y, x is y


@behaviours(
    182, "arguments share memory", lambda: (lambda a: (a[1:], a[:-1]))(np.arange(5.0)), gaps="S203-overlap"
)
def writes_overlapping(x, y):
    x += y
    return x


@behaviours(183, "a read-only array raises", lambda: (frozen(3), 1), lambda: (np.ones(3), 1))
def writes_read_only(x, k):
    print("begins")
    y = x + k
    x[0] = k
    return y


@behaviours(183, "a read-only array can be read", lambda: (frozen(3),), lambda: (frozen(0),))
def reads_read_only(x):
    y = x * 2
    y += 1
    return y, x[1:]


@behaviours(183, "what broadcast_to gives is read-only", *arrays())
def writes_broadcast(x):
    y = np.broadcast_to(x, (2, *x.shape))
    y[0] = 1
    return y


@behaviours(184, "a write in one branch", (np.arange(3.0), 1), (np.arange(3.0), -1), (np.zeros(0), 1))
def writes_in_branch(x, k):
    v = x[1:]
    if k > 0:
        v[...] = 9
        x[:1] += 1
    return v.sum()


@behaviours(184, "writes in branches of a loop", (np.arange(6.0),), (np.zeros(0),))
def writes_in_branches_of_loop(x):
    for i in range(len(x)):
        if x[i] > 2:
            x[i] = -x[i]
        elif i % 2:
            x[i - 1] = 0.5
    return x


@behaviours(
    185,
    "what is stored is cast",
    (np.zeros(3, int), 2.7),
    (np.zeros(3, np.float32), 0.1),
    (np.zeros(2, bool), 3),
)
def casts_on_store(x, value):
    x[0] = value
    x[1:] = np.array([value])
    return x


@behaviours(
    185,
    "an in-place operator casts of the same kind only",
    (np.zeros(3, int), 2.5),
    (np.zeros(3, np.float32), 0.1),
)
def casts_in_place(x, value):
    y = x + value
    x += np.full(3, value)
    return y


@behaviours(
    186,
    "what is stored does not broadcast",
    (grid(), np.ones(3)),
    (grid(), np.ones(4)),
    (grid(), np.ones((3, 1))),
)
def stores_broadcast(x, value):
    x[1] = 1
    x[...] = value
    x[:, 1:3] = value[:1]
    return x


@behaviours(
    187,
    "arrays without axes and scalars",
    (np.array(2.0),),
    (np.float64(2.0),),
    (2.0,),
    (np.array(3),),
    (np.int32(3),),
)
def zero_dimensional(x):
    y = x
    y = y + 1
    z = x * 2.0
    return y, z, np.ndim(x), np.shape(z), np.asarray(x) * 2


@behaviours(
    187, "an array without axes is changed, a scalar is not", (np.array(2.0),), (np.float64(2.0),), (2.0,)
)
def changes_zero_dimensional(x):
    y = x
    y += 1
    return x, y


@behaviours(
    188,
    "slices are views, gathers are copies",
    (np.arange(6.0), np.array([0, 2])),
    (grid(), np.array([1, 1])),
)
def views_and_copies(x, places):
    fancy, view = x[places], x[1:]
    masked = x[x > 1]
    fancy += 100
    view += 10
    masked[:1] = -5
    return fancy, view, masked, x[1], x.flatten(), x.ravel(), x.copy(), x[:]


@behaviours(189, "nditer writes back", (np.arange(4.0),), (grid(),), (grid(1, 1),), (np.zeros(0),))
def writes_back(x):
    with np.nditer(x, op_flags=["readwrite"]) as it:
        for element in it:
            element[...] = 2 * element
    return x


@behaviours(189, "ndindex and ndenumerate write by places", (grid(),), (np.zeros((0, 2)),))
def writes_by_places(x):
    for i, j in np.ndindex(*x.shape):
        x[i, j] += i - j
    for place in np.ndindex(x.shape):
        x[place] *= 2
    return x


@behaviours(190, "views that are returned share memory", (np.arange(6.0),), (np.zeros(0),), (grid(),))
def returns_views(x):
    y = x + 1
    return x[1:], x.T, x[::-1], y, y[:2], x, x.reshape(-1), np.atleast_2d(x)


@behaviours(190, "one array is returned by several names", *arrays())
def returns_names(x):
    y = x * 2
    z = y
    return {"x": x, "y": y, "z": z, "view": z[:1]}


@behaviours(
    168,
    "places of true elements",
    *on_each(np.array([0.0, 2.0, 0.0, 3.0]), np.zeros(0), np.eye(3), np.zeros((2, 0))),
)
def finds_places(x):
    places = np.nonzero(x)
    first = np.where(x > 1)[0]
    return places, first, np.flatnonzero(x), np.argwhere(x), x.nonzero(), np.count_nonzero(x)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("behaviour", behaviours.functions, ids=name_of)
def test_behaviour(behaviour: Behaviour, device: str) -> None:
    check(behaviour, device)
