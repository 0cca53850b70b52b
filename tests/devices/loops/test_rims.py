"""Where what lies between rims is stored over unread, the rims alone are stored before."""

import numpy as np
import pytest

from transpile.devices.loops.nests import loops_of
from transpile.devices.loops.statement import Nest

WIDE = np.sin(np.arange(23.0 * 31.0)).reshape(23, 31)


def loops(found):
    """How many loops each nest has."""
    return sorted(len(loops_of(nest)) for nest in found if isinstance(nest, Nest))


def copied(a):
    new = a.copy()
    new[1:-1, 1:-1] = a[2:, 1:-1] + a[:-2, 1:-1] * a[1:-1, 2:]
    return new.sum(), new[::2] * 2.0


def filled(a):
    new = np.full(a.shape, 1.5)
    new[1:, 1:] = a[:-1, 1:] - a[1:, :-1]
    return new * 2.0


def rows_only(a):
    new = a + a
    new[1:-1] = a[2:] - a[:-2]
    return new * 2.0


@pytest.mark.parametrize("function", [copied, filled])
def test_rims_alone_are_stored(scheduled, function):
    for given in (WIDE, WIDE[:2, :2].copy(), WIDE[:3], WIDE[:, :2].copy(), WIDE[:4, :5].T):
        scheduled(function, given)
    assert loops(scheduled(function, WIDE)).count(2) < 4


def gradients(a):
    across, along = np.zeros_like(a), np.zeros_like(a)
    across[1:-1, 1:-1] = a[:-2, 2:] - a[:-2, :-2]
    along[:, 1:-1] = a[:, 2:] - a[:, :-2]
    return np.hypot(across, along)


def test_axes_of_length_one_have_no_rims_of_their_own(scheduled):
    for given in (WIDE[:1], WIDE[:1, :5], WIDE[:, :1].copy(), WIDE[:1, :1].copy(), WIDE):
        scheduled(gradients, given)


def test_rims_of_other_ranks(scheduled):
    def line(a):
        new = a.copy()
        new[1:-1] = a[2:] + a[:-2]
        return new[::-1] * 2.0

    def solid(a):
        new = np.zeros_like(a)
        new[1:-1, 1:-1, 1:-1] = a[2:, 1:-1, 1:-1] + a[1:-1, :-2, 1:-1] - a[1:-1, 1:-1, 2:]
        return new + 1.0

    for count in (2, 3, 40):
        scheduled(line, WIDE.ravel()[:count].copy())
    for shape in ((2, 2, 2), (3, 4, 5), (2, 9, 3), (6, 5, 40)):
        scheduled(solid, np.cos(np.arange(float(np.prod(shape)))).reshape(shape))


def read_between(a):
    new = a.copy()
    total = new.sum()
    new[1:-1, 1:-1] = a[2:, 1:-1] + total
    return new + 1.0


def read_by_what_stores(a):
    new = a.copy()
    new[1:-1, 1:-1] = new[2:, 1:-1] + a[:-2, 1:-1]
    return new + 1.0


def added_to(a):
    new = a.copy()
    new[1:-1, 1:-1] += a[2:, 1:-1]
    return new + 1.0


def at_times(a):
    new = a.copy()
    if a[0, 0] > 3.0:
        new[1:-1, 1:-1] = a[2:, 1:-1]
    return new + 1.0


def every_second(a):
    new = a.copy()
    new[::2, 1:-1] = a[::2, 2:]
    return new + 1.0


def turned(a):
    new = a.copy()
    new[1:-1, 1:-1].T[:] = a[1:-1, 2:].T
    return new + 1.0


def handed_in(a):
    b = a[:]
    b[:] = 2.0
    b[1:-1, 1:-1] = 3.0


def source_changes(a):
    new = a.copy()
    a += 1.0
    new[1:-1, 1:-1] = a[2:, 1:-1]
    return new + a


@pytest.mark.parametrize(
    "function",
    [
        rows_only,
        read_between,
        read_by_what_stores,
        added_to,
        at_times,
        every_second,
        turned,
        handed_in,
        source_changes,
    ],
)
def test_what_is_wanted_is_stored(scheduled, function):
    for given in (WIDE.copy(), WIDE[:3, :4].copy(), WIDE[:2].copy()):
        scheduled(function, given)
