"""Conditionals: behaviours 1 to 29."""

from __future__ import annotations

import numpy as np
import pytest

from .harness import DEVICES, Behaviour, Behaviours, arrays, check, name_of, on_each, sizes

behaviours = Behaviours()


@behaviours(1, "an if without variables has only effects", *on_each(3, -2.5, np.array([1.5]), np.float32(-1)))
def only_effects(x):
    if x > 0:
        print("positive")
    print("done")


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("behaviour", behaviours.functions, ids=name_of)
def test_behaviour(behaviour: Behaviour, device: str) -> None:
    check(behaviour, device)
