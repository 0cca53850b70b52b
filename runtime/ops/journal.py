"""Journals: what a call has done that can be seen, so that the original can run the call anew."""

from __future__ import annotations

import os
import random
import sys
import threading
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from transpile.runtime.errors import Deoptimise
from transpile.runtime.graph.ir import Graph, Op

from .streams import Shown, can_wait, waiting
from .told import Key, noting, passing_over
from .written_files import WrittenFiles

# Note [Running anew]
# Where compiled code meets what it was not made for, the original runs the call from its start. What the call has done by then is taken back, or is not
# shown a second time:
#
# * arrays that are handed in are copied before they are written, and restored (the scheduler knows which);
# * generators of random numbers get the state back that they had before the first draw, attributes and globals what they held, NumPy's settings what
#   they were; files that are written by their paths hold again what they held;
# * text that was written to a stream is not written again, but compared with what the original writes: see Note [Shown once];
# * warnings and log records that were shown are not shown again: see Note [Told once];
# * a clock is read again, and a generator is seeded by chance again: these are marked with `differs`. What `shows` something of it, text that is
#   written, could not be left out the next time.
#
# Each op that calls Python for one of these has, besides its `function`, one that does the same and writes it down: `noted`. That one is run where the call
# may be left afterwards, and only there. Whatever has none (sleeping, open files that are read) is final: after it, nothing can be left to the original.

_MISSING = object()

Result = TypeVar("Result")


def is_final(op: Op) -> bool:
    """Whether the original cannot run a call anew once the op is done."""
    return op.name == "host_call" and "noted" not in op.attributes


def may_run_anew(graph: Graph) -> bool:
    """Whether the original can run a call anew, wherever the graph is left."""
    return not any(map(is_final, graph.block.walk()))


class Journal:
    """What one call has done: how it is taken back, and what was shown on which streams."""

    def __init__(self) -> None:
        self._undo: dict[Any, Callable[[], object]] = {}
        self._shown: dict[int, Shown] = {}
        # Warnings and log records.
        self.told: list[Key] = []
        self._files = WrittenFiles()
        # Files that the call itself has opened, by identity.
        self._opened: dict[int, Any] = {}

    @property
    def is_used(self) -> bool:
        """Whether anything has been done."""
        return bool(self._undo or self._shown or self.told)

    def stream(self, stream: Any) -> Any:
        """Return what writes to a stream and notes it. Leaves the call to the original where the stream could not be kept from showing text twice."""
        if id(stream) in self._opened:
            return stream
        shown = self._shown.get(id(stream))
        if shown is None:
            if not can_wait(stream):
                raise Deoptimise("a stream of this kind is written to")
            shown = self._shown[id(stream)] = Shown(stream)
        return shown

    def keep_attribute(self, owner: Any, name: str) -> None:
        """Note an attribute that is about to be stored."""
        if (id(owner), name) in self._undo:
            return
        before = _own_attribute(owner, name)
        undo = (lambda: delattr(owner, name)) if before is _MISSING else lambda: setattr(owner, name, before)
        self._undo[id(owner), name] = undo

    def keep_item(self, owner: dict[str, Any], name: str) -> None:
        """Note an item of a dictionary that is about to be stored."""
        if (id(owner), name) not in self._undo:
            missing = name not in owner
            before = owner.get(name)
            undo = (lambda: owner.pop(name)) if missing else lambda: owner.__setitem__(name, before)
            self._undo[id(owner), name] = undo

    def keep_generator(self, generator: Any) -> None:
        """Note the state of a generator of random numbers, which is about to change; `numpy.random` itself is one, too."""
        if id(generator) not in self._undo:
            self._undo[id(generator)] = _state(generator)

    def keep_file(self, path: Any) -> None:
        """Note a file that is about to be written. Leaves the call to the original where it could not be put back."""
        place = ("file", os.path.abspath(os.fspath(path)))
        if place not in self._undo:
            self._undo[place] = self._files.restoring(path)

    def keep_folder(self, place: str) -> None:
        """Note a folder that is about to be made: it is removed after what was written there."""

        def remove() -> None:
            if os.path.isdir(place) and not os.listdir(place):
                os.rmdir(place)

        self._undo.setdefault(("folder", place), remove)

    def keep_opened(self, file: Any) -> None:
        """Note a file that the call has opened: it is closed before what was at its path is put back."""
        self._opened[id(file)] = file
        self._undo["opened", id(file)] = file.close

    def keep_setting(self, name: str, undo: Callable[[], object]) -> None:
        """Note a setting of NumPy's that is about to change, with what gives it back."""
        self._undo.setdefault(("setting", name), undo)

    def run_anew(self, run: Callable[[], Result]) -> Result:
        """Take back what the call has done, and run it anew; what it shows once more is not shown."""
        for undo in reversed(self._undo.values()):
            undo()
        with waiting(self._shown.values()), passing_over(self.told):
            return run()


def _own_attribute(owner: Any, name: str) -> Any:
    """Return what an object itself has by a name."""
    own = getattr(owner, "__dict__", {})
    if name in own:
        return own[name]
    if not hasattr(getattr(type(owner), name, None), "__set__"):
        return _MISSING
    try:
        return getattr(owner, name)
    except (AttributeError, ValueError):
        # A slot, or a cell, that is empty.
        return _MISSING


def _state(generator: Any) -> Callable[[], object]:
    """Return what gives a generator of random numbers the state back that it has now."""
    if isinstance(generator, random.Random):
        kept = generator.getstate()
        return lambda: generator.setstate(kept)
    if isinstance(generator, np.random.Generator):
        bits = generator.bit_generator
        state = bits.state
        return lambda: setattr(bits, "state", state)
    legacy = generator.get_state(legacy=False)
    return lambda: generator.set_state(legacy)


# -- the call that is running --------------------------------------------------------------------------------------


class _Running(threading.local):
    def __init__(self) -> None:
        self.journals: list[Journal] = []


_running = _Running()


def journal() -> Journal:
    """Return the journal of the call that is running."""
    return _running.journals[-1]


def recording(run: Callable[..., Any]) -> Callable[..., Any]:
    """Return `run` as a function whose calls have a journal, which they hand on where they are left to the original."""

    def run_recording(*values: Any) -> Any:
        kept = Journal()
        _running.journals.append(kept)
        try:
            return run(*values)
        except Deoptimise as left:
            left.journal = kept if kept.is_used else None
            raise
        finally:
            _running.journals.pop()

    return run_recording


def write(stream: Any, text: str) -> Any:
    """Write a text to a stream, and note it."""
    return journal().stream(stream).write(text)


def telling(run: Callable[..., Any]) -> Callable[..., Any]:
    """Return `run` as a function that notes what it warns of and logs, where there is a journal."""

    def run_noting(*given: Any) -> Any:
        if not _running.journals:
            return run(*given)
        with noting(journal().told):
            return run(*given)

    return run_noting


def store_attribute(owner: Any, name: str, value: Any) -> None:
    """Store an attribute, and note what was there."""
    journal().keep_attribute(owner, name)
    setattr(owner, name, value)


def store_item(owner: dict[str, Any], name: str, value: Any) -> None:
    """Store an item of a dictionary, and note what was there."""
    journal().keep_item(owner, name)
    owner[name] = value


def show(things: tuple[Any, ...], options: dict[str, Any]) -> None:
    """Print, and note it."""
    stream = options.get("file")
    if stream is None:
        stream = getattr(sys, "stdout", None)
    if stream is not None:
        options = {**options, "file": journal().stream(stream)}
    print(*things, **options)
