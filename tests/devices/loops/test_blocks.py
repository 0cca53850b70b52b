"""Loops over rows whose stages store for each other what lies in rings are parted in blocks of rows, and give what NumPy gives."""

from dataclasses import replace

import numpy as np
import pytest

from transpile.devices.loops import blocks
from transpile.devices.loops.expression import Constant, Position
from transpile.devices.loops.statement import Allocate, For
from transpile.runtime.graph.dim import Dim
from transpile.runtime.graph.types import INT

SHAPES = ((90, 70), (33, 80), (9, 75), (3, 90), (50, 20))


@pytest.fixture
def parted(scheduled, nothing_kept, monkeypatch):
    """Gives the numbers of rows that rings have in all blocks together, none where there are no blocks, however few rows and however little work there is."""
    monkeypatch.setattr(blocks, "_WORK", 1)
    monkeypatch.setattr(blocks, "_ROWS", 1)
    around = blocks.Blocks.around

    def backwards(self, loop):
        # The last block first: each must do with what it has computed itself.
        *before, found = around(self, loop)
        last = Position(Dim.of_value(found.stop.value) - 1, INT)
        return [*before, replace(found, start=last, stop=Constant(-1, INT), step=Constant(-1, INT))]

    monkeypatch.setattr(blocks.Blocks, "around", backwards)

    def run(function, *arguments):
        found = scheduled(function, *arguments)
        spread = [s for s in found if isinstance(s, For) and s.spread is not None and s.is_apart]
        if not any(isinstance(s, For) and s.in_order for loop in spread for s in loop.body):
            return []
        dims = [s.buffer.dims[0] for s in found if isinstance(s, Allocate)]
        return sorted(dim for dim in dims if isinstance(dim, int))

    return run


def field(shape):
    return np.sin(np.arange(float(np.prod(shape)))).reshape(shape) * 3.0


def test_neighbouring_rows_are_computed_for_each_block(parted):
    def function(a):
        b = np.hypot(a, a * 0.5)
        return b[3:] - b[:-3]

    for shape in SHAPES:
        assert parted(function, field(shape)) == [4 * 4]


def test_rows_before_those_before(parted):
    def function(a):
        b = np.hypot(a, 1.0)
        c = np.hypot(b[2:] - b[:-2], b[1:-1])
        d = np.zeros_like(c)
        d[1:-1, 1:-1] = c[2:, 1:-1] - c[:-2, 2:]
        return np.hypot(d[2:], d[:-2])

    for shape in SHAPES[:3]:
        assert len(parted(function, field(shape))) == 3


def test_steps_over_rows(parted):
    def function(image, weights):
        h, w = (size - len(weights) + 1 for size in image.shape)
        rows = sum(weight * image[k : k + h] for k, weight in enumerate(weights))
        smooth = sum(weight * rows[:, k : k + w] for k, weight in enumerate(weights))
        return np.hypot(smooth[2:] - smooth[:-2], smooth[1:-1])

    for shape in SHAPES[:3]:
        assert parted(function, field(shape), field((5,))) == [4, 4 * 4]


def test_rims_are_stored_in_the_block_that_has_them(parted):
    def function(a):
        b = np.hypot(a, a * 0.25)
        c = np.zeros_like(a)
        c[1:-1, 1:-1] = b[2:, 1:-1] - b[:-2, 1:-1]
        return c

    for shape in SHAPES:
        assert parted(function, field(shape)) == [4 * 4]


def test_corners_are_stored_in_order(parted):
    def function(a):
        b = np.hypot(a, a * 0.25)
        c = np.zeros_like(a)
        c[1:-1, 1:-1] = b[2:, 1:-1] - b[:-2, 1:-1]
        c[0] = 2.0
        c[:, -1] = 1.0
        c[-1] = 3.0
        return c

    for shape in SHAPES:
        assert parted(function, field(shape)) == [4 * 4]


def test_what_is_stored_over_an_argument_stays_in_one_loop(parted):
    def function(a):
        b = np.hypot(a, a * 0.25)
        a[1:-1] = b[2:] - b[:-2]

    for shape in SHAPES[:4]:
        assert parted(function, field(shape)) == []


def test_what_is_wanted_besides_is_stored_by_its_block(parted):
    def function(a):
        b = np.hypot(a, a * 0.25)
        c = np.hypot(b[1:], b[:-1])
        return c[1:] - c[:-1], b * 2.0

    for shape in SHAPES[:4]:
        parted(function, field(shape))


def test_what_other_blocks_store_is_not_read_before_they_do(parted):
    def function(a):
        b = np.hypot(a, a * 0.25)
        c = np.hypot(b[:, 1:], b[:, :-1])
        return np.hypot(c[2:], c[:-2]), b

    for shape in SHAPES[:4]:
        assert parted(function, field(shape)) == []


def test_light_work_stays_in_one_loop(parted):
    def function(a):
        b = a + 1.0
        return b[1:] - b[:-1]

    assert parted(function, field(SHAPES[0])) == []


def test_blocks_are_as_many_as_there_is_work_for(scheduled):
    def function(a):
        b = np.hypot(a, a * 0.5)
        c = np.exp(b[3:] - b[:-3])
        return c[1:] * c[:-1]

    for rows in (1000, 1003, 1019):
        scheduled(function, field((rows, 700)))


def test_warnings_are_told(parted):
    def function(a):
        b = np.hypot(a, a)
        return b[1:] * b[:-1]

    with pytest.warns(RuntimeWarning, match="overflow encountered in multiply"):
        parted(function, np.abs(field(SHAPES[0])) * 1e200 + 1e160)
