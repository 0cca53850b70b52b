"""Products of many short rows with one are computed in the loops of a kernel, where BLAS adds up in order."""

import numpy as np
import pytest

from transpile.devices.loops import short_products
from transpile.devices.loops.program import Upcall


def function(image):
    return np.dot(image[..., :3], [0.2989, 0.5870, 0.1140])


IMAGE = np.random.default_rng(0).integers(0, 256, (9, 7, 4)).astype(np.uint8)


def test_short_rows_are_multiplied_as_they_are_converted(scheduled):
    if not short_products.adds_in_order(3):
        pytest.skip("BLAS adds up otherwise")
    program = scheduled(function, IMAGE)
    assert program.count(Upcall) == 0 and len(program.nests) == 1


def test_where_blas_adds_up_otherwise_it_is_called(scheduled, monkeypatch):
    monkeypatch.setattr(short_products, "adds_in_order", lambda length: False)
    assert scheduled(function, IMAGE).count(Upcall) == 1


def test_long_rows_are_left_to_numpy(scheduled):
    def rows(a, w):
        return np.dot(a, w)

    assert scheduled(rows, np.ones((3, 4, 20)), np.ones(20)).count(Upcall) == 1
