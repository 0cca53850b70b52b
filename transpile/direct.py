"""Calls that go straight to a kernel, by machine code: what tells whether a trace serves them, too, and what is made of its results."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from transpile.runtime.errors import Deoptimise, NotAssumed
from transpile.runtime.graph.dim import values_of
from transpile.runtime.ops import floating_errors
from transpile.runtime.ops.floating_errors import heeded, may_be_error, state_of
from transpile.runtime.trace.guard import Guard
from transpile.runtime.trace.path import Path
from transpile.runtime.trace.returned import ArrayResult, Constant, Container, Given, Result

if TYPE_CHECKING:
    from transpile.devices.cpu.c_code import Code
    from transpile.devices.cpu.direct import Direct as Kernel

    from .calls import Calls
    from .direct_guards import Guards
    from .entry import Entry

# How many calls a trace has to serve before machine code is made for them: that takes some milliseconds, and a call with it some microseconds less.
OFTEN = 200


class Direct:
    """The function that serves calls by a trace, and hands on to `slow` those that it does not."""

    def __init__(self, entry: Entry, code: Code, kernel: Kernel, done: list[Any]) -> None:
        from transpile.devices.cpu import c_code
        from transpile.devices.cpu.direct_upcalls import HITS

        self._place = HITS // 8
        self._words = np.zeros(code.words, np.int64)
        self._entry = entry
        registered = kernel.bind(self._words)
        done.append(registered)
        self.function = c_code.function(code.text(), (self._words, *code.things, registered))

    @property
    def hits(self) -> int:
        """How many calls it has served."""
        return int(self._words[self._place])

    def retire(self) -> int:
        """Hand the count of the calls that it has served to its trace, and return it."""
        hits = self.hits
        self._words[self._place] = 0
        self._entry.served += hits
        if self._entry.direct is self:
            self._entry.direct = None
        return hits


def direct(calls: Calls, entry: Entry, slow: Callable[..., Any]) -> Direct | None:
    """Return what serves the calls of a trace, where it is often asked for, and no more is to be done than machine code does."""
    if entry.hits < OFTEN:
        return None
    entry.direct = made = made_for(calls, entry, slow)
    return made


def made_for(calls: Calls, entry: Entry, slow: Callable[..., Any]) -> Direct | None:
    """Return what serves the calls of a trace, where no more is to be done than machine code does."""
    if entry.kernel is None or calls.on_error or calls.watches_late:
        return None
    from transpile.devices.cpu.c_code import Code
    from transpile.devices.cpu.direct import Direct as Kernel

    from .direct_places import Unwritten

    usual = heeded() >= 0 and entry.obeys(heeded())
    if not usual or floating_errors.VARIABLE is None or entry.noted or not Kernel.can(entry.kernel):
        return None
    code = Code()
    done: list[Any] = []
    try:
        kernel = Kernel(code, entry.kernel)
        _write(code, kernel, calls, entry, slow, done)
        made = Direct(entry, code, kernel, done)
    except (Unwritten, RuntimeError, LookupError):
        # LLVM does not take the code, or something it calls is not there: no call is to fail for that.
        return None
    return made


def _write(
    code: Code, kernel: Kernel, calls: Calls, entry: Entry, slow: Callable[..., Any], done: list[Any]
) -> None:
    from .direct_guards import Guards
    from .direct_places import Unwritten, place_of

    code.test(f"eq i64 %count, {len(calls.parameters)}", "slow")
    _ask_state(code)
    guards = Guards(code, calls.parameters)
    careful = _on_filters() if entry.kernel.spared else []
    if careful and may_be_error():
        raise Unwritten
    guards.write([*entry.trace.guards, *careful])
    if careful:
        _ask_filters(code, guards.at(careful[0].path))
    if entry.least:
        _ask_size(code, guards, entry.least)
    graph = entry.trace.graph
    values = [guards.at(item.path) for item in graph.inputs if item.source != "dim"]
    sources = [item.source for item in graph.inputs if item.source != "dim"]
    paths = [item.path for item in graph.inputs if item.source != "dim"]
    arrays = [path for path, source in zip(paths, sources, strict=True) if source == "array"]
    places = list(map(place_of, arrays))
    if any(source not in ("array", "scalar") for source in sources) or not guards.arrays.shapes.keys() >= set(
        places
    ):
        raise Unwritten
    if any(not guards.arrays.is_in_order(places[place]) for place in entry.kernel.saved):
        # It is saved as it lies.
        raise Unwritten
    asked = {value for buffer in kernel.program.outputs for dim in buffer.dims for value in values_of(dim)}
    sizes = {}
    for argument, item in zip(graph.block.arguments, graph.inputs, strict=True):
        if item.source == "dim":
            sizes[argument] = guards.arrays.shapes[place_of(graph.inputs[item.of].path)][item.axis]
        elif argument in asked:
            sizes[argument] = guards.integer(item.path)
    given: dict[str, list[str]] = {"array": [], "scalar": []}
    for value, source in zip(values, sources, strict=True):
        given[source].append(value)
    if not asked <= sizes.keys():
        raise Unwritten
    counts = list(map(guards.arrays.elements, places))
    found = [value for value, path in zip(values, paths, strict=True) if path.kind != "argument"]
    handed = list(map(guards.at, entry.given))
    found += [value for value, path in zip(handed, entry.given, strict=True) if path.kind != "argument"]
    kernel.run(given["array"], given["scalar"], counts, sizes, found)
    known = {id(path): value for path, value in zip(entry.given, handed, strict=True)}
    result = None if entry.trace.stores else _given(code, kernel, entry.trace.output, known)
    if result is None:
        assert entry.build is not None
        results = kernel.row([kernel.given(place) for place in range(len(kernel.program.results))])
        things = kernel.shared(handed)
        result = kernel.called(code.thing(entry.build), [results, things])
        code.call("Py_DecRef", f"ptr {results}")
        code.call("Py_DecRef", f"ptr {things}")
    settle = _settling(calls, entry, slow, done)
    kernel.end(result, settle, lambda: done[0].clear(), len(calls.parameters), handed, guards.release)
    guards.end()
    code.line(
        f"ret ptr {code.call('PyObject_Vectorcall', f'ptr {code.thing(slow)}', 'ptr %args', 'i64 %count', 'ptr null')}"
    )


def _ask_state(code: Code) -> None:
    """Ask whether NumPy is told to warn of what it was when the code was made."""
    room = code.room("ptr")
    variable = code.thing(floating_errors.VARIABLE)
    failed = code.call("PyContextVar_Get", f"ptr {variable}", "ptr null", f"ptr {room}")
    code.test(f"eq i32 {failed}, 0", "slow")
    state = code.load("ptr", room)
    code.call("Py_DecRef", f"ptr {state}")
    code.test(f"eq ptr {state}, {code.thing(state_of())}", "slow")


def _on_filters() -> list[Guard]:
    """Return guards on what says whether warnings are errors."""
    module = Path("object", warnings)
    return [
        Guard(module.attribute("filters"), "type", list),
        Guard(module.attribute("defaultaction"), "is", warnings.defaultaction),  # type: ignore[attr-defined]
    ]


def _ask_filters(code: Code, filters: str) -> None:
    """Ask whether the filters of warnings are what they were."""
    from transpile.devices.cpu.c_code import ITEMS, LENGTH, LISTED

    known = tuple(warnings.filters)
    code.test(f"eq i64 {code.load('i64', filters, LENGTH)}, {len(known)}", "slow")
    items = code.load("ptr", filters, LISTED)
    given = f"ptr {items}", f"ptr {code.at(code.thing(known), ITEMS)}", f"i64 {8 * len(known)}"
    code.test(f"eq i32 {code.call('transpile_c_memcmp', *given)}, 0", "slow")


def _ask_size(code: Code, guards: Guards, least: int) -> None:
    """Ask whether there is as much to do as was measured to pay."""
    sizes = [guards.arrays.elements(place) for place in guards.arrays.shapes if isinstance(place, str)]
    numbers = [value for place, value in guards.integers.items() if isinstance(place, str)]
    sizes += [code.call("llvm.abs.i64", f"i64 {value}", "i1 0") for value in numbers]
    total = "0"
    for size in sizes:
        total = code.new(f"add i64 {total}, {size}")
    code.test(f"uge i64 {total}, {least}", "slow")


def _given(code: Code, kernel: Kernel, part: Any, handed: dict[int, str]) -> str | None:
    """Write what is returned, and return it; None where Python has to build it. `handed` are things that were handed in, by their paths."""
    return _built(code, kernel, part, handed) if _is_plain(part, set()) else None


def _is_plain(part: Any, seen: set[int]) -> bool:
    """Whether a part of what is returned is a number, a thing that was handed in, an array of the kernel's, or a container of such, each but once."""
    if isinstance(part, (Result, Constant, Given)):
        return True
    if isinstance(part, ArrayResult) and part.given is not None:
        return part.is_base
    if id(part) in seen:
        return False
    seen.add(id(part))
    if isinstance(part, ArrayResult):
        return part.is_base
    return (
        isinstance(part, Container)
        and part.type in (tuple, list, dict)
        and all(_is_plain(item, seen) for item in part.items)
    )


def _built(code: Code, kernel: Kernel, part: Any, handed: dict[int, str]) -> str:
    path = part.path if isinstance(part, Given) else part.given if isinstance(part, ArrayResult) else None
    if path is not None or isinstance(part, Constant):
        thing = code.thing(part.thing) if path is None else handed[id(path)]
        code.call("Py_IncRef", f"ptr {thing}")
        return thing
    if isinstance(part, (Result, ArrayResult)):
        return kernel.given(part.place)
    items = [_built(code, kernel, item, handed) for item in part.items]
    if part.keys is None:
        return kernel.row(items, "Tuple" if part.type is tuple else "List")
    made = code.call("PyDict_New")
    code.test(f"ne ptr {made}, null", "exit")
    for key, item in zip(part.keys, items, strict=True):
        failed = code.call("PyDict_SetItem", f"ptr {made}", f"ptr {code.thing(key)}", f"ptr {item}")
        code.test(f"eq i32 {failed}, 0", "exit")
        code.call("Py_DecRef", f"ptr {item}")
    return made


def _settling(calls: Calls, entry: Entry, slow: Callable[..., Any], done: list[Any]) -> Callable[..., Any]:
    """Return what goes on in Python where a kernel has called it, or has not ended well; what it does not serve goes the slow way."""
    kernel, build = entry.kernel, entry.build
    assert build is not None

    def settle(
        values: Any, arrays: Any, handed: Any, outputs: Any, saved: Any, late: Any, status: Any
    ) -> Any:
        (registered,) = done
        call = registered and registered.call
        if call is not None:
            call.late.update((number, array) for number, array in enumerate(late) if array is not None)
        kept = [
            (arrays[place], np.frombuffer(copy, arrays[place].dtype).reshape(arrays[place].shape))
            for place, copy in zip(kernel.saved, saved, strict=True)
        ]
        journal, left = None, False
        try:
            result = build(kernel.finish(call, arrays, outputs, kept, status), handed)
            entry.served += 1
            calls.served += 1
            return result
        except NotAssumed:
            pass
        except Deoptimise as error:
            journal, left = error.journal, True
        finally:
            if registered:
                registered.clear()
        return calls.left(entry, values, journal) if left else slow(*values)

    return settle
