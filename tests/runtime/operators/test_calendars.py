"""What NumPy computes of dates that are known is known."""

import numpy as np
import pytest

from transpile import convert
from transpile.runtime.errors import StagingError

X = np.arange(4.0)


def of_dates(x):
    days = np.busday_count("2020-01-01", "2020-01-10")
    return (
        x * days,
        np.busday_offset("2020-01-01", 3),
        np.is_busday("2020-01-01"),
        np.datetime_as_string(np.datetime64("2020-01-01")),
        np.datetime_data("M8[D]"),
        np.datetime64("2020-01-01") + np.timedelta64(3, "D"),
    )


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_dates_that_are_known_are_computed_with(device):
    assert repr(convert(of_dates, strict=True, device=device)(X)) == repr(of_dates(X))


@pytest.mark.parametrize(
    "function",
    [
        lambda x: (np.datetime64("now"), x + 1),
        lambda x: (np.busday_count("today", "2030-01-01"), x + 1),
        lambda x: np.busday_offset("2020-01-01", x.astype(int)),
    ],
)
def test_what_is_not_known_is_left_to_numpy(function):
    with pytest.raises(StagingError, match="S314-dates"):
        convert(function, strict=True)(X)
