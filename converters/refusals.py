"""Why a function is not converted: one row per reason, each with a stable code."""

from dataclasses import dataclass

import gast

from transpile.runtime.errors import ConversionError
from transpile.runtime.positions import Position


@dataclass(frozen=True, slots=True)
class Reason:
    """What a ``ConversionError`` says: what was met, why that cannot be converted, and what to do about it."""

    message: str
    why: str
    hint: str = ""


_ALONE = "move it into a function of its own; the rest is then converted"

REASONS = {
    "C001-not-a-function": Reason(
        "{name} is not a Python function",
        "only functions and lambdas written in Python have a source to rewrite",
    ),
    "C002-no-source": Reason(
        "the source of {name} is not available",
        "the rewriting starts from the text of the file",
        "define the function in a file or in a notebook cell",
    ),
    "C003-changed-source": Reason(
        "the code of {name} is not what its file says",
        "the file was edited since it was imported, or an import hook rewrote the function",
        "reload the module",
    ),
    "C010-yield": Reason(
        "a generator", "a generator's state lives on between calls, or it yields inside an expression", _ALONE
    ),
    "C011-async": Reason("asynchronous code", "it is driven by an event loop", _ALONE),
    "C012-except-star": Reason("except*", "groups of exceptions are not staged", _ALONE),
    "C013-taken-back": Reason(
        "a return in finally that may be taken back",
        "the value returned before would have to be kept",
        _ALONE,
    ),
    "C014-class": Reason(
        "a class defined in a function", "class bodies are not staged yet", "define it outside"
    ),
    "C015-global": Reason(
        "{name} is global and deleted here", "that a global is gone is not staged", "set it to None"
    ),
    "C016-nonlocal": Reason(
        "{name} is a variable of a function around, and deleted here",
        "that another function's variable is gone is not staged",
        "set it to None",
    ),
    "C017-frame": Reason(
        "{name} looks at the function's own frame",
        "the rewritten function has other frames and variables",
        _ALONE,
    ),
    "C018-reraise": Reason(
        "raise without an exception", "it depends on the handler that called the function", _ALONE
    ),
    "C019-type-alias": Reason(
        "a type statement in a function", "it is not staged", "define the type outside"
    ),
    "C020-match": Reason(
        "alternatives of a pattern that bind names to different parts",
        "which part that is depends on the alternative",
        "write them as cases of their own",
    ),
    "C031-late-binding-in-comprehension": Reason(
        "a function made in a comprehension captures {name}",
        "all such functions share one variable, which ends with its last value",
        "pass the value as a default argument: lambda {name}={name}: ...",
    ),
    "C032-walrus": Reason(
        "an assignment to {name} in an expression that is evaluated lazily",
        "it cannot become a statement of its own there",
        "assign {name} in a statement before",
    ),
    "C033-maybe-unbound": Reason(
        "a function inside that stays as it is captures {name}, which may be unbound",
        "it could not tell an unbound variable from a bound one",
        "assign {name} before",
    ),
    "C034-comprehension-target": Reason(
        "a comprehension with conditions whose target is not made of names", "it is not staged", "use a loop"
    ),
    "C042-recursion": Reason(
        "{name} {what}", "it calls itself on run-time values, and cannot become a loop", "write it as a loop"
    ),
    "C040-too-deep": Reason(
        "{name} is nested too deeply", "it exceeds the depth of recursion", "split the function"
    ),
}


def refuse(code: str, position: Position | None, **details: str) -> ConversionError:
    """Makes the error for a reason, to be raised by the caller."""
    reason = REASONS[code]
    return ConversionError(
        code,
        reason.message.format(**details),
        location=(position,) if position else (),
        why=reason.why.format(**details),
        hint=reason.hint.format(**details),
    )


def position_of_node(node: gast.AST, file: str, function: str) -> Position:
    """Gives the position of a node that came from the user's file."""
    return Position(file, function, node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
