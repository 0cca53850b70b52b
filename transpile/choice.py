"""Which way calls take: ours, or as plain Python where that was measured to be faster, or where there is nothing to compile."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

import numpy as np

from transpile.runtime.attributes import held_by
from transpile.runtime.graph.ir import Graph

from .estimate import (
    COMPILE_TIMES,
    calls_python,
    does_little,
    has_loops,
    is_idle,
    is_long,
    most_elements,
    sure_seconds,
    turns_call_libraries,
    waiting,
)

if TYPE_CHECKING:
    from .calls import Calls
    from .direct import Direct
    from .entry import Entry

# Note [Measured choices]
# Both ways give the same, so a call may take either. Calls of one kind and size of arguments first go ours; once enough of them were timed, some
# go the plain way in between. Where the best of those took clearly less time, the rest goes that way. Nobody is to wait for a measurement: the plain
# way is tried only where it cannot take long, judged by how long ours takes and by what the trace holds, or may take as long as ours at the most, as far as the turns of its loops are known. What is decided holds for sizes up
# to four times apart; others are measured anew. Of what is so short that the way to the kernel decides, that is measured on which calls go once they come often:
# machine code. Where arguments do not tell how much there is to do, plain calls stay timed, and one that takes
# long starts it all anew.

# Calls that are timed before the plain way is tried, where that takes next to nothing, and where it may take as long as all of them; and how often it is tried.
_FIRST, _LATER, _TRIED = 8, 100, 5
# How long in nanoseconds a call takes that somebody may notice.
_NOTICED = 1_000_000
# How many times faster the plain way has to be.
_CLEARLY = 1.2
# How long a call may take ours, in nanoseconds, for the plain way to be tried: whatever it does, at once or later; without a loop; with calls of Python.
_AT_ONCE, _IN_TIME, _STRAIGHT, _CALLING = 20_000, 500_000, 50_000_000, 20_000_000
# How long a plain call may take, in nanoseconds, for the way to the kernel to decide.
_SHORT = 10_000
# Kinds and sizes of one function that are told apart.
_MOST = 64
# Of those that go the plain way, how many are looked at before anything else.
_INLINE = 4
# How long in nanoseconds, and how many times longer than the best of its kind, a plain call has to take to be out of the ordinary.
_LONG, _LONGER = 50_000, 8
# How many such calls there have to be for their kind to be looked at anew.
_OFTEN = 3
# How many elements of arrays, taken or made, there have to be for much that stands in no loop to pay.
_LITTLE = 10_000
# How many nanoseconds such calls have to take in all, at the most, before they are compiled after all: as many as compiling may take.
_EARNED = 5_000_000_000
# What share of the time for which one waits for a compiler a call has to take for it to be waited for.
_WAITED = 0.1
# Calls with nothing to compile, after which nothing is expected of others either, and how many nanoseconds they may take.
_FOR_GOOD, _NOTHING = 200, 10_000
# Calls of one kind after which it is not waited any longer for that.
_WATCHED = 400

_NUMBERS = (int, float, complex, bool)
_SIZED = (str, bytes, list, tuple, dict, set, frozenset)


class Choice:
    """What is known of calls of one kind and size: how long they take either way, and which one they go ("" as long as that is open)."""

    def __init__(self, kinds: tuple[Any, ...], size: int) -> None:
        self.kinds, self.size = kinds, size
        self.reopened = 0
        # How long plain calls have to take in all, in nanoseconds, before compiling is tried after all; and whether they have.
        self.owed, self.earned = 0, False
        # Whether calls that go ours do so by machine code.
        self.straight = False
        # Since when plain calls have mostly been long, how much time they took, and how many they were.
        self.long_since = self.long_taken = self.long_count = 0
        self.begin()

    def begin(self) -> None:
        """Start to measure."""
        self.verdict = self.why = ""
        self.ours = self.plain = 1 << 62
        self.ours_count = self.plain_count = 0
        # How many calls are timed before the plain way is tried.
        self.first = _FIRST

    def note(self, plain: bool, taken: int) -> None:
        """Note how long a call took; decide once that is clear."""
        if not plain:
            # As many calls are compared of either way: from then on, where the plain way is tried.
            self.ours = taken if self.ours_count == self.first else min(self.ours, taken)
            self.ours_count += 1
            return
        self.plain = min(self.plain, taken)
        self.plain_count += 1
        faster = self.plain * _CLEARLY < self.ours
        # A call that took much longer decides at once where another such would be noticed; what is short may have been disturbed.
        if self.plain_count >= _TRIED or self.plain > max(_NOTICED, 3 * self.ours):
            self.verdict = "plain" if faster else "ours"
            self.why = f"measured faster there ({_time(self.plain)} instead of {_time(self.ours)})"

    @property
    def tells(self) -> bool:
        """Whether the arguments themselves tell how much there is to do."""
        return bool(self.kinds) and all(type(kind) is tuple or kind in _NUMBERS for kind in self.kinds)

    @property
    def least(self) -> int:
        """The least size that this is about."""
        return 1 << 2 * self.size - 1 if self.size else 0

    @property
    def beyond(self) -> int:
        """The first size that this is not about any more."""
        return 1 << 2 * self.size + 1

    @property
    def limit(self) -> int:
        """How long a plain call may take before it is out of the ordinary."""
        return max(_LONG, _LONGER * self.plain) << 2 * self.reopened


class Choices:
    """The choices of a function."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._known: dict[Any, Choice] = {}
        self._idle = 0
        # What serves calls of a trace by machine code.
        self._direct: tuple[Entry, Direct] | None = None

    def of(self, values: Sequence[Any]) -> Choice | None:
        """Return what is known of calls of this kind and size; None where too many are known already."""
        kinds = roughly(values)
        key = kinds, sum(map(extent, values)).bit_length() >> 1
        choice = self._known.get(key)
        if choice is None and len(self._known) < _MOST:
            choice = self._known[key] = Choice(*key)
        return choice

    def call(self, values: Sequence[Any]) -> Any:
        """Run a call, and note how long it takes unless it is known which way it goes and that it stays so."""
        calls, choice = self._calls, self.of(values)
        if calls.jobs:
            # What takes its time now is not what will.
            return calls.ours(values)
        if choice is None or choice.verdict == "ours":
            return calls.ours(values)
        plain = choice.verdict == "plain" or self._tries(choice, values)
        if choice.straight and not plain and self._direct is not None:
            straight = self._direct[1].function
            start = perf_counter_ns()
            result = straight(*values)
        else:
            way = calls.original if plain else calls.ours
            start = perf_counter_ns()
            result = way(values)
        taken = perf_counter_ns() - start
        if choice.verdict == "plain" and plain:
            self._count(choice, taken)
        elif not choice.verdict:
            choice.note(plain, taken)
            if choice.verdict:
                self._decided(choice, values)
        return result

    def _tries(self, choice: Choice, values: Sequence[Any]) -> bool:
        """Whether the next call of a choice that is open is to go the plain way."""
        ahead = choice.ours_count - choice.plain_count
        if ahead == _FIRST and not choice.plain_count and not self._may_try(choice, values):
            if self._calls.entry_for(values) is None and self._calls.parts is None:
                # Nothing is compiled yet that could be compared.
                choice.begin()
                return False
            if choice.ours < _IN_TIME:
                choice.first = _LATER
                return False
            choice.verdict = "ours"
            self._decided(choice, values)
            return False
        return ahead >= choice.first

    def _may_try(self, choice: Choice, values: Sequence[Any]) -> bool:
        """Whether the plain way cannot take long, so that it may be tried at once."""
        entry = self._calls.entry_for(values)
        if entry is None:
            # Loops are compiled, if anything is.
            return self._calls.parts is not None and (choice.ours < _AT_ONCE or self._may_try_parts(choice))
        graph = entry.trace.graph
        if not has_loops(graph):
            return choice.ours < _STRAIGHT
        calling = calls_python(graph) or turns_call_libraries(graph.block)
        if choice.ours < (_CALLING if calling else _AT_ONCE):
            return True
        # What does less than it is handed: its loops take no longer in plain Python than the whole call does now.
        seconds = sure_seconds(graph, self._calls.parameters, values) if choice.ours < _STRAIGHT else None
        return seconds is not None and 1e9 * seconds < choice.ours

    def _may_try_parts(self, choice: Choice) -> bool:
        """Whether the pieces that are compiled take no longer in plain Python than whole calls do now, as far as it is known how often their loops turn."""
        assert self._calls.parts is not None
        seconds = self._calls.parts.plain_seconds
        count = sum(known.ours_count for known in self._known.values())
        return seconds is not None and choice.ours < _STRAIGHT and 1e9 * seconds < choice.ours * count

    def _decided(self, choice: Choice, values: Sequence[Any]) -> None:
        entry = self._calls.entry_for(values)
        if self._direct is not None:
            self._calls.served += self._direct[1].retire()
        if choice.verdict == "plain" and choice.plain < _SHORT and not choice.straight:
            choice.straight = entry is not None and self._goes_straight(entry)
            if choice.straight:
                choice.begin()
                return
        if choice.verdict == "ours" and entry is not None:
            least = sum(extent(value) for value in values if type(value) in (np.ndarray, int)) >> 2
            entry.least = least if entry.least is None else min(entry.least, least)
        self._calls.renew()

    def _goes_straight(self, entry: Entry) -> bool:
        """Whether calls that a trace serves may go there by machine code, which is made then."""
        calls = self._calls
        if not calls.goes_straight:
            return False
        if self._direct is None or self._direct[0] is not entry:
            from .direct import made_for

            found = made_for(calls, entry, lambda *values: calls.ours(values))
            self._direct = None if found is None else (entry, found)
        return self._direct is not None

    def leave(self, values: Sequence[Any], graph: Graph) -> bool:
        """Let calls of this kind and size go the plain way where their graph leaves nothing to compile; tell whether they do."""
        choice = self.of(values)
        if choice is None:
            return False
        if is_idle(graph):
            choice.verdict, choice.why = "plain", "there is nothing in it to compile"
        elif not choice.earned and (seconds := self._waits(graph, values)):
            choice.verdict = "plain"
            choice.why = "it takes little time, and would take long to compile"
            choice.owed = min(int(1e9 * seconds), _EARNED)
        elif not choice.earned and (
            (is_little := does_little(graph, self._calls.parameters, values))
            or (is_long(graph) and self._elements(graph, values) < _LITTLE)
        ):
            choice.verdict = "plain"
            choice.why = "it does little with many things, and would take long to compile"
            choice.owed = _EARNED if is_little else min(int(1e9 * COMPILE_TIMES.expected(graph)), _EARNED)
        return choice.verdict == "plain"

    def _elements(self, graph: Graph, values: Sequence[Any]) -> int:
        """Return how many elements the arrays have that a call takes, or the largest that it makes, if that has more."""
        handed = sum(map(elements, values))
        return (
            handed if handed >= _LITTLE else max(handed, most_elements(graph, self._calls.parameters, values))
        )

    def _waits(self, graph: Graph, values: Sequence[Any]) -> float:
        """Return how many seconds somebody would wait for a compiler who has asked for a function, where that is long and the call is known not to be; 0 elsewhere."""
        seconds = waiting(graph) if self._calls.losses.asked else 0.0
        sure = sure_seconds(graph, self._calls.parameters, values) if seconds else None
        return 0.0 if sure is None or sure > _WAITED * seconds else seconds

    def _count(self, choice: Choice, taken: int) -> None:
        """Count a plain call of a kind of which there is nothing to compile, or that is not looked at first."""
        if choice.plain_count and taken > choice.limit:
            self.note_long(choice, taken)
            return
        choice.plain = min(choice.plain, taken)
        choice.plain_count += 1
        if choice.owed:
            choice.owed = max(choice.owed - taken, 0)
            if not choice.owed:
                choice.earned = True
                choice.begin()
            return
        self._idle += taken < _NOTHING and not choice.ours_count
        if self._idle == _FOR_GOOD and not self._calls.entries:
            self._calls.stop()
        elif choice.plain_count == _WATCHED:
            self._calls.renew()

    def note_long(self, choice: Choice, taken: int) -> None:
        """Note a plain call that took long; decide anew where calls spend most of their time so, and were not just interrupted now and then."""
        now = perf_counter_ns()
        if choice.long_taken + taken < (now - choice.long_since) >> 1:
            choice.long_since, choice.long_taken, choice.long_count = now - taken, 0, 0
        choice.long_taken += taken
        choice.long_count += 1
        if choice.long_count == _OFTEN:
            choice.begin()
            choice.reopened += 1
            self._calls.renew()

    @property
    def plain(self) -> list[Choice]:
        """What goes the plain way."""
        return [choice for choice in list(self._known.values()) if choice.verdict == "plain"]

    @property
    def measured_plain(self) -> bool:
        """Whether calls go the plain way of which some went ours."""
        return any(choice.ours_count for choice in self.plain)

    @property
    def first(self) -> list[Choice]:
        """What goes the plain way, and is to be looked at before anything else."""
        return [
            choice
            for choice in self.plain
            if choice.ours_count or (choice.plain_count >= _WATCHED and not choice.owed)
        ][-_INLINE:]

    def clear(self) -> None:
        """Forget everything."""
        self._known.clear()
        self._idle = 0
        self._direct = None


def elements(value: Any, depth: int = 2) -> int:
    """Return how many elements the arrays have that are, or are in, a value."""
    if isinstance(value, np.ndarray):
        return int(value.size)
    if isinstance(value, dict):
        value = list(value.values())
    elif not isinstance(value, (list, tuple, type)):
        value = held_by(value)
    return sum(elements(item, depth - 1) for item in value) if depth and not isinstance(value, type) else 0


def roughly(values: Sequence[Any]) -> tuple[Any, ...]:
    """Return the kinds of arguments, told apart roughly."""
    return tuple(
        [(value.dtype, value.ndim) if type(value) is np.ndarray else type(value) for value in values]
    )


def extent(value: Any) -> int:
    """Return how much there may be to do for an argument, as far as it tells."""
    kind = type(value)
    if kind is np.ndarray:
        return int(value.size)
    if kind is int:
        return int(abs(value))
    return len(value) if kind in _SIZED else 0


def tests(choices: Sequence[Choice], namespace: dict[str, Any]) -> list[tuple[str, Choice]]:
    """Return, for each kind and size, Python that tells whether `value0`, `value1` and so on are of it; what it uses goes to a namespace."""
    return [(_test(choice, number, namespace), choice) for number, choice in enumerate(choices)]


def _test(choice: Choice, number: int, namespace: dict[str, Any]) -> str:
    asked, sizes = [], []
    for place, kind in enumerate(choice.kinds):
        name, value = f"kind{number}_{place}", f"value{place}"
        if type(kind) is tuple:
            namespace[name], ndim = kind
            asked.append(f"type({value}) is ndarray and {value}.ndim == {ndim} and {value}.dtype is {name}")
            sizes.append(f"{value}.size")
        else:
            namespace[name] = kind
            asked.append(f"type({value}) is {name}")
            sizes += [f"abs({value})"] * (kind is int) + [f"len({value})"] * (kind in _SIZED)
    if sizes:
        asked.append(f"{choice.least} <= {' + '.join(sizes)} < {choice.beyond}")
    return " and ".join(asked) or "True"


def _time(nanoseconds: int) -> str:
    return f"{nanoseconds / 1e3:.3g} µs" if nanoseconds < 1e6 else f"{nanoseconds / 1e6:.3g} ms"
