"""What a call would take in plain Python and NumPy, and what compiling its graph may take: roughly, and before either was done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from transpile.runtime.graph.dim import Dim, DimLike, product, substitute
from transpile.runtime.graph.ir import Block, Graph, Op, Value
from transpile.runtime.graph.types import ArrayType, ScalarType
from transpile.runtime.quiet import no_warnings

# Note [Estimates]
# They decide only whether a call is compiled at once, or when calls like it have taken long enough in plain Python. Orders of magnitude do.
# Sizes and numbers that follow from the arguments are computed. The numbers of turns, or sizes, that do not are guessed.

# The table of ops is loaded where there is a graph: a program may end without one.

# What an op takes in plain Python, in seconds: on numbers of Python's; on those of NumPy's, or to take one out of an array; a view; on arrays, and more for each element of so many bytes; a call of a library.
_NUMBER, _NUMPYS, _VIEW, _ARRAY, _ELEMENT, _WIDTH, _LIBRARY = 15e-9, 35e-9, 1e-7, 4e-7, 1e-9, 8, 2.5e-6
_LOOPS = frozenset(("for_loop", "while_loop"))
# Where nothing tells how many: turns of a loop, and of one in a loop; elements along an axis.
_TURNS, _INNER, _SIZE = 1000, 10, 100
# What compiling takes, in seconds: for a graph, and for each of its ops, as long as it is not known better; and how many ops that guess is worth.
_LEAST, _EACH, _GUESSED = 0.1, 0.0025, 200
# What compiling takes for each op that makes an array, in seconds, and from how many of them on one waits for it.
_EACH_ARRAY, _SLOW = 0.01, 400
# Numbers that a graph may compute for it to be worth nothing; and things that one takes or makes, without a loop, that take long to compile.
_FEW, _MUCH = 200, 100
# What it takes in addition before the first graph, to import the compiler.
_IMPORT = 0.2
# How many ops a graph has for each second that its trace was to take.
_OPS = 1000
# How many times longer than compiling may take calls have to take for it to pay: those with a loop, which takes a fraction of its time then, and others.
_LOOPING, _STRAIGHT = 1.5, 3.0
# Things handed in, from which on it is asked what handing them in takes; and what that is for each, in seconds; and how many things
# an array is that an object in a list holds.
_MANY, _THING, _HELD = 40, 5e-7, 4
# Numbers in lists handed in, from which on that is asked; and what it is for each, at the least.
_MANY_LISTED, _LISTED = 1000, 4e-8


class CompileTimes:
    """What compiling has taken so far, and for how many ops."""

    def __init__(self) -> None:
        self._seconds = _EACH * _GUESSED
        self._ops = _GUESSED
        self._first = _IMPORT

    def expected(self, graph: Graph) -> float:
        """Return how many seconds compiling a graph may take, judged by what was compiled."""
        return self._expected(size(graph))

    def foreseen(self, trace: float) -> float:
        """Return how many seconds it may take to compile the graph of a trace that is to take so long, before there is one."""
        return self._expected(_OPS * trace)

    def _expected(self, count: float) -> float:
        return self._first + _LEAST + self._seconds / self._ops * count

    def earned(self, graph: Graph) -> float:
        """Return how many seconds calls have to take in plain Python and NumPy for compiling the graph to pay."""
        return self.expected(graph) * (_LOOPING if has_loops(graph) else _STRAIGHT)

    def note(self, graph: Graph, seconds: float) -> None:
        """Note that compiling a graph took so long."""
        self._seconds += max(seconds - self._first - _LEAST, 0.0)
        self._first = 0.0
        self._ops += size(graph)


COMPILE_TIMES = CompileTimes()


def size(graph: Graph) -> int:
    """Return how many ops a graph has, those of its regions with them."""
    return sum(1 for _ in graph.block.walk())


def waiting(graph: Graph) -> float:
    """Return how many seconds one waits for a compiler where that is long: 0 elsewhere. How busy the machine is does not matter."""
    count = sum(op.name != "view" and op.result_is_array() for op in graph.block.walk())
    return count * _EACH_ARRAY if count >= _SLOW else 0.0


def has_loops(graph: Graph) -> bool:
    """Whether there is a loop in a graph."""
    return any(op.name in _LOOPS for op in graph.block.walk())


def calls_python(graph: Graph) -> bool:
    """Whether a graph calls Python, or NumPy as Python does."""
    return any(map(_calls_python, graph.block.walk()))


def _calls_python(op: Op) -> bool:
    from transpile.runtime.ops.table import TABLE

    return op.name == "host_call" or TABLE[op.name].family == "host"


def is_idle(graph: Graph) -> bool:
    """Whether a graph leaves nothing to compile: no loop, no array, no call of Python, a few numbers at most."""
    for count, op in enumerate(graph.block.walk()):
        if count >= _FEW or op.name in _LOOPS or _calls_python(op):
            return False
        if any(isinstance(value.type, ArrayType) for value in (*op.operands, *op.results)):
            return False
    return True


def turns_call_libraries(block: Block) -> bool:
    """Whether every turn of the innermost loops of a block multiplies matrices or solves equations, say: what takes as long in plain Python."""
    from transpile.runtime.ops.table import TABLE

    for op in block.ops:
        if op.name not in _LOOPS:
            if not all(map(turns_call_libraries, op.regions)):
                return False
            continue
        inside = [inner.name for region in op.regions for inner in region.walk()]
        if _LOOPS.isdisjoint(inside):
            if not any(TABLE[name].family == "linalg" for name in inside):
                return False
        elif not all(map(turns_call_libraries, op.regions)):
            return False
    return True


def is_long(graph: Graph) -> bool:
    """Whether a graph takes many things, or does much with arrays, one thing after the other."""
    count = len(graph.inputs)
    for op in graph.block.walk():
        if op.name in _LOOPS:
            return False
        count += op.name != "view" and op.result_is_array()
    return count >= _MUCH


def calls_libraries(graph: Graph) -> bool:
    """Whether a graph without loops calls what takes as long from compiled code: products of matrices, or Python."""
    from transpile.runtime.ops.table import TABLE

    return not has_loops(graph) and any(
        TABLE[op.name].family in ("host", "linalg") for op in graph.block.walk()
    )


def promised_seconds(graph: Graph, parameters: Sequence[str], values: Sequence[Any]) -> float | None:
    """Return how long a call with these values of its parameters may take in plain Python and NumPy; None where its graph is not about it."""
    arguments = _arguments(graph, parameters, values)
    return None if arguments is None else plain_seconds(graph, arguments)


def sure_seconds(graph: Graph, parameters: Sequence[str], values: Sequence[Any]) -> float | None:
    """Return how long a call with these values of its parameters may take in plain Python and NumPy; None where it is not known how often its loops turn."""
    arguments = _arguments(graph, parameters, values)
    if arguments is None:
        return None
    estimate = _Estimate(_known(graph, arguments))
    seconds = estimate.block(graph.block)
    return None if estimate.guesses else seconds


def most_elements(graph: Graph, parameters: Sequence[str], values: Sequence[Any]) -> int:
    """Return how many elements the largest array has that a graph makes outside of loops and branches, as far as the values of its parameters tell."""
    arguments = _arguments(graph, parameters, values)
    if arguments is None:
        return 0
    estimate = _Estimate(_known(graph, arguments))
    estimate.block(graph.block)
    made = [value.type for op in graph.block.ops for value in op.results]
    return max(
        (estimate.size(product(type_.dims), 0) for type_ in made if isinstance(type_, ArrayType)), default=0
    )


def does_little(graph: Graph, parameters: Sequence[str], values: Sequence[Any]) -> bool:
    """Whether a graph takes many things, and a call with these values of its parameters does less with them than it takes to hand them in."""
    from transpile.runtime.trace.handed_objects import is_of_objects

    # Of objects in a list, what each holds is handed in.
    of_objects = [is_of_objects(path) for path in _paths(graph)]
    if len(of_objects) < _MANY and not any(of_objects):
        return False
    arguments = _arguments(graph, parameters, values)
    if arguments is None:
        return False
    count = sum(
        len(thing) * (_HELD if thing.ndim > 1 else 1) if each else 1
        for thing, each in zip(arguments, of_objects, strict=True)
    )
    return count >= _MANY and plain_seconds(graph, arguments) < count * _THING


def does_less_than_it_is_handed(graph: Graph, parameters: Sequence[str], values: Sequence[Any]) -> bool:
    """Whether a graph takes lists of many numbers, and a call with these values of its parameters surely does less with them than it takes to hand them in."""
    listed = [path.base is not None and path.base.kind == "columns" for path in _paths(graph)]
    arguments = _arguments(graph, parameters, values) if any(listed) else None
    if arguments is None:
        return False
    count = sum(len(thing) for thing, each in zip(arguments, listed, strict=True) if each)
    if count < _MANY_LISTED:
        return False
    seconds = sure_seconds(graph, parameters, values)
    return seconds is not None and seconds < count * _LISTED


def _paths(graph: Graph) -> list[Any]:
    """Return where the arguments of a graph are found, but for dims."""
    return [input_.path for input_ in graph.inputs if input_.source != "dim"]


def _arguments(graph: Graph, parameters: Sequence[str], values: Sequence[Any]) -> Sequence[Any] | None:
    """Return the arguments of a graph in a call with these values of its parameters, but for dims; None where the graph is not about it."""
    from transpile.runtime.cache.match import match_function

    found: Sequence[Any] | None = match_function(parameters, (), _paths(graph))(*values)
    return found


def plain_seconds(graph: Graph, arguments: Sequence[Any]) -> float:
    """Return how long a call may take in plain Python and NumPy; `arguments` are those of the graph, but for dims."""
    return _Estimate(_known(graph, arguments)).block(graph.block)


def _known(graph: Graph, arguments: Sequence[Any]) -> dict[Value, Any]:
    """Return the numbers and dims that are among the arguments of a graph."""
    given = iter(arguments)
    known: dict[Value, Any] = {}
    arrays: list[Any] = []
    for value, fed in zip(graph.block.arguments, graph.inputs, strict=True):
        arrays.append(None if fed.source == "dim" else next(given))
        if fed.source == "scalar" and not fed.held:
            known[value] = arrays[-1]
    for value, fed in zip(graph.block.arguments, graph.inputs, strict=True):
        if fed.source == "dim":
            known[value] = arrays[fed.of].shape[fed.axis]
    return known


class _Estimate:
    def __init__(self, known: dict[Value, Any]) -> None:
        from transpile.runtime.ops.table import TABLE

        self._known = known
        self._table = TABLE
        self._guess = _TURNS
        # Whether it was guessed how often a loop turns.
        self.guesses = False

    def block(self, block: Block) -> float:
        """Return how long a block may take to run once."""
        return sum(self._op(op) for op in block.ops)

    def _op(self, op: Op) -> float:
        if op.name == "for_loop":
            return self._for_loop(op)
        if op.name == "while_loop":
            self.guesses = True
            self._carry(op.operands, op.regions)
            return self._turned(self._guess, op.regions)
        if op.name == "cond":
            return sum(map(self.block, op.regions)) / 2
        # An array that is written takes no time by itself, only what is written to it.
        written = self._table[op.name].writes
        values = [v for place, v in enumerate(op.operands) if place != written] + [*op.results] * (
            written is None
        )
        types = [value.type for value in values]
        sizes = [
            self.size(product(type_.dims)) * min(type_.dtype.itemsize / _WIDTH, 1.0)
            for type_ in types
            if isinstance(type_, ArrayType)
        ]
        if self._table[op.name].family in ("host", "linalg"):
            return _LIBRARY + sum(sizes) * _ELEMENT
        if sizes and (op.result_is_array() or self._table[op.name].family == "reduction"):
            return _VIEW if self._table[op.name].view_of is not None else _ARRAY + max(sizes) * _ELEMENT
        self._compute(op)
        return _NUMBER if all(_is_pythons(value) for value in (*op.operands, *op.results)) else _NUMPYS

    def _for_loop(self, op: Op) -> float:
        bounds = [self._known[operand] for operand in op.operands[:3] if operand in self._known]
        (body,) = op.regions
        turns = self._guess
        self.guesses |= len(bounds) < 3
        if len(bounds) == 3 and bounds[2]:
            start, stop, step = bounds
            turns = max(-((start - stop) // step), 0)
            # The turn in the middle stands for all.
            self._known[body.arguments[0]] = start + turns // 2 * step
        self._carry(op.operands[3:], [body], 1)
        return self._turned(turns, [body])

    def _turned(self, turns: int, regions: Sequence[Block]) -> float:
        outside, self._guess = self._guess, _INNER
        total = turns * sum(map(self.block, regions))
        self._guess = outside
        return total

    def _carry(self, operands: Sequence[Value], regions: Sequence[Block], first: int = 0) -> None:
        """Let what a loop carries be what it begins with."""
        for region in regions:
            for argument, operand in zip(region.arguments[first:], operands, strict=False):
                if operand in self._known:
                    self._known[argument] = self._known[operand]

    def _compute(self, op: Op) -> None:
        evaluate = self._table[op.name].evaluate
        operands = [self._known.get(operand) for operand in op.operands]
        if op.name == "constant":
            self._known[op.result] = op.attributes["value"]
        elif evaluate is None or len(op.results) != 1 or any(operand is None for operand in operands):
            return
        elif op.name.endswith(("power", "left_shift")):
            # On a way that the call does not take they may be too large for any memory.
            return
        elif isinstance(op.result.type, ScalarType) and not any(op.attribute_dims()):
            try:
                with np.errstate(all="ignore"), no_warnings():
                    self._known[op.result] = evaluate(op.attributes, *operands)
            except Exception:
                # A call that fails does so without our help.
                return

    def size(self, dim: DimLike, guess: int = _SIZE) -> int:
        """Return how large a dim is; what it is made of that is not known is guessed."""
        found = substitute(dim, lambda value: int(self._known.get(value, guess)))
        assert not isinstance(found, Dim)
        return max(found, 0)


def _is_pythons(value: Value) -> bool:
    """Whether a value is a number of Python's."""
    return isinstance(value.type, ScalarType) and value.type.weak
