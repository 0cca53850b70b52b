"""Writes the Python function that a graph is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from transpile.runtime.errors import Deoptimise, NotAssumed
from transpile.runtime.graph.bounds import LARGEST_SIZE
from transpile.runtime.graph.ir import Block, Graph, Op, Value
from transpile.runtime.graph.naming import names_of
from transpile.runtime.ops.copies import copied
from transpile.runtime.ops.scalars import is_handled
from transpile.runtime.ops.table import TABLE
from transpile.runtime.positions import Location

from .error_modes import as_caller
from .expressions import Words, element_of, expression, key_of
from .lifetimes import Lifetimes

# Note [Writing in place]
# `update` and `scatter` write into the memory of their base when nobody else has it, and into a copy otherwise. Whether somebody has it is not
# worked out beforehand but seen when the program runs: an array that a variable alone refers to has the reference count of such an array. Views refer
# to the array whose memory they show, the caller refers to what it handed in, and whatever else keeps an array refers to it too. So a wrong
# idea of where arrays die costs a copy, or is a name that is not bound; it cannot change a result.
#
# What dies is deleted where it dies (`Lifetimes`), or else all arrays would be copied. `contents` refers to the contents of the caller's arrays,
# which they are given at the end: that it does is not counted. An array that shows another's memory is copied too, because the copy has its elements
# side by side.


def _count() -> int:
    """Return the reference count of an object that one variable alone refers to, as `sys.getrefcount` gives it."""
    thing = object()
    return sys.getrefcount(thing)


class Program:
    """A graph as a Python function of its arguments and of a dictionary for the contents of those that are written.

    `locations` are the user's positions that the lines of its `text` come from, `handled` the lines whose errors a handler of the user's may catch. Without `in_place`, every write is to a copy.
    """

    def __init__(self, graph: Graph, in_place: bool = True) -> None:
        self.in_place = in_place
        self.locations: list[Location] = [()]
        self.handled: set[int] = set()
        self._lines: list[str] = []
        self._indent = 0
        self._location: Location = ()
        self._words = Words(names_of(graph))
        self._lifetimes = Lifetimes(graph)
        self._line("def program(arguments, contents):")
        with self._indented():
            self._head(graph)
            self._block(graph.block)
            if graph.block.results is not None:
                self._location = ()
                self._line(f"return {_tuple(self._words.all(graph.block.results))}")
        self.text = "\n".join(self._lines) + "\n"
        self.file = f"<graph of {graph.name}>"
        names: dict[str, Any] = {
            **self._words.bound,
            "count_of": sys.getrefcount,
            "alone": _count(),
            "copied": copied,
            "as_caller": as_caller,
        }
        exec(compile(self.text, self.file, "exec"), names)
        self.function: Callable[..., tuple[Any, ...]] = names["program"]
        self.code = self.function.__code__

    # -- lines -------------------------------------------------------------------------------------------------

    def _line(self, text: str) -> None:
        self._lines.append(" " * self._indent + text)
        self.locations.append(self._location)

    @contextmanager
    def _indented(self) -> Iterator[None]:
        self._indent += 1
        before = len(self._lines)
        yield
        if len(self._lines) == before:
            self._line("pass")
        self._indent -= 1

    def _delete(self, values: Sequence[Value], but: Sequence[str] = ()) -> None:
        names = [name for name in dict.fromkeys(self._words.all(values)) if name not in but]
        if names:
            self._line(f"del {', '.join(names)}")

    def _move(self, targets: Sequence[Value], values: Sequence[Value]) -> None:
        named = zip(self._words.all(targets), self._words.all(values), strict=True)
        pairs = [(target, value) for target, value in named if target != value]
        if pairs:
            self._line(f"{', '.join(target for target, _ in pairs)} = {', '.join(v for _, v in pairs)}")

    # -- parts -------------------------------------------------------------------------------------------------

    def _head(self, graph: Graph) -> None:
        """Write what gives the arguments their names, and what checks that the call is one that the graph was traced for."""
        words, arguments = self._words, graph.block.arguments
        given = [a for a, i in zip(arguments, graph.inputs, strict=True) if i.source != "dim"]
        self._line(f"{_tuple(words.all(given))} = arguments" if given else "pass")
        sizes = [(a, i) for a, i in zip(arguments, graph.inputs, strict=True) if i.source == "dim"]
        for size, input_ in sizes:
            self._line(f"{words[size]} = {words[arguments[input_.of]]}.shape[{input_.axis}]")
        not_assumed = words.bind(NotAssumed, "NotAssumed")
        for dim in graph.assumptions:
            self._line(f"if {words.number(dim)} < 0:")
            self._line(f" raise {not_assumed}('an assumption on dims does not hold')")
        for value, dim in graph.equalities:
            self._line(f"if {words[value]} != {words.number(dim)}:")
            self._line(f" raise {not_assumed}('dims that must agree do not')")
        for size, _ in sizes:
            self._line(f"if {words[size]} > {LARGEST_SIZE}:")
            self._line(f" raise {words.bind(Deoptimise, 'Deoptimise')}('an array is too large')")

    def _block(self, block: Block) -> None:
        self._delete(self._lifetimes.on_entry.get(block, ()))
        for op in block.ops:
            self._location = op.location
            write = getattr(self, f"_{op.name}", None) if op.regions else None
            if write is not None:
                write(op)
            elif TABLE[op.name].writes is not None:
                self._write(op)
            else:
                first = len(self.locations)
                self._compute(op)
                if is_handled(op):
                    self.handled.update(range(first, len(self.locations)))
            self._location = op.location
            self._delete(self._lifetimes.after[op])

    def _compute(self, op: Op) -> None:
        if op.name == "constant":
            value = op.attributes["value"]
            plain = type(value) in (bool, int) and value >= 0
            self._words.names[op.result] = repr(value) if plain else self._words.bind(value)
            return
        targets = "".join(f"{name} = " for name in [", ".join(self._words.all(op.results))] if name)
        computed = expression(op, self._words)
        if op.name in ("raise_if", "deoptimise_if"):
            self._line(f"if {self._words[op.operands[0]]}: {computed}")
        elif op.name == "host_call":
            self._line(f"with as_caller(): {targets}{computed}")
        else:
            self._line(targets + computed)

    def _write(self, op: Op) -> None:
        """Write an op that writes: see Note [Writing in place]."""
        words, base, value = self._words, *op.operands[:2]
        input_ = op.attributes["input"]
        dying = self._lifetimes.after[op]
        copied = "copied({})".format if input_ is not None else "{}.copy('K')".format
        if self.in_place and base in dying and base not in op.operands[1:]:
            if value in dying and value.op is not None and TABLE[value.op.name].view_of is not None:
                # It may be a view of the base: then it keeps the base from being written in place.
                self._line(f"{words[value]} = {words[value]}.copy()")
            # The result takes over the variable too.
            result = words.names[op.result] = words[base]
            dying.remove(base)
            count = "alone" if input_ is None else f"alone + (contents.get({input_}) is {result})"
            self._line(f"if count_of({result}) != {count} or {result}.base is not None:")
            self._line(f" {result} = {copied(result)}")
        else:
            result = words[op.result]
            self._line(f"{result} = {copied(words[base])}")
        if input_ is not None:
            self._line(f"contents[{input_}] = {result}")
        self._store(result, op)

    def _store(self, array: str, op: Op) -> None:
        """Write the assignment to elements of the array of this name."""
        words, (_, value, *indices) = self._words, op.operands
        view = op.attributes["view"]
        if not view.dims and not indices:
            self._line(f"{array}[{element_of(view, words)}] = {words[value]}")
            return
        places = f"({''.join(f'{name}, ' for name in words.all(indices))})" if indices else "..."
        whole = f"{words.attribute(view)}.of_numpy({array}, int)"
        key = key_of(view, words)
        if key is None:
            self._line(f"{whole}[{places}] = {words[value]}")
            return
        if key.holds:
            self._line(f"if not ({key.holds}): {whole}[{places}] = {words[value]}")
        shown = f"{array}[{key.text}]{key.suffix}"
        target = f"{shown}[{places}]" if indices or key.suffix else shown
        self._line(f"{'else: ' if key.holds else ''}{target} = {words[value]}")

    # -- control -----------------------------------------------------------------------------------------------

    def _cond(self, op: Op) -> None:
        for head, region in zip((f"if {self._words[op.operands[0]]}:", "else:"), op.regions, strict=True):
            self._location = op.location
            self._line(head)
            with self._indented():
                self._block(region)
                if region.results is not None:
                    self._yield(op.results, region)

    def _yield(self, targets: Sequence[Value], block: Block) -> None:
        """Write what hands a block's results on."""
        assert block.results is not None
        self._move(targets, block.results)
        self._delete(self._lifetimes.at_end[block], but=self._words.all(targets))

    def _start(self, op: Op, initial: Sequence[Value], arguments: Sequence[Value]) -> None:
        """Write what a loop begins with. Its results have the names of what it carries."""
        for argument, result in zip(arguments, op.results, strict=True):
            self._words.names[result] = self._words[argument]
        self._move(arguments, initial)
        self._delete(self._lifetimes.at_start[op], but=self._words.all(arguments))

    def _turn(self, op: Op, arguments: Sequence[Value]) -> None:
        """Write a loop's body."""
        body = op.regions[-1]
        self._block(body)
        if body.results is not None:
            self._yield(arguments, body)
            if op.attributes["until"] is not None:
                self._line(f"if {self._words[arguments[op.attributes['until']]]}: break")

    def _for_loop(self, op: Op) -> None:
        (body,) = op.regions
        position, *arguments = body.arguments
        bounds, initial = op.operands[:3], op.operands[3:]
        self._start(op, initial, arguments)
        self._line(f"for {self._words[position]} in range({', '.join(self._words.all(bounds))}):")
        with self._indented():
            self._turn(op, arguments)

    def _while_loop(self, op: Op) -> None:
        test, _ = op.regions
        arguments = test.arguments
        self._start(op, op.operands, arguments)
        self._line("while True:")
        with self._indented():
            self._block(test)
            if test.results is not None:
                again, *ends = test.results
                self._location = op.location
                self._line(f"if not {self._words[again]}:")
                with self._indented():
                    self._move(arguments, ends)
                    self._delete(self._lifetimes.on_exit[op], but=self._words.all(arguments))
                    self._line("break")
            self._turn(op, arguments)


def _tuple(names: Sequence[str]) -> str:
    return f"({''.join(f'{name}, ' for name in names)})"
