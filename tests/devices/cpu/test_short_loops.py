"""Loops of few turns are written out, those of many or an unknown number are not."""

import ast

import numpy as np
import pytest

import transpile
from transpile.devices.cpu import short_loops, statements


@pytest.mark.parametrize(
    ("bounds", "turns"),
    [
        ("3", range(3)),
        ("-1, 2", range(-1, 2)),
        ("6, 0, -2", range(6, 0, -2)),
        ("0", range(0)),
        ("9", None),
        ("n", None),
        ("0, 3, 0", None),
    ],
)
def test_few_turns_are_written_out(bounds, turns):
    (loop,) = ast.parse(f"for i in range({bounds}):\n    x[i] = y").body
    assert short_loops.short_turns(loop) == turns


def test_long_bodies_are_not():
    (loop,) = ast.parse("for i in range(3):\n" + "    x[i] = y + z * i\n" * 100).body
    assert short_loops.short_turns(loop) is None


def nested(depth: int, lines: int = 1) -> ast.For:
    text = "".join(f"{'    ' * k}for i{k} in range(4):\n" for k in range(depth))
    (loop,) = ast.parse(text + ("    " * depth + "x[i0] = x[i0] * y + z\n") * lines).body
    assert isinstance(loop, ast.For)
    return loop


def test_loops_in_loops_count_as_often_as_they_are_written_out():
    assert short_loops.short_turns(nested(3)) == range(4)
    assert short_loops.written_parts(nested(3), range(4)) > 12 * short_loops.written_parts(
        nested(1), range(4)
    )
    # Each of them is short enough by itself.
    assert short_loops.short_turns(nested(5)) is None
    assert short_loops.short_turns(nested(2)) == range(4)


def test_a_kernel_of_many_short_loops_is_not_made_of_their_copies(monkeypatch, tmp_path):
    written = []
    monkeypatch.setattr(
        statements.Statements,
        "write_out",
        lambda self, loop, turns, write=statements.Statements.write_out: (
            written.append(short_loops.written_parts(loop, turns)) if not self.loops else None,
            write(self, loop, turns),
        ),
    )
    monkeypatch.setenv("TRANSPILE_CACHE_DIR", str(tmp_path))

    def mixed(x, k):
        for _ in range(3):
            for i in range(4):
                for j in range(4):
                    a, b, p = x[i] & 255, (x[j] + i * k) & 255, 0
                    for _n in range(8):
                        if b & 1:
                            p ^= a
                        a = ((a << 1) ^ 0x1B) & 0xFF if a & 0x80 else a << 1
                        b >>= 1
                    x[i] ^= p
        return x

    def twice(x, k):
        return mixed(mixed(x, k), 2)

    def often(x, k):
        x = twice(twice(twice(x, k), 3), 4)
        return twice(twice(twice(x, 5), 6), 7)

    x = np.arange(4) * 37
    assert np.array_equal(transpile.convert(often, strict=True)(x.copy(), 1), often(x.copy(), 1))
    assert 3200 < sum(written) <= 6400


def test_what_is_written_out_is_what_it_was():
    def neighbours(grid):
        n, m = grid.shape
        out = np.zeros((n, m), dtype=np.int64)
        for i in range(n):
            for j in range(m):
                for di in range(-1, 2):
                    for dj in range(1, -2, -1):
                        if di != 0 or dj != 0:
                            out[i, j] += grid[(i + di) % n, (j + dj) % m]
        return out

    grid = np.random.default_rng(0).integers(0, 2, (7, 5))
    assert np.array_equal(transpile.convert(neighbours, strict=True)(grid), neighbours(grid))
