"""Whose memory a value is: asked of each value once, however many ways lead to it."""

import numpy as np
import pytest

import transpile
from transpile.devices.loops.memory import Memory

PLACES = tuple((k, 1.5 * k) for k in range(12))


def raised(x, limit, turns):
    for _ in range(turns):
        for k, step in PLACES:
            if x[k] < limit:
                x[k] += step
    return x


def test_branch_after_branch_is_followed_once(nothing_kept: None, monkeypatch: pytest.MonkeyPatch) -> None:
    origin, looks = Memory.origin, []

    def looked(self, value):
        looks.append(value)
        return origin(self, value)

    monkeypatch.setattr(Memory, "origin", looked)
    converted = transpile.convert(raised, strict=True)
    assert (converted(np.zeros(15), 30.0, 3) == raised(np.zeros(15), 30.0, 3)).all()
    assert 0 < len(looks) < 2000
