"""Functions that call each other, with the variables of all of them told apart: to become one loop together."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import gast

from .context import Context
from .scopes import Scopes
from .syntax import COMPREHENSIONS, SCOPES, arguments_of, assign, constant

# What is not known yet of a parameter, while the rest says what it is handed.
_ANYTHING = ""


@dataclass(eq=False)
class Member:
    """One function of a group: the name that it is called by, its own variables, and those that its parameters have become."""

    name: str
    function: gast.FunctionDef
    variables: frozenset[str] = frozenset()
    parameters: dict[str, str] = field(default_factory=dict)
    start: int = 0

    def nodes(self) -> list[Any]:
        """Gives all nodes of its body."""
        body: list[gast.stmt] = self.function.body
        return [node for statement in body for node in gast.walk(statement)]

    def gives(self) -> bool:
        """Says whether it returns something."""
        last = self.function.body[-1]
        return isinstance(last, gast.Return) and last.value is not None

    def body(self, returned: str | None) -> list[gast.stmt]:
        """Gives its statements, of which the last one binds what it returns."""
        body: list[gast.stmt] = [*self.function.body]
        last = body.pop()
        if not isinstance(last, gast.Return):
            body.append(last)
        if returned is not None:
            value = last.value if self.gives() else constant(None)
            body.append(assign(returned, value, last))
        return body


class Group:
    """Functions of one file that call each other, the one to be rewritten first; ``named`` gives each by its name.

    ``fixed`` are the parameters of the first that each call hands on as they are, of whichever function.
    """

    def __init__(
        self, functions: Mapping[str, gast.FunctionDef], context: Context, receiver: str | None = None
    ) -> None:
        self._context = context
        # The parameter through which a method calls itself.
        self._receiver = receiver
        self.named = {name: Member(name, function) for name, function in functions.items()}
        self.members = list(self.named.values())
        self.first = self.members[0]
        for member in self.members:
            self._look_at(member)
        kept = self._handed_on()
        self.fixed = {name for (owner, name), of in kept.items() if owner is self.first and of == name}
        if receiver is not None and receiver not in self.fixed:
            raise self.refuse(self.first.function, f"calls itself through {receiver}, which it binds anew")
        for member in self.members[1:]:
            self._rename(member, {name: of for (owner, name), of in kept.items() if owner is member and of})
        self.variables = frozenset(name for member in self.members for name in member.variables)
        self.users = frozenset(filter(context.names.is_users, self.variables))

    def called(self, node: gast.AST) -> Member | None:
        """Gives the function of the group that a node calls."""
        if not isinstance(node, gast.Call):
            return None
        function = node.func
        if self._receiver is None:
            return self.named.get(function.id) if isinstance(function, gast.Name) else None
        through = isinstance(function, gast.Attribute) and isinstance(function.value, gast.Name)
        is_itself = through and function.value.id == self._receiver and function.attr == self.first.name
        return self.first if is_itself else None

    def arguments(self, call: gast.Call, member: Member) -> dict[str, gast.expr]:
        """Gives what a call hands to each parameter, by the names that the function's signature has."""
        signature = member.function.args
        names = dict(zip(arguments_of(signature), member.parameters, strict=True))
        places = [names[argument] for argument in (*signature.posonlyargs, *signature.args)]
        arguments = call.args if self._receiver is None else [call.func.value, *call.args]
        given = dict(zip(places, arguments))
        named = {keyword.arg: keyword.value for keyword in call.keywords}
        starred = any(isinstance(argument, gast.Starred) for argument in call.args)
        if starred or given.keys() & named.keys() or len(arguments) > len(places):
            raise self.refuse(call, "is handed arguments that are not told one by one")
        given |= named
        if given.keys() != member.parameters.keys():
            raise self.refuse(call, "is not handed all its arguments by itself")
        return given

    def refuse(self, node: gast.AST, what: str) -> Exception:
        """Makes the error that says why the functions cannot become a loop."""
        return self._context.refuse("C042-recursion", node, name=self.first.name, what=what)

    def _look_at(self, member: Member) -> None:
        function = member.function
        scopes = Scopes(function)
        scope = scopes[function]
        member.variables = frozenset(scope.local)
        member.parameters = {argument.id: argument.id for argument in arguments_of(function.args)}
        inside = [
            node
            for node in member.nodes()
            if isinstance(node, SCOPES) and not isinstance(node, COMPREHENSIONS)
        ]
        if inside:
            raise self.refuse(inside[0], "has a function inside")
        rebound = self._receiver is None and member.name in scope.bound
        if rebound or function.args.vararg or function.args.kwarg:
            raise self.refuse(function, "calls itself in another way than by its name")
        # Names that are not its variables, or those of comprehensions.
        foreign = scope.free | (scopes.bound - scope.bound.keys())
        if member is not self.first and (scope.globals or scope.nonlocals or foreign & self.first.variables):
            raise self.refuse(function, f"calls {member.name}, which has other variables by the same names")

    def _handed_on(self) -> dict[tuple[Member, str], str | None]:
        """Gives the parameters that are always handed a parameter of the first function as it is, each with that."""
        stored = {
            (member, node.id)
            for member in self.members
            for node in member.nodes()
            if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store | gast.Del)
        }
        handed: dict[tuple[Member, str], str | None] = {}
        for member in self.members:
            for name in member.parameters:
                start = name if member is self.first else _ANYTHING
                handed[member, name] = None if (member, name) in stored else start
        sites = [
            (member, called, self.arguments(node, called))
            for member in self.members
            for node in member.nodes()
            if (called := self.called(node)) is not None
        ]
        if not sites:
            raise self.refuse(self.first.function, "calls itself in another way than by its name")
        before = None
        while before != handed:
            before = dict(handed)
            for member, called, given in sites:
                for name, value in given.items():
                    of = handed.get((member, value.id)) if isinstance(value, gast.Name) else None
                    handed[called, name] = _both(handed[called, name], of)
        return handed

    def _rename(self, member: Member, kept: Mapping[str, str]) -> None:
        """Tells the variables of a function apart from those of the first, but for parameters that are those of the first."""
        names = self._context.names
        renamed = {
            name: kept.get(name) or names.fresh(name)
            for name in sorted(member.variables)
            if not names.is_generated(name)
        }
        names.stand_for({new: old for old, new in renamed.items() if old not in kept})
        for node in (*arguments_of(member.function.args), *member.nodes()):
            if isinstance(node, gast.Name):
                node.id = renamed.get(node.id, node.id)
            elif isinstance(node, gast.alias):
                raise self.refuse(node, f"calls {member.name}, which binds a name by a statement of its own")
        member.variables = frozenset(renamed.get(name, name) for name in member.variables)
        member.parameters = {name: renamed[name] for name in member.parameters}


def receiver_of(function: gast.FunctionDef) -> str | None:
    """Gives the parameter that a method is called through."""
    places = [*function.args.posonlyargs, *function.args.args]
    return places[0].id if places else None


def check_bound_once(function: gast.FunctionDef, context: Context) -> None:
    """Refuses functions inside that are to become loops where their names may stand for something else: what a decorator makes of them, say."""
    inside = {name.rpartition(".")[2] for name in context.loops - {context.qualname}}
    bound: Counter[str] = Counter()
    for node in gast.walk(function):
        if isinstance(node, gast.FunctionDef | gast.ClassDef):
            bound[node.name] += 1
        elif isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load):
            bound[node.id] += 1
        elif isinstance(node, gast.alias):
            bound[node.asname or node.name] += 1
        if isinstance(node, gast.FunctionDef) and node.name in inside and node.decorator_list:
            bound[node.name] += 1
    for name in inside:
        if bound[name] != 1:
            raise context.refuse(
                "C042-recursion", function, name=name, what="calls itself by a name that is bound twice"
            )


def _both(one: str | None, other: str | None) -> str | None:
    """Gives what a parameter is handed, if that is one thing."""
    if one == _ANYTHING or other == _ANYTHING:
        return one or other if None not in (one, other) else None
    return one if one == other else None
