"""What loops run over: ranges whose step run time gives, of either sign."""

import numpy as np
import pytest

from transpile import convert

from ...end_to_end.comparison import call, compare


def steps(x, k):
    step = int(x[k])
    squares = [i * i for i in range(0, 20, step)]
    windows = np.array([x[: i + 1].sum() for i in range(6, 0, -step)])
    return squares, windows, len(range(1, 10, step)), list(range(0, 9, step))


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_a_range_has_as_many_numbers_as_its_step_at_run_time_gives(device: str) -> None:
    converted = convert(steps, strict=True, device=device)
    x = np.array([1.0, -1.0, 2.0, -3.0, 5.0, -20.0, 20.0, 7.0, 0.0])
    for k in range(len(x)):
        compare(call(steps, (x, k)), call(converted, (x, k)))
    assert "compiled whole" in converted.explain()
