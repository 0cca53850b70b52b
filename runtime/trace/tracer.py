"""The tracer: runs a converted function on symbolic values and returns the graph it records."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import transpile.runtime.composites  # noqa: F401 (declares what stands for functions)
from transpile.runtime.arrays.hash_tables import NotATable
from transpile.runtime.arrays.lacking_dicts import MakesKeys
from transpile.runtime.arrays.recorder import FOR_ONE_SIZE
from transpile.runtime.arrays.signals import (
    Diverged,
    NeedsHash,
    NeedsStep,
    NeedsText,
    NeedsValue,
    NeedsWay,
    ReadsText,
)
from transpile.runtime.arrays.unseen import detach
from transpile.runtime.errors import ConversionError, OutOfTime, StagingError
from transpile.runtime.operators.recursion import Recurs
from transpile.runtime.ops.journal import may_run_anew

from .appended import Appends, LooksInto
from .attempt import Attempt, Convert, Trace
from .recursions import Recursions
from .tables import Tables
from .texts import AnyText

# How often a function is traced anew because something must be known while tracing.
_SPECIALISATIONS = 40
# How many numbers may have to be known before a list that was handed in is rather staged.
_ITEMS = 8

# The codes of errors that may have to do with arrays of which one way, or one turn of a loop, leads to others than another.
_OF_ARRAYS = ("S110-alias", "S213-alias")
# Those that may have to do with texts that are known, but asked for characters at places that are not.
_OF_TEXTS = ("S130-value", "S132-too-long", "S133-unroll")
# Characters of a text, or bytes, from which on it is first traced for any.
_LONG = 256
# The codes of errors that may have to do with objects of which one way, or one turn of a loop, leads to others than another.
_OF_OBJECTS = ("S110-alias", "S150-structure", "S151-thing", "S152-unstable", "S161-attribute", "S163-items")


def trace(
    function: types.FunctionType,
    convert: Convert,
    arguments: Mapping[str, Any],
    call: Callable[..., Any],
    repeats: bool = False,
    until: float | None = None,
    for_one_size: bool = True,
) -> Trace:
    """Trace `function` on arguments by name; `call(converted, wrapped)` calls it with the arguments that stand for them.

    With `repeats`, ops are recorded as often as the program asks for them. `until` is when that has to have come to an end, by `time.thread_time`;
    `for_one_size` whether it may be for one size alone, so that loops over lists of what is no row can be written out.

    Raises StagingError where the call cannot be staged, ConversionError where a function cannot be rewritten, OutOfTime, and whatever
    the function itself raises on every way.
    """
    ways: dict[Any, bool] = {}
    if any(type(thing) in (str, bytes) and len(thing) >= _LONG for thing in arguments.values()):
        # A loop over a long one would be written out, only to be found too long. Python's own functions, too, take no stand-in for a text.
        try:
            return _trace(function, convert, arguments, call, repeats, until, for_one_size, "texts", {})
        except OutOfTime:
            raise
        except Exception:
            pass
    try:
        return _trace(function, convert, arguments, call, repeats, until, for_one_size, None, ways)
    except StagingError as error:
        # Other ways to take lists that were handed in may do: all staged, or none. Or to have objects lie in pools from the beginning, or nowhere. Or to have
        # lists hold arrays of several sizes, where loops over them are not written out. Or to ask generators for each item. Or to have names stand for one of several arrays;
        # or texts for any. Or to have long comprehensions be loops.
        pools = ("pools", "apart") if error.code in _OF_OBJECTS else ("apart",)
        first = ["arrays"] if error.code in _OF_ARRAYS else []
        if error.code in _OF_TEXTS and any(type(thing) in (str, bytes) for thing in arguments.values()):
            first.append("texts")
        for way in (*first, *filter(ways.get, ("turns", "pulled", True, False, *pools, "sizes"))):
            with suppress(StagingError):
                return _trace(function, convert, arguments, call, repeats, until, for_one_size, way, {})
        raise


def _trace(
    function: types.FunctionType,
    convert: Convert,
    arguments: Mapping[str, Any],
    call: Callable[..., Any],
    repeats: bool,
    until: float | None,
    for_one_size: bool,
    way: bool | str | None,
    ways: dict[Any, bool],
) -> Trace:
    """Trace a function in one of the ways that there are; note in `ways` whether lists that were handed in could be staged, or not be, or objects lie in pools."""
    stages_lists = way if isinstance(way, bool) else None
    specialised: dict[str, Any] = {}
    tables = Tables()
    eager = False
    late: Trace | None = None
    appended: dict[str, bool] = {}
    recursions = Recursions()
    # Why sizes have to be known, where that is to write out loops.
    unfit: StagingError | None = None
    # Whether values have to be known that a trace for all of them would leave to the original.
    one_way = False
    texts = {name for name, thing in arguments.items() if way == "texts" and type(thing) in (str, bytes)}
    for _ in range(_SPECIALISATIONS):
        attempt = Attempt(function, convert, specialised, eager, appended, repeats, recursions, stages_lists)
        tables.tell(attempt.recorder)
        attempt.recorder.pools_objects, attempt.recorder.may_pool = way == "pools", way != "apart"
        attempt.recorder.takes_sizes, attempt.recorder.may_push = way == "sizes", way != "pulled"
        attempt.recorder.keeps_arrays, attempt.recorder.gives_characters = way == "arrays", way == "texts"
        attempt.recorder.stages_turns = way == "turns"
        attempt.recorder.until = until
        attempt.recorder.longest = FOR_ONE_SIZE if unfit else attempt.recorder.longest
        try:
            attempt.recorder.check_time()
            found = attempt.run({n: AnyText(a) if n in texts else a for n, a in arguments.items()}, call)
            if (
                eager
                or not found.graph.stores
                or not any(op.name == "host_call" for op in found.graph.block.walk())
            ):
                found.graph.stores &= not eager or bool(found.ends)
                found.for_one_size, found.for_one_way = unfit is not None, one_way
                return found
            # What is shown sees nothing of what is stored: that may as well come at the end, where the original can run the call anew instead of failing.
            late = found if may_run_anew(found.graph) else None
            eager = True
        except Appends as appends:
            appended[str(appends.path)] = False
        except LooksInto as looks:
            appended[str(looks.path)] = True
        except Recurs as recurs:
            recursions.note(recurs)
        except ReadsText as reads:
            if reads.name not in texts:
                raise StagingError(NeedsText.code, NeedsText.reason) from None
            texts.remove(reads.name)
        except NotATable as refused:
            tables.leave_out(refused)
        except MakesKeys as makes:
            tables.note_lacking(makes.site)
        except (StagingError, ConversionError) as error:
            if late is not None:
                late.for_one_size, late.for_one_way = unfit is not None, one_way
                return late
            ways |= attempt.other_ways(ways)
            if tables.turn_to_steps(attempt.recorder, specialised):
                continue
            if unfit and error.code == "S132-too-long":
                error = unfit
            if tables.give_up_lacking():
                continue
            if not tables.turn(attempt.recorder, error) and not recursions.give_up(error):
                raise tables.reason(error) from None
        except Diverged:
            # Code of the user's, a `__getattr__` say, that ran where tracing looks at what it has found.
            raise StagingError(
                "S290-fault", "what stands for an object is asked for more than it has"
            ) from None
        except NeedsValue as need:
            ways |= attempt.other_ways(ways)
            if isinstance(need, NeedsStep) and attempt.paths_of(need.value) is None:
                # It is the turn of a loop that would have to be written out.
                if tables.turn_to_steps(attempt.recorder, specialised):
                    continue
            wanted = attempt.paths_of(need.value)
            if wanted is None and tables.turn_to_held(attempt.recorder, specialised):
                continue
            if isinstance(need, NeedsHash) and tables.turn(attempt.recorder):
                specialised.clear()
                continue
            if ways.get(True) and len(specialised) >= _ITEMS:
                break
            if wanted is None or wanted <= specialised.keys() or (need.instead and not for_one_size):
                needs = need.instead or StagingError(need.code, need.reason, location=need.location)
                if tables.turn_to_steps(attempt.recorder, specialised):
                    continue
                if tables.give_up_lacking():
                    continue
                if not tables.turn(attempt.recorder, needs) and not recursions.give_up(needs):
                    raise tables.reason(needs) from None
            else:
                unfit = unfit or need.instead
                one_way = one_way or isinstance(need, NeedsWay)
                specialised.update(dict.fromkeys(wanted))
        finally:
            attempt.outside.release()
            detach(attempt.recorder.stand_ins)
    raise StagingError("S131-specialise", "too many arguments must be known while tracing")


__all__ = ["Trace", "trace"]
