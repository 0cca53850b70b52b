"""Where nests follow each other row by row, what two lines make is computed again, and not read."""

import numpy as np
import pytest

from transpile.devices.loops.accesses import accesses
from transpile.devices.loops.sharing import all_bodies
from transpile.devices.loops.statement import For, While

WIDE = np.sin(np.arange(23.0 * 31.0)).reshape(23, 31)
ROWS, COLUMNS = np.linspace(0.5, 1.0, 23), np.cos(np.arange(31.0))


def read_again(found):
    """How many arrays of the kernel's own that are made before a loop over time its loops over rows read, but those that they store into."""
    made, read = set(), set()
    for body in all_bodies(found.program.body):
        for statement in body:
            if isinstance(statement, For) and statement.in_order:
                inside = accesses(statement)
                stored = {access.buffer for access in inside.writes}
                read |= {access.buffer for access in inside.reads} - stored
            elif not isinstance(statement, (For, While)):
                made |= {access.buffer for access in accesses(statement).writes}
    return len({buffer for buffer in read & made if len(buffer.dims) > 1 and buffer.source == "local"})


def damped(u, rows, columns, steps):
    factor = np.outer(rows, columns)
    for _ in range(steps):
        u[1:-1] = u[2:] + u[:-2] - u[1:-1]
        u *= factor
    return u


@pytest.mark.parametrize("function", [damped])
@pytest.mark.parametrize("steps", [0, 1, 4])
def test_what_two_lines_make_is_computed_again(scheduled, function, steps):
    assert read_again(scheduled(function, WIDE.copy(), ROWS, COLUMNS, steps)) == 0


@pytest.mark.parametrize("rows", [2, 3, 15, 16, 17])
@pytest.mark.parametrize("columns", [0, 1, 2, 3, 15, 16, 17, 33])
def test_of_any_size(scheduled, rows, columns):
    u = np.sin(np.arange(float(rows * columns))).reshape(rows, columns)
    scheduled(damped, u, np.linspace(0.0, 1.0, rows), np.arange(float(columns)), 3)
    turned = np.asfortranarray(u)
    scheduled(damped, turned, np.linspace(0.0, 1.0, 2 * rows)[::2], np.arange(float(columns))[::-1], 3)


@pytest.mark.parametrize("dtype", ["float32", "int64", "int32", "complex128", "float16", "uint8"])
def test_of_any_dtype(scheduled, dtype):
    u = (WIDE * 9.0).astype(dtype)
    scheduled(damped, u, (np.arange(23) % 3).astype(dtype), (np.arange(31) % 2).astype(dtype), 3)


def test_flags_are_raised_without_a_turn(scheduled):
    rows = np.full(23, 1e200)
    for steps in (0, 2):
        with pytest.warns(RuntimeWarning):
            scheduled(damped, WIDE.copy(), rows, rows[:1].repeat(31), steps)


def lines_change(u, rows, columns, steps):
    factor = np.outer(rows, columns)
    for _ in range(steps):
        u[1:-1] = u[2:] + u[:-2] - u[1:-1]
        u *= factor
        rows += 0.25
    return u


def product_changes(u, rows, columns, steps):
    factor = np.outer(rows, columns)
    for step in range(steps):
        u[1:-1] = u[2:] + u[:-2] - u[1:-1]
        u *= factor
        factor[step, step] = 0.5
    return u


def lines_are_the_array(u, rows, columns, steps):
    factor = np.outer(u[:, 0], u[0])
    for _ in range(steps):
        u[1:-1] = u[2:] + u[:-2] - u[1:-1]
        u *= factor
    return u


def neighbours_are_read(u, rows, columns, steps):
    factor = np.outer(rows, columns)
    for _ in range(steps):
        u[1:-1] = u[2:] + u[:-2] - u[1:-1]
        u[:, 1:] *= factor[:, 1:] - factor[:, :-1]
    return u


@pytest.mark.parametrize(
    "function", [lines_change, product_changes, lines_are_the_array, neighbours_are_read]
)
def test_what_changes_or_is_read_beside_itself_is_read(scheduled, function):
    for steps in (0, 1, 4):
        assert read_again(scheduled(function, WIDE.copy(), ROWS.copy(), COLUMNS.copy(), steps)) == 1


def test_what_is_returned_is_made(scheduled):
    def returned(u, rows, columns, steps):
        factor = np.outer(rows, columns)
        for _ in range(steps):
            u[1:-1] = u[2:] + u[:-2] - u[1:-1]
            u *= factor
        return u, factor

    scheduled(returned, WIDE.copy(), ROWS, COLUMNS, 3)
