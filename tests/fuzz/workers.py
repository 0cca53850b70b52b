"""Runs random programs in several processes, so that one that crashes or hangs is found as well."""

from __future__ import annotations

import faulthandler
import multiprocessing
import queue
import resource
import signal
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Any

from .choices import Dice
from .execution import Count, Stuck, Unfit, check
from .programs import program
from .reduce import kind_of, reduced
from .sessions import session
from .settle import settled

# Seconds of the processor's time for a program; and of the clock's, after which its process is ended.
PATIENCE = 30.0
LAST = 600.0
# Bytes that a process may ask for. What a program has doubled too often fails then, instead of the machine.
MEMORY = 6 * 2**30


@dataclass(frozen=True)
class Task:
    """Which programs to run, from one seed on, until when, and how many in a hundred of them are compiled."""

    seed: int
    programs: int
    until: float
    cpu: int
    wide: bool = False
    families: tuple[str, ...] = ()

    def text(self, place: int) -> str:
        """Return one of the programs: with families those of them, and otherwise every other one of some that are chosen; none where one does not end."""
        dice = Dice(self.seed + place)
        if not self.families and not dice.chance(50):
            return program(dice, wide=self.wide)
        text, attempts = session(dice, self.families), dice.count(0, 12)
        try:
            with patience():
                return settled(text, attempts)
        except Stuck:
            return ""

    def device(self, place: int) -> str:
        """Return the device of one of the programs: those of a seed are always run on the same one."""
        return "cpu" if (self.seed + place) % 100 < self.cpu else "host"


@dataclass(frozen=True)
class Difference:
    """A program that differs from itself converted, made smaller, and how."""

    seed: int
    device: str
    text: str
    complaint: str


Counts = dict[str, Count]


def give_up(*_: object) -> None:
    """End a program that is stuck."""
    raise Stuck


@contextmanager
def patience() -> Iterator[None]:
    """Raise Stuck in what takes longer than any program should."""
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def complaint(text: str, device: str, count: Count | None = None) -> str:
    """Return how a program differs from itself converted, or nothing."""
    try:
        with patience():
            check(text, device, count)
    except Unfit:
        return ""
    except (Exception, Stuck):
        return traceback.format_exc(limit=-8)
    return ""


def difference(task: Task, place: int, count: Count, seen: set[str]) -> Difference | None:
    """Compare a program; where it differs in a way not seen yet, return it, made smaller."""
    text, device = task.text(place), task.device(place)
    kind = kind_of(complaint(text, device, count))
    count.differences += bool(kind)
    if not kind or kind in seen:
        return None
    seen.add(kind)
    text = reduced(text, lambda smaller: kind_of(complaint(smaller, device)) == kind)
    return Difference(task.seed + place, device, text, complaint(text, device))


def work(task: Task, first: int, step: int, places: Any, said: Any) -> None:
    """Run every `step`-th program from the `first` on; note in `places` which one runs, and say what differs, and at the end the counts."""
    faulthandler.enable()
    signal.signal(signal.SIGVTALRM, give_up)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    warnings.simplefilter("ignore")
    counts: Counts = {"host": Count(), "cpu": Count()}
    seen: set[str] = set()
    for place in range(first, task.programs, step):
        if monotonic() > task.until:
            break
        places[first % step] = place
        found = difference(task, place, counts[task.device(place)], seen)
        if found is not None:
            said.put(found)
    said.put(counts)


def run(task: Task, jobs: int) -> Iterator[Difference | Counts | int]:
    """Run programs in processes; yield what differs, counts, and now and then about how many have been run."""
    context = multiprocessing.get_context("spawn")
    places, said = context.Array("q", range(jobs)), context.Queue()

    def start(first: int) -> Any:
        process = context.Process(target=work, args=(task, first, jobs, places, said), daemon=True)
        process.start()
        return process

    running = {number: start(number) for number in range(jobs)}
    moved = {number: (number, monotonic()) for number in running}
    while running or not said.empty():
        try:
            yield said.get(timeout=5)
            continue
        except queue.Empty:
            yield min(places)
        for number, process in list(running.items()):
            place = places[number]
            if moved[number][0] != place:
                moved[number] = place, monotonic()
            elif process.is_alive() and monotonic() - moved[number][1] > LAST:
                process.kill()
                process.join()
            if process.is_alive():
                continue
            del running[number]
            if process.exitcode:
                how = f"the process ended with {process.exitcode}"
                yield Difference(task.seed + place, task.device(place), task.text(place), how)
                running[number] = start(place + jobs)
                moved[number] = place, monotonic()
