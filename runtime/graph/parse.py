"""Reads the text form of a graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .dim import values_of
from .ir import Block, Graph, Input, Op, Value
from .literals import LITERALS, number_of, read_literal, read_literals, read_type
from .notation import DERIVED, read_number
from .subscript import MakeView, read_subscript
from .tokens import GraphSyntaxError, Tokens
from .types import INT, ArrayType, ScalarType, TokenType, Type

_UNTYPED = TokenType("")


class UnknownFunction:
    """Stands for a function that a text can only name."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __call__(self, *values: Any) -> Any:
        raise NotImplementedError(f"the function <{self.__name__}> was not handed to the parser")


def parse_graph(
    text: str, make_view: MakeView, functions: Mapping[str, Callable[..., Any]] | None = None
) -> Graph:
    """Return the graph that a text describes; printing it gives the text back, comments left out.

    `functions` are those that the text names, as `functions_in` gives them; others raise when they are called. Raises GraphSyntaxError.
    """
    return _Parser(text, make_view, dict(functions or {})).graph()


class _Parser:
    def __init__(self, text: str, make_view: MakeView, functions: dict[str, Callable[..., Any]]) -> None:
        self.make_view = make_view
        self.functions = functions
        self.values: dict[str, Value] = {}
        self.lines = [
            (number, len(line) - len(line.lstrip()), line)
            for number, line in enumerate(text.splitlines(), 1)
            if line.strip() and not line.lstrip().startswith("#")
        ]
        self.place = 0
        self.inputs: list[Value] = []

    # -- lines -------------------------------------------------------------------------------------------------

    def line(self) -> Tokens:
        """Take a line."""
        if self.place == len(self.lines):
            raise GraphSyntaxError("the text ends too soon")
        number, _, text = self.lines[self.place]
        self.place += 1
        return Tokens(text, number, self.values)

    def indent(self) -> int:
        """Return the indentation of the line that comes, -1 at the end."""
        return self.lines[self.place][1] if self.place < len(self.lines) else -1

    def starts(self, word: str) -> bool:
        """Whether the line that comes starts with a word."""
        text = self.lines[self.place][2].lstrip() if self.place < len(self.lines) else ""
        return text == word or text.startswith(f"{word} ")

    # -- the whole ---------------------------------------------------------------------------------------------

    def graph(self) -> Graph:
        line = self.line()
        line.expect("graph")
        graph = Graph(line.next(), Block())
        line.expect(":")
        indent = self.indent()
        self._inputs(graph)
        while self.starts("assume"):
            self._assume(self.line(), graph)
        self.block(graph.block, indent, ("return",))
        line = self.line()
        line.expect("return")
        results = line.listed(line.value)
        while self.starts("write"):
            line = self.line()
            line.expect("write")
            graph.written[self._argument(line)] = len(results)
            line.expect("=")
            results.append(line.value())
            line.end()
        graph.block.results = tuple(results)
        if self.place < len(self.lines):
            self.line().fail("the graph has ended")
        return graph

    def _inputs(self, graph: Graph) -> None:
        """Read what feeds the arguments, which may name arguments that come later."""
        first = self.place
        while self.place < len(self.lines):
            number, _, text = self.lines[self.place]
            words = Tokens(text, number, self.values).words
            if words[1:2] != [":"] or not any(_is_feed(words[place:]) for place in range(len(words))):
                break
            name = words[0]
            self.values[name] = graph.block.argument(_UNTYPED, name)
            self.place += 1
        self.inputs = graph.block.arguments
        last, self.place = self.place, first
        while self.place < last:
            line = self.line()
            argument = line.value()
            line.expect(":")
            argument.type = read_type(line)
            line.expect("=")
            graph.inputs.append(self._input(line))
        for input_ in graph.inputs:
            if input_.source == "dim" and input_.path is None:
                input_.path = f"{graph.inputs[input_.of].path}.shape[{input_.axis}]"

    def _input(self, line: Tokens) -> Input:
        source = line.next()
        line.expect("(")
        if source == "shape":
            of = self._argument(line)
            line.expect(",")
            axis = line.integer()
            input_ = Input("dim", line.string() if line.accept(",") else None, of, axis)
        else:
            input_ = Input(source, line.string())
            while line.accept(","):
                flag = line.next()
                line.expect("=", "False")
                setattr(input_, flag, False)
        line.expect(")")
        line.end()
        return input_

    def _argument(self, line: Tokens) -> int:
        """Take the name of an argument of the graph, and return its place."""
        return self.inputs.index(line.value())

    def _assume(self, line: Tokens, graph: Graph) -> None:
        line.expect("assume")
        dim = line.dim()
        if line.accept(">="):
            line.expect("0")
            graph.assumptions.append(dim)
        else:
            line.expect("==")
            values = list(values_of(dim))
            if len(values) != 1:
                line.fail("one argument is expected to equal a dim")
            graph.equalities.append((values[0], line.dim()))
        line.end()

    # -- blocks ------------------------------------------------------------------------------------------------

    def block(
        self, block: Block, indent: int, ends: tuple[str, ...] = ("yield", "unreachable", "test")
    ) -> None:
        """Read the ops of a block, up to its last line."""
        while not any(map(self.starts, ends)):
            if self.indent() != indent:
                self.line().fail("the indentation is wrong" if self.indent() >= 0 else "the block has no end")
            self.op(block, indent)

    def region(self, block: Block, indent: int) -> Block:
        """Read a region."""
        inner = self.indent()
        if inner <= indent:
            self.line().fail("a region is expected")
        self.block(block, inner)
        line = self.line()
        if line.accept("unreachable"):
            block.results = None
        else:
            line.expect("yield")
            block.results = tuple(line.listed(line.value))
        line.end()
        return block

    def op(self, block: Block, indent: int) -> None:
        """Read an op."""
        line = self.line()
        definitions: list[tuple[str, int]] = []
        if line.peek(1) == ":" and line.peek() != "while":
            # Types may be over results that stand beside them: they are read once the results are there.
            definitions = line.listed(lambda: self._skip_definition(line), "=")
        types: tuple[Type, ...] = tuple(_UNTYPED for _ in definitions)
        literal = ""
        if line.kind() != "name" or line.peek() in LITERALS:
            literal = read_literal(line)
            op = Op("constant", (), types)
        else:
            name = line.next()
            op = {"if": self._cond, "for": self._for, "while": self._while}.get(name, self._plain)(
                line, indent, name, types
            )
        end = line.place
        for (name, _), result in zip(definitions, op.results, strict=True):
            self._define(name, result, line)
        for (_, place), result in zip(definitions, op.results, strict=True):
            line.place = place
            result.type = read_type(line)
        line.place = end
        line.end()
        self._derive(op, literal)
        block.append(op)

    def _define(self, name: str, value: Value, line: Tokens) -> None:
        if name in self.values:
            line.fail(f"{name!r} is defined already")
        value.name = name
        self.values[name] = value

    def _skip_definition(self, line: Tokens) -> tuple[str, int]:
        """Take the definition of a result; return its name and the place of its type."""
        name = line.next()
        line.expect(":")
        place = line.place
        line.next()
        if line.accept("["):
            while line.next() != "]":
                pass
        return name, place

    def _derive(self, op: Op, literal: str) -> None:
        """Give an op the attributes that its text leaves out."""
        if op.regions:
            op.attributes["types"] = tuple(result.type for result in op.results)
            return
        type_ = op.results[0].type if op.results else None
        for key, derive in DERIVED.get(op.name, {}).items():
            op.attributes.setdefault(key, derive(type_))
        if literal:
            assert isinstance(type_, ScalarType)
            op.attributes["value"] = number_of(literal, type_)
        if op.name == "table":
            assert isinstance(type_, ArrayType)
            numbers = [read_number(text, type_.dtype) for text in op.attributes["array"]]
            op.attributes["array"] = np.array(numbers, type_.dtype).reshape(tuple(map(int, type_.dims)))  # type: ignore[arg-type]

    # -- ops ---------------------------------------------------------------------------------------------------

    def _cond(self, line: Tokens, indent: int, name: str, types: tuple[Type, ...]) -> Op:
        test = line.value()
        line.expect(":")
        first = self.region(Block(), indent)
        self.line().expect("else", ":")
        return Op("cond", (test,), types, {}, (first, self.region(Block(), indent)))

    def _for(self, line: Tokens, indent: int, name: str, types: tuple[Type, ...]) -> Op:
        body = Block()
        variable = line.next()
        line.expect("in", "range", "(")
        limits = line.listed(line.value, ")")
        self._define(variable, body.argument(INT), line)
        initial, until = self._carried(line, body)
        return Op("for_loop", (*limits, *initial), types, {"until": until}, (self.region(body, indent),))

    def _while(self, line: Tokens, indent: int, name: str, types: tuple[Type, ...]) -> Op:
        test = Block()
        initial, until = self._carried(line, test)
        self.block(test, self.indent(), ("test",))
        end = self.line()
        end.expect("test")
        truth = end.value()
        test.results = (truth, *(end.listed(end.value) if end.accept("else") else ()))
        end.end()
        self.line().expect("do", ":")
        return Op("while_loop", tuple(initial), types, {"until": until}, (test, self.region(Block(), indent)))

    def _carried(self, line: Tokens, block: Block) -> tuple[list[Value], int | None]:
        """Take what a loop carries: return the first values, and which one ends the loop."""
        initial: list[Value] = []
        own: list[tuple[Value, int | None]] = []
        if line.accept("with"):
            while True:
                typed = line.peek(1) == ":"
                name, place = self._skip_definition(line) if typed else (line.next(), None)
                line.expect("=")
                initial.append(line.value())
                argument = block.argument(initial[-1].type)
                self._define(name, argument, line)
                own.append((argument, place))
                if not line.accept(","):
                    break
        until = None
        if line.accept("until"):
            until = [argument for argument, _ in own].index(line.value())
        line.expect(":")
        end = line.place
        for argument, place in own:
            if place is not None:
                line.place = place
                argument.type = read_type(line)
        line.place = end
        return initial, until

    def _plain(self, line: Tokens, indent: int, name: str, types: tuple[Type, ...]) -> Op:
        operands: list[Value] = []
        attributes: dict[str, Any] = {}
        view = None
        line.expect("(")
        while not line.accept(")"):
            if line.peek(1) == "=":
                key = line.next()
                line.expect("=")
                attributes[key] = self.attribute(line, key)
            else:
                operands.append(line.value())
                if line.peek() == "[":
                    view = line.place
                    _skip(line, "]")
                    if line.accept(".", "transpose"):
                        _skip(line, ")")
            if line.peek() != ")":
                line.expect(",")
        if view is not None:
            base = operands[0].type
            base_dims = attributes.pop("base_dims", base.dims if isinstance(base, ArrayType) else ())
            end, line.place = line.place, view
            attributes["view"] = read_subscript(line, tuple(base_dims), self.make_view)
            line.place = end
        return Op(name, tuple(operands), types, attributes)

    def attribute(self, line: Tokens, key: str) -> Any:
        """Take an attribute."""
        word = line.peek()
        if key == "dtype":
            return np.dtype(line.string() if line.kind() == "string" else line.next())
        if key == "type":
            return read_type(line)
        if key == "input":
            return self._argument(line)
        if line.kind() == "string":
            return line.string()
        if line.kind() == "function":
            name = line.next().strip("<>")
            return self.functions.setdefault(name, UnknownFunction(name))
        if key == "array":
            return read_literals(line)
        if word == "(":
            line.next()
            return tuple(line.listed(lambda: self.attribute(line, ""), ")"))
        if word in ("None", "True", "False"):
            return {"None": None, "True": True, "False": False}[line.next()]
        number = word if word != "-" else line.peek(1)
        if number in ("nan", "inf") or (line.kind(word == "-") == "number" and not number.isdecimal()):
            return float(line.number())
        return line.dim()


def _is_feed(words: list[str]) -> bool:
    return (
        words[0] == "="
        and words[1:2] != []
        and words[1] in ("shape", "array", "scalar")
        and words[2:3] == ["("]
    )


def _skip(line: Tokens, close: str) -> None:
    while line.next() != close:
        pass


__all__ = ["GraphSyntaxError", "UnknownFunction", "parse_graph"]
