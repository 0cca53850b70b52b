"""What earlier processes have found of the functions of a file that nobody asked for by name: kept on disk, so that the next one loses nothing."""

from __future__ import annotations

import atexit
import os
import sys
import weakref
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from transpile.runtime import disk
from transpile.runtime.disk import Store, digest_of

from .version import __version__

if TYPE_CHECKING:
    from .hooked_calls import HookedCalls

# Note [Experience]
# A trace that comes to nothing does so in the next process, too, as long as the file, the libraries and this package stay what they are; and what was compiled there lies on disk.
# So of each function is kept what was lost on it, how long its calls have taken, and which way they went in the end. Nor does it know how long calls will
# take as well as one that has seen them: what would have paid there is compiled at once. It only decides when a trace is
# risked, never what a call gives. Of another file, or after a change of it, nothing is known.

_KEPT = Store("past")


class Past(NamedTuple):
    """What became of a function: seconds that were lost on it, and that its calls took as plain Python; whether traces of it have served calls, or of its parts."""

    lost: float
    taken: float
    served: bool
    served_in_parts: bool

    @property
    def tried(self) -> bool:
        """Whether it was tried to compile anything of it."""
        return self.served or self.served_in_parts or bool(self.lost)


class Experience:
    """What is known of the functions of a file of this content."""

    def __init__(self, path: str, source: bytes) -> None:
        digest = disk.sha256(source).hexdigest()
        self._content = "\n".join([__version__, sys.version, _numpy(), path, digest])
        self._past: dict[str, Past] | None = None
        self._seen: list[weakref.ref[HookedCalls]] = []

    def of(self, calls: HookedCalls) -> Past | None:
        """Return what is known of a function, of which is kept at the end what this process finds."""
        if not self._seen:
            atexit.register(self._keep)
        self._seen.append(weakref.ref(calls))
        return self._known().get(_key(calls))

    @property
    def lost(self) -> float:
        """How much was lost on all functions of the file in earlier processes, in seconds."""
        return sum(past.lost for past in self._known().values())

    def _known(self) -> dict[str, Past]:
        if self._past is None:
            data = _KEPT.load(self._content)
            kept: dict[str, Any] = _read(data) if data else {}
            same = bool(kept) and kept["digest"] == _digest()
            self._past = {name: Past(*past) for name, past in kept["past"].items()} if same else {}
        return self._past

    def _keep(self) -> None:
        """Keep what was found, if it is more than was known."""
        known = self._known()
        found = dict(known)
        for reference in self._seen:
            calls = reference()
            past = calls and calls.experience()
            if calls and past:
                found[_key(calls)] = past
        if found != known:
            import json

            _KEPT.save(self._content, json.dumps({"digest": _digest(), "past": found}).encode())


_FILES: dict[str, Experience] = {}


def note_file(path: str, source: bytes) -> None:
    """Note what a file of which functions are offered holds."""
    _FILES[path] = Experience(path, source)


def past_of(calls: HookedCalls) -> Past | None:
    """Return what became of a function in earlier processes, if that is known."""
    file = _FILES.get(calls.function.__code__.co_filename)
    return file.of(calls) if file is not None else None


def lost_before(calls: HookedCalls) -> float:
    """Return how much was lost in earlier processes on all functions of the file that a function is of, in seconds."""
    file = _FILES.get(calls.function.__code__.co_filename)
    return file.lost if file is not None else 0.0


def _numpy() -> str:
    """Tell which NumPy there is, without loading it."""
    found = PathFinder.find_spec("numpy")
    if found is None or found.origin is None:
        return ""
    return f"{found.origin} {os.stat(found.origin).st_mtime_ns}"


def _read(data: bytes) -> Any:
    import json

    return json.loads(data)


def _key(calls: HookedCalls) -> str:
    code = calls.function.__code__
    return f"{code.co_qualname}:{code.co_firstlineno}"


def _digest() -> str:
    """Return a digest of this package: another one may compile what this one does not."""
    rooms = [Path(disk.__file__).parents[1] / room for room in ("converters", "runtime", "devices")]
    inside = [each for room in rooms for each in sorted(room.iterdir()) if each.is_dir()]
    return digest_of([Path(__file__).parent, *rooms, *inside])
