"""Loops that write the caller's array in their first turn, and in the others one that they have made: the first turn stands before them."""

from __future__ import annotations

import numpy as np
import pytest

from .programs import Program, Programs, check, name_of, noise

programs = Programs()


@programs(lambda: (noise(4), noise(4, seed=1), 3), lambda: (noise(4), noise(4, seed=1), 1))
def moved_in_a_box(places, speeds, steps):
    for _ in range(steps):
        places += 0.5 * speeds
        places = np.mod(places, 2.0)
    return places


@programs(lambda: (noise(4), noise(4, seed=1), 0), gaps="S110-alias")
def moved_by_no_step(places, speeds, steps):
    for _ in range(steps):
        places += 0.5 * speeds
        places = np.mod(places, 2.0)
    return places


@programs(lambda: (noise(4), noise(4, seed=1), 5), lambda: (noise(4)[::-1], noise(4, seed=1), 2))
def leapt(places, speeds, steps):
    forces = np.zeros(len(places))
    energies = np.zeros(steps)
    for step in range(steps):
        speeds += 0.05 * forces
        places += 0.1 * speeds
        places = np.mod(places, 2.0)
        forces = -places
        speeds += 0.05 * forces
        energies[step] = 0.5 * np.sum(speeds**2)
    return places, speeds, energies


@programs(lambda: (noise(4), 3), lambda: (noise(4), 1))
def known_by_another_name(x, steps):
    before = x
    for _ in range(steps):
        x *= 0.5
        x = x + before
    return x, before


@programs(lambda: (noise(6), 3), lambda: (noise(6), 1))
def seen_through_a_view(x, steps):
    inside = x[1:-1]
    total = 0.0
    for _ in range(steps):
        x -= 0.25
        x = x * 2.0
        total += inside.sum()
    return x, inside, total


@programs(lambda: (noise(4), 3, 2), lambda: (noise(4), 1, 1), lambda: (noise(4), 2, 5))
def in_two_loops(x, rounds, steps):
    for k in range(rounds):
        for _ in range(steps):
            x += k
            x = np.sin(x)
    return x


@programs(lambda: (noise(4), 8.0), lambda: (noise(4), 1.5))
def until_a_time(x, end):
    time = 0.0
    while time < end:
        x += 0.5
        x = np.sqrt(np.abs(x))
        time += 1.0
    return x, time


@programs(lambda: (noise(4), 6), lambda: (noise(4), 1))
def left_early(x, steps):
    for k in range(steps):
        x += 1.0
        x = x * 1.5
        if x.sum() > 40.0:
            break
    return x, k


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("program", programs.found, ids=name_of)
def test_program_agrees_with_plain_python(program: Program, device: str) -> None:
    check(program, device)
