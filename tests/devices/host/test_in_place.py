"""Writes: in place where nobody else has the array, else in a copy."""

from __future__ import annotations

import random
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

import transpile
from transpile import corpus
from transpile.devices.host import program as programs
from transpile.devices.host.interpreter import Interpreter
from transpile.devices.host.lifetimes import Lifetimes
from transpile.runtime.errors import FallbackWarning
from transpile.runtime.graph.ir import Graph
from transpile.runtime.ops.copies import copied
from transpile.runtime.ops.table import TABLE

from ...end_to_end.comparison import call, compare


def copies(function: Any, *arguments: Any) -> int:
    """Return how many arrays a call on the host copies in order to write, after comparing it with a plain call."""
    converted = transpile.convert(function, strict=True, device="host")
    compare(call(function, arguments), call(converted, arguments))
    (entry,) = converted.calls.entries
    code = f"<graph of {entry.trace.graph.name}>"
    count = 0

    def watch(frame: FrameType, event: str, what: Any) -> None:
        nonlocal count
        caller = frame.f_back if frame.f_code is copied.__code__ else frame
        if event == "c_call" and caller and caller.f_code.co_filename == code and what.__name__ == "copy":
            count += 1

    sys.setprofile(watch)
    try:
        converted(*arguments)
    finally:
        sys.setprofile(None)
    return count


def fills(n):
    a = np.zeros(n)
    for i in range(n):
        a[i] = i
    return a


def fills_in_branches(n):
    a = np.zeros(n)
    for i in range(n):
        if a[i - 1] > 2:
            a[i] = i
        elif i % 2 == 0:
            a[i] += 2
        else:
            a[0] = 1
    return a


def fills_until(n):
    a = np.zeros(n)
    i = 0
    while a[i] < 3:
        i += 1
        a[i] = a[i - 1] + 0.5
        if i == n - 1:
            break
    return a, i


def fills_rows(n):
    a = np.zeros((n, n))
    for i in range(n):
        for j in range(i):
            a[i, j] = a[j, i] + j
        a[i, i:] = i
    return a


def swaps(n):
    old, new = np.zeros(n), np.ones(n)
    for i in range(1, n):
        for j in range(1, n):
            new[j] = old[j - 1] + i
        old, new = new, old
    return old.copy()


def scatters(n):
    a = np.zeros(n)
    for i in range(n):
        a[np.array([i, 0])] = i
    return a


@pytest.mark.parametrize("function", [fills, fills_in_branches, fills_until, fills_rows, swaps, scatters])
def test_memory_of_its_own_is_written_in_place(function: Any) -> None:
    assert copies(function, 9) == 0


def writes_argument(a):
    for i in range(len(a)):
        a[i] = i
    a[0] = 7


def writes_two_arguments(a, b):
    for i in range(len(a)):
        a[i] = b[i - 1]
        b[i] += a[i]


def copies_and_writes(a):
    b = a.copy()
    for i in range(len(b)):
        b[i] = b[i - 1] + 1
    return b


def swaps_rows(a):
    for i in range(len(a) - 1):
        row = a[i].copy()
        a[i] = a[i + 1]
        a[i + 1] = row


@pytest.mark.parametrize(
    ("function", "arguments", "expected"),
    [
        (writes_argument, 1, 1),
        (writes_two_arguments, 2, 2),
        (copies_and_writes, 1, 0),
    ],
)
def test_an_array_of_the_callers_is_copied_once(function: Any, arguments: int, expected: int) -> None:
    assert copies(function, *(np.arange(9.0) for _ in range(arguments))) == expected


def test_a_row_that_is_read_last_where_it_is_written_keeps_nothing_from_being_written_in_place() -> None:
    a = np.arange(90.0).reshape(9, 10)
    # Of the array once; of the rows, before each is written from another.
    assert copies(swaps_rows, a) < 2 * len(a)


def keeps_in_branch(n):
    a = np.zeros(3)
    b = a.copy()
    if n > 0:
        kept = a + 0
        a[0] = 1
        b = kept + a
    return a, b


def keeps_in_loop(n):
    a = np.zeros(4)
    states = np.zeros((n, 4))
    for i in range(n):
        before = a.copy()
        a[i % 4] += i + 1
        states[i] = before + a
    return a, states


def restarts_each_turn(n):
    base = np.arange(4.0)
    total = 0.0
    for i in range(n):
        a = base.copy()
        a[i % 4] = 100
        total += a.sum() + base.sum()
    return total, base


def restarts_each_turn_of_a_while(n):
    base = np.arange(4.0)
    i, total = 0, 0.0
    while i < n:
        a = base + 0
        for j in range(i):
            a[j % 4] -= 1
        total += (a * base).sum()
        i += 1
    return total, base


def views_see_the_write(n):
    a = np.arange(6.0)
    v = a[1::2]
    w = a[::-1]
    for i in range(n):
        v[i % 3] += 10
        w[i % 6] *= 2
    return a, v.sum(), w


def written_over_itself(n):
    a = np.arange(8.0)
    for _ in range(n):
        a[1:] = a[:-1]
        a[::2] = a[1::2] + 1
        a[:] = a[::-1]
    return a


def one_array_by_two_names(n):
    a = np.zeros(5)
    b = a
    for i in range(n):
        a[i % 5] += 1
        b[(i + 1) % 5] += 2
    b = b.copy()
    a[0] = 9
    return a, b


def carried_twice(n):
    a = np.zeros(5)
    first, second = a.copy(), a.copy()
    for i in range(n):
        first[i % 5] = i
        if i % 2:
            second = first.copy()
        second[0] += 1
    return first, second, a


def returned_early_or_written(a, n):
    out = a + 0
    for i in range(len(a)):
        if i == n:
            return out
        out[i] = -1
        a[i] = out.sum()
    return a


@pytest.mark.parametrize(
    "function",
    [
        keeps_in_branch,
        keeps_in_loop,
        restarts_each_turn,
        restarts_each_turn_of_a_while,
        views_see_the_write,
        written_over_itself,
        one_array_by_two_names,
        carried_twice,
    ],
)
def test_contents_that_are_still_wanted_are_kept(function: Any, compared: list[Graph]) -> None:
    converted = transpile.convert(function, strict=True, device="host")
    for n in (0, 1, 2, 7):
        compare(call(function, (n,)), call(converted, (n,)))
    assert compared


def test_return_in_the_middle_of_writes(compared: list[Graph]) -> None:
    converted = transpile.convert(returned_early_or_written, strict=True, device="host")
    for n in (-1, 0, 2, 9):
        arguments = (np.arange(4.0), n)
        compare(call(returned_early_or_written, arguments), call(converted, arguments))
    assert compared


def fails_after_writes(a, n):
    for i in range(len(a)):
        a[i] = i + 1
        a[n + i] += 1


def test_arrays_of_the_callers_hold_what_was_written_until_an_op_fails(compared: list[Graph]) -> None:
    converted = transpile.convert(fails_after_writes, device="host")
    for n in (0, 1, 2):
        arguments = (np.zeros(4), n)
        compare(call(fails_after_writes, arguments), call(converted, arguments))
    assert compared


def test_an_array_that_is_handed_in_alone_is_not_written_before_the_end() -> None:
    converted = transpile.convert(writes_argument, strict=True, device="host")
    converted(np.zeros(3))
    (entry,) = converted.calls.entries
    seen: list[Any] = []
    interpreter = Interpreter(entry.trace.graph)
    real = interpreter.program.function

    def function(arguments: Any, contents: Any) -> Any:
        result = real(arguments, contents)
        seen.append([array.copy() for array in arguments])
        return result

    interpreter.program.function = function
    arguments = [np.zeros(3)]
    interpreter.run(arguments)
    assert seen[0][0].tolist() == [0, 0, 0]
    assert arguments[0].tolist() == [7, 1, 2]


# -- wrong lifetimes ---------------------------------------------------------------------------------------


def arrays_alive(graph: Graph) -> list[Any]:
    """Return pairs of an op and an array that it reads."""
    return [
        (op, operand)
        for op in graph.block.walk()
        if not op.regions
        for operand in dict.fromkeys(op.operands)
        if hasattr(operand.type, "dims") and TABLE[op.name].writes is None
    ]


@pytest.fixture
def lifetimes(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Lifetimes], None]], None]:
    """Return a function that has all lifetimes changed by another one."""

    def change(spoil: Callable[[Lifetimes], None]) -> None:
        class Spoilt(Lifetimes):
            def __init__(self, graph: Graph) -> None:
                super().__init__(graph)
                spoil(self)

        monkeypatch.setattr(programs, "Lifetimes", Spoilt)

    return change


def never(found: Lifetimes) -> None:
    """Have nothing die."""
    for places in (found.after, found.at_start, found.on_entry, found.at_end, found.on_exit):
        for place in places:
            places[place] = []  # type: ignore[index]


FUNCTIONS = [
    keeps_in_loop,
    restarts_each_turn,
    views_see_the_write,
    written_over_itself,
    one_array_by_two_names,
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_where_nothing_dies_everything_is_copied_and_right(function: Any, lifetimes: Any) -> None:
    lifetimes(never)
    converted = transpile.convert(function, strict=True, device="host")
    compare(call(function, (7,)), call(converted, (7,)))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_what_dies_too_early_is_missed_and_never_wrong(function: Any, lifetimes: Any) -> None:
    converted = transpile.convert(function, strict=True, device="host")
    converted(7)
    (entry,) = converted.calls.entries
    graph = entry.trace.graph
    expected = Interpreter(graph).run((7,)[: sum(i.source != "dim" for i in graph.inputs)])
    missed = 0
    for op, array in arrays_alive(graph):

        def early(found: Lifetimes, op: Any = op, array: Any = array) -> None:
            if array not in found.after[op]:
                found.after[op].append(array)

        lifetimes(early)
        try:
            results = Interpreter(graph).run((7,))
        except NameError:
            missed += 1
        else:
            for result, wanted in zip(results, expected, strict=True):
                assert np.array_equal(result, wanted)
    assert missed


@pytest.mark.parametrize("name", ["cholesky", "kalman", "sieve", "gauss_seidel", "edit_distance", "checksum"])
def test_a_program_of_the_corpus_copies_as_often_as_it_has_arrays_of_the_callers(name: str) -> None:
    program = corpus.load(name)
    written = {"cholesky": 2, "gauss_seidel": 1}.get(name, 0)
    assert copies(program.entry, *program.make("small")) == written


# -- random programs ---------------------------------------------------------------------------------------


class Writer:
    """Writes functions that write arrays, which share memory or not, in branches and loops."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.lines = ["import numpy as np", "def f(a, b, n):", "    c = a.copy()", "    d = np.zeros(len(a))"]
        self.statements(4, 1, 0)
        self.lines.append("    return c.copy(), d.copy(), a[1:] * 2")

    def array(self) -> str:
        return self.rng.choice("abcd")

    def place(self, depth: int) -> str:
        names = [f"i{k}" for k in range(depth)] + ["n"]
        return f"({self.rng.choice(names)} + {self.rng.randrange(4)}) % 6"

    def number(self, depth: int) -> str:
        return self.rng.choice(
            [
                f"{self.array()}[{self.place(depth)}]",
                f"{self.array()}.sum() * 0.125",
                str(self.rng.randrange(9)),
                "n",
            ]
        )

    def statements(self, count: int, indent: int, depth: int) -> None:
        for _ in range(count):
            self.statement(indent, depth)

    def statement(self, indent: int, depth: int) -> None:
        rng, margin = self.rng, "    " * indent
        kind = rng.randrange(10 if indent < 4 else 6)
        one, other = self.array(), self.array()
        if kind < 2:
            self.lines.append(f"{margin}{one}[{self.place(depth)}] = {self.number(depth)}")
        elif kind == 2:
            self.lines.append(f"{margin}{one}[{self.place(depth)}] += {self.number(depth)} * 0.5")
        elif kind == 3:
            parts = [("1:", ":-1"), (":", "::-1"), ("::2", "1::2"), ("2:5", "0:3")]
            to, of = rng.choice(parts)
            self.lines.append(f"{margin}{one}[{to}] = {other}[{of}]")
        elif kind == 4:
            target = rng.choice("cd")
            self.lines.append(
                f"{margin}{target} = {rng.choice([f'{other}.copy()', f'{one} * 0.5 + {other}'])}"
            )
        elif kind == 5:
            self.lines.append(f"{margin}c, d = d, c")
        elif kind < 8:
            self.lines.append(f"{margin}for i{depth} in range({rng.choice(['n', '3', 'n - 1'])}):")
            self.statements(rng.randrange(1, 4), indent + 1, depth + 1)
        elif kind == 8:
            self.lines.append(f"{margin}if {self.number(depth)} > {self.number(depth)}:")
            self.statements(rng.randrange(1, 3), indent + 1, depth)
            self.lines.append(f"{margin}else:")
            self.statements(rng.randrange(1, 3), indent + 1, depth)
        else:
            self.lines.append(f"{margin}k{indent} = 0")
            self.lines.append(f"{margin}while k{indent} < n and {one}[0] < 5:")
            self.statements(rng.randrange(1, 3), indent + 1, depth)
            self.lines.append(f"{margin}    k{indent} += 1")


@pytest.mark.parametrize("tens", range(8))
def test_random_programs_give_what_the_reference_gives(
    tens: int, tmp_path: Path, compared: list[Graph]
) -> None:
    for seed in range(10 * tens, 10 * tens + 10):
        file = tmp_path / f"random_{seed}.py"
        file.write_text("\n".join(Writer(seed).lines) + "\n")
        names: dict[str, Any] = {}
        exec(compile(file.read_text(), str(file), "exec"), names)
        converted = transpile.convert(names["f"], device="host")
        for n in (0, 1, 4):
            arguments = (np.arange(6.0), np.ones(6), n)
            with warnings.catch_warnings():
                # Whether two of the arrays are one may depend on the way.
                warnings.simplefilter("ignore", FallbackWarning)
                compare(call(names["f"], arguments), call(converted, arguments))
    assert len(compared) >= 12
