"""Goes through expressions: what they take, and what they give as far as that can be told."""

from __future__ import annotations

import ast
import builtins
import operator
import types
from collections.abc import Callable, Sequence
from typing import Any

from transpile.runtime.attributes import in_class, own_attribute
from transpile.runtime.frames import home_of, original_of

from .forecast_calls import CALL, ITEM, LIBRARY, builtin, drawn, items_of, library
from .forecast_values import (
    ARRAY,
    NUMBERS,
    NUMPYS,
    PICKED,
    SIZED,
    UNKNOWN,
    Array,
    Bound,
    Instance,
    Stream,
    Unknown,
    attribute_of_array,
    broadcast,
    computed,
    dims_of,
    is_a,
    is_array,
    is_numpys,
    is_pythons,
    is_ufunc,
    is_users,
    passing,
    picked,
    product,
    width_of,
)

# What things take, in seconds: a part of an expression; a call of a function of Python's own that is written in Python.
PART, _OWN = 4e-9, 0.5e-6
# Turns of a loop of which nothing tells how many; and parts of a program that are gone through.
ITEMS, _PARTS = 100, 4000
# What a trace takes, in seconds: for each part, for each use of what an object or a dictionary of the program holds, and for a function that SciPy has written in Python.
_TRACED, _TRACED_HELD, _TRACED_LIBRARY = 0.17e-3, 4e-3, 0.1

# What is not there.
_NONE: Any = object()
# What can be called and has a name, without code of the user's being asked for it.
_NAMED = (types.FunctionType, types.BuiltinFunctionType, type)

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}
_COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


class Scope:
    """The names of one call, and those around it."""

    def __init__(self, names: dict[str, Any], namespace: dict[str, Any], around: Scope | None) -> None:
        self.names, self.namespace, self.around = names, namespace, around
        self.result: Any = None

    def find(self, name: str) -> Any:
        """Return what a name means."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.around
        return self.namespace.get(name, getattr(builtins, name, UNKNOWN))


class Enough(Exception):
    """As much was gone through as there may be."""


class Expressions:
    """The expressions of a call that is forecast."""

    def __init__(self) -> None:
        self.seconds = 0.0
        # How many items were yielded, and one of them, of the generator that is gone through.
        self.yielded = 0.0
        self.item: Any = UNKNOWN
        self._left = _PARTS
        # How often something is asked for that an object or a dictionary of the program holds.
        self._held = 0
        # The functions of SciPy's that are called, which a trace goes into.
        self._libraries: set[types.CodeType] = set()
        # How many loops there are around.
        self.around = 0
        # What attributes were given on the way, and the things that have them.
        self.attributes: dict[tuple[int, str], Any] = {}
        self.kept: list[Any] = []

    @property
    def trace(self) -> float:
        """How long a trace may take of what was gone through, in seconds."""
        libraries = len(self._libraries) * _TRACED_LIBRARY
        return (_PARTS - self._left) * _TRACED + self._held * _TRACED_HELD + libraries

    def call(self, function: types.FunctionType, values: Sequence[Any], keywords: dict[str, Any]) -> Any:
        """Go through a call of a function, and return what it returns."""
        raise NotImplementedError

    def run(self, key: Any, node: Any, scope: Scope) -> Any:
        """Go through what is called."""
        raise NotImplementedError

    def turn(
        self, count: int | None, guess: int, body: Sequence[ast.stmt], scope: Scope, begin: Callable[[], Any]
    ) -> None:
        """Go through a turn of a loop, which counts as often as that turns."""
        raise NotImplementedError

    def store(self, target: Any, value: Any, scope: Scope) -> None:
        """Go through the target of an assignment."""
        raise NotImplementedError

    # -- expressions -------------------------------------------------------------------------------------------

    def spend(self) -> None:
        """Count a part."""
        self._left -= 1
        if self._left < 0:
            raise Enough
        self.seconds += PART

    def value(self, node: Any, scope: Scope) -> Any:
        """Go through an expression, and return what it gives."""
        self.spend()
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is not None:
            return method(node, scope)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.value(child, scope)
        return UNKNOWN

    def _constant(self, node: Any, scope: Scope) -> Any:
        return node.value

    def _name(self, node: Any, scope: Scope) -> Any:
        return scope.find(node.id)

    def _yield(self, node: Any, scope: Scope) -> Any:
        self.item = self.value(node.value, scope) if node.value is not None else None
        self.yielded += 1
        return UNKNOWN

    def _yieldfrom(self, node: Any, scope: Scope) -> Any:
        count, self.item = items_of(self.value(node.value, scope))
        self.yielded += ITEMS if count is None else count
        return UNKNOWN

    def _tuple(self, node: Any, scope: Scope) -> Any:
        return tuple(self.value(each, scope) for each in node.elts)

    def _list(self, node: Any, scope: Scope) -> Any:
        return [self.value(each, scope) for each in node.elts]

    def _lambda(self, node: Any, scope: Scope) -> Any:
        return Bound(node, scope)

    def _ifexp(self, node: Any, scope: Scope) -> Any:
        test = self.value(node.test, scope)
        if type(test) in NUMBERS:
            return self.value(node.body if test else node.orelse, scope)
        first, second = self.value(node.body, scope), self.value(node.orelse, scope)
        return first if dims_of(first) is not None else second if dims_of(second) is not None else UNKNOWN

    def _listcomp(self, node: Any, scope: Scope) -> Any:
        return self._comprehension(node.generators, lambda: self.value(node.elt, scope), scope)

    _generatorexp = _listcomp

    def _setcomp(self, node: Any, scope: Scope) -> Any:
        made = self._listcomp(node, scope)
        # How many of them are different, nothing tells.
        return Stream(None, made.item) if is_a(made, Stream) else made

    def _dictcomp(self, node: Any, scope: Scope) -> Any:
        def element() -> Any:
            self.value(node.key, scope)
            return self.value(node.value, scope)

        return self._comprehension(node.generators, element, scope)

    def _comprehension(
        self, clauses: Sequence[ast.comprehension], element: Callable[[], Any], scope: Scope
    ) -> Any:
        if not clauses:
            return element()
        clause = clauses[0]
        count, item = items_of(self.value(clause.iter, scope))
        made: Any = UNKNOWN

        def begin() -> None:
            nonlocal made
            self.store(clause.target, item, scope)
            for test in clause.ifs:
                self.value(test, scope)
            made = self._comprehension(clauses[1:], element, scope)

        self.turn(count, ITEMS, (), scope, begin)
        count = count // 2 if count and clause.ifs else count
        if len(clauses) == 1 or not is_a(made, Stream):
            return Stream(count, made)
        return Stream(None if None in (count, made.count) else count * made.count, made.item)

    def _binop(self, node: Any, scope: Scope) -> Any:
        left, right = self.value(node.left, scope), self.value(node.right, scope)
        if type(left) in NUMBERS and type(right) in NUMBERS:
            return computed(_BINARY.get(type(node.op)), left, right)
        if isinstance(node.op, ast.Mult) and type(left) is list and left and type(right) is int:
            return Stream(len(left) * max(right, 0), left[0])
        if isinstance(node.op, ast.MatMult):
            self.seconds += ARRAY
            return product(dims_of(left), dims_of(right))
        if is_array(left) or is_array(right):
            return self._elementwise(left, right)
        if left is PICKED or right is PICKED:
            self.seconds += NUMPYS
            return PICKED
        self.seconds += ITEM
        return UNKNOWN

    def _unaryop(self, node: Any, scope: Scope) -> Any:
        value = self.value(node.operand, scope)
        if value is None and isinstance(node.op, ast.Not):
            return True
        if type(value) in NUMBERS:
            return (
                -value
                if isinstance(node.op, ast.USub)
                else not value
                if isinstance(node.op, ast.Not)
                else value
            )
        return self._elementwise(value) if is_array(value) else UNKNOWN

    def _compare(self, node: Any, scope: Scope) -> Any:
        values = [self.value(each, scope) for each in (node.left, *node.comparators)]
        compare = _COMPARED.get(type(node.ops[0]))
        # In a loop, a number may be what stands for many.
        if (
            not self.around
            and compare is not None
            and len(values) == 2
            and all(type(value) in NUMBERS for value in values)
        ):
            return compare(*values)
        if not any(map(is_array, values)):
            return UNKNOWN
        made = self._elementwise(*values)
        made.width = 1
        return made

    def _elementwise(self, *values: Any) -> Array:
        shape = broadcast([dims_of(value) or () for value in values if is_array(value)])
        made = Array(shape, width_of(*values))
        self.seconds += ARRAY + passing(made)
        return made

    def _attribute(self, node: Any, scope: Scope) -> Any:
        thing = self.value(node.value, scope)
        self._held += type(thing) is not types.ModuleType and not is_array(thing)
        given = self.attributes.get((id(thing), node.attr))
        if given is not None:
            return given
        if type(thing) is types.ModuleType:
            return vars(thing).get(node.attr, UNKNOWN)
        if is_array(thing):
            return attribute_of_array(thing, node.attr)
        if is_a(thing, Unknown, Bound, type) or type(thing) in (*NUMBERS, *SIZED):
            return Bound(node.attr, thing)
        own = _NONE if is_a(thing, Instance) else own_attribute(thing, node.attr, _NONE)
        if own is not _NONE:
            return own
        class_ = thing.class_ if is_a(thing, Instance) else type(thing)
        found = in_class(class_, node.attr, UNKNOWN)
        if is_a(found, property) and is_a(found.fget, types.FunctionType):
            return self.call(found.fget, [thing], {})
        if is_a(found, staticmethod):
            return found.__func__
        return Bound(found, thing) if is_a(found, types.FunctionType) else found

    def _subscript(self, node: Any, scope: Scope) -> Any:
        thing, place = self.value(node.value, scope), self._place(node.slice, scope)
        self.seconds += ITEM
        self._held += type(place) is str
        if type(thing) in (tuple, list) and type(place) is int and -len(thing) <= place < len(thing):
            return thing[place]
        if type(thing) in (tuple, list) and is_a(place, slice):
            if place.step == 0:
                return UNKNOWN
            return thing if UNKNOWN in (place.start, place.stop) else thing[place]
        if type(thing) in (tuple, list, dict) and thing and not is_a(place, slice):
            # One of them stands for all, but for numbers.
            one = next(iter(thing.values())) if type(thing) is dict else thing[0]
            return UNKNOWN if type(one) in NUMBERS else one
        if is_a(thing, Stream):
            return thing if is_a(place, slice) else thing.item
        dims = dims_of(thing) if is_array(thing) else None
        if dims is None:
            return UNKNOWN
        left = picked(dims, place if type(place) is tuple else (place,))
        if left:
            return Array(left, width_of(thing))
        self.seconds += NUMPYS
        return PICKED

    def _place(self, node: Any, scope: Scope) -> Any:
        if isinstance(node, ast.Tuple):
            return tuple(self._place(each, scope) for each in node.elts)
        if not isinstance(node, ast.Slice):
            return self.value(node, scope)
        parts = [part and self.value(part, scope) for part in (node.lower, node.upper, node.step)]
        size = _added(node.upper, node.lower) if type(parts[0]) is not int else None
        if size is not None:
            # As many as are added to where they begin.
            count = self.value(size, scope)
            parts = [0 if type(count) is int else UNKNOWN, count, parts[2]]
        # In a loop, what is not known goes along an axis, and takes a part of it; elsewhere it may take all.
        other = UNKNOWN if self.around else None
        start, stop, step = (part if type(part) in (int, type(None)) else other for part in parts)
        return slice(start, stop, None if step is UNKNOWN else step)

    def _call(self, node: Any, scope: Scope) -> Any:
        function = self.value(node.func, scope)
        values = [self.value(each, scope) for each in node.args]
        keywords = {each.arg: self.value(each.value, scope) for each in node.keywords if each.arg}
        if is_a(function, Bound):
            return self._call_bound(function, values, keywords)
        if is_a(function, types.FunctionType) and is_users(function):
            return self.call(function, values, keywords)
        if is_a(function, type) and is_users(function):
            made = Instance(function)
            self.kept.append(made)
            begin = in_class(function, "__init__", None)
            if is_a(begin, types.FunctionType):
                self.call(begin, [made, *values], keywords)
                if in_class(function, "__dataclass_fields__", None) is not None:
                    # Its parameters are its attributes.
                    given = dict(zip(begin.__code__.co_varnames[1:], values, strict=False)) | keywords
                    self.attributes |= {(id(made), name): value for name, value in given.items()}
            return made
        if is_a(function, Unknown):
            self.seconds += CALL
            return UNKNOWN
        if type(function) is types.MethodType:
            # A function of a module that is a method of what it keeps, as those of `numpy.random` are.
            function = function.__func__
        name = function.__name__ if is_a(function, *_NAMED) or is_numpys(function) else ""
        if getattr(builtins, name, None) is function:
            return self._spent(builtin(name, values))
        if is_pythons(function):
            self.seconds += _OWN if is_a(function, types.FunctionType, type) else CALL
            return UNKNOWN
        if is_a(function, types.FunctionType) and home_of(function).partition(".")[0] == "scipy":
            self._libraries.add(original_of(function).__code__)
        made, seconds = library(name, values, keywords)
        # What works on elements costs less to call than what is written in Python around such.
        self.seconds += seconds - is_ufunc(function) * (LIBRARY - ARRAY)
        return made

    def _spent(self, found: tuple[Any, float]) -> Any:
        given, seconds = found
        self.seconds += seconds
        return given

    def _call_bound(self, bound: Bound, values: Sequence[Any], keywords: dict[str, Any]) -> Any:
        if is_a(bound.function, types.FunctionType):
            return self.call(bound.function, [bound.first, *values], keywords)
        if is_a(bound.function, ast.FunctionDef, ast.Lambda):
            names = [each.arg for each in bound.function.args.args]
            given = {**dict.fromkeys(names, UNKNOWN), **dict(zip(names, values, strict=False)), **keywords}
            around = bound.first
            return self.run(bound.function, bound.function, Scope(given, around.namespace, around))
        if is_array(bound.first):
            return self._spent(library(bound.function, [bound.first, *values], keywords))
        self.seconds += CALL
        return drawn(bound.function, values, keywords)


def _added(node: ast.expr | None, other: ast.expr | None) -> ast.expr | None:
    """Return what a node adds to another one, if that is what it does: `size` of `first + size` and `first`."""
    if other is None or not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add):
        return None
    return node.right if ast.dump(node.left) == ast.dump(other) else None
