"""Writes, as machine code, what tells of arrays how they lie, and whether they share memory."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

from transpile.devices.cpu.c_code import DATA, DESCR, FLAGS, RANK, SHAPE, STRIDES, TYPE, Code
from transpile.runtime.trace.guard import (
    ALIGNED,
    C_CONTIGUOUS,
    F_CONTIGUOUS,
    OWNS,
    WARNS,
    WRITEABLE,
    ArrayKey,
    Guard,
)
from transpile.runtime.trace.path import Path

from .direct_places import Place, Unwritten, place_of


class Arrays:
    """Writes guards of arrays, which `at` gives. Where one does not hold, the code goes to "slow"."""

    def __init__(self, code: Code, at: Callable[[Path], str]) -> None:
        self.code, self.at = code, at
        # The dims of arrays, by their places, and what is expected of them.
        self.shapes: dict[Place, list[str]] = {}
        self.keys: dict[Place, ArrayKey] = {}
        # Their flags; and the strides, and how long these are, of those that do not lie in order.
        self._flags: dict[Place, str] = {}
        self._strides: dict[Place, list[str]] = {}
        self._steps: dict[Place, list[str]] = {}
        self._apart: list[tuple[Path, Path]] = []

    def is_in_order(self, place: Place) -> bool:
        """Whether an array lies in C order, without gaps."""
        return place in self.keys and place not in self._steps

    def elements(self, place: Place) -> str:
        """Return how many elements an array has."""
        dims = self.shapes[place]
        total = dims[0] if dims else "1"
        for dim in dims[1:]:
            total = self.code.new(f"mul i64 {total}, {dim}")
        return total

    def array(self, value: str, guard: Guard) -> None:
        """Ask whether a thing is an array of a dtype and rank that lies as is expected; raises Unwritten."""
        code, key, place = self.code, guard.expected, place_of(guard.path)
        assert isinstance(key, ArrayKey)
        if key.kind is not np.ndarray or key.writable is None:
            raise Unwritten
        code.test(f"eq ptr {code.load('ptr', value, TYPE)}, {code.thing(np.ndarray)}", "slow")
        code.test(f"eq ptr {code.load('ptr', value, DESCR)}, {code.thing(key.dtype)}", "slow")
        code.test(f"eq i32 {code.load('i32', value, RANK)}, {len(key.ones)}", "slow")
        in_order = key.contiguous and key.order is None
        asked = ALIGNED | WRITEABLE | WARNS | C_CONTIGUOUS | (0 if in_order else F_CONTIGUOUS)
        expected = ALIGNED | (WRITEABLE if key.writable else 0)
        expected |= C_CONTIGUOUS if in_order else F_CONTIGUOUS if key.contiguous else 0
        flags = self._flags[place] = code.load("i32", value, FLAGS)
        code.test(f"eq i32 {code.new(f'and i32 {flags}, {asked}')}, {expected}", "slow")
        self.keys[place] = key
        shape = code.load("ptr", value, SHAPE)
        dims = self.shapes[place] = []
        for axis, one in enumerate(key.ones):
            dims.append(code.load("i64", shape, 8 * axis))
            code.test(f"{'eq' if one else 'ne'} i64 {dims[-1]}, 1", "slow")
        if not in_order:
            self._order(value, key, place)

    def _order(self, value: str, key: ArrayKey, place: Place) -> None:
        """Ask whether the axes of an array lie in the order that is expected, and the same ones are repeated."""
        code = self.code
        strides = code.load("ptr", value, STRIDES)
        steps = [code.load("i64", strides, 8 * axis) for axis in range(len(key.ones))]
        for axis, step in enumerate(steps):
            if not key.ones[axis]:
                code.test(f"{'eq' if axis in key.repeated else 'ne'} i64 {step}, 0", "slow")
        self._strides[place] = steps
        lengths = self._steps[place] = [code.call("llvm.abs.i64", f"i64 {step}", "i1 0") for step in steps]
        if key.contiguous:
            # Fortran's order: the flags have told.
            return
        axes = key.order or tuple(range(len(steps)))
        for slower, faster in itertools.pairwise(axes):
            # Of equal steps, the first axis comes first.
            holds = "uge" if slower < faster else "ugt"
            code.test(f"{holds} i64 {lengths[slower]}, {lengths[faster]}", "slow")

    def dim(self, guard: Guard) -> None:
        """Ask for the size of an axis."""
        axis, size = guard.expected
        shape = self.shapes.get(place_of(guard.path))
        if shape is None:
            raise Unwritten
        self.code.test(f"eq i64 {shape[axis]}, {size}", "slow")

    def backwards(self, value: str, guard: Guard) -> None:
        """Ask whether the stride along an axis is negative, or is not."""
        axis, backwards = guard.expected
        stride = self.code.load("i64", self.code.load("ptr", value, STRIDES), 8 * axis)
        self.code.test(f"{'slt' if backwards else 'sge'} i64 {stride}, 0", "slow")

    def apart(self, guard: Guard) -> None:
        """Note arrays that have to be apart, for `are_apart`; ask whether one has no element twice, as those in C order have."""
        place = place_of(guard.path)
        if place_of(guard.expected) != place:
            self._apart.append((guard.path, guard.expected))
        elif place in self._steps:
            code, key = self.code, self.keys[place]
            reach = str(key.dtype.itemsize)
            for axis in reversed(key.order or range(len(key.ones))):
                if not key.ones[axis]:
                    step = self._steps[place][axis]
                    code.test(f"uge i64 {step}, {reach}", "slow")
                    last = code.new(f"sub i64 {self.shapes[place][axis]}, 1")
                    reach = code.new(f"add i64 {reach}, {code.new(f'mul i64 {step}, {last}')}")

    def are_apart(self) -> None:
        """Ask whether arrays that have to be apart are several, and each has memory of its own, or lies where the other does not."""
        code = self.code
        for one, other in self._apart:
            code.test(f"ne ptr {self.at(one)}, {self.at(other)}", "slow")
            places = place_of(one), place_of(other)
            if any(place not in self._flags for place in places):
                raise Unwritten
            both = code.new(f"and i32 {self._flags[places[0]]}, {self._flags[places[1]]}")
            own = code.new(f"icmp ne i32 {code.new(f'and i32 {both}, {OWNS}')}, 0")
            (start, end), (other_start, other_end) = map(self._extent, (one, other))
            before = code.new(f"icmp ule ptr {end}, {other_start}")
            behind = code.new(f"icmp ule ptr {other_end}, {start}")
            code.unless(code.new(f"or i1 {own}, {code.new(f'or i1 {before}, {behind}')}"), "slow")

    def _extent(self, path: Path) -> tuple[str, str]:
        """Return where the memory of an array begins and ends."""
        code, place = self.code, place_of(path)
        start = code.load("ptr", self.at(path), DATA)
        itemsize = self.keys[place].dtype.itemsize
        if place not in self._steps:
            return start, code.at(start, code.new(f"mul i64 {self.elements(place)}, {itemsize}"))
        first, last = start, code.at(start, itemsize)
        for size, step in zip(self.shapes[place], self._strides[place], strict=True):
            count = code.call("llvm.smax.i64", f"i64 {code.new(f'sub i64 {size}, 1')}", "i64 0")
            reach = code.new(f"mul i64 {step}, {count}")
            first = code.at(first, code.call("llvm.smin.i64", f"i64 {reach}", "i64 0"))
            last = code.at(last, code.call("llvm.smax.i64", f"i64 {reach}", "i64 0"))
        return first, last
