"""How tightly each kind of expression binds: an operand that binds less tightly than its place asks for needs parentheses."""

import ast
from enum import IntEnum


class Precedence(IntEnum):
    """The levels of Python's grammar, from the loosest."""

    NAMED = 0
    TUPLE = 1
    TEST = 2
    OR = 3
    AND = 4
    NOT = 5
    COMPARISON = 6
    BIT_OR = 7
    BIT_XOR = 8
    BIT_AND = 9
    SHIFT = 10
    SUM = 11
    TERM = 12
    FACTOR = 13
    POWER = 14
    AWAIT = 15
    ATOM = 16


_EXPRESSIONS = {
    ast.NamedExpr: Precedence.NAMED,
    ast.Yield: Precedence.NAMED,
    ast.YieldFrom: Precedence.NAMED,
    ast.IfExp: Precedence.TEST,
    ast.Lambda: Precedence.TEST,
    ast.Compare: Precedence.COMPARISON,
    ast.Await: Precedence.AWAIT,
}

_OPERATORS: dict[type[ast.AST], Precedence] = {
    ast.Or: Precedence.OR,
    ast.And: Precedence.AND,
    ast.Not: Precedence.NOT,
    ast.BitOr: Precedence.BIT_OR,
    ast.BitXor: Precedence.BIT_XOR,
    ast.BitAnd: Precedence.BIT_AND,
    ast.LShift: Precedence.SHIFT,
    ast.RShift: Precedence.SHIFT,
    ast.Add: Precedence.SUM,
    ast.Sub: Precedence.SUM,
    ast.Mult: Precedence.TERM,
    ast.MatMult: Precedence.TERM,
    ast.Div: Precedence.TERM,
    ast.FloorDiv: Precedence.TERM,
    ast.Mod: Precedence.TERM,
    ast.Invert: Precedence.FACTOR,
    ast.UAdd: Precedence.FACTOR,
    ast.USub: Precedence.FACTOR,
    ast.Pow: Precedence.POWER,
}


def precedence(node: ast.AST) -> Precedence:
    """Gives the level of an expression as it is printed without parentheses; what brackets enclose binds tightest."""
    match node:
        case ast.BoolOp(op=op) | ast.BinOp(op=op) | ast.UnaryOp(op=op):
            return _OPERATORS[type(op)]
        case ast.Tuple(elts=[_, *_]):
            return Precedence.TUPLE
        case ast.Constant(value=int() | float() | complex() as value) if repr(value).startswith("-"):
            return Precedence.FACTOR
        case ast.expr():
            return _EXPRESSIONS.get(type(node), Precedence.ATOM)
    return Precedence.ATOM


def next_level(level: Precedence) -> Precedence:
    """Gives the level that binds one step tighter."""
    return Precedence(level + 1)
