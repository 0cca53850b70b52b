"""What `transpile bench` measures of one program, in a process of its own: all tools side by side.

A first process, with nothing kept on disk, takes the times. Later ones find the kernels: they take the time of a first call again, and the memory
that calls take at their highest.
"""

from __future__ import annotations

import contextlib
import copy
import ctypes
import gc
import io
import json
import statistics
import sys
import warnings
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

import numpy as np

from transpile.corpus import Program, load
from transpile.devices.cpu import pool
from transpile.runtime.errors import FallbackWarning, TranspileError

from .bench_bounds import copying, moved, scaled
from .bench_peers import Built, peers
from .bench_report import first_line
from .compare import difference
from .compare import run as outcome
from .converting import convert

# Rounds that are made at least; and how many seconds of plain NumPy are enough for one.
_ROUNDS, _LONG = 3, 1.0
# How often what bounds a call is timed.
_BOUNDS = 9
# Calls before those that are timed, after which a function runs as it will go on to: more than it takes until one is called by machine code, or is left to
# Python; and how long calls take, in seconds, of which nobody makes so many.
_SETTLED, _SHORT = 500, 1e-3
# The number that the C library has for the size from which memory is taken from the system, and given back.
_MMAP_THRESHOLD = -3
# How far results of peers may be off NumPy's: they order sums otherwise, and use other libraries. By the size of the floats.
_TOLERANCES = {2: 1e-2, 4: 1e-3, 8: 1e-5, 16: 1e-5}


def measure(
    program: Program,
    sizes: Sequence[str],
    seconds: float,
    built: Built | None,
    without: dict[str, str] | None = None,
) -> dict[str, Any]:
    """Return the times of a program: first calls, and medians of calls at each size; or why there are none.

    `without` says which tools are left out, and why.
    """
    warm_up()
    fails = dict(without or {})
    first: dict[str, float] = {}
    small = program.make("small")
    expected = outcome(program.entry, small)
    found: dict[str, Any] = {"program": program.name, "family": program.family, "sweeps": program.sweeps}
    contenders: dict[str, Callable[..., Any]] = {}
    _tell("transpile")
    contenders["transpile"], found["in_parts"], first["transpile"] = _ours(program, sizes)
    for peer in peers(built):
        if peer.name in fails:
            continue
        if peer.follows in fails:
            # What the one does not understand, the other does not either.
            fails[peer.name] = fails[peer.follows]
            continue
        _tell(peer.name)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                start = perf_counter()
                made = peer.make(program)
                _time(made, small)
                first[peer.name] = perf_counter() - start
                wrong = _off(outcome(made, small), expected)
        except Exception as error:
            fails[peer.name] = first_line(error)
            continue
        if wrong:
            fails[peer.name] = f"differs: {wrong}"
        else:
            contenders[peer.name] = made
    if built is not None and not built.fails:
        first["pythran"] = built.seconds
    found["times"] = {size: _times(program, size, seconds, contenders, fails) for size in sizes}
    return {**found, "first": first, "fails": fails}


def _ours(program: Program, sizes: Sequence[str]) -> tuple[Callable[..., Any], str, float]:
    """Return a program converted, why that is not whole for calls of these sizes, and how long the first call takes, a small one."""
    small = program.make("small")
    converted = convert(program.entry, strict=True)
    try:
        first = _time(converted, small)
        for size in sizes:
            _time(converted, program.make(size))
        return converted, "", first
    except TranspileError as error:
        reason = first_line(error)
    converted = convert(program.entry)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        first = _time(converted, small)
        # Memory is that of calls, not of what is compiled of them in the first.
        for size in sizes:
            _time(converted, program.make(size))
        return converted, reason, first


def _times(
    program: Program,
    size: str,
    seconds: float,
    contenders: dict[str, Callable[..., Any]],
    fails: dict[str, str],
) -> dict[str, float]:
    """Return the median time of each contender at a size, and what bounds it; one whose results differ is noted among what fails, and left out."""
    arguments = program.make(size)
    start = perf_counter()
    expected = outcome(program.entry, arguments)
    took = perf_counter() - start
    right = {"numpy": program.entry}
    for name, function in contenders.items():
        _tell(name)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                found = outcome(function, arguments)
            except Exception as error:
                fails[f"{name} {size}"] = first_line(error)
                continue
        wrong = difference(found, expected) if name == "transpile" else _off(found, expected)
        if wrong:
            fails[f"{name} {size}"] = f"differs: {wrong}"
        else:
            right[name] = function
    samples: dict[str, list[float]] = {name: [] for name in right}
    if took > _LONG:
        samples["numpy"].append(took)
        del right["numpy"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, function in right.items():
            _tell(name)
            _settle(function, arguments)
        rounds, end = 0, perf_counter() + seconds * len(right)
        while right and (rounds < _ROUNDS or perf_counter() < end):
            for name, function in right.items():
                _tell(name)
                samples[name].append(_time(function, arguments))
            rounds += 1
    medians = {name: statistics.median(times) for name, times in samples.items()}
    if sweeps := program.count_sweeps(size):
        medians |= _bounds(program, size, sweeps * moved(arguments, *expected[:2]))
    return medians


def _bounds(program: Program, size: str, count: int) -> dict[str, float]:
    """Return the median times of a call that has one processor, of copying so many bytes, and of computing as much on data in the caches."""
    alone = convert(program.entry, parallel=False)
    cached, times = program.make_cached(size)
    # What copies comes last: it drives the data of all others out of the caches.
    calls: dict[str, tuple[Callable[..., Any], tuple[Any, ...], float]] = {
        "alone": (alone, program.make(size), 1.0),
        "computing": (alone, cached, times),
        "copying": (copying(), (), scaled(1.0, count)),
    }
    medians: dict[str, float] = {}
    for name, (function, arguments, factor) in calls.items():
        _time(function, arguments)
        _settle(function, arguments)
        medians[name] = factor * statistics.median([_time(function, arguments) for _ in range(_BOUNDS)])
    return medians


def _settle(function: Callable[..., Any], arguments: Sequence[Any]) -> None:
    """Call a function whose calls are short as often as it takes to settle."""
    if any(_time(function, arguments) < _SHORT for _ in range(2)):
        for _ in range(_SETTLED):
            _time(function, arguments)


def _tell(name: str) -> None:
    """Say which tool is at work: the process may end in it."""
    print(name, file=sys.stderr, flush=True)


def _time(function: Callable[..., Any], arguments: Sequence[Any]) -> float:
    """Return how long a call takes on fresh arguments."""
    given = copy.deepcopy(tuple(arguments))
    collecting = gc.isenabled()
    gc.disable()
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            start = perf_counter()
            function(*given)
            return perf_counter() - start
    finally:
        if collecting:
            gc.enable()


def warm_up() -> None:
    """Load numba, and let it compile something, so that the first tool does not pay for it."""
    import numba

    numba.njit("f8(f8[:])")(lambda x: x[0] + 1.0)


def _off(found: tuple[Any, ...], expected: tuple[Any, ...]) -> str:
    """Return where a peer's result or arguments are not NumPy's, "" where they are: types of numbers, containers and what is printed are its own."""
    return _apart(found[0], expected[0]) or _apart(found[1], expected[1])


def _apart(found: Any, expected: Any) -> str:
    if isinstance(expected, (tuple, list)):
        if not isinstance(found, (tuple, list)) or len(found) != len(expected):
            return f"{type(found).__name__} for {len(expected)} items"
        return next(filter(None, map(_apart, found, expected)), "")
    if isinstance(expected, dict):
        if not isinstance(found, dict) or set(found) != set(expected):
            return "other keys"
        return next(filter(None, (_apart(found[key], expected[key]) for key in expected)), "")
    if isinstance(expected, (bool, int, float, complex, np.generic, np.ndarray)):
        one, other = np.asarray(found), np.asarray(expected)
        if one.shape != other.shape or one.dtype.kind not in "biufc":
            return f"{one.dtype}{list(one.shape)} for {other.dtype}{list(other.shape)}"
        tolerance = _TOLERANCES[other.real.itemsize] if other.dtype.kind in "fc" else 0.0
        close = np.allclose(one, other, rtol=tolerance, atol=tolerance, equal_nan=True)
        return "" if close else f"{other.dtype} values"
    return difference(found, expected)


# -- the second process ----------------------------------------------------------------------------------------


def measure_again(program: Program, size: str) -> dict[str, Any]:
    """Return how long a first call takes that finds its kernel on disk, and the most memory that calls take at a size, in bytes."""
    warm_up()
    converted, _, seconds = _ours(program, ["small", size])
    loading = sum(entry.seconds for entry in converted.calls.entries)  # type: ignore[attr-defined]
    arguments = program.make(size)
    peaks = {name: peak(f, arguments) for name, f in (("numpy", program.entry), ("transpile", converted))}
    return {"first_again": seconds, "loading": loading, "peaks": peaks}


def peak(function: Callable[..., Any], arguments: Sequence[Any]) -> int | None:
    """Return how much more memory the process has at the height of a call than before it; None where the system does not tell.

    Linux keeps the highest size of a process, and forgets it when asked. What kernels allocate is in it, which Python's own tools do not see.
    """
    given = copy.deepcopy(tuple(arguments))
    gc.collect()
    try:
        # What was freed is given back, and what will be, or a call could take it without a trace.
        pool.release()
        library = ctypes.CDLL(None)
        if not hasattr(library, "mallopt"):
            return None
        library.mallopt(_MMAP_THRESHOLD, 65536)
        library.malloc_trim(0)
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
        before = _status("VmRSS")
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = function(*given)
        highest = _status("VmHWM")
    except OSError:
        return None
    del result
    return max(highest - before, 0)


def _status(name: str) -> int:
    with open("/proc/self/status") as file:
        for line in file:
            if line.startswith(f"{name}:"):
                return 1024 * int(line.split()[1])
    raise OSError(f"there is no {name}")


def main() -> None:
    """Measure what is asked for in JSON on standard input, and print the result in JSON on the last line."""
    asked = json.load(sys.stdin)
    program = load(asked["program"])
    if asked["again"]:
        result = measure_again(program, asked["size"])
    else:
        built = asked["built"] and Built(**asked["built"])
        result = measure(program, asked["sizes"], asked["seconds"], built, asked["without"])
    print(f"\n{json.dumps(result)}", flush=True)


if __name__ == "__main__":
    main()
