"""The text form of a graph, for people and for tests.

    graph relax:
        n: int = shape(u, 0)
        u: float64[n] = array('u')
        steps: int = scalar('steps')
        assume n - 2 >= 0
        t0: int = 0
        t1: int = 1
        u_3: float64[n] = for i in range(t0, steps, t1) with u_1 = u:
            t2: float64[n - 2] = view(u_1[1:-1])
            u_2: float64[n] = update(u_1[1:-1], t2, input=u)
            yield u_2
        return
        write u = u_3

The first lines say what the arguments are fed with, and what the graph assumes of them. Then comes one line per op: results with their types,
the op, its operands (a view as a subscript, see Note [Subscripts]), its attributes. Regions are indented: `if`, with `else`; `for`
and `while`, whose carried values stand behind `with`, each with its first value, and get their next ones at `yield`. A `while` tests with
`test t else a, b`, the values it leaves with, and goes on with its `do`. `until done` ends a loop as soon as that carried value is true. A region whose
end control never reaches ends in `unreachable`. `write u = u_3` says what the caller's array holds at the end.

Types without brackets are Python's (`int`, `float`) or, with a size, NumPy scalars (`float64`, `bool_`). Functions are written by name, as `<show>`.
Positions in the user's source are comments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .dim import Dim
from .ir import Block, Graph, Input, Op, Value
from .naming import names_of
from .notation import DERIVED, Notation, dtype_text, number_text
from .types import ArrayType, ScalarType, TokenType

INDENT = "    "


def print_graph(graph: Graph, locations: bool = False) -> str:
    """Return the text form of a graph; with `locations`, each op's line ends in a comment that says where it comes from."""
    return "\n".join(_Printer(graph, locations).lines()) + "\n"


def functions_in(graph: Graph) -> dict[str, Callable[..., Any]]:
    """Return the functions that a graph's ops call, by the names that the text form gives them."""
    found: dict[str, Callable[..., Any]] = {}
    known: set[int] = set()
    for op in graph.block.walk():
        for attribute in op.attributes.values():
            if not is_function(attribute) or id(attribute) in known:
                continue
            known.add(id(attribute))
            base = name = attribute.__name__.strip("<>")
            number = 2
            while name in found:
                name, number = f"{base}_{number}", number + 1
            found[name] = attribute
    return found


def is_function(attribute: Any) -> bool:
    """Whether an attribute is a function, which the text form can only name."""
    return callable(attribute) and hasattr(attribute, "__name__") and not isinstance(attribute, type)


class _Printer:
    def __init__(self, graph: Graph, locations: bool) -> None:
        self.graph = graph
        self.locations = locations
        self.notation = Notation(names_of(graph))
        self.functions = {id(function): name for name, function in functions_in(graph).items()}

    def lines(self) -> Iterator[str]:
        graph = self.graph
        name, dim = self.notation.value, self.notation.dim
        yield f"graph {graph.name}:"
        for argument, input_ in zip(graph.block.arguments, graph.inputs, strict=True):
            yield f"{INDENT}{self.definition(argument)} = {self.input(input_)}"
        for assumption in graph.assumptions:
            yield f"{INDENT}assume {dim(assumption)} >= 0"
        for value, equal in graph.equalities:
            yield f"{INDENT}assume {name(value)} == {dim(equal)}"
        yield from self.ops(graph.block, INDENT)
        results = graph.block.results or ()
        written = {place: results[result] for place, result in graph.written.items()}
        yield f"{INDENT}return {self.values(results[: len(results) - len(written)])}".rstrip()
        for place, value in written.items():
            yield f"{INDENT}write {name(graph.block.arguments[place])} = {name(value)}"

    def input(self, input_: Input) -> str:
        arguments = self.graph.block.arguments
        path = str(input_.path)
        if input_.source == "dim":
            text = f"shape({self.notation.value(arguments[input_.of])}, {input_.axis}"
            usual = f"{self.graph.inputs[input_.of].path}.shape[{input_.axis}]"
            return text + (")" if path == usual else f", {path!r})")
        flags = [
            f", {flag}=False" for flag in ("contiguous", "writable", "aligned") if not getattr(input_, flag)
        ]
        return f"{input_.source}({path!r}{''.join(flags)})"

    def ops(self, block: Block, indent: str) -> Iterator[str]:
        for op in block.ops:
            results = ", ".join(map(self.definition, op.results))
            start = f"{indent}{results} = " if results else indent
            position = op.location[-1] if self.locations and op.location else None
            comment = f"  # {position.file}:{position.line}" if position else ""
            if not op.regions:
                yield f"{start}{self.op(op)}{comment}"
            elif op.name == "cond":
                yield f"{start}if {self.values(op.operands)}:{comment}"
                yield from self.region(op.regions[0], indent)
                yield f"{indent}else:"
                yield from self.region(op.regions[1], indent)
            elif op.name == "for_loop":
                (body,) = op.regions
                header = (
                    f"for {self.notation.value(body.arguments[0])} in range({self.values(op.operands[:3])})"
                )
                yield f"{start}{header}{self.carried(op, op.operands[3:], body.arguments[1:])}:{comment}"
                yield from self.region(body, indent)
            else:
                test, body = op.regions
                yield f"{start}while{self.carried(op, op.operands, test.arguments)}:{comment}"
                yield from self.ops(test, indent + INDENT)
                truth, *left = test.results or ()
                ends = f" else {self.values(left)}" if left else ""
                yield f"{indent}{INDENT}test {self.notation.value(truth)}{ends}"
                yield f"{indent}do:"
                yield from self.region(body, indent)

    def region(self, block: Block, indent: str) -> Iterator[str]:
        yield from self.ops(block, indent + INDENT)
        if block.results is None:
            yield f"{indent}{INDENT}unreachable"
        else:
            yield f"{indent}{INDENT}yield {self.values(block.results)}".rstrip()

    def carried(self, op: Op, initial: tuple[Value, ...], arguments: list[Value]) -> str:
        pairs = []
        for argument, value in zip(arguments, initial, strict=True):
            own = self.notation.value(argument) if argument.type == value.type else self.definition(argument)
            pairs.append(f"{own} = {self.notation.value(value)}")
        until = op.attributes["until"]
        text = f" with {', '.join(pairs)}" if pairs else ""
        return text if until is None else f"{text} until {self.notation.value(arguments[until])}"

    def op(self, op: Op) -> str:
        result = op.results[0].type if op.results else None
        attributes = dict(op.attributes)
        if op.name == "constant" and isinstance(result, ScalarType):
            return number_text(attributes["value"], result.dtype)
        for key, derive in DERIVED.get(op.name, {}).items():
            given = (
                _normal_order(attributes[key])
                if key == "order" and key in attributes
                else attributes.get(key)
            )
            if key not in attributes or given == derive(result):
                attributes.pop(key, None)
        operands = [self.notation.value(operand) for operand in op.operands]
        view = attributes.pop("view", None)
        if view is not None:
            operands[0] += self.notation.subscript(view)
            if view.base_dims != getattr(op.operands[0].type, "dims", None):
                attributes["base_dims"] = view.base_dims
        if attributes.get("input") is not None:
            place = attributes.pop("input")
            operands.append(f"input={self.notation.value(self.graph.block.arguments[place])}")
        operands += [f"{key}={self.attribute(item)}" for key, item in attributes.items()]
        return f"{op.name}({', '.join(operands)})"

    def attribute(self, attribute: Any) -> str:
        if isinstance(attribute, Dim):
            return self.notation.dim(attribute)
        if isinstance(attribute, np.dtype):
            return dtype_text(attribute)
        if isinstance(attribute, (ArrayType, ScalarType, TokenType)):
            return self.notation.type(attribute)
        if isinstance(attribute, np.ndarray):
            return _nested(attribute)
        if isinstance(attribute, tuple):
            return f"({', '.join(map(self.attribute, attribute))}{',' if len(attribute) == 1 else ''})"
        if isinstance(attribute, (float, complex)):
            return number_text(attribute, np.dtype(type(attribute)))
        if is_function(attribute):
            return f"<{self.functions[id(attribute)]}>"
        return repr(attribute)

    def values(self, values: Any) -> str:
        return ", ".join(map(self.notation.value, values))

    def definition(self, value: Value) -> str:
        return f"{self.notation.value(value)}: {self.notation.type(value.type)}"


def _normal_order(order: Any) -> Any:
    return None if order is None or list(order) == list(range(len(order))) else tuple(order)


def _nested(array: Any) -> str:
    if not array.ndim:
        return number_text(array[()], array.dtype)
    return f"[{', '.join(map(_nested, array))}]"


__all__ = ["functions_in", "is_function", "print_graph"]
