"""Generates, for a trace, the function that tells whether it serves a call, and what to feed it."""

from __future__ import annotations

import itertools
import marshal
import sys
from collections.abc import Callable, Sequence
from types import CodeType, ModuleType
from typing import Any

import numpy as np

from transpile.runtime.disk import Store
from transpile.runtime.graph.records import layout_of
from transpile.runtime.trace.guard import (
    ALIGNED,
    C_CONTIGUOUS,
    LIES,
    OWNS,
    WARNS,
    WRITEABLE,
    ArrayKey,
    Guard,
    apart,
    goes_on,
    none_in,
    one_each,
    own_memory,
    packed,
)
from transpile.runtime.trace.handed_arrays import have_own_memory
from transpile.runtime.trace.path import Path
from transpile.runtime.trace.sameness import ATOMS, same, same_number

# Python takes longer to compile so many characters than to load what it made of them.
_LONG = 4000
_KEPT = Store("matches")

# Flags of an array that lies in memory as NumPy makes arrays, and can be written.
PLAIN = C_CONTIGUOUS | ALIGNED | WRITEABLE


class _Text:
    """The lines of a match function, and the constants that they use."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.namespace: dict[str, Any] = {
            "ndarray": np.ndarray,
            "ArrayKey": ArrayKey,
            "same": same,
            "same_number": same_number,
            "layout_of": layout_of,
            "apart": apart,
            "own_memory": own_memory,
            "packed": packed,
            "goes_on": goes_on,
            "one_each": one_each,
            "none_in": none_in,
            "have_own_memory": have_own_memory,
        }
        # Pairs of arrays that must be apart.
        self.pairs: list[tuple[str, str]] = []
        # The flags of arrays, by their names, as far as they were asked for.
        self.flags: dict[str, str] = {}
        self._constants: dict[int, str] = {}
        self._values: dict[int, str] = {}
        self._numbers = itertools.count()

    def constant(self, thing: Any) -> str:
        """Return a name for a thing."""
        name = self._constants.get(id(thing))
        if name is None:
            name = self._constants[id(thing)] = f"_{type(thing).__name__}{next(self._numbers)}".replace(
                ".", "_"
            )
            self.namespace[name] = thing
        return name

    def value(self, path: Path) -> str:
        """Return the name of the value at a path, fetching it the first time."""
        if path.kind == "argument":
            return _parameter(path.key)
        name = self._values.get(id(path))
        if name is None:
            if path.base is not None:
                base = self.value(path.base)
                step = Path(path.kind, path.key, Path("argument", base))
            elif path.kind == "made":
                function, paths = path.key
                step = Path("made", (function, [Path("argument", self.value(given)) for given in paths]))
            else:
                step = path
            name = self._values[id(path)] = f"_v{next(self._numbers)}"
            self.lines.append(f"{name} = {step.expression(self.constant)}")
        return name

    def refuse_unless(self, test: str) -> None:
        """Add a test that ends the match where it fails."""
        self.lines.append(f"if not ({test}): return None")


def _parameter(name: str) -> str:
    """Return a name for an argument that is none of those that are used here, such as `type`."""
    return f"{name}_"


def match_function(
    parameters: Sequence[str], guards: Sequence[Guard], feeds: Sequence[Path]
) -> Callable[..., tuple[Any, ...] | None]:
    """Return a function of the call's arguments that gives the values at `feeds` where all guards hold, else None."""
    text = _Text()
    for guard in guards:
        _GUARDS[guard.kind](text, guard)
    if text.pairs:
        # There are as many pairs as arrays squared; mostly one look at each array will do.
        arrays = dict.fromkeys(itertools.chain.from_iterable(text.pairs))
        pairs = " and ".join(f"apart({first}, {second})" for first, second in text.pairs)
        test = f"own_memory(({', '.join(arrays)})) or {pairs}"
        if text.flags.keys() >= arrays.keys():
            # Most often each has memory of its own.
            own = " & ".join(text.flags[array] for array in arrays)
            others = " and ".join(f"{first} is not {second}" for first, second in text.pairs)
            test = f"({own} & {OWNS} and {others}) or {test}"
        text.refuse_unless(test)
    values = [text.value(path) for path in feeds]
    body = [*text.lines, f"return ({', '.join(values)}{',' if values else ''})"]
    source = f"def match({', '.join(map(_parameter, parameters))}):\n    try:\n" + "".join(
        f"        {line}\n" for line in body
    )
    source += "    except (AttributeError, KeyError, IndexError, ValueError):\n        return None\n"
    exec(_compiled(source), text.namespace)
    function: Callable[..., tuple[Any, ...] | None] = text.namespace["match"]
    return function


def _compiled(source: str) -> CodeType:
    if len(source) < _LONG:
        return compile(source, "<match>", "exec")
    content = f"{sys.version}\n{sys.flags.optimize}\n{source}"
    data = _KEPT.load(content)
    if data is not None:
        kept: CodeType = marshal.loads(data)
        return kept
    code = compile(source, "<match>", "exec")
    _KEPT.save(content, marshal.dumps(code))
    return code


def _type(text: _Text, guard: Guard) -> None:
    value = text.value(guard.path)
    test = f"type({value}) is {text.constant(guard.expected)}"
    if guard.expected is int:
        test += f" and -{2**63} <= {value} < {2**63}"
    text.refuse_unless(test)


def _is(text: _Text, guard: Guard) -> None:
    base = guard.path.base
    if base is not None and base.kind == "object" and isinstance(base.key, ModuleType):
        # There are many of these, and looking into the dictionary takes half as long.
        held = f"{text.constant(vars(base.key))}[{guard.path.key!r}]"
        text.refuse_unless(f"{held} is {text.constant(guard.expected)}")
        return
    text.refuse_unless(f"{text.value(guard.path)} is {text.constant(guard.expected)}")


def _equals(text: _Text, guard: Guard) -> None:
    value, expected = text.value(guard.path), text.constant(guard.expected)
    if isinstance(guard.expected, (float, complex, np.inexact)):
        text.refuse_unless(f"same_number({value}, {expected})")
    elif guard.expected is True or guard.expected is False or guard.expected is None:
        text.refuse_unless(f"{value} is {guard.expected}")
    elif isinstance(guard.expected, ATOMS):
        text.refuse_unless(
            f"type({value}) is {text.constant(type(guard.expected))} and {value} == {expected}"
        )
    else:
        text.refuse_unless(f"same({value}, {expected})")


def _length(text: _Text, guard: Guard) -> None:
    text.refuse_unless(f"len({text.value(guard.path)}) == {guard.expected}")


def _keys(text: _Text, guard: Guard) -> None:
    value, keys = text.value(guard.path), text.constant(guard.expected)
    if guard.path.key == "__dict__":
        # Names of attributes are text.
        text.refuse_unless(f"tuple({value}) == {keys}")
    elif all(isinstance(key, ATOMS) for key in guard.expected):
        # Types first: what keys of the user's classes equal is for code of the user's to say.
        kinds = text.constant(tuple(map(type, guard.expected)))
        text.refuse_unless(f"tuple(map(type, {value})) == {kinds} and tuple({value}) == {keys}")
    else:
        text.refuse_unless(f"same(tuple({value}), {keys})")


def _array(text: _Text, guard: Guard) -> None:
    key: ArrayKey = guard.expected
    value = text.value(guard.path)
    dtype = text.constant(key.dtype)
    # Most dtypes are there once; to compare them takes longer. Integers of one size may be of two types, whose dtypes are equal.
    equal = f"{value}.dtype == {dtype} and {value}.dtype.num == {key.dtype.num}"
    if key.dtype.names is not None:
        equal += f" and layout_of({value}.dtype) == {text.constant(layout_of(key.dtype))}"
    same = f"({value}.dtype is {dtype} or {equal})"
    kind = "ndarray" if key.kind is np.ndarray else text.constant(key.kind)
    text.refuse_unless(f"type({value}) is {kind} and {same} and {value}.ndim == {len(key.ones)}")
    if key.contiguous and key.order is None and key.writable:
        flags = text.flags[value] = f"_flags{len(text.flags)}"
        text.lines.append(f"{flags} = {value}.flags.num")
        tests = [f"{flags} & {PLAIN | WARNS} == {PLAIN}"]
        if len(key.ones) == 1:
            tests.append(f"len({value}) {'==' if key.ones[0] else '!='} 1")
        elif any(key.ones):
            tests += [f"{value}.shape[{axis}] {'==' if one else '!='} 1" for axis, one in enumerate(key.ones)]
        else:
            tests.append(f"1 not in {value}.shape")
        text.refuse_unless(" and ".join(tests))
    else:
        text.refuse_unless(f"ArrayKey.of({value}) == {text.constant(key)} and {value}.flags.aligned")


def _flags(text: _Text, guard: Guard) -> None:
    text.refuse_unless(f"{text.value(guard.path)}.flags.num & {LIES} == {guard.expected}")


def _not(text: _Text, guard: Guard) -> None:
    text.refuse_unless(f"{text.value(guard.path)} is not {text.value(guard.expected)}")


def _same(text: _Text, guard: Guard) -> None:
    text.refuse_unless(f"{text.value(guard.path)} is {text.value(guard.expected)}")


def _distinct(text: _Text, guard: Guard) -> None:
    values = [text.value(path) for path in (guard.path, *guard.expected)]
    text.refuse_unless(f"len({{{', '.join(f'id({value})' for value in values)}}}) == {len(values)}")


def _apart(text: _Text, guard: Guard) -> None:
    pair = text.value(guard.path), text.value(guard.expected)
    if pair[0] == pair[1]:
        text.refuse_unless(f"apart({', '.join(pair)})")
    else:
        text.pairs.append(pair)


def _rows(text: _Text, guard: Guard) -> None:
    tables, lists = (", ".join(map(text.value, paths)) for paths in guard.expected)
    text.refuse_unless(f"one_each([{tables}], [{lists}])")


def _members(text: _Text, guard: Guard) -> None:
    others = ", ".join(map(text.value, guard.expected))
    text.refuse_unless(f"none_in({text.value(guard.path)}, [{others}])")


def _held(text: _Text, guard: Guard) -> None:
    holding, arrays = guard.expected
    lists = "".join(f"({text.value(path)}, {names!r}), " for path, names in holding)
    text.refuse_unless(f"have_own_memory([{lists}], [{', '.join(map(text.value, arrays))}])")


def _missing(text: _Text, guard: Guard) -> None:
    namespace, name = guard.path.key
    text.refuse_unless(f"{name!r} not in {text.constant(namespace)}")


def _dim(text: _Text, guard: Guard) -> None:
    axis, size = guard.expected
    text.refuse_unless(f"{text.value(guard.path)}.shape[{axis}] == {size}")


def _backwards(text: _Text, guard: Guard) -> None:
    axis, backwards = guard.expected
    text.refuse_unless(f"({text.value(guard.path)}.strides[{axis}] < 0) is {backwards}")


def _goes_on(text: _Text, guard: Guard) -> None:
    outer, inner, found = guard.expected
    text.refuse_unless(f"goes_on({text.value(guard.path)}, {outer}, {inner}) is {found}")


def _packed(text: _Text, guard: Guard) -> None:
    text.refuse_unless(f"packed({text.value(guard.path)}, {guard.expected})")


_GUARDS: dict[str, Callable[[_Text, Guard], None]] = {
    "type": _type,
    "is": _is,
    "equals": _equals,
    "length": _length,
    "keys": _keys,
    "array": _array,
    "flags": _flags,
    "not": _not,
    "distinct": _distinct,
    "same": _same,
    "apart": _apart,
    "dim": _dim,
    "backwards": _backwards,
    "goes on": _goes_on,
    "packed": _packed,
    "rows": _rows,
    "members": _members,
    "held": _held,
    "missing": _missing,
}
