"""Runs random programs plainly and converted for a time or up to a number, and prints what they consisted of.

`python -m tests.fuzz.fuzz [--seconds S] [--programs N] [--seed K] [--cpu PERCENT] [--jobs N] [--keep FOLDER] [--wide] [--families NAME ...]` from the root of the checkout.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic

from .execution import Count
from .sessions import FAMILIES
from .workers import Difference, Task, run


def main() -> int:
    """Run programs and print what came of them."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--programs", type=int, default=0)
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    parser.add_argument("--cpu", type=int, default=10, help="how many in a hundred are compiled")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--keep", type=Path, help="where programs that differ are written")
    parser.add_argument("--wide", action="store_true", help="with idioms of real programs")
    parser.add_argument(
        "--families", nargs="+", default=(), choices=FAMILIES, help="only programs of these, together"
    )
    options = parser.parse_args()
    most = options.programs or (sys.maxsize if options.seconds < float("inf") else 1000)
    counts = {"host": Count(), "cpu": Count()}
    shown, start, said = 0, monotonic(), 0.0
    print(f"from seed {options.seed}; --seed S --programs 1 runs one of them again", flush=True)
    task = Task(
        options.seed, most, start + options.seconds, options.cpu, options.wide, tuple(options.families)
    )
    for found in run(task, min(options.jobs, most)):
        if isinstance(found, Difference):
            shown += 1
            show(found, options.keep)
        elif isinstance(found, dict):
            for device, count in found.items():
                counts[device] += count
        elif monotonic() - said > 30:
            said = monotonic()
            print(f"{said - start:7.0f} s {found:7} programs {shown:4} differences", flush=True)
    for device, count in counts.items():
        if count.programs:
            summary(device, count, print)
    programs = sum(count.programs for count in counts.values())
    whole = 100 * sum(count.whole for count in counts.values()) / max(programs, 1)
    # Of one kind only the first is shown.
    differences = max(shown, sum(count.differences for count in counts.values()))
    print(
        f"\n{programs} programs from seed {options.seed}, {whole:.1f} % compiled whole: "
        f"{differences} differences in {monotonic() - start:.0f} s"
    )
    return int(bool(differences))


def show(found: Difference, keep: Path | None) -> None:
    """Print a program that differs, and write it to a folder."""
    print(
        f"\n# a difference on {found.device}, seed {found.seed}\n{found.text}\n{found.complaint}", flush=True
    )
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        text = "".join(f"# {line}\n" for line in found.complaint.splitlines())
        (keep / f"{found.device}_{found.seed}.py").write_text(f"{text}\n\n{found.text}\n")


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
