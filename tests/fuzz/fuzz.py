"""Runs random programs plainly and converted for a time or up to a number, and prints what they consisted of.

`python -m tests.fuzz.fuzz [--seconds S] [--programs N] [--seed K] [--cpu PERCENT] [--keep FOLDER]` from the root of the checkout.
"""

from __future__ import annotations

import argparse
import random
import re
import signal
import sys
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from time import monotonic

from .choices import Dice
from .execution import Count, check, module
from .programs import program
from .reduce import reduced

# Seconds of the processor's time for a program.
PATIENCE = 30.0


def difference(number: int, device: str, count: Count, seen: set[str]) -> tuple[str, str] | None:
    """Compare the program of a seed; where it differs in a way not seen yet, return it, made smaller, and how."""
    text = program(Dice(number))
    kind = kind_of(complaint(text, device, count))
    if not kind or kind in seen:
        return None
    seen.add(kind)
    text = reduced(text, lambda smaller: kind_of(complaint(smaller, device)) == kind)
    return text, complaint(text, device)


def complaint(text: str, device: str, count: Count | None = None) -> str:
    """Return how a program differs from itself converted, or nothing."""
    try:
        makers = module(text)["CALLS"]
        for make in makers:
            make()
    except Exception:
        # Not a program.
        return ""
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
    try:
        check(text, device, count)
    except (Exception, Stuck):
        return traceback.format_exc(limit=-8)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return ""


class Stuck(BaseException):
    """A program takes longer than any should. No handler of the program's own catches it."""


def give_up(*_: object) -> None:
    """End a program that is stuck."""
    raise Stuck


def kind_of(complaint: str) -> str:
    """Return what a complaint is about, without the numbers in it."""
    last = [line for line in complaint.splitlines() if line and not line.startswith(" ")][-1:]
    return re.sub(r"[\d.e+-]+", "0", last[0])[:60] if last else ""


def main() -> int:
    """Run programs and print what came of them."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--programs", type=int, default=0)
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    parser.add_argument("--cpu", type=int, default=10, help="how many in a hundred are compiled")
    parser.add_argument("--keep", type=Path, help="where programs that differ are written")
    options = parser.parse_args()
    signal.signal(signal.SIGVTALRM, give_up)
    most = options.programs or (sys.maxsize if options.seconds < float("inf") else 1000)
    counts = {"host": Count(), "cpu": Count()}
    found: list[tuple[str, str]] = []
    seen: set[str] = set()
    start, said, number = monotonic(), 0.0, options.seed
    until = start + options.seconds
    warnings.simplefilter("ignore")
    print(f"from seed {options.seed}; --seed S --programs 1 runs one of them again")
    while monotonic() < until and number - options.seed < most:
        device = "cpu" if number % 100 < options.cpu else "host"
        result = difference(number, device, counts[device], seen)
        if result is not None:
            found.append(result)
            print(f"\n# a difference on {device}, seed {number}\n{result[0]}\n{result[1]}", flush=True)
            if options.keep is not None:
                options.keep.mkdir(parents=True, exist_ok=True)
                text = "".join(f"# {line}\n" for line in result[1].splitlines())
                (options.keep / f"{device}_{number}.py").write_text(f"{text}\n\n{result[0]}")
        number += 1
        if monotonic() - said > 30:
            said = monotonic()
            print(
                f"{said - start:7.0f} s {number - options.seed:7} programs {len(found):4} differences",
                flush=True,
            )
    for device, count in counts.items():
        if count.programs:
            summary(device, count, print)
    print(f"\n{len(found)} differences in {monotonic() - start:.0f} s")
    return int(bool(found))


def summary(device: str, count: Count, say: Callable[[str], None]) -> None:
    """Print what the programs on a device consisted of."""
    share = 100 * count.whole / count.programs
    say(
        f"\n{device}: {count.programs} programs, {share:.1f} % compiled whole; {count.calls} calls, of which {count.raised} raise"
    )
    for title, counter in (("constructs", count.constructs), ("reasons", count.reasons)):
        parts = [f"{name} {100 * n / count.programs:.0f} %" for name, n in counter.most_common(48)]
        say(f"{title}, in the share of programs: {', '.join(parts)}")


if __name__ == "__main__":
    raise SystemExit(main())
