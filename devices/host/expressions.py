"""What Python computes for each op: one expression, over the names of its operands."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from transpile.runtime.graph.dim import Dim, DimLike
from transpile.runtime.graph.ir import Op, Value
from transpile.runtime.graph.types import INT, ArrayType, ScalarType
from transpile.runtime.ops.table import TABLE
from transpile.runtime.views.view import View

# Python's operators, on its own numbers.
_PYTHON = {
    "add": "{0} + {1}",
    "subtract": "{0} - {1}",
    "multiply": "{0} * {1}",
    "divide": "{0} / {1}",
    "floor_divide": "{0} // {1}",
    "remainder": "{0} % {1}",
    "power": "{0} ** {1}",
    "left_shift": "{0} << {1}",
    "right_shift": "{0} >> {1}",
    "bitwise_and": "{0} & {1}",
    "bitwise_or": "{0} | {1}",
    "bitwise_xor": "{0} ^ {1}",
    "invert": "~{0}",
    "negative": "-{0}",
    "positive": "+{0}",
    "absolute": "abs({0})",
    "less": "{0} < {1}",
    "less_equal": "{0} <= {1}",
    "greater": "{0} > {1}",
    "greater_equal": "{0} >= {1}",
    "equal": "{0} == {1}",
    "not_equal": "{0} != {1}",
    "logical_not": "not {0}",
}
# The kinds of operands for which the operator of NumPy's scalars gives what the ufunc gives, and sooner. Where integers leave their range the operator
# warns, and the ufunc does not.
_QUIET = {
    **dict.fromkeys(("add", "subtract", "multiply", "divide", "negative", "absolute"), "f"),
    **dict.fromkeys(("less", "less_equal", "greater", "greater_equal"), "biuf"),
    **dict.fromkeys(("equal", "not_equal"), "biufc"),
    **dict.fromkeys(("bitwise_and", "bitwise_or", "bitwise_xor", "invert"), "biu"),
}


class Words:
    """The names of a program: those of values, and those of the things it is bound to."""

    def __init__(self, names: Mapping[Value, str]) -> None:
        # No name of Python's, nor one that is bound, ends like this.
        self.names = {value: f"{name}_" for value, name in names.items()}
        self.bound: dict[str, Any] = {}

    def __getitem__(self, value: Value) -> str:
        return self.names[value]

    def all(self, values: Iterable[Value]) -> list[str]:
        """Return the names of values."""
        return [self.names[value] for value in values]

    def bind(self, thing: Any, name: str = "k") -> str:
        """Return a name for a thing."""
        free = name if name != "k" else f"k{len(self.bound)}"
        while self.bound.setdefault(free, thing) is not thing:
            free = f"{free}_{len(self.bound)}"
        return free

    def number(self, dim: DimLike) -> str:
        """Return an expression for the run-time value of a dim."""
        if not isinstance(dim, Dim):
            return str(dim)
        terms = []
        for monomial, factor in dim.terms:
            factors = [self[value] if value.type == INT else f"int({self[value]})" for value in monomial]
            terms.append("*".join([str(factor)] * (factor != 1 or not factors) + factors))
        return " + ".join(terms) if len(terms) < 2 else f"({' + '.join(terms)})"

    def attribute(self, attribute: Any) -> str:
        """Return an expression for an attribute with its dims as numbers."""
        if isinstance(attribute, Dim):
            return self.number(attribute)
        if isinstance(attribute, View):
            parts = attribute.base_dims, attribute.dims, attribute.axes
            return f"{self.bind(View, 'View')}({', '.join(map(self.attribute, parts))})"
        if isinstance(attribute, tuple):
            return f"({''.join(f'{self.attribute(item)}, ' for item in attribute)})"
        if type(attribute) in (int, str, bool, type(None)):
            return repr(attribute)
        return self.bind(attribute)

    def attributes(self, op: Op) -> str:
        """Return an expression for an op's attributes."""
        if not any(isinstance(dim, Dim) for dim in _dims(tuple(op.attributes.values()))):
            return self.bind(op.attributes)
        items = (f"{name!r}: {self.attribute(attribute)}" for name, attribute in op.attributes.items())
        return f"{{{', '.join(items)}}}"


def _dims(attribute: Any) -> Iterable[Any]:
    if isinstance(attribute, tuple):
        for item in attribute:
            yield from _dims(item)
    elif isinstance(attribute, View):
        yield from attribute.all_dims()
    else:
        yield attribute


@dataclass(frozen=True)
class Key:
    """An index that shows what a view does, of an array: `a[text]suffix`; where there is a test `holds`, as long as that is true."""

    text: str
    suffix: str
    holds: str


def element_of(view: View, words: Words) -> str:
    """Return the index of the one element that a view without axes shows."""
    return ", ".join(words.number(offset) for offset, _ in view.axes) or "()"


def key_of(view: View, words: Words) -> Key | None:
    """Return the index that a view is; None for diagonals and for axes that are broadcast."""
    moving = [axis for _, terms in view.axes for axis, _ in terms]
    added = [axis for axis in range(len(view.dims)) if axis not in moving]
    single = all(len(terms) < 2 for _, terms in view.axes) and len(set(moving)) == len(moving)
    if not single or any(view.dims[axis] != 1 for axis in added):
        return None
    key: list[str] = []
    # An array without elements may have no place for an integer index, or for the start of a slice that runs backwards.
    careful = False
    for offset, terms in view.axes:
        if not terms:
            careful = True
            key.append(words.number(offset))
            continue
        ((axis, step),) = terms
        start, stop = words.number(offset), words.number(offset + view.dims[axis] * step)
        if step > 0:
            key.append(f"{start}:{stop}" if step == 1 else f"{start}:{stop}:{step}")
        else:
            careful = True
            key.append(f"{start}:(None if {stop} < 0 else {stop}):{step}")
    suffix = ""
    if moving != sorted(moving):
        suffix = f".transpose({sorted(range(len(moving)), key=moving.__getitem__)})"
    if added:
        places = ["None" if axis in added else ":" for axis in range(len(view.dims))]
        suffix += f"[{', '.join(places)}]"
    sizes = [words.number(view.dims[axis]) for axis in moving if isinstance(view.dims[axis], Dim)]
    if any(view.dims[axis] == 0 for axis in moving):
        return None
    if not moving:
        # An array, not a number.
        key.append("...")
    return Key(", ".join(key), suffix, " and ".join(sizes) if careful else "")


def expression(op: Op, words: Words) -> str:
    """Return what computes an op without regions that writes nothing: the table's own function, where there is nothing shorter."""
    short = _SHORT.get(op.name)
    if short is not None:
        found = short(op, words)
        if found is not None:
            return found
    if TABLE[op.name].numpy is not None and TABLE[op.name].family == "elementwise":
        return _ufunc(op, words)
    return evaluated(op, words)


def evaluated(op: Op, words: Words) -> str:
    """Return the call of the function that the table has for an op."""
    evaluate = words.bind(TABLE[op.name].evaluate, f"op_{op.name}")
    return f"{evaluate}({', '.join([words.attributes(op), *words.all(op.operands)])})"


def _ufunc(op: Op, words: Words) -> str:
    types = [operand.type for operand in op.operands]
    operands = words.all(op.operands)
    if all(isinstance(type_, ScalarType) and type_.weak for type_ in types):
        if op.name in _PYTHON:
            return _PYTHON[op.name].format(*operands)
        if op.name in ("minimum", "maximum") and types == [INT, INT]:
            return f"{op.name[:3]}({', '.join(operands)})"
        return evaluated(op, words)
    quiet = all(
        isinstance(type_, ScalarType) and type_.dtype.kind in _QUIET.get(op.name, "") for type_ in types
    )
    if quiet or "operator" in op.attributes:
        return _PYTHON[op.name].format(*operands)
    if op.name == "square" and all(isinstance(type_, ScalarType) for type_ in types):
        # Of a complex scalar NumPy's is rounded as another op of the graph: see Note [One number].
        operands = [f"{words.bind(np.asarray, 'asarray')}({operands[0]})"]
    return f"{words.bind(TABLE[op.name].numpy, f'np_{op.name}')}({', '.join(operands)})"


def _operator(op: Op, words: Words) -> str:
    if isinstance(op.results[0].type, ArrayType):
        return evaluated(op, words)
    return _PYTHON[op.name.removeprefix("scalar_")].format(*words.all(op.operands))


def _select(op: Op, words: Words) -> str:
    test, one, other = words.all(op.operands)
    if any(isinstance(operand.type, ArrayType) for operand in op.operands):
        return f"{words.bind(np.where, 'where')}({test}, {one}, {other})"
    return f"{one} if {test} else {other}"


def _cast(op: Op, words: Words) -> str | None:
    source, target = op.operands[0].type, op.results[0].type
    if not (isinstance(source, ScalarType) and isinstance(target, ScalarType)):
        return None
    if target.weak:
        return f"{target.python.__name__}({words[op.operands[0]]})"
    if source == INT and target.dtype.kind in "iu" and target.dtype != np.int64:
        # Whether it fits is checked by an op of its own, and of a way that is not taken nothing is said.
        wide, other = words.bind(np.int64, "np_int64"), words.bind(target.dtype, f"dtype_{target.dtype.name}")
        number = words[op.operands[0]]
        wrapped = f"{wide}({number}).astype({other})"
        return (
            wrapped if target.dtype.itemsize < 8 else f"{wrapped} if {number} < 0 else {other}.type({number})"
        )
    if source.weak and source.dtype.kind in "fc" and not np.can_cast(source.dtype, target.dtype, "same_kind"):
        # Of Python's numbers NumPy's types take no more than their like.
        return None
    return f"{words.bind(target.dtype.type, f'np_{target.dtype.name}')}({words[op.operands[0]]})"


def _index(op: Op, words: Words) -> str:
    position, size = words.all(op.operands)
    return f"{position} if 0 <= {position} < {size} else {evaluated(op, words)}"


def _math(op: Op, words: Words) -> str:
    function = op.attributes["function"]
    return f"{words.bind(getattr(math, function), f'math_{function}')}({', '.join(words.all(op.operands))})"


def _load(op: Op, words: Words) -> str:
    (base,) = words.all(op.operands)
    return f"{base}[{element_of(op.attributes['view'], words)}]"


def _view(op: Op, words: Words) -> str:
    (base,) = words.all(op.operands)
    view: View = op.attributes["view"]
    whole = f"{words.attribute(view)}.of_numpy({base}, int)"
    key = key_of(view, words)
    if key is None:
        return whole
    shown = f"{base}[{key.text}]{key.suffix}"
    return f"{shown} if {key.holds} else {whole}" if key.holds else shown


def _reserve(op: Op, words: Words) -> str:
    (array,) = words.all(op.operands)
    return f"{array} if {array}.shape == {words.attribute(op.attributes['dims'])} else {evaluated(op, words)}"


def _part(op: Op, words: Words) -> str:
    return f"({words[op.operands[0]]}).{'real' if op.name == 'real' else 'imag'}"


_SHORT: dict[str, Callable[[Op, Words], str | None]] = {
    **{name: _operator for name in TABLE if name.startswith("scalar_")},
    "select": _select,
    "cast": _cast,
    "index": _index,
    "math": _math,
    "load": _load,
    "view": _view,
    "reserve": _reserve,
    "real": _part,
    "imaginary": _part,
}
