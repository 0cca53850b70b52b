"""Where the elements are that are not zero."""

import numpy as np
import pytest

import transpile

from ...end_to_end.comparison import differences


def places(x):
    return np.nonzero(x), x.nonzero(), np.flatnonzero(x), np.argwhere(x), np.where(x)


def selected(x):
    rows, columns = np.nonzero(x > 1)
    return x[rows, columns], len(rows), rows.sum()


@pytest.mark.parametrize("device", ("host", "cpu"))
@pytest.mark.parametrize(
    "x",
    [
        np.array([0.0, 2.0, -0.0, np.nan]),
        np.zeros(0),
        np.eye(3),
        np.asfortranarray(np.eye(3)[:, :2]),
        np.arange(8).reshape(2, 2, 2) % 3,
        np.zeros((2, 0)),
        np.array([True, False]),
        np.arange(6)[::-2],
    ],
)
def test_places_are_numpy_s(x, device) -> None:
    converted = transpile.convert(places, strict=True, device=device)
    expected, found = places(x), converted(x)
    assert not differences(expected, found)
    if x.ndim > 1:
        shares = [np.may_share_memory(*result[0]) for result in (expected[:1], found[:1]) if x.ndim == 2]
        assert len(set(shares)) < 2


@pytest.mark.parametrize("device", ("host", "cpu"))
def test_places_index(device) -> None:
    x = np.arange(6.0).reshape(2, 3)
    assert not differences(selected(x), transpile.convert(selected, strict=True, device=device)(x))


def test_an_array_without_axes_is_refused() -> None:
    with pytest.raises(ValueError, match="Calling nonzero on 0d arrays is not allowed"):
        transpile.convert(places, device="host")(np.array(1.0))
