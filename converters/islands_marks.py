"""Marks the places of a function in parts at which units, and what stands for callees, are found among its constants."""

import ast
from typing import Any


class Marks(ast.NodeTransformer):
    """Puts constants, by which things are found later, in the place of units, and beside callees."""

    def __init__(self, units: set[str], callees: tuple[str, ...]) -> None:
        self._units = units
        self._callees = callees
        self._root = True

    def visit_FunctionDef(self, node: Any) -> Any:
        if self._root:
            self._root = False
            node.body = [self.visit(statement) for statement in node.body]
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def _visit_scope(self, node: ast.AST) -> ast.AST:
        return node

    visit_Lambda = visit_ClassDef = _visit_scope
    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _visit_scope

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        name, at = dotted(node.func), node.func
        if name in self._units:
            call = ast.copy_location(ast.Call(_linked(name, "to", at), node.args, node.keywords), node)
            nothing = ast.copy_location(ast.Constant(None), at)
            return ast.copy_location(ast.IfExp(_attribute(name, "live", at), call, nothing), node)
        if name in self._callees:
            same = ast.copy_location(ast.Compare(at, [ast.Is()], [_linked(name, "function", at)]), at)
            other = ast.copy_location(ast.BoolOp(ast.Or(), [_linked(name, "to", at), at]), at)
            node.func = ast.copy_location(ast.IfExp(same, other, at), at)
        return node


def dotted(node: Any) -> str:
    """Gives the text of a name or of an attribute of a name, and nothing for anything else; of ast and gast alike."""
    if type(node).__name__ == "Name":
        return str(node.id)
    if type(node).__name__ == "Attribute" and type(node.value).__name__ == "Name":
        return f"{node.value.id}.{node.attr}"
    return ""


def marker(name: str) -> str:
    """Gives the text that stands among the constants for a name."""
    return f"<transpile {name}>"


def _attribute(name: str, attribute: str, at: ast.expr) -> ast.expr:
    """Builds the read of an attribute of what is put into the place of a marker."""
    placed = ast.copy_location(ast.Constant(marker(name)), at)
    return ast.copy_location(ast.Attribute(placed, attribute, ast.Load()), at)


def _linked(name: str, attribute: str, at: ast.expr) -> ast.expr:
    """Builds the call of an attribute that is a weak reference."""
    return ast.copy_location(ast.Call(_attribute(name, attribute, at), [], []), at)
