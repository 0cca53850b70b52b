"""Which names a function, lambda, comprehension or class binds, and which it takes from the scopes around it."""

from ast import NodeVisitor

import gast

from .syntax import COMPREHENSIONS, FUNCTIONS, SCOPES, annotations_of, arguments_of, outside_expressions


class Scope:
    """The names of one function, lambda, comprehension or class body.

    ``bound`` keeps the order of the text, parameters first; ``reads`` are the names read here, ``inner`` those
    that scopes inside take from around them. ``free`` are the names that this scope takes from around it:
    variables of an enclosing function, globals, builtins; but not those that it declares global. ``stored`` are
    variables of this scope, or of one around it, that functions inside bind as ``nonlocal``. ``type_params`` live
    in a scope between this one and the one around it.
    """

    def __init__(self, node: gast.AST) -> None:
        self.node = node
        self.bound: dict[str, None] = {}
        self.reads: set[str] = set()
        self.inner: set[str] = set()
        self.free: set[str] = set()
        self.stored: set[str] = set()
        self.globals: set[str] = set()
        self.nonlocals: set[str] = set()
        self.type_params: set[str] = set()

    @property
    def local(self) -> list[str]:
        """The names that live in this scope."""
        return [name for name in self.bound if name not in self.globals and name not in self.nonlocals]


class Scopes(NodeVisitor):
    """The scopes of a function and of everything inside it, found in one walk.

    ``identifiers`` are all names in the tree, ``bound`` those that some scope binds. ``passed`` holds lambdas and
    generator expressions that are arguments of a call, each with the name of what is called: a variable, or a method of a text that is written out.
    """

    def __init__(self, root: gast.AST) -> None:
        self.of: dict[gast.AST, Scope] = {}
        self.identifiers: set[str] = set()
        self.bound: set[str] = set()
        self.passed: dict[gast.AST, str] = {}
        self._stack: list[Scope] = []
        self._enter(root)

    def __getitem__(self, node: gast.AST) -> Scope:
        """Gives the scope of a node that was inside the root when it was walked."""
        return self.of[node]

    def visit(self, node: gast.AST) -> None:
        """Walks a node of the current scope."""
        if isinstance(node, SCOPES):
            self._nested(node)
        else:
            super().visit(node)

    def visit_Name(self, node: gast.Name) -> None:
        self.identifiers.add(node.id)
        if isinstance(node.ctx, gast.Load):
            self._stack[-1].reads.add(node.id)
        else:
            self._bind(node.id)

    def visit_Call(self, node: gast.Call) -> None:
        called = _called(node.func)
        if called:
            for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
                if isinstance(argument, gast.Lambda | gast.GeneratorExp):
                    self.passed[argument] = called
        self.generic_visit(node)

    def visit_NamedExpr(self, node: gast.NamedExpr) -> None:
        self.visit(node.value)
        self.identifiers.add(node.target.id)
        for scope in reversed(self._stack):
            if not isinstance(scope.node, COMPREHENSIONS):
                scope.bound[node.target.id] = None
                self.bound.add(node.target.id)
                break
            # The scopes between see the name as a variable of the function around them.
            scope.reads.add(node.target.id)

    def visit_Global(self, node: gast.Global) -> None:
        self.identifiers.update(node.names)
        self._stack[-1].globals.update(node.names)

    def visit_Nonlocal(self, node: gast.Nonlocal) -> None:
        self.identifiers.update(node.names)
        self._stack[-1].nonlocals.update(node.names)

    def visit_alias(self, node: gast.alias) -> None:
        self._bind(node.asname or node.name.partition(".")[0])

    def visit_MatchAs(self, node: gast.MatchAs) -> None:
        self.generic_visit(node)
        if node.name is not None:
            self._bind(node.name)

    def visit_MatchStar(self, node: gast.MatchStar) -> None:
        if node.name is not None:
            self._bind(node.name)

    def visit_MatchMapping(self, node: gast.MatchMapping) -> None:
        self.generic_visit(node)
        if node.rest is not None:
            self._bind(node.rest)

    def _bind(self, name: str) -> None:
        self.identifiers.add(name)
        self.bound.add(name)
        self._stack[-1].bound[name] = None

    def _nested(self, node: gast.AST) -> None:
        if hasattr(node, "name"):
            self._bind(node.name)
        if isinstance(node, COMPREHENSIONS):
            self.visit(node.generators[0].iter)
        else:
            for expression in outside_expressions(node):
                self.visit(expression)
        if isinstance(node, FUNCTIONS):
            for annotation in annotations_of(node):
                self.visit(annotation)
        self._enter(node)

    def _enter(self, node: gast.AST) -> None:
        scope = self.of[node] = Scope(node)
        self._stack.append(scope)
        for parameter in getattr(node, "type_params", ()):
            scope.type_params.add(parameter.name if isinstance(parameter.name, str) else parameter.name.id)
        self.identifiers |= scope.type_params
        if isinstance(node, FUNCTIONS):
            for argument in arguments_of(node.args):
                self._bind(argument.id)
        if isinstance(node, COMPREHENSIONS):
            self._comprehension(node)
        else:
            body = node.body if isinstance(node.body, list) else [node.body]
            for statement in body:
                self.visit(statement)
        self._stack.pop()
        local = set(scope.local)
        # A class body hides its names from the functions inside it, so those names stay free there.
        hidden = set() if isinstance(node, gast.ClassDef) else local
        scope.free = ((scope.reads | scope.nonlocals) - local) | (scope.inner - hidden)
        scope.free -= scope.globals | scope.type_params
        if self._stack:
            self._stack[-1].inner |= scope.free
            self._stack[-1].stored |= (scope.stored - hidden) | (scope.nonlocals & set(scope.bound))

    def _comprehension(self, node: gast.AST) -> None:
        for number, generator in enumerate(node.generators):
            if number:
                self.visit(generator.iter)
            self.visit(generator.target)
            for test in generator.ifs:
                self.visit(test)
        for field in ("elt", "key", "value"):
            if hasattr(node, field):
                self.visit(getattr(node, field))


def _called(function: gast.expr) -> str:
    """Gives the name of what is called; nothing where it has none."""
    match function:
        case gast.Name(id=str(name)):
            return name
        case gast.Attribute(value=gast.Constant(value=str()), attr=str(name)):
            return f"str.{name}"
    return ""
